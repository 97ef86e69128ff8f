"""The profile of a sight line: the cut along it with its levels, what stands on it, the line, and shadows to length.

Heights are levels, lengths inches: a shadow is as long as its table says (S6.2), whatever angle that looks like. The
line is drawn as a string pulled tight over all that does not hide, from the viewer on the left to the lower end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from minis.draw.cut import Block, Cut, cut_along
from minis.draw.line_marks import Mark, Spot, blocker_of, first_stop, levels_of, lower_end, marks_of, track_of
from minis.draw.marks import badge, cross, eye, label
from minis.draw.page import type_of
from minis.draw.palette import BLOCKER, CONTOUR, FAINT, FONT, GROUND, HILLS, INK, LINE, PAPER, SHADOW, text_width
from minis.draw.profile_below import below
from minis.draw.profile_frame import FEW, Frame, reach_of
from minis.draw.svg import Element, el, group, path
from minis.draw.terrain_looks import LOOKS, PLAIN
from minis.sight.line import Sightline
from minis.sight.scene import Scene

EYES, TOPS = 0.14, 0.07
"""In levels, how far eyes are drawn over the ground and the line over the tops that it passes."""

POST = "#8f8b80"
"""The fill of what has no colour of its own: posts of lines, vehicles."""


def profile(scene: Scene, line: Sightline, width: float) -> tuple[Element, float]:
    """The profile of a sight line as wide as is wanted, and its height, in user units."""
    track, marks = track_of(line), marks_of(line)
    low, high = reach_of(scene, line)
    cut = cut_along(scene, line, track, marks, low, high)
    size = type_of(width)
    tops = [block.top for block in cut.blocks] + [g.level for g in cut.ground] + list(levels_of(line))
    highest = max(tops, default=0)
    level = min(width * 0.075, width * 0.3 / max(1.0, highest + 0.5))
    left, right = text_width("level 10", size * 0.8) + size * 0.6, width - size
    frame = Frame(
        zero=left - low * (right - left) / (high - low), inch=(right - left) / (high - low),
        floor=size * 4.2 + (highest + EYES) * level, level=level, size=size,
    )  # fmt: skip
    under, depth = below(frame, cut, line, marks)
    picture = group(
        _grid(frame, cut, highest),
        _clouds(frame, cut, highest),
        [_shadow(frame, mark, cut, levels_of(line)[1]) for mark in marks if mark.is_drawn],
        [_block(frame, block, marks) for block in cut.blocks if block.kind != "hill"],
        _ground(frame, cut),
        _sight(frame, line, marks, track.long_in),
        _crossings(frame, marks),
        _ends(frame, line, track.long_in),
        under,
        class_="profile", font_family=FONT, data_zero=frame.zero, data_inch=f"{frame.inch:.6f}",
        data_floor=frame.floor, data_level=frame.level,
    )  # fmt: skip
    return picture, depth


# --- ground, blocks, smoke ------------------------------------------------------------------------------------------


def _grid(frame: Frame, cut: Cut, highest: float) -> Element:
    """A fine line for each level, with its name at the left."""
    parts, size = [], frame.size * 0.8
    for number in range(math.ceil(highest) + 1):
        x0, x1, y = frame.x(cut.low_in), frame.x(cut.high_in), frame.y(number)
        dash = f"{size * 0.15:.2f} {size * 0.4:.2f}"
        parts.append(
            el("path", d=path([(x0, y), (x1, y)]), stroke=FAINT, stroke_width=size * 0.04, stroke_dasharray=dash)
        )
        at = x0 - size * 0.5
        parts.append(
            el("text", f"level {number}", x=at, y=y + size * 0.3, font_size=size, text_anchor="end", fill=FAINT)
        )
    return group(parts, class_="levels")


def _ground(frame: Frame, cut: Cut) -> Element:
    parts = []
    bottom = frame.floor + frame.size * 0.5
    outline: list[tuple[float, float]] = []
    for part in cut.ground:
        x0, x1, y = frame.x(part.low_in), frame.x(part.high_in), frame.y(part.level)
        fill = HILLS[min(part.level, len(HILLS)) - 1] if part.level else GROUND
        parts.append(el("path", d=path([(x0, bottom), (x0, y), (x1, y), (x1, bottom)], closed=True), fill=fill))
        outline += [(x0, y), (x1, y)]
    edge = el("path", d=path(outline), fill="none", stroke=CONTOUR, stroke_width=frame.size * 0.12)
    return group(parts, edge, class_="ground")


def _block(frame: Frame, block: Block, marks: Sequence[Mark]) -> Element:
    """What stands on the ground, at its height: a post where the line only crosses it."""
    hides = block.number is not None and marks[block.number - 1].is_blocker
    flat = block.top <= block.foot
    fill = (LOOKS.get(block.kind) or PLAIN).fill
    fill = POST if fill == "none" or block.kind == "vehicle" else fill
    stroke, wide = (BLOCKER, 0.16) if hides else (INK if block.number is not None else FAINT, 0.07)
    parts = []
    for low, high in block.stretches:
        least = max(FEW * frame.inch, frame.size * 0.3)
        x0, x1 = frame.x(low), frame.x(high)
        if x1 - x0 < least:
            x0, x1 = (x0 + x1 - least) / 2, (x0 + x1 + least) / 2
        top, foot = frame.y(block.top) - (frame.size * 0.16 if flat else 0.0), frame.y(block.foot)
        corners = [(x0, foot), (x0, top), (x1, top), (x1, foot)]
        if block.kind == "ridge":
            wide_in = frame.size * 0.9
            corners = [(x0 - wide_in, foot), ((x0 + x1) / 2, top), (x1 + wide_in, foot)]
        parts.append(
            el("path", d=path(corners, closed=True), fill=fill, stroke=stroke, stroke_width=frame.size * wide)
        )  # fmt: skip
        name = block.name
        room = text_width(name, frame.size * 0.8) + frame.size * 0.6
        if block.number is not None and x1 - x0 > room and foot - top > frame.size * 1.3 and block.kind != "ridge":
            parts.append(label(name, (x0 + x1) / 2, foot - frame.size * 0.45, frame.size * 0.8, anchor="middle"))
    return group(parts, class_="block", data_obstacle=block.name)


def _clouds(frame: Frame, cut: Cut, highest: float) -> Element:
    parts = []
    for cloud in cut.smoke:
        for low, high in cloud.stretches:
            x0, x1, top = frame.x(low), frame.x(high), frame.y(highest + EYES) - frame.size
            corners = [(x0, frame.floor), (x0, top), (x1, top), (x1, frame.floor)]
            dash = f"{frame.size * 0.5:.2f} {frame.size * 0.3:.2f}"
            parts.append(
                el(
                    "path", d=path(corners, closed=True), fill="#9a9a9a", fill_opacity=0.35, stroke=FAINT,
                    stroke_width=frame.size * 0.08, stroke_dasharray=dash,
                )
            )  # fmt: skip
            parts.append(label(cloud.name, (x0 + x1) / 2, top - frame.size * 0.3, frame.size * 0.8, anchor="middle"))
    return group(parts, class_="smoke")


# --- the line, what it crosses, shadows -------------------------------------------------------------------------------


def _sight(frame: Frame, line: Sightline, marks: Sequence[Mark], long: float) -> Element:
    """The line: seen up to the first that stops it, broken beyond; a cross at what hides."""
    string = _string(line, marks, long)
    stops = {mark.number: _stopped(string, mark) for mark in marks if mark.crossing.hides}
    first, blocker = first_stop(marks), blocker_of(marks)
    if first is None or blocker is None:
        return group(_stroke(frame, string, LINE, "seen"), class_="line")
    turns = [stops[first.number], stops[blocker.number]] if blocker is not first else [stops[first.number]]
    before = [place for place in string if place[0] < first.stop_in]
    beyond = [place for place in string if place[0] > blocker.stop_in] or [string[-1]]
    crosses = [
        group(
            cross(frame.x(x), frame.y(y), frame.size * (0.55 if mark.is_blocker else 0.3)),
            class_="blocker" if mark.is_blocker else "also", data_obstacle=mark.crossing.obstacle,
            data_at=f"{mark.stop_in:.6f}",
        )
        for mark in marks if mark.crossing.hides for x, y in [stops[mark.number]]
    ]  # fmt: skip
    dash = f"{frame.size * 0.5:.2f} {frame.size * 0.35:.2f}"
    return group(
        _stroke(frame, [*before, turns[0]], LINE, "seen"),
        _stroke(frame, [*turns, *beyond], BLOCKER, "unseen", dash),
        crosses,
        class_="line",
    )


def _stroke(frame: Frame, places: Iterable[Spot], colour: str, name: str, dashes: str | None = None) -> Element:
    d = path([(frame.x(x), frame.y(y)) for x, y in places])
    return el(
        "path", d=d, fill="none", stroke=colour, stroke_width=frame.size * 0.17, stroke_dasharray=dashes,
        stroke_linejoin="round", class_=name,
    )  # fmt: skip


def _string(line: Sightline, marks: Sequence[Mark], long: float) -> list[Spot]:
    """The line as a string pulled tight over the tops that it passes, in inches along it and levels."""
    high, low = levels_of(line)
    over = [  # what the lower end is in, and lower than its top, is no top to pass over
        (place, mark.crossing.top + TOPS)
        for mark in marks
        if mark.crossing.top <= high
        and not _is_face(mark)
        and not (mark.crossing.exit_in >= long and mark.crossing.top > low)
        for place in (mark.crossing.entry_in, mark.crossing.exit_in)
        if 0 < place < long
    ]
    return _pulled_tight([(0.0, high + EYES), *sorted(over), (long, low + EYES)])


def _is_face(mark: Mark) -> bool:
    """True of what the line runs into: what hides without a shadow that ends, but for what the viewer is on or in."""
    met = mark.crossing
    return met.hides and met.inside_in is None and met.entry_in > 0


def _stopped(string: Sequence[Spot], mark: Mark) -> Spot:
    """Where the string is stopped: over what casts a shadow, at the face of what blocks."""
    height = string[-1][1]
    for (a, p), (b, q) in pairwise(string):
        if a <= mark.stop_in <= b and b > a:
            height = p + (q - p) * (mark.stop_in - a) / (b - a)
            break
    return mark.stop_in, min(height, mark.crossing.top) if _is_face(mark) else height


def _pulled_tight(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The upper hull of some places and heights in order: what a string over all of them touches."""
    hull: list[tuple[float, float]] = []
    for x, y in points:
        while len(hull) > 1:
            (a, p), (b, q) = hull[-2:]
            if (b - a) * (y - p) - (q - p) * (x - a) < 0:
                break
            hull.pop()
        hull.append((x, y))
    return hull


def _shadow(frame: Frame, mark: Mark, cut: Cut, low: int) -> Element:
    """The shadow to its length, from the top of what casts it down to the level of the lower end."""
    start, end = mark.shadow or (0.0, 0.0)
    last = min(end, cut.high_in)
    top = mark.crossing.top
    foot = low if end < math.inf else top
    share = (last - start) / (end - start) if start < end < math.inf else 1.0
    corners = [(start, 0.0), (start, top), (last, top + (foot - top) * share), (last, 0.0)]
    ticks = [
        path([(frame.x(start + inch), frame.floor), (frame.x(start + inch), frame.y(top + (foot - top) * inch / long))])
        for long in ([end - start] if end < math.inf else ())
        for inch in range(1, math.ceil(last - start))
    ]
    return group(
        el("path", d=path([(frame.x(x), frame.y(y)) for x, y in corners], closed=True), fill=SHADOW,
           fill_opacity=0.4 if mark.is_blocker else 0.2),
        el("path", d="".join(ticks), stroke=SHADOW, stroke_width=frame.size * 0.06),
        class_="shadow", data_number=mark.number, data_from=f"{start:.6f}", data_to=_inches(end),
    )  # fmt: skip


def _inches(value: float) -> str | None:
    return f"{value:.6f}" if value < math.inf else None


def _crossings(frame: Frame, marks: Sequence[Mark]) -> Element:
    """The number of each crossing over its top; where two are close, one above the other."""
    parts: list[Element] = []
    taken: list[tuple[float, float]] = []
    radius = frame.size * 0.62
    for mark in marks:
        met = mark.crossing
        x, y = frame.x((met.entry_in + met.exit_in) / 2), frame.y(met.top) - radius * 1.5
        if met.what.endswith("crest"):
            x = frame.x(mark.at_in)
        while any(math.hypot(x - a, y - b) < radius * 2.1 for a, b in taken):
            y -= radius * 0.5
        taken.append((x, y))
        a, b, top = frame.x(met.entry_in), frame.x(met.exit_in), frame.y(met.top)
        stretch = path([(a, top), (b, top)]) if b - a > 1 else path([(a, top - radius), (a, top)])
        parts.append(
            group(
                el("path", d=stretch, stroke=BLOCKER if mark.is_blocker else INK, stroke_width=frame.size * 0.2),
                badge(mark.number, x, y, radius, filled=mark.is_blocker),
                class_="crossing", data_number=mark.number, data_obstacle=met.obstacle,
                data_entry=f"{met.entry_in:.6f}", data_exit=f"{met.exit_in:.6f}",
            )
        )  # fmt: skip
    return group(parts, class_="crossings")


def _ends(frame: Frame, line: Sightline, long: float) -> Element:
    """The eye of the viewer and the lower end, with their names and levels."""
    high, low = levels_of(line)
    size = frame.size
    x0, y0, x1, y1 = frame.x(0), frame.y(high + EYES), frame.x(long), frame.y(low + EYES)
    target = group(
        el("circle", cx=x1, cy=y1, r=size * 0.42, fill=PAPER, stroke=INK, stroke_width=size * 0.14),
        el("circle", cx=x1, cy=y1, r=size * 0.14, fill=INK),
        class_="target", data_id=lower_end(line),
    )  # fmt: skip
    top = size * 1.2
    names = [
        (f"{line.viewer}, level {high}", x0, y0, "start"),
        (f"{lower_end(line)}, level {low}", x1, y1, "end"),
    ]
    parts: list[Element] = []
    for number, (words, x, y, anchor) in enumerate(names):
        at = max(x - size * 0.5, size) if anchor == "start" else x + size * 0.5
        row = top + (size * 1.3 if number and long * frame.inch < text_width(names[0][0] + words, size) else 0)
        parts.append(label(words, at, row, size, anchor=anchor, bold=True))
        parts.append(el("path", d=path([(x, row + size * 0.3), (x, y - size * 0.5)]), stroke=FAINT,
                        stroke_width=size * 0.05))  # fmt: skip
    return group(parts, group(eye(x0, y0, size * 0.6), class_="eye", data_id=line.viewer), target, class_="ends")
