"""Pieces as read, made fit for a table: repaired, clipped, simplified, on the grid; what was done is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from minis.ground.report import KindCount, Left
from minis.ground.scenario_text import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


ROUND = 9
"""Decimals of an inch to which what was read is taken."""


@dataclass(frozen=True)
class Limits:
    """How finely ground is kept, in inches: rows of the table ground.

    `simplify_in` is how far an outline may move; `area_share` how much of the area of a piece may change by it;
    `sliver_in2` and `sliver_in` the area and the length below which a piece is dropped; `thin_in` the breadth. Corners
    lie on multiples of `step_in`, each a whole number of steps of the 1/8000" grid.
    """

    simplify_in: float
    area_share: float
    sliver_in2: float
    sliver_in: float
    thin_in: float
    step_in: float = 0.001


@dataclass(frozen=True)
class Cleaned:
    """Pieces fit for a table, with the counts before and after and what was mended or dropped."""

    pieces: tuple[Piece, ...]
    counts: tuple[KindCount, ...]
    repaired: tuple[Left, ...]
    dropped: tuple[Left, ...]


def clean(
    raw: Iterable[Piece], width_in: float, depth_in: float, limits: Limits, *, taken: Iterable[str] = ()
) -> Cleaned:
    """Pieces in table inches as they were read, fit for a table of this size.

    A piece may come with any polygon or line, invalid ones and those of many parts too; a piece in several parts on the
    table becomes several, their ids with -1, -2 …. Ids that come twice, or are `taken`, get a number. Holes are kept.
    What lies wholly off the table is counted under `read` alone.

    >>> from shapely import Polygon
    >>> bow = Piece("woods", "bow", Polygon([(1, 1), (3, 3), (3, 1), (1, 3)]))
    >>> found = clean([bow], 10, 10, Limits(1 / 32, 0.001, 0.01, 0.1, 0.05))
    >>> [(piece.id, piece.geometry.area) for piece in found.pieces], found.repaired[0].why
    ([('bow-1', 1.0), ('bow-2', 1.0)], 'self-intersection at 2, 2')
    """
    import numpy as np
    import shapely

    table = shapely.box(0, 0, width_in, depth_in)
    shapely.prepare(table)
    work = _Work(table, limits, {}, [], [], [], set(taken))
    with np.errstate(all="ignore"):  # GEOS leaves flags of its arithmetic behind
        for piece in raw:
            work.take(piece)
    counts = tuple(
        KindCount(kind, *((int(many), area, length) for many, area, length in parts))
        for kind, parts in sorted(work.counts.items())
    )
    return Cleaned(tuple(work.pieces), counts, tuple(work.repaired), tuple(work.dropped))


@dataclass
class _Work:
    """One cleaning: what is collected on the way."""

    table: Any
    limits: Limits
    counts: dict[str, list[list[float]]]
    pieces: list[Piece]
    repaired: list[Left]
    dropped: list[Left]
    taken: set[str]

    def take(self, piece: Piece) -> None:
        """Clean one piece and keep what is left of it."""
        import shapely

        is_line = shapely.get_dimensions(piece.geometry) == 1
        shape = self.repair(piece, is_line)
        self.count(piece.kind, 0, [shape] if not shape.is_empty else [])
        if not self.table.intersects(shape):
            return
        inside = shape if self.table.covers(shape) else shapely.intersection(shape, self.table)
        parts = _parts(inside, is_line)
        self.count(piece.kind, 1, [inside] if parts else [])
        kept = []
        for part in parts:
            why = self.too_small(part)
            if why:
                self.dropped.append(Left(piece.id, f"{piece.kind}, {why}"))
            else:
                kept += self.fine(piece, part, is_line)
        self.count(piece.kind, 2, kept)
        name = self.new_name(piece.id)
        for index, part in enumerate(kept, 1):
            own = name if len(kept) == 1 else self.new_name(f"{name}-{index}")
            self.pieces.append(replace(piece, id=own, geometry=part))

    def repair(self, piece: Piece, is_line: bool) -> BaseGeometry:
        """The shape, valid; that it was not is listed with the reason."""
        import shapely

        # far below the grid: numbers next to nothing upset the arithmetic
        shape = shapely.transform(piece.geometry, lambda places: places.round(ROUND))
        if is_line or shapely.is_valid(shape):
            return shape
        words, _, place = str(shapely.is_valid_reason(shape)).partition("[")
        where = ", ".join(f"{float(value):.5g}" for value in place.rstrip("]").split())
        self.repaired.append(Left(piece.id, f"{words.strip().lower()} at {where}" if where else words.strip().lower()))
        return shapely.make_valid(shape)

    def too_small(self, part: BaseGeometry) -> str:
        """Why a part is no piece of its own; empty where it is one."""
        if part.geom_type == "LineString":
            return f'{part.length:.3g}" long' if part.length < self.limits.sliver_in else ""
        if part.area < self.limits.sliver_in2:
            return f"{part.area:.3g} square inches"
        breadth = 2 * part.area / part.length  # that of a long thin strip of this area and outline
        return f'a sliver {breadth:.3g}" broad' if breadth < self.limits.thin_in else ""

    def fine(self, piece: Piece, part: BaseGeometry, is_line: bool) -> list[BaseGeometry]:
        """A part with fewer corners, on the grid, valid; the coarsest that keeps its area, else the part as it is."""
        import shapely

        far = self.limits.simplify_in
        for _ in range(6):
            found = _on_grid(shapely.simplify(part, far, preserve_topology=True), is_line, self.limits.step_in)
            area = sum(one.area for one in found)
            if found and abs(area - part.area) <= self.limits.area_share * part.area:
                return found
            far /= 2
        found = _on_grid(part, is_line, self.limits.step_in)
        if not found:
            self.dropped.append(Left(piece.id, f"{piece.kind}, nothing of it is left on the grid"))
        return found

    def count(self, kind: str, column: int, shapes: Sequence[BaseGeometry]) -> None:
        parts = self.counts.setdefault(kind, [[0, 0.0, 0.0] for _ in range(3)])
        for shape in shapes:
            is_line = shape.geom_type in ("LineString", "MultiLineString")
            parts[column][0] += 1
            parts[column][1] += shape.area
            parts[column][2] += shape.length if is_line else 0.0

    def new_name(self, name: str) -> str:
        """The id, or the next one like it that is free."""
        own, number = name, 1
        while own in self.taken:
            number += 1
            own = f"{name}-{number}"
        self.taken.add(own)
        return own


def _parts(shape: BaseGeometry, is_line: bool) -> list[BaseGeometry]:
    """The parts of a shape that are areas, or of a line that are lines; touching ends of lines are joined."""
    import shapely

    if is_line and shape.geom_type in ("MultiLineString", "GeometryCollection"):
        lines = [part for part in shapely.get_parts(shape) if part.geom_type == "LineString"]
        shape = shapely.line_merge(shapely.MultiLineString(lines))
    wanted = "LineString" if is_line else "Polygon"
    flat = shapely.get_parts(shapely.get_parts(shape))
    return [part for part in flat.tolist() if part.geom_type == wanted and not part.is_empty]


def _on_grid(shape: BaseGeometry, is_line: bool, step_in: float) -> list[BaseGeometry]:
    """A shape with its corners on the grid, still valid: its parts."""
    import shapely

    return _parts(shapely.set_precision(shape, step_in), is_line)
