"""`minis fire`: a shot at a sighted target on the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from minis.cli import fire_text
from minis.cli.options import (
    D100,
    UNIT,
    ask_option,
    check_shot_box,
    effect_options,
    game_option,
    json_option,
    load_scene,
    print_json,
    refuse_unknown,
    shot_box,
    shot_dice_options,
)
from minis.cli.recorded import fire_in_game, is_recorded
from minis.errors import bad

if TYPE_CHECKING:
    from minis.fire.measure import Declaration, TableShot
    from minis.sight.scene import Scene

AMMO = ["AP", "HE", "APCR", "APDS", "HEAT", "SMOKE"]
PHASES = ["prep", "defensive_first", "defensive", "advancing", "bounding_first"]


@click.command()
@click.argument("a", type=UNIT)
@click.argument("b", type=UNIT, required=False)
@click.option("--all", "every", is_flag=True, default=False, help="Every target of A with its chance, best first.")
@click.option("--also", "others", type=UNIT, multiple=True, metavar="C", help="Another target of the same dice (F5.5).")
@click.option("--weapon", metavar="ID", help="The weapon; else the first of the unit.")
@click.option("--ammo", type=click.Choice(AMMO, case_sensitive=False), help="Ammunition; else the sensible one.")
@click.option(
    "--type", "kind", type=click.Choice(["vehicle", "infantry", "area"]), help="Target type; else the sensible one."
)
@click.option("--phase", type=click.Choice(PHASES), help="Fire phase; else that of the game, or prep.")
@click.option("--fact", "given", multiple=True, metavar="NAME=VALUE", help="A fact that the table does not show.")
@click.option("--sight-dice", "sight_face", type=D100, metavar="N", help="The sighting roll, where one is needed.")
@click.option("--smoke-die", "smoke_faces", type=D100, multiple=True, metavar="N", help="The sighting's smoke die.")
@shot_dice_options
@effect_options
@click.option("--blind-die", "blind_face", type=D100, metavar="N", help="In a game: the die that blinds (S8.5).")
@ask_option
@game_option
@json_option
def fire(
    a: str,
    b: str | None,
    every: bool,
    others: tuple[str, ...],
    weapon: str | None,
    ammo: str | None,
    kind: str | None,
    phase: str | None,
    given: tuple[str, ...],
    sight_face: int | None,
    smoke_faces: tuple[int, ...],
    dice: tuple[int, int] | None,
    further: int | None,
    throws: bool,
    effect_dice: tuple[tuple[int, int], ...],
    no_effect: bool,
    blind_face: int | None,
    ask: bool,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Unit A fires at unit B: the number to hit, every case, the exact odds, and the result of the dice."""
    from minis.fire.answers import table_shot_answer
    from minis.fire.measure import Declaration, same, same_shot
    from minis.fire.volley import volley

    recorded = game is not None and is_recorded(game, as_side)
    if game is not None and recorded and b is not None and not every:
        asked = {
            "firer": a, "target": b, "also": list(others) or None, "weapon": weapon, "ammo": ammo, "type": kind,
            "phase": phase, "facts": _facts(given) or None, "no_effect": no_effect or None,
        }  # fmt: skip
        faces = {
            "smoke": list(smoke_faces), "sighting": _one(sight_face), "coloured": _one(dice and dice[0]),
            "white": _one(dice and dice[1]), "further": _one(further), "blinding": _one(blind_face),
            "effect": [face for pair in effect_dice for face in pair],
        }  # fmt: skip
        kept = {name: value for name, value in asked.items() if value is not None}
        fire_in_game(game, kept, faces, throws=throws, ask=ask, as_json=as_json)
        return
    if blind_face is not None:
        raise bad("this die is for a shot in a game", file="--blind-die")
    scene = load_scene(game, house, as_side)
    said = Declaration(weapon, cast(Any, ammo), cast(Any, kind), phase or "prep", tuple(_facts(given).items()))
    if every:
        given_dice = dice or throws or further or effect_dice or sight_face or smoke_faces
        if b is not None or others or given_dice:
            raise bad("--all lists the targets of one unit: no target and no dice with it", file="--all")
        _print_all(scene, a, replace(said, phase=phase or ""), game if recorded else None, as_json)
        return
    if b is None:
        raise bad("name the target, or give --all")
    a, b, *further_targets = [scene.board.unit(name).id for name in (a, b, *others)]
    if len({b, *further_targets}) <= len(further_targets):
        raise bad("each target is named once", file="--also")
    shots = [_shot(scene, a, b, said, sight_face, smoke_faces)]
    for name in further_targets:
        shots.append(same_shot(_shot(scene, a, name, same(said, shots[0]), sight_face, smoke_faces)))
    box = shot_box(dice, further, effect_dice, throws=throws, no_effect=no_effect)
    fired = volley(scene.board.rules, shots, box.take, effects=not no_effect)
    if shots[0].refusal is None:
        check_shot_box(box)
    if as_json:
        answers = [table_shot_answer(scene, one.found, one.throw, one.rolls, one.effect) for one in fired]
        print_json(answers[0] | ({"others": answers[1:]} if others else {}))
    else:
        said_of = [fire_text.table_shot_text(scene, one.found, one.throw, one.effect) for one in fired]
        click.echo("\n\n".join(said_of))
    if shots[0].refusal is not None:
        click.get_current_context().exit(1)


def _one(face: int | None) -> list[int]:
    """A die that was typed, as a list; empty where it was not."""
    return [] if face is None else [face]


def _facts(given: tuple[str, ...]) -> dict[str, str]:
    facts = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise bad(f"expected NAME=VALUE, not {text!r}", file="--fact")
        facts[name.strip()] = value
    return facts


def _shot(
    scene: Scene, a: str, b: str, said: Declaration, sight_face: int | None, smoke_faces: tuple[int, ...]
) -> TableShot:
    from minis.dice import typed
    from minis.fire.measure import declare
    from minis.sight.attempt import attempt, to_shoot_at

    firer, target = scene.board.unit(a), scene.board.unit(b)
    if firer.id == target.id:
        raise bad(f"{firer.id} is both the firer and the target")
    smoke = [typed("smoke", face) for face in smoke_faces]
    roll = typed("sighting", sight_face) if sight_face is not None else None
    found = attempt(scene, firer, target, smoke_rolls=smoke, roll=roll)
    return declare(scene, to_shoot_at(scene, found), said)


def _print_all(scene: Scene, a: str, said: Declaration, game: Path | None, as_json: bool) -> None:
    """Every target of a unit; on a game file with what the game knows of them."""
    from minis.fire.answers import target_answer
    from minis.fire.targets import targets_of

    firer = scene.board.unit(a)
    refuse_unknown(firer)
    if game is not None:
        from minis.game.game import Game
        from minis.game.shots import prospects

        with Game.open(game) as opened:
            found = prospects(opened.state, opened.state.unit(a), said)
    else:
        found = targets_of(scene, firer, replace(said, phase=said.phase or "prep"))
    if as_json:
        answers = [target_answer(target) for target in found]
        print_json({"from": firer.id, "targets": answers, "switches": scene.board.rules.not_default})
    else:
        click.echo(fire_text.targets_text(scene.board.rules, firer, found))


@click.command()
@click.argument("target", type=UNIT)
@click.option("--from", "firer", type=UNIT, required=True, metavar="FIRER", help="The unit that watches.")
@click.option("--path", required=True, metavar='"X,Y X,Y …"', help="Way points in inches, from where it stands.")
@click.option("--delay", type=float, default=0.0, metavar="MP", help="MP spent at the end without moving.")
@game_option
@json_option
def exposure(
    target: str,
    firer: str,
    path: str,
    delay: float,
    game: Path | None,
    house: Path | None,
    as_side: str | None,
    as_json: bool,
) -> None:
    """Where along its path TARGET is in sight, the MP in sight, and which Case J a shot has (F4.1)."""
    from minis.fire.answers import exposure_answer
    from minis.fire.exposure import exposure as measure
    from minis.fire.exposure import shots
    from minis.fire.underbelly import along, underbelly
    from minis.fire.underbelly import climbs as climbs_on

    if not 0 <= delay <= 1000:
        raise bad(f"expected 0 to 1000 MP, not {delay:g}", file="--delay")
    scene = load_scene(game, house, as_side)
    one, other = scene.board.unit(target), scene.board.unit(firer)
    if one.id == other.id:
        raise bad(f"{one.id} is both the target and the firer")
    found = measure(scene, one, other, way_points(path), delay_mp=delay)
    mp = found.mp if found.in_sight_at_end and one.is_vehicle else 0.0
    allowed = shots(scene.board.rules, mp, in_sight_from_start=found.in_sight_from_start)
    legs = along(one, way_points(path))
    climbs = [underbelly(scene, leg, climb, other) for leg in legs for climb in climbs_on(scene, leg)]
    if not (one.is_vehicle and one.armoured):
        climbs = []
    if as_json:
        print_json(exposure_answer(scene.board.rules, found, allowed, climbs))
    else:
        click.echo(fire_text.exposure_text(found, allowed, climbs))


def way_points(text: str) -> list[tuple[float, float]]:
    """Way points from what is typed; raises BadInput for anything else."""
    from minis.lengths import parse_length

    places = []
    for word in text.replace(";", " ").split():
        x, comma, y = word.partition(",")
        if not comma:
            raise bad(f"expected way points such as 12,14 20,14.5, not {word!r}", file="--path")
        places.append((parse_length(x), parse_length(y)))
    return places
