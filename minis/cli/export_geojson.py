"""`minis export geojson`: the terrain of a table for QGIS and the like."""

from __future__ import annotations

from pathlib import Path

import click

from minis.cli.options import game_option, json_option, load_board, print_json
from minis.errors import bad


@click.command("geojson")
@click.option("--degrees", is_flag=True, default=False, help="In longitude and latitude; the table needs its place.")
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="PATH", help="The file; else standard output.")
@click.option("--force", is_flag=True, default=False, help="Replace the file where it is there already.")
@game_option
@json_option
def export_geojson(
    degrees: bool,
    out: Path | None,
    force: bool,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Write the terrain as GeoJSON: in table inches, which `terrain_from` reads, or with --degrees on the earth.

    With -o the answer is what was written; --json gives it as data.
    """
    from minis.ground.geojson_out import geojson_of
    from minis.ground.scenario_text import write_whole

    if game is None:
        raise bad("name the scenario with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    board = load_board(game, house, as_side)
    text = geojson_of(board, degrees=degrees)
    if out is None:
        click.echo(text, nl=False)
        return
    write_whole(out, text, force=force)
    if as_json:
        print_json({"out": str(out), "units": "degrees" if degrees else "inches", "terrain": len(board.terrain)})
    else:
        click.echo(f"wrote {out}", err=True)
