"""A scenario file taken apart into its pieces, each with its comments, to be changed and put together again."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from minis.board.board import Board
from minis.board.geojson import terrain_features
from minis.board.geometry import Point, Ring
from minis.board.scenario import WHAT, board_of
from minis.board.shapes import point_of
from minis.errors import BadInput, Mistake
from minis.ground.layout import formatted, short, text_of
from minis.ground.scenario_text import degrees, number, plain, quoted
from minis.ground.toml_text import Block, Lines, Pair, Sheet, Value, joined, sheet_of
from minis.lengths import to_inches
from minis.toml_file import Document, parse_toml, read_toml

LISTS = ("terrain", "smoke", "zone", "lane", "unit")
"""The parts of a file that are lists of tables with ids."""

TABLES = ("table", "backdrop", "switches")
"""The parts of a file that are single tables."""


@dataclass(frozen=True)
class Entry:
    """A table of a file: what it says, and how it is written."""

    data: Mapping[str, Any]
    block: Block

    @property
    def id(self) -> str:
        """Its id; empty where it has none."""
        return str(self.data.get("id", ""))

    def put(self, key: str, value: Any) -> Entry:
        """The same with another value for a key, None to take it away; comments inside of the old value go above it."""
        block = self.block
        inside = [sub for sub in block.subs if sub.path[len(block.path)] == key]
        old = [pair for pair in block.pairs if pair.key[0] == key]
        lead = tuple(line for pair in old for line in (*pair.lead, *pair.value.notes))
        lead += tuple(line for sub in inside for line in (*sub.lead, *sub.tail) if line)
        note = old[0].note if len(old) == 1 else ""
        new = [Pair((key,), joined((key,)), value_of(value), note, lead)] if value is not None else []
        at = block.pairs.index(old[0]) if old else len(block.pairs)
        pairs = [pair for pair in block.pairs[:at] if pair not in old]
        pairs += new + [pair for pair in block.pairs[at:] if pair not in old]
        data = {name: item for name, item in self.data.items() if name != key}
        subs = tuple(sub for sub in block.subs if sub not in inside)
        return Entry(data if value is None else data | {key: value}, replace(block, pairs=tuple(pairs), subs=subs))

    def under(self, *path: str) -> Entry:
        """The same under another header."""
        block = self.block
        depth = len(block.path)
        subs = tuple(_renamed(sub, (*path, *sub.path[depth:])) for sub in block.subs)
        return Entry(self.data, replace(_renamed(block, path), subs=subs))


def _renamed(block: Block, path: tuple[str, ...]) -> Block:
    return block if path == block.path else replace(block, path=path, name=joined(path))


@dataclass(frozen=True)
class Parts:
    """A scenario file in its parts: the comments about all of it, its single keys, tables, types and lists.

    `board` is the table that the file, as it was read, says.
    """

    document: Document
    board: Board
    head: Lines
    keys: tuple[Pair, ...]
    tables: Mapping[str, Entry]
    types: Mapping[str, Entry]
    lists: Mapping[str, tuple[Entry, ...]]
    end: Lines = ()

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return Path(self.document.name).parent

    def key(self, name: str) -> Any:
        """The value of a single key; None where it is not there."""
        return self.document.data.get(name)


def parts_of(path: Path) -> Parts:
    """The parts of a scenario file without mistakes; terrain that it takes from GeoJSON is among them.

    Raises BadInput with every mistake.
    """
    document = read_toml(path, what=WHAT)
    parts = _taken_apart(document, board_of(document))
    name = document.data.get("terrain_from")
    if name is None:
        return parts
    _, features, _ = terrain_features(path.parent / name)
    more = tuple(made(("terrain",), raw, each=True) for _, raw in features)
    keys = tuple(pair for pair in parts.keys if pair.key[0] != "terrain_from")
    return replace(parts, keys=keys, lists={**parts.lists, "terrain": (*parts.lists["terrain"], *more)})


def _taken_apart(document: Document, board: Board) -> Parts:
    """The parts of a document without mistakes, of which `board` was read."""
    sheet = sheet_of(document.text, document.name)
    data = document.data
    tables = {name: _table(sheet, (name,), data[name]) for name in TABLES if name in data}
    types = {name: _table(sheet, ("types", name), item) for name, item in data.get("types", {}).items()}
    lists = {name: _list(sheet, name, data.get(name, [])) for name in LISTS}
    keys = tuple(pair for pair in sheet.root.pairs if pair.key[0] not in (*TABLES, "types", *LISTS))
    return Parts(document, board, sheet.head, keys, tables, types, lists, (*sheet.root.tail, *sheet.end))


def _table(sheet: Sheet, path: tuple[str, ...], data: Mapping[str, Any]) -> Entry:
    """A single table as it is written; made anew where it is spread over the file or written inline."""
    own = [block for block in sheet.blocks if block.path[: len(path)] == path]
    if own and own[0].path == path and all(block.path[:1] != path[:1] or block in own for block in own[1:]):
        first = replace(own[0], subs=(*own[0].subs, *own[1:]))
        if not any(pair.key[: len(path)] == path for pair in sheet.root.pairs):
            return Entry(data, first)
    lead = tuple(line for block in own for line in block.lead if line)
    found = made(path, data)
    return Entry(data, replace(found.block, lead=lead))


def _list(sheet: Sheet, name: str, data: list[dict[str, Any]]) -> tuple[Entry, ...]:
    blocks = [block for block in sheet.blocks if block.each and block.path == (name,)]
    if len(blocks) != len(data):
        return tuple(made((name,), item, each=True) for item in data)
    return tuple(map(Entry, data, blocks))


def made(path: tuple[str, ...], data: Mapping[str, Any], *, each: bool = False) -> Entry:
    """A table written from what it says."""
    pairs = tuple(Pair((key,), joined((key,)), value_of(value)) for key, value in data.items())
    return Entry(data, Block(path, joined(path), each, pairs=pairs))


def value_of(value: Any) -> Value:
    """A value as TOML writes it.

    >>> value_of([True, 2, 0.5, "a", {"b": []}]).text
    '[true, 2, 0.5, "a", { b = [] }]'
    """
    if isinstance(value, Value):
        return value
    if isinstance(value, Mapping):
        pairs = tuple((joined((str(key),)), value_of(item)) for key, item in value.items())
        return Value(short(Value("", pairs=pairs)), pairs=pairs)
    if isinstance(value, list | tuple):
        items = tuple(map(value_of, value))
        return Value(short(Value("", items)), items)
    if isinstance(value, bool):
        return Value("true" if value else "false")
    if isinstance(value, str):
        return Value(quoted(value))
    return Value(repr(value))


def steps(value: int) -> Value:
    """A coordinate in grid steps as inches, exactly.

    >>> steps(20001).text
    '2.500125'
    """
    return Value(number(to_inches(value)))


def places(points: Iterable[Point], by: Point = (0, 0)) -> list[list[Value]]:
    """Places in grid steps as they are written, moved by so many steps."""
    return [[steps(x + by[0]), steps(y + by[1])] for x, y in points]


def rings_keys(rings: tuple[Ring, ...], by: Point) -> dict[str, Any]:
    """The keys of an area: its outline, and its holes where it has some."""
    outline: dict[str, Any] = {"outline": places(rings[0], by)}
    return outline | ({"holes": [places(ring, by) for ring in rings[1:]]} if rings[1:] else {})


def moved(entry: Entry, by: Point) -> Entry:
    """An entry with all its places moved by so many grid steps; what is not moved keeps the text it has.

    >>> moved(made(("unit",), {"id": "T1", "at": [1.5, 2]}), (8000, -4000)).block.pairs[1].value.text
    '[2.5, 1.5]'
    """
    if by == (0, 0):
        return entry
    data = entry.data
    if "at" in data:
        entry = entry.put("at", places([point_of(data["at"])], by)[0])
    if "box" in data:
        first, second = places([point_of(data["box"][:2]), point_of(data["box"][2:])], by)
        entry = entry.put("box", [*first, *second])
    if "circle" in data:
        centre = places([point_of(data["circle"]["centre"])], by)[0]
        entry = entry.put("circle", {**data["circle"], "centre": centre})
    for key in ("outline", "line", "area", "corners"):
        if key in data:
            entry = entry.put(key, places(map(point_of, data[key]), by))
    if "holes" in data:
        entry = entry.put("holes", [places(map(point_of, ring), by) for ring in data["holes"]])
    return entry


# --- putting together ------------------------------------------------------------------------------------------------


def put_together(parts: Parts, out: Path) -> str:
    """The text of a scenario file from its parts, for a file `out`.

    Raises BadInput, without lines, where what came out has mistakes.
    """
    tables = [entry.block for entry in parts.tables.values()]
    types = [entry.block for entry in parts.types.values()]
    lists = [entry.block for entries in parts.lists.values() for entry in entries]
    sheet = Sheet(parts.head, Block(pairs=parts.keys), (*tables, *types, *lists), parts.end)
    text = formatted(text_of(sheet), str(out))
    read_again(text, out)
    return text


def read_again(text: str, out: Path) -> Board:
    """The table of a text that is to be written; its mistakes name ids, no lines: there is no file yet."""
    try:
        return board_of(parse_toml(text, str(out), what=WHAT))
    except BadInput as error:
        found = [Mistake(one.message, file=str(out), path=one.path, id=one.id) for one in error.mistakes]
        raise BadInput(found) from None


def keys_for(parts: Parts, out: Path) -> tuple[Pair, ...]:
    """The single keys of a file for another one: the path of its house rules leads from there."""
    if parts.key("tables") is None:
        return parts.keys
    path = value_of(_led_from(parts, parts.key("tables"), out))
    return tuple(replace(pair, value=path) if pair.key == ("tables",) else pair for pair in parts.keys)


def backdrop_for(parts: Parts, by: Point, out: Path) -> dict[str, Entry]:
    """[backdrop] for another file, where there is one: moved by so many grid steps, its path leading from there."""
    backdrop = parts.tables.get("backdrop")
    if backdrop is None:
        return {}
    path = _led_from(parts, backdrop.data["file"], out)
    return {"backdrop": moved(backdrop if path == backdrop.data["file"] else backdrop.put("file", path), by)}


def _led_from(parts: Parts, path: str, out: Path) -> str:
    """A path from the folder of a file, as it is from the folder of another."""
    if out.parent.resolve() == parts.folder.resolve():
        return path
    return os.path.relpath((parts.folder / path).resolve(), out.parent.resolve())


def with_middle(parts: Parts, x_in: float, y_in: float) -> Parts:
    """The parts with [table.place] as it is for a table whose middle is at a place of the old one, in inches.

    Its north is turned by as much as the meridians of the two middles differ. Raises BadInput where pyproj, which that
    takes, is not there.
    """
    from minis.ground.project import Projection

    board, table = parts.board, parts.tables["table"]
    old = board.place
    if old is None or (x_in, y_in) == (board.width_in / 2, board.depth_in / 2):
        return parts
    ground = Projection(old, board.width_in, board.depth_in)
    lon, lat = map(float, ground.to_ground(x_in, y_in))
    ahead = ground.to_ground(x_in, y_in + board.depth_in / 2)
    east, north = Projection(replace(old, lon=lon, lat=lat, bearing=0.0), 0.0, 0.0).to_table(*ahead)
    turned = math.degrees(math.atan2(float(east), float(north))) % 360.0
    place = dict(table.data["place"])
    place |= {"centre": [Value(degrees(lon)), Value(degrees(lat))], "bearing": Value(plain(turned))}
    own = next((sub for sub in table.block.subs if sub.path[-1:] == ("place",)), None)
    if own is None:
        table = table.put("place", place)
    else:
        entry = Entry(table.data["place"], own)
        for key in ("centre", "bearing"):
            entry = entry.put(key, place[key])
        subs = tuple(entry.block if sub is own else sub for sub in table.block.subs)
        table = Entry(table.data, replace(table.block, subs=subs))
    return replace(parts, tables={**parts.tables, "table": table})
