"""How long a moving target is in the firer's sight, and what that does to Case J (F4.1, F4.2, C6.15 to C6.17)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from minis.board.geometry import bearing
from minis.board.units import Unit
from minis.errors import BadInput, Mistake, bad
from minis.lengths import EPSILON_IN, GRID, to_grid
from minis.rules.model import Rules
from minis.sight.line import can_see, distance
from minis.sight.scene import Scene

Place = tuple[float, float]
Leg = tuple[Place, Place]

HALF_TURN = 180

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
    walk = Walk(scene, target, legs_of(scene, target, path))
    (found,) = exposures_on(walk, [firer], step_of(scene.board.rules, "exposure-step"), delay_mp=delay_mp)
    return found


def exposures_on(
    walk: Walk, watchers: Sequence[Unit], step: float, *, delay_mp: float = 0.0, inches_per_mp: float | None = None
) -> list[Exposure]:
    """The exposure to each of some watchers on a walk in steps of some inches, in their order (F4.1).

    Without `inches_per_mp` a movement point goes as far as on this table.
    """
    per_mp = walk.scene.board.inches_per_mp if inches_per_mp is None else inches_per_mp
    seen = _seen_along(walk, watchers, step)
    return [_measured(walk, watcher, seen[watcher.id], delay_mp, per_mp) for watcher in watchers]


def _measured(
    walk: Walk, watcher: Unit, seen: Sequence[tuple[float, bool]], delay_mp: float, per_mp: float
) -> Exposure:
    """What the places in sight and out of it along a walk make of a target's exposure (F4.1)."""
    board, total = walk.scene.board, walk.length_in
    stretches = _stretches(walk.legs, seen, total)
    gap = board.rules.fire_number("sight-gap") * board.inches_per_hex
    counted = _since_last_gap(stretches, gap)
    at_end = bool(seen) and seen[-1][1]
    still_counts = bool(counted) and total - counted[-1].end_in <= gap + FINENESS
    if not still_counts:
        counted = ()
    moved = sum(stretch.length_in for stretch in counted)
    mp = moved / per_mp + (delay_mp if at_end else 0.0)
    from_start = bool(counted) and counted[0].start_in <= EPSILON_IN
    defended = at_end and walk.mover.is_vehicle
    case = case_of(board.rules, mp, in_sight_from_start=from_start) if defended else None
    return Exposure(
        target=walk.mover.id,
        firer=watcher.id,
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
    if mp <= rules.fire_number("j2-mp") + FINENESS:
        return "J2"
    return "J1" if mp <= rules.fire_number("j1-mp") + FINENESS else "J"


def shots(rules: Rules, mp: float, *, in_sight_from_start: bool = False) -> Shots:
    """The shots at one target in one stretch, and their cases (F4.2, C6.17).

    No more than whole MP spent there. Claimed at once the first shot takes as much as voids J1 and J2, and the rest
    allows one more a MP; in steps each shot takes one.

    >>> from minis.rules import load_rules
    >>> found = shots(load_rules(), 5)
    >>> found.at_once, found.in_steps
    (('J', 'J'), ('J2', 'J1', 'J1', 'J', 'J'))
    """
    most = math.floor(mp + FINENESS)
    steps = tuple(case_of(rules, claimed, in_sight_from_start=in_sight_from_start) for claimed in range(1, most + 1))
    if in_sight_from_start or not most:
        return Shots(steps, steps)
    void = rules.fire_number("void-mp")
    if mp < void - FINENESS:
        return Shots((case_of(rules, mp),), steps)
    return Shots(("J",) * (1 + math.floor(mp - void + FINENESS)), steps)


def legs_of(scene: Scene, mover: Unit, path: Sequence[Place], *, option: str = "--path") -> tuple[Leg, ...]:
    """The straight legs from where a unit stands over some way points in inches; a point twice is no leg.

    Raises BadInput, for the option it was typed with, where they leave the table or have no length.
    """
    start = (mover.at[0] / GRID, mover.at[1] / GRID)
    board = scene.board
    for x, y in path:
        if not (0 <= x <= board.width_in and 0 <= y <= board.depth_in):
            raise bad(f"{x:g},{y:g} is off the table", file=option)
    places = [start, *path]
    legs = tuple((a, b) for a, b in pairwise(places) if math.dist(a, b) > EPSILON_IN)
    if not legs:
        raise bad("the path has no length", file=option)
    return legs


def step_of(rules: Rules, name: str) -> float:
    """The step of a walk in inches, from its row; raises BadInput where a house rule made it none."""
    step = rules.fire_number(name)
    if step <= 0:
        raise BadInput([Mistake(f"expected a step of more than 0 inches, not {step:g}", "tables/fire.toml", id=name)])
    return step


class Mark(NamedTuple):
    """A step of a walk: its place in inches along the path, and the ids of the watchers for whom the test holds there.

    `edges` are, for each watcher for whom it began or ceased to hold since the step before, the place in inches along
    the path, to a grid step, that is the first or the last where it holds.
    """

    at_in: float
    holds: frozenset[str]
    edges: dict[str, float]


@dataclass(frozen=True)
class Walk:
    """A unit on the legs of a path, turned along each, in reverse turned against it, and what is asked on its way.

    `test` is asked of a scene with the unit at a place, a watcher, and the unit there; without one, whether the watcher
    has a line of sight. It does not hold where the two are farther apart than `within_in` inches.
    """

    scene: Scene
    mover: Unit
    legs: tuple[Leg, ...]
    reverse: bool = False
    within_in: float = math.inf
    test: Callable[[Scene, Unit, Unit], bool] = can_see

    @property
    def length_in(self) -> float:
        """The length of its path in inches."""
        return sum(math.dist(a, b) for a, b in self.legs)

    @property
    def end(self) -> Unit:
        """The unit where the path ends."""
        return self.unit_at(len(self.legs) - 1, math.dist(*self.legs[-1]))

    def unit_at(self, leg: int, along: float) -> Unit:
        """The unit at a place of a leg, in inches along it."""
        a, b = self.legs[leg]
        share = along / math.dist(a, b)
        place = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
        facing = bearing((to_grid(a[0]), to_grid(a[1])), (to_grid(b[0]), to_grid(b[1]))) or 0.0
        return at_place(self.mover, place, (facing + HALF_TURN) % (2 * HALF_TURN) if self.reverse else facing)

    def marks(self, watchers: Sequence[Unit], step: float) -> Iterator[Mark]:
        """Each step of the walk, the ends of every leg among them, and each change between two (F4.1)."""
        for watcher in watchers:
            self.scene.stand(watcher)  # worked out once, here, for the scenes of all steps
        before = 0.0
        for leg, (a, b) in enumerate(self.legs):
            long = math.dist(a, b)
            steps = max(1, math.ceil(long / step - EPSILON_IN))
            last, held = 0.0, frozenset[str]()
            for k in range(steps + 1):
                along = min(long, k * step)
                holds = self._holding(leg, along, watchers)
                changed = [watcher for watcher in watchers if k and (watcher.id in holds) != (watcher.id in held)]
                edges = self._edges(leg, last, along, changed, held)
                yield Mark(before + along, holds, {name: before + edge for name, edge in edges.items()})
                last, held = along, holds
            before += long

    def _holding(self, leg: int, along: float, watchers: Sequence[Unit]) -> frozenset[str]:
        """The ids of those of some watchers for whom the test holds at a place; one scene serves them all."""
        moved = self.unit_at(leg, along)
        near = [watcher for watcher in watchers if self._is_near(moved, watcher)]
        if not near:
            return frozenset()
        scene = self.scene.with_moved(moved)
        return frozenset(watcher.id for watcher in near if self.test(scene, watcher, moved))

    def _is_near(self, moved: Unit, watcher: Unit) -> bool:
        if self.within_in == math.inf:
            return True
        return distance(self.scene, watcher, moved) / GRID <= self.within_in + EPSILON_IN

    def _edges(
        self, leg: int, low: float, high: float, watchers: Sequence[Unit], held: frozenset[str]
    ) -> dict[str, float]:
        """Where the test changes for each of some watchers, for whom it holds at one of two places: to a grid step.

        `held` are those for whom it holds at the lower place. The edge is the end where it holds. All are sought
        together, so that a place that several come to is looked at once.
        """
        if not watchers:
            return {}
        if high - low <= 1 / GRID:
            return {watcher.id: low if watcher.id in held else high for watcher in watchers}
        middle = (low + high) / 2
        holds = self._holding(leg, middle, watchers)
        later = [watcher for watcher in watchers if (watcher.id in holds) == (watcher.id in held)]
        sooner = [watcher for watcher in watchers if (watcher.id in holds) != (watcher.id in held)]
        return self._edges(leg, low, middle, sooner, held) | self._edges(leg, middle, high, later, held)


def _seen_along(walk: Walk, watchers: Sequence[Unit], step: float) -> dict[str, list[tuple[float, bool]]]:
    """For each watcher, places in inches and whether it sees there: each step, and each change between two."""
    found: dict[str, list[tuple[float, bool]]] = {watcher.id: [] for watcher in watchers}
    for mark in walk.marks(watchers, step):
        for name, places in found.items():
            if name in mark.edges:
                places.append((mark.edges[name], True))
            places.append((mark.at_in, name in mark.holds))
    return found


def at_place(unit: Unit, place: Place, facing: float) -> Unit:
    """The same unit at another place on the table, on the ground, with its turret turned along."""
    at = (to_grid(place[0]), to_grid(place[1]))
    return replace(unit, at=at, facing=facing, turret=facing + unit.turret - unit.facing, storey=None, roof=False)


def _stretches(legs: Sequence[Leg], seen: Sequence[tuple[float, bool]], total: float) -> tuple[Stretch, ...]:
    """Stretches in sight: each from the step where it comes into sight to the last one in sight."""
    found: list[Stretch] = []
    start: float | None = None
    last = 0.0
    for along, clear in [*seen, (total, False)]:
        if clear and start is None:
            start = along
        elif not clear and start is not None:
            found.append(Stretch(start, last, place_on(legs, start), place_on(legs, last)))
            start = None
        last = along
    return tuple(found)


def place_on(legs: Sequence[Leg], along: float) -> Place:
    """The place so many inches along some legs."""
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
