"""`minis play`: a prompt for the table, where short verbs stand for the words of ordinary commands."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click
from click.shell_completion import ShellComplete

from minis.cli.games import open_game
from minis.cli.main import COMMANDS, cli
from minis.cli.verbs import LONGEST, OWN, VERBS, command_of, help_text, may_fail, translate
from minis.errors import BadInput, MinisError, bad

STANDARD_INPUT = "standard input"

# --- doing what it means -------------------------------------------------------------------------------------------


class Quit(Exception):
    """The judge leaves the prompt."""


def act(line: str) -> int:
    """Do what a line stands for, by the command line itself, and print it; its exit status. Raises Quit.

    The status of a line that may fail is 0.
    """
    try:
        status = _act(translate(line))
    except BadInput as error:
        click.echo(error, err=True)
        status = 2
    return 0 if may_fail(line) else status


def _act(words: list[str]) -> int:
    match words:
        case []:
            return 0
        case ["quit"]:
            raise Quit
        case ["help", name, *rest] if (command := command_of(name))[0] not in OWN:
            return run([*command, *rest, "--help"])
        case ["help", *_]:
            click.echo(help_text())
            return 0
        case _:
            return run(words)


def run(words: Sequence[str]) -> int:
    """Run a command in this process; its exit status. Raises click.Abort where the judge interrupts it."""
    try:
        status = cli.main([*words], prog_name="minis", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    return status if isinstance(status, int) else 0


# --- a script ------------------------------------------------------------------------------------------------------


def lines_of(stream: TextIO, name: str) -> Iterator[str]:
    """The lines of a stream, as they come; one that is too long ends after LONGEST + 1 characters.

    Raises BadInput, with the name of the stream, where it cannot be read.
    """
    try:
        while line := stream.readline(LONGEST + 1):
            rest = line
            while len(rest) > LONGEST and not rest.endswith("\n"):
                rest = stream.readline(LONGEST + 1)
            yield line.removesuffix("\n")
    except OSError as error:
        raise bad(f"cannot be read: {error.strerror}", file=name) from None


def play_script(stream: TextIO, name: str, *, strict: bool) -> int:
    """Every line of a script and what it prints, messages too; the exit status of the first line that failed.

    Strict, the script stops there.
    """
    failed = 0
    for number, line in enumerate(lines_of(stream, name), 1):
        if not line.strip():
            continue
        click.echo("> " + "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line))
        try:
            with redirect_stderr(sys.stdout):
                status = act(line)
        except Quit:
            break
        failed = failed or status
        if status and strict:
            click.echo(f"{name}:{number}: this line failed, and the script stops", err=True)
            break
    return failed


# --- the prompt ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """What the prompt shows and completes: turn and phase, ids and tokens, and the number of the last event."""

    label: str = "the game cannot be read"
    names: tuple[str, ...] = ()
    last: int = 0


def standing(path: Path) -> Standing:
    """The game as it stands; one that cannot be read any more has no names, and its commands say why."""
    try:
        with open_game(path) as game:
            state = game.state
            if state.ended:
                label = "ended"
            elif state.phase is None:
                label = "set-up"
            else:
                label = " ".join(filter(None, (f"turn {state.turn}", state.phase.row.id, state.phase.side)))
            units = [name for unit in state.board.units for name in (unit.id, unit.token) if name is not None]
            return Standing(label, tuple(units), len(game.timeline.events))
    except MinisError:
        return Standing()


def play_at_prompt(path: Path, *, strict: bool) -> int:
    """Line by line as the judge types them, until he leaves; exit status 0, or strict that of a line that failed."""
    before, interrupted = 0, False
    while True:
        try:
            now = standing(path)
            if interrupted:
                click.echo(f"Interrupted. The last event is number {now.last}; it was {before} before.")
                interrupted = False
            with line_editing(now.names):
                typed = input(f"{now.label}> ")
            before = now.last
            for line in typed.split("\n"):  # a paste may hold several
                status = act(line)
                if status and strict:
                    return status
        except KeyboardInterrupt:
            click.echo()
        except click.Abort:
            interrupted = True
        except UnicodeDecodeError:
            click.echo("the line is not UTF-8", err=True)
        except Quit:
            return 0
        except EOFError:
            click.echo()
            return 0


@contextmanager
def line_editing(names: Sequence[str]) -> Iterator[None]:
    """Completion while a line is typed, where Python has readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    found: list[str] = []

    def complete(text: str, number: int) -> str | None:
        if number == 0:
            found[:] = completions(readline.get_line_buffer()[: readline.get_begidx()], text, names)
        return found[number] + " " if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in str(readline.__doc__) else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(None)


def completions(before: str, text: str, names: Sequence[str]) -> list[str]:
    """What may stand in a line after `before` and begins with `text`: verbs and commands, then names and options.

    A name with a blank is quoted.

    >>> completions("", "si", ["T1"]), completions("s T1 ", "P", ["T1", "P1", "P 2"])
    (['sight'], ["'P 2'", 'P1'])
    >>> completions("turn ", "ne", []), completions("s T1 P1 ", "--sm", [])
    (['next'], ['--smoke-die'])
    """
    words = before.lstrip(" -").split()
    words = words[1:] if words[:1] == ["minis"] else words
    if not words or words == ["?"]:
        return sorted(name for name in {*VERBS, *COMMANDS, *OWN} if name.startswith(text))
    offered = ShellComplete(cli, {}, "minis", "").get_completions([*command_of(words[0]), *words[1:]], text)
    found = {*names, *(item.value for item in offered if item.type != "file")}
    return sorted(shlex.quote(name) for name in found if name.startswith(text.lstrip("'\"")))


@contextmanager
def history(path: Path | None) -> Iterator[None]:
    """What was typed at earlier prompts, from a file that only its owner reads; it is written when the prompt ends."""
    if path is None:
        yield
        return
    try:
        import readline
    except ImportError:
        raise bad("this Python has no readline, so nothing can be kept", file="--history") from None
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        if path.stat().st_size:
            readline.read_history_file(path)
    except OSError as error:
        raise bad(f"cannot be read and written: {error.strerror}", file=str(path)) from None
    try:
        yield
    finally:
        try:
            readline.write_history_file(path)
        except OSError as error:
            click.echo(f"{path}: what was typed is not kept: {error.strerror}", err=True)


# --- the command ---------------------------------------------------------------------------------------------------


@contextmanager
def _game_meant(path: Path) -> Iterator[None]:
    """Commands mean this game where they name none."""
    before = os.environ.get("MINIS_GAME")
    os.environ["MINIS_GAME"] = str(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ["MINIS_GAME"]
        else:
            os.environ["MINIS_GAME"] = before


@click.command()
@click.argument("game", type=click.Path(path_type=Path), envvar="MINIS_GAME")
@click.argument("script", type=click.Path(path_type=Path), required=False)
@click.option("--strict/--no-strict", default=None, help="Stop at a line that fails; a script does, a prompt does not.")
@click.option(
    "--history",
    "kept",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep what is typed for the next time; FILE then holds secrets of the game.",
)
@click.option(
    "--as", "as_side", envvar="MINIS_SIDE", metavar="SIDE", hidden=True, help="Refused: only the judge plays."
)
def play(game: Path, script: Path | None, strict: bool | None, kept: Path | None, as_side: str | None) -> None:
    """A prompt for GAME, or its lines from SCRIPT or standard input: short verbs, and every command of minis.

    `s T1 P3 59` sights, `m T1 12,14` moves, `n` goes on to the next phase; `?` lists the verbs.
    """  # fmt: skip
    open_game(game, as_side).close()
    at_prompt = script is None and sys.stdin is not None and sys.stdin.isatty()
    if kept is not None and not at_prompt:
        raise bad("a script is not kept: it goes with the prompt alone", file="--history")
    with _game_meant(game):
        if at_prompt:
            with history(kept):
                status = play_at_prompt(game, strict=bool(strict))
        else:
            name = STANDARD_INPUT if script is None else str(script)
            with _script(script) as stream:
                status = play_script(stream, name, strict=strict is not False)
    click.get_current_context().exit(status)


@contextmanager
def _script(path: Path | None) -> Iterator[TextIO]:
    """The text of a script, or standard input; bytes that are no text become characters that no line may hold."""
    if path is None:
        if sys.stdin is None:
            raise bad("it is closed: there is nothing to play", file=STANDARD_INPUT)
        stream = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="surrogateescape")
        try:
            yield stream
        finally:
            stream.detach()  # it is not ours to close
        return
    try:
        opened = path.open(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise bad(f"cannot be read: {error.strerror}", file=str(path)) from None
    with opened:
        yield opened
