"""Grids of heights as files hold them: ESRI ASCII, .hgt, .npz, GeoTIFF; each read whole or refused with one message."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from minis.errors import bad

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Grid: TypeAlias = NDArray[np.float64]

WHAT = "a grid of heights (ESRI ASCII .asc, .hgt, .npz or GeoTIFF)"

MOST_CELLS, MOST_BYTES = 5 * 10**7, 400 * 2**20
"""More of either is no map of a battlefield; a whole tile of one second of arc has 13 million cells."""

LOWEST_M, HIGHEST_M = -450.0, 9000.0
"""No land on Earth is lower or higher, in metres: what is, is a mark for no data or another unit."""


@dataclass(frozen=True, eq=False)
class Heights:
    """Heights in metres, row 0 the north row, NaN where there is none.

    `west`, `south`, `east` and `north` are the outer edges of the cells, in degrees (WGS84); in the units of `crs`
    where the file has a reference system of its own.
    """

    name: str
    metres: Grid
    west: float
    south: float
    east: float
    north: float
    crs: str | None = None

    @property
    def rows(self) -> int:
        """Rows of cells."""
        return int(self.metres.shape[0])

    @property
    def columns(self) -> int:
        """Columns of cells."""
        return int(self.metres.shape[1])

    @property
    def voids(self) -> int:
        """Cells without a height."""
        import numpy as np

        return int(np.isnan(self.metres).sum())

    def centres(self) -> tuple[Grid, Grid]:
        """The x of the centre of each column and the y of the centre of each row."""
        import numpy as np

        across, down = (self.east - self.west) / self.columns, (self.north - self.south) / self.rows
        x: Grid = np.arange(0.5, self.columns, dtype=np.float64) * across + self.west
        y: Grid = np.arange(0.5, self.rows, dtype=np.float64) * -down + self.north
        return x, y

    def window(self, west: float, south: float, east: float, north: float) -> Heights:
        """The cells about a box, with two more on every side, so that a table is not read with the whole of a tile."""
        across, down = (self.east - self.west) / self.columns, (self.north - self.south) / self.rows
        left = min(max(math.floor((west - self.west) / across) - 2, 0), self.columns)
        right = max(min(math.ceil((east - self.west) / across) + 2, self.columns), left)
        top = min(max(math.floor((self.north - north) / down) - 2, 0), self.rows)
        low = max(min(math.ceil((self.north - south) / down) + 2, self.rows), top)
        return Heights(
            self.name, self.metres[top:low, left:right], self.west + left * across, self.north - low * down,
            self.west + right * across, self.north - top * down, self.crs,
        )  # fmt: skip


def read_heights(path: Path, *, crs: str | None = None) -> Heights:
    """The heights of a file, by its ending; `crs` names the reference system of a file that does not say its own.

    Raises BadInput with one message where the file is none: empty, truncated, too large, of another kind, with a
    height that is no number, upside down.
    """
    from minis.ground.heights_files import read_ascii, read_hgt, read_npz, read_tiff

    name = str(path)
    readers: dict[str, Callable[[Path], Heights]] = {
        ".asc": read_ascii, ".agr": read_ascii, ".grd": read_ascii, ".txt": read_ascii, ".hgt": read_hgt,
        ".npz": read_npz, ".tif": read_tiff, ".tiff": read_tiff,
    }  # fmt: skip
    reader = readers.get(path.suffix.lower())
    try:
        if path.is_dir():
            raise bad(f"is a directory; expected {WHAT}", file=name)
        if not path.is_file():
            raise bad(f"there is no such file; expected {WHAT}", file=name)
        if reader is None:
            raise bad(f"ends in {path.suffix or 'nothing'}; expected {WHAT}", file=name)
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise bad(f"is {size / 2**20:.0f} MB, larger than the {MOST_BYTES // 2**20} MB of {WHAT}", file=name)
        if not size:
            raise bad(f"is empty; expected {WHAT}", file=name)
        found = reader(path)
    except OSError as error:
        raise bad(f"cannot be read ({error.strerror or error}); expected {WHAT}", file=name) from None
    return _with_system(_sound(found), crs, path)


def _with_system(found: Heights, crs: str | None, path: Path) -> Heights:
    """The heights with their reference system: that of the file, the one that was named, that of a .prj beside it."""
    beside = path.with_suffix(".prj")
    if crs is None and found.crs is None and beside.is_file():
        try:
            crs = beside.read_text(encoding="utf-8")[:10_000]
        except (OSError, UnicodeDecodeError):
            raise bad("cannot be read; expected the reference system as text", file=str(beside)) from None
    if crs is not None and found.crs is None:
        return Heights(found.name, found.metres, found.west, found.south, found.east, found.north, crs)
    edges = f"{found.west:g} to {found.east:g} and {found.south:g} to {found.north:g}"
    if found.crs is None and not (abs(found.south) <= 90 and abs(found.north) <= 90):
        if abs(found.west) <= 90 and abs(found.east) <= 90 and -180 <= found.south < found.north <= 180:
            raise bad(f"its edges, {edges}, are no longitude and latitude: they look swapped", file=found.name)
        message = f"its edges, {edges}, are no degrees; name the reference system, such as --crs EPSG:32616"
        raise bad(message, file=found.name)
    if found.crs is None and (found.west < -180 or found.east > 180):
        raise bad(f"its edges, {edges}, reach over the 180th meridian; cut the file there", file=found.name)
    return found


def _sound(found: Heights) -> Heights:
    """The heights where they can be true; raises BadInput that names the first that cannot."""
    import numpy as np

    if found.rows < 2 or found.columns < 2:
        raise bad(f"has {found.columns} columns and {found.rows} rows; at least 2 of each are needed", file=found.name)
    edges = (found.west, found.south, found.east, found.north)
    if not all(map(math.isfinite, edges)):
        raise bad("an edge of the grid is no finite number", file=found.name)
    for low, high, names in (
        (found.south, found.north, "ymin {} is not below ymax {}: the grid is upside down, or its edges are wrong"),
        (found.west, found.east, "xmin {} is not below xmax {}: the edges of the grid are wrong"),
    ):
        if not low < high:
            raise bad(names.format(f"{low:g}", f"{high:g}"), file=found.name)
    wrong = (found.metres < LOWEST_M) | (found.metres > HIGHEST_M)
    if wrong.any():
        row, column = (int(i) for i in np.argwhere(wrong)[0])
        message = (
            f"the height {found.metres[row, column]:g} at row {row}, column {column} is no height in metres; "
            "if it stands for no data, the file must say so"
        )
        raise bad(message, file=found.name)
    if np.isnan(found.metres).all():
        raise bad("no cell has a height", file=found.name)
    return found
