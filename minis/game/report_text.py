"""The report of a game as Markdown and as data: the same items in both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from minis.fire.boresight import BoreSight
from minis.game.dice_report import USUAL_2D6, USUAL_D100, Count, SideDice
from minis.game.fates import HIDDEN, Cover, Loss, Moment
from minis.game.report import HouseRule, Number, Report, Said
from minis.game.state import record
from minis.lengths import format_number

# --- as data -------------------------------------------------------------------------------------------------------


def report_answer(report: Report) -> dict[str, Any]:
    """The report as `minis report --json` prints it; chances and means are reduced fractions in text."""
    return {
        "title": report.title,
        "scenario": report.scenario,
        "turns": report.turns,
        "when": report.when,
        "ended": report.end is not None,
        "tokens": [_cover_answer(report, cover) for cover in report.tokens],
        "hidden": [_cover_answer(report, cover) for cover in report.hidden],
        "losses": [_unit_answer(report, loss.unit) | asdict(loss) for loss in report.losses],
        "dice": {side: _dice_answer(dice) for side, dice in report.dice.items()},
        "taken_back": [asdict(said) for said in report.taken_back],
        "new_dice": [asdict(said) for said in report.new_dice],
        "overrulings": [asdict(said) for said in report.overrulings],
        "setups": [asdict(setup) for setup in report.setups],
        "seeds": dict(report.seeds),
        "key_hash": report.key_hash,
        "key": report.key,
        "switches": dict(report.switches),
        "house_rules": [asdict(row) for row in report.house_rules],
        "house_removed": list(report.house_removed),
        "house_numbers": [asdict(number) for number in report.house_numbers],
        "boresights": [record(spot) for spot in report.boresights],
        "notes": [asdict(said) for said in report.notes],
    }


def _unit_answer(report: Report, name: str) -> dict[str, Any]:
    unit = report.units[name]
    return {"side": unit.side, "unit": unit.id, "what": unit.what, "dummy": unit.dummy}


def _cover_answer(report: Report, cover: Cover) -> dict[str, Any]:
    return _unit_answer(report, cover.unit) | asdict(cover) | {"token": cover.token or None}


def _dice_answer(dice: SideDice) -> dict[str, Any]:
    return {
        "sighting": _count_answer(dice.sighting),
        "to_hit": _count_answer(dice.to_hit),
        "effect": {"rolls": dice.effect.rolls, "mean": _fraction(dice.effect.mean)},
        "typed": dice.typed,
        "thrown": dice.thrown,
    }


def _count_answer(count: Count) -> dict[str, Any]:
    return {
        "rolls": count.rolls,
        "mean": _fraction(count.mean),
        "tries": count.tries,
        "succeeded": count.succeeded,
        "expected": _fraction(count.expected),
    }


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


# --- as Markdown ---------------------------------------------------------------------------------------------------


def report_text(report: Report) -> str:
    """The report as Markdown: a heading for each section, those too that have nothing to tell."""
    sections: list[tuple[str, Iterable[str]]] = [
        ("Tokens", (_token(report, cover) for cover in report.tokens)),
        ("Hidden units", (_hidden(report, cover) for cover in report.hidden)),
        *((f"Losses: {_plain(side)}", _losses(report, side)) for side in report.dice),
        *((f"Dice: {_plain(side)}", _dice(dice)) for side, dice in report.dice.items()),
        ("Overrulings", (_overruling(said) for said in report.overrulings)),
        ("Taken back", (_taken_back(said) for said in report.taken_back)),
        ("New dice", (_new_dice(said) for said in report.new_dice)),
        ("Seals, seeds and the key of the dice", _secrets(report)),
        (
            "Switches not at their default",
            (f"{name} = {_plain(str(v))}" for name, v in sorted(report.switches.items())),
        ),
        ("House rules", _house_rules(report)),
        ("House numbers", (_number(number) for number in report.house_numbers)),
        ("Bore sights", (_boresight(spot) for spot in report.boresights)),
        ("Notes", (f"{_event(said)}: {_plain(said.text)}" for said in report.notes)),
    ]
    lines = [f"# {_plain(report.title)}", "", _head(report)]
    for title, items in sections:
        lines += ["", f"## {title}", "", *([f"- {item}" for item in items] or ["None."])]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Words of a player on one line, with every sign of Markdown in them written out.

    >>> print(_plain("a 76* and <b>, P_1, _so_"))
    a 76\\* and \\<b\\>, P_1, \\_so\\_
    """
    return _SIGNS.sub(lambda found: "\\" + found[0], " ".join(text.split()))


def _sentence(text: str) -> str:
    return _plain(text).rstrip(".") + "."


_SIGNS = re.compile(r"[\\`*<>\[\]|#&]|(?<!\w)_|_(?!\w)")


def _head(report: Report) -> str:
    turns = f"{report.turns} {'turn' if report.turns == 1 else 'turns'}"
    if report.end is not None:
        return f"Scenario {_plain(report.scenario)}, {turns} played; ended in {report.when} (event {report.end})."
    look = "**The game has not ended: this is the judge's own look.**"
    return f"{look} Scenario {_plain(report.scenario)}, {turns} so far; now {report.when}."


def _event(said: Said) -> str:
    return f"event {said.event}, {said.when}"


def _moment(moment: Moment) -> str:
    return f"{_plain(moment.how)} ({moment.when}, event {moment.event})"


def _place(at: tuple[float, float]) -> str:
    return f"{format_number(at[0])}, {format_number(at[1])}"


def _named(report: Report, name: str) -> str:
    unit = report.units[name]
    return _plain(f"{unit.id}, {unit.what}")


def _token(report: Report, cover: Cover) -> str:
    """A token: its name, what it stood for, how it came on the table and how it was revealed."""
    side = _plain(report.units[cover.unit].side)
    since = f" On it since: {_moment(cover.since)}." if cover.since else ""
    ended = "Revealed: at the end of the game" if report.end is not None else "It is a token still"
    until = f"Revealed: {_moment(cover.until)}" if cover.until else ended
    return f"**{_plain(cover.token)}** ({side}): {_named(report, cover.unit)}.{since} {until}."


def _hidden(report: Report, cover: Cover) -> str:
    """A hidden unit: where it was, and when and where it was placed on the table."""
    side = _plain(report.units[cover.unit].side)
    since = f"hidden at {_place(cover.at)} from the set-up"
    if cover.since:
        since = f"hidden at {_place(cover.at)} since: {_moment(cover.since)}"
    until = "Hidden to the end of the game" if report.end is not None else "It is hidden still"
    if cover.until and cover.left_at:
        until = f"It left hiding at {_place(cover.left_at)}: {_moment(cover.until)}"
    return f"**{_named(report, cover.unit)}** ({side}): {since}. {until}."


def _losses(report: Report, side: str) -> Iterator[str]:
    covers = {(cover.unit, cover.until.event): cover.token for cover in (*report.tokens, *report.hidden) if cover.until}
    for loss in report.losses:
        if report.units[loss.unit].side != side:
            continue
        shown = covers.get((loss.unit, loss.event))
        yield f"{_named(report, loss.unit)}: {_loss(loss)}" + (_kept_back(shown) if loss.kept_back else "")


def _loss(loss: Loss) -> str:
    by = f", by {loss.by} with {loss.weapon}, shot of event {loss.shot}" if loss.by else ""
    return _plain(f"{loss.result}{by}") + f" (turn {loss.turn}, event {loss.event})."


def _kept_back(token: str | None) -> str:
    was = f"it was token {_plain(token)}" if token else "it was hidden" if token == HIDDEN else "it was out of sight"
    return f" **Kept back from the firer until the end of the game** (S11.4): {was}."


def _dice(dice: SideDice) -> Iterator[str]:
    if dice.sighting.rolls:
        yield f"Sighting: {_rolls(dice.sighting, 'roll', USUAL_D100)}; {_success(dice.sighting, 'succeeded')}"
    if dice.to_hit.rolls:
        yield f"To Hit: {_rolls(dice.to_hit, 'throw', USUAL_2D6)}; {_success(dice.to_hit, 'hit')}"
    if dice.effect.rolls:
        yield f"Effect: {_rolls(dice.effect, 'throw', USUAL_2D6)}"
    if dice.typed or dice.thrown:
        yield f"In all {dice.typed} dice typed and {dice.thrown} thrown by the machine"


def _rolls(count: Count, what: str, usual: Fraction) -> str:
    mean = _decimal(count.mean or Fraction(0))
    return f"{count.rolls} {what}{'' if count.rolls == 1 else 's'}, mean {mean} (usual {_decimal(usual)})"


def _success(count: Count, what: str) -> str:
    return f"{count.succeeded} of {count.tries} {what}, {_decimal(count.expected)} expected"


def _decimal(value: Fraction) -> str:
    """A number to two decimals at most.

    >>> _decimal(Fraction(101, 2)), _decimal(Fraction(1, 3)), _decimal(Fraction(10))
    ('50.5', '0.33', '10')
    """
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def _why(said: Said) -> str:
    return f" Why: {_sentence(said.why)}" if said.why else " No reason given."


def _overruling(said: Said) -> str:
    fate = f" *{_plain(said.fate).capitalize()}.*" if said.fate else ""
    return f"{_event(said)}, on event {said.about}: {_sentence(said.text)}{_why(said)}{fate}"


def _taken_back(said: Said) -> str:
    return f"{_event(said)}: {_sentence(said.text)} Taken back by event {said.about}.{_why(said)}"


def _new_dice(said: Said) -> str:
    return f"{_event(said)}, for event {said.about}: {_sentence(said.text)}{_why(said)}"


def _secrets(report: Report) -> Iterator[str]:
    for setup in report.setups:
        sealed = f"sealed with {_plain(setup.words)}" if setup.words else "not sealed"
        yield f"Set-up of {_plain(setup.side)}, {_plain(setup.name)}: {sealed}"
    for side, seed in sorted(report.seeds.items()):
        yield f"Seed of {_plain(side)}: {_plain(seed)}"
    yield f"The SHA-256 of the key, shown at the start: {report.key_hash}"
    yield f"The key: {report.key}" if report.key else "The key is shown when the game ends"


def _house_rules(report: Report) -> Iterator[str]:
    for row in report.house_rules:
        yield f"{_plain(row.name)}: {_plain(row.label)} ({_plain(row.rule)}), {_times(row)}"
    if report.house_removed:
        yield f"Taken out of the tables: {_plain(', '.join(report.house_removed))}"


def _number(number: Number) -> str:
    return f"{number.value:g} {_plain(number.label)} ({_plain(number.rule)}, {_plain(number.source)}), {_times(number)}"


def _times(used: HouseRule | Number) -> str:
    return f"used {'once' if used.times == 1 else f'{used.times} times'}"


def _boresight(spot: BoreSight) -> str:
    lost = f"; lost: {_plain(spot.lost.why)} ({spot.lost.rule})" if spot.lost else ""
    return f"{_plain(spot.unit)} {_plain(spot.weapon)} on {_place(spot.spot)}{lost}"
