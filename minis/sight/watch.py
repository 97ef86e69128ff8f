"""The private check of a sighting phase: which hidden units have a line of sight to an enemy (S12.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from minis.board.units import Unit
from minis.rules.rows import Row
from minis.sight.answers import house_rules, rounded
from minis.sight.attempt import attempt, one_target, sighters, targets
from minis.sight.line import can_see, sight_line
from minis.sight.scene import Scene


@dataclass(frozen=True)
class Seen:
    """An enemy in the line of sight of a hidden unit, and how far away it is, in inches."""

    target: Unit
    distance_in: float


@dataclass(frozen=True)
class Watched:
    """A hidden unit and its enemies.

    `sees` are those in its line of sight, nearest first: tokens and dummies, and units that are hidden themselves.
    `seen_by` are ids, in the order of the alphabet, of enemies on the table that have a chance above 0 to sight it in
    this phase (S2): units that look (S11.1, S11.2), with a line of sight, in range, with a roll that can succeed. In a
    side's view a token is not among them: only the judge knows what it stands for (S11.5).
    """

    unit: Unit
    sees: tuple[Seen, ...]
    seen_by: tuple[str, ...]
    rows: tuple[Row, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Watch:
    """All hidden units that were asked for, by id; those with a line of sight; the rows of tables behind the answer."""

    hidden: tuple[Unit, ...]
    watched: tuple[Watched, ...]
    rows: tuple[Row, ...] = field(default=(), repr=False)


def watch(scene: Scene, side: str | None = None) -> Watch:
    """Hidden units, of one side or of all, that have a line of sight to an enemy, either way (S12.2).

    Left out on both ends are wrecks, passengers and guns on tow, as in a sighting phase; a gun and its tow are one
    target to sight (S11.3). The range does not limit `sees`: a line of sight is enough to be told of.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> [(entry.unit.id, entry.sees[0].target.id) for entry in watch(scene).watched]
    [('P8', 'T12')]
    >>> watch(scene, "allied").watched
    ()
    """
    sides = scene.board.sides if side is None else (side,)
    hidden = sorted((u for one in sides for u in sighters(scene, one) if u.hidden), key=lambda unit: unit.id)
    found = [_watched(scene, unit) for unit in hidden]
    seen = tuple(entry for entry in found if entry.sees or entry.seen_by)
    return Watch(tuple(hidden), seen, tuple(row for entry in found for row in entry.rows))


def _watched(scene: Scene, unit: Unit) -> Watched:
    """What one hidden unit sees, and who may sight it."""
    looking = {u.id for side in scene.board.sides if side != unit.side for u in sighters(scene, side) if not u.hidden}
    sees: list[Seen] = []
    seen_by: list[str] = []
    rows: list[Row] = []
    for enemy in targets(scene, unit.side):
        lines = [sight_line(scene, unit, end) for end in one_target(scene, enemy)]
        rows += [row for line in lines for row in line.rows_used]
        away = [line.distance_in for line in lines if line.clear]
        if away:
            sees.append(Seen(enemy, min(away)))
        in_sight = lines[0].clear or any(can_see(scene, enemy, tow) for tow in one_target(scene, unit)[1:])
        if in_sight and enemy.id in looking:
            found = attempt(scene, enemy, unit)  # the line is reciprocal (S5.2), the chance is not
            rows += found.rows_used
            if found.ruling.chance > 0:
                seen_by.append(enemy.id)
    sees.sort(key=lambda seen: (rounded(seen.distance_in), seen.target.id))
    return Watched(unit, tuple(sees), tuple(sorted(seen_by)), tuple(dict.fromkeys(rows)))


def watch_answer(scene: Scene, found: Watch) -> dict[str, Any]:
    """The check as `watch --json` prints it; `hidden`, `dummy` and `unknown` stand only where they are true."""
    rules = scene.board.rules
    return {
        "watch": [
            {
                "unit": entry.unit.id,
                "side": entry.unit.side,
                "sees": [_seen_answer(seen) for seen in entry.sees],
                "seen_by": list(entry.seen_by),
            }
            for entry in found.watched
        ],
        "hidden_units": [unit.id for unit in found.hidden],
        "switches": rules.not_default,
        "house_rules": house_rules(rules, found.rows),
        "house_removed": list(rules.removed),
    }


def _seen_answer(seen: Seen) -> dict[str, Any]:
    marks = {"hidden": seen.target.hidden, "dummy": seen.target.dummy, "unknown": seen.target.unknown}
    return {
        "target": seen.target.id,
        "distance_in": rounded(seen.distance_in),
        **{name: True for name, true in marks.items() if true},
    }
