"""Prove a game: the chain of its events, every ruling, every die, the seals of its set-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from minis.errors import MinisError
from minis.game.act import dice_of
from minis.game.acts import SUBJECTS, question_of
from minis.game.chain import Event, canonical
from minis.game.chance import Chance, key_hash
from minis.game.control import overruled_data
from minis.game.game import Game, ruled_again
from minis.game.ledger import lay
from minis.game.opening import rules_hash, seals_hold
from minis.game.state import State
from minis.game.timeline import CONTROL, Timeline


@dataclass(frozen=True)
class Fault:
    """What is wrong with an event; `event` is 1 for the start and what it holds."""

    event: int
    what: str


@dataclass(frozen=True)
class Proof:
    """What was proved, and the first event that is wrong; `remarks` are what could not be asked, and why."""

    events: int
    rulings: int
    thrown: int
    typed: int
    seals: int
    key_shown: bool
    fault: Fault | None
    remarks: tuple[str, ...]


def verify(game: Game, progress: Callable[[int, int], None] | None = None) -> Proof:
    """Prove a game whose chain holds (`Game.open` reads no other): each act is ruled upon again from the state before.

    `progress` is called with how many events are done and how many there are.
    """
    events = game.timeline.events
    first = events[0].data
    remarks = []
    if first["rules"] != rules_hash():
        remarks.append("the game was ruled under other tables than those here: rulings may differ for that alone")
    counted = {"rulings": 0, "thrown": 0, "typed": 0}
    fault = _opening_fault(game)
    timeline = Timeline()
    ledger = timeline.ledger()
    for event in events:
        if fault is not None:
            break
        if event.seq > 1:
            state = State(game.start, ledger, game.order, timeline)
            found = next(_faults(game, state, event, counted), None)
            fault = Fault(event.seq, found) if found else None
        timeline.add(event)
        if event.kind in CONTROL:
            ledger = timeline.ledger()
        else:
            lay(ledger, timeline.changes(event))
        if progress:
            progress(event.seq, len(events))
    shown = any(event.kind == "end" for event in timeline.events)
    return Proof(
        len(events), counted["rulings"], counted["thrown"], counted["typed"],
        sum("words" in kept for kept in first["setups"]), shown, fault, tuple(remarks),
    )  # fmt: skip


def _opening_fault(game: Game) -> Fault | None:
    """What is wrong with the start: a set-up that is not the sealed one, a key that is not the promised one."""
    first = game.timeline.events[0].data
    wrong = seals_hold(first)
    if wrong:
        return Fault(1, wrong[0])
    if key_hash(game.chance.key) != first["key_hash"]:
        return Fault(1, "the key of the dice is not the one that the start promised")
    return None


def _faults(game: Game, state: State, event: Event, counted: dict[str, int]) -> Iterator[str]:
    """What is wrong with one event, the first thing first."""
    if event.kind in CONTROL:
        yield from _control_faults(game, state, event)
        return
    if event.kind == "end" and event.data["asked"].get("key") != game.chance.key.hex():
        yield "the key that it shows is not that of the dice"
    yield from _dice_faults(game, state, event, counted)
    counted["rulings"] += 1
    try:
        data = ruled_again(state, event)
    except MinisError as error:
        yield f"the rules refuse it: {error}"
        return
    for part in ("when", "answer", "changes"):
        if canonical(data[part]) != canonical(event.data[part]):
            yield f"the rules say otherwise of its {part}"


def _dice_faults(game: Game, state: State, event: Event, counted: dict[str, int]) -> Iterator[str]:
    """Dice that are not those of the key, and a question that is not the one that was asked."""
    if event.kind not in SUBJECTS:
        return
    question, asked, nth = event.data["question"], event.data["asked"], 0
    while state.history.asked_before(question_of(state, event.kind, asked, nth)):
        nth += 1
    if question != question_of(state, event.kind, asked, nth):
        yield "its question is not the one that was asked"
    seeds = tuple(sorted(state.history.seeds.items()))
    chance, again = Chance(game.chance.key, seeds), state.history.new_dice.get(question, 0)
    used: dict[str, int] = {}
    for die in dice_of(event.data["dice"]):
        number = used.get(die.purpose, 0)
        used[die.purpose] = number + 1
        counted["thrown" if die.how == "thrown" else "typed"] += 1
        face = chance.face(question, die.purpose, number, die.faces, again)
        if die.how == "thrown" and face != die.face:
            yield f"its {die.purpose} die is {die.face}, and the key gives {face}"


def _control_faults(game: Game, state: State, event: Event) -> Iterator[str]:
    if event.kind == "seed":
        if any(die["how"] == "thrown" for one in state.history.events for die in one.data.get("dice", ())):
            yield "a seed came after dice were thrown"
        return
    number = event.data["event"]
    if not 1 < number < event.seq:
        yield f"it speaks of event {number}"
        return
    named = game.timeline.event(number)
    if event.kind == "overrule":
        earlier = Timeline()
        for other in game.timeline.events[: number - 1]:
            earlier.add(other)
        before = State(game.start, earlier.ledger(), game.order, earlier)
        data = overruled_data(before, named, event.data["to"])
        if canonical(data) != canonical({"answer": event.data["answer"], "changes": event.data["changes"]}):
            yield f"it changes more than event {number} as overruled"
    elif event.kind == "new dice" and event.data["question"] != named.data.get("question"):
        yield f"it is about another question than event {number}"
