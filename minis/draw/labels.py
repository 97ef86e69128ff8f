"""Where labels go: beside what they name, on no other label and on no unit, with a leader where they stand off."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from minis.draw.canvas import Spot
from minis.draw.palette import ASCENT, DESCENT, text_width

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in user units."""

DIRECTIONS = 24
"""Directions in which a place for a label is looked for."""

RINGS = 40
"""How far off it is looked for: so many heights of a label."""

ROUNDS = 8
"""How often the labels are placed anew, those first that came out worst."""

SHRINKS = (1.0, 0.85, 0.7)
"""Sizes that are tried, in parts of the size wanted."""


@dataclass(frozen=True)
class Label:
    """Words that name a thing: the middle of the thing, half its width and height, the size of type."""

    words: str
    x: float
    y: float
    half_width: float
    half_height: float
    size: float
    name: str = ""

    @property
    def width(self) -> float:
        """The width of its box, a little air on both sides included."""
        return text_width(self.words, self.size) + self.size * 0.4

    @property
    def height(self) -> float:
        """The height of its box."""
        return self.size * (ASCENT + DESCENT)


@dataclass(frozen=True)
class Placed:
    """A label in its place: its box, and the leader from it to its thing where it stands off."""

    label: Label
    box: Box
    leader: tuple[Spot, Spot] | None = None

    @property
    def baseline(self) -> Spot:
        """The middle of its words, on their line."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2 + self.label.size * (ASCENT - DESCENT) / 2


@dataclass
class Room:
    """The boxes that are taken, found by where they are, and the leaders drawn so far."""

    cell: float
    leaders: list[tuple[Spot, Spot]] = field(default_factory=list)
    _cells: dict[tuple[int, int], list[Box]] = field(default_factory=lambda: defaultdict(list))

    def take(self, box: Box) -> None:
        """Take a box."""
        for key in self._keys(box):
            self._cells[key].append(box)

    def is_free(self, box: Box) -> bool:
        """True where a box overlaps none that is taken; to touch is not to overlap.

        >>> room = Room(10)
        >>> room.take((0, 0, 10, 10))
        >>> room.is_free((5, 5, 12, 12)), room.is_free((10, 0, 20, 10))
        (False, True)
        """
        left, top, right, bottom = box  # `overlap`, written out: this is asked some 20,000 times a picture
        for key in self._keys(box):
            for other in self._cells.get(key, ()):
                if left < other[2] and other[0] < right and top < other[3] and other[1] < bottom:
                    return False
        return True

    def crossed(self, a: Spot, b: Spot) -> int:
        """How many of the boxes taken a stretch runs through, and how many leaders it crosses."""
        around = (min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
        near = {box for key in self._keys(around) for box in self._cells.get(key, ())}
        return sum(_runs_through(a, b, box) for box in near) + sum(_cross(a, b, *other) for other in self.leaders)

    def _keys(self, box: Box) -> Iterable[tuple[int, int]]:
        cell, floor = self.cell, math.floor
        columns = range(floor(box[0] / cell), floor(box[2] / cell) + 1)
        rows = range(floor(box[1] / cell), floor(box[3] / cell) + 1)
        return [(x, y) for x in columns for y in rows]


def overlap(one: Box, other: Box) -> bool:
    """True of two boxes that share an area."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def place_labels(labels: Sequence[Label], taken: Sequence[Box], bounds: Box) -> list[Placed]:
    """Every label in its place: those in the thick of things first, each as near to its thing as there is room.

    `taken` are boxes that nothing may be laid upon; `bounds` is the whole picture. A label for which there is no room
    at all, however small, is left out. Those that come out worst go first in another round.

    >>> one, other = (Label(name, 0, 0, 5, 5, 10, name) for name in ("A", "B"))
    >>> first, second = place_labels([one, other], [(-5, -5, 5, 5)], (-50, -50, 50, 50))
    >>> overlap(first.box, second.box), overlap(first.box, (-5, -5, 5, 5)), first.leader
    (False, False, None)
    """
    order = sorted(labels, key=lambda label: (-_crowd(label, labels), label.y, label.x, label.name))
    best_cost, best = math.inf, {}
    for _ in range(ROUNDS):
        cost, found = _in_order(order, taken, bounds)
        if cost < best_cost:
            best_cost, best = cost, {id(label): placed for label, placed in zip(order, found, strict=True) if placed}
        poor = [label for label, placed in zip(order, found, strict=True) if placed is None or placed.leader]
        again = poor + [label for label in order if label not in poor]
        if again == order:
            break
        order = again
    return [best[id(label)] for label in labels if id(label) in best]


def _in_order(order: Sequence[Label], taken: Sequence[Box], bounds: Box) -> tuple[float, list[Placed | None]]:
    """Labels placed one after another, and what it costs: how far off they are, and what their leaders cross."""
    room = Room(max(label.width for label in order)) if order else Room(1)
    for box in taken:
        room.take(box)
    whole, found = 0.0, []
    for label in order:
        for part in SHRINKS:
            cost, placed = _place(_sized(label, part), room, bounds)
            if placed is not None:
                break
        if placed is not None:
            room.take(placed.box)
            if placed.leader:
                room.leaders.append(placed.leader)
        whole += cost
        found.append(placed)
    return whole, found


def _sized(label: Label, part: float) -> Label:
    return label if part == 1 else replace(label, size=label.size * part)


def _crowd(label: Label, labels: Sequence[Label]) -> int:
    """How many others are near: the more, the less choice there is."""
    reach = label.width * 1.5
    return sum(abs(other.x - label.x) < reach and abs(other.y - label.y) < reach for other in labels)


def _place(label: Label, room: Room, bounds: Box) -> tuple[float, Placed | None]:
    """The best place of a label: near, and with a leader that runs through as little as may be."""
    width, height = label.width, label.height
    best: tuple[float, Placed | None] = (RINGS * height * 4, None)
    for ring in range(RINGS):
        off = ring * height * 0.6
        if off >= best[0]:
            break
        for turn, (x, y) in enumerate(_around(label, width, height, off)):
            # of places that are as far off, one to the right or above is the first that the eye looks for
            cost = off + turn * height * 0.01
            if cost >= best[0]:
                break
            box = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            if not (bounds[0] <= box[0] and bounds[1] <= box[1] and box[2] <= bounds[2] and box[3] <= bounds[3]):
                continue
            if not room.is_free(box):
                continue
            leader = _leader(label, box) if ring else None
            if leader:
                cost += height * (1.0 + 0.8 * room.crossed(*leader))
            if cost < best[0]:
                best = cost, Placed(label, box, leader)
    return best


def _ways() -> Iterator[tuple[float, float, float]]:
    """Cosine, sine and the larger of the two for each direction, in the order in which they are tried."""
    step = DIRECTIONS // 4
    for k in sorted(range(DIRECTIONS), key=lambda k: (k % step != 0, k % step, k)):
        angle = math.radians(k * 360 / DIRECTIONS)
        cosine, sine = math.cos(angle), math.sin(angle)
        yield cosine, sine, max(abs(cosine), abs(sine))


_WAYS = tuple(_ways())


def _around(label: Label, width: float, height: float, off: float) -> Iterable[Spot]:
    """Middles of boxes around a thing, so far off its edge: right, above, left, below first, then those between."""
    reach_x, reach_y = label.half_width + width / 2 + off, label.half_height + height / 2 + off
    gap = label.size * 0.12
    for cosine, sine, largest in _WAYS:
        yield (
            label.x + (reach_x + gap) * cosine / largest,
            label.y - (reach_y + gap) * sine / largest,
        )


def _leader(label: Label, box: Box) -> tuple[Spot, Spot]:
    """From the point of a box that is nearest to its thing, to the edge of the thing."""
    x, y = min(max(label.x, box[0]), box[2]), min(max(label.y, box[1]), box[3])
    to_x = min(max(x, label.x - label.half_width), label.x + label.half_width)
    to_y = min(max(y, label.y - label.half_height), label.y + label.half_height)
    return (x, y), ((to_x + label.x) / 2, (to_y + label.y) / 2)


def _runs_through(a: Spot, b: Spot, box: Box) -> bool:
    """True of a stretch that has a part inside a box."""
    low, high = 0.0, 1.0
    for start, end, least, most in ((a[0], b[0], box[0], box[2]), (a[1], b[1], box[1], box[3])):
        run = end - start
        if run == 0:
            if not least < start < most:
                return False
            continue
        one, other = sorted(((least - start) / run, (most - start) / run))
        low, high = max(low, one), min(high, other)
    return low < high


def _cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """True of two stretches that cross."""

    def left(p: Spot, q: Spot, r: Spot) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) > 0

    return left(a, b, c) != left(a, b, d) and left(c, d, a) != left(c, d, b)
