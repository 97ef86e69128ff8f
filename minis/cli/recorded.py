"""Sightings and shots on a game file: asked, or recorded as events with their dice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minis.cli import fire_text, text
from minis.cli.options import print_json

if TYPE_CHECKING:
    from minis.fire.volley import Fired
    from minis.game.chain import Event
    from minis.game.game import Game
    from minis.sight.attempt import Attempt

Dice = dict[str, list[int]]


def is_recorded(path: Path | None, as_side: str | None) -> bool:
    """Whether a command is put to a game file by the judge, so that what it comes to is recorded."""
    from minis.game.journal import is_game

    return path is not None and as_side is None and is_game(path)


def sight_in_game(
    path: Path, kind: str, asked: dict[str, Any], dice: Dice, *, throws: bool, ask: bool, as_json: bool
) -> None:
    """A sighting or an identification on a game file; with `ask` only the answer."""
    from minis.game.game import Game
    from minis.sight.answers import attempt_answer

    with Game.open(path) as game:
        outcome, event = (game.ask(kind, asked, dice), None) if ask else game.act(kind, asked, dice, throws=throws)
        found: Attempt = outcome.shown
        scene = _scene(game, event)
        if as_json:
            print_json(attempt_answer(scene, found) | {"event": event.seq if event else None})
            return
        click.echo(text.attempt_text(scene, found))
        _say_recorded(event)


def fire_in_game(path: Path, asked: dict[str, Any], dice: Dice, *, throws: bool, ask: bool, as_json: bool) -> None:
    """A shot on a game file; with `ask` only the answer. Exit status 1 where the rules refuse it."""
    from minis.fire.answers import table_shot_answer
    from minis.game.game import Game

    with Game.open(path) as game:
        outcome, event = (game.ask("fire", asked, dice), None) if ask else game.act("fire", asked, dice, throws=throws)
        fired: list[Fired] = outcome.shown
        scene = _scene(game, event)
        if as_json:
            answers = [table_shot_answer(scene, one.found, one.throw, one.rolls, one.effect) for one in fired]
            more = {"others": answers[1:]} if len(answers) > 1 else {}
            open_ones, blinded = outcome.answer["open"], outcome.answer["blinded"]
            print_json(
                answers[0] | more | {"event": event.seq if event else None, "open": open_ones, "blinded": blinded}
            )
        else:
            said = [fire_text.table_shot_text(scene, one.found, one.throw, one.effect) for one in fired]
            click.echo("\n\n".join(said))
            for name in outcome.answer["blinded"]:
                click.echo(text.columns(f"  {name} is blinded by smoke for this turn", "S8.5"))
            for x, y in outcome.answer["smoke_at"]:
                click.echo(f"  place its smoke with: minis smoke place --at {x:g},{y:g}")
            _say_recorded(event, outcome.answer["open"])
    if fired[0].found.refusal is not None:
        click.get_current_context().exit(1)


def _scene(game: Game, event: Event | None) -> Any:
    """The table as it was when an act was ruled upon."""
    from minis.game.control import state_before

    return game.state.scene if event is None else state_before(game, event).scene


def _say_recorded(event: Event | None, open_effects: list[str] | None = None) -> None:
    """The number of the event, and what is left to do about it."""
    if event is None:
        return
    click.echo(f"  recorded as event {event.seq}")
    for name in open_effects or ():
        target = f" --target {name}" if len(open_effects or ()) > 1 else ""
        click.echo(f"  take the effect on {name} with: minis effect {event.seq}{target}")
