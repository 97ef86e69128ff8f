"""The words of answers: those that the command line prints, handed to the server by who starts it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minis.fire.hit import Throw
    from minis.fire.measure import TableShot
    from minis.fire.result import HitEffect
    from minis.rules.model import Rules
    from minis.sight.attempt import Attempt
    from minis.sight.cover import HullDown
    from minis.sight.line import Sightline
    from minis.sight.scene import Scene


@dataclass(frozen=True)
class Wording:
    """How a line of sight, an attempt, a shot and a distance are said; and what a line of `minis play` prints.

    `line` does what a typed line stands for on a game file: what it prints, and whether it failed; None where lines
    are not taken.
    """

    los: Callable[[Scene, Sightline, Sequence[str], HullDown], str]
    attempt: Callable[[Scene, Attempt], str]
    shot: Callable[[Scene, TableShot, Throw | None, HitEffect | None], str]
    measure: Callable[[Rules, dict[str, Any]], str]
    line: Callable[[Path, str], tuple[str, bool]] | None = None
