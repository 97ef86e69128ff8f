"""`minis move, effect, smoke, place, remove, load, unload, set, weapon, boresight`: what happens in a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from minis.cli.games import game_file_option, parse_place, record, why_option
from minis.cli.options import LENGTH, UNIT
from minis.errors import bad


@click.command()
@click.argument("u", type=UNIT)
@click.option("--to", "end", metavar="X,Y", help="Where it ends, in inches.")
@click.option("--via", "points", multiple=True, metavar="X,Y", help="A way point; as many as there are, in order.")
@click.option("--facing", type=float, metavar="DEGREES", help="Bearing of its hull at the end; else along its way.")
@click.option("--turret", type=float, metavar="DEGREES", help="Bearing of its turret at the end.")
@click.option("--mp", type=click.FloatRange(0, 1000), metavar="N", help="MP it cost; else its length counts.")
@click.option("--delay", type=click.FloatRange(0, 1000), metavar="N", help="MP spent at the end without moving.")
@click.option("--reverse", is_flag=True, default=False, help="It backs.")
@click.option("--motion", is_flag=True, default=False, help="It ends in motion.")
@click.option("--assault", "how", flag_value="assault", help="Infantry in assault movement.")
@click.option("--hazardous", "how", flag_value="hazardous", help="Hazardous movement.")
@click.option("--dash", "how", flag_value="dash", help="Infantry that dashes.")
@click.option("--storey", type=click.IntRange(0, 60), metavar="N", help="The storey where it ends in a building.")
@click.option("--roof", is_flag=True, default=False, help="It ends on the roof.")
@game_file_option
def move(
    u: str, end: str | None, points: tuple[str, ...], facing: float | None, turret: float | None, mp: float | None,
    delay: float | None, reverse: bool, motion: bool, how: str | None, storey: int | None, roof: bool,
    game: Path | None, as_side: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Move unit U, or turn it: who sees it along the whole path, and what it meets and loses on the way."""
    for name, value in (("--facing", facing), ("--turret", turret)):
        if value is not None and not -360 <= value <= 720:
            raise bad(f"expected degrees clockwise from north, -360 to 720, not {value:g}", file=name)
    asked: dict[str, Any] = {
        "unit": u, "to": parse_place(end, "--to") if end else None,
        "via": [parse_place(point, "--via") for point in points] or None, "facing": facing, "turret": turret, "mp": mp,
        "delay": delay, "reverse": reverse or None, "motion": motion or None, "how": how, "storey": storey,
        "roof": roof or None,
    }  # fmt: skip
    record(game, as_side, "move", {k: v for k, v in asked.items() if v is not None}, as_json=as_json)


@click.command()
@click.argument("event", type=click.IntRange(1), required=False)
@click.option("--target", type=UNIT, metavar="U", help="The target, where the shot hit several.")
@click.option("--to", "take", metavar="RESULT", help="What the judge rules instead, such as immobilized or no effect.")
@game_file_option
def effect(
    event: int | None, target: str | None, take: str | None, game: Path | None, as_side: str | None, as_json: bool
) -> None:
    """Take the effect of a hit of EVENT, or of the only one that is open, as it was rolled or as the judge rules it."""
    asked = {"event": event, "target": target, "take": take}
    record(game, as_side, "effect", {k: v for k, v in asked.items() if v is not None}, as_json=as_json)


@click.group()
def smoke() -> None:
    """Smoke: place a cloud, let it drift, take it off."""


@smoke.command("place")
@click.option("--at", "at", metavar="X,Y", help="Its middle; else where the unit of --by stands.")
@click.option("--radius", type=LENGTH, metavar="LENGTH", help="Its radius; else that of the table smoke.")
@click.option("--by", type=UNIT, metavar="U", help="The unit whose own smoke it is (S8.3).")
@click.option("--until", type=click.IntRange(0), metavar="TURN", help="The last turn it stands.")
@click.option("--id", "name", metavar="ID", help="Its id; else smoke-1, smoke-2 …")
@game_file_option
def smoke_place(
    at: str | None, radius: float | None, by: str | None, until: int | None, name: str | None,
    game: Path | None, as_side: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Place a cloud."""
    if radius is not None and not 0 < radius <= 2000:
        raise bad(f"expected a radius above 0 inches, not {radius:g}", file="--radius")
    asked = {
        "do": "place", "at": parse_place(at, "--at") if at else None, "radius": radius, "by": by, "until": until,
        "id": name,
    }  # fmt: skip
    record(game, as_side, "smoke", {k: v for k, v in asked.items() if v is not None}, as_json=as_json)


@smoke.command("move")
@click.argument("cloud")
@click.option("--at", "at", required=True, metavar="X,Y", help="Where its middle drifts to.")
@game_file_option
def smoke_move(cloud: str, at: str, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Let CLOUD drift."""
    record(game, as_side, "smoke", {"do": "move", "id": cloud, "at": parse_place(at, "--at")}, as_json=as_json)


@smoke.command("remove")
@click.argument("cloud")
@game_file_option
def smoke_remove(cloud: str, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Take CLOUD off."""
    record(game, as_side, "smoke", {"do": "remove", "id": cloud}, as_json=as_json)


@click.command()
@click.argument("u", type=UNIT)
@click.option("--token", is_flag=True, default=False, help="As a token: it is known to be there, not what it is.")
@why_option
@game_file_option
def place(u: str, token: bool, why: str, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Place hidden unit U, or the unit under token U, on the table."""
    record(game, as_side, "place", {"unit": u, "token": token or None, "why": why or None}, as_json=as_json)


@click.command()
@click.argument("u", type=UNIT)
@click.option("--how", metavar="WORDS", help="What took it out.")
@game_file_option
def remove(u: str, how: str | None, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Take unit U out of the game."""
    record(game, as_side, "remove", {"unit": u, "how": how}, as_json=as_json)


@click.command()
@click.argument("u", type=UNIT)
@click.argument("carrier", type=UNIT)
@click.option("--tow", is_flag=True, default=False, help="Hitch it instead.")
@game_file_option
def load(u: str, carrier: str, tow: bool, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Let unit U get on CARRIER, or hitch it."""
    record(game, as_side, "load", {"unit": u, "carrier": carrier, "tow": tow or None}, as_json=as_json)


@click.command()
@click.argument("u", type=UNIT)
@click.option("--at", "at", metavar="X,Y", help="Where it gets off; else where its carrier is.")
@click.option("--facing", type=click.FloatRange(-360, 720), metavar="DEGREES", help="Its bearing there.")
@game_file_option
def unload(u: str, at: str | None, facing: float | None, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Let passenger U get off, or unhitch gun U."""
    asked = {"unit": u, "at": parse_place(at, "--at") if at else None, "facing": facing}
    record(game, as_side, "unload", {k: v for k, v in asked.items() if v is not None}, as_json=as_json)


@click.command("set")
@click.argument("u", type=UNIT)
@click.argument("facts", nargs=-1, required=True, metavar="FACT[=VALUE]…")
@why_option
@game_file_option
def set_facts(u: str, facts: tuple[str, ...], why: str, game: Path | None, as_side: str | None, as_json: bool) -> None:
    """Set facts of unit U by hand: buttoned_up, pinned=false, stun=1, immobile, shocked=false …"""
    asked = {"unit": u, "facts": _facts(facts), **({"why": why} if why else {})}
    record(game, as_side, "set", asked, as_json=as_json)


def _facts(given: tuple[str, ...]) -> dict[str, Any]:
    words = {"true": True, "yes": True, "false": False, "no": False}
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        plain: Any = words.get(value.strip().lower(), value.strip()) if equals else True
        found[name.strip()] = int(plain) if isinstance(plain, str) and plain.isascii() and plain.isdigit() else plain
    return found


@click.command()
@click.argument("u", type=UNIT)
@click.argument("state", type=click.Choice(["malfunction", "out", "ready"]))
@click.option("--weapon", "name", metavar="ID", help="The weapon; else the first of the unit.")
@why_option
@game_file_option
def weapon(
    u: str, state: str, name: str | None, why: str, game: Path | None, as_side: str | None, as_json: bool
) -> None:
    """Say that a weapon of U has malfunctioned, is out of ammunition, or is ready again."""
    asked = {"unit": u, "weapon": name, "state": "out of ammunition" if state == "out" else state, "why": why or None}
    record(game, as_side, "weapon", {k: v for k, v in asked.items() if v is not None}, as_json=as_json)


@click.command()
@click.argument("u", type=UNIT)
@click.option("--at", "at", required=True, metavar="X,Y", help="The spot, in inches.")
@click.option("--weapon", "name", metavar="ID", help="The weapon; else the first of the unit.")
@click.option("--spotter", type=UNIT, metavar="S", help="A unit that sees the spot for it.")
@game_file_option
def boresight(
    u: str, at: str, name: str | None, spotter: str | None, game: Path | None, as_side: str | None, as_json: bool
) -> None:
    """Record at set-up the spot that a weapon of U is bore sighted on (F7)."""
    asked = {"unit": u, "at": parse_place(at, "--at"), "weapon": name, "spotter": spotter}
    record(game, as_side, "boresight", {k: v for k, v in asked.items() if v is not None}, as_json=as_json)
