"""Kernels: lines from one viewer to many points, or to all cells of a table, decided by a sweep or walked."""

from __future__ import annotations

import math

from minis.sight.field_map import VEHICLE, Counts, Floats, Map, Numbers, Wholes
from minis.sight.field_stops import AWAY, Ends, Reach, bits_of
from minis.sight.field_sweep import SIDES, can_sweep, must_ask, paint
from minis.sight.field_walk import is_shut_in, walk_all

UNDECIDED = -2
"""Where the bins do not say."""


def still_hides(form: int, bits: int, level: float, top: float) -> bool:
    """True where an obstacle hides a point in or on it behind one of its edges: a vehicle, or what it is shut in by."""
    return (form == VEHICLE and bits & AWAY == 0) or is_shut_in(bits, level, top)


def sweep_all(
    m: Map, r: Reach, a: Ends, row_from: int, row_to: int, b: Ends, order: Wholes, kind_from: Wholes, found: Counts,
    bins: int, few: int, near: Numbers, cover: Numbers, cover_of: Counts, done: Counts, stamps: Counts,
    rest_i: Counts, rest_j: Counts, rest_at: Counts, short_i: Counts, short_j: Counts, short_at: Counts, many: Counts,
    places: Numbers, spans: Numbers, note: Numbers,
) -> None:  # fmt: skip
    """For each point of a from `row_from` to `row_to` and each of b an obstacle that hides one from the other, or -1.

    `order` are the points of b, those of one level, roof and size behind one another, from `kind_from`; kinds of no
    more than `few` points are walked to. The answer for points i and j is put at (i - row_from) * n + j of `found`.
    """
    n = len(b.x)
    half = bins * 0.5
    stamp = row_from * len(kind_from)
    b_x, b_y, b_from, b_own, b_bits = b.x, b.y, b.own_from, b.own, b.bits
    for i in range(row_from, row_to):
        ax, ay, at = a.x[i], a.y[i], (i - row_from) * n
        many[0], many[1] = 0, 0
        for kind in range(len(kind_from) - 1):
            j = order[kind_from[kind]]
            upper = a.level[i] >= b.level[j]
            if upper:
                case = ((a.low_roof[i] * r.levels + a.level[i]) * r.levels + b.level[j]) * r.sizes + b.size[j]
            else:
                case = ((b.low_roof[j] * r.levels + b.level[j]) * r.levels + a.level[i]) * r.sizes + a.size[i]
            if kind_from[kind + 1] - kind_from[kind] <= few or not can_sweep(m, r, a, i, case):
                for k in range(kind_from[kind], kind_from[kind + 1]):
                    rest = many[0]
                    rest_i[rest], rest_j[rest], rest_at[rest] = i, order[k], at + order[k]
                    many[0] += 1
                continue
            stamp += 1
            top = r.level_of[max(a.level[i], b.level[j])]
            paint(m, r, a, i, case, upper, top, bins, 0, near, cover, cover_of, done, stamps, stamp)
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
                        short = many[1]
                        short_i[short], short_j[short], short_at[short] = i, j, at + j
                        many[1] += 1
                        continue
                    found[at + j] = -1
                    if b_from[j] == b_from[j + 1] or not must_ask(
                        m, r, case, a, i, b_bits, b_own, b_from[j], b_from[j + 1]
                    ):  # fmt: skip
                        continue
                elif inverse < cover[c]:
                    o = cover_of[c]
                    found[at + j] = o
                    ask = False
                    for q in range(b_from[j], b_from[j + 1]):
                        if b_own[q] == o:
                            ask = bits_of(a, i, o) >= 0 or not still_hides(m.form[o], b_bits[q], m.level[o], top)
                    if not ask:
                        continue
                rest = many[0]
                rest_i[rest], rest_j[rest], rest_at[rest] = i, j, at + j
                many[0] += 1
        for turn in range(2):
            walk_all(
                m, r, a, rest_i if turn == 0 else short_i, b, rest_j if turn == 0 else short_j,
                rest_at if turn == 0 else short_at, found, many[turn], turn == 1, places, spans, note,
            )  # fmt: skip


def cells_all(
    m: Map, r: Reach, a: Ends, b: Ends, order: Wholes, kind_from: Wholes, xs: Floats, ys: Floats, kind_of: Wholes,
    with_own: Wholes, found: Counts, bins: int, few: int, near: Numbers, cover: Numbers, cover_of: Counts, done: Counts,
    stamps: Counts, cases: Counts, rest_i: Counts, rest_j: Counts, places: Numbers, spans: Numbers, note: Numbers,
) -> None:  # fmt: skip
    """From the one point of a to the points of b, row by row the cells with their middles at `xs` and `ys`.

    `kind_of` says which kind of `kind_from` each is, `with_own` are those that stand in, on or against anything.
    """
    ax, ay, columns, kinds = a.x[0], a.y[0], len(xs), len(kind_from) - 1
    around, half, shadows = SIDES * bins, bins * 0.5, False
    for kind in range(kinds):
        j = order[kind_from[kind]]
        upper = a.level[0] >= b.level[j]
        if upper:
            case = ((a.low_roof[0] * r.levels + a.level[0]) * r.levels + b.level[j]) * r.sizes + b.size[j]
        else:
            case = ((b.low_roof[j] * r.levels + b.level[j]) * r.levels + a.level[0]) * r.sizes + a.size[0]
        cases[kind] = case
        cases[kinds + kind] = 1 if upper and r.longest[case] > 0 else 0
        shadows = shadows or cases[kinds + kind] > 0
        if kind_from[kind + 1] - kind_from[kind] > few and can_sweep(m, r, a, 0, case):
            top = r.level_of[max(a.level[0], b.level[j])]
            paint(m, r, a, 0, case, upper, top, bins, kind * around, near, cover, cover_of, done, stamps, kind + 1)
        else:
            for k in range(kind * around, (kind + 1) * around):
                near[k], cover[k], cover_of[k] = math.inf, 0.0, 0
    for row in range(len(ys)):
        dy = ys[row] - ay
        west, east = 0, columns
        while west < columns and xs[west] - ax < -abs(dy):
            west += 1
        while east > west and xs[east - 1] - ax > abs(dy):
            east -= 1
        first = row * columns
        for part in range(3):
            start, stop = (0, west) if part == 0 else ((west, east) if part == 1 else (east, columns))
            if part == 1:
                if dy == 0:
                    for c in range(start, stop):
                        found[first + c] = -1 if xs[c] == ax else UNDECIDED
                    continue
                inverse, side = 1.0 / abs(dy), (2 if dy > 0 else 3) * bins
                for c in range(start, stop):
                    k = kind_of[first + c] * around + side + min(bins - 1, int(((xs[c] - ax) * inverse + 1.0) * half))
                    hidden = cover_of[k] if inverse < cover[k] else UNDECIDED
                    found[first + c] = -1 if inverse > near[k] else hidden
            else:
                side = bins if part == 0 else 0
                for c in range(start, stop):
                    inverse = 1.0 / abs(xs[c] - ax)
                    k = kind_of[first + c] * around + side + min(bins - 1, int((dy * inverse + 1.0) * half))
                    hidden = cover_of[k] if inverse < cover[k] else UNDECIDED
                    found[first + c] = -1 if inverse > near[k] else hidden
    b_from, b_own, b_bits, level, form = b.own_from, b.own, b.bits, m.level, m.form
    for n in range(len(with_own)):
        j = with_own[n]
        answer = found[j]
        if answer >= 0:
            for k in range(b_from[j], b_from[j + 1]):
                if b_own[k] == answer:
                    top = r.level_of[max(a.level[0], b.level[j])]
                    sure = bits_of(a, 0, answer) < 0 and still_hides(form[answer], b_bits[k], level[answer], top)
                    found[j] = answer if sure else UNDECIDED
        elif answer == -1 and cases[kinds + kind_of[j]] == 0 and (b.x[j] != ax or b.y[j] != ay):
            ask = must_ask(m, r, cases[kind_of[j]], a, 0, b_bits, b_own, b_from[j], b_from[j + 1])
            found[j] = UNDECIDED if ask else -1
    for turn in range(2 if shadows else 1):
        cases[2 * kinds] = 0
        for j in range(len(found)):
            clear_in_shadows = turn == 1 and found[j] == -1 and cases[kinds + kind_of[j]] > 0
            if clear_in_shadows or found[j] == UNDECIDED:
                rest_i[cases[2 * kinds]], rest_j[cases[2 * kinds]] = 0, j
                cases[2 * kinds] += 1
        walk_all(m, r, a, rest_i, b, rest_j, rest_j, found, cases[2 * kinds], turn == 1, places, spans, note)
