"""The sighting roll: facts in, an itemised ruling with its exact chance out (S1 to S4, S8, S10).

No geometry here: the facts come from the table (`minis.sight.attempt`) or from a judge's tape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from minis.dice import Roll
from minis.errors import bad
from minis.lengths import EPSILON_IN, format_length
from minis.odds import at_least, at_most, over_dice, whole_need
from minis.rules.model import Rules
from minis.rules.rows import CoverRow, Row
from minis.sight.line import SmokeClass
from minis.tally import Item, LeftOut, Tally

Outcome = Literal["automatic", "roll", "impossible"]
Test = Literal["at_least", "at_most"]
Procedure = Literal["sight", "identify"]


@dataclass(frozen=True)
class SightFacts:
    """What the sighting rules ask about an attempt.

    `range_in` is the distance in inches. `stopped_by` says in words what stops the line of sight, with `stopped_rule`;
    it is empty where nothing does. `barred_by` says why there is no attempt at all, whatever the line: the sighter is
    a wreck or a dummy, the target rides in a carrier. `facts` are the facts of this turn that are true, each with
    sighter_ or target_ before it. `smoke` says how smoke on the line counts, `clouds` how many clouds there are.
    """

    range_in: float
    small: bool = False
    in_cover: bool = False
    vehicle: bool = False
    vehicle_in_open: bool = False
    spotter: bool = False
    facts: frozenset[str] = frozenset()
    smoke: SmokeClass = "none"
    clouds: int = 0
    stopped_by: str = ""
    stopped_rule: str = ""
    barred_by: str = ""
    barred_rule: str = ""


@dataclass(frozen=True)
class Sighting:
    """The ruling on a sighting attempt.

    `need` is the number on d100 that `test` compares with; None where there is none, or while a smoke die is still to
    be rolled. `chance` is exact, over every die still to be rolled. `sighted` is None while that is open.
    """

    facts: SightFacts
    procedure: Procedure
    outcome: Outcome
    test: Test | None
    need: int | None
    chance: Fraction
    tally: Tally
    left_out: tuple[LeftOut, ...]
    rule: str
    why: str
    rolls: tuple[Roll, ...] = ()
    sighted: bool | None = None
    smoke_dice_needed: int = 0
    rows: tuple[Row, ...] = field(default=(), repr=False)

    @property
    def barred(self) -> bool:
        """True where there is no attempt at all, whatever the line of sight."""
        return bool(self.facts.barred_by)

    @property
    def percent(self) -> float:
        """The chance in percent."""
        return float(self.chance * 100)


def sighting(
    facts: SightFacts,
    rules: Rules,
    *,
    procedure: Procedure = "sight",
    smoke_rolls: Sequence[Roll] = (),
    roll: Roll | None = None,
) -> Sighting:
    """Rule on an attempt to sight or to identify (S1 to S4, S8, S10).

    Raises BadInput where a die is given that cannot be judged yet, or more smoke dice than the line asks for.

    >>> from minis.rules import load_rules
    >>> ruling = sighting(SightFacts(60.5), load_rules())
    >>> ruling.need, ruling.chance, ruling.outcome
    (61, Fraction(2, 5), 'roll')
    >>> sighting(SightFacts(100.25), load_rules()).outcome
    'impossible'
    """
    ruling = _rule(facts, rules, procedure, smoke_rolls)
    if ruling.smoke_dice_needed and roll is not None:
        wanted = ruling.smoke_dice_needed + len(smoke_rolls)
        dice = "the smoke die comes" if wanted == 1 else f"{wanted} smoke dice come, {len(smoke_rolls)} given,"
        raise bad(f"there is smoke on the line: {dice} before the sighting die", file="--smoke-die")
    rows = (*ruling.rows, *_deciding_numbers(ruling, rules))
    rolls = (*smoke_rolls, *((roll,) if roll else ()))
    return replace(ruling, rolls=rolls, sighted=_result(ruling, roll), rows=rows)


def _deciding_numbers(ruling: Sighting, rules: Rules) -> Iterator[Row]:
    """Single numbers that the ruling rests on beside the rows of its tables."""
    facts = ruling.facts
    if facts.stopped_by:
        return
    yield rules.number("spotter-max-range" if facts.spotter else "max-range")
    if ruling.procedure == "sight" and facts.vehicle_in_open:
        yield rules.number("automatic-range")
    if facts.smoke == "own":
        yield rules.number("own-smoke-share")
    if ruling.test == "at_least" and ruling.need == rules.number("lowest-need").value:
        yield rules.number("lowest-need")


def smoke_dice(facts: SightFacts, rules: Rules) -> int:
    """How many smoke dice an attempt takes: one a line or one a cloud, by the switch (S8.2)."""
    if facts.smoke == "none" or facts.stopped_by:
        return 0
    return max(1, facts.clouds) if rules.switch("smoke") == "cloud" else 1


def _result(ruling: Sighting, roll: Roll | None) -> bool | None:
    if ruling.outcome == "impossible":
        return False
    if ruling.outcome == "automatic" or ruling.chance == 1:
        return True
    if roll is None or ruling.need is None:
        return None
    return roll.face >= ruling.need if ruling.test == "at_least" else roll.face <= ruling.need


def _rule(facts: SightFacts, rules: Rules, procedure: Procedure, smoke_rolls: Sequence[Roll]) -> Sighting:
    if facts.barred_by:
        return _impossible(facts, procedure, facts.barred_rule, facts.barred_by)
    if facts.stopped_by:
        return _impossible(facts, procedure, facts.stopped_rule, f"no line of sight: {facts.stopped_by}")
    limit = rules.number("spotter-max-range" if facts.spotter else "max-range")
    if facts.range_in > limit.value + EPSILON_IN:
        why = f"{format_length(facts.range_in)} is farther than {format_length(limit.value)}"
        return _impossible(facts, procedure, limit.rule, why)
    left_out, automatic = _automatic(facts, rules, procedure)
    if automatic is not None:
        return automatic
    wanted = smoke_dice(facts, rules)
    if len(smoke_rolls) > wanted:
        there = "there is no smoke on the line" if not wanted else f"the line takes {wanted} smoke die or dice"
        given = "one smoke die is given" if len(smoke_rolls) == 1 else f"{len(smoke_rolls)} smoke dice are given"
        raise bad(f"{there}, but {given}", file="--smoke-die")
    if facts.small and facts.in_cover and procedure == "sight":
        return _small_in_cover(facts, rules, left_out, smoke_rolls, wanted)
    return _by_distance(facts, rules, procedure, left_out, smoke_rolls, wanted)


def _impossible(facts: SightFacts, procedure: Procedure, rule: str, why: str) -> Sighting:
    return Sighting(facts, procedure, "impossible", None, None, Fraction(0), Tally(), (), rule, why)


def _automatic(facts: SightFacts, rules: Rules, procedure: Procedure) -> tuple[tuple[LeftOut, ...], Sighting | None]:
    """A vehicle in the open near by is sighted without a roll, unless there is smoke (S4.1, S8.4)."""
    row = rules.number("automatic-range")
    label = f"automatic within {format_length(row.value)}"
    if procedure == "identify" or not (facts.vehicle or facts.vehicle_in_open):
        return (), None
    if facts.range_in > row.value + EPSILON_IN:
        return (LeftOut(label, row.rule, f"{format_length(facts.range_in)} is farther"),), None
    if not facts.vehicle_in_open:
        return (LeftOut(label, row.rule, "the vehicle is not in the open"),), None
    if facts.smoke != "none":
        return (LeftOut(label, "S8.4", "smoke on the line"),), None
    why = f"a vehicle in the open within {format_length(row.value)}"
    item = Item(facts.range_in, _measured(rules), "S1.3", "ruling")
    ruling = Sighting(
        facts, procedure, "automatic", None, None, Fraction(1), Tally((item,)), (), row.rule, why
    )  # fmt: skip
    return (), ruling


def _by_distance(
    facts: SightFacts,
    rules: Rules,
    procedure: Procedure,
    left_out: tuple[LeftOut, ...],
    smoke_rolls: Sequence[Roll],
    wanted: int,
) -> Sighting:
    """Large units and small ones in the open: d100 at least the distance and its modifiers (S2.2, S2.3, S10.1)."""
    scale = Fraction(1)
    times = ""
    if facts.spotter:
        switch = rules.switch("spotter_scale")
        scale = switch if isinstance(switch, Fraction) else Fraction(1)
        times = f" x {switch} (spotter)"
    fixed: list[Item] = []
    rows: list[Row] = []
    for row in rules.modifiers:
        if row.fact == "always" or row.fact in facts.facts:
            fixed.append(Item(row.value, row.label, row.rule, row.cited))
            rows.append(row)
    share = _share(facts, rules)
    start = Item(float(facts.range_in * scale), _measured(rules) + times, "S1.2" if times else "S1.3", "ruling")
    lowest = rules.number("lowest-need")
    modifiers = sum(item.value for item in fixed)

    def need_with(smoke: int) -> int:
        return max(int(lowest.value), whole_need((facts.range_in + share * smoke) * float(scale) + modifiers))

    tally = Tally((start, *fixed))
    rule = "S10.1" if procedure == "identify" else "S2.3" if facts.small else "S2.2"
    if wanted and not smoke_rolls:
        chance = over_dice(wanted, lambda smoke: at_least(need_with(smoke)))
        need, needed = None, wanted
    else:
        thrown = sum(roll.face for roll in smoke_rolls)
        if wanted:
            words = "half of the smoke die: the target's own smoke" if facts.smoke == "own" else "smoke die"
            tally = tally.plus(
                Item(float(share * thrown * scale), words + times, "S8.3" if share != 1 else "S8.1", "seed")
            )
        need, needed = need_with(thrown), max(0, wanted - len(smoke_rolls))
        chance = at_least(need) if not needed else over_dice(needed, lambda smoke: at_least(need_with(thrown + smoke)))
    outcome: Outcome = "roll" if chance else "impossible"
    why = (
        ""
        if chance
        else f"needs {need}, more than 100"
        if need is not None
        else "needs more than 100 whatever the smoke"
    )
    return Sighting(
        facts, procedure, outcome, "at_least", None if needed else need, chance, tally, left_out, rule, why,
        smoke_dice_needed=needed, rows=tuple(rows),
    )  # fmt: skip


def _small_in_cover(
    facts: SightFacts, rules: Rules, left_out: tuple[LeftOut, ...], smoke_rolls: Sequence[Roll], wanted: int
) -> Sighting:
    """Small units in cover: d100 at most a percentage by distance and by what the target did (S2.4)."""
    column = "fired" if "target_fired" in facts.facts else "moved" if "target_moved" in facts.facts else "still"
    share = _share(facts, rules)

    def row_at(smoke: int) -> CoverRow | None:
        at = facts.range_in + share * smoke
        return next((row for row in rules.small_in_cover if at <= row.up_to + EPSILON_IN), None)

    def need_with(smoke: int) -> int:
        row = row_at(smoke)
        return (getattr(row, column) or 0) if row else 0

    thrown = sum(roll.face for roll in smoke_rolls)
    needed = max(0, wanted - len(smoke_rolls))
    chance = over_dice(needed, lambda smoke: at_most(need_with(thrown + smoke)))
    need = None if needed else need_with(thrown) or None
    items = [Item(facts.range_in, _measured(rules), "S1.3", "ruling")]
    if smoke_rolls:
        words = "half of the smoke die: the target's own smoke" if facts.smoke == "own" else "smoke die"
        items.append(Item(share * thrown, words, "S8.3" if share != 1 else "S2.4", "seed"))
    for modifier in rules.modifiers:
        if modifier.fact == "always" or modifier.fact in facts.facts:
            left_out += (LeftOut(modifier.label, "S2.4", "no modifiers for a small unit in cover"),)
    row = row_at(thrown)
    outcome: Outcome = "roll" if chance else "impossible"
    did = {"still": "neither moved nor fired", "moved": "moved", "fired": "fired"}[column]
    why = "" if chance else f"too far for a small unit in cover that {did}"
    return Sighting(
        facts, "sight", outcome, "at_most", need, chance, Tally(tuple(items)), left_out, "S2.4", why,
        smoke_dice_needed=needed, rows=(row,) if row else (),
    )  # fmt: skip


def _measured(rules: Rules) -> str:
    """How the distance was measured, by the switch (S1.3)."""
    return "distance, centre to centre" if rules.switch("measure") == "centre" else "distance, edge to edge"


def _share(facts: SightFacts, rules: Rules) -> float:
    """The share of the smoke die that counts (S8.3)."""
    return rules.number("own-smoke-share").value if facts.smoke == "own" else 1.0
