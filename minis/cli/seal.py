"""`minis seal`: twelve words that commit a player to his set-up before the game."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

import click

from minis.cli.options import json_option, print_json
from minis.errors import BadInput, Mistake, bad

WORDS_IN_LINE = 4
"""Words of a seal that are printed on one line: a breath for who reads them aloud."""


@click.command()
@click.argument("setup", type=click.Path(path_type=Path))
@click.option("--again", is_flag=True, default=False, help="Make a new seal in place of the one there is.")
@json_option
def seal(setup: Path, again: bool, as_json: bool) -> None:
    """Seal a SETUP file: twelve words for your opponent, which fit this file and no other.

    The set-up is checked by itself; the seal is kept beside it in SETUP.seal. Where that seal still fits, it is printed
    once more.
    """
    from minis.game.seals import SALT_BYTES, Seal, seal_of, seal_text
    from minis.game.setup import read_setup

    text = read_setup(setup).text
    path = seal_path(setup)
    new = again or not os.path.lexists(path)
    if new:
        salt = secrets.token_bytes(SALT_BYTES)
        words = seal_of(text.encode(), salt)
        _write(path, seal_text(Seal(salt, words), setup.name))
    else:
        words = _kept_words(setup)
    names = {"file": click.format_filename(setup), "seal": click.format_filename(path)}
    if as_json:
        print_json({**names, "new": new, "words": words.split()})
    else:
        click.echo(_lines(words))
        click.echo(
            "Give these words to your opponent, keep both files, and change neither before the game: "
            f"{names['file']} and {names['seal']}."
        )


def seal_path(setup: Path) -> Path:
    """Where the seal of a set-up is kept: beside it, `.seal` after its whole name.

    >>> seal_path(Path("home/axis.toml")).as_posix()
    'home/axis.toml.seal'
    """
    return setup.with_name(f"{setup.name}.seal")


def read_seal(setup: Path) -> tuple[bytes, str]:
    """The salt and the words of the seal beside a set-up file, where the seal fits the file as it is now.

    Raises BadInput where there is no seal, where it cannot be read, and where the set-up was changed after sealing.
    """
    from minis.game.seals import WHAT, check_seal, seal_in
    from minis.game.setup import WHAT as SETUP
    from minis.toml_file import read_text, read_toml

    text = read_text(setup, what=SETUP)
    found = check_seal(seal_in(read_toml(seal_path(setup), what=WHAT)), text, file=str(setup))
    return found.salt, found.words


def _kept_words(setup: Path) -> str:
    """The words of the seal that is there; where it does not fit, the message says how to make a new one."""
    try:
        return read_seal(setup)[1]
    except BadInput as error:
        hint = Mistake("is kept as it is; `minis seal --again` makes a new one", file=str(seal_path(setup)))
        raise BadInput([*error.mistakes, hint]) from None


def _lines(words: str) -> str:
    """The words of a seal, four to the line, in columns."""
    listed = words.split()
    width = max(map(len, listed)) + 1
    rows = [listed[start : start + WORDS_IN_LINE] for start in range(0, len(listed), WORDS_IN_LINE)]
    return "\n".join("  " + " ".join(f"{word:<{width}}" for word in row).rstrip() for row in rows)


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all: beside it first, then in its place."""
    beside: str | None = None
    try:
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}-")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        if beside is not None and os.path.lexists(beside):
            os.unlink(beside)
        raise bad(f"cannot be written ({error.strerror})", file=str(path)) from None
