"""The grammar of the table of lint: what a judge is told of a scenario that is sound."""

from __future__ import annotations

from minis.rules.effect_rows import rows_of
from minis.rules.model import Rules
from minis.rules.rows import NumberRow, Row

LINT_TABLES: dict[str, type[Row]] = {"lint": NumberRow}
"""The table of lint, with the model of its rows."""

BARS = "bars-"
"""A row of this and a kind of terrain says whether that bars the way of a vehicle."""

NEEDED_LINT = ("overlap-area", "sliver-area", "passage", "enclosed-area")
"""Rows that the program asks for by name."""


def lint_number(rules: Rules, name: str) -> float:
    """A single number of the table lint.

    >>> from minis.rules import load_rules
    >>> lint_number(load_rules(), "passage")
    1.0
    """
    return next(row.value for row in rows_of(rules, "lint", NumberRow) if row.id == name)


def bars_vehicles(rules: Rules) -> frozenset[str]:
    """Kinds of terrain through which no vehicle drives.

    >>> from minis.rules import load_rules
    >>> sorted(bars_vehicles(load_rules()))
    ['building', 'cliff', 'marsh']
    """
    rows = rows_of(rules, "lint", NumberRow)
    return frozenset(row.id.removeprefix(BARS) for row in rows if row.id.startswith(BARS) and row.value)
