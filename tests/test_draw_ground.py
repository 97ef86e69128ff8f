"""`minis draw shadow`, `field` and `plan`: what is drawn is what the regions, the chances and the plans say.

The pictures in tests/golden/draw-ground-*.svg are written by `MINIS_GOLDEN=write pytest tests/test_draw_ground.py`.
"""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from boards import board, board_of_doc, lattice_board
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry.base import BaseGeometry

from minis.board.board import Board
from minis.board.units import Unit
from minis.cli.main import cli
from minis.draw.ground_pictures import shadow_picture
from minis.draw.heat import STEPS, bands_of, step_of
from minis.draw.plan_places import stretch_line
from minis.draw.set_words import room_for
from minis.draw.shade import TOUCH_IN, dead_layer, hatch_numbers
from minis.draw.svg import svg_text
from minis.game.views import board_for
from minis.lengths import GRID
from minis.plan.eyes import Eyes
from minis.plan.lanes import watched
from minis.plan.spots import place_unit
from minis.plan.stand_ins import stand_in
from minis.rules import examples_folder
from minis.sight.line import can_see
from minis.sight.region import DeadGround, Place, visible_region
from minis.sight.region_chance import TargetKind, chance_map
from minis.sight.scene import Scene

GOLDEN = Path(__file__).parent / "golden"
CROSSROADS = examples_folder() / "crossroads" / "scenario.toml"

SMALL = """
title = "Small table"
[table]
width = 40
depth = 24
[types.tank]
kind = "vehicle"
armoured = true
base = [2, 1]
mount = "T"
nation = "us"
armour = { hull = { front = 8, side = 4, rear = 4 }, turret = { front = 8, side = 6, rear = 6 }, aerial = 4 }
weapons = [{ id = "main", gun = "75", ammo = ["AP", "HE"] }]
[types.pak]
kind = "gun"
size = "small"
base = [1, 1]
nation = "german"
weapons = [{ id = "main", gun = "75L", ammo = ["AP", "HE"] }]
[[terrain]]
id = "farm"
kind = "building"
box = [16, 10, 20, 13]
[[terrain]]
id = "hill"
kind = "hill"
level = 1
outline = [[24, 14], [34, 14], [36, 20], [26, 22]]
[[terrain]]
id = "grain"
kind = "grain"
box = [22, 2, 28, 7]
[[smoke]]
id = "cloud"
circle = { centre = [12, 4], radius = 1.5 }
[[unit]]
id = "T1"
side = "allied"
type = "tank"
at = [6, 9]
facing = 90
[[unit]]
id = "T2"
side = "allied"
type = "tank"
at = [12, 15]
facing = 60
token = "A2"
[[unit]]
id = "PaK"
side = "axis"
type = "pak"
at = [37, 5]
facing = 270
hidden = true
[[unit]]
id = "P1"
side = "axis"
type = "tank"
at = [31, 11]
facing = 270
token = "X1"
[[unit]]
id = "P2"
side = "axis"
type = "tank"
at = [26, 9]
facing = 270
sighted_by = ["T1"]
[[zone]]
id = "east"
side = "axis"
box = [28, 2, 39, 12]
[[lane]]
id = "road"
line = [[2, 6], [14, 6], [22, 9]]
width = 1
[[lane]]
id = "field"
line = [[2, 20], [20, 18]]
area = [[1, 18], [20, 16.5], [21, 19.5], [1, 22]]
[[lane]]
id = "secret"
side = "allied"
line = [[2, 3], [20, 3]]
"""


def at_place(x: float, y: float, way_out: tuple[float, float] | None = None, **more: Any) -> dict[str, Any]:
    """A place as `minis plan hide --json` tells of it, with what is not to be read."""
    found = {"at": [x, y], "facing": 270.0, "storey": None, "score": 51.5, "way_out": way_out}
    return found | {"why": ["seen from GHOST at 9 %"], "seen_by": [{"unit": "GHOST", "chance": 9.0}]} | more


ANSWER = {
    "unit": "PaK", "zone": "east", "lanes": ["road", "field"], "target": "vehicle", "spots": 9, "broken_off": False,
    "places": [at_place(30, 6, (33, 8)), at_place(30, 7.5), at_place(36, 10)],
}  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The small table as a file."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


def answer_file(folder: Path, **changes: Any) -> Path:
    """An answer of `minis plan hide --json` as a file."""
    path = folder / "places.json"
    path.write_text(json.dumps(ANSWER | changes), encoding="utf-8")
    return path


def run(*args: object, **environment: str | None) -> Result:
    """Run a command; an exception that is no exit is the test's failure."""
    runner = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None, **environment})
    result = runner.invoke(cli, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def drawn(*args: object, **environment: str | None) -> str:
    """The picture that a command writes; it is well-formed, and nothing in it is more than a picture."""
    result = run("draw", *args, **environment)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    names = {element.tag.rpartition("}")[2] for element in ET.fromstring(result.stdout).iter()}
    assert not names & {"style", "script", "image", "foreignObject"}
    assert " style=" not in result.stdout
    return result.stdout


def refused(*args: object, status: int = 2) -> str:
    """What standard error says of a picture that is not drawn."""
    result = run("draw", *args)
    assert (result.exit_code, result.stdout) == (status, ""), result.output
    return result.stderr


def parts(svg: str, role: str) -> list[ET.Element]:
    """The elements of a class."""
    return [element for element in ET.fromstring(svg).iter() if role in element.get("class", "").split()]


def words(svg: str) -> list[str]:
    """The words on a picture, in order."""
    return [element.text or "" for element in ET.fromstring(svg).iter() if element.tag.endswith("text")]


def shape_of(d: str, depth_in: float) -> BaseGeometry:
    """The area of a path of straight lines filled even-odd, in inches."""
    rings = []
    for ring in d.removesuffix("Z").split("Z"):
        spots = [tuple(map(float, spot.split())) for spot in ring.removeprefix("M").split("L")]
        rings.append(shapely.Polygon([(x / 100, depth_in - y / 100) for x, y in spots]).buffer(0))
    found: BaseGeometry = shapely.Polygon()
    for one in rings:
        found = found.symmetric_difference(one)
    return found


def attribute(element: ET.Element, name: str) -> str:
    """An attribute that has to be there."""
    found = element.get(name)
    assert found is not None, name
    return found


# --- dead ground -----------------------------------------------------------------------------------------------------


def check_dead(table: Board, viewer: Unit | Place) -> int:
    """The dead ground that is drawn is that of the region, part by part; how many parts there are."""
    scene = Scene(table)
    region = visible_region(scene, viewer)
    found = parts(shadow_picture(scene, viewer), "dead")
    assert len(found) == len(region.dead)
    for element, part in zip(found, region.dead, strict=True):
        assert (element.get("data-obstacle"), element.get("data-rule")) == (part.obstacle, part.rule)
        shape = shape_of(attribute(element, "d"), table.depth_in)
        assert shape.symmetric_difference(part.polygon).area < 0.002 * (1 + part.polygon.length)
    return len(found)


@pytest.mark.parametrize("unit", ["T1", "P1", "PaK"])
def test_the_dead_ground_drawn_is_that_of_the_region(unit: str) -> None:
    """Each part has its obstacle, its rule, and the area that the region has."""
    table = board(SMALL)
    assert check_dead(table, table.unit(unit)) > 1


def test_the_dead_ground_of_a_place_is_drawn_like_that_of_a_unit() -> None:
    """A viewer need not stand there yet."""
    assert check_dead(board(SMALL), Place(3, 20)) > 1


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_the_dead_ground_drawn_is_that_of_the_region_on_any_table(seed: int) -> None:
    """Holes, islands and slivers included."""
    table = board_of_doc(lattice_board(seed))
    check_dead(table, table.units[0])


def test_dead_ground_is_told_with_its_area_and_what_hides_it(table: Path) -> None:
    """Under the map stands what is in sight, and each obstacle with its square inches and its rule."""
    region = visible_region(Scene(board(SMALL)), board(SMALL).unit("T1"))
    told = "\n".join(words(drawn("shadow", "T1", "--judge", "-g", table)))
    farm = sum(part.polygon.area for part in region.dead if part.obstacle == "farm")
    assert f"In sight {region.visible.area:.0f} sq in of 960, {region.visible.area / 9.6:.0f} %" in told
    assert f"farm, building: {farm:.1f} sq in (S6.2)" in told


def test_each_part_is_named_in_itself_and_on_no_unit() -> None:
    """A name lies in the dead ground of the obstacle that it names, and covers no base."""
    table = board(SMALL)
    scene = Scene(table)
    svg = shadow_picture(scene, table.unit("T1"))
    dead = visible_region(scene, table.unit("T1")).dead
    (names,) = parts(svg, "dead-names")
    assert len(names) > 1
    for name in names:
        x, y = float(attribute(name, "x")) / 100, table.depth_in - float(attribute(name, "y")) / 100
        mine = shapely.union_all([part.polygon for part in dead if part.obstacle == name.text])
        assert mine.buffer(0.4).contains(shapely.Point(x, y))
        for unit in table.units:
            base = shapely.Polygon([(u / GRID, v / GRID) for u, v in unit.base])
            assert not base.contains(shapely.Point(x, y))


def test_units_are_drawn_over_the_dead_ground() -> None:
    """Shadows hide no unit: they come before all units in the picture, and names after."""
    svg = shadow_picture(Scene(board(SMALL)), board(SMALL).unit("T1"))
    order = [svg.index(text) for text in ('class="dead-ground"', 'data-id="T1"', 'class="dead-names"')]
    assert order == sorted(order)


def test_neighbours_have_different_hatches() -> None:
    """Two obstacles whose dead ground touches are told apart, while there are hatches enough."""
    dead = visible_region(Scene(board(SMALL)), board(SMALL).unit("T1")).dead
    numbers = hatch_numbers(dead)
    for one, first in zip(dead, numbers, strict=True):
        for other, second in zip(dead, numbers, strict=True):
            near = shapely.dwithin(one.polygon, other.polygon, TOUCH_IN)
            assert not (near and one.obstacle != other.obstacle and first == second)


def test_a_hole_stays_a_hole() -> None:
    """Ground in sight within dead ground is not hatched."""
    ring = shapely.box(2, 2, 10, 10).difference(shapely.box(4, 4, 8, 8))
    (path,) = parts(f"<svg>{svg_text(dead_layer(board(SMALL), [DeadGround(ring, 'farm', 'S6.2')]))}</svg>", "dead")
    assert shape_of(attribute(path, "d"), 24).symmetric_difference(ring).area == 0
    assert path.get("fill-rule") == "evenodd"


# --- chances ---------------------------------------------------------------------------------------------------------


def check_cells(svg: str, table: Board, chances: Any, cell_in: float, visible: BaseGeometry) -> int:
    """The middle of every cell has the colour of its chance; how many cells have one."""
    shapes = {}
    for path in parts(svg, "chance"):
        number = next(k for k, step in enumerate(STEPS) if f"{step.low * 100:.0f}" == path.get("data-from"))
        assert path.get("fill") == STEPS[number].colour
        shapes[number] = shape_of(attribute(path, "d"), table.depth_in)
    edge = visible.boundary
    count = 0
    for row, values in enumerate(chances):
        for column, chance in enumerate(values):
            middle = shapely.Point((column + 0.5) * cell_in, (row + 0.5) * cell_in)
            if edge.distance(middle) > 0.01:
                found = [number for number, shape in shapes.items() if shape.contains(middle)]
                expected = step_of(float(chance))
                assert found == ([] if expected is None else [expected]), (middle, chance)
                count += len(found)
    return count


@pytest.mark.parametrize(("target", "kind"), [("vehicle", TargetKind()), ("infantry", TargetKind("infantry"))])
def test_the_cells_of_a_field_are_those_of_the_chance_map(table: Path, target: str, kind: TargetKind) -> None:
    """In its middle each cell has the colour of the band of its exact chance."""
    small = board(SMALL)
    scene = Scene(small)
    size = "very small" if target == "infantry" else "average"
    visible = visible_region(scene, small.unit("T1"), size=size).visible
    svg = drawn("field", "T1", "--target", target, "--judge", "-g", table)
    assert check_cells(svg, small, chance_map(scene, small.unit("T1"), kind, 1.0), 1.0, visible) > 300


def test_the_cells_may_be_smaller(table: Path) -> None:
    """--cell is the side of the cells."""
    small = board(SMALL)
    scene = Scene(small)
    visible = visible_region(scene, small.unit("P1")).visible
    svg = drawn("field", "P1", "--cell", "3/4", "--judge", "-g", table)
    chances = chance_map(scene, small.unit("P1"), TargetKind(), 0.75)[:, :53]
    assert check_cells(svg, small, chances, 0.75, visible) > 400


def test_a_unit_that_is_looked_for_stands_in_its_own_way_nowhere(table: Path) -> None:
    """--target U takes U off the table while it is looked for."""
    small = board(SMALL)
    scene = Eyes.without(small, {"P2"}).scene
    visible = visible_region(scene, small.unit("T1")).visible
    svg = drawn("field", "T1", "--target", "P2", "--judge", "-g", table)
    check_cells(svg, small, chance_map(scene, small.unit("T1"), TargetKind(), 1.0), 1.0, visible)
    assert 'data-id="P2"' in svg


def test_colours_fill_what_is_seen_and_no_dead_ground() -> None:
    """Cells are cut to the region; what is left of those with a hidden middle has the colour of the next cell."""
    small = board(SMALL)
    scene = Scene(small)
    region = visible_region(scene, small.unit("T1"))
    bands = bands_of(small, chance_map(scene, small.unit("T1"), TargetKind(), 1.0), 1.0, region.visible)
    filled = shapely.union_all(list(bands.values()))
    assert filled.difference(region.visible.buffer(1e-6)).area < 1e-6
    assert region.visible.difference(filled).area < 0.5
    assert sum(shape.area for shape in bands.values()) == pytest.approx(filled.area)


def test_what_is_too_far_away_has_no_colour_at_the_edge_either() -> None:
    """A cell in sight without a chance is not filled from its neighbours."""
    chances = np.zeros((24, 40))
    chances[:, :10] = 0.5
    bands = bands_of(board(SMALL), chances, 1.0, shapely.box(0, 0, 40, 24))
    assert {number: shape.bounds for number, shape in bands.items()} == {2: (0.0, 0.0, 10.0, 24.0)}


@given(st.floats(0, 1))
def test_every_chance_has_a_band(chance: float) -> None:
    """A chance is in the last band that it reaches; none at all is in none."""
    number = step_of(chance)
    if number is None:
        assert chance == 0
    else:
        assert STEPS[number].low <= chance
        assert number == len(STEPS) - 1 or chance < STEPS[number + 1].low


def lightness(colour: str) -> float:
    """How light a colour is in grey, 0 to 1."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_bands_are_in_order_in_grey() -> None:
    """Each band is darker than the one below it, far enough to be told apart, and has its own number."""
    grey = [lightness(step.colour) for step in STEPS]
    assert all(one - other > 0.08 for one, other in pairwise(grey))
    assert len({step.mark for step in STEPS}) == len(STEPS)


def test_every_band_of_a_field_stands_in_the_legend(table: Path) -> None:
    """The marks on the map are explained below it."""
    svg = drawn("field", "T1", "--target", "infantry", "--judge", "-g", table)
    (marks,) = parts(svg, "chance-marks")
    legend = words(svg)
    on_map = {mark.text for mark in marks}
    assert on_map
    assert all(any(line.startswith(f"{mark}: ") for line in legend) for mark in on_map)


def test_a_field_has_the_ranges_of_the_weapon_and_its_arc(table: Path) -> None:
    """A line at each end of a band of the To Hit table that is on the table, and the two edges of the covered arc."""
    svg = drawn("field", "T1", "--judge", "-g", table)
    (ranges,) = parts(svg, "ranges")
    assert {line.get("data-hexes") for line in ranges} == {"6", "12", "18"}
    assert {'6 hexes, 12"', '12 hexes, 24"'} <= set(words(svg))
    (arc,) = parts(svg, "covered-arc")
    assert attribute(arc[0], "d").count("M600 1500L") == 2
    assert any(line.startswith("0 to 6 hexes: ") and "then hit" in line for line in map(str.strip, words(svg)))


# --- plans -----------------------------------------------------------------------------------------------------------


def test_zones_and_lanes_are_drawn_by_themselves(table: Path) -> None:
    """Without an answer a plan shows where a side may set up, and by which ways somebody may come."""
    svg = drawn("plan", "--judge", "-g", table)
    assert [zone.get("data-id") for zone in parts(svg, "zone")] == ["east"]
    assert [lane.get("data-id") for lane in parts(svg, "lane")] == ["road", "field", "secret"]
    assert [lane.get("data-id") for lane in parts(svg, "lane-ground")] == ["road", "field"]
    assert {"zone east", "lane road", "lane field", 'lane road: anybody, 20.5", 1" wide'} <= set(words(svg))


def test_places_are_drawn_by_rank_with_what_the_first_sees(table: Path) -> None:
    """Each place of the answer has a badge; the lanes are marked where the place that is shown sees them."""
    svg = drawn("plan", "--from", answer_file(table.parent), "--as", "axis", "-g", table)
    assert [badge.get("data-rank") for badge in parts(svg, "rank")] == ["1", "2", "3"]
    check_seen(svg, 30, 6)
    assert len(parts(svg, "way-out")) == 1


def check_seen(svg: str, x: int, y: int) -> None:
    """What is marked on the lanes is what the gun sees of them from a place, in inches."""
    small = board_for(board(SMALL), "axis")
    there = place_unit(small.unit("PaK"), (x * GRID, y * GRID), 270.0)
    comer = stand_in(small, "vehicle")
    eyes = Eyes.without(small, {"PaK", comer.id})
    expected = [
        [(u * 100, 2400 - v * 100) for u, v in stretch_line(lane, stretch)]
        for lane in small.lanes
        for stretch in watched(eyes, lane, comer, [there]).watchers[0].stretches
    ]
    assert expected
    marked = [list(spots(attribute(path, "d"))) for path in parts(svg, "seen")]
    assert marked == [[pytest.approx(spot, abs=0.02) for spot in line] for line in expected]


def spots(d: str) -> Iterator[tuple[float, ...]]:
    """The places of an open path."""
    for spot in re.findall(r"[ML]([^ML]+)", d):
        yield tuple(map(float, spot.split()))


def test_another_place_may_be_looked_from(table: Path) -> None:
    """--place N shows the sight of the place of that rank; the way out is its own."""
    svg = drawn("plan", "--from", answer_file(table.parent), "--place", "3", "--as", "axis", "-g", table)
    check_seen(svg, 36, 10)
    assert any(line.startswith("Place 3 sees ") for line in words(svg))
    assert not parts(svg, "way-out")


def test_badges_lie_on_no_unit_and_on_no_other_badge(table: Path) -> None:
    """Ranks of places near each other stay readable."""
    near = [at_place(30 + k / 4, 6 + k / 8) for k in range(9)]
    svg = drawn("plan", "--from", answer_file(table.parent, places=near), "--judge", "-g", table)
    circles = [
        (float(attribute(circle, "cx")), float(attribute(circle, "cy")), float(attribute(circle, "r")))
        for badge in parts(svg, "rank")
        for circle in badge
        if circle.tag.endswith("circle")
    ]
    assert len(circles) == 9
    for number, (x, y, r) in enumerate(circles):
        disc = shapely.Point(x, y).buffer(r * 0.98)
        assert not any(disc.intersects(shapely.Point(u, v).buffer(s * 0.98)) for u, v, s in circles[:number])
        for unit in board(SMALL).units:
            base = shapely.Polygon([(u / GRID * 100, 2400 - v / GRID * 100) for u, v in unit.base])
            assert not disc.intersects(base)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"places": [at_place(30, 60)]}, "place 1: 30,60 is off the table"),
        ({"places": [{"at": [1, 2]}]}, "expected the answer of `minis plan hide --json` at places.0.facing"),
        ({"places": [at_place(float("inf"), 6)]}, "places.0.at.0"),
        ({"places": [at_place(30, 6)] * 101}, "at places"),
        ({"unit": "Pak 9"}, "there is no unit 'Pak 9'"),
        ({"zone": "west"}, "there is no zone 'west'"),
        ({"lanes": ["rode"]}, "there is no lane 'rode'"),
        ({"target": "zeppelin"}, "there is no unit, kind or type 'zeppelin'"),
        ({"unit": 7}, "at unit"),
    ],
)  # fmt: skip
def test_an_answer_that_does_not_fit_is_refused(table: Path, changes: dict[str, Any], told: str) -> None:
    """One clear message says what is wrong with the file of places."""
    assert told in refused("plan", "--from", answer_file(table.parent, **changes), "--judge", "-g", table)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "\ud800"])
def test_a_file_that_is_no_answer_is_refused(table: Path, text: str) -> None:
    """Whatever stands in it."""
    path = table.parent / "no.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert str(path) in refused("plan", "--from", path, "--judge", "-g", table)


def test_an_answer_without_a_place_is_drawn_with_its_word(table: Path) -> None:
    """Where no place covers a lane the picture says so."""
    svg = drawn("plan", "--from", answer_file(table.parent, places=[]), "--judge", "-g", table)
    assert "No place of the zone covers a lane against vehicle." in words(svg)


# --- what a side may see ---------------------------------------------------------------------------------------------

ASKED: list[tuple[str, ...]] = [
    ("shadow", "T1"), ("shadow", "--at", "3,20"), ("field", "T1"), ("field", "T1", "--target", "P2"), ("plan",),
]  # fmt: skip


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_no_hidden_thing_is_in_the_picture_of_a_side(table: Path, asked: tuple[str, ...]) -> None:
    """The picture is the same whether the hidden gun is there or not, and whatever a token is."""
    svg = drawn(*asked, "--as", "allied", "-g", table)
    assert "PaK" not in svg
    assert "P1" not in svg
    assert "zone" not in " ".join(words(svg)).replace("zones and lanes", "")
    gun = SMALL[SMALL.index('[[unit]]\nid = "PaK"') : SMALL.index('[[unit]]\nid = "P1"')]
    dummy = 'id = "D"\nside = "axis"\ndummy = true\nkind = "vehicle"\nbase = [2, 1]'
    without = SMALL.replace(gun, "").replace('id = "P1"\nside = "axis"\ntype = "tank"', dummy)
    (table.parent / "other").mkdir()
    other = table.parent / "other" / "small.toml"
    other.write_text(without, encoding="utf-8")
    assert drawn(*asked, "--as", "allied", "-g", other) == svg


def test_the_words_of_a_judges_answer_do_not_come_into_the_picture_of_a_side(table: Path) -> None:
    """An answer names those who see a place; the picture is made without them."""
    svg = drawn("plan", "--from", answer_file(table.parent), "--as", "axis", "-g", table)
    assert "GHOST" not in svg
    assert "secret" not in svg
    assert "T2" not in svg


@pytest.mark.parametrize("asked", [("shadow", "X1"), ("field", "X1"), ("field", "T1", "--target", "X1")], ids=" ".join)
def test_what_only_the_judge_knows_of_a_token_is_not_drawn(table: Path, asked: Sequence[str]) -> None:
    """A token has no sight that a side may ask for."""
    assert "S11.5" in refused(*asked, "--as", "allied", "-g", table, status=1)


def test_a_hidden_enemy_is_nobody(table: Path) -> None:
    """Who is not on the table of a side has no dead ground."""
    assert "there is no unit 'PaK'" in refused("shadow", "PaK", "--as", "allied", "-g", table)


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_the_whole_table_is_drawn_only_when_asked_for(table: Path, asked: tuple[str, ...]) -> None:
    """Without a side and without --judge there is no picture."""
    assert "--judge" in refused(*asked, "-g", table)
    assert drawn(*asked, "-g", table, MINIS_SIDE="allied") == drawn(*asked, "--as", "allied", "-g", table)


# --- what is typed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("shadow",), "name a unit, or a place with --at"),
        (("shadow", "T1", "--at", "3,4"), "not both"),
        (("shadow", "--at", "3"), "expected a place such as"),
        (("shadow", "--at", "3,4,90"), "a place has no facing"),
        (("shadow", "--at", "300,4"), "off the table"),
        (("shadow", "T1", "--level", "2"), "a level goes with a place"),
        (("shadow", "T1", "--size", "huge"), "there is no size 'huge'"),
        (("shadow", "T9"), "there is no unit 'T9'"),
        (("field", "T1", "--weapon", "bow"), "bow"),
        (("field", "T1", "--target", "T1"), "does not look for itself"),
        (("field", "T1", "--cell", "0"), "--cell"),
        (("field", "T1", "--cell", "0.01"), "--cell"),
        (("plan", "--place", "1"), "--from"),
        (("plan", "--lanes", "rode"), "there is no lane 'rode'"),
        (("plan", "--zone", "west"), "there is no zone 'west'"),
        (("plan", "--from", "nowhere.json"), "nowhere.json"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_message(table: Path, asked: tuple[str, ...], told: str) -> None:
    """Exit status 2, a message, no picture, no traceback."""
    assert told in refused(*asked, "--judge", "-g", table)


def test_a_table_without_zones_and_lanes_has_no_plan() -> None:
    """There is nothing to draw, and the message says what to add."""
    assert "[[lane]]" in refused("plan", "--judge", "-g", CROSSROADS)


def test_a_rank_that_there_is_not_is_refused(table: Path) -> None:
    """--place is one of the places of the answer."""
    told = refused("plan", "--from", answer_file(table.parent), "--place", "4", "--judge", "-g", table)
    assert "none of rank 4" in told


def test_a_level_of_a_place_counts(table: Path) -> None:
    """From two levels up more is seen than from the ground."""
    low, high = (
        sum(shape_of(attribute(part, "d"), 24).area for part in parts(svg, "dead"))
        for svg in (drawn("shadow", "--at", "3,20", *level, "--judge", "-g", table) for level in ((), ("--level", "2")))
    )
    assert high < low


# --- golden pictures -------------------------------------------------------------------------------------------------

PICTURES: dict[str, tuple[str, ...]] = {
    "draw-ground-shadow.svg": ("shadow", "T1", "--as", "allied"),
    "draw-ground-place.svg": ("shadow", "--at", "3,20", "--judge"),
    "draw-ground-field.svg": ("field", "PaK", "--as", "axis"),
    "draw-ground-infantry.svg": ("field", "T1", "--target", "infantry", "--as", "allied"),
    "draw-ground-lanes.svg": ("plan", "--judge"),
    "draw-ground-plan.svg": ("plan", "--from", "@answer", "--as", "axis"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_those_that_were_looked_at(table: Path, name: str) -> None:
    """Every picture, byte for byte as in tests/golden; drawn again it is the same."""
    answer = str(answer_file(table.parent))
    asked = [answer if word == "@answer" else word for word in PICTURES[name]]
    svg = drawn(*asked, "-g", table)
    if os.environ.get("MINIS_GOLDEN") == "write":
        (GOLDEN / name).write_text(svg, encoding="utf-8")
    assert svg == (GOLDEN / name).read_text(encoding="utf-8")
    assert drawn(*asked, "-g", table) == svg


def test_no_golden_picture_of_the_ground_is_idle() -> None:
    """Every file tests/golden/draw-ground-* is one of the pictures above."""
    assert {path.name for path in GOLDEN.glob("draw-ground-*")} == set(PICTURES)


# --- words in areas --------------------------------------------------------------------------------------------------


def steps(inches: int) -> st.SearchStrategy[float]:
    """Inches on the grid, as every place of a table is."""
    return st.integers(0, inches * GRID).map(lambda found: found / GRID)


@settings(max_examples=40)
@given(st.lists(st.tuples(steps(30), steps(20)), min_size=3, max_size=7), st.integers(1, 12))
def test_a_word_has_its_middle_in_its_area(corners: list[tuple[float, float]], length: int) -> None:
    """Where there is room at all, the word's middle is in the area, at least half its height from the edge."""
    shape = shapely.Polygon(corners).buffer(0)
    found = room_for(shape, "x" * length, [90.0, 60.0])
    if found is not None:
        x, y, size = found
        assert shape.buffer(0.01).contains(shapely.Point(x, y))
        assert shape.boundary.distance(shapely.Point(x, y)) > size / 100 * 0.4


def test_what_a_picture_says_is_seen_is_seen_by_the_line_itself() -> None:
    """A unit in coloured ground is in the line of sight, one in hatched ground is not."""
    table = board(SMALL)
    scene = Scene(table)
    viewer = table.unit("T1")
    dead = shapely.union_all([shape_of(attribute(p, "d"), 24) for p in parts(shadow_picture(scene, viewer), "dead")])
    asked = 0
    for x in range(1, 40, 3):
        for y in range(1, 24, 3):
            if dead.boundary.distance(shapely.Point(x, y)) > 0.01:
                at = (x * GRID, y * GRID)
                there = replace(viewer, id="x", at=at, length_in=0.0, width_in=0.0, size=table.rules.sizes["average"])
                assert can_see(scene, viewer, there) == (not dead.contains(shapely.Point(x, y))), (x, y)
                asked += 1
    assert asked > 50
