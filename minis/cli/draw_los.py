"""`minis draw los`: one page to end an argument about a line of sight."""

from __future__ import annotations

from pathlib import Path

import click

from minis.cli import text
from minis.cli.draw_options import deliver, picture_options, turn_of, view_of
from minis.cli.options import UNIT
from minis.errors import bad


@click.command()
@click.argument("a", type=UNIT)
@click.argument("b", type=UNIT)
@click.option("--sight", "with_sight", is_flag=True, default=False, help="Add the sighting attempt: need and chance.")
@picture_options
def los(
    a: str, b: str, with_sight: bool, game: Path | None, house: Path | None, as_side: str | None, judge: bool,
    out: Path | None, png: bool, pdf: bool, paper: str, to_scale: bool,
) -> None:  # fmt: skip
    """Draw the line of sight from unit A to unit B: on the map, in profile, with what hides it and the ruling."""
    from minis.draw.los_picture import los_picture
    from minis.sight.attempt import attempt
    from minis.sight.cover import cover_of, hull_down
    from minis.sight.line import sight_line
    from minis.sight.scene import Scene

    scene = Scene(view_of(game, house, as_side, judge))
    one, other = scene.board.unit(a), scene.board.unit(b)
    if one.id == other.id:
        raise bad(f"{one.id} is both ends of the line")
    line = sight_line(scene, one, other)
    cover = cover_of(scene, other, one) if line.clear else ()
    words = text.los_text(scene, line, cover, hull_down(scene, other, one)).splitlines()
    if with_sight:
        words += ["", *text.attempt_text(scene, attempt(scene, one, other)).splitlines()]
    deliver(los_picture(scene, line, words, turn=turn_of(game, as_side)), out, png, pdf, paper, to_scale)
