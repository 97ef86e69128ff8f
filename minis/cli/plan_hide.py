"""`minis plan hide` and `minis plan balance`: where to lie in wait, and what a set-up is worth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.cli.options import LENGTH, SIDE, UNIT
from minis.cli.plan_options import Ask, asked, lanes_option, own_unit, parse_names
from minis.errors import bad

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.fire.acquisition import Place


@click.command()
@click.option("--weapon", "weapon", type=UNIT, required=True, metavar="U", help="The unit that is to lie in wait.")
@click.option("--zone", required=True, metavar="Z", help="Where it may be set up: a [[zone]] of the scenario.")
@click.option("--side", type=SIDE, metavar="X", help="Its side, to be sure.")
@lanes_option
@click.option("--target", metavar="T", default="vehicle", show_default=True, help="What comes: unit, kind or type.")
@click.option("--top", type=click.IntRange(1, 100), default=5, show_default=True, metavar="N", help="At most so many.")
@click.option("--step", type=LENGTH, default="2", show_default=True, metavar="LENGTH", help="Places this far apart.")
@click.option("--every", is_flag=True, default=False, help="Look at every place closely, however long it takes.")
@asked
def hide(
    ask: Ask, weapon: str, zone: str, side: str | None, lanes: str | None, target: str, top: int, step: float,
    every: bool,
) -> None:  # fmt: skip
    """The best places of a zone for a unit that lies in wait, with the reasons."""
    from minis.cli.plan_hide_text import hiding_text
    from minis.plan.hide import hide as search
    from minis.plan.hide_answer import hiding_answer
    from minis.plan.march import lanes_of
    from minis.plan.spots import zone_named
    from minis.plan.stand_ins import stand_in
    from minis.sight.field_engine import engine_note

    board = ask.board()
    unit = own_unit(board, weapon)
    if side is not None and unit.side != board.check_side(side):
        raise bad(f"{unit.id} is of {unit.side}, not of {side}", file="--side")
    ways = lanes_of(board, unit.side, parse_names(lanes))
    comer = stand_in(board, target, house=ask.house)
    if comer.id == unit.id:
        raise bad(f"{unit.id} does not come along a lane while it lies in wait", file="--target")
    if sys.stderr.isatty() and engine_note():
        click.echo(engine_note(), err=True)
    with ask.working("places looked at") as (workers, progress):
        found = search(
            board,
            unit,
            zone_named(board, zone),
            ways,
            step_in=step,
            top=top,
            target=comer,
            every=every,
            executor=workers,
            progress=progress,
        )
    ask.tell(lambda: hiding_text(board, found), lambda: hiding_answer(board, found), broken_off=found.broken_off)


@click.command()
@click.option("--setup", "setups", type=click.Path(path_type=Path), multiple=True, metavar="FILE", help="A set-up.")
@click.option("--side", type=SIDE, metavar="X", help="The side that lies in wait; else the enemy of the lanes' side.")
@lanes_option
@click.option(
    "--trials", type=click.IntRange(1, 10**6), default=1000, show_default=True, metavar="N", help="How often."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, metavar="S", help="The dice.")
@asked
def balance(ask: Ask, setups: tuple[Path, ...], side: str | None, lanes: str | None, trials: int, seed: int) -> None:
    """What a set-up is worth: played many times against the vehicles that come along the lanes."""
    from minis.cli.plan_hide_text import balance_text
    from minis.plan.balance import balance as play
    from minis.plan.balance_answer import balance_answer
    from minis.plan.march import lanes_of

    board, laid_on = _set_up(ask, setups)
    waiting = board.check_side(side) if side is not None else _who_waits(board)
    ways = lanes_of(board, waiting, parse_names(lanes))
    with ask.working("chances and trials") as (workers, progress):
        found = play(
            board, waiting, ways, trials=trials, seed=seed, laid_on=laid_on, executor=workers, progress=progress
        )
    ask.tell(lambda: balance_text(board, found), lambda: balance_answer(board, found), broken_off=found.broken_off)


def _who_waits(board: Board) -> str:
    """The one side that does not come along the lanes; raises BadInput where that is not said."""
    comers = {lane.side for lane in board.lanes if lane.side is not None}
    waiting = [side for side in board.sides if side not in comers]
    if not comers or len(waiting) != 1:
        raise bad("the lanes do not say which side lies in wait: give --side X", file=board.name)
    return waiting[0]


# --- the table -------------------------------------------------------------------------------------------------------


def _set_up(ask: Ask, setups: tuple[Path, ...]) -> tuple[Board, dict[str, Place]]:
    """The table with some set-ups laid over it, and the bore-sighted spot of each first weapon."""
    if not setups:
        return ask.board(), {}
    from dataclasses import replace

    from minis.board.scenario import WHAT, board_of
    from minis.fire.boresight import legal
    from minis.fire.measure import weapon_of
    from minis.game.journal import is_game
    from minis.game.setup import read_setup, with_setups
    from minis.game.views import board_for
    from minis.sight.scene import Scene
    from minis.toml_file import read_toml

    if ask.game is None or is_game(ask.game):
        raise bad("a set-up is laid over a scenario: name one with -g FILE", file="--setup")
    document = read_toml(ask.game, what=WHAT)
    read = [read_setup(path) for path in setups]
    board = board_of(replace(document, data=with_setups(document.data, read)), house=ask.house)
    laid_on: dict[str, Place] = {}
    for setup in read:
        for entry in setup.boresights:
            unit, spot = board.unit(entry.unit), (float(entry.at[0]), float(entry.at[1]))
            weapon = weapon_of(unit, entry.weapon)
            bars = legal(Scene(board), unit, weapon, spot)
            if bars:
                message = f"{unit.id} may not bore sight {spot[0]:g},{spot[1]:g}: {bars[0].why} ({bars[0].rule})"
                raise bad(message, file=setup.name)
            if weapon is unit.weapons[0]:
                laid_on[unit.id] = spot
    return (board if ask.as_side is None else board_for(board, ask.as_side)), laid_on
