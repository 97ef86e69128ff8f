"""Kernels: one viewer to many points by a sweep of bearings that decides what is certain and nothing else.

The ways out of a viewer are cut into bins: four sides, east, west, north and south, each of `bins` steps of equal slope.
Depth is the distance along the axis of the side; its inverse is linear in the slope along a straight edge. Of each bin
`near` is more than the inverse depth of every edge that could stop a line and has any part in the bin, and `cover` less
than the inverse depth of one edge that spans the bin from end to end, of the obstacle `cover_of`. A point nearer than
all edges is stopped by none; a point behind such an edge is hidden by its obstacle. Every other point is left to the
walk. Slopes and depths are compared with a slack far above the rounding of a float, so that no touch is decided here.
"""

from __future__ import annotations

import math

from minis.sight.field_map import ALL, CONTOUR, DEPTH, HEDGEROW, RIDGE, Map, Numbers, Wholes
from minis.sight.field_stops import AWAY, INSIDE, ON_HILL, TOUCHES, Ends, Reach, bits_of, to_segment
from minis.sight.field_walk import walk_all

SLACK = 0.5**32
"""Two slopes, or two depths in proportion, that are closer than this are not told apart."""

SIDES = 1 << 2
COARSE = 1 << 4
"""Bins that are looked at as one when a whole cell of the grid is asked whether it is covered."""

FEW = 1 << 7
"""So few points are walked to one by one."""

NOT_AT_ALL, PARTLY, WHOLLY = range(3)
"""What an edge does to its bins: nothing, it keeps them from being certain, or it covers those that it spans."""


def paint_edge(
    x0: float, y0: float, x1: float, y1: float, limit: float, manner: int, o: int, bins: int,
    near: Numbers, cover: Numbers, cover_of: Wholes,
) -> None:  # fmt: skip
    """Put an edge, its coordinates from the viewer, into the bins; it covers nothing farther away than `limit`."""
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
        first = side * bins
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
    m: Map, r: Reach, a: Ends, i: int, case: int, upper: bool, above_of: float, bins: int,
    near: Numbers, cover: Numbers, cover_of: Wholes, coarse: Numbers, stamps: Wholes, stamp: int,
) -> None:  # fmt: skip
    """Fill the bins around a viewer for one case of the two ends; `upper` is true where it is the higher end.

    `above_of` is the level of the higher end. Cells are asked in rings around the viewer, nearest first, and left out
    where all their bins are covered before them.
    """
    ax, ay = a.x[i], a.y[i]
    for k in range(SIDES * bins):
        near[k] = 0.0
        cover[k] = 0.0
        cover_of[k] = -1
    many = SIDES * bins // COARSE
    for k in range(many):
        coarse[k] = 0.0
    column, row = int((ax - m.west) / m.cell), int((ay - m.south) / m.cell)
    rings = max(max(column, m.columns - 1 - column), max(row, m.rows - 1 - row))
    anything = a.own_from[i] < a.own_from[i + 1]
    refresh = 2
    for ring in range(rings + 1):
        least = r.far[case] if upper or (ring - 1) * m.cell > r.longest[case] + 1.0 else r.near[case]
        if least == math.inf:
            break
        if ring == refresh:
            refresh += max(1, ring // 2)
            worst = math.inf
            for k in range(many):
                lowest = cover[k * COARSE]
                for c in range(k * COARSE + 1, (k + 1) * COARSE):
                    lowest = min(lowest, cover[c])
                coarse[k] = lowest
                worst = min(worst, lowest)
            if worst * ((ring - 1) * m.cell) > 1.0:
                break
        for iy in range(max(0, row - ring), min(m.rows - 1, row + ring) + 1):
            whole = iy == row - ring or iy == row + ring
            ix = column - ring
            while ix <= column + ring:
                if 0 <= ix < m.columns:
                    cell = iy * m.columns + ix
                    if m.high[cell] >= least and not (ring > 2 and is_covered(m, ix, iy, ax, ay, bins, coarse)):
                        for g in range(m.start[cell], m.start[cell + 1]):
                            if m.gtop[g] < least:
                                break
                            e = m.gedge[g]
                            if stamps[e] == stamp:
                                continue
                            stamps[e] = stamp
                            o = m.gobst[g]
                            limit = r.length[case * r.groups + m.group[o]]
                            if limit < 0 or (upper and limit < math.inf):
                                continue
                            manner = manner_of(m, a, i, o, e, above_of > m.level[o]) if anything else WHOLLY
                            if manner != NOT_AT_ALL:
                                paint_edge(
                                    m.gx0[g] - ax, m.gy0[g] - ay, m.gx1[g] - ax, m.gy1[g] - ay, limit, manner, o, bins,
                                    near, cover, cover_of,
                                )  # fmt: skip
                ix += 1 if whole or ring == 0 else 2 * ring


def is_covered(m: Map, ix: int, iy: int, ax: float, ay: float, bins: int, coarse: Numbers) -> bool:
    """True where every bin that a cell has a part in is covered nearer than the cell."""
    x0, y0 = m.west + ix * m.cell - ax - 1.0, m.south + iy * m.cell - ay - 1.0
    x1, y1 = x0 + m.cell + 2.0, y0 + m.cell + 2.0
    half = bins * 0.5
    for side in range(SIDES):
        if side == 0:
            near, far, low, high = x0, x1, y0, y1
        elif side == 1:
            near, far, low, high = -x1, -x0, y0, y1
        elif side == 2:
            near, far, low, high = y0, y1, x0, x1
        else:
            near, far, low, high = -y1, -y0, x0, x1
        if far <= 0 or low > far or high < -far:
            continue
        if near <= 0:
            return False
        first = int((max(-1.0, low / near if low < 0 else low / far) + 1.0) * half) // COARSE
        last = int((min(1.0, high / near if high > 0 else high / far) + 1.0) * half) // COARSE
        start, depth = side * bins // COARSE, 1.0 / near
        for k in range(start + first, start + min(last, bins // COARSE - 1) + 1):
            if coarse[k] <= depth:
                return False
    return True


def sweep_all(
    m: Map, r: Reach, a: Ends, row_from: int, row_to: int, b: Ends, order: Wholes, kind_from: Wholes, found: Wholes,
    bins: int, near: Numbers, cover: Numbers, cover_of: Wholes, coarse: Numbers, stamps: Wholes,
    rest_i: Wholes, rest_j: Wholes, rest_at: Wholes, short_i: Wholes, short_j: Wholes, short_at: Wholes,
    places: Numbers, spans: Numbers, note: Numbers,
) -> None:  # fmt: skip
    """For each point of a from `row_from` to `row_to` and each of b an obstacle that hides one from the other, or -1.

    `order` are the points of b, those of one level, roof and size behind one another, from `kind_from`. The answer for
    points i and j is put at (i - row_from) * n + j of `found`.
    """
    n = len(b.x)
    half = bins * 0.5
    stamp = row_from * len(kind_from)
    b_x, b_y, b_from, b_own, m_group, length = b.x, b.y, b.own_from, b.own, m.group, r.length
    for i in range(row_from, row_to):
        ax, ay, at = a.x[i], a.y[i], (i - row_from) * n
        rest, short = 0, 0
        for kind in range(len(kind_from) - 1):
            j = order[kind_from[kind]]
            upper = a.level[i] >= b.level[j]
            if upper:
                case = ((a.low_roof[i] * r.levels + a.level[i]) * r.levels + b.level[j]) * r.sizes + b.size[j]
            else:
                case = ((b.low_roof[j] * r.levels + b.level[j]) * r.levels + a.level[i]) * r.sizes + a.size[i]
            if kind_from[kind + 1] - kind_from[kind] <= FEW or not can_sweep(m, r, a, i, case):
                for k in range(kind_from[kind], kind_from[kind + 1]):
                    rest_i[rest], rest_j[rest], rest_at[rest] = i, order[k], at + order[k]
                    rest += 1
                continue
            stamp += 1
            top = r.level_of[max(a.level[i], b.level[j])]
            paint(m, r, a, i, case, upper, top, bins, near, cover, cover_of, coarse, stamps, stamp)
            shadows = upper and r.longest[case] > 0
            for k in range(kind_from[kind], kind_from[kind + 1]):
                j = order[k]
                dx, dy = b_x[j] - ax, b_y[j] - ay
                if abs(dx) >= abs(dy):
                    first, deep, aside = (0 if dx > 0 else bins), abs(dx), dy
                else:
                    first, deep, aside = (2 * bins if dy > 0 else 3 * bins), abs(dy), dx
                if deep == 0:
                    found[at + j] = -1
                    continue
                inverse = 1.0 / deep
                c = first + min(bins - 1, int((aside * inverse + 1.0) * half))
                if inverse > near[c]:
                    if shadows:
                        short_i[short], short_j[short], short_at[short] = i, j, at + j
                        short += 1
                        continue
                    found[at + j] = -1
                    ask = False
                    for q in range(b_from[j], b_from[j + 1]):
                        o = b_own[q]
                        if b.bits[q] & INSIDE and m.own[o] == ALL:
                            continue
                        reach = length[case * r.groups + m_group[o]]
                        deep_in = b.bits[q] & INSIDE and m.own[o] == DEPTH
                        if (reach < 0 and not deep_in) or b.bits[q] & AWAY:
                            continue
                        ask = ask or reach < math.inf or bits_of(a, i, o) >= 0
                    if not ask:
                        continue
                elif inverse < cover[c]:
                    o = cover_of[c]
                    found[at + j] = o
                    ask = False
                    for q in range(b_from[j], b_from[j + 1]):
                        ask = ask or b_own[q] == o
                    if not ask:
                        continue
                rest_i[rest], rest_j[rest], rest_at[rest] = i, j, at + j
                rest += 1
        walk_all(m, r, a, rest_i, b, rest_j, rest_at, found, rest, False, places, spans, note)
        walk_all(m, r, a, short_i, b, short_j, short_at, found, short, True, places, spans, note)
