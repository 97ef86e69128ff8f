"""`minis tape sight` and `minis tape fire`: rulings from facts given by hand, with no table at all (S13.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import click

from minis.cli import fire_text, text
from minis.cli.options import (
    LENGTH,
    check_shot_box,
    dice_options,
    effect_options,
    json_option,
    pairs_of,
    print_json,
    rolls,
    shot_box,
    shot_dice_options,
)
from minis.errors import bad


@click.group()
def tape() -> None:
    """Rulings from a tape measure: give the distance and the facts by hand."""


@tape.command("sight")
@click.option(
    "--range", "range_in", type=LENGTH, required=True, metavar="LENGTH", help="Distance, base edge to base edge."
)
@click.option("--small", is_flag=True, default=False, help="The target is infantry, or a unit of small size (S2.1).")
@click.option("--in-cover", is_flag=True, default=False, help="The target is in cover (S2.5).")
@click.option("--vehicle-in-open", is_flag=True, default=False, help="The target is a vehicle in the open (S4).")
@click.option("--sighter-moved", is_flag=True, default=False, help="The sighter moved this turn.")
@click.option("--buttoned-up", is_flag=True, default=False, help="The sighter is a buttoned-up AFV.")
@click.option("--target-moved", is_flag=True, default=False, help="The target moved this turn.")
@click.option("--target-fired", is_flag=True, default=False, help="The target fired this turn.")
@click.option("--spotter", is_flag=True, default=False, help="The sighter is an off-board-artillery spotter (S1.2).")
@click.option("--smoke", is_flag=True, default=False, help="There is smoke on the line (S8).")
@click.option("--own-smoke", is_flag=True, default=False, help="The only smoke on the line is the target's own (S8.3).")
@click.option(
    "--fact",
    "more",
    multiple=True,
    metavar="NAME",
    help="Another fact that a house rule asks for, such as target_pinned.",
)
@click.option(
    "--tables", "house", type=click.Path(path_type=Path), metavar="DIR", help="House rules laid over the tables."
)
@dice_options
@json_option
def tape_sight(
    range_in: float, small: bool, in_cover: bool, vehicle_in_open: bool, sighter_moved: bool, buttoned_up: bool,
    target_moved: bool, target_fired: bool, spotter: bool, smoke: bool, own_smoke: bool, more: tuple[str, ...],
    house: Path | None, face: int | None, smoke_faces: tuple[int, ...], throws: bool, as_json: bool,
) -> None:  # fmt: skip
    """A sighting attempt from a tape measure: the line of sight is taken as clear."""
    from minis.rules import FLAGS, load_rules
    from minis.sight.answers import house_rules, sighting_answer
    from minis.sight.sighting import SightFacts, sighting, smoke_dice
    from minis.toml_file import nearest_of

    if range_in < 0:
        raise bad(f"a distance is not negative: {range_in:g}", file="--range")
    if vehicle_in_open and in_cover:
        raise bad("a vehicle in the open is not in cover: give one of the two", file="--vehicle-in-open")
    if smoke and own_smoke:
        raise bad("own smoke is the only smoke on the line, --smoke any other: give one of the two", file="--own-smoke")
    known = [f"{who}_{flag}" for who in ("sighter", "target") for flag in FLAGS]
    for name in more:
        if name not in known:
            raise bad(f"there is no fact {name!r}; {nearest_of(name, known)}", file="--fact")
    given = {
        "sighter_moved": sighter_moved,
        "sighter_buttoned_up": buttoned_up,
        "target_moved": target_moved,
        "target_fired": target_fired,
    }
    rules = load_rules(house)
    facts = SightFacts(
        range_in=range_in,
        small=small,
        in_cover=in_cover,
        vehicle=vehicle_in_open,
        vehicle_in_open=vehicle_in_open,
        spotter=spotter,
        facts=frozenset(name for name, true in given.items() if true) | frozenset(more),
        smoke="full" if smoke else "own" if own_smoke else "none",
        clouds=max(1, len(smoke_faces)),
    )
    first = sighting(facts, rules)
    open_die = first.outcome == "roll" and first.chance != 1
    dice, roll = rolls(face, smoke_faces, throws, smoke_dice(facts, rules) if open_die else 0, die_wanted=open_die)
    found = sighting(facts, rules, smoke_rolls=dice, roll=roll)
    if as_json:
        print_json(
            sighting_answer(found)
            | {
                "switches": rules.not_default,
                "house_rules": house_rules(rules, found.rows),
                "house_removed": list(rules.removed),
            }
        )
    else:
        click.echo(text.tape_text(rules, found))


class FactHelp(click.Command):
    """A command whose help lists every fact."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The facts, what each takes, and what it means."""
        from minis.fire.facts import help_of

        with formatter.section("Facts"):
            formatter.write_dl([(name, f"{words} [{takes}]") for name, takes, words in help_of()])


@tape.command("fire", cls=FactHelp)
@click.argument("words", nargs=-1)
@click.option("--fact", "given", multiple=True, metavar="NAME=VALUE", help="A fact by its name; all are listed below.")
@click.option("--facts", "file", type=click.Path(path_type=Path), metavar="FILE", help="Facts from a TOML file.")
@click.option(
    "-c", "--case", "cases", multiple=True, metavar="CASE[=VALUE]", help="A case by its letter: J1, P=-1, Q=2."
)
@click.option(
    "--tables", "house", type=click.Path(path_type=Path), metavar="DIR", help="House rules laid over the tables."
)
@click.option("--armour", type=click.IntRange(0, 99), metavar="N", help="Armour factor that is struck, for the effect.")
@click.option("--aspect", type=click.Choice(["front", "side", "rear"]), help="Side of the AFV that is struck.")
@shot_dice_options
@effect_options
@json_option
def tape_fire(
    words: tuple[str, ...],
    given: tuple[str, ...],
    file: Path | None,
    cases: tuple[str, ...],
    house: Path | None,
    armour: int | None,
    aspect: str | None,
    dice: tuple[int, int] | None,
    further: int | None,
    throws: bool,
    effect_dice: tuple[tuple[int, int], ...],
    no_effect: bool,
    as_json: bool,
) -> None:
    """A shot from a tape measure: WORDS in any order (28in vehicle 75L), facts by name, cases by letter."""
    from minis.fire import volley
    from minis.fire.answers import shot_answer
    from minis.fire.facts import read_facts
    from minis.fire.result import Struck, effect_of
    from minis.fire.short import facts_of_cases, facts_of_words, with_defaults
    from minis.fire.to_hit import to_hit
    from minis.rules import load_rules

    rules = load_rules(house)
    facts: dict[str, Any] = {**_facts_of_file(file), **facts_of_words(words), **facts_of_cases(cases, rules)}
    for text_ in given:
        name, equals, value = text_.partition("=")
        if not equals:
            raise bad(f"expected NAME=VALUE, not {text_!r}", file="--fact")
        facts[name.strip()] = value
    taken: list[str] = []
    if words or cases:
        facts, taken = with_defaults(facts)
    read = read_facts(facts, inches_per_hex=rules.fire_number("inches-per-hex"))
    shot = to_hit(read, rules)
    box = shot_box(dice, further, effect_dice, throws=throws, no_effect=no_effect)
    [(throw, thrown)] = volley.throws([None if shot.refusal else shot], rules, box.take)
    hit = None
    if throw is not None and volley.is_hit(throw) and not no_effect:
        rolls = volley.effect_rolls(box.take, throw.hits)
        hit = effect_of(rules, read, throw, Struck(cast(Any, aspect), armour), dice=pairs_of(rolls))
        thrown = [*thrown, *rolls]
    if shot.refusal is None:
        check_shot_box(box)
    if as_json:
        print_json(shot_answer(rules, shot, throw, thrown, hit))
    else:
        click.echo(fire_text.shot_text(rules, shot, throw, hit, taken=taken))
    if shot.refusal is not None:
        click.get_current_context().exit(1)


def _facts_of_file(file: Path | None) -> dict[str, Any]:
    from minis.toml_file import read_toml

    return read_toml(file, what="a TOML file of facts").data if file is not None else {}
