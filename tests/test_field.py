"""Many sight lines at once agree with the reference on every line, by both engines (S5, S6, S7, S8.2)."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import boards
import numpy as np
import pytest
from boards import Doc

from minis.board import read_board
from minis.errors import BadInput
from minis.rules import examples_folder
from minis.sight.field import (
    Engine,
    Field,
    Points,
    engine_note,
    field_of,
    points_at,
    points_of,
    see_cells,
    see_matrix,
    see_one,
    see_pairs,
    smoke_pairs,
)
from minis.sight.field_lines import Lines
from minis.sight.line import can_see, sight_line
from minis.sight.scene import Scene

NUMBA = pytest.param(
    "numba", marks=pytest.mark.skipif(find_spec("numba") is None, reason="the extra `fast` is not installed")
)
ENGINES = pytest.mark.parametrize("engine", ["python", NUMBA])
SWITCHES: list[Doc] = [
    {},
    {"graze": "clears"},
    {"sight_points": "centre"},
    {"graze": "clears", "measure": "centre", "woods_apart": 6},
    {"leaf": "bare", "touch_tolerance": 0.5, "woods_depth": 3},
]
STEP = 1 / 8000


def with_switches(doc: Doc, switches: Doc) -> Scene:
    """The scene of a board under some switches."""
    return boards.scene_of(copy.deepcopy(doc) | {"switches": switches})


def scene_with(terrain: list[Doc], *units: Doc, switches: Doc | None = None, smoke: list[Doc] | None = None) -> Scene:
    """A table of 60 by 60 inches."""
    doc: Doc = {"table": {"width": 60, "depth": 60}, "terrain": terrain, "unit": list(units)}
    return boards.scene_of(doc | {"switches": switches or {}, "smoke": smoke or []})


def point_unit(name: str, place: Any, **more: Any) -> Doc:
    """A unit of infantry that is a single point."""
    at = [float(value) for value in place]
    return {"id": name, "side": "allied", "kind": "infantry", "base": 0, "at": at} | more


def seen_by_units(field: Field, points: Points, engine: Engine) -> dict[tuple[int, int], bool]:
    """Which units see each other: where any line between their points is clear (S5.1)."""
    clear = see_matrix(field, points, points, engine=engine) < 0
    many = int(points.unit.max()) + 1
    return {
        (i, j): bool(clear[np.ix_(points.unit == i, points.unit == j)].any())
        for i in range(many)
        for j in range(many)
        if i != j
    }


def assert_units_agree(scene: Scene, engine: Engine) -> int:
    """Every pair of units of a scene: the verdict of the reference. How many see each other."""
    field, units = field_of(scene), scene.board.units
    found = seen_by_units(field, points_of(field, units), engine)
    for (i, j), clear in found.items():
        assert clear is can_see(scene, units[i], units[j]), (units[i].id, units[j].id)
    return sum(found.values())


@ENGINES
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("make", [boards.lattice_board, boards.rough_board])
def test_units_with_bases_agree_on_random_boards(make: Callable[[int], Doc], switches: Doc, engine: Engine) -> None:
    """S5.1 to S7.7: any line between the points of two units, on boards at any angle and full of touches."""
    seen = [assert_units_agree(with_switches(make(seed), switches), engine) for seed in range(14)]
    assert sum(seen) > 50


@ENGINES
@pytest.mark.parametrize("graze", ["blocks", "clears"])
@pytest.mark.parametrize("make", [boards.lattice_board, boards.rough_board])
def test_points_agree_with_point_units(make: Callable[[int], Doc], graze: str, engine: Engine) -> None:
    """A point of `points_at` is a unit without a base, by its centre alone: the same lines, levels and verdicts."""
    verdicts = {True: 0, False: 0}
    for seed in range(8):
        doc = copy.deepcopy(make(seed))
        rng = random.Random(seed)
        wide = doc["table"]["width"]
        places = [(rng.randrange(0, 2 * wide + 1) / 2, rng.randrange(0, 2 * wide + 1) / 2) for _ in range(7)]
        doc["unit"] = [u for u in doc["unit"] if u["kind"] == "vehicle"]
        doc["unit"] += [point_unit(f"p{k}", place) for k, place in enumerate(places)]
        scene = with_switches(doc, {"graze": graze, "sight_points": "centre"})
        field = field_of(scene)
        points = points_at(field, places, size="very small")
        clear = see_matrix(field, points, points, engine=engine) < 0
        for i in range(len(places)):
            one = scene.board.unit(f"p{i}")
            assert points.level[i] == scene.stand(one).level
            for j in range(len(places)):
                seen = can_see(scene, one, scene.board.unit(f"p{j}"))
                assert bool(clear[i, j]) is seen, (seed, places[i], places[j])
                verdicts[seen] += 1
    assert min(verdicts.values()) > 20


def assert_sweep_agrees(field: Field, viewers: Points, targets: Points, engine: Engine, bins: int) -> None:
    """A sweep decides every line as the walk does."""
    lines = Lines(field, viewers, targets, engine)
    swept = np.empty((len(viewers), len(targets)), dtype=np.int32)
    lines.sweep(0, swept, bins, few=-1)
    many = len(targets)
    walked = lines.walk(np.repeat(np.arange(len(viewers)), many), np.tile(np.arange(many), len(viewers)))
    differ = (swept < 0) != (walked.reshape(swept.shape) < 0)
    told = [(viewers.x[i], viewers.y[i], targets.x[j], targets.y[j]) for i, j in np.argwhere(differ)[:3]]
    assert not differ.any(), told


@pytest.mark.parametrize("bins", [16, 64])
@pytest.mark.parametrize("graze", ["blocks", "clears"])
@pytest.mark.parametrize("make", [boards.lattice_board, boards.rough_board])
def test_a_sweep_decides_as_the_walk_does(make: Callable[[int], Doc], graze: str, bins: int) -> None:
    """From units and from points, to a lattice of places and to places a grid step beside it: the same verdicts."""
    for seed in range(5):
        scene = with_switches(make(seed), {"graze": graze})
        field = field_of(scene)
        wide = scene.board.width_in
        lattice = np.stack(np.meshgrid(np.arange(0, wide + 1, 4), np.arange(0, wide + 1, 4)), -1).reshape(-1, 2)
        beside = lattice + np.random.default_rng(seed).integers(-1, 2, lattice.shape) * STEP
        targets = points_at(field, np.clip(np.concatenate([lattice, beside]), 0, wide))
        assert_sweep_agrees(field, points_of(field, scene.board.units), targets, "python", bins)
        assert_sweep_agrees(field, points_at(field, lattice[::9]), targets, "python", bins)


@ENGINES
@pytest.mark.parametrize("graze", ["blocks", "clears"])
@pytest.mark.parametrize("make", [boards.lattice_board, boards.rough_board])
def test_all_cells_are_decided_as_by_the_walk(make: Callable[[int], Doc], graze: str, engine: Engine) -> None:
    """Whole tables of cells, from units at every level and from the middles of cells: the verdicts of the walk."""
    for seed in range(4):
        field = field_of(with_switches(make(seed), {"graze": graze}))
        board, cell_in = field.scene.board, 4.0 if engine == "python" else 1.0
        columns = int(board.width_in / cell_in)
        for unit in board.units[:3]:
            place = [[unit.at[0] / 8000, unit.at[1] / 8000]]
            for viewer in (
                points_at(field, place, level=field.scene.stand(unit).level),
                points_at(field, [[2.0, 2.0]]),
            ):
                see_cells(field, viewer, cell_in, engine=engine)
                targets = field.kept["cells", cell_in]
                lines = Lines(field, viewer, targets, engine)
                walked = lines.walk(np.zeros(len(targets), dtype=np.int64), np.arange(len(targets)))
                for bins in (16, 256):
                    assert ((lines.cells(columns, bins, few=-1) < 0) == (walked < 0)).all(), (seed, unit.id)


HOUSE: Doc = {"id": "house", "kind": "building", "box": [20, 20, 30, 26], "storeys": 1}
HILL: Doc = {"id": "hill", "kind": "hill", "level": 1, "box": [10, 10, 40, 40]}


@ENGINES
@pytest.mark.parametrize("viewer", [(5, 5), (20, 5), (25, 20), (20, 20), (10, 23), (50, 50), (25.0, 40.0)], ids=str)
@pytest.mark.parametrize(
    "terrain",
    [
        [HOUSE],
        [HILL],
        [HILL | {"slope": True}, HOUSE | {"base": 1}],
        [{"id": "woods", "kind": "woods", "outline": [[20, 20], [30, 20], [33, 30], [25, 24], [18, 33]]}],
        [
            {
                "id": "ring",
                "kind": "woods",
                "outline": [[18, 18], [34, 18], [34, 34], [18, 34]],
                "holes": [[[22, 22], [30, 22], [30, 30], [22, 30]]],
            }
        ],
        [{"id": "ridge", "kind": "ridge", "level": 1, "line": [[20, 10], [20, 30], [30, 40]]}],
        [{"id": "bocage", "kind": "bocage", "line": [[20, 20], [30, 20], [30, 26]]}],
        [HOUSE, HOUSE | {"id": "next", "box": [30, 20, 38, 26]}],
    ],
    ids=lambda terrain: terrain[0]["id"] + str(len(terrain)),
)
def test_places_in_line_with_corners_are_decided_as_by_the_reference(
    terrain: list[Doc], viewer: tuple[float, float], engine: Engine
) -> None:
    """On every ray through a corner, a grid step left and right of it, before, at and behind it, and on the diagonals.

    Among them are the bounds of bins, extreme angles, lines along edges, viewers on a corner, an edge or a rim.
    """
    corners = [p for piece in terrain for ring in _rings_of(piece) for p in ring]
    places = [(x, y) for x, y in corners]
    for x, y in corners:
        for share in (0.5, 1.5, 2.0):
            px, py = viewer[0] + (x - viewer[0]) * share, viewer[1] + (y - viewer[1]) * share
            places += [(px, py), (px + STEP, py), (px, py - STEP)]
    for far in (3.0, 9.0, 15.0):
        places += [(viewer[0] + a * far, viewer[1] + b * far) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    places = sorted(
        {(round(x * 8000) / 8000, round(y * 8000) / 8000) for x, y in places if 0 <= x <= 60 and 0 <= y <= 60}
    )
    units = [point_unit("v", viewer)] + [point_unit(f"t{k}", place) for k, place in enumerate(places)]
    for graze in ("blocks", "clears"):
        scene = scene_with(terrain, *units, switches={"sight_points": "centre", "graze": graze})
        field = field_of(scene)
        one, targets = points_at(field, [viewer], size="very small"), points_at(field, places, size="very small")
        pairs = see_one(field, one, targets, engine=engine)
        expected = [can_see(scene, scene.board.unit("v"), scene.board.unit(f"t{k}")) for k in range(len(places))]
        assert (pairs < 0).tolist() == expected
        assert_sweep_agrees(field, one, targets, engine, bins=16)


def _rings_of(piece: Doc) -> list[list[list[float]]]:
    if "box" in piece:
        x0, y0, x1, y1 = piece["box"]
        return [[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]]
    if "line" in piece:
        return [piece["line"]]
    return [piece["outline"], *piece.get("holes", [])]


def verdicts(scene: Scene, viewer: str, targets: list[str], engine: Engine) -> list[bool]:
    """Whether a unit sees others, by the field; the reference says the same."""
    field = field_of(scene)
    units = [scene.board.unit(name) for name in (viewer, *targets)]
    found = seen_by_units(field, points_of(field, units), engine)
    for k, name in enumerate(targets, 1):
        assert found[0, k] is found[k, 0] is sight_line(scene, scene.board.unit(viewer), scene.board.unit(name)).clear
    return [found[0, k] for k in range(1, len(targets) + 1)]


@ENGINES
def test_exactly_at_the_end_of_a_shadow_is_hidden(engine: Engine) -> None:
    """S6.3: from a two-storey roof 6 inches behind a one-storey house is hidden, a grid step more is seen."""
    tower = {"id": "tower", "kind": "building", "box": [0, 20, 4, 26], "storeys": 2}
    viewer = point_unit("v", (2, 23), roof=True)
    targets = [point_unit(f"t{k}", (36 + k * STEP, 23)) for k in (-1, 0, 1)]
    scene = scene_with([HOUSE, tower], viewer, *targets)
    assert verdicts(scene, "v", ["t-1", "t0", "t1"], engine) == [False, False, True]


@ENGINES
def test_the_shadow_of_the_lower_rim_of_the_own_hill_is_closed(engine: Engine) -> None:
    """S7.3: from level 2, touching its rim, 6 inches beyond the rim of level 1 is hidden, a grid step more is seen."""
    hills = [
        {"id": "low", "kind": "hill", "level": 1, "box": [0, 10, 20, 30]},
        {"id": "high", "kind": "hill", "level": 2, "box": [0, 10, 4, 30]},
    ]
    targets = [point_unit(f"t{k}", (26 + k * STEP, 20)) for k in (-1, 0, 1)]
    scene = scene_with(hills, point_unit("v", (4, 20)), *targets)
    assert verdicts(scene, "v", ["t-1", "t0", "t1"], engine) == [False, False, True]


@ENGINES
def test_from_below_a_shadow_is_measured_at_the_one_who_asks(engine: Engine) -> None:
    """S5.2, S6.3: who looks up at a hill is in the shadow of the house before him up to 6 inches from it; no more."""
    hill = {"id": "hill", "kind": "hill", "level": 2, "box": [50, 0, 58, 60]}
    field = field_of(scene_with([HOUSE, hill]))
    looking = points_at(field, [[14, 23], [14 - STEP, 23], [13, 23], [12, 22]])
    looked_at = points_at(field, [[50, 23 + k / 4] for k in range(-4, 5)])
    clear = see_matrix(field, looking, looked_at, engine=engine)[:, 4] < 0
    assert clear.tolist() == [False, True, True, True]
    for bins in (16, 64, 256):
        assert_sweep_agrees(field, looking, looked_at, engine, bins)


@ENGINES
def test_from_a_one_storey_roof_there_are_no_shadows(engine: Engine) -> None:
    """S6.8: rubble blocks the view from the roof of a one-storey house; from a hill of that level it casts a shadow."""
    rubble = {"id": "rubble", "kind": "rubble", "box": [20, 20, 22, 26]}
    low = {"id": "low", "kind": "building", "box": [0, 20, 4, 26]}
    target = point_unit("t", (40, 23))
    assert verdicts(scene_with([rubble, low], point_unit("v", (2, 23), roof=True), target), "v", ["t"], engine) == [
        False
    ]
    hill = {"id": "hill", "kind": "hill", "level": 1, "box": [0, 10, 4, 30]}
    assert verdicts(scene_with([rubble, hill], point_unit("v", (4, 23)), target), "v", ["t"], engine) == [True]


@ENGINES
def test_no_gap_between_two_houses_with_a_common_edge(engine: Engine) -> None:
    """S5.3: a line along the common edge of two houses is stopped, whether a touch stops it or not."""
    houses = [HOUSE, HOUSE | {"id": "next", "box": [20, 26, 30, 32]}]
    ends = point_unit("v", (10, 26)), point_unit("t", (40, 26))
    for graze in ("blocks", "clears"):
        assert verdicts(scene_with(houses, *ends, switches={"graze": graze}), "v", ["t"], engine) == [False]
    alone = scene_with([HOUSE], *ends, switches={"graze": "clears"})
    assert verdicts(alone, "v", ["t"], engine) == [True]


@ENGINES
def test_the_depth_and_the_nearness_of_woods_are_closed(engine: Engine) -> None:
    """S6.10: exactly 1 inch deep sees out, a grid step deeper not; in the same wood 3 inches apart see each other."""
    woods = {"id": "woods", "kind": "woods", "box": [20, 20, 40, 40]}
    units = [
        point_unit("out", (30, 10)),
        point_unit("edge", (30, 21)),
        point_unit("deep", (30, 21 + STEP)),
        point_unit("near", (30, 24)),
        point_unit("far", (30, 24 + STEP)),
    ]
    scene = scene_with([woods], *units)
    assert verdicts(scene, "out", ["edge", "deep"], engine) == [True, False]
    assert verdicts(scene, "edge", ["near", "far"], engine) == [True, False]


@ENGINES
def test_the_depth_of_woods_counts_from_above_their_tops_too(engine: Engine) -> None:
    """S6.10: who is in woods that lie below his eyes is hidden in them, but within an inch of their edge."""
    field = field_of(scene_with([{"id": "woods", "kind": "woods", "box": [20, 20, 40, 40]}]))
    above = points_at(field, [[30, 30], [30, 39.5]], level=3)
    places = [[30 + k, y] for y in (55, 5) for k in range(-4, 5)]
    for level in (0, 2):
        targets = points_at(field, places, level=level)
        clear = see_matrix(field, above, targets, engine=engine) < 0
        assert not clear[0].any()
        assert clear[1].tolist() == [True] * 9 + [False] * 9
        assert_sweep_agrees(field, above, targets, engine, bins=64)


@ENGINES
def test_a_much_smaller_target_is_not_seen_behind_a_vehicle(engine: Engine) -> None:
    """S6.5: from level 1 a target two sizes smaller is hidden at any distance, one size smaller beyond 3 inches not."""
    hill = {"id": "hill", "kind": "hill", "level": 1, "box": [0, 10, 4, 30]}
    tank = {"id": "tank", "side": "axis", "kind": "vehicle", "size": "large", "at": [20, 20], "facing": 90}
    gun = {"side": "allied", "kind": "gun", "base": 0, "at": [40, 20]}
    units = [
        point_unit("v", (4, 20)),
        tank,
        gun | {"id": "small", "size": "small"},
        gun | {"id": "same", "size": "average"},
    ]
    assert verdicts(scene_with([hill], *units), "v", ["small", "same"], engine) == [False, True]


@ENGINES
def test_what_is_hidden_carried_or_an_end_is_not_in_the_way(engine: Engine) -> None:
    """S6.6, S6.7: dummies, hidden vehicles, the ends themselves and what carries them do not obstruct; another does."""
    tank = {"id": "tank", "side": "allied", "kind": "vehicle", "at": [20, 20], "facing": 90}
    ends = point_unit("v", (4, 20)), point_unit("t", (40, 20))
    assert verdicts(scene_with([], *ends, tank), "v", ["t", "tank"], engine) == [False, True]
    for more in ({"dummy": True, "token": "x"}, {"hidden": True}, {"carries": ["t"]}, {"base": 0}):
        assert verdicts(scene_with([], *ends, tank | more), "v", ["t"], engine) == [True], more


@ENGINES
def test_smoke_on_a_line_and_whose_it_is(engine: Engine) -> None:
    """S8.2, S8.3: how many clouds a line crosses; all own only where its far end stands in each as its own."""
    smoke: list[Doc] = [
        {"id": "mine", "box": [30, 18, 36, 22], "by": "t"},
        {"id": "other", "box": [20, 18, 22, 22]},
    ]
    units = [point_unit("v", (4, 20)), point_unit("t", (33, 20)), point_unit("w", (25, 20)), point_unit("x", (4, 40))]
    scene = scene_with([], *units, smoke=smoke)
    field = field_of(scene)
    of = {u.id: points_of(field, [u]) for u in scene.board.units}
    found = {}
    for one, other in (("v", "t"), ("w", "t"), ("t", "w"), ("v", "x")):
        counts, own = smoke_pairs(field, of[one], of[other], engine=engine)
        line = sight_line(scene, scene.board.unit(one), scene.board.unit(other))
        assert counts[0] == len(line.smoke)
        assert line.smoke_class == ("none" if not counts[0] else "own" if own[0] else "full")
        found[one + other] = (int(counts[0]), bool(own[0]))
    assert found == {"vt": (2, False), "wt": (1, True), "tw": (1, False), "vx": (0, True)}


@cache
def example(name: str, one_in: int) -> tuple[Scene, dict[tuple[int, int], bool]]:
    """A shipped scenario, and whether pairs of its units see each other: one in so many, by the reference."""
    scene = Scene(read_board(examples_folder() / name / "scenario.toml"))
    units = scene.board.units
    pairs = [(i, j) for j in range(len(units)) for i in range(j)]
    return scene, {(i, j): can_see(scene, units[i], units[j]) for i, j in pairs[::one_in]}


@ENGINES
@pytest.mark.parametrize(("name", "one_in"), [("crossroads", 1), ("villers-bocage", 7)])
def test_the_examples_agree_for_pairs_of_units(name: str, one_in: int, engine: Engine) -> None:
    """Pairs of units of the shipped scenarios, bases and all."""
    scene, expected = example(name, one_in)
    field = field_of(scene)
    found = seen_by_units(field, points_of(field, scene.board.units), engine)
    assert {pair: found[pair] for pair in expected} == expected
    assert 5 < sum(expected.values()) < len(expected)


@ENGINES
def test_a_matrix_is_its_pairs_and_its_rows(engine: Engine) -> None:
    """`see_matrix`, `see_pairs`, `see_one` and `see_cells` are one answer; a swept matrix is a walked one."""
    field = field_of(boards.scene_of(boards.rough_board(3)))
    rng = np.random.default_rng(1)
    viewers, targets = points_at(field, rng.uniform(0, 80, (2, 2))), points_at(field, rng.uniform(0, 80, (1500, 2)))
    matrix = see_matrix(field, viewers, targets, engine=engine)
    assert matrix.shape == (2, 1500)
    first = points_at(field, np.repeat([[viewers.x[0] / 8000, viewers.y[0] / 8000]], 1500, axis=0))
    pairs = see_pairs(field, first, targets, engine=engine)
    assert ((matrix[0] < 0) == (pairs < 0)).all()
    assert ((see_pairs(field, targets, first, engine=engine) < 0) == (pairs < 0)).all()
    one = points_at(field, [[40, 40]])
    cells = see_cells(field, one, 8.0, engine=engine)
    middles = np.stack(np.meshgrid(np.arange(4, 80, 8), np.arange(4, 80, 8)), -1).reshape(-1, 2)
    assert cells.shape == (10, 10)
    assert (cells.ravel() == see_one(field, one, points_at(field, middles), engine=engine)).all()
    assert {int(k) for k in np.unique(matrix)} <= set(range(-1, len(field.names)))


def test_both_engines_give_the_same_answers() -> None:
    """Compiled and plain name the same obstacle, not only the same verdict."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    for seed in range(5):
        field = field_of(boards.scene_of(boards.rough_board(seed)))
        points = points_of(field, field.scene.board.units)
        plain, compiled = (see_matrix(field, points, points, engine=engine) for engine in ("python", "numba"))  # type: ignore[arg-type]
        assert (plain == compiled).all()


def test_without_obstacles_everything_is_seen() -> None:
    """An empty table, and no points at all, are answers."""
    field = field_of(scene_with([]))
    points = points_at(field, [[0, 0], [60, 60], [30, 30]])
    assert (see_matrix(field, points, points, engine="python") == -1).all()
    none = points_at(field, np.zeros((0, 2)))
    assert see_matrix(field, none, points, engine="python").shape == (0, 3)
    assert see_matrix(field, points, none, engine="python").shape == (3, 0)
    assert (see_cells(field, points_at(field, [[3, 3]]), 0.5, engine="python") == -1).all()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda field: points_at(field, [1, 2]), "(n, 2)"),
        (lambda field: points_at(field, [["a", "b"]]), "numbers"),
        (lambda field: points_at(field, [[1, 2], [61, 2]]), "point 1: 61, 2 is off the table"),
        (lambda field: points_at(field, [[float("nan"), 2]]), "off the table"),
        (lambda field: points_at(field, [[1, 2]], size="huge"), "no size 'huge'"),
        (lambda field: points_at(field, [[1, 2]], level=0.5), "level: expected a whole number"),
        (lambda field: points_at(field, [[1, 2]], level=[1, 2]), "level: expected a whole number or 1"),
        (lambda field: see_pairs(field, points_at(field, [[1, 2]]), points_at(field, [[1, 2], [3, 4]])), "1 and 2"),
        (lambda field: smoke_pairs(field, points_at(field, [[1, 2]]), points_at(field, np.zeros((0, 2)))), "1 and 0"),
        (lambda field: see_one(field, points_at(field, [[1, 2], [3, 4]]), points_at(field, [[1, 2]])), "viewer, not 2"),
        (lambda field: see_cells(field, points_at(field, [[1, 2], [3, 4]]), 1.0), "one viewer, not 2"),
        (lambda field: see_cells(field, points_at(field, [[1, 2]]), 0.0), "cell_in"),
        (lambda field: see_cells(field, points_at(field, [[1, 2]]), 61.0), "cell_in"),
        (lambda field: see_one(field, points_at(field, [[1, 2]], level=10**9), points_at(field, [[1, 2]])), "levels"),
        (lambda field: see_one(field, points_at(field, [[1, 2]]), points_at(field, [[1, 2]]), engine="c"), "'c'"),
    ],
)  # fmt: skip
def test_bad_input_is_told(wrong: Callable[[Field], Any], words: str) -> None:
    """What cannot be worked out is refused with what was expected."""
    with pytest.raises(BadInput) as told:
        wrong(field_of(scene_with([HOUSE])))
    assert words in str(told.value)


def test_without_the_extra_plain_python_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numba is not installed the default engine is plain Python, a note says so, and asking for it is refused."""
    monkeypatch.setattr("minis.sight.field_engine.find_spec", lambda name: None)
    assert "minis[fast]" in engine_note()
    field = field_of(scene_with([HOUSE]))
    ends = points_at(field, [[10, 23]]), points_at(field, [[40, 23]])
    assert field.names[int(see_pairs(field, *ends)[0])] == "house"
    assert {key[-1] for key in field.kept if key[0] == "map"} == {"python"}
    with pytest.raises(BadInput, match="fast"):
        see_pairs(field, *ends, engine="numba")


def test_a_note_says_nothing_where_the_extra_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """With numba there is nothing to bring."""
    monkeypatch.setattr("minis.sight.field_engine.find_spec", lambda name: object())
    assert engine_note() == ""
