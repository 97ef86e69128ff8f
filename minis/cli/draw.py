"""`minis draw`: the table as a map; its other pictures have their own modules."""

from __future__ import annotations

from pathlib import Path

import click

from minis.cli.draw_options import backdrop_of, deliver, picture_options, turn_of, view_of, whose
from minis.cli.lazy import LazyGroup

COMMANDS = {
    "map": ("minis.cli.draw", "draw_map", "The table: terrain, units, tokens, smoke, with scale bar and legend."),
    "los": ("minis.cli.draw_los", "los", "A sight line on the map and in profile, with its ruling."),
    "shadow": ("minis.cli.draw_ground", "shadow", "What a unit cannot see: its dead ground."),
    "field": ("minis.cli.draw_ground", "field", "The field of fire of a unit as a map of chances."),
    "plan": ("minis.cli.draw_ground", "plan", "Zones, lanes and candidate places of a set-up."),
}
"""Every command of the group: the module that holds it, its function there, and its line of help."""


@click.group(cls=LazyGroup, table=COMMANDS)
def draw() -> None:
    """Pictures of the table, as SVG, PNG or PDF: for a side what it may know, with --judge everything."""


@click.command("map")
@click.option("--no-grid", is_flag=True, default=False, help="Leave out the grid.")
@picture_options
def draw_map(
    no_grid: bool,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    judge: bool,
    out: Path | None,
    png: bool,
    pdf: bool,
    paper: str,
    to_scale: bool,
) -> None:
    """Draw the table as a map: terrain, hills, smoke, units and tokens, with a scale bar and a legend.

    To scale it is the table alone: every sheet has a scale bar of its own. A picture that `minis import photo` laid
    under it shows through the terrain, where it is small enough.
    """
    from minis.draw.canvas import UNITS
    from minis.draw.legend import keys_of
    from minis.draw.page import Panel, page, panel_alone
    from minis.draw.table_map import credit, table_map

    board = view_of(game, house, as_side, judge)
    photo = backdrop_of(board, game)
    above = credit(board) if to_scale else ()
    table = table_map(board, above=above, grid=not no_grid, backdrop=photo)
    panel = Panel(table, board.width_in * UNITS, board.depth_in * UNITS)
    if to_scale:
        svg = panel_alone(panel, board.title)
    else:
        turn, words = turn_of(game, as_side), [whose(as_side)]
        svg = page(board, board.title, [panel], keys=keys_of(board), words=words, turn=turn)
    deliver(svg, out, png, pdf, paper, to_scale)
