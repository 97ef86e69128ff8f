"""A table out as a drawing for Inkscape: a layer for each kind of terrain, a title for each id, true to size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from minis.board.board import Board
from minis.board.geometry import Point
from minis.board.terrain import Terrain
from minis.ground.place_mark import mark_of
from minis.ground.scenario_text import KIND_ORDER
from minis.ground.uvtt_out import keys_of
from minis.lengths import GRID

INK = {
    "hill": "#c8a878", "ridge": "#8a6a3a", "cliff": "#6b5a48", "gully": "#a9c4d6", "marsh": "#9cc4b8",
    "woods": "#5f8f4e", "orchard": "#8fb56a", "brush": "#b3c48a", "grain": "#e3cf7a", "road": "#bfb8ac",
    "building": "#8c5a4a", "rubble": "#a08f86", "wall": "#555555", "hedge": "#3f7a35", "bocage": "#2f5a28",
    "roadblock": "#333333",
}  # fmt: skip
"""Colours of the kinds, to tell them apart on the screen; another one is grey."""

LINE_IN = 0.25
"""How broad lines are drawn, in inches."""


def svg_text(board: Board) -> str:
    """The terrain of a table as SVG: user units are inches, y runs down from the north edge.

    A layer is labelled with its kind, hills with their level too; an object's title is its id, its other keys are
    `data-` attributes, and so is where the table lies on the earth; `minis import svg` reads all of it back.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> text = svg_text(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> text.count('inkscape:groupmode="layer"') == text.count("inkscape:label")
    True
    """
    width, depth = _number(board.width_in * GRID), _number(board.depth_in * GRID)
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'width="{width}in" height="{depth}in" viewBox="0 0 {width} {depth}" data-minis="inches"{_place(board)}>'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, f"<title>{_plain(board.title)}</title>"]
    if board.place is not None and board.place.credit:
        lines.append(f"<desc>{_plain(board.place.credit)}</desc>")
    ordered = sorted(board.terrain, key=lambda piece: (*_rank(piece), piece.id))
    for number, (label, pieces) in enumerate(groupby(ordered, key=_label), 1):
        lines.append(
            f'<g id="layer-{number}" inkscape:groupmode="layer" inkscape:label={quoteattr(label)} {_look(label)}>'
        )
        lines += [line for piece in pieces for line in _object(piece, board)]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _place(board: Board) -> str:
    """Where the table lies on the earth, as an attribute of the drawing."""
    if board.place is None:
        return ""
    mark = mark_of(board.place) | {"width": board.width_in, "depth": board.depth_in}
    return f" data-place={quoteattr(json.dumps(mark, ensure_ascii=False))}"


def _rank(piece: Terrain) -> tuple[int, str, int]:
    order = {kind: index for index, kind in enumerate(KIND_ORDER)}
    return order.get(piece.kind.id, len(order)), piece.kind.id, piece.level


def _label(piece: Terrain) -> str:
    return f"{piece.kind.id} {piece.level}" if piece.is_crest else piece.kind.id


def _look(label: str) -> str:
    return f'fill="{INK.get(label.split()[0], "#999999")}" stroke="none"'


def _object(piece: Terrain, board: Board) -> Iterator[str]:
    depth = round(board.depth_in * GRID)
    rings = [piece.line] if piece.line else piece.rings
    d = "".join(_path(ring, depth, closed=not piece.line) for ring in rings)
    keys = {"kind": piece.kind.id, **keys_of(piece, hills=bool(board.hills))}
    data = "".join(
        f" data-{key}={quoteattr(str(value).lower() if isinstance(value, bool) else str(value))}"
        for key, value in keys.items()
    )
    colour = INK.get(piece.kind.id, "#999999")
    look = f'fill="none" stroke="{colour}" stroke-width="{LINE_IN}"' if piece.line else 'fill-rule="evenodd"'
    yield f'<path d="{d}" {look}{data}><title>{_plain(piece.id)}</title></path>'


def _path(points: tuple[Point, ...], depth: int, *, closed: bool) -> str:
    return "M" + " L".join(f"{_number(x)},{_number(depth - y)}" for x, y in points) + (" Z" if closed else "")


def _number(steps: float) -> str:
    """Grid steps as inches, exactly: a step has six decimals."""
    return f"{steps / GRID:.6f}".rstrip("0").rstrip(".")


def _plain(text: str) -> str:
    return escape("".join(c for c in text if c.isprintable()))
