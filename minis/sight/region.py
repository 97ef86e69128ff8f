"""What one viewer sees of the table and what is dead ground to it, as regions with exact edges (S5, S6, S7).

A region says where a point target at ground level would be in the line of sight. Its edges are straight lines through
corners, and where a shadow ends curves: there it is true to half of 1/1000 inch. The rules are those of
`minis.sight.line`, taken one obstacle at a time: what it hides is worked out for each level of the ground
(`minis.sight.region_shadow`), and what any of them hides is not seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import shapely
from shapely.geometry.base import BaseGeometry

from minis.board.board import Board
from minis.board.geometry import Point, base_to_segment
from minis.board.units import Unit
from minis.errors import bad
from minis.lengths import GRID, format_length, format_number, to_grid
from minis.sight.region_crest import crest_strips, seen_by_touch
from minis.sight.region_shadow import SNAP_IN, areas_of, polygon_of, shadows
from minis.sight.scene import Obstacle, Scene
from minis.sight.standing import Standing


@dataclass(frozen=True)
class Place:
    """A point of the table as a viewer, in inches; `level` None is that of the ground there (S7.7).

    `low_roof` is true on the roof of a one-storey building (S6.8); `size` is a row of the table sizes: it counts where
    the target is higher and a vehicle stands between the two (S6.5).
    """

    x_in: float
    y_in: float
    level: int | None = None
    low_roof: bool = False
    size: str = "average"


@dataclass(frozen=True, eq=False)
class DeadGround:
    """A part of the table that a viewer does not see, an obstacle that hides all of it, and by which rule."""

    polygon: BaseGeometry
    obstacle: str
    rule: str


@dataclass(frozen=True, eq=False)
class Region:
    """What a viewer sees of the table, in inches, and the rest: together they are the table, and they do not overlap.

    A place that several obstacles hide is dead ground of the one nearest to the viewer; of one that casts several
    shadows, by the first of its rules. For a base that is asked from its first sight point, its centre (S5.1).
    """

    visible: BaseGeometry
    dead: tuple[DeadGround, ...]


def visible_region(scene: Scene, viewer: Unit | Place, *, size: str = "average") -> Region:
    """Where a point target at ground level is in the line of sight of a viewer, and where it is not (S5.1).

    `size` is that of the target behind a vehicle, a row of the table sizes; infantry counts as "very small" (S6.5).
    Smoke and range do not matter: they do not stop a line. Whether a touch stops a line (the switch graze) matters on
    edges alone, which are not told apart. Raises BadInput where a place is off the table or there is no such size.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> seen = visible_region(scene, Place(50, 20)).visible
    >>> seen.contains(shapely.Point(60, 24)), seen.contains(shapely.Point(56, 40))
    (True, False)
    """
    standing = standing_of(scene, viewer)
    category = _category(scene, size)
    strips = crest_strips(scene.board)
    grounds = ground_levels(scene.board)
    dead: list[DeadGround] = []
    seen: list[BaseGeometry] = []
    for number, at in enumerate(standing.points):
        for level, ground in grounds.items():
            if number:
                hidden = shapely.union_all([part.polygon for part in dead], grid_size=SNAP_IN)
                ground = areas_of(shapely.intersection(ground, hidden, grid_size=SNAP_IN))
            clear, parts = _clear(scene, standing, at, level, category, ground)
            touched = seen_by_touch(strips, clear, ground)
            seen += [clear, touched]
            dead = _without(dead if number else [*dead, *parts], shapely.union_all([clear, touched]))
    return Region(areas_of(shapely.union_all(seen, grid_size=SNAP_IN)), tuple(_merged(dead)))


def dead_ground(scene: Scene, viewer: Unit | Place, *, size: str = "average") -> tuple[DeadGround, ...]:
    """Where a viewer does not see a point target at ground level, each part with what hides it: see `visible_region`.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> hidden = dead_ground(scene, Place(50, 20))
    >>> [part.obstacle for part in hidden if part.polygon.contains(shapely.Point(56, 40))]
    ['farm']
    """
    return visible_region(scene, viewer, size=size).dead


def standing_of(scene: Scene, viewer: Unit | Place) -> Standing:
    """Where a viewer stands; raises BadInput where a place is off the table or its size is no row of sizes."""
    if isinstance(viewer, Unit):
        return scene.stand(viewer)
    board = scene.board
    on_table = 0 <= viewer.x_in <= board.width_in and 0 <= viewer.y_in <= board.depth_in
    if not on_table:
        place = f"{format_number(viewer.x_in)}, {format_number(viewer.y_in)}" if _is_number(viewer) else "that place"
        size = f"{format_length(board.width_in)} by {format_length(board.depth_in)}"
        raise bad(f"{place} is off the table, which is {size}", file=board.name)
    _category(scene, viewer.size)
    unit = Unit(
        id="\0place",
        side="",
        kind=board.rules.unit_kinds["gun"],
        size=board.rules.sizes[viewer.size],
        at=(to_grid(viewer.x_in), to_grid(viewer.y_in)),
        length_in=0.0,
        width_in=0.0,
    )
    standing = scene.stand(unit)
    level = standing.ground if viewer.level is None else viewer.level
    return replace(standing, level=level, on_low_roof=viewer.low_roof)


def _is_number(place: Place) -> bool:
    return math.isfinite(place.x_in) and math.isfinite(place.y_in)


def _category(scene: Scene, size: str) -> int:
    sizes = scene.board.rules.sizes
    if size not in sizes:
        raise bad(f"there is no size {size!r}; expected one of {', '.join(sizes)}", file=scene.board.name)
    return sizes[size].category


def table_of(board: Board) -> BaseGeometry:
    """The table as a region, in inches."""
    return shapely.box(0, 0, board.width_in, board.depth_in)


def ground_levels(board: Board) -> dict[int, BaseGeometry]:
    """The parts of the table by the level of their ground (S7.7), in inches."""
    rest = table_of(board)
    found: dict[int, BaseGeometry] = {}
    for level in sorted({hill.level for hill in board.hills} - {0}, reverse=True):
        hills = shapely.union_all([polygon_of(h.rings) for h in board.hills if h.level == level], grid_size=SNAP_IN)
        found[level] = areas_of(shapely.intersection(rest, hills, grid_size=SNAP_IN))
        rest = areas_of(shapely.difference(rest, hills, grid_size=SNAP_IN))
    found[0] = rest
    return {level: ground for level, ground in found.items() if ground.area}


# --- what is hidden --------------------------------------------------------------------------------------------------


def _clear(
    scene: Scene, standing: Standing, at: Point, level: int, category: int, ground: BaseGeometry
) -> tuple[BaseGeometry, list[DeadGround]]:
    """Of ground of one level what nothing hides from a point of the viewer, and the rest by what hides it."""
    dead: list[DeadGround] = []
    for obstacle in _nearest_first(scene, standing, at):
        if not ground.area:
            break
        for rule, shape in shadows(scene, standing, at, obstacle, level, category, ground):
            if not shapely.intersects(ground, shape):
                continue
            part = areas_of(shapely.intersection(ground, shape, grid_size=SNAP_IN))
            if part.area:
                dead.append(DeadGround(part, obstacle.id, rule))
                ground = areas_of(shapely.difference(ground, shape, grid_size=SNAP_IN))
    return ground, dead


def _nearest_first(scene: Scene, standing: Standing, at: Point) -> list[Obstacle]:
    """Everything in a viewer's way, the nearest to a point of it first, of two as near the first by its id."""
    exempt = scene.out_of_the_way(standing.unit, standing.unit)

    def near(obstacle: Obstacle) -> float:
        if obstacle.rings:
            inside = polygon_of(obstacle.rings).covers(shapely.Point(at[0] / GRID, at[1] / GRID))
        else:
            inside = False
        return 0.0 if inside else min(base_to_segment((at,), p, q) for p, q in obstacle.segments)

    found = [o for o in scene.obstacles if o.unit is None or o.id not in exempt]
    return sorted(found, key=lambda o: (near(o), o.id))


def _without(dead: Iterable[DeadGround], seen: BaseGeometry) -> list[DeadGround]:
    """Dead ground less what is seen from another point."""
    found = []
    for part in dead:
        if shapely.intersects(part.polygon, seen):
            part = replace(part, polygon=areas_of(shapely.difference(part.polygon, seen, grid_size=SNAP_IN)))
        if part.polygon.area:
            found.append(part)
    return found


def _merged(dead: Iterable[DeadGround]) -> Iterator[DeadGround]:
    """Parts that one obstacle hides by one rule put together, in the order of their ids."""
    found: dict[tuple[str, str], list[BaseGeometry]] = {}
    for part in dead:
        found.setdefault((part.obstacle, part.rule), []).append(part.polygon)
    for (obstacle, rule), shapes in sorted(found.items(), key=lambda item: item[0]):
        yield DeadGround(areas_of(shapely.union_all(shapes, grid_size=SNAP_IN)), obstacle, rule)
