"""Whole games: the script of each example is played through, and log and report are those in tests/golden.

`MINIS_GOLDEN=write pytest tests/test_playthroughs.py` writes the texts anew; read the difference. The key of the dice
is fixed here and every die of a script is typed, so the texts are the same on every machine.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from minis.cli.main import cli
from minis.game.acts import ACTS
from minis.game.chance import KEY_BYTES
from minis.game.game import Game
from minis.game.opening import prepare
from minis.game.timeline import CONTROL

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = Path(__file__).resolve().parent / "golden"
PLAYED = sorted(path.parent.name for path in (ROOT / "examples").glob("*/game.txt"))
UNPLAYED = {"house-rules": "it holds rule tables alone and has no scenario"}
"""Examples without a script, each with the reason."""

SIDES = {
    "crossroads": ("allied", "axis"),
    "karhula": ("soviet", "finnish"),
    "villers-bocage": ("allied", "axis"),
}
"""The sides of an example, the one that moves first before the other."""

TURNS = {"crossroads": 3, "karhula": 5, "villers-bocage": 6}
"""So many turns an example has at least."""

RUNNER = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1"})


def texts(name: str) -> dict[str, tuple[str, ...]]:
    """What is compared of a game that has ended: the end of the name of its text, and the command that prints it."""
    sides = {f"log-{side}": ("log", "--as", side) for side in SIDES[name]}
    return {"log": ("log", "--full"), "report": ("report",), **sides}


def run(*args: object) -> str:
    """What a command prints that ends well, in this process."""
    result = RUNNER.invoke(cli, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def played(name: str, folder: Path) -> Path:
    """The game file of an example, played from its start to the end of its script."""
    key, path = bytes(KEY_BYTES), folder / f"{name}.game"
    example = ROOT / "examples" / name
    Game.begin(path, prepare(example / "scenario.toml", key=key, first=SIDES[name][0]), key).close()
    run("play", path, example / "game.txt")
    return path


def golden(name: str, text: str) -> Path:
    """Where a text of an example is kept."""
    return GOLDEN / f"game-{name}-{text}.txt"


@pytest.mark.parametrize("name", PLAYED)
def test_an_example_plays_through_as_it_did(name: str, tmp_path: Path) -> None:
    """The script runs to its end, what it leaves is word for word on file, and the game proves itself."""
    path = played(name, tmp_path)
    with Game.open(path) as game:
        assert game.state.ended
        assert game.order == SIDES[name]
        assert game.state.turn >= TURNS[name]
        assert all(die["how"] == "typed" for event in game.timeline.events for die in event.data.get("dice", ()))
        identity = str(game.timeline.events[0].data["game"])
    for text, command in texts(name).items():
        now = run(*command, "-g", path)
        assert identity not in now
        assert str(tmp_path) not in now
        if os.environ.get("MINIS_GOLDEN") == "write":
            golden(name, text).write_text(now, encoding="utf-8")
        assert now == golden(name, text).read_text(encoding="utf-8"), golden(name, text).name
    assert "everything holds" in run("verify", path)


def test_the_small_game_has_every_kind_of_event(tmp_path: Path) -> None:
    """On the crossroads each act and each event about events happens."""
    with Game.open(played("crossroads", tmp_path)) as game:
        kinds = {event.kind for event in game.timeline.events}
    assert kinds == {"start", *ACTS, *CONTROL}


def test_every_example_is_played_or_says_why_not() -> None:
    """An example folder has a script of a whole game, unless there is a reason."""
    folders = {path.name for path in (ROOT / "examples").iterdir() if path.is_dir()}
    assert folders - set(PLAYED) == set(UNPLAYED)
    assert set(TURNS) == set(SIDES) == set(PLAYED)
    for name in UNPLAYED:
        assert not (ROOT / "examples" / name / "scenario.toml").exists()


@pytest.mark.parametrize("name", PLAYED)
def test_the_readme_says_how_to_play_it(name: str) -> None:
    """The README of an example shows both commands that play its script."""
    text = (ROOT / "examples" / name / "README.md").read_text(encoding="utf-8")
    assert f"minis start examples/{name}/scenario.toml" in text
    assert f"examples/{name}/game.txt" in text


def test_no_golden_text_of_a_game_is_idle() -> None:
    """Every file tests/golden/game-*.txt is one of the texts above."""
    mine = {golden(name, text).name for name in PLAYED for text in texts(name)}
    assert {path.name for path in GOLDEN.glob("game-*.txt")} == mine
