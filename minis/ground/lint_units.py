"""What may not be meant of units: bases in walls, hidden units outside their zones, dummies, zones and lanes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import shapely

from minis.board.board import Board
from minis.board.geometry import locate
from minis.ground.lint_finding import Finding
from minis.lengths import to_grid
from minis.plan.setup_check import bases, dummies_alone, passengers


def unit_findings(board: Board, without_tokens: Iterable[str]) -> list[Finding]:
    """Everything that may not be meant of the units of a table; `without_tokens` are dummies that name no token."""
    return [
        *_bases(board),
        *_vehicles_in_houses(board),
        *_hidden_outside(board),
        *_dummies(board, without_tokens),
        *_passengers(board),
        *_zones(board),
    ]


def _bases(board: Board) -> Iterator[Finding]:
    standing = [unit for unit in board.units if not unit.wreck]
    for one in bases(board, standing):
        yield Finding("base", one.unit, one.why, one.rule, key="at")


def _vehicles_in_houses(board: Board) -> Iterator[Finding]:
    houses = [piece for piece in board.terrain if piece.kind.height == "storey" and piece.rings]
    for unit in board.units:
        if not unit.is_vehicle or unit.wreck or unit.dummy or unit.id in board.carrier_of:
            continue
        for house in houses:
            if locate(unit.at, house.rings) > 0:
                yield Finding("base", unit.id, f"a vehicle inside of {house.id}, a building", remark=True, key="at")


def _hidden_outside(board: Board) -> Iterator[Finding]:
    """A hidden unit in no zone of its side, where that has zones."""
    for unit in board.units:
        zones = [zone for zone in board.zones if zone.side in (None, unit.side)]
        if not unit.hidden or unit.id in board.carrier_of or not zones:
            continue
        if not any(locate(unit.at, [zone.ring]) >= 0 for zone in zones):
            names = ", ".join(zone.id for zone in zones[:6])
            yield Finding("zone", unit.id, f"is hidden, and in no zone of {unit.side}: {names}", key="at")


def _dummies(board: Board, without_tokens: Iterable[str]) -> Iterator[Finding]:
    """Dummies alone or too many (S11.2), and those whose id would be laid on the table."""
    for side in board.sides:
        own = [unit for unit in board.units if unit.side == side and not unit.wreck]
        dummies = [unit for unit in own if unit.dummy]
        for one in dummies_alone(board, side, own):
            yield Finding("dummy", one.unit or dummies[0].id, one.why, one.rule, key="dummy")
    for name in without_tokens:
        why = "names no token, so its id is what stands on the table: does it tell that it is a dummy?"
        yield Finding("dummy", name, why, "S11.2", remark=True, key="dummy")


def _passengers(board: Board) -> Iterator[Finding]:
    for one in passengers(board, board.units):
        yield Finding("passenger", one.unit, one.why, one.rule, key="at")


def _zones(board: Board) -> Iterator[Finding]:
    """Zones in which there is no room, and zones off the table."""
    table = shapely.box(0, 0, to_grid(board.width_in), to_grid(board.depth_in))
    for zone in board.zones:
        if not shapely.intersects(table, shapely.Polygon(zone.ring)):
            yield Finding("off-table", zone.id, "lies off the table: no unit can set up in it")
    for cloud in board.smoke:
        if not shapely.intersects(table, shapely.Polygon(cloud.ring)):
            yield Finding("off-table", cloud.id, "lies off the table: nobody looks through it")
