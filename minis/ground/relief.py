"""Heights laid on a table: every cell of a grid at its place in inches, gaps closed from their neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minis.errors import bad
from minis.ground.heights import Heights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grid = NDArray[np.float64]
    Projection = Callable[[Grid, Grid], tuple[Grid, Grid]]

MOST_VOIDS = 0.25
"""The share of a table that may lie where the file has no heights, to be closed from around it."""


@dataclass(frozen=True, eq=False)
class Relief:
    """Heights in metres at places of a table in inches: rows and columns of a bent grid that covers the table.

    `voids` counts the cells on the table that the file left empty.
    """

    x_in: Grid
    y_in: Grid
    metres: Grid
    width_in: float
    depth_in: float
    voids: int = 0

    @property
    def on_table(self) -> Grid:
        """The heights of the places that lie on the table, as one row."""
        inside = (self.x_in >= 0) & (self.x_in <= self.width_in) & (self.y_in >= 0) & (self.y_in <= self.depth_in)
        found: Grid = self.metres[inside]
        return found

    @property
    def cell_in(self) -> float:
        """The side of a cell on the table, in inches: what is smaller the heights do not know."""
        across = math.dist((self.x_in[0, 1], self.y_in[0, 1]), (self.x_in[0, 2], self.y_in[0, 2]))
        down = math.dist((self.x_in[1, 0], self.y_in[1, 0]), (self.x_in[2, 0], self.y_in[2, 0]))
        return max(across, down)


def relief_of(heights: Heights, project: Projection, width_in: float, depth_in: float) -> Relief:
    """A grid of heights on a table; `project` turns its x and y (longitude, latitude) into inches of the table.

    The outer halves of the outermost cells have the height of their centres. Raises BadInput where the grid does not
    cover the table, or where too much of the table has no heights.
    """
    import numpy as np

    if heights.rows < 2 or heights.columns < 2:
        raise bad("the table lies outside the heights", file=heights.name)
    x, y = heights.centres()
    x = np.concatenate([[heights.west], x, [heights.east]])
    y = np.concatenate([[heights.north], y, [heights.south]])
    x_in, y_in = project(*np.meshgrid(x, y))
    if not (np.isfinite(x_in).all() and np.isfinite(y_in).all()):
        raise bad("a cell of the heights has no place on the table", file=heights.name)
    _check_cover(x_in, y_in, width_in, depth_in, heights.name)
    metres = np.pad(heights.metres, 1, mode="edge")
    empty = np.isnan(metres)
    within = (x_in >= 0) & (x_in <= width_in) & (y_in >= 0) & (y_in <= depth_in)
    voids, cells = int((empty & within)[1:-1, 1:-1].sum()), int(within[1:-1, 1:-1].sum())
    if empty.all() or voids > MOST_VOIDS * max(cells, 1):
        raise bad(f"{voids} of the {cells} cells on the table have no height", file=heights.name)
    return Relief(x_in, y_in, _closed(metres), width_in, depth_in, voids)


def _check_cover(x_in: Grid, y_in: Grid, width_in: float, depth_in: float, name: str) -> None:
    """Raise BadInput where the grid leaves a part of the table bare."""
    import numpy as np
    import shapely

    ring = [
        np.concatenate([part[0, :], part[1:, -1], part[-1, -2::-1], part[-2:0:-1, 0]]) for part in (x_in, y_in)
    ]  # fmt: skip
    grid, table = shapely.Polygon(np.column_stack(ring)), shapely.box(0, 0, width_in, depth_in)
    bare = shapely.difference(table, grid.buffer(1e-6)).area / table.area
    if bare > 0:
        share = "nothing" if bare >= 1 else f"{100 * (1 - bare):.3g} %"
        raise bad(f"the heights cover {share} of the table; choose another centre or a smaller table", file=name)


def _closed(metres: Grid) -> Grid:
    """The heights with every gap closed from its edge inward, each cell the mean of the neighbours it has."""
    import numpy as np

    found = metres.copy()
    gaps = np.isnan(found)
    if not gaps.any():
        return found
    while np.isnan(found).any():
        around = _neighbours(found)
        known = ~np.isnan(around)
        count = known.sum(axis=0)
        mean = np.where(known, around, 0.0).sum(axis=0) / np.maximum(count, 1)
        found = np.where(np.isnan(found) & (count > 0), mean, found)
    for _ in range(200):  # and smooth, so that there is no step in the middle of it
        found = np.where(gaps, _neighbours(found, straight=True).mean(axis=0), found)
    return found


def _neighbours(grid: Grid, *, straight: bool = False) -> Grid:
    import numpy as np

    wide = np.pad(grid, 1, mode="edge")
    rows, columns = grid.shape
    around = [
        wide[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down, right) != (0, 0) and not (straight and down and right)
    ]
    found: Grid = np.stack(around)
    return found
