"""What stands below a profile: the axis in inches, the shadows to length, the names of all that is on the line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from minis.draw.cut import Cut
from minis.draw.line_marks import Mark, lower_end, track_of
from minis.draw.marks import label
from minis.draw.palette import BLOCKER, FAINT, INK, SHADOW, text_width
from minis.draw.profile_frame import FEW, Frame
from minis.draw.svg import Element, el, group, path
from minis.lengths import format_length, format_number
from minis.sight.line import Sightline


def below(frame: Frame, cut: Cut, line: Sightline, marks: Sequence[Mark]) -> tuple[Element, float]:
    """The axis in inches, shadows to length, the names of all on the line; and how far down that reaches."""
    size = frame.size
    y = frame.floor + size * 0.5
    axis = _axis(frame, cut, y)
    y += size * 2.0
    bars, y = _bars(frame, cut, line, marks, y)
    y += 0.0 if bars.holds else size * 0.6
    names, y = _names(frame, cut, marks, y)
    words = f"inches along the line from {line.viewer}, sight point to sight point"
    y += size * 1.2
    caption = el("text", words, x=frame.x(cut.low_in), y=y, font_size=size * 0.8, fill=FAINT)
    return group(axis, bars, names, caption, class_="below"), y + size * 0.4


def _axis(frame: Frame, cut: Cut, y: float) -> Element:
    size = frame.size
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100) if s * frame.inch > size * 2.4 or s == 100)
    ticks, words = [], []
    for inch in range(math.ceil(cut.low_in), math.floor(cut.high_in) + 1):
        named = inch % step == 0 and inch >= 0
        ticks.append(path([(frame.x(inch), y), (frame.x(inch), y + size * (0.5 if named else 0.25))]))
        if named:
            words.append(label(str(inch), frame.x(inch), y + size * 1.3, size * 0.8, anchor="middle"))
    ground = path([(frame.x(cut.low_in), y), (frame.x(cut.high_in), y)])
    return group(
        el("path", d=ground + "".join(ticks), stroke=INK, stroke_width=size * 0.07, fill="none"), words, class_="axis"
    )


def _bars(frame: Frame, cut: Cut, line: Sightline, marks: Sequence[Mark], y: float) -> tuple[Element, float]:
    """Each shadow as a bar of its length, and how far inside it or past its end the lower end is."""
    parts: list[Element] = []
    for mark in marks:
        if mark.is_drawn and mark.shadow and mark.shadow[0] < mark.shadow[1]:
            parts.append(_bar(frame, cut, line, mark, y))
            y += frame.size * 1.3
    return group(parts, class_="lengths"), y


def _bar(frame: Frame, cut: Cut, line: Sightline, mark: Mark, y: float) -> Element:
    """One bar: its ends, its words where there is room, and the stretch by which the lower end is in or out of it."""
    size, met = frame.size, mark.crossing
    start, end = mark.shadow or (0.0, 0.0)
    x0, x1, target = frame.x(start), frame.x(min(end, cut.high_in)), frame.x(track_of(line).long_in)
    colour = BLOCKER if mark.is_blocker else SHADOW
    stops = (x0, x1) if end < math.inf else (x0,)
    bar = path([(x0, y), (x1, y)]) + "".join(path([(x, y - size * 0.35), (x, y + size * 0.35)]) for x in stops)
    words = _bar_words(mark, line)
    wide = text_width(words, size * 0.8)
    to_right = x1 + wide + size < frame.x(cut.high_in)
    at = x1 + size * 0.5 if to_right else max(x0 - size * 0.5 - wide, 0.0)
    parts = [el("path", d=bar, stroke=colour, stroke_width=size * 0.2, fill="none")]
    if met.hides and end < math.inf:
        inside = path([(target, y), (x1, y)])
        parts.append(el("path", d=inside, stroke=colour, stroke_width=size * 0.55, stroke_opacity=0.5))
    elif not met.hides:
        gap = path([(x1 + wide + size if to_right else x1, y), (target, y)])
        dash = f"{size * 0.2:.2f} {size * 0.2:.2f}"
        parts.append(el("path", d=gap, stroke=FAINT, stroke_width=size * 0.07, stroke_dasharray=dash))
    parts.append(label(words, at, y + size * 0.28, size * 0.8))
    return group(parts, class_="length", data_number=mark.number)


def _bar_words(mark: Mark, line: Sightline) -> str:
    """How long a shadow is, and where the lower end is to it."""
    start, end = mark.shadow or (0.0, 0.0)
    if end == math.inf:
        return f"{mark.number}: everything beyond"
    inside, length = mark.crossing.inside_in or 0.0, f"{mark.number}: {format_length(end - start)} shadow"
    if mark.crossing.hides:
        return f"{length}, {lower_end(line)} {format_length(max(0.0, inside))} inside"
    return f"{length}, ended {format_length(-inside)} before"


def _names(frame: Frame, cut: Cut, marks: Sequence[Mark], y: float) -> tuple[Element, float]:
    """The name of all that stands on the line below its place, in as many rows as keep them apart."""
    size = frame.size * 0.8
    entries: list[tuple[float, str, str]] = []
    for mark in marks:
        met = mark.crossing
        far = f"–{format_length(round(met.exit_in, 2))}" if met.exit_in - met.entry_in > FEW else ""
        where = f"{format_length(round(met.entry_in, 2))}{far}"
        words = f"{mark.number} {met.obstacle} {where}, top {format_number(met.top)}"
        entries.append((frame.x(max(met.entry_in, 0.0)), words, BLOCKER if mark.is_blocker else INK))
    for block in (*cut.blocks, *cut.smoke):
        if block.number is None:
            entries.append((frame.x(block.stretches[0][0]), block.name, FAINT))
    ends: list[float] = []
    parts: list[Element] = []
    start = y - size * 1.2
    for x, words, colour in sorted(entries):
        width = text_width(words, size)
        at = max(0.0, min(x, frame.x(cut.high_in) - width))
        row = next((number for number, end in enumerate(ends) if end < at), len(ends))
        ends[row : row + 1] = [at + width + size]
        line_y = start + (row + 1) * size * 1.35
        parts.append(label(words, at, line_y, size, bold=colour == BLOCKER, colour=colour))
    return group(parts, class_="names"), start + len(ends) * size * 1.35 + size * 0.3
