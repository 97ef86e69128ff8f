"""The chance to sight a given kind of target anywhere on the table (S2 to S4, S8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from minis.board.units import Unit
from minis.errors import bad
from minis.lengths import GRID, to_grid
from minis.rules.model import FLAGS
from minis.rules.rows import UnitKindRow
from minis.sight.attempt import attempt, is_small, turn_facts
from minis.sight.line import distance
from minis.sight.region import Region, visible_region
from minis.sight.region_shadow import polygon_of
from minis.sight.scene import Scene
from minis.sight.sighting import SightFacts, sighting

Cells = NDArray[Any]

CLOSE_IN = 0.002
"""Cells whose centre is closer than this to the edge of what is seen are asked of the line itself, in inches."""


@dataclass(frozen=True)
class TargetKind:
    """A kind of target: a row of the unit kinds, a row of the sizes, and its flags of this turn such as "moved"."""

    kind: str = "vehicle"
    size: str = "average"
    flags: frozenset[str] = frozenset()


def chance_map(scene: Scene, viewer: Unit, target: TargetKind, cell_in: float) -> Cells:
    """The exact chance, 0 to 1, of a unit to sight a target that stands at the centre of each cell (S2).

    An array of rows from south to north, each from west to east; cells are `cell_in` inches square. The last of a row
    or column may reach over the edge of the table: a centre beyond it is put on it. The target is a point at ground
    level; its cover is that of the place where it stands (S2.5). The chance is 0 where there is no line of sight.
    Raises BadInput for a cell without a size and for a kind, size or flag that there is not.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> chances = chance_map(scene, scene.board.unit("P1"), TargetKind("vehicle"), 12)
    >>> chances.shape, float(chances[1, 6]), float(chances[0, 0])
    ((4, 7), 0.77, 0.0)
    """
    kind = _kind(scene, target)
    xs, ys = (_centres(side, cell_in, scene) for side in (scene.board.width_in, scene.board.depth_in))
    size = target.size if kind.counts_as == "own" else kind.counts_as
    region = visible_region(scene, viewer, size=size)
    x, y = (grid.ravel() for grid in np.meshgrid(xs, ys))
    units = [_unit(scene, target, kind, to_grid(u), to_grid(v)) for u, v in zip(x.tolist(), y.tolist(), strict=True)]
    seen, asked = _sorted_out(scene, viewer, region, x, y)
    chances = np.zeros(len(units))
    plain = seen & ~asked & ~_is_barred(scene, viewer)
    covered = _covered(scene, x, y)
    for k in np.flatnonzero(plain).tolist():
        chances[k] = _plain_chance(scene, viewer, units[k], in_cover=bool(covered[k]))
    for k in np.flatnonzero(asked).tolist():
        chances[k] = float(attempt(scene, viewer, units[k]).ruling.chance)
    return chances.reshape(len(ys), len(xs))


def _kind(scene: Scene, target: TargetKind) -> UnitKindRow:
    rules, name = scene.board.rules, scene.board.name
    for what, word, known in (("kind", target.kind, rules.unit_kinds), ("size", target.size, rules.sizes)):
        if word not in known:
            raise bad(f"there is no {what} {word!r}; expected one of {', '.join(known)}", file=name)
    for flag in sorted(target.flags - set(FLAGS)):
        raise bad(f"there is no flag {flag!r}; expected one of {', '.join(FLAGS)}", file=name)
    return rules.unit_kinds[target.kind]


def _centres(side_in: float, cell_in: float, scene: Scene) -> list[float]:
    """The middles of the cells along a side of the table, on the table, in inches."""
    if not (math.isfinite(cell_in) and cell_in * GRID >= 1):
        raise bad(f"expected a cell of some size in inches, not {cell_in!r}", file=scene.board.name)
    return [min(side_in, (k + 0.5) * cell_in) for k in range(math.ceil(side_in / cell_in))]


def _unit(scene: Scene, target: TargetKind, kind: UnitKindRow, x: int, y: int) -> Unit:
    size = scene.board.rules.sizes[target.size]
    return Unit("\0target", "", kind, size, at=(x, y), length_in=0.0, width_in=0.0, flags=target.flags)


def _is_barred(scene: Scene, viewer: Unit) -> bool:
    """True of a unit that makes no attempt at all, whatever the line."""
    return viewer.wreck or viewer.dummy or viewer.unknown


def _sorted_out(scene: Scene, viewer: Unit, region: Region, x: Cells, y: Cells) -> tuple[Cells, Cells]:
    """Which cells are seen, and which have to be asked of the line itself.

    Those are seen cells with smoke between them and the viewer, all cells that touch something which gives cover or
    hull down to a line across it, and all so close to an edge of what is seen that the drawing may not tell.
    """
    points = shapely.points(x, y)
    shapely.prepare(region.visible)
    seen = np.asarray(shapely.covers(region.visible, points))
    asked = np.asarray(shapely.dwithin(shapely.boundary(region.visible), points, CLOSE_IN))
    board = scene.board
    touch = board.rules.switch_number("touch_tolerance") + CLOSE_IN
    for piece in board.terrain:
        if piece.kind.cover == "touch" or piece.kind.hull_down:
            paths = shapely.multilinestrings([[(u / GRID, v / GRID) for u, v in s] for s in piece.segments])
            asked |= shapely.dwithin(paths, points, touch)
        elif piece.kind.cover == "inside":
            asked |= seen & shapely.dwithin(shapely.boundary(polygon_of(piece.rings)), points, CLOSE_IN)
    for cloud in board.smoke:
        asked |= seen & _past_smoke(scene, viewer, polygon_of([cloud.ring]), x, y)
    return seen, asked


def _past_smoke(scene: Scene, viewer: Unit, cloud: Any, x: Cells, y: Cells) -> Cells:
    """Cells to which a line from a sight point of the viewer may pass through a cloud."""
    shapely.prepare(cloud)
    found = np.zeros(len(x), dtype=bool)
    for u, v in scene.stand(viewer).points:
        lines = np.stack([np.full(len(x), u / GRID), np.full(len(x), v / GRID), x, y], axis=-1).reshape(-1, 2, 2)
        found |= shapely.dwithin(cloud, shapely.linestrings(lines), CLOSE_IN)
    return found


def _covered(scene: Scene, x: Cells, y: Cells) -> Cells:
    """Cells in terrain that gives cover to what is inside it (S2.5)."""
    found = np.zeros(len(x), dtype=bool)
    for piece in scene.board.terrain:
        if piece.kind.cover == "inside" and piece.rings:
            found |= shapely.contains_xy(polygon_of(piece.rings), x, y)
    return found


def _plain_chance(scene: Scene, viewer: Unit, target: Unit, *, in_cover: bool) -> float:
    """The chance where the line is clear, without smoke, and the target stands against nothing."""
    rules = scene.board.rules
    facts = SightFacts(
        range_in=distance(scene, viewer, target) / GRID,
        small=is_small(rules, target),
        in_cover=in_cover,
        vehicle=target.is_vehicle,
        vehicle_in_open=target.is_vehicle and not in_cover,
        spotter=viewer.spotter,
        facts=frozenset(turn_facts("sighter", viewer) | turn_facts("target", target)),
    )
    return float(sighting(facts, rules).chance)
