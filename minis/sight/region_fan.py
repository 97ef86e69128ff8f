"""The plane around one point cut into wedges, in each of which the edges of an obstacle lie one behind the other.

Coordinates are grid steps from the point. A wedge lies between two neighbouring bearings of corners, so that no edge
begins or ends inside it: every line from the point in that wedge meets the same edges in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

Place = tuple[float, float]

STRAIGHT_FROM_CURVE = 2.0
"""How far a curve may lie from the straight lines that are drawn for it, in grid steps: a quarter of 1/1000 inch."""

SAME_BEARING = 1e-12
"""Two bearings closer than this, in radians, are one: less than a grid step apart anywhere on a table."""

EIGHTH_TURN = math.pi / 2 / 2
FULL_TURN = math.tau


class Edge(NamedTuple):
    """A straight piece of an obstacle's edge or line, and what is true of all of it.

    `touched`: the viewer's base touches it (S7.6); `near`: it is within the length of a shadow of the viewer;
    `shallow`: it is within the depth of woods of the viewer (S6.10).
    """

    p: Place
    q: Place
    touched: bool = False
    near: bool = False
    shallow: bool = False


class Part(NamedTuple):
    """A hidden stretch of a ray: from `after` to `until` grid steps behind the edge with number `edge` on it.

    Edge 0 is the point itself. `rule` is the rule that hides.
    """

    rule: str
    edge: int
    after: float = 0.0
    until: float = math.inf


class Wedge(NamedTuple):
    """A wedge, counterclockwise from bearing number `first`; `edges` are those that its rays meet, nearest first."""

    first: int
    start: float
    end: float
    edges: tuple[Edge, ...]

    @property
    def starts_inside(self) -> bool:
        """True where its rays begin inside the area that the edges are the edge of."""
        return len(self.edges) % 2 == 1


Strip = tuple[list[Place], list[Place]]
"""A region of one wedge: its near boundary and its far boundary, both in the order of the bearings."""


class Fan:
    """The wedges of one obstacle around a point; `far` is a distance in grid steps beyond all that is asked about."""

    def __init__(self, edges: Iterable[Edge], far: float) -> None:
        self.far = far / math.cos(EIGHTH_TURN / 2)
        turning = [edge for edge in edges if _turn(edge.p, edge.q)]
        angles = sorted({_angle(corner) for edge in turning for corner in (edge.p, edge.q)})
        self.bearings = _apart([*angles, *(k * EIGHTH_TURN for k in range(round(FULL_TURN / EIGHTH_TURN)))])
        number = _numbers(angles, self.bearings)
        self._corner = {(edge, number[_angle(c)]): c for edge in turning for c in (edge.p, edge.q)}
        met: dict[int, list[Edge]] = {}
        for edge in turning:
            right, left = (edge.p, edge.q) if _turn(edge.p, edge.q) > 0 else (edge.q, edge.p)
            first, last = number[_angle(right)], number[_angle(left)]
            for k in range(first, last if last >= first else last + len(self.bearings)):
                met.setdefault(k % len(self.bearings), []).append(edge)
        self.wedges = [self._wedge(k, found) for k, found in sorted(met.items())]

    def _wedge(self, k: int, found: list[Edge]) -> Wedge:
        start = self.bearings[k]
        end = self.bearings[k + 1] if k + 1 < len(self.bearings) else FULL_TURN
        middle = _direction((start + end) / 2)
        return Wedge(k, start, end, tuple(sorted(found, key=lambda edge: math.hypot(*_meeting(edge, middle)))))

    def shapes(self, hidden: Callable[[Wedge, int], Sequence[Part]]) -> dict[str, list[list[Place]]]:
        """The rings of what is hidden, by the rule that hides.

        `hidden` says of a wedge and a cell which parts of the cell are hidden: cell i lies behind i edges and before
        the next.
        """
        found: dict[str, list[list[Place]]] = {}
        for half in (True, False):  # a strip all the way round would not be the inside of one ring
            wedges = [wedge for wedge in self.wedges if (wedge.start < math.pi - SAME_BEARING) == half]
            strips = [(part.rule, strip) for wedge in wedges for part, strip in self._strips(wedge, hidden)]
            for rule, (near, far) in _joined(strips):
                found.setdefault(rule, []).append([*near, *reversed(far)])
        return found

    def _strips(self, wedge: Wedge, hidden: Callable[[Wedge, int], Sequence[Part]]) -> Iterator[tuple[Part, Strip]]:
        open_from: dict[Part, int] = {}
        cells = len(wedge.edges) + 1
        for cell in range(cells + 1):
            parts = set(hidden(wedge, cell)) if cell < cells else set()
            for part in [part for part in open_from if part not in parts]:
                for strip in self._between(wedge, part, open_from.pop(part), cell):
                    yield part, strip
            for part in parts:
                open_from.setdefault(part, cell)

    def _between(self, wedge: Wedge, part: Part, first: int, last: int) -> Iterator[Strip]:
        """The region of a hidden part between the edges with the numbers `first` and `last`."""
        near, far = [(first, 0.0)], [(last, 0.0)]
        if part.after:
            near = [(part.edge, part.after)] + (near if part.edge < first else [])
        if part.until < math.inf:
            far.append((part.edge, part.until))
        curved = [term for term in (*near, *far) if term[1]]
        if not curved:
            yield [self._at(wedge, near[0], t) for t in (0, 1)], [self._at(wedge, far[0], t) for t in (0, 1)]
            return
        times = sorted({t for term in curved for t in self._times(wedge, term)})
        times = sorted({*times, *self._switches(wedge, [*near, *far], times)})
        low: list[Place] = []
        high: list[Place] = []
        for one, other in pairwise(times):
            if self._is_open(wedge, near, far, (one + other) / 2):
                for t in (one, other) if not low else (other,):
                    low.append(max((self._at(wedge, term, t) for term in near), key=_length))
                    high.append(min((self._at(wedge, term, t) for term in far), key=_length))
            elif low:
                yield low, high
                low, high = [], []
        if low:
            yield low, high

    def _is_open(self, wedge: Wedge, near: list[tuple[int, float]], far: list[tuple[int, float]], t: float) -> bool:
        low = max(_length(self._at(wedge, term, t)) for term in near)
        return low < min(_length(self._at(wedge, term, t)) for term in far)

    def _at(self, wedge: Wedge, term: tuple[int, float], t: float) -> Place:
        """The place so many steps behind an edge, on the ray at the share `t` of a wedge."""
        number, behind = term
        if number == 0 or number > len(wedge.edges):
            x, y = _direction(wedge.start + t * (wedge.end - wedge.start))
            long = behind if number == 0 else self.far
            return x * long, y * long
        edge = wedge.edges[number - 1]
        corner = self._corner.get((edge, (wedge.first + int(t)) % len(self.bearings))) if t in (0, 1) else None
        x, y = corner or _meeting(edge, _direction(wedge.start + t * (wedge.end - wedge.start)))
        longer = 1 + behind / math.hypot(x, y) if behind else 1
        return x * longer, y * longer

    def _times(self, wedge: Wedge, term: tuple[int, float]) -> list[float]:
        """Shares of a wedge between which a curve is straight enough."""
        found = [0.0]
        to_do = [(0.5, 1.0), (0.0, 0.5)]
        while to_do:
            low, high = to_do.pop()
            middle = (low + high) / 2
            p, q, m = (self._at(wedge, term, t) for t in (low, high, middle))
            if low < middle < high and _off(p, q, m) > STRAIGHT_FROM_CURVE:
                to_do += [(middle, high), (low, middle)]
            else:
                found.append(high)
        return found

    def _switches(self, wedge: Wedge, terms: list[tuple[int, float]], times: list[float]) -> Iterator[float]:
        """Shares of a wedge where two boundaries cross."""
        for number, one in enumerate(terms):
            for other in terms[number + 1 :]:
                if one[0] == other[0]:
                    continue

                def gap(t: float, one: tuple[int, float] = one, other: tuple[int, float] = other) -> float:
                    return _length(self._at(wedge, one, t)) - _length(self._at(wedge, other, t))

                for low, high in pairwise(times):
                    if gap(low) * gap(high) < 0:
                        yield _root(gap, low, high)


def _root(gap: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that has different signs at two places is 0."""
    rising = gap(high) > 0
    while low < (middle := (low + high) / 2) < high:
        if (gap(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return high


def _joined(strips: list[tuple[str, Strip]]) -> list[tuple[str, Strip]]:
    """Strips of neighbouring wedges put together where they share a boundary that is no single place."""
    found: list[tuple[str, Strip]] = []
    open_ends: dict[tuple[str, Place, Place], tuple[str, Strip]] = {}
    for rule, (near, far) in strips:
        before = open_ends.pop((rule, near[0], far[0]), None) if near[0] != far[0] else None
        if before is not None:
            before[1][0].extend(near[1:])
            before[1][1].extend(far[1:])
            strip = before
        else:
            strip = (rule, (list(near), list(far)))
            found.append(strip)
        open_ends[rule, near[-1], far[-1]] = strip
    return found


def _length(place: Place) -> float:
    return math.hypot(*place)


def _turn(p: Place, q: Place) -> float:
    return p[0] * q[1] - p[1] * q[0]


def _angle(p: Place) -> float:
    angle = math.atan2(p[1], p[0]) % FULL_TURN
    return 0.0 if FULL_TURN - angle < SAME_BEARING else angle


def _direction(angle: float) -> Place:
    return math.cos(angle), math.sin(angle)


def _apart(angles: list[float]) -> list[float]:
    """Angles in order, without those that are the same as the one before."""
    found: list[float] = []
    for angle in sorted(angles):
        if not found or angle - found[-1] > SAME_BEARING:
            found.append(angle)
    return found


def _numbers(angles: list[float], bearings: list[float]) -> dict[float, int]:
    """The number of the bearing of each angle; both in order."""
    found: dict[float, int] = {}
    k = 0
    for angle in angles:
        while k + 1 < len(bearings) and bearings[k + 1] <= angle:
            k += 1
        found[angle] = k
    return found


def _meeting(edge: Edge, direction: Place) -> Place:
    """Where the line of an edge meets a ray."""
    (px, py), (qx, qy) = edge.p, edge.q
    ex, ey = qx - px, qy - py
    s = (px * ey - py * ex) / (direction[0] * ey - direction[1] * ex)
    return direction[0] * s, direction[1] * s


def _off(p: Place, q: Place, m: Place) -> float:
    """The distance of a place from the line through two others."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    long = math.hypot(dx, dy)
    return abs(dx * (m[1] - p[1]) - dy * (m[0] - p[0])) / long if long else math.dist(p, m)
