"""What the charts of the play aids share: how numbers, rules and sources of a row are written."""

from __future__ import annotations

from collections.abc import Iterable

from minis.draw.sheet_page import Column, Line
from minis.rules.rows import Row

RULE, SOURCE = Column("rule", 7), Column("source", 7)

SOURCES = (
    "source: seed = printed; asl = printed in the same rulebook; ruling = ours where the print is silent;",
    "house = a number that the print does not give; today = a house rule of this game, in bold",
)
"""What stands at the foot of every sheet."""


def line(row: Row, *cells: str, strong: bool = False) -> Line:
    """A row of a chart from a row of a table: some cells, then its rule and its source; bold where overlaid."""
    return Line((*cells, row.rule, source(row)), strong or bool(row.overlay))


def source(row: Row) -> str:
    """The source of a row in a word."""
    return "today" if row.overlay else row.source


def number(value: float | None) -> str:
    """A number of a table; a dash where there is none.

    >>> number(6.0), number(0.5), number(-1.5), number(-2), number(None)
    ('6', '1/2', '-1 1/2', '-2', '-')
    """
    if value is None:
        return "-"
    whole, part = divmod(abs(value), 1)
    if part != HALF:
        return f"{value:g}"
    return f"{'-' if value < 0 else ''}{f'{whole:g} ' if whole else ''}1/2"


HALF = 0.5


def signed(value: float) -> str:
    """A number that is added, with its sign.

    >>> signed(2), signed(-1), signed(0)
    ('+2', '-1', '0')
    """
    return f"{value:+g}" if value else "0"


def inches(value: float) -> str:
    """A length in inches.

    >>> inches(6), inches(0.5)
    ('6"', '1/2"')
    """
    return f'{number(value)}"'


def rules_of(rows: Iterable[Row]) -> str:
    """The rule numbers of some rows, each once."""
    return ", ".join(dict.fromkeys(row.rule for row in rows))


def plain(rows: Iterable[Row], label: int = 57) -> tuple[tuple[Column, ...], tuple[Line, ...]]:
    """The columns and rows of a table of single numbers: words, value with unit, rule, source."""
    columns = (Column("", label), Column("value", 18), RULE, SOURCE)
    return columns, tuple(line(row, row.label, f"{number(getattr(row, 'value', None))} {row.unit}") for row in rows)
