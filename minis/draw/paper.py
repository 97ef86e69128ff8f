"""Pictures on paper and as pixels: SVG to PNG and PDF by typst, which the extra `print` brings.

A PDF is the same bytes each time: its date is fixed, and its fonts are those that come with typst.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast
from xml.etree import ElementTree

from minis.draw.canvas import UNITS
from minis.draw.palette import FONT
from minis.draw.svg import Element, document, el, group
from minis.errors import bad

if TYPE_CHECKING:
    from types import ModuleType

PAPERS = {"a4": (210 / 25.4, 297 / 25.4), "letter": (8.5, 11.0)}
"""Width and height of paper in inches, upright."""

MARGIN, FOOT = 0.4, 0.85
"""Inches at the edges of a sheet that a printer may not reach; at its foot stand its name and the bar."""

OVERLAP = 0.4
"""Inches of the table that two neighbouring sheets both show."""

BAR = 6.0
"""Inches of the bar at the foot of a sheet that proves the scale."""

POINTS = 72
LARGEST_PAGE = 120.0
"""Inches of the largest page that is made: some readers of PDF know none beyond 200."""

MOST_PIXELS, MOST_SHEETS = 16_000, 400

FROM_SCRIPTS_OF_EAST_ASIA = "\u2e80"
"""The fonts of typst have no letters from here on: only where there are such are those of the machine asked."""


@dataclass(frozen=True)
class Sheets:
    """How a picture to scale is cut: the paper in inches, columns and rows of sheets, what one of them shows."""

    paper: tuple[float, float]
    columns: int
    rows: int

    @property
    def shows(self) -> tuple[float, float]:
        """Width and height in inches of what a sheet shows of the picture."""
        return _room(self.paper)

    @property
    def count(self) -> int:
        """How many sheets there are."""
        return self.columns * self.rows

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """Where in the picture, in inches from its left and its top, a sheet begins."""
        width, height = self.shows
        return column * (width - OVERLAP), row * (height - OVERLAP)

    def name(self, column: int, row: int) -> str:
        """The name of a sheet: columns are letters, rows are numbers.

        >>> Sheets(PAPERS["a4"], 30, 2).name(1, 0), Sheets(PAPERS["a4"], 30, 2).name(27, 1)
        ('B1', 'AB2')
        """
        letters = ""
        column += 1
        while column:
            column, last = divmod(column - 1, 26)
            letters = chr(ord("A") + last) + letters
        return f"{letters}{row + 1}"


def png_of(svg: str, *, width_px: int) -> bytes:
    """A picture as PNG of a width in pixels, on white; raises BadInput where typst is not installed."""
    width, height = inches_of(svg)
    if not 1 <= width_px <= MOST_PIXELS or height / width * width_px > MOST_PIXELS:
        raise bad(f"a picture is at most {MOST_PIXELS} pixels wide and high")
    page = (width_px / POINTS, max(1, round(width_px * height / width)) / POINTS)
    return _compile([svg], [_page(page, _image(0, page))], "png", _title(svg))


def pdf_of(svg: str, *, paper: str = "a4", to_scale: bool = False) -> bytes:
    """A picture as PDF: as large as one sheet of `paper` allows, or `to_scale` on as many sheets as it takes.

    To scale an inch of the picture is an inch on paper, and each sheet has a bar of 6 inches. Neighbouring sheets
    overlap. Raises BadInput where typst is not installed, and where far too many sheets would be needed.
    """
    upright = _paper(paper)
    width, height = inches_of(svg)
    if to_scale:
        return _to_scale(svg, sheets_for(width, height, paper))
    page = max((upright, upright[::-1]), key=lambda size: min(_inside(size)[0] / width, _inside(size)[1] / height))
    room = _inside(page)
    factor = min(room[0] / width, room[1] / height)
    size = (width * factor, height * factor)
    at = ((page[0] - size[0]) / 2, MARGIN)
    return _compile([svg], [_page(page, _image(0, size, at))], "pdf", _title(svg))


def pdf_of_pages(pages: Sequence[str], *, title: str, paper: str = "a4") -> bytes:
    """Pictures that are whole upright pages as one PDF, a sheet each; raises BadInput where typst is not installed."""
    size = _paper(paper)
    return _compile(pages, [_page(size, _image(number, size)) for number in range(len(pages))], "pdf", title)


def sheets_for(width_in: float, height_in: float, paper: str = "a4") -> Sheets:
    """How a picture of a size in inches is cut to scale: upright or across, whichever takes fewer sheets.

    >>> found = sheets_for(84, 48)
    >>> found.columns, found.rows, found.paper[0] < found.paper[1]
    (12, 5, True)
    """
    upright = _paper(paper)
    cut = [
        Sheets(page, *(math.ceil(max(1e-6, size - OVERLAP - 1e-6) / (room - OVERLAP))
                       for size, room in zip((width_in, height_in), _room(page), strict=True)))
        for page in (upright, upright[::-1])
    ]  # fmt: skip
    found = min(cut, key=lambda sheets: sheets.count)
    if found.count > MOST_SHEETS:
        raise bad(f"to scale it would take {found.count} sheets of paper, and {MOST_SHEETS} are the most")
    return found


def inches_of(svg: str) -> tuple[float, float]:
    """Width and height of a picture in inches: what it says itself, else its user units, 100 to an inch.

    >>> inches_of('<svg viewBox="0 0 600 300"/>'), inches_of('<svg viewBox="0 0 9 9" width="25.4mm" height="25.4mm"/>')
    ((6.0, 3.0), (1.0, 1.0))
    """
    root = ElementTree.fromstring(svg)
    for unit, to_an_inch in (("in", 1.0), ("mm", 25.4)):
        given = [root.get(name, "") for name in ("width", "height")]
        if all(size.endswith(unit) for size in given):
            width, height = (float(size.removesuffix(unit)) / to_an_inch for size in given)
            return width, height
    _, _, width, height = map(float, root.get("viewBox", "").split())
    return width / UNITS, height / UNITS


def typst() -> ModuleType:
    """The module typst; raises BadInput that says which extra brings it."""
    try:
        import typst as found
    except ImportError:
        raise bad("PNG and PDF need typst, which is not installed: it comes with minis[print]") from None
    return found


# --- sheets to scale -------------------------------------------------------------------------------------------------


def _to_scale(svg: str, sheets: Sheets) -> bytes:
    """Every sheet shows its part of one picture, which stands in the file once."""
    shown, title = inches_of(svg), _title(svg)
    once = min(1.0, LARGEST_PAGE / max(shown))
    page = (shown[0] * once, shown[1] * once)
    whole = _compile([svg], [_page(page, _image(0, page))], "pdf", title)
    marks: list[str] = []
    pages: list[str] = []
    for row in range(sheets.rows):
        for column in range(sheets.columns):
            x, y = sheets.corner(column, row)
            part = _clipped(sheets.shows, (MARGIN, MARGIN), _image("whole", shown, (-x, -y)))
            pages.append(_page(sheets.paper, part + _image(len(marks), sheets.paper)))
            marks.append(_marks(sheets, column, row, title))
    return _compile(marks, pages, "pdf", title, whole=whole)


def _marks(sheets: Sheets, column: int, row: int, title: str) -> str:
    """What stands round a sheet: its frame, its name, where it meets its neighbours, the bar of 6 inches."""
    width, height = (size * UNITS for size in sheets.paper)
    name = sheets.name(column, row)
    left, top = MARGIN * UNITS, MARGIN * UNITS
    wide, high = (size * UNITS for size in sheets.shows)
    frame = el("rect", x=left, y=top, width=wide, height=high, fill="none", stroke="#000", stroke_width=0.7)
    return document(
        width, height, frame, group(_meetings(sheets, column, row)), _little_plan(sheets, column, row, height),
        _foot(sheets, name, title), label=f"{title}: {name}",
    )  # fmt: skip


def _meetings(sheets: Sheets, column: int, row: int) -> Iterator[Element]:
    """Dashed lines in the middle of the overlaps, the same line of the table on both sheets, and who is beyond."""
    left, top = MARGIN * UNITS, MARGIN * UNITS
    wide, high = (size * UNITS for size in sheets.shows)
    half = OVERLAP * UNITS / 2
    if column > 0:
        yield from _dashed(left + half, top, left + half, top + high)
        yield _small(left - 6, top + high / 2, f"← {sheets.name(column - 1, row)}", turned=-90)
    if column < sheets.columns - 1:
        yield from _dashed(left + wide - half, top, left + wide - half, top + high)
        yield _small(left + wide + 6, top + high / 2, f"{sheets.name(column + 1, row)} →", turned=90)
    if row > 0:
        yield from _dashed(left, top + half, left + wide, top + half)
        yield _small(left + wide / 2, top - 6, f"↑ {sheets.name(column, row - 1)}")
    if row < sheets.rows - 1:
        yield from _dashed(left, top + high - half, left + wide, top + high - half)
        yield _small(left + wide / 2, top + high + 13, f"↓ {sheets.name(column, row + 1)}")


def _dashed(x1: float, y1: float, x2: float, y2: float) -> Iterator[Element]:
    for colour, width, dashes in (("#fff", 2.6, None), ("#000", 0.9, "8 6")):  # white below: seen on woods too
        yield el("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width, stroke_dasharray=dashes)


def _little_plan(sheets: Sheets, column: int, row: int, height: float) -> Element:
    """All sheets as small boxes, this one black."""
    step = min(105 / sheets.columns, 46 / sheets.rows, 14)
    left, top = MARGIN * UNITS, height - FOOT * UNITS + 17
    return group(
        el("rect", x=left + c * step, y=top + r * step, width=step, height=step, stroke="#000", stroke_width=0.5,
           fill="#000" if (c, r) == (column, row) else "#fff")
        for r in range(sheets.rows) for c in range(sheets.columns)
    )  # fmt: skip


def _foot(sheets: Sheets, name: str, title: str) -> Element:
    """The name of the sheet and the bar that proves the scale."""
    width, height = (size * UNITS for size in sheets.paper)
    left = width - (MARGIN + BAR) * UNITS
    y = height - 46
    words = (
        title if sheets.count == 1 else f"{name} of A1 to {sheets.name(sheets.columns - 1, sheets.rows - 1)}: {title}"
    )
    ticks = (
        el("rect", x=left + inch * UNITS, y=y, width=UNITS, height=8, fill="#000" if inch % 2 == 0 else "#fff",
           stroke="#000", stroke_width=0.5)
        for inch in range(int(BAR))
    )  # fmt: skip
    return group(
        *ticks,
        el("text", words[:72], x=left, y=y - 9, font_family=FONT, font_size=13, font_weight="bold"),
        el("text", f"this bar is {BAR:g} inches long when printed at 100 %; dashed lines fall on dashed lines",
           x=left, y=y + 22, font_family=FONT, font_size=10.5),
    )  # fmt: skip


def _small(x: float, y: float, words: str, *, turned: int = 0) -> Element:
    turn = f"rotate({turned} {x:.2f} {y:.2f})" if turned else None
    return el("text", words, x=x, y=y, font_family=FONT, font_size=13, text_anchor="middle", transform=turn)


# --- typst -----------------------------------------------------------------------------------------------------------


def _compile(
    pictures: Sequence[str], pages: Sequence[str], kind: Literal["pdf", "png"], title: str, *, whole: bytes = b""
) -> bytes:
    """Pages of typst with pictures in them, by number, as a file; `whole` is a PDF that they may show too."""
    setter = typst()
    head = "#set document(title: sys.inputs.title, date: none)\n#set page(margin: 0pt, fill: white)\n"
    loads = "".join(f'#let p{n} = bytes(sys.inputs.at("p{n}"))\n' for n in range(len(pictures)))
    inputs = {"title": title, **{f"p{n}": picture for n, picture in enumerate(pictures)}}
    if whole:  # what typst takes is text: each byte is a character of it
        inputs["whole"] = whole.decode("latin-1")
        loads += "#let pwhole = bytes(sys.inputs.whole.codepoints().map(str.to-unicode))\n"
    ours_alone = not any(letter >= FROM_SCRIPTS_OF_EAST_ASIA for picture in pictures for letter in picture)
    try:
        made = setter.compile(
            (head + loads + "".join(pages)).encode(), format=kind, ppi=float(POINTS), sys_inputs=inputs,
            ignore_system_fonts=ours_alone, timestamp=0,
        )  # fmt: skip
    except setter.TypstError as error:
        raise bad(f"the picture cannot be put on paper: {error.message}") from error
    return cast(bytes, made)


def _page(size: tuple[float, float], holds: str) -> str:
    return f"#page(width: {_pt(size[0])}, height: {_pt(size[1])})[{holds}]\n"


def _image(name: int | str, size: tuple[float, float], at: tuple[float, float] = (0, 0)) -> str:
    kind = "svg" if isinstance(name, int) else "pdf"
    picture = f'image(p{name}, format: "{kind}", width: {_pt(size[0])}, height: {_pt(size[1])}, fit: "stretch")'
    return f"#place(top + left, dx: {_pt(at[0])}, dy: {_pt(at[1])}, {picture})"


def _clipped(size: tuple[float, float], at: tuple[float, float], holds: str) -> str:
    box = f"box(width: {_pt(size[0])}, height: {_pt(size[1])}, clip: true)[{holds}]"
    return f"#place(top + left, dx: {_pt(at[0])}, dy: {_pt(at[1])}, {box})"


def _pt(inches: float) -> str:
    """Inches as points, the unit of PDF."""
    return f"{inches * POINTS:.4f}pt"


def _title(svg: str) -> str:
    return ElementTree.fromstring(svg).get("aria-label", "minis")


def _paper(name: str) -> tuple[float, float]:
    if name not in PAPERS:
        raise bad(f"there is no paper {name!r}; there is {' and '.join(PAPERS)}", file="--paper")
    return PAPERS[name]


def _room(paper: tuple[float, float]) -> tuple[float, float]:
    """What a sheet to scale shows of the picture, in inches."""
    return paper[0] - 2 * MARGIN, paper[1] - MARGIN - FOOT


def _inside(paper: tuple[float, float]) -> tuple[float, float]:
    """What a page has for a picture that is not to scale, in inches."""
    return paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN
