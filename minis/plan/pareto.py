"""What of several things, each good in several ways, is not beaten in all of them."""

from __future__ import annotations

from collections.abc import Sequence


def beats(one: Sequence[float], other: Sequence[float]) -> bool:
    """True where one is as good as the other in every value and better in some; more is better.

    >>> beats((2, 1), (1, 1)), beats((2, 0), (1, 1)), beats((1, 1), (1, 1))
    (True, False, False)
    """
    pairs = list(zip(one, other, strict=True))
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def unbeaten(values: Sequence[Sequence[float]]) -> list[int]:
    """The indices of those that no other beats, in their order.

    >>> unbeaten([(1, 5), (2, 2), (1, 4), (3, 1), (2, 2)])
    [0, 1, 3, 4]
    """
    best_first = sorted(range(len(values)), key=lambda k: tuple(values[k]), reverse=True)
    kept: list[int] = []
    for k in best_first:  # whoever beats one comes before it, and one that beats it is kept or beaten by a kept one
        if not any(beats(values[other], values[k]) for other in kept):
            kept.append(k)
    return sorted(kept)


def weighted(values: Sequence[float], weights: Sequence[float]) -> float:
    """The sum of some values, each times its weight.

    >>> weighted((1.0, 0.5), (10, 4))
    12.0
    """
    return sum(value * weight for value, weight in zip(values, weights, strict=True))
