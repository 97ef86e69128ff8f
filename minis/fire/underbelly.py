"""Shots at the underside of an AFV that climbs over a wall or out of a gully (F8.6, D4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from minis.board.geometry import Point, bearing, locate, round_away
from minis.board.schema import Weapon
from minis.board.terrain import Terrain
from minis.board.units import Unit
from minis.fire.acquisition import Place
from minis.fire.facts import hexes
from minis.fire.guns import Kind, parse_gun
from minis.lengths import EPSILON_IN, to_grid, to_inches
from minis.sight.line import distance, sight_line
from minis.sight.scene import Scene
from minis.sight.stretch import Span, Straight, spans_of_area

CROSSED = ("wall", "bocage")
"""Kinds of terrain that an AFV shows its underside in crossing (D4.3)."""

LEFT = ("gully",)
"""Kinds of terrain that an AFV shows its underside in leaving (D4.3)."""

NOT_AT_VEHICLES: tuple[Kind, ...] = ("mg", "mortar")
"""Weapons that have neither the Vehicle type nor a table of their own at vehicles (D4.3)."""

HALF_TURN = 180


@dataclass(frozen=True)
class Move:
    """A straight move of a vehicle's centre from `start` to `end`, in inches, forward or in reverse.

    `facing` is the bearing of its hull meanwhile; None: straight along its way. `bog_open` is true while the roll for
    bogging in the bocage is not passed (D4.33), `breaching` where it breaks through the bocage (D4.34).
    """

    unit: Unit
    start: Place
    end: Place
    reverse: bool = False
    facing: float | None = None
    bog_open: bool = False
    breaching: bool = False

    @property
    def shown(self) -> float | None:
        """The bearing of the side it shows: its front, in reverse its rear; None where it does not move."""
        if self.facing is None:
            return bearing(_grid(self.start), _grid(self.end))
        return (self.facing + (HALF_TURN if self.reverse else 0)) % (2 * HALF_TURN)


@dataclass(frozen=True)
class Climb:
    """A place where a move crosses a wall or bocage, or leaves a gully.

    `at` is the crossing point, `out_of` and `into` are places just before and beyond it, in inches. Cases Q and R are
    those of the ground `into` which it goes, and `by`, the piece crossed, gives no TEM (D4.32); a bore sight counts for
    the place `out_of` which it comes (D4.3). `along_in` is how far along the move it is.
    """

    at: Place
    out_of: Place
    into: Place
    by: str
    kind: str
    how: Literal["crosses", "leaves"]
    along_in: float


@dataclass(frozen=True)
class Underbelly:
    """Whether a firer may shoot at the underside at a place: `allowed`, the fact `underbelly`; the rule and why.

    `range_hexes` is the range to the crossing point. `missed` is true where all but the line of sight to that point was
    given: a shot that was announced has missed (D4.3).
    """

    climb: Climb
    firer: str
    allowed: bool
    rule: str
    why: str
    range_hexes: int
    missed: bool = False


def along(unit: Unit, path: Sequence[Place]) -> list[Move]:
    """The straight moves of a unit along way points, from where it stands, in inches."""
    places = [(to_inches(unit.at[0]), to_inches(unit.at[1])), *path]
    return [Move(unit, start, end) for start, end in pairwise(places)]


def _grid(place: Place) -> Point:
    return to_grid(place[0]), to_grid(place[1])


# --- the places ----------------------------------------------------------------------------------------------------


def climbs(scene: Scene, move: Move) -> tuple[Climb, ...]:
    """The places where a move of an AFV crosses a wall or bocage, or leaves a gully, in the order of the move (F8.6).

    The centre of the base counts. It crosses a wall where it comes to it and the wall goes on to the other side of its
    way, an end of a wall merely touched is not crossed. Whoever comes to the edge of a gully from inside has left it.
    Nothing but an AFV has such places.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> climbs(scene, Move(scene.board.unit("T1"), (1, 24), (2, 24)))
    ()
    """
    line = Straight.between(_grid(move.start), _grid(move.end))
    if not (move.unit.is_vehicle and move.unit.armoured) or not line.long2:
        return ()
    found = [
        _climb(scene, line, place, piece, "crosses")
        for piece in scene.board.terrain
        if piece.kind.id in CROSSED and not line.misses(piece.box)
        for place in _crossings(line, piece.line)
    ]
    found += [_climb(scene, line, place, piece, "leaves") for place, piece in _exits(line, scene.board.terrain)]
    return tuple(sorted(found, key=lambda climb: (climb.along_in, climb.by)))


def _climb(scene: Scene, line: Straight, place: float, piece: Terrain, how: Literal["crosses", "leaves"]) -> Climb:
    step = scene.settings.touch * line.long
    return Climb(
        at=_in_inches(line.at(place)),
        out_of=_in_inches(line.at(place - step)),
        into=_in_inches(line.at(place + step)),
        by=piece.id,
        kind=piece.kind.id,
        how=how,
        along_in=to_inches(place / line.long),
    )


def _in_inches(place: tuple[float, float]) -> Place:
    return to_inches(round_away(place[0])), to_inches(round_away(place[1]))


def _crossings(line: Straight, path: Sequence[Point]) -> Iterator[float]:
    """Places of a line, past its start, where a path goes from one side of it to the other."""
    closed = path[0] == path[-1]
    corners = list(path[:-1] if closed else path)
    sides = line.sides(corners)
    if closed:
        first = next((k for k, side in enumerate(sides) if side), 0)
        corners = [*corners[first:], *corners[: first + 1]]
        sides = [*sides[first:], *sides[: first + 1]]
    last: int | None = None
    for k, side in enumerate(sides):
        if not side:
            continue
        if last is not None and (sides[last] > 0) != (side > 0):
            place = _where(line, corners[last : k + 1], sides[last : k + 1])
            if 0 < place <= line.long2:
                yield place
        last = k


def _where(line: Straight, corners: Sequence[Point], sides: Sequence[int]) -> float:
    """The place where a path goes over a line, the first of it where it runs along it: its ends lie on two sides."""
    on = [float(line.along(corner)) for corner in corners[1:-1]]
    if on:
        return min(on)
    (p, q), (sp, sq) = corners, sides
    return (line.along(q) * sp - line.along(p) * sq) / (sp - sq)


def _exits(line: Straight, terrain: Sequence[Terrain]) -> Iterator[tuple[float, Terrain]]:
    """Places of a line where it comes out of a gully, not from one piece of it into the next."""
    stretches: list[tuple[Span, Terrain]] = []
    for piece in terrain:
        if piece.kind.id in LEFT and not line.misses(piece.box):
            inside = spans_of_area(line, piece.rings, grazing=False)
            stretches += [((low, high), piece) for low, high in inside if low < high]
    last = {high: piece for (_, high), piece in reversed(stretches)}
    for high, piece in last.items():
        within = any(low <= high < other for (low, other), _ in stretches)
        at_end = high == line.long2 and any(locate(line.b, other.rings) > 0 for _, other in stretches)
        if not within and not at_end:
            yield high, piece


# --- the firers ----------------------------------------------------------------------------------------------------


def underbelly(scene: Scene, move: Move, climb: Climb, firer: Unit, *, weapon: Weapon | None = None) -> Underbelly:
    """Whether a firer may shoot at the underside of an AFV at a place of its move, with the rule and why (F8.6).

    The firer must be the enemy's, within range of the crossing point, not higher than the ground just beyond it, in the
    arc that is shown, and have a line of sight to it. With a `weapon` given, it must have the Vehicle type or a table
    of its own (C3.31, C13). Raises BadInput for a gun that cannot be read.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> tank, gun = scene.board.unit("T1"), scene.board.unit("P1")
    >>> place = Climb((2, 24), (1.9, 24), (2.1, 24), "wall-1", "wall", "crosses", 1.0)
    >>> underbelly(scene, Move(tank, (1, 24), (3, 24)), place, tank).why
    'T1 is of the same side'
    """
    there = replace(move.unit, at=_grid(climb.at), length_in=0.0, width_in=0.0)
    in_hexes = hexes(to_inches(distance(scene, firer, there)), scene.board.inches_per_hex)
    bar = _barred(scene, move, climb, firer, weapon, in_hexes)
    if bar is not None:
        return Underbelly(climb, firer.id, False, *bar, in_hexes)
    hidden_by = _hidden_by(scene, there, firer)
    if hidden_by is not None:
        why = f"{firer.id} has no line of sight to the crossing point: {hidden_by} hides it"
        return Underbelly(climb, firer.id, False, "D4.3", why, in_hexes, missed=True)
    why = f"{move.unit.id} {climb.how} {climb.by} in its sight: a turret hit strikes the underside"
    return Underbelly(climb, firer.id, True, "D4.3", why, in_hexes)


def underbelly_shots(scene: Scene, move: Move) -> tuple[Underbelly, ...]:
    """Every enemy at every place of a move where an AFV shows its underside, allowed or not, in order (F8.6).

    Each with its first weapon that has the Vehicle type; a unit without weapons in the scenario is taken to have one.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> underbelly_shots(scene, Move(scene.board.unit("T1"), (1, 24), (2, 24)))
    ()
    """
    enemies = [u for u in scene.board.units if u.side != move.unit.side and not u.wreck and not u.dummy]
    return tuple(
        underbelly(scene, move, climb, firer, weapon=_best_of(firer))
        for climb in climbs(scene, move)
        for firer in sorted(enemies, key=lambda unit: unit.id)
    )


def _barred(
    scene: Scene, move: Move, climb: Climb, firer: Unit, weapon: Weapon | None, in_hexes: int
) -> tuple[str, str] | None:
    """The first reason, but for the line of sight, that forbids a shot: rule and why."""
    rules = scene.board.rules
    most = rules.fire_number("underbelly-range")
    in_bocage = climb.kind == "bocage"
    level, entered = scene.stand(firer).level, _level_at(scene, climb.into)
    bars = (
        (not (move.unit.is_vehicle and move.unit.armoured), "D4.3", f"{move.unit.id} is no AFV"),
        (firer.side == move.unit.side, "D4.3", f"{firer.id} is of the same side"),
        (in_bocage and move.breaching, "D4.34", f"{move.unit.id} breaches the bocage"),
        (in_bocage and move.bog_open, "D4.33", f"{move.unit.id} has not passed its roll for bogging yet"),
        (not _at_vehicles(weapon), "D4.3", f"{weapon.gun if weapon else ''} has no Vehicle type"),
        (in_hexes > most, "D4.3", f"{in_hexes} hexes from the crossing point, more than {most:g}"),
        (level > entered, "D4.3", f"{firer.id} on level {level} is higher than level {entered}, which is entered"),
        (not _in_arc(scene, move, climb, firer), "D4.3", f"{firer.id} is outside {_side(move)}"),
    )
    return next(((rule, why) for true, rule, why in bars if true), None)


def _side(move: Move) -> str:
    return f"the {'rear' if move.reverse else 'front'} arc of {move.unit.id}"


def _best_of(firer: Unit) -> Weapon | None:
    return next((weapon for weapon in firer.weapons if _at_vehicles(weapon)), next(iter(firer.weapons), None))


def _at_vehicles(weapon: Weapon | None) -> bool:
    return weapon is None or parse_gun(weapon.gun).kind not in NOT_AT_VEHICLES


def _level_at(scene: Scene, place: Place) -> int:
    """The level of the ground at a place."""
    at = _grid(place)
    return max((hill.level for hill in scene.board.hills if locate(at, hill.rings) >= 0), default=0)


def _in_arc(scene: Scene, move: Move, climb: Climb, firer: Unit) -> bool:
    """True where a firer's centre lies in the arc that an AFV shows at the crossing point, or is that very point."""
    way = bearing(_grid(climb.at), firer.at)
    if way is None or move.shown is None:
        return True
    off = abs((way - move.shown + HALF_TURN) % (2 * HALF_TURN) - HALF_TURN)
    return off <= scene.board.rules.fire_number("underbelly-arc") + EPSILON_IN


def _hidden_by(scene: Scene, there: Unit, firer: Unit) -> str | None:
    """What hides the crossing point from a firer; None where the line is clear.

    The AFV is traced to as a point there: neither it nor what it tows or carries is in the way.
    """
    board = scene.board
    others = (there if unit.id == there.id else unit for unit in board.units)
    line = sight_line(Scene(replace(board, units=tuple(others))), firer, there)
    return line.deciding.obstacle if line.deciding else None
