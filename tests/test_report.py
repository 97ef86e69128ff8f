"""The report at the end of a game, and the table as it stands: what is told, what is kept back, and from whom."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from minis.cli import main
from minis.errors import MinisError
from minis.game import control
from minis.game.chain import Event
from minis.game.dice_report import Count
from minis.game.fates import HIDDEN
from minis.game.game import Game
from minis.game.opening import prepare
from minis.game.report import NOT_ENDED, Report, check_ended, report
from minis.game.report_text import _plain, report_answer, report_text
from minis.game.seals import Seal, seal_of
from minis.game.setup import read_setup
from minis.rules import examples_folder

KEY = bytes(range(32))

SCENARIO = """
title = "A *field*"
[table]
width = 60
depth = 40
[types.tank]
kind = "vehicle"
armoured = true
size = "large"
base = [2.4, 1.2]
nation = "us"
mount = "T"
armour = { hull = { front = 8, side = 4, rear = 4 }, turret = { front = 8, side = 6, rear = 6 }, aerial = 4 }
weapons = [{ id = "main", gun = "76*", ammo = ["AP", "HE", "SMOKE"], rof = 1 }]
[types.gun]
kind = "gun"
size = "large"
nation = "german"
weapons = [{ id = "main", gun = "75L", ammo = ["AP", "HE"], rof = 2 }]
[types.squad]
kind = "infantry"
[[terrain]]
id = "wood"
kind = "woods"
box = [48, 30, 56, 38]
[[smoke]]
id = "cloud"
circle = { centre = [30, 2], radius = 1 }
until_turn = 4
[[unit]]
id = "T1"
side = "allied"
type = "tank"
at = [10, 20]
facing = 90
[[unit]]
id = "T2"
side = "allied"
type = "squad"
at = [10, 30]
token = "A2"
[[unit]]
id = "T3"
side = "allied"
kind = "vehicle"
at = [12, 8]
facing = 90
tow = "T4"
token = "A3"
[[unit]]
id = "T4"
side = "allied"
type = "gun"
at = [10, 8]
facing = 90
[[unit]]
id = "P1"
side = "axis"
type = "tank"
at = [45, 20]
facing = 270
[[unit]]
id = "P2"
side = "axis"
type = "squad"
at = [45, 26]
token = "X2"
[[unit]]
id = "P3"
side = "axis"
type = "squad"
at = [48, 24]
token = "X3"
dummy = true
[[unit]]
id = "P4"
side = "axis"
type = "gun"
at = [45, 10]
facing = 270
hidden = true
[[unit]]
id = "P5"
side = "axis"
type = "squad"
at = [48.5, 31]
"""
"""T1 and P1 face each other over open ground; X3 is a dummy, P4 hidden, P5 in the edge of a wood."""

HIT = {"coloured": [1], "white": [2]}
MISS = {"coloured": [6], "white": [5]}
NAMES = {"sight": ("sighter", "target"), "identify": ("sighter", "target"), "fire": ("firer", "target")}


class Table:
    """A game under way, acted on in the words of a judge."""

    def __init__(self, game: Game):
        self.game = game

    def act(self, kind: str, *names: str, dice: dict[str, list[int]] | None = None, **asked: Any) -> Event:
        """Rule on an act that must be recorded; an identification says so."""
        asked |= dict(zip(NAMES.get(kind, ("unit",)), names, strict=False))
        if kind == "identify":
            asked["procedure"] = "identify"
        event = self.game.act(kind, asked, dice)[1]
        assert event is not None
        return event

    def end(self) -> Event:
        """End the game: the key is shown."""
        return self.act("end", key=KEY.hex())

    @property
    def report(self) -> Report:
        """The report as it is now."""
        return report(self.game)


def begin(folder: Path, text: str = SCENARIO, **more: Any) -> Table:
    """A game of a scenario, in turn 1."""
    path = folder / "field.toml"
    path.write_text(text, encoding="utf-8")
    table = Table(Game.begin(folder / "a.game", prepare(path, key=KEY, **more), KEY))
    table.act("turn")
    return table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A game of the field, in turn 1."""
    begun = begin(tmp_path)
    yield begun
    begun.game.close()


def section(table: Table, title: str) -> list[str]:
    """The lines of one section of the Markdown."""
    return report_text(table.report).split(f"\n## {title}\n\n")[1].split("\n\n## ")[0].splitlines()


def line(table: Table, title: str, word: str) -> str:
    """The one line of a section that holds a word."""
    found = [text for text in section(table, title) if word in text]
    assert len(found) == 1, found
    return found[0]


# --- tokens and hidden units ---------------------------------------------------------------------------------------


def test_a_token_that_was_identified(table: Table) -> None:
    """It says what the token stood for, who identified it, in which turn and event."""
    event = table.act("identify", "T1", "P2", dice={"sighting": [99]})
    cover = next(cover for cover in table.report.tokens if cover.token == "X2")
    assert (cover.unit, cover.since) == ("P2", None)
    assert cover.until is not None
    assert (cover.until.event, cover.until.turn, cover.until.how) == (event.seq, 1, "identified by T1")
    text = line(table, "Tokens", "X2")
    assert "P2, squad (infantry)" in text
    assert f"identified by T1 (turn 1, prep fire, event {event.seq})" in text


def test_an_identification_that_fails_reveals_nothing(table: Table) -> None:
    """The token stays a token."""
    table.act("identify", "T1", "P2", dice={"sighting": [1]})
    assert "It is a token still" in line(table, "Tokens", "X2")


def test_a_dummy_is_told_as_a_dummy(table: Table) -> None:
    """A dummy was nothing, whatever type the scenario gives it, and its removal is no loss."""
    table.act("identify", "T1", "X3", dice={"sighting": [100]})
    assert "P3, a dummy. Revealed: identified by T1" in line(table, "Tokens", "X3")
    assert table.report.losses == ()


def test_a_token_that_came_near_an_enemy(table: Table) -> None:
    """S10.2: a token that moves in the open near an enemy is replaced, and the report says near whom."""
    table.act("move", "P2", to=[30, 22])
    assert "came near T1 (S10.2)" in line(table, "Tokens", "X2")


def test_a_token_that_nobody_looked_at_is_told_at_the_end(table: Table) -> None:
    """While the game is on it is a token still; then it is revealed by the end."""
    assert "It is a token still" in line(table, "Tokens", "A2")
    table.end()
    assert "T2, squad (infantry). Revealed: at the end of the game" in line(table, "Tokens", "A2")


def test_a_hidden_unit_that_was_sighted_gets_a_token_of_the_game(table: Table) -> None:
    """F1.5: its hiding ends, and the token that it gets is in the list with the moment since when."""
    event = table.act("sight", "T1", "P4", dice={"sighting": [100]})
    hidden = next(cover for cover in table.report.hidden if cover.unit == "P4")
    token = next(cover for cover in table.report.tokens if cover.unit == "P4")
    assert hidden.until is not None
    assert hidden.until == token.since
    assert (hidden.until.event, hidden.until.how, token.token) == (event.seq, "sighted by T1", "spot-1")
    assert "On it since: sighted by T1" in line(table, "Tokens", "spot-1")
    assert "at 45, 10 from the set-up. It left hiding at 45, 10: sighted by T1" in line(table, "Hidden units", "P4")


def test_a_hidden_unit_that_moves_is_placed_elsewhere(table: Table) -> None:
    """Where it was at the start and where it was placed are told apart."""
    table.act("move", "P4", to=[50, 12])
    table.act("place", "P4", why="it was seen")
    text = line(table, "Hidden units", "P4")
    assert "hidden at 45, 10 from the set-up. It left hiding at 50, 12: placed by the judge: it was seen" in text


def test_a_hidden_gun_that_fires_is_placed(table: Table) -> None:
    """S12.3: it is placed when it has fired; of a hit, when the effect is taken."""
    table.act("sight", "P4", "T1", dice={"sighting": [100]})
    shot = table.act("fire", "P4", "T1", dice=HIT)
    assert "It is hidden still" in line(table, "Hidden units", "P4")
    effect = table.act("effect", event=shot.seq, take="immobilized")
    assert f"fired (turn 1, prep fire, event {effect.seq})" in line(table, "Hidden units", "P4")
    assert table.report.losses == ()


def test_what_was_hidden_to_the_end_is_told_at_the_end(table: Table) -> None:
    """A hidden unit that nobody found is told with its place."""
    table.end()
    assert line(table, "Hidden units", "P4").endswith(
        "hidden at 45, 10 from the set-up. Hidden to the end of the game."
    )


# --- losses --------------------------------------------------------------------------------------------------------


def kill(table: Table, firer: str, target: str, sighting: int = 100) -> tuple[Event, Event]:
    """A sighting, a hit, and its effect as the judge takes it."""
    table.act("sight", firer, target, dice={"sighting": [sighting]})
    shot = table.act("fire", firer, target, dice=HIT)
    return shot, table.act("effect", event=shot.seq, take="eliminated")


def test_a_loss_says_what_did_it_by_whom_with_which_weapon(table: Table) -> None:
    """A tank that everybody saw burn was kept back from nobody."""
    shot, effect = kill(table, "T1", "P1")
    (loss,) = table.report.losses
    assert (loss.unit, loss.result, loss.by, loss.weapon) == ("P1", "eliminated", "T1", "main")
    assert (loss.shot, loss.event, loss.turn, loss.kept_back) == (shot.seq, effect.seq, 1, False)
    text = line(table, "Losses: axis", "P1")
    assert f"eliminated, by T1 with main, shot of event {shot.seq} (turn 1, event {effect.seq})" in text
    assert "Kept back" not in text
    assert section(table, "Losses: allied") == ["None."]


def test_a_token_that_was_killed_is_kept_back_until_the_report(table: Table) -> None:
    """S11.4: the firer learns at the end what the token was; what it towed is hidden until the judge rules on it."""
    kill(table, "P1", "T3")
    (truck,) = table.report.losses
    assert (truck.unit, truck.kept_back) == ("T3", True)
    assert table.game.state.unit("T4").hidden
    text = line(table, "Losses: allied", "T3, vehicle")
    assert "Kept back from the firer until the end of the game** (S11.4): it was token A3" in text
    assert "Revealed: eliminated, by P1 with main" in line(table, "Tokens", "A3")


def test_a_firer_that_was_named_by_its_token_is_told_by_its_id(table: Table) -> None:
    """The judge may type the token of the firer and of the target; the loss names the units."""
    table.act("sight", "T1", "P4", dice={"sighting": [100]})
    table.act("sight", "spot-1", "A3", dice={"sighting": [100]})
    shot = table.act("fire", "spot-1", "A3", dice=HIT)
    table.act("effect", event=shot.seq, take="eliminated")
    assert [(loss.unit, loss.by) for loss in table.report.losses] == [("T3", "P4")]


def test_a_unit_that_the_judge_takes_off_is_a_loss_by_nobody(table: Table) -> None:
    """A removal by hand has no firer; a wreck that is taken off is no second loss."""
    kill(table, "T1", "P1")
    table.act("remove", "P1", how="towed away")
    table.act("remove", "T1", how="left the table")
    assert [(loss.unit, loss.result, loss.by) for loss in table.report.losses] == [
        ("P1", "eliminated", "T1"),
        ("T1", "left the table", None),
    ]
    assert line(table, "Losses: allied", "T1").endswith("left the table (turn 1, event 7).")


# --- dice ----------------------------------------------------------------------------------------------------------


def test_sightings_are_counted_against_the_sum_of_their_chances(table: Table) -> None:
    """By the side of the unit that looked: number, mean, how many succeeded, how many were to be expected, exactly."""
    events = [
        table.act("sight", "T1", "P1", dice={"sighting": [80]}),
        table.act("sight", "T1", "P2", dice={"sighting": [3]}),
        table.act("identify", "T1", "P2", dice={"sighting": [100]}),
    ]
    table.act("sight", "P1", "T1", dice={"sighting": [7]})
    count = table.report.dice["allied"].sighting
    chances = [Fraction(event.data["answer"]["chance"]["fraction"]) for event in events]
    assert all(0 < chance < 1 for chance in chances)
    assert (count.rolls, count.mean, count.succeeded) == (3, Fraction(183, 3), 2)
    assert count.expected == sum(chances)
    assert table.report.dice["axis"].sighting.rolls == 1
    assert report_answer(table.report)["dice"]["allied"]["sighting"]["expected"] == str(sum(chances))


def test_a_smoke_die_is_typed_but_no_sighting_die(table: Table) -> None:
    """S8: the chance is that after the smoke die, and its face is in no mean."""
    table.act("smoke", do="place", at=[28, 20])
    event = table.act("sight", "T1", "P1", dice={"smoke": [10], "sighting": [90]})
    dice = table.report.dice["allied"]
    assert (dice.sighting.rolls, dice.sighting.mean, dice.typed) == (1, 90, 2)
    assert dice.sighting.expected == Fraction(101 - event.data["answer"]["need"], 100)


def test_shots_are_counted_against_their_odds(table: Table) -> None:
    """Two dice a throw, the odds of each shot, and the dice of the effect two by two."""
    table.act("sight", "T1", "P1", dice={"sighting": [100]})
    hit = table.act("fire", "T1", "P1", dice=HIT | {"effect": [4, 6]})
    miss = table.act("fire", "T1", "P1", dice=MISS)
    dice = table.report.dice["allied"]
    expected = sum(Fraction(event.data["answer"]["odds"]["hit"]) for event in (hit, miss))
    assert (dice.to_hit.rolls, dice.to_hit.mean, dice.to_hit.succeeded) == (2, 7, 1)
    assert dice.to_hit.expected == expected
    assert (dice.effect.rolls, dice.effect.mean) == (1, 10)
    assert (dice.typed, dice.thrown) == (7, 0)
    assert "2 throws, mean 7 (usual 7); 1 of 2 hit" in line(table, "Dice: allied", "To Hit")


def test_a_throw_at_two_targets_is_one_roll_and_two_tries(table: Table) -> None:
    """F5.5: one throw is judged for each target; the sightings under it count too, each of its own."""
    event = table.act("fire", "T1", "P1", also=["P2"], ammo="HE", type="area", dice=HIT | {"sighting": [99, 98]})
    count = table.report.dice["allied"]
    odds = [Fraction(one["odds"]["hit"]) for one in (event.data["answer"], *event.data["answer"]["others"])]
    assert (count.to_hit.rolls, count.to_hit.tries, count.to_hit.expected) == (1, 2, sum(odds))
    assert (count.sighting.rolls, count.sighting.total, count.sighting.succeeded) == (2, 197, 2)


def test_dice_of_the_machine_are_told_from_those_typed(table: Table) -> None:
    """The side of the unit that acted has them."""
    table.game.act("sight", {"sighter": "P1", "target": "T1"}, throws=True)
    table.act("manoeuvre", "T1", dice={"manoeuvre": [6]})
    dice = table.report.dice
    assert [(dice[side].typed, dice[side].thrown) for side in ("allied", "axis")] == [(1, 0), (0, 1)]


def test_what_was_automatic_is_no_roll(table: Table) -> None:
    """A sighting without a die is not in the statistics."""
    table.act("move", "T1", to=[25, 20])
    table.act("sight", "T1", "P1")
    assert table.report.dice["allied"].sighting.rolls == 0
    assert section(table, "Dice: allied") == ["None."]


@given(st.lists(st.tuples(st.integers(1, 100), st.fractions(0, 1, max_denominator=100), st.booleans())))
def test_a_count_is_its_sum(rolls: list[tuple[int, Fraction, bool]]) -> None:
    """Mean, successes and expectation are those of a list that is added up in one go."""
    count = Count()
    for face, chance, succeeded in rolls:
        count.add(face)
        count.tried(chance, succeeded=succeeded)
    assert count.expected == sum(chance for _, chance, _ in rolls)
    assert count.succeeded == [succeeded for _, _, succeeded in rolls].count(True)
    assert count.mean == (Fraction(sum(face for face, _, _ in rolls), len(rolls)) if rolls else None)


# --- events about events -------------------------------------------------------------------------------------------


def test_what_was_taken_back_did_not_happen(table: Table) -> None:
    """Its dice, its loss, its reveal and its house numbers count nowhere; it is listed with the reason of the undo."""
    table.act("set", "P1", facts={"fired": True})
    seen = table.act("identify", "T1", "P2", dice={"sighting": [99]})
    shot, effect = kill(table, "T1", "P1")
    assert table.report.house_numbers
    sighting = effect.seq - 2
    for number in (effect.seq, shot.seq, sighting, seen.seq):
        control.undo(table.game, number, f"slip {number}")
    found = table.report
    assert found.losses == ()
    assert all(cover.until is None for cover in found.tokens)
    assert (found.dice["allied"].sighting.rolls, found.dice["allied"].typed) == (0, 0)
    assert found.house_numbers == ()
    assert [(said.event, said.why) for said in found.taken_back] == [
        (number, f"slip {number}") for number in (seen.seq, sighting, shot.seq, effect.seq)
    ]
    control.redo(table.game, seen.seq)
    assert table.report.dice["allied"].sighting.rolls == 1
    assert seen.seq not in [said.event for said in table.report.taken_back]


def test_new_dice_stand_with_their_reason(table: Table) -> None:
    """The die that fell off the table: what was thrown anew, and why."""
    event = table.act("sight", "T1", "P1", dice={"sighting": [3]})
    control.undo(table.game, event.seq, "cocked")
    ordered = control.new_dice(table.game, event.seq, "it lay under the hill")
    text = line(table, "New dice", f"event {ordered.seq}")
    assert f"for event {event.seq}" in text
    assert text.endswith("Why: it lay under the hill.")


def test_the_word_of_the_judge_rules_and_the_dice_stay_what_they_were(table: Table) -> None:
    """An identification that he grants reveals the token; the die still counts as a failure."""
    event = table.act("identify", "T1", "P2", dice={"sighting": [1]})
    over = control.overrule(table.game, event.seq, "sighted", "the flag was out")
    assert "identified by T1" in line(table, "Tokens", "X2")
    assert table.report.dice["allied"].sighting.succeeded == 0
    text = line(table, "Overrulings", f"event {over.seq}")
    assert f"on event {event.seq}" in text
    assert text.endswith("sighted. Why: the flag was out.")


def test_an_overruling_that_fell_is_listed_with_its_fate(table: Table) -> None:
    """All overrulings are told: one replaced by another, one taken back, one whose event is taken back."""
    event = table.act("identify", "T1", "P2", dice={"sighting": [1]})
    control.overrule(table.game, event.seq, "sighted", "one")
    second = control.overrule(table.game, event.seq, "not sighted", "two")
    assert [said.fate for said in table.report.overrulings] == [f"replaced by event {second.seq}", ""]
    control.undo(table.game, second.seq)
    assert [said.fate for said in table.report.overrulings] == ["", "taken back"]
    assert "*Taken back.*" in line(table, "Overrulings", "two")
    control.redo(table.game, second.seq)
    control.undo(table.game, event.seq)
    assert [said.fate for said in table.report.overrulings][1] == f"event {event.seq} is taken back"


# --- seals, switches, house rules ----------------------------------------------------------------------------------


def test_seals_seeds_and_the_key(tmp_path: Path) -> None:
    """The words of each seal and the hash of the key stand from the start, the key itself when the game has ended."""
    path = tmp_path / "axis.toml"
    path.write_text('side = "axis"\n[[unit]]\nid = "P4"\nat = [44, 9]\nhidden = true\n', encoding="utf-8")
    setup, salt = read_setup(path), bytes(16)
    seal = Seal(salt, seal_of(setup.text.encode(), salt))
    table = begin(tmp_path, setups=[(setup, seal)])
    with table.game:
        control.seed(table.game, "axis", "tulip | rose")
        assert seal.words in line(table, "Seals, seeds and the key of the dice", "Set-up of axis")
        assert "Seed of axis: tulip \\| rose" in line(table, "Seals, seeds and the key of the dice", "Seed")
        assert table.report.key is None
        assert KEY.hex() not in report_text(table.report)
        assert "hidden at 44, 9 from the set-up" in line(table, "Hidden units", "P4")
        table.end()
        assert table.report.key == KEY.hex()
        assert f"The key: {KEY.hex()}" in report_text(table.report)


def test_switches_and_house_rules_that_were_used(tmp_path: Path) -> None:
    """Switches that are not at their default, rows of the house folder with how often, and what it took out."""
    text = SCENARIO.replace("[table]", '[switches]\nradio_penalty = "yes"\n[table]')
    table = begin(tmp_path, text, house=examples_folder() / "house-rules")
    with table.game:
        table.act("sight", "T1", "P1", dice={"sighting": [100]})
        table.act("sight", "P1", "T1", dice={"sighting": [100]})
        assert section(table, "Switches not at their default") == ["- radio_penalty = yes"]
        assert [(row.name, row.label, row.times) for row in table.report.house_rules] == [
            ("sighting-modifiers/dusk", "dusk", 2)
        ]
        assert "target-moved" in line(table, "House rules", "Taken out")
        (number,) = table.report.house_numbers
        assert (number.value, number.label, number.times) == (20, "dusk", 2)
        assert number.source.startswith("house rule")


def test_house_numbers_that_were_used(table: Table) -> None:
    """Numbers that no printed rule has: label, value, and how often a die was thrown under them."""
    table.act("set", "P1", facts={"fired": True})
    table.act("set", "P2", facts={"fired": True})
    for target in ("P1", "P2"):
        table.act("sight", "T1", target, dice={"sighting": [100]})
    assert [(n.value, n.label, n.times) for n in table.report.house_numbers] == [(-20, "target fired", 2)]
    assert "-20 target fired (S3, house), used 2 times" in section(table, "House numbers")[0]


def test_the_sum_of_a_sighting_that_no_die_decided_is_not_used(table: Table) -> None:
    """A shot at what is sighted already does not rest on the sum of another sighting."""
    table.act("sight", "T1", "P1", dice={"sighting": [100]})
    table.act("set", "T1", facts={"moved": True})
    event = table.act("fire", "T1", "P1", dice=MISS)
    assert "sighter moved" in [item["label"] for item in event.data["answer"]["sighting"]["tally"]]
    assert "sighter moved" not in [number.label for number in table.report.house_numbers]


def test_the_percentage_of_a_small_unit_in_cover_is_a_house_number(table: Table) -> None:
    """S2.4: the row of its distance, as the roll was made under it."""
    table.act("set", "P5", facts={"fired": True})
    event = table.act("sight", "T1", "P5", dice={"sighting": [1]})
    assert event.data["answer"]["test"] == "at_most"
    (number,) = table.report.house_numbers
    assert (number.value, number.rule) == (event.data["answer"]["need"], "S2.4")
    assert number.label == "percent, small in cover, up to 40 inches"


def test_bore_sights_and_notes(tmp_path: Path) -> None:
    """What was laid at set-up and what the judge wrote down, on one line and without any sign of Markdown."""
    path = tmp_path / "field.toml"
    path.write_text(SCENARIO, encoding="utf-8")
    with Game.begin(tmp_path / "a.game", prepare(path, key=KEY), KEY) as game:
        table = Table(game)
        table.act("boresight", "P4", at=[20, 12])
        note = table.act("note", text="# rain\n*heavy* `x`")
        assert section(table, "Bore sights") == ["- P4 main on 20, 12"]
        assert section(table, "Notes") == [f"- event {note.seq}, set-up: \\# rain \\*heavy\\* \\`x\\`"]


@given(st.text())
def test_words_of_a_player_make_no_markdown(words: str) -> None:
    """They stay on one line, say what they said, and nothing of them is a sign."""
    plain = _plain(words)
    assert len(plain.splitlines()) <= 1
    unescaped = iter(plain)
    assert "".join(next(unescaped) if c == "\\" else c for c in unescaped) == " ".join(words.split())
    assert not any(c in "`*<>[]|#&" and (i == 0 or plain[i - 1] != "\\") for i, c in enumerate(plain))


def test_a_game_just_begun_has_a_report(tmp_path: Path) -> None:
    """Every section is there and says that it has nothing to tell; the data is plain."""
    text = SCENARIO.replace('token = "', '# "').replace("hidden = true", "").replace("dummy = true", "")
    table = begin(tmp_path, text)
    with table.game:
        told = report_text(table.report)
        assert told.startswith("# A \\*field\\*\n\n**The game has not ended: this is the judge's own look.**")
        assert told.count("\nNone.") == told.count("\n## ") - 1  # the hash of the key is there from the start
        answer = report_answer(table.report)
        assert json.loads(json.dumps(answer)) == answer | {"tokens": [], "hidden": [], "losses": []}


def test_every_kind_of_act_can_be_reported(table: Table) -> None:
    """After each act of a long game the report tells it in both forms, and hiding of every kind is accounted for."""
    acts: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
        ("move", ("T1",), {"to": [14, 20]}),
        ("smoke", (), {"do": "place", "at": [30, 30]}),
        ("unload", ("T4",), {}),
        ("load", ("T4",), {"carrier": "T3", "tow": True}),
        ("unload", ("T4",), {"at": [9, 9]}),
        ("place", ("T4",), {}),
        ("set", ("T1",), {"facts": {"stun": 1, "immobile": True}}),
        ("weapon", ("T1",), {"state": "malfunction"}),
        ("manoeuvre", ("P1",), {"dice": {"manoeuvre": [1]}}),
        ("place", ("P4",), {"token": True}),
        ("place", ("P4",), {}),
        ("note", (), {"text": "so it is"}),
        ("remove", ("P5",), {}),
        ("turn", (), {}),
    ]
    for kind, names, asked in acts:
        table.act(kind, *names, **asked)
        assert report_text(table.report)
        json.dumps(report_answer(table.report))
    on = [(cover.token, cover.since.how if cover.since else "") for cover in table.report.tokens if cover.unit == "T4"]
    assert [since for _, since in on] == ["left T3", "left T3"]
    gun = [cover for cover in (*table.report.hidden, *table.report.tokens) if cover.unit == "P4"]
    assert [cover.token == HIDDEN for cover in gun] == [True, False]
    assert all(cover.until and cover.until.how == "placed by the judge" for cover in gun)


# --- to whom it is told --------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands by their names, whatever the environment says."""
    monkeypatch.delenv("MINIS_SIDE", raising=False)
    monkeypatch.delenv("MINIS_GAME", raising=False)
    for name in ("report", "show"):
        monkeypatch.setitem(main.COMMANDS, name, ("minis.cli.report", ""))


def run(*args: object) -> Result:
    """A command as the command line runs it; a fault of the program is shown as it is."""
    return CliRunner().invoke(main.cli, [str(arg) for arg in args], catch_exceptions=False)


def test_a_side_hears_nothing_before_the_end(table: Table) -> None:
    """S11.4: whatever the file holds and whatever is asked, the answer is the same; the judge may look."""
    before = [run("report", "-g", table.game.path, "--as", side, *more) for side in ("allied", "axis", "nobody")
              for more in ((), ("--json",))]  # fmt: skip
    kill(table, "P1", "T3")
    after = run("report", "-g", table.game.path, "--as", "axis")
    assert {(found.exit_code, found.stdout, found.stderr) for found in [*before, after]} == {(1, "", f"{NOT_ENDED}\n")}
    judge = run("report", "-g", table.game.path)
    assert judge.exit_code == 0
    assert "this is the judge's own look" in judge.stdout
    with pytest.raises(MinisError, match=NOT_ENDED):
        check_ended(table.game)


def test_everybody_gets_the_whole_when_the_game_has_ended(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A side reads what the judge reads, also where the environment says who asks; an end taken back ends that."""
    kill(table, "P1", "T3")
    end = table.end()
    whole = run("report", "-g", table.game.path).stdout
    assert f"ended in turn 1, prep fire (event {end.seq})" in whole
    assert run("report", "-g", table.game.path, "--markdown", "--as", "axis").stdout == whole
    monkeypatch.setenv("MINIS_SIDE", "axis")
    answer = json.loads(run("report", "-g", table.game.path, "--json").stdout)
    assert answer == json.loads(json.dumps(report_answer(table.report)))
    control.undo(table.game, end.seq)
    assert run("report", "-g", table.game.path).exit_code == 1


def test_a_damaged_game_tells_a_side_nothing(table: Table) -> None:
    """What is wrong with the file is the judge's to know; report and show answer a side alike."""
    path = table.game.path
    table.game.close()
    raw = bytearray(path.read_bytes())
    at = raw.index(b'"kind') if b'"kind' in raw else raw.index(b'"turn"')
    raw[at + 1] ^= 1
    path.write_bytes(raw)
    for command in ("report", "show"):
        judge, side = run(command, "-g", path), run(command, "-g", path, "--as", "axis")
        assert (judge.exit_code, side.exit_code, side.stdout) == (2, 2, "")
        assert "event" in judge.stderr
        assert side.stderr == f"{path}: cannot be shown: it is damaged; the judge's `minis verify` says where\n"


def test_what_is_no_game_has_no_report(tmp_path: Path) -> None:
    """A scenario, a missing file, no file at all: told as bad input, to a side too."""
    scenario = examples_folder() / "crossroads" / "scenario.toml"
    for args in ((), ("-g", scenario), ("-g", tmp_path / "none")):
        for side in ((), ("--as", "axis")):
            found = run("report", *args, *side)
            assert (found.exit_code, found.stdout) == (2, "")
            assert found.stderr


def test_a_report_has_one_form(table: Table) -> None:
    """Data or Markdown, not both."""
    assert run("report", "-g", table.game.path, "--json", "--markdown").exit_code == 2


# --- show ----------------------------------------------------------------------------------------------------------


def shown(path: Path, *args: str) -> dict[str, dict[str, Any]]:
    """The units of `minis show --json` by their ids."""
    found = run("show", "-g", path, "--json", *args)
    assert found.exit_code == 0, found.stderr
    return {unit["id"]: unit for unit in json.loads(found.stdout)["units"]}


def test_the_judge_sees_the_table_as_it_stands(table: Table) -> None:
    """Turn and phase, tokens, hidden, dummies, what a unit did, what is broken, what is acquired, smoke and wrecks."""
    kill(table, "T1", "P1")
    table.act("move", "T2", to=[12, 31], mp=3)
    table.act("weapon", "T4", state="out of ammunition")
    table.act("set", "T1", facts={"shocked": True, "stun": 2})
    table.act("remove", "P5", how="routed")
    text = run("show", "-g", table.game.path).stdout
    assert text.startswith("A *field*, turn 1, prep fire.\n\nallied\n")
    for words in (
        "T2 (token A2)", "P3 (token X3, dummy)", "P4 (hidden)", "P1 (wreck)", "eliminated in turn 1 by T1", "3 MP used",
        "main: out of ammunition", "main: -1 on P1", "shocked, stun 2", "at 12, 31, level 0", "sighted by T1",
        "until turn 4", "P5: routed in turn 1", "with T3",
    ):  # fmt: skip
        assert words in text, words
    found = shown(table.game.path)
    assert (found["T2"]["mp"], found["T2"]["at"], found["T4"]["goes_with"]) == (3, [12, 31], "T3")
    assert found["T1"]["acquired"] == [{"weapon": "main", "value": -1, "target": "P1"}]
    assert found["T4"]["weapons"] == {"main": "out of ammunition"}
    assert (found["T1"]["conditions"], found["T1"]["stun"]) == (["shocked"], 2)
    assert "P5" not in found


def test_a_side_sees_its_own_and_what_stands_on_the_table(table: Table) -> None:
    """Of others no hidden unit, no token's unit, no dummy, no state of a weapon, no MP, no acquisition."""
    table.act("move", "P1", to=[44, 20], mp=1)
    table.act("sight", "P1", "T1", dice={"sighting": [100]})
    table.act("fire", "P1", "T1", dice=MISS)
    table.act("weapon", "T4", state="malfunction")
    table.act("weapon", "P1", state="out of ammunition")
    table.act("set", "P1", facts={"shocked": True, "stun": 1})
    allied, axis = shown(table.game.path, "--as", "allied"), shown(table.game.path, "--as", "axis")
    assert sorted(allied) == ["P1", "P5", "T1", "T2", "T3", "T4", "X2", "X3"]
    assert sorted(axis) == ["A2", "A3", "P1", "P2", "P3", "P4", "P5", "T1"]
    other = allied["P1"]
    assert (other["mp"], other["weapons"], other["conditions"], other["stun"]) == (None, {}, [], 0)
    assert (other["acquired"], other["lost"]) == ([], None)
    assert other["flags"] == ["fired", "moved"]
    own = axis["P1"]
    assert (own["mp"], own["weapons"], own["conditions"]) == (1, {"main": "out of ammunition"}, ["shocked"])
    assert own["acquired"] == [{"weapon": "main", "value": -1, "target": "T1"}]
    assert (allied["T4"]["weapons"], allied["T1"]["sighted_by"]) == ({"main": "malfunction"}, [])
    assert {key: allied["X2"][key] for key in ("kind", "facing", "dummy")} == {
        "kind": None, "facing": None, "dummy": False,
    }  # fmt: skip
    text = run("show", "-g", table.game.path, "--as", "allied").stdout
    assert not any(word in text for word in ("P2", "P3", "P4", "hidden", "dummy", "shocked", "ammunition"))


def test_a_side_is_not_told_who_made_a_wreck_or_what_is_out_of_the_game(table: Table) -> None:
    """A hidden gun that killed stands in the judge's table alone, and so do units that are gone."""
    kill(table, "P4", "T1")
    table.act("remove", "P2")
    assert shown(table.game.path)["T1"]["lost"] == "eliminated in turn 1 by P4"
    judge = json.loads(run("show", "-g", table.game.path, "--json").stdout)
    side = json.loads(run("show", "-g", table.game.path, "--json", "--as", "allied").stdout)
    assert (judge["out"], side["out"]) == ([{"unit": "P2", "how": "removed by the judge in turn 1"}], [])
    wreck = next(unit for unit in side["units"] if unit["id"] == "T1")
    assert (wreck["wreck"], wreck["lost"]) == (True, None)


def test_a_gun_that_left_its_place_has_acquired_nothing(table: Table) -> None:
    """F6: what was acquired and is lost is not shown."""
    table.act("sight", "P1", "T1", dice={"sighting": [100]})
    table.act("fire", "P1", "T1", dice=MISS)
    assert shown(table.game.path)["P1"]["acquired"]
    table.act("move", "P1", to=[44, 20])
    assert shown(table.game.path)["P1"]["acquired"] == []


def test_a_target_that_a_side_does_not_know_is_told_by_its_token(table: Table) -> None:
    """What its own gun has acquired bears the name that the side has for it."""
    table.act("sight", "T1", "P1", dice={"sighting": [100]})
    table.act("fire", "T1", "P1", dice=MISS)
    before = shown(table.game.path, "--as", "allied")["T1"]["acquired"]
    assert [one["target"] for one in before] == ["P1"]
    table.act("place", "P4", token=True)
    table.game.record("note", {
        "turn": 1, "phase": 0, "when": "", "asked": {}, "answer": {"text": "it is hidden again"},
        "changes": [["units", "P1", {"hidden": True}]],
    })  # fmt: skip
    after = shown(table.game.path, "--as", "allied")
    assert after["T1"]["acquired"] == [{"weapon": "main", "value": -1, "target": None}]
    assert "main: -1 on a place" in run("show", "-g", table.game.path, "--as", "allied").stdout
    assert "P1" not in after


def secret_history(folder: Path, seed: int) -> str:
    """What the allied side is shown after a game in which the axis did at random what nobody could see."""
    rng = random.Random(seed)
    folder.mkdir()
    text = SCENARIO.replace("at = [45, 10]", f"at = [{rng.randrange(40, 58)}, {rng.randrange(2, 14)}]")
    if rng.random() < 0.5:
        text = text.replace("dummy = true", "")
    table = begin(folder, text)
    with table.game:
        for number in range(rng.randrange(4)):
            table.act("move", "P4", to=[rng.randrange(40, 58), 3 + number], mp=rng.randrange(9))
        table.act("weapon", "P4", state=rng.choice(["malfunction", "ready"]))
        table.act("set", "P2", facts={"stun": rng.randrange(4), "immobile": rng.random() < 0.5})
        table.act("note", text=str(seed))
        table.act("sight", "P4", "T1", dice={"sighting": [rng.randrange(1, 101)]})
    asked = ("show", "-g", table.game.path, "--as", "allied")
    return (run(*asked).stdout + run(*asked, "--json").stdout).replace(str(folder), "")


def test_what_a_side_cannot_know_changes_nothing_that_it_is_shown(tmp_path: Path) -> None:
    """Games that differ only in what is hidden, under tokens or in the journal look the same, byte for byte."""
    views = [secret_history(tmp_path / str(seed), seed) for seed in range(6)]
    assert set(views) == {views[0]}


def test_a_scenario_is_shown_without_a_turn(tmp_path: Path) -> None:
    """The same command shows a scenario file, for the judge and for a side."""
    path = examples_folder() / "crossroads" / "scenario.toml"
    assert run("show", "-g", path).stdout.startswith("Crossroads: a first table.\n")
    judge, side = shown(path), shown(path, "--as", "allied")
    assert "P8" in judge
    assert "P8" not in side
    assert (side["X5"]["kind"], side["X5"]["sighted_by"]) == (None, ["T1"])
    assert (judge["T5"]["storey"], judge["T5"]["level"], judge["T8"]["goes_with"]) == (1, 2, "T7")


def test_what_show_refuses(table: Table) -> None:
    """No file, house rules over a game, a side that there is not: bad input, and a side learns no names."""
    path = table.game.path
    for args in ((), ("-g", path, "--tables", "x"), ("-g", path, "--as", "nobody")):
        found = run("show", *args)
        assert (found.exit_code, found.stdout) == (2, "")
        assert "allied" not in found.stderr
