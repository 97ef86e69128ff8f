"""The server that runs: where it listens, how it stops."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Iterator
from types import FrameType

import uvicorn

from minis.errors import bad
from minis.web.app import App

LOCAL = "127.0.0.1"
EVERYWHERE = "0.0.0.0"

STOP_SECONDS = 1
"""An answer that is not done so long after the server was told to stop is broken off."""

HEADER_BYTES = 16 * 1024
"""Headers of a request are not longer."""

MOST = 1000
"""So many requests and streams at once; what is above is turned away with 503."""


class Server(uvicorn.Server):
    """A server that ends its streams as soon as it is told to stop: they would keep it running."""

    def __init__(self, config: uvicorn.Config, app: App):
        super().__init__(config)
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop."""
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop: the streams first."""
        super().handle_exit(sig, frame)
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._app.stop)


def listen(port: int, *, lan: bool) -> socket.socket:
    """A socket at a port, 0 for any that is free; raises BadInput where it cannot be had."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # so that asyncio sends at once
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((EVERYWHERE if lan else LOCAL, port))
        found.listen(512)
    except OSError as error:
        found.close()
        raise bad(f"{port}: {error.strerror}; another server may have it", file="--port") from None
    return found


def addresses() -> list[str]:
    """The addresses of this machine in its networks, the one of the way out first; none where it is in none."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way_out:
        way_out.connect(("192.0.2.1", 9))  # nothing is sent: it only says by which network it would go
        found.append(str(way_out.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if not one.startswith("127.") and one != EVERYWHERE]


def names_of(found: list[str], *, lan: bool) -> frozenset[str]:
    """The names that the server goes by."""
    names = {LOCAL, "localhost"}
    if lan:
        host = socket.gethostname().lower()
        names |= {*found, host, f"{host.removesuffix('.local')}.local"}
    return frozenset(names)


def run(app: App, sock: socket.socket) -> None:
    """Serve until Ctrl-C or a request to end."""
    config = uvicorn.Config(
        app, log_level="error", access_log=False, server_header=False, date_header=False, lifespan="on",
        timeout_graceful_shutdown=STOP_SECONDS, h11_max_incomplete_event_size=HEADER_BYTES, http="h11", ws="none",
        limit_concurrency=MOST, proxy_headers=False, timeout_keep_alive=30,
    )  # fmt: skip
    server = Server(config, app)
    with _ending_quietly():
        asyncio.run(server.serve([sock]))


@contextlib.contextmanager
def _ending_quietly() -> Iterator[None]:
    """The server raises the signal that ended it once more when it has ended: here that is no fault of anybody."""
    before = {sig: signal.signal(sig, _ended) for sig in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for sig, handler in before.items():
            signal.signal(sig, handler)


def _ended(sig: int, frame: FrameType | None) -> None:
    """Nothing is left to do."""
