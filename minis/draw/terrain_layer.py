"""The ground of a picture: contours with their levels, terrain with hatch and letter, the grid with its inches."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from minis.board.board import Board
from minis.board.geometry import Point, locate
from minis.board.terrain import Terrain
from minis.draw.canvas import UNITS, Canvas, Spot
from minis.draw.hatches import definitions, paint
from minis.draw.labels import Box, Label, Placed, Room
from minis.draw.palette import CONTOUR, GRID_LINE, GROUND, HILLS, INK, SMALL, THIN, scale_of
from minis.draw.svg import Element, el, group, number, path
from minis.draw.terrain_looks import LOOKS, Look, Stroke, look_of, rank_of

GRID_IN = 12
"""Inches between the lines of the grid; half as much on a small table."""

SAMPLES = 11
"""Places across an area at which its letter is tried."""

TICK, TICK_EVERY = 22.0, 70.0
"""Length of the ticks that run downhill from a contour, and their distance, in user units."""

LEVEL_EVERY = 3500.0
"""A contour says its level once, and once more for every so many user units of its length."""

LEVEL_TRIES = 24
"""Places along each such stretch at which the level is tried."""


def terrain_layer(
    board: Board, canvas: Canvas, *, grid: bool = True, under: Sequence[Element] = (), through: float | None = None
) -> Element:
    """The ground, the hills, all terrain in its order, the grid, and the letters.

    `under` lies on the ground, below hills and terrain, which are then drawn `through`: so much of them covers it.
    """
    scale = scale_of(board.width_in)
    hills = sorted(board.hills, key=lambda hill: (hill.level, hill.id))
    others = sorted(
        (piece for piece in board.terrain if piece.kind.shape != "hill"),
        key=lambda piece: (piece.kind.shape == "line", rank_of(piece.kind), piece.id),
    )
    looks = {piece.kind.id: look_of(piece.kind) for piece in others}
    used = {look.hatch: look.ink for _, look in sorted(looks.items()) if look.hatch and look.fill != "none"}
    width, height = board.width_in * UNITS, board.depth_in * UNITS
    over = [group(_contour(hill, canvas, scale, "none")) for hill in hills if _is_covered(hill, others)]
    return group(
        definitions(sorted(used.items()), scale),
        el("rect", width=width, height=height, fill=GROUND),
        under,
        group((_hill(hill, canvas, scale) for hill in hills), class_="hills", opacity=through),
        group(_terrain(others, canvas, scale), class_="terrain", opacity=through),
        group(over, class_="contours") if over else (),
        grid_lines(board) if grid else (),
        el("rect", width=width, height=height, fill="none", stroke=INK, stroke_width=THIN * 2),
        group(letters(board, canvas, grid=grid)[0], class_="letters"),
        class_="ground",
    )


# --- hills and terrain -----------------------------------------------------------------------------------------------


def _hill(hill: Terrain, canvas: Canvas, scale: float) -> Element:
    """A hill: its tint and its contour."""
    fill = HILLS[min(hill.level, len(HILLS)) - 1]
    return group(_contour(hill, canvas, scale, fill), class_="hill", data_id=hill.id)


def _contour(hill: Terrain, canvas: Canvas, scale: float, fill: str) -> Iterator[Element]:
    """A contour, and ticks downhill where it is a crest line, none on an even slope (S7.5)."""
    yield el(
        "path", d=canvas.area(hill.rings), fill=fill, fill_rule="evenodd", stroke=CONTOUR, stroke_width=8 * scale,
        stroke_dasharray=f"{number(40 * scale)} {number(14 * scale)}" if hill.slope else None,
    )  # fmt: skip
    ticks = "" if hill.slope else "".join(_ticks(hill, canvas, scale))
    if ticks:
        yield el("path", d=ticks, stroke=CONTOUR, stroke_width=4 * scale, fill="none")


def _is_covered(hill: Terrain, pieces: Iterable[Terrain]) -> bool:
    """Whether an area may hide the contour: fields of real ground reach over hills, and a crest line must be seen."""
    left, low, right, high = hill.box
    return any(
        piece.kind.height != "storey" and piece.kind.id != "road"
        and piece.box[0] < right and left < piece.box[2] and piece.box[1] < high and low < piece.box[3]
        for piece in pieces if piece.rings
    )  # fmt: skip


def _ticks(hill: Terrain, canvas: Canvas, scale: float) -> Iterator[str]:
    """Short strokes from a contour outward, and from the edge of a hole in it inward."""
    for ring in hill.rings:
        points = [canvas.steps(point) for point in ring]
        twice = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True))
        out = 1 if (twice > 0) == (ring is hill.rings[0]) else -1
        left = TICK_EVERY * scale / 2
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
            length = math.hypot(bx - ax, by - ay)
            across = ((by - ay) / length * out, -(bx - ax) / length * out)
            at = left
            while at < length:
                x, y = ax + (bx - ax) * at / length, ay + (by - ay) * at / length
                yield path([(x, y), (x + across[0] * TICK * scale, y + across[1] * TICK * scale)])
                at += TICK_EVERY * scale
            left = at - length


def _terrain(pieces: Sequence[Terrain], canvas: Canvas, scale: float) -> Iterator[Element]:
    """All terrain but hills, the lowest first; roads that meet run into one another, with one edge around them all."""
    for kind, alike in groupby(pieces, key=lambda piece: piece.kind.id):
        if kind != "road":
            yield from (_piece(piece, look_of(piece.kind), canvas, scale) for piece in alike)
            continue
        roads = [(piece, canvas.area(piece.rings)) for piece in alike]
        look = LOOKS[kind]
        edge = Stroke(look.ink, look.edge.width * 2) if look.edge else None
        edges = _stroke(edge, scale) if edge else {}
        yield el("path", d="".join(d for _, d in roads), fill="none", **edges)
        for piece, d in roads:
            yield el("path", d=d, fill=look.fill, fill_rule="evenodd", class_=kind, data_id=piece.id)


def _piece(piece: Terrain, look: Look, canvas: Canvas, scale: float) -> Element:
    """A piece of terrain: an area with its hatch, or the strokes of a line."""
    if piece.line:
        return group(strokes(canvas.line(piece.line), look, scale), class_=piece.kind.id, data_id=piece.id)
    shape = canvas.area(piece.rings)
    return group(area(shape, look, scale), class_=piece.kind.id, data_id=piece.id)


def area(d: str, look: Look, scale: float) -> Iterator[Element]:
    """An area: its colour, its hatch, its edge."""
    edge = _stroke(look.edge, scale) if look.edge else {}
    if look.hatch is None:
        yield el("path", d=d, fill=look.fill, fill_rule="evenodd", **edge)
        return
    yield el("path", d=d, fill=look.fill, fill_rule="evenodd")
    yield el("path", d=d, fill=paint(look.hatch), fill_rule="evenodd", **edge)


def strokes(d: str, look: Look, scale: float) -> Iterator[Element]:
    """A line: its strokes one upon another."""
    for stroke in look.strokes:
        yield el("path", d=d, fill="none", **_stroke(stroke, scale))


def _stroke(stroke: Stroke, scale: float) -> dict[str, str | float | None]:
    dash = " ".join(number(float(part) * scale) for part in stroke.dash.split()) if stroke.dash else None
    return {
        "stroke": stroke.ink, "stroke_width": stroke.width * scale, "stroke_dasharray": dash,
        "stroke_linecap": "round" if stroke.round_ else None, "stroke_linejoin": "round",
    }  # fmt: skip


# --- the grid --------------------------------------------------------------------------------------------------------


def _grid_step(board: Board) -> int:
    return GRID_IN if min(board.width_in, board.depth_in) >= 3 * GRID_IN else GRID_IN // 2


def grid_lines(board: Board) -> Element:
    """Lines across the table at whole feet, or half feet where it is small."""
    step = _grid_step(board)
    width, height = board.width_in * UNITS, board.depth_in * UNITS
    xs = range(step, math.ceil(board.width_in), step)
    ys = range(step, math.ceil(board.depth_in), step)
    d = "".join(f"M{number(x * UNITS)} 0V{number(height)}" for x in xs)
    d += "".join(f"M0 {number(height - y * UNITS)}H{number(width)}" for y in ys)
    scale = scale_of(board.width_in)
    return el(
        "path", d=d, stroke=GRID_LINE, stroke_width=THIN * scale, stroke_dasharray="12 12", fill="none", class_="grid"
    )


def _grid_labels(board: Board, size: float) -> Iterator[tuple[str, Box]]:
    """The inches of the grid along the south and the west edge, each with its box."""
    step = _grid_step(board)
    height = board.depth_in * UNITS
    for x in range(step, math.ceil(board.width_in), step):
        label = Label(str(x), 0, 0, 0, 0, size)
        yield label.words, _around(x * UNITS, height - label.height * 0.6, label)
    for y in range(step, math.ceil(board.depth_in), step):
        label = Label(str(y), 0, 0, 0, 0, size)
        yield label.words, _around(label.width * 0.6, height - y * UNITS, label)


# --- letters ---------------------------------------------------------------------------------------------------------


def letters(board: Board, canvas: Canvas, *, grid: bool = True) -> tuple[list[Element], list[Box]]:
    """The letters of terrain, the levels of contours and the inches of the grid, and the boxes they take.

    Where they stand does not depend on any unit. A letter for which there is no room is left out: the hatch is there.
    """
    size = SMALL * scale_of(board.width_in)
    room = Room(4 * size)
    parts: list[Element] = []
    boxes: list[Box] = []

    def put(words: str, box: Box, at_size: float, ink: str, **further: str) -> None:
        room.take(box)
        boxes.append(box)
        placed = Placed(Label(words, 0, 0, 0, 0, at_size), box)
        parts.append(halo_text(placed, ink, **further))

    for words, box in _grid_labels(board, size * 0.8) if grid else ():
        put(words, box, size * 0.8, "#77705c")
    bounds = (0.0, 0.0, board.width_in * UNITS, board.depth_in * UNITS)
    for piece in board.crests:
        label = Label(str(piece.level), 0, 0, 0, 0, size * 1.2)
        for spots in _stretches([canvas.steps(p) for p in (piece.line or piece.rings[0])], closed=not piece.line):
            if chosen := _first_free(label, spots, room, bounds):
                put(label.words, chosen, label.size, CONTOUR, font_weight="bold")
    order = sorted(
        (piece for piece in board.terrain if piece.rings and piece.kind.shape != "hill"),
        key=lambda piece: (-rank_of(piece.kind), piece.id),
    )
    above: list[Terrain] = []
    for piece in order:
        for part in (1.0, 0.75):
            label = Label(letter_of(piece), 0, 0, 0, 0, size * part)
            if not label.words:
                break
            if chosen := _first_free(label, _inside(piece, label, canvas, above), room, bounds):
                put(label.words, chosen, label.size, INK)
                break
        above.append(piece)
    return parts, boxes


def letter_of(piece: Terrain) -> str:
    """The letter of a piece; a building has its storeys instead, with an s where it is of stone."""
    if piece.kind.height == "storey":
        return f"{piece.storeys}{'s' if piece.material == 'stone' else ''}"
    return look_of(piece.kind).letter


def halo_text(placed: Placed, ink: str, **further: str) -> Element:
    """Words in their place with a light rim, so that they are read on any ground."""
    x, y = placed.baseline
    size = placed.label.size
    return el(
        "text", placed.label.words, x=x, y=y, font_size=size, text_anchor="middle", fill=ink, stroke="#ffffff",
        stroke_width=size * 0.22, stroke_opacity=0.8, stroke_linejoin="round", paint_order="stroke", **further,
    )  # fmt: skip


def _around(x: float, y: float, label: Label) -> Box:
    return x - label.width / 2, y - label.height / 2, x + label.width / 2, y + label.height / 2


def _first_free(label: Label, spots: Iterable[Spot], room: Room, bounds: Box) -> Box | None:
    for x, y in spots:
        box = _around(x, y, label)
        within = bounds[0] <= box[0] and bounds[1] <= box[1] and box[2] <= bounds[2] and box[3] <= bounds[3]
        if within and room.is_free(box):
            return box
    return None


def _stretches(points: Sequence[Spot], *, closed: bool) -> Iterator[list[Spot]]:
    """Stretches of a line or a ring, each as the places along it where its level may stand, the middle first."""
    ends = [*points, points[0]] if closed else list(points)
    whole = sum(math.dist(a, b) for a, b in pairwise(ends))
    count = 1 + int(whole / LEVEL_EVERY)
    tries = sorted(range(LEVEL_TRIES), key=lambda k: (abs(2 * k + 1 - LEVEL_TRIES), k))
    for stretch in range(count):
        yield [_at(ends, whole * (stretch + (k + 0.5) / LEVEL_TRIES) / count) for k in tries]


def _at(ends: Sequence[Spot], along: float) -> Spot:
    """The place so far along a line."""
    for (ax, ay), (bx, by) in pairwise(ends):
        length = math.dist((ax, ay), (bx, by))
        if along <= length and length:
            return ax + (bx - ax) * along / length, ay + (by - ay) * along / length
        along -= length
    return ends[-1]


def _inside(piece: Terrain, label: Label, canvas: Canvas, above: Sequence[Terrain]) -> Iterator[Spot]:
    """Middles of boxes for the letter of an area that lie within it and under nothing, the best first.

    Those of a building begin at its north-west corner: units stand in its middle.
    """
    left, low, right, high = piece.box
    over = [
        other for other in above
        if other.box[0] < right and left < other.box[2] and other.box[1] < high and low < other.box[3]
    ]  # fmt: skip
    spots = [
        (left + (right - left) * (i + 0.5) / SAMPLES, low + (high - low) * (j + 0.5) / SAMPLES)
        for i in range(SAMPLES) for j in range(SAMPLES)
    ]  # fmt: skip
    goal = (left, high) if piece.kind.height == "storey" else ((left + right) / 2, (low + high) / 2)
    per_step = canvas.steps((1, 0))[0]
    half_x, half_y = label.width / per_step / 2, label.height / per_step / 2
    for x, y in sorted(spots, key=lambda spot: (math.dist(spot, goal), spot)):
        corners: list[Point] = [
            (round(x + dx * half_x), round(y + dy * half_y)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)
        ]
        if all(locate(corner, piece.rings) > 0 for corner in corners) and not any(
            locate(corner, other.rings) >= 0 for other in over for corner in corners
        ):
            yield canvas.steps((x, y))
