"""`minis import dem`: real heights become hills, on a table of their own or under one that is there."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from minis.board import Board, read_board
from minis.board.place import Place
from minis.cli.main import cli
from minis.errors import BadInput
from minis.ground.contours import areas_above, hills_of
from minis.ground.heights import Heights, read_heights
from minis.ground.levels import best_levels, exaggeration
from minis.ground.onto import shape_of
from minis.ground.project import Projection
from minis.ground.relief import Relief, relief_of

Grid = NDArray[np.float64]

LON, LAT = 20.0, 45.0
"""The middle of the small grid of these tests."""

CELL = 0.0002
"""Its cells in degrees: about 16 by 22 metres."""

SIDE = 60
HERE = ("--centre", f"{LON},{LAT}", "--scale", "1in=10m", "--size", "60x60")


def run(*words: object) -> Result:
    """Run a command in this process; a traceback is the test's failure."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1"}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def heights(height: Callable[[Grid, Grid], Any]) -> Grid:
    """A grid about the middle; `height` gives metres from degrees east and north of it."""
    steps = (np.arange(SIDE) + 0.5 - SIDE / 2) * CELL
    east, north = np.meshgrid(steps, steps[::-1])
    found: Grid = np.round(np.asarray(height(east, north), dtype=float), 3) + np.zeros_like(east)
    return found


def asc(folder: Path, grid: Grid, *, name: str = "heights.asc", **keys: object) -> Path:
    """A grid as ESRI ASCII; keys replace those of its header, None takes one out."""
    rows, columns = grid.shape
    header: dict[str, object] = {
        "ncols": columns, "nrows": rows, "xllcorner": LON - columns / 2 * CELL, "yllcorner": LAT - rows / 2 * CELL,
        "cellsize": CELL,
    }  # fmt: skip
    header |= keys
    lines = [f"{key} {value}" for key, value in header.items() if value is not None]
    lines += [" ".join(f"{value:g}" for value in row) for row in grid]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


def laid(path: Path, *options: object, where: tuple[str, ...] = HERE) -> tuple[Board, dict[str, Any], str]:
    """The table that the command makes, its report, and the text of the file."""
    out = path.parent / "made.toml"
    result = run("import", "dem", path, *where, "-o", out, "--force", "--json", *options)
    assert result.exit_code == 0, result.stderr
    return read_board(out), json.loads(result.stdout), out.read_text(encoding="utf-8")


def refused(path: Path, *options: object, where: tuple[object, ...] = HERE) -> str:
    """The one message of a refusal; nothing is written, not even a part."""
    before = sorted(path.parent.iterdir()) if path.parent.exists() else []
    result = run("import", "dem", path, *where, "-o", path.parent / "none.toml", *options)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert (sorted(path.parent.iterdir()) if path.parent.exists() else []) == before
    return result.stderr.strip()


def ground_of(board: Board, level: int) -> BaseGeometry:
    """All ground of a table at a level or above it."""
    return shapely.union_all([shape_of(hill) for hill in board.hills if hill.level >= level])


def cone(east: Grid, north: Grid) -> Grid:
    """A round hill of 160 m on a plain of 100 m."""
    return 100 + 60 * np.maximum(0, 1 - np.hypot(east, north) / (20 * CELL))


# --- contours --------------------------------------------------------------------------------------------------------


def test_a_contour_lies_where_the_ground_reaches_the_height(tmp_path: Path) -> None:
    """On ground that rises evenly to the east the rim lies at the longitude of its height, to 1/100 inch."""
    path = asc(tmp_path, heights(lambda east, north: 100 + east / CELL))
    board, _, _ = laid(path, "--levels", "105")
    (hill,) = board.hills
    place = board.place
    assert place is not None
    x, _ = Projection(place, 60, 60).to_table(LON + 5 * CELL, LAT)
    left, low, right, high = shape_of(hill).bounds
    assert (low, right, high) == (0, 60, 60)
    assert abs(left - float(x)) < 0.02
    assert place.level_heights == (105,)


def test_north_is_up(tmp_path: Path) -> None:
    """The first row of a file is the north one: high ground in it lies at the far edge of the table."""
    board, _, _ = laid(asc(tmp_path, heights(lambda east, north: 100 + north / CELL)), "--levels", "110")
    assert shape_of(board.hills[0]).bounds[3] == 60
    assert shape_of(board.hills[0]).bounds[1] > 40
    turned, _, _ = laid(tmp_path / "heights.asc", "--levels", "110", "--bearing", "180")
    assert shape_of(turned.hills[0]).bounds[1] == 0


def test_the_area_of_a_level_is_that_of_the_ground(tmp_path: Path) -> None:
    """Square metres at a height or above it, counted over fine samples between the cells, within 1 %."""
    grid = heights(lambda east, north: 100 + 30 * np.sin(east / CELL / 6) + 25 * np.cos(north / CELL / 7))
    board, report, _ = laid(asc(tmp_path, grid), "--levels", "100,120", "--bump", "0")
    fine = np.linspace(0.25, 59.75, 120)
    x, y = np.meshgrid(fine, fine)
    assert board.place is not None
    lon, lat = Projection(board.place, 60, 60).to_ground(x, y)
    column, row = (lon - LON) / CELL + SIDE / 2 - 0.5, (LAT - lat) / CELL + SIDE / 2 - 0.5
    c, r = np.floor(column).astype(int), np.floor(row).astype(int)
    u, v = column - c, row - r
    height = (1 - v) * ((1 - u) * grid[r, c] + u * grid[r, c + 1])
    height += v * ((1 - u) * grid[r + 1, c] + u * grid[r + 1, c + 1])
    for level, metres in ((1, 100), (2, 120)):
        counted = float((height >= metres).mean()) * 3600
        assert abs(ground_of(board, level).area - counted) < 0.01 * 3600
    assert report["area_m2"]["hill"] == pytest.approx(ground_of(board, 1).area * 100, rel=1e-6)


def test_a_crater_is_a_hill_with_a_hole(tmp_path: Path) -> None:
    """Ground that falls again inside of a rim is left out of the hill."""
    grid = heights(lambda east, north: 100 + 40 * np.exp(-(((np.hypot(east, north) / CELL - 10) / 4) ** 2)))
    board, _, text = laid(asc(tmp_path, grid), "--levels", "120")
    (hill,) = board.hills
    assert len(hill.rings) == 2
    assert "holes = [" in text
    assert not shape_of(hill).contains(shapely.Point(30, 30))


def test_small_bumps_and_hollows_are_dropped_and_listed(tmp_path: Path) -> None:
    """A bump becomes nothing, a hollow is filled; each is named with its place and its size."""

    def height(east: Grid, north: Grid) -> Grid:
        plain = np.where(east < 0, 100.0, 150.0)
        spot = np.hypot(east + 10 * CELL, north) < 1.2 * CELL
        hollow = np.hypot(east - 10 * CELL, north) < 1.2 * CELL
        return np.where(spot, 150.0, np.where(hollow, 100.0, plain))

    path = asc(tmp_path, heights(height))
    board, report, _ = laid(path, "--levels", "125", "--bump", "40")
    assert [len(hill.rings) for hill in board.hills] == [1]
    assert [left["why"].partition(":")[0] for left in report["dropped"]] == ["level 1", "level 1"]
    assert "bump" in str(report["dropped"])
    assert "hollow" in str(report["dropped"])
    kept, _, _ = laid(path, "--levels", "125", "--bump", "0")
    assert sorted(len(hill.rings) for hill in kept.hills) == [1, 2]


def test_the_heights_of_the_levels_and_the_exaggeration_are_written(tmp_path: Path) -> None:
    """Levels 20 m apart at 10 m to the inch, an inch of board each: half as steep; it stands in the file."""
    board, report, text = laid(asc(tmp_path, heights(cone)), "--step", "20", "--first", "110", "--count", "3")
    assert board.place == Place(LON, LAT, 0.0, "1in=10m", (110.0, 130.0, 150.0), 0.5)
    assert "level_heights = [110, 130, 150]" in text
    assert "# Levels: 1 from 110 m, 2 from 130 m, 3 from 150 m; vertical exaggeration 0.5." in text
    assert [hill.level for hill in board.hills] == [1, 2, 3]
    assert any("0.5 times as steep" in remark for remark in report["remarks"])
    twice, _, _ = laid(tmp_path / "heights.asc", "--step", "20", "--first", "110", "--level-height", "2")
    assert twice.place is not None
    assert twice.place.exaggeration == 1.0


def test_the_area_of_hills_is_that_of_the_ground_under_them(tmp_path: Path) -> None:
    """Levels that lie on each other are not added up, and each is told by what is no higher."""
    board, report, _ = laid(asc(tmp_path, heights(cone)), "--step", "20", "--first", "110", "--count", "3")
    areas = [shape_of(hill).area for hill in board.hills]
    (count,) = report["kinds"]
    assert len(areas) == count["written"]["pieces"] == 3
    assert count["written"]["area_in2"] == pytest.approx(areas[0], abs=1e-3)
    assert count["on_table"]["area_in2"] == pytest.approx(areas[0], rel=0.01)
    for level, own in enumerate((areas[0] - areas[1], areas[1] - areas[2], areas[2]), 1):
        assert any(f"level {level} " in words and f" {own:.0f} square inches" in words for words in report["remarks"])


def test_without_a_step_the_levels_fit_the_ground(tmp_path: Path) -> None:
    """Three even, round levels between the lowest and the highest ground; --count asks for others."""
    board, _, _ = laid(asc(tmp_path, heights(cone)))
    assert board.place is not None
    levels = board.place.level_heights
    assert len(levels) == 3
    assert levels[1] - levels[0] == levels[2] - levels[1] > 0
    assert 100 < levels[0] < levels[2] < 160
    one, _, _ = laid(tmp_path / "heights.asc", "--count", "1")
    assert {hill.level for hill in one.hills} == {1}


@given(st.lists(st.floats(-100, 3000), min_size=2, max_size=40), st.integers(1, 4))
def test_the_best_steps_are_even_and_on_the_ground(metres: list[float], count: int) -> None:
    """Whatever the heights, levels rise evenly, and level 1 begins above the lowest ground, not above all."""
    if max(metres) - min(metres) < 0.1:
        return  # ground as flat as this has no levels that anybody could tell apart
    found = best_levels(np.array(metres), count)
    steps = {round(b - a, 3) for a, b in pairwise(found)}
    assert len(steps) <= 1
    assert all(step > 0 for step in steps)
    assert min(metres) < found[0] <= max(metres) + (max(metres) - min(metres)) * 0.02 + 1e-6
    assert exaggeration(found, min(metres), 1, 25) > 0


@given(
    st.lists(st.lists(st.integers(0, 6), min_size=5, max_size=5), min_size=5, max_size=5), st.sampled_from([0.0, 3.0])
)
def test_whatever_the_heights_hills_are_sound(rows: list[list[int]], bump: float) -> None:
    """Plains, pits, saddles, corners that touch: every hill is valid, on the table, and lies on the level below it."""
    x, y = np.meshgrid(np.linspace(-1, 13, 5), np.linspace(13, -1, 5))
    relief = Relief(x, y, np.array(rows, dtype=float), 12, 12)
    found = hills_of(relief, (1, 3, 5), bump_in2=bump, simplify_in=1 / 32)
    below: BaseGeometry = shapely.box(0, 0, 12, 12)
    for level in (1, 2, 3):
        areas = [piece.geometry for piece in found.pieces if piece.level == level]
        assert all(shapely.is_valid(area) and area.geom_type == "Polygon" for area in areas)
        whole = shapely.union_all(areas)
        assert shapely.difference(whole, below).area < 1e-6
        if bump == 0:
            ideal = shapely.intersection(areas_above(relief, 2 * level - 1), shapely.box(0, 0, 12, 12))
            assert shapely.symmetric_difference(whole, ideal).area < 0.05 * (1 + ideal.length)
        below = whole
    assert len({piece.id for piece in found.pieces}) == len(found.pieces)


def test_levels_that_are_close_together_stay_one_upon_the_other() -> None:
    """On a rough steep slope two rims run within a hair's breadth; simplified, the upper one still keeps inside."""
    steps = np.linspace(0, 6, 121)
    x, y = np.meshgrid(steps, steps[::-1])
    rough = np.random.default_rng(7).normal(0, 0.5, x.shape)
    found = hills_of(Relief(x, y, 10 * x + rough, 6, 6), (30, 30.2, 30.4), bump_in2=1, simplify_in=1 / 32)
    areas = [shapely.union_all([p.geometry for p in found.pieces if p.level == level]) for level in (1, 2, 3)]
    assert all(not area.is_empty for area in areas)
    for lower, upper in pairwise(areas):
        assert shapely.difference(upper, lower).area < 1e-6


# --- under a table that is there -------------------------------------------------------------------------------------

TABLE = f"""# My own table.
title = "Farm"

[table]
width = 60                # inches
depth = 60

[table.place]
centre = [{LON}, {LAT}]
bearing = 0
scale = "1in=10m"

# the farm
[[terrain]]
id = "farm"
kind = "building"         # of stone
box = [40, 28, 50, 34]
material = "stone"

[[terrain]]
id = "road"
kind = "road"
box = [0, 10, 60, 11]

[[terrain]]
id = "shed"
kind = "building"
box = [1, 1, 3, 3]

[[unit]]
id = "T1"
side = "allied"
kind = "vehicle"
at = [30, 30]
"""


def test_hills_go_under_a_table_that_is_there(tmp_path: Path) -> None:
    """Comments, units and terrain stay; a house across a crest line gets the level of most of its ground."""
    (tmp_path / "table.toml").write_text(TABLE, encoding="utf-8")
    path = asc(tmp_path, heights(cone))
    result = run(
        "import", "dem", path, "--onto", tmp_path / "table.toml", "--levels", "110,130", "-o", tmp_path / "o.toml"
    )
    assert result.exit_code == 0, result.stderr
    text = (tmp_path / "o.toml").read_text(encoding="utf-8")
    for words in ("# My own table.", "# inches", "# the farm", "# of stone", "level_heights = [110, 130]"):
        assert words in text
    board = read_board(tmp_path / "o.toml")
    assert [hill.level for hill in board.hills] == [1, 2]
    assert {"farm", "road", "shed"} < board.terrain_by_id.keys()
    farm = shapely.box(40, 28, 50, 34)
    at_least = [farm.area, *(shapely.intersection(farm, ground_of(board, level)).area for level in (1, 2)), 0.0]
    shares = [(low - high) / farm.area for low, high in pairwise(at_least)]
    share, level = max((share, level) for level, share in enumerate(shares))
    assert 0.5 < share < 1
    assert (board.terrain_by_id["farm"].base, board.terrain_by_id["shed"].base) == (level, 0)
    assert text.count("base = ") == 1
    assert f"farm lies across a crest line; most of it ({100 * share:.0f} %) is on level {level}" in result.stdout
    assert run("check", tmp_path / "o.toml").exit_code == 0


def test_a_table_with_hills_or_without_a_place_takes_none(tmp_path: Path) -> None:
    """Hills across hills are no ground, and a table that lies nowhere has none."""
    path = asc(tmp_path, heights(cone))
    hilly, nowhere = tmp_path / "hilly.toml", tmp_path / "nowhere.toml"
    hilly.write_text(TABLE.replace('kind = "road"', 'kind = "hill"\nlevel = 1'), encoding="utf-8")
    nowhere.write_text(TABLE.replace("[table.place]", "[switches]\n[types.a]").replace(
        f'centre = [{LON}, {LAT}]\nbearing = 0\nscale = "1in=10m"', 'kind = "gun"'), encoding="utf-8")  # fmt: skip
    assert "has hills already: road" in refused(path, "--onto", hilly, where=())
    assert "[table.place] is missing" in refused(path, "--onto", nowhere, where=())
    assert "the table of --onto has its own" in refused(path, "--onto", hilly, "--size", "10x10", where=())


# --- files -----------------------------------------------------------------------------------------------------------


def same(one: Heights, other: Heights) -> None:
    """Two grids are the same, their edges to a millionth of a cell."""
    assert np.array_equal(one.metres, other.metres, equal_nan=True)
    edges = [(h.west, h.south, h.east, h.north) for h in (one, other)]
    assert edges[0] == pytest.approx(edges[1], abs=CELL * 1e-6)


def test_the_corner_of_a_grid_or_the_centre_of_its_corner_cell(tmp_path: Path) -> None:
    """Both forms of the header, in any case, are the same grid."""
    grid = heights(cone)
    middle = {"XLLCENTER": LON - (SIDE / 2 - 0.5) * CELL, "YLLCENTER": LAT - (SIDE / 2 - 0.5) * CELL}
    other = asc(tmp_path, grid, name="b.asc", xllcorner=None, yllcorner=None, **middle)
    same(read_heights(asc(tmp_path, grid)), read_heights(other))


def test_npz_is_the_same_grid(tmp_path: Path) -> None:
    """The arrays that go with elevation are the outer edges."""
    grid = heights(cone)
    half = SIDE / 2 * CELL
    path = tmp_path / "h.npz"
    np.savez(
        path, elevation=grid, xmin=LON - half, xmax=LON + half, ymin=LAT - half, ymax=LAT + half, dx=CELL, dy=-CELL
    )
    same(read_heights(asc(tmp_path, grid)), read_heights(path))


def test_a_tile_has_its_posts_on_whole_degrees(tmp_path: Path) -> None:
    """The name says the corner, the high byte comes first, a void is none; the first post is the north-west corner."""
    grid = np.zeros((1201, 1201), dtype=">i2")
    grid[0, 0], grid[600, 1200], grid[3, 3] = 120, 77, -32768
    path = tmp_path / "S36W085.hgt"
    path.write_bytes(grid.tobytes())
    found = read_heights(path)
    lon, lat = found.centres()
    assert (lon[0], lat[0], lon[-1], lat[-1]) == pytest.approx((-85, -35, -84, -36), abs=1e-9)
    assert (found.metres[0, 0], found.metres[600, 1200], found.voids) == (120, 77, 1)


def test_gaps_are_closed_from_around_them_and_counted(tmp_path: Path) -> None:
    """Cells without a height on even ground change nothing but the report."""
    whole = heights(lambda east, north: 100 + east / CELL)
    holed = whole.copy()
    holed[30:33, 30:32] = -9999
    full, _, _ = laid(asc(tmp_path, whole), "--levels", "101")
    board, report, _ = laid(asc(tmp_path, holed, nodata_value=-9999), "--levels", "101")
    assert shapely.symmetric_difference(ground_of(full, 1), ground_of(board, 1)).area < 0.5
    assert any("6 cells on the table had no height" in remark for remark in report["remarks"])


def test_metres_of_a_map_with_its_reference_system(tmp_path: Path) -> None:
    """A grid in UTM, named by --crs or by a .prj beside it, gives the hill where it is on the earth."""
    pyproj = pytest.importorskip("pyproj")
    to_utm = pyproj.Transformer.from_crs("EPSG:4326", "EPSG:32634", always_xy=True).transform
    x, y = to_utm(LON, LAT)
    steps = (np.arange(100) - 49.5) * 10.0
    east, north = np.meshgrid(steps, steps[::-1])
    grid = 100 + 60 * np.maximum(0, 1 - np.hypot(east, north) / 250)
    path = asc(tmp_path, grid, xllcorner=x - 500, yllcorner=y - 500, cellsize=10)
    assert "name the reference system" in refused(path)
    board, _, _ = laid(path, "--crs", "EPSG:32634", "--levels", "130")
    spot = shape_of(board.hills[0]).centroid
    assert (spot.x, spot.y) == pytest.approx((30, 30), abs=0.05)
    assert shape_of(board.hills[0]).area == pytest.approx(np.pi * 12.5**2, rel=0.01)
    path.with_suffix(".prj").write_text(pyproj.CRS.from_epsg(32634).to_wkt(), encoding="utf-8")
    beside, _, _ = laid(path, "--levels", "130")
    assert shape_of(beside.hills[0]).equals(shape_of(board.hills[0]))
    assert "is no reference system" in refused(path, "--crs", "EPSG:nonsense")


# --- what is refused -------------------------------------------------------------------------------------------------

SMALL = "ncols 2\nnrows 2\nxllcorner 19.99\nyllcorner 44.99\ncellsize 0.01\n"


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.asc", b"", "is empty"),
        ("a.asc", b"\xff\xfe\x00", "is not text"),
        ("a.asc", b"hello\n", "has no ncols"),
        ("a.asc", (SMALL + "1 2 3\n").encode(), "has 3 heights where 2 by 2 are 4; is it cut short?"),
        ("a.asc", (SMALL + "1 2 3 4 5\n").encode(), "is it two files in one?"),
        ("a.asc", (SMALL + "1 2 nan 4\n").encode(), "'nan' at row 1, column 0 is no height"),
        ("a.asc", (SMALL + "1 inf 3 4\n").encode(), "'inf' at row 0, column 1 is no height"),
        ("a.asc", (SMALL + "1 two 3 4\n").encode(), "'two' at row 0, column 1 is no height"),
        ("a.asc", (SMALL + "1 -9999 3 4\n").encode(), "the height -9999 at row 0, column 1 is no height in metres"),
        ("a.asc", (SMALL + "1 1e300 3 4\n").encode(), "is no height in metres"),
        ("a.asc", (SMALL + "nodata_value 5\n5 5 5 5\n").encode(), "no cell has a height"),
        ("a.asc", SMALL.replace("0.01", "-0.01").encode() + b"1 2 3 4", "cellsize is -0.01; expected a number above 0"),
        ("a.asc", SMALL.replace("0.01", "nan").encode() + b"1 2 3 4", "cellsize is 'nan'; expected a number"),
        ("a.asc", SMALL.replace("ncols 2", "ncols 2.5").encode() + b"1 2 3 4", "ncols is '2.5'"),
        ("a.asc", SMALL.replace("ncols 2", "ncols 99999999").encode() + b"1 2", "more than the 50000000 that are read"),
        ("a.asc", SMALL.replace("xllcorner", "xcorner").encode() + b"1 2 3 4", "'xcorner' is no key of ESRI ASCII"),
        ("a.asc", SMALL.replace("yllcorner 44.99\n", "").encode() + b"1 2 3 4", "says neither yllcorner nor yllcenter"),
        ("a.asc", (SMALL + SMALL + "1 2 3 4").encode(), "'ncols' is there twice"),
        ("a.asc", SMALL.replace("2\n", "1\n").encode() + b"1", "at least 2 of each are needed"),
        ("a.asc", SMALL.replace("19.99", "500000").encode() + b"1 2 3 4", "reach over the 180th meridian"),
        ("a.asc", SMALL.replace("44.99", "4990000").encode() + b"1 2 3 4", "are no degrees; name the reference system"),
        ("a.asc", SMALL.replace("44.99", "144.99").encode() + b"1 2 3 4", "they look swapped"),
        ("a.hgt", b"\0" * 2 * 1201**2, "does not say where the tile lies"),
        ("N45E020.hgt", b"\0" * 1000, "is 1000 bytes long"),
        ("a.npz", b"PK\x03\x04 and no more", "is no .npz that can be read"),
        ("a.npz", b"{}", "is no .npz that can be read"),
        ("a.tif", b"II*\0", "GeoTIFF"),
        ("a.xyz", b"1 2 3", "ends in .xyz"),
    ],
)  # fmt: skip
def test_files_that_are_no_heights(name: str, data: bytes, why: str, tmp_path: Path) -> None:
    """Empty, truncated, huge, of another kind, no numbers: one message with the file, nothing written."""
    path = tmp_path / name
    path.write_bytes(data)
    message = refused(path)
    assert why in message
    assert message.startswith(str(path))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"ymin": 45.1, "ymax": 44.9}, "ymin 45.1 is not below ymax 44.9: the grid is upside down"),
        ({"xmin": 20.1, "xmax": 19.9}, "xmin 20.1 is not below xmax 19.9"),
        ({"elevation": np.zeros(4)}, "expected numbers in rows and columns"),
        ({"elevation": np.array([["a", "b"], ["c", "d"]])}, "expected numbers in rows and columns"),
        ({"elevation": np.array([[1, 2], [3, np.nan]])}, "nan at row 1, column 1 is no height"),
        ({"elevation": np.array([[1, None], [2, 3]], dtype=object)}, "is no .npz that can be read"),
        ({"ymax": np.nan}, "ymax is nan; expected a finite number"),
        ({"ymax": [1.0, 2.0]}, "ymax is float64 of 2 values; expected one number"),
        ({"dx": 0.7}, "dx is 0.7, but the edges make a cell of 0.1"),
        ({"xmax": None}, "has no array 'xmax'"),
    ],
)
def test_arrays_that_are_no_heights(change: dict[str, Any], why: str, tmp_path: Path) -> None:
    """Edges upside down, other shapes and types, what is no number: refused with the array's name."""
    arrays = {"elevation": np.ones((2, 2)), "xmin": 19.9, "xmax": 20.1, "ymin": 44.9, "ymax": 45.1} | change
    path = tmp_path / "h.npz"
    kept: dict[str, Any] = {key: value for key, value in arrays.items() if value is not None}
    np.savez(path, allow_pickle=True, **kept)
    assert why in refused(path)


def test_places_that_are_not_there(tmp_path: Path) -> None:
    """A directory, no file at all, a truncated archive."""
    assert "there is no such file" in refused(tmp_path / "none.asc")
    (tmp_path / "folder.asc").mkdir()
    assert "is a directory" in refused(tmp_path / "folder.asc")
    path = tmp_path / "h.npz"
    np.savez_compressed(path, elevation=heights(cone), xmin=19, xmax=21, ymin=44, ymax=46)
    path.write_bytes(path.read_bytes()[:-400])
    assert "is no .npz that can be read" in refused(path)


@pytest.mark.parametrize(
    ("where", "why"),
    [
        (("--centre", "45,20"), "longitude and latitude are swapped"),
        (("--centre", "21,45"), "lies outside the heights, which lie from 19.9940, 44.9940"),
        (("--centre", "20.003,45"), "of the table; choose another centre or a smaller table"),
        (("--centre", "180,45"), "the table lies across the 180th meridian"),
        (("--centre", "20,89"), "a pole"),
        (("--centre", "nan,45"), "--centre: expected LON,LAT"),
        (("--scale", "25"), "--scale: expected a scale"),
        (("--size", "0x5"), "--size: expected a width and a depth"),
        (("--levels", "150,120"), "--levels: expected heights in metres that rise, not 150, 120"),
        (("--levels", "a,b"), "--levels: expected heights in metres such as"),
        (("--levels", "110", "--step", "10"), "--levels: the heights of the levels are given"),
        (("--levels", "500"), "no hill is left: the table lies between 100 and"),
        (("--step", "-3"), "--step: expected a number from 0.01"),
        (("--step", "nan"), "--step: expected a number from 0.01"),
        (("--first", "120"), "--first: a first height goes with --step"),
        (("--bump", "-1"), "--bump: expected a number from 0"),
    ],
)
def test_options_that_are_wrong(where: tuple[str, ...], why: str, tmp_path: Path) -> None:
    """One message that names the option or says what is wrong with the place."""
    assert why in refused(asc(tmp_path, heights(cone)), *where)


def test_the_middle_is_asked_for_with_that_of_the_file(tmp_path: Path) -> None:
    """Without --centre the message gives one that works; a flat plain has no hills."""
    path = asc(tmp_path, heights(cone))
    assert f"that of the file is {LON:.5f},{LAT:.5f}" in refused(path, where=("--scale", "1in=10m"))
    assert "is flat" in refused(asc(tmp_path, heights(lambda east, north: 100)))


def test_a_table_mostly_without_heights_is_refused(tmp_path: Path) -> None:
    """A quarter may be closed from around it, not more."""
    grid = heights(cone)
    grid[:, :30] = -1
    assert "cells on the table have no height" in refused(asc(tmp_path, grid, nodata_value=-1))


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    """--force replaces it."""
    path = asc(tmp_path, heights(cone))
    (tmp_path / "none.toml").write_text("mine", encoding="utf-8")
    assert "is there already" in refused(path)
    assert (tmp_path / "none.toml").read_text(encoding="utf-8") == "mine"


def test_without_contourpy_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that brings it is named."""
    monkeypatch.setitem(__import__("sys").modules, "contourpy", None)
    assert "minis[ground]" in refused(asc(tmp_path, heights(cone)))


def test_the_grid_reaches_to_the_edges_of_its_cells() -> None:
    """The outer halves of the outermost cells belong to the ground, and beyond them nothing does."""
    found = Heights("h", np.ones((2, 2)), 0, 0, 4, 4)
    relief = relief_of(found, lambda x, y: (x, y), 4, 4)
    assert (relief.x_in.min(), relief.y_in.max(), relief.metres.shape) == (0, 4, (4, 4))
    with pytest.raises(BadInput, match="the heights cover"):
        relief_of(found, lambda x, y: (x, y), 4.1, 4)


def test_a_tile_at_the_date_line_is_cut_there(tmp_path: Path) -> None:
    """The posts on the 180th meridian itself belong to the next tile."""
    path = tmp_path / "N00E179.hgt"
    path.write_bytes(struct.pack(">h", 7) * 1201**2)
    found = read_heights(path)
    assert (found.columns, found.east <= 180) == (1200, True)
