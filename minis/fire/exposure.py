"""How long a moving target is in the firer's sight, and what that does to Case J (F4.1, F4.2, C6.15 to C6.17)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from minis.board.geometry import bearing
from minis.board.units import Unit
from minis.errors import bad
from minis.lengths import EPSILON_IN, GRID, to_grid
from minis.rules.model import Rules
from minis.sight.line import can_see
from minis.sight.scene import Scene

Place = tuple[float, float]

FINENESS = 2 / GRID
"""A stretch out of sight is known to this, in inches: a grid step at each of its ends."""


@dataclass(frozen=True)
class Stretch:
    """A stretch of a path in sight: from and to, in inches along the path, and the two places."""

    start_in: float
    end_in: float
    start: Place
    end: Place

    @property
    def length_in(self) -> float:
        """Its length in inches."""
        return self.end_in - self.start_in


@dataclass(frozen=True)
class Exposure:
    """The exposure of a target on its path to one firer.

    `stretches` are all stretches in sight; `counted` those since it last came out of a stretch of more than one hex
    out of sight. `mp` is the movement spent in the counted ones, delay included. `in_sight_at_end` is false where the
    path ends out of sight. `case` is the case that a defensive first fire shot at its end has; None out of sight, and
    for infantry, which has J3 and J4 by how it moves.
    """

    target: str
    firer: str
    length_in: float
    stretches: tuple[Stretch, ...]
    counted: tuple[Stretch, ...]
    mp: float
    in_sight_from_start: bool
    in_sight_at_end: bool
    case: str | None
    rule: str


@dataclass(frozen=True)
class Shots:
    """Defensive first fire shots that an exposure allows, each with its case (F4.2): claimed at once, or in steps."""

    at_once: tuple[str, ...]
    in_steps: tuple[str, ...]


def exposure(scene: Scene, target: Unit, firer: Unit, path: Sequence[Place], *, delay_mp: float = 0.0) -> Exposure:
    """Where along a path of way points a target is in a firer's line of sight (F4.1).

    The path is walked in steps of 1/16 inch, and each change between two steps is found to a grid step. It begins
    where the target stands and turns it along each leg; places are inches. MP of delay count where it ends. Raises
    BadInput for a path that leaves the table or has no length.
    """
    rules = scene.board.rules
    legs = _legs(scene, target, path)
    seen = _seen_along(_Walk(scene, target, firer, legs), rules.fire_number("exposure-step"))
    total = sum(math.dist(a, b) for a, b in legs)
    stretches = _stretches(legs, seen, total)
    gap = rules.fire_number("sight-gap") * scene.board.inches_per_hex
    counted = _since_last_gap(stretches, gap)
    at_end = bool(seen) and seen[-1][1]
    still_counts = bool(counted) and total - counted[-1].end_in <= gap + FINENESS
    if not still_counts:
        counted = ()
    moved = sum(stretch.length_in for stretch in counted)
    mp = moved / scene.board.inches_per_mp + (delay_mp if at_end else 0.0)
    from_start = bool(counted) and counted[0].start_in <= EPSILON_IN
    case = case_of(rules, mp, in_sight_from_start=from_start) if at_end and target.is_vehicle else None
    return Exposure(
        target=target.id,
        firer=firer.id,
        length_in=total,
        stretches=stretches,
        counted=counted,
        mp=mp,
        in_sight_from_start=from_start,
        in_sight_at_end=at_end,
        case=case,
        rule="C6.15" if from_start else {"J2": "C6.12", "J1": "C6.11"}.get(case or "", "C6.1"),
    )


def case_of(rules: Rules, mp: float, *, in_sight_from_start: bool = False) -> str:
    """Case J, J1 or J2 of a defensive first fire shot after this much MP in sight (C6.11, C6.12, C6.15).

    >>> from minis.rules import load_rules
    >>> rules = load_rules()
    >>> [case_of(rules, mp) for mp in (1, 3, 3.5)], case_of(rules, 1, in_sight_from_start=True)
    (['J2', 'J1', 'J'], 'J')
    """
    if in_sight_from_start:
        return "J"
    if mp <= rules.fire_number("j2-mp") + EPSILON_IN:
        return "J2"
    return "J1" if mp <= rules.fire_number("j1-mp") + EPSILON_IN else "J"


def shots(rules: Rules, mp: float, *, in_sight_from_start: bool = False) -> Shots:
    """The shots at one target in one stretch, and their cases (F4.2, C6.17).

    No more than whole MP spent there. Claimed at once the first shot takes as much as voids J1 and J2, and the rest
    allows one more a MP; in steps each shot takes one.

    >>> from minis.rules import load_rules
    >>> found = shots(load_rules(), 5)
    >>> found.at_once, found.in_steps
    (('J', 'J'), ('J2', 'J1', 'J1', 'J', 'J'))
    """
    most = math.floor(mp + EPSILON_IN)
    steps = tuple(case_of(rules, claimed, in_sight_from_start=in_sight_from_start) for claimed in range(1, most + 1))
    if in_sight_from_start or not most:
        return Shots(steps, steps)
    void = rules.fire_number("void-mp")
    if mp < void - EPSILON_IN:
        return Shots((case_of(rules, mp),), steps)
    return Shots(("J",) * (1 + math.floor(mp - void + EPSILON_IN)), steps)


def _legs(scene: Scene, target: Unit, path: Sequence[Place]) -> list[tuple[Place, Place]]:
    start = (target.at[0] / GRID, target.at[1] / GRID)
    board = scene.board
    for x, y in path:
        if not (0 <= x <= board.width_in and 0 <= y <= board.depth_in):
            raise bad(f"{x:g},{y:g} is off the table", file="--path")
    places = [start, *path]
    legs = [(a, b) for a, b in pairwise(places) if math.dist(a, b) > EPSILON_IN]
    if not legs:
        raise bad("the path has no length", file="--path")
    return legs


@dataclass(frozen=True)
class _Walk:
    """A path, and who watches the target on it."""

    scene: Scene
    target: Unit
    firer: Unit
    legs: Sequence[tuple[Place, Place]]

    def sees(self, leg: int, along: float) -> bool:
        """Whether the firer has a line of sight to the target at a place of a leg, in inches along it."""
        a, b = self.legs[leg]
        share = along / math.dist(a, b)
        place = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        facing = bearing((to_grid(a[0]), to_grid(a[1])), (to_grid(b[0]), to_grid(b[1]))) or 0.0
        moved = at_place(self.target, place, facing)
        return can_see(self.scene.with_moved(moved), self.firer, moved)

    def change(self, leg: int, seen: float, unseen: float) -> float:
        """Between a place in sight and one out of sight, the last place in sight, to a grid step."""
        while abs(unseen - seen) > 1 / GRID:
            middle = (seen + unseen) / 2
            if self.sees(leg, middle):
                seen = middle
            else:
                unseen = middle
        return seen


def _seen_along(walk: _Walk, step: float) -> list[tuple[float, bool]]:
    """Places along the path in inches and whether the target is seen there: each step, and each change between two."""
    found: list[tuple[float, bool]] = []
    before = 0.0
    for leg, (a, b) in enumerate(walk.legs):
        long = math.dist(a, b)
        steps = max(1, math.ceil(long / step - EPSILON_IN))
        last: tuple[float, bool] | None = None
        for k in range(steps + 1):
            along = min(long, k * step)
            clear = walk.sees(leg, along)
            if last is not None and clear != last[1]:
                edge = walk.change(leg, along if clear else last[0], last[0] if clear else along)
                found.append((before + edge, True))
            found.append((before + along, clear))
            last = (along, clear)
        before += long
    return found


def at_place(unit: Unit, place: Place, facing: float) -> Unit:
    """The same unit at another place on the table, on the ground, with its turret turned along."""
    at = (to_grid(place[0]), to_grid(place[1]))
    return replace(unit, at=at, facing=facing, turret=facing + unit.turret - unit.facing, storey=None, roof=False)


def _stretches(
    legs: Sequence[tuple[Place, Place]], seen: Sequence[tuple[float, bool]], total: float
) -> tuple[Stretch, ...]:
    """Stretches in sight: each from the step where it comes into sight to the last one in sight."""
    found: list[Stretch] = []
    start: float | None = None
    last = 0.0
    for along, clear in [*seen, (total, False)]:
        if clear and start is None:
            start = along
        elif not clear and start is not None:
            found.append(Stretch(start, last, _place(legs, start), _place(legs, last)))
            start = None
        last = along
    return tuple(found)


def _place(legs: Sequence[tuple[Place, Place]], along: float) -> Place:
    for a, b in legs:
        long = math.dist(a, b)
        if along <= long + EPSILON_IN:
            share = along / long
            return round(a[0] + (b[0] - a[0]) * share, 4), round(a[1] + (b[1] - a[1]) * share, 4)
        along -= long
    return legs[-1][1]


def _since_last_gap(stretches: tuple[Stretch, ...], gap: float) -> tuple[Stretch, ...]:
    """The stretches behind the last gap of more than one hex (F4.1)."""
    counted: tuple[Stretch, ...] = ()
    for stretch in stretches:
        if counted and stretch.start_in - counted[-1].end_in > gap + FINENESS:
            counted = ()
        counted = (*counted, stretch)
    return counted
