"""A picture that lies under the map: where it belongs on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Spot = tuple[float, float]


@dataclass(frozen=True)
class Backdrop:
    """A picture under the map, which no rule asks for.

    `file` is its path from the folder of the scenario. Four places of the picture, `marks` (pixels from its upper left
    corner, y down), lie at four places of the table, `corners` (inches): both from the lower left one against the
    clock. Without marks they are the corners of the picture.
    """

    file: str
    corners: tuple[Spot, ...]
    marks: tuple[Spot, ...] | None = None


def runs_round(spots: Sequence[Spot], *, y_up: bool) -> bool:
    """True of four places that are the corners of an area without a dent, from the lower left one against the clock.

    >>> square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    >>> runs_round(square, y_up=True), runs_round(square, y_up=False), runs_round(square[::-1], y_up=True)
    (True, False, False)
    """
    turns = []
    for index in range(4):
        (ax, ay), (bx, by), (cx, cy) = (spots[(index + step) % 4] for step in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return all(turn > 0 if y_up else turn < 0 for turn in turns)
