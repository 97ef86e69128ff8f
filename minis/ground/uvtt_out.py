"""A table out as a Universal VTT map: what stops lines of sight as walls and objects, with a picture under it."""

from __future__ import annotations

import base64
import json
import math
import struct
import zlib
from collections.abc import Sequence
from typing import Any

from minis.board.board import Board
from minis.board.geometry import Point
from minis.board.terrain import Terrain
from minis.errors import bad
from minis.ground.place_mark import mark_of
from minis.ground.uvtt import MOST_CELLS, OBJECTS, WALLS
from minis.lengths import GRID

FORMAT = 0.3
"""The version of the format that is written."""

DIGITS = 9
"""Decimals of a cell: finer than the grid of a table, coarse enough to be read."""

MOST_PIXELS = 2**28
"""Pixels of the blank picture; more is more than a virtual table can show."""


def uvtt_text(board: Board, *, inches_per_cell: float, pixels_per_cell: int, png: bytes | None = None) -> str:
    """The map of a table's terrain as the text of a .uvtt file.

    What stands on a level of its own and hides (buildings, bocage) becomes walls, and what one may be inside of (woods,
    orchards, rubble) objects; both block sight. All other terrain, and all ids, kinds and keys, stand in a member
    `minis`, which other tools pass over. `png` is the picture; without one it is blank, of the size that the cells ask
    for. Raises BadInput where the table has too many cells.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> made = json.loads(uvtt_text(board, inches_per_cell=1, pixels_per_cell=50))
    >>> made["resolution"]["map_size"], made["format"]
    ({'x': 84.0, 'y': 48.0}, 0.3)
    """
    size = (board.width_in / inches_per_cell, board.depth_in / inches_per_cell)
    pixels = [max(1, round(side * pixels_per_cell)) for side in size]
    if max(size) > MOST_CELLS or math.prod(pixels) > MOST_PIXELS:
        raise bad(f"{size[0]:g} by {size[1]:g} cells of {pixels_per_cell} pixels are too many for a map")
    lines: dict[str, list[list[dict[str, float]]]] = {WALLS: [], OBJECTS: []}
    terrain = []
    for piece in board.terrain:
        part = part_of(piece)
        rings = _rings(piece)
        at: list[list[str | int]] = []
        for ring in rings if part else ():
            at.append([part, len(lines[part])])
            lines[part].append([_cell(point, board.depth_in, inches_per_cell) for point in ring])
        terrain.append(_entry(piece, at, rings) | keys_of(piece, hills=bool(board.hills)))
    data: dict[str, Any] = {
        "format": FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": round(size[0], DIGITS), "y": round(size[1], DIGITS)},
            "pixels_per_grid": pixels_per_cell,
        },
        **lines,
        "portals": [],
        "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
        "lights": [],
        "image": base64.b64encode(png or blank_png(pixels[0], pixels[1])).decode("ascii"),
        "minis": {
            "title": board.title, "credit": board.place.credit if board.place else "",
            "inches_per_cell": inches_per_cell,
            "table": [board.width_in, board.depth_in], "lines": {key: len(value) for key, value in lines.items()},
            "terrain": terrain,
        },
    }  # fmt: skip
    if board.place is not None:
        data["minis"]["place"] = mark_of(board.place) | {"width": board.width_in, "depth": board.depth_in}
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def part_of(piece: Terrain) -> str:
    """Where a piece stands in the format: among the walls, among the objects, or nowhere (empty).

    >>> from minis.rules import load_rules
    >>> kinds = load_rules().terrain
    >>> [part_of(Terrain("x", kinds[kind])) for kind in ("building", "woods", "road", "hill")]
    ['line_of_sight', 'objects_line_of_sight', '', '']
    """
    if not piece.kind.obstacle or piece.is_crest:
        return ""
    return WALLS if piece.kind.shape == "line" or piece.kind.height == "storey" else OBJECTS


def not_said(board: Board) -> tuple[str, ...]:
    """What other tools will not see of a table in this format, in words."""
    left: dict[str, int] = {}
    for piece in board.terrain:
        if not part_of(piece):
            left[piece.kind.id] = left.get(piece.kind.id, 0) + 1
    words = [f"heights and kinds: everything that blocks stands as a wall, {_ROUND}"]
    if left:
        listed = ", ".join(f"{kind} {many}" for kind, many in sorted(left.items()))
        words.append(f"terrain that stops no line by itself: {listed}")
    if board.place is not None:
        words.append("where the table lies on the earth")
    if board.units:
        words.append(f"units: {len(board.units)}")
    if board.smoke:
        words.append(f"smoke: {len(board.smoke)}")
    return tuple(words)


_ROUND = "though from above or from inside one may see past it"


def _rings(piece: Terrain) -> list[tuple[Point, ...]]:
    """The line of a piece, or its rings, each with its first point once more at its end."""
    return [piece.line] if piece.line else [(*ring, ring[0]) for ring in piece.rings]


def _cell(point: Point, depth_in: float, inches_per_cell: float) -> dict[str, float]:
    x, y = point[0] / GRID, depth_in - point[1] / GRID
    return {"x": round(x / inches_per_cell, DIGITS) + 0.0, "y": round(y / inches_per_cell, DIGITS) + 0.0}


def _entry(piece: Terrain, at: Sequence[Sequence[str | int]], rings: Sequence[Sequence[Point]]) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": piece.id, "kind": piece.kind.id, "line": bool(piece.line), "at": at}
    if not at:
        entry["rings"] = [[[x / GRID, y / GRID] for x, y in ring] for ring in rings]
    return entry


def keys_of(piece: Terrain, *, hills: bool) -> dict[str, Any]:
    """The keys of a piece beyond id, kind and shape that its kind takes: level, or storeys, base, material, slope.

    The base is named where the table has `hills` too: a piece may lie across a crest line.
    """
    keys: dict[str, Any] = {}
    if piece.is_crest:
        keys["level"] = piece.level
    if piece.kind.height == "storey":
        keys["storeys"] = piece.storeys
    if (hills or piece.base) and not piece.is_crest:
        keys["base"] = piece.base
    if piece.kind.id in ("building", "rubble"):
        keys["material"] = piece.material
    if piece.slope:
        keys["slope"] = True
    return keys


def blank_png(width: int, height: int) -> bytes:
    """A white picture of a size in pixels.

    >>> blank_png(300, 200)[16:24].hex()
    '0000012c000000c8'
    """
    row = b"\0" + b"\xff" * ((width + 7) // 8)
    packer = zlib.compressobj(9)
    body = b"".join([*(packer.compress(row) for _ in range(height)), packer.flush()])
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
