"""A plan on a map: zones and lanes, and the legend of all that is on it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from minis.board.board import Board
from minis.board.zones import Lane, Zone
from minis.draw.canvas import UNITS, Canvas, Spot
from minis.draw.page import SWATCH, Key
from minis.draw.palette import CAUTION, EYE, INK, PAPER, SEEN, SHADOW, TEXT, scale_of
from minis.draw.set_words import Named, box_around, ground_of, halo, set_into
from minis.draw.svg import Element, el, group, path
from minis.draw.table_map import canvas_of
from minis.lengths import EPSILON_IN, GRID

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Place = tuple[float, float]

SIGHT = ((SEEN, 48), (PAPER, 20), (INK, 9))
"""The line of a lane in sight: colours and widths, from below."""

ARROWS_IN = 9.0
"""How far the arrows on a lane are apart, in inches."""

ARROW = 55
"""The size of an arrow on a table of ordinary size, in user units."""


# --- zones and lanes -------------------------------------------------------------------------------------------------


def zones_layer(board: Board, zones: Sequence[Zone]) -> Element:
    """The edges of zones, dashed; goes below the units."""
    canvas, scale = canvas_of(board), scale_of(board.width_in)
    parts = []
    for zone in zones:
        d = canvas.area([zone.ring])
        parts.append(
            group(
                el("path", d=d, fill=CAUTION, fill_opacity=0.1, stroke=PAPER, stroke_width=22 * scale),
                el(
                    "path", d=d, fill="none", stroke=CAUTION, stroke_width=14 * scale,
                    stroke_dasharray=f"{70 * scale:.2f} {45 * scale:.2f}",
                ),
                class_="zone", data_id=zone.id,
            )
        )  # fmt: skip
    return group(parts, class_="zones")


def zone_names(board: Board, zones: Sequence[Zone], taken: BaseGeometry) -> Named:
    """The names of zones where there is room in them; goes above the units."""
    named = [(_polygon(zone), f"zone {zone.id}") for zone in zones]
    size = TEXT * scale_of(board.width_in)
    return set_into(canvas_of(board), named, [size, size * 0.8], taken, "zone-names")


def _polygon(zone: Zone) -> BaseGeometry:
    import shapely

    return shapely.Polygon([(x / GRID, y / GRID) for x, y in zone.ring])


def lane_grounds(board: Board, lanes: Sequence[Lane]) -> Element:
    """The ground over which lanes go that are not in single file; goes below the lanes and what is seen of them."""
    found = [(lane, d) for lane in lanes if (d := _wide(board, lane))]
    return group(
        (
            el(
                "path", d=d, fill=SHADOW, fill_opacity=0.12, fill_rule="evenodd", stroke=INK,
                stroke_width=4 * scale_of(board.width_in), stroke_opacity=0.6, class_="lane-ground", data_id=lane.id,
            )
            for lane, d in found
        ),
        class_="lane-grounds",
    )  # fmt: skip


def lanes_layer(board: Board, lanes: Sequence[Lane]) -> Element:
    """The lines of lanes with arrows the way they go; goes below the units."""
    return group((_lane(board, lane) for lane in lanes), class_="lanes")


def _lane(board: Board, lane: Lane) -> Element:
    canvas, scale = canvas_of(board), scale_of(board.width_in)
    parts = []
    d = canvas.line(lane.line)
    arrows = "".join(_arrow(canvas, at, ahead, ARROW * scale) for at, ahead in _arrows(lane))
    for colour, width in ((PAPER, 20), (INK, 9)):
        parts.append(el("path", d=d, fill="none", stroke=colour, stroke_width=width * scale, stroke_linejoin="round"))
    parts.append(el("path", d=arrows, fill=INK, stroke=PAPER, stroke_width=5 * scale))
    return group(parts, class_="lane", data_id=lane.id)


def _wide(board: Board, lane: Lane) -> str | None:
    """The outline of the ground of a lane, as a path; None of one in single file."""
    import shapely

    canvas = canvas_of(board)
    if lane.area is not None:
        return canvas.area([lane.area])
    if not lane.width_in:
        return None
    line = shapely.LineString([(x / GRID, y / GRID) for x, y in lane.line])
    ground = shapely.buffer(line, lane.width_in / 2, cap_style="flat", join_style="mitre")
    return canvas.polygons(shapely.intersection(ground, shapely.box(0, 0, board.width_in, board.depth_in)))


def _arrows(lane: Lane) -> Iterator[tuple[Place, float]]:
    """Places along a lane, in inches, and the way ahead there as an angle from east: its end, and some before it."""
    length = length_of(lane)
    count = max(1, round(length / ARROWS_IN))
    for number in range(1, count + 1):
        along = length * number / count
        (x, y), (a, b) = on_lane(lane, along)
        yield (x, y), math.atan2(b[1] - a[1], b[0] - a[0])


def _arrow(canvas: Canvas, at: Place, ahead: float, size: float) -> str:
    x, y = canvas.inches(*at)
    tips = ((0.0, 0.0), (-1.6, 0.7), (-1.2, 0.0), (-1.6, -0.7))
    cos, sin = math.cos(ahead), math.sin(ahead)
    return path(((x + (u * cos - v * sin) * size, y - (u * sin + v * cos) * size) for u, v in tips), closed=True)


def lane_names(board: Board, lanes: Sequence[Lane], taken: BaseGeometry) -> Named:
    """The name of each lane beside its beginning, where there is room; goes above the units."""
    import shapely

    canvas, size = canvas_of(board), TEXT * scale_of(board.width_in)
    table = shapely.box(0, 0, board.width_in, board.depth_in)
    parts, boxes = [], []
    for lane in lanes:
        words = f"lane {lane.id}"
        _, _, east, south = box_around(words, (0, 0), size)
        spots = [canvas.inches(*place) for place in _beside(lane, east / UNITS, south / UNITS)]
        tried = [(spot, ground_of(canvas, [box_around(words, spot, size)])) for spot in spots]
        on_table = [one for one in tried if table.contains(one[1])]
        free = [one for one in on_table if not one[1].intersects(taken)] or on_table
        if free:
            spot, ground = free[0]
            taken = shapely.union(taken, ground)
            boxes.append(box_around(words, spot, size))
            parts.append(halo(words, spot, size, weight="bold"))
    return Named(group(parts, class_="lane-names"), tuple(boxes))


def _beside(lane: Lane, wide: float, high: float) -> Iterator[Place]:
    """Places to the left and to the right of a lane for a name of some size, those near its beginning first."""
    length = length_of(lane)
    for share in range(1, 10):
        (x, y), (a, b) = on_lane(lane, length * share / 12)
        long = math.dist(a, b)
        u, v = -(b[1] - a[1]) / long, (b[0] - a[0]) / long
        off = abs(u) * wide + abs(v) * high + 0.35
        yield from ((x + u * off, y + v * off), (x - u * off, y - v * off))


def length_of(lane: Lane) -> float:
    """The length of a lane along its middle, in inches."""
    return sum(math.dist(a, b) for a, b in pairwise(lane.line)) / GRID


def on_lane(lane: Lane, along: float) -> tuple[Place, tuple[Place, Place]]:
    """The place so many inches along a lane, and the leg it is on, in inches."""
    legs = [((ax / GRID, ay / GRID), (bx / GRID, by / GRID)) for (ax, ay), (bx, by) in pairwise(lane.line)]
    for a, b in legs:
        long = math.dist(a, b)
        if along <= long + EPSILON_IN:
            share = along / long
            return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share), (a, b)
        along -= long
    return legs[-1][1], legs[-1]


# --- the legend ------------------------------------------------------------------------------------------------------


def plan_keys(*, zones: bool, lanes: bool, places: bool, shown: int | None, way_out: bool) -> list[Key]:
    """The legend of what is on a plan; `shown` is the rank of the place whose sight is drawn."""
    wide, high = SWATCH
    line = f"M10 {high / 2:.0f}H{wide - 10:.0f}"
    found = []
    if zones:
        edge = el("rect", x=8, y=8, width=wide - 16, height=high - 16, fill=CAUTION, fill_opacity=0.1, stroke=CAUTION,
                  stroke_width=14, stroke_dasharray="50 28")  # fmt: skip
        found.append(Key(edge, "zone: where a side may set up"))
    if lanes:
        arrow = _arrow(Canvas(0, high / 2 / UNITS), (1.6, 0.0), 0.0, ARROW)
        found.append(
            Key(group(el("path", d=line, stroke=INK, stroke_width=9), el("path", d=arrow, fill=INK)), "lane, its way")
        )
    if places:
        middle: Spot = (wide / 2, high / 2)
        badge = group(
            el("circle", cx=middle[0], cy=middle[1], r=46, fill=INK),
            el("text", "2", x=middle[0], y=middle[1] + 22, font_size=60, font_weight="bold", text_anchor="middle",
               fill=PAPER),
        )  # fmt: skip
        found.append(Key(badge, "candidate place by rank, facing"))
    if shown is not None:
        parts = (el("path", d=line, stroke=colour, stroke_width=width) for colour, width in SIGHT)
        found.append(Key(group(parts), f"of a lane in sight of place {shown}"))
    if way_out:
        dots = el("path", d=line, stroke=EYE, stroke_width=9, stroke_dasharray="9 18", stroke_linecap="round")
        found.append(Key(dots, f"way out of sight of place {shown}"))
    return found
