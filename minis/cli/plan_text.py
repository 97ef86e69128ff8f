"""What `minis plan` finds as a designer reads it: what it comes to first, then the numbers, on one screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from minis.cli.plan_options import broken_off_text
from minis.cli.text import columns, house_text, percent, plural, switches_text
from minis.lengths import GRID, format_length, format_number

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.board.units import Unit
    from minis.board.zones import Lane
    from minis.fire.exposure import Stretch
    from minis.plan.compare import Compared
    from minis.plan.field_of_fire import Band, FieldOfFire, Spread
    from minis.plan.laid_spots import LaidSpot, LaidSpots
    from minis.plan.lanes import Exposed, Watched, Watcher
    from minis.plan.workers import Done
    from minis.rules.model import Rules

WIDEST = 110
DEAD_SHOWN = 8
STRETCHES_SHOWN = 4
DETAILED = 4
"""With more watchers than these in sight of a lane each has one line."""

COLUMN = 22
"""The width of a place in a table of places side by side."""


def under_text(rules: Rules) -> list[str]:
    """The house rules and switches that a plan is under."""
    return house_text(rules, (row for table in rules.tables.values() for row in table.rows)) + switches_text(rules)


def length(value: float) -> str:
    """A length, to a hundredth of an inch."""
    return format_length(round(value, 2))


def area(value: float) -> str:
    """Square inches, to a tenth.

    >>> area(213.94), area(110.0)
    ('213.9', '110')
    """
    return f"{value:.1f}".removesuffix(".0")


def whole_percent(share: float | Fraction) -> str:
    """A share in whole percent; what is less than half of one, and not nothing, says so.

    >>> whole_percent(0.494), whole_percent(0), whole_percent(0.003)
    ('49 %', '0 %', '<1 %')
    """
    return "<1 %" if 0 < share * 100 < 0.5 else f"{float(share) * 100:.0f} %"


def _place(at: Iterable[float]) -> str:
    return ", ".join(format_number(round(value, 2)) for value in at)


def _where(unit: Unit) -> str:
    return _place(value / GRID for value in unit.at)


def _wrapped(head: str, words: str) -> str:
    return textwrap.fill(
        f"  {head:<14}{words}", WIDEST, subsequent_indent=" " * 16, break_on_hyphens=False, break_long_words=False
    )


# --- the field of fire -----------------------------------------------------------------------------------------------


def field_text(board: Board, found: FieldOfFire, level: int | None = None) -> str:
    """What `minis plan field` says."""
    unit = found.unit
    who = unit.id if not unit.id.startswith(" ") else f"From {_where(unit)}"
    verb = "sees" if not unit.id.startswith(" ") else "one sees"
    seen = f"{area(found.area)} square inches, {whole_percent(found.share)} of the table"
    lines = [broken_off_text(found.looked_at, found.cells, "cells in sight")] if found.broken_off else []
    lines.append(columns(f"{who} {verb} {seen}.", "S5.1"))
    lines.append("  " + ", ".join(_standing(found, level)))
    if found.bands:
        lines += _bands(found)
    if found.dead:
        shown = [f"{dead.obstacle} {area(dead.area)}" for dead in found.dead[:DEAD_SHOWN]]
        more = len(found.dead) - len(shown)
        rest = [f"{more} more with {area(sum(dead.area for dead in found.dead[DEAD_SHOWN:]))}"] if more else []
        lines.append(_wrapped("dead ground", ", ".join(shown + rest)))
    if found.farthest:
        far = [f"{length(place.distance_in)} at {_place(place.at)}" for place in found.farthest]
        lines.append(_wrapped("farthest", "; ".join(far)))
    if found.beyond:
        lines.append(_wrapped("beyond", f"{area(found.beyond)} in the line of sight, but farther than anybody sights"))
    lines.append(_wrapped("exact", "areas, in square inches; dead ground is that of the nearest that hides it"))
    middles = f"chances and farthest places, of cells of {length(found.cell_in)}, each looked at in its middle"
    lines.append(_wrapped("counted", middles))
    return "\n".join(lines + under_text(board.rules))


def _standing(found: FieldOfFire, level: int | None) -> list[str]:
    unit = found.unit
    words = [f"at {_where(unit)}"]
    if not unit.is_point:
        words.append(f"facing {unit.facing % 360:03.0f}")
    if level is not None:
        words.append(f"level {level}")
    if unit.storey is not None:
        words.append(f"storey {unit.storey}")
    if found.weapon:
        words.append(f"{found.weapon.id} {found.weapon.gun}")
    return words


def _bands(found: FieldOfFire) -> list[str]:
    """The table of ranges."""
    targets = [prospect.target for prospect in found.bands[0].prospects]
    head = f"  {'hexes':<9}{'area':>7}" + (f"{'in arc':>8}" if found.weapon else "")
    for target in targets:
        head += f"   {f'sight {target}':<19}" + (f"{f'hit {target}':<19}" if found.weapon else "")
    rows = [_band(band, armed=found.weapon is not None) for band in found.bands]
    note = "  chances: least / mean / best, at a target that stands still in the open; a hit, once it is sighted"
    return [head.rstrip(), *rows, note]


def _band(band: Band, *, armed: bool) -> str:
    row = f"  {band.row.id:<9}{area(band.area):>7}" + (f"{area(band.in_arc):>8}" if armed else "")
    for prospect in band.prospects:
        row += f"   {_spread(prospect.sight) if prospect.sight else '-':<19}"
        if armed:
            row += f"{_spread(prospect.hit) if prospect.hit else 'masked' if prospect.sight else '-':<19}"
    return row.rstrip()


def _spread(found: Spread) -> str:
    if found.least == found.best:
        return whole_percent(found.mean)
    values = [whole_percent(value).removesuffix(" %") for value in (found.least, found.mean, found.best)]
    return " / ".join(values) + " %"


# --- lanes -----------------------------------------------------------------------------------------------------------


def lanes_text(rules: Rules, found: Done[Watched]) -> str:
    """What `minis plan lane` says."""
    head = [broken_off_text(len(found.results), found.of, "lanes")] if found.broken_off else []
    lanes = ["\n\n".join(_lane(one) for one in found.results)] if found.results else []
    return "\n".join([*head, *lanes, *under_text(rules)])


def _lane(found: Watched) -> str:
    seeing = [watcher for watcher in found.watchers if watcher.stretches]
    by = f"{len(seeing)} of {plural(len(found.watchers), 'unit')}" if found.watchers else "nobody: no armed enemy"
    seen = sum(stretch.length_in for stretch in found.seen)
    long = f"{length(seen)} of {length(found.length_in)} ({whole_percent(found.share)})"
    target = found.mover.id.strip()
    lines = [columns(f"{found.lane.id}: {target} is in sight on {long}, of {by}.", "F4.1")]
    if found.files > 1:
        lines.append(_wrapped("in any of", f"{found.files} files across the lane"))
    for watcher in sorted(seeing, key=lambda watcher: -watcher.mp):
        lines += _watcher(watcher) if len(seeing) <= DETAILED else [_in_short(watcher)]
    blind = [watcher.unit.id for watcher in found.watchers if not watcher.stretches]
    if blind:
        lines.append(_wrapped("not seen by", ", ".join(blind)))
    if found.unseen and seeing:
        lines.append(_wrapped("by nobody", ", ".join(_from_to(stretch) for stretch in found.unseen)))
    return "\n".join(lines)


def _in_short(found: Watcher) -> str:
    """A watcher in one line: first in sight, how much, and the best shot at the middle of a stretch."""
    best = max(found.exposed, key=lambda one: one.hit)
    first, mp = length(found.stretches[0].start_in), f"{format_number(round(found.mp, 1))} MP"
    row = f"  {found.unit.shown_as:<22}first at {first:>8}, {length(found.length_in):>8}, {mp:>8}"
    if not best.hit:
        return row
    case = f", Case {best.case}" if best.case else ""
    return f"{row}; best hit {percent(best.hit)} at {length(best.along_in)}{case}"


def _from_to(stretch: Stretch) -> str:
    if stretch.start_in == stretch.end_in:
        return f"at {length(stretch.start_in)}"
    return f"{length(stretch.start_in)} to {length(stretch.end_in)}"


def _watcher(found: Watcher) -> list[str]:
    first = found.stretches[0]
    mp = f"{format_number(round(found.mp, 1))} MP"
    lines = [
        f"  {found.unit.shown_as}: first at {length(first.start_in)}, {_place(first.start)}; "
        f"{length(found.length_in)} in {plural(len(found.stretches), 'stretch', 'stretches')}, {mp}"
    ]
    longest = sorted(found.exposed, key=lambda one: -one.stretch.length_in)[:STRETCHES_SHOWN]
    shown = [one for one in found.exposed if one in longest]
    lines += [_exposed(one) for one in shown]
    more = len(found.exposed) - len(shown)
    return lines + (
        [f"    … and {plural(more, 'shorter stretch', 'shorter stretches')} (--json lists all)"] if more else []
    )


def _exposed(found: Exposed) -> str:
    head = f"    {_from_to(found.stretch):<24}middle {length(found.distance_in):>8} off, "
    if found.shot is None:
        return f"{head}sight {percent(found.sight)}, no weapon"
    if found.shot.refusal is not None:
        return columns(f"{head}no shot: {found.shot.refusal.why}", found.shot.refusal.rule)
    weapon = found.shot.weapon.id if found.shot.weapon else ""
    case = f", Case {found.case}" if found.case else ""
    return f"{head}sight {percent(found.sight)}, hit with {weapon} {percent(found.hit)}{case}"


def laid_text(rules: Rules, unit: Unit, lanes: Sequence[Lane], found: LaidSpots) -> str:
    """What `minis plan boresight` says."""
    lines = [broken_off_text(found.looked_at, found.of, "spots")] if found.broken_off else []
    if not found.spots:
        names = ", ".join(lane.id for lane in lanes)
        none = f"{unit.id}: no spot {'so far ' if found.broken_off else ''}is worth a bore sight on {names}."
        return "\n".join([*lines, columns(none, "C6.42"), *under_text(rules)])
    best = found.spots[0]
    lines.append(columns(f"{unit.id}: best laid on {_place(best.at)}: {_gain(best)}.", "C6.4"))
    for number, spot in enumerate(found.spots, start=1):
        passes = ", ".join(f"{passing.lane} {length(passing.length_in)}" for passing in spot.passing)
        where = f"{_place(spot.at):<16}{length(spot.distance_in):>9}, {plural(spot.range_hexes, 'hex', 'hexes')}"
        lines.append(f"  {number:>2}  {where:<40}{_gain(spot):<32}{passes}")
    lines.append("  the side is taken to be the scenario defender; what passes moves (Case J) and is sighted")
    return "\n".join(lines + under_text(rules))


def _gain(spot: LaidSpot) -> str:
    return f"hit {percent(spot.laid)} for {percent(spot.bare)}"


# --- places side by side ---------------------------------------------------------------------------------------------


def compare_text(rules: Rules, names: Sequence[str], done: Done[Compared]) -> str:
    """What `minis plan compare` says: the best of each line of numbers is for the reader to weigh."""
    found = done.results
    lines = [broken_off_text(len(found), done.of, "places")] if done.broken_off else []
    if not found:
        return "\n".join(lines + under_text(rules))
    best = max(found, key=lambda one: one.field.area)
    lines.append(f"{best.unit.id} sees most from {names[best.number]}: {area(best.field.area)} square inches.")
    lines.append(_row("", [names[one.number] for one in found]))
    lines.append(_row("facing", [f"{one.unit.facing % 360:03.0f}" for one in found]))
    lines.append(_row("in sight", [f"{area(one.field.area)} ({whole_percent(one.field.share)})" for one in found]))
    for band in dict.fromkeys(band.row.id for one in found for band in one.field.bands):
        lines.append(_row(f"  {band} hexes", [_band_of(one.field, band) for one in found]))
    lines.append(_row("farthest", [_farthest(one.field) for one in found]))
    for number in range(len(found[0].lanes)):
        watched = [one.lanes[number] for one in found]
        lane = watched[0]
        lines.append(_row(f"{lane.lane.id}, {length(lane.length_in)}", [_covered(one) for one in watched]))
        lines.append(_row("  first at", [_first(one) for one in watched]))
        lines.append(_row("  best hit", [_best_hit(one) for one in watched]))
    lines.append("  square inches in sight and the mean chance of a hit there; of each lane what is in sight")
    return "\n".join(lines + under_text(rules))


def _row(head: str, values: Sequence[str]) -> str:
    return (f"  {head:<20}" + "".join(f"{value:<{COLUMN}}" for value in values)).rstrip()


def _band_of(found: FieldOfFire, name: str) -> str:
    band = next((band for band in found.bands if band.row.id == name), None)
    if band is None:
        return "-"
    hit = band.prospects[0].hit
    return area(band.area) + (f", hit {whole_percent(hit.mean)}" if hit else "")


def _farthest(found: FieldOfFire) -> str:
    return length(found.farthest[0].distance_in) if found.farthest else "-"


def _covered(found: Watched) -> str:
    watcher = found.watchers[0]
    return f"{length(watcher.length_in)}, {format_number(round(watcher.mp, 1))} MP" if watcher.stretches else "-"


def _first(found: Watched) -> str:
    return length(found.watchers[0].stretches[0].start_in) if found.watchers[0].stretches else "-"


def _best_hit(found: Watched) -> str:
    best = max(found.watchers[0].exposed, key=lambda one: one.hit, default=None)
    return f"{percent(best.hit)} at {length(best.along_in)}" if best and best.hit else "-"
