"""The rules in a game as a player reads them: every game of `tests/games`, played through the command line.

A file of `tests/games` holds boards and games:

    [[board]]
    name = "open field"
    scenario = '''...'''                 # a scenario file

    [[game]]
    name = "what a player would say"
    rule = "S10.2 S10.3"                 # the rules it would fail without
    board = "open field"
    start = ["--first", "axis"]          # optional: options of `minis start`
    steps = [                            # commands, one after the other; event 1 is the start of the game
      { run = ["turn", "next"] },
      { run = ["fire", "T1", "P1", "--dice", "3,4"], exit = 1, says = ["S12.3"] },
    ]

A step has these keys; -g GAME and --json are added to what it runs:

    run = ["move", "X7", "--to", "30,10"]
    expect = { replaced = "null" }       # keys of its answer; lists of tables: each must match one
    exit = 0                             # exit status, 0 where it is left out
    as = "allied"                        # optional: --as allied
    plain = true                         # optional: without --json
    says = ["S12.3"]                     # optional, in either stream, whatever the case
    lacks = ["Tiger"]                    # optional: in neither stream
    events = 4                           # optional: so many events are in the journal afterwards
    times = 6                            # optional: so often it is run, and each time it is as told

A step that is refused may record nothing, and `minis verify` must prove every game at its end. Numbers are compared
within a millionth; the text "null" stands for null.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cases import differences
from click.testing import CliRunner, Result

from minis.cli.main import cli
from minis.game.game import Game

FOLDER = Path(__file__).parent / "games"
BOARD_KEYS = {"name", "scenario"}
GAME_KEYS = {"name", "rule", "board", "start", "steps"}
STEP_KEYS = {"run", "expect", "exit", "as", "plain", "says", "lacks", "events", "times"}
DEMANDS = {"expect", "exit", "says", "lacks", "events"}

RULES = ("S8.5", "S9.5", "S10.2", "S10.3", "S11.4", "S11.5", "S12.3", "S12.4")
"""The sighting rules that only a shot or a game in progress answers for."""

CITED = re.compile(r"S\d+(\.\d+)?|F\d+(\.\d+)?|formats")
"""What a game may cite: a sighting rule, a fire rule, or the contract of files and answers."""

RUNNER = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1"})


@dataclass(frozen=True)
class Played:
    """One game of a file with its board."""

    file: str
    data: dict[str, Any]
    scenario: str

    @property
    def id(self) -> str:
        """File and name, as pytest prints them."""
        return f"{self.file}: {self.data['name']}"

    @property
    def cites(self) -> list[str]:
        """The rules it would fail without."""
        return str(self.data["rule"]).split()


def read_games(path: Path) -> list[Played]:
    """The games of one file, each with its board."""
    doc = tomllib.loads(path.read_text(encoding="utf-8"))
    boards = {board["name"]: board["scenario"] for board in doc["board"]}
    return [Played(path.stem, data, boards[data["board"]]) for data in doc["game"]]


GAMES = [game for path in sorted(FOLDER.rglob("*.toml")) for game in read_games(path)]


def run(words: list[str]) -> Result:
    """A command as a judge types it."""
    return RUNNER.invoke(cli, words, catch_exceptions=False)


def events_in(path: Path) -> int:
    """How many events a journal holds."""
    with Game.open(path) as game:
        return len(game.timeline.events)


def problems(step: dict[str, Any], path: Path) -> list[str]:
    """Play a step and tell what is not as it says."""
    before = events_in(path)
    words = [*step["run"], "-g", str(path), *(["--as", step["as"]] if "as" in step else [])]
    result = run(words if step.get("plain") else [*words, "--json"])
    found = [] if result.exit_code == step.get("exit", 0) else [f"exit status {result.exit_code}"]
    after = events_in(path)
    if result.exit_code and after != before:
        found.append("it was refused, and something was recorded")
    if after != step.get("events", after):
        found.append(f"{after} events in the journal")
    if "expect" in step:
        try:
            found += differences(step["expect"], json.loads(result.stdout))
        except json.JSONDecodeError:
            found.append("no JSON")
    said = (result.stderr + result.stdout).replace(str(path), "GAME").lower()
    found += [f"the output does not hold {text!r}" for text in step.get("says", []) if text.lower() not in said]
    found += [f"the output holds {text!r}" for text in step.get("lacks", []) if text.lower() in said]
    return [*found, result.stderr or result.stdout] if found else []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_game_goes_as_told(game: Played, tmp_path: Path) -> None:
    """Every step answers what the player of this game says it does, and the whole game is proved at its end."""
    scenario, path = tmp_path / "scenario.toml", tmp_path / "table.game"
    scenario.write_text(game.scenario, encoding="utf-8")
    started = run(["start", str(scenario), str(path), *game.data.get("start", [])])
    assert started.exit_code == 0, started.stderr
    for number, step in enumerate(game.data["steps"], 1):
        found = [problem for _ in range(step.get("times", 1)) for problem in problems(step, path)]
        assert not found, f"step {number}: {' '.join(step['run'])} [{game.data['rule']}]\n" + "\n".join(found)
    proof = run(["verify", str(path)])
    assert proof.exit_code == 0, proof.output


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_of_a_game_is_played(rule: str) -> None:
    """Each rule that only a game answers for is cited by at least one game."""
    assert any(rule in game.cites for game in GAMES)


def test_every_game_and_step_demands_something() -> None:
    """No board without a game, no game without a demand, no key that the runner does not read, no name twice."""
    used = {(game.file, game.data["board"]) for game in GAMES}
    for path in FOLDER.rglob("*.toml"):
        doc = tomllib.loads(path.read_text(encoding="utf-8"))
        assert set(doc) <= {"board", "game"}
        assert all(set(board) <= BOARD_KEYS and (path.stem, board["name"]) in used for board in doc["board"])
    for game in GAMES:
        assert set(game.data) <= GAME_KEYS, game.id
        assert all(CITED.fullmatch(rule) for rule in game.cites), game.id
        assert all(set(step) <= STEP_KEYS for step in game.data["steps"]), game.id
        assert any(set(step) & DEMANDS for step in game.data["steps"]), game.id
    assert [name for name, times in Counter(game.id for game in GAMES).items() if times > 1] == []
