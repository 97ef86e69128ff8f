"""Places of one unit side by side: the field of fire and every lane from each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from minis.board.board import Board
from minis.board.units import Unit
from minis.board.zones import Lane
from minis.plan.chances import Chances
from minis.plan.eyes import Eyes
from minis.plan.field_of_fire import FieldOfFire, field_of_fire
from minis.plan.lanes import Watched, watched


@dataclass(frozen=True)
class Compared:
    """What a unit has of one place: its field of fire, and each lane as it watches it alone."""

    unit: Unit
    field: FieldOfFire
    lanes: tuple[Watched, ...]


def compare(
    board: Board, places: Sequence[Unit], lanes: Sequence[Lane], target: Unit, *, without: Collection[str] = ()
) -> list[Compared]:
    """A unit at each of some places: against a target that stands still in the open, and that walks the lanes.

    The target and the units `without` are taken off the table, and so is the unit itself. Raises Refused for a wreck or
    a dummy.
    """
    eyes = Eyes.without(board, {target.id, *without, *(unit.id for unit in places)})
    chances = Chances(board.rules)
    return [
        Compared(
            unit,
            field_of_fire(eyes, unit, [target], chances=chances),
            tuple(watched(eyes, lane, target, [unit]) for lane in lanes),
        )
        for unit in places
    ]
