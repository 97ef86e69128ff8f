"""The dice of a shot: one throw for all its targets, and the effect of its hits (F5.5, C3.1, C3.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from minis.dice import D6, Roll
from minis.fire.hit import Throw
from minis.fire.measure import TableShot
from minis.fire.result import HitEffect, effect_of, on_a_dummy, struck_on
from minis.fire.to_hit import Shot
from minis.fire.to_hit import resolve as judged
from minis.rules.model import Rules

Take = Callable[[str, int], Roll | None]
"""Gives the next die for a purpose with so many faces; None where there is none."""


@dataclass(frozen=True)
class Fired:
    """One target of a shot with its throw and the effect of its hit; None while the dice are open."""

    found: TableShot
    throw: Throw | None = None
    rolls: tuple[Roll, ...] = ()
    effect: HitEffect | None = None


def volley(rules: Rules, shots: Sequence[TableShot], take: Take, *, effects: bool = True) -> list[Fired]:
    """Judge one throw for every target of a shot, and resolve the effect of its hits (F5.5).

    `take` gives the dice: coloured, white, the further die where one is called for, and two for the effect of each hit.
    A shot whose first target is refused takes none.
    """
    thrown = throws([found.shot if found.refusal is None else None for found in shots], rules, take)
    most = max((throw.hits for throw, _ in thrown if throw is not None and is_hit(throw)), default=0)
    faces = effect_rolls(take, most) if effects and shots[0].refusal is None else []
    fired = []
    for found, (throw, rolls) in zip(shots, thrown, strict=True):
        effect = None
        if effects and found.shot is not None and throw is not None and is_hit(throw):
            effect = _effect(rules, found, throw, faces)
            rolls = [*rolls, *faces]
        fired.append(Fired(found, throw, tuple(rolls), effect))
    return fired


def is_hit(throw: Throw) -> bool:
    """True of a hit that no further die is to decide."""
    return bool(throw.hit) and throw.critical is not None


def throws(shots: Sequence[Shot | None], rules: Rules, take: Take) -> list[tuple[Throw | None, list[Roll]]]:
    """One throw judged for every shot that is allowed, with its dice; none where the first is not, or dice lack."""
    none: list[tuple[Throw | None, list[Roll]]] = [(None, []) for _ in shots]
    if shots[0] is None:
        return none
    coloured = take("coloured", D6)
    white = take("white", D6) if coloured else None
    if coloured is None or white is None:
        return none
    found = [judged(shot, rules, coloured.face, white.face) if shot else None for shot in shots]
    wanted = next((throw.needs_die for throw in found if throw is not None and throw.needs_die), None)
    last = _further(take, wanted) if wanted else None
    results: list[tuple[Throw | None, list[Roll]]] = []
    for shot, throw in zip(shots, found, strict=True):
        if shot is not None and throw is not None and throw.needs_die and last is not None:
            throw = judged(shot, rules, coloured.face, white.face, last.face)
            results.append((throw, [coloured, white, last]))
        else:
            results.append((throw, [coloured, white] if throw else []))
    return results


def _further(take: Take, wanted: str) -> Roll | None:
    """The further die of a throw, under the name of what it decides."""
    roll = take("further", D6)
    return replace(roll, purpose=wanted) if roll is not None else None


def effect_rolls(take: Take, hits: int) -> list[Roll]:
    """The dice of the effect, two for each hit; those of a second hit may be left open."""
    rolls: list[Roll] = []
    for _ in range(hits):
        one = take("effect", D6)
        other = take("effect", D6) if one else None
        if one is None or other is None:
            break
        rolls += [one, other]
    return rolls


def _effect(rules: Rules, found: TableShot, throw: Throw, rolls: Sequence[Roll]) -> HitEffect:
    firer, target = found.attempt.sighter, found.attempt.target
    if target.dummy or found.shot is None:
        return on_a_dummy(target)
    struck = struck_on(rules, target, firer, throw.location)
    pairs = [(one.face, other.face) for one, other in zip(rolls[::2], rolls[1::2], strict=True)]
    return effect_of(rules, found.shot.facts, throw, struck, nation=firer.nation, dice=pairs[: throw.hits])
