"""What a judge mistypes: one clear message a mistake, all of a file at once, exit status 2, never a traceback.

In the texts below the sign ‸ stands where the message must point; the test takes it out and counts line and column.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minis.board.schema import LaneEntry, PlaceEntry, SmokeEntry, TableEntry, TerrainEntry, TypeEntry, UnitEntry
from minis.cli.main import cli

HERE = "‸"
TABLE = 'title = "t"\n[table]\nwidth = 60\ndepth = 40\n'
WOODS = '[[terrain]]\nid = "w"\nkind = "woods"\n'
SMOKE = '[[smoke]]\nid = "s"\n'
GUN = '[[unit]]\nid = "G1"\nside = "axis"\nkind = "gun"\nat = [5, 5]\n'
TANK = '[[unit]]\nid = "T1"\nside = "allied"\nkind = "vehicle"\nat = [9, 9]\n'
SQUARE = "outline = [[0, 0], [4, 0], [4, 4], [0, 4]]\n"
TYPED = '[[unit]]\nid = "T1"\nside = "x"\ntype = "t"\nat = [1, 1]\n[types.t]\nkind = "gun"\n'
CIRCLE = "circle = { centre = [1, 1], radius = 1 }\n"
OUR_GUN = GUN.replace("axis", "allied")
TANK_2 = TANK.replace("T1", "T2")
HOUSE = '[[terrain]]\nid = "house"\nkind = "building"\nbox = [4, 4, 6, 6]\n'


@dataclass(frozen=True)
class Answer:
    """What came of `minis check`: exit status, standard output, the lines of standard error."""

    status: int
    out: str
    lines: list[str]


def ask(*args: object) -> Answer:
    """Run a command in this process; any exception that is not an exit is the test's failure."""
    result = CliRunner().invoke(cli, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Answer(result.exit_code, result.stdout, result.stderr.splitlines())


def refused(path: Path, *more: object) -> list[str]:
    """The messages of a file that is refused, each without the name of the file at its head."""
    answer = ask("check", path, *more)
    assert answer.status == 2, answer
    assert answer.out == "", answer
    assert answer.lines, "a refusal without a word"
    for line in answer.lines:
        assert line.startswith(str(path)), f"no file name at its head: {line!r}"
        assert "Traceback" not in line, line
    return [line.removeprefix(str(path)).removeprefix(":").strip() for line in answer.lines]


def place_of(marked: str) -> tuple[str, str]:
    """A marked text without its mark, and line:column of it."""
    before, _, _ = marked.partition(HERE)
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    return marked.replace(HERE, ""), f"{line}:{column}"


def write(tmp_path: Path, text: str, name: str = "s.toml") -> Path:
    """A file with exactly this text."""
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8"))
    return path


def one_mistake(tmp_path: Path, marked: str, path: str, *words: str) -> str:
    """The only message of a text: at its place, with its path and each of the words."""
    text, place = place_of(marked)
    messages = refused(write(tmp_path, text))
    assert len(messages) == 1, messages
    head = f"{place}: {path}" if HERE in marked else path
    assert messages[0].startswith(head), f"expected {head!r}, not {messages[0]!r}"
    for word in words:
        assert word in messages[0], f"{word!r} is not in {messages[0]!r}"
    return messages[0]


# --- every key, every wrong type -------------------------------------------------------------------------------------

NO_NUMBER = ('"x"', "true", "[]", "{}", "2026-06-13", "07:32:00", "nan", "inf", "-inf")
NO_WHOLE = (*NO_NUMBER, "1.5", "-1000", "1000")
NO_TEXT = ("3", "1.5", "true", "[]", "{}", "2026-06-13")
NO_FLAG = ("0", "1", '"yes"', "[]", "{}", "2026-06-13", "nan")
NO_LIST = ("3", '"x"', "true", "{}", "2026-06-13", "nan")
NO_TABLE = ("3", '"x"', "true", "[]", "2026-06-13", "nan")
NO_PLACE = (*NO_LIST, "[]", "[1]", "[1, 2, 3]", '[1, "x"]', "[nan, 1]", "[1, inf]", "[1e9, 1]", "[1, true]", "[[1, 1]]")
NO_BOX = (*NO_LIST, "[1, 1, 2]", "[1, 1, 2, 2, 3]", '[1, 1, 2, "x"]', "[1, 1, nan, 2]", "[1, 1, 2, 1e9]")
NO_RING = (
    *NO_LIST,
    "[]",
    "[[0, 0], [1, 1]]",
    "[[0, 0], [1, 1], 3]",
    "[[0, 0], [1, 1], [2, nan]]",
    "[[0, 0], [1, 1], [2]]",
)
NO_NAMES = (*NO_LIST, "[3]", "[true]", '[["x"]]')
NO_CIRCLE = (*NO_TABLE, "{ radius = 1 }", "{ centre = [1, 1] }", "{ centre = [1, 1], radius = 0 }",
             "{ centre = [1, 1], radius = -2 }", "{ centre = [1, 1], radius = 1e9 }", "{ centre = 3, radius = 1 }",
             "{ centre = [1, 1], radius = nan }")  # fmt: skip
NO_ARMOUR = (*NO_TABLE, "{ hull = { front = 8, side = 4 } }", "{ hull = { front = 8, side = 4, rear = -1 } }",
             "{ hull = { front = 8.5, side = 4, rear = 4 } }", "{ hull = 8 }",
             '{ hull = { front = 8, side = 4, rear = 4 }, aerial = "x" }')  # fmt: skip
NO_WEAPONS = (*NO_LIST, "[3]", '[{ id = "m" }]', '[{ gun = "75" }]', '[{ id = "m", gun = 75 }]',
              '[{ id = "m", gun = "75", ammo = ["BRICKS"] }]', '[{ id = "m", gun = "75", rof = -1 }]',
              '[{ id = "m", gun = "75", breakdown = 1 }]', '[{ id = "m", gun = "75", breakdown = 14 }]',
              '[{ id = "m", gun = "75", range = -1 }]')  # fmt: skip
NO_ID = (*NO_TEXT, '""', '" x"', '"x "', '"a\\nb"', '"a\\tb"', '"a\\u001bb"', '"' + "x" * 81 + '"')

UNIT_KEYS: dict[str, tuple[str, ...]] = {
    "id": NO_ID, "side": (*NO_TEXT, '""', '"a\\nb"', '"\\u001b[31mred"'), "type": NO_TEXT, "at": NO_PLACE,
    "facing": (*NO_NUMBER, "1e9", "-1e9"), "turret": (*NO_NUMBER, "1e9"), "storey": NO_WHOLE, "roof": NO_FLAG,
    "sighted_by": NO_NAMES, "hidden": NO_FLAG, "token": NO_ID, "dummy": NO_FLAG, "wreck": NO_FLAG, "tow": NO_TEXT,
    "carries": NO_NAMES, "radio": NO_FLAG, "spotter": NO_FLAG, "kind": (*NO_TEXT, '"tank"', '"Vehicle"'),
    "armoured": NO_FLAG, "size": (*NO_TEXT, '"huge"'), "base": (*NO_LIST, "[1]", "[-1, 1]", "[1, 2, 3]", "[1, nan]",
    "[0, 1]", "[1, 0]", "[1e9, 1]", '[1, "x"]'), "mount": (*NO_TEXT, '"X"'), "closed_top": NO_FLAG, "nation": NO_TEXT,
    "armour": NO_ARMOUR, "weapons": NO_WEAPONS, "stun": NO_WHOLE, "leadership": NO_WHOLE, "extra_squads": NO_WHOLE,
}  # fmt: skip
FLAG_KEYS = (
    "moved", "fired", "buttoned_up", "motion", "pinned", "stabilized", "captured", "nonqualified", "overstacked",
    "encircled", "cx", "spotted", "blinded", "dashing", "nonassault", "hazardous", "in_open", "motorcyclist", "cavalry",
)  # fmt: skip
UNIT_KEYS |= dict.fromkeys(FLAG_KEYS, ("1", '"yes"'))
TYPE_KEYS = {key: values for key, values in UNIT_KEYS.items() if key in TypeEntry.model_fields}
TABLE_KEYS: dict[str, tuple[str, ...]] = {
    "width": (*NO_NUMBER, "0", "-1", "1e9"), "depth": (*NO_NUMBER, "0", "-0.5", "2001"),
    "figure_scale": (*NO_TEXT, '"1/77"', '""'), "inches_per_hex": (*NO_NUMBER, "0", "-2", "1e9"),
    "inches_per_mp": (*NO_NUMBER, "0", "-2", "1e9"), "place": NO_TABLE,
}  # fmt: skip
PLACE_KEYS: dict[str, tuple[str, ...]] = {
    "centre": (*NO_PLACE, "[190, 1]", "[1, 91]"), "bearing": (*NO_NUMBER, "361"),
    "scale": (*NO_TEXT, '"25"', '"1in"', '"1:0"', '""'), "exaggeration": (*NO_NUMBER, "0", "-1"),
    "level_heights": (*NO_LIST, "[nan]", '["x"]', "[1e9]", "[20, 10]", "[10, 10]"),
    "credit": (*NO_TEXT, '""', '" "', r'"two\nlines"', f'"{"x" * 201}"'),
}  # fmt: skip
TERRAIN_KEYS: dict[str, tuple[str, ...]] = {
    "id": NO_ID, "kind": (*NO_TEXT, '"wodos"', '""'), "level": NO_WHOLE, "box": NO_BOX, "outline": NO_RING,
    "holes": (*NO_LIST, "[3]", "[[]]", "[[[0, 0], [1, 1]]]"), "circle": NO_CIRCLE,
    "line": (*NO_LIST, "[]", "[[1, 1]]", "[[1, 1], 3]", "[[1, 1], [2, nan]]"), "storeys": (*NO_WHOLE, "0"),
    "base": NO_WHOLE, "slope": NO_FLAG, "material": (*NO_TEXT, '"paper"'),
}  # fmt: skip
SMOKE_KEYS: dict[str, tuple[str, ...]] = {
    "id": NO_ID, "circle": NO_CIRCLE, "box": NO_BOX, "outline": NO_RING, "by": NO_TEXT,
    "until_turn": tuple(value for value in NO_WHOLE if value != "1000"),
}  # fmt: skip

LANE_KEYS: dict[str, tuple[str, ...]] = {
    "id": NO_ID, "line": (*NO_LIST, "[]", "[[1, 1]]", "[[1, 1], 3]", "[[1, 1], [2, nan]]"), "side": NO_TEXT,
    "width": (*NO_NUMBER, "-1", "1e9"), "area": NO_RING,
}  # fmt: skip


def wrong(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Every key with each of its wrong values."""
    return [(key, value) for key, values in table.items() for value in values]


def with_key(table: str, key: str, value: str) -> str:
    """A table of a scenario with one key at a value, the keys it must have and no second shape."""
    must = {
        "table": {"width": "60", "depth": "40"},
        "table.place": {"centre": "[1, 1]", "scale": '"1in=25m"'},
        "terrain": {"id": '"w"', "kind": '"woods"', "box": "[1, 1, 2, 2]"},
        "smoke": {"id": '"s"', "box": "[1, 1, 2, 2]"},
        "lane": {"id": '"l"', "line": "[[1, 1], [2, 2]]"},
        "unit": {"id": '"T1"', "side": '"allied"', "kind": '"vehicle"', "at": "[9, 9]"},
        "types.t": {"kind": '"vehicle"'},
    }[table]
    if table in ("terrain", "smoke") and key in ("outline", "circle", "line"):
        must.pop("box")
    if table == "terrain" and key in ("level", "storeys", "line"):
        must["kind"] = {"level": '"hill"', "storeys": '"building"', "line": '"wall"'}[key]
    if key == "holes":
        must = {"id": '"w"', "kind": '"woods"', "outline": "[[0, 0], [4, 0], [4, 4], [0, 4]]"}
    must.pop(key, None)
    head = f"[{table}]" if table in ("table", "table.place", "types.t") else f"[[{table}]]"
    return "\n".join([head, *(f"{k} = {v}" for k, v in must.items()), f"{HERE}{key} = {value}", ""])


def one_at_key(tmp_path: Path, marked: str, path: str) -> None:
    """Exactly one message, on the line of the key, that says what was expected there."""
    text, place = place_of(marked)
    messages = refused(write(tmp_path, text))
    assert len(messages) == 1, messages
    line = place.split(":")[0]
    assert messages[0].startswith(f"{line}:"), f"expected line {line}: {messages[0]}"
    where, _, said = messages[0].partition(": ")[2].partition(": ")
    assert where.split(" ")[0].startswith(path), messages[0]
    known = ("expected", "there is no", "is missing", "above", "needs")
    assert any(word in said for word in known), f"says not what was expected: {messages[0]}"
    for word in ("String", "Input should", "Invalid JSON", "datetime.", "a date or time", "{'"):
        assert word not in said, f"the words of a program: {messages[0]}"
    if "is missing" in said:
        assert where.split(" ")[0] != path, f"the key is there: {messages[0]}"


@pytest.mark.parametrize(("key", "value"), wrong(UNIT_KEYS))
def test_every_key_of_a_unit_is_checked(key: str, value: str, tmp_path: Path) -> None:
    """A wrong value of any key of [[unit]] is told at that key with what was expected."""
    one_at_key(tmp_path, TABLE + with_key("unit", key, value), f"unit[0].{key}")


@pytest.mark.parametrize(("key", "value"), wrong(TYPE_KEYS))
def test_every_key_of_a_type_is_checked(key: str, value: str, tmp_path: Path) -> None:
    """A wrong value of any key of [types.NAME] is told there, once, however many units share the type."""
    one = '[[unit]]\nid = "a"\nside = "x"\ntype = "t"\nat = [1, 1]\n'
    two = one + one.replace('"a"', '"b"')
    one_at_key(tmp_path, TABLE + two + with_key("types.t", key, value), f"types.t.{key}")


@pytest.mark.parametrize(("key", "value"), wrong(TERRAIN_KEYS))
def test_every_key_of_terrain_is_checked(key: str, value: str, tmp_path: Path) -> None:
    """A wrong value of any key of [[terrain]] is told at that key with what was expected."""
    one_at_key(tmp_path, TABLE + with_key("terrain", key, value), f"terrain[0].{key}")


@pytest.mark.parametrize(("key", "value"), wrong(SMOKE_KEYS))
def test_every_key_of_smoke_is_checked(key: str, value: str, tmp_path: Path) -> None:
    """A wrong value of any key of [[smoke]] is told at that key with what was expected."""
    one_at_key(tmp_path, TABLE + with_key("smoke", key, value), f"smoke[0].{key}")


@pytest.mark.parametrize(("key", "value"), wrong(LANE_KEYS))
def test_every_key_of_a_lane_is_checked(key: str, value: str, tmp_path: Path) -> None:
    """A wrong value of any key of [[lane]] is told at that key with what was expected."""
    one_at_key(tmp_path, TABLE + with_key("lane", key, value), f"lane[0].{key}")


@pytest.mark.parametrize(("key", "value"), wrong(TABLE_KEYS))
def test_every_key_of_the_table_is_checked(key: str, value: str, tmp_path: Path) -> None:
    """A wrong value of any key of [table] is told at that key with what was expected."""
    one_at_key(tmp_path, with_key("table", key, value), f"table.{key}")


@pytest.mark.parametrize(("key", "value"), wrong(PLACE_KEYS))
def test_every_key_of_the_place_is_checked(key: str, value: str, tmp_path: Path) -> None:
    """A wrong value of any key of [table.place] is told at that key with what was expected."""
    one_at_key(tmp_path, TABLE + with_key("table.place", key, value), f"table.place.{key}")


@pytest.mark.parametrize(
    ("key", "value"),
    wrong(
        {
            "title": (*NO_TEXT, '"a\\nb"', '"\\u001b[31mred"'),
            "tables": NO_TEXT,
            "terrain_from": NO_TEXT,
            "terrain": ("3", '"x"', "{}", "true", "2026-06-13"),
            "smoke": ("3", '"x"', "{}", "2026-06-13"),
            "unit": ("3", '"x"', "{}", "2026-06-13"),
            "types": ("3", '"x"', "[]", "2026-06-13"),
            "switches": ("3", '"x"', "[]", "2026-06-13"),
        }
    ),
)
def test_every_key_of_the_file_is_checked(key: str, value: str, tmp_path: Path) -> None:
    """A wrong value of any key at the head of the file is told at that key with what was expected."""
    one_at_key(tmp_path, f"{HERE}{key} = {value}\n[table]\nwidth = 60\ndepth = 40\n", key)


@pytest.mark.parametrize("value", ["3", '"x"', "true", "[]", "2026-06-13"])
def test_the_table_is_a_table(value: str, tmp_path: Path) -> None:
    """`table` that is no table is told at its key."""
    one_at_key(tmp_path, f"{HERE}table = {value}\n", "table")


@pytest.mark.parametrize("table", ["terrain", "smoke", "unit"])
@pytest.mark.parametrize("item", ["3", '"x"', "[]", "true", "2026-06-13", "nan"])
def test_an_item_that_is_no_table(table: str, item: str, tmp_path: Path) -> None:
    """An item of a list of tables that is no table is told at the item."""
    message = one_mistake(tmp_path, f"{table} = [{HERE}{item}]\n[table]\nwidth = 60\ndepth = 40\n", f"{table}[0]: ")
    assert "expected a table" in message
    assert "a date or time" not in message


def test_the_lists_of_this_test_are_whole() -> None:
    """Every key that the grammar knows is tried above."""
    assert set(UNIT_KEYS) == set(UnitEntry.model_fields)
    assert set(TYPE_KEYS) == set(TypeEntry.model_fields)
    assert set(TERRAIN_KEYS) == set(TerrainEntry.model_fields)
    assert set(SMOKE_KEYS) == set(SmokeEntry.model_fields)
    assert set(LANE_KEYS) == set(LaneEntry.model_fields)
    assert set(TABLE_KEYS) == set(TableEntry.model_fields)
    assert set(PLACE_KEYS) == set(PlaceEntry.model_fields)


# --- unknown and missing keys ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "path", "hint"),
    [
        (f'{HERE}titel = "t"\n[table]\nwidth = 60\ndepth = 40\n', "titel", "'title'"),
        (f"[table]\nwidth = 60\ndepth = 40\n{HERE}widht = 3\n", "table.widht", "'width'"),
        (f'{TABLE}[switches]\n{HERE}graz = "clears"\n', "switches.graz", "'graze'"),
        (f"{TABLE}{WOODS}box = [1, 1, 2, 2]\n{HERE}levle = 2\n", "terrain[0].levle (w)", "'level'"),
        (f"{TABLE}{SMOKE}box = [1, 1, 2, 2]\n{HERE}untill_turn = 2\n", "smoke[0].untill_turn (s)", "'until_turn'"),
        (f"{TABLE}{TANK}{HERE}movd = true\n", "unit[0].movd (T1)", "'moved'"),
        (f'{TABLE}[types.t]\n{HERE}armored = true\nkind = "gun"\n', "types.t.armored", "'armoured'"),
        (
            f"{TABLE}{WOODS}circle = {{ centre = [1, 1], radius = 1, {HERE}radios = 1 }}\n",
            "terrain[0].circle.radios (w)",
            "'radius'",
        ),
        (
            f"{TABLE}{TANK}armour = {{ hull = {{ front = 1, side = 1, rear = 1, {HERE}reer = 1 }} }}\n",
            "unit[0].armour.hull.reer (T1)",
            "'rear'",
        ),
        (
            f'{TABLE}{TANK}weapons = [{{ id = "m", gun = "75", {HERE}ammmo = [] }}]\n',
            "unit[0].weapons[0].ammmo (T1)",
            "'ammo'",
        ),
        (f"{TABLE}{TANK}{HERE}colour = 3\n", "unit[0].colour (T1)", "known: "),
    ],
)
def test_an_unknown_key_names_the_nearest(marked: str, path: str, hint: str, tmp_path: Path) -> None:
    """An unknown key at any level is told at its place with the key that was probably meant."""
    one_mistake(tmp_path, marked, path, hint)


def test_a_known_key_is_never_the_suggestion_for_itself(tmp_path: Path) -> None:
    """`line` in smoke is unknown there, and the suggestion is none of the unknown."""
    message = one_mistake(
        tmp_path, f"{TABLE}{SMOKE}box = [1, 1, 2, 2]\n{HERE}line = [[1, 1], [2, 2]]\n", "smoke[0].line"
    )
    assert "'line'" not in message.split("here")[-1]


@pytest.mark.parametrize(
    ("marked", "path"),
    [
        ('title = "t"\n', "table"),
        (f"{HERE}[table]\nwidth = 60\n", "table.depth"),
        (f"{HERE}[table]\ndepth = 60\n", "table.width"),
        (f'{TABLE}{HERE}[[terrain]]\nkind = "woods"\nbox = [1, 1, 2, 2]\n', "terrain[0].id"),
        (f'{TABLE}{HERE}[[terrain]]\nid = "w"\nbox = [1, 1, 2, 2]\n', "terrain[0].kind (w)"),
        (f"{TABLE}{HERE}[[smoke]]\nbox = [1, 1, 2, 2]\n", "smoke[0].id"),
        (f'{TABLE}{HERE}[[unit]]\nside = "x"\nkind = "gun"\nat = [1, 1]\n', "unit[0].id"),
        (f'{TABLE}{HERE}[[unit]]\nid = "G"\nkind = "gun"\nat = [1, 1]\n', "unit[0].side (G)"),
        (f'{TABLE}{HERE}[[unit]]\nid = "G"\nside = "x"\nkind = "gun"\n', "unit[0].at (G)"),
        (f'{TABLE}{HERE}[[unit]]\nid = "G"\nside = "x"\nat = [1, 1]\n', "unit[0].kind (G)"),
        (f"{TABLE}{WOODS}{HERE}circle = {{ radius = 1 }}\n", "terrain[0].circle.centre (w)"),
    ],
)
def test_a_missing_key_is_named(marked: str, path: str, tmp_path: Path) -> None:
    """A key that must be there is told at the table where it belongs."""
    one_mistake(tmp_path, marked, path, "is missing")


@pytest.mark.parametrize(
    ("marked", "path", "number"),
    [
        (f"{TABLE}{WOODS}{HERE}box = [1, 2, 3]\n", "terrain[0].box", "4"),
        (f"{TABLE}{WOODS}{HERE}box = []\n", "terrain[0].box", "4"),
        (f"{TABLE}{TANK.replace('at = [9, 9]', HERE + 'at = [9]')}", "unit[0].at", "2"),
        (f"{TABLE}{TANK}{HERE}base = [9]\n", "unit[0].base", "2"),
        (f"{TABLE}{WOODS}outline = [[0, 0], [4, 0], {HERE}[4]]\n", "terrain[0].outline[2]", "2"),
    ],
)
def test_too_few_numbers_are_counted(marked: str, path: str, number: str, tmp_path: Path) -> None:
    """A box of three numbers is told how many were expected; the key itself is not called missing."""
    message = one_mistake(tmp_path, marked, path, "expected", number)
    assert "is missing" not in message


# --- what the grammar cannot see -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "path", "words"),
    [
        (f'{TABLE}[[terrain]]\nid = "w"\n{HERE}kind = "woods"\n', "terrain[0].kind (w)", ["box", "outline", "circle"]),
        (
            f'{TABLE}[[terrain]]\nid = "w"\n{HERE}kind = "woods"\nbox = [1, 1, 2, 2]\n{CIRCLE}',
            "terrain[0].kind (w)",
            ["not box and circle"],
        ),
        (
            f'{TABLE}[[terrain]]\nid = "w"\n{HERE}kind = "woods"\nline = [[1, 1], [2, 2]]\n',
            "terrain[0].kind (w)",
            ["not line"],
        ),
        (
            f'{TABLE}[[terrain]]\nid = "w"\n{HERE}kind = "wall"\nbox = [1, 1, 2, 2]\n',
            "terrain[0].kind (w)",
            ["line", "not box"],
        ),
        (f'{TABLE}[[terrain]]\nid = "w"\n{HERE}kind = "hedge"\n', "terrain[0].kind (w)", ["line", "none"]),
        (f"{TABLE}{WOODS}box = [1, 1, 2, 2]\n{HERE}holes = []\n", "terrain[0].holes (w)", ["outline"]),
        (f"{TABLE}{WOODS}box = [1, 1, 2, 2]\n{HERE}level = 1\n", "terrain[0].level (w)", ["woods"]),
        (f"{TABLE}{WOODS}box = [1, 1, 2, 2]\n{HERE}storeys = 1\n", "terrain[0].storeys (w)", ["woods"]),
        (f"{TABLE}{WOODS}box = [1, 1, 2, 2]\n{HERE}slope = true\n", "terrain[0].slope (w)", ["woods"]),
        (
            f'{TABLE}[[terrain]]\nid = "h"\nkind = "hill"\nbox = [1, 1, 2, 2]\nlevel = 1\n{HERE}base = 1\n',
            "terrain[0].base (h)",
            ["hill"],
        ),
        (f'{TABLE}{HERE}[[terrain]]\nid = "h"\nkind = "hill"\nbox = [1, 1, 2, 2]\n', "terrain[0].level (h)", ["level"]),
        (
            f'{TABLE}[[terrain]]\nid = "h"\nkind = "hill"\nbox = [1, 1, 2, 2]\n{HERE}level = 0\n',
            "terrain[0].level (h)",
            ["from 1"],
        ),
        (f"{TABLE}{WOODS}{HERE}box = [1, 1, 1, 4]\n", "terrain[0].box (w)", ["no area"]),
        (f"{TABLE}{WOODS}{HERE}box = [1, 1, 1, 1]\n", "terrain[0].box (w)", ["no area"]),
        (f"{TABLE}{WOODS}{HERE}circle = {{ centre = [1, 1], radius = 0.00001 }}\n", "terrain[0].circle", ["no area"]),
        (f"{TABLE}{WOODS}{HERE}outline = [[0, 0], [1, 1], [2, 2]]\n", "terrain[0].outline (w)", ["no area"]),
        (f"{TABLE}{WOODS}{HERE}outline = [[1, 1], [1, 1], [1, 1]]\n", "terrain[0].outline (w)", ["no area"]),
        (f"{TABLE}{WOODS}{HERE}outline = [[0, 0], [4, 4], [4, 0], [0, 4]]\n", "terrain[0].outline (w)", ["at 2, 2"]),
        (
            f"{TABLE}{WOODS}{HERE}outline = [[0, 0], [4, 0], [4, 4], [4, 0], [0, 4]]\n",
            "terrain[0].outline (w)",
            ["no area"],
        ),
        (f"{TABLE}{WOODS}{SQUARE}{HERE}holes = [[[5, 5], [6, 5], [6, 6]]]\n", "terrain[0].holes", ["outside"]),
        (f"{TABLE}{WOODS}{SQUARE}{HERE}holes = [[[3, 3], [6, 3], [6, 6]]]\n", "terrain[0].holes", []),
        (
            f"{TABLE}{WOODS}{SQUARE}{HERE}holes = [[[1, 1], [3, 1], [3, 3]], [[1, 1], [3, 1], [2, 3]]]\n",
            "terrain[0].holes",
            [],
        ),
        (f"{TABLE}{WOODS}{SQUARE}{HERE}holes = [[[1, 1], [2, 2], [3, 3]]]\n", "terrain[0].holes", ["no area"]),
        (
            f'{TABLE}[[terrain]]\nid = "w"\nkind = "wall"\n{HERE}line = [[1, 1], [1, 1]]\n',
            "terrain[0].line (w)",
            ["no length"],
        ),
        (f"{TABLE}{HERE}{SMOKE}", "smoke[0] (s)", ["circle", "box", "outline"]),
        (
            f"{TABLE}{HERE}{SMOKE}box = [1, 1, 2, 2]\ncircle = {{ centre = [1, 1], radius = 1 }}\n",
            "smoke[0] (s)",
            ["not box and circle"],
        ),
        (f"{TABLE}{SMOKE}{HERE}box = [1, 1, 2, 1]\n", "smoke[0].box (s)", ["no area"]),
        (f"{TABLE}{SMOKE}{HERE}outline = [[0, 0], [4, 4], [4, 0], [0, 4]]\n", "smoke[0].outline (s)", ["at 2, 2"]),
        (
            f'{TABLE}[[terrain]]\nid = "h"\nkind = "hill"\nlevel = 1\nbox = [10, 10, 20, 20]\n'
            f'{HERE}[[terrain]]\nid = "house"\nkind = "building"\nbox = [18, 12, 22, 14]\n',
            "terrain[1].base (house)",
            ["h", "name the base"],
        ),
    ],
)
def test_a_shape_that_is_none(marked: str, path: str, words: list[str], tmp_path: Path) -> None:
    """Shapes that do not go with their kind, or that enclose nothing, are told at the key that is wrong."""
    one_mistake(tmp_path, marked, path, *words)


LANE = '[[lane]]\nid = "l"\n'
FIELD = "area = [[0, 0], [20, 0], [20, 20], [0, 20]]\n"


@pytest.mark.parametrize(
    ("marked", "path", "words"),
    [
        (f"{TABLE}{LANE}{HERE}line = [[1, 1], [1, 1]]\n", "lane[0].line (l)", ["no length"]),
        (f"{TABLE}{LANE}{HERE}line = [[1, 1], [61, 1]]\n", "lane[0].line (l)", ["61, 1 is off the table"]),
        (f"{TABLE}{LANE}line = [[1, 1], [9, 9]]\n{HERE}width = 2\n{FIELD}", "lane[0].width (l)", ["not both"]),
        (f"{TABLE}{LANE}line = [[1, 1], [9, 9]]\n{FIELD}{HERE}width = 0\n", "lane[0].width (l)", ["not both"]),
        (
            f"{TABLE}{LANE}line = [[1, 1], [9, 9]]\n{HERE}area = [[0, 0], [9, 9], [5, 5]]\n",
            "lane[0].area (l)",
            ["no area"],
        ),
        (
            f"{TABLE}{LANE}line = [[5, 1], [5, 2]]\n{HERE}area = [[0, 0], [9, 9], [9, 0], [0, 9]]\n",
            "lane[0].area (l)",
            ["no area", "at 4 1/2, 4 1/2"],
        ),
        (
            f"{TABLE}{LANE}{HERE}line = [[5, 5], [15, 5], [15, 30]]\n{FIELD}",
            "lane[0].line (l)",
            ["area", "from 15, 20 on"],
        ),
        (f"{TABLE}{LANE}{HERE}line = [[30, 5], [40, 5]]\n{FIELD}", "lane[0].line (l)", ["from 30, 5 on"]),
        (
            f"{TABLE}{LANE}{HERE}line = [[1, 9], [19, 9]]\narea = [[0, 0], [20, 0], [20, 20], [16, 20], [16, 2], "
            "[14, 2], [14, 20], [10, 20], [10, 2], [8, 2], [8, 20], [0, 20]]\n",
            "lane[0].line (l)",
            ["from 8, 9 on"],
        ),
    ],
)
def test_a_lane_that_cannot_be(marked: str, path: str, words: list[str], tmp_path: Path) -> None:
    """A lane stays on the table and in its area, which is one, and has no width beside it."""
    one_mistake(tmp_path, marked, path, *words)


def test_all_mistakes_of_a_lane_at_once(tmp_path: Path) -> None:
    """A width beside an area, a line that leaves it and the table, and a side that nobody is of: each is told."""
    text = f'{TABLE}{GUN}{LANE}side = "allied"\nline = [[5, 5], [70, 5]]\nwidth = 1\n{FIELD}'
    found = refused(write(tmp_path, text))
    for words in ("no side 'allied'", "70, 5 is off the table", "outside the area from 20, 5 on", "not both"):
        assert any(words in line for line in found), found
    assert len(found) == 4


def test_a_line_on_the_edge_of_its_area_is_fine(tmp_path: Path) -> None:
    """To run along the edge is to stay in it, and an area may reach over the edge of the table."""
    lane = f"{LANE}line = [[0, 0], [20, 0], [20, 20]]\n"
    for area in (FIELD, FIELD.replace("[0, 20]", "[-9, 50]")):
        assert ask("check", write(tmp_path, TABLE + lane + area)).status == 0


def test_a_house_across_two_levels_is_fine_with_its_base(tmp_path: Path) -> None:
    """The same house with the base it stands on is accepted."""
    text = f'{TABLE}[[terrain]]\nid = "h"\nkind = "hill"\nlevel = 1\nbox = [10, 10, 20, 20]\n{HOUSE}base = 1\n'
    assert ask("check", write(tmp_path, text.replace("[4, 4, 6, 6]", "[18, 12, 22, 14]"))).status == 0


@pytest.mark.parametrize(
    ("marked", "path", "words"),
    [
        (f"{TABLE}{GUN.replace('at = [5, 5]', HERE + 'at = [61, 5]')}", "unit[0].at (G1)", ["61, 5", '60" by 40"']),
        (f"{TABLE}{GUN.replace('at = [5, 5]', HERE + 'at = [5, -0.001]')}", "unit[0].at (G1)", ["off the table"]),
        (f'{TABLE}{TANK}{HERE}tow = "G7"\n{GUN}', "unit[0].tow (T1)", ["'G7'", "G1"]),
        (f'{TABLE}{TANK}{HERE}carries = ["G1", "I9"]\n{OUR_GUN}', "unit[0].carries", ["'I9'"]),
        (f'{TABLE}{TANK}{HERE}sighted_by = ["T9"]\n', "unit[0].sighted_by", ["'T9'", "T1"]),
        (f'{TABLE}{SMOKE}box = [1, 1, 2, 2]\n{HERE}by = "T9"\n{TANK}', "smoke[0].by (s)", ["'T9'", "T1"]),
        (f'{TABLE}{TANK}{HERE}tow = "T1"\n', "unit[0].tow (T1)", ["itself"]),
        (f'{TABLE}{TANK}{HERE}carries = ["T1"]\n', "unit[0].carries (T1)", ["itself"]),
        (f'{TABLE}{TANK}{HERE}sighted_by = ["T1"]\n', "unit[0].sighted_by (T1)", ["itself"]),
        (f'{TABLE}{GUN}{HERE}tow = "T1"\n{TANK.replace("allied", "axis")}', "unit[0].tow (G1)", ["vehicle"]),
        (f'{TABLE}{TANK}{HERE}tow = "G1"\n{GUN}', "unit[0].tow (T1)", ["another side"]),
        (
            f'{TABLE}{TANK}{HERE}tow = "G1"\n{GUN.replace("axis", "allied").replace("gun", "infantry")}',
            "unit[0].tow (T1)",
            ["infantry"],
        ),
        (
            f'{TABLE}{OUR_GUN}{TANK}tow = "G1"\n{TANK_2}{HERE}tow = "G1"\n',
            "unit[2].tow (T2)",
            ["G1", "T1"],
        ),
        (
            f'{TABLE}{OUR_GUN}{TANK}carries = ["G1"]\n{TANK_2}{HERE}carries = ["G1"]\n',
            "unit[2].carries (T2)",
            ["G1", "T1"],
        ),
        (f'{TABLE}{TANK}carries = ["G1"]\n{HERE}tow = "G1"\n{OUR_GUN}', "unit[0].", ["G1"]),
        (f'{TABLE}{TANK}{HERE}carries = ["G1", "G1"]\n{OUR_GUN}', "unit[0].carries (T1)", ["G1"]),
        (f'{TABLE}{TANK}token = "A"\n{TANK_2}{HERE}token = "A"\n', "unit[1].token (T2)", ["'A'", "T1"]),
        (f'{TABLE}{TANK}hidden = true\n{HERE}token = "A"\n', "unit[0].token (T1)", ["hidden"]),
        (f"{TABLE}{TANK}hidden = true\n{HERE}dummy = true\n", "unit[0].dummy (T1)", ["hidden"]),
        (f"{TABLE}{TANK}{HERE}storey = 0\n", "unit[0].storey (T1)", ["no building"]),
        (f"{TABLE}{TANK}{HERE}roof = true\n", "unit[0].roof (T1)", ["no building"]),
        (f"{TABLE}{HOUSE}{GUN}{HERE}storey = 2\n", "unit[0].storey (G1)", ["house", "not 2"]),
        (f"{TABLE}{HOUSE}{GUN}roof = true\n{HERE}storey = 0\n", "unit[0].storey (G1)", ["house", "roof", "not 0"]),
        (f'{TABLE}{TANK}{HERE}type = "tigr"\n[types.tiger]\nkind = "vehicle"\n', "unit[0].type (T1)", ["'tiger'"]),
        (f"{TABLE}{TANK}{HERE}base = [0, 1]\n", "unit[0].base (T1)", ["0 for a point"]),
        (
            f"{TABLE}{TYPED}{HERE}base = [0, 1]\n",
            "types.t.base",
            ["0 for a point"],
        ),
        (
            f'{TABLE}{TYPED}{HERE}size = "lareg"\n',
            "types.t.size",
            ["'large'"],
        ),
    ],
)
def test_units_that_cannot_be(marked: str, path: str, words: list[str], tmp_path: Path) -> None:
    """Units off the table, unknown names, transport, tokens and storeys that do not fit are told at their key."""
    one_mistake(tmp_path, marked, path, *words)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("graze", '"maybe"', ["'blocks'", "'clears'", "'maybe'"]),
        ("graze", "1", ["'blocks'"]),
        ("graze", "[]", ["'blocks'"]),
        ("graze", "2026-06-13", ["'blocks'", "2026-06-13"]),
        ("graze", "true", ["'blocks'", "true"]),
        ("touch_tolerance", "9", ["0 to 0.5", "9"]),
        ("touch_tolerance", "-0.1", ["0 to 0.5"]),
        ("touch_tolerance", "nan", ["0 to 0.5"]),
        ("touch_tolerance", "inf", ["0 to 0.5"]),
        ("touch_tolerance", "true", ["0 to 0.5", "true"]),
        ("touch_tolerance", '"0.1"', ["0 to 0.5"]),
        ("touch_tolerance", "{ a = 1 }", ["0 to 0.5"]),
        ("spotter_scale", '"2/0"', ["fraction"]),
        ("spotter_scale", '"0/3"', ["above 0|more than 0"]),
        ("spotter_scale", '"-1/3"', ["above 0|more than 0"]),
        ("spotter_scale", '"two thirds"', ["fraction"]),
        ("spotter_scale", "nan", ["fraction"]),
        ("spotter_scale", "inf", ["fraction"]),
        ("spotter_scale", "true", ["fraction"]),
        ("spotter_scale", "[1]", ["fraction"]),
        ("spotter_scale", '"1e99"', ["10|fraction"]),
    ],
)
def test_switches_take_their_values_only(name: str, value: str, words: list[str], tmp_path: Path) -> None:
    """A switch at a value that it does not take is told with those it does."""
    message = one_mistake(tmp_path, f"{TABLE}[switches]\n{HERE}{name} = {value}\n", f"switches.{name}: ")
    for word in words:
        assert any(choice in message for choice in word.split("|")), message
    assert "datetime" not in message


def test_ids_are_taken_once_across_terrain_smoke_and_units(tmp_path: Path) -> None:
    """An id that stands twice is told at each later place with the line of the first."""
    text = (
        f'{TABLE}[[terrain]]\nid = "x"\nkind = "woods"\nbox = [1, 1, 2, 2]\n'
        '[[smoke]]\nid = "x"\nbox = [1, 1, 2, 2]\n[[unit]]\nid = "x"\nside = "a"\nkind = "gun"\nat = [1, 1]\n'
        '[[terrain]]\nid = "x"\nkind = "road"\nbox = [1, 1, 2, 2]\n'
    )
    messages = refused(write(tmp_path, text))
    assert len(messages) == 3
    for message, place in zip(messages, ("10:1: smoke[0].id", "13:1: unit[0].id", "18:1: terrain[1].id"), strict=True):
        assert message.startswith(f"{place} (x)")
        assert "taken" in message


# --- all at once, and no mistake that is none ------------------------------------------------------------------------


def test_all_mistakes_of_a_file_at_once(tmp_path: Path) -> None:
    """Eleven mistakes of every sort are eleven messages in the order of the file."""
    marked = (
        f'{HERE}titel = "t"\n'
        f"[table]\n{HERE}width = -1\ndepth = 40\n"
        f'[switches]\n{HERE}graze = "x"\n{HERE}smok = "line"\n'
        f'[[terrain]]\nid = "a"\n{HERE}kind = "wods"\nbox = [1, 1, 2, 2]\n'
        f'[[terrain]]\nid = "b"\nkind = "woods"\n{HERE}outline = [[0, 0], [4, 4], [4, 0], [0, 4]]\n'
        f'[[terrain]]\nid = "c"\nkind = "woods"\nbox = [1, {HERE}nan, 2, 2]\n'
        f'[[smoke]]\nid = "s"\nbox = [1, 1, 2, 2]\n{HERE}by = "nobody"\n'
        f'[types.t]\n{HERE}kind = "tank"\n'
        f'[[unit]]\nid = "T1"\nside = "x"\nkind = "gun"\nat = [1, 1]\n{HERE}storey = 1\n{HERE}tow = "T9"\n'
    )
    places = []
    parts = marked.split(HERE)
    for count in range(1, len(parts)):
        places.append(place_of("".join(parts[:count]) + HERE)[1])
    messages = refused(write(tmp_path, "".join(parts)))
    told = [":".join(message.split(":")[:2]) for message in messages]
    assert set(places) <= set(told)
    assert told == sorted(told, key=lambda place: tuple(int(part) for part in place.split(":")))


@pytest.mark.parametrize(
    "text",
    [
        f'{TANK}tow = "G1"\n{OUR_GUN}fierd = true\n',
        f'{TANK}carries = ["G1"]\n{OUR_GUN}size = "huge"\n',
        f'{TANK}sighted_by = ["G1"]\n{GUN}type = "flak"\n',
        f'{SMOKE}box = [1, 1, 2, 2]\nby = "G1"\n{GUN}facing = "north"\n',
        f'{SMOKE}box = [1, 1, 2, 2]\nby = "G1"\n{GUN.replace("kind", "# kind")}',
        f"{HOUSE}stories = 2\n{GUN}storey = 1\n",
        f"{HOUSE.replace('building', 'buildign')}{GUN}roof = true\n",
        f"{HOUSE.replace('[4, 4, 6, 6]', '[4, 4, 6]')}{GUN}roof = true\n",
        f"{TANK}dummy = true\nhidden = true\n",
        f"{TANK}base = [nan, 1]\n",
    ],
)
def test_one_mistake_brings_no_second_that_is_none(text: str, tmp_path: Path) -> None:
    """What refers to a piece with a mistake is no mistake itself: the piece is there, only mistyped."""
    messages = refused(write(tmp_path, TABLE + text))
    assert len(messages) == 1, messages


@pytest.mark.parametrize(
    "text",
    [
        f"{TANK}movd = true\n".replace("[9, 9]", "[99, 9]"),
        f'{TANK}type = "tigr"\n'.replace("[9, 9]", "[99, 9]"),
        f'{TANK}size = "huge"\ntow = "nobody"\n',
        f"{WOODS}box = [1, 1, 1, 1]\nlevel = 1\n",
        f"{WOODS}outline = [[0, 0], [4, 4], [4, 0], [0, 4]]\nlevel = 1\n",
    ],
)
def test_two_mistakes_of_one_piece_are_told_together(text: str, tmp_path: Path) -> None:
    """A typing error in a piece does not keep back what else is wrong with it."""
    messages = refused(write(tmp_path, TABLE + text))
    assert len(messages) == 2, messages


# --- where it stands -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "path"),
    [
        (f"table = {{ width = 60, {HERE}depth = nan }}\n", "table.depth"),
        (f"table.width = 60\n{HERE}table.depth = nan\n", "table.depth"),
        (f'"table" = {{ "width" = 60, {HERE}"depth" = nan }}\n', "table.depth"),
        (f"['table']\nwidth = 60\n{HERE}'depth' = nan\n", "table.depth"),
        (f'["ta\\u0062le"]\nwidth = 60\n{HERE}"d\\u0065pth" = nan\n', "table.depth"),
        (f"[ table ]  # ] a comment [\n  width = 60 # = \n\t{HERE}depth = nan\n", "table.depth"),
        (f'title = """]] [unit] = """\n[table]\nwidth = 60\n{HERE}depth = nan\n', "table.depth"),
        (f"title = '''it's ]] '''\n[table]\nwidth = 60\n{HERE}depth = nan\n", "table.depth"),
        (
            f'{TABLE}[[terrain]]\nid = "]]"\nkind = "woods"\nbox = [ # [\n 1, 2,\n # nan,\n 3,\n  {HERE}nan,\n]\n',
            "terrain[0].box[3]",
        ),
        (
            f'unit = [\n {{ id = "a", side = "x", kind = "gun", at = [1, 1] }},\n'
            f' {{ id = "b", side = "x", kind = "gun", at = [1, {HERE}nan] }},\n]\n[table]\nwidth = 60\ndepth = 40\n',
            "unit[1].at[1] (b)",
        ),
        (
            f'{TABLE}{GUN}[[unit.weapons]]\nid = "m"\ngun = "75"\n[[unit.weapons]]\nid = "n"\n{HERE}gun = 75\n',
            "unit[0].weapons[1].gun (G1)",
        ),
        (
            f'{TABLE}[types.t.armour.hull]\nfront = 1\nside = 1\n{HERE}rear = -1\n[types.t]\nkind = "gun"\n',
            "types.t.armour.hull.rear",
        ),
        (f'{TABLE}[types."m 4"]\n{HERE}kind = "tank"\n', "types.m 4.kind"),
        (f'{TABLE}["types"."M4 \\"Easy 8\\""]\n{HERE}kind = "tank"\n', 'types.M4 "Easy 8".kind'),
        (f'{TABLE}[[unit]]\nid = "Ü"\nside = "ä"\nkind = "gun"\nat = [1, {HERE}nan]\n', "unit[0].at[1] (Ü)"),
    ],
)
def test_the_place_is_right_however_it_is_typed(marked: str, path: str, tmp_path: Path) -> None:
    """Inline tables, dotted and quoted keys, comments and long texts do not shift the line and the column."""
    one_mistake(tmp_path, marked, path)


@pytest.mark.parametrize("head", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_byte_order_marks(head: str, end: str, tmp_path: Path) -> None:
    """A file of another editor is read alike, and its mistakes are at the same place."""
    text = f"{TABLE}{GUN}".replace("\n", end)
    assert ask("check", write(tmp_path, head + text)).status == 0
    messages = refused(write(tmp_path, head + text.replace("[5, 5]", "[5, nan]")))
    assert [m.split(" (")[0] for m in messages] == ["9:10: unit[0].at[1]"] or messages[0].startswith("9:"), messages
    assert messages[0].startswith("9:10: unit[0].at[1] (G1)")


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        (f"[table{HERE}\nwidth = 60\n", []),
        (f"[table]\nwidth = {HERE}\n", []),
        (f"[table]\nwidth = 60{HERE} depth = 40\n", []),
        (f"[table]\nwidth = {HERE}12 1/4\n", []),
        (f"[table]\nwidth = 60\nwidth = 6{HERE}1\n", []),
        (f'title = "no end{HERE}\n[table]\n', []),
        (f"[table]\nwidth = 60\n[table{HERE}]\n", []),
        (f"hello{HERE} world\n", []),
        (f"unit = [1, 2{HERE}", []),
        (f"a = 007{HERE}\n", []),
    ],
)
def test_what_is_no_toml_is_told_with_its_line(marked: str, words: list[str], tmp_path: Path) -> None:
    """A file that is no TOML is told with the line where the reading stopped, and what was expected."""
    text, place = place_of(marked)
    messages = refused(write(tmp_path, text))
    assert len(messages) == 1
    line, column, rest = messages[0].split(":", 2)
    assert line.isdigit(), messages
    assert column.isdigit(), messages
    assert abs(int(line) - int(place.split(":")[0])) <= 1, messages
    assert "expected a scenario file" in rest


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 10_000 + "]" * 10_000 + "\n",
        "a = " + "[" * 10_000,
        "a = " + "{ a = " * 3_000 + "1" + " }" * 3_000,
        "a" + ".a" * 10_000 + " = 1\n",
        "[a" + ".a" * 10_000 + "]\n",
        *(f"{TABLE}{TANK.replace('[9, 9]', '[' * deep + ']' * deep)}" for deep in (100, 180, 220, 300, 500, 900)),
        f"{TABLE}{TANK}facing = {'[' * 220}{']' * 220}\n",
    ],
    ids=lambda text: f"{len(text)} characters",
)
def test_deep_nesting_is_refused_in_words(text: str, tmp_path: Path) -> None:
    """Ten thousand brackets are refused like any other nonsense."""
    for message in refused(write(tmp_path, text)):
        assert "expected" in message
        assert "Invalid JSON" not in message, message
        assert len(message) < 400


@pytest.mark.parametrize("digits", [20, 400, 5_000])
@pytest.mark.parametrize("sign", ["", "-"])
def test_very_long_numbers_are_refused_in_words(digits: int, sign: str, tmp_path: Path) -> None:
    """A number of thousands of digits is refused like any other that is too great."""
    (message,) = refused(write(tmp_path, f"[table]\nwidth = {sign}{'9' * digits}\ndepth = 40\n"))
    assert "expected" in message
    assert len(message) < 400


def test_a_message_stays_short(tmp_path: Path) -> None:
    """A value of a thousand characters is cut in the message."""
    (message,) = refused(write(tmp_path, f'{TABLE}{TANK}facing = "{"x" * 1000}"\n'))
    assert len(message) < 200


def test_no_control_character_reaches_the_terminal(tmp_path: Path) -> None:
    """A text with escapes cannot paint the judge's screen or forge a line of the answer."""
    for key in ("id", "side", "kind", "type", "token"):
        text = f'{TABLE}[[unit]]\nid = "T1"\nside = "x"\nat = [1, 1]\n'
        text = (
            text.replace('id = "T1"\n', "")
            if key == "id"
            else text.replace('side = "x"\n', "")
            if key == "side"
            else text
        )
        messages = refused(write(tmp_path, f'{text}{key} = "\\u001b[31ma\\nforged: fine."\n'))
        assert not any("\x1b" in message for message in messages), messages


# --- files of other programs, and no files ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty", b""),
        ("blank", b" \n\t\n\r\n"),
        ("bom", b"\xef\xbb\xbf"),
        ("json", b'{"table": {"width": 60, "depth": 40}}\n'),
        ("xml", b'<?xml version="1.0"?>\n<table width="60"/>\n'),
        ("html", b"<!doctype html><title>table</title>"),
        ("yaml", b"table:\n  width: 60\n"),
        ("csv", b"id;side;x;y\nT1;allied;10;10\n"),
        ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("sqlite", b"SQLite format 3\0\x10\0\x01\x01\0"),
        ("zip", b"PK\x03\x04\x14\0\0\0\x08\0"),
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0"),
        ("pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
        ("utf-16", "[table]\nwidth = 60\n".encode("utf-16")),
        ("latin-1", '[table]\nwidth = 60\ndepth = 40\ntitle = "Hügel"\n'.encode("latin-1")),
        ("nul", b"[table]\0\nwidth = 60\n"),
        ("only a comment", b"# a scenario, some day\n"),
        ("ini", b"[table]\nwidth: 60\n"),
        ("garbage", random.Random(5).randbytes(4096)),
    ],
)
def test_files_of_other_programs(name: str, data: bytes, tmp_path: Path) -> None:
    """Whatever another program wrote is refused in one line that says what was expected."""
    path = tmp_path / "s.toml"
    path.write_bytes(data)
    messages = refused(path)
    assert len(messages) == 1
    assert ("is damaged" if name == "sqlite" else "expected a scenario file") in messages[0]


def test_a_directory_and_a_missing_file(tmp_path: Path) -> None:
    """A directory, a file that is not there and a path through a file are told apart from a bad scenario."""
    assert "directory" in refused(tmp_path)[0]
    assert "no such file" in refused(tmp_path / "nowhere.toml")[0]
    assert "expected a scenario file" in refused(tmp_path / "nowhere.toml")[0]
    assert refused(write(tmp_path, TABLE) / "inner.toml")
    assert refused(tmp_path / ("x" * 300))


def test_a_sparse_file_of_200_mb_is_refused_at_once(tmp_path: Path) -> None:
    """A file far too large is refused by its size, without being read."""
    path = tmp_path / "s.toml"
    path.touch()
    os.truncate(path, 200 * 2**20)
    (message,) = refused(path)
    assert "200 MB" in message


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be read is told with the system's reason."""

    def no_entry(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    path = write(tmp_path, TABLE)
    monkeypatch.setattr(Path, "read_bytes", no_entry)
    (message,) = refused(path)
    assert "cannot be read" in message
    assert "Permission denied" in message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_no_scenario(tmp_path: Path) -> None:
    """A named pipe does not make the program wait for ever."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert refused(path)


@pytest.mark.parametrize(
    "name", ["two words.toml", "Höhe 213 – früh.toml", 'scénario\'s "best".toml', "-x.toml", "no-suffix"]
)
def test_file_names_with_blanks_and_umlauts(name: str, tmp_path: Path) -> None:
    """The name of the file stands in the message as it was typed, and a good one is read."""
    assert ask("check", "--", write(tmp_path, TABLE + GUN, name)).status == 0
    messages = refused(write(tmp_path, TABLE + GUN + "movd = true\n", name))
    assert messages[0].startswith("10:1: unit[0].movd (G1)")


# --- terrain from GeoJSON --------------------------------------------------------------------------------------------

RING = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]
POLYGON = {"type": "Polygon", "coordinates": [RING]}


def feature(geometry: Any, **keys: Any) -> dict[str, Any]:
    """A feature with its keys as properties."""
    return {"type": "Feature", "geometry": geometry, "properties": keys}


def with_ground(tmp_path: Path, data: Any) -> tuple[Path, Path]:
    """A scenario that takes its terrain from a GeoJSON file, and that file."""
    ground = tmp_path / "ground.geojson"
    if isinstance(data, bytes):
        ground.write_bytes(data)
    else:
        ground.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return write(tmp_path, f'terrain_from = "ground.geojson"\n{TABLE}'), ground


def ground_refused(tmp_path: Path, data: Any) -> list[str]:
    """The messages of a GeoJSON file, each without its name."""
    scenario, ground = with_ground(tmp_path, data)
    answer = ask("check", scenario)
    assert (answer.status, answer.out) == (2, "")
    for line in answer.lines:
        assert line.startswith(str(ground)), line
    return [line.removeprefix(str(ground)).removeprefix(":").strip() for line in answer.lines]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("{", ["not JSON"]),
        ("", ["empty"]),
        ("[]", ["FeatureCollection"]),
        ("3", ["FeatureCollection"]),
        ('{"type": "Feature"}', ["FeatureCollection"]),
        ('{"type": "FeatureCollection"}', ["FeatureCollection"]),
        ('{"type": "FeatureCollection", "features": 3}', ["FeatureCollection"]),
        ("[" * 100_000, ["nested"]),
        (b"\x89PNG\r\n", ["not text"]),
        ('{"type": "FeatureCollection", "features": [' + "9" * 5_000 + "]}", []),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_geojson_that_is_none(data: str | bytes, words: list[str], tmp_path: Path) -> None:
    """A file that is no FeatureCollection is refused in one line that says what was expected."""
    (message,) = ground_refused(tmp_path, data)
    for word in ("expected", *words):
        assert word in message, message


@pytest.mark.parametrize(
    ("item", "path", "words"),
    [
        (3, "features[0]: ", ["expected a feature"]),
        (None, "features[0]: ", ["expected a feature"]),
        (feature(None, id="a", kind="woods"), "features[0]", ["geometry"]),
        (
            feature({"type": "Point", "coordinates": [1, 1]}, id="a", kind="woods"),
            "features[0].geometry (a)",
            ["Polygon", "'Point'"],
        ),
        (feature({"type": "Polygon"}, id="a", kind="woods"), "features[0].geometry (a)", ["coordinates"]),
        (feature({"type": "Polygon", "coordinates": []}, id="a", kind="woods"), "features[0].geometry (a)", ["rings"]),
        (feature({"type": "Polygon", "coordinates": [3]}, id="a", kind="woods"), "features[0].geometry (a)", ["rings"]),
        (
            feature({"type": "MultiPolygon", "coordinates": [3]}, id="a", kind="woods"),
            "features[0].geometry (a)",
            ["rings"],
        ),
        (feature({"type": "MultiPolygon", "coordinates": []}, id="a", kind="woods"), "features[0]", []),
        (feature({"type": ["x"], "coordinates": []}, id="a", kind="woods"), "features[0].geometry (a)", []),
        (feature(POLYGON, id="a", kind="wods"), "features[0].kind (a)", ["'woods'"]),
        (feature(POLYGON, id="a", kind="wall"), "features[0].kind (a)", ["line"]),
        (
            feature({"type": "LineString", "coordinates": [[0, 0], [1, 1]]}, id="a", kind="woods"),
            "features[0].kind (a)",
            ["line"],
        ),
        (feature(POLYGON, id="a", kind="woods", levle=1), "features[0].levle (a)", ["'level'"]),
        (feature(POLYGON, kind="woods"), "features[0].id", ["is missing"]),
        (feature(POLYGON, id="a"), "features[0].kind (a)", ["is missing"]),
        (feature(POLYGON, id=3, kind="woods"), "features[0].id", ["text in quotes"]),
        (feature(POLYGON, id="\ud800", kind="woods"), "features[0]", ["expected"]),
        (feature(POLYGON, id="a", kind="hill", level=float("nan")), "features[0].level (a)", ["whole number"]),
        (
            feature({"type": "Polygon", "coordinates": [[[0, 0], [4, float("inf")], [4, 4]]]}, id="a", kind="woods"),
            "features[0].outline[1]",
            ["finite"],
        ),
        (
            feature(
                {"type": "Polygon", "coordinates": [[[0, 0], [4, 4], [4, 0], [0, 4], [0, 0]]]}, id="a", kind="woods"
            ),
            "features[0].outline (a)",
            ["at 2, 2"],
        ),
        (
            feature({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [0, 0]]]}, id="a", kind="woods"),
            "features[0].outline (a)",
            ["3"],
        ),
    ],
)
def test_a_feature_that_is_no_terrain(item: Any, path: str, words: list[str], tmp_path: Path) -> None:
    """A feature with a mistake is told by its place in the list and its id."""
    messages = ground_refused(tmp_path, {"type": "FeatureCollection", "features": [item]})
    assert len(messages) == 1, messages
    assert messages[0].startswith(path), messages
    assert "Invalid JSON" not in messages[0], messages
    for word in words:
        assert word in messages[0], messages


def test_all_mistakes_of_a_geojson_file_at_once(tmp_path: Path) -> None:
    """Mistakes of several features, of their shapes and of their keys, are told together."""
    items = [feature({"type": "Point", "coordinates": [1, 1]}, id="p"), feature(POLYGON, id="a", kind="wods"), 3]
    messages = ground_refused(tmp_path, {"type": "FeatureCollection", "features": items})
    assert [message.split(".")[0].split(":")[0] for message in messages] == [
        "features[0]",
        "features[1]",
        "features[2]",
    ]


def test_a_multipolygon_becomes_numbered_pieces(tmp_path: Path) -> None:
    """The parts of a MultiPolygon are name-1, name-2, and clash with others of that name."""
    from minis.board import read_board

    both = {"type": "MultiPolygon", "coordinates": [[RING], [[[x + 10, y] for x, y in RING]]]}
    scenario, _ = with_ground(
        tmp_path, {"type": "FeatureCollection", "features": [feature(both, id="a", kind="woods")]}
    )
    assert [piece.id for piece in read_board(scenario).terrain] == ["a-1", "a-2"]
    clash = [feature(both, id="a", kind="woods"), feature(POLYGON, id="a-2", kind="woods")]
    (message,) = ground_refused(tmp_path, {"type": "FeatureCollection", "features": clash})
    assert message.startswith("features[1].id (a-2)")


def test_a_missing_geojson_file_is_told(tmp_path: Path) -> None:
    """The message names the GeoJSON file that was looked for, and the scenario's own mistakes come too."""
    path = write(tmp_path, f'terrain_from = "nowhere.geojson"\n{TABLE}{TANK}movd = true\n')
    lines = ask("check", path).lines
    assert len(lines) == 2
    assert any(line.startswith(str(tmp_path / "nowhere.geojson")) and "no such file" in line for line in lines)


@pytest.mark.parametrize("name", ['"a\\u0000b"', '"' + "x" * 5_000 + '"', '""', '"."', '"nowhere"', '"s.toml"'])
@pytest.mark.parametrize("key", ["tables", "terrain_from"])
def test_names_of_other_files_that_are_none(key: str, name: str, tmp_path: Path) -> None:
    """A folder or a file that cannot be is refused in words."""
    answer = ask("check", write(tmp_path, f"{key} = {name}\n{TABLE}"))
    assert (answer.status, answer.out) == (2, "")
    assert all(line.startswith(str(tmp_path)) for line in answer.lines)
    assert not any("\0" in line for line in answer.lines)


# --- the command line, really run ------------------------------------------------------------------------------------


def run(*args: object, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """`python -m minis` in a process of its own."""
    environment = {**os.environ, "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", "minis", *map(str, args)],
        capture_output=True, text=True, encoding="utf-8", check=False, env=environment, timeout=timeout,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{TABLE}{TANK}movd = true\n", [":10:1: unit[0].movd (T1)", "'moved'"]),
        ("[table\n", ["not TOML"]),
        ("", ["empty"]),
        ("a = " + "[" * 10_000, ["nested"]),
        (f"[table]\nwidth = {'9' * 5_000}\ndepth = 40\n", ["expected"]),
    ],
)
def test_a_process_of_its_own_ends_with_status_2(text: str, words: list[str], tmp_path: Path) -> None:
    """Run as a program, bad input is a message on standard error and exit status 2."""
    done = run("check", write(tmp_path, text))
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    for word in (str(tmp_path), *words):
        assert word in done.stderr


def test_a_fraction_with_a_giant_exponent_does_not_hang(tmp_path: Path) -> None:
    """A switch at "1e999999999" is refused at once, not after the hours that the number would take."""
    done = run("check", write(tmp_path, f'{TABLE}[switches]\nspotter_scale = "1e999999999"\n'), timeout=20)
    assert (done.returncode, done.stdout) == (2, "")
    assert "switches.spotter_scale" in done.stderr


def test_every_command_refuses_a_bad_scenario(tmp_path: Path) -> None:
    """Not `check` alone: each command that reads a scenario ends with the same message."""
    path = write(tmp_path, f"{TABLE}{TANK}movd = true\n{GUN}")
    told = ask("check", path).lines
    for command in (["los", "T1", "G1"], ["sight", "T1", "G1"], ["identify", "T1", "G1"], ["measure", "T1", "G1"],
                    ["hulldown", "T1"], ["sweep", "--side", "axis"]):  # fmt: skip
        for more in ([], ["--json"]):
            answer = ask(*command, "-g", path, *more)
            assert (answer.status, answer.out, answer.lines) == (2, "", told), command


# --- fuzz ------------------------------------------------------------------------------------------------------------

WHOLE = f"""{TABLE}figure_scale = "1/76"

[switches]
tape_tolerance = 0.125
graze = "blocks"

[[terrain]]
id = "hill"
kind = "hill"
level = 1
outline = [[30, 5], [36, 5], [36, 15], [30, 15]]
holes = [[[32, 7], [33, 7], [33, 8]]]

[[terrain]]
id = "house"
kind = "building"
storeys = 2
base = 0
box = [4, 4, 6, 6]

[[terrain]]
id = "wall"
kind = "wall"
line = [[0, 10], [20, 12]]

[[smoke]]
id = "smoke"
circle = {{ centre = [40, 20], radius = 3 }}
by = "T1"
until_turn = 4

[types.sherman]
kind = "vehicle"
armoured = true
size = "large"
base = [2.4, 1.2]
armour = {{ hull = {{ front = 8, side = 4, rear = 4 }}, aerial = 4 }}
weapons = [{{ id = "main", gun = "75", ammo = ["AP", "HE"], rof = 1 }}]

[[unit]]
id = "T1"
side = "allied"
type = "sherman"
at = [10, 10]
facing = 90
moved = true
tow = "G2"

[[unit]]
id = "G2"
side = "allied"
kind = "gun"
at = [7, 10]

[[unit]]
id = "P1"
side = "axis"
kind = "infantry"
at = [5, 5]
storey = 1
token = "A7"
sighted_by = ["T1"]

[[unit]]
id = "D1"
side = "axis"
at = [31, 6]
dummy = true
"""

PIECES = (
    "nan", "inf", "-1", "0", "1e400", "true", '""', "[]", "{}", '"T1"', "2026-06-13", "[[1, 1], [1, 1], [1, 1]]", "]",
    "[",
    '"', "=", "#", ",", "\0", "\r", "\x1b", "ä", "‮", "\u2028", "9" * 5_000, "[" * 300, "\\", "'''", '"""', ".",
)  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """The scenario above with a few wounds: characters, lines and values deleted, doubled, replaced."""
    text = WHOLE
    for _ in range(draw(st.integers(1, 4))):
        lines = text.split("\n")
        number = draw(st.integers(0, len(lines) - 1))
        how = draw(st.sampled_from(("drop", "double", "swap", "value", "cut", "insert", "end")))
        if how == "drop":
            del lines[number]
        elif how == "double":
            lines.insert(number, lines[number])
        elif how == "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[number], lines[other] = lines[other], lines[number]
        elif how == "value":
            key, equals, _ = lines[number].partition(" = ")
            lines[number] = key + equals + draw(st.sampled_from(PIECES)) if equals else lines[number]
        elif how == "end":
            lines = lines[: number + 1]
        else:
            at = draw(st.integers(0, len(lines[number])))
            rest = lines[number][at + draw(st.integers(1, 3)) :] if how == "cut" else lines[number][at:]
            put = "" if how == "cut" else draw(st.one_of(st.sampled_from(PIECES), st.characters(codec="utf-8")))
            lines[number] = lines[number][:at] + put + rest
        text = "\n".join(lines)
    return text


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=mutations())
def test_no_wounded_scenario_breaks_the_program(text: str, tmp_path: Path) -> None:
    """Whatever a slip of the hand makes of a file: it is fine, or refused with its name at the head of every line."""
    path = write(tmp_path, text)
    answer = ask("check", path)
    assert answer.status in (0, 2)
    if answer.status == 2:
        assert answer.out == ""
        assert answer.lines
        assert all(line.startswith(str(path)) for line in answer.lines), answer.lines
        assert not any("Invalid JSON" in line for line in answer.lines), answer.lines
        return
    assert ask("sweep", "--side", "allied", "--json", "-g", path).status in (0, 2)


def test_the_scenario_of_the_fuzz_is_fine(tmp_path: Path) -> None:
    """Unwounded, it is accepted: the fuzz starts from something good."""
    assert ask("check", write(tmp_path, WHOLE)).status == 0
