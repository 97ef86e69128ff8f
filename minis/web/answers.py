"""What a seat sees of a game: for the judge everything, for a side what is made of its own view alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from pydantic import BaseModel

from minis.board.board import Board
from minis.board.terrain import Smoke
from minis.game.chain import Event
from minis.game.control import OVERRULED
from minis.game.hands import SETTABLE, WEAPON_STATES
from minis.game.log import Entry, entries, words
from minis.game.results import open_effects
from minis.game.side_log import SideEntry
from minis.game.standing import UnitStanding, standing_of
from minis.game.state import State
from minis.game.timeline import Timeline
from minis.lengths import GRID, format_number
from minis.rules.effect_rows import EffectResultRow, rows_of
from minis.sight.scene import Scene

SHOWN = 100
"""So many entries of the log a page shows."""

FULL = 360
"""Degrees of a circle."""


@dataclass(frozen=True)
class Glance:
    """What a seat sees at one moment: the answer without its picture, the board that is drawn, and their marks.

    `version` changes with anything of the answer, `drawn` with the board alone.
    """

    answer: dict[str, Any]
    board: Board
    version: str
    drawn: str


def judges_glance(state: State, timeline: Timeline, order: Iterable[str]) -> Glance:
    """What the judge sees, but for what is still to do."""
    board = state.board
    table = standing_of(board, state)
    told = [_entry(timeline, entry) for entry in entries(timeline)[-SHOWN:]]
    answer = _turn(state) | {
        "title": board.title, "units": [_unit(one, None) for one in table.units],
        "smoke": [_cloud(cloud) for cloud in board.smoke], "log": told, "sides": list(order),
        "events": len(timeline.events), "out": [{"unit": name, "how": how} for name, how in table.out],
        "effects": [{"unit": target, "event": event.seq} for event, target in open_effects(state)],
        "results": [row.id for row in rows_of(board.rules, "effect-results", EffectResultRow)],
        "settable": list(SETTABLE), "weapon_states": list(WEAPON_STATES), "switches": board.rules.not_default,
    }  # fmt: skip
    return Glance(answer, board, mark_of(answer), mark_of([board.units, board.smoke]))


def sides_glance(state: State, side: str, view: Board, log: list[SideEntry]) -> Glance:
    """What a side sees: `view` is the board as it may know it, `log` what it saw so far."""
    if side in state.board.sides:
        units = standing_of(state.board, state, side).units
    else:  # its last unit is gone: it keeps what it saw
        scene = Scene(view)
        units = tuple(UnitStanding(unit, scene.stand(unit).level, None) for unit in view.units)
    told = [{"number": e.number, "turn": e.turn, "when": e.when, "lines": list(e.lines)} for e in log[-SHOWN:]]
    answer = _turn(state) | {
        "title": view.title, "units": [_unit(one, side) for one in units],
        "smoke": [_cloud(cloud) for cloud in view.smoke], "log": told, "switches": view.rules.not_default,
    }  # fmt: skip
    drawn = mark_of([view.units, view.smoke])
    return Glance(answer, view, mark_of([answer, drawn]), drawn)


def _turn(state: State) -> dict[str, Any]:
    phase = state.phase
    return {
        "turn": state.turn,
        "phase": state.when + (", ended" if state.ended else ""),
        "phase_id": phase.row.id if phase else None,
        "side_to_move": phase.side if phase else None,
        "ended": state.ended,
    }


def _unit(one: UnitStanding, side: str | None) -> dict[str, Any]:
    """One unit; of a token whose unit is not known there is no kind, no facing and no weapon."""
    unit = one.unit
    broken = dict(one.weapons)
    return {
        "id": unit.id, "side": unit.side, "own": side is None or unit.side == side, "token": unit.token,
        "unknown": unit.unknown, "hidden": unit.hidden, "dummy": unit.dummy, "wreck": unit.wreck,
        "kind": None if unit.unknown else unit.kind.id, "label": "token" if unit.unknown else unit.kind.label,
        "size": None if unit.unknown else unit.size.id,
        "at": [value / GRID for value in unit.at], "length_in": unit.length_in, "width_in": unit.width_in,
        "level": one.level, "storey": unit.storey, "roof": unit.roof,
        "facing": None if unit.unknown else unit.facing % FULL,
        "turret": None if unit.unknown else unit.turret % FULL,
        "goes_with": one.goes_with, "carries": list(unit.carries), "tow": unit.tow,
        "flags": sorted(unit.flags), "conditions": list(one.marks), "stun": unit.stun, "mp": one.mp,
        "sighted_by": sorted(unit.sighted_by), "marks": list(_marks(one)),
        "weapons": [
            {"id": weapon.id, "gun": weapon.gun, "ammo": list(weapon.ammo), "state": broken.get(weapon.id)}
            for weapon in unit.weapons
        ],
        "lost": one.lost or None,
    }  # fmt: skip


def _marks(one: UnitStanding) -> Iterator[str]:
    """What there is to know of a unit beyond its place, in words."""
    unit = one.unit
    yield from (flag.replace("_", " ") for flag in sorted(unit.flags))
    if one.mp is not None:
        yield f"{format_number(round(one.mp, 2))} MP used"
    yield from one.marks
    if unit.stun:
        yield f"stun {unit.stun}"
    yield from (f"{weapon}: {what}" for weapon, what in one.weapons)
    yield from (f"{a.weapon}: {a.value:+d} on {a.target or 'a place'}" for a in one.acquired)
    if one.protected is not None:
        yield f"protected {one.protected[1]:g}° around {one.protected[0]:03.0f}"
    if unit.sighted_by:
        yield f"sighted by {', '.join(sorted(unit.sighted_by))}"
    if one.lost:
        yield one.lost


def _cloud(cloud: Smoke) -> dict[str, Any]:
    left, low, right, high = cloud.box
    return {
        "id": cloud.id, "at": [(left + right) / 2 / GRID, (low + high) / 2 / GRID],
        "width_in": (right - left) / GRID, "by": cloud.by, "until_turn": cloud.until_turn,
    }  # fmt: skip


def _entry(timeline: Timeline, entry: Entry) -> dict[str, Any]:
    event = timeline.event(entry.number)
    return {
        "number": entry.number, "turn": int(event.data.get("turn", 0)), "when": entry.when, "kind": entry.kind,
        "line": entry.line, "behind": list(entry.behind), "fate": entry.fate,
        "overrule": list(OVERRULED.get(entry.kind, ())),
    }  # fmt: skip


def event_answer(timeline: Timeline, event: Event) -> dict[str, Any]:
    """An event in full: its words, what stands behind them, its dice, and what became of it."""
    line, behind = words(event)
    over = timeline.overruled.get(event.seq)
    return {
        "number": event.seq, "kind": event.kind, "time": event.time, "turn": int(event.data.get("turn", 0)),
        "when": event.data.get("when", "set-up"), "line": line, "behind": list(behind),
        "dice": event.data.get("dice", []), "taken_back": event.seq in timeline.undone,
        "overruled_by": over.seq if over else None, "fate": fate(timeline, event),
        "overrule": list(OVERRULED.get(event.kind, ())),
    }  # fmt: skip


def fate(timeline: Timeline, event: Event) -> str:
    """What became of an event: taken back, overruled; empty for one that counts as it was ruled."""
    if event.seq in timeline.undone:
        return "taken back"
    over = timeline.overruled.get(event.seq)
    return f"overruled by event {over.seq}: {over.data['to']}" if over else ""


# --- marks -----------------------------------------------------------------------------------------------------------


def mark_of(value: Any) -> str:
    """A short mark of a value that is the same for what is equal, whatever the order in which its sets were made.

    >>> mark_of({"a": frozenset("xyz")}) == mark_of({"a": frozenset("zyx")}), mark_of([1]) == mark_of([2])
    (True, False)
    """
    text = json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, frozenset | set):
        return sorted(map(str, value))
    if isinstance(value, BaseModel):
        return _plain(value.model_dump())
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    return value
