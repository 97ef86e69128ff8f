"""Lanes and bore sights: who sees what of a lane, by hand and against the reference; spots, and places side by side."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import boards
import pytest
import shapely
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.board.board import Board
from minis.cli.main import cli
from minis.errors import BadInput
from minis.fire.boresight import legal
from minis.fire.exposure import Leg, Stretch, Walk, exposures_on
from minis.fire.refused import Refused
from minis.lengths import GRID
from minis.plan.compare import compare
from minis.plan.course import course_of
from minis.plan.eyes import Eyes
from minis.plan.laid_spots import inside_circle, laid_spots
from minis.plan.lanes import Watched, spent, watched
from minis.plan.spots import place_unit
from minis.plan.stand_ins import armed, stand_in
from minis.sight.line import can_see
from minis.sight.scene import Scene

WEAPON = {"id": "main", "gun": "75", "ammo": ["AP", "HE"]}
GUN = {
    "id": "G", "side": "axis", "kind": "gun", "base": 0, "at": [25, 5], "facing": 327, "nation": "german",
    "weapons": [WEAPON],
}  # fmt: skip
TANK = {"id": "T", "side": "allied", "kind": "vehicle", "armoured": True, "base": 0, "at": [39, 1]}
HOUSE = {"id": "house", "kind": "building", "box": [0, 10, 20, 11]}
LANE = {"id": "lane", "side": "allied", "line": [[0, 15], [40, 15]]}


def board_of(
    *units: dict[str, Any], lane: dict[str, Any] = LANE, terrain: tuple[dict[str, Any], ...] = (HOUSE,)
) -> Board:
    """A table of 40" by 20" with a lane along it, and a house along its west."""
    table = {"width": 40, "depth": 20}
    return boards.board_of_doc({"table": table, "terrain": list(terrain), "lane": [lane], "unit": list(units)})


def walk(board: Board, target: str = "T", *watchers: str) -> Watched:
    """The first lane of a table, walked by a target before some watchers, else before all armed enemies."""
    mover = stand_in(board, target)
    units = [board.unit(name) for name in watchers] or armed(board, against="allied")
    return watched(Eyes.without(board, {mover.id}), board.lanes[0], mover, units)


def ends(found: tuple[Stretch, ...]) -> list[tuple[float, float]]:
    """Where stretches begin and end."""
    return [(stretch.start_in, stretch.end_in) for stretch in found]


# --- by hand ---------------------------------------------------------------------------------------------------------


def test_a_lane_comes_out_from_behind_a_house() -> None:
    """The line from (25, 5) leaves the corner (20, 11) at x = 16 2/3: in sight from the next 1/16 inch on."""
    found = walk(board_of(GUN, TANK))
    (watcher,) = found.watchers
    assert ends(watcher.stretches) == [(16.6875, 40.0)]
    assert (watcher.length_in, watcher.mp) == (23.3125, 23.3125 / 2)
    assert watcher.stretches[0].start == (16.6875, 15.0)
    assert (ends(found.seen), ends(found.unseen)) == ([(16.6875, 40.0)], [(0.0, 16.6875)])
    assert found.share == 23.3125 / 40


def test_the_shot_at_the_middle_of_a_stretch() -> None:
    """F4.1: at 18 1/2 the tank has spent 0.9 MP in sight, Case J2: TH# 10 at 6 hexes less 4: 15/36."""
    found = walk(board_of(GUN, TANK, lane=LANE | {"line": [[0, 15], [20, 15]]}))
    (exposed,) = found.watchers[0].exposed
    assert (exposed.along_in, exposed.at, exposed.mp, exposed.case) == (18.5, (18.5, 15.0), 0.90625, "J2")
    assert exposed.distance_in == pytest.approx(math.dist((25, 5), (18.5, 15)))
    assert (exposed.sight, exposed.hit) == (1, Fraction(15, 36))


def test_a_lane_that_begins_in_sight_has_plain_case_j() -> None:
    """C6.15: neither J1 nor J2 where it was in sight from its start: TH# 10 less 2."""
    found = walk(board_of(GUN | {"facing": 0}, TANK, lane=LANE | {"line": [[24, 15], [26, 15]]}))
    (exposed,) = found.watchers[0].exposed
    assert (exposed.case, exposed.hit) == ("J", Fraction(26, 36))


def test_mp_in_sight_count_from_the_last_gap_of_more_than_a_hex() -> None:
    """F4.1: a gap of 2 inches does not break the continuous sight, one of more does."""
    board = board_of(GUN, TANK)

    def stretch(start: float, end: float) -> Stretch:
        return Stretch(start, end, (start, 15.0), (end, 15.0))

    assert spent(board, [stretch(4, 8), stretch(10, 16)], 12.0) == (3.0, False)
    assert spent(board, [stretch(4, 8), stretch(10.5, 16)], 12.5) == (1.0, False)
    assert spent(board, [stretch(0, 8), stretch(10, 16)], 12.0) == (5.0, True)


def test_a_lane_in_nobodys_sight() -> None:
    """Behind a house as long as the lane nothing is in sight, and all of it is told."""
    house = HOUSE | {"box": [-5, 10, 45, 11]}
    found = walk(board_of(GUN, TANK, terrain=(house,)))
    assert found.watchers[0].stretches == ()
    assert (found.share, ends(found.unseen)) == (0.0, [(0.0, 40.0)])


def test_no_watchers_at_all() -> None:
    """A lane without an armed enemy is in nobody's sight."""
    found = walk(board_of(TANK))
    assert (found.watchers, found.share, ends(found.unseen)) == ((), 0.0, [(0.0, 40.0)])


def test_a_lane_with_a_width_is_seen_where_any_file_is() -> None:
    """A hut hides the middle of the lane; its edges, an inch to each side, are seen past it up to x = 15."""
    hut = {"id": "hut", "kind": "building", "box": [10, 14.5, 11, 15.5]}
    lane = {"id": "lane", "side": "allied", "line": [[12, 15], [30, 15]]}
    gun = GUN | {"at": [5, 15], "facing": 90}
    assert walk(board_of(gun, TANK, lane=lane, terrain=(hut,))).share == 0
    wide = walk(board_of(gun, TANK, lane=lane | {"width": 2}, terrain=(hut,)))
    assert ends(wide.seen) == [(0.0, 2.9375)]
    assert wide.watchers[0].exposed[0].distance_in > 7


def files_on(lane: dict[str, Any]) -> dict[float, tuple[Leg, ...]]:
    """The legs of each file of a lane by its share of the reach to the left."""
    board = board_of(GUN, lane={"id": "lane", **lane})
    course = course_of(board, board.lanes[0])
    return dict(zip(course.shares, course.files, strict=True))


def test_files_of_a_bend_are_mitred_and_stay_on_the_table() -> None:
    """A right angle: the outer file turns at the outer corner; an edge off the table is kept on it."""
    files = files_on({"line": [[10, 10], [20, 10], [20, 20]], "width": 4})
    assert list(files) == [0, 0.5, -0.5, 1, -1]
    assert [leg[1] for leg in files[0]] == [(20, 10), (20, 20)]
    assert files[1] == (((10, 12), (18, 12)), ((18, 12), (18, 20)))
    assert files[-0.5] == (((10, 9), (21, 9)), ((21, 9), (21, 20)))
    assert files[-1] == (((10, 8), (22, 8)), ((22, 8), (22, 20)))
    assert files_on({"line": [[0, 0.5], [10, 0.5]], "width": 4})[-1] == (((0, 0), (10, 0)),)
    assert files_on({"line": [[39.5, 0], [39.5, 9]], "width": 4})[-1] == (((40, 0), (40, 9)),)
    assert files_on({"line": [[5, 5], [10, 5], [5, 5]], "width": 2})[1][0] == ((5, 6), (10, 5))


def test_what_is_narrow_is_not_missed_between_the_middle_and_the_edge() -> None:
    """Through a narrow slot a gun sees neither the middle nor an edge, but the file 2 inches right of the middle."""
    slot = [
        {"id": name, "kind": "building", "box": [10, low, 11, high]}
        for name, low, high in (("a", 0, 12.8), ("b", 13.2, 20))
    ]
    lane = {"id": "lane", "side": "allied", "line": [[24, 15], [30, 15]]}
    gun = GUN | {"at": [5, 13], "facing": 90}
    assert walk(board_of(gun, TANK, lane=lane | {"width": 2}, terrain=tuple(slot))).share == 0
    wide = walk(board_of(gun, TANK, lane=lane | {"width": 8}, terrain=tuple(slot)))
    assert (wide.share, wide.files) == (1, 9)
    assert wide.watchers[0].exposed[0].distance_in == 22


# --- a lane with an area ---------------------------------------------------------------------------------------------


def reaches(area: list[list[float]], *along: float, line: tuple[tuple[float, float], ...] = ((5, 10), (25, 10))) -> Any:
    """How far a lane with an area goes to the left and right of places of its line."""
    board = board_of(GUN, lane={"id": "lane", "line": [list(place) for place in line], "area": area})
    course = course_of(board, board.lanes[0])
    return [tuple(round(far, 9) for far in course.reach(course.spot_at(place))) for place in along]


def test_an_area_leaves_its_own_breadth_at_each_place() -> None:
    """A wedge above the line and a strip below: 2 to 6 inches to the left, 3 to the right everywhere."""
    assert reaches([[5, 7], [25, 7], [25, 16], [5, 12]], 0, 10, 20) == [(2, 3), (4, 3), (6, 3)]


def test_an_area_is_left_where_its_edge_is_first_crossed() -> None:
    """Ground beyond a notch is not reached across it; where a corner only touches the way across, it goes on."""
    notched = [[5, 7], [25, 7], [25, 16], [16, 16], [16, 14], [20, 14], [20, 13], [10, 13], [10, 16], [5, 16]]
    assert reaches(notched, 2, 12, 18) == [(6, 3), (3, 3), (6, 3)]
    touched = [[5, 7], [25, 7], [25, 16], [5, 16], [5, 13], [15, 12], [5, 11]]
    assert reaches(touched, 10) == [(6, 3)]


def test_a_line_may_run_along_the_edge_of_its_area() -> None:
    """Then there is nothing on that side of it, and the other side has the files."""
    board = board_of(
        GUN, lane={"id": "lane", "line": [[5, 10], [25, 10]], "area": [[5, 10], [25, 10], [25, 12], [5, 12]]}
    )
    assert course_of(board, board.lanes[0]).shares == (0, 0.5, 1)


def test_an_area_over_the_edge_of_the_table_ends_there() -> None:
    """Nobody comes along beside the table."""
    assert reaches([[0, -5], [30, -5], [30, 30], [0, 30]], 4) == [(10, 10)]


def test_files_of_an_area_keep_their_share_of_it() -> None:
    """In a wedge of 2 to 6 inches six files lie left of the line; the third goes from 1 to 3 inches beside it."""
    files = files_on({"line": [[5, 10], [25, 10]], "area": [[5, 10], [25, 10], [25, 16], [5, 12]]})
    assert list(files) == [0, *(pytest.approx(k / 6) for k in range(1, 7))]
    third = files[0.5]
    assert (third[0][0], third[-1][1]) == ((5, 11), (25, 13))


def test_at_a_bend_an_area_is_measured_along_the_bisector() -> None:
    """A right angle in a square: at the corner of the line it goes to the corners of the square."""
    board = board_of(
        GUN, lane={"id": "l", "line": [[6, 10], [10, 10], [10, 14]], "area": [[6, 6], [14, 6], [14, 14], [6, 14]]}
    )
    course = course_of(board, board.lanes[0])
    assert [course.place((0, 4.0), course.shares.index(edge)) for edge in (1, -1)] == [(6, 14), (14, 6)]
    assert course.place((1, 4.0), course.shares.index(-1)) == (14, 14)


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_every_place_of_a_file_is_in_the_area(seed: int) -> None:
    """Areas like stars around a bent line: each spot of a file lies in them, to a grid step, the last on their edge."""
    rng = random.Random(seed)
    centre, line = (20.0, 10.0), [[18, 9], [20, 11], [22, 9.5]]
    turns = [(k + rng.random() * 0.9) / 12 * 2 * math.pi for k in range(12)]
    ring = [
        [centre[0] + far * math.cos(t), centre[1] + far * math.sin(t)] for t in turns for far in [rng.uniform(4, 9.5)]
    ]
    board = board_of(GUN, lane={"id": "lane", "line": line, "area": ring})
    course = course_of(board, board.lanes[0])
    area = shapely.Polygon(board.lanes[0].area)
    assert area.covers(shapely.LineString(board.lanes[0].line))
    for spot in course.spots(0.5):
        for number, share in enumerate(course.shares):
            place = shapely.Point([value * GRID for value in course.place(spot, number)])
            assert area.distance(place) < 1
            if abs(share) == 1:
                assert area.exterior.distance(place) < 1


def test_a_house_hides_one_half_of_an_area() -> None:
    """South of a long house the lane is in sight, with an area to its north too; a lane of that half alone is not."""
    house = {"id": "house", "kind": "building", "storeys": 3, "box": [4, 10.2, 36, 10.4]}
    gun = GUN | {"at": [20, 2], "facing": 0}
    lane = {
        "id": "lane",
        "side": "allied",
        "line": [[10, 10], [30, 10]],
        "area": [[10, 6], [30, 6], [30, 14], [10, 14]],
    }
    whole = walk(board_of(gun, TANK, lane=lane, terrain=(house,)))
    assert (whole.share, whole.files) == (1, 9)
    north = lane | {"line": [[10, 12], [30, 12]], "area": [[10, 11], [30, 11], [30, 14], [10, 14]]}
    assert walk(board_of(gun, TANK, lane=north, terrain=(house,))).share == 0


def test_a_house_rule_sets_how_far_apart_files_are() -> None:
    """A step of 2 inches halves the files; none at all is told."""
    board = board_of(GUN, TANK, lane=LANE | {"width": 8})
    assert len(course_of(with_step(board, 2.0), board.lanes[0]).shares) == 5
    with pytest.raises(BadInput, match="more than 0 inches, not 0"):
        course_of(with_step(board, 0.0), board.lanes[0])


def with_step(board: Board, step: float) -> Board:
    """The table under another step between files."""
    table = board.rules.tables["plan"]
    rows = tuple(row.model_copy(update={"value": step}) if row.id == "lane-file-step" else row for row in table.rows)
    return replace(board, rules=replace(board.rules, tables={**board.rules.tables, "plan": replace(table, rows=rows)}))


def test_a_watcher_without_a_weapon_sees_and_does_not_shoot() -> None:
    """A squad that is named watches as well."""
    squad = {"id": "S", "side": "axis", "kind": "infantry", "at": [25, 5]}
    (watcher,) = walk(board_of(squad, TANK), "T", "S").watchers
    assert watcher.exposed[0].shot is None
    assert (watcher.exposed[0].hit, watcher.exposed[0].case) == (0, None)


# --- against the reference -------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000))
@settings(max_examples=8)
def test_each_place_of_a_lane_is_seen_as_the_reference_sees_it(seed: int) -> None:
    """Every half inch of a lane across a random board, and both ends of every stretch, by `can_see`."""
    doc = boards.rough_board(seed) | {"lane": [{"id": "lane", "line": [[3, 5], [40, 37], [70, 41.5]]}]}
    scene = boards.scene_of(doc)
    watcher = scene.board.units[seed % len(scene.board.units)]
    mover = stand_in(scene.board, "vehicle")
    course = course_of(scene.board, scene.board.lanes[0])
    (found,) = watched(Eyes(scene), scene.board.lanes[0], mover, [watcher]).watchers
    for spot in course.spots(0.5):
        along = course.along(spot)
        inside = any(stretch.start_in <= along <= stretch.end_in for stretch in found.stretches)
        if spot[1] not in (0.0, math.dist(*course.legs[spot[0]])):  # at a corner it stands in two ways
            assert inside == can_see(scene, watcher, course.unit_at(mover, spot)), along


@given(st.integers(0, 10_000))
@settings(max_examples=8)
def test_stretches_are_those_of_an_exposure(seed: int) -> None:
    """The same changes of sight as `minis exposure` finds in the same steps, to 1/16 inch."""
    doc = boards.rough_board(seed) | {"lane": [{"id": "lane", "line": [[2, 30], [78, 44]]}]}
    scene = boards.scene_of(doc)
    watcher = scene.board.units[seed % len(scene.board.units)]
    mover = stand_in(scene.board, "vehicle")
    lane = scene.board.lanes[0]
    (found,) = watched(Eyes(scene), lane, mover, [watcher]).watchers
    (expected,) = exposures_on(Walk(scene, mover, course_of(scene.board, lane).legs), [watcher], 0.5)
    marks = [end for stretch in found.stretches for end in (stretch.start_in, stretch.end_in)]
    for stretch in expected.stretches:
        for end in (stretch.start_in, stretch.end_in):
            assert min(abs(mark - end) for mark in marks) <= 1 / 16 + 1e-9


@given(st.integers(0, 10_000), st.integers(1, 7), st.integers(1, 7))
@settings(max_examples=6)
def test_a_shifted_table_has_the_same_lane(seed: int, east: int, north: int) -> None:
    """S5.4: the inches along a lane do not know where the table's origin is."""
    doc = boards.lattice_board(seed) | {"lane": [{"id": "lane", "line": [[1, 9], [33, 9]]}]}
    found = []
    for dx, dy in ((0, 0), (east, north)):
        moved = shifted(doc, dx, dy) | {"table": {"width": 50, "depth": 50}}
        scene = boards.scene_of(moved)
        units = list(scene.board.units)
        found.append(watched(Eyes(scene), scene.board.lanes[0], stand_in(scene.board, "vehicle"), units))
    for one, other in zip(*(watch.watchers for watch in found), strict=True):
        assert ends(one.stretches) == ends(other.stretches)
        assert [exposed.sight for exposed in one.exposed] == [exposed.sight for exposed in other.exposed]


def shifted(value: Any, dx: float, dy: float, key: str = "") -> Any:
    """A scenario with everything on it moved."""
    if key == "box":
        return [value[0] + dx, value[1] + dy, value[2] + dx, value[3] + dy]
    if key in ("at", "centre"):
        return [value[0] + dx, value[1] + dy]
    if key in ("outline", "line"):
        return [[x + dx, y + dy] for x, y in value]
    if key == "holes":
        return [[[x + dx, y + dy] for x, y in ring] for ring in value]
    if isinstance(value, dict):
        return {name: shifted(item, dx, dy, name) for name, item in value.items()}
    return [shifted(item, dx, dy) for item in value] if isinstance(value, list) and key != "base" else value


# --- bore sights -----------------------------------------------------------------------------------------------------


def test_the_best_spot_lies_on_the_lane() -> None:
    """A circle of an inch on the lane holds 2 inches of it; the bore sight is worth 2 on the dice there."""
    board = board_of(GUN | {"facing": 0}, TANK)
    spots = laid_spots(Scene(board), board.unit("G"), board.lanes, stand_in(board, "T"), top=4).spots
    assert len(spots) == 4
    for spot in spots:
        assert spot.at[1] == 15.0
        assert spot.length_in == pytest.approx(2.0)
        assert not legal(Scene(board), board.unit("G"), board.unit("G").weapons[0], spot.at)
    worth = [round(spot.worth, 6) for spot in spots]
    assert worth == sorted(worth, reverse=True)
    every = laid_spots(Scene(board), board.unit("G"), board.lanes, stand_in(board, "T"), top=1000).spots
    assert every[:4] == spots
    ahead = next(spot for spot in every if spot.at == (23.0, 15.0))
    assert (ahead.range_hexes, ahead.bare, ahead.laid) == (6, Fraction(26, 36), Fraction(33, 36))


def test_no_spot_out_of_sight_or_too_far() -> None:
    """F7: all of a list are in the line of sight and within 16 hexes, and there are never more than asked for."""
    board = board_of(GUN | {"facing": 0, "at": [6, 5]}, TANK)
    spots = laid_spots(Scene(board), board.unit("G"), board.lanes, stand_in(board, "T"), top=1000).spots
    assert spots
    assert all(spot.range_hexes <= 16 and spot.at[0] > 29 for spot in spots)
    assert len(laid_spots(Scene(board), board.unit("G"), board.lanes, stand_in(board, "T"), top=1).spots) == 1


def test_a_vehicle_on_a_spot_hides_nothing_of_it() -> None:
    """F7: where a truck stands on the lane the ground under it may still be laid on."""
    truck = {"id": "truck", "side": "allied", "kind": "vehicle", "base": [3, 2], "at": [25, 15]}
    board = board_of(GUN | {"facing": 0}, TANK, truck)
    spots = laid_spots(Scene(board), board.unit("G"), board.lanes, stand_in(board, "T"), top=1000).spots
    assert any(spot.at == (25.0, 15.0) for spot in spots)


def test_a_weapon_that_may_not_be_laid_is_refused() -> None:
    """C6.41: no bore sight for an LMG."""
    board = board_of(GUN | {"weapons": [WEAPON | {"gun": "LMG", "ammo": []}]}, TANK)
    with pytest.raises(Refused) as caught:
        laid_spots(Scene(board), board.unit("G"), board.lanes, stand_in(board, "T"), top=3)
    assert caught.value.rule == "C6.41"
    with pytest.raises(BadInput):
        laid_spots(Scene(board), board.unit("G"), board.lanes, stand_in(board, "T"), top=0)


@given(st.integers(-30, 30), st.integers(-30, 30), st.integers(-30, 30), st.integers(-30, 30))
def test_what_of_a_segment_lies_in_a_circle(ax: int, ay: int, bx: int, by: int) -> None:
    """Walked in a thousand steps, as many are in the circle as the share says."""
    a, b, centre, radius = (ax / 8, ay / 8), (bx / 8, by / 8), (0.3, -0.2), 1.7
    low, high = inside_circle(a, b, centre, radius)
    steps = [(a[0] + (b[0] - a[0]) * k / 1000, a[1] + (b[1] - a[1]) * k / 1000) for k in range(1001)]
    count = sum(math.dist(place, centre) < radius for place in steps) if a != b else 0
    assert abs((high - low) * 1000 - count) <= 2


# --- side by side ----------------------------------------------------------------------------------------------------


def test_places_side_by_side_are_those_of_field_and_lane() -> None:
    """From behind the house less is seen; where the unit stands the numbers are those of `lane`."""
    board = board_of(GUN, TANK)
    gun = board.unit("G")
    places = [gun, place_unit(gun, (40000, 40000), 0.0)]
    here, there = compare(board, places, board.lanes, stand_in(board, "T")).results
    assert here.lanes[0].watchers[0].stretches == walk(board).watchers[0].stretches
    assert there.lanes[0].share < here.lanes[0].share
    assert there.field.area < here.field.area


def test_what_stands_at_a_place_is_taken_off_it() -> None:
    """A truck whose place is compared does not hide the table from the gun that would stand there."""
    truck = {"id": "truck", "side": "axis", "kind": "vehicle", "base": [3, 2], "at": [30, 5]}
    board = board_of(GUN, TANK, truck)
    place = place_unit(board.unit("G"), board.unit("truck").at, 0.0)
    (found,) = compare(board, [place], board.lanes, stand_in(board, "T"), without=["truck"]).results
    assert found.field.area > 400
    assert "truck" not in {dead.obstacle for dead in found.field.dead}


# --- minis plan ------------------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A scenario file with a house, a lane, a gun and a tank."""
    text = """[table]
width = 40
depth = 20
[[terrain]]
id = "house"
kind = "building"
box = [0, 10, 20, 11]
[[lane]]
id = "lane"
side = "allied"
line = [[0, 15], [40, 15]]
[[unit]]
id = "G"
side = "axis"
kind = "gun"
base = 0
at = [25, 5]
facing = 327
nation = "german"
weapons = [{ id = "main", gun = "75", ammo = ["AP", "HE"] }]
[[unit]]
id = "L"
side = "axis"
kind = "infantry"
at = [2, 8.5]
weapons = [{ id = "main", gun = "LMG" }]
[[unit]]
id = "T"
side = "allied"
kind = "vehicle"
armoured = true
base = 0
at = [39, 1]
"""
    found = tmp_path / "s.toml"
    found.write_text(text, encoding="utf-8")
    return found


def run(*args: object) -> tuple[int, str]:
    """The exit status and all that is printed."""
    result = CliRunner().invoke(cli, ["plan", *[str(arg) for arg in args]])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_lane_says_the_same_in_text_and_json(path: Path) -> None:
    """The share first, then who sees it from where, and who does not."""
    code, text = run("lane", "--target", "T", "-g", path)
    assert code == 0
    assert text.startswith('lane: T is in sight on 23.31" of 40" (58 %), of 1 of 2 units.')
    assert 'G: first at 16.69", 16.69, 15;' in text
    assert "not seen by   L" in text
    (answer,) = json.loads(run("lane", "lane", "--target", "T", "-g", path, "--json")[1])["lanes"]
    assert answer["in_nobodys_sight"] == [
        {"from_in": 0.0, "to_in": 16.6875, "from": [0.0, 15.0], "to": [16.6875, 15.0]}
    ]
    gun = next(watcher for watcher in answer["watchers"] if watcher["unit"] == "G")
    assert gun["stretches"][0]["middle"]["case"] == "J"
    assert gun["first"] == {"along_in": 16.6875, "at": [16.6875, 15.0]}


def test_lane_takes_those_who_watch(path: Path) -> None:
    """--from names them; a mere vehicle walks where nothing is said."""
    (answer,) = json.loads(run("lane", "--from", "G", "-g", path, "--json")[1])["lanes"]
    assert answer["target"] == "vehicle"
    assert [watcher["unit"] for watcher in answer["watchers"]] == ["G"]


def test_boresight_lists_no_more_than_asked_for(path: Path) -> None:
    """--top, and the gain of each spot as text and as data."""
    code, text = run("boresight", "G", "--top", "2", "-g", path)
    assert code == 0
    assert text.startswith("G: best laid on ")
    spots = json.loads(run("boresight", "G", "--top", "2", "-g", path, "--json")[1])["spots"]
    assert len(spots) == 2
    assert all(Fraction(spot["hit_bore_sighted"]) > Fraction(spot["hit"]) for spot in spots)


def test_compare_has_a_column_for_each_place(path: Path) -> None:
    """Places typed and units named, in their order."""
    code, text = run("compare", "G", "5,5,0", "T", "--weapon", "G", "-g", path)
    assert code == 0
    assert text.splitlines()[1].split() == ["G", "5,5,0", "T"]
    places = json.loads(run("compare", "G", "5,5,0", "T", "--weapon", "G", "-g", path, "--json")[1])["places"]
    assert [place["name"] for place in places] == ["G", "5,5,0", "T"]
    assert [place["field"]["place"]["at"] for place in places] == [[25.0, 5.0], [5.0, 5.0], [39.0, 1.0]]
    assert places[0]["lanes"][0]["in_sight"]


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["lane", "x"], 2, "no lane 'x'"),
        (["lane", "--from", "x"], 2, "no unit 'x'"),
        (["lane", "--from", "T", "--target", "T"], 2, "both"),
        (["boresight", "L"], 1, "C6.41"),
        (["boresight", "G", "--lane", "x"], 2, "no lane 'x'"),
        (["boresight", "G", "--top", "0"], 2, "--top"),
        (["boresight", "G", "--target", "G"], 2, "both"),
        (["compare", "1,2", "99,2", "--weapon", "G"], 2, "off the table"),
        (["compare", "x", "--weapon", "G"], 2, "no unit 'x'"),
        (["compare", "1,2", "--weapon", "G", "--target", "G"], 2, "both"),
    ],
)
def test_what_the_commands_cannot_use(args: list[str], code: int, words: str, path: Path) -> None:
    """Bad input ends with 2, what the rules refuse with 1, each with a message."""
    found, text = run(*args, "-g", path)
    assert found == code
    assert words in text


def test_a_token_is_not_asked_about(path: Path) -> None:
    """S11.5: a side that knows only a token is refused, whether it stands for the firer, who watches or the target."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("at = [39, 1]", 'at = [39, 1]\ntoken = "A1"'), encoding="utf-8")
    for args in (
        ["field", "A1"],
        ["field", "G", "--target", "A1"],
        ["boresight", "A1"],
        ["compare", "1,1", "--weapon", "A1"],
    ):
        code, words = run(*args, "-g", path, "--as", "axis")
        assert code == 1, words
        assert "S11.5" in words


def test_a_table_without_lanes(path: Path) -> None:
    """A lane is asked for in words that say how to draw one; places are compared all the same."""
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("[[lane]]", "[[zone]]").replace("line = [[0, 15], [40, 15]]", "box = [0, 0, 4, 4]"),
        encoding="utf-8",
    )
    assert "[[lane]]" in run("lane", "-g", path)[1]
    assert run("compare", "G", "--weapon", "G", "-g", path)[0] == 0
