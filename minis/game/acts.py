"""Every kind of act by name: what rules on it, and what its question is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from minis.fire.measure import weapon_of
from minis.game import hands, moves, results, shots, sightings, smoking, turns
from minis.game.act import Box, Outcome
from minis.game.chain import canonical
from minis.game.ledger import Fields
from minis.game.state import State

Ruler = Callable[[State, Fields, Box], Outcome]

ACTS: Mapping[str, Ruler] = {
    "turn": turns.next_phase,
    "move": moves.move,
    "sight": sightings.sight,
    "identify": sightings.identify,
    "fire": shots.fire,
    "effect": results.effect,
    "smoke": smoking.smoke,
    "place": hands.put,
    "remove": hands.remove,
    "load": hands.load,
    "unload": hands.unload,
    "set": hands.set_facts,
    "weapon": hands.weapon,
    "boresight": hands.boresight,
    "manoeuvre": hands.hull_down_manoeuvre,
    "note": hands.note,
    "end": hands.end,
}
"""The kinds of act, with the function that rules on each."""

SUBJECTS: Mapping[str, Sequence[str]] = {
    "sight": ("sighter", "target"),
    "identify": ("sighter", "target"),
    "fire": ("firer", "weapon", "target"),
    "manoeuvre": ("unit",),
}
"""What of a request makes its question: a die once thrown stays with it."""


NAMES = ("unit", "sighter", "target", "firer", "carrier", "spotter", "by")
"""What of a request names a unit, by its id or by its token."""


def with_ids(state: State, asked: Fields) -> Fields:
    """A request that names its units by their ids, whatever they were called; raises BadInput for one there is not.

    A question about a unit is the same whether it was asked by its id or by its token.
    """
    named = {key: state.unit(asked[key]).id for key in NAMES if asked.get(key) is not None}
    also = {"also": [state.unit(name).id for name in asked["also"]]} if asked.get("also") else {}
    return {key: value for key, value in asked.items() if value is not None} | named | also


def question_of(state: State, kind: str, asked: Fields, nth: int) -> str:
    """The question of an act: turn, phase, kind and whom it is about, and how often it was asked before.

    A weapon that is left out is the first of its unit; `asked` names units by their ids.
    """
    subject: list[Any] = [asked.get(name) for name in SUBJECTS[kind]]
    if kind == "fire":
        subject[SUBJECTS[kind].index("weapon")] = weapon_of(state.unit(asked["firer"]), asked.get("weapon")).id
    return canonical([state.turn, state.phase_number, kind, *subject, nth])
