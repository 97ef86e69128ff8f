"""Answers as a judge reads them: the verdict first, then the sum, then what was left out, each with its rule."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from minis.board.geometry import bearing
from minis.lengths import EPSILON_IN, GRID, format_length, format_number
from minis.tally import Tally

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.board.units import Unit
    from minis.rules.model import Rules
    from minis.rules.rows import Row
    from minis.sight.attempt import Attempt
    from minis.sight.cover import HullDown
    from minis.sight.line import Sightline
    from minis.sight.meeting import Crossing
    from minis.sight.scene import Scene
    from minis.sight.sighting import Sighting

WIDE = 66


def percent(chance: Fraction) -> str:
    """A chance in percent, exact where two decimals are.

    >>> percent(Fraction(42, 100)), percent(Fraction(41, 500)), percent(Fraction(1, 3))
    ('42 %', '8.2 %', '33.33 %')
    """
    return f"{float(chance * 100):.2f}".rstrip("0").rstrip(".") + " %"


def plural(count: float, one: str, many: str | None = None) -> str:
    """A count with its word.

    >>> plural(1, "level"), plural(2, "level"), plural(0.5, "level")
    ('1 level', '2 levels', '1/2 level')
    """
    word = one if 0 < count <= 1 else many or one + "s"
    return f"{format_number(count)} {word}"


def columns(left: str, right: str) -> str:
    """Two columns: what is said, and where it comes from."""
    return f"{left:<{WIDE}}  {right}".rstrip()


def headline(verdict: str, facts: str) -> str:
    """The verdict with the measured facts beside it, or below it where it is long."""
    return columns(verdict, facts) if len(verdict) <= WIDE else f"{verdict}\n  {facts}"


# --- check, measure ------------------------------------------------------------------------------------------------


def check_text(board: Board) -> str:
    """What `minis check` says of a good file."""
    units = ", ".join(f"{side} {sum(u.side == side for u in board.units)}" for side in board.sides) or "none"
    size = f"{format_length(board.width_in)} by {format_length(board.depth_in)}"
    lines = [
        f"{board.name}: fine.",
        f"  {board.title}: {size}, {plural(len(board.terrain), 'piece')} of terrain, "
        f"{plural(len(board.smoke), 'cloud')} of smoke, units: {units}",
    ]
    lines += [f"  note: {caution}" for caution in board.cautions]
    return "\n".join(lines + switches_text(board.rules))


def measure_text(rules: Rules, answer: dict[str, Any]) -> str:
    """What `minis measure` says."""
    first = f"{answer['from']} to {answer['to']}: {format_length(answer['distance_in'])}, base edge to base edge."
    if answer["switches"].get("measure") == "centre":
        first = f"{answer['from']} to {answer['to']}: {format_length(answer['distance_in'])}, centre to centre."
    degrees = answer["bearing"]
    where = "on the same spot" if degrees is None else f"bearing {degrees:03.0f}"
    levels = f"  {where}, level {answer['from_level']} to {answer['to_level']}"
    return "\n".join([columns(first, "S1.3"), levels, *switches_text(rules)])


# --- line of sight -------------------------------------------------------------------------------------------------


def los_text(scene: Scene, line: Sightline, cover: Sequence[str], down: HullDown) -> str:
    """What `minis los` says."""
    lines = [headline(_verdict(line), _facts(scene, line))]
    if line.deciding:
        lines += _deciding(line, line.deciding)
    lines += _met(line)
    lines += _near(line)
    if line.clear:
        lines += _seen_as(line.to_id, cover, down)
        lines += _smoke(line)
        if line.distance_in > scene.board.rules.number("max-range").value:
            limit = scene.board.rules.number("max-range")
            lines.append(
                columns(f"  but nobody sights beyond {format_length(limit.value)}, a spotter apart", limit.rule)
            )
    return "\n".join(lines + house_text(scene.board.rules, line.rows_used) + switches_text(scene.board.rules))


def _verdict(line: Sightline) -> str:
    if line.deciding is None:
        return f"{line.from_id} sees {line.to_id}: the line is clear."
    return f"{line.from_id} cannot see {line.to_id}: hidden by {line.deciding.obstacle}."


def _facts(scene: Scene, line: Sightline) -> str:
    degrees = bearing(scene.board.unit(line.from_id).at, scene.board.unit(line.to_id).at)
    where = "" if degrees is None else f", bearing {degrees:03.0f}"
    return f"{format_length(line.distance_in)}{where}, level {line.from_level} to {line.to_level}"


def _deciding(line: Sightline, met: Crossing) -> list[str]:
    """Why the line is stopped, by how much, and what else stops it."""
    above = (line.from_level if line.viewer == line.from_id else line.to_level) - met.top
    lower = line.to_id if line.viewer == line.from_id else line.from_id
    lines = []
    if met.row is not None and met.inside_in is not None:
        below = f"{plural(above, 'level')} below the viewer {line.viewer}"
        words = f"  {met.what}, {below}: {format_length(met.row.length)} shadow"
        lines.append(columns(words, f"{met.rule}  {met.row.cited}"))
        inside = max(0.0, met.inside_in)
        end = f": clear {format_length(inside)} farther back" if _is_margin(line, inside) and inside else ""
        lines.append(f"  {lower} is {format_length(inside)} inside it{end}")
    else:
        source = f"  {met.row.cited}" if met.row is not None else ""
        lines.append(columns(f"  {met.what}, top {format_number(met.top)}: {met.why}", met.rule + source))
    if line.also:
        named = [f"{c.obstacle} ({c.rule})" for c in line.also]
        more = f" and {len(named) - 6} more" if len(named) > 6 else ""
        lines.append("  also in the way: " + ", ".join(named[:6]) + more)
    return lines


def _met(line: Sightline) -> list[str]:
    """What else the line crosses, in order from the viewer."""
    quiet = ("S6.4", "S7.2", "S7.3")
    origin = "" if line.viewer == line.from_id else f" from {line.viewer}"
    passed = [c for c in line.crossings if not c.hides and (c.row is not None or c.rule not in quiet)]
    shown = [
        columns(
            f"  crosses {c.obstacle} at {format_length(round(c.entry_in, 2))}{origin}: {c.what}, {_why(c)}",
            c.rule,
        )
        for c in passed[:8]
    ]
    return shown + ([f"  … and {len(passed) - 8} more (--json lists all)"] if len(passed) > 8 else [])


def _why(met: Crossing) -> str:
    if met.row is not None and met.beyond_in is not None:
        return f"{format_length(met.row.length)} shadow ended {format_length(met.slack_in)} before"
    return met.why


def _near(line: Sightline) -> list[str]:
    """The margin, and whether it is close (S5.5)."""
    if line.margin_in is None:
        return []
    word = "close: the judge decides" if line.close else "margin"
    by = format_length(line.margin_in)
    deciding = line.deciding
    if deciding and deciding.inside_in is not None and _is_margin(line, max(0.0, deciding.inside_in)):
        return [columns(f"  {word}", "S5.5")] if line.close else []
    if not line.clear:
        return [columns(f"  {word}: {by} from being clear", "S5.5")]
    if line.near is not None and abs(line.near.by_in - line.margin_in) < EPSILON_IN:
        return [columns(f"  {word}: passes {line.near.obstacle} at {by}", "S5.5")]
    return [columns(f"  {word}: {by} from being hidden", "S5.5")]


def _smoke(line: Sightline) -> list[str]:
    """The clouds on a line and how they count."""
    if not line.smoke:
        return []
    kind, rule = ("its own smoke: half the die", "S8.3") if line.smoke_class == "own" else ("the die in full", "S8.1")
    return [columns(f"  smoke on the line: {', '.join(line.smoke)}, {kind}", rule)]


def _is_margin(line: Sightline, length: float) -> bool:
    return line.margin_in is not None and abs(line.margin_in - length) < EPSILON_IN


def _seen_as(target: str, cover: Sequence[str], down: HullDown) -> list[str]:
    lines = []
    if cover:
        lines.append(columns(f"  {target} is in cover: {', '.join(cover)}", "S2.5"))
    if down.state:
        lines.append(columns(f"  {target} is hull down ({down.state}): {down.why}", down.rule))
    return lines


# --- sighting ------------------------------------------------------------------------------------------------------


def attempt_text(scene: Scene, found: Attempt) -> str:
    """What `minis sight` and `minis identify` say."""
    ruling, line = found.ruling, found.line
    verb = "identify" if ruling.procedure == "identify" else "see"
    name = found.target.shown_as
    if line.deciding and not ruling.barred:
        lines = [
            headline(f"{line.from_id} cannot {verb} {name}: hidden by {line.deciding.obstacle}.", _facts(scene, line))
        ]
        lines += _deciding(line, line.deciding) + _near(line)
    else:
        lines = [headline(_result(line.from_id, name, ruling, verb), _facts(scene, line))]
        lines += _sum(ruling)
        lines += _seen_as(found.seen_as.id, found.cover, found.hull_down)
        lines += _smoke(line)
        lines += _near(line)
    if found.seen_as.id != found.target.id:
        lines.append(columns(f"  gun and tow are one target: measured to {found.seen_as.id}", "S11.3"))
    if found.sighter.id in found.target.sighted_by:
        lines.append(f"  {found.sighter.id} has sighted {found.target.id} already")
    if ruling.procedure == "identify" and not (found.target.hidden or found.target.token):
        lines.append(f"  {found.target.id} is no token and not hidden: it is identified already")
    return "\n".join(lines + house_text(scene.board.rules, found.rows_used) + switches_text(scene.board.rules))


def tape_text(rules: Rules, ruling: Sighting) -> str:
    """What `minis tape sight` says."""
    lines = [_result("", "", ruling, "see"), *_sum(ruling)]
    lines.append(columns("  the line of sight is taken as clear", "S13.2"))
    return "\n".join(lines + house_text(rules, ruling.rows) + switches_text(rules))


def _result(sighter: str, target: str, ruling: Sighting, verb: str) -> str:
    """The first line: what happens, or what must be rolled, and the chance."""
    who = f"{sighter} {verb}s {target}" if sighter else "Sighted"
    cannot = f"{sighter} cannot {verb} {target}" if sighter else "Not sighted"
    misses = f"{sighter} does not {verb} {target}" if sighter else "Not sighted"
    if verb == "identify" and sighter:
        who = f"{sighter} identifies {target}"
    if ruling.outcome == "impossible":
        return f"{cannot}: {ruling.why}."
    if ruling.outcome == "automatic":
        return f"{who} at once: {ruling.why}."
    if ruling.smoke_dice_needed:
        dice = "the smoke die" if ruling.smoke_dice_needed == 1 else f"{ruling.smoke_dice_needed} smoke dice"
        return f"{who}: {percent(ruling.chance)} in all; roll {dice} first."
    if ruling.chance == 1:
        return columns(f"{who} for sure.", "S3")
    asked = f"{ruling.need} or {'more' if ruling.test == 'at_least' else 'less'}"
    if ruling.sighted is None:
        return f"{who} on {asked}: {percent(ruling.chance)}."
    face = ruling.rolls[-1].face
    return f"{who if ruling.sighted else misses}: {face} rolled, {asked} needed."


def _sum(ruling: Sighting) -> list[str]:
    """The tally, its total and the need, the dice, and what was left out."""
    lines = _tally(ruling.tally)
    if ruling.outcome != "automatic" and ruling.tally.items and not ruling.smoke_dice_needed:
        total = format_number(round(ruling.tally.total, 4))
        asked = f"{ruling.need} or {'more' if ruling.test == 'at_least' else 'less'}"
        limit = "-> " + (asked if ruling.outcome == "roll" else "no sight")
        lines.append(columns(f"  = {total:>8}   {limit}", ruling.rule + _small(ruling)))
    elif ruling.smoke_dice_needed and ruling.outcome == "roll":
        lines.append(columns(f"  + {'?':>8}   smoke die", "S8.1"))
    dice = [f"{roll.purpose} {roll.face} ({roll.how})" for roll in ruling.rolls]
    if dice:
        lines.append("  dice: " + ", ".join(dice))
    for left in ruling.left_out:
        lines.append(columns(f"  left out: {left.label}: {left.why}", left.rule))
    return lines


def _small(ruling: Sighting) -> str:
    row = next((row for row in ruling.rows if row.rule == ruling.rule), None)
    return f"  {row.cited}" if row is not None and ruling.rule == "S2.4" else ""


def _tally(tally: Tally) -> list[str]:
    lines = []
    for number, item in enumerate(tally):
        sign = " " if number == 0 else "-" if item.value < 0 else "+"
        value = format_number(round(abs(item.value), 4))
        lines.append(columns(f"  {sign} {value:>8}   {item.label}", f"{item.rule:<5} {item.source}"))
    return lines


# --- hull down -----------------------------------------------------------------------------------------------------


def hull_down_text(rules: Rules, found: HullDown) -> str:
    """What `minis hulldown U --from A` says."""
    word = f"is hull down ({found.state})" if found.state else "is not hull down"
    verdict = columns(f"{found.unit} {word} to {found.observer}.", found.rule)
    return "\n".join([verdict, f"  {found.why}", *switches_text(rules)])


def hull_down_places_text(rules: Rules, unit: Unit, places: Sequence[HullDown]) -> str:
    """What `minis hulldown U` says."""
    if not unit.is_vehicle:
        return columns(f"{unit.id} is no vehicle: it is never hull down.", "S9.1")
    if not places:
        return columns(f"{unit.id} is at no crest line and no wall.", "S9.2")
    lines = []
    for place in places:
        word = f"hull down ({place.state})" if place.state else "not hull down"
        lines.append(columns(f"{unit.id} at {place.by}: {word}.", place.rule) + f"\n  {place.why}")
    return "\n".join([*lines, *switches_text(rules)])


# --- a sighting phase ----------------------------------------------------------------------------------------------


def sweep_text(scene: Scene, side: str, found: Sequence[Attempt]) -> str:
    """What `minis sweep` says: sighter by sighter, round the table once."""
    by_sighter: dict[str, list[Attempt]] = {}
    for attempt in found:
        by_sighter.setdefault(attempt.sighter.id, []).append(attempt)
    sure = sum(a.ruling.sighted is True for a in found)
    rolls = sum(a.ruling.outcome == "roll" and a.ruling.sighted is None for a in found)
    barred = sum(a.ruling.barred for a in found)
    lines = [
        f"{side}: {plural(len(by_sighter), 'unit')} looking, {plural(len(found), 'pair')}: "
        f"{sure} for sure, {rolls} on a roll, {len(found) - sure - rolls - barred} not to be seen"
        + (f", {barred} for the judge." if barred else ".")
    ]
    for name, attempts in by_sighter.items():
        unit = scene.board.unit(name)
        x, y = (format_number(round(value / GRID, 2)) for value in unit.at)
        lines += ["", f"{unit.shown_as}   at {x}, {y}, level {scene.stand(unit).level}"]
        lines += _phase_of(attempts)
    return "\n".join(
        lines
        + house_text(scene.board.rules, (row for a in found for row in a.rows_used))
        + switches_text(scene.board.rules)
    )


def _phase_of(attempts: Sequence[Attempt]) -> list[str]:
    sure = sorted((a for a in attempts if a.ruling.sighted is True), key=lambda a: a.line.distance_in)
    rolls = [a for a in attempts if a.ruling.outcome == "roll" and a.ruling.sighted is None]
    rolls.sort(key=lambda a: (-a.ruling.chance, a.line.distance_in, a.target.id))
    lines = []
    if sure:
        named = [f"{a.target.shown_as} {format_length(round(a.line.distance_in, 2))}{_mark(a)}" for a in sure]
        lines.append(_wrapped("sees", ", ".join(named)))
    for attempt in rolls:
        lines.append(columns(f"  roll     {attempt.target.shown_as}{_mark(attempt)}", _roll(attempt)))
    hidden: dict[str, list[str]] = {}
    unseen: dict[str, list[str]] = {}
    for attempt in attempts:
        if attempt.ruling.sighted is False:
            by = None if attempt.ruling.barred else attempt.line.deciding
            group, key = (hidden, f"{by.obstacle} ({by.rule})") if by else (unseen, _unseen(attempt))
            group.setdefault(key, []).append(attempt.target.id + _mark(attempt))
    for head, group in (("no", unseen), ("hidden", hidden)):
        keys = sorted(group, key=lambda key: (-len(group[key]), key))
        if keys:
            lines.append(_wrapped(head, "; ".join(f"{key}: {', '.join(group[key])}" for key in keys)))
    return lines


def _unseen(attempt: Attempt) -> str:
    """Why a unit in the line of sight has no chance to be sighted."""
    rule = attempt.ruling.rule
    words = {"S1.1": "beyond range", "S2.4": "too far for small in cover", "S11.5": "a token: the judge tells"}
    return words.get(rule, "needs more than 100") + f" ({rule})"


def _roll(attempt: Attempt) -> str:
    ruling = attempt.ruling
    at = format_length(round(attempt.line.distance_in, 2))
    if ruling.need is None:
        return f"{percent(ruling.chance):>7}  smoke die first, {at}"
    return f"{percent(ruling.chance):>7}  on {ruling.need} or {'more' if ruling.test == 'at_least' else 'less'}, {at}"


def _mark(attempt: Attempt) -> str:
    """Close calls and what is sighted already."""
    return (" (close)" if attempt.line.close else "") + (
        " (already)" if attempt.sighter.id in attempt.target.sighted_by else ""
    )


def _wrapped(head: str, words: str) -> str:
    """A paragraph of one sighter, its head in the margin."""
    return textwrap.fill(
        f"  {head:<9}{words}", 110, subsequent_indent=" " * 11, break_on_hyphens=False, break_long_words=False
    )


# --- what is not as printed ----------------------------------------------------------------------------------------


def house_text(rules: Rules, rows: Iterable[Row]) -> list[str]:
    """The house rules that an answer rests on, and what they took out of the tables."""
    used = sorted({f"{row.label} ({row.rule}, {row.overlay})" for row in rows if row.overlay})
    lines = ["  house rules used: " + "; ".join(used)] if used else []
    return lines + (["  house rules take out: " + ", ".join(rules.removed)] if rules.removed else [])


def switches_text(rules: Rules) -> list[str]:
    """The switches that are not at their default, if any (S14)."""
    changed = rules.not_default
    return (
        ["  switches: " + ", ".join(f"{name} = {value}" for name, value in sorted(changed.items()))] if changed else []
    )
