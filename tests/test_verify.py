"""The proof of a game: a good one holds, and of a forged one whose chain holds the first wrong event is named."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from minis.cli.main import cli
from minis.errors import BadInput
from minis.game.control import new_dice, overrule, redo, seed, undo
from minis.game.game import KEY as KEY_NAME
from minis.game.game import Game
from minis.game.journal import Journal
from minis.game.opening import prepare
from minis.game.seals import Seal, seal_of
from minis.game.setup import setup_of
from minis.game.verify import Fault, Proof, verify
from minis.toml_file import parse_toml

KEY = bytes(range(32))

MEADOW = """
title = "A meadow"
table = { width = 60, depth = 24 }

[types.tank]
kind = "vehicle"
armoured = true
base = 0
nation = "us"
mount = "T"
armour = { hull = { front = 4, side = 3, rear = 3 }, turret = { front = 4, side = 3, rear = 3 }, aerial = 2 }
weapons = [{ id = "main", gun = "75L", ammo = ["AP", "HE"], rof = 1 }]

[[unit]]
id = "A1"
side = "allied"
type = "tank"
at = [6, 4]
facing = 90

[[unit]]
id = "A2"
side = "allied"
kind = "infantry"
base = 0
at = [6, 10]

[[unit]]
id = "B1"
side = "axis"
type = "tank"
at = [50, 4]
facing = 270

[[unit]]
id = "B2"
side = "axis"
kind = "infantry"
base = 0
at = [46, 8]
token = "X1"
"""

SETUP = 'side = "axis"\n[[unit]]\nid = "B2"\nat = [46, 9]\n'

Data = dict[str, Any]
Rows = list[tuple[str, Data]]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with a sealed set-up, seeds, thrown and typed dice, an undo, a redo, new dice, an overruling, an end."""
    folder = tmp_path_factory.mktemp("meadow")
    (folder / "meadow.toml").write_text(MEADOW, encoding="utf-8")
    setup = setup_of(parse_toml(SETUP, "axis.toml"))
    seal = Seal(bytes(16), seal_of(SETUP.encode(), bytes(16)))
    opening = prepare(folder / "meadow.toml", setups=[(setup, seal)], key=KEY)
    with Game.begin(folder / "good.game", opening, KEY) as game:
        seed(game, "axis", "tulip mania")
        seed(game, "allied", 'höher, "weiter"')
        game.act("turn", {})
        game.act("sight", {"sighter": "A1", "target": "B1"}, throws=True)
        undo(game, 5, "it fell")
        new_dice(game, 5, "off the table")
        game.act("sight", {"sighter": "A1", "target": "B1"}, throws=True)
        game.act("sight", {"sighter": "A2", "target": "X1"}, {"sighting": [100]})
        game.act("fire", {"firer": "A1", "target": "B1"}, {"coloured": [1]}, throws=True)
        game.act("sight", {"sighter": "B1", "target": "A2"}, {"sighting": [1]})
        overrule(game, 11, "sighted", "it stood up")
        game.act("set", {"unit": "A1", "facts": {"stun": 1}, "why": "a shock"})
        game.act("note", {"text": "rain"})
        undo(game)
        redo(game)
        game.act("move", {"unit": "A2", "to": [8.0, 10.0]})
        game.act("effect", {"event": 10, "take": "immobilized"})
        game.act("end", {"key": KEY.hex()})
    return folder / "good.game"


START, SIGHT, NEW_DICE, TYPED, FIRE, OVERRULED, OVERRULE, SET, NOTE, UNDO, REDO, MOVE, EFFECT, END = (
    1, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
)  # fmt: skip
"""The numbers of its events."""


@dataclass
class Forger:
    """Writes journals whose chain holds and whose content is not what happened."""

    good: Path
    folder: Path

    def write(self, change: Callable[[Rows], object], *, key: bytes = KEY) -> Path:
        """A journal of the rows of the good game after a change, with every hash made anew."""
        with Journal.open(self.good) as journal:
            rows: Rows = [(event.kind, event.data) for event in journal.events()]
        change(rows)
        path = self.folder / "forged.game"
        path.unlink(missing_ok=True)
        with Journal.create(path, rows[0][0], rows[0][1], secrets={KEY_NAME: key}) as journal:
            journal._db.execute("PRAGMA synchronous = OFF")
            for number, (kind, data) in enumerate(rows[1:], 1):
                journal.append(kind, data, after=number)
        return path

    def proof(self, change: Callable[[Rows], object], *, key: bytes = KEY) -> Proof:
        """The proof of such a journal."""
        with Game.open(self.write(change, key=key)) as game:
            return verify(game)

    def found(self, change: Callable[[Rows], object], *, key: bytes = KEY) -> Fault | None:
        """What is found wrong with such a journal, when it is opened or when it is proved."""
        try:
            return self.proof(change, key=key).fault
        except BadInput as error:
            (mistake,) = error.mistakes
            return Fault(int(mistake.path.removeprefix("event ")), mistake.message)

    def named(self, change: Callable[[Rows], object], *, key: bytes = KEY) -> int | None:
        """The number of the event that is found wrong; None where nothing is."""
        fault = self.found(change, key=key)
        return fault.event if fault else None

    def fault(self, number: int, change: Callable[[Data], object]) -> Fault | None:
        """What is found wrong when the data of one event is changed."""
        return self.found(lambda rows: change(rows[number - 1][1]))


@pytest.fixture
def forger(good: Path, tmp_path: Path) -> Forger:
    """A forger of the good game."""
    return Forger(good, tmp_path)


def at(*keys: str | int, value: Any) -> Callable[[Any], None]:
    """Sets the item at the end of some keys."""

    def change(data: Any) -> None:
        for key in keys[:-1]:
            data = data[key]
        assert data[keys[-1]] != value, "the change changes nothing"
        data[keys[-1]] = value

    return change


def one(number: int, change: Callable[[Data], object]) -> Callable[[Rows], object]:
    """A change of the data of one event."""
    return lambda rows: change(rows[number - 1][1])


# --- what holds ------------------------------------------------------------------------------------------------------


def test_a_good_game_holds(good: Path) -> None:
    """Every event is counted: rulings, dice thrown and typed, seals; and the key is shown."""
    seen: list[tuple[int, int]] = []
    with Game.open(good) as game:
        proof = verify(game, lambda done, of: seen.append((done, of)))
        dice = [die["how"] for event in game.timeline.events for die in event.data.get("dice", ())]
    assert proof == Proof(END, 11, dice.count("thrown"), dice.count("typed"), 1, True, None, ())
    assert dice.count("thrown") > 4
    assert dice.count("typed") == 3
    assert seen == [(number, END) for number in range(1, END + 1)]


def test_what_is_copied_row_by_row_holds(forger: Forger) -> None:
    """The forger changes nothing of itself."""
    assert forger.proof(lambda rows: None).fault is None


def test_without_an_end_the_key_is_not_shown(forger: Forger) -> None:
    """A game that goes on is proved as well; its key stays the judge's."""
    proof = forger.proof(lambda rows: rows.pop())
    assert (proof.fault, proof.key_shown, proof.events) == (None, False, END - 1)


# --- what is found ---------------------------------------------------------------------------------------------------

ANSWER = "the rules say otherwise of its answer"
CHANGES = "the rules say otherwise of its changes"
NOT_OF_THE_KEY = "its {} die is not the one that the key gives"  # which that is, nobody is told before the end


def test_another_face_of_a_thrown_die(forger: Forger) -> None:
    """The key gives one face alone."""
    assert forger.fault(SIGHT, at("dice", 0, "face", value=99)) == Fault(SIGHT, NOT_OF_THE_KEY.format("sighting"))


def test_another_face_of_a_later_die_of_a_shot(forger: Forger) -> None:
    """The white die, which follows a typed coloured one."""
    assert forger.fault(FIRE, turned) == Fault(FIRE, NOT_OF_THE_KEY.format("white"))


def turned(shot: Data) -> None:
    """Turns the white die of a shot to another face."""
    (white,) = (die for die in shot["dice"] if die["purpose"] == "white")
    assert (white["face"], white["how"]) == (2, "thrown")
    white["face"] = 6


def test_a_typed_die_is_found_by_the_answer(forger: Forger) -> None:
    """Nobody but those at the table knows what lay there, but the answer rests on it."""
    assert forger.fault(TYPED, at("dice", 0, "face", value=3)) == Fault(TYPED, ANSWER)


def test_a_typed_die_with_all_that_follows_from_it_cannot_be_told(good: Path, forger: Forger) -> None:
    """Another typed die, ruled upon as it should be: no proof can tell it, only who saw it or wrote down a hash."""

    def cut(rows: Rows) -> None:
        del rows[TYPED - 1 :]

    with Game.open(good) as game, Game.open(forger.write(cut)) as forged:
        forged.act("sight", {"sighter": "A2", "target": "X1"}, {"sighting": [3]})
        one, other = (played.timeline.event(TYPED) for played in (game, forged))
        assert (one.data["answer"]["sighted"], other.data["answer"]["sighted"]) == (True, False)
        assert verify(forged).fault is None
        assert one.hash != other.hash


def test_a_thrown_die_that_is_called_typed_is_found_by_the_answer(forger: Forger) -> None:
    """A thrown die cannot be passed off as another that was typed."""

    def change(data: Data) -> None:
        data["dice"][0] |= {"face": 1, "how": "typed"}

    assert forger.fault(SIGHT, change) == Fault(SIGHT, ANSWER)


@pytest.mark.parametrize("how", ["cast", "", "Thrown"])
def test_a_die_is_thrown_or_typed(forger: Forger, how: str) -> None:
    """A die of a third kind would be asked of nobody."""

    def change(data: Data) -> None:
        data["dice"][0]["how"] = how

    assert forger.named(one(SIGHT, change)) == SIGHT


@pytest.mark.parametrize(
    ("number", "keys", "value"),
    [
        (SIGHT, ("answer", "sighted"), False),
        (SIGHT, ("answer", "need"), 45),
        (SIGHT, ("answer", "distance_in"), 44.5),
        (FIRE, ("answer", "result", "hit"), False),
        (FIRE, ("answer", "open"), []),
        (SET, ("answer", "why"), "nothing"),
        (NOTE, ("answer", "text"), "sun"),
        (MOVE, ("answer", "mp"), 0.5),
        (EFFECT, ("answer", "does"), "wreck"),
        (4, ("answer", "turn"), 2),
    ],
)
def test_another_answer(forger: Forger, number: int, keys: tuple[str | int, ...], value: Any) -> None:
    """Of any kind of act."""
    assert forger.fault(number, at(*keys, value=value)) == Fault(number, ANSWER)


@pytest.mark.parametrize(
    ("number", "changes"),
    [
        (SIGHT, []),
        (TYPED, [["units", "B2", {"sighted_by": ["A1", "A2"], "unseen": None}]]),
        (SET, [["units", "A1", {"stun": 2}]]),
        (NOTE, [["units", "A1", {"stun": 2}]]),
        (MOVE, [["units", "A2", {"at": [30.0, 10.0]}]]),
        (EFFECT, [["units", "B1", {"immobile": True, "shocked": True}]]),
        (4, [["game", "", {"phase": 1, "turn": 1}], ["turn", "*", None]]),
        (OVERRULED, [["units", "A2", {"sighted_by": ["B1"]}]]),
    ],
)
def test_other_changes(forger: Forger, number: int, changes: list[Any]) -> None:
    """Of any kind of act, also of one whose changes the judge's word has replaced."""
    assert forger.fault(number, at("changes", value=changes)) == Fault(number, CHANGES)


@pytest.mark.parametrize(("key", "value"), [("when", "turn 7"), ("turn", 7)])
@pytest.mark.parametrize("number", [SIGHT, NOTE, UNDO, NEW_DICE, OVERRULE])
def test_another_time_of_the_game(forger: Forger, number: int, key: str, value: Any) -> None:
    """Turn and phase of an event are those in which it happened: the log is cut by them."""
    assert forger.named(one(number, at(key, value=value))) == number


@pytest.mark.parametrize("number", [SIGHT, NOTE, UNDO, OVERRULE])
def test_more_in_an_event_than_it_has(forger: Forger, number: int) -> None:
    """A part of an event that nothing asks for is not its own."""
    assert forger.named(one(number, lambda data: data.update(more="and more"))) == number


def test_another_question(forger: Forger) -> None:
    """A die of another question is another die, and a question says whom it is about."""
    fault = forger.fault(TYPED, at("question", value='[1,0,"sight","A2","B2",1]'))
    assert fault == Fault(TYPED, "its question is not the one that was asked")


def test_dice_that_nothing_calls_for(forger: Forger) -> None:
    """A second sighting die."""
    fault = forger.fault(TYPED, lambda data: data["dice"].append(data["dice"][0]))
    assert fault == Fault(TYPED, "the rules refuse it: 1 of its dice are not called for")


def test_another_request(forger: Forger) -> None:
    """What was asked for goes with its answer."""
    assert forger.fault(MOVE, at("asked", "to", value=[9.0, 10.0])) == Fault(MOVE, ANSWER)


def test_an_act_that_was_put_in(forger: Forger) -> None:
    """A shot that nobody fired: its dice are not those of the key."""

    def put(rows: Rows) -> None:
        rows.insert(FIRE - 1, json.loads(json.dumps(rows[FIRE - 1])))
        turned(rows[FIRE - 1][1])

    assert forger.proof(put).fault == Fault(FIRE, NOT_OF_THE_KEY.format("white"))


def test_an_act_by_hand_that_was_put_in_is_found_by_what_follows(forger: Forger) -> None:
    """The judge may set what he likes; what was ruled afterwards was ruled without it."""

    def put(rows: Rows) -> None:
        data = json.loads(json.dumps(rows[SET - 1][1]).replace("stun", "buttoned_up").replace(": 1}", ": true}"))
        data |= {"turn": 1, "changes": [["units", "A1", {"flags": ["buttoned_up"]}]]}
        rows.insert(SIGHT - 1, ("set", data))

    fault = forger.proof(put).fault
    assert fault == Fault(SIGHT + 1, ANSWER)


def test_an_act_that_was_left_out(forger: Forger) -> None:
    """Without the ruling the judge's word speaks of itself; without the sighting before it the shot is another."""
    assert forger.named(lambda rows: rows.pop(OVERRULED - 1)) == OVERRULED

    def without_the_sighting(rows: Rows) -> None:
        del rows[FIRE:]
        del rows[TYPED - 2]  # the one with the new dice

    assert forger.named(without_the_sighting) == FIRE - 1


def test_a_set_up_that_was_changed_after_sealing(forger: Forger) -> None:
    """B2 is moved an inch in the set-up: the start is wrong, and the file is named."""

    def move(data: Data) -> None:
        data["setups"][0]["text"] = data["setups"][0]["text"].replace("46, 9", "46, 8")

    said = "axis.toml: was changed after it was sealed; expected the text that its seal fits"
    assert forger.fault(START, move) == Fault(START, said)


def test_another_promise_of_the_key(forger: Forger) -> None:
    """The hash of another key, and another key under the hash."""
    said = "the key of the dice is not the one that the start promised"
    assert forger.fault(START, at("key_hash", value="0" * 64)) == Fault(START, said)
    assert forger.proof(lambda rows: None, key=bytes(32)).fault == Fault(START, said)


def test_another_key_with_its_promise_has_other_dice(forger: Forger) -> None:
    """A judge who changes key and promise together has to change every die that was thrown."""

    def promise(data: Data) -> None:
        data["key_hash"] = hashlib.sha256(bytes(32)).hexdigest()

    fault = forger.found(one(START, promise), key=bytes(32))
    assert fault == Fault(SIGHT, NOT_OF_THE_KEY.format("sighting"))


def test_another_seed_has_other_dice(forger: Forger) -> None:
    """The text that a side gave is part of every die."""
    assert forger.named(one(2, at("text", value="tulip"))) == SIGHT


def test_a_seed_after_the_dice(forger: Forger) -> None:
    """A side that waits for the dice chooses them."""
    assert forger.named(lambda rows: rows.insert(TYPED - 1, ("seed", rows[1][1] | {"side": "third"}))) == TYPED


def test_a_wrong_key_at_the_end(forger: Forger) -> None:
    """What is shown at the end is the key of the dice."""

    def wrong(data: Data) -> None:
        data["asked"]["key"] = data["answer"]["key"] = "00" * 32

    assert forger.fault(END, wrong) == Fault(END, "the key that it shows is not that of the dice")


def test_a_word_of_the_judge_with_more_changes(forger: Forger) -> None:
    """The judge rules on what was asked, and on no more."""
    more = ["units", "A1", {"stun": 0}]
    assert forger.named(one(OVERRULE, lambda data: data["changes"].append(more))) == OVERRULE


def test_a_word_of_the_judge_about_another_event(forger: Forger) -> None:
    """A note is no ruling."""
    assert forger.named(one(OVERRULE, at("event", value=4))) == OVERRULE


@pytest.mark.parametrize("event", [0, 1, UNDO, 99, "3", None])
def test_an_event_about_an_event_that_it_cannot_be_about(forger: Forger, event: Any) -> None:
    """The start, itself, one to come, none at all: a message, however it is found."""
    path = forger.write(lambda rows: at("event", value=event)(rows[UNDO - 1][1]))
    result = run("verify", path)
    assert result.exit_code in (1, 2), result.output
    assert f"vent {UNDO}" in result.output


def test_an_undo_under_what_rests_on_it(forger: Forger) -> None:
    """The shot is taken back though its effect was taken: the rules of undo hold for who writes the file, too."""

    def put(rows: Rows) -> None:
        rows.insert(END - 1, ("undo", rows[UNDO - 1][1] | {"event": FIRE, "what": "the shot"}))

    assert forger.named(put) == END


@pytest.mark.parametrize("kind", ["undo", "redo"])
def test_an_undo_or_redo_of_what_does_not_call_for_it(forger: Forger, kind: str) -> None:
    """An event is taken back once, and comes back only when it was taken back."""

    def put(rows: Rows) -> None:
        number = SIGHT if kind == "undo" else NOTE
        rows.insert(END - 1, (kind, rows[UNDO - 1][1] | {"event": number}))

    assert forger.named(put) == END


def test_new_dice_for_a_die_that_lies(forger: Forger) -> None:
    """New dice are ordered for what was taken back; else the judge would throw until he likes it."""

    def put(rows: Rows) -> None:
        counts = rows[TYPED - 1][1]
        rows.insert(END - 1, ("new dice", rows[NEW_DICE - 1][1] | {"event": TYPED, "question": counts["question"]}))

    assert forger.named(put) == END


def test_new_dice_for_another_question(forger: Forger) -> None:
    """They are for the question of the event that they name."""
    assert forger.named(one(NEW_DICE, at("question", value='[1,0,"sight","A2","B2",0]'))) == NEW_DICE


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.__setitem__(NOTE - 1, ("dream", rows[NOTE - 1][1])),
        lambda rows: rows.__setitem__(NOTE - 1, ("note", {})),
        lambda rows: rows[NOTE - 1][1].pop("asked"),
        lambda rows: rows[NOTE - 1][1].update(asked={}),
        lambda rows: rows[NOTE - 1][1].update(asked=[]),
        lambda rows: rows[NOTE - 1][1].update(changes=7),
        lambda rows: rows[NOTE - 1][1].update(changes=[["weather", "A1", {}]]),
        lambda rows: rows[NOTE - 1][1].update(dice=[{"face": 1}]),
        lambda rows: rows[NOTE - 1][1].update(asked={"text": 7}),
    ],
    ids=[
        "a kind that there is not", "no data", "no request", "an empty request", "a list", "no list", "a table",
        "half a die", "a number",
    ],
)  # fmt: skip
def test_an_event_that_is_none(forger: Forger, change: Callable[[Rows], object]) -> None:
    """What no program wrote is told with the number of its event, and never ends in a traceback."""
    path = forger.write(change)
    result = run("verify", path)
    assert result.exit_code in (1, 2), result.output
    assert f"vent {NOTE}" in result.output


@pytest.mark.parametrize("part", ["scenario", "setups", "order", "key_hash"])
def test_a_start_that_lacks_something(forger: Forger, part: str) -> None:
    """It is told with the number of the event."""
    result = run("verify", forger.write(lambda rows: rows[0][1].pop(part)))
    assert result.exit_code in (1, 2), result.output
    assert "vent 1" in result.output


# --- the chain, the command ------------------------------------------------------------------------------------------


def run(*words: object) -> Result:
    """Run a command in this process; a traceback is the test's failure."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def test_a_broken_chain_names_the_event(good: Path, tmp_path: Path) -> None:
    """One letter of one event is another: opening says which."""
    path = tmp_path / "broken.game"
    path.write_bytes(good.read_bytes().replace(b'"why":"a shock"', b'"why":"a shack"', 1))
    with pytest.raises(BadInput, match=f"event {SET}: its hash does not fit its content"):
        Game.open(path)
    result = run("verify", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{path}: event {SET}: its hash does not fit its content" in result.stderr


def test_a_game_that_holds_is_told(good: Path) -> None:
    """Exit status 0, what was proved in words, and as data."""
    result = run("verify", good)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{good}: everything holds.",
        "  19 events in one chain, 11 of them ruled upon again",
        "  dice: 5 thrown, all those of the key; 3 typed",
        "  sealed set-ups: 1, nothing was moved",
    ]
    result = run("verify", good, "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (
        0,
        {
            "game": str(good), "events": 19, "rulings": 11, "thrown": 5, "typed": 3, "seals": 1, "key_shown": True,
            "fault": None, "remarks": [],
        },
    )  # fmt: skip


def test_a_forged_game_is_told(forger: Forger) -> None:
    """Exit status 1, the first wrong event in words, and as data; nothing says that it holds."""
    path = forger.write(lambda rows: at("dice", 0, "face", value=99)(rows[SIGHT - 1][1]))
    result = run("verify", path)
    assert result.exit_code == 1
    assert result.stdout == f"Event {SIGHT} is wrong: {NOT_OF_THE_KEY.format('sighting')}.\n"
    result = run("verify", path, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["fault"] == {
        "event": SIGHT,
        "what": NOT_OF_THE_KEY.format("sighting"),
    }


def test_the_first_wrong_event_is_named(forger: Forger) -> None:
    """Of two the earlier."""

    def both(rows: Rows) -> None:
        at("answer", "text", value="sun")(rows[NOTE - 1][1])
        at("dice", 0, "face", value=99)(rows[SIGHT - 1][1])

    assert forger.named(both) == SIGHT


def test_what_is_no_game_is_not_proved(tmp_path: Path) -> None:
    """A scenario, and a file that is not there: exit status 2."""
    (tmp_path / "meadow.toml").write_text(MEADOW, encoding="utf-8")
    assert run("verify", tmp_path / "meadow.toml").exit_code == 2
    assert run("verify", tmp_path / "none.game").exit_code == 2


def test_other_tables_are_remarked(forger: Forger) -> None:
    """A game of another version may be ruled otherwise for that alone: it is said."""
    proof = forger.proof(lambda rows: at("rules", value="0" * 64)(rows[0][1]))
    assert proof.fault is None
    assert proof.remarks == (
        "the game was ruled under other tables than those here: rulings may differ for that alone",
    )


# --- the dice, without this program ----------------------------------------------------------------------------------


def recomputed(log: list[Data], key: bytes) -> list[tuple[int, int]]:
    """Every thrown die of `minis log --json` as it lies, and as the key gives it; for this, no more than Python."""
    seeds: list[list[str]] = []
    orders: dict[str, int] = {}
    dice: list[tuple[int, int]] = []
    for event in log:
        if event["kind"] == "seed":
            seeds = sorted([*seeds, [event["side"], event["text"]]])
        if event["kind"] == "new dice":
            orders[event["question"]] = orders.get(event["question"], 0) + 1
        numbers: dict[str, int] = {}
        for die in event.get("dice", []):
            purpose, faces, question = die["purpose"], die["faces"], event["question"]
            number = numbers[purpose] = numbers.get(purpose, -1) + 1
            label = ["minis dice 1", seeds, question, purpose, number, faces, orders.get(question, 0)]
            text = json.dumps(label, separators=(",", ":")).encode()
            blocks = (hmac.new(key, n.to_bytes(8, "big") + text, hashlib.sha256).digest() for n in itertools.count())
            fair = (byte for block in blocks for byte in block if byte < 256 - 256 % faces)
            if die["how"] == "thrown":
                dice.append((die["face"], next(fair) % faces + 1))
    return dice


def test_the_key_shown_at_the_end_gives_every_die(good: Path) -> None:
    """A player who has the log and the key of its end, and nothing of this program, finds every die as it lay."""
    log = json.loads(run("log", "--json", "-g", good).stdout)
    shown = log[-1]["answer"]["key"]
    assert hashlib.sha256(bytes.fromhex(shown)).hexdigest() == log[0]["key_hash"]
    dice = recomputed(log, bytes.fromhex(shown))
    assert len(dice) == 5
    assert all(lies == given for lies, given in dice)
    assert any(lies != given for lies, given in recomputed(log, bytes(32)))
