"""Stretches of one line as intervals: lists of low and high ends."""

from __future__ import annotations

Interval = tuple[float, float]


def moved(intervals: list[Interval], low_by: float, high_by: float) -> list[Interval]:
    """The same intervals with their ends moved."""
    return [(low + low_by, high + high_by) for low, high in intervals]


def merged(intervals: list[Interval]) -> list[Interval]:
    """The same places as intervals in order that do not meet.

    >>> merged([(3, 4), (0, 1), (1, 2)])
    [(0, 2), (3, 4)]
    """
    found: list[Interval] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found


def common(one: list[Interval], other: list[Interval]) -> list[Interval]:
    """The places, not single ones, that two lists have in common.

    >>> common([(0, 2), (3, 5)], [(1, 4)]), common([(0, 1)], [(1, 2)])
    ([(1, 2), (3, 4)], [])
    """
    shared = [(max(a, c), min(b, d)) for a, b in one for c, d in other]
    return merged([(low, high) for low, high in shared if low < high])


def less(one: list[Interval], other: list[Interval]) -> list[Interval]:
    """What is left of some intervals without others.

    >>> less([(0, 5)], [(1, 2), (4, 6)]), less([(1, 2)], [(0, 3)])
    ([(0, 1), (2, 4)], [])
    """
    left = list(one)
    for low, high in other:
        left = [part for a, b in left for part in ((a, min(b, low)), (max(a, high), b)) if part[0] < part[1]]
    return left
