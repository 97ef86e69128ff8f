"""The examples: each file is sound, each command of its README runs, and a census of who sees whom stays what it was.

The census of an example is tests/census/NAME.json. After a change that is meant, write it anew and read the difference:

    MINIS_CENSUS=write pytest tests/test_examples.py
"""

from __future__ import annotations

import functools
import json
import os
import random
import re
import shlex
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from minis.board import read_board
from minis.cli.main import cli
from minis.sight.attempt import sweep
from minis.sight.line import sight_line
from minis.sight.scene import Scene

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted(path.parent.name for path in (ROOT / "examples").glob("*/scenario.toml"))
CENSUS = Path(__file__).resolve().parent / "census"
SAMPLE = 250
"""Pairs of an example that are looked at from both ends."""


def scenario(name: str) -> Path:
    """The scenario file of an example."""
    return ROOT / "examples" / name / "scenario.toml"


def readme(name: str) -> str:
    """The README of an example, empty where there is none."""
    path = ROOT / "examples" / name / "README.md"
    return path.read_text(encoding="utf-8") if path.exists() else ""


@functools.cache
def scene(name: str) -> Scene:
    """An example ready for questions."""
    return Scene(read_board(scenario(name)))


def commands(text: str) -> list[str]:
    """The `$ minis …` lines of a README's console blocks.

    >>> commands('''```console
    ... $ minis tables
    ... what it says
    ... ```''')
    ['minis tables']
    """
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


COMMANDS = [(name, command) for name in EXAMPLES for command in commands(readme(name))]


def run(*args: str) -> tuple[int, str]:
    """The exit status of a command in process, and all that it printed."""
    result = CliRunner().invoke(cli, list(args))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def test_there_are_examples() -> None:
    """The first table, the convention table and the table of real ground are there."""
    assert {"crossroads", "villers-bocage", "karhula"} <= set(EXAMPLES)


def test_real_ground_is_laid_out_and_leaves_nothing_to_say() -> None:
    """The table of real ground is as `minis fmt` lays it out, `minis lint` is silent, and it says whose data it is."""
    assert run("fmt", "--check", str(scenario("karhula")))[0] == 0
    assert run("lint", str(scenario("karhula"))) == (0, f"{scenario('karhula')}: nothing to say.\n")
    credit = "© OpenStreetMap contributors, ODbL 1.0"
    place = scene("karhula").board.place
    assert place is not None
    assert place.credit == credit
    for text in (scenario("karhula").read_text(encoding="utf-8"), readme("karhula")):
        assert credit in text
        assert "https://opendatacommons.org/licenses/odbl/1-0/" in text


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_sound(name: str) -> None:
    """`minis check` finds neither a mistake nor anything to note, and the file names its schema."""
    status, output = run("check", str(scenario(name)))
    assert status == 0, output
    assert ": fine." in output
    assert "note:" not in output, output
    assert scenario(name).read_text(encoding="utf-8").startswith("#:schema ../scenario.schema.json\n")


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_has_a_readme_with_commands(name: str) -> None:
    """Every example explains itself and shows commands that the next test runs."""
    assert readme(name).startswith("# ")
    assert len(commands(readme(name))) >= 3


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[f"{name}: {command}" for name, command in COMMANDS])
def test_command_of_a_readme_runs(name: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of an example's README answers, from the project's folder and without any setting."""
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("MINIS_GAME", raising=False)
    program, *args = shlex.split(command)
    assert program == "minis"
    status, output = run(*args)
    assert status == 0, output
    assert output.strip()


def test_first_table_keeps_its_promise() -> None:
    """On the crossroads T1 sees P1 and does not see P2: the README of the project and a doctest rest on it."""
    unit = scene("crossroads").board.unit
    assert sight_line(scene("crossroads"), unit("T1"), unit("P1")).clear
    assert not sight_line(scene("crossroads"), unit("T1"), unit("P2")).clear


# --- the census ----------------------------------------------------------------------------------------------------


def census(name: str) -> dict[str, Any]:
    """Who sees whom on an example, counted: for each side all its pairs of a sighting phase."""
    return {side: census_of(name, side) for side in sorted(scene(name).board.sides)}


def census_of(name: str, side: str) -> dict[str, Any]:
    """The count of one side's sighting phase."""
    found = list(sweep(scene(name), side))
    outcomes = Counter(a.ruling.outcome for a in found)
    hiding = Counter(a.line.deciding.rule for a in found if a.line.deciding is not None)
    return {
        "pairs": len(found),
        "outcomes": {word: outcomes[word] for word in ("automatic", "roll", "impossible")},
        "clear": sum(a.line.clear for a in found),
        "hidden": sum(not a.line.clear for a in found),
        "hidden_by_rule": dict(sorted(hiding.items())),
        "close": sum(a.line.close for a in found),
        "chances": str(sum((a.ruling.chance for a in found), Fraction(0))),
    }


def flat(tree: dict[str, Any], before: str = "") -> dict[str, Any]:
    """A nested count as one level of names.

    >>> flat({"allied": {"close": 3, "outcomes": {"roll": 2}}})
    {'allied close': 3, 'allied outcomes roll': 2}
    """
    found: dict[str, Any] = {}
    for key, value in tree.items():
        found |= flat(value, f"{before}{key} ") if isinstance(value, dict) else {before + key: value}
    return found


def difference(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Every count that changed, one a line: its name, what it was, what it is."""
    old, new = flat(before), flat(now)
    return [f"{key}: {old.get(key)} -> {new.get(key)}" for key in sorted(old | new) if old.get(key) != new.get(key)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_census(name: str) -> None:
    """The counts of both sighting phases are those on file: no change of a verdict goes unseen."""
    path, now = CENSUS / f"{name}.json", census(name)
    if os.environ.get("MINIS_CENSUS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
    assert path.exists(), f"no census of {name} yet: write it with MINIS_CENSUS=write"
    changed = difference(json.loads(path.read_text(encoding="utf-8")), now)
    words = "if this is meant, write it anew with MINIS_CENSUS=write"
    assert not changed, f"the census of {name} changed ({words}):\n  " + "\n  ".join(changed)


# --- both ends -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_sight_is_reciprocal(name: str) -> None:
    """S5.2 on real tables: the same verdict, blocker and margin from either end, for a sample of pairs of any sides."""
    units = scene(name).board.units
    pairs = [(one, other) for i, one in enumerate(units) for other in units[i + 1 :]]
    for one, other in random.Random(213).sample(pairs, min(SAMPLE, len(pairs))):
        there, back = sight_line(scene(name), one, other), sight_line(scene(name), other, one)
        assert there.clear == back.clear, (one.id, other.id)
        assert (there.deciding and there.deciding.obstacle) == (back.deciding and back.deciding.obstacle)
        assert there.margin_in == back.margin_in, (one.id, other.id)


def test_a_sweep_is_the_same_by_one_process_and_by_two() -> None:
    """Two processes give the same attempts in the same order as one."""
    path = str(ROOT / "examples" / "crossroads" / "scenario.toml")
    answers = [
        CliRunner().invoke(cli, ["sweep", "--side", "axis", "--jobs", jobs, "--json", "-g", path]).output
        for jobs in ("1", "2")
    ]
    assert answers[0] == answers[1]
    assert len(json.loads(answers[0])["pairs"]) == 80
