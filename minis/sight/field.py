"""Many sight lines at once, under the rules of `minis.sight.line` and with the same verdicts (S5, S6, S7, S8.2).

A line runs between two points. A unit is all its sight points (S5.1): it is seen where any of them is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minis.board.units import Unit
from minis.errors import bad
from minis.lengths import GRID, format_length, format_number
from minis.sight.field_ends import Points, of_places, of_units
from minis.sight.field_engine import Engine, engine_note
from minis.sight.field_lines import Field, Lines, keep
from minis.sight.field_map import Array, map_of
from minis.sight.scene import Scene

__all__ = [
    "Engine", "Field", "Points", "engine_note", "field_of", "points_at", "points_of", "see_cells", "see_matrix",
    "see_one", "see_pairs", "smoke_pairs",
]  # fmt: skip

AT_ONCE = 1 << 20
"""Lines worked out in one go: more would only take more memory."""


SWEPT = 1 << 10
"""From so many targets on a viewer sweeps them."""


def field_of(scene: Scene) -> Field:
    """Compile a scene for many lines: worth it from some hundred lines on."""
    compiled, grid, groups = map_of(scene)
    names = tuple(o.id for o in scene.obstacles)
    return Field(scene, names, tuple(cloud.id for cloud in scene.board.smoke), compiled, grid, groups)


def points_at(field: Field, xy_in: Any, *, level: Any = None, low_roof: Any = False, size: str = "average") -> Points:
    """Points of the table: an (n, 2) array of x (east) and y (north) in inches, each taken to the nearest grid step.

    Each stands on the ground where it lies (S7.7), or at `level`, one whole number or n of them: ground and storey of
    what stands upstairs (S6.9). `low_roof` is true, or n truths, of the roof of a one-storey building (S6.8). `size` is
    that of a target behind a vehicle (S6.5), a row of the table sizes; infantry counts as very small. A point has none
    of the sight points that S5.1 adds to a unit by a crest line. Raises BadInput where an array has another shape, a
    point lies off the table, or there is no such size.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> field = field_of(Scene(read_board(examples_folder() / "crossroads" / "scenario.toml")))
    >>> points_at(field, [[10, 10], [40.5, 20]], level=1).level.tolist()
    [1, 1]
    >>> points_at(field, [[10, -1]])
    Traceback (most recent call last):
    minis.errors.BadInput: point 0: 10, -1 is off the table, which is 84" by 48"
    """
    try:
        xy = np.asarray(xy_in, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad("expected an array of (n, 2) inches, all of them numbers") from None
    if xy.ndim != 2 or xy.shape[1] != 2:
        raise bad(f"expected an array of (n, 2) inches, not of {xy.shape}")
    x, y = (np.floor(column * GRID + 0.5) for column in xy.T)
    board = field.scene.board
    off = ~((x >= 0) & (x <= board.width_in * GRID) & (y >= 0) & (y <= board.depth_in * GRID))
    if off.any():
        k = int(np.flatnonzero(off)[0])
        place = (
            f"{format_number(float(xy[k, 0]))}, {format_number(float(xy[k, 1]))}"
            if np.isfinite(xy[k]).all()
            else str(xy[k])
        )
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
    """All sight points of some units, each with the index of its unit in what was given (S5.1).

    What carries or tows a unit, and what it carries or tows, is not in the way of its lines (S6.6). Two units see each
    other where a line between any point of one and any point of the other is clear.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> field = field_of(Scene(read_board(examples_folder() / "crossroads" / "scenario.toml")))
    >>> sorted(set(points_of(field, [field.scene.board.unit("T1"), field.scene.board.unit("P1")]).unit.tolist()))
    [0, 1]
    """
    return of_units(field.map, field.scene, units)


def see_pairs(field: Field, a: Points, b: Points, *, engine: Engine | None = None) -> Array:
    """For each line between the points of `a` and `b` of one index, -1 where it is clear, else what hides it (S5).

    What hides it is the index in `field.names` of an obstacle that stops the line; of several, any. The two ends may be
    named either way (S5.2). Raises BadInput where the two are not as many, or the engine is not installed.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> field = field_of(Scene(read_board(examples_folder() / "crossroads" / "scenario.toml")))
    >>> found = see_pairs(field, points_at(field, [[10, 10], [0, 0]]), points_at(field, [[11, 10], [40, 40]]))
    >>> (found < 0).tolist()
    [True, False]
    """
    if len(a) != len(b):
        raise bad(f"expected as many points on both ends, not {len(a)} and {len(b)}")
    index = np.arange(len(a))
    return Lines(field, a, b, engine).walk(index, index)


def see_matrix(field: Field, viewers: Points, targets: Points, *, engine: Engine | None = None) -> Array:
    """For every line from one of n points to one of m others what hides it, as `see_pairs` says it: an array (n, m).

    Where there are many targets each viewer sweeps them; the answers are the same. Raises BadInput where the engine is
    not installed.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> field = field_of(Scene(read_board(examples_folder() / "crossroads" / "scenario.toml")))
    >>> units = points_of(field, [field.scene.board.unit(name) for name in ("T1", "P1", "P2")])
    >>> clear = see_matrix(field, units, units) < 0
    >>> [bool(clear[units.unit == 0][:, units.unit == other].any()) for other in (1, 2)]
    [True, False]
    """
    n, m = len(viewers), len(targets)
    lines = Lines(field, viewers, targets, engine)
    found = np.empty((n, m), dtype=np.int32)
    rows = max(1, AT_ONCE // max(1, m))
    for row in range(0, n, rows):
        part = found[row : row + rows]
        if m > SWEPT:
            lines.sweep(row, part)
        else:
            ia, jb = np.repeat(np.arange(row, row + len(part)), m), np.tile(np.arange(m), len(part))
            part[:] = lines.walk(ia, jb).reshape(part.shape)
    return found


def see_one(field: Field, viewer: Points, targets: Points, *, engine: Engine | None = None) -> Array:
    """For each line from one point to one of m others what hides it, as `see_pairs` says it: an array (m,).

    Raises BadInput where `viewer` is not one point, or the engine is not installed.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> field = field_of(Scene(read_board(examples_folder() / "crossroads" / "scenario.toml")))
    >>> see_one(field, points_at(field, [[10, 10]]), points_at(field, [[10, 10], [11, 10]])).tolist()
    [-1, -1]
    """
    if len(viewer) != 1:
        raise bad(f"expected one viewer, not {len(viewer)}")
    row: Array = see_matrix(field, viewer, targets, engine=engine)[0]
    return row


def see_cells(field: Field, viewer: Points, cell_in: float, *, engine: Engine | None = None) -> Array:
    """What hides the middle of each square cell of the table from one point, as `see_pairs` says it: (rows, columns).

    Cells are `cell_in` inches wide, the first row and column in the south-west corner, those on the far edges cut by
    them not counted; their middles stand on the ground (S7.7), of average size. They are worked out once for a field.
    Raises BadInput where `viewer` is not one point, the cells are not between 1/64" and the table, or the engine is not
    installed.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> field = field_of(Scene(read_board(examples_folder() / "crossroads" / "scenario.toml")))
    >>> see_cells(field, points_at(field, [[10, 10]]), 1.0).shape
    (48, 84)
    """
    board = field.scene.board
    if not 1 / 64 <= cell_in <= min(board.width_in, board.depth_in):
        raise bad(f"cell_in: expected from 1/64 inch to the width of the table, not {cell_in!r}")
    columns, rows = int(board.width_in / cell_in), int(board.depth_in / cell_in)
    centres = keep(field.kept, ("cells", cell_in), lambda: points_at(field, _centres(columns, rows, cell_in)))
    if len(viewer) != 1:
        raise bad(f"expected one viewer, not {len(viewer)}")
    return Lines(field, viewer, centres, engine).cells(columns).reshape(rows, columns)


def _centres(columns: int, rows: int, cell_in: float) -> Array:
    x, y = np.meshgrid((np.arange(columns) + 0.5) * cell_in, (np.arange(rows) + 0.5) * cell_in)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def smoke_pairs(field: Field, a: Points, b: Points, *, engine: Engine | None = None) -> tuple[Array, Array]:
    """For each line between the points of `a` and `b` of one index how many clouds it crosses, and whose (S8.2, S8.3).

    The second array is true where all of them are own smoke that the unit of the point of `b` stands in: none are too.
    Which class the smoke of a line has is the caller's. Raises BadInput where the two are not as many.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> field = field_of(Scene(read_board(examples_folder() / "crossroads" / "scenario.toml")))
    >>> counts, own = smoke_pairs(field, points_at(field, [[10, 10]]), points_at(field, [[11, 10]]))
    >>> counts.tolist(), own.tolist()
    ([0], [True])
    """
    if len(a) != len(b):
        raise bad(f"expected as many points on both ends, not {len(a)} and {len(b)}")
    return Lines(field, a, b, engine).smoke()
