"""The field of fire of a unit: the ground in its sight by range, the chances there, and the dead ground (S5, C3).

Areas are exact (`minis.plan.field_areas`). For the chances the table is cut into square cells, each looked at in its
middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.fire.measure import weapon_of
from minis.fire.refused import Refused
from minis.lengths import EPSILON_IN
from minis.plan.cells import Array, Cells, Place, View, cells_of, view_of
from minis.plan.chances import Chances
from minis.plan.eyes import Eyes
from minis.plan.field_areas import Areas, DeadGround, Ring, areas_of
from minis.plan.field_chances import Asked, CellChances, chances_in, template_of
from minis.plan.workers import BrokenOff, Progress, chunks, run
from minis.rules.fire_rows import RangeRow
from minis.rules.plan_rows import plan_number

AT_ONCE = 128
"""Cells in one job: it changes no result."""


@dataclass(frozen=True)
class Spread:
    """The least, the mean and the best of some chances; the mean weighs each by its area."""

    least: Fraction
    mean: Fraction
    best: Fraction


@dataclass(frozen=True)
class Prospect:
    """The chances against one target that stands still in the open: to sight it, and once sighted to hit it.

    `sight` is None where no cell has its middle in the band, or none was looked at; `hit` also where there is no weapon
    or it is masked.
    """

    target: str
    sight: Spread | None
    hit: Spread | None


@dataclass(frozen=True)
class Band:
    """The ground in sight in one range band of the To Hit table: square inches, and those inside the covered arc.

    `from_hexes` to `up_to_hexes` are its ranges; the last band has no end. The chances are those of `cells` cells.
    """

    row: RangeRow
    from_hexes: int
    up_to_hexes: int | None
    area: float
    in_arc: float
    cells: int
    prospects: tuple[Prospect, ...]


@dataclass(frozen=True)
class FarPlace:
    """A place that is seen from far: the middle of a cell, in inches, and its range."""

    at: Place
    distance_in: float


@dataclass(frozen=True)
class FieldOfFire:
    """The ground that a unit sees; areas are square inches, `table` that of all of it.

    `beyond` is in the line of sight, but farther than anybody sights (S1.1); it is in no band and not in `area`. The
    chances are those of `looked_at` cells of the `cells` in sight: all, where nobody broke it off.
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
    looked_at: int
    cells: int

    @property
    def share(self) -> float:
        """The share of the table in sight."""
        return self.area / self.table

    @property
    def broken_off(self) -> bool:
        """True where somebody stopped it before its end."""
        return self.looked_at < self.cells


def field_of_fire(
    eyes: Eyes,
    unit: Unit,
    targets: Sequence[Unit],
    *,
    weapon: str | None = None,
    level: int | None = None,
    chances: Chances | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> FieldOfFire:
    """The ground that a unit sees and what it can do there to some targets that stand still in the open.

    The targets are measured to the middle of a cell. What is on the line from the unit's centre counts as in a shot:
    smoke, hindrances, the height of the ground; the terrain at the target does not, nor whether a bow weapon is masked
    there (D4.223). `level` is that of a point without a base, of None its ground. The same whatever the executor.
    Raises BadInput for a weapon that the unit has not, Refused for a wreck or a dummy, BrokenOff where it was stopped
    before the areas were there.
    """
    board = eyes.scene.board
    if unit.wreck or unit.dummy:
        rule, what = ("S6.6", "a wreck") if unit.wreck else ("S11.2", "a dummy")
        raise Refused(rule, f"{unit.id} is {what}: it has no field of fire")
    laid = weapon_of(unit, weapon) if unit.weapons or weapon is not None else None
    view = view_of(eyes, unit, cells_of(board, plan_number(board.rules, "field-cell")), level)
    limit = board.rules.number("spotter-max-range" if unit.spotter else "max-range").value
    seen = np.flatnonzero((view.hider < 0) & (view.distance_in <= limit + EPSILON_IN))
    templates = tuple(template_of(view, target, laid, seen) if laid else None for target in targets)
    asked = Asked(laid, tuple(targets), templates, chances or Chances(board.rules))
    jobs: list[_Ground | _Cells] = [_Ground(eyes, unit, laid, level)]
    jobs += [_Cells(asked, _part(view, np.array(part))) for part in chunks(seen.tolist(), AT_ONCE)]
    done = run(executor, _work, jobs, progress=progress)
    found = [one for part in done.results if not isinstance(part, Areas) for one in part]
    areas = next((part for part in done.results if isinstance(part, Areas)), None)
    if areas is None:
        raise BrokenOff(f"chances were worked out for {len(found)} of {len(seen)} cells in sight, but no area yet")
    return FieldOfFire(
        unit=unit,
        weapon=laid,
        cell_in=plan_number(board.rules, "field-cell"),
        table=board.width_in * board.depth_in,
        area=areas.area,
        beyond=areas.beyond,
        bands=tuple(_bands(areas.rings, found, targets)),
        dead=areas.dead,
        farthest=_farthest(view, seen),
        looked_at=len(found),
        cells=len(seen),
    )


def _farthest(view: View, seen: Array) -> tuple[FarPlace, ...]:
    """The farthest cells in sight, the farthest first."""
    many = int(plan_number(view.eyes.scene.board.rules, "farthest-shots"))
    order = sorted(seen.tolist(), key=lambda k: (-round(float(view.distance_in[k]), 6), *view.cells.xy[k].tolist()))
    return tuple(FarPlace(view.place(k), float(view.distance_in[k])) for k in order[:many])


# --- by range --------------------------------------------------------------------------------------------------------


def _bands(rings: Sequence[Ring], cells: Sequence[CellChances], targets: Sequence[Unit]) -> Iterator[Band]:
    """Each range band of the To Hit table that there is anything of in sight."""
    for ring in rings:
        least, most = ring.from_hexes, ring.row.up_to
        inside = [one for one in cells if least <= one.hexes and (most is None or one.hexes <= most)]
        if ring.area or inside:
            prospects = tuple(_prospect(target, inside, number) for number, target in enumerate(targets))
            yield Band(ring.row, least, most, ring.area, ring.in_arc, len(inside), prospects)


def _prospect(target: Unit, cells: Sequence[CellChances], number: int) -> Prospect:
    """The chances against a target over some cells."""
    areas = [one.area for one in cells]
    hits = [hit for one in cells if (hit := one.hit[number]) is not None]
    return Prospect(
        target.id.strip(),
        _spread([one.sight[number] for one in cells], areas) if cells else None,
        _spread(hits, areas) if hits else None,
    )


def _spread(chances: Sequence[Fraction], areas: Sequence[Fraction]) -> Spread:
    mean = sum((chance * area for chance, area in zip(chances, areas, strict=True)), Fraction(0)) / sum(areas)
    return Spread(min(chances), mean, max(chances))


# --- cut into jobs ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ground:
    """The areas of a field of fire: one job."""

    eyes: Eyes
    unit: Unit
    weapon: Weapon | None
    level: int | None


@dataclass(frozen=True)
class _Cells:
    """The chances in some cells in sight: one job."""

    asked: Asked
    view: View


def _part(view: View, cells: Array) -> View:
    """A view of some of its cells alone."""
    some = Cells(view.cells.xy[cells], view.cells.area[cells])
    return replace(
        view, cells=some, hider=view.hider[cells], distance_in=view.distance_in[cells], ground=view.ground[cells]
    )


def _work(job: _Ground | _Cells) -> Areas | list[CellChances]:
    if isinstance(job, _Ground):
        return areas_of(job.eyes.scene, job.unit, weapon=job.weapon, level=job.level)
    return chances_in(job.view, job.asked)
