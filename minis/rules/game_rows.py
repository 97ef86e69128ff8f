"""The grammar of the tables of a game: the sequence of play, smoke."""

from __future__ import annotations

from typing import Literal

from minis.rules.rows import NumberRow, Row


class PhaseRow(Row):
    """A phase of a turn: one for all sides, or one for each; the fire phase of its shots; what is looked for."""

    each: bool
    fire: Literal["prep", "defensive_first", "defensive", "advancing"]
    sighting: bool
    watch: bool


GAME_TABLES: dict[str, type[Row]] = {"sequence": PhaseRow, "smoke": NumberRow}
"""The tables of a game, with the model of their rows."""
