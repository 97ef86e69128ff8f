"""Underbelly shots (F8.6, D4.3): where an AFV shows its underside, and who may shoot at it there."""

from __future__ import annotations

from typing import Any

import boards
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from minis.board.schema import Weapon
from minis.fire.boresight import applies, record_of
from minis.fire.facts import ShotFacts
from minis.fire.to_hit import resolve, to_hit
from minis.fire.underbelly import Climb, Move, Underbelly, climbs, underbelly, underbelly_shots
from minis.lengths import GRID
from minis.sight.scene import Scene
from minis.sight.stretch import Straight

WALL = {"id": "wall", "kind": "wall", "line": [[20, 5], [20, 35]]}
BOCAGE = WALL | {"id": "bocage", "kind": "bocage"}
GULLY = {"id": "gully", "kind": "gully", "box": [15, 5, 20, 35]}
TANK = {"id": "T", "side": "allied", "kind": "vehicle", "armoured": True, "at": [16, 20], "facing": 90}
GUN = {"id": "G", "side": "axis", "kind": "gun", "base": 0, "at": [28, 20], "facing": 270}
A, B = (16.0, 20.0), (24.0, 20.0)


def scene(*terrain: dict[str, Any], tank: dict[str, Any] = TANK, gun: dict[str, Any] = GUN, more: Any = ()) -> Scene:
    """A tank west and a gun east of x = 20, where a wall stands unless said otherwise."""
    return boards.scene_of(
        {"table": {"width": 60, "depth": 40}, "terrain": list(terrain or (WALL,)), "unit": [tank, gun, *more]}
    )


def move(at: Scene, start: tuple[float, float] = A, end: tuple[float, float] = B, **more: Any) -> Move:
    """The tank's move, straight east unless said otherwise."""
    return Move(at.board.unit("T"), start, end, **more)


def places(at: Scene, start: tuple[float, float] = A, end: tuple[float, float] = B) -> list[tuple[str, str, float]]:
    """What a move climbs over: what it does there, the piece, how far along."""
    return [(climb.how, climb.by, climb.along_in) for climb in climbs(at, move(at, start, end))]


def shot(at: Scene, weapon: Weapon | None = None, **more: Any) -> Underbelly:
    """Whether the gun may shoot at the underside at the only place of the tank's move."""
    moving = move(at, **more)
    (climb,) = climbs(at, moving)
    return underbelly(at, moving, climb, at.board.unit("G"), weapon=weapon)


# --- the places -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("piece", "how"), [(WALL, "crosses"), (BOCAGE, "crosses"), (GULLY, "leaves")])
def test_walls_and_bocage_are_crossed_and_gullies_left(piece: dict[str, Any], how: str) -> None:
    """D4.3: the three kinds of place, here each 4" along the move."""
    assert places(scene(piece)) == [(how, piece["id"], 4.0)]


@pytest.mark.parametrize("kind", ["hedge", "roadblock", "cliff"])
def test_other_lines_show_no_underside(kind: str) -> None:
    """D4.3: a hedge, a roadblock, a cliff are no such place."""
    assert places(scene(WALL | {"kind": kind})) == []


def test_going_into_a_gully_shows_no_underside() -> None:
    """D4.3: it is shown on the way out."""
    assert places(scene(GULLY), (24.0, 20.0), (17.0, 20.0)) == []
    assert places(scene(GULLY), (24.0, 20.0), (10.0, 20.0)) == [("leaves", "gully", 9.0)]


def test_only_an_afv_shows_its_underside() -> None:
    """D4.3: a truck and a squad have none to speak of."""
    assert places(scene(tank=TANK | {"armoured": False})) == []
    assert places(scene(tank=TANK | {"kind": "infantry", "armoured": False})) == []


def test_a_move_short_of_the_wall_and_no_move_at_all() -> None:
    """F8.6: what is not reached is not crossed; what is reached is."""
    assert places(scene(), A, (19.9, 20.0)) == []
    assert places(scene(), A, A) == []
    assert places(scene(), A, (20.0, 20.0)) == [("crosses", "wall", 4.0)]
    assert places(scene(), (20.0, 20.0), B) == []


def test_a_gully_is_left_at_its_edge() -> None:
    """F8.6: at the edge it is out; a move that begins there does not leave it again."""
    assert places(scene(GULLY), A, (19.9, 20.0)) == []
    assert places(scene(GULLY), A, (20.0, 20.0)) == [("leaves", "gully", 4.0)]
    assert places(scene(GULLY), (20.0, 20.0), B) == []


def test_along_the_edge_of_a_gully_nothing_is_left() -> None:
    """F8.6: a move that only touches the gully was never in it."""
    assert places(scene(GULLY), (20.0, 2.0), (20.0, 38.0)) == []


def test_from_one_piece_of_a_gully_into_the_next() -> None:
    """F8.6: a gully drawn in two pieces is left once, at its far edge."""
    more = {"id": "more", "kind": "gully", "box": [20, 5, 22, 35]}
    assert places(scene(GULLY, more)) == [("leaves", "more", 6.0)]
    assert places(scene(GULLY, more), A, (20.0, 20.0)) == [("leaves", "gully", 4.0)]
    assert places(scene(GULLY, more | {"box": [18, 5, 22, 35]}), A, (19.0, 20.0)) == []


def test_a_wall_is_crossed_at_its_corner() -> None:
    """F8.6: through a corner of the wall it goes over it, past a corner that only touches its way it does not."""
    through = WALL | {"line": [[19, 5], [20, 20], [21, 35]]}
    touching = WALL | {"line": [[20, 5], [20, 20], [25, 5]]}
    assert places(scene(through)) == [("crosses", "wall", 4.0)]
    assert places(scene(touching)) == []


def test_the_end_of_a_wall_is_not_crossed() -> None:
    """F8.6: a wall that ends at the way of the tank is passed."""
    assert places(scene(WALL | {"line": [[20, 5], [20, 20]]})) == []


def test_a_wall_all_round_is_crossed_twice() -> None:
    """F8.6: into the yard and out of it, also where a corner lies on the way."""
    yard = [[18, 18], [22, 18], [22, 22], [18, 22], [18, 18]]
    assert places(scene(WALL | {"line": yard})) == [("crosses", "wall", 2.0), ("crosses", "wall", 6.0)]
    diamond = [[18, 20], [20, 18], [22, 20], [20, 22], [18, 20]]
    assert places(scene(WALL | {"line": diamond})) == [("crosses", "wall", 2.0), ("crosses", "wall", 6.0)]


def test_a_wall_that_runs_along_the_way() -> None:
    """F8.6: it is crossed where it is first come to, if it goes on to the other side, else not."""
    over = WALL | {"line": [[18, 18], [18, 20], [21, 20], [21, 25]]}
    back = WALL | {"line": [[18, 18], [18, 20], [21, 20], [21, 15]]}
    assert places(scene(over)) == [("crosses", "wall", 2.0)]
    assert places(scene(back)) == []


def test_the_places_come_in_the_order_of_the_move() -> None:
    """F8.6: the gully first, then two walls; the other way round the walls are first."""
    second = WALL | {"id": "a-wall", "line": [[22, 5], [22, 35]]}
    at = scene(GULLY | {"box": [12, 5, 18, 35]}, WALL, second)
    assert [by for _, by, _ in places(at)] == ["gully", "wall", "a-wall"]
    assert [by for _, by, _ in places(at, B, (10.0, 20.0))] == ["a-wall", "wall", "gully"]


# --- the firers -----------------------------------------------------------------------------------------------------


def test_a_gun_before_the_front_may_shoot() -> None:
    """D4.3: in range, level, before the front, in sight: a turret hit strikes the underside."""
    found = shot(scene())
    assert (found.allowed, found.rule, found.range_hexes, found.missed) == (True, "D4.3", 4, False)
    assert found.why == "T crosses wall in its sight: a turret hit strikes the underside"


@pytest.mark.parametrize(("x", "allowed"), [(32.0, True), (32.01, False)])
def test_within_six_hexes_of_the_place(x: float, allowed: bool) -> None:
    """D4.3: 12" from the crossing point is the sixth hex."""
    found = shot(scene(gun=GUN | {"at": [x, 20]}))
    assert found.allowed is allowed
    assert allowed or "more than 6" in found.why


def test_from_the_same_level_or_lower() -> None:
    """D4.3: not from a hill above it; from below, at the crest that it comes over, yes."""
    high = {"id": "hill", "kind": "hill", "level": 1, "box": [26, 10, 34, 30]}
    found = shot(scene(WALL, high))
    assert (found.allowed, found.missed) == (False, False)
    assert "higher than level 0" in found.why
    under = {"id": "hill", "kind": "hill", "level": 1, "box": [10, 10, 20, 30]}
    assert shot(scene(WALL | {"line": [[19.9375, 5], [19.9375, 35]]}, under)).allowed
    down = shot(scene(WALL, under, {"id": "far", "kind": "hill", "level": 1, "box": [26, 10, 34, 30]}))
    assert down.why == "G on level 1 is higher than level 0, which is entered"
    both = {"id": "hill", "kind": "hill", "level": 1, "box": [10, 10, 34, 30]}
    assert shot(scene(WALL, both)).allowed


@pytest.mark.parametrize(
    ("place", "allowed"), [([26, 30.3], True), ([25.9, 30.4], False), ([26, 9.7], True), ([12, 20], False)]
)
def test_inside_the_front_arc(place: list[float], allowed: bool) -> None:
    """D4.3: 60 degrees to either side of the way it goes, no farther."""
    found = shot(scene(gun=GUN | {"at": place}))
    assert found.allowed is allowed
    assert allowed or found.why == "G is outside the front arc of T"


def test_inside_the_rear_arc_in_reverse() -> None:
    """D4.3: in reverse its rear goes first and shows the underside; a gun before its front sees none of it."""
    assert shot(scene(), reverse=True).allowed
    assert shot(scene(), reverse=True, facing=270.0).allowed
    found = shot(scene(), reverse=True, facing=90.0)
    assert (found.allowed, found.why) == (False, "G is outside the rear arc of T")


def test_the_facing_may_be_given() -> None:
    """D4.3: the arc is that of the hull, should the tank go askew."""
    assert shot(scene(), facing=40.0).allowed
    assert not shot(scene(), facing=20.0).allowed


def test_in_sight_of_the_crossing_point() -> None:
    """D4.3: out of sight of that point there is no such shot, and one announced has missed."""
    house = {"id": "farm", "kind": "building", "box": [23, 18, 25, 22]}
    found = shot(scene(WALL, house))
    assert (found.allowed, found.missed) == (False, True)
    assert found.why == "G has no line of sight to the crossing point: farm hides it"
    assert shot(scene(WALL, house | {"box": [23, 25, 25, 29]})).allowed


def test_neither_the_tank_nor_its_bocage_hides_the_crossing_point() -> None:
    """F8.6: the line ends in the bocage that is crossed, and the tank itself and its tow are not in the way."""
    assert shot(scene(BOCAGE)).allowed
    assert shot(scene(tank=TANK | {"at": [22, 20]})).allowed
    rider = {"id": "R", "side": "allied", "kind": "vehicle", "at": [22, 20]}
    assert shot(scene(tank=TANK | {"carries": ["R"]}, more=[rider])).allowed
    assert not shot(scene(more=[rider])).allowed


def test_it_is_for_the_defender() -> None:
    """D4.3: the tank's own side does not shoot at it."""
    found = shot(scene(gun=GUN | {"side": "allied"}))
    assert (found.allowed, found.why) == (False, "G is of the same side")


@pytest.mark.parametrize(("gun", "allowed"), [("75", True), ("BAZ44", True), ("81 mortar", False), ("HMG", False)])
def test_it_takes_the_vehicle_type_or_a_latw(gun: str, allowed: bool) -> None:
    """D4.3: ordnance on the Vehicle type and light anti-tank weapons, no mortars and no machine guns."""
    assert shot(scene(), Weapon(id="main", gun=gun)).allowed is allowed


def test_bocage_waits_for_the_bog_roll() -> None:
    """D4.33, D4.34: none before the tank has passed it, none where it breaches; a wall knows neither."""
    assert shot(scene(BOCAGE), bog_open=True).rule == "D4.33"
    assert shot(scene(BOCAGE), breaching=True).rule == "D4.34"
    assert shot(scene(), bog_open=True, breaching=True).allowed


def test_range_0_is_a_shot() -> None:
    """D4.3: a firer at the crossing point itself is in no arc and in range."""
    found = shot(scene(gun=GUN | {"at": [20, 20]}))
    assert (found.allowed, found.range_hexes) == (True, 0)


def test_every_enemy_at_every_place() -> None:
    """F8.6: one answer for each, with its best weapon; no wrecks, no dummies, none of its own side."""
    second = WALL | {"id": "wall-2", "line": [[22, 5], [22, 35]]}
    more = [
        GUN | {"id": "F", "at": [26, 24], "weapons": [{"id": "m", "gun": "MG"}]},
        GUN | {"id": "H", "at": [26, 16], "weapons": [{"id": "m", "gun": "MG"}, {"id": "g", "gun": "50"}]},
        GUN | {"id": "W", "at": [27, 10], "kind": "vehicle", "wreck": True},
        GUN | {"id": "D", "at": [27, 30], "dummy": True, "token": "D"},
        GUN | {"id": "X", "at": [30, 5], "side": "allied"},
    ]
    at = scene(WALL, second, more=more)
    found = [(answer.climb.by, answer.firer, answer.allowed) for answer in underbelly_shots(at, move(at))]
    each = [("F", False), ("G", True), ("H", True)]
    assert found == [("wall", *one) for one in each] + [("wall-2", *one) for one in each]


# --- the shot -------------------------------------------------------------------------------------------------------


def test_d4_3_a_turret_hit_strikes_the_underside() -> None:
    """D4.3: coloured less than white strikes the underside, a hull hit is as usual."""
    rules = scene().board.rules
    shot_at = to_hit(ShotFacts("vehicle", "afv", 4, "75", "AP", "black", underbelly=True), rules)
    assert resolve(shot_at, rules, 1, 3).location == "underbelly"
    assert resolve(shot_at, rules, 3, 1).location == "hull"


def test_d4_32_the_ground_entered_counts_and_the_wall_does_not() -> None:
    """D4.32: the place beyond the wall is told for Cases Q and R, and the piece that gives no TEM."""
    at = scene()
    (climb,) = climbs(at, move(at))
    assert (climb.by, climb.at, climb.out_of, climb.into) == ("wall", (20.0, 20.0), (19.9375, 20.0), (20.0625, 20.0))


def test_d4_3_a_bore_sight_on_the_place_it_comes_out_of() -> None:
    """D4.3: a bore sight on the ground before the wall serves, one on the ground beyond does not have to."""
    at = scene()
    (climb,) = climbs(at, move(at))
    gun, weapon = at.board.unit("G"), Weapon(id="main", gun="75")
    coming = boards.scene_of(
        {"table": {"width": 60, "depth": 40}, "unit": [GUN, TANK | {"at": list(climb.out_of)}]}
    ).board.unit("T")  # fmt: skip
    assert applies(at, record_of(gun, weapon, (19.0, 20.0)), gun, coming).holds
    assert not applies(at, record_of(gun, weapon, (22.0, 20.0)), gun, coming).holds


def by_piece(climb: Climb) -> tuple[str, float, float]:
    """By the piece that is crossed, then from west to east and from south to north."""
    return climb.by, round(climb.at[0], 2), round(climb.at[1], 2)


@given(st.integers(0, 10**6), *[st.integers(0, 40)] * 4)
def test_to_and_fro_crosses_the_same_walls(seed: int, x0: int, y0: int, x1: int, y1: int) -> None:
    """F8.6: every place lies on the move, and going back crosses what was crossed there."""
    doc = boards.lattice_board(seed)
    doc["unit"].append(TANK | {"id": "TT", "at": [0, 0]})
    at = boards.scene_of(doc)
    tank, start, end = at.board.unit("TT"), (float(x0), float(y0)), (float(x1), float(y1))
    line = Straight.between((x0 * GRID, y0 * GRID), (x1 * GRID, y1 * GRID))
    walls = [piece for piece in at.board.terrain if piece.kind.id in ("wall", "bocage")]
    assume(all(0 not in line.sides(wall.line) for wall in walls))
    there, back = climbs(at, Move(tank, start, end)), climbs(at, Move(tank, end, start))
    one, other = ([c for c in found if c.at not in (start, end)] for found in (there, back[::-1]))
    assert sorted(c.by for c in one) == sorted(c.by for c in other)
    for climb, again in zip(sorted(one, key=by_piece), sorted(other, key=by_piece), strict=True):
        assert climb.at == pytest.approx(again.at, abs=2 / GRID)
    for climb in there:
        assert min(x0, x1) <= climb.at[0] <= max(x0, x1)
        assert min(y0, y1) <= climb.at[1] <= max(y0, y1)
