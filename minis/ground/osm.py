"""Tags of OpenStreetMap to terrain: what a thing with these tags and this shape is on the table."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from minis.ground.report import MOST, one_line
from minis.ground.scenario_text import Piece
from minis.rules.effect_rows import rows_of
from minis.rules.ground_rows import NOTHING, OsmRow, ground_number, tellable
from minis.rules.model import Rules

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

READ = {"building:levels", "height", "type", "area", "kind", "id"}
"""Keys that are read, or that say only what a thing is in the file."""

_NUMBER = re.compile(r"\s*(\d{1,4}(?:\.\d{1,6})?)\s*(m|ft)?\s*")


@dataclass
class Reader:
    """Makes pieces of things with tags, and counts what it leaves out and what it does not understand.

    `per_metre` is inches of the table for a metre of the ground.
    """

    rules: Rules
    per_metre: float
    left_out: Counter[str] = field(default_factory=Counter)
    details: Counter[str] = field(default_factory=Counter)
    not_understood: Counter[str] = field(default_factory=Counter)
    without_storeys: int = 0

    @cached_property
    def rows(self) -> dict[tuple[str, str], OsmRow]:
        """The rows of the table osm by key and value."""
        return {(row.key, row.value): row for row in rows_of(self.rules, "osm", OsmRow)}

    @cached_property
    def keys(self) -> set[str]:
        """Keys that the table osm knows."""
        return {row.key for row in self.rows.values()}

    @cached_property
    def storey_height(self) -> float:
        """Metres of a storey."""
        return ground_number(self.rules, "storey-height")

    def row_of(self, tags: Mapping[str, str]) -> OsmRow | None:
        """The row that says what these tags are: the lowest rank, and then the one that names its value."""
        found = [row for key, value in tags.items() for row in self._rows_of(key, value)]
        return min(found, key=lambda row: (row.rank, row.value == "*", row.id), default=None)

    def _rows_of(self, key: str, value: str) -> list[OsmRow]:
        """The rows of a tag; one of several values, as in lane;parking, is each of them."""
        named = [self.rows[key, part.strip()] for part in value.split(";") if (key, part.strip()) in self.rows]
        return named or [self.rows[key, "*"]] if (key, "*") in self.rows or named else []

    def piece(self, name: str, tags: Mapping[str, str], shape: BaseGeometry) -> Piece | None:
        """The piece of a thing in table inches; None where it is none, which is counted."""
        row = self.row_of(tags)
        self._count_the_rest(tags, row)
        if row is None:
            return None
        tag = one_line(f"{row.key}={tags[row.key]}", MOST)
        if row.kind == NOTHING or not tellable(self.rules, row.kind):
            self.left_out[f"{tag} ({row.label})"] += 1
            return None
        shape = _of_most_dimensions(shape)
        if shape.geom_type in ("Point", "MultiPoint"):
            self.not_understood[f"{tag} (a point: no {row.kind} has a shape of its own)"] += 1
            return None
        made = self._shape(row, shape)
        if made is None:
            self.not_understood[f"{tag} (a line, and the row {row.id} has no width)"] += 1
            return None
        kind = self.rules.terrain[row.kind]
        storeys = self._storeys(tags, row) if kind.height == "storey" else None
        return Piece(
            row.kind, f"{row.prefix or row.kind}-{number_of(name)}", made,
            storeys=storeys, material=row.material, note=f"{one_line(name, MOST)} {tag}",
        )  # fmt: skip

    def _shape(self, row: OsmRow, shape: BaseGeometry) -> BaseGeometry | None:
        """The shape of the kind: a line around an area, an area along a line, or as it is."""
        is_line = shape.geom_type in ("LineString", "MultiLineString")
        if self.rules.terrain[row.kind].shape == "line":
            return shape if is_line else shape.boundary
        if not is_line:
            return shape
        if row.width is None:
            return None
        return shape.buffer(row.width * self.per_metre / 2, quad_segs=4, cap_style="flat", join_style="round")

    def _storeys(self, tags: Mapping[str, str], row: OsmRow) -> int:
        """Storeys of a building: its levels, halves rounded up; else its height; else those of its row; else 1."""
        levels = _NUMBER.fullmatch(tags.get("building:levels", ""))
        if levels and levels[2] is None:
            return min(60, max(1, math.floor(float(levels[1]) + 0.5)))
        height = _NUMBER.fullmatch(tags.get("height", ""))
        for key, found in (("building:levels", levels), ("height", height)):
            if key in tags and found is None:
                self.not_understood[f"{key}={tags[key]}"] += 1
        if height:
            metres = float(height[1]) * (0.3048 if height[2] == "ft" else 1)
            return min(60, max(1, math.floor(metres / self.storey_height + 0.5)))
        self.without_storeys += 1
        return row.storeys or 1

    def _count_the_rest(self, tags: Mapping[str, str], row: OsmRow | None) -> None:
        """Count the tags that no row knows: details of what is known, and of others what is not understood."""
        known = row is not None or not self.keys.isdisjoint(tags)
        for key, value in tags.items():
            if key in READ or self._rows_of(key, value):
                continue
            if key in self.keys:
                self.not_understood[f"{key}={value}"] += 1
            elif not known:
                self.not_understood[f"{key}=*"] += 1
            else:
                self.details[key] += 1
        if not tags:
            self.not_understood["(no tags)"] += 1


def _of_most_dimensions(shape: BaseGeometry) -> BaseGeometry:
    """The areas of a mixed collection, or where it has none its lines."""
    import shapely

    if shape.geom_type != "GeometryCollection":
        return shape
    parts = shapely.get_parts(shapely.get_parts(shape))
    dimensions = shapely.get_dimensions(parts)
    most = parts[dimensions == dimensions.max()].tolist()
    kind = (shapely.MultiPoint, shapely.MultiLineString, shapely.MultiPolygon)[int(dimensions.max())]
    return kind(most)


def number_of(name: str) -> str:
    """The number that ends the id of a thing in a file, or the id with signs as dashes.

    >>> number_of("way/369836395"), number_of("relation/9630"), number_of("my farm")
    ('369836395', 'r9630', 'my-farm')
    """
    kind, _, number = name.rpartition("/")
    if number.isdecimal() and len(number) <= 20:
        return number if kind in ("way", "") else kind[:1] + number
    return re.sub(r"[^\w]+", "-", name).strip("-")[:60] or "piece"
