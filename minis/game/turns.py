"""The turn: phases in the order of their table, sightings that lapse, smoke that clears, what is still to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from minis.board.units import Unit
from minis.game.act import Box, Outcome, Refused
from minis.game.ledger import EVERY, Change, Fields
from minis.game.results import open_effects
from minis.game.state import State
from minis.sight.attempt import attempt, sighters, targets
from minis.sight.line import can_see


def next_phase(state: State, asked: Fields, box: Box) -> Outcome:
    """The next phase of the sequence of play, or the first of a new turn, in which the facts of the turn clear."""
    if state.ended:
        raise Refused("S14", "the game has ended")
    new_turn = state.phase is None or state.phase_number + 1 == len(state.phases)
    turn = state.turn + 1 if new_turn else state.turn
    phase = 0 if new_turn else state.phase_number + 1
    changes: list[Change] = [("game", "", {"turn": turn, "phase": phase})]
    lapsed: list[str] = []
    cleared: list[str] = []
    if new_turn:
        changes.append(("turn", EVERY, None))
        cleared = [c.id for c in state.board.smoke if c.until_turn is not None and c.until_turn < turn]
        changes += [("smoke", name, {"gone": True}) for name in cleared]
    new = state.phases[phase]
    if (new.row.sighting if state.rules.switch("stays_sighted") == "phase" else new_turn) and state.phase is not None:
        kept = list(_lapses(state))
        lapsed = [change[1] for change in kept if change[2] and change[2].get("sighted_by") == []]
        changes += kept
    answer = {
        "turn": turn, "phase": new.row.id, "side": new.side, "label": new.label, "new_turn": new_turn,
        "lapsed": lapsed, "smoke_cleared": cleared,
    }  # fmt: skip
    return Outcome(answer, tuple(changes))


def _lapses(state: State) -> Iterator[Change]:
    """Who is no longer sighted, and who went out of every enemy's sight in the turn that ends (S2, stays_sighted)."""
    switch = state.rules.switch("stays_sighted")
    if switch == "always":
        return
    for unit in state.board.units:
        if not unit.sighted_by:
            continue
        if switch == "phase":
            yield "units", unit.id, {"sighted_by": [], "unseen": None}
            continue
        since = state.entry(unit.id).get("unseen")
        if _in_sight(state, unit):
            if since is not None:
                yield "units", unit.id, {"unseen": None}
        elif since is None or state.this_turn(unit.id).get("seen"):
            yield "units", unit.id, {"unseen": state.turn}
        else:
            yield "units", unit.id, {"sighted_by": [], "unseen": None}


def _in_sight(state: State, unit: Unit) -> bool:
    """Whether any enemy has a line of sight to a unit as the table stands."""
    enemies = (other for other in state.board.units if other.side != unit.side and looks(state, other))
    return any(can_see(state.scene, other, unit) for other in enemies)


def looks(state: State, unit: Unit) -> bool:
    """True of units that look for themselves: no dummies or wrecks, no passengers, no guns on tow."""
    rides = unit.id in state.board.carrier_of or unit.id in state.board.tow_of
    return not unit.dummy and not unit.wreck and not rides


# --- what is still to do -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ToDo:
    """Something that was not done in a phase: what kind of thing, which unit, and whom it is about."""

    kind: Literal["effect", "sighting", "hidden"]
    unit: str
    about: tuple[str, ...]
    event: int | None = None

    @property
    def words(self) -> str:
        """In words for the judge."""
        about = ", ".join(self.about[:SHOWN]) + (f" and {len(self.about) - SHOWN} more" if self.about[SHOWN:] else "")
        match self.kind:
            case "effect":
                return f"the effect on {self.unit} is not taken yet: minis effect {self.event}"
            case "sighting":
                return f"{self.unit} may still try to sight {about}"
            case _:
                return f"hidden {self.unit} has a line of sight to {about}"


SHOWN = 6
"""So many names of a list are printed."""


def to_do(state: State, *, brief: bool = False) -> list[ToDo]:
    """What was not done in the phase that is on (S12.2).

    Brief, each unit is named with the first that it is about, which takes far fewer lines of sight.
    """
    found = [ToDo("effect", target, (), event.seq) for event, target in open_effects(state)]
    phase = state.phase
    if phase is None or state.ended:
        return found
    if phase.row.sighting:
        found += _not_tried(state, brief=brief)
    if phase.row.watch:
        hidden = [unit for unit in state.board.units if unit.hidden and looks(state, unit)]
        for unit in sorted(hidden, key=lambda unit: unit.id):
            enemies = [e for e in targets(state.scene, unit.side) if not e.hidden]
            seen = (enemy.id for enemy in enemies if can_see(state.scene, unit, enemy))
            about = tuple(islice(seen, 1 if brief else None))
            found += [ToDo("hidden", unit.id, about)] if about else []
    return found


def _not_tried(state: State, *, brief: bool) -> Iterator[ToDo]:
    """Sighters with a chance to sight somebody whom they have not sighted and did not try this turn."""
    tried = {
        (event.data["answer"]["from"], event.data["answer"]["to"])
        for event in state.history.acts()
        if event.kind in ("sight", "identify", "fire") and event.data["turn"] == state.turn
    }
    for side in state.board.sides:
        enemies = [unit for unit in targets(state.scene, side) if not unit.hidden]
        for sighter in sighters(state.scene, side):
            if sighter.hidden:
                continue
            chances = (
                enemy.id
                for enemy in enemies
                if sighter.id not in enemy.sighted_by
                and (sighter.id, enemy.id) not in tried
                and can_see(state.scene, sighter, enemy)
                and attempt(state.scene, sighter, enemy).ruling.chance
            )
            about = tuple(islice(chances, 1 if brief else None))
            if about:
                yield ToDo("sighting", sighter.id, about)
