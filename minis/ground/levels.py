"""Where the levels of a table begin: as given, in even steps, or in the even steps that fit the ground best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from minis.errors import bad

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_LEVELS = 60
"""The greatest level that a scenario may have."""

SAMPLE = 4000
"""Heights among which the best steps are looked for: more change nothing that shows."""

STEPS_TRIED = 80
"""Steps and beginnings that are tried for the best: the range of the heights in so many parts."""


def given_levels(heights: Sequence[float]) -> tuple[float, ...]:
    """The heights in metres as a judge gives them, from level 1 up; raises BadInput where they do not rise.

    >>> given_levels([150, 180])
    (150, 180)
    >>> given_levels([180, 150])
    Traceback (most recent call last):
    minis.errors.BadInput: --levels: expected heights in metres that rise, not 180, 150
    """
    rises = all(math.isfinite(height) for height in heights) and list(heights) == sorted(set(heights))
    if not heights or not rises or len(heights) > MOST_LEVELS:
        listed = ", ".join(f"{height:g}" for height in heights[:MOST_LEVELS]) or "none"
        raise bad(f"expected heights in metres that rise, not {listed}", file="--levels")
    return tuple(heights)


def even_levels(step: float, count: int, lowest: float, first: float | None = None) -> tuple[float, ...]:
    """Heights a `step` apart; the first is given, or the least multiple of the step above the lowest ground.

    >>> even_levels(20, 3, 143.5), even_levels(20, 2, 143.5, 150)
    ((160.0, 180.0, 200.0), (150, 170))
    """
    begin = (math.floor(lowest / step) + 1.0) * step if first is None else first
    return tuple(begin + step * number for number in range(count))


def best_levels(metres: NDArray[np.float64], count: int) -> tuple[float, ...]:
    """The even, round steps by which a table with `count` levels above the ground tells these heights best.

    A level stands for the middle of its step, the table for as much below the first: the mean square of what that is
    off is least. Ground without any rise has no levels; raises BadInput.

    >>> import numpy as np
    >>> best_levels(np.repeat([100.0, 120.0, 140.0, 160.0], 50), 3)
    (110.0, 130.0, 150.0)
    """
    import numpy as np

    heights = np.sort(metres[np.isfinite(metres)])
    if not heights.size or heights[-1] - heights[0] < 1e-6:
        raise bad("the ground of the table is flat: there is no hill in it")
    heights = heights[np.linspace(0, heights.size - 1, min(heights.size, SAMPLE)).round().astype(int)]
    unit = _round_below((heights[-1] - heights[0]) / STEPS_TRIED * 1.5)
    low, high = math.floor(heights[0] / unit), math.ceil(heights[-1] / unit)
    best: tuple[float, tuple[int, int]] | None = None
    for step in range(1, max(2, high - low + 1)):
        begins = np.arange(low + 1, max(low + 2, high - step * (count - 1) + 1)) * unit
        bands = np.clip(np.floor((heights[None, :] - begins[:, None]) / (step * unit)), -1, count - 1)
        off = heights[None, :] - (begins[:, None] + (bands + 0.5) * step * unit)
        errors = (off**2).mean(axis=1)
        index = int(errors.argmin())
        if best is None or errors[index] < best[0] * (1 - 1e-9):
            best = float(errors[index]), (low + 1 + index, step)
    if best is None:
        raise AssertionError("at least one step is tried")
    begin, step = best[1]
    return tuple(round((begin + step * number) * unit, 6) for number in range(count))


def _round_below(value: float) -> float:
    """The next lower of 1, 2, 5, 10, 20 … and their tenths.

    >>> _round_below(7.3), _round_below(0.03)
    (5.0, 0.02)
    """
    power = 10.0 ** math.floor(math.log10(value))
    return max((part * power for part in (1.0, 2.0, 5.0) if part * power <= value * (1 + 1e-9)), default=power)


def exaggeration(levels: Sequence[float], lowest: float, level_in: float, metres_per_inch: float) -> float:
    """How much steeper the table is than the ground: a level is `level_in` inches of board for a step of metres.

    With one level the step is its height above the lowest ground of the table.

    >>> exaggeration([160, 180, 200], 143, 1, 25)
    1.25
    """
    step = (levels[-1] - levels[0]) / (len(levels) - 1) if len(levels) > 1 else max(levels[0] - lowest, 1e-3)
    return level_in * metres_per_inch / step
