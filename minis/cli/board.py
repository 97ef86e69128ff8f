"""`minis check`, `minis measure`, `minis schema`."""

from __future__ import annotations

from pathlib import Path

import click

from minis.cli import text
from minis.cli.options import UNIT, game_option, json_option, load_board, load_scene, print_json, side_option


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--tables", "house", type=click.Path(path_type=Path), metavar="DIR", help="House rules laid over the tables."
)
@side_option
@json_option
def check(file: Path, house: Path | None, as_side: str | None, as_json: bool) -> None:
    """Check a scenario FILE: every mistake at once, each with its place and what was expected."""
    board = load_board(file, house, as_side)
    if as_json:
        print_json(
            {
                "file": str(file),
                "title": board.title,
                "terrain": len(board.terrain),
                "smoke": len(board.smoke),
                "units": {side: sum(u.side == side for u in board.units) for side in board.sides},
                "cautions": list(board.cautions),
                "switches": board.rules.not_default,
            }
        )
    else:
        click.echo(text.check_text(board))


@click.command()
@click.argument("a", type=UNIT)
@click.argument("b", type=UNIT)
@game_option
@json_option
def measure(a: str, b: str, game: Path | None, house: Path | None, as_side: str | None, as_json: bool) -> None:
    """Measure from unit A to unit B: distance, bearing, levels."""
    from minis.sight.answers import measure_answer

    scene = load_scene(game, house, as_side)
    answer = measure_answer(scene, scene.board.unit(a), scene.board.unit(b))
    if as_json:
        print_json(answer)
    else:
        click.echo(text.measure_text(scene.board.rules, answer))


@click.command()
def schema() -> None:
    """Print the JSON Schema of a scenario file, for editors that complete and check while one types."""
    from minis.board.schema import json_schema

    print_json(json_schema())
