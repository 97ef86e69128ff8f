"""Moves as acts of a game: along the whole path, who sees it, where a token is replaced, what is lost (F4, S10.2)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from minis.board.geometry import bearing
from minis.board.units import Unit
from minis.errors import bad
from minis.fire.acquisition import Acquisition, Mark, moved, target_moved, turned
from minis.fire.acquisition import Change as Loss
from minis.fire.acquisition import Outcome as Became
from minis.fire.answers import underbelly_answer
from minis.fire.boresight import BoreSight
from minis.fire.boresight import lost as boresight_lost
from minis.fire.exposure import Exposure, at_place, case_of, shots
from minis.fire.facts import hexes
from minis.fire.manoeuvre import after_move
from minis.fire.passage import Passage, Reveal, first_reveal, passage
from minis.fire.underbelly import Move, Underbelly, along, underbelly_shots
from minis.game.act import Box, Outcome, Refused
from minis.game.hiding import dummy_may_stand
from minis.game.ledger import Change, Fields, weapon_key
from minis.game.sightings import gone, reveal
from minis.game.state import TURN_FLAGS, State, place, point, record, whole
from minis.game.turns import looks
from minis.sight.answers import hull_down_answer, rounded
from minis.sight.cover import HullDown, hull_down_places
from minis.sight.scene import Scene

WAYS = {"assault": None, "hazardous": "hazardous", "dash": "dashing"}
"""Ways of moving, and the fact of the turn that each brings; assault movement brings none."""


@dataclass(frozen=True)
class Moved:
    """A move as it was ruled: the unit before and after, who saw it pass, where it was replaced, what it lost."""

    before: Unit
    after: Unit
    passed: Passage | None
    mp: float
    reveal: Reveal | None
    climbs: tuple[Underbelly, ...]
    hull_down: tuple[HullDown, ...]
    lost: tuple[tuple[str, str, str], ...]
    notes: tuple[str, ...]

    @property
    def opportunities(self) -> tuple[Exposure, ...]:
        """The exposures to each enemy that sees it where it ends."""
        return tuple(found for found in (self.passed.exposures if self.passed else ()) if found.in_sight_at_end)


def move(state: State, asked: Fields, box: Box) -> Outcome:
    """A move of `unit` along `via` to `to`, or a turn of hull and turret where it stays (F4.1, S10.2).

    `mp` are the movement points it cost without `delay`; else its length counts. `how` is assault, hazardous or dash;
    `reverse`, `motion` (it ends in motion), `storey` and `roof` say the rest. Raises Refused for what cannot move,
    BadInput for a path that leaves the table.
    """
    unit = state.unit(asked["unit"])
    path = [tuple(map(float, spot)) for spot in (*asked.get("via", ()), *((asked["to"],) if asked.get("to") else ()))]
    _may_move(state, unit, path, asked)
    after, passed = _after(state, unit, path, asked)
    scene = state.scene.with_moved(after)
    mp = _cost(state, passed, asked)
    enemies = [other for other in state.board.units if other.side != unit.side]
    with_hidden = state.rules.switch("reveal_hidden") == "yes"
    near = [other for other in enemies if looks(state, other) and (with_hidden or not other.hidden)]
    found = first_reveal(state.scene, passed, near) if passed and unit.token else None
    climbs = tuple(c for leg in _legs(unit, path, asked) for c in underbelly_shots(state.scene, leg) if c.allowed)
    lost, changes = _losses(state, scene, after, passed)
    rides = list(_riders(state, unit, after))
    ruled = Moved(
        unit, after, passed, mp, found, climbs, tuple(hull_down_places(scene, after)) if unit.is_vehicle else (),
        tuple(lost), tuple(_notes(state, scene, after, asked)),
    )  # fmt: skip
    where = _stands(unit, after, asked)
    shown: list[Change] = []
    if found is not None:
        shown = [gone(state, unit, "the dummy came within reach")] if unit.dummy else reveal(unit)
    done = {**_facts(state, unit, path, asked, mp), **_exposed(state, ruled)}
    seen = [("turn", one.firer, {"seen": True}) for one in (passed.exposures if passed else ())]
    turn: list[Change] = [("turn", unit.id, done)] if done else []
    return Outcome(_answer(state, ruled), (where, *shown, *turn, *seen, *changes, *rides), ruled)


def _may_move(state: State, unit: Unit, path: Sequence[Any], asked: Fields) -> None:
    if unit.wreck:
        raise Refused("S6.6", f"{unit.id} is a wreck")
    carrier = state.board.carrier_of.get(unit.id) or state.board.tow_of.get(unit.id)
    if carrier:
        raise Refused("S11.1", f"{unit.id} goes with {carrier}: move that, or `minis unload {unit.id}` first")
    if state.entry(unit.id).get("immobile") and (path or asked.get("facing") is not None):
        raise Refused("C7", f"{unit.id} is immobilized: it does not move or turn its hull")
    if not path and asked.get("facing") is None and asked.get("turret") is None:
        raise bad("say where it goes with --to X,Y, or how it turns with --facing or --turret", file="--to")
    if asked.get("via") and not asked.get("to"):
        raise bad("way points go before the end of the path: give --to X,Y", file="--via")
    how = asked.get("how")
    if how in ("assault", "dash") and unit.is_vehicle:
        raise bad(f"{unit.id} is a vehicle; {how} is for infantry", file=f"--{how}")


def _after(state: State, unit: Unit, path: Sequence[Any], asked: Fields) -> tuple[Unit, Passage | None]:
    """The unit where its move ends, and its passage as every enemy that looks sees it."""
    end, passed = unit, None
    if path:
        watchers = [other for other in state.board.units if other.side != unit.side and looks(state, other)]
        passed = passage(
            state.scene, unit, path, watchers, reverse=bool(asked.get("reverse")), delay_mp=asked.get("delay") or 0.0,
            mp=asked.get("mp"), option="--to",
        )  # fmt: skip
        end = passed.end
        end = replace(end, at=point(list(path[-1])))
    if asked.get("facing") is not None:
        turn = float(asked["facing"]) - end.facing
        end = replace(end, facing=float(asked["facing"]), turret=end.turret + turn)
    if asked.get("turret") is not None:
        end = replace(end, turret=float(asked["turret"]))
    if path or asked.get("storey") is not None or asked.get("roof"):
        end = replace(end, storey=asked.get("storey"), roof=bool(asked.get("roof")))
    flags = end.flags | {"motion"} if asked.get("motion") else end.flags - {"motion"} if path else end.flags
    return replace(end, flags=flags), passed


def _cost(state: State, passed: Passage | None, asked: Fields) -> float:
    """The movement points of a move, its delay included."""
    length = passed.length_in / state.board.inches_per_mp if passed else 0.0
    return float(asked["mp"] if asked.get("mp") is not None else length) + float(asked.get("delay") or 0.0)


def _legs(unit: Unit, path: Sequence[Any], asked: Fields) -> list[Move]:
    backed = bool(asked.get("reverse"))
    return [
        replace(leg, reverse=backed, facing=_back(leg) if backed else None)
        for leg in along(unit, path)
        if leg.start != leg.end
    ]


def _back(leg: Move) -> float | None:
    """The bearing of the hull of what goes backwards along a leg."""
    return bearing(point(list(leg.end)), point(list(leg.start)))


# --- what it changes -----------------------------------------------------------------------------------------------


def _stands(unit: Unit, after: Unit, asked: Fields) -> Change:
    fields: Fields = {
        "at": place(after.at), "facing": after.facing % 360.0, "turret": after.turret % 360.0,
        "storey": -1 if after.storey is None else after.storey, "roof": after.roof,
    }  # fmt: skip
    if ("motion" in after.flags) != ("motion" in unit.flags):
        fields["flags"] = sorted(after.flags - TURN_FLAGS)
    return "units", unit.id, fields


def _facts(state: State, unit: Unit, path: Sequence[Any], asked: Fields, mp: float) -> Fields:
    """The facts of this turn that a move brings (S3, F4)."""
    if not path and not mp:
        return {}
    before = float(state.this_turn(unit.id).get("mp", 0.0))
    done: Fields = {"mp": before + mp, **({"moved": True} if path else {})}
    fact = WAYS.get(asked.get("how") or "")
    if fact:
        done[fact] = True
    elif path and unit.kind.id == "infantry" and asked.get("how") != "assault":
        done["nonassault"] = True
    return done


def _exposed(state: State, ruled: Moved) -> Fields:
    """Who can shoot at it now with how many MP in sight, for defensive first fire (F4.1).

    A move that goes on in the same phase, after a shot, goes on in sight: what was in sight where it stopped counts on.
    """
    if ruled.passed is None:
        return {}
    phase = state.phase_number
    kept = state.this_turn(ruled.before.id)
    before: Fields = kept.get("exposure", {}) if kept.get("exposed_in") == phase else {}
    exposed: Fields = {}
    for found in ruled.opportunities:
        mp, from_start = found.mp, found.in_sight_from_start
        if from_start and found.firer in before:
            mp, from_start = mp + before[found.firer]["mp"], before[found.firer]["from_start"]
        exposed[found.firer] = {"mp": rounded(mp), "from_start": from_start}
    return {"exposure": exposed, "exposed_in": phase, **({"seen": True} if ruled.passed.exposures else {})}


def _riders(state: State, unit: Unit, after: Unit) -> Iterator[Change]:
    """Passengers go with their carrier, and a gun on tow behind its vehicle."""
    facing = after.facing % 360.0
    for name in unit.carries:
        yield "units", name, {"at": place(after.at), "facing": facing, "turret": facing}
    if unit.tow:
        apart = (after.length_in + state.unit(unit.tow).length_in) / 2
        way, (x, y), board = math.radians(after.facing), place(after.at), state.board
        behind = [
            min(max(x - apart * math.sin(way), 0.0), board.width_in),
            min(max(y - apart * math.cos(way), 0.0), board.depth_in),
        ]
        yield "units", unit.tow, {"at": place(point(behind)), "facing": facing, "turret": facing}


def _losses(
    state: State, scene: Scene, after: Unit, passed: Passage | None
) -> tuple[list[tuple[str, str, str]], list[Change]]:
    """What a move does to acquisitions, bore sights and protected arcs: in words with rule, and as changes."""
    words: list[tuple[str, str, str]] = []
    changes: list[Change] = []
    before = state.board.unit(after.id)
    for (name, weapon), kept in state.acquisitions.items():
        new: Acquisition = kept
        why: tuple[Loss, ...] = ()
        if name == after.id:
            new, why = _own_acquisition(state, before, after, passed, kept)
        elif kept.target == after.id:
            new, why = _followed(state, scene, after, passed, kept)
        if new != kept:
            changes.append(("acquired", weapon_key(name, weapon), whole(record(new), Acquisition)))
        words += [(f"{name} {weapon}", change.rule, change.why) for change in why]
    for (name, weapon), spot in state.boresights.items():
        if name == after.id:
            now, change = boresight_lost(spot, after)
            if change is not None:
                changes.append(("boresights", weapon_key(name, weapon), whole(record(now), BoreSight)))
                words.append((f"{name} {weapon}", change.rule, f"bore sight {change.why}"))
    arc = state.arcs.get(after.id)
    if arc is not None:
        _, gone_for = after_move(arc, started=passed is not None, motion="motion" in after.flags)
        if gone_for is not None:
            changes.append(("arcs", after.id, None))
            words.append((after.id, gone_for.rule, gone_for.why))
    return words, changes


def _own_acquisition(state: State, before: Unit, after: Unit, passed: Passage | None, kept: Acquisition) -> Became:
    """What moving or turning does to what the mover's own gun has acquired (C6.5, C6.55)."""
    if passed is None:
        laid = before.facing != after.facing if not before.is_vehicle else before.turret != after.turret
        return turned(kept, fires_at_acquired=False) if laid else (kept, ())
    seen = next((found for found in passed.exposures if found.firer == kept.target), None)
    gap = state.rules.fire_number("sight-gap")
    held = seen is not None and seen.in_sight_at_end and _longest_gap(state, seen) <= gap
    return moved(kept, stabilized="stabilized" in before.flags, kept_sight=held)


def _followed(state: State, scene: Scene, after: Unit, passed: Passage | None, kept: Acquisition) -> Became:
    """What the move of its target does to an acquisition: it follows in sight, else stays where it was last seen."""
    if passed is None:
        return kept, ()
    seen = next((found for found in passed.exposures if found.firer == kept.unit), None)
    at_end = seen is not None and seen.in_sight_at_end
    mark = Mark(tuple(place(after.at)), scene.stand(after).level, after.id, in_sight=at_end)  # type: ignore[arg-type]
    last = None
    if seen is not None and not at_end:
        where = seen.stretches[-1].end
        there = at_place(after, where, after.facing)
        last = Mark(where, state.scene.with_moved(there).stand(there).level, after.id)
    gap = _longest_gap(state, seen) if seen is not None else 0
    return target_moved(state.rules, kept, after.id, mark, last_seen=last, gap_hexes=gap)


def _longest_gap(state: State, seen: Exposure) -> int:
    """The longest stretch out of sight between two in sight, in hexes."""
    starts = [0.0, *(stretch.end_in for stretch in seen.stretches)]
    ends = [*(stretch.start_in for stretch in seen.stretches), seen.length_in]
    gaps = [end - start for start, end in zip(starts, ends, strict=True)]
    return hexes(max(gaps, default=0.0), state.board.inches_per_hex)


def _notes(state: State, scene: Scene, after: Unit, asked: Fields) -> Iterator[str]:
    """What the judge should know of a move that is allowed all the same."""
    phase = state.phase
    if phase is not None and phase.side not in (None, after.side) and asked.get("to"):
        yield f"it is the movement of {phase.side}, and {after.id} is {after.side}"
    if phase is not None and not phase.row.each and asked.get("to"):
        yield f"this is no movement phase: {state.when}"
    if after.hidden:
        yield f"{after.id} is hidden and moves unseen: place it with `minis place {after.id}` when it is seen"
    if after.dummy:
        ruling = dummy_may_stand(scene, after)
        if not ruling.holds:
            yield f"{ruling.why} ({ruling.rule})"
    if asked.get("to"):
        yield from (f"its base lies on that of {name}" for name in _overlaps(state, after))
    if "fired" in after.flags and asked.get("to"):
        yield f"{after.id} has fired this turn"


def _overlaps(state: State, after: Unit) -> Iterator[str]:
    """Units whose base a unit's base lies on: not those that merely touch, nor what it carries, tows or hides from."""
    from shapely import Polygon

    if after.is_point:
        return
    own, apart = Polygon(after.base), state.scene.out_of_the_way(after, after)
    for other in state.board.units:
        there = not other.is_point and not other.hidden and other.id not in apart
        if there and own.intersection(Polygon(other.base)).area > 0:
            yield other.id


# --- the answer ----------------------------------------------------------------------------------------------------


def _answer(state: State, ruled: Moved) -> dict[str, Any]:
    """A move as its event keeps it and `--json` prints it."""
    before, after, passed = ruled.before, ruled.after, ruled.passed
    exposed: Fields = _exposed(state, ruled).get("exposure", {})
    return {
        "unit": before.id,
        "from": place(before.at),
        "to": place(after.at),
        "path_in": rounded(passed.length_in) if passed else 0.0,
        "mp": rounded(ruled.mp),
        "facing": rounded(after.facing % 360.0, 3),
        "turret": rounded(after.turret % 360.0, 3),
        "opportunities": []
        if ruled.reveal and before.dummy
        else [_opportunity(state, ruled, found, exposed) for found in ruled.opportunities],
        "seen_by": [found.firer for found in passed.exposures] if passed else [],
        "replaced": _replaced(ruled),
        "underbelly": [underbelly_answer(climb) | {"firer": climb.firer} for climb in ruled.climbs],
        "hull_down": [hull_down_answer(state.rules, found) for found in ruled.hull_down],
        "lost": [{"what": what, "rule": rule, "why": why} for what, rule, why in ruled.lost],
        "notes": list(ruled.notes),
        "switches": state.rules.not_default,
    }


def _opportunity(state: State, ruled: Moved, found: Exposure, exposed: Fields) -> dict[str, Any]:
    """One enemy's chance to shoot at it where it ends (F4.1, F4.2)."""
    vehicle, firer = ruled.before.is_vehicle, state.board.unit(found.firer)
    mp, from_start = float(exposed[found.firer]["mp"]), bool(exposed[found.firer]["from_start"])
    allowed = shots(state.rules, mp if vehicle else 0.0, in_sight_from_start=from_start)
    return {
        "firer": found.firer,
        "mp_in_sight": mp,
        "in_sight_from_start": from_start,
        "case": case_of(state.rules, mp, in_sight_from_start=from_start) if vehicle else None,
        "shots": list(allowed.in_steps),
        "sighted": firer.id in ruled.before.sighted_by,
        "hidden": firer.hidden,
        "armed": bool(firer.weapons),
        "shocked": bool(state.entry(firer.id).get("shocked")),
    }


def _replaced(ruled: Moved) -> dict[str, Any] | None:
    """Where a token was replaced, by which enemy (S10.2)."""
    if ruled.reveal is None:
        return None
    return {
        "token": ruled.before.token, "enemy": ruled.reveal.enemy, "at_in": rounded(ruled.reveal.at_in),
        "place": list(ruled.reveal.place), "rule": ruled.reveal.rule, "dummy": ruled.before.dummy,
    }  # fmt: skip
