"""What a hit does to its target once the judge takes its effect (E1, E2, S11.4, S12.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from minis.board.units import Unit
from minis.errors import bad
from minis.game.act import Box, Outcome, Refused
from minis.game.chain import Event
from minis.game.hiding import vanishes
from minis.game.ledger import Change, Fields
from minis.game.sightings import gone, reveal
from minis.game.state import State
from minis.rules.effect_rows import EffectResultRow, family_of, rows_of
from minis.rules.model import Rules
from minis.toml_file import nearest_of

DESTROYED = ("wreck", "burn", "kill")
Deed = Literal["nothing", "note", "wreck", "burn", "kill", "immobilize", "shock"]


def deed_of(rules: Rules, result: str) -> Deed:
    """What a result such as "eliminated" or "2KIA" does; raises BadInput for one that there is not.

    >>> from minis.rules import load_rules
    >>> deed_of(load_rules(), "2KIA"), deed_of(load_rules(), "dud")
    ('kill', 'nothing')
    """
    known = {row.id: row for row in rows_of(rules, "effect-results", EffectResultRow)}
    name = result if result in known else family_of(result)[0]
    if name not in known:
        raise bad(f"there is no result {result!r}; {nearest_of(result, known)}", file="--to")
    return known[name].does


def effect(state: State, asked: Fields, box: Box) -> Outcome:
    """The judge takes the effect of a hit of `event` on `target`: as rolled, or `take` another result, or none.

    Raises Refused where there is no hit whose effect is open, BadInput for a result that there is not.
    """
    event, shot = hit_of(state, asked.get("event"), asked.get("target"))
    target, firer = state.unit(shot["to"]), _firer(state, event)
    rolled = (shot["result"]["effect"] or {}).get("result")
    result = asked.get("take") or rolled
    if result is None:
        raise Refused("C3.1", f"the effect on {target.id} was not rolled: say what it is with --to RESULT")
    deed = deed_of(state.rules, result)
    destroyed = deed in DESTROYED
    ruling = vanishes(state.scene, target, firer) if destroyed and firer is not None and firer.hidden else None
    vanished = ruling is not None and ruling.holds
    how = {"by": event.data["asked"]["firer"], "weapon": shot["weapon"], "event": event.seq}
    changes = list(_suffers(state, target, deed, result, how, vanished=vanished))
    seen = not vanished or _seen_before(state, event)
    placed = firer is not None and firer.hidden and seen and _last_open(state, event, target.id)
    if placed and firer is not None:
        changes += reveal(firer)
    answer = {
        "event": event.seq, "target": target.id, "rolled": rolled, "result": result, "does": deed,
        "vanishes": vanished, "why": ruling.why if ruling else "", "rule": ruling.rule if ruling else "C3.1",
        "placed": firer.id if placed and firer is not None else None,
        "riders": list(_with(target)) if destroyed else [],
    }  # fmt: skip
    return Outcome(answer, tuple(changes))


def _with(unit: Unit) -> tuple[str, ...]:
    """What goes with a unit: its passengers and what it tows."""
    return (*unit.carries, *((unit.tow,) if unit.tow else ()))


def _firer(state: State, event: Event) -> Unit | None:
    """The unit that fired, if it is in the game still."""
    name = event.data["asked"]["firer"]
    return None if state.gone(name) else state.unit(name)


def open_effects(state: State) -> list[tuple[Event, str]]:
    """Hits whose effect is still to be taken: the event of the shot and the target."""
    taken = {
        (event.data["answer"]["event"], event.data["answer"]["target"])
        for event in state.history.acts()
        if event.kind == "effect"
    }
    return [
        (event, target)
        for event in state.history.acts()
        if event.kind == "fire"
        for target in _answer_of(state, event)["open"]
        if (event.seq, target) not in taken and not state.gone(target)
    ]


def _answer_of(state: State, event: Event) -> Fields:
    """The answer of an event as it counts: as the judge overruled it, where he did."""
    answer: Fields = (state.history.overruled.get(event.seq) or event).data["answer"]
    return answer


def hit_of(state: State, number: int | None, target: str | None) -> tuple[Event, Fields]:
    """The event of a shot and its answer for one target, whose effect is open; the only one where none is named."""
    found = [(event, name) for event, name in open_effects(state) if number in (None, event.seq)]
    if target is not None:
        found = [(event, name) for event, name in found if name == target]
    if not found:
        where = "there is no hit" if number is None else f"event {number} has no hit"
        raise Refused("C3.1", f"{where}{f' on {target}' if target else ''} whose effect is open")
    if len(found) > 1:
        several = ", ".join(f"{name} (event {event.seq})" for event, name in found)
        raise bad(f"several effects are open: say which, {several}", file="--target")
    event, name = found[0]
    answer = _answer_of(state, event)
    return event, next(one for one in (answer, *answer["others"]) if one["to"] == name)


def _seen_before(state: State, event: Event) -> bool:
    """Whether a target of the same shot was not one that just vanished: then the firer is placed (S12.3)."""
    taken = (other for other in state.history.acts() if other.kind == "effect")
    return any(o.data["answer"]["event"] == event.seq and not o.data["answer"]["vanishes"] for o in taken)


def _last_open(state: State, event: Event, target: str) -> bool:
    return [name for other, name in open_effects(state) if other.seq == event.seq] == [target]


def _suffers(state: State, target: Unit, deed: Deed, result: str, how: Fields, *, vanished: bool) -> Iterator[Change]:
    """What becomes of a target: a token that is killed is taken off, and what it was is kept for the end (S11.4)."""
    if deed == "immobilize":
        yield "units", target.id, {"immobile": True}
    elif deed == "shock":
        yield "units", target.id, {"shocked": True}
    elif deed in DESTROYED:
        concealed = target.token is not None or target.hidden
        if vanished or concealed or not target.is_vehicle:
            yield gone(state, target, result, **how, **({"token": target.token} if target.token else {}))
            for name in _with(target):  # nobody saw what it carried: the judge rules on it in private
                yield "units", name, {"hidden": True, "token": ""}
        else:
            lost: dict[str, Any] = {"how": result, "turn": state.turn, **how}
            yield "units", target.id, {"wreck": True, "lost": lost, "carries": [], "tow": ""}
