"""Where a unit stands: its level, the hills it is on, what it is in and against, its sight points (S5.1, S7.7)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from minis.board.board import Board
from minis.board.checks import building_under
from minis.board.geometry import (
    Box,
    Point,
    base_to_segment,
    box_of,
    is_on_segment,
    locate,
    nearest_on_segment,
    point_to_segment,
    round_away,
    segment_to_segment,
    segments_meet,
)
from minis.board.terrain import Terrain
from minis.board.units import Unit
from minis.lengths import EPSILON_IN, GRID

EPSILON = EPSILON_IN * GRID
"""Two lengths in grid steps that are closer than this are the same length."""


@dataclass(frozen=True, eq=False)
class Standing:
    """A unit and what follows from where it stands.

    `ground` is the level under it, `level` that of its eyes (a whole number). `hills` are the contours it is on,
    `inside` the pieces its centre lies strictly in, `touching` the pieces and crest lines its base touches, `against`
    the straight stretches of those that are lines. `points` are its sight points, the centre first, all within
    `radius` of it. `on_low_roof` is true on the roof of a one-storey building (S6.8).
    """

    unit: Unit
    ground: int
    level: int
    hills: frozenset[str]
    inside: frozenset[str]
    touching: frozenset[str]
    against: frozenset[tuple[Point, Point]]
    points: tuple[Point, ...]
    on_low_roof: bool
    radius: float


def stand(board: Board, unit: Unit) -> Standing:
    """Work out where a unit stands (S5.1, S6.9, S7.6, S7.7, S9.3)."""
    touch = board.rules.switch_number("touch_tolerance") * GRID
    box = box_of(unit.base)
    near = [piece for piece in board.terrain if _boxes_near(piece, box, touch)]
    hills = {p.id: p for p in near if p.kind.shape == "hill" and is_on(board, unit, p)}
    ground = max((hill.level for hill in hills.values()), default=0)
    touching = {piece.id for piece in near if touches(unit, piece, touch)}
    lines = [piece for piece in near if piece.line and piece.id in touching]
    points = [unit.at, *unit.base] if board.rules.switch("sight_points") == "all" else [unit.at]
    if board.rules.switch("sight_points") == "all":
        for piece in near:
            if piece.is_crest and piece.id in touching and (piece.line or piece.id in hills):
                points.append(nearest_crest_point(unit, piece))
    building = building_under(unit, near) if unit.storey is not None or unit.roof else None
    storey = (building.storeys if unit.roof else unit.storey or 0) if building else 0
    floor = building.base if building else ground
    return Standing(
        unit=unit,
        ground=ground,
        level=floor + storey,
        hills=frozenset(hills),
        inside=frozenset(p.id for p in near if p.rings and locate(unit.at, p.rings) > 0),
        touching=frozenset(touching),
        against=frozenset(s for p in lines for s in p.segments if base_to_segment(unit.base, *s) <= touch + EPSILON),
        points=tuple(dict.fromkeys(points)),
        on_low_roof=building is not None and building.storeys == 1 and storey == 1,
        radius=max(math.hypot(x - unit.at[0], y - unit.at[1]) for x, y in (*unit.base, *points)),
    )


def _boxes_near(piece: Terrain, box: Box, margin: float) -> bool:
    left, low, right, high = piece.box
    west, south, east, north = box
    return left - margin <= east and west <= right + margin and low - margin <= north and south <= high + margin


def is_on(board: Board, unit: Unit, hill: Terrain) -> bool:
    """True where a unit is on a contour: by the centre of its base (S7.7), or hull down (I) over its crest (S9.3)."""
    if locate(unit.at, hill.rings) >= 0:
        return True
    if not unit.is_vehicle or unit.is_point or locate(rear_middle(unit), hill.rings) < 0:
        return False
    over = front_over(unit, hill)
    touch = board.rules.switch_number("touch_tolerance") * GRID
    return touch + EPSILON < over <= board.rules.hull_down_over.over * GRID + EPSILON


def touches(unit: Unit, piece: Terrain, tolerance: float) -> bool:
    """True where a base and the edge or line of a piece are at most `tolerance` grid steps apart (S7.6)."""
    reach = tolerance + EPSILON
    west, south, east, north = box_of(unit.base)
    left, low, right, high = west - reach, south - reach, east + reach, north + reach
    return any(
        base_to_segment(unit.base, a, b) <= reach
        for a, b in piece.segments
        if (a[0] >= left or b[0] >= left) and (a[0] <= right or b[0] <= right)
        if (a[1] >= low or b[1] >= low) and (a[1] <= high or b[1] <= high)
    )


def rear_middle(unit: Unit) -> Point:
    """The middle of the rear edge of a base, on the grid."""
    if unit.is_point:
        return unit.at
    (x2, y2), (x3, y3) = unit.base[2], unit.base[3]
    (x, y) = unit.at
    return x + round_away((x2 + x3) / 2 - x), y + round_away((y2 + y3) / 2 - y)


def front_distance(unit: Unit, crest: Terrain) -> float:
    """The distance of the front edge of a base from a crest line, in grid steps."""
    front = (unit.base[0], unit.base[1]) if not unit.is_point else (unit.at, unit.at)
    return min(segment_to_segment(*front, a, b) for a, b in crest.segments)


def front_over(unit: Unit, crest: Terrain) -> float:
    """How far the front edge of a base is past a crest line, at its farthest point, in grid steps (S9.3).

    It is 0 where the front is not past the line. Past a contour is outside it; past a ridge is on the side away from
    the rear. The corners of the front are exact, a farthest point between them is found to a grid step.
    """
    if unit.is_point:
        return 0.0
    (ax, ay), (bx, by) = unit.base[0], unit.base[1]
    rear = rear_middle(unit)

    def past(p: Point) -> float:
        if crest.line:
            beyond = any(segments_meet(rear, p, a, b) for a, b in crest.segments)
        else:
            beyond = locate(p, crest.rings) < 0
        return min(point_to_segment(p, a, b) for a, b in crest.segments) if beyond else 0.0

    return _greatest(lambda t: past((ax + round_away((bx - ax) * t), ay + round_away((by - ay) * t))))


def _greatest(value: Callable[[float], float]) -> float:
    """The greatest value on [0, 1]: both ends, a grid between them, and a search around the best."""
    steps = 32
    values = [value(k / steps) for k in range(steps + 1)]
    best = max(range(steps + 1), key=values.__getitem__)
    low, high = max(0, best - 1) / steps, min(steps, best + 1) / steps
    for _ in range(24):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if value(left) < value(right):
            low = left
        else:
            high = right
    return max(values[best], value((low + high) / 2))


def nearest_crest_point(unit: Unit, crest: Terrain) -> Point:
    """The point of a crest line nearest to the centre of a base, on the grid; of several, the one by its front."""
    (x, y) = unit.at
    front = (
        ((unit.base[0][0] + unit.base[1][0]) / 2, (unit.base[0][1] + unit.base[1][1]) / 2)
        if len(unit.base) > 1
        else (x, y)
    )
    found = []
    for a, b in crest.segments:
        if is_on_segment(unit.at, a, b):
            return unit.at
        px, py = nearest_on_segment(unit.at, a, b)
        found.append((math.hypot(px - x, py - y), math.hypot(px - front[0], py - front[1]), px, py))
    least = min(found)[0]
    _, _, px, py = min((f for f in found if f[0] <= least + EPSILON), key=lambda f: f[1:])
    return x + round_away(px - x), y + round_away(py - y)
