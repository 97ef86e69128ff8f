"""Read raw OpenStreetMap XML (.osm): nodes, ways and multipolygons with their tags, streamed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from xml.parsers import expat

from minis.errors import BadInput, Mistake, bad
from minis.ground.project import fault_of
from minis.ground.things import Source, Thing
from minis.toml_file import read_text, shown

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

WHAT = "OpenStreetMap XML"
AREA_KEYS = ("building", "landuse", "leisure", "natural", "waterway", "amenity")
"""A closed way with one of these is an area; with others a line, unless it says area=yes."""
LINES = {("natural", "tree_row"), ("natural", "cliff"), ("natural", "coastline"), ("natural", "ridge")}
AREA_WATERWAYS = ("riverbank", "dock", "boatyard")
DEEPEST = 8
"""Elements stand no deeper than this in any OpenStreetMap file."""

Node = tuple[float, float]


def read_osm(path: Path) -> Source:
    """The things of an .osm file: tagged nodes, ways and multipolygon relations.

    A closed way is an area where its tags say so. Raises BadInput for a file that is no OpenStreetMap XML, and for
    nodes that are no longitude and latitude.
    """
    text = read_text(path, what=WHAT)
    found = _Handler(str(path))
    found.parse(text)
    if not found.things:
        raise bad(f"has nothing with tags; expected {WHAT}", file=str(path))
    remarks = []
    if found.dangling:
        remarks.append(f"{found.dangling} references to nodes or ways that are not in the file were passed over")
    if found.open_rings:
        remarks.append(f"{found.open_rings} areas are not whole in the file and were left out")
    return Source(str(path), tuple(found.things), attribution=found.attribution, remarks=tuple(remarks))


class _Handler:
    """What the parser calls, and what it has read so far."""

    def __init__(self, name: str):
        self.name = name
        self.things: list[Thing] = []
        self.attribution = ""
        self.dangling = self.open_rings = 0
        self._depth = 0
        self._nodes: dict[str, Node] = {}
        self._ways: dict[str, list[Node]] = {}
        self._tags: dict[str, str] = {}
        self._refs: list[str] = []
        self._members: list[tuple[str, str]] = []
        self._id = ""
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype

    def parse(self, text: str) -> None:
        """Read the whole text; raises BadInput with the line of what is wrong."""
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as error:
            words = expat.ErrorString(error.code)
            message = f"this is not whole XML: {words}; expected {WHAT}"
            raise BadInput([Mistake(message, self.name, error.lineno, error.offset + 1)]) from None

    def _wrong(self, message: str) -> BadInput:
        return BadInput([Mistake(message, self.name, self._parser.CurrentLineNumber)])

    def _doctype(self, *_: object) -> None:
        raise self._wrong(f"declares a document type, which no {WHAT} does")

    def _start(self, element: str, given: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and element != "osm":
            raise self._wrong(f"begins with <{element[:40]}>; expected {WHAT}, which begins with <osm>")
        if self._depth > DEEPEST:
            raise self._wrong(f"is nested too deeply; expected {WHAT}")
        match element:
            case "osm":
                self.attribution = ", ".join(given[key] for key in ("copyright", "license") if key in given)
            case "node" | "way" | "relation":
                self._id, self._tags, self._refs, self._members = self._get(given, "id", element), {}, [], []
                if element == "node" and given.get("visible") != "false":
                    self._nodes[self._id] = self._place(given)
            case "tag":
                self._tags[self._get(given, "k", element)] = self._get(given, "v", element)
            case "nd":
                self._refs.append(self._get(given, "ref", element))
            case "member":
                if given.get("type") == "way":
                    self._members.append((self._get(given, "ref", element), given.get("role", "")))

    def _end(self, element: str) -> None:
        self._depth -= 1
        match element:
            case "node":
                if self._tags and self._id in self._nodes:
                    self._add("node", _point(self._nodes[self._id]))
            case "way":
                self._way()
            case "relation":
                if self._tags.get("type") in ("multipolygon", "boundary"):
                    self._relation()

    def _way(self) -> None:
        places = [self._nodes[ref] for ref in self._refs if ref in self._nodes]
        self.dangling += len(self._refs) - len(places)
        self._ways[self._id] = places
        if not self._tags or len(set(places)) < 2:
            return
        closed = len(set(places)) > 2 and places[0] == places[-1]
        self._add("way", _area([places], []) if closed and is_area(self._tags) else _line(places))

    def _relation(self) -> None:
        there = [(self._ways[ref], role) for ref, role in self._members if ref in self._ways]
        self.dangling += len(self._members) - len(there)
        outer = joined([way for way, role in there if role != "inner"])
        inner = joined([way for way, role in there if role == "inner"])
        if outer is None or inner is None or not outer:
            self.open_rings += 1
            return
        self._add("relation", _area(outer, inner))

    def _add(self, kind: str, shape: BaseGeometry) -> None:
        self.things.append(Thing(f"{kind}/{self._id}", dict(self._tags), shape))

    def _get(self, given: Mapping[str, str], key: str, element: str) -> str:
        if key not in given:
            raise self._wrong(f"<{element}> has no {key}; expected {WHAT}")
        return given[key]

    def _place(self, given: Mapping[str, str]) -> Node:
        lon, lat = self._get(given, "lon", "node"), self._get(given, "lat", "node")
        try:
            place = float(lon), float(lat)
        except ValueError:
            raise self._wrong(f"expected a longitude and a latitude, not {shown(lon)}, {shown(lat)}") from None
        fault = fault_of(*place)
        if fault:
            raise self._wrong(fault)
        return place


def is_area(tags: Mapping[str, str]) -> bool:
    """True where a closed way with these tags is the area in it, not the line around it.

    >>> is_area({"building": "yes"}), is_area({"barrier": "wall"}), is_area({"highway": "service", "area": "yes"})
    (True, False, True)
    """
    if "area" in tags:
        return tags["area"] != "no"
    if tags.get("waterway") is not None and tags["waterway"] not in AREA_WATERWAYS:
        return any(key in tags for key in AREA_KEYS if key != "waterway")
    return any(key in tags and (key, tags[key]) not in LINES for key in AREA_KEYS)


def joined(ways: list[list[Node]]) -> list[list[Node]] | None:
    """Closed rings of ways that meet end to end; None where one does not close.

    >>> joined([[(0, 0), (1, 0), (1, 1)], [(0, 0), (0, 1), (1, 1)]])
    [[(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]]
    >>> joined([[(0, 0), (1, 0), (1, 1)]])
    """
    left = [way for way in ways if len(way) > 1]
    rings = []
    while left:
        ring = list(left.pop(0))
        while ring[0] != ring[-1]:
            found = next((way for way in left if ring[-1] in (way[0], way[-1])), None)
            if found is None:
                return None
            left.remove(found)
            ring += found[1:] if found[0] == ring[-1] else found[-2::-1]
        if len(set(ring)) < 3:
            return None
        rings.append(ring)
    return rings


def _point(place: Node) -> BaseGeometry:
    import shapely

    return shapely.Point(place)


def _line(places: list[Node]) -> BaseGeometry:
    import shapely

    return shapely.LineString(places)


def _area(outer: list[list[Node]], inner: list[list[Node]]) -> BaseGeometry:
    """An area of outer rings, and holes that each lie in one of them."""
    import shapely

    shells = [shapely.Polygon(ring) for ring in outer]
    holes: list[list[list[Node]]] = [[] for _ in shells]
    for ring in inner:
        inside = shapely.Polygon(ring).representative_point()
        at = next((index for index, shell in enumerate(shells) if shell.contains(inside)), 0)
        holes[at].append(ring)
    areas = [shapely.Polygon(shell, own) for shell, own in zip(outer, holes, strict=True)]
    return areas[0] if len(areas) == 1 else shapely.MultiPolygon(areas)
