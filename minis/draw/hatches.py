"""The hatches of terrain: small signs that repeat over an area, so that it is known in black and white too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from minis.draw.svg import Element, el

PREFIX = "minis-"
"""How the id of every pattern begins, so that none meets an id of the page around the picture."""


@dataclass(frozen=True)
class Hatch:
    """A tile of `width` by `height` user units that repeats: strokes along `d`, dots as (x, y, radius)."""

    width: float
    height: float
    d: str = ""
    stroke_width: float = 4.0
    dots: tuple[tuple[float, float, float], ...] = ()
    rings: tuple[tuple[float, float, float], ...] = ()


HATCHES = {
    "woods": Hatch(96, 104, "M24 32v16M72 84v16", 4.5, rings=((24, 19, 13), (72, 71, 13))),
    "orchard": Hatch(84, 84, dots=((42, 42, 14),)),
    "building": Hatch(26, 26, "M-2 28L28 -2M-15 15L15 -15M11 41L41 11", 3),
    "rubble": Hatch(70, 62, "M8 24l12 -16l12 16zM42 54l10 -14l12 14z", 4),
    "entrenchment": Hatch(48, 40, "M0 28l12 -14l12 14l12 -14l12 14", 4.5),
    "shellholes": Hatch(80, 76, "", 4.5, rings=((22, 20, 11), (60, 56, 13))),
    "brush": Hatch(90, 80, "M22 34v-20m-12 20l-8 -14m32 14l8 -14M67 74v-20m-12 20l-8 -14m32 14l8 -14", 4),
    "grain": Hatch(44, 60, "M11 4v24M33 34v24", 4.5),
    "marsh": Hatch(110, 64, "M6 20h48M61 52h48M22 20v-12m8 12v-16m8 16v-12", 4.5),
    "gully": Hatch(60, 52, "M6 8a11 13 0 0 0 22 0M36 34a11 13 0 0 0 22 0", 5),
    "other": Hatch(70, 70, "M35 25v20m-10 -10h20", 4),
    "smoke": Hatch(64, 64, "M8 24a12 12 0 0 1 24 0M40 56a12 12 0 0 1 24 0", 5),
}
"""Every hatch by its name; those of terrain by the id of its kind."""


def paint(name: str) -> str:
    """The `fill` that fills with a hatch.

    >>> paint("woods")
    'url(#minis-woods)'
    """
    return f"url(#{PREFIX}{name})"


def pattern(name: str, ink: str, scale: float = 1.0) -> Element:
    """The pattern of a hatch in an ink, to stand in the `defs` of a picture."""
    hatch = HATCHES[name]
    parts: list[Element] = []
    if hatch.d:
        parts.append(
            el("path", d=hatch.d, fill="none", stroke=ink, stroke_width=hatch.stroke_width, stroke_linejoin="round")
        )
    parts += [el("circle", cx=x, cy=y, r=r, fill=ink) for x, y, r in hatch.dots]
    parts += [
        el("circle", cx=x, cy=y, r=r, fill="none", stroke=ink, stroke_width=hatch.stroke_width)
        for x, y, r in hatch.rings
    ]
    return el(
        "pattern", *parts, id=PREFIX + name, width=hatch.width, height=hatch.height, patternUnits="userSpaceOnUse",
        patternTransform=None if scale == 1 else f"scale({scale:.3f})",
    )  # fmt: skip


def definitions(named: Iterable[tuple[str, str]], scale: float = 1.0) -> Element:
    """The `defs` of some hatches, each with its ink."""
    return el("defs", *(pattern(name, ink, scale) for name, ink in named))
