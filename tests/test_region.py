"""Regions: what a viewer sees, its dead ground, chances and hull-down bands, all against the lines themselves."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import shapely
from boards import Doc, lattice_board, rough_board, scene_of

from minis.board import read_board
from minis.board.units import Unit
from minis.errors import BadInput
from minis.lengths import GRID, to_grid
from minis.rules import examples_folder
from minis.sight.attempt import attempt
from minis.sight.cover import hull_down
from minis.sight.line import can_see, sight_line
from minis.sight.region import Place, Region, dead_ground, ground_levels, standing_of, visible_region
from minis.sight.region_chance import TargetKind, chance_map
from minis.sight.region_hull import hull_down_region
from minis.sight.region_shadow import areas_of
from minis.sight.scene import Scene

EDGE_IN = 1 / 500
"""Nothing is asked of places closer to an edge than this: the drawing is not that exact."""

PATCH_IN = 1 / 4
"""Nor, of places that touch a crest line, of those this near to a corner of it or to another obstacle."""


def example(name: str) -> Scene:
    """The scene of an example."""
    return Scene(read_board(examples_folder() / name / "scenario.toml"))


def target_at(scene: Scene, x_in: float, y_in: float, size: str = "average") -> Unit:
    """A gun without a base: a point target of a size."""
    rules = scene.board.rules
    return Unit(
        "target", "x", rules.unit_kinds["gun"], rules.sizes[size], (to_grid(x_in), to_grid(y_in)), 0.0, 0.0
    )  # fmt: skip


def is_in_a_patch(scene: Scene, target: Unit) -> bool:
    """True of a target that touches a crest line close to a corner of it or to another obstacle."""
    place = shapely.Point(target.at[0] / GRID, target.at[1] / GRID)
    crests = scene.stand(target).touching & {piece.id for piece in scene.board.crests}
    if not crests:
        return False
    corners = [p for o in scene.obstacles if o.id in crests for segment in o.segments for p in segment]
    others = [segment for o in scene.obstacles if crests != {o.id} for segment in o.segments]
    marks = [shapely.Point(p[0] / GRID, p[1] / GRID) for p in corners]
    marks += [shapely.LineString([(x / GRID, y / GRID) for x, y in segment]) for segment in others]
    return any(mark.distance(place) < PATCH_IN for mark in marks)


def places(scene: Scene, region: Region, rng: random.Random, many: int) -> Iterator[tuple[float, float]]:
    """Places of the table at random, half of them close to the edge of what is seen, none of them on it."""
    edge = region.visible.boundary
    shapely.prepare(edge)
    width, depth = scene.board.width_in, scene.board.depth_in
    for number in range(many):
        x, y = rng.random() * width, rng.random() * depth
        if number % 2 and edge.length:
            near = edge.interpolate(rng.random() * edge.length)
            turn, away = rng.random() * math.tau, rng.choice((0.004, 0.02, 0.1))
            x, y = near.x + away * math.cos(turn), near.y + away * math.sin(turn)
        x, y = to_grid(x) / GRID, to_grid(y) / GRID
        if 0 <= x <= width and 0 <= y <= depth and edge.distance(shapely.Point(x, y)) >= EDGE_IN:
            yield x, y


def check(scene: Scene, viewer: Unit, *, seed: int, many: int, size: str = "average") -> tuple[int, int]:
    """Compare a region with the lines to places at random: how many are seen, and how many are not."""
    region = visible_region(scene, viewer, size=size)
    seen = [0, 0]
    for x, y in places(scene, region, random.Random(seed), many):
        target = target_at(scene, x, y, size)
        if is_in_a_patch(scene, target):
            continue
        wanted = can_see(scene, viewer, target)
        assert region.visible.covers(shapely.Point(x, y)) == wanted, (viewer.id, x, y, wanted)
        seen[not wanted] += 1
    return seen[0], seen[1]


def table(*terrain: Doc, at: tuple[float, float] = (10, 20), **unit: Any) -> Doc:
    """A table of 60 by 40 inches with some terrain and a viewer without a base."""
    viewer = {"id": "v", "side": "a", "kind": "gun", "at": list(at), "base": [0, 0]} | unit
    return {"table": {"width": 60, "depth": 40}, "terrain": list(terrain), "unit": [viewer]}


def piece(kind: str, name: str = "", **keys: Any) -> Doc:
    """A piece of terrain, named by its kind."""
    return {"id": name or kind, "kind": kind} | keys


LOW = piece("hill", "low", level=1, box=[2, 10, 18, 30])
HIGH = piece("hill", "high", level=2, box=[4, 14, 16, 26])
FAR = piece("hill", "far", level=1, box=[40, 10, 56, 30])
FAR_TOP = [piece("hill", "top", level=2, box=[40, 10, 56, 30]), piece("hill", "foot", level=1, box=[39, 9, 57, 31])]
HOUSE = piece("building", "house", storeys=1, box=[24, 17, 27, 22])
RUBBLE = piece("rubble", box=[24, 17, 27, 22])
NOTCHED = [[2, 10], [40, 10], [40, 30], [30, 30], [30, 14], [20, 14], [20, 30], [2, 30]]
TANK: Doc = {"id": "tank", "side": "b", "kind": "vehicle", "at": [25, 20], "base": [3, 2], "size": "very large"}


def tower(storeys: int) -> Doc:
    """The house that the viewer is in."""
    return piece("building", "tower", storeys=storeys, box=[8, 18, 12, 22])


def with_tank(doc: Doc, size: str) -> Doc:
    """A table with a vehicle between the viewer and the far side."""
    return doc | {"unit": [*doc["unit"], TANK | {"size": size}]}


RULES: dict[str, tuple[Doc, tuple[float, float], tuple[float, float]]] = {
    "S6.2 a house on the level blocks": (table(HOUSE), (24, 30), (50, 20)),
    "S6.2 from one level above its shadow is 6 inches": (table(tower(2), HOUSE, roof=True), (33.01, 20), (32.99, 20)),
    "S6.2 from two levels above its shadow is 3 inches": (table(tower(3), HOUSE, roof=True), (30.01, 20), (29.99, 20)),
    "S6.2 the shadow before a house hides a target that is higher": (
        table(*FAR_TOP, HOUSE | {"box": [24, 19, 27, 20.5]}, at=(20, 20)), (40.03, 25), (40.03, 20),
    ),
    "S6.2 a house farther from the viewer than its shadow hides no higher target": (
        table(*FAR_TOP, HOUSE, at=(17.9, 20)), (40.03, 20), (38, 20),
    ),
    "S6.4 what lies below both ends hides nothing": (table(LOW, FAR, RUBBLE, at=(17.95, 20)), (40.03, 20), (28, 20)),
    "S6.5 a vehicle blocks on the level": (with_tank(table(), "average"), (25, 30), (50, 20)),
    "S6.5 from level 1 its shadow is 3 inches": (
        with_tank(table(tower(2), storey=1), "average"), (29.01, 20), (28.99, 20),
    ),
    "S6.5 a target that is two sizes smaller is never seen behind it": (
        with_tank(table(tower(2), storey=1), "very large"), (25, 30), (50, 20),
    ),
    "S6.8 from a low roof everything blocks": (table(tower(1), RUBBLE, roof=True), (24, 30), (50, 20)),
    "S6.10 a target in woods is seen to their depth": (
        table(piece("woods", box=[24, 10, 34, 30])), (24.99, 20), (25.01, 20),
    ),
    "S6.10 a viewer deep in woods sees three inches": (
        table(piece("woods", box=[5, 10, 34, 30])), (12.99, 20), (13.01, 20),
    ),
    "S6.10 a viewer at their edge sees out": (table(piece("woods", box=[5, 10, 10.9, 30])), (50, 20), (10, 28)),
    "S6.10 a house does not hide its own occupants": (table(HOUSE, at=(25, 20)), (50, 20), (25, 21)),
    "S5.7 rubble does not hide who is in it": (table(RUBBLE), (26, 20), (50, 20)),
    "S6.1 bocage blocks, but not who is against it": (
        table(piece("bocage", line=[[24, 5], [24, 35]])), (24.05, 20), (24.08, 20),
    ),
    "S6.1 bocage does not block who looks over it": (
        table(piece("bocage", line=[[10.05, 5], [10.05, 35]]), piece("bocage", "far", line=[[30, 5], [30, 35]])),
        (29, 20), (31, 20),
    ),
    "S6.1 a wall stops nothing": (table(piece("wall", line=[[24, 5], [24, 35]])), (50, 20), (25, 20)),
    "S7.2 behind the own crest line nothing is seen": (table(LOW), (17, 20), (19, 20)),
    "S7.2 past the far crest line nothing is seen": (table(FAR), (40.05, 20), (40.5, 20)),
    "S7.2 of a rim that turns in the far side is hidden": (
        table(piece("hill", "notch", level=1, outline=NOTCHED)), (18, 12), (35, 25),
    ),
    "S7.3 from higher up there is a shadow behind the rim": (
        table(LOW, tower(2), storey=1), (24.01, 20), (23.99, 20),
    ),
    "S7.3 a hill between is an obstacle": (table(FAR | {"box": [30, 18, 36, 22]}), (33, 30), (50, 20)),
    "S7.4 a ridge blocks": (
        table(piece("ridge", level=1, line=[[24, 5], [25, 20], [24, 35]])), (24.99, 20.5), (26, 20),
    ),
    "S7.4 a ridge has a shadow from higher up": (
        table(tower(2), piece("ridge", level=1, line=[[24, 5], [24, 35]]), roof=True), (30.01, 20), (29.99, 20),
    ),
    "S7.5 a viewer sees down its own slope": (table(LOW | {"slope": True}, tower(2), storey=1), (19, 20), (50, 20)),
    "S7.6 between centres a viewer sees over the rim only where it touches": (
        table(LOW, at=(17.95, 20)) | {"switches": {"sight_points": "centre"}}, (40, 20), (20, 5),
    ),
    "S7.6 a viewer who touches the rim sees over it there": (table(LOW, at=(17.95, 20)), (40, 20), (1, 20)),
}  # fmt: skip
"""Tables by the rule they show: the table, a place that is seen, a place that is not."""

ALL_SEEN = ("S6.10 a house does not", "S6.1 a wall stops nothing", "S7.5")
"""Tables with nothing hidden: their two places are both seen."""


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_draws_its_region(rule: str) -> None:
    """A table that shows one rule: a place seen, a place not seen, and places at random like the lines to them."""
    doc, seen, hidden = RULES[rule]
    scene = scene_of(doc)
    region = visible_region(scene, scene.board.unit("v"))
    assert region.visible.covers(shapely.Point(seen))
    assert region.visible.covers(shapely.Point(hidden)) == rule.startswith(ALL_SEEN)
    check(scene, scene.board.unit("v"), seed=1, many=40)


@pytest.mark.parametrize("make", [rough_board, lattice_board])
@pytest.mark.parametrize("seed", [0, 1, 2, 110, 113])
def test_a_region_agrees_with_the_lines_on_a_board_at_random(make: Callable[[int], Doc], seed: int) -> None:
    """Bases and points on boards full of everything see of the table just what the lines to it say."""
    scene = scene_of(make(seed))
    for number, viewer in enumerate(scene.board.units[:2]):
        size = ("very small", "average", "very large")[seed % 3]
        check(scene, viewer, seed=seed + number, many=40, size=size)


@pytest.mark.parametrize("name", ["T1", "P1"])
def test_a_region_agrees_with_the_lines_at_the_crossroads(name: str) -> None:
    """Units of the first example see some of the table and not the rest, as the lines say."""
    scene = example("crossroads")
    seen, hidden = check(scene, scene.board.unit(name), seed=5, many=80)
    assert seen > 10 < hidden


@pytest.mark.parametrize(
    ("switch", "value"),
    [
        ("graze", "clears"),
        ("sight_points", "centre"),
        ("measure", "centre"),
        ("woods_depth", 3.0),
        ("touch_tolerance", 0.0),
        ("leaf", "bare"),
    ],
)
def test_a_region_keeps_to_the_switches(switch: str, value: str | float) -> None:
    """The switches of the lines are those of the regions."""
    for seed in (3, 8):
        scene = scene_of(rough_board(seed) | {"switches": {switch: value}})
        check(scene, scene.board.units[0], seed=seed, many=40)


@pytest.mark.parametrize("make", [rough_board, lattice_board])
def test_seen_and_dead_ground_are_the_table(make: Callable[[int], Doc]) -> None:
    """Their areas make up the table to a millionth, and no two of them overlap."""
    for seed in range(20, 24):
        scene = scene_of(make(seed))
        region = visible_region(scene, scene.board.units[0])
        parts = [region.visible, *(part.polygon for part in region.dead)]
        whole = scene.board.width_in * scene.board.depth_in
        assert sum(part.area for part in parts) == pytest.approx(whole, rel=1e-6)
        assert shapely.union_all(parts).area == pytest.approx(whole, rel=1e-6)


def test_areas_of_a_mixed_shape_are_all_kept() -> None:
    """Of a collection the areas stay, those in a collection of their own too, and lines go."""
    boxes = [shapely.box(k, 0, k + 0.5, 1) for k in range(3)]
    mixed = shapely.GeometryCollection(
        [shapely.MultiPolygon(boxes[:2]), boxes[2], shapely.LineString([(0, 0), (9, 9)])]
    )
    assert areas_of(mixed).area == pytest.approx(1.5)
    assert areas_of(shapely.GeometryCollection([shapely.Point(1, 1)])).is_empty


def test_the_ground_is_cut_by_its_contours() -> None:
    """Every place of the table is on ground of one level, the highest of its hills (S7.7)."""
    scene = scene_of(table(LOW, HIGH))
    areas = {level: ground.area for level, ground in ground_levels(scene.board).items()}
    assert areas == pytest.approx({2: 144, 1: 320 - 144, 0: 2400 - 320})


@pytest.mark.parametrize("make", [rough_board, lattice_board])
def test_dead_ground_names_what_hides_it(make: Callable[[int], Doc]) -> None:
    """The obstacle of a part is among those that hide the line to each of its places, by the same rule."""
    named = 0
    for seed in range(30, 35):
        scene = scene_of(make(seed))
        for viewer in (unit for unit in scene.board.units if unit.is_point):
            for part in dead_ground(scene, viewer):
                if (inner := part.polygon.buffer(-0.05)).is_empty:
                    continue
                place = inner.representative_point()
                target = target_at(scene, place.x, place.y)
                if scene.stand(target).touching & {crest.id for crest in scene.board.crests}:
                    continue
                line = sight_line(scene, viewer, target)
                assert (part.obstacle, part.rule) in {(c.obstacle, c.rule) for c in line.crossings if c.hides}
                named += 1
    assert named > 15


def test_of_two_obstacles_the_nearest_is_named() -> None:
    """A place behind two houses is dead ground of the one nearer to the viewer."""
    behind = piece("building", "behind", storeys=2, box=[30, 10, 33, 30])
    scene = scene_of(table(HOUSE, behind))
    names = {part.obstacle: part.polygon for part in dead_ground(scene, scene.board.unit("v"))}
    assert names["house"].covers(shapely.Point(50, 20))
    assert names["behind"].covers(shapely.Point(40, 29))
    assert not names["behind"].covers(shapely.Point(50, 20))


def test_dead_ground_from_a_low_roof_names_its_rule() -> None:
    """What blocks from the roof of a one-storey building, where it would have a shadow, does so by S6.8."""
    scene = scene_of(table(tower(1), RUBBLE, roof=True))
    assert [(part.obstacle, part.rule) for part in dead_ground(scene, scene.board.unit("v"))] == [("rubble", "S6.8")]


def test_a_shadow_ends_on_its_curve() -> None:
    """The end of a shadow is 6 inches behind the far edge along each line from the viewer, to 1/1000 inch (S6.3)."""
    scene = scene_of(table(tower(2), HOUSE, roof=True))
    (shadow,) = dead_ground(scene, scene.board.unit("v"))
    for k in range(1, 40):
        y = 17 + k / 8
        away = math.hypot(17, y - 20)
        end = shapely.Point(10 + 17 * (away + 6) / away, 20 + (y - 20) * (away + 6) / away)
        if 17.5 < y < 21.5:
            assert shadow.polygon.boundary.distance(end) < 0.001


def test_the_size_of_a_target_counts_behind_a_vehicle() -> None:
    """From level 1 a target two sizes smaller than a vehicle is never seen behind it (S6.5)."""
    scene = scene_of(with_tank(table(tower(2), storey=1), "very large"))
    viewer, place = scene.board.unit("v"), shapely.Point(50, 20)
    assert visible_region(scene, viewer, size="large").visible.covers(place)
    assert not visible_region(scene, viewer, size="average").visible.covers(place)


def test_a_target_that_touches_a_crest_line_is_seen_by_its_nearest_point() -> None:
    """Where a slanting line crosses the rim too far from a target that touches it, its nearest point is seen (S5.1)."""
    doc = table(piece("hill", "far", level=1, box=[5, 30, 59, 39]), at=(10, 29))
    scene = scene_of(doc)
    slanting, deeper = (50, 30.05), (50, 30.07)
    assert can_see(scene, scene.board.unit("v"), target_at(scene, *slanting))
    region = visible_region(scene, scene.board.unit("v")).visible
    assert region.covers(shapely.Point(slanting))
    assert not region.covers(shapely.Point(deeper))
    centres = scene_of(
        table(piece("hill", "far", level=1, box=[5, 30, 59, 39]), at=(10, 29))
        | {"switches": {"sight_points": "centre"}}
    )
    assert not visible_region(centres, centres.board.unit("v")).visible.covers(shapely.Point(slanting))


def test_a_place_sees_like_a_unit_that_stands_there() -> None:
    """A place with the level of a roof is a point on that roof."""
    scene = scene_of(table(tower(2), HOUSE, roof=True))
    unit, place = (visible_region(scene, v).visible for v in (scene.board.unit("v"), Place(10, 20, 2)))
    assert unit.symmetric_difference(place).area < 1e-6
    assert visible_region(scene, Place(10, 20, 2, low_roof=True)).visible.area < place.area


@pytest.mark.parametrize("place", [Place(-1, 5), Place(5, 41), Place(math.nan, 5), Place(5, math.inf)])
def test_a_place_off_the_table_is_told(place: Place) -> None:
    """There is no region of a viewer that is not on the table, nor a hull-down band."""
    scene = scene_of(table(HOUSE))
    with pytest.raises(BadInput, match="off the table"):
        visible_region(scene, place)
    with pytest.raises(BadInput, match="off the table"):
        hull_down_region(scene, place, 2, 1)


def test_an_unknown_size_is_told() -> None:
    """A size that is no row of the sizes is refused, of the viewer and of the target, and the sizes are named."""
    scene = scene_of(table(HOUSE))
    with pytest.raises(BadInput, match=r"'huge'.*very large"):
        visible_region(scene, Place(5, 5, size="huge"))
    with pytest.raises(BadInput, match=r"'huge'.*very large"):
        dead_ground(scene, Place(5, 5), size="huge")


# --- chances ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["P1", "T12"])
@pytest.mark.parametrize(
    "kind", [TargetKind(), TargetKind("infantry"), TargetKind("gun", "small", frozenset({"moved", "fired"}))]
)
def test_a_chance_map_is_the_attempt_at_each_cell(name: str, kind: TargetKind) -> None:
    """Cells of a map have the chance of a sighting attempt at a point target that stands there."""
    scene = example("crossroads")
    viewer, rules = scene.board.unit(name), scene.board.rules
    chances = chance_map(scene, viewer, kind, 4)
    assert chances.shape == (12, 21)
    rng = random.Random(9)
    for _ in range(40):
        row, column = rng.randrange(12), rng.randrange(21)
        at = (to_grid(column * 4 + 2), to_grid(row * 4 + 2))
        unit = Unit("t", "x", rules.unit_kinds[kind.kind], rules.sizes[kind.size], at, 0.0, 0.0, flags=kind.flags)
        assert chances[row, column] == float(attempt(scene, viewer, unit).ruling.chance), (row, column)
    assert len(np.unique(chances)) > 4


def test_a_chance_map_knows_cover_smoke_and_what_it_touches() -> None:
    """Infantry in grain, past smoke and against a wall is harder to see than in the open; behind a house not at all."""
    terrain = [piece("grain", box=[19, 30, 22, 33]), piece("wall", line=[[20.5, 9], [20.5, 12]]), HOUSE]
    doc = table(*terrain, at=(10, 20)) | {"smoke": [{"id": "cloud", "box": [14, 24, 16, 25.5]}]}
    scene = scene_of(doc)
    chances = chance_map(scene, scene.board.unit("v"), TargetKind("infantry"), 1)
    open_ground, in_grain, behind_house = chances[20, 20], chances[31, 20], chances[20, 40]
    against_wall, past_smoke = chances[10, 20], chances[28, 20]
    assert open_ground > 0.8
    assert behind_house == 0
    assert 0 < in_grain < open_ground / 2
    assert 0 < against_wall < open_ground / 2
    assert past_smoke < open_ground


def test_the_last_cells_reach_over_the_edge_of_the_table() -> None:
    """Cells that do not divide the table are asked at the middle, or at the edge of the table."""
    scene = scene_of(table())
    chances = chance_map(scene, scene.board.unit("v"), TargetKind(), 35)
    assert chances.shape == (2, 2)
    assert (chances > 0).all()


@pytest.mark.parametrize(
    ("kind", "cell", "words"),
    [
        (TargetKind("tank"), 1, "'tank'.*vehicle"),
        (TargetKind(size="huge"), 1, "'huge'.*average"),
        (TargetKind(flags=frozenset({"asleep"})), 1, "'asleep'.*moved"),
        (TargetKind(), 0, "cell"),
        (TargetKind(), math.nan, "cell"),
    ],
)
def test_a_chance_map_of_nothing_is_told(kind: TargetKind, cell: float, words: str) -> None:
    """A kind, size or flag that there is not, and a cell without a size, are refused."""
    scene = scene_of(table())
    with pytest.raises(BadInput, match=words):
        chance_map(scene, scene.board.unit("v"), kind, cell)


# --- hull down -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "terrain",
    [
        piece("hill", "far", level=1, outline=[[30, 10], [34, 6], [50, 12], [48, 30], [36, 32]]),
        piece("ridge", level=1, line=[[30, 8], [34, 20], [31, 30]]),
        piece("wall", line=[[30, 8], [34, 20], [31, 30]]),
    ],
    ids=lambda doc: str(doc["kind"]),
)
def test_a_hull_down_band_is_where_a_vehicle_is_hull_down(terrain: Doc) -> None:
    """A vehicle that faces the viewer is hull down (II) in the band and nowhere else (S9.2, S9.3, F8.2)."""
    scene = scene_of(table(terrain))
    viewer, rules = scene.board.unit("v"), scene.board.rules
    bands = hull_down_region(scene, viewer, 2.4, 1.2)
    assert [band.by for band in bands] == [terrain["id"]]
    band = bands[0].polygon
    rng = random.Random(4)
    found = [0, 0]
    for _ in range(250):
        near = band.boundary.interpolate(rng.random() * band.boundary.length)
        x, y = near.x + rng.uniform(-0.2, 0.2), near.y + rng.uniform(-0.2, 0.2)
        if band.boundary.distance(shapely.Point(x, y)) < 1 / 32:
            continue
        at = (to_grid(x), to_grid(y))
        facing = math.degrees(math.atan2(viewer.at[0] - at[0], viewer.at[1] - at[1]))
        vehicle = Unit("t", "x", rules.unit_kinds["vehicle"], rules.sizes["average"], at, 2.4, 1.2, facing=facing)
        is_down = hull_down(scene, vehicle, viewer).state == "II"
        assert band.covers(shapely.Point(x, y)) == is_down, (x, y, is_down)
        found[is_down] += 1
    assert min(found) > 20


def test_from_above_a_crest_line_nothing_is_hull_down() -> None:
    """A viewer above the level of the crest line, or of the vehicle behind a wall, sees all of it (S9.3, F8.2)."""
    terrain = [FAR, piece("wall", line=[[30, 8], [30, 30]])]
    assert hull_down_region(scene_of(table(*terrain)), Place(10, 20), 2, 1)
    assert not hull_down_region(scene_of(table(*terrain)), Place(10, 20, 2), 2, 1)


@pytest.mark.parametrize(("length", "width"), [(0, 1), (2, -1), (math.inf, 1), (2, math.nan)])
def test_a_vehicle_without_a_base_is_told(length: float, width: float) -> None:
    """A base needs two sides to be hull down."""
    with pytest.raises(BadInput, match="base with sides"):
        hull_down_region(scene_of(table(FAR)), Place(10, 20), length, width)


def test_a_standing_of_a_place_is_its_ground() -> None:
    """A place stands on the ground there, or at the level that is given."""
    scene = scene_of(table(LOW, HIGH))
    assert [standing_of(scene, Place(10, 20, level)).level for level in (None, 5)] == [2, 5]
