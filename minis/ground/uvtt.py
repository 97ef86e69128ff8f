"""Universal VTT maps (.dd2vtt, .df2vtt, .uvtt) in: walls and objects that block sight, from cells to table inches.

In the format y runs down, lengths are cells of the grid, and walls are written in the coordinates of the whole drawing:
the map begins at `map_origin`. It knows what blocks sight, and neither heights nor kinds; both are taken from options.
A file that `minis export uvtt` wrote carries ids, kinds and the rest in a member of its own, `minis`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minis.errors import bad
from minis.ground.json_file import read_json
from minis.ground.scenario_text import MOST_LETTERS, Piece
from minis.toml_file import path_text, shown

if TYPE_CHECKING:
    from minis.rules.model import Rules

WHAT = "a Universal VTT map (.dd2vtt, .df2vtt or .uvtt)"

WALLS, OBJECTS = "line_of_sight", "objects_line_of_sight"

MOST_CELLS, MOST_POINTS = 10_000, 2_000_000
"""No map has more cells along a side, or more points of walls."""

MOST_IN = 1e6
"""No place of a map lies farther away than this, in inches."""

JOIN_CELLS = 0.15
"""The last point of a loop of an object is this near to its first, in cells, though it is not repeated."""

Spot = tuple[float, float]


@dataclass(frozen=True)
class VttMap:
    """A map in cells, its upper left corner at 0, 0 and y running down.

    `walls` and `objects` are polylines that block sight; of a closed one the first point comes again. `portals` are
    doors and windows: both ends, and whether it is closed. `own` is what `minis export uvtt` added.
    """

    name: str
    width: float
    height: float
    walls: tuple[tuple[Spot, ...], ...]
    objects: tuple[tuple[Spot, ...], ...]
    portals: tuple[tuple[Spot, Spot, bool], ...]
    lights: int
    own: Any = None


@dataclass(frozen=True)
class Meaning:
    """What a judge says of what the format cannot: the kinds, the storeys of buildings, how thick a wall is in inches.

    `walls` are open polylines, `closed` those that come back to their beginning, `objects` those of objects. `doors` is
    the kind that a closed door becomes; None leaves a gap.
    """

    walls: str = "wall"
    closed: str = "building"
    objects: str = "building"
    doors: str | None = None
    storeys: int | None = None
    material: str | None = None
    thick_in: float = 0.25


def read_uvtt(path: Path) -> VttMap:
    """The map of a file; raises BadInput with one message where it is none."""
    data = read_json(path, what=WHAT)
    name = str(path)
    if not isinstance(data, dict) or "resolution" not in data:
        raise bad(f"has no resolution; expected {WHAT}", file=name)
    reader = _Reader(name)
    resolution = reader.table(data, "resolution", ())
    place = ("resolution",)
    size = reader.spot(resolution.get("map_size"), (*place, "map_size"))
    origin = reader.spot(resolution.get("map_origin", {"x": 0, "y": 0}), (*place, "map_origin"))
    pixels = reader.number(resolution.get("pixels_per_grid"), (*place, "pixels_per_grid"))
    if not all(0 < side <= MOST_CELLS for side in size):
        raise bad(f"resolution.map_size is {size[0]:g} by {size[1]:g}; expected 1 to {MOST_CELLS} cells", file=name)
    if not pixels > 0:
        raise bad(f"resolution.pixels_per_grid is {pixels:g}; expected a number above 0", file=name)
    walls, objects = (tuple(reader.lines(data.get(key), key, origin)) for key in (WALLS, OBJECTS))
    portals = tuple(reader.portals(data.get("portals"), origin))
    lights = data.get("lights")
    return VttMap(
        name, size[0], size[1], walls, objects, portals, len(lights) if isinstance(lights, list) else 0,
        data.get("minis"),
    )  # fmt: skip


@dataclass
class _Reader:
    """Takes values out of the data, or says where they are wrong."""

    name: str
    points: int = 0

    def table(self, data: Any, key: str, at: tuple[str | int, ...]) -> dict[str, Any]:
        value = data.get(key)
        if not isinstance(value, dict):
            raise bad(f"{path_text((*at, key))} is {shown(value)}; expected an object", file=self.name)
        return value

    def number(self, value: Any, at: tuple[str | int, ...]) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            what = "missing" if value is None else shown(value)
            raise bad(f"{path_text(at)} is {what}; expected a number", file=self.name)
        if not -1e9 < value < 1e9:
            raise bad(f"{path_text(at)} is {shown(value)}; expected a number of cells", file=self.name)
        return float(value)

    def spot(self, value: Any, at: tuple[str | int, ...], origin: Spot = (0.0, 0.0)) -> Spot:
        if not isinstance(value, dict):
            what = "missing" if value is None else shown(value)
            raise bad(f"{path_text(at)} is {what}; expected an object with x and y", file=self.name)
        return (
            self.number(value.get("x"), (*at, "x")) - origin[0],
            self.number(value.get("y"), (*at, "y")) - origin[1],
        )

    def items(self, value: Any, at: tuple[str | int, ...]) -> list[Any]:
        if value is None:
            return []
        if not isinstance(value, list):
            raise bad(f"{path_text(at)} is {shown(value)}; expected a list", file=self.name)
        self.points += len(value)
        if self.points > MOST_POINTS:
            raise bad(f"has more than {MOST_POINTS} points", file=self.name)
        return value

    def lines(self, value: Any, key: str, origin: Spot) -> Iterator[tuple[Spot, ...]]:
        for index, line in enumerate(self.items(value, (key,))):
            if not isinstance(line, list):
                raise bad(f"{path_text((key, index))} is {shown(line)}; expected a list of points", file=self.name)
            at = (key, index)
            yield tuple(self.spot(point, (*at, number), origin) for number, point in enumerate(self.items(line, at)))

    def portals(self, value: Any, origin: Spot) -> Iterator[tuple[Spot, Spot, bool]]:
        for index, portal in enumerate(self.items(value, ("portals",))):
            at = ("portals", index)
            if not isinstance(portal, dict):
                raise bad(f"{path_text(at)} is {shown(portal)}; expected an object", file=self.name)
            ends = self.items(portal.get("bounds"), (*at, "bounds"))
            if len(ends) != 2:
                raise bad(f"{path_text((*at, 'bounds'))} has {len(ends)} points; expected 2", file=self.name)
            one, other = (self.spot(end, (*at, "bounds", number), origin) for number, end in enumerate(ends))
            yield one, other, portal.get("closed") is not False


# --- what minis itself wrote -----------------------------------------------------------------------------------------


def own_pieces(found: VttMap, inches_per_cell: float) -> list[Piece] | None:
    """The terrain of a map that `minis export uvtt` wrote, with its ids and kinds; walls as they stand in it now.

    None where it did not write the map, or where walls were added or taken away since: then nobody knows which is
    which. Raises BadInput where its member of the file is damaged.
    """
    import shapely

    if found.own is None:
        return None
    lines = {WALLS: found.walls, OBJECTS: found.objects}
    to_table = _to_table(found, inches_per_cell)
    pieces = []
    try:
        if any(found.own["lines"][key] != len(lines[key]) for key in lines):
            return None
        for entry in found.own["terrain"]:
            where = entry["at"]
            if where:
                rings = [to_table(lines[key][number]) for key, number in where]
            else:
                rings = [[(float(x), float(y)) for x, y in ring] for ring in entry["rings"]]
            if not all(abs(number) <= MOST_IN for ring in rings for spot in ring for number in spot):
                raise ValueError
            shape = shapely.LineString(rings[0]) if entry["line"] else shapely.Polygon(rings[0], rings[1:])
            keys = {key: entry[key] for key in ("level", "storeys", "base", "material", "slope") if key in entry}
            if not all(isinstance(entry[key], str) and 0 < len(entry[key]) <= MOST_LETTERS for key in ("id", "kind")):
                raise TypeError
            if not all(isinstance(value, str if key == "material" else int) for key, value in keys.items()):
                raise TypeError
            pieces.append(Piece(entry["kind"], entry["id"], shape, **keys))
    except (KeyError, TypeError, IndexError, ValueError, AttributeError, shapely.GEOSException):
        raise bad("its member 'minis' is damaged; take it out, and the walls are read alone", file=found.name) from None
    return pieces


# --- to pieces -------------------------------------------------------------------------------------------------------


def pieces_of(found: VttMap, rules: Rules, meaning: Meaning, inches_per_cell: float) -> list[Piece]:
    """The terrain of a map in table inches, as it is drawn: for `clean` to repair and to clip.

    Ids are wall-N, loop-N, object-N and door-N, N counted as in the file. Raises BadInput for a kind that is not known.
    """
    for kind in (meaning.walls, meaning.closed, meaning.objects, *([meaning.doors] if meaning.doors else [])):
        if kind not in rules.terrain or rules.terrain[kind].has_level:
            known = ", ".join(sorted(name for name, row in rules.terrain.items() if not row.has_level))
            raise bad(f"there is no kind of terrain {kind!r} for walls; known: {known}")
    to_table = _to_table(found, inches_per_cell)
    pieces: list[Piece] = []
    for number, line in enumerate(found.walls, 1):
        closed = len(line) > 3 and line[0] == line[-1]
        name, kind = (f"loop-{number}", meaning.closed) if closed else (f"wall-{number}", meaning.walls)
        pieces += _piece(name, kind, to_table(line), closed, rules, meaning)
    for number, line in enumerate(found.objects, 1):
        closed = len(line) > 2 and (line[0] == line[-1] or _near(line[0], line[-1], line))
        around = (*line, line[0]) if closed and line[0] != line[-1] else line
        pieces += _piece(f"object-{number}", meaning.objects, to_table(around), closed, rules, meaning)
    for number, (one, other, shut) in enumerate(found.portals, 1):
        if shut and meaning.doors:
            pieces += _piece(f"door-{number}", meaning.doors, to_table((one, other)), False, rules, meaning)
    return pieces


def _near(one: Spot, other: Spot, line: Sequence[Spot]) -> bool:
    """True where the ends of a line are as near to each other as its points are, or nearly so."""
    longest = max(math.dist(a, b) for a, b in pairwise(line))
    return math.dist(one, other) <= max(longest, JOIN_CELLS)


def _to_table(found: VttMap, inches_per_cell: float) -> Callable[[Sequence[Spot]], list[Spot]]:
    """From cells of the map to inches of the table, whose y runs up."""

    def convert(line: Sequence[Spot]) -> list[Spot]:
        return [(x * inches_per_cell, (found.height - y) * inches_per_cell) for x, y in line]

    return convert


def _piece(name: str, kind: str, line: Sequence[Spot], closed: bool, rules: Rules, meaning: Meaning) -> Iterator[Piece]:
    """The piece of a polyline: a line, an area, or for an open wall of an area kind a strip as thick as it is."""
    import shapely

    row = rules.terrain[kind]
    line = [spot for index, spot in enumerate(line) if index == 0 or spot != line[index - 1]]
    if len(line) < 2:
        return
    storeys = meaning.storeys if row.height == "storey" else None
    material = meaning.material if kind in ("building", "rubble") else None
    shape: Any
    if row.shape == "line":
        shape = shapely.LineString(line)
    elif closed and len(line) > 3:
        shape = shapely.Polygon(line)
    else:
        shape = shapely.LineString(line).buffer(meaning.thick_in / 2, cap_style="flat", join_style="mitre")
    yield Piece(kind, name, shape, storeys=storeys, material=material)
