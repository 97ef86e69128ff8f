"""The table compiled for many sight lines: obstacles, their edges, and the edges again by the cell of a grid.

Coordinates are whole grid steps kept in float64: differences stay below 2^24, so that a cross product is exact and a
touch is a touch (S5.4).
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minis.board.geometry import edges
from minis.board.terrain import Smoke
from minis.lengths import GRID
from minis.sight.scene import Form, Obstacle, Scene
from minis.sight.standing import EPSILON

Numbers = MutableSequence[float]
Floats = Sequence[float]
Wholes = Sequence[int]
Counts = MutableSequence[int]
Rows2 = Sequence[Sequence[float]]
Array = NDArray[Any]

FORMS: tuple[Form, ...] = ("area", "contour", "ridge", "hedgerow", "vehicle")
AREA, CONTOUR, RIDGE, HEDGEROW, VEHICLE = range(len(FORMS))
OWNS = ("free", "all", "depth")
FREE, ALL, DEPTH = range(len(OWNS))

PER_CELL = 2.0
"""Edges in a cell of the grid that holds any, about: more make a cell dear, fewer make a line cross many cells."""


class Map(NamedTuple):
    """Obstacles by index, in the order of their ids, then the clouds of smoke.

    Edge `e` runs from (`x0`, `y0`) to (`x1`, `y1`); those of obstacle `o` are `first[o]` to `first[o + 1]`, in the
    order of its rings or its path. `form` and `own` count in FORMS and OWNS; `group` is that of obstacles which cast
    the same shadow (`Groups`); `level` is that of a contour, `slope` 1 where S7.5 holds. `box` are west, south, east
    and north.

    `touch`, `depth` and `apart` are the lengths of S7.6 and S6.10 with the tolerance of a length in them, `eps` that
    tolerance; `graze` is true where a touch stops a line, `centre` where units are measured from centre to centre.
    """

    x0: Floats
    y0: Floats
    x1: Floats
    y1: Floats
    first: Wholes
    form: Wholes
    own: Wholes
    group: Wholes
    level: Floats
    slope: Wholes
    box_west: Floats
    box_south: Floats
    box_east: Floats
    box_north: Floats
    obstacles: int
    touch: float
    eps: float
    depth: float
    apart: float
    graze: bool
    centre: bool


class Grid(NamedTuple):
    """The edges of obstacles again, by the cells that they meet: `columns` by `rows` of `cell` steps from their corner.

    That corner is (`west`, `south`). The edges of cell `c`, those of the highest obstacles first, are `start[c]` to
    `start[c + 1]` of `gx0`, `gy0`, `gx1`, `gy1`, with the top `gtop` of their obstacle and its index `gobst`; `gedge`
    is the edge. `high[c]` is the highest top in a cell, below all levels where there is none.

    It is no part of a `Map`, since a kernel that is called for one obstacle should not carry it along.
    """

    cell: float
    west: float
    south: float
    columns: int
    rows: int
    start: Wholes
    gx0: Floats
    gy0: Floats
    gx1: Floats
    gy1: Floats
    gtop: Floats
    gobst: Wholes
    gedge: Wholes
    high: Floats


class Groups(NamedTuple):
    """Obstacles that cast the same shadow: their top, and the size category of a vehicle, None of anything else."""

    tops: tuple[float, ...]
    sizes: tuple[int | None, ...]


def map_of(scene: Scene) -> tuple[Map, Grid, Groups]:
    """The obstacles and the smoke of a scene as arrays, and the grid over them."""
    obstacles, smoke = scene.obstacles, scene.board.smoke
    parts = [_edges_of(o) for o in obstacles] + [_edges_of(cloud) for cloud in smoke]
    xy = np.array([e for part in parts for e in part], dtype=np.float64).reshape(-1, 4)
    first = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    keys = [(o.top, o.unit.size.category if o.unit is not None else None) for o in obstacles]
    known = sorted(set(keys), key=lambda key: (key[0], -1 if key[1] is None else key[1]))
    box = np.array([o.box for o in obstacles] + [cloud.box for cloud in smoke], dtype=np.float64).reshape(-1, 4)
    settings, rules = scene.settings, scene.board.rules
    count = len(obstacles)
    owner = np.repeat(np.arange(len(parts)), np.diff(first))
    tops = np.array([o.top for o in obstacles], dtype=np.float64)
    real = int(first[count])
    pieces = [o.piece for o in obstacles]
    columns: dict[str, Any] = dict(zip(("x0", "y0", "x1", "y1"), _columns(xy), strict=True))
    columns |= zip(("box_west", "box_south", "box_east", "box_north"), _columns(box), strict=True)
    compiled = Map(
        **columns,
        first=_given(first),
        form=_given(np.array([FORMS.index(o.form) for o in obstacles], dtype=np.int64)),
        own=_given(np.array([OWNS.index(p.kind.own) if p else FREE for p in pieces], dtype=np.int64)),
        group=_given(np.array([known.index(key) for key in keys], dtype=np.int64)),
        level=_given(np.array([p.level if p else 0 for p in pieces], dtype=np.float64)),
        slope=_given(np.array([bool(p and p.slope) for p in pieces], dtype=np.int64)),
        obstacles=count,
        touch=settings.touch + EPSILON,
        eps=EPSILON,
        depth=settings.woods_depth + EPSILON,
        apart=settings.woods_apart + EPSILON,
        graze=settings.graze,
        centre=rules.switch("measure") == "centre",
    )
    grid = Grid(**_grid(scene, xy[:real], owner[:real], tops))
    return compiled, grid, Groups(tuple(key[0] for key in known), tuple(key[1] for key in known))


def _edges_of(shape: Obstacle | Smoke) -> list[tuple[int, int, int, int]]:
    if isinstance(shape, Smoke):
        pairs = list(edges(shape.ring))
    else:
        pairs = list(pairwise(shape.line)) if shape.line else [e for ring in shape.rings for e in edges(ring)]
    return [(*p, *q) for p, q in pairs]


def _given(array: Array) -> Any:
    """An array as what a kernel takes: a sequence of numbers."""
    return np.ascontiguousarray(array)


def _columns(array: Array) -> list[Any]:
    return [_given(array[:, k]) for k in range(array.shape[1])]


def _grid(scene: Scene, xy: Array, owner: Array, tops: Array) -> dict[str, Any]:
    """The grid over all edges of obstacles and the whole table."""
    table = np.array([[0, 0, scene.board.width_in * GRID, scene.board.depth_in * GRID]])
    ends = np.concatenate([table, xy]).reshape(-1, 2)
    cell = _cell_size(xy)
    west, south = (float(v) for v in np.floor(ends.min(axis=0)) - cell)
    columns, rows = (int(v) for v in (np.ceil(ends.max(axis=0)) - (west, south)) // cell + 2)
    edge, at = _cells_of(xy, cell, west, south, columns)
    top = tops[owner[edge]] if len(edge) else np.zeros(0)
    order = np.lexsort((edge, -top, at))
    edge, at, top = edge[order], at[order], top[order]
    start = np.searchsorted(at, np.arange(columns * rows + 1)).astype(np.int64)
    high = np.full(columns * rows, -math.inf)
    filled = start[:-1] < start[1:]
    high[filled] = top[start[:-1][filled]]
    gx0, gy0, gx1, gy1 = _columns(xy[edge])
    return {
        "cell": cell, "west": west, "south": south, "columns": columns, "rows": rows, "start": start,
        "gx0": gx0, "gy0": gy0, "gx1": gx1, "gy1": gy1, "gtop": top, "gobst": owner[edge].astype(np.int64),
        "gedge": edge.astype(np.int64), "high": high,
    }  # fmt: skip


def _cell_size(xy: Array) -> float:
    """The side of a cell in grid steps, 1 to 2 inches: smaller where edges lie close together."""
    if not len(xy):
        return 2.0 * GRID
    busy = len(np.unique(np.floor(xy[:, :2] / GRID).astype(np.int64), axis=0))
    return GRID * min(2.0, max(1.0, math.sqrt(PER_CELL * busy / len(xy))))


def _cells_of(xy: Array, cell: float, west: float, south: float, columns: int) -> tuple[Array, Array]:
    """Every pair of an edge and a cell that it meets, or passes by a grid step, so that no line slips between cells."""
    half = cell / 2 + 1
    low = np.floor((np.minimum(xy[:, :2], xy[:, 2:]) - 1 - (west, south)) / cell).astype(np.int64)
    high = np.floor((np.maximum(xy[:, :2], xy[:, 2:]) + 1 - (west, south)) / cell).astype(np.int64)
    wide = high - low + 1
    many = wide[:, 0] * wide[:, 1]
    edge = np.repeat(np.arange(len(xy)), many)
    number = np.arange(len(edge)) - np.repeat(np.cumsum(many) - many, many)
    column, row = low[edge, 0] + number % wide[edge, 0], low[edge, 1] + number // wide[edge, 0]
    dx, dy = xy[edge, 2] - xy[edge, 0], xy[edge, 3] - xy[edge, 1]
    turn = dx * (south + (row + 0.5) * cell - xy[edge, 1]) - dy * (west + (column + 0.5) * cell - xy[edge, 0])
    meets = np.abs(turn) <= (np.abs(dx) + np.abs(dy)) * half
    return edge[meets], (row * columns + column)[meets]
