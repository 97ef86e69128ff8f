"""A whole picture: title and turn, its panels, a scale bar, the legend, words.

A user unit of every page is a hundredth of an inch of the table, so that a page can be printed to scale.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from minis.board.board import Board
from minis.draw.canvas import UNITS
from minis.draw.palette import CHARACTER, FONT, INK, PAPER, text_width
from minis.draw.svg import Element, document, el, group


@dataclass(frozen=True)
class Panel:
    """A part of a page: its picture from (0, 0) on, its width and height in user units, its heading."""

    element: Element
    width: float
    height: float
    label: str = ""


@dataclass(frozen=True)
class Key:
    """An entry of the legend: its words, and a swatch drawn in the box from (0, 0) to SWATCH."""

    swatch: Element
    words: str


SWATCH = (200.0, 100.0)
"""The box in which the swatch of a legend is drawn; a page draws it as large as its type asks."""

LEGEND = 0.85
"""Size of type of the legend over that of the page."""

COLUMNS = 96
"""Characters of a line of words that go on a page."""

CM_PER_INCH = 2.54

HARD_SPACE = "\u00a0"
"""A blank that is kept at the beginning of a line."""


def type_of(width: float) -> float:
    """The size of type on a page of some width in user units: a line of COLUMNS characters fills it.

    >>> round(type_of(8400))
    145
    """
    return width / (COLUMNS * CHARACTER)


def page(
    board: Board,
    title: str,
    panels: Sequence[Panel],
    *,
    keys: Sequence[Key] = (),
    words: Sequence[str] = (),
    turn: str | None = None,
) -> str:
    """A whole picture: title, turn, panels one below the other, scale bar in inches and centimetres, legend, words.

    A line of `words` that begins with blanks keeps them where it is wrapped. What has to be said of the data of real
    ground is the last line.
    """
    inner = max(panel.width for panel in panels)
    size = type_of(inner)
    margin = size * 1.2
    parts: list[Element] = []
    y = margin
    heading = f"{title}, {turn}" if turn else title
    for line in textwrap.wrap(heading, int(COLUMNS / 1.4)) or [""]:
        y += size * 1.4
        parts.append(el("text", line, x=0, y=y, font_size=size * 1.4, font_weight="bold", fill=INK))
    y += size * 0.8
    for panel in panels:
        if panel.label:
            y += size * 1.2
            parts.append(el("text", panel.label, x=0, y=y, font_size=size, font_weight="bold", fill=INK))
            y += size * 0.5
        parts.append(group(panel.element, transform=f"translate(0 {y:.2f})"))
        y += panel.height + size * 0.8
    bar = scale_bar(board, size)
    parts.append(group(bar, transform=f"translate(0 {y:.2f})"))
    y += size * 3
    legend, height = legend_of(keys, inner, size)
    parts.append(group(legend, transform=f"translate(0 {y:.2f})"))
    y += height
    credit = [board.place.credit] if board.place is not None and board.place.credit else []
    for line in wrapped([*words, *credit], COLUMNS):
        y += size * 1.35
        parts.append(el("text", line, x=0, y=y, font_size=size, fill=INK))
    width, height = inner + 2 * margin, y + margin
    return document(
        width, height,
        el("rect", width=width, height=height, fill=PAPER),
        group(parts, transform=f"translate({margin:.2f} 0)", font_family=FONT),
        label=heading,
    )  # fmt: skip


def panel_alone(panel: Panel, label: str) -> str:
    """One panel as a whole picture with nothing around it: to be printed to scale on as few sheets as it takes."""
    return document(
        panel.width, panel.height,
        el("rect", width=panel.width, height=panel.height, fill=PAPER),
        group(panel.element, font_family=FONT),
        label=label,
    )  # fmt: skip


def wrapped(words: Iterable[str], columns: int) -> list[str]:
    """Lines of at most so many characters; what a long line is broken into is set in as its beginning is.

    >>> [line.replace(HARD_SPACE, "_") for line in wrapped(["  a line that is long"], 12)]
    ['__a line', '____that is', '____long']
    """
    lines = []
    for text in words:
        indent = text[: len(text) - len(text.lstrip())]
        for line in textwrap.wrap(text, columns, subsequent_indent=indent + "  ") or [""]:
            words = line.lstrip()
            lines.append(HARD_SPACE * (len(line) - len(words)) + words)  # SVG drops blanks before a word
    return lines


def scale_bar(board: Board, size: float) -> Element:
    """A bar with inches above it and centimetres below it, 2.2 times `size` high."""
    inches = 6 if board.width_in < 60 else 12
    centimetres = int(inches * CM_PER_INCH)
    y = size * 1.1
    inch = "".join(f"M{n * UNITS} {y:.2f}v{-size * (0.6 if n % 6 == 0 else 0.3):.2f}" for n in range(inches + 1))
    cm = "".join(
        f"M{n * UNITS / CM_PER_INCH:.2f} {y:.2f}v{size * (0.6 if n % 5 == 0 else 0.3):.2f}"
        for n in range(centimetres + 1)
    )
    words = ((f'{inches}"', y - size * 0.15), (f"{centimetres} cm", y + size * 0.85))
    return group(
        el("path", d=f"M0 {y:.2f}H{inches * UNITS}{inch}{cm}", stroke=INK, stroke_width=size * 0.07, fill="none"),
        (el("text", text, x=inches * UNITS + size * 0.5, y=at, font_size=size * 0.9, fill=INK) for text, at in words),
        class_="scale-bar",
    )


def legend_of(keys: Sequence[Key], width: float, size: float) -> tuple[Element, float]:
    """The legend in columns, and its height in user units."""
    if not keys:
        return group(class_="legend"), 0.0
    cell = max(text_width(key.words, LEGEND * size) for key in keys) + SWATCH[0] * size / SWATCH[1] + size * 1.4
    columns = max(1, int(width // cell))
    rows = -(-len(keys) // columns)
    parts = []
    for number, key in enumerate(keys):
        x, y = (number // rows) * cell, (number % rows) * size * 1.5
        scale = size / SWATCH[1]
        parts.append(group(key.swatch, transform=f"translate({x:.2f} {y:.2f}) scale({scale:.3f})"))
        at = x + SWATCH[0] * scale + size * 0.5
        parts.append(el("text", key.words, x=at, y=y + size * 0.8, font_size=LEGEND * size, fill=INK))
    return group(parts, class_="legend"), rows * size * 1.5 + size * 0.5
