"""Dice: typed in by the judge or thrown by the machine; a roll says what it was for."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Literal

from minis.errors import bad
from minis.odds import D100

D6 = 6
"""Faces of the dice of a shot."""


@dataclass(frozen=True)
class Roll:
    """One die: what it was for, its face, and whether it was typed or thrown."""

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


def throw(purpose: str, faces: int = D100) -> Roll:
    """A roll of the machine's own die, percentile unless said otherwise, from the operating system's randomness.

    >>> 1 <= throw("sighting").face <= 100, 1 <= throw("coloured", D6).face <= 6
    (True, True)
    """
    return Roll(purpose, secrets.randbelow(faces) + 1, "thrown")


def parse_two_dice(text: str) -> tuple[int, int]:
    """The coloured and the white die from what is typed; raises BadInput for anything else.

    >>> parse_two_dice("3,4"), parse_two_dice("6 1")
    ((3, 4), (6, 1))
    >>> parse_two_dice("7")
    Traceback (most recent call last):
    minis.errors.BadInput: expected the coloured and the white die, such as 3,4, not '7'
    """
    words = text.replace(",", " ").split()
    if len(words) == 2 and all(word in ("1", "2", "3", "4", "5", "6") for word in words):
        return int(words[0]), int(words[1])
    raise bad(f"expected the coloured and the white die, such as 3,4, not {text!r}")
