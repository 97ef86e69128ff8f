"""The answer of `minis plan hide` as data, and the reasons of a place in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from minis.board.board import Board
from minis.lengths import GRID, format_length
from minis.plan.hide import Hiding
from minis.plan.march import weight
from minis.plan.worth import VALUES, LaneWorth, Worth
from minis.rules.effect_rows import rows_of
from minis.rules.plan_weight_rows import WeightRow


def hiding_answer(board: Board, found: Hiding) -> dict[str, Any]:
    """The places of a zone as JSON says them; lengths and places in inches, chances in percent."""
    rules = board.rules
    return {
        "unit": found.unit,
        "zone": found.zone,
        "lanes": list(found.lanes),
        "target": found.target,
        "spots": found.spots,
        "covering": found.covering,
        "looked_at": found.looked_at,
        "broken_off": found.broken_off,
        "weights": {row.id: row.value for row in rows_of(rules, "plan-weights", WeightRow)},
        "places": [_place(board, worth) for worth in found.places],
        "switches": rules.not_default,
    }


def _place(board: Board, worth: Worth) -> dict[str, Any]:
    unit, rules = worth.look.unit, board.rules
    parts = zip(VALUES, worth.values, strict=True)
    return {
        "at": [round(value / GRID, DIGITS) for value in unit.at],
        "facing": round(unit.facing, DIGITS),
        "storey": unit.storey,
        "score": round(worth.score(rules), DIGITS),
        "points": {name: round(value * weight(rules, name), DIGITS) for name, value in parts},
        "covered": round(worth.covered, DIGITS),
        "hits": round(worth.hits, DIGITS),
        "unseen": _percent(worth.unseen),
        "cover": round(worth.protected, DIGITS),
        "way_out_in": None if worth.look.way_out_in is None else round(worth.look.way_out_in, DIGITS),
        "way_out": None if worth.look.way_out is None else list(worth.look.way_out),
        "lanes": [_lane(lane) for lane in worth.lanes],
        "seen_by": [{"unit": seen.unit, "chance": _percent(float(seen.chance))} for seen in by_chance(worth)],
        "why": list(reasons(worth)),
    }


DIGITS = 4
"""Digits of a printed number."""


def _lane(lane: LaneWorth) -> dict[str, Any]:
    return {
        "lane": lane.lane,
        "files": lane.files,
        "length_in": round(lane.length_in, DIGITS),
        "in_sight_in": round(lane.in_sight_in, DIGITS),
        "covered_in": round(lane.covered_in, DIGITS),
        "hexes": list(lane.hexes) if lane.hexes else None,
        "hits": round(lane.hits, DIGITS),
        "best_hit": _percent(float(lane.best)),
        "sighted": _percent(lane.sighted),
        "cover_in": round(lane.protected_in, DIGITS),
        "hull_down_in": round(lane.hull_down_in, DIGITS),
        "cover_by": [{"terrain": name, "inches": round(inches, DIGITS)} for name, inches in lane.protected],
    }


def _percent(chance: float) -> float:
    return round(chance * 100, DIGITS)


def by_chance(worth: Worth) -> list[Any]:
    """The enemies that may sight a place from where they start, the best chance first."""
    return sorted(worth.seen, key=lambda seen: (-seen.chance, seen.unit))


# --- in words --------------------------------------------------------------------------------------------------------


def reasons(worth: Worth) -> Iterator[str]:
    """Why a place is worth what it is: the lanes, cover, who sees it, the way out."""
    for lane in worth.lanes:
        if lane.covered_in:
            yield _covers(lane)
    yield _cover(worth)
    yield _seen(worth)
    yield _way_out(worth)


def _covers(lane: LaneWorth) -> str:
    low, high = lane.hexes or (0, 0)
    at = f"{low}" if low == high else f"{low} to {high}"
    hits = f"{lane.hits:.1f} hits on a vehicle" if lane.hits >= A_TENTH else "hardly a hit on a vehicle"
    inches = f"{_inches(lane.covered_in)} of {_inches(lane.length_in)} of {lane.lane}"
    files = f", on average of {lane.files} files" if lane.files > 1 else ""
    return f"covers {inches} at {at} hexes; {hits} before it is sighted{files}"


A_TENTH = 0.05
"""From here on a number is printed as 0.1 or more."""


def _inches(length: float) -> str:
    return format_length(round(length, 1))


def _cover(worth: Worth) -> str:
    lengths: dict[str, float] = {}
    for lane in worth.lanes:
        for name, inches in lane.protected:
            lengths[name] = lengths.get(name, 0.0) + inches
    if not lengths:
        return "no cover from what it sees of the lanes"
    in_sight = sum(lane.in_sight_in for lane in worth.lanes)
    parts = [f"{name} ({_share(inches / in_sight)})" for name, inches in sorted(lengths.items(), key=_longest_first)]
    down = sum(lane.hull_down_in for lane in worth.lanes)
    hull = f"hull down to {_share(down / in_sight)} of what it sees; " if down else ""
    return f"{hull}cover from {', '.join(parts[:FEW])}"


FEW = 3
"""Of a long list this many are told."""


def _longest_first(item: tuple[str, float]) -> tuple[float, str]:
    return -item[1], item[0]


def _share(share: float) -> str:
    return "all of it" if share > 1 - A_HUNDREDTH / 2 else f"{share:.0%}".replace("%", " %")


A_HUNDREDTH = 0.01
"""A percent."""


def _seen(worth: Worth) -> str:
    seen = by_chance(worth)
    if not seen:
        return "no enemy can sight it from where he starts"
    parts = [f"{one.unit} at {_chance(float(one.chance))}" for one in seen[:FEW]]
    more = f", and {len(seen) - FEW} more" if len(seen) > FEW else ""
    return f"seen from {', '.join(parts)}{more}"


def _chance(chance: float) -> str:
    return f"{chance * 100:.1f}".rstrip("0").rstrip(".") + " %"


def _way_out(worth: Worth) -> str:
    look = worth.look
    if look.way_out_in is None or look.way_out is None:
        return f"no way out of sight within {_inches(worth.within_in)}"
    if look.way_out_in < A_HUNDREDTH:
        return "out of sight of all where it stands"
    return f"out of sight {_inches(look.way_out_in)} away, at {look.way_out[0]:g}, {look.way_out[1]:g}"
