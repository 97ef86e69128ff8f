"""`minis plan check`: a set-up file against its scenario."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.cli.options import game_option, json_option, print_json
from minis.errors import BadInput, MinisError, bad

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.game.setup import Setup


@click.command()
@click.argument("setup", type=click.Path(path_type=Path))
@game_option
@json_option
def check(setup: Path, game: Path | None, house: Path | None, as_side: str | None, as_json: bool) -> None:
    """Check a SETUP file against its scenario: zones, dummies, bore sights, bases, passengers, hidden units.

    Exit status 1 where something is against the rules, 2 where a file cannot be used.
    """
    from minis.cli.plan_text import check_text
    from minis.game.setup import read_setup
    from minis.plan.answers import findings_answer, under
    from minis.plan.setup_check import check_setup

    if game is None:
        raise bad("name the scenario with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    read = read_setup(setup)
    if as_side is not None and read.side != as_side:
        raise bad(f"this is no set-up of {as_side}", file=str(setup))
    board = _laid_over(read, game, house, as_side)
    found = check_setup(board, read)
    fine = not any(one.against for one in found)
    if as_json:
        answer = {"file": read.name, "side": read.side, "fine": fine, "findings": findings_answer(found)}
        print_json(answer | under(board.rules))
    else:
        click.echo(check_text(board, read, found))
    if not fine:
        click.get_current_context().exit(1)


def _laid_over(setup: Setup, scenario: Path, house: Path | None, as_side: str | None) -> Board:
    """The scenario with a set-up laid over it: the whole of it, or what a side may know.

    Raises BadInput with every mistake; to a side one that tells nothing of what stands in the scenario.
    """
    from minis.board.scenario import WHAT, board_of
    from minis.game.journal import is_game
    from minis.game.setup import with_setups
    from minis.game.views import board_for
    from minis.plan.setup_check import off_table
    from minis.toml_file import Document, read_toml

    if is_game(scenario):
        raise bad("expected the scenario; a game that has begun has its set-ups", file=str(scenario))
    try:
        document = read_toml(scenario, what=WHAT)
        bare = board_of(document, house=house)
    except MinisError:
        if as_side is None or not os.path.exists(scenario):
            raise
        message = "cannot be shown: it has mistakes; the judge's `minis check` lists them"
        raise bad(message, file=str(scenario)) from None
    wrong = off_table(setup, bare.width_in, bare.depth_in)
    if wrong:
        raise BadInput([setup.mistake(("unit", number, "at"), why) for number, why in wrong])
    board = board_of(Document(document.name, document.text, with_setups(document.data, [setup])), house=house)
    return board if as_side is None else board_for(board, as_side)
