"""Short forms that a judge types: `28in vehicle 75L -c J1 -c P=-1`, turned into facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, get_args

from minis.errors import BadInput, Mistake
from minis.fire.facts import Ammo, Colour, Phase, TargetType
from minis.fire.guns import parse_gun
from minis.rules.model import Rules
from minis.toml_file import nearest_of

_INCHES = re.compile(r".*\d\s*(\"|in|inch|inches|cm|mm)", re.IGNORECASE)
_HEXES = re.compile(r"(\d+)\s*(h|hex|hexes)", re.IGNORECASE)


def facts_of_words(words: Sequence[str]) -> dict[str, Any]:
    """Facts from words in any order: a range (28in, 14hex), a target type, a gun, ammunition, a colour, a phase.

    Raises BadInput for a word that is none of these.

    >>> facts_of_words(["28in", "vehicle", "75L"])
    {'range_in': '28in', 'target_type': 'vehicle', 'gun': '75L'}
    """
    facts: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for word in words:
        name, value = _word(word)
        if name is None:
            message = f"expected a range (28in, 14hex), a target type, a gun, ammunition or a phase, not {word!r}"
            mistakes.append(Mistake(message))
        elif name in facts:
            mistakes.append(Mistake(f"{word!r}: the {name.replace('_', ' ')} is given twice"))
        else:
            facts[name] = value
    if mistakes:
        raise BadInput(mistakes)
    return facts


def _word(word: str) -> tuple[str | None, Any]:
    for name, kind in (("target_type", TargetType), ("colour", Colour), ("phase", Phase)):
        if word.lower() in get_args(kind):
            return name, word.lower()
    if word.upper() in get_args(Ammo):
        return "ammo", word.upper()
    if found := _HEXES.fullmatch(word):
        return "range_hexes", found[1]
    if _INCHES.fullmatch(word) and not word.lower().endswith("mm"):
        return "range_in", word
    try:
        parse_gun(word)
    except BadInput:
        return None, None
    return "gun", word


def with_defaults(facts: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The facts with what a short form leaves open, and what was taken, to be said."""
    full = dict(facts)
    taken = []
    vehicle = full.get("target_type", "vehicle") == "vehicle"
    defaults = {
        "target_type": "vehicle",
        "target": "afv" if vehicle else "infantry",
        "ammo": _usual_ammo(str(full.get("gun", "75")), vehicle),
        "colour": "black",
    }
    for name, value in defaults.items():
        if name not in full:
            full[name] = value
            taken.append(f"{name.replace('_', ' ')} {value}")
    return full, taken


def _usual_ammo(gun: str, vehicle: bool) -> str:
    """HEAT of a LATW, AP of a machine gun or at a vehicle, else HE."""
    kind = parse_gun(gun).kind
    return "HEAT" if kind == "latw" else "AP" if vehicle or kind in ("mg", "atr") else "HE"


def facts_of_cases(cases: Sequence[str], rules: Rules) -> dict[str, Any]:
    """Facts from case letters such as J1, P=-1, A=2; raises BadInput for a letter or a value that does not fit.

    >>> from minis.rules import load_rules
    >>> facts_of_cases(["J1", "Q=2"], load_rules())
    {'target_moved': True, 'phase': 'defensive_first', 'mp_in_sight': 3.0, 'tem': '2'}
    """
    facts: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    with_value = {"A": "arc_steps", "N": "acquired", "P": "size", "Q": "tem", "R": "hindrance"}
    plain = _plain_cases(rules)
    for text in cases:
        letter, equals, value = text.partition("=")
        letter = letter.strip().upper()
        if letter in with_value:
            if not equals:
                mistakes.append(Mistake(f"Case {letter} needs a value, such as {letter}=-1", file="-c"))
            facts[with_value[letter]] = value.strip()
        elif letter in plain:
            if equals:
                mistakes.append(Mistake(f"Case {letter} takes no value: its DRM stands in the table", file="-c"))
            phases = {facts.get("phase"), plain[letter].get("phase")} - {None}
            if len(phases) > 1:
                mistakes.append(Mistake(f"Case {letter} is of another fire phase than those before it", file="-c"))
            facts |= plain[letter]
        elif letter in ("E", "L"):
            mistakes.append(Mistake(f"Case {letter} comes from the range", file="-c"))
        else:
            known = sorted([*with_value, *plain])
            mistakes.append(Mistake(f"there is no case {letter!r}; {nearest_of(letter, known)}", file="-c"))
    if mistakes:
        raise BadInput(mistakes)
    return facts


def _plain_cases(rules: Rules) -> dict[str, dict[str, Any]]:
    """The facts that bring each case which needs no value."""
    first = {"phase": "defensive_first"}
    bounding = {"firer_moved": True, "phase": "bounding_first"}
    return {
        "B": {"phase": "advancing"},
        "C": {"firer_moved": True},
        "C1": bounding | {"firer_mp_in_sight": rules.fire_number("restricted-aim-mp")},
        "C2": bounding | {"firer_mp_in_sight": rules.fire_number("limited-aim-mp")},
        "C3": {"latw": True, "phase": "advancing"},
        "C4": {"firer_moved": True, "firer_motion": True},
        "D": {"pinned": True},
        "F": {"intensive": True},
        "G": {"deliberate_immobilization": True},
        "H": {"captured": True},
        "I": {"buttoned_up": True},
        "J": {"target_moved": True},
        "J1": {"target_moved": True, **first, "mp_in_sight": rules.fire_number("j1-mp")},
        "J2": {"target_moved": True, **first, "mp_in_sight": rules.fire_number("j2-mp")},
        "J3": {"nonassault": True, **first},
        "J4": {"in_open": True, "target_moved": True, **first},
        "K": {"concealed": True},
        "M": {"bore_sighted": True},
        "O": {"hazardous": True},
    }
