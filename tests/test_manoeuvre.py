"""The hull-down manoeuvre (F8.4, D4.22) and the weapons of a hull-down firer (F8.5)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import boards
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minis.errors import BadInput
from minis.fire.facts import ShotFacts
from minis.fire.manoeuvre import (
    ProtectedArc,
    after_move,
    conditions_of,
    granted,
    manoeuvre,
    manoeuvre_odds,
    masked,
    open_arc,
    protects,
)
from minis.fire.to_hit import to_hit
from minis.rules import load_rules
from minis.sight.scene import Scene

RULES = load_rules()
BEST, WORST = manoeuvre(RULES, 1), manoeuvre(RULES, 6)
SQUARE = [[10, 10], [30, 10], [30, 30], [10, 30]]
"""A level 1 hill with its north rim at y = 30."""


def tank(x: float = 20.0, y: float = 29.0, facing: float = 0.0, **more: Any) -> dict[str, Any]:
    """A tank of 2" by 1"; by default its front touches the north rim of SQUARE."""
    return {"id": "T", "side": "allied", "kind": "vehicle", "at": [x, y], "facing": facing, "armoured": True, **more}


def hill(outline: list[list[float]], level: int = 1, name: str = "hill") -> dict[str, Any]:
    """A contour."""
    return {"id": name, "kind": "hill", "level": level, "outline": outline}


def scene(*units: dict[str, Any], terrain: tuple[dict[str, Any], ...] = (hill(SQUARE),)) -> Scene:
    """A table of 60" by 60"."""
    return boards.scene_of({"table": {"width": 60, "depth": 60}, "terrain": list(terrain), "unit": list(units)})


def arc_of(unit: dict[str, Any], *terrain: dict[str, Any]) -> float:
    """The open arc of a tank on some terrain."""
    at = scene(unit, terrain=terrain or (hill(SQUARE),))
    return open_arc(at, at.board.unit("T"))


# --- the die --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "arc"), [(1, 180), (2, 120), (3, 60), (4, 0), (5, 0), (6, 0)])
def test_the_arc_of_each_die(die: int, arc: float) -> None:
    """D4.22: three hexsides, two, one, none; one hexside is 60 degrees."""
    assert manoeuvre(RULES, die).arc == arc


@pytest.mark.parametrize(
    ("what", "drm"),
    [
        ({"russian_closed_top": True}, 2),
        ({"buttoned_up": True}, 1),
        ({"armour_leader": -1}, -1),
        ({"armour_leader": 1}, 1),
        ({"at_set_up": True}, -1),
        ({"russian_closed_top": True, "buttoned_up": True, "armour_leader": -2, "at_set_up": True}, 0),
    ],
)
def test_each_drm_of_the_die(what: dict[str, Any], drm: int) -> None:
    """D4.22: +2 closed-topped Russian, +1 buttoned up, the armour leader's own, -1 at set-up; they add up."""
    found = manoeuvre(RULES, 2, **what)
    assert found.final == 2 + drm
    assert len(found.tally.items) == 1 + len(what)
    assert all(item.rule == "D4.22" for item in found.tally)


def test_a_die_below_the_table_is_its_first_row() -> None:
    """D4.22: 1 or less."""
    assert manoeuvre(RULES, 1, armour_leader=-2, at_set_up=True).arc == 180


@pytest.mark.parametrize("die", [0, 7])
def test_a_die_that_there_is_not_is_bad_input(die: int) -> None:
    """One die has 1 to 6."""
    with pytest.raises(BadInput, match="expected a die from 1 to 6"):
        manoeuvre(RULES, die)


def test_the_exact_odds() -> None:
    """D4.22: a sixth for each arc; a buttoned-up Russian in closed top has nothing but 0; at set-up 180 is a third."""
    sixth = Fraction(1, 6)
    assert manoeuvre_odds(RULES) == {180.0: sixth, 120.0: sixth, 60.0: sixth, 0.0: Fraction(1, 2)}
    hopeless = manoeuvre_odds(RULES, russian_closed_top=True, buttoned_up=True)
    assert hopeless == {180.0: 0, 120.0: 0, 60.0: 0, 0.0: 1}
    assert manoeuvre_odds(RULES, at_set_up=True)[180.0] == Fraction(1, 3)


@given(st.booleans(), st.booleans(), st.integers(-2, 2), st.booleans())
def test_the_odds_are_the_count_of_the_dice(russian: bool, shut: bool, leader: int, set_up: bool) -> None:
    """The odds add up to 1 and are those of six dice counted one by one."""
    what: dict[str, Any] = {
        "russian_closed_top": russian, "buttoned_up": shut, "armour_leader": leader, "at_set_up": set_up,
    }  # fmt: skip
    odds = manoeuvre_odds(RULES, **what)
    dice = [manoeuvre(RULES, die, **what).arc for die in range(1, 7)]
    assert sum(odds.values()) == 1
    assert all(chance == Fraction(dice.count(arc), 6) for arc, chance in odds.items())


@pytest.mark.parametrize(
    ("unit", "russian", "shut"),
    [
        ({"nation": "soviet", "buttoned_up": True}, True, True),
        ({"nation": "Russian"}, True, False),
        ({"nation": "soviet", "closed_top": False}, False, False),
        ({"nation": "german"}, False, False),
    ],
)
def test_what_a_vehicle_shows_of_the_conditions(unit: dict[str, Any], russian: bool, shut: bool) -> None:
    """D4.22: by its nation, its top and its hatches."""
    found = conditions_of(scene(tank(**unit)).board.unit("T"))
    assert found == {"russian_closed_top": russian, "buttoned_up": shut}
    assert manoeuvre(RULES, 1, **found).final == 1 + 2 * russian + shut


# --- the ground -----------------------------------------------------------------------------------------------------


def test_a_straight_crest_is_open_for_180_degrees() -> None:
    """F8.4: before a straight crest the lower ground is a half circle."""
    assert arc_of(tank()) == 180


@pytest.mark.parametrize("turn", [7, 23, 41, 68, 111, 250, 333])
def test_a_straight_crest_at_any_angle_is_open_for_180_degrees(turn: int) -> None:
    """F8.4: the arc does not hang on how the crest lies on the grid."""
    sine, cosine = math.sin(math.radians(turn)), math.cos(math.radians(turn))

    def place(across: float, ahead: float) -> list[float]:
        return [30 + across * cosine + ahead * sine, 30 - across * sine + ahead * cosine]

    turned = hill([place(-10, -20), place(10, -20), place(10, 0), place(-10, 0)])
    x, y = place(0.3, -1)
    assert arc_of(tank(x=x, y=y, facing=turn), turned) == 180


def test_no_crest_touched_no_arc() -> None:
    """F8.4: 1" behind the crest, or on the plain, there is none."""
    assert arc_of(tank(y=28.0)) == 0
    assert arc_of(tank(x=45.0, y=45.0)) == 0


def test_the_arc_includes_the_facing() -> None:
    """F8.4: a vehicle that backs on to the crest has no lower ground before it."""
    assert arc_of(tank(y=29.0, facing=180.0)) == 0
    assert arc_of(tank(y=29.0, facing=30.0)) == 180


def test_infantry_and_guns_make_no_manoeuvre() -> None:
    """D4.22: it is a vehicle's."""
    assert arc_of(tank(y=29.5, kind="gun")) == 0


def test_a_corner_outward_is_open_for_more_and_gives_180() -> None:
    """D4.22: never more than three hexsides, however much lower ground there is."""
    at = scene(tank(x=29.5, y=29.0))
    unit = at.board.unit("T")
    assert open_arc(at, unit) == 270
    arc = granted(at, unit, BEST)
    assert arc is not None
    assert arc.width == 180


def test_a_re_entrant_corner_is_open_for_less() -> None:
    """F8.4: in a right-angled bay of the crest the lower ground is 90 degrees."""
    bay = [[10, 10], [30, 10], [30, 20], [20, 20], [20, 30], [10, 30]]
    at = scene(tank(x=19.29, y=19.29, facing=45.0), terrain=(hill(bay),))
    assert open_arc(at, at.board.unit("T")) == 90


def test_higher_ground_before_the_crest_closes_it() -> None:
    """F8.4: another hill of its level within a hex is no lower ground, one farther away does not matter."""
    assert arc_of(tank(), hill(SQUARE), hill([[20, 30.5], [40, 30.5], [40, 40], [20, 40]], name="next")) < 180
    assert arc_of(tank(), hill(SQUARE), hill([[10, 33], [40, 33], [40, 40], [10, 40]], name="far")) == 180


def test_d4_222_never_across_a_cliff() -> None:
    """D4.222: a cliff along the crest leaves no arc."""
    cliff = {"id": "cliff", "kind": "cliff", "line": [[10, 30], [30, 30]]}
    assert arc_of(tank(), hill(SQUARE), cliff) == 0
    assert arc_of(tank(), hill(SQUARE), cliff | {"line": [[10, 10], [30, 10]]}) == 180


@pytest.mark.parametrize(("rim", "arc"), [(30.0, 0), (31.0, 0), (33.0, 180)])
def test_d4_222_never_across_an_abrupt_change_of_level(rim: float, arc: float) -> None:
    """D4.222: level 2 that falls to the plain at once or within a hex, against one with a shelf of a hex before it."""
    low = hill([[5, 5], [35, 5], [35, rim], [5, rim]], name="low")
    assert arc_of(tank(), hill(SQUARE, level=2), low) == arc
    at = scene(tank(), terrain=(hill(SQUARE, level=2), low))
    assert (granted(at, at.board.unit("T"), BEST) is None) == (arc == 0)


def test_the_arc_granted_is_the_smaller_of_the_two() -> None:
    """D4.22: the die's arc, or the lower ground where that is less."""
    bay = [[10, 10], [30, 10], [30, 20], [20, 20], [20, 30], [10, 30]]
    at = scene(tank(x=19.29, y=19.29, facing=45.0), terrain=(hill(bay),))
    unit = at.board.unit("T")
    widths = [arc.width if (arc := granted(at, unit, manoeuvre(RULES, die))) else 0 for die in (1, 2, 3, 4)]
    assert widths == [90, 90, 60, 0]
    assert granted(at, unit, BEST) == ProtectedArc(45, 90)


def test_the_owner_places_the_arc_in_the_open_ground() -> None:
    """D4.221: of his choice, and not past the lower ground; unasked it is as near to the facing as may be."""
    at = scene(tank(facing=80.0, y=29.4))
    unit = at.board.unit("T")
    one = manoeuvre(RULES, 3)
    assert granted(at, unit, one, centre=330) == ProtectedArc(330, 60)
    unasked = granted(at, unit, one)
    assert unasked is not None
    assert unasked.centre == pytest.approx(60, abs=1)
    with pytest.raises(BadInput, match="fits with its centre from"):
        granted(at, unit, one, centre=80)
    assert granted(at, unit, WORST, centre=0) is None


def test_a_point_of_rock_is_open_all_round() -> None:
    """F8.4: a hill smaller than a hex leaves lower ground all around; any centre will do."""
    at = scene(tank(x=20.0, y=20.0), terrain=(hill([[19.9, 19.9], [20.1, 19.9], [20.1, 21], [19.9, 21]]),))
    unit = at.board.unit("T")
    assert open_arc(at, unit) == 360
    assert granted(at, unit, manoeuvre(RULES, 3), centre=200) == ProtectedArc(200, 60)


# --- protection -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("way", "holds"), [(0, True), (60, True), (61, False), (300, True), (299, False)])
def test_fire_that_crosses_the_arc_is_protected_against(way: float, holds: bool) -> None:
    """D4.221: 120 degrees about north are 300 to 60."""
    assert protects(ProtectedArc(0, 120), way, 0, 1).holds is holds


@pytest.mark.parametrize(("firer", "holds"), [(0, True), (1, True), (2, False), (3, False)])
def test_fire_from_a_lower_level_alone(firer: int, holds: bool) -> None:
    """D4.22: against a firer at least one level lower than a vehicle on level 2."""
    assert protects(ProtectedArc(0, 120), 0, firer, 2).holds is holds


def test_it_goes_when_the_vehicle_starts() -> None:
    """D4.221: a start or motion ends it; a start that stalls, or standing still, does not."""
    arc = ProtectedArc(0, 120)
    assert after_move(arc) == (arc, None)
    assert after_move(arc, started=True, stalled=True) == (arc, None)
    for how in ({"started": True}, {"motion": True}):
        gone, change = after_move(arc, **how)
        assert gone is None
        assert change is not None
        assert change.rule == "D4.221"


def test_indirect_fire_knows_no_hull_down() -> None:
    """F8.1: a mortar's fire at a hull-down vehicle has its hull hits."""
    facts = ShotFacts("area", "afv", 10, "81 mortar", "HE", "red", hull_down="II")
    odds = to_hit(facts, RULES).odds
    assert odds is not None
    assert odds.hull


# --- the rulebook's example -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arms", "most"),
    [
        (30.0, 180),  # a straight crest: three hexsides
        (35.774, 120),  # a wide bay: two
        (47.321, 60),  # a narrow bay: one
    ],
)
def test_d4_22_the_most_hexsides_of_a_place(arms: float, most: float) -> None:
    """D4.22: three, one and two hexsides of lower ground, here as a straight crest and two bays of it."""
    bay = hill([[10, 10], [30, 10], [30, arms], [20, 30], [10, arms]])
    at = scene(tank(), terrain=(bay,))
    assert granted(at, at.board.unit("T"), BEST) == ProtectedArc(0, most)


def test_d4_22_the_shot_before_the_attempt_is_declared() -> None:
    """D4.22, F9.6: on entry, one MP in sight: J2 and the height advantage, not hull down."""
    facts = ShotFacts(
        "vehicle", "afv", 4, "75", "AP", "black", phase="defensive_first", target_moved=True, mp_in_sight=1,
        tem=1, tem_from="height advantage",
    )  # fmt: skip
    shot = to_hit(facts, RULES)
    assert {case.case: case.value for case in shot.cases} == {"J2": 4, "Q": 1}
    assert shot.odds is not None
    assert shot.odds.hull


def test_d4_22_the_shot_after_the_attempt() -> None:
    """D4.22, F9.6: with two more MP in sight J1; hull down if it succeeded, and then without the height advantage."""
    at = scene(tank(), {"id": "G", "side": "axis", "kind": "gun", "at": [20, 45]})
    unit = at.board.unit("T")
    arc = granted(at, unit, manoeuvre(RULES, 2))
    assert arc is not None
    assert protects(arc, 0, at.stand(at.board.unit("G")).level, at.stand(unit).level).holds
    facts = ShotFacts(
        "vehicle", "afv", 4, "75", "AP", "black", phase="defensive_first", target_moved=True, mp_in_sight=3,
        hull_down="II", hull_down_by="hill",
    )  # fmt: skip
    shot = to_hit(facts, RULES)
    assert {case.case: case.value for case in shot.cases} == {"J1": 3}
    assert shot.odds is not None
    assert not shot.odds.hull


# --- the firer's own weapons (F8.5) ---------------------------------------------------------------------------------

MAIN = {"id": "main", "gun": "37LL"}
BOW = {"id": "hull", "gun": "75", "bow": True}
COAX = {"id": "coax", "gun": "MG"}
ENEMY = {"id": "E", "side": "axis", "kind": "vehicle", "at": [20, 50]}


def masked_ids(unit: dict[str, Any], enemy: dict[str, Any] = ENEMY, arc: ProtectedArc | None = None) -> list[str]:
    """The weapons that a tank on SQUARE cannot use."""
    wall = {"id": "wall", "kind": "wall", "line": [[40, 30], [50, 30]]}
    at = scene(unit, enemy, terrain=(hill(SQUARE), wall))
    found = masked(at, at.board.unit("T"), at.board.unit("E"), arc=arc)
    assert all(item.rule == "D4.223" for item in found)
    return [item.weapon for item in found]


def test_d4_223_a_hull_down_firer_has_no_bow_weapons() -> None:
    """D4.223: at the crest and behind a wall the bow weapon is masked, turret and coaxial weapons are not."""
    assert masked_ids(tank(weapons=[MAIN, BOW, COAX])) == ["hull"]
    behind_a_wall = tank(x=45.0, y=29.0, weapons=[MAIN, BOW, COAX])
    assert masked_ids(behind_a_wall, ENEMY | {"at": [45, 50]}) == ["hull"]


def test_d4_223_the_main_armament_in_the_bow_may_fire() -> None:
    """D4.223: the first weapon is the main armament, wherever it sits."""
    assert masked_ids(tank(weapons=[BOW, COAX])) == []


def test_d4_223_a_firer_that_is_not_hull_down_to_the_target_has_all() -> None:
    """D4.223: in the open, or to a target on the hill behind it."""
    assert masked_ids(tank(y=25.0, weapons=[MAIN, BOW])) == []
    assert masked_ids(tank(weapons=[MAIN, BOW]), ENEMY | {"at": [20, 15]}) == []


def test_d4_223_hull_down_i_masks_nothing() -> None:
    """F8.3: a front 1/2" over the crest is height advantage, not hull down."""
    assert masked_ids(tank(y=29.5, weapons=[MAIN, BOW])) == []


def test_d4_223_a_protected_arc_masks_too() -> None:
    """D4.223: hull down by the manoeuvre, to a lower target in the arc alone."""
    turned = tank(facing=180.0, weapons=[MAIN, BOW])
    assert masked_ids(turned) == []
    assert masked_ids(turned, arc=ProtectedArc(0, 60)) == ["hull"]
    assert masked_ids(turned, arc=ProtectedArc(90, 60)) == []


@given(st.floats(0, 360), st.integers(1, 6))
def test_the_arc_granted_lies_in_the_open_ground(facing: float, die: int) -> None:
    """F8.4: whatever the facing, the arc is no wider than the die's nor than the ground, and covers lower ground."""
    at = scene(tank(x=20.0, y=29.5, facing=facing, base=[1, 1]))
    unit = at.board.unit("T")
    arc = granted(at, unit, manoeuvre(RULES, die))
    if arc is None:
        assert not manoeuvre(RULES, die).arc or not open_arc(at, unit)
    else:
        assert arc.width <= min(manoeuvre(RULES, die).arc, open_arc(at, unit))
        north = abs((arc.centre + 180) % 360 - 180)
        assert north + arc.width / 2 <= 91
