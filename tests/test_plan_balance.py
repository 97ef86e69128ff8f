"""`minis plan balance`: what a shot comes to, an ambush with loaded dice, the same result whoever throws them."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from plan_boards import GUN, RIDGE, TANK, TYPES, lane, table, zone

from minis.board.board import Board
from minis.cli.main import cli
from minis.cli.plan_hide import balance as command
from minis.errors import BadInput, MinisError
from minis.fire.facts import ShotFacts
from minis.fire.result import effect_of, struck_on
from minis.fire.to_hit import resolve, to_hit
from minis.lengths import GRID
from minis.plan import balance as balancing
from minis.plan.balance import Spread, ambush_of, balance
from minis.plan.course import course_of
from minis.plan.effects import NOTHING, Outcomes, outcomes
from minis.plan.march import lanes_of
from minis.plan.trial import Ambush, Column, Contact, generator, play
from minis.plan.workers import Done, executor_of, run
from minis.rules import load_rules

ROAD = lane("[[58, 8], [26, 8]]")
AP = ShotFacts("vehicle", "afv", 5, "75L", "AP", "black")


def open_field() -> Board:
    """A gun in sight of a road, and a tank that comes along it."""
    board = table(zone("[0, 0, 2, 2]"), ROAD)
    gun = replace(board.unit("PaK"), at=(18 * GRID, 8 * GRID))
    return replace(board, units=(gun, board.unit("T1")))


# --- what a shot comes to --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("facts", [AP, replace(AP, range_hexes=30, size=1), replace(AP, hull_down="II", tem=2)])
def test_the_outcomes_are_those_of_all_dice(facts: ShotFacts) -> None:
    """Lost and stopped are counted over every throw of the two dice, and of the two dice of the effect of its hit."""
    board, rules = open_field(), load_rules()
    gun, tank = board.unit("PaK"), board.unit("T1")
    shot = to_hit(facts, rules)
    lost = stopped = Fraction(0)
    for one, two in product(product(range(1, 7), repeat=2), repeat=2):
        throw = resolve(shot, rules, *one)
        dice = [throw] if throw.needs_die is None else [resolve(shot, rules, *one, die) for die in range(1, 7)]
        for thrown in dice:
            if not thrown.hit:
                continue
            found = effect_of(rules, facts, thrown, struck_on(rules, tank, gun, thrown.location), dice=[two]).result
            assert found is not None
            chance = Fraction(1, 36 * 36 * len(dice))
            lost += chance if found.result in ("burning wreck", "eliminated") else 0
            stopped += chance if found.result == "immobilized" else 0
    assert lost
    found = outcomes(rules, shot, gun, tank)
    assert (found.lost, found.stopped) == (pytest.approx(float(lost)), pytest.approx(float(stopped)))
    assert shot.odds is not None
    assert found.hit == pytest.approx(float(shot.odds.hit))
    assert found.jammed == pytest.approx(1 / 36)


def test_of_two_hits_the_firer_keeps_the_better() -> None:
    """C3.8: a gun of 20mm hits twice on doubles; it is lost where either roll destroys it, else perhaps stopped."""
    board, rules = open_field(), load_rules()
    tank, gun = board.unit("T1"), board.unit("PaK")
    assert tank.armour is not None
    thin = tank.armour.hull.model_copy(update={"front": 1, "side": 1, "rear": 1})
    tank = replace(tank, armour=tank.armour.model_copy(update={"hull": thin, "turret": None}))
    shot = to_hit(replace(AP, gun="20L", range_hexes=3), rules)
    lost = stopped = Fraction(0)
    for throw in (resolve(shot, rules, *faces) for faces in product(range(1, 7), repeat=2)):
        if not throw.hit:
            continue
        struck = struck_on(rules, tank, gun, throw.location)
        rolls = [
            effect_of(rules, shot.facts, throw, struck, dice=[dice]).result for dice in product(range(1, 7), repeat=2)
        ]
        results = [roll.result for roll in rolls if roll is not None]
        for kept in product(results, repeat=throw.hits):
            chance = Fraction(1, 36 ** (1 + throw.hits))
            gone = {"burning wreck", "eliminated"} & set(kept)
            lost += chance if gone else 0
            stopped += chance if not gone and "immobilized" in kept else 0
    found = outcomes(rules, shot, gun, tank)
    assert shot.odds is not None
    assert shot.odds.multiple
    assert (found.lost, found.stopped) == (pytest.approx(float(lost)), pytest.approx(float(stopped)))


def test_armour_that_is_not_known_is_hit_and_never_lost() -> None:
    """Without armour in the scenario the effect is not known: the shot is another hit."""
    board, rules = open_field(), load_rules()
    found = outcomes(rules, to_hit(AP, rules), board.unit("PaK"), replace(board.unit("T1"), armour=None))
    assert (found.lost, found.stopped) == (0, 0)
    assert found.other > 0.5


def test_a_refused_shot_comes_to_nothing() -> None:
    """A shot that the rules forbid has no chances."""
    board, rules = open_field(), load_rules()
    refused = to_hit(replace(AP, target_type="infantry", ammo="HE"), rules)
    assert refused.refusal is not None
    assert outcomes(rules, refused, board.unit("PaK"), board.unit("T1")) == NOTHING


# --- a trial ---------------------------------------------------------------------------------------------------------

KILL = Outcomes(1.0, 0.0, 0.0, 0.0)
STOP = Outcomes(0.0, 1.0, 0.0, 0.0)
JAM = Outcomes(0.0, 0.0, 0.5, 0.5)


def ambush(contact: Contact | None, *, marks: int = 8, guns: int = 1, delays: tuple[int, ...] = (0,)) -> Ambush:
    """Vehicles on one lane, each with the same contact at every mark; turns of 4 MP."""
    row = (None, *[contact] * (marks - 1))
    columns = tuple(Column(f"T{k}", "road", delay, (row,) * guns) for k, delay in enumerate(delays, 1))
    return Ambush(tuple(f"G{k}" for k in range(1, guns + 1)), columns, 4, 0.25)


def test_a_gun_that_never_misses_takes_one_vehicle_an_mp() -> None:
    """Three vehicles in a column: each is lost at its first MP; nobody sights the gun."""
    trial = play(ambush(Contact(1.0, KILL), delays=(0, 1, 2)), generator(1, 0))
    assert (trial.lost, trial.shots, trial.turns, trial.first) == (("T1", "T2", "T3"), 3, 1, None)


def test_a_vehicle_that_is_stopped_comes_no_farther_and_still_fires() -> None:
    """It is stopped at its first MP, sights the gun at the end of that turn and destroys it."""
    trial = play(ambush(Contact(1.0, STOP, 1.0, 1.0, KILL)), generator(1, 0))
    assert (trial.stopped, trial.lost, trial.guns_lost, trial.first, trial.turns) == (("T1",), (), ("G1",), (1, 1), 1)


def test_out_of_sight_it_comes_through() -> None:
    """Nobody sees anybody: the vehicle is through when its marks are, 7 MP in turns of 4."""
    trial = play(ambush(None), generator(1, 0))
    assert (trial.lost, trial.shots, trial.turns) == ((), 0, 2)


def test_a_gun_holds_its_fire_while_a_shot_is_not_worth_it() -> None:
    """Below the least chance it does not fire, and is looked for as one that has not fired."""
    weak = Outcomes(0.24, 0.0, 0.0, 0.0)
    assert play(ambush(Contact(1.0, weak, 0.0, 1.0)), generator(1, 0)).shots == 0
    assert play(ambush(Contact(1.0, weak, 0.0, 1.0)), generator(1, 0)).first is None
    fair = Outcomes(0.0, 0.0, 0.3, 0.0)
    trial = play(ambush(Contact(1.0, fair, 0.0, 1.0)), generator(1, 0))
    assert (trial.shots, trial.first) == (7, (1, 4))


def test_a_gun_that_does_not_sight_does_not_fire() -> None:
    """What it cannot sight it does not shoot at, however sure the shot."""
    assert play(ambush(Contact(0.0, KILL)), generator(1, 0)).shots == 0


def test_a_gun_tries_once_a_turn_to_sight_a_vehicle() -> None:
    """At an even chance: 4 MP in sight in one turn are one attempt, so about half of 400 vehicles come through."""
    once = ambush(Contact(0.5, KILL), marks=5)
    lost = sum(len(play(once, generator(9, number)).lost) for number in range(400))
    assert lost == pytest.approx(200, abs=50)


def test_a_gun_fires_at_what_it_most_probably_destroys() -> None:
    """Of two vehicles in sight the second is the surer kill: it is lost, and the first one comes through."""
    weak = Outcomes(0.0, 0.0, 1.0, 0.0)
    rows = [((None, Contact(1.0, shot)),) for shot in (weak, KILL)]
    columns = tuple(Column(name, "road", 0, row) for name, row in zip(("T1", "T2"), rows, strict=True))
    trial = play(Ambush(("G1",), columns, 4, 0.25), generator(1, 0))
    assert (trial.lost, trial.shots) == (("T2",), 1)


def test_a_jammed_weapon_fires_no_more() -> None:
    """Every miss jams: each of two guns fires until then, and both are told as jammed."""
    for number in range(20):
        trial = play(ambush(Contact(1.0, JAM), marks=40, guns=2), generator(3, number))
        assert trial.jammed == ("G1", "G2")
        assert trial.shots < 60


def test_chances_come_out_as_often_as_they_say() -> None:
    """One shot at 30 percent: of 4000 vehicles about 1200 are lost."""
    once = replace(
        ambush(None, marks=2), columns=(Column("T1", "road", 0, ((None, Contact(1.0, Outcomes(0.3, 0.1, 0.2, 0.1))),)),)
    )
    trials = [play(once, generator(5, number)) for number in range(4000)]
    assert sum(len(trial.lost) for trial in trials) == pytest.approx(1200, abs=120)
    assert sum(len(trial.stopped) for trial in trials) == pytest.approx(400, abs=80)
    assert sum(len(trial.jammed) for trial in trials) == pytest.approx(400, abs=80)


@given(st.integers(0, 2**32), st.integers(0, 50))
def test_each_trial_has_the_stream_that_numpy_would_spawn(seed: int, number: int) -> None:
    """Trial n has the n-th child of the seed, whatever was thrown before it."""
    child = np.random.SeedSequence(seed).spawn(number + 1)[number]
    expected = np.random.Generator(np.random.PCG64(child)).random(3)
    assert list(generator(seed, number).random(3)) == list(expected)


# --- files of a lane -------------------------------------------------------------------------------------------------

SEEN = (None, *[Contact(1.0, KILL)] * 7)
OUT_OF_SIGHT: tuple[Contact | None, ...] = (None,) * 8


def test_a_trial_comes_in_one_file_of_each_lane() -> None:
    """Two vehicles of a lane with four files, one of them in sight: a quarter of the trials loses both, others none."""
    beside = ((OUT_OF_SIGHT,), (OUT_OF_SIGHT,), (SEEN,))
    columns = tuple(Column(name, "road", delay, (OUT_OF_SIGHT,), beside) for name, delay in (("T1", 0), ("T2", 3)))
    trials = [play(Ambush(("G1",), columns, 4, 0.25), generator(6, number)) for number in range(400)]
    assert {trial.lost for trial in trials} == {(), ("T1", "T2")}
    assert sum(bool(trial.lost) for trial in trials) == pytest.approx(100, abs=30)


def test_lanes_have_files_of_their_own() -> None:
    """On two lanes with two files each every mixture comes up, each in about a quarter of the trials."""
    columns = tuple(Column(name, lane, 0, (OUT_OF_SIGHT,), ((SEEN,),)) for name, lane in (("T1", "a"), ("T2", "b")))
    trials = [play(Ambush(("G1",), columns, 4, 0.25), generator(6, number)) for number in range(400)]
    lost = Counter(trial.lost for trial in trials)
    assert set(lost) == {(), ("T1",), ("T2",), ("T1", "T2")}
    assert all(count == pytest.approx(100, abs=35) for count in lost.values())


def test_a_lane_in_single_file_takes_no_die_for_it() -> None:
    """Out of sight no die is thrown at all; beside a lane with files it is played as alone after the first die."""
    untouched = generator(2, 0)
    play(ambush(None), untouched)
    assert untouched.random() == generator(2, 0).random()
    alone = ambush(Contact(0.5, Outcomes(0.3, 0.1, 0.2, 0.1)))
    wide = Column("W", "wide", 0, (OUT_OF_SIGHT,), ((OUT_OF_SIGHT,),))
    for number in range(50):
        dice = generator(2, number)
        dice.random()
        both = play(replace(alone, columns=(*alone.columns, wide)), generator(2, number))
        expected = play(alone, dice)
        assert replace(both, turns=expected.turns) == expected


def test_each_file_has_the_chances_of_a_lane_where_it_goes() -> None:
    """The contacts in a file are those on a lane in single file that is drawn there."""
    wall = '[[terrain]]\nid = "wall"\nkind = "wall"\nline = [[30, 2], [30, 8.5]]\n'
    board = table(wall, zone("[0, 0, 2, 2]"), lane("[[50, 8], [26, 8]]", more="width = 4\n"))
    gun = replace(board.unit("PaK"), at=(18 * GRID, 5 * GRID))
    (wide,) = board.lanes
    (column,) = ambush_of(replace(board, units=(gun, board.unit("T1"))), "axis", [wide], {}).columns
    assert (len(column.files), len(set(column.files)) > 1) == (5, True)
    for share, file in zip(course_of(board, wide).shares, column.files, strict=True):
        narrow = replace(wide, line=tuple((x, y - round(2 * share * GRID)) for x, y in wide.line), width_in=0.0)
        (alone,) = ambush_of(replace(board, units=(gun, board.unit("T1"))), "axis", [narrow], {}).columns
        assert file == alone


def test_a_house_hides_one_half_of_an_area_from_a_set_up() -> None:
    """Where the first die of a trial says one of the six files beyond a long house, of thirteen, no gun ever fires."""
    house = '[[terrain]]\nid = "house"\nkind = "building"\nstoreys = 3\nbox = [12, 12.2, 60, 12.4]\n'
    area = "area = [[50, 6], [50, 18], [30, 18], [30, 6]]\n"
    board = table(house, zone("[0, 0, 2, 2]"), lane("[[50, 12], [30, 12]]", more=area))
    gun = replace(board.unit("PaK"), at=(14 * GRID, 3 * GRID))
    board = replace(board, units=(gun, board.unit("T1")))
    lanes = lanes_of(board, "axis")
    shares = course_of(board, lanes[0]).shares
    assert len(shares) == 13
    found = balance(board, "axis", lanes, trials=100, seed=3)
    beyond = [shares[int(generator(3, number).random() * 13)] < 0 for number in range(100)]
    assert [trial.shots == 0 for trial in found.trials] == beyond
    assert 30 < sum(beyond) < 62


# --- many trials -----------------------------------------------------------------------------------------------------


def test_the_result_is_the_same_for_any_number_of_workers() -> None:
    """One process and three processes play the same trials."""
    board = open_field()
    lanes = lanes_of(board, "axis")
    alone = balance(board, "axis", lanes, trials=110, seed=7)
    with executor_of("processes:3") as executor:
        together = balance(board, "axis", lanes, trials=110, seed=7, executor=executor)
    assert alone == together
    assert len(alone.trials) == alone.of == 110
    assert balance(board, "axis", lanes, trials=110, seed=8) != replace(alone, seed=8)
    assert balance(board, "axis", lanes, trials=30, seed=7).trials == alone.trials[:30]


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="dask's distributed is not installed")
def test_a_cluster_plays_the_same_trials() -> None:
    """A dask cluster gives what this process gives."""
    distributed: Any = importlib.import_module("distributed")
    board = open_field()
    lanes = lanes_of(board, "axis")
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        executor_of(f"dask:{cluster.scheduler_address}") as executor,
    ):
        together = balance(board, "axis", lanes, trials=60, seed=7, executor=executor)
    assert together == balance(board, "axis", lanes, trials=60, seed=7)


def test_without_dask_a_cluster_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where dask is not installed the message says what to install."""

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("minis.plan.workers.importlib.import_module", missing)
    with pytest.raises(BadInput, match=r"minis\[cluster\]"), executor_of("dask:tcp://nowhere:1"):
        pass


def test_what_a_job_raises_is_raised() -> None:
    """A fault in a job is no result, here and in other processes."""
    with pytest.raises(ZeroDivisionError):
        run(None, _inverse, [1, 0])
    with executor_of("processes:1") as executor, pytest.raises(ZeroDivisionError):
        run(executor, _inverse, [1, 0])


def _inverse(number: int) -> float:
    return 1 / number


def test_results_keep_the_order_of_the_jobs() -> None:
    """Whichever process is done first, the results stand in the order of the jobs."""
    with executor_of("processes:2") as executor:
        assert run(executor, _inverse, [4, 2, 1]) == Done((0.25, 0.5, 1.0), 3)


def test_chances_are_asked_of_the_table() -> None:
    """In the open within 30 inches the tank is sighted at once; the first MP in sight has Case J2, the third J1."""
    board = open_field()
    (column,) = ambush_of(board, "axis", lanes_of(board, "axis"), {}).columns
    near = [contact for contact in column.contacts[0][5:] if contact is not None]
    assert column.unit == "T1"
    assert len(near) == column.marks - 5
    assert {contact.sight for contact in near} == {1.0}
    assert all(contact.back_fired >= contact.back for contact in near)
    assert near[-1].shot.hit > near[0].shot.hit
    assert near[-1].reply.hit > 0


def test_a_bore_sighted_spot_helps_there_alone() -> None:
    """F7: within an inch of the spot the shot is better, elsewhere it is what it was."""
    board = open_field()
    lanes = lanes_of(board, "axis")
    (plain,) = ambush_of(board, "axis", lanes, {}).columns
    (laid,) = ambush_of(board, "axis", lanes, {"PaK": (46.0, 8.0)}).columns
    better = [k for k, (a, b) in enumerate(zip(plain.contacts[0], laid.contacts[0], strict=True)) if a != b]
    assert better == [6]


def test_each_vehicle_takes_the_nearest_lane_in_single_file() -> None:
    """Two lanes: each vehicle goes where a lane begins nearest to it, the nearest first, others some MP behind."""
    more = TANK.replace("T1", "T2").replace("[59, 8]", "[59.5, 4]") + TANK.replace("T1", "T3").replace(
        "59, 8", "59, 20"
    )
    board = table(zone("[0, 0, 2, 2]"), ROAD, lane("[[58, 20], [26, 20]]", "south"), more)
    columns = ambush_of(board, "axis", lanes_of(board, "axis"), {}).columns
    assert [(column.unit, column.lane, column.delay) for column in columns] == [
        ("T1", "road", 0), ("T2", "road", 3), ("T3", "south", 0),
    ]  # fmt: skip


def test_a_spread_tells_its_shares() -> None:
    """The smallest number that so many do not exceed, and the mean."""
    spread = Spread.of([0] * 5 + [2] * 4 + [9])
    assert [spread.at(share) for share in (0.1, 0.5, 0.51, 0.9, 1.0)] == [0, 0, 2, 2, 9]
    assert spread.mean == pytest.approx(1.7)
    with pytest.raises(ValueError, match="no numbers"):
        Spread.of([]).at(0.5)


# --- the command -----------------------------------------------------------------------------------------------------


def scenario(folder: Path, *parts: str, gun: str = GUN) -> Path:
    """A scenario file with the gun and the tank."""
    path = folder / "s.toml"
    path.write_text("\n".join([TYPES, *parts, gun, TANK]), encoding="utf-8")
    return path


def ask(*words: str) -> Any:
    """The command, asked."""
    return CliRunner().invoke(command, list(words), **cli.context_settings)


def test_the_answer_in_words_and_as_data(tmp_path: Path) -> None:
    """The losses of both sides first; as data every count."""
    path = scenario(tmp_path, ROAD, gun=GUN.replace("[1, 23]", "[18, 8]"))
    asked = ["-g", str(path), "--trials", "60", "--seed", "4"]
    text = ask(*asked).output
    assert text.startswith("axis loses ")
    assert "60 trials, seed 4" in text
    assert "vehicles lost" in text
    answer = json.loads(ask(*asked, "--json").output)
    assert (answer["trials"], answer["of"], answer["broken_off"]) == (60, 60, False)
    assert sum(count for _, count in answer["vehicles_lost"]["counts"]) == 60
    (tank,) = answer["vehicles"]
    gone = sum(value * count for name in ("lost", "stopped") for value, count in answer[f"vehicles_{name}"]["counts"])
    assert tank == {"unit": "T1", "lane": "road", "lost_or_stopped": pytest.approx(gone / 60)}
    assert gone


def test_a_set_up_is_laid_over_the_scenario(tmp_path: Path) -> None:
    """Where the scenario has the gun out of sight and a set-up has it by the road, it fires with the set-up alone."""
    path = scenario(tmp_path, '[[terrain]]\nid = "h"\nkind = "building"\nbox = [2, 0, 4, 24]\n', ROAD)
    setup = tmp_path / "axis.toml"
    setup.write_text('side = "axis"\n[[unit]]\nid = "PaK"\nat = [18, 8]\nfacing = 90\n', encoding="utf-8")
    asked = ["-g", str(path), "--trials", "25", "--json"]
    assert json.loads(ask(*asked).output)["shots"]["mean"] == 0
    assert json.loads(ask(*asked, "--setup", str(setup)).output)["shots"]["mean"] > 1


def test_a_bore_sight_of_a_set_up_must_be_legal(tmp_path: Path) -> None:
    """F7 speaks of the spot of a set-up file, with its file."""
    path = scenario(tmp_path, ROAD)
    setup = tmp_path / "axis.toml"
    unit = '[[unit]]\nid = "PaK"\nat = [18, 8]\n'
    setup.write_text(f'side = "axis"\n{unit}[[boresight]]\nunit = "PaK"\nat = [19, 8]\n', encoding="utf-8")
    result = ask("-g", str(path), "--setup", str(setup))
    assert isinstance(result.exception, BadInput)
    assert "PaK may not bore sight 19,8: the spot is in its own hex" in str(result.exception)


def test_ctrl_c_keeps_the_trials_that_were_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken off in the third lot of 25: 50 of 100 trials are told, and the exit status is 130."""
    played = []

    def stopping(ambush: Ambush, dice: np.random.Generator) -> Any:
        if len(played) == 60:
            raise KeyboardInterrupt
        played.append(1)
        return play(ambush, dice)

    monkeypatch.setattr(balancing, "play", stopping)
    result = ask("-g", str(scenario(tmp_path, ROAD)), "--trials", "100")
    assert result.exit_code == 130
    assert result.output.startswith("Broken off: 50 of 100 trials.")
    assert "50 trials" in result.output


def test_ctrl_c_before_anything_is_done_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the chances are worked out there is nothing to keep: a word, and the exit status 130."""

    def stopping(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(balancing, "ambush_of", stopping)
    result = ask("-g", str(scenario(tmp_path, ROAD)))
    assert result.exit_code == 130
    assert "nothing was done yet" in result.output


@pytest.mark.parametrize(
    ("parts", "words", "message"),
    [
        ((), (), "the lanes do not say which side lies in wait"),
        ((ROAD.replace('side = "allied"\n', ""),), (), "the lanes do not say which side lies in wait"),
        ((ROAD,), ("--side", "allied"), "there is no lane by which an enemy of allied may come"),
        ((ROAD,), ("--side", "germans"), "there is no side 'germans'"),
        ((ROAD,), ("--lanes", "rail"), "there is no lane 'rail'"),
    ],
)
def test_bad_input_is_told(parts: tuple[str, ...], words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    """What cannot be played is told with what was expected."""
    result = ask("-g", str(scenario(tmp_path, *parts)), *words)
    assert isinstance(result.exception, MinisError)
    assert message in str(result.exception)


def test_nobody_to_wait_or_to_come_is_told() -> None:
    """A side without a weapon lies in wait for nobody, and without a vehicle nobody comes."""
    board = table(RIDGE, ROAD)
    lanes = lanes_of(board, "axis")
    unarmed = replace(board, units=(replace(board.unit("PaK"), weapons=()), board.unit("T1")))
    with pytest.raises(BadInput, match="axis has nothing on this table that fires"):
        balance(unarmed, "axis", lanes, trials=1, seed=1)
    alone = replace(board, units=(board.unit("PaK"),))
    with pytest.raises(BadInput, match="no vehicle of an enemy of axis"):
        balance(alone, "axis", lanes, trials=1, seed=1)
