"""The To Hit ruling: facts in; an itemised number, what was left out, and the exact odds out (C3, C5, C6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from minis.fire.cases import CONDITIONS, Case, LeftOutCase, cases_of
from minis.fire.facts import ShotFacts
from minis.fire.guns import Gun, parse_gun
from minis.fire.hit import Odds, Throw, aim_of, judge, odds_of
from minis.rules.model import Rules
from minis.rules.rows import Row


@dataclass(frozen=True)
class NumberItem:
    """One part of the Modified To Hit number: the chart's number, or a change for gun and ammunition."""

    value: int
    label: str
    rule: str
    source: str
    row: Row | None = None


@dataclass(frozen=True)
class Refusal:
    """A declared shot that the rules forbid: the rule and why."""

    rule: str
    why: str
    row: Row | None = None


@dataclass(frozen=True)
class Shot:
    """The ruling on a declared shot.

    `th` is the Modified To Hit number, `drm` the sum on the roll, `hit_on` their difference, None where the lower die
    is doubled (Case C4). `costs` are, for each case that counts, the percent of hits it costs, negative where it helps.
    A shot that is refused has no numbers.
    """

    facts: ShotFacts
    refusal: Refusal | None
    numbers: tuple[NumberItem, ...] = ()
    cases: tuple[Case, ...] = ()
    left_out: tuple[LeftOutCase, ...] = ()
    doubled: bool = False
    rof: int = 0
    breakdown: int = 0
    odds: Odds | None = None
    costs: tuple[float, ...] = field(default=())

    @property
    def rows_used(self) -> tuple[Row, ...]:
        """Rows of tables that the ruling rests on: numbers, cases, what is left out, a refusal."""
        rows = [item.row for item in self.numbers] + [case.row for case in self.cases]
        rows += [out.row for out in self.left_out] + ([self.refusal.row] if self.refusal else [])
        return tuple(row for row in rows if row is not None)

    @property
    def th(self) -> int:
        """The Modified To Hit number."""
        return sum(item.value for item in self.numbers)

    @property
    def drm(self) -> int:
        """The sum of the DRM on the roll."""
        return sum(case.value for case in self.cases)

    @property
    def lowest(self) -> int:
        """The lowest Final DR there is: both dice 1, the lower counted twice where it is doubled."""
        return (3 if self.doubled else 2) + self.drm

    @property
    def hit_on(self) -> int | None:
        """The highest Original DR that hits; None where the lower die is doubled."""
        return None if self.doubled else self.th - self.drm


def to_hit(facts: ShotFacts, rules: Rules) -> Shot:
    """Rule on a shot from its facts (C3 to C6); an illegal declaration is refused with its rule.

    >>> from minis.rules import load_rules
    >>> shot = to_hit(ShotFacts("vehicle", "afv", 14, "75", "AP", "black"), load_rules())
    >>> shot.th, shot.drm, shot.hit_on, str(shot.odds.hit)
    (8, 0, 8, '13/18')
    >>> to_hit(ShotFacts("infantry", "afv", 14, "75", "HE", "black"), load_rules()).refusal.rule
    'C3.32'
    """
    refusal = refused(facts, rules)
    if refusal is not None:
        return Shot(facts, refusal)
    gun = parse_gun(facts.gun)
    numbers = tuple(_numbers(facts, gun, rules))
    cases, left_out = cases_of(facts, rules)
    doubled = any(case.case == "C4" for case in cases) and not facts.stabilized
    bare = Shot(
        facts=facts,
        refusal=None,
        numbers=numbers,
        cases=tuple(cases),
        left_out=tuple(left_out),
        doubled=doubled,
        rof=_rof(facts, rules),
        breakdown=_breakdown(facts, rules),
    )
    odds = _odds(bare, gun, rules, bare.drm, doubled)
    costs = []
    for case in cases:
        without = _odds(bare, gun, rules, bare.drm - case.value, doubled and case.case != "C4")
        costs.append(float(without.hit - odds.hit) * 100)
    return Shot(**{**bare.__dict__, "odds": odds, "costs": tuple(costs)})


def resolve(shot: Shot, rules: Rules, coloured: int, white: int, further: int | None = None) -> Throw:
    """Judge a throw of the dice for a shot that is allowed (F5); ValueError where it is refused."""
    if shot.refusal is not None:
        raise ValueError(f"a refused shot is not thrown for: {shot.refusal.why}")
    gun = parse_gun(shot.facts.gun)
    aim = aim_of(
        shot.facts, gun, rules, shot.th, shot.drm, doubled=shot.doubled, rof=shot.rof, breakdown=shot.breakdown
    )
    return judge(aim, coloured, white, further)


def refused(facts: ShotFacts, rules: Rules) -> Refusal | None:
    """The first rule that forbids a declaration, None where it is legal (C3.3, C5)."""
    for row in rules.refusals:
        if CONDITIONS[row.when](facts, rules) and CONDITIONS[row.also](facts, rules):
            return Refusal(row.rule, row.label, row)
    return None


def _numbers(facts: ShotFacts, gun: Gun, rules: Rules) -> Sequence[NumberItem]:
    """The number of the chart, and every row of C4 that is true of the gun and its ammunition (F2, F2.1)."""
    column = next(k for k, row in enumerate(rules.to_hit_ranges) if row.up_to is None or facts.range_hexes <= row.up_to)
    colour = "red" if facts.captured or facts.nonqualified else facts.colour
    chart = next(row for row in rules.to_hit if row.target == facts.target_type and row.colour in (colour, "any"))
    hexes = "hex" if facts.range_hexes == 1 else "hexes"
    items = [
        NumberItem(chart.values[column], f"{chart.label}, {facts.range_hexes} {hexes}", chart.rule, chart.cited, chart)
    ]
    for row in rules.to_hit_guns:
        true = (
            (row.length is not None and row.length == gun.length)
            or facts.ammo in row.ammo
            or (row.calibre_up_to is not None and 0 < gun.calibre <= row.calibre_up_to)
        )
        if true and row.values[column]:
            items.append(NumberItem(row.values[column], row.label, row.rule, row.cited, row))
    return items


def _odds(shot: Shot, gun: Gun, rules: Rules, drm: int, doubled: bool) -> Odds:
    return odds_of(shot.facts, gun, rules, shot.th, drm, doubled=doubled, rof=shot.rof, breakdown=shot.breakdown)


def _rof(facts: ShotFacts, rules: Rules) -> int:
    """The rate of fire in this shot: none pinned, in intensive fire, or on the Area type but for mortars (C5.4)."""
    if facts.pinned or facts.intensive or (facts.target_type == "area" and not facts.indirect):
        return 0
    return facts.rof if facts.rof is not None else int(rules.fire_number("rof"))


def _breakdown(facts: ShotFacts, rules: Rules) -> int:
    """The breakdown number: less in intensive fire, and once for captured or non-qualified (C5.6, C5.8)."""
    number = facts.breakdown if facts.breakdown is not None else int(rules.fire_number("breakdown"))
    if facts.intensive:
        number += int(rules.fire_number("intensive-breakdown"))
    if facts.captured or facts.nonqualified:
        number += int(rules.fire_number("captured-breakdown"))
    return number
