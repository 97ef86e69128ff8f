"""Where a table lies on the earth, as a member that `minis` writes into files of other formats and reads back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from minis.board.place import Place, metres_per_inch
from minis.board.schema import REACH_IN, PlaceEntry
from minis.errors import BadInput, bad
from minis.toml_file import shown

KEYS = ("centre", "bearing", "scale", "level_heights", "exaggeration", "credit")
"""The members that are keys of [table.place]."""

SAME_IN = 0.001
"""A table is as large as its mark says where its sides are so near to it, in inches."""


def mark_of(place: Place) -> dict[str, Any]:
    """A place as members of a mark; what stands in no [table.place] is left out.

    >>> mark_of(Place(26.9, 60.5, 0, "1in=25m", (20, 40)))
    {'centre': [26.9, 60.5], 'bearing': 0, 'scale': '1in=25m', 'level_heights': [20, 40]}
    """
    found: dict[str, Any] = {"centre": [place.lon, place.lat], "bearing": place.bearing, "scale": place.scale}
    if place.level_heights:
        found["level_heights"] = list(place.level_heights)
    if place.exaggeration is not None:
        found["exaggeration"] = place.exaggeration
    if place.credit:
        found["credit"] = place.credit
    return found


def read_mark(mark: Mapping[str, Any], *, file: str, member: str) -> Place:
    """The place that a mark tells; members of it that are no keys of [table.place] are passed over.

    Raises BadInput that names the file and the member that is wrong.

    >>> read_mark({"centre": [26.9, 160.5], "scale": "1in=25m"}, file="a.geojson", member="minis")
    Traceback (most recent call last):
    minis.errors.BadInput: a.geojson: minis.centre is [26.9, 160.5]; expected longitude and latitude, degrees
    """
    given = {key: mark[key] for key in KEYS if key in mark}
    for key in ("centre", "scale"):
        if key not in given:
            raise bad(f"{member}.{key} is missing", file=file)
    try:
        entry = PlaceEntry.model_validate_json(json.dumps(given))
    except ValidationError as error:
        key = str(error.errors()[0]["loc"][0])
        raise bad(f"{member}.{key} is {shown(given[key])}; expected {_WANTED[key]}", file=file) from None
    lon, lat = entry.centre
    try:
        metres_per_inch(entry.scale)
    except BadInput as error:
        raise bad(f"{member}.scale: {error.mistakes[0].message}", file=file) from None
    heights = tuple(entry.level_heights)
    if list(heights) != sorted(set(heights)):
        raise bad(f"{member}.level_heights do not rise from level to level", file=file)
    return Place(lon, lat, entry.bearing, entry.scale, heights, entry.exaggeration, entry.credit)


_WANTED = {
    "centre": "longitude and latitude, degrees",
    "bearing": "degrees from -360 to 360",
    "scale": "a scale such as 1in=25m",
    "level_heights": "heights in metres",
    "exaggeration": "a number above 0, at most 1000",
    "credit": "a line of text",
}


def read_size(mark: Mapping[str, Any], default: tuple[float, float], *, file: str, member: str) -> tuple[float, float]:
    """Width and depth in inches that a mark tells, each else the default; raises BadInput that names the member."""
    sides = []
    for key, side in zip(("width", "depth"), default, strict=True):
        value = mark.get(key, side)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= REACH_IN:
            raise bad(f"{member}.{key} is {shown(value)}; expected inches, above 0, at most {REACH_IN:g}", file=file)
        sides.append(float(value))
    return sides[0], sides[1]


def place_if_same(
    mark: Any, size_in: tuple[float, float], *, file: str, member: str
) -> tuple[Place | None, str, tuple[str, ...]]:
    """The place that a mark tells of a table of this size, what has to be said of its data, and what to look at.

    Where the table has another size now, its middle or its scale is another too: the place is given up, not the credit.
    Raises BadInput for a mark that is damaged.
    """
    if mark is None:
        return None, "", ()
    if not isinstance(mark, dict):
        raise bad(f"{member} is {shown(mark)}; expected where the table lies on the earth", file=file)
    place = read_mark(mark, file=file, member=member)
    was = read_size(mark, size_in, file=file, member=member)
    if all(abs(one - other) <= SAME_IN for one, other in zip(was, size_in, strict=True)):
        return place, place.credit, ()
    return None, place.credit, ("where the table lies on the earth is given up: it has another size now",)
