"""Lots of points made ready for the kernels of one engine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minis.errors import bad
from minis.lengths import GRID
from minis.sight.field_ends import Points
from minis.sight.field_engine import Engine, as_kernel_takes, engine_of, kernels
from minis.sight.field_map import Array, Grid, Groups, Map
from minis.sight.field_stops import Ends, Reach
from minis.sight.field_sweep import COARSE, FEW, SIDES
from minis.sight.scene import Scene

LEAST_BINS, MOST_BINS, POINTS_A_BIN = 1 << 8, 1 << 9, 1 << 5
"""Bins of a side of a sweep; points to a bin where there are neither few nor many."""

MOST_LEVELS = 1 << 7
"""The highest hill with the highest house on it, about: what lies farther apart is a slip of the pen."""


@dataclass(frozen=True, eq=False)
class Field:
    """A scene compiled for many lines. `names` are the ids of its obstacles by index, `clouds` those of its smoke.

    `kept` holds what was worked out of it and may be asked for again.
    """

    scene: Scene
    names: tuple[str, ...]
    clouds: tuple[str, ...]
    map: Map
    grid: Grid
    groups: Groups
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)


def keep(kept: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
    """What is kept under a key, made where it is not there yet."""
    if key not in kept:
        kept[key] = make()
    return kept[key]


class Lines:
    """The lines between two lots of points of a field, for one engine."""

    def __init__(self, field: Field, a: Points, b: Points, engine: Engine | None):
        self.points = (a, b)
        self.edges = int(field.map.first[-1])
        self.engine = engine_of(engine)
        self.kernels = kernels(self.engine)
        low, high = min(a.bounds[0], b.bounds[0]), max(a.bounds[1], b.bounds[1])
        self.map = keep(field.kept, ("map", self.engine), lambda: as_kernel_takes(field.map, self.engine))
        self.grid = keep(field.kept, ("grid", self.engine), lambda: as_kernel_takes(field.grid, self.engine))
        if high - low > MOST_LEVELS:
            raise bad(f"expected levels that are no farther apart than {MOST_LEVELS}, not {low} and {high}")
        reach = keep(field.kept, ("reach", low, high), lambda: reach_of(field, low, high))
        made = keep(field.kept, ("reach", low, high, self.engine), lambda: as_kernel_takes(reach, self.engine))
        self.reach: Reach = made
        self.a, self.b = self._ends(a, low), self._ends(b, low)
        longest = int(np.diff(field.map.first).max(initial=0))
        longest += a.bounds[2] + b.bounds[2]
        self.scratch = [self._numbers((SIDES * longest) + SIDES * SIDES) for _ in range(2)] + [self._numbers(SIDES)]

    def walk(self, ia: Array, jb: Array) -> Array:
        """What hides each line from point ia of the first lot to point jb of the second, or -1."""
        found = np.full(len(ia), -1, dtype=np.int32)
        until = self._real(np.full(len(ia), math.inf))
        at = self._whole(np.arange(len(ia)))
        self.kernels["walk_all"](
            self.map, self.grid, self.reach, self.a, self._whole(ia), self.b, self._whole(jb), at, until, found,
            len(ia), *self.scratch,
        )  # fmt: skip
        return found

    def sweep(self, row: int, found: Array, bins: int | None = None, few: int = FEW) -> None:
        """The same of all lines from the points of the rows of `found`, from point `row` on, by a sweep around each."""
        m = len(self.points[1])
        order, starts = self.points[1].kinds
        bins = bins or _bins_for(m)
        around = SIDES * bins
        near, cover = self._numbers(around), self._numbers(around)
        cover_of, done, stamps = (self._marks(n) for n in (around, around // COARSE, self.edges))
        flat = np.empty(found.size, dtype=np.int32)
        self.kernels["sweep_all"](
            self.map, self.grid, self.reach, self.a, row, row + len(found), self.b, self._whole(order),
            self._whole(starts), flat, bins, few, near, cover, cover_of, done, stamps,
            *(self._wholes(m) for _ in range(3)), self._numbers(m), *self.scratch,
        )  # fmt: skip
        found[:] = flat.reshape(found.shape)

    def cells(self, columns: int, bins: int | None = None, few: int = FEW) -> Array:
        """The same from the one point of the first lot to the second, the middles of cells, row by row."""
        b = self.points[1]
        order, starts = b.kinds
        bins, kinds = bins or _bins_for(len(b)), len(starts) - 1
        around = kinds * SIDES * bins
        small = self.map.obstacles <= np.iinfo(np.int16).max  # a table is many cells, and memory is slow
        found = np.empty(len(b), dtype=np.int16 if small else np.int32)
        self.kernels["cells_all"](
            self.map, self.grid, self.reach, self.a, self.b, self._whole(order), self._whole(starts),
            self._real(b.x[:columns]), self._real(b.y[::columns]), self._real(b.kind_of), *map(self._real, b.held),
            found, bins, few,
            self._numbers(around), self._numbers(around), self._marks(around), self._marks(SIDES * bins // COARSE),
            self._marks(self.edges), self._wholes(2 * kinds), self._marks(self.map.obstacles), self._numbers(columns),
            *(self._room(len(b)) for _ in range(3)), self._room(len(b), 0.0), *self.scratch,
        )  # fmt: skip
        return found

    def smoke(self) -> tuple[Array, Array]:
        """Of the lines between points of one index, how many clouds each crosses; whether all are own smoke of b."""
        index, b = self._whole(np.arange(len(self.points[0]))), self.points[1]
        counts, others = np.zeros(len(index), dtype=np.int32), np.zeros(len(index), dtype=np.int32)
        self.kernels["smoke_all"](
            self.map, self.a, index, self.b, index, self._whole(b.smoke_from), self._whole(b.smoke), counts, others,
            *self.scratch[:2],
        )  # fmt: skip
        return counts, others == 0

    def _ends(self, points: Points, low: int) -> Ends:
        fields = {name: getattr(points, name) for name in Ends._fields}
        if low:
            fields["level"] = points.level - low
        ends: Ends = as_kernel_takes(Ends(**fields), self.engine)
        return ends

    def _real(self, array: Array) -> Any:
        return array.tolist() if self.engine == "python" else np.ascontiguousarray(array)

    def _numbers(self, n: int) -> Any:
        return [0.0] * n if self.engine == "python" else np.zeros(n)

    def _wholes(self, n: int) -> Any:
        return [0] * n if self.engine == "python" else np.zeros(n, dtype=np.int64)

    def _marks(self, n: int) -> Any:
        return [0] * n if self.engine == "python" else np.zeros(n, dtype=np.int32)

    def _room(self, n: int, of: float = 0) -> Any:
        return [of] * n if self.engine == "python" else np.empty(n, dtype=type(of))

    def _whole(self, array: Array) -> Any:
        return array.tolist() if self.engine == "python" else array.astype(np.int64, copy=False)


def _bins_for(points: int) -> int:
    """Bins of a side, a power of two."""
    return 1 << math.floor(math.log2(min(MOST_BINS, max(LEAST_BINS, points / POINTS_A_BIN))))


def reach_of(field: Field, low: int, high: int) -> Reach:
    """How far shadows reach for ends of the levels from `low` to `high` (S6.2, S6.4, S6.5, S6.8)."""
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
    length = length.reshape(2 * n * n * sizes, len(groups.tops))
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
