"""Dead ground on a map: what a viewer does not see, hatched by the obstacle that hides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minis.board.board import Board
from minis.board.geometry import Point
from minis.draw.canvas import UNITS, Canvas
from minis.draw.page import SWATCH, Key
from minis.draw.palette import BLOCKER, EYE, PAPER, SHADOW, SMALL, TEXT, scale_of
from minis.draw.set_words import Named, box_around, halo, set_into, share_of, thousandths
from minis.draw.svg import Element, el, group
from minis.draw.table_map import canvas_of
from minis.sight.region import DeadGround, Region
from minis.sight.scene import Obstacle, Scene

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from minis.board.units import Unit

TURNS = (45, 135, 90, 0)
"""The directions of the hatches, in degrees: dead ground of neighbours is told apart by them."""

SPACING, PEN = 46, 6
"""The distance of the lines of a hatch and their width, in user units on a table of ordinary size."""

VEIL = 0.26
"""How dark dead ground is: what lies in it still shows through."""

TOUCH_IN = 0.05
"""Areas closer than this, in inches, are neighbours."""

LISTED = 16
"""Of the obstacles that make dead ground this many are listed, those that make most first."""


def hatch_id(number: int) -> str:
    """The id of the pattern of a hatch."""
    return f"minis-dead-{number}"


def hatches(board: Board) -> Element:
    """The patterns of dead ground, as definitions."""
    scale = scale_of(board.width_in)
    return el("defs", *(_hatch(number, scale) for number in range(len(TURNS))))


def _hatch(number: int, scale: float) -> Element:
    side, pen = SPACING * scale, PEN * scale
    return el(
        "pattern",
        el("path", d=f"M0 {side / 2:.2f}H{side:.2f}", stroke=SHADOW, stroke_width=pen, stroke_opacity=0.6),
        id=hatch_id(number), width=side, height=side, patternUnits="userSpaceOnUse",
        patternTransform=f"rotate({TURNS[number]})",
    )  # fmt: skip


def dead_layer(board: Board, dead: Sequence[DeadGround]) -> Element:
    """The dead ground of each obstacle, by each rule, with its hatch; goes below the units.

    A path holds the whole polygon, so that the picture says the same as the region.
    """
    canvas = canvas_of(board)
    scale = scale_of(board.width_in)
    parts = [_veil(canvas, dead)]
    for part, number in zip(dead, hatch_numbers(dead), strict=True):
        parts.append(
            el(
                "path", d=canvas.polygons(thousandths(part.polygon)), fill=f"url(#{hatch_id(number)})",
                fill_rule="evenodd", stroke=SHADOW, stroke_width=5 * scale, stroke_opacity=0.8,
                stroke_linejoin="round", class_="dead", data_obstacle=part.obstacle, data_rule=part.rule,
            )
        )  # fmt: skip
    return group(hatches(board), parts, class_="dead-ground")


def _veil(canvas: Canvas, dead: Sequence[DeadGround]) -> Element:
    """All dead ground as one, evenly dark."""
    import shapely

    whole = shapely.union_all([part.polygon for part in dead])
    d = canvas.polygons(thousandths(whole))
    return el("path", d=d, fill=SHADOW, fill_opacity=VEIL, fill_rule="evenodd", class_="veil")


def out_of_sight(board: Board, dead: Sequence[DeadGround]) -> Element:
    """All dead ground as one, for pictures that tell of what is seen; goes below the units."""
    veil = _veil(canvas_of(board), dead)
    lined = el(
        "path", d=dict(veil.attributes)["d"], fill=f"url(#{hatch_id(0)})", fill_opacity=0.6, fill_rule="evenodd",
        stroke=SHADOW, stroke_width=5 * scale_of(board.width_in), class_="dead",
    )  # fmt: skip
    return group(hatches(board), veil, lined, class_="dead-ground")


def hatch_numbers(dead: Sequence[DeadGround]) -> list[int]:
    """A hatch for each part, such that those of one obstacle have the same and neighbours different ones if they can.

    >>> import shapely
    >>> parts = [DeadGround(shapely.box(k, 0, k + 1, 1), name, "S6.2") for k, name in enumerate("abca")]
    >>> hatch_numbers(parts)
    [0, 1, 2, 0]
    """
    import shapely

    shapes: dict[str, list[BaseGeometry]] = {}
    for part in dead:
        shapes.setdefault(part.obstacle, []).append(part.polygon)
    whole = {name: shapely.union_all(found) for name, found in shapes.items()}
    chosen: dict[str, int] = {}
    for name in sorted(whole, key=lambda name: (-round(whole[name].area, 6), name)):
        used = [chosen[other] for other in chosen if shapely.dwithin(whole[name], whole[other], TOUCH_IN)]
        chosen[name] = min(range(len(TURNS)), key=lambda number: (used.count(number), number))
    return [chosen[part.obstacle] for part in dead]


def dead_names(board: Board, dead: Sequence[DeadGround], taken: BaseGeometry) -> Named:
    """The obstacle that makes each part, in the part where there is room for it; goes above the units."""
    canvas = canvas_of(board)
    scale = scale_of(board.width_in)
    order = sorted(dead, key=lambda part: (-round(part.polygon.area, 6), part.obstacle, part.rule))
    sizes = [TEXT * 1.2 * scale, TEXT * scale, SMALL * scale]
    named = [(part.polygon, part.obstacle) for part in order]
    return set_into(canvas, named, sizes, taken, "dead-names")


def makers(scene: Scene, dead: Sequence[DeadGround]) -> Element:
    """The edges of the terrain that makes dead ground, drawn over; goes below the units, which are not drawn over."""
    canvas = canvas_of(scene.board)
    scale = scale_of(scene.board.width_in)
    names = {part.obstacle for part in dead}
    found = [obstacle for obstacle in scene.obstacles if obstacle.id in names and obstacle.unit is None]
    return group(
        (
            el(
                "path", d=_outline(canvas, obstacle), fill="none", stroke=BLOCKER, stroke_width=12 * scale,
                stroke_linejoin="round", class_="maker", data_id=obstacle.id,
            )
            for obstacle in found
        ),
        class_="makers",
    )  # fmt: skip


def _outline(canvas: Canvas, obstacle: Obstacle) -> str:
    return canvas.area(obstacle.rings) if obstacle.rings else canvas.line(obstacle.line)


def viewer_mark(board: Board, at: Point, unit: Unit | None = None) -> Named:
    """A ring around the viewer; around a bare place with a cross in it."""
    canvas = canvas_of(board)
    scale = scale_of(board.width_in)
    x, y = canvas.steps(at)
    radius = 60 * scale
    if unit is not None:
        radius = max(radius, (unit.length_in**2 + unit.width_in**2) ** 0.5 / 2 * UNITS + 25 * scale)
    boxes = [(x - radius, y - radius, x + radius, y + radius)]
    parts = [
        el("circle", cx=x, cy=y, r=radius, fill="none", stroke=PAPER, stroke_width=26 * scale),
        el("circle", cx=x, cy=y, r=radius, fill="none", stroke=EYE, stroke_width=14 * scale),
    ]
    if unit is None:
        arm = radius * 0.6
        cross = f"M{x - arm:.2f} {y:.2f}H{x + arm:.2f}M{x:.2f} {y - arm:.2f}V{y + arm:.2f}"
        parts.append(el("path", d=cross, fill="none", stroke=EYE, stroke_width=12 * scale))
        name = (x, y - radius - TEXT * scale * 0.7)
        parts.append(halo("eye", name, TEXT * scale, colour=EYE, weight="bold"))
        boxes.append(box_around("eye", name, TEXT * scale))
    return Named(group(parts, class_="viewer"), tuple(boxes))


def shadow_keys(board: Board) -> list[Key]:
    """The legend of dead ground."""
    wide, high = SWATCH
    dead = group(
        el("rect", width=wide, height=high, fill=SHADOW, fill_opacity=VEIL),
        el("rect", width=wide, height=high, fill=f"url(#{hatch_id(0)})", stroke=SHADOW, stroke_width=5),
    )
    maker = el("path", d=f"M8 {high / 2}H{wide - 8}", stroke=BLOCKER, stroke_width=14, fill="none")
    return [Key(dead, "dead ground: each obstacle with its hatch and name"), Key(maker, "terrain that makes it")]


def out_of_sight_key(board: Board) -> Key:
    """The legend of dead ground where nothing says what makes it."""
    return Key(shadow_keys(board)[0].swatch, "dead ground: out of sight")


def shadow_words(scene: Scene, region: Region, size: str) -> list[str]:
    """How much of the table is seen, and what hides how much of the rest: square inches, the most first."""
    board = scene.board
    table = board.width_in * board.depth_in
    what = {obstacle.id: obstacle.what for obstacle in scene.obstacles}
    by_maker: dict[str, tuple[float, set[str]]] = {}
    for part in region.dead:
        area, rules = by_maker.get(part.obstacle, (0.0, set()))
        by_maker[part.obstacle] = (area + part.polygon.area, rules | {part.rule})
    order = sorted(by_maker.items(), key=lambda item: (-round(item[1][0], 6), item[0]))
    seen = region.visible.area
    lines = [
        f"In sight {seen:.0f} sq in of {table:.0f}, {share_of(seen / table)}: a point at ground level, "
        f"behind a vehicle one of size {size} (S5.1, S6.5). Smoke and range do not count here."
    ]
    lines += [
        f"  {name}, {what.get(name, 'terrain')}: {area:.1f} sq in ({', '.join(sorted(rules))})"
        for name, (area, rules) in order[:LISTED]
    ]
    if len(order) > LISTED:
        rest = sum(area for _, (area, _) in order[LISTED:])
        lines.append(f"  and {len(order) - LISTED} more: {rest:.1f} sq in")
    return lines
