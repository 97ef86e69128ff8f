"""Every kind of act by name: what rules on it, and what its question is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from minis.game import hands, moves, results, shots, sightings, smoking, turns
from minis.game.act import Box, Outcome
from minis.game.journal import canonical
from minis.game.ledger import Fields
from minis.game.state import State

Ruler = Callable[[State, Fields, Box], Outcome]

ACTS: Mapping[str, Ruler] = {
    "turn": turns.next_phase,
    "move": moves.move,
    "sight": sightings.sight,
    "identify": sightings.sight,
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


def question_of(state: State, kind: str, asked: Fields, nth: int) -> str:
    """The question of an act: turn, phase, kind and whom it is about, and how often it was asked before.

    A first weapon that is left out is the first weapon all the same.
    """
    subject: list[Any] = [asked.get(name) for name in SUBJECTS[kind]]
    phase = state.phases.index(state.phase) if state.phase else -1
    return canonical([state.turn, phase, kind, *subject, nth])
