"""The catalogue of vehicles and guns: types that a scenario may name without describing them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
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


@cache
def catalogue(house: Path | None = None) -> dict[str, CatalogueEntry]:
    """Every type of `tables/units/`, those of a house folder's `units/` in front; raises BadInput with every mistake.

    >>> catalogue()["panzer-iv-h"].nation
    'german'
    """
    mistakes: list[Mistake] = []
    found: dict[str, CatalogueEntry] = {}
    for folder in (tables_folder(), *([house] if house is not None else [])):
        own: dict[str, CatalogueEntry] = {}
        for path in sorted((folder / FOLDER).glob("*.toml")):
            document = read_toml(path, what="a catalogue of units")
            for index, data in enumerate(document.data.get("unit", [])):
                name = str(data.get("id", "")) if isinstance(data, dict) else ""
                entry, faults = validate(document, CatalogueEntry, data, at=("unit", index), id=name)
                mistakes += faults
                if entry is not None and entry.id in own:
                    mistakes.append(document.mistake(("unit", index, "id"), "this id stands twice", id=entry.id))
                elif entry is not None:
                    own[entry.id] = entry
        found |= own
    if mistakes:
        raise BadInput(mistakes)
    return found
