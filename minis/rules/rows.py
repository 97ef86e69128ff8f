"""The grammar of the rule tables: one strict row model a table."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from minis.toml_file import shown

Text = Annotated[str, Field(min_length=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Length = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Percent = Annotated[int, Field(ge=0, le=100)]


class Row(BaseModel):
    """What every row has: an id, words, a unit, a rule number and a source.

    `overlay` is the house folder that changed or added the row; no file writes it.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    id: Text
    label: Text
    unit: Text
    rule: Text
    source: Literal["seed", "ruling", "house", "asl"]
    overlay: Annotated[str, Field(exclude=True)] = ""

    @property
    def cited(self) -> str:
        """The source as a ruling prints it."""
        return f"house rule ({self.overlay})" if self.overlay else self.source


class NumberRow(Row):
    """A single number."""

    value: Number


class ModifierRow(Row):
    """A sighting modifier and the fact that brings it."""

    fact: Text
    value: Number


class CoverRow(Row):
    """Percentages for a small unit in cover up to a distance; None is no sight."""

    up_to: Length
    still: Percent | None = None
    moved: Percent | None = None
    fired: Percent | None = None


class ShadowRow(Row):
    """The shadow of an obstacle for a viewer this many levels above its top."""

    above: Annotated[float, Field(gt=0, multiple_of=0.5, allow_inf_nan=False)]
    length: Length


class AfvShadowRow(ShadowRow):
    """The shadow of a vehicle, and the size difference at which nothing behind it is seen."""

    smaller: Annotated[int, Field(ge=1, le=9)]


class FigureScaleRow(Row):
    """How far over the crest a front is hull down (I)."""

    over: Length


class SizeRow(Row):
    """A size category with its percent modifier and its To Hit DRM."""

    category: int
    percent: int
    drm: int


class UnitKindRow(Row):
    """A kind of unit: its default base, its top, how small it is."""

    length: Length
    width: Length
    top: Annotated[float, Field(ge=0, multiple_of=0.5, allow_inf_nan=False)]
    small: Literal["always", "by size"]
    counts_as: Text


class TerrainRow(Row):
    """A kind of terrain: its shape, its height, what it does to lines and to units in it or against it."""

    shape: Literal["area", "line", "hill"]
    height: Annotated[float, Field(ge=0, multiple_of=0.5, allow_inf_nan=False)] | Literal["storey", "level"]
    bare: Annotated[float, Field(ge=0, multiple_of=0.5, allow_inf_nan=False)] | None = None
    obstacle: bool
    own: Literal["free", "all", "depth"]
    cover: Literal["inside", "touch", "no"]
    hull_down: bool

    @property
    def has_level(self) -> bool:
        """True of hills and ridges: their pieces carry a level of their own."""
        return self.height == "level"


class SwitchRow(Row):
    """A switch: a choice of words, a number between bounds, or a fraction such as 100/150."""

    default: float | str
    choices: tuple[str, ...] = ()
    least: Number | None = None
    most: Number | None = None
    fraction: bool = False

    def read(self, value: object) -> float | str | Fraction:
        """The value of the switch from what a file says; raises ValueError with what was expected."""
        if self.choices:
            if value in self.choices:
                return str(value)
            raise ValueError("expected " + " or ".join(repr(c) for c in self.choices) + f", not {shown(value)}")
        if self.fraction:
            return _fraction(value)
        low, high = self.least or 0.0, self.most if self.most is not None else 1e9
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"expected a number from {low:g} to {high:g} {self.unit}, not {shown(value)}")
        return float(value)


def _fraction(value: object) -> Fraction:
    plain = isinstance(value, int | float | str) and not isinstance(value, bool)
    if not plain or not _FRACTION.fullmatch(str(value)):
        raise ValueError(f"expected a number or a fraction such as '100/150', not {shown(value)}")
    found = Fraction(str(value))
    if not 0 < found <= 10:
        raise ValueError(f"expected more than 0 and at most 10, not {shown(value)}")
    return found


_FRACTION = re.compile(r"-?\d{1,6}(\.\d{1,12}|/0*[1-9]\d{0,5})?")


SIGHT_TABLES: dict[str, type[Row]] = {
    "sighting": NumberRow,
    "sighting-modifiers": ModifierRow,
    "small-in-cover": CoverRow,
    "shadows": ShadowRow,
    "afv-shadows": AfvShadowRow,
    "terrain": TerrainRow,
    "sizes": SizeRow,
    "unit-kinds": UnitKindRow,
    "figure-scales": FigureScaleRow,
    "switches": SwitchRow,
}
"""The tables of the sighting rules, with the model of their rows."""
