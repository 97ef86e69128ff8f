"""A Universal VTT map as a table: its pieces, cleaned, and the report of what was taken for what."""

from __future__ import annotations

from dataclasses import dataclass

from minis.board.place import Place
from minis.board.schema import REACH_IN
from minis.errors import bad
from minis.ground.clean import clean
from minis.ground.place_mark import place_if_same
from minis.ground.real import limits_of
from minis.ground.report import Report, summary
from minis.ground.scenario_text import Piece
from minis.ground.uvtt import Meaning, VttMap, own_pieces, pieces_of
from minis.lengths import GRID, format_length, format_number
from minis.rules.model import Rules


@dataclass(frozen=True)
class MapTable:
    """A table made from a map: title (empty where the map has none), size in inches, terrain, comments, report.

    `place` is where on the earth it lies, where the map says it.
    """

    title: str
    size_in: tuple[float, float]
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...]
    report: Report
    place: Place | None = None


def lay_map(found: VttMap, rules: Rules, meaning: Meaning, inches_per_cell: float | None = None) -> MapTable:
    """The table of a map: a cell is so many inches; else as many as `minis export uvtt` wrote into it, or one.

    Raises BadInput for a map without walls, for one that is larger than a table may be, and for a kind that is not
    known.
    """
    own_cell = _own_number(found)
    cell = inches_per_cell or own_cell or 1.0
    width, depth = (round(side * cell * GRID) / GRID for side in (found.width, found.height))
    if max(width, depth) > REACH_IN or min(width, depth) <= 0:
        size = f"{found.width:g} by {found.height:g} cells of {format_length(cell)}"
        raise bad(f"{size} are no table: expected at most {REACH_IN:g} inches", file=found.name)
    own = own_pieces(found, cell) if cell == own_cell else None
    remarks = []
    if found.own is not None and own is None:
        remarks.append("ids and kinds that minis wrote are given up: the walls, or the size of a cell, have changed")
    if own is not None:
        unknown = sorted({piece.kind for piece in own if piece.kind not in rules.terrain})
        if unknown:
            raise bad(f"there is no kind of terrain {unknown[0]!r}; its house rules go with --tables", file=found.name)
        made = clean(own, width, depth, limits_of(rules, step_in=1 / GRID, simplify=False))
    else:
        made = clean(pieces_of(found, rules, meaning, cell), width, depth, limits_of(rules))
    if not made.pieces:
        raise bad("has no walls on the map: there is nothing to make terrain of", file=found.name)
    place, credit, moved = place_if_same(
        found.own.get("place") if isinstance(found.own, dict) else None, (width, depth),
        file=found.name, member="minis.place",
    )  # fmt: skip
    left_out = {"lights": found.lights} if found.lights else {}
    report = Report(
        source=found.name,
        kinds=made.counts,
        repaired=made.repaired,
        dropped=made.dropped,
        left_out=left_out | (_gaps(found, meaning) if own is None else {}),
        cannot_say=() if own is not None else _cannot_say(meaning),
        remarks=(*remarks, *moved),
    )
    title = found.own.get("title") if own is not None else None
    return MapTable(
        title if isinstance(title, str) and title.isprintable() else "", (width, depth), made.pieces,
        tuple(_notes(found, report, cell, credit)), report, place,
    )  # fmt: skip


def _own_number(found: VttMap) -> float | None:
    value = found.own.get("inches_per_cell") if isinstance(found.own, dict) else None
    return float(value) if isinstance(value, int | float) and 0 < value <= REACH_IN else None


def _gaps(found: VttMap, meaning: Meaning) -> dict[str, int]:
    """Doors that became gaps in a wall."""
    open_doors = sum(not shut for _, _, shut in found.portals)
    counts = {"doors and windows, open: gaps": open_doors}
    if meaning.doors is None:
        counts["doors and windows, closed: gaps (--doors KIND)"] = len(found.portals) - open_doors
    return {words: count for words, count in counts.items() if count}


def _cannot_say(meaning: Meaning) -> tuple[str, ...]:
    """What the format does not tell, and what was taken for it."""
    storeys = meaning.storeys or 1
    return (
        f"kinds: an open wall is {meaning.walls} (--walls), one around something {meaning.closed} (--closed), an "
        f"object {meaning.objects} (--objects)",
        f"heights: a building has {storeys} {'storey' if storeys == 1 else 'storeys'} (--storeys)",
        f"material: {meaning.material or 'wooden'} (--material)",
        f"how thick a wall is: {format_length(meaning.thick_in)} where it becomes an area (--thickness)",
        "levels of the ground: it is flat",
    )


def _notes(found: VttMap, report: Report, cell: float, credit: str) -> list[str]:
    name = found.name.replace("\\", "/").rpartition("/")[2]
    size = f"{format_number(found.width)} by {format_number(found.height)} cells"
    made = f"Made by `minis import uvtt` from {name}: {size} of {format_length(cell)}."
    return [made, *([f"Data: {credit}"] if credit else []), *summary(report)]
