"""Where a vehicle that faces a viewer stands hull down to it: bands along crest lines and walls (S9.2, S9.3, F8.2).

The plane around the viewer is gone through bearing by bearing. On each, a vehicle is moved along the ray with its front
towards the viewer, and the stretches where its front stands so that it is hull down (II) are found as whole intervals;
those of neighbouring bearings make up a band.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import shapely
from shapely.geometry.base import BaseGeometry

from minis.board.board import Board
from minis.board.terrain import Terrain
from minis.board.units import Unit
from minis.errors import bad
from minis.lengths import GRID, to_grid
from minis.sight.region import Place, ground_levels, standing_of, table_of
from minis.sight.region_intervals import Interval, common, less, merged, moved
from minis.sight.region_shadow import QUARTER_CORNERS, SNAP_IN, areas_of, polygon_of
from minis.sight.scene import Scene
from minis.sight.standing import EPSILON, Standing, front_over

BEARING_STEP_IN = 1 / 2**4
"""How far apart two bearings are at the far side of a crest line or wall, in inches: bands are straight in between."""

ENDS_STEP_IN = 1 / 2**7
"""The same where a band begins, ends or jumps."""

STEEP = 2**3
"""A band whose edge runs away from the viewer this many times faster than across is taken to jump."""

SEARCH_STEPS = 2**3
"""Halvings of a search for the place where a front is too far over a ridge: to 1/200 inch."""


_Ray = tuple[float, list[Interval]]


@dataclass(frozen=True, eq=False)
class HullDownBand:
    """Where the centre of a vehicle is for it to be hull down (II) at a crest line or wall, in inches."""

    polygon: BaseGeometry
    by: str
    rule: str


@dataclass(frozen=True)
class _Vehicle:
    """A vehicle that faces a viewer at `eye`; lengths in inches, `reach` that of a crossing close by its base."""

    eye: tuple[float, float]
    length: float
    width: float
    touch: float
    far: float

    @property
    def reach(self) -> float:
        return max(self.length, self.width, self.touch)


def hull_down_region(scene: Scene, viewer: Unit | Place, length_in: float, width_in: float) -> tuple[HullDownBand, ...]:
    """The bands where a vehicle with a base of these sides that faces a viewer is hull down (II) to it, by what.

    It does not say whether the viewer sees the place, nor whether there is room for the vehicle. On a bearing bands are
    as exact as the rules; between two bearings, 1/16" apart at the most, they are drawn straight. Raises BadInput for a
    base without sides or a place off the table.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> bands = hull_down_region(scene, Place(60, 40), 2.4, 1.2)
    >>> "hill-high" in {band.by for band in bands}, "grain" in {band.by for band in bands}
    (True, False)
    """
    for side in (length_in, width_in):
        if not (math.isfinite(side) and side > 0):
            raise bad(f"expected a base with sides in inches, not {side!r}", file=scene.board.name)
    board = scene.board
    standing = standing_of(scene, viewer)
    touch = (board.rules.switch_number("touch_tolerance") * GRID + EPSILON) / GRID
    x, y = standing.unit.at
    far = 2 * math.hypot(board.width_in, board.depth_in)
    vehicle = _Vehicle((x / GRID, y / GRID), length_in, width_in, touch, far)
    found = []
    for piece in sorted(board.terrain, key=lambda piece: piece.id):
        stands = _stands(board, standing, piece, vehicle)
        if stands is None:
            continue
        where, on, rule = stands
        band = areas_of(shapely.intersection(_band(vehicle, piece, where), on, grid_size=SNAP_IN))
        if band.area:
            found.append(HullDownBand(band, piece.id, rule))
    return tuple(found)


Stands = Callable[[float, BaseGeometry, BaseGeometry], list[Interval]]
"""The intervals of the front's distance on a bearing, of the bearing, the ray and the strip that the vehicle sweeps."""


def _stands(
    board: Board, standing: Standing, piece: Terrain, vehicle: _Vehicle
) -> tuple[Stands, BaseGeometry, str] | None:
    """How a vehicle stands hull down at a piece, on which ground, and by which rule; None where it never does."""
    if piece.is_crest:
        if standing.level > piece.level:
            return None
        stands = _at_ridge(board, piece, vehicle) if piece.line else _at_contour(piece, vehicle)
        return stands, table_of(board), "S9.2"
    if not piece.kind.hull_down:
        return None
    high = [ground for level, ground in ground_levels(board).items() if level >= standing.level]
    on = areas_of(shapely.union_all(high))
    line = shapely.LineString([(x / GRID, y / GRID) for x, y in piece.line])
    if shapely.distance(line, on) > vehicle.length + vehicle.width:
        return None
    return _at_wall(piece, vehicle), on, "F8.2"


def _at_contour(piece: Terrain, vehicle: _Vehicle) -> Stands:
    """The front touches the rim and is nowhere over it by more than the touch; centre and rear are on the hill."""
    hill = polygon_of(piece.rings)
    grown, shrunk = (shapely.buffer(hill, way * vehicle.touch, quad_segs=QUARTER_CORNERS) for way in (1, -1))
    rim = shapely.boundary(hill)

    def where(bearing: float, ray: BaseGeometry, strip: BaseGeometry) -> list[Interval]:
        touching = _along(vehicle, bearing, shapely.difference(strip, shrunk))
        over = _along(vehicle, bearing, shapely.difference(strip, grown))
        on_hill = _along(vehicle, bearing, shapely.intersection(ray, hill))
        crossed = _near_crossings(vehicle, bearing, shapely.intersection(ray, rim), vehicle.length)
        centre, rear = (moved(on_hill, -back, -back) for back in (vehicle.length / 2, vehicle.length))
        return common(common(common(less(touching, over), crossed), centre), rear)

    return where


def _at_ridge(board: Board, piece: Terrain, vehicle: _Vehicle) -> Stands:
    """The front touches the ridge and is nowhere over it by more than the touch."""
    path = shapely.LineString([(x / GRID, y / GRID) for x, y in piece.line])
    band = shapely.buffer(path, vehicle.touch, quad_segs=QUARTER_CORNERS)
    kind, size = board.rules.unit_kinds["vehicle"], next(iter(board.rules.sizes.values()))
    unit = Unit("\0vehicle", "", kind, size, (0, 0), vehicle.length, vehicle.width)

    def is_over(bearing: float, front: float) -> bool:
        """True where the front is too far over the ridge."""
        x, y = _on_ray(vehicle, bearing, front + vehicle.length / 2)
        facing = math.degrees(math.atan2(vehicle.eye[0] - x, vehicle.eye[1] - y))
        vehicle_there = replace(unit, at=(to_grid(x), to_grid(y)), facing=facing)
        return front_over(vehicle_there, piece) > vehicle.touch * GRID

    def where(bearing: float, ray: BaseGeometry, strip: BaseGeometry) -> list[Interval]:
        crossed = _near_crossings(vehicle, bearing, shapely.intersection(ray, path), vehicle.length)
        touching = common(_along(vehicle, bearing, shapely.intersection(strip, band)), crossed) if crossed else []
        found = []
        for low, high in touching:
            if is_over(bearing, high):
                continue
            if is_over(bearing, low):
                low = _first_clear(lambda front: is_over(bearing, front), low, high)
            found.append((low, high))
        return found

    return where


def _at_wall(piece: Terrain, vehicle: _Vehicle) -> Stands:
    """The base touches the wall, and the line to its centre crosses it."""
    path = shapely.LineString([(x / GRID, y / GRID) for x, y in piece.line])
    band = shapely.buffer(path, vehicle.touch, quad_segs=QUARTER_CORNERS)

    def where(bearing: float, ray: BaseGeometry, strip: BaseGeometry) -> list[Interval]:
        touching = moved(_along(vehicle, bearing, shapely.intersection(strip, band)), -vehicle.length, 0)
        crossed = _near_crossings(vehicle, bearing, shapely.intersection(ray, path), vehicle.length / 2)
        return common(merged(touching), crossed)

    return where


def _first_clear(is_over: Callable[[float], bool], low: float, high: float) -> float:
    """Between a front that is over and one that is not, the first that is not."""
    for _ in range(SEARCH_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_over(middle) else (low, middle)
    return high


# --- bearings ---------------------------------------------------------------------------------------------------------


def _band(vehicle: _Vehicle, piece: Terrain, where: Stands) -> BaseGeometry:
    """The quadrilaterals between the intervals of neighbouring bearings, put together."""
    shapes: list[BaseGeometry] = []
    bearings = _bearings(vehicle, piece)
    step = (bearings[1] - bearings[0]) * ENDS_STEP_IN / BEARING_STEP_IN
    rays = [(bearing, _stretches(vehicle, bearing, where)) for bearing in bearings]
    refined = (pair for pair in pairwise(rays) for pair in _refined(vehicle, where, *pair, step))
    for (one, before), (other, after) in refined:
        for low, high in before:
            for other_low, other_high in after:
                if low <= other_high and other_low <= high:
                    back = vehicle.length / 2
                    ring = [_on_ray(vehicle, one, low + back), _on_ray(vehicle, one, high + back)]
                    ring += [_on_ray(vehicle, other, other_high + back), _on_ray(vehicle, other, other_low + back)]
                    shapes.append(shapely.Polygon(ring))
    shapes = [shape for shape in shapes if shape.is_valid]
    return shapely.union_all(shapes, grid_size=SNAP_IN) if shapes else shapely.Polygon()


def _refined(vehicle: _Vehicle, where: Stands, one: _Ray, other: _Ray, step: float) -> Iterator[tuple[_Ray, _Ray]]:
    """Two neighbouring bearings, or more in between where the intervals of the two do not go together."""
    far = max((high for _, ends in (one, other) for _, high in ends), default=0.0)
    loose = STEEP * (other[0] - one[0]) * (far + vehicle.length)
    fits = len(one[1]) == len(other[1]) and all(
        abs(a - b) <= loose for ends in zip(one[1], other[1], strict=True) for a, b in zip(*ends, strict=True)
    )
    if fits or other[0] - one[0] <= step:
        yield one, other
        return
    bearing = (one[0] + other[0]) / 2
    middle = (bearing, _stretches(vehicle, bearing, where))
    yield from _refined(vehicle, where, one, middle, step)
    yield from _refined(vehicle, where, middle, other, step)


def _bearings(vehicle: _Vehicle, piece: Terrain) -> list[float]:
    """Bearings from the viewer over a piece, in radians from east, close enough together at its far side."""
    x, y = vehicle.eye
    corners = [(u / GRID - x, v / GRID - y) for u, v in (piece.line or piece.rings[0])]
    farthest = max(math.hypot(*corner) for corner in corners)
    if piece.rings and polygon_of(piece.rings).covers(shapely.Point(x, y)):
        first, last = 0.0, math.tau
    else:
        middle = math.atan2(corners[0][1], corners[0][0])
        turned = [middle]
        for u, v in corners:
            turned.append(turned[-1] + math.remainder(math.atan2(v, u) - turned[-1], math.tau))
        first, last = min(turned), max(turned)
    steps = max(1, math.ceil((last - first) * farthest / BEARING_STEP_IN))
    return [first + (last - first) * k / steps for k in range(steps + 1)]


def _stretches(vehicle: _Vehicle, bearing: float, where: Stands) -> list[Interval]:
    (x, y), (u, v) = vehicle.eye, (math.cos(bearing), math.sin(bearing))
    half = vehicle.width / 2
    far = (x + u * vehicle.far, y + v * vehicle.far)
    corners = [(x - v * half, y + u * half), (far[0] - v * half, far[1] + u * half)]
    corners += [(far[0] + v * half, far[1] - u * half), (x + v * half, y - u * half)]
    found = where(bearing, shapely.LineString([(x, y), far]), shapely.Polygon(corners))
    return [(max(0.0, low), high) for low, high in found if high > 0]


def _on_ray(vehicle: _Vehicle, bearing: float, away: float) -> tuple[float, float]:
    return vehicle.eye[0] + math.cos(bearing) * away, vehicle.eye[1] + math.sin(bearing) * away


def _along(vehicle: _Vehicle, bearing: float, shape: BaseGeometry) -> list[Interval]:
    """From where to where each part of a shape reaches along a bearing."""
    (x, y), (u, v) = vehicle.eye, (math.cos(bearing), math.sin(bearing))
    found = []
    for part in shapely.get_parts(shape):
        if not part.is_empty:
            places = (shapely.get_coordinates(part) - (x, y)) @ (u, v)
            found.append((float(places.min()), float(places.max())))
    return merged(found)


def _near_crossings(vehicle: _Vehicle, bearing: float, crossed: BaseGeometry, back: float) -> list[Interval]:
    """Where the front may be for a crossing of the ray no farther behind it than `back` to be close by the base."""
    return merged(moved(_along(vehicle, bearing, crossed), -back, vehicle.reach))
