"""`minis watch`: hidden units that have a line of sight to an enemy, for the judge's eyes (S12.2)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import boards
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.cli.watch import watch as command
from minis.errors import BadInput
from minis.rules import load_rules
from minis.sight.attempt import attempt
from minis.sight.line import can_see
from minis.sight.scene import Scene
from minis.sight.watch import Watch, watch, watch_answer

TABLE = "table = { width = 120, depth = 60 }\n"


def scene(*units: str, more: str = "") -> Scene:
    """A table with these units, each an inline table without its braces; what has no base of its own is a point."""
    rows = ["{ " + unit + ("" if "base" in unit else ", base = 0") + " }" for unit in units]
    return Scene(boards.board(f"{TABLE}{more}\nunit = [{', '.join(rows)}]"))


def gun(x: float, y: float, name: str = "PaK", more: str = "hidden = true") -> str:
    """An axis gun, hidden unless said otherwise."""
    return f'id = "{name}", side = "axis", kind = "gun", at = [{x}, {y}]' + (f", {more}" if more else "")


def tank(x: float, y: float, name: str = "tank", more: str = "") -> str:
    """An allied tank."""
    return f'id = "{name}", side = "allied", kind = "vehicle", at = [{x}, {y}]' + (f", {more}" if more else "")


def sees(found: Watch, name: str = "PaK") -> list[tuple[str, float]]:
    """Whom a hidden unit sees, and how far away, in the order of the answer."""
    entry = next(entry for entry in found.watched if entry.unit.id == name)
    return [(seen.target.id, seen.distance_in) for seen in entry.sees]


# --- what is told ----------------------------------------------------------------------------------------------------


def test_enemies_come_nearest_first_and_equals_by_id() -> None:
    """30 inches before 40, and of two at 30 inches the one whose id comes first."""
    found = watch(scene(gun(10, 10), tank(50, 10, "A"), tank(40, 10, "C"), tank(10, 40, "B")))
    assert sees(found) == [("B", 30), ("C", 30), ("A", 40)]


def test_hidden_units_come_by_id_whatever_the_side_and_the_file() -> None:
    """Entries are in the order of ids, not of sides, places or lines in the file."""
    found = watch(scene(gun(50, 10, "b"), tank(10, 10, "c", "hidden = true"), gun(90, 10, "a")))
    assert [entry.unit.id for entry in found.watched] == ["a", "b", "c"]
    assert [unit.id for unit in found.hidden] == ["a", "b", "c"]


def test_who_may_sight_it_comes_by_id() -> None:
    """Two tanks that may sight the gun are named in the order of their ids, not by distance."""
    (entry,) = watch(scene(gun(10, 10), tank(20, 10, "Z"), tank(70, 10, "B"))).watched
    assert entry.seen_by == ("B", "Z")


def test_a_sight_that_no_roll_gives_is_no_chance() -> None:
    """S2.4: a still squad in a wood is sighted on 10 percent at 20 inches, not at all at 20.001; it sees out."""
    wood = 'terrain = [{ id = "wood", kind = "woods", box = [60, 0, 80, 60] }]'
    for x, chance in ((40.5, ("tank",)), (40.499, ())):
        squad = 'id = "squad", side = "axis", kind = "infantry", at = [60.5, 30], hidden = true'
        (entry,) = watch(scene(squad, tank(x, 30), more=wood)).watched
        assert [seen.target.id for seen in entry.sees] == ["tank"]
        assert entry.seen_by == chance, x


def test_a_hidden_enemy_is_seen_and_does_not_look() -> None:
    """Two hidden units in each other's line of sight: both are told of, neither may sight the other."""
    found = watch(scene(gun(10, 10), tank(40, 10, more="hidden = true")))
    assert [(entry.unit.id, entry.seen_by) for entry in found.watched] == [("PaK", ()), ("tank", ())]
    assert sees(found) == [("tank", 30)]
    assert sees(found, "tank") == [("PaK", 30)]


def test_wrecks_riders_and_own_units_are_nobody() -> None:
    """A wreck and a passenger of the enemy are not seen; a friend is no enemy."""
    found = watch(
        scene(
            gun(10, 10),
            gun(20, 20, "friend", ""),
            tank(40, 10, "wreck", "wreck = true"),
            tank(40, 20, "truck", 'carries = ["rider"]'),
            tank(40, 30, "rider"),
        )
    )
    (entry,) = found.watched
    assert [seen.target.id for seen in entry.sees] == ["truck"]
    assert entry.seen_by == ("truck",)


def test_a_hidden_wreck_or_rider_is_not_on_the_watch() -> None:
    """Only what could fire is watched: not a wreck on the judge's map, not who rides in a hidden truck."""
    truck = 'id = "truck", side = "axis", kind = "vehicle", at = [10, 20], hidden = true, carries = ["PaK"]'
    found = watch(scene(gun(10, 10), truck, gun(10, 30, "hulk", "hidden = true, wreck = true"), tank(40, 10)))
    assert [unit.id for unit in found.hidden] == ["truck"]


def test_a_token_and_a_dummy_are_seen_alike_and_only_the_token_looks() -> None:
    """The judge reads which is the dummy; it may sight nobody."""
    found = watch(scene(gun(10, 10), tank(40, 10, "real", 'token = "A1"'), tank(10, 50, "fake", "dummy = true")))
    (entry,) = watch_answer(Scene(boards.board(TABLE)), found)["watch"]
    assert entry["sees"] == [
        {"target": "real", "distance_in": 30.0},
        {"target": "fake", "distance_in": 40.0, "dummy": True},
    ]
    assert entry["seen_by"] == ["real"]


def test_a_gun_and_its_tow_are_one_target_by_the_switch() -> None:
    """S11.3: the lorry hides behind a barn, its howitzer does not: the lorry is seen, as far away as the howitzer."""
    barn = '\nterrain = [{ id = "barn", kind = "building", box = [30, 20, 32, 30] }]'
    units = (gun(40, 25), tank(10, 25, "lorry", 'tow = "howitzer"'), tank(10, 60, "howitzer"))
    (seen,) = sees(watch(scene(*units, more=barn)))
    assert seen == ("lorry", pytest.approx((30**2 + 35**2) ** 0.5))
    two = watch(scene(*units, more='switches = { tow = "two" }' + barn))
    assert [name for name, _ in sees(two)] == ["howitzer"]


def test_what_tows_a_gun_is_in_sight_with_it() -> None:
    """S11.3: only the gun behind the hidden tractor is in sight of the tank, which may sight the two."""
    barn = 'terrain = [{ id = "barn", kind = "building", box = [30, 20, 32, 30] }]'
    tractor = 'id = "tractor", side = "axis", kind = "vehicle", at = [40, 25], hidden = true, tow = "PaK"'
    (entry,) = watch(scene(tractor, gun(40, 60), tank(10, 25), more=barn)).watched
    assert (entry.unit.id, entry.sees, entry.seen_by) == ("tractor", (), ("tank",))


def test_one_side_alone() -> None:
    """With a side only its own hidden units are watched."""
    both = scene(gun(10, 10), tank(40, 10, more="hidden = true"))
    assert [unit.id for unit in watch(both, "allied").hidden] == ["tank"]
    assert [entry.unit.id for entry in watch(both, "axis").watched] == ["PaK"]


def test_distances_go_by_the_switch() -> None:
    """S1.3: 28 inches from edge to edge are 30 from centre to centre."""
    wide = tank(41, 10, more="base = [4, 4]")
    assert sees(watch(scene(gun(10, 10, more="hidden = true, base = [2, 2]"), wide))) == [("tank", 28)]
    centre = 'switches = { measure = "centre" }'
    assert sees(watch(scene(gun(11, 10), wide, more=centre))) == [("tank", 30)]


def hiding(doc: boards.Doc, seed: int) -> boards.Doc:
    """The board with about half of its units hidden."""
    rng = random.Random(seed)
    units = [u if u.get("dummy") or rng.random() < 0.5 else u | {"hidden": True} for u in doc["unit"]]
    return doc | {"unit": units}


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_the_watch_is_what_the_lines_say_pair_by_pair(seed: int) -> None:
    """Each hidden unit sees exactly the enemies in its line of sight, and those may sight it that have a chance."""
    doc = hiding(boards.lattice_board(seed), seed)
    table = boards.scene_of(doc)
    units = [u for u in table.board.units if not u.wreck]
    wanted: dict[str, tuple[set[str], set[str]]] = {}
    for one in units:
        enemies = [u for u in units if u.side != one.side]
        in_sight = {u.id for u in enemies if can_see(table, one, u)}
        on_table = [u for u in enemies if not u.hidden and not u.dummy]
        looking = {u.id for u in on_table if attempt(table, u, one).ruling.chance > 0}
        if one.hidden and (in_sight or looking):
            wanted[one.id] = in_sight, looking
    found = watch(table)
    assert {e.unit.id: ({s.target.id for s in e.sees}, set(e.seen_by)) for e in found.watched} == wanted
    assert all([s.distance_in for s in e.sees] == sorted(s.distance_in for s in e.sees) for e in found.watched)
    assert [u.id for u in found.hidden] == sorted(u.id for u in units if u.hidden)


# --- the command -----------------------------------------------------------------------------------------------------


def ask(path: Path, *args: str) -> str:
    """What the command prints."""
    result = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None}).invoke(
        command, ["-g", str(path), *args], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def ambush(tmp_path: Path) -> Path:
    """A hidden gun and a hidden tank in sight of each other, a dummy, and a gun that a wood hides."""
    path = tmp_path / "ambush.toml"
    units = (
        gun(10, 10), tank(40, 10, more="hidden = true"), tank(20, 10, "D1", 'token = "A1", dummy = true'),
        tank(30, 10, "scout"), gun(95, 30, "deep"),
    )  # fmt: skip
    rows = ", ".join("{ " + unit + ", base = 0 }" for unit in units)
    wood = 'terrain = [{ id = "wood", kind = "woods", box = [80, 15, 110, 45] }]'
    path.write_text(f"{TABLE}{wood}\nunit = [{rows}]", encoding="utf-8")
    return path


def test_the_judge_reads_it_in_words(ambush: Path) -> None:
    """The count first, then unit by unit whom it sees and who may sight it; what is hidden or a dummy is marked."""
    assert ask(ambush).splitlines() == [
        "3 hidden units: 2 have a line of sight to an enemy.                 S12.2",
        "",
        "PaK (hidden)   axis, at 10, 10, level 0",
        '  sees               D1 (token A1, dummy) 10", scout 20", tank (hidden) 30"',
        "  may be sighted by  scout",
        "",
        "tank (hidden)   allied, at 40, 10, level 0",
        '  sees               PaK (hidden) 30"',
        "  may be sighted by  nobody",
    ]


def test_none_in_sight_in_words(tmp_path: Path) -> None:
    """How many are hidden is said where none has a line of sight; and that nothing is hidden."""
    path = tmp_path / "quiet.toml"
    for more, words in (("hidden = true", "1 hidden unit: none has a line of sight to an enemy."), ("", "no hidden")):
        path.write_text(f"{TABLE}unit = [{{ {gun(10, 10, more=more)} }}]", encoding="utf-8")
        assert ask(path).startswith(words)
    assert ask(path, "--side", "axis").startswith("axis: no hidden units to watch.")


def test_the_answer_as_data(ambush: Path) -> None:
    """The keys of the contract, with what is not at its default."""
    answer: Any = json.loads(ask(ambush, "--side", "axis", "--json"))
    assert answer == {
        "watch": [
            {
                "unit": "PaK",
                "side": "axis",
                "sees": [
                    {"target": "D1", "distance_in": 10.0, "dummy": True},
                    {"target": "scout", "distance_in": 20.0},
                    {"target": "tank", "distance_in": 30.0, "hidden": True},
                ],
                "seen_by": ["scout"],
            }
        ],
        "hidden_units": ["PaK", "deep"],
        "switches": {},
        "house_rules": [],
        "house_removed": [],
    }


def test_a_side_that_there_is_not_is_bad_input(ambush: Path) -> None:
    """The sides that there are are named."""
    with pytest.raises(BadInput, match=r"there is no side 'axes'.*'axis'"):
        ask(ambush, "--side", "axes")


def test_a_side_that_watches_learns_nothing_of_the_enemy(ambush: Path) -> None:
    """S11.5: the gun's own player sees the scout and a token, a marker of one inch; the hidden tank stays hidden."""
    text = ask(ambush, "--as", "axis")
    assert "whether a token may sight it only the judge knows" in text
    (entry,) = json.loads(ask(ambush, "--as", "axis", "--json"))["watch"]
    assert entry["sees"] == [
        {"target": "A1", "distance_in": 9.5, "unknown": True},
        {"target": "scout", "distance_in": 20.0},
    ]
    for word in ("tank", "dummy", "D1"):
        assert word not in text


def test_a_house_rule_that_the_answer_rests_on_is_named(tmp_path: Path, ambush: Path) -> None:
    """A shorter range of sighting leaves nobody who may sight the gun, and the answer says whose rule that is."""
    house = tmp_path / "house"
    house.mkdir()
    row = '[[row]]\nid = "max-range"\nvalue = 15\nsource = "house"\n'
    (house / "sighting.toml").write_text(row, encoding="utf-8")
    answer = json.loads(ask(ambush, "--side", "axis", "--tables", str(house), "--json"))
    assert answer["watch"][0]["seen_by"] == []
    assert answer["house_rules"] == ["sighting/max-range"]
    assert "house rules used: nobody sights beyond" in ask(ambush, "--tables", str(house))


# --- the switches of a game ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "choices", "source"),
    [
        ("radio_penalty", ("no", "yes"), "seed"),
        ("radio_exception", ("both", "either"), "ruling"),
        ("stays_sighted", ("turn", "always", "phase"), "ruling"),
        ("reveal_hidden", ("no", "yes"), "house"),
    ],
)
def test_the_switches_of_a_game(name: str, choices: tuple[str, ...], source: str) -> None:
    """Each is there with its choices, the first of them the default."""
    row = load_rules().switches[name]
    assert (row.choices, row.default, row.source) == (choices, choices[0], source)
