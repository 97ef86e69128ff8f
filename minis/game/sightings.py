"""Sightings and identifications as acts of a game (S2, S10, S11.3, S12)."""

from __future__ import annotations

from typing import Any

from minis.board.units import Unit
from minis.errors import bad
from minis.game.act import Box, Outcome
from minis.game.ledger import Change, Fields
from minis.game.state import State
from minis.sight.answers import attempt_answer
from minis.sight.attempt import Attempt, attempt, one_target
from minis.sight.sighting import Procedure, smoke_dice


def sight(state: State, asked: Fields, box: Box) -> Outcome:
    """A sighting attempt of `sighter` at `target` (S2)."""
    return _tried(state, asked, "sight", box)


def identify(state: State, asked: Fields, box: Box) -> Outcome:
    """An identification attempt of `sighter` at `target` (S10)."""
    return _tried(state, asked, "identify", box)


def _tried(state: State, asked: Fields, procedure: Procedure, box: Box) -> Outcome:
    one, other = state.unit(asked["sighter"]), state.unit(asked["target"])
    if one.id == other.id:
        raise bad(f"{one.id} is both the sighter and the target")
    found = attempt_with(state, one, other, procedure, box)
    decided = bool(box.taken) and found.ruling.sighted is not None
    recorded = decided or bool(found.ruling.sighted)
    return Outcome(kept_answer(state, found), tuple(changes_of(state, found)), found, recorded=recorded)


def attempt_with(state: State, one: Unit, other: Unit, procedure: Procedure, box: Box) -> Attempt:
    """An attempt with the dice that there are: the smoke dice first, then the sighting die."""
    scene = state.scene
    first = attempt(scene, one, other, procedure=procedure)
    if first.ruling.outcome != "roll" or first.ruling.chance == 1:
        box.ignore("sighting")
    if first.ruling.outcome != "roll":
        return first
    wanted = smoke_dice(first.ruling.facts, state.rules)
    smoke = [roll for roll in (box.take("smoke") for _ in range(wanted)) if roll is not None]
    roll = box.take("sighting") if len(smoke) == wanted and first.ruling.chance != 1 else None
    if not smoke and roll is None:
        return first
    return attempt(scene, one, other, procedure=procedure, smoke_rolls=smoke, roll=roll)


def kept_answer(state: State, found: Attempt) -> dict[str, Any]:
    """The answer of an attempt as an event keeps it: without what else the line crosses."""
    answer = attempt_answer(state.scene, found)
    for name in ("crossings", "near", "also"):
        answer.pop(name, None)
    return answer


def changes_of(state: State, found: Attempt) -> list[Change]:
    """What an attempt that succeeded changes: who has sighted whom, what a token was, where a hidden unit stands."""
    if not found.ruling.sighted:
        return []
    if found.ruling.procedure == "identify":
        return [change for unit in one_target(state.scene, found.target) for change in _known(state, found, unit)]
    hidden = place_as_token(state, found.target) if found.target.hidden else []
    return [*hidden, *(seen(unit, found.sighter) for unit in one_target(state.scene, found.target))]


def _known(state: State, found: Attempt, unit: Unit) -> list[Change]:
    """What identifying does to one unit (S10.1, S10.3)."""
    if unit.dummy:
        return [gone(state, unit, "the dummy was identified")]
    return [*reveal(unit), seen(unit, found.sighter)]


def seen(unit: Unit, by: Unit) -> Change:
    """A unit has been sighted by another."""
    return "units", unit.id, {"sighted_by": sorted(unit.sighted_by | {by.id}), "unseen": None}


def reveal(unit: Unit) -> list[Change]:
    """The unit itself is placed on the table: no token any more, not hidden (S10.1, S12.3)."""
    return [("units", unit.id, {"hidden": False, "token": ""})]


def place_as_token(state: State, unit: Unit) -> list[Change]:
    """A token is put where a hidden unit stands: it is known to be there, not what it is (F1.5, S11.5)."""
    names = {u.id for u in state.start.units} | {u.token for u in state.start.units}
    number = state.spots + 1
    while f"spot-{number}" in names:
        number += 1
    return [("units", unit.id, {"hidden": False, "token": f"spot-{number}"}), ("game", "", {"spots": number})]


def gone(state: State, unit: Unit, how: str, **more: Any) -> Change:
    """A unit is out of the game."""
    return "units", unit.id, {"gone": {"how": how, "turn": state.turn, **more}}
