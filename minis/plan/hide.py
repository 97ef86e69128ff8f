"""Where in a zone a unit lies in wait best: every candidate place looked at, the best of them closely.

First all lines of sight at once, then what every place is worth without tracing a line, which is never too little; then
exact numbers, best first, until no place left can be better than the best by more than the tolerance of its table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from minis.board.board import Board
from minis.board.geometry import Point, box_of
from minis.board.units import Unit
from minis.board.zones import Lane, Zone
from minis.errors import bad
from minis.fire.refused import Refused
from minis.lengths import GRID
from minis.plan.eyes import Eyes
from minis.plan.march import files_of, march, weight
from minis.plan.pairs import Pairs, Places
from minis.plan.pareto import unbeaten
from minis.plan.spots import spots_in
from minis.plan.stand_ins import stand_in
from minis.plan.workers import Done, Progress, chunks, run
from minis.plan.worth import Look, Waiting, Worth, assess
from minis.sight.attempt import sighters

AT_ONCE = 16
"""Places in one job, and viewers asked at once for what they do not see: neither changes a result."""


@dataclass(frozen=True)
class Hiding:
    """The places of a zone for a unit, best first: those that no other beats in everything, at most as many as asked.

    `spots` are the candidates, `covering` those that cover some lane, `looked_at` those looked at before somebody broke
    it off: all, where nobody did.
    """

    unit: str
    zone: str
    lanes: tuple[str, ...]
    target: str
    places: tuple[Worth, ...]
    spots: int
    covering: int
    looked_at: int
    broken_off: bool


def hide(
    board: Board,
    unit: Unit,
    zone: Zone,
    lanes: Sequence[Lane],
    *,
    step_in: float,
    top: int,
    target: Unit | None = None,
    every: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Hiding:
    """Rank the places of a zone for a unit that lies in wait for what comes along some lanes.

    What comes is `target`, else an average armoured vehicle. `every` looks at all places closely, in one stage. Raises
    BadInput where the unit has no weapon, Refused where it may not set up in the zone or cannot lie in wait.
    """
    _check(unit, zone)
    board = _freed(board, unit)
    unit = replace(unit, flags=frozenset(), tow=None, carries=(), sighted_by=frozenset(), token=None, hidden=True)
    enemy = target or stand_in(board, "vehicle")
    spots = spots_in(board, zone, unit, step_in, toward=[_middle(board, lane, enemy) for lane in lanes])
    waiting, looks = look_around(board, unit, spots, lanes, enemy)
    search = _Search(waiting, top, executor, progress)
    first = search.assess([look for look in looks if any(map(any, look.marks))], traced=every)
    covering = [worth for worth in first.results if worth.covered]
    exact, broken_off = search.closer(covering) if not first.broken_off else (covering, True)
    ranked = sorted(
        (worth for worth in exact if worth.exact), key=lambda worth: (-worth.score(board.rules), worth.look.unit.at)
    )
    best = [ranked[k] for k in unbeaten([worth.values for worth in ranked])]
    return Hiding(
        unit.id, zone.id, tuple(lane.id for lane in lanes), enemy.id.strip(), tuple(best[:top]), len(spots),
        len(covering), len(spots) - first.of + len(first.results), broken_off,
    )  # fmt: skip


def _check(unit: Unit, zone: Zone) -> None:
    if not unit.weapons:
        raise bad(f"{unit.id} has no weapon in the scenario: give it weapons = [...] or a type from the catalogue")
    if unit.dummy or unit.wreck or unit.unknown:
        what = "a dummy" if unit.dummy else "a wreck" if unit.wreck else "a token"
        raise Refused("plan", f"{unit.id} is {what}: it lies in wait for nobody")
    if zone.side not in (None, unit.side):
        raise Refused("plan", f"{zone.id} is a zone of {zone.side}; {unit.id} is of {unit.side}")


def _freed(board: Board, unit: Unit) -> Board:
    """The board without a unit and what rides in it, on nobody's tow and in no carrier: it is set up by itself."""
    gone = {unit.id, *unit.carries}
    others = [
        replace(u, tow=None if u.tow in gone else u.tow, carries=tuple(name for name in u.carries if name not in gone))
        for u in board.units
        if u.id not in gone
    ]
    return replace(board, units=tuple(others))


def _middle(board: Board, lane: Lane, comer: Unit) -> Point:
    """The place half way along a lane, to an MP."""
    marks = march(board, lane, comer).marks
    return marks[len(marks) // 2].at


# --- lines of sight ------------------------------------------------------------------------------------------------


def look_around(
    board: Board, unit: Unit, spots: Sequence[Unit], lanes: Sequence[Lane], enemy: Unit
) -> tuple[Waiting, list[Look]]:
    """What a unit sees from each of some places, of the lanes and of the enemies, and its way out of sight."""
    scene = Places(replace(board, units=tuple(u for u in board.units if u.id != enemy.id)))
    eyes = Eyes(scene)
    marches = tuple(walk for lane in lanes for walk in files_of(board, lane, enemy, known_to=[unit.id]))
    others = sorted({u.side for u in scene.board.units} - {unit.side})
    enemies = tuple(u for side in others for u in sighters(scene, side) if not u.unknown)
    marks = [mark for walk in marches for mark in walk.marks]
    seen = eyes.see(spots, [*marks, *enemies]) if spots else np.zeros((0, len(marks) + len(enemies)), dtype=bool)
    ends = np.cumsum([len(walk.marks) for walk in marches])
    ways = _ways_out(eyes, spots, [*marks, *enemies])
    looks = []
    for spot, row, (far, place) in zip(spots, seen, ways, strict=True):
        parts = [tuple(part.tolist()) for part in np.split(row, ends)]
        looks.append(Look(spot, tuple(parts[:-1]), parts[-1], far, place))
    return Waiting(scene, marches, enemies), looks


def _ways_out(
    eyes: Eyes, spots: Sequence[Unit], viewers: Sequence[Unit]
) -> Iterator[tuple[float | None, tuple[float, float] | None]]:
    """For each place the nearest one that none of some viewers sees, and its distance in inches (the nearest first)."""
    rules = eyes.scene.board.rules
    within = weight(rules, "way-out-within")
    hidden = _out_of_sight(eyes, _grid_around(eyes.scene.board, spots, within), viewers)
    for spot in spots:
        far = np.hypot(hidden[:, 0] - spot.at[0] / GRID, hidden[:, 1] - spot.at[1] / GRID)
        if not len(far) or far.min() > within:
            yield None, None
            continue
        k = int(far.argmin())
        yield float(far[k]), (float(hidden[k, 0]), float(hidden[k, 1]))


def _grid_around(board: Board, spots: Sequence[Unit], within: float) -> Any:
    """Places on the table within reach of some units: an array (n, 2) of inches."""
    step = weight(board.rules, "way-out-step")
    if step <= 0:
        raise bad("expected a step of more than 0 inches", file="tables/plan-weights.toml: way-out-step")
    if not spots:
        return np.zeros((0, 2))
    west, south, east, north = (value / GRID for value in box_of([spot.at for spot in spots]))
    columns = _steps(max(0.0, west - within), min(board.width_in, east + within), step)
    rows = _steps(max(0.0, south - within), min(board.depth_in, north + within), step)
    return np.array([(x, y) for y in rows for x in columns]).reshape(-1, 2)


def _steps(low: float, high: float, step: float) -> list[float]:
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _out_of_sight(eyes: Eyes, xy_in: Any, viewers: Sequence[Unit]) -> Any:
    """Those of some places that no viewer sees: viewers far apart are asked first."""
    strides = [viewers[start::AT_ONCE] for start in range(AT_ONCE)]
    for part in (part for stride in strides for part in chunks(stride, AT_ONCE)):
        if part and len(xy_in):
            xy_in = xy_in[~eyes.see_places(part, xy_in).any(axis=0)]
    return xy_in


# --- the search ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Job:
    """Some places to look at, closely or not; what another process needs for it."""

    waiting: Waiting
    looks: tuple[Look, ...]
    traced: bool


def _assess_all(job: _Job) -> list[Worth]:
    pairs = Pairs(job.waiting.scene, job.traced)
    return [assess(job.waiting, pairs, look) for look in job.looks]


@dataclass(frozen=True)
class _Search:
    waiting: Waiting
    top: int
    executor: Executor | None
    progress: Progress | None

    def assess(self, looks: Sequence[Look], *, traced: bool) -> Done[Worth]:
        """What some places are worth, in their order."""
        jobs = [_Job(self.waiting, tuple(part), traced) for part in chunks(looks, AT_ONCE)]
        done = run(self.executor, _assess_all, jobs, progress=self.progress)
        found = tuple(worth for part in done.results for worth in part)
        return Done(found, len(looks)) if done.broken_off else Done(found, len(found))

    def closer(self, found: Sequence[Worth]) -> tuple[list[Worth], bool]:
        """The exact worth of those that may be the best or on the list; whether it was broken off."""
        rules = self.waiting.rules
        ranked = sorted(found, key=lambda worth: -worth.score(rules))
        front = [ranked[k] for k in unbeaten([worth.values for worth in ranked])][: self.top]
        exact = [worth for worth in ranked if worth.exact]
        wanted = [worth for worth in front if not worth.exact]
        looked_at = set(map(id, exact))
        while wanted:
            done = self.assess([worth.look for worth in wanted], traced=True)
            exact += [worth for worth in done.results if worth.covered]
            if done.broken_off:
                return exact, True
            looked_at |= set(map(id, wanted))
            best = max((worth.score(rules) for worth in exact), default=0.0) + weight(rules, "tolerance")
            left = (worth for worth in ranked if id(worth) not in looked_at)
            wanted = [worth for worth in left if worth.score(rules) > best][:AT_ONCE]
        return exact, False
