"""Cover and hull down, relative to the one who looks (S2.5, S9, F8.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from minis.board.geometry import Point, locate
from minis.board.terrain import Terrain
from minis.board.units import Unit
from minis.lengths import GRID, format_length
from minis.sight.meeting import base_to_place
from minis.sight.scene import Scene
from minis.sight.standing import EPSILON, front_distance, front_over, rear_middle
from minis.sight.stretch import Straight, spans_of_area, spans_of_path

State = Literal["I", "II"]


@dataclass(frozen=True)
class HullDown:
    """Whether a vehicle is hull down at a crest line or a wall, against one observer or, with none, at all.

    `state` is "I" (front just over the crest), "II" (front just touching it, or behind a wall) or None. `behind` is
    true where it stands behind a crest line that it does not touch: out of sight, not hull down (S9.4).
    """

    unit: str
    observer: str | None
    state: State | None
    by: str | None
    behind: bool
    rule: str
    why: str


def cover_of(scene: Scene, target: Unit, sighter: Unit) -> tuple[str, ...]:
    """Ids of the terrain that gives a target cover from a sighter (S2.5, S9.1), in the order of the alphabet.

    The target's centre is inside cover terrain, or its base touches a wall, hedge, bocage, roadblock or crest line that
    the line from the sighter to its centre crosses, no farther from the base than the base is long.
    """
    standing = scene.stand(target)
    found = []
    for name in sorted(standing.inside | standing.touching):
        piece = scene.board.terrain_by_id[name]
        if (piece.kind.cover == "inside" and name in standing.inside) or (
            piece.kind.cover == "touch" and name in standing.touching and _is_across(scene, piece, target, sighter)
        ):
            found.append(name)
    return tuple(found)


def _is_across(scene: Scene, piece: Terrain, target: Unit, sighter: Unit) -> bool:
    """True where the line to the centre of a base crosses a piece close by the base that touches it."""
    return _crosses_close_by(scene, Straight.between(sighter.at, target.at), piece, target)


def _crosses_close_by(scene: Scene, line: Straight, piece: Terrain, unit: Unit) -> bool:
    """True where a line crosses a piece no farther from a base than the base is long (S7.2: at the place)."""
    reach = max(unit.length_in * GRID, unit.width_in * GRID, scene.settings.touch) + EPSILON
    return any(base_to_place(unit.base, line.at(u)) <= reach for u in _crossings(line, piece))


def _crossings(line: Straight, piece: Terrain) -> list[float]:
    """Places where a line crosses a wall or a crest line; for a contour, where it enters or leaves the hill."""
    if piece.line:
        return [place for span in spans_of_path(line, piece.segments) for place in span]
    spans = spans_of_area(line, piece.rings)
    places = [place for span in spans for place in span]
    return [place for place in places if not _within(line, place, piece)]


def _within(line: Straight, place: float, piece: Terrain) -> bool:
    """True where a stretch begins or ends only because the line does, on the hill."""
    if place == 0.0:
        return _goes_on(line.a, piece, spans_of_area(line, piece.rings)[0])
    if place == line.long2:
        return _goes_on(line.b, piece, spans_of_area(line, piece.rings)[-1])
    return False


def _goes_on(end: Point, piece: Terrain, span: tuple[float, float]) -> bool:
    return locate(end, piece.rings) > 0 or span[0] < span[1]


def hull_down(scene: Scene, unit: Unit, observer: Unit) -> HullDown:
    """Whether a vehicle is hull down against an observer (S9.2 to S9.4, F8.2).

    Of several crest lines and walls the one that protects best counts.
    """
    if not unit.is_vehicle:
        return HullDown(unit.id, observer.id, None, None, False, "S9.1", f"{unit.id} is no vehicle")
    found = list(_at_crests(scene, unit, observer)) + list(_at_walls(scene, unit, observer))
    order = {"II": 0, "I": 1, None: 2}
    none = HullDown(
        unit.id, observer.id, None, None, False, "S9.2", "its front is at no crest line that the line crosses"
    )
    return min(found, key=lambda h: (order[h.state], not h.behind, h.by or ""), default=none)


def hull_down_places(scene: Scene, unit: Unit) -> list[HullDown]:
    """Where a vehicle is hull down, whoever looks: one entry for each crest line and wall it is at."""
    if not unit.is_vehicle:
        return []
    standing = scene.stand(unit)
    found = []
    for piece in scene.board.terrain:
        if piece.is_crest and (piece.id in standing.touching or piece.id in standing.hills):
            state, why = _state(scene, unit, piece)
            if piece.id in standing.touching:
                found.append(HullDown(unit.id, None, state, piece.id, False, "S9.2", why))
        elif piece.kind.hull_down and piece.id in standing.touching:
            why = f"it stands against {piece.id}: hull down to a line that crosses it"
            found.append(HullDown(unit.id, None, "II", piece.id, False, "F8.2", why))
    return sorted(found, key=lambda h: h.by or "")


def _state(scene: Scene, unit: Unit, crest: Terrain) -> tuple[State | None, str]:
    """Hull down (I), (II) or not, by where the front edge is (S9.2, S9.3)."""
    touch = scene.board.rules.switch_number("touch_tolerance") * GRID
    deepest = scene.board.rules.hull_down_over.over * GRID
    over = front_over(unit, crest)
    if over > deepest + EPSILON:
        return (
            None,
            f"its front is {format_length(over / GRID)} over {crest.id}, more than {format_length(deepest / GRID)}",
        )
    if over > touch + EPSILON:
        return "I", f"its front is {format_length(over / GRID)} over the crest of {crest.id}"
    if front_distance(unit, crest) <= touch + EPSILON:
        return "II", f"its front just touches the crest of {crest.id}"
    return None, f"its front does not touch the crest of {crest.id}"


def _at_crests(scene: Scene, unit: Unit, observer: Unit) -> Iterator[HullDown]:
    """At each crest line that the line to the middle of the rear edge crosses (S9.3)."""
    standing, eye = scene.stand(unit), scene.stand(observer)
    line = Straight.between(observer.at, rear_middle(unit))
    for piece in sorted(scene.board.crests, key=lambda piece: piece.id not in standing.touching):
        if line.misses(piece.box):
            continue
        if piece.rings and (piece.id not in standing.hills or locate(line.b, piece.rings) < 0):
            continue
        if not _crossings(line, piece):
            continue
        if eye.level > piece.level:
            why = f"{observer.id} is on level {eye.level}, above the crest of {piece.id}"
            yield HullDown(unit.id, observer.id, None, None, False, "S9.3", why)
        elif piece.id in standing.touching and _crosses_close_by(scene, line, piece, unit):
            state, why = _state(scene, unit, piece)
            yield HullDown(unit.id, observer.id, state, piece.id if state else None, False, "S9.2", why)
        else:
            why = f"it stands behind the crest of {piece.id} and does not touch it there: out of sight, not hull down"
            yield HullDown(unit.id, observer.id, None, None, True, "S9.4", why)


def _at_walls(scene: Scene, unit: Unit, observer: Unit) -> Iterator[HullDown]:
    """At each wall, bocage or roadblock that the base touches and the line crosses (F8.2)."""
    standing, eye = scene.stand(unit), scene.stand(observer)
    for name in sorted(standing.touching):
        piece = scene.board.terrain_by_id[name]
        if not piece.kind.hull_down or not _is_across(scene, piece, unit, observer):
            continue
        if eye.level > standing.level:
            why = f"{observer.id} is higher by {eye.level - standing.level} level"
            yield HullDown(unit.id, observer.id, None, None, False, "F8.2", why)
        else:
            yield HullDown(unit.id, observer.id, "II", name, False, "F8.2", f"it stands against {name}")
