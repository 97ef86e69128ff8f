"""The shipped folder of house rules: another damage table and a darker evening, and every ruling says so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from minis.cli.main import cli
from minis.fire.effects import EffectFacts, effect, resolve
from minis.rules import examples_folder, load_rules

HOUSE = examples_folder() / "house-rules"
HIT = EffectFacts("afv", "vehicle", "75L", "AP", 10, location="turret", aspect="front", armour=8)


def test_another_damage_table_gives_other_results() -> None:
    """A roll of 12 is a dud by the shipped table and nothing special by the house's."""
    shipped, house = load_rules(), load_rules(HOUSE)
    assert resolve(effect(HIT, shipped), (6, 6)).result == "dud"
    assert resolve(effect(HIT, house), (6, 6)).result == "no effect"


def test_a_changed_row_changes_the_odds() -> None:
    """A burning wreck on a third of the To Kill number 9 is a roll of 3, on half of it a roll of 4."""
    shipped, house = effect(HIT, load_rules()), effect(HIT, load_rules(HOUSE))
    assert (str(shipped.odds["burning wreck"]), str(house.odds["burning wreck"])) == ("1/6", "1/12")
    assert sum(house.odds.values()) == 1


def test_rulings_name_the_house_rules_they_used_and_those_taken_out() -> None:
    """The row that was changed and the rows that were taken out are named, in text and as data."""
    shot = ["tape", "fire", "20in", "vehicle", "75L", "--armour", "8", "--aspect", "front", "--dice", "2,3"]
    args = [*shot, "--effect-dice", "1,2", "--tables", str(HOUSE)]
    text = CliRunner().invoke(cli, args).output
    assert "house rules used: a third of the number or less" in text
    assert "take out: kill-results/dud, sighting-modifiers/target-moved" in text
    answer = json.loads(CliRunner().invoke(cli, [*args, "--json"]).output)
    assert answer["house_rules"] == ["kill-results/half"]
    assert answer["house_removed"] == ["kill-results/dud", "sighting-modifiers/target-moved"]
    assert json.loads(CliRunner().invoke(cli, [*shot, "--json"]).output)["house_removed"] == []


@pytest.mark.parametrize("command", re.findall(r"^\$ minis (.+)$", (HOUSE / "README.md").read_text(), re.MULTILINE))
def test_the_commands_of_its_readme_run(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of the folder's README is answered."""
    monkeypatch.chdir(Path(examples_folder()).parent)
    done = CliRunner().invoke(cli, command.split())
    assert (done.exit_code, "house rules" in done.output) == (0, True), done.output


def test_a_house_may_measure_its_hexes_otherwise(tmp_path: Path) -> None:
    """Inches to the hex are a row of the table (F1.1): at 3 inches the same 28 inches are 10 hexes, not 14."""
    row = '[[row]]\nid = "inches-per-hex"\nvalue = 3\nsource = "house"\n'
    (tmp_path / "fire.toml").write_text(row, encoding="utf-8")
    shot = ["tape", "fire", "28in", "vehicle", "75L", "--json"]
    shipped = json.loads(CliRunner().invoke(cli, shot).output)
    changed = json.loads(CliRunner().invoke(cli, [*shot, "--tables", str(tmp_path)]).output)
    assert (shipped["range_hexes"], changed["range_hexes"]) == (14, 10)
    assert changed["house_rules"] == ["fire/inches-per-hex"]
