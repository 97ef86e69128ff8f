"""Transforms, lengths and styles of SVG, read strictly: what cannot be read is an error, not nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

Spot = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f: x' = a x + c y + e, y' = b x + d y + f."""

SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

PIXELS_OF = {
    "": 1.0, "px": 1.0, "in": 96.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "pt": 96 / 72, "pc": 16.0, "q": 96 / 101.6,
}  # fmt: skip
"""User units of the lengths that a drawing may give: an inch is 96."""

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_LENGTH = re.compile(rf"\s*({_NUMBER})\s*([a-zA-Z]*)\s*")
_CALL = re.compile(r"\s*([a-zA-Z]+)\s*\(([^()]*)\)\s*,?")
_SPLIT = re.compile(r"[\s,]+")

_TAKES = {
    "matrix": (6,), "translate": (1, 2), "scale": (1, 2), "rotate": (1, 3), "skewx": (1,), "skewy": (1,),
}  # fmt: skip


def length_of(text: str) -> tuple[float, str]:
    """A length in user units, and its unit as typed; raises ValueError where the text is none.

    >>> length_of("25.4mm"), length_of("12")
    ((96.0, 'mm'), (12.0, ''))
    """
    found = _LENGTH.fullmatch(text[:80])
    if found is None or found[2].lower() not in PIXELS_OF:
        raise ValueError(f"{text[:40]!r} is no length")
    value = float(found[1]) * PIXELS_OF[found[2].lower()]
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]!r} is no length")
    return value, found[2].lower()


def times(one: Matrix, other: Matrix) -> Matrix:
    """The transform that does `other` first, then `one`."""
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (
        a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f,
    )  # fmt: skip


def moved(matrix: Matrix, spot: Spot) -> Spot:
    """Where a transform puts a place."""
    a, b, c, d, e, f = matrix
    return a * spot[0] + c * spot[1] + e, b * spot[0] + d * spot[1] + f


def stretch(matrix: Matrix) -> float:
    """By how much a transform makes a length longer, in the mean of all directions.

    >>> stretch(transform_of("rotate(30) scale(3)"))
    3.0
    """
    return round(math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])), 12)


def transform_of(text: str) -> Matrix:
    """The matrix of a `transform`; raises ValueError where it cannot be read.

    >>> moved(transform_of("translate(10, 0) scale(2)"), (1, 1))
    (12.0, 2.0)
    >>> transform_of("spin(3)")
    Traceback (most recent call last):
    ValueError: 'spin(3)' is no transform
    """
    at, whole = 0, SAME
    text = text.strip()
    while at < len(text):
        found = _CALL.match(text, at)
        name = found[1].lower() if found else ""
        try:
            numbers = [float(part) for part in _SPLIT.split(found[2].strip()) if part] if found else []
        except ValueError:
            numbers = []
        if found is None or len(numbers) not in _TAKES.get(name, ()) or not all(map(math.isfinite, numbers)):
            raise ValueError(f"{text[:60]!r} is no transform")
        whole = times(whole, _single(name, numbers))
        at = found.end()
    return whole


def _single(name: str, n: list[float]) -> Matrix:
    if name == "matrix":
        return n[0], n[1], n[2], n[3], n[4], n[5]
    if name == "translate":
        return 1.0, 0.0, 0.0, 1.0, n[0], n[1] if len(n) > 1 else 0.0
    if name == "scale":
        return n[0], 0.0, 0.0, n[-1], 0.0, 0.0
    turn = math.radians(n[0])
    if name == "rotate":
        spin: Matrix = (math.cos(turn), math.sin(turn), -math.sin(turn), math.cos(turn), 0.0, 0.0)
        if len(n) == 1:
            return spin
        return times(times((1, 0, 0, 1, n[1], n[2]), spin), (1, 0, 0, 1, -n[1], -n[2]))
    return (1.0, 0.0, math.tan(turn), 1.0, 0.0, 0.0) if name == "skewx" else (1.0, math.tan(turn), 0.0, 1.0, 0.0, 0.0)


def style_of(attributes: Mapping[str, str]) -> dict[str, str]:
    """What an element looks like by its own attributes; `style` goes before the others.

    >>> style_of({"fill": "red", "style": "fill: none; stroke-width:2"})
    {'fill': 'none', 'stroke-width': '2'}
    """
    found = {key: attributes[key] for key in ("fill", "stroke-width", "display", "fill-rule") if key in attributes}
    for part in attributes.get("style", "").split(";"):
        key, colon, value = part.partition(":")
        if colon:
            found[key.strip()] = value.strip()
    return {key: value for key, value in found.items() if key in ("fill", "stroke-width", "display", "fill-rule")}
