"""From the table to a picture: inches north and east, or grid steps, to user units that run down the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from minis.board.geometry import Point
from minis.draw.svg import path
from minis.lengths import GRID

UNITS = 100
"""User units of a picture to an inch of the table."""

Spot = tuple[float, float]


@dataclass(frozen=True)
class Canvas:
    """A table of `width_in` by `depth_in` inches as a picture: the north edge at its top, hundredths of an inch."""

    width_in: float
    depth_in: float

    def inches(self, x_in: float, y_in: float) -> Spot:
        """A place in inches, x east and y north.

        >>> Canvas(84, 48).inches(10, 47)
        (1000, 100)
        """
        return x_in * UNITS, (self.depth_in - y_in) * UNITS

    def steps(self, point: Point | Spot) -> Spot:
        """A place in grid steps.

        >>> Canvas(84, 48).steps((8000, 0))
        (100.0, 4800.0)
        """
        return self.inches(point[0] / GRID, point[1] / GRID)

    def line(self, points: Iterable[Point | Spot]) -> str:
        """The `d` of a path along some places in grid steps."""
        return path(map(self.steps, points))

    def area(self, rings: Sequence[Sequence[Point | Spot]]) -> str:
        """The `d` of the outline of an area and its holes in grid steps; to be filled even-odd."""
        return "".join(path(map(self.steps, ring), closed=True) for ring in rings)

    def polygons(self, shape: object) -> str:
        """The `d` of the polygons of a shapely geometry in inches, lines and points in it left out."""
        from shapely import Polygon

        parts = getattr(shape, "geoms", [shape])
        found = []
        for part in parts:
            if isinstance(part, Polygon) and not part.is_empty:
                rings = [part.exterior, *part.interiors]
                found += [path([self.inches(x, y) for x, y in ring.coords[:-1]], closed=True) for ring in rings]
            elif hasattr(part, "geoms"):
                found.append(self.polygons(part))
        return "".join(found)
