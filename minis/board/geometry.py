"""Plane geometry in whole grid steps: shapes, exact predicates, and distances.

A point is a pair of whole numbers of 1/8000 inch. Predicates (inside, on the boundary, touching) are exact;
only lengths use square roots. A ring is a tuple of corners without the first repeated; an area is one outer
ring and its holes; a path is a tuple of at least two points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

Point = tuple[int, int]
Ring = tuple[Point, ...]
Box = tuple[int, int, int, int]

CIRCLE_CORNERS = 64
"""A circle is kept as a regular polygon of this many corners, the first due east."""


def round_away(value: float) -> int:
    """The nearest whole number, halves away from zero, so that a mirrored shape rounds to the mirrored number.

    >>> round_away(2.5), round_away(-2.5), round_away(0.4)
    (3, -3, 0)
    """
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def sin_cos(degrees: float) -> tuple[float, float]:
    """Sine and cosine that are exact copies of one another under quarter turns and mirrors.

    >>> sin_cos(90), sin_cos(450)[0], sin_cos(-30)[0] == -sin_cos(30)[0]
    ((1.0, 0.0), 1.0, True)
    """
    quarter, rest = divmod(degrees, 90.0)
    if rest <= 45.0:
        sine, cosine = math.sin(math.radians(rest)), math.cos(math.radians(rest))
    else:
        sine, cosine = math.cos(math.radians(90.0 - rest)), math.sin(math.radians(90.0 - rest))
    turned = ((sine, cosine), (cosine, -sine), (-sine, -cosine), (-cosine, sine))
    sine, cosine = turned[int(quarter) % 4]
    return sine + 0.0, cosine + 0.0


def box_ring(x0: int, y0: int, x1: int, y1: int) -> Ring:
    """The ring of a box, counterclockwise from its lower left corner."""
    left, right, low, high = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    return ((left, low), (right, low), (right, high), (left, high))


def circle_ring(centre: Point, radius: float) -> Ring:
    """The ring of a circle: 64 corners on the grid, the first due east.

    >>> ring = circle_ring((0, 0), 8000)
    >>> len(ring), ring[0], ring[16], ring[8] == (-ring[24][0], ring[24][1])
    (64, (8000, 0), (0, 8000), True)
    """
    corners = []
    for k in range(CIRCLE_CORNERS):
        sine, cosine = sin_cos(k * 360.0 / CIRCLE_CORNERS)
        corners.append((centre[0] + round_away(radius * cosine), centre[1] + round_away(radius * sine)))
    return tuple(corners)


def base_ring(centre: Point, length: float, width: float, facing: float) -> Ring:
    """The corners of a base: front left, front right, rear right, rear left; a point where it has no size.

    `length` (along the facing) and `width` are grid steps, `facing` degrees clockwise from north.

    >>> base_ring((0, 0), 200, 100, 90)
    ((100, 50), (100, -50), (-100, -50), (-100, 50))
    >>> base_ring((5, 6), 0, 0, 45)
    ((5, 6),)
    """
    if not length and not width:
        return (centre,)
    sine, cosine = sin_cos(facing)
    corners = []
    for ahead, right in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
        along, across = ahead * length / 2, right * width / 2
        x, y = along * sine + across * cosine, along * cosine - across * sine
        corners.append((centre[0] + round_away(x), centre[1] + round_away(y)))
    return tuple(corners)


def box_of(points: Iterable[Point]) -> Box:
    """The smallest box around some points: least x, least y, greatest x, greatest y."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def edges(ring: Ring) -> Iterator[tuple[Point, Point]]:
    """The edges of a ring, the closing one included; of a single point, the point to itself."""
    return pairwise((*ring, ring[0]))


def side(a: Point, b: Point, p: Point) -> int:
    """Positive where p lies left of the line from a to b, negative right of it, 0 on it: exact."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def locate(p: Point, rings: Sequence[Ring]) -> int:
    """1 where a point lies strictly inside an area, 0 on its boundary, -1 outside: exact.

    >>> square = [((0, 0), (4, 0), (4, 4), (0, 4))]
    >>> locate((2, 2), square), locate((4, 2), square), locate((5, 2), square)
    (1, 0, -1)
    """
    x, y = p
    inside = False
    for ring in rings:
        x0, y0 = ring[-1]
        for x1, y1 in ring:
            if (y0 > y) != (y1 > y):
                turn = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
                if turn == 0:
                    return 0
                if (turn > 0) == (y1 > y0):
                    inside = not inside
            elif y0 == y == y1:
                if min(x0, x1) <= x <= max(x0, x1):
                    return 0
            elif (x0 == x and y0 == y) or (x1 == x and y1 == y):
                return 0
            x0, y0 = x1, y1
    return 1 if inside else -1


def segments_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """True where two closed segments have a point in common: exact.

    >>> segments_meet((0, 0), (4, 4), (4, 0), (0, 4)), segments_meet((0, 0), (1, 1), (2, 2), (3, 3))
    (True, False)
    """
    turns = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    if _apart(turns[0], turns[1]) or _apart(turns[2], turns[3]):
        return False
    if turns[0] or turns[1] or turns[2] or turns[3]:
        return True
    return (
        max(min(a[0], b[0]), min(c[0], d[0])) <= min(max(a[0], b[0]), max(c[0], d[0]))
        and max(min(a[1], b[1]), min(c[1], d[1])) <= min(max(a[1], b[1]), max(c[1], d[1]))
    )  # fmt: skip


def _apart(one: int, other: int) -> bool:
    return (one > 0 and other > 0) or (one < 0 and other < 0)


def nearest_on_segment(p: Point, a: Point, b: Point) -> tuple[float, float]:
    """The point of a segment nearest to p, as floats."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / long if long else 0.0
    t = min(1.0, max(0.0, t))
    return a[0] + t * dx, a[1] + t * dy


def point_to_segment(p: Point, a: Point, b: Point) -> float:
    """The distance of a point from a closed segment, in grid steps."""
    x, y = nearest_on_segment(p, a, b)
    return math.hypot(p[0] - x, p[1] - y)


def segment_to_segment(a: Point, b: Point, c: Point, d: Point) -> float:
    """The distance of two closed segments, in grid steps; 0 exactly where they meet."""
    if segments_meet(a, b, c, d):
        return 0.0
    ends = (point_to_segment(a, c, d), point_to_segment(b, c, d), point_to_segment(c, a, b), point_to_segment(d, a, b))
    return min(ends)


def base_to_base(one: Ring, other: Ring) -> float:
    """The shortest distance between two bases, edge to edge, in grid steps; 0 where they touch (S1.3).

    >>> base_to_base(base_ring((0, 0), 2, 2, 0), base_ring((10, 0), 2, 2, 0))
    8.0
    """
    if (len(one) > 2 and locate(other[0], [one]) >= 0) or (len(other) > 2 and locate(one[0], [other]) >= 0):
        return 0.0
    sides, other_sides = tuple(edges(one)), tuple(edges(other))
    if _boxes_meet(box_of(one), box_of(other)) and any(segments_meet(*s, *t) for s in sides for t in other_sides):
        return 0.0
    return min(
        min(point_to_segment(p, a, b) for p in other for a, b in sides),
        min(point_to_segment(p, a, b) for p in one for a, b in other_sides),
    )


def _boxes_meet(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def base_to_segment(base: Ring, c: Point, d: Point) -> float:
    """The distance of a base (its area, not its outline alone) from a segment, in grid steps."""
    if len(base) > 2 and locate(c, [base]) >= 0:
        return 0.0
    return min(segment_to_segment(a, b, c, d) for a, b in edges(base))


def is_on_segment(p: Point, a: Point, b: Point) -> bool:
    """True where a point lies on a closed segment: exact."""
    return (
        side(a, b, p) == 0 and min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])
    )


def bearing(a: Point, b: Point) -> float | None:
    """Degrees clockwise from north of the way from a to b; None where they are one point.

    >>> bearing((0, 0), (5, 0)), bearing((0, 0), (-5, -5)), bearing((1, 1), (1, 1))
    (90.0, 225.0, None)
    """
    if a == b:
        return None
    return math.degrees(math.atan2(b[0] - a[0], b[1] - a[1])) % 360.0
