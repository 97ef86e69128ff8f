"""Where a side may set up, and how an enemy may come: zones and lanes, drawn for planning; no rule asks for them."""

from __future__ import annotations

from dataclasses import dataclass

from minis.board.geometry import Point, Ring


@dataclass(frozen=True)
class Zone:
    """An area in which a side may set up: a ring in grid steps; `side` None is for everybody."""

    id: str
    ring: Ring
    side: str | None = None


@dataclass(frozen=True)
class Lane:
    """A way by which units of a side may come, from its first point to its last, in grid steps.

    `width_in` is how far apart units on it may go, in inches: 0 is in single file. An `area`, a ring in grid steps
    around the line, says so in place of a width: the ground over which they come while they keep the way of the line.
    `side` None is anybody's.
    """

    id: str
    line: tuple[Point, ...]
    side: str | None = None
    width_in: float = 0.0
    area: Ring | None = None

    @property
    def is_wide(self) -> bool:
        """True where units on it need not go in single file."""
        return self.area is not None or self.width_in > 0
