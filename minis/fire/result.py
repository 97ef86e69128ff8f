"""From a hit to its effect: the aspect and the armour that were struck, put to the rules of effect (C3.1, E1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minis.board.geometry import bearing
from minis.board.units import Unit
from minis.fire.effects import (
    Aspect,
    EffectFacts,
    EffectResult,
    EffectRuling,
    aspect_of,
    effect,
    lightly_armoured,
)
from minis.fire.effects import resolve as resolve_effect
from minis.fire.facts import ShotFacts
from minis.fire.hit import Throw
from minis.fire.refused import Refused
from minis.fire.to_hit import Refusal
from minis.rules.model import Rules


@dataclass(frozen=True)
class HitEffect:
    """The effect of a hit: the ruling and, once two dice are thrown, the result; or why there is no ruling.

    `other` is the result of the second pair of dice of two hits: the firer keeps one (C3.8).
    """

    ruling: EffectRuling | None
    result: EffectResult | None
    refusal: Refusal | None
    other: EffectResult | None = None


@dataclass(frozen=True)
class Struck:
    """What of a vehicle was struck: the side of its hull or turret, and the armour factor there."""

    aspect: Aspect | None = None
    armour: int | None = None
    open_topped: bool = False
    light: bool = False


def struck_on(rules: Rules, target: Unit, firer: Unit, location: str | None) -> Struck:
    """The aspect and the armour of a vehicle that a shot from where the firer stands strikes (E1).

    The hull by its facing, the turret by its own; a vehicle without turret factors has those of its hull; an underbelly
    hit finds the armour of the top (C7.12). Without armour in the scenario the factor is None.
    """
    armour = target.armour
    if armour is None or location is None:
        return Struck(open_topped=not target.closed_top)
    turret = armour.turret or armour.hull
    factors = [part for side in (armour.hull, turret) for part in (side.front, side.side, side.rear)]
    light = lightly_armoured(factors, rules)
    if location == "underbelly":
        return Struck(None, armour.aerial, not target.closed_top, light)
    way = bearing(target.at, firer.at)
    points = target.turret if location == "turret" else target.facing
    aspect = aspect_of(points, points if way is None else way, rules)
    part = turret if location == "turret" else armour.hull
    return Struck(aspect, getattr(part, aspect), not target.closed_top, light)


def effect_facts(facts: ShotFacts, throw: Throw, struck: Struck, *, nation: str | None = None) -> EffectFacts:
    """The facts of the effect of a hit, from those of its shot."""
    own_terrain = facts.hull_down == "II" and facts.tem_from is not None and facts.tem_from == facts.hull_down_by
    return EffectFacts(
        target=facts.target,
        target_type=facts.target_type,
        gun=facts.gun,
        ammo=facts.ammo,
        range_hexes=facts.range_hexes,
        nation=nation,
        location=throw.location,
        critical=bool(throw.critical),
        aspect=struck.aspect,
        armour=struck.armour,
        open_topped=struck.open_topped,
        all_armour_4_or_less=struck.light,
        hull_down=facts.hull_down == "II" and not facts.indirect,
        tem=0 if own_terrain and not facts.indirect else facts.tem,
    )


def effect_of(
    rules: Rules,
    facts: ShotFacts,
    throw: Throw,
    struck: Struck,
    *,
    nation: str | None = None,
    dice: Sequence[tuple[int, int]] = (),
) -> HitEffect:
    """Rule on the effect of a throw that hit, and resolve it for each pair of dice that is given (E1, E2, C3.8)."""
    asked = effect_facts(facts, throw, struck, nation=nation)
    if facts.target == "afv" and facts.target_type == "vehicle" and struck.armour is None:
        return HitEffect(None, None, Refusal("E1", "the armour of the target is not known"))
    try:
        ruling = effect(asked, rules)
    except Refused as refused:
        return HitEffect(None, None, Refusal(refused.rule, refused.why))
    results = [resolve_effect(ruling, pair) for pair in dice]
    return HitEffect(ruling, results[0] if results else None, None, results[1] if len(results) > 1 else None)


def on_a_dummy(target: Unit) -> HitEffect:
    """The effect of a hit on a dummy: there is nothing under the token; the judge removes it (S6.7, S10.3)."""
    return HitEffect(None, None, Refusal("S10.3", f"there is nothing under {target.id}"))
