"""The grammar of the effect tables, one strict row model a table, and the checks across them (C7, A7.3, C1.55)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, product
from typing import TYPE_CHECKING, Annotated, Literal, Self, TypeVar, cast, get_args

from pydantic import AfterValidator, Field, model_validator

from minis.errors import Mistake
from minis.rules.fire_rows import RangeRow
from minis.rules.rows import Length, NumberRow, Row, Text
from minis.toml_file import nearest_of

if TYPE_CHECKING:
    from minis.rules.model import Rules

EffectTarget = Literal["afv", "vehicle", "gun", "infantry"]
EffectType = Literal["vehicle", "infantry", "area"]
EffectAmmo = Literal["AP", "APCR", "APDS", "HEAT", "HE", "SMOKE"]
EffectLocation = Literal["hull", "turret", "underbelly"]
Procedure = Literal["to_kill", "unarmoured", "vehicle_line", "ift", "ift_afv", "refused"]
NOT_APPLICABLE = "NA"


def _an_ift_result(value: str) -> str:
    if not re.fullmatch(r"\d+KIA|K/\d+|\d+MC|NMC|PTC|-", value):
        raise ValueError(f"expected nKIA, K/n, nMC, NMC, PTC or -, not {value!r}")
    return value


IftResult = Annotated[str, AfterValidator(_an_ift_result)]


class WeaponRow(Row):
    """A number of the weapons that its columns name."""

    kind: Literal["gun", "mortar", "mg", "atr", "latw"] = "gun"
    calibre: Length | None = None
    calibre_from: Length | None = None
    length: Literal["", "*", "L", "LL", "any"] = ""
    name: Text | None = None
    nation: Text | None = None
    model: Text | None = None
    value: int

    @model_validator(mode="after")
    def _names_a_weapon(self) -> Self:
        if self.calibre is not None and self.calibre_from is not None:
            raise ValueError("expected calibre or calibre_from, not both")
        if self.kind in ("gun", "mortar") and self.calibre is None and self.calibre_from is None:
            raise ValueError("expected a calibre: calibre = 75, or calibre_from = 75 for that and more")
        if self.length and self.calibre is None:
            raise ValueError("a length goes with an exact calibre")
        return self


class KillApRow(WeaponRow):
    """A Basic To Kill number of AP."""


class KillSpecialRow(WeaponRow):
    """A Basic To Kill number of other ammunition that pierces armour."""

    ammo: Literal["APCR", "APDS", "HEAT"]


class KillHeRow(Row):
    """To Kill numbers of HE from a calibre up: Basic against armour, final against an unarmoured vehicle."""

    calibre_from: Length
    armoured: int
    unarmoured: int


class KillUnarmouredRow(Row):
    """A final To Kill number against an unarmoured vehicle."""

    ammo: Annotated[tuple[EffectAmmo, ...], Field(min_length=1)]
    calibre_from: Length
    value: int


class KillRangeRow(Row):
    """The change of the Basic To Kill number, a number or NA a range."""

    ammo: Annotated[tuple[EffectAmmo, ...], Field(min_length=1)]
    calibre_from: Length
    values: tuple[int | Literal["NA"], ...]


class ArmourFactorRow(Row):
    """An armour factor that there is."""

    value: Annotated[int, Field(ge=0)]


class IftColumnRow(Row):
    """A column of the Infantry Fire Table: its FP, the HE that has it, and its number on the vehicle line."""

    fp: Annotated[int, Field(gt=0)]
    calibre_from: Length
    kill: int


class IftRow(Row):
    """The results of a Final DR, one a column."""

    dr: int
    values: tuple[IftResult, ...]


class EffectTableRow(Row):
    """Which table the hits of some targets, target types and ammunition are resolved on."""

    targets: Annotated[tuple[EffectTarget, ...], Field(min_length=1)]
    types: Annotated[tuple[EffectType, ...], Field(min_length=1)]
    ammo: Annotated[tuple[EffectAmmo, ...], Field(min_length=1)]
    on: Procedure


class KillResultRow(Row):
    """What a roll does to a vehicle: a condition on the roll, conditions on the hit, a result."""

    tables: Annotated[
        tuple[Literal["to_kill", "unarmoured", "vehicle_line", "ift_afv", "no_column"], ...], Field(min_length=1)
    ]
    original: Annotated[int, Field(ge=2, le=12)] | None = None
    times: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    reaches: Literal["KIA", "K", "MC", "NMC", "PTC"] | None = None
    otherwise: bool = False
    plus: int = 0
    locations: tuple[EffectLocation, ...] = ()
    ammo: tuple[EffectAmmo, ...] = ()
    hull_down: bool | None = None
    result: Text

    @model_validator(mode="after")
    def _has_one_condition(self) -> Self:
        given = [self.original is not None, self.times is not None, self.reaches is not None, self.otherwise]
        if sum(given) != 1:
            raise ValueError("expected one of original, times, reaches, otherwise = true")
        if self.plus and self.times is None and self.reaches is None:
            raise ValueError("plus goes with times or reaches")
        return self

    @property
    def always(self) -> bool:
        """True of a row that fits every roll and every hit of its tables."""
        return self.otherwise and not self.locations and not self.ammo and self.hull_down is None


class EffectResultRow(Row):
    """What a result means, in words for the judge, and what it does in a game once he takes it."""

    means: Text
    does: Literal["nothing", "note", "wreck", "burn", "kill", "immobilize", "shock"] = "note"


class NationNameRow(Row):
    """Other words for a nation."""

    names: tuple[Text, ...]


EFFECT_TABLES: dict[str, type[Row]] = {
    "effects": NumberRow,
    "effect-tables": EffectTableRow,
    "to-kill-ap": KillApRow,
    "to-kill-special": KillSpecialRow,
    "to-kill-he": KillHeRow,
    "to-kill-unarmoured": KillUnarmouredRow,
    "to-kill-range-columns": RangeRow,
    "to-kill-range": KillRangeRow,
    "armour-factors": ArmourFactorRow,
    "ift-columns": IftColumnRow,
    "ift": IftRow,
    "kill-results": KillResultRow,
    "effect-results": EffectResultRow,
    "nation-names": NationNameRow,
}
"""The tables of the effect of a hit, with the model of their rows."""

EFFECT_NEEDED = (
    "rear", "aerial", "open-topped", "critical-kill", "critical-fp", "area-he", "marsh", "over-top-step",
    "over-top-drm", "air-burst", "light-armour", "light-armour-drm", "open-topped-drm", "aspect-half",
    "blinding-chance", "blinding-front", "blinding-front-side",
)  # fmt: skip
"""Rows of the table `effects` that the program asks for by name."""

AnyRow = TypeVar("AnyRow", bound=Row)


def rows_of(rules: Rules, table: str, kind: type[AnyRow]) -> tuple[AnyRow, ...]:
    """The rows of a table in order.

    >>> from minis.rules import load_rules
    >>> [row.fp for row in rows_of(load_rules(), "ift-columns", IftColumnRow)][:3]
    [1, 2, 4]
    """
    return cast("tuple[AnyRow, ...]", rules.tables[table].rows)


def family_of(result: str) -> tuple[str, int | None]:
    """The kind of a result and its number, None where it has none.

    >>> family_of("3KIA"), family_of("K/2"), family_of("2MC"), family_of("NMC"), family_of("immobilized")
    (('KIA', 3), ('K', 2), ('MC', 2), ('NMC', None), ('immobilized', None))
    """
    found = re.fullmatch(r"(\d+)(KIA|MC)|(K)/(\d+)", result)
    if found is None:
        return result, None
    return (found[2], int(found[1])) if found[2] else (found[3], int(found[4]))


# --- cross-checks: each takes the rules and yields what does not fit ---------------------------------------------


def _mistake(table: str, row: Row | None, message: str) -> Mistake:
    return Mistake(message, file=f"tables/{table}.toml", id=row.id if row else "")


def _numbers_are_there(rules: Rules) -> Iterator[Mistake]:
    there = {row.id for row in rules.tables["effects"].rows}
    for name in EFFECT_NEEDED:
        if name not in there:
            yield _mistake("effects", None, f"the row {name!r} is missing; the program asks for it")
    step = next((row for row in rows_of(rules, "effects", NumberRow) if row.id == "over-top-step"), None)
    if step is not None and step.value <= 0:
        yield _mistake("effects", step, "expected a number above 0")


def _rising(table: str, rows: Iterable[Row], column: str) -> Iterator[Mistake]:
    for before, row in pairwise(rows):
        if getattr(row, column) <= getattr(before, column):
            yield _mistake(table, row, f"{column}: rows must rise from one to the next")


def _effect_rows_rise(rules: Rules) -> Iterator[Mistake]:
    for table, column in (
        ("ift-columns", "fp"), ("ift-columns", "calibre_from"), ("ift-columns", "kill"), ("ift", "dr"),
        ("armour-factors", "value"),
    ):  # fmt: skip
        yield from _rising(table, rules.tables[table].rows, column)
    for table in ("ift-columns", "ift"):
        if not rules.tables[table].rows:
            yield _mistake(table, None, "expected at least one row")
    columns = rows_of(rules, "to-kill-range-columns", RangeRow)
    if not columns or columns[-1].up_to is not None or any(row.up_to is None for row in columns[:-1]):
        yield _mistake("to-kill-range-columns", None, "up_to: every row has one but the last")
    else:
        yield from _rising("to-kill-range-columns", columns[:-1], "up_to")


def _rows_have_every_column(rules: Rules) -> Iterator[Mistake]:
    for table, heads in (("to-kill-range", "to-kill-range-columns"), ("ift", "ift-columns")):
        wanted = len(rules.tables[heads].rows)
        for row in rules.tables[table].rows:
            given = len(cast("KillRangeRow | IftRow", row).values)
            if given != wanted:
                yield _mistake(table, row, f"values: expected {wanted}, one for each row of {heads}, not {given}")


def _out_of_reach_stays_so(rules: Rules) -> Iterator[Mistake]:
    for row in rows_of(rules, "to-kill-range", KillRangeRow):
        if any(near == NOT_APPLICABLE != far for near, far in pairwise(row.values)):
            yield _mistake("to-kill-range", row, "values: a number after NA")


SEVERITY = ("-", "PTC", "NMC", "MC", "K", "KIA")


def _results_get_milder(rules: Rules) -> Iterator[Mistake]:
    def harm(result: str) -> tuple[int, int]:
        family, number = family_of(result)
        return SEVERITY.index(family), number or 0

    for before, row in pairwise(rows_of(rules, "ift", IftRow)):
        for worse, milder in zip(before.values, row.values, strict=False):
            if harm(milder) > harm(worse):
                yield _mistake("ift", row, f"values: {milder} under {worse}; a higher roll must not do more")


def _weapons_stand_once(rules: Rules) -> Iterator[Mistake]:
    for table in ("to-kill-ap", "to-kill-special"):
        seen: dict[tuple[object, ...], Row] = {}
        for row in rows_of(rules, table, WeaponRow):
            ammo = getattr(row, "ammo", None)
            name = (row.name or "").upper()
            key = (ammo, row.kind, row.calibre, row.calibre_from, row.length, name, row.nation, row.model)
            if key in seen:
                yield _mistake(table, row, f"the weapon stands in row {seen[key].id!r} too")
            seen[key] = row


def _nations_have_names(rules: Rules) -> Iterator[Mistake]:
    nations = {row.id for row in rules.tables["nation-names"].rows}
    for table in ("to-kill-ap", "to-kill-special"):
        for row in rows_of(rules, table, WeaponRow):
            if row.nation is not None and row.nation not in nations:
                yield _mistake(table, row, f"there is no nation {row.nation!r}; {nearest_of(row.nation, nations)}")
    seen: dict[str, str] = {}
    for name_row in rows_of(rules, "nation-names", NationNameRow):
        for name in (name_row.id, *name_row.names):
            if seen.setdefault(name, name_row.id) != name_row.id:
                yield _mistake("nation-names", name_row, f"{name!r} is a name of {seen[name]!r} too")
            if name != name.casefold():
                yield _mistake("nation-names", name_row, f"names: expected small letters, not {name!r}")


def _every_hit_has_a_table(rules: Rules) -> Iterator[Mistake]:
    rows = rows_of(rules, "effect-tables", EffectTableRow)
    for target, kind, ammo in product(get_args(EffectTarget), get_args(EffectType), get_args(EffectAmmo)):
        if not any(target in row.targets and kind in row.types and ammo in row.ammo for row in rows):
            yield _mistake("effect-tables", None, f"no row for {ammo} at target {target!r}, target type {kind!r}")


def _every_roll_has_a_result(rules: Rules) -> Iterator[Mistake]:
    rows = rows_of(rules, "kill-results", KillResultRow)
    for table in ("to_kill", "unarmoured", "vehicle_line", "ift_afv", "no_column"):
        if not any(row.always and table in row.tables for row in rows):
            yield _mistake("kill-results", None, f"no row for every other roll (otherwise = true) of {table!r}")
    for row in rows:
        if row.reaches is not None and set(row.tables) != {"ift_afv"}:
            yield _mistake("kill-results", row, 'reaches goes with tables = ["ift_afv"]')
        if row.times is not None and not set(row.tables) <= {"to_kill", "unarmoured", "vehicle_line"}:
            yield _mistake("kill-results", row, "times goes with the tables that have a number")


def _every_result_has_a_meaning(rules: Rules) -> Iterator[Mistake]:
    known = {row.id for row in rules.tables["effect-results"].rows}
    needed = {"no effect": "ift"}
    needed |= {row.result: "kill-results" for row in rows_of(rules, "kill-results", KillResultRow)}
    needed |= {
        family_of(value)[0]: "ift" for row in rows_of(rules, "ift", IftRow) for value in row.values if value != "-"
    }
    for result, table in needed.items():
        if result not in known:
            message = f"the result {result!r} of {table} has no row; {nearest_of(result, known)}"
            yield _mistake("effect-results", None, message)


EFFECT_CHECKS: tuple[Callable[[Rules], Iterator[Mistake]], ...] = (
    _numbers_are_there,
    _effect_rows_rise,
    _rows_have_every_column,
    _out_of_reach_stays_so,
    _results_get_milder,
    _weapons_stand_once,
    _nations_have_names,
    _every_hit_has_a_table,
    _every_roll_has_a_result,
    _every_result_has_a_meaning,
)
"""Every cross-check of the effect tables; all run, all mistakes are told."""
