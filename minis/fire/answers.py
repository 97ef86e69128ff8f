"""A shot as plain data, the same items as the printed ruling: what `fire --json` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from minis.board.units import Unit
from minis.dice import Roll
from minis.fire.exposure import Exposure, Shots, Stretch
from minis.fire.facts import hexes
from minis.fire.hit import Odds, Throw
from minis.fire.manoeuvre import Manoeuvre, ProtectedArc
from minis.fire.measure import TableShot
from minis.fire.result import HitEffect
from minis.fire.targets import Prospect
from minis.fire.to_hit import Shot
from minis.fire.underbelly import Underbelly
from minis.rules.model import Rules
from minis.rules.rows import Row
from minis.sight.answers import attempt_answer, house_rules
from minis.sight.scene import Scene
from minis.tally import Item


def shot_answer(
    rules: Rules,
    shot: Shot,
    throw: Throw | None = None,
    dice: Sequence[Roll] = (),
    effect: HitEffect | None = None,
) -> dict[str, Any]:
    """The ruling on a shot, with its result where dice were thrown, and the effect of a hit."""
    refusal = shot.refusal
    return {
        "allowed": refusal is None,
        "refusal": None if refusal is None else {"rule": refusal.rule, "why": refusal.why},
        "range_hexes": shot.facts.range_hexes,
        "target_type": shot.facts.target_type,
        "th": None if refusal else shot.th,
        "drm": None if refusal else shot.drm,
        "hit_on": None if refusal else shot.hit_on,
        "lower_die_doubled": shot.doubled,
        "tally": _tally(shot),
        "left_out": [{"case": out.case, "rule": out.rule, "why": out.why} for out in shot.left_out],
        "odds": odds_answer(shot.odds) if shot.odds else None,
        "rof": None if refusal else shot.rof,
        "breakdown": None if refusal else shot.breakdown,
        "dice": [{"for": roll.purpose, "face": roll.face, "how": roll.how} for roll in dice],
        "result": throw_answer(throw, effect) if throw else None,
        "switches": rules.not_default,
        "house_rules": house_rules(rules, [*shot.rows_used, *rules.fire_changed, *_rows_of(effect)]),
        "house_removed": list(rules.removed),
    }


def _rows_of(effect: HitEffect | None) -> tuple[Row, ...]:
    return effect.ruling.rows if effect and effect.ruling else ()


def _tally(shot: Shot) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"case": None, "value": item.value, "on": "th", "label": item.label, "rule": item.rule, "source": item.source}
        for item in shot.numbers
    ]
    for case, cost in zip(shot.cases, shot.costs, strict=True):
        rows.append(
            {
                "case": case.case,
                "value": case.value,
                "on": "dr",
                "label": case.label,
                "rule": case.rule,
                "source": case.source,
                "costs_percent": round(cost, 4),
            }
        )
    return rows


def odds_answer(odds: Odds) -> dict[str, str | None]:
    """The odds as reduced fractions in text."""

    def text(chance: Fraction | None) -> str | None:
        return None if chance is None else str(chance)

    return {
        "hit": text(odds.hit),
        "miss": text(odds.miss),
        "hull": text(odds.hull),
        "turret": text(odds.turret),
        "critical": text(odds.critical),
        "multiple": text(odds.multiple),
        "malfunction": text(odds.malfunction),
        "keeps_rof": text(odds.keeps_rof),
    }


def effect_answer(effect: HitEffect) -> dict[str, Any]:
    """The effect of a hit: which table, the number, the odds of every result, and the result of the dice."""
    ruling, result, refusal = effect.ruling, effect.result, effect.refusal
    answer: dict[str, Any] = {
        "table": ruling.table if ruling else None,
        "final_number": ruling.final_number if ruling else None,
        "dice": list(result.dice) if result else None,
        "result": result.result if result else None,
        "means": result.means if result else None,
        "rule": result.rule if result else ruling.rule if ruling else None,
        "refusal": {"rule": refusal.rule, "why": refusal.why} if refusal else None,
    }
    if effect.other is not None:
        other = effect.other
        answer["other"] = {"dice": list(other.dice), "result": other.result, "means": other.means, "rule": other.rule}
    if ruling:
        answer |= {
            "column": ruling.column,
            "tally": [_effect_item(item) for item in ruling.tally],
            "drm": [_effect_item(item) for item in ruling.drm],
            "odds": {name: str(chance) for name, chance in ruling.odds.items()},
            "left_out": [{"label": out.label, "rule": out.rule, "why": out.why} for out in ruling.left_out],
        }
    return answer


def _effect_item(item: Item) -> dict[str, Any]:
    return {"value": item.value, "label": item.label, "rule": item.rule, "source": item.source}


def throw_answer(throw: Throw, effect: HitEffect | None = None) -> dict[str, Any]:
    """The result of a throw, with the effect of the hit where one was asked for."""
    return {
        "original_dr": throw.original,
        "final_dr": throw.final,
        "hit": throw.hit,
        "location": throw.location,
        "critical": throw.critical,
        "hits": throw.hits,
        "malfunction": throw.malfunction,
        "keeps_rof": throw.keeps_rof,
        "needs_die": throw.needs_die,
        "effect": effect_answer(effect) if effect else None,
    }


def table_shot_answer(
    scene: Scene,
    found: TableShot,
    throw: Throw | None = None,
    dice: Sequence[Roll] = (),
    effect: HitEffect | None = None,
) -> dict[str, Any]:
    """A shot on the table as `fire --json` prints it: the ruling, and the sighting it rests on."""
    rules = scene.board.rules
    attempt = found.attempt
    answer: dict[str, Any] = {
        "from": attempt.sighter.id,
        "to": attempt.target.id,
        "weapon": found.weapon.id if found.weapon else None,
        "ammo": found.ammo,
        "taken": list(found.taken),
    }
    if found.shot is not None:
        answer |= shot_answer(rules, found.shot, throw, dice, effect)
        answer["facts"] = asdict(found.shot.facts)
        rows = [*found.rows, *found.shot.rows_used, *rules.fire_changed, *_rows_of(effect)]
        answer["house_rules"] = house_rules(rules, rows)
    else:
        per_hex = scene.board.inches_per_hex
        answer |= {
            "allowed": False,
            "range_hexes": hexes(attempt.line.distance_in, per_hex),
            "target_type": None,
            "th": None,
            "drm": None,
            "hit_on": None,
            "lower_die_doubled": False,
            "tally": [],
            "left_out": [],
            "odds": None,
            "rof": None,
            "breakdown": None,
            "dice": [],
            "result": None,
            "switches": rules.not_default,
            "house_rules": house_rules(rules, attempt.rows_used),
            "house_removed": list(rules.removed),
        }
    refusal = found.refusal
    answer["refusal"] = None if refusal is None else {"rule": refusal.rule, "why": refusal.why}
    answer["sighting"] = attempt_answer(scene, attempt)
    return answer


def target_answer(found: Prospect) -> dict[str, Any]:
    """One target of `fire A --all`."""
    shot, refusal = found.shot.shot, found.shot.refusal
    return {
        "target": found.attempt.target.id,
        "distance_in": round(found.attempt.line.distance_in, 6),
        "sighting": str(found.sighting),
        "hit_on": shot.hit_on if shot and refusal is None else None,
        "hit": str(found.hit),
        "both": str(found.both),
        "refusal": None if refusal is None else {"rule": refusal.rule, "why": refusal.why},
        "taken": list(found.shot.taken),
    }


def exposure_answer(rules: Rules, found: Exposure, allowed: Shots, climbs: Sequence[Underbelly] = ()) -> dict[str, Any]:
    """An exposure as `exposure --json` prints it."""

    def stretch(part: Stretch) -> dict[str, Any]:
        return {
            "from_in": round(part.start_in, 6),
            "to_in": round(part.end_in, 6),
            "from": list(part.start),
            "to": list(part.end),
        }

    return {
        "target": found.target,
        "from": found.firer,
        "path_in": round(found.length_in, 6),
        "in_sight": [stretch(part) for part in found.stretches],
        "counted": [stretch(part) for part in found.counted],
        "mp_in_sight": round(found.mp, 6),
        "in_sight_from_start": found.in_sight_from_start,
        "in_sight_at_end": found.in_sight_at_end,
        "case": found.case,
        "rule": found.rule,
        "underbelly": [underbelly_answer(climb) for climb in climbs],
        "shots": {"at_once": list(allowed.at_once), "in_steps": list(allowed.in_steps)},
        "switches": rules.not_default,
    }


def manoeuvre_answer(
    unit: Unit, opened: float, odds: Mapping[float, Fraction], tried: Manoeuvre | None, arc: ProtectedArc | None
) -> dict[str, Any]:
    """A hull-down manoeuvre as `hulldown --manoeuvre --json` prints it."""
    return {
        "unit": unit.id,
        "open_arc": opened,
        "odds": {f"{width:g}": str(chance) for width, chance in odds.items()},
        "tally": [_effect_item(item) for item in tried.tally] if tried else [],
        "final": tried.final if tried else None,
        "arc": tried.arc if tried else None,
        "protected": {"centre": arc.centre, "width": arc.width} if arc else None,
        "rule": tried.rule if tried else "D4.22",
        "why": tried.why if tried else None,
    }


def underbelly_answer(found: Underbelly) -> dict[str, Any]:
    """An underbelly opportunity on a path."""
    return {
        "at": list(found.climb.at),
        "by": found.climb.by,
        "how": found.climb.how,
        "allowed": found.allowed,
        "range_hexes": found.range_hexes,
        "rule": found.rule,
        "why": found.why,
    }
