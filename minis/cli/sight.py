"""`minis los`, `minis sight`, `minis identify`, `minis hulldown`, `minis sweep`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from minis.cli import text
from minis.cli.games import record
from minis.cli.options import (
    SIDE,
    UNIT,
    ask_option,
    dice_options,
    game_option,
    json_option,
    load_scene,
    print_json,
    refuse_unknown,
    rolls,
)
from minis.cli.recorded import is_recorded, sight_in_game
from minis.errors import bad

if TYPE_CHECKING:
    from minis.board.units import Unit
    from minis.sight.scene import Scene
    from minis.sight.sighting import Procedure


@click.command()
@click.argument("a", type=UNIT)
@click.argument("b", type=UNIT)
@game_option
@json_option
def los(a: str, b: str, game: Path | None, house: Path | None, as_side: str | None, as_json: bool) -> None:
    """The line of sight from unit A to unit B: the verdict, what decides it, and by how much."""
    from minis.sight.answers import los_answer
    from minis.sight.cover import cover_of, hull_down
    from minis.sight.line import sight_line

    scene = load_scene(game, house, as_side)
    one, other = scene.board.unit(a), scene.board.unit(b)
    if one.id == other.id:
        raise bad(f"{one.id} is both ends of the line")
    line = sight_line(scene, one, other)
    cover = cover_of(scene, other, one) if line.clear else ()
    down = hull_down(scene, other, one)
    if as_json:
        print_json(los_answer(scene.board.rules, line, cover=cover, down=down))
    else:
        click.echo(text.los_text(scene, line, cover, down))


def _attempt(
    procedure: Procedure,
    a: str,
    b: str,
    game: Path | None,
    house: Path | None,
    face: int | None,
    smoke_faces: tuple[int, ...],
    throws: bool,
    ask: bool,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Both commands that put an attempt to the rules; on a game file what it comes to is recorded."""
    from minis.sight.answers import attempt_answer
    from minis.sight.attempt import attempt
    from minis.sight.sighting import smoke_dice

    if game is not None and is_recorded(game, as_side):
        asked = {"sighter": a, "target": b}
        dice = {"smoke": list(smoke_faces), "sighting": [] if face is None else [face]}
        sight_in_game(game, procedure, asked, dice, throws=throws, ask=ask, as_json=as_json)
        return
    scene = load_scene(game, house, as_side)
    one, other = scene.board.unit(a), scene.board.unit(b)
    if one.id == other.id:
        raise bad(f"{one.id} is both the sighter and the target")
    first = attempt(scene, one, other, procedure=procedure)
    open_die = first.ruling.outcome == "roll" and first.ruling.chance != 1
    wanted = smoke_dice(first.ruling.facts, scene.board.rules) if first.ruling.outcome == "roll" else 0
    smoke, roll = rolls(face, smoke_faces, throws, wanted, die_wanted=open_die)
    found = attempt(scene, one, other, procedure=procedure, smoke_rolls=smoke, roll=roll) if smoke or roll else first
    if as_json:
        print_json(attempt_answer(scene, found))
    else:
        click.echo(text.attempt_text(scene, found))


@click.command()
@click.argument("a", type=UNIT)
@click.argument("b", type=UNIT)
@dice_options
@ask_option
@game_option
@json_option
def sight(
    a: str, b: str, face: int | None, smoke_faces: tuple[int, ...], throws: bool, ask: bool, game: Path | None,
    house: Path | None, as_side: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Unit A tries to sight unit B: without dice the need and the exact chance, with dice the result."""
    _attempt("sight", a, b, game, house, face, smoke_faces, throws, ask, as_side, as_json)


@click.command()
@click.argument("a", type=UNIT)
@click.argument("b", type=UNIT)
@dice_options
@ask_option
@game_option
@json_option
def identify(
    a: str, b: str, face: int | None, smoke_faces: tuple[int, ...], throws: bool, ask: bool, game: Path | None,
    house: Path | None, as_side: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Unit A tries to identify unit B, a token or a hidden unit (S10)."""
    _attempt("identify", a, b, game, house, face, smoke_faces, throws, ask, as_side, as_json)


@click.command()
@click.argument("u", type=UNIT)
@click.option("--from", "observer", type=UNIT, metavar="A", help="Against this unit; else at every crest and wall.")
@click.option("--manoeuvre", is_flag=True, default=False, help="A hull-down manoeuvre attempt (D4.22).")
@click.option("--die", type=click.IntRange(1, 6), metavar="N", help="The die of the attempt.")
@click.option("--at-set-up", is_flag=True, default=False, help="The attempt is made at set-up.")
@click.option("--armour-leader", type=int, default=0, metavar="DRM", help="DRM of an armour leader.")
@click.option("--centre", type=click.FloatRange(-360, 720), metavar="DEGREES", help="The middle of the protected arc.")
@click.option("--roll", "throws", is_flag=True, default=False, help="In a game: throw the die of the attempt.")
@ask_option
@game_option
@json_option
def hulldown(
    u: str,
    observer: str | None,
    manoeuvre: bool,
    die: int | None,
    at_set_up: bool,
    armour_leader: int,
    centre: float | None,
    throws: bool,
    ask: bool,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Whether vehicle U is hull down: against one unit, or at each crest line and wall it is at."""
    from minis.sight.answers import hull_down_answer
    from minis.sight.cover import hull_down, hull_down_places

    scene = load_scene(game, house, as_side)
    unit = scene.board.unit(u)
    refuse_unknown(unit)
    if not manoeuvre and (die is not None or at_set_up or armour_leader or throws or centre is not None):
        raise bad("--die, --roll, --at-set-up, --armour-leader and --centre go with --manoeuvre")
    if manoeuvre and is_recorded(game, as_side) and not ask and (die is not None or throws):
        asked = {"unit": unit.id, "leader": armour_leader or None, "centre": centre}
        kept = {name: value for name, value in asked.items() if value is not None}
        record(
            game, None, "manoeuvre", kept, {"manoeuvre": [] if die is None else [die]}, throws=throws, as_json=as_json
        )
        return
    if throws:
        raise bad("the die is thrown in a game; here type it with --die N", file="--roll")
    if manoeuvre:
        _manoeuvre(scene, unit, die, at_set_up, armour_leader, centre, as_json)
        return
    if observer is not None:
        found = hull_down(scene, unit, scene.board.unit(observer))
        if as_json:
            print_json(hull_down_answer(scene.board.rules, found))
        else:
            click.echo(text.hull_down_text(scene.board.rules, found))
        return
    places = hull_down_places(scene, unit)
    if as_json:
        print_json([hull_down_answer(scene.board.rules, place) for place in places])
    else:
        click.echo(text.hull_down_places_text(scene.board.rules, unit, places))


def _manoeuvre(
    scene: Scene, unit: Unit, die: int | None, at_set_up: bool, armour_leader: int, centre: float | None, as_json: bool
) -> None:
    """The odds of a hull-down manoeuvre where the unit stands, or the arc that a die protects (F8.4)."""
    from minis.cli import fire_text
    from minis.fire.answers import manoeuvre_answer
    from minis.fire.manoeuvre import conditions_of, granted, manoeuvre, manoeuvre_odds, open_arc, within_open_arc

    if not unit.is_vehicle:
        raise bad(f"{unit.id} is no vehicle: it makes no hull-down manoeuvre")
    rules, kind = scene.board.rules, conditions_of(unit)
    odds = manoeuvre_odds(rules, **kind, armour_leader=armour_leader, at_set_up=at_set_up)
    tried = None
    if die is not None:
        tried = manoeuvre(rules, die, **kind, armour_leader=armour_leader, at_set_up=at_set_up)
    arc = granted(scene, unit, tried, centre=centre) if tried else None
    opened = open_arc(scene, unit)
    odds = within_open_arc(odds, opened)
    if as_json:
        print_json(manoeuvre_answer(unit, opened, odds, tried, arc))
    else:
        click.echo(fire_text.manoeuvre_text(unit, opened, odds, tried, arc))


@click.command()
@click.option("--side", type=SIDE, required=True, metavar="X", help="The side that looks.")
@click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help="Processes to work in; else as many as it pays.")
@game_option
@json_option
def sweep(
    side: str, jobs: int | None, game: Path | None, house: Path | None, as_side: str | None, as_json: bool
) -> None:
    """A whole sighting phase: for every unit of a side whom it sees, whom on a roll, and what hides the rest."""
    from minis.sight.answers import attempt_answer
    from minis.sight.attempt import sighters, targets
    from minis.sight.attempt import sweep as pairs
    from minis.sight.workers import sweep_in_processes

    scene = load_scene(game, house, as_side)
    scene.board.check_side(side)
    progress = _Progress()
    many = len(sighters(scene, side)) * len(targets(scene, side)) > WORTH_PROCESSES
    jobs = jobs or (os.cpu_count() or 1 if many else 1)
    if jobs > 1:
        found = list(sweep_in_processes(scene, side, jobs, progress=progress))
    else:
        found = list(pairs(scene, side, progress=progress))
    progress.close()
    if as_json:
        counts = {word: sum(a.ruling.outcome == word for a in found) for word in ("automatic", "roll", "impossible")}
        answers = [attempt_answer(scene, attempt) for attempt in found]
        print_json({"side": side, "pairs": answers, "counts": counts, "switches": scene.board.rules.not_default})
    else:
        click.echo(text.sweep_text(scene, side, found))


WORTH_PROCESSES = 400
"""From this many pairs on a second process is worth its start."""


class _Progress:
    """A bar on standard error for work that takes more than a second; none where nobody watches."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.bar: object = None

    def __call__(self, done: int, total: int) -> None:
        if not sys.stderr.isatty() or time.monotonic() - self.started < 1.0:
            return
        from rich.console import Console
        from rich.progress import Progress

        if self.bar is None:
            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("lines of sight", total=total)
        if isinstance(self.bar, Progress):
            self.bar.update(self.task, completed=done)

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()  # type: ignore[attr-defined]
