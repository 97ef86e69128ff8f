"""What is marked on the picture of a sight line: its crossings by number, what hides, how far shadows reach.

Everything here is read off one `Sightline`; map and profile are drawn from the same marks, so that they cannot differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from minis.sight.line import Sightline
from minis.sight.meeting import Crossing

Spot = tuple[float, float]

OWN_WOODS = "S6.10"
"""What the rule of woods hides lies in them, not beyond them."""


@dataclass(frozen=True)
class Track:
    """The sight line as a way to go, in inches: from `start`, the viewer, to `end`, `long_in` away.

    `step` is an inch along it, `left` an inch to its left; north of a line without length.
    """

    start: Spot
    end: Spot
    long_in: float
    step: Spot
    left: Spot

    def at(self, along_in: float, aside_in: float = 0.0) -> Spot:
        """The place so many inches along the line and to its left, also past its ends."""
        (x, y), (dx, dy), (lx, ly) = self.start, self.step, self.left
        return x + dx * along_in + lx * aside_in, y + dy * along_in + ly * aside_in


@dataclass(frozen=True)
class Mark:
    """A crossing of a sight line as pictures show it: its number from the viewer on, whether it is what hides.

    `shadow` is the stretch that it hides, in inches along the line from the viewer, its end infinite where everything
    beyond is hidden; None where nothing is. `stop_in` is where a line that it stops ends.
    """

    number: int
    crossing: Crossing
    is_blocker: bool
    shadow: tuple[float, float] | None
    stop_in: float

    @property
    def is_drawn(self) -> bool:
        """True of shadows that end, and of what decides: more than one that hides everything beyond says no more."""
        return self.shadow is not None and (self.is_blocker or self.shadow[1] < math.inf)

    @property
    def at_in(self) -> float:
        """Where its number stands: where the line meets it, of what the viewer is in or on where the line leaves it."""
        met = self.crossing
        return met.entry_in if met.entry_in > 0 else met.exit_in


def track_of(line: Sightline) -> Track:
    """The sight line as a way from its viewer, the higher end, to the lower one (S5.2).

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> from minis.sight.line import sight_line
    >>> from minis.sight.scene import Scene
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> track = track_of(sight_line(scene, scene.board.unit("P1"), scene.board.unit("T1")))
    >>> track.start, track.at(track.long_in) == track.end
    ((19.0, 38.1), True)
    """
    one, other = line.line
    start, end = (one, other) if line.viewer == line.from_id else (other, one)
    long = math.dist(start, end)
    dx, dy = ((end[0] - start[0]) / long, (end[1] - start[1]) / long) if long else (1.0, 0.0)
    return Track(start, end, long, (dx, dy), (-dy, dx))


def levels_of(line: Sightline) -> tuple[int, int]:
    """The levels of the viewer and of the lower end."""
    levels = (line.from_level, line.to_level)
    return levels if line.viewer == line.from_id else (levels[1], levels[0])


def lower_end(line: Sightline) -> str:
    """The id of the end that is not the viewer."""
    return line.to_id if line.viewer == line.from_id else line.from_id


def marks_of(line: Sightline) -> tuple[Mark, ...]:
    """Every crossing of a sight line, numbered from the viewer on.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> from minis.sight.line import sight_line
    >>> from minis.sight.scene import Scene
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> line = sight_line(scene, scene.board.unit("T1"), scene.board.unit("P2"))
    >>> [(m.number, m.crossing.obstacle, m.is_blocker) for m in marks_of(line) if m.shadow]
    [(2, 'hill-low', False), (3, 'farm', True)]
    """
    long = track_of(line).long_in
    return tuple(
        Mark(number, crossing, crossing is line.deciding, _shadow(crossing, long), _stop(crossing, long))
        for number, crossing in enumerate(line.crossings, start=1)
    )


def blocker_of(marks: Sequence[Mark]) -> Mark | None:
    """The mark of what hides; None where the line is clear."""
    return next((mark for mark in marks if mark.is_blocker), None)


def first_stop(marks: Sequence[Mark]) -> Mark | None:
    """The first mark from the viewer on that stops the line, be it what decides or not; None where it is clear."""
    return min((mark for mark in marks if mark.crossing.hides), key=lambda mark: mark.stop_in, default=None)


def _shadow(met: Crossing, long: float) -> tuple[float, float] | None:
    if met.row is not None and met.beyond_in is not None:
        return met.exit_in, met.exit_in + met.row.length
    if not met.hides or met.rule == OWN_WOODS or _is_all_along(met, long):
        return None
    return _stop(met, long), math.inf


def _stop(met: Crossing, long: float) -> float:
    """Where a line ends that is stopped here: behind what casts a shadow or holds the viewer, else before it."""
    if _is_all_along(met, long):
        return long / 2
    return met.exit_in if met.inside_in is not None or met.entry_in <= 0 else met.entry_in


def _is_all_along(met: Crossing, long: float) -> bool:
    return met.inside_in is None and met.entry_in <= 0 and met.exit_in >= long
