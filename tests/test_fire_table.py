"""Shots on the table: they rest on their sighting, measure what is there, and read as a judge reads them (F1, F4).

The texts in tests/golden/fire-*.txt are written by `MINIS_GOLDEN=write pytest tests/test_fire_table.py`.
"""

from __future__ import annotations

import json
import math
import os
import random
import shlex
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import boards
import pytest
import shapely
from boards import Doc
from click.testing import CliRunner, Result
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from minis.cli.main import cli
from minis.errors import BadInput
from minis.fire.cases import CONDITIONS
from minis.fire.exposure import Exposure, case_of, exposure, shots
from minis.fire.facts import NAMES, ShotFacts, help_of, hexes, read_facts
from minis.fire.measure import Declaration, TableShot, arc_steps, declare, weapon_of
from minis.fire.to_hit import to_hit
from minis.lengths import GRID
from minis.rules import load_rules
from minis.rules.fire_rows import CONDITION_NAMES
from minis.sight.attempt import attempt, to_shoot_at
from minis.sight.line import can_see, sight_line
from minis.sight.scene import Scene

RULES = load_rules()
GOLDEN = Path(__file__).parent / "golden"
GUN = {"id": "main", "gun": "75", "ammo": ["AP", "HE"]}


def run(*words: object) -> Result:
    """Run a command in this process; an exception that is no exit is the test's failure."""
    result = CliRunner(env={"MINIS_GAME": None, "NO_COLOR": "1"}).invoke(cli, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def answer(*words: object, status: int = 0) -> dict[str, Any]:
    """The JSON answer of a command that ends with this status."""
    result = run(*words, "--json")
    assert result.exit_code == status, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def shot_at(scene: Scene, one: str, other: str, said: Declaration | None = None) -> TableShot:
    """One unit's shot at another, declared at its sighting."""
    unit = scene.board.unit
    return declare(scene, to_shoot_at(scene, attempt(scene, unit(one), unit(other))), said or Declaration())


def facts_of(scene: Scene, one: str, other: str) -> ShotFacts:
    """The facts that the table shows of a shot that is allowed."""
    found = shot_at(scene, one, other)
    assert found.shot is not None, found.refusal
    return found.shot.facts


# --- fire and sight cannot disagree (F1.4) ---------------------------------------------------------------------------


def armed(doc: Doc, *, sighted: bool) -> Doc:
    """The same board with a gun for every unit, each unit sighted by all others or by none."""
    names = [unit["id"] for unit in doc["unit"]]
    for unit in doc["unit"]:
        unit["weapons"] = [GUN]
        unit.pop("sighted_by", None)
        if sighted:
            unit["sighted_by"] = [name for name in names if name != unit["id"]]
    return doc


def in_both_orders(doc: Doc) -> Iterator[tuple[str, str]]:
    """Every pair of units of a board, each unit once the firer."""
    for one, other in boards.pairs(doc):
        yield one, other
        yield other, one


@pytest.mark.parametrize("maker", [boards.lattice_board, boards.rough_board])
def test_a_shot_is_stopped_exactly_where_the_sight_line_is(maker: Any) -> None:
    """F1.4: with everything sighted before, a shot is refused where the line is not clear, with that line's rule."""
    stopped = clear = 0
    for seed in range(40):
        doc = armed(maker(seed), sighted=True)
        scene = boards.scene_of(doc)
        for one, other in in_both_orders(doc):
            line = sight_line(scene, scene.board.unit(one), scene.board.unit(other))
            found = shot_at(scene, one, other)
            if scene.board.unit(one).wreck or scene.board.unit(one).dummy:
                assert found.refusal is not None, "a wreck and a dummy do not fire"
            elif line.clear:
                clear += 1
                assert found.refusal is None, (seed, one, other, found.refusal)
                assert found.shot is not None
                assert found.shot.facts.range_hexes == math.ceil(line.distance_in / 2 - 1e-6)
            else:
                stopped += 1
                assert line.deciding is not None
                assert found.refusal is not None
                assert found.refusal.rule == line.deciding.rule
                assert line.deciding.obstacle in found.refusal.why
                assert found.shot is None
    assert min(stopped, clear) > 100, "the boards must show both"


def test_a_shot_never_comes_before_its_sighting() -> None:
    """F1.4: with nothing sighted before, a shot is allowed exactly where the attempt ends in a sighting.

    A firer that is hidden has none to make: it may fire at whoever is in its line of sight (S12.3).
    """
    for seed in range(20):
        doc = armed(boards.lattice_board(seed), sighted=False)
        scene = boards.scene_of(doc)
        for one, other in in_both_orders(doc):
            unit = scene.board.unit
            tried = to_shoot_at(scene, attempt(scene, unit(one), unit(other)))
            found = declare(scene, tried, Declaration())
            may = tried.ruling.sighted is True
            if unit(one).hidden:
                may = tried.line.clear and not tried.ruling.barred
            assert (found.shot is not None) is may, (seed, one, other)
            assert found.attempt is tried


# --- what the table shows --------------------------------------------------------------------------------------------

degrees = st.integers(0, 3599).map(lambda tenths: tenths / 10)
places = st.tuples(st.integers(0, 60), st.integers(0, 60))


def two_units(firer: Doc, target: Doc) -> Scene:
    """A bare table with a firer A and a target B."""
    one = {"id": "A", "side": "axis", "kind": "vehicle", "armoured": True, "base": [2, 1], "weapons": [GUN]}
    other = {"id": "B", "side": "allied", "kind": "vehicle", "base": 0, "sighted_by": ["A"]}
    return boards.scene_of({"table": {"width": 60, "depth": 60}, "unit": [one | firer, other | target]})


def steps_by_turning(way: float, ahead: float) -> int:
    """Steps of 60 degrees by which an arc of 60 degrees must be turned, found by turning it."""
    for step in range(4):
        turns = (ahead + 60 * step, ahead - 60 * step)
        if any(math.cos(math.radians(way - turn)) >= math.cos(math.radians(30)) - 1e-12 for turn in turns):
            return step
    raise AssertionError("three steps to a side reach everything")


@given(places, places, degrees, degrees, st.sampled_from(["T", "ST", "NT", "RST", "1MT"]), st.booleans())
@settings(max_examples=400, deadline=None)
def test_arc_steps_are_the_turns_an_arc_needs(
    one: tuple[int, int], other: tuple[int, int], facing: float, turret: float, mount: str, bow: bool
) -> None:
    """Case A: the turret's arc, the hull's without a turret and for the bow; steps as an arc of 60 degrees turned."""
    assume(one != other)
    weapon = GUN | {"bow": bow}
    firer = {"at": list(one), "facing": facing, "turret": turret, "mount": mount, "weapons": [weapon]}
    scene = two_units(firer, {"at": list(other)})
    a, b = scene.board.unit("A"), scene.board.unit("B")
    way = math.degrees(math.atan2(other[0] - one[0], other[1] - one[1]))
    ahead = facing if bow or mount == "NT" else turret
    edge = (abs((way - ahead + 180) % 360 - 180) - 30) % 60
    assume(min(edge, 60 - edge) > 1e-3)
    assert arc_steps(RULES, a, weapon_of(a, None), b) == steps_by_turning(way, ahead)


def field_board(seed: int) -> Doc:
    """Two points, and fields of every hindering kind strewn between them."""
    rng = random.Random(seed)
    terrain: list[Doc] = []
    for number in range(rng.randint(1, 7)):
        kind = rng.choice(("brush", "grain", "marsh", "orchard", "road", "shellholes"))
        x, y = rng.randrange(0, 320) / 8, rng.randrange(0, 320) / 8
        shape: Doc = {"box": [x, y, x + rng.randrange(1, 80) / 8, y + rng.randrange(1, 80) / 8]}
        if rng.random() < 0.4:
            shape = {"circle": {"centre": [x, y], "radius": rng.randrange(2, 40) / 8}}
        elif rng.random() < 0.4:
            shape = {"outline": [[x, y], [x + 9, y + 1], [x + 8.5, y + 8], [x + 4, y + 3], [x + 1, y + 7]]}
        terrain.append({"id": f"field{number}", "kind": kind, "base": 0} | shape)
    units = [
        {"id": "A", "side": "axis", "kind": "gun", "base": 0, "weapons": [GUN]},
        {"id": "B", "side": "allied", "kind": "vehicle", "base": 0, "sighted_by": ["A"]},
    ]
    for unit in units:
        unit["at"] = [rng.randrange(0, 320) / 8, rng.randrange(0, 320) / 8]
    table = {"width": 60, "depth": 60}
    return {"table": table, "switches": {"leaf": "bare"}, "terrain": terrain, "unit": units}


def test_hindrances_are_those_of_another_geometry() -> None:
    """F4.4: one for each 2 inches or part of it, by shapely; not the pieces that the ends stand in."""
    hindered = own_fields = 0
    for seed in range(300):
        doc = field_board(seed)
        ends = [unit["at"] for unit in doc["unit"]]
        if ends[0] == ends[1]:
            continue
        scene = boards.scene_of(doc)
        line = shapely.LineString(ends)
        wanted, doubtful = 0, False
        for piece in scene.board.terrain:
            if piece.kind.id not in ("brush", "grain", "marsh", "orchard"):
                continue
            area = shapely.Polygon([(x / GRID, y / GRID) for x, y in piece.rings[0]])
            if any(area.contains(shapely.Point(end)) for end in ends):
                own_fields += 1
                continue
            crossed = area.intersection(line).length
            doubtful |= crossed > 0 and abs(crossed / 2 - round(crossed / 2)) < 1e-4
            wanted += math.ceil(crossed / 2)
        if not doubtful:
            assert facts_of(scene, "A", "B").hindrance == wanted, seed
            hindered += wanted > 0
    assert hindered > 50
    assert own_fields > 20


def test_every_fact_of_a_unit_reaches_the_shot() -> None:
    """Formats 1: the facts of this turn of the two units are the shot's, the firer's and the target's kept apart."""
    own = ("stabilized", "pinned", "captured", "nonqualified", "encircled", "cx", "spotted", "blinded")
    for flag in own:
        facts = facts_of(two_units({"at": [4, 4], flag: True}, {"at": [24, 4], flag: True}), "A", "B")
        assert [name for name in own if getattr(facts, name)] == [flag]
        facts = facts_of(two_units({"at": [4, 4]}, {"at": [24, 4], flag: True}), "A", "B")
        assert not any(getattr(facts, name) for name in own)
    for flag in ("dashing", "nonassault", "hazardous", "motorcyclist", "cavalry"):
        facts = facts_of(two_units({"at": [4, 4], flag: True}, {"at": [24, 4]}), "A", "B")
        assert not getattr(facts, flag)
        facts = facts_of(two_units({"at": [4, 4]}, {"at": [24, 4], flag: True}), "A", "B")
        assert getattr(facts, flag)
    facts = facts_of(two_units({"at": [4, 4], "moved": True}, {"at": [24, 4], "motion": True}), "A", "B")
    assert (facts.firer_moved, facts.firer_motion, facts.target_moved, facts.target_motion) == (
        True,
        False,
        False,
        True,
    )


def test_only_an_afv_is_buttoned_up() -> None:
    """Case I: a truck with its windows shut is not a buttoned-up AFV."""
    for armoured in (True, False):
        scene = two_units({"at": [4, 4], "buttoned_up": True, "armoured": armoured}, {"at": [24, 4]})
        assert facts_of(scene, "A", "B").buttoned_up is armoured


# --- ranges never have a gap (F1.2) ----------------------------------------------------------------------------------


@given(st.floats(0, 4000, allow_nan=False))
@settings(max_examples=500, deadline=None)
def test_every_length_is_in_a_hex_and_in_a_column(length: float) -> None:
    """F1.2: a hex holds what is over the one before it, up to a millionth, and every hex has a number."""
    number = hexes(length, 2.0)
    assert 2 * number >= length - 1e-5
    assert number == 0 or 2 * (number - 1) < length
    assert to_hit(ShotFacts("vehicle", "afv", number, "75", "AP", "black"), RULES).th in range(2, 11)


@pytest.mark.parametrize(
    ("length", "number"), [(12, 6), (12.0001, 7), (12.5, 7), (14, 7), (14.001, 8), (0, 0), (1e-3, 1)]
)
def test_any_part_of_an_inch_is_the_next_hex(length: float, number: int) -> None:
    """F1.2: there is never no band between 12 and 14 inches."""
    assert hexes(length, 2.0) == number
    scene = two_units({"at": [4, 4], "base": 0}, {"at": [4 + length, 4]})
    if length >= 1:
        assert facts_of(scene, "A", "B").range_hexes == hexes(round(length * GRID) / GRID, 2.0)


@given(st.floats(0, 300), st.floats(0, 300))
def test_farther_is_never_fewer_hexes(near: float, far: float) -> None:
    """F1.2: hexes go up with the distance."""
    near, far = sorted((near, far))
    assert hexes(near, 2.0) <= hexes(far, 2.0)


# --- facts as they are typed (formats 4) -----------------------------------------------------------------------------

TYPED = {"target_type": "vehicle", "target": "afv", "range_hexes": "14", "gun": "75", "ammo": "AP", "colour": "black"}


def mistakes_of(facts: dict[str, Any]) -> list[str]:
    """What is wrong with facts, each mistake as it is printed."""
    with pytest.raises(BadInput) as caught:
        read_facts(facts)
    return [str(mistake) for mistake in caught.value.mistakes]


def test_every_mistake_is_reported_at_once() -> None:
    """Formats 4: unknown names, values that do not fit and facts that are missing, all in one message."""
    found = mistakes_of(
        {
            "target_type": "tank",
            "gun": "cannon",
            "ammo": "AP",
            "wind": "3",
            "size": "9",
            "tem": "high",
            "pinned": "maybe",
        }
    )
    for words in ("tank", "cannon", "wind", "size", "tem", "pinned", "target:", "colour:", "range_hexes"):
        assert any(words in mistake for mistake in found), words
    assert len(found) == 9


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("hulldown", "hull_down"),
        ("aquired", "acquired"),
        ("range", "range_in"),
        ("Size", "size"),
        ("mp_insight", "mp_in_sight"),
    ],
)
def test_an_unknown_fact_is_named_with_the_nearest(name: str, nearest: str) -> None:
    """Formats 4: a misspelt fact is no fact, and the message says which may have been meant."""
    (found,) = mistakes_of(TYPED | {name: "1"})
    assert repr(name) in found
    assert nearest in found


@pytest.mark.parametrize("name", [name for name in TYPED if name != "range_hexes"])
def test_a_fact_that_must_be_given_is_missed(name: str) -> None:
    """Formats 4: target type, target, gun, ammunition and colour have no default."""
    (found,) = mistakes_of({key: value for key, value in TYPED.items() if key != name})
    assert name in found


@pytest.mark.parametrize("value", ["1_4", "1e1", "14.0", "ten", "", "nan", "1000000"])
def test_a_whole_number_is_typed_in_figures(value: str) -> None:
    """Formats 4: what Python reads as a number and no judge does is a mistake."""
    mistakes_of(TYPED | {"range_hexes": value})


@pytest.mark.parametrize("value", ["nan", "inf", "1_0", "-inf"])
def test_mp_are_a_number(value: str) -> None:
    """Formats 4: MP in sight are a number of the game."""
    mistakes_of(TYPED | {"mp_in_sight": value})


def test_typed_values_are_read() -> None:
    """Formats 4: words, signs and TOML values say the same."""
    for yes in ("true", "True", "yes", "1", True):
        assert read_facts(TYPED | {"cx": yes}).cx is True
    for no in ("false", "no", "0", False):
        assert read_facts(TYPED | {"cx": no}).cx is False
    for one in ("1", "+1", 1):
        assert read_facts(TYPED | {"size": one}).size == 1
    assert read_facts(TYPED | {"tem_from": " stone wall "}).tem_from == "stone wall"
    assert read_facts(TYPED | {"mp_in_sight": "2.5"}).mp_in_sight == 2.5


def test_counts_below_nothing_are_mistakes() -> None:
    """Formats 4: ranges, steps, MP and dice cannot be negative; all such counts are named at once."""
    names = (
        "range_hexes", "arc_steps", "overstacked", "stun", "extra_squads", "hindrance", "firer_mp_in_sight",
        "mp_in_sight", "rof", "max_range_hexes",
    )  # fmt: skip
    with pytest.raises(BadInput) as caught:
        read_facts(TYPED | dict.fromkeys(names, "-1"))
    assert [mistake.path for mistake in caught.value.mistakes] == list(names)


def test_the_help_lists_every_fact() -> None:
    """Formats 4: `tape fire --help` lists exactly the facts there are."""
    assert {name for name, _, _ in help_of()} == {*NAMES, "range_in"}
    text = "".join(run("tape", "fire", "--help").output.split())
    for name, takes, words in help_of():
        assert "".join(f"{name}{words}[{takes}]".split()) in text, name


def test_facts_from_a_file(tmp_path: Path) -> None:
    """Formats 4: --facts FILE takes the same names; --fact wins over it."""
    file = tmp_path / "facts.toml"
    file.write_text(
        'target_type = "vehicle"\ntarget = "afv"\nrange_in = 28\ngun = "75L"\nammo = "AP"\ncolour = "black"\n'
        "target_moved = true\nsize = -1\n",
        encoding="utf-8",
    )
    found = answer("tape", "fire", "--facts", file)
    assert (found["range_hexes"], found["th"], found["drm"], found["hit_on"]) == (14, 9, 1, 8)
    assert answer("tape", "fire", "--facts", file, "--fact", "size=0")["drm"] == 2
    assert answer("tape", "fire", "--facts", file, "-c", "K")["drm"] == 3


@pytest.mark.parametrize("text", ["", "wind = 3\n", "size = [1]\n", "size = \n", "[shot]\nsize = 1\n"])
def test_a_file_of_facts_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    """Formats 4: a file that is empty, broken or holds other things is bad input, without a traceback."""
    file = tmp_path / "facts.toml"
    file.write_text(text, encoding="utf-8")
    result = run("tape", "fire", "--facts", file)
    assert result.exit_code == 2
    assert result.stderr
    assert run("tape", "fire", "--facts", tmp_path / "nowhere.toml").exit_code == 2


# --- tables and engine -----------------------------------------------------------------------------------------------


def test_conditions_are_those_that_tables_may_name() -> None:
    """Every condition that a row of exclusions or refusals may ask for has its meaning, and there is no other."""
    assert set(CONDITIONS) == set(CONDITION_NAMES)
    assert len(CONDITION_NAMES) == len(set(CONDITION_NAMES))
    for row in RULES.refusals:
        assert {row.when, row.also} <= set(CONDITIONS)
    letters = {row.case for row in RULES.drm.values()} | {"N", "N area", "P", "Q", "Q height", "R", "C4"}
    for out in RULES.exclusions:
        assert out.case in letters, out
        assert out.by in CONDITIONS or out.by in letters, out


def test_the_printed_chart_is_the_one_that_is_used() -> None:
    """C3: for each row and column of `minis tables to-hit` the engine's first number is the printed one."""
    printed = answer("tables", "to-hit")["rows"]
    columns = answer("tables", "to-hit-ranges")["rows"]
    assert len(printed) == 5
    assert len(columns) == 10
    for row in printed:
        least = 1 if row["target"] == "area" else 0
        for value, column in zip(row["values"], columns, strict=True):
            most = column.get("up_to", 99)
            for number in {least, most}:
                target = "afv" if row["target"] == "vehicle" else "infantry"
                colour = "red" if row["colour"] == "any" else row["colour"]
                first = to_hit(ShotFacts(row["target"], target, number, "75", "HE", colour), RULES).numbers[0]
                assert (first.value, first.rule) == (value, row["rule"])
                assert first.label.startswith(row["label"])
            least = most + 1


def test_every_refusal_of_the_table_is_reached() -> None:
    """C3.3, C5: each row of to-hit-refusals refuses some shot that no other row refuses first."""
    plain: dict[str, Any] = {
        "target_type": "vehicle", "target": "afv", "range_hexes": 5, "gun": "75", "ammo": "AP", "colour": "black",
    }  # fmt: skip
    area = {"target_type": "area", "ammo": "HE"}
    infantry = {"target_type": "infantry", "ammo": "HE", "target": "infantry"}
    shots_refused: dict[str, dict[str, Any]] = {
        "beyond-range": {"max_range_hexes": 4},
        "vehicle-type": {"target": "infantry"},
        "afv-infantry": infantry | {"target": "afv"},
        "infantry-ammo": infantry | {"ammo": "APCR"},
        "mortar-area": {"gun": "81 mortar", "ammo": "HE"},
        "smoke-area": {"ammo": "SMOKE"},
        "area-ammo": area | {"ammo": "AP"},
        "area-bounding": area | {"phase": "bounding_first", "firer_moved": True},
        "area-same-hex": area | {"range_hexes": 0},
        "area-immobilize": area | {"deliberate_immobilization": True},
        "intensive-pinned": {"intensive": True, "pinned": True},
        "intensive-advancing": {"intensive": True, "phase": "advancing"},
        "intensive-stunned": {"intensive": True, "stun": 1},
        "immobilize-vehicle": infantry | {"deliberate_immobilization": True},
        "immobilize-type": infantry | {"target": "vehicle", "deliberate_immobilization": True},
        "immobilize-range": {"range_hexes": 7, "deliberate_immobilization": True},
        "immobilize-hull-down": {"hull_down": "II", "deliberate_immobilization": True},
        "open-one-man-turret": {"mount": "1MT"},
        "underbelly-type": area | {"underbelly": True},
    }
    rows = {row.id: row for row in RULES.refusals}
    assert set(shots_refused) == set(rows)
    for name, facts in shots_refused.items():
        refusal = to_hit(ShotFacts(**(plain | facts)), RULES).refusal
        assert refusal is not None, name
        assert (refusal.rule, refusal.why) == (rows[name].rule, rows[name].label), name


def test_thrown_dice_have_six_faces() -> None:
    """--roll throws dice of six faces and judges what fell; the further die only where it is called for."""
    improbable = ("tape", "fire", "14hex", "vehicle", "75", "-c", "Q=7")
    seen: set[int] = set()
    for _ in range(60):
        found = answer(*improbable, "--roll")
        assert {die["how"] for die in found["dice"]} == {"thrown"}
        faces = [die["face"] for die in found["dice"] if die["for"] != "effect"]
        seen |= set(faces)
        assert len(faces) == (3 if faces[:2] == [1, 1] else 2)
        assert found["result"]["original_dr"] == faces[0] + faces[1]
        assert found["result"]["hit"] is (faces[:2] == [1, 1] and faces[2] <= 3)
        assert found["result"]["needs_die"] is None
    assert seen == {1, 2, 3, 4, 5, 6}


# --- golden texts ----------------------------------------------------------------------------------------------------

BOARD = """\
title = "A gun and what it may shoot at"
table = { width = 120, depth = 60 }
terrain = [
  { id = "farm", kind = "building", box = [14, 40, 18, 44] },
  { id = "wood", kind = "woods", box = [29.5, 26, 34, 30] },
  { id = "wall", kind = "wall", line = [[33, 17], [33, 21]] },
  { id = "corn", kind = "grain", box = [12, 8, 15, 12] },
]
types.gun = { kind = "gun", base = 0, nation = "german" }
types.tank = { kind = "vehicle", armoured = true, base = [2, 1] }
unit = [
  { id = "pak", side = "axis", type = "gun", at = [6, 20], facing = 90, weapons = [
    { id = "main", gun = "75L", ammo = ["AP", "HE"], rof = 2 }] },
  { id = "panzer", side = "axis", type = "tank", at = [6, 30], facing = 90, nation = "german", moved = true,
    motion = true, weapons = [
    { id = "main", gun = "75", ammo = ["AP", "HE", "SMOKE"] }, { id = "bow", gun = "MG", bow = true }] },
  { id = "in the open", side = "allied", type = "tank", at = [30, 10], facing = 270, moved = true },
  { id = "at the wall", side = "allied", type = "tank", at = [34, 19], facing = 270, sighted_by = ["pak"] },
  { id = "behind the farm", side = "allied", type = "tank", at = [25, 55], facing = 270 },
  { id = "squad", side = "allied", kind = "infantry", at = [30, 28], sighted_by = ["panzer"] },
  { id = "others", side = "allied", kind = "infantry", at = [44, 24] },
  { id = "token", side = "allied", type = "tank", at = [48, 16], facing = 270, token = "A7", sighted_by = ["pak"] },
]
"""

TEXTS: dict[str, list[str]] = {
    "fire-tape": [
        "tape fire 28in vehicle 75L",
        "tape fire 28in vehicle 75L AP black -c J1 -c P=-1 --dice 3,4",
        "tape fire 9hex vehicle 75 AP black -c J2 -c K -c A=2 --dice 5,6",
        "tape fire 2hex infantry 75 HE black -c Q=2 -c N=-1 --dice 2,1",
        "tape fire 37hex infantry 88L HE black -c Q=2 --dice 1,1",
        "tape fire 37hex infantry 88L HE black -c Q=2 --dice 1,1 --then 2",
        "tape fire 5hex vehicle 20L AP black --fact rof=3 --dice 3,3",
        "tape fire 14hex area '81 mortar' HE -c Q=3 -c K --dice 4,4",
        "tape fire 14hex vehicle 75 -c Q=2 --fact hull_down=II --fact hull_down_by=wall --fact tem_from=wall",
        "tape fire 5hex vehicle 75 AP black advancing --fact mount=T -c C4 --dice 1,4",
    ],
    "fire-table": [
        "fire pak 'in the open'",
        "fire pak 'at the wall' --dice 2,3 --no-effect",
        "fire pak token --dice 6,6",
        "fire panzer squad --phase advancing",
        "fire panzer 'in the open' --ammo HE --type area",
    ],
    "fire-targets": ["fire pak --all", "fire panzer --all --phase advancing"],
    "fire-exposure": [
        "exposure 'in the open' --from pak --path '34,10 34,16'",
        "exposure 'behind the farm' --from pak --path '40,55'",
        "exposure 'behind the farm' --from pak --path '25,56'",
    ],
    "fire-refused": [
        "tape fire 7hex vehicle 75 AP black -c G",
        "tape fire 7hex infantry 75 HE black --fact target=afv",
        "fire pak 'behind the farm'",
        "fire pak others",
        "fire pak others --sight-dice 05",
        "fire pak 'at the wall' --ammo SMOKE",
    ],
    "fire-mistakes": [
        "tape fire 14hex vehicle 75 AP sideways",
        "tape fire 14hex vehicle 75 -c J5 -c D=3",
        "tape fire --fact target_type=vehicle --fact wind=3 --fact size=9",
        "tape fire 14hex vehicle 75 --dice 3,7",
        "tape fire 14hex vehicle 75 --dice 3,4 --then 2",
        "fire pak 'in the open' --weapon bow",
        "fire pak nobody",
        "fire pak pak",
        "exposure 'in the open' --from pak --path '34 10'",
        "exposure 'in the open' --from pak --path '140,10'",
    ],
}  # fmt: skip

STATUS = {"fire-refused": 1, "fire-mistakes": 2}


def as_typed(line: str, status: int) -> str:
    """A command as it is typed and what it prints."""
    words = shlex.split(line)
    result = run(*words, *([] if words[0] == "tape" else ["-g", "board.toml"]))
    assert result.exit_code == status, (line, result.output)
    text = "\n".join(row.rstrip() for row in result.output.splitlines())
    return f"$ minis {line}\n{text}\n"


@pytest.mark.parametrize("name", TEXTS)
def test_shots_read_as_they_should(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Formats 5: verdict first, then the sum, then what was left out, word for word as in tests/golden."""
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = "\n".join(as_typed(line, STATUS.get(name, 0)) for line in TEXTS[name])
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("MINIS_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "fire-mistakes"])
def test_a_shot_is_one_screen(name: str) -> None:
    """Formats 5: no answer is longer than a screen or, like the other answers, wider than 120 signs."""
    for shown in (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").split("\n$ minis "):
        _, *rows = shown.splitlines()
        assert len(rows) < 24, shown
        assert [row for row in rows if len(row) > 120] == []


def test_no_golden_text_of_a_shot_is_idle() -> None:
    """Every file tests/golden/fire-*.txt is one of the texts above."""
    assert {path.stem for path in GOLDEN.glob("fire-*.txt")} == set(TEXTS)


# --- exposure (F4.1, F4.2) -------------------------------------------------------------------------------------------


def house(half: float) -> Doc:
    """A house that hides, from a gun at 20,0, the places within twice `half` of 20,20 on the line y = 20."""
    return {"id": f"house {half}", "kind": "building", "box": [20 - half, 10, 20 + half, 10.5]}


def lane(*terrain: Doc, at: tuple[float, float] = (10, 20), **more: Any) -> Scene:
    """A gun at 20,0 and a tank on the lane y = 20, both of them points."""
    units = [
        {"id": "gun", "side": "axis", "kind": "gun", "base": 0, "at": [20, 0]},
        {"id": "tank", "side": "allied", "kind": "vehicle", "armoured": True, "base": 0, "at": list(at)},
    ]
    return boards.scene_of({"table": {"width": 60, "depth": 40} | more, "terrain": list(terrain), "unit": units})


def seen(scene: Scene, *path: tuple[float, float], delay: float = 0.0) -> Exposure:
    """The tank's exposure to the gun on a path from where it stands."""
    return exposure(scene, scene.board.unit("tank"), scene.board.unit("gun"), path, delay_mp=delay)


def test_a_house_between_hides_a_stretch() -> None:
    """F4.1: in sight to the corner's line, hidden behind the house, in sight again."""
    found = seen(lane(house(2)), (30, 20))
    assert [(s.start_in, s.end_in) for s in found.stretches] == [
        (pytest.approx(0), pytest.approx(6, abs=1 / 16)),
        (pytest.approx(14, abs=1 / 16), pytest.approx(20)),
    ]
    assert found.stretches[1].end == (30, 20)
    assert found.counted == found.stretches[1:]
    assert found.mp == pytest.approx(3, abs=1 / 16)
    assert (found.in_sight_at_end, found.in_sight_from_start, found.length_in) == (True, False, 20)


@pytest.mark.parametrize("half", [0.25, 0.4, 0.5])
def test_a_gap_of_up_to_two_inches_does_not_break_it(half: float) -> None:
    """F4.1: out of sight for 1, 1.6 and exactly 2 inches: still in sight since its start, so neither J1 nor J2."""
    found = seen(lane(house(half)), (23, 20))
    assert len(found.stretches) == 2
    assert found.counted == found.stretches
    assert found.in_sight_from_start
    assert (found.case, found.rule) == ("J", "C6.15")
    assert found.mp == pytest.approx((13 - 4 * half) / 2, abs=1 / 8)


@pytest.mark.parametrize(("half", "case"), [(0.505, "J2"), (0.6, "J2")])
def test_a_gap_of_more_than_two_inches_breaks_it(half: float, case: str) -> None:
    """F4.1: out of sight for 2.02 inches and more: what was before does not count."""
    found = seen(lane(house(half)), (22.5, 20))
    assert len(found.stretches) == 2
    assert found.counted == found.stretches[1:]
    assert not found.in_sight_from_start
    assert found.case == case


def test_a_gap_is_one_hex_of_this_table() -> None:
    """F4.1: on a table of 4 inches a hex a gap of 3 inches does not break it."""
    assert seen(lane(house(0.75), inches_per_hex=4), (25, 20)).in_sight_from_start
    assert not seen(lane(house(0.75)), (25, 20)).in_sight_from_start


def test_in_sight_from_the_start() -> None:
    """F4.1: nothing between: the whole path counts, and neither J1 nor J2."""
    found = seen(lane(), (11, 20))
    assert (found.in_sight_from_start, found.mp, found.case, found.rule) == (True, 0.5, "J", "C6.15")


def test_out_of_sight_at_the_start_even_by_little() -> None:
    """F4.1: a move that begins hidden is no move begun in sight, however soon it comes out."""
    found = seen(lane(house(0.25), at=(20.25, 20)), (22.25, 20))
    assert not found.in_sight_from_start
    assert found.case == "J2"


@pytest.mark.parametrize(
    ("end", "case"), [(25, "J2"), (25.75, "J2"), (26.5, "J1"), (29.75, "J1"), (30.5, "J"), (40, "J")]
)
def test_mp_in_sight_give_the_case(end: float, case: str) -> None:
    """C6.11, C6.12: out of hiding at x = 24: up to one MP J2, up to three J1, then J."""
    found = seen(lane(house(2), at=(20, 20)), (end, 20))
    assert found.mp == pytest.approx((end - 24) / 2, abs=1 / 16)
    assert found.case == case == case_of(RULES, (end - 24) / 2)


def test_mp_are_this_tables() -> None:
    """F1.1: inches a movement point are a setting of the table."""
    assert seen(lane(house(2), at=(20, 20), inches_per_mp=4), (30, 20)).mp == pytest.approx(1.5, abs=1 / 16)


def test_delay_counts_as_mp() -> None:
    """F4.1: MP spent without moving count where it can be seen, and only there."""
    assert seen(lane(house(2), at=(20, 20)), (25, 20), delay=2).mp == pytest.approx(2.5, abs=1 / 16)
    assert seen(lane(house(2), at=(20, 20)), (25, 20), delay=2).case == "J1"
    hidden = seen(lane(house(2)), (20, 20), delay=3)
    assert (hidden.mp, hidden.case, hidden.in_sight_at_end) == (0, None, False)


def test_the_five_shots() -> None:
    """F4.2: four MP moved in sight and one of delay: two shots claimed at once, or J2, J1, J1, J, J."""
    found = seen(lane(house(2), at=(20, 20)), (32.125, 20), delay=1)
    allowed = shots(RULES, found.mp, in_sight_from_start=found.in_sight_from_start)
    assert allowed.at_once == ("J", "J")
    assert allowed.in_steps == ("J2", "J1", "J1", "J", "J")


@pytest.mark.parametrize(
    ("mp", "at_once", "steps"),
    [
        (0.5, (), ()), (1, ("J2",), ("J2",)), (1.5, ("J1",), ("J2",)), (2, ("J1",), ("J2", "J1")),
        (3, ("J1",), ("J2", "J1", "J1")), (3.5, ("J",), ("J2", "J1", "J1")), (4, ("J",), ("J2", "J1", "J1", "J")),
        (4.5, ("J", "J"), ("J2", "J1", "J1", "J")), (6, ("J",) * 3, ("J2", "J1", "J1", "J", "J", "J")),
    ],
)  # fmt: skip
def test_no_more_shots_than_whole_mp(mp: float, at_once: tuple[str, ...], steps: tuple[str, ...]) -> None:
    """F4.2: no more shots than whole MP spent in the stretch, whichever way they are claimed."""
    found = shots(RULES, mp)
    assert (found.at_once, found.in_steps) == (at_once, steps)
    assert len(found.at_once) <= math.floor(mp)


def test_shots_at_what_was_in_sight_from_the_start() -> None:
    """F4.1, F4.2: three MP: three shots, each plain J."""
    found = shots(RULES, 3.25, in_sight_from_start=True)
    assert found.at_once == found.in_steps == ("J", "J", "J")


def test_a_path_that_ends_out_of_sight() -> None:
    """F4.1: at the end there is no shot; after more than 2 inches out of sight nothing counts any more."""
    short, long = seen(lane(house(2)), (17, 20)), seen(lane(house(2)), (20, 20))
    for found in (short, long):
        assert (found.in_sight_at_end, found.case) == (False, None)
    assert short.mp == pytest.approx(3, abs=1 / 16)
    assert (long.mp, long.counted) == (0, ())


def test_never_in_sight() -> None:
    """F4.1: a path all behind the house has no stretch."""
    found = seen(lane(house(3), at=(18, 20)), (22, 20))
    assert (found.stretches, found.mp, found.case, found.in_sight_from_start) == ((), 0, None, False)


def test_a_path_may_bend() -> None:
    """F4.1: the length is that along the legs, and a way point twice is no leg."""
    found = seen(lane(), (10, 26), (10, 26), (18, 32))
    assert (found.length_in, found.mp) == (16, 8)
    assert found.stretches[0].end == (18, 32)


def field(seed: int) -> Doc:
    """A gun, a tank that starts in a corner, and houses strewn between them."""
    rng = random.Random(seed)
    terrain = [
        {"id": f"house{n}", "kind": "building", "base": 0, "box": [x, y, x + rng.uniform(0.5, 2.5), y + 1]}
        for n, (x, y) in enumerate((4 + 5.2 * n, 8 + rng.randrange(0, 7)) for n in range(6))
    ]
    for piece in terrain:
        piece["box"] = [round(value * 8) / 8 for value in piece["box"]]
    units = [
        {"id": "gun", "side": "axis", "kind": "gun", "base": 0, "at": [18, 1]},
        {"id": "tank", "side": "allied", "kind": "vehicle", "base": [2, 1], "at": [3, 24]},
    ]
    return {"table": {"width": 40, "depth": 40}, "terrain": terrain, "unit": units}


def walked(scene: Scene, path: list[tuple[float, float]], step: float) -> list[tuple[float, bool]]:
    """Whether the tank is in sight, place for place along a path, each on a board of its own."""
    tank, before = scene.board.unit("tank"), 0.0
    found: list[tuple[float, bool]] = []
    ends = [(tank.at[0] / GRID, tank.at[1] / GRID), *path]
    for (ax, ay), (bx, by) in pairwise(ends):
        long = math.dist((ax, ay), (bx, by))
        facing = math.degrees(math.atan2(bx - ax, by - ay)) % 360
        for k in range(round(long / step) + 1):
            share = min(1.0, k * step / long)
            at = (round((ax + (bx - ax) * share) * GRID), round((ay + (by - ay) * share) * GRID))
            moved = replace(tank, at=at, facing=facing, turret=facing)
            units = tuple(moved if unit.id == "tank" else unit for unit in scene.board.units)
            fresh = Scene(replace(scene.board, units=units))
            found.append((before + long * share, can_see(fresh, fresh.board.unit("gun"), moved)))
        before += long
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exposure_is_that_of_a_finer_walk(seed: int) -> None:
    """F4.1: walking the path in steps of 1/64 inch gives the same stretches, MP and case, to 1/16 inch."""
    scene = boards.scene_of(field(seed))
    path = [(33.0, 24.0), (33.0, 30.0)]
    found = seen(scene, *path)
    spans: list[list[float]] = []
    for along, clear in walked(scene, path, 1 / 64):
        is_open = bool(spans) and spans[-1][1] < 0
        if clear and not is_open:
            spans.append([along, -1.0])
        if not clear and is_open:
            spans[-1][1] = along
    total = found.length_in
    spans = [[start, total if end < 0 else end] for start, end in spans]
    wide = [span for span in spans if span[1] - span[0] > 1 / 8]
    assert len(wide) > 1, "the board must hide something"
    near = [s for s in found.stretches if s.length_in > 1 / 16]
    assert [s.start_in for s in near] == [pytest.approx(start, abs=0.08) for start, _ in wide]
    assert [s.end_in for s in near] == [pytest.approx(end, abs=0.08) for _, end in wide]
    counted: list[list[float]] = []
    for span in spans:
        if counted and span[0] - counted[-1][1] > 2:
            counted = []
        counted.append(span)
    if total - counted[-1][1] > 2:
        counted = []
    assert found.mp == pytest.approx(sum(end - start for start, end in counted) / 2, abs=0.08 * len(counted))
    assert found.in_sight_from_start is (bool(counted) and counted[0][0] == 0)
    assert found.in_sight_at_end is (spans[-1][1] == total)


def written(tmp_path: Path) -> Path:
    """The golden board as a file."""
    file = tmp_path / "board.toml"
    file.write_text(BOARD, encoding="utf-8")
    return file


@pytest.mark.parametrize("path", ["", "34", "34,", ",10", "34,10,3", "a,b", "nan,10", "34,10 121,10", "-1,10", "30,10"])
def test_bad_paths(tmp_path: Path, path: str) -> None:
    """F4.1: a path without length, off the table or not in figures is bad input."""
    result = run("exposure", "in the open", "--from", "pak", f"--path={path}", "-g", written(tmp_path))
    assert result.exit_code == 2, result.output
    assert "--path" in result.stderr or "length" in result.stderr


@pytest.mark.parametrize("delay", ["-1", "nan", "inf", "1e6", "x"])
def test_bad_delays(tmp_path: Path, delay: str) -> None:
    """F4.1: MP of delay are a number of the game, 0 or more."""
    game = written(tmp_path)
    result = run("exposure", "in the open", "--from", "pak", "--path", "34,10", f"--delay={delay}", "-g", game)
    assert result.exit_code == 2, result.output
    assert "--delay" in result.stderr


def test_exposure_on_the_command_line(tmp_path: Path) -> None:
    """F4.1: the answer says where it is in sight, for how many MP, which case, and the shots."""
    game = written(tmp_path)
    found = answer("exposure", "in the open", "--from", "pak", "--path", "34,10", "--delay", "1.5", "-g", game)
    assert (found["target"], found["from"], found["path_in"]) == ("in the open", "pak", 4)
    assert (found["mp_in_sight"], found["case"], found["rule"]) == (3.5, "J", "C6.15")
    assert found["shots"] == {"at_once": ["J"] * 3, "in_steps": ["J"] * 3}
    assert found["in_sight"] == [{"from_in": 0, "to_in": 4, "from": [30, 10], "to": [34, 10]}]
    assert run("exposure", "pak", "--from", "pak", "--path", "34,10", "-g", game).exit_code == 2
    assert run("exposure", "nobody", "--from", "pak", "--path", "34,10", "-g", game).exit_code == 2


def test_no_shots_where_it_ends_out_of_sight(tmp_path: Path) -> None:
    """F4.2: what is out of sight at the end of its path is not shot at: the answer lists no shots."""
    game = written(tmp_path)
    found = answer("exposure", "behind the farm", "--from", "pak", "--path", "45,55 24,55", "-g", game)
    assert found["case"] is None
    assert found["shots"] == {"at_once": [], "in_steps": []}


def test_both_chances_of_every_target(tmp_path: Path) -> None:
    """`fire A --all`: the chance of both is the product, best first, and the same as each shot by itself."""
    game = written(tmp_path)
    rows = answer("fire", "pak", "--all", "-g", game)["targets"]
    chances = [Fraction(row["both"]) for row in rows]
    assert chances == sorted(chances, reverse=True)
    for row in rows:
        assert Fraction(row["both"]) == Fraction(row["sighting"]) * Fraction(row["hit"])
        dice = [] if row["sighting"] == "1" else ["--sight-dice", "100"]
        alone = answer("fire", "pak", row["target"], *dice, "-g", game)
        assert (alone["hit_on"], alone["odds"]["hit"]) == (row["hit_on"], row["hit"])
