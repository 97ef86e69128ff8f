"""The grammar of the tables of planning."""

from __future__ import annotations

from minis.rules.effect_rows import rows_of
from minis.rules.model import Rules
from minis.rules.rows import NumberRow, Row

PLAN_TABLES: dict[str, type[Row]] = {"plan": NumberRow}
"""The tables of planning, with the model of their rows."""


def plan_number(rules: Rules, name: str) -> float:
    """A single number of planning.

    >>> from minis.rules import load_rules
    >>> plan_number(load_rules(), "field-cell")
    1.0
    """
    return next(row.value for row in rows_of(rules, "plan", NumberRow) if row.id == name)
