"""Whom a plan asks about: units of the table, a kind or a type that stands for one, a place to look from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from minis.board.board import Board
from minis.board.catalogue import catalogue
from minis.board.units import Unit
from minis.errors import bad
from minis.lengths import to_grid
from minis.toml_file import nearest_of

Place = tuple[float, float]

AVERAGE = "average"
"""The size of a stand-in that has none of its own."""


def stand_in(board: Board, name: str, *, house: Path | None = None) -> Unit:
    """A target by the id of a unit, a kind of unit or a type of the catalogue: identified, still, with nothing on tow.

    A vehicle that is a kind alone is an armoured one. Raises BadInput, for --target, where there is no such thing.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> [stand_in(board, name).size.id for name in ("vehicle", "P5", "panzer-iv-h")]
    ['average', 'very large', 'average']
    """
    if name in board.unit_by_id:
        return _bare(board.unit(name))
    kinds, types = board.rules.unit_kinds, catalogue(house)
    if name in kinds:
        kind = kinds[name]
        armoured = kind.id == "vehicle"
        return Unit(
            _own_id(name), "", kind, board.rules.sizes[AVERAGE], (0, 0), kind.length, kind.width, armoured=armoured
        )
    if name not in types:
        known = [*kinds, *board.unit_by_id, *types]
        raise bad(f"there is no unit, kind or type {name!r}; {nearest_of(name, known)}", file="--target")
    entry = types[name]
    kind = kinds[entry.kind or "vehicle"]
    length, width = (kind.length, kind.width) if entry.base is None else (0.0, 0.0) if entry.base == 0 else entry.base
    return Unit(
        id=_own_id(name), side="", kind=kind, size=board.rules.sizes[entry.size], at=(0, 0), length_in=length,
        width_in=width, armoured=entry.armoured, armour=entry.armour, nation=entry.nation, mount=entry.mount,
        closed_top=entry.closed_top, weapons=tuple(entry.weapons),
    )  # fmt: skip


def _own_id(name: str) -> str:
    """An id that no unit of a scenario can have: those begin with no blank."""
    return f" {name}"


def _bare(unit: Unit) -> Unit:
    return replace(
        unit, flags=frozenset(), sighted_by=frozenset(), hidden=False, token=None, tow=None, carries=(), storey=None,
        roof=False,
    )  # fmt: skip


def eye_at(board: Board, at: Place) -> Unit:
    """A place in inches as a unit without a base: somebody who looks from there, and has no weapon.

    Raises BadInput, for --at, where it is off the table.
    """
    if not (0 <= at[0] <= board.width_in and 0 <= at[1] <= board.depth_in):
        raise bad(f"{at[0]:g},{at[1]:g} is off the table", file="--at")
    kind = board.rules.unit_kinds["infantry"]
    place = (to_grid(at[0]), to_grid(at[1]))
    return Unit(_own_id("place"), "", kind, board.rules.sizes[AVERAGE], place, 0.0, 0.0)


def armed(board: Board, *, against: str | None = None) -> list[Unit]:
    """The units that can fire at a side, hidden ones too, by id: no dummies, no wrecks, no passengers, nothing on tow.

    `against` None is every side.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> [unit.id for unit in armed(board, against="allied")]
    ['P1', 'P5', 'P8']
    """
    return _by_id(
        unit
        for unit in board.units
        if unit.weapons and not (unit.dummy or unit.wreck or unit.unknown) and unit.side != against
        if unit.id not in board.carrier_of and unit.id not in board.tow_of
    )


def _by_id(units: Iterable[Unit]) -> list[Unit]:
    return sorted(units, key=lambda unit: unit.id)
