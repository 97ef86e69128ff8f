"""The grammar of the fire tables: one strict row model a table."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from minis.rules.rows import Length, NumberRow, Row, Text

COLUMNS = 10
"""Ranges of the To Hit table."""

Values = Annotated[tuple[int, ...], Field(min_length=COLUMNS, max_length=COLUMNS)]


class ToHitRow(Row):
    """Basic To Hit numbers of a target type and a colour, a number a range."""

    target: Literal["vehicle", "infantry", "area"]
    colour: Literal["black", "red", "any"]
    values: Values


class RangeRow(Row):
    """The range in hexes up to which a column counts; None: the last."""

    up_to: Annotated[int, Field(ge=0)] | None = None


class GunRow(Row):
    """A change of the To Hit number for a gun or its ammunition, a number a range."""

    length: Literal["*", "L", "LL"] | None = None
    ammo: tuple[Text, ...] = ()
    calibre_up_to: Length | None = None
    values: Values


class DrmRow(Row):
    """A DRM with its case letter."""

    case: Text
    value: int


class ExclusionRow(Row):
    """A case that is left out by another case or by a named condition."""

    case: Text
    by: Text


class RefusalRow(Row):
    """Two named conditions that may not be true together."""

    when: Text
    also: Text


class TemRow(Row):
    """The TEM of a terrain."""

    value: int


class HindranceRow(Row):
    """The hindrance of a terrain for each stretch on the line."""

    value: int
    each: Annotated[float, Field(gt=0, allow_inf_nan=False)]


class NationRow(Row):
    """The colour of a nation's To Hit numbers."""

    colour: Literal["black", "red"]


class ArcRow(Row):
    """A result of the hull-down manoeuvre: the arc that is protected."""

    up_to: int
    arc: Annotated[float, Field(gt=0, le=360)]


FIRE_TABLES: dict[str, type[Row]] = {
    "fire": NumberRow,
    "to-hit": ToHitRow,
    "to-hit-ranges": RangeRow,
    "to-hit-guns": GunRow,
    "to-hit-drm": DrmRow,
    "to-hit-exclusions": ExclusionRow,
    "to-hit-refusals": RefusalRow,
    "tem": TemRow,
    "hindrances": HindranceRow,
    "nations": NationRow,
    "hull-down-manoeuvre": ArcRow,
    "hull-down-drm": DrmRow,
}
"""The tables of the fire rules, with the model of their rows."""

CONDITION_NAMES = (
    "any",
    "area",
    "not area",
    "vehicle type",
    "not vehicle type",
    "infantry type",
    "at an AFV",
    "not at a vehicle",
    "personnel",
    "mortar",
    "smoke shell",
    "neither HE nor SMOKE",
    "ammunition against armour alone",
    "range 0",
    "advancing",
    "bounding first",
    "pinned",
    "stunned",
    "intensive fire",
    "immobilization",
    "beyond immobilization",
    "beyond the listed range of the weapon",
    "one-man or restricted turret",
    "not buttoned up",
    "machine gun",
    "latw in advancing fire",
    "not defensive first fire",
    "not at infantry",
    "dashing, no infantry",
    "another positive TEM",
    "height advantage, hull down",
    "in sight from its start",
    "target moving",
    "firer moving",
    "motorcyclist",
    "latw",
    "concealed",
    "hull down",
    "hull down by it",
    "underbelly",
)
"""The named conditions that exclusions and refusals may ask for; the fire rules know what each means."""
