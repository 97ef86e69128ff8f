"""Answers as plain data, the same items as the printed ruling: what `--json` prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minis.board.geometry import bearing
from minis.board.units import Unit
from minis.lengths import GRID
from minis.rules.model import Rules
from minis.rules.rows import Row
from minis.sight.attempt import Attempt
from minis.sight.cover import HullDown
from minis.sight.line import Sightline, distance
from minis.sight.meeting import Crossing
from minis.sight.scene import Scene
from minis.sight.sighting import Sighting


def rounded(value: float | None, digits: int = 6) -> float | None:
    """A length for print: binary noise below a millionth of an inch cut off."""
    return None if value is None else round(value, digits) + 0.0


def measure_answer(scene: Scene, one: Unit, other: Unit) -> dict[str, Any]:
    """Distance, bearing and levels of two units (S1.3)."""
    degrees = bearing(one.at, other.at)
    return {
        "from": one.id,
        "to": other.id,
        "distance_in": rounded(distance(scene, one, other) / GRID),
        "bearing": rounded(degrees, 3),
        "from_level": scene.stand(one).level,
        "to_level": scene.stand(other).level,
        "line": [[value / GRID for value in unit.at] for unit in (one, other)],
        "switches": scene.board.rules.not_default,
    }


def crossing_answer(crossing: Crossing) -> dict[str, Any]:
    """One crossing of a sight line."""
    return {
        "obstacle": crossing.obstacle,
        "what": crossing.what,
        "top": crossing.top,
        "entry_in": rounded(crossing.entry_in),
        "exit_in": rounded(crossing.exit_in),
        "hides": crossing.hides,
        "rule": crossing.rule,
        "why": crossing.why,
    }


def los_answer(
    rules: Rules, line: Sightline, *, cover: Iterable[str] = (), down: HullDown | None = None, rows: Iterable[Row] = ()
) -> dict[str, Any]:
    """A line of sight as `los --json` prints it."""
    deciding = line.deciding
    shadow = None
    if deciding and deciding.row is not None and deciding.inside_in is not None:
        shadow = {"length_in": deciding.row.length, "inside_in": rounded(max(0.0, deciding.inside_in))}
    return {
        "from": line.from_id,
        "to": line.to_id,
        "clear": line.clear,
        "distance_in": rounded(line.distance_in),
        "viewer": line.viewer,
        "blocker": deciding.obstacle if deciding else None,
        "rule": deciding.rule if deciding else None,
        "shadow": shadow,
        "margin_in": rounded(line.margin_in),
        "close": line.close,
        "smoke": list(line.smoke),
        "cover": list(cover),
        "hull_down": down.state if down and line.clear else None,
        "line": [list(point) for point in line.line],
        "why": why(line),
        "also": [crossing.obstacle for crossing in line.also],
        "crossings": [crossing_answer(crossing) for crossing in line.crossings],
        "switches": rules.not_default,
        "house_rules": house_rules(rules, [*line.rows_used, *rows]),
        "house_removed": list(rules.removed),
    }


def why(line: Sightline) -> str:
    """The verdict in words."""
    if line.deciding is None:
        return f"the line from {line.from_id} to {line.to_id} is clear"
    return f"hidden by {line.deciding.obstacle} ({line.deciding.what}): {line.deciding.why}"


def sighting_answer(ruling: Sighting) -> dict[str, Any]:
    """A sighting roll as `tape sight --json` prints it."""
    return {
        "procedure": ruling.procedure,
        "outcome": ruling.outcome,
        "test": ruling.test,
        "need": ruling.need,
        "chance": {"fraction": str(ruling.chance), "percent": rounded(ruling.percent, 4)},
        "tally": [
            {"value": rounded(item.value), "label": item.label, "rule": item.rule, "source": item.source}
            for item in ruling.tally
        ],
        "left_out": [{"label": left.label, "rule": left.rule, "why": left.why} for left in ruling.left_out],
        "dice": [{"for": roll.purpose, "face": roll.face, "how": roll.how} for roll in ruling.rolls],
        "smoke_dice_needed": ruling.smoke_dice_needed,
        "sighted": ruling.sighted,
        "ruling": ruling.rule,
    }


def attempt_answer(scene: Scene, found: Attempt) -> dict[str, Any]:
    """A sighting attempt on the table: the keys of `los` and of the roll."""
    rules = scene.board.rules
    answer = los_answer(rules, found.line, cover=found.cover, down=found.hull_down, rows=found.ruling.rows)
    answer |= sighting_answer(found.ruling)
    answer["to"] = found.target.id
    answer["seen_as"] = found.seen_as.id
    answer["already_sighted"] = found.sighter.id in found.target.sighted_by
    if found.ruling.outcome == "impossible" and not found.line.deciding:
        answer["why"] = found.ruling.why
    return answer


def hull_down_answer(rules: Rules, found: HullDown) -> dict[str, Any]:
    """Hull down or not, as `hulldown --json` prints it."""
    return {
        "unit": found.unit,
        "from": found.observer,
        "hull_down": found.state,
        "by": found.by,
        "behind": found.behind,
        "rule": found.rule,
        "why": found.why,
        "switches": rules.not_default,
    }


def house_rules(rules: Rules, rows: Iterable[Row]) -> list[str]:
    """Rows of a house folder that an answer rests on, as table/row."""
    used = [row for row in rows if row.overlay]
    names = [f"{table.name}/{row.id}" for table in rules.tables.values() for row in table.rows if row in used]
    return sorted(set(names))
