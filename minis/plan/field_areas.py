"""The areas of a field of fire, exact: the region in sight cut by the circles of the ranges and by the covered arc.

They come from `minis.sight.region`, whose edges are true to half of 1/1000 inch; so are the circles.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.fire.measure import covered_arc
from minis.lengths import GRID
from minis.rules.fire_rows import RangeRow
from minis.sight.region import Place, Region, visible_region
from minis.sight.scene import Scene

ROUGH = 0.01
"""Square inches: less than this is the roughness of an edge, and no ground."""

SEGMENTS = 512
"""Corners of a quarter of a circle: at 100 inches it is true to half of 1/1000 inch."""


@dataclass(frozen=True)
class DeadGround:
    """Ground that an obstacle hides, in square inches, and by which rules; where several do, it is the nearest's."""

    obstacle: str
    what: str
    area: float
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ring:
    """The ground in sight in one range band of the To Hit table, in square inches, and that inside the covered arc."""

    row: RangeRow
    from_hexes: int
    area: float
    in_arc: float


@dataclass(frozen=True)
class Areas:
    """The ground in sight in square inches; `beyond` is in sight, but farther than anybody sights: it is in no ring."""

    area: float
    beyond: float
    rings: tuple[Ring, ...]
    dead: tuple[DeadGround, ...]


def areas_of(scene: Scene, unit: Unit, *, weapon: Weapon | None = None, level: int | None = None) -> Areas:
    """The areas of the field of fire of a unit, for a target without a base at ground level (S5.1, F1.2, Case A).

    `level` is that of a point without a base, of None its ground. Ranges are from the base, or by the switch from its
    centre. Without a weapon, and for infantry, all that is in sight is in the arc. Smoke does not matter.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> found = areas_of(scene, scene.board.unit("T1"))
    >>> round(found.area + found.beyond + sum(dead.area for dead in found.dead)) == 84 * 48
    True
    """
    viewer = unit if level is None else Place(unit.at[0] / GRID, unit.at[1] / GRID, level)
    region = visible_region(scene, viewer)
    limit = scene.board.rules.number("spotter-max-range" if unit.spotter else "max-range").value
    near = shapely.intersection(region.visible, _within(scene, unit, limit))
    return Areas(
        area=float(near.area),
        beyond=_area(float(region.visible.area - near.area)),
        rings=tuple(_rings(scene, unit, weapon, near)),
        dead=_dead(scene, region),
    )


def _area(area: float) -> float:
    return area if area >= ROUGH else 0.0


def _within(scene: Scene, unit: Unit, range_in: float) -> BaseGeometry:
    """The ground within a range of a unit, as it is measured (S1.3)."""
    by_centre = unit.is_point or scene.board.rules.switch("measure") == "centre"
    corners = [(x / GRID, y / GRID) for x, y in ((unit.at,) if by_centre else unit.base)]
    base = shapely.Point(corners[0]) if by_centre else shapely.Polygon(corners)
    return shapely.buffer(base, range_in, quad_segs=SEGMENTS)


def _rings(scene: Scene, unit: Unit, weapon: Weapon | None, near: BaseGeometry) -> Iterator[Ring]:
    """Each range band, nearest first; some may have nothing in sight."""
    board = scene.board
    arc = _arc(scene, unit, weapon)
    least, rest = 0, near
    for row in board.rules.to_hit_ranges:
        inside = rest
        if row.up_to is not None:
            circle = _within(scene, unit, row.up_to * board.inches_per_hex)
            inside, rest = shapely.intersection(rest, circle), shapely.difference(rest, circle)
        in_arc = inside if arc is None else shapely.intersection(inside, arc)
        yield Ring(row, least, _area(float(inside.area)), _area(float(in_arc.area)))
        least = (row.up_to or 0) + 1


def _arc(scene: Scene, unit: Unit, weapon: Weapon | None) -> BaseGeometry | None:
    """The covered arc as far as the table goes; None where everything is in it."""
    arc = covered_arc(scene.board.rules, unit, weapon) if weapon else None
    if arc is None or arc[1] >= 180:
        return None
    ahead, half = arc
    x, y = unit.at[0] / GRID, unit.at[1] / GRID
    far = 2 * math.hypot(scene.board.width_in, scene.board.depth_in)
    turns = max(1, math.ceil(2 * half / EACH))  # so that no chord of the far side comes near the table
    ways = [math.radians(ahead - half + 2 * half * k / turns) for k in range(turns + 1)]
    return shapely.Polygon([(x, y), *((x + far * math.sin(way), y + far * math.cos(way)) for way in ways)])


EACH = 60.0
"""Degrees of a chord of the far side of an arc."""


def _dead(scene: Scene, region: Region) -> tuple[DeadGround, ...]:
    """The dead ground of each obstacle, largest first."""
    what = {obstacle.id: obstacle.what for obstacle in scene.obstacles}
    hidden: dict[str, dict[str, float]] = defaultdict(dict)
    for part in region.dead:
        if part.polygon.area >= ROUGH:
            hidden[part.obstacle][part.rule] = float(part.polygon.area)
    found = [DeadGround(name, what[name], sum(by.values()), tuple(sorted(by))) for name, by in hidden.items()]
    return tuple(sorted(found, key=lambda dead: (-round(dead.area, 6), dead.obstacle)))
