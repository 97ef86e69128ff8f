"""Shapes beside a sight line, in inches: the gap to what it passes most narrowly, the ground that its blocker hides."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from minis.draw.line_marks import Spot, lower_end, track_of
from minis.lengths import GRID, to_grid
from minis.sight.line import Sightline
from minis.sight.region import ground_levels
from minis.sight.region_shadow import SNAP_IN, areas_of, polygon_of, shadows
from minis.sight.scene import Scene

SAME_GAP_IN = 0.001
"""A gap on the table that differs from the margin by more than this is another one."""


def gap_of(scene: Scene, line: Sightline) -> tuple[Spot, Spot] | None:
    """From what a clear line passes most narrowly to the line, as long as the margin (S5.5).

    None where the line is stopped or passes nothing narrowly, and where the margin counts on a part of the line alone.
    """
    if line.near is None or not line.clear:
        return None
    obstacle = next(o for o in scene.obstacles if o.id == line.near.obstacle)
    path = [(x / GRID, y / GRID) for x, y in obstacle.line]
    shape = polygon_of(obstacle.rings) if obstacle.rings else shapely.LineString(path)
    track = track_of(line)
    found = shapely.shortest_line(shape, shapely.LineString([track.start, track.end]))
    if found is None or abs(found.length - line.near.by_in) > SAME_GAP_IN:
        return None
    (x0, y0), (x1, y1) = found.coords
    return (x0, y0), (x1, y1)


def area_of(scene: Scene, line: Sightline) -> BaseGeometry | None:
    """The ground on the level of the lower end that what decides hides from the viewer's sight point of the line.

    None where the line is clear, where the lower end is upstairs, and where the area does not tell the same as the
    line: it is that of point targets, the line may end at a corner of a base whose middle is on other ground. For all
    sight points of a viewer see `minis.sight.region`.
    """
    if line.deciding is None:
        return None
    lower, viewer = (scene.stand(scene.board.unit(name)) for name in (lower_end(line), line.viewer))
    ground = ground_levels(scene.board).get(lower.ground)
    track = track_of(line)
    if ground is None or lower.level != lower.ground:
        return None
    obstacle = next(o for o in scene.obstacles if o.id == line.deciding.obstacle)
    x, y = track.start
    unit = lower.unit
    counts_as = unit.kind.counts_as
    size = unit.size if counts_as == "own" else scene.board.rules.sizes[counts_as]
    found = shadows(scene, viewer, (to_grid(x), to_grid(y)), obstacle, lower.level, size.category, ground)
    whole = shapely.union_all([shape for _, shape in found], grid_size=SNAP_IN)
    area = areas_of(shapely.intersection(whole, ground, grid_size=SNAP_IN))
    touch = scene.settings.touch / GRID + SAME_GAP_IN
    return area if area.area and shapely.distance(area, shapely.Point(track.end)) <= touch else None
