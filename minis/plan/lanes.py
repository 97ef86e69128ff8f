"""What sees a lane: where along it a unit that walks it is in sight of whom, how long, and at what chance of a hit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from minis.board.board import Board
from minis.board.units import Unit
from minis.board.zones import Lane
from minis.errors import bad
from minis.fire.exposure import Place, Stretch, place_on, step_of
from minis.fire.measure import Declaration, TableShot, declare
from minis.lengths import EPSILON_IN
from minis.plan.course import Course, Spot, course_of
from minis.plan.eyes import Eyes
from minis.sight.attempt import attempt
from minis.sight.line import can_see
from minis.toml_file import nearest_of

Array = Any

MOVING = ("J", "J1", "J2")
"""The cases of a target that moves (C6.1)."""

MP_DECIMALS = 6
"""Movement points are rounded to this many decimals: a fact of a shot takes no more than twelve."""


def lane_named(board: Board, name: str) -> Lane:
    """The lane with this id; raises BadInput that names those there are."""
    known = {lane.id: lane for lane in board.lanes}
    if name not in known:
        raise bad(f"there is no lane {name!r} on this table; {nearest_of(name, known)}", file=board.name)
    return known[name]


@dataclass(frozen=True)
class Exposed:
    """What a watcher has of a stretch of a lane in sight: the chances where its middle is.

    `along_in` is that place along the lane; `mp` what the mover has spent by then in the watcher's continuous sight.
    `sight` is the chance to sight it there, `shot` the first weapon's defensive first fire at it once it is sighted;
    None where the watcher has no weapon.
    """

    stretch: Stretch
    along_in: float
    at: Place
    distance_in: float
    mp: float
    sight: Fraction
    shot: TableShot | None

    @property
    def hit(self) -> Fraction:
        """The chance of a hit once it is sighted; 0 where there is no shot, or it is refused."""
        ruling = self.shot.shot if self.shot else None
        return ruling.odds.hit if ruling and ruling.odds else Fraction(0)

    @property
    def case(self) -> str | None:
        """Case J, J1 or J2 of the shot; None where there is none, or the target is no vehicle."""
        cases = self.shot.shot.cases if self.shot and self.shot.shot else ()
        return next((case.case for case in cases if case.case in MOVING), None)


@dataclass(frozen=True)
class Watcher:
    """A unit that watches a lane: the stretches in its sight, in order, and the MP in sight in all."""

    unit: Unit
    stretches: tuple[Stretch, ...]
    exposed: tuple[Exposed, ...]
    mp: float

    @property
    def length_in(self) -> float:
        """Inches of the lane in its sight."""
        return sum(stretch.length_in for stretch in self.stretches)


@dataclass(frozen=True)
class Watched:
    """A lane as it is watched: by each watcher, and the stretches in sight of any and of nobody.

    `files` is how many files of it were looked at.
    """

    lane: Lane
    mover: Unit
    length_in: float
    files: int
    watchers: tuple[Watcher, ...]
    seen: tuple[Stretch, ...]
    unseen: tuple[Stretch, ...]

    @property
    def share(self) -> float:
        """The share of the lane that is in sight of any watcher."""
        return sum(stretch.length_in for stretch in self.seen) / self.length_in


# --- looking at it ---------------------------------------------------------------------------------------------------


def watched(eyes: Eyes, lane: Lane, mover: Unit, watchers: Sequence[Unit]) -> Watched:
    """A lane that a unit walks from its beginning to its end, watched by some units from where they stand (F4.1).

    The mover moves; it is in sight where it is in any file of the lane (`minis.plan.course`), and is shot at in that
    nearest to the middle. Places are looked at in the steps of a move,
    and where sight begins or ends is found to those of an exposure. The whole lane counts as one move. The table is as
    it stands, the mover taken off it: other units stay where they are.
    """
    rules = eyes.scene.board.rules
    course = course_of(eyes.scene.board, lane)
    mover = replace(mover, flags=mover.flags | {"moved"})
    coarse, fine = step_of(rules, "move-step"), step_of(rules, "exposure-step")
    spots, seen = _look(eyes, course, mover, watchers, coarse, min(coarse, fine))
    found = []
    for row, unit in zip(seen, watchers, strict=True):
        stretches = _stretches(course, spots, row)
        exposed = tuple(_exposed(eyes, course, mover, unit, stretches, k, spots, row) for k in range(len(stretches)))
        mp = sum(stretch.length_in for stretch in stretches) / eyes.scene.board.inches_per_mp
        found.append(Watcher(unit, stretches, exposed, mp))
    by_any = _stretches(course, spots, seen.any(axis=0) if len(seen) else np.zeros(len(spots), dtype=bool))
    return Watched(lane, mover, course.length_in, len(course.shares), tuple(found), by_any, _between(course, by_any))


def _look(
    eyes: Eyes, course: Course, mover: Unit, watchers: Sequence[Unit], coarse: float, fine: float
) -> tuple[list[Spot], Array]:
    """Spots along a course and who sees the mover there: (watchers, spots); finer where anybody's sight changes."""
    spots = course.spots(coarse)
    seen = _seen_at(eyes, course, mover, watchers, spots)
    changes = np.flatnonzero((seen[:, 1:] != seen[:, :-1]).any(axis=0)).tolist()
    between = [spot for k in changes for spot in _finer(spots[k], spots[k + 1], fine)]
    if not between:
        return spots, seen
    both = [*spots, *between]
    seen = np.concatenate([seen, _seen_at(eyes, course, mover, watchers, between)], axis=1)
    order = sorted(range(len(both)), key=both.__getitem__)
    return [both[k] for k in order], seen[:, order]


def _finer(one: Spot, other: Spot, step: float) -> list[Spot]:
    """The spots of a finer step between two of one leg."""
    if one[0] != other[0]:
        return []
    first, last = math.floor(one[1] / step + EPSILON_IN) + 1, math.ceil(other[1] / step - EPSILON_IN)
    return [(one[0], k * step) for k in range(first, last)]


def _seen_at(eyes: Eyes, course: Course, mover: Unit, watchers: Sequence[Unit], spots: Sequence[Spot]) -> Array:
    """Who sees the mover at which spots, in any file: truths (watchers, spots)."""
    if not watchers or not spots:
        return np.zeros((len(watchers), len(spots)), dtype=bool)
    files = range(len(course.shares))
    seen = eyes.see(watchers, [course.unit_at(mover, spot, number) for number in files for spot in spots])
    return seen.reshape(len(watchers), len(files), len(spots)).any(axis=1)


def _stretches(course: Course, spots: Sequence[Spot], seen: Iterable[Any]) -> tuple[Stretch, ...]:
    """The stretches of a course in sight, each from the first spot in sight to the last."""
    found: list[Stretch] = []
    ends: list[float] = []
    for spot, clear in [*zip(spots, seen, strict=True), ((0, 0.0), False)]:
        if clear:
            ends.append(course.along(spot))
        elif ends:
            found.append(_stretch(course, ends[0], ends[-1]))
            ends = []
    return tuple(found)


def _stretch(course: Course, start: float, end: float) -> Stretch:
    return Stretch(start, end, place_on(course.legs, start), place_on(course.legs, end))


def _between(course: Course, stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """The stretches of a course that some others leave out."""
    marks = [0.0, *(end for stretch in stretches for end in (stretch.start_in, stretch.end_in)), course.length_in]
    pairs = zip(marks[::2], marks[1::2], strict=True)
    return tuple(_stretch(course, start, end) for start, end in pairs if end - start > EPSILON_IN)


def _exposed(
    eyes: Eyes,
    course: Course,
    mover: Unit,
    watcher: Unit,
    stretches: Sequence[Stretch],
    number: int,
    spots: Sequence[Spot],
    seen: Iterable[Any],
) -> Exposed:
    """The chances against a mover at the spot in sight that is nearest to the middle of a stretch."""
    stretch, board = stretches[number], eyes.scene.board
    middle = (stretch.start_in + stretch.end_in) / 2
    inside = [spot for spot, clear in zip(spots, seen, strict=True) if clear]
    spot = min(inside, key=lambda spot: abs(course.along(spot) - middle))
    files = (course.unit_at(mover, spot, k) for k in range(len(course.shares)))
    there = next(unit for unit in files if can_see(eyes.scene, watcher, unit))
    along = course.along(spot)
    mp, from_start = spent(board, stretches[: number + 1], along)
    facts = (("mp_in_sight", mp), ("in_sight_from_start", from_start)) if mover.is_vehicle else ()
    tried = attempt(eyes.scene, watcher, there)
    sure = replace(tried, ruling=replace(tried.ruling, sighted=True)) if tried.ruling.chance else tried
    said = Declaration(phase="defensive_first", facts=facts)
    shot = declare(eyes.scene, sure, said) if watcher.weapons else None
    at = place_on(course.legs, along)
    return Exposed(stretch, along, at, tried.line.distance_in, mp, tried.ruling.chance, shot)


def spent(board: Board, stretches: Sequence[Stretch], along: float) -> tuple[float, bool]:
    """MP in continuous sight at a place along the last of some stretches, and whether it was so from the start (F4.1).

    A stretch out of sight of up to one hex does not break it.
    """
    gap = board.rules.fire_number("sight-gap") * board.inches_per_hex
    counted = [stretches[-1]]
    for before in reversed(stretches[:-1]):
        if counted[0].start_in - before.end_in > gap + EPSILON_IN:
            break
        counted.insert(0, before)
    inches = sum(stretch.length_in for stretch in counted[:-1]) + along - counted[-1].start_in
    return round(inches / board.inches_per_mp, MP_DECIMALS), counted[0].start_in <= EPSILON_IN
