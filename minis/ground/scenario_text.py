"""The one writer of scenario files: pieces in table inches become TOML, always in the same order and layout.

The layout, which `minis fmt` keeps: comments about the whole file; its keys; [table], [table.place], [backdrop]; every
[[terrain]] with its keys in the order of the schema, after a comment of its own where it has one. Pieces stand kind by
kind in the order of `KIND_ORDER`, then by id, numbers in ids counted as numbers. Coordinates lie on the 1/8000" grid
and are written with as many decimals as that takes. A list longer than a line is broken between its places.
"""

from __future__ import annotations

import os
import re
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from minis.board.place import Place
from minis.errors import bad
from minis.lengths import to_grid, to_inches

if TYPE_CHECKING:
    from shapely.geometry import LineString, Polygon
    from shapely.geometry.base import BaseGeometry

WIDE = 110
"""Columns of a line of the file, where it can be broken."""

MOST_LETTERS = 80
"""A longer id of another tool is not taken over."""

KIND_ORDER = (
    "hill", "ridge", "cliff", "gully", "marsh", "woods", "orchard", "brush", "grain", "open", "road", "building",
    "rubble", "wall", "hedge", "bocage", "roadblock", "entrenchment", "shellholes",
)  # fmt: skip
"""Kinds of terrain in the order in which a file tells them: the ground first. Others follow by the alphabet."""


@dataclass(frozen=True)
class Piece:
    """A piece of terrain that an importer made, in table inches.

    `geometry` is a valid shapely Polygon (holes are kept), or a LineString for the kinds that are lines. The other keys
    are those of [[terrain]]; None leaves a key out. `note` is written as a comment above the piece.
    """

    kind: str
    id: str
    geometry: Polygon | LineString | BaseGeometry
    level: int | None = None
    storeys: int | None = None
    base: int | None = None
    material: str | None = None
    slope: bool | None = None
    note: str = ""


def scenario_text(
    title: str,
    width_in: float,
    depth_in: float,
    pieces: Iterable[Piece],
    *,
    place: Place | None = None,
    notes: Sequence[str] = (),
    tables: str | None = None,
) -> str:
    """A scenario file with a table and its terrain.

    `notes` become comments at the head of the file: source, attribution, counts, what was dropped; `tables` names a
    folder of house rules.

    >>> from shapely import box
    >>> farm = Piece("building", "farm", box(1, 1, 3.125, 2), storeys=2)
    >>> print(scenario_text("Farm", 60, 40, [farm], notes=["By hand."]), end="")
    # By hand.
    title = "Farm"
    <BLANKLINE>
    [table]
    width = 60
    depth = 40
    <BLANKLINE>
    [[terrain]]
    id = "farm"
    kind = "building"
    storeys = 2
    outline = [[3.125, 1], [3.125, 2], [1, 2], [1, 1]]
    """
    from minis.ground.layout import laid_out

    lines = [line for note in notes for line in comment_lines(note)]
    lines += [
        f"title = {quoted(title)}",
        *([f"tables = {quoted(tables)}"] if tables else []),
        "",
        "[table]",
        f"width = {number(width_in)}",
        f"depth = {number(depth_in)}",
    ]
    if place is not None:
        lines += ["", *_place_lines(place)]
    return laid_out("\n".join(lines) + "\n" + terrain_text(pieces))


def terrain_text(pieces: Iterable[Piece]) -> str:
    """The [[terrain]] tables of some pieces, each after an empty line, in the order of the layout."""
    return "".join("\n" + "\n".join(_piece_lines(piece)) + "\n" for piece in in_order(pieces))


def in_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces in the order of the layout: by kind, then by id, a hill below the one on top of it.

    >>> from shapely import box
    >>> [piece.id for piece in in_order(Piece("woods", name, box(0, 0, 1, 1)) for name in ("w10", "w9"))]
    ['w9', 'w10']
    """
    rank = {kind: index for index, kind in enumerate(KIND_ORDER)}
    return sorted(
        pieces,
        key=lambda piece: (
            rank.get(piece.kind, len(rank)),
            piece.kind,
            piece.level or 0,
            _by_numbers(piece.id),
            piece.id,
        ),
    )


def write_whole(path: Path, text: str, *, force: bool = False) -> None:
    """Write a file that is either whole or not there; one that is there already is replaced only with `force`.

    Raises BadInput where it may not or cannot be written.
    """
    name = str(path)
    refuse_existing(path, force=force)
    try:
        handle, beside = tempfile.mkstemp(prefix=".minis-", dir=path.parent)
    except OSError as error:
        raise bad(f"cannot be written: {error.strerror}", file=name) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, 0o666 & ~mask)
        os.replace(beside, path)
    except OSError as error:
        os.unlink(beside)
        raise bad(f"cannot be written: {error.strerror}", file=name) from None


def refuse_existing(path: Path, *, force: bool) -> None:
    """Raises BadInput where a file is there already and `force` does not allow to replace it.

    What is no file, such as a pipe or a terminal, is never replaced.
    """
    try:
        if path.is_dir():
            raise bad("is a directory; expected the name of a file to write", file=str(path))
        if path.exists() and not path.is_file():
            raise bad("is no ordinary file; expected the name of a file to write", file=str(path))
        if os.path.lexists(path) and not force:
            raise bad("is there already; --force replaces it", file=str(path))
    except OSError as error:
        raise bad(f"cannot be written: {error.strerror}", file=str(path)) from None


def number(value: float) -> str:
    """A number of inches on the 1/8000" grid, as short as TOML takes it.

    >>> number(12), number(0.5), number(1 / 3), number(-0.0)
    ('12', '0.5', '0.333375', '0')
    """
    return plain(to_inches(to_grid(value)))


def plain(value: float) -> str:
    """Any other number, to six decimals (seven are a centimetre of latitude: see [table.place]).

    >>> plain(45.0), plain(0.1 + 0.2)
    ('45', '0.3')
    """
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def quoted(text: str) -> str:
    """A text as TOML writes it.

    >>> quoted('a "b"')
    '"a \\\\"b\\\\""'
    """
    out = text.replace("\\", "\\\\").replace('"', '\\"')
    return (
        '"'
        + "".join(c if c.isprintable() else f"\\u{ord(c):04X}" if ord(c) < 0x10000 else f"\\U{ord(c):08X}" for c in out)
        + '"'
    )


def comment_lines(note: str) -> list[str]:
    """A note as comment lines, without control characters, broken between words."""
    clean = ["".join(c for c in line if c.isprintable()) for line in note.split("\n")]
    broken = [textwrap.wrap(line, WIDE - 2, break_long_words=False, break_on_hyphens=False) or [""] for line in clean]
    return [f"# {line}".rstrip() for lines in broken for line in lines]


def _place_lines(place: Place) -> Iterator[str]:
    yield "[table.place]"
    yield f"centre = [{degrees(place.lon)}, {degrees(place.lat)}]"
    yield f"bearing = {plain(place.bearing)}"
    yield f"scale = {quoted(place.scale)}"
    if place.level_heights:
        yield f"level_heights = [{', '.join(plain(height) for height in place.level_heights)}]"
    if place.exaggeration is not None:
        yield f"exaggeration = {plain(place.exaggeration)}"
    if place.credit:
        yield f"credit = {quoted(place.credit)}"


def degrees(value: float) -> str:
    """Longitude or latitude to a tenth of a millimetre of the ground.

    >>> degrees(26.9436), degrees(-120.0)
    ('26.9436', '-120')
    """
    text = f"{value:.9f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _piece_lines(piece: Piece) -> list[str]:
    lines = comment_lines(piece.note) if piece.note else []
    lines += ["[[terrain]]", f"id = {quoted(piece.id)}", f"kind = {quoted(piece.kind)}"]
    if piece.level is not None:
        lines.append(f"level = {piece.level}")
    lines += _shape_lines(piece.geometry)
    for key, value in (("storeys", piece.storeys), ("base", piece.base)):
        if value is not None:
            lines.append(f"{key} = {value}")
    if piece.material is not None:
        lines.append(f"material = {quoted(piece.material)}")
    if piece.slope is not None:
        lines.append(f"slope = {'true' if piece.slope else 'false'}")
    return lines


def _shape_lines(shape: BaseGeometry) -> list[str]:
    from shapely.geometry import Polygon

    if isinstance(shape, Polygon):
        holes = [_places(ring.coords[:-1]) for ring in shape.interiors]
        return _listed("outline", _places(shape.exterior.coords[:-1])) + (_holes(holes) if holes else [])
    return _listed("line", _places(shape.coords))


def _places(coordinates: Iterable[Sequence[float]]) -> list[str]:
    return [f"[{number(place[0])}, {number(place[1])}]" for place in coordinates]


def _listed(key: str, items: Sequence[str]) -> list[str]:
    """A key with a list on one line, or on several."""
    line = f"{key} = [{', '.join(items)}]"
    return [line] if len(line) <= WIDE else [f"{key} = [", *_filled(items, "    "), "]"]


def _holes(holes: Sequence[Sequence[str]]) -> list[str]:
    line = "holes = [" + ", ".join(f"[{', '.join(ring)}]" for ring in holes) + "]"
    if len(line) <= WIDE:
        return [line]
    lines = ["holes = ["]
    for ring in holes:
        short = f"    [{', '.join(ring)}],"
        lines += [short] if len(short) <= WIDE else ["    [", *_filled(ring, "        "), "    ],"]
    return [*lines, "]"]


def _filled(items: Sequence[str], indent: str) -> Iterator[str]:
    line = indent
    for item in items:
        if len(line) + len(item) + 1 > WIDE and line.strip():
            yield line.rstrip()
            line = indent
        line += f"{item}, "
    yield line.rstrip()


def _by_numbers(name: str) -> list[tuple[int, str]]:
    """A key that orders names with their numbers as numbers, of any length: by how many digits, then by these.

    >>> sorted(["w10", "w9", "w²"], key=_by_numbers)
    ['w9', 'w10', 'w²']
    """
    parts = [(part.lstrip("0"), part) for part in re.split(r"([0-9]+)", name)]
    return [(len(digits), digits) if index % 2 else (-1, part) for index, (digits, part) in enumerate(parts)]
