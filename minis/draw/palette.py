"""The colours, widths and type of every picture, in one place.

The strong colours are told apart by the colour-blind, and in grey by how light they are; nothing is said by colour
alone: terrain has its hatch and its letter, a side the shape of its edge, seen and hidden their words.
"""

from __future__ import annotations

FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"
"""The type of every picture: each character of it is as wide as the next, so that words can be measured."""

CHARACTER = 0.602
"""Width of a character over the size of its type."""

ASCENT, DESCENT = 0.76, 0.24
"""How far a character rises over its line, and falls below it, over the size of its type."""

PAPER = "#ffffff"
INK = "#1a1a1a"
FAINT = "#6b6b6b"
"""Words that matter less; still readable on PAPER."""

GROUND = "#f7f4ea"
GRID_LINE = "#c9c3b2"
HILLS = ("#efe3c6", "#e5d3ab", "#d9c08f", "#ccad74", "#bf9a5b", "#b18745")
"""The ground of levels 1, 2 and so on; the last is also for what is higher."""
CONTOUR = "#7d5a22"

SEEN = "#0072b2"
HIDDEN = "#c23b00"
BLOCKER = "#c23b00"
LINE = "#0072b2"
SHADOW = "#33313b"
EYE = "#0072b2"
CAUTION = "#8a6d00"

SIDES = (
    ("#0b5fa5", "#ffffff"),
    ("#e8a13a", "#1a1a1a"),
    ("#a6428f", "#ffffff"),
    ("#d9e6a8", "#1a1a1a"),
)
"""The fill of the bases of the first side, the second and so on, and the ink upon it: dark and light by turns."""

CHANCES = ("#f7f2fc", "#e2d5f1", "#c8b1e4", "#ac8bd3", "#8f65c1", "#70419f")
"""Chances from the smallest to the greatest, lighter to darker, so that they are in order in grey too."""

THIN, FINE, STROKE, BOLD = 3.0, 5.0, 9.0, 16.0
"""Widths of lines in user units: hundredths of an inch of the table."""

SMALL, TEXT = 70.0, 105.0
"""Sizes of the letters of terrain and of the labels of units on a table of BASIS_IN inches, in user units."""

BASIS_IN = 84.0
"""The width of a table, in inches, on which type and lines have the sizes above."""


def scale_of(width_in: float) -> float:
    """How much larger type is on a table of some width than on one of BASIS_IN, so that a picture of it is as readable.

    >>> scale_of(84), scale_of(144) > 1.2, scale_of(24)
    (1.0, True, 0.5)
    """
    return float(max(0.5, min(3.0, (width_in / BASIS_IN) ** 0.5 if width_in > BASIS_IN else width_in / BASIS_IN)))


def text_scale(width_in: float) -> float:
    """How much larger the labels of units are: on a wide table less so than all else, for there are more of them.

    >>> text_scale(84), text_scale(144) < scale_of(144)
    (1.0, True)
    """
    return scale_of(width_in) ** 0.5 if width_in > BASIS_IN else scale_of(width_in)


def text_width(words: str, size: float) -> float:
    """The width of a line of words in user units at a size of type.

    >>> round(text_width("Tiger", 100))
    301
    """
    return len(words) * CHARACTER * size
