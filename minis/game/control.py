"""Events that speak of other events: undo, redo, the judge's word, new dice, the players' seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from minis.errors import MinisError, bad
from minis.game.act import Refused, Replay, dice_of
from minis.game.chain import Event, canonical
from minis.game.game import Game, ruled_again
from minis.game.ledger import Fields, lay, new_ledger, read_changes
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


def undo(game: Game, number: int | None = None, why: str = "") -> Event:
    """Take back an event, the last that counts where none is named; raises Refused where later events rest on it."""
    event = _last(game) if number is None else _named(game, number)
    if event.kind != "end":
        _refuse_ended(game)
    if event.kind == "start":
        raise Refused("S14", "the start of the game cannot be taken back: start another game")
    if event.kind not in ("overrule",) and event.kind in CONTROL:
        raise Refused("S14", f"event {event.seq} ({event.kind}) cannot be taken back" + _how(event))
    if event.kind != "overrule" and event.seq in game.timeline.undone:
        raise Refused("S14", f"event {event.seq} is taken back already")
    if event.kind == "overrule" and game.timeline.overruled.get(event.data["event"]) is not event:
        raise Refused("S14", f"event {event.seq} is taken back already")
    _refuse_dependents(game, event, "taken back")
    return game.record("undo", {"event": event.seq, "what": words(event)[0], **_said(game, why)})


def _how(event: Event) -> str:
    return f"; `minis redo {event.data['event']}` brings that back" if event.kind == "undo" else ""


def redo(game: Game, number: int | None = None, why: str = "") -> Event:
    """Let an event count again that was taken back, the last taken back where none is named."""
    _refuse_ended(game)
    taken = [event for event in game.timeline.events if event.kind == "undo" and _is_back(game, event)]
    found = [event for event in taken if number is None or event.data["event"] == number]
    if not found:
        raise Refused("S14", f"event {number} is not taken back" if number else "nothing is taken back")
    event = game.timeline.event(found[-1].data["event"])
    _refuse_dependents(game, event, "brought back")
    return game.record("redo", {"event": event.seq, "what": words(event)[0], **_said(game, why)})


def _is_back(game: Game, undo_event: Event) -> bool:
    """Whether what an undo took back is still taken back."""
    event = game.timeline.event(undo_event.data["event"])
    if event.kind == "overrule":
        return game.timeline.overruled.get(event.data["event"]) is not event
    return event.seq in game.timeline.undone


def overrule(game: Game, number: int, to: str, why: str) -> Event:
    """The judge's word on what an event came to; raises Refused where later events rest on how it was ruled."""
    _refuse_ended(game)
    event = _named(game, number)
    if event.kind not in OVERRULED:
        told = "; take it back and record it as you rule" if event.kind not in CONTROL else ""
        raise Refused("S14", f"event {number} ({event.kind}) is no ruling that can be overruled{told}")
    if to not in OVERRULED[event.kind]:
        raise bad(f"expected {' or '.join(OVERRULED[event.kind])}, not {to!r}", file="--to")
    if not why.strip():
        raise bad("say why: the judge's word stands in the log with its reason", file="--why")
    if event.seq in game.timeline.undone:
        raise Refused("S14", f"event {number} is taken back")
    before = state_before(game, event)
    data = overruled_data(before, event, to)
    _refuse_dependents(game, event, "overruled", instead=data)
    return game.record("overrule", {"event": number, "to": to, **_said(game, why), **data})


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
    _refuse_ended(game)
    event = _named(game, number)
    if not event.data.get("dice"):
        raise Refused("S14", f"event {number} ({event.kind}) had no dice")
    if event.seq not in game.timeline.undone:
        raise Refused("S14", f"event {number} counts: take it back first with `minis undo {number}`")
    if not why.strip():
        raise bad("say why new dice are thrown: it stands in the log", file="--why")
    return game.record(
        "new dice", {"event": number, "question": event.data["question"], "what": words(event)[0], **_said(game, why)}
    )


def seed(game: Game, side: str, text: str) -> Event:
    """Let a side add its own text to the machine's dice, before the first is thrown."""
    _refuse_ended(game)
    if side not in game.order:
        raise bad(f"there is no side {side!r}; known: {', '.join(game.order)}")
    if side in game.timeline.seeds:
        raise Refused("S14", f"{side} has given its seed")
    if any(die["how"] == "thrown" for event in game.timeline.events for die in event.data.get("dice", ())):
        raise Refused("S14", "the machine has thrown dice already: seeds come before the first")
    if not text.strip():
        raise bad("a seed has words")
    return game.record("seed", {"side": side, "text": text.strip(), **_said(game, "")})


def _refuse_ended(game: Game) -> None:
    if game.state.ended:
        raise Refused("S11.4", "the game has ended; `minis undo` takes that back first")


def _said(game: Game, why: str) -> Fields:
    return {"turn": game.state.turn, "when": game.state.when, **({"why": why.strip()} if why.strip() else {})}


# --- which event, and what rests on it -----------------------------------------------------------------------------


def _named(game: Game, number: int) -> Event:
    try:
        return game.timeline.event(number)
    except IndexError:
        raise bad(f"there is no event {number}; the last is {len(game.timeline.events)}") from None


def _last(game: Game) -> Event:
    """The last event that can be taken back."""
    timeline = game.timeline
    for event in reversed(timeline.events):
        if event.kind == "overrule" and timeline.overruled.get(event.data["event"]) is event:
            return event
        if timeline.counts(event):
            return event
    raise Refused("S14", "nothing has happened yet")


def state_before(game: Game, event: Event) -> State:
    """The game as it stood when an event was ruled upon, without what was taken back since."""
    earlier = Timeline()
    for other in game.timeline.events[: event.seq - 1]:
        earlier.add(other)
    return State(game.start, earlier.ledger(), game.order, earlier)


def _refuse_dependents(game: Game, event: Event, what: str, *, instead: Fields | None = None) -> None:
    found = list(dependents(game, event, instead=instead))
    if found:
        named = ", ".join(f"{other.seq} ({other.kind})" for other in found)
        raise Refused("S14", f"event {event.seq} cannot be {what}: later events rest on it: {named}")


def dependents(game: Game, event: Event, *, instead: Fields | None = None) -> Iterator[Event]:
    """Later acts that would have been ruled otherwise without an event, or with another answer and changes of it.

    Each is ruled upon once more with its own dice: one whose answer or changes differ rests on it. `instead` is the
    answer and the changes that an overruling gives the event. Of an event that does not count it is asked what would
    rest on its return.
    """
    number = event.data["event"] if event.kind == "overrule" else event.seq
    over = game.timeline.overruled.get(number)
    if event.kind == "overrule":
        over = None if over is event else event
    elif instead is not None:
        over = replace(event, data=instead)
    stays = event.kind == "overrule" or instead is not None or event.seq in game.timeline.undone
    ledger, history = new_ledger(), Timeline()
    for other in game.timeline.events:
        history.add(other)
        history.overruled = {n: o for n, o in history.overruled.items() if n != number}
        if over is not None and other.seq >= number:
            history.overruled[number] = over
        (history.undone.discard if stays else history.undone.add)(number)
        if other.seq == number:
            lay(ledger, read_changes((over or other).data["changes"]) if stays else [])
        elif game.timeline.counts(other):
            if other.seq > number and not _same(game, ledger, history, other):
                yield other
            else:
                lay(ledger, game.timeline.changes(other))


def _same(game: Game, ledger: dict[str, dict[str, Fields]], history: Timeline, event: Event) -> bool:
    """Whether an act would be ruled as it was in another state."""
    earlier = Timeline(history.events[:-1], set(history.undone), dict(history.overruled))
    copy = {table: {key: dict(entry) for key, entry in entries.items()} for table, entries in ledger.items()}
    try:
        data = ruled_again(State(game.start, copy, game.order, earlier), event)
    except MinisError:
        return False
    return canonical([data["answer"], data["changes"]]) == canonical([event.data["answer"], event.data["changes"]])
