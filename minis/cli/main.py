"""`minis`: the group of commands, each loaded only when it is called."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from minis import __version__
from minis.cli.lazy import LazyGroup
from minis.errors import BadInput, MinisError

COMMANDS = {
    "check": ("minis.cli.board", "Check a scenario: every mistake at once."),
    "measure": ("minis.cli.board", "Distance, bearing and levels of two units."),
    "los": ("minis.cli.sight", "The line of sight between two units."),
    "sight": ("minis.cli.sight", "A sighting attempt: need, chance, result."),
    "identify": ("minis.cli.sight", "An identification attempt (S10)."),
    "hulldown": ("minis.cli.sight", "Whether a vehicle is hull down."),
    "watch": ("minis.cli.watch", "Hidden units that have a line of sight to an enemy (S12.2)."),
    "sweep": ("minis.cli.sight", "A whole sighting phase of one side."),
    "fire": ("minis.cli.fire", "A shot: the number to hit, every case, the odds."),
    "exposure": ("minis.cli.fire", "Where along its path a target is in sight, and for how many MP."),
    "seal": ("minis.cli.seal", "Seal a set-up: twelve words that commit a player to it."),
    "start": ("minis.cli.game", "Start a game from a scenario."),
    "turn": ("minis.cli.game", "Turn and phase, what is still to do; `turn next` goes on."),
    "move": ("minis.cli.acts", "Move a unit: who sees it along its path, what it meets."),
    "effect": ("minis.cli.acts", "Take the effect of a hit."),
    "smoke": ("minis.cli.acts", "Place smoke, let it drift, take it off."),
    "place": ("minis.cli.acts", "Place a hidden unit, or the unit under a token."),
    "load": ("minis.cli.acts", "Load a passenger, or hitch a gun."),
    "unload": ("minis.cli.acts", "Let a passenger off, or unhitch a gun."),
    "set": ("minis.cli.acts", "Set facts of a unit by hand."),
    "weapon": ("minis.cli.acts", "A weapon malfunctions, is out of ammunition, is ready."),
    "boresight": ("minis.cli.acts", "Bore sight a weapon at set-up."),
    "remove": ("minis.cli.acts", "Take a unit out of the game."),
    "note": ("minis.cli.game", "Write a remark into the log."),
    "undo": ("minis.cli.game", "Take back an event."),
    "redo": ("minis.cli.game", "Let an event count again."),
    "overrule": ("minis.cli.game", "The judge's word on what an event came to."),
    "newdice": ("minis.cli.game", "Order new dice for a question."),
    "seed": ("minis.cli.game", "A side adds to the machine's dice."),
    "play": ("minis.cli.play", "A prompt for the table: short verbs for every command."),
    "show": ("minis.cli.report", "The table as it stands: turn, units, smoke."),
    "report": ("minis.cli.report", "The game told at its end: tokens, losses, dice."),
    "log": ("minis.cli.game", "What happened, event by event."),
    "end": ("minis.cli.game", "End the game; the key of the dice is shown."),
    "verify": ("minis.cli.game", "Prove a game: chain, rulings, dice, seals."),
    "plan": ("minis.cli.plan", "What a position is worth: fields of fire, lanes, hidden set-ups."),
    "draw": ("minis.cli.draw", "Pictures: the table, a sight line, dead ground, fields of fire, plans."),
    "import": ("minis.cli.importing", "A table from real ground or from another tool's map."),
    "export": ("minis.cli.exporting", "The table for other tools."),
    "fmt": ("minis.cli.upkeep", "Lay scenario files out in one order and layout, comments kept."),
    "merge": ("minis.cli.upkeep", "Two scenarios as one."),
    "crop": ("minis.cli.upkeep", "A part of a table as a table of its own."),
    "lint": ("minis.cli.upkeep", "What is sound in a scenario and may not be meant so."),
    "serve": ("minis.cli.serve", "The judge's page and a page for each side, on tablets and phones."),
    "tape": ("minis.cli.tape", "Rulings from a tape measure, without a table."),
    "tables": ("minis.cli.tables", "The rule tables with their sources."),
    "sheet": ("minis.cli.sheet", "Play aids for the table: charts, cases, today's switches and house rulings."),
    "schema": ("minis.cli.board", "The JSON Schema of a scenario file."),
}
"""Every command: the module that holds it, and its line of help."""

NAMES = {"set": "set_facts", "import": "import_"}
"""Commands whose function has another name, since theirs is a word of Python."""


class Minis(LazyGroup):
    """All commands: what goes wrong in one ends with its message on standard error, never with a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; bad input ends with its message on standard error and exit status 2."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _let_go_of_the_pipe()
            ctx.exit(0)
        except BadInput as error:
            click.echo(error, err=True)
            ctx.exit(2)
        except MinisError as error:
            click.echo(error, err=True)
            ctx.exit(1)


TABLE = {name: (module, NAMES.get(name, name), words) for name, (module, words) in COMMANDS.items()}
"""The same with the function of each."""


@click.group(cls=Minis, table=TABLE, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="minis")
def cli() -> None:
    """The judge's tool for a WW2 miniatures table: who sees whom, why, by how much, and at what chance.

    Give the scenario with -g FILE, or once for all in the environment variable MINIS_GAME. Lengths are table inches:
    12.25, 12 1/4, 12-1/4" or 31cm. Every command answers in JSON with --json.
    """


def main() -> None:
    """Run `minis`; a reader that closes the pipe early is no fault."""
    try:
        try:
            cli(prog_name="minis")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _let_go_of_the_pipe()
        sys.exit(0)


def _let_go_of_the_pipe() -> None:
    """Write to nowhere from now on: who read has read enough."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
