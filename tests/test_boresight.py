"""Bore sighting (F7, C6.4): who may, where, what it gives, and what ends it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import boards
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.errors import BadInput
from minis.fire.boresight import BoreSight, applies, legal, lost, point_unit, record_of
from minis.fire.facts import ShotFacts
from minis.fire.to_hit import to_hit
from minis.sight.scene import Scene

GUN = {"id": "G", "side": "axis", "kind": "gun", "at": [10, 10], "facing": 90}
SPOT = (20.0, 10.0)


def scene(*more: dict[str, Any], terrain: tuple[dict[str, Any], ...] = (), gun: dict[str, Any] = GUN) -> Scene:
    """A gun at (10, 10) on a table of 96" by 60"."""
    return boards.scene_of({"table": {"width": 96, "depth": 60}, "terrain": list(terrain), "unit": [gun, *more]})


def weapon(gun: str = "75L", **more: Any) -> Weapon:
    """The weapon that is laid."""
    return Weapon(id="main", gun=gun, **more)


def refused(at: Scene, spot: tuple[float, float] = SPOT, laid: Weapon | None = None, **more: Any) -> list[str]:
    """The rules by which a spot is refused."""
    return [found.rule for found in legal(at, at.board.unit("G"), laid or weapon(), spot, **more)]


def unit_of(kind: str, **more: Any) -> dict[str, Any]:
    """The firer as another kind of unit."""
    return GUN | {"kind": kind} | more


# --- who may --------------------------------------------------------------------------------------------------------


def test_a_gun_of_the_defender_may() -> None:
    """C6.41: the scenario defender lays his guns, the attacker does not."""
    assert refused(scene()) == []
    assert refused(scene(), defender=False) == ["C6.41"]


@pytest.mark.parametrize(
    ("kind", "gun", "may"),
    [
        ("vehicle", "75", True),
        ("vehicle", "MG", False),
        ("vehicle", "HMG", False),
        ("vehicle", "FT", False),
        ("gun", "81 mortar", True),
        ("infantry", "MMG", True),
        ("infantry", "HMG", True),
        ("infantry", ".50", True),
        ("infantry", "50 mortar", True),
        ("infantry", "LMG", False),
        ("infantry", "MG", False),
        ("infantry", "ATR", False),
        ("infantry", "BAZ44", False),
        ("infantry", "PIAT", False),
        ("infantry", "Flamethrower", False),
    ],
)
def test_which_weapons_may(kind: str, gun: str, may: bool) -> None:
    """C6.41: guns, those of vehicles, MMG, HMG and mortars; no light machine guns, LATW or flamethrowers."""
    assert refused(scene(gun=unit_of(kind)), laid=weapon(gun)) == ([] if may else ["C6.41"])


def test_a_weapon_has_one_spot() -> None:
    """C6.42: a second spot of the same weapon is refused, another weapon of the unit has its own."""
    at = scene()
    recorded = [record_of(at.board.unit("G"), weapon(), SPOT)]
    assert refused(at, (24.0, 10.0), recorded=recorded) == ["C6.42"]
    assert refused(at, (24.0, 10.0), Weapon(id="second", gun="37"), recorded=recorded) == []


def test_a_gun_that_cannot_be_read_is_bad_input() -> None:
    """A gun of no known form is told."""
    with pytest.raises(BadInput, match="expected a gun"):
        refused(scene(), laid=weapon("big one"))


# --- where ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("x", "rules"), [(12.5, ["C6.42"]), (12.51, [])])
def test_the_spot_is_outside_its_own_hex(x: float, rules: list[str]) -> None:
    """C6.42, F7: more than 2" from the base; exactly 2" is its own hex."""
    assert refused(scene(), (x, 10.0)) == rules


@pytest.mark.parametrize(("x", "rules"), [(42.5, []), (42.51, ["C6.42"])])
def test_the_spot_is_within_16_hexes(x: float, rules: list[str]) -> None:
    """C6.42: 32" from the base is the 16th hex."""
    assert refused(scene(), (x, 10.0)) == rules


def test_the_spot_is_within_the_listed_range() -> None:
    """C6.42: a weapon of a range of 5 hexes reaches 10", no farther."""
    assert refused(scene(), (20.5, 10.0), weapon("50 mortar", range=5)) == []
    assert refused(scene(), (20.6, 10.0), weapon("50 mortar", range=5)) == ["C6.42"]


def test_the_size_of_a_hex_is_a_setting() -> None:
    """F1.1: with 3" to a hex its own hex and the 16 hexes are larger."""
    doc = {"table": {"width": 96, "depth": 60, "inches_per_hex": 3.0}, "unit": [GUN]}
    assert refused(boards.scene_of(doc), (13.0, 10.0)) == ["C6.42"]
    assert refused(boards.scene_of(doc), (58.0, 10.0)) == []


def test_the_spot_is_on_the_table() -> None:
    """F7: there is no ground off the table."""
    assert "F7" in refused(scene(), (10.0, -4.0))


def test_the_spot_is_in_sight() -> None:
    """C6.42: ground behind a building cannot be laid on, and the refusal names the building."""
    house = {"id": "farm", "kind": "building", "box": [14, 8, 16, 12]}
    at = scene(terrain=(house,))
    found = legal(at, at.board.unit("G"), weapon(), SPOT)
    assert [(refusal.rule, refusal.why) for refusal in found] == [("C6.42", "the spot is hidden from G by farm")]
    assert refused(at, (10.0, 20.0)) == []


def test_the_spot_may_be_in_sight_of_the_spotter() -> None:
    """C6.42: where the weapon does not see it, its spotter will do, if he sees it."""
    house = {"id": "farm", "kind": "building", "box": [14, 8, 16, 12]}
    seeing = {"id": "S", "side": "axis", "kind": "infantry", "at": [20, 20]}
    blind = {"id": "B", "side": "axis", "kind": "infantry", "at": [8, 10]}
    at = scene(seeing, blind, terrain=(house,))
    assert refused(at, spotter=at.board.unit("S")) == []
    assert refused(at, spotter=at.board.unit("B")) == ["C6.42"]


def test_the_spot_is_the_ground_in_a_building() -> None:
    """C6.42: in a building the ground floor is laid on, so what hides the ground refuses it."""
    hill = {"id": "hill", "kind": "hill", "level": 1, "box": [14, 5, 17, 15]}
    house = {"id": "farm", "kind": "building", "box": [19, 9, 21, 11], "storeys": 3}
    squad = {"id": "S", "side": "allied", "kind": "infantry", "at": [20, 10], "roof": True}
    at = scene(squad, terrain=(hill, house))
    assert boards.look(at, "G", "S").clear
    assert refused(at) == ["C6.42"]


def test_a_vehicle_on_the_spot_hides_nothing_of_it_and_one_before_it_does() -> None:
    """F7: the ground under a vehicle is the spot itself; a vehicle on the way obstructs (S6.5)."""
    on = {"id": "T", "side": "axis", "kind": "vehicle", "at": [20, 10]}
    assert refused(scene(on)) == []
    assert refused(scene(on | {"at": [16, 10]})) == ["C6.42"]


def test_every_reason_is_told_at_once() -> None:
    """C6.41, C6.42: side, weapon, and range in one answer."""
    at = scene(gun=unit_of("infantry"))
    assert refused(at, (80.0, 10.0), weapon("LMG", range=8), defender=False) == ["C6.41", "C6.41", "C6.42", "C6.42"]


def test_a_point_has_an_id_that_no_unit_can_have() -> None:
    """Two spots are two points, and neither is ever mixed up with a unit of the scenario."""
    at = scene()
    one, other = point_unit(at, (1.0, 2.0)), point_unit(at, (2.0, 1.0))
    assert one.is_point
    assert one.id != other.id
    with pytest.raises(BadInput):
        scene(GUN | {"id": one.id})


# --- in play --------------------------------------------------------------------------------------------------------


def squad(at: tuple[float, float], **more: Any) -> dict[str, Any]:
    """A target."""
    return {"id": "P", "side": "allied", "kind": "infantry", "at": list(at), **more}


def ruling(target: dict[str, Any], **more: Any) -> tuple[bool, str]:
    """What the bore sight on SPOT is to a target."""
    at = scene(target)
    gun = at.board.unit("G")
    found = applies(at, record_of(gun, weapon(), SPOT), gun, at.board.unit("P"), **more)
    return found.holds, found.rule


@pytest.mark.parametrize(("x", "holds"), [(20.0, True), (21.0, True), (21.01, False)])
def test_the_location_is_a_circle_of_one_inch(x: float, holds: bool) -> None:
    """F7: a target with its centre within 1" of the spot is in the location."""
    assert ruling(squad((x, 10.0))) == (holds, "C6.4")


def test_the_location_is_at_ground_level() -> None:
    """C6.42: upstairs is another location than the ground floor; the top of a hill is ground."""
    house = {"id": "farm", "kind": "building", "box": [19, 9, 21, 11], "storeys": 2}
    hill = {"id": "hill", "kind": "hill", "level": 1, "box": [18, 8, 22, 12]}
    for piece, more, holds in ((house, {"storey": 0}, True), (house, {"storey": 1}, False), (hill, {}, True)):
        at = scene(squad(SPOT, **more), terrain=(piece,))
        gun = at.board.unit("G")
        assert applies(at, record_of(gun, weapon(), SPOT), gun, at.board.unit("P")).holds is holds


def test_another_crew_cannot_use_it() -> None:
    """C6.43: it is of use to the crew of the set-up alone, and is not lost by another's fire."""
    assert ruling(squad(SPOT), own_crew=True) == (True, "C6.4")
    assert ruling(squad(SPOT), own_crew=False) == (False, "C6.43")


def test_it_gives_case_m() -> None:
    """C6.4: -2 to the shot; the better of Cases M and N counts, with Case E it does not."""
    facts = ShotFacts("infantry", "infantry", 5, "75", "HE", "black", bore_sighted=True)
    rules = scene().board.rules
    assert to_hit(facts, rules).drm == -2
    with_n = to_hit(replace(facts, acquired=-1), rules)
    assert ([case.case for case in with_n.cases], [out.case for out in with_n.left_out]) == (["M"], ["N"])
    assert "M" in [out.case for out in to_hit(replace(facts, range_hexes=0), rules).left_out]


def firer(**more: Any) -> tuple[BoreSight, Unit]:
    """A bore sight and its unit as it was set up."""
    unit = scene(gun=GUN | more).board.unit("G")
    return record_of(unit, weapon(), SPOT), unit


def test_it_lasts_while_the_weapon_stays() -> None:
    """C6.43: a unit that did not move keeps it."""
    record, unit = firer()
    assert lost(record, unit) == (record, None)


def test_it_is_lost_when_the_weapon_leaves_its_place() -> None:
    """C6.43: by the least move."""
    record, unit = firer()
    found, change = lost(record, replace(unit, at=(unit.at[0] + 1, unit.at[1])))
    assert change is not None
    assert (found.lost, change.rule) == (change, "C6.43")


def test_it_is_lost_when_the_hull_turns_and_not_when_the_turret_does() -> None:
    """C6.43: a vehicle's hull, not its turret; a whole turn is none."""
    record, unit = firer(kind="vehicle")
    assert lost(record, replace(unit, turret=200.0))[1] is None
    assert lost(record, replace(unit, facing=unit.facing + 360))[1] is None
    assert lost(record, replace(unit, facing=unit.facing + 1))[1] is not None


def test_a_gun_turns_on_its_carriage() -> None:
    """C6.43: a gun that is no vehicle may change its facing."""
    record, unit = firer()
    assert lost(record, replace(unit, facing=200.0))[1] is None


def test_it_does_not_come_back() -> None:
    """F7: lost for good, also when the unit is where it was."""
    at = scene(squad(SPOT))
    gun = at.board.unit("G")
    record, _ = lost(record_of(gun, weapon(), SPOT), replace(gun, at=(0, 0)))
    again, change = lost(record, gun)
    assert (again, change) == (record, None)
    assert applies(at, again, gun, at.board.unit("P")).rule == "C6.43"
    assert not applies(at, again, gun, at.board.unit("P")).holds


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-1, 1), st.floats(0, 359)), max_size=5))
def test_a_lost_record_never_applies(game: list[tuple[int, int, float]]) -> None:
    """F7: from the first move on, whatever follows, there is no bore sight."""
    at = scene(squad(SPOT))
    gun = at.board.unit("G")
    record, gone = record_of(gun, weapon(), SPOT), False
    for east, north, turret in game:
        now = replace(gun, at=(gun.at[0] + east, gun.at[1] + north), turret=turret)
        record, _ = lost(record, now)
        gone = gone or bool(east or north)
        assert (record.lost is not None) == gone
    assert applies(at, record, gun, at.board.unit("P")).holds is not gone
