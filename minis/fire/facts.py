"""What the fire rules ask about a shot: one vocabulary for the table and for a judge's tape."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import Any, Literal, cast, get_args, get_type_hints

from minis.errors import BadInput, Mistake
from minis.fire.guns import parse_gun
from minis.lengths import parse_length
from minis.rules import load_rules
from minis.toml_file import nearest_of

TargetType = Literal["vehicle", "infantry", "area"]
Target = Literal["vehicle", "afv", "infantry", "gun"]
Phase = Literal["prep", "defensive_first", "defensive", "advancing", "bounding_first"]
Ammo = Literal["AP", "HE", "APCR", "APDS", "HEAT", "SMOKE"]
Colour = Literal["black", "red"]
Mount = Literal["T", "ST", "NT", "RST", "1MT"]
Ground = Literal["open", "woods", "building", "rubble"]
Acquired = Literal[0, -1, -2]
Size = Literal[-2, -1, 0, 1, 2]


def _fact(words: str, default: Any = None) -> Any:
    return field(default=default, metadata={"help": words})


@dataclass(frozen=True)
class ShotFacts:
    """The facts of a shot; what is not given is not so. Ranges are hexes, movement is MP."""

    target_type: TargetType = _fact("the target type of the To Hit table (C3.3)")
    target: Target = _fact("what is fired at")
    range_hexes: int = _fact("range in hexes (F1.2)")
    gun: str = _fact("calibre and length, such as 75L, 37, 57LL, 76*, 81 mortar")
    ammo: Ammo = _fact("ammunition")
    colour: Colour = _fact("colour of the To Hit numbers (F2.2)")
    phase: Phase = _fact("fire phase", "prep")
    arc_steps: int = _fact("60 degree steps outside the covered arc (Case A)", 0)
    mount: Mount | None = _fact("turret (Cases A and C)")
    firer_terrain: Ground = _fact("terrain the firer is in", "open")
    firer_moved: bool = _fact("the firer moved this turn (Case C)", False)
    firer_motion: bool = _fact("the firer is in motion (Case C4)", False)
    stabilized: bool = _fact("stabilized gun", False)
    firer_mp_in_sight: float | None = _fact("the firer's own MP in the target's sight (Cases C1, C2)")
    latw: bool = _fact("light anti-tank weapon", False)
    backblast_inside: bool = _fact("backblast weapon in rubble or a ground-level room (Case C3)", False)
    pinned: bool = _fact("pinned firer or spotter (Case D)", False)
    intensive: bool = _fact("intensive fire (Case F)", False)
    deliberate_immobilization: bool = _fact("deliberate immobilization (Case G)", False)
    captured: bool = _fact("captured weapon (Case H)", False)
    nonqualified: bool = _fact("non-qualified crew (Case H)", False)
    buttoned_up: bool = _fact("buttoned-up AFV (Case I)", False)
    overstacked: int = _fact("units overstacked with the firer", 0)
    encircled: bool = _fact("encircled firer", False)
    cx: bool = _fact("CX firer", False)
    spotted: bool = _fact("spotted fire", False)
    stun: int = _fact("stun results on the firer", 0)
    leadership: int = _fact("leadership DRM itself; -1 helps", 0)
    blinded: bool = _fact("firer blinded by smoke (S8.5)", False)
    target_moved: bool = _fact("the target moved this turn (Case J)", False)
    target_motion: bool = _fact("the target is in motion (Case J)", False)
    dashing: bool = _fact("dashing infantry (Case J)", False)
    mp_in_sight: float | None = _fact("MP the target spent in the firer's sight (Cases J1, J2)")
    in_sight_from_start: bool = _fact("the target was in sight when its move began (F4.1)", False)
    nonassault: bool = _fact("infantry in non-assault movement (Case J3)", False)
    in_open: bool = _fact("moving infantry in the open (Case J4)", False)
    concealed: bool = _fact("sighted, not identified (Case K)", False)
    bore_sighted: bool = _fact("bore-sighted location (Case M)", False)
    acquired: Acquired = _fact("acquisition of the target (Case N)", 0)
    area_acquired: Acquired = _fact("area acquisition of the spot (Case N)", 0)
    hazardous: bool = _fact("hazardous movement (Case O)", False)
    size: Size = _fact("target size DRM (Case P)", 0)
    tem: int = _fact("TEM of the target's terrain (Case Q)", 0)
    tem_from: str | None = _fact("the terrain that gives the TEM")
    hull_down: Literal["I", "II"] | None = _fact("hull down (F8)")
    hull_down_by: str | None = _fact("the terrain that makes it hull down")
    hindrance: int = _fact("hindrance DRM on the line (Case R)", 0)
    through_own_smoke: bool = _fact("the target is in its own smoke (F4.4)", False)
    motorcyclist: bool = _fact("mounted motorcyclist", False)
    cavalry: bool = _fact("cavalry", False)
    extra_squads: int = _fact("squads overstacked with the target", 0)
    rof: int | None = _fact("rate of fire; 1 where none is given")
    breakdown: int | None = _fact("breakdown number; 12 where none is given")
    max_range_hexes: int | None = _fact("the listed range of the weapon")
    underbelly: bool = _fact("an AFV showing its underside (F8.6)", False)

    @property
    def at_vehicle(self) -> bool:
        """True where the target is a vehicle, armoured or not."""
        return self.target in ("vehicle", "afv")

    @property
    def indirect(self) -> bool:
        """True of mortars: hull down is nothing to them (F8.1)."""
        return parse_gun(self.gun).kind == "mortar"


REQUIRED = ("target_type", "target", "gun", "ammo", "colour")
"""Facts that must be given, and the range in hexes or in inches."""

NAMES = tuple(f.name for f in fields(ShotFacts))
"""Every fact by name; range_in may stand for range_hexes."""


def help_of() -> list[tuple[str, str, str]]:
    """Every fact: its name, what it takes, and what it means."""
    kinds = get_type_hints(ShotFacts)
    rows = [(f.name, _takes(kinds[f.name]), f.metadata["help"]) for f in fields(ShotFacts)]
    at = NAMES.index("range_hexes") + 1
    return [*rows[:at], ("range_in", "length", "distance in inches, instead of range_hexes (F1.2)"), *rows[at:]]


def _takes(kind: Any) -> str:
    choices = [str(choice) for choice in _choices(kind)]
    if choices:
        return "|".join(choices)
    plain = _plain(kind)
    return {bool: "true|false", int: "whole number", float: "number", str: "text"}[plain]


def _choices(kind: Any) -> tuple[Any, ...]:
    arguments = get_args(kind)
    for argument in arguments:
        if get_args(argument):
            return _choices(argument)
    return tuple(a for a in arguments if not isinstance(a, type))


def _plain(kind: Any) -> type:
    found: type = next((a for a in get_args(kind) if a in (bool, int, float, str)), kind)
    return found


def read_facts(given: dict[str, Any], *, inches_per_hex: float | None = None, where: str = "--fact") -> ShotFacts:
    """Facts from names and values as they are typed; raises BadInput with every mistake.

    A range in inches is turned into hexes by `inches_per_hex`, else by that of the table of fire numbers (F1.1).

    >>> read_facts({"target_type": "vehicle", "target": "afv", "range_in": "12.5", "gun": "75", "ammo": "AP",
    ...             "colour": "black"}).range_hexes
    7
    """
    mistakes: list[Mistake] = []
    values: dict[str, Any] = {}
    kinds = get_type_hints(ShotFacts)
    given = dict(given)
    inches = given.pop("range_in", None)
    for name, value in given.items():
        if name not in kinds:
            mistakes.append(Mistake(f"there is no fact {name!r}; {nearest_of(name, [*NAMES, 'range_in'])}", file=where))
            continue
        try:
            values[name] = _value(kinds[name], value)
            if name in LIMITS:
                _in_limits(name, values[name])
        except ValueError as error:
            mistakes.append(Mistake(str(error), file=where, path=name))
    if inches is not None:
        per_hex = inches_per_hex or load_rules().fire_number("inches-per-hex")
        _range_in(inches, given, values, mistakes, per_hex, where)
    for name in REQUIRED:
        if name not in given:
            words = next(f.metadata["help"] for f in fields(ShotFacts) if f.name == name)
            takes = f" [{_takes(kinds[name])}]" if _choices(kinds[name]) else ""
            mistakes.append(Mistake(f"the fact is missing: {words}{takes}", file=where, path=name))
    if "range_hexes" not in given and inches is None:
        mistakes.append(Mistake("the fact is missing; give it or range_in", file=where, path="range_hexes"))
    if "gun" in values:
        try:
            parse_gun(values["gun"])
        except BadInput as error:
            mistakes.append(Mistake(str(error), file=where, path="gun"))
    if mistakes:
        raise BadInput(mistakes)
    return ShotFacts(**values)


def _range_in(
    inches: Any, given: dict[str, Any], values: dict[str, Any], mistakes: list[Mistake], per_hex: float, where: str
) -> None:
    if "range_hexes" in given:
        mistakes.append(Mistake("give range_hexes or range_in, not both", file=where))
        return
    try:
        length = parse_length(str(inches))
    except BadInput as error:
        mistakes.append(Mistake(str(error), file=where, path="range_in"))
        return
    if length < 0:
        mistakes.append(Mistake(f"a distance is not negative: {length:g}", file=where, path="range_in"))
    values["range_hexes"] = hexes(max(0.0, length), per_hex)


def hexes(length_in: float, inches_per_hex: float) -> int:
    """A distance in hexes: rounded up, 0 for bases that touch (F1.2).

    >>> hexes(0.0, 2.0), hexes(12.0, 2.0), hexes(12.5, 2.0), hexes(0.01, 2.0)
    (0, 6, 7, 1)
    """
    from minis.odds import whole_need

    return whole_need(length_in / inches_per_hex)


def _value(kind: Any, value: Any) -> Any:
    """A typed value of a fact, or ValueError with what was expected."""
    choices = _choices(kind)
    text = str(value).strip()
    if choices:
        for choice in choices:
            if text == str(choice) or (isinstance(choice, int) and text == f"{choice:+d}"):
                return choice
        names = [str(choice) for choice in choices]
        raise ValueError(f"expected {', '.join(names[:-1])} or {names[-1]}, not {text!r}")
    plain = _plain(kind)
    if plain is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() not in words:
            raise ValueError(f"expected true or false, not {text!r}")
        return words[text.lower()]
    if plain is str:
        return text
    if not (_WHOLE if plain is int else _NUMBER).fullmatch(text):
        raise ValueError(f"expected a {'whole ' if plain is int else ''}number, not {text!r}")
    return cast(type[int] | type[float], plain)(text)


_WHOLE = re.compile(r"[-+]?\d{1,6}")
_NUMBER = re.compile(r"[-+]?(\d{1,6}(\.\d{0,12})?|\.\d{1,12})")


LIMITS: dict[str, tuple[int, int | None]] = {
    "range_hexes": (0, None), "arc_steps": (0, 3), "overstacked": (0, None), "stun": (0, None),
    "extra_squads": (0, None), "hindrance": (0, None), "firer_mp_in_sight": (0, None), "mp_in_sight": (0, None),
    "rof": (0, None), "breakdown": (2, None), "max_range_hexes": (0, None),
}  # fmt: skip
"""Counts that cannot be below, or above, a number."""


def _in_limits(name: str, value: float) -> None:
    """Raises ValueError for a count that cannot be: negative ranges, steps, MP, dice."""
    least, most = LIMITS.get(name, (None, None))
    if (least is not None and value < least) or (most is not None and value > most):
        expected = f"{least} to {most}" if most is not None else f"{least} or more"
        raise ValueError(f"expected {expected}, not {value:g}")
