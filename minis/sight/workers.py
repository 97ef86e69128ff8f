"""A sighting phase worked out by several processes: the same answers in the same order, sooner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

from minis.sight.attempt import Attempt, attempt, sighters, targets
from minis.sight.scene import Scene

_TAKEN: list[tuple[Scene, str]] = []
"""In a worker process: the scene and the side it works on."""


def sweep_in_processes(
    scene: Scene, side: str, jobs: int, *, progress: Callable[[int, int], None] | None = None
) -> Iterator[Attempt]:
    """Every pair of a sighting phase, as `minis.sight.attempt.sweep` gives them, by `jobs` processes.

    `progress` is called after each sighter with how many pairs are done and how many there are.
    """
    looking, enemies = [unit.id for unit in sighters(scene, side)], targets(scene, side)
    with ProcessPoolExecutor(jobs, initializer=_take, initargs=(scene, side)) as pool:
        for number, row in enumerate(pool.map(_phase_of, looking), 1):
            yield from row
            if progress:
                progress(number * len(enemies), len(looking) * len(enemies))


def _take(scene: Scene, side: str) -> None:
    _TAKEN[:] = [(scene, side)]


def _phase_of(sighter: str) -> list[Attempt]:
    scene, side = _TAKEN[0]
    return [attempt(scene, scene.board.unit(sighter), target) for target in targets(scene, side)]
