"""The cut along a sight line: the levels of the ground, what stands on it, and smoke, in inches from the viewer.

What hides and where the line meets it is said by the `Sightline` alone. The cut shows the rest of the table along the
same line, a little past both ends; it is worked out in floats and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from minis.draw.line_marks import Mark, Track
from minis.lengths import GRID
from minis.sight.line import Sightline
from minis.sight.scene import Scene

Stretch = tuple[float, float]
Ring = Sequence[tuple[float, float]]

SAME_IN = 1e-6
"""Places along a cut closer than this are one, in inches."""


@dataclass(frozen=True)
class Ground:
    """A stretch of ground of one level."""

    low_in: float
    high_in: float
    level: int


@dataclass(frozen=True)
class Block:
    """Something that stands along the line: from which level to which, on which stretches of it.

    `number` is that of its crossing, None of what the line does not meet as an obstacle (a wall, grain, a road).
    """

    name: str
    kind: str
    foot: float
    top: float
    stretches: tuple[Stretch, ...]
    number: int | None = None


@dataclass(frozen=True)
class Cut:
    """The table along a sight line from `low_in` to `high_in`, in inches from the viewer's sight point."""

    low_in: float
    high_in: float
    ground: tuple[Ground, ...]
    blocks: tuple[Block, ...]
    smoke: tuple[Block, ...]

    def level_at(self, along_in: float) -> int:
        """The level of the ground at a place."""
        return max((g.level for g in self.ground if g.low_in <= along_in <= g.high_in), default=0)


def cut_along(scene: Scene, line: Sightline, track: Track, marks: Sequence[Mark], low_in: float, high_in: float) -> Cut:
    """The cut along a sight line between two places of it, which may lie past its ends."""
    board = scene.board
    hills = [(piece, _of_area(track, piece.rings, low_in, high_in)) for piece in board.hills]
    levels = [(stretch, hill.level) for hill, stretches in hills for stretch in stretches]
    edges = sorted({low_in, high_in, *(place for stretch, _ in levels for place in stretch)})
    ground = tuple(
        Ground(low, high, max((level for (a, b), level in levels if a <= (low + high) / 2 <= b), default=0))
        for low, high in pairwise(edges)
    )
    cut = Cut(low_in, high_in, _joined(ground), (), ())
    return Cut(
        low_in, high_in, cut.ground, tuple(_blocks(scene, line, track, marks, cut)),
        tuple(_smoke(scene, line, track, cut)),
    )  # fmt: skip


def _blocks(scene: Scene, line: Sightline, track: Track, marks: Sequence[Mark], cut: Cut) -> Iterable[Block]:
    """What the line meets, and pieces of terrain that it passes over without meeting an obstacle."""
    obstacles = {obstacle.id: obstacle for obstacle in scene.obstacles}
    low, high = cut.low_in, cut.high_in
    for mark in marks:
        met, obstacle = mark.crossing, obstacles[mark.crossing.obstacle]
        if obstacle.rings:
            stretches = _of_area(track, obstacle.rings, low, high)
        else:
            stretches = [(place, place) for place in _of_path(track, obstacle.line) if low <= place <= high]
        if not any(a - SAME_IN <= met.exit_in and met.entry_in <= b + SAME_IN for a, b in stretches):
            stretches = sorted([*stretches, (met.entry_in, met.exit_in)])  # a corner touched, an edge along the line
        kind = obstacle.piece.kind.id if obstacle.piece else "vehicle"
        foot = _foot(scene, met.obstacle, cut, stretches)
        yield Block(met.obstacle, kind, foot, met.top, tuple(stretches), mark.number)
    known = {mark.crossing.obstacle for mark in marks} | {hill.id for hill in scene.board.hills}
    bare = scene.board.rules.switch("leaf") == "bare"
    for piece in scene.board.terrain:
        if piece.id in known:
            continue
        if piece.line:
            stretches = [(place, place) for place in _of_path(track, piece.line) if low <= place <= high]
        else:
            stretches = _of_area(track, piece.rings, low, high)
        if stretches:
            top = piece.base + (0.0 if piece.is_crest else piece.height(bare=bare))
            yield Block(piece.id, piece.kind.id, piece.base, top, tuple(stretches))


def _foot(scene: Scene, name: str, cut: Cut, stretches: Sequence[Stretch]) -> float:
    """The level that something stands on: of terrain its base, of a vehicle that of the ground; a crest has none."""
    piece = scene.board.terrain_by_id.get(name)
    if piece is None:
        return scene.stand(scene.board.unit(name)).ground
    if piece.is_crest:
        return 0 if piece.rings else cut.level_at(stretches[0][0])
    return piece.base


def _smoke(scene: Scene, line: Sightline, track: Track, cut: Cut) -> Iterable[Block]:
    for cloud in scene.board.smoke:
        if cloud.id in line.smoke:
            stretches = _of_area(track, [cloud.ring], cut.low_in, cut.high_in)
            yield Block(cloud.id, "smoke", 0, 0, tuple(stretches))


def _joined(ground: Iterable[Ground]) -> tuple[Ground, ...]:
    joined: list[Ground] = []
    for part in ground:
        if joined and joined[-1].level == part.level:
            joined[-1] = Ground(joined[-1].low_in, part.high_in, part.level)
        else:
            joined.append(part)
    return tuple(joined)


# --- where a line meets a ring or a path ------------------------------------------------------------------------------


def _of_area(track: Track, rings: Sequence[Ring], low: float, high: float) -> list[Stretch]:
    """The stretches of a cut that lie in an area in grid steps."""
    places = sorted(place for ring in rings for place in _crossed(track, [*ring, ring[0]]))
    found: list[Stretch] = []
    for a, b in zip(places[::2], places[1::2], strict=True):
        first, last = max(a, low), min(b, high)
        if first < last and b - a > SAME_IN:
            if found and first - found[-1][1] <= SAME_IN:
                first = found.pop()[0]
            found.append((first, last))
    return found


def _of_path(track: Track, path: Ring) -> list[float]:
    """The places of a cut where it crosses a path in grid steps."""
    return sorted(_crossed(track, path))


def _crossed(track: Track, path: Ring) -> Iterable[float]:
    """Where a path goes over to the other side of the line without end, in inches along it; a corner on it is left."""
    (x0, y0), (dx, dy) = track.start, track.step
    inches = [(x / GRID - x0, y / GRID - y0) for x, y in path]
    for (px, py), (qx, qy) in pairwise(inches):
        p, q = dx * py - dy * px, dx * qy - dy * qx
        if (p > 0) != (q > 0):
            share = p / (p - q)
            yield dx * (px + (qx - px) * share) + dy * (py + (qy - py) * share)
