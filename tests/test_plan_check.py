"""A set-up against its scenario: each thing that is said of it, by hand; and the command with its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from minis.board import Board
from minis.board.scenario import board_of
from minis.cli.main import cli
from minis.game.setup import Setup, setup_of, with_setups
from minis.plan.setup_check import check_setup, off_table
from minis.toml_file import Document, parse_toml

SCENARIO = """[table]
width = 60
depth = 40
[[terrain]]
id = "wall"
kind = "wall"
line = [[20, 2], [20, 12]]
[[terrain]]
id = "house"
kind = "building"
box = [20, 20, 26, 26]
[[terrain]]
id = "wood"
kind = "woods"
box = [2, 26, 12, 38]
[[terrain]]
id = "screen"
kind = "building"
box = [40, -1, 41, 41]
[[zone]]
id = "west"
side = "axis"
box = [0, 0, 36, 40]
[[unit]]
id = "G"
side = "axis"
kind = "gun"
base = [1, 1]
at = [10, 20]
weapons = [{ id = "main", gun = "75", ammo = ["AP"] }]
[[unit]]
id = "V"
side = "axis"
kind = "vehicle"
base = [2, 1]
at = [10, 10]
facing = 90
carries = ["R"]
[[unit]]
id = "R"
side = "axis"
kind = "infantry"
base = [1, 1]
at = [10, 10]
[[unit]]
id = "E"
side = "allied"
kind = "vehicle"
at = [55, 20]
"""


def setup(text: str, name: str = "axis.toml") -> Setup:
    """The set-up of the axis with some tables."""
    return setup_of(parse_toml(f'side = "axis"\n{text}\n', name))


def laid(text: str, scenario: str = SCENARIO) -> tuple[Board, Setup]:
    """The scenario with a set-up laid over it, and the set-up."""
    read, document = setup(text), parse_toml(scenario, "s.toml")
    return board_of(Document("s.toml", scenario, with_setups(document.data, [read]))), read


def said(text: str, scenario: str = SCENARIO) -> list[tuple[str, str, bool]]:
    """What is said of a set-up: unit, rule, and whether it is against the rules."""
    return [(one.unit, one.rule, one.against) for one in check_setup(*laid(text, scenario)).findings]


def unit(name: str, *keys: str) -> str:
    """A table [[unit]] of a set-up."""
    return "\n".join(["[[unit]]", f'id = "{name}"', *keys])


# --- one by one ------------------------------------------------------------------------------------------------------


def test_a_set_up_that_is_fine() -> None:
    """Nothing is said of units in their zone, apart from each other, with a dummy near by."""
    dummy = unit("D", "dummy = true", "at = [14, 20]")
    assert said(unit("G", "at = [12, 20]") + "\n" + dummy) == []


def test_a_unit_outside_every_zone_of_its_side() -> None:
    """By the centre of its base: at the edge of the zone it is in it; dummies are asked for too."""
    assert said(unit("G", "at = [36, 20]")) == []
    assert said(unit("G", "at = [36.5, 20]")) == [("G", "", True)]
    assert ("D", "", True) in said(unit("D", "dummy = true", "at = [37, 20]"))
    assert said(unit("G", "at = [36.5, 20]"), SCENARIO.replace('side = "axis"\nbox', 'side = "allied"\nbox')) == []


def test_a_passenger_is_where_its_carrier_is() -> None:
    """A carrier outside the zone is told, its rider is not told once more."""
    both = unit("V", "at = [38, 10]") + "\n" + unit("R", "at = [38, 10]")
    assert said(both) == [("V", "", True)]


def test_a_zone_of_any_side_is_one_of_ours() -> None:
    """A zone without a side is for everybody."""
    both = SCENARIO + '[[zone]]\nid = "all"\nbox = [36, 15, 39, 25]\n'
    assert said(unit("G", "at = [37, 20]"), both) == []


def test_a_dummy_far_from_any_real_unit() -> None:
    """S11.2: 12 inches, base to base."""
    near, far = (unit("D", "dummy = true", f"at = [{x}, 20]") for x in (23 - 0.25, 31))
    assert ("D", "S11.2", True) not in said(near)
    assert said(far) == [("D", "S11.2", True)]


def test_more_dummies_than_real_units() -> None:
    """S11.2: four dummies for the three real units; three are allowed."""
    dummies = [unit(f"D{k}", "dummy = true", f"at = [{4 + 3 * k}, 15]") for k in range(4)]
    assert said("\n".join(dummies[:3])) == []
    assert said("\n".join(dummies)) == [("", "S11.2", True)]


@pytest.mark.parametrize(
    ("spot", "rules"),
    [("[25, 15]", []), ("[11, 20]", ["C6.42"]), ("[50, 20]", ["C6.42", "C6.42"])],
)
def test_bore_sights(spot: str, rules: list[str]) -> None:
    """F7: a spot in sight and in range is fine; in its own hex, or too far and behind a house, it is not."""
    found = said(f'[[boresight]]\nunit = "G"\nat = {spot}')
    assert found == [("G", rule, True) for rule in rules]


def test_a_weapon_is_laid_once() -> None:
    """C6.42: the second spot of a weapon is against the rules."""
    laying = '[[boresight]]\nunit = "G"\nat = [25, 15]\n'
    assert said(laying + laying) == [("G", "C6.42", True)]


def test_bases_that_lie_in_each_other() -> None:
    """Two bases that touch are fine; one in the other is not, and is told once."""
    assert said(unit("G", "at = [11.5, 10]")) == []
    assert said(unit("G", "at = [11, 10]")) == [("G", "S7.6", True)]


def test_a_base_across_a_wall_or_the_edge_of_a_building() -> None:
    """Against a wall is fine, across it not; inside a house is fine, across its edge not."""
    assert said(unit("G", "at = [19.5, 6]")) == []
    assert said(unit("G", "at = [19.8, 6]")) == [("G", "S7.6", True)]
    assert said(unit("G", "at = [23, 23]")) == []
    assert said(unit("G", "at = [20.2, 23]")) == [("G", "S7.6", True)]


def test_a_base_over_the_edge_of_the_table() -> None:
    """Its centre is on the table, its corner is not."""
    assert said(unit("G", "at = [0.5, 20]")) == []
    assert said(unit("G", "at = [0.25, 20]")) == [("G", "", True)]


def test_a_passenger_left_behind() -> None:
    """S11.1: the carrier is set up elsewhere and its rider is not; and a rider has no token of its own."""
    assert said(unit("V", "at = [14, 12]")) == [("R", "S11.1", True)]
    assert said(unit("V", "at = [14, 12]") + "\n" + unit("R", "at = [14, 12]")) == []
    assert said(unit("R", 'token = "X1"')) == [("R", "S11.1", True)]


def test_a_hidden_unit_in_the_open_in_sight_of_the_enemy() -> None:
    """S12.2, S2.5: a warning; not in a wood, not behind a house, not for a unit that is not hidden."""
    bare = SCENARIO.replace("box = [40, -1, 41, 41]", "box = [40, -1, 41, 1]")
    assert said(unit("G", "hidden = true")) == []
    assert said(unit("G", "hidden = true"), bare) == [("G", "S12.2", False)]
    assert said(unit("G", "hidden = true", "at = [11.25, 30]"), bare) == []
    assert said("", bare) == []


def test_places_off_the_table() -> None:
    """The number of the table in the file, and the place."""
    read = setup(unit("G", "at = [5, 5]") + "\n" + unit("V", "at = [61, 5]"))
    assert [number for number, _ in off_table(read, 60.0, 40.0)] == [1]


# --- minis plan check ------------------------------------------------------------------------------------------------


def run(tmp_path: Path, text: str, *more: str, scenario: str = SCENARIO) -> tuple[int, str]:
    """The exit status and what is printed for a set-up file and a scenario file."""
    (tmp_path / "s.toml").write_text(scenario, encoding="utf-8")
    (tmp_path / "axis.toml").write_text(f'side = "axis"\n{text}\n', encoding="utf-8")
    args = ["plan", "check", str(tmp_path / "axis.toml"), "-g", str(tmp_path / "s.toml"), *more]
    result = CliRunner().invoke(cli, args)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_exit_status_of_a_good_set_up(tmp_path: Path) -> None:
    """0 where all is fine, and where there are warnings alone."""
    code, text = run(tmp_path, unit("G", "at = [12, 20]"))
    assert (code, "axis.toml: fine." in text) == (0, True)
    bare = SCENARIO.replace("box = [40, -1, 41, 41]", "box = [40, -1, 41, 1]")
    code, text = run(tmp_path, unit("G", "hidden = true"), scenario=bare)
    assert (code, "fine, with 1 warning" in text, "S12.2" in text) == (0, True, True)


def test_exit_status_of_a_set_up_against_the_rules(tmp_path: Path) -> None:
    """1, and everything is listed with its reason and rule, as text and as data."""
    wrong = unit("G", "at = [36.5, 20]") + "\n" + unit("D", "dummy = true", "at = [2, 2]")
    code, text = run(tmp_path, wrong)
    assert code == 1
    assert "1 thing against the rules" in text
    assert "G: its centre, 36 1/2, 20, is in no zone of axis: west" in text
    code, text = run(tmp_path, wrong + '\n[[boresight]]\nunit = "G"\nat = [37, 20]', "--json")
    answer = json.loads(text)
    assert (code, answer["fine"]) == (1, False)
    assert [(one["unit"], one["rule"]) for one in answer["findings"]] == [("G", None), ("G", "C6.42")]


def test_exit_status_of_what_cannot_be_used(tmp_path: Path) -> None:
    """2: a place off the table with its line, a unit there is not, a set-up that is none, a scenario that is none."""
    code, text = run(tmp_path, unit("G", "at = [61, 20]"))
    assert (code, "axis.toml:4:1: unit[0].at" in text, "off the table" in text) == (2, True, True)
    code, text = run(tmp_path, unit("X"))
    assert (code, "no unit 'X'" in text) == (2, True)
    code, text = run(tmp_path, "[[unit]]")
    assert (code, "unit[0].id" in text) == (2, True)
    code, text = run(tmp_path, unit("G"), scenario="[tabel]\n")
    assert (code, "table" in text) == (2, True)


def test_a_side_checks_its_own_set_up_alone(tmp_path: Path) -> None:
    """--as: the enemy's set-up is refused, and what one does not know of the enemy is not looked at."""
    bare = SCENARIO.replace("box = [40, -1, 41, 41]", "box = [40, -1, 41, 1]").replace(
        'kind = "vehicle"\nat = [55, 20]', 'kind = "vehicle"\nhidden = true\nat = [55, 20]'
    )
    assert "warning" in run(tmp_path, unit("G", "hidden = true"), scenario=bare)[1]
    code, text = run(tmp_path, unit("G", "hidden = true"), "--as", "axis", scenario=bare)
    assert (code, "warning" in text) == (0, False)
    code, text = run(tmp_path, unit("G"), "--as", "allied")
    assert (code, "no set-up of allied" in text) == (2, True)
    code, text = run(tmp_path, unit("G"), "--as", "axis", scenario="[tabel]\n")
    assert (code, "tabel" in text) == (2, False)
