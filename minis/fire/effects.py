"""The effect of a hit: facts in, an itemised ruling with its exact odds out, two dice to a result (E1, E2).

Which table, which number and which result are rows of `tables/`; another damage system is another set of rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Literal, TypeVar

from minis.errors import BadInput, Mistake, bad
from minis.fire.facts import Ammo, Target, TargetType
from minis.fire.guns import Gun, parse_gun
from minis.fire.refused import Refused
from minis.rules.effect_rows import (
    NOT_APPLICABLE,
    ArmourFactorRow,
    EffectLocation,
    EffectResultRow,
    EffectTableRow,
    IftColumnRow,
    IftRow,
    KillApRow,
    KillHeRow,
    KillRangeRow,
    KillResultRow,
    KillSpecialRow,
    KillUnarmouredRow,
    NationNameRow,
    WeaponRow,
    family_of,
    rows_of,
)
from minis.rules.fire_rows import RangeRow
from minis.rules.model import Rules
from minis.rules.rows import NumberRow, Row
from minis.tally import Item, LeftOut, Tally

Aspect = Literal["front", "side", "rear"]
EffectTable = Literal["to_kill", "unarmoured", "vehicle_line", "ift"]

FACES = range(1, 7)
THROWS = tuple(product(FACES, FACES))
"""The 36 throws of two dice."""

TOUCH_DEGREES = 1e-6
"""Two bearings closer than this, in degrees, are the same bearing."""

NOTHING = "no effect"

CalibreRow = TypeVar("CalibreRow", KillHeRow, KillUnarmouredRow, KillRangeRow, IftColumnRow)


@dataclass(frozen=True)
class EffectFacts:
    """What the rules of effect ask about one hit on one target; what is not given is not so.

    `range_hexes` is the range in hexes. `location` is the part of the vehicle hit, `aspect` the side of that part that
    the line of fire crosses, `armour` the armour factor there (against an AFV alone; the top's where the underside is
    hit, C7.12). `aerial` is fire from the air or from a high place (Case B). `hull_down` is hull down to this firer's
    shot, so never to a mortar's (F8.1). `tem` is the terrain that counts on the effects roll: not the terrain that
    makes the target hull down (D4.2), nor woods where their `air_burst` counts instead. `model` tells guns of one
    calibre apart where a table does ("Grant", "Year-38"). `other_drm` are DRM of the roll on the Infantry Fire Table
    that the judge adds by hand.
    """

    target: Target
    target_type: TargetType
    gun: str
    ammo: Ammo
    range_hexes: int = 0
    nation: str | None = None
    model: str | None = None
    location: EffectLocation | None = None
    critical: bool = False
    aspect: Aspect | None = None
    armour: int | None = None
    open_topped: bool = False
    all_armour_4_or_less: bool = False
    aerial: bool = False
    hull_down: bool = False
    tem: int = 0
    air_burst: bool = False
    marsh: bool = False
    other_drm: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Line:
    """A result and the rolls that give it: an Original DR, or every Final DR up to `at_most`; neither: all others."""

    result: str
    means: str
    rule: str
    source: str
    original: int | None = None
    at_most: float | None = None

    def fits(self, original_dr: int, final_dr: float) -> bool:
        """True where a roll that no line before took gives this result.

        >>> Line("immobilized", "", "C7", "asl", at_most=7).fits(7, 7)
        True
        >>> Line("dud", "", "C7", "asl", original=12).fits(11, 12)
        False
        """
        if self.original is not None:
            return original_dr == self.original
        return self.at_most is None or final_dr <= self.at_most


@dataclass(frozen=True)
class EffectRuling:
    """The ruling on the effect of a hit, before the roll.

    `final_number` is the Final To Kill number ("to_kill", "unarmoured"), the number of the vehicle line, or the FP
    column ("ift"; 0 where no column is reached). `tally` sums to the Final To Kill number or, on the Infantry Fire
    Table, to the FP that finds the `column`; `drm` is added to the roll. The first of `lines` that fits a roll is its
    result. `odds` are exact, over the 36 throws; they sum to 1.
    """

    facts: EffectFacts
    table: EffectTable
    label: str
    rule: str
    final_number: int
    tally: Tally
    drm: Tally
    column: int | None
    lines: tuple[Line, ...]
    odds: Mapping[str, Fraction]
    left_out: tuple[LeftOut, ...]
    rows: tuple[Row, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class EffectResult:
    """What the dice did: the result, its rule, and in words what the judge is proposed to do."""

    table: EffectTable
    final_number: int
    dice: tuple[int, int]
    original_dr: int
    final_dr: float
    result: str
    means: str
    rule: str
    source: str

    @property
    def proposal(self) -> str:
        """The result with what it means, for the judge to take or to leave."""
        return f"{self.result}: {self.means}"


def aspect_of(bearing_of_part: float, bearing_to_firer: float, rules: Rules) -> Aspect:
    """The side of a hull or turret that a line of fire crosses (E1).

    `bearing_of_part` is where the hull or turret points and `bearing_to_firer` where the firer is from it, in degrees
    clockwise from north. On a boundary the better armoured side counts: front before side, side before rear.
    Raises BadInput for a bearing that is not finite.

    >>> from minis.rules import load_rules
    >>> [aspect_of(90, bearing, load_rules()) for bearing in (100, 150, 151, 210, 211)]
    ['front', 'front', 'side', 'side', 'rear']
    """
    for bearing in (bearing_of_part, bearing_to_firer):
        if not math.isfinite(bearing):
            raise bad(f"expected a bearing in degrees, not {bearing}")
    half = _number(rules, "aspect-half").value
    off = abs((bearing_to_firer - bearing_of_part + 180.0) % 360.0 - 180.0)
    if off <= half + TOUCH_DEGREES:
        return "front"
    return "rear" if 180.0 - off < half - TOUCH_DEGREES else "side"


def lightly_armoured(factors: Iterable[int], rules: Rules) -> bool:
    """True where no armour factor of a vehicle is above the limit of light armour (C1.55).

    >>> from minis.rules import load_rules
    >>> lightly_armoured([4, 3, 1], load_rules()), lightly_armoured([6, 3, 1], load_rules())
    (True, False)
    """
    limit = _number(rules, "light-armour").value
    return all(factor <= limit for factor in factors)


def effect(facts: EffectFacts, rules: Rules) -> EffectRuling:
    """Rule on the effect of a hit: the table, the itemised number, and the exact odds of every result (E1, E2).

    It does not ask whether there was a hit, nor who else stands there; the effect on passengers and crews of what is
    hit is not considered. Raises BadInput for facts that cannot be, and Refused, with its rule, for a hit that the
    rules do not allow, a shot past the range of its ammunition, and ammunition that has no number.

    >>> from minis.rules import load_rules
    >>> facts = EffectFacts("afv", "vehicle", "50L", "AP", 25, location="hull", aspect="rear", armour=8)
    >>> ruling = effect(facts, load_rules())
    >>> ruling.final_number, [int(item.value) for item in ruling.tally]
    (4, [13, 1, -2, -8])
    >>> {result: str(chance) for result, chance in ruling.odds.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'dud': '1/36', 'burning wreck': '1/36', 'eliminated': '1/18', 'immobilized': '1/12', 'possible shock': '1/9',
     'no effect': '25/36'}
    """
    gun = _checked(facts, rules)
    choice = next(
        row
        for row in rows_of(rules, "effect-tables", EffectTableRow)
        if facts.target in row.targets and facts.target_type in row.types and facts.ammo in row.ammo
    )
    match choice.on:
        case "refused":
            raise Refused(choice.rule, choice.label)
        case "to_kill":
            return _to_kill(_Draft(facts, gun, rules, choice))
        case "unarmoured":
            return _unarmoured(_Draft(facts, gun, rules, choice))
        case _:
            return _infantry_fire(_Draft(facts, gun, rules, choice))


def resolve(ruling: EffectRuling, dice: tuple[int, int]) -> EffectResult:
    """The result of two dice under a ruling; raises BadInput for what are not two dice.

    >>> from minis.rules import load_rules
    >>> ruling = effect(EffectFacts("infantry", "area", "50 mortar", "HE"), load_rules())
    >>> resolve(ruling, (1, 1)).proposal
    'K/1: one unit there, at random, reduced; the others check morale, their roll + 1'
    """
    if len(dice) != 2 or any(isinstance(face, bool) or face not in FACES for face in dice):
        raise bad(f"expected two dice, each {FACES[0]} to {FACES[-1]}, not {dice!r}", file="--dice")
    original = sum(dice)
    final = original + ruling.drm.total
    line = _line_of(ruling.lines, original, final)
    return EffectResult(
        ruling.table, ruling.final_number, dice, original, final, line.result, line.means, line.rule, line.source
    )


# --- what an answer is made of -------------------------------------------------------------------------------------


class _Draft:
    """An answer while it is put together."""

    def __init__(self, facts: EffectFacts, gun: Gun, rules: Rules, choice: EffectTableRow):
        self.facts, self.gun, self.rules, self.choice = facts, gun, rules, choice
        self.tally = Tally()
        self.drm = Tally()
        self.left_out: list[LeftOut] = []
        self.rows: list[Row] = [choice]

    def add(self, row: Row, value: float, label: str = "") -> None:
        """An item of the number."""
        self.tally = self.tally.plus(_item(row, value, label))
        self.rows.append(row)

    def add_drm(self, row: Row, value: float, label: str = "") -> None:
        """An item of the DRM."""
        self.drm = self.drm.plus(_item(row, value, label))
        self.rows.append(row)

    def multiply(self, name: str) -> None:
        """Multiply the number so far, as one more item; fractions of a To Kill number are dropped at the end."""
        row = _number(self.rules, name)
        self.add(row, self.tally.total * (row.value - 1), f"{row.label} {row.value:g}")

    def leave(self, label: str, rule: str, why: str) -> None:
        """Something that a player may expect and that does not count."""
        self.left_out.append(LeftOut(label, rule, why))

    def ruling(self, table: EffectTable, number: int, lines: Iterable[Line], column: int | None = None) -> EffectRuling:
        """The finished answer."""
        lines = tuple(lines)
        return EffectRuling(
            self.facts, table, self.choice.label, self.choice.rule, number, self.tally, self.drm, column, lines,
            _odds(lines, self.drm.total), tuple(self.left_out), tuple(self.rows),
        )  # fmt: skip


def _item(row: Row, value: float, label: str) -> Item:
    whole = int(value) if value == int(value) else value
    return Item(whole, label or row.label, row.rule, row.cited)


def _number(rules: Rules, name: str) -> NumberRow:
    return next(row for row in rows_of(rules, "effects", NumberRow) if row.id == name)


def _odds(lines: tuple[Line, ...], drm: float) -> dict[str, Fraction]:
    counts = {line.result: 0 for line in lines}
    for dice in THROWS:
        counts[_line_of(lines, sum(dice), sum(dice) + drm).result] += 1
    return {result: Fraction(count, len(THROWS)) for result, count in counts.items() if count}


def _line_of(lines: tuple[Line, ...], original: int, final: float) -> Line:
    return next(line for line in lines if line.fits(original, final))


def _checked(facts: EffectFacts, rules: Rules) -> Gun:
    """The gun of the facts, or BadInput with everything that is wrong with them."""
    mistakes: list[Mistake] = []
    at_armour = facts.target == "afv" and facts.target_type != "infantry"
    if facts.range_hexes < 0:
        mistakes.append(Mistake(f"expected 0 or more, not {facts.range_hexes}", path="range_hexes"))
    if at_armour and facts.location is None:
        mistakes.append(Mistake("expected hull, turret or underbelly: where the AFV is hit", path="location"))
    if at_armour and facts.target_type == "vehicle":
        if facts.aspect is None and facts.location != "underbelly":
            mistakes.append(Mistake("expected front, side or rear: the side that is hit", path="aspect"))
        if facts.armour is None:
            mistakes.append(Mistake("expected the armour factor of the side that is hit", path="armour"))
    factors = [row.value for row in rows_of(rules, "armour-factors", ArmourFactorRow)]
    if facts.armour is not None and facts.armour not in factors:
        known = ", ".join(map(str, factors))
        mistakes.append(Mistake(f"there is no armour factor {facts.armour}; known: {known}", path="armour"))
    try:
        gun = parse_gun(facts.gun)
    except BadInput as error:
        mistakes.append(Mistake(str(error), path="gun"))
    if mistakes:
        raise BadInput(mistakes)
    return gun


# --- To Kill (C7) --------------------------------------------------------------------------------------------------


def _to_kill(answer: _Draft) -> EffectRuling:
    facts, rules = answer.facts, answer.rules
    if facts.ammo == "HE":
        shell = _he_row(answer)
        answer.add(shell, shell.armoured, f"HE, {shell.label}")
    else:
        weapon = _weapon_row(answer)
        answer.add(weapon, weapon.value, f"{facts.ammo}, {weapon.label}")
    if facts.critical:
        answer.multiply("critical-kill")
    if facts.aspect == "rear":
        rear = _number(rules, "rear")
        if facts.location == "underbelly":
            answer.leave(rear.label, "C7.12", "the underside has no rear")
        else:
            answer.add(rear, rear.value)
    above = _number(rules, "open-topped" if facts.open_topped else "aerial")
    if facts.aerial:
        answer.add(above, above.value)
    elif facts.open_topped:
        answer.leave("open-topped (Case B)", above.rule, "only for fire from the air or from a high place")
    _range(answer)
    if facts.armour is not None:
        factor = next(row for row in rows_of(rules, "armour-factors", ArmourFactorRow) if row.value == facts.armour)
        where = facts.location if facts.location == "underbelly" else f"{facts.location} {facts.aspect}"
        answer.add(factor, -factor.value, f"{factor.label}, {where}")
    _no_roll_modifiers(answer)
    number = math.floor(answer.tally.total)
    return answer.ruling("to_kill", number, _kill_lines(answer, "to_kill", number))


def _unarmoured(answer: _Draft) -> EffectRuling:
    facts = answer.facts
    if facts.ammo == "HE":
        shell = _he_row(answer)
        answer.add(shell, shell.unarmoured, f"HE, {shell.label}, at an unarmoured vehicle")
    else:
        rows = rows_of(answer.rules, "to-kill-unarmoured", KillUnarmouredRow)
        row = _from_calibre((row for row in rows if facts.ammo in row.ammo), answer.gun)
        if row is None:
            raise Refused(answer.choice.rule, _no_number(answer))
        answer.add(row, row.value, f"{facts.ammo}, {row.label}, at an unarmoured vehicle")
    if facts.critical:
        answer.multiply("critical-kill")
    if facts.aspect == "rear" or facts.aerial:
        why = "the number against an unarmoured vehicle is final"
        answer.leave("facing and height (Cases A and B)", answer.choice.rule, why)
    _no_roll_modifiers(answer)
    number = math.floor(answer.tally.total)
    return answer.ruling("unarmoured", number, _kill_lines(answer, "unarmoured", number))


def _he_row(answer: _Draft) -> KillHeRow:
    row = _from_calibre(rows_of(answer.rules, "to-kill-he", KillHeRow), answer.gun)
    if row is None:
        raise Refused(answer.choice.rule, _no_number(answer))
    return row


def _weapon_row(answer: _Draft) -> WeaponRow:
    """The most particular row of the ammunition's own table that fits the weapon."""
    ammo = answer.facts.ammo
    rows: tuple[WeaponRow, ...] = rows_of(answer.rules, "to-kill-ap", KillApRow)
    if ammo != "AP":
        rows = tuple(row for row in rows_of(answer.rules, "to-kill-special", KillSpecialRow) if row.ammo == ammo)
    fitting = [row for row in rows if _fits(row, answer)]
    if not fitting:
        raise Refused(answer.choice.rule, _no_number(answer, rows))
    return max(fitting, key=_particular)


def _fits(row: WeaponRow, answer: _Draft) -> bool:
    """True where a row is for this weapon, of this nation and model."""
    gun, facts = answer.gun, answer.facts
    if row.kind != gun.kind:
        return False
    if row.calibre is not None and (row.calibre != gun.calibre or row.length not in (gun.length, "any")):
        return False
    if row.calibre_from is not None and gun.calibre < row.calibre_from:
        return False
    if row.name is not None and _key(row.name) != _key(gun.name):
        return False
    if row.model is not None and (facts.model is None or _key(row.model) != _key(facts.model)):
        return False
    return row.nation is None or row.nation == _nation(facts.nation, answer.rules)


def _particular(row: WeaponRow) -> tuple[bool, bool, bool, float]:
    """Which of two rows that fit is the more particular."""
    return row.model is not None, row.nation is not None, row.calibre is not None, row.calibre_from or 0.0


def _key(name: str) -> str:
    return "".join(name.split()).casefold()


def _nation(name: str | None, rules: Rules) -> str | None:
    if name is None:
        return None
    word = " ".join(name.casefold().split())
    rows = rows_of(rules, "nation-names", NationNameRow)
    return next((row.id for row in rows if word == row.id or word in row.names), word)


def _no_number(answer: _Draft, rows: Iterable[WeaponRow] = ()) -> str:
    gun = answer.gun
    near = [r.label for r in rows if r.kind == gun.kind and (r.calibre == gun.calibre or gun.kind == "latw")]
    there_are = f"; there are numbers for {', '.join(near)}" if near else ""
    return f"there is no {answer.facts.ammo} To Kill number for {gun.name}{there_are}"


def _from_calibre(rows: Iterable[CalibreRow], gun: Gun) -> CalibreRow | None:
    """The row of the highest calibre that is not above the gun's."""
    reached = [row for row in rows if row.calibre_from <= gun.calibre]
    return max(reached, key=lambda row: row.calibre_from, default=None)


def _range(answer: _Draft) -> None:
    """Case D: the change of the number with range, or the refusal of a shot past it."""
    facts, rules = answer.facts, answer.rules
    rows = [row for row in rows_of(rules, "to-kill-range", KillRangeRow) if facts.ammo in row.ammo]
    row = _from_calibre(rows, answer.gun)
    if row is None:
        answer.leave("range (Case D)", answer.choice.rule, f"{facts.ammo} does not change with range")
        return
    columns = rows_of(rules, "to-kill-range-columns", RangeRow)
    at = next(i for i, column in enumerate(columns) if column.up_to is None or facts.range_hexes <= column.up_to)
    value = row.values[at]
    if value == NOT_APPLICABLE:
        last = next((c.label for c, v in zip(reversed(columns), reversed(row.values), strict=True) if v != value), "")
        raise Refused(row.rule, f"{row.label}, does nothing at {facts.range_hexes} hexes; its last range is {last}")
    answer.add(row, float(value), f"range {columns[at].label} (Case D)")


def _no_roll_modifiers(answer: _Draft) -> None:
    facts = answer.facts
    if facts.tem:
        answer.leave("TEM", "C6.8", "it counts on the To Hit roll (Case Q)")
    if facts.air_burst:
        answer.leave("air bursts", "C3.331", "only on the Infantry Fire Table")
    if facts.marsh:
        answer.leave("marsh", "C3.53", "only on the Infantry Fire Table")
    for item in facts.other_drm:
        answer.leave(item.label, item.rule, "only on the Infantry Fire Table")


# --- the Infantry Fire Table (A7.3, C1.55) ------------------------------------------------------------------------


def _infantry_fire(answer: _Draft) -> EffectRuling:
    rules, procedure = answer.rules, answer.choice.on
    columns = rows_of(rules, "ift-columns", IftColumnRow)
    own = _from_calibre(columns, answer.gun)
    if own is None:
        least = min(column.calibre_from for column in columns)
        raise Refused(answer.choice.rule, f"HE of {answer.gun.name} has no FP: its calibre is below {least:g} mm")
    answer.add(own, own.fp, f"HE of {answer.gun.name}: {own.label}")
    _change_fp(answer)
    reached = [column for column in columns if column.fp <= answer.tally.total]
    column = max(reached, key=lambda column: column.fp, default=None)
    _change_roll(answer, columns)
    table: EffectTable = "vehicle_line" if procedure == "vehicle_line" else "ift"
    if column is None:
        return answer.ruling(table, 0, _kill_lines(answer, "no_column", 0))
    answer.rows.append(column)
    if procedure == "vehicle_line":
        return answer.ruling(table, column.kill, _kill_lines(answer, procedure, column.kill), column.fp)
    results = [(row, row.values[columns.index(column)]) for row in rows_of(rules, "ift", IftRow)]
    if procedure == "ift_afv":
        return answer.ruling(table, column.fp, _kill_lines(answer, procedure, column.fp, results), column.fp)
    lines = [_ift_line(rules, row, text, last=row is results[-1][0]) for row, text in results]
    return answer.ruling(table, column.fp, lines, column.fp)


def _change_fp(answer: _Draft) -> None:
    """Area type and marsh halve the FP; a critical hit doubles the full FP instead (C3.71)."""
    facts = answer.facts
    halves = [name for name, true in (("area-he", facts.target_type == "area"), ("marsh", facts.marsh)) if true]
    if facts.critical:
        answer.multiply("critical-fp")
    for name in halves:
        if facts.critical:
            row = _number(answer.rules, name)
            answer.leave(f"{row.label} {row.value:g}", "C3.71", "a critical hit has the full FP")
        else:
            answer.multiply(name)


def _change_roll(answer: _Draft, columns: tuple[IftColumnRow, ...]) -> None:
    facts, rules = answer.facts, answer.rules
    step, drm = _number(rules, "over-top-step"), _number(rules, "over-top-drm")
    steps = math.floor((answer.tally.total - max(column.fp for column in columns)) / step.value)
    if steps > 0:
        answer.add_drm(drm, steps * drm.value, f"{steps} times {step.value:g} {step.unit} above the last column")
    armoured = answer.choice.on == "ift_afv"
    _terrain(answer, armoured)
    burst = _number(rules, "air-burst")
    if facts.air_burst and armoured:
        answer.leave(burst.label, "D5.311", "what they do to an AFV is not known here: the judge adds it")
    elif facts.air_burst:
        answer.add_drm(burst, burst.value)
    if armoured:
        for name, true in (("light-armour-drm", facts.all_armour_4_or_less), ("open-topped-drm", facts.open_topped)):
            if true:
                row = _number(rules, name)
                answer.add_drm(row, row.value)
    answer.drm = answer.drm.plus(*facts.other_drm)


def _terrain(answer: _Draft, armoured: bool) -> None:
    """TEM of the effects roll: of the Area type, and against the target where a critical hit turns it round."""
    facts, row = answer.facts, answer.choice
    if not facts.tem:
        return
    if armoured and facts.critical:
        answer.leave("TEM", "C3.72", "no TEM counts in a critical hit on an AFV")
    elif facts.critical and facts.tem > 0:
        answer.drm = answer.drm.plus(Item(-facts.tem, "TEM, turned round by the critical hit", "C3.71", row.cited))
    elif facts.target_type == "area":
        answer.drm = answer.drm.plus(Item(facts.tem, "TEM", "C3.331", row.cited))
    else:
        answer.leave("TEM", "C6.8", "it counts on the To Hit roll (Case Q)")


def _ift_line(rules: Rules, row: IftRow, text: str, *, last: bool) -> Line:
    result = NOTHING if text == "-" else text
    return Line(result, _means(rules, result), row.rule, row.cited, at_most=None if last else row.dr)


# --- results ---------------------------------------------------------------------------------------------------


def _kill_lines(answer: _Draft, table: str, number: int, results: Iterable[tuple[IftRow, str]] = ()) -> Iterator[Line]:
    """The lines of a hit on a vehicle: rows of an Original DR, then the rest in their order, then the rows of last."""
    facts = answer.facts
    rows = [row for row in rows_of(answer.rules, "kill-results", KillResultRow) if table in row.tables]
    highest: dict[str, int] = {}
    for ift_row, text in results:
        family = family_of(text)[0]
        highest[family] = max(ift_row.dr, highest.get(family, ift_row.dr))
    for row in sorted(rows, key=lambda row: (row.original is None, row.otherwise)):
        if row.locations and facts.location not in row.locations:
            continue
        if (row.ammo and facts.ammo not in row.ammo) or (row.hull_down not in (None, facts.hull_down)):
            continue
        if row.reaches is not None and row.reaches not in highest:
            continue
        at_most: float | None = None
        if row.times is not None:
            at_most = row.times * number + row.plus
        elif row.reaches is not None:
            at_most = highest[row.reaches] + row.plus
        if row.hull_down:
            answer.leave(row.label, row.rule, "a vehicle hull down to the firer cannot be immobilized")
        answer.rows.append(row)
        yield Line(row.result, _means(answer.rules, row.result), row.rule, row.cited, row.original, at_most)


def _means(rules: Rules, result: str) -> str:
    family, number = family_of(result)
    row = next(row for row in rows_of(rules, "effect-results", EffectResultRow) if row.id == family)
    return row.means.replace("{n}", str(number))
