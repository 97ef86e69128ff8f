"""The command line: what it lists, what it takes, what it prints, as text and as data.

The texts in tests/golden are read as a judge reads them. `MINIS_GOLDEN=write pytest tests/test_cli.py` writes them.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from minis.cli.main import COMMANDS, cli
from minis.rules import examples_folder

GOLDEN = Path(__file__).parent / "golden"
BOARD = GOLDEN / "board.toml"
README = Path(__file__).parent.parent / "README.md"


def run(*args: object, **environment: str | None) -> Result:
    """Run a command in this process; an exception that is no exit is the test's failure."""
    result = CliRunner(env={"MINIS_GAME": None, **environment}).invoke(cli, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def ask(*args: object) -> Any:
    """The answer of a command on the small board, as data."""
    table = () if args[0] in ("tape", "tables", "check", "schema") else ("-g", BOARD)
    result = run(*args, *table, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""

    def no_constant(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(result.stdout, parse_constant=no_constant)


def tell(*args: object) -> str:
    """The answer of a command on the small board, as text."""
    table = () if args[0] in ("tape", "tables", "check", "schema") else ("-g", BOARD)
    result = run(*args, *table)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def refused(*args: object, status: int = 2, **environment: str | None) -> str:
    """What standard error says of a command that is refused."""
    result = run(*args, **environment)
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


# --- what there is ---------------------------------------------------------------------------------------------------

GROUPS = {
    "tape": ("sight", "fire"), "smoke": ("place", "move", "remove"),
    "plan": ("field", "lane", "boresight", "compare", "hide", "balance", "check"),
    "draw": ("map", "los", "shadow", "field", "plan"),
    "import": ("geojson",),
    "export": ("geojson",),
}  # fmt: skip
PICTURES = ("draw",)
EVERY = [[name] for name in COMMANDS] + [[group, name] for group, names in GROUPS.items() for name in names]


@pytest.mark.parametrize("command", EVERY, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(command: list[str], flag: str) -> None:
    """`minis COMMAND --help` says in words what it does and explains each of its options."""
    result = run(*command, flag)
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")
    found: Any = cli
    for name in command:
        found = found.get_command(click.Context(found), name)
    assert found.help
    for parameter in found.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{command}: {parameter.name} is not explained"


def test_every_command_is_listed() -> None:
    """`minis --help` lists every command with its line, and each is in the README."""
    text = run("--help").stdout
    for name, (_, words) in COMMANDS.items():
        assert re.search(rf"^  {name}\s+{re.escape(words.split(',')[0].split(' (')[0][:30])}", text, re.MULTILINE), name
        assert f"`minis {name}" in README.read_text(encoding="utf-8"), f"README: {name}"


@pytest.mark.parametrize(
    "command",
    [c for c in EVERY if c[0] not in ("play", "serve", "schema", *PICTURES) and (len(c) > 1 or c[0] not in GROUPS)],
    ids=" ".join,
)
def test_every_command_answers_in_json(command: list[str]) -> None:
    """--json is an option of every command but those that draw; `schema` prints JSON anyway."""
    assert "--json" in run(*command, "--help").stdout


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("sight", ["--dice", "--smoke-die", "--roll", "--game", "--tables"]),
        ("identify", ["--dice", "--smoke-die", "--roll", "--game", "--tables"]),
        ("los", ["--game"]),
        ("measure", ["--game"]),
        ("hulldown", ["--from", "--game"]),
        ("sweep", ["--side", "--game"]),
        ("tables", ["--house"]),
        (
            "fire",
            ["--weapon", "--ammo", "--type", "--phase", "--dice", "--then", "--roll", "--sight-dice", "--smoke-die"],
        ),
        (
            "tape sight",
            [
                "--range",
                "--small",
                "--in-cover",
                "--vehicle-in-open",
                "--sighter-moved",
                "--target-moved",
                "--target-fired",
                "--buttoned-up",
                "--spotter",
                "--smoke",
                "--own-smoke",
                "--smoke-die",
                "--dice",
                "--roll",
            ],
        ),
        ("tape fire", ["--fact", "--facts"]),
    ],
)
def test_the_options_of_the_contract(command: str, options: list[str]) -> None:
    """The options that formats.md names are there."""
    text = run(*command.split(), "--help").stdout
    for option in options:
        assert re.search(rf"{option}\b", text), option


def test_the_version() -> None:
    """`minis --version` says which it is."""
    from minis import __version__

    assert __version__ in run("--version").stdout


@pytest.mark.parametrize(
    "args",
    [
        ["sihgt"],
        ["sight"],
        ["sight", "T1"],
        ["sight", "T1", "P1", "P2"],
        ["sight", "T1", "P1", "--dcie", "3"],
        ["sweep"],
        ["tape", "sight"],
        ["tape", "sihgt"],
        ["los", "T1", "P1", "-g"],
    ],
)
def test_a_command_that_is_none_is_status_2(args: list[str]) -> None:
    """An unknown command or option, or a missing one, is bad input."""
    assert "Error:" in refused(*args)


# --- golden texts ----------------------------------------------------------------------------------------------------

TEXTS: dict[str, list[str]] = {
    "check": ["check board.toml"],
    "measure": ["measure T1 V1", "measure K1 H1", "measure T1 T1", "measure P1 P2"],
    "los": [
        "los T1 V1",
        "los T1 P1",
        "los T1 P2",
        "los T2 V2",
        "los T1 P3",
        "los T1 P4",
        "los T1 P5",
        "los T1 P6",
        "los T1 V2",
        "los T1 V3",
        "los V3 T1",
        "los T1 V4",
        "los T1 D1",
        "los D1 T1",
        "los T1 H1",
        "los P6 V4",
        "los P5 V1",
        "los V2 V3",
    ],
    "sight": [
        "sight T1 V1",
        "sight T1 P1",
        "sight T1 P2",
        "sight T1 P2 --dice 8",
        "sight T1 P2 --dice 7",
        "sight T1 P2 --dice 00",
        "sight T2 V2",
        "sight T1 P3",
        "sight T1 P3 --dice 60",
        "sight T1 P3 --dice 61",
        "sight T1 P4",
        "sight T1 P5",
        "sight T1 H1",
        "sight T1 V2",
        "sight T1 V2 --smoke-die 28",
        "sight T1 V2 --smoke-die 28 --dice 82",
        "sight T1 V2 --smoke-die 28 --dice 81",
        "sight T1 V2 --smoke-die 99",
        "sight T1 V3",
        "sight T1 V3 --smoke-die 28",
        "sight T3 V2",
        "sight T3 V3 --smoke-die 11 --dice 95",
        "sight OP V4",
        "sight T1 V4",
        "sight OP V4 --dice 71",
        "sight OP V2 --smoke-die 30",
        "sight T1 K1",
        "sight T1 G1",
        "sight T1 D1",
        "sight V1 T1",
        "sight P2 T1",
        "sight P1 V4",
    ],
    "identify": [
        "identify OP V4",
        "identify T1 D1",
        "identify T1 D1 --dice 32",
        "identify T1 H1",
        "identify T1 P2",
        "identify T2 V4",
    ],
    "hulldown": [
        "hulldown T1",
        "hulldown T3",
        "hulldown T2",
        "hulldown T1 --from V2",
        "hulldown T3 --from V2",
        "hulldown T2 --from V2",
        "hulldown V1 --from T1",
        "hulldown P1",
        "hulldown V1",
        "hulldown P5 --from T1",
    ],
    "sweep": ["sweep --side allied", "sweep --side axis"],
    "tape": [
        "tape sight --range 60",
        "tape sight --range 60 --dice 60",
        "tape sight --range '12 1/4' --small --in-cover",
        "tape sight --range 12-1/4in --small --in-cover --target-fired --dice 61",
        "tape sight --range 31cm --vehicle-in-open",
        "tape sight --range 31 --vehicle-in-open",
        "tape sight --range 30 --vehicle-in-open --smoke",
        "tape sight --range 60 --smoke --smoke-die 28",
        "tape sight --range 60 --own-smoke --smoke-die 25",
        "tape sight --range 60 --own-smoke",
        "tape sight --range 150 --spotter",
        "tape sight --range 150.1 --spotter",
        "tape sight --range 100.1",
        "tape sight --range 5 --target-moved --target-fired",
        "tape sight --range 90 --sighter-moved --buttoned-up",
        "tape sight --range 61 --small --in-cover",
        "tape sight --range 0 --small --in-cover",
        "tape sight --range 25 --small --in-cover --smoke",
    ],
    "tables": ["tables sighting-modifiers", "tables small-in-cover", "tables figure-scales --house"],
    "refused": [
        "los T1 T1",
        "sight T1 P9",
        "sight t1 P1",
        "sight T1 T1",
        "sweep --side alied",
        "los T1 P1 -g nowhere.toml",
        "sight T1 V2 --dice 50",
        "sight T1 P2 --smoke-die 5",
        "sight T1 P2 --dice 101",
        "tape sight --range -3",
        "tape sight --range twelve",
        "tape sight --range 12 --vehicle-in-open --in-cover",
        "tape sight --range 3 --fact target_moofed",
        "tables sighting-modifier",
        "check nowhere.toml",
    ],
}


def as_typed(command: str, *, status: int) -> str:
    """A command as a judge types it, and what the screen shows."""
    result = run(*shlex.split(command), MINIS_GAME="board.toml")
    assert result.exit_code == status, f"{command}: {result.output}"
    lines = [line.rstrip() for line in result.output.splitlines()]
    return "\n".join([f"$ minis {command}", *lines, ""])


@pytest.mark.parametrize("name", TEXTS)
def test_the_answers_read_as_they_should(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind of answer, word for word as in tests/golden."""
    monkeypatch.chdir(GOLDEN)
    text = "\n".join(as_typed(command, status=2 if name == "refused" else 0) for command in TEXTS[name])
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("MINIS_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_no_golden_text_is_idle() -> None:
    """Every file in tests/golden is one of the texts above, or the board."""
    mine = {"board.toml", *(f"{name}.txt" for name in TEXTS)}
    assert {path.name for path in GOLDEN.glob("*.*") if path.name in mine} == mine


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in ("refused", "tables", "check")])
def test_an_answer_is_one_screen(name: str) -> None:
    """No line of an answer is wider than a screen, and no answer but a sweep is longer than one."""
    for answer in (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").split("\n$ minis "):
        lines = answer.splitlines()
        assert name == "sweep" or len(lines) <= 24, answer
        for line in lines:
            assert len(line) <= 120, line


# --- JSON as the contract names it -----------------------------------------------------------------------------------

LOS_KEYS = {
    "from", "to", "clear", "distance_in", "viewer", "blocker", "rule", "shadow", "margin_in", "close", "smoke", "cover",
    "hull_down", "line", "why", "switches",
}  # fmt: skip
SIGHT_KEYS = {"outcome", "test", "need", "chance", "tally", "dice", "sighted"}
ENEMIES = ("P1", "P2", "P3", "P4", "P5", "P6", "V1", "V2", "V3", "V4", "K1", "G1", "D1", "H1")
PAIRS = [(one, other) for one in ("T1", "T2", "T3", "OP") for other in ENEMIES]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids="-".join)
def test_the_keys_of_los(one: str, other: str) -> None:
    """The keys of `los --json`, each with a value of its kind."""
    answer = ask("los", one, other)
    assert set(answer) >= LOS_KEYS
    assert (answer["from"], answer["to"]) == (one, other)
    assert answer["viewer"] in (one, other)
    assert isinstance(answer["clear"], bool)
    assert (answer["blocker"] is None) == (answer["rule"] is None) == answer["clear"]
    if answer["shadow"] is not None:
        assert set(answer["shadow"]) == {"length_in", "inside_in"}
        assert 0 <= answer["shadow"]["inside_in"] <= answer["shadow"]["length_in"]
    assert answer["margin_in"] is None or 0 <= answer["margin_in"] <= 2
    assert answer["close"] == (answer["margin_in"] is not None and answer["margin_in"] <= 0.125)
    assert isinstance(answer["smoke"], list)
    assert isinstance(answer["cover"], list)
    assert answer["hull_down"] in (None, "I", "II")
    assert [len(point) for point in answer["line"]] == [2, 2]
    assert answer["switches"] == {}
    assert answer["why"]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids="-".join)
@pytest.mark.parametrize("command", ["sight", "identify"])
def test_the_keys_of_sight(command: str, one: str, other: str) -> None:
    """The keys of `sight --json` and `identify --json`: those of `los`, and those of the roll."""
    answer = ask(command, one, other)
    assert set(answer) >= LOS_KEYS | SIGHT_KEYS
    assert answer["outcome"] in ("automatic", "roll", "impossible")
    assert answer["test"] in ("at_least", "at_most", None)
    assert set(answer["chance"]) == {"fraction", "percent"}
    for item in answer["tally"]:
        assert set(item) == {"value", "label", "rule", "source"}
        assert item["rule"]
        assert item["source"]
    assert answer["dice"] == []
    if answer["smoke"] and answer["outcome"] == "roll":
        assert answer["need"] is None
    assert answer["sighted"] is {"automatic": True, "impossible": False, "roll": None}[answer["outcome"]] or (
        answer["chance"]["fraction"] == "1"
    )


@pytest.mark.parametrize(("one", "other"), PAIRS, ids="-".join)
def test_text_and_json_hold_the_same_items(one: str, other: str) -> None:
    """Every item of the sum, all that was left out, the need, the chance and the rule stand in both."""
    answer, text = ask("sight", one, other), tell("sight", one, other)
    if not answer["clear"]:
        assert answer["blocker"] in text
        assert answer["rule"] in text
        return
    for item in answer["tally"]:
        assert item["label"] in text
        assert item["rule"] in text
    for left in answer["left_out"]:
        assert left["label"] in text
        assert left["why"] in text
    if answer["need"]:
        assert f"{answer['need']} or {'more' if answer['test'] == 'at_least' else 'less'}" in text
    if answer["outcome"] == "roll":
        assert f"{answer['chance']['percent']:.2f}".rstrip("0").rstrip(".") + " %" in text
    for name in (*answer["cover"], *answer["smoke"]):
        assert name in text


def test_the_keys_of_measure() -> None:
    """The keys of `measure --json`."""
    answer = ask("measure", "T1", "V1")
    assert set(answer) >= {"from", "to", "distance_in", "bearing", "from_level", "to_level", "line"}
    assert (answer["from_level"], answer["to_level"]) == (2, 0)
    assert ask("measure", "T1", "T1")["bearing"] is None


def test_the_keys_of_hulldown() -> None:
    """The keys of `hulldown --json`: one answer against an observer, a list without."""
    keys = {"unit", "from", "hull_down", "by", "behind", "rule", "why"}
    against = ask("hulldown", "T1", "--from", "V2")
    assert set(against) >= keys
    assert (against["unit"], against["from"], against["hull_down"], against["by"]) == ("T1", "V2", "II", "hill")
    assert ask("hulldown", "T3", "--from", "V2")["hull_down"] == "I"
    behind = ask("hulldown", "T2", "--from", "V2")
    assert (behind["hull_down"], behind["behind"]) == (None, True)
    (place,) = ask("hulldown", "T1")
    assert set(place) >= keys
    assert (place["from"], place["by"]) == (None, "hill")
    assert ask("hulldown", "P1") == []


def test_the_keys_of_sweep() -> None:
    """The keys of `sweep --json`: every pair with the keys of `sight`, and the counts of their outcomes."""
    answer = ask("sweep", "--side", "allied")
    assert set(answer) >= {"side", "pairs", "counts"}
    assert set(answer["counts"]) == {"automatic", "roll", "impossible"}
    for pair in answer["pairs"]:
        assert set(pair) >= LOS_KEYS | SIGHT_KEYS
    for outcome, count in answer["counts"].items():
        assert count == sum(pair["outcome"] == outcome for pair in answer["pairs"])
    assert sum(answer["counts"].values()) == len(answer["pairs"]) > 0
    for pair in answer["pairs"]:
        alone = ask("sight", pair["from"], pair["to"])
        assert {key: pair[key] for key in LOS_KEYS | SIGHT_KEYS} == {key: alone[key] for key in LOS_KEYS | SIGHT_KEYS}


def test_the_keys_of_tape_sight_and_check() -> None:
    """The keys of `tape sight --json`, and what `check --json` counts."""
    answer = ask("tape", "sight", "--range", "60")
    assert set(answer) >= SIGHT_KEYS
    assert (answer["outcome"], answer["test"], answer["need"]) == ("roll", "at_least", 60)
    assert answer["chance"] == {"fraction": "41/100", "percent": 41.0}
    counts = ask("check", BOARD)
    assert (counts["terrain"], counts["smoke"], counts["units"]) == (6, 2, {"allied": 4, "axis": 14})


# --- lengths and dice ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "inches"),
    [
        ("12", 12),
        ("12.25", 12.25),
        ("12 1/4", 12.25),
        ("12-1/4", 12.25),
        ('12-1/4"', 12.25),
        ('12 1/4 "', 12.25),
        ("1/4", 0.25),
        ("12in", 12),
        ("12 inches", 12),
        ("25.4cm", 10),
        ("25.4 cm", 10),
        ("254mm", 10),
        ("31cm", 31 / 2.54),
        (" 12 ", 12),
        (".5", 0.5),
        ("12.", 12),
        ("0", 0),
        ("+12", 12),
    ],
)
def test_lengths_as_a_judge_types_them(typed: str, inches: float) -> None:
    """Decimals, fractions and centimetres where a length is typed."""
    answer = ask("tape", "sight", "--range", typed)
    assert answer["tally"][0]["value"] == pytest.approx(inches, abs=1e-6)


@pytest.mark.parametrize(
    "typed",
    ["", "twelve", "12,5", "1e3", "nan", "inf", "12 1/0", "1/0", "12 5", "12ft", "0x10", "--", "12 1/4 1/4", "½"],
)
def test_lengths_that_are_none(typed: str) -> None:
    """Anything else is refused with the ways in which a length is typed."""
    message = refused("tape", "sight", f"--range={typed}")
    assert "expected a length" in message
    assert "12 1/4" in message


@pytest.mark.parametrize("typed", ["-3", "-1/4", "-12 1/4", "-31cm", "-0.001"])
def test_a_negative_distance(typed: str) -> None:
    """A distance below 0 is told as that, with what was typed."""
    message = refused("tape", "sight", f"--range={typed}")
    assert "--range" in message
    assert "negative" in message


@pytest.mark.parametrize("typed", ["1e9", "9" * 400, "9" * 5000, "1/" + "9" * 5000, "999999999"])
def test_an_absurd_distance(typed: str) -> None:
    """A distance of a thousand miles is no sight, or no length; it breaks nothing."""
    result = run("tape", "sight", f"--range={typed}")
    assert result.exit_code in (0, 2)
    assert len(result.output) < 1000


@pytest.mark.parametrize(("typed", "face"), [("00", 100), ("100", 100), ("1", 1), ("01", 1), ("59", 59), (" 7 ", 7)])
def test_the_pair_00_reads_100(typed: str, face: int) -> None:
    """--dice 00 is 100 (S1)."""
    answer = ask("sight", "T1", "P2", "--dice", typed)
    assert answer["dice"] == [{"for": "sighting", "face": face, "how": "typed"}]
    assert answer["sighted"] is (face >= answer["need"])


@pytest.mark.parametrize("typed", ["0", "000", "101", "-1", "x", "", "5.5", "1e1", "٣", "9" * 5000])
@pytest.mark.parametrize("option", ["--dice", "--smoke-die"])
def test_a_roll_that_is_none(option: str, typed: str) -> None:
    """A die that shows no number of 1 to 100 is refused with what was expected."""
    message = refused("sight", "T1", "V2", "-g", BOARD, f"{option}={typed}")
    assert "1 to 100" in message


def test_rolls_are_thrown_and_shown() -> None:
    """--roll throws what is not typed, from 1 to 100, says so, and judges by it."""
    for _ in range(30):
        answer = ask("sight", "T1", "V2", "--roll")
        smoke, sighting = answer["dice"]
        assert (smoke["for"], sighting["for"]) == ("smoke", "sighting")
        assert {smoke["how"], sighting["how"]} == {"thrown"}
        assert all(1 <= die["face"] <= 100 for die in answer["dice"])
        assert answer["need"] is not None
        assert answer["sighted"] is (sighting["face"] >= answer["need"])
    mixed = ask("sight", "T1", "V2", "--roll", "--smoke-die", "28")["dice"]
    assert [die["how"] for die in mixed] == ["typed", "thrown"]
    assert mixed[0]["face"] == 28
    assert re.search(
        r"dice: smoke 28 \(typed\), sighting \d+ \(thrown\)", tell("sight", "T1", "V2", "--roll", "--smoke-die", "28")
    )


@pytest.mark.parametrize("command", [["sight", "T1", "V1"], ["sight", "T1", "P1"], ["sight", "T2", "V2"]])
def test_nothing_is_thrown_where_nothing_is_asked(command: list[str]) -> None:
    """An automatic sighting and one that cannot be take no dice, --roll or not."""
    assert ask(*command, "--roll")["dice"] == []


@pytest.mark.parametrize("command", [["sight", "T1", "V1"], ["sight", "T1", "P1"]])
def test_a_die_nobody_asked_for_changes_nothing(command: list[str]) -> None:
    """A typed die where the rules ask for none leaves the verdict as it is."""
    assert ask(*command, "--dice", "1")["sighted"] is ask(*command)["sighted"]


def test_the_smoke_die_comes_first() -> None:
    """Without the smoke die the sighting die is refused; a smoke die without smoke, or a second one, too."""
    assert "smoke die comes before" in refused("sight", "T1", "V2", "-g", BOARD, "--dice", "50")
    assert "no smoke on the line" in refused("sight", "T1", "P2", "-g", BOARD, "--smoke-die", "50")
    assert "2 smoke dice" in refused("sight", "T1", "V2", "-g", BOARD, "--smoke-die", "5", "--smoke-die", "6")


# --- which scenario --------------------------------------------------------------------------------------------------


def test_minis_game_names_the_scenario() -> None:
    """MINIS_GAME stands for -g, and -g goes before it."""
    assert run("los", "T1", "V1", MINIS_GAME=str(BOARD)).exit_code == 0
    assert "nowhere.toml" in refused("los", "T1", "V1", MINIS_GAME="nowhere.toml")
    assert run("los", "T1", "V1", "-g", BOARD, MINIS_GAME="nowhere.toml").exit_code == 0
    assert run("los", "T1", "V1", "--game", BOARD).exit_code == 0


@pytest.mark.parametrize(
    "command", [["los", "T1", "P1"], ["sight", "T1", "P1"], ["sweep", "--side", "axis"], ["hulldown", "T1"]]
)
def test_without_a_scenario_the_message_says_how_to_name_one(command: list[str]) -> None:
    """Neither -g nor MINIS_GAME: both are named."""
    message = refused(*command)
    assert "-g" in message
    assert "MINIS_GAME" in message


@pytest.mark.parametrize(
    ("command", "near"),
    [
        (["los", "T11", "P1"], "'T1'"),
        (["los", "T1", "Pl"], "P1"),
        (["los", "t1", "P1"], "'T1'"),
        (["sight", "op", "P1"], "'OP'"),
        (["measure", "T1", "H2"], "H1"),
        (["hulldown", "T4"], "T1"),
        (["hulldown", "T1", "--from", "v1"], "'V1'"),
        (["sweep", "--side", "alied"], "'allied'"),
        (["sweep", "--side", "Axis"], "'axis'"),
    ],
)
def test_an_unknown_unit_or_side_names_the_nearest(command: list[str], near: str) -> None:
    """A mistyped id or side is told with the nearest there is (all ids, where none is near), and with the file."""
    message = refused(*command, "-g", BOARD)
    if near.startswith("'"):
        assert "did you mean" in message, message
    assert near in message
    assert message.startswith(str(BOARD))


def test_a_unit_does_not_sight_itself() -> None:
    """Sighter and target are two units."""
    assert "T1" in refused("sight", "T1", "T1", "-g", BOARD)


# --- completion, pipes, schema ---------------------------------------------------------------------------------------


def completions(args: list[str], incomplete: str) -> list[str]:
    """What the shell offers after these words."""
    found = ShellComplete(cli, {}, "minis", "_MINIS_COMPLETE").get_completions(args, incomplete)
    return [item.value for item in found]


@pytest.mark.parametrize(
    ("args", "incomplete", "offered"),
    [
        (["los"], "T", ["T1", "T2", "T3"]),
        (["los", "T1"], "V", ["V1", "V2", "V3", "V4"]),
        (["sight", "T1"], "D", ["D1"]),
        (["identify", "T1"], "H", ["H1"]),
        (["measure", "T1"], "zz", []),
        (["hulldown"], "O", ["OP"]),
        (["hulldown", "T1", "--from"], "K", ["K1"]),
        (["sweep", "--side"], "a", ["allied", "axis"]),
        (["sweep", "--side"], "al", ["allied"]),
    ],
)
def test_the_shell_completes_units_and_sides(
    args: list[str], incomplete: str, offered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids and sides of the scenario that MINIS_GAME or -g names."""
    monkeypatch.setenv("MINIS_GAME", str(BOARD))
    assert completions(args, incomplete) == offered
    monkeypatch.delenv("MINIS_GAME")
    assert completions([args[0], "-g", str(BOARD), *args[1:]], incomplete) == offered


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[table",
        b"unit = 3\n",
        b"unit = [3]\n",
        b"unit = [{ side = 'x' }]\n",
        b"\xff\xfe",
        b"a = " + b"[" * 10_000,
        b"a = " + b"9" * 5_000,
        b"unit = [{ id = [1], side = {} }]\n",
    ],
    ids=range(9),
)
def test_completion_is_silent_on_a_bad_file(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scenario that cannot be read completes nothing, and raises nothing at the prompt."""
    path = tmp_path / "s.toml"
    path.write_bytes(data)
    for name in (path, tmp_path, tmp_path / "nowhere"):
        monkeypatch.setenv("MINIS_GAME", str(name))
        assert completions(["los"], "T") == []
        assert completions(["sweep", "--side"], "a") == []
    monkeypatch.delenv("MINIS_GAME")
    assert completions(["los"], "T") == []


def test_the_shell_completes_commands() -> None:
    """The names of the commands are completed."""
    assert completions([], "s") == [name for name in COMMANDS if name.startswith("s")]
    assert "sight" in completions(["tape"], "s")


@pytest.mark.parametrize(
    "command",
    [
        ["sweep", "--side", "allied"],
        ["sweep", "--side", "allied", "--json"],
        ["tables", "--house"],
        ["schema"],
        ["los", "T1", "P1"],
    ],
)
def test_a_reader_that_closes_the_pipe_is_no_fault(command: list[str]) -> None:
    """`minis sweep … | head -1` ends without a traceback."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "minis", *command], stdout=write, stderr=subprocess.PIPE, text=True, timeout=60,
            check=False, env={**os.environ, "MINIS_GAME": str(BOARD)},
        )  # fmt: skip
    finally:
        os.close(write)
    assert done.stderr == ""
    assert done.returncode in (0, 1)


def test_as_a_program() -> None:
    """`python -m minis` answers on standard output alone, exit status 0."""
    done = subprocess.run(
        [sys.executable, "-m", "minis", "los", "T1", "P1", "-g", str(BOARD)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == tell("los", "T1", "P1")


def test_the_schema_is_the_shipped_one() -> None:
    """`minis schema` prints examples/scenario.schema.json."""
    assert json.loads(run("schema").stdout) == json.loads(
        (examples_folder() / "scenario.schema.json").read_text(encoding="utf-8")
    )


def test_the_answer_does_not_depend_on_the_order_of_options() -> None:
    """-g before or after the units, --json anywhere."""
    one = run("los", "-g", BOARD, "--json", "T1", "P1").stdout
    assert one == run("los", "T1", "P1", "--json", "-g", BOARD).stdout


@pytest.mark.parametrize("command", [["tables", "units"], ["tables"], ["schema"], ["--help"]], ids=" ".join)
def test_a_reader_that_leaves_early_is_no_fault(command: list[str]) -> None:
    """`minis tables units | head -1`: exit status 0 and nothing on standard error, however early the pipe closes."""
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-m", "minis", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(10)
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait() == 0
