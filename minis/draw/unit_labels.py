"""The labels of units: what they say, the boxes that they keep off, the plates on which they stand."""

from __future__ import annotations

import math
from collections.abc import Sequence

from minis.board.board import Board
from minis.board.geometry import sin_cos
from minis.board.units import Unit
from minis.draw.canvas import UNITS, Canvas, Spot
from minis.draw.labels import Box, Label, Placed, place_labels
from minis.draw.palette import ASCENT, DESCENT, FINE, INK, TEXT, text_scale
from minis.draw.svg import Element, el, group, path
from minis.draw.unit_layer import POINT_RADIUS, on_base, side_dash, side_number, side_paint

WRECK_PLATE = "#e2e2e2"


def label_words(board: Board, unit: Unit) -> str:
    """What the label of a unit says: its id, what it carries, its token, its storey, whether it is a dummy or a wreck.

    That it is hidden its plate says.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> [label_words(board, board.unit(name)) for name in ("T1", "T5", "T7", "P8")]
    ['T1 (A1)', 'T5 st.1', 'T7+T8', 'P8']
    """
    words = "+".join([unit.id, *unit.carries])
    if unit.token is not None and not unit.unknown:
        words += f" ({unit.token})"
    if unit.roof:
        words += " roof"
    elif unit.storey:
        words += f" st.{unit.storey}"
    return words + (" dummy" if unit.dummy else "") + (" wreck" if unit.wreck else "")


def unit_boxes(unit: Unit, canvas: Canvas) -> list[Box]:
    """Boxes that together cover the base of a unit, in user units."""
    x, y = canvas.steps(unit.at)
    if unit.is_point or unit.unknown:
        radius = max(unit.length_in, unit.width_in) * UNITS / 2 or POINT_RADIUS
        return [(x - radius, y - radius, x + radius, y + radius)]
    length, width = unit.length_in, unit.width_in
    long_, short = max(length, width), max(min(length, width), max(length, width) / 6)
    count = math.ceil(long_ / short)
    cell = long_ / count
    sine, cosine = sin_cos(unit.facing)
    sines = abs(sine), abs(cosine)
    found = []
    for k in range(count):
        at = ((k + 0.5) / count - 0.5) if length >= width else 0.0
        to = 0.0 if length >= width else ((k + 0.5) / count - 0.5)
        cx, cy = on_base(unit, canvas, at, to)
        ahead, across = (cell, width) if length >= width else (length, cell)
        half_x = (ahead * sines[0] + across * sines[1]) * UNITS / 2
        half_y = (ahead * sines[1] + across * sines[0]) * UNITS / 2
        found.append((cx - half_x, cy - half_y, cx + half_x, cy + half_y))
    return found


def label_layer(board: Board, canvas: Canvas, taken: Sequence[Box]) -> Element:
    """The labels of all units, beside them and clear of each other, of every unit, and of the boxes `taken`."""
    bases = [box for unit in board.units for box in unit_boxes(unit, canvas)]
    bounds = (0.0, 0.0, board.width_in * UNITS, board.depth_in * UNITS)
    placed = place_labels(unit_labels(board, canvas), [*taken, *bases], bounds)
    leaders = [
        group(
            el("path", d=path(one.leader), stroke=INK, stroke_width=FINE * 0.9, fill="none"),
            el("circle", cx=one.leader[1][0], cy=one.leader[1][1], r=12, fill=INK, stroke="#ffffff", stroke_width=4),
        )
        for one in placed if one.leader
    ]  # fmt: skip
    plates = (
        _plate(one, board.unit(one.label.name), side_number(board, board.unit(one.label.name).side)) for one in placed
    )
    return group(leaders, plates, class_="labels")


def unit_labels(board: Board, canvas: Canvas) -> list[Label]:
    """The labels of all units that have one: a passenger is named with its carrier."""
    size = TEXT * text_scale(board.width_in)
    found = []
    for unit in sorted(board.units, key=lambda unit: unit.id):
        if unit.id in board.carrier_of:
            continue
        boxes = unit_boxes(unit, canvas)
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
        found.append(
            Label(
                label_words(board, unit), (left + right) / 2, (top + bottom) / 2, (right - left) / 2,
                (bottom - top) / 2, size, unit.id,
            )
        )  # fmt: skip
    return found


def _plate(placed: Placed, unit: Unit, number: int) -> Element:
    """A label on a plate: dark with light words for the first side, light with dark words for the second.

    The plate of what is hidden and of a dummy is white within a broken edge.
    """
    left, top, right, bottom = placed.box
    return plate(
        placed.label.words, (left, top), (right - left, bottom - top), placed.label.size, number,
        doubtful=unit.hidden or unit.dummy, wreck=unit.wreck, name=unit.id,
    )  # fmt: skip


def plate(
    words: str,
    corner: Spot,
    extent: Spot,
    size: float,
    number: int,
    *,
    doubtful: bool = False,
    wreck: bool = False,
    name: str | None = None,
) -> Element:
    """A plate of a label from its left upper corner on, with its words in the middle."""
    fill, ink = side_paint(number)
    edge, dash = INK, side_dash(number)
    if doubtful:
        edge, dash = (fill, "16 9")
        fill, ink = "#ffffff", INK
    elif wreck:
        fill, ink, edge = WRECK_PLATE, INK, fill
    (left, top), (width, height) = corner, extent
    return group(
        el(
            "rect", x=left, y=top, width=width, height=height, rx=size * 0.15, fill=fill, fill_opacity=0.93,
            stroke=edge, stroke_width=FINE * (1.4 if doubtful or wreck else 0.5), stroke_dasharray=dash,
        ),
        el(
            "text", words, x=left + width / 2, y=top + height / 2 + size * (ASCENT - DESCENT) / 2, font_size=size,
            text_anchor="middle", fill=ink,
        ),
        class_=f"label side-{number + 1}", data_id=name,
    )  # fmt: skip
