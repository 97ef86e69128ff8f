"""The table as a map: its ground, which stays; its pieces, which move; and what other pictures lay between them."""

from __future__ import annotations

from collections.abc import Sequence

from minis.board.board import Board
from minis.draw.backdrop import SEE_THROUGH
from minis.draw.canvas import UNITS, Canvas
from minis.draw.labels import Box
from minis.draw.marks import label
from minis.draw.palette import FONT
from minis.draw.svg import Element, group
from minis.draw.terrain_layer import letters, terrain_layer
from minis.draw.unit_labels import label_layer
from minis.draw.unit_layer import smoke_layer, unit_layer

CREDIT_IN = 0.5
"""Size of type of the credit on the table, and how far from its corner it stands."""


def canvas_of(board: Board) -> Canvas:
    """The canvas of a table."""
    return Canvas(board.width_in, board.depth_in)


def table_map(
    board: Board,
    *,
    below: Sequence[Element] = (),
    above: Sequence[Element] = (),
    grid: bool = True,
    units: bool = True,
    avoid: Sequence[Box] = (),
    backdrop: Element | None = None,
) -> Element:
    """The table as one `<g class="table">`: ground, hills, terrain, smoke, `below`, units, `above`, labels.

    `below` lies under units and tokens, `above` over them and under their labels; `avoid` are boxes in user units that
    the labels keep clear of. Without `units` there is nothing that moves but smoke. A `backdrop` is a picture that
    shows through hills and terrain.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> [dict(part.attributes)["class"] for part in table_map(board).holds]
    ['ground', 'smoke', 'units', 'labels']
    """
    canvas = canvas_of(board)
    return group(
        ground(board, grid=grid, backdrop=backdrop),
        smoke_layer(board, canvas),
        below,
        unit_layer(board, canvas) if units else (),
        above,
        _labels(board, canvas, grid, avoid) if units else (),
        class_="table",
        font_family=FONT,
    )


def ground(board: Board, *, grid: bool = True, backdrop: Element | None = None) -> Element:
    """What does not change in a game: the ground, hills and terrain with their letters, and the grid.

    It depends on no unit, so that one ground serves everybody.
    """
    under = (backdrop,) if backdrop is not None else ()
    return terrain_layer(board, canvas_of(board), grid=grid, under=under, through=SEE_THROUGH if under else None)


def credit(board: Board) -> tuple[Element, ...]:
    """What the makers of the ground ask to be said of it, in the corner of a map that has no page around it."""
    if board.place is None or not board.place.credit:
        return ()
    canvas = canvas_of(board)
    x, y = canvas.inches(board.width_in - CREDIT_IN, CREDIT_IN)
    return (label(board.place.credit, x, y, CREDIT_IN * UNITS, anchor="end"),)


def pieces(board: Board) -> Element:
    """What changes in a game: smoke, units and tokens, their labels."""
    canvas = canvas_of(board)
    return group(
        smoke_layer(board, canvas), unit_layer(board, canvas), _labels(board, canvas, True, ()),
        class_="pieces", font_family=FONT,
    )  # fmt: skip


def _labels(board: Board, canvas: Canvas, grid: bool, avoid: Sequence[Box]) -> Element:
    _, boxes = letters(board, canvas, grid=grid)
    return label_layer(board, canvas, [*boxes, *avoid])
