"""How narrowly a line passes what it does not meet: the margin of a clear line (S5.5)."""

from __future__ import annotations

import math

from minis.board.geometry import base_to_base
from minis.lengths import GRID
from minis.sight.meeting import Ray, lies_below, size_behind
from minis.sight.scene import Obstacle
from minis.sight.standing import EPSILON, Standing
from minis.sight.stretch import corners_near, gap


def near_miss(obstacle: Obstacle, ray: Ray, limit: float) -> float:
    """How far, in grid steps, a line passes from an obstacle that it does not meet and that would stop it (S5.5).

    Infinite where the obstacle would not stop it, is farther than `limit`, or is one that an end stands in or against.
    """
    line = ray.line
    if not line.long2 or line.misses(obstacle.box, limit) or lies_below(obstacle, ray.viewer, ray.lower):
        return math.inf
    if obstacle.form == "contour" and (obstacle.id in ray.viewer.hills or obstacle.id in ray.lower.hills):
        both = obstacle.id in ray.viewer.hills and obstacle.id in ray.lower.hills
        return corners_near(line, obstacle.rings) if both and ray.high == obstacle.top else math.inf
    for standing in (ray.viewer, ray.lower):
        if obstacle.id in standing.inside or obstacle.id in standing.touching:
            return math.inf
    path = obstacle.rings or (obstacle.line,)
    found = gap(line, path, obstacle.box, start=_start_of_danger(obstacle, ray), limit=limit)
    if found < math.inf and obstacle.unit is not None and any(_stands_against(ray, s, obstacle) for s in _ends(ray)):
        return math.inf
    return found


def _ends(ray: Ray) -> tuple[Standing, Standing]:
    return ray.viewer, ray.lower


def _stands_against(ray: Ray, standing: Standing, obstacle: Obstacle) -> bool:
    return base_to_base(standing.unit.base, obstacle.rings[0]) <= ray.settings.touch + EPSILON


def _start_of_danger(obstacle: Obstacle, ray: Ray) -> float:
    """The place of the line from which on a touch of the obstacle would hide the target."""
    above, rules, line = ray.high - obstacle.top, ray.rules, ray.line
    if ray.viewer.on_low_roof:
        return 0.0
    if obstacle.unit is not None:
        afv = rules.afv_shadow(above)
        if afv is None or obstacle.unit.size.category - size_behind(ray) >= afv.smaller:
            return 0.0
        length = afv.length
    else:
        row = rules.shadow(above)
        if row is None:
            return 0.0
        length = row.length
    return max(0.0, line.long2 - length * GRID * line.long)
