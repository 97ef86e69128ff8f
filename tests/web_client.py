"""A server of a game for the tests: run in a thread, asked as a browser asks it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
from click.testing import CliRunner

from minis.cli.main import cli
from minis.cli.serve import wording
from minis.game.game import Game
from minis.rules import examples_folder
from minis.web.app import App
from minis.web.guard import Hosts
from minis.web.seats import Seats, seats_path
from minis.web.table import Table
from minis.web.workers import Here

Result = TypeVar("Result")

CROSSROADS = examples_folder() / "crossroads" / "scenario.toml"
HOST = "127.0.0.1:8321"
POST = {"X-Minis": "1", "Content-Type": "application/json"}


def run(*args: object) -> str:
    """What a command says; it must succeed."""
    result = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None}).invoke(cli, [str(arg) for arg in args])
    assert result.exit_code == 0, result.output
    return result.stdout


def begin(folder: Path) -> bytes:
    """The bytes of a game on the crossroads in its first sighting phase, made in a folder."""
    path = folder / "a.game"
    run("start", CROSSROADS, path)
    with Game.open(path) as game:
        while game.state.phase is None or not game.state.phase.row.sighting:
            game.act("turn", {})
    return path.read_bytes()


def app_of(path: Path, *, lan: bool = False) -> App:
    """The server of a game, which does everything in this process."""
    with Game.open(path) as opened:
        order = opened.order
    seats = Seats.open(seats_path(path), order)
    hosts = Hosts(frozenset({"127.0.0.1", "localhost"}), 8321, lan)
    here = Here()
    return App(
        Table(path, here, here), seats, hosts, wording(), plans=here, link=lambda token: f"http://{HOST}/join/{token}"
    )


@dataclass
class Served:
    """A server that runs in a thread of its own."""

    app: App
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    def wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What something comes to that is done in the thread of the server."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def join(self, seat: str) -> dict[str, str]:
        """The headers of a device that has joined a seat."""
        answer = self.ask({}, "POST", "/join", {"token": self.app.seats.new_link(seat)})
        assert answer.status_code == 303, answer.text
        return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}

    def ask(self, who: dict[str, str], method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """An answer; a post as the page makes it."""
        sent = {**who, **(POST if method == "POST" else {}), **headers}
        content = json.dumps(body).encode() if isinstance(body, dict | list) else body
        return self.wait(self._asked(method, path, content, sent))

    async def _asked(self, method: str, path: str, content: Any, headers: dict[str, str]) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url=f"http://{HOST}") as client:
            return await client.request(method, path, content=content, headers=headers)


@contextlib.contextmanager
def serving(app: App) -> Iterator[Served]:
    """A server from its start to its end."""
    served = Served(app)
    thread = threading.Thread(target=served.loop.run_forever)
    thread.start()
    try:
        served.wait(app.table.open())
        try:
            yield served
        finally:
            app.stop()
            served.wait(app.table.close())
    finally:
        served.loop.call_soon_threadsafe(served.loop.stop)
        thread.join()
        served.loop.close()


SHARED: list[tuple[str, str, Any]] = [
    ("GET", "/", None),
    ("GET", "/api/me", None),
    ("GET", "/api/ground", None),
    ("GET", "/api/view", None),
    ("HEAD", "/api/events", None),
    ("POST", "/api/measure", {"a": "T1", "b": [12, 14.5]}),
    ("POST", "/api/los", {"a": "T1", "b": "P1"}),
]
"""What every seat may ask."""

JUDGES: list[tuple[str, str, Any]] = [
    ("POST", "/api/pair", {"a": "T1", "b": "P1"}),
    ("POST", "/api/ask", {"kind": "sight", "asked": {"sighter": "T1", "target": "P1"}}),
    ("POST", "/api/act", {"kind": "note", "asked": {"text": "rain"}}),
    ("POST", "/api/control", {"what": "undo"}),
    ("POST", "/api/line", {"line": "measure T1 P1"}),
    ("POST", "/api/preview", {"unit": "T1", "path": [[19, 37], [20, 36]]}),
    ("POST", "/api/snap", {"unit": "T1", "at": [17.8, 37.5]}),
    ("POST", "/api/overlay", {"what": "dead", "unit": "T1"}),
    ("GET", "/api/seats", None),
    ("POST", "/api/seats", {"seat": "axis", "what": "new"}),
    ("GET", "/api/event/1", None),
]
"""What only the judge may ask."""
