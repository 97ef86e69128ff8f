"""Shots as acts of a game: what the state adds to the facts, and what a shot changes (F1 to F8, S11, S12)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from minis.board.geometry import bearing
from minis.board.units import Unit
from minis.errors import bad
from minis.fire.acquisition import Acquisition, Firing, after_shot, fact_of, mark_of
from minis.fire.answers import table_shot_answer
from minis.fire.blinding import blinding
from minis.fire.blinding import resolve as blinded_by
from minis.fire.boresight import BoreSight
from minis.fire.boresight import applies as bore_sighted
from minis.fire.boresight import lost as boresight_lost
from minis.fire.exposure import FINENESS
from minis.fire.manoeuvre import masked, protects
from minis.fire.measure import Declaration, TableShot, declare, mount_of, same, same_shot, weapon_of
from minis.fire.result import HitEffect
from minis.fire.targets import Prospect, targets_of
from minis.fire.to_hit import Refusal
from minis.fire.volley import Fired, volley
from minis.game.act import Box, Outcome, Refused
from minis.game.hiding import no_return_fire
from minis.game.ledger import Change, Fields, weapon_key
from minis.game.results import deed_of
from minis.game.sightings import attempt_with, changes_of, gone, reveal
from minis.game.state import State, place, record, whole
from minis.lengths import format_number
from minis.rules.model import Rules
from minis.sight.attempt import Attempt, attempt, one_target, to_shoot_at


def fire(state: State, asked: Fields, box: Box) -> Outcome:
    """A shot of `firer` at `target`, and at the targets `also` under the same throw (F1.4, F5.5).

    `facts` are those that neither the table nor the state shows. Raises Refused for a weapon that cannot fire and for
    fire that S12.3 forbids, BadInput for names that there are not.
    """
    names = [asked["target"], *asked.get("also", ())]
    firer = state.unit(asked["firer"])
    weapon = weapon_of(firer, asked.get("weapon"))
    _may_fire(state, firer, weapon.id)
    said = Declaration(
        weapon.id if asked.get("weapon") else None, asked.get("ammo"), asked.get("type"), phase_of(state, asked),
        tuple(asked.get("facts", {}).items()),
    )  # fmt: skip
    shots: list[TableShot] = []
    for name in names:
        target = state.unit(name)
        if target.id == firer.id:
            raise bad(f"{firer.id} is both the firer and the target")
        if any(target.id == shot.attempt.target.id for shot in shots):
            raise bad(f"{target.id} is named twice: each target is named once")
        shot = _declared(state, firer, target, same(said, shots[0]) if shots else said, weapon.id, box)
        shots.append(same_shot(shot) if shots else shot)
    if box.decides and shots[0].refusal is None:
        _may_fire_again(state, asked, firer, weapon.id)
    fired = volley(state.rules, shots, box.take, effects=not asked.get("no_effect"))
    done = fired[0].throw is not None and fired[0].throw.needs_die is None
    blind = _blinding(state, fired, box) if done else {}
    answers = [_answer(state, one) for one in fired]
    answer = answers[0] | {"others": answers[1:], "blinded": sorted(name for name, true in blind.items() if true)}
    answer["smoke_at"] = [place(one.found.attempt.target.at) for one in fired if done and _is_smoke_hit(one)]
    answer["open"] = [one.found.attempt.target.id for one in fired if _is_open(state.rules, one)] if done else []
    if done and not any(one.throw and one.throw.hit for one in fired) and box.typed.get("effect"):
        raise bad("the shot missed: there is no effect to roll", file="--effect-dice")
    if fired[0].found.refusal is not None:
        for purpose in box.typed:
            box.ignore(purpose)
    looked = any(one.found.attempt.ruling.rolls and one.found.attempt.ruling.sighted is not None for one in fired)
    seen = [one.found.attempt for one in fired if one.found.attempt.ruling.rolls]
    changes = [change for found in seen for change in changes_of(state, found)]
    laid = list(_laid(state, firer, fired[0])) if done else []
    answer["laid"] = laid[0][2] if laid else None
    if done:
        changes += [*_changes(state, firer, weapon.id, fired, blind), *laid]
    return Outcome(answer, tuple(changes), fired, recorded=done or looked)


def phase_of(state: State, asked: Fields) -> str:
    """The fire phase of a shot: the one that is said, else that of the sequence of play."""
    phase = state.phase
    if asked.get("phase") or phase is None:
        return str(asked.get("phase") or "prep")
    if phase.side is not None and phase.side == state.unit(asked["firer"]).side:
        return "bounding_first"
    return phase.row.fire


def _may_fire(state: State, firer: Unit, weapon: str) -> None:
    broken = state.weapon_state(firer.id, weapon)
    if broken:
        raise Refused("C2.28" if broken == "malfunction" else "C8", f"{weapon} of {firer.id}: {broken}")
    if state.entry(firer.id).get("shocked"):
        raise Refused("C7", f"the crew of {firer.id} is shocked; `minis set {firer.id} shocked=false` when it recovers")


def _may_fire_again(state: State, asked: Fields, firer: Unit, weapon: str) -> None:
    """A weapon that did not keep its rate of fire is done for this phase (F5.6); F4.2 counts first fire shots."""
    facts: Fields = asked.get("facts", {})
    before = [
        event.data
        for event in state.history.acts()
        if event.kind == "fire"
        and (event.data["turn"], event.data["phase"]) == (state.turn, state.phase_number)
        and (event.data["answer"]["from"], event.data["answer"]["weapon"]) == (firer.id, weapon)
        and event.data["answer"]["result"] is not None
    ]
    if before and not before[-1]["answer"]["result"]["keeps_rof"] and "intensive" not in facts:
        why = f"{weapon} of {firer.id} has fired in this phase and did not keep its rate of fire"
        raise Refused("C2.24", f"{why}; intensive fire is --fact intensive=true")
    target = state.unit(asked["target"]).id
    exposed = state.this_turn(target).get("exposure", {}).get(firer.id)
    if phase_of(state, asked) != "defensive_first" or exposed is None or "mp_in_sight" in facts:
        return
    at_it = sum(data["asked"]["target"] == target for data in before)
    if at_it >= math.floor(exposed["mp"] + FINENESS):
        spent = f"{target} has spent {format_number(exposed['mp'])} MP in sight of {firer.id}"
        raise Refused("F4.2", f"{spent}: no more than {at_it} shot{'' if at_it == 1 else 's'} of {weapon}")


# --- what the state adds -------------------------------------------------------------------------------------------


def _declared(state: State, firer: Unit, target: Unit, said: Declaration, weapon: str, box: Box) -> TableShot:
    """A shot at one target with the sighting it rests on and the facts that the state of the game brings."""
    if no_return_fire(state.entry(target.id).get("hiding_turn"), state.turn):
        why = f"{target.id} fired from hiding this turn: nobody fires back in it"
        raise Refused("S12.3", why)
    sighted = any(firer.id in unit.sighted_by for unit in one_target(state.scene, target))
    unasked = sighted or firer.hidden
    found = attempt(state.scene, firer, target) if unasked else attempt_with(state, firer, target, "sight", box)
    return declared(state, to_shoot_at(state.scene, found), said, weapon)


def declared(state: State, aimed: Attempt, said: Declaration, weapon: str) -> TableShot:
    """A shot at a target with the facts that the state of the game brings to it."""
    firer, target = aimed.sighter, aimed.target
    first = declare(state.scene, aimed, said)
    bows = masked(state.scene, firer, target, arc=state.arcs.get(firer.id))
    bow = next((found for found in bows if found.weapon == weapon), None)
    if bow is not None:
        return replace(first, shot=None, refusal=Refusal(bow.rule, bow.why))
    if first.shot is None:
        return first
    given = dict(said.facts)
    more = {k: v for k, v in _facts(state, aimed, first, given).items() if k not in given}
    return declare(state.scene, aimed, replace(said, facts=(*said.facts, *more.items()))) if more else first


def prospects(state: State, firer: Unit, said: Declaration) -> list[Prospect]:
    """Every target of a unit as the game stands, best first; raises Refused for a weapon that cannot fire."""
    weapon = weapon_of(firer, said.weapon)
    _may_fire(state, firer, weapon.id)
    asked = replace(said, phase=said.phase or phase_of(state, {"firer": firer.id}))
    return targets_of(state.scene, firer, asked, by=lambda sure: declared(state, sure, asked, weapon.id))


def _facts(state: State, found: Attempt, shot: TableShot, given: Fields) -> Fields:
    """Acquisition, bore sight, protected arc, and the exposure of a target that moved this turn, as facts of a shot."""
    facts: Fields = {}
    firer, target = found.sighter, found.target
    if shot.shot is None or shot.weapon is None:
        return facts
    key = (firer.id, shot.weapon.id)
    facts |= fact_of(state.rules, state.acquisition(*key), firing(state, found, shot, given))
    spot = state.boresights.get(key)
    if spot is not None and bore_sighted(state.scene, spot, firer, target).holds:
        facts["bore_sighted"] = True
    arc, way = state.arcs.get(target.id), bearing(target.at, firer.at)
    if arc is not None and way is not None and not shot.shot.facts.indirect:
        level = state.scene.stand(firer).level
        if protects(arc, way, level, state.scene.stand(target).level).holds:
            facts |= {"hull_down": "II", "hull_down_by": "hull-down manoeuvre"}
    if shot.shot.facts.phase == "defensive_first":
        exposed = state.this_turn(target.id).get("exposure", {}).get(firer.id)
        if exposed and target.is_vehicle:
            facts |= {"mp_in_sight": exposed["mp"], "in_sight_from_start": exposed["from_start"]}
    if shot.shot.facts.phase == "bounding_first":
        exposed = state.this_turn(firer.id).get("exposure", {}).get(target.id)
        if exposed:
            facts["firer_mp_in_sight"] = exposed["mp"]
    return facts


def firing(state: State, found: Attempt, shot: TableShot, given: Fields, fired: Fired | None = None) -> Firing:
    """A shot as acquisition sees it (F6)."""
    facts = shot.shot.facts if shot.shot else None
    if facts is None:
        raise ValueError("a shot that is refused is no firing")
    throw = fired.throw if fired else None
    moving = facts.phase == "bounding_first" or facts.firer_motion
    return Firing(
        gun=facts.gun, target_type=facts.target_type, mark=mark_of(state.scene, found.target), ammo=facts.ammo,
        immobilization=facts.deliberate_immobilization, moving=moving, stabilized=facts.stabilized,
        malfunction=bool(throw and throw.malfunction),
    )  # fmt: skip


# --- what it changes -----------------------------------------------------------------------------------------------


def _changes(state: State, firer: Unit, weapon: str, fired: list[Fired], blind: dict[str, bool]) -> Iterator[Change]:
    """The firer has fired; its weapon, what it acquired; who was sighted by it; a hidden firer is placed."""
    yield "turn", firer.id, {"fired": True}
    first = fired[0]
    if first.throw is not None and first.throw.malfunction:
        yield "weapons", weapon_key(firer.id, weapon), {"state": "malfunction"}
    if first.found.shot is not None:
        kept = state.acquisition(firer.id, weapon)
        new, _ = after_shot(state.rules, kept, firing(state, first.found.attempt, first.found, {}, first))
        if new != kept:
            yield "acquired", weapon_key(firer.id, weapon), whole(record(new), Acquisition)
    for name, true in blind.items():
        if true:
            yield "turn", name, {"blinded": True}
    for one in fired:
        if one.found.attempt.target.dummy and one.throw is not None and one.throw.hit:
            yield gone(state, one.found.attempt.target, "there was nothing under the token that was hit")
    if firer.hidden:
        yield "units", firer.id, {"hiding_turn": state.turn}
        if not any(_is_open(state.rules, one) for one in fired):
            yield from reveal(firer)


def _laid(state: State, firer: Unit, first: Fired) -> Iterator[Change]:
    """A weapon that fired outside its covered arc points at its target from then on (Case A, C5.1).

    A turret turns, and so does a gun on its carriage, whose base stays; a weapon in the hull turns with all of it.
    """
    shot, weapon = first.found.shot, first.found.weapon
    way = bearing(firer.at, first.found.attempt.target.at)
    if shot is None or weapon is None or way is None or not shot.facts.arc_steps:
        return
    if firer.is_vehicle and mount_of(firer, weapon) == "NT":
        yield "units", firer.id, {"facing": way, "turret": way}
        spot = state.boresights.get((firer.id, weapon.id))
        lost, change = boresight_lost(spot, replace(firer, facing=way)) if spot else (None, None)
        if lost is not None and change is not None:
            yield "boresights", weapon_key(firer.id, weapon.id), whole(record(lost), BoreSight)
    else:
        yield "units", firer.id, {"turret": way}


def _is_smoke_hit(one: Fired) -> bool:
    """True of a smoke shell that came down where it was aimed: the judge places the smoke."""
    shot = one.found.shot
    return shot is not None and shot.facts.ammo == "SMOKE" and one.throw is not None and bool(one.throw.hit)


def _is_open(rules: Rules, one: Fired) -> bool:
    """True of a hit whose effect the judge has still to take, to leave or to say (formats, 2)."""
    throw, effect = one.throw, one.effect
    if one.found.attempt.target.dummy or (one.found.shot is not None and one.found.shot.facts.ammo == "SMOKE"):
        return False
    return throw is not None and bool(throw.hit) and (effect is None or effect.result is None or _does(rules, effect))


def _does(rules: Rules, effect: HitEffect) -> bool:
    return effect.result is not None and deed_of(rules, effect.result.result) != "nothing"


def _blinding(state: State, fired: list[Fired], box: Box) -> dict[str, bool]:
    """Vehicles hit by a smoke shell, and whether they are blinded (S8.5)."""
    found: dict[str, bool] = {}
    for one in fired:
        shot, target = one.found.shot, one.found.attempt.target
        if shot is None or shot.facts.ammo != "SMOKE" or one.throw is None or not one.throw.hit:
            continue
        ruling = blinding(state.rules, target, one.found.attempt.sighter)
        roll = box.take("blinding") if ruling.possible else None
        if roll is not None:
            found[target.id] = blinded_by(ruling, roll.face)
    return found


def _answer(state: State, one: Fired) -> dict[str, Any]:
    """The answer of a shot at one target as an event keeps it."""
    answer = table_shot_answer(state.scene, one.found, one.throw, one.rolls, one.effect)
    for name in ("crossings", "near", "also"):
        cast(dict[str, Any], answer["sighting"]).pop(name, None)
    return answer
