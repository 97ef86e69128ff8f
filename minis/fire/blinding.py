"""Blinding: a vehicle hit in front by a SMOKE shell fires the worse for it for one turn (S8.5)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from minis.board.geometry import bearing
from minis.board.units import Unit
from minis.errors import bad
from minis.fire.effects import TOUCH_DEGREES, Aspect, aspect_of
from minis.odds import D100, at_most
from minis.rules.effect_rows import rows_of
from minis.rules.model import Rules
from minis.rules.rows import NumberRow

Direction = Literal["front", "front-side", "rear"]

BLINDS: frozenset[tuple[Aspect, Direction]] = frozenset(
    {("front", "front"), ("front", "front-side"), ("side", "front-side")}
)
"""The side that is hit and the direction of the shot that together may blind (S8.5)."""


@dataclass(frozen=True)
class Blinding:
    """Whether a hit by a SMOKE shell may blind a unit, and what must be rolled.

    `aspect` is the side that is hit and `shot` the direction of the shot, both by where the turret points; None of a
    unit that is never blinded. `need` is the highest d100 that blinds; 0 where it is not `possible`.
    """

    target: str
    possible: bool
    need: int
    rule: str
    why: str
    aspect: Aspect | None = None
    shot: Direction | None = None
    rows: tuple[NumberRow, ...] = field(default=(), repr=False)

    @property
    def chance(self) -> Fraction:
        """The exact chance that it is blinded."""
        return at_most(self.need)


def blinding(rules: Rules, target: Unit, firer: Unit) -> Blinding:
    """Whether a hit by a SMOKE shell from where the firer stands may blind a unit, and on what roll (S8.5).

    By the turret's bearing, whatever way the hull points; by the hull's where the mount has no turret (NT). The front
    and the sides are those of a hit (E1); the direction is that of the way from centre to centre, ahead where the two
    are one point. It does not ask whether there was a hit, nor with what.

    >>> from dataclasses import replace
    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> tank, firer = board.unit("T1"), board.unit("P1")
    >>> way = bearing(tank.at, firer.at)
    >>> found = blinding(board.rules, replace(tank, turret=way + 80), firer)
    >>> found.possible, found.aspect, found.shot, found.chance
    (True, 'side', 'front-side', Fraction(1, 2))
    >>> blinding(board.rules, replace(tank, turret=way + 100), firer).possible
    False
    """
    if not target.is_vehicle or target.wreck or target.dummy:
        what = "a wreck" if target.wreck else "a dummy" if target.dummy else "no vehicle"
        return Blinding(target.id, False, 0, "S8.5", f"{target.id} is {what}")
    numbers = {row.id: row for row in rows_of(rules, "effects", NumberRow)}
    used = tuple(numbers[name] for name in ("blinding-chance", "blinding-front", "blinding-front-side"))
    ahead = target.facing if target.mount == "NT" else target.turret
    way = bearing(target.at, firer.at)
    off = 0.0 if way is None else abs((way - ahead + 180.0) % 360.0 - 180.0)
    aspect, shot = aspect_of(0.0, off, rules), _direction(off, used[1].value, used[2].value)
    possible = (aspect, shot) in BLINDS
    why = f"hit on the {aspect} of where its turret points, by a {shot} shot"
    return Blinding(target.id, possible, math.floor(used[0].value) if possible else 0, "S8.5", why, aspect, shot, used)


def _direction(off: float, front: float, front_side: float) -> Direction:
    """The direction of a shot from `off` degrees off the turret's bearing; on a boundary the one nearer the front."""
    if off <= front + TOUCH_DEGREES:
        return "front"
    return "front-side" if off <= front_side + TOUCH_DEGREES else "rear"


def resolve(found: Blinding, face: int) -> bool:
    """True where a d100 blinds: at most the need.

    Raises BadInput where no die is called for, and for a face that d100 does not have.

    >>> ruling = Blinding("T1", True, 50, "S8.5", "hit on the front")
    >>> resolve(ruling, 50), resolve(ruling, 51)
    (True, False)
    """
    if not found.possible:
        raise bad(f"{found.target} cannot be blinded by this hit, so there is no die: {found.why}")
    if isinstance(face, bool) or not 1 <= face <= D100:
        raise bad(f"expected a percentile roll 1 to {D100}, not {face}")
    return face <= found.need
