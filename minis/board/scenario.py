"""Read a scenario file into a `Board`, or tell every mistake in it at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from minis.board.backdrop import Backdrop, runs_round
from minis.board.board import Board
from minis.board.catalogue import catalogue
from minis.board.checks import Draft, Outline, cautions, mistakes_of
from minis.board.geometry import Ring
from minis.board.place import Place, metres_per_inch
from minis.board.schema import (
    BackdropEntry,
    Entry,
    HeadEntry,
    LaneEntry,
    ScenarioFile,
    SmokeEntry,
    TableEntry,
    TerrainEntry,
    TypeEntry,
    UnitEntry,
    ZoneEntry,
)
from minis.board.shapes import Shape, misfits, point_of, ring_of, shape_of
from minis.board.terrain import Smoke, Terrain, without_straight_corners
from minis.board.units import Unit
from minis.board.zones import Lane, Zone
from minis.errors import BadInput, Mistake
from minis.rules import DEFAULT_FIGURE_SCALE, Rules, load_rules
from minis.toml_file import Document, PathKey, nearest_of, read_toml, validate

WHAT = "a scenario file (TOML with [table], [[terrain]] and [[unit]])"

AnyEntry = TypeVar("AnyEntry", bound=Entry)


def read_board(path: Path, *, house: Path | None = None) -> Board:
    """Read and check a scenario file.

    `house` is a folder of house rules that goes before the one the file may name. Raises BadInput with every mistake.
    """
    return board_of(read_toml(path, what=WHAT), house=house)


def board_of(document: Document, *, house: Path | None = None, house_label: str | None = None) -> Board:
    """Check a scenario that is read already; files it names are looked for from where its own name says it stands.

    `house_label` is what answers call the folder of house rules, where that is not its path.
    """
    return _Reader(document, Path(document.name), house, house_label).board()


@dataclass
class _Reader:
    """One reading: collects mistakes instead of stopping at the first."""

    document: Document
    path: Path
    house: Path | None
    house_label: str | None = None
    mistakes: list[Mistake] = field(default_factory=list)
    head: HeadEntry | None = None
    types_listed: Mapping[str, TypeEntry] | None = None

    def board(self) -> Board:
        """The board, or BadInput with every mistake."""
        data = self.document.data
        for key in data:
            if key not in ScenarioFile.model_fields:
                message = f"is no key that is known here; {nearest_of(key, ScenarioFile.model_fields)}"
                self.add((key,), message)
        self.head = self.entry(HeadEntry, {key: data[key] for key in HeadEntry.model_fields if key in data}, ())
        rules = self.rules()
        table = self.entry(TableEntry, data.get("table", {}), ("table",)) if "table" in data else None
        if "table" not in data:
            self.add(("table",), f"is missing; expected {WHAT}")
        rules = self.switched(rules, table)
        ground = self.ground(table)
        backdrop = self.backdrop()
        draft = Draft(self.document, rules, table)
        for place, document, raw in self.terrain_entries():
            piece = self.entry(TerrainEntry, raw, place, document)
            if piece is None or not self.terrain(draft, piece, place, document):
                kind = str(raw.get("kind", "")) if isinstance(raw, dict) else ""
                draft.missing_building |= kind in rules.terrain and rules.terrain[kind].height == "storey"
                draft.missing_building |= kind not in rules.terrain and "building" in nearest_of(kind, rules.terrain)
        for place, raw in self.items("smoke"):
            cloud = self.entry(SmokeEntry, raw, place)
            if cloud:
                self.smoke(draft, cloud, place)
        for place, raw in self.items("zone"):
            zone = self.entry(ZoneEntry, raw, place)
            if zone:
                self.zone(draft, zone, place)
        for place, raw in self.items("lane"):
            lane = self.entry(LaneEntry, raw, place)
            if lane:
                self.lane(draft, lane, place)
        types = self.types()
        draft.named = {
            raw["id"] for _, raw in self.items("unit") if isinstance(raw, dict) and isinstance(raw.get("id"), str)
        }
        for place, raw in self.items("unit"):
            unit = self.entry(UnitEntry, raw, place)
            if unit:
                self.unit(draft, unit, types, place)
        found = self.mistakes + mistakes_of(draft)
        if found or table is None:
            raise BadInput(_in_reading_order(found))
        title = (self.head.title if self.head else None) or self.path.stem
        return Board(
            title=title, width_in=table.width, depth_in=table.depth, rules=rules,
            terrain=tuple(draft.terrain.values()), smoke=tuple(draft.smoke.values()), units=tuple(draft.units.values()),
            inches_per_hex=table.inches_per_hex or rules.fire_number("inches-per-hex"),
            inches_per_mp=table.inches_per_mp or rules.fire_number("inches-per-mp"),
            zones=tuple(draft.zones.values()), lanes=tuple(draft.lanes.values()), place=ground,
            backdrop=backdrop,
            cautions=tuple(cautions(draft)), name=self.document.name,
        )  # fmt: skip

    def add(self, at: PathKey, message: str, *, id: str = "", document: Document | None = None) -> None:
        self.mistakes.append((document or self.document).mistake(at, message, id=id))

    def add_at_key(self, entry: UnitEntry, key: str, message: str, at: PathKey) -> None:
        """A mistake at a key of a unit, or of its type where that says it: told once for all units of the type."""
        if key in entry.model_fields_set or entry.type is None:
            self.add((*at, key), message, id=entry.id)
        else:
            self.add(("types", entry.type, key), message, id=entry.type)

    def entry(self, model: type[AnyEntry], raw: Any, at: PathKey, document: Document | None = None) -> AnyEntry | None:
        """One table of the file as its model, or its mistakes.

        A table whose only mistakes are unknown keys is read on without them, so that its other mistakes are told too.
        """
        name = str(raw.get("id", "")) if isinstance(raw, dict) else ""
        document = document or self.document
        entry, found = validate(document, model, raw, at=at, id=name)
        self.mistakes += found
        if entry is None and isinstance(raw, dict):
            known = {key: value for key, value in raw.items() if key in model.model_fields}
            entry = validate(document, model, known, at=at, id=name)[0] if len(known) < len(raw) else None
        return entry

    def items(self, key: str) -> list[tuple[PathKey, Any]]:
        raw = self.document.data.get(key, [])
        if not isinstance(raw, list):
            self.add((key,), f"expected tables, each under [[{key}]]")
            return []
        return [((key, index), item) for index, item in enumerate(raw)]

    # --- rules -------------------------------------------------------------------------------------------------

    def rules(self) -> Rules:
        folder = self.house_folder()
        if folder is None:
            return load_rules()
        try:
            return load_rules(folder, label=self.house_label)
        except BadInput as error:
            self.mistakes += error.mistakes
            return load_rules()

    def switched(self, rules: Rules, table: TableEntry | None) -> Rules:
        """The rules under the switches and the figure scale of the file."""
        raw = self.document.data.get("switches", {})
        changed: dict[str, Any] = {}
        if not isinstance(raw, dict):
            self.add(("switches",), "expected a table of switches under [switches]")
            raw = {}
        for name, value in raw.items():
            if name not in rules.switches:
                self.add(("switches", name), f"there is no such switch; {nearest_of(name, rules.switches)}")
                continue
            try:
                changed[name] = rules.switches[name].read(value)
            except ValueError as error:
                self.add(("switches", name), str(error))
        scale = table.figure_scale if table else DEFAULT_FIGURE_SCALE
        if scale not in rules.figure_scales:
            message = f"there is no figure scale {scale!r}; {nearest_of(scale, rules.figure_scales)}"
            self.add(("table", "figure_scale"), message)
            scale = DEFAULT_FIGURE_SCALE
        return rules.with_switches(changed, scale)

    def backdrop(self) -> Backdrop | None:
        """The picture under the map; None where there is none, or one with mistakes, which are told."""
        if "backdrop" not in self.document.data:
            return None
        entry = self.entry(BackdropEntry, self.document.data["backdrop"], ("backdrop",))
        if entry is None:
            return None
        for key, spots, y_up in (("corners", entry.corners, True), ("marks", entry.marks, False)):
            if spots is not None and not runs_round(spots, y_up=y_up):
                message = "expected the four corners of an area without a dent, from the lower left against the clock"
                self.add(("backdrop", key), message)
        return Backdrop(entry.file, tuple(entry.corners), None if entry.marks is None else tuple(entry.marks))

    def ground(self, table: TableEntry | None) -> Place | None:
        """Where the table lies on the earth; None where the file does not say, or says it wrongly, which is told."""
        entry = table.place if table else None
        if entry is None:
            return None
        lon, lat = entry.centre
        heights = tuple(entry.level_heights)
        place = Place(lon, lat, entry.bearing, entry.scale, heights, entry.exaggeration, entry.credit)
        if list(place.level_heights) != sorted(set(place.level_heights)):
            self.add(("table", "place", "level_heights"), "expected heights that rise from level to level")
        try:
            metres_per_inch(place.scale)
        except BadInput as error:
            self.add(("table", "place", "scale"), str(error))
            return None
        return place

    # --- terrain and smoke -------------------------------------------------------------------------------------

    def terrain_entries(self) -> list[tuple[PathKey, Document, Any]]:
        """Pieces of the file itself, then of the GeoJSON it names, each with its place and its document."""
        found = [(place, self.document, raw) for place, raw in self.items("terrain")]
        name = self.head.terrain_from if self.head else None
        if name is None:
            return found
        from minis.board.geojson import terrain_features

        try:
            document, features, mistakes = terrain_features(self.path.parent / name)
            self.mistakes += mistakes
            found += [(place, document, raw) for place, raw in features]
        except BadInput as error:
            self.mistakes += error.mistakes
        return found

    def terrain(self, draft: Draft, piece: TerrainEntry, at: PathKey, document: Document) -> bool:
        """Take a piece into the draft and say so, or tell its mistakes."""
        before = len(self.mistakes)
        kind = draft.rules.terrain.get(piece.kind)
        if kind is None:
            message = f"there is no kind of terrain {piece.kind!r}; {nearest_of(piece.kind, draft.rules.terrain)}"
            self.add((*at, "kind"), message, id=piece.id, document=document)
        for key, message in misfits(piece, kind) if kind else ():
            self.add((*at, key), message, id=piece.id, document=document)
        shape = shape_of(piece)
        for key, message in shape.faults:
            self.add((*at, key), message, id=piece.id, document=document)
        if shape.rings and not shape.faults:
            draft.outlines.append(Outline(piece.id, shape.key, shape.rings, at, document))
        if kind is None or len(self.mistakes) > before:
            return False
        terrain = Terrain(
            id=piece.id, kind=kind, rings=shape.rings, line=shape.line, level=piece.level or 0, base=piece.base or 0,
            storeys=piece.storeys or 1, slope=bool(piece.slope), material=piece.material or "wooden",
        )  # fmt: skip
        draft.add_terrain(terrain, at, document, names_base=piece.base is not None)
        return True

    def smoke(self, draft: Draft, cloud: SmokeEntry, at: PathKey) -> None:
        """Take a cloud into the draft, or its mistakes."""
        shape = self.ring(draft, cloud, at)
        if shape is not None:
            draft.add_smoke(Smoke(cloud.id, shape.rings[0], cloud.by, cloud.until_turn), at)

    def ring(self, draft: Draft, entry: SmokeEntry | ZoneEntry, at: PathKey) -> Shape | None:
        """The shape of an area without holes, or its mistakes."""
        shape = shape_of(entry)
        if not shape.key:
            self.add(at, f"expected one of circle, box or outline, {shape.there}", id=entry.id)
        for key, message in shape.faults:
            self.add((*at, key), message, id=entry.id)
        if not shape.rings or shape.faults:
            return None
        draft.outlines.append(Outline(entry.id, shape.key, shape.rings, at, self.document))
        return shape

    def zone(self, draft: Draft, zone: ZoneEntry, at: PathKey) -> None:
        """Take a zone into the draft, or its mistakes."""
        shape = self.ring(draft, zone, at)
        if shape is not None:
            draft.add_zone(Zone(zone.id, shape.rings[0], zone.side), at)

    def lane(self, draft: Draft, lane: LaneEntry, at: PathKey) -> None:
        """Take a lane into the draft, or its mistakes."""
        line = without_straight_corners(tuple(point_of(place) for place in lane.line), closed=False)
        if len(line) < 2:
            self.add((*at, "line"), "the line has no length", id=lane.id)
        area = self.lane_area(draft, lane, at)
        if lane.area is not None and "width" in lane.model_fields_set:
            self.add((*at, "width"), "a lane has a width or an area, not both", id=lane.id)
        if len(line) > 1:  # whatever else is wrong with it, its line and its side are checked too
            draft.add_lane(Lane(lane.id, line, lane.side, lane.width, area), at)

    def lane_area(self, draft: Draft, lane: LaneEntry, at: PathKey) -> Ring | None:
        """The area of a lane; None where it has none, or one with mistakes, which are told."""
        if lane.area is None:
            return None
        ring = ring_of(lane.area)
        if ring is None:
            self.add((*at, "area"), "the shape has no area", id=lane.id)
            return None
        draft.outlines.append(Outline(lane.id, "area", (ring,), at, self.document))
        return ring

    # --- units -------------------------------------------------------------------------------------------------

    def types(self) -> dict[str, TypeEntry | None]:
        raw = self.document.data.get("types", {})
        if not isinstance(raw, dict):
            self.add(("types",), "expected tables, each under [types.NAME]")
            return {}
        return {name: self.entry(TypeEntry, item, ("types", name)) for name, item in raw.items()}

    def listed(self, entry: UnitEntry, types: dict[str, TypeEntry | None], at: PathKey) -> TypeEntry | None:
        """The type of the catalogue that a unit names, or its mistake with the nearest names."""
        name = str(entry.type)
        known = self.known_types()
        if name not in known:
            message = f"there is no type {name!r}; {nearest_of(name, [*types, *known])}"
            self.add((*at, "type"), message, id=entry.id)
            return None
        return known[name]

    def known_types(self) -> Mapping[str, TypeEntry]:
        """The catalogue, read once; the mistakes of a house catalogue are told with those of the file."""
        if self.types_listed is None:
            try:
                self.types_listed = catalogue(self.house_folder())
            except BadInput as error:
                self.mistakes += error.mistakes
                self.types_listed = catalogue()
        return self.types_listed

    def house_folder(self) -> Path | None:
        """The folder of house rules: that of the command, else that of the file."""
        named = self.head.tables if self.head else None
        return self.house if self.house is not None or named is None else self.path.parent / named

    def unit(self, draft: Draft, entry: UnitEntry, types: dict[str, TypeEntry | None], at: PathKey) -> None:
        """Take a unit into the draft, its type's keys under its own, or its mistakes."""
        draft.spots.append((entry.id, point_of(entry.at), at))
        own = {key: getattr(entry, key) for key in entry.model_fields_set}
        if entry.type is not None:
            model = types[entry.type] if entry.type in types else self.listed(entry, types, at)
            if model is None:
                return  # its mistakes are told already
            keys = model.model_fields_set & TypeEntry.model_fields.keys()
            own = {key: getattr(model, key) for key in keys} | own
        full = entry.model_copy(update=own)
        kind_name = full.kind or ("infantry" if full.dummy else None)
        if kind_name is None:
            self.add((*at, "kind"), "is missing; expected vehicle, gun or infantry", id=entry.id)
            return
        size = draft.rules.sizes.get(full.size)
        if size is None:
            message = f"there is no size {full.size!r}; {nearest_of(full.size, draft.rules.sizes)}"
            self.add_at_key(entry, "size", message, at)
            size = draft.rules.sizes["average"]
        kind = draft.rules.unit_kinds[kind_name]
        base = (kind.length, kind.width) if full.base is None else (0.0, 0.0) if full.base == 0 else full.base
        if (base[0] == 0) != (base[1] == 0):
            self.add_at_key(entry, "base", "expected two lengths above 0, or 0 for a point", at)
        unit = Unit(
            id=full.id, side=full.side, kind=kind, size=size, at=point_of(full.at), length_in=base[0], width_in=base[1],
            facing=full.facing, turret=full.facing if full.turret is None else full.turret, armoured=full.armoured,
            storey=full.storey, roof=full.roof, flags=full.flags, sighted_by=frozenset(full.sighted_by),
            hidden=full.hidden, token=full.token or (full.id if full.dummy else None), dummy=full.dummy,
            wreck=full.wreck, tow=full.tow, carries=tuple(full.carries), radio=full.radio, spotter=full.spotter,
            mount=full.mount, closed_top=full.closed_top, nation=full.nation, armour=full.armour,
            weapons=tuple(full.weapons), stun=full.stun, leadership=full.leadership,
            extra_squads=full.extra_squads,
        )  # fmt: skip
        draft.add_unit(unit, at)


def _in_reading_order(mistakes: list[Mistake]) -> list[Mistake]:
    """Mistakes as a reader meets them in the file, each once."""
    unique = list(dict.fromkeys(mistakes))
    files = list(dict.fromkeys(mistake.file for mistake in unique))
    return sorted(unique, key=lambda m: (files.index(m.file), m.line is None, m.line or 0, m.column or 0, _numbers(m)))


def _numbers(mistake: Mistake) -> list[int]:
    """The numbers of a path, to order mistakes of a file without lines."""
    return [int(number) for number in re.findall(r"\[(\d+)\]", mistake.path)]
