"""What is sound in a scenario and may still not be meant so, each with where it stands: `minis lint`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from minis.board.board import Board
from minis.board.geojson import terrain_features
from minis.ground.lint_finding import Finding
from minis.ground.lint_ground import ground_findings
from minis.ground.lint_units import unit_findings
from minis.ground.parts import LISTS
from minis.toml_file import Document, PathKey


@dataclass(frozen=True)
class Placed:
    """A finding with the file, the line and the column where the piece stands; no line where the file has none."""

    finding: Finding
    file: str
    line: int | None
    column: int | None

    @property
    def where(self) -> str:
        """The place as editors take it.

        >>> Placed(Finding("zone", "T1", "why"), "a.toml", 3, 1).where
        'a.toml:3:1'
        """
        return self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"


def lint(document: Document, board: Board) -> tuple[Placed, ...]:
    """Everything that may not be meant in a scenario, in the order of its lines; `board` is what the document says.

    Looked for are overlaps that make no sense, pieces over two levels, slivers, bases in walls and in each other,
    hidden units outside their zones, ground that no vehicle reaches, dummies that give themselves away or are too many
    (S11.2), passengers elsewhere (S11.1), types and zones that nobody uses.
    """
    places = _places(document)
    used = {unit.get("type") for unit in document.data.get("unit", [])}
    idle = [
        Finding("unused", name, "no unit is of this type", remark=True)
        for name in document.data.get("types", {})
        if name not in used
    ]
    found = [*ground_findings(board), *unit_findings(board, _without_tokens(document)), *idle]
    placed = [_placed(finding, places, document) for finding in found]
    files = list(dict.fromkeys([document.name, *(one.file for one in placed)]))
    return tuple(sorted(placed, key=lambda one: (files.index(one.file), one.line or 0)))


def _places(document: Document) -> dict[str, tuple[Document, PathKey]]:
    """Where each piece stands: its document and the path in it."""
    data = document.data
    found: dict[str, tuple[Document, PathKey]] = {}
    name = data.get("terrain_from")
    if name is not None:
        other, features, _ = terrain_features(Path(document.name).parent / name)
        found |= {str(keys.get("id")): (other, place) for place, keys in features}
    for section in LISTS:
        found |= {item["id"]: (document, (section, number)) for number, item in enumerate(data.get(section, []))}
    return {name: (document, ("types", name)) for name in data.get("types", {})} | found


def _placed(finding: Finding, places: dict[str, tuple[Document, PathKey]], document: Document) -> Placed:
    where, path = places.get(finding.id, (document, ("unit",)))
    told = where.mistake((*path, finding.key) if finding.key else path, "")
    return Placed(finding, where.name, told.line, told.column)


def _without_tokens(document: Document) -> Iterable[str]:
    """Ids of the dummies whose token has no name of its own."""
    return [unit["id"] for unit in document.data.get("unit", []) if unit.get("dummy") and "token" not in unit]
