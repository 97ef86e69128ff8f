"""Small marks that pictures of a sight line share: numbers, an eye, a cross, words with a halo."""

from __future__ import annotations

from minis.draw.palette import BLOCKER, INK, LINE, PAPER
from minis.draw.svg import Element, el, group, path


def label(
    words: str,
    x: float,
    y: float,
    size: float,
    *,
    anchor: str = "start",
    bold: bool = False,
    colour: str = INK,
    halo: bool = True,
) -> Element:
    """Words at a place, with a pale edge that keeps them readable over lines and hatches."""
    return el(
        "text", words, x=x, y=y, font_size=size, fill=colour,
        text_anchor=None if anchor == "start" else anchor, font_weight="bold" if bold else None,
        stroke=PAPER if halo else None, stroke_width=size * 0.22 if halo else None,
        stroke_linejoin="round" if halo else None, paint_order="stroke" if halo else None,
    )  # fmt: skip


def badge(number: int, x: float, y: float, radius: float, *, filled: bool = False) -> Element:
    """The number of a crossing in a circle, a filled one of what hides."""
    colour, ink = (BLOCKER, PAPER) if filled else (PAPER, INK)
    size = radius * (1.35 if number < 10 else 1.05)
    return group(
        el("circle", cx=x, cy=y, r=radius, fill=colour, stroke=BLOCKER if filled else INK, stroke_width=radius * 0.16),
        el("text", str(number), x=x, y=y + size * 0.36, font_size=size, text_anchor="middle", font_weight="bold",
           fill=ink),
        class_="badge",
    )  # fmt: skip


def cross(x: float, y: float, radius: float) -> Element:
    """The cross where a line is stopped."""
    d = path([(x - radius, y - radius), (x + radius, y + radius)]) + path(
        [(x - radius, y + radius), (x + radius, y - radius)]
    )
    return group(
        el("path", d=d, stroke=PAPER, stroke_width=radius * 0.95, stroke_linecap="round"),
        el("path", d=d, stroke=BLOCKER, stroke_width=radius * 0.5, stroke_linecap="round"),
    )


def eye(x: float, y: float, radius: float) -> Element:
    """The eye of the viewer."""
    lid = f"M{x - radius:.2f} {y:.2f}Q{x:.2f} {y - radius * 1.5:.2f} {x + radius:.2f} {y:.2f}"
    lid += f"Q{x:.2f} {y + radius * 1.5:.2f} {x - radius:.2f} {y:.2f}Z"
    return group(
        el("path", d=lid, fill=PAPER, stroke=INK, stroke_width=radius * 0.22),
        el("circle", cx=x, cy=y, r=radius * 0.38, fill=LINE),
    )
