"""Every worked example of the rulebook's pages that a shot can express, with exact odds (F9)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from minis.fire.exposure import case_of, shots
from minis.fire.facts import ShotFacts
from minis.fire.hit import Odds, Throw
from minis.fire.to_hit import Shot, resolve, to_hit
from minis.rules import load_rules

RULES = load_rules()
THROWS = list(product(range(1, 7), range(1, 7)))


def shot_of(target_type: str, target: str, range_hexes: int, gun: str, ammo: str, colour: str, **more: Any) -> Shot:
    """The ruling on a shot from its facts."""
    facts: dict[str, Any] = {
        "target_type": target_type, "target": target, "range_hexes": range_hexes, "gun": gun, "ammo": ammo,
        "colour": colour,
    }  # fmt: skip
    return to_hit(ShotFacts(**facts, **more), RULES)


def odds_of(shot: Shot) -> Odds:
    """The odds of a shot that is allowed."""
    assert shot.refusal is None
    assert shot.odds is not None
    return shot.odds


def thrown(shot: Shot, coloured: int, white: int, further: int | None = None) -> Throw:
    """One throw judged."""
    return resolve(shot, RULES, coloured, white, further)


def hitting(shot: Shot) -> set[tuple[int, int]]:
    """The throws that hit without a further die."""
    return {throw for throw in THROWS if thrown(shot, *throw).hit}


def cases(shot: Shot) -> dict[str, int]:
    """The cases that count, each with its DRM."""
    return {case.case: case.value for case in shot.cases}


def left_out(shot: Shot) -> set[tuple[str, str]]:
    """The cases that are left out, each with the rule that says so."""
    return {(out.case, out.rule) for out in shot.left_out}


# --- F9.1: the truck, the squad and the car (C3.32) ------------------------------------------------------------------


def at_the_shellhole(**more: Any) -> Shot:
    """The Russian 57LL with HE on the Infantry type, six hexes away."""
    return shot_of("infantry", more.pop("target"), 6, "57LL", "HE", "red", **more)


TRUCK = at_the_shellhole(target="vehicle")
SQUAD = at_the_shellhole(target="infantry", tem=1, tem_from="shellholes")
CAR = at_the_shellhole(target="vehicle", size=2)


@pytest.mark.parametrize(
    ("shot", "hit_on", "chance"),
    [(TRUCK, 8, Fraction(13, 18)), (SQUAD, 7, Fraction(7, 12)), (CAR, 6, Fraction(5, 12))],
    ids=["truck", "squad", "car"],
)
def test_57ll_at_the_shellhole(shot: Shot, hit_on: int, chance: Fraction) -> None:
    """F9.1: 8 for the truck, 7 for the squad in the shellhole, 6 for the small car."""
    assert (shot.th, shot.hit_on, odds_of(shot).hit) == (8, hit_on, chance)


def test_57ll_one_throw_of_six_hits_all_three() -> None:
    """F9.1: a DR of 6 hits the three of them, 8 the truck alone, 9 none."""
    assert [thrown(shot, 2, 4).hit for shot in (TRUCK, SQUAD, CAR)] == [True, True, True]
    assert [thrown(shot, 3, 5).hit for shot in (TRUCK, SQUAD, CAR)] == [True, False, False]
    assert [thrown(shot, 4, 5).hit for shot in (TRUCK, SQUAD, CAR)] == [False, False, False]


# --- F9.2: the improbable hit (C3.6) ---------------------------------------------------------------------------------


def far_away(drm: int) -> Shot:
    """The German L gun on the Infantry type at 37 hexes."""
    return shot_of("infantry", "infantry", 37, "88L", "HE", "black", hindrance=drm)


def test_l_gun_at_37_hexes_needs_one() -> None:
    """F9.2: TH# 2 + 1 = 3 and DRM +2: snake eyes and then 1 to 3, the 1 a critical."""
    shot = far_away(2)
    assert (shot.th, shot.drm, shot.hit_on) == (3, 2, 1)
    assert odds_of(shot).hit == Fraction(1, 36) * Fraction(3, 6) == Fraction(1, 72)
    assert odds_of(shot).critical == Fraction(1, 216)
    assert odds_of(shot).hull is None


@pytest.mark.parametrize("die", range(1, 7))
def test_l_gun_at_37_hexes_rolls_a_third_die(die: int) -> None:
    """F9.2: having rolled the Original 2 he makes a third dr: 1 to 3 hits, otherwise he has missed."""
    assert thrown(far_away(2), 1, 1).needs_die == "improbable"
    found = thrown(far_away(2), 1, 1, die)
    assert (found.hit, found.critical, found.needs_die) == (die <= 3, die == 1, None)


def test_l_gun_at_37_hexes_needs_two() -> None:
    """F9.2: with DRM +1 the Original 2 hits, 1 in 36."""
    shot = far_away(1)
    assert shot.hit_on == 2
    assert odds_of(shot).hit == Fraction(1, 36)
    assert hitting(shot) == {(1, 1)}


# --- F9.3: criticals at the wooden building (C3.7) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("acquired", "drm", "highest", "critical"),
    [(0, 1, 2, Fraction(1, 36)), (-1, 0, 3, Fraction(3, 36)), (-2, -1, 4, Fraction(6, 36))],
)
def test_tank_at_the_wooden_building(acquired: int, drm: int, highest: int, critical: Fraction) -> None:
    """F9.3: L -1 and Q +2; a critical on 2, with one acquisition on 3 or less, with two on 4 or less."""
    more: dict[str, Any] = {"tem": 2, "tem_from": "building", "acquired": acquired}
    shot = shot_of("infantry", "infantry", 2, "75", "HE", "black", **more)
    assert (shot.th, shot.drm) == (8, drm)
    assert cases(shot) == {"L": -1, "Q": 2} | ({"N": acquired} if acquired else {})
    assert odds_of(shot).critical == critical
    assert {throw for throw in THROWS if thrown(shot, *throw).critical} == {t for t in THROWS if sum(t) <= highest}
    assert thrown(shot, 1, highest - 1).final == 3


# --- F9.4: five MP before the anti-tank gun (C6.17) ------------------------------------------------------------------


def test_five_mp_at_once() -> None:
    """F9.4: the first shot claims the 3 1/2 MP that void J1 and J2, and the 1 1/2 left allow one more."""
    assert shots(RULES, 5).at_once == ("J", "J")


def test_five_mp_in_steps() -> None:
    """F9.4: once an MP: J2, J1, J1, J, J."""
    assert shots(RULES, 5).in_steps == ("J2", "J1", "J1", "J", "J")


@pytest.mark.parametrize(("mp", "drm"), [(1.0, 4), (2.0, 3), (3.0, 3), (4.0, 2), (5.0, 2)])
def test_five_mp_as_to_hit_drm(mp: float, drm: int) -> None:
    """F9.4: the shots have +4, +3, +3, +2, +2, and the same case whether measured or told."""
    more: dict[str, Any] = {"phase": "defensive_first", "target_moved": True, "mp_in_sight": mp}
    shot = shot_of("vehicle", "afv", 9, "76L", "AP", "red", **more)
    assert list(cases(shot).items()) == [(case_of(RULES, mp), drm)]


# --- F9.5: the 76mm at the PzKpfw IIIG (C3.332) ----------------------------------------------------------------------


def at_the_panzer(**more: Any) -> Shot:
    """The Russian 76mm gun with HE on the Area type."""
    return shot_of("area", "afv", 10, "76", "HE", "red", **more)


def test_76mm_behind_a_wall() -> None:
    """F9.5: hull down behind a wall: the coloured die below the white one strikes the turret; no TEM for the wall."""
    shot = at_the_panzer(hull_down="II", hull_down_by="wall", tem=2, tem_from="wall")
    assert (shot.th, shot.drm) == (7, 0)
    assert ("Q", "C6.8") in left_out(shot)
    assert hitting(shot) == {(c, w) for c, w in THROWS if c < w and c + w <= 7} | {(1, 1)}
    assert odds_of(shot).hull == 0
    assert odds_of(shot).turret == odds_of(shot).hit == Fraction(10, 36)
    assert thrown(shot, 2, 5).location == "turret"
    assert not thrown(shot, 5, 2).hit


def test_76mm_behind_a_hedge() -> None:
    """F9.5: with a hedge it is not hull down; its TEM waits for the effects roll."""
    shot = at_the_panzer(tem=1, tem_from="hedge")
    assert (shot.th, shot.drm) == (7, 0)
    assert left_out(shot) == {("Q", "C6.8")}
    assert odds_of(shot).hit == Fraction(21, 36)
    assert odds_of(shot).turret == Fraction(9, 36)
    assert odds_of(shot).hull == Fraction(12, 36)


# --- F9.6: the hull-down manoeuvre (D4.22) ---------------------------------------------------------------------------


def at_the_crest(**more: Any) -> Shot:
    """An anti-tank gun below in defensive first fire at the tank that climbs to the crest."""
    return shot_of("vehicle", "afv", 3, "76L", "AP", "red", phase="defensive_first", target_moved=True, **more)


def test_before_the_manoeuvre() -> None:
    """F9.6: one MP in sight: J2 and the height advantage."""
    shot = at_the_crest(mp_in_sight=1.0, tem=1, tem_from="height advantage")
    assert cases(shot) == {"J2": 4, "Q": 1}
    assert (shot.th, shot.hit_on) == (10, 5)
    assert odds_of(shot).hit == Fraction(10, 36)


def test_after_the_manoeuvre() -> None:
    """F9.6: three MP in sight: J1, and hull down if it succeeded: no height advantage, turret hits alone."""
    shot = at_the_crest(mp_in_sight=3.0, hull_down="II", hull_down_by="hill")
    assert cases(shot) == {"J1": 3}
    assert shot.hit_on == 7
    assert odds_of(shot).hull == 0
    assert odds_of(shot).hit == odds_of(shot).turret == Fraction(9 + 1, 36)


def test_height_advantage_is_not_for_a_hull_down_target() -> None:
    """D4.22: the +1 height advantage applies to vehicles only if they are not hull down to the firer."""
    shot = at_the_crest(mp_in_sight=3.0, hull_down="II", hull_down_by="hill", tem=1, tem_from="height advantage")
    assert cases(shot) == {"J1": 3}
    assert "Q" in {case for case, _ in left_out(shot)}


# --- F9.7 and F9.8: our own ------------------------------------------------------------------------------------------


def test_75mm_at_a_hull_down_tank() -> None:
    """F9.7: TH# 8: eleven throws with c < w and the critical on 1-1, always the turret; the wall adds nothing."""
    more: dict[str, Any] = {"hull_down": "II", "hull_down_by": "wall", "tem": 2, "tem_from": "wall"}
    shot = shot_of("vehicle", "afv", 14, "75", "AP", "black", **more)
    assert (shot.th, shot.drm, cases(shot)) == (8, 0, {})
    assert left_out(shot) == {("Q", "D4.2")}
    assert odds_of(shot).hit == Fraction(11 + 1, 36)
    assert odds_of(shot).turret == Fraction(12, 36)
    assert odds_of(shot).hull == 0
    assert odds_of(shot).critical == Fraction(1, 36)
    snake_eyes = thrown(shot, 1, 1)
    assert (snake_eyes.hit, snake_eyes.location, snake_eyes.critical) == (True, "turret", True)


def test_tank_in_motion() -> None:
    """F9.8: T turret, C +4, lower die doubled: 3,4 misses with 14; 1,4 and 2,2 hit with 10; eight throws of 36."""
    more: dict[str, Any] = {"phase": "advancing", "mount": "T", "firer_moved": True, "firer_motion": True}
    shot = shot_of("vehicle", "afv", 5, "75", "AP", "black", **more)
    assert (shot.th, shot.drm, shot.hit_on) == (10, 4, None)
    assert (thrown(shot, 3, 4).hit, thrown(shot, 3, 4).final) == (False, 14)
    assert (thrown(shot, 1, 4).hit, thrown(shot, 1, 4).final) == (True, 10)
    assert (thrown(shot, 2, 2).hit, thrown(shot, 2, 2).final) == (True, 10)
    assert odds_of(shot).hit == Fraction(8, 36)
    assert hitting(shot) == {(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (3, 1), (4, 1), (2, 2)}


# --- F9.9: the 50mm mortar (C3.331) ----------------------------------------------------------------------------------


def by_mortar(**more: Any) -> Shot:
    """The German 50mm mortar, Area type, eight hexes."""
    return shot_of("area", "infantry", 8, "50 mortar", "HE", "black", rof=3, **more)


def test_50mm_mortar_hits_the_concealed_squad_and_both_known_ones() -> None:
    """F9.9: a DR low enough for the concealed squad (+2) hits the two Known ones in the same place too."""
    concealed, known = by_mortar(concealed=True), by_mortar()
    assert cases(concealed) == {"K": 2}
    assert concealed.hit_on == known.th - 2
    assert hitting(concealed) < hitting(known)


def test_50mm_mortar_keeps_its_rate_of_fire_on_the_area_type() -> None:
    """C3.331: it can retain its ROF despite the Area type; a gun cannot (C6.57)."""
    assert thrown(by_mortar(), 3, 5).keeps_rof is True
    gun = shot_of("area", "infantry", 8, "75", "HE", "black", rof=3)
    assert odds_of(gun).keeps_rof == 0


def test_50mm_mortar_and_the_grain_field() -> None:
    """C3.331: the grain hinders the line to the ground floor, not that to the upper one; the building adds nothing."""
    ground = by_mortar(tem=3, tem_from="building", hindrance=1)
    upper = by_mortar(tem=3, tem_from="building")
    assert (cases(ground), cases(upper)) == ({"R": 1}, {})
    assert left_out(ground) == left_out(upper) == {("Q", "C6.8")}


# --- acquisition and bracketing (C6.57, C6.58) -----------------------------------------------------------------------


def test_tank_at_m2_by_area_then_by_area() -> None:
    """C6.57: it fires again on the Area type at both levels, concealed or not, with the -1 of area acquisition."""
    for concealed in (True, False):
        more: dict[str, Any] = {"area_acquired": -1, "concealed": concealed}
        assert cases(shot_of("area", "infantry", 4, "75", "HE", "black", **more))["N"] == -1


def test_tank_at_m2_hands_its_area_acquisition_over() -> None:
    """C6.57: it can use the -1 with the Infantry type at level 2, not at level 1 while the squad there is concealed."""
    known = shot_of("infantry", "infantry", 4, "75", "HE", "black", area_acquired=-1)
    concealed = shot_of("infantry", "infantry", 4, "75", "HE", "black", area_acquired=-1, concealed=True)
    assert cases(known) == {"N": -1}
    assert cases(concealed) == {"K": 2}
    assert left_out(concealed) == {("N", "C6.57")}


def test_stabilized_tank_bounds_to_l3() -> None:
    """C6.57: in Bounding First Fire it keeps its acquisition on the Infantry type; the Area type is NA (C3.33)."""
    more: dict[str, Any] = {
        "phase": "bounding_first", "mount": "T", "stabilized": True, "firer_moved": True, "firer_mp_in_sight": 1.0,
        "area_acquired": -1,
    }  # fmt: skip
    by_area = shot_of("area", "infantry", 1, "75", "HE", "black", **more)
    by_infantry = shot_of("infantry", "infantry", 1, "75", "HE", "black", **more)
    assert by_area.refusal is not None
    assert by_area.refusal.rule == "C3.33"
    assert cases(by_infantry) == {"C2": 5, "N": -1}
    assert ("L", "C6.3") in left_out(by_infantry)


@pytest.mark.parametrize(("kind", "acquired"), [("area", 0), ("area", -1), ("infantry", -2)])
def test_panzer_v_three_shots(kind: str, acquired: int) -> None:
    """C6.58: Area, then Area with -1, then the Infantry type with the -2 of the same counter."""
    shot = shot_of(kind, "infantry", 10, "75LL", "HE", "black", area_acquired=acquired)
    assert cases(shot) == ({"N": acquired} if acquired else {})


def test_an_acquisition_serves_the_first_smoke_shell() -> None:
    """C6.56: SMOKE acquires nothing, but an existing acquisition can be used to place the first SMOKE."""
    shot = shot_of("area", "infantry", 10, "75", "SMOKE", "black", area_acquired=-2)
    assert cases(shot) == {"N": -2}
    assert shot.hit_on == 7 + 2 + 2


# --- D4.3 ------------------------------------------------------------------------------------------------------------


def test_underbelly() -> None:
    """D4.3: what would be a turret hit strikes the underside; a hull hit stays a hull hit."""
    shot = shot_of("vehicle", "afv", 6, "75", "AP", "black", underbelly=True)
    assert thrown(shot, 2, 3).location == "underbelly"
    assert thrown(shot, 3, 2).location == "hull"
    assert odds_of(shot).turret == Fraction(14, 36)


def test_underbelly_may_be_aimed_to_immobilize() -> None:
    """D4.31: an underbelly shot does not itself prohibit deliberate immobilization; the hull must be hit."""
    shot = shot_of("vehicle", "afv", 6, "75", "AP", "black", underbelly=True, deliberate_immobilization=True)
    assert cases(shot) == {"G": 5}
    assert hitting(shot) == {(c, w) for c, w in THROWS if c >= w and c + w <= 5}


# --- the chart of the seed (C3, C4) ----------------------------------------------------------------------------------

RANGES = ((0, 6), (7, 12), (13, 18), (19, 24), (25, 30), (31, 36), (37, 42), (43, 48), (49, 54), (55, 200))
CHART = {
    ("vehicle", "black"): (10, 9, 8, 7, 6, 6, 5, 4, 3, 2),
    ("vehicle", "red"): (10, 8, 7, 6, 5, 4, 3, 2, 1, 0),
    ("infantry", "black"): (8, 7, 6, 5, 4, 3, 2, 1, 0, -1),
    ("infantry", "red"): (8, 6, 5, 4, 3, 2, 1, 0, -1, -2),
    ("area", "black"): (7, 7, 8, 8, 7, 7, 6, 6, 5, 5),
    ("area", "red"): (7, 7, 8, 8, 7, 7, 6, 6, 5, 5),
}
"""C3 as seed 002 prints it, black before red."""

GUNS = {
    ("76*", "AP"): (0, 0, -1, -1, -1, -1, -1, -1, -1, -1),
    ("75L", "AP"): (0, 0, 1, 1, 1, 1, 1, 1, 1, 1),
    ("88LL", "AP"): (0, 0, 1, 1, 2, 2, 2, 2, 2, 2),
    ("90", "APCR"): (0, 0, -1, -1, -2, -2, -3, -3, -4, -4),
    ("76", "APDS"): (0, 0, -1, -1, -2, -2, -3, -3, -4, -4),
    ("57", "AP"): (0, 0, -1, -1, -2, -2, -3, -3, -4, -4),
    ("57.1", "AP"): (0,) * 10,
    ("40", "AP"): (0, 0, -2, -2, -3, -3, -4, -4, -5, -5),
    ("41", "AP"): (0, 0, -1, -1, -2, -2, -3, -3, -4, -4),
}
"""C4 as seed 002 prints it; a gun of 40mm or less takes both calibre rows (F2.1)."""


@pytest.mark.parametrize(("kind", "colour"), CHART)
def test_the_chart_of_the_seed(kind: str, colour: str) -> None:
    """C3: every hex of every column has the printed number."""
    target = "afv" if kind == "vehicle" else "infantry"
    for (first, last), wanted in zip(RANGES, CHART[kind, colour], strict=True):
        for hexes in range(max(first, kind == "area"), last + 1):
            assert shot_of(kind, target, hexes, "75", "HE", colour).th == wanted, hexes


@pytest.mark.parametrize(("gun", "ammo"), GUNS)
def test_gun_and_ammunition_of_the_seed(gun: str, ammo: str) -> None:
    """C4: every hex of every column has the printed change."""
    for (first, last), change, plain in zip(RANGES, GUNS[gun, ammo], CHART["vehicle", "black"], strict=True):
        for hexes in range(first, last + 1):
            assert shot_of("vehicle", "afv", hexes, gun, ammo, "black").th == plain + change, hexes


def test_smoke_of_the_seed() -> None:
    """C4: SMOKE adds 2 up to twelve hexes and nothing farther."""
    for hexes in range(1, 70):
        plain = next(n for (_, last), n in zip(RANGES, CHART["area", "red"], strict=True) if hexes <= last)
        assert shot_of("area", "infantry", hexes, "75", "SMOKE", "red").th == plain + (2 if hexes <= 12 else 0)
