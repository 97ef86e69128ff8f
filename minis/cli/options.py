"""What the commands share: options, parameter types, how an answer is printed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from minis.dice import D6, Roll, parse_d100, parse_two_dice, typed
from minis.dice import throw as throw_die
from minis.errors import BadInput, MinisError, bad
from minis.lengths import parse_length

if TYPE_CHECKING:
    from minis.board import Board
    from minis.board.units import Unit
    from minis.game.act import Box
    from minis.sight.scene import Scene

Command = TypeVar("Command", bound=Callable[..., Any])


class LengthType(click.ParamType[float]):
    """A length in inches as a judge types it."""

    name = "length"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Inches, or a usage error."""
        if isinstance(value, float):
            return value
        try:
            return parse_length(str(value))
        except BadInput as error:
            self.fail(str(error), param, ctx)


class D100Type(click.ParamType[int]):
    """A percentile roll as it is read off the dice."""

    name = "d100"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The face, or a usage error."""
        if isinstance(value, int):
            return value
        try:
            return parse_d100(str(value))
        except BadInput as error:
            self.fail(str(error), param, ctx)


class UnitType(click.ParamType[str]):
    """The id of a unit; the shell completes those of the scenario."""

    name = "unit"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The id as it is; the scenario says whether there is such a unit."""
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Ids of the scenario's units that begin with what is typed; none where it cannot be read."""
        return [CompletionItem(name) for name in _unit_ids(ctx) if name.startswith(incomplete)]


class SideType(click.ParamType[str]):
    """The name of a side; the shell completes those of the scenario."""

    name = "side"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is."""
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Sides of the scenario that begin with what is typed."""
        return [CompletionItem(name) for name in _unit_ids(ctx, key="side") if name.startswith(incomplete)]


def _unit_ids(ctx: click.Context, key: str = "id") -> list[str]:
    """Ids (or sides) of the units in the scenario that is meant, read without any check; for a side those it sees."""
    import tomllib

    path = ctx.params.get("game") or os.environ.get("MINIS_GAME")
    as_side = ctx.params.get("as_side") or os.environ.get("MINIS_SIDE")
    try:
        if as_side:
            board = load_board(Path(str(path)), ctx.params.get("house"), as_side)
            return sorted({str(getattr(unit, key)) for unit in board.units})
        units = tomllib.loads(Path(str(path)).read_text(encoding="utf-8")).get("unit", [])
        return sorted({str(unit[key]) for unit in units if key in unit})
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):  # a MinisError is a ValueError
        return []  # completion has nothing to say; the command itself will


class TwoDiceType(click.ParamType[tuple[int, int]]):
    """Two dice told apart: the coloured one, then the white one."""

    name = "c,w"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """The two faces, or a usage error."""
        if isinstance(value, tuple):
            return value
        try:
            return parse_two_dice(str(value))
        except BadInput as error:
            self.fail(str(error), param, ctx)


LENGTH, D100, UNIT, SIDE, TWO_DICE = LengthType(), D100Type(), UnitType(), SideType(), TwoDiceType()


def side_option(command: Command) -> Command:
    """--as: the answer as one side may know it."""
    # no completion: a list of sides would tell of one whose units are all hidden
    return click.option(
        "--as", "as_side", envvar="MINIS_SIDE", metavar="SIDE", is_eager=True,
        help="Answer with what this side may know (or set MINIS_SIDE); else as the judge.",
    )(command)  # fmt: skip


def game_option(command: Command) -> Command:
    """-g/--game, --tables and --as: the scenario, its house rules, and who asks."""
    command = side_option(command)
    command = click.option(
        "--tables", "house", type=click.Path(path_type=Path), metavar="DIR", help="House rules laid over the tables."
    )(command)
    return click.option(
        "-g", "--game", type=click.Path(path_type=Path), envvar="MINIS_GAME", metavar="PATH", is_eager=True,
        help="The scenario file (or set MINIS_GAME).",
    )(command)  # fmt: skip


def json_option(command: Command) -> Command:
    """--json: the answer as data."""
    return click.option("--json", "as_json", is_flag=True, default=False, help="Print the answer as JSON.")(command)


def dice_options(command: Command) -> Command:
    """--dice, --smoke-die and --roll: typed or thrown dice."""
    command = click.option("--roll", "throws", is_flag=True, default=False, help="Throw the dice that are not typed.")(
        command
    )
    command = click.option(
        "--smoke-die",
        "smoke_faces",
        type=D100,
        multiple=True,
        metavar="N",
        help="The smoke die as rolled on the table.",
    )(command)
    return click.option(
        "--dice",
        "face",
        type=D100,
        default=None,
        metavar="N",
        help="The percentile dice as rolled on the table; 00 is 100.",
    )(command)


def ask_option(command: Command) -> Command:
    """--ask: on a game file, only the answer."""
    return click.option(
        "--ask", is_flag=True, default=False, help="Only ask: on a game file, record nothing and throw nothing."
    )(command)


def rolls(
    face: int | None, smoke_faces: tuple[int, ...], throws: bool, smoke_wanted: int, *, die_wanted: bool = True
) -> tuple[list[Roll], Roll | None]:
    """Smoke dice and the sighting die: what was typed, and with --roll the rest thrown."""
    smoke = [typed("smoke", value) for value in smoke_faces]
    if throws:
        smoke += [throw_die("smoke") for _ in range(smoke_wanted - len(smoke))]
    if face is not None:
        return smoke, typed("sighting", face)
    return smoke, throw_die("sighting") if throws and die_wanted else None


def shot_dice_options(command: Command) -> Command:
    """--dice, --then and --roll: the dice of a shot, typed or thrown."""
    command = click.option("--roll", "throws", is_flag=True, default=False, help="Throw the dice that are not typed.")(
        command
    )
    command = click.option(
        "--then", "further", type=click.IntRange(1, D6), metavar="N", help="The further die, where one is called for."
    )(command)
    return click.option(
        "--dice", "dice", type=TWO_DICE, metavar="C,W", help="The coloured and the white die as rolled on the table."
    )(command)


def effect_options(command: Command) -> Command:
    """--effect-dice and --no-effect: the second step of a shot."""
    command = click.option("--no-effect", is_flag=True, default=False, help="Stop after the hit.")(command)
    return click.option(
        "--effect-dice",
        "effect_dice",
        type=TWO_DICE,
        multiple=True,
        metavar="C,W",
        help="The two dice of the effect of a hit; twice for two hits.",
    )(command)


def shot_box(
    dice: tuple[int, int] | None,
    further: int | None,
    effect_dice: tuple[tuple[int, int], ...],
    *,
    throws: bool,
    no_effect: bool,
) -> Box:
    """The dice of a shot: what was typed, and with --roll the rest thrown."""
    from minis.game.act import Box

    if effect_dice and no_effect:
        raise bad("--effect-dice and --no-effect exclude each other", file="--effect-dice")
    typed_dice = {
        "coloured": [dice[0]] if dice else [], "white": [dice[1]] if dice else [],
        "further": [] if further is None else [further], "effect": [face for pair in effect_dice for face in pair],
    }  # fmt: skip
    return Box(typed_dice, (lambda purpose, number, faces: throw_die(purpose, faces).face) if throws else None)


def check_shot_box(box: Box) -> None:
    """Raise BadInput for dice of a shot that it did not call for."""
    if len(box.typed["further"]) > box.used.get("further", 0):
        thrown = "coloured" in box.used
        message = "this throw calls for no further die" if thrown else "the further die goes with --dice or --roll"
        raise bad(message, file="--then")
    used, given = box.used.get("effect", 0), len(box.typed["effect"])
    if not used and given:
        raise bad("there is no hit whose effect is to be resolved", file="--effect-dice")
    if used < given:
        raise bad(f"{given // 2} pairs of dice are given for {used // 2} hit", file="--effect-dice")


def pairs_of(rolls: Sequence[Roll]) -> list[tuple[int, int]]:
    """Dice two by two."""
    return [(one.face, other.face) for one, other in zip(rolls[::2], rolls[1::2], strict=True)]


def load_scene(game: Path | None, house: Path | None, as_side: str | None = None) -> Scene:
    """The scene of the scenario that was named: the whole of it, or what a side may know."""
    from minis.sight.scene import Scene

    if game is None:
        raise bad("name the scenario with -g FILE, or in the environment variable MINIS_GAME", file="-g")
    return Scene(load_board(game, house, as_side))


def load_board(game: Path, house: Path | None, as_side: str | None = None) -> Board:
    """The board of a scenario: the whole of it, or what a side may know.

    Raises BadInput with every mistake; to a side one that tells nothing of what stands in the file.
    """
    if as_side is None:
        return _board_of(game, house)
    from minis.game.views import board_for

    try:
        board = _board_of(game, house)
    except MinisError:
        if not os.path.exists(game):
            raise  # that there is no such file is no secret
        message = "cannot be shown: it has mistakes; the judge's `minis check` lists them"
        raise bad(message, file=str(game)) from None
    return board_for(board, as_side)


def _board_of(game: Path, house: Path | None) -> Board:
    """The table of a scenario file, or that of a game file as it stands."""
    from minis.game.journal import is_game

    if is_game(game):
        from minis.game.game import Game

        if house is not None:
            raise bad("a game keeps the house rules it was started with", file="--tables")
        with Game.open(game) as opened:
            return opened.state.board
    from minis.board import read_board

    return read_board(game, house=house)


def refuse_unknown(unit: Unit) -> None:
    """Raises Refused where a side asks of a token what only the judge knows (S11.5)."""
    from minis.fire.refused import Refused
    from minis.sight.attempt import UNKNOWN_RULE, unknown_words

    if unit.unknown:
        raise Refused(UNKNOWN_RULE, unknown_words(unit))


def print_json(answer: Any) -> None:
    """An answer as one JSON document."""
    click.echo(json.dumps(answer, ensure_ascii=False, indent=2))
