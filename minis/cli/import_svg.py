"""`minis import svg`: the layers of a drawing as terrain."""

from __future__ import annotations

from pathlib import Path

import click

from minis.cli.import_options import deliver, out_options, own_tables, parse_size, tables_option
from minis.cli.options import json_option
from minis.errors import bad


@click.command("svg")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--layer", "layers", multiple=True, metavar="LABEL=KIND",
    help="What a layer is: woods, hill 2 (a level), building 3 (storeys), or skip; else its label says it.",
)  # fmt: skip
@click.option("--size", metavar="WxD", help="The page is a table of this size in inches; else it is true to size.")
@out_options
@tables_option
@json_option
def import_svg(
    file: Path, layers: tuple[str, ...], size: str | None, out: Path, force: bool, title: str | None,
    house: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Make a table from the drawing FILE, as Inkscape writes it (.svg).

    The label of a layer says the kind of terrain, such as woods or hill 2; the title of an object is its id, else its
    label or its id in the drawing.
    """
    from minis.ground.scenario_text import refuse_existing, scenario_text
    from minis.ground.svg_in import read_svg
    from minis.ground.svg_table import lay_drawing
    from minis.rules import load_rules

    refuse_existing(out, force=force)
    kinds = dict(map(_layer, layers))
    drawing = read_svg(file, size_in=parse_size(size) if size is not None else None)
    found = lay_drawing(drawing, load_rules(house), kinds)
    text = scenario_text(
        title or found.title or file.stem, *found.size_in, found.pieces, place=found.place, notes=found.notes,
        tables=own_tables(house, out, found.pieces),
    )  # fmt: skip
    deliver(text, found.report, out, force=force, house=house, as_json=as_json)


def _layer(text: str) -> tuple[str, str]:
    label, equals, kind = text.rpartition("=")
    if not equals or not kind.strip():
        raise bad(f"expected LABEL=KIND such as forest=woods, not {text[:60]!r}", file="--layer")
    return label, kind.strip()
