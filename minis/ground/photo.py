"""A picture under the map: four marks in it that lie at the corners of the table."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from minis.board.backdrop import Backdrop, Spot, runs_round
from minis.errors import bad
from minis.ground.parts import Parts, keys_for, made, put_together
from minis.ground.scenario_text import number, plain
from minis.ground.toml_text import Value


def parse_places(text: str, option: str) -> tuple[Spot, ...]:
    """Four places as a judge types them.

    Raises BadInput where they are none.

    >>> parse_places("10,90 110,90 100,10 20,10", "--corners")
    ((10.0, 90.0), (110.0, 90.0), (100.0, 10.0), (20.0, 10.0))
    """
    try:
        spots = tuple(tuple(float(part) for part in place.split(",")) for place in text.replace(";", " ").split())
    except ValueError:
        spots = ()
    if len(spots) != 4 or not all(len(spot) == 2 and all(map(math.isfinite, spot)) for spot in spots):
        shown = text if len(text) <= 60 else text[:57] + "..."
        raise bad(f"expected four places X,Y X,Y X,Y X,Y, not {shown!r}", file=option)
    return tuple((spot[0], spot[1]) for spot in spots)


def backdrop_of(
    picture: Path, size: tuple[int, int], marks: Sequence[Spot] | None, corners: Sequence[Spot], out: Path
) -> Backdrop:
    """The picture, of a size in pixels, under the map of a scenario `out`; `marks` in it lie at `corners` in inches.

    Raises BadInput where the places are no corners, or where the marks lie far outside of the picture.
    """
    for option, spots, y_up in (("--corners", marks, False), ("--at", corners, True)):
        if spots is not None and not runs_round(spots, y_up=y_up):
            message = "they are not the lower left, lower right, upper right and upper left corners of an area"
            raise bad(f"{message} without a dent", file=option)
    for x, y in marks or ():
        if not (-size[0] <= x <= 2 * size[0] and -size[1] <= y <= 2 * size[1]):
            message = f"{x:g},{y:g} lies far outside of the picture, which is {size[0]} by {size[1]} pixels"
            raise bad(message, file="--corners")
    relative = os.path.relpath(picture.resolve(), out.parent.resolve()).replace(os.sep, "/")
    return Backdrop(relative, tuple(corners), None if marks is None else tuple(marks))


def with_backdrop(parts: Parts, backdrop: Backdrop, out: Path) -> str:
    """The text of a scenario with a picture under its map, in place of the one there was, for a file `out`."""
    keys = {
        "file": backdrop.file,
        "corners": [[Value(number(x)), Value(number(y))] for x, y in backdrop.corners],
    }
    if backdrop.marks is not None:
        keys["marks"] = [[Value(plain(x)), Value(plain(y))] for x, y in backdrop.marks]
    tables = {**parts.tables, "backdrop": made(("backdrop",), keys)}
    return put_together(replace(parts, keys=keys_for(parts, out), tables=tables), out)
