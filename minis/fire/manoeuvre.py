"""The hull-down manoeuvre of a vehicle at a crest line, and what being hull down takes from its own fire (F8.4, F8.5).

How the unbroken arc of lower ground is found: of each straight stretch of the crest that the base touches, the place
nearest to the centre of the base is taken, and from it a look in each direction, a degree at a time, out to one hex.
A direction is open where, from one of these places, the ground from just beyond the crest is lower than the vehicle's
all that way, no cliff is in it, and it does not fall by an abrupt change of level (D4.222). The directions are taken
at half degrees left and right of the facing, so that each stands for one whole degree and a straight crest gives 180;
the arc is what is open from the facing on, to the left and to the right, until the first direction that is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from minis.board.geometry import Point, base_to_segment, bearing, nearest_on_segment, round_away, sin_cos
from minis.board.units import Unit
from minis.dice import D6
from minis.errors import bad
from minis.fire.acquisition import Change, Ruling
from minis.lengths import EPSILON_IN, GRID
from minis.rules.model import Rules
from minis.sight.cover import hull_down
from minis.sight.scene import Scene
from minis.sight.stretch import Span, Straight, spans_of_area, spans_of_path
from minis.tally import Item, Tally

FULL_TURN = 360
"""Degrees of a full turn: as many directions are looked in."""

RUSSIAN = ("russian", "soviet")
"""The nation whose closed-topped AFVs are slow to find a hull-down place, by its names (D4.22)."""


@dataclass(frozen=True)
class Manoeuvre:
    """A hull-down manoeuvre attempt: the die with its DRM, item by item, and the arc it allows in degrees, 0 if none.

    The arc granted is never wider than the lower ground around the vehicle: `granted`. Whatever comes of it, the
    vehicle stops (F8.4).
    """

    tally: Tally
    arc: float
    rule: str
    why: str

    @property
    def final(self) -> int:
        """The die with its DRM."""
        return int(self.tally.total)


@dataclass(frozen=True)
class ProtectedArc:
    """The arc in which a vehicle is hull down: the bearing of its middle, and its width in degrees (F8.4).

    It stays where it is when the turret turns.

    >>> ProtectedArc(90, 60).covers(120), ProtectedArc(90, 60).covers(121), ProtectedArc(350, 60).covers(15)
    (True, False, True)
    """

    centre: float
    width: float

    def covers(self, way: float) -> bool:
        """True where a bearing lies in the arc, its two edges included."""
        return abs(_apart(self.centre, way)) <= self.width / 2 + EPSILON_IN


@dataclass(frozen=True)
class Masked:
    """A weapon that cannot be used against a target, with the rule and why (D4.223)."""

    weapon: str
    rule: str
    why: str


def _apart(one: float, other: float) -> float:
    """Degrees from one bearing to another the short way, positive clockwise."""
    return (other - one + FULL_TURN / 2) % FULL_TURN - FULL_TURN / 2


# --- the attempt ---------------------------------------------------------------------------------------------------


def manoeuvre(
    rules: Rules,
    die: int,
    *,
    russian_closed_top: bool = False,
    buttoned_up: bool = False,
    armour_leader: int = 0,
    at_set_up: bool = False,
) -> Manoeuvre:
    """Rule on a hull-down manoeuvre attempt from its die, 1 to 6 (F8.4, D4.22).

    `armour_leader` is his modifier, -1 helps. Raises BadInput for a die that there is not.

    >>> from minis.rules import load_rules
    >>> manoeuvre(load_rules(), 2).arc, manoeuvre(load_rules(), 2, at_set_up=True).arc
    (120.0, 180.0)
    >>> manoeuvre(load_rules(), 4).arc, manoeuvre(load_rules(), 1, russian_closed_top=True, buttoned_up=True).arc
    (0.0, 0.0)
    """
    if die not in range(1, D6 + 1):
        raise bad(f"expected a die from 1 to {D6}, not {die}")
    items = [Item(die, "die", "D4.22", "dice")]
    for true, name in ((russian_closed_top, "russian-closed-top"), (buttoned_up, "buttoned-up"), (at_set_up, "set-up")):
        if true:
            row = rules.manoeuvre_drm[name]
            items.append(Item(row.value, row.label, row.rule, row.cited))
    if armour_leader:
        items.append(Item(armour_leader, "armour leader", "D4.22", "seed"))
    tally = Tally(tuple(items))
    for result in rules.manoeuvre:
        if tally.total <= result.up_to:
            return Manoeuvre(tally, float(result.arc), result.rule, f"{tally.total:g}: {result.label}, {result.arc:g}°")
    return Manoeuvre(tally, 0.0, "D4.22", f"{tally.total:g}: no effect")


def manoeuvre_odds(
    rules: Rules,
    *,
    russian_closed_top: bool = False,
    buttoned_up: bool = False,
    armour_leader: int = 0,
    at_set_up: bool = False,
) -> dict[float, Fraction]:
    """The exact chance of each arc of a manoeuvre attempt, over its one die, widest arc first, 0 last (F8.4).

    >>> from minis.rules import load_rules
    >>> {arc: str(chance) for arc, chance in manoeuvre_odds(load_rules()).items()}
    {180.0: '1/6', 120.0: '1/6', 60.0: '1/6', 0.0: '1/2'}
    """
    odds = {float(row.arc): Fraction(0) for row in rules.manoeuvre} | {0.0: Fraction(0)}
    for die in range(1, D6 + 1):
        found = manoeuvre(
            rules, die, russian_closed_top=russian_closed_top, buttoned_up=buttoned_up, armour_leader=armour_leader,
            at_set_up=at_set_up,
        )  # fmt: skip
        odds[found.arc] += Fraction(1, D6)
    return odds


def within_open_arc(odds: Mapping[float, Fraction], opened: float) -> dict[float, Fraction]:
    """The odds of an attempt where no more than an arc of lower ground is to be had, in degrees (F8.4).

    >>> within_open_arc({180.0: Fraction(1, 6), 60.0: Fraction(1, 3), 0.0: Fraction(1, 2)}, 60.0)
    {60.0: Fraction(1, 2), 0.0: Fraction(1, 2)}
    """
    capped: dict[float, Fraction] = {}
    for width, chance in odds.items():
        capped[min(width, opened)] = capped.get(min(width, opened), Fraction(0)) + chance
    return capped


def conditions_of(unit: Unit) -> dict[str, bool]:
    """What of an attempt's conditions a vehicle shows by itself, for `manoeuvre` and `manoeuvre_odds` (D4.22).

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> conditions_of(scene.board.unit("T1"))
    {'russian_closed_top': False, 'buttoned_up': False}
    """
    russian = (unit.nation or "").lower() in RUSSIAN
    return {
        "russian_closed_top": russian and unit.armoured and unit.closed_top,
        "buttoned_up": "buttoned_up" in unit.flags and unit.armoured,
    }


# --- the ground ----------------------------------------------------------------------------------------------------


def open_arc(scene: Scene, unit: Unit) -> float:
    """The unbroken arc of lower ground around a vehicle at a crest line that it touches, in degrees (F8.4).

    0 where it touches no crest of the hill it is on, or its facing is not over lower ground. The method stands at the
    head of this module.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> open_arc(scene, scene.board.unit("P1"))
    0.0
    """
    left, right = _open_sides(scene, unit)
    return float(left + right)


def granted(scene: Scene, unit: Unit, attempt: Manoeuvre, *, centre: float | None = None) -> ProtectedArc | None:
    """The arc that an attempt protects: the smaller of its own and of the lower ground, None where there is none.

    The owner says where in the open ground its `centre` is; else it is as near to the facing as the open ground lets
    it. Raises BadInput where the arc would reach past the open ground (F8.4).

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> granted(scene, scene.board.unit("P1"), manoeuvre(scene.board.rules, 1)) is None
    True
    """
    left, right = _open_sides(scene, unit)
    width = min(attempt.arc, float(left + right))
    if not width:
        return None
    low, high = -left + width / 2, right - width / 2
    if left + right >= FULL_TURN:
        low, high = -FULL_TURN / 2, FULL_TURN / 2
    turn = min(max(0.0, low), high) if centre is None else _apart(unit.facing, centre)
    if not low - EPSILON_IN <= turn <= high + EPSILON_IN:
        first, last = (unit.facing + low) % FULL_TURN, (unit.facing + high) % FULL_TURN
        raise bad(f"an arc of {width:g}° fits with its centre from {first:g}° to {last:g}°, not at {centre:g}°")
    return ProtectedArc((unit.facing + turn) % FULL_TURN, width)


def _open_sides(scene: Scene, unit: Unit) -> tuple[int, int]:
    """Degrees of open ground to the left and to the right of a vehicle's facing."""
    origins = tuple(_touched_places(scene, unit))
    left = _count(scene, unit, origins, -1, FULL_TURN)
    return left, _count(scene, unit, origins, 1, FULL_TURN - left)


def _touched_places(scene: Scene, unit: Unit) -> Iterator[Point]:
    """For each stretch of crest that a vehicle touches, of the level it is on, the place nearest to its centre."""
    standing, (x, y) = scene.stand(unit), unit.at
    if not unit.is_vehicle:
        return
    reach = scene.settings.touch + EPSILON_IN * GRID
    for hill in scene.board.hills:
        if hill.id in standing.hills and hill.id in standing.touching and hill.level == standing.ground:
            for a, b in hill.segments:
                if base_to_segment(unit.base, a, b) <= reach:
                    px, py = nearest_on_segment(unit.at, a, b)
                    yield x + round_away(px - x), y + round_away(py - y)


def _count(scene: Scene, unit: Unit, origins: tuple[Point, ...], hand: int, most: int) -> int:
    """How many directions are open, one after the other, from the facing to one hand."""
    for k in range(most):
        way = unit.facing + hand * (k + 0.5)
        if not any(_is_open(scene, unit, origin, way) for origin in origins):
            return k
    return most


def _is_open(scene: Scene, unit: Unit, origin: Point, way: float) -> bool:
    """True where the ground is lower in a direction from just beyond the crest out to one hex, and falls gently."""
    reach = scene.board.inches_per_hex * GRID
    line = Straight.between(origin, _ahead(origin, way, reach))
    start = scene.settings.touch * line.long
    ground = scene.stand(unit).ground
    if any(high > start for _, high in _on_level(scene, line, ground)):
        return False
    cliffs = [piece for piece in scene.board.terrain if piece.kind.id == "cliff"]
    if any(spans_of_path(line, cliff.segments) for cliff in cliffs):
        return False
    abrupt = ground - int(scene.board.rules.fire_number("abrupt-change")) + 1
    return abrupt <= 0 or _covered(_on_level(scene, line, abrupt), start, line.long2)


def _ahead(origin: Point, way: float, reach: float) -> Point:
    sine, cosine = sin_cos(way)
    return origin[0] + round_away(sine * reach), origin[1] + round_away(cosine * reach)


def _on_level(scene: Scene, line: Straight, level: int) -> list[Span]:
    """The stretches of a line on ground of a level or higher, in order."""
    hills = [hill for hill in scene.board.hills if hill.level >= level and not line.misses(hill.box)]
    return sorted(span for hill in hills for span in spans_of_area(line, hill.rings, grazing=False))


def _covered(spans: list[Span], start: float, end: float) -> bool:
    """True where stretches in order leave no gap between two places of a line."""
    reached = start
    for low, high in spans:
        if low > reached:
            break
        reached = max(reached, high)
    return reached >= end


# --- in play -------------------------------------------------------------------------------------------------------


def protects(arc: ProtectedArc, bearing_of_fire: float, firer_level: int, unit_level: int) -> Ruling:
    """Whether a vehicle is hull down in its protected arc to direct fire (F8.4, D4.221).

    `bearing_of_fire` is the bearing from the vehicle to the firer, in degrees. Fire counts from a level below the
    vehicle's alone. Indirect fire is not for this function: it knows no hull down (F8.1).

    >>> arc = ProtectedArc(0, 120)
    >>> protects(arc, 45, 0, 1).holds, protects(arc, 90, 0, 1).holds, protects(arc, 45, 1, 1).holds
    (True, False, False)
    """
    if not arc.covers(bearing_of_fire):
        return Ruling(False, "D4.221", f"the fire at {bearing_of_fire:03.0f} does not cross its protected arc")
    if firer_level >= unit_level:
        return Ruling(False, "D4.22", f"the firer on level {firer_level} is not lower than level {unit_level}")
    return Ruling(True, "D4.22", f"the fire at {bearing_of_fire:03.0f} crosses its protected arc")


def after_move(
    arc: ProtectedArc, *, started: bool = False, stalled: bool = False, motion: bool = False
) -> tuple[ProtectedArc | None, Change | None]:
    """A protected arc after what its vehicle did: gone when it starts to move or goes into motion (F8.4, D4.221).

    A start that stalls keeps it, and so does turning the turret.

    >>> after_move(ProtectedArc(0, 120), started=True)
    (None, Change(rule='D4.221', why='the vehicle started to move: its protected arc is gone'))
    >>> after_move(ProtectedArc(0, 120), started=True, stalled=True)
    (ProtectedArc(centre=0, width=120), None)
    """
    if motion:
        return None, Change("D4.221", "the vehicle went into motion: its protected arc is gone")
    if started and not stalled:
        return None, Change("D4.221", "the vehicle started to move: its protected arc is gone")
    return arc, None


def masked(scene: Scene, firer: Unit, target: Unit, *, arc: ProtectedArc | None = None) -> tuple[Masked, ...]:
    """The weapons that a hull-down vehicle cannot use against a target: those in its bow but for its main armament.

    The main armament is the first weapon. It is hull down to the target's place where the table makes it so (II), or
    its protected `arc` does; hull down (I) is not (F8.3). F8.5, D4.223.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> masked(scene, scene.board.unit("T1"), scene.board.unit("P1"))
    ()
    """
    why = _hull_down_to(scene, firer, target, arc)
    if why is None:
        return ()
    return tuple(
        Masked(weapon.id, "D4.223", f"{weapon.id} is in the bow, and {firer.id} is hull down to {target.id}: {why}")
        for weapon in firer.weapons[1:]
        if weapon.bow
    )


def _hull_down_to(scene: Scene, unit: Unit, other: Unit, arc: ProtectedArc | None) -> str | None:
    """Why a vehicle is hull down to the place of another unit; None where it is not."""
    found = hull_down(scene, unit, other)
    if found.state == "II":
        return found.why
    way = bearing(unit.at, other.at)
    if arc is None or way is None or not unit.is_vehicle:
        return None
    ruling = protects(arc, way, scene.stand(other).level, scene.stand(unit).level)
    return ruling.why if ruling.holds else None
