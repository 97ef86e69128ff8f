"""How the dice fell in a game, side by side: how many, their mean, and what came of them against what was to expect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from minis.board.units import Unit
from minis.dice import D6
from minis.game.ledger import Fields
from minis.game.timeline import Timeline
from minis.odds import D100

USUAL_D100 = Fraction(1 + D100, 2)
"""The mean of a percentile die."""

USUAL_2D6 = Fraction(1 + D6)
"""The mean of two dice."""


@dataclass
class Count:
    """Rolls of one kind: how many, the sum of their faces, and how many tries rested on them with what success.

    `expected` is the exact sum of the chances of the tries. One throw at several targets is one roll and several tries.
    """

    rolls: int = 0
    total: int = 0
    tries: int = 0
    succeeded: int = 0
    expected: Fraction = Fraction(0)

    @property
    def mean(self) -> Fraction | None:
        """The mean of the rolls; None where there are none.

        >>> Count(2, 9).mean, Count().mean
        (Fraction(9, 2), None)
        """
        return Fraction(self.total, self.rolls) if self.rolls else None

    def add(self, roll: int) -> None:
        """Count a roll."""
        self.rolls += 1
        self.total += roll

    def tried(self, chance: Fraction, *, succeeded: bool) -> None:
        """Count a try and what came of it."""
        self.tries += 1
        self.expected += chance
        self.succeeded += succeeded


@dataclass
class SideDice:
    """The dice of the acts of one side: percentile dice of sightings, the two dice To Hit, those of effects.

    `typed` and `thrown` count every die of the side, those for smoke, blinding and manoeuvres too.
    """

    sighting: Count = field(default_factory=Count)
    to_hit: Count = field(default_factory=Count)
    effect: Count = field(default_factory=Count)
    typed: int = 0
    thrown: int = 0


def dice_by_side(start: Mapping[str, Unit], timeline: Timeline) -> dict[str, SideDice]:
    """The dice of every side, by its name; a die belongs to the side of the unit that acted.

    What was taken back is not counted. An act that the judge overruled is counted as the dice had it.
    """
    found = {side: SideDice() for side in sorted({unit.side for unit in start.values()})}
    for event in timeline.acts():
        dice = event.data.get("dice")
        if not dice:
            continue
        answer = event.data["answer"]
        side = found[start[answer.get("from") or answer["unit"]].side]
        side.thrown += sum(die["how"] == "thrown" for die in dice)
        side.typed += sum(die["how"] == "typed" for die in dice)
        for attempt in _attempts(answer):
            _count_attempt(side.sighting, attempt)
        if event.kind == "fire":
            _count_shot(side, answer, dice)
    return found


def shots_of(answer: Fields) -> list[Fields]:
    """The answers of a shot, one for each of its targets."""
    return [answer, *answer["others"]]


def _attempts(answer: Fields) -> Iterator[Fields]:
    """The sighting attempts of an answer: its own, or those that its shots rest on."""
    if "sighting" in answer:
        yield from (one["sighting"] for one in shots_of(answer))
    elif "sighted" in answer:
        yield answer


def _count_attempt(count: Count, attempt: Fields) -> None:
    for die in attempt["dice"]:
        if die["for"] == "sighting":
            count.add(die["face"])
            count.tried(Fraction(attempt["chance"]["fraction"]), succeeded=bool(attempt["sighted"]))


def _count_shot(side: SideDice, answer: Fields, dice: list[Fields]) -> None:
    """The throw of a shot with what it came to at each target, and the dice of the effect, two by two."""
    faces = {die["purpose"]: die["face"] for die in dice}
    side.to_hit.add(faces["coloured"] + faces["white"])
    for one in shots_of(answer):
        if one["result"] is not None:
            side.to_hit.tried(Fraction(one["odds"]["hit"]), succeeded=bool(one["result"]["hit"]))
    effects = [die["face"] for die in dice if die["purpose"] == "effect"]
    for first, second in zip(effects[::2], effects[1::2], strict=True):
        side.effect.add(first + second)
