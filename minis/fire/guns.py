"""Guns by the names that players use: calibre, barrel length, kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from minis.errors import bad

Kind = Literal["gun", "mortar", "mg", "atr", "latw"]

_GUN = re.compile(r"(\.?\d+(?:\.\d+)?)\s*(?:mm)?\s*(\*|LL|L)?(?:\s+(mortar|mtr|mg|atr))?", re.IGNORECASE)
_LATW = re.compile(r"(BAZ\s?\d\d|BAZ|PIAT|PFK|PF|PSK)", re.IGNORECASE)
_SMALL = re.compile(r"(MG|LMG|MMG|HMG|ATR)", re.IGNORECASE)
MM_IN_INCH = 25.4


@dataclass(frozen=True)
class Gun:
    """A gun: its calibre in millimetres (0 where it has none that counts), its barrel, its kind, its name as typed."""

    calibre: float
    length: Literal["", "*", "L", "LL"]
    kind: Kind
    name: str


@cache
def parse_gun(text: str) -> Gun:
    """A gun from its name; raises BadInput for anything else.

    >>> parse_gun("75L"), parse_gun("81 mortar").kind, parse_gun(".50").calibre
    (Gun(calibre=75.0, length='L', kind='gun', name='75L'), 'mortar', 12.7)
    >>> parse_gun("big one")
    Traceback (most recent call last):
    minis.errors.BadInput: expected a gun such as 75L, 37, 57LL, 76*, 81 mortar, .50, BAZ44, PIAT or MG, not 'big one'
    """
    name = text.strip()
    if found := _GUN.fullmatch(name):
        number = float(found[1])
        calibre = round(number * MM_IN_INCH, 1) if found[1].startswith(".") else number
        word = (found[3] or "").lower()
        kinds: dict[str, Kind] = {"mortar": "mortar", "mtr": "mortar", "mg": "mg", "atr": "atr"}
        kind: Kind = kinds.get(word, "mg" if found[1].startswith(".") else "gun")
        length: Literal["", "*", "L", "LL"] = {"*": "*", "l": "L", "ll": "LL"}.get((found[2] or "").lower(), "")  # type: ignore[assignment]
        if calibre > 0:
            return Gun(calibre, length, kind, name)
    if _LATW.fullmatch(name):
        return Gun(0.0, "", "latw", name)
    if _SMALL.fullmatch(name):
        return Gun(0.0, "", "atr" if name.upper() == "ATR" else "mg", name)
    raise bad(f"expected a gun such as 75L, 37, 57LL, 76*, 81 mortar, .50, BAZ44, PIAT or MG, not {text!r}")
