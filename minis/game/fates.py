"""What became of the units of a game: what each token stood for, where hidden units were, who was lost to what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from minis.board.units import Unit
from minis.game.chain import Event
from minis.game.ledger import Change, Fields, Ledger, lay, new_ledger
from minis.game.log import words
from minis.game.state import place
from minis.game.timeline import Timeline

HIDDEN = ""
"""Stands for the name of a token where a unit has none because it is hidden; no token has an empty name."""


@dataclass(frozen=True)
class Moment:
    """An event that changed something for a unit: its number, its turn, and in words how it came about."""

    event: int
    turn: int
    when: str
    how: str


@dataclass(frozen=True)
class Cover:
    """A stretch of the game in which a unit was on a token or hidden.

    `token` is empty where it was hidden. `at` is where it stood when that began, in inches, `left_at` where it stood
    when it ended; `since` is None where the set-up began it and `until` None where nothing has ended it.
    """

    unit: str
    token: str
    at: tuple[float, float]
    since: Moment | None = None
    until: Moment | None = None
    left_at: tuple[float, float] | None = None


@dataclass(frozen=True)
class Loss:
    """A unit that was lost: what did it, by whom with which weapon, in the event of which shot.

    `by` and `weapon` are None where nobody fired, `shot` then too. `kept_back` is true where the firer could not know
    what it was that he killed (S11.4).
    """

    unit: str
    turn: int
    event: int
    result: str
    by: str | None = None
    weapon: str | None = None
    shot: int | None = None
    kept_back: bool = False


@dataclass
class Fates:
    """The covers and the losses of a game, in the order in which they began."""

    covers: list[Cover] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)


def fates(start: Mapping[str, Unit], timeline: Timeline) -> Fates:
    """What became of the units of a game, `start` being those of its set-up; events taken back did not happen."""
    found, ledger = Fates(), new_ledger()
    for unit in start.values():
        name = _cover(unit, ledger)
        if name is not None:
            found.covers.append(Cover(unit.id, name, _at(unit, ledger)))
    for event in timeline.acts():
        changes = timeline.changes(event)
        named = dict.fromkeys(key for table, key, fields in changes if table == "units" and fields is not None)
        before = {name: _cover(start[name], ledger) for name in named}
        found.losses += _losses(start, ledger, before, timeline, event, changes)
        lay(ledger, changes)
        for name in named:
            if _cover(start[name], ledger) != before[name]:
                _change(found.covers, start[name], before[name], ledger, moment_of(timeline, event, name))
    return found


def _cover(unit: Unit, ledger: Ledger) -> str | None:
    """The token that a unit is on, `HIDDEN`, or None where it stands on the table as itself or is out of the game."""
    entry = ledger["units"].get(unit.id, {})
    if entry.get("gone"):
        return None
    if entry.get("hidden", unit.hidden):
        return HIDDEN
    return entry.get("token", unit.token) or None


def _at(unit: Unit, ledger: Ledger) -> tuple[float, float]:
    x, y = ledger["units"].get(unit.id, {}).get("at", place(unit.at))
    return x, y


def _change(covers: list[Cover], unit: Unit, before: str | None, ledger: Ledger, moment: Moment) -> None:
    """End the cover that a unit has left, and begin the one that it came under."""
    if before is not None:
        last = max(number for number, cover in enumerate(covers) if cover.unit == unit.id)
        covers[last] = replace(covers[last], until=moment, left_at=_at(unit, ledger))
    now = _cover(unit, ledger)
    if now is not None:
        covers.append(Cover(unit.id, now, _at(unit, ledger), moment))


# --- what an event did to a unit -----------------------------------------------------------------------------------


def answer_of(timeline: Timeline, event: Event) -> Fields:
    """The answer of an event as it counts: as the judge overruled it, where he did."""
    answer: Fields = (timeline.overruled.get(event.seq) or event).data["answer"]
    return answer


def moment_of(timeline: Timeline, event: Event, unit: str) -> Moment:
    """An event as what happened to a unit."""
    return Moment(event.seq, event.data["turn"], event.data["when"], _how(timeline, event, unit))


def _how(timeline: Timeline, event: Event, unit: str) -> str:
    """How an event revealed or covered a unit; the words of the log where there are no better."""
    answer = answer_of(timeline, event)
    match event.kind:
        case "identify":
            return f"identified by {answer['from']}"
        case "sight":
            return f"sighted by {answer['from']}"
        case "fire":
            return "fired" if unit == answer["from"] else f"sighted by {answer['from']}"
        case "move" if answer["replaced"]:
            return f"came near {answer['replaced']['enemy']} ({answer['replaced']['rule']})"
        case "effect" if unit == answer["placed"]:
            return "fired"
        case "effect":
            shot = answer_of(timeline, timeline.event(answer["event"]))
            lost = f"{answer['result']}, by {shot['from']} with {shot['weapon']}"
            return lost if unit == answer["target"] else f"went with {answer['target']}: {lost}"
        case "place":
            return "placed by the judge" + (f": {answer['why']}" if answer["why"] else "")
        case "remove":
            return f"taken off: {answer['how']}"
        case "load":
            return f"{'hitched to' if answer['tow'] else 'got on'} {answer['carrier']}"
        case "unload":
            return f"left {answer['carrier']}"
    return words(event)[0].rstrip(".")


def _losses(
    start: Mapping[str, Unit],
    ledger: Ledger,
    before: Mapping[str, str | None],
    timeline: Timeline,
    event: Event,
    changes: list[Change],
) -> Iterator[Loss]:
    """Units that an event takes out of the game or makes wrecks; dummies and what was a wreck already are no loss."""
    for table, name, fields in changes:
        how: Fields | None = (fields or {}).get("gone") or (fields or {}).get("lost")
        if table != "units" or how is None or start[name].dummy:
            continue
        if start[name].wreck or ledger["units"].get(name, {}).get("wreck"):
            continue
        if "event" not in how:
            yield Loss(name, how["turn"], event.seq, how["how"])
            continue
        firer = answer_of(timeline, timeline.event(how["event"]))["from"]
        kept_back = before[name] is not None
        yield Loss(name, how["turn"], event.seq, how["how"], firer, how["weapon"], how["event"], kept_back)
