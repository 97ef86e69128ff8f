"""Events that speak of other events: undo, redo, the judge's word, new dice, the players' seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from minis.board.board import Board
from minis.errors import MinisError, bad
from minis.game.act import Refused, Replay, dice_of
from minis.game.chain import Event, canonical
from minis.game.game import Game, ruled_again
from minis.game.ledger import Fields, Ledger, lay, new_ledger
from minis.game.log import words
from minis.game.sightings import attempt_with, changes_of, kept_answer, reveal
from minis.game.state import State
from minis.game.timeline import CONTROL, Timeline

OVERRULED = {
    "sight": ("sighted", "not sighted"),
    "identify": ("sighted", "not sighted"),
    "fire": ("hit", "miss"),
}
"""What the judge may say an event came to, by its kind; the effect of a hit he says with `minis effect --to`."""


class Position(Protocol):
    """A game as far as its events go: what a `Game` is, and what a proof stands at."""

    start: Board
    order: tuple[str, ...]
    timeline: Timeline

    @property
    def state(self) -> State:
        """The game as it stands."""


def undo(game: Game, number: int | None = None, why: str = "") -> Event:
    """Take back an event, the last that counts where none is named; raises Refused where later events rest on it."""
    return game.record("undo", taken_back(game, number, why))


def taken_back(at: Position, number: int | None, why: str) -> Fields:
    """The data of the event that takes back another; raises Refused where it may not be."""
    event = _last(at) if number is None else _named(at, number)
    if event.kind != "end":
        _refuse_ended(at)
    if event.kind == "start":
        raise Refused("S14", "the start of the game cannot be taken back: start another game")
    if event.kind != "overrule" and event.kind in CONTROL:
        raise Refused("S14", f"event {event.seq} ({event.kind}) cannot be taken back" + _how(event))
    if _is_back(at, event):
        raise Refused("S14", f"event {event.seq} is taken back already")
    _refuse_dependents(at, event, "taken back")
    return {"event": event.seq, "what": words(event)[0], **_said(at, why)}


def _how(event: Event) -> str:
    return f"; `minis redo {event.data['event']}` brings that back" if event.kind == "undo" else ""


def redo(game: Game, number: int | None = None, why: str = "") -> Event:
    """Let an event count again that was taken back, the last taken back where none is named."""
    return game.record("redo", brought_back(game, number, why))


def brought_back(at: Position, number: int | None, why: str) -> Fields:
    """The data of the event that brings another back; raises Refused where it may not be."""
    _refuse_ended(at)
    events = [at.timeline.event(event.data["event"]) for event in at.timeline.events if event.kind == "undo"]
    found = [event for event in events if _is_back(at, event) and number in (None, event.seq)]
    if not found:
        raise Refused("S14", f"event {number} is not taken back" if number else "nothing is taken back")
    event = found[-1]
    _refuse_dependents(at, event, "brought back")
    return {"event": event.seq, "what": words(event)[0], **_said(at, why)}


def _is_back(at: Position, event: Event) -> bool:
    """Whether an event is taken back."""
    return event.seq in at.timeline.undone


def overrule(game: Game, number: int, to: str, why: str) -> Event:
    """The judge's word on what an event came to; raises Refused where later events rest on how it was ruled."""
    return game.record("overrule", overruled(game, number, to, why))


def overruled(at: Position, number: int, to: str, why: str) -> Fields:
    """The data of the event that overrules another; raises Refused where it may not be."""
    _refuse_ended(at)
    event = _named(at, number)
    if event.kind not in OVERRULED:
        told = "; take it back and record it as you rule" if event.kind not in CONTROL else ""
        raise Refused("S14", f"event {number} ({event.kind}) is no ruling that can be overruled{told}")
    if to not in OVERRULED[event.kind]:
        raise bad(f"expected {' or '.join(OVERRULED[event.kind])}, not {to!r}", file="--to")
    if not why.strip():
        raise bad("say why: the judge's word stands in the log with its reason", file="--why")
    if event.seq in at.timeline.undone:
        raise Refused("S14", f"event {number} is taken back")
    data = overruled_data(state_before(at, event), event, to)
    before = (at.timeline.overruled.get(number) or event).data
    if canonical(data) == canonical({"answer": before["answer"], "changes": before["changes"]}):
        raise Refused("S14", f"event {number} came to that already")
    _refuse_dependents(at, event, "overruled", instead=data)
    return {"event": number, "to": to, **_said(at, why), **data}


def overruled_data(before: State, event: Event, to: str) -> Fields:
    """The answer and the changes of an event as the judge rules it, from the state before it."""
    return _sighting_as(before, event, to) if event.kind != "fire" else _shot_as(before, event, to)


def _sighting_as(before: State, event: Event, to: str) -> Fields:
    asked, yes = event.data["asked"], to == "sighted"
    found = attempt_with(
        before, before.unit(asked["sighter"]), before.unit(asked["target"]),
        "identify" if event.kind == "identify" else "sight",
        Replay(kept=dice_of(event.data["dice"])),
    )  # fmt: skip
    judged = replace(found, ruling=replace(found.ruling, sighted=yes))
    return {"answer": kept_answer(before, judged), "changes": [list(c) for c in changes_of(before, judged)]}


def _shot_as(before: State, event: Event, to: str) -> Fields:
    """A shot as a hit whose effect is open, or as a miss that leaves nothing; it was fired all the same.

    A hidden firer is placed at once where no effect is open, and else when the last is taken (S12.3).
    """
    answer, asked = dict(event.data["answer"]), event.data["asked"]
    firer, target = before.unit(asked["firer"]), asked["target"]
    result = dict(answer["result"] or {}) | {"hit": to == "hit", "effect": None}
    left = (set(answer["open"]) - {target}) | ({target} if to == "hit" else set())
    answer |= {"result": result, "open": sorted(left)}
    kept = [c for c in event.data["changes"] if not (c[0] == "units" and c[1] == target and "gone" in (c[2] or {}))]
    kept = [c for c in kept if not (c[0] == "turn" and c[1] == target and "blinded" in (c[2] or {}))]
    if firer.hidden:
        placed = [list(change) for change in reveal(firer)]
        kept = [c for c in kept if c not in placed] + ([] if left else placed)
    return {"answer": answer, "changes": kept}


def new_dice(game: Game, number: int, why: str) -> Event:
    """Order new dice for the question of an event that was taken back, with the reason: it stands in the log."""
    return game.record("new dice", dice_ordered(game, number, why))


def dice_ordered(at: Position, number: int, why: str) -> Fields:
    """The data of the event that orders new dice; raises Refused where they may not be."""
    _refuse_ended(at)
    event = _named(at, number)
    if not event.data.get("dice"):
        raise Refused("S14", f"event {number} ({event.kind}) had no dice")
    if event.seq not in at.timeline.undone:
        raise Refused("S14", f"event {number} counts: take it back first with `minis undo {number}`")
    if not why.strip():
        raise bad("say why new dice are thrown: it stands in the log", file="--why")
    return {"event": number, "question": event.data["question"], "what": words(event)[0], **_said(at, why)}


def seed(game: Game, side: str, text: str) -> Event:
    """Let a side add its own text to the machine's dice, before the first is thrown."""
    return game.record("seed", seeded(game, side, text))


def seeded(at: Position, side: str, text: str) -> Fields:
    """The data of the event that adds a side's text; raises Refused where it comes too late."""
    _refuse_ended(at)
    if side not in at.order:
        raise bad(f"there is no side {side!r}; known: {', '.join(at.order)}")
    if side in at.timeline.seeds:
        raise Refused("S14", f"{side} has given its seed")
    if any(die["how"] == "thrown" for event in at.timeline.events for die in event.data.get("dice", ())):
        raise Refused("S14", "the machine has thrown dice already: seeds come before the first")
    if not text.strip():
        raise bad("a seed has words")
    return {"side": side, "text": text.strip(), **_said(at, "")}


def said_again(at: Position, event: Event) -> Fields:
    """The data that an event about events would have if it were recorded at a position; raises what forbids it."""
    data = event.data
    match event.kind:
        case "undo":
            return taken_back(at, data["event"], data.get("why", ""))
        case "redo":
            return brought_back(at, data["event"], data.get("why", ""))
        case "overrule":
            return overruled(at, data["event"], data["to"], data.get("why", ""))
        case "new dice":
            return dice_ordered(at, data["event"], data.get("why", ""))
        case _:
            return seeded(at, data["side"], data["text"])


def _refuse_ended(at: Position) -> None:
    if at.state.ended:
        raise Refused("S11.4", "the game has ended; `minis undo` takes that back first")


def _said(at: Position, why: str) -> Fields:
    return {"turn": at.state.turn, "when": at.state.when, **({"why": why.strip()} if why.strip() else {})}


# --- which event, and what rests on it -----------------------------------------------------------------------------


def _named(at: Position, number: int) -> Event:
    try:
        return at.timeline.event(number)
    except IndexError:
        raise bad(f"there is no event {number}; the last is {len(at.timeline.events)}") from None


def _last(at: Position) -> Event:
    """The last event that can be taken back."""
    timeline = at.timeline
    for event in reversed(timeline.events):
        if event.kind == "overrule" and timeline.overruled.get(event.data["event"]) is event:
            return event
        if timeline.counts(event):
            return event
    raise Refused("S14", "nothing has happened yet")


def state_before(at: Position, event: Event) -> State:
    """The game before an event, as far as what led there still counts."""
    timeline = at.timeline
    earlier = Timeline(timeline.events[: event.seq - 1], set(timeline.undone), dict(timeline.overruled))
    return State(at.start, timeline.ledger(until=event.seq), at.order, earlier)


def _refuse_dependents(at: Position, event: Event, what: str, *, instead: Fields | None = None) -> None:
    found = list(dependents(at, event, instead=instead))
    if found:
        named = ", ".join(f"{other.seq} ({other.kind})" for other in found)
        raise Refused("S14", f"event {event.seq} cannot be {what}: later events rest on it: {named}")


def dependents(at: Position, event: Event, *, instead: Fields | None = None) -> Iterator[Event]:
    """Later acts that would have been ruled otherwise without an event, or with another answer and changes of it.

    Each is ruled upon once more with its own dice: one whose answer or changes differ rests on it. `instead` is the
    answer and the changes that an overruling gives the event. Of an event that does not count it is asked what would
    rest on its return.
    """
    number = event.data["event"] if event.kind == "overrule" else event.seq
    comes_back = event.seq in at.timeline.undone
    over = at.timeline.overruled.get(number)
    if event.kind == "overrule":
        over = event if comes_back else _word_before(at, event)
    elif instead is not None:
        over = replace(event, data={**instead, "to": ""})
    stays = event.kind == "overrule" or instead is not None or comes_back
    ledger, history = new_ledger(), Timeline(undone=set(at.timeline.undone), overruled=dict(at.timeline.overruled))
    (history.undone.discard if stays else history.undone.add)(number)
    history.overruled.pop(number, None)
    if over is not None:
        history.overruled[number] = over
    for other in at.timeline.events:
        counts = other.kind not in CONTROL and other.seq not in history.undone
        checked = other.seq > number or (other.seq == number and instead is None)
        if counts and checked and not _same(at, ledger, history, other):
            yield other
            history.undone.add(other.seq)
        elif counts:
            lay(ledger, history.changes(other))
        history.events.append(other)


def _word_before(at: Position, word: Event) -> Event | None:
    """The judge's word on an event that counts once another is taken back; None where its ruling does."""
    number = word.data["event"]
    words = [e for e in at.timeline.events if e.kind == "overrule" and e.data["event"] == number and e is not word]
    return next((e for e in reversed(words) if e.seq not in at.timeline.undone), None)


def _same(at: Position, ledger: Ledger, history: Timeline, event: Event) -> bool:
    """Whether an act, or the judge's word on it, would come to the same in another state."""
    earlier = Timeline(list(history.events), set(history.undone), dict(history.overruled))
    copy = {table: {key: dict(entry) for key, entry in entries.items()} for table, entries in ledger.items()}
    state, word = State(at.start, copy, at.order, earlier), history.overruled.get(event.seq)
    try:
        data = ruled_again(state, event)
        judged = overruled_data(state, event, word.data["to"]) if word else {}
    except MinisError:
        return False
    return _kept(data) == _kept(event.data) and (word is None or _kept(judged) == _kept(word.data))


def _kept(data: Fields) -> str:
    return canonical([data["answer"], data["changes"]])
