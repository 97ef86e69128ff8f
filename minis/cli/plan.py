"""`minis plan`: fields of fire, lanes, bore sights, places side by side; its other commands have their own modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from minis.cli.lazy import LazyGroup
from minis.cli.options import UNIT
from minis.cli.plan_options import Ask, asked, moved, own_unit, parse_spot, target_option, weapon_option
from minis.errors import bad

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.board.zones import Lane

COMMANDS = {
    "field": (
        "minis.cli.plan",
        "field",
        "The field of fire of a unit or a place: area and chances by range, dead ground.",
    ),
    "lane": ("minis.cli.plan", "lane", "Who sees a lane: from where on, for how many MP, with what chance of a hit."),
    "boresight": ("minis.cli.plan", "boresight", "Spots for a bore sight, those worth most first."),
    "compare": ("minis.cli.plan", "compare", "Places for one unit side by side."),
    "hide": ("minis.cli.plan_hide", "hide", "The best places of a zone for a hidden unit."),
    "balance": ("minis.cli.plan_hide", "balance", "A set-up played many times against the lanes."),
    "check": ("minis.cli.plan_check", "check", "A set-up against its scenario: what the rules forbid."),
}
"""Every command of the group: the module that holds it, its function there, and its line of help."""

SPOTS_SHOWN = 5
"""Spots that `boresight` lists where --top says nothing."""


@click.group(cls=LazyGroup, table=COMMANDS)
def plan() -> None:
    """What a position is worth, at home and before the game: everything is worked out on the table of the scenario.

    With --as SIDE it is worked out on what that side may know.
    """


# --- field -----------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("unit", type=UNIT, required=False)
@click.option("--at", "place", metavar="X,Y[,FACING]", help="From this place instead; with no unit, from a bare point.")
@click.option("--level", type=click.IntRange(0, 60), metavar="N", help="The level of a bare point; else its ground.")
@weapon_option
@target_option
@asked
def field(
    ask: Ask, unit: str | None, place: str | None, level: int | None, weapon: str | None, target: str | None
) -> None:
    """The field of fire of UNIT where it stands, or of a place: area in sight by range, chances, dead ground.

    Chances are those against an armoured vehicle and a squad that stand still in the open, or against --target. Areas
    are exact; chances are those of cells.
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
    board = ask.scene().board
    if unit is None:
        x, y, facing = parse_spot(str(place), "--at")
        if facing is not None:
            raise bad("a bare point has no facing", file="--at")
        looks = eye_at(board, (x, y))
    else:
        looks = own_unit(board, unit)
        looks = moved(board, looks, str(place), "--at") if place is not None else looks
    targets = [ask.target(board, name) for name in ([target] if target else ["vehicle", "infantry"])]
    eyes = Eyes.without(board, {looks.id, *(other.id for other in targets)})
    with ask.working("field of fire") as (workers, progress):
        found = field_of_fire(eyes, looks, targets, weapon=weapon, level=level, executor=workers, progress=progress)
    ask.tell(
        lambda: field_text(board, found, level),
        lambda: field_answer(found) | under(board.rules),
        broken_off=found.broken_off,
    )


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
@asked
def lane(ask: Ask, lanes: tuple[str, ...], watching: tuple[str, ...], target: str | None) -> None:
    """Who sees each LANE (else all of them): a vehicle, or --target, walks it from its beginning to its end.

    Without --from all armed units of other sides watch from where they stand, hidden ones too. An executor works on
    several lanes at once.
    """
    from minis.cli.plan_text import lanes_text
    from minis.plan.answers import lanes_answer, under
    from minis.plan.eyes import Eyes
    from minis.plan.stand_ins import armed
    from minis.plan.watching import Watch, watch_all

    board = ask.scene().board
    mover = ask.target(board, target)
    named = [own_unit(board, name) for name in dict.fromkeys(watching)]
    if mover.id in {unit.id for unit in named}:
        raise bad(f"{mover.id} is both the target and one that watches", file="--from")
    eyes = Eyes.without(board, {mover.id})
    watches = []
    for one in lanes_of(board, lanes):
        watchers = named or armed(board, against=mover.side or one.side)
        watches.append(Watch(eyes, one, mover, tuple(unit for unit in watchers if unit.id != mover.id)))
    with ask.working("lanes") as (workers, progress):
        found = watch_all(watches, executor=workers, progress=progress)
    ask.tell(
        lambda: lanes_text(board.rules, found),
        lambda: lanes_answer(found) | under(board.rules),
        broken_off=found.broken_off,
    )


@click.command()
@click.argument("unit", type=UNIT)
@weapon_option
@click.option("--lane", "lanes", multiple=True, metavar="LANE", help="Only this lane; may be given again.")
@click.option("--top", type=click.IntRange(1, 1000), default=SPOTS_SHOWN, show_default=True, help="At most so many.")
@target_option
@asked
def boresight(ask: Ask, unit: str, weapon: str | None, lanes: tuple[str, ...], top: int, target: str | None) -> None:
    """Where UNIT may bore sight a weapon (F7), and what each spot is worth on the lanes: those worth most first."""
    from minis.cli.plan_text import laid_text
    from minis.plan.answers import laid_answer, under
    from minis.plan.eyes import Eyes
    from minis.plan.laid_spots import laid_spots

    board = ask.scene().board
    firer = own_unit(board, unit)
    mover = ask.target(board, target)
    if mover.id == firer.id:
        raise bad(f"{firer.id} is both the firer and the target", file="--target")
    wanted = lanes_of(board, lanes)
    scene = Eyes.without(board, {mover.id}).scene
    with ask.working("spots") as (workers, progress):
        found = laid_spots(scene, firer, wanted, mover, top=top, weapon=weapon, executor=workers, progress=progress)
    ask.tell(
        lambda: laid_text(board.rules, firer, wanted, found),
        lambda: laid_answer(firer, found) | under(board.rules),
        broken_off=found.broken_off,
    )


# --- places side by side ---------------------------------------------------------------------------------------------


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="PLACE PLACE...")
@click.option("--weapon", "unit", type=UNIT, required=True, metavar="U", help="The unit that would stand there.")
@target_option
@asked
def compare(ask: Ask, places: tuple[str, ...], unit: str, target: str | None) -> None:
    """The field of fire and the lanes of a unit at each PLACE, side by side.

    A PLACE is X,Y or X,Y,FACING in inches and degrees, or a unit: the place where that one stands.
    """
    from minis.cli.plan_text import compare_text
    from minis.plan.answers import compared_answer, under
    from minis.plan.compare import compare as side_by_side
    from minis.plan.spots import place_unit

    board = ask.scene().board
    firer = own_unit(board, unit)
    mover = ask.target(board, target)
    if mover.id == firer.id:
        raise bad(f"{firer.id} is both the one that stands there and the target", file="--target")
    there, gone = [], set()
    for place in places:
        if "," in place and place not in board.unit_by_id:
            there.append(moved(board, firer, place, "PLACE"))
            continue
        other = board.unit(place)
        gone.add(other.id)
        there.append(firer if other.id == firer.id else place_unit(firer, other.at, other.facing, other.storey))
    lanes = lanes_of(board, (), needed=False)
    with ask.working("places") as (workers, progress):
        found = side_by_side(board, there, lanes, mover, without=gone, executor=workers, progress=progress)
    ask.tell(
        lambda: compare_text(board.rules, places, found),
        lambda: compared_answer(firer, mover, places, found) | under(board.rules),
        broken_off=found.broken_off,
    )
