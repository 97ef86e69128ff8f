"""The roll of a shot against a second, naive count, against another library's dice, and for any facts at all (F5)."""

from __future__ import annotations

import random
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minis.fire.answers import shot_answer
from minis.fire.facts import NAMES, ShotFacts
from minis.fire.hit import Odds
from minis.fire.to_hit import Shot, resolve, to_hit
from minis.rules import load_rules
from minis.rules.fire_rows import CONDITION_NAMES

RULES = load_rules()
DIE = range(1, 7)
THROWS = list(product(DIE, DIE, DIE))
"""Coloured die, white die, and the further die that only some throws ask for."""

# --- facts -----------------------------------------------------------------------------------------------------------

VALUES: dict[str, list[Any]] = {
    "target_type": ["vehicle", "infantry", "area"],
    "target": ["vehicle", "afv", "infantry", "gun"],
    "range_hexes": [*range(14), 18, 19, 24, 25, 30, 31, 36, 37, 42, 43, 48, 49, 54, 55, 80],
    "gun": ["75", "75L", "88LL", "76*", "57LL", "50L", "40", "37L", "20", "15", "81 mortar", ".50", "PIAT", "MG"],
    "ammo": ["AP", "HE", "APCR", "APDS", "HEAT", "SMOKE"],
    "colour": ["black", "red"],
    "phase": ["prep", "defensive_first", "defensive", "advancing", "bounding_first"],
    "arc_steps": [0, 1, 2, 3],
    "mount": [None, "T", "ST", "NT", "RST", "1MT"],
    "firer_terrain": ["open", "woods", "building", "rubble"],
    "firer_mp_in_sight": [None, 0.0, 1.0, 2.0, 2.01, 3.0, 3.5, 6.0],
    "overstacked": [0, 1, 2],
    "stun": [0, 1, 2],
    "leadership": [-2, -1, 0, 1],
    "mp_in_sight": [None, 0.0, 0.5, 1.0, 1.01, 3.0, 3.01, 5.0],
    "acquired": [0, -1, -2],
    "area_acquired": [0, -1, -2],
    "size": [-2, -1, 0, 1, 2],
    "tem": [-1, 0, 1, 2, 3],
    "tem_from": [None, "wall", "woods", "height advantage"],
    "hull_down": [None, "I", "II"],
    "hull_down_by": [None, "wall", "hill"],
    "hindrance": [0, 1, 2, 4],
    "extra_squads": [0, 1, 2],
    "rof": [None, 0, 1, 2, 3, 6],
    "breakdown": [None, 2, 9, 10, 11, 12, 13],
    "max_range_hexes": [None, 0, 12, 55, 80],
}
"""Legal values of every fact that is no flag."""

FLAGS = [f.name for f in fields(ShotFacts) if f.default is False]
PLAIN: dict[str, Any] = {f.name: f.default for f in fields(ShotFacts)} | {
    "target_type": "vehicle", "target": "afv", "range_hexes": 14, "gun": "75", "ammo": "AP", "colour": "black",
}  # fmt: skip
"""A shot with nothing to say about it: black, Vehicle type, 14 hexes, TH# 8."""


def shot_of(**given_facts: Any) -> Shot:
    """The ruling on the plain shot with other facts."""
    return to_hit(ShotFacts(**(PLAIN | given_facts)), RULES)


def made_legal(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts of a declaration that the rules allow, changed as little as that takes (F2.3, F3)."""
    new = dict(facts)
    if "mortar" in new["gun"] or new["ammo"] == "SMOKE":
        new["target_type"] = "area"
    if new["target_type"] == "vehicle" and new["target"] not in ("vehicle", "afv"):
        new["target"] = "afv"
    if new["target_type"] == "infantry":
        new["target"] = "vehicle" if new["target"] == "afv" else new["target"]
        new["ammo"] = new["ammo"] if new["ammo"] in ("HE", "AP", "HEAT") else "HE"
    if new["target_type"] == "area":
        new["ammo"] = new["ammo"] if new["ammo"] == "SMOKE" else "HE"
        new["range_hexes"] = max(1, new["range_hexes"])
        new["phase"] = "prep" if new["phase"] == "bounding_first" else new["phase"]
    if new["target_type"] != "vehicle":
        new |= {"deliberate_immobilization": False, "underbelly": False}
    if new["deliberate_immobilization"]:
        new["range_hexes"] = min(6, new["range_hexes"])
        new["hull_down"] = None if new["hull_down"] == "II" else new["hull_down"]
    if new["intensive"]:
        new |= {"pinned": False, "stun": 0, "phase": "prep" if new["phase"] == "advancing" else new["phase"]}
    if new["mount"] in ("RST", "1MT"):
        new["buttoned_up"] = True
    if new["max_range_hexes"] is not None:
        new["max_range_hexes"] = max(new["max_range_hexes"], new["range_hexes"])
    return new


def drawn(rng: random.Random) -> dict[str, Any]:
    """A fact set at random: most facts as if nothing were said, each now and then something else."""
    needed = ("target_type", "target", "range_hexes", "gun", "ammo", "colour", "phase")
    facts = dict(PLAIN)
    for name in NAMES:
        if name in FLAGS:
            facts[name] = rng.random() < 0.07
        elif name in needed or rng.random() < 0.15:
            facts[name] = rng.choice(VALUES[name])
    return facts


any_facts = st.fixed_dictionaries(
    {name: st.booleans() if name in FLAGS else st.sampled_from(VALUES[name]) for name in NAMES}
)
legal_facts = any_facts.map(made_legal)


def test_the_strategy_covers_every_fact() -> None:
    """Each fact of the vocabulary is drawn, so that none is left untried."""
    assert {*FLAGS, *VALUES} == set(NAMES)
    assert not set(FLAGS) & set(VALUES)


# --- the naive count -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hit:
    """One of the 216 throws, told as the text of the rules tells it."""

    place: str
    critical: bool = False
    twice: bool = False


def naive(shot: Shot, coloured: int, white: int, further: int) -> Hit | None:
    """What one throw is, read off C3.6 to C3.9 with no regard to the program; None is a miss."""
    f, th, drm = shot.facts, shot.th, shot.drm
    mortar = f.gun.endswith("mortar")
    in_motion = f.firer_motion and not f.stabilized and f.target_type != "area"
    hull_hidden = f.target in ("vehicle", "afv") and f.hull_down == "II" and not mortar

    def final(c: int, w: int) -> int:
        return c + w + drm + (min(c, w) if in_motion else 0)

    snake_eyes = coloured == white == 1
    if final(1, 1) > th:  # C3.6: even Original 2 would miss
        if not snake_eyes or further > 3:
            return None
        if further == 1 and not f.deliberate_immobilization:
            return Hit("turret" if hull_hidden else "hull", critical=True)
        place = "turret" if further == 2 else "hull"
        return (
            None
            if place == ("turret" if f.deliberate_immobilization else "hull" if hull_hidden else "")
            else Hit(place)
        )
    if final(coloured, white) > th:
        return None
    critical = False
    if f.deliberate_immobilization:
        pass
    elif f.target_type == "infantry" and not f.latw:  # C3.7
        critical = 2 * final(coloured, white) < th or (snake_eyes and (further == 1 or 2 * further <= th))
    elif snake_eyes:
        the_only_one = all(final(c, w) > th for c in DIE for w in DIE if (c, w) != (1, 1))
        critical = further == 1 or not the_only_one
    place = "turret" if coloured < white else "hull"  # C3.9
    if hull_hidden and (critical or snake_eyes):
        place = "turret"
    if (hull_hidden and place == "hull") or (f.deliberate_immobilization and place == "turret"):
        return None
    millimetres = {"50L": 50, "57LL": 57, "40": 40, "37L": 37, "20": 20, "15": 15, ".50": 12.7}.get(f.gun, 0)
    twice = 15 <= millimetres <= 40 and coloured == white and not critical and f.target_type != "area"
    return Hit(place, critical, twice)


def naive_odds(shot: Shot) -> Odds:
    """Every chance of a shot, one throw after another."""
    f = shot.facts
    broken_at = 12 if f.breakdown is None else f.breakdown
    broken_at -= 2 * f.intensive + 2 * (f.captured or f.nonqualified)
    rate = 1 if f.rof is None else f.rof
    if f.pinned or f.intensive or (f.target_type == "area" and not f.gun.endswith("mortar")):
        rate = 0
    hits = [hit for throw in THROWS if (hit := naive(shot, *throw))]
    at_vehicle = f.target in ("vehicle", "afv")

    def share(count: int) -> Fraction:
        return Fraction(count, len(THROWS))

    return Odds(
        hit=share(len(hits)),
        miss=1 - share(len(hits)),
        hull=share(sum(hit.place == "hull" for hit in hits)) if at_vehicle else None,
        turret=share(sum(hit.place == "turret" for hit in hits)) if at_vehicle else None,
        critical=share(sum(hit.critical for hit in hits)),
        multiple=share(sum(hit.twice for hit in hits)),
        malfunction=share(sum(c + w >= broken_at for c, w, _ in THROWS)),
        keeps_rof=share(sum(c <= rate and c + w < broken_at for c, w, _ in THROWS)),
    )


def test_ten_thousand_shots_have_the_odds_of_a_naive_count() -> None:
    """F5.7: the odds are the shares of the 216 throws that the text of the rules gives, for 10,000 random shots."""
    rng = random.Random(1944)
    for number in range(10_000):
        facts = made_legal(drawn(rng))
        shot = to_hit(ShotFacts(**facts), RULES)
        assert shot.refusal is None, (number, facts, shot.refusal)
        assert shot.odds == naive_odds(shot), (number, facts)


@given(legal_facts, st.sampled_from(THROWS))
@settings(max_examples=300, deadline=None)
def test_one_throw_is_judged_as_the_naive_count_has_it(facts: dict[str, Any], throw: tuple[int, int, int]) -> None:
    """F5.1 to F5.4: a typed throw has the result that its share of the odds was counted with."""
    shot = to_hit(ShotFacts(**facts), RULES)
    coloured, white, further = throw
    found = resolve(shot, RULES, coloured, white)
    if found.needs_die is not None:
        found = resolve(shot, RULES, coloured, white, further)
    wanted = naive(shot, coloured, white, further)
    assert found.needs_die is None
    assert found.hit is (wanted is not None)
    assert found.critical is (wanted is not None and wanted.critical)
    assert found.hits == (0 if wanted is None else 2 if wanted.twice else 1)
    if wanted is None or facts["target"] not in ("vehicle", "afv"):
        assert found.location is None
    else:
        assert found.location == ("underbelly" if wanted.place == "turret" and facts["underbelly"] else wanted.place)


# --- plain dice ------------------------------------------------------------------------------------------------------

D6 = icepool.d6


def chance_of(event: Any) -> Fraction:
    """The chance of an event on the coloured and the white die, by icepool."""
    return Fraction(icepool.map(event, D6, D6).probability(True))


@pytest.mark.parametrize("needed", range(2, 15))
def test_two_dice_or_less(needed: int) -> None:
    """F1.3: hit when Original + DRM is no more than the Modified TH#, for every number that two dice can need."""
    shot = shot_of(leadership=8 - needed)
    assert shot.odds is not None
    assert shot.hit_on == needed
    assert shot.odds.hit == Fraction((2 @ D6).probability("<=", needed))


@pytest.mark.parametrize("needed", range(-4, 2))
def test_less_than_two_dice_can_show(needed: int) -> None:
    """F5.3: where no throw is low enough, snake eyes and then 1 to 3 on a third die."""
    shot = shot_of(leadership=8 - needed)
    assert shot.odds is not None
    three = icepool.map(lambda c, w, d: c + w == 2 and d <= 3, D6, D6, D6)
    assert shot.odds.hit == Fraction(three.probability(True)) == Fraction(1, 72)


@pytest.mark.parametrize("needed", range(2, 13))
def test_turret_is_the_coloured_die_below_the_white(needed: int) -> None:
    """F5.1: turret where c < w, hull where it is not, doubles among them."""
    shot = shot_of(leadership=8 - needed)
    assert shot.odds is not None
    assert shot.odds.turret == chance_of(lambda c, w: c < w and c + w <= needed)
    assert shot.odds.hull == chance_of(lambda c, w: c >= w and c + w <= needed)


@pytest.mark.parametrize("needed", range(3, 13))
def test_two_hits_are_doubles_that_hit(needed: int) -> None:
    """F5.4: a 20mm gun hits twice with doubles, but for the critical 1-1."""
    shot = shot_of(gun="20", range_hexes=6, leadership=10 - needed)
    assert shot.odds is not None
    assert shot.odds.multiple == chance_of(lambda c, w: c == w and 2 < c + w <= needed)


@pytest.mark.parametrize("rate", range(7))
def test_the_rate_of_fire_is_the_coloured_die(rate: int) -> None:
    """F5.6: it may fire again when c <= ROF, unless that throw broke the gun."""
    shot = shot_of(rof=rate, breakdown=11)
    assert shot.odds is not None
    assert shot.odds.keeps_rof == chance_of(lambda c, w: c <= rate and c + w < 11)


@pytest.mark.parametrize("number", range(2, 15))
def test_breakdown_is_the_original_roll(number: int) -> None:
    """F5.6: the gun malfunctions on an Original DR of its B# or more, whatever the DRM."""
    shot = shot_of(breakdown=number, leadership=3)
    assert shot.odds is not None
    assert shot.odds.malfunction == chance_of(lambda c, w: c + w >= number)


def test_in_motion_the_lower_die_counts_twice() -> None:
    """F3 C4: the chance is that of c + w + the lower of them, for every DRM."""
    for help_ in range(-6, 7):
        shot = shot_of(firer_moved=True, firer_motion=True, mount="T", leadership=-help_)
        assert shot.odds is not None
        assert shot.hit_on is None
        needed = shot.th - shot.drm
        if needed >= 3:
            assert shot.odds.hit == chance_of(lambda c, w, n=needed: c + w + min(c, w) <= n)


# --- for any facts ---------------------------------------------------------------------------------------------------


@given(legal_facts)
@settings(max_examples=400, deadline=None)
def test_odds_are_whole(facts: dict[str, Any]) -> None:
    """F5.7: hit and miss make one, hull and turret make the hits on a vehicle, criticals are among the hits."""
    odds = to_hit(ShotFacts(**facts), RULES).odds
    assert odds is not None
    assert odds.hit + odds.miss == 1
    assert 0 <= odds.critical <= odds.hit <= 1
    assert odds.multiple <= odds.hit
    if facts["target"] in ("vehicle", "afv"):
        assert odds.hull is not None
        assert odds.turret is not None
        assert odds.hull + odds.turret == odds.hit
    else:
        assert odds.hull is None
        assert odds.turret is None
    assert odds.hit > 0, "there is always the improbable hit"
    for chance in (odds.malfunction, odds.keeps_rof):
        assert 0 <= chance <= 1


@given(any_facts)
@settings(max_examples=400, deadline=None)
def test_the_sum_adds_up(facts: dict[str, Any]) -> None:
    """F1.3: the chart and C4 make th, the cases make drm, hit_on is th - drm; a refused shot has no number at all."""
    shot = to_hit(ShotFacts(**facts), RULES)
    answer = shot_answer(RULES, shot)
    parts = answer["tally"]
    if shot.refusal is not None:
        assert (answer["th"], answer["drm"], answer["hit_on"], answer["odds"], parts) == (None, None, None, None, [])
        return
    assert answer["th"] == sum(part["value"] for part in parts if part["on"] == "th")
    assert answer["drm"] == sum(part["value"] for part in parts if part["on"] == "dr")
    assert answer["hit_on"] == (None if answer["lower_die_doubled"] else answer["th"] - answer["drm"])
    assert all(part["rule"] and part["source"] and part["label"] for part in parts)
    assert all(part["case"] is None for part in parts if part["on"] == "th")


EXCLUSIVE = [(row.case.split()[0], row.by) for row in RULES.exclusions if row.by not in CONDITION_NAMES] + [("M", "N")]
"""Pairs of cases of which one leaves out the other; the table calls the acquisition of a spot `N area`."""


def test_the_pairs_that_exclude_each_other_are_read() -> None:
    """C5, C6: the table names the pairs; those of the rulebook's chart are among them."""
    assert {("J", "O"), ("J1", "J2"), ("J", "J3"), ("J", "J4"), ("N", "G"), ("M", "E"), ("C", "C1")} <= set(EXCLUSIVE)


@given(legal_facts)
@settings(max_examples=500, deadline=None)
def test_cases_that_exclude_each_other_never_stand_together(facts: dict[str, Any]) -> None:
    """C5, C6: no sum holds two cases of which the chart says that one is NA to the other."""
    counted = {case.case for case in to_hit(ShotFacts(**facts), RULES).cases}
    assert [pair for pair in EXCLUSIVE if set(pair) <= counted] == []


def cases_there(f: ShotFacts) -> set[str]:
    """Case letters that the facts speak of, by the tables of F3 and F4, whether they count or not."""
    moving = f.target_moved or f.target_motion
    mp, own = f.mp_in_sight, f.firer_mp_in_sight if f.phase == "bounding_first" else None
    moved = f.firer_moved or f.firer_motion
    there = {
        "A": f.arc_steps > 0,
        "B": f.phase == "advancing" and not moved,
        "C": moved or f.phase == "bounding_first",
        "C1": own is not None and 2 < own <= 3,
        "C2": own is not None and own <= 2,
        "C3": (f.latw and f.phase == "advancing") or f.backblast_inside,
        "C4": f.firer_motion,
        "D": f.pinned,
        "E": f.range_hexes == 0,
        "F": f.intensive,
        "G": f.deliberate_immobilization,
        "H": f.captured or f.nonqualified,
        "I": f.buttoned_up,
        "J": (f.target in ("vehicle", "afv") and moving) or f.dashing,
        "J1": moving and mp is not None and mp <= 3,
        "J2": moving and mp is not None and mp <= 1,
        "J3": f.nonassault,
        "J4": f.in_open and (f.target_moved or f.nonassault or f.dashing or f.hazardous),
        "K": f.concealed,
        "L": f.range_hexes in (1, 2),
        "M": f.bore_sighted,
        "N": bool(f.acquired or f.area_acquired),
        "O": f.hazardous,
        "P": f.size != 0,
        "Q": f.tem != 0 or f.hull_down == "I",
        "R": f.hindrance > 0 or f.through_own_smoke,
    }
    return {letter for letter, true in there.items() if true}


def cases_barred(f: ShotFacts) -> set[str]:
    """Case letters that may not count for such a shot: the words NA of F3 and F4 that are about no other case."""
    vehicle, person = f.target in ("vehicle", "afv"), f.target == "infantry"
    moving = f.target_moved or f.target_motion
    first, area = f.phase == "defensive_first", f.target_type == "area"
    bounding = f.firer_moved or f.firer_motion or f.phase == "bounding_first"
    barred = {
        "A": f.phase == "bounding_first",
        "B": f.gun in ("MG", ".50"),
        "C1": area,
        "C2": area,
        "C3": area,
        "C4": area,
        "I": f.gun in ("MG", ".50") or f.mount in ("RST", "1MT"),
        "J": not (vehicle and moving) and not (person and f.dashing),
        "J1": not vehicle or not first or f.in_sight_from_start,
        "J2": not vehicle or not first or f.in_sight_from_start,
        "J3": not person or not first,
        "J4": not person or not first,
        "L": area or (vehicle and moving) or bounding or f.latw,
        "N": f.concealed and not area,
        "P": person,
        "Q": area,
    }
    return {letter for letter, true in barred.items() if true}


@given(legal_facts)
@example(PLAIN | {"target_type": "area", "gun": "81 mortar", "ammo": "HE", "acquired": -2})
@settings(max_examples=500, deadline=None)
def test_no_case_is_silently_dropped(facts: dict[str, Any]) -> None:
    """Every case whose facts are there stands in the sum or is left out with its rule, and no other case does."""
    shot = to_hit(ShotFacts(**facts), RULES)
    counted, out = {case.case for case in shot.cases}, {case.case for case in shot.left_out}
    there = cases_there(ShotFacts(**facts))
    assert there <= counted | out
    assert counted - {"other"} <= there - cases_barred(ShotFacts(**facts))
    assert all(case.rule and case.why for case in shot.left_out)


@given(legal_facts)
@settings(max_examples=200, deadline=None)
def test_a_case_that_helps_never_costs_a_hit(facts: dict[str, Any]) -> None:
    """A lower DRM never makes the hit less likely."""
    odds = to_hit(ShotFacts(**facts), RULES).odds
    easier = to_hit(ShotFacts(**(facts | {"leadership": facts["leadership"] - 1})), RULES).odds
    assert odds is not None
    assert easier is not None
    assert easier.hit >= odds.hit
