"""What must never matter to a verdict: who asks first, where the origin is, how the file is ordered (S5.2, S5.4)."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import boards
import pytest
from boards import Doc
from hypothesis import given, settings
from hypothesis import strategies as st

MAKERS = (boards.lattice_board, boards.rough_board)
docs = st.builds(lambda make, seed: make(seed), st.sampled_from(MAKERS), st.integers(0, 10**6))
Verdicts = dict[tuple[str, str], tuple[Any, ...]]


def verdicts(doc: Doc, *, names: bool = True) -> Verdicts:
    """For every pair: the verdict, its reason, its margin and its distance, to a millionth of an inch."""
    scene = boards.scene_of(doc)
    found: Verdicts = {}
    for one, other in boards.pairs(doc):
        line = boards.look(scene, one, other)
        margin = None if line.margin_in is None else round(line.margin_in, 5)
        reason = (line.deciding.obstacle, line.deciding.rule) if line.deciding and names else None
        found[one, other] = (line.clear, reason, margin, line.close, round(line.distance_in, 5))
    return found


def moved(doc: Doc, place: Callable[[float, float], tuple[float, float]], turn: Callable[[float], float]) -> Doc:
    """The same board with every place and every bearing carried over."""
    new = copy.deepcopy(doc)
    for piece in new["terrain"]:
        if "box" in piece:
            x0, y0, x1, y1 = piece.pop("box")
            piece["outline"] = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        for key in ("outline", "line"):
            if key in piece:
                piece[key] = [list(place(*point)) for point in piece[key]]
        if "holes" in piece:
            piece["holes"] = [[list(place(*point)) for point in ring] for ring in piece["holes"]]
    for unit in new["unit"]:
        unit["at"] = list(place(*unit["at"]))
        unit["facing"] = turn(unit["facing"])
    return new


@given(docs)
@settings(max_examples=40, deadline=None)
def test_sight_is_reciprocal(doc: Doc) -> None:
    """S5.2: the same verdict, blocker, margin and distance whichever end is named first."""
    scene = boards.scene_of(doc)
    for one, other in boards.pairs(doc):
        there, back = boards.look(scene, one, other), boards.look(scene, other, one)
        assert (there.clear, there.margin_in, there.distance_in) == (back.clear, back.margin_in, back.distance_in)
        assert there.deciding == back.deciding
        assert there.line == (back.line[1], back.line[0])


@given(docs, st.integers(0, 800_000), st.integers(0, 800_000))
@settings(max_examples=30, deadline=None)
def test_a_shift_by_any_grid_vector_changes_nothing(doc: Doc, east: int, north: int) -> None:
    """S5.4: results do not depend on where the origin of the table is."""
    shifted = moved(doc, lambda x, y: (x + east / 8000, y + north / 8000), lambda b: b)
    shifted["table"] = {"width": 200, "depth": 200}
    assert verdicts(doc) == verdicts(shifted)


@given(docs, st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_a_quarter_turn_changes_nothing(doc: Doc, quarters: int) -> None:
    """A table seen from another side is the same table."""
    size = doc["table"]["width"]
    turned = doc
    for _ in range(quarters):
        turned = moved(turned, lambda x, y: (y, size - x), lambda b: (b + 90) % 360)
    assert verdicts(doc) == verdicts(turned)


@given(docs)
@settings(max_examples=30, deadline=None)
def test_a_mirror_changes_no_verdict(doc: Doc) -> None:
    """A mirrored table has the mirrored lines."""
    size = doc["table"]["width"]
    mirrored = moved(doc, lambda x, y: (size - x, y), lambda b: (360 - b) % 360)
    assert verdicts(doc) == verdicts(mirrored)


@given(docs, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_order_of_the_file_changes_nothing(doc: Doc, rng: random.Random) -> None:
    """S5.4: neither the order of the lists, nor a ring's direction, nor its first corner, nor a line's direction."""
    new = moved(doc, lambda x, y: (x, y), lambda b: b)
    rng.shuffle(new["terrain"])
    for piece in new["terrain"]:
        for ring in [piece.get("outline", []), *piece.get("holes", [])]:
            if ring:
                start = rng.randrange(len(ring))
                ring[:] = ring[start:] + ring[:start]
                if rng.random() < 0.5:
                    ring.reverse()
        if "line" in piece and rng.random() < 0.5:
            piece["line"].reverse()
    assert verdicts(doc) == verdicts(new)
    units = list(new["unit"])
    rng.shuffle(units)
    again = verdicts({**new, "unit": units})
    for (one, other), verdict in verdicts(doc).items():
        assert again.get((one, other), again.get((other, one))) == verdict


@given(docs)
@settings(max_examples=30, deadline=None)
def test_corners_that_do_not_turn_change_nothing(doc: Doc) -> None:
    """A corner put into the middle of a straight edge is no corner."""
    new = moved(doc, lambda x, y: (x, y), lambda b: b)
    for piece in new["terrain"]:
        for key in ("outline", "line"):
            points = piece.get(key, [])
            split = []
            for number, (x, y) in enumerate(points):
                split.append([x, y])
                nx, ny = points[(number + 1) % len(points)]
                if (key == "outline" or number + 1 < len(points)) and _even(x, nx) and _even(y, ny):
                    split.append([(x + nx) / 2, (y + ny) / 2])
            if points:
                piece[key] = split
    assert verdicts(doc) == verdicts(new)


def _even(a: float, b: float) -> bool:
    """True where the middle of two coordinates is on the grid."""
    return (round(a * 8000) + round(b * 8000)) % 2 == 0


@given(docs)
@settings(max_examples=20, deadline=None)
def test_crossings_are_told_in_order_and_within_the_line(doc: Doc) -> None:
    """Every crossing of the deciding line lies on it, in order from the viewer; one of them decides a stopped line."""
    scene = boards.scene_of(doc)
    for one, other in boards.pairs(doc):
        line = boards.look(scene, one, other)
        (ax, ay), (bx, by) = line.line
        long = ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5
        entries = [crossing.entry_in for crossing in line.crossings]
        assert entries == sorted(entries)
        assert all(0 <= c.entry_in <= c.exit_in <= long + 1e-9 for c in line.crossings)
        assert line.clear == (line.deciding is None) == (not any(c.hides for c in line.crossings))
        assert line.margin_in is None or 0 <= line.margin_in <= 2 + 1e-6


@pytest.mark.parametrize("make", MAKERS)
def test_nothing_that_is_taken_away_can_hide_more(make: Callable[[int], Doc]) -> None:
    """Taking woods, rubble, orchards and bocage off the table never turns a clear line into a stopped one."""
    for seed in range(60):
        doc = make(seed)
        ground = {"hill", "ridge", "building"}
        bare = {**doc, "terrain": [piece for piece in doc["terrain"] if piece["kind"] in ground]}
        full, less = boards.scene_of(doc), boards.scene_of(bare)
        for one, other in boards.pairs(doc):
            woods = [n for n in (one, other) if full.stand(full.board.unit(n)).inside]
            if boards.look(full, one, other).clear and not woods:
                assert boards.look(less, one, other).clear, (make.__name__, seed, one, other)


def test_of_two_obstacles_that_hold_out_equally_the_name_decides() -> None:
    """A tie between moving left past one and right past another is no matter of left and right (S5.4)."""
    for seed in (59, *range(400, 460)):
        doc = boards.lattice_board(seed)
        size: float = doc["table"]["width"]
        east_west = moved(doc, lambda x, y, size=size: (size - x, y), lambda b: (360 - b) % 360)  # type: ignore[misc]
        north_south = moved(doc, lambda x, y, size=size: (x, size - y), lambda b: (540 - b) % 360)  # type: ignore[misc]
        assert verdicts(doc) == verdicts(east_west) == verdicts(north_south), seed


@given(docs)
@settings(max_examples=40, deadline=None)
def test_a_touch_that_clears_never_hides_more(doc: Doc) -> None:
    """The switch graze (S5.3): what is clear where a touch blocks is clear where it does not."""
    strict = boards.scene_of(doc)
    lenient = boards.scene_of({**doc, "switches": {"graze": "clears"}})
    for one, other in boards.pairs(doc):
        if boards.look(strict, one, other).clear:
            found = boards.look(lenient, one, other)
            assert found.clear, (one, other, found.deciding)


def test_a_line_through_the_inside_is_stopped_by_either_reading() -> None:
    """With every obstacle passed well inside, a touch that clears changes no verdict but at touches."""
    changed = total = 0
    for seed in range(80):
        doc = boards.rough_board(seed)
        strict = boards.scene_of(doc)
        lenient = boards.scene_of({**doc, "switches": {"graze": "clears"}})
        for one, other in boards.pairs(doc):
            line = boards.look(strict, one, other)
            if not line.clear and (line.margin_in is None or line.margin_in > 0.001):
                total += 1
                changed += boards.look(lenient, one, other).clear
    assert total > 500
    assert changed == 0
