"""What the commands of `minis plan` share: who asks of what, where the work is done, and how it is broken off."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from minis.cli.options import game_option, json_option, load_board, load_scene, print_json, refuse_unknown
from minis.errors import bad

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from minis.board.board import Board
    from minis.board.units import Unit
    from minis.plan.workers import Progress
    from minis.sight.scene import Scene

Command = TypeVar("Command", bound=Callable[..., Any])

STOPPED = 130
"""The exit status of a command that Ctrl-C ended, as shells have it."""


@dataclass(frozen=True)
class Ask:
    """The scenario and its house rules, who asks, as text or as data, and where the work is done."""

    game: Path | None
    house: Path | None
    as_side: str | None
    as_json: bool
    executor: str | None

    @property
    def file(self) -> Path:
        """The scenario; raises BadInput where none is named."""
        if self.game is None:
            raise bad("name the scenario with -g FILE, or in the environment variable MINIS_GAME", file="-g")
        return self.game

    def scene(self) -> Scene:
        """The scene of the scenario: the whole of it, or what a side may know."""
        return load_scene(self.game, self.house, self.as_side)

    def board(self) -> Board:
        """The board of the scenario: the whole of it, or what a side may know."""
        return load_board(self.file, self.house, self.as_side)

    def target(self, board: Board, name: str | None) -> Unit:
        """Who stands or moves where it is looked at: an armoured vehicle where nothing is named."""
        from minis.plan.stand_ins import stand_in

        if name in board.unit_by_id:
            own_unit(board, str(name))
        return stand_in(board, name or "vehicle", house=self.house)

    @contextmanager
    def working(self, words: str) -> Iterator[tuple[Executor | None, Progress | None]]:
        """What some work is done with: an executor, and on a terminal a bar with these words.

        Ctrl-C before there is anything to keep ends the command with a word on it.
        """
        from minis.plan.workers import executor_of

        try:
            with executor_of(self.executor) as workers, _bar(words) as progress:
                yield workers, progress
        except KeyboardInterrupt as stopped:
            why = str(stopped) or "nothing was done yet"
            if self.as_json:
                print_json({"broken_off": True, "why": why})
            click.echo(f"Broken off: {why}.", err=True)
            _stop()

    def tell(self, text: Callable[[], str], answer: Callable[[], Any], *, broken_off: bool = False) -> None:
        """Print what was found as text or as data; what Ctrl-C ended has its exit status."""
        if self.as_json:
            print_json(answer())
        else:
            click.echo(text())
        if broken_off:
            _stop()


def asked(command: Callable[..., Any]) -> Callable[..., Any]:
    """-g/--game, --tables, --as, --json and --executor, handed to a command as its first argument, an `Ask`."""

    @functools.wraps(command)
    def with_ask(
        *args: Any, game: Path | None, house: Path | None, as_side: str | None, as_json: bool, executor: str | None,
        **options: Any,
    ) -> Any:  # fmt: skip
        return command(Ask(game, house, as_side, as_json, executor), *args, **options)

    where = click.option(
        "--executor", metavar="WHERE", help="processes, processes:N or dask:ADDRESS; else this process."
    )
    return where(game_option(json_option(with_ask)))


def target_option(command: Command) -> Command:
    """--target: who stands or moves where it is looked at."""
    return click.option(
        "--target", "target", metavar="T", help="A unit, a kind (vehicle, gun, infantry) or a type of the catalogue."
    )(command)


def weapon_option(command: Command) -> Command:
    """--weapon: one of the weapons of a unit."""
    return click.option("--weapon", metavar="ID", help="The weapon; else the first of the unit.")(command)


def lanes_option(command: Command) -> Command:
    """--lanes: some of the lanes by which enemies may come."""
    return click.option("--lanes", metavar="A,B", help="Only these lanes; else all of its enemies.")(command)


def own_unit(board: Board, name: str) -> Unit:
    """A unit that is not only a token to who asks."""
    unit = board.unit(name)
    refuse_unknown(unit)
    return unit


def parse_names(text: str | None) -> list[str]:
    """Names with commas between them; raises BadInput where there is none.

    >>> parse_names("road, track"), parse_names(None)
    (['road', 'track'], [])
    """
    names = [name.strip() for name in text.split(",") if name.strip()] if text is not None else []
    if text is not None and not names:
        raise bad(f"expected names of lanes such as A,B, not {text!r}", file="--lanes")
    return names


def parse_spot(text: str, option: str) -> tuple[float, float, float | None]:
    """A place such as 12,14 1/2 or 12,14 1/2,90: inches, and a facing in degrees; raises BadInput for anything else.

    >>> parse_spot("12,14 1/2", "--at"), parse_spot("12,14,270", "--at")
    ((12.0, 14.5, None), (12.0, 14.0, 270.0))
    """
    from minis.errors import BadInput
    from minis.lengths import parse_length

    parts = text.split(",")
    if len(parts) not in (2, 3):
        raise bad(f"expected a place such as 12,14.5 or 12,14.5,90, not {text!r}", file=option)
    try:
        x, y = parse_length(parts[0]), parse_length(parts[1])
        facing = parse_length(parts[2]) if len(parts) > 2 else None
    except BadInput as error:
        raise bad(f"expected a place such as 12,14.5 or 12,14.5,90, not {text!r}: {error}", file=option) from None
    return x, y, facing


def moved(board: Board, unit: Unit, place: str, option: str) -> Unit:
    """A unit at a place that was typed; it keeps its facing where none is named."""
    from minis.lengths import to_grid
    from minis.plan.spots import place_unit

    x, y, facing = parse_spot(place, option)
    if not (0 <= x <= board.width_in and 0 <= y <= board.depth_in):
        raise bad(f"{x:g},{y:g} is off the table", file=option)
    return place_unit(unit, (to_grid(x), to_grid(y)), unit.facing if facing is None else facing)


def broken_off_text(done: int, of: int, what: str) -> str:
    """The line that says how far a work came that Ctrl-C ended.

    >>> broken_off_text(1, 3, "lanes")
    'Broken off: 1 of 3 lanes.'
    """
    return f"Broken off: {done} of {of} {what}."


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
