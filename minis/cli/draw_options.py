"""What the commands of `minis draw` share: whose picture it is, where it goes, on what paper."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from minis.cli.options import load_board
from minis.errors import MinisError, bad

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.draw.svg import Element

Command = TypeVar("Command", bound=Callable[..., Any])

PNG_WIDTH = 1600
"""Pixels of the width of a picture as PNG."""

SUFFIXES = {".svg": "svg", ".png": "png", ".pdf": "pdf"}


def picture_options(command: Command) -> Command:
    """-o, --png, --pdf, --paper, --to-scale; -g, --tables; --as and --judge."""
    for option in reversed((
        click.option(
            "-g", "--game", type=click.Path(path_type=Path), envvar="MINIS_GAME", metavar="PATH", is_eager=True,
            help="The scenario or game file (or set MINIS_GAME).",
        ),
        click.option(
            "--tables", "house", type=click.Path(path_type=Path), metavar="DIR",
            help="House rules laid over the tables.",
        ),
        click.option(
            "--as", "as_side", envvar="MINIS_SIDE", metavar="SIDE", is_eager=True,
            help="Draw what this side may know (or set MINIS_SIDE).",
        ),
        click.option("--judge", is_flag=True, default=False, help="Draw everything, for the judge's eyes."),
        click.option(
            "-o", "--out", type=click.Path(path_type=Path), metavar="FILE",
            help="Write to FILE; its ending .svg, .png or .pdf says as what. Else SVG on standard output.",
        ),
        click.option("--png", is_flag=True, default=False, help="As PNG; needs the extra `print`."),
        click.option("--pdf", is_flag=True, default=False, help="As PDF; needs the extra `print`."),
        click.option(
            "--paper", type=click.Choice(("a4", "letter")), default="a4", show_default=True, help="Paper of the PDF."
        ),
        click.option(
            "--to-scale", is_flag=True, default=False,
            help="PDF: an inch of the table is an inch on paper, on as many sheets as it takes.",
        ),
    )):  # fmt: skip
        command = option(command)
    return command


def view_of(game: Path | None, house: Path | None, as_side: str | None, judge: bool) -> Board:
    """The board that is drawn: what a side may know, or with `judge` everything.

    Raises BadInput where neither is asked for, or both: the whole table is never drawn unasked.
    """
    if game is None:
        raise bad("name the scenario or the game with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    if judge and as_side is not None:
        raise bad("--judge and --as (or MINIS_SIDE) exclude each other", file="--judge")
    if not judge and as_side is None:
        raise bad("say whose picture it is: name the side with --as, or --judge for everything", file="--as")
    return load_board(game, house, as_side)


def turn_of(game: Path | None, as_side: str | None) -> str | None:
    """Turn and phase of a game as a picture says them; None for a scenario, which has none."""
    from minis.game.game import Game
    from minis.game.journal import is_game

    if game is None or not is_game(game):
        return None
    try:
        with Game.open(game) as opened:
            return opened.state.when + (", ended" if opened.state.ended else "")
    except MinisError:
        if as_side is None:
            raise
        raise bad("cannot be shown: it is damaged; the judge's `minis verify` says where", file=str(game)) from None


def backdrop_of(board: Board, game: Path | None) -> Element | None:
    """The picture under the map, drawn; where it cannot be shown a warning says why, and the map goes without it."""
    if board.backdrop is None or game is None:
        return None
    from minis.draw.backdrop import MOST_BYTES, backdrop_layer
    from minis.draw.table_map import canvas_of

    path = game.parent / board.backdrop.file
    try:
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= MOST_BYTES else b""
    except OSError:
        data = b""
    layer = backdrop_layer(board.backdrop, data, canvas_of(board))
    if layer is None:
        why = f"a PNG or JPEG of at most {MOST_BYTES // 2**20} MB beside {game.name}"
        click.echo(f"the picture under the map, {board.backdrop.file}, is not shown: expected {why}", err=True)
    return layer


def whose(as_side: str | None) -> str:
    """A line for the foot of a picture: for whose eyes it is."""
    if as_side is None:
        return "For the judge's eyes: hidden units, dummies and what is on tokens are shown."
    return f"What {as_side} may know."


def deliver(svg: str, out: Path | None, png: bool, pdf: bool, paper: str, to_scale: bool) -> None:
    """Write a picture to its file, whole or not at all, and say so on standard error; without a file print the SVG.

    Raises BadInput where the options do not go together or the file cannot be written.
    """
    form = _form(out, png, pdf)
    if to_scale and form != "pdf":
        raise bad("only a PDF is drawn to scale: add --pdf, or an --out that ends in .pdf", file="--to-scale")
    if out is None:
        click.echo(svg, nl=False)
        return
    write_whole(out, _content(svg, form, paper, to_scale))
    click.echo(f"wrote {out}", err=True)


def _content(svg: str, form: str, paper: str, to_scale: bool) -> bytes:
    if form == "svg":
        return svg.encode()
    from minis.draw.paper import pdf_of, png_of

    return png_of(svg, width_px=PNG_WIDTH) if form == "png" else pdf_of(svg, paper=paper, to_scale=to_scale)


def _form(out: Path | None, png: bool, pdf: bool) -> str:
    """What is to be written: svg, png or pdf."""
    asked = "png" if png else "pdf" if pdf else None
    if png and pdf:
        raise bad("--png and --pdf exclude each other", file="--png")
    if out is None:
        if asked:
            raise bad(f"name the file of the picture with -o FILE.{asked}", file=f"--{asked}")
        return "svg"
    ending = SUFFIXES.get(out.suffix.lower())
    if asked and ending not in (None, asked):
        raise bad(f"the file ends in {out.suffix}, and --{asked} is asked for", file="--out")
    form = asked or ending
    if form is None:
        raise bad("the file should end in .svg, .png or .pdf", file="--out")
    return form


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is either whole or not there: under another name first."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise bad(f"cannot be written: {error.strerror}", file=str(path)) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise bad(f"cannot be written: {error.strerror}", file=str(path)) from None


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now
