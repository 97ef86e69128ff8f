"""Short words set into areas of the table: where they fit, and clear of what should not be covered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from minis.board.units import Unit
from minis.draw.canvas import UNITS, Canvas, Spot
from minis.draw.labels import Box
from minis.draw.palette import CHARACTER, INK, PAPER, text_width
from minis.draw.svg import Element, el, group
from minis.lengths import GRID

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

ROOM = 0.6
"""Half the height of a word that has to be free around its middle, and as much more to its sides as it is longer."""

CLEAR_IN = 0.2
"""How far words keep off the bases of units, in inches."""

FINENESS = 0.1
"""The middle of an area is found to this many heights of its words."""

NEARLY = 0.9
"""The middle of an area is taken where it has this much of the room of the best place in it."""


def halo(words: str, at: Spot, size: float, *, colour: str = INK, weight: str | None = None) -> Element:
    """A short word with its middle at a place, its edge lit so that it reads on any ground."""
    return el(
        "text", words, x=at[0], y=at[1] + size * 0.36, font_size=size, font_weight=weight, text_anchor="middle",
        fill=colour, stroke=PAPER, stroke_width=size * 0.24, stroke_linejoin="round", paint_order="stroke",
    )  # fmt: skip


def bases_of(units: Iterable[Unit]) -> BaseGeometry:
    """The bases of some units with a little room around them, in inches."""
    import shapely

    shapes = [
        (shapely.Polygon if len(unit.base) > 1 else shapely.Point)([(x / GRID, y / GRID) for x, y in unit.base])
        for unit in units
    ]
    return shapely.buffer(shapely.union_all(shapes), CLEAR_IN)


def share_of(share: float) -> str:
    """A share in whole percent.

    >>> share_of(0.404)
    '40 %'
    """
    return f"{share * 100:.0f} %"


def thousandths(shape: BaseGeometry) -> BaseGeometry:
    """A geometry with its corners to 1/1000 inch, which is as true as the edges of regions are: shorter to write."""
    import numpy as np
    import shapely

    return shapely.transform(shape, lambda corners: np.round(corners, 3))


def pieces_of(shape: Any) -> Iterator[Any]:
    """The polygons of a geometry, one by one."""
    from shapely import Polygon

    if isinstance(shape, Polygon):
        if not shape.is_empty:
            yield shape
        return
    for part in getattr(shape, "geoms", ()):
        yield from pieces_of(part)


def room_for(shape: BaseGeometry, words: str, sizes: Sequence[float]) -> tuple[float, float, float] | None:
    """Where in an area a word fits: its middle in inches, and the first of some sizes of type at which it does.

    `sizes` are in user units. None where it does not fit at any.

    >>> import shapely
    >>> room_for(shapely.box(0, 0, 10, 2), "farm", [100, 50])
    (5.0, 1.0, 100)
    >>> room_for(shapely.box(0, 0, 10, 0.2), "farm", [100, 50]) is None
    True
    """
    import shapely
    from shapely import affinity

    longer = max(1.0, len(words) * CHARACTER)
    narrow = affinity.scale(shape, 1 / longer, 1, origin=(0, 0))  # what is round here has room for the word there
    best: tuple[float, float, float] | None = None
    for part in pieces_of(narrow):
        if math.sqrt(part.area) < sizes[-1] / UNITS * ROOM:
            continue
        circle = shapely.maximum_inscribed_circle(part, tolerance=sizes[-1] / UNITS * FINENESS)
        x, y = circle.coords[0]
        radius = float(shapely.length(circle))
        middle = part.centroid
        inside = float(shapely.distance(part.boundary, middle)) if part.contains(middle) else 0.0
        if inside >= radius * NEARLY:
            x, y, radius = middle.x, middle.y, inside
        if best is None or radius > best[2] + 1e-9:
            best = (round(x * longer, 3), round(y, 3), radius)
    if best is None:
        return None
    size = next((size for size in sizes if best[2] >= size / UNITS * ROOM), None)
    return None if size is None else (best[0], best[1], size)


@dataclass(frozen=True)
class Named:
    """Words on the map, and the boxes that they take, in user units: other words keep off them."""

    element: Element
    boxes: tuple[Box, ...] = ()


def set_into(
    canvas: Canvas, named: Iterable[tuple[BaseGeometry, str]], sizes: Sequence[float], taken: BaseGeometry, role: str
) -> Named:
    """Each word in its area, in order: off what is taken, and off the words before it. `role` is the class of all."""
    import shapely

    parts, boxes = [], []
    for shape, words in named:
        found = room_for(shapely.difference(shape, taken), words, sizes)
        if found is None:
            continue
        middle = canvas.inches(*found[:2])
        boxes.append(box_around(words, middle, found[2]))
        taken = shapely.union(taken, ground_of(canvas, boxes[-1:]))
        parts.append(halo(words, middle, found[2]))
    return Named(group(parts, class_=role), tuple(boxes))


def box_around(words: str, middle: Spot, size: float) -> Box:
    """The box of a word with its middle at a place, in user units."""
    wide, high = (text_width(words, size) + size * 0.24) / 2, size * 0.6
    return middle[0] - wide, middle[1] - high, middle[0] + wide, middle[1] + high


def ground_of(canvas: Canvas, boxes: Sequence[Box]) -> BaseGeometry:
    """The ground under some boxes, in inches.

    >>> ground_of(Canvas(84, 48), [(100, 100, 300, 200)]).bounds
    (1.0, 46.0, 3.0, 47.0)
    """
    import shapely

    depth = canvas.depth_in
    found = [
        shapely.box(west / UNITS, depth - south / UNITS, east / UNITS, depth - north / UNITS)
        for west, north, east, south in boxes
    ]
    return shapely.union_all(found)
