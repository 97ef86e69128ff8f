"""What `minis plan` finds as plain data, the same numbers as its text: what `--json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minis.board.units import Unit
from minis.fire.exposure import Stretch
from minis.game.setup import Setup
from minis.lengths import GRID
from minis.plan.compare import Compared
from minis.plan.field_of_fire import Band, FieldOfFire, Spread
from minis.plan.laid_spots import LaidSpot, LaidSpots
from minis.plan.lanes import Exposed, Watched, Watcher
from minis.plan.setup_check import Checked
from minis.plan.workers import Done
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
        "broken_off": found.broken_off,
        "exact": list(EXACT),
        "counted": {"cell_in": found.cell_in, "cells": found.cells, "looked_at": found.looked_at, "of": list(COUNTED)},
        "area": rounded(found.area),
        "share": rounded(found.share),
        "beyond_sighting_range": rounded(found.beyond),
        "bands": [_band(band) for band in found.bands],
        "dead_ground": [
            {"obstacle": dead.obstacle, "what": dead.what, "area": rounded(dead.area), "rules": list(dead.rules)}
            for dead in found.dead
        ],
        "farthest": [{"at": list(far.at), "distance_in": rounded(far.distance_in)} for far in found.farthest],
    }


EXACT = ("area", "share", "beyond_sighting_range", "bands.area", "bands.in_arc", "dead_ground")
"""What in a field of fire is exact, by its keys."""

COUNTED = ("bands.targets", "farthest")
"""What in a field of fire is that of the middles of cells, by its keys."""


def _band(band: Band) -> dict[str, Any]:
    return {
        "band": band.row.id,
        "from_hexes": band.from_hexes,
        "up_to_hexes": band.up_to_hexes,
        "area": rounded(band.area),
        "in_arc": rounded(band.in_arc),
        "cells": band.cells,
        "targets": [{"target": p.target, "sight": _spread(p.sight), "hit": _spread(p.hit)} for p in band.prospects],
    }


def _spread(found: Spread | None) -> dict[str, str] | None:
    if found is None:
        return None
    return {"least": str(found.least), "mean": str(found.mean), "best": str(found.best)}


# --- lanes -----------------------------------------------------------------------------------------------------------


def lanes_answer(found: Done[Watched]) -> dict[str, Any]:
    """Lanes as they are watched."""
    return _so_far(len(found.results), found.of) | {"lanes": [watched_answer(one) for one in found.results]}


def _so_far(looked_at: int, of: int) -> dict[str, Any]:
    """How much was looked at, and whether somebody broke it off."""
    return {"looked_at": looked_at, "of": of, "broken_off": looked_at < of}


def watched_answer(found: Watched) -> dict[str, Any]:
    """A lane as it is watched."""
    return {
        "lane": found.lane.id,
        "side": found.lane.side,
        "length_in": rounded(found.length_in),
        "width_in": found.lane.width_in,
        "area": [[x / GRID, y / GRID] for x, y in found.lane.area] if found.lane.area else None,
        "files": found.files,
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


def laid_answer(unit: Unit, found: LaidSpots) -> dict[str, Any]:
    """The spots for a bore sight, those worth most first."""
    return {"unit": unit.id} | _so_far(found.looked_at, found.of) | {"spots": [_laid(spot) for spot in found.spots]}


def _laid(spot: LaidSpot) -> dict[str, Any]:
    return {
        "at": list(spot.at),
        "distance_in": rounded(spot.distance_in),
        "range_hexes": spot.range_hexes,
        "lanes": [{"lane": passing.lane, "length_in": rounded(passing.length_in)} for passing in spot.passing],
        "hit": str(spot.bare),
        "hit_bore_sighted": str(spot.laid),
        "worth": rounded(spot.worth),
    }


def compared_answer(unit: Unit, target: Unit, names: Sequence[str], found: Done[Compared]) -> dict[str, Any]:
    """Places side by side, in the order in which they were named."""
    places = [
        {
            "name": names[one.number],
            "field": field_answer(one.field),
            "lanes": [watched_answer(lane) for lane in one.lanes],
        }
        for one in found.results
    ]
    who = {"unit": unit.id, "target": target.id.strip()}
    return who | _so_far(len(found.results), found.of) | {"places": places}


def checked_answer(setup: Setup, found: Checked) -> dict[str, Any]:
    """What is to be said of a set-up; `looked_at` are hidden units."""
    findings = [
        {
            "unit": one.unit or None,
            "rule": one.rule or None,
            "against_the_rules": one.against,
            "why": " ".join([one.why, ", ".join(one.of)]).strip(),
        }
        for one in found.findings
    ]
    said = {"file": setup.name, "side": setup.side, "fine": found.fine}
    return said | _so_far(found.looked_at, found.of) | {"findings": findings}
