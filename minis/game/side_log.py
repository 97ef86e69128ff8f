"""The log as one side saw it: what changed in its own view of the table from one event to the next, and its own shots.

An entry is made from two views and, for an act of a unit of its own at somebody whom it knows to be there, whether it
succeeded; nothing else of an event is read. Entries have numbers of their own, and no time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from minis.board.board import Board
from minis.board.units import Unit
from minis.game.chain import Event
from minis.game.ledger import Fields, lay, new_ledger
from minis.game.state import State
from minis.game.timeline import CONTROL, Timeline
from minis.game.views import board_for, knowledge_of
from minis.lengths import to_inches


@dataclass(frozen=True)
class SideEntry:
    """What a side saw of one event: a number of its own, when it was, and in words."""

    number: int
    turn: int
    when: str
    lines: tuple[str, ...]


def side_log(start: Board, order: tuple[str, ...], timeline: Timeline, side: str) -> list[SideEntry]:
    """Everything that a side saw, oldest first; events that it saw nothing of are not there."""
    return SideWatch(start, order, side).entries(timeline)


class SideWatch:
    """A side that follows a game: the log as it saw it, and `view`, the board as it may know it now.

    What was read is not read again; an event about other events, such as an undo, lets it begin anew.
    """

    def __init__(self, start: Board, order: tuple[str, ...], side: str):
        self._start, self._order, self._side = start, order, side
        self._begin()

    def _begin(self) -> None:
        self.view = board_for(self._start, self._side)
        self._read = 0
        self._found: list[SideEntry] = []
        self._ledger = new_ledger()
        self._state: State | None = None

    def entries(self, timeline: Timeline) -> list[SideEntry]:
        """Everything that the side saw so far, oldest first."""
        if any(event.kind in CONTROL for event in timeline.events[self._read :]) or self._read > len(timeline.events):
            self._begin()
        for event in timeline.events[self._read :]:
            if timeline.counts(event):
                self._take(timeline, event)
        self._read = len(timeline.events)
        return list(self._found)

    def _take(self, timeline: Timeline, event: Event) -> None:
        """Take in the next act."""
        state = self._state or self._state_of(timeline)
        lay(self._ledger, timeline.changes(event))
        now = self._state_of(timeline)
        then, self.view = self.view, _view(now.board, self._side, self.view)
        lines = [f"Turn {now.turn}: {now.phase.label}."] if event.kind == "turn" and now.phase else []
        lines += ["The game has ended."] if event.kind == "end" else []
        answer = (timeline.overruled.get(event.seq) or event).data.get("answer", {})
        own = list(_own_act(state, now, event, answer, self._side))
        told = {firer for firer, _ in own if firer is not None}
        lines += [line for _, line in own]
        lines += [*_changed(then, self.view, told), *_suffered(state, now, self._side)]
        if lines:
            self._found.append(SideEntry(len(self._found) + 1, now.turn, now.when, tuple(lines)))
        self._state = now

    def _state_of(self, timeline: Timeline) -> State:
        copy = {table: {key: dict(entry) for key, entry in kept.items()} for table, kept in self._ledger.items()}
        return State(self._start, copy, self._order, timeline)


def _view(board: Board, side: str, last: Board) -> Board:
    """The board as a side may know it; one that has lost its last unit keeps what it saw `last`, the smoke apart."""
    if side in board.sides:
        return board_for(board, side)
    return replace(last, units=tuple(unit for unit in last.units if unit.side != side), smoke=board.smoke)


# --- acts of its own -----------------------------------------------------------------------------------------------


def _own_act(state: State, now: State, event: Event, answer: Fields, side: str) -> Iterator[tuple[str | None, str]]:
    """What came of an act of a unit of the side at somebody whom it knew to be there, or of a shot at it.

    Each in words, with the name of who is said to have fired, None where nobody is.
    """
    asked = event.data.get("asked", {})
    known = knowledge_of(state.board, side)
    if event.kind in ("sight", "identify") and asked["sighter"] in known.own:
        target = known.names.get(asked["target"])
        if target is not None and not answer["sighted"]:
            yield None, f"{asked['sighter']} does not {event.kind} {target}."
    if event.kind == "fire":
        firer = known.names.get(asked["firer"]) or knowledge_of(now.board, side).names.get(asked["firer"])
        for one in (answer, *answer["others"]):
            target = known.names.get(one["to"])
            if target is None:
                continue
            if one["result"] is None:
                if firer in known.own and one["sighting"]["dice"] and not one["sighting"]["sighted"]:
                    yield None, f"{firer} does not sight {target}."
            elif firer in known.own or one["to"] in known.own:
                what = "hit" if one["result"]["hit"] else "miss"
                yield (
                    firer,
                    f"{target} is fired at: {what}." if firer is None else f"{firer} fires at {target}: {what}.",
                )


def _suffered(state: State, now: State, side: str) -> Iterator[str]:
    """What its own units suffer and keep."""
    for unit in now.board.units:
        if unit.side == side:
            for mark, words in (("immobile", "is immobilized"), ("shocked", "is shocked")):
                if now.entry(unit.id).get(mark) and not state.entry(unit.id).get(mark):
                    yield f"{unit.id} {words}."


# --- what changed in its view --------------------------------------------------------------------------------------


def _changed(then: Board, now: Board, told: set[str]) -> Iterator[str]:
    """Every difference between two views, unit by unit in the order of their names, then the smoke.

    Of units in `told` it is said already that they fired.
    """
    before, after = then.unit_by_id, now.unit_by_id
    new = {name: after[name] for name in sorted(after.keys() - before.keys())}
    lost = {name: before[name] for name in sorted(before.keys() - after.keys())}
    for unit in new.values():
        tokens = [t for t in lost.values() if t.unknown and t.side == unit.side]
        token = next((t for t in tokens if t.at == unit.at or len(tokens) == len(new) == 1), None)
        if token is not None:
            del lost[token.id]
            yield f"Token {token.id} is {_named(unit)}."
        else:
            yield f"{_named(unit)} is placed at {_where(unit)}."
    for unit in lost.values():
        yield f"{unit.id} is taken off the table."
    for name in sorted(before.keys() & after.keys()):
        yield from _one_changed(before[name], after[name], told)
    yield from _smoke_changed(then, now)


def _named(unit: Unit) -> str:
    return f"{'Token ' if unit.unknown else ''}{unit.id} ({unit.side}{'' if unit.unknown else ', ' + unit.kind.label})"


def _where(unit: Unit) -> str:
    """A place as it is read off the table: to a hundredth of an inch, which tells nothing of how it was reached."""
    x, y = to_inches(unit.at[0]), to_inches(unit.at[1])
    return f"{x:.2f},{y:.2f}"


def _one_changed(then: Unit, now: Unit, told: set[str]) -> Iterator[str]:
    """What changed of one unit that stands in both views."""
    if now.at != then.at:
        facing = "" if now.unknown else f", facing {now.facing % 360:03.0f}"
        yield f"{now.id} moves to {_where(now)}{facing}."
    elif (now.facing, now.turret) != (then.facing, then.turret):
        yield f"{now.id} turns to {now.facing % 360:03.0f}, turret {now.turret % 360:03.0f}."
    if "fired" in now.flags - then.flags and now.id not in told:
        yield f"{now.id} fires."
    if now.wreck and not then.wreck:
        yield f"{now.id} is a wreck."
    if then.hidden and not now.hidden:
        yield f"{now.id} is placed on the table."
    if then.token and not now.token:
        yield f"{now.id} is off its token."
    for name in sorted(now.sighted_by - then.sighted_by):
        yield f"{name} sights {now.id}."
    if then.sighted_by and not now.sighted_by:
        yield f"{now.id} is sighted no longer."


def _smoke_changed(then: Board, now: Board) -> Iterator[str]:
    before, after = ({cloud.id: cloud for cloud in board.smoke} for board in (then, now))
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"Smoke {name} clears."
        elif name not in before:
            yield f"Smoke {name} is placed."
        elif before[name].ring != after[name].ring:
            yield f"Smoke {name} drifts."
