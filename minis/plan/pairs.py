"""What two units that see each other are to one another: the facts of a sighting and of a shot, for many pairs.

That there is a line of sight is known before (`minis.plan.eyes`). Then the line itself matters only where smoke or
terrain that hinders may lie on it; everywhere else the facts are those of the reference without a line being traced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from minis.board.units import Unit
from minis.fire.facts import ShotFacts
from minis.fire.measure import Declaration, TableShot, declare, measured
from minis.lengths import GRID
from minis.plan.chances import Chances
from minis.sight.attempt import Attempt, facts_of
from minis.sight.cover import cover_of, hull_down
from minis.sight.line import Sightline, distance, sight_line
from minis.sight.scene import Scene
from minis.sight.sighting import SightFacts, Sighting, sighting
from minis.sight.standing import Standing, stand
from minis.sight.stretch import Straight


@dataclass(frozen=True, eq=False)
class Places(Scene):
    """A scene that keeps where units stand that are tried in many places."""

    _tried: dict[int, Standing] = field(default_factory=dict, repr=False)

    def stand(self, unit: Unit) -> Standing:
        """Where a unit stands, on the board or not."""
        found = self._tried.get(id(unit))
        if found is None or found.unit is not unit:
            found = self._tried[id(unit)] = stand(self.board, unit)
        return found

    @cached_property
    def chances(self) -> Chances:
        """The chances of its rules."""
        return Chances(self.board.rules)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """A copy for another process: what is kept here goes by the memory of this one."""
        return type(self), (self.board,)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of units on one scene that have a line of sight to each other.

    With `traced` false no line is traced: what may hinder or hide counts as if it did not, so that no chance to hit is
    too low and, with every cloud near counted in full, no chance to be sighted too high.
    """

    scene: Places
    traced: bool = True
    _orders: dict[tuple[str, str, str], TableShot] = field(default_factory=dict, repr=False)
    _traced: dict[tuple[int, int], tuple[Unit, Unit, Sightline]] = field(default_factory=dict, repr=False)

    def sight_facts(self, sighter: Unit, target: Unit) -> SightFacts:
        """The facts of an attempt of one to sight the other (S2)."""
        scene = self.scene
        line = self._line(sighter, target, hindered=False)
        cover, down = cover_of(scene, target, sighter), hull_down(scene, target, sighter)
        facts = facts_of(scene.board.rules, line, sighter, target, cover, down)
        clouds = 0 if self.traced else self._clouds_near(sighter, target)
        return replace(facts, smoke="full", clouds=clouds) if clouds else facts

    def shot_facts(self, firer: Unit, target: Unit, phase: str) -> ShotFacts | None:
        """The facts of a shot with the first weapon, before exposure counts (F4); None where there is no such shot."""
        order = self._order(firer, target, phase)
        if order.shot is None or order.weapon is None or order.ammo is None:
            return None
        kind = order.shot.facts.target_type
        given = measured(self.scene, self._seen(firer, target), order.weapon, order.ammo, kind, phase)
        if not self.traced:
            given["hindrance"] = 0
        return ShotFacts(**given)

    def hit(self, facts: ShotFacts | None, mp: float, *, from_start: bool) -> Fraction:
        """The chance of a hit after so many MP in sight (F4.1)."""
        if facts is None:
            return Fraction(0)
        return self.scene.chances.hit(replace(facts, mp_in_sight=mp, in_sight_from_start=from_start))

    def hides(self, target: Unit, sighter: Unit) -> tuple[tuple[str, ...], str | None, str | None]:
        """What gives a unit cover from another; how it is hull down to it, and by what (S2.5, S9, F8.2)."""
        down = hull_down(self.scene, target, sighter)
        return cover_of(self.scene, target, sighter), down.state, down.by

    def is_plain(self, one: Unit, other: Unit) -> bool:
        """True where neither smoke nor terrain that hinders is near enough to lie on any line between two units."""
        return not self._is_hindered(one, other) and not self._clouds_near(one, other)

    def _is_hindered(self, one: Unit, other: Unit) -> bool:
        line, margin = self._between(one, other)
        hindering = self.scene.board.rules.hindrances
        return any(p.kind.id in hindering and not line.misses(p.box, margin) for p in self.scene.board.terrain)

    def _clouds_near(self, one: Unit, other: Unit) -> int:
        if not self.scene.board.smoke:
            return 0
        line, margin = self._between(one, other)
        return sum(not line.misses(cloud.box, margin) for cloud in self.scene.board.smoke)

    def _between(self, one: Unit, other: Unit) -> tuple[Straight, float]:
        """The line between two centres, and how far from it a line between two of their sight points may lie."""
        margin = max(self.scene.stand(one).radius, self.scene.stand(other).radius)
        return Straight.between(one.at, other.at), margin

    def _line(self, one: Unit, other: Unit, *, hindered: bool) -> Sightline:
        """The line of sight, traced where it matters: for smoke, and where `hindered` for what hinders a shot too."""
        matters = self._clouds_near(one, other) or (hindered and self._is_hindered(one, other))
        if self.traced and matters:
            key = id(one), id(other)
            kept = self._traced.get(key)
            if kept is None or kept[0] is not one or kept[1] is not other:
                kept = self._traced[key] = one, other, sight_line(self.scene, one, other)
            return kept[2]
        ends = tuple((x / GRID, y / GRID) for x, y in (one.at, other.at))
        levels = self.scene.stand(one).level, self.scene.stand(other).level
        return Sightline(
            one.id, other.id, one.id, levels[0], levels[1], distance(self.scene, one, other) / GRID, True,
            (ends[0], ends[1]), (), None, None, False, None, (), "none",
        )  # fmt: skip

    def _seen(self, firer: Unit, target: Unit) -> Attempt:
        """A sighting that succeeded: in a plan what stands in sight of a gun is sighted by it."""
        cover, down = cover_of(self.scene, target, firer), hull_down(self.scene, target, firer)
        return Attempt(firer, target, target, self._line(firer, target, hindered=True), cover, down, self._sighted)

    @cached_property
    def _sighted(self) -> Sighting:
        return replace(sighting(SightFacts(0.0), self.scene.board.rules), sighted=True)

    def _order(self, firer: Unit, target: Unit, phase: str) -> TableShot:
        """What the firer would fire at such a target: asked of the reference once, the same at every place."""
        key = firer.id, target.id, phase
        if key not in self._orders:
            self._orders[key] = declare(self.scene, self._seen(firer, target), Declaration(phase=phase))
        return self._orders[key]
