"""Where a table lies on the earth: its centre, the bearing of its north edge, its scale, its heights."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from minis.errors import bad
from minis.lengths import INCHES_OF

METRES_OF = {"m": Fraction(1), "km": Fraction(1000), "yd": Fraction(9144, 10000), "ft": Fraction(3048, 10000)}
"""Lengths of the ground as a scale may give them, in metres."""

METRES_PER_INCH = Fraction(254, 10000)
"""An inch of the table at the scale of 1:1."""

_SCALE = re.compile(
    r"""\s*(?P<n>\d{1,9}(?:\.\d{1,9})?)\s*(?P<small>in|inch|"|cm|mm)
    \s*=\s*(?P<m>\d{1,9}(?:\.\d{1,9})?)\s*(?P<big>[a-z]+)\s*""",
    re.VERBOSE,
)
_RATIO = re.compile(r"\s*1\s*[:/]\s*(?P<to>\d{1,9}(?:\.\d{1,9})?)\s*")


@dataclass(frozen=True)
class Place:
    """Where the centre of a table lies on the earth, and how the table lies there.

    `lon` and `lat` are degrees (WGS84); `bearing` is the true bearing, in degrees, of the table's y direction; `scale`
    is the text of the scale, such as "1in=25m". `level_heights` are the heights in metres at which levels 1, 2, 3 …
    begin, and `exaggeration` how much steeper the table is than the ground; both stand where the levels were made of
    heights. `credit` is what has to be said of the data that the ground was made of, under every picture of it too.
    """

    lon: float
    lat: float
    bearing: float
    scale: str
    level_heights: tuple[float, ...] = ()
    exaggeration: float | None = None
    credit: str = ""

    @property
    def metres_per_inch(self) -> float:
        """Metres of the ground that an inch of the table is."""
        return metres_per_inch(self.scale)


def metres_per_inch(scale: str) -> float:
    """Metres of the ground for an inch of the table, from a scale as a judge writes it.

    Raises BadInput where the text is no scale.

    >>> metres_per_inch("1in=25m"), metres_per_inch("1:1000"), metres_per_inch("1 cm = 10 m")
    (25.0, 25.4, 25.4)
    >>> metres_per_inch("25")
    Traceback (most recent call last):
    minis.errors.BadInput: expected a scale such as 1in=25m, 1cm=10m or 1:1000, not '25'
    """
    found, ratio = _SCALE.fullmatch(scale.lower()), _RATIO.fullmatch(scale)
    if found and found["big"] in METRES_OF and Fraction(found["n"]) and Fraction(found["m"]):
        inches = Fraction(found["n"]) * INCHES_OF[found["small"]]
        return float(Fraction(found["m"]) * METRES_OF[found["big"]] / inches)
    if ratio and Fraction(ratio["to"]):
        return float(Fraction(ratio["to"]) * METRES_PER_INCH)
    shown = scale if len(scale) <= 40 else scale[:37] + "..."
    raise bad(f"expected a scale such as 1in=25m, 1cm=10m or 1:1000, not {shown!r}")
