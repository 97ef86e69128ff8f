"""Undo, redo, the judge's word and new dice: nothing is wiped out, and nothing is left that rests on what is not."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.errors import BadInput, MinisError
from minis.game.act import Box, Refused
from minis.game.acts import ACTS
from minis.game.chance import Chance
from minis.game.control import OVERRULED, new_dice, overrule, overruled_data, redo, undo
from minis.game.game import Game
from minis.game.journal import Event, canonical
from minis.game.log import words
from minis.game.opening import Opening, prepare
from minis.game.results import open_effects
from minis.game.timeline import CONTROL, Timeline, read

KEY = bytes(32)

LANE = """
title = "A lane with a barn"
table = { width = 60, depth = 24 }
terrain = [{ id = "barn", kind = "building", storeys = 1, box = [18, 10, 22, 14] }]

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
id = "A3"
side = "allied"
kind = "infantry"
base = 0
at = [6, 20]
token = "Y1"

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

[[unit]]
id = "B3"
side = "axis"
kind = "gun"
base = 0
at = [50, 20]
facing = 270
hidden = true
nation = "german"
weapons = [{ id = "main", gun = "75L", ammo = ["AP", "HE"], rof = 2 }]
"""

UNITS = ("A1", "A2", "A3", "B1", "B2", "B3")


# --- games -----------------------------------------------------------------------------------------------------------


class Hall:
    """Where games are begun from one opening, each in a file of its own."""

    def __init__(self, folder: Path, opening: Opening):
        self.folder, self.opening, self.count = folder, opening, 0

    def __repr__(self) -> str:
        return "a hall"  # an example that fails is printed with it

    def begin(self) -> Game:
        """A new game; its file need not survive a power cut."""
        self.count += 1
        game = Game.begin(self.folder / f"{self.count}.game", self.opening, KEY)
        game.journal._db.execute("PRAGMA synchronous = OFF")
        game.journal._db.execute("PRAGMA journal_mode = MEMORY")
        return game


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    """A hall for games on the lane."""
    folder = tmp_path_factory.mktemp("lane")
    (folder / "lane.toml").write_text(LANE, encoding="utf-8")
    return Hall(folder, prepare(folder / "lane.toml", key=KEY))


@pytest.fixture
def game(hall: Hall) -> Iterator[Game]:
    """A game on the lane in its first phase, as event 2."""
    with hall.begin() as begun:
        begun.act("turn", {})
        yield begun


Step = tuple[Any, ...]

face = st.integers(1, 100)
enemies = st.sampled_from([(a, b) for a in UNITS for b in UNITS if a[0] != b[0]])
shots = st.sampled_from([(a, b) for a in ("A1", "B1", "B3") for b in UNITS if a[0] != b[0]])
low = st.integers(1, 2)

move = st.tuples(st.just("move"), st.sampled_from(UNITS), st.integers(0, 60), st.integers(0, 24))
look = st.tuples(st.sampled_from(["sight", "identify"]), enemies, st.none() | face)
fire = st.tuples(st.just("fire"), shots, st.none() | st.tuples(low, low), st.booleans())
effect = st.tuples(st.just("effect"), st.sampled_from([None, "immobilized", "eliminated", "shock"]))
smoke = st.tuples(st.just("smoke"), st.integers(0, 60), st.integers(0, 24))
fact = st.tuples(
    st.just("set"), st.sampled_from(UNITS), st.sampled_from(["pinned", "buttoned_up", "immobile", "shocked"])
)
ACT = st.one_of(st.just(("turn",)), move, look, fire, effect, smoke, fact)

back = st.tuples(st.just("undo"), st.integers(0, 4))
again = st.tuples(st.just("redo"), st.integers(0, 4))
word = st.tuples(st.just("overrule"), st.integers(0, 4), st.booleans())
BOUT = st.one_of(
    st.tuples(ACT), st.tuples(ACT | back | again | word), st.tuples(fire, effect), st.tuples(look, word),
    st.tuples(fire, word, effect), st.tuples(fire, effect, back, effect), st.tuples(fire, back, again, effect),
)  # fmt: skip
"""A few steps that have to do with each other; the words are about one of the last events."""

PLAY = st.lists(ACT, min_size=3, max_size=12)
MIXED = st.lists(BOUT, min_size=3, max_size=8).map(lambda bouts: [step for bout in bouts for step in bout])


def put(game: Game, step: Step) -> Event | None:
    """Put a step to a game; None where the rules refuse it or it is only a question."""
    try:
        return _word(game, step) if step[0] in ("undo", "redo", "overrule") else _act(game, step)
    except MinisError:
        return None


def _act(game: Game, step: Step) -> Event | None:
    match step:
        case ("turn",):
            return game.act("turn", {})[1]
        case ("move", unit, x, y):
            return game.act("move", {"unit": unit, "to": [float(x), float(y)]})[1]
        case ("sight" | "identify" as kind, (one, other), typed):
            dice = {} if typed is None else {"sighting": [typed]}
            return game.act(kind, {"sighter": one, "target": other, "procedure": kind}, dice, throws=typed is None)[1]
        case ("fire", (one, other), typed, bare):
            dice = {} if typed is None else {"coloured": [typed[0]], "white": [typed[1]]}
            asked = {"firer": one, "target": other, **({"no_effect": True} if bare else {})}
            return game.act("fire", asked, dice, throws=True)[1]
        case ("effect", take):
            event, target = next(iter(open_effects(game.state)), (None, None))
            asked = {"event": event.seq if event else 1, "target": target, **({"take": take} if take else {})}
            return game.act("effect", asked)[1]
        case ("smoke", x, y):
            return game.act("smoke", {"do": "place", "at": [float(x), float(y)]})[1]
        case ("set", unit, fact):
            return game.act("set", {"unit": unit, "facts": {fact: True}})[1]
    raise AssertionError(step)


def _word(game: Game, step: Step) -> Event:
    number = max(len(game.timeline.events) - step[1], 1)
    match step:
        case ("undo", _):
            return undo(game, number)
        case ("redo", _):
            taken = sorted(game.timeline.undone) or [number]
            return redo(game, taken[-1 - step[1] % len(taken)])
        case ("overrule", _, yes):
            ruled = [event.seq for event in acts(game) if event.kind in OVERRULED] or [number]
            number = ruled[-1 - step[1] % len(ruled)]
            words = OVERRULED.get(game.timeline.event(number).kind, ("hit", "miss"))
            return overrule(game, number, words[0 if yes else 1], "as I saw it")
    raise AssertionError(step)


def played(hall: Hall, steps: Sequence[Step]) -> Game:
    """A game in which these steps were tried, one after another."""
    game = hall.begin()
    for step in steps:
        put(game, step)
    return game


def ledger(game: Game) -> str:
    """What has become of a game, as one text."""
    return canonical(game.state.ledger)


def acts(game: Game) -> list[Event]:
    """The acts that count, without the start."""
    return [event for event in game.timeline.acts() if event.seq > 1]


# --- the fold --------------------------------------------------------------------------------------------------------


@settings(max_examples=15)
@given(steps=MIXED, chance=st.randoms(use_true_random=False))
def test_the_state_is_the_fold_of_the_events(hall: Hall, steps: list[Step], chance: random.Random) -> None:
    """Read anew the file gives the same ledger and table; the order of keys in the data of an event is nothing."""
    with played(hall, steps) as game:
        with Game.open(game.path) as again:
            assert ledger(again) == ledger(game)
            assert again.state.board == game.state.board
        events = [Event(e.seq, e.time, e.kind, shuffled(e.data, chance), e.prev, e.hash) for e in game.timeline.events]
        assert canonical(read(events).ledger()) == ledger(game)


def shuffled(data: Any, chance: random.Random) -> Any:
    """Plain data with the keys of its tables in another order; lists keep theirs."""
    if isinstance(data, dict):
        keys = list(data)
        chance.shuffle(keys)
        return {key: shuffled(data[key], chance) for key in keys}
    return [shuffled(item, chance) for item in data] if isinstance(data, list) else data


def test_changes_are_laid_in_their_order(game: Game) -> None:
    """Of two events about one fact the later counts."""
    game.act("set", {"unit": "A1", "facts": {"stun": 2}})
    game.act("set", {"unit": "A1", "facts": {"stun": 1}})
    assert game.state.unit("A1").stun == 1


# --- undo and redo ---------------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(steps=MIXED, count=st.integers(1, 8))
def test_so_many_back_and_as_many_again(hall: Hall, steps: list[Step], count: int) -> None:
    """Each undo gives the ledger before the event that it takes back, each redo the one after; nothing is wiped out."""
    with played(hall, steps) as game:
        seen = [ledger(game)]
        for _ in range(min(count, len(acts(game)))):
            undo(game)
            seen.append(ledger(game))
        for expected in reversed(seen[:-1]):
            redo(game)
            assert ledger(game) == expected


@settings(max_examples=15)
@given(steps=PLAY)
def test_each_undo_gives_the_ledger_before(hall: Hall, steps: list[Step]) -> None:
    """From the last event to the first: after each undo the ledger is what it was then, at last that of the start."""
    with hall.begin() as game:
        seen = [ledger(game)]
        seen += [ledger(game) for step in steps if put(game, step)]
        for expected in reversed(seen[:-1]):
            undo(game)
            assert ledger(game) == expected
        assert game.state.board.units == game.start.units
        assert len(game.timeline.events) == 2 * len(seen) - 1


@settings(max_examples=15)
@given(steps=MIXED)
def test_all_back_is_the_start(hall: Hall, steps: list[Step]) -> None:
    """Whatever was taken back, brought back and overruled: undo until nothing is left ends at the start."""
    with played(hall, steps) as game:
        for _ in game.timeline.events[1:]:
            if not acts(game):
                break
            undo(game)
        assert canonical(game.state.ledger) == canonical(game.timeline.ledger(until=2))
        assert acts(game) == []


@pytest.mark.parametrize("number", [None, 1])
def test_the_start_is_not_taken_back(hall: Hall, number: int | None) -> None:
    """Neither as the last event nor by its number."""
    with hall.begin() as game, unchanged(game, Refused, "the start of the game cannot be taken back"):
        undo(game, number)


def test_what_is_refused_of_undo_and_redo(game: Game) -> None:
    """An event twice taken back, a redo of what counts, an undo of an undo, numbers that there are not."""
    game.act("set", {"unit": "A1", "facts": {"stun": 1}})
    with unchanged(game, Refused, "event 3 is not taken back"):
        redo(game, 3)
    undo(game, 3)
    with unchanged(game, Refused, "event 3 is taken back already"):
        undo(game, 3)
    with unchanged(game, Refused, r"event 4 \(undo\) cannot be taken back; `minis redo 3` brings that back"):
        undo(game, 4)
    redo(game)
    with unchanged(game, Refused, "nothing is taken back"):
        redo(game)
    with unchanged(game, Refused, r"event 5 \(redo\) cannot be taken back"):
        undo(game, 5)
    with unchanged(game, BadInput, "there is no event 6; the last is 5"):
        undo(game, 6)


@contextmanager
def unchanged(game: Game, kind: type[MinisError], words: str) -> Iterator[None]:
    """What goes on in here raises an error whose words match, and records nothing."""
    before = game.path.read_bytes(), ledger(game), len(game.timeline.events)
    with pytest.raises(kind, match=words):
        yield
    assert (game.path.read_bytes(), ledger(game), len(game.timeline.events)) == before


# --- dice stay with their question -----------------------------------------------------------------------------------


def faces(event: Event) -> list[tuple[str, int]]:
    """What an event's dice were for, and how they fell."""
    return [(die["purpose"], die["face"]) for die in event.data["dice"]]


def by_the_key(event: Event, again: int) -> list[tuple[str, int]]:
    """The dice of an event as the key gives them after so many orders of new dice."""
    found: list[tuple[str, int]] = []
    for die in event.data["dice"]:
        number = sum(purpose == die["purpose"] for purpose, _ in found)
        lies = Chance(KEY).face(event.data["question"], die["purpose"], number, die["faces"], again)
        found.append((die["purpose"], lies))
    return found


QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("sight", {"sighter": "A1", "target": "B1", "procedure": "sight"}),
    ("identify", {"sighter": "A2", "target": "B1", "procedure": "identify"}),
    ("fire", {"firer": "A1", "target": "B1"}),
]


@pytest.mark.parametrize(("kind", "asked"), QUESTIONS, ids=[kind for kind, _ in QUESTIONS])
def test_a_die_once_thrown_stays_with_its_question(game: Game, kind: str, asked: dict[str, Any]) -> None:
    """Asked again after an undo, the same faces; new dice are other dice, and stay too; the reason is in the log."""
    first = thrown(game, kind, asked)
    undo(game)
    assert faces(thrown(game, kind, asked)) == faces(first) == by_the_key(first, 0)
    seen = [faces(first)]
    for order in range(1, 4):
        number = len(game.timeline.events)
        undo(game)
        ordered = new_dice(game, number, "it fell off the table")
        assert (ordered.data["question"], ordered.data["why"]) == (first.data["question"], "it fell off the table")
        found = thrown(game, kind, asked)
        undo(game)
        assert faces(thrown(game, kind, asked)) == faces(found) == by_the_key(found, order)
        seen.append(faces(found))
    assert any(found != seen[0] for found in seen[1:])


def thrown(game: Game, kind: str, asked: dict[str, Any]) -> Event:
    """The event of a question for which the machine throws every die."""
    event = game.act(kind, asked, throws=True)[1]
    assert event is not None
    assert {die["how"] for die in event.data["dice"]} == {"thrown"}
    return event


@settings(max_examples=15)
@given(steps=PLAY)
def test_what_is_played_again_is_played_with_the_same_dice(hall: Hall, steps: list[Step]) -> None:
    """Everything back, and the same steps once more: the same events with the same dice and answers."""
    with played(hall, steps) as game:
        before = [(e.kind, e.data) for e in acts(game)]
        while acts(game):
            undo(game)
        count = len(game.timeline.events)
        for step in steps:
            put(game, step)
        after = [(e.kind, e.data) for e in game.timeline.events[count:]]
        assert renumbered(after, count) == renumbered(before, 1)


def renumbered(events: list[tuple[str, Any]], first: int) -> str:
    """Events with the numbers that they name counted from the first of them."""
    found = json.loads(json.dumps(events))
    for kind, data in found:
        if kind == "effect":
            data["asked"]["event"] -= first
            data["answer"]["event"] -= first
            for _, _, fields in data["changes"]:
                for part in (fields.get("gone"), fields.get("lost")):
                    if part and "event" in part:
                        part["event"] -= first
    return canonical(found)


def test_a_question_asked_twice_has_dice_of_its_own_each_time(game: Game) -> None:
    """The second attempt throws other dice; with the first taken back, the next attempt is the first again."""
    kind, asked = QUESTIONS[0]
    one, two = thrown(game, kind, asked), thrown(game, kind, asked)
    assert one.data["question"] != two.data["question"]
    undo(game, one.seq)
    three = thrown(game, kind, asked)
    assert (three.data["question"], faces(three)) == (one.data["question"], faces(one))


@pytest.mark.parametrize(
    ("kind", "asked", "other"),
    [
        ("sight", {"sighter": "A1", "target": "X1"}, {"sighter": "A1", "target": "B2"}),
        ("sight", {"sighter": "A3", "target": "B1"}, {"sighter": "Y1", "target": "B1"}),
        ("fire", {"firer": "A1", "target": "B1"}, {"firer": "A1", "target": "B1", "weapon": "main"}),
        ("manoeuvre", {"unit": "A1"}, {"unit": "A1", "leader": -1}),
    ],
    ids=["target by token", "sighter by token", "first weapon", "leader"],
)
def test_a_question_in_other_words_is_the_same_question(
    game: Game, kind: str, asked: dict[str, Any], other: dict[str, Any]
) -> None:
    """Nobody gets other dice by naming a unit by its token, or the weapon that is the first in any case."""
    first = thrown(game, kind, asked)
    undo(game)
    assert faces(thrown(game, kind, other)) == faces(first)


def test_what_is_refused_of_new_dice(game: Game) -> None:
    """For an event that counts, without dice, without a reason; nothing is recorded."""
    thrown(game, *QUESTIONS[0])
    with unchanged(game, Refused, r"event 2 \(turn\) had no dice"):
        new_dice(game, 2, "why not")
    with unchanged(game, Refused, "event 3 counts: take it back first"):
        new_dice(game, 3, "why not")
    undo(game)
    with unchanged(game, BadInput, "say why new dice are thrown"):
        new_dice(game, 3, " ")


# --- what rests on an event, by playing the game anew ----------------------------------------------------------------


@dataclass
class Anew:
    """A game played anew: which later acts were ruled otherwise, what came of it, and the event itself if it stands."""

    rest: list[int]
    ledger: str
    itself: dict[str, Any] | None


Word = tuple[str, dict[str, Any] | None]
"""What the judge said an event came to, and what he said it changes; None where he says it now."""


def play_anew(hall: Hall, game: Game, number: int, counting: set[int], words: dict[int, Word]) -> Anew:
    """Play a game anew from its start with these acts and these words of the judge, and ask again all from `number` on.

    An act that comes out otherwise is left out. A note stands where an event does not count, so that numbers stay.
    """
    rest: list[int] = []
    itself: dict[str, Any] | None = {}
    with hall.begin() as twin:
        for event in game.timeline.events[1:]:
            data = None
            if event.seq in counting:
                data = asked_again(twin, event, words.get(event.seq))
                if data is None and event.seq < number:
                    raise AssertionError(f"event {event.seq} rests on nothing that changed and comes out otherwise")
                if event.seq == number:
                    itself = data
                if data is None and event.seq > number:
                    rest.append(event.seq)
            twin.record(event.kind if data else "note", data or {"answer": {}, "asked": {}, "changes": []})
        return Anew(rest, ledger(twin), itself)


def asked_again(twin: Game, event: Event, word: Word | None) -> dict[str, Any] | None:
    """The data of an act that is asked once more with its dice typed, under the judge's word; None if it differs."""
    typed: dict[str, list[int]] = {}
    for die in event.data.get("dice", ()):
        typed.setdefault(die["purpose"], []).append(die["face"])
    box = Box(typed)
    try:
        outcome = ACTS[event.kind](twin.state, event.data["asked"], box)
        box.check_empty()
    except MinisError:
        return None
    kept = {"answer": outcome.answer, "changes": [list(change) for change in outcome.changes]}
    if not outcome.recorded or plain(kept) != plain(event.data):
        return None
    if word is None:
        return event.data
    to, said = word
    judged = overruled_data(twin.state, event, to)
    return event.data | judged if said is None or plain(judged) == plain(said) else None


def plain(data: dict[str, Any]) -> str:
    """Answer and changes, whoever threw the dice."""
    return canonical([data["answer"], data["changes"]]).replace('"how":"thrown"', '"how":"typed"')


def words_of(timeline: Timeline) -> dict[int, Word]:
    """The last word of the judge on each event that he overruled and did not take back."""
    words: dict[int, dict[int, Word]] = {}
    for event in timeline.events:
        named = timeline.event(event.data["event"]) if event.kind in ("undo", "redo") else event
        if named.kind == "overrule":
            stack = words.setdefault(named.data["event"], {})
            stack.pop(named.seq, None)
            if event.kind != "undo":
                stack[named.seq] = named.data["to"], named.data
    return {number: stack[max(stack)] for number, stack in words.items() if stack}


def check_against_anew(game: Game, anew: Anew, act: Any, number: int, done: str) -> None:
    """Do something to an event: refused with just the acts that come out otherwise, else done with just that ledger."""
    if anew.rest or anew.itself is None:
        named = ", ".join(f"{seq} ({game.timeline.event(seq).kind})" for seq in anew.rest)
        words = f"event {number} cannot be {done}: " + (
            f"later events rest on it: {named} (S14)" if anew.itself is not None else ""
        )
        with unchanged(game, Refused, re.escape(words)):
            act()
    else:
        act()
        assert ledger(game) == anew.ledger


@settings(max_examples=30)
@given(steps=MIXED, pick=st.integers(0, 9))
def test_undo_is_refused_for_what_rests_on_it(hall: Hall, steps: list[Step], pick: int) -> None:
    """An act is taken back, or the acts that come out otherwise without it are named, those and no others."""
    with played(hall, steps) as game:
        found = acts(game)
        if not found:
            return
        number = found[-1 - pick % len(found)].seq
        anew = play_anew(hall, game, number, {e.seq for e in found} - {number}, words_of(game.timeline))
        check_against_anew(game, anew, lambda: undo(game, number), number, "taken back")


@settings(max_examples=30)
@given(steps=MIXED, pick=st.integers(0, 9))
def test_redo_is_refused_for_what_rests_on_its_absence(hall: Hall, steps: list[Step], pick: int) -> None:
    """An act comes back, or the acts that come out otherwise with it are named; what it rested on must be there."""
    with played(hall, steps) as game:
        found = sorted(seq for seq in game.timeline.undone if game.timeline.event(seq).kind not in CONTROL)
        if not found:
            return
        number = found[-1 - pick % len(found)]
        anew = play_anew(hall, game, number, {e.seq for e in acts(game)} | {number}, words_of(game.timeline))
        check_against_anew(game, anew, lambda: redo(game, number), number, "brought back")


@settings(max_examples=30)
@given(steps=MIXED, pick=st.integers(0, 9), yes=st.booleans())
def test_the_judges_word_is_refused_for_what_rests_on_the_ruling(
    hall: Hall, steps: list[Step], pick: int, yes: bool
) -> None:
    """A ruling is overruled, or the acts that come out otherwise under the judge's word are named."""
    with played(hall, steps) as game:
        found = [event for event in acts(game) if event.kind in OVERRULED]
        if not found:
            return
        event = found[-1 - pick % len(found)]
        to = OVERRULED[event.kind][0 if yes else 1]
        words = words_of(game.timeline) | {event.seq: (to, None)}
        anew = play_anew(hall, game, event.seq, {e.seq for e in acts(game)}, words)
        act = partial(overrule, game, event.seq, to, "I saw it")
        _, now = words_of(game.timeline).get(event.seq, ("", event.data))
        if anew.itself and now and plain(anew.itself) == plain(now):
            with unchanged(game, Refused, f"event {event.seq} came to that already"):
                act()
        else:
            check_against_anew(game, anew, act, event.seq, "overruled")


# --- the judge's word ------------------------------------------------------------------------------------------------


def sighting(game: Game, sighted: bool, one: str = "A1", other: str = "B1") -> int:
    """The number of a sighting attempt that came out as it should, on a typed die."""
    for typed in (1, 100):
        event = game.act("sight", {"sighter": one, "target": other}, {"sighting": [typed]})[1]
        assert event is not None
        if event.data["answer"]["sighted"] is sighted:
            return event.seq
        undo(game)
    raise AssertionError("neither die does")


def shot(game: Game, hit: bool, target: str = "B1", firer: str = "A1") -> int:
    """The number of a shot that hit, its effect not rolled, or that missed."""
    for dice in ((1, 2), (5, 6)):
        typed = {"coloured": [dice[0]], "white": [dice[1]]}
        event = game.act("fire", {"firer": firer, "target": target, "no_effect": True}, typed, throws=True)[1]
        assert event is not None
        if event.data["answer"]["result"]["hit"] is hit:
            return event.seq
        undo(game)
    raise AssertionError("neither pair does")


@pytest.mark.parametrize("kind", ["sight", "identify"])
@pytest.mark.parametrize("sighted", [True, False])
def test_a_sighting_is_overruled_both_ways(game: Game, kind: str, sighted: bool) -> None:
    """What the judge says is what a die that said so would have changed; taken back it is as it was, and again."""
    ledgers: dict[bool, str] = {}
    numbers: dict[bool, Event] = {}
    for typed in (1, 100):
        event = game.act(kind, {"sighter": "A1", "target": "B2", "procedure": kind}, {"sighting": [typed]})[1]
        assert event is not None
        numbers[event.data["answer"]["sighted"]] = event
        ledgers[event.data["answer"]["sighted"]] = ledger(game)
        undo(game)
    number = numbers[not sighted].seq
    redo(game, number)
    word = "sighted" if sighted else "not sighted"
    judged = overrule(game, number, word, "it was in the open")
    assert ledger(game) == ledgers[sighted]
    assert (judged.data["to"], judged.data["answer"]["sighted"]) == (word, sighted)
    undo(game, judged.seq)
    assert ledger(game) == ledgers[not sighted]
    redo(game, judged.seq)
    assert ledger(game) == ledgers[sighted]
    assert undo(game).data["event"] == judged.seq, "the judge's word is the last thing that counts"


def test_a_miss_becomes_a_hit_with_an_open_effect(game: Game) -> None:
    """The judge says hit: its effect is open and he says it; the word is then not taken back before the effect."""
    number = shot(game, hit=False)
    assert open_effects(game.state) == []
    judged = overrule(game, number, "hit", "the tape was read wrong")
    assert [(event.seq, target) for event, target in open_effects(game.state)] == [(number, "B1")]
    effect = game.act("effect", {"event": number, "take": "eliminated"})[1]
    assert effect is not None
    assert game.state.unit("B1").wreck
    with unchanged(game, Refused, rf"event {judged.seq} cannot be taken back: .*: {effect.seq} \(effect\) \(S14\)$"):
        undo(game, judged.seq)
    undo(game)
    undo(game)
    assert open_effects(game.state) == []
    with pytest.raises(Refused, match="has no hit whose effect is open"):
        game.act("effect", {"event": number, "take": "eliminated"})
    redo(game)
    assert [(event.seq, target) for event, target in open_effects(game.state)] == [(number, "B1")]


def test_a_hit_becomes_a_miss_that_was_fired(game: Game) -> None:
    """The judge says miss: nothing is open, the shot was fired all the same; with the effect taken it is refused."""
    number = shot(game, hit=True)
    effect = game.act("effect", {"event": number, "take": "immobilized"})[1]
    assert effect is not None
    with unchanged(game, Refused, rf"event {number} cannot be overruled: .*: {effect.seq} \(effect\) \(S14\)$"):
        overrule(game, number, "miss", "it was out of range")
    undo(game)
    judged = overrule(game, number, "miss", "it was out of range")
    assert open_effects(game.state) == []
    assert game.state.this_turn("A1")["fired"]
    undo(game, judged.seq)
    assert len(open_effects(game.state)) == 1


def test_a_shot_from_hiding_overruled_to_a_miss_shows_the_firer(game: Game) -> None:
    """Who fires from hiding and misses is placed on the table, by the dice or by the judge's word (S12.3)."""
    sighting(game, sighted=True, one="B3", other="A3")
    number = shot(game, hit=True, target="A3", firer="B3")
    assert game.state.unit("B3").hidden
    overrule(game, number, "miss", "it was out of range")
    assert not game.state.unit("B3").hidden


def test_a_shot_is_not_taken_back_under_its_effect(game: Game) -> None:
    """Also not after it was taken back and brought back once."""
    number = shot(game, hit=True)
    undo(game)
    redo(game)
    effect = game.act("effect", {"event": number, "take": "immobilized"})[1]
    assert effect is not None
    with unchanged(game, Refused, rf"event {number} cannot be taken back: .*: {effect.seq} \(effect\) \(S14\)$"):
        undo(game, number)


def test_an_effect_does_not_come_back_beside_another(game: Game) -> None:
    """Of one hit one effect counts: the first comes back only when the second is taken back."""
    number = shot(game, hit=True)
    one = game.act("effect", {"event": number, "take": "immobilized"})[1]
    undo(game)
    two = game.act("effect", {"event": number, "take": "shock"})[1]
    assert one is not None
    assert two is not None
    with unchanged(game, Refused, rf"event {one.seq} cannot be brought back: .*: {two.seq} \(effect\) \(S14\)$"):
        redo(game, one.seq)


def test_what_an_effect_of_a_shot_rests_on(game: Game) -> None:
    """Without the sighting the shot is another, and without the shot there is no effect: both are named."""
    number = sighting(game, sighted=True, one="A1", other="B2")
    fired = shot(game, hit=True, target="B2")
    effect = game.act("effect", {"event": fired, "take": "immobilized"})[1]
    assert effect is not None
    with unchanged(
        game, Refused, rf"event {number} cannot be taken back: .*: {fired} \(fire\), {effect.seq} \(effect\) \(S14\)$"
    ):
        undo(game, number)


def test_the_word_before_counts_again(game: Game) -> None:
    """Sighted, not sighted: with the second word taken back the first counts, not the dice."""
    number = sighting(game, sighted=False)
    first = overrule(game, number, "sighted", "in the open")
    then = ledger(game)
    second = overrule(game, number, "not sighted", "no, behind the barn")
    undo(game, second.seq)
    assert ledger(game) == then
    undo(game, first.seq)
    assert game.timeline.overruled == {}
    redo(game)
    assert ledger(game) == then


def test_a_word_does_not_bring_back_what_was_taken_back(game: Game) -> None:
    """One sighting is taken back, then another overruled: only that other unit has sighted the target."""
    first = sighting(game, sighted=True, one="A1")
    second = sighting(game, sighted=False, one="A2")
    undo(game, first)
    overrule(game, second, "sighted", "in the open")
    assert game.state.unit("B1").sighted_by == {"A2"}


def test_a_word_rests_on_what_it_was_given_upon(game: Game) -> None:
    """The judge's word on the second sighting was given when the first counted, so the first stays."""
    first = sighting(game, sighted=True, one="A1")
    second = sighting(game, sighted=False, one="A2")
    overrule(game, second, "sighted", "in the open")
    with unchanged(
        game, Refused, rf"event {first} cannot be taken back: later events rest on it: {second} \(sight\) \(S14\)$"
    ):
        undo(game, first)


def test_an_act_does_not_come_back_without_what_it_rested_on(game: Game) -> None:
    """Two sightings, both taken back; the second does not come back with the first in its changes."""
    first = sighting(game, sighted=True, one="A1")
    second = sighting(game, sighted=True, one="A2")
    undo(game, second)
    undo(game, first)
    with unchanged(game, Refused, f"event {second} cannot be brought back"):
        redo(game, second)
    redo(game, first)
    redo(game, second)
    assert game.state.unit("B1").sighted_by == {"A1", "A2"}


def test_what_is_refused_of_overrulings(game: Game) -> None:
    """What is no ruling, is taken back, is another word, has no reason; nothing is recorded."""
    number = sighting(game, sighted=True)
    with unchanged(game, Refused, r"event 2 \(turn\) is no ruling that can be overruled; take it back"):
        overrule(game, 2, "sighted", "why not")
    with unchanged(game, BadInput, "--to: expected sighted or not sighted, not 'hit'"):
        overrule(game, number, "hit", "why not")
    with unchanged(game, BadInput, "--why: say why"):
        overrule(game, number, "not sighted", " ")
    undo(game, number)
    with unchanged(game, Refused, f"event {number} is taken back"):
        overrule(game, number, "not sighted", "why not")
    with unchanged(game, BadInput, "there is no event 99"):
        overrule(game, 99, "sighted", "why not")


def test_the_end_is_taken_back(game: Game) -> None:
    """After the end nothing is played; taken back, the game goes on."""
    game.act("end", {"key": KEY.hex()})
    with unchanged(game, Refused, "the game has ended"):
        game.act("turn", {})
    undo(game)
    assert game.act("turn", {})[1] is not None


@pytest.mark.parametrize("do", ["move", "remove"])
def test_a_cloud_that_is_not_named_is_asked_for(game: Game, do: str) -> None:
    """Smoke that drifts or is taken off is named; without a name the clouds there are are told."""
    game.act("smoke", {"do": "place", "at": [10.0, 10.0]})
    with pytest.raises(BadInput, match="say which cloud; there are: smoke-1"):
        game.act("smoke", {"do": do, "at": [12.0, 12.0]})


def test_a_shocked_crew_is_offered_no_shot(game: Game) -> None:
    """C7: a unit that moves into its sight is seen by it, and the move says that it cannot fire."""
    game.act("set", {"unit": "B1", "facts": {"shocked": True}})
    outcome, event = game.act("move", {"unit": "A1", "to": [8.0, 4.0]})
    assert event is not None
    [one] = [one for one in outcome.answer["opportunities"] if one["firer"] == "B1"]
    assert one["shocked"]
    said = "\n".join(words(event)[1])
    assert "by B1 too, whose crew is shocked: no shot (C7)" in said
    assert "B1 may fire" not in said


def test_a_shot_out_of_the_arc_says_what_turns(game: Game) -> None:
    """C5.1: a turret that is laid on its target stands in the answer and in the log."""
    game.act("move", {"unit": "A1", "turret": 0.0})
    shot = {"firer": "A1", "target": "B1", "no_effect": True}
    _, event = game.act("fire", shot, {"coloured": [6], "white": [6], "sighting": [100]})
    assert event is not None
    assert event.data["answer"]["laid"] == {"turret": 90.0}
    assert "turret or carriage turns to 090 to be laid (C5.1)" in words(event)[1]
