"""`minis watch`: the private check of hidden units in a sighting phase."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.cli.options import SIDE, game_option, json_option, load_scene, print_json
from minis.cli.text import columns, house_text, plural, switches_text
from minis.lengths import GRID, format_length, format_number

if TYPE_CHECKING:
    from minis.sight.scene import Scene
    from minis.sight.watch import Watch, Watched


@click.command()
@click.option("--side", type=SIDE, metavar="X", help="Only the hidden units of this side.")
@game_option
@json_option
def watch(side: str | None, game: Path | None, house: Path | None, as_side: str | None, as_json: bool) -> None:
    """Hidden units that have a line of sight to an enemy, and who may sight them (S12.2): for the judge's eyes."""
    from minis.sight.watch import watch as hidden_units
    from minis.sight.watch import watch_answer

    scene = load_scene(game, house, as_side)
    if side is not None:
        scene.board.check_side(side)
    found = hidden_units(scene, side)
    if as_json:
        print_json(watch_answer(scene, found))
    else:
        click.echo(watch_text(scene, side, found))


def watch_text(scene: Scene, side: str | None, found: Watch) -> str:
    """What `minis watch` says: how many hidden units there are, then each that has a line of sight."""
    lines = [columns(_verdict(side, found), "S12.2")]
    for entry in found.watched:
        unit = entry.unit
        x, y = (format_number(round(value / GRID, 2)) for value in unit.at)
        lines += ["", f"{unit.shown_as}   {unit.side}, at {x}, {y}, level {scene.stand(unit).level}"]
        lines += _enemies_of(entry)
    rules = scene.board.rules
    return "\n".join(lines + house_text(rules, found.rows) + switches_text(rules))


def _verdict(side: str | None, found: Watch) -> str:
    """The first line."""
    of = f"{side}: " if side else ""
    if not found.hidden:
        return f"{of}no hidden units to watch."
    there = plural(len(found.hidden), "hidden unit")
    if not found.watched:
        return f"{of}{there}: none has a line of sight to an enemy."
    many = "1 has" if len(found.watched) == 1 else f"{len(found.watched)} have"
    return f"{of}{there}: {many} a line of sight to an enemy."


def _enemies_of(entry: Watched) -> list[str]:
    """Whom a hidden unit sees, and who may sight it."""
    seen = [f"{s.target.shown_as} {format_length(round(s.distance_in, 2))}" for s in entry.sees]
    lines = [
        _wrapped("sees", ", ".join(seen) or "nobody"),
        _wrapped("may be sighted by", ", ".join(entry.seen_by) or "nobody"),
    ]
    if any(s.target.unknown for s in entry.sees):
        lines.append(columns("  whether a token may sight it only the judge knows", "S11.5"))
    in_sight = {s.target.id for s in entry.sees}
    by_tow = [name for name in entry.seen_by if name not in in_sight]
    if by_tow:
        lines.append(columns(f"  gun and tow are one target: {', '.join(by_tow)} by what it tows alone", "S11.3"))
    return lines


def _wrapped(head: str, words: str) -> str:
    """A paragraph of one unit, its head in the margin."""
    return textwrap.fill(
        f"  {head:<19}{words}", 110, subsequent_indent=" " * 21, break_on_hyphens=False, break_long_words=False
    )
