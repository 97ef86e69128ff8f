"""`minis import geojson`: houses, woods, roads and the like from OpenStreetMap, as GeoJSON or raw XML."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from minis.cli.import_options import SIZE, deliver, out_options, parse_size, tables_option
from minis.cli.options import json_option
from minis.errors import bad


@click.command("geojson")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--centre", metavar="LON,LAT", help="The middle of the table, degrees, longitude first.")
@click.option("--scale", metavar="TEXT", help='Ground for an inch of the table: "1in=25m", "1cm=10m", "1:1000".')
@click.option("--bearing", type=float, metavar="D", help="Where the table's y looks, degrees from true north; else 0.")
@click.option("--size", metavar="WxD", help=f"Width and depth of the table in inches; else {SIZE}.")
@click.option("--attribution", metavar="TEXT", help="What has to be said of the data; else what the file says.")
@out_options
@tables_option
@json_option
def import_geojson(
    file: Path,
    centre: str | None,
    scale: str | None,
    bearing: float | None,
    size: str | None,
    attribution: str | None,
    out: Path,
    force: bool,
    title: str | None,
    house: Path | None,
    as_json: bool,
) -> None:
    """Make a table from the real ground of FILE: GeoJSON in longitude and latitude, or OpenStreetMap XML (.osm).

    Tags become terrain by the table osm (`minis tables osm`). A file that `minis export geojson --degrees` wrote
    brings centre, scale, bearing and size with it.
    """
    from minis.board.geojson import MARK
    from minis.ground.geojson_in import read_geojson
    from minis.ground.osm_xml import read_osm
    from minis.ground.place_mark import read_size
    from minis.ground.real import Table, lay, middle_of, notes_of, place_of
    from minis.ground.report import one_line
    from minis.ground.scenario_text import refuse_existing, scenario_text
    from minis.rules import load_rules

    refuse_existing(out, force=force)
    rules = load_rules(house)
    width, depth = parse_size(SIZE if size is None else size)
    source = read_osm(file) if file.suffix.lower() in (".osm", ".xml") else read_geojson(file)
    given = {"centre": centre, "scale": scale, "bearing": bearing, "size": size}
    if source.mark and size is None:
        width, depth = read_size(source.mark, (width, depth), file=source.name, member=MARK)
    if centre is None and "centre" not in source.mark:
        raise bad(f"name the middle of the table; that of the file is {middle_of(source)}", file="--centre")
    place = place_of(given, source.mark, source.name)
    table = Table(width, depth, place)
    pieces, report = lay(source, table, rules)
    credit = attribution if attribution is not None else source.attribution
    name = title or str(source.mark.get("title") or file.stem)
    own_kinds = {piece.kind for piece in pieces} - load_rules().terrain.keys()
    text = scenario_text(
        name, table.width_in, table.depth_in, pieces, place=replace(place, credit=one_line(credit)),
        notes=notes_of(source, report, table, credit),
        tables=os.path.relpath(house, out.parent) if house and own_kinds else None,
    )  # fmt: skip
    deliver(text, report, out, force=force, house=house, as_json=as_json)
