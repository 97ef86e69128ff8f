"""What can go wrong, said once: bad input (exit status 2) and acts the rules refuse (exit status 1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class MinisError(ValueError):
    """Any fault that `minis` reports with a message of its own instead of a traceback."""


@dataclass(frozen=True)
class Mistake:
    """One mistake in what somebody typed: where it stands, what it is, and what was expected.

    >>> print(Mistake("expected 1 to 100, not 101", file="--dice"))
    --dice: expected 1 to 100, not 101
    >>> print(Mistake("expected a number", file="a.toml", line=3, column=7, path="table.width", id="T1"))
    a.toml:3:7: table.width (T1): expected a number
    """

    message: str
    file: str = ""
    line: int | None = None
    column: int | None = None
    path: str = ""
    id: str = ""

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place += f":{self.line}" + (f":{self.column}" if self.column is not None else "")
        what = self.path + (f" ({self.id})" if self.id and self.path else self.id)
        return _one_line(": ".join(part for part in (place, what, self.message) if part))


def _one_line(text: str) -> str:
    """A text with its control characters written out, so that a message stays on its line."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class BadInput(MinisError):
    """Input that cannot be used: every mistake of it, in the order in which a reader meets them.

    >>> print(BadInput([Mistake("no such unit 'B7'")]))
    no such unit 'B7'
    """

    def __init__(self, mistakes: Iterable[Mistake]):
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(str(m) for m in self.mistakes))


def bad(message: str, *, file: str = "") -> BadInput:
    """A `BadInput` of a single mistake.

    >>> str(bad("expected a length", file="--range"))
    '--range: expected a length'
    """
    return BadInput([Mistake(message, file=file)])
