"""Fire from hiding, dummies on the move, and vehicles blinded by a smoke shell (S8.5, S11.2, S12.3, S12.4)."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import boards
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minis.board.units import Unit
from minis.errors import BadInput
from minis.fire.blinding import blinding, resolve
from minis.game.hiding import dummy_may_stand, no_return_fire, vanishes
from minis.lengths import to_grid
from minis.rules import load_rules
from minis.sight.scene import Scene

RULES = load_rules()
PAK = 'id = "PaK", side = "axis", kind = "gun", at = [80, 10], hidden = true'
BARN = 'terrain = [{ id = "barn", kind = "building", box = [26, 0, 30, 40] }]\n'


def scene(*units: str, more: str = BARN) -> Scene:
    """A table with a barn between west and east and these units, points unless they say otherwise."""
    rows = ["{ " + unit + ("" if "base" in unit else ", base = 0") + " }" for unit in units]
    return Scene(boards.board(f"table = {{ width = 120, depth = 60 }}\n{more}unit = [{', '.join(rows)}]"))


def tank(x: float, y: float, name: str, more: str = "") -> str:
    """An allied vehicle."""
    return f'id = "{name}", side = "allied", kind = "vehicle", at = [{x}, {y}]' + (f", {more}" if more else "")


def gone(table: Scene, target: str = "target") -> bool:
    """Whether the target just vanishes when the hidden PaK destroys it."""
    return vanishes(table, table.board.unit(target), table.board.unit("PaK")).holds


# --- S12.4: a target that just vanishes ------------------------------------------------------------------------------

SILENT = tank(40, 10, "target", "radio = false")
SPEAKING = tank(40, 10, "target")
SEES = tank(45, 20, "friend")
SEES_NOT = tank(10, 10, "friend")


@pytest.mark.parametrize(
    ("target", "friend", "both", "either"),
    [
        (SILENT, SEES_NOT, True, True),
        (SILENT, SEES, False, True),
        (SPEAKING, SEES_NOT, False, True),
        (SPEAKING, SEES, False, False),
    ],
    ids=["no radio, unseen", "no radio, seen", "radio, unseen", "radio, seen"],
)
def test_a_radio_and_a_friend_by_the_switch(target: str, friend: str, both: bool, either: bool) -> None:
    """No radio and no friend in sight: it vanishes; one of the two is enough by the switch."""
    assert gone(scene(PAK, target, friend)) is both
    assert gone(scene(PAK, target, friend, more='switches = { radio_exception = "either" }\n' + BARN)) is either


def test_a_radio_penalty_goes_before_all() -> None:
    """With a radio, before the eyes of a friend: under the judge's radio penalty it vanishes all the same."""
    table = scene(PAK, SPEAKING, SEES, more='switches = { radio_penalty = "yes" }\n' + BARN)
    ruling = vanishes(table, table.board.unit("target"), table.board.unit("PaK"))
    assert (ruling.holds, ruling.rule, ruling.why) == (True, "S12.4", "the judge has imposed a radio penalty")


def test_only_fire_from_hiding() -> None:
    """A gun on the table that fires is seen doing it, radio penalty or not."""
    open_gun = PAK.replace(", hidden = true", "")
    assert not gone(scene(open_gun, SILENT))
    assert not gone(scene(open_gun, SILENT, more='switches = { radio_penalty = "yes" }\n'))


@pytest.mark.parametrize(
    "friend",
    [
        tank(45, 20, "hulk", "wreck = true"),
        'id = "fake", side = "allied", kind = "infantry", at = [45, 20], token = "A1", dummy = true',
        tank(45, 20, "ambush", "hidden = true"),
        'id = "enemy", side = "axis", kind = "infantry", at = [45, 20]',
        tank(10, 20, "behind the barn"),
    ],
    ids=["a wreck", "a dummy", "a hidden friend", "an enemy", "behind the barn"],
)
def test_who_is_no_friend_in_sight(friend: str) -> None:
    """None of these keeps a target without a radio from just vanishing."""
    assert gone(scene(PAK, SILENT, friend))


def test_its_passengers_are_no_witnesses_and_those_of_others_are() -> None:
    """Who rides in the target dies with it; who rides by in another truck sees it."""
    riders = 'id = "squad", side = "allied", kind = "infantry", at = [40, 10]'
    carrier = tank(40, 10, "target", 'radio = false, carries = ["squad"]')
    assert gone(scene(PAK, carrier, riders))
    assert not gone(scene(PAK, SILENT, riders, tank(45, 10, "truck", 'carries = ["squad"]')))


def test_a_gun_and_its_tow_are_one_by_the_switch() -> None:
    """The gun behind the truck is one target with it, and no witness; as two targets it is one."""
    truck = tank(40, 10, "target", 'radio = false, tow = "gun"')
    gun = 'id = "gun", side = "allied", kind = "gun", at = [41, 10], radio = false'
    assert gone(scene(PAK, truck, gun))
    assert gone(scene(PAK, truck, gun), "gun")
    assert not gone(scene(PAK, truck, gun, more='switches = { tow = "two" }\n'))


def test_the_ruling_names_the_friend_that_sees_it() -> None:
    """The first by its id of those that see it, and that there is none, in words."""
    table = scene(PAK, SILENT, tank(45, 20, "Z"), tank(60, 20, "B"))
    ruling = vanishes(table, table.board.unit("target"), table.board.unit("PaK"))
    assert ruling.why == "target has no radio, but B sees it"
    table = scene(PAK, SILENT)
    ruling = vanishes(table, table.board.unit("target"), table.board.unit("PaK"))
    assert ruling.why == "target has no radio, and no friend sees target"


# --- S12.3: no return fire in that turn ------------------------------------------------------------------------------


@pytest.mark.parametrize(("fired", "turn", "safe"), [(3, 3, True), (3, 4, False), (3, 2, False), (None, 3, False)])
def test_no_return_fire_in_the_turn_of_the_ambush(fired: int | None, turn: int, safe: bool) -> None:
    """At a unit that fired from hiding nobody fires back in that turn; in the next one they do."""
    assert no_return_fire(fired, turn) is safe


# --- S11.2: dummies go in company ------------------------------------------------------------------------------------

DUMMY = 'id = "dummy", side = "allied", kind = "infantry", at = [10, 10], token = "A1", dummy = true'


def company(*units: str, more: str = "") -> bool:
    """Whether the dummy may stand where it is."""
    table = scene(DUMMY, *units, more=more)
    return dummy_may_stand(table, table.board.unit("dummy")).holds


@pytest.mark.parametrize(("x", "may"), [(10, True), (22, True), (22.001, False), (60, False)])
def test_a_dummy_within_12_inches_of_a_real_unit(x: float, may: bool) -> None:
    """12 inches are near enough, a hair more is not."""
    assert company(tank(x, 10, "real")) is may


def test_the_distance_is_a_switch() -> None:
    """The judge may want them closer, or let them roam."""
    assert not company(tank(20, 10, "real"), more="switches = { dummy_distance = 6 }\n")
    assert company(tank(40, 10, "real"), more="switches = { dummy_distance = 30 }\n")


def test_bases_are_measured_edge_to_edge() -> None:
    """A tank of 2 inches whose centre is 13 away is 12 away, also where sighting is measured between centres."""
    near = tank(23, 10, "real", "base = [2, 2]")
    assert company(near)
    assert company(near, more='switches = { measure = "centre" }\n')


@pytest.mark.parametrize(
    "other",
    [
        tank(12, 10, "hulk", "wreck = true"),
        'id = "fake", side = "allied", kind = "infantry", at = [12, 10], dummy = true',
        'id = "enemy", side = "axis", kind = "infantry", at = [12, 10]',
    ],
    ids=["a wreck", "another dummy", "an enemy"],
)
def test_who_is_no_company(other: str) -> None:
    """A wreck, another dummy and an enemy are no company: no company of dummies goes alone."""
    assert not company(other)


def test_hidden_units_are_company() -> None:
    """What is hidden on the judge's map is a real unit there."""
    assert company(tank(12, 10, "real", "hidden = true"))


def test_a_dummy_is_judged_where_it_would_stand() -> None:
    """The same scene, the dummy after its move: 13 inches away it may not go; a real unit goes where it likes."""
    table = scene(DUMMY, tank(15, 10, "real"))
    dummy = table.board.unit("dummy")
    assert dummy_may_stand(table, replace(dummy, at=(to_grid(27), to_grid(10)))).holds
    far = dummy_may_stand(table, replace(dummy, at=(to_grid(28), to_grid(10))))
    assert (far.holds, far.rule, far.why) == (False, "S11.2", 'its nearest real unit, real, is 13" away: more than 12"')
    assert dummy_may_stand(table, replace(table.board.unit("real"), at=(0, 0))).holds


def test_the_last_dummy_of_a_side() -> None:
    """With no real unit left there is nobody for it to go with."""
    table = scene(DUMMY)
    ruling = dummy_may_stand(table, table.board.unit("dummy"))
    assert (ruling.holds, ruling.why) == (False, "allied has no real unit left for dummy to go with")


# --- S8.5: blinded by a smoke shell ----------------------------------------------------------------------------------


def hit(kind: str = "vehicle", way: float = 90.0, more: str = "facing = 90") -> tuple[Unit, Unit]:
    """A unit in the middle of a table and a firer that stands on this bearing from it."""
    x, y = 60 + 20 * math.sin(math.radians(way)), 30 + 20 * math.cos(math.radians(way))
    target = f'id = "target", side = "allied", kind = "{kind}", at = [60, 30]' + (f", {more}" if more else "")
    table = scene(target, f'id = "firer", side = "axis", kind = "gun", at = [{x}, {y}]', more="")
    return table.board.unit("target"), table.board.unit("firer")


@pytest.mark.parametrize(
    ("way", "aspect", "shot", "possible"),
    [
        (90, "front", "front", True),
        (119, "front", "front", True),
        (121, "front", "front-side", True),
        (61, "front", "front", True),
        (59, "front", "front-side", True),
        (149, "front", "front-side", True),
        (151, "side", "front-side", True),
        (180, "side", "front-side", True),
        (181, "side", "rear", False),
        (0, "side", "front-side", True),
        (359, "side", "rear", False),
        (240, "rear", "rear", False),
        (270, "rear", "rear", False),
    ],
)
def test_the_half_circle_in_front_of_the_turret(way: float, aspect: str, shot: str, possible: bool) -> None:
    """A turret that points east is blinded from the front, and on its side from ahead of it; not from behind."""
    found = blinding(RULES, *hit(way=way))
    assert (found.aspect, found.shot, found.possible) == (aspect, shot, possible)
    assert found.chance == (Fraction(1, 2) if possible else 0)
    assert found.rule == "S8.5"


def test_boundaries_belong_to_the_front() -> None:
    """Exactly 30 degrees off is a front shot and exactly 90 a front-side one."""
    target, firer = hit(more="facing = 60")
    assert blinding(RULES, target, firer).shot == "front"
    assert blinding(RULES, replace(target, turret=0.0), firer).shot == "front-side"
    assert blinding(RULES, replace(target, turret=180.0), firer).shot == "front-side"


def test_it_goes_by_the_turret_not_by_the_hull() -> None:
    """Hit in the side of the hull with the turret turned that way: blinded; hull towards it, turret away: not."""
    assert blinding(RULES, *hit(more='facing = 0, turret = 90, mount = "T"')).possible
    assert not blinding(RULES, *hit(more='facing = 90, turret = 270, mount = "T"')).possible


def test_a_gun_that_sits_in_the_hull_looks_where_the_hull_does() -> None:
    """A vehicle without a turret (NT) has its hull's bearing, whatever the file says of a turret."""
    assert blinding(RULES, *hit(more='facing = 90, turret = 270, mount = "NT"')).possible


@pytest.mark.parametrize(
    ("kind", "more", "why"),
    [
        ("gun", "facing = 90", "target is no vehicle"),
        ("infantry", "", "target is no vehicle"),
        ("vehicle", "facing = 90, wreck = true", "target is a wreck"),
        ("vehicle", 'facing = 90, token = "A1", dummy = true', "target is a dummy"),
    ],
)
def test_who_is_never_blinded(kind: str, more: str, why: str) -> None:
    """Guns, infantry, wrecks and dummies are not, and no die is thrown for them."""
    found = blinding(RULES, *hit(kind, more=more))
    assert (found.possible, found.chance, found.why) == (False, 0, why)
    with pytest.raises(BadInput, match="there is no die"):
        resolve(found, 1)


def test_a_lorry_is_a_vehicle() -> None:
    """The rule says a vehicle: an unarmoured one too."""
    assert blinding(RULES, *hit(more="facing = 90, armoured = false")).possible


def test_a_firer_on_the_very_spot_is_ahead() -> None:
    """Where the two centres are one point the shot has no bearing: it counts as from the front."""
    target, firer = hit()
    assert blinding(RULES, target, replace(firer, at=target.at)).shot == "front"


def test_half_of_all_rolls_blind() -> None:
    """1 to 50 on d100 blinds, 51 to 100 does not: exactly one half."""
    found = blinding(RULES, *hit())
    blinded = [face for face in range(1, 101) if resolve(found, face)]
    assert blinded == list(range(1, 51))
    assert Fraction(len(blinded), 100) == found.chance


@pytest.mark.parametrize("face", [0, 101, -5, True])
def test_a_face_that_there_is_not(face: int) -> None:
    """d100 reads 1 to 100."""
    with pytest.raises(BadInput, match="1 to 100"):
        resolve(blinding(RULES, *hit()), face)


@given(st.floats(0, 360, exclude_max=True), st.floats(0, 360, exclude_max=True))
def test_left_and_right_are_alike(turret: float, way: float) -> None:
    """Mirroring the table changes nothing: only how far off the turret's bearing the shot comes from counts."""
    target, firer = hit()
    x, y = target.at
    dx, dy = round(160000 * math.sin(math.radians(way))), round(160000 * math.cos(math.radians(way)))
    one = blinding(RULES, replace(target, turret=turret), replace(firer, at=(x + dx, y + dy)))
    other = blinding(RULES, replace(target, turret=-turret), replace(firer, at=(x - dx, y + dy)))
    assert (one.aspect, one.shot, one.possible) == (other.aspect, other.shot, other.possible)


def test_a_house_says_how_likely_and_from_where(tmp_path: Path) -> None:
    """Chance and angles are rows; the ruling carries those it used, so that it can name the house."""
    row = '[[row]]\nid = "{}"\nvalue = {}\nsource = "house"\n'
    text = row.format("blinding-chance", 25) + row.format("blinding-front-side", 60)
    (tmp_path / "effects.toml").write_text(text, encoding="utf-8")
    rules = load_rules(tmp_path)
    assert blinding(rules, *hit()).chance == Fraction(1, 4)
    assert not blinding(rules, *hit(way=170)).possible
    assert [r.id for r in blinding(rules, *hit()).rows if r.overlay] == ["blinding-chance", "blinding-front-side"]
