"""Kernels: one viewer to many points by a sweep of bearings that decides what is certain and nothing else.

The ways out of a viewer are cut into bins: four sides, east, west, north and south, each of `bins` steps of equal
slope. Depth is the distance along the axis of the side; its inverse is linear in the slope along a straight edge. Of
each bin `near` is more than the inverse depth of every edge that could stop a line and has any part in the bin, and
`cover` less than the inverse depth of one edge that spans the bin from end to end, of the obstacle `cover_of`. A point
nearer than all edges is stopped by none; a point behind such an edge is hidden by its obstacle. Every other point is
left to the walk. Slopes and depths are compared with a slack far above the rounding of a float, so that no touch is
decided here.
"""

from __future__ import annotations

import math

from minis.sight.field_map import ALL, CONTOUR, DEPTH, HEDGEROW, RIDGE, VEHICLE, Counts, Grid, Map, Numbers, Wholes
from minis.sight.field_stops import AWAY, INSIDE, ON_HILL, TOUCHES, WITHIN, Ends, Reach, bits_of, to_segment

SLACK = 0.5**32
"""Two slopes, or two depths in proportion, that are closer than this are not told apart."""

SIDES = 1 << 2
COARSE = 1 << 4
"""Bins in a wedge, that goes outward until it is covered."""

FEW = 1 << 9
"""So few points are walked to one by one."""

EVERY = 1 << 1
"""Lines of cells after which it is asked again which wedges are covered."""

NOT_AT_ALL, PARTLY, WHOLLY = range(3)
"""What an edge does to its bins: nothing, it keeps them from being certain, or it covers those that it spans."""


def paint_edge(
    x0: float, y0: float, x1: float, y1: float, limit: float, manner: int, o: int, bins: int, base: int,
    near: Numbers, cover: Numbers, cover_of: Counts,
) -> None:  # fmt: skip
    """Put an edge, its coordinates from the viewer, into the bins from `base` on; beyond `limit` it covers nothing."""
    half = bins * 0.5
    for side in range(SIDES):
        if side == 0:
            px, py, qx, qy = x0, y0, x1, y1
        elif side == 1:
            px, py, qx, qy = -x0, y0, -x1, y1
        elif side == 2:
            px, py, qx, qy = y0, x0, y1, x1
        else:
            px, py, qx, qy = -y0, x0, -y1, x1
        if (px < py and qx < qy) or (px < -py and qx < -qy):
            continue
        c = (qy - py) * px - (qx - px) * py
        first = base + side * bins
        if c == 0:
            for end in range(2):
                ex, ey = (px, py) if end == 0 else (qx, qy)
                if ex > 0 and -ex <= ey <= ex:
                    at = (ey / ex + 1.0) * half
                    for k in range(max(0, int(at - SLACK * bins)), min(bins - 1, int(at + SLACK * bins)) + 1):
                        near[first + k] = math.inf
            continue
        t0, t1 = 0.0, 1.0
        for turn in range(2):
            f, g = (px - py, qx - qy) if turn == 0 else (px + py, qx + qy)
            if f < 0:
                t0 = max(t0, f / (f - g))
            elif g < 0:
                t1 = min(t1, f / (f - g))
        if t0 > t1:
            continue
        p_in, q_in = px >= py and px >= -py, qx >= qy and qx >= -qy
        # An end that is cut off lies on the diagonal that cuts it off.
        s0 = py / px if p_in else cut_slope(px, py, qx, qy, t0)
        s1 = qy / qx if q_in else cut_slope(px, py, qx, qy, t1)
        if s0 <= s1:
            low_cut, high_cut = not p_in, not q_in
        else:
            s0, s1 = s1, s0
            low_cut, high_cut = not q_in, not p_in
        if low_cut and high_cut and abs(c) <= SIDES * (abs(qx - px) + abs(qy - py)):
            for k in range(first, first + bins):  # it passes the viewer by some grid steps: nothing is certain
                near[k] = math.inf
            continue
        nx, ny = (qy - py) / c, -(qx - px) / c
        low = max(0, int((s0 - SLACK + 1.0) * half))
        high = min(bins - 1, int((s1 + SLACK + 1.0) * half))
        full = 0 if low_cut else int((s0 + SLACK + 1.0) * half) + 1
        last = bins - 1 if high_cut else int((s1 - SLACK + 1.0) * half) - 1
        if manner == PARTLY:
            full, last = high + 1, high
        if full > last:
            full, last = high + 1, high
        step = ny / half
        w = nx + (low / half - 1.0) * ny
        for k in range(low, high + 1):
            if full <= k <= last:
                v = w + step
                upper, least = (w, v) if w > v else (v, w)
                upper *= 1.0 + SLACK
                if upper > near[first + k]:
                    near[first + k] = upper
                if limit < math.inf:
                    s = max(abs(k / half - 1.0), abs((k + 1) / half - 1.0))
                    if (1.0 + s * s) * (1.0 + SLACK) > limit * limit * least * least:
                        least = 0.0
                least *= 1.0 - SLACK
                if least > cover[first + k]:
                    cover[first + k] = least
                    cover_of[first + k] = o
            else:
                u = max(s0, k / half - 1.0)
                v = min(s1, (k + 1) / half - 1.0)
                upper = max(nx + u * ny, nx + v * ny) * (1.0 + SLACK)
                if upper > near[first + k]:
                    near[first + k] = upper
            w += step


def cut_slope(px: float, py: float, qx: float, qy: float, t: float) -> float:
    """The slope, 1 or -1, of the diagonal on which an edge is cut at `t`."""
    return 1.0 if py + t * (qy - py) > 0 else -1.0


def manner_of(m: Map, a: Ends, i: int, o: int, e: int, above: bool) -> int:
    """What an edge of an obstacle that blocks does to the bins of a viewer that stands in, on or against it.

    `above` is true where the higher end is above the level of the obstacle.
    """
    bits = bits_of(a, i, o)
    if bits < 0:
        return WHOLLY
    if bits & AWAY or (bits & INSIDE and m.own[o] == ALL):
        return NOT_AT_ALL
    x, y = a.x[i], a.y[i]
    if bits & INSIDE and m.own[o] == DEPTH:
        for other in range(m.first[o], m.first[o + 1]):
            if to_segment(x, y, m.x0[other], m.y0[other], m.x1[other], m.y1[other]) <= m.depth + 1.0:
                return PARTLY
        return WHOLLY
    if m.form[o] == HEDGEROW and bits & TOUCHES:
        for k in range(a.edge_from[i], a.edge_from[i + 1]):
            if a.edge[k] == e:
                return NOT_AT_ALL
        return WHOLLY
    if (m.form[o] == CONTOUR and bits & ON_HILL and not above) or (m.form[o] == RIDGE and bits & TOUCHES):
        if not bits & TOUCHES:
            return WHOLLY
        far = a.base[i] < 0 and to_segment(x, y, m.x0[e], m.y0[e], m.x1[e], m.y1[e]) > m.touch + 1.0
        return WHOLLY if far else PARTLY
    return PARTLY


def can_sweep(m: Map, r: Reach, a: Ends, i: int, case: int) -> bool:
    """False where a viewer stands in woods that do not block by their height: their depth alone decides (S6.10)."""
    for k in range(a.own_from[i], a.own_from[i + 1]):
        o = a.own[k]
        if a.bits[k] & INSIDE and m.own[o] == DEPTH and r.length[case * r.groups + m.group[o]] < math.inf:
            return False
    return True


def paint(
    m: Map, g: Grid, r: Reach, a: Ends, i: int, case: int, upper: bool, above_of: float, bins: int, base: int,
    near: Numbers, cover: Numbers, cover_of: Counts, done: Counts, stamps: Counts, stamp: int,
) -> None:  # fmt: skip
    """Fill the bins around a viewer for one case of the two ends; `upper` is true where it is the higher end.

    `above_of` is the level of the higher end. Wedges of COARSE bins go outward together, a line of cells at a time,
    each until all its bins are covered before that line.
    """
    ax, ay = a.x[i], a.y[i]
    for k in range(base, base + SIDES * bins):
        near[k] = 0.0
        cover[k] = 0.0
        cover_of[k] = -1
    wedges = bins // COARSE
    for k in range(SIDES * wedges):
        done[k] = 0
    start, gtop, gedge, gobst, high, group, length = g.start, g.gtop, g.gedge, g.gobst, g.high, m.group, r.length
    gx0, gy0, gx1, gy1, level = g.gx0, g.gy0, g.gx1, g.gy1, m.level
    owns, own_from, own_to, cell, columns, rows = a.own, a.own_from[i], a.own_from[i + 1], g.cell, g.columns, g.rows
    x, y = ax - g.west, ay - g.south
    column, row = int(x / cell), int(y / cell)
    longest, near_top, far_top = r.longest[case] + cell, r.near[case], r.far[case]
    for step in range(max(columns, rows)):
        for side in range(SIDES):
            along_x, sign = side < 2, 1 if side % 2 == 0 else -1
            line = (column if along_x else row) + sign * step
            if line < 0 or line >= (columns if along_x else rows):
                continue
            here, aside = (x, y) if along_x else (y, x)
            from_deep = (line * cell - here) if sign > 0 else (here - (line + 1) * cell)
            to_deep, from_deep = from_deep + cell, max(0.0, from_deep)
            least = far_top if upper or from_deep > longest else near_top
            if least == math.inf:
                continue
            last = (rows if along_x else columns) - 1
            first = side * wedges
            for wedge in range(first, first + wedges if step % EVERY == 0 else first):
                lowest = cover[base + wedge * COARSE]
                for k in range(base + wedge * COARSE + 1, base + (wedge + 1) * COARSE):
                    lowest = min(lowest, cover[k])
                done[wedge] = 1 if lowest * from_deep > 1.0 else 0
            wedge = first
            while wedge < first + wedges:
                if done[wedge]:
                    wedge += 1
                    continue
                low_slope = (wedge - first) * 2.0 / wedges - 1.0
                while wedge < first + wedges and not done[wedge]:
                    wedge += 1
                high_slope = (wedge - first) * 2.0 / wedges - 1.0
                low = aside + min(low_slope * from_deep, low_slope * to_deep) - 2.0
                up = aside + max(high_slope * from_deep, high_slope * to_deep) + 2.0
                for across in range(max(0, int(low / cell)), min(last, int(up / cell)) + 1):
                    at = across * columns + line if along_x else line * columns + across
                    if high[at] < least:
                        continue
                    for n in range(start[at], start[at + 1]):
                        if gtop[n] < least:
                            break
                        e = gedge[n]
                        if stamps[e] == stamp:
                            continue
                        stamps[e] = stamp
                        o = gobst[n]
                        limit = length[case * r.groups + group[o]]
                        if limit < 0 or (upper and limit < math.inf):
                            continue
                        manner = WHOLLY
                        for k in range(own_from, own_to):
                            if owns[k] == o:
                                manner = manner_of(m, a, i, o, e, above_of > level[o])
                        if manner != NOT_AT_ALL:
                            paint_edge(
                                gx0[n] - ax, gy0[n] - ay, gx1[n] - ax, gy1[n] - ay, limit, manner, o, bins, base,
                                near, cover, cover_of,
                            )  # fmt: skip


def must_ask(
    m: Map, r: Reach, case: int, a: Ends, i: int, bits: Wholes, owns: Wholes, start: int, stop: int
) -> bool:  # fmt: skip
    """True where something that a point stands in, on or against may stop a line that no edge in the bins does.

    `start` to `stop` are what point has in `owns` and `bits`; the other end is point i of a.
    """
    for k in range(start, stop):
        o, inside = owns[k], bits[k] & INSIDE
        if bits[k] & AWAY or (inside and m.own[o] == ALL):
            continue
        reach = r.length[case * r.groups + m.group[o]]
        if reach < 0 and not (inside and m.own[o] == DEPTH):
            continue
        seen_from = bits_of(a, i, o)
        if reach < math.inf:
            return True
        plain = m.form[o] != VEHICLE and m.own[o] != DEPTH and bits[k] & WITHIN
        if seen_from >= 0 and (not plain or (bits[k] | seen_from) & TOUCHES):
            return True  # else both ends are inside it, and no edge of it is between them
    return False
