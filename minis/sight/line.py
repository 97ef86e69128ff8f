"""The line of sight between two units: the readable reference (S5, S6, S7, S9).

There is a line of sight where any line between a sight point of one and a sight point of the other is clear (S5.1).
The line that decides is the one that keeps the verdict longest: of clear lines the one with the least smoke and then
the widest margin, of stopped lines the one nearest to being clear. Verdict, reason, margin and picture all come from
that one line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from minis.board.geometry import base_to_base
from minis.board.units import Unit
from minis.lengths import EPSILON_IN, GRID
from minis.rules.rows import Row
from minis.sight.barrier import stops_all
from minis.sight.meeting import Crossing, Ray, freed, lies_below, meet
from minis.sight.near import near_miss
from minis.sight.scene import Obstacle, Scene
from minis.sight.standing import Standing
from minis.sight.stretch import Straight, spans_of_area, without_ends

SmokeClass = Literal["none", "own", "full"]
SMOKE_ORDER: tuple[SmokeClass, ...] = ("none", "own", "full")


@dataclass(frozen=True)
class NearMiss:
    """An obstacle that a clear line passes, and by how many inches."""

    obstacle: str
    by_in: float


@dataclass(frozen=True)
class Sightline:
    """The line of sight from one unit to another.

    `distance_in` is the distance of the bases (S1.3). `line` runs from `from_id` to `to_id`, in inches. `crossings` are
    what it meets, in order from the viewer: the higher end, of equals the first by its id. `deciding` is the crossing
    that hides, None when clear. `margin_in` is how far the line is from the other verdict, None where nothing near
    would change it (S5.5). `smoke` are the clouds on the line and `smoke_class` how they count against `to_id` (S8.2,
    S8.3).
    """

    from_id: str
    to_id: str
    viewer: str
    from_level: int
    to_level: int
    distance_in: float
    clear: bool
    line: tuple[tuple[float, float], tuple[float, float]]
    crossings: tuple[Crossing, ...]
    deciding: Crossing | None
    margin_in: float | None
    close: bool
    near: NearMiss | None
    smoke: tuple[str, ...]
    smoke_class: SmokeClass

    @property
    def also(self) -> tuple[Crossing, ...]:
        """Other obstacles on the line that hide too."""
        return tuple(c for c in self.crossings if c.hides and c is not self.deciding)

    @property
    def rows_used(self) -> tuple[Row, ...]:
        """Rows of tables that the verdict rests on."""
        return tuple(c.row for c in self.crossings if c.row is not None)


class _Traced(NamedTuple):
    """One line judged: whether it is clear, and how far from the other verdict, in inches."""

    ray: Ray
    clear: bool
    slack_in: float
    smoke: tuple[str, ...]
    smoke_class: SmokeClass
    order: int


def distance(scene: Scene, one: Unit, other: Unit) -> float:
    """The distance of two units in grid steps, edge to edge or centre to centre by the switch (S1.3)."""
    if scene.board.rules.switch("measure") == "centre":
        return math.dist(one.at, other.at)
    return base_to_base(one.base, other.base)


def sight_line(scene: Scene, one: Unit, other: Unit) -> Sightline:
    """The line of sight from one unit to another, the same verdict whichever is named first (S5.2).

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> unit = scene.board.unit
    >>> sight_line(scene, unit("T1"), unit("P1")).clear, sight_line(scene, unit("T1"), unit("P2")).clear
    (True, False)
    """
    chosen, candidates = _decide(scene, one, other)
    ray = chosen.ray._replace(enough=math.inf)
    found = [crossing for obstacle in candidates if (crossing := meet(obstacle, ray))]
    if not chosen.clear and not any(crossing.hides for crossing in found):
        found += _seam(ray, candidates)
    found.sort(key=lambda c: (c.entry_in, c.exit_in, c.obstacle))
    hiding = [crossing for crossing in found if crossing.hides]
    deciding = freed(hiding)[1] if hiding else None
    margin = None if chosen.slack_in == math.inf else chosen.slack_in
    a, b = _in_inches(ray.line.a), _in_inches(ray.line.b)
    first, second = scene.stand(one), scene.stand(other)
    return Sightline(
        from_id=one.id,
        to_id=other.id,
        viewer=ray.viewer.unit.id,
        from_level=first.level,
        to_level=second.level,
        distance_in=ray.apart / GRID,
        clear=chosen.clear,
        line=(a, b) if ray.viewer is first else (b, a),
        crossings=tuple(found),
        deciding=deciding,
        margin_in=margin,
        close=margin is not None and margin <= scene.board.rules.switch_number("tape_tolerance") + EPSILON_IN,
        near=_nearest(candidates, ray, scene.settings.shown) if chosen.clear else None,
        smoke=chosen.smoke,
        smoke_class=chosen.smoke_class,
    )


def can_see(scene: Scene, one: Unit, other: Unit) -> bool:
    """True where there is a line of sight: the verdict of `sight_line` without its reasons, found sooner (S5.1)."""
    viewer, lower = _viewer_first(scene, one, other)
    candidates = [o for o in _nearby(scene, viewer, lower) if not lies_below(o, viewer, lower)]
    rays = _rays(scene, viewer, lower, distance(scene, one, other), enough=0.0)
    centre = next(rays)
    if _is_clear(centre, candidates):
        return True
    rules = scene.board.rules
    if any(stops_all(o, viewer, lower, rules) for o in candidates if not centre.line.misses(o.box)):
        return False
    return any(_is_clear(ray, candidates) for ray in rays)


def _is_clear(ray: Ray, candidates: list[Obstacle]) -> bool:
    for place, obstacle in enumerate(candidates if ray.line.long2 else ()):
        crossing = meet(obstacle, ray)
        if crossing is not None and crossing.hides:
            candidates.insert(0, candidates.pop(place))
            return False
    return not _seam(ray, candidates)


def _seam(ray: Ray, candidates: list[Obstacle]) -> list[Crossing]:
    """Two obstacles that a line only touches, one on its left and one on its right, at one place: no gap (S5.3).

    Where a touch alone clears (the switch graze), the line does not pass between them all the same.
    """
    if ray.settings.graze or not ray.line.long2:
        return []
    touching = ray._replace(settings=replace(ray.settings, graze=True), enough=math.inf)
    met = [crossing for obstacle in candidates if (crossing := meet(obstacle, touching)) and crossing.hides]
    left = [c for c in met if c.ways_in[1] == 0 < c.ways_in[0]]
    right = [c for c in met if c.ways_in[0] == 0 < c.ways_in[1]]
    pairs = ((a, b) for a in left for b in right if a.entry_in <= b.exit_in and b.entry_in <= a.exit_in)
    return list(next(pairs, ()))


def _viewer_first(scene: Scene, one: Unit, other: Unit) -> tuple[Standing, Standing]:
    """The higher end, then the lower; of equals the first in the order of their ids (S5.2)."""
    first, second = sorted((scene.stand(one), scene.stand(other)), key=lambda s: (-s.level, s.unit.id))
    return first, second


def _in_inches(point: tuple[int, int]) -> tuple[float, float]:
    return point[0] / GRID, point[1] / GRID


def _decide(scene: Scene, one: Unit, other: Unit) -> tuple[_Traced, list[Obstacle]]:
    """The line that decides, and the obstacles that are anywhere near."""
    viewer, lower = _viewer_first(scene, one, other)
    candidates = _nearby(scene, viewer, lower)
    apart = distance(scene, one, other)
    best: _Traced | None = None
    centre: _Traced | None = None
    axis = Straight.between(viewer.unit.at, lower.unit.at)
    high = [obstacle for obstacle in candidates if not lies_below(obstacle, viewer, lower)]
    aside = [obstacle for obstacle in high if axis.misses(obstacle.box, max(viewer.radius, lower.radius))]
    in_the_way = [obstacle for obstacle in high if obstacle not in aside]
    for order, ray in enumerate(_rays(scene, viewer, lower, apart)):
        traced = _trace(scene, ray, in_the_way, aside, other, order)
        centre = centre or traced
        if best is None or _rank(traced) < _rank(best):
            best = traced
        if best.clear and best.smoke_class == "none" and best.slack_in == math.inf:
            break
    if best is None or centre is None:
        raise AssertionError("every unit has a centre")
    if not best.clear and best.slack_in == math.inf:
        best = centre
    return best, candidates


def _rank(traced: _Traced) -> tuple[bool, int, float, int]:
    """Clear lines before stopped ones; the least smoke, the widest margin; of stopped ones the narrowest."""
    slack = round(traced.slack_in, 6)
    if traced.clear:
        return False, SMOKE_ORDER.index(traced.smoke_class), -slack, traced.order
    return True, 0, slack, traced.order


def _rays(scene: Scene, viewer: Standing, lower: Standing, apart: float, enough: float | None = None) -> Iterator[Ray]:
    """Every line between the sight points of two units, the one between their centres first."""
    rules, settings = scene.board.rules, scene.settings
    enough = settings.shown + EPSILON_IN * GRID if enough is None else enough
    for a in viewer.points:
        for b in lower.points:
            yield Ray(Straight.between(a, b), viewer, lower, apart, rules, settings, enough)


def _nearby(scene: Scene, viewer: Standing, lower: Standing) -> list[Obstacle]:
    """Obstacles within the margin that is reported of any line between two units; without those not in the way."""
    reach = max(viewer.radius, lower.radius) + scene.settings.shown
    axis = Straight.between(viewer.unit.at, lower.unit.at)
    exempt = scene.out_of_the_way(viewer.unit, lower.unit)
    return [o for o in scene.obstacles if not axis.misses(o.box, reach) and (o.unit is None or o.id not in exempt)]


def _trace(
    scene: Scene, ray: Ray, candidates: list[Obstacle], aside: list[Obstacle], target: Unit, order: int
) -> _Traced:
    """Judge one line against the obstacles that could stop it; those `aside` no line between the two units meets.

    One that stops it by more than is reported ends the search, and is asked first next time.
    """
    shown = scene.settings.shown / GRID
    hiding: list[Crossing] = []
    passed: list[tuple[Obstacle, Crossing | None]] = []
    for place, obstacle in enumerate(candidates if ray.line.long2 else ()):
        crossing = meet(obstacle, ray)
        if crossing is None or not crossing.hides:
            passed.append((obstacle, crossing))
            continue
        if crossing.slack_in > shown + EPSILON_IN:
            candidates.insert(0, candidates.pop(place))
            return _Traced(ray, False, math.inf, (), "none", order)
        hiding.append(crossing)
    hiding = hiding or _seam(ray, candidates)
    if hiding:
        left = freed(hiding)[0]
        return _Traced(ray, False, left if left <= shown + EPSILON_IN else math.inf, (), "none", order)
    passed += [(obstacle, None) for obstacle in aside]
    slack = min((_slack(obstacle, crossing, ray) for obstacle, crossing in passed), default=math.inf)
    smoke = _smoke_on(scene, ray)
    if slack > shown + EPSILON_IN:
        slack = math.inf
    return _Traced(ray, True, slack, smoke, smoke_class(scene, smoke, target), order)


def _slack(obstacle: Obstacle, crossing: Crossing | None, ray: Ray) -> float:
    """How far a clear line is from being stopped by an obstacle, in inches."""
    if crossing is not None:
        return crossing.slack_in
    return near_miss(obstacle, ray, ray.settings.shown) / GRID


def _smoke_on(scene: Scene, ray: Ray) -> tuple[str, ...]:
    """Clouds that a line passes through or touches, in the order of their ids."""
    return tuple(
        sorted(
            cloud.id
            for cloud in scene.board.smoke
            if not ray.line.misses(cloud.box) and without_ends(ray.line, spans_of_area(ray.line, [cloud.ring]))
        )
    )


def smoke_class(scene: Scene, smoke: tuple[str, ...], target: Unit) -> SmokeClass:
    """How the clouds on a line count against a target: its own smoke alone counts half (S8.2, S8.3)."""
    if not smoke:
        return "none"
    own = scene.own_smoke(target)
    return "own" if all(name in own for name in smoke) else "full"


def _nearest(candidates: list[Obstacle], ray: Ray, shown: float) -> NearMiss | None:
    """The obstacle that a clear line passes most narrowly."""
    misses = [
        (round(near_miss(obstacle, ray, shown) / GRID, 6), obstacle.id)
        for obstacle in candidates
        if meet(obstacle, ray) is None
    ]
    by, name = min(misses, default=(math.inf, ""))
    return NearMiss(name, by) if by * GRID <= shown else None
