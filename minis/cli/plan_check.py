"""`minis plan check`: a set-up file against its scenario."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.cli.plan_options import Ask, asked, broken_off_text
from minis.cli.text import columns, plural
from minis.errors import BadInput, MinisError, bad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from minis.board.board import Board
    from minis.game.setup import Setup
    from minis.plan.setup_check import Checked


NAMES_SHOWN = 6
"""Of a long list of ids so many are told."""


@click.command()
@click.argument("setup", type=click.Path(path_type=Path))
@asked
def check(ask: Ask, setup: Path) -> None:
    """Check a SETUP file against its scenario: zones, dummies, bore sights, bases, passengers, hidden units.

    Exit status 1 where something is against the rules, 2 where a file cannot be used. An executor looks at several
    hidden units at once.
    """
    from minis.game.setup import read_setup
    from minis.plan.answers import checked_answer, under
    from minis.plan.setup_check import check_setup

    game = ask.file
    read = read_setup(setup)
    if ask.as_side is not None and read.side != ask.as_side:
        raise bad(f"this is no set-up of {ask.as_side}", file=str(setup))
    board = _laid_over(read, game, ask.house, ask.as_side)
    with ask.working("hidden units") as (workers, progress):
        found = check_setup(board, read, executor=workers, progress=progress)
    ask.tell(
        lambda: _text(board, read, found),
        lambda: checked_answer(read, found) | under(board.rules),
        broken_off=found.broken_off,
    )
    if not found.fine:
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


# --- in words --------------------------------------------------------------------------------------------------------


def _text(board: Board, setup: Setup, checked: Checked) -> str:
    """What the command says of a set-up."""
    from minis.cli.plan_text import under_text

    found = checked.findings
    wrong = sum(one.against for one in found)
    if wrong:
        verdict = f"{plural(wrong, 'thing')} against the rules"
    else:
        verdict = "fine" if not found else f"fine, with {plural(len(found), 'warning')}"
    head = [broken_off_text(checked.looked_at, checked.of, "hidden units")] if checked.broken_off else []
    own = [unit for unit in board.units if unit.side == setup.side]
    lines = [
        *head,
        f"{setup.name}: {verdict}.",
        f"  {setup.side} on {board.title}: {plural(len(own), 'unit')}, "
        f"{sum(unit.hidden for unit in own)} hidden, {sum(unit.dummy for unit in own)} dummies, "
        f"{plural(len(setup.boresights), 'bore sight')}",
    ]
    for one in found:
        who = f"  {one.unit or setup.side}: " if one.against else f"  warning: {one.unit}: "
        lines.append(columns(f"{who}{one.why}{_some(one.of)}", one.rule))
    return "\n".join(lines + under_text(board.rules))


def _some(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return (" " + ", ".join(names[:NAMES_SHOWN]) + more) if names else ""
