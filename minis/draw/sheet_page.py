"""Play aids on paper: charts of rows and columns, laid out on upright pages in black and white."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from minis.draw.canvas import UNITS
from minis.draw.palette import CHARACTER, FONT, text_width
from minis.draw.paper import MARGIN, PAPERS
from minis.draw.svg import Element, document, el, group

BODY, HEAD, TITLE, NAME, FOOT = 13.5, 11.5, 16.5, 23.0, 10.5
"""Sizes of type in hundredths of an inch: rows are in 9.7 points, which is read at arm's length."""

LARGE, BENEATH = 17.0, 11.0
"""Sizes of type of a number to be read at a glance, and of what stands beneath it."""

LINE, PAD, GAP = 16.5, 5.0, 20.0
"""Height of a line of a row, what a row has besides, what two charts have between them."""

HEAD_LINE, TITLE_LINE, NOTE_LINE = 14.0, 22.0, 15.0
NEARLY = 0.6
"""A chart that takes this share of a page's width takes all of it."""

FEWEST = 4
"""A chart goes on overleaf only if at least this many of its rows stand before."""

INK, RULE = "#000000", "#8c8c8c"


@dataclass(frozen=True)
class Column:
    """A column of a chart: its head, its width in characters, where its text stands."""

    head: str
    width: int
    align: Literal["start", "middle", "end"] = "start"


@dataclass(frozen=True)
class Line:
    """A row of a chart; `strong` where today's game has made it so, or where it is the one in force."""

    cells: tuple[str, ...]
    strong: bool = False


@dataclass(frozen=True)
class Chart:
    """A table for the eye: title, columns, rows, a remark above them.

    With `large` the first line of a cell in a column that is centred is a number to be read at a glance, and what
    follows stands small beneath.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Line, ...]
    note: str = ""
    large: bool = False

    @property
    def width(self) -> float:
        """Its width in user units."""
        return max(self.filled, text_width(self.title, TITLE))

    @property
    def filled(self) -> float:
        """What its columns take of its width."""
        return sum(column.width for column in self.columns) * CHARACTER * BODY

    def lines(self, row: Line) -> list[list[str]]:
        """The lines of each cell of a row."""
        return [
            [part for line in cell.split("\n") for part in textwrap.wrap(line, max(1, column.width - 1)) or [""]]
            for cell, column in zip(row.cells, self.columns, strict=True)
        ]

    def height_of(self, row: Line) -> float:
        """The height of a row in user units."""
        count = max(map(len, self.lines(row)))
        return LARGE + 3 + (count - 1) * (BENEATH + 2) + PAD if self.large else count * LINE + PAD

    def notes(self) -> list[str]:
        """The remark in lines."""
        return textwrap.wrap(self.note, max(30, int(self.width / (CHARACTER * HEAD)))) if self.note else []

    @property
    def top(self) -> float:
        """The height of what stands above the rows."""
        return TITLE_LINE + len(self.notes()) * NOTE_LINE + self.heads * HEAD_LINE + PAD

    @property
    def heads(self) -> int:
        """How many lines its heads take; none where it has no rows."""
        return max(column.head.count("\n") + 1 for column in self.columns) if self.rows else 0

    def as_wide_as(self, width: float) -> Chart:
        """The chart as wide as a page, where it is nearly so: what is spare goes to its widest column of words."""
        spare = int((width - self.filled) / (CHARACTER * BODY))
        words = [column for column in self.columns if column.align == "start"]
        if self.filled < NEARLY * width or spare <= 0 or not words:
            return self
        widest = max(words, key=lambda column: column.width)
        columns = tuple(replace(each, width=each.width + spare) if each is widest else each for each in self.columns)
        return replace(self, columns=columns)

    @property
    def height(self) -> float:
        """Its whole height in user units."""
        return self.top + sum(map(self.height_of, self.rows))


@dataclass(frozen=True)
class Sheet:
    """A play aid: its name on the command line, its title, its charts."""

    name: str
    title: str
    charts: tuple[Chart, ...] = field(repr=False)


def pages_of(sheets: Sequence[Sheet], *, paper: str, subject: str, foot: Sequence[str]) -> list[str]:
    """Sheets as SVG pages of a paper: each begins a page of its own and goes on as far as it takes."""
    laid = [(sheet, page) for sheet in sheets for page in _laid(sheet.charts, paper, len(foot))]
    return [
        _page(sheet.title, elements, paper, subject, foot, number, len(laid))
        for number, (sheet, elements) in enumerate(laid, 1)
    ]


# --- laying out ------------------------------------------------------------------------------------------------------


def _room(paper: str, foot: int) -> tuple[float, float, float]:
    """The width of a page, where its charts begin, and where they end at the latest."""
    width, height = PAPERS[paper]
    top = MARGIN * UNITS + NAME + 20
    return (width - 2 * MARGIN) * UNITS, top, (height - MARGIN) * UNITS - foot * (FOOT + 3) - 8


def _laid(charts: Sequence[Chart], paper: str, foot: int) -> Iterator[list[Element]]:
    """Charts on pages, as many side by side as fit; one that is too high is cut between two rows."""
    width, top, bottom = _room(paper, foot)
    page: list[Element] = []
    y = top
    for some in _shelves(charts, width):
        shelf = some if len(some) > 1 else [some[0].as_wide_as(width)]
        while shelf:
            high = max(chart.height for chart in shelf)
            if y + high <= bottom:
                page += _side_by_side(shelf, y)
                y += high + GAP
                break
            first, rest = _cut(shelf[0], bottom - y) if len(shelf) == 1 else (None, shelf[0])
            if first is not None:
                page += _side_by_side([first], y)
                shelf = [rest]
            yield page
            page, y = [], top
    if page:
        yield page


def _shelves(charts: Sequence[Chart], width: float) -> Iterator[list[Chart]]:
    """Charts in their order, those together that fit side by side."""
    shelf: list[Chart] = []
    for chart in charts:
        if shelf and sum(each.width + GAP for each in shelf) + chart.width > width:
            yield shelf
            shelf = []
        shelf.append(chart)
    if shelf:
        yield shelf


def _cut(chart: Chart, room: float) -> tuple[Chart | None, Chart]:
    """What of a chart goes into some room, and the rest; nothing where too few rows would."""
    used, count = chart.top, 0
    while count < len(chart.rows) and used + chart.height_of(chart.rows[count]) <= room:
        used += chart.height_of(chart.rows[count])
        count += 1
    if count < FEWEST:
        return None, chart
    title = chart.title.removesuffix(CONTINUED) + CONTINUED
    return replace(chart, rows=chart.rows[:count]), replace(chart, title=title, rows=chart.rows[count:], note="")


CONTINUED = " (continued)"


def _side_by_side(shelf: Sequence[Chart], y: float) -> Iterator[Element]:
    x = MARGIN * UNITS
    for chart in shelf:
        yield group(_drawn(chart), transform=f"translate({x:.1f} {y:.1f})")
        x += chart.width + GAP


# --- drawing ---------------------------------------------------------------------------------------------------------


def _drawn(chart: Chart) -> Iterator[Element]:
    """A chart from (0, 0): title, remark, heads, and its rows between thin lines."""
    y = TITLE
    yield _text(chart.title, 0, y, TITLE, strong=True)
    y += TITLE_LINE - TITLE
    for note in chart.notes():
        y += NOTE_LINE
        yield _text(note, 0, y - 4, HEAD)
    if not chart.rows:
        return
    for column, x in _places(chart):
        lines = column.head.split("\n")
        for index, words in enumerate(lines):
            yield _text(words, x, y + (chart.heads - len(lines) + index + 1) * HEAD_LINE - 1, HEAD, column.align)
    y = chart.top
    yield el("line", x1=0, y1=y, x2=chart.filled, y2=y, stroke=INK, stroke_width=1.4)
    for row in chart.rows:
        yield from _row(chart, row, y)
        y += chart.height_of(row)
        yield el("line", x1=0, y1=y, x2=chart.filled, y2=y, stroke=RULE, stroke_width=0.5)


def _row(chart: Chart, row: Line, y: float) -> Iterator[Element]:
    for (column, x), lines in zip(_places(chart), chart.lines(row), strict=True):
        large = chart.large and column.align == "middle"
        below = y + PAD / 2
        for index, words in enumerate(lines):
            first = index == 0
            size = (LARGE if first else BENEATH) if large else BODY
            below += size + 2 if chart.large else LINE
            baseline = below - (2 if large else 4) + (LARGE - BODY if chart.large and not large else 0)
            if words:
                yield _text(words, x, baseline, size, column.align, strong=row.strong or (large and first))


def _places(chart: Chart) -> Iterator[tuple[Column, float]]:
    """Each column with the x at which its text is anchored."""
    left = 0.0
    for column in chart.columns:
        wide = column.width * CHARACTER * BODY
        inner = CHARACTER * BODY
        yield column, {"start": left, "middle": left + wide / 2, "end": left + wide - inner}[column.align]
        left += wide


def _text(
    words: str, x: float, y: float, size: float, align: Literal["start", "middle", "end"] = "start", *,
    strong: bool = False,
) -> Element:  # fmt: skip
    return el(
        "text", words, x=x, y=y, font_size=size, text_anchor=None if align == "start" else align,
        font_weight="bold" if strong else None,
    )  # fmt: skip


def _page(
    title: str, elements: Sequence[Element], paper: str, subject: str, foot: Sequence[str], number: int, count: int
) -> str:
    width, height = (size * UNITS for size in PAPERS[paper])
    left, right, top = MARGIN * UNITS, width - MARGIN * UNITS, MARGIN * UNITS
    room = right - left - text_width(title, NAME) - 20
    short = textwrap.shorten(subject, max(12, int(room / (CHARACTER * BODY))), placeholder=" …")
    lines = [
        _text(words, left, height - MARGIN * UNITS - (len(foot) - 1 - index) * (FOOT + 3), FOOT)
        for index, words in enumerate(foot)
    ]
    return document(
        width, height, el("rect", width=width, height=height, fill="#ffffff"),
        group(
            _text(title, left, top + NAME - 5, NAME, strong=True),
            _text(short, right, top + NAME - 5, BODY, "end"),
            el("line", x1=left, y1=top + NAME + 4, x2=right, y2=top + NAME + 4, stroke=INK, stroke_width=2.5),
            *elements, *lines,
            _text(f"{number} of {count}", right, height - MARGIN * UNITS, FOOT, "end"),
            font_family=FONT, fill=INK,
        ),
        label=f"{title}, {number} of {count}", unit="in", per_unit=UNITS,
    )  # fmt: skip
