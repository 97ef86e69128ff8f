"""The field of fire: ground in sight by range, chances there, dead ground; and every cell against the reference."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import boards
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.board.units import Unit
from minis.cli.main import cli
from minis.errors import BadInput
from minis.fire.measure import Declaration, declare
from minis.fire.refused import Refused
from minis.plan.cells import cells_of, line_to, view_of
from minis.plan.chances import Chances
from minis.plan.eyes import Eyes
from minis.plan.field_areas import areas_of
from minis.plan.field_of_fire import FieldOfFire, Spread, field_of_fire
from minis.plan.stand_ins import armed, eye_at, stand_in
from minis.rules import load_rules
from minis.sight.attempt import attempt
from minis.sight.line import can_see, distance
from minis.sight.sighting import SightFacts, sighting
from minis.sight.standing import stand

GUN = {
    "id": "G", "side": "axis", "kind": "gun", "base": 0, "at": [5, 5], "facing": 90, "nation": "german",
    "weapons": [{"id": "main", "gun": "75L", "ammo": ["AP", "HE"]}],
}  # fmt: skip
HOUSE = {"id": "house", "kind": "building", "box": [10, 0, 11, 10]}
TANK = {"id": "T", "side": "allied", "kind": "vehicle", "armoured": True, "at": [15, 5]}


def eyes_of(*units: dict[str, Any], terrain: tuple[dict[str, Any], ...] = (), **more: Any) -> Eyes:
    """The eyes of a small table of 20" by 10"."""
    table = {"width": 20, "depth": 10}
    return Eyes(boards.scene_of({"table": table, "terrain": list(terrain), "unit": list(units)} | more))


def field(eyes: Eyes, name: str = "G", *targets: str, **more: Any) -> FieldOfFire:
    """The field of fire of a unit against some kinds of target."""
    board = eyes.scene.board
    return field_of_fire(eyes, board.unit(name), [stand_in(board, target) for target in targets], **more)


# --- by eye ----------------------------------------------------------------------------------------------------------


def test_an_empty_table_is_all_in_sight() -> None:
    """200 square inches on a table of 20 by 10, nothing dead, nothing beyond."""
    found = field(eyes_of(GUN))
    assert (found.area, found.share, found.beyond, found.dead) == (200.0, 1.0, 0.0, ())
    assert sum(band.area for band in found.bands) == 200.0


def test_a_house_across_the_table_hides_what_is_behind_it() -> None:
    """The gun sees to the house and into it; the 9 inches behind it are the dead ground of the house."""
    found = field(eyes_of(GUN, terrain=(HOUSE,)))
    assert (found.area, found.share) == (110.0, 0.55)
    assert [(dead.obstacle, dead.area) for dead in found.dead] == [("house", 90.0)]


def test_dead_ground_is_listed_largest_first() -> None:
    """Two houses on the left and on the right of the gun: the deeper shadow first."""
    near = {"id": "near", "kind": "building", "box": [0, 6, 20, 7]}
    far = {"id": "far", "kind": "building", "box": [0, 1, 20, 2]}
    found = field(eyes_of(GUN, terrain=(far, near)))
    assert [(dead.obstacle, dead.area) for dead in found.dead] == [("near", 60.0), ("far", 20.0)]


def test_a_vehicle_in_the_way_has_dead_ground_too() -> None:
    """S6.5: on level ground the tank hides what is behind it, and is named."""
    assert {dead.obstacle for dead in field(eyes_of(GUN, TANK)).dead} == {"T"}


def about(value: float) -> Any:
    """A number to a thousandth, as edges are true."""
    return pytest.approx(value, abs=1e-3)


def half_disc(radius: float, half: float) -> float:
    """The area of the east half of a circle within so many inches north and south of its centre."""
    return half * math.sqrt(radius**2 - half**2) + radius**2 * math.asin(half / radius)


def test_ground_is_sorted_into_the_ranges_of_the_chart() -> None:
    """F1.2: up to 12 inches are 0-6 hexes, the rest of the 20 inch table 7-12."""
    found = field(eyes_of(GUN | {"at": [0, 5]}))
    inside = half_disc(12, 5)
    assert [band.row.id for band in found.bands] == ["0-6", "7-12"]
    assert [band.area for band in found.bands] == [about(inside), about(200 - inside)]


def test_the_ranges_of_a_base_are_measured_from_its_edge() -> None:
    """S1.3: 12 inches around a base of 2 by 3 are 6 + 10 * 12 + 144 pi; by the switch 144 pi around its centre."""
    tank = TANK | {"at": [20, 20], "base": [2, 3], "facing": 0, "weapons": GUN["weapons"]}
    for measure, expected in (("edge", 126 + 144 * math.pi), ("centre", 144 * math.pi)):
        doc = {"table": {"width": 40, "depth": 40}, "unit": [tank], "switches": {"measure": measure}}
        assert field(Eyes(boards.scene_of(doc)), "T").bands[0].area == about(expected)


def test_only_ground_within_the_arc_is_in_the_arc() -> None:
    """Case A: a gun that faces east covers 30 degrees to each side; half the ground ahead of it is outside."""
    found = field(eyes_of(GUN | {"at": [0, 5]}))
    edge = 5 * math.sqrt(3)  # where the arc is as wide as the table
    in_arc = sum(band.in_arc for band in found.bands)
    assert in_arc == about(5 * edge + (20 - edge) * 10)
    assert found.bands[0].in_arc < found.bands[0].area


def test_a_turret_that_looks_back_has_its_arc_there() -> None:
    """Case A: 60 of 360 degrees of the 12 inches around it, wherever its turret points; infantry has no arc."""
    for turret in (0, 135, 270):
        tank = {"id": "T", "side": "axis", "kind": "vehicle", "mount": "T", "at": [20, 20], "base": 0, "turret": turret}
        doc = {"table": {"width": 40, "depth": 40}, "unit": [tank | {"weapons": GUN["weapons"]}]}
        near = field(Eyes(boards.scene_of(doc)), "T").bands[0]
        assert near.in_arc == about(24 * math.pi)
    squad = GUN | {"kind": "infantry"}
    assert all(band.in_arc == band.area for band in field(eyes_of(squad)).bands)


@pytest.mark.parametrize(("spotter", "beyond"), [(False, 40 + 1 / 300), (True, 0)])
def test_nobody_sights_beyond_100_inches(*, spotter: bool, beyond: float) -> None:
    """S1.1: ground in the line of sight but farther away is told apart; a spotter sights farther."""
    unit = GUN | {"at": [0, 1], "spotter": spotter}
    found = field(Eyes(boards.scene_of({"table": {"width": 120, "depth": 2}, "unit": [unit]})))
    assert found.area == about(240 - beyond)
    assert found.beyond == about(beyond)
    assert found.farthest[0].at == ((119.5, 0.5) if spotter else (99.5, 0.5))


@given(st.integers(0, 10_000))
@settings(max_examples=8)
def test_areas_are_those_of_the_cells(seed: int) -> None:
    """On random ground each area is that of the cells of half an inch whose middles it has, within the edges' doubt."""
    doc = boards.lattice_board(seed)
    doc["unit"] = [unit for unit in doc["unit"] if not unit.get("dummy") and not unit.get("wreck")]
    doc["unit"].append(GUN | {"id": "gun", "at": [9.5, 7.25], "base": [1, 1]})
    scene = boards.scene_of(doc)
    unit, board = scene.board.unit("gun"), scene.board
    eyes = Eyes.without(board, {"gun"})
    cells = cells_of(board, 0.5)
    view = view_of(eyes, unit, cells, None)
    clear = view.hider < 0
    found = areas_of(eyes.scene, unit, weapon=unit.weapons[0])
    doubt = 0.015 * board.width_in * board.depth_in
    assert found.area + found.beyond == pytest.approx(float(cells.area[clear].sum()), abs=doubt)
    assert sum(dead.area for dead in found.dead) == pytest.approx(float(cells.area[~clear].sum()), abs=doubt)
    for ring in found.rings[:2]:
        most = (ring.row.up_to or 0) * board.inches_per_hex
        inside = clear & (view.distance_in <= most) & (view.distance_in > max(0, ring.from_hexes - 1) * 2)
        assert ring.area == pytest.approx(float(cells.area[inside].sum()), abs=doubt)
        steps = [line_to(view, cell, unit.weapons[0]).arc_steps for cell in np.flatnonzero(inside).tolist()]
        in_arc = cells.area[np.flatnonzero(inside)[[not step for step in steps]]].sum() if steps else 0.0
        assert ring.in_arc == pytest.approx(float(in_arc), abs=doubt)


def test_cells_at_the_edge_are_cut_off() -> None:
    """A table of 2 1/2 by 1 1/4 inches has 3.125 square inches, whatever the cell."""
    board = boards.board_of_doc({"table": {"width": 2.5, "depth": 1.25}})
    cells = cells_of(board, 1.0)
    assert cells.area.tolist() == [1.0, 1.0, 0.5, 0.25, 0.25, 0.125]
    assert cells.xy[-1].tolist() == [2.25, 1.125]


def test_the_chances_in_a_band_by_hand() -> None:
    """Automatic within 30 inches; at 8 to 12 inches TH# 10, at 2 to 4 inches point blank; smoke on no line."""
    found = field(eyes_of(GUN | {"at": [0, 5]}), "G", "vehicle")
    (prospect,) = found.bands[0].prospects
    assert prospect.sight == Spread(Fraction(1), Fraction(1), Fraction(1))
    assert prospect.hit is not None
    assert prospect.hit.best == Fraction(1)  # range 1: 10 + 2
    assert prospect.hit.least == Fraction(21, 36)  # two steps outside the arc: 10 - 3 - 1 is 6, at range 1 or 2 8 or 7
    assert prospect.hit.least < prospect.hit.mean < prospect.hit.best


def test_a_target_that_is_higher_has_the_height_advantage() -> None:
    """F4.3: in the one cell on the rim of a level 1 hill, 7 hexes away, TH# 9 and +1 is a hit on 8."""
    hill = {"id": "hill", "kind": "hill", "level": 1, "box": [13.5, -1, 21, 2]}
    doc = {"table": {"width": 20, "depth": 1}, "terrain": [hill], "unit": [GUN | {"at": [1, 0.5]}]}
    band = field(Eyes(boards.scene_of(doc)), "G", "vehicle").bands[1]
    (prospect,) = band.prospects
    assert prospect.hit is not None
    assert (band.row.id, band.cells, prospect.hit.mean) == ("7-12", 1, Fraction(26, 36))


def test_the_grain_that_a_target_stands_in_is_no_hindrance() -> None:
    """F4.4: grain counts where it lies between, not in the piece where the target stands."""
    found = []
    for box in ([30, 0, 31, 1], [8, -1, 21, 2], [8, -1, 9, 2]):
        grain = {"id": "grain", "kind": "grain", "box": box}
        doc = {"table": {"width": 20, "depth": 1}, "terrain": [grain], "unit": [GUN | {"at": [1, 0.5]}]}
        prospect = field(Eyes(boards.scene_of(doc)), "G", "vehicle").bands[1].prospects[0]
        found.append(prospect.hit.mean if prospect.hit else None)
    assert found == [Fraction(30, 36), Fraction(30, 36), Fraction(26, 36)]


def test_a_squad_has_no_shot_at_all() -> None:
    """Without a weapon there is a field of sight, and no chance of a hit."""
    squad = {"id": "G", "side": "axis", "kind": "infantry", "at": [5, 5]}
    found = field(eyes_of(squad), "G", "vehicle")
    assert found.weapon is None
    assert all(prospect.hit is None for band in found.bands for prospect in band.prospects)


def test_a_bare_point_sees_from_its_level() -> None:
    """From level 2 one sees over a one-storey house but for its shadow of 6 inches (S6.2)."""
    eyes = eyes_of(GUN, terrain=(HOUSE,))
    eye = eye_at(eyes.scene.board, (5.0, 5.0))
    assert field_of_fire(eyes, eye, []).area == 110.0
    high = field_of_fire(eyes, eye, [], level=2)
    assert 110.0 < high.area < 200.0
    assert field_of_fire(eyes, eye, [], level=3).area > high.area


def test_dummies_and_wrecks_have_no_field_of_fire() -> None:
    """S6.6, S11.2: neither looks."""
    for flag, rule in (("wreck", "S6.6"), ("dummy", "S11.2")):
        with pytest.raises(Refused) as caught:
            field(eyes_of(GUN | {flag: True}))
        assert caught.value.rule == rule


def test_a_weapon_that_is_not_there_is_bad_input() -> None:
    """The message names the weapons that there are."""
    with pytest.raises(BadInput, match="main"):
        field(eyes_of(GUN), "G", weapon="bow")


# --- against the reference -------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000))
@settings(max_examples=6)
def test_each_cell_is_seen_as_the_reference_sees_it(seed: int) -> None:
    """Every cell of a random board: in sight exactly where `can_see` says so, at the reference's distance."""
    doc = boards.lattice_board(seed)
    scene = boards.scene_of(doc)
    unit = scene.board.units[seed % len(scene.board.units)]
    eyes = Eyes.without(scene.board, {unit.id})
    view = view_of(eyes, unit, cells_of(scene.board, 4.0), None)
    target = stand_in(scene.board, "vehicle")
    for cell in range(len(view.hider)):
        there = replace(target, at=view.at(cell), length_in=0.0, width_in=0.0)
        if len(stand(scene.board, there).points) > 1:
            continue
        assert (view.hider[cell] < 0) == can_see(eyes.scene, unit, there), view.place(cell)
        assert view.distance_in[cell] == pytest.approx(distance(eyes.scene, unit, there) / 8000, abs=1e-9)


def reference(eyes: Eyes, gun: Unit, target: Unit) -> Iterator[tuple[str, Fraction, Fraction]]:
    """Band, sighting chance and hit chance of the reference for a target without a base in the middle of every cell."""
    for x, y in cells_of(eyes.scene.board, 1.0).xy.tolist():
        there = replace(target, at=(round(x * 8000), round(y * 8000)), length_in=0.0, width_in=0.0)
        tried = attempt(eyes.scene, gun, there)
        if not tried.line.clear:
            continue
        shot = declare(eyes.scene, replace(tried, ruling=replace(tried.ruling, sighted=True)), Declaration()).shot
        assert shot is not None
        assert shot.odds is not None
        yield ("0-6" if shot.facts.range_hexes <= 6 else "7-12"), tried.ruling.chance, shot.odds.hit


@pytest.mark.parametrize("name", ["vehicle", "infantry"])
def test_the_chances_are_those_of_the_reference(name: str) -> None:
    """On ground with a hill, a strip of grain and smoke: least, mean and best of the reference over every cell."""
    terrain = (
        {"id": "hill", "kind": "hill", "level": 1, "box": [13.3, -1, 21, 5.2]},
        {"id": "grain", "kind": "grain", "box": [8.6, -1, 9.4, 11]},
    )
    smoke = [{"id": "smoke", "circle": {"centre": [6.5, 2.5], "radius": 1}}]
    eyes = eyes_of(GUN | {"at": [1, 5.3]}, terrain=terrain, smoke=smoke)
    expected: dict[str, list[tuple[Fraction, Fraction]]] = {}
    for band_id, sight, hit in reference(eyes, eyes.scene.board.unit("G"), stand_in(eyes.scene.board, name)):
        expected.setdefault(band_id, []).append((sight, hit))
    found = field(eyes, "G", name)
    assert [band.row.id for band in found.bands] == sorted(expected)
    for band in found.bands:
        (prospect,) = band.prospects
        sights, hits = zip(*expected[band.row.id], strict=True)
        assert band.cells == len(sights)
        assert band.area == pytest.approx(len(sights), abs=5)
        assert prospect.sight == Spread(min(sights), sum(sights, Fraction(0)) / len(sights), max(sights))
        assert prospect.hit == Spread(min(hits), sum(hits, Fraction(0)) / len(hits), max(hits))


def mirrored(value: Any, width: float, key: str = "") -> Any:
    """A scenario turned left to right."""
    if key == "box":
        x0, y0, x1, y1 = value
        return [width - x0, y0, width - x1, y1]
    if key in ("at", "centre"):
        return [width - value[0], value[1]]
    if key in ("outline", "line"):
        return [[width - x, y] for x, y in value]
    if key == "holes":
        return [[[width - x, y] for x, y in ring] for ring in value]
    if key == "facing":
        return -value
    if isinstance(value, dict):
        return {name: mirrored(item, width, name) for name, item in value.items()}
    return [mirrored(item, width) for item in value] if isinstance(value, list) and key != "base" else value


@given(st.integers(0, 10_000))
@settings(max_examples=5)
def test_a_mirrored_table_has_the_mirrored_field(seed: int) -> None:
    """Left and right change nothing of areas, ranges and the arc."""
    doc = boards.lattice_board(seed)
    doc["table"] = {"width": 20, "depth": 20}
    doc["unit"] = [
        unit for unit in doc["unit"] if max(unit["at"]) <= 20 and not unit.get("dummy") and not unit.get("wreck")
    ]
    doc["unit"] += [GUN | {"id": "gun", "at": [9.5, 7.25], "base": [1, 1]}]
    found = [field(Eyes(boards.scene_of(one)), "gun", "vehicle") for one in (doc, mirrored(doc, 20.0))]
    one, other = found
    assert one.area == pytest.approx(other.area, abs=0.01)
    for band, turned in zip(one.bands, other.bands, strict=True):
        assert (band.row, band.cells) == (turned.row, turned.cells)
        assert band.area == pytest.approx(turned.area, abs=0.01)
        assert band.in_arc == pytest.approx(turned.in_arc, abs=0.01)


# --- chances, stand-ins ----------------------------------------------------------------------------------------------


def test_chances_are_those_of_the_rules() -> None:
    """A kept chance is the chance; a shot that is refused has none."""
    rules = load_rules()
    chances = Chances(rules)
    for range_in in (0.5, 12.0, 60.5, 100.0, 101.0):
        facts = SightFacts(range_in, smoke="full", clouds=1)
        assert chances.sight(facts) == chances.sight(facts) == sighting(facts, rules).chance


def test_who_is_armed() -> None:
    """No dummies, wrecks, passengers or guns on tow; hidden units are."""
    weapon = GUN["weapons"]
    units: list[dict[str, Any]] = [
        GUN | {"id": "hidden", "hidden": True},
        GUN | {"id": "wreck", "kind": "vehicle", "wreck": True},
        GUN | {"id": "towed"},
        {"id": "truck", "side": "axis", "kind": "vehicle", "at": [5, 5], "tow": "towed", "carries": ["rider"]},
        {"id": "rider", "side": "axis", "kind": "infantry", "at": [5, 5], "weapons": weapon},
        GUN | {"id": "other", "side": "allied"},
    ]
    board = eyes_of(*units).scene.board
    assert [unit.id for unit in armed(board, against="allied")] == ["hidden"]
    assert [unit.id for unit in armed(board)] == ["hidden", "other"]


def test_what_stands_in_for_a_target() -> None:
    """A unit is taken as identified and still; a kind and a type of the catalogue are no unit of the table."""
    board = eyes_of(GUN, TANK | {"token": "A1", "moved": True}).scene.board
    tank = stand_in(board, "T")
    assert (tank.id, tank.token, tank.flags) == ("T", None, frozenset())
    assert stand_in(board, "panzer-iv-h").armour is not None
    with pytest.raises(BadInput, match="vehicle"):
        stand_in(board, "vehicel")


# --- minis plan field ------------------------------------------------------------------------------------------------


def scenario(tmp_path: Path, *units: str) -> Path:
    """A scenario file with a house, a gun, and further lines."""
    path = tmp_path / "s.toml"
    path.write_text(
        '[table]\nwidth = 20\ndepth = 10\n[[terrain]]\nid = "house"\nkind = "building"\nbox = [10, 0, 11, 10]\n'
        '[[unit]]\nid = "G"\nside = "axis"\nkind = "gun"\nbase = 0\nat = [5, 5]\nfacing = 90\nnation = "german"\n'
        'weapons = [{ id = "main", gun = "75L", ammo = ["AP"] }]\n' + "\n".join(units),
        encoding="utf-8",
    )
    return path


def run(*args: object) -> tuple[int, str]:
    """The exit status and all that is printed."""
    result = CliRunner().invoke(cli, ["plan", *[str(arg) for arg in args]])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_field_says_the_same_in_text_and_json(tmp_path: Path) -> None:
    """The verdict comes first; the numbers are those of --json."""
    path = scenario(tmp_path)
    code, text = run("field", "G", "-g", path)
    answer = json.loads(run("field", "G", "-g", path, "--json")[1])
    assert code == 0
    assert text.splitlines()[0].startswith("G sees 110 square inches, 55 % of the table.")
    assert (answer["area"], answer["share"]) == (110.0, 0.55)
    assert answer["dead_ground"] == [{"obstacle": "house", "what": "building", "area": 90.0, "rules": ["S6.2"]}]
    assert [target["target"] for target in answer["bands"][0]["targets"]] == ["vehicle", "infantry"]
    assert {*answer["exact"], *answer["counted"]["of"]} >= {"area", "dead_ground", "bands.area", "bands.targets"}
    assert "exact         areas" in text
    assert "counted       chances" in text
    for band in answer["bands"]:
        for target in band["targets"]:
            spread = [Fraction(target["hit"][key]) for key in ("least", "mean", "best")]
            assert spread == sorted(spread)


def test_field_of_another_place(tmp_path: Path) -> None:
    """--at moves the unit; without one it is a bare point, which may have a level."""
    path = scenario(tmp_path)
    moved = json.loads(run("field", "G", "--at", "15,5,270", "-g", path, "--json")[1])
    assert (moved["place"]["at"], moved["place"]["facing"], moved["area"]) == ([15.0, 5.0], 270.0, 100.0)
    assert "one sees" in run("field", "--at", "5,5", "-g", path)[1]
    assert json.loads(run("field", "--at", "5,5", "--level", "3", "-g", path, "--json")[1])["area"] > 110


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "name a unit"),
        (["nobody"], "no unit 'nobody'"),
        (["G", "--at", "5"], "expected a place"),
        (["G", "--at", "5,a"], "expected a place"),
        (["G", "--at", "50,5"], "off the table"),
        (["--at", "5,50"], "off the table"),
        (["--at", "5,5,90"], "no facing"),
        (["G", "--level", "2"], "--level"),
        (["G", "--weapon", "x"], "no weapon 'x'"),
        (["G", "--target", "x"], "--target"),
    ],
)
def test_what_field_cannot_use(args: list[str], words: str, tmp_path: Path) -> None:
    """Bad input ends with exit status 2 and a message."""
    code, text = run("field", *args, "-g", scenario(tmp_path))
    assert code == 2
    assert words in text
