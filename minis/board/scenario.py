"""Read a scenario file into a `Board`, or tell every mistake in it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from minis.board.board import Board
from minis.board.catalogue import catalogue
from minis.board.checks import Draft, cautions, mistakes_of
from minis.board.geometry import Point, Ring, box_ring, circle_ring
from minis.board.schema import (
    CircleEntry,
    Entry,
    ScenarioFile,
    SmokeEntry,
    TableEntry,
    TerrainEntry,
    TypeEntry,
    UnitEntry,
)
from minis.board.terrain import Smoke, Terrain, without_straight_corners
from minis.board.units import Unit
from minis.errors import BadInput, Mistake
from minis.lengths import GRID, to_grid
from minis.rules import DEFAULT_FIGURE_SCALE, Rules, load_rules
from minis.rules.rows import TerrainRow
from minis.toml_file import Document, PathKey, nearest_of, read_toml, shown, validate

WHAT = "a scenario file (TOML with [table], [[terrain]] and [[unit]])"

AnyEntry = TypeVar("AnyEntry", bound=Entry)


def read_board(path: Path, *, house: Path | None = None) -> Board:
    """Read and check a scenario file.

    `house` is a folder of house rules that goes before the one the file may name. Raises BadInput with every mistake.
    """
    return board_of(read_toml(path, what=WHAT), house=house)


def board_of(document: Document, *, house: Path | None = None) -> Board:
    """Check a scenario that is read already; files it names are looked for from where its own name says it stands."""
    return _Reader(document, Path(document.name), house).board()


@dataclass
class _Reader:
    """One reading: collects mistakes instead of stopping at the first."""

    document: Document
    path: Path
    house: Path | None
    mistakes: list[Mistake] = field(default_factory=list)

    def board(self) -> Board:
        """The board, or BadInput with every mistake."""
        data = self.document.data
        for key in data:
            if key not in ScenarioFile.model_fields:
                message = f"is no key that is known here; {nearest_of(key, ScenarioFile.model_fields)}"
                self.add((key,), message)
        rules = self.rules()
        table = self.entry(TableEntry, data.get("table", {}), ("table",)) if "table" in data else None
        if "table" not in data:
            self.add(("table",), f"is missing; expected {WHAT}")
        rules = self.switched(rules, table)
        draft = Draft(self.document, rules, table)
        for place, document, raw in self.terrain_entries():
            piece = self.entry(TerrainEntry, raw, place, document)
            if piece:
                self.terrain(draft, piece, place, document)
        for place, raw in self.items("smoke"):
            cloud = self.entry(SmokeEntry, raw, place)
            if cloud:
                self.smoke(draft, cloud, place)
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
        title = str(data.get("title", self.path.stem))
        return Board(
            title=title, width_in=table.width, depth_in=table.depth, rules=rules,
            terrain=tuple(draft.terrain.values()), smoke=tuple(draft.smoke.values()), units=tuple(draft.units.values()),
            inches_per_hex=table.inches_per_hex, inches_per_mp=table.inches_per_mp,
            cautions=tuple(cautions(draft)), name=self.document.name,
        )  # fmt: skip

    def add(self, at: PathKey, message: str, *, id: str = "", document: Document | None = None) -> None:
        self.mistakes.append((document or self.document).mistake(at, message, id=id))

    def entry(self, model: type[AnyEntry], raw: Any, at: PathKey, document: Document | None = None) -> AnyEntry | None:
        """One table of the file as its model, or its mistakes."""
        name = str(raw.get("id", "")) if isinstance(raw, dict) else ""
        entry, found = validate(document or self.document, model, raw, at=at, id=name)
        seen: set[tuple[int | None, int | None, str]] = set()
        for mistake in found:  # a union tells each of its branches; one mistake a place is enough
            key = (mistake.line, mistake.column, mistake.path)
            if key not in seen:
                self.mistakes.append(mistake)
            seen.add(key)
        return entry

    def items(self, key: str) -> list[tuple[PathKey, Any]]:
        raw = self.document.data.get(key, [])
        if not isinstance(raw, list):
            self.add((key,), f"expected tables, each under [[{key}]]")
            return []
        return [((key, index), item) for index, item in enumerate(raw)]

    # --- rules -------------------------------------------------------------------------------------------------

    def rules(self) -> Rules:
        named = self.document.data.get("tables")
        if named is not None and not isinstance(named, str):
            self.add(("tables",), f"expected the name of a folder in quotes, not {shown(named)}")
        folder = self.house_folder()
        if folder is None:
            return load_rules()
        try:
            return load_rules(folder)
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

    # --- terrain and smoke -------------------------------------------------------------------------------------

    def terrain_entries(self) -> list[tuple[PathKey, Document, Any]]:
        """Pieces of the file itself, then of the GeoJSON it names, each with its place and its document."""
        found = [(place, self.document, raw) for place, raw in self.items("terrain")]
        name = self.document.data.get("terrain_from")
        if name is None:
            return found
        if not isinstance(name, str):
            self.add(("terrain_from",), f"expected the name of a GeoJSON file in quotes, not {shown(name)}")
            return found
        from minis.board.geojson import terrain_features

        try:
            document, features = terrain_features(self.path.parent / name)
            found += [(place, document, raw) for place, raw in features]
        except BadInput as error:
            self.mistakes += error.mistakes
        return found

    def terrain(self, draft: Draft, piece: TerrainEntry, at: PathKey, document: Document) -> None:
        """Take a piece into the draft, or its mistakes."""
        kind = draft.rules.terrain.get(piece.kind)
        if kind is None:
            message = f"there is no kind of terrain {piece.kind!r}; {nearest_of(piece.kind, draft.rules.terrain)}"
            self.add((*at, "kind"), message, id=piece.id, document=document)
            return
        faults = _misfits(piece, kind)
        for key, message in faults:
            self.add((*at, key), message, id=piece.id, document=document)
        if faults:
            return
        rings, line = _rings(piece.box, piece.outline, piece.holes, piece.circle), _path(piece.line or [])
        for index, ring in enumerate(rings):
            if len(ring) < 3:
                self.add(
                    (*at, "outline" if index == 0 else "holes"),
                    "the outline has no area",
                    id=piece.id,
                    document=document,
                )
                return
        if piece.line and len(line) < 2:
            self.add((*at, "line"), "the line has no length", id=piece.id, document=document)
            return
        terrain = Terrain(
            id=piece.id, kind=kind, rings=rings, line=line, level=piece.level or 0, base=piece.base or 0,
            storeys=piece.storeys or 1, slope=bool(piece.slope), material=piece.material or "wooden",
        )  # fmt: skip
        draft.add_terrain(terrain, at, document, names_base=piece.base is not None)

    def smoke(self, draft: Draft, cloud: SmokeEntry, at: PathKey) -> None:
        shapes = [key for key in ("circle", "box", "outline") if getattr(cloud, key) is not None]
        if len(shapes) != 1:
            self.add(at, f"expected one of circle, box or outline, {_there(shapes)}", id=cloud.id)
            return
        rings = _rings(cloud.box, cloud.outline, None, cloud.circle)
        if len(rings[0]) < 3:
            self.add((*at, shapes[0]), "the cloud has no area", id=cloud.id)
            return
        draft.add_smoke(Smoke(cloud.id, rings[0], cloud.by, cloud.until_turn), at)

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
        known = catalogue(self.house_folder())
        if name not in known:
            message = f"there is no type {name!r}; {nearest_of(name, [*types, *known])}"
            self.add((*at, "type"), message, id=entry.id)
            return None
        return known[name]

    def house_folder(self) -> Path | None:
        named = self.document.data.get("tables")
        if self.house is not None or not isinstance(named, str):
            return self.house
        return self.path.parent / named

    def unit(self, draft: Draft, entry: UnitEntry, types: dict[str, TypeEntry | None], at: PathKey) -> None:
        """Take a unit into the draft, its type's keys under its own, or its mistakes."""
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
            where = (*at, "size") if "size" in entry.model_fields_set else ("types", str(entry.type), "size")
            self.add(where, f"there is no size {full.size!r}; {nearest_of(full.size, draft.rules.sizes)}", id=entry.id)
            return
        kind = draft.rules.unit_kinds[kind_name]
        base = (kind.length, kind.width) if full.base is None else (0.0, 0.0) if full.base == 0 else full.base
        if (base[0] == 0) != (base[1] == 0):
            self.add((*at, "base"), "expected two lengths above 0, or 0 for a point", id=entry.id)
            return
        unit = Unit(
            id=full.id, side=full.side, kind=kind, size=size, at=_point(full.at), length_in=base[0], width_in=base[1],
            facing=full.facing, turret=full.facing if full.turret is None else full.turret, armoured=full.armoured,
            storey=full.storey, roof=full.roof, flags=full.flags, sighted_by=frozenset(full.sighted_by),
            hidden=full.hidden, token=full.token or (full.id if full.dummy else None), dummy=full.dummy,
            wreck=full.wreck, tow=full.tow, carries=tuple(full.carries), radio=full.radio, spotter=full.spotter,
            mount=full.mount, closed_top=full.closed_top, nation=full.nation, armour=full.armour,
            weapons=tuple(full.weapons), stun=full.stun, leadership=full.leadership,
            extra_squads=full.extra_squads,
        )  # fmt: skip
        draft.add_unit(unit, at)


# --- shapes ------------------------------------------------------------------------------------------------------


def _point(place: Sequence[float]) -> Point:
    return to_grid(place[0]), to_grid(place[1])


def _path(places: Sequence[Sequence[float]], *, closed: bool = False) -> tuple[Point, ...]:
    if not places:
        return ()
    return without_straight_corners(tuple(_point(place) for place in places), closed=closed)


def _rings(
    box: Sequence[float] | None,
    outline: Sequence[Sequence[float]] | None,
    holes: Sequence[Sequence[Sequence[float]]] | None,
    circle: CircleEntry | None,
) -> tuple[Ring, ...]:
    if box is not None:
        x0, y0, x1, y1 = (to_grid(value) for value in box)
        return (without_straight_corners(box_ring(x0, y0, x1, y1), closed=True),)
    if circle is not None:
        return (without_straight_corners(circle_ring(_point(circle.centre), circle.radius * GRID), closed=True),)
    if outline is not None:
        return tuple(_path(ring, closed=True) for ring in (outline, *(holes or ())))
    return ()


SHAPES = ("box", "outline", "circle", "line")


def _misfits(piece: TerrainEntry, kind: TerrainRow) -> list[tuple[str, str]]:
    """What of a piece does not go with its kind: (key, message)."""
    faults: list[tuple[str, str]] = []
    shapes = [shape for shape in SHAPES if getattr(piece, shape) is not None]
    wanted = ["line"] if kind.shape == "line" else ["box", "outline", "circle"]
    if len(shapes) != 1 or shapes[0] not in wanted:
        faults.append(("kind", f"a {kind.id} takes {' or '.join(wanted)}, {_there(shapes)}"))
    if piece.holes is not None and piece.outline is None:
        faults.append(("holes", "holes go with an outline"))
    if kind.has_level and not piece.level:
        faults.append(("level", f"a {kind.id} needs its level, a whole number from 1"))
    for key, fits in (
        ("level", kind.has_level),
        ("base", not kind.has_level),
        ("storeys", kind.height == "storey"),
        ("slope", kind.shape == "hill"),
        ("material", kind.id in ("building", "rubble")),
    ):
        if getattr(piece, key) is not None and not fits:
            faults.append((key, f"does not go with a {kind.id}"))
    return faults


def _there(shapes: list[str]) -> str:
    return "not " + " and ".join(shapes) if shapes else "and there is none"


def _in_reading_order(mistakes: list[Mistake]) -> list[Mistake]:
    """Mistakes as a reader meets them in the file, each once."""
    unique = list(dict.fromkeys(mistakes))
    return sorted(unique, key=lambda m: (m.line is None, m.line or 0, m.column or 0))
