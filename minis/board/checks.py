"""What must be true of a scenario beyond its grammar: plain functions, all run, all mistakes told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from minis.board.geometry import Point, Ring, base_to_base, box_of, locate
from minis.board.schema import TableEntry
from minis.board.terrain import Smoke, Terrain
from minis.board.units import Unit
from minis.board.zones import Lane, Zone
from minis.errors import Mistake
from minis.lengths import EPSILON_IN, GRID, format_length, format_number, to_grid
from minis.rules.model import Rules
from minis.toml_file import Document, PathKey, nearest_of


@dataclass(frozen=True)
class Outline:
    """The rings of an area as somebody wrote them, with the key and the place where they stand."""

    id: str
    key: str
    rings: tuple[Ring, ...]
    at: PathKey
    document: Document


@dataclass
class Draft:
    """A scenario while it is read: its pieces by id, and where each stands in which file.

    `named` are the ids of all units of the file and `spots` where they stand, `outlines` all areas: of entries with
    mistakes too. `missing_building` is true where a building may be left out for its mistakes.
    """

    document: Document
    rules: Rules
    table: TableEntry | None
    terrain: dict[str, Terrain] = field(default_factory=dict)
    smoke: dict[str, Smoke] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    lanes: dict[str, Lane] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    places: dict[str, tuple[PathKey, Document]] = field(default_factory=dict)
    own_base: set[str] = field(default_factory=set)
    repeated: list[Mistake] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    spots: list[tuple[str, Point, PathKey]] = field(default_factory=list)
    outlines: list[Outline] = field(default_factory=list)
    missing_building: bool = False

    def add_terrain(self, piece: Terrain, at: PathKey, document: Document, *, names_base: bool) -> None:
        """Take in a piece of terrain."""
        if self._new(piece.id, at, document):
            self.terrain[piece.id] = piece
            if names_base:
                self.own_base.add(piece.id)

    def add_smoke(self, cloud: Smoke, at: PathKey) -> None:
        """Take in a cloud."""
        if self._new(cloud.id, at, self.document):
            self.smoke[cloud.id] = cloud

    def add_zone(self, zone: Zone, at: PathKey) -> None:
        """Take in a zone."""
        if self._new(zone.id, at, self.document):
            self.zones[zone.id] = zone

    def add_lane(self, lane: Lane, at: PathKey) -> None:
        """Take in a lane."""
        if self._new(lane.id, at, self.document):
            self.lanes[lane.id] = lane

    def add_unit(self, unit: Unit, at: PathKey) -> None:
        """Take in a unit; one whose id is taken is still checked, under a name of its own."""
        new = self._new(unit.id, at, self.document)
        name = unit.id if new else f"{unit.id}\0{len(self.units)}"
        self.units[name] = unit
        self.places.setdefault(name, (at, self.document))

    def _new(self, name: str, at: PathKey, document: Document) -> bool:
        if name in self.places:
            first, where = self.places[name]
            line = where.mistake(first, "").line
            message = f"the id {name!r} is taken" + (f", by line {line}" if line else "")
            self.repeated.append(document.mistake((*at, "id"), message, id=name))
            return False
        self.places[name] = (at, document)
        return True

    def mistake(self, name: str, key: str, message: str) -> Mistake:
        """A mistake of a piece, placed at one of its keys."""
        at, document = self.places[name]
        return document.mistake((*at, key), message, id=name.split("\0")[0])


def mistakes_of(draft: Draft) -> list[Mistake]:
    """Every mistake that every check finds."""
    return draft.repeated + [mistake for check in CHECKS for mistake in check(draft)]


# --- terrain -------------------------------------------------------------------------------------------------------


def _areas_are_valid(draft: Draft) -> Iterator[Mistake]:
    """No outline crosses or touches itself, no hole lies outside."""
    import numpy as np
    import shapely

    polygons = [shapely.Polygon(outline.rings[0], outline.rings[1:]) for outline in draft.outlines]
    valid = shapely.is_valid(np.array(polygons, dtype=object))
    for outline, polygon, fine in zip(draft.outlines, polygons, valid, strict=True):
        if fine:
            continue
        words, _, place = str(shapely.is_valid_reason(polygon)).partition("[")
        x, y = (format_number(float(value) / GRID) for value in place.rstrip("]").split())
        outer_is_fine = bool(shapely.is_valid(shapely.Polygon(outline.rings[0])))
        key = "holes" if outer_is_fine else outline.key
        message = f"the {'holes are' if outer_is_fine else 'outline is'} no area: {words.strip().lower()} at {x}, {y}"
        yield outline.document.mistake((*outline.at, key), message, id=outline.id)
        gone = draft.terrain.pop(outline.id, None)
        draft.missing_building |= gone is not None and gone.kind.height == "storey"


def _ground_is_one_level(draft: Draft) -> Iterator[Mistake]:
    """Every piece stands on one level, or names its base (S6.1); the level found is put into the piece."""
    import numpy as np
    import shapely

    hills = [piece for piece in draft.terrain.values() if piece.kind.shape == "hill"]
    pieces = [piece for piece in draft.terrain.values() if not piece.is_crest and piece.id not in draft.own_base]
    if not hills or not pieces:
        return
    areas = [shapely.Polygon(hill.rings[0], hill.rings[1:]) for hill in hills]
    shapes = [
        shapely.Polygon(piece.rings[0], piece.rings[1:]) if piece.rings else shapely.LineString(piece.line)
        for piece in pieces
    ]
    tree = shapely.STRtree(areas)
    found, on = tree.query(np.array(shapes, dtype=object), predicate="intersects")
    under: dict[int, list[int]] = {}
    for piece_index, hill_index in zip(found.tolist(), on.tolist(), strict=True):
        under.setdefault(piece_index, []).append(hill_index)
    for piece_index, hill_indexes in under.items():
        piece, shape = pieces[piece_index], shapes[piece_index]
        covering = [i for i in hill_indexes if shapely.covers(areas[i], shape)]
        base = max((hills[i].level for i in covering), default=0)
        across = [
            hills[i].id
            for i in hill_indexes
            if i not in covering and hills[i].level > base and shapely.relate_pattern(areas[i], shape, "T********")
        ]
        draft.terrain[piece.id] = replace(piece, base=base)
        if across and piece.kind.obstacle:
            message = (
                f"lies across the crest line of {', '.join(sorted(across))}: name the base, the level it stands on"
            )
            yield draft.mistake(piece.id, "base", message)


# --- units ---------------------------------------------------------------------------------------------------------


def _units_are_on_the_table(draft: Draft) -> Iterator[Mistake]:
    if draft.table is None:
        return
    width, depth = to_grid(draft.table.width), to_grid(draft.table.depth)
    for name, (x, y), at in draft.spots:
        if not (0 <= x <= width and 0 <= y <= depth):
            place = f"{format_number(x / GRID)}, {format_number(y / GRID)}"
            size = f"{format_length(draft.table.width)} by {format_length(draft.table.depth)}"
            yield draft.document.mistake((*at, "at"), f"{place} is off the table, which is {size}", id=name)


def _names_are_known(draft: Draft) -> Iterator[Mistake]:
    for name, cloud in draft.smoke.items():
        if cloud.by is not None and cloud.by not in draft.named:
            yield draft.mistake(name, "by", _no_unit(draft, cloud.by))
    for name, unit in draft.units.items():
        named = [("tow", unit.tow)] if unit.tow else []
        named += [("carries", rider) for rider in unit.carries] + [
            ("sighted_by", who) for who in sorted(unit.sighted_by)
        ]
        for key, other in named:
            if other not in draft.named:
                yield draft.mistake(name, key, _no_unit(draft, other))
            elif other == unit.id:
                yield draft.mistake(name, key, "names the unit itself")


def _no_unit(draft: Draft, name: str) -> str:
    return f"there is no unit {name!r}; {nearest_of(name, sorted(draft.named))}"


def _transport_fits(draft: Draft) -> Iterator[Mistake]:
    taken: dict[str, str] = {}
    for name, unit in draft.units.items():
        if (unit.tow or unit.carries) and not unit.is_vehicle:
            yield draft.mistake(name, "tow" if unit.tow else "carries", f"only a vehicle does that, not {unit.kind.id}")
        if unit.tow in draft.units and draft.units[unit.tow].kind.id == "infantry":
            yield draft.mistake(name, "tow", f"{unit.tow} is infantry; a gun or a vehicle is towed")
        for other in ([unit.tow] if unit.tow else []) + list(unit.carries):
            if other in taken:
                key = "tow" if other == unit.tow else "carries"
                yield draft.mistake(name, key, f"{other} is already carried or towed by {taken[other]}")
            taken.setdefault(other, unit.id)
            if other in draft.units and draft.units[other].side != unit.side:
                yield draft.mistake(name, "carries" if other in unit.carries else "tow", f"{other} is of another side")


def _tokens_are_unique(draft: Draft) -> Iterator[Mistake]:
    """A token's name means one thing on the whole table: it names a unit wherever an id does."""
    ids = draft.named | draft.terrain.keys() | draft.smoke.keys()
    seen: dict[str, str] = {}
    for name, unit in draft.units.items():
        if unit.token is None:
            continue
        if unit.hidden and not unit.dummy:
            yield draft.mistake(name, "token", "a unit is on a token or hidden, not both")
        first = seen.setdefault(unit.token, unit.id)
        if first != unit.id:
            yield draft.mistake(name, "token", f"the token {unit.token!r} is that of {first}")
        elif unit.token != unit.id and unit.token in ids:
            yield draft.mistake(name, "token", f"{unit.token!r} is an id of this table; expected another name")
    for name, unit in draft.units.items():
        if unit.dummy and unit.hidden:
            yield draft.mistake(name, "dummy", "a dummy is a token on the table; it cannot be hidden")


def _storeys_exist(draft: Draft) -> Iterator[Mistake]:
    for name, unit in draft.units.items():
        if unit.storey is None and not unit.roof:
            continue
        key = "roof" if unit.storey is None else "storey"
        building = building_under(unit, draft.terrain.values())
        if building is None and draft.missing_building:
            continue  # it may be the piece whose mistakes are told
        if building is None:
            yield draft.mistake(name, key, "there is no building where the unit stands")
        elif unit.storey is not None and unit.storey > building.storeys:
            many = f"{building.storeys} storey" + ("s" if building.storeys > 1 else "")
            message = f"{building.id} has {many}: 0 is the ground floor, {building.storeys} the roof"
            yield draft.mistake(name, key, f"{message}; not {unit.storey}")
        elif unit.roof and unit.storey not in (None, building.storeys):
            message = f"the roof of {building.id} is storey {building.storeys}, not {unit.storey}"
            yield draft.mistake(name, key, message)


def building_under(unit: Unit, terrain: Iterable[Terrain]) -> Terrain | None:
    """The building a unit stands in, by the centre of its base; the highest of several."""
    inside = [p for p in terrain if p.kind.height == "storey" and p.rings and locate(unit.at, p.rings) >= 0]
    return max(inside, key=lambda p: (p.storeys, p.id), default=None)


def _zones_and_lanes_have_sides(draft: Draft) -> Iterator[Mistake]:
    """A zone or a lane is of a side that has units, and a lane stays on the table."""
    sides = sorted({unit.side for unit in draft.units.values()})
    for name, one in (draft.zones | draft.lanes).items():
        if one.side is not None and sides and one.side not in sides:
            yield draft.mistake(name, "side", f"there is no side {one.side!r}; {nearest_of(one.side, sides)}")
    if draft.table is None:
        return
    width, depth = to_grid(draft.table.width), to_grid(draft.table.depth)
    for name, lane in draft.lanes.items():
        for x, y in lane.line:
            if not (0 <= x <= width and 0 <= y <= depth):
                yield draft.mistake(
                    name, "line", f"{format_number(x / GRID)}, {format_number(y / GRID)} is off the table"
                )


def _lanes_keep_to_their_areas(draft: Draft) -> Iterator[Mistake]:
    """The line of a lane with an area stays in it; to run along its edge is to stay in it."""
    if not any(lane.area for lane in draft.lanes.values()):
        return
    import shapely

    for name, lane in draft.lanes.items():
        if lane.area is None:
            continue
        line, area = shapely.LineString(lane.line), shapely.Polygon(lane.area)
        if not shapely.is_valid(area) or shapely.covers(area, line):
            continue
        outside = shapely.get_parts(shapely.difference(line, area))
        leaves = min((shapely.get_point(part, 0) for part in outside), key=lambda end: float(line.project(end)))
        x, y = (format_number(round(value / GRID, 2)) for value in (leaves.x, leaves.y))
        yield draft.mistake(name, "line", f"the line is outside the area from {x}, {y} on; expected all of it inside")


CHECKS: tuple[Callable[[Draft], Iterator[Mistake]], ...] = (
    _areas_are_valid,
    _ground_is_one_level,
    _units_are_on_the_table,
    _names_are_known,
    _transport_fits,
    _tokens_are_unique,
    _storeys_exist,
    _zones_and_lanes_have_sides,
    _lanes_keep_to_their_areas,
)
"""Every check; all run. The order matters in one place: only valid areas are asked for their ground."""


# --- remarks that forbid nothing -------------------------------------------------------------------------------------


def cautions(draft: Draft) -> Iterator[str]:
    """What a judge should know of a scenario that is otherwise fine."""
    yield from _dummies_have_company(draft)
    yield from _terrain_is_on_the_table(draft)


def _dummies_have_company(draft: Draft) -> Iterator[str]:
    """S11.2: a dummy has a real unit of its side near it, and dummies do not outnumber real units."""
    near = draft.rules.switch_number("dummy_distance") * GRID
    for side in sorted({unit.side for unit in draft.units.values()}):
        own = [unit for unit in draft.units.values() if unit.side == side]
        real = [unit for unit in own if not unit.dummy and not unit.wreck]
        dummies = [unit for unit in own if unit.dummy]
        if len(dummies) > len(real):
            yield f"{side} has {len(dummies)} dummies and {len(real)} real units (S11.2)"
        for dummy in dummies:
            if all(base_to_base(dummy.base, unit.base) > near + EPSILON_IN * GRID for unit in real):
                yield f"dummy {dummy.id} has no real unit of its side within {format_length(near / GRID)} (S11.2)"


def _terrain_is_on_the_table(draft: Draft) -> Iterator[str]:
    if draft.table is None:
        return
    width, depth = to_grid(draft.table.width), to_grid(draft.table.depth)
    for piece in draft.terrain.values():
        left, low, right, high = box_of(piece.line or piece.rings[0])
        if left < 0 or low < 0 or right > width or high > depth:
            yield f"{piece.id} reaches over the edge of the table"
