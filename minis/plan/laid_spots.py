"""Spots that a weapon may be bore sighted on at set-up, and what each is worth against those who come by (F7)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from minis.board.geometry import bearing, locate
from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.board.zones import Lane
from minis.errors import bad
from minis.fire.boresight import legal, point_unit
from minis.fire.exposure import Leg, Place, at_place
from minis.fire.facts import hexes
from minis.fire.measure import Declaration, declare, weapon_of
from minis.fire.refused import Refused
from minis.lengths import EPSILON_IN, GRID, to_grid
from minis.plan.chances import Chances
from minis.plan.course import course_of
from minis.plan.eyes import Eyes
from minis.plan.workers import Progress, chunks, run
from minis.rules.plan_rows import plan_number
from minis.sight.attempt import attempt
from minis.sight.line import distance
from minis.sight.scene import Scene

WHO_MAY_NOT = "C6.41"
"""The rule by which a weapon may bore sight no spot at all."""

AT_ONCE = 16
"""Spots in one job: it changes no result."""


@dataclass(frozen=True)
class Passing:
    """What of a lane lies in a bore-sighted location: inches; of a lane with a width, the mean of its files."""

    lane: str
    length_in: float


@dataclass(frozen=True)
class LaidSpot:
    """A spot in inches, what passes through it, and the chance to hit who comes by, without and with the bore sight."""

    at: Place
    distance_in: float
    range_hexes: int
    passing: tuple[Passing, ...]
    bare: Fraction
    laid: Fraction

    @property
    def length_in(self) -> float:
        """Inches of lanes in the location."""
        return sum(passing.length_in for passing in self.passing)

    @property
    def worth(self) -> float:
        """The hits it is worth, times the inches of lanes that lie in it."""
        return float(self.laid - self.bare) * self.length_in


@dataclass(frozen=True)
class LaidSpots:
    """The spots worth most, best first, of those `looked_at`: all `of` them, where nobody broke it off."""

    spots: tuple[LaidSpot, ...]
    looked_at: int
    of: int

    @property
    def broken_off(self) -> bool:
        """True where somebody stopped it before its end."""
        return self.looked_at < self.of


@dataclass(frozen=True)
class _Candidate:
    """A spot, what passes there, and where on the longest stretch in it the target comes by."""

    at: Place
    passing: tuple[Passing, ...]
    place: Place
    facing: float


def laid_spots(
    scene: Scene,
    unit: Unit,
    lanes: Sequence[Lane],
    target: Unit,
    *,
    top: int,
    weapon: str | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> LaidSpots:
    """The legal spots of a weapon that are worth most, best first: not more than `top` (F7, C6.42).

    Spots are looked for on a grid; a spot is worth what it adds to the chance of a hit, times the inches of lanes in
    its circle. The target moves along the longest stretch in the circle (Case J). The weapon's side is taken to be the
    scenario defender. The same whatever the executor. Raises Refused for a weapon that may bore sight none, BadInput
    for one that the unit has not.
    """
    if top < 1:
        raise bad(f"expected 1 or more, not {top}", file="--top")
    laid = weapon_of(unit, weapon)
    for bar in legal(scene, unit, laid, (unit.at[0] / GRID, unit.at[1] / GRID)):
        if bar.rule == WHO_MAY_NOT:
            raise Refused(bar.rule, bar.why)
    candidates = _in_sight(scene, unit, list(_candidates(scene, unit, lanes)))
    chances = Chances(scene.board.rules)
    jobs = [_Job(scene, unit, laid, target, chances, tuple(part)) for part in chunks(candidates, AT_ONCE)]
    looked_at = [spot for part in run(executor, _work, jobs, progress=progress).results for spot in part]
    found = [spot for spot in looked_at if spot.worth > 0]
    found.sort(key=lambda spot: (-round(spot.worth, 6), -spot.laid, spot.distance_in, spot.at))
    best: list[LaidSpot] = []
    for spot in found:
        if len(best) < top and not legal(scene, unit, laid, spot.at):
            best.append(spot)
    return LaidSpots(tuple(best), len(looked_at), len(candidates))


@dataclass(frozen=True)
class _Job:
    """Some spots to look at; what another process needs for it."""

    scene: Scene
    unit: Unit
    weapon: Weapon
    target: Unit
    chances: Chances
    candidates: tuple[_Candidate, ...]


def _work(job: _Job) -> list[LaidSpot]:
    return [_worth(job.scene, job.unit, job.weapon, one, job.target, job.chances) for one in job.candidates]


def _candidates(scene: Scene, unit: Unit, lanes: Sequence[Lane]) -> Iterator[_Candidate]:
    """The points of the grid in range through whose circle a lane passes; the grid begins at the table's corner."""
    board = scene.board
    step, radius = plan_number(board.rules, "boresight-grid"), board.rules.fire_number("area-radius")
    if step <= 0:
        raise bad(f"expected a grid of more than 0 inches, not {step:g}", file="tables/plan.toml")
    most = board.rules.fire_number("boresight-range") * board.inches_per_hex
    courses = [(lane.id, course_of(board, lane).files) for lane in lanes]
    reach = most + math.hypot(unit.length_in, unit.width_in) / 2
    middle = (unit.at[0] / GRID, unit.at[1] / GRID)
    for x in _steps(middle[0] - reach, middle[0] + reach, board.width_in, step):
        for y in _steps(middle[1] - reach, middle[1] + reach, board.depth_in, step):
            found = _passing((x, y), courses, radius)
            if found is not None:
                yield found


def _steps(low: float, high: float, most: float, step: float) -> Iterator[float]:
    first, last = math.ceil(max(0.0, low) / step), math.floor(min(high, most) / step + EPSILON_IN)
    for k in range(first, last + 1):
        yield k * step


def _passing(at: Place, courses: Sequence[tuple[str, tuple[tuple[Leg, ...], ...]]], radius: float) -> _Candidate | None:
    """What passes through the circle around a spot; None where nothing does."""
    passing = []
    longest, place, facing = 0.0, at, 0.0
    for name, files in courses:
        total = 0.0
        for a, b in (leg for file in files for leg in file):
            low, high = inside_circle(a, b, at, radius)
            long = (high - low) * math.dist(a, b)
            total += long / len(files)
            if long > longest + EPSILON_IN:
                share = (low + high) / 2
                longest, place = long, (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
                facing = bearing((to_grid(a[0]), to_grid(a[1])), (to_grid(b[0]), to_grid(b[1]))) or 0.0
        if total > EPSILON_IN:
            passing.append(Passing(name, total))
    return _Candidate(at, tuple(passing), place, facing) if passing else None


def inside_circle(a: Place, b: Place, centre: Place, radius: float) -> tuple[float, float]:
    """The shares of a segment between which it lies in a circle; the same twice where it does not.

    >>> inside_circle((0, 0), (4, 0), (2, 0), 1), inside_circle((0, 5), (4, 5), (2, 0), 1)
    ((0.25, 0.75), (0.0, 0.0))
    """
    dx, dy, ex, ey = b[0] - a[0], b[1] - a[1], a[0] - centre[0], a[1] - centre[1]
    long2, along = dx * dx + dy * dy, dx * ex + dy * ey
    root = along * along - long2 * (ex * ex + ey * ey - radius * radius)
    if root <= 0 or not long2:
        return 0.0, 0.0
    low, high = max(0.0, (-along - math.sqrt(root)) / long2), min(1.0, (-along + math.sqrt(root)) / long2)
    return (low, high) if low < high else (0.0, 0.0)


def _in_sight(scene: Scene, unit: Unit, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Those whose ground the terrain leaves in sight; vehicles may still be in the way, or stand on the spot (F7)."""
    if not candidates:
        return []
    bare = Eyes.without(scene.board, scene.board.unit_by_id.keys())
    seen = bare.see_places([unit], np.array([candidate.at for candidate in candidates]))[0]
    return [candidate for candidate, clear in zip(candidates, seen.tolist(), strict=True) if clear]


def _worth(scene: Scene, unit: Unit, weapon: Weapon, candidate: _Candidate, target: Unit, chances: Chances) -> LaidSpot:
    """The chances of a shot at the target as it comes by (Case M); what stands on its very place is not there then."""
    away = distance(scene, unit, point_unit(scene, candidate.at)) / GRID
    there = at_place(replace(target, flags=target.flags | {"moved"}), candidate.place, candidate.facing)
    scene = _without_units_on(scene, there)
    tried = attempt(scene, unit, there)
    bare = laid = Fraction(0)
    if tried.ruling.chance:
        sure = replace(tried, ruling=replace(tried.ruling, sighted=True))
        shot = declare(scene, sure, Declaration(weapon.id, phase="defensive_first")).shot
        if shot is not None:
            bare, laid = chances.hit(shot.facts), chances.hit(replace(shot.facts, bore_sighted=True))
    return LaidSpot(candidate.at, away, hexes(away, scene.board.inches_per_hex), candidate.passing, bare, laid)


def _without_units_on(scene: Scene, there: Unit) -> Scene:
    board = scene.board
    kept = tuple(unit for unit in board.units if unit.is_point or locate(there.at, [unit.base]) < 0)
    return scene if len(kept) == len(board.units) else Scene(replace(board, units=kept))
