"""Kernels: lines from one viewer to many points, or to all cells of a table, decided by a sweep or walked."""

from __future__ import annotations

import math

from minis.sight.field_map import VEHICLE, Counts, Floats, Grid, Map, Numbers, Wholes
from minis.sight.field_stops import AWAY, Ends, Reach, bits_of
from minis.sight.field_sweep import SIDES, can_sweep, must_ask, paint
from minis.sight.field_walk import is_shut_in, walk_all

UNDECIDED = -2
"""Where the bins do not say."""


def still_hides(form: int, bits: int, level: float, top: float) -> bool:
    """True where an obstacle hides a point in or on it behind one of its edges: a vehicle, or what it is shut in by."""
    return (form == VEHICLE and bits & AWAY == 0) or is_shut_in(bits, level, top)


def sweep_all(
    m: Map, g: Grid, r: Reach, a: Ends, row_from: int, row_to: int, b: Ends, order: Wholes, kind_from: Wholes,
    found: Counts, bins: int, few: int, near: Numbers, cover: Numbers, cover_of: Counts, done: Counts, stamps: Counts,
    rest_i: Counts, rest_j: Counts, rest_at: Counts, until: Numbers, places: Numbers, spans: Numbers, note: Numbers,
) -> None:  # fmt: skip
    """For each point of a from `row_from` to `row_to` and each of b an obstacle that hides one from the other, or -1.

    `order` are the points of b, those of one level, roof and size behind one another, from `kind_from`; kinds of no
    more than `few` points are walked to. The answer for points i and j is put at (i - row_from) * n + j of `found`.
    """
    n = len(b.x)
    half = bins * 0.5
    stamp = row_from * len(kind_from)
    b_x, b_y, b_from, b_own, b_bits, a_from, a_own = b.x, b.y, b.own_from, b.own, b.bits, a.own_from, a.own
    length, group = r.length, m.group
    for i in range(row_from, row_to):
        ax, ay, at = a.x[i], a.y[i], (i - row_from) * n
        rest, painted = 0, False
        for kind in range(len(kind_from) - 1):
            j = order[kind_from[kind]]
            upper = a.level[i] >= b.level[j]
            if upper:
                case = ((a.low_roof[i] * r.levels + a.level[i]) * r.levels + b.level[j]) * r.sizes + b.size[j]
            else:
                case = ((b.low_roof[j] * r.levels + b.level[j]) * r.levels + a.level[i]) * r.sizes + a.size[i]
            if kind_from[kind + 1] - kind_from[kind] <= few or not can_sweep(m, r, a, i, case):
                for k in range(kind_from[kind], kind_from[kind + 1]):
                    j = order[k]
                    dx, dy = b_x[j] - ax, b_y[j] - ay
                    c = bin_of(dx, dy, bins) if painted and (dx != 0 or dy != 0) else -1
                    if c >= 0 and max(abs(dx), abs(dy)) * cover[c] > 1.0:
                        o = cover_of[c]  # painted for another level: does it block for this one too?
                        left = length[case * r.groups + group[o]] < math.inf
                        for q in range(a_from[i], a_from[i + 1]):
                            left = left or a_own[q] == o
                        for q in range(b_from[j], b_from[j + 1]):
                            left = left or b_own[q] == o
                        if not left:
                            found[at + j] = o
                            continue
                    rest_i[rest], rest_j[rest], rest_at[rest], until[rest] = i, j, at + j, math.inf
                    rest += 1
                continue
            stamp, painted = stamp + 1, True
            top = r.level_of[max(a.level[i], b.level[j])]
            paint(m, g, r, a, i, case, upper, top, bins, 0, near, cover, cover_of, done, stamps, stamp)
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
                if inverse < cover[c]:
                    o = cover_of[c]
                    found[at + j] = o
                    ask = False
                    for q in range(b_from[j], b_from[j + 1]):
                        if b_own[q] == o:
                            ask = bits_of(a, i, o) >= 0 or not still_hides(m.form[o], b_bits[q], m.level[o], top)
                    if not ask:
                        continue
                elif inverse > near[c]:
                    found[at + j] = -1
                    if not shadows and (
                        b_from[j] == b_from[j + 1]
                        or not must_ask(m, r, case, a, i, b_bits, b_own, b_from[j], b_from[j + 1])
                    ):
                        continue
                rest_i[rest], rest_j[rest], rest_at[rest] = i, j, at + j
                until[rest] = to_walk(dx, dy, upper, near[c])
                rest += 1
        walk_all(m, g, r, a, rest_i, b, rest_j, rest_at, until, found, rest, places, spans, note)


def to_walk(dx: float, dy: float, upper: bool, near: float) -> float:
    """How far from its lower end a line has something on it that blocks, at the most.

    `near` is that of its bin; the viewer of the bins is the other end where it is the `upper` one.
    """
    ahead = near * max(abs(dx), abs(dy))
    if ahead < 1.0:
        return 0.0
    return (1.0 - 1.0 / ahead) * math.sqrt(dx * dx + dy * dy) + 1.0 if upper else math.inf


def cells_all(
    m: Map, g: Grid, r: Reach, a: Ends, b: Ends, order: Wholes, kind_from: Wholes, xs: Floats, ys: Floats,
    kind_of: Wholes, held_from: Wholes, held: Wholes, held_bits: Wholes, found: Counts, bins: int, few: int,
    near: Numbers, cover: Numbers, cover_of: Counts, done: Counts, stamps: Counts, cases: Counts, covering: Counts,
    inverses: Numbers, open_j: Counts, rest_i: Counts, rest_j: Counts, until: Numbers, places: Numbers, spans: Numbers,
    note: Numbers,
) -> None:  # fmt: skip
    """From the one point of a to the points of b, row by row the cells with their middles at `xs` and `ys`.

    `kind_of` says which kind of `kind_from` each is. The cells that stand in, on or against obstacle o are
    `held_from[o]` to `held_from[o + 1]` of `held`, with their bits.
    """
    kinds = len(kind_from) - 1
    for kind in range(kinds):
        j = order[kind_from[kind]]
        upper = a.level[0] >= b.level[j]
        if upper:
            case = ((a.low_roof[0] * r.levels + a.level[0]) * r.levels + b.level[j]) * r.sizes + b.size[j]
        else:
            case = ((b.low_roof[j] * r.levels + b.level[j]) * r.levels + a.level[0]) * r.sizes + a.size[0]
        cases[kind] = case
        cases[kinds + kind] = 1 if upper and r.longest[case] > 0 else 0
        base = kind * SIDES * bins
        if kind_from[kind + 1] - kind_from[kind] > few and can_sweep(m, r, a, 0, case):
            top = r.level_of[max(a.level[0], b.level[j])]
            paint(m, g, r, a, 0, case, upper, top, bins, base, near, cover, cover_of, done, stamps, kind + 1)
        else:
            for k in range(base, base + SIDES * bins):
                near[k], cover[k], cover_of[k] = math.inf, 0.0, -1
    opened = put_cells(a.x[0], a.y[0], xs, ys, kind_of, bins, near, cover, cover_of, inverses, found, open_j)
    rest = 0
    for n in range(opened):
        j = open_j[n]
        if (
            found[j] == UNDECIDED
            or cases[kinds + kind_of[j]] > 0
            or must_ask(m, r, cases[kind_of[j]], a, 0, b.bits, b.own, b.own_from[j], b.own_from[j + 1])
        ):
            rest_j[rest] = j
            rest += 1
    for o in range(m.obstacles):
        covering[o] = 0
    for k in range(kinds * SIDES * bins):
        if cover_of[k] >= 0:
            covering[cover_of[k]] = 1
    for o in range(len(held_from) - 1):
        if not covering[o]:
            continue
        apart = bits_of(a, 0, o) < 0
        for n in range(held_from[o], held_from[o + 1]):
            j = held[n]
            if found[j] == o:
                top = r.level_of[max(a.level[0], b.level[j])]
                if not (apart and still_hides(m.form[o], held_bits[n], m.level[o], top)):
                    rest_j[rest] = j
                    rest += 1
    for n in range(rest):
        j = rest_j[n]
        dx, dy = b.x[j] - a.x[0], b.y[j] - a.y[0]
        k = kind_of[j] * SIDES * bins + bin_of(dx, dy, bins)
        rest_i[n], until[n] = 0, to_walk(dx, dy, a.level[0] >= b.level[j], near[k])
    walk_all(m, g, r, a, rest_i, b, rest_j, rest_j, until, found, rest, places, spans, note)


def bin_of(dx: float, dy: float, bins: int) -> int:
    """The bin that a place lies in, given from the viewer; not for the viewer's own place."""
    if abs(dx) >= abs(dy):
        side, slope = (0 if dx > 0 else 1), dy / abs(dx)
    else:
        side, slope = (2 if dy > 0 else 3), dx / abs(dy)
    return side * bins + min(bins - 1, int((slope + 1.0) * bins * 0.5))


def put_cells(
    ax: float, ay: float, xs: Floats, ys: Floats, kind_of: Wholes, bins: int, near: Numbers, cover: Numbers,
    cover_of: Counts, inverses: Numbers, found: Counts, open_j: Counts,
) -> int:  # fmt: skip
    """Put into `found` what the bins say of each cell; how many are not hidden, that `open_j` lists.

    Most cells of a table are hidden, and `near` is not looked at for those; nor is anything divided by for each cell.
    """
    columns, half, n = len(xs), bins * 0.5, 0
    for c in range(columns):
        inverses[c] = 1.0 / abs(xs[c] - ax) if xs[c] != ax else math.inf
    for row in range(len(ys)):
        dy = ys[row] - ay
        west, east, first = 0, columns, row * columns
        while west < columns and xs[west] - ax < -abs(dy):
            west += 1
        while east > west and xs[east - 1] - ax > abs(dy):
            east -= 1
        steep = dy * half
        for part in range(2):
            start, stop, side = (0, west, bins) if part == 0 else (east, columns, 0)
            for c in range(start, stop):
                j, inverse = first + c, inverses[c]
                k = kind_of[j] * SIDES * bins + side + min(bins - 1, int(steep * inverse + half))
                o = cover_of[k]
                if inverse >= cover[k]:
                    o = -1 if inverse > near[k] else UNDECIDED
                    open_j[n] = j
                    n += 1
                found[j] = o
        if dy == 0:
            for c in range(west, east):
                found[first + c] = -1  # the viewer's own place
            continue
        side, inverse = (2 if dy > 0 else 3) * bins, 1.0 / abs(dy)
        steep = inverse * half
        for c in range(west, east):
            j = first + c
            k = kind_of[j] * SIDES * bins + side + min(bins - 1, int((xs[c] - ax) * steep + half))
            o = cover_of[k]
            if inverse >= cover[k]:
                o = -1 if inverse > near[k] else UNDECIDED
                open_j[n] = j
                n += 1
            found[j] = o
    return n
