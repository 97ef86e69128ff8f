"""The forms in which files hold grids of heights: ESRI ASCII, .hgt, .npz, GeoTIFF."""

from __future__ import annotations

import codecs
import math
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minis.errors import BadInput, bad
from minis.ground.heights import MOST_BYTES, MOST_CELLS, WHAT, Heights
from minis.toml_file import shown

if TYPE_CHECKING:
    from minis.ground.heights import Grid

HGT_SIZES = (1201, 3601)
"""Posts of a side of a .hgt tile: 3 seconds and 1 second of arc."""

HGT_VOID = -32768


# --- ESRI ASCII ------------------------------------------------------------------------------------------------------

_CORNERS = {"xllcorner": ("x", 0.0), "xllcenter": ("x", 0.5), "yllcorner": ("y", 0.0), "yllcenter": ("y", 0.5)}
_HEADER = ("ncols", "nrows", *_CORNERS, "cellsize", "dx", "dy", "nodata_value")


def read_ascii(path: Path) -> Heights:
    """ESRI ASCII: a header of keys in any case, corner or centre of the lower left cell, then rows from the north."""
    name = str(path)
    data = path.read_bytes()
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("ascii")
    except UnicodeDecodeError as error:
        raise bad(f"is not text (byte {error.start}); expected ESRI ASCII", file=name) from None
    header, body, row = _header(text, name)
    columns, rows = (_whole(header, key, name) for key in ("ncols", "nrows"))
    if columns * rows > MOST_CELLS:
        raise bad(f"has {columns} by {rows} cells, more than the {MOST_CELLS} that are read", file=name)
    across = _positive(header, "cellsize" if "dx" not in header else "dx", name)
    down = _positive(header, "cellsize" if "dy" not in header else "dy", name)
    low: dict[str, float] = {}
    for key, (axis, part) in _CORNERS.items():
        if key in header:
            low[axis] = _finite(header, key, name) - part * (across if axis == "x" else down)
    for axis in "xy":
        if axis not in low:
            raise bad(f"says neither {axis}llcorner nor {axis}llcenter", file=name)
    void = None
    if "nodata_value" in header:
        void = math.nan if header["nodata_value"].lower() == "nan" else _finite(header, "nodata_value", name)
    metres = _cells(text[body:], rows, columns, void, name, row)
    return Heights(name, metres, low["x"], low["y"], low["x"] + columns * across, low["y"] + rows * down)


def _header(text: str, name: str) -> tuple[dict[str, str], int, int]:
    """The keys of the header, where the heights begin, and how many lines came before."""
    header: dict[str, str] = {}
    at = line = 0
    while found := re.compile(r"[ \t]*([A-Za-z_]+)[ \t]+(\S+)[ \t]*\r?(?:\n|\Z)|[ \t]*\r?\n").match(text, at):
        if found[1]:
            key = found[1].lower()
            if key == "nan":
                break
            if key not in _HEADER:
                raise bad(f"line {line + 1}: {found[1]!r} is no key of ESRI ASCII", file=name)
            if key in header:
                raise bad(f"line {line + 1}: {found[1]!r} is there twice", file=name)
            header[key] = found[2]
        at, line = found.end(), line + 1
    for key in ("ncols", "nrows"):
        if key not in header:
            raise bad(f"has no {key}; expected ESRI ASCII, which begins with ncols and nrows", file=name)
    return header, at, line


def _cells(text: str, rows: int, columns: int, void: float | None, name: str, line: int) -> Grid:
    import numpy as np

    words = text.split()
    if len(words) != rows * columns:
        why = "is it cut short?" if len(words) < rows * columns else "is it two files in one?"
        raise bad(f"has {len(words)} heights where {columns} by {rows} are {rows * columns}; {why}", file=name)
    try:
        values = np.array(words, dtype=np.float64)
    except ValueError:
        values = np.full(len(words), np.nan)
    may_be_nan = void is not None and math.isnan(void)
    wrong = [
        i
        for i in np.flatnonzero(~np.isfinite(values)).tolist()
        if not (_is_number(words[i]) or (may_be_nan and words[i].lower() == "nan"))
    ]
    if wrong:
        index = wrong[0]
        message = f"{shown(words[index])} at row {index // columns}, column {index % columns} is no height"
        raise bad(message, file=name)
    if void is not None:
        values[values == void] = np.nan
    return values.reshape(rows, columns)


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def _finite(header: Mapping[str, str], key: str, name: str) -> float:
    if key not in header:
        raise bad(f"has no {key}", file=name)
    if not _is_number(header[key]):
        raise bad(f"{key} is {shown(header[key])}; expected a number", file=name)
    return float(header[key])


def _positive(header: Mapping[str, str], key: str, name: str) -> float:
    value = _finite(header, key, name)
    if not value > 0:
        raise bad(f"{key} is {value:g}; expected a number above 0", file=name)
    return value


def _whole(header: Mapping[str, str], key: str, name: str) -> int:
    if not re.fullmatch(r"\d{1,9}", header[key]) or int(header[key]) < 1:
        raise bad(f"{key} is {shown(header[key])}; expected a whole number from 1", file=name)
    return int(header[key])


# --- .hgt ------------------------------------------------------------------------------------------------------------


def read_hgt(path: Path) -> Heights:
    """A tile of a degree: posts on its edges, 16 bit numbers with the high byte first; its name is where it lies."""
    import numpy as np

    name = str(path)
    corner = re.fullmatch(r"([NS])(\d{2})([EW])(\d{3})", path.stem.upper())
    if corner is None:
        message = f"{path.name!r} does not say where the tile lies; expected a name such as N36W085.hgt"
        raise bad(message, file=name)
    south = int(corner[2]) * (1 if corner[1] == "N" else -1)
    west = int(corner[4]) * (1 if corner[3] == "E" else -1)
    data = path.read_bytes()
    sizes = {2 * size**2: size for size in HGT_SIZES}
    if len(data) not in sizes:
        expected = " or ".join(f"{size} ({side} by {side} posts)" for size, side in sizes.items())
        raise bad(f"is {len(data)} bytes long; expected {expected}: is it cut short?", file=name)
    size = sizes[len(data)]
    metres = np.frombuffer(data, dtype=">i2").reshape(size, size).astype(np.float64)
    metres[metres == HGT_VOID] = np.nan
    half = 0.5 / (size - 1)
    edges = [west - half, south - half, west + 1 + half, south + 1 + half]
    if edges[0] < -180 or edges[2] > 180:  # the posts on the 180th meridian: half a cell lies beyond it
        column = 0 if edges[0] < -180 else size - 1
        metres = np.delete(metres, column, axis=1)
        edges[0 if column == 0 else 2] += 2 * half * (1 if column == 0 else -1)
    return Heights(name, metres, edges[0], edges[1], edges[2], edges[3])


# --- .npz ------------------------------------------------------------------------------------------------------------


def read_npz(path: Path) -> Heights:
    """Arrays by name: elevation (row 0 the north row), xmin, xmax, ymin, ymax (outer edges), dx, dy, nodata."""
    import numpy as np

    name = str(path)
    try:
        with zipfile.ZipFile(path) as packed:
            whole = sum(entry.file_size for entry in packed.infolist())
        if whole > MOST_BYTES:
            raise bad(f"holds {whole / 2**20:.0f} MB, more than the {MOST_BYTES // 2**20} MB of {WHAT}", file=name)
        with np.load(path, allow_pickle=False) as arrays:
            parts: dict[str, Any] = {key: arrays[key] for key in arrays.files if key in _NPZ_KEYS}
    except BadInput:
        raise
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError,
            MemoryError, TypeError, SyntaxError) as error:  # fmt: skip
        words = str(error).splitlines()[0][:80] if str(error) else type(error).__name__
        raise bad(f"is no .npz that can be read ({words})", file=name) from None
    for key in _NPZ_KEYS[:5]:
        if key not in parts:
            raise bad(f"has no array {key!r}; expected {', '.join(_NPZ_KEYS[:5])}", file=name)
    grid = parts.pop("elevation")
    if grid.ndim != 2 or grid.dtype.kind not in "iuf":
        message = f"elevation is {grid.dtype} of {grid.ndim} dimensions; expected numbers in rows and columns"
        raise bad(message, file=name)
    numbers = {key: _scalar(key, value, name) for key, value in parts.items()}
    metres = grid.astype(np.float64)
    if "nodata" in numbers:
        metres[metres == numbers["nodata"]] = np.nan
    elif not np.isfinite(metres).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(metres))[0])
        message = f"{metres[row, column]} at row {row}, column {column} is no height"
        raise bad(f"{message}; an array nodata may say what stands for none", file=name)
    found = Heights(name, metres, numbers["xmin"], numbers["ymin"], numbers["xmax"], numbers["ymax"])
    if found.rows and found.columns and found.south < found.north and found.west < found.east:
        for key, cell in (
            ("dx", (found.east - found.west) / found.columns), ("dy", (found.north - found.south) / found.rows),
        ):  # fmt: skip
            if key in numbers and not math.isclose(abs(numbers[key]), cell, rel_tol=1e-3):
                raise bad(f"{key} is {numbers[key]:g}, but the edges make a cell of {cell:g}", file=name)
    return found


_NPZ_KEYS = ("elevation", "xmin", "xmax", "ymin", "ymax", "dx", "dy", "nodata")


def _scalar(key: str, value: Any, name: str) -> float:
    if value.size != 1 or value.dtype.kind not in "iuf":
        raise bad(f"{key} is {value.dtype} of {value.size} values; expected one number", file=name)
    number = float(value.reshape(-1)[0])
    if not math.isfinite(number) and key != "nodata":
        raise bad(f"{key} is {number}; expected a finite number", file=name)
    return number


# --- GeoTIFF ---------------------------------------------------------------------------------------------------------


def read_tiff(path: Path) -> Heights:
    """GeoTIFF by rasterio, where that is installed: its first band, which must lie north up."""
    import importlib

    import numpy as np

    name = str(path)
    try:
        rasterio: Any = importlib.import_module("rasterio")
    except ImportError:
        message = "a GeoTIFF is read by rasterio, which is not installed; or turn it to .asc with gdal_translate"
        raise bad(message, file=name) from None
    try:
        with rasterio.open(path) as image:
            if image.width * image.height > MOST_CELLS:
                raise bad(f"has {image.width} by {image.height} cells, more than {MOST_CELLS}", file=name)
            turned = image.transform
            if turned.b or turned.d or turned.a <= 0 or turned.e >= 0:
                raise bad("does not lie north up; turn it with gdalwarp", file=name)
            if image.crs is None:
                raise bad("has no reference system", file=name)
            metres = image.read(1, masked=True).astype(np.float64).filled(np.nan)
            system = None if image.crs.to_epsg() == 4326 else image.crs.to_wkt()
            left, low, right, high = image.bounds
            return Heights(name, metres, left, low, right, high, system)
    except rasterio.errors.RasterioError as error:
        raise bad(f"is no GeoTIFF that can be read ({str(error).splitlines()[0][:80]})", file=name) from None
