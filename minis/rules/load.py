"""Read `tables/*.toml` strictly, lay a folder of house rules over them, and cross-check the whole.

All mistakes of all files are told at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import minis
from minis.errors import BadInput, Mistake, bad
from minis.rules.checks import CHECKS, ORDER
from minis.rules.model import Rules, Table
from minis.rules.rows import Row
from minis.rules.tables import TABLES
from minis.toml_file import Document, nearest_of, read_toml, shown, validate


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


def load_rules(house: Path | None = None, *, label: str | None = None) -> Rules:
    """The shipped rules, with single rows overlaid by the folder `house` where one is given.

    A house folder holds files with the names of the shipped tables. A row with a known id changes the keys it
    names; `remove = true` takes the row out; a row with a new id is added and must be complete. Every changed row
    must name its own `source`. Answers call the folder by its `label`, else by its path. Raises BadInput with every
    mistake.

    >>> load_rules().terrain["woods"].height
    2.0
    """
    return _shipped() if house is None else _with_house(house, label or str(house))


@cache
def _shipped() -> Rules:
    reader = _Reader()
    tables = {
        name: reader.table(read_toml(tables_folder() / f"{name}.toml", what="a rule table"), name) for name in TABLES
    }
    return reader.checked(tables)


def _with_house(house: Path, label: str) -> Rules:
    """The shipped rules under a house folder, read anew each time: a judge may have mended it."""
    if not _is_folder(house):
        raise bad("expected a folder of rule tables (house rules)", file=str(house))
    reader = _Reader()
    tables = dict(_shipped().tables)
    for path in sorted(house.glob("*.toml")):
        if path.stem not in TABLES:
            message = f"there is no such table; {nearest_of(path.stem, TABLES)}"
            reader.mistakes.append(Mistake(message, file=str(path)))
            continue
        try:
            document = read_toml(path, what="a rule table")
        except BadInput as error:
            reader.mistakes += error.mistakes
            continue
        tables[path.stem] = reader.overlay(document, tables[path.stem], label)
    return reader.checked(tables)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file system takes
        return False


@dataclass
class _Reader:
    """Reads tables and collects their mistakes."""

    mistakes: list[Mistake] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    placed: dict[tuple[str, str], tuple[Document, int]] = field(default_factory=dict)

    def checked(self, tables: dict[str, Table]) -> Rules:
        """The rules of these tables, or BadInput with every mistake of reading, or else of the cross-checks."""
        if not self.mistakes:
            rules = Rules(tables, removed=tuple(self.removed))
            self.mistakes += [self._at_home(mistake) for check in CHECKS for mistake in check(rules)]
        if self.mistakes:
            raise BadInput(self.mistakes)
        return rules

    def _at_home(self, mistake: Mistake) -> Mistake:
        """A mistake of a cross-check, placed at the row of the house file that made it."""
        found = self.placed.get((Path(mistake.file).stem, mistake.id))
        return found[0].mistake(("row", found[1]), mistake.message, id=mistake.id) if found else mistake

    def table(self, document: Document, name: str) -> Table:
        """A table as it is shipped."""
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
            name = str(data.get("id", ""))
            known = rows.get(name)
            self.placed[table.name, name] = (document, index)
            if "remove" in data:
                self._remove(document, index, data, rows, table.name)
                continue
            if known is not None:
                if "source" not in data:
                    message = "is missing: a changed row names its own source"
                    self.mistakes.append(document.mistake(("row", index, "source"), message, id=name))
                    continue
                data = known.model_dump(exclude_none=True, exclude={"overlay"}) | data
            row = self._row(document, TABLES[table.name], data, index)
            if row is not None and self._unless_repeated(document, index, row, seen):
                rows[row.id] = row.model_copy(update={"overlay": house})
        order = ORDER.get(table.name)
        laid = sorted(rows.values(), key=lambda row: getattr(row, order)) if order else rows.values()
        return Table(table.name, table.title, tuple(laid))

    def _remove(self, document: Document, index: int, data: dict[str, Any], rows: dict[str, Row], table: str) -> None:
        name = str(data.get("id", ""))
        if data["remove"] is not True:
            message = f"expected true, not {shown(data['remove'])}"
            self.mistakes.append(document.mistake(("row", index, "remove"), message, id=name))
        elif name not in rows or len(data) > 2:
            message = "remove = true goes with the id of a known row and nothing else"
            self.mistakes.append(document.mistake(("row", index), message, id=name))
        else:
            del rows[name]
            self.removed.append(f"{table}/{name}")

    def _raw_rows(self, document: Document, *, title: bool) -> list[dict[str, Any]]:
        rows = document.data.get("row", [])
        for key in document.data:
            if key not in ("row", "title"):
                self.mistakes.append(document.mistake((key,), "is no key that is known here; known: title, row"))
        if (title or "title" in document.data) and not isinstance(document.data.get("title"), str):
            self.mistakes.append(document.mistake(("title",), "expected a title in quotes"))
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.mistakes.append(document.mistake(("row",), "expected rows, each under [[row]]"))
            return []
        return rows

    def _row(self, document: Document, kind: type[Row], data: dict[str, Any], index: int) -> Row | None:
        if "overlay" in data:
            name = str(data.get("id", ""))
            self.mistakes.append(document.mistake(("row", index, "overlay"), "is no key that is known here", id=name))
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
