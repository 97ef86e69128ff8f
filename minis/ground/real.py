"""Real ground to a table: things in longitude and latitude to pieces in table inches, with the report of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from minis.board.geojson import MARK
from minis.board.place import Place, metres_per_inch
from minis.errors import BadInput, bad
from minis.ground.clean import Cleaned, Limits, clean
from minis.ground.osm import Reader, number_of
from minis.ground.place_mark import KEYS, read_mark
from minis.ground.project import FARTHEST_LAT, Projection, parse_centre
from minis.ground.report import Left, Report
from minis.ground.scenario_text import MOST_LETTERS, Piece
from minis.ground.things import Source, Thing
from minis.lengths import GRID
from minis.rules.ground_rows import ground_number
from minis.rules.model import Rules
from minis.toml_file import shown

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

OWN_KEYS = {"level": int, "storeys": int, "base": int, "material": str, "slope": bool}
"""Keys of [[terrain]] that a feature with a `kind` may bring, and what they are."""


@dataclass(frozen=True)
class Table:
    """The table that real ground is laid on: its size in inches and its place on the earth."""

    width_in: float
    depth_in: float
    place: Place


def limits_of(rules: Rules, *, step_in: float = 0.001, simplify: bool = True) -> Limits:
    """How finely imported ground is kept, by the table ground."""
    return Limits(
        simplify_in=ground_number(rules, "simplify") if simplify else 0.0,
        area_share=ground_number(rules, "area-share"),
        sliver_in2=ground_number(rules, "sliver-area") if simplify else 0.0,
        sliver_in=ground_number(rules, "sliver-length") if simplify else 0.0,
        thin_in=ground_number(rules, "sliver-breadth") if simplify else 0.0,
        step_in=step_in,
    )


def lay(source: Source, table: Table, rules: Rules) -> tuple[list[Piece], Report]:
    """The pieces of a table from the things of a file, and the report of what was done.

    A thing with a `kind` that is a row of the table terrain is that piece, with its keys and its id, to the grid; any
    other goes by its tags. Raises BadInput where nothing of the file lies on the table.
    """
    ground = Projection(table.place, table.width_in, table.depth_in)
    shapes = _on_table([thing.shape for thing in source.things], ground)
    reader = Reader(rules, 1 / table.place.metres_per_inch)
    own, tagged, dropped = [], [], []
    off = 0
    for thing, shape in zip(source.things, shapes, strict=True):
        if shape is None:
            dropped.append(Left(thing.name, "reaches round the earth"))
            continue
        if not _meets(shape, table):
            off += 1
            continue
        piece = own_piece(source.name, thing, shape, rules)
        if piece is not None:
            own.append(piece)
            continue
        piece = reader.piece(thing.name, {key: _text(value) for key, value in thing.tags.items()}, shape)
        if piece is not None:
            tagged.append(piece)
    if off + len(dropped) == len(source.things):
        raise bad(_nowhere(source, table, ground), file=source.name)
    made = clean(tagged, table.width_in, table.depth_in, limits_of(rules))
    kept = clean(
        own, table.width_in, table.depth_in, limits_of(rules, step_in=1 / GRID, simplify=False),
        taken={piece.id for piece in made.pieces},
    )  # fmt: skip
    pieces = [*made.pieces, *kept.pieces]
    if not pieces:
        what = sorted((made.dropped and ["slivers"]) or [*reader.left_out, *reader.not_understood])[:3]
        raise bad(f"nothing of it is terrain on this table; it holds {', '.join(what) or 'nothing'}", file=source.name)
    return pieces, _report(source, table, reader, (made, kept), dropped, off, rules)


def own_piece(file: str, thing: Thing, shape: BaseGeometry, rules: Rules) -> Piece | None:
    """The piece that a thing says it is by its `kind`, as `minis export` writes it; None where it does not.

    Raises BadInput where its shape is not one of its kind, or a key of it is of the wrong type.
    """
    import shapely

    kind = thing.tags.get("kind")
    if not isinstance(kind, str) or kind not in rules.terrain:
        return None
    is_line = rules.terrain[kind].shape == "line"
    if shapely.get_dimensions(shape) != (1 if is_line else 2):
        raise bad(
            f"{thing.name}: {kind} takes {'a line' if is_line else 'an area'}, not a {shape.geom_type}", file=file
        )
    keys: dict[str, Any] = {}
    for key, wanted in OWN_KEYS.items():
        value = thing.tags.get(key)
        if value is None:
            continue
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not wanted:
            raise bad(f"{thing.name}: {key}: expected {_WORDS[wanted]}, not {shown(value)}", file=file)
        keys[key] = value
    name = str(thing.tags.get("id") or thing.name)
    return Piece(kind, name if len(name) <= MOST_LETTERS and name.isprintable() else number_of(name), shape, **keys)


_WORDS = {int: "a whole number", str: "a text", bool: "true or false"}


def _text(value: Any) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _on_table(raw: Sequence[BaseGeometry], ground: Projection) -> list[BaseGeometry | None]:
    """Shapes in table inches, all at once; None where one reaches where the projection ends."""
    import numpy as np
    import shapely

    shapes = shapely.force_2d(np.array(raw, dtype=object))
    places = shapely.get_coordinates(shapes)
    x, y = ground.to_table(places[:, 0], places[:, 1])
    moved = np.column_stack([x, y])
    fine = np.isfinite(moved).all(axis=1)
    counts = shapely.get_num_coordinates(shapes)
    whole = np.ones(len(shapes), dtype=bool)
    whole[np.repeat(np.arange(len(shapes)), counts)[~fine]] = False
    moved[~fine] = 0.0
    shapely.set_coordinates(shapes, moved)
    return [shape if kept else None for shape, kept in zip(shapes.tolist(), whole.tolist(), strict=True)]


def _meets(shape: BaseGeometry, table: Table) -> bool:
    """True where the box around a shape has a point in common with the table."""
    left, low, right, high = shape.bounds
    return bool(left <= table.width_in and right >= 0 and low <= table.depth_in and high >= 0)


def _nowhere(source: Source, table: Table, ground: Projection) -> str:
    """Nothing lies on the table: where the file lies, and whether the places are swapped."""
    import numpy as np
    import shapely

    shapes = np.array([thing.shape for thing in source.things], dtype=object)
    west, south, east, north = shapely.total_bounds(shapes)
    place = table.place
    words = f"nothing of it lies on the table, whose middle is {place.lon:g}, {place.lat:g}"
    turned = shapely.transform(shapely.force_2d(shapes), lambda places: places[:, ::-1])
    if any(shape is not None and _meets(shape, table) for shape in _on_table(turned.tolist(), ground)):
        return f"{words}; longitude and latitude are swapped, in the file or in --centre: longitude comes first"
    return f"{words}; the file lies from {west:.4f}, {south:.4f} to {east:.4f}, {north:.4f}"


def middle_of(source: Source) -> str:
    """The middle of the file as --centre takes it; of one over the date line that on the date line's side."""
    import numpy as np
    import shapely

    places = shapely.get_coordinates(np.array([thing.shape for thing in source.things], dtype=object))
    lon, lat = places[:, 0], places[:, 1]
    if np.ptp(lon) > 180:
        lon = lon % 360
    middle = float(lon.min() + lon.max()) / 2
    return f"{middle - 360 if middle > 180 else middle:.5f},{float(lat.min() + lat.max()) / 2:.5f}"


def _report(
    source: Source, table: Table, reader: Reader, parts: tuple[Cleaned, Cleaned], dropped: list[Left], off: int,
    rules: Rules,
) -> Report:  # fmt: skip
    per = table.place.metres_per_inch
    kinds = [count for part in parts for count in part.counts]
    remarks = list(source.remarks)
    if off:
        remarks.append(f"{off} things of the file lie off the table")
    if source.without_shape:
        remarks.append(f"{source.without_shape} features have no geometry")
    remarks += given_twice([piece for part in parts for piece in part.pieces], ground_number(rules, "same-ground"))
    cannot = ["the height of the ground: it is flat; `minis import dem --onto` brings hills"]
    if reader.without_storeys:
        cannot.append(f"the storeys of {reader.without_storeys} buildings: those of their row in the table osm, else 1")
    return Report(
        source=source.name,
        kinds=tuple(kinds),
        repaired=tuple(left for part in parts for left in part.repaired),
        dropped=(*dropped, *(left for part in parts for left in part.dropped)),
        left_out=dict(reader.left_out),
        details=dict(reader.details),
        not_understood=dict(reader.not_understood),
        cannot_say=tuple(cannot),
        remarks=tuple(remarks),
        area_m2={count.kind: count.written[1] * per * per for count in kinds if count.written[1]},
    )


def given_twice(pieces: Iterable[Piece], share: float) -> list[str]:
    """Buildings that stand on the same ground: pairs that share more than a part of the smaller one."""
    import numpy as np
    import shapely

    houses = [piece for piece in pieces if piece.kind == "building"]
    shapes = np.array([piece.geometry for piece in houses], dtype=object)
    if len(houses) < 2:
        return []
    one, other = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    pairs = one < other
    one, other = one[pairs], other[pairs]
    common = shapely.area(shapely.intersection(shapes[one], shapes[other]))
    smaller = np.minimum(shapely.area(shapes[one]), shapely.area(shapes[other]))
    found = np.flatnonzero(common > share * smaller)
    return [f"{houses[one[i]].id} and {houses[other[i]].id} stand on the same ground" for i in found.tolist()]


def notes_of(source: Source, report: Report, table: Table, attribution: str) -> list[str]:
    """The comments at the head of the scenario: where it comes from, what may be said of it, what was done."""
    from minis.ground.report import summary

    place = table.place
    name = source.name.replace("\\", "/").rpartition("/")[2]
    lines = [
        f"Made by `minis import geojson` from {name}.",
        f"Middle {place.lon:g}, {place.lat:g}; {place.scale}; the table's y looks to {place.bearing:g} degrees.",
    ]
    if attribution:
        lines.append(f"Data: {attribution}")
    return lines + summary(report)


def place_of(given: Mapping[str, Any], mark: Mapping[str, Any], file: str = "") -> Place:
    """The place of a table: what the judge gives, else what the mark of a file that `minis` wrote says.

    The heights of its levels are the mark's; their exaggeration too, unless the judge gives another scale. Raises
    BadInput where centre or scale is missing or none, under the name of the option or of the member of the file.
    """
    said = {key: value for key, value in mark.items() if key in KEYS and given.get(key) is None}
    scale = given.get("scale")
    if scale is None and "scale" not in mark:
        raise bad('say what an inch of the table is on the ground, such as "1in=25m"', file="--scale")
    if scale is not None:
        try:
            metres_per_inch(str(scale))
        except BadInput as error:
            raise bad(str(error), file="--scale") from None
        said |= {"scale": str(scale)}
        said.pop("exaggeration", None)
    if given.get("centre") is not None or "centre" not in mark:
        said |= {"centre": list(parse_centre(str(given.get("centre"))))}
    bearing = given.get("bearing")
    if bearing is not None:
        if not isinstance(bearing, int | float) or not -360 <= bearing <= 360:
            raise bad(f"expected degrees from -360 to 360, not {bearing}", file="--bearing")
        said |= {"bearing": bearing}
    place = read_mark(said, file=file, member=MARK)
    if given.get("centre") is None and abs(place.lat) > FARTHEST_LAT:
        raise bad(f"{MARK}.centre is {shown(mark['centre'])}, which is too near a pole", file=file)
    return place
