"""From heights on a table to hills: what lies at a level or above it, as polygons with holes; small bumps dropped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from minis.errors import bad
from minis.ground.relief import Relief
from minis.ground.report import KindCount, Left
from minis.ground.scenario_text import Piece

if TYPE_CHECKING:
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

STEP_IN = 0.001
"""Corners lie on multiples of this, in inches: each is a whole number of steps of the 1/8000" grid."""

AT_LEAST_M = 0.001
"""Ground this little below the height of a level, in metres, is at it: heights are whole metres, and so are levels."""


@dataclass(frozen=True)
class Hills:
    """The hills of a table, level by level, the count and area before and after, and what was dropped.

    In the areas of `count` ground counts once: that of a higher level lies on a lower one.
    """

    pieces: tuple[Piece, ...]
    count: KindCount
    dropped: tuple[Left, ...]
    rims_in: tuple[float, ...]


def hills_of(
    relief: Relief,
    levels: Sequence[float],
    *,
    bump_in2: float,
    simplify_in: float,
    slope: bool = False,
    taken: Iterable[str] = (),
) -> Hills:
    """The hills of a relief whose level 1, 2, 3 … begin at these heights in metres.

    Hills and hollows of less than `bump_in2` square inches are dropped, and listed; outlines move by at most
    `simplify_in` inches. Each level lies on the one below it. Ids are hill-LEVEL-NUMBER, the largest of a level first,
    those in `taken` passed over. `rims_in` is the length of the crest lines of each level on the table, without the
    table's own edge. Raises BadInput where contourpy is not installed.
    """
    import shapely

    table = shapely.box(0, 0, relief.width_in, relief.depth_in)
    pieces: list[Piece] = []
    dropped: list[Left] = []
    rims: list[float] = []
    before: list[list[Polygon]] = []
    after: list[list[Polygon]] = []
    names = _Names(set(taken))
    below: BaseGeometry = table
    for level, height in enumerate(levels, 1):
        found = _polygons(shapely.intersection(areas_above(relief, height), table))
        before.append(found)
        kept = []
        for area in found:
            kept += _without_bumps(area, bump_in2, f"level {level}", dropped)
        fine = shapely.simplify(shapely.union_all(kept), simplify_in, preserve_topology=True)
        fine = shapely.set_precision(shapely.intersection(shapely.make_valid(fine), below), STEP_IN)
        parts = sorted(_polygons(fine), key=lambda part: (-part.area, part.bounds))
        parts = [part for part in parts if part.area >= bump_in2 / 2]
        after.append(parts)
        rims.append(sum(part.boundary.difference(table.boundary.buffer(STEP_IN)).length for part in parts))
        note = f"From {height:g} m." if parts else ""
        for number, part in enumerate(parts):
            name = names.next(level)
            pieces.append(Piece("hill", name, part, level=level, slope=slope or None, note=note if number == 0 else ""))
        below = shapely.union_all(parts)
    counts = [_count(before), _count(after)]
    return Hills(tuple(pieces), KindCount("hill", counts[0], counts[0], counts[1]), tuple(dropped), tuple(rims))


def areas_above(relief: Relief, height_m: float) -> BaseGeometry:
    """The ground of a relief at a height or above it: polygons in inches, with the holes that lie lower.

    Between the places of the relief heights run straight. Raises BadInput where contourpy is not installed.

    >>> import numpy as np
    >>> x, y = np.meshgrid([0.0, 1, 2, 3, 4], [4.0, 3, 2, 1, 0])
    >>> [round(edge, 3) for edge in areas_above(Relief(x, y, 10 * x, 4, 4), 20).bounds]
    [2.0, 0.0, 4.0, 4.0]
    """
    import shapely

    try:
        from contourpy import FillType, contour_generator
    except ImportError:
        raise bad('contours need contourpy; it comes with minis[ground] (pip install "minis[ground]")') from None
    highest = float(relief.metres.max())
    if highest < height_m - AT_LEAST_M:
        return shapely.Polygon()
    made = contour_generator(relief.x_in, relief.y_in, relief.metres, name="serial", fill_type=FillType.OuterOffset)
    found = []
    for points, offsets in zip(*made.filled(height_m - AT_LEAST_M, highest + 1.0), strict=True):
        rings = [points[a:b] for a, b in pairwise(offsets)]
        rings = [ring for ring in rings if len(ring) >= 4]
        if rings:
            found.append(shapely.make_valid(shapely.Polygon(rings[0], rings[1:])))
    return shapely.union_all(found)


def _without_bumps(area: Polygon, bump_in2: float, what: str, dropped: list[Left]) -> list[Polygon]:
    """A hill without its small hollows; nothing where it is a small bump itself."""
    import shapely

    if area.area < bump_in2:
        dropped.append(Left(_where(area), f"{what}: a bump of {area.area:.3g} square inches"))
        return []
    holes = []
    for ring in area.interiors:
        hollow = shapely.Polygon(ring)
        if hollow.area < bump_in2:
            dropped.append(Left(_where(hollow), f"{what}: a hollow of {hollow.area:.3g} square inches, filled"))
        else:
            holes.append(ring)
    return [shapely.Polygon(area.exterior, holes)]


def _where(area: Polygon) -> str:
    spot = area.representative_point()
    return f"at {spot.x:.1f}, {spot.y:.1f}"


def _polygons(shape: BaseGeometry) -> list[Polygon]:
    import shapely

    flat = shapely.get_parts(shapely.get_parts(shape)).tolist()
    return [part for part in flat if part.geom_type == "Polygon" and not part.is_empty]


def _count(levels: Sequence[Sequence[Polygon]]) -> tuple[int, float, float]:
    """Pieces of all levels, and the ground under them: that of the lowest."""
    return sum(map(len, levels)), float(sum(area.area for area in levels[0])), 0.0


@dataclass
class _Names:
    """Ids that are not taken yet."""

    taken: set[str]

    def next(self, level: int) -> str:
        """The next free id of a hill of this level."""
        number = 1
        while f"hill-{level}-{number}" in self.taken:
            number += 1
        name = f"hill-{level}-{number}"
        self.taken.add(name)
        return name
