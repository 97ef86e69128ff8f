"""The shapes of SVG as places: paths, rectangles, circles and the like, curves as lines that are close enough."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from minis.errors import bad
from minis.ground.svg_matrix import Matrix, Spot, length_of, moved

SHAPES = ("path", "rect", "circle", "ellipse", "polygon", "polyline", "line")
"""Elements that draw something."""

CURVE_IN = 1 / 512
"""A curve becomes a line that is off it by at most this, in inches of the table."""


def subpaths(tag: str, attributes: Mapping[str, str], matrix: Matrix) -> Iterator[tuple[list[Spot], bool]]:
    """The parts of a shape under a transform, curves as lines; raises ValueError where it cannot be read.

    >>> from minis.ground.svg_matrix import SAME
    >>> list(subpaths("path", {"d": "M1 1h2v2z"}, SAME))
    [([(1.0, 1.0), (3.0, 1.0), (3.0, 3.0)], True)]
    """
    spots: list[Spot] = []
    closed = False
    for kind, points in _segments(tag, attributes):
        placed = [moved(matrix, point) for point in points]
        if not all(math.isfinite(x) and math.isfinite(y) for x, y in placed):
            raise ValueError("a place of it is no finite number")
        if kind == "move":
            if len(spots) > 1:
                yield _ended(spots, closed)
            spots, closed = placed, False
        elif not spots:
            raise ValueError("a path begins with M")
        elif kind == "close":
            closed = True
            yield _ended(spots, closed)
            spots, closed = spots[:1], False
        else:
            spots = [*spots, *placed] if kind == "line" else spots + _curve([spots[-1], *placed])
    if len(spots) > 1:
        yield _ended(spots, closed)


def _ended(spots: list[Spot], closed: bool) -> tuple[list[Spot], bool]:
    """A part without repeated places; one that comes back to its beginning is closed."""
    kept = [spot for index, spot in enumerate(spots) if index == 0 or spot != spots[index - 1]]
    if len(kept) > 3 and math.dist(kept[0], kept[-1]) < 1e-9:
        closed = True
    if closed and len(kept) > 1 and math.dist(kept[0], kept[-1]) < 1e-9:
        kept.pop()
    return kept, closed


def _curve(points: Sequence[Spot]) -> list[Spot]:
    """A Bezier curve as places that follow its first, close enough that the line through them is not off it."""
    degree = len(points) - 1
    bends = [
        math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1])
        for a, b, c in zip(points, points[1:], points[2:], strict=False)
    ]
    bend = degree * (degree - 1) * max(bends, default=0.0)
    count = min(max(1, math.ceil(math.sqrt(bend / (8 * CURVE_IN)))), 2000)
    found = []
    for step in range(1, count + 1):
        t = step / count
        weights = [math.comb(degree, k) * t**k * (1 - t) ** (degree - k) for k in range(degree + 1)]
        found.append(
            (sum(w * p[0] for w, p in zip(weights, points, strict=True)),
             sum(w * p[1] for w, p in zip(weights, points, strict=True)))
        )  # fmt: skip
    found[-1] = points[-1]
    return found


def _segments(tag: str, attributes: Mapping[str, str]) -> Iterator[tuple[str, list[Spot]]]:
    """A shape as moves, lines, curves and closings, each with its places after the first."""
    try:
        yield from _drawn(tag, attributes)
    except (ArithmeticError, AttributeError, LookupError, TypeError):  # svgelements, of a path that is none
        raise ValueError("its path cannot be read") from None


def _drawn(tag: str, attributes: Mapping[str, str]) -> Iterator[tuple[str, list[Spot]]]:
    if tag in ("polygon", "polyline", "line"):
        yield from _straight(tag, attributes)
        return
    parts = svgelements_module()
    if tag == "path":
        text = attributes.get("d", "").strip()
        made = parts.Path(text) if text and text != "none" else parts.Path()
        if text and text != "none" and not len(made):
            raise ValueError("its path cannot be read")
    else:
        made = _round_shape(parts, tag, attributes)
    for segment in made:
        if isinstance(segment, parts.Arc):
            for cubic in segment.as_cubic_curves():
                yield "curve", [_spot(cubic.control1), _spot(cubic.control2), _spot(cubic.end)]
        elif isinstance(segment, parts.Move):
            yield "move", [_spot(segment.end)]
        elif isinstance(segment, parts.Close):
            yield "close", []
        elif isinstance(segment, parts.CubicBezier):
            yield "curve", [_spot(segment.control1), _spot(segment.control2), _spot(segment.end)]
        elif isinstance(segment, parts.QuadraticBezier):
            yield "curve", [_spot(segment.control), _spot(segment.end)]
        else:
            yield "line", [_spot(segment.end)]


def _round_shape(parts: Any, tag: str, attributes: Mapping[str, str]) -> Any:
    """A rectangle, circle or ellipse as a path; nothing where it has no size."""
    keys = {"rect": "x y width height rx ry", "circle": "cx cy r", "ellipse": "cx cy rx ry"}[tag].split()
    sizes = {key: length_of(attributes[key])[0] for key in keys if attributes.get(key, "auto") != "auto"}
    needed = {"rect": ("width", "height"), "circle": ("r",), "ellipse": ("rx", "ry")}[tag]
    if not all(sizes.get(key, 0.0) > 0 for key in needed):
        return parts.Path()
    return parts.Path({"rect": parts.Rect, "circle": parts.Circle, "ellipse": parts.Ellipse}[tag](**sizes))


def _straight(tag: str, attributes: Mapping[str, str]) -> Iterator[tuple[str, list[Spot]]]:
    if tag == "line":
        ends = [length_of(attributes.get(key, "0"))[0] for key in ("x1", "y1", "x2", "y2")]
        yield "move", [(ends[0], ends[1])]
        yield "line", [(ends[2], ends[3])]
        return
    try:
        numbers = [float(part) for part in attributes.get("points", "").replace(",", " ").split()]
    except ValueError as error:
        raise ValueError(f"its points are no numbers: {str(error).rpartition(': ')[2][:40]}") from None
    if len(numbers) % 2:
        raise ValueError("its points are an odd count of numbers")
    spots = list(zip(numbers[::2], numbers[1::2], strict=True))
    for index, spot in enumerate(spots):
        yield ("line" if index else "move"), [spot]
    if tag == "polygon" and spots:
        yield "close", []


def _spot(point: Any) -> Spot:
    if point is None:
        raise ValueError("a path begins with M")
    return float(point.x), float(point.y)


def svgelements_module() -> Any:
    """The module svgelements; raises BadInput that says which extra brings it."""
    try:
        return importlib.import_module("svgelements")
    except ImportError:
        raise bad("drawings need svgelements, which is not installed: it comes with minis[ground]") from None
