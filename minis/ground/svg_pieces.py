"""From the layers of a drawing to terrain: a layer's label says the kind, an object's title is its id."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from minis.errors import bad
from minis.ground.scenario_text import Piece
from minis.ground.svg_in import Drawing, Drawn, Stroke
from minis.rules.model import Rules
from minis.rules.rows import TerrainRow
from minis.toml_file import nearest_of

if TYPE_CHECKING:
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

SKIP = "skip"
"""What a judge writes in place of a kind for a layer that is no terrain."""

_LABEL = re.compile(r"(.*?)[\s_-]*(\d+)?")


@dataclass(frozen=True)
class Kind:
    """What a layer is: a row of the table terrain, and a number: the level of hills, the storeys of buildings."""

    row: TerrainRow
    number: int | None = None


def kind_of(label: str, rules: Rules) -> Kind | None:
    """The kind of terrain that a label names, in any case, also in the plural; None where it names none.

    >>> from minis.rules import load_rules
    >>> rules = load_rules()
    >>> found = kind_of("Hills 2", rules)
    >>> (found.row.id, found.number), kind_of("légende", rules)
    (('hill', 2), None)
    """
    match = _LABEL.fullmatch(label.strip().lower())
    if match is None:
        return None
    words = match[1].strip()
    number = int(match[2][:3]) if match[2] else None
    for row in rules.terrain.values():
        if words in (row.id, f"{row.id}s", row.label.lower(), row.id.rstrip("s"), f"{row.id}es"):
            return Kind(row, number)
    return None


def pieces_of(
    drawing: Drawing, rules: Rules, layers: Mapping[str, str]
) -> tuple[list[Piece], dict[str, int], dict[str, int]]:
    """The terrain of a drawing, as drawn, for `clean`; what was left out and what was not understood, by layer.

    `layers` says of labels what they are, before what the labels themselves say: `woods`, `hill 2`, `building 3`, or
    `skip`. Raises BadInput for a layer that is not there and a kind that is not known.
    """
    there = list(dict.fromkeys(drawn.layer for drawn in drawing.objects))
    kinds: dict[str, Kind | None] = {label: kind_of(label, rules) for label in there}
    skipped = set()
    for label, words in layers.items():
        if label not in there:
            raise bad(f"there is no layer {label!r} with objects; {nearest_of(label, there)}", file=drawing.name)
        skipped |= {label} if words == SKIP else set()
        kinds[label] = None if words == SKIP else _known(words, rules, "--layer")
    left_out, not_understood = Counter(drawing.left_out), Counter(drawing.not_understood)
    pieces: list[Piece] = []
    counts: Counter[str] = Counter()
    for drawn in drawing.objects:
        kind = _known(drawn.data["kind"], rules, drawing.name) if "kind" in drawn.data else kinds[drawn.layer]
        if drawn.layer in skipped:
            left_out[f"layer {drawn.layer or '(none)'}"] += 1
        elif kind is None:
            not_understood[f"layer {drawn.layer or '(none)'}"] += 1
        else:
            counts[kind.row.id] += 1
            pieces += _piece(drawn, kind, f"{kind.row.id}-{counts[kind.row.id]}", drawing.name)
    return pieces, dict(left_out), dict(not_understood)


def _known(words: str, rules: Rules, file: str) -> Kind:
    kind = kind_of(words, rules)
    if kind is None:
        raise bad(f"there is no kind of terrain {words[:40]!r}; {nearest_of(words[:40], rules.terrain)}", file=file)
    return kind


def _piece(drawn: Drawn, kind: Kind, otherwise: str, file: str) -> Iterator[Piece]:
    name = drawn.name if drawn.name.isprintable() and 0 < len(drawn.name) <= 76 else otherwise
    level, storeys, base = (_number(drawn, key, file) for key in ("level", "storeys", "base"))
    row = kind.row
    if row.has_level and level is None:
        level = kind.number or 1
    if row.height == "storey" and storeys is None:
        storeys = kind.number
    material = drawn.data.get("material")
    slope = {"true": True, "false": False}.get(drawn.data.get("slope", ""))
    shape = line_shape(drawn.strokes) if row.shape == "line" else area_shape(drawn)
    if shape is not None and not shape.is_empty:
        yield Piece(row.id, name, shape, level=level, storeys=storeys, base=base, material=material, slope=slope)


def _number(drawn: Drawn, key: str, file: str) -> int | None:
    text = drawn.data.get(key)
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,3}", text):
        raise bad(f"{drawn.name or drawn.layer}: data-{key}: expected a whole number, not {text[:40]!r}", file=file)
    return int(text)


# --- shapes ----------------------------------------------------------------------------------------------------------


def line_shape(strokes: Sequence[Stroke]) -> BaseGeometry | None:
    """The lines of an object; a closed one comes back to its beginning."""
    import shapely

    lines = [shapely.LineString(_around(stroke)) for stroke in strokes if len(stroke.spots) > 1]
    if not lines:
        return None
    return lines[0] if len(lines) == 1 else shapely.MultiLineString(lines)


def _around(stroke: Stroke) -> list[Any]:
    return [*stroke.spots, stroke.spots[0]] if stroke.closed else list(stroke.spots)


def area_shape(drawn: Drawn) -> BaseGeometry | None:
    """The area of an object: what its parts enclose, holes left out; of an open line without fill, its breadth.

    >>> outer, inner = ((0, 0), (4, 0), (4, 4), (0, 4)), ((1, 1), (1, 2), (2, 2), (2, 1))
    >>> strokes = (Stroke(outer, True), Stroke(inner, True))
    >>> area_shape(Drawn("woods", "w", strokes, True, False, 0.0, {})).area
    15.0
    """
    import shapely

    rings = [stroke for stroke in drawn.strokes if (stroke.closed or drawn.filled) and len(stroke.spots) > 2]
    strips = [
        shapely.LineString(stroke.spots).buffer(drawn.breadth_in / 2, cap_style="flat", join_style="mitre")
        for stroke in drawn.strokes
        if not (stroke.closed or drawn.filled) and len(stroke.spots) > 1 and drawn.breadth_in > 0
    ]
    if len(rings) == 1 and not strips:
        return shapely.Polygon(rings[0].spots)
    areas = _enclosed([shapely.Polygon(ring.spots) for ring in rings], drawn.evenodd)
    found = [part for part in (areas, *strips) if part is not None]
    return shapely.union_all(found) if found else None


def _enclosed(rings: list[Polygon], evenodd: bool) -> BaseGeometry | None:
    """What some rings enclose: by even and odd, or by the way in which they turn (nonzero)."""
    import shapely

    if not rings:
        return None
    if not evenodd:
        rings = [ring for ring, edge in zip(rings, _edges(rings), strict=True) if edge]
    whole = shapely.make_valid(rings[0])
    for ring in rings[1:]:
        whole = shapely.symmetric_difference(whole, shapely.make_valid(ring))
    return whole


def _edges(rings: Sequence[Polygon]) -> Iterator[bool]:
    """Of each ring whether it parts inside from outside, where the inside is what is wound round at all."""
    turns = [1 if ring.exterior.is_ccw else -1 for ring in rings]
    spots = [ring.exterior.coords[0] for ring in rings]
    import shapely

    valid = [shapely.make_valid(ring) for ring in rings]
    for index, spot in enumerate(spots):
        around = sum(
            turns[other]
            for other, ring in enumerate(valid)
            if other != index and ring.area > valid[index].area and shapely.covers(ring, shapely.Point(spot))
        )
        yield (around == 0) != (around + turns[index] == 0)
