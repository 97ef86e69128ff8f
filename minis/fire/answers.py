"""A shot as plain data, the same items as the printed ruling: what `fire --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from minis.dice import Roll
from minis.fire.hit import Odds, Throw
from minis.fire.to_hit import Shot
from minis.rules.model import Rules


def shot_answer(rules: Rules, shot: Shot, throw: Throw | None = None, dice: Sequence[Roll] = ()) -> dict[str, Any]:
    """The ruling on a shot, with its result where dice were thrown."""
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
        "result": throw_answer(throw) if throw else None,
        "switches": rules.not_default,
    }


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


def throw_answer(throw: Throw) -> dict[str, Any]:
    """The result of a throw."""
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
    }
