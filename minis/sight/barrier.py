"""One obstacle that stops every line between two units, found without trying each line."""

from __future__ import annotations

from collections.abc import Iterator

from minis.board.geometry import Point
from minis.rules.model import Rules
from minis.sight.scene import Obstacle
from minis.sight.standing import Standing


def stops_all(obstacle: Obstacle, viewer: Standing, lower: Standing, rules: Rules) -> bool:
    """True only where an obstacle stops every line between the sight points of two units; False says nothing.

    Either it is a crest line with one end inside and the other outside, neither touching, the viewer not above it
    (S7.2); or its top is not below the viewer (S6.2), neither end is in, on or against it, and a chain of its edges
    lies wholly between the two and reaches from the left of every line to the right of every line. All exact.
    """
    if any(obstacle.id in standing.touching for standing in (viewer, lower)):
        return False
    on = [obstacle.id in standing.hills for standing in (viewer, lower)]
    if any(on):
        return on[0] != on[1] and viewer.level <= obstacle.top
    above = viewer.level - obstacle.top
    if (rules.afv_shadow(above) if obstacle.form == "vehicle" else rules.shadow(above)) is not None:
        return False
    if obstacle.id in viewer.inside or obstacle.id in lower.inside:
        return False
    return any(_bars(chain, viewer, lower) for chain in _chains_between(obstacle, viewer, lower))


def _bars(chain: list[Point], viewer: Standing, lower: Standing) -> bool:
    """True where a chain of corners has one left and one right of every line between two units."""
    (ax, ay), (bx, by) = viewer.unit.at, lower.unit.at
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in chain]
    (px, py), (qx, qy) = chain[sides.index(max(sides))], chain[sides.index(min(sides))]
    return all(
        (u - x) * (py - y) - (v - y) * (px - x) > 0 > (u - x) * (qy - y) - (v - y) * (qx - x)
        for x, y in viewer.points
        for u, v in lower.points
    )


def _chains_between(obstacle: Obstacle, viewer: Standing, lower: Standing) -> Iterator[list[Point]]:
    """Chains of corners, each joined to the next by an edge, that lie strictly between two units along their axis."""
    (ax, ay), (bx, by) = viewer.unit.at, lower.unit.at
    dx, dy = bx - ax, by - ay
    near = max(dx * x + dy * y for x, y in viewer.points)
    far = min(dx * x + dy * y for x, y in lower.points)
    corners = obstacle.line or obstacle.rings[0]
    between = [near < dx * x + dy * y < far for x, y in corners]
    if not obstacle.line and False in between:  # begin a ring behind a corner that is not between: no chain is cut
        start = between.index(False)
        corners, between = (*corners[start:], *corners[:start]), [*between[start:], *between[:start]]
    chain: list[Point] = []
    for corner, is_between in zip(corners, between, strict=True):
        if is_between:
            chain.append(corner)
        elif chain:
            yield chain
            chain = []
    if chain:
        yield chain
