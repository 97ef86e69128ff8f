"""The rules as one frozen value: tables of rows, and the switches as this game has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TypeVar, cast

from minis.rules.fire_rows import (
    ArcRow,
    DrmRow,
    ExclusionRow,
    GunRow,
    HindranceRow,
    NationRow,
    RangeRow,
    RefusalRow,
    TemRow,
    ToHitRow,
)
from minis.rules.game_rows import PhaseRow
from minis.rules.rows import (
    AfvShadowRow,
    CoverRow,
    FigureScaleRow,
    ModifierRow,
    NumberRow,
    Row,
    ShadowRow,
    SizeRow,
    SwitchRow,
    TerrainRow,
    UnitKindRow,
)

FLAGS = (
    "moved", "fired", "buttoned_up", "motion", "pinned", "stabilized", "captured", "nonqualified", "overstacked",
    "encircled", "cx", "spotted", "blinded", "dashing", "nonassault", "hazardous", "in_open", "motorcyclist", "cavalry",
)  # fmt: skip
"""Facts of this turn that a unit carries as true or false, without their firer_, sighter_ or target_ prefix."""

DEFAULT_FIGURE_SCALE = "1/76"

SwitchValue = float | str | Fraction
AnyRow = TypeVar("AnyRow", bound=Row)


@dataclass(frozen=True)
class Table:
    """One printed table: its name, its title, its rows in order."""

    name: str
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Rules:
    """Every number of the rules, the switches that are not at their default, the rows that a house folder took out.

    >>> from minis.rules import load_rules
    >>> rules = load_rules()
    >>> rules.number("max-range").value, rules.shadow(1.0).length, rules.shadow(0) is None
    (100.0, 6.0, True)
    """

    tables: Mapping[str, Table]
    changed: Mapping[str, SwitchValue] = field(default_factory=dict)
    figure_scale: str = DEFAULT_FIGURE_SCALE
    removed: tuple[str, ...] = ()

    def with_switches(self, changed: Mapping[str, SwitchValue], figure_scale: str) -> Rules:
        """The same rules under the switches and the figure scale of a table."""
        differing = {name: value for name, value in changed.items() if value != self._default(name)}
        return replace(self, changed=differing, figure_scale=figure_scale)

    @cached_property
    def terrain(self) -> dict[str, TerrainRow]:
        """Kinds of terrain by name."""
        return self._by_id("terrain", TerrainRow)

    @cached_property
    def unit_kinds(self) -> dict[str, UnitKindRow]:
        """Kinds of unit by name."""
        return self._by_id("unit-kinds", UnitKindRow)

    @cached_property
    def sizes(self) -> dict[str, SizeRow]:
        """Sizes by name."""
        return self._by_id("sizes", SizeRow)

    @cached_property
    def switches(self) -> dict[str, SwitchRow]:
        """Switches by name."""
        return self._by_id("switches", SwitchRow)

    @cached_property
    def figure_scales(self) -> dict[str, FigureScaleRow]:
        """Figure scales by name."""
        return self._by_id("figure-scales", FigureScaleRow)

    @cached_property
    def modifiers(self) -> tuple[ModifierRow, ...]:
        """Sighting modifiers in the order of their table."""
        return tuple(self._by_id("sighting-modifiers", ModifierRow).values())

    @cached_property
    def small_in_cover(self) -> tuple[CoverRow, ...]:
        """Rows for small units in cover, nearest first."""
        return tuple(self._by_id("small-in-cover", CoverRow).values())

    @cached_property
    def to_hit(self) -> tuple[ToHitRow, ...]:
        """The To Hit table."""
        return tuple(self._by_id("to-hit", ToHitRow).values())

    @cached_property
    def to_hit_ranges(self) -> tuple[RangeRow, ...]:
        """The ranges of the To Hit table, nearest first."""
        return tuple(self._by_id("to-hit-ranges", RangeRow).values())

    @cached_property
    def to_hit_guns(self) -> tuple[GunRow, ...]:
        """Changes of the To Hit number for guns and ammunition."""
        return tuple(self._by_id("to-hit-guns", GunRow).values())

    @cached_property
    def drm(self) -> dict[str, DrmRow]:
        """To Hit DRM by name."""
        return self._by_id("to-hit-drm", DrmRow)

    @cached_property
    def exclusions(self) -> tuple[ExclusionRow, ...]:
        """What leaves out which case, in the order in which it is asked."""
        return tuple(self._by_id("to-hit-exclusions", ExclusionRow).values())

    @cached_property
    def refusals(self) -> tuple[RefusalRow, ...]:
        """Illegal declarations."""
        return tuple(self._by_id("to-hit-refusals", RefusalRow).values())

    @cached_property
    def tem(self) -> dict[str, TemRow]:
        """TEM by terrain."""
        return self._by_id("tem", TemRow)

    @cached_property
    def hindrances(self) -> dict[str, HindranceRow]:
        """Hindrances by kind of terrain."""
        return self._by_id("hindrances", HindranceRow)

    @cached_property
    def nations(self) -> dict[str, NationRow]:
        """Colours by nation."""
        return self._by_id("nations", NationRow)

    @cached_property
    def manoeuvre(self) -> tuple[ArcRow, ...]:
        """Results of the hull-down manoeuvre, best first."""
        return tuple(self._by_id("hull-down-manoeuvre", ArcRow).values())

    @cached_property
    def manoeuvre_drm(self) -> dict[str, DrmRow]:
        """DRM of the hull-down manoeuvre by name."""
        return self._by_id("hull-down-drm", DrmRow)

    @cached_property
    def sequence(self) -> tuple[PhaseRow, ...]:
        """The phases of a turn, in order."""
        return tuple(self._by_id("sequence", PhaseRow).values())

    def smoke_number(self, name: str) -> float:
        """A single number of the table of smoke."""
        return self._by_id("smoke", NumberRow)[name].value

    @cached_property
    def _fire_numbers(self) -> dict[str, float]:
        return {name: row.value for name, row in self._by_id("fire", NumberRow).items()}

    @property
    def fire_changed(self) -> tuple[Row, ...]:
        """Single numbers of the fire rules that a house folder changed: every shot is under them."""
        return tuple(row for row in self.tables["fire"].rows if row.overlay)

    def fire_number(self, name: str) -> float:
        """A single number of the fire rules."""
        return self._fire_numbers[name]

    @cached_property
    def _numbers(self) -> dict[str, NumberRow]:
        return self._by_id("sighting", NumberRow)

    @cached_property
    def _shadows(self) -> tuple[ShadowRow, ...]:
        return tuple(self._by_id("shadows", ShadowRow).values())

    @cached_property
    def _afv_shadows(self) -> tuple[AfvShadowRow, ...]:
        return tuple(self._by_id("afv-shadows", AfvShadowRow).values())

    def number(self, name: str) -> NumberRow:
        """A row of the table of single numbers."""
        return self._numbers[name]

    def shadow(self, above: float) -> ShadowRow | None:
        """The shadow for a viewer this many levels above the top; None where the obstacle blocks (S6.2)."""
        return _last_reached(self._shadows, above)

    def afv_shadow(self, above: float) -> AfvShadowRow | None:
        """The shadow of a vehicle for a viewer this many levels above it; None where it blocks (S6.5)."""
        return _last_reached(self._afv_shadows, above)

    def switch(self, name: str) -> SwitchValue:
        """The value of a switch in this game."""
        return self.changed.get(name, self._default(name))

    def switch_number(self, name: str) -> float:
        """The value of a switch that is a number."""
        return cast(float, self.switch(name))

    @property
    def hull_down_over(self) -> FigureScaleRow:
        """How far over the crest line a front is hull down (I) in this figure scale (S9.2)."""
        return self.figure_scales[self.figure_scale]

    @property
    def not_default(self) -> dict[str, float | str]:
        """Switches that are not at their default, for print (S14)."""
        shown: dict[str, float | str] = {
            name: str(value) if isinstance(value, Fraction) else value for name, value in self.changed.items()
        }
        if self.figure_scale != DEFAULT_FIGURE_SCALE:
            shown["figure_scale"] = self.figure_scale
        return shown

    def _default(self, name: str) -> SwitchValue:
        row = self.switches[name]
        return row.read(row.default)

    def _by_id(self, table: str, kind: type[AnyRow]) -> dict[str, AnyRow]:
        return {row.id: cast(AnyRow, row) for row in self.tables[table].rows}


AnyShadow = TypeVar("AnyShadow", bound=ShadowRow)


def _last_reached(rows: tuple[AnyShadow, ...], above: float) -> AnyShadow | None:
    reached = [row for row in rows if row.above <= above]
    return reached[-1] if reached else None
