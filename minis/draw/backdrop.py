"""A picture under the map, pulled straight by its four marks: pieces of it, each laid by a transform of its own."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from minis.board.backdrop import Backdrop, Spot
from minis.draw.canvas import Canvas
from minis.draw.picture_file import PictureFile, picture_of
from minis.draw.svg import Element, el, group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

MOST_BYTES = 8 * 2**20
"""A larger picture is left out: the map would be a third larger than it is, and slow to show."""

PARTS = 8
"""Columns and rows of pieces into which a picture seen from the side is cut."""

FLAT = 0.5
"""A picture whose corners are off a parallelogram by less than this, in pixels, is laid in one piece."""

OVERLAP = 0.75
"""User units by which pieces reach over one another, so that no gap shows between them."""

SEE_THROUGH = 0.55
"""How much of hills and terrain covers the picture below them."""


def backdrop_layer(backdrop: Backdrop, data: bytes, canvas: Canvas) -> Element | None:
    """The picture of a backdrop, whose file holds `data`, on the table; None where it is too large or no picture.

    What of it would lie outside of the table is cut off.
    """
    found = picture_of(data)
    if found is None or len(data) > MOST_BYTES:
        return None
    marks = backdrop.marks or _own_corners(found)
    flat = [canvas.inches(*corner) for corner in backdrop.corners]
    width, height = canvas.inches(canvas.width_in, 0)
    image = el(
        "image", id="backdrop-picture", width=found.width, height=found.height,
        href=f"data:{found.mime};base64,{base64.b64encode(data).decode('ascii')}",
    )  # fmt: skip
    edge = el("clipPath", el("rect", width=width, height=height), id="backdrop-edge")
    pieces = list(_pieces(marks, flat))
    clips = [el("clipPath", el("path", d=d), id=f"backdrop-{index}") for index, (_, d) in enumerate(pieces) if d]
    laid = [
        group(el("use", href="#backdrop-picture", transform=matrix), clip_path=f"url(#backdrop-{index})" if d else None)
        for index, (matrix, d) in enumerate(pieces)
    ]
    return group(el("defs", image, edge, *clips), group(laid, clip_path="url(#backdrop-edge)"), class_="backdrop")


def _own_corners(found: PictureFile) -> tuple[Spot, ...]:
    return ((0.0, found.height), (found.width, found.height), (found.width, 0.0), (0.0, 0.0))


def _pieces(marks: Sequence[Spot], flat: Sequence[Spot]) -> Iterator[tuple[str, str]]:
    """Transforms from pixels to the map, each with the `d` of where it holds; of one for all an empty one."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = marks
    whole = _affine(marks[:3], flat[:3])
    (ex, ey), (fx, fy), (gx, gy), (hx, hy) = flat
    bent = max(abs(ax - bx + cx - dx), abs(ay - by + cy - dy), abs(ex - fx + gx - hx), abs(ey - fy + gy - hy))
    if bent < FLAT:
        yield _matrix(whole), ""
        return
    to_map = homography(marks, flat)
    to_marks = homography(((0, 0), (1, 0), (1, 1), (0, 1)), marks)
    for row in range(PARTS):
        for column in range(PARTS):
            corners = [
                (column / PARTS, row / PARTS), ((column + 1) / PARTS, row / PARTS),
                ((column + 1) / PARTS, (row + 1) / PARTS), (column / PARTS, (row + 1) / PARTS),
            ]  # fmt: skip
            pixels = [through(to_marks, corner) for corner in corners]
            places = [through(to_map, pixel) for pixel in pixels]
            for three in ((0, 1, 2), (0, 2, 3)):
                here = [places[index] for index in three]
                yield _matrix(_affine([pixels[index] for index in three], here)), _grown(here)


def homography(from_: Sequence[Spot], to: Sequence[Spot]) -> Matrix:
    """The projection that puts four places on four others, as a 3 by 3 matrix.

    >>> square = ((0, 0), (2, 0), (2, 2), (0, 2))
    >>> tuple(float(value) for value in through(homography(square, ((0, 0), (4, 0), (3, 2), (1, 2))), (1, 0)))
    (2.0, 0.0)
    """
    import numpy as np

    rows, right = [], []
    for (x, y), (u, v) in zip(from_, to, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    found: Matrix = np.append(np.linalg.solve(np.array(rows, dtype=float), np.array(right, dtype=float)), 1.0)
    return found.reshape(3, 3)


def through(matrix: Matrix, spot: Spot) -> Spot:
    """Where a projection puts a place."""
    import numpy as np

    x, y, w = matrix @ np.array([spot[0], spot[1], 1.0])
    return float(x / w), float(y / w)


def _affine(from_: Sequence[Spot], to: Sequence[Spot]) -> Matrix:
    """The transform that puts three places on three others: a, c, e over b, d, f."""
    import numpy as np

    rows = np.array([[x, y, 1.0] for x, y in from_])
    found: Matrix = np.linalg.solve(rows, np.array(to, dtype=float)).T
    return found


def _matrix(found: Matrix) -> str:
    a, c, e = found[0]
    b, d, f = found[1]
    return f"matrix({' '.join(f'{value:.9g}' for value in (a, b, c, d, e, f))})"


def _grown(three: Sequence[Spot]) -> str:
    """The `d` of a triangle that reaches a little over its edges."""
    import shapely

    grown = shapely.Polygon(three).buffer(OVERLAP, join_style="mitre")
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in grown.exterior.coords[:-1]) + "Z"
