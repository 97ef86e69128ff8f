"""`minis serve`: a game on the tablets and phones around the table."""

from __future__ import annotations

import io
import os
import shlex
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.errors import BadInput, MinisError, bad

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minis.web.seats import Seats
    from minis.web.wording import Wording

PORT = 8321
"""The port, unless another is said: of no well-known service."""


@click.command()
@click.argument("game", type=click.Path(path_type=Path), envvar="MINIS_GAME")
@click.option("--lan", is_flag=True, default=False, help="For the whole local network; else for this machine alone.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 is any that is free.")
@click.option("--new", "anew", multiple=True, metavar="SEAT", help="A new link for SEAT; the one before it is dead.")
@click.option("--seat", "further", multiple=True, metavar="NAME=SIDE", help="A further seat for SIDE.")
@click.option("--no-qr", is_flag=True, default=False, help="Print links without QR codes.")
@click.option("--as", "as_side", envvar="MINIS_SIDE", metavar="SIDE", hidden=True, help="Refused: the judge serves.")
def serve(
    game: Path, lan: bool, port: int, anew: tuple[str, ...], further: tuple[str, ...], no_qr: bool, as_side: str | None
) -> None:
    """Serve GAME to browsers: the judge's page and a page for each side, joined by link or QR code.

    Every act on a page is an event of the same game file; the command line may be used beside it. Ctrl-C ends it, and
    whoever has joined is back when it is started again.
    """
    from minis.cli.games import open_game

    if as_side is not None:
        raise MinisError("only the judge serves a game: leave out --as, and unset MINIS_SIDE")
    with open_game(game) as opened:
        order, title = opened.order, opened.start.title
    _check_extra()
    from minis.web.app import App
    from minis.web.guard import Hosts
    from minis.web.seats import Seats, seats_path
    from minis.web.server import addresses, listen, names_of, run
    from minis.web.table import Table
    from minis.web.workers import Processes

    seats = Seats.open(seats_path(game), order)
    _add_seats(seats, further, order)
    for name in anew:
        seats.seat(name)
    sock = listen(port, lan=lan)
    port = int(sock.getsockname()[1])
    found = addresses() if lan else []
    base = f"http://{found[0] if found else '127.0.0.1'}:{port}"
    table = Table(game, draws=Processes(), checks=Processes(patient=True))
    app = App(
        table, seats, Hosts(names_of(found, lan=lan), port, lan), wording(), plans=Processes(patient=True),
        link=lambda token: f"{base}/join/{token}",
    )  # fmt: skip
    _print_links(seats, anew, base, title, lan=lan, qr=not no_qr)
    if len(found) > 1:
        click.echo(f"This machine is also {', '.join(found[1:])}: the links work with these addresses too.")
    sys.stdout.flush()
    run(app, sock)
    click.echo("stopped")


def _check_extra() -> None:
    import importlib.util

    missing = [name for name in ("starlette", "uvicorn", "segno") if importlib.util.find_spec(name) is None]
    if missing:
        raise MinisError(f"`minis serve` needs the extra `web` ({', '.join(missing)}): pip install 'minis[web]'")


def _add_seats(seats: Seats, further: tuple[str, ...], order: tuple[str, ...]) -> None:
    for text in further:
        name, equals, side = text.partition("=")
        if not equals or not name.strip():
            raise bad(f"expected NAME=SIDE, not {text!r}", file="--seat")
        if side.strip() not in order:
            raise bad(f"there is no side {side.strip()!r}; known: {', '.join(order)}", file="--seat")
        seats.add(name.strip(), side.strip())


def _print_links(seats: Seats, anew: tuple[str, ...], base: str, title: str, *, lan: bool, qr: bool) -> None:
    """The links of seats that nobody has joined yet, and of those that are to have a new one."""
    where = "in the local network" if lan else "on this machine alone; with --lan in the local network"
    click.echo(f"{title}: served at {base}/, {where}. Ctrl-C ends it.")
    for seat in seats.all:
        joined = f"joined by {len(seat.devices)} device{'' if len(seat.devices) == 1 else 's'}"
        if seat.devices and seat.name not in anew:
            click.echo(f"\n{seat.name}: {joined}; another link: --new {shlex.quote(seat.name)}")
            continue
        link = f"{base}/join/{seats.new_link(seat.name)}"
        click.echo(f"\n{seat.name}: {link}")
        if qr:
            click.echo(_qr(link))


def _qr(link: str) -> str:
    """A link as a QR code in blocks of text."""
    import segno

    found = io.StringIO()
    segno.make(link, micro=False).terminal(out=found, compact=True, border=2)
    return found.getvalue()


# --- the words of the command line -----------------------------------------------------------------------------------

LINES = frozenset({
    "sight", "identify", "fire", "move", "effect", "smoke", "turn", "undo", "redo", "overrule", "newdice", "seed",
    "note", "place", "remove", "load", "unload", "set", "weapon", "boresight", "hulldown", "los", "measure", "show",
    "log", "exposure", "help",
})  # fmt: skip
"""Commands that a line on the judge's page may be: none of them reads or writes another file, and all are quick."""

MEANT = frozenset({"--game", "--tables", "--as", "--salvage"})
"""Options that would speak of another game or another reader."""


def wording() -> Wording:
    """The words of answers as the command line prints them."""
    from minis.cli import fire_text, text
    from minis.web.wording import Wording

    return Wording(text.los_text, text.attempt_text, fire_text.table_shot_text, text.measure_text, line)


def line(game: Path, typed: str) -> tuple[str, bool]:
    """What a line of `minis play` prints on a game, and whether it failed; some commands are no lines of a page."""
    from minis.cli.play import run
    from minis.cli.verbs import OWN, command_of, help_text, translate

    try:
        words = translate(typed)
        if not words:
            return "", False
        if words[0] not in LINES or words[0] in set(OWN) - {"help"}:
            raise bad(f"{words[0]!r} is not taken here; in a terminal: minis {shlex.join(words)}")
        for word in words:
            if word.startswith("-g") or word.partition("=")[0] in MEANT:
                raise bad(f"{word} is not taken here: the page is this game's")
        if words[0] == "help":
            known = command_of(words[1])[0] if len(words) > 1 else None
            if known not in LINES:
                return help_text(), False
            words = [known, "--help"]
    except BadInput as error:
        return str(error), True
    with _printed(game) as out:
        try:
            failed = run(words) != 0
        except BadInput as error:
            out.write(f"{error}\n")
            failed = True
        except MinisError as error:
            out.write(f"{error}\n")
            failed = True
    return out.getvalue(), failed


@contextmanager
def _printed(game: Path) -> Iterator[io.StringIO]:
    """What is printed goes into a text, and commands mean this game."""
    before = os.environ.get("MINIS_GAME")
    os.environ["MINIS_GAME"] = str(game)
    out = io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(out):
            yield out
    finally:
        if before is None:
            del os.environ["MINIS_GAME"]
        else:
            os.environ["MINIS_GAME"] = before
