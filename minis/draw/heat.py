"""Chances on a map: cells of one band of chances as one area with its number, in order from light to dark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from minis.board.board import Board
from minis.draw.page import SWATCH, Key
from minis.draw.palette import CHANCES, GROUND, PAPER, SMALL, TEXT, scale_of
from minis.draw.set_words import Named, pieces_of, set_into, thousandths
from minis.draw.svg import Element, el, group
from minis.draw.table_map import canvas_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

GLAZE = 0.62
"""How dense the colours lie: the terrain shows through them."""

PALE = 0.4
"""How much the ground under them is paled, so that a colour is the same on a hill as in the open."""


@dataclass(frozen=True)
class Step:
    """A band of chances, from `low` up to the next one: its mark on the map, its words and its colour."""

    low: float
    mark: str
    words: str
    colour: str


STEPS = (
    Step(0.0, "<20", "under 20 %", CHANCES[0]),
    Step(0.2, "20+", "20 to under 40 %", CHANCES[1]),
    Step(0.4, "40+", "40 to under 60 %", CHANCES[2]),
    Step(0.6, "60+", "60 to under 80 %", CHANCES[3]),
    Step(0.8, "80+", "80 to under 100 %", CHANCES[4]),
    Step(1.0, "100", "100 %: certain", CHANCES[5]),
)
"""The bands of a picture; nothing of the rules hangs on them."""


NONE = "0"
"""The mark of ground in sight where there is no chance."""

ON_EDGE_IN = 0.01
"""Nearer than this, in inches, the middle of a cell is on the edge of what is seen, not inside."""

SLIVER = 0.01
"""Square inches: less than this is the roughness of an edge."""


def step_of(chance: float) -> int | None:
    """The number of the band of a chance; None of none at all.

    >>> [step_of(chance) for chance in (0.0, 0.01, 0.2, 0.99, 1.0)]
    [None, 0, 1, 4, 5]
    """
    if chance <= 0:
        return None
    return max(number for number, step in enumerate(STEPS) if chance >= step.low)


def bands_of(
    board: Board, chances: Any, cell_in: float, visible: BaseGeometry | None = None
) -> dict[int, BaseGeometry]:
    """The cells of each band put together, in inches, on the table; `chances` as `chance_map` has them.

    With the `visible` region they are cut to it, and what it has of cells whose middle is hidden is put to the nearest
    of the cells around that has a chance.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> {number: shape.area for number, shape in bands_of(board, [[0.0, 0.3, 0.3], [1.0, 0.9, 0.3]], 10).items()}
    {1: 300.0, 4: 100.0, 5: 100.0}
    """
    import shapely

    numbers = [[step_of(float(value)) for value in values] for values in chances]
    if visible is not None:
        numbers = _to_the_edge(board, numbers, cell_in, visible)
    rows: dict[int, list[Any]] = {}
    for row, values in enumerate(numbers):
        south, north = row * cell_in, min((row + 1) * cell_in, board.depth_in)
        for number, first, last in _runs(values):
            west, east = first * cell_in, min(last * cell_in, board.width_in)
            rows.setdefault(number, []).append(shapely.box(west, south, east, north))
    bands = {number: shapely.union_all(rows[number]) for number in sorted(rows)}
    if visible is not None:
        bands = {number: shapely.intersection(shape, visible) for number, shape in bands.items()}
    return bands


def _to_the_edge(
    board: Board, numbers: Sequence[Sequence[int | None]], cell_in: float, visible: BaseGeometry
) -> list[list[int | None]]:
    """The bands of cells, those with a hidden middle that are seen in part given that of the nearest neighbour."""
    import shapely

    inside = shapely.buffer(visible, -ON_EDGE_IN)
    shapely.prepare(visible)
    shapely.prepare(inside)
    found = [list(row) for row in numbers]
    for row, values in enumerate(numbers):
        for column, number in enumerate(values):
            around = [
                (other, numbers[v][u], ((u + 0.5) * cell_in, (v + 0.5) * cell_in))
                for other, (u, v) in enumerate(_around(column, row, len(values), len(numbers)))
                if numbers[v][u] is not None
            ]
            if number is not None or not around:
                continue
            west, south = column * cell_in, row * cell_in
            middle = (min(west + cell_in / 2, board.width_in), min(south + cell_in / 2, board.depth_in))
            cell = shapely.box(west, south, west + cell_in, south + cell_in)
            if not visible.intersects(cell) or inside.covers(shapely.Point(middle)):
                continue
            part = shapely.intersection(cell, visible).representative_point()
            _, found[row][column], _ = min(around, key=lambda one: (math.dist(one[2], (part.x, part.y)), one[0]))
    return found


def _around(column: int, row: int, columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """The cells around one."""
    for v in range(max(0, row - 1), min(rows, row + 2)):
        for u in range(max(0, column - 1), min(columns, column + 2)):
            if (u, v) != (column, row):
                yield u, v


def _runs(numbers: list[int | None]) -> Iterator[tuple[int, int, int]]:
    """What is the same side by side: a number, its first place, and the place after its last."""
    first = 0
    for place in range(1, len(numbers) + 1):
        if place == len(numbers) or numbers[place] != numbers[first]:
            number = numbers[first]
            if number is not None:
                yield number, first, place
            first = place


def without_chance(visible: BaseGeometry, bands: Mapping[int, BaseGeometry]) -> BaseGeometry:
    """The ground that is seen where there is no chance to sight the target: too far away, or in cover."""
    import shapely

    rest = shapely.difference(visible, shapely.union_all(list(bands.values())))
    return shapely.union_all([part for part in pieces_of(rest) if part.area > SLIVER])


def heat_layer(board: Board, bands: Mapping[int, BaseGeometry]) -> Element:
    """The bands in their colours on paled ground, with a contour around each; goes below the units."""
    canvas = canvas_of(board)
    scale = scale_of(board.width_in)
    paths = {number: canvas.polygons(thousandths(shape)) for number, shape in bands.items()}
    return group(
        el("path", d="".join(paths.values()), fill=PAPER, fill_opacity=PALE, fill_rule="evenodd", class_="paled"),
        (
            el(
                "path", d=paths[number], fill=STEPS[number].colour, fill_opacity=GLAZE, fill_rule="evenodd",
                stroke=CHANCES[-1], stroke_width=3 * scale, stroke_opacity=0.7,
                class_="chance", data_from=f"{STEPS[number].low * 100:.0f}",
            )
            for number in bands
        ),
        class_="chances",
    )  # fmt: skip


def heat_marks(board: Board, bands: Mapping[int, BaseGeometry], no_chance: BaseGeometry, taken: BaseGeometry) -> Named:
    """The number of each band in every part of it that has room; goes above the units, and covers none."""
    canvas = canvas_of(board)
    scale = scale_of(board.width_in)
    parts = [(part, STEPS[number].mark) for number, shape in bands.items() for part in pieces_of(shape)]
    parts += [(part, NONE) for part in pieces_of(no_chance)]
    parts.sort(key=lambda part: (-round(part[0].area, 6), part[1], part[0].bounds))
    return set_into(canvas, parts, [TEXT * scale, SMALL * scale], taken, "chance-marks")


def heat_keys(bands: Mapping[int, BaseGeometry], no_chance: BaseGeometry) -> list[Key]:
    """The legend of the bands that are on the map, the greatest chance first."""
    wide, high = SWATCH
    found = []
    for number in sorted(bands, reverse=True):
        step = STEPS[number]
        swatch = el(
            "rect", width=wide, height=high, fill=step.colour, fill_opacity=GLAZE, stroke=CHANCES[-1], stroke_width=4
        )
        found.append(Key(swatch, f"{step.mark}: {step.words}"))
    if not no_chance.is_empty:
        swatch = el("rect", width=wide, height=high, fill=GROUND, stroke=CHANCES[-1], stroke_width=4)
        found.append(Key(swatch, f"{NONE}: in sight, and no chance"))
    return found
