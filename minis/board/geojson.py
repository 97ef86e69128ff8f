"""Terrain from GeoJSON in table inches: the properties of a feature are the keys of [[terrain]]."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from minis.errors import BadInput, Mistake, bad
from minis.toml_file import Document, PathKey, read_text, shown

WHAT = "GeoJSON of terrain in table inches"
MARK = "minis"
"""The member of a FeatureCollection that says what its numbers are: {"units": "inches"} or {"units": "degrees"}."""

Features = list[tuple[PathKey, dict[str, Any]]]


def terrain_features(path: Path) -> tuple[Document, Features, list[Mistake]]:
    """The features of a GeoJSON file as [[terrain]] entries, each with its place in the file, and what is no terrain.

    A Multi-geometry becomes one piece a part, with ids `name-1`, `name-2` …. Raises BadInput where the file as
    a whole is none.
    """
    data = read_collection(path, what=WHAT)
    name = str(path)
    mark = data.get(MARK)
    if isinstance(mark, dict) and mark.get("units", "inches") != "inches":
        raise bad(f"is marked as {shown(mark['units'])}; expected {WHAT}: see `minis import geojson`", file=name)
    document = Document(name, "", {})
    entries: list[tuple[PathKey, dict[str, Any]]] = []
    mistakes: list[Mistake] = []
    for index, feature in enumerate(data["features"]):
        place: PathKey = ("features", index)
        shape = feature.get("geometry") if isinstance(feature, dict) else None
        keys = (feature.get("properties") if isinstance(feature, dict) else None) or {}
        if not isinstance(shape, dict) or not isinstance(keys, dict):
            mistakes.append(document.mistake(place, "expected a feature with a geometry and properties"))
            continue
        if "id" not in keys and isinstance(feature.get("id"), str):
            keys = {"id": feature["id"], **keys}
        try:
            parts = _parts(shape)
        except ValueError as error:
            mistakes.append(document.mistake((*place, "geometry"), str(error), id=str(keys.get("id", ""))))
            continue
        for number, part in enumerate(parts, 1):
            own = {**keys, **part}
            if len(parts) > 1:
                own["id"] = f"{keys.get('id', '')}-{number}"
            entries.append((place, own))
    return document, entries, mistakes


def read_collection(path: Path, *, what: str) -> dict[str, Any]:
    """A GeoJSON FeatureCollection as it stands in a file.

    `what` says in the message what was expected. Raises BadInput for a file that is no such thing.
    """
    text = read_text(path, what=what)
    name = str(path)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(
            [Mistake(f"this is not JSON: {error.msg}; expected {what}", name, error.lineno, error.colno)]
        ) from None
    except ValueError:
        raise bad(f"holds a number of too many digits; expected {what}", file=name) from None
    except RecursionError:
        raise bad(f"is nested too deeply; expected {what}", file=name) from None
    if (
        not isinstance(data, dict)
        or data.get("type") != "FeatureCollection"
        or not isinstance(data.get("features"), list)
    ):
        raise bad(f"is no FeatureCollection; expected {what}", file=name)
    return data


def _parts(shape: dict[str, Any]) -> list[dict[str, Any]]:
    kind, coordinates = shape.get("type"), shape.get("coordinates")
    if not isinstance(coordinates, list):
        raise ValueError(f"expected a Polygon or a LineString with coordinates, not {kind!r}")
    if kind == "Polygon":
        return [_area(coordinates)]
    if kind in ("MultiPolygon", "MultiLineString") and not coordinates:
        raise ValueError(f"a {kind} without parts")
    if kind == "MultiPolygon":
        return [_area(rings) for rings in coordinates]
    if kind == "LineString":
        return [{"line": coordinates}]
    if kind == "MultiLineString":
        return [{"line": line} for line in coordinates]
    raise ValueError(f"expected a Polygon or a LineString, not {kind!r}")


def _area(rings: Any) -> dict[str, Any]:
    if not isinstance(rings, list) or not rings or not all(isinstance(ring, list) for ring in rings):
        raise ValueError("expected the rings of a polygon")
    closed = [ring[:-1] if len(ring) > 1 and ring[0] == ring[-1] else ring for ring in rings]
    return {"outline": closed[0], "holes": closed[1:]} if closed[1:] else {"outline": closed[0]}
