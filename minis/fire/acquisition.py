"""Acquisition: what a gun has found of its target, as a record of the game's state (F6, C6.5).

A record is never changed: each function returns a new one and a `Change` for each thing that became of it, with its
rule. Who sees whom and what is Known is told; only `mark_of` reads where a unit stands off the table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from minis.board.units import Unit
from minis.fire.facts import TargetType
from minis.fire.guns import Gun, parse_gun
from minis.lengths import EPSILON_IN, to_inches
from minis.rules.model import Rules
from minis.sight.scene import Scene

Place = tuple[float, float]
"""A place on the table: x (east) and y (north) in inches."""

Kind = Literal["target", "area"]
Cause = Literal[
    "left its place", "turned", "other target", "malfunction", "smoke", "canister", "ife", "crew lost",
    "crew not in good order", "small arms", "limbered",
]  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One thing that became of a record: the rule and why."""

    rule: str
    why: str


@dataclass(frozen=True)
class Ruling:
    """A yes or no of the rules: whether it holds, the rule and why."""

    holds: bool
    rule: str
    why: str


@dataclass(frozen=True)
class Mark:
    """What a gun is laid on: a unit at a place, or with `unit` None the ground there.

    `at` is the centre of its base in inches, `level` the level it is on. `known` is false of a concealed unit (F1.5).
    """

    at: Place
    level: int = 0
    unit: str | None = None
    known: bool = True
    in_sight: bool = True


@dataclass(frozen=True)
class Firing:
    """A shot as acquisition sees it: how it is declared and, once the dice have fallen, what came of it.

    `gun` is a calibre such as 75L. `moving` is true in bounding first fire and in motion. `malfunction` and
    `took_concealment` are known only after the shot; a declaration leaves them false.
    """

    gun: str
    target_type: TargetType
    mark: Mark
    ammo: str = "HE"
    immobilization: bool = False
    canister: bool = False
    ife: bool = False
    moving: bool = False
    stabilized: bool = False
    malfunction: bool = False
    took_concealment: bool = False


@dataclass(frozen=True)
class Acquisition:
    """What one weapon has acquired: `value` 0 (nothing), -1 or -2 (F6).

    A target acquisition goes with `target` and `spot` is where that unit was last seen, on `level`; when it is lost
    from sight `target` is None and the record stays at the spot. An area acquisition belongs to `spot`, its centre,
    whatever is there. Places are inches.
    """

    unit: str
    weapon: str
    kind: Kind = "target"
    value: int = 0
    target: str | None = None
    spot: Place | None = None
    level: int = 0


Outcome = tuple[Acquisition, tuple[Change, ...]]
"""The new record, and a change for each thing that became of the old one; none where it stays as it was."""

CAUSES: dict[Cause, Change] = {
    "left its place": Change("C6.5", "the gun or its crew left its place"),
    "turned": Change("C6.5", "it turned its arc without firing at what it had acquired"),
    "other target": Change("C6.5", "it fired at another target"),
    "malfunction": Change("C6.5", "the gun malfunctioned"),
    "smoke": Change("C6.56", "it fired SMOKE"),
    "canister": Change("C6.5", "it fired canister"),
    "ife": Change("C6.54", "it used its IFE"),
    "crew lost": Change("C6.5", "its crew is lost, or has lost hold of it"),
    "crew not in good order": Change("C6.5", "its crew is not in good order"),
    "small arms": Change("C6.5", "its crew fired small arms or a support weapon"),
    "limbered": Change("C6.5", "it was limbered or unlimbered"),
}
"""Every way in which a gun loses what it has acquired, by the name that `lose` takes (F6)."""


def mark_of(scene: Scene, unit: Unit, *, in_sight: bool = True) -> Mark:
    """A unit of the table as a mark: Known unless it is hidden or a token (F1.5).

    `in_sight` is for the caller to say: no line is traced here (F1.4).

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> mark = mark_of(scene, scene.board.unit("P1"))
    >>> mark.unit, mark.in_sight
    ('P1', True)
    """
    at = to_inches(unit.at[0]), to_inches(unit.at[1])
    known = not unit.hidden and unit.token is None
    return Mark(at, scene.stand(unit).level, unit.id, known, in_sight)


# --- the DRM -------------------------------------------------------------------------------------------------------


def applies(rules: Rules, record: Acquisition, firing: Firing) -> tuple[int, str]:
    """The DRM that a record gives to a declared shot (Case N), and the rule why or why not (C6.5 to C6.57).

    The record is not changed: `transfer` says what the declaration makes of it. Raises BadInput for a gun that cannot
    be read.

    >>> from minis.rules import load_rules
    >>> record = Acquisition("T1", "main", "target", -1, "P1", (10, 10))
    >>> applies(load_rules(), record, Firing("75", "infantry", Mark((10, 10), unit="P1")))
    (-1, 'C6.5: P1 is acquired')
    >>> applies(load_rules(), record, Firing("75", "infantry", Mark((20, 10), unit="P2")))
    (0, 'C6.5: P2 is another target than the one acquired')
    """
    ruling = _standing(rules, record, firing)
    barred = _barred(record, firing)
    if barred is not None:
        ruling = Ruling(False, barred.rule, barred.why)
    return (record.value if ruling.holds else 0), f"{ruling.rule}: {ruling.why}"


def fact_of(rules: Rules, record: Acquisition, firing: Firing) -> dict[str, int]:
    """The fact of a shot that a record brings: `area_acquired` on the Area type, else `acquired`; empty where none.

    Raises BadInput for a gun that cannot be read. Case N, formats section 4.

    >>> from minis.rules import load_rules
    >>> record = Acquisition("T1", "main", "area", -2, None, (10, 10))
    >>> fact_of(load_rules(), record, Firing("75", "area", Mark((10.5, 10))))
    {'area_acquired': -2}
    >>> fact_of(load_rules(), record, Firing("75", "area", Mark((15, 10))))
    {}
    """
    value, _ = applies(rules, record, firing)
    return {"area_acquired" if firing.target_type == "area" else "acquired": value} if value else {}


def _barred(record: Acquisition, firing: Firing) -> Change | None:
    """What keeps an acquisition from this shot whatever it is laid on."""
    mark = firing.mark
    bars = (
        (not record.value, "C6.5", "nothing is acquired"),
        (firing.ife, "C6.54", "not with IFE"),
        (firing.canister, "C6.5", "not with canister"),
        (firing.immobilization, "C5.71", "not for deliberate immobilization"),
        (not mark.in_sight, "C6.521", f"{_name(mark)} is not in the gun's sight"),
        (firing.moving and not firing.stabilized, "C6.55", "a moving firer needs a stabilized gun"),
        (firing.moving and firing.target_type == "area", "C6.55", "a moving firer does not use the Area type"),
    )
    return next((Change(rule, why) for true, rule, why in bars if true), None)


def _name(mark: Mark) -> str:
    return mark.unit or "the spot"


# --- what the record is to a mark ----------------------------------------------------------------------------------


def _standing(rules: Rules, record: Acquisition, firing: Firing) -> Ruling:
    """Whether a shot is at what the record has acquired, as it is or after a transfer."""
    if record.spot is None or not record.value:
        return Ruling(False, "C6.5", "nothing is acquired")
    if firing.target_type == "area":
        return _by_area(rules, record, firing.mark)
    if record.kind == "area":
        return _from_area(rules, record, firing)
    return _on_target(rules, record, firing.mark)


def _by_area(rules: Rules, record: Acquisition, mark: Mark) -> Ruling:
    """An Area shot: at the acquired spot, or bracketing from the target acquired there."""
    if record.kind == "area":
        if _near(rules, record, mark):
            return Ruling(True, "C6.521", f"{_name(mark)} is in the acquired area")
        return Ruling(False, "C6.521", f"{_name(mark)} is outside the acquired area")
    if _near(rules, record, mark):
        return Ruling(True, "C6.52", "the spot is that of the acquired target: it becomes area acquisition")
    return Ruling(False, "C6.5", f"{_name(mark)} is another target than the one acquired")


def _from_area(rules: Rules, record: Acquisition, firing: Firing) -> Ruling:
    """An Infantry or Vehicle shot with area acquisition: handed over at the same spot to a Known unit."""
    mark = firing.mark
    if parse_gun(firing.gun).kind == "mortar":
        return Ruling(False, "C6.52", "a mortar does not hand its area acquisition over")
    if mark.unit is None or not _near(rules, record, mark):
        return Ruling(False, "C6.521", f"{_name(mark)} is outside the acquired area")
    if not mark.known:
        return Ruling(False, "C6.52", f"area acquisition is not handed over against {mark.unit}, which is concealed")
    return Ruling(True, "C6.52", f"the area acquisition is handed over to {mark.unit}")


def _on_target(rules: Rules, record: Acquisition, mark: Mark) -> Ruling:
    """An Infantry or Vehicle shot with target acquisition: at the target, or at a Known unit where it stands."""
    same = mark.unit is not None and mark.unit == record.target
    beside = mark.unit is not None and mark.level == record.level and _near(rules, record, mark)
    if not (same or beside):
        return Ruling(False, "C6.5", f"{_name(mark)} is another target than the one acquired")
    if not mark.known:
        return Ruling(False, "C6.57", f"{mark.unit} is concealed")
    if same:
        return Ruling(True, "C6.5", f"{mark.unit} is acquired")
    return Ruling(True, "C6.51", f"{mark.unit} is Known and stands at the acquired place")


def _near(rules: Rules, record: Acquisition, mark: Mark) -> bool:
    """True where a mark's centre lies in the circle around the acquired spot."""
    return record.spot is not None and within(rules, record.spot, mark.at)


def within(rules: Rules, spot: Place, at: Place) -> bool:
    """True where a place, in inches, lies in the circle around an acquired or bore-sighted spot (F6, F7).

    >>> from minis.rules import load_rules
    >>> within(load_rules(), (10, 10), (10, 11)), within(load_rules(), (10, 10), (10, 11.01))
    (True, False)
    """
    return math.dist(spot, at) <= rules.fire_number("area-radius") + EPSILON_IN


# --- a shot --------------------------------------------------------------------------------------------------------


def transfer(rules: Rules, record: Acquisition, firing: Firing) -> Outcome:
    """What announcing a shot makes of a record: kept, handed over at the same spot (bracketing), or lost (C6.52).

    A target that went into concealment is not another target: the record is kept, though it does not apply. Raises
    BadInput for a gun that cannot be read.

    >>> from minis.rules import load_rules
    >>> record = Acquisition("T1", "main", "area", -2, None, (10, 10))
    >>> new, changes = transfer(load_rules(), record, Firing("75", "infantry", Mark((10, 10), unit="P1")))
    >>> new.kind, new.value, new.target, [change.rule for change in changes]
    ('target', -2, 'P1', ['C6.52'])
    >>> transfer(load_rules(), record, Firing("75", "infantry", Mark((30, 10), unit="P1")))[0].value
    0
    """
    if not record.value:
        return record, ()
    ruling, mark = _standing(rules, record, firing), firing.mark
    if not ruling.holds:
        if record.kind == "target" and firing.target_type != "area" and mark.unit == record.target is not None:
            return record, ()
        return _without(record), (Change(ruling.rule, f"lost: {ruling.why}"),)
    if firing.target_type == "area":
        if record.kind == "area":
            return record, ()
        return replace(record, kind="area", target=None, spot=mark.at, level=0), (Change(ruling.rule, ruling.why),)
    new = replace(record, kind="target", target=mark.unit, spot=mark.at, level=mark.level)
    return new, ((Change(ruling.rule, ruling.why),) if new != record else ())


def gains(rules: Rules, firing: Firing) -> Ruling:
    """Whether a shot acquires its target, or on the Area type its spot (C6.5, C6.521, C6.54 to C6.57).

    Raises BadInput for a gun that cannot be read.

    >>> from minis.rules import load_rules
    >>> gains(load_rules(), Firing("75", "infantry", Mark((10, 10), unit="P1"))).holds
    True
    >>> gains(load_rules(), Firing("75", "infantry", Mark((10, 10), unit="P1", known=False))).rule
    'C6.57'
    """
    gun, mark, area = parse_gun(firing.gun), firing.mark, firing.target_type == "area"
    least = rules.fire_number("acquisition-calibre")
    bars = (
        (firing.malfunction, "C6.5", "the gun malfunctioned"),
        (firing.ammo == "SMOKE", "C6.56", "not by firing SMOKE"),
        (firing.ife, "C6.54", "not by IFE"),
        (firing.canister, "C6.5", "not by canister"),
        (firing.immobilization, "C5.71", "not by deliberate immobilization"),
        (not _can_acquire(gun, least), "C6.5", f"only guns of {least:g}mm or more and mortars acquire"),
        (not area and gun.kind == "mortar", "C6.521", "a mortar has area acquisition alone"),
        (not area and mark.unit is None, "C6.5", "there is no unit to acquire"),
        (not area and not mark.known and not firing.took_concealment, "C6.57", f"{mark.unit} is still concealed"),
    )
    for true, rule, why in bars:
        if true:
            return Ruling(False, rule, why)
    if area:
        return Ruling(True, "C6.521", "the area is acquired")
    return Ruling(True, "C6.5" if mark.known else "C6.57", f"{mark.unit} is acquired")


def _can_acquire(gun: Gun, least: float) -> bool:
    return gun.kind == "mortar" or (gun.kind == "gun" and gun.calibre >= least)


def after_shot(rules: Rules, record: Acquisition, firing: Firing) -> Outcome:
    """What a shot makes of a record once its dice have fallen: lost, handed over, gained by a step (F6, C6.53).

    Each To Hit attempt counts, hit or miss. Raises BadInput for a gun that cannot be read.

    >>> from minis.rules import load_rules
    >>> shot = Firing("75", "vehicle", Mark((10, 10), unit="P1"), ammo="AP")
    >>> record = Acquisition("T1", "main")
    >>> for _ in range(3):
    ...     record, changes = after_shot(load_rules(), record, shot)
    ...     print(record.value, record.target, len(changes))
    -1 P1 1
    -2 P1 1
    -2 P1 0
    """
    spoiled = _spoiled(firing)
    if spoiled is not None:
        return lose(record, spoiled)
    kept, changes = transfer(rules, record, firing)
    ruling = gains(rules, firing)
    if not ruling.holds:
        return kept, changes
    value = int(max(rules.fire_number("acquisition-most"), kept.value + rules.fire_number("acquisition-step")))
    if value == kept.value:
        return kept, changes
    new = replace(_laid_on(kept, firing), value=value)
    return new, (*changes, Change(ruling.rule, f"{ruling.why}: {value} for the next shot"))


def _spoiled(firing: Firing) -> Cause | None:
    """The way in which a shot by itself costs the gun what it had acquired."""
    causes: tuple[tuple[bool, Cause], ...] = (
        (firing.malfunction, "malfunction"),
        (firing.ammo == "SMOKE", "smoke"),
        (firing.canister, "canister"),
        (firing.ife, "ife"),
    )
    return next((cause for true, cause in causes if true), None)


def _laid_on(record: Acquisition, firing: Firing) -> Acquisition:
    """The record on what was fired at; an area that is acquired already keeps its centre."""
    mark = firing.mark
    if firing.target_type == "area":
        return replace(record, kind="area", target=None, spot=record.spot if record.value else mark.at, level=0)
    return replace(record, kind="target", target=mark.unit, spot=mark.at, level=mark.level)


# --- how it is lost and kept ---------------------------------------------------------------------------------------


def lose(record: Acquisition, cause: Cause) -> Outcome:
    """The record without what it had acquired, and why, by a name of `CAUSES` (F6).

    >>> record, changes = lose(Acquisition("T1", "main", "target", -2, "P1", (10, 10)), "malfunction")
    >>> record.value, changes[0].rule
    (0, 'C6.5')
    >>> lose(record, "limbered")[1]
    ()
    """
    if not record.value:
        return record, ()
    found = CAUSES[cause]
    return _without(record), (Change(found.rule, f"lost: {found.why}"),)


def _without(record: Acquisition) -> Acquisition:
    return Acquisition(record.unit, record.weapon)


def moved(record: Acquisition, *, stabilized: bool = False, kept_sight: bool = False) -> Outcome:
    """What leaving its place makes of a gun's record: kept by a stabilized gun that kept its mark in sight (C6.55).

    `kept_sight` counts a momentary loss of sight as sight (F4.1).

    >>> record = Acquisition("T1", "main", "target", -1, "P1", (10, 10))
    >>> moved(record, stabilized=True, kept_sight=True)[0].value, moved(record)[0].value
    (-1, 0)
    """
    if not record.value or (stabilized and kept_sight):
        return record, ()
    if stabilized:
        return _without(record), (Change("C6.55", "lost: the stabilized gun lost sight of it in its move"),)
    return lose(record, "left its place")


def turned(record: Acquisition, *, fires_at_acquired: bool) -> Outcome:
    """What turning its arc makes of a gun's record: kept where it fires at what it has acquired in that phase (C6.5).

    >>> record = Acquisition("T1", "main", "target", -1, "P1", (10, 10))
    >>> turned(record, fires_at_acquired=True)[0].value, turned(record, fires_at_acquired=False)[0].value
    (-1, 0)
    """
    return (record, ()) if fires_at_acquired else lose(record, "turned")


def attacked(rules: Rules, record: Acquisition, mark: Mark) -> Outcome:
    """What an attack by the gun's coaxial machine gun makes of its record: lost at any other target (C6.5).

    >>> from minis.rules import load_rules
    >>> record = Acquisition("T1", "main", "target", -1, "P1", (10, 10))
    >>> attacked(load_rules(), record, Mark((10, 10), unit="P1"))[0].value
    -1
    >>> attacked(load_rules(), record, Mark((20, 10), unit="P2"))[0].value
    0
    """
    if (mark.unit is not None and mark.unit == record.target) or _near(rules, record, mark):
        return record, ()
    return lose(record, "other target")


def target_moved(
    rules: Rules,
    record: Acquisition,
    unit: str,
    now: Mark,
    *,
    last_seen: Mark | None = None,
    gap_hexes: int = 0,
) -> Outcome:
    """What the move of a unit makes of a record: followed in sight, left at the last place in sight out of it (C6.51).

    `gap_hexes` is the longest stretch of the move out of the firer's sight; one as short as F4.1 allows is momentary
    and breaks nothing. `last_seen` is where it was last in sight, the old spot where not given. Area acquisition does
    not follow (C6.521).

    >>> from minis.rules import load_rules
    >>> record = Acquisition("T1", "main", "target", -1, "P1", (10, 10))
    >>> target_moved(load_rules(), record, "P1", Mark((14, 10), unit="P1"))[0].spot
    (14, 10)
    >>> gone, _ = target_moved(load_rules(), record, "P1", Mark((14, 10), unit="P1", in_sight=False))
    >>> gone.target, gone.spot, gone.value
    (None, (10, 10), -1)
    """
    if not record.value or record.kind == "area" or record.target != unit:
        return record, ()
    if now.in_sight and gap_hexes <= rules.fire_number("sight-gap"):
        kept = replace(record, spot=now.at, level=now.level)
        return kept, ((Change("C6.5", f"{unit} stays acquired in its move"),) if kept != record else ())
    seen = last_seen or Mark(record.spot or now.at, record.level)
    left = replace(record, target=None, spot=seen.at, level=seen.level)
    return left, (Change("C6.51", f"{unit} went out of sight: its last place in sight stays acquired"),)


def follow(rules: Rules, record: Acquisition, mark: Mark) -> Outcome:
    """Let a target acquisition go with another Known unit of the acquired place, before they part (C6.51).

    The record is unchanged, without a change, where the unit may not be chosen.

    >>> from minis.rules import load_rules
    >>> record = Acquisition("T1", "main", "target", -1, "P1", (10, 10))
    >>> follow(load_rules(), record, Mark((10, 10.5), unit="P2"))[0].target
    'P2'
    >>> follow(load_rules(), record, Mark((20, 10), unit="P3"))[0].target
    'P1'
    """
    if not record.value or record.kind == "area" or mark.unit == record.target:
        return record, ()
    ruling = _on_target(rules, record, mark)
    if not ruling.holds:
        return record, ()
    new = replace(record, target=mark.unit, spot=mark.at, level=mark.level)
    return new, (Change(ruling.rule, f"the acquisition goes with {mark.unit}"),)
