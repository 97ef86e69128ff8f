"""Points that lines run between, and what each has to do with the obstacles around it (S5.1, S7.6, S7.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from minis.board.units import Unit
from minis.sight.field_map import CONTOUR, DEPTH, HEDGEROW, RIDGE, Array, Map
from minis.sight.field_stops import AWAY, DEEP, INSIDE, ON_HILL, TOUCHES, WITHIN
from minis.sight.scene import Scene


@dataclass(frozen=True, eq=False)
class Points:
    """Points that lines run between: `n` of them, by index.

    `x`, `y` are whole grid steps, `level` that of the eyes, `low_roof` true on the roof of a one-storey building
    (S6.8), `size` the size category as a target behind a vehicle (S6.5). `unit` is the index of the unit that a point
    belongs to in what `points_of` was given; of single points their own. The other fields say what each point has to do
    with the obstacles it stands in, on or against, as `minis.sight.field_stops.Ends` does; `smoke` are the clouds of
    its own smoke that its unit stands in (S8.3), those of point p from `smoke_from[p]` to `smoke_from[p + 1]`.
    """

    x: Array
    y: Array
    level: Array
    low_roof: Array
    size: Array
    unit: Array
    base: Array
    own_from: Array
    own: Array
    bits: Array
    edge_from: Array
    edge: Array
    corners: Array
    corner_x: Array
    corner_y: Array
    smoke_from: Array
    smoke: Array

    def __len__(self) -> int:
        return len(self.x)

    @cached_property
    def bounds(self) -> tuple[int, int, int]:
        """The least and the greatest level, and the most edges that one of the points touches."""
        many = int(np.diff(self.edge_from).max(initial=0))
        return int(self.level.min(initial=0)), int(self.level.max(initial=0)), many

    @cached_property
    def kind_of(self) -> Array:
        """The number of the kind of each point."""
        order, starts = self.kinds
        kind = np.empty(len(self), dtype=np.int8 if len(starts) <= np.iinfo(np.int8).max else np.int64)
        kind[order] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return kind

    @cached_property
    def held(self) -> tuple[Array, Array, Array]:
        """The points that each obstacle has something to do with: where its own begin, the points, and their bits."""
        order = np.argsort(self.own, kind="stable")
        point = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.own_from))
        starts = np.searchsorted(self.own[order], np.arange(int(self.own.max(initial=-1)) + 2))
        return starts, point[order], self.bits[order]

    @cached_property
    def kinds(self) -> tuple[Array, Array]:
        """The points, those of one level, roof and size behind one another; where each kind begins, and the end."""
        keys = np.stack([self.size, self.low_roof, self.level])
        order = np.lexsort(keys)
        starts = np.flatnonzero(np.any(np.diff(keys[:, order], prepend=-1 - keys.min(initial=0)), axis=0))
        return order, np.append(starts, len(self)).astype(np.int64)


COMPACT = {
    "level": np.int16, "low_roof": np.int8, "size": np.int8, "base": np.int32, "own_from": np.int32, "own": np.int32,
    "bits": np.int8, "edge_from": np.int32, "edge": np.int32,
}  # fmt: skip
"""The least whole numbers that hold each column: the cells of a table are many, and a kernel waits for memory."""


def _compact(**columns: Any) -> Points:
    return Points(**{name: column.astype(COMPACT.get(name, column.dtype)) for name, column in columns.items()})


def of_places(m: Map, scene: Scene, x: Array, y: Array, level: Array | None, low_roof: Array, size: int) -> Points:
    """Single points on the grid: their own level, or that of the ground (S7.7)."""
    n = len(x)
    found = list(_located(m, x, y))
    ground = np.zeros(n, dtype=np.int64)
    for o, at, _, _ in found:
        if m.form[o] == CONTOUR:
            ground[at] = np.maximum(ground[at], int(m.level[o]))
    point, own, bits = [], [], []
    for o, at, inside, deep in found:
        point.append(at)
        own.append(np.full(len(at), o))
        bits.append(
            np.where(inside, WITHIN | INSIDE, 0) | np.where(deep, DEEP, 0) | (ON_HILL if m.form[o] == CONTOUR else 0)
        )
    against: list[Array] = [np.zeros((0, 2), dtype=np.int64)]
    for o, e, at in _near(m, x, y):
        point.append(at)
        own.append(np.full(len(at), o))
        bits.append(np.full(len(at), TOUCHES))
        if m.form[o] == HEDGEROW:
            against.append(np.stack([at, np.full(len(at), e)], axis=1))
    own_from, owns, marks = _listed(n, _joined(point), _joined(own), _joined(bits))
    pairs = np.concatenate(against)
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    none = np.zeros(0, dtype=np.int64)
    return _compact(
        x=x, y=y, level=ground if level is None else level, low_roof=low_roof, size=np.full(n, size), unit=np.arange(n),
        base=np.full(n, -1), own_from=own_from, own=owns, bits=marks,
        edge_from=np.searchsorted(pairs[:, 0], np.arange(n + 1)), edge=np.ascontiguousarray(pairs[:, 1]),
        corners=none, corner_x=np.zeros((0, 5)), corner_y=np.zeros((0, 5)),
        smoke_from=np.zeros(n + 1, dtype=np.int64), smoke=none,
    )  # fmt: skip


def of_units(m: Map, scene: Scene, units: Sequence[Unit]) -> Points:
    """Every sight point of some units (S5.1)."""
    rules, index = scene.board.rules, {o.id: k for k, o in enumerate(scene.obstacles)}
    clouds = {cloud.id: k for k, cloud in enumerate(scene.board.smoke)}
    places: list[tuple[int, int]] = []
    of_unit: list[int] = []
    entries: list[tuple[int, int, int]] = []
    against: list[tuple[int, int]] = []
    smoke: list[tuple[int, int]] = []
    level, roof, size = [], [], []
    corners = np.ones(len(units), dtype=np.int64)
    corner = np.zeros((2, len(units), 5))
    for number, unit in enumerate(units):
        standing = scene.stand(unit)
        corners[number] = len(unit.base)
        corner[:, number, : len(unit.base)] = np.array(unit.base).T
        corner[:, number, 4] = unit.at
        bits = {index[name]: AWAY for name in scene.out_of_the_way(unit, unit) if name in index}
        for names, bit in ((standing.inside, INSIDE), (standing.hills, ON_HILL), (standing.touching, TOUCHES)):
            for name in names & index.keys():
                bits[index[name]] = bits.get(index[name], 0) | bit
        edges = [e for o in bits if m.form[o] == HEDGEROW for e in _edges_in(m, o, standing.against)]
        own_smoke = sorted(clouds[name] for name in scene.own_smoke(unit))
        counts_as = unit.size if unit.kind.counts_as == "own" else rules.sizes[unit.kind.counts_as]
        for place in standing.points:
            point = len(places)
            places.append(place)
            of_unit.append(number)
            level.append(standing.level)
            roof.append(standing.on_low_roof)
            size.append(counts_as.category)
            entries += [(point, o, bit) for o, bit in bits.items()]
            against += [(point, e) for e in edges]
            smoke += [(point, cloud) for cloud in own_smoke]
    x, y = np.array(places, dtype=np.float64).reshape(-1, 2).T.copy()
    n = len(x)
    table = np.array(entries, dtype=np.int64).reshape(-1, 3)
    more: list[tuple[Array, Array, Array]] = []
    for o, at, inside, deep in _located(m, x, y):
        more.append((at, np.full(len(at), o), np.where(inside, WITHIN, 0) | np.where(deep, DEEP, 0)))
    for o, _, at in _near(m, x, y, exactly=True):
        more.append((at, np.full(len(at), o), np.zeros(len(at))))
    points = _joined([table[:, 0], *(at for at, _, _ in more)])
    own = _joined([table[:, 1], *(o for _, o, _ in more)])
    marks = _joined([table[:, 2], *(kinds for _, _, kinds in more)])
    own_from, owns, marks = _listed(n, points, own, marks)
    edge_from, edge = _lists(n, against)
    smoke_from, cloud = _lists(n, smoke)
    return _compact(
        x=x, y=y, level=np.array(level, dtype=np.int64), low_roof=np.array(roof, dtype=np.int64),
        size=np.array(size, dtype=np.int64), unit=np.array(of_unit, dtype=np.int64),
        base=np.array(of_unit, dtype=np.int64), own_from=own_from, own=owns, bits=marks, edge_from=edge_from, edge=edge,
        corners=corners, corner_x=corner[0].copy(), corner_y=corner[1].copy(), smoke_from=smoke_from, smoke=cloud,
    )  # fmt: skip


def _edges_in(m: Map, o: int, segments: Iterable[Any]) -> Iterator[int]:
    known = set(segments)
    for e in range(m.first[o], m.first[o + 1]):
        if ((m.x0[e], m.y0[e]), (m.x1[e], m.y1[e])) in known:
            yield e


def _joined(arrays: Sequence[Array]) -> Array:
    return np.concatenate([np.zeros(0, dtype=np.int64), *arrays]).astype(np.int64)


def _lists(n: int, pairs: Sequence[tuple[int, int]]) -> tuple[Array, Array]:
    """Lists by point: where each begins, and all of them one behind the other."""
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return np.searchsorted(table[:, 0], np.arange(n + 1)), np.ascontiguousarray(table[:, 1])


def _listed(n: int, point: Array, own: Array, bits: Array) -> tuple[Array, Array, Array]:
    """The obstacles of each point, each once, with the sum of its bits."""
    if not len(point):
        return np.zeros(n + 1, dtype=np.int64), point, bits
    order = np.lexsort((own, point))
    point, own, bits = point[order], own[order], bits[order]
    first = np.flatnonzero(np.concatenate([[True], (np.diff(point) != 0) | (np.diff(own) != 0)]))
    bits = np.bitwise_or.reduceat(bits, first)
    point, own = point[first], own[first]
    return np.searchsorted(point, np.arange(n + 1)), np.ascontiguousarray(own), bits


def _located(m: Map, x: Array, y: Array) -> Iterator[tuple[int, Array, Array, Array]]:
    """For each area, contour and vehicle the points in it or on its edge; which are strictly inside, and deep in woods.

    Inside is exact; deep is where the nearest edge is farther away than S6.10 has it, by a grid step and more.
    """
    order = np.argsort(x, kind="stable")
    xs = x[order]
    for o in range(int(m.obstacles)):
        if m.form[o] in (RIDGE, HEDGEROW):
            continue
        near = order[np.searchsorted(xs, m.box_west[o]) : np.searchsorted(xs, m.box_east[o], side="right")]
        near = near[(y[near] >= m.box_south[o]) & (y[near] <= m.box_north[o])]
        if not len(near):
            continue
        px, py = x[near], y[near]
        inside, on_edge = np.zeros(len(near), dtype=bool), np.zeros(len(near), dtype=bool)
        for e in range(m.first[o], m.first[o + 1]):
            x0, y0, x1, y1 = m.x0[e], m.y0[e], m.x1[e], m.y1[e]
            turn = (x1 - x0) * (py - y0) - (y1 - y0) * (px - x0)
            inside ^= ((y0 > py) != (y1 > py)) & ((turn > 0) == (y1 > y0))
            boxed = (px >= min(x0, x1)) & (px <= max(x0, x1)) & (py >= min(y0, y1)) & (py <= max(y0, y1))
            on_edge |= (turn == 0) & boxed
        there = inside | on_edge
        if there.any():
            inside = (inside & ~on_edge)[there]
            deep = inside & (m.own[o] == DEPTH)
            if deep.any():
                deep &= _from_edges(m, o, px[there], py[there]) > m.depth + 1
            yield o, near[there], inside, deep


def _from_edges(m: Map, o: int, x: Array, y: Array) -> Array:
    """The distance of each point from the nearest edge of an obstacle, in grid steps."""
    best = np.full(len(x), np.inf)
    for e in range(m.first[o], m.first[o + 1]):
        best = np.minimum(best, _from_edge(m, e, x, y))
    return best


def _from_edge(m: Map, e: int, x: Array, y: Array) -> Array:
    dx, dy = m.x1[e] - m.x0[e], m.y1[e] - m.y0[e]
    px, py = x - m.x0[e], y - m.y0[e]
    t = np.clip((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0)
    away: Array = np.hypot(px - t * dx, py - t * dy)
    return away


def _near(m: Map, x: Array, y: Array, *, exactly: bool = False) -> Iterator[tuple[int, int, Array]]:
    """For each edge of a crest line or hedgerow the points that touch it (S7.6), or that lie on it `exactly`."""
    order = np.argsort(x, kind="stable")
    xs = x[order]
    touch = 0.0 if exactly else m.touch
    for o in range(int(m.obstacles)):
        if m.form[o] not in (RIDGE, HEDGEROW) and (exactly or m.form[o] != CONTOUR):
            continue
        for e in range(m.first[o], m.first[o + 1]):
            x0, y0, x1, y1 = m.x0[e], m.y0[e], m.x1[e], m.y1[e]
            low, high = np.searchsorted(xs, min(x0, x1) - touch), np.searchsorted(xs, max(x0, x1) + touch, side="right")
            near = order[low:high]
            near = near[(y[near] >= min(y0, y1) - touch) & (y[near] <= max(y0, y1) + touch)]
            if not len(near):
                continue
            if exactly:
                there = (x1 - x0) * (y[near] - y0) - (y1 - y0) * (x[near] - x0) == 0
            else:
                there = _from_edge(m, e, x[near], y[near]) <= touch
            if there.any():
                yield o, e, near[there]
