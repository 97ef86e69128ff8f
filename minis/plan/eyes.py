"""A table made ready for looking from many places at many others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from minis.board.board import Board
from minis.board.units import Unit
from minis.sight.field import Field, field_of, points_at, points_of, see_matrix
from minis.sight.scene import Scene


@dataclass(frozen=True, eq=False)
class Eyes:
    """A scene without the units that are still to be placed, and the same compiled for many lines (S5)."""

    scene: Scene

    @staticmethod
    def without(board: Board, names: Collection[str] = ()) -> Eyes:
        """The eyes of a board from which some units are taken off: they are to be looked at in other places."""
        return Eyes(Scene(replace(board, units=tuple(unit for unit in board.units if unit.id not in names))))

    @cached_property
    def field(self) -> Field:
        """The scene compiled."""
        return field_of(self.scene)

    def see(self, units: Sequence[Unit], others: Sequence[Unit]) -> Any:
        """Which of n units have a line of sight to which of m others: truths, an array (n, m) (S5.1)."""
        a, b = points_of(self.field, units), points_of(self.field, others)
        clear = see_matrix(self.field, a, b) < 0
        return _any_by(_any_by(clear, a.unit, len(units), axis=0), b.unit, len(others), axis=1)

    def see_places(self, units: Sequence[Unit], xy_in: Any) -> Any:
        """Which of n units have a line of sight to which points on the ground, (m, 2) in inches: truths (n, m)."""
        a, b = points_of(self.field, units), points_at(self.field, xy_in)
        return _any_by(see_matrix(self.field, a, b) < 0, a.unit, len(units), axis=0)


def _any_by(clear: Any, owner: Any, count: int, *, axis: int) -> Any:
    """Truths of points gathered to those of their owners: true where any point is."""
    found = np.zeros((count, clear.shape[1]) if axis == 0 else (clear.shape[0], count), dtype=bool)
    if axis == 0:
        np.logical_or.at(found, owner, clear)
    else:
        np.logical_or.at(found.T, owner, clear.T)
    return found
