"""The README is run: its commands, its outputs, its scenario, its house rule, its list of commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from minis.board import read_board
from minis.cli.main import COMMANDS, cli
from minis.rules import load_rules

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of the README in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def console() -> list[tuple[str, str]]:
    """Each command of the console blocks with the output that stands under it."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.strip()))
    return found


@pytest.mark.parametrize(("command", "output"), console())
def test_a_command_prints_what_stands_under_it(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of a console block prints what the README says."""
    monkeypatch.chdir(ROOT)
    words = shlex.split(command)
    assert words[0] == "minis"
    done = CliRunner().invoke(cli, words[1:])
    assert done.output.strip() == output, done.output


def test_there_are_commands_to_run() -> None:
    """A sighting, a line of sight and a shot are shown with their output."""
    shown = {command.split()[1] for command, _ in console()}
    assert {"sight", "los", "fire"} <= shown


def test_every_command_is_in_the_list() -> None:
    """The table of commands names each command there is."""
    for name in COMMANDS:
        assert f"`minis {name}" in README, name


def test_the_scenario_is_one(tmp_path: Path) -> None:
    """The scenario of the README passes every check."""
    path = tmp_path / "first.toml"
    path.write_text(next(block for block in blocks("toml") if "[table]" in block), encoding="utf-8")
    board = read_board(path)
    assert (len(board.terrain), len(board.units), board.cautions) == (2, 3, ())


def test_the_house_rule_is_one(tmp_path: Path) -> None:
    """The house rule of the README loads, adds its row and takes one out."""
    path = tmp_path / "sighting-modifiers.toml"
    path.write_text(next(block for block in blocks("toml") if "# house/" in block), encoding="utf-8")
    rules = load_rules(tmp_path)
    assert "night" in {row.id for row in rules.modifiers}
    assert rules.removed == ("sighting-modifiers/target-moved",)


@pytest.mark.parametrize("mark", ["run", "test"])
def test_the_first_two_commands_are_marked_for_ci(mark: str) -> None:
    """The commands that install it stand in blocks that .ci/run takes from here."""
    assert re.search(rf"^<!-- ci: {mark} -->\n```sh\n.*\.venv/bin/pip install .*\n```", README, re.MULTILINE)


def test_every_link_leads_somewhere() -> None:
    """Files that the README links to are there."""
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
