"""`minis start, log, verify, turn, end, undo, redo, overrule, newdice, seed, note`: a game as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minis.cli.games import (
    event_text,
    game_file_option,
    open_game,
    open_game_for_side,
    record,
    why_option,
)
from minis.cli.options import SIDE, json_option, print_json, side_option
from minis.errors import BadInput, MinisError, Mistake, bad

if TYPE_CHECKING:
    from minis.game.game import Game
    from minis.game.log import Entry
    from minis.game.seals import Seal
    from minis.game.setup import Setup
    from minis.game.state import State
    from minis.game.timeline import Timeline
    from minis.game.turns import ToDo


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path))
@click.argument("game", type=click.Path(path_type=Path))
@click.option("--setup", "setups", multiple=True, metavar="SIDE=FILE", help="The set-up of a side, sealed or not.")
@click.option(
    "--seal",
    "words",
    multiple=True,
    metavar="SIDE=WORDS",
    help="The words of its seal, as the opponent wrote them down.",
)
@click.option("--seed", "seeds", multiple=True, metavar="SIDE=WORDS", help="What a side adds to the machine's dice.")
@click.option("--first", type=SIDE, metavar="SIDE", help="The side that moves first; else the first by name.")
@click.option("--tables", "house", type=click.Path(path_type=Path), metavar="DIR", help="House rules of this game.")
@side_option
@json_option
def start(
    scenario: Path,
    game: Path,
    setups: tuple[str, ...],
    words: tuple[str, ...],
    seeds: tuple[str, ...],
    first: str | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Start a GAME file from a SCENARIO: the journal of everything that happens."""
    from minis.game.control import seed
    from minis.game.game import Game
    from minis.game.opening import new_key, prepare

    if as_side is not None:
        raise MinisError("only the judge starts a game: leave out --as, and unset MINIS_SIDE")
    key = new_key()
    laid = _setups(_pairs(setups, "--setup"), _pairs(words, "--seal"))
    given = _pairs(seeds, "--seed")
    opening = prepare(scenario, house=house, setups=laid, first=first, key=key)
    for side in given:
        if side not in opening.order:
            raise bad(f"there is no side {side!r}; known: {', '.join(opening.order)}", file="--seed")
    with Game.begin(game, opening, key) as begun:
        for side, text in given.items():
            seed(begun, side, text)
        if as_json:
            print_json({"game": str(game), "order": list(opening.order), "key_hash": opening.data["key_hash"]})
            return
        for event in begun.timeline.events:
            click.echo(event_text(event))
        for caution in opening.board.cautions:
            click.echo(f"      note: {caution}")
        click.echo(f"\nIt is kept in {game}. Say so once for all: export MINIS_GAME={game}")


def _pairs(given: tuple[str, ...], option: str) -> dict[str, str]:
    """SIDE=WORDS as typed, one for a side."""
    found: dict[str, str] = {}
    for text in given:
        side, equals, value = text.partition("=")
        if not equals or not side.strip() or not value.strip():
            raise bad(f"expected SIDE=…, not {text!r}", file=option)
        if side.strip() in found:
            raise bad(f"{side.strip()} is named twice", file=option)
        found[side.strip()] = value.strip()
    return found


def _setups(files: dict[str, str], words: dict[str, str]) -> list[tuple[Setup, Seal | None]]:
    """Set-ups with their seals: that of the file beside it, checked against the words that the opponent has."""
    from minis.cli.seal import read_seal, seal_path
    from minis.game.seals import Seal, read_words
    from minis.game.setup import read_setup

    for side in words:
        if side not in files:
            raise bad(
                f"there is no set-up of {side} that the words could seal; give --setup {side}=FILE", file="--seal"
            )
    found: list[tuple[Setup, Seal | None]] = []
    for side, name in files.items():
        path = Path(name)
        setup = read_setup(path)
        if setup.side != side:
            raise bad(f"this is the set-up of {setup.side}, not of {side}", file=name)
        seal = Seal(*read_seal(path)) if side in words or seal_path(path).exists() else None
        if seal is not None and side in words and read_words(words[side], file="--seal") != seal.words:
            raise bad(f"the words are not those of the seal of {name}: {side} sealed another set-up", file="--seal")
        found.append((setup, seal))
    return found


# --- the turn ------------------------------------------------------------------------------------------------------


@click.group(invoke_without_command=True)
@game_file_option
@click.pass_context
def turn(ctx: click.Context, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Turn and phase, and what is still to do; `minis turn next` goes on."""
    if ctx.invoked_subcommand is not None:
        return
    from minis.game.turns import to_do

    with open_game(game, as_side) as opened:
        _print_turn(opened.state, to_do(opened.state), as_json=as_json)


def _print_turn(state: State, left: list[ToDo], *, as_json: bool) -> None:
    phase = state.phase
    if as_json:
        print_json({
            "turn": state.turn, "phase": phase.row.id if phase else None, "side": phase.side if phase else None,
            "ended": state.ended, "to_do": [_raw(one) for one in left],
        })  # fmt: skip
        return
    click.echo(("The game has ended" if state.ended else state.when.capitalize()) + ".")
    for line in left:
        click.echo(f"  {line.words}")


def _raw(one: ToDo) -> dict[str, Any]:
    return {"kind": one.kind, "unit": one.unit, "about": list(one.about), "event": one.event, "words": one.words}


def _summary(left: list[ToDo]) -> list[str]:
    """What was left undone in a phase that ends, a line for each kind."""
    lines = [one.words for one in left if one.kind == "effect"]
    for kind, one, several in (
        ("sighting", "may still try to sight somebody", "may still try to sight somebody"),
        ("hidden", "is hidden and has a line of sight to an enemy", "are hidden and have a line of sight to an enemy"),
    ):
        names = [todo.unit for todo in left if todo.kind == kind]
        if names:
            shown = (
                ", ".join(names) if len(names) <= SHOWN else f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"
            )
            lines.append(f"{shown} {one if len(names) == 1 else several}")
    return lines


SHOWN = 6
"""So many names of a list are printed."""


@turn.command("next")
@game_file_option
def turn_next(game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Go on to the next phase; what was not done in this one is said and may be done still."""
    from minis.game.turns import to_do

    with open_game(game, as_side) as opened:
        left = to_do(opened.state, brief=True)
        outcome, event = opened.act("turn", {})
        if as_json:
            print_json(outcome.answer | {"event": event.seq if event else None, "not_done": _summary(left)})
            return
        for line in _summary(left):
            click.echo(f"      not done: {line}")
        if event is not None:
            click.echo(event_text(event))


@click.command()
@click.argument("words", nargs=-1, required=True)
@game_file_option
def note(words: tuple[str, ...], game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Write a remark into the log."""
    record(game, as_side, "note", {"text": " ".join(words)}, as_json=as_json)


@click.command()
@game_file_option
def end(game: Path | None, as_side: str | None, as_json: bool) -> None:
    """End the game: the key of the machine's dice is shown, and everything may be told."""
    with open_game(game, as_side) as opened:
        key = opened.chance.key.hex()
    record(game, as_side, "end", {"key": key}, as_json=as_json)


# --- events about events -------------------------------------------------------------------------------------------


def _control(game: Path | None, as_side: str | None, act: Any, *, as_json: bool) -> None:
    with open_game(game, as_side) as opened:
        event = act(opened)
        if as_json:
            rest = {name: value for name, value in event.data.items() if name != "event"}
            print_json({"event": event.seq, "kind": event.kind, "of": event.data.get("event"), **rest})
        else:
            click.echo(event_text(event))


@click.command()
@click.argument("event", type=click.IntRange(1), required=False)
@why_option
@game_file_option
def undo(event: int | None, why: str, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Take back the last event, or EVENT; refused where later events rest on it. Its dice stay with their question."""
    from minis.game.control import undo as take_back

    _control(game, as_side, lambda opened: take_back(opened, event, why), as_json=as_json)


@click.command()
@click.argument("event", type=click.IntRange(1), required=False)
@why_option
@game_file_option
def redo(event: int | None, why: str, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Let EVENT count again, or the last one that was taken back."""
    from minis.game.control import redo as bring_back

    _control(game, as_side, lambda opened: bring_back(opened, event, why), as_json=as_json)


@click.command()
@click.argument("event", type=click.IntRange(1))
@click.option("--to", required=True, metavar="RESULT", help="sighted, not sighted, hit or miss.")
@click.option("--why", required=True, metavar="WORDS", help="The reason; it stands in the log.")
@game_file_option
def overrule(event: int, to: str, why: str, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """The judge's word on what EVENT came to."""
    from minis.game.control import overrule as judge

    _control(game, as_side, lambda opened: judge(opened, event, to, why), as_json=as_json)


@click.command()
@click.argument("event", type=click.IntRange(1))
@click.option("--why", required=True, metavar="WORDS", help="The reason; it stands in the log.")
@game_file_option
def newdice(event: int, why: str, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Order new dice for the question of EVENT, which was taken back: a die that fell off the table."""
    from minis.game.control import new_dice

    _control(game, as_side, lambda opened: new_dice(opened, event, why), as_json=as_json)


@click.command()
@click.argument("side", type=SIDE)
@click.argument("words", nargs=-1, required=True)
@game_file_option
def seed(side: str, words: tuple[str, ...], game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Let SIDE add WORDS of its own to the machine's dice, before the first is thrown."""
    from minis.game.control import seed as add

    _control(game, as_side, lambda opened: add(opened, side, " ".join(words)), as_json=as_json)


# --- the log, the proof --------------------------------------------------------------------------------------------


@click.command()
@click.option("--turn", "number", type=click.IntRange(0), metavar="N", help="One turn; 0 is the set-up.")
@click.option("--full", is_flag=True, default=False, help="With every sum, item by item.")
@click.option("--markdown", is_flag=True, default=False, help="As Markdown.")
@click.option("--salvage", "damaged", is_flag=True, default=False, help="What can still be read of a damaged file.")
@game_file_option
def log(
    number: int | None, full: bool, markdown: bool, damaged: bool, game: Path | None, as_side: str | None, as_json: bool
) -> None:  # fmt: skip
    """What happened, event by event; with --as SIDE what that side saw of it."""
    if as_json and (markdown or full):
        raise bad("--json prints everything: it goes with neither --markdown nor --full", file="--json")
    if as_side is not None:
        if damaged:
            raise MinisError("only the judge reads what is left of a damaged file: leave out --as")
        _side_log(game, as_side, number, markdown=markdown, as_json=as_json)
        return
    from minis.game.log import entries

    if damaged:
        _salvage(game, number, full=full, as_json=as_json)
        return
    with open_game(game) as opened:
        if as_json:
            print_json(_raw_log(opened.timeline, number))
            return
        found = entries(opened.timeline, number)
        click.echo(_markdown(opened, found, full=full) if markdown else _text(found, full=full))


def _salvage(game: Path | None, number: int | None, *, full: bool, as_json: bool) -> None:
    """What can still be read of a damaged game, and where the damage is; the file stays as it is."""
    from minis.game.log import entries
    from minis.game.salvage import salvage
    from minis.game.timeline import Timeline

    if game is None:
        raise bad("name the game file with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    found = salvage(game)
    timeline = Timeline(list(found.events))
    if as_json:
        print_json({"damage": list(found.damage), "events": _raw_log(timeline, number)})
        return
    for line in found.damage:
        click.echo(f"damage: {line}", err=True)
    click.echo(_text(entries(timeline, number), full=full))


def _raw_log(timeline: Timeline, number: int | None) -> list[dict[str, Any]]:
    return [
        {
            "event": event.seq, "time": event.time, "kind": event.kind, "counts": event.seq not in timeline.undone,
            "overruled_by": timeline.overruled[event.seq].seq if event.seq in timeline.overruled else None,
            "hash": event.hash, **event.data,
        }
        for event in timeline.events
        if number is None or event.data.get("turn", 0) == number
    ]  # fmt: skip


def _text(found: list[Entry], *, full: bool) -> str:
    lines: list[str] = []
    when = ""
    for entry in found:
        begins = entry.kind == "turn" and not entry.fate
        if entry.when != when and not begins:
            lines.append(f"--- {entry.when}")
        when = entry.when
        fate = f"   [{entry.fate}]" if entry.fate else ""
        lines.append(f"{entry.number:>4}  {'--- ' if begins else ''}{entry.line}{fate}")
        if full or entry.kind in ("move", "effect", "turn", "start"):
            lines += [f"      {text}" for text in entry.behind]
    return "\n".join(lines)


def _markdown(opened: Game, found: list[Entry], *, full: bool) -> str:
    lines = [f"# {opened.start.title}", ""]
    when = ""
    for entry in found:
        if entry.when != when:
            when = entry.when
            lines += ["", f"## {when.capitalize()}", ""]
        line = f"~~{entry.line}~~ *{entry.fate}*" if entry.fate == "taken back" else entry.line
        line += f" *{entry.fate}*" if entry.fate and entry.fate != "taken back" else ""
        lines.append(f"- **{entry.number}** {line}")
        if full or entry.kind in ("move", "effect", "turn", "start"):
            lines += [f"  - {text}" for text in entry.behind]
    return "\n".join(lines)


def _side_log(game: Path | None, side: str, number: int | None, *, markdown: bool, as_json: bool) -> None:
    """The log as a side saw it."""
    from minis.game.side_log import side_log

    with open_game_for_side(game, side) as opened:
        found = [
            entry
            for entry in side_log(opened.start, opened.order, opened.timeline, side)
            if number is None or entry.turn == number
        ]
        title = opened.start.title
    if as_json:
        print_json([{"number": e.number, "turn": e.turn, "when": e.when, "lines": list(e.lines)} for e in found])
        return
    lines = [f"# {title}", ""] if markdown else []
    for entry in found:
        for line in entry.lines:
            lines.append(f"- **{entry.number}** {line}" if markdown else f"{entry.number:>4}  {line}")
    click.echo("\n".join(lines))


@click.command()
@click.argument("game", type=click.Path(path_type=Path), envvar="MINIS_GAME")
@side_option
@json_option
def verify(game: Path, as_side: str | None, as_json: bool) -> None:
    """Prove a GAME: the chain of its events, every ruling, every die, the seals of its set-ups."""
    from minis.game.chain import Damaged
    from minis.game.verify import verify as prove

    if as_side is not None:
        with open_game_for_side(game, as_side) as opened:
            if not opened.state.ended:
                raise MinisError("a side proves the game when it has ended: the journal holds what it may not know")
    try:
        with open_game(game) as opened:
            proof = prove(opened)
    except Damaged as damage:
        hint = f"what can still be read: minis log --salvage -g {game}"
        raise BadInput([*damage.mistakes, Mistake(hint, file=str(game))]) from None
    if as_json:
        fault = {"event": proof.fault.event, "what": proof.fault.what} if proof.fault else None
        print_json({
            "game": str(game), "events": proof.events, "rulings": proof.rulings, "thrown": proof.thrown,
            "typed": proof.typed, "seals": proof.seals, "key_shown": proof.key_shown, "fault": fault,
            "remarks": list(proof.remarks),
        })  # fmt: skip
    elif proof.fault:
        click.echo(f"Event {proof.fault.event} is wrong: {proof.fault.what}.")
    else:
        click.echo(f"{game}: everything holds.")
        click.echo(f"  {proof.events} events in one chain, {proof.rulings} of them ruled upon again")
        click.echo(f"  dice: {proof.thrown} thrown, all those of the key; {proof.typed} typed")
        if proof.seals:
            click.echo(f"  sealed set-ups: {proof.seals}, nothing was moved")
        if not proof.key_shown:
            click.echo("  the key of the dice is still the judge's: it is shown when the game ends")
    for remark in () if as_json else proof.remarks:
        click.echo(f"  note: {remark}")
    if proof.fault:
        click.get_current_context().exit(1)
