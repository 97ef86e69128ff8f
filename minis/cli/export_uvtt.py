"""`minis export uvtt`: the table as a Universal VTT map for Foundry and the like."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.cli.options import LENGTH, game_option, json_option, load_board, print_json
from minis.errors import bad

if TYPE_CHECKING:
    from minis.board.board import Board

WHAT = "a picture (PNG)"

MOST_BYTES = 64 * 2**20
"""The largest picture that is put into a map."""


@click.command("uvtt")
@click.option("--cell", type=LENGTH, default="1", show_default=True, metavar="LENGTH", help="So much table is a cell.")
@click.option(
    "--pixels",
    type=click.IntRange(1, 1024),
    default=64,
    show_default=True,
    metavar="N",
    help="Of a cell in the picture.",
)
@click.option("--picture", type=click.Path(path_type=Path), metavar="PNG", help="The picture; else a blank one.")
@click.option("--draw", is_flag=True, default=False, help="Draw the ground of the table as the picture (minis[print]).")
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="PATH", help="The file; else standard output.")
@click.option("--force", is_flag=True, default=False, help="Replace the file where it is there already.")
@game_option
@json_option
def export_uvtt(
    cell: float, pixels: int, picture: Path | None, draw: bool, out: Path | None, force: bool, game: Path | None,
    house: Path | None, as_side: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Write the terrain as a Universal VTT map: what blocks sight as walls and objects, a picture under it.

    Heights and kinds the format cannot say; `minis import uvtt` finds them in a member of its own. With -o the answer
    is what other tools will not see; --json gives it as data.
    """
    from minis.ground.scenario_text import refuse_existing, write_whole
    from minis.ground.uvtt_out import not_said, uvtt_text

    if game is None:
        raise bad("name the scenario with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    if picture is not None and draw:
        raise bad("--picture and --draw exclude each other", file="--draw")
    if not 0.001 <= cell <= 2000:
        raise bad(f"expected a length above 0, not {cell:g}", file="--cell")
    if out is not None:
        refuse_existing(out, force=force)
    board = load_board(game, house, as_side)
    png = _read(picture) if picture is not None else _drawn(board, cell, pixels) if draw else None
    text = uvtt_text(board, inches_per_cell=cell, pixels_per_cell=pixels, png=png)
    left = not_said(board)
    if out is None:
        click.echo(text, nl=False)
        return
    write_whole(out, text, force=force)
    if as_json:
        print_json({"out": str(out), "terrain": len(board.terrain), "cannot_say": list(left)})
        return
    for words in left:
        click.echo(f"not told by the format: {words}")
    click.echo(f"wrote {out}", err=True)


def _read(picture: Path) -> bytes:
    from minis.draw.picture_file import picture_of
    from minis.toml_file import read_bytes

    data = read_bytes(picture, what=WHAT, most_bytes=MOST_BYTES)
    found = picture_of(data)
    if found is None or found.mime != "image/png":
        raise bad(f"is no PNG, or is cut short; expected {WHAT}", file=str(picture))
    return data


def _drawn(board: Board, cell: float, pixels: int) -> bytes:
    """The ground as a picture, without units and without a grid: other tools lay their own over it."""
    from minis.draw.canvas import UNITS
    from minis.draw.page import Panel, panel_alone
    from minis.draw.paper import png_of
    from minis.draw.table_map import ground

    panel = Panel(ground(board, grid=False), board.width_in * UNITS, board.depth_in * UNITS)
    return png_of(panel_alone(panel, board.title), width_px=max(1, round(board.width_in / cell * pixels)))
