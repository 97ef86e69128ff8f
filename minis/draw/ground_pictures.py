"""Whole pictures of the ground: dead ground, a field of fire, a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from minis.board.board import Board
from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.board.zones import Lane, Zone
from minis.draw.canvas import UNITS
from minis.draw.heat import bands_of, heat_keys, heat_layer, heat_marks, without_chance
from minis.draw.page import Panel, page
from minis.draw.plan_map import lane_grounds, lane_names, lanes_layer, length_of, plan_keys, zone_names, zones_layer
from minis.draw.plan_places import places_layer, seen_layer, way_out_mark
from minis.draw.reach import arc_key, arc_layer, range_key, range_layer
from minis.draw.set_words import Named, bases_of, ground_of, share_of
from minis.draw.shade import (
    dead_layer,
    dead_names,
    makers,
    out_of_sight,
    out_of_sight_key,
    shadow_keys,
    shadow_words,
    viewer_mark,
)
from minis.draw.svg import Element
from minis.draw.table_map import canvas_of, table_map
from minis.fire.exposure import Stretch
from minis.lengths import GRID, format_number, to_grid
from minis.plan.field_of_fire import Band, FieldOfFire, Spread
from minis.sight.region import Place, visible_region
from minis.sight.region_chance import TargetKind, chance_map
from minis.sight.scene import Scene

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from minis.draw.page import Key


def shadow_picture(scene: Scene, viewer: Unit | Place, *, size: str = "average", turn: str | None = None) -> str:
    """The dead ground of a unit or of a place, each part hatched and named by the obstacle that makes it, as SVG.

    `size` is that of the target behind a vehicle (S6.5). Raises BadInput for a place off the table and for a size that
    there is not.
    """
    board = scene.board
    region = visible_region(scene, viewer, size=size)
    unit = viewer if isinstance(viewer, Unit) else None
    at = viewer.at if isinstance(viewer, Unit) else (to_grid(viewer.x_in), to_grid(viewer.y_in))
    name = unit.id if unit else f"{format_number(at[0] / GRID)}, {format_number(at[1] / GRID)}"
    below = [dead_layer(board, region.dead), makers(scene, region.dead)]
    viewer_at = viewer_mark(board, at, unit)
    names = dead_names(board, region.dead, _taken(board, viewer_at))
    return _page(
        board, f"{board.title}: dead ground of {name}", below, [viewer_at, names], shadow_keys(board),
        shadow_words(scene, region, size), turn,
    )  # fmt: skip


def field_picture(
    board: Board, scene: Scene, found: FieldOfFire, target: Unit, cell_in: float, *, turn: str | None = None
) -> str:
    """The field of fire of a unit as SVG: what it sees, the chance to sight a target there, its ranges and its arc.

    The chances are those of `chance_map` in cells of `cell_in` inches; `found` has the numbers of each range. `scene`
    is the board without the target, which is looked for everywhere.
    """
    unit = found.unit
    kind = TargetKind(target.kind.id, target.size.id)
    seen_as = target.size.id if target.kind.counts_as == "own" else target.kind.counts_as
    region = visible_region(scene, unit, size=seen_as)
    bands = bands_of(board, chance_map(scene, unit, kind, cell_in), cell_in, region.visible)
    no_chance = without_chance(region.visible, bands)
    reached = [band.up_to_hexes for band in found.bands if band.up_to_hexes is not None]
    viewer = viewer_mark(board, unit.at, unit)
    ranges, names = range_layer(board, unit, found.weapon, reached, _taken(board, viewer))
    arc = arc_layer(board, unit, found.weapon)
    below = [heat_layer(board, bands), out_of_sight(board, region.dead), ranges, *([arc] if arc else [])]
    above = [viewer, names, heat_marks(board, bands, no_chance, _taken(board, viewer, names))]
    keys = [*heat_keys(bands, no_chance), out_of_sight_key(board), range_key(), *([arc_key()] if arc else [])]
    title = f"{board.title}: field of fire of {unit.id.strip()}"
    return _page(board, title, below, above, keys, _field_words(found, target), turn)


def _field_words(found: FieldOfFire, target: Unit) -> list[str]:
    """The numbers of each range: ground in sight, chances to sight and to hit."""
    named = target.id.strip()
    kind = f"{target.kind.id}, {target.size.id}"
    whom = f"{named} ({kind})" if named != target.kind.id else kind
    weapon = f" with {_weapon(found.weapon)}" if found.weapon else ""
    lines = [
        f"Colours: the chance to sight this target where it stands still: {whom} (S2 to S4, S8).",
        f"{found.unit.id.strip()}{weapon} sees {found.area:.0f} sq in of {found.table:.0f}, {share_of(found.share)}. "
        "By range, in the open:",
    ]
    lines += [_band(band, arc=found.weapon is not None) for band in found.bands]
    if found.beyond:
        lines.append(f"  {found.beyond:.0f} sq in lie in its line of sight, but farther than it may sight (S1.1).")
    return lines


def _weapon(weapon: Weapon) -> str:
    return f"{weapon.id} ({weapon.gun})"


def _band(band: Band, *, arc: bool) -> str:
    end = f"to {band.up_to_hexes}" if band.up_to_hexes is not None else "and more"
    line = f"  {band.from_hexes} {end} hexes: {band.area:.0f} sq in"
    line += f", {band.in_arc:.0f} in the covered arc" if arc else ""
    for prospect in band.prospects:
        line += f"; sighted {_spread(prospect.sight)}" if prospect.sight else ""
        line += f", then hit {_spread(prospect.hit)}" if prospect.hit else ""
    return line


def _spread(spread: Spread) -> str:
    least, best = f"{float(spread.least) * 100:.0f}", f"{float(spread.best) * 100:.0f}"
    return f"{best} %" if least == best else f"{float(spread.mean) * 100:.0f} % ({least} to {best})"


@dataclass(frozen=True)
class Candidates:
    """Candidate places on a plan, best first, with their points; what the one that is `shown` sees of each lane.

    `shown` is its rank from 1 on; `way_out` its nearest place out of sight, in inches.
    """

    unit: str
    target: str
    places: tuple[Unit, ...]
    scores: tuple[float, ...]
    shown: int
    seen: Mapping[str, Sequence[Stretch]] = field(default_factory=dict)
    way_out: tuple[float, float] | None = None


def plan_picture(
    board: Board,
    zones: Sequence[Zone],
    lanes: Sequence[Lane],
    found: Candidates | None = None,
    *,
    turn: str | None = None,
) -> str:
    """Zones and lanes as SVG; with candidate places their ranks, and what one of them sees of the lanes."""
    below = [zones_layer(board, zones), lane_grounds(board, lanes)]
    above: list[Named] = []
    title, words = f"{board.title}: zones and lanes", _lane_words(lanes)
    if found is not None and found.places:
        there = found.places[found.shown - 1]
        below.append(seen_layer(board, there, found.seen, lanes))
        above.append(places_layer(board, found.places, found.shown))
        if found.way_out is not None:
            below.append(way_out_mark(board, there, found.way_out))
    if found is not None:
        title = f"{board.title}: where {found.unit} may lie in wait"
        words = _place_words(found, lanes)
    below.append(lanes_layer(board, lanes))
    there_too = found.places if found is not None else ()
    above.append(lane_names(board, lanes, _taken(board, *above, units=there_too)))
    above.append(zone_names(board, zones, _taken(board, *above, units=there_too)))
    keys = plan_keys(
        zones=bool(zones), lanes=bool(lanes), places=bool(found and found.places),
        shown=found.shown if found and found.seen else None, way_out=bool(found and found.way_out),
    )  # fmt: skip
    return _page(board, title, below, above, keys, words, turn)


def _lane_words(lanes: Sequence[Lane]) -> list[str]:
    lines = []
    for lane in lanes:
        width = "over its ground" if lane.area else f'{lane.width_in:g}" wide' if lane.width_in else "in single file"
        lines.append(f"lane {lane.id}: {lane.side or 'anybody'}, {_length(lane)}, {width}")
    return lines


def _length(lane: Lane) -> str:
    return f'{length_of(lane):.1f}"'


def _place_words(found: Candidates, lanes: Sequence[Lane]) -> list[str]:
    if not found.places:
        return [f"No place of the zone covers a lane against {found.target}."]
    lines = [f"Places for {found.unit} against {found.target}, the best first:"]
    for number, (unit, score) in enumerate(zip(found.places, found.scores, strict=True), start=1):
        x, y = (format_number(round(value / GRID, 3)) for value in unit.at)
        storey = "" if unit.storey is None else f", storey {unit.storey}"
        lines.append(f"  {number}  at {x}, {y}, facing {unit.facing:.0f}{storey}: {score:.1f} points")
    sight = [
        f'{sum(stretch.length_in for stretch in found.seen.get(lane.id, ())):.1f}" of {_length(lane)} of {lane.id}'
        for lane in lanes
    ]
    return [*lines, f"Place {found.shown} sees {', '.join(sight) or 'no lane'}."]


def _taken(board: Board, *named: Named, units: Sequence[Unit] = ()) -> BaseGeometry:
    """The ground that words keep off, in inches: the bases of units, and other words."""
    import shapely

    canvas = canvas_of(board)
    boxes = [box for one in named for box in one.boxes]
    return shapely.union(bases_of([*board.units, *units]), ground_of(canvas, boxes))


def _page(
    board: Board,
    title: str,
    below: Sequence[Element],
    above: Sequence[Named],
    keys: Sequence[Key],
    words: Sequence[str],
    turn: str | None,
) -> str:
    canvas = canvas_of(board)
    avoid = [box for named in above for box in named.boxes]
    table = table_map(board, below=below, above=[named.element for named in above], avoid=avoid)
    panel = Panel(table, canvas.width_in * UNITS, canvas.depth_in * UNITS)
    return page(board, title, [panel], keys=keys, words=words, turn=turn)
