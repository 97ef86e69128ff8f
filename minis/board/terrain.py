"""Pieces of terrain and clouds of smoke on the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from minis.board.geometry import Box, Point, Ring, box_of, edges
from minis.rules.rows import TerrainRow


@dataclass(frozen=True)
class Terrain:
    """A piece of terrain.

    `rings` are the outer ring and the holes of an area in grid steps; a line kind has `line` instead. `level` is the
    level of a hill or ridge; `base` the level of the ground the piece stands on; `storeys` and `material` those of a
    building.
    """

    id: str
    kind: TerrainRow
    rings: tuple[Ring, ...] = ()
    line: tuple[Point, ...] = ()
    level: int = 0
    base: int = 0
    storeys: int = 1
    slope: bool = False
    material: str = "wooden"

    @cached_property
    def box(self) -> Box:
        """The smallest box around the piece, in grid steps."""
        return box_of(self.line or self.rings[0])

    @cached_property
    def segments(self) -> tuple[tuple[Point, Point], ...]:
        """Every straight stretch of its line or of its rings."""
        if self.line:
            return tuple(zip(self.line, self.line[1:], strict=False))
        return tuple(edge for ring in self.rings for edge in edges(ring))

    @property
    def is_crest(self) -> bool:
        """True of hills and ridges: their edge is a crest line (S7.1)."""
        return self.kind.has_level

    def height(self, *, bare: bool) -> float:
        """Levels of its top above its ground; of a hill or ridge, its level above the table (S6.1)."""
        match self.kind.height:
            case "level":
                return self.level
            case "storey":
                return self.storeys
            case height:
                return self.kind.bare if bare and self.kind.bare is not None else height


@dataclass(frozen=True)
class Smoke:
    """A cloud of smoke: a ring in grid steps, the unit whose own smoke it is, the last turn it stands."""

    id: str
    ring: Ring
    by: str | None = None
    until_turn: int | None = None

    @cached_property
    def box(self) -> Box:
        """The smallest box around the cloud, in grid steps."""
        return box_of(self.ring)


def without_straight_corners(points: tuple[Point, ...], *, closed: bool) -> tuple[Point, ...]:
    """The same line or ring without repeated points and without corners that do not turn (S5.4).

    >>> without_straight_corners(((0, 0), (1, 0), (1, 0), (2, 0), (2, 2)), closed=False)
    ((0, 0), (2, 0), (2, 2))
    """
    kept = list(_without_repeats(points, closed=closed))
    index = 0 if closed else 1
    while len(kept) > 2 and index < len(kept) - (0 if closed else 1):
        (ax, ay), (bx, by), (cx, cy) = kept[index - 1], kept[index], kept[(index + 1) % len(kept)]
        straight = (bx - ax) * (cy - ay) == (by - ay) * (cx - ax)
        onward = (bx - ax) * (cx - bx) + (by - ay) * (cy - by) > 0
        if straight and onward:
            del kept[index]
        else:
            index += 1
    return tuple(kept)


def _without_repeats(points: tuple[Point, ...], *, closed: bool) -> Iterator[Point]:
    last = points[-1] if closed else None
    for point in points:
        if point != last:
            yield point
        last = point
