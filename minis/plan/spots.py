"""Places of a zone where a unit may be set up: a grid of them, and along crest lines, walls, wood edges and windows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from minis.board.board import Board
from minis.board.geometry import Point, bearing, box_of, edges, locate, round_away, sin_cos
from minis.board.terrain import Terrain
from minis.board.units import Unit
from minis.board.zones import Zone
from minis.errors import bad
from minis.lengths import EPSILON_IN, GRID
from minis.toml_file import nearest_of

Vector = tuple[float, float]

BESIDE = 2.0
"""Grid steps to a whole point beside an edge that is not on it."""


def zone_named(board: Board, name: str) -> Zone:
    """The zone with this id; raises BadInput that names those there are."""
    known = {zone.id: zone for zone in board.zones}
    if name not in known:
        raise bad(f"there is no zone {name!r} on this table; {nearest_of(name, known)}", file=board.name)
    return known[name]


def place_unit(unit: Unit, at: Point, facing: float, storey: int | None = None) -> Unit:
    """The same unit with the centre of its base at a place in grid steps, its turret turned along with it.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> moved = place_unit(board.unit("P8"), (8000, 16000), 90.0)
    >>> moved.at, moved.facing, moved.turret, moved.storey
    ((8000, 16000), 90.0, 90.0, None)
    """
    turret = (facing + unit.turret - unit.facing) % 360.0
    return replace(unit, at=at, facing=facing, turret=turret, storey=storey, roof=False)


def spots_in(
    board: Board, zone: Zone, unit: Unit, step_in: float, *, toward: Sequence[Point] | None = None
) -> list[Unit]:
    """A unit at every candidate place of a zone, no place twice: first the grid, then the terrain by id.

    The centre of its base lies in the zone, and no wall, no edge of a building and no base of another unit lies in the
    base. Along crest lines and walls it touches them from behind, at the edge of a wood it touches that from inside; it
    stands on each floor of a building, a gun on the ground floor, a vehicle on none. It faces the nearest of the places
    `toward`, in grid steps: of none given the middles of the lanes of other sides; without those it keeps its facing.
    Raises BadInput for a step that is none.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> zone = Zone("z", ((440000, 64000), (472000, 64000), (472000, 96000), (440000, 96000)))
    >>> [spot.at for spot in spots_in(board, zone, board.unit("P8"), 2.0)]
    [(448000, 72000), (464000, 72000), (448000, 88000), (464000, 88000)]
    """
    if not step_in > 0:
        raise bad(f"expected a step of more than 0 inches, not {step_in:g}")
    goals = _goals(board, unit) if toward is None else tuple(toward)
    others = [other for other in board.units if other.id != unit.id and _is_on_the_ground(board, other)]
    places = _Places(board, zone, unit, goals, step_in * GRID, _Bases(others))
    found: dict[tuple[Point, float, int | None], Unit] = {}
    for spot in places.all():
        found.setdefault((spot.at, spot.facing, spot.storey), spot)
    return list(found.values())


def _goals(board: Board, unit: Unit) -> tuple[Point, ...]:
    """The middle of each lane by which another side may come."""
    return tuple(_middle(lane.line) for lane in board.lanes if lane.side is None or lane.side != unit.side)


def _middle(line: Sequence[Point]) -> Point:
    """The place half way along a line, on the grid."""
    left = sum(math.dist(a, b) for a, b in pairwise(line)) / 2
    for a, b in pairwise(line):
        long = math.dist(a, b)
        if left <= long:
            share = left / long
            return a[0] + round_away((b[0] - a[0]) * share), a[1] + round_away((b[1] - a[1]) * share)
        left -= long
    return line[-1]


def _is_on_the_ground(board: Board, unit: Unit) -> bool:
    """True of units that take room of their own on the table: no passengers."""
    return unit.id not in board.carrier_of


class _Bases:
    """The bases of some units, to be asked which of them lie in another."""

    def __init__(self, units: Sequence[Unit]):
        self.units = [(unit, box_of(unit.base)) for unit in units if not unit.is_point]

    def in_the_way_of(self, board: Board, unit: Unit) -> Iterator[str]:
        """Ids of the units whose base and that of a unit lie in each other, on the same floor (`overlap`)."""
        west, south, east, north = box_of(unit.base)
        for other, (left, low, right, high) in self.units:
            apart = right <= west or left >= east or high <= south or low >= north
            if not apart and overlap(board, unit, other):
                yield other.id


class _Places:
    """The candidate places of one zone for one unit."""

    def __init__(self, board: Board, zone: Zone, unit: Unit, goals: Sequence[Point], step: float, others: _Bases):
        self.board, self.zone, self.unit, self.goals, self.step, self.others = board, zone, unit, goals, step, others

    def all(self) -> Iterator[Unit]:
        """Every candidate, those that cannot stand there left out."""
        for spot in (*self._grid(), *self._by_terrain()):
            if self._may_stand(spot):
                yield spot

    def _may_stand(self, spot: Unit) -> bool:
        board = self.board
        on_table = 0 <= spot.at[0] <= board.width_in * GRID and 0 <= spot.at[1] <= board.depth_in * GRID
        if not on_table or locate(spot.at, [self.zone.ring]) < 0 or pieces_through(board, spot):
            return False
        return next(self.others.in_the_way_of(board, spot), None) is None

    def _grid(self) -> Iterator[Unit]:
        """The middles of the cells that the zone's box is cut into, buildings left out."""
        west, south, east, north = box_of(self.zone.ring)
        houses = [piece for piece in self.board.terrain if _is_house(piece)]
        for y in _middles(south, north, self.step):
            for x in _middles(west, east, self.step):
                if not any(locate((x, y), piece.rings) >= 0 for piece in houses):
                    yield place_unit(self.unit, (x, y), self._facing((x, y)))

    def _by_terrain(self) -> Iterator[Unit]:
        for piece in sorted(self.board.terrain, key=lambda piece: piece.id):
            if self._misses(piece):
                continue
            if _is_house(piece):
                yield from self._windows(piece)
            elif piece.rings and piece.kind.own == "depth":
                yield from self._behind(piece, inside=True)
            elif piece.kind.cover == "touch":
                yield from self._behind(piece, inside=bool(piece.rings))

    def _misses(self, piece: Terrain) -> bool:
        """True where the piece is farther from the zone than a base is long."""
        reach = (self.unit.length_in + self.unit.width_in) * GRID
        (left, low, right, high), (west, south, east, north) = piece.box, box_of(self.zone.ring)
        return left > east + reach or right < west - reach or low > north + reach or high < south - reach

    def _windows(self, piece: Terrain) -> Iterator[Unit]:
        """Inside a building, against its walls, on each floor."""
        if self.unit.is_vehicle:
            return
        floors = range(1 if self.unit.kind.id == "gun" else piece.storeys)
        for spot in self._behind(piece, inside=True):
            yield from (replace(spot, storey=floor) for floor in floors)

    def _behind(self, piece: Terrain, *, inside: bool) -> Iterator[Unit]:
        """Against each stretch of a piece: inside an area; of a line on the side from which the unit faces across."""
        rings = [tuple(edges(ring)) for ring in piece.rings]
        for a, b in (edge for ring in rings for edge in ring) if piece.rings else piece.segments:
            out = _outward(piece, a, b) if inside else None
            for place in _along(a, b, self.step):
                facing, normal = self._across(place, a, b, out)
                spot = self._against(place, facing, normal)
                if not inside or locate(spot.at, piece.rings) > 0:
                    yield spot

    def _across(self, place: Vector, a: Point, b: Point, out: Vector | None) -> tuple[float, Vector]:
        """The facing at a place of a line, and the way across it: out of an area where `out` says which way that is."""
        facing = self._facing((round_away(place[0]), round_away(place[1])))
        ahead = sin_cos(facing)
        normal = out or _left_of(a, b)
        forward = ahead[0] * normal[0] + ahead[1] * normal[1]
        if out is None and forward < 0:
            return facing, (-normal[0], -normal[1])
        if forward > EPSILON_IN:
            return facing, normal
        return math.degrees(math.atan2(normal[0], normal[1])) % 360.0, normal

    def _against(self, place: Vector, facing: float, normal: Vector) -> Unit:
        """The unit with its base just touching, from behind, the line through a place that runs across `normal`."""
        sine, cosine = sin_cos(facing)
        along, across = sine * normal[0] + cosine * normal[1], cosine * normal[0] - sine * normal[1]
        # what touches is a corner or, where the line runs along a side of the base, the middle of that side
        ahead = math.copysign(self.unit.length_in * GRID / 2, along) if abs(along) > EPSILON_IN else 0.0
        right = math.copysign(self.unit.width_in * GRID / 2, across) if abs(across) > EPSILON_IN else 0.0
        x, y = place[0] - ahead * sine - right * cosine, place[1] - ahead * cosine + right * sine
        return place_unit(self.unit, (round_away(x), round_away(y)), facing)

    def _facing(self, at: Point) -> float:
        """Toward the nearest of the goals; of two as near the first."""
        goal = min(self.goals, key=lambda goal: math.dist(goal, at), default=None)
        ahead = bearing(at, goal) if goal is not None else None
        return self.unit.facing if ahead is None else ahead


def _is_house(piece: Terrain) -> bool:
    return piece.kind.height == "storey" and bool(piece.rings)


def _middles(low: int, high: int, step: float) -> Iterator[int]:
    """The middles of the stretches of about a step that a length is cut into, on the grid."""
    count = max(1, math.floor((high - low) / step + EPSILON_IN))
    for k in range(count):
        yield low + round_away((high - low - count * step) / 2 + (k + 0.5) * step)


def _along(a: Point, b: Point, step: float) -> Iterator[Vector]:
    """Places along a stretch, evenly, no farther than a step apart."""
    count = max(1, math.ceil(math.dist(a, b) / step - EPSILON_IN))
    for k in range(count):
        share = (k + 0.5) / count
        yield a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _left_of(a: Point, b: Point) -> Vector:
    """The unit vector across a stretch, to its left."""
    long = math.dist(a, b)
    return (a[1] - b[1]) / long, (b[0] - a[0]) / long


def _outward(piece: Terrain, a: Point, b: Point) -> Vector:
    """The unit vector across an edge of an area, out of it."""
    left = _left_of(a, b)
    middle = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    beside = round_away(middle[0] + BESIDE * left[0]), round_away(middle[1] + BESIDE * left[1])
    return (-left[0], -left[1]) if locate(beside, piece.rings) > 0 else left


# --- what a base may not stand on ------------------------------------------------------------------------------------


def pieces_through(board: Board, unit: Unit) -> tuple[str, ...]:
    """Ids of the walls and other lines, and of the buildings, whose edge goes through a base; touching it is none.

    A base that a line enters by no more than the touch tolerance touches it (S7.6). Crest lines, woods and roads go
    through bases as they will. One upstairs is measured like one on the ground.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> pieces_through(board, place_unit(board.unit("P1"), (22 * 8000, 19 * 8000), 90.0))
    ('wall',)
    >>> pieces_through(board, board.unit("T3"))  # its front touches the wall
    ()
    """
    import shapely

    if unit.is_point:
        return ()
    box = box_of(unit.base)
    pieces = [p for p in board.terrain if _stands_in_the_way(p) and _meet(p.box, box)]
    if not pieces:
        return ()
    inner = shapely.Polygon(unit.base).buffer(-board.rules.switch_number("touch_tolerance") * GRID, join_style="mitre")
    lines = [shapely.MultiLineString([list(s) for s in piece.segments]) for piece in pieces]
    return tuple(sorted(p.id for p, line in zip(pieces, lines, strict=True) if shapely.intersects(inner, line)))


def _stands_in_the_way(piece: Terrain) -> bool:
    return _is_house(piece) or (bool(piece.line) and not piece.is_crest)


def _meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def overlap(board: Board, one: Unit, other: Unit) -> bool:
    """True where two bases lie in each other by more than the touch tolerance, on the same floor (S7.6)."""
    import shapely

    floors = [(unit.storey or 0, unit.roof) for unit in (one, other)]
    if one.is_point or other.is_point or floors[0] != floors[1]:
        return False
    shrink = -board.rules.switch_number("touch_tolerance") * GRID / 2
    areas = [shapely.Polygon(unit.base).buffer(shrink, join_style="mitre") for unit in (one, other)]
    return bool(shapely.intersects(*areas))
