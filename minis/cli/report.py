"""`minis report`, `minis show`: a game told at its end, and the table as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minis.cli.games import game_file_option, open_game
from minis.cli.options import game_option, json_option, load_board, print_json
from minis.cli.text import switches_text
from minis.errors import MinisError, bad
from minis.lengths import GRID, format_length, format_number

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.board.terrain import Smoke
    from minis.game.game import Game
    from minis.game.standing import Acquired, TableStanding, UnitStanding
    from minis.game.state import State

DAMAGED = "cannot be shown: it is damaged; the judge's `minis verify` says where"
"""What a side hears of a game file that cannot be read: nothing of what stands in it."""


@click.command()
@click.option("--markdown", is_flag=True, default=False, help="As Markdown: so it is printed anyway.")
@game_file_option
def report(markdown: bool, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Report a game: what every token was, who was killed by what, the dice by side, every word of the judge."""
    from minis.game.report import check_ended
    from minis.game.report import report as told
    from minis.game.report_text import report_answer, report_text

    if as_json and markdown:
        raise bad("--json and --markdown exclude each other", file="--json")
    with _opened(game, as_side) as opened:
        if as_side is not None:
            check_ended(opened)
        found = told(opened)
    if as_json:
        print_json(report_answer(found))
    else:
        click.echo(report_text(found))


def _opened(path: Path | None, side: str | None) -> Game:
    """The game that was named; a side hears nothing of what is wrong in the file."""
    from minis.game.journal import is_game

    if side is None or path is None or not is_game(path):
        return open_game(path)
    try:
        return open_game(path)
    except MinisError:
        raise bad(DAMAGED, file=str(path)) from None


# --- the table as it stands ----------------------------------------------------------------------------------------


@click.command()
@game_option
@json_option
def show(game: Path | None, house: Path | None, as_side: str | None, as_json: bool) -> None:
    """Show the table as it stands: turn and phase, every unit with its place and what it did, the smoke."""
    from minis.game.standing import standing_of

    board, state = _table(game, house, as_side)
    table = standing_of(board, state, as_side)
    if as_json:
        print_json(show_answer(table))
    else:
        click.echo(show_text(table))


def _table(path: Path | None, house: Path | None, side: str | None) -> tuple[Board, State | None]:
    """The board of the scenario or game that was named, and the state of a game."""
    from minis.game.journal import is_game

    if path is None:
        raise bad("name the scenario or the game with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    if not is_game(path):
        return load_board(path, house, side), None
    if house is not None:
        raise bad("a game keeps the rules it was started with: leave out --tables", file="--tables")
    with _opened(path, side) as opened:
        return opened.state.board, opened.state


def show_answer(table: TableStanding) -> dict[str, Any]:
    """The table as `minis show --json` prints it."""
    return {
        "title": table.board.title,
        "as": table.side,
        "turn": table.turn,
        "when": table.when,
        "ended": table.ended,
        "units": [_unit_answer(one) for one in table.units],
        "smoke": [
            {"id": cloud.id, "at": _middle(cloud), "by": cloud.by, "until_turn": cloud.until_turn}
            for cloud in table.smoke
        ],
        "out": [{"unit": name, "how": how} for name, how in table.out],
        "switches": table.board.rules.not_default,
    }


def _unit_answer(one: UnitStanding) -> dict[str, Any]:
    """One unit; of a token whose unit is not known there is no kind and no facing."""
    unit = one.unit
    return {
        "id": unit.id,
        "side": unit.side,
        "token": unit.token,
        "hidden": unit.hidden,
        "dummy": unit.dummy,
        "wreck": unit.wreck,
        "kind": None if unit.unknown else unit.kind.id,
        "at": [value / GRID for value in unit.at],
        "level": one.level,
        "storey": unit.storey,
        "roof": unit.roof,
        "facing": None if unit.unknown else unit.facing % FULL,
        "turret": None if unit.unknown else unit.turret % FULL,
        "goes_with": one.goes_with,
        "flags": sorted(unit.flags),
        "stun": unit.stun,
        "conditions": list(one.marks),
        "sighted_by": sorted(unit.sighted_by),
        "mp": one.mp,
        "acquired": [{"weapon": a.weapon, "value": a.value, "target": a.target} for a in one.acquired],
        "weapons": dict(one.weapons),
        "protected": None if one.protected is None else {"centre": one.protected[0], "width": one.protected[1]},
        "lost": one.lost or None,
    }


FULL = 360
"""Degrees of a circle."""


def _middle(cloud: Smoke) -> list[float]:
    left, low, right, high = cloud.box
    return [(left + right) / 2 / GRID, (low + high) / 2 / GRID]


def show_text(table: TableStanding) -> str:
    """What `minis show` says."""
    when = f", {table.when}" if table.when else ""
    lines = [f"{table.board.title}{when}" + (", ended." if table.ended else ".")]
    side = None
    for one in table.units:
        if one.unit.side != side:
            side = one.unit.side
            lines += ["", side]
        lines += _unit_text(one)
    if table.smoke:
        lines += ["", "smoke", *(f"  {_cloud(cloud)}" for cloud in table.smoke)]
    if table.out:
        lines += ["", "out of the game", *(f"  {name}: {how}" for name, how in table.out)]
    return "\n".join(lines + switches_text(table.board.rules))


def _unit_text(one: UnitStanding) -> Iterator[str]:
    """A unit: where it stands on a line of its own, what there is to know of it on further ones."""
    unit = one.unit
    x, y = (format_number(round(value / GRID, 2)) for value in unit.at)
    storey = "roof, " if unit.roof else f"storey {unit.storey}, " if unit.storey else ""
    words = [f"{unit.shown_as:<28} {'token' if unit.unknown else unit.kind.label}", f"at {x}, {y}"]
    words.append(f"{storey}level {format_number(one.level)}")
    if not unit.unknown:
        words.append(f"facing {unit.facing % FULL:03.0f}")
        words += [f"turret {unit.turret % FULL:03.0f}"] if unit.turret % FULL != unit.facing % FULL else []
    words += [f"with {one.goes_with}"] if one.goes_with else []
    yield "  " + ", ".join(words)
    further = [
        [flag.replace("_", " ") for flag in sorted(unit.flags)]
        + ([f"{format_number(round(one.mp, 2))} MP used"] if one.mp is not None else [])
        + list(one.marks)
        + ([f"stun {unit.stun}"] if unit.stun else []),
        [f"{weapon}: {what}" for weapon, what in one.weapons] + [_acquired(found) for found in one.acquired],
        [f"protected {one.protected[1]:g}° around {one.protected[0]:03.0f}"] if one.protected else [],
        [f"sighted by {', '.join(sorted(unit.sighted_by))}"] if unit.sighted_by else [],
        [one.lost] if one.lost else [],
    ]
    yield from (f"      {', '.join(found)}" for found in further if found)


def _acquired(found: Acquired) -> str:
    return f"{found.weapon}: {found.value:+d} on {found.target or 'a place'}"


def _cloud(cloud: Smoke) -> str:
    """A cloud: its middle, how wide it is, whose own it is, the last turn it stands."""
    x, y = (format_number(round(value, 2)) for value in _middle(cloud))
    own = f", {cloud.by}'s own" if cloud.by else ""
    until = f", until turn {cloud.until_turn}" if cloud.until_turn is not None else ", until it is taken off"
    left, _, right, _ = cloud.box
    return f"{cloud.id}: at {x}, {y}, {format_length(round((right - left) / GRID, 2))} wide{own}{until}"
