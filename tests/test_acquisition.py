"""Acquisition (F6, C6.5): how it is gained, kept, handed over and lost, and what it gives to a shot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import boards
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minis.errors import BadInput
from minis.fire import acquisition
from minis.fire.acquisition import (
    CAUSES,
    Acquisition,
    Firing,
    Mark,
    after_shot,
    applies,
    attacked,
    fact_of,
    follow,
    gains,
    lose,
    mark_of,
    moved,
    target_moved,
    transfer,
    turned,
)
from minis.rules import load_rules

RULES = load_rules()
NOTHING = Acquisition("T1", "main")
HERE, NEAR, FAR = (10.0, 10.0), (10.5, 10.5), (20.0, 10.0)
P1 = Mark(HERE, unit="P1")
ON_P1 = Acquisition("T1", "main", "target", -1, "P1", HERE)
ON_AREA = Acquisition("T1", "main", "area", -1, None, HERE)


def shot(mark: Mark = P1, target_type: Any = "infantry", gun: str = "75", **more: Any) -> Firing:
    """A 75mm HE shot on the Infantry type, unless said otherwise."""
    return Firing(gun, target_type, mark, **more)


def value_after(record: Acquisition, firing: Firing) -> int:
    """The acquisition of a gun after a shot."""
    return after_shot(RULES, record, firing)[0].value


def drm(record: Acquisition, firing: Firing) -> int:
    """The DRM of a shot by its acquisition."""
    return applies(RULES, record, firing)[0]


def rules_of(outcome: acquisition.Outcome) -> list[str]:
    """The rules of the changes."""
    return [change.rule for change in outcome[1]]


# --- gained ---------------------------------------------------------------------------------------------------------


def test_a_shot_at_a_known_unit_acquires_it_by_steps_to_the_most() -> None:
    """C6.5: -1 after the first shot, -2 after the second, and never more."""
    record, seen = NOTHING, []
    for _ in range(4):
        record, changes = after_shot(RULES, record, shot())
        seen.append((record.value, record.target, len(changes)))
    assert seen == [(-1, "P1", 1), (-2, "P1", 1), (-2, "P1", 0), (-2, "P1", 0)]


def test_the_first_shot_has_nothing_of_what_it_acquires() -> None:
    """C6.5: the DRM is for the shots after the one that acquires."""
    assert applies(RULES, NOTHING, shot()) == (0, "C6.5: nothing is acquired")


@pytest.mark.parametrize(("gun", "value"), [("20L", -1), ("75", -1), ("15", 0), ("ATR", 0), ("HMG", 0), ("PIAT", 0)])
def test_only_guns_of_20mm_and_more_acquire(gun: str, value: int) -> None:
    """C6.5: a gun of 20mm acquires, a smaller one, a machine gun and a light anti-tank weapon do not."""
    assert value_after(NOTHING, shot(gun=gun)) == value


def test_deliberate_immobilization_neither_gains_nor_uses() -> None:
    """C6.5, C5.71: an attempt with Case G does not acquire, has no DRM, and leaves what there was at its target."""
    aimed = shot(target_type="vehicle", immobilization=True)
    assert value_after(NOTHING, aimed) == 0
    assert applies(RULES, ON_P1, aimed) == (0, "C5.71: not for deliberate immobilization")
    assert after_shot(RULES, ON_P1, aimed) == (ON_P1, ())


def test_nothing_is_acquired_where_there_is_no_unit() -> None:
    """C6.5: on the Infantry or Vehicle type there must be a unit; on the Area type a spot will do."""
    assert not gains(RULES, shot(Mark(HERE))).holds
    assert gains(RULES, shot(Mark(HERE), "area")).holds


def test_a_concealed_target_is_acquired_if_the_shot_took_its_concealment() -> None:
    """C6.57: by the shot that takes its concealment, not by one that leaves it."""
    concealed = replace(P1, known=False)
    assert after_shot(RULES, NOTHING, shot(concealed)) == (NOTHING, ())
    record, changes = after_shot(RULES, NOTHING, shot(concealed, took_concealment=True))
    assert (record.value, record.target, changes[0].rule) == (-1, "P1", "C6.57")


def test_a_concealed_target_is_acquired_by_area_fire() -> None:
    """C6.57: Area fire acquires the spot with a concealed unit on it."""
    record, changes = after_shot(RULES, NOTHING, shot(replace(P1, known=False), "area"))
    assert (record.kind, record.value, record.spot, changes[0].rule) == ("area", -1, HERE, "C6.521")


def test_each_to_hit_attempt_of_a_rate_of_fire_counts() -> None:
    """C6.53: two shots of one phase make -2, and the DRM earned serves the second."""
    record, _ = after_shot(RULES, NOTHING, shot(gun="37"))
    assert drm(record, shot(gun="37")) == -1
    assert value_after(record, shot(gun="37")) == -2


# --- what it gives --------------------------------------------------------------------------------------------------


def test_the_fact_is_named_by_the_target_type() -> None:
    """Case N: `acquired` on the Infantry and Vehicle types, `area_acquired` on the Area type, none where it is 0."""
    assert fact_of(RULES, ON_P1, shot()) == {"acquired": -1}
    assert fact_of(RULES, ON_AREA, shot(target_type="area")) == {"area_acquired": -1}
    assert fact_of(RULES, ON_AREA, shot()) == {"acquired": -1}
    assert fact_of(RULES, ON_P1, shot(Mark(FAR, unit="P2"))) == {}


def test_another_target_has_nothing_of_it() -> None:
    """C6.5: a shot at another unit elsewhere has no DRM."""
    assert drm(ON_P1, shot()) == -1
    assert drm(ON_P1, shot(Mark(FAR, unit="P2"))) == 0


def test_every_known_unit_of_the_place_is_acquired() -> None:
    """C6.51: the DRM serves against another Known unit at the target's place, not against a concealed one."""
    assert drm(ON_P1, shot(Mark(NEAR, unit="P2"))) == -1
    assert drm(ON_P1, shot(Mark(NEAR, unit="P2", known=False))) == 0
    assert drm(ON_P1, shot(Mark(NEAR, unit="P2", level=1))) == 0


def test_an_acquired_target_that_goes_into_concealment_stays_acquired_and_is_no_help() -> None:
    """C6.51, C6.57: no DRM against it while it is concealed; the shot at it is not at another target."""
    concealed = replace(P1, known=False)
    assert applies(RULES, ON_P1, shot(concealed)) == (0, "C6.57: P1 is concealed")
    assert after_shot(RULES, ON_P1, shot(concealed)) == (ON_P1, ())
    assert value_after(ON_P1, shot(concealed, took_concealment=True)) == -2


@pytest.mark.parametrize(("east", "value"), [(10.0, -1), (11.0, -1), (11.01, 0)])
def test_an_area_is_a_circle_of_one_inch(east: float, value: int) -> None:
    """F6: what has its centre within 1" of the spot is in the area."""
    assert drm(ON_AREA, shot(Mark((east, 10.0), unit="P1"), "area")) == value


def test_an_area_serves_against_concealed_and_later_arrivals() -> None:
    """C6.521: Area fire has its DRM against whatever is there, Known or not, first come or late."""
    assert drm(ON_AREA, shot(Mark(HERE, unit="P8", known=False), "area")) == -1
    assert drm(ON_AREA, shot(Mark(HERE), "area")) == -1


def test_an_area_serves_only_in_sight() -> None:
    """C6.521: a unit of the area that the gun cannot see has nothing to fear from it."""
    assert drm(ON_AREA, shot(replace(P1, in_sight=True), "area")) == -1
    assert drm(ON_AREA, shot(replace(P1, in_sight=False), "area")) == 0


def test_an_area_keeps_its_centre() -> None:
    """F6: a second shot 1/2" aside is at the same spot, and the spot stays where it was."""
    record, _ = after_shot(RULES, ON_AREA, shot(Mark((10.5, 10.0)), "area"))
    assert (record.value, record.spot) == (-2, HERE)


def test_area_fire_elsewhere_loses_the_spot_and_gains_the_new_one() -> None:
    """C6.5, C6.521: the old area is lost, the new one is at -1."""
    outcome = after_shot(RULES, replace(ON_AREA, value=-2), shot(Mark(FAR), "area"))
    assert (outcome[0].value, outcome[0].spot, rules_of(outcome)) == (-1, FAR, ["C6.521", "C6.521"])


def test_a_mortar_has_area_acquisition_alone() -> None:
    """C6.521: even a light mortar acquires the spot alone, and hands nothing over to another type (C6.52)."""
    record, _ = after_shot(RULES, NOTHING, shot(target_type="area", gun="50 mortar"))
    assert (record.kind, record.value) == ("area", -1)
    assert value_after(NOTHING, shot(gun="50 mortar")) == 0
    assert applies(RULES, record, shot(gun="50 mortar"))[1].startswith("C6.52: a mortar")


# --- bracketing -----------------------------------------------------------------------------------------------------


def test_bracketing_hands_an_area_over_to_a_known_unit() -> None:
    """C6.52: from the Area type to the Infantry type at the same spot, with its value."""
    record, changes = transfer(RULES, ON_AREA, shot(Mark(NEAR, unit="P1")))
    assert (record.kind, record.value, record.target, record.spot) == ("target", -1, "P1", NEAR)
    assert [change.rule for change in changes] == ["C6.52"]


def test_bracketing_makes_an_area_of_a_target() -> None:
    """C6.52: from the Infantry type to the Area type at the same spot, and not at another."""
    record, _ = transfer(RULES, ON_P1, shot(target_type="area"))
    assert (record.kind, record.value, record.target, record.spot) == ("area", -1, None, HERE)
    assert transfer(RULES, ON_P1, shot(Mark(FAR), "area"))[0].value == 0


def test_bracketing_goes_from_the_vehicle_type_to_the_infantry_type() -> None:
    """C6.52: the target type is no part of a target acquisition."""
    assert drm(ON_P1, shot(target_type="vehicle", ammo="AP")) == drm(ON_P1, shot(target_type="infantry")) == -1


def test_bracketing_goes_to_another_known_unit_of_the_place() -> None:
    """C6.52: announcing a shot at another target of the same place takes the acquisition there."""
    record, changes = transfer(RULES, ON_P1, shot(Mark(NEAR, unit="P2")))
    assert (record.target, record.value, changes[0].rule) == ("P2", -1, "C6.51")


def test_bracketing_does_not_hand_an_area_over_against_a_concealed_unit() -> None:
    """C6.52: no DRM against it, and the area is lost by the shot."""
    concealed = shot(Mark(HERE, unit="P1", known=False))
    assert drm(ON_AREA, concealed) == 0
    outcome = transfer(RULES, ON_AREA, concealed)
    assert (outcome[0].value, rules_of(outcome)) == (0, ["C6.52"])
    assert value_after(replace(ON_AREA, value=-2), replace(concealed, took_concealment=True)) == -1


def test_bracketing_needs_the_same_spot() -> None:
    """C6.52: an area is not handed over to a unit outside of it."""
    assert drm(ON_AREA, shot(Mark(FAR, unit="P1"))) == 0
    assert transfer(RULES, ON_AREA, shot(Mark(FAR, unit="P1")))[0].value == 0


def test_announcing_with_nothing_acquired_changes_nothing() -> None:
    """C6.52: there is nothing to hand over."""
    assert transfer(RULES, NOTHING, shot()) == (NOTHING, ())


# --- lost -----------------------------------------------------------------------------------------------------------


def test_leaving_its_place_loses_it() -> None:
    """C6.5: a gun that leaves its place has acquired nothing."""
    outcome = moved(ON_P1)
    assert (outcome[0], rules_of(outcome)) == (NOTHING, ["C6.5"])


def test_turning_its_arc_loses_it_unless_it_fires_at_the_target() -> None:
    """C6.5: a turn for a shot at the acquired target keeps it, any other loses it."""
    assert turned(ON_P1, fires_at_acquired=True) == (ON_P1, ())
    assert turned(ON_P1, fires_at_acquired=False)[0].value == 0


def test_firing_at_another_target_loses_it_and_gains_that() -> None:
    """C6.5: two changes, the old one lost and the new one at -1."""
    outcome = after_shot(RULES, replace(ON_P1, value=-2), shot(Mark(FAR, unit="P2")))
    assert (outcome[0].target, outcome[0].value, rules_of(outcome)) == ("P2", -1, ["C6.5", "C6.5"])


def test_its_coaxial_machine_gun_at_another_target_loses_it() -> None:
    """C6.5: an attack by the coaxial machine gun counts, at the acquired target it does no harm."""
    assert attacked(RULES, ON_P1, P1) == (ON_P1, ())
    assert attacked(RULES, ON_P1, Mark(FAR, unit="P2"))[0].value == 0
    assert attacked(RULES, ON_AREA, P1) == (ON_AREA, ())


def test_a_malfunction_loses_it() -> None:
    """C6.5: the shot that breaks the gun acquires nothing and loses what there was."""
    assert value_after(ON_P1, shot()) == -2
    outcome = after_shot(RULES, ON_P1, shot(malfunction=True))
    assert (outcome[0].value, rules_of(outcome)) == (0, ["C6.5"])
    assert not gains(RULES, shot(malfunction=True)).holds


def test_smoke_may_use_it_and_loses_it() -> None:
    """C6.56: the DRM serves to place the smoke, then it is gone; smoke acquires nothing."""
    smoke = shot(target_type="area", ammo="SMOKE")
    assert fact_of(RULES, ON_AREA, smoke) == {"area_acquired": -1}
    outcome = after_shot(RULES, ON_AREA, smoke)
    assert (outcome[0].value, rules_of(outcome)) == (0, ["C6.56"])
    assert value_after(NOTHING, smoke) == 0
    assert gains(RULES, smoke).rule == "C6.56"


@pytest.mark.parametrize(("how", "rule"), [("ife", "C6.54"), ("canister", "C6.5")])
def test_ife_and_canister_neither_use_nor_keep_nor_gain(how: str, rule: str) -> None:
    """C6.5, C6.54: no DRM, the record is lost, none is gained."""
    aimed = shot(**{how: True})
    assert drm(ON_P1, aimed) == 0
    outcome = after_shot(RULES, ON_P1, aimed)
    assert (outcome[0].value, rules_of(outcome)) == (0, [rule])
    assert value_after(NOTHING, aimed) == 0
    assert gains(RULES, aimed).rule == rule


@pytest.mark.parametrize("cause", ["crew lost", "crew not in good order", "small arms", "limbered"])
def test_what_befalls_the_crew_loses_it(cause: Any) -> None:
    """C6.5: lost with the crew, its good order, its small arms fire, limbering; each says so."""
    outcome = lose(ON_P1, cause)
    assert (outcome[0], rules_of(outcome)) == (NOTHING, ["C6.5"])
    assert outcome[1][0].why == f"lost: {CAUSES[cause].why}"
    assert lose(NOTHING, cause) == (NOTHING, ())


# --- kept -----------------------------------------------------------------------------------------------------------


def test_a_target_that_moves_in_sight_stays_acquired() -> None:
    """C6.5: the acquisition goes with it."""
    record, changes = target_moved(RULES, ON_P1, "P1", Mark(FAR, unit="P1"))
    assert (record.target, record.spot, record.value, len(changes)) == ("P1", FAR, -1, 1)
    assert target_moved(RULES, record, "P1", Mark(FAR, unit="P1"))[1] == ()


def test_a_momentary_loss_of_sight_keeps_it() -> None:
    """C6.15, F4.1: out of sight for one hex it stays acquired, for more its last place in sight does."""
    assert target_moved(RULES, ON_P1, "P1", Mark(FAR, unit="P1"), gap_hexes=1)[0].target == "P1"
    assert target_moved(RULES, ON_P1, "P1", Mark(FAR, unit="P1"), gap_hexes=2)[0].target is None


def test_a_move_of_another_unit_changes_nothing() -> None:
    """C6.5: only the acquired unit takes its acquisition along."""
    assert target_moved(RULES, ON_P1, "P2", Mark(FAR, unit="P2")) == (ON_P1, ())
    assert target_moved(RULES, NOTHING, "P1", Mark(FAR, unit="P1")) == (NOTHING, ())


def test_c6_51_out_of_sight_the_last_place_stays_acquired() -> None:
    """C6.51: the record stays at the last place in sight and serves against a Known unit there, not a concealed one."""
    last = Mark((14.0, 10.0), unit="P1")
    gone = Mark(FAR, unit="P1", in_sight=False)
    record, changes = target_moved(RULES, ON_P1, "P1", gone, last_seen=last)
    assert (record.target, record.spot, record.value, changes[0].rule) == (None, (14.0, 10.0), -1, "C6.51")
    assert drm(record, shot(Mark((14.5, 10.0), unit="P2"))) == -1
    assert drm(record, shot(Mark((14.5, 10.0), unit="P2", known=False))) == 0
    assert drm(record, shot(Mark(FAR, unit="P1"))) == 0
    assert value_after(record, shot(Mark((14.5, 10.0), unit="P2"))) == -2


def test_c6_51_the_firer_keeps_one_of_a_stack_that_scatters() -> None:
    """C6.51: he chooses which; the others, gone elsewhere, are no longer acquired."""
    record, _ = follow(RULES, ON_P1, Mark(NEAR, unit="P2"))
    record, _ = target_moved(RULES, record, "P2", Mark(FAR, unit="P2"))
    assert drm(record, shot(Mark(FAR, unit="P2"))) == -1
    assert drm(record, shot(P1)) == 0
    assert follow(RULES, ON_P1, Mark(NEAR, unit="P2", known=False)) == (ON_P1, ())
    assert follow(RULES, ON_AREA, Mark(NEAR, unit="P2")) == (ON_AREA, ())


def test_an_area_does_not_follow_a_unit() -> None:
    """C6.521: whoever leaves the area is out of it."""
    record, _ = target_moved(RULES, ON_AREA, "P1", Mark(FAR, unit="P1"))
    assert record == ON_AREA
    assert drm(record, shot(Mark(FAR, unit="P1"), "area")) == 0


def test_c6_55_a_stabilized_gun_keeps_it_moving_in_sight() -> None:
    """C6.55: a stabilized gun keeps it moving with its mark in sight; one that lost sight, or another gun, does not."""
    assert moved(ON_P1, stabilized=True, kept_sight=True) == (ON_P1, ())
    assert rules_of(moved(ON_P1, stabilized=True, kept_sight=False)) == ["C6.55"]
    assert moved(ON_P1, stabilized=False, kept_sight=True)[0].value == 0


def test_c6_55_a_moving_shot_uses_it_stabilized_and_not_on_the_area_type() -> None:
    """C6.55: in motion or bounding first fire only a stabilized gun has the DRM; an area is handed over first."""
    assert drm(ON_P1, shot(moving=True)) == 0
    assert drm(ON_P1, shot(moving=True, stabilized=True)) == -1
    assert drm(ON_AREA, shot(moving=True, stabilized=True)) == -1
    assert drm(ON_AREA, shot(target_type="area", moving=True, stabilized=True)) == 0
    assert transfer(RULES, ON_AREA, shot(moving=True, stabilized=True))[0].kind == "target"


# --- the rulebook's examples ----------------------------------------------------------------------------------------

LEVEL_0 = Mark(HERE, 0, "S0", known=True, in_sight=False)
LEVEL_1 = Mark(HERE, 1, "S1", known=False)
LEVEL_2 = Mark(HERE, 2, "S2")


def test_c6_57_the_building_fired_at_on_the_infantry_type() -> None:
    """C6.57: the Known squad on level 2 is acquired, the concealed one on level 1 only if it loses its concealment."""
    assert value_after(NOTHING, shot(LEVEL_2)) == -1
    assert value_after(NOTHING, shot(LEVEL_1)) == 0
    assert value_after(NOTHING, shot(LEVEL_1, took_concealment=True)) == -1
    assert drm(after_shot(RULES, NOTHING, shot(LEVEL_2))[0], shot(LEVEL_1)) == 0


def test_c6_57_the_building_fired_at_on_the_area_type() -> None:
    """C6.57: both levels in sight are acquired; the DRM goes on to the Area type, or to the Known squad alone."""
    record, _ = after_shot(RULES, NOTHING, shot(LEVEL_2, "area"))
    assert (record.kind, record.value) == ("area", -1)
    assert [drm(record, shot(mark, "area")) for mark in (LEVEL_0, LEVEL_1, LEVEL_2)] == [0, -1, -1]
    assert transfer(RULES, record, shot(LEVEL_2))[0].kind == "target"
    assert drm(record, shot(LEVEL_2)) == -1
    assert drm(record, shot(LEVEL_1)) == 0
    assert transfer(RULES, record, shot(LEVEL_1))[0].value == 0


def test_c6_57_the_building_attacked_on_the_move() -> None:
    """C6.55, C6.52: a stabilized tank moves up in sight and may use it on the squad that it now sees on level 0."""
    record, _ = after_shot(RULES, NOTHING, shot(LEVEL_2, "area"))
    record, _ = moved(record, stabilized=True, kept_sight=True)
    in_sight = replace(LEVEL_0, in_sight=True)
    assert drm(record, shot(in_sight, moving=True, stabilized=True)) == -1
    assert drm(record, shot(LEVEL_1, moving=True, stabilized=True)) == 0
    assert transfer(RULES, record, shot(LEVEL_1, moving=True, stabilized=True))[0].value == 0


def test_c6_57_a_squad_that_moves_in_the_building_and_out_of_it() -> None:
    """C6.57: on another level it is still in the area; next door it is not, and the area cannot go with it."""
    record, _ = after_shot(RULES, NOTHING, shot(LEVEL_2, "area"))
    down, next_door = replace(LEVEL_2, level=1), replace(LEVEL_2, at=(12.0, 10.0))
    assert drm(target_moved(RULES, record, "S2", down)[0], shot(down, "area")) == -1
    gone, _ = target_moved(RULES, record, "S2", next_door)
    assert drm(gone, shot(next_door)) == drm(gone, shot(next_door, "area")) == 0
    assert transfer(RULES, gone, shot(next_door))[0].value == 0


def test_c6_58_the_panther_changes_from_area_to_infantry_type() -> None:
    """C6.58: Area -1, Area with -1 to -2, then the Infantry type with -2 on a target record."""
    area, infantry = shot(target_type="area", gun="75LL"), shot(gun="75LL")
    record, _ = after_shot(RULES, NOTHING, area)
    assert (record.kind, record.value) == ("area", -1)
    assert drm(record, area) == -1
    record, _ = after_shot(RULES, record, area)
    assert (record.kind, record.value) == ("area", -2)
    assert drm(record, infantry) == -2
    record, changes = after_shot(RULES, record, infantry)
    assert (record.kind, record.value, record.target, len(changes)) == ("target", -2, "P1", 1)


# --- the table, and what must always hold ---------------------------------------------------------------------------


def test_a_unit_of_the_table_as_a_mark() -> None:
    """F1.5: a token and a hidden unit are concealed; the level is where the unit stands."""
    units = [
        {"id": "A", "side": "x", "kind": "infantry", "at": [10, 10]},
        {"id": "B", "side": "x", "kind": "infantry", "at": [3, 3], "token": "7"},
        {"id": "C", "side": "x", "kind": "infantry", "at": [3, 5], "hidden": True},
    ]
    hill = {"id": "h", "kind": "hill", "level": 1, "box": [8, 8, 12, 12]}
    scene = boards.scene_of({"table": {"width": 20, "depth": 20}, "terrain": [hill], "unit": units})
    marks = [mark_of(scene, unit) for unit in scene.board.units]
    assert [(mark.at, mark.level, mark.known) for mark in marks] == [
        ((10.0, 10.0), 1, True), ((3.0, 3.0), 0, False), ((3.0, 5.0), 0, False),
    ]  # fmt: skip
    assert not mark_of(scene, scene.board.unit("A"), in_sight=False).in_sight


def test_a_gun_that_cannot_be_read_is_bad_input() -> None:
    """A gun of no known form is told, not taken for one that acquires nothing."""
    with pytest.raises(BadInput, match="expected a gun"):
        gains(RULES, shot(gun="big one"))


marks = st.builds(
    Mark,
    at=st.sampled_from([HERE, NEAR, FAR]),
    level=st.integers(0, 1),
    unit=st.sampled_from(["P1", "P2", None]),
    known=st.booleans(),
    in_sight=st.booleans(),
)
flags = ("immobilization", "canister", "ife", "moving", "stabilized", "malfunction", "took_concealment")
firings = st.builds(
    Firing,
    gun=st.sampled_from(["75", "20L", "15", "81 mortar", "PIAT", "MG"]),
    target_type=st.sampled_from(["vehicle", "infantry", "area"]),
    mark=marks,
    ammo=st.sampled_from(["HE", "AP", "SMOKE"]),
    **{flag: st.booleans() for flag in flags},
)
acts = st.one_of(
    st.tuples(st.just("shot"), firings),
    st.tuples(st.just("announce"), firings),
    st.tuples(st.just("target moves"), marks),
    st.tuples(st.just("follow"), marks),
    st.tuples(st.just("coaxial"), marks),
    st.tuples(st.just("moves"), st.booleans()),
    st.tuples(st.just("lose"), st.sampled_from(sorted(CAUSES))),
)


def done(record: Acquisition, act: tuple[str, Any]) -> acquisition.Outcome:
    """What an act makes of a record."""
    name, what = act
    match name:
        case "shot":
            return after_shot(RULES, record, what)
        case "announce":
            return transfer(RULES, record, what)
        case "target moves":
            return target_moved(RULES, record, what.unit or "P1", what)
        case "follow":
            return follow(RULES, record, what)
        case "coaxial":
            return attacked(RULES, record, what)
        case "moves":
            return moved(record, stabilized=what, kept_sight=what)
    return lose(record, what)


@given(st.lists(acts, max_size=12), firings)
def test_the_value_is_always_none_one_or_two_and_every_change_is_told(game: list[Any], last: Firing) -> None:
    """C6.5: whatever happens, the value is 0, -1 or -2; a changed record says why, an unchanged one says nothing."""
    record = NOTHING
    for act in game:
        new, changes = done(record, act)
        assert new.value in (0, -1, -2)
        assert bool(changes) == (new != record)
        assert all(change.rule and change.why for change in changes)
        assert (new.value == 0) == (new.spot is None)
        record = new
    value, why = applies(RULES, record, last)
    assert value in (0, record.value)
    assert why.startswith("C")


@given(st.lists(acts, max_size=8), st.sampled_from(sorted(CAUSES)), firings)
def test_a_lost_record_never_applies(game: list[Any], cause: Any, after: Firing) -> None:
    """C6.5: once lost, by whatever cause, there is no DRM for any shot."""
    record = NOTHING
    for act in game:
        record, _ = done(record, act)
    record, _ = lose(record, cause)
    assert applies(RULES, record, after)[0] == 0
    assert fact_of(RULES, record, after) == {}


@given(st.lists(acts, max_size=8), firings)
def test_announcing_leaves_a_shot_its_drm(game: list[Any], firing: Firing) -> None:
    """C6.52: what a declared shot is given is the same before and after the transfer that it brings."""
    record = NOTHING
    for act in game:
        record, _ = done(record, act)
    announced, _ = transfer(RULES, record, firing)
    assert applies(RULES, announced, firing)[0] == applies(RULES, record, firing)[0]
