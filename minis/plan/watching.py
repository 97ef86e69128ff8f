"""Lanes as they are watched, each a job of its own."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from minis.board.units import Unit
from minis.board.zones import Lane
from minis.plan.eyes import Eyes
from minis.plan.lanes import Watched, watched
from minis.plan.workers import Done, Progress, run


@dataclass(frozen=True)
class Watch:
    """A lane, who walks it, and who watches it."""

    eyes: Eyes
    lane: Lane
    mover: Unit
    watchers: tuple[Unit, ...]


def watch_all(
    watches: Sequence[Watch], *, executor: Executor | None = None, progress: Progress | None = None
) -> Done[Watched]:
    """Each lane as `minis.plan.lanes.watched` has it, in their order; the same whatever the executor.

    A lane is not divided: where sight of any watcher changes, all of them are looked at more finely.
    """
    return run(executor, _work, watches, progress=progress)


def _work(watch: Watch) -> Watched:
    return watched(watch.eyes, watch.lane, watch.mover, watch.watchers)
