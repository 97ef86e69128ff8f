"""Prove a game: the chain of its events, every ruling, every die, the seals of its set-ups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from minis.board.board import Board
from minis.errors import MinisError
from minis.game.act import dice_of
from minis.game.acts import SUBJECTS, question_of
from minis.game.chain import Event, canonical
from minis.game.chance import Chance, key_hash
from minis.game.control import said_again
from minis.game.game import Game, ruled_again
from minis.game.ledger import Ledger, lay, new_ledger
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
    past = Past(game.start, game.order, Timeline())
    for event in events:
        if fault is not None:
            break
        if event.seq > 1:
            found = next(_faults(game, past, event, counted), None)
            fault = Fault(event.seq, found) if found else None
        past.take(event)
        if progress:
            progress(event.seq, len(events))
    shown = any(event.kind == "end" for event in events)
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


def _faults(game: Game, past: Past, event: Event, counted: dict[str, int]) -> Iterator[str]:
    """What is wrong with one event, the first thing first."""
    state = past.state
    if event.kind == "end" and event.data["asked"].get("key") != game.chance.key.hex():
        yield "the key that it shows is not that of the dice"
    if event.kind in SUBJECTS:
        yield from _dice_faults(game, state, event, counted)
    elif event.kind not in CONTROL and (event.data.get("dice") or event.data.get("question")):
        yield "nothing calls for its dice"
    counted["rulings"] += event.kind not in CONTROL
    try:
        data = said_again(past, event) if event.kind in CONTROL else ruled_again(state, event)
    except MinisError as error:
        yield f"the rules refuse it: {error}"
        return
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        yield f"it is no act that can be read ({type(error).__name__}: {error})"
        return
    asked_apart = {"dice", "question"} if event.kind in SUBJECTS else set()
    for part in sorted({*data, *event.data} - asked_apart):
        if canonical(data.get(part)) != canonical(event.data.get(part)):
            yield f"the rules say otherwise of its {part}"


def _dice_faults(game: Game, state: State, event: Event, counted: dict[str, int]) -> Iterator[str]:
    """Dice that are not those of the key, and a question that is not the one that was asked."""
    question, asked, nth = event.data.get("question"), event.data["asked"], 0
    try:
        while state.history.asked_before(question_of(state, event.kind, asked, nth)):
            nth += 1
        if question != question_of(state, event.kind, asked, nth):
            yield "its question is not the one that was asked"
    except (MinisError, KeyError) as error:
        yield f"its question cannot be asked ({error})"
    seeds = tuple(sorted(state.history.seeds.items()))
    chance, again = Chance(game.chance.key, seeds), state.history.new_dice.get(str(question), 0)
    used: dict[str, int] = {}
    for die in dice_of(event.data["dice"]):
        number = used.get(die.purpose, 0)
        used[die.purpose] = number + 1
        counted["thrown" if die.how == "thrown" else "typed"] += 1
        if die.how == "thrown" and chance.face(str(question), die.purpose, number, die.faces, again) != die.face:
            yield f"its {die.purpose} die is not the one that the key gives"


@dataclass
class Past:
    """A game as far as a proof has come."""

    start: Board
    order: tuple[str, ...]
    timeline: Timeline
    ledger: Ledger = field(default_factory=new_ledger)

    @property
    def state(self) -> State:
        """The game as it stood there."""
        return State(self.start, self.ledger, self.order, self.timeline)

    def take(self, event: Event) -> None:
        """Go on past an event."""
        self.timeline.add(event)
        if event.kind in CONTROL:
            self.ledger = self.timeline.ledger()
        else:
            lay(self.ledger, self.timeline.changes(event))
