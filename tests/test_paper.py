"""Pictures on paper: what is an inch stays one, hatches and halos are kept, the same bytes each time."""

from __future__ import annotations

import builtins
import io
import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdf.generic import ContentStream

from minis.draw.canvas import UNITS
from minis.draw.paper import (
    BAR,
    FOOT,
    MARGIN,
    OVERLAP,
    PAPERS,
    inches_of,
    pdf_of,
    pdf_of_pages,
    png_of,
    sheets_for,
)
from minis.draw.svg import document, el, group
from minis.errors import BadInput

POINTS = 72
MAGENTA = (255, 0, 255)


def picture(width_in: float = 30, height_in: float = 20) -> str:
    """A table with a magenta bar of 6 inches whose left end is 1 inch from the left, a hatched wood, a name on it."""
    lines = el("line", x1=0, y1=0, x2=0, y2=40, stroke="#000", stroke_width=48)
    hatch = el("pattern", lines, id="minis-hatch", width=40, height=40, patternUnits="userSpaceOnUse")
    return document(
        width_in * UNITS, height_in * UNITS,
        el("defs", hatch),
        el("rect", width=width_in * UNITS, height=height_in * UNITS, fill="#ffffff"),
        el("rect", x=UNITS, y=UNITS, width=6 * UNITS, height=20, fill="#ff00ff"),
        el("rect", x=100, y=400, width=400, height=300, fill="url(#minis-hatch)", stroke="#000"),
        group(el("text", "Bois Carré", x=300, y=550, font_size=50, text_anchor="middle", stroke="#fff",
                 stroke_width=16, paint_order="stroke"), font_family="DejaVu Sans Mono, monospace"),
        label="A table",
    )  # fmt: skip


def pixels(png: bytes) -> npt.NDArray[np.uint8]:
    """The red, green and blue of a PNG of 8 bits without palette, row by row."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert depth == 8
    channels = {2: 3, 6: 4}[kind]
    data, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if name == b"IDAT" else b""
        at += length + 12
    raw, stride = zlib.decompress(data), width * channels
    rows = np.zeros((height, stride), dtype=np.uint8)
    for y in range(height):
        line = bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        _unfilter(raw[y * (stride + 1)], line, rows[y - 1].tobytes() if y else bytes(stride), channels)
        rows[y] = np.frombuffer(bytes(line), dtype=np.uint8)
    return rows.reshape(height, width, channels)[:, :, :3]


def _unfilter(kind: int, line: bytearray, above: bytes, channels: int) -> None:
    for x in range(len(line)):
        left = line[x - channels] if x >= channels else 0
        corner = above[x - channels] if x >= channels else 0
        line[x] = (line[x] + (0, left, above[x], (left + above[x]) // 2, _paeth(left, above[x], corner))[kind]) & 255


def _paeth(left: int, above: int, corner: int) -> int:
    guess = left + above - corner
    return min((left, above, corner), key=lambda each: abs(guess - each))


Matrix = tuple[float, float, float, float, float, float]


def times(one: Matrix, other: Matrix) -> Matrix:
    """A matrix of PDF before another."""
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def boxes(reader: PdfReader, page: int, colour: tuple[float, ...]) -> list[tuple[float, float, float, float]]:
    """Left, bottom, right, top in inches of every path of a page that is filled with a colour, forms looked into."""
    found: list[tuple[float, float, float, float]] = []

    def walk(stream: Any, resources: Any, start: Matrix) -> None:
        now, points = start, []
        fill: tuple[float, ...] = ()
        kept: list[tuple[Matrix, tuple[float, ...]]] = []
        for operands, operator in ContentStream(stream, reader).operations:
            match operator:
                case b"q":
                    kept.append((now, fill))
                case b"Q":
                    now, fill = kept.pop()
                case b"cm":
                    now = times(tuple(map(float, operands)), now)  # type: ignore[arg-type]
                case b"scn" | b"sc":
                    fill = tuple(float(each) for each in operands if not isinstance(each, str))
                case b"m" | b"l":
                    x, y = map(float, operands)
                    points.append((x * now[0] + y * now[2] + now[4], x * now[1] + y * now[3] + now[5]))
                case b"f" | b"f*" | b"B" | b"n" | b"S":
                    if operator in (b"f", b"f*", b"B") and fill == colour and points:
                        xs, ys = zip(*points, strict=True)
                        found.append((min(xs) / POINTS, min(ys) / POINTS, max(xs) / POINTS, max(ys) / POINTS))
                    points = []
                case b"Do":
                    form = resources["/XObject"][operands[0]].get_object()
                    own = tuple(map(float, form.get("/Matrix", (1, 0, 0, 1, 0, 0))))
                    walk(form, form["/Resources"].get_object(), times(own, now))  # type: ignore[arg-type]
                case _:
                    pass

    whole = reader.pages[page]
    walk(whole.get_contents(), whole["/Resources"], (1, 0, 0, 1, 0, 0))
    return found


def read(pdf: bytes) -> PdfReader:
    """A PDF as pypdf reads it."""
    return PdfReader(io.BytesIO(pdf), strict=True)


def paper_of(reader: PdfReader, page: int = 0) -> tuple[float, float]:
    """The size of a page in inches."""
    box = reader.pages[page].mediabox
    return float(box.width) / POINTS, float(box.height) / POINTS


@pytest.mark.parametrize("paper", PAPERS)
def test_to_scale_a_bar_of_6_inches_measures_6_inches(paper: str) -> None:
    """The bar of the picture is 6 inches in the geometry of the PDF, and so is the bar at the foot of each sheet."""
    reader = read(pdf_of(picture(), paper=paper, to_scale=True))
    [(left, _, right, top)] = boxes(reader, 0, (1, 0, 1))
    assert right - left == pytest.approx(6, abs=1e-3)
    assert left == pytest.approx(MARGIN + 1, abs=1e-3)
    assert paper_of(reader)[1] - top == pytest.approx(MARGIN + 1, abs=1e-3)
    for page in range(len(reader.pages)):
        foot = [
            box for box in boxes(reader, page, (0,)) if box[3] < FOOT and box[2] - box[0] == pytest.approx(1, abs=1e-3)
        ]
        assert len(foot) == BAR / 2  # every second inch is black
        assert max(box[2] for box in foot) - min(box[0] for box in foot) == pytest.approx(BAR - 1, abs=1e-3)


def test_to_scale_the_next_sheet_goes_on_where_the_last_ends() -> None:
    """The bar stands on the second sheet as far to the left as the sheets step, so that dashed lines meet."""
    reader = read(pdf_of(picture(30, 9), to_scale=True))
    sheets = sheets_for(30, 9)
    first, second = (boxes(reader, page, (1, 0, 1))[0] for page in (0, 1))
    assert first[0] - second[0] == pytest.approx(sheets.shows[0] - OVERLAP, abs=1e-3)
    assert first[1] == pytest.approx(second[1], abs=1e-3)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_pdf_is_on_the_paper_that_was_asked_for(paper: str) -> None:
    """Not to scale a wide picture is one sheet across, all of it within the margins."""
    reader = read(pdf_of(picture(), paper=paper))
    assert len(reader.pages) == 1
    assert paper_of(reader) == pytest.approx(PAPERS[paper][::-1], abs=1e-3)
    [(left, _, right, _)] = boxes(reader, 0, (1, 0, 1))
    assert (right - left) / 6 == pytest.approx((PAPERS[paper][1] - 2 * MARGIN) / 30, rel=1e-3)


def test_on_a_png_the_bar_measures_6_inches_at_its_resolution() -> None:
    """At 20 pixels to the inch the bar is 120 pixels wide and the picture as many as were asked for."""
    image = pixels(png_of(picture(), width_px=30 * 20))
    assert image.shape[:2] == (400, 600)
    bar = np.all(image == MAGENTA, axis=2)
    across = np.flatnonzero(bar.any(axis=0))
    assert (across[0], across[-1] + 1) == (20, 140)


def test_hatches_and_halos_are_kept() -> None:
    """The wood is striped, its name is drawn over a white halo, and the PDF holds the name as text."""
    image = pixels(png_of(picture(10, 10), width_px=500)).astype(int).sum(axis=2)
    stripes = image[340, 55:245] < 300
    assert 8 < np.count_nonzero(np.diff(stripes.astype(int)) == 1) < 12
    beside_the_letters, above = image[255:278, 80:220], image[215:238, 80:220]
    assert (above > 700).mean() < 0.5 < (beside_the_letters > 700).mean() + (beside_the_letters < 100).mean()
    assert (beside_the_letters > 700).mean() > (above > 700).mean() + 0.1
    assert "Bois Carré" in read(pdf_of(picture(10, 10))).pages[0].extract_text()


@pytest.mark.parametrize("to_scale", [False, True])
def test_a_pdf_is_the_same_bytes_each_time(to_scale: bool) -> None:
    """No date and no chance is in it; its title is the picture's."""
    one = pdf_of(picture(), to_scale=to_scale)
    assert one == pdf_of(picture(), to_scale=to_scale)
    about = read(one).metadata
    assert about is not None
    assert about.title == "A table"
    assert about.creation_date is None or about.creation_date.year == 1970


def test_pages_are_a_sheet_each() -> None:
    """Pictures that are whole pages fill one each."""
    pages = [document(850, 1100, el("rect", width=850, height=1100, fill="#ff00ff"), label=f"{n}") for n in range(3)]
    reader = read(pdf_of_pages(pages, title="Aids", paper="letter"))
    assert len(reader.pages) == 3
    assert boxes(reader, 2, (1, 0, 1)) == [pytest.approx((0, 0, 8.5, 11), abs=1e-3)]


@given(st.floats(0.5, 60), st.floats(0.5, 60), st.sampled_from(sorted(PAPERS)))
@settings(max_examples=200, deadline=None)
def test_the_sheets_cover_the_picture_and_no_sheet_is_idle(width: float, height: float, paper: str) -> None:
    """The last column and row reach the edge, and without them they would not."""
    sheets = sheets_for(width, height, paper)
    for size, shown, count in zip((width, height), sheets.shows, (sheets.columns, sheets.rows), strict=True):
        reach = count * shown - (count - 1) * OVERLAP
        assert reach >= size - 1e-5
        assert count == 1 or reach - (shown - OVERLAP) < size


def test_each_sheet_says_which_it_is() -> None:
    """Every sheet has its letter and number and those of its neighbours."""
    reader = read(pdf_of(picture(), to_scale=True))
    sheets = sheets_for(30, 20)
    assert len(reader.pages) == sheets.count > 2
    texts = [page.extract_text() for page in reader.pages]
    names = [sheets.name(c, r) for r in range(sheets.rows) for c in range(sheets.columns)]
    for name, text in zip(names, texts, strict=True):
        assert f"{name} of A1 to {names[-1]}" in text
    assert "B1 →" in texts[0]
    assert "←" not in texts[0]


def test_far_too_large_is_refused() -> None:
    """A table of 1000 inches is not cut into thousands of sheets, a picture is not millions of pixels wide."""
    with pytest.raises(BadInput, match="sheets of paper"):
        pdf_of(picture(1000, 1000), to_scale=True)
    with pytest.raises(BadInput, match="pixels"):
        png_of(picture(), width_px=10**7)
    with pytest.raises(BadInput, match="no paper 'a5'; there is a4 and letter"):
        pdf_of(picture(), paper="a5")


def test_a_huge_picture_keeps_its_scale() -> None:
    """A picture wider than the largest page of PDF is to scale too."""
    reader = read(pdf_of(picture(300, 9), to_scale=True))
    [(left, _, right, _)] = boxes(reader, 0, (1, 0, 1))
    assert right - left == pytest.approx(6, abs=2e-3)


def test_a_picture_says_how_large_it_is() -> None:
    """Inches come from its size on paper, in inches or millimetres, else from its user units."""
    assert inches_of(document(300, 200, label="")) == (3, 2)
    assert inches_of(document(508, 254, label="", unit="mm", per_unit=10)) == (2, 1)
    assert inches_of(document(850, 1100, label="", unit="in", per_unit=100)) == (8.5, 11)


def test_without_the_extra_the_message_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where typst is not installed one line says that minis[print] brings it."""
    real = builtins.__import__

    def without(name: str, *args: Any, **named: Any) -> Any:
        if name == "typst":
            raise ImportError(name)
        return real(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    message = r"typst, which is not installed: it comes with minis\[print\]"
    with pytest.raises(BadInput, match=message):
        pdf_of(picture())
    with pytest.raises(BadInput, match=message):
        png_of(picture(), width_px=100)
