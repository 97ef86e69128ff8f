"""Drawings (SVG, as Inkscape writes it) in: the objects of each layer as lines and areas on the page, in inches."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from minis.errors import BadInput, bad
from minis.ground.svg_matrix import (
    PIXELS_OF,
    SAME,
    Matrix,
    Spot,
    length_of,
    stretch,
    style_of,
    times,
    transform_of,
)
from minis.ground.svg_shapes import SHAPES, subpaths
from minis.toml_file import read_bytes

WHAT = "a drawing (SVG)"

SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"

NOT_DRAWN = ("defs", "clipPath", "mask", "pattern", "marker", "symbol", "metadata")
TOOLS = ("title", "desc", "style", "script", "namedview", "tspan", "stop")

MOST_BYTES, MOST_DEPTH, MOST_POINTS = 64 * 2**20, 200, 1_000_000
"""No drawing of a table is larger, nested deeper, or has more points."""

AT_ONCE = 2**16
"""Bytes of a drawing that are read at once."""


@dataclass(frozen=True)
class Stroke:
    """A part of an object: its places in inches from the lower left corner, and whether it is closed."""

    spots: tuple[Spot, ...]
    closed: bool


@dataclass(frozen=True)
class Drawn:
    """An object of a drawing: its layer, its name, its parts, how it is filled, how broad its line is in inches.

    `data` are its `data-` attributes, those of its layer under its own.
    """

    layer: str
    name: str
    strokes: tuple[Stroke, ...]
    filled: bool
    evenodd: bool
    breadth_in: float
    data: Mapping[str, str]


@dataclass(frozen=True)
class Drawing:
    """A drawing as read: the size of its page on the table, its objects, what of it was passed over, by name.

    `place` is what `minis export svg` wrote of where the table lies on the earth; empty where it wrote nothing.
    """

    name: str
    width_in: float
    depth_in: float
    objects: tuple[Drawn, ...]
    left_out: Mapping[str, int]
    not_understood: Mapping[str, int]
    remarks: tuple[str, ...] = ()
    title: str = ""
    place: str = ""


@dataclass
class _Frame:
    """What an element hands down to those in it."""

    tag: str
    matrix: Matrix = SAME
    layer: str = ""
    by_layer: bool = False
    hidden: bool = False
    drawn: bool = True
    style: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)


def read_svg(path: Path, *, size_in: tuple[float, float] | None = None) -> Drawing:
    """The objects of a drawing on a table as large as its page, or as `size_in` where the page is a scaled table.

    Curves become lines within 1/512". Hidden layers are passed over and counted. Raises BadInput with one message for
    what is no SVG, for a page without a size, for a path or a transform that cannot be read.
    """
    name = str(path)
    data = read_bytes(path, what=WHAT, most_bytes=MOST_BYTES)
    if b"<!ENTITY" in data:
        raise bad(f"declares entities of its own; save it as plain SVG; expected {WHAT}", file=name)
    reader = _Reader(name, size_in)
    try:
        for event, element in _elements(data, name):
            reader.start(element) if event == "start" else reader.end(element)
    except ElementTree.ParseError as error:
        line, column = error.position
        words = str(error).partition(":")[0]
        raise bad(f"this is no XML: {words} at line {line}, column {column}; expected {WHAT}", file=name) from None
    return reader.drawing()


def _elements(data: bytes, name: str) -> Iterator[Any]:
    """The beginnings and ends of elements, as they come: which of the two, and the element."""
    parser: Any = ElementTree.XMLPullParser(("start", "end"))
    for at in range(0, len(data), AT_ONCE):
        try:
            parser.feed(data[at : at + AT_ONCE])
        except (LookupError, ValueError):  # of the encoding that the file names
            raise bad(f"is in an encoding that is not read; save it as UTF-8; expected {WHAT}", file=name) from None
        yield from parser.read_events()
    parser.close()
    yield from parser.read_events()


class _Reader:
    """One walk over a drawing."""

    def __init__(self, name: str, size_in: tuple[float, float] | None):
        self.name = name
        self.size_in = size_in
        self.page: tuple[float, float] | None = None
        self.frames: list[_Frame] = []
        self.objects: list[Drawn] = []
        self.left_out: Counter[str] = Counter()
        self.not_understood: Counter[str] = Counter()
        self.remarks: list[str] = []
        self.title = ""
        self.place = ""
        self.points = 0

    def drawing(self) -> Drawing:
        if self.page is None:
            raise bad(f"has no <svg>; expected {WHAT}", file=self.name)
        width, depth = self.page
        return Drawing(
            self.name, width, depth, tuple(self.objects), dict(self.left_out), dict(self.not_understood),
            tuple(self.remarks), self.title, self.place,
        )  # fmt: skip

    def start(self, element: Any) -> None:
        tag = element.tag.rpartition("}")[2]
        if len(self.frames) >= MOST_DEPTH:
            raise bad(f"is nested too deeply, beyond {MOST_DEPTH} elements; expected {WHAT}", file=self.name)
        if not self.frames:
            if element.tag not in (f"{SVG}svg", "svg"):
                raise bad(f"begins with <{tag[:40]}>; expected {WHAT}", file=self.name)
            self.place = element.attrib.get("data-place", "")
            self.frames.append(_Frame(tag, self.paper(element.attrib), style=style_of(element.attrib)))
            return
        self.frames.append(self.inside(tag, element.attrib, self.frames[-1]))

    def inside(self, tag: str, attributes: Mapping[str, str], above: _Frame) -> _Frame:
        own = style_of(attributes)
        matrix = above.matrix
        if "transform" in attributes:
            try:
                matrix = times(matrix, transform_of(attributes["transform"]))
            except ValueError as error:
                raise bad(f"{attributes.get('id', tag)}: {error}", file=self.name) from None
        layer, by_layer = above.layer, above.by_layer
        data = above.data
        if tag == "g":
            label = attributes.get(f"{INKSCAPE}label")
            if attributes.get(f"{INKSCAPE}groupmode") == "layer":
                layer, by_layer = label or attributes.get("id", ""), True
            elif not by_layer and not layer:
                layer = label or attributes.get("id", "")
            data = {**data, **_data(attributes)}
        return _Frame(
            tag, matrix, layer, by_layer, above.hidden or own.get("display") == "none",
            above.drawn and tag not in NOT_DRAWN, {**above.style, **own}, data,
        )  # fmt: skip

    def end(self, element: Any) -> None:
        frame = self.frames.pop()
        above = self.frames[-1].tag if self.frames else ""
        if frame.tag == "title" and len(self.frames) == 1:
            text = " ".join((element.text or "").split())
            self.title = text if text.isprintable() and len(text) <= 200 else ""
        if frame.drawn and self.frames and frame.tag not in ("g", "a", *NOT_DRAWN, *TOOLS) and above != "text":
            where = frame.layer or "no layer"
            if frame.tag not in SHAPES:
                if "}" not in element.tag or element.tag.startswith(SVG):
                    self.not_understood[f"{frame.tag} in {where}"] += 1
            elif frame.hidden:
                self.left_out[f"hidden: {where}"] += 1
            else:
                self.take(element, frame)
        if frame.tag not in ("title", "desc"):
            for part in list(element):
                element.remove(part)

    def take(self, element: Any, frame: _Frame) -> None:
        """Keep an object."""
        attributes = element.attrib
        title = next((child.text for child in element if child.tag.rpartition("}")[2] == "title"), None)
        name = (title or "").strip() or attributes.get(f"{INKSCAPE}label", "").strip() or attributes.get("id", "")
        named = name or frame.tag
        strokes = []
        try:
            for spots, closed in subpaths(frame.tag, attributes, frame.matrix):
                self.points += len(spots)
                if self.points > MOST_POINTS:
                    raise bad(f"has more than {MOST_POINTS} points", file=self.name)
                if not all(abs(x) < 1e6 and abs(y) < 1e6 for x, y in spots):
                    raise ValueError("reaches beyond any page")
                strokes.append(Stroke(tuple(spots), closed))
            breadth = length_of(frame.style.get("stroke-width", "1"))[0]
        except BadInput:
            raise
        except ValueError as error:
            words = str(error).splitlines()[0][:80] if str(error) else "its path cannot be read"
            raise bad(f"{named[:80]} in {frame.layer or 'no layer'}: {words}", file=self.name) from None
        if strokes:
            self.objects.append(
                Drawn(
                    frame.layer, name, tuple(strokes), frame.style.get("fill", "black") != "none",
                    frame.style.get("fill-rule") == "evenodd", breadth * stretch(frame.matrix),
                    {**frame.data, **_data(attributes)},
                )
            )  # fmt: skip

    # --- the page --------------------------------------------------------------------------------------------------

    def paper(self, attributes: Mapping[str, str]) -> Matrix:
        """From user units of the drawing to inches of the table, y up; sets the size of the page."""
        sides: list[float | None] = []
        for key in ("width", "height"):
            text = attributes.get(key, "100%")
            if text.strip().endswith("%"):
                sides.append(None)
                continue
            try:
                pixels, unit = length_of(text)
            except ValueError as error:
                raise bad(f"{key}: {error}", file=self.name) from None
            if not pixels > 0:
                raise bad(f"{key}: {text[:40]!r} is no size of a page", file=self.name)
            if unit in ("", "px") and self.size_in is None and key == "width":
                self.remarks.append("the page is given in pixels: 96 of them were taken as an inch")
            sides.append(pixels / PIXELS_OF["in"])
        box = self.view_box(attributes.get("viewBox"))
        width, height = sides
        if width is None or height is None:
            if self.size_in is None:
                raise bad("its page has no size; give that of the table with --size 96x60", file=self.name)
            width, height = (box[2], box[3]) if box else self.size_in
        left, top, across, down = box or (0.0, 0.0, width * PIXELS_OF["in"], height * PIXELS_OF["in"])
        if self.size_in is not None:
            table = self.size_in
            if not math.isclose(table[0] / table[1], width / height, rel_tol=2e-3):
                message = (
                    f"its page is {width:.4g} by {height:.4g}, a table of {table[0]:g} by {table[1]:g} inches has "
                    "another shape; expected sides in proportion"
                )
                raise bad(message, file=self.name)
            width, height = table
        self.page = (width, height)
        x, y = width / across, height / down
        if attributes.get("preserveAspectRatio") != "none":
            x = y = min(x, y)
        rest_x, rest_y = (width - across * x) / 2, (height - down * y) / 2
        return (x, 0.0, 0.0, -y, rest_x - left * x, height - rest_y + top * y)

    def view_box(self, text: str | None) -> tuple[float, float, float, float] | None:
        if text is None:
            return None
        try:
            left, top, width, height = (float(part) for part in text.replace(",", " ").split())
        except ValueError:
            left = top = width = height = math.nan
        if not (math.isfinite(left + top + width + height) and width > 0 and height > 0):
            raise bad(f"viewBox: expected four numbers, the last two above 0, not {text[:60]!r}", file=self.name)
        return left, top, width, height


def _data(attributes: Mapping[str, str]) -> dict[str, str]:
    return {key.removeprefix("data-"): value for key, value in attributes.items() if key.startswith("data-")}
