"""The catalogue of vehicles and guns: types that a scenario may name without describing them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from minis.board.schema import TypeEntry
from minis.errors import BadInput, Mistake
from minis.rules.load import tables_folder
from minis.toml_file import read_toml, validate

FOLDER = "units"


class CatalogueEntry(TypeEntry):
    """[[unit]] of a catalogue file: the keys of a type, with its id, its name and its source."""

    id: Annotated[str, Field(min_length=1)]
    label: Annotated[str, Field(min_length=1)]
    rule: Annotated[str, Field(min_length=1)]
    source: Literal["seed", "ruling", "house", "asl"]


def catalogue(house: Path | None = None) -> Mapping[str, CatalogueEntry]:
    """Every type of `tables/units/`, those of a house folder's `units/` in front; raises BadInput with every mistake.

    >>> catalogue()["panzer-iv-h"].nation
    'german'
    """
    return _shipped() if house is None else MappingProxyType({**_shipped(), **_read(house)})


@cache
def _shipped() -> Mapping[str, CatalogueEntry]:
    return MappingProxyType(_read(tables_folder()))


def _read(folder: Path) -> dict[str, CatalogueEntry]:
    """The catalogue of one folder."""
    mistakes: list[Mistake] = []
    found: dict[str, CatalogueEntry] = {}
    for path in sorted((folder / FOLDER).glob("*.toml")):
        try:
            document = read_toml(path, what="a catalogue of units")
        except BadInput as error:
            mistakes += error.mistakes
            continue
        for key in document.data:
            if key not in ("title", "unit"):
                mistakes.append(document.mistake((key,), "is no key that is known here; known: title, unit"))
        entries = document.data.get("unit", [])
        if not isinstance(entries, list):
            mistakes.append(document.mistake(("unit",), "expected tables, each under [[unit]]"))
            continue
        for index, data in enumerate(entries):
            name = str(data.get("id", "")) if isinstance(data, dict) else ""
            entry, faults = validate(document, CatalogueEntry, data, at=("unit", index), id=name)
            mistakes += faults
            if entry is not None and entry.id in found:
                mistakes.append(document.mistake(("unit", index, "id"), "this id stands twice", id=entry.id))
            elif entry is not None:
                found[entry.id] = entry
    if mistakes:
        raise BadInput(mistakes)
    return found
