"""Cutting to a box on the grid: areas, lines and boxes; what lies inside stays as it is to the last step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor

from minis.board.geometry import Box, Point, Ring, box_of, is_on_segment
from minis.board.terrain import without_straight_corners

Area = tuple[Ring, ...]
"""The outer ring of an area and its holes."""


def is_inside(points: Sequence[Point], box: Box) -> bool:
    """True where all points lie in a box or on its edge.

    >>> is_inside([(0, 0), (4, 4)], (0, 0, 4, 4)), is_inside([(5, 0)], (0, 0, 4, 4))
    (True, False)
    """
    left, low, right, high = box_of(points)
    return box[0] <= left and box[1] <= low and right <= box[2] and high <= box[3]


def cut_area(area: Area, box: Box) -> list[Area]:
    """The parts of an area that lie in a box, from west to east; corners that the cut makes are rounded to the grid.

    >>> cut_area((((0, 0), (9, 0), (9, 4), (0, 4)),), (5, 1, 20, 20))
    [(((5, 1), (9, 1), (9, 4), (5, 4)),)]
    """
    if is_inside(area[0], box):
        return [area]
    import shapely

    found = shapely.intersection(shapely.Polygon(area[0], area[1:]), shapely.box(*box), grid_size=1)
    parts = [part for part in shapely.get_parts(found).tolist() if part.geom_type == "Polygon" and part.area > 0]
    return sorted(
        (_ring(part.exterior.coords), *sorted(_ring(hole.coords) for hole in part.interiors)) for part in parts
    )


def _ring(coordinates: Sequence[tuple[float, float]]) -> Ring:
    """A ring of shapely as one of ours: counterclockwise from its lowest western corner."""
    ring = without_straight_corners(tuple((round(x), round(y)) for x, y, *_ in coordinates[:-1]), closed=True)
    twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise((*ring, ring[0])))
    ring = ring if twice > 0 else ring[::-1]
    first = ring.index(min(ring))
    return ring[first:] + ring[:first]


def cut_line(line: Sequence[Point], box: Box) -> list[tuple[Point, ...]]:
    """The parts of a line that lie in a box, in the order of the line; its ends there are rounded to the grid.

    >>> cut_line([(0, 0), (10, 0), (10, 10), (0, 10)], (-1, -1, 5, 20))
    [((0, 0), (5, 0)), ((5, 10), (0, 10))]
    """
    parts: list[list[Point]] = []
    last: Point | None = None
    for a, b in pairwise(line):
        piece = _within(a, b, box)
        if piece is None:
            last = None
            continue
        start, end = piece
        if last != start or not parts:
            parts.append([start])
        parts[-1].append(end)
        last = end if end == b else None
    cut = [without_straight_corners(tuple(part), closed=False) for part in parts]
    return [part for part in cut if len(part) > 1]


def _within(a: Point, b: Point, box: Box) -> tuple[Point, Point] | None:
    """The part of a stretch in a box; None where there is none, or a single point."""
    begin, end = Fraction(0), Fraction(1)
    for axis in (0, 1):
        way = b[axis] - a[axis]
        low, high = box[axis] - a[axis], box[axis + 2] - a[axis]
        if way == 0:
            if not low <= 0 <= high:
                return None
            continue
        first, second = sorted((Fraction(low, way), Fraction(high, way)))
        begin, end = max(begin, first), min(end, second)
    return (_at(a, b, begin), _at(a, b, end)) if begin < end else None


def _at(a: Point, b: Point, share: Fraction) -> Point:
    x, y = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return floor(x + Fraction(1, 2)), floor(y + Fraction(1, 2))


def with_corners_of(ring: Ring, line: Sequence[Point]) -> Ring:
    """A ring with those corners of a line that lie on it as corners of its own, so that both are cut alike.

    >>> with_corners_of(((0, 0), (8, 0), (8, 8)), [(2, 0), (6, 0), (7, 3)])
    ((0, 0), (2, 0), (6, 0), (8, 0), (8, 8))
    """

    def corners() -> Iterator[Point]:
        for a, b in pairwise((*ring, ring[0])):
            yield a
            on = {p for p in line if p not in (a, b) and is_on_segment(p, a, b)}
            yield from sorted(on, key=lambda p: abs(p[0] - a[0]) + abs(p[1] - a[1]))

    return tuple(corners())
