"""Units on the table, on tokens, and hidden on the judge's map."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from minis.board.geometry import Point, Ring, base_ring
from minis.board.schema import Armour, Weapon
from minis.lengths import GRID
from minis.rules.rows import SizeRow, UnitKindRow


@dataclass(frozen=True)
class Unit:
    """A unit, or a dummy.

    `at` is the centre of the base in grid steps; `length_in` (along the facing) and `width_in` are inches; `facing`
    and `turret` degrees clockwise from north. `flags` are the facts of this turn that are true of it. `unknown` is true
    of a token in a side's view: what it stands for is not known to who asks (S11.5).
    """

    id: str
    side: str
    kind: UnitKindRow
    size: SizeRow
    at: Point
    length_in: float
    width_in: float
    facing: float = 0.0
    turret: float = 0.0
    armoured: bool = False
    storey: int | None = None
    roof: bool = False
    flags: frozenset[str] = frozenset()
    sighted_by: frozenset[str] = frozenset()
    hidden: bool = False
    token: str | None = None
    dummy: bool = False
    wreck: bool = False
    tow: str | None = None
    carries: tuple[str, ...] = ()
    radio: bool = True
    spotter: bool = False
    mount: str | None = None
    closed_top: bool = True
    nation: str | None = None
    armour: Armour | None = None
    weapons: tuple[Weapon, ...] = field(default=())
    stun: int = 0
    leadership: int = 0
    extra_squads: int = 0
    unknown: bool = False

    @cached_property
    def base(self) -> Ring:
        """The corners of the base: front left, front right, rear right, rear left; or the single point."""
        return base_ring(self.at, self.length_in * GRID, self.width_in * GRID, self.facing)

    @property
    def is_point(self) -> bool:
        """True where the base has no size: it obstructs nothing (S6.6)."""
        return len(self.base) == 1

    @property
    def is_vehicle(self) -> bool:
        """True of vehicles, armoured or not."""
        return self.kind.id == "vehicle"

    @property
    def shown_as(self) -> str:
        """How the judge's lists name it: with its token, and hidden or dummy where it is."""
        notes = [f"token {self.token}"] if self.token and not self.unknown else []
        notes += [
            word for word, true in (("hidden", self.hidden), ("dummy", self.dummy), ("wreck", self.wreck)) if true
        ]
        return self.id + (f" ({', '.join(notes)})" if notes else "")
