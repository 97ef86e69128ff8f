"""Kernels: the stretches of one line on one obstacle, exactly as `minis.sight.stretch` finds them (S5.3).

A kernel is a plain function of numbers and sequences, run as it stands or compiled (`minis.sight.field_engine`). A
place of a line is the fraction of its length from the viewer, 0 to 1: a quotient of two whole numbers, so that one
place has one value whichever edge it is found by. Stretches stand in `spans` as low, high, low, high; a kernel says how
many.
"""

from __future__ import annotations

from minis.sight.field_map import Floats, Numbers


def place_on(ax: float, ay: float, px: float, py: float, qx: float, qy: float, turn: float) -> float:
    """Where a line from (ax, ay) crosses the line of an edge p q; `turn` is the side of q less the side of p."""
    return ((px - ax) * (qy - ay) - (py - ay) * (qx - ax)) / turn


def inside_places(
    x0: Floats, y0: Floats, x1: Floats, y1: Floats, begin: int, end: int, on_line: bool, ax: float, ay: float, dx:
    float, dy: float, places: Numbers
) -> int:  # fmt: skip
    """Where a line goes into and out of an area when thought moved off the corners that lie on it, to one side."""
    n, before = 0, 0
    start = dx * ay - dy * ax
    for e in range(begin, end):
        px, py, qx, qy = x0[e], y0[e], x1[e], y1[e]
        sp = dx * py - dy * px - start
        sq = dx * qy - dy * qx - start
        was_left = sp > 0 or (sp == 0 and on_line)
        is_left = sq > 0 or (sq == 0 and on_line)
        if was_left != is_left:
            t = place_on(ax, ay, px, py, qx, qy, sq - sp)
            if t < 0.0:
                before += 1
            elif t <= 1.0:
                k = n
                while k > 0 and places[k - 1] > t:
                    places[k] = places[k - 1]
                    k -= 1
                places[k] = t
                n += 1
    if before % 2:
        for k in range(n, 0, -1):
            places[k] = places[k - 1]
        places[0] = 0.0
        n += 1
    if n % 2:
        places[n] = 1.0
        n += 1
    return n


def merged(spans: Numbers, n: int) -> int:
    """Put `n` stretches in order and join those that meet; how many are left."""
    for i in range(1, n):
        low, high = spans[2 * i], spans[2 * i + 1]
        k = i
        while k > 0 and (spans[2 * k - 2] > low or (spans[2 * k - 2] == low and spans[2 * k - 1] > high)):
            spans[2 * k], spans[2 * k + 1] = spans[2 * k - 2], spans[2 * k - 1]
            k -= 1
        spans[2 * k], spans[2 * k + 1] = low, high
    kept = 0
    for i in range(n):
        low, high = spans[2 * i], spans[2 * i + 1]
        if kept > 0 and low <= spans[2 * kept - 1]:
            spans[2 * kept - 1] = max(spans[2 * kept - 1], high)
        else:
            spans[2 * kept], spans[2 * kept + 1] = low, high
            kept += 1
    return kept


def without_end_contact(spans: Numbers, n: int) -> int:
    """Leave out a contact at the line's own end point alone (S5.3)."""
    kept = 0
    for i in range(n):
        low, high = spans[2 * i], spans[2 * i + 1]
        if low < high or 0.0 < low < 1.0:
            spans[2 * kept], spans[2 * kept + 1] = low, high
            kept += 1
    return kept


def area_spans(
    x0: Floats,
    y0: Floats,
    x1: Floats,
    y1: Floats,
    begin: int,
    end: int,
    closed: bool,
    ax: float,
    ay: float,
    dx: float,
    dy: float,
    places: Numbers,
    spans: Numbers,
) -> int:
    """The stretches of a line in an area, closed or open, without a contact at an end alone; how many there are."""
    start = dx * ay - dy * ax
    long2 = dx * dx + dy * dy
    left, right, on_line = False, False, False
    for e in range(begin, end):
        s = dx * y1[e] - dy * x1[e] - start
        left = left or s > 0
        right = right or s < 0
        on_line = on_line or s == 0
    if not on_line and not (left and right):
        return 0
    n, others = 0, 0
    for turn in range(2 if on_line else 1):
        many = inside_places(x0, y0, x1, y1, begin, end, turn == 0, ax, ay, dx, dy, spans if turn == 0 else places) // 2
        n, others = (many, 0) if turn == 0 else (n, many)
    if not on_line:
        return without_end_contact(spans, n)
    if not closed:
        first = n
        for i in range(first):
            for k in range(others):
                low, high = max(spans[2 * i], places[2 * k]), min(spans[2 * i + 1], places[2 * k + 1])
                if low < high:
                    spans[2 * n], spans[2 * n + 1] = low, high
                    n += 1
        for i in range(2 * (n - first)):
            spans[i] = spans[2 * first + i]
        return without_end_contact(spans, merged(spans, n - first))
    for i in range(others):
        spans[2 * n], spans[2 * n + 1] = places[2 * i], places[2 * i + 1]
        n += 1
    for e in range(begin, end):
        qx, qy = x1[e], y1[e]
        if dx * qy - dy * qx - start == 0:
            one = (dx * (qx - ax) + dy * (qy - ay)) / long2
            other = one
            if dx * y0[e] - dy * x0[e] - start == 0:
                other = (dx * (x0[e] - ax) + dy * (y0[e] - ay)) / long2
            low, high = max(0.0, min(one, other)), min(1.0, max(one, other))
            if low <= high:
                spans[2 * n], spans[2 * n + 1] = low, high
                n += 1
    return without_end_contact(spans, merged(spans, n))


def path_spans(
    x0: Floats,
    y0: Floats,
    x1: Floats,
    y1: Floats,
    begin: int,
    end: int,
    closed: bool,
    ax: float,
    ay: float,
    dx: float,
    dy: float,
    leave: Numbers,
    left: int,
    spans: Numbers,
) -> int:
    """Where a line meets a path, or goes through it where not `closed`; `left` edges in `leave` do not count."""
    n = 0
    start = dx * ay - dy * ax
    long2 = dx * dx + dy * dy
    came, low, high, again = 0.0, 1.0, -1.0, True
    for e in range(begin, end):
        gone = False
        for k in range(left):
            gone = gone or leave[k] == e
        if gone:
            again = True
            continue
        px, py, qx, qy = x0[e], y0[e], x1[e], y1[e]
        sp = dx * py - dy * px - start
        sq = dx * qy - dy * qx - start
        up = (dx * (px - ax) + dy * (py - ay)) / long2
        uq = (dx * (qx - ax) + dy * (qy - ay)) / long2
        if closed:
            if sp == 0 and sq == 0:
                low, high = max(0.0, min(up, uq)), min(1.0, max(up, uq))
            elif (sp >= 0 >= sq) or (sq >= 0 >= sp):
                low = place_on(ax, ay, px, py, qx, qy, sq - sp)
                high = low if 0.0 <= low <= 1.0 else -1.0
            else:
                continue
            if low <= high:
                spans[2 * n], spans[2 * n + 1] = low, high
                n += 1
            continue
        if again:
            came, low, high, again = sp, 1.0, -1.0, False
            on_line = sp == 0
            if on_line:
                low, high = up, up
        else:
            on_line = low <= high
        if sq == 0:
            low, high = (min(low, uq), max(high, uq)) if on_line else (uq, uq)
            continue
        if came != 0 and (came > 0) != (sq > 0):
            if not on_line:
                low = place_on(ax, ay, px, py, qx, qy, sq - sp)
                high = low
            low, high = max(0.0, low), min(1.0, high)
            if low <= high:
                spans[2 * n], spans[2 * n + 1] = low, high
                n += 1
        came, low, high = sq, 1.0, -1.0
    return without_end_contact(spans, merged(spans, n))


def is_on_edge(x0: Floats, y0: Floats, x1: Floats, y1: Floats, begin: int, end: int, x: float, y: float) -> bool:
    """True where a point lies on an edge of an obstacle: exact."""
    for e in range(begin, end):
        px, py, qx, qy = x0[e], y0[e], x1[e], y1[e]
        in_box = min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy)
        if in_box and (qx - px) * (y - py) - (qy - py) * (x - px) == 0:
            return True
    return False
