"""The field of fire of a unit: the ground in its sight by range, the chances there, and the dead ground (S5, C3).

The table is cut into square cells, each looked at in its middle: areas are right to about a cell along their edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.fire.facts import ShotFacts
from minis.fire.measure import Declaration, declare, weapon_of
from minis.fire.refused import Refused
from minis.lengths import EPSILON_IN
from minis.plan.cells import Array, Line, Place, View, cells_of, line_to, view_of
from minis.plan.chances import Chances
from minis.plan.eyes import Eyes
from minis.rules.fire_rows import RangeRow
from minis.rules.plan_rows import plan_number
from minis.sight.attempt import attempt, is_small, turn_facts
from minis.sight.sighting import SightFacts


@dataclass(frozen=True)
class Spread:
    """The least, the mean and the best of some chances; the mean weighs each by its area."""

    least: Fraction
    mean: Fraction
    best: Fraction


@dataclass(frozen=True)
class Prospect:
    """The chances against one target that stands still in the open: to sight it, and once sighted to hit it.

    `hit` is None where there is no weapon.
    """

    target: str
    sight: Spread
    hit: Spread | None


@dataclass(frozen=True)
class Band:
    """The ground in sight in one range band of the To Hit table: square inches, and those inside the covered arc.

    `from_hexes` to `up_to_hexes` are its ranges; the last band has no end.
    """

    row: RangeRow
    from_hexes: int
    up_to_hexes: int | None
    area: float
    in_arc: float
    prospects: tuple[Prospect, ...]


@dataclass(frozen=True)
class DeadGround:
    """Ground that an obstacle hides, in square inches; where several do, each cell is told of one of them."""

    obstacle: str
    what: str
    area: float


@dataclass(frozen=True)
class FarPlace:
    """A place that is seen from far: the middle of a cell, in inches, and its range."""

    at: Place
    distance_in: float


@dataclass(frozen=True)
class FieldOfFire:
    """The ground that a unit sees; areas are square inches, `table` that of all of it.

    `beyond` is in the line of sight, but farther than anybody sights (S1.1); it is in no band and not in `area`.
    """

    unit: Unit
    weapon: Weapon | None
    cell_in: float
    table: float
    area: float
    beyond: float
    bands: tuple[Band, ...]
    dead: tuple[DeadGround, ...]
    farthest: tuple[FarPlace, ...]

    @property
    def share(self) -> float:
        """The share of the table in sight."""
        return self.area / self.table


def field_of_fire(
    eyes: Eyes,
    unit: Unit,
    targets: Sequence[Unit],
    *,
    weapon: str | None = None,
    level: int | None = None,
    chances: Chances | None = None,
) -> FieldOfFire:
    """The ground that a unit sees and what it can do there to some targets that stand still in the open.

    The targets are measured to the middle of a cell. What is on the line from the unit's centre counts as in a shot:
    smoke, hindrances, the height of the ground; the terrain at the target does not, nor whether a bow weapon is masked
    there (D4.223). `level` is that of a point without a base, of None its ground. Raises BadInput for a
    weapon that the unit has not, Refused for a wreck or a dummy.
    """
    board = eyes.scene.board
    if unit.wreck or unit.dummy:
        rule, what = ("S6.6", "a wreck") if unit.wreck else ("S11.2", "a dummy")
        raise Refused(rule, f"{unit.id} is {what}: it has no field of fire")
    chances = chances or Chances(board.rules)
    laid = weapon_of(unit, weapon) if unit.weapons or weapon is not None else None
    view = view_of(eyes, unit, cells_of(board, plan_number(board.rules, "field-cell")), level)
    cells = view.cells
    limit = board.rules.number("spotter-max-range" if unit.spotter else "max-range").value
    clear = view.hider < 0
    near = clear & (view.distance_in <= limit + EPSILON_IN)
    seen = np.flatnonzero(near)
    return FieldOfFire(
        unit=unit,
        weapon=laid,
        cell_in=plan_number(board.rules, "field-cell"),
        table=board.width_in * board.depth_in,
        area=float(cells.area[near].sum()),
        beyond=float(cells.area[clear & ~near].sum()),
        bands=tuple(_bands(view, seen, targets, laid, chances)),
        dead=_dead(view),
        farthest=_farthest(view, seen),
    )


def _dead(view: View) -> tuple[DeadGround, ...]:
    """The dead ground of each obstacle, largest first."""
    what = {obstacle.id: obstacle.what for obstacle in view.eyes.scene.obstacles}
    hidden: Counter[str] = Counter()
    for number, area in zip(view.hider.tolist(), view.cells.area.tolist(), strict=True):
        if number >= 0:
            hidden[view.eyes.field.names[number]] += area
    found = [DeadGround(name, what[name], area) for name, area in hidden.items()]
    return tuple(sorted(found, key=lambda dead: (-dead.area, dead.obstacle)))


def _farthest(view: View, seen: Array) -> tuple[FarPlace, ...]:
    """The farthest cells in sight, the farthest first."""
    many = int(plan_number(view.eyes.scene.board.rules, "farthest-shots"))
    order = sorted(seen.tolist(), key=lambda k: (-round(float(view.distance_in[k]), 6), *view.cells.xy[k].tolist()))
    return tuple(FarPlace(view.place(k), float(view.distance_in[k])) for k in order[:many])


# --- by range --------------------------------------------------------------------------------------------------------


def _bands(view: View, seen: Array, targets: Sequence[Unit], weapon: Weapon | None, chances: Chances) -> Iterator[Band]:
    """Each range band of the To Hit table that there is anything of in sight."""
    lines = {cell: line_to(view, cell, weapon) for cell in seen.tolist()}
    templates = [_template(view, target, weapon, lines) if weapon else None for target in targets]
    least = 0
    for row in view.eyes.scene.board.rules.to_hit_ranges:
        inside = {
            cell: line
            for cell, line in lines.items()
            if least <= line.hexes and (row.up_to is None or line.hexes <= row.up_to)
        }
        if inside:
            prospects = [
                _prospect(view, inside, target, facts, chances)
                for target, facts in zip(targets, templates, strict=True)
            ]
            area = sum(float(view.cells.area[cell]) for cell in inside)
            in_arc = sum(float(view.cells.area[cell]) for cell, line in inside.items() if not line.arc_steps)
            yield Band(row, least, row.up_to, area, in_arc, tuple(prospects))
        least = (row.up_to or 0) + 1


def _prospect(
    view: View, lines: Mapping[int, Line], target: Unit, facts: ShotFacts | None, chances: Chances
) -> Prospect:
    """The chances against a target over some cells."""
    areas = [Fraction(float(view.cells.area[cell])) for cell in lines]
    sight = [chances.sight(_sight_facts(view, target, cell, line)) for cell, line in lines.items()]
    hit = [chances.hit(_shot_facts(view, facts, cell, line)) for cell, line in lines.items()] if facts else []
    return Prospect(target.id.strip(), _spread(sight, areas), _spread(hit, areas) if hit else None)


def _spread(chances: Sequence[Fraction], areas: Sequence[Fraction]) -> Spread:
    mean = sum((chance * area for chance, area in zip(chances, areas, strict=True)), Fraction(0)) / sum(areas)
    return Spread(min(chances), mean, max(chances))


def _sight_facts(view: View, target: Unit, cell: int, line: Line) -> SightFacts:
    """The facts of an attempt to sight a target that stands still in the open in a cell."""
    rules = view.eyes.scene.board.rules
    return SightFacts(
        range_in=float(view.distance_in[cell]),
        small=is_small(rules, target),
        vehicle=target.is_vehicle,
        vehicle_in_open=target.is_vehicle,
        spotter=view.unit.spotter,
        facts=frozenset(turn_facts("sighter", view.unit)),
        smoke="full" if line.clouds else "none",
        clouds=line.clouds,
    )


def _template(view: View, target: Unit, weapon: Weapon, cells: Iterable[int]) -> ShotFacts | None:
    """The facts of a shot at a target in the first of some cells, as the fire rules measure them on the table.

    None where the weapon is masked at every cell (D4.223).
    """
    for cell in cells:
        there = replace(target, at=view.at(cell), length_in=0.0, width_in=0.0)
        tried = attempt(view.eyes.scene, view.unit, there)
        sure = replace(tried, ruling=replace(tried.ruling, sighted=True))
        found = declare(view.eyes.scene, sure, Declaration(weapon.id))
        if found.shot is not None:
            return found.shot.facts
    return None


def _shot_facts(view: View, facts: ShotFacts, cell: int, line: Line) -> ShotFacts:
    """The facts of the same shot at another cell: what the place alone changes, and the target in the open."""
    higher = int(view.ground[cell]) - view.level >= 1
    tem = view.eyes.scene.board.rules.tem["height advantage"].value if higher else 0
    return replace(
        facts, range_hexes=line.hexes, arc_steps=line.arc_steps, hindrance=line.hindrance, tem=tem,
        tem_from="height advantage" if higher else None, hull_down=None, hull_down_by=None, through_own_smoke=False,
        in_open=facts.target == "infantry",
    )  # fmt: skip
