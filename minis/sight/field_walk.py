"""Kernels: many lines, each walked through the cells of the grid from its lower end to the viewer (S5.3, S6.3).

Nothing that is not in, on or against an end can stop a line without one of its edges meeting it between its ends; and a
shadow that ends somewhere hides the lower end exactly where such an edge meets the line within its length. So the walk
asks edges alone. What an end stands in, on or against is left to `minis.sight.field_stops`.
"""

from __future__ import annotations

import math

from minis.sight.field_map import ALL, DEPTH, Counts, Floats, Grid, Map, Numbers, Wholes
from minis.sight.field_spans import area_spans
from minis.sight.field_stops import ALONG, ASIDE_ALL, AWAY, DEEP, INSIDE, ON_HILL, TOUCHES, WITHIN, Ends, Reach, stops


def walk_all(
    m: Map, g: Grid, r: Reach, a: Ends, ia: Wholes, b: Ends, jb: Wholes, at: Wholes, until: Floats, found: Counts,
    lines: int, places: Numbers, spans: Numbers, note: Numbers,
) -> None:  # fmt: skip
    """For each of the first `lines` pairs of points ia of a and jb of b an obstacle that hides them, or -1.

    The answer for pair n is put at `found[at[n]]`. Farther than `until[n]` from the lower end nothing
    that blocks is on the line, it is known; shadows are another matter.
    """
    cell_side, west, south, columns, eps, graze = g.cell, g.west, g.south, g.columns, m.eps, m.graze
    start, gtop, gobst, group, high = g.start, g.gtop, g.gobst, m.group, g.high
    gx0, gy0, gx1, gy1 = g.gx0, g.gy0, g.gx1, g.gy1
    length, near, far, longest, groups, levels, sizes = r.length, r.near, r.far, r.longest, r.groups, r.levels, r.sizes
    level, level_of, a_bits, b_bits, ways = m.level, r.level_of, a.bits, b.bits, m.own
    a_x, a_y, a_level, a_roof, a_size, a_from, a_own = a.x, a.y, a.level, a.low_roof, a.size, a.own_from, a.own
    b_x, b_y, b_level, b_roof, b_size, b_from, b_own = b.x, b.y, b.level, b.low_roof, b.size, b.own_from, b.own
    inverse = 1.0 / cell_side
    for n in range(lines):
        i, j = ia[n], jb[n]
        ax, ay, bx, by = a_x[i], a_y[i], b_x[j], b_y[j]
        upper, lower = a_level[i], b_level[j]
        if upper >= lower:
            case = ((a_roof[i] * levels + upper) * levels + lower) * sizes + b_size[j]
        else:
            case = ((b_roof[j] * levels + lower) * levels + upper) * sizes + a_size[i]
            ax, ay, bx, by = bx, by, ax, ay
        dx, dy = ax - bx, ay - by
        long2 = dx * dx + dy * dy
        hider = -1
        if long2 > 0 and (a_from[i] < a_from[i + 1] or b_from[j] < b_from[j + 1]):
            hider = shut_in_by(
                level, level_of[max(upper, lower)], a_from[i], a_from[i + 1], a_own, a_bits,
                b_from[j], b_from[j + 1], b_own, b_bits,
            )  # fmt: skip
        if long2 > 0 and hider < 0:
            reaches, least = case * groups, near[case]
            long = math.sqrt(long2)
            base = dx * by - dy * bx
            column, row = int((bx - west) * inverse), int((by - south) * inverse)
            last_column, last_row = int((ax - west) * inverse), int((ay - south) * inverse)
            step_x, step_y = 1, columns
            left_x, left_y = last_column - column, last_row - row
            next_x, next_y, per_x, per_y = math.inf, math.inf, math.inf, math.inf
            if dx > 0:
                per_x = cell_side * (long / dx)
                next_x = (west + (column + 1) * cell_side - bx) * (long / dx)
            elif dx < 0:
                step_x, left_x = -1, -left_x
                per_x = cell_side * (long / -dx)
                next_x = (bx - west - column * cell_side) * (long / -dx)
            if dy > 0:
                per_y = cell_side * (long / dy)
                next_y = (south + (row + 1) * cell_side - by) * (long / dy)
            elif dy < 0:
                step_y, left_y = -columns, -left_y
                per_y = cell_side * (long / -dy)
                next_y = (by - south - row * cell_side) * (long / -dy)
            if left_x <= 0:
                next_x = math.inf
            if left_y <= 0:
                next_y = math.inf
            turn_far = longest[case] + eps + 1.0
            cell = row * columns + column
            touched = False
            for _ in range(left_x + left_y + 1):
                if high[cell] >= least:
                    for e in range(start[cell], start[cell + 1]):
                        if gtop[e] < least:
                            break
                        sp = dx * gy0[e] - dy * gx0[e] - base
                        sq = dx * gy1[e] - dy * gx1[e] - base
                        if sp * sq > 0:
                            continue
                        px, py, qx, qy = gx0[e] - bx, gy0[e] - by, gx1[e] - bx, gy1[e] - by
                        if sp == 0 and sq == 0:
                            up, uq = (dx * px + dy * py) / long2, (dx * qx + dy * qy) / long2
                            if not 0.0 < up < 1.0 or (0.0 < uq < up):
                                up = uq
                        else:
                            up = (px * qy - py * qx) / (sq - sp)
                        if not 0.0 < up < 1.0:
                            continue
                        if not graze and sp * sq == 0:
                            touched = True
                            continue
                        o = gobst[e]
                        reach = length[reaches + group[o]]
                        if reach >= 0 and up * long <= reach + eps:
                            own = False
                            for k in range(a_from[i], a_from[i + 1]):
                                own = own or a_own[k] == o
                            for k in range(b_from[j], b_from[j + 1]):
                                own = own or b_own[k] == o
                            if not own:
                                hider = o
                                break
                    if hider >= 0:
                        break
                if next_x < next_y:
                    walked = next_x
                    cell += step_x
                    left_x -= 1
                    next_x = next_x + per_x if left_x > 0 else math.inf
                else:
                    walked = next_y
                    cell += step_y
                    left_y -= 1
                    next_y = next_y + per_y if left_y > 0 else math.inf
                if walked > turn_far:
                    least, turn_far = far[case], until[n]
                    if least == math.inf or walked > turn_far:
                        break
            if hider < 0:
                if touched:
                    hider = slow(m, r, a, i, b, j, places, spans, note)
                else:
                    for end in range(2):
                        owns, marks = (a_own, a_bits) if end == 0 else (b_own, b_bits)
                        first, last = (a_from[i], a_from[i + 1]) if end == 0 else (b_from[j], b_from[j + 1])
                        for k in range(first, last):
                            o, inside = owns[k], marks[k] & INSIDE
                            if marks[k] & AWAY or (inside and ways[o] == ALL) or hider >= 0:
                                continue
                            if length[reaches + group[o]] < 0 and not (inside and ways[o] == DEPTH):
                                continue
                            if upper >= lower:
                                hides = stops(m, r, o, graze, a, i, b, j, places, spans, note)
                            else:
                                hides = stops(m, r, o, graze, b, j, a, i, places, spans, note)
                            if hides:
                                hider = o
        found[at[n]] = hider


def is_shut_in(bits: int, level: float, top: float) -> bool:
    """True where no end outside sees a point: a contour with it inside, not touching, no end above; deep woods (S6.10).

    `level` is that of the contour, `top` that of the higher end.
    """
    return bits & (INSIDE | DEEP) == (INSIDE | DEEP) or (
        bits & (ON_HILL | WITHIN | TOUCHES) == (ON_HILL | WITHIN) and top <= level
    )


def shut_in_by(
    level: Floats, top: float, a_from: int, a_to: int, a_own: Wholes, a_bits: Wholes,
    b_from: int, b_to: int, b_own: Wholes, b_bits: Wholes,
) -> int:  # fmt: skip
    """A contour or woods that one end is shut in by and the other has nothing to do with; or -1 (S6.10, S7.2)."""
    for turn in range(2):
        start, stop, other, last = (a_from, a_to, b_from, b_to) if turn == 0 else (b_from, b_to, a_from, a_to)
        mine, bits, theirs = (a_own, a_bits, b_own) if turn == 0 else (b_own, b_bits, a_own)
        for k in range(start, stop):
            if is_shut_in(bits[k], level[mine[k]], top):
                shared = False
                for q in range(other, last):
                    shared = shared or theirs[q] == mine[k]
                if not shared:
                    return mine[k]
    return -1


def stops_either(
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
    """True where an obstacle stops the line between two points, the higher of which is the viewer (S5.2)."""
    if a.level[i] >= b.level[j]:
        return stops(m, r, o, closed, a, i, b, j, places, spans, note)
    return stops(m, r, o, closed, b, j, a, i, places, spans, note)


def slow(
    m: Map, r: Reach, a: Ends, i: int, b: Ends, j: int, places: Numbers, spans: Numbers, note: Numbers
) -> int:  # fmt: skip
    """The same, of all obstacles, for a line that touches some where a touch alone does not stop it.

    Two that the line touches at one place, one on its left and one on its right, leave no gap between them (S5.3).
    """
    for turn in range(2):
        closed = turn > 0
        for o in range(m.obstacles):
            if not stops_either(m, r, o, closed, a, i, b, j, places, spans, note):
                continue
            if not closed:
                return o
            side, low, high = side_of(m, o, a, i, b, j, r, note), note[0], note[1]
            for other in range(o + 1, m.obstacles if side != 0 else 0):
                if stops_either(m, r, other, closed, a, i, b, j, places, spans, note):
                    meet = note[0] <= high and low <= note[1]
                    if meet and side_of(m, other, a, i, b, j, r, note) == -side:
                        return o
    return -1


def side_of(m: Map, o: int, a: Ends, i: int, b: Ends, j: int, r: Reach, note: Numbers) -> int:
    """1 where an obstacle that a line touches lies left of it alone, -1 right of it alone, else 0.

    That is asked between the places that `note` holds, or of a whole crest.
    """
    if note[2] == ALONG:
        return 0
    ax, ay, bx, by = a.x[i], a.y[i], b.x[j], b.y[j]
    if a.level[i] < b.level[j]:
        ax, ay, bx, by = bx, by, ax, ay
    dx, dy = bx - ax, by - ay
    long2 = dx * dx + dy * dy
    low, high = (0.0, long2) if note[2] == ASIDE_ALL else (note[0] * long2, note[1] * long2)
    left, right = 0.0, 0.0
    for e in range(m.first[o], m.first[o + 1]):
        up, uq = dx * (m.x0[e] - ax) + dy * (m.y0[e] - ay), dx * (m.x1[e] - ax) + dy * (m.y1[e] - ay)
        sp, sq = dx * (m.y0[e] - ay) - dy * (m.x0[e] - ax), dx * (m.y1[e] - ay) - dy * (m.x1[e] - ax)
        if (up < low and uq < low) or (up > high and uq > high):
            continue
        for turn in range(2):
            u, s, other_u, other_s = (up, sp, uq, sq) if turn == 0 else (uq, sq, up, sp)
            cut = low if u < low else (high if u > high else u)
            reach = s if cut == u else s + (other_s - s) * (cut - u) / (other_u - u)
            left, right = max(left, reach), max(right, -reach)
    if left > 0 and right == 0:
        return 1
    if right > 0 and left == 0:
        return -1
    return 0


def smoke_all(
    m: Map, a: Ends, ia: Wholes, b: Ends, jb: Wholes, own_from: Wholes, own: Wholes, counts: Counts, others: Counts,
    places: Numbers, spans: Numbers,
) -> None:  # fmt: skip
    """For each pair of points how many clouds their line crosses, and how many of them are not the own smoke of b."""
    for n in range(len(ia)):
        i, j = ia[n], jb[n]
        ax, ay = a.x[i], a.y[i]
        dx, dy = b.x[j] - ax, b.y[j] - ay
        crossed, strange = 0, 0
        for o in range(m.obstacles, len(m.box_west)):
            if m.box_east[o] < min(ax, ax + dx) or m.box_west[o] > max(ax, ax + dx):
                continue
            if m.box_north[o] < min(ay, ay + dy) or m.box_south[o] > max(ay, ay + dy):
                continue
            if (dx != 0 or dy != 0) and area_spans(
                m.x0, m.y0, m.x1, m.y1, m.first[o], m.first[o + 1], True, ax, ay, dx, dy, places, spans
            ) > 0:
                crossed += 1
                strange += 1
                for k in range(own_from[j], own_from[j + 1]):
                    if own[k] == o - m.obstacles:
                        strange -= 1
        counts[n], others[n] = crossed, strange
