"""An itemised sum: every number of a ruling with its label, rule number and source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One line of a sum: a value with the words, the rule number and the source that stand for it."""

    value: float
    label: str
    rule: str
    source: str


@dataclass(frozen=True)
class LeftOut:
    """Something a player might expect in the sum and that is not in it, with the rule that says so."""

    label: str
    rule: str
    why: str


@dataclass(frozen=True)
class Tally:
    """Items and their sum.

    >>> tally = Tally((Item(43.5, "distance", "S1.3", "seed"), Item(15, "sighter moved", "S3", "house")))
    >>> tally.total
    58.5
    >>> [item.label for item in tally]
    ['distance', 'sighter moved']
    """

    items: tuple[Item, ...] = ()

    @property
    def total(self) -> float:
        """The sum of the items' values."""
        return sum(item.value for item in self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def plus(self, *items: Item) -> Tally:
        """A new tally with more items at its end."""
        return Tally(self.items + items)
