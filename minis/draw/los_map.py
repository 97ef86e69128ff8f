"""The part of the table around a sight line, with the line, its crossings, shadows and margin marked on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from minis.board.board import Board
from minis.board.geometry import Box as Steps
from minis.board.geometry import box_of
from minis.draw.canvas import UNITS, Canvas
from minis.draw.labels import Box, overlap
from minis.draw.line_marks import Mark, Spot, Track, blocker_of, first_stop, lower_end, marks_of, track_of
from minis.draw.marks import badge, cross, eye, label
from minis.draw.page import type_of
from minis.draw.palette import BLOCKER, FONT, INK, LINE, PAPER, SHADOW, SMALL, scale_of, text_width
from minis.draw.profile_frame import reach_of
from minis.draw.svg import Element, el, group, path
from minis.draw.table_map import canvas_of, table_map
from minis.draw.unit_labels import unit_boxes
from minis.lengths import GRID, format_length
from minis.sight.line import Sightline
from minis.sight.scene import Scene

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

MARGIN_IN = 3.0
"""Inches of the table around the line that the map shows, at least."""

LEAST_IN = (36.0, 16.0)
"""The least width and depth of the map, in inches."""

LEAST_SHARE = 0.42
"""The least part of the width of the table that the map shows: labels have a size that goes with the table's."""

SHAPE = (0.36, 0.8)
"""The depth of the map over its width, from the least to the greatest."""


@dataclass(frozen=True)
class Window:
    """A part of the table, in inches."""

    west: float
    south: float
    east: float
    north: float

    @property
    def width(self) -> float:
        """From west to east."""
        return self.east - self.west

    @property
    def depth(self) -> float:
        """From south to north."""
        return self.north - self.south

    def meets(self, box: Steps) -> bool:
        """True where a box in grid steps has a part in it."""
        west, south, east, north = (value / GRID for value in box)
        return west <= self.east and east >= self.west and south <= self.north and north >= self.south


def window_of(scene: Scene, line: Sightline) -> Window:
    """The part of the table that the map shows: both bases and the line, with a margin, as far as there is table."""
    board, track = scene.board, track_of(line)
    _, far = reach_of(scene, line)
    corners = [corner for name in (line.from_id, line.to_id) for corner in board.unit(name).base]
    places = [(x / GRID, y / GRID) for x, y in corners] + [track.start, track.end]
    places.append(track.at(min(far, track.long_in + 6)))
    xs, ys = [x for x, _ in places], [y for _, y in places]
    width = max(max(xs) - min(xs) + 2 * MARGIN_IN, LEAST_IN[0], LEAST_SHARE * board.width_in)
    depth = max(max(ys) - min(ys) + 2 * MARGIN_IN, LEAST_IN[1], width * SHAPE[0])
    width = max(width, depth / SHAPE[1])
    west, east = _within((min(xs) + max(xs)) / 2, width, board.width_in)
    south, north = _within((min(ys) + max(ys)) / 2, depth, board.depth_in)
    return Window(west, south, east, north)


def _within(middle: float, length: float, whole: float) -> tuple[float, float]:
    """A stretch of a length around a middle, moved so that it lies on the table; whole inches."""
    length = min(math.ceil(length), whole)
    low = min(max(0.0, math.floor(middle - length / 2)), whole - length)
    return low, low + length


# --- the map --------------------------------------------------------------------------------------------------------


def los_map(
    scene: Scene, line: Sightline, window: Window, *, gap: tuple[Spot, Spot] | None, area: BaseGeometry | None
) -> Element:
    """The part of the table around the line, with all that is marked on it: the gap beside it, ground in shadow."""
    canvas = canvas_of(scene.board)
    size = max(type_of(window.width * UNITS), SMALL * scale_of(scene.board.width_in))
    pen = _Pen(canvas, track_of(line), size)
    board = _cropped(scene.board, window)
    below, above, boxes = _layers(scene, board, line, pen, window, gap, area)
    x, y = canvas.inches(window.west, window.north)
    width, depth = window.width * UNITS, window.depth * UNITS
    frame = el("rect", width=width, height=depth, fill="none", stroke=INK, stroke_width=size * 0.08)
    table = el(
        "svg", table_map(board, below=below, above=above, avoid=[*boxes, *pen.boxes(), *_outside(canvas, window)]),
        viewBox=" ".join(f"{value:.2f}" for value in (x, y, width, depth)), width=width, height=depth,
    )  # fmt: skip
    return group(table, frame, class_="los-map", font_family=FONT)


def los_overlay(
    scene: Scene, line: Sightline, *, gap: tuple[Spot, Spot] | None = None, area: BaseGeometry | None = None
) -> Element:
    """What is marked of a line, to be laid over a map of the whole table."""
    board = scene.board
    pen = _Pen(canvas_of(board), track_of(line), SMALL * scale_of(board.width_in))
    window = Window(0.0, 0.0, board.width_in, board.depth_in)
    below, above, _ = _layers(scene, board, line, pen, window, gap, area)
    return group(below, above, class_="los-overlay", font_family=FONT)


def _layers(
    scene: Scene, board: Board, line: Sightline, pen: _Pen, window: Window, gap: tuple[Spot, Spot] | None,
    area: BaseGeometry | None,
) -> tuple[list[Element], list[Element], list[Box]]:  # fmt: skip
    """What lies under the units, what over them, and the boxes of its words."""
    marks = marks_of(line)
    below = [_area(pen.canvas, area, line)] if area is not None else []
    blocker = blocker_of(marks)
    if blocker is not None:
        below.append(_outline(scene, pen.canvas, blocker, pen.size))
    below += [pen.shadow(mark, pen.track.long_in) for mark in marks if mark.is_drawn]
    crossings, boxes = _crossings(board, marks, pen, window)
    above = [
        pen.line(first_stop(marks)),
        *([_margin(line, gap, pen)] if gap else []),
        crossings,
        *(pen.cross(mark) for mark in marks if mark.crossing.hides),
        pen.ends(line),
    ]
    return below, above, boxes


def _cropped(board: Board, window: Window) -> Board:
    """The board without what lies outside a window; the sides keep their numbers, and so their colours."""
    cropped = replace(
        board,
        terrain=tuple(piece for piece in board.terrain if window.meets(piece.box)),
        smoke=tuple(cloud for cloud in board.smoke if window.meets(cloud.box)),
        units=tuple(unit for unit in board.units if window.meets(box_of(unit.base))),
    )
    cropped.__dict__["sides"] = board.sides
    return cropped


def _outside(canvas: Canvas, window: Window) -> list[Box]:
    """What is not on the map, as boxes that labels keep clear of."""
    west, north = canvas.inches(window.west, window.north)
    east, south = canvas.inches(window.east, window.south)
    width, depth = canvas.inches(canvas.width_in, 0)
    return [(0, 0, west, depth), (east, 0, width, depth), (0, 0, width, north), (0, south, width, depth)]


@dataclass(frozen=True)
class _Pen:
    """Draws along the line on the map."""

    canvas: Canvas
    track: Track
    size: float

    def at(self, along_in: float, aside: float = 0.0) -> tuple[float, float]:
        """A place along the line, `aside` user units to its left, in user units."""
        return self.canvas.inches(*self.track.at(along_in, aside / UNITS))

    def boxes(self) -> list[Box]:
        """Boxes along the line and around its ends that labels keep clear of."""
        half, end = self.size * 0.35, self.track.long_in
        count = max(1, math.ceil(end * UNITS / (2 * half)))
        spots = [self.at(end * k / count) for k in range(count + 1)]
        found = [(x - half, y - half, x + half, y + half) for x, y in spots]
        half = self.size * 0.6
        return found + [(x - half, y - half, x + half, y + half) for x, y in (spots[0], spots[-1])]

    def line(self, stopped: Mark | None) -> Element:
        """The line: whole as far as it is seen, broken beyond the first that stops it."""
        end = self.track.long_in
        wide = self.size * 0.17
        stop = end if stopped is None else stopped.stop_in
        seen = el(
            "path", d=path([self.at(0), self.at(stop)]), stroke=LINE, stroke_width=wide, fill="none", class_="seen"
        )
        edge = el("path", d=path([self.at(0), self.at(end)]), stroke=PAPER, stroke_width=wide * 2.2, fill="none")
        parts = [edge, seen]
        if stopped is not None:
            dash = f"{self.size * 0.5:.2f} {self.size * 0.35:.2f}"
            parts.append(
                el(
                    "path", d=path([self.at(stop), self.at(end)]), stroke=BLOCKER, stroke_width=wide,
                    stroke_dasharray=dash, fill="none", class_="unseen",
                )
            )  # fmt: skip
        return group(parts, class_="line")

    def shadow(self, mark: Mark, long: float) -> Element:
        """A shadow along the line, to its length, with a rung at each inch."""
        start, end = mark.shadow or (0.0, 0.0)
        last = min(end, long + 6.0)
        half = self.size * (0.55 if mark.crossing.hides else 0.4)
        corners = [self.at(start, half), self.at(last, half), self.at(last, -half), self.at(start, -half)]
        rungs = "".join(
            path([self.at(start + inch, half), self.at(start + inch, -half)])
            for inch in range(1, math.ceil(last - start) if end < math.inf else 1)
        )
        edge = path(corners, closed=True) if end < math.inf else path([corners[1], corners[0], corners[3], corners[2]])
        return group(
            el("path", d=path(corners, closed=True), fill=SHADOW, fill_opacity=0.45 if mark.is_blocker else 0.22),
            el("path", d=rungs + edge, fill="none", stroke=SHADOW, stroke_width=self.size * 0.06),
            class_="shadow", data_number=mark.number, data_from=f"{start:.6f}",
            data_to=f"{end:.6f}" if end < math.inf else None,
        )  # fmt: skip

    def cross(self, mark: Mark) -> Element:
        """The cross at what hides, a small one at what would hide too."""
        return group(
            cross(*self.at(mark.stop_in), self.size * (0.55 if mark.is_blocker else 0.3)),
            class_="blocker" if mark.is_blocker else "also", data_obstacle=mark.crossing.obstacle,
            data_at=f"{mark.stop_in:.6f}",
        )  # fmt: skip

    def ends(self, line: Sightline) -> Element:
        """The eye at the viewer's sight point, a ring at the other."""
        x, y = self.at(self.track.long_in)
        ring = group(
            el("circle", cx=x, cy=y, r=self.size * 0.36, fill=PAPER, stroke=INK, stroke_width=self.size * 0.14),
            el("circle", cx=x, cy=y, r=self.size * 0.12, fill=INK),
            class_="target", data_id=lower_end(line),
        )  # fmt: skip
        return group(group(eye(*self.at(0), self.size * 0.5), class_="eye", data_id=line.viewer), ring, class_="ends")


def _outline(scene: Scene, canvas: Canvas, blocker: Mark, size: float) -> Element:
    """The outline of what hides."""
    obstacle = next(o for o in scene.obstacles if o.id == blocker.crossing.obstacle)
    d = canvas.area(obstacle.rings) if obstacle.rings else canvas.line(obstacle.line)
    return el(
        "path", d=d, fill="none", stroke=BLOCKER, stroke_width=size * 0.24, stroke_linejoin="round",
        class_="blocker-outline", data_obstacle=obstacle.id,
    )  # fmt: skip


def _crossings(board: Board, marks: Sequence[Mark], pen: _Pen, window: Window) -> tuple[Element, list[Box]]:
    """The stretch of each crossing, its number and its distance, beside the line where there is room; their boxes."""
    size = pen.size * 0.9
    taken = [box for unit in board.units for box in unit_boxes(unit, pen.canvas)]
    boxes = []
    parts = []
    for mark in marks:
        met = mark.crossing
        stretch = path([pen.at(met.entry_in), pen.at(met.exit_in)])
        if met.exit_in - met.entry_in < 0.02:
            stretch = path([pen.at(met.entry_in, size * 0.5), pen.at(met.entry_in, -size * 0.5)])
        words = format_length(round(mark.at_in, 2))
        wide = size * 1.6 + text_width(words, size)
        anchor = pen.at(mark.at_in)
        box = _place(pen, mark, (wide, size * 1.3), taken, window)
        taken.append(box)
        boxes.append(box)
        left, middle = box[0] + size * 0.65, (box[1] + box[3]) / 2
        colour = BLOCKER if mark.is_blocker else INK
        near = (min(max(anchor[0], box[0]), box[2]), min(max(anchor[1], box[1]), box[3]))
        parts.append(
            group(
                el("path", d=stretch, stroke=colour, stroke_width=size * 0.3, class_="stretch"),
                el("path", d=path([anchor, near]), stroke=colour, stroke_width=size * 0.06),
                badge(mark.number, left, middle, size * 0.62, filled=mark.is_blocker),
                label(words, left + size * 0.85, middle + size * 0.36, size, bold=mark.is_blocker, colour=colour),
                class_="crossing", data_number=mark.number, data_obstacle=met.obstacle,
                data_entry=f"{met.entry_in:.6f}", data_exit=f"{met.exit_in:.6f}",
            )
        )  # fmt: skip
    return group(parts, class_="crossings"), boxes


def _place(pen: _Pen, mark: Mark, shape: tuple[float, float], taken: Sequence[Box], window: Window) -> Box:
    """A box for a label beside the line: the nearest one that is free, on the map, and off the line."""
    wide, tall = shape
    along = mark.at_in
    west, south = pen.canvas.inches(window.west, window.south)
    east, north = pen.canvas.inches(window.east, window.north)
    best: tuple[float, Box] | None = None
    (lx, ly) = pen.track.left
    for far in range(12):
        for side in (1, -1):
            # how far the middle of the box must be aside so that the box stays off the line
            off = abs(lx) * wide / 2 + abs(ly) * tall / 2 + pen.size * (0.8 + far * 1.2)
            x, y = pen.at(along, side * off)
            x = min(max(x, west + wide / 2), east - wide / 2)
            y = min(max(y, north + tall / 2), south - tall / 2)
            box = (x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
            cost = far + 40.0 * sum(overlap(box, other) for other in taken)
            if best is None or cost < best[0]:
                best = (cost, box)
    if best is None:
        raise AssertionError("there are places to try")
    return best[1]


# --- the margin, the shadow as an area --------------------------------------------------------------------------------


def _margin(line: Sightline, gap: tuple[Spot, Spot], pen: _Pen) -> Element:
    """How narrowly the line passes what would stop it, from that to the line."""
    (x0, y0), (x1, y1) = (pen.canvas.inches(*spot) for spot in gap)
    near, by_in = (line.near.obstacle, line.near.by_in) if line.near else ("", 0.0)
    size = pen.size
    d = path([(x0, y0), (x1, y1)])
    return group(
        el("path", d=d, stroke=PAPER, stroke_width=size * 0.4),
        el("path", d=d, stroke=BLOCKER, stroke_width=size * 0.16),
        label(
            format_length(by_in), x0 + size * 0.3, y0 + (size * 1.1 if y0 > y1 else -size * 0.3), size * 0.9,
            colour=BLOCKER,
        ),
        class_="margin", data_obstacle=near, data_by=f"{by_in:.6f}",
    )  # fmt: skip


def _area(canvas: Canvas, area: BaseGeometry, line: Sightline) -> Element:
    return el(
        "path", d=canvas.polygons(area), fill=SHADOW, fill_opacity=0.16, fill_rule="evenodd", stroke=SHADOW,
        stroke_width=5, stroke_dasharray="20 12", class_="shadow-area",
        data_obstacle=line.deciding.obstacle if line.deciding else None,
    )  # fmt: skip
