"""The candidate places of `minis plan hide` on a map, and what one of them sees of the lanes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from minis.board.board import Board
from minis.board.units import Unit
from minis.board.zones import Lane
from minis.draw.canvas import UNITS, Canvas
from minis.draw.palette import EYE, INK, PAPER, SEEN, scale_of
from minis.draw.plan_map import Place, on_lane
from minis.draw.set_words import Named, bases_of
from minis.draw.svg import Element, el, group, path
from minis.draw.table_map import canvas_of
from minis.fire.exposure import Stretch
from minis.lengths import EPSILON_IN, GRID

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

BADGE_IN = 0.75
"""The radius of the badge of a rank on a table of ordinary size, in inches."""

AROUND = 12
"""Directions in which room for a badge is looked for."""


def stretch_line(lane: Lane, stretch: Stretch) -> list[Place]:
    """The line of a stretch along the middle of its lane, in inches.

    >>> stretch_line(Lane("l", ((0, 0), (80000, 0), (80000, 80000))), Stretch(5.0, 12.0, (5.0, 0.0), (10.0, 2.0)))
    [(5.0, 0.0), (10.0, 0.0), (10.0, 2.0)]
    """
    marks, along = [], 0.0
    for a, b in pairwise(lane.line):
        along += math.dist(a, b) / GRID
        if stretch.start_in + EPSILON_IN < along < stretch.end_in - EPSILON_IN:
            marks.append((b[0] / GRID, b[1] / GRID))
    return [on_lane(lane, stretch.start_in)[0], *marks, on_lane(lane, stretch.end_in)[0]]


def seen_layer(board: Board, place: Unit, seen: Mapping[str, Sequence[Stretch]], lanes: Sequence[Lane]) -> Element:
    """What one place sees of the lanes: the stretches, and the ground between them and it; goes below the units."""
    canvas, scale = canvas_of(board), scale_of(board.width_in)
    eye = (place.at[0] / GRID, place.at[1] / GRID)
    fans, lines = [], []
    for lane in lanes:
        for stretch in seen.get(lane.id, ()):
            line = stretch_line(lane, stretch)
            fan = path([canvas.inches(*point) for point in (eye, *line)], closed=True)
            fans.append(el("path", d=fan, fill=SEEN, fill_opacity=0.13, stroke=SEEN, stroke_width=3 * scale))
            d = path(canvas.inches(*point) for point in line)
            named: dict[str, str] = {"class_": "seen", "data_lane": lane.id}
            for colour, width in ((PAPER, 62), (SEEN, 48)):
                lines.append(
                    el(
                        "path", d=d, fill="none", stroke=colour, stroke_width=width * scale, stroke_linecap="round",
                        stroke_linejoin="round", **(named if colour == SEEN else {}),
                    )
                )  # fmt: skip
    return group(fans, lines, class_="in-sight")


def places_layer(board: Board, places: Sequence[Unit], shown: int) -> Named:
    """Candidate places, best first: the base of each, and its rank on a badge beside it; goes above the units.

    `shown` is the number of the one whose stretches are drawn; its badge is blue.
    """
    import shapely

    canvas, scale = canvas_of(board), scale_of(board.width_in)
    radius = BADGE_IN * scale
    taken = shapely.union(bases_of(board.units), bases_of(places))
    bases, badges, boxes = [], [], []
    for number, unit in enumerate(places, start=1):
        colour = EYE if number == shown else INK
        x, y = unit.at[0] / GRID, unit.at[1] / GRID
        spot = _room_beside(board, (x, y), radius, taken)
        taken = shapely.union(taken, shapely.buffer(shapely.Point(spot), radius))
        u, v, r = *canvas.inches(*spot), radius * UNITS
        boxes.append((u - r, v - r, u + r, v + r))
        bases.append(_base(canvas, unit, colour, scale))
        badges.append(_badge(canvas, (x, y), spot, number, colour, radius * UNITS))
    return Named(group(bases, badges, class_="places"), tuple(boxes))


def _base(canvas: Canvas, unit: Unit, colour: str, scale: float) -> Element:
    x, y = canvas.steps(unit.at)
    far = max(unit.length_in / 2, 0.3) * UNITS + 45 * scale
    angle = math.radians(unit.facing)
    shape = (
        el("circle", cx=x, cy=y, r=20 * scale, fill=PAPER, stroke=colour, stroke_width=9 * scale)
        if unit.is_point
        else el(
            "path",
            d=canvas.area([unit.base]),
            fill=PAPER,
            fill_opacity=0.75,
            stroke=colour,
            stroke_width=9 * scale,
            stroke_dasharray=f"{22 * scale:.2f} {14 * scale:.2f}",
        )
    )
    ahead = path([(x, y), (x + math.sin(angle) * far, y - math.cos(angle) * far)])
    return group(shape, el("path", d=ahead, stroke=colour, stroke_width=9 * scale, fill="none"), class_="place")


def _badge(canvas: Canvas, at: Place, spot: Place, number: int, colour: str, radius: float) -> Element:
    (x, y), middle = canvas.inches(*spot), canvas.inches(*at)
    words = str(number)
    size = radius * (1.25 if len(words) < 2 else 1.0)
    return group(
        el("path", d=path([middle, (x, y)]), stroke=colour, stroke_width=radius * 0.09, fill="none"),
        el("circle", cx=x, cy=y, r=radius, fill=colour, stroke=PAPER, stroke_width=radius * 0.12),
        el(
            "text", words, x=x, y=y + size * 0.36, font_size=size, font_weight="bold", text_anchor="middle", fill=PAPER
        ),
        class_="rank", data_rank=number,
    )  # fmt: skip


def _room_beside(board: Board, at: Place, radius: float, taken: BaseGeometry) -> Place:
    """Where near a place there is room for a badge on the table: as near as may be."""
    import shapely

    shapely.prepare(taken)
    for ring in range(2, 12):
        for turn in range(AROUND):
            angle = 2 * math.pi * turn / AROUND
            x, y = at[0] + math.sin(angle) * radius * ring, at[1] + math.cos(angle) * radius * ring
            on_table = radius <= x <= board.width_in - radius and radius <= y <= board.depth_in - radius
            if on_table and not shapely.dwithin(taken, shapely.Point(x, y), radius):
                return x, y
    return at


def way_out_mark(board: Board, place: Unit, way_out: Place) -> Element:
    """A dotted line from a place to the nearest one out of sight, with a cross there."""
    canvas, scale = canvas_of(board), scale_of(board.width_in)
    (x, y), arm = canvas.inches(*way_out), 28 * scale
    cross = path([(x - arm, y - arm), (x + arm, y + arm)]) + path([(x - arm, y + arm), (x + arm, y - arm)])
    return group(
        el(
            "path", d=path([canvas.steps(place.at), (x, y)]), stroke=EYE, stroke_width=9 * scale, fill="none",
            stroke_dasharray=f"{9 * scale:.2f} {18 * scale:.2f}", stroke_linecap="round",
        ),
        el("path", d=cross, stroke=EYE, stroke_width=12 * scale, fill="none"),
        class_="way-out",
    )  # fmt: skip
