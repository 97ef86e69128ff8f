"""Dice: typed in by the judge or thrown by the machine; a roll says what it was for."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Literal

from minis.errors import bad
from minis.odds import D100


@dataclass(frozen=True)
class Roll:
    """One percentile roll: what it was for, the face (1 to 100), and whether it was typed or thrown."""

    purpose: str
    face: int
    how: Literal["typed", "thrown"]


def parse_d100(text: str) -> int:
    """A percentile roll from what is typed: 1 to 100, where 00 reads 100 (S1).

    Raises BadInput for anything else.

    >>> parse_d100("00"), parse_d100("07"), parse_d100("100")
    (100, 7, 100)
    >>> parse_d100("101")
    Traceback (most recent call last):
    minis.errors.BadInput: expected a percentile roll 1 to 100 (00 is 100), not '101'
    """
    word = text.strip()
    if word.isascii() and word.isdigit() and len(word) <= 3 and (word == "00" or 1 <= int(word) <= D100):
        return D100 if word == "00" else int(word)
    raise bad(f"expected a percentile roll 1 to 100 (00 is 100), not {text!r}")


def typed(purpose: str, face: int) -> Roll:
    """A roll the judge read off the table.

    >>> typed("sighting", 59).how
    'typed'
    """
    return Roll(purpose, face, "typed")


def throw(purpose: str) -> Roll:
    """A roll of the machine's own percentile dice, from the operating system's randomness.

    >>> 1 <= throw("sighting").face <= 100
    True
    """
    return Roll(purpose, secrets.randbelow(D100) + 1, "thrown")
