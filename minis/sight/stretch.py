"""One straight line between two points, and the stretches of it that lie on a shape: exact.

Along a line a place is the whole number or fraction `u` = (p - a) . (b - a), from 0 at its start to `long2` at its end;
`u / long` is the length in grid steps. Which side of the line a corner lies on is a whole number, so that a touch is a
touch. A `u` between 0 and `long2` is kept as a float that is 0 or `long2` only where the place is exactly that end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from minis.board.geometry import Box, Point, Ring, edges, point_to_segment

Span = tuple[float, float]


class Straight(NamedTuple):
    """A straight line from `a` to `b` on the grid; `long2` is the square of its length, `long` its length.

    `box` is the box around it.
    """

    a: Point
    b: Point
    dx: int
    dy: int
    long2: int
    long: float
    box: Box

    @staticmethod
    def between(a: Point, b: Point) -> Straight:
        """The line from a to b."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        long2 = dx * dx + dy * dy
        (ax, ay), (bx, by) = a, b
        box = (ax if ax < bx else bx, ay if ay < by else by, ax if ax > bx else bx, ay if ay > by else by)
        return Straight(a, b, dx, dy, long2, math.sqrt(long2), box)

    def at(self, u: float) -> tuple[float, float]:
        """The point at a place of the line, in grid steps."""
        if not self.long2:
            return float(self.a[0]), float(self.a[1])
        return self.a[0] + self.dx * u / self.long2, self.a[1] + self.dy * u / self.long2

    def sides(self, points: Sequence[Point]) -> list[int]:
        """For each point twice the area it spans with the line: positive left of it, 0 on it."""
        dx, dy = self.dx, self.dy
        start = dx * self.a[1] - dy * self.a[0]
        return [dx * y - dy * x - start for x, y in points]

    def along(self, p: Point) -> int:
        """The place of a point's foot on the line."""
        return self.dx * (p[0] - self.a[0]) + self.dy * (p[1] - self.a[1])

    def misses(self, box: Box, margin: float = 0.0) -> bool:
        """True where a box is farther than `margin` from the line: from all of it, or from the box around it."""
        left, low, right, high = box
        (ax, ay), _, dx, dy, _, long, (west, south, east, north) = self
        if right < west - margin or left > east + margin or high < south - margin or low > north + margin:
            return True
        turn = dx * (low + high - 2 * ay) - dy * (left + right - 2 * ax)
        reach = abs(dx) * (high - low) + abs(dy) * (right - left) + 2.0 * margin * long + 1.0
        return abs(turn) > reach

    def _place(self, p: Point, q: Point, sp: int, sq: int) -> float | None:
        """Where an edge whose ends lie on different sides crosses the line; None where that is past an end."""
        num, den = self.along(q) * sp - self.along(p) * sq, sp - sq
        if den < 0:
            num, den = -num, -den
        if num <= 0:
            return 0.0 if num == 0 else None
        last = den * self.long2
        if num >= last:
            return float(self.long2) if num == last else None
        return min(max(num / den, 5e-324), math.nextafter(self.long2, 0.0))


def spans_of_area(line: Straight, rings: Sequence[Ring], *, grazing: bool = True) -> list[Span]:
    """The stretches of a line that lie in a closed area, in order; a touched corner is a stretch without length (S5.3).

    Without `grazing` the area is taken as open: touches are left out, and stretches along its edge.

    >>> square = [((2, 0), (4, 0), (4, 2), (2, 2))]
    >>> spans_of_area(Straight.between((0, 1), (10, 1)), square)
    [(20.0, 40.0)]
    >>> spans_of_area(Straight.between((0, 2), (10, 2)), square)
    [(20.0, 40.0)]
    >>> spans_of_area(Straight.between((0, 3), (10, 3)), square)
    []
    >>> spans_of_area(Straight.between((0, 2), (10, 2)), square, grazing=False)
    []
    """
    if not line.long2:
        return []
    sides = [line.sides(ring) for ring in rings]
    if all(min(s) > 0 or max(s) < 0 for s in sides):
        return []
    if all(0 not in s for s in sides):
        return _inside(line, rings, sides, 1)
    left, right = _inside(line, rings, sides, 1), _inside(line, rings, sides, -1)
    if not grazing:
        return _common(left, right)
    return _merged([*left, *right, *_touches(line, rings, sides)])


def _inside(line: Straight, rings: Sequence[Ring], sides: list[list[int]], on_line: int) -> list[Span]:
    """Stretches inside an area when the line is thought moved off the corners that lie on it, to one side."""
    places: list[float] = []
    before = 0
    for ring, side in zip(rings, sides, strict=True):
        p, sp = ring[-1], side[-1]
        was_left = (sp or on_line) > 0
        for q, sq in zip(ring, side, strict=True):
            is_left = (sq or on_line) > 0
            if was_left != is_left:
                place = line._place(p, q, sp, sq)
                if place is not None:
                    places.append(place)
                elif _is_before(line, p, q, sp, sq):
                    before += 1
            p, sp, was_left = q, sq, is_left
    places.sort()
    if before % 2:
        places.insert(0, 0.0)
    if len(places) % 2:
        places.append(float(line.long2))
    return [(places[k], places[k + 1]) for k in range(0, len(places), 2)]


def _is_before(line: Straight, p: Point, q: Point, sp: int, sq: int) -> bool:
    num, den = line.along(q) * sp - line.along(p) * sq, sp - sq
    return (num < 0) == (den > 0)


def _touches(line: Straight, rings: Iterable[Ring], sides: list[list[int]]) -> list[Span]:
    """Corners on the line and edges along it, cut to the line."""
    found: list[Span] = []
    for ring, side in zip(rings, sides, strict=True):
        p, sp = ring[-1], side[-1]
        for q, sq in zip(ring, side, strict=True):
            if sq == 0:
                one, other = line.along(q), line.along(p) if sp == 0 else line.along(q)
                low, high = max(0, min(one, other)), min(line.long2, max(one, other))
                if low <= high:
                    found.append((float(low), float(high)))
            p, sp = q, sq
    return found


def _merged(spans: list[Span]) -> list[Span]:
    spans.sort()
    merged: list[Span] = []
    for low, high in spans:
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _common(one: list[Span], other: list[Span]) -> list[Span]:
    """The stretches with a length that two lists have in common."""
    shared = [(max(a, c), min(b, d)) for a, b in one for c, d in other]
    return _merged([(low, high) for low, high in shared if low < high])


def spans_of_path(line: Straight, segments: Sequence[tuple[Point, Point]], *, grazing: bool = True) -> list[Span]:
    """The places where a line meets the segments of a path, in order; a stretch along a segment is one span.

    Without `grazing` the path counts only where it goes through to the other side of the line.

    >>> spans_of_path(Straight.between((0, 0), (10, 0)), [((5, -1), (5, 1)), ((5, 1), (9, 1))])
    [(50.0, 50.0)]
    >>> bend = [((5, -1), (6, 0)), ((6, 0), (5, 1))], [((5, 1), (6, 0)), ((6, 0), (7, 1))]
    >>> [spans_of_path(Straight.between((0, 0), (10, 0)), path, grazing=False) for path in bend]
    [[(60.0, 60.0)], []]
    """
    if not line.long2:
        return []
    if not grazing:
        return _merged(_through(line, segments))
    found: list[Span] = []
    for p, q in segments:
        sp, sq = line.sides((p, q))
        if sp == 0 and sq == 0:
            one, other = line.along(p), line.along(q)
            low, high = max(0, min(one, other)), min(line.long2, max(one, other))
            if low <= high:
                found.append((float(low), float(high)))
        elif sp >= 0 >= sq or sq >= 0 >= sp:
            place = line._place(p, q, sp, sq)
            if place is not None:
                found.append((place, place))
    return _merged(found)


def _through(line: Straight, segments: Sequence[tuple[Point, Point]]) -> list[Span]:
    """The places where a path comes from one side of a line, lies on it perhaps, and leaves on the other."""
    found: list[Span] = []
    came = 0
    on_line: list[int] = []
    before: Point | None = None
    for p, q in segments:
        sp, sq = line.sides((p, q))
        if p != before:
            came, on_line = sp, [line.along(p)] if sp == 0 else []
        before = q
        if sq == 0:
            on_line.append(line.along(q))
            continue
        if came and (came > 0) != (sq > 0):
            place = line._place(p, q, sp, sq) if not on_line else None
            low, high = (min(on_line), max(on_line)) if on_line else (0, -1)
            if place is not None:
                found.append((place, place))
            elif max(0, low) <= min(line.long2, high):
                found.append((float(max(0, low)), float(min(line.long2, high))))
        came, on_line = sq, []
    return found


def without_ends(line: Straight, spans: list[Span]) -> list[Span]:
    """The stretches but for a contact at the line's own end point alone (S5.3)."""
    return [span for span in spans if not (span[0] == span[1] and span[0] in (0.0, line.long2))]


def extent(
    line: Straight, segments: Iterable[tuple[Point, Point]], low: float, high: float, enough: float = math.inf
) -> tuple[float, float]:
    """How far a shape reaches to the left and to the right of a line between two of its places, in grid steps.

    That far the line would have to be moved to the left, or to the right, to be free of it. Where it is more than
    `enough` on both sides the search stops there.

    >>> square = [((4, -1), (6, -1)), ((6, -1), (6, 3)), ((6, 3), (4, 3)), ((4, 3), (4, -1))]
    >>> extent(Straight.between((0, 0), (10, 0)), square, 40, 60)
    (3.0, 1.0)
    """
    left = right = 0.0
    (ax, ay), _, dx, dy, _, long, _ = line
    enough *= long
    for (px, py), (qx, qy) in segments:
        if left > enough < right:
            break
        up, uq = dx * (px - ax) + dy * (py - ay), dx * (qx - ax) + dy * (qy - ay)
        if (up < low and uq < low) or (up > high and uq > high):
            continue
        sp, sq = dx * (py - ay) - dy * (px - ax), dx * (qy - ay) - dy * (qx - ax)
        for u, s, other_u, other_s in ((up, sp, uq, sq), (uq, sq, up, sp)):
            cut = low if u < low else high if u > high else u
            reach = s if cut == u else s + (other_s - s) * (cut - u) / (other_u - u)
            if reach > left:
                left = reach
            elif -reach > right:
                right = -reach
    return left / long, right / long


def gap(line: Straight, rings: Iterable[tuple[Point, ...]], box: Box, *, start: float, limit: float) -> float:
    """The distance, in grid steps, from the part of a line behind the place `start` to a shape it does not meet.

    `rings` are the rings of an area or the one path of a line; `box` is the box around them. Infinite beyond `limit`.

    >>> square = ((4, 1), (6, 1), (6, 3), (4, 3))
    >>> gap(Straight.between((0, 0), (10, 0)), [square], (4, 1, 6, 3), start=0, limit=2)
    1.0
    """
    best = math.inf
    first, last = line.at(start), (float(line.b[0]), float(line.b[1]))
    near = [end for end in (first, last) if _near_box(end, box, limit)]
    for ring in rings:
        for point, s in zip(ring, line.sides(ring), strict=True):
            if start <= line.along(point) <= line.long2:
                best = min(best, abs(s) / line.long)
        for x, y in near:
            best = min(best, min(_to_segment(x, y, p, q) for p, q in pairwise(ring)))
            best = min(best, _to_segment(x, y, ring[-1], ring[0]) if len(ring) > 2 else math.inf)
    return best if best <= limit else math.inf


def _near_box(place: tuple[float, float], box: Box, limit: float) -> bool:
    left, low, right, high = box
    return left - limit <= place[0] <= right + limit and low - limit <= place[1] <= high + limit


def _to_segment(x: float, y: float, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    long2 = dx * dx + dy * dy
    t = ((x - a[0]) * dx + (y - a[1]) * dy) / long2 if long2 else 0.0
    t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
    return math.hypot(x - a[0] - t * dx, y - a[1] - t * dy)


def corners_near(line: Straight, rings: Iterable[Ring]) -> float:
    """The distance of the nearest corner that turns into an area and whose foot lies on the line, in grid steps."""
    best = math.inf
    for number, ring in enumerate(rings):
        turning = _turning(ring)
        for (p, q), (_, r) in zip(edges(ring), edges((*ring[1:], ring[0])), strict=True):
            turn = (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0])
            inward = (turn > 0) != (turning > 0) if number == 0 else (turn > 0) == (turning > 0)
            if inward and turn and 0 < line.along(q) < line.long2:
                best = min(best, point_to_segment(q, line.a, line.b))
    return best


def _turning(ring: Ring) -> int:
    return sum(p[0] * q[1] - p[1] * q[0] for p, q in edges(ring))
