"""Shots as a judge reads them: the needed roll first, then the sum line by line, then what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minis.cli.text import columns, percent, switches_text

if TYPE_CHECKING:
    from minis.fire.hit import Throw
    from minis.fire.to_hit import Shot
    from minis.rules.model import Rules


def shot_text(rules: Rules, shot: Shot, throw: Throw | None, *, head: str = "", taken: Sequence[str] = ()) -> str:
    """What `minis fire` and `minis tape fire` say of a shot."""
    if shot.refusal is not None:
        return columns(f"{head}Refused: {shot.refusal.why}.", shot.refusal.rule)
    lines = [head + _verdict(shot, throw)]
    for number, item in enumerate(shot.numbers):
        lines.append(columns(f"  {'To Hit' if number == 0 else '':<7}{item.value:>+3}   {item.label}", item.rule))
    for case, cost in zip(shot.cases, shot.costs, strict=True):
        share = f"{-cost:+.1f} %" if case.value or cost else ""
        lines.append(columns(f"  {case.case:<7}{case.value:>+3}   {case.label}", f"{case.rule:<6} {share:>8}"))
    if shot.doubled:
        lines.append(f"  needs {shot.th} or less with the lower die doubled and {shot.drm:+d}")
    else:
        lines.append(f"  = {shot.th} - ({shot.drm:+d}): needs {shot.hit_on} or less")
    lines += _odds(shot)
    if shot.left_out:
        lines += [columns(f"  left out: {out.case} {out.why}", out.rule) for out in shot.left_out]
    if taken:
        lines.append("  taken as: " + ", ".join(taken))
    return "\n".join(lines + switches_text(rules))


def _verdict(shot: Shot, throw: Throw | None) -> str:
    chance = percent(shot.odds.hit) if shot.odds else ""
    if shot.hit_on is None:
        needed = f"Hits on {shot.th} or less, lower die doubled ({chance})"
    elif shot.hit_on < 2:
        needed = f"Hits only by an improbable hit ({chance})"
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


def _odds(shot: Shot) -> list[str]:
    odds = shot.odds
    if odds is None:
        return []
    parts = []
    if odds.hull is not None and odds.turret is not None:
        parts.append(f"hull {percent(odds.hull)}, turret {percent(odds.turret)}")
    for name, chance in (("critical", odds.critical), ("two hits", odds.multiple)):
        if chance:
            parts.append(f"{name} {percent(chance)}")
    parts.append(f"malfunction {percent(odds.malfunction)} (B{shot.breakdown})")
    if shot.rof:
        parts.append(f"fires again {percent(odds.keeps_rof)} (ROF {shot.rof})")
    return ["  odds: " + ", ".join(parts)]
