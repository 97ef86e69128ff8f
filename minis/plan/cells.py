"""The table cut into cells, and what a unit sees of each: what hides it, its range, what is on the way."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from minis.board.board import Board
from minis.board.geometry import Point, locate
from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.fire.facts import hexes
from minis.fire.measure import arc_steps
from minis.lengths import EPSILON_IN, GRID, to_grid
from minis.plan.eyes import Eyes
from minis.sight.field import points_at, points_of, see_matrix
from minis.sight.stretch import Straight, spans_of_area, without_ends

Array = Any
Place = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a table: the middle of each, (n, 2) inches, and its area in square inches."""

    xy: Array
    area: Array


def cells_of(board: Board, side_in: float) -> Cells:
    """The table cut into square cells from its south-west corner; the last of a row or column may be cut off.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> cells = cells_of(board, 10)
    >>> len(cells.area), float(cells.area.sum()) == 84 * 48, cells.xy[8].tolist(), float(cells.area[8])
    (45, True, [82.0, 5.0], 40.0)
    """
    (x, wide), (y, deep) = (_cut(length, side_in) for length in (board.width_in, board.depth_in))
    xs, ys = np.meshgrid(x, y)
    return Cells(np.stack([xs.ravel(), ys.ravel()], axis=1), np.outer(deep, wide).ravel())


def _cut(length: float, side: float) -> tuple[Array, Array]:
    marks = np.append(np.arange(max(1, math.ceil(length / side - EPSILON_IN))) * side, length)
    return (marks[:-1] + marks[1:]) / 2, np.diff(marks)


@dataclass(frozen=True, eq=False)
class View:
    """What a unit sees of some cells: what hides each (-1 where nothing does), its range, and its level."""

    eyes: Eyes
    unit: Unit
    level: int
    cells: Cells
    hider: Array
    distance_in: Array
    ground: Array

    @cached_property
    def inside(self) -> frozenset[str]:
        """The ids of the pieces of terrain that the unit is in."""
        return frozenset(self.eyes.scene.stand(self.unit).inside)

    def place(self, cell: int) -> Place:
        """The middle of a cell, in inches."""
        x, y = self.cells.xy[cell].tolist()
        return x, y

    def at(self, cell: int) -> Point:
        """The middle of a cell, on the grid."""
        x, y = self.place(cell)
        return to_grid(x), to_grid(y)


def view_of(eyes: Eyes, unit: Unit, cells: Cells, level: int | None) -> View:
    """A unit looks at the middle of every cell; what hides one from its centre is what hides it."""
    field = eyes.field
    there = points_at(field, cells.xy)
    if level is None:
        mine = points_of(field, [unit])
    else:
        mine = points_at(field, [[unit.at[0] / GRID, unit.at[1] / GRID]], level=level)
    found = see_matrix(field, mine, there)
    hider = np.where((found < 0).any(axis=0), -1, found[0])
    return View(eyes, unit, int(mine.level[0]), cells, hider, _distances(eyes, unit, cells), there.level)


def _distances(eyes: Eyes, unit: Unit, cells: Cells) -> Array:
    """From a base, or its centre by the switch, to the middle of each cell, in inches (S1.3)."""
    import shapely

    points = shapely.points(cells.xy * GRID)
    by_centre = unit.is_point or eyes.scene.board.rules.switch("measure") == "centre"
    mine = shapely.Point(unit.at) if by_centre else shapely.Polygon(unit.base)
    return shapely.distance(mine, points) / GRID


@dataclass(frozen=True)
class Line:
    """What is on the way to a cell: hexes, steps outside the covered arc, clouds of smoke, the hindrance DRM."""

    hexes: int
    arc_steps: int
    clouds: int
    hindrance: int


def line_to(view: View, cell: int, weapon: Weapon | None) -> Line:
    """What is on the way from the centre of a unit to the middle of a cell (S8.2, F1.2, F4.4)."""
    scene, unit = view.eyes.scene, view.unit
    board = scene.board
    line = Straight.between(unit.at, view.at(cell))
    clouds = sum(
        bool(without_ends(line, spans_of_area(line, [cloud.ring])))
        for cloud in board.smoke
        if not line.misses(cloud.box)
    )
    own = view.inside
    hindrance = 0
    for piece in board.terrain:
        row = board.rules.hindrances.get(piece.kind.id)
        if row is None or piece.id in own or not piece.rings or line.misses(piece.box):
            continue
        if locate(line.b, piece.rings) <= 0:
            crossed = sum(high - low for low, high in spans_of_area(line, piece.rings)) / max(line.long, 1.0) / GRID
            hindrance += row.value * math.ceil(crossed / row.each - EPSILON_IN)
    steps = arc_steps(board.rules, unit, weapon, replace(unit, at=line.b)) if weapon else 0
    return Line(hexes(float(view.distance_in[cell]), board.inches_per_hex), steps, clouds, hindrance)
