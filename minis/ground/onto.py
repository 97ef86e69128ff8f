"""Hills, or a picture, put into a scenario that is there already: the rest of it stays as its judge wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minis.board.board import Board
from minis.board.place import Place
from minis.board.terrain import Terrain
from minis.errors import bad
from minis.ground.parts import Entry, Parts, keys_for, made, put_together, rings_keys
from minis.ground.scenario_text import Piece, comment_lines, plain
from minis.ground.toml_text import Value
from minis.lengths import to_grid, to_inches

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


def refuse_hills(board: Board) -> None:
    """Raises BadInput for a table with hills or ridges: new ones would lie across them."""
    if board.crests:
        listed = ", ".join(piece.id for piece in board.crests[:5]) + (" …" if len(board.crests) > 5 else "")
        raise bad(f"has hills already: {listed}; take them out first", file=board.name)


def with_hills(
    parts: Parts, hills: Sequence[Piece], place: Place, notes: Sequence[str], out: Path
) -> tuple[str, list[str]]:
    """The text of a scenario with hills under its terrain, for a file `out`, and what became of what stands on them.

    A piece that would lie across a crest line, and does not name its base, gets the level that most of its ground has.
    Raises BadInput where what came out has mistakes.
    """
    bases = bases_on(parts.board, hills)
    entries = [
        entry.put("base", bases[entry.id][0]) if entry.id in bases and "base" not in entry.data else entry
        for entry in parts.lists["terrain"]
    ]
    lists = {**parts.lists, "terrain": (*map(_entry, hills), *entries)}
    tables = {**parts.tables, "table": _with_levels(parts.tables["table"], place)}
    head = (*_stripped(parts.head), *(line for note in notes for line in comment_lines(note)), "")
    changed = replace(parts, head=head, keys=keys_for(parts, out), tables=tables, lists=lists)
    words = [
        f"{name} lies across a crest line; most of it ({100 * share:.0f} %) is on level {level}: that is its base"
        for name, (level, share) in bases.items()
        if not any("base" in entry.data for entry in parts.lists["terrain"] if entry.id == name)
    ]
    return put_together(changed, out), words


def _stripped(lines: Sequence[str]) -> Sequence[str]:
    """Comment lines without the blank one at their end."""
    return lines[:-1] if lines and not lines[-1] else lines


def bases_on(board: Board, hills: Sequence[Piece]) -> dict[str, tuple[int, float]]:
    """Pieces with a height that would lie across the rim of a hill: the level of most of their ground, and its share.

    >>> from shapely import box
    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> bases_on(board, [])
    {}
    """
    import shapely

    levels = sorted({hill.level or 0 for hill in hills})
    above = {level: shapely.union_all([hill.geometry for hill in hills if hill.level == level]) for level in levels}
    rims = shapely.union_all([hill.geometry.boundary for hill in hills])
    shapely.prepare(rims)
    found: dict[str, tuple[int, float]] = {}
    for piece in board.terrain:
        if piece.is_crest or not piece.height(bare=False):
            continue
        shape = shape_of(piece)
        if not shapely.intersects(rims, shape):
            continue
        whole = shape.length if piece.line else shape.area
        shares, left = {}, shape
        for level in reversed(levels):
            part = shapely.intersection(left, above[level])
            shares[level] = (part.length if piece.line else part.area) / whole
            left = shapely.difference(left, above[level])
        shares[0] = max(0.0, 1.0 - sum(shares.values()))
        level = max(shares, key=lambda one: (shares[one], -one))
        found[piece.id] = level, shares[level]
    return found


def shape_of(piece: Terrain) -> BaseGeometry:
    """The shape of a piece of terrain in inches."""
    import shapely

    if piece.line:
        return shapely.LineString([(to_inches(x), to_inches(y)) for x, y in piece.line])
    rings = [[(to_inches(x), to_inches(y)) for x, y in ring] for ring in piece.rings]
    return shapely.Polygon(rings[0], rings[1:])


def _entry(hill: Piece) -> Entry:
    """A hill as a table of the file."""
    shape: Any = hill.geometry
    rings = tuple(
        tuple((to_grid(x), to_grid(y)) for x, y in ring.coords[:-1]) for ring in (shape.exterior, *shape.interiors)
    )
    keys = {"id": hill.id, "kind": hill.kind, "level": hill.level} | ({"slope": True} if hill.slope else {})
    entry = made(("terrain",), keys | rings_keys(rings, (0, 0)), each=True)
    return Entry(entry.data, replace(entry.block, lead=(f"# {hill.note}",) if hill.note else ()))


def _with_levels(table: Entry, place: Place) -> Entry:
    """[table] with the heights of the levels in its [table.place]."""
    new: Mapping[str, Any] = {
        "level_heights": [Value(plain(height)) for height in place.level_heights],
        "exaggeration": Value(plain(place.exaggeration)) if place.exaggeration is not None else None,
    }
    own = next((sub for sub in table.block.subs if sub.path[-1:] == ("place",)), None)
    entry = Entry(table.data["place"], own) if own else made(("table", "place"), table.data["place"])
    for key, value in new.items():
        entry = entry.put(key, value)
    if own is None:
        return table.put("place", {name: value for name, value in entry.data.items() if value is not None})
    subs = tuple(entry.block if sub is own else sub for sub in table.block.subs)
    return Entry(table.data, replace(table.block, subs=subs))
