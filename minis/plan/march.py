"""A vehicle that comes along a lane, MP by MP, turn by turn: where it is, and for how long it has been in sight."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from minis.board.board import Board
from minis.board.geometry import bearing, round_away
from minis.board.units import Unit
from minis.board.zones import Lane
from minis.errors import bad
from minis.lengths import EPSILON_IN, GRID, to_grid
from minis.plan.course import course_of
from minis.plan.lanes import lane_named
from minis.rules.effect_rows import rows_of
from minis.rules.model import Rules
from minis.rules.plan_weight_rows import WeightRow


@dataclass(frozen=True)
class March:
    """A vehicle on a lane: where it begins, and where it is after each MP, at the last where the lane ends.

    `length_in` is the length of the lane, `step_in` that of an MP; both are those of its middle in every file.
    """

    lane: Lane
    marks: tuple[Unit, ...]
    length_in: float
    step_in: float

    @cached_property
    def stretches(self) -> tuple[float, ...]:
        """The inches of the lane that each mark stands for: those of the MP that ends there, none at the beginning."""
        last = self.length_in - (len(self.marks) - 2) * self.step_in
        return (0.0, *[self.step_in] * (len(self.marks) - 2), last)


@dataclass(frozen=True)
class Exposed:
    """A mark in sight: the MP spent in sight in this move, and whether the move began in sight (F4.1)."""

    mark: int
    mp: int
    from_start: bool


def weight(rules: Rules, name: str) -> float:
    """A number of the table of weights."""
    return next(row.value for row in rows_of(rules, "plan-weights", WeightRow) if row.id == name)


def turn_mp(rules: Rules) -> int:
    """The whole MP that a vehicle on a lane goes in a turn; raises BadInput where a house rule made it none."""
    found = int(weight(rules, "turn-mp"))
    if found < 1:
        raise bad("expected 1 MP or more", file="tables/plan-weights.toml: turn-mp")
    return found


def lanes_of(board: Board, side: str, names: Sequence[str] = ()) -> list[Lane]:
    """The named lanes, else all by which an enemy of a side may come; raises BadInput where there is none."""
    found = [lane_named(board, name) for name in dict.fromkeys(names)]
    for lane in found:
        if lane.side == side:
            raise bad(f"{lane.id} is a lane of {side} itself; expected one of its enemies", file="--lanes")
    found = found or [lane for lane in board.lanes if lane.side != side]
    if not found:
        raise bad(f"there is no lane by which an enemy of {side} may come; draw one under [[lane]]", file=board.name)
    return found


def march(board: Board, lane: Lane, vehicle: Unit, *, known_to: Sequence[str] = ()) -> March:
    """A vehicle in single file along the middle of a lane, turned along it, having moved; sighted by some units.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> found = march(board, Lane("l", ((0, 0), (40000, 0))), board.unit("T1"))
    >>> [unit.at for unit in found.marks], found.stretches
    ([(0, 0), (16000, 0), (32000, 0), (40000, 0)], (0.0, 2.0, 2.0, 1.0))
    """
    length = sum(math.dist(a, b) for a, b in pairwise(lane.line)) / GRID
    step = board.inches_per_mp
    count = max(1, math.ceil(length / step - EPSILON_IN))
    template = replace(
        vehicle, flags=vehicle.flags - {"fired"} | {"moved"}, sighted_by=frozenset(known_to), hidden=False, token=None,
        storey=None, roof=False, tow=None, carries=(), turret=0.0, facing=0.0,
    )  # fmt: skip
    marks = tuple(_on(lane, template, min(length, k * step) * GRID) for k in range(count + 1))
    return March(lane, marks, length, step)


def files_of(board: Board, lane: Lane, vehicle: Unit, *, known_to: Sequence[str] = ()) -> tuple[March, ...]:
    """A vehicle in each file of a lane, that of the middle first (`minis.plan.course`); of a lane without one, that.

    After an MP it is in each file where the lane is measured across the place that it has reached in the middle.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> found = files_of(board, Lane("l", ((0, 8000), (16000, 8000)), width_in=2), board.unit("T1"))
    >>> [[unit.at for unit in walk.marks] for walk in found]
    [[(0, 8000), (16000, 8000)], [(0, 16000), (16000, 16000)], [(0, 0), (16000, 0)]]
    """
    middle = march(board, lane, vehicle, known_to=known_to)
    if not lane.is_wide:
        return (middle,)
    course = course_of(board, lane)
    spots = [course.spot_at(min(middle.length_in, k * middle.step_in)) for k in range(len(middle.marks))]
    beside = []
    for number in range(1, len(course.shares)):
        places = (course.place(spot, number) for spot in spots)
        pairs = zip(middle.marks, places, strict=True)
        beside.append(
            replace(middle, marks=tuple(replace(unit, at=(to_grid(x), to_grid(y))) for unit, (x, y) in pairs))
        )
    return (middle, *beside)


def _on(lane: Lane, vehicle: Unit, along: float) -> Unit:
    """A vehicle so many grid steps along a lane."""
    legs = list(pairwise(lane.line))
    for number, (a, b) in enumerate(legs):
        long = math.dist(a, b)
        if along <= long + EPSILON_IN or number == len(legs) - 1:
            share = min(1.0, along / long)
            at = a[0] + round_away((b[0] - a[0]) * share), a[1] + round_away((b[1] - a[1]) * share)
            ahead = bearing(a, b) or 0.0
            return replace(vehicle, at=at, facing=ahead, turret=ahead)
        along -= long
    raise AssertionError("a lane has a leg")


def turns_of(marks: int, per_turn: int, *, delay: int = 0) -> Iterator[range]:
    """The marks that are reached in each turn; `delay` are MP that pass before the vehicle begins.

    >>> list(turns_of(6, 2)), list(turns_of(4, 2, delay=3))
    ([range(1, 3), range(3, 5), range(5, 6)], [range(1, 1), range(1, 2), range(2, 4)])
    """
    begin = 1
    end = 1 - delay
    while begin < marks:
        end += per_turn
        yield range(begin, max(begin, min(end, marks)))
        begin = max(begin, min(end, marks))


def exposed(walk: March, seen: Sequence[bool], per_turn: int, gap_in: float, *, delay: int = 0) -> list[Exposed]:
    """The marks at which a vehicle is in sight after an MP, each with what Case J asks (F4.1, F4.2).

    `seen` says of each mark whether it is in sight. Each mark in sight counts as an MP spent there; a stretch of more
    than `gap_in` inches out of sight breaks it.
    """
    found = []
    for turn in turns_of(len(walk.marks), per_turn, delay=delay):
        mp, out, from_start = 0, 0.0, bool(turn) and bool(seen[turn[0] - 1])
        for mark in turn:
            if seen[mark]:
                mp, out = mp + 1, 0.0
                found.append(Exposed(mark, mp, from_start))
                continue
            out += walk.step_in
            if out > gap_in + EPSILON_IN:
                mp, from_start = 0, False
    return found
