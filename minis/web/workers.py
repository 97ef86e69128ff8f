"""Processes that do the long work: the ones that draw, and the ones that think; each can be stopped at any moment."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from minis.errors import BadInput, MinisError, bad

Result = TypeVar("Result")


class TooSlow(Exception):
    """Work that was stopped since it took too long."""


class Doers(Protocol):
    """What does work beside the game: `run` raises TooSlow where it takes longer than it may."""

    async def run(self, work: Callable[..., Result], *given: Any, seconds: float) -> Result:
        """What `work` makes of what it is given."""

    def stop(self) -> None:
        """Stop whatever is going on."""


class Processes:
    """Processes that work one after another on what they are given; they begin at the first work.

    Those that are `patient` leave the machine to others as long as they want it.
    """

    def __init__(self, many: int = 1, *, patient: bool = False):
        self._many = many
        self._patient = patient
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, work: Callable[..., Result], *given: Any, seconds: float) -> Result:
        """What `work` makes of what it is given; what is taken up and takes too long is stopped with all beside it."""
        pool = self._pool = self._pool or self._begin()
        with _without_ctrl_c():  # a process that begins now is not to hear it before it can say so
            future = asyncio.get_running_loop().run_in_executor(pool, _done, work, pickle.dumps(given))
        future.add_done_callback(_forget)
        try:
            found = await asyncio.wait_for(asyncio.shield(future), seconds)
        except TimeoutError:
            if pool is self._pool:
                self.stop()
            raise TooSlow from None
        except BrokenExecutor:
            if pool is self._pool:
                self.stop()
            raise TooSlow from None
        if isinstance(found, _Failed):
            raise bad(found.words) if found.is_bad_input else MinisError(found.words)
        return cast(Result, found)

    def stop(self) -> None:
        """Kill the processes; the next work begins others."""
        pool, self._pool = self._pool, None
        if pool is not None:
            running = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()

    def _begin(self) -> ProcessPoolExecutor:
        """`spawn`: the server has threads, which a fork would not take with it."""
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._many, spawn, initializer=_begin, initargs=(self._patient,))


class Here:
    """Does the work at once and in this process: for tests and for small tables."""

    async def run(self, work: Callable[..., Result], *given: Any, seconds: float) -> Result:
        """What `work` makes of what it is given, on a copy as a process would have it."""
        return work(*pickle.loads(pickle.dumps(given)))

    def stop(self) -> None:
        """There is nothing to stop."""


@contextlib.contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Ctrl-C waits until this is done; a process that begins in it never hears it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


PATIENCE = 10
"""By so much the processes of what can wait are nicer."""


def _begin(patient: bool) -> None:
    """Ctrl-C at the terminal is for the server alone; but where the server is killed, its processes end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if patient and hasattr(os, "nice"):
        os.nice(PATIENCE)


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _done(work: Callable[..., Any], given: bytes) -> Any:
    """The result of the work; an error of ours comes back in words, since not every class is made again from them."""
    try:
        return work(*pickle.loads(given))
    except MinisError as error:
        return _Failed(str(error), isinstance(error, BadInput))


@dataclass(frozen=True)
class _Failed:
    """A message of ours on its way back."""

    words: str
    is_bad_input: bool


def _forget(future: asyncio.Future[Any]) -> None:
    """Look at the end of work, which perhaps nobody waits for any more."""
    if not future.cancelled():
        future.exception()
