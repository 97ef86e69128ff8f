"""What the commands of a game share: the game that is meant, how an act is put to it, how it answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from minis.cli.options import json_option, print_json
from minis.errors import MinisError, bad

if TYPE_CHECKING:
    from minis.game.act import Outcome
    from minis.game.chain import Event
    from minis.game.game import Game

Command = TypeVar("Command", bound=Callable[..., Any])


def game_file_option(command: Command) -> Command:
    """-g/--game: the game file; --json; and --as, with which nobody records."""
    command = json_option(command)
    command = click.option(
        "--as", "as_side", envvar="MINIS_SIDE", metavar="SIDE", is_eager=True,
        help="What this side may know (or set MINIS_SIDE); only the judge records.",
    )(command)  # fmt: skip
    return click.option(
        "-g", "--game", type=click.Path(path_type=Path), envvar="MINIS_GAME", metavar="PATH", is_eager=True,
        help="The game file made by `minis start` (or set MINIS_GAME).",
    )(command)  # fmt: skip


def why_option(command: Command) -> Command:
    """--why: a reason for the log."""
    return click.option("--why", default="", metavar="WORDS", help="The reason; it stands in the log.")(command)


def open_game(path: Path | None, as_side: str | None = None) -> Game:
    """The game that was named, for the judge; raises BadInput where it is none."""
    from minis.game.game import Game
    from minis.game.journal import is_game

    if as_side is not None:
        raise MinisError("only the judge records and reads the journal: leave out --as, and unset MINIS_SIDE")
    if path is None:
        raise bad("name the game file with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    if os.path.isfile(path) and not is_game(path):
        raise bad("this is no game file: `minis start SCENARIO GAME` makes one of a scenario", file=str(path))
    return Game.open(path)


def open_game_for_side(path: Path | None, side: str) -> Game:
    """The game that was named, for what a side may know of it; no message tells what stands in a file."""
    from minis.game.game import Game
    from minis.game.journal import is_game

    if path is None:
        raise bad("name the game file with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    if not os.path.exists(path):
        raise bad("there is no such file", file=str(path))
    try:
        if not is_game(path):
            raise bad("this is no game file", file=str(path))
        found = Game.open(path)
    except MinisError:
        raise bad(
            "cannot be shown: it is no game, or it is damaged; the judge's `minis verify` says", file=str(path)
        ) from None
    if side not in found.order:
        found.close()
        raise bad(f"there is no side {side!r} in this game", file=str(path))
    return found


def record(
    game: Path | None,
    as_side: str | None,
    kind: str,
    asked: Mapping[str, Any],
    typed: Mapping[str, Sequence[int]] | None = None,
    *,
    throws: bool = False,
    as_json: bool,
) -> None:
    """Put an act to the game that is meant, record it, and print what became of it."""
    with open_game(game, as_side) as opened:
        outcome, event = opened.act(kind, dict(asked), typed, throws=throws)
        tell(opened, outcome, event, as_json=as_json)


def tell(game: Game, outcome: Outcome, event: Event | None, *, as_json: bool) -> None:
    """Print an act as it was recorded: as data, or the words of the log."""
    if as_json:
        print_json(outcome.answer | {"event": event.seq if event else None})
    elif event is not None:
        click.echo(event_text(event))


def event_text(event: Event) -> str:
    """An event as the command line says it: its number, its line, what stands behind it."""
    from minis.game.log import words

    line, behind = words(event)
    return "\n".join([f"{event.seq:>4}  {line}", *(f"      {text}" for text in behind)])


def parse_place(text: str, option: str) -> list[float]:
    """A place such as 12,14 1/2 in inches; raises BadInput for anything else.

    >>> parse_place("12,14 1/2", "--to")
    [12.0, 14.5]
    """
    from minis.lengths import parse_length

    x, comma, y = text.partition(",")
    if not comma or "," in y:
        raise bad(f"expected a place such as 12,14.5, not {text!r}", file=option)
    return [parse_length(x), parse_length(y)]
