"""Work that takes long, done by other processes: pictures, what is still to do, moves not made yet, planning helps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from minis.board.board import Board
from minis.board.units import Unit
from minis.draw.canvas import Canvas
from minis.draw.marks import cross
from minis.draw.palette import BLOCKER, FONT, LINE, scale_of
from minis.draw.svg import Element, el, group, path, svg_text
from minis.draw.table_map import canvas_of, credit, ground, pieces
from minis.errors import MinisError, bad
from minis.game.act import Box
from minis.game.acts import ACTS, with_ids
from minis.game.log import opportunity
from minis.game.moves import Moved
from minis.game.results import open_effects
from minis.game.state import State
from minis.game.turns import ToDo, to_do
from minis.lengths import format_length, format_number, to_grid
from minis.sight.region import Place, visible_region
from minis.sight.scene import Scene
from minis.sight.watch import Watched, watch

if TYPE_CHECKING:
    from minis.draw.set_words import Named
    from minis.fire.exposure import Exposure

Answer = dict[str, Any]


def draw_ground(board: Board) -> str:
    """The ground of a table as SVG, with what its makers ask to be said of it."""
    return svg_text(group(ground(board), credit(board), font_family=FONT))


def draw_pieces(board: Board) -> str:
    """What moves on a table as SVG."""
    return svg_text(pieces(board))


# --- what is still to do ---------------------------------------------------------------------------------------------


def still_to_do(state: State) -> list[Answer]:
    """What is still to do in the phase that is on."""
    return [_to_do(one) for one in to_do(state)]


def open_hits(state: State) -> list[Answer]:
    """Of what is still to do the effects of hits that are not taken yet, which are found at once."""
    return [_to_do(ToDo("effect", target, (), event.seq)) for event, target in open_effects(state)]


def watched(board: Board) -> list[Answer]:
    """Which hidden units have a line of sight to an enemy (S12.2)."""
    return [_watched(one) for one in watch(Scene(board)).watched]


def _to_do(one: ToDo) -> Answer:
    said = f"the effect on {one.unit} is not taken yet" if one.kind == "effect" else one.words
    return {"kind": one.kind, "unit": one.unit, "about": list(one.about), "event": one.event, "words": said}


def _watched(one: Watched) -> Answer:
    sees = [f"{seen.target.id} {format_length(round(seen.distance_in, 2))}" for seen in one.sees]
    said = f"{one.unit.id} sees {', '.join(sees) or 'nobody'}; may be sighted by {', '.join(one.seen_by) or 'nobody'}"
    return {
        "unit": one.unit.id, "side": one.unit.side, "words": said, "seen_by": list(one.seen_by),
        "sees": [{"target": seen.target.id, "distance_in": round(seen.distance_in, 6)} for seen in one.sees],
    }  # fmt: skip


# --- a move not made yet ---------------------------------------------------------------------------------------------


def preview(state: State, asked: dict[str, Any], way: Sequence[Sequence[float]]) -> Answer:
    """A move as the rules would take it: its cost, who sees it where, what it loses, and a picture of it.

    Where the rules say no, `allowed` is false and `refusal` says why.
    """
    try:
        outcome = ACTS["move"](state, with_ids(state, asked), Box())
    except MinisError as error:
        why, rule = str(getattr(error, "why", error)), str(getattr(error, "rule", ""))
        return {
            "allowed": False, "refusal": why, "rule": rule, "unit": asked["unit"], "path": list(way), "picture": "",
            "path_in": 0.0, "mp": 0.0, "words": [why], "seen_by": [], "opportunities": [], "notes": [],
        }  # fmt: skip
    moved: Moved = outcome.shown
    answer = outcome.answer
    exposures = moved.passed.exposures if moved.passed else ()
    return {
        "allowed": True, "refusal": None, "rule": "", "unit": answer["unit"], "path": list(way),
        "path_in": answer["path_in"], "mp": answer["mp"], "facing": answer["facing"], "turret": answer["turret"],
        "words": list(_move_words(answer)),
        "seen_by": [_seen(state, found) for found in exposures],
        "opportunities": [one | {"words": opportunity(one)} for one in answer["opportunities"]],
        "replaced": answer["replaced"], "hull_down": answer["hull_down"], "notes": answer["notes"],
        "picture": svg_text(_way_picture(state.board, moved, exposures)),
    }  # fmt: skip


def _move_words(answer: Mapping[str, Any]) -> Iterator[str]:
    if answer["path_in"]:
        far = format_length(round(answer["path_in"], 2))
        yield f"{answer['unit']} moves {far}, {format_number(round(answer['mp'], 2))} MP"
    else:
        yield f"{answer['unit']} turns"
    found = answer["replaced"]
    if found:
        yield f"its token is replaced after {format_length(round(found['at_in'], 2))}, near {found['enemy']}"
    for down in answer["hull_down"]:
        if down["hull_down"]:
            yield f"hull down ({down['hull_down']}) at {down['by']}"
    for loss in answer["lost"]:
        yield f"{loss['what']}: {loss['why']}"


def _seen(state: State, found: Exposure) -> Answer:
    enemy = state.board.unit(found.firer)
    length = format_length(round(sum(part.length_in for part in found.stretches), 2))
    where = "where it stops" if found.in_sight_at_end else "on its way"
    return {
        "enemy": enemy.id, "hidden": enemy.hidden, "at_end": found.in_sight_at_end,
        "words": f"{enemy.id}{' (hidden)' if enemy.hidden else ''} sees it for {length}, {where}",
        "stretches": [
            {"from": list(part.start), "to": list(part.end), "from_in": part.start_in, "to_in": part.end_in}
            for part in found.stretches
        ],
    }  # fmt: skip


def _way_picture(board: Board, moved: Moved, exposures: Sequence[Exposure]) -> Element:
    """The way of a move, in another colour where an enemy on the table or a hidden one sees it."""
    canvas, scale = canvas_of(board), scale_of(board.width_in)
    if moved.passed is None:
        return group(class_="way")
    legs = [canvas.inches(*moved.passed.legs[0][0]), *(canvas.inches(*leg[1]) for leg in moved.passed.legs)]
    seen = "".join(path(part) for found in exposures for part in _parts(canvas, moved, found))
    return group(
        el("path", d=path(legs), fill="none", stroke=LINE, stroke_width=14 * scale, class_="way-line"),
        *([el("path", d=seen, fill="none", stroke=BLOCKER, stroke_width=18 * scale, stroke_opacity=0.7,
              class_="way-seen")] if seen else []),
        cross(*legs[-1], 30 * scale),
        class_="way",
    )  # fmt: skip


def _parts(canvas: Canvas, moved: Moved, found: Exposure) -> Iterator[list[tuple[float, float]]]:
    """The stretches in sight, around the corners of the way."""
    import math

    for part in found.stretches:
        spots, gone = [part.start], 0.0
        for a, b in moved.passed.legs if moved.passed else ():
            gone += math.dist(a, b)
            if part.start_in < gone < part.end_in:
                spots.append(b)
        yield [canvas.inches(*spot) for spot in (*spots, part.end)]


# --- planning helps --------------------------------------------------------------------------------------------------

CELL_IN = 2.0
"""The least side of a cell of a map of chances, in inches."""

CELLS = 2500
"""About so many cells a map of chances has at most: it should be there soon."""


def overlay(board: Board, what: str, unit: str | None, at: Sequence[float] | None) -> Answer:
    """Dead ground, chances or a field of fire, to be laid over the table; raises BadInput."""
    if (unit is None) == (at is None):
        raise bad("name a unit or a place, and not both")
    viewer = board.unit(unit) if unit is not None else None
    if viewer is None and what != "dead":
        raise bad("of a place only the dead ground is shown: name a unit")
    if what == "dead":
        return _dead(board, viewer, at)
    if viewer is None:
        raise AssertionError("checked above")
    return _field(board, viewer, ranges=what == "field")


def _dead(board: Board, viewer: Unit | None, at: Sequence[float] | None) -> Answer:
    from minis.draw.shade import dead_layer, dead_names, makers, shadow_words, viewer_mark

    scene = Scene(board)
    where: Unit | Place = viewer if viewer is not None else Place(*at)  # type: ignore[misc]
    region = visible_region(scene, where, size="average")
    spot = viewer.at if viewer is not None else (to_grid(at[0]), to_grid(at[1]))  # type: ignore[index]
    mark = viewer_mark(board, spot, viewer)
    names = dead_names(board, region.dead, _taken(board, mark))
    layers = [dead_layer(board, region.dead), makers(scene, region.dead), mark.element, names.element]
    return {"picture": svg_text(group(layers, class_="overlay")), "words": shadow_words(scene, region, "average")}


def _field(board: Board, viewer: Unit, *, ranges: bool) -> Answer:
    """The chance to sight a vehicle everywhere; with `ranges` the range bands and the covered arc too."""
    from minis.draw.heat import bands_of, heat_layer, heat_marks, without_chance
    from minis.draw.reach import arc_layer, range_layer
    from minis.draw.shade import out_of_sight, viewer_mark
    from minis.sight.region_chance import TargetKind, chance_map

    scene = Scene(board)
    cell = max(CELL_IN, (board.width_in * board.depth_in / CELLS) ** 0.5)
    region = visible_region(scene, viewer, size="average")
    bands = bands_of(board, chance_map(scene, viewer, TargetKind("vehicle"), cell), cell, region.visible)
    mark = viewer_mark(board, viewer.at, viewer)
    below: list[Element] = [heat_layer(board, bands), out_of_sight(board, region.dead)]
    above: list[Named] = [mark]
    if ranges:
        weapon = viewer.weapons[0] if viewer.weapons else None
        reached = [row.up_to for row in board.rules.to_hit_ranges if row.up_to is not None]
        drawn, names = range_layer(board, viewer, weapon, reached, _taken(board, mark))
        arc = arc_layer(board, viewer, weapon)
        below += [drawn, *([arc] if arc else [])]
        above.append(names)
    above.append(heat_marks(board, bands, without_chance(region.visible, bands), _taken(board, *above)))
    words = f"Colours: the chance of {viewer.id} to sight a vehicle that stands there (S2 to S4, S8)."
    return {
        "picture": svg_text(group(below, [named.element for named in above], class_="overlay")), "words": [words],
    }  # fmt: skip


def _taken(board: Board, *named: Named) -> Any:
    from minis.draw.set_words import bases_of, ground_of

    boxes = [box for one in named for box in one.boxes]
    import shapely

    return shapely.union(bases_of(board.units), ground_of(canvas_of(board), boxes))
