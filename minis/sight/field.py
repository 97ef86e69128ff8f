"""Many sight lines at once, under the rules of `minis.sight.line` and with the same verdicts (S5, S6, S7, S8.2).

A line runs between two points. A unit is all its sight points (S5.1): it is seen where any of them is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minis.board.units import Unit
from minis.errors import bad
from minis.lengths import GRID, format_length, format_number
from minis.sight.field_ends import Points, of_places, of_units
from minis.sight.field_engine import Engine, as_kernel_takes, engine_of, kernels
from minis.sight.field_map import Array, Groups, Map, map_of
from minis.sight.field_stops import Ends, Reach
from minis.sight.field_sweep import COARSE, SIDES
from minis.sight.scene import Scene


AT_ONCE = 1 << 20
"""Lines worked out in one go: more would only take more memory."""


@dataclass(frozen=True, eq=False)
class Field:
    """A scene compiled for many lines. `names` are the ids of its obstacles by index, `clouds` those of its smoke."""

    scene: Scene
    names: tuple[str, ...]
    clouds: tuple[str, ...]
    map: Map
    groups: Groups
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)


def field_of(scene: Scene) -> Field:
    """Compile a scene for many lines: worth it from some hundred lines on."""
    compiled, groups = map_of(scene)
    names = tuple(o.id for o in scene.obstacles)
    return Field(scene, names, tuple(cloud.id for cloud in scene.board.smoke), compiled, groups)


def points_at(
    field: Field, xy_in: Any, *, level: Any = None, low_roof: Any = False, size: str = "average"
) -> Points:
    """Points of the table: an (n, 2) array of x (east) and y (north) in inches, each taken to the nearest grid step.

    Each stands on the ground where it lies (S7.7), or at `level`, one whole number or n of them: ground and storey of
    what stands upstairs (S6.9). `low_roof` is true, or n truths, of the roof of a one-storey building (S6.8). `size` is
    that of a target behind a vehicle (S6.5), a row of the table sizes; infantry counts as very small. A point has none of
    the sight points that S5.1 adds to a unit by a crest line. Raises BadInput where an array has another shape, a point
    lies off the table, or there is no such size.
    """
    xy = np.asarray(xy_in, dtype=np.float64)
    if xy.ndim != 2 or xy.shape[1] != 2:
        raise bad(f"expected an array of (n, 2) inches, not of {xy.shape}")
    x, y = (np.floor(column * GRID + 0.5) for column in xy.T)
    board = field.scene.board
    off = ~((x >= 0) & (x <= board.width_in * GRID) & (y >= 0) & (y <= board.depth_in * GRID))
    if off.any():
        k = int(np.flatnonzero(off)[0])
        place = f"{format_number(float(xy[k, 0]))}, {format_number(float(xy[k, 1]))}" if np.isfinite(xy[k]).all() else str(xy[k])
        width, depth = format_length(board.width_in), format_length(board.depth_in)
        raise bad(f"point {k}: {place} is off the table, which is {width} by {depth}")
    if size not in board.rules.sizes:
        raise bad(f"there is no size {size!r}; expected one of {', '.join(board.rules.sizes)}")
    levels = None if level is None else _whole(level, len(x), "level")
    roofs = _whole(low_roof, len(x), "low_roof")
    return of_places(field.map, field.scene, x, y, levels, roofs, board.rules.sizes[size].category)


def _whole(value: Any, n: int, name: str) -> Array:
    array = np.asarray(value)
    if array.shape not in ((), (n,)) or array.dtype.kind not in "biu":
        raise bad(f"{name}: expected a whole number or {n} of them, not {array.dtype} of shape {array.shape}")
    return np.ascontiguousarray(np.broadcast_to(array, (n,)).astype(np.int64))


def points_of(field: Field, units: Sequence[Unit]) -> Points:
    """All sight points of some units, each with the index of its unit (S5.1); what carries or tows them is not in the way."""
    return of_units(field.map, field.scene, units)


def see_pairs(field: Field, a: Points, b: Points, *, engine: Engine | None = None) -> Array:
    """For each line between the points of `a` and `b` with the same index, -1 where it is clear, else what hides it (S5).

    What hides it is the index in `field.names` of an obstacle that stops the line; of several, any. The two ends may be
    named either way (S5.2). Raises BadInput where the two are not as many.
    """
    if len(a) != len(b):
        raise bad(f"expected as many points on both ends, not {len(a)} and {len(b)}")
    index = np.arange(len(a))
    return _Lines(field, a, b, engine).walk(index, index)


def see_matrix(field: Field, viewers: Points, targets: Points, *, engine: Engine | None = None) -> Array:
    """For every line from one of n points to one of m others what hides it, as `see_pairs` says it: an array (n, m)."""
    n, m = len(viewers), len(targets)
    lines = _Lines(field, viewers, targets, engine)
    found = np.empty((n, m), dtype=np.int32)
    rows = max(1, AT_ONCE // max(1, m))
    for row in range(0, n, rows):
        part = found[row : row + rows]
        part[:] = lines.walk(np.repeat(np.arange(row, row + len(part)), m), np.tile(np.arange(m), len(part))).reshape(-1, m)
    return found


class _Lines:
    """Two lots of points made ready for the kernels of one engine."""

    def __init__(self, field: Field, a: Points, b: Points, engine: Engine | None):
        self.field, self.points = field, (a, b)
        self.engine = engine_of(engine)
        self.kernels = kernels(self.engine)
        low = int(min(a.level.min(initial=0), b.level.min(initial=0)))
        high = int(max(a.level.max(initial=0), b.level.max(initial=0)))
        self.map = _keep(field, ("map", self.engine), lambda: as_kernel_takes(field.map, self.engine))
        reach = _keep(field, ("reach", low, high), lambda: reach_of(field, low, high))
        self.reach = _keep(field, ("reach", low, high, self.engine), lambda: as_kernel_takes(reach, self.engine))
        self.a, self.b = self._ends(a, low), self._ends(b, low)
        longest = int(np.diff(field.map.first).max(initial=0))
        longest += int(max(np.diff(a.edge_from).max(initial=0), np.diff(b.edge_from).max(initial=0)))
        self.scratch = [self._numbers(4 * longest + 16) for _ in range(2)] + [self._numbers(3)]

    def _ends(self, points: Points, low: int) -> Ends:
        fields = {name: getattr(points, name) for name in Ends._fields} | {"level": points.level - low}
        ends: Ends = as_kernel_takes(Ends(**fields), self.engine)
        return ends

    def _numbers(self, n: int) -> Any:
        return [0.0] * n if self.engine == "python" else np.zeros(n)

    def walk(self, ia: Array, jb: Array) -> Array:
        found = np.full(len(ia), -1, dtype=np.int32)
        at = np.arange(len(ia))
        if self.engine == "python":
            ia, jb, at = ia.tolist(), jb.tolist(), at.tolist()
        self.kernels["walk_all"](
            self.map, self.reach, self.a, ia, self.b, jb, at, found, len(ia), False, *self.scratch
        )
        return found


    def sweep(self, bins: int) -> Iterator[Array]:
        """The rows of the matrix of all lines, one after the other, by a sweep around each point of the first lot."""
        n, m = len(self.points[0]), len(self.points[1])
        b = self.points[1]
        keys = np.stack([b.size, b.low_roof, b.level])
        order = np.lexsort(keys)
        kinds = np.flatnonzero(np.any(np.diff(keys[:, order], prepend=-1), axis=0)) if m else []
        shape = [SIDES * bins] * 3 + [SIDES * bins // COARSE, max(1, self.field.map.first[-1])]
        near, cover, cover_of, done, stamps = (
            self._numbers(k) if dtype is float else self._wholes(k)
            for k, dtype in zip(shape, (float, float, int, int, int), strict=True)
        )
        lists = [*(self._wholes(max(1, m)) for _ in range(6)), self._wholes(2)]
        for row in range(n):
            found = np.empty(m, dtype=np.int32)
            self.kernels["sweep_all"](
                self.map, self.reach, self.a, row, row + 1, self.b, self._whole(order), self._whole(np.append(kinds, m)),
                found, bins, near, cover, cover_of, done, stamps, *lists, *self.scratch,
            )  # fmt: skip
            yield found

    def _wholes(self, n: int) -> Any:
        return [0] * n if self.engine == "python" else np.zeros(n, dtype=np.int64)

    def _whole(self, array: Array) -> Any:
        return array.tolist() if self.engine == "python" else array.astype(np.int64)


def _keep(field: Field, key: Any, make: Any) -> Any:
    if key not in field._kept:
        field._kept[key] = make()
    return field._kept[key]


def reach_of(field: Field, low: int, high: int) -> Reach:
    """How far shadows reach for viewers and lower ends of the levels from `low` to `high` (S6.2, S6.4, S6.5, S6.8)."""
    rules, groups = field.scene.board.rules, field.groups
    sizes = max((row.category for row in rules.sizes.values()), default=0) + 1
    levels = range(low, high + 1)
    n = len(levels)
    length = np.full((2, n, n, sizes, len(groups.tops)), -1.0)
    for group, (top, category) in enumerate(zip(groups.tops, groups.sizes, strict=True)):
        for viewer, level in enumerate(levels):
            lower = np.array([not (top <= other and top < level) for other in levels])
            for size in range(sizes):
                reach = _reach(field, level - top, category, size)
                length[0, viewer, lower, size, group] = reach
                length[1, viewer, lower, size, group] = math.inf
    length = length.reshape(-1, len(groups.tops))
    tops = np.array(groups.tops, dtype=np.float64)
    return Reach(
        levels=n,
        sizes=sizes,
        groups=len(groups.tops),
        length=_array(length.ravel()),
        longest=_array(np.where(np.isfinite(length), length, 0.0).max(axis=1, initial=0.0)),
        near=_array(np.where(length >= 0, tops, math.inf).min(axis=1, initial=math.inf)),
        far=_array(np.where(np.isinf(length), tops, math.inf).min(axis=1, initial=math.inf)),
        level_of=_array(np.array(levels, dtype=np.float64)),
    )


def _array(array: Array) -> Any:
    return np.ascontiguousarray(array)


def _reach(field: Field, above: float, category: int | None, size: int) -> float:
    """The length of a shadow in grid steps: infinite where the obstacle blocks, -1 where it casts none."""
    rules = field.scene.board.rules
    if category is None:
        row = rules.shadow(above)
        return math.inf if row is None else row.length * GRID
    afv = rules.afv_shadow(above)
    if afv is None or category - size >= afv.smaller:
        return math.inf
    return afv.length * GRID if afv.length else -1.0
