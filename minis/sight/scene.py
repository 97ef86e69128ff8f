"""A board made ready for many questions: where every unit stands, and everything that can be in the way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from minis.board.board import Board
from minis.board.geometry import Box, Point, Ring, box_of, locate
from minis.board.terrain import Terrain
from minis.board.units import Unit
from minis.lengths import GRID
from minis.rules.model import Rules
from minis.sight.standing import Standing, stand

Form = Literal["area", "contour", "ridge", "hedgerow", "vehicle"]


@dataclass(frozen=True, eq=False, slots=True)
class Obstacle:
    """Something that can stop a line of sight, in grid steps, with its top in levels.

    `form` says by which rules: an area (S6), a contour (S7.3), a ridge (S7.4), a hedgerow (a linear obstacle such as
    bocage, S6.1) or a vehicle (S6.5).
    """

    id: str
    form: Form
    what: str
    top: float
    rings: tuple[Ring, ...]
    line: tuple[Point, ...]
    segments: tuple[tuple[Point, Point], ...]
    box: Box
    piece: Terrain | None = None
    unit: Unit | None = None


@dataclass(frozen=True)
class Settings:
    """The switches that every line asks for, in grid steps, read once.

    `graze` is true where a touch stops a line; `touch` is the touch tolerance; `woods_depth` and `woods_apart` are
    those of S6.10; margins wider than `shown` are not reported (S5.5).
    """

    graze: bool
    touch: float
    woods_depth: float
    woods_apart: float
    shown: float

    @staticmethod
    def of(rules: Rules) -> Settings:
        """The settings of a game."""
        return Settings(
            graze=rules.switch("graze") == "blocks",
            touch=rules.switch_number("touch_tolerance") * GRID,
            woods_depth=rules.switch_number("woods_depth") * GRID,
            woods_apart=rules.switch_number("woods_apart") * GRID,
            shown=rules.number("margin-shown").value * GRID,
        )


@dataclass(frozen=True, eq=False)
class Scene:
    """A board with its obstacles and standings, each worked out once.

    Obstacles are in the order of their ids, so that no answer depends on the order of the file (S5.4).
    """

    board: Board
    _standings: dict[str, Standing] = field(default_factory=dict)

    def stand(self, unit: Unit) -> Standing:
        """Where a unit stands."""
        found = self._standings.get(unit.id)
        if found is not None and found.unit is unit:
            return found
        if self.board.unit_by_id.get(unit.id) is not unit:
            return stand(self.board, unit)  # a unit that is not, or not so, on the board
        found = self._standings[unit.id] = stand(self.board, unit)
        return found

    def with_moved(self, unit: Unit) -> Scene:
        """The same scene with one unit at another place; what does not move is not worked out again."""
        units = tuple(unit if other.id == unit.id else other for other in self.board.units)
        scene = Scene(replace(self.board, units=units), {k: v for k, v in self._standings.items() if k != unit.id})
        still = tuple(obstacle for obstacle in self.obstacles if obstacle.id != unit.id)
        moved = (scene.vehicle(unit),) if scene.is_in_the_way(unit) else ()
        scene.__dict__["obstacles"] = tuple(sorted((*still, *moved), key=lambda obstacle: obstacle.id))
        scene.__dict__["settings"] = self.settings
        return scene

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Everything that can stop a line: terrain that is an obstacle, and vehicles (S6.1, S6.6)."""
        bare = self.board.rules.switch("leaf") == "bare"
        found = [obstacle for piece in self.board.terrain if (obstacle := _of_terrain(piece, bare=bare))]
        found += [self.vehicle(unit) for unit in self.board.units if self.is_in_the_way(unit)]
        return tuple(sorted(found, key=lambda obstacle: obstacle.id))

    def is_in_the_way(self, unit: Unit) -> bool:
        """True of vehicles and wrecks: no dummy, no passenger, nothing hidden on the judge's map (S6.6, S6.7)."""
        there = not unit.is_point and not unit.dummy and unit.id not in self.board.carrier_of
        shown = not unit.hidden or self.board.rules.switch("hidden_obstruct") == "yes"
        return bool(unit.kind.top) and there and shown

    def vehicle(self, unit: Unit) -> Obstacle:
        """A vehicle as an obstacle: half a level over the ground it stands on (S6.5)."""
        top = self.stand(unit).ground + unit.kind.top
        what = "a wreck" if unit.wreck else "a vehicle"
        segments = tuple(zip(unit.base, (*unit.base[1:], unit.base[0]), strict=True))
        return Obstacle(unit.id, "vehicle", what, top, (unit.base,), (), segments, box_of(unit.base), unit=unit)

    def out_of_the_way(self, one: Unit, other: Unit) -> frozenset[str]:
        """Units that do not obstruct the line between two: themselves, what tows or carries them, and what they do."""
        board = self.board
        names = {one.id, other.id}
        for unit in (one, other):
            names |= {unit.tow or "", board.tow_of.get(unit.id, ""), board.carrier_of.get(unit.id, ""), *unit.carries}
        return frozenset(names)

    def own_smoke(self, unit: Unit) -> frozenset[str]:
        """Clouds of a unit's own smoke that it stands in (S8.3)."""
        return frozenset(c.id for c in self.board.smoke if c.by == unit.id and locate(unit.at, [c.ring]) >= 0)

    @cached_property
    def settings(self) -> Settings:
        """The switches of this board that every line asks for."""
        return Settings.of(self.board.rules)


def _of_terrain(piece: Terrain, *, bare: bool) -> Obstacle | None:
    height = piece.height(bare=bare)
    if not piece.kind.obstacle or not height:
        return None
    form: Form = "area"
    if piece.is_crest:
        form = "ridge" if piece.line else "contour"
    elif piece.line:
        form = "hedgerow"
    what = f"level {piece.level} crest" if piece.is_crest else piece.kind.label
    return Obstacle(
        piece.id, form, what, piece.base + height, piece.rings, piece.line, piece.segments, piece.box, piece=piece
    )
