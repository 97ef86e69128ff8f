"""What is asked of a game over the network: measured, ruled upon, recorded; every answer as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from minis.board.board import Board
from minis.board.geometry import bearing
from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.draw.line_shapes import area_of, gap_of
from minis.draw.los_map import los_overlay
from minis.draw.svg import svg_text
from minis.errors import MinisError, bad
from minis.fire.answers import table_shot_answer
from minis.fire.boresight import point_unit
from minis.fire.measure import Declaration, TableShot
from minis.game.act import Outcome
from minis.game.chain import Event
from minis.game.control import new_dice, overrule, redo, seed, state_before, undo
from minis.game.game import TRIES, Game
from minis.game.journal import Overtaken
from minis.game.shots import declared, phase_of
from minis.game.state import State
from minis.lengths import GRID, format_length
from minis.sight.answers import los_answer, measure_answer
from minis.sight.attempt import to_shoot_at
from minis.sight.cover import cover_of, hull_down
from minis.sight.line import sight_line
from minis.sight.scene import Scene
from minis.web.answers import event_answer
from minis.web.requests import Control, Ends, Typed, Units
from minis.web.wording import Wording

Answer = dict[str, Any]

LEAST_DICE: Typed = {"coloured": [1], "white": [1]}
"""Any throw at all: with one the rules say whether a weapon may fire now."""


# --- measuring and looking -------------------------------------------------------------------------------------------


def measure(scene: Scene, body: Ends, wording: Wording) -> Answer:
    """Distance, bearing and levels of two ends, each a unit or a place; raises BadInput."""
    one, other = _end(scene, body.a), _end(scene, body.b)
    answer = measure_answer(scene, one, other)
    names = {end.id: _name(end) for end in (one, other)}
    answer |= {"from": names[one.id], "to": names[other.id]}
    return answer | {
        "distance": format_length(round(answer["distance_in"], 2)),
        "levels": [answer["from_level"], answer["to_level"]],
        "words": wording.measure(scene.board.rules, answer).splitlines(),
    }


def _end(scene: Scene, end: str | list[float]) -> Unit:
    if isinstance(end, str):
        return scene.board.unit(end)
    x, y = end
    if not (0 <= x <= scene.board.width_in and 0 <= y <= scene.board.depth_in):
        raise bad(f"{x:g},{y:g} is off the table")
    return point_unit(scene, (x, y))


def _name(end: Unit) -> str:
    return f"{end.at[0] / GRID:.2f},{end.at[1] / GRID:.2f}" if end.id.startswith(" spot") else end.id


def los(scene: Scene, a: str, b: str, wording: Wording) -> Answer:
    """The line of sight between two units, its words, and its picture to be laid over the table; raises BadInput."""
    one, other = scene.board.unit(a), scene.board.unit(b)
    if one.id == other.id:
        raise bad(f"{one.id} is both ends of the line")
    line = sight_line(scene, one, other)
    cover = cover_of(scene, other, one) if line.clear else ()
    down = hull_down(scene, other, one)
    picture = los_overlay(scene, line, gap=gap_of(scene, line), area=area_of(scene, line))
    answer = los_answer(scene.board.rules, line, cover=cover, down=down)
    return answer | {
        "words": wording.los(scene, line, cover, down).splitlines(),
        "distance": format_length(round(line.distance_in, 2)),
        "picture": svg_text(picture),
    }


def los_of_own(view: Board, side: str, a: str, b: str, wording: Wording) -> Answer:
    """A line of sight of a unit of a side's own on the board of its view; raises BadInput for any other."""
    one = view.unit(a)
    if one.side != side:
        raise bad(f"{one.id} is not yours: ask for the lines of sight of your own units")
    return los(Scene(view), a, b, wording)


# --- a pair of units -------------------------------------------------------------------------------------------------


def pair(game: Game, body: Units, wording: Wording) -> Answer:
    """All that there is to ask of two units: line, sighting, identification, and the shot of each weapon of the one.

    Nothing is recorded. Raises BadInput for units that there are not.
    """
    state = game.state
    one, other = state.unit(body.a), state.unit(body.b)
    answer: Answer = {
        "a": one.id, "b": other.id, "los": los(state.scene, one.id, other.id, wording), "sight": None,
        "identify": None, "shots": [],
    }  # fmt: skip
    if one.side == other.side:
        return answer
    answer["sight"] = _attempt(game, "sight", one, other, wording)
    if other.token is not None or other.hidden:
        answer["identify"] = _attempt(game, "identify", one, other, wording)
    arms = [weapon for weapon in one.weapons if body.weapon in (None, weapon.id)]
    if body.weapon is not None and not arms:
        raise bad(f"{one.id} has no weapon {body.weapon!r}")
    answer["shots"] = [_shot(game, one, other, weapon, body, wording) for weapon in arms]
    return answer


def _attempt(game: Game, kind: str, one: Unit, other: Unit, wording: Wording) -> Answer:
    outcome = _asked(game, kind, {"sighter": one.id, "target": other.id})
    if isinstance(outcome, MinisError):
        return {"outcome": "refused", "can_record": False, **_refusal(outcome)}
    found = outcome.shown
    why_not = _ended(game) or (None if found.ruling.outcome != "impossible" else str(outcome.answer["why"]))
    return outcome.answer | {
        "words": wording.attempt(game.state.scene, found).splitlines(),
        "can_record": why_not is None, "why_not": why_not,
    }  # fmt: skip


def _shot(game: Game, one: Unit, other: Unit, weapon: Weapon, body: Units, wording: Wording) -> Answer:
    asked = {
        "firer": one.id, "target": other.id, "weapon": weapon.id, "ammo": body.ammo, "type": body.type,
        "facts": dict(body.facts) if body.facts else None,
    }  # fmt: skip
    asked = {name: value for name, value in asked.items() if value is not None}
    head = {"weapon": weapon.id, "name": weapon.gun, "ammos": list(weapon.ammo)}
    outcome = _asked(game, "fire", asked)
    if isinstance(outcome, MinisError):
        return head | {"allowed": False, "can_record": False, "needs_sighting": False, **_refusal(outcome)}
    found: TableShot = outcome.shown[0].found
    needs = found.refusal is not None and found.attempt.ruling.sighted is None and found.attempt.ruling.chance > 0
    if needs:
        found = _once_sighted(game.state, found, asked, body)
    why_not = _ended(game) or (found.refusal.why if found.refusal else None)
    if why_not is None and not needs:
        now = _asked(game, "fire", asked, LEAST_DICE)
        why_not = _why(now) if isinstance(now, MinisError) else None
    answer = table_shot_answer(game.state.scene, found)
    answer.pop("sighting")
    odds = found.shot.odds if found.shot and found.refusal is None else None
    return answer | head | {
        "ammo": found.ammo, "needs_sighting": needs, "can_record": why_not is None, "why_not": why_not,
        "chance": _chance(odds.hit) if odds else None,
        "words": wording.shot(game.state.scene, found, None, None).splitlines(),
    }  # fmt: skip


def _once_sighted(state: State, found: TableShot, asked: Mapping[str, Any], body: Units) -> TableShot:
    """The shot as it will be once its target is sighted."""
    sure = replace(found.attempt, ruling=replace(found.attempt.ruling, sighted=True))
    facts = tuple((body.facts or {}).items())
    said = Declaration(asked["weapon"], body.ammo, body.type, phase_of(state, dict(asked)), facts)
    return declared(state, to_shoot_at(state.scene, sure), said, asked["weapon"])


def _asked(game: Game, kind: str, asked: Mapping[str, Any], typed: Typed | None = None) -> Outcome | MinisError:
    try:
        return game.ask(kind, dict(asked), typed)
    except MinisError as error:
        return error


def _refusal(error: MinisError) -> Answer:
    return {"refusal": {"why": _why(error), "rule": getattr(error, "rule", "")}, "why_not": _why(error), "words": []}


def _why(error: MinisError) -> str:
    return str(getattr(error, "why", error))


def _ended(game: Game) -> str | None:
    return "the game has ended" if game.state.ended else None


def _chance(chance: Fraction) -> Answer:
    return {"fraction": str(chance), "percent": round(float(chance) * 100, 4)}


# --- acts ------------------------------------------------------------------------------------------------------------


def ask(game: Game, kind: str, asked: Mapping[str, Any], typed: Typed, wording: Wording) -> Answer:
    """What the rules say of an act as it stands; nothing is recorded and nothing thrown."""
    outcome = game.ask(kind, with_key(game, kind, asked), typed)
    return {"answer": {} if kind == "end" else outcome.answer, "words": _said(game.state, kind, outcome, wording)}


def act(
    game: Game, kind: str, asked: Mapping[str, Any], typed: Typed, wording: Wording, *, throws: bool = False
) -> Answer:
    """Rule on an act and record it; the event is None where it was only a question. Raises BadInput and Refused."""
    outcome, event = game.act(kind, with_key(game, kind, asked), typed, throws=throws)
    then = game.state if event is None else state_before(game, event)
    return {
        "event": None if event is None else event_answer(game.timeline, event),
        "answer": outcome.answer,
        "words": _said(then, kind, outcome, wording),
    }


def with_key(game: Game, kind: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A request as the rules take it: the end of a game shows the key of its dice."""
    return dict(asked) | ({"key": game.chance.key.hex()} if kind == "end" else {})


def _said(state: State, kind: str, outcome: Outcome, wording: Wording) -> list[str]:
    """Sightings and shots in the words of the command line; of others the log says enough."""
    if kind in ("sight", "identify"):
        return wording.attempt(state.scene, outcome.shown).splitlines()
    if kind == "fire":
        said = [wording.shot(state.scene, one.found, one.throw, one.effect) for one in outcome.shown]
        return [line for text in said for line in text.splitlines()]
    return []


def control(game: Game, body: Control) -> Answer:
    """Record an event about another event; raises BadInput and Refused, and Overtaken where the game went on."""
    for _ in range(TRIES):
        try:
            return {"event": event_answer(game.timeline, _controlled(game, body))}
        except Overtaken:
            game.refresh()
            if body.event is None and body.what in ("undo", "redo"):
                raise  # what is the last event now is another one than the judge saw
    raise MinisError("other programs record events faster than this can be recorded; try again")


def _controlled(game: Game, body: Control) -> Event:
    match body.what:
        case "undo":
            return undo(game, body.event, body.why)
        case "redo":
            return redo(game, body.event, body.why)
        case "overrule":
            return overrule(game, _number(body), body.to or "", body.why)
        case "new dice":
            return new_dice(game, _number(body), body.why)
        case "seed":
            return seed(game, body.side or "", body.text)


def _number(body: Control) -> int:
    if body.event is None:
        raise bad("say which event", file="event")
    return body.event


# --- a move by hand --------------------------------------------------------------------------------------------------

SNAP_IN = 0.5
"""So near, in inches, a unit that is dropped by a line is put against it."""


def snap(board: Board, at: list[float], unit: str | None) -> Answer | None:
    """Where a unit that is dropped at a place stands against the nearest crest line or wall: its front touches it.

    None where none is near. Raises BadInput for a unit that there is not.
    """
    half = board.unit(unit).length_in / 2 if unit is not None else 0.0
    best: tuple[float, Answer] | None = None
    for piece in board.terrain:
        if not (piece.is_crest or (piece.kind.shape == "line" and piece.kind.height)):
            continue
        for (ax, ay), (bx, by) in piece.segments:
            a, b = (ax / GRID, ay / GRID), (bx / GRID, by / GRID)
            x, y = _nearest(a, b, (at[0], at[1]))
            far = math.dist((x, y), at)
            if abs(far - half) > SNAP_IN or (best is not None and best[0] <= abs(far - half)):
                continue
            away = bearing((at[0], at[1]), (x, y)) if far else bearing(a, b)  # type: ignore[arg-type]
            way = math.radians(away or 0.0)
            spot = [round(x - half * math.sin(way), 4), round(y - half * math.cos(way), 4)]
            if 0 <= spot[0] <= board.width_in and 0 <= spot[1] <= board.depth_in:
                to = f"{piece.kind.label} {piece.id}"
                best = abs(far - half), {"at": spot, "to": to, "facing": round(math.degrees(way) % 360.0, 1)}
    return None if best is None else best[1]


def _nearest(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> tuple[float, float]:
    """The place of a segment that is nearest to a point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    long = dx * dx + dy * dy
    t = min(1.0, max(0.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / long)) if long else 0.0
    return a[0] + t * dx, a[1] + t * dy
