"""What the judge does by hand: facts, notes, places, loads, weapons, and the end of the game."""

from __future__ import annotations

from typing import Any

from minis.board.units import Unit
from minis.dice import D6
from minis.errors import BadInput, Mistake, bad
from minis.fire.acquisition import Acquisition, lose
from minis.fire.boresight import BoreSight, legal, record_of
from minis.fire.manoeuvre import ProtectedArc, conditions_of, granted, manoeuvre
from minis.fire.measure import weapon_of
from minis.game.act import Box, Outcome, Refused
from minis.game.ledger import Change, Fields, weapon_key
from minis.game.sightings import gone, place_as_token, reveal
from minis.game.state import LASTING, TURN_FLAGS, State, place, record, whole
from minis.lengths import EPSILON_IN, GRID, format_length
from minis.rules.model import FLAGS
from minis.sight.line import distance
from minis.toml_file import nearest_of

MARKS = ("immobile", "shocked")
"""What a unit suffers and keeps, beside its facts."""

SETTABLE = (*FLAGS, *MARKS, "stun")
"""What the judge may set of a unit by hand."""

WEAPON_STATES = ("malfunction", "out of ammunition", "ready")


def set_facts(state: State, asked: Fields, box: Box) -> Outcome:
    """Set facts of `unit` by hand: `facts` are names of `SETTABLE` with true, false or, for stun, a number."""
    unit = state.unit(asked["unit"])
    values: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for name, value in asked["facts"].items():
        if name not in SETTABLE:
            mistakes.append(Mistake(f"there is no fact {name!r}; {nearest_of(name, SETTABLE)}"))
        elif name == "stun" and not (
            isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_STUN
        ):
            mistakes.append(Mistake(f"stun: expected 0 to {MOST_STUN}, not {value!r}"))
        elif name != "stun" and not isinstance(value, bool):
            mistakes.append(Mistake(f"{name}: expected true or false, not {value!r}"))
        else:
            values[name] = value
    if mistakes:
        raise BadInput(mistakes)
    lasting = set(unit.flags & frozenset(LASTING))
    for name in values.keys() & set(LASTING):
        (lasting.add if values[name] else lasting.discard)(name)
    kept: Fields = {name: values[name] or None for name in MARKS if name in values}
    kept |= {"stun": values["stun"]} if "stun" in values else {}
    if values.keys() & set(LASTING):
        kept["flags"] = sorted(lasting)
    changes: list[Change] = [("units", unit.id, kept)] if kept else []
    turn = {name: values[name] or None for name in values.keys() & TURN_FLAGS}
    if turn:
        changes.append(("turn", unit.id, dict(sorted(turn.items()))))
    return Outcome(
        {"unit": unit.id, "facts": dict(sorted(values.items())), "why": asked.get("why", "")}, tuple(changes)
    )


MOST_STUN = 9
"""More stun results than this no unit carries."""


def note(state: State, asked: Fields, box: Box) -> Outcome:
    """A remark for the log."""
    if not str(asked["text"]).strip():
        raise bad("a note has words")
    return Outcome({"text": str(asked["text"]).strip()})


def put(state: State, asked: Fields, box: Box) -> Outcome:
    """Place a hidden unit or a token on the table by hand: as itself, or with `token` as a token (S12.3)."""
    unit = state.unit(asked["unit"])
    if not unit.hidden and (unit.token is None or asked.get("token")):
        raise Refused("S12.3", f"{unit.id} is on the table already")
    if unit.dummy:
        raise Refused("S10.3", f"{unit.id} is a dummy: `minis remove {unit.id}` takes it off")
    changes = place_as_token(state, unit) if asked.get("token") else reveal(unit)
    token = changes[0][2]["token"] if changes[0][2] else ""
    return Outcome({"unit": unit.id, "token": token or None, "why": asked.get("why", "")}, tuple(changes))


def remove(state: State, asked: Fields, box: Box) -> Outcome:
    """Take a unit out of the game by hand, and what rides on it or is on tow with it: `how` says why."""
    unit = state.unit(asked["unit"])
    how = str(asked.get("how") or "removed by the judge")
    with_it = [state.unit(name) for name in (*unit.carries, *((unit.tow,) if unit.tow else ()))]
    changes = [gone(state, unit, how), *(gone(state, other, f"lost with {unit.id}") for other in with_it)]
    carrier = state.board.carrier_of.get(unit.id) or state.board.tow_of.get(unit.id)
    if carrier is not None:
        changes.append(("units", carrier, _let_go(state.unit(carrier), unit)))
    return Outcome({"unit": unit.id, "how": how}, tuple(changes))


def _let_go(carrier: Unit, unit: Unit) -> Fields:
    """What is kept of a carrier that a passenger or a gun on tow has left."""
    return {"tow": ""} if carrier.tow == unit.id else {"carries": [name for name in carrier.carries if name != unit.id]}


def load(state: State, asked: Fields, box: Box) -> Outcome:
    """Load `unit` on `carrier`, or hitch a gun to it with `tow` (S11.1, S11.3)."""
    unit, carrier = state.unit(asked["unit"]), state.unit(asked["carrier"])
    board = state.board
    if unit.side != carrier.side or unit.id == carrier.id:
        raise bad(f"{unit.id} cannot ride on {carrier.id}: {'itself' if unit.id == carrier.id else 'another side'}")
    if not carrier.is_vehicle or carrier.wreck:
        raise Refused("S11.1", f"{carrier.id} is {'a wreck' if carrier.wreck else 'no vehicle'}")
    if unit.id in board.carrier_of or unit.id in board.tow_of:
        raise Refused("S11.1", f"{unit.id} goes with {board.carrier_of.get(unit.id) or board.tow_of[unit.id]} already")
    if asked.get("tow"):
        if carrier.tow or unit.kind.id == "infantry":
            raise Refused("S11.3", f"{carrier.id} tows {carrier.tow}" if carrier.tow else f"{unit.id} is infantry")
        changes: list[Change] = [("units", carrier.id, {"tow": unit.id})]
    else:
        if unit.is_vehicle or unit.carries or unit.tow:
            raise Refused("S11.1", f"{unit.id} is no passenger")
        changes = [("units", carrier.id, {"carries": sorted({*carrier.carries, unit.id})})]
    apart = distance(state.scene, unit, carrier) / GRID
    if apart > board.inches_per_hex + EPSILON_IN:
        raise Refused("S11.1", f"{unit.id} is {format_length(round(apart, 2))} from {carrier.id}: move it there first")
    changes.append(("units", unit.id, {"at": place(carrier.at), "hidden": carrier.hidden, "token": ""}))
    changes += _limbered(state, unit)
    answer = {"unit": unit.id, "carrier": carrier.id, "tow": bool(asked.get("tow"))}
    return Outcome(answer, tuple(changes))


def unload(state: State, asked: Fields, box: Box) -> Outcome:
    """Let a passenger get off, or unhitch a gun: `at` its place, else where it is; `facing` its bearing."""
    unit = state.unit(asked["unit"])
    board = state.board
    name = board.carrier_of.get(unit.id) or board.tow_of.get(unit.id)
    if name is None:
        raise Refused("S11.1", f"{unit.id} rides on nothing and is not on tow")
    carrier = state.unit(name)
    at = asked.get("at")
    if at is not None and not (0 <= at[0] <= board.width_in and 0 <= at[1] <= board.depth_in):
        raise bad(f"{at[0]:g},{at[1]:g} is off the table", file="--at")
    rest: Fields = {"tow": ""} if carrier.tow == unit.id else {"carries": [u for u in carrier.carries if u != unit.id]}
    where: Fields = {"at": at or place(unit.at), "hidden": carrier.hidden}
    if asked.get("facing") is not None:
        where |= {"facing": float(asked["facing"]), "turret": float(asked["facing"])}
    changes: list[Change] = [("units", carrier.id, rest), ("units", unit.id, where)]
    if carrier.token is not None:
        changes += place_as_token(state, unit)
    changes += _limbered(state, unit)
    answer = {"unit": unit.id, "carrier": carrier.id, "at": where["at"]}
    return Outcome(answer, tuple(changes))


def _limbered(state: State, unit: Unit) -> list[Change]:
    """A gun that is limbered or unlimbered loses what it had acquired (C6.5)."""
    found: list[Change] = []
    for (name, weapon), kept in state.acquisitions.items():
        if name == unit.id and kept.value:
            found.append(("acquired", weapon_key(name, weapon), whole(record(lose(kept, "limbered")[0]), Acquisition)))
    return found


# --- weapons -------------------------------------------------------------------------------------------------------


def weapon(state: State, asked: Fields, box: Box) -> Outcome:
    """Say of a `weapon` of `unit` that it has malfunctioned, is out of ammunition, or is ready again."""
    unit = state.unit(asked["unit"])
    found = weapon_of(unit, asked.get("weapon"))
    what = str(asked["state"])
    if what not in WEAPON_STATES:
        raise bad(f"expected {', '.join(WEAPON_STATES[:-1])} or {WEAPON_STATES[-1]}, not {what!r}")
    key = weapon_key(unit.id, found.id)
    changes: list[Change] = [("weapons", key, None if what == "ready" else {"state": what})]
    kept = state.acquisition(unit.id, found.id)
    if what == "malfunction" and kept.value:
        changes.append(("acquired", key, whole(record(lose(kept, "malfunction")[0]), Acquisition)))
    return Outcome({"unit": unit.id, "weapon": found.id, "state": what, "why": asked.get("why", "")}, tuple(changes))


def boresight(state: State, asked: Fields, box: Box) -> Outcome:
    """Record the bore-sighted spot `at` of a `weapon` of `unit` at set-up (F7); `spotter` may see it for it."""
    unit = state.unit(asked["unit"])
    found = weapon_of(unit, asked.get("weapon"))
    spotter = state.unit(asked["spotter"]) if asked.get("spotter") else None
    spot = (float(asked["at"][0]), float(asked["at"][1]))
    if state.turn:
        raise Refused("C6.42", "bore sighting is part of the set-up, and the game has begun")
    bars = legal(state.scene, unit, found, spot, spotter=spotter, recorded=tuple(state.boresights.values()))
    if bars:
        raise Refused(bars[0].rule, "; ".join(bar.why for bar in bars))
    kept = record(record_of(unit, found, spot))
    change: Change = ("boresights", weapon_key(unit.id, found.id), whole(kept, BoreSight))
    return Outcome({"unit": unit.id, "weapon": found.id, "at": list(spot)}, (change,))


def hull_down_manoeuvre(state: State, asked: Fields, box: Box) -> Outcome:
    """A hull-down manoeuvre attempt of `unit` (F8.4); `leader` is the armour leader's modifier, `centre` the arc's."""
    unit = state.unit(asked["unit"])
    if not unit.is_vehicle or unit.wreck:
        raise Refused("D4.22", f"{unit.id} is {'a wreck' if unit.wreck else 'no vehicle'}")
    if state.entry(unit.id).get("immobile"):
        raise Refused("C7", f"{unit.id} is immobilized")
    roll = box.take("manoeuvre", D6)
    if roll is None:
        return Outcome({}, recorded=False)
    tried = manoeuvre(
        state.rules, roll.face, at_set_up=state.turn == 0, armour_leader=int(asked.get("leader") or 0),
        **conditions_of(unit),
    )  # fmt: skip
    arc = granted(state.scene, unit, tried, centre=asked.get("centre"))
    change: Change = ("arcs", unit.id, None if arc is None else whole(record(arc), ProtectedArc))
    answer = {
        "unit": unit.id, "final": tried.final, "arc": tried.arc, "rule": tried.rule, "why": tried.why,
        "protected": None if arc is None else record(arc),
    }  # fmt: skip
    if state.turn == 0:
        return Outcome(answer, (change,), (tried, arc))
    mp = float(state.this_turn(unit.id).get("mp", 0.0)) + state.rules.fire_number("manoeuvre-mp")
    flags = sorted(unit.flags - {"motion"} - TURN_FLAGS)
    spent: list[Change] = [("turn", unit.id, {"mp": mp, "moved": True}), ("units", unit.id, {"flags": flags})]
    return Outcome(answer, (change, *spent), (tried, arc))


# --- the end -------------------------------------------------------------------------------------------------------


def end(state: State, asked: Fields, box: Box) -> Outcome:
    """The game is over: `key` shows the key of the machine's dice, so that anybody can check them."""
    if state.ended:
        raise Refused("S11.4", "the game has ended already")
    return Outcome({"key": asked["key"]}, (("game", "", {"ended": True}),))
