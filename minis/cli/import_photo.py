"""`minis import photo`: a picture under the map of a table that is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.cli.options import json_option, print_json
from minis.errors import bad

if TYPE_CHECKING:
    from minis.draw.picture_file import PictureFile

WHAT = "a picture (PNG or JPEG)"

MOST_BYTES = 64 * 2**20
"""No photograph of a table is larger."""


@click.command("photo")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--onto", type=click.Path(path_type=Path), required=True, metavar="SCENARIO", help="The table it belongs to."
)
@click.option(
    "--corners", metavar="X,Y X,Y X,Y X,Y",
    help="Pixels of the picture at the corners of the table: lower left, lower right, upper right, upper left; "
    "else those of the picture.",
)  # fmt: skip
@click.option(
    "--at", "at", metavar="X,Y X,Y X,Y X,Y", help="Where these lie on the table, in inches; else its corners."
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, metavar="PATH", help="The scenario to write."
)
@click.option("--force", is_flag=True, default=False, help="Replace the file where it is there already.")
@json_option
def import_photo(
    file: Path, onto: Path, corners: str | None, at: str | None, out: Path, force: bool, as_json: bool
) -> None:
    """Lay the picture FILE (PNG or JPEG) under the map of a table: for the eye alone, no rule asks for it.

    A photograph from the side is pulled straight by its four corners. Pixels count from the upper left corner, y down,
    as every picture program shows them. Everybody sees the picture: let there be nothing hidden on it.
    """
    from minis.ground.parts import parts_of
    from minis.ground.photo import backdrop_of, parse_places, with_backdrop
    from minis.ground.scenario_text import refuse_existing, write_whole

    refuse_existing(out, force=force)
    marks = parse_places(corners, "--corners") if corners is not None else None
    places = parse_places(at, "--at") if at is not None else None
    picture = read_picture(file)
    parts = parts_of(onto)
    width, depth = parts.board.width_in, parts.board.depth_in
    places = places or ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    backdrop = backdrop_of(file, (picture.width, picture.height), marks, places, out)
    write_whole(out, with_backdrop(parts, backdrop, out), force=force)
    answer = {"out": str(out), "file": backdrop.file, "pixels": [picture.width, picture.height]}
    if as_json:
        print_json(answer)
    else:
        click.echo(f"{file.name}, {picture.width} by {picture.height} pixels, lies under the map.")
        click.echo(f"wrote {out}", err=True)


def read_picture(path: Path) -> PictureFile:
    """What a picture says of itself.

    Raises BadInput where it is none, and where a mark in it turns it when it is shown: its pixels cannot be counted.
    """
    from minis.draw.picture_file import picture_of
    from minis.toml_file import read_bytes

    name = str(path)
    found = picture_of(read_bytes(path, what=WHAT, most_bytes=MOST_BYTES))
    if found is None:
        raise bad(f"is neither PNG nor JPEG, or is cut short; expected {WHAT}", file=name)
    if found.turned:
        raise bad("is turned by a mark in it (EXIF) when it is shown; save it upright first", file=name)
    return found
