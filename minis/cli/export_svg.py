"""`minis export svg`: the terrain of a table as a drawing for Inkscape."""

from __future__ import annotations

from pathlib import Path

import click

from minis.cli.options import game_option, json_option, load_board, print_json
from minis.errors import bad


@click.command("svg")
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="PATH", help="The file; else standard output.")
@click.option("--force", is_flag=True, default=False, help="Replace the file where it is there already.")
@game_option
@json_option
def export_svg(
    out: Path | None, force: bool, game: Path | None, house: Path | None, as_side: str | None, as_json: bool
) -> None:
    """Write the terrain as SVG, true to size: a layer for each kind, a title for each id.

    Change it in Inkscape and read it back with `minis import svg`. It is no picture for players: `minis draw map` is.
    """
    from minis.ground.scenario_text import write_whole
    from minis.ground.svg_out import svg_text

    if game is None:
        raise bad("name the scenario with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    board = load_board(game, house, as_side)
    text = svg_text(board)
    if out is None:
        click.echo(text, nl=False)
        return
    write_whole(out, text, force=force)
    if as_json:
        print_json({"out": str(out), "terrain": len(board.terrain)})
    else:
        click.echo(f"wrote {out}", err=True)
