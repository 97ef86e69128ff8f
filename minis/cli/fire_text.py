"""Shots as a judge reads them: the needed roll first, then the sum line by line, then what was left out."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from minis.cli.text import columns, house_text, percent, switches_text
from minis.lengths import format_length, format_number

if TYPE_CHECKING:
    from minis.board.units import Unit
    from minis.fire.effects import EffectRuling
    from minis.fire.exposure import Exposure, Shots
    from minis.fire.hit import Throw
    from minis.fire.manoeuvre import Manoeuvre, ProtectedArc
    from minis.fire.measure import TableShot
    from minis.fire.result import HitEffect
    from minis.fire.targets import Prospect
    from minis.fire.to_hit import Shot
    from minis.fire.underbelly import Underbelly
    from minis.rules.model import Rules
    from minis.rules.rows import Row
    from minis.sight.scene import Scene


def shot_text(
    rules: Rules,
    shot: Shot,
    throw: Throw | None,
    effect: HitEffect | None = None,
    *,
    head: str = "",
    taken: Sequence[str] = (),
    more: Sequence[Row] = (),
) -> str:
    """What `minis fire` and `minis tape fire` say of a shot."""
    if shot.refusal is not None:
        refused = columns(f"{head}Refused: {shot.refusal.why}.", shot.refusal.rule)
        return "\n".join([refused, *house_text(rules, shot.rows_used), *switches_text(rules)])
    lines = [head + _verdict(shot, throw)]
    for number, item in enumerate(shot.numbers):
        lines.append(columns(f"  {'To Hit' if number == 0 else '':<7}{item.value:>+3}   {item.label}", item.rule))
    for case, cost in zip(shot.cases, shot.costs, strict=True):
        share = f"{-cost:+.1f} %" if abs(cost) >= 0.05 else ""
        lines.append(columns(f"  {case.case:<7}{case.value:>+3}   {case.label}", f"{case.rule:<6} {share:>8}"))
    if shot.doubled:
        lines.append(f"  needs {shot.th} or less with the lower die doubled and {shot.drm:+d}")
    else:
        why = f"{shot.th} - ({shot.drm:+d}): " if shot.drm else ""
        lines.append(f"  = {why}needs {shot.hit_on} or less")
    if shot.facts.hull_down == "II" and shot.facts.at_vehicle and not shot.facts.indirect:
        lines.append(columns("  hull down: only a hit on the turret counts", "F8.1"))
    lines += _odds(shot)
    if shot.left_out:
        lines += [columns(f"  left out: {out.case} {out.why}", out.rule) for out in shot.left_out]
    if taken:
        lines.append("  taken as: " + ", ".join(taken))
    if effect is not None:
        lines += _effect(effect)
    rows = [*more, *shot.rows_used, *rules.fire_changed, *(effect.ruling.rows if effect and effect.ruling else ())]
    return "\n".join(lines + house_text(rules, rows) + switches_text(rules))


def _verdict(shot: Shot, throw: Throw | None) -> str:
    chance = percent(shot.odds.hit) if shot.odds else ""
    if shot.lowest > shot.th:
        needed = f"Hits only by an improbable hit ({chance})"
    elif shot.hit_on is None:
        needed = f"Hits on {shot.th} or less, lower die doubled ({chance})"
    else:
        needed = f"Hits on {shot.hit_on} or less ({chance})"
    if throw is None:
        return needed + "."
    return f"{needed}: {throw.coloured} + {throw.white} = {throw.original}, {_result(throw)}"


def _result(throw: Throw) -> str:
    words = []
    if throw.needs_die == "improbable":
        return "a further die: 1 to 3 hits (--then N)."
    if not throw.hit:
        words.append("MISS")
    else:
        words.append("HIT" + (f", {throw.location}" if throw.location else ""))
        if throw.critical:
            words.append("CRITICAL")
        if throw.needs_die == "critical":
            words.append("a further die for a critical hit (--then N)")
        if throw.hits > 1:
            words.append("two effect rolls, keep one")
    if throw.malfunction:
        words.append("the gun malfunctions")
    elif throw.keeps_rof:
        words.append("keeps its rate of fire")
    return ", ".join(words) + "."


def _effect(effect: HitEffect) -> list[str]:
    """The effect of a hit: the result or its odds, then the number line by line."""
    if effect.refusal is not None:
        return [columns(f"Effect: not ruled: {effect.refusal.why}.", effect.refusal.rule)]
    ruling, result = effect.ruling, effect.result
    if ruling is None:
        return []
    if result is not None:
        faces = f"{result.dice[0]} + {result.dice[1]} = {result.original_dr}"
        lines = [columns(f"Effect: {faces}: {result.result.upper()}.", result.rule), f"  proposed: {result.means}"]
        if effect.other is not None:
            other = effect.other
            words = f"  or {other.dice[0]} + {other.dice[1]} = {other.original_dr}: {other.result.upper()}, keep one"
            lines += [columns(words, "C3.8"), f"  proposed: {other.means}"]
    else:
        lines = [columns(f"Effect: {ruling.label} (--effect-dice C,W or --roll).", ruling.rule)]
    for item in ruling.tally:
        lines.append(columns(f"  {item.value:>+10g}   {item.label}", f"{item.rule:<6} {item.source}"))
    lines.append(f"  {'=':>3} {ruling.final_number:>6}   {_number_words(ruling)}")
    for item in ruling.drm:
        lines.append(columns(f"  {item.value:>+10g}   on the roll: {item.label}", f"{item.rule:<6} {item.source}"))
    odds = ", ".join(f"{name} {percent(chance)}" for name, chance in ruling.odds.items())
    lines.append(textwrap.fill(f"  odds: {odds}", 110, subsequent_indent="        "))
    lines += [columns(f"  left out: {out.label}: {out.why}", out.rule) for out in ruling.left_out]
    return lines


def _number_words(ruling: EffectRuling) -> str:
    words = {"to_kill": "Final To Kill number", "unarmoured": "Final To Kill number", "vehicle_line": "kill number"}
    return words.get(ruling.table, "column of the Infantry Fire Table")


def _odds(shot: Shot) -> list[str]:
    odds = shot.odds
    if odds is None:
        return []
    parts = []
    if odds.hull is not None and odds.turret is not None:
        upper = "underbelly" if shot.facts.underbelly else "turret"
        parts.append(f"hull {percent(odds.hull)}, {upper} {percent(odds.turret)}")
    for name, chance in (("critical", odds.critical), ("two hits", odds.multiple)):
        if chance:
            parts.append(f"{name} {percent(chance)}")
    parts.append(f"malfunction {percent(odds.malfunction)} (B{shot.breakdown})")
    if shot.rof:
        parts.append(f"fires again {percent(odds.keeps_rof)} (ROF {shot.rof})")
    return [textwrap.fill("  odds: " + ", ".join(parts), 110, subsequent_indent="        ")]


def table_shot_text(scene: Scene, found: TableShot, throw: Throw | None, effect: HitEffect | None = None) -> str:
    """What `minis fire A B` says."""
    who, whom = found.attempt.sighter.id, found.attempt.target.shown_as
    at = format_length(round(found.attempt.line.distance_in, 2))
    if found.refusal is not None or found.shot is None:
        refusal = found.refusal
        why, rule = (refusal.why, refusal.rule) if refusal else ("", "")
        rules = scene.board.rules
        rows = found.shot.rows_used if found.shot else found.attempt.rows_used
        refused = columns(f"{who} may not fire at {whom}: {why}.", rule)
        return "\n".join([refused, *house_text(rules, rows), *switches_text(rules)])
    gun = f"{found.weapon.gun} " if found.weapon else ""
    head = f"{who} at {whom}, {gun}{found.ammo}, {at}. "
    return shot_text(scene.board.rules, found.shot, throw, effect, head=head, taken=found.taken, more=found.rows)


NAMES = 40
"""Columns for the names of targets in a list."""


def targets_text(rules: Rules, firer: Unit, found: Sequence[Prospect]) -> str:
    """What `minis fire A --all` says: every target in sight, best first."""
    if not found:
        return f"{firer.id} sees no enemy."
    lines = [f"{firer.id}: {len(found)} in sight; chance to sight, to hit once sighted, and both:"]
    for target in found:
        name = f"  {target.attempt.target.shown_as}, {format_length(round(target.attempt.line.distance_in, 2))}"
        if target.shot.refusal is not None:
            lines.append(f"{name:<{NAMES}}  refused: {target.shot.refusal.why} ({target.shot.refusal.rule})")
            continue
        shot = target.shot.shot
        needed = "lower die doubled"
        if shot and shot.lowest > shot.th:
            needed = "improbable hit"
        elif shot and shot.hit_on is not None:
            needed = f"on {shot.hit_on}"
        chances = f"{percent(target.sighting):>7} {percent(target.hit):>8} {percent(target.both):>8}"
        lines.append(f"{name:<{NAMES}}  {chances}   {needed}, {', '.join(target.shot.taken)}")
    return "\n".join([*lines, *switches_text(rules)])


def _runs(cases: Sequence[str]) -> str:
    """Cases in order, equal ones in a row as a number of them."""
    runs = [(case, len(list(group))) for case, group in groupby(cases)]
    return ", ".join(case if count == 1 else f"{count} x {case}" for case, count in runs) or "none"


def exposure_text(found: Exposure, allowed: Shots, climbs: Sequence[Underbelly] = ()) -> str:
    """What `minis exposure` says."""
    path = format_length(round(found.length_in, 2))
    if not found.stretches:
        return f"{found.target} is never in {found.firer}'s sight on these {path}."
    end = f"Case {found.case} at its end" if found.case else "out of sight at its end"
    if found.in_sight_at_end and not found.case:
        end = "in sight at its end, infantry Cases J3 and J4 by how it moves"
    mp = format_number(round(found.mp, 3))
    lines = [columns(f"{found.target} is in {found.firer}'s sight for {mp} MP: {end}.", found.rule)]
    for part in found.stretches:
        note = "" if part in found.counted else "   before the last gap"
        (ax, ay), (bx, by) = part.start, part.end
        lines.append(
            f"  in sight from {format_length(round(part.start_in, 2))} at {ax:.2f},{ay:.2f} "
            f"to {format_length(round(part.end_in, 2))} at {bx:.2f},{by:.2f}{note}"
        )
    if found.in_sight_from_start:
        lines.append(columns("  in sight when its move began: neither J1 nor J2", "C6.15"))
    if found.case:
        once, steps = _runs(allowed.at_once), _runs(allowed.in_steps)
        lines.append(columns(f"  shots: claimed at once {once}; in steps {steps}", "C6.17"))
    for climb in climbs:
        x, y = climb.climb.at
        word = "may be shot at" if climb.allowed else "may not be shot at"
        lines.append(columns(f"  underside at {x:g},{y:g} ({climb.climb.by}) {word}: {climb.why}", climb.rule))
    return "\n".join(lines)


def manoeuvre_text(
    unit: Unit, opened: float, odds: Mapping[float, Fraction], tried: Manoeuvre | None, arc: ProtectedArc | None
) -> str:
    """What `minis hulldown U --manoeuvre` says."""
    ground = f"  lower ground around it: {opened:g} degrees, and no more is protected"
    if tried is None:
        chances = ", ".join(
            f"{width:g} degrees {percent(chance)}" if width else f"none {percent(chance)}"
            for width, chance in odds.items()
        )
        return columns(f"{unit.id}, hull-down manoeuvre: {chances}.", "D4.22") + "\n" + ground
    if arc is None:
        why = tried.why if not tried.arc else "there is no lower ground around its facing"
        first = f"{unit.id} is not hull down by its manoeuvre: {why}."
    else:
        first = (
            f"{unit.id} is hull down over {arc.width:g} degrees round {arc.centre:03.0f}, to fire from lower ground."
        )
    lines = [columns(first, tried.rule)]
    for item in tried.tally:
        lines.append(columns(f"  {item.value:>+4g}   {item.label}", f"{item.rule:<6} {item.source}"))
    return "\n".join([*lines, f"  = {tried.final:>2}", ground])
