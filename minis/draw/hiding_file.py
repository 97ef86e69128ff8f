"""The answer of `minis plan hide --json`, read back to be drawn: its places, and nothing that it says of others."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from minis.board.board import Board
from minis.board.units import Unit
from minis.errors import bad
from minis.lengths import to_grid
from minis.plan.spots import place_unit

Inches = Annotated[float, Field(allow_inf_nan=False)]

MOST = 100
"""The most places of a picture, as many as `minis plan hide` lists."""


class _Answer(BaseModel):
    """Other keys are not read: in the judge's answer they name units that a side may not know of."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class FoundPlace(_Answer):
    """A place of the answer: inches, degrees, points."""

    at: Annotated[list[Inches], Field(min_length=2, max_length=2)]
    facing: Inches
    score: Inches
    storey: Annotated[int, Field(ge=0)] | None = None
    way_out: Annotated[list[Inches], Field(min_length=2, max_length=2)] | None = None


class FoundPlaces(_Answer):
    """The places of a zone for a unit, best first, and the lanes they were looked at for."""

    unit: str
    zone: str
    lanes: list[str]
    target: str
    places: Annotated[list[FoundPlace], Field(max_length=MOST)]


def read_hiding(text: str, name: str) -> FoundPlaces:
    """The places in the answer of `minis plan hide --json`; raises BadInput that says what is wrong with it.

    >>> read_hiding('{"unit": "G", "zone": "z", "lanes": [], "target": "vehicle", "places": []}', "plan.json").zone
    'z'
    >>> read_hiding("[]", "plan.json")
    Traceback (most recent call last):
    minis.errors.BadInput: plan.json: expected the answer of `minis plan hide --json`: Input should be an object
    """
    try:
        return FoundPlaces.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        at = f" at {where}" if where else ""
        raise bad(f"expected the answer of `minis plan hide --json`{at}: {first['msg']}", file=name) from None


def placed(board: Board, unit: Unit, found: FoundPlaces, name: str) -> list[Unit]:
    """The unit at each place of an answer; raises BadInput where one is off the table."""
    units = []
    for number, place in enumerate(found.places, start=1):
        for x, y in (place.at, *([place.way_out] if place.way_out else [])):
            if not (0 <= x <= board.width_in and 0 <= y <= board.depth_in):
                raise bad(f"place {number}: {x:g},{y:g} is off the table of this scenario", file=name)
        facing = math.fmod(place.facing, 360.0) % 360.0
        there = place_unit(unit, (to_grid(place.at[0]), to_grid(place.at[1])), facing, place.storey)
        units.append(replace(there, hidden=True))
    return units
