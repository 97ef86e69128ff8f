"""The web server while a game goes on: live streams, the command line beside it, its end and its return."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from web_client import CROSSROADS, HOST, POST, Served, app_of, begin, run, serving

from minis.cli.main import cli
from minis.errors import BadInput
from minis.game.game import Game
from minis.game.verify import verify
from minis.lengths import parse_length
from minis.web.app import App
from minis.web.workers import Processes, TooSlow


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a game in its first sighting phase."""
    return begin(tmp_path_factory.mktemp("begun"))


@pytest.fixture
def game(tmp_path: Path, begun: bytes) -> Path:
    """A game on the crossroads in a folder of its own."""
    path = tmp_path / "a.game"
    path.write_bytes(begun)
    return path


@pytest.fixture
def served(game: Path) -> Iterator[Served]:
    """A server of the game on the crossroads."""
    with serving(app_of(game)) as found:
        yield found


# --- live ------------------------------------------------------------------------------------------------------------


class Stream:
    """A live stream that is read while other things happen."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []
        self.ended = False
        self.came = asyncio.Event()

    async def read(self, app: App, cookie: dict[str, str]) -> None:
        """Read until it ends."""
        headers = [(b"host", HOST.encode()), (b"cookie", cookie["Cookie"].encode())]
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/api/events",
            "query_string": b"",
            "headers": headers,
            "server": ("127.0.0.1", 8321),
            "asgi": {"spec_version": "2.3"},
        }

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            for kind, data in re.findall(r"event: (.*)\ndata: (.*)\n\n", message.get("body", b"").decode()):
                self.events.append((kind, data))
                self.came.set()

        await app(scope, receive, send)
        self.ended = True
        self.came.set()

    async def next(self, seconds: float = 3.0) -> str:
        """The kind of the next event."""
        await asyncio.wait_for(self.came.wait(), seconds)
        self.came.clear()
        return self.events[-1][0] if not self.ended else "ended"


@contextlib.asynccontextmanager
async def live(path: Path, *names: str) -> AsyncIterator[tuple[App, Callable[..., Any], list[Stream]]]:
    """A server with streams of some seats open; and a way to post as the judge."""
    app = app_of(path)
    await app.table.open()
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:

        def cookie(seat: str) -> dict[str, str]:
            return {"Cookie": f"minis={app.seats.join(app.seats.new_link(seat))}"}

        async def post(where: str, body: Any) -> Any:
            answer = await client.post(where, json=body, headers={**POST, **judge})
            assert answer.status_code == 200, answer.text
            return answer.json()

        judge, streams = cookie("judge"), [Stream() for _ in names]
        tasks = [asyncio.create_task(s.read(app, cookie(n))) for s, n in zip(streams, names, strict=True)]
        for stream in streams:
            assert await stream.next() == "view"
        yield app, post, streams
        app.stop()
        await asyncio.wait_for(asyncio.gather(*tasks), 2)
        await app.table.close()


def test_a_stream_says_when_a_view_has_changed(game: Path) -> None:
    """The judge hears of every event, a side only of what it sees; of the command line's events as of the page's."""

    async def play() -> None:
        async with live(game, "judge", "allied", "axis") as (_, post, (judge, allied, axis)):
            await post("/api/act", {"kind": "note", "asked": {"text": "secret"}})
            await post("/api/act", {"kind": "set", "asked": {"unit": "P8", "facts": {"pinned": True}}})
            assert await judge.next() == "view"
            assert await axis.next() == "view"
            await asyncio.sleep(0.4)
            assert [len(s.events) for s in (allied, axis)] == [1, 2]
            await asyncio.to_thread(run, "move", "T1", "--to", "19,37", "-g", game)
            assert await allied.next() == "view"
            assert await axis.next() == "view"
            assert [len(s.events) for s in (allied, axis)] == [2, 3]

    asyncio.run(play())


def test_a_seat_that_is_taken_back_hears_bye(game: Path) -> None:
    """Its streams end at once; those of others go on until the server stops."""

    async def play() -> None:
        async with live(game, "judge", "allied", "allied") as (_, post, (judge, one, other)):
            await post("/api/seats", {"seat": "allied", "what": "revoke"})
            for stream in (one, other):
                assert await stream.next() in ("bye", "ended")
                assert stream.events[-1][0] == "bye"
            assert not judge.ended

    asyncio.run(play())


def test_two_hundred_streams_do_not_stop_the_judge(game: Path) -> None:
    """With many that listen an act is answered all the same, and all of them hear of it."""

    async def play() -> None:
        async with live(game, *["allied"] * 60, *["axis"] * 60, *["judge"] * 80) as (_, post, streams):
            begun = time.monotonic()
            await post("/api/act", {"kind": "move", "asked": {"unit": "T1", "to": [19.0, 37.0]}})
            assert time.monotonic() - begun < 3
            for stream in streams:
                assert await stream.next() == "view"

    asyncio.run(play())


# --- the command line beside it --------------------------------------------------------------------------------------


def test_the_command_line_is_used_beside_it(served: Served, game: Path) -> None:
    """Two pages and the command line write the same journal at once; no event is lost, and all of it is proved."""
    judge = served.join("judge")
    with Game.open(game) as opened:
        first = len(opened.timeline.events)

    def page(name: str) -> None:
        for number in range(8):
            body = {"kind": "note", "asked": {"text": f"{name} {number}"}}
            assert served.ask(judge, "POST", "/api/act", body).status_code == 200

    def terminal() -> None:
        with Game.open(game) as other:
            for number in range(8):
                other.act("note", {"text": f"terminal {number}"})

    threads = [threading.Thread(target=page, args=(name,)) for name in ("one", "two")] + [
        threading.Thread(target=terminal)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run("note", "last", "-g", game)
    view = served.ask(judge, "GET", "/api/view").json()
    assert view["events"] == first + 25
    told = [entry["line"] for entry in view["log"][-25:]]
    for name in ("one", "two", "terminal"):
        assert [text for text in told if f" {name} " in text] == [f"Note: {name} {n}" for n in range(8)]
    with Game.open(game) as opened:
        assert verify(opened).fault is None


def test_a_game_that_cannot_be_read_any_more(served: Served, game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that another program spoils is no fault of who asks: 503, and a player hears nothing of what is in it."""
    allied = served.join("allied")
    assert served.ask(allied, "GET", "/api/view").status_code == 200
    import sqlite3

    with contextlib.closing(sqlite3.connect(game)) as spoiled:
        spoiled.execute("DROP TRIGGER events_update")
        spoiled.execute("UPDATE events SET data = '{\"secret\": 1}' WHERE seq = 2")
        spoiled.commit()
    answer = served.ask(allied, "GET", "/api/view")
    assert answer.status_code == 503
    assert "secret" not in answer.text
    assert "event 2" not in answer.text


def test_the_mark_of_a_journal_is_anothers_writing(game: Path) -> None:
    """It changes when another program writes, and not by one's own events."""
    with Game.open(game) as one, Game.open(game) as other:
        before = one.journal.mark()
        one.act("note", {"text": "mine"})
        assert one.journal.mark() == before
        other.refresh()
        other.act("note", {"text": "theirs"})
        assert one.journal.mark() != before


# --- other processes -------------------------------------------------------------------------------------------------


def test_work_in_a_process_comes_back_or_is_given_up() -> None:
    """A result comes back, and bad input as bad input; what takes too long is stopped, and another process begins."""

    async def work() -> None:
        doers = Processes()
        try:
            assert await doers.run(sorted, [3, 1, 2], seconds=30) == [1, 2, 3]
            with pytest.raises(BadInput, match="expected a length"):
                await doers.run(parse_length, "x", seconds=30)
            with pytest.raises(TooSlow):
                await doers.run(time.sleep, 60, seconds=0.2)
            assert await doers.run(max, 3, 4, seconds=30) == 4
        finally:
            doers.stop()

    asyncio.run(work())


# --- the server that runs --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def program(game: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], int, dict[str, str]]]:
    """`minis serve` as it is started: the process, its port and its links by seat."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MINIS_GAME", "MINIS_SIDE")}
    command = [sys.executable, "-m", "minis", "serve", str(game), "--no-qr", *options]
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, start_new_session=True
    )
    try:
        assert started.stdout is not None
        links: dict[str, str] = {}
        port, seats = 0, 0
        while seats < 3:
            text = started.stdout.readline()
            assert text, "it ended"
            if found := re.search(r"served at http://127\.0\.0\.1:(\d+)/", text):
                port = int(found[1])
            elif found := re.match(r"(\w+): (?:http://\S+/join/(\S+)|joined)", text):
                seats += 1
                links |= {found[1]: found[2]} if found[2] else {}
        for _ in range(200):
            with contextlib.suppress(OSError):
                ask_at(port, "GET", "/")
                break
            time.sleep(0.05)
        yield started, port, links
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        if started.stdout is not None:
            started.stdout.close()


def ask_at(port: int, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """An answer of a server at a port."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        sent = {**(POST if method == "POST" else {}), **headers}
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def joined(port: int, token: str) -> str:
    """The cookie of a device that joins by a link."""
    status, headers, _ = ask_at(port, "POST", "/join", {"token": token})
    assert status == 303
    return headers["set-cookie"].partition(";")[0]


def test_it_ends_at_once_and_takes_everybody_back(game: Path) -> None:
    """Ctrl-C with thirty streams open ends it within two seconds; started again it knows who had joined."""
    with program(game, "--port", "0") as (started, port, links):
        cookies = {seat: joined(port, token) for seat, token in links.items()}
        assert cookies.keys() == {"judge", "allied", "axis"}
        streams = []
        for number in range(30):
            stream = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            stream.request("GET", "/api/events", headers={"Cookie": list(cookies.values())[number % 3]})
            answer = stream.getresponse()
            assert answer.status == 200
            assert answer.readline() == b"retry: 1000\n"
            streams.append((stream, answer))
        status, headers, raw = ask_at(port, "GET", "/api/view", Cookie=cookies["judge"])
        assert (status, "server" in headers) == (200, False)
        assert json.loads(raw)["pieces"].startswith("<g")
        begun = time.monotonic()
        os.killpg(started.pid, signal.SIGINT)  # as a terminal sends it, to the processes beside it too
        assert started.wait(10) == 0
        assert time.monotonic() - begun < 2
        for stream, answer in streams:
            answer.read()
            stream.close()
        assert started.stdout is not None
        rest = started.stdout.read()
        assert "Traceback" not in rest
        assert "stopped" in rest
    with program(game, "--port", str(port), "--new", "axis") as (_, again, links):
        assert links.keys() == {"axis"}
        for cookie in cookies.values():
            assert ask_at(again, "GET", "/api/view", Cookie=cookie)[0] == 200
        assert (
            ask_at(again, "GET", "/api/me", Cookie=joined(again, links["axis"]))[2] == b'{"seat":"axis","side":"axis"}'
        )


def test_it_may_be_told_to_end(game: Path) -> None:
    """SIGTERM ends it as Ctrl-C does, its processes with it, and without a word too many."""
    with program(game, "--port", "0") as (started, port, links):
        judge = joined(port, links["judge"])
        assert ask_at(port, "GET", "/api/view", Cookie=judge)[0] == 200
        started.send_signal(signal.SIGTERM)
        assert started.wait(10) == 0
        assert started.stdout is not None
        assert started.stdout.read().strip() == "stopped"


def test_it_may_be_killed(game: Path) -> None:
    """A server that is killed in the midst of things leaves a sound game, and the next one goes on from it."""
    with program(game, "--port", "0") as (started, port, links):
        judge = joined(port, links["judge"])
        for number in range(5):
            act = {"kind": "note", "asked": {"text": str(number)}}
            assert ask_at(port, "POST", "/api/act", act, Cookie=judge)[0] == 200
        assert ask_at(port, "GET", "/api/view", Cookie=judge)[0] == 200
        started.kill()
        started.wait()
        for _ in range(200):  # the processes that worked for it end by themselves
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, 0)
                time.sleep(0.05)
                continue
            break
        with pytest.raises(ProcessLookupError):
            os.killpg(started.pid, 0)
    with Game.open(game) as opened:
        assert verify(opened).fault is None
        assert opened.timeline.events[-1].data["answer"]["text"] == "4"
    with program(game, "--port", "0") as (_, port, _):
        assert json.loads(ask_at(port, "GET", "/api/view", Cookie=judge)[2])["log"][-1]["line"] == "Note: 4"


@pytest.mark.parametrize(
    ("options", "words", "status"),
    [
        (["--seat", "x"], "expected NAME=SIDE", 2),
        (["--seat", "x=reds"], "there is no side 'reds'", 2),
        (["--new", "nobody"], "there is no seat 'nobody'", 2),
        (["--port", "70000"], "70000", 2),
        (["--as", "axis"], "only the judge serves", 1),
    ],
)
def test_a_server_that_does_not_start(game: Path, options: list[str], words: str, status: int) -> None:
    """Options that make no sense are told in one message."""
    result = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None}).invoke(cli, ["serve", str(game), *options])
    assert (result.exit_code, words in result.output) == (status, True), result.output


def test_without_the_extra_it_says_what_is_missing(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not installed the extra is told how to."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    result = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None}).invoke(cli, ["serve", str(game)])
    assert (result.exit_code, "needs the extra `web`" in result.output) == (1, True), result.output


def test_a_port_that_another_has(game: Path, tmp_path: Path) -> None:
    """Two servers do not share a port."""
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None}).invoke(
            cli, ["serve", str(game), "--port", port]
        )
    assert (result.exit_code, "--port" in result.output) == (2, True)


def test_only_a_game_is_served(tmp_path: Path) -> None:
    """A scenario is no game, and a file that is not there is none either."""
    for path in (CROSSROADS, tmp_path / "none"):
        result = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None}).invoke(cli, ["serve", str(path)])
        assert result.exit_code == 2, result.output
