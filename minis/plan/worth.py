"""What one place is worth to a unit that lies in wait: the lanes it covers, who sights it, cover, and a way out.

The enemy walks each lane MP by MP in turns of some MP. At each MP after which he is in sight the unit fires as
defensive first fire, where the shot is worth its while (F4.1, F4.2); at the end of each turn he tries to sight it, and
so does every enemy that stands on the table, against a unit that has fired where it has. What it hits afterwards does
not count. What stands in its sight the unit has sighted. Where a lane has a width or an area the enemy
walks one of its files, each as likely (`minis.plan.course`): what the place is worth there is the mean of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby

from minis.board.units import Unit
from minis.fire.facts import ShotFacts
from minis.plan.march import Exposed, March, exposed, turn_mp, turns_of, weight
from minis.plan.pairs import Pairs, Places
from minis.plan.pareto import weighted
from minis.rules.model import Rules

PHASE = "defensive_first"
VALUES = ("covered", "hits", "unseen", "cover", "way-out")
"""The rows of the weights of the values of a place, in their order."""


@dataclass(frozen=True)
class Waiting:
    """The same for all places: the table, the marches along the lanes, the enemies that stand where they start.

    The marches in the files of one lane stand together.
    """

    scene: Places
    marches: tuple[March, ...]
    enemies: tuple[Unit, ...]

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return self.scene.board.rules


@dataclass(frozen=True)
class Look:
    """A unit at a place, which marks of each march and which enemies it sees, and the nearest place out of sight.

    `way_out_in` is how far away that place is, in inches; both are None where there is none within reach.
    """

    unit: Unit
    marks: tuple[tuple[bool, ...], ...]
    enemies: tuple[bool, ...]
    way_out_in: float | None = None
    way_out: tuple[float, float] | None = None


@dataclass(frozen=True)
class LaneWorth:
    """What a place is worth against one lane, the mean of its `files`; lengths are inches of it.

    `covered_in` is the length in sight at which a shot is worth its while, `hexes` the shortest and the longest range
    there. `hits` are the expected hits on a vehicle before the place is sighted; `best` is the best chance of one shot.
    Ranges and best shot are those of all files together.
    `protected` says of each piece that gives cover or makes it hull down against how much of what is in sight;
    `protected_in` and `hull_down_in` are those lengths, each inch once.
    """

    lane: str
    length_in: float
    in_sight_in: float
    covered_in: float
    hexes: tuple[int, int] | None
    hits: float
    best: Fraction
    sighted: float
    protected_in: float
    hull_down_in: float
    protected: tuple[tuple[str, float], ...]
    files: int = 1

    @staticmethod
    def mean(files: Sequence[LaneWorth]) -> LaneWorth:
        """What it is against an enemy that walks one of some files of the lane, each as likely."""
        if len(files) == 1:
            return files[0]

        def of(value: Callable[[LaneWorth], float]) -> float:
            return math.fsum(map(value, files)) / len(files)

        ranges = [one.hexes for one in files if one.hexes]
        by: dict[str, float] = {}
        for name, inches in (pair for one in files for pair in one.protected):
            by[name] = by.get(name, 0.0) + inches / len(files)
        return LaneWorth(
            files[0].lane, files[0].length_in, of(lambda one: one.in_sight_in), of(lambda one: one.covered_in),
            (min(low for low, _ in ranges), max(high for _, high in ranges)) if ranges else None,
            of(lambda one: one.hits), max(one.best for one in files), of(lambda one: one.sighted),
            of(lambda one: one.protected_in), of(lambda one: one.hull_down_in), _longest_first(by), len(files),
        )  # fmt: skip


def _longest_first(by: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(by.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True)
class Seen:
    """An enemy where he starts, and his chance to sight the place in one attempt."""

    unit: str
    chance: Fraction


@dataclass(frozen=True)
class Worth:
    """What a place is worth. `exact` is false where it may be worth less: a line was not traced that had to be."""

    look: Look
    lanes: tuple[LaneWorth, ...]
    seen: tuple[Seen, ...]
    within_in: float
    exact: bool

    @property
    def covered(self) -> float:
        """The share of all lanes that it covers."""
        return sum(lane.covered_in for lane in self.lanes) / sum(lane.length_in for lane in self.lanes)

    @property
    def hits(self) -> float:
        """Expected hits on a vehicle of each lane, on average, before the place is sighted."""
        return sum(lane.hits for lane in self.lanes) / len(self.lanes)

    @property
    def unseen(self) -> float:
        """The chance that no enemy sights it from where he starts, each trying once."""
        return math.prod(float(1 - seen.chance) for seen in self.seen)

    @property
    def protected(self) -> float:
        """The share of the lanes in sight against which it has cover or is hull down."""
        in_sight = sum(lane.in_sight_in for lane in self.lanes)
        return sum(lane.protected_in for lane in self.lanes) / in_sight if in_sight else 0.0

    @property
    def way_out(self) -> float:
        """How good the way out is: 1 where it is at hand, 0 where there is none within reach."""
        if self.look.way_out_in is None or not self.within_in:
            return 0.0
        return max(0.0, 1.0 - self.look.way_out_in / self.within_in)

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The values of the place, in the order of `VALUES`; more is better."""
        return self.covered, self.hits, self.unseen, self.protected, self.way_out

    def score(self, rules: Rules) -> float:
        """The sum of the values, each times its weight."""
        return weighted(self.values, [weight(rules, name) for name in VALUES])


def assess(waiting: Waiting, pairs: Pairs, look: Look) -> Worth:
    """What a place is worth; where `pairs` trace no lines it is worth no more than this (`Worth.exact`)."""
    unit = look.unit
    enemies = [enemy for enemy, sees in zip(waiting.enemies, look.enemies, strict=True) if sees]
    tries = [_Try.of(pairs, enemy, unit) for enemy in enemies]
    files = [
        _File(waiting, pairs, unit, walk, marks, tries) for walk, marks in zip(waiting.marches, look.marks, strict=True)
    ]
    exact = pairs.traced or (all(file.plain for file in files) and all(pairs.is_plain(e, unit) for e in enemies))
    seen = tuple(Seen(enemy.id, one.still) for enemy, one in zip(enemies, tries, strict=True) if one.still)
    within = weight(waiting.rules, "way-out-within")
    by_lane = groupby((file.worth() for file in files), key=lambda one: one.lane)
    return Worth(look, tuple(LaneWorth.mean(list(of_lane)) for _, of_lane in by_lane), seen, within, exact)


@dataclass(frozen=True)
class _Try:
    """The chance of one attempt at the place: while it has not fired this turn, and after it has."""

    still: Fraction
    fired: Fraction

    @staticmethod
    def of(pairs: Pairs, sighter: Unit, target: Unit) -> _Try:
        facts = pairs.sight_facts(sighter, target)
        fired = replace(facts, facts=facts.facts | {"target_fired"})
        chances = pairs.scene.chances
        return _Try(chances.sight(facts), chances.sight(fired))

    def missed(self, *, fired: bool | None) -> float:
        """The chance that it fails; None is where nobody knows whether the unit fired: then the better one for it."""
        chance = min(self.still, self.fired) if fired is None else self.fired if fired else self.still
        return float(1 - chance)


class _File:
    """One file of a lane walked against one place."""

    def __init__(
        self, waiting: Waiting, pairs: Pairs, unit: Unit, walk: March, marks: Sequence[bool], tries: Sequence[_Try]
    ):
        self.pairs, self.unit, self.walk, self.marks, self.tries = pairs, unit, walk, marks, tries
        board = waiting.scene.board
        self.per_turn = turn_mp(board.rules)
        gap = board.rules.fire_number("sight-gap") * board.inches_per_hex
        self.exposed = {one.mark: one for one in exposed(walk, marks, self.per_turn, gap)}
        self.useful = weight(board.rules, "useful-hit") / 100
        self.plain = True
        self.in_sight = self.covered = self.protected = self.hull_down = self.hits = 0.0
        self.best = Fraction(0)
        self.hexes: list[int] = []
        self.by: dict[str, float] = {}
        self.unseen = 1.0
        for turn in turns_of(len(walk.marks), self.per_turn):
            self._turn(turn)

    def worth(self) -> LaneWorth:
        """What came of it."""
        hexes = (min(self.hexes), max(self.hexes)) if self.hexes else None
        return LaneWorth(
            self.walk.lane.id, self.walk.length_in, self.in_sight, self.covered, hexes, self.hits, self.best,
            1.0 - self.unseen, self.protected, self.hull_down, _longest_first(self.by),
        )  # fmt: skip

    def _turn(self, turn: range) -> None:
        """A turn of the march: a shot at each MP in sight, and then the attempts to sight the place."""
        fired: bool | None = False
        for mark in turn:
            one = self.exposed.get(mark)
            if one is None:
                continue
            plain = self.pairs.traced or self.pairs.is_plain(self.unit, self.walk.marks[mark])
            self.plain &= plain
            self._hidden(mark)
            if self._shot(one):
                fired = True if plain or fired else None
        last = turn[-1]
        for one_try in self.tries:
            self.unseen *= one_try.missed(fired=fired)
        if self.marks[last]:
            self.unseen *= _Try.of(self.pairs, self.walk.marks[last], self.unit).missed(fired=fired)

    def _shot(self, one: Exposed) -> bool:
        """A shot where it is worth its while; true where there was one."""
        facts: ShotFacts | None = self.pairs.shot_facts(self.unit, self.walk.marks[one.mark], PHASE)
        chance = self.pairs.hit(facts, one.mp, from_start=one.from_start)
        if facts is None or not chance or chance < self.useful:
            return False
        self.covered += self.walk.stretches[one.mark]
        self.hexes.append(facts.range_hexes)
        self.best = max(self.best, chance)
        self.hits += self.unseen * float(chance)
        return True

    def _hidden(self, mark: int) -> None:
        """What of the place protects it against a mark in sight."""
        long = self.walk.stretches[mark]
        cover, state, by = self.pairs.hides(self.unit, self.walk.marks[mark])
        self.in_sight += long
        names = {*cover, *([by] if by is not None and state is not None else [])}
        self.protected += long if names else 0.0
        self.hull_down += long if state is not None else 0.0
        for name in names:
            self.by[name] = self.by.get(name, 0.0) + long
