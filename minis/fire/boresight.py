"""Bore sighting: a spot that a weapon was laid on before the game (F7, C6.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from minis.board.geometry import Point, locate
from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.fire.acquisition import Change, Place, Ruling, within
from minis.fire.facts import hexes
from minis.fire.guns import parse_gun
from minis.fire.to_hit import Refusal
from minis.lengths import EPSILON_IN, format_length, to_grid, to_inches
from minis.sight.line import distance, sight_line
from minis.sight.scene import Scene

MACHINE_GUNS = ("MMG", "HMG", ".50")
"""The machine guns that may be bore sighted, by the names that players use (C6.41)."""

FLAMETHROWERS = ("FT", "FLAMETHROWER")
"""Names of a weapon that has no bore to sight along (C6.41)."""


@dataclass(frozen=True)
class BoreSight:
    """The spot that a weapon of a unit was laid on at set-up (C6.42).

    `place` is where the unit was set up, `facing` the bearing of its hull, `spot` the centre of the bore-sighted
    location at ground level; places are inches. `lost` is what ended it for good, None while it lasts.
    """

    unit: str
    weapon: str
    place: Place
    facing: float
    spot: Place
    lost: Change | None = None


def record_of(unit: Unit, weapon: Weapon, spot: Place) -> BoreSight:
    """The record of a bore-sighted spot, in inches, of a unit as it is set up; `legal` says whether it may be (C6.42).

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> unit = scene.board.unit("T1")
    >>> record_of(unit, Weapon(id="main", gun="75"), (40, 20)).spot
    (40, 20)
    """
    return BoreSight(unit.id, weapon.id, _place(unit), unit.facing, spot)


def _place(unit: Unit) -> Place:
    return to_inches(unit.at[0]), to_inches(unit.at[1])


# --- set-up --------------------------------------------------------------------------------------------------------


def legal(
    scene: Scene,
    unit: Unit,
    weapon: Weapon,
    spot: Place,
    *,
    defender: bool = True,
    spotter: Unit | None = None,
    recorded: Sequence[BoreSight] = (),
) -> tuple[Refusal, ...]:
    """Every reason why a weapon may not bore sight a spot, in inches, at set-up; empty where it may (C6.41, C6.42).

    `defender` says whether its side is the scenario defender; `spotter` is a unit that may see the spot for it;
    `recorded` are the bore sights of the side so far. A vehicle that stands on the spot hides nothing of it. Raises
    BadInput for a gun that cannot be read.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> unit = scene.board.unit("T1")
    >>> [refusal.why for refusal in legal(scene, unit, Weapon(id="main", gun="75"), (-3, 5))][:1]
    ['the spot is off the table']
    """
    found = [*_who_may_not(unit, weapon, defender, recorded), *_where_not(scene, unit, weapon, spot)]
    out_of_sight = _out_of_sight(scene, unit, spot, spotter)
    return (*found, out_of_sight) if out_of_sight else tuple(found)


def _who_may_not(unit: Unit, weapon: Weapon, defender: bool, recorded: Sequence[BoreSight]) -> Iterator[Refusal]:
    """The side, the weapon, and one spot a weapon (C6.41, C6.42)."""
    if not defender:
        yield Refusal("C6.41", f"{unit.side} is not the scenario defender")
    if not _may(unit, weapon):
        who = "a vehicle" if unit.is_vehicle else unit.kind.label
        yield Refusal("C6.41", f"{weapon.gun} of {who} cannot be bore sighted: guns, MMG, HMG and light mortars can")
    if any((record.unit, record.weapon) == (unit.id, weapon.id) for record in recorded):
        yield Refusal("C6.42", f"{weapon.id} of {unit.id} has its bore-sighted spot already")


def _may(unit: Unit, weapon: Weapon) -> bool:
    """True of guns and mortars, and of a machine gun that is a support weapon and no light one."""
    name = weapon.gun.strip().upper()
    if name in FLAMETHROWERS:
        return False
    gun = parse_gun(weapon.gun)
    if gun.kind == "mg":
        return not unit.is_vehicle and name.removesuffix(" MG") in MACHINE_GUNS
    return gun.kind in ("gun", "mortar")


def _where_not(scene: Scene, unit: Unit, weapon: Weapon, spot: Place) -> Iterator[Refusal]:
    """Off the table, in its own hex, or too far (C6.42)."""
    board = scene.board
    if not (0 <= spot[0] <= board.width_in and 0 <= spot[1] <= board.depth_in):
        yield Refusal("F7", "the spot is off the table")
    away = to_inches(distance(scene, unit, point_unit(scene, spot)))
    if away <= board.inches_per_hex + EPSILON_IN:
        own = format_length(board.inches_per_hex)
        yield Refusal("C6.42", f"the spot is in its own hex: {format_length(away)} away, not more than {own}")
    in_hexes = hexes(away, board.inches_per_hex)
    if weapon.range is not None and in_hexes > weapon.range:
        yield Refusal("C6.42", f"{in_hexes} hexes, beyond the listed range of {weapon.range}")
    most = board.rules.fire_number("boresight-range")
    if in_hexes > most:
        yield Refusal("C6.42", f"{in_hexes} hexes, more than {most:g}")


def _out_of_sight(scene: Scene, unit: Unit, spot: Place, spotter: Unit | None) -> Refusal | None:
    """The refusal where neither the weapon nor its spotter sees the ground at the spot."""
    point = point_unit(scene, spot)
    clear = _without_units_on(scene, point.at)
    why = []
    for eye in (unit, spotter):
        if eye is None:
            continue
        line = sight_line(clear, eye, point)
        if line.clear:
            return None
        why.append(f"hidden from {eye.id} by {line.deciding.obstacle if line.deciding else 'nothing'}")
    return Refusal("C6.42", "the spot is " + " and ".join(why))


def point_unit(scene: Scene, spot: Place) -> Unit:
    """A spot, in inches, as a unit without a base, on the ground: an end for a line of sight (F7).

    Its id is one that no unit of a scenario can have, so that it is never mixed up with one.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> point = point_unit(scene, (40, 20))
    >>> point.is_point, point.at
    (True, (320000, 160000))
    """
    rules = scene.board.rules
    at = to_grid(spot[0]), to_grid(spot[1])
    kind = rules.unit_kinds["infantry"]
    return Unit(f" spot {at[0]} {at[1]}", "", kind, rules.sizes["average"], at, 0.0, 0.0)


def _without_units_on(scene: Scene, at: Point) -> Scene:
    """The scene without the vehicles that stand on a spot: they hide nothing of the ground under them."""
    board = scene.board
    kept = tuple(unit for unit in board.units if unit.is_point or locate(at, [unit.base]) < 0)
    return scene if len(kept) == len(board.units) else Scene(replace(board, units=kept))


# --- in play -------------------------------------------------------------------------------------------------------


def applies(scene: Scene, record: BoreSight, unit: Unit, target: Unit, *, own_crew: bool = True) -> Ruling:
    """Whether a bore sight counts for a shot of its weapon at a target, the fact `bore_sighted` (Case M, C6.4, C6.43).

    `unit` is the firer as it stands now; `own_crew` is false where others than those of the set-up fire the weapon.
    The target is in the location where the centre of its base is in the circle, at ground level. What leaves Case M out
    (Cases E and N) is for the cases to say.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> firer, target = scene.board.unit("T1"), scene.board.unit("P1")
    >>> weapon = Weapon(id="main", gun="75")
    >>> there, elsewhere = (to_inches(target.at[0]), to_inches(target.at[1])), (1, 1)
    >>> applies(scene, record_of(firer, weapon, there), firer, target).holds
    True
    >>> applies(scene, record_of(firer, weapon, elsewhere), firer, target).why
    'P1 is not in the bore-sighted location'
    """
    now, _ = lost(record, unit)
    if now.lost is not None:
        return Ruling(False, now.lost.rule, now.lost.why)
    if not own_crew:
        return Ruling(False, "C6.43", "another crew than that of the set-up fires it")
    if not within(scene.board.rules, record.spot, _place(target)):
        return Ruling(False, "C6.4", f"{target.id} is not in the bore-sighted location")
    if scene.stand(target).level != scene.stand(target).ground:
        return Ruling(False, "C6.42", f"{target.id} is upstairs: the location is at ground level")
    return Ruling(True, "C6.4", f"{target.id} is in the bore-sighted location")


def lost(record: BoreSight, unit: Unit) -> tuple[BoreSight, Change | None]:
    """The record after its unit's move, and what ended it: it left its set-up place, or its hull turned (C6.43).

    A turret may turn, and so may a gun on its carriage. A record once lost stays lost wherever the unit goes.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> unit = scene.board.unit("T1")
    >>> record = record_of(unit, Weapon(id="main", gun="75"), (40, 20))
    >>> lost(record, replace(unit, turret=unit.turret + 90))[1] is None
    True
    >>> lost(record, replace(unit, facing=unit.facing + 90))[1].why
    'lost: the hull of T1 turned'
    """
    if record.lost is not None:
        return record, None
    change = None
    if _place(unit) != record.place:
        change = Change("C6.43", f"lost: {unit.id} left its set-up place")
    elif unit.is_vehicle and _turned(record.facing, unit.facing):
        change = Change("C6.43", f"lost: the hull of {unit.id} turned")
    return (record, None) if change is None else (replace(record, lost=change), change)


def _turned(before: float, now: float) -> bool:
    """True where two bearings differ, whole turns apart."""
    return abs((now - before + 180.0) % 360.0 - 180.0) > EPSILON_IN
