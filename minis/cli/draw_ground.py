"""`minis draw shadow`, `minis draw field` and `minis draw plan`: dead ground, chances, zones and lanes on the map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from minis.cli.draw_options import deliver, picture_options, turn_of, view_of
from minis.cli.options import LENGTH, UNIT, refuse_unknown
from minis.errors import bad

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.board.units import Unit
    from minis.board.zones import Lane, Zone
    from minis.draw.ground_pictures import Candidates
    from minis.draw.hiding_file import FoundPlaces
    from minis.fire.exposure import Stretch

CELLS = 10**5
"""The most cells of a picture of chances: more would be smaller than anybody sees."""


@click.command()
@click.argument("unit", type=UNIT, required=False)
@click.option("--at", "place", metavar="X,Y", help="From this place instead of a unit.")
@click.option("--level", type=click.IntRange(0, 60), metavar="N", help="The level of that place; else its ground.")
@click.option("--size", default="average", show_default=True, metavar="SIZE", help="Of the target, behind a vehicle.")
@picture_options
def shadow(
    unit: str | None, place: str | None, level: int | None, size: str, game: Path | None, house: Path | None,
    as_side: str | None, judge: bool, out: Path | None, png: bool, pdf: bool, paper: str, to_scale: bool,
) -> None:  # fmt: skip
    """Draw the dead ground of UNIT, or of a place: what hides it is named in each part."""
    from minis.cli.plan_options import parse_spot
    from minis.draw.ground_pictures import shadow_picture
    from minis.sight.region import Place
    from minis.sight.scene import Scene

    if (unit is None) == (place is None):
        raise bad("name a unit, or a place with --at X,Y, and not both")
    if level is not None and unit is not None:
        raise bad("a level goes with a place; a unit stands where it stands", file="--level")
    board = view_of(game, house, as_side, judge)
    viewer: Unit | Place
    if place is not None:
        x, y, facing = parse_spot(place, "--at")
        if facing is not None:
            raise bad("a place has no facing", file="--at")
        viewer = Place(x, y, level)
    else:
        viewer = _known(board, str(unit))
    svg = shadow_picture(Scene(board), viewer, size=size, turn=turn_of(game, as_side))
    deliver(svg, out, png, pdf, paper, to_scale)


@click.command()
@click.argument("unit", type=UNIT)
@click.option("--weapon", metavar="ID", help="The weapon; else the first of the unit.")
@click.option(
    "--target", default="vehicle", show_default=True, metavar="T", help="Whom it looks for: unit, kind, type."
)
@click.option("--cell", type=LENGTH, default="1", show_default=True, metavar="LENGTH", help="The side of a cell.")
@picture_options
def field(
    unit: str, weapon: str | None, target: str, cell: float, game: Path | None, house: Path | None,
    as_side: str | None, judge: bool, out: Path | None, png: bool, pdf: bool, paper: str, to_scale: bool,
) -> None:  # fmt: skip
    """Draw the field of fire of UNIT: the chance to sight a target everywhere, its ranges, its covered arc."""
    from minis.draw.ground_pictures import field_picture
    from minis.plan.eyes import Eyes
    from minis.plan.field_of_fire import field_of_fire
    from minis.plan.stand_ins import stand_in

    board = view_of(game, house, as_side, judge)
    looks = _known(board, unit)
    if target in board.unit_by_id:
        _known(board, target)
    whom = stand_in(board, target, house=house)
    if whom.id == looks.id:
        raise bad(f"{looks.id} does not look for itself", file="--target")
    if not cell > 0 or board.width_in * board.depth_in / cell**2 > CELLS:
        raise bad(f"expected cells of more than 0 inches, and at most {CELLS} of them on the table", file="--cell")
    eyes = Eyes.without(board, {whom.id})
    found = field_of_fire(eyes, looks, [whom], weapon=weapon)
    svg = field_picture(board, eyes.scene, found, whom, cell, turn=turn_of(game, as_side))
    deliver(svg, out, png, pdf, paper, to_scale)


@click.command()
@click.option("--from", "answer", type=click.File(encoding="utf-8"), metavar="FILE",
              help="The places that `minis plan hide --json` found; - is standard input.")  # fmt: skip
@click.option("--place", "rank", type=click.IntRange(1), metavar="N", help="The place whose sight is drawn; else 1.")
@click.option("--lanes", metavar="A,B", help="Only these lanes; else those of the answer, or all.")
@click.option("--zone", metavar="Z", help="Only this zone; else that of the answer, or all.")
@picture_options
def plan(
    answer: TextIO | None, rank: int | None, lanes: str | None, zone: str | None, game: Path | None,
    house: Path | None, as_side: str | None, judge: bool, out: Path | None, png: bool, pdf: bool, paper: str,
    to_scale: bool,
) -> None:  # fmt: skip
    """Draw zones and lanes; with --from the candidate places by rank, and what one of them sees of the lanes."""
    from minis.draw.ground_pictures import plan_picture
    from minis.draw.hiding_file import read_hiding

    if rank is not None and answer is None:
        raise bad("a place is one of those of --from FILE", file="--place")
    board = view_of(game, house, as_side, judge)
    found = None
    if answer is not None:
        found = read_hiding(_text_of(answer), answer.name)
    ways = _lanes(board, lanes, found)
    areas = _zones(board, zone, found)
    if not ways and not areas:
        raise bad("there is no zone and no lane to draw; add them as [[zone]] and [[lane]]", file=board.name)
    candidates = _candidates(board, house, found, ways, rank, answer.name) if found and answer else None
    svg = plan_picture(board, areas, ways, candidates, turn=turn_of(game, as_side))
    deliver(svg, out, png, pdf, paper, to_scale)


def _known(board: Board, name: str) -> Unit:
    """A unit that is not only a token to whom the picture is for."""
    unit = board.unit(name)
    refuse_unknown(unit)
    return unit


def _text_of(answer: TextIO) -> str:
    try:
        return str(answer.read())
    except UnicodeDecodeError:
        raise bad("is no text", file=answer.name) from None


def _lanes(board: Board, named: str | None, found: FoundPlaces | None) -> list[Lane]:
    from minis.cli.plan_options import parse_names
    from minis.plan.lanes import lane_named

    names = parse_names(named) or (found.lanes if found else [lane.id for lane in board.lanes])
    return [lane_named(board, name) for name in dict.fromkeys(names)]


def _zones(board: Board, named: str | None, found: FoundPlaces | None) -> list[Zone]:
    from minis.plan.spots import zone_named

    name = named or (found.zone if found else None)
    return [zone_named(board, name)] if name is not None else list(board.zones)


def _candidates(
    board: Board, house: Path | None, found: FoundPlaces, lanes: list[Lane], rank: int | None, name: str
) -> Candidates:
    """The places of an answer on the table of the view, and what one of them sees there of the lanes."""
    from minis.draw.ground_pictures import Candidates
    from minis.draw.hiding_file import placed

    unit = _known(board, found.unit)
    places = placed(board, unit, found, name)
    shown = rank or 1
    if shown > max(1, len(places)):
        raise bad(f"there are {len(places)} places in {name}, and none of rank {shown}", file="--place")
    seen: dict[str, tuple[Stretch, ...]] = {}
    way_out = None
    if places:
        seen = _seen(board, house, found.target, places[shown - 1], lanes)
        out = found.places[shown - 1].way_out
        way_out = (out[0], out[1]) if out else None
    scores = tuple(place.score for place in found.places)
    return Candidates(unit.id, found.target, tuple(places), scores, shown, seen, way_out)


def _seen(
    board: Board, house: Path | None, target: str, place: Unit, lanes: list[Lane]
) -> dict[str, tuple[Stretch, ...]]:
    """The stretches of each lane that a place sees of what comes along it."""
    from minis.plan.eyes import Eyes
    from minis.plan.lanes import watched
    from minis.plan.stand_ins import stand_in

    if target in board.unit_by_id:
        _known(board, target)
    comer = stand_in(board, target, house=house)
    eyes = Eyes.without(board, {place.id, comer.id, *place.carries})
    return {lane.id: watched(eyes, lane, comer, [place]).watchers[0].stretches for lane in lanes}
