"""Candidate places of a zone: on the grid, along crest lines and walls, at wood edges, on the floors of houses."""

from __future__ import annotations

from typing import Any

import boards
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.board.board import Board
from minis.board.geometry import locate
from minis.board.units import Unit
from minis.errors import BadInput
from minis.plan.spots import overlap, pieces_through, place_unit, spots_in, zone_named
from minis.sight.cover import hull_down_places
from minis.sight.scene import Scene
from minis.sight.standing import stand

ZONE = {"id": "zone", "box": [0, 0, 20, 20]}
LANE = {"id": "lane", "line": [[35, 0], [35, 20]]}
TANK = {"id": "T", "side": "axis", "kind": "vehicle", "base": [2, 1], "at": [39, 19], "facing": 45}
SQUAD = {"id": "T", "side": "axis", "kind": "infantry", "base": [1, 1], "at": [39, 19]}


def board_of(unit: dict[str, Any], *terrain: dict[str, Any], zone: dict[str, Any] = ZONE, lanes: bool = True) -> Board:
    """A table of 40" by 20" with a zone in its west, and a lane in its east."""
    doc = {"table": {"width": 40, "depth": 20}, "terrain": list(terrain), "zone": [zone], "unit": [unit]}
    return boards.board_of_doc(doc | ({"lane": [LANE]} if lanes else {}))


def spots(board: Board, step: float = 2.0, **more: Any) -> list[Unit]:
    """The candidate places of the unit."""
    return spots_in(board, board.zones[0], board.unit("T"), step, **more)


def test_an_open_zone_is_a_grid() -> None:
    """The middles of cells of 2 inches, each once, the unit facing the middle of the lane."""
    found = spots(board_of(TANK))
    assert len(found) == 100
    assert {(spot.at[0] % 16000, spot.at[1] % 16000) for spot in found} == {(8000, 8000)}
    level = next(spot for spot in found if spot.at == (8000, 72000))
    assert level.facing == pytest.approx(88.315, abs=0.001)
    assert level.turret == level.facing


def test_without_lanes_a_unit_keeps_its_facing() -> None:
    """Nothing to face: as the scenario has it; or toward the places that are named."""
    assert {spot.facing for spot in spots(board_of(TANK, lanes=False))} == {45.0}
    (one,) = {
        spot.facing
        for spot in spots(board_of(TANK), toward=[(10**7, 80000)])
        if spot.at[1] == 72000 and spot.at[0] == 8000
    }
    assert one == pytest.approx(90, abs=0.1)


def test_a_narrow_zone_has_a_place_all_the_same() -> None:
    """A zone smaller than the step: its middle."""
    (spot,) = spots(board_of(TANK, zone={"id": "zone", "box": [4, 4, 5, 4.5]}))
    assert spot.at == (36000, 34000)


def test_a_vehicle_at_the_crest_is_hull_down() -> None:
    """S9.2: along the rim that it faces it touches it with its front, from behind: hull down (II)."""
    board = board_of(TANK, {"id": "hill", "kind": "hill", "level": 1, "box": [5, 5, 15, 15]})
    scene = Scene(board)
    down = [spot for spot in spots(board) if any(at.state == "II" for at in hull_down_places(scene, spot))]
    rim = [spot for spot in down if stand(board, spot).level == 1]
    assert len([spot for spot in rim if spot.at[0] > 13 * 8000]) >= 5


def test_a_squad_behind_a_wall_touches_it() -> None:
    """On the side away from the lane, as far apart as the step."""
    board = board_of(SQUAD, {"id": "wall", "kind": "wall", "line": [[10, 2], [10, 12]]})
    behind = [spot for spot in spots(board) if "wall" in stand(board, spot).touching]
    assert len(behind) == 5
    assert all(spot.at[0] < 10 * 8000 for spot in behind)


def test_the_edge_of_a_wood_from_inside() -> None:
    """All around it, inside, touching the edge."""
    board = board_of(SQUAD, {"id": "wood", "kind": "woods", "box": [6, 6, 14, 14]})
    edge = [spot for spot in spots(board) if {"wood"} <= stand(board, spot).inside & stand(board, spot).touching]
    assert len(edge) == 16
    assert {spot.at[0] < 80000 for spot in edge} == {True, False}


def test_windows_on_each_floor() -> None:
    """A squad on both floors of a house and not on its roof, a gun on the ground floor, a vehicle on none."""
    house = {"id": "house", "kind": "building", "storeys": 2, "box": [6, 6, 14, 14]}
    inside = [spot for spot in spots(board_of(SQUAD, house)) if spot.storey is not None]
    assert {spot.storey for spot in inside} == {0, 1}
    assert all(
        locate(spot.at, [((48000, 48000), (112000, 48000), (112000, 112000), (48000, 112000))]) > 0 for spot in inside
    )
    guns = spots(board_of(SQUAD | {"kind": "gun"}, house))
    assert {spot.storey for spot in guns} == {0, None}
    assert {spot.storey for spot in spots(board_of(TANK, house))} == {None}


def test_no_place_where_somebody_stands() -> None:
    """A base in that of another unit is no place; beside it there is one."""
    doc = {"table": {"width": 40, "depth": 20}, "zone": [{"id": "zone", "box": [0, 0, 6, 2]}]}
    other = {"id": "O", "side": "axis", "kind": "vehicle", "base": [2, 2], "at": [3, 1]}
    board = boards.board_of_doc(doc | {"unit": [SQUAD, other]})
    assert [spot.at[0] for spot in spots(board)] == [8000, 40000]


def test_a_step_of_nothing_is_bad_input() -> None:
    """As are negative ones; and a zone that is not there names those that are."""
    board = board_of(TANK)
    for step in (0.0, -1.0):
        with pytest.raises(BadInput, match="step"):
            spots(board, step)
    with pytest.raises(BadInput, match="zone"):
        zone_named(board, "zoen")
    assert zone_named(board, "zone") is board.zones[0]


def test_bases_that_touch_do_not_overlap() -> None:
    """To the touch tolerance; two on different floors never do."""
    board = board_of(SQUAD)
    squad = board.unit("T")
    at = place_unit(squad, (80000, 80000), 0.0)
    assert not overlap(board, at, place_unit(squad, (88000, 80000), 0.0))
    assert overlap(board, at, place_unit(squad, (87000, 80000), 0.0))
    assert not overlap(board, place_unit(squad, (80000, 80000), 0.0, 1), at)


@given(st.integers(0, 10_000), st.floats(1.5, 6))
@settings(max_examples=8)
def test_every_candidate_may_stand_where_it_is(seed: int, step: float) -> None:
    """In the zone, on the table, across no wall and no edge of a building, in no other base, and each place once."""
    doc = boards.rough_board(seed)
    doc["zone"] = [{"id": "zone", "outline": [[10, 10], [60, 20], [40, 70]]}]
    doc["unit"] = [unit for unit in doc["unit"] if "storey" not in unit and not unit.get("roof")]
    doc["unit"].append(SQUAD | {"at": [1, 1]})
    board = boards.board_of_doc(doc)
    found = spots(board, step)
    assert found
    assert len({(spot.at, spot.facing, spot.storey) for spot in found}) == len(found)
    for spot in found:
        assert locate(spot.at, [board.zones[0].ring]) >= 0
        assert 0 <= spot.at[0] <= 80 * 8000
        assert 0 <= spot.at[1] <= 80 * 8000
        assert pieces_through(board, spot) == ()
        assert not any(overlap(board, spot, other) for other in board.units if other.id != "T")
