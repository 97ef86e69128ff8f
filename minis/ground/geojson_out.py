"""Write a table's terrain as GeoJSON: in table inches, or in longitude and latitude where the table has a place."""

from __future__ import annotations

import json
from typing import Any

from minis.board.board import Board
from minis.board.geojson import MARK
from minis.board.geometry import Ring, side
from minis.board.terrain import Terrain
from minis.errors import bad
from minis.ground.place_mark import mark_of
from minis.ground.project import Projection
from minis.lengths import to_inches

DECIMALS = {"inches": 6, "degrees": 9}
"""Decimals of a coordinate: a step of the 1/8000" grid, and a tenth of a millimetre of the ground."""


def geojson_of(board: Board, *, degrees: bool = False) -> str:
    """The terrain of a table as a GeoJSON FeatureCollection, a feature a line.

    The properties of a feature are the keys of [[terrain]]; the member `minis` says that the numbers are inches or
    degrees, and how the table lies. Raises BadInput where degrees are asked of a table without a place.
    """
    if degrees and board.place is None:
        raise bad("the table has no place on the earth: [table.place] is missing", file=board.name)
    ground = Projection(board.place, board.width_in, board.depth_in) if degrees and board.place else None
    units = "degrees" if degrees else "inches"
    mark: dict[str, Any] = {"units": units, "title": board.title, "width": board.width_in, "depth": board.depth_in}
    if board.place is not None:
        mark |= {key: value for key, value in mark_of(board.place).items() if key != "credit"}  # it is the attribution
    head = {"type": "FeatureCollection", MARK: mark}
    if board.place is not None and board.place.credit:
        head["attribution"] = board.place.credit
    flat = not board.crests
    features = [json.dumps(_feature(piece, ground, flat), ensure_ascii=False) for piece in board.terrain]
    inside = ",\n".join(features)
    return json.dumps(head, ensure_ascii=False)[:-1] + ', "features": [\n' + inside + "\n]}\n"


def _feature(piece: Terrain, ground: Projection | None, flat: bool) -> dict[str, Any]:
    keys: dict[str, Any] = {"id": piece.id, "kind": piece.kind.id}
    if piece.kind.has_level:
        keys["level"] = piece.level
    elif piece.base or not flat:
        keys["base"] = piece.base
    if piece.kind.height == "storey":
        keys["storeys"] = piece.storeys
    if piece.material != "wooden":
        keys["material"] = piece.material
    if piece.slope:
        keys["slope"] = True
    if piece.line:
        shape: dict[str, Any] = {"type": "LineString", "coordinates": _places(piece.line, ground)}
    else:
        turned = [_turned(ring, outer=index == 0) for index, ring in enumerate(piece.rings)]
        shape = {"type": "Polygon", "coordinates": [_places((*ring, ring[0]), ground) for ring in turned]}
    return {"type": "Feature", "id": piece.id, "properties": keys, "geometry": shape}


def _turned(ring: Ring, *, outer: bool) -> Ring:
    """A ring as RFC 7946 wants it: the outer one against the clock, holes with it."""
    twice = sum(side((0, 0), a, b) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))
    return ring if (twice > 0) == outer else ring[::-1]


def _places(points: Ring, ground: Projection | None) -> list[list[float]]:
    inches = [(to_inches(x), to_inches(y)) for x, y in points]
    if ground is None:
        return [[round(x, DECIMALS["inches"]), round(y, DECIMALS["inches"])] for x, y in inches]
    lon, lat = ground.to_ground([x for x, _ in inches], [y for _, y in inches])
    places = zip(lon.tolist(), lat.tolist(), strict=True)
    return [[round(east, DECIMALS["degrees"]), round(north, DECIMALS["degrees"])] for east, north in places]
