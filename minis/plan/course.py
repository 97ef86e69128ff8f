"""A lane as it is walked: its middle, and files beside it over the whole ground by which the enemy may come.

At each place of the line its ground is measured across it: square to it on a straight lane, along the bisector at a
bend, evenly turned from one to the other on the leg between two bends. Across it reaches as far as the width says, or
as far as one goes in the area before leaving it, and never off the table. A file keeps the same share of that reach all
along. What is walked is counted along the line, whose legs are those of every file: in a bend those of the inside go
less far, and where a lane is wider than a bend is round they go back a little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from minis.board.board import Board
from minis.board.geometry import Ring, bearing, box_ring, edges, locate
from minis.board.units import Unit
from minis.board.zones import Lane
from minis.errors import bad
from minis.fire.exposure import Leg, Place, at_place
from minis.lengths import EPSILON_IN, GRID, to_grid
from minis.rules.plan_rows import plan_number

Spot = tuple[int, float]
"""A place of a line: the number of a leg, and inches along that leg."""

Vector = tuple[float, float]


@dataclass(frozen=True)
class Course:
    """The legs of a lane's middle in inches, the ways across at both ends of each, and its files, the middle first.

    A file is its share of the reach to the left, negative to the right: 0 is the middle, 1 the left edge. `step_in` is
    how far apart files are at most, in inches; `rings` is what they stay in.
    """

    lane: Lane
    legs: tuple[Leg, ...]
    across: tuple[tuple[Vector, Vector], ...]
    rings: tuple[Ring, ...]
    step_in: float
    shares: tuple[float, ...] = (0.0,)
    _reach: dict[Spot, tuple[float, float]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def length_in(self) -> float:
        """Its length in inches, along its middle."""
        return sum(math.dist(a, b) for a, b in self.legs)

    def spots(self, step: float) -> list[Spot]:
        """Places a step apart, the ends of every leg among them."""
        return [spot for number in range(len(self.legs)) for spot in self._spots_on(number, step)]

    def _spots_on(self, number: int, step: float) -> list[Spot]:
        long = math.dist(*self.legs[number])
        steps = max(1, math.ceil(long / step - EPSILON_IN))
        return [(number, min(long, k * step)) for k in range(steps + 1)]

    def along(self, spot: Spot) -> float:
        """The place of a spot in inches along the lane."""
        return sum(math.dist(a, b) for a, b in self.legs[: spot[0]]) + spot[1]

    def spot_at(self, along: float) -> Spot:
        """The spot so many inches along the lane: where two legs meet, that of the first; at most its end."""
        for number, (a, b) in enumerate(self.legs):
            long = math.dist(a, b)
            if along <= long + EPSILON_IN:
                return number, min(long, along)
            along -= long
        return len(self.legs) - 1, math.dist(*self.legs[-1])

    def reach(self, spot: Spot) -> tuple[float, float]:
        """How far the lane goes to the left and to the right of a spot, in inches square to the line."""
        found = self._reach.get(spot)
        if found is None:
            (x, y), (u, v) = self._on_middle(spot)
            most = math.inf if self.lane.area else self.lane.width_in / 2
            found = self._reach[spot] = (
                min([most, *(_room((x, y), (u, v), ring) for ring in self.rings)]),
                min([most, *(_room((x, y), (-u, -v), ring) for ring in self.rings)]),
            )
        return found

    def place(self, spot: Spot, number: int = 0) -> Place:
        """The place of a spot in a file, in inches."""
        share = self.shares[number]
        (x, y), (u, v) = self._on_middle(spot)
        if not share:
            return x, y
        left, right = self.reach(spot)
        far = share * (left if share > 0 else right)
        return x + u * far, y + v * far

    def _on_middle(self, spot: Spot) -> tuple[Place, Vector]:
        """The place of a spot in the middle, and the way across to the left there."""
        (ax, ay), (bx, by) = self.legs[spot[0]]
        (au, av), (bu, bv) = self.across[spot[0]]
        share = spot[1] / math.dist((ax, ay), (bx, by))
        way = (au + (bu - au) * share, av + (bv - av) * share)
        return (ax + (bx - ax) * share, ay + (by - ay) * share), way

    def unit_at(self, mover: Unit, spot: Spot, number: int = 0) -> Unit:
        """The mover at a spot of a file, turned along the lane."""
        a, b = self.legs[spot[0]]
        facing = bearing((to_grid(a[0]), to_grid(a[1])), (to_grid(b[0]), to_grid(b[1]))) or 0.0
        return at_place(mover, self.place(spot, number), facing)

    @property
    def files(self) -> tuple[tuple[Leg, ...], ...]:
        """The straight legs of each file, in inches: those of an area from step to step."""
        return (self.legs, *(self._legs_of(number) for number in range(1, len(self.shares))))

    def _legs_of(self, number: int) -> tuple[Leg, ...]:
        step = self.step_in if self.lane.area else self.length_in
        rows = ([self.place(spot, number) for spot in self._spots_on(leg, step)] for leg in range(len(self.legs)))
        return tuple(pair for row in rows for pair in pairwise(row))


def course_of(board: Board, lane: Lane) -> Course:
    """The course of a lane; raises BadInput where a house rule made the step of its files none.

    On either side files lie evenly up to the edge, no farther apart than the row `lane-file-step` says where the lane
    reaches farthest; that is looked for in steps as long.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> course = course_of(board, Lane("l", ((8000, 8000), (40000, 8000)), width_in=1.0))
    >>> course.length_in, course.shares, course.files[1]
    (4.0, (0.0, 1.0, -1.0), (((1.0, 1.5), (5.0, 1.5)),))
    >>> area = ((8000, 8000), (40000, 8000), (40000, 32000))
    >>> course = course_of(board, Lane("l", ((8000, 8000), (40000, 8000)), area=area))
    >>> course.reach((0, 2.0)), course.shares[-1], course.place((0, 2.0), 3)
    ((1.5, 0.0), 1.0, (3.0, 2.5))
    """
    places = [(x / GRID, y / GRID) for x, y in lane.line]
    legs = tuple(pairwise(places))
    table = box_ring(0, 0, to_grid(board.width_in), to_grid(board.depth_in))
    rings = (table, lane.area) if lane.area else (table,)
    step = plan_number(board.rules, "lane-file-step")
    if not step > 0:
        raise bad(f"expected a step of more than 0 inches, not {step:g}", file="tables/plan.toml: lane-file-step")
    course = Course(lane, legs, tuple(pairwise(_across(legs))), rings, step)
    if not lane.is_wide:
        return course
    reaches = [course.reach(spot) for spot in course.spots(step)]
    counts = [math.ceil(max(reach) / step - EPSILON_IN) for reach in zip(*reaches, strict=True)]
    sides = [(k / count, sign) for count, sign in zip(counts, (1, -1), strict=True) for k in range(1, count + 1)]
    # those near the middle first, of two the left one: who is in sight is shot at in the first of them
    shares = (0.0, *(share * sign for share, sign in sorted(sides, key=lambda item: (item[0], -item[1]))))
    return Course(lane, legs, course.across, rings, step, shares)


def _across(legs: Sequence[Leg]) -> list[Vector]:
    """At each corner of a line the way across to the left that is an inch square to both its legs.

    In a bend sharper than a right angle it is an inch long; where the line goes back on itself it is none.
    """
    ways = [((b[0] - a[0]) / math.dist(a, b), (b[1] - a[1]) / math.dist(a, b)) for a, b in legs]
    found = []
    for one, other in pairwise([ways[0], *ways, ways[-1]]):
        across = (-(one[1] + other[1]) / 2, (one[0] + other[0]) / 2)
        square = across[0] ** 2 + across[1] ** 2
        stretch = 1 / square if square >= 0.5 else 1 / math.sqrt(square) if square > EPSILON_IN else 0.0
        found.append((across[0] * stretch, across[1] * stretch))
    return found


def _room(place: Place, way: Vector, ring: Ring) -> float:
    """How far one goes from a place of an area before leaving it, as a multiple of a way; to touch its edge is not to.

    >>> _room((1, 1), (2, 0), ((0, 0), (40000, 0), (40000, 16000), (0, 16000))), _room((1, 1), (0, 0), ((0, 0),))
    (2.0, 0.0)
    """
    (x, y), (u, v) = place, way
    crossings = []
    for a, b in edges(ring):
        ax, ay, ex, ey = a[0] / GRID - x, a[1] / GRID - y, (b[0] - a[0]) / GRID, (b[1] - a[1]) / GRID
        turn = u * ey - v * ex
        if turn and -EPSILON_IN <= (ax * v - ay * u) / turn <= 1 + EPSILON_IN:
            crossings.append((ax * ey - ay * ex) / turn)
    far = 0.0
    for crossing in sorted(crossing for crossing in crossings if crossing > EPSILON_IN):
        middle = (far + crossing) / 2
        if crossing - far > EPSILON_IN and locate((to_grid(x + u * middle), to_grid(y + v * middle)), [ring]) < 0:
            break
        far = crossing
    return far
