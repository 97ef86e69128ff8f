"""How far a weapon reaches on a map: the range bands of the To Hit table around a unit, and its covered arc."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from minis.board.board import Board
from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.draw.page import SWATCH, Key
from minis.draw.palette import INK, PAPER, TEXT, scale_of
from minis.draw.set_words import Named, box_around, ground_of, halo
from minis.draw.svg import Element, el, group, path
from minis.draw.table_map import canvas_of
from minis.fire.measure import covered_arc
from minis.lengths import GRID, format_length

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

ROUND = 24
"""Edges to a quarter of a circle."""

TRIES = (0, *(sign * turn for turn in range(4, 181, 4) for sign in (1, -1)))
"""Degrees off straight ahead at which the name of a range is tried: the first place with room on the table has it."""

NAMES = 0.85
"""The size of the names of ranges, in parts of that of the names of units."""

HALF_TURN = 180.0
"""Degrees to each side of an arc that has no edges."""


def base_of(board: Board, unit: Unit) -> BaseGeometry:
    """What ranges are measured from: the base, or its centre by the switch; in inches (S1.3)."""
    import shapely

    if unit.is_point or board.rules.switch("measure") == "centre":
        return shapely.Point(unit.at[0] / GRID, unit.at[1] / GRID)
    return shapely.Polygon([(x / GRID, y / GRID) for x, y in unit.base])


def within(board: Board, unit: Unit, distance_in: float) -> BaseGeometry:
    """The ground of the table up to a distance from a unit, in inches.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> within(board, board.unit("P1"), 200).area == 84 * 48
    True
    """
    import shapely

    table = shapely.box(0, 0, board.width_in, board.depth_in)
    return shapely.intersection(shapely.buffer(base_of(board, unit), distance_in, quad_segs=ROUND), table)


def ahead_of(board: Board, unit: Unit, weapon: Weapon | None) -> float:
    """The bearing of the middle of the covered arc, else of the unit (Case A)."""
    arc = covered_arc(board.rules, unit, weapon) if weapon else None
    return arc[0] if arc else unit.facing


def range_layer(
    board: Board, unit: Unit, weapon: Weapon | None, ranges: Sequence[int], taken: BaseGeometry
) -> tuple[Element, Named]:
    """A line at the end of each range band, in hexes; and their names, off what is taken."""
    import shapely

    canvas = canvas_of(board)
    scale = scale_of(board.width_in)
    table = shapely.box(0, 0, board.width_in, board.depth_in)
    lines, names, boxes = [], [], []
    for hexes in ranges:
        far = hexes * board.inches_per_hex
        ring = shapely.buffer(base_of(board, unit), far, quad_segs=ROUND).exterior
        on_table = shapely.intersection(ring, table)
        d = "".join(path(canvas.inches(x, y) for x, y in part.coords) for part in _lines(on_table))
        if not d:
            continue
        for colour, width in ((PAPER, 14), (INK, 7)):
            lines.append(
                el(
                    "path", d=d, fill="none", stroke=colour, stroke_width=width * scale,
                    stroke_dasharray=f"{50 * scale:.2f} {30 * scale:.2f}", data_hexes=hexes,
                )
            )  # fmt: skip
        words = f"{hexes} hexes, {format_length(far)}"
        size = TEXT * NAMES * scale
        for spot in _around(unit, ahead_of(board, unit, weapon), far):
            box = box_around(words, canvas.inches(*spot), size)
            ground = ground_of(canvas, [box])
            if table.contains(ground) and not ground.intersects(taken):
                names.append(halo(words, canvas.inches(*spot), size, weight="bold"))
                boxes.append(box)
                taken = shapely.union(taken, ground)
                break
    return group(lines, class_="ranges"), Named(group(names, class_="range-names"), tuple(boxes))


def _around(unit: Unit, ahead: float, far: float) -> Iterator[tuple[float, float]]:
    """Places at a distance from a unit, in inches: straight ahead, then ever farther to the sides."""
    x, y = unit.at[0] / GRID, unit.at[1] / GRID
    for turn in TRIES:
        angle = math.radians(ahead + turn)
        reach = far + unit.length_in / 2
        yield x + math.sin(angle) * reach, y + math.cos(angle) * reach


def _lines(shape: Any) -> list[Any]:
    """The lines of a geometry."""
    import shapely

    merged = shapely.line_merge(shape) if shape.geom_type != "LineString" else shape
    return [part for part in getattr(merged, "geoms", [merged]) if part.geom_type == "LineString" and not part.is_empty]


def arc_layer(board: Board, unit: Unit, weapon: Weapon | None) -> Element | None:
    """The two edges of the covered arc of a weapon, to the edge of the table; None where there is none (Case A)."""
    import shapely

    arc = covered_arc(board.rules, unit, weapon) if weapon else None
    if arc is None or arc[1] >= HALF_TURN:
        return None
    ahead, half = arc
    canvas = canvas_of(board)
    scale = scale_of(board.width_in)
    x, y = unit.at[0] / GRID, unit.at[1] / GRID
    table = shapely.box(0, 0, board.width_in, board.depth_in)
    far = math.hypot(board.width_in, board.depth_in)
    d = ""
    for turn in (-half, half):
        angle = math.radians(ahead + turn)
        ray = shapely.LineString([(x, y), (x + math.sin(angle) * far, y + math.cos(angle) * far)])
        d += "".join(path(canvas.inches(u, v) for u, v in part.coords) for part in _lines(ray.intersection(table)))
    return group(
        el("path", d=d, fill="none", stroke=PAPER, stroke_width=16 * scale),
        el("path", d=d, fill="none", stroke=INK, stroke_width=8 * scale),
        class_="covered-arc",
    )


def range_key() -> Key:
    """The legend of the ranges."""
    line = f"M4 {SWATCH[1] / 2:.0f}H{SWATCH[0] - 4:.0f}"
    dashes = el("path", d=line, stroke=INK, stroke_width=8, stroke_dasharray="50 20", fill="none")
    return Key(dashes, "end of a range band of the To Hit table")


def arc_key() -> Key:
    """The legend of the covered arc."""
    wide, high = SWATCH
    edges = f"M{wide - 20:.0f} 6L20 {high / 2:.0f}L{wide - 20:.0f} {high - 6:.0f}"
    return Key(el("path", d=edges, stroke=INK, stroke_width=8, fill="none"), "covered arc")
