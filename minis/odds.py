"""Exact chances on percentile dice: whole counts and `Fraction`, never a sample (S1.3, S8.6)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from minis.lengths import EPSILON_IN

D100 = 100
"""Faces of the percentile dice: 1 to 100, the pair 00 reads 100 (S1)."""


def whole_need(total: float) -> int:
    """The lowest whole die that is not below a total; a total within 1e-6 of a whole number is that number (S1.3).

    >>> whole_need(60.5), whole_need(60.0), whole_need(60.0000001), whole_need(59.9999999)
    (61, 60, 60, 60)
    """
    nearest = round(total)
    return nearest if abs(total - nearest) <= EPSILON_IN else math.ceil(total)


def at_least(need: int) -> Fraction:
    """The chance that d100 is at least `need` (S2.2).

    >>> at_least(61), at_least(1), at_least(-5), at_least(100), at_least(101)
    (Fraction(2, 5), Fraction(1, 1), Fraction(1, 1), Fraction(1, 100), Fraction(0, 1))
    """
    return Fraction(min(D100, max(0, D100 + 1 - need)), D100)


def at_most(need: int) -> Fraction:
    """The chance that d100 is at most `need` (S2.4).

    >>> at_most(25), at_most(0)
    (Fraction(1, 4), Fraction(0, 1))
    """
    return Fraction(min(D100, max(0, need)), D100)


def sum_of_dice(count: int) -> dict[int, Fraction]:
    """The distribution of the sum of `count` percentile dice, as {sum: chance}.

    >>> sum_of_dice(0), sum_of_dice(1)[28], sum_of_dice(2)[3]
    ({0: Fraction(1, 1)}, Fraction(1, 100), Fraction(1, 5000))
    """
    counts = {0: 1}
    for _ in range(count):
        longer: dict[int, int] = {}
        for total, ways in counts.items():
            for face in range(1, D100 + 1):
                longer[total + face] = longer.get(total + face, 0) + ways
        counts = longer
    return {total: Fraction(ways, D100**count) for total, ways in counts.items()}


def over_dice(count: int, chance: Callable[[int], Fraction]) -> Fraction:
    """The exact chance of an event that hangs on the sum of `count` percentile dice rolled before it (S8.6).

    >>> over_dice(1, lambda smoke: at_least(60 + smoke))
    Fraction(41, 500)
    """
    return sum((weight * chance(total) for total, weight in sum_of_dice(count).items()), Fraction(0))
