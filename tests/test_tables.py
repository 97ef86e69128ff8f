"""The rule tables: read strictly, overlaid row by row, every number cited; and no number of the rules in code."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import minis
from minis.cli.main import cli
from minis.errors import BadInput
from minis.rules import Rules, load_rules, tables_folder

PACKAGE = Path(minis.__file__).parent
NIGHT = (
    '[[row]]\nid = "night"\nfact = "always"\nlabel = "night"\nvalue = 40\n'
    'unit = "inches"\nrule = "house 1"\nsource = "house"\n'
)
FARTHER = '[[row]]\nid = "automatic-range"\nvalue = 12\nsource = "house"\n'
SCENARIO = """[table]
width = 60
depth = 40

[[unit]]
id = "T1"
side = "allied"
kind = "vehicle"
at = [5, 20]

[[unit]]
id = "V1"
side = "axis"
kind = "vehicle"
at = [30, 20]
"""


def house(tmp_path: Path, **tables: str) -> Path:
    """A folder of house rules: a text for each table; `_` in a name stands for `-`."""
    folder = tmp_path / "house"
    folder.mkdir(exist_ok=True)
    for name, text in tables.items():
        (folder / f"{name.replace('_', '-')}.toml").write_text(text, encoding="utf-8")
    return folder


def refused(folder: Path) -> list[str]:
    """The messages of a house folder that is refused, each with the house file at its head."""
    with pytest.raises(BadInput) as caught:
        load_rules(folder)
    lines = str(caught.value).splitlines()
    assert lines
    for line in lines:
        assert line.startswith(str(folder)), f"names no file of the house: {line}"
    return [line.removeprefix(str(folder)).removeprefix("/") for line in lines]


def ask(*args: object) -> str:
    """The standard output of a command that is answered."""
    result = CliRunner().invoke(cli, [str(arg) for arg in args])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def ask_json(*args: object) -> Any:
    """The answer of a command as data."""
    return json.loads(ask(*args, "--json"))


# --- strict loading --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "path", "words"),
    [
        ('colour = "red"', "row[0].colour (night)", ["no key"]),
        ("vaule = 3", "row[0].vaule (night)", ["'value'"]),
        ('value = "40"', "row[0].value (night)", ["a number", "'40'"]),
        ("value = nan", "row[0].value (night)", ["finite"]),
        ("value = inf", "row[0].value (night)", ["finite"]),
        ("value = true", "row[0].value (night)", ["a number", "true"]),
        ("value = []", "row[0].value (night)", ["a number"]),
        ("value = 1944-06-13", "row[0].value (night)", ["a number", "1944-06-13"]),
        ("label = 3", "row[0].label (night)", ["text"]),
        ('label = ""', "row[0].label (night)", ["not empty"]),
        ('rule = ""', "row[0].rule (night)", ["not empty"]),
        ('unit = ""', "row[0].unit (night)", ["not empty"]),
        ('source = "my uncle"', "row[0].source (night)", ["'house'", "'my uncle'"]),
        ('overlay = "mine"', "row[0].overlay (night)", ["no key"]),
        ('fact = "always on Sundays"', "", ["always on Sundays", "night"]),
        ('fact = "sighter_moove"', "", ["'sighter_moved'", "night"]),
        ("id = 3", "row[0].id", ["text"]),
    ],
)
def test_a_row_of_the_house_is_read_strictly(line: str, path: str, words: list[str], tmp_path: Path) -> None:
    """A wrong value in a row is one message with file, line, path, value and what was expected."""
    key = line.split(" = ")[0]
    text = "".join(part for part in NIGHT.splitlines(keepends=True) if not part.startswith(f"{key} =")) + line + "\n"
    (message,) = refused(house(tmp_path, sighting_modifiers=text))
    assert message.startswith("sighting-modifiers.toml:"), message
    assert message.split(":")[1].isdigit(), f"names no line: {message}"
    for word in (path, *words):
        assert word in message, message


@pytest.mark.parametrize("key", ["id", "fact", "label", "value", "unit", "rule", "source"])
def test_a_new_row_must_be_whole(key: str, tmp_path: Path) -> None:
    """A new row that leaves out any of its keys is refused and the key is named."""
    text = "".join(line for line in NIGHT.splitlines(keepends=True) if not line.startswith(f"{key} ="))
    (message,) = refused(house(tmp_path, sighting_modifiers=text))
    assert f"row[0].{key}" in message
    assert "is missing" in message


def test_a_changed_row_must_say_its_source(tmp_path: Path) -> None:
    """A known row that is changed without a source is told just that, not that it lacks everything else."""
    (message,) = refused(house(tmp_path, sighting='[[row]]\nid = "automatic-range"\nvalue = 12\n'))
    assert "source" in message


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("rows = 3\n", "rows"),
        ('titel = "x"\n', "titel"),
        ("title = 3\n", "title"),
        ("row = 3\n", "[[row]]"),
        ("row = [3]\n", "[[row]]"),
        ('[row]\nid = "x"\n', "[[row]]"),
        ("[[row]\n", "not TOML"),
        ("", "empty"),
        ('[[row]]\nid = "night"\nremove = true\n', "known row"),
        ('[[row]]\nid = "target-moved"\nremove = true\nvalue = 3\n', "nothing else"),
        ('[[row]]\nid = "target-moved"\nremove = "yes"\n', "remove"),
        ('[[row]]\nid = "target-moved"\nremove = 1\n', "remove"),
        ("[[row]]\nremove = true\n", "known row"),
    ],
)
def test_a_file_of_the_house_is_read_strictly(text: str, word: str, tmp_path: Path) -> None:
    """A house file that is no table of rows, or takes out what is not there, is told once."""
    (message,) = refused(house(tmp_path, sighting_modifiers=text))
    assert word in message


def test_an_id_stands_once_in_a_house_file(tmp_path: Path) -> None:
    """The same row twice in one file is refused."""
    (message,) = refused(house(tmp_path, sighting_modifiers=NIGHT + NIGHT))
    assert "twice" in message
    assert "(night)" in message


def test_an_unknown_table_names_the_nearest(tmp_path: Path) -> None:
    """A house file whose name is no table is refused with the nearest name."""
    (message,) = refused(house(tmp_path, sighting_modifers=NIGHT))
    assert "'sighting-modifiers'" in message


@pytest.mark.parametrize(
    ("table", "text", "word"),
    [
        ("shadows", '[[row]]\nid = "one-level"\nabove = 2\nsource = "house"\n', "rise"),
        ("shadows", '[[row]]\nid = "one-level"\nabove = 0.7\nsource = "house"\n', "0.5"),
        ("shadows", '[[row]]\nid = "one-level"\nlength = -1\nsource = "house"\n', "0 or more"),
        ("small-in-cover", '[[row]]\nid = "6-inches"\nup_to = 3\nsource = "house"\n', "rise"),
        ("small-in-cover", '[[row]]\nid = "6-inches"\nstill = 90\nsource = "house"\n', "must not rise"),
        ("small-in-cover", '[[row]]\nid = "6-inches"\nstill = 101\nsource = "house"\n', "100 or less"),
        ("small-in-cover", '[[row]]\nid = "6-inches"\nstill = 50.5\nsource = "house"\n', "whole number"),
        ("sighting", '[[row]]\nid = "max-range"\nremove = true\n', "max-range"),
        ("unit-kinds", '[[row]]\nid = "gun"\nremove = true\n', "gun"),
        ("unit-kinds", '[[row]]\nid = "gun"\ncounts_as = "tiny"\nsource = "house"\n', "'tiny'"),
        ("unit-kinds", '[[row]]\nid = "gun"\nsmall = "sometimes"\nsource = "house"\n', "'by size'"),
        ("sizes", '[[row]]\nid = "average"\nremove = true\n', "average"),
        ("figure-scales", '[[row]]\nid = "1/76"\nremove = true\n', "1/76"),
        ("switches", '[[row]]\nid = "graze"\nremove = true\n', "graze"),
        ("switches", '[[row]]\nid = "graze"\ndefault = "maybe"\nsource = "house"\n', "'blocks'"),
        ("switches", '[[row]]\nid = "touch_tolerance"\ndefault = 9\nsource = "house"\n', "0.5"),
        ("terrain", '[[row]]\nid = "woods"\nheight = "level"\nsource = "house"\n', "level"),
        ("terrain", '[[row]]\nid = "wall"\nown = "depth"\nsource = "house"\n', "depth"),
        ("terrain", '[[row]]\nid = "woods"\nobstacle = "yes"\nsource = "house"\n', "true or false"),
        ("terrain", '[[row]]\nid = "woods"\nheight = 0.3\nsource = "house"\n', "0.5"),
        ("terrain", '[[row]]\nid = "woods"\nheight = "tall"\nsource = "house"\n', "storey"),
    ],
)
def test_what_does_not_fit_together(table: str, text: str, word: str, tmp_path: Path) -> None:
    """Rows that do not rise, needed rows taken out and names that are not there are refused in the house's file."""
    messages = refused(house(tmp_path, **{table: text}))
    assert len(messages) == 1, messages
    assert messages[0].startswith(f"{table}.toml"), messages
    assert word in messages[0]
    assert "Input should" not in messages[0]


def test_all_mistakes_of_a_folder_at_once(tmp_path: Path) -> None:
    """Mistakes of several files come together, a file that is no TOML among them."""
    folder = house(
        tmp_path,
        sighting='[[row]]\nid = "max-range"\nvalue = "far"\nsource = "house"\n',
        shadows="[[row]\n",
        sighting_modifiers=NIGHT.replace("40", "nan") + '[[row]]\nid = "x"\nremove = true\n',
        weather=NIGHT,
    )
    messages = refused(folder)
    assert len(messages) == 5, messages


def test_the_house_is_a_folder(tmp_path: Path) -> None:
    """A file, or a folder that is not there, is no house."""
    for path in (tmp_path / "nowhere", Path(__file__)):
        with pytest.raises(BadInput, match="expected a folder"):
            load_rules(path)
    (tmp_path / "empty").mkdir()
    assert load_rules(tmp_path / "empty").tables == load_rules().tables


# --- the overlay -----------------------------------------------------------------------------------------------------


def test_an_overlay_changes_the_keys_it_names(tmp_path: Path) -> None:
    """One row is changed; the rest of it and all other rows stay as printed."""
    changed, printed = load_rules(house(tmp_path, sighting=FARTHER)), load_rules()
    row, before = changed.number("automatic-range"), printed.number("automatic-range")
    assert (row.value, row.source, row.label, row.rule) == (12, "house", before.label, before.rule)
    assert row.overlay
    assert not before.overlay
    others = [r for r in changed.tables["sighting"].rows if r.id != "automatic-range"]
    assert others == [r for r in printed.tables["sighting"].rows if r.id != "automatic-range"]


def test_an_overlay_takes_a_row_out_and_adds_one(tmp_path: Path) -> None:
    """remove = true takes out a modifier; a new row comes after the printed ones."""
    text = NIGHT + '[[row]]\nid = "target-moved"\nremove = true\n'
    names = [row.id for row in load_rules(house(tmp_path, sighting_modifiers=text)).modifiers]
    assert names == ["sighter-moved", "sighter-buttoned-up", "target-fired", "night"]


def test_a_row_is_added_between_others(tmp_path: Path) -> None:
    """A new distance of small-in-cover takes its place in the order of the distances."""
    text = (
        '[[row]]\nid = "9-inches"\nlabel = "up to 9 inches"\nup_to = 9\nstill = 40\nmoved = 60\nfired = 80\n'
        'unit = "percent"\nrule = "house 2"\nsource = "house"\n'
    )
    folder = house(tmp_path, small_in_cover=text)
    assert [row.up_to for row in load_rules(folder).small_in_cover][:4] == [3, 6, 9, 12]
    assert ask_json("tape", "sight", "--range", "8", "--small", "--in-cover", "--tables", folder)["need"] == 40


def test_the_shipped_rules_are_left_alone(tmp_path: Path) -> None:
    """Loading a house changes nothing for who loads none."""
    before = load_rules()
    load_rules(house(tmp_path, sighting=FARTHER, sighting_modifiers=NIGHT))
    assert load_rules() == before
    assert load_rules().number("automatic-range").value == 30


def test_a_ruling_names_the_house_rules_it_used(tmp_path: Path) -> None:
    """At night by tape: 40 more, and text and JSON say whose rule that is."""
    folder = house(tmp_path, sighting_modifiers=NIGHT)
    answer = ask_json("tape", "sight", "--range", "20", "--tables", folder)
    assert (answer["need"], answer["chance"]["fraction"]) == (60, "41/100")
    assert answer["house_rules"] == ["sighting-modifiers/night"]
    (item,) = [item for item in answer["tally"] if item["label"] == "night"]
    assert (item["value"], item["rule"]) == (40, "house 1")
    assert "house" in item["source"]
    text = ask("tape", "sight", "--range", "20", "--tables", folder)
    assert "house rules used: night" in text
    assert str(folder) in text


def test_a_ruling_that_used_no_house_rule_names_none(tmp_path: Path) -> None:
    """A changed row that the ruling does not rest on is not named."""
    folder = house(tmp_path, shadows='[[row]]\nid = "one-level"\nlength = 9\nsource = "house"\n')
    assert ask_json("tape", "sight", "--range", "20", "--tables", folder)["house_rules"] == []
    assert "house rules" not in ask("tape", "sight", "--range", "20", "--tables", folder)


@pytest.mark.parametrize(
    ("table", "text", "args", "name"),
    [
        ("sighting", FARTHER, ("--range", "11", "--vehicle-in-open"), "sighting/automatic-range"),
        ("sighting", FARTHER, ("--range", "13", "--vehicle-in-open"), "sighting/automatic-range"),
        ("sighting", FARTHER.replace("automatic", "max"), ("--range", "13"), "sighting/max-range"),
        (
            "small-in-cover",
            '[[row]]\nid = "6-inches"\nstill = 60\nsource = "house"\n',
            ("--range", "5", "--small", "--in-cover"),
            "small-in-cover/6-inches",
        ),
        (
            "sighting",
            '[[row]]\nid = "own-smoke-share"\nvalue = 0.25\nsource = "house"\n',
            ("--range", "20", "--own-smoke", "--smoke-die", "40"),
            "sighting/own-smoke-share",
        ),
        (
            "sighting",
            '[[row]]\nid = "lowest-need"\nvalue = 5\nsource = "house"\n',
            ("--range", "2"),
            "sighting/lowest-need",
        ),
    ],
)
def test_each_house_rule_that_decides_is_named(
    table: str, text: str, args: tuple[str, ...], name: str, tmp_path: Path
) -> None:
    """Whatever row of the house made the ruling what it is stands in house_rules and in the text."""
    folder = house(tmp_path, **{table: text})
    assert ask_json("tape", "sight", *args, "--tables", folder)["house_rules"] == [name]
    assert "house rules used" in ask("tape", "sight", *args, "--tables", folder)


def test_tables_of_the_command_go_before_those_of_the_scenario(tmp_path: Path) -> None:
    """--tables wins over `tables` in the scenario, which is looked for from where the scenario stands."""
    folder = house(tmp_path, sighting=FARTHER)
    other = tmp_path / "other"
    other.mkdir()
    (other / "sighting.toml").write_text(FARTHER.replace("12", "20"), encoding="utf-8")
    scenario = tmp_path / "s.toml"
    scenario.write_text(f'tables = "house"\n{SCENARIO}', encoding="utf-8")
    own = ask_json("sight", "T1", "V1", "-g", scenario)
    assert (own["outcome"], own["house_rules"]) == ("roll", ["sighting/automatic-range"])
    forced = ask_json("sight", "T1", "V1", "-g", scenario, "--tables", tmp_path / "other")
    assert forced["left_out"][0]["label"] == 'automatic within 20"'
    assert own["left_out"][0]["label"] == 'automatic within 12"'
    scenario.write_text(SCENARIO, encoding="utf-8")
    assert ask_json("sight", "T1", "V1", "-g", scenario)["outcome"] == "automatic"
    assert ask_json("sight", "T1", "V1", "-g", scenario, "--tables", folder)["outcome"] == "roll"


def test_a_bad_house_is_told_with_the_mistakes_of_the_scenario(tmp_path: Path) -> None:
    """The scenario's mistakes and those of its house come together, exit status 2."""
    house(tmp_path, sighting_modifiers=NIGHT.replace("40", "nan"))
    scenario = tmp_path / "s.toml"
    scenario.write_text(f'tables = "house"\n{SCENARIO}movd = true\n', encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", str(scenario)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 2
    assert "row[0].value (night)" in result.stderr
    assert "unit[1].movd (V1)" in result.stderr


# --- minis tables ----------------------------------------------------------------------------------------------------


def all_rows() -> Iterator[tuple[str, Any]]:
    """Every shipped row with the name of its table."""
    for table in load_rules().tables.values():
        for row in table.rows:
            yield table.name, row


def test_every_row_is_cited() -> None:
    """Every shipped row has words, a unit, a rule number and a source."""
    for name, row in all_rows():
        for key in ("id", "label", "unit", "rule", "source"):
            assert str(getattr(row, key)).strip(), (name, row.id, key)
        assert row.source in ("seed", "ruling", "house", "asl"), (name, row.id)
        assert not row.overlay


def test_every_file_of_the_folder_is_a_table() -> None:
    """No file in tables/ is left unread."""
    assert {path.stem for path in tables_folder().glob("*.toml")} == set(load_rules().tables)


@pytest.mark.parametrize("name", list(load_rules().tables))
def test_minis_tables_prints_each_table(name: str) -> None:
    """Each table can be asked for by name, as text and as data, with every one of its rows."""
    table = load_rules().tables[name]
    text = ask("tables", name)
    assert table.title in text
    answer = ask_json("tables", name)
    assert [row["id"] for row in answer["rows"]] == [row.id for row in table.rows]
    assert answer["tables"] == [{"name": name, "title": table.title, "rows": len(table.rows)}]
    for row in answer["rows"]:
        assert row["unit"], row
        assert row["rule"], row
        assert row["source"], row
        assert text.find(row["id"].split()[0]) >= 0, row["id"]


def test_minis_tables_lists_all_names() -> None:
    """Without a name, every table with its title."""
    text = ask("tables")
    for name, table in load_rules().tables.items():
        assert any(line.startswith(name) and table.title in line for line in text.splitlines()), name
    assert {table["name"] for table in ask_json("tables")["tables"]} == set(load_rules().tables)


def test_house_lists_every_invented_number_and_no_other() -> None:
    """`minis tables --house` shows the rows with source house: all of them and nothing else."""
    rows = ask_json("tables", "--house")["rows"]
    assert rows
    assert {row["source"] for row in rows} == {"house"}
    wanted = {(name, row.id) for name, row in all_rows() if row.source == "house"}
    assert {(row["table"], row["id"]) for row in rows} == wanted
    text = ask("tables", "--house")
    for label in ("sighter moved", "up to 12 inches"):
        assert label in text
    assert "nobody sights beyond" not in text


def test_house_of_one_table_and_of_an_overlay(tmp_path: Path) -> None:
    """--house goes with a name and with --tables: the rows of the overlay are shown as such."""
    assert {row["table"] for row in ask_json("tables", "sighting-modifiers", "--house")["rows"]} == {
        "sighting-modifiers"
    }
    folder = house(tmp_path, sighting=FARTHER, sighting_modifiers=NIGHT)
    rows = ask_json("tables", "--house", "--tables", folder)["rows"]
    own = {row["id"]: row["overlay"] for row in rows if "overlay" in row}
    assert own == {"automatic-range": str(folder), "night": str(folder)}
    assert str(folder.name) in ask("tables", "sighting", "--tables", folder)


def test_an_unknown_table_is_refused() -> None:
    """A name that is none is told with the nearest, exit status 2."""
    result = CliRunner().invoke(cli, ["tables", "shadow"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'shadows'" in result.stderr


def test_the_switches_of_the_contract() -> None:
    """Each question that the rules leave to the judge (S14) is a switch whose default its own reader accepts."""
    switches = load_rules().switches
    wanted = {
        "measure", "sight_points", "graze", "smoke", "touch_tolerance", "tape_tolerance", "spotter_scale", "tow",
        "woods_depth", "woods_apart", "dummy_distance",
    }  # fmt: skip
    assert wanted <= set(switches)
    for row in switches.values():
        row.read(row.default)


@pytest.mark.parametrize("name", list(load_rules().switches))
def test_a_switch_that_is_not_at_its_default_is_named(name: str, tmp_path: Path) -> None:
    """A scenario that sets a switch otherwise has it named in every answer; at its default it is not."""
    row = load_rules().switches[name]
    other: Any = (
        next(choice for choice in row.choices if choice != row.default)
        if row.choices
        else "1/2"
        if row.fraction
        else row.most
        if row.most != row.default
        else row.least
    )
    for value, named in ((row.default, False), (other, True)):
        scenario = tmp_path / "s.toml"
        scenario.write_text(f"{SCENARIO}\n[switches]\n{name} = {json.dumps(value)}\n", encoding="utf-8")
        for command in (
            ["los", "T1", "V1"],
            ["sight", "T1", "V1"],
            ["measure", "T1", "V1"],
            ["sweep", "--side", "axis"],
        ):
            assert (name in ask_json(*command, "-g", scenario)["switches"]) == named, command
        for command in (["los", "T1", "V1"], ["sight", "T1", "V1"], ["sweep", "--side", "axis"]):
            assert (f"{name} = " in ask(*command, "-g", scenario)) == named, command


# --- the house that the code lives in --------------------------------------------------------------------------------

SOURCES = sorted(path for path in PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """A source file as it is named below: `sight/line`."""
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


EVERYWHERE = {0, 1, 2, 0.5}
"""None, one, two ends of a line, the half of a side: arithmetic, no rule."""

ALLOWED: dict[str, tuple[set[float], str]] = {
    "board/geometry": ({64, 45, 90, 360, 3, 4}, "corners of a circle (formats.md, 6); degrees; corners, quarters"),
    "board/backdrop": ({3, 4}, "corners of a picture, three of which are a turn"),
    "board/shapes": ({3}, "a ring has at least three corners"),
    "board/place": (
        {254, 1000, 3048, 9144, 10000, 37, 40},
        "metres of an inch, a foot, a yard, by definition; a text cut short",
    ),
    "board/schema": (
        {2000, 1000, 200, 100, 360, 720, 80, 60, 40, 3, 4, 6, 9, 13, 90, 180, 9000, 12000, 100000},
        "bounds of what may be typed",
    ),
    "sight/answers": ({3, 4, 6}, "digits of a printed number"),
    "sight/attempt": ({225, 360}, "degrees: the round of the table begins in the south-west corner"),
    "sight/line": ({6}, "digits to which two margins are the same"),
    "sight/meeting": ({3, 6}, "three ways to be freed; digits to which two margins are the same"),
    "sight/sighting": ({100}, "a fraction as percent"),
    "sight/standing": ({3, 24, 32}, "steps of a search; thirds of a stretch"),
    "sight/stretch": ({5e-324}, "the least number above 0"),
    "sight/field": ({10, 20, 64}, "lines at once; bits of a mask"),
    "sight/field_ends": ({3, 4, 5}, "columns of arrays; sight points of a base"),
    "sight/field_engine": ({8}, "digits of a name"),
    "sight/field_lines": ({3, 5, 7, 8, 9}, "bins and bits of the engine, no rule"),
    "sight/field_map": ({3, 4}, "columns of an edge; cells of the grid"),
    "sight/field_rows": ({3}, "columns of arrays"),
    "sight/field_stops": ({3, 4, 6}, "bits; corners of a base"),
    "sight/field_sweep": ({3, 4, 9, 32}, "bins, bits and slop of the sweep, no rule"),
    "sight/region_chance": ({0.002}, "how near to a drawn edge a cell is asked of the line itself"),
    "sight/region_crest": ({0.0001}, "right beside a crest line, in inches"),
    "sight/region_fan": ({1e-12}, "two bearings that are one"),
    "sight/region_hull": ({3, 4, 7}, "powers of two: steps between bearings and of a search"),
    "sight/region_shadow": ({1e-09, 1e-06, 3, 64}, "share of an edge; snap grid; thirds; circle corners"),
}  # fmt: skip


def literals(path: Path) -> Iterator[tuple[float, int]]:
    """Every number that stands in a source file, with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
            continue
        if isinstance(node.value, int | float):
            yield node.value, node.lineno


@pytest.mark.parametrize("path", [p for p in SOURCES if name_of(p).split("/")[0] in ("sight", "board")], ids=name_of)
def test_no_number_of_the_rules_stands_in_code(path: Path) -> None:
    """Board and sight hold arithmetic and limits of typing; a number of the rules is a row of a table."""
    allowed = EVERYWHERE | ALLOWED.get(name_of(path), (set(), ""))[0]
    found = [(value, line) for value, line in literals(path) if value not in allowed]
    assert not found, f"{path}: {found}"


def test_no_allowed_number_is_idle() -> None:
    """The list of allowed numbers holds none that no longer stands in its file."""
    for name, (allowed, why) in ALLOWED.items():
        assert why
        there = {value for value, _ in literals(PACKAGE / f"{name}.py")}
        assert allowed <= there, (name, allowed - there)


FLOORS = (
    ("errors",), ("lengths",), ("tally",), ("odds",), ("dice",), ("toml_file",), ("rules",), ("board",), ("sight",),
    ("fire",), ("game",), ("plan",), ("draw", "ground"), ("web",), ("cli",),
)  # fmt: skip
"""The floors of architecture.md, from the ground up; a module imports only from floors before its own."""
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every module of minis that a file imports, wherever in the file: under TYPE_CHECKING and in functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written out"
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "minis"
                else [str(node.module)]
            )
        for name in names:
            if name.split(".")[0] == "minis":
                yield name, int(getattr(node, "lineno", 0))


@pytest.mark.parametrize("path", [p for p in SOURCES if name_of(p) not in ("__init__", "__main__")], ids=name_of)
def test_a_module_imports_only_from_floors_before_its_own(path: Path) -> None:
    """errors, lengths, tally, odds, dice, toml_file; rules; board; sight; fire; game; plan; draw, ground; web; cli."""
    own = name_of(path).split("/")[0]
    assert own in FLOOR, f"{own} stands on no floor"
    for name, line in imports(path):
        parts = name.split(".")
        if len(parts) == 1 or parts[1] in (own, "__version__"):
            continue
        assert FLOOR[parts[1]] < FLOOR[own], f"{path}:{line}: {own} imports {parts[1]}"


READERS = {
    "toml_file": "reads the text of a file for all others",
    "rules/load": "looks for the folders of tables",
    "board/scenario": "reads scenarios",
    "board/geojson": "reads terrain, for board/scenario",
    "board/catalogue": "looks for the shipped types of unit",
}
"""Modules outside cli, game, ground, draw and web that may touch the disk, and why."""

TOUCHES = {
    "open", "read_text", "read_bytes", "write_text", "write_bytes", "is_file", "is_dir", "exists", "glob", "rglob",
    "iterdir", "stat", "mkdir", "unlink", "resolve", "connect", "urlopen", "read_toml",
}  # fmt: skip


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_only_the_named_modules_open_files(path: Path) -> None:
    """The core takes values and returns values: no floor but the named ones touches the disk or the network."""
    name = name_of(path)
    if name in READERS or name.split("/")[0] in ("cli", "game", "ground", "draw", "web"):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            word = (
                called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
            )
            assert word not in TOUCHES, f"{path}:{node.lineno}: {word}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            roots = {str(node.module)} if isinstance(node, ast.ImportFrom) else {alias.name for alias in node.names}
            assert not roots & {"os", "shutil", "socket", "sqlite3", "urllib", "tempfile"}, f"{path}:{node.lineno}"


def test_logic_never_imports_the_skin() -> None:
    """Nothing outside cli and web imports click or rich."""
    for path in SOURCES:
        if name_of(path).split("/")[0] in ("cli", "web", "__main__"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                roots = [str(node.module)] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                assert not {root.split(".")[0] for root in roots} & {"click", "rich"}, f"{path}:{node.lineno}"


@pytest.mark.parametrize("action", ["import minis.cli.main", "import minis.cli.main as m; m.cli(['--help'])"])
def test_help_loads_no_geometry(action: str) -> None:
    """`minis --help` imports neither shapely nor numpy nor pydantic nor rich, so that it answers at once."""
    code = (
        f"import sys\ntry:\n    exec({action!r})\nexcept SystemExit:\n    pass\n"
        "heavy = {'shapely', 'numpy', 'pydantic', 'pydantic_core', 'rich', 'numba', 'tomli'}\n"
        "found = sorted(heavy & {name.split('.')[0] for name in sys.modules})\n"
        "print(found, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"


def test_rules_are_frozen() -> None:
    """What is loaded once is shared: neither a row nor the rules can be changed in place."""
    rules: Rules = load_rules()
    with pytest.raises((AttributeError, TypeError, ValueError)):
        rules.number("max-range").value = 3
    with pytest.raises((AttributeError, TypeError, ValueError)):
        rules.figure_scale = "1/285"  # type: ignore[misc]
