"""Work cut into jobs and done by this process, by several, or by a cluster: the same results in the same order."""

from __future__ import annotations

import importlib
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from minis.errors import MinisError, bad

Job = TypeVar("Job")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]

EXPECTED = "expected processes, processes:N or dask:ADDRESS"


@dataclass(frozen=True)
class Done(Generic[Result]):
    """Results of the jobs that were done, in the order of the jobs, out of how many; fewer where it was broken off."""

    results: tuple[Result, ...]
    of: int

    @property
    def broken_off(self) -> bool:
        """True where somebody stopped the work before its end."""
        return len(self.results) < self.of


class BrokenOff(KeyboardInterrupt):
    """Ctrl-C before there was anything to keep; its words say how far the work had come."""


@contextmanager
def executor_of(text: str | None) -> Iterator[Executor | None]:
    """What `--executor` names, closed at the end: None is this process itself.

    Raises BadInput for a text that names none, MinisError where a cluster cannot be reached.

    >>> with executor_of(None) as executor:
    ...     print(run(executor, abs, [-1, -2]))
    Done(results=(1, 2), of=2)
    >>> with executor_of("threads"):
    ...     pass
    Traceback (most recent call last):
    minis.errors.BadInput: --executor: expected processes, processes:N or dask:ADDRESS, not 'threads'
    """
    if text is None:
        yield None
        return
    kind, _, rest = text.partition(":")
    if kind == "dask" and rest:
        with _cluster(rest) as executor:
            yield executor
        return
    if kind != "processes" or (":" in text and not (rest.isascii() and rest.isdigit() and 0 < int(rest) <= MOST)):
        raise bad(f"{EXPECTED}, not {text!r}", file="--executor")
    with ProcessPoolExecutor(int(rest) if rest else None, initializer=_leave_stopping_to_the_first) as executor:
        yield executor


MOST = 64
"""No more processes than this on one machine."""


def _leave_stopping_to_the_first() -> None:
    """In a worker process: Ctrl-C goes to all, and only the process that gave the work out answers it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise bad("dask is not installed: it comes with minis[cluster]", file="--executor") from None
    try:
        client = distributed.Client(address, timeout=REACHED_WITHIN)
    except (OSError, ValueError, TypeError) as error:
        raise MinisError(f"--executor: no cluster answers at {address}: {error}") from error
    with client:
        executor: Executor = client.get_executor()
        yield executor


REACHED_WITHIN = "10s"
"""A cluster that does not answer within this time is not there."""


def run(
    executor: Executor | None,
    work: Callable[[Job], Result],
    jobs: Sequence[Job],
    *,
    progress: Progress | None = None,
) -> Done[Result]:
    """Do some jobs; Ctrl-C ends it with the results of those that are done, and of those that others have begun.

    `progress` is called after each job with how many are done and how many there are. What a job raises is raised;
    MinisError where a worker dies.

    >>> run(None, abs, [-3, 2]).results
    (3, 2)
    """
    found: dict[int, Result] = {}
    futures: dict[Future[Result], int] = {}
    try:
        if executor is None:
            for number, job in enumerate(jobs):
                found[number] = work(job)
                _tell(progress, len(found), len(jobs))
        else:
            try:
                futures = {executor.submit(work, job): number for number, job in enumerate(jobs)}
                for future in as_completed(futures):
                    found[futures[future]] = future.result()
                    _tell(progress, len(found), len(jobs))
            except KeyboardInterrupt:
                # an executor ends what it has begun in any case, so its results are worth keeping
                begun = [future for future in reversed(futures) if not future.cancel()]
                for future in begun:
                    found[futures[future]] = future.result()
    except BrokenExecutor as error:
        raise MinisError(f"--executor: a worker ended before its job was done: {error}") from error
    except KeyboardInterrupt:
        pass  # what is done is kept; `Done.broken_off` says that there was to be more
    finally:
        for future in futures:
            future.cancel()
    return Done(tuple(found[number] for number in sorted(found)), len(jobs))


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


def part_of(progress: Progress | None, *, before: int = 0, after: int = 0) -> Progress | None:
    """The progress of a part of some work, told as that of the whole: so many steps come before it and after it.

    >>> told = []
    >>> part_of(lambda done, total: told.append((done, total)), before=2, after=3)(1, 4)
    >>> told
    [(3, 9)]
    """
    if progress is None:
        return None
    return lambda done, total: progress(before + done, before + total + after)


def chunks(items: Sequence[Job], size: int) -> list[Sequence[Job]]:
    """A sequence cut into pieces of one size, the last perhaps shorter.

    >>> chunks([1, 2, 3, 4, 5], 2)
    [[1, 2], [3, 4], [5]]
    """
    return [items[start : start + size] for start in range(0, len(items), size)]
