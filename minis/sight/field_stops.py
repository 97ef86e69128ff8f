"""Kernels: whether one obstacle stops one line, by the rules of `minis.sight.meeting` (S6, S7).

The line runs from the viewer, the higher end, to the lower end. What an obstacle is to an end that stands in, on or
against it is a sum of `INSIDE` and `ON_HILL`, that go by the centre of its base (S7.7), of `TOUCHES`, by its base, and
of `WITHIN`, where the point itself is strictly inside, and `DEEP`, where it is in woods deeper than their depth every
way; of what is not in the way of an end, `AWAY`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from minis.sight.field_map import (
    ALL,
    AREA,
    CONTOUR,
    DEPTH,
    HEDGEROW,
    RIDGE,
    Floats,
    Map,
    Numbers,
    Rows2,
    Wholes,
)
from minis.sight.field_spans import area_spans, is_on_edge, path_spans

INSIDE, ON_HILL, TOUCHES, AWAY, WITHIN, DEEP = (1 << bit for bit in range(6))

ASIDE, ASIDE_ALL, ALONG = range(3)
"""How a stopped line could be moved clear: aside of where it is stopped, of the whole crest, or not aside."""


class Ends(NamedTuple):
    """Points that lines run between, by index.

    `level` counts from the least level there is (`Reach`); `low_roof` is 1 on the roof of a one-storey building (S6.8);
    `size` is the size category as a target behind a vehicle. `base` is the row of the base it belongs to, -1 where the
    point is all there is. What point `p` has to do with obstacles stands at `own_from[p]` to `own_from[p + 1]` of `own`
    and `bits`; edges of hedgerows that its base touches at `edge_from[p]` to `edge_from[p + 1]` of `edge`. A base is
    its `corners` (1 or 4), their `corner_x` and `corner_y`, and its centre behind them.
    """

    x: Floats
    y: Floats
    level: Wholes
    low_roof: Wholes
    size: Wholes
    base: Wholes
    own_from: Wholes
    own: Wholes
    bits: Wholes
    edge_from: Wholes
    edge: Wholes
    corners: Wholes
    corner_x: Rows2
    corner_y: Rows2


class Reach(NamedTuple):
    """How far the shadow of each group of obstacles reaches, in grid steps, for each case of the two ends.

    That of group g of `groups` in a case is `length[case * groups + g]`. The case of a viewer and a lower end is
    ((low_roof * levels + viewer) * levels + lower) * sizes + size. A length is infinite where the obstacle blocks and
    negative where it hides nothing. For each case `longest` is the longest length that ends somewhere, `near` the least
    top that hides at all, `far` the least that blocks. `viewer_above` are levels of the viewer by its index.
    """

    levels: int
    sizes: int
    groups: int
    length: Floats
    longest: Floats
    near: Floats
    far: Floats
    level_of: Floats


def case_of(r: Reach, a: Ends, i: int, b: Ends, j: int) -> int:
    """The case of a line from point i of a, the viewer, to point j of b."""
    return ((a.low_roof[i] * r.levels + a.level[i]) * r.levels + b.level[j]) * r.sizes + b.size[j]


def bits_of(a: Ends, i: int, o: int) -> int:
    """What an obstacle is to a point; -1 where it is nothing to it."""
    for k in range(a.own_from[i], a.own_from[i + 1]):
        if a.own[k] == o:
            return a.bits[k]
    return -1


def to_segment(x: float, y: float, px: float, py: float, qx: float, qy: float) -> float:
    """The distance of a place from a segment, in grid steps."""
    dx, dy = qx - px, qy - py
    long2 = dx * dx + dy * dy
    t = 0.0
    if long2 > 0:
        t = min(1.0, max(0.0, ((x - px) * dx + (y - py) * dy) / long2))
    ox, oy = x - px - t * dx, y - py - t * dy
    return math.sqrt(ox * ox + oy * oy)


def is_in_base(a: Ends, base: int, x: float, y: float) -> bool:
    """True where a place on the grid lies strictly inside a base: exact."""
    xs, ys, n = a.corner_x[base], a.corner_y[base], a.corners[base]
    inside = False
    for k in range(n):
        px, py = xs[k - 1 if k else n - 1], ys[k - 1 if k else n - 1]
        qx, qy = xs[k], ys[k]
        turn = (qx - px) * (y - py) - (qy - py) * (x - px)
        if turn == 0 and min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy):
            return False
        if (py > y) != (qy > y) and (turn > 0) == (qy > py):
            inside = not inside
    return inside


def from_base(a: Ends, i: int, x: float, y: float) -> float:
    """The distance of a place from the base of a point, in grid steps; 0 inside it."""
    base = a.base[i]
    if base < 0:
        return math.sqrt((a.x[i] - x) * (a.x[i] - x) + (a.y[i] - y) * (a.y[i] - y))
    n = a.corners[base]
    if n > 1 and is_in_base(a, base, float(round(x)), float(round(y))):
        return 0.0
    xs, ys = a.corner_x[base], a.corner_y[base]
    best = math.inf
    for k in range(n):
        best = min(best, to_segment(x, y, xs[k], ys[k], xs[(k + 1) % n], ys[(k + 1) % n]))
    return best


def bases_apart(m: Map, a: Ends, i: int, b: Ends, j: int) -> float:
    """The distance of the bases of two points, edge to edge or centre to centre by the switch (S1.3)."""
    one, other = a.base[i], b.base[j]
    if m.centre or (one < 0 and other < 0):
        ax, ay, bx, by = a.x[i], a.y[i], b.x[j], b.y[j]
        if one >= 0:
            ax, ay = a.corner_x[one][4], a.corner_y[one][4]
        if other >= 0:
            bx, by = b.corner_x[other][4], b.corner_y[other][4]
        return math.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by))
    if one < 0:
        return from_base(b, j, a.x[i], a.y[i])
    if other < 0:
        return from_base(a, i, b.x[j], b.y[j])
    best = math.inf
    n, k = a.corners[one], b.corners[other]
    for c in range(n):
        best = min(best, from_base(b, j, a.corner_x[one][c], a.corner_y[one][c]))
    for c in range(k):
        best = min(best, from_base(a, i, b.corner_x[other][c], b.corner_y[other][c]))
    for c in range(n if n > 1 and k > 1 else 0):
        for d in range(k):
            if edges_cross(
                a.corner_x[one][c], a.corner_y[one][c], a.corner_x[one][(c + 1) % n], a.corner_y[one][(c + 1) % n],
                b.corner_x[other][d], b.corner_y[other][d],
                b.corner_x[other][(d + 1) % k], b.corner_y[other][(d + 1) % k],
            ):  # fmt: skip
                return 0.0
    return best


def edges_cross(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> bool:  # fmt: skip
    """True where two segments cross, each with its ends on both sides of the other: exact."""
    one = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    two = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    three = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    four = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return (
        ((one > 0) != (two > 0)) and ((three > 0) != (four > 0)) and one != 0 and two != 0 and three != 0 and four != 0
    )


def is_touched(m: Map, a: Ends, i: int, use_a: bool, b: Ends, j: int, use_b: bool, t: float) -> bool:
    """True where a base of one of the ends that are to count touches the line at a place (S7.6)."""
    x, y = a.x[i] + (b.x[j] - a.x[i]) * t, a.y[i] + (b.y[j] - a.y[i]) * t
    return (use_a and from_base(a, i, x, y) <= m.touch) or (use_b and from_base(b, j, x, y) <= m.touch)


def shade(m: Map, reach: float, exit_at: float, long: float, low: float, high: float, kind: int, note: Numbers) -> bool:
    """Whether an obstacle that a line leaves for the last time at `exit_at` hides its end (S6.3); `note` says where."""
    note[0], note[1], note[2] = low, high, float(kind)
    return reach >= 0 and (1.0 - exit_at) * long <= reach + m.eps


def stops(
    m: Map,
    r: Reach,
    o: int,
    closed: bool,
    a: Ends,
    i: int,
    b: Ends,
    j: int,
    places: Numbers,
    spans: Numbers,
    note: Numbers,
) -> bool:
    """True where an obstacle stops the line from point i of a, the viewer, to point j of b."""
    ax, ay = a.x[i], a.y[i]
    dx, dy = b.x[j] - ax, b.y[j] - ay
    if m.box_east[o] < min(ax, ax + dx) or m.box_west[o] > max(ax, ax + dx):
        return False
    if m.box_north[o] < min(ay, ay + dy) or m.box_south[o] > max(ay, ay + dy):
        return False
    mine, his = bits_of(a, i, o), bits_of(b, j, o)
    first, last = max(mine, 0), max(his, 0)
    if (first & AWAY) or (last & AWAY):
        return False
    reach = r.length[case_of(r, a, i, b, j) * r.groups + m.group[o]]
    form = m.form[o]
    if reach < 0 and not (m.own[o] == DEPTH and ((first | last) & INSIDE)):
        return False
    if form == CONTOUR:
        return contour_stops(m, r, o, closed, reach, a, i, first, b, j, last, places, spans, note)
    if form in (RIDGE, HEDGEROW):
        return path_stops(m, o, closed, reach, a, i, first, b, j, last, places, spans, note)
    n = area_spans(m.x0, m.y0, m.x1, m.y1, m.first[o], m.first[o + 1], closed, ax, ay, dx, dy, places, spans)
    long = math.sqrt(dx * dx + dy * dy)
    if n == 0:
        return False
    if form != AREA or not ((first | last) & INSIDE):
        return shade(m, reach, spans[2 * n - 1], long, spans[0], spans[2 * n - 1], ASIDE, note)
    if m.own[o] == ALL:
        return False
    if m.own[o] == DEPTH:
        note[2] = float(ALONG)
        both = (first & INSIDE) and (last & INSIDE)
        if both and bases_apart(m, a, i, b, j) <= m.apart:
            return False
        if both and spans[0] == 0.0 and spans[1] == 1.0:
            return True
        if (first & INSIDE) and spans[0] == 0.0 and spans[1] * long > m.depth:
            return True
        if (last & INSIDE) and spans[2 * n - 1] == 1.0 and (1.0 - spans[2 * n - 2]) * long > m.depth:
            return True
    low, high = 0, n - 1
    if (first & INSIDE) and spans[0] == 0.0:
        low += 1
    if (last & INSIDE) and low <= high and spans[2 * high + 1] == 1.0:
        high -= 1
    if low > high:
        return False
    return shade(m, reach, spans[2 * high + 1], long, spans[2 * low], spans[2 * high + 1], ASIDE, note)


def path_stops(
    m: Map, o: int, closed: bool, reach: float, a: Ends, i: int, first: int, b: Ends, j: int, last: int,
    places: Numbers, spans: Numbers, note: Numbers,
) -> bool:  # fmt: skip
    """Whether a ridge (S7.4) or a hedgerow (S6.1) stops a line; what an end touches does not."""
    ax, ay = a.x[i], a.y[i]
    dx, dy = b.x[j] - ax, b.y[j] - ay
    mine, his = a.edge_from[i + 1] - a.edge_from[i], b.edge_from[j + 1] - b.edge_from[j]
    for k in range(mine):
        places[k] = a.edge[a.edge_from[i] + k]
    for k in range(his):
        places[mine + k] = b.edge[b.edge_from[j] + k]
    n = path_spans(
        m.x0, m.y0, m.x1, m.y1, m.first[o], m.first[o + 1], closed, ax, ay, dx, dy, places, mine + his, spans
    )
    low, high = math.inf, -1.0
    for k in range(n):
        u, v = spans[2 * k], spans[2 * k + 1]
        use_a, use_b = (first & TOUCHES) != 0, (last & TOUCHES) != 0
        if m.form[o] == RIDGE and u == v and is_touched(m, a, i, use_a, b, j, use_b, u):
            continue
        low, high = min(low, u), v
    if high < 0.0:
        return False
    return shade(m, reach, high, math.sqrt(dx * dx + dy * dy), low, high, ASIDE_ALL, note)


def contour_stops(
    m: Map, r: Reach, o: int, closed: bool, reach: float, a: Ends, i: int, first: int, b: Ends, j: int, last: int,
    places: Numbers, spans: Numbers, note: Numbers,
) -> bool:  # fmt: skip
    """Whether the contour of a hill stops a line (S7.2, S7.3, S7.5)."""
    on_a, on_b = (first & ON_HILL) != 0, (last & ON_HILL) != 0
    use_a, use_b = on_a and (first & TOUCHES) != 0, on_b and (last & TOUCHES) != 0
    ax, ay = a.x[i], a.y[i]
    dx, dy = b.x[j] - ax, b.y[j] - ay
    n = area_spans(
        m.x0, m.y0, m.x1, m.y1, m.first[o], m.first[o + 1], closed or on_a or on_b, ax, ay, dx, dy, places, spans
    )
    long = math.sqrt(dx * dx + dy * dy)
    if n == 0:
        return False
    if not on_a and not on_b:
        return shade(m, reach, spans[2 * n - 1], long, spans[0], spans[2 * n - 1], ASIDE, note)
    above = r.level_of[a.level[i]] > m.level[o]
    if on_a and m.slope[o] and above:
        return False
    ends_on_rim = not on_b and is_on_edge(m.x0, m.y0, m.x1, m.y1, m.first[o], m.first[o + 1], b.x[j], b.y[j])
    starts_on_rim = not on_a and is_on_edge(m.x0, m.y0, m.x1, m.y1, m.first[o], m.first[o + 1], ax, ay)
    low, high = math.inf, -1.0
    for k in range(n):
        u, v = spans[2 * k], spans[2 * k + 1]
        if not above and (u > 0.0 or starts_on_rim) and not is_touched(m, a, i, use_a, b, j, use_b, u):
            low, high = min(low, u), max(high, u)
        if (v < 1.0 or ends_on_rim) and not is_touched(m, a, i, use_a, b, j, use_b, v):
            low, high = min(low, v), max(high, v)
    if high < 0.0:
        return False
    if above:
        return shade(m, reach, high, long, low, high, ASIDE_ALL if on_a else ASIDE, note)
    note[0], note[1], note[2] = low, high, float(ASIDE if on_a and on_b else ALONG)
    return True
