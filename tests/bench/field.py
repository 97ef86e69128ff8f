"""What many sight lines cost: `python tests/bench/field.py [--quick]`.

Ours in plain Python and compiled, against a plain loop over prepared shapely geometries (`shapely_loop.py`), shapely's
tree over all lines at once, a viewshed of GDAL where osgeo is installed, and a twin of the same walk in C (`walk.c`,
gcc -O2). The methods take turns in every round; times are CPU times, figures medians. Boards and places are made from a
seed. Compiling is done before the clock runs and told apart. Exit status 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import ctypes
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import shapely
import shapely_loop
from field_boards import CELL, DEPTH, WIDTH, bench_scene, places

from minis.lengths import GRID
from minis.sight.field import Field, Points, field_of, points_at, see_cells, see_matrix, see_pairs
from minis.sight.field_lines import Lines

Methods = dict[str, Callable[[], Any]]
missed: list[str] = []


def turns(methods: Methods, rounds: int) -> dict[str, float]:
    """The median CPU seconds of each method; all take turns in every round."""
    times: dict[str, list[float]] = {name: [] for name in methods}
    for _ in range(rounds):
        for name, method in methods.items():
            start = time.process_time()
            method()
            times[name].append(time.process_time() - start)
    return {name: median(found) for name, found in times.items()}


def ratio(what: str, value: float, wanted: float, *, most: bool = False) -> None:
    """Print a ratio and whether it is what was wanted."""
    fine = value <= wanted if most else value >= wanted
    print(f"    {what:<64} {value:8.2f}   ({'at most' if most else 'at least'} {wanted:g}) {'' if fine else 'MISSED'}")
    if not fine:
        missed.append(what)


def in_inches(points: Points) -> list[tuple[float, float, int]]:
    """Points as the shapely loop takes them."""
    return list(zip((points.x / GRID).tolist(), (points.y / GRID).tolist(), points.level.tolist(), strict=True))


def tree_of(field: Field) -> Callable[[Points, Points], Any]:
    """All lines at once by shapely's tree: which lines meet which obstacles that are not below both ends."""
    pieces = shapely_loop.pieces_of(field.scene)
    tree, tops = shapely.STRtree([p.geometry for p in pieces]), np.array([p.top for p in pieces])

    def ask(a: Points, b: Points) -> Any:
        ends = np.stack(
            [np.repeat(np.stack([a.x, a.y], 1), len(b), 0), np.tile(np.stack([b.x, b.y], 1), (len(a), 1))], 1
        )
        low = np.minimum.outer(a.level, b.level).ravel()
        line, piece = tree.query(shapely.linestrings(ends / GRID), predicate="intersects")
        return np.unique(line[tops[piece] > low[line]])

    return ask


# --- the twin in C ---------------------------------------------------------------------------------------------------

POINTER, NUMBER, WHOLE = ctypes.c_void_p, ctypes.c_double, ctypes.c_int64


class CBoard(ctypes.Structure):
    """`Board` of walk.c."""

    _fields_ = [
        *((name, NUMBER) for name in ("cell", "west", "south", "eps")),
        ("columns", WHOLE),
        *((name, POINTER) for name in ("start", "gobst", "group", "gx0", "gy0", "gx1", "gy1", "gtop", "high")),
        *((name, WHOLE) for name in ("groups", "levels", "sizes")),
        *((name, POINTER) for name in ("length", "near", "far", "longest")),
    ]


class CEnds(ctypes.Structure):
    """`Ends` of walk.c."""

    _fields_ = [(name, POINTER) for name in ("x", "y", "level", "low_roof", "size", "own_from", "own")]


def filled(record: Any, *sources: Any) -> Any:
    """A record of C filled with the numbers and arrays of those names."""
    for name, kind in record._fields_:
        value = next(getattr(source, name) for source in sources if hasattr(source, name))
        setattr(record, name, value.ctypes.data if kind is POINTER else value)
    return record


def c_library() -> ctypes.CDLL:
    """walk.c, built with gcc -O2."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "walk.so"
        source = Path(__file__).with_name("walk.c")
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"], check=True)
        return ctypes.CDLL(str(library))


def against_c(field: Field, library: ctypes.CDLL, rounds: int) -> None:
    """The compiled walk against its twin, for points that stand in, on and against nothing; and the bare edge test."""
    far = [points_at(field, places(2000, seed)) for seed in (1, 2)]
    free = [np.flatnonzero(np.diff(p.own_from) == 0)[:200] for p in far]
    ia, jb = np.repeat(free[0], len(free[1])), np.tile(free[1], len(free[0]))
    lines = Lines(field, *far, "numba")
    board, ends = filled(CBoard(), field.map, field.grid, lines.reach), [filled(CEnds(), e) for e in (lines.a, lines.b)]
    found = np.empty(len(ia), dtype=np.int32)

    def twin() -> None:
        library.walk_all(
            ctypes.byref(board), ctypes.byref(ends[0]), POINTER(ia.ctypes.data), ctypes.byref(ends[1]),
            POINTER(jb.ctypes.data), POINTER(found.ctypes.data), WHOLE(len(ia)),
        )  # fmt: skip

    times = turns({"C": twin, "numba": lambda: lines.walk(ia, jb)}, rounds)
    assert (lines.walk(ia, jb) == found).all(), "the twin gives other answers"
    library.raw_edges.restype = WHOLE
    every, edges = 200, len(field.grid.gx0)
    raw = turns(
        {
            "raw": lambda: library.raw_edges(
                ctypes.byref(board), WHOLE(edges), NUMBER(9.0), NUMBER(5.0), NUMBER(8e5), NUMBER(7e5), WHOLE(every)
            )
        },
        rounds,
    )["raw"]
    print(f"    the same walk: C {per(times['C'], len(ia))}, numba {per(times['numba'], len(ia))}", end="")
    print(f"; one edge tested in C: {raw / edges / every * 1e9:.2f} ns")
    ratio("speed of pairs, numba, against the same in C", times["C"] / times["numba"], 0.65)


# --- GDAL ------------------------------------------------------------------------------------------------------------


def viewshed(field: Field) -> Callable[[Points], Any] | None:
    """GDAL's viewshed over the tops of the same table, a cell for each of ours; None where osgeo is not installed."""
    if find_spec("osgeo") is None:
        return None
    gdal = import_module("osgeo.gdal")
    gdal.UseExceptions()
    columns, rows = int(WIDTH / CELL), int(DEPTH / CELL)
    middles = np.stack(np.meshgrid((np.arange(columns) + 0.5) * CELL, (np.arange(rows) + 0.5) * CELL), -1)
    spots = shapely.points(middles.reshape(-1, 2))
    tops = np.zeros(rows * columns, dtype=np.float32)
    pieces = shapely_loop.pieces_of(field.scene)
    found, on = shapely.STRtree([p.geometry for p in pieces]).query(spots, predicate="intersects").tolist()
    for spot, piece in zip(found, on, strict=True):
        tops[spot] = max(tops[spot], pieces[piece].top)
    data = gdal.GetDriverByName("MEM").Create("", columns, rows, 1, gdal.GDT_Float32)
    data.SetGeoTransform((0, CELL, 0, 0, 0, CELL))
    data.GetRasterBand(1).WriteRaster(0, 0, columns, rows, tops.tobytes())

    def ask(viewer: Points) -> Any:
        return gdal.ViewshedGenerate(
            data.GetRasterBand(1), "MEM", "", [], viewer.x[0] / GRID, viewer.y[0] / GRID, 0.1, 0.0, 255, 0, 0, -1, 0.0,
            gdal.GVM_Edge, 0.0,
        )  # fmt: skip

    return ask


# --- the work --------------------------------------------------------------------------------------------------------


def per(seconds: float, lines: int) -> str:
    """Seconds as the time of one line."""
    return f"{seconds / lines * 1e9:,.0f} ns"


def pairs(name: str, field: Field, rounds: int) -> float:
    """200 by 200 lines by every method; the seconds of the compiled walk."""
    a, b = (points_at(field, places(200, seed)) for seed in (1, 2))
    few = 10  # of 200 viewers: the loop is slow, and its time a line is the same
    some = points_at(field, places(200, 1)[:few])
    rules, pieces, tree = field.scene.board.rules, shapely_loop.pieces_of(field.scene), tree_of(field)
    ends, targets = in_inches(some), in_inches(b)
    methods: Methods = {
        "loop": lambda: shapely_loop.loop(rules, pieces, ends, targets),
        "tree": lambda: tree(some, b),
        "python": lambda: see_matrix(field, some, b, engine="python"),
        "numba": lambda: see_matrix(field, a, b, engine="numba"),
    }
    for method in methods.values():
        method()
    times = turns(methods, rounds)
    lines = {"loop": few * 200, "tree": few * 200, "python": few * 200, "numba": 40_000}
    one = {key: times[key] / lines[key] for key in methods}
    clear = see_matrix(field, some, b).ravel() < 0
    same = np.mean(clear == np.array(shapely_loop.loop(rules, pieces, ends, targets)))
    print(f"  pairs 200 x 200, {clear.mean():.1%} clear; the loop, rough, agrees on {same:.1%}")
    for key in methods:
        print(f"    {key:<10} {per(times[key], lines[key]):>14} a line")
    ratio("pairs, numba, against the shapely loop", one["loop"] / one["numba"], 200 if name == "game" else 300)
    ratio("pairs, plain Python, against the shapely loop", one["loop"] / one["python"], 5)
    return one["numba"]


def cells(field: Field, rounds: int) -> None:
    """One viewer to all cells, a viewer a round."""
    viewers = [points_at(field, [place]) for place in places(16, 7)]
    start = time.process_time()
    see_cells(field, viewers[0], CELL, engine="numba")
    targets, stood = field.kept["cells", CELL], time.process_time() - start
    print(f"  one viewer to {len(targets):,} cells; where they stand: {stood:.2f} s, once")
    index, shed = np.arange(len(targets)), viewshed(field)
    times: dict[str, list[float]] = {}
    for viewer in (viewers * rounds)[: max(rounds, len(viewers))]:
        walk = Lines(field, viewer, targets, "numba")
        methods: Methods = {
            "cells": lambda viewer=viewer: see_cells(field, viewer, CELL, engine="numba"),  # type: ignore[misc]
            "pairs": lambda walk=walk: walk.walk(np.zeros(len(index), dtype=np.int64), index),  # type: ignore[misc]
        }
        if shed is not None:
            methods["GDAL"] = lambda viewer=viewer: shed(viewer)  # type: ignore[misc]
        for key, seconds in turns(methods, 1).items():
            times.setdefault(key, []).append(seconds)
    middle = {key: median(found) for key, found in times.items()}
    print("    " + ", ".join(f"{key} {seconds * 1000:.2f} ms" for key, seconds in middle.items()))
    if shed is None:
        print("    GDAL is left out: osgeo is not installed")
    else:
        ratio(
            "time of one viewer to all cells against GDAL's viewshed", middle["cells"] / middle["GDAL"], 1.2, most=True
        )
    ratio("one viewer to all cells against our own pairs", middle["pairs"] / middle["cells"], 8)


def many(name: str, field: Field, rounds: int, *, viewers: int, points: int) -> None:
    """Many viewers to many points against our own pairs."""
    a, b = points_at(field, places(viewers, 3)), points_at(field, places(points, 4))
    walk, rows = Lines(field, a, b, "numba"), 200

    def by_pairs() -> None:
        for row in range(0, viewers, rows):
            many_rows = np.arange(row, min(viewers, row + rows))
            walk.walk(np.repeat(many_rows, points), np.tile(np.arange(points), len(many_rows)))

    times = turns({"sweep": lambda: see_matrix(field, a, b, engine="numba"), "pairs": by_pairs}, rounds)
    lines = viewers * points
    print(
        f"  {viewers:,} x {points:,}: swept {per(times['sweep'], lines)}, by pairs {per(times['pairs'], lines)} a line"
    )
    ratio("many to many against our own pairs", times["pairs"] / times["sweep"], 3 if name == "game" else 1.5)


def main() -> int:
    """Every measure on both boards."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--quick", action="store_true", help="3 rounds and a tenth of the viewers")
    quick = options.parse_args().quick
    rounds = 3 if quick else 9
    library, one = c_library(), {}
    for name in ("game", "big"):
        field = field_of(bench_scene(name))
        edges = sum(len(o.segments) for o in field.scene.obstacles if o.piece is not None)
        print(f"{name}: {len(field.scene.board.terrain)} pieces, {edges:,} edges, 300 vehicles")
        start = time.perf_counter()
        few = points_at(field, places(2, 1))
        see_pairs(field, few, few, engine="numba")
        Lines(field, few, few, "numba").sweep(0, np.empty((2, 2), dtype=np.int32))
        print(f"  first answer, compiled or taken from the cache: {time.perf_counter() - start:.1f} s")
        one[name] = pairs(name, field, rounds)
        against_c(field, library, rounds)
        cells(field, rounds)
        many(name, field, 3 if not quick else 1, viewers=200 if quick else 2000, points=5000)
    ratio("time of a line, big board against game board", one["big"] / one["game"], 4, most=True)
    print(f"peak memory of all {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    print("missed: " + "; ".join(missed) if missed else "no target missed")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
