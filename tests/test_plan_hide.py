"""`minis plan hide`: the ranking on tables where a person sees the answer, exact numbers, two stages, breaking off."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from plan_boards import GUN, RIDGE, TANK, TYPES, lane, search, table, zone

from minis.board.board import Board
from minis.board.units import Unit
from minis.cli.main import cli
from minis.cli.plan_hide import hide as command
from minis.errors import BadInput
from minis.fire.measure import Declaration, declare
from minis.fire.refused import Refused
from minis.lengths import GRID
from minis.plan import hide as hiding
from minis.plan.hide import look_around
from minis.plan.hide_answer import reasons
from minis.plan.march import exposed, lanes_of, march, weight
from minis.plan.pairs import Pairs, Places
from minis.plan.pareto import beats, unbeaten
from minis.plan.spots import spots_in, zone_named
from minis.plan.stand_ins import eye_at, stand_in
from minis.plan.worth import Look, Waiting, Worth, assess
from minis.sight.attempt import attempt
from minis.sight.line import can_see
from minis.sight.scene import Scene

GRAIN = '[[terrain]]\nid = "grain"\nkind = "grain"\nbox = [24, 3, 30, 9]\n'
SMOKE = '[[smoke]]\nid = "cloud"\ncircle = { centre = [34, 12], radius = 2 }\n'
HOUSE = '[[terrain]]\nid = "house"\nkind = "building"\nbox = [30, 8.5, 33, 11]\n'
WALL = '[[terrain]]\nid = "wall"\nkind = "wall"\nline = [[16, 3], [16, 12]]\n'
RICH = (
    TYPES, GRAIN, SMOKE, HOUSE, WALL, zone("[10, 3, 18, 13]"), lane("[[58, 8], [40, 16], [22, 16]]"),
    lane("[[50, 2], [32, 2]]", "south"),
)  # fmt: skip
"""A table on which smoke and a field of grain lie in the way of some lines and not of others."""


def rich() -> Board:
    """The table `RICH` with its units."""
    return table(*RICH[1:])


def at(worth: Worth) -> tuple[float, float]:
    """Where a place is, in inches."""
    return worth.look.unit.at[0] / GRID, worth.look.unit.at[1] / GRID


# --- tables on which a person sees the answer ------------------------------------------------------------------------


def test_behind_a_crest_only_the_crest_itself_covers_the_lane() -> None:
    """Behind a ridge a gun sees over it only where it touches it; there it has the ridge for cover, and a way out."""
    found = search(table(RIDGE, zone("[12, 4, 20, 12]"), lane("[[58, 8], [26, 8]]")))
    best = found.places[0]
    assert found.covering < found.spots
    assert all(18 < at(worth)[0] < 20 for worth in found.places)
    assert (best.covered, best.protected) == (1, 1)
    assert [name for name, _ in best.lanes[0].protected] == ["ridge"]
    assert best.look.way_out_in is not None
    assert best.look.way_out_in < 1.5


def test_the_edge_of_a_wood_is_better_than_the_open() -> None:
    """Of places as near to the lane those at the edge of the wood come first: they are in cover and hard to sight."""
    wood = '[[terrain]]\nid = "wood"\nkind = "woods"\nbox = [10, 12, 18, 20]\n'
    found = search(table(wood, zone("[10, 4, 18, 20]"), lane("[[58, 12], [24, 12]]")))
    best = found.places[0]
    assert [name for name, _ in best.lanes[0].protected] == ["wood"]
    assert 17 <= at(best)[0] < 18
    assert at(best)[1] > 12
    in_the_open = [worth for worth in search_all(found, wood) if at(worth)[1] < 11]
    assert in_the_open
    assert max(worth.score(RULES) for worth in in_the_open) < best.score(RULES)


def search_all(found: Any, wood: str) -> list[Worth]:
    """Every place of the table with the wood, best or not."""
    board = table(wood, zone("[10, 4, 18, 20]"), lane("[[58, 12], [24, 12]]"))
    waiting, looks = looks_of(board)
    pairs = Pairs(waiting.scene)
    worths = [assess(waiting, pairs, look) for look in looks]
    assert len(worths) == found.spots
    return worths


def test_a_window_sees_the_lane_that_the_yard_behind_the_house_does_not() -> None:
    """From the yard in the shadow of a house nothing is covered; every place on the list is in the house."""
    house = '[[terrain]]\nid = "house"\nkind = "building"\nstoreys = 2\nbox = [16, 4, 20, 14]\n'
    found = search(table(house, zone("[10, 6, 20, 12]"), lane("[[58, 9], [26, 9]]")))
    assert found.places
    for worth in found.places:
        assert worth.look.unit.storey == 0
        assert [name for name, _ in worth.lanes[0].protected] == ["house"]
    assert 19 < at(found.places[0])[0] < 20


def test_a_zone_that_sees_nothing_has_no_place() -> None:
    """Behind a house as long as the zone no place covers anything, and none is listed."""
    house = '[[terrain]]\nid = "house"\nkind = "building"\nstoreys = 3\nbox = [16, 0, 20, 24]\n'
    found = search(table(house, zone("[4, 6, 14, 12]"), lane("[[58, 9], [26, 9]]")))
    assert found.places == ()
    assert (found.covering, found.looked_at, found.broken_off) == (0, found.spots, False)


# --- lanes that are wide ---------------------------------------------------------------------------------------------

MEADOW = "area = [[50, 6], [50, 18], [30, 18], [30, 6]]\n"
LONG_HOUSE = '[[terrain]]\nid = "house"\nkind = "building"\nstoreys = 3\nbox = [20, 12.2, 60, 12.4]\n'


def test_a_house_hides_one_half_of_an_area_from_a_place() -> None:
    """Of 13 files over 12 inches the 6 beyond a long house are not covered, the middle and the 6 before it are."""
    board = table(LONG_HOUSE, zone("[10, 2, 12, 4]"), lane("[[50, 12], [30, 12]]", more=MEADOW))
    (best,) = search(board).places
    (worth,) = best.lanes
    assert worth.files == 13
    assert worth.in_sight_in == worth.covered_in == pytest.approx(20 * 7 / 13)
    assert best.covered == pytest.approx(7 / 13)
    assert "on average of 13 files" in next(reasons(best))


def test_a_wide_lane_is_worth_the_mean_of_its_files() -> None:
    """As much as the mean of lanes in single file, each drawn where a file goes."""
    rest = (GRAIN, SMOKE, HOUSE, WALL, zone("[10, 3, 18, 13]"))
    wide, looks = looks_of(table(*rest, lane("[[58, 8], [22, 8]]", more="width = 4\n")), step=4.0)
    ways = [lane(f"[[58, {y}], [22, {y}]]", f"y{y}") for y in (6, 7, 8, 9, 10)]
    board = table(*rest, *ways)
    spots, gun = [look.unit for look in looks], board.unit("PaK")
    freed = replace(board, units=tuple(unit for unit in board.units if unit.id != "PaK"))
    single, others = look_around(freed, gun, spots, board.lanes, stand_in(board, "vehicle"))
    differ = 0
    for look, other in zip(looks, others, strict=True):
        (one,), each = assess(wide, Pairs(wide.scene), look).lanes, assess(single, Pairs(single.scene), other).lanes
        assert (one.files, one.length_in) == (5, 36)
        for name in ("in_sight_in", "covered_in", "hits", "sighted", "protected_in", "hull_down_in"):
            assert getattr(one, name) == pytest.approx(sum(getattr(way, name) for way in each) / 5)
        assert one.best == max(way.best for way in each)
        lengths = dict(one.protected)
        assert sum(lengths.values()) == pytest.approx(sum(inches for way in each for _, inches in way.protected) / 5)
        assert list(one.protected) == sorted(one.protected, key=lambda pair: (-pair[1], pair[0]))
        differ += len({way.hits for way in each}) > 1
    assert differ


def test_a_place_out_of_sight_is_out_of_sight_of_every_file() -> None:
    """The way out of sight from a lane with a width is never nearer than from its middle alone."""
    house = '[[terrain]]\nid = "house"\nkind = "building"\nstoreys = 3\nbox = [22, 9, 23, 15]\n'
    far = []
    for more in ("", "width = 12\n"):
        _, looks = looks_of(table(house, zone("[10, 3, 18, 13]"), lane("[[58, 8], [30, 8]]", more=more)), step=4.0)
        far.append([math.inf if look.way_out_in is None else look.way_out_in for look in looks])
    assert all(wide >= narrow for narrow, wide in zip(*far, strict=True))
    assert far[0] != far[1]


# --- the numbers -----------------------------------------------------------------------------------------------------


RULES = table(zone("[0, 0, 1, 1]"), lane("[[9, 9], [8, 8]]")).rules


def looks_of(board: Board, *, step: float = 2.0) -> tuple[Waiting, list[Look]]:
    """What the gun sees from every place of its zone."""
    gun = replace(board.unit("PaK"), hidden=True)
    freed = replace(board, units=tuple(unit for unit in board.units if unit.id != "PaK"))
    lanes = lanes_of(board, "axis")
    spots = spots_in(freed, zone_named(board, "zone"), gun, step)
    return look_around(freed, gun, spots, lanes, stand_in(board, "vehicle"))


def test_every_number_is_that_of_the_reference() -> None:
    """Wherever there is a line of sight, the facts and chances of a pair are those of `attempt` and `declare`."""
    waiting, looks = looks_of(rich(), step=3.0)
    scene, pairs = Scene(waiting.scene.board), Pairs(waiting.scene)
    plain = other = 0
    for look in looks:
        for walk, seen in zip(waiting.marches, look.marks, strict=True):
            for mark, comer in enumerate(walk.marks):
                found = attempt(scene, comer, look.unit)
                assert found.line.clear == seen[mark]
                if not seen[mark]:
                    continue
                assert pairs.sight_facts(comer, look.unit) == found.ruling.facts
                said = Declaration(phase="defensive_first", facts=(("mp_in_sight", 1), ("in_sight_from_start", False)))
                shot = declare(scene, attempt(scene, look.unit, comer), said).shot
                assert shot is not None
                assert shot.odds is not None
                facts = pairs.shot_facts(look.unit, comer, "defensive_first")
                assert pairs.hit(facts, 1, from_start=False) == shot.odds.hit
                plain += pairs.is_plain(look.unit, comer)
                other += not pairs.is_plain(look.unit, comer)
    assert plain > 20
    assert other > 20


def test_terrain_that_hinders_is_counted_along_the_line_that_decides() -> None:
    """A house stands on the line of the centres: the shot goes past it, and past the grain that lies behind it."""
    house = '[[terrain]]\nid = "house"\nkind = "building"\nbox = [24, 7.8, 26, 12]\n'
    grain = '[[terrain]]\nid = "grain"\nkind = "grain"\nbox = [28, 7.6, 32, 12]\n'
    board = table(house, grain, zone("[0, 0, 2, 2]"), lane("[[40, 8], [38, 8]]"))
    gun, tank = (replace(board.unit(name), at=(x * GRID, 8 * GRID)) for name, x in (("PaK", 10), ("T1", 40)))
    scene = Places(replace(board, units=()))
    facts = Pairs(scene).shot_facts(gun, tank, "prep")
    shot = declare(scene, attempt(scene, gun, replace(tank, sighted_by=frozenset({"PaK"}))), Declaration()).shot
    assert facts is not None
    assert shot is not None
    assert facts == shot.facts
    assert facts.hindrance == 0
    assert not Pairs(scene).is_plain(gun, tank)


def test_without_tracing_a_line_nothing_is_worth_too_little() -> None:
    """The first stage is never below the second, in the score and in every value."""
    waiting, looks = looks_of(rich())
    differ = 0
    for look in looks:
        quick = assess(waiting, Pairs(waiting.scene, traced=False), look)
        exact = assess(waiting, Pairs(waiting.scene), look)
        assert all(a >= b - 1e-9 for a, b in zip(quick.values, exact.values, strict=True))
        assert not quick.exact or quick == replace(exact, exact=True)
        differ += quick.values != exact.values
    assert differ


def test_a_shot_that_grain_may_forbid_does_not_give_the_place_away_in_the_first_stage() -> None:
    """Whether a gun fires through a field of grain nobody knows before the line is traced: it counts as best for it."""
    grain = '[[terrain]]\nid = "grain"\nkind = "grain"\nbox = [22, 10, 34, 21]\n'
    waiting, looks = looks_of(table(grain, zone("[10, 14, 14, 18]"), lane("[[59, 16], [36, 16], [36, 4]]")))
    differ = 0
    for look in looks:
        quick = assess(waiting, Pairs(waiting.scene, traced=False), look)
        exact = assess(waiting, Pairs(waiting.scene), look)
        assert exact.lanes[0].hits
        assert quick.lanes[0].sighted <= exact.lanes[0].sighted + 1e-9
        differ += quick.lanes[0].covered_in > exact.lanes[0].covered_in
    assert differ


def test_smoke_that_may_hide_the_place_counts_in_full_in_the_first_stage() -> None:
    """Before a line is traced no chance to sight a place near smoke is too high, and no chance to hit too low."""
    cloud = '[[smoke]]\nid = "cloud"\ncircle = { centre = [24, 8], radius = 2 }\n'
    waiting, looks = looks_of(table(cloud, GRAIN, zone("[10, 4, 18, 12]"), lane("[[46, 4], [30, 14]]")))
    quick, exact = Pairs(waiting.scene, traced=False), Pairs(waiting.scene)
    chances, lower = waiting.scene.chances, 0
    for look in looks:
        for comer, seen in zip(waiting.marches[0].marks, look.marks[0], strict=True):
            if not seen:
                continue
            both = [chances.sight(pairs.sight_facts(comer, look.unit)) for pairs in (quick, exact)]
            assert both[0] <= both[1]
            lower += exact.sight_facts(comer, look.unit).smoke == "full"
            hits = [
                chances.hit(facts) for pairs in (quick, exact) if (facts := pairs.shot_facts(look.unit, comer, "prep"))
            ]
            assert hits[0] >= hits[1]
    assert lower


@settings(max_examples=6, phases=[Phase.generate])
@given(st.integers(0, 12), st.integers(0, 10), st.integers(24, 36))
def test_two_stages_find_the_best_place_of_one(south: int, height: int, west: int) -> None:
    """Wherever grain and smoke lie, the best place of all is on the list, or no better than the tolerance allows."""
    grain = f'[[terrain]]\nid = "grain"\nkind = "grain"\nbox = [{west}, {south}, {west + 5}, {south + height + 1}]\n'
    board = table(grain, SMOKE, WALL, zone("[10, 3, 18, 13]"), lane("[[56, 8], [36, 16]]"))
    two, one = search(board, step=4.0, top=1), search(board, step=4.0, top=1, every=True)
    assert all(worth.exact for worth in (*two.places, *one.places))
    scores = [max((worth.score(RULES) for worth in found.places), default=0.0) for found in (two, one)]
    assert scores[0] >= scores[1] - weight(RULES, "tolerance")


def test_a_place_that_is_sighted_for_certain_hits_in_its_first_turn_alone() -> None:
    """What the enemy is sure to sight after a turn has the hits of the shots of that turn: the sum of their chances."""
    board = table(zone("[10, 3, 18, 13]"), lane("[[46, 8], [16, 8]]"))
    tank = replace(
        board.unit("T1"), weapons=board.unit("PaK").weapons, side="axis", id="Tank", at=(14 * GRID, 8 * GRID)
    )
    waiting, (look,) = look_around(
        board, tank, [replace(tank, facing=90.0, turret=90.0)], board.lanes, stand_in(board, "vehicle")
    )
    pairs, (walk,) = Pairs(waiting.scene), waiting.marches
    waiting = replace(waiting, enemies=())
    worth = assess(waiting, pairs, replace(look, enemies=()))
    shots = [
        float(pairs.hit(pairs.shot_facts(look.unit, walk.marks[k], "defensive_first"), k, from_start=True))
        for k in range(1, 13)
    ]
    assert all(look.marks[0])
    assert len(walk.marks) > 13
    assert worth.lanes[0].hits == pytest.approx(sum(shots))
    assert worth.lanes[0].sighted == 1


def test_a_way_out_is_out_of_sight_of_all() -> None:
    """Where a gun gets out of sight no vehicle on a lane and no enemy sees it, and no place is nearer."""
    house = '[[terrain]]\nid = "house"\nkind = "building"\nbox = [14, 9, 16, 12]\n'
    waiting, looks = looks_of(table(house, zone("[10, 3, 18, 13]"), lane("[[58, 8], [30, 8]]")), step=4.0)
    viewers = [*waiting.marches[0].marks, *waiting.enemies]
    scene = Scene(waiting.scene.board)
    checked = 0
    for look in looks:
        if look.way_out is None or look.way_out_in is None:
            continue
        assert not any(can_see(scene, viewer, eye_at(scene.board, look.way_out)) for viewer in viewers)
        x, y = look.unit.at[0] / GRID, look.unit.at[1] / GRID
        nearer = [
            (a, b) for a in range(60) for b in range(24) if (a - x) ** 2 + (b - y) ** 2 < look.way_out_in**2 - 1e-9
        ]
        assert all(any(can_see(scene, v, eye_at(scene.board, place)) for v in viewers) for place in nearer[:12])
        checked += 1
    assert checked


def test_enemies_see_from_where_they_start() -> None:
    """A tank near by sees the place with the chance of the reference, one behind a house does not."""
    house = '[[terrain]]\nid = "house"\nkind = "building"\nstoreys = 3\nbox = [40, 0, 44, 24]\n'
    near = TANK.replace("T1", "T2").replace("[59, 8]", "[36, 8]")
    waiting, looks = looks_of(table(house, near, zone("[10, 3, 18, 13]"), lane("[[58, 8], [30, 8]]")), step=4.0)
    for look in looks:
        worth = assess(waiting, Pairs(waiting.scene), look)
        reference = attempt(Scene(waiting.scene.board), waiting.scene.board.unit("T2"), look.unit).ruling.chance
        assert [(seen.unit, seen.chance) for seen in worth.seen] == ([("T2", reference)] if reference else [])


# --- a lane walked ---------------------------------------------------------------------------------------------------


def walk_of(length: float) -> Any:
    """A march along a straight lane of some inches."""
    board = table(zone("[0, 0, 1, 1]"), lane(f"[[50, 4], [{50 - length}, 4]]"))
    return march(board, board.lanes[0], stand_in(board, "vehicle"))


def test_a_lane_is_walked_by_the_mp() -> None:
    """A mark each 2 inches and one where the lane ends, each turned along it; together they stand for all of it."""
    walk = walk_of(9)
    assert [unit.at[0] / GRID for unit in walk.marks] == [50, 48, 46, 44, 42, 41]
    assert {unit.facing for unit in walk.marks} == {270}
    assert walk.stretches == (0, 2, 2, 2, 2, 1)
    assert "moved" in walk.marks[3].flags


def exposures(seen: str, per_turn: int = 12) -> list[tuple[int, int, bool]]:
    """Marks in sight (x) as what Case J asks of them."""
    found = exposed(walk_of(2 * (len(seen) - 1)), [sign == "x" for sign in seen], per_turn, 2.0)
    return [(one.mark, one.mp, one.from_start) for one in found]


def test_a_gap_of_an_mp_does_not_break_the_sight_and_a_longer_one_does() -> None:
    """F4.1: a gap of up to 2 inches counts as in sight throughout; after a longer one the MP are counted anew."""
    assert exposures("-x-xx") == [(1, 1, False), (3, 2, False), (4, 3, False)]
    assert exposures("-x-x-x") == [(1, 1, False), (3, 2, False), (5, 3, False)]
    assert exposures("-x--xx") == [(1, 1, False), (4, 1, False), (5, 2, False)]


def test_a_move_that_begins_in_sight_has_neither_j1_nor_j2() -> None:
    """F4.1: it is of this move alone: the vehicle is in sight from the start until it has been out of it."""
    assert exposures("xx--x") == [(1, 1, True), (4, 1, False)]
    assert exposures("-xxx", per_turn=2) == [(1, 1, False), (2, 2, False), (3, 1, True)]


# --- the Pareto list -------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), max_size=20))
def test_the_unbeaten_are_those_that_nobody_beats(values: list[tuple[int, int, int]]) -> None:
    """As defined: k is kept exactly where no other is as good in all and better in one."""
    expected = [k for k, one in enumerate(values) if not any(beats(other, one) for other in values)]
    assert unbeaten(values) == expected


def test_no_place_on_the_list_beats_another_and_the_score_orders_them() -> None:
    """The list holds no place that another of the same search beats in everything; the best score comes first."""
    found = search(rich())
    assert len(found.places) > 1
    assert len(unbeaten([worth.values for worth in found.places])) == len(found.places)
    scores = [worth.score(RULES) for worth in found.places]
    assert scores == sorted(scores, reverse=True)


# --- breaking it off, and other processes -----------------------------------------------------------------------------


def test_ctrl_c_keeps_the_places_that_were_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """After two jobs Ctrl-C ends the search; what was looked at is ranked, and it says how much it was."""
    board = rich()
    done = []

    def progress(number: int, total: int) -> None:
        done.append(number)
        if number == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(hiding, "AT_ONCE", 4)
    ways = lanes_of(board, "axis")
    found = hiding.hide(
        board, board.unit("PaK"), zone_named(board, "zone"), ways, step_in=2.0, top=9, every=True, progress=progress
    )
    assert done == [1, 2]
    assert found.broken_off
    assert 0 < found.looked_at < found.spots
    assert found.places


def test_other_processes_find_the_same(tmp_path: Path) -> None:
    """`--executor processes:2` prints what one process prints."""
    path = scenario(tmp_path, *RICH)
    asked = ["--weapon", "PaK", "--zone", "zone", "--step", "4", "-g", str(path), "--json"]
    one, two = ask(*asked), ask(*asked, "--executor", "processes:2")
    assert one.output == two.output
    assert one.exit_code == 0


# --- the command -----------------------------------------------------------------------------------------------------


def scenario(folder: Path, *parts: str) -> Path:
    """A scenario file with the gun and the tank."""
    path = folder / "s.toml"
    path.write_text("\n".join([*parts, GUN, TANK]), encoding="utf-8")
    return path


def ask(*words: str) -> Any:
    """The command, asked."""
    return CliRunner().invoke(command, list(words), **cli.context_settings)


def test_the_answer_in_words_and_as_data(tmp_path: Path) -> None:
    """Best place first with its reasons; the JSON has the same places with every number."""
    path = scenario(tmp_path, TYPES, RIDGE, zone("[12, 4, 20, 12]"), lane("[[58, 8], [26, 8]]"))
    asked = ["--weapon", "PaK", "--zone", "zone", "--side", "axis", "--lanes", "road", "--top", "1", "-g", str(path)]
    text = ask(*asked).output
    assert text.startswith("PaK in zone: best at 19.")
    assert 'covers 32" of 32" of road at 3 to 18 hexes' in text
    assert "cover from ridge (all of it)" in text
    assert "no enemy can sight it from where he starts" in text
    answer = json.loads(ask(*asked, "--json").output)
    (place,) = answer["places"]
    assert (place["covered"], place["cover"], place["unseen"]) == (1, 1, 100)
    assert place["lanes"][0]["hexes"] == [3, 18]
    assert place["score"] == pytest.approx(sum(place["points"].values()), abs=0.001)
    assert answer["spots"] > answer["covering"] > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--weapon", "PaX", "--zone", "zone"), "there is no unit 'PaX'"),
        (("--weapon", "PaK", "--zone", "zon"), "there is no zone 'zon'"),
        (("--weapon", "PaK", "--zone", "zone", "--lanes", "rod"), "there is no lane 'rod'"),
        (("--weapon", "PaK", "--zone", "zone", "--lanes", ","), "expected names of lanes"),
        (("--weapon", "PaK", "--zone", "zone", "--side", "allied"), "PaK is of axis, not of allied"),
        (("--weapon", "T1", "--zone", "zone", "--lanes", "road"), "road is a lane of allied itself"),
        (("--weapon", "T1", "--zone", "zone"), "there is no lane by which an enemy of allied may come"),
        (("--weapon", "PaK", "--zone", "zone", "--executor", "threads"), "expected processes, processes:N or dask"),
        (("--weapon", "PaK", "--zone", "zone", "--executor", "processes:0"), "expected processes, processes:N or dask"),
        (("--weapon", "PaK", "--zone", "zone", "--step", "0"), "expected a step of more than 0"),
        (("--weapon", "PaK", "--zone", "zone", "--target", "PaK"), "PaK does not come along a lane"),
    ],
)
def test_bad_input_is_told(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    """What cannot be asked is told with what was expected, and never with a traceback."""
    path = scenario(tmp_path, TYPES, zone("[12, 4, 20, 12]"), lane("[[58, 8], [26, 8]]"))
    result = ask(*words, "-g", str(path))
    assert isinstance(result.exception, BadInput)
    assert message in str(result.exception)


def test_a_zone_of_the_enemy_is_refused() -> None:
    """A unit is not set up in a zone of another side."""
    board = table(zone("[12, 4, 20, 12]").replace("axis", "allied"), lane("[[58, 8], [26, 8]]"))
    with pytest.raises(Refused, match="zone is a zone of allied; PaK is of axis"):
        search(board)


def test_who_cannot_lie_in_wait_is_told() -> None:
    """A unit without a weapon is bad input, a wreck is refused."""
    board = table(zone("[12, 4, 20, 12]"), lane("[[58, 8], [26, 8]]"))

    def with_gun(**changed: Any) -> Board:
        gun: Unit = replace(board.unit("PaK"), **changed)
        return replace(board, units=tuple(gun if unit.id == gun.id else unit for unit in board.units))

    with pytest.raises(BadInput, match="PaK has no weapon"):
        search(with_gun(weapons=()))
    with pytest.raises(Refused, match="PaK is a wreck"):
        search(with_gun(wreck=True))
