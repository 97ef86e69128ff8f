"""A unit's move as its enemies see it: exposure to many watchers at once, and the token that comes near (F4, S10.2)."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import boards
import pytest
from boards import Doc
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.board import read_board
from minis.board.geometry import base_to_base
from minis.board.units import Unit
from minis.errors import BadInput
from minis.fire.exposure import Exposure, exposure
from minis.fire.passage import Passage, Reveal, first_reveal, is_in_the_open, passage
from minis.lengths import EPSILON_IN, GRID
from minis.rules import examples_folder
from minis.sight.attempt import attempt
from minis.sight.line import can_see
from minis.sight.scene import Scene

Place = tuple[float, float]
MAKERS = (boards.lattice_board, boards.rough_board)
docs = st.builds(lambda make, seed: make(seed), st.sampled_from(MAKERS), st.integers(0, 10**6))


def stepped(scene: Scene, step: float, row_id: str = "move-step") -> Scene:
    """The same scene under rules with another step of the walk."""
    rules = scene.board.rules
    table = rules.tables["fire"]
    rows = tuple(row.model_copy(update={"value": step}) if row.id == row_id else row for row in table.rows)
    changed = replace(rules, tables={**rules.tables, "fire": replace(table, rows=rows)})
    return Scene(replace(scene.board, rules=changed))


def some_path(scene: Scene, mover: Unit, seed: int, *, legs: int, reach: float) -> list[Place]:
    """Way points near a unit, each so far from the one before, on the table."""
    rng = random.Random(seed)
    x, y = mover.at[0] / GRID, mover.at[1] / GRID
    path = []
    for _ in range(legs):
        turn = rng.random() * math.tau
        x = min(max(x + reach * math.cos(turn), 0.0), scene.board.width_in)
        y = min(max(y + reach * math.sin(turn), 0.0), scene.board.depth_in)
        path.append((x, y))
    return path


def others(scene: Scene, mover: Unit) -> list[Unit]:
    """All other units of a scene."""
    return [unit for unit in scene.board.units if unit.id != mover.id]


def anew(scene: Scene, unit: Unit) -> Scene:
    """A scene built from nothing, with a unit where it now stands."""
    units = tuple(unit if other.id == unit.id else other for other in scene.board.units)
    return Scene(replace(scene.board, units=units))


def placed(mover: Unit, start: Place, end: Place, along: float, *, reverse: bool = False) -> Unit:
    """A unit on its way from one place to another, on the ground, turned along it or against it."""
    share = along / math.dist(start, end)
    at = tuple(math.floor((a + (b - a) * share) * GRID + 0.5) for a, b in zip(start, end, strict=True))
    ends = [tuple(math.floor(value * GRID + 0.5) for value in place) for place in (start, end)]
    facing = math.degrees(math.atan2(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])) % 360
    facing = (facing + 180) % 360 if reverse else facing
    return replace(mover, at=at, facing=facing, storey=None, roof=False)


# --- exposure to many ------------------------------------------------------------------------------------------------


@given(docs, st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_at_the_fine_step_it_is_exposure_to_each(doc: Doc, seed: int) -> None:
    """F4.1: walked in 1/16 inch, each exposure is what `exposure` says of that watcher; who never sees it has none."""
    scene = stepped(boards.scene_of(doc), 1 / 16)
    mover = scene.board.units[seed % len(scene.board.units)]
    path = some_path(scene, mover, seed, legs=2, reach=1.2)
    watchers = others(scene, mover)
    found = passage(scene, mover, path, watchers, delay_mp=1.0)
    alone = [exposure(scene, mover, watcher, path, delay_mp=1.0) for watcher in watchers]
    assert found.exposures == tuple(sorted((e for e in alone if e.stretches), key=lambda e: e.firer))
    assert set(found.seen_at_end) == {e.firer for e in alone if e.in_sight_at_end}


@pytest.mark.parametrize(
    ("example", "name", "path"),
    [("crossroads", "T4", [(17.15, 31.5), (18.0, 30.0)]), ("villers-bocage", "T-222", [(102.6, 29.4)])],
)
def test_on_a_scenario_it_is_exposure_to_each(example: str, name: str, path: list[Place]) -> None:
    """F4.1: the same on the shipped tables, with their smoke, tokens and passengers."""
    scene = stepped(Scene(read_board(examples_folder() / example / "scenario.toml")), 1 / 16)
    mover = scene.board.unit(name)
    watchers = [unit for unit in scene.board.units if unit.side != mover.side][:9]
    alone = [exposure(scene, mover, watcher, path) for watcher in watchers]
    seen = sorted((e for e in alone if e.stretches), key=lambda e: e.firer)
    assert passage(scene, mover, path, watchers).exposures == tuple(seen)
    assert seen


@given(docs, st.integers(0, 10**6), st.booleans())
@settings(max_examples=20, deadline=None)
def test_each_step_is_what_a_new_scene_says(doc: Doc, seed: int, reverse: bool) -> None:
    """F4.1: at every step of the walk a watcher's stretches hold it exactly where a scene built anew shows it."""
    scene = boards.scene_of(doc)
    mover = scene.board.units[seed % len(scene.board.units)]
    (end,) = some_path(scene, mover, seed, legs=1, reach=4.0)
    start = (mover.at[0] / GRID, mover.at[1] / GRID)
    if math.dist(start, end) < 0.1:
        return
    found = passage(scene, mover, [end], others(scene, mover), reverse=reverse)
    by_id = {e.firer: e.stretches for e in found.exposures}
    for k in range(math.ceil(found.length_in / 0.5) + 1):
        along = min(found.length_in, k * 0.5)
        moved = placed(mover, start, end, along, reverse=reverse)
        fresh = anew(scene, moved)
        for watcher in others(fresh, moved):
            inside = any(s.start_in - EPSILON_IN <= along <= s.end_in + EPSILON_IN for s in by_id.get(watcher.id, ()))
            assert inside is can_see(fresh, watcher, moved), (watcher.id, along)


@given(docs, st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_the_order_of_the_watchers_changes_nothing(doc: Doc, rng: random.Random) -> None:
    """S5.4: in whatever order, and however often, the watchers are named."""
    scene = boards.scene_of(doc)
    mover = scene.board.units[0]
    path = some_path(scene, mover, rng.randrange(10**6), legs=2, reach=1.5)
    watchers = others(scene, mover)
    shuffled = [*rng.sample(watchers, len(watchers)), watchers[0]]
    found = passage(scene, mover, path, watchers)
    assert passage(scene, mover, path, shuffled) == found
    assert first_reveal(scene, found, shuffled) == first_reveal(scene, found, watchers)
    assert [e.firer for e in found.exposures] == sorted(e.firer for e in found.exposures)


def lane(*terrain: Doc, at: Place = (10, 20), unit: Doc | None = None, **more: Any) -> Scene:
    """A gun at 20,0, a spotter at 50,20 and a tank on the lane y = 20: points but for what `unit` says of the tank."""
    tank = {"id": "tank", "side": "allied", "kind": "vehicle", "armoured": True, "base": 0, "at": list(at)}
    units = [
        {"id": "gun", "side": "axis", "kind": "gun", "base": 0, "at": [20, 0]},
        {"id": "eyes", "side": "axis", "kind": "infantry", "base": 0, "at": [50, 20]},
        tank | (unit or {}),
    ]
    return boards.scene_of({"table": {"width": 60, "depth": 40} | more, "terrain": list(terrain), "unit": units})


def house(name: str, left: float, right: float) -> Doc:
    """A house half way between the gun and the lane: it hides from the gun twice its width of the lane."""
    return {"id": name, "kind": "building", "box": [left, 10, right, 10.5]}


def go(scene: Scene, *path: Place, **how: Any) -> Passage:
    """The tank's passage before the gun and the spotter."""
    return passage(scene, scene.board.unit("tank"), path, [scene.board.unit("gun"), scene.board.unit("eyes")], **how)


def to_gun(found: Passage) -> list[Exposure]:
    """The exposure to the gun, where there is one."""
    return [e for e in found.exposures if e.firer == "gun"]


GAP = (house("one", 12, 19.5), house("two", 20.5, 28))
"""Two houses a hand's breadth apart: between them the gun sees the lane for less than two inches at x = 20."""


def test_a_gap_between_two_houses() -> None:
    """F4.1: seen for a moment on the way, by one of two; each edge of the stretch lies between two grid steps."""
    scene = lane(*GAP)
    found = go(scene, (27, 20))
    (seen,) = to_gun(found)
    (stretch,) = seen.stretches
    assert (stretch.start_in, stretch.end_in) == tuple(pytest.approx(10 + d, abs=1 / GRID) for d in (-20 / 21, 20 / 21))
    assert (stretch.length_in < 2, seen.in_sight_at_end, seen.case) == (True, False, None)
    assert found.seen_at_end == ("eyes",)
    tank = scene.board.unit("tank")
    for edge, beyond in ((stretch.start_in, -1), (stretch.end_in, 1)):
        for at_in, wanted in ((edge, True), (edge + beyond / GRID, False)):
            moved = placed(tank, (10, 20), (27, 20), at_in)
            assert can_see(anew(scene, moved), scene.board.unit("gun"), moved) is wanted


def test_who_never_sees_it_is_left_out() -> None:
    """F4.1: on its way behind one house the gun has no exposure, the spotter one."""
    found = go(lane(*GAP), (16, 20))
    assert [e.firer for e in found.exposures] == ["eyes"]


@pytest.mark.parametrize(("step", "seen"), [(0.5, True), (4, False)])
def test_a_glimpse_between_two_steps_may_be_missed(step: float, seen: bool) -> None:
    """F4.1: a stretch shorter than the step of the row `move-step` is found where a step falls into it."""
    assert bool(to_gun(go(stepped(lane(*GAP, at=(18, 20)), step), (26, 20)))) is seen


def test_a_path_bends_round_a_house() -> None:
    """F4.1: behind the house on the first leg, out of it on the second; the places are those along all legs."""
    (seen,) = to_gun(go(lane(house("one", 16, 24), at=(20, 20)), (20, 30), (35, 30)))
    (stretch,) = seen.stretches
    assert stretch.end_in == seen.length_in == 25
    assert stretch.start_in == pytest.approx(22, abs=1 / GRID)
    assert (stretch.end, seen.case) == ((35, 30), "J1")


@pytest.mark.parametrize(("reverse", "facing", "turret"), [(False, 90, 120), (True, 270, 300)])
def test_in_reverse_the_hull_points_against_the_way(reverse: bool, facing: float, turret: float) -> None:
    """D4: it goes east with its front or its rear first; the turret keeps its angle to the hull."""
    scene = lane(unit={"base": [3, 1], "facing": 0, "turret": 30})
    found = go(scene, (14, 24), (20, 24), reverse=reverse)
    assert (found.end.facing, found.end.turret, found.end.at) == (facing, turret, (20 * GRID, 24 * GRID))
    assert (found.reverse, found.mover) == (reverse, scene.board.unit("tank"))


def test_front_over_a_crest_is_on_the_hill_and_rear_over_it_is_not() -> None:
    """S9.3: a tank whose front is just over the crest sees over the rubble; one that backs over it does not."""
    hill = {"id": "hill", "kind": "hill", "level": 1, "box": [5, 0, 16, 40]}
    rubble = {"id": "rubble", "kind": "rubble", "box": [30, 15, 32, 25]}
    scene = lane(hill, rubble, at=(15, 20), unit={"base": [1.5, 1]})
    assert "eyes" in go(scene, (16.2, 20)).seen_at_end
    assert "eyes" not in go(scene, (16.2, 20), reverse=True).seen_at_end


def test_mp_of_the_move_are_spread_over_its_length() -> None:
    """F4.1: of ten inches that cost twenty MP the five in sight are ten MP; by the inches of the table 2 1/2."""
    scene = lane(house("one", 16, 24), at=(23, 20))
    for more, mp in (({}, 2.5), ({"mp": 20}, 10), ({"mp": 20, "delay_mp": 2}, 12), ({"mp": 0, "delay_mp": 2}, 2)):
        (seen,) = to_gun(go(scene, (33, 20), **more))
        assert seen.stretches[0].start_in == pytest.approx(5, abs=1 / GRID)
        assert seen.mp == pytest.approx(mp, abs=3 / GRID), more


def test_a_watcher_farther_than_asked_for_does_not_see() -> None:
    """S1.1: with a greatest distance the spotter sees it from there on; edge to edge, to a grid step."""
    scene = lane(unit={"base": [3, 1]})
    (seen,) = [e for e in go(scene, (40, 20), within_in=20).exposures if e.firer == "eyes"]
    assert [(s.start_in, s.end_in) for s in seen.stretches] == [(pytest.approx(18.5, abs=1 / GRID), 30)]
    assert not go(scene, (14, 20), within_in=20).exposures[1:]


@pytest.mark.parametrize(
    ("path", "words"),
    [([(61, 20)], "61,20 is off the table"), ([(12, -0.1)], "is off the table"), ([(math.nan, 20)], "is off the table"),
     ([(10, 20)], "no length"), ([], "no length")],
)  # fmt: skip
def test_bad_paths(path: list[Place], words: str) -> None:
    """F4.1: a path off the table or without length is bad input, under the name of the option it came by."""
    with pytest.raises(BadInput, match=words) as error:
        go(lane(), *path, option="--to")
    assert str(error.value).startswith("--to: ")


@pytest.mark.parametrize("how", [{"mp": -1}, {"mp": math.nan}, {"mp": math.inf}, {"delay_mp": -0.5}])
def test_bad_mp(how: dict[str, float]) -> None:
    """F4.1: MP are a number of 0 or more."""
    with pytest.raises(BadInput, match="expected MP of 0 or more"):
        go(lane(), (12, 20), **how)


def test_nobody_watches_his_own_move() -> None:
    """F4.1: a mover among its watchers is bad input."""
    scene = lane()
    with pytest.raises(BadInput, match="tank cannot watch its own move"):
        passage(scene, scene.board.unit("tank"), [(12, 20)], scene.board.units)


@pytest.mark.parametrize("row_id", ["move-step", "exposure-step"])
def test_a_step_of_nothing_is_refused(row_id: str) -> None:
    """F4.1: a house rule that makes the step nothing is bad input, told with the row."""
    scene = stepped(lane(), 0, row_id)
    tank, gun = scene.board.unit("tank"), scene.board.unit("gun")
    with pytest.raises(BadInput, match=f"{row_id}: expected a step of more than 0 inches, not 0"):
        passage(scene, tank, [(12, 20)], [gun]) if row_id == "move-step" else exposure(scene, tank, gun, [(12, 20)])


# --- the token that comes near ---------------------------------------------------------------------------------------


def reveal(scene: Scene, *path: Place, enemies: tuple[str, ...] = ("gun", "eyes"), **how: Any) -> Reveal | None:
    """Where the tank's token is replaced on a path, before some enemies."""
    found = passage(scene, scene.board.unit("tank"), path, [], **how)
    return first_reveal(scene, found, [scene.board.unit(name) for name in enemies])


def test_a_token_that_comes_within_thirty_inches_is_replaced() -> None:
    """S10.2: the spotter at x = 50: at x = 18.5 the front of a base of three inches is thirty away."""
    scene = lane(unit={"base": [3, 1]})
    found = reveal(scene, (30, 20), enemies=("eyes",))
    assert found is not None
    assert (found.enemy, found.rule) == ("eyes", "S10.2")
    assert found.at_in == pytest.approx(8.5, abs=1 / GRID)
    assert found.place == (pytest.approx(18.5, abs=1e-3), 20)
    assert reveal(scene, (18.4, 20), enemies=("eyes",)) is None
    assert reveal(scene, (18.5, 20), enemies=("eyes",)) is not None


def test_a_token_that_sets_out_near_is_replaced_where_it_stands() -> None:
    """S10.2: within thirty inches from the start: at its start; of two that it is near to, the first by id."""
    found = reveal(lane(at=(30, 20)), (31, 20))
    assert found == Reveal("eyes", 0.0, (30, 20), "S10.2")
    assert reveal(lane(at=(30, 20)), (31, 20), enemies=("gun",)) == Reveal("gun", 0.0, (30, 20), "S10.2")


def test_a_token_out_of_sight_stays() -> None:
    """S10.2: near, but behind a house all the way, it stays a token; it is replaced where it comes out."""
    scene = lane(house("one", 16, 24), at=(20, 20))
    assert reveal(scene, (25, 20), enemies=("gun",)) is None
    found = reveal(scene, (32, 20), enemies=("gun",))
    assert found is not None
    (seen,) = to_gun(go(scene, (32, 20)))
    assert found.at_in == seen.stretches[0].start_in > 5


def test_a_token_in_cover_stays() -> None:
    """S10.2, S2.5: in brush, seen and near, it stays a token until its centre leaves the brush."""
    brush = {"id": "brush", "kind": "brush", "box": [25, 15, 35, 25]}
    scene = lane(brush, at=(28, 20))
    found = reveal(scene, (40, 20), enemies=("eyes",))
    assert found is not None
    assert found.at_in == pytest.approx(7, abs=2 / GRID)


def test_a_token_hull_down_stays_before_whom_it_is_hull_down_to() -> None:
    """S10.2, S2.5: along a wall it is hull down to the gun that the wall is before, in the open to the spotter."""
    wall = {"id": "wall", "kind": "wall", "line": [[24, 19.5], [36, 19.5]]}
    scene = lane(wall, at=(25, 20), unit={"base": [2, 1]})
    assert reveal(scene, (34, 20), enemies=("gun",)) is None
    assert reveal(scene, (34, 20), enemies=("eyes",)) is not None
    assert reveal(scene, (34, 20)) == Reveal("eyes", 0.0, (25, 20), "S10.2")


@pytest.mark.parametrize(("reverse", "at_in"), [(False, 1.25), (True, 1.0)])
def test_a_token_that_comes_over_a_crest(reverse: bool, at_in: float) -> None:
    """S10.2, S9.2: front first it is hull down until its front is an inch over; rear first, until its centre is over.

    It is in sight in both ways before: its base touches the crest, which is cover.
    """
    hill = {"id": "hill", "kind": "hill", "level": 1, "box": [5, 0, 26, 40]}
    scene = lane(hill, at=(25, 20), unit={"base": [1.5, 1]})
    found = reveal(scene, (26.5, 20), enemies=("eyes",), reverse=reverse)
    assert found is not None
    assert found.at_in == pytest.approx(at_in, abs=3 / GRID)
    tank, eyes = scene.board.unit("tank"), scene.board.unit("eyes")
    (seen,) = passage(scene, tank, [(26.5, 20)], [eyes], reverse=reverse).exposures
    assert seen.stretches[0].start_in < at_in - 0.2


def test_the_range_is_that_of_the_row() -> None:
    """S10.2: a house rule may make it another."""
    scene = lane()
    rules = scene.board.rules
    table = rules.tables["sighting"]
    rows = tuple(row.model_copy(update={"value": 12.0}) if row.id == "token-range" else row for row in table.rows)
    changed = replace(rules, tables={**rules.tables, "sighting": replace(table, rows=rows)})
    found = reveal(Scene(replace(scene.board, rules=changed)), (45, 20), enemies=("eyes",))
    assert found is not None
    assert found.at_in == pytest.approx(28, abs=1 / GRID)


def in_the_open_near(scene: Scene, moved: Unit, enemy: Unit) -> bool:
    """S10.2 as the sighting rules say it of an attempt on a scene built anew."""
    if base_to_base(moved.base, enemy.base) > 30 * GRID:
        return False
    fresh = anew(scene, moved)
    facts = attempt(fresh, fresh.board.unit(enemy.id), moved).ruling.facts
    return not facts.stopped_by and not facts.in_cover


@given(docs, st.integers(0, 10**6), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_first_reveal_is_that_of_a_plain_walk(doc: Doc, seed: int, reverse: bool) -> None:
    """S10.2: the first step where an attempt would find it near and in the open, and the edge before it to a grid step.

    Each place is judged on a scene of its own by the facts of a sighting attempt.
    """
    scene = boards.scene_of(doc)
    mover = scene.board.units[seed % len(scene.board.units)]
    path = some_path(scene, mover, seed, legs=1, reach=6.0)
    start = (mover.at[0] / GRID, mover.at[1] / GRID)
    if math.dist(start, path[0]) < 0.1:
        return
    enemies = others(scene, mover)
    found = first_reveal(scene, passage(scene, mover, path, [], reverse=reverse), enemies)

    def near(at_in: float) -> set[str]:
        moved = placed(mover, start, path[0], at_in, reverse=reverse)
        return {enemy.id for enemy in enemies if in_the_open_near(scene, moved, enemy)}

    total = math.dist(start, path[0])
    places = [min(total, k * 0.5) for k in range(math.ceil(total / 0.5) + 1)]
    first = next((at_in for at_in in places if near(at_in)), None)
    assert (found is None) is (first is None)
    if found is None or first is None:
        return
    assert first - 0.5 < found.at_in <= first
    assert found.enemy in near(found.at_in)
    if found.at_in > 0:
        assert found.enemy not in near(found.at_in - 2 / GRID)  # to a grid step, and places lie on the grid


def test_in_the_open_is_seen_without_cover() -> None:
    """S2.5: neither behind a house nor in brush, nor behind a wall."""
    pieces = [
        house("one", 16, 24),
        {"id": "brush", "kind": "brush", "box": [8, 15, 12, 25]},
        {"id": "wall", "kind": "wall", "line": [[28, 20], [36, 20]]},
    ]
    wanted = {(20, 20): False, (10, 20): False, (32, 20): False, (5, 20): True, (40, 20): True}
    for at, is_open in wanted.items():
        scene = lane(*pieces, at=at)
        assert is_in_the_open(scene, scene.board.unit("gun"), scene.board.unit("tank")) is is_open, at
