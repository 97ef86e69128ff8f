"""Targets that touch a crest line, which are seen where the nearest point of that line is seen (S5.1, S7.6).

The band within the touch tolerance of a crest line is cut into strips, one for each straight stretch of it and one for
each corner that a place can be nearest to. What is seen right beside the line is seen of its points.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from minis.board.board import Board
from minis.board.terrain import Terrain
from minis.lengths import GRID
from minis.sight.region_shadow import QUARTER_CORNERS, areas_of, polygon_of
from minis.sight.standing import EPSILON

Spot = tuple[float, float]

BESIDE_IN = 1e-4
"""How near to a crest line a place is right beside it, in inches: one grid step is 1/8000."""


class Strip(NamedTuple):
    """The places nearest to one stretch or corner of a crest line, on one side; `beside` is what lies right at it."""

    area: BaseGeometry
    beside: BaseGeometry
    normal: Spot | None


def crest_strips(board: Board) -> list[Strip]:
    """The bands along crest lines in which a target touches them: of a contour on the hill, of a ridge on both sides.

    Empty where lines run between centres alone (the switch sight_points). What is seen right beside the line is taken
    for what is seen of its points: within twice the tolerance of a corner, of another stretch of crest line or of the
    edge of another obstacle the two may differ, for a target that only its nearest point of the line could show.
    """
    touch = (board.rules.switch_number("touch_tolerance") * GRID + EPSILON) / GRID
    if board.rules.switch("sight_points") != "all" or touch < 2 * BESIDE_IN:
        return []
    return [strip for piece in board.crests for strip in _strips(piece, touch)]


def seen_by_touch(strips: Sequence[Strip], seen: BaseGeometry, ground: BaseGeometry) -> BaseGeometry:
    """Of ground of one level, the places that are seen because the crest line they touch is seen there."""
    if not strips or not ground.area or not seen.area:
        return shapely.Polygon()
    shapely.prepare(ground)
    shapely.prepare(seen)
    areas = np.array([strip.area for strip in strips], dtype=object)
    hidden = [strips[int(k)] for k in np.flatnonzero(shapely.intersects(areas, ground) & ~shapely.covers(seen, areas))]
    shown = shapely.intersection(np.array([strip.beside for strip in hidden], dtype=object), seen)
    found = [shape for strip, part in zip(hidden, shown, strict=True) for shape in _across(strip, part)]
    return areas_of(shapely.intersection(shapely.union_all(found), ground)) if found else shapely.Polygon()


def _across(strip: Strip, shown: BaseGeometry) -> Iterator[BaseGeometry]:
    """The part of a strip that is straight across from what is shown beside the line."""
    if shown.is_empty:
        return
    if strip.normal is None:
        yield strip.area
        return
    nx, ny = strip.normal
    for part in shapely.get_parts(shown):
        if part.geom_type == "LineString":
            (px, py), (qx, qy) = part.coords[0], part.coords[-1]
            slab = [(px - nx, py - ny), (qx - nx, qy - ny), (qx + nx, qy + ny), (px + nx, py + ny)]
            yield areas_of(shapely.intersection(strip.area, shapely.Polygon(slab)))


def _strips(piece: Terrain, touch: float) -> Iterator[Strip]:
    hill = None if piece.line else polygon_of(piece.rings)
    for number, ring in enumerate([piece.line] if piece.line else piece.rings):
        points = [(x / GRID, y / GRID) for x, y in ring]
        if piece.line:
            turned: list[list[Spot]] = [points, points[::-1]]
        else:
            left = shapely.is_ccw(shapely.LinearRing(points)) == (number == 0)
            turned = [points if left else points[::-1]]
        for chain in turned:
            yield from _left_of(chain, touch, closed=not piece.line)
        yield from _at_corners(points, touch, hill)


def _left_of(chain: list[Spot], touch: float, *, closed: bool) -> Iterator[Strip]:
    """A strip left of each stretch of a line, cut where the next stretch is nearer."""
    pairs = list(zip(chain, chain[1:] + chain[:1], strict=True))[: None if closed else -1]
    ways = [_way(p, q) for p, q in pairs]
    sides = [_left_side(p, q, way, touch) for (p, q), way in zip(pairs, ways, strict=True)]
    for k, ((p, q), (dx, dy)) in enumerate(zip(pairs, ways, strict=True)):
        area = sides[k]
        reach = 2 * (math.dist(p, q) + touch)
        before, after = k - 1, (k + 1) % len(ways)
        if (closed or k > 0) and _turns_left(ways[before], (dx, dy)):
            nearer = _half_plane(p, ways[before], (dx, dy), (dx, dy), reach)
            area = shapely.difference(area, shapely.difference(sides[before], nearer))
        if (closed or after > 0) and _turns_left((dx, dy), ways[after]):
            nearer = _half_plane(q, (dx, dy), ways[after], (-dx, -dy), reach)
            area = shapely.difference(area, shapely.difference(sides[after], nearer))
        nx, ny = -dy * touch, dx * touch
        shift = BESIDE_IN / touch
        line = shapely.LineString([(x + nx * shift, y + ny * shift) for x, y in (p, q)])
        yield Strip(areas_of(area), line, (nx, ny))


def _left_side(p: Spot, q: Spot, way: Spot, touch: float) -> BaseGeometry:
    nx, ny = -way[1] * touch, way[0] * touch
    return shapely.Polygon([p, q, (q[0] + nx, q[1] + ny), (p[0] + nx, p[1] + ny)])


def _at_corners(points: list[Spot], touch: float, hill: BaseGeometry | None) -> Iterator[Strip]:
    """What is nearest to a corner of a crest line and to no stretch of it."""
    closed = hill is not None
    for k, corner in enumerate(points):
        round_it = shapely.buffer(shapely.Point(corner), touch, quad_segs=QUARTER_CORNERS)
        area = shapely.intersection(round_it, hill) if hill is not None else round_it
        near = shapely.buffer(shapely.Point(corner), 2 * BESIDE_IN)
        for other in (k - 1, k + 1):
            if closed or 0 <= other < len(points):
                end = points[other % len(points)]
                (dx, dy), long = _way(corner, end), math.dist(corner, end)
                nx, ny = -dy * 2 * touch, dx * 2 * touch
                far = (corner[0] + dx * long, corner[1] + dy * long)
                box = [(corner[0] + nx, corner[1] + ny), (far[0] + nx, far[1] + ny)]
                box += [(far[0] - nx, far[1] - ny), (corner[0] - nx, corner[1] - ny)]
                area = shapely.difference(area, shapely.Polygon(box))
        area = areas_of(area)
        if area.area > BESIDE_IN * BESIDE_IN:
            yield Strip(area, shapely.intersection(near, area), None)


def _way(p: Spot, q: Spot) -> Spot:
    long = math.dist(p, q)
    return (q[0] - p[0]) / long, (q[1] - p[1]) / long


def _turns_left(one: Spot, other: Spot) -> bool:
    return one[0] * other[1] - one[1] * other[0] > 0


def _half_plane(corner: Spot, one: Spot, other: Spot, toward: Spot, reach: float) -> BaseGeometry:
    """The places about a corner on the side of its bisector that a stretch goes to."""
    bx, by = other[0] - one[0], other[1] - one[1]
    long = math.hypot(bx, by)
    bx, by = bx / long * reach, by / long * reach
    kx, ky = (-by, bx) if toward[0] * -by + toward[1] * bx > 0 else (by, -bx)
    x, y = corner
    return shapely.Polygon([(x - bx, y - by), (x + bx, y + by), (x + bx + kx, y + by + ky), (x - bx + kx, y - by + ky)])
