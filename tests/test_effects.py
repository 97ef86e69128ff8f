"""The effect of a hit (E1, E2): the tables as the rulebook prints them, the rulings, and a naive twin.

The figures in this file are written down a second time, from the rules and not from `tables/`.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.errors import BadInput
from minis.fire.effects import (
    EffectFacts,
    EffectRuling,
    aspect_of,
    effect,
    lightly_armoured,
    resolve,
)
from minis.fire.facts import Ammo, Target, TargetType
from minis.fire.refused import Refused
from minis.rules import Rules, Table, load_rules, tables_folder
from minis.rules.effect_rows import EFFECT_CHECKS, EFFECT_TABLES, EffectTarget, EffectType, rows_of
from minis.rules.rows import Row
from minis.tally import Item
from minis.toml_file import read_toml, validate


def _effect_rules() -> Rules:
    """The shipped rules; the effect tables are read here as long as the loader does not know them."""
    rules = load_rules()
    if set(EFFECT_TABLES) <= set(rules.tables):
        return rules
    tables = dict(rules.tables)
    for name, kind in EFFECT_TABLES.items():
        document = read_toml(tables_folder() / f"{name}.toml")
        rows = []
        for index, data in enumerate(document.data["row"]):
            row, mistakes = validate(document, kind, data, at=("row", index))
            assert row is not None, [str(mistake) for mistake in mistakes]
            rows.append(row)
        tables[name] = Table(name, document.data["title"], tuple(rows))
    return replace(rules, tables=tables)


RULES = _effect_rules()


def rule(target: Target = "afv", **changes: Any) -> EffectRuling:
    """The ruling on a plain hit with some facts changed: a 75L with AP at 7 hexes, the hull front, AF 8."""
    return effect(facts_of(target, **changes), RULES)


def facts_of(target: Target = "afv", **changes: Any) -> EffectFacts:
    """The facts of that hit."""
    plain: dict[str, Any] = {"target_type": "vehicle", "gun": "75L", "ammo": "AP", "range_hexes": 7}
    if target == "afv":
        plain |= {"location": "hull", "aspect": "front", "armour": 8}
    return EffectFacts(target, **(plain | changes))


def on(ruling: EffectRuling, original: int) -> str:
    """The result of an Original DR."""
    return resolve(ruling, (min(6, original - 1), original - min(6, original - 1))).result


def changed(table: str, **columns: dict[str, Any]) -> Rules:
    """The rules with columns of some rows of a table changed; a row that is not there is made of them."""
    rows = {row.id: row for row in RULES.tables[table].rows}
    for name, values in columns.items():
        data = rows[name].model_dump() if name in rows else {"id": name}
        rows[name] = EFFECT_TABLES[table].model_validate(data | values)
    return with_rows(table, tuple(rows.values()))


def with_rows(table: str, rows: tuple[Row, ...]) -> Rules:
    """The rules with other rows in a table."""
    return replace(RULES, tables={**RULES.tables, table: replace(RULES.tables[table], rows=rows)})


# --- the tables against the rulebook's figures -----------------------------------------------------------------------

AP = """4 MG; 5 .50 15 ATR; 6 20L; 7 20LL 25LL 37*; 8 37 47* 57* 70*; 9 37L 40 57 65* 76*; 10 40L 45L 47 75*;
11 37LL 45LL 47L 50; 12 76 84*; 13 50L 120*; 14 75 105; 15 57L 57LL; 17 75L 76L 80L 83L 85L 150* 152*; 19 77L 200L;
20 88L; 21 90L 105L 150 152 155; 23 75LL 76LL; 25 122L; 27 88LL 100L 120L; 28 150L 155L; 32 140L; 33 128L 170L"""
AP_OF_NATIONS = """6 ATR russian; 6 ATR finnish; 6 ATR japanese; 6 ATR minor; 11 88* australian; 12 75 japanese Year-38;
13 75 us Grant; 13 76L russian; 13 76L japanese; 13 88 british; 16 76LL russian; 16 76LL japanese; 20 90L italian"""
APCR = """10 37L; 12 28LL 45L; 13 45LL 47L; 14 40LL 50; 17 50L; 18 57LL; 19 85L; 20 75L 76L; 23 88L; 27 90L"""
APCR_OF_NATIONS = "14 76L russian; 18 76LL russian; 22 76L us"
APDS = "18 57L; 25 76LL"
HEAT = """11 57 65 94; 12 70; 13 BAZ43 75 76; 14 100; 15 PIAT 105 114; 16 BAZ44 BAZ45 95; 17 122; 21 150; 22 PFk;
26 PSK; 31 PF"""
HE = {20: (3, 6), 30: (4, 8), 40: (5, 9), 50: (6, 10), 70: (7, 12), 80: (8, 14), 100: (10, 16), 120: (12, 18),
      150: (16, 20)}  # fmt: skip
UNARMOURED = [(28, 7), (57, 8), (84, 9), (95, 10), (200, 11)]
RANGES = [1, 2, 6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78]
CASE_D = {
    ("AP", 25): [2, 1, 1, 0, 0, -1, -2, -3, -4, -5],
    ("AP", 57): [1, 1, 0, 0, 0, -1, -2, -2, -3, -4, -4, -5],
    ("AP", 999): [1, 0, 0, 0, 0, -1, -1, -2, -2, -3, -3, -4, -4, -5, -5],
    ("APCR", 57): [3, 2, 1, 0, -2, -4, -6],
    ("APCR", 999): [3, 2, 1, 0, -1, -3, -4, -5, -6, -7],
    ("APDS", 999): [1, 0, 0, 0, 0, 0, -1, -2, -3, -4],
}
FP = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36]
FP_CALIBRE = [20, 30, 37, 50, 60, 70, 80, 100, 120, 150, 200]
IFT = """
1KIA 2KIA 2KIA 3KIA 3KIA 3KIA 4KIA 4KIA 5KIA 6KIA 7KIA
K/1  1KIA 1KIA 2KIA 2KIA 2KIA 3KIA 3KIA 4KIA 5KIA 6KIA
1MC  K/1  K/2  1KIA 1KIA 1KIA 2KIA 2KIA 3KIA 4KIA 5KIA
1MC  1MC  2MC  K/2  K/2  K/3  1KIA 1KIA 2KIA 3KIA 4KIA
NMC  1MC  1MC  2MC  2MC  3MC  K/3  K/4  1KIA 2KIA 3KIA
PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4  1KIA 2KIA
-    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4  1KIA
-    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC  K/4
-    -    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC  4MC
-    -    -    -    PTC  NMC  1MC  1MC  2MC  2MC  3MC
-    -    -    -    -    PTC  NMC  1MC  1MC  2MC  2MC
-    -    -    -    -    -    PTC  NMC  1MC  1MC  2MC
-    -    -    -    -    -    -    PTC  NMC  1MC  1MC
-    -    -    -    -    -    -    -    PTC  NMC  1MC
-    -    -    -    -    -    -    -    -    PTC  NMC
-    -    -    -    -    -    -    -    -    -    PTC
"""
IFT_ROWS = [line.split() for line in IFT.split("\n") if line]


def plain(text: str) -> list[tuple[str, int]]:
    """Weapons with their number."""
    found = []
    for part in text.split(";"):
        number, *guns = part.split()
        found += [(gun, int(number)) for gun in guns]
    return found


def national(text: str) -> list[tuple[str, str, str | None, int]]:
    """Weapons of a nation, with the model where there is one, and their number."""
    found = []
    for part in text.split(";"):
        number, gun, nation, *model = part.split()
        found.append((gun, nation, model[0] if model else None, int(number)))
    return found


def basic(gun: str, ammo: str, **changes: Any) -> int:
    """The Basic To Kill number: the first item of the sum."""
    return int(rule(gun=gun, ammo=ammo, **changes).tally.items[0].value)


@pytest.mark.parametrize(
    ("ammo", "text"), [("AP", AP), ("APCR", APCR), ("APDS", APDS), ("HEAT", HEAT)], ids=["AP", "APCR", "APDS", "HEAT"]
)
def test_basic_to_kill_numbers(ammo: str, text: str) -> None:
    """C7: every weapon has the number of the printed table."""
    assert {gun: basic(gun, ammo) for gun, _ in plain(text)} == dict(plain(text))


@pytest.mark.parametrize(("ammo", "text"), [("AP", AP_OF_NATIONS), ("APCR", APCR_OF_NATIONS)], ids=["AP", "APCR"])
def test_numbers_of_nations(ammo: str, text: str) -> None:
    """C7: a nation's own weapon has its own number."""
    for gun, nation, model, number in national(text):
        assert basic(gun, ammo, nation=nation, model=model) == number, (gun, nation)


def test_the_tables_hold_nothing_else() -> None:
    """C7: the AP and the special table have no weapon that the rulebook has not."""
    assert len(RULES.tables["to-kill-ap"].rows) == len(plain(AP)) + len(national(AP_OF_NATIONS))
    special = [*plain(APCR), *plain(APDS), *plain(HEAT), *national(APCR_OF_NATIONS)]
    assert len(RULES.tables["to-kill-special"].rows) == len(special)


def test_a_number_of_a_nation_is_nobody_elses() -> None:
    """C7: another nation's 76L has the plain number, by whatever name the nation is called."""
    assert basic("76L", "AP", nation="german") == basic("76L", "AP", nation="de") == basic("76L", "AP") == 17
    assert basic("76L", "AP", nation="Soviet") == basic("76L", "AP", nation="ru") == 13
    assert basic("88", "AP", nation="uk") == 13
    assert basic("ATR", "AP", nation="polish") == basic("ATR", "AP", nation="minor") == 6
    with pytest.raises(Refused, match="no AP To Kill number for 88; there are numbers for 88L, 88LL"):
        rule(gun="88", nation="german")


def test_a_model_is_named() -> None:
    """C7: the Grant's 75 is weaker than every other US 75, the Year-38 than every other Japanese 75."""
    assert basic("75", "AP", nation="us") == basic("75", "AP", nation="us", model="Sherman") == 14
    assert basic("75", "AP", nation="us", model="grant") == 13
    assert basic("75", "AP", nation="japanese") == 14
    assert basic("75", "AP", nation="japanese", model="year-38") == 12


def test_machine_guns_by_their_calibre() -> None:
    """C7: 4 for rifle calibre, 5 from .50 up, and no range past 48 hexes."""
    assert [basic(gun, "AP") for gun in ("LMG", "HMG", "7.92 MG", "12.7 MG", ".50", "15 MG")] == [4, 4, 4, 5, 5, 5]
    with pytest.raises(Refused, match="does nothing at 49 hexes; its last range is 43-48 hexes"):
        rule(gun="MMG", range_hexes=49)


def test_he_by_calibre() -> None:
    """C7: against armour and against an unarmoured vehicle the highest calibre not above the gun's counts."""
    for calibre, (armoured, unarmoured) in HE.items():
        for gun in (f"{calibre}", f"{calibre + 7}L", f"{calibre + 9} mortar"):
            assert basic(gun, "HE") == armoured
            assert rule("vehicle", gun=gun, ammo="HE").final_number == unarmoured
    with pytest.raises(Refused, match="no HE To Kill number"):
        rule(gun="15", ammo="HE")


def test_unarmoured_vehicles_by_calibre() -> None:
    """C7: AP and APCR by calibre, HEAT always 11; a critical hit doubles; cases A, B and D do not count."""
    for (up_to, number), least in zip(UNARMOURED, (15, 37, 65, 85, 100), strict=True):
        for gun, ammo in product((f"{least}", f"{up_to}L"), ("AP", "APCR")):
            ruling = rule("vehicle", gun=gun, ammo=ammo, aspect="rear", aerial=True, range_hexes=1)
            assert (ruling.table, ruling.final_number) == ("unarmoured", number)
            assert [out.rule for out in ruling.left_out] == ["C7"]
    assert rule("vehicle", gun="PIAT", ammo="HEAT").final_number == 11
    assert rule("vehicle", gun="37", critical=True).final_number == 16
    assert rule("vehicle", gun="75", ammo="HE", critical=True).final_number == 24


@pytest.mark.parametrize(("ammo", "up_to"), CASE_D, ids=str)
def test_range(ammo: str, up_to: int) -> None:
    """Case D: every range of every row, at both its ends; past the last the shot is refused."""
    gun = {25: "20L", 57: "37L", 999: "76LL" if ammo == "APDS" else "75L"}[up_to]
    values = CASE_D[ammo, up_to]
    for column, value in enumerate(values):
        for hexes in (RANGES[column - 1] + 1 if column else 0, RANGES[column]):
            assert rule(gun=gun, ammo=ammo, range_hexes=hexes).tally.items[1].value == value, hexes
    with pytest.raises(Refused, match=f"does nothing at {RANGES[len(values) - 1] + 1} hexes") as refused:
        rule(gun=gun, ammo=ammo, range_hexes=RANGES[len(values) - 1] + 1)
    assert refused.value.rule == "C7"


@pytest.mark.parametrize(("gun", "ammo"), [("75L", "HE"), ("75*", "HEAT"), ("PF", "HEAT")])
def test_he_and_heat_do_not_change_with_range(gun: str, ammo: str) -> None:
    """C7: the same number at every range, and the reason stands in what was left out."""
    near, far = rule(gun=gun, ammo=ammo, range_hexes=0), rule(gun=gun, ammo=ammo, range_hexes=200)
    assert near.final_number == far.final_number
    assert [out.label for out in far.left_out] == ["range (Case D)"]


def test_the_infantry_fire_table() -> None:
    """A7.3: sixteen rows of eleven columns, the vehicle line, and the calibre that has each column."""
    assert [list(getattr(row, "values")) for row in RULES.tables["ift"].rows] == IFT_ROWS  # noqa: B009
    columns = RULES.tables["ift-columns"].rows
    assert [(row.model_dump()["fp"], row.model_dump()["calibre_from"]) for row in columns] == list(
        zip(FP, FP_CALIBRE, strict=True)
    )
    assert [row.model_dump()["kill"] for row in columns] == list(range(3, 14))


def test_armour_factors() -> None:
    """C7: there are eleven armour factors, and any other is a mistake that says so."""
    assert [row.model_dump()["value"] for row in RULES.tables["armour-factors"].rows] == [0, 1, 2, 3, 4, 6, 8, 11, 14,
                                                                                         18, 26]  # fmt: skip
    with pytest.raises(BadInput, match="there is no armour factor 7; known: 0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 26"):
        rule(armour=7)


def test_every_row_is_cited() -> None:
    """Every row has a unit, a rule number and a source, and the source is one of four."""
    for name in EFFECT_TABLES:
        for row in RULES.tables[name].rows:
            assert row.label, row.id
            assert row.unit, row.id
            assert row.rule[0] in "ACDES", row.id
            assert row.source in ("asl", "ruling", "house", "seed"), row.id


# --- To Kill ---------------------------------------------------------------------------------------------------------


def test_checks_of_e1() -> None:
    """E1: the three sums that must come out exactly."""
    assert rule(gun="50L", range_hexes=25, aspect="rear", armour=8).final_number == 4
    assert rule(gun="LMG", range_hexes=1, aspect="rear", armour=1).final_number == 6
    assert rule(gun="50", nation="german", range_hexes=3, armour=11).final_number == 0


def test_the_sum_is_itemised() -> None:
    """E1: 13 basic, 1 for the rear, 2 less for range, 8 less for armour, each with its rule and source."""
    ruling = rule(gun="50L", range_hexes=25, aspect="rear", armour=8)
    assert [(item.value, item.rule, item.source) for item in ruling.tally] == [
        (13, "C7", "asl"), (1, "C7", "asl"), (-2, "C7", "asl"), (-8, "C7", "asl"),
    ]  # fmt: skip
    assert [item.label for item in ruling.tally][3] == "armour factor 8, hull rear"
    assert ruling.tally.total == ruling.final_number


def test_a_critical_hit_doubles_the_basic_number_alone() -> None:
    """C3.72: 17 doubled is 34; rear, range and armour are not doubled."""
    assert rule(critical=True).final_number == 34 - 8
    assert rule(critical=True, aspect="rear", range_hexes=1).final_number == 34 + 1 + 1 - 8


def test_rear_and_above() -> None:
    """Cases A and B: rear 1; from above 1, an open-topped target 2 instead, and nothing from the same height."""
    assert rule(aspect="side").final_number == 9
    assert rule(aspect="rear").final_number == 10
    assert rule(aerial=True).final_number == 10
    assert rule(aerial=True, open_topped=True).final_number == 11
    level = rule(open_topped=True)
    assert level.final_number == 9
    assert [out.label for out in level.left_out] == ["open-topped (Case B)"]


def test_the_underside() -> None:
    """C7.12: a hit on the underside asks for no aspect and has no rear."""
    assert rule(location="underbelly", aspect=None, armour=3).final_number == 14
    ruling = rule(location="underbelly", aspect="rear", armour=3)
    assert ruling.final_number == 14
    assert [out.rule for out in ruling.left_out] == ["C7.12"]
    assert on(rule(location="underbelly", armour=8), 9) == "immobilized"


@pytest.mark.parametrize(
    ("changes", "results"),
    [
        ({}, {2: "burning wreck", 4: "burning wreck", 5: "eliminated", 8: "eliminated", 9: "immobilized",
              10: "possible shock", 11: "no effect", 12: "dud"}),
        ({"location": "turret"}, {4: "burning wreck", 8: "eliminated", 9: "shock", 10: "possible shock",
                                  11: "no effect"}),
        ({"hull_down": True}, {8: "eliminated", 9: "no effect", 10: "possible shock"}),
        ({"hull_down": True, "location": "turret"}, {9: "shock", 10: "possible shock"}),
        ({"ammo": "HE", "armour": 2}, {2: "burning wreck", 3: "eliminated", 4: "eliminated", 5: "immobilized",
                                       6: "immobilized", 7: "no effect"}),
        ({"ammo": "HE", "armour": 2, "location": "turret"}, {5: "shock", 6: "shock", 7: "no effect"}),
        ({"ammo": "HE", "armour": 2, "hull_down": True}, {4: "eliminated", 5: "no effect", 6: "no effect"}),
        ({"ammo": "HEAT", "gun": "75", "armour": 4}, {4: "burning wreck", 5: "eliminated", 9: "immobilized",
                                                      10: "possible shock"}),
    ],
)  # fmt: skip
def test_results_of_to_kill(changes: dict[str, Any], results: dict[int, str]) -> None:
    """C7: half or less burns, less eliminates, equal immobilizes or shocks, one more by the ammunition."""
    ruling = rule(**changes)
    assert {original: on(ruling, original) for original in results} == results


def test_half_of_an_odd_number() -> None:
    """C7: half of 9 is 4 1/2: a 4 burns, a 5 does not."""
    ruling = rule()
    assert ruling.final_number == 9
    assert (on(ruling, 4), on(ruling, 5)) == ("burning wreck", "eliminated")


def test_twelve_is_a_dud_whatever_the_number() -> None:
    """C7: a panzerfaust that needs 60 fails on an Original 12 alone."""
    ruling = rule(gun="PF", ammo="HEAT", critical=True, armour=2)
    assert ruling.final_number == 60
    assert ruling.odds == {"dud": Fraction(1, 36), "burning wreck": Fraction(35, 36)}


def test_low_numbers() -> None:
    """C7: 1 leaves a possible shock on 2, 0 nothing but the dud, 2 an immobilization on 2."""
    assert [rule(gun="50", range_hexes=7, armour=af).final_number for af in (8, 11)] == [3, 0]
    assert rule(gun="50", armour=11).odds == {"dud": Fraction(1, 36), "no effect": Fraction(35, 36)}
    assert on(rule(gun="76", armour=11), 2) == "possible shock"
    assert on(rule(gun="50L", armour=11), 2) == "immobilized"


@pytest.mark.parametrize("table", ["unarmoured", "vehicle_line"])
def test_results_of_unarmoured_vehicles(table: str) -> None:
    """C7, E2: half or less burns, less eliminates, equal immobilizes, wherever it was hit; one more does nothing."""
    kind = "vehicle" if table == "unarmoured" else "infantry"
    ruling = rule("vehicle", gun="75", ammo="HE", target_type=kind, location="turret")
    number = {"unarmoured": 12, "vehicle_line": 8}[table]
    assert (ruling.table, ruling.final_number) == (table, number)
    assert on(ruling, number // 2) == "burning wreck"
    assert on(ruling, number // 2 + 1) == on(ruling, number - 1) == "eliminated"
    assert on(ruling, number) == ("dud" if table == "unarmoured" else "immobilized")
    if table == "vehicle_line":
        assert on(ruling, 9) == on(ruling, 12) == "no effect"
    else:
        small = rule("vehicle", gun="75")
        assert (small.final_number, on(small, 9), on(small, 10)) == (9, "immobilized", "no effect")


def test_a_hull_down_truck_is_not_immobilized() -> None:
    """E1: what would immobilize a vehicle hull down to the firer does nothing to it, and the ruling says why."""
    ruling = rule("vehicle", hull_down=True)
    assert on(ruling, 9) == "no effect"
    assert on(ruling, 8) == "eliminated"
    assert "hull down" in ruling.left_out[-1].why


def test_what_does_not_count_on_the_to_kill_roll() -> None:
    """C6.8, C3.331, C3.53: TEM, air bursts, marsh and DRM given by hand are listed as left out, never added."""
    ruling = rule(tem=2, air_burst=True, marsh=True, other_drm=(Item(-1, "by hand", "A7.3", "house"),))
    assert ruling.final_number == rule().final_number
    assert ruling.drm.total == 0
    assert [out.rule for out in ruling.left_out] == ["C6.8", "C3.331", "C3.53", "A7.3"]


# --- the Infantry Fire Table -----------------------------------------------------------------------------------------


def fire(target: Target, gun: str, **changes: Any) -> EffectRuling:
    """A hit of HE on the Area type, if nothing else is said."""
    return effect(EffectFacts(target, **({"target_type": "area", "gun": gun, "ammo": "HE"} | changes)), RULES)


def test_331_a_50mm_mortar_has_two_fp() -> None:
    """C3.331: 6 FP halved by the Area type is 3, column 2, with -1 for air bursts; in a building its TEM counts."""
    woods = fire("infantry", "50 mortar", air_burst=True)
    assert (woods.table, woods.column, woods.final_number, woods.drm.total) == ("ift", 2, 2, -1)
    assert [item.value for item in woods.tally] == [6, -3]
    building = fire("infantry", "50 mortar", tem=3)
    assert (building.column, building.drm.total) == (2, 3)


def test_331_an_open_topped_afv() -> None:
    """C3.331, C1.55: the same mortar at an open-topped AFV: column 2 and -1."""
    ruling = fire("afv", "50 mortar", location="hull", open_topped=True)
    assert (ruling.table, ruling.column, ruling.drm.total) == ("ift", 2, -1)


def test_332_a_76mm_gun_at_a_panzer_iii() -> None:
    """C3.332: column 6 and -1 for light armour, hull down behind a wall; behind a hedge the net DRM is 0."""
    panzer: dict[str, Any] = {"location": "turret", "all_armour_4_or_less": True}
    wall = fire("afv", "76", hull_down=True, **panzer)
    assert (wall.column, wall.drm.total) == (6, -1)
    assert fire("afv", "76", tem=1, **panzer).drm.total == 0


def test_332_a_truck_on_the_vehicle_line() -> None:
    """C3.332: a truck in its place is on the vehicle line of column 6, number 6, DRM 0 or, behind the hedge, +1."""
    wall, hedge = fire("vehicle", "76", hull_down=True), fire("vehicle", "76", tem=1)
    assert [(r.table, r.column, r.final_number, r.drm.total) for r in (wall, hedge)] == [
        ("vehicle_line", 6, 6, 0), ("vehicle_line", 6, 6, 1),
    ]  # fmt: skip
    assert [on(wall, 3), on(wall, 5), on(wall, 6)] == ["burning wreck", "eliminated", "no effect"]
    assert [on(hedge, 2), on(hedge, 4), on(hedge, 5), on(hedge, 6)] == [
        "burning wreck", "eliminated", "immobilized", "no effect",
    ]  # fmt: skip


def test_371_a_critical_hit_of_a_50mm_mortar() -> None:
    """C3.71: full FP doubled, column 12; air bursts -1 and the non-assault movement the judge adds, -1: in all -2."""
    moving = (Item(-1, "non-assault movement", "C3.71", "asl"),)
    ruling = fire("infantry", "50 mortar", critical=True, air_burst=True, other_drm=moving)
    assert (ruling.column, ruling.drm.total) == (12, -2)
    assert [item.value for item in ruling.tally] == [6, 6]
    assert [out.rule for out in ruling.left_out] == ["C3.71"]


def test_a_critical_hit_turns_tem_round() -> None:
    """C3.71: +2 becomes -2 on either type; without a critical hit it counts on the Area type's effects roll alone."""
    assert fire("infantry", "75", critical=True, tem=2).drm.total == -2
    assert fire("infantry", "75", critical=True, tem=-1).drm.total == -1
    assert fire("infantry", "75", critical=True, tem=2, target_type="infantry").drm.total == -2
    assert fire("infantry", "75", tem=2).drm.total == 2
    once = fire("infantry", "75", tem=2, target_type="infantry")
    assert once.drm.total == 0
    assert [out.rule for out in once.left_out] == ["C6.8"]


def test_372_a_critical_hit_on_an_afv() -> None:
    """C3.72: Area HE: full FP doubled, no TEM of any kind."""
    ruling = fire("afv", "75", critical=True, tem=2, location="hull", all_armour_4_or_less=True)
    assert (ruling.column, ruling.drm.total) == (24, -1)
    assert [out.rule for out in ruling.left_out] == ["C3.71", "C3.72"]


def test_32_a_57mm_gun_hits_all_three_on_one_column() -> None:
    """C3.32: truck, car and squad hit on the Infantry type are resolved on column 6."""
    infantry = fire("infantry", "57LL", target_type="infantry")
    truck = fire("vehicle", "57LL", target_type="infantry")
    assert (infantry.table, infantry.column, truck.table, truck.column) == ("ift", 6, "vehicle_line", 6)


def test_marsh_and_area_halve_each() -> None:
    """C3.53: HE into marsh is halved, on the Area type once more; less than 1 FP does nothing."""
    assert [fire("infantry", gun, marsh=True).column for gun in ("120", "75", "50")] == [6, 2, 1]
    nothing = fire("infantry", "20", marsh=True)
    assert (nothing.column, nothing.final_number, nothing.odds) == (None, 0, {"no effect": Fraction(1)})
    assert fire("infantry", "75", marsh=True, target_type="infantry").column == 6


def test_fp_above_the_last_column() -> None:
    """A7.3: column 36 and -1 for each whole 8 above it."""
    assert [fire("infantry", gun, critical=True).drm.total for gun in ("120", "150", "200")] == [-1, -3, -4]
    assert fire("infantry", "200", target_type="infantry").drm.total == 0


@pytest.mark.parametrize(("column", "calibre"), list(zip(FP, FP_CALIBRE, strict=True)))
def test_every_roll_on_every_column(column: int, calibre: int) -> None:
    """A7.3: every Final DR from below 0 to above 15 has the printed result, the ends of the table for what is past."""
    for drm in range(-5, 6):
        ruling = fire("infantry", f"{calibre}", target_type="infantry", other_drm=(Item(drm, "x", "A7.3", "house"),))
        for original in range(2, 13):
            printed = IFT_ROWS[max(0, min(15, original + drm))][FP.index(column)]
            assert on(ruling, original) == ("no effect" if printed == "-" else printed)


def test_area_he_at_an_afv() -> None:
    """C1.55: column 12 has KIA up to 2 and K on 3: the AFV is out on 2, shocked or immobilized on 3 and 4."""
    area: dict[str, Any] = {"gun": "120", "all_armour_4_or_less": False}
    hull, turret = fire("afv", location="hull", **area), fire("afv", location="turret", **area)
    down = fire("afv", location="hull", hull_down=True, **area)
    assert hull.column == 12
    assert [on(hull, n) for n in (2, 3, 4, 5, 12)] == ["eliminated", "immobilized", "immobilized", "no effect",
                                                      "no effect"]  # fmt: skip
    assert [on(turret, n) for n in (2, 3, 4, 5)] == ["eliminated", "shock", "shock", "no effect"]
    assert [on(down, n) for n in (2, 3, 4, 5)] == ["eliminated", "no effect", "no effect", "no effect"]


def test_what_results_mean() -> None:
    """E2: every result tells the judge what to do, with its number in it."""
    ruling = fire("infantry", "200", target_type="infantry")
    assert resolve(ruling, (1, 1)).proposal.startswith("5KIA: 5 of the units")
    assert resolve(ruling, (3, 4)).proposal.endswith("check morale, their roll + 4")
    assert "2d6 + 3" in resolve(ruling, (4, 5)).means


# --- refusals and mistakes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "rule_number"),
    [
        ({"target": "afv", "target_type": "infantry"}, "C3.32"),
        ({"target": "afv", "target_type": "area", "ammo": "AP"}, "C3.33"),
        ({"target": "gun", "target_type": "vehicle", "ammo": "HE"}, "C3.31"),
        ({"target": "infantry", "target_type": "infantry", "ammo": "AP"}, "C8.31"),
        ({"target": "infantry", "target_type": "area", "ammo": "SMOKE"}, "C3.33"),
        ({"target": "infantry", "target_type": "infantry", "ammo": "HE", "gun": "MG"}, "A7.3"),
        ({"target": "afv", "gun": "BAZ42", "ammo": "HEAT"}, "C7"),
        ({"target": "afv", "gun": "37*", "ammo": "APCR"}, "C7"),
    ],
)
def test_refusals(changes: dict[str, Any], rule_number: str) -> None:
    """C3.31 to C3.33, C7: what cannot be resolved is refused with its rule number."""
    with pytest.raises(Refused) as refused:
        rule(**changes)
    assert refused.value.rule == rule_number
    assert refused.value.why


def test_every_mistake_of_the_facts_is_told() -> None:
    """Facts that cannot be are told at once, each with its name and what was expected."""
    with pytest.raises(BadInput) as error:
        rule(gun="big one", range_hexes=-1, location=None, aspect=None, armour=None)
    assert [mistake.path for mistake in error.value.mistakes] == ["range_hexes", "location", "aspect", "armour", "gun"]
    with pytest.raises(BadInput, match="location"):
        fire("afv", "75")


@pytest.mark.parametrize("dice", [(0, 3), (3, 7), (True, 3), (3,), (1, 2, 3), (2.5, 3)])
def test_dice_that_are_none(dice: Any) -> None:
    """Two dice, each 1 to 6, and nothing else."""
    with pytest.raises(BadInput, match="expected two dice, each 1 to 6"):
        resolve(rule(), dice)


# --- aspect ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("facing", [0.0, 37.5, 90.0, 300.0, 359.9])
def test_aspect(facing: float) -> None:
    """E1: front to 60 degrees, side to 120, rear past it; on a boundary the better armoured one."""
    for off, aspect in [(0, "front"), (59.9, "front"), (60, "front"), (60.001, "side"), (90, "side"), (120, "side"),
                        (120.001, "rear"), (180, "rear")]:  # fmt: skip
        assert aspect_of(facing, facing + off, RULES) == aspect
        assert aspect_of(facing, facing - off, RULES) == aspect
        assert aspect_of(facing + 360, (facing + off) % 360, RULES) == aspect


def test_aspect_of_no_bearing() -> None:
    """A bearing that is no number is a mistake."""
    with pytest.raises(BadInput, match="expected a bearing in degrees"):
        aspect_of(float("nan"), 3, RULES)


def test_light_armour() -> None:
    """C1.55: light armour is no factor above 4."""
    assert lightly_armoured([4, 4, 4, 2], RULES)
    assert not lightly_armoured([4, 4, 6, 2], RULES)


# --- the twin --------------------------------------------------------------------------------------------------------


GUNS = sorted(
    {gun for text in (AP, APCR, APDS, HEAT) for gun, _ in plain(text)} | {"88", "88*", "50 mortar", "200 mortar"}
)


def calibre_of(gun: str) -> float:
    """The calibre of a name of this file, 0 where it has none."""
    digits = "".join(c for c in gun.split()[0] if c in "0123456789.")
    return 0.0 if gun[0].isalpha() else 12.7 if gun == ".50" else float(digits)


def twin_basic(facts: EffectFacts, calibre: float) -> int | None:
    """The Basic To Kill number looked up in the texts of this file."""
    if facts.ammo == "HE":
        return max((value for least, value in HE.items() if least <= calibre), default=(None, None))[0]
    if facts.ammo == "HEAT":
        name = facts.gun if facts.gun[0].isalpha() else f"{calibre:g}"
        return None if "mortar" in facts.gun else dict(plain(HEAT)).get(name)
    table, own = {"AP": (AP, AP_OF_NATIONS), "APCR": (APCR, APCR_OF_NATIONS), "APDS": (APDS, "")}[facts.ammo]
    for gun, nation, model, number in national(own) if own else []:
        if (gun, nation) == (facts.gun, facts.nation) and model in (None, facts.model):
            return number
    return dict(plain(table)).get(facts.gun)


def twin(facts: EffectFacts) -> tuple[str, int, dict[str, Fraction]] | None:
    """Table, final number and odds by the letter of E1 and E2, throw by throw; None where the rules refuse."""
    calibre, shot = calibre_of(facts.gun), facts.ammo not in ("HE", "SMOKE")
    afv, vehicle, area = facts.target == "afv", facts.target == "vehicle", facts.target_type == "area"
    if facts.ammo == "SMOKE" or (area and shot) or (afv and facts.target_type == "infantry"):
        return None
    if not (afv or vehicle) and (facts.target_type == "vehicle" or shot):
        return None
    counts: Counter[str] = Counter()
    times = 2 if facts.critical else 1
    if (afv and facts.target_type == "vehicle") or (vehicle and (shot or facts.target_type == "vehicle")):
        if afv:
            basic_number = twin_basic(facts, calibre)
            if basic_number is None:
                return None
            change = 0
            if facts.ammo in ("AP", "APCR", "APDS"):
                row = next(v for (a, up_to), v in CASE_D.items() if a == facts.ammo and calibre <= up_to)
                column = sum(facts.range_hexes > end for end in RANGES)
                if column >= len(row):
                    return None
                change = row[column]
            rear = facts.aspect == "rear" and facts.location != "underbelly"
            above = 0 if not facts.aerial else 2 if facts.open_topped else 1
            number = times * basic_number + rear + above + change - (facts.armour or 0)
        elif facts.ammo == "HE":
            final = [both[1] for least, both in HE.items() if least <= calibre]
            if not final:
                return None
            number = times * final[-1]
        elif facts.ammo == "HEAT":
            number = times * 11
        else:
            number = times * (7 + sum(calibre >= least for least in (37, 65, 85, 100)))
        for dice in product(range(1, 7), repeat=2):
            counts["dud" if sum(dice) == 12 else twin_result(facts, sum(dice), number)] += 1
        table = "to_kill" if afv else "unarmoured"
    else:
        if calibre < 20:
            return None
        fp = Fraction(max(f for f, least in zip(FP, FP_CALIBRE, strict=True) if least <= calibre))
        fp = fp * 2 if facts.critical else fp / ((2 if area else 1) * (2 if facts.marsh else 1))
        table = "vehicle_line" if vehicle else "ift"
        if fp < 1:
            return table, 0, {"no effect": Fraction(1)}
        index = sum(f <= fp for f in FP) - 1
        drm = -max(0, (fp - 36) // 8) + sum(item.value for item in facts.other_drm)
        if afv:
            drm += (0 if facts.critical else facts.tem) - facts.all_armour_4_or_less - facts.open_topped
        else:
            tem = facts.tem if area else 0
            drm += (-facts.tem if facts.critical and facts.tem > 0 else tem) - facts.air_burst
        number = 3 + index if vehicle else FP[index]
        for dice in product(range(1, 7), repeat=2):
            roll = int(sum(dice) + drm)
            printed = IFT_ROWS[max(0, min(15, roll))][index]
            if vehicle:
                counts[twin_result(facts, roll, number)] += 1
            elif not afv:
                counts["no effect" if printed == "-" else printed] += 1
            elif "KIA" in printed:
                counts["eliminated"] += 1
            elif "K" in printed or "K" in IFT_ROWS[max(0, min(15, roll - 1))][index]:
                counts[twin_stop(facts)] += 1
            else:
                counts["no effect"] += 1
    return table, number, {result: Fraction(count, 36) for result, count in counts.items()}


def twin_stop(facts: EffectFacts) -> str:
    """Immobilized or shock; nothing where the vehicle cannot be immobilized."""
    if facts.target == "afv" and facts.location == "turret":
        return "shock"
    return "no effect" if facts.hull_down else "immobilized"


def twin_result(facts: EffectFacts, roll: int, number: int) -> str:
    """The result of a number by E1's sentence."""
    if 2 * roll <= number:
        return "burning wreck"
    if roll < number:
        return "eliminated"
    if roll == number:
        return twin_stop(facts)
    if roll == number + 1 and facts.target == "afv":
        return twin_stop(facts) if facts.ammo == "HE" else "possible shock"
    return "no effect"


def some_facts(choose: Any) -> EffectFacts:
    """Facts of any hit, allowed or not, by a function that chooses one of a list."""
    nation, model = choose([(None, None), ("russian", None), ("japanese", None), ("japanese", "Year-38"), ("us", None),
                            ("us", "Grant"), ("british", None), ("italian", None), ("german", None)])  # fmt: skip
    return EffectFacts(
        target=choose(["afv", "afv", "vehicle", "gun", "infantry"]),
        target_type=choose(["vehicle", "infantry", "area"]),
        gun=choose(GUNS),
        ammo=choose(["AP", "AP", "HE", "HE", "HE", "APCR", "APDS", "HEAT", "SMOKE"]),
        range_hexes=choose(range(90)),
        nation=nation,
        model=model,
        location=choose(["hull", "turret", "underbelly"]),
        critical=choose([False, False, True]),
        aspect=choose(["front", "side", "rear"]),
        armour=choose([0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 26]),
        open_topped=choose([False, True]),
        all_armour_4_or_less=choose([False, True]),
        aerial=choose([False, True]),
        hull_down=choose([False, True]),
        tem=choose(range(-1, 4)),
        air_burst=choose([False, True]),
        marsh=choose([False, False, True]),
        other_drm=choose([(), (Item(-2, "by hand", "A7.3", "house"),), (Item(3, "by hand", "A7.3", "house"),)]),
    )


def ruled(facts: EffectFacts) -> tuple[str, int, dict[str, Fraction]] | None:
    """What the program says, in the twin's form."""
    try:
        ruling = effect(facts, RULES)
    except Refused:
        return None
    return ruling.table, ruling.final_number, dict(ruling.odds)


def test_the_twin_agrees() -> None:
    """2,000 hits of every kind: the same table, number and odds as the naive enumerator, or both refuse."""
    choose = random.Random(7).choice
    seen: Counter[str] = Counter()
    for _ in range(2000):
        facts = some_facts(choose)
        expected = twin(facts)
        assert ruled(facts) == expected, facts
        seen[expected[0] if expected else "refused"] += 1
    assert min(seen[table] for table in ("to_kill", "unarmoured", "vehicle_line", "ift")) > 50, seen


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_odds_sum_to_one(data: st.DataObject) -> None:
    """The odds of a ruling are positive and sum to exactly 1; each is the share of throws that resolve to it."""
    facts = some_facts(lambda options: data.draw(st.sampled_from(options)))
    try:
        ruling = effect(facts, RULES)
    except Refused:
        return
    assert sum(ruling.odds.values()) == 1
    assert min(ruling.odds.values()) > 0
    thrown = Counter(resolve(ruling, (c, w)).result for c in range(1, 7) for w in range(1, 7))
    assert ruling.odds == {result: Fraction(count, 36) for result, count in thrown.items()}
    if ruling.table in ("to_kill", "unarmoured"):
        assert ruling.tally.total == ruling.final_number


# --- other people's rows ---------------------------------------------------------------------------------------------


def found(rules: Rules) -> list[str]:
    """What the cross-checks say."""
    return [str(mistake) for check in EFFECT_CHECKS for mistake in check(rules)]


def test_the_shipped_tables_pass_every_check() -> None:
    """The cross-checks find nothing in the shipped tables."""
    assert found(RULES) == []


def test_the_vocabulary_is_that_of_the_shot() -> None:
    """The tables know the same targets, target types and ammunition as the facts of a shot."""
    assert set(get_args(EffectTarget)) == set(get_args(Target))
    assert set(get_args(EffectType)) == set(get_args(TargetType))
    assert {a for row in RULES.tables["effect-tables"].rows for a in row.model_dump()["ammo"]} == set(get_args(Ammo))


def test_another_damage_table() -> None:
    """A judge's rows change the ruling and nothing else does: another number, another result, another limit."""
    weaker = changed("to-kill-ap", **{"75L": {"value": 12}})
    assert effect(facts_of(), weaker).final_number == 4
    bands = changed("kill-results", half={"times": 0.25})
    assert resolve(effect(facts_of(), bands), (2, 2)).result == "eliminated"
    more = changed("kill-results", near={
        "label": "two more", "tables": ("to_kill",), "times": 1.0, "plus": 2, "result": "shock", "unit": "result",
        "rule": "C7", "source": "house",
    })  # fmt: skip
    assert found(more) == []
    assert resolve(effect(facts_of(), more), (5, 6)).result == "shock"
    assert effect(facts_of(aspect="rear"), changed("effects", rear={"value": 3.0})).final_number == 12


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (lambda: with_rows("effects", RULES.tables["effects"].rows[1:]), "the row 'rear' is missing"),
        (lambda: changed("ift-columns", **{"4": {"fp": 2}}), "fp: rows must rise"),
        (lambda: changed("armour-factors", AF6={"value": 3}), "value: rows must rise"),
        (lambda: changed("ift", **{"7": {"values": ("-",)}}), "expected 11, one for each row of ift-columns, not 1"),
        (lambda: changed("ift", **{"14": {"values": ("PTC",) * 11}}), "a higher roll must not do more"),
        (lambda: changed("to-kill-range", APDS={"values": ("NA",) + (0,) * 15}), "a number after NA"),
        (lambda: changed("to-kill-range-columns", **{"79+": {"up_to": 99}}), "every row has one but the last"),
        (lambda: changed("to-kill-ap", **{"76L": {"calibre": 75.0}}), "the weapon stands in row '75L' too"),
        (lambda: changed("to-kill-ap", **{"90L-italian": {"nation": "italy"}}), "did you mean 'italian'?"),
        (lambda: changed("nation-names", us={"names": ("uk",)}), "'uk' is a name of 'us' too"),
        (lambda: with_rows("effect-tables", RULES.tables["effect-tables"].rows[1:]), "no row for SMOKE"),
        (lambda: with_rows("kill-results", RULES.tables["kill-results"].rows[:-1]), "other roll (otherwise = true) of"),
        (lambda: changed("kill-results", dud={"result": "a dud"}), "the result 'a dud' of kill-results has no row"),
        (lambda: with_rows("effect-results", RULES.tables["effect-results"].rows[:-1]), "'PTC' of ift has no row"),
    ],
)
def test_cross_checks(rules: Any, message: str) -> None:
    """A row that does not fit the others is told, with its table."""
    assert any(message in mistake for mistake in found(rules())), found(rules())


@pytest.mark.parametrize(
    ("table", "data", "message"),
    [
        ("to-kill-ap", {"value": 3}, "expected a calibre"),
        ("to-kill-ap", {"calibre": 3, "calibre_from": 3, "value": 3}, "not both"),
        ("to-kill-ap", {"kind": "mg", "length": "L", "value": 3}, "a length goes with an exact calibre"),
        ("ift", {"dr": 3, "values": ["KIA"]}, "expected nKIA, K/n, nMC, NMC, PTC or -, not 'KIA'"),
        ("kill-results", {"tables": ["to_kill"], "result": "dud"}, "expected one of original, times, reaches"),
        ("kill-results", {"tables": ["to_kill"], "original": 2, "plus": 1, "result": "dud"}, "plus goes with"),
    ],
)
def test_rows_that_are_refused(table: str, data: dict[str, Any], message: str) -> None:
    """A row that says too little or too much is refused with what was expected."""
    document = replace(read_toml(tables_folder() / f"{table}.toml"), text="")
    common = {"id": "x", "label": "x", "unit": "x", "rule": "C7", "source": "house"}
    row, mistakes = validate(document, EFFECT_TABLES[table], common | data)
    assert row is None
    assert message in str(mistakes[0])


def test_rows_of_reads_a_table_in_order() -> None:
    """Rows come as they stand in the file."""
    assert [row.id for row in rows_of(RULES, "ift-columns", Row)] == [str(fp) for fp in FP]
