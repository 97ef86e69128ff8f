"""The pieces of a picture: smoke, units as their bases with facing and turret, tokens, wrecks, what is hidden."""

from __future__ import annotations

import math
from collections.abc import Iterator

from minis.board.board import Board
from minis.board.geometry import sin_cos
from minis.board.units import Unit
from minis.draw.canvas import UNITS, Canvas, Spot
from minis.draw.hatches import definitions, paint
from minis.draw.palette import FINE, INK, SIDES, STROKE, scale_of
from minis.draw.svg import Element, el, group, path

SMOKE_FILL, SMOKE_INK = "#8e8e8e", "#4a4a4a"
WRECK_FILL = "#9a9a9a"

POINT_RADIUS = 18.0
"""The dot that stands for a unit whose base has no size, in user units."""

RIDER_SIZE = 30.0
"""Half the side of the sign of a passenger upon its carrier, in user units."""

SIDE_DASH = (None, None, "16 8", "16 8")
"""The edge of the bases of the third and fourth side, which are as dark and as light as the first two."""


def side_number(board: Board, side: str) -> int:
    """Which side of a board it is, from 0 in the order of the alphabet."""
    return board.sides.index(side)


def side_paint(number: int) -> tuple[str, str]:
    """The fill of a side's bases and the ink upon it."""
    return SIDES[number % len(SIDES)]


# --- smoke -----------------------------------------------------------------------------------------------------------


def smoke_layer(board: Board, canvas: Canvas) -> Element:
    """The clouds of smoke: grey, with a hatch of their own and a dotted edge."""
    if not board.smoke:
        return group(class_="smoke")
    scale = scale_of(board.width_in)
    clouds = []
    for cloud in sorted(board.smoke, key=lambda cloud: cloud.id):
        d = canvas.area([cloud.ring])
        clouds.append(
            group(
                el("path", d=d, fill=SMOKE_FILL, fill_opacity=0.45),
                el(
                    "path", d=d, fill=paint("smoke"), stroke=SMOKE_INK, stroke_width=FINE * scale,
                    stroke_dasharray=f"2 {14 * scale:.2f}", stroke_linecap="round",
                ),
                class_="cloud", data_id=cloud.id,
            )
        )  # fmt: skip
    return group(definitions([("smoke", SMOKE_INK)], scale), clouds, class_="smoke")


# --- units -----------------------------------------------------------------------------------------------------------


def unit_layer(board: Board, canvas: Canvas) -> Element:
    """Every unit of a board: those that carry before those that ride."""
    units = sorted(board.units, key=lambda unit: (unit.id in board.carrier_of, not unit.wreck, unit.side, unit.id))
    return group((unit_sign(board, unit, canvas) for unit in units), class_="units")


def unit_sign(board: Board, unit: Unit, canvas: Canvas) -> Element:
    """The sign of one unit: `<g class="unit side-1 …" data-id="T1">`."""
    number = side_number(board, unit.side)
    marks = [
        word for word, true in (
            ("token", unit.token is not None), ("unknown", unit.unknown), ("hidden", unit.hidden),
            ("dummy", unit.dummy), ("wreck", unit.wreck), (unit.kind.id, not unit.unknown),
        ) if true
    ]  # fmt: skip
    if unit.unknown:
        parts = _marker(unit, canvas, number)
    elif unit.id in board.carrier_of:
        parts = _rider(unit, canvas, number)
    else:
        parts = _model(unit, canvas, number)
    return group(parts, class_=" ".join(["unit", f"side-{number + 1}", *marks]), data_id=unit.id)


def _marker(unit: Unit, canvas: Canvas, number: int) -> Iterator[Element]:
    """A token of which nobody who looks knows what it stands for: a round marker with a question on it."""
    fill, ink = side_paint(number)
    x, y = canvas.steps(unit.at)
    radius = max(unit.length_in, unit.width_in) * UNITS / 2 or POINT_RADIUS
    yield el(
        "circle", cx=x, cy=y, r=radius, fill=fill, stroke=INK, stroke_width=FINE, stroke_dasharray=side_dash(number)
    )
    yield el("circle", cx=x, cy=y, r=radius * 0.8, fill="none", stroke=ink, stroke_width=FINE * 0.8)
    size = radius * 1.3
    yield el(
        "text", "?", x=x, y=y + size * 0.36, font_size=size, font_weight="bold", text_anchor="middle", fill=ink,
        class_="sign",
    )  # fmt: skip


def _rider(unit: Unit, canvas: Canvas, number: int) -> Iterator[Element]:
    """A passenger: a small sign on its carrier."""
    fill, ink = side_paint(number)
    x, y = canvas.steps(unit.at)
    half = RIDER_SIZE
    yield el(
        "rect", x=x - half, y=y - half, width=2 * half, height=2 * half, fill=fill, stroke=ink, stroke_width=FINE
    )  # fmt: skip
    cross = path([(x - half, y - half), (x + half, y + half)]) + path([(x - half, y + half), (x + half, y - half)])
    yield el("path", d=cross, stroke=ink, stroke_width=FINE, fill="none")


def side_dash(number: int) -> str | None:
    """The dashes of the edge of a side's bases; None where it is drawn through."""
    return SIDE_DASH[number % len(SIDE_DASH)]


def _model(unit: Unit, canvas: Canvas, number: int) -> Iterator[Element]:
    """A unit as its base: an edge that is thick in front, and what says its kind upon it."""
    fill, ink = side_paint(number)
    if unit.wreck:
        fill, ink = WRECK_FILL, INK
    doubtful = unit.hidden or unit.dummy
    x, y = canvas.steps(unit.at)
    if unit.is_point:
        yield el("circle", cx=x, cy=y, r=POINT_RADIUS, fill=fill, stroke=INK, stroke_width=FINE)
        yield from _ring(unit, canvas)
        return
    yield el(
        "path", d=canvas.area([unit.base]), fill=fill, fill_opacity=0.4 if doubtful else None, stroke=INK,
        stroke_width=FINE, stroke_dasharray="14 10" if doubtful else side_dash(number), stroke_linejoin="round",
    )  # fmt: skip
    corners = [canvas.steps(corner) for corner in unit.base]
    if doubtful:
        ink = INK
    yield el("path", d=path(corners[:2]), stroke=INK, stroke_width=STROKE * 1.6, fill="none")
    yield from _ring(unit, canvas)
    if unit.wreck:
        yield _strokes([(corners[0], corners[2]), (corners[1], corners[3])], INK, STROKE * 1.3)
        return
    if unit.dummy:
        return
    yield from _kind_sign(unit, canvas, ink)


def _ring(unit: Unit, canvas: Canvas) -> Iterator[Element]:
    """A ring around a unit that is on a token, for who knows what is on it."""
    if unit.token is not None:
        x, y = canvas.steps(unit.at)
        radius = math.hypot(unit.length_in, unit.width_in) * UNITS / 2 + 12
        yield el(
            "circle", cx=x, cy=y, r=radius, fill="none", stroke=INK, stroke_width=FINE * 0.7, stroke_dasharray="6 12"
        )


def _kind_sign(unit: Unit, canvas: Canvas, ink: str) -> Iterator[Element]:
    """What says the kind: turret and barrel, hoops of a soft vehicle, barrel and wheels of a gun, a cross of men."""
    length, width = unit.length_in * UNITS, unit.width_in * UNITS
    if unit.kind.id == "infantry":
        ends = ((0.3, 0.3), (0.3, -0.3))
        yield _strokes([(on_base(unit, canvas, a, b), on_base(unit, canvas, -a, -b)) for a, b in ends], ink)
    elif unit.kind.id == "gun":
        yield _strokes(
            [
                (on_base(unit, canvas, -0.35, -0.3), on_base(unit, canvas, 0.1, 0)),
                (on_base(unit, canvas, -0.35, 0.3), on_base(unit, canvas, 0.1, 0)),
                (on_base(unit, canvas, 0.1, -0.35), on_base(unit, canvas, 0.1, 0.35)),
            ],
            ink,
        )
        yield _barrel(unit, canvas, unit.facing, length * 0.62, ink)
    elif not unit.armoured:
        yield _strokes(
            [(on_base(unit, canvas, a, -0.5), on_base(unit, canvas, a, 0.5)) for a in (-0.3, -0.1, 0.1)], ink
        )
    else:
        x, y = canvas.steps(unit.at)
        turret = unit.mount in ("T", "ST", "1MT") or unit.turret % 360 != unit.facing % 360
        if turret:
            yield el("circle", cx=x, cy=y, r=width * 0.3, fill="none", stroke=ink, stroke_width=STROKE * 0.8)
        if turret or unit.weapons:
            yield _barrel(unit, canvas, unit.turret, length * 0.66, ink, start=width * 0.3 if turret else 0)
        if not turret:
            inset = [on_base(unit, canvas, a, b) for a, b in ((0.38, -0.32), (0.38, 0.32), (-0.4, 0.32), (-0.4, -0.32))]
            yield el("path", d=path(inset, closed=True), fill="none", stroke=ink, stroke_width=FINE)


def on_base(unit: Unit, canvas: Canvas, ahead: float, right: float) -> Spot:
    """A place on a base: parts of its length ahead of its middle, and of its width to the right."""
    x, y = canvas.steps(unit.at)
    sine, cosine = sin_cos(unit.facing)
    along, across = ahead * unit.length_in * UNITS, right * unit.width_in * UNITS
    return x + along * sine + across * cosine, y - along * cosine + across * sine


def _barrel(unit: Unit, canvas: Canvas, bearing: float, length: float, ink: str, start: float = 0.0) -> Element:
    """A barrel: dark where it stands out over the base, so that it is seen on any ground."""
    x, y = canvas.steps(unit.at)
    sine, cosine = sin_cos(bearing)
    ends = [(x + start * sine, y - start * cosine), (x + length * sine, y - length * cosine)]
    return group(
        el("path", d=path(ends), stroke=INK, stroke_width=STROKE * 2.1, fill="none"),
        el("path", d=path(ends), stroke=ink if ink != INK else "#ffffff", stroke_width=STROKE, fill="none"),
    )


def _strokes(lines: list[tuple[Spot, Spot]], ink: str, width: float = STROKE * 0.8) -> Element:
    return el("path", d="".join(path(line) for line in lines), stroke=ink, stroke_width=width, fill="none")
