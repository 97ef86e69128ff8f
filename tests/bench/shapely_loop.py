"""What a judge's tool would write first: a loop over prepared shapely geometries, a line at a time, left early.

It is written once and fairly, and not changed again: obstacles are prepared before the clock runs, what cannot hide a
line for its level is passed over before any geometry, and of an obstacle that casts a shadow only the last inches of
the line are asked. It knows tops, shadows (S6.2 to S6.5), own buildings, and own hills and woods roughly; of the rules
for touches and crest lines it knows less than `minis`, and does less work for it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import shapely
from shapely.prepared import prep

from minis.lengths import GRID
from minis.rules.model import Rules
from minis.sight.scene import Scene

AVERAGE = 2
"""The category of the size average."""


class Piece(NamedTuple):
    """An obstacle: its top, the size of a vehicle, what it does to who is in it, and its geometry."""

    top: float
    size: int | None
    own: str
    level: int | None
    meets: Any
    geometry: Any


def pieces_of(scene: Scene) -> list[Piece]:
    """The obstacles of a scene, prepared; the highest first, since they stop most lines."""
    found = []
    for o in scene.obstacles:
        shape = (
            shapely.LineString([(x / GRID, y / GRID) for x, y in o.line])
            if o.line
            else shapely.Polygon(
                [(x / GRID, y / GRID) for x, y in o.rings[0]],
                [[(x / GRID, y / GRID) for x, y in ring] for ring in o.rings[1:]],
            )
        )
        size = o.unit.size.category if o.unit is not None else None
        own = o.piece.kind.own if o.piece is not None else "free"
        level = o.piece.level if o.piece is not None and o.form == "contour" else None
        found.append(Piece(o.top, size, own, level, prep(shape).intersects, shape))
    return sorted(found, key=lambda piece: -piece.top)


def loop(rules: Rules, pieces: list[Piece], ends: list[tuple[float, float, int]], targets: list[Any]) -> list[bool]:
    """Whether each of some places sees each of others; a place is x and y in inches and a level."""
    inside = {
        (x, y): [n for n, piece in enumerate(pieces) if piece.meets(shapely.Point(x, y))] for x, y, _ in ends + targets
    }
    lengths: dict[int, list[float | None]] = {}
    return [_sees(rules, pieces, inside, lengths, one, other) for one in ends for other in targets]


def _sees(
    rules: Rules,
    pieces: list[Piece],
    inside: dict[Any, list[int]],
    lengths: dict[int, list[float | None]],
    one: Any,
    other: Any,
) -> bool:
    (ax, ay, high), (bx, by, low) = (one, other) if one[2] >= other[2] else (other, one)
    long = math.hypot(ax - bx, ay - by)
    if not long:
        return True
    line = shapely.LineString([(ax, ay), (bx, by)])
    mine, his = inside[ax, ay], inside[bx, by]
    last: dict[float, Any] = {}
    if high not in lengths:
        lengths[high] = [_length(rules, high - piece.top, piece.size) for piece in pieces]
    reach = lengths[high]
    for n, (top, _, own, level, meets, geometry) in enumerate(pieces):
        if top <= low and top < high:
            continue
        if n in mine or n in his:
            if level is not None and high <= level and (n in mine) != (n in his):
                return False
            if own == "depth" and geometry.intersection(line).length > 1.0:
                return False
            continue
        length = reach[n]
        if length is None:
            if meets(line):
                return False
        elif length:
            if length not in last:
                t = min(1.0, length / long)
                last[length] = shapely.LineString([(bx, by), (bx + (ax - bx) * t, by + (ay - by) * t)])
            if meets(last[length]):
                return False
    return True


def _length(rules: Rules, above: float, size: int | None) -> float | None:
    if above <= 0:
        return None
    if size is None:
        row = rules.shadow(above)
        return None if row is None else row.length
    afv = rules.afv_shadow(above)
    return None if afv is None or size - AVERAGE >= afv.smaller else afv.length
