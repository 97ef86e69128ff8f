"""Real heights to the hills of a table: its own, or those of a table that has a place on the earth already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from minis.board.place import Place
from minis.errors import bad
from minis.ground.contours import Hills, hills_of
from minis.ground.heights import Heights
from minis.ground.levels import best_levels, even_levels, exaggeration, given_levels
from minis.ground.project import Projection, pyproj_module
from minis.ground.real import Table
from minis.ground.relief import Relief, relief_of
from minis.ground.report import Report, summary
from minis.lengths import format_number
from minis.rules.ground_rows import ground_number
from minis.rules.model import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grid = NDArray[np.float64]

EDGE_STEPS = 16
"""Places along each edge of a table that are asked where they lie on the earth."""

MOST_CELLS = 10**7
"""Cells on one table; more are finer than anybody models."""


@dataclass(frozen=True)
class Steps:
    """Which levels a judge wants: at `heights` in metres; or `count` of them, `step` metres apart from `first` on.

    Without any of these as many as the table ground says, where they fit the ground best.
    """

    heights: tuple[float, ...] = ()
    step: float | None = None
    first: float | None = None
    count: int | None = None


@dataclass(frozen=True)
class Wishes:
    """How hills are made; None stands for the row of the table ground.

    Bumps of less than `bump_in2` square inches are dropped; a level is `level_in` inches of board; `slope` marks every
    contour as one that a unit sees down (S7.5).
    """

    steps: Steps = Steps()
    bump_in2: float | None = None
    level_in: float | None = None
    slope: bool = False


@dataclass(frozen=True)
class Made:
    """Hills for a table, its place with the heights of the levels, and the report."""

    hills: Hills
    place: Place
    report: Report
    levels: tuple[float, ...]


def hills_for(heights: Heights, table: Table, rules: Rules, wishes: Wishes, taken: Sequence[str] = ()) -> Made:
    """The hills of a table from the heights about it; ids in `taken` are passed over.

    Raises BadInput where the heights do not cover the table, where it is flat, and where a library is missing.
    """
    relief = relief_on(heights, table)
    ground = relief.on_table
    if not ground.size:
        raise bad("no cell of the heights has its middle on the table: it is too small for them", file=heights.name)
    levels = levels_for(ground, wishes.steps, rules)
    bump = ground_number(rules, "hill-bump") if wishes.bump_in2 is None else wishes.bump_in2
    level_in = ground_number(rules, "level-height") if wishes.level_in is None else wishes.level_in
    hills = hills_of(
        relief, levels, bump_in2=bump, simplify_in=ground_number(rules, "simplify"), slope=wishes.slope, taken=taken
    )
    if not hills.pieces:
        listed = ", ".join(f"{height:g}" for height in levels)
        message = f"no hill is left: the table lies between {ground.min():g} and {ground.max():g} m, levels at {listed}"
        raise bad(message, file=heights.name)
    steeper = exaggeration(levels, float(ground.min()), level_in, table.place.metres_per_inch)
    place = replace(table.place, level_heights=levels, exaggeration=round(steeper, 3) or None)
    return Made(hills, place, _report(heights, relief, hills, place, levels, level_in), levels)


def levels_for(ground: Grid, steps: Steps, rules: Rules) -> tuple[float, ...]:
    """The heights in metres at which the levels begin; raises BadInput where they cannot be what a judge means."""
    count = steps.count if steps.count is not None else int(ground_number(rules, "hill-levels"))
    if steps.heights:
        if steps.step is not None or steps.first is not None or steps.count is not None:
            raise bad("the heights of the levels are given; they go with no other step", file="--levels")
        return given_levels(steps.heights)
    if steps.step is not None:
        return given_levels(even_levels(steps.step, count, float(ground.min()), steps.first))
    if steps.first is not None:
        raise bad("a first height goes with --step", file="--first")
    return best_levels(ground, count)


def relief_on(heights: Heights, table: Table) -> Relief:
    """The heights about a table, laid on it."""
    import numpy as np

    ground = Projection(table.place, table.width_in, table.depth_in)
    to_system, from_system = _system(heights)
    x, y = _edge(table)
    lon, lat = ground.to_ground(x, y)
    if lon.max() - lon.min() > 180:
        raise bad("the table lies across the 180th meridian; no grid of heights does", file=heights.name)
    across, up = to_system(lon, lat)
    if not (np.isfinite(across).all() and np.isfinite(up).all()):
        raise bad("the table lies outside the reference system of the heights", file=heights.name)
    near = heights.window(float(across.min()), float(up.min()), float(across.max()), float(up.max()))
    if near.rows < 2 or near.columns < 2:
        raise bad(_elsewhere(heights, table), file=heights.name)
    if near.rows * near.columns > MOST_CELLS:
        many = near.rows * near.columns
        raise bad(f"{many} cells lie on the table, more than {MOST_CELLS}: take coarser heights", file=heights.name)

    def project(x: Grid, y: Grid) -> tuple[Grid, Grid]:
        return ground.to_table(*from_system(x, y))

    return relief_of(near, project, table.width_in, table.depth_in)


def middle_of(heights: Heights) -> str:
    """The middle of a grid as --centre takes it."""
    _, from_system = _system(heights)
    lon, lat = from_system((heights.west + heights.east) / 2, (heights.south + heights.north) / 2)
    return f"{float(lon):.5f},{float(lat):.5f}"


def _edge(table: Table) -> tuple[Grid, Grid]:
    """Places along the edges of a table, in inches."""
    import numpy as np

    along = np.linspace(0.0, 1.0, EDGE_STEPS)
    none, all_ = np.zeros(EDGE_STEPS), np.ones(EDGE_STEPS)
    x, y = np.concatenate([along, along, none, all_]), np.concatenate([none, all_, along, along])
    return x * table.width_in, y * table.depth_in


def _system(heights: Heights) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    """From longitude and latitude to the x and y of a grid, and back."""
    if heights.crs is None:
        return (lambda lon, lat: (lon, lat)), (lambda x, y: (x, y))
    pyproj = pyproj_module()
    try:
        system = pyproj.CRS.from_user_input(heights.crs)
        there = pyproj.Transformer.from_crs("EPSG:4326", system, always_xy=True)
        back = pyproj.Transformer.from_crs(system, "EPSG:4326", always_xy=True)
    except pyproj.exceptions.ProjError:
        shown = " ".join(heights.crs.split())[:60]
        raise bad(f"{shown!r} is no reference system; expected one such as EPSG:32616", file=heights.name) from None
    return there.transform, back.transform


def _elsewhere(heights: Heights, table: Table) -> str:
    """The table is not where the heights are: where they are, and whether the centre is swapped."""
    lon, lat = table.place.lon, table.place.lat
    words = f"the table's middle, {lon:g}, {lat:g}, lies outside the heights"
    if heights.crs is None and heights.west <= lat <= heights.east and heights.south <= lon <= heights.north:
        return f"{words}; longitude and latitude are swapped, in the file or in --centre: longitude comes first"
    lies = f"{heights.west:.4f}, {heights.south:.4f} to {heights.east:.4f}, {heights.north:.4f}"
    return f"{words}, which lie from {lies}; their middle is {middle_of(heights)}"


def _report(
    heights: Heights, relief: Relief, hills: Hills, place: Place, levels: Sequence[float], level_in: float
) -> Report:
    ground, per = relief.on_table, place.metres_per_inch
    remarks = [f"the ground of the table lies between {ground.min():g} and {ground.max():g} m"]
    for level, height in enumerate(levels, 1):
        areas = [piece.geometry.area for piece in hills.pieces if piece.level == level]
        rim = f", crest lines {hills.rims_in[level - 1]:.0f} inches"
        own = sum(areas) - sum(piece.geometry.area for piece in hills.pieces if piece.level == level + 1)
        words = f"{len(areas)} {'hill' if len(areas) == 1 else 'hills'}, {own:.0f} square inches no higher{rim}"
        remarks.append(f"level {level} from {height:g} m: {words if areas else 'no ground of the table is so high'}")
    board = format_number(level_in)
    remarks.append(f'a level of {board}" of board makes the table {place.exaggeration:g} times as steep as the ground')
    remarks.append(f'a cell of the heights is {relief.cell_in:.2g}" of the table; between its middles ground is even')
    lowest = sum(piece.geometry.area for piece in hills.pieces if piece.level == hills.pieces[0].level)
    if relief.voids:
        remarks.append(f"{relief.voids} cells on the table had no height; they were closed from around them")
    return Report(
        source=heights.name,
        kinds=(hills.count,),
        dropped=hills.dropped,
        cannot_say=("what stands on the ground: woods, houses, roads; `minis import geojson` brings them",),
        remarks=tuple(remarks),
        area_m2={"hill": lowest * per * per},  # higher levels lie on it
    )


def notes_of(heights: Heights, made: Made) -> list[str]:
    """The comments about hills at the head of a scenario: where they come from, the heights of the levels."""
    name = heights.name.replace("\\", "/").rpartition("/")[2]
    listed = ", ".join(f"{level} from {height:g} m" for level, height in enumerate(made.levels, 1))
    return [
        f"Hills made by `minis import dem` from {name}.",
        f"Levels: {listed}; vertical exaggeration {made.place.exaggeration:g}.",
        *summary(made.report),
    ]
