"""An independent brute-force twin of the line-of-sight verdict, written from the rules alone (S5 to S7, S9).

Everything lies on a grid of 1/8000 inch. Whether two things touch is decided with shapely predicates on
whole numbers or with exact fractions; only the lengths of shadows, woods depths and distances between bases
are floats, compared with a tolerance of one millionth of an inch. Nothing here is fast and nothing is shared
with the program. All switches (S14) stand at their defaults; smoke never stops a line.

A line is walked from the viewer (the higher end) at t = 0 to the lower end at t = 1. A "stretch" is a
maximal closed interval of t in which the line has contact with a closed set; a single point of contact is a
stretch of length 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

GRID = 8000  # units of the grid in an inch
TOUCH = 500  # 1/16", S7.6
LENGTH_TOLERANCE = 1e-6  # inches
WOODS_DEPTH = 1.0  # inches, S6.10
WOODS_RANGE = 3.0  # inches, S6.10
HULL_DOWN_DEPTH = {"1/76": 1.0, "1/285": 0.25}  # inches, S9.2
FRONT_SAMPLES = 256  # points looked at along a front edge, both corners included
CIRCLE_CORNERS = 64

SIZES = ("very small", "small", "average", "large", "very large")
BASES: dict[str, list[float]] = {"vehicle": [2, 1], "gun": [1, 1], "infantry": [1, 1]}
HEIGHTS = {"woods": Fraction(2), "orchard": Fraction(1), "rubble": Fraction(1, 2), "bocage": Fraction(1)}
HILL_KINDS = {"hill"}
LINE_KINDS = {"ridge", "bocage"}
AREA_KINDS = {"woods", "building", "rubble", "orchard"}
SEE_THROUGH_KINDS = {
    "wall",
    "hedge",
    "roadblock",
    "brush",
    "grain",
    "marsh",
    "road",
    "cliff",
    "gully",
    "entrenchment",
    "shellholes",
    "open",
}
HARMLESS_SWITCHES = {"tape_tolerance"}

Number = int | Fraction
InchPoint = tuple[float, float]
GridPoint = tuple[int, int]
AnyPoint = tuple[Number, Number]
Edge = tuple[GridPoint, GridPoint]
Stretch = tuple[Fraction, Fraction]
Stop = tuple[str, str]  # id of the obstacle, rule number


# -------------------- plain geometry


def half_away(value: float | Fraction) -> int:
    """Round to the nearest whole number, halves away from zero."""
    size = math.floor(abs(Fraction(value)) + Fraction(1, 2))
    return -size if value < 0 else size


def to_grid(xy: Iterable[float]) -> GridPoint:
    """Return a point in inches as a point of the grid."""
    x, y = xy
    return half_away(x * GRID), half_away(y * GRID)


def minus(p: AnyPoint, q: AnyPoint) -> AnyPoint:
    """Return the vector from q to p."""
    return p[0] - q[0], p[1] - q[1]


def dot(a: AnyPoint, b: AnyPoint) -> Number:
    """Return the scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1]


def cross(a: AnyPoint, b: AnyPoint) -> Number:
    """Return the cross product of two vectors."""
    return a[0] * b[1] - a[1] * b[0]


def along(p: GridPoint, q: GridPoint, t: Fraction) -> AnyPoint:
    """Return the point at the fraction t of the way from p to q."""
    return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t


def nearest_on_edge(point: AnyPoint, edge: Edge) -> AnyPoint:
    """Return the point of an edge that is nearest to a point, exactly."""
    start, end = edge
    run = minus(end, start)
    square = dot(run, run)
    if square == 0:
        return start
    t = Fraction(dot(minus(point, start), run)) / square
    return along(start, end, min(max(t, Fraction(0)), Fraction(1)))


def square_distance(p: AnyPoint, q: AnyPoint) -> Number:
    """Return the square of the distance between two points."""
    return dot(minus(p, q), minus(p, q))


def square_to_edges(point: AnyPoint, edges: list[Edge]) -> Number:
    """Return the square of the distance from a point to the nearest of some edges."""
    return min(square_distance(point, nearest_on_edge(point, edge)) for edge in edges)


def edge_contact(p: GridPoint, q: GridPoint, edge: Edge) -> Stretch | None:
    """Return where the segment from p to q meets an edge, or None if it does not."""
    start, end = edge
    line, run, gap = minus(q, p), minus(end, start), minus(start, p)
    turn = cross(line, run)
    if turn != 0:
        t, s = Fraction(cross(gap, run)) / turn, Fraction(cross(gap, line)) / turn
        return (t, t) if 0 <= t <= 1 and 0 <= s <= 1 else None
    if cross(gap, line) != 0:
        return None
    square = dot(line, line)
    ends = sorted(Fraction(dot(minus(corner, p), line)) / square for corner in edge)
    low, high = max(ends[0], Fraction(0)), min(ends[1], Fraction(1))
    return (low, high) if low <= high else None


def merged(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Join stretches that share a point."""
    result: list[Stretch] = []
    for low, high in sorted(stretches):
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return result


def on_edge(point: AnyPoint, edge: Edge) -> bool:
    """Tell whether a point lies exactly on an edge."""
    from_start, from_end = minus(point, edge[0]), minus(point, edge[1])
    return cross(from_start, from_end) == 0 and dot(from_start, from_end) <= 0


def in_rings(point: AnyPoint, edges: list[Edge]) -> bool:
    """Tell whether the closed area bounded by the edges of some rings covers a point."""
    if any(on_edge(point, edge) for edge in edges):
        return True
    odd = False
    for one, other in edges:
        low, high = sorted((one, other), key=lambda corner: corner[1])
        if low[1] <= point[1] < high[1]:  # a ray to the west meets the edge if the point is east of it
            odd ^= cross(minus(high, low), minus(point, low)) < 0
    return odd


def area_stretches(p: GridPoint, q: GridPoint, edges: list[Edge]) -> list[Stretch]:
    """Return the stretches of the segment from p to q that lie in a closed area."""
    places = {Fraction(0), Fraction(1)}
    for edge in edges:
        places.update(edge_contact(p, q, edge) or ())
    ordered = sorted(places)
    found = [(t, t) for t in ordered if in_rings(along(p, q, t), edges)]
    for low, high in pairwise(ordered):
        if in_rings(along(p, q, (low + high) / 2), edges):
            found.append((low, high))
    return merged(found)


def line_stretches(p: GridPoint, q: GridPoint, edges: list[Edge]) -> list[Stretch]:
    """Return the stretches of the segment from p to q that lie on some edges."""
    return merged(contact for edge in edges if (contact := edge_contact(p, q, edge)))


def real_contacts(stretches: list[Stretch]) -> list[Stretch]:
    """Leave out stretches that are nothing but an end point of the line (S5.3)."""
    return [(low, high) for low, high in stretches if low < high or 0 < low < 1]


def ring_edges(ring: list[GridPoint]) -> list[Edge]:
    """Return the edges of a closed ring given by its corners, first corner not repeated."""
    return list(zip(ring, ring[1:] + ring[:1], strict=True))


# -------------------- terrain and units


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of terrain on the grid."""

    id: str
    kind: str
    data: dict[str, Any]
    edges: list[Edge]
    shape: BaseGeometry


@dataclass(frozen=True, eq=False)
class Unit:
    """A unit on the grid; corners are front left, front right, rear right, rear left, or the centre alone."""

    id: str
    kind: str
    data: dict[str, Any]
    centre: GridPoint
    corners: list[GridPoint]
    shape: BaseGeometry

    @property
    def edges(self) -> list[Edge]:
        """Return the edges of the base."""
        return ring_edges(self.corners)

    @property
    def is_point(self) -> bool:
        """Tell whether the unit has a base of 0."""
        return len(self.corners) == 1

    @property
    def front_middle(self) -> AnyPoint:
        """Return the middle of the front edge."""
        return self.centre if self.is_point else along(self.corners[0], self.corners[1], Fraction(1, 2))

    @property
    def rear_middle(self) -> AnyPoint:
        """Return the middle of the rear edge."""
        return self.centre if self.is_point else along(self.corners[2], self.corners[3], Fraction(1, 2))

    def square_to(self, point: AnyPoint) -> Number:
        """Return the square of the distance from the base to a point."""
        return 0 if in_rings(point, self.edges) else square_to_edges(point, self.edges)

    def touches_point(self, point: AnyPoint) -> bool:
        """Tell whether a point is within the touch tolerance of the base (S7.6)."""
        return self.square_to(point) <= TOUCH**2

    def touches_edge(self, edge: Edge) -> bool:
        """Tell whether an edge comes within the touch tolerance of the base (S7.6)."""
        if self.shape.intersects(LineString(edge)):
            return True
        ends = min(self.square_to(end) for end in edge)
        return min(ends, *(square_to_edges(corner, [edge]) for corner in self.corners)) <= TOUCH**2


def read_rings(data: dict[str, Any]) -> list[list[GridPoint]]:
    """Return the rings of an area given as box, outline with holes, or circle."""
    if "box" in data:
        (x0, y0), (x1, y1) = to_grid(data["box"][:2]), to_grid(data["box"][2:])
        return [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]
    if "circle" in data:
        x, y = to_grid(data["circle"]["centre"])
        radius = data["circle"]["radius"] * GRID
        turns = [2 * math.pi * k / CIRCLE_CORNERS for k in range(CIRCLE_CORNERS)]
        return [[(x + half_away(radius * math.cos(a)), y + half_away(radius * math.sin(a))) for a in turns]]
    rings = [data["outline"], *data.get("holes", [])]
    return [without_repeat([to_grid(xy) for xy in ring]) for ring in rings]


def without_repeat(ring: list[GridPoint]) -> list[GridPoint]:
    """Drop a last corner that repeats the first."""
    return ring[:-1] if len(ring) > 1 and ring[0] == ring[-1] else ring


def read_piece(data: dict[str, Any]) -> Piece:
    """Return a piece of terrain that can matter to a line."""
    kind = data["kind"]
    if kind in LINE_KINDS:
        points = [to_grid(xy) for xy in data["line"]]
        return Piece(data["id"], kind, data, list(pairwise(points)), LineString(points))
    rings = read_rings(data)
    edges = [edge for ring in rings for edge in ring_edges(ring)]
    return Piece(data["id"], kind, data, edges, Polygon(rings[0], rings[1:]))


def heading(facing: float) -> tuple[float, float]:
    """Return the unit vector of a bearing, exact for the four main ones."""
    main = {0: (0.0, 1.0), 90: (1.0, 0.0), 180: (0.0, -1.0), 270: (-1.0, 0.0)}
    turn = facing % 360
    return main[int(turn)] if turn in main else (math.sin(math.radians(turn)), math.cos(math.radians(turn)))


def read_unit(data: dict[str, Any]) -> Unit:
    """Return a unit from its data, its type already merged."""
    kind = data["kind"]
    base = data.get("base", BASES[kind])
    length, width = (base, base) if isinstance(base, int | float) else base
    centre = to_grid(data["at"])
    if length == 0 and width == 0:
        return Unit(data["id"], kind, data, centre, [centre], Point(centre))
    east, north = heading(data.get("facing", 0))
    corners = []
    for ahead, right in ((0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)):
        forward, side = ahead * length * GRID, right * width * GRID
        offset = (half_away(forward * east + side * north), half_away(forward * north - side * east))
        corners.append((centre[0] + offset[0], centre[1] + offset[1]))
    return Unit(data["id"], kind, data, centre, corners, Polygon(corners))


# -------------------- the line


@dataclass(frozen=True, eq=False)
class Sight:
    """One line between two points of two units, from the viewer at t = 0 to the lower end at t = 1."""

    viewer: Unit
    lower: Unit
    start: GridPoint
    end: GridPoint
    viewer_level: int
    lower_level: int
    endless: bool  # the viewer stands on a one-storey roof: S6.8

    @property
    def inches(self) -> float:
        """Return the length of the line in inches."""
        return math.dist(self.start, self.end) / GRID

    @property
    def ends(self) -> tuple[tuple[Unit, Fraction], tuple[Unit, Fraction]]:
        """Return the two units, each with its place on the line."""
        return (self.viewer, Fraction(0)), (self.lower, Fraction(1))

    def at(self, t: Fraction) -> AnyPoint:
        """Return a point of the line."""
        return along(self.start, self.end, t)

    def meets(self, piece: Piece) -> bool:
        """Tell whether the line touches a piece of terrain at all."""
        return bool(LineString([self.start, self.end]).intersects(piece.shape))

    def hidden_beyond(self, t: Fraction, length: float) -> bool:
        """Tell whether the lower end is inside a shadow that begins at t (S6.3, S6.8)."""
        return self.endless or float(1 - t) * self.inches <= length + LENGTH_TOLERANCE


def shadow_length(height: Fraction) -> float:
    """Return the length of the shadow for a viewer so many levels above a top (S6.2)."""
    return 6.0 if height < 2 else 3.0


def stopped_by_top(sight: Sight, top: Fraction, contacts: list[Stretch]) -> bool:
    """Tell whether contacts with an ordinary obstacle of a known top stop the line (S6.2, S6.4)."""
    if top <= sight.lower_level and top < sight.viewer_level:
        return False
    height = sight.viewer_level - top
    if height <= 0:
        return bool(contacts)
    return any(sight.hidden_beyond(high, shadow_length(height)) for _, high in contacts)


class Twin:
    """The verdicts of one scenario."""

    def __init__(self, doc: dict[str, Any]) -> None:
        """Read the parsed TOML of a scenario."""
        unknown = set(doc.get("switches", {})) - HARMLESS_SWITCHES
        if unknown:
            raise ValueError(f"the twin knows only the default switches, not {sorted(unknown)}")
        self.depth = HULL_DOWN_DEPTH[doc.get("table", {}).get("figure_scale", "1/76")]
        self.known_on: dict[tuple[str, str], bool] = {}  # answers of is_on, by unit and hill
        self.pieces: list[Piece] = []
        for data in doc.get("terrain", []):
            if data["kind"] in HILL_KINDS | LINE_KINDS | AREA_KINDS:
                self.pieces.append(read_piece(data))
            elif data["kind"] not in SEE_THROUGH_KINDS:
                raise ValueError(f"the twin does not know the kind {data['kind']!r}")
        types = doc.get("types", {})
        self.units: dict[str, Unit] = {}
        for data in doc.get("unit", []):
            self.units[data["id"]] = read_unit({**types.get(data.get("type"), {}), **data})

    # -------------------- where a unit stands

    def of_kind(self, *kinds: str) -> list[Piece]:
        """Return the pieces of some kinds."""
        return [piece for piece in self.pieces if piece.kind in kinds]

    def inside(self, unit: Unit, piece: Piece) -> bool:
        """Tell whether the centre of a unit lies strictly inside an area."""
        return bool(piece.shape.contains(Point(unit.centre)))

    def hull_down_over(self, unit: Unit, hill: Piece) -> bool:
        """Tell whether a vehicle is hull down (I) at the rim of a hill (S9.2, S9.3)."""
        if unit.kind != "vehicle" or unit.is_point or not in_rings(unit.rear_middle, hill.edges):
            return False
        left, right = unit.corners[0], unit.corners[1]
        past: Number = 0
        for step in range(FRONT_SAMPLES + 1):
            point = along(left, right, Fraction(step, FRONT_SAMPLES))
            if not in_rings(point, hill.edges):
                past = max(past, square_to_edges(point, hill.edges))
        return past > TOUCH**2 and math.sqrt(past) / GRID <= self.depth + LENGTH_TOLERANCE

    def is_on(self, unit: Unit, hill: Piece) -> bool:
        """Tell whether a unit is on a hill (S7.7, S9.3)."""
        pair = (unit.id, hill.id)
        if pair not in self.known_on:
            covered = bool(hill.shape.covers(Point(unit.centre)))
            self.known_on[pair] = covered or self.hull_down_over(unit, hill)
        return self.known_on[pair]

    def ground(self, unit: Unit) -> int:
        """Return the level of the ground a unit stands on."""
        return max((hill.data["level"] for hill in self.of_kind("hill") if self.is_on(unit, hill)), default=0)

    def house_storeys(self, unit: Unit) -> int:
        """Return the storeys of the building a unit is in, 0 if it is in none."""
        houses = [house for house in self.of_kind("building") if self.inside(unit, house)]
        return max((house.data.get("storeys", 1) for house in houses), default=0)

    def storey(self, unit: Unit) -> int:
        """Return the storey a unit stands on, the roof being the number of storeys."""
        if unit.data.get("roof", False):
            return self.house_storeys(unit)
        return int(unit.data.get("storey", 0))

    def on_low_roof(self, unit: Unit) -> bool:
        """Tell whether a unit stands on the roof of a one-storey building (S6.8)."""
        return self.house_storeys(unit) == 1 and self.storey(unit) == 1

    def level(self, unit_id: str) -> int:
        """Return the level of a unit; one with a storey stands on its building's ground, not on the hill below it."""
        unit = self.units[unit_id]
        houses = [house for house in self.of_kind("building") if self.inside(unit, house)]
        if houses and ("storey" in unit.data or unit.data.get("roof", False)):
            house = max(houses, key=lambda house: (house.data.get("storeys", 1), house.id))
            return int(self.top(house)) - int(house.data.get("storeys", 1)) + self.storey(unit)
        return self.ground(unit) + self.storey(unit)

    def crest_point(self, unit: Unit, crest: Piece) -> GridPoint:
        """Return the point of a crest line nearest to the centre of a base, on the grid."""
        places = [nearest_on_edge(unit.centre, edge) for edge in crest.edges]
        front = unit.front_middle
        best = min(places, key=lambda p: (square_distance(p, unit.centre), square_distance(p, front)))
        dx, dy = minus(best, unit.centre)
        return unit.centre[0] + half_away(Fraction(dx)), unit.centre[1] + half_away(Fraction(dy))

    def grid_points(self, unit: Unit) -> list[GridPoint]:
        """Return the sight points of a unit on the grid (S5.1)."""
        crests = self.of_kind("ridge") + [hill for hill in self.of_kind("hill") if self.is_on(unit, hill)]
        touched = [crest for crest in crests if any(unit.touches_edge(edge) for edge in crest.edges)]
        every = [unit.centre, *unit.corners, *(self.crest_point(unit, crest) for crest in touched)]
        return list(dict.fromkeys(every))

    def points(self, unit_id: str) -> list[InchPoint]:
        """Return the sight points of a unit in inches."""
        return [(x / GRID, y / GRID) for x, y in self.grid_points(self.units[unit_id])]

    # -------------------- the verdicts

    def clear(self, a: str, b: str) -> bool:
        """Tell whether there is a line of sight between two units."""
        pairs = product(self.points(a), self.points(b))
        return any(self.line_clear(a, b, pa, pb)[0] for pa, pb in pairs)

    def explain(self, a: str, b: str) -> list[str]:
        """Return the reason for every pair of sight points."""
        lines = [f"{a} level {self.level(a)}, {b} level {self.level(b)}"]
        for pa, pb in product(self.points(a), self.points(b)):
            seen, why = self.line_clear(a, b, pa, pb)
            lines.append(f"{pa} -> {pb}: {'clear' if seen else 'stopped by ' + why}")
        return lines

    def line_clear(self, a: str, b: str, pa: InchPoint, pb: InchPoint) -> tuple[bool, str]:
        """Tell whether one line is clear, and if not which obstacle stops it by which rule."""
        start, end = to_grid(pa), to_grid(pb)
        if start == end:
            return True, ""
        ends = [(self.units[a], start, self.level(a)), (self.units[b], end, self.level(b))]
        (viewer, start, high), (lower, end, low) = sorted(ends, key=lambda one: -one[2])
        sight = Sight(viewer, lower, start, end, high, low, self.on_low_roof(viewer))
        stop = self.first_stop(sight)
        return (True, "") if stop is None else (False, " ".join(stop))

    def first_stop(self, sight: Sight) -> Stop | None:
        """Return the first obstacle found that stops a line."""
        judges = {
            "hill": self.hill_rule,
            "ridge": self.ridge_rule,
            "bocage": self.bocage_rule,
            "woods": self.woods_rule,
            "building": self.building_rule,
            "rubble": self.open_area_rule,
            "orchard": self.open_area_rule,
        }
        for piece in self.pieces:
            rule = judges[piece.kind](sight, piece) if sight.meets(piece) else None
            if rule is not None:
                return piece.id, rule
        for unit in self.units.values():
            if self.obstructs(sight, unit) and self.vehicle_stops(sight, unit):
                return unit.id, "S6.5"
        return None

    # -------------------- area obstacles

    def top(self, piece: Piece) -> Fraction:
        """Return the top of an obstacle: the ground it stands on and its height (S6.1)."""
        height = Fraction(piece.data.get("storeys", 1)) if piece.kind == "building" else HEIGHTS[piece.kind]
        if "base" in piece.data:
            return Fraction(piece.data["base"]) + height
        under = [hill.data["level"] for hill in self.of_kind("hill") if hill.shape.covers(piece.shape)]
        return max(under, default=0) + height

    def ordinary(self, sight: Sight, piece: Piece, stretches: list[Stretch]) -> str | None:
        """Judge stretches of contact with an ordinary obstacle."""
        return "S6.2" if stopped_by_top(sight, self.top(piece), real_contacts(stretches)) else None

    def own_stretches(self, sight: Sight, piece: Piece, stretches: list[Stretch]) -> list[Stretch]:
        """Return the stretches that begin at the end point of a unit inside the piece."""
        inner = [t for unit, t in sight.ends if self.inside(unit, piece)]
        return [stretch for stretch in stretches if any(t in stretch for t in inner)]

    def building_rule(self, sight: Sight, house: Piece) -> str | None:
        """Judge a building: none to its own occupants (S6.10)."""
        if any(self.inside(unit, house) for unit, _ in sight.ends):
            return None
        return self.ordinary(sight, house, area_stretches(sight.start, sight.end, house.edges))

    def open_area_rule(self, sight: Sight, piece: Piece) -> str | None:
        """Judge rubble or an orchard: the own stretch is no obstacle."""
        stretches = area_stretches(sight.start, sight.end, piece.edges)
        own = self.own_stretches(sight, piece, stretches)
        return self.ordinary(sight, piece, [stretch for stretch in stretches if stretch not in own])

    def woods_rule(self, sight: Sight, wood: Piece) -> str | None:
        """Judge a wood: within 1" of its edge one sees out, within 3" one sees another in it (S6.10)."""
        together = all(self.inside(unit, wood) for unit, _ in sight.ends)
        if together:
            apart = float(sight.viewer.shape.distance(sight.lower.shape)) / GRID
            if apart <= WOODS_RANGE + LENGTH_TOLERANCE:
                return None
        stretches = area_stretches(sight.start, sight.end, wood.edges)
        own = self.own_stretches(sight, wood, stretches)
        for low, high in own:
            whole = together and low == 0 and high == 1
            if whole or float(high - low) * sight.inches > WOODS_DEPTH + LENGTH_TOLERANCE:
                return "S6.10"
        return self.ordinary(sight, wood, [stretch for stretch in stretches if stretch not in own])

    def bocage_rule(self, sight: Sight, bocage: Piece) -> str | None:
        """Judge a bocage: the straight segments that an end touches are ignored (S6.1)."""
        ends = (sight.viewer, sight.lower)
        counted = [edge for edge in bocage.edges if not any(unit.touches_edge(edge) for unit in ends)]
        return self.ordinary(sight, bocage, line_stretches(sight.start, sight.end, counted))

    # -------------------- hills and ridges

    def hill_rule(self, sight: Sight, hill: Piece) -> str | None:
        """Judge a contour (S7.2, S7.3, S7.5)."""
        level = hill.data["level"]
        on = [(unit, t) for unit, t in sight.ends if self.is_on(unit, hill)]
        stretches = area_stretches(sight.start, sight.end, hill.edges)
        if not on:
            stopped = stopped_by_top(sight, Fraction(level), real_contacts(stretches))
            return "S7.3" if stopped else None
        if sight.viewer_level > level and sight.lower_level >= level:
            return None
        # A place at the very end of the line is no crossing of the rim …
        entering = [low for low, _ in stretches if 0 < low < 1]
        leaving = [high for _, high in stretches if 0 < high < 1]
        # … but where an end beside the hill has its point on the rim, reached through the hill, it is one.
        for unit, t in sight.ends:
            beside = all(unit is not other for other, _ in on)
            at_rim = any(on_edge(sight.at(t), edge) for edge in hill.edges)
            if beside and at_rim and any(low < high and t in (low, high) for low, high in stretches):
                (leaving if t == 1 else entering).append(t)
        entering = [t for t in entering if not any(unit.touches_point(sight.at(t)) for unit, _ in on)]
        leaving = [t for t in leaving if not any(unit.touches_point(sight.at(t)) for unit, _ in on)]
        if sight.viewer_level <= level:
            return "S7.2" if entering or leaving else None
        if hill.data.get("slope", False):
            return None
        length = shadow_length(Fraction(sight.viewer_level - level))
        return "S7.3" if any(sight.hidden_beyond(t, length) for t in leaving) else None

    def ridge_rule(self, sight: Sight, ridge: Piece) -> str | None:
        """Judge a free crest line (S7.4)."""
        level = ridge.data["level"]
        stretches = real_contacts(line_stretches(sight.start, sight.end, ridge.edges))
        remaining = [stretch for stretch in stretches if not self.touched(sight, stretch)]
        if sight.viewer_level <= level:
            return "S7.4" if remaining else None
        if sight.lower_level >= level:
            return None
        length = shadow_length(Fraction(sight.viewer_level - level))
        return "S7.4" if any(sight.hidden_beyond(high, length) for _, high in remaining) else None

    def touched(self, sight: Sight, stretch: Stretch) -> bool:
        """Tell whether the base of either end touches a stretch of the line (S7.6)."""
        whole = minus(sight.end, sight.start)
        for unit, _ in sight.ends:
            # The nearest place: an end of the stretch, the foot of a corner, or a crossing of an edge.
            places = list(stretch)
            for corner in unit.corners:
                places.append(Fraction(dot(minus(corner, sight.start), whole)) / dot(whole, whole))
            for edge in unit.edges:
                places.extend(edge_contact(sight.start, sight.end, edge) or ())
            if any(unit.touches_point(sight.at(t)) for t in places if stretch[0] <= t <= stretch[1]):
                return True
        return False

    # -------------------- vehicles

    def linked(self, one: Unit, other: Unit) -> bool:
        """Tell whether one unit tows or carries the other, either way round."""
        for upper, under in ((one, other), (other, one)):
            if upper.data.get("tow") == under.id or under.id in upper.data.get("carries", []):
                return True
        return False

    def obstructs(self, sight: Sight, unit: Unit) -> bool:
        """Tell whether a unit can be in the way of a line (S6.6, S6.7)."""
        if unit.kind != "vehicle" or unit.is_point or unit.data.get("dummy") or unit.data.get("hidden"):
            return False
        if any(unit.id in other.data.get("carries", []) for other in self.units.values()):
            return False
        return not any(unit is end or self.linked(unit, end) for end, _ in sight.ends)

    def vehicle_stops(self, sight: Sight, unit: Unit) -> bool:
        """Tell whether a vehicle in the way stops a line (S6.5)."""
        if not LineString([sight.start, sight.end]).intersects(unit.shape):
            return False
        contacts = real_contacts(area_stretches(sight.start, sight.end, unit.edges))
        top = self.ground(unit) + Fraction(1, 2)
        if not contacts or (top <= sight.lower_level and top < sight.viewer_level):
            return False
        height = sight.viewer_level - top
        if height <= 0:
            return True
        smaller = self.size(unit) - self.size(sight.lower)
        if sight.endless:  # S6.8: from a one-storey roof every obstruction blocks
            return True
        if smaller >= (2 if height <= Fraction(3, 2) else 3):
            return True
        if height > Fraction(3, 2):
            return False
        length = 3.0 if height == Fraction(1, 2) else 2.0
        return any(sight.hidden_beyond(high, length) for _, high in contacts)

    def size(self, unit: Unit) -> int:
        """Return the size category of a unit as a number; infantry counts as very small (S6.5)."""
        return 0 if unit.kind == "infantry" else SIZES.index(unit.data.get("size", "average"))
