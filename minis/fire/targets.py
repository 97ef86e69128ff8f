"""Every target of a unit with its chances, best first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from minis.board.units import Unit
from minis.fire.measure import Declaration, TableShot, declare
from minis.sight.attempt import Attempt, attempt, one_target, targets, to_shoot_at
from minis.sight.scene import Scene


@dataclass(frozen=True)
class Prospect:
    """A target in sight: the chance to sight it, and the shot if it is sighted."""

    attempt: Attempt
    sighting: Fraction
    shot: TableShot

    @property
    def hit(self) -> Fraction:
        """The chance of a hit once it is sighted."""
        odds = self.shot.shot.odds if self.shot.shot else None
        return odds.hit if odds else Fraction(0)

    @property
    def both(self) -> Fraction:
        """The chance to sight it and then to hit it."""
        return self.sighting * self.hit


Declare = Callable[[Attempt], TableShot]
"""Puts a shot at a sighted target to the rules."""


def targets_of(scene: Scene, firer: Unit, said: Declaration, *, by: Declare | None = None) -> list[Prospect]:
    """Every enemy that a unit can see, with the chance to sight and to hit it, best first.

    `by` declares the shot where a game knows more than the table shows. Raises BadInput where the unit has no such
    weapon. What it cannot see is left out.
    """
    found = []
    towed = [u for u in scene.board.units if u.id in scene.board.tow_of and u.side != firer.side and not u.wreck]
    for target in {unit.id: unit for unit in (*targets(scene, firer.side), *towed)}.values():
        tried = to_shoot_at(scene, attempt(scene, firer, target))
        if not tried.line.clear or not tried.ruling.chance:
            continue
        already = any(firer.id in unit.sighted_by for unit in one_target(scene, target))
        sure = replace(tried, ruling=replace(tried.ruling, sighted=True))
        chance = Fraction(1) if already else tried.ruling.chance
        found.append(Prospect(tried, chance, by(sure) if by else declare(scene, sure, said)))
    return sorted(found, key=lambda p: (p.shot.refusal is not None, -p.both, p.attempt.target.id))
