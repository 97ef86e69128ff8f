"""`minis plan`: fields of fire, lanes, bore sights, places side by side; its other commands have their own modules."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from minis.cli.options import UNIT, game_option, json_option, load_scene, print_json, refuse_unknown
from minis.errors import BadInput, bad

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.board.units import Unit
    from minis.board.zones import Lane
    from minis.sight.scene import Scene

Command = TypeVar("Command", bound=Callable[..., Any])

COMMANDS = {
    "field": ("minis.cli.plan", "The field of fire of a unit or a place: area and chances by range, dead ground."),
    "lane": ("minis.cli.plan", "Who sees a lane: from where on, for how many MP, with what chance of a hit."),
    "boresight": ("minis.cli.plan", "Spots for a bore sight, those worth most first."),
    "compare": ("minis.cli.plan", "Places for one unit side by side."),
    "hide": ("minis.cli.plan_hide", "The best places of a zone for a hidden unit."),
    "balance": ("minis.cli.plan_hide", "A set-up played many times against the lanes."),
    "check": ("minis.cli.plan_check", "A set-up against its scenario: what the rules forbid."),
}
"""Every command of the group: the module that holds it, and its line of help."""

SPOTS_SHOWN = 5
"""Spots that `boresight` lists where --top says nothing."""


class Plans(click.Group):
    """A group that imports a command's module only when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of their table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(COMMANDS[cmd_name][0]), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])


@click.group(cls=Plans)
def plan() -> None:
    """What a position is worth, at home and before the game: everything is worked out on the table of the scenario.

    With --as SIDE it is worked out on what that side may know.
    """


def target_option(command: Command) -> Command:
    """--target: who stands or moves where it is looked at."""
    return click.option(
        "--target", "target", metavar="T", help="A unit, a kind (vehicle, gun, infantry) or a type of the catalogue."
    )(command)


# --- field -----------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("unit", type=UNIT, required=False)
@click.option("--at", "place", metavar="X,Y[,FACING]", help="From this place instead; with no unit, from a bare point.")
@click.option("--level", type=click.IntRange(0, 60), metavar="N", help="The level of a bare point; else its ground.")
@click.option("--weapon", metavar="ID", help="The weapon; else the first of the unit.")
@target_option
@game_option
@json_option
def field(
    unit: str | None,
    place: str | None,
    level: int | None,
    weapon: str | None,
    target: str | None,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """The field of fire of UNIT where it stands, or of a place: area in sight by range, chances, dead ground.

    Chances are those against an armoured vehicle and a squad that stand still in the open, or against --target.
    """
    from minis.cli.plan_text import field_text
    from minis.plan.answers import field_answer, under
    from minis.plan.eyes import Eyes
    from minis.plan.field_of_fire import field_of_fire
    from minis.plan.stand_ins import eye_at

    if unit is None and place is None:
        raise bad("name a unit, or a place with --at X,Y")
    if level is not None and unit is not None:
        raise bad("a level goes with a bare point; a unit stands where it stands", file="--level")
    scene = load_scene(game, house, as_side)
    board = scene.board
    if unit is None:
        x, y, facing = parse_spot(str(place), "--at")
        if facing is not None:
            raise bad("a bare point has no facing", file="--at")
        looks = eye_at(board, (x, y))
    else:
        looks = _own_unit(scene, unit)
        looks = _moved(board, looks, str(place), "--at") if place is not None else looks
    names = [target] if target else ["vehicle", "infantry"]
    targets = [_target(scene, name, house) for name in names]
    eyes = Eyes.without(board, {looks.id, *(other.id for other in targets)})
    found = field_of_fire(eyes, looks, targets, weapon=weapon, level=level)
    if as_json:
        print_json(field_answer(found) | under(board.rules))
    else:
        click.echo(field_text(board, found, level))


def parse_spot(text: str, option: str) -> tuple[float, float, float | None]:
    """A place such as 12,14 1/2 or 12,14 1/2,90: inches, and a facing in degrees; raises BadInput for anything else.

    >>> parse_spot("12,14 1/2", "--at"), parse_spot("12,14,270", "--at")
    ((12.0, 14.5, None), (12.0, 14.0, 270.0))
    """
    from minis.lengths import parse_length

    parts = text.split(",")
    if len(parts) not in (2, 3):
        raise bad(f"expected a place such as 12,14.5 or 12,14.5,90, not {text!r}", file=option)
    try:
        x, y = parse_length(parts[0]), parse_length(parts[1])
        facing = parse_length(parts[2]) if len(parts) > 2 else None
    except BadInput as error:
        raise bad(f"expected a place such as 12,14.5 or 12,14.5,90, not {text!r}: {error}", file=option) from None
    return x, y, facing


def _own_unit(scene: Scene, name: str) -> Unit:
    """A unit that is not only a token to who asks."""
    unit = scene.board.unit(name)
    refuse_unknown(unit)
    return unit


def _target(scene: Scene, name: str | None, house: Path | None) -> Unit:
    """Who stands or moves where it is looked at: an armoured vehicle where nothing is named."""
    from minis.plan.stand_ins import stand_in

    if name in scene.board.unit_by_id:
        _own_unit(scene, str(name))
    return stand_in(scene.board, name or "vehicle", house=house)


def _moved(board: Board, unit: Unit, place: str, option: str) -> Unit:
    """A unit at a place that was typed; it keeps its facing where none is named."""
    from minis.lengths import to_grid
    from minis.plan.spots import place_unit

    x, y, facing = parse_spot(place, option)
    if not (0 <= x <= board.width_in and 0 <= y <= board.depth_in):
        raise bad(f"{x:g},{y:g} is off the table", file=option)
    return place_unit(unit, (to_grid(x), to_grid(y)), unit.facing if facing is None else facing)


# --- lanes -----------------------------------------------------------------------------------------------------------


def lanes_of(board: Board, names: Sequence[str], *, needed: bool = True) -> list[Lane]:
    """The lanes that are named, or all; raises BadInput where there is none though one is `needed`."""
    from minis.plan.lanes import lane_named

    if not names and not board.lanes and needed:
        raise bad("there is no lane on this table: draw one as [[lane]] with id, line and side", file=board.name)
    return [lane_named(board, name) for name in dict.fromkeys(names)] if names else list(board.lanes)


@click.command()
@click.argument("lanes", nargs=-1, metavar="[LANE]...")
@click.option("--from", "watching", type=UNIT, multiple=True, metavar="U", help="Who watches; else all armed enemies.")
@target_option
@game_option
@json_option
def lane(
    lanes: tuple[str, ...],
    watching: tuple[str, ...],
    target: str | None,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Who sees each LANE (else all of them): a vehicle, or --target, walks it from its beginning to its end.

    Without --from all armed units of other sides watch from where they stand, hidden ones too.
    """
    from minis.cli.plan_text import lanes_text
    from minis.plan.answers import under, watched_answer
    from minis.plan.eyes import Eyes
    from minis.plan.lanes import watched
    from minis.plan.stand_ins import armed

    scene = load_scene(game, house, as_side)
    board = scene.board
    mover = _target(scene, target, house)
    named = [_own_unit(scene, name) for name in dict.fromkeys(watching)]
    if mover.id in {unit.id for unit in named}:
        raise bad(f"{mover.id} is both the target and one that watches", file="--from")
    eyes = Eyes.without(board, {mover.id})
    found = []
    for one in lanes_of(board, lanes):
        watchers = named or armed(board, against=mover.side or one.side)
        found.append(watched(eyes, one, mover, [unit for unit in watchers if unit.id != mover.id]))
    if as_json:
        print_json({"lanes": [watched_answer(one) for one in found]} | under(board.rules))
    else:
        click.echo(lanes_text(board.rules, found))


@click.command()
@click.argument("unit", type=UNIT)
@click.option("--weapon", metavar="ID", help="The weapon; else the first of the unit.")
@click.option("--lane", "lanes", multiple=True, metavar="LANE", help="Only this lane; may be given again.")
@click.option("--top", type=click.IntRange(1, 1000), default=SPOTS_SHOWN, show_default=True, help="At most so many.")
@target_option
@game_option
@json_option
def boresight(
    unit: str,
    weapon: str | None,
    lanes: tuple[str, ...],
    top: int,
    target: str | None,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Where UNIT may bore sight a weapon (F7), and what each spot is worth on the lanes: those worth most first."""
    from minis.cli.plan_text import laid_text
    from minis.plan.answers import laid_answer, under
    from minis.plan.eyes import Eyes
    from minis.plan.laid_spots import laid_spots

    scene = load_scene(game, house, as_side)
    firer = _own_unit(scene, unit)
    mover = _target(scene, target, house)
    if mover.id == firer.id:
        raise bad(f"{firer.id} is both the firer and the target", file="--target")
    wanted = lanes_of(scene.board, lanes)
    found = laid_spots(Eyes.without(scene.board, {mover.id}).scene, firer, wanted, mover, top=top, weapon=weapon)
    if as_json:
        print_json({"unit": firer.id, "spots": [laid_answer(spot) for spot in found]} | under(scene.board.rules))
    else:
        click.echo(laid_text(scene.board.rules, firer, wanted, found))


# --- places side by side ---------------------------------------------------------------------------------------------


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="PLACE PLACE...")
@click.option("--weapon", "unit", type=UNIT, required=True, metavar="U", help="The unit that would stand there.")
@target_option
@game_option
@json_option
def compare(
    places: tuple[str, ...],
    unit: str,
    target: str | None,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """The field of fire and the lanes of a unit at each PLACE, side by side.

    A PLACE is X,Y or X,Y,FACING in inches and degrees, or a unit: the place where that one stands.
    """
    from minis.cli.plan_text import compare_text
    from minis.plan.answers import compared_answer, under
    from minis.plan.compare import compare as side_by_side
    from minis.plan.spots import place_unit

    scene = load_scene(game, house, as_side)
    board = scene.board
    firer = _own_unit(scene, unit)
    mover = _target(scene, target, house)
    if mover.id == firer.id:
        raise bad(f"{firer.id} is both the one that stands there and the target", file="--target")
    there, gone = [], set()
    for place in places:
        if "," in place and place not in board.unit_by_id:
            there.append(_moved(board, firer, place, "PLACE"))
            continue
        other = board.unit(place)
        gone.add(other.id)
        there.append(firer if other.id == firer.id else place_unit(firer, other.at, other.facing, other.storey))
    found = side_by_side(board, there, lanes_of(board, (), needed=False), mover, without=gone)
    if as_json:
        answers = [{"name": name} | one for name, one in zip(places, compared_answer(found), strict=True)]
        print_json({"unit": firer.id, "target": mover.id.strip(), "places": answers} | under(board.rules))
    else:
        click.echo(compare_text(board.rules, places, found))
