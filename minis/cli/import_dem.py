"""`minis import dem`: hills from real heights, on a table of their own or under one that is there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.cli.import_options import SIZE, deliver, out_options, parse_size, tables_option
from minis.cli.options import LENGTH, json_option
from minis.errors import bad

if TYPE_CHECKING:
    from minis.ground.dem import Wishes


@click.command("dem")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--onto", type=click.Path(path_type=Path), metavar="SCENARIO", help="Put the hills under this table.")
@click.option("--centre", metavar="LON,LAT", help="The middle of the table, degrees, longitude first.")
@click.option("--scale", metavar="TEXT", help='Ground for an inch of the table: "1in=25m", "1cm=10m", "1:1000".')
@click.option("--bearing", type=float, metavar="D", help="Where the table's y looks, degrees from true north; else 0.")
@click.option("--size", metavar="WxD", help=f"Width and depth of the table in inches; else {SIZE}.")
@click.option("--levels", metavar="M,M,…", help="Heights in metres at which levels 1, 2 … begin.")
@click.option("--step", type=float, metavar="M", help="Metres from level to level; else the even steps that fit best.")
@click.option(
    "--first", type=float, metavar="M", help="With --step: where level 1 begins; else above the lowest ground."
)
@click.option("--count", type=click.IntRange(1, 60), metavar="N", help="How many levels; else 3.")
@click.option("--bump", type=float, metavar="SQIN", help="Drop hills and hollows of fewer square inches; else 4.")
@click.option("--level-height", type=LENGTH, metavar="LENGTH", help="A level is so much of board; else 1 inch.")
@click.option("--slope", is_flag=True, default=False, help="Mark the contours as slopes that a unit sees down (S7.5).")
@click.option("--crs", metavar="NAME", help="The reference system of a file in metres, such as EPSG:32616.")
@out_options
@tables_option
@json_option
def import_dem(
    file: Path, onto: Path | None, centre: str | None, scale: str | None, bearing: float | None, size: str | None,
    levels: str | None, step: float | None, first: float | None, count: int | None, bump: float | None,
    level_height: float | None, slope: bool, crs: str | None, out: Path, force: bool, title: str | None,
    house: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Make hills from the real heights of FILE: ESRI ASCII (.asc), .hgt, .npz, GeoTIFF.

    A level begins at a height; its contour is the crest line. The heights of the levels and the vertical exaggeration
    are written into the file. With --onto the hills go under a table that `minis import geojson` made.
    """
    from minis.ground.dem import hills_for, middle_of, notes_of
    from minis.ground.heights import read_heights
    from minis.ground.real import Table, place_of
    from minis.ground.scenario_text import refuse_existing, scenario_text
    from minis.rules import load_rules

    refuse_existing(out, force=force)
    wishes = _wishes(levels, step, first, count, bump, level_height, slope)
    given = {"centre": centre, "scale": scale, "bearing": bearing, "size": size}
    if onto is not None:
        _under(file, onto, {**given, "title": title}, wishes, crs, out, force, house, as_json)
        return
    rules = load_rules(house)
    width, depth = parse_size(SIZE if size is None else size)
    heights = read_heights(file, crs=crs)
    if centre is None:
        raise bad(f"name the middle of the table; that of the file is {middle_of(heights)}", file="--centre")
    table = Table(width, depth, place_of(given, {}))
    made = hills_for(heights, table, rules, wishes)
    text = scenario_text(
        title or file.stem, width, depth, made.hills.pieces, place=made.place, notes=notes_of(heights, made)
    )
    deliver(text, made.report, out, force=force, house=house, as_json=as_json)


def _under(
    file: Path, onto: Path, given: dict[str, object], wishes: Wishes, crs: str | None, out: Path, force: bool,
    house: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Put hills under a table that is there."""
    from minis.ground.dem import hills_for, notes_of
    from minis.ground.heights import read_heights
    from minis.ground.onto import refuse_hills, with_hills
    from minis.ground.parts import parts_of
    from minis.ground.real import Table
    from minis.rules import load_rules

    for key, value in given.items():
        if value is not None:
            raise bad("the table of --onto has its own", file=f"--{key}")
    parts = parts_of(onto)
    board = parts.board
    if board.place is None:
        raise bad("the table has no place on the earth: [table.place] is missing", file=str(onto))
    refuse_hills(board)
    rules = board.rules if house is None else load_rules(house)
    heights = read_heights(file, crs=crs)
    table = Table(board.width_in, board.depth_in, board.place)
    taken = [*board.terrain_by_id, *board.unit_by_id, *(cloud.id for cloud in board.smoke)]
    taken += [zone.id for zone in board.zones] + [lane.id for lane in board.lanes]
    made = hills_for(heights, table, rules, wishes, taken)
    text, words = with_hills(parts, made.hills.pieces, made.place, notes_of(heights, made), out)
    report = replace(made.report, remarks=(*made.report.remarks, *words))
    deliver(text, report, out, force=force, house=house, as_json=as_json)


def _wishes(
    levels: str | None, step: float | None, first: float | None, count: int | None, bump: float | None,
    level_height: float | None, slope: bool,
) -> Wishes:  # fmt: skip
    """What the options say; raises BadInput where a number is none."""
    import math

    from minis.board.schema import REACH_IN
    from minis.ground.dem import Steps, Wishes

    try:
        heights = tuple(float(part) for part in levels.split(",")) if levels is not None else ()
    except ValueError:
        heights = (math.nan,)
    if levels is not None and not (heights and all(map(math.isfinite, heights))):
        raise bad(f"expected heights in metres such as 150,170,190, not {str(levels)[:40]!r}", file="--levels")
    for value, least, name in ((step, 0.01, "--step"), (bump, 0.0, "--bump"), (level_height, 0.001, "--level-height")):
        if value is not None and not least <= value <= REACH_IN:
            raise bad(f"expected a number from {least:g} to {REACH_IN:g}, not {value:g}", file=name)
    if first is not None and not math.isfinite(first):
        raise bad(f"expected a height in metres, not {first}", file="--first")
    return Wishes(Steps(heights, step, first, count), bump, level_height, slope)
