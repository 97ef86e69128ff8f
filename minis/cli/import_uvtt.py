"""`minis import uvtt`: the walls of a Universal VTT map as terrain."""

from __future__ import annotations

from pathlib import Path

import click

from minis.cli.import_options import deliver, out_options, own_tables, tables_option
from minis.cli.options import LENGTH, json_option
from minis.errors import bad


@click.command("uvtt")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--cell", type=LENGTH, metavar="LENGTH", help="A cell of the map is so much of the table; else 1 inch.")
@click.option("--walls", default="wall", show_default=True, metavar="KIND", help="What an open wall is.")
@click.option(
    "--closed", default="building", show_default=True, metavar="KIND", help="What a wall around something is."
)
@click.option("--objects", default="building", show_default=True, metavar="KIND", help="What an object is.")
@click.option("--doors", metavar="KIND", help="What a closed door is; else a gap, as an open one.")
@click.option("--storeys", type=click.IntRange(1, 60), metavar="N", help="The storeys of all buildings; else 1.")
@click.option("--material", type=click.Choice(["wooden", "stone"]), help="What all buildings are made of; else wood.")
@click.option("--thickness", type=LENGTH, metavar="LENGTH", help="Of a wall that becomes an area; else 1/4 inch.")
@out_options
@tables_option
@json_option
def import_uvtt(
    file: Path, cell: float | None, walls: str, closed: str, objects: str, doors: str | None, storeys: int | None,
    material: str | None, thickness: float | None, out: Path, force: bool, title: str | None, house: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Make a table from the walls of FILE, a Universal VTT map: .dd2vtt, .df2vtt, .uvtt.

    The format knows what blocks sight, and neither heights nor kinds: the options say them for all walls at once. Of a
    map that `minis export uvtt` wrote all terrain comes back as it was.
    """
    from minis.board.schema import REACH_IN
    from minis.ground.scenario_text import refuse_existing, scenario_text
    from minis.ground.uvtt import Meaning, read_uvtt
    from minis.ground.uvtt_table import lay_map
    from minis.rules import load_rules
    from minis.rules.ground_rows import ground_number

    refuse_existing(out, force=force)
    for value, name in ((cell, "--cell"), (thickness, "--thickness")):
        if value is not None and not 0.001 <= value <= REACH_IN:
            raise bad(f"expected a length above 0, not {value:g}", file=name)
    rules = load_rules(house)
    thick = ground_number(rules, "wall-thickness") if thickness is None else thickness
    meaning = Meaning(walls, closed, objects, doors, storeys, material, thick)
    found = lay_map(read_uvtt(file), rules, meaning, cell)
    text = scenario_text(
        title or found.title or file.stem, *found.size_in, found.pieces, place=found.place, notes=found.notes,
        tables=own_tables(house, out, found.pieces),
    )  # fmt: skip
    deliver(text, found.report, out, force=force, house=house, as_json=as_json)
