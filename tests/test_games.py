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
    dice_as = 1                          # optional: its dice fell as those of this step did, the first is 1
    events = 4                           # optional: so many events are in the journal afterwards
    times = 6                            # optional: so often it is run, and each time it is as told

A step that is refused records nothing, unless it says how many `events` there are afterwards. `minis verify` must prove
every game at its end. Numbers are compared within a millionth; the text "null" stands for null.
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
from cases import PLAYED, differences
from click.testing import CliRunner, Result

from minis.cli.main import cli
from minis.game.game import Game

FOLDER = Path(__file__).parent / "games"
BOARD_KEYS = {"name", "scenario"}
GAME_KEYS = {"name", "rule", "board", "start", "steps"}
STEP_KEYS = {"run", "expect", "exit", "as", "plain", "says", "lacks", "events", "times", "dice_as"}
DEMANDS = {"expect", "exit", "says", "lacks", "events", "dice_as"}

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


def play(step: dict[str, Any], path: Path) -> tuple[Result, list[str]]:
    """Play a step: what it printed, and what is not as it says."""
    before = events_in(path)
    words = [*step["run"], "-g", str(path), *(["--as", step["as"]] if "as" in step else [])]
    result = run(words if step.get("plain") else [*words, "--json"])
    after = events_in(path)
    found = [] if result.exit_code == step.get("exit", 0) else [f"exit status {result.exit_code}"]
    if result.exit_code and "events" not in step and after != before:
        found.append("it was refused, and something was recorded")
    if after != step.get("events", after):
        found.append(f"{after} events in the journal")
    if "expect" in step:
        answer = answer_of(result)
        found += ["no JSON"] if answer is None else differences(step["expect"], answer)
    said = (result.stderr + result.stdout).replace(str(path), "GAME").lower()
    found += [f"the output does not hold {text!r}" for text in step.get("says", []) if text.lower() not in said]
    found += [f"the output holds {text!r}" for text in step.get("lacks", []) if text.lower() in said]
    return result, found


def answer_of(result: Result) -> Any:
    """The JSON that a command printed; None where it is none."""
    try:
        return json.loads(result.stdout)
    except json.JSONDecodeError:
        return None


def dice_of(result: Result) -> list[int]:
    """The faces of the dice of an answer."""
    return [die["face"] for die in answer_of(result)["dice"]]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_game_goes_as_told(game: Played, tmp_path: Path) -> None:
    """Every step answers what the player of this game says it does, and the whole game is proved at its end."""
    scenario, path = tmp_path / "scenario.toml", tmp_path / "table.game"
    scenario.write_text(game.scenario, encoding="utf-8")
    started = run(["start", str(scenario), str(path), *game.data.get("start", [])])
    assert started.exit_code == 0, started.stderr
    results: list[Result] = []
    for number, step in enumerate(game.data["steps"], 1):
        for _ in range(step.get("times", 1)):
            result, found = play(step, path)
            if "dice_as" in step and dice_of(result) != dice_of(results[step["dice_as"] - 1]):
                found.append(f"other dice than in step {step['dice_as']}")
            told = [f"step {number}: {' '.join(step['run'])} [{game.data['rule']}]", *found]
            assert not found, "\n".join([*told, result.stderr or result.stdout])
        results.append(result)
    proof = run(["verify", str(path)])
    assert proof.exit_code == 0, proof.output


@pytest.mark.parametrize("rule", PLAYED)
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
