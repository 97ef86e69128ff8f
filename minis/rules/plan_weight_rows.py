"""The grammar of the table of weights: what a hidden place is worth, and how an enemy is taken to come."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from minis.rules.rows import Row


class WeightRow(Row):
    """A single number that is not below 0: a weight, or an assumption about how a lane is walked."""

    value: Annotated[float, Field(ge=0, allow_inf_nan=False)]


PLAN_WEIGHT_TABLES: dict[str, type[Row]] = {"plan-weights": WeightRow}
"""The table of weights, with the model of its rows."""

NEEDED_WEIGHTS = (
    "covered", "hits", "unseen", "cover", "way-out", "useful-hit", "turn-mp", "way-out-within", "way-out-step",
    "tolerance", "column-gap",
)  # fmt: skip
"""Rows that the program asks for by name."""
