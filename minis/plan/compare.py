"""Places of one unit side by side: the field of fire and every lane from each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from minis.board.board import Board
from minis.board.units import Unit
from minis.board.zones import Lane
from minis.plan.chances import Chances
from minis.plan.eyes import Eyes
from minis.plan.field_of_fire import FieldOfFire, field_of_fire
from minis.plan.lanes import Watched, watched
from minis.plan.workers import Done, Progress, run


@dataclass(frozen=True)
class Compared:
    """What a unit has of one place: its field of fire, and each lane as it watches it alone.

    `number` is that of the place among those that were named, from 0.
    """

    number: int
    unit: Unit
    field: FieldOfFire
    lanes: tuple[Watched, ...]


def compare(
    board: Board,
    places: Sequence[Unit],
    lanes: Sequence[Lane],
    target: Unit,
    *,
    without: Collection[str] = (),
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Done[Compared]:
    """A unit at each of some places: against a target that stands still in the open, and that walks the lanes.

    The target and the units `without` are taken off the table, and so is the unit itself. Broken off, it has the places
    of which all is done. The same whatever the executor. Raises Refused for a wreck or a dummy.
    """
    eyes = Eyes.without(board, {target.id, *without, *(unit.id for unit in places)})
    chances = Chances(board.rules)
    wanted = [None, *lanes]
    jobs = [_Job(eyes, chances, unit, target, k, lane) for k, unit in enumerate(places) for lane in wanted]
    done = run(executor, _work, jobs, progress=progress)
    compared = []
    for number, unit in enumerate(places):
        parts = [part for k, part in done.results if k == number]
        if len(parts) == len(wanted):
            fields = [part for part in parts if isinstance(part, FieldOfFire)]
            compared.append(Compared(number, unit, fields[0], tuple(p for p in parts if isinstance(p, Watched))))
    return Done(tuple(compared), len(places))


@dataclass(frozen=True)
class _Job:
    """A lane from a place, or of None the field of fire; `number` is that of the place."""

    eyes: Eyes
    chances: Chances
    unit: Unit
    target: Unit
    number: int
    lane: Lane | None


def _work(job: _Job) -> tuple[int, FieldOfFire | Watched]:
    if job.lane is None:
        found = field_of_fire(job.eyes, job.unit, [job.target], chances=job.chances)
        if found.broken_off:
            raise KeyboardInterrupt  # half a place is not set beside whole ones
        return job.number, found
    return job.number, watched(job.eyes, job.lane, job.target, [job.unit])
