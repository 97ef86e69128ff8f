"""What the commands of `minis import` share: options, the size of a table, how file and report are given out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from minis.cli.options import print_json
from minis.errors import BadInput, Mistake, bad
from minis.lengths import parse_length

if TYPE_CHECKING:
    from minis.ground.report import Report
    from minis.ground.scenario_text import Piece

Command = TypeVar("Command", bound=Callable[..., Any])

SIZE = "144x72"
"""The size of a table where none is given, in inches."""


def out_options(command: Command) -> Command:
    """-o/--out, --force, --title: the scenario file that is written."""
    command = click.option("--title", default=None, metavar="TEXT", help="The title; else the name of the file.")(
        command
    )
    command = click.option("--force", is_flag=True, default=False, help="Replace the file where it is there already.")(
        command
    )
    return click.option(
        "-o", "--out", type=click.Path(path_type=Path), required=True, metavar="PATH", help="The scenario to write."
    )(command)  # fmt: skip


def tables_option(command: Command) -> Command:
    """--tables: a judge's own rows over the tables."""
    return click.option(
        "--tables", "house", type=click.Path(path_type=Path), metavar="DIR",
        help="Rows of your own laid over the tables, such as osm.toml.",
    )(command)  # fmt: skip


def parse_size(text: str) -> tuple[float, float]:
    """Width and depth of a table in inches.

    Raises BadInput where the text is none.

    >>> parse_size("144x72"), parse_size("360cm x 180cm")[0] > 141
    ((144.0, 72.0), True)
    """
    parts = text.lower().replace("×", "x").split("x")
    try:
        width, depth = (parse_length(part) for part in parts)
    except (BadInput, ValueError):
        width = depth = 0.0
    from minis.board.schema import REACH_IN

    if not (0 < width <= REACH_IN and 0 < depth <= REACH_IN):
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise bad(f"expected a width and a depth in inches such as 144x72, not {shown!r}", file="--size")
    return width, depth


def own_tables(house: Path | None, out: Path, pieces: Iterable[Piece]) -> str | None:
    """The path of house rules that a scenario `out` names: only where a kind of its terrain stands in them alone."""
    from minis.rules import load_rules

    if house is None or {piece.kind for piece in pieces} <= load_rules().terrain.keys():
        return None
    return os.path.relpath(house, out.parent)


def deliver(text: str, report: Report, out: Path, *, force: bool, house: Path | None, as_json: bool) -> None:
    """Check the scenario, write it whole, and print the report of it.

    Raises BadInput where the file may not be written, or where what was made is no scenario: then nothing is.
    """
    from minis.board.scenario import WHAT, board_of
    from minis.ground.report import report_text
    from minis.ground.scenario_text import write_whole
    from minis.toml_file import parse_toml

    try:
        board = board_of(parse_toml(text, str(out), what=WHAT), house=house)
    except BadInput as error:  # what was read is wrong: the lines of a file that is not written say nothing
        raise BadInput(
            Mistake(one.message, file="--title")
            if one.path == "title"
            else Mistake(one.message, report.source, path=one.path, id=one.id)
            for one in error.mistakes
        ) from None
    write_whole(out, text, force=force)
    if as_json:
        print_json({"out": str(out), "terrain": len(board.terrain)} | report.as_json())
    else:
        click.echo(report_text(report))
        click.echo(f"wrote {out}", err=True)
