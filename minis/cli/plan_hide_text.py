"""What `minis plan hide` and `minis plan balance` say."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from minis.cli.plan_options import broken_off_text
from minis.cli.text import columns, house_text, plural, switches_text
from minis.lengths import GRID, format_number
from minis.plan.balance_answer import SHARES, spreads
from minis.plan.hide_answer import reasons
from minis.rules.effect_rows import rows_of
from minis.rules.plan_weight_rows import WeightRow
from minis.rules.rows import NumberRow

if TYPE_CHECKING:
    from minis.board.board import Board
    from minis.plan.balance import Balance, Spread
    from minis.plan.hide import Hiding
    from minis.plan.worth import Worth

WIDE = 110
"""Columns of a screen."""


def hiding_text(board: Board, found: Hiding) -> str:
    """The best place first, each with its score and its reasons."""
    lanes = ", ".join(found.lanes)
    lines = [broken_off_text(found.looked_at, found.spots, "places")] if found.broken_off else []
    if not found.places:
        lines.append(f"{found.unit}: no place in {found.zone} covers anything of {lanes}.")
        lines.append(f"  {plural(found.spots, 'place')} looked at")
        return "\n".join(lines + _footer(board))
    best = found.places[0]
    lines.append(f"{found.unit} in {found.zone}: best at {_at(best)}, {best.score(board.rules):.1f} points.")
    many = f"{plural(found.spots, 'place')} looked at, {found.covering} cover something of {lanes}"
    lines.append(f"  {many}; what comes: {found.target}")
    for number, worth in enumerate(found.places, 1):
        lines += ["", columns(f"{number}. {_at(worth)}", f"{worth.score(board.rules):.1f} points")]
        for why in reasons(worth):
            lines.append(_wrapped(why))
    return "\n".join(lines + _footer(board))


def _at(worth: Worth) -> str:
    unit = worth.look.unit
    x, y = (format_number(round(value / GRID, 2)) for value in unit.at)
    floor = f", storey {unit.storey}" if unit.storey is not None else ""
    return f"{x}, {y}{floor}, facing {unit.facing:03.0f}"


def _wrapped(words: str) -> str:
    return textwrap.fill(f"   {words}", WIDE, subsequent_indent=" " * len("     "), break_on_hyphens=False)


def _footer(board: Board) -> list[str]:
    """House rules and switches, whatever the answer."""
    rows = [*rows_of(board.rules, "plan-weights", WeightRow), *rows_of(board.rules, "plan", NumberRow)]
    return house_text(board.rules, rows) + switches_text(board.rules)


def balance_text(board: Board, found: Balance) -> str:
    """The losses of both sides, when the guns are sighted, and who is lost how often."""
    lines = [broken_off_text(len(found.trials), found.of, "trials")] if found.broken_off else []
    if not found.trials:
        return "\n".join([*lines, *_footer(board)])
    by = spreads(found)
    guns, comers = len(found.guns), len(found.columns)
    gone = by["vehicles_lost"].mean + by["vehicles_stopped"].mean
    lines.append(
        f"{found.side} loses {by['guns_lost'].mean:.1f} of {guns} that lie in wait; "
        f"of {plural(comers, 'vehicle')} along the lanes {gone:.1f} are lost or stopped."
    )
    lines.append(f"  {plural(len(found.trials), 'trial')}, seed {found.seed}")
    lines += ["", f"  {'a trial':<24}{'mean':>7}  " + "".join(f"{share:>7.0%}" for share in SHARES)]
    for name, words in ROWS.items():
        lines.append(_spread_line(words, by[name]))
    lines += ["", *_sighted(found, by), *_each(found)]
    return "\n".join(lines + _footer(board))


ROWS = {
    "vehicles_lost": "vehicles lost",
    "vehicles_stopped": "vehicles stopped",
    "guns_lost": "lost of those in wait",
    "guns_jammed": "weapons that jam",
    "shots": "shots from hiding",
    "turns": "turns",
}
"""The spreads of a table, each with its words."""


def _spread_line(words: str, spread: Spread) -> str:
    return f"  {words:<24}{spread.mean:>7.2f}  " + "".join(f"{spread.at(share):>7}" for share in SHARES)


def _sighted(found: Balance, by: dict[str, Spread]) -> list[str]:
    seen = by["sighted_turn"].total
    if not seen:
        return ["  nobody is ever sighted"]
    half = SHARES[len(SHARES) // 2]
    return [
        f"  first sighted in {seen} of {plural(len(found.trials), 'trial')}: half of those by turn "
        f"{by['sighted_turn'].at(half)}, when the vehicle has gone {by['sighted_mp'].at(half)} MP"
    ]


def _each(found: Balance) -> list[str]:
    from minis.plan.balance import chances_of

    chances = chances_of(found)
    comers = ", ".join(f"{unit} {chances[unit]:.0%}" for unit, _ in found.columns)
    guns = ", ".join(f"{unit} {chances[unit]:.0%}" for unit in found.guns)
    return [_wrapped_list("lost or stopped: ", comers), _wrapped_list("lost in wait: ", guns)]


def _wrapped_list(head: str, words: str) -> str:
    return textwrap.fill(f"  {head}{words}", WIDE, subsequent_indent=" " * len("    "), break_on_hyphens=False)
