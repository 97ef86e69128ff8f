"""The live stream of a seat: server-sent events that say when what it sees has changed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from minis.web.table import Table, Unreadable, Who

ALIVE_SECONDS = 15.0
"""So often a stream says that it is alive."""

RETRY_MILLISECONDS = 1000
"""After so long a browser comes back."""


async def stream(
    table: Table, who: Who, *, is_seated: Callable[[], bool], stopping: asyncio.Event
) -> AsyncIterator[bytes]:
    """The events of a stream, until its seat is revoked or the server stops.

    `view` with the version whenever that is another one, first the present one; `bye` where the seat is revoked.
    """
    yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
    loop = asyncio.get_running_loop()
    due = loop.time() + ALIVE_SECONDS  # by the clock alone: what wakes a stream for others leaves no trace in it
    with table.listen(who) as ear:
        while not stopping.is_set():
            if not is_seated():
                yield b"event: bye\ndata: revoked\n\n"
                return
            ear.woken.clear()
            version = ear.heard
            with contextlib.suppress(Unreadable):
                version = await table.version(who)
            if version != ear.heard:
                ear.heard = version
                yield f"event: view\ndata: {version}\n\n".encode()
            try:
                await asyncio.wait_for(ear.woken.wait(), max(0.0, due - loop.time()))
            except TimeoutError:
                due += ALIVE_SECONDS
                yield b": alive\n\n"
