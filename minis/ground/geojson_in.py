"""Read GeoJSON in longitude and latitude: things with tags and shapes, or one message that says what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from minis.board.geojson import MARK, read_collection
from minis.errors import BadInput, Mistake, bad
from minis.ground.project import fault_of
from minis.ground.things import Source, Thing
from minis.toml_file import path_text, shown

if TYPE_CHECKING:
    from shapely.geometry import Polygon
    from shapely.geometry.base import BaseGeometry

WHAT = "GeoJSON in longitude and latitude"
WGS84 = ("CRS84", "EPSG::4326", "EPSG:4326", "OGC:CRS84")
MOST_MISTAKES = 20
"""So many mistakes of a file are told; the rest are counted."""


def read_geojson(path: Path) -> Source:
    """The things of a GeoJSON file with their tags, in longitude and latitude.

    Raises BadInput where the file is none, where it is in table inches or another system, and for every place that
    is no longitude and latitude.
    """
    data = read_collection(path, what=WHAT)
    name = str(path)
    mark = data.get(MARK)
    mark = mark if isinstance(mark, dict) else {}
    if mark and mark.get("units") != "degrees":
        message = "is marked as table inches: it is no real ground; a scenario reads it with terrain_from"
        raise bad(message, file=name)
    _check_system(data, name)
    things, mistakes = [], []
    without_shape = 0
    for index, feature in enumerate(data["features"]):
        at = ("features", index)
        if not isinstance(feature, dict) or feature.get("type", "Feature") != "Feature":
            mistakes.append(Mistake("expected a feature", file=name, path=path_text(at)))
            continue
        keys = feature.get("properties")
        given = feature.get("id", keys.get("id") if isinstance(keys, dict) else None)
        own = str(given) if isinstance(given, str | int) and not isinstance(given, bool) else f"feature-{index + 1}"
        if keys is not None and not isinstance(keys, dict):
            mistakes.append(Mistake(f"expected properties, not {shown(keys)}", name, path=path_text(at), id=own))
            continue
        if feature.get("geometry") is None:
            without_shape += 1
            continue
        try:
            shape = _shape(feature["geometry"])
        except ValueError as error:
            mistakes.append(Mistake(str(error), file=name, path=path_text((*at, "geometry")), id=own))
            continue
        things.append(Thing(own, keys or {}, shape))
    if mistakes:
        more = len(mistakes) - MOST_MISTAKES
        told = mistakes[:MOST_MISTAKES]
        raise BadInput([*told, Mistake(f"and {more} more mistakes", file=name)] if more > 0 else told)
    if not things:
        raise bad(f"has no features with a geometry; expected {WHAT}", file=name)
    credit = next((str(data[key]) for key in ("attribution", "copyright", "licence", "license") if data.get(key)), "")
    return Source(name, tuple(things), attribution=credit, mark=mark, without_shape=without_shape)


def _check_system(data: dict[str, Any], name: str) -> None:
    """GeoJSON is in longitude and latitude on WGS84 unless it names another system, which is refused."""
    if "crs" not in data:
        return
    crs = data["crs"]
    keys = crs.get("properties") if isinstance(crs, dict) else None
    named = keys.get("name") if isinstance(keys, dict) else None
    if isinstance(named, str) and named.upper().endswith(WGS84):
        return
    unknown = f"names no system that is known: crs is {'null' if crs is None else shown(crs)}"
    what = f"is in the system {named}" if isinstance(named, str) else unknown
    raise bad(f"{what}; expected {WHAT} (WGS84, EPSG:4326): convert it first", file=name)


def _shape(shape: Any) -> BaseGeometry:
    """The shape of a feature; raises ValueError with what is wrong with it."""
    import shapely

    kind = shape.get("type") if isinstance(shape, dict) else None
    if kind == "GeometryCollection":
        parts = shape.get("geometries")
        if not isinstance(parts, list) or not parts:
            raise ValueError("a GeometryCollection without geometries")
        if any(isinstance(part, dict) and part.get("type") == "GeometryCollection" for part in parts):
            raise ValueError("a GeometryCollection within another")
        return shapely.GeometryCollection([_shape(part) for part in parts])
    places = shape.get("coordinates") if isinstance(shape, dict) else None
    if not isinstance(places, list):
        raise ValueError(f"expected a geometry with a type and coordinates, not {shown(shape)}")
    if kind in ("MultiPolygon", "MultiLineString", "MultiPoint") and not places:
        raise ValueError(f"a {kind} without parts")
    match kind:
        case "Point":
            return shapely.Point(_place(places))
        case "MultiPoint":
            return shapely.MultiPoint([_place(place) for place in places])
        case "LineString":
            return shapely.LineString(_line(places))
        case "MultiLineString":
            return shapely.MultiLineString([_line(line) for line in places])
        case "Polygon":
            return _area(places)
        case "MultiPolygon":
            return shapely.MultiPolygon([_area(rings) for rings in places])
    raise ValueError(f"expected a Polygon, a LineString or a Point, not {shown(kind)}")


def _area(rings: Any) -> Polygon:
    import shapely

    if not isinstance(rings, list) or not rings:
        raise ValueError("expected the rings of a polygon")
    read = [_line(ring, least=3, what="a ring") for ring in rings]
    return shapely.Polygon(read[0], read[1:])


def _line(places: Any, *, least: int = 2, what: str = "a line") -> list[tuple[float, float]]:
    if not isinstance(places, list):
        raise ValueError(f"expected the places of {what}, not {shown(places)}")
    read = [_place(place) for place in places]
    if len(set(read)) < least:
        raise ValueError(f"{what} has {least} different places or more, not {len(set(read))}")
    return read


def _place(place: Any) -> tuple[float, float]:
    if not isinstance(place, list) or len(place) < 2:
        raise ValueError(f"expected a place [longitude, latitude], not {shown(place)}")
    lon, lat = place[0], place[1]
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in (lon, lat)):
        raise ValueError(f"expected a place [longitude, latitude] of numbers, not {shown(place)}")
    if abs(lon) > 1e300 or abs(lat) > 1e300:
        raise ValueError(f"{shown(place)} is no place: expected finite numbers")
    fault = fault_of(lon, lat)
    if fault:
        raise ValueError(fault)
    return float(lon), float(lat)
