"""What may not be meant in terrain: overlaps, pieces over two levels, slivers, ground that no vehicle reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from minis.board.board import Board
from minis.board.terrain import Terrain
from minis.ground.lint_finding import Finding
from minis.lengths import GRID, format_number, to_grid
from minis.rules.lint_rows import bars_vehicles, lint_number

NOT_IN_A_HOUSE = ("road", "marsh", "gully", "grain", "entrenchment", "shellholes")
"""Areas that no building stands on."""

ONE_OF_A_SORT = ("woods", "orchard", "marsh", "gully", "brush", "grain", "rubble")
"""Areas that should be one piece where two of them overlap."""


@dataclass(frozen=True)
class _Ground:
    """The terrain of a table as shapes in grid steps, and an index of them."""

    board: Board
    pieces: Sequence[Terrain]
    shapes: Sequence[Any]
    tree: shapely.STRtree

    def least(self) -> float:
        """Square grid steps below which an overlap is none."""
        return lint_number(self.board.rules, "overlap-area") * GRID**2


def ground_findings(board: Board) -> list[Finding]:
    """Everything that may not be meant in the terrain of a table, in the order of the looking."""
    if not board.terrain:
        return []
    shapes = [
        shapely.Polygon(piece.rings[0], piece.rings[1:]) if piece.rings else shapely.LineString(piece.line)
        for piece in board.terrain
    ]
    ground = _Ground(board, board.terrain, shapes, shapely.STRtree(np.array(shapes, dtype=object)))
    return [finding for look in LOOKS for finding in look(ground)]


def _pairs(ground: _Ground) -> Iterator[tuple[int, int]]:
    """Pieces that meet, each pair once, in the order of the file."""
    one, other = ground.tree.query(np.array(ground.shapes, dtype=object), predicate="intersects")
    yield from sorted((a, b) for a, b in zip(one.tolist(), other.tolist(), strict=True) if a < b)


def _overlaps(ground: _Ground) -> Iterator[Finding]:
    """Pieces that lie in each other as no ground does."""
    for a, b in _pairs(ground):
        one, other = ground.pieces[a], ground.pieces[b]
        if shapely.equals(ground.shapes[a], ground.shapes[b]) and one.kind.id == other.kind.id:
            yield Finding("overlap", other.id, f"lies exactly where {one.id} lies: is it the same {one.kind.label}?")
        elif one.is_crest and other.is_crest:
            yield from _contours(ground, a, b)
        elif one.rings and other.rings:
            yield from _areas(ground, one, other, float(shapely.area(_common(ground, a, b))))
        elif one.rings or other.rings:
            yield from _line_in_a_house(ground, a, b)


def _common(ground: _Ground, a: int, b: int) -> Any:
    return shapely.intersection(ground.shapes[a], ground.shapes[b])


def _areas(ground: _Ground, one: Terrain, other: Terrain, shared: float) -> Iterator[Finding]:
    if shared < ground.least():
        return
    area = f"{format_number(round(shared / GRID**2, 2))} square inches"
    kinds = {one.kind.id, other.kind.id}
    if _is_house(one) and _is_house(other):
        yield Finding("overlap", other.id, f"lies in the building {one.id}: they share {area}")
    elif (_is_house(one) or _is_house(other)) and kinds & set(NOT_IN_A_HOUSE):
        house, ground_piece = (one, other) if _is_house(one) else (other, one)
        label = ground_piece.kind.label
        yield Finding("overlap", house.id, f"stands on {ground_piece.id}, {label}: they share {area}", remark=True)
    elif len(kinds) == 1 and one.kind.id in ONE_OF_A_SORT:
        why = f"lies in {one.id}, {one.kind.label} too: they share {area}; one outline round both is meant?"
        yield Finding("overlap", other.id, why, remark=True)


def _contours(ground: _Ground, a: int, b: int) -> Iterator[Finding]:
    """Contours do not cross, and one of a higher level lies in one of the next lower."""
    one, other = ground.pieces[a], ground.pieces[b]
    if not (one.rings and other.rings):
        return
    if shapely.crosses(shapely.boundary(ground.shapes[a]), shapely.boundary(ground.shapes[b])):
        yield Finding("overlap", other.id, f"its contour crosses that of {one.id}: two contours never do", "S7.1")
    elif one.level == other.level:
        inner, outer = (one, other) if shapely.within(ground.shapes[a], ground.shapes[b]) else (other, one)
        if float(shapely.area(_common(ground, a, b))) >= ground.least():
            why = f"lies in {outer.id}, a hill of the same level {outer.level}"
            yield Finding("overlap", inner.id, why, "S7.1", key="level")


def _line_in_a_house(ground: _Ground, a: int, b: int) -> Iterator[Finding]:
    """A wall or a hedge runs against a building, not through it."""
    area, line = (a, b) if ground.pieces[a].rings else (b, a)
    house, piece = ground.pieces[area], ground.pieces[line]
    if not _is_house(house) or piece.is_crest:
        return
    inner = shapely.buffer(ground.shapes[area], -ground.board.rules.switch_number("touch_tolerance") * GRID)
    if shapely.intersects(inner, ground.shapes[line]):
        yield Finding("overlap", piece.id, f"runs through the building {house.id}")


def _levels(ground: _Ground) -> Iterator[Finding]:
    """A house over two levels, a base that is no ground there, a hill that rises by more than one level at once."""
    hills = [number for number, piece in enumerate(ground.pieces) if piece.kind.shape == "hill"]
    for number, piece in enumerate(ground.pieces):
        if piece.kind.shape == "hill":
            under = [n for n in hills if n != number and ground.pieces[n].level < piece.level]
            covering = [n for n in under if shapely.covers(ground.shapes[n], ground.shapes[number])]
            below = max((ground.pieces[n].level for n in covering), default=0)
            if piece.level - below > 1:
                why = f"rises from level {below} to {piece.level} at one contour: a level between them is missing?"
                yield Finding("levels", piece.id, why, "S7.1", remark=True, key="level")
            continue
        if piece.is_crest or not piece.kind.obstacle:
            continue
        shape = ground.shapes[number]
        there = _levels_under(ground, hills, shape)
        if len(there) > 1 and _is_house(piece):
            levels = ", ".join(map(str, sorted(there)))
            why = f"stands over levels {levels}, and counts as on level {piece.base}: move it, or the contour"
            yield Finding("levels", piece.id, why, "S6.1", key="base")
        elif piece.base not in there:
            levels = " and ".join(map(str, sorted(there)))
            yield Finding("levels", piece.id, f"is on level {levels}, its base is {piece.base}", "S6.1", key="base")


def _levels_under(ground: _Ground, hills: Sequence[int], shape: Any) -> set[int]:
    """The levels of the ground under a shape, without what is less than an overlap."""
    rest, found = shape, set[int]()
    for number in sorted(hills, key=lambda n: -ground.pieces[n].level):
        on = shapely.intersection(rest, ground.shapes[number])
        if _counts(ground, on):
            found.add(ground.pieces[number].level)
        rest = shapely.difference(rest, ground.shapes[number])
    return found | ({0} if _counts(ground, rest) or not found else set())


def _counts(ground: _Ground, shape: Any) -> bool:
    if shapely.get_dimensions(shape) == 1:
        return bool(shapely.length(shape) > ground.board.rules.switch_number("touch_tolerance") * GRID)
    return bool(shapely.area(shape) >= ground.least())


def _slivers(ground: _Ground) -> Iterator[Finding]:
    least = lint_number(ground.board.rules, "sliver-area")
    table = shapely.box(0, 0, to_grid(ground.board.width_in), to_grid(ground.board.depth_in))
    for piece, shape in zip(ground.pieces, ground.shapes, strict=True):
        area = float(shapely.area(shape)) / GRID**2
        if piece.rings and area < least:
            yield Finding("sliver", piece.id, f"is {area:.3g} square inches small", remark=True)
        if not shapely.intersects(table, shape):
            yield Finding("off-table", piece.id, "lies off the table: nobody will ever see it")


def _unreachable(ground: _Ground) -> Iterator[Finding]:
    """Ground that no vehicle reaches from the rest: a fault where a vehicle stands or a lane runs there."""
    board = ground.board
    kinds = bars_vehicles(board.rules)
    named = [number for number, piece in enumerate(ground.pieces) if piece.kind.id in kinds]
    half = lint_number(board.rules, "passage") * GRID / 2
    if not named:
        return
    table = shapely.box(0, 0, to_grid(board.width_in), to_grid(board.depth_in))
    bars = shapely.union_all([shapely.buffer(ground.shapes[number], half, quad_segs=4) for number in named])
    parts = [part for part in shapely.get_parts(shapely.difference(table, bars)).tolist() if part.area > 0]
    parts.sort(key=lambda part: -part.area)
    least = lint_number(board.rules, "enclosed-area") * GRID**2
    for part in parts[1:]:
        wide = shapely.buffer(part, half, quad_segs=4)
        around = [ground.pieces[n] for n in named if shapely.intersects(wide, ground.shapes[n])]
        names = ", ".join(sorted(piece.id for piece in around)[:4]) or "the edge of the table"
        inside = [unit for unit in board.units if unit.is_vehicle and not unit.wreck and _holds(part, unit.at)]
        for unit in inside:
            yield Finding("reach", unit.id, f"no vehicle gets out of where it stands, shut in by {names}", key="at")
        if not inside and around and part.area >= least:
            x, y = (format_number(round(float(v) / GRID, 1)) for v in shapely.point_on_surface(part).coords[0])
            area = f"{format_number(round(part.area / GRID**2, 1))} square inches of ground at {x}, {y}"
            yield Finding("reach", around[0].id, f"no vehicle reaches {area}, shut in by {names}", remark=True)


def _holds(part: Any, at: tuple[int, int]) -> bool:
    return bool(shapely.covers(part, shapely.Point(at)))


def _is_house(piece: Terrain) -> bool:
    return piece.kind.height == "storey" and bool(piece.rings)


LOOKS: tuple[Callable[[_Ground], Iterator[Finding]], ...] = (_overlaps, _levels, _slivers, _unreachable)
"""Everything that is looked for in the ground; all of it, every time."""
