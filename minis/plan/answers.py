"""What `minis plan` finds as plain data, the same numbers as its text: what `--json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minis.board.units import Unit
from minis.fire.exposure import Stretch
from minis.lengths import GRID
from minis.plan.compare import Compared
from minis.plan.field_of_fire import Band, FieldOfFire, Spread
from minis.plan.laid_spots import LaidSpot
from minis.plan.lanes import Exposed, Watched, Watcher
from minis.plan.setup_check import Finding
from minis.rules.model import Rules
from minis.sight.answers import house_rules, rounded


def under(rules: Rules) -> dict[str, Any]:
    """The switches and the house rules that an answer is under: a plan rests on all of them."""
    rows = [row for table in rules.tables.values() for row in table.rows]
    return {
        "switches": rules.not_default,
        "house_rules": house_rules(rules, rows),
        "house_removed": list(rules.removed),
    }


def place_answer(unit: Unit) -> dict[str, Any]:
    """Where a unit stands."""
    return {"at": [value / GRID for value in unit.at], "facing": rounded(unit.facing, 3), "storey": unit.storey}


def _stretch(stretch: Stretch) -> dict[str, Any]:
    return {
        "from_in": rounded(stretch.start_in),
        "to_in": rounded(stretch.end_in),
        "from": list(stretch.start),
        "to": list(stretch.end),
    }


# --- the field of fire -----------------------------------------------------------------------------------------------


def field_answer(found: FieldOfFire) -> dict[str, Any]:
    """A field of fire."""
    return {
        "unit": found.unit.id.strip(),
        "place": place_answer(found.unit),
        "weapon": found.weapon.id if found.weapon else None,
        "cell_in": found.cell_in,
        "area": rounded(found.area),
        "share": rounded(found.share),
        "beyond_sighting_range": rounded(found.beyond),
        "bands": [_band(band) for band in found.bands],
        "dead_ground": [
            {"obstacle": dead.obstacle, "what": dead.what, "area": rounded(dead.area)} for dead in found.dead
        ],
        "farthest": [{"at": list(far.at), "distance_in": rounded(far.distance_in)} for far in found.farthest],
    }


def _band(band: Band) -> dict[str, Any]:
    return {
        "band": band.row.id,
        "from_hexes": band.from_hexes,
        "up_to_hexes": band.up_to_hexes,
        "area": rounded(band.area),
        "in_arc": rounded(band.in_arc),
        "targets": [
            {"target": p.target, "sight": _spread(p.sight), "hit": _spread(p.hit) if p.hit else None}
            for p in band.prospects
        ],
    }


def _spread(found: Spread) -> dict[str, str]:
    return {"least": str(found.least), "mean": str(found.mean), "best": str(found.best)}


# --- lanes -----------------------------------------------------------------------------------------------------------


def watched_answer(found: Watched) -> dict[str, Any]:
    """A lane as it is watched."""
    return {
        "lane": found.lane.id,
        "side": found.lane.side,
        "length_in": rounded(found.length_in),
        "width_in": found.lane.width_in,
        "target": found.mover.id.strip(),
        "share": rounded(found.share),
        "in_sight": [_stretch(stretch) for stretch in found.seen],
        "in_nobodys_sight": [_stretch(stretch) for stretch in found.unseen],
        "watchers": [_watcher(watcher) for watcher in found.watchers],
    }


def _watcher(found: Watcher) -> dict[str, Any]:
    first = found.stretches[0] if found.stretches else None
    return {
        "unit": found.unit.id,
        "first": None if first is None else {"along_in": rounded(first.start_in), "at": list(first.start)},
        "in_sight_in": rounded(found.length_in),
        "mp": rounded(found.mp),
        "stretches": [_stretch(one.stretch) | {"middle": _exposed(one)} for one in found.exposed],
    }


def _exposed(found: Exposed) -> dict[str, Any]:
    shot, refusal = found.shot, found.shot.refusal if found.shot else None
    return {
        "along_in": rounded(found.along_in),
        "at": list(found.at),
        "distance_in": rounded(found.distance_in),
        "mp": rounded(found.mp),
        "case": found.case,
        "sight": str(found.sight),
        "weapon": shot.weapon.id if shot and shot.weapon else None,
        "hit": str(found.hit),
        "refusal": None if refusal is None else {"rule": refusal.rule, "why": refusal.why},
    }


# --- bore sights, places side by side, a set-up ----------------------------------------------------------------------


def laid_answer(spot: LaidSpot) -> dict[str, Any]:
    """A spot for a bore sight."""
    return {
        "at": list(spot.at),
        "distance_in": rounded(spot.distance_in),
        "range_hexes": spot.range_hexes,
        "lanes": [{"lane": passing.lane, "length_in": rounded(passing.length_in)} for passing in spot.passing],
        "hit": str(spot.bare),
        "hit_bore_sighted": str(spot.laid),
        "worth": rounded(spot.worth),
    }


def compared_answer(found: Sequence[Compared]) -> list[dict[str, Any]]:
    """Places side by side, in the order in which they were named."""
    return [{"field": field_answer(one.field), "lanes": [watched_answer(lane) for lane in one.lanes]} for one in found]


def findings_answer(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """What is to be said of a set-up."""
    return [
        {
            "unit": one.unit or None,
            "rule": one.rule or None,
            "against_the_rules": one.against,
            "why": " ".join([one.why, ", ".join(one.of)]).strip(),
        }
        for one in found
    ]
