"""The table as one frozen value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from minis.board.backdrop import Backdrop
from minis.board.place import Place
from minis.board.terrain import Smoke, Terrain
from minis.board.units import Unit
from minis.board.zones import Lane, Zone
from minis.errors import bad
from minis.rules.model import Rules
from minis.toml_file import nearest_of


@dataclass(frozen=True)
class Board:
    """A table of `width_in` by `depth_in` inches with its terrain, smoke and units, under its rules and switches.

    `place` says where it lies on the earth, where it was made of real ground; `backdrop` is a picture under
    the map, for the eye alone.
    `cautions` are remarks of the readers that forbid nothing; `lost` says of units that are out of the game what became
    of them, `once` which unit was on a token that is no longer on the table.
    """

    title: str
    width_in: float
    depth_in: float
    rules: Rules
    inches_per_hex: float
    inches_per_mp: float
    terrain: tuple[Terrain, ...] = ()
    smoke: tuple[Smoke, ...] = ()
    units: tuple[Unit, ...] = ()
    zones: tuple[Zone, ...] = ()
    lanes: tuple[Lane, ...] = ()
    place: Place | None = None
    backdrop: Backdrop | None = None
    cautions: tuple[str, ...] = ()
    name: str = ""
    lost: Mapping[str, str] = field(default_factory=dict)
    once: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def unit_by_id(self) -> dict[str, Unit]:
        """Units by id."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def terrain_by_id(self) -> dict[str, Terrain]:
        """Terrain by id."""
        return {piece.id: piece for piece in self.terrain}

    @cached_property
    def hills(self) -> tuple[Terrain, ...]:
        """Contours, in the order of the file."""
        return tuple(piece for piece in self.terrain if piece.kind.shape == "hill")

    @cached_property
    def crests(self) -> tuple[Terrain, ...]:
        """Contours and ridges, by id."""
        return tuple(sorted((piece for piece in self.terrain if piece.is_crest), key=lambda piece: piece.id))

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the order of the alphabet."""
        return tuple(sorted({unit.side for unit in self.units}))

    @cached_property
    def carrier_of(self) -> dict[str, str]:
        """The unit that carries each passenger."""
        return {rider: unit.id for unit in self.units for rider in unit.carries}

    @cached_property
    def tow_of(self) -> dict[str, str]:
        """The vehicle that tows each gun."""
        return {unit.tow: unit.id for unit in self.units if unit.tow}

    def unit(self, name: str) -> Unit:
        """The unit with this id, or the one on this token; raises BadInput that names the nearest ids."""
        on_token = (unit for unit in self.units if unit.token == name)
        found = self.unit_by_id.get(name) or next(on_token, None) or self.unit_by_id.get(self.once.get(name, ""))
        return found or self._find(name, self.unit_by_id, "unit")

    def check_side(self, side: str) -> str:
        """The side with this name; raises BadInput that names those there are."""
        if side not in self.sides:
            raise bad(f"there is no side {side!r} on this table; {nearest_of(side, self.sides)}", file=self.name)
        return side

    def _find(self, name: str, known: dict[str, Unit], what: str) -> Unit:
        if self.once.get(name, name) in self.lost:
            raise bad(f"{name} is out of the game: {self.lost[self.once.get(name, name)]}", file=self.name)
        if name not in known:
            raise bad(
                f"there is no {what} {name!r} on this table; {nearest_of(name, _near(name, known))}", file=self.name
            )
        return known[name]


def _near(name: str, known: Iterable[str]) -> list[str]:
    """Ids with those first that differ in case alone."""
    return sorted(known, key=lambda other: (other.lower() != name.lower(), other))
