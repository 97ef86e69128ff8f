"""A part of a table as a table of its own: `minis crop`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from minis.board.geometry import Box, Point, Ring
from minis.board.shapes import point_of
from minis.board.terrain import Terrain
from minis.board.zones import Lane
from minis.errors import BadInput, Mistake, bad
from minis.ground.changes import Changes
from minis.ground.cut import Area, cut_area, cut_line, is_inside, with_corners_of
from minis.ground.headings import under_headings, without_counts
from minis.ground.parts import (
    LISTS,
    Entry,
    Parts,
    backdrop_for,
    keys_for,
    moved,
    places,
    put_together,
    rings_keys,
    steps,
    with_middle,
)
from minis.ground.report import Left
from minis.lengths import format_length, format_number, to_grid, to_inches


@dataclass
class _Work:
    """One crop: the box in grid steps, and what is collected on the way."""

    parts: Parts
    box: Box
    taken: set[str]
    cut: list[Left] = field(default_factory=list)
    dropped: list[Left] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def by(self) -> Point:
        """How far everything is moved, in grid steps."""
        return -self.box[0], -self.box[1]

    def named(self, entry: Entry, count: int) -> list[Entry]:
        """An entry as often as there are parts of it, each with an id of its own."""
        if count == 1:
            return [entry]
        names: list[str] = []
        number = 0
        while len(names) < count:
            number += 1
            name = f"{entry.id}-{number}"
            if name not in self.taken:
                names.append(name)
                self.taken.add(name)
        bare = Entry(entry.data, replace(entry.block, lead=()))
        return [(bare if index else entry).put("id", name) for index, name in enumerate(names)]


def crop(
    parts: Parts, corners: tuple[float, float, float, float], out: Path, *, drop_units: bool = False
) -> tuple[str, Changes]:
    """The text of a scenario for the part of a table in a box (x0, y0, x1, y1 in inches), for a file `out`.

    Terrain, smoke, zones and lanes are cut at the edge of the box, what lies outside is left out; the south-west corner
    of the box becomes the origin. Whatever lies inside keeps its shape to the last step of the grid. A piece that is
    cut in two gets -1, -2 … behind its id. Units whose centre lies outside are left out with `drop_units`, and with
    them what names them; without it they are a mistake. A hill that is cut has a crest line along the edge of the new
    table. Raises BadInput for a box that is none, is empty or reaches over the table, and for units outside of it.
    """
    box = _box(parts, corners)
    parts = without_counts(parts)
    work = _Work(parts, box, {entry.id for name in LISTS for entry in parts.lists[name]})
    units = _units(work, drop_units)
    sides = {str(unit.data["side"]) for unit in units}
    lists: dict[str, Iterable[Entry]] = {
        "terrain": _terrain(work),
        "smoke": _smoke_by(work, _areas(work, "smoke"), {unit.id for unit in units}),
        "zone": _of_sides(work, _areas(work, "zone"), sides),
        "lane": _of_sides(work, _lanes(work), sides),
        "unit": units,
    }
    x0, y0, x1, y1 = box
    middle = to_inches(x0 + x1) / 2, to_inches(y0 + y1) / 2
    new = with_middle(parts, *middle)
    table = new.tables["table"].put("width", steps(x1 - x0)).put("depth", steps(y1 - y0))
    tables = {**new.tables, "table": table} | backdrop_for(parts, work.by, out)
    words = f"{', '.join(_plain(v) for v in (x0, y0))} to {', '.join(_plain(v) for v in (x1, y1))}"
    head = (*parts.head, f"# Cut from {Path(parts.document.name).name}: {words}.", "")
    new = replace(new, head=head, tables=tables, lists={name: tuple(lists[name]) for name in LISTS})
    new = replace(new, keys=keys_for(parts, out))
    kept = {name: len(entries) for name, entries in new.lists.items()}
    return put_together(new, out), Changes(kept, tuple(work.cut), tuple(work.dropped), (), tuple(work.remarks))


def _box(parts: Parts, corners: tuple[float, float, float, float]) -> Box:
    left, low, right, high = map(to_grid, corners)
    board = parts.board
    if left >= right or low >= high:
        raise bad("expected x0,y0,x1,y1: the south-west corner, then the north-east one", file="--box")
    if left < 0 or low < 0 or right > to_grid(board.width_in) or high > to_grid(board.depth_in):
        size = f"{format_length(board.width_in)} by {format_length(board.depth_in)}"
        raise bad(f"the box reaches over the edge of the table, which is {size}", file="--box")
    return left, low, right, high


def _plain(value: int) -> str:
    return format_number(to_inches(value))


def _kept(work: _Work, section: str, kept: set[str]) -> Iterator[Entry]:
    """The pieces of a sort that are kept; the others are told as left out."""
    for entry in under_headings(work.parts.lists[section], kept):
        if entry.id in kept:
            yield entry
        else:
            work.dropped.append(Left(entry.id, f"{section} outside the box"))


# --- what stands on the ground ---------------------------------------------------------------------------------------


def _terrain(work: _Work) -> Iterator[Entry]:
    board = work.parts.board
    whole = {piece.id for piece in board.terrain if is_inside(piece.line or piece.rings[0], work.box)}
    uncertain = _uncertain(work, whole)
    for entry in _kept(work, "terrain", whole | _reaching(work)):
        piece = board.terrain_by_id[entry.id]
        if piece.id in uncertain and "base" not in entry.data:
            entry = entry.put("base", piece.base)
        if piece.id in whole:
            yield moved(entry, work.by)
        elif piece.line:
            lines = cut_line(piece.line, work.box)
            _told(work, entry, "terrain", len(lines))
            for own, line in zip(work.named(entry, len(lines)), lines, strict=True):
                yield own.put("line", places(line, work.by))
        else:
            yield from _cut(work, entry, piece.rings, "terrain")


def _reaching(work: _Work) -> set[str]:
    """Ids of terrain of which something lies in the box."""
    found = set()
    for piece in work.parts.board.terrain:
        if cut_line(piece.line, work.box) if piece.line else cut_area(piece.rings, work.box):
            found.add(piece.id)
    return found


def _uncertain(work: _Work, whole: set[str]) -> set[str]:
    """Ids of pieces whose ground could be another one once they or the hills at them are cut: they name it."""
    board = work.parts.board
    if not board.hills:
        return set()
    import shapely

    hills = [(hill.id in whole, shapely.Polygon(hill.rings[0], hill.rings[1:])) for hill in board.hills]
    found = set()
    for piece in board.terrain:
        if piece.is_crest:
            continue
        shape = _shape(piece)
        for is_whole, hill in hills:
            either_is_cut = not is_whole or piece.id not in whole
            if either_is_cut and shapely.intersects(hill, shape) and not shapely.contains_properly(hill, shape):
                found.add(piece.id)
    return found


def _shape(piece: Terrain) -> Any:
    import shapely

    return shapely.Polygon(piece.rings[0], piece.rings[1:]) if piece.rings else shapely.LineString(piece.line)


def _areas(work: _Work, section: str) -> Iterator[Entry]:
    """Clouds or zones."""
    board = work.parts.board
    clouds = {cloud.id: cloud.ring for cloud in board.smoke} | {zone.id: zone.ring for zone in board.zones}
    within = {name for name, ring in clouds.items() if cut_area((ring,), work.box)}
    for entry in _kept(work, section, within):
        if is_inside(clouds[entry.id], work.box):
            yield moved(entry, work.by)
        else:
            yield from _cut(work, entry, (clouds[entry.id],), section)


def _cut(work: _Work, entry: Entry, area: Area, section: str) -> Iterator[Entry]:
    """The parts of an area that lie in the box; a box stays a box."""
    parts = cut_area(area, work.box)
    _told(work, entry, section, len(parts))
    for own, rings in zip(work.named(entry, len(parts)), parts, strict=True):
        if "box" in entry.data:
            (left, low), (right, high) = rings[0][0], rings[0][2]
            yield own.put("box", [value for pair in places([(left, low), (right, high)], work.by) for value in pair])
            continue
        if "circle" in entry.data:
            own = own.put("circle", None)
        own = own.put("holes", None)
        for key, value in rings_keys(rings, work.by).items():
            own = own.put(key, value)
        yield own


def _told(work: _Work, entry: Entry, section: str, count: int) -> None:
    many = f"into {count} parts" if count > 1 else "at the edge of the box"
    work.cut.append(Left(entry.id, f"{section} {entry.data.get('kind', '')}".strip() + f", cut {many}"))


def _lanes(work: _Work) -> Iterator[Entry]:
    lanes = {lane.id: lane for lane in work.parts.board.lanes}
    within = {lane.id for lane in lanes.values() if cut_line(lane.line, work.box)}
    for entry in _kept(work, "lane", within):
        lane = lanes[entry.id]
        if is_inside((*lane.line, *(lane.area or ())), work.box):
            yield moved(entry, work.by)
            continue
        lines = cut_line(lane.line, work.box)
        _told(work, entry, "lane", len(lines))
        for own, line in zip(work.named(entry, len(lines)), lines, strict=True):
            own = own.put("line", places(line, work.by))
            yield own.put("area", places(_around(lane, line, work.box), work.by)) if lane.area else own


def _around(lane: Lane, line: Sequence[Point], box: Box) -> Ring:
    """The part of the area of a lane, in the box, in which a part of its line lies; raises BadInput where none is."""
    import shapely

    assert lane.area is not None
    way = shapely.LineString(line)
    for rings in cut_area((with_corners_of(lane.area, lane.line),), box):
        if shapely.covers(shapely.Polygon(rings[0]), way):
            return rings[0]
    message = "cannot be cut here: its line runs along the edge of its area; choose another box, or give it a width"
    raise BadInput([Mistake(message, id=lane.id)])


def _of_sides(work: _Work, entries: Iterable[Entry], sides: set[str]) -> Iterator[Entry]:
    """Zones or lanes without those of a side that has no unit left, where another has some."""
    for entry in entries:
        side = entry.data.get("side")
        if side is None or not sides or side in sides:
            yield entry
        else:
            work.dropped.append(Left(entry.id, f"{entry.block.path[0]} of {side}, of which no unit is left"))


def _smoke_by(work: _Work, clouds: Iterable[Entry], units: set[str]) -> Iterator[Entry]:
    for cloud in clouds:
        by = cloud.data.get("by")
        if by is None or by in units:
            yield cloud
        else:
            work.remarks.append(f"{cloud.id} was the own smoke of {by}, which is left out")
            yield cloud.put("by", None)


# --- units -----------------------------------------------------------------------------------------------------------


def _units(work: _Work, drop: bool) -> list[Entry]:
    entries = work.parts.lists["unit"]
    inside = {entry.id for entry in entries if is_inside([point_of(entry.data["at"])], work.box)}
    outside = [(number, entry) for number, entry in enumerate(entries) if entry.id not in inside]
    if outside and not drop:
        document = work.parts.document
        message = "is outside the box; --drop-units leaves such units out"
        raise BadInput(document.mistake(("unit", number, "at"), message, id=entry.id) for number, entry in outside)
    found = []
    for entry in _kept(work, "unit", inside):
        for key in ("carries", "sighted_by"):
            named = entry.data.get(key, [])
            left = [name for name in named if name in inside]
            if len(left) < len(named):
                work.remarks.append(f"{entry.id}: {key} named {_listed(named, inside)}, left out")
                entry = entry.put(key, left or None)
        if entry.data.get("tow", entry.id) not in inside:
            work.remarks.append(f"{entry.id}: towed {entry.data['tow']}, left out")
            entry = entry.put("tow", None)
        found.append(moved(entry, work.by))
    return found


def _listed(named: Sequence[str], inside: set[str]) -> str:
    return ", ".join(name for name in named if name not in inside)
