"""What one obstacle hides of ground of one level from one point, as shapes in inches: straight and curved edges exact.

Its edges are cut where something begins or ends to be true of them, and the rules are asked wedge by wedge
(`minis.sight.region_rules`). What depends on how near a target is to a line, not along the ray, is cut out as a shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import shapely
from shapely.geometry.base import BaseGeometry

from minis.board.geometry import Point, base_to_segment
from minis.board.units import Unit
from minis.lengths import GRID
from minis.sight.meeting import base_to_place
from minis.sight.region_fan import Edge, Fan
from minis.sight.region_rules import Look, hidden_by, look_of
from minis.sight.scene import Obstacle, Scene
from minis.sight.standing import EPSILON, Standing

SNAP_IN = 1e-6
"""Corners of regions are put on a grid of this many inches, so that what fits together leaves no slivers."""

QUARTER_CORNERS = 64
"""Corners in a quarter of a circle that is drawn: those of woods (3") are then true to 1/4000 inch."""

SAME_SHARE = 1e-9
"""Two places on an edge closer than this share of it are one."""


def polygon_of(rings: Sequence[Sequence[tuple[float, float]]]) -> BaseGeometry:
    """An area in inches of rings in grid steps, the first its outer one."""
    outer, *holes = [[(x / GRID, y / GRID) for x, y in ring] for ring in rings]
    return shapely.Polygon(outer, holes)


def shadows(
    scene: Scene, standing: Standing, at: Point, obstacle: Obstacle, level: int, category: int, ground: BaseGeometry
) -> Iterator[tuple[str, BaseGeometry]]:
    """What an obstacle hides from a point of the viewer, by its rules, in inches.

    It is right on `ground`, some ground of one level; what it hides elsewhere is not worked out.
    """
    size = category if standing.level >= level else _own_size(scene, standing.unit)
    look = look_of(scene, standing, at, obstacle, level, size)
    if _is_idle(look, ground):
        return
    if obstacle.form == "hedgerow":
        stretches = [[s] for s in obstacle.segments if s not in standing.against]
    elif obstacle.form == "ridge":
        stretches = [[s] for s in obstacle.segments]
    else:
        stretches = [list(obstacle.segments)]
    found: dict[str, list[BaseGeometry]] = {}
    for segments in stretches:
        for rule, shape in _of_edges(look, segments):
            if obstacle.form == "hedgerow":
                shape = shape.difference(_around(segments[0], look.touch))
            found.setdefault(rule, []).append(shape)
    for rule, shapes in found.items():
        shape = shapes[0] if len(shapes) == 1 else shapely.union_all(shapes)
        if obstacle.piece is not None and obstacle.piece.kind.own == "depth" and look.is_inside:
            shape = shape.difference(_same_woods(look))
        yield rule, areas_of(shape)


def _is_idle(look: Look, ground: BaseGeometry) -> bool:
    """True where an obstacle surely hides nothing of some ground: too low, or too far for its shadow to reach."""
    obstacle = look.obstacle
    in_woods = obstacle.piece is not None and obstacle.piece.kind.own == "depth"
    if look.below:
        return not in_woods
    if look.reach < 0:
        return True
    if not look.from_above or look.reach == math.inf or in_woods:
        return False
    west, south, east, north = (value / GRID for value in obstacle.box)
    left, low, right, high = ground.bounds
    reach = look.reach / GRID
    return west - reach > right or east + reach < left or south - reach > high or north + reach < low


def areas_of(shape: BaseGeometry) -> BaseGeometry:
    """A shape without its lines and points."""
    if shape.geom_type in ("Polygon", "MultiPolygon"):
        return shape
    parts = [part for part in shapely.get_parts(shapely.get_parts(shape)) if part.geom_type == "Polygon"]
    return shapely.union_all(parts) if parts else shapely.Polygon()


def _of_edges(look: Look, segments: Sequence[tuple[Point, Point]]) -> Iterator[tuple[str, BaseGeometry]]:
    board = look.scene.board
    far = math.hypot(board.width_in, board.depth_in) * GRID + GRID
    far = max([far, *(2 * math.dist(look.at, p) for segment in segments for p in segment)])
    fan = Fan((piece for p, q in segments for piece in _pieces(look, p, q)), far)
    x, y = look.at
    for rule, rings in fan.shapes(hidden_by(look)).items():
        shapes: list[BaseGeometry] = [
            shapely.Polygon([((u + x) / GRID, (v + y) / GRID) for u, v in ring]) for ring in rings
        ]
        shapes = [shape if shape.is_valid else areas_of(shapely.make_valid(shape)) for shape in shapes]
        whole = shapes[0] if len(shapes) == 1 else shapely.union_all(shapes)
        if whole.area:
            yield rule, whole


def _own_size(scene: Scene, unit: Unit) -> int:
    counts_as = unit.kind.counts_as
    return unit.size.category if counts_as == "own" else scene.board.rules.sizes[counts_as].category


def _around(segment: tuple[Point, Point], reach: float) -> BaseGeometry:
    (px, py), (qx, qy) = segment
    line = shapely.LineString([(px / GRID, py / GRID), (qx / GRID, qy / GRID)])
    return shapely.buffer(line, reach / GRID, quad_segs=QUARTER_CORNERS)


def _same_woods(look: Look) -> BaseGeometry:
    """Where a target in the same woods is near enough to be seen (S6.10)."""
    unit = look.standing.unit
    centre = look.scene.board.rules.switch("measure") == "centre" or unit.is_point
    corners = [(x / GRID, y / GRID) for x, y in ((unit.at,) if centre else unit.base)]
    base = shapely.MultiPoint(corners).convex_hull
    near = shapely.buffer(base, (look.scene.settings.woods_apart + EPSILON) / GRID, quad_segs=QUARTER_CORNERS)
    return shapely.intersection(near, polygon_of(look.obstacle.rings))


# --- edges cut where something begins or ends to be true of them ------------------------------------------------------


def _pieces(look: Look, p: Point, q: Point) -> Iterator[Edge]:
    """An edge as pieces of which one thing is true: near the viewer or not, touched by its base or not."""
    (ax, ay), settings = look.at, look.scene.settings
    start, end = (float(p[0] - ax), float(p[1] - ay)), (float(q[0] - ax), float(q[1] - ay))
    if start[0] * end[1] == start[1] * end[0]:
        return  # seen end on: nothing lies behind it
    near = look.reach if math.isfinite(look.reach) and not look.from_above else None
    in_woods = look.obstacle.piece is not None and look.obstacle.piece.kind.own == "depth" and look.is_inside
    shallow = settings.woods_depth + EPSILON if in_woods else None
    cuts = {0.0, 1.0}
    for radius in (near, shallow):
        cuts |= set(_on_circle(start, end, radius)) if radius else set()
    touched = _touched(look, p, q)
    cuts |= set(touched)
    ordered = sorted(cuts)
    places = [start, *(_between(start, end, t) for t in ordered[1:-1]), end]
    for (one, other), (low, high) in zip(pairwise(places), pairwise(ordered), strict=True):
        t = (low + high) / 2
        away = math.hypot(*_between(start, end, t))
        yield Edge(
            one,
            other,
            touched=bool(touched) and touched[0] < t < touched[1],
            near=near is not None and away <= near,
            shallow=shallow is not None and away <= shallow,
        )


def _between(p: tuple[float, float], q: tuple[float, float], t: float) -> tuple[float, float]:
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])


def _on_circle(p: tuple[float, float], q: tuple[float, float], radius: float) -> Iterator[float]:
    """Where on a segment, 0 to 1, it crosses a circle around the origin."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    a, half_b, c = dx * dx + dy * dy, p[0] * dx + p[1] * dy, p[0] * p[0] + p[1] * p[1] - radius * radius
    root = half_b * half_b - a * c
    if a and root > 0:
        for t in ((-half_b - math.sqrt(root)) / a, (-half_b + math.sqrt(root)) / a):
            if 0 < t < 1:
                yield t


def _touched(look: Look, p: Point, q: Point) -> tuple[float, ...]:
    """From where to where on a crest line the viewer's base touches it, 0 to 1 (S7.6); empty where it does not."""
    crest = look.obstacle.form in ("contour", "ridge")
    base = look.standing.unit.base
    if not crest or look.obstacle.id not in look.standing.touching or base_to_segment(base, p, q) > look.touch:
        return ()

    def past(t: float) -> float:
        return base_to_place(base, _between(p, q, t)) - look.touch

    nearest = _least(past)
    if past(nearest) > 0:
        return ()
    return tuple(end if past(end) <= 0 else _edge(past, nearest, end) for end in (0.0, 1.0))


def _least(value: Callable[[float], float]) -> float:
    """Where on 0 to 1 a function without a dip of its own besides the one is least: by thirds."""
    low, high = 0.0, 1.0
    while high - low > SAME_SHARE:
        left, right = (2 * low + high) / 3, (low + 2 * high) / 3
        if value(left) <= value(right):
            high = right
        else:
            low = left
    return low


def _edge(value: Callable[[float], float], inside: float, outside: float) -> float:
    """Where a function turns positive between a place where it is not and one where it is."""
    while abs(outside - inside) > SAME_SHARE:
        middle = (inside + outside) / 2
        if value(middle) <= 0:
            inside = middle
        else:
            outside = middle
    return inside
