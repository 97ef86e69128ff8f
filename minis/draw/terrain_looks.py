"""How each kind of terrain looks: its colour, its hatch, its letter, and for a line the strokes it is made of."""

from __future__ import annotations

from dataclasses import dataclass

from minis.draw.palette import CONTOUR, GROUND
from minis.rules.rows import TerrainRow


@dataclass(frozen=True)
class Stroke:
    """One stroke along a line: its ink, its width, its dashes; `round_` makes dots of dashes without length."""

    ink: str
    width: float
    dash: str | None = None
    round_: bool = False


@dataclass(frozen=True)
class Look:
    """How a kind looks: letter, fill, hatch and edge of an area, or the strokes of a line, the lowest first."""

    letter: str = ""
    fill: str = "none"
    hatch: str | None = None
    ink: str = CONTOUR
    edge: Stroke | None = None
    strokes: tuple[Stroke, ...] = ()


LOOKS = {
    # areas, in the order in which they are laid upon one another
    "open": Look("Op", GROUND, None, "#8f8976", Stroke("#8f8976", 6, "2 14", True)),
    "gully": Look("Gu", "#d8cbb0", "gully", "#6e5a38", Stroke("#6e5a38", 6, "22 8")),
    "marsh": Look("M", "#d3e6ec", "marsh", "#3f7488", Stroke("#3f7488", 5, "16 10")),
    "grain": Look("G", "#f4e9b4", "grain", "#a08a2c", Stroke("#a08a2c", 5)),
    "brush": Look("Br", "#e4e9c6", "brush", "#6f7a3a", Stroke("#6f7a3a", 5, "14 8")),
    "shellholes": Look("Sh", "#e6dfd2", "shellholes", "#5f574a", Stroke("#5f574a", 5, "8 8")),
    "road": Look("", "#ece5d6", None, "#8f8468", Stroke("#8f8468", 5)),
    "entrenchment": Look("E", "#e4d3b4", "entrenchment", "#6b4f26", Stroke("#6b4f26", 9)),
    "rubble": Look("Ru", "#dcd6cd", "rubble", "#5f564c", Stroke("#5f564c", 6, "20 6 4 6")),
    "orchard": Look("Or", "#dcebc4", "orchard", "#6f9a49", Stroke("#4f7430", 6)),
    "woods": Look("W", "#c0d8aa", "woods", "#4d7038", Stroke("#31501f", 8)),
    "building": Look("B", "#dfc8bb", "building", "#8a5f4c", Stroke("#33201a", 11)),
    # lines
    "ridge": Look("", ink=CONTOUR, strokes=(Stroke(CONTOUR, 44, "4 24"), Stroke(CONTOUR, 10))),
    "cliff": Look("", ink="#3a3a3a", strokes=(Stroke("#3a3a3a", 34, "8 12"), Stroke("#3a3a3a", 7))),
    "wall": Look("", ink="#2b2b2b", strokes=(Stroke("#2b2b2b", 22), Stroke("#f2f2f2", 12, "22 6"))),
    "hedge": Look("", ink="#4f7430", strokes=(Stroke("#4f7430", 6), Stroke("#4f7430", 20, "0.1 30", True))),
    "bocage": Look(
        "", ink="#28491a", strokes=(Stroke("#28491a", 34, "0.1 26", True), Stroke("#28491a", 22),
                                    Stroke("#b9d39c", 12, "0.1 26", True)),
    ),
    "roadblock": Look("", ink="#1a1a1a", strokes=(Stroke("#1a1a1a", 40), Stroke("#ffffff", 28, "16 16"))),
    # areas with a level: contours
    "hill": Look("", "#efe3c6", None, CONTOUR, Stroke(CONTOUR, 8)),
}  # fmt: skip
"""The look of every kind of the tables, in the order of drawing. A kind of a house table has one made for it."""

PLAIN = Look("", "#e3e3e3", "other", "#555555", Stroke("#555555", 6, "12 8"))
PLAIN_LINE = (Stroke("#555555", 24), Stroke("#e3e3e3", 14, "10 10"))


def look_of(kind: TerrainRow) -> Look:
    """The look of a kind; of one that only a house table has, a plain one with the first letters of its name."""
    if kind.id in LOOKS:
        return LOOKS[kind.id]
    return Look(kind.id[:3].capitalize(), PLAIN.fill, PLAIN.hatch, PLAIN.ink, PLAIN.edge, PLAIN_LINE)


def rank_of(kind: TerrainRow) -> int:
    """Where a kind comes in the order of drawing; what is not known is drawn below buildings and lines."""
    order = list(LOOKS)
    return order.index(kind.id) if kind.id in LOOKS else order.index("rubble")
