"""Inches: read as a judge types them, printed as a tape shows them, kept on the 1/8000 inch grid.

Every decimal to 0.001 inch and every 64th of an inch lies on the grid, so that coordinates are whole
numbers and a touch is a touch (S5.4).
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from minis.errors import bad

GRID = 8000
"""Grid steps in an inch (S5.4)."""

EPSILON_IN = 1e-6
"""Two lengths closer than this, in inches, are the same length (S1.3)."""

INCHES_OF = {"": Fraction(1), '"': Fraction(1), "in": Fraction(1), "inch": Fraction(1), "inches": Fraction(1)}
INCHES_OF |= {"cm": Fraction(100, 254), "mm": Fraction(10, 254)}

_LENGTH = re.compile(
    r"""\s*(?P<sign>[-+]?)\s*
    (?: (?P<whole>\d{1,9})(?:\s+|\s*-\s*)(?P<n>\d{1,9})/(?P<d>\d{1,9})    # 12 1/4 and 12-1/4
      | (?P<n2>\d{1,9})/(?P<d2>\d{1,9})                                    # 1/4
      | (?P<decimal>\d{1,9}(?:\.\d{0,20})?|\.\d{1,20}) )                  # 12.25
    \s*(?P<unit>[a-zA-Z]*|")\s*""",
    re.VERBOSE,
)


def to_grid(length_in: float) -> int:
    """The grid step nearest to a length in inches.

    >>> to_grid(1 / 64), to_grid(0.001), to_grid(-2.5)
    (125, 8, -20000)
    """
    return math.floor(length_in * GRID + 0.5)


def to_inches(steps: float) -> float:
    """Grid steps as inches.

    >>> to_inches(20000)
    2.5
    """
    return steps / GRID


def parse_length(text: str) -> float:
    """A length in inches from what a judge types: decimals, fractions, centimetres.

    Raises BadInput where the text is no length.

    >>> parse_length("12 1/4"), parse_length('12-1/4"'), parse_length("-3.5"), parse_length("25.4 cm")
    (12.25, 12.25, -3.5, 10.0)
    >>> parse_length("twelve")
    Traceback (most recent call last):
    minis.errors.BadInput: expected a length such as 12.25, 12 1/4, 12-1/4" or 31cm, not 'twelve'
    """
    found = _LENGTH.fullmatch(text)
    unit = found["unit"].lower() if found else "?"
    if found is None or unit not in INCHES_OF or any(found[d] and int(found[d]) == 0 for d in ("d", "d2")):
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise bad(f'expected a length such as 12.25, 12 1/4, 12-1/4" or 31cm, not {shown!r}')
    if found["decimal"] is not None:
        value = Fraction(found["decimal"].rstrip("."))
    else:
        value = Fraction(int(found["n"] or found["n2"]), int(found["d"] or found["d2"])) + int(found["whole"] or 0)
    value *= INCHES_OF[unit]
    return float(-value if found["sign"] == "-" else value)


def format_number(value: float) -> str:
    """A number of inches without the sign of the unit: 16ths as fractions, anything else to two decimals.

    A number that two decimals would show as a whole one has as many as it needs.

    >>> format_number(43.5), format_number(-0.0625), format_number(30.01), format_number(0), format_number(2.999999999)
    ('43 1/2', '-1/16', '30.01', '0', '3')
    >>> format_number(100.004), format_number(0.0025)
    ('100.004', '0.0025')
    """
    sixteenths = round(value * 16)
    if abs(value * 16 - sixteenths) > 16 * EPSILON_IN:
        text = f"{value:.2f}"
        return text if not text.endswith(".00") else f"{value:.6f}".rstrip("0")
    sign, part = ("-" if sixteenths < 0 else ""), Fraction(abs(sixteenths), 16)
    whole, rest = divmod(part, 1)
    words = ([str(whole)] if whole or not rest else []) + ([str(rest)] if rest else [])
    return sign + " ".join(words)


def format_length(value: float) -> str:
    """A length in inches as a tape shows it.

    >>> format_length(43.5), format_length(0.125), format_length(30.01)
    ('43 1/2"', '1/8"', '30.01"')
    """
    return format_number(value) + '"'
