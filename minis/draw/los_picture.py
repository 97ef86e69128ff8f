"""A sight line on one page: the map around it, the profile, the ruling; all from one `Sightline`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from minis.draw.canvas import UNITS
from minis.draw.line_marks import Mark, blocker_of, levels_of, lower_end, marks_of
from minis.draw.los_map import los_map, window_of
from minis.draw.marks import badge, cross
from minis.draw.page import COLUMNS, HARD_SPACE, SWATCH, Key, Panel, page
from minis.draw.palette import BLOCKER, LINE, SHADOW
from minis.draw.profile import profile
from minis.draw.svg import Element, el, group, path
from minis.sight.line import Sightline
from minis.sight.scene import Scene


def los_picture(scene: Scene, line: Sightline, words: Sequence[str], *, turn: str | None = None) -> str:
    """The page of a sight line: map, profile, and the words of the ruling as the command line has them.

    `words` are lines of at most two columns, what is said and its rule; nothing is read from them.
    """
    from minis.draw.line_shapes import area_of, gap_of

    board = scene.board
    window = window_of(scene, line)
    width = window.width * UNITS
    marks = marks_of(line)
    drawn, depth = profile(scene, line, width)
    lower = lower_end(line)
    gap, area = gap_of(scene, line), area_of(scene, line)
    return page(
        board,
        f"{line.from_id} to {line.to_id}: {board.title}",
        [
            Panel(los_map(scene, line, window, gap=gap, area=area), width, window.depth * UNITS),
            Panel(drawn, width, depth, f"The profile from {line.viewer} to {lower}"),
        ],
        keys=_keys(line, marks, shaded=area is not None, measured=gap is not None),
        words=[part for text in words for part in _fitted(text, COLUMNS)],
        turn=turn,
    )


# --- legend and words -------------------------------------------------------------------------------------------------


def _keys(line: Sightline, marks: Sequence[Mark], *, shaded: bool, measured: bool) -> list[Key]:
    """What the marks of this picture mean."""
    wide, tall = SWATCH
    middle = tall / 2

    def stroke(colour: str, dashes: str | None = None) -> Element:
        return el(
            "path", d=path([(0, middle), (wide, middle)]), stroke=colour, stroke_width=17, stroke_dasharray=dashes
        )

    keys = [Key(stroke(LINE), "the line, seen")]
    blocker = blocker_of(marks)
    if blocker is not None:
        keys.append(Key(stroke(BLOCKER, "50 35"), "the line beyond what hides"))
        keys.append(Key(cross(wide / 2, middle, 40), f"what hides: {blocker.crossing.obstacle}"))
    if marks:
        keys.append(Key(badge(marks[0].number, wide / 2, middle, 48), "a crossing, inches from the viewer"))
    band = el("rect", y=10, width=wide, height=tall - 20, fill=SHADOW, fill_opacity=0.4)
    if any(mark.shadow and mark.shadow[1] < math.inf for mark in marks):
        rungs = el("path", d="".join(path([(x, 10), (x, tall - 10)]) for x in (0, 50, 100, 150, 200)))
        shadow = group(band, rungs, stroke=SHADOW, stroke_width=5)
        keys.append(Key(shadow, "a shadow along the line, a rung each inch"))
    if blocker is not None and blocker.shadow and blocker.shadow[1] == math.inf:
        keys.append(Key(band, "everything beyond is hidden"))
    if measured:
        gap = el("path", d=path([(wide / 2, 10), (wide / 2, tall - 10)]), stroke=BLOCKER, stroke_width=16)
        keys.append(Key(gap, "the margin: how narrowly it passes"))
    if any(mark.crossing.hides and not mark.is_blocker for mark in marks):
        keys.append(Key(cross(wide / 2, middle, 24), "would hide too"))
    if shaded and line.deciding:
        swatch = el("rect", y=10, width=wide, height=tall - 20, fill=SHADOW, fill_opacity=0.16, stroke=SHADOW,
                    stroke_width=5, stroke_dasharray="20 12")  # fmt: skip
        keys.append(Key(swatch, f"ground of level {levels_of(line)[1]} that {line.deciding.obstacle} hides"))
    return keys


def _fitted(text: str, columns: int) -> list[str]:
    """A line in its columns, the gap between them narrowed where it is too long, or broken where that is not enough.

    >>> [line.replace(HARD_SPACE, "_") for size in (16, 14) for line in _fitted("  a crest      S7.3", size)]
    ['__a crest___S7.3', '__a crest', '____S7.3']
    """
    gaps = list(re.finditer(r"(?<=\S) {2,}(?=\S)", text))
    widest = max(gaps, key=lambda gap: gap.end() - gap.start(), default=None)
    excess = len(text) - columns
    lines = [text]
    if widest is not None and excess > 0:
        left, right = text[: widest.start()], text[widest.end() :]
        wide = widest.end() - widest.start() - excess
        lines = [left + " " * wide + right] if wide > 1 else [left, "    " + right]
    return [re.sub(r" {2,}|^ ", lambda gap: HARD_SPACE * len(gap[0]), line) for line in lines]  # SVG would drop them
