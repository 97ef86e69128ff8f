"""`minis plan hide` and `minis plan balance`: where to lie in wait, and what a set-up is worth."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from minis.cli.options import (
    LENGTH,
    SIDE,
    UNIT,
    game_option,
    json_option,
    load_board,
    print_json,
    refuse_unknown,
)
from minis.errors import bad

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.fire.acquisition import Place
    from minis.plan.workers import Progress

STOPPED = 130
"""The exit status of a command that Ctrl-C ended, as shells have it."""


@click.command()
@click.option("--weapon", "weapon", type=UNIT, required=True, metavar="U", help="The unit that is to lie in wait.")
@click.option("--zone", required=True, metavar="Z", help="Where it may be set up: a [[zone]] of the scenario.")
@click.option("--side", type=SIDE, metavar="X", help="Its side, to be sure.")
@click.option("--lanes", metavar="A,B", help="Only these lanes; else all of its enemies.")
@click.option("--target", metavar="T", default="vehicle", show_default=True, help="What comes: unit, kind or type.")
@click.option("--top", type=click.IntRange(1, 100), default=5, show_default=True, metavar="N", help="At most so many.")
@click.option("--step", type=LENGTH, default="2", show_default=True, metavar="LENGTH", help="Places this far apart.")
@click.option("--every", is_flag=True, default=False, help="Look at every place closely, however long it takes.")
@click.option("--executor", metavar="WHERE", help="processes, processes:N or dask:ADDRESS; else this process.")
@game_option
@json_option
def hide(
    weapon: str, zone: str, side: str | None, lanes: str | None, target: str, top: int, step: float, every: bool,
    executor: str | None, game: Path | None, house: Path | None, as_side: str | None, as_json: bool,
) -> None:  # fmt: skip
    """The best places of a zone for a unit that lies in wait, with the reasons."""
    from minis.cli.plan_hide_text import hiding_text
    from minis.plan.hide import hide as search
    from minis.plan.hide_answer import hiding_answer
    from minis.plan.march import lanes_of
    from minis.plan.spots import zone_named
    from minis.plan.stand_ins import stand_in
    from minis.plan.workers import executor_of
    from minis.sight.field_engine import engine_note

    board = _board(game, house, as_side)
    unit = board.unit(weapon)
    refuse_unknown(unit)
    if side is not None and unit.side != board.check_side(side):
        raise bad(f"{unit.id} is of {unit.side}, not of {side}", file="--side")
    ways = lanes_of(board, unit.side, _names(lanes))
    comer = stand_in(board, target, house=house)
    if comer.id == unit.id:
        raise bad(f"{unit.id} does not come along a lane while it lies in wait", file="--target")
    if sys.stderr.isatty() and engine_note():
        click.echo(engine_note(), err=True)
    with _stoppable(), executor_of(executor) as workers, _bar("places looked at") as progress:
        found = search(
            board, unit, zone_named(board, zone), ways, step_in=step, top=top, target=comer, every=every,
            executor=workers, progress=progress,
        )  # fmt: skip
    if as_json:
        print_json(hiding_answer(board, found))
    else:
        click.echo(hiding_text(board, found))
    if found.broken_off:
        _stop()


@click.command()
@click.option("--setup", "setups", type=click.Path(path_type=Path), multiple=True, metavar="FILE", help="A set-up.")
@click.option("--side", type=SIDE, metavar="X", help="The side that lies in wait; else the enemy of the lanes' side.")
@click.option("--lanes", metavar="A,B", help="Only these lanes; else all of its enemies.")
@click.option(
    "--trials", type=click.IntRange(1, 10**6), default=1000, show_default=True, metavar="N", help="How often."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, metavar="S", help="The dice.")
@click.option("--executor", metavar="WHERE", help="processes, processes:N or dask:ADDRESS; else this process.")
@game_option
@json_option
def balance(
    setups: tuple[Path, ...], side: str | None, lanes: str | None, trials: int, seed: int, executor: str | None,
    game: Path | None, house: Path | None, as_side: str | None, as_json: bool,
) -> None:  # fmt: skip
    """What a set-up is worth: played many times against the vehicles that come along the lanes."""
    from minis.cli.plan_hide_text import balance_text
    from minis.plan.balance import balance as play
    from minis.plan.balance_answer import balance_answer
    from minis.plan.march import lanes_of
    from minis.plan.workers import executor_of

    board, laid_on = _set_up(game, house, as_side, setups)
    waiting = board.check_side(side) if side is not None else _who_waits(board)
    ways = lanes_of(board, waiting, _names(lanes))
    with _stoppable(), executor_of(executor) as workers, _bar("trials") as progress:
        found = play(
            board, waiting, ways, trials=trials, seed=seed, laid_on=laid_on, executor=workers, progress=progress
        )  # fmt: skip
    if as_json:
        print_json(balance_answer(board, found))
    else:
        click.echo(balance_text(board, found))
    if found.broken_off:
        _stop()


def _names(lanes: str | None) -> list[str]:
    """Names with commas between them; raises BadInput where there is none."""
    if lanes is None:
        return []
    names = [name.strip() for name in lanes.split(",") if name.strip()]
    if not names:
        raise bad(f"expected names of lanes such as A,B, not {lanes!r}", file="--lanes")
    return names


def _who_waits(board: Board) -> str:
    """The one side that does not come along the lanes; raises BadInput where that is not said."""
    comers = {lane.side for lane in board.lanes if lane.side is not None}
    waiting = [side for side in board.sides if side not in comers]
    if not comers or len(waiting) != 1:
        raise bad("the lanes do not say which side lies in wait: give --side X", file=board.name)
    return waiting[0]


# --- the table -------------------------------------------------------------------------------------------------------


def _board(game: Path | None, house: Path | None, as_side: str | None) -> Board:
    if game is None:
        raise bad("name the scenario with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    return load_board(game, house, as_side)


def _set_up(
    game: Path | None, house: Path | None, as_side: str | None, setups: tuple[Path, ...]
) -> tuple[Board, dict[str, Place]]:
    """The table with some set-ups laid over it, and the bore-sighted spot of each first weapon."""
    if not setups:
        return _board(game, house, as_side), {}
    from dataclasses import replace

    from minis.board.scenario import WHAT, board_of
    from minis.fire.boresight import legal
    from minis.fire.measure import weapon_of
    from minis.game.journal import is_game
    from minis.game.setup import read_setup, with_setups
    from minis.game.views import board_for
    from minis.sight.scene import Scene
    from minis.toml_file import read_toml

    if game is None or is_game(game):
        raise bad("a set-up is laid over a scenario: name one with -g FILE", file="--setup")
    document = read_toml(game, what=WHAT)
    read = [read_setup(path) for path in setups]
    board = board_of(replace(document, data=with_setups(document.data, read)), house=house)
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
    return (board if as_side is None else board_for(board, as_side)), laid_on


# --- work that takes its time ----------------------------------------------------------------------------------------


@contextmanager
def _stoppable() -> Iterator[None]:
    """Ctrl-C before there is anything to keep: a word, and the exit status of it."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Broken off: nothing was done yet.", err=True)
        _stop()


def _stop() -> NoReturn:
    click.get_current_context().exit(STOPPED)


@contextmanager
def _bar(words: str) -> Iterator[Progress | None]:
    """A bar on standard error while some work goes on; none where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield progress
