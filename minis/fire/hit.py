"""The roll of a shot: one throw judged, and every throw counted (C3.6 to C3.9, F5)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from minis.fire.facts import ShotFacts
from minis.fire.guns import Gun
from minis.rules.model import Rules

Location = Literal["hull", "turret", "underbelly"]
Die = Literal["improbable", "critical"]
FACES = range(1, 7)


@dataclass(frozen=True)
class Throw:
    """A throw judged: coloured die, white die, and the further die where one was thrown.

    `needs_die` names the further die that is still to be thrown; `hit` or `critical` is None while it decides.
    """

    coloured: int
    white: int
    original: int
    final: int
    hit: bool | None
    location: Location | None
    critical: bool | None
    hits: int
    malfunction: bool
    keeps_rof: bool
    needs_die: Die | None
    further: int | None = None


@dataclass(frozen=True)
class Odds:
    """The exact chance of every named outcome; hull and turret are None where the target is no vehicle."""

    hit: Fraction
    miss: Fraction
    hull: Fraction | None
    turret: Fraction | None
    critical: Fraction
    multiple: Fraction
    malfunction: Fraction
    keeps_rof: Fraction


@dataclass(frozen=True)
class Aim:
    """What a throw is compared with: the numbers of the shot and the kind of target, worked out once."""

    th: int
    drm: int
    doubled: bool
    vehicle: bool
    turret_only: bool
    hull_only: bool
    underbelly: bool
    infantry_type: bool
    several: bool
    rof: int
    breakdown: int
    rules: Rules


def aim_of(
    facts: ShotFacts, gun: Gun, rules: Rules, th: int, drm: int, *, doubled: bool, rof: int, breakdown: int
) -> Aim:
    """The aim of a shot (F5): what counts as a hit, where, and how often."""
    small = rules.fire_number("multiple-least") <= gun.calibre <= rules.fire_number("multiple-most")
    return Aim(
        th=th,
        drm=drm,
        doubled=doubled,
        vehicle=facts.at_vehicle,
        turret_only=facts.at_vehicle and facts.hull_down == "II" and not facts.indirect,
        hull_only=facts.deliberate_immobilization,
        underbelly=facts.underbelly,
        infantry_type=facts.target_type == "infantry" and not facts.latw,
        several=small and facts.target_type != "area",
        rof=rof,
        breakdown=breakdown,
        rules=rules,
    )


def judge(aim: Aim, coloured: int, white: int, further: int | None = None) -> Throw:
    """Judge a throw: hit or miss, where, critical, how many hits, malfunction, rate of fire (F5.1 to F5.6)."""
    original = coloured + white
    final = _final(aim, coloured, white)
    malfunction = original >= aim.breakdown
    keeps_rof = coloured <= aim.rof and not malfunction
    number = aim.rules.fire_number
    snake_eyes = original == number("critical-roll")
    if snake_eyes and final > aim.th:
        return _improbable(aim, coloured, white, final, malfunction, keeps_rof, further)
    hit = final <= aim.th
    critical: bool | None = False
    needs: Die | None = None
    if hit and not aim.hull_only:
        critical, needs = _critical(aim, original, final, further)
    location: Location | None = ("turret" if coloured < white else "hull") if aim.vehicle else None
    if aim.turret_only and (critical or (snake_eyes and hit)):
        location = "turret"
    if hit and ((aim.turret_only and location == "hull") or (aim.hull_only and location != "hull")):
        hit, critical, needs = False, False, None
    several = hit and aim.several and coloured == white and critical is False
    hits = 2 if several else int(hit)
    return Throw(
        coloured, white, original, final, hit, _shown(aim, location) if hit else None, critical, hits, malfunction,
         keeps_rof, needs, further if needs is None else None,
    )  # fmt: skip


def _final(aim: Aim, coloured: int, white: int) -> int:
    """The Final DR: the two dice, the lower one twice for a firer in motion, and every DRM."""
    return coloured + white + (min(coloured, white) if aim.doubled else 0) + aim.drm


def _critical(aim: Aim, original: int, final: int, further: int | None) -> tuple[bool | None, Die | None]:
    """Whether a hit is critical, or the die that decides it (C3.7)."""
    number = aim.rules.fire_number
    if aim.infantry_type and final < number("critical-share") * aim.th:
        return True, None
    if original != number("critical-roll"):
        return False, None
    most = number("critical-die")
    if aim.infantry_type:
        most = max(most, number("critical-share") * aim.th)
    elif _others_hit(aim):
        return True, None
    if further is None:
        return None, "critical"
    return further <= most, None


def _others_hit(aim: Aim) -> bool:
    """True where some throw besides the double one is low enough to hit."""
    return min(_final(aim, 1, 2), _final(aim, 2, 1)) <= aim.th


def _improbable(
    aim: Aim, coloured: int, white: int, final: int, malfunction: bool, keeps_rof: bool, further: int | None
) -> Throw:
    """Even the lowest throw misses: a further die of 1 is a critical, 2 the turret, 3 the hull (C3.6)."""
    number = aim.rules.fire_number
    original = coloured + white
    if further is None:
        return Throw(
            coloured, white, original, final, None, None, None, 0, malfunction, keeps_rof, "improbable"
        )  # fmt: skip
    critical = further <= number("improbable-critical") and not aim.hull_only
    hit = further <= number("improbable-hull")
    location: Location | None = "hull"
    if (aim.turret_only and critical) or number("improbable-critical") < further <= number("improbable-turret"):
        location = "turret"
    if not aim.vehicle:
        location = None
    elif (aim.turret_only and location == "hull") or (aim.hull_only and location != "hull"):
        hit = critical = False
    return Throw(
        coloured, white, original, final, hit, _shown(aim, location) if hit else None, critical and hit, int(hit),
        malfunction, keeps_rof, None, further,
    )  # fmt: skip


def _shown(aim: Aim, location: Location | None) -> Location | None:
    """A turret hit on an AFV that shows its underside strikes that (F8.6)."""
    return "underbelly" if location == "turret" and aim.underbelly else location


def odds_of(
    facts: ShotFacts, gun: Gun, rules: Rules, th: int, drm: int, *, doubled: bool, rof: int, breakdown: int
) -> Odds:
    """The exact odds of a shot: the 36 throws, and the six faces of the further die where one is called for (F5.7)."""
    aim = aim_of(facts, gun, rules, th, drm, doubled=doubled, rof=rof, breakdown=breakdown)
    counts = dict.fromkeys(("hit", "miss", "hull", "turret", "critical", "multiple", "malfunction", "keeps_rof"), 0)
    for coloured in FACES:
        for white in FACES:
            throw = judge(aim, coloured, white)
            if throw.needs_die is None:
                _count(counts, throw, len(FACES))
            else:
                for further in FACES:
                    _count(counts, judge(aim, coloured, white, further), 1)
    total = len(FACES) ** 3
    shares = {name: Fraction(count, total) for name, count in counts.items()}
    return Odds(
        hit=shares["hit"],
        miss=shares["miss"],
        hull=shares["hull"] if facts.at_vehicle else None,
        turret=shares["turret"] if facts.at_vehicle else None,
        critical=shares["critical"],
        multiple=shares["multiple"],
        malfunction=shares["malfunction"],
        keeps_rof=shares["keeps_rof"],
    )


def _count(counts: dict[str, int], throw: Throw, weight: int) -> None:
    counts["hit" if throw.hit else "miss"] += weight
    if throw.location is not None:
        counts["hull" if throw.location == "hull" else "turret"] += weight
    counts["critical"] += weight * bool(throw.critical)
    counts["multiple"] += weight * (throw.hits > 1)
    counts["malfunction"] += weight * throw.malfunction
    counts["keeps_rof"] += weight * throw.keeps_rof
