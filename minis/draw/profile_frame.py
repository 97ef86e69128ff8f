"""The frame of a profile: how far along the line it goes, and where places and levels are drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

from minis.draw.line_marks import lower_end, marks_of, track_of
from minis.lengths import GRID
from minis.sight.line import Sightline
from minis.sight.scene import Scene

AROUND_IN = 1.5
"""Inches of the table that are shown past the ends of the line, at least."""

FEW = 0.3
"""A thing narrower than this many inches is drawn this wide."""


@dataclass(frozen=True)
class Frame:
    """Where places along the line and levels are drawn, in user units.

    `zero` is the x of the viewer's sight point and `inch` an inch; `floor` the y of level 0 and `level` a level.
    """

    zero: float
    inch: float
    floor: float
    level: float
    size: float

    def x(self, along_in: float) -> float:
        """Where a place along the line is drawn."""
        return self.zero + along_in * self.inch

    def y(self, level: float) -> float:
        """Where a height is drawn."""
        return self.floor - level * self.level


def reach_of(scene: Scene, line: Sightline) -> tuple[float, float]:
    """From where to where a picture shows the line, in inches from the viewer: past both bases and the shadows."""
    track = track_of(line)
    radii = [scene.stand(scene.board.unit(name)).radius / GRID for name in (line.viewer, lower_end(line))]
    low, high = (AROUND_IN + radius for radius in radii)
    ends = [mark.shadow[1] + 1 for mark in marks_of(line) if mark.shadow and mark.crossing.hides]
    return -low, max([track.long_in + high, *(end for end in ends if end < math.inf)])
