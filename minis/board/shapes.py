"""Shapes as a scenario writes them, on the grid: box, outline with holes, circle, line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minis.board.geometry import Point, Ring, box_ring, circle_ring
from minis.board.schema import SmokeEntry, TerrainEntry, ZoneEntry
from minis.board.terrain import without_straight_corners
from minis.lengths import GRID, to_grid
from minis.rules.rows import TerrainRow

KEYS = ("box", "outline", "circle", "line")


@dataclass(frozen=True)
class Shape:
    """The shape of an entry: the key that gives it, its rings or its line, and what is wrong with it.

    `key` is empty where there is no shape or more than one; `there` says which there are.
    """

    key: str
    rings: tuple[Ring, ...]
    line: tuple[Point, ...]
    faults: tuple[tuple[str, str], ...]
    there: str


def point_of(place: Sequence[float]) -> Point:
    """A place in inches on the grid.

    >>> point_of((1, 0.5))
    (8000, 4000)
    """
    return to_grid(place[0]), to_grid(place[1])


def ring_of(places: Sequence[Sequence[float]]) -> Ring | None:
    """The ring of some corners in inches, without those on a straight edge; None where it has no area.

    >>> ring_of([(0, 0), (1, 0), (2, 0), (0, 1)]), ring_of([(0, 0), (1, 1), (2, 2)])
    (((0, 0), (16000, 0), (0, 8000)), None)
    """
    ring = without_straight_corners(tuple(point_of(place) for place in places), closed=True)
    return ring if len(ring) >= 3 else None


def shape_of(entry: TerrainEntry | SmokeEntry | ZoneEntry) -> Shape:
    """The shape of a piece of terrain or a cloud, with the faults that show before any geometry is asked."""
    keys = [key for key in KEYS if getattr(entry, key, None) is not None]
    there = _there(keys)
    if len(keys) != 1:
        return Shape("", (), (), (), there)
    key = keys[0]
    if isinstance(entry, TerrainEntry) and entry.line is not None:
        line = without_straight_corners(tuple(point_of(place) for place in entry.line), closed=False)
        faults = () if len(line) > 1 else (("line", "the line has no length"),)
        return Shape(key, (), line, faults, there)
    rings = tuple(without_straight_corners(ring, closed=True) for ring in _rings(entry))
    empty = [
        (key, "the shape has no area") if number == 0 else ("holes", "a hole has no area")
        for number, ring in enumerate(rings)
        if len(ring) < 3
    ]
    return Shape(key, rings, (), tuple(dict.fromkeys(empty)), there)


def _rings(entry: TerrainEntry | SmokeEntry | ZoneEntry) -> list[Ring]:
    if entry.box is not None:
        x0, y0, x1, y1 = (to_grid(value) for value in entry.box)
        return [box_ring(x0, y0, x1, y1)]
    if entry.circle is not None:
        return [circle_ring(point_of(entry.circle.centre), entry.circle.radius * GRID)]
    holes = entry.holes if isinstance(entry, TerrainEntry) else None
    return [tuple(point_of(place) for place in ring) for ring in (entry.outline or [], *(holes or []))]


def misfits(piece: TerrainEntry, kind: TerrainRow) -> list[tuple[str, str]]:
    """What of a piece does not go with its kind: (key, message)."""
    faults: list[tuple[str, str]] = []
    keys = [key for key in KEYS if getattr(piece, key) is not None]
    wanted = ["line"] if kind.shape == "line" else ["box", "outline", "circle"]
    if len(keys) != 1 or keys[0] not in wanted:
        faults.append(("kind", f"{kind.id} takes {_or(wanted)}, {_there(keys)}"))
    if piece.holes is not None and piece.outline is None:
        faults.append(("holes", "holes go with an outline"))
    if kind.has_level and not piece.level:
        faults.append(("level", f"a {kind.id} needs its level, a whole number from 1"))
    for key, fits in (
        ("level", kind.has_level),
        ("base", not kind.has_level),
        ("storeys", kind.height == "storey"),
        ("slope", kind.shape == "hill"),
        ("material", kind.id in ("building", "rubble")),
    ):
        if getattr(piece, key) is not None and not fits:
            faults.append((key, f"does not go with {kind.id}"))
    return faults


def _or(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 2 else words)


def _there(keys: Sequence[str]) -> str:
    return "not " + " and ".join(keys) if keys else "and there is none"
