"""Read `tables/*.toml` strictly, lay a folder of house rules over them, and cross-check the whole.

All mistakes of all files are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import minis
from minis.errors import BadInput, Mistake, bad
from minis.rules.fire_rows import COLUMNS, CONDITION_NAMES
from minis.rules.model import DEFAULT_FIGURE_SCALE, FLAGS, Rules, Table
from minis.rules.rows import Row
from minis.rules.tables import TABLES
from minis.toml_file import Document, nearest_of, read_toml, validate


def tables_folder() -> Path:
    """The folder of the shipped tables: inside an installed wheel, beside the package in a checkout."""
    package = Path(minis.__file__).parent
    for folder in (package / "tables", package.parent / "tables"):
        if (folder / "switches.toml").is_file():
            return folder
    raise bad(f"the rule tables are missing: looked in {package / 'tables'} and {package.parent / 'tables'}")


def examples_folder() -> Path:
    """The folder of the shipped examples: inside an installed wheel, beside the package in a checkout."""
    return tables_folder().parent / "examples"


def load_rules(house: Path | None = None) -> Rules:
    """The shipped rules, with single rows overlaid by the folder `house` where one is given.

    A house folder holds files with the names of the shipped tables. A row with a known id changes the keys it
    names; `remove = true` takes the row out; a row with a new id is added and must be complete. Every changed row
    must name its own `source`. Raises BadInput with every mistake.

    >>> load_rules().terrain["woods"].height
    2.0
    """
    return _load(house.resolve() if house else None, str(house) if house else "")


@cache
def _load(house: Path | None, shown: str) -> Rules:
    mistakes: list[Mistake] = []
    tables: dict[str, Table] = {}
    reader = _Reader(mistakes)
    for name in TABLES:
        tables[name] = reader.table(read_toml(tables_folder() / f"{name}.toml", what="a rule table"), name)
    if house is not None:
        if not house.is_dir():
            raise bad("expected a folder of rule tables (house rules)", file=shown)
        for path in sorted(house.glob("*.toml")):
            document = read_toml(path, what="a rule table")
            if path.stem in TABLES:
                tables[path.stem] = reader.overlay(document, tables[path.stem], shown)
            else:
                mistakes.append(Mistake(f"there is no such table; {nearest_of(path.stem, TABLES)}", file=str(path)))
    if mistakes:
        raise BadInput(mistakes)
    rules = Rules(tables)
    found = [mistake for check in CHECKS for mistake in check(rules)]
    if found:
        raise BadInput(found)
    return rules


@dataclass
class _Reader:
    """Reads tables and collects their mistakes."""

    mistakes: list[Mistake]

    def table(self, document: Document, name: str) -> Table:
        rows: list[Row] = []
        for index, data in enumerate(self._raw_rows(document, title=True)):
            row = self._row(document, TABLES[name], data, index)
            if row is not None:
                self._unless_repeated(document, index, row, rows)
        return Table(name, str(document.data.get("title", name)), tuple(rows))

    def overlay(self, document: Document, table: Table, house: str) -> Table:
        """A table with the rows of a house file laid over it."""
        rows = {row.id: row for row in table.rows}
        seen: list[Row] = []
        for index, raw in enumerate(self._raw_rows(document, title=False)):
            data = dict(raw)
            known = rows.get(str(data.get("id")))
            if data.pop("remove", False) is True:
                if known is None or len(data) > 1:
                    message = "remove = true goes with the id of a known row and nothing else"
                    self.mistakes.append(document.mistake(("row", index), message, id=str(data.get("id", ""))))
                else:
                    del rows[known.id]
                continue
            if known is not None and "source" in data:
                data = known.model_dump(exclude_none=True, exclude={"overlay"}) | data
            row = self._row(document, TABLES[table.name], data, index)
            if row is not None and self._unless_repeated(document, index, row, seen):
                rows[row.id] = row.model_copy(update={"overlay": house})
        return Table(table.name, table.title, tuple(rows.values()))

    def _raw_rows(self, document: Document, *, title: bool) -> list[dict[str, Any]]:
        rows = document.data.get("row", [])
        for key in document.data:
            if key not in ("row", "title"):
                self.mistakes.append(document.mistake((key,), "is no key that is known here; known: title, row"))
        if title and not isinstance(document.data.get("title"), str):
            self.mistakes.append(document.mistake((), "expected a title in quotes"))
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.mistakes.append(document.mistake(("row",), "expected rows, each under [[row]]"))
            return []
        return rows

    def _row(self, document: Document, kind: type[Row], data: dict[str, Any], index: int) -> Row | None:
        if "overlay" in data:
            self.mistakes.append(document.mistake(("row", index, "overlay"), "is no key that is known here"))
            return None
        row, found = validate(document, kind, data, at=("row", index), id=str(data.get("id", "")))
        self.mistakes += found
        return row

    def _unless_repeated(self, document: Document, index: int, row: Row, rows: list[Row]) -> bool:
        if any(other.id == row.id for other in rows):
            self.mistakes.append(document.mistake(("row", index, "id"), "this id stands twice in the table", id=row.id))
            return False
        rows.append(row)
        return True


# --- cross-checks: each takes the rules and yields what does not fit ---------------------------------------------


NEEDED = {
    "sighting": (
        "max-range", "spotter-max-range", "automatic-range", "lowest-need", "small-size-modifier", "own-smoke-share",
        "margin-shown",
    ),
    "unit-kinds": ("vehicle", "gun", "infantry"),
    "sizes": ("average",),
    "figure-scales": (DEFAULT_FIGURE_SCALE,),
    "switches": (
        "measure", "sight_points", "graze", "smoke", "leaf", "tow", "touch_tolerance", "tape_tolerance",
        "spotter_scale", "woods_depth", "woods_apart", "dummy_distance", "hidden_obstruct",
    ),
    "to-hit-drm": (
        "A-T-1",
        "A-T-2",
        "A-T-3",
        "A-ST-1",
        "A-ST-2",
        "A-ST-3",
        "A-NT-1",
        "A-NT-2",
        "A-NT-3",
        "B",
        "B-terrain",
        "C-base",
        "C-stabilized",
        "C-T",
        "C-ST",
        "C-NT",
        "C1",
        "C2",
        "C3",
        "C3-backblast",
        "C4-stabilized",
        "D",
        "E",
        "F",
        "G",
        "H-captured",
        "H-nonqualified",
        "I",
        "overstacked",
        "encircled",
        "cx",
        "spotted",
        "stun",
        "blinded",
        "J",
        "J1",
        "J2",
        "J3",
        "J4",
        "K",
        "L-2",
        "L-1",
        "M",
        "O",
        "smoke",
        "extra-squads",
        "motorcyclist",
        "cavalry",
    ),
    "fire": (
        "arc-half",
        "arc-step",
        "terrain-factor",
        "limited-aim-mp",
        "restricted-aim-mp",
        "j2-mp",
        "j1-mp",
        "sight-gap",
        "immobilization-range",
        "intensive-breakdown",
        "captured-breakdown",
        "critical-roll",
        "critical-die",
        "critical-share",
        "improbable-critical",
        "improbable-turret",
        "improbable-hull",
        "multiple-least",
        "multiple-most",
        "rof",
        "breakdown",
        "acquisition-most",
        "acquisition-step",
        "acquisition-calibre",
        "area-radius",
        "boresight-range",
        "underbelly-range",
        "void-mp",
        "exposure-step",
    ),
    "hull-down-drm": (
        "russian-closed-top",
        "buttoned-up",
        "set-up",
    ),
    "tem": ("crest", "height advantage", "wreck"),
    "nations": ("other",),
}  # fmt: skip
"""Rows that the program asks for by name: no house rule may take them out."""


def _needed_rows_are_there(rules: Rules) -> Iterator[Mistake]:
    for table, names in NEEDED.items():
        there = {row.id for row in rules.tables[table].rows}
        for name in names:
            if name not in there:
                yield Mistake(f"the row {name!r} is missing; the program asks for it", file=f"tables/{table}.toml")


def _rise(table: str, values: Iterable[tuple[str, float]]) -> Iterator[Mistake]:
    for (_, before), (name, after) in pairwise(values):
        if after <= before:
            yield Mistake("rows must rise from one to the next", file=f"tables/{table}.toml", id=name)


def _rows_rise(rules: Rules) -> Iterator[Mistake]:
    yield from _rise("shadows", [(row.id, row.above) for row in rules._shadows])
    yield from _rise("afv-shadows", [(row.id, row.above) for row in rules._afv_shadows])
    yield from _rise("small-in-cover", [(row.id, row.up_to) for row in rules.small_in_cover])
    yield from _rise("sizes", [(row.id, row.category) for row in rules.sizes.values()])


def _cover_gets_harder_with_distance(rules: Rules) -> Iterator[Mistake]:
    for near, far in pairwise(rules.small_in_cover):
        for column in ("still", "moved", "fired"):
            if (getattr(far, column) or 0) > (getattr(near, column) or 0):
                message = f"{column}: the chance must not rise with the distance"
                yield Mistake(message, file="tables/small-in-cover.toml", id=far.id)


def _facts_exist(rules: Rules) -> Iterator[Mistake]:
    known = ["always"] + [f"{who}_{flag}" for who in ("sighter", "target") for flag in FLAGS]
    for row in rules.modifiers:
        if row.fact not in known:
            message = f"there is no fact {row.fact!r}; {nearest_of(row.fact, known)}"
            yield Mistake(message, file="tables/sighting-modifiers.toml", id=row.id)


def _sizes_exist(rules: Rules) -> Iterator[Mistake]:
    for row in rules.unit_kinds.values():
        if row.counts_as != "own" and row.counts_as not in rules.sizes:
            message = f"there is no size {row.counts_as!r}; {nearest_of(row.counts_as, rules.sizes)}"
            yield Mistake(message, file="tables/unit-kinds.toml", id=row.id)


def _defaults_fit(rules: Rules) -> Iterator[Mistake]:
    for row in rules.switches.values():
        try:
            row.read(row.default)
        except ValueError as error:
            yield Mistake(f"default: {error}", file="tables/switches.toml", id=row.id)


def _terrain_fits(rules: Rules) -> Iterator[Mistake]:
    for row in rules.terrain.values():
        if (row.shape == "hill" and not row.has_level) or (row.has_level and row.shape == "area"):
            yield Mistake('a hill has height = "level"; an area has not', file="tables/terrain.toml", id=row.id)
        if row.own == "depth" and row.shape != "area":
            yield Mistake('own = "depth" goes with an area', file="tables/terrain.toml", id=row.id)


def _fire_rows_name_what_is_known(rules: Rules) -> Iterator[Mistake]:
    cases = {row.case for row in rules.drm.values()} | {"N", "P", "Q", "R"}
    for row in rules.exclusions:
        if row.case not in cases:
            message = f"there is no case {row.case!r}; {nearest_of(row.case, sorted(cases))}"
            yield Mistake(message, file="tables/to-hit-exclusions.toml", id=row.id)
        if row.by not in cases and row.by not in CONDITION_NAMES:
            message = f"there is no case or condition {row.by!r}; {nearest_of(row.by, CONDITION_NAMES)}"
            yield Mistake(message, file="tables/to-hit-exclusions.toml", id=row.id)
    for refusal in rules.refusals:
        for name in (refusal.when, refusal.also):
            if name not in CONDITION_NAMES:
                message = f"there is no condition {name!r}; {nearest_of(name, CONDITION_NAMES)}"
                yield Mistake(message, file="tables/to-hit-refusals.toml", id=refusal.id)


def _the_chart_is_whole(rules: Rules) -> Iterator[Mistake]:
    wanted = [("vehicle", "black"), ("vehicle", "red"), ("infantry", "black"), ("infantry", "red"), ("area", "any")]
    for target, colour in wanted:
        if not any((row.target, row.colour) == (target, colour) for row in rules.to_hit):
            yield Mistake(f"the row for {target}, {colour} is missing", file="tables/to-hit.toml")
    ranges = [row.up_to for row in rules.to_hit_ranges]
    ends = [up_to for up_to in ranges if up_to is not None]
    if len(ranges) != COLUMNS or len(ends) != COLUMNS - 1 or ranges[-1] is not None or ends != sorted(set(ends)):
        message = f"expected {COLUMNS} ranges that rise, the last without up_to"
        yield Mistake(message, file="tables/to-hit-ranges.toml")
    for name in rules.hindrances:
        if name not in rules.terrain:
            yield Mistake(f"there is no kind of terrain {name!r}", file="tables/hindrances.toml", id=name)


CHECKS: tuple[Callable[[Rules], Iterator[Mistake]], ...] = (
    _needed_rows_are_there,
    _rows_rise,
    _cover_gets_harder_with_distance,
    _facts_exist,
    _sizes_exist,
    _defaults_fit,
    _terrain_fits,
    _fire_rows_name_what_is_known,
    _the_chart_is_whole,
)
"""Every cross-check; all run, all mistakes are told."""
