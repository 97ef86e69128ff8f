"""The web server under load: `python tests/bench/web.py`, four minutes on two cores.

One judge plays the six turns of Villers-Bocage on his page, tap by tap; every tenth act is the command line's. Thirty
players follow on streams of their own and load their view whenever they hear of one. Then 200 streams that come and go
are put beside the judge. Prints the figures; exit status 1 where a target is missed.

Seconds are those that pass between a request and its answer. Seconds of the server are those that its process was at
work, whatever else the machine did meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from minis.cli.main import cli
from minis.game.chain import Event
from minis.game.game import Game
from minis.game.opening import new_key, prepare
from minis.game.side_log import SideWatch
from minis.game.state import State
from minis.game.timeline import CONTROL, read
from minis.game.verify import verify
from minis.rules import examples_folder
from minis.web.answers import sides_glance
from minis.web.table import LOOK_SECONDS

EXAMPLE = examples_folder() / "villers-bocage"
PLAYERS, STREAMS, SIDES = 30, 200, ("allied", "axis")
TAPS = 60
QUIET = 0.25
"""After so many seconds without a word to any player the judge goes on."""

LONGEST = 20.0
"""Seconds after which he does not wait any longer."""

TAP_MS, PAGE_BYTES = 100.0, 300_000
"""The targets: milliseconds of the server from a tap to its answer, and the bytes of a page with all that it loads."""

STORM_MS = 500.0
"""A tap is answered in so many milliseconds while 200 streams come and go; ours."""


# --- a small client --------------------------------------------------------------------------------------------------


@dataclass
class Wire:
    """A connection that stays open, of a device with its cookie."""

    port: int
    cookie: str = ""
    came: int = 0
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def send(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, str]]:
        """Send a request; status and headers of the answer."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        raw = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Accept-Encoding: gzip"]
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        lines += [f"Content-Length: {len(raw)}", "Content-Type: application/json", "X-Minis: 1"] if raw else []
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + raw)
        await self._writer.drain()
        assert self._reader is not None
        head = await self._reader.readuntil(b"\r\n\r\n")
        self.came += len(head)
        first, *rest = head.decode().split("\r\n")
        pairs = (line.split(":", 1) for line in rest if line)
        return int(first.split()[1]), {name.lower(): value.strip() for name, value in pairs}

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, str], bytes]:
        """The whole answer to a request."""
        status, headers = await self.send(method, path, body)
        assert self._reader is not None
        raw = await self._reader.readexactly(int(headers.get("content-length", "0")))
        self.came += len(raw)
        return status, headers, gzip.decompress(raw) if headers.get("content-encoding") == "gzip" else raw

    async def versions(self) -> AsyncIterator[str]:
        """What the stream of a seat tells, version by version."""
        status, _ = await self.send("GET", "/api/events")
        assert status == 200, status
        assert self._reader is not None
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while line := await self._reader.readline():
                if line.startswith(b"data: "):
                    yield line[6:].decode().strip()

    def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def join(port: int, token: str) -> str:
    """The cookie of a device that joins by a link."""
    wire = Wire(port)
    status, headers, _ = await wire.ask("POST", "/join", {"token": token})
    wire.close()
    assert status == 303, status
    return headers["set-cookie"].partition(";")[0]


@dataclass
class Player:
    """A tablet at the table: what it heard, and when it had loaded its view."""

    port: int
    side: str
    cookie: str
    heard: list[str] = field(default_factory=list)
    loaded: list[tuple[float, str]] = field(default_factory=list)
    busy: bool = False

    async def follow(self) -> None:
        """Follow the game until the stream ends."""
        stream, wire = Wire(self.port, self.cookie), Wire(self.port, self.cookie)
        async for version in stream.versions():
            self.heard.append(version)
            self.busy = True
            status, _, raw = await wire.ask("GET", "/api/view")
            assert status == 200, (status, raw)
            found = re.match(rb'\{"version":"([^"]*)"', raw)
            assert found is not None
            self.loaded.append((time.perf_counter(), found[1].decode()))
            self.busy = False


# --- the server ------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(game: Path) -> Iterator[tuple[int, int, dict[str, str]]]:
    """`minis serve`: its process, its port, its links by seat."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MINIS_GAME", "MINIS_SIDE")}
    command = [sys.executable, "-m", "minis", "serve", str(game), "--no-qr", "--port", "0"]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)
    try:
        assert started.stdout is not None
        port = 0
        links: dict[str, str] = {}
        while len(links) < 1 + len(SIDES):
            line = started.stdout.readline()
            assert line, "the server ended"
            if found := re.search(r"served at http://127\.0\.0\.1:(\d+)/", line):
                port = int(found[1])
            elif found := re.match(r"(\w+): http://\S+/join/(\S+)", line):
                links[found[1]] = found[2]
        yield started.pid, port, links
    finally:
        os.killpg(started.pid, signal.SIGINT)
        try:
            started.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)


def worked(pid: int) -> float:
    """Milliseconds that all threads of a process have been at work."""
    total = 0
    for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):
            total += int(path.read_text().split()[0])
    return total / 1e6


def memory(pid: int) -> tuple[float, float]:
    """Megabytes of the server's process now, and of the processes that work for it."""
    beside = [int(name) for name in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def resident(one: int) -> float:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{one}/status").read_text())
        return int(found[1]) / 1024 if found else 0.0

    return resident(pid), sum(resident(one) for one in beside)


# --- the game --------------------------------------------------------------------------------------------------------


def script(folder: Path) -> list[Event]:
    """The events of the example, played by the command line."""
    path = begin(folder / "played.game")
    environment = {"MINIS_GAME": None, "MINIS_SIDE": None}
    result = CliRunner(env=environment).invoke(cli, ["play", str(path), str(EXAMPLE / "game.txt")])
    assert result.exit_code == 0, result.output
    with Game.open(path) as game:
        return game.timeline.events[1:]


def begin(path: Path) -> Path:
    """A game of the example that has not begun to move."""
    key = new_key()
    Game.begin(path, prepare(EXAMPLE / "scenario.toml", key=key), key).close()
    return path


@dataclass
class Figures:
    """What was measured, in milliseconds."""

    pair: list[float] = field(default_factory=list)
    pair_server: list[float] = field(default_factory=list)
    preview: list[float] = field(default_factory=list)
    act: list[float] = field(default_factory=list)
    to_players: list[float] = field(default_factory=list)
    to_all: list[float] = field(default_factory=list)
    storm: list[float] = field(default_factory=list)
    storm_acts: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def check(self, holds: bool, words: str) -> None:
        """Remember a target that is missed."""
        if not holds:
            self.missed.append(words)


def parted(found: Sequence[float], part: float) -> float:
    """The value that this part of all values does not exceed."""
    return sorted(found)[min(len(found) - 1, int(part * len(found)))] if found else float("nan")


def show(name: str, found: Sequence[float]) -> None:
    """Print the middle, the 95th of a hundred, and the worst."""
    print(
        f"{name:<58} {len(found):5d}  {parted(found, 0.5):7.1f} {parted(found, 0.95):7.1f} {parted(found, 1):7.1f} ms"
    )


class Judge:
    """The judge's page: it taps, acts, and loads its view whenever it hears of another one."""

    def __init__(self, pid: int, port: int, cookie: str, game: Path, figures: Figures):
        self._pid, self._figures = pid, figures
        self._wire = Wire(port, cookie)
        self._terminal = Game.open(game)
        self._page = Player(port, "judge", cookie)

    async def follow(self) -> None:
        """Reload as the page does."""
        await self._page.follow()

    def close(self) -> None:
        """Leave."""
        self._wire.close()
        self._terminal.close()

    async def timed(self, path: str, body: Any, *into: list[float]) -> Any:
        """Post, and note the milliseconds, and those of the server."""
        worked_before, begun = worked(self._pid) if len(into) > 1 else 0.0, time.perf_counter()
        status, _, raw = await self._wire.ask("POST", path, body)
        into[0].append(1000 * (time.perf_counter() - begun))
        if len(into) > 1:
            into[1].append(worked(self._pid) - worked_before)
        assert status == 200, (path, body, status, raw)
        return json.loads(raw)

    async def tap(self, a: str, b: str) -> None:
        """Tap on one unit and on another."""
        await self.timed("/api/pair", {"a": a, "b": b}, self._figures.pair, self._figures.pair_server)

    async def play(self, event: Event, *, by_terminal: bool) -> float:
        """Do what the script did: look first, then act; the moment at which the act was said."""
        asked, typed = event.data.get("asked", event.data), typed_of(event)
        if event.kind == "end":
            asked = {}
        one, other = asked.get("sighter", asked.get("firer")), asked.get("target")
        if one is not None and other is not None:
            await self.tap(one, other)
        if event.kind == "move":
            way = [*asked.get("via", []), *([asked["to"]] if "to" in asked else [])]
            rest = {name: asked[name] for name in ("unit", "facing", "turret", "reverse", "how") if name in asked}
            await self.timed("/api/preview", {"path": way} | rest, self._figures.preview)
        begun = time.perf_counter()
        if event.kind in CONTROL:
            known = {name: asked[name] for name in ("event", "to", "why") if name in asked}
            await self.timed("/api/control", {"what": event.kind} | known, self._figures.act)
        elif by_terminal and event.kind != "end":
            self._terminal.refresh()
            self._terminal.act(event.kind, asked, typed)
        else:
            body = {"kind": event.kind, "asked": asked, "typed": typed}
            await self.timed("/api/act", body, self._figures.act)
        return begun


def typed_of(event: Event) -> dict[str, list[int]]:
    """The dice of an event as the judge types them."""
    typed: dict[str, list[int]] = {}
    for die in event.data.get("dice", ()):
        typed.setdefault(die["purpose"], []).append(die["face"])
    return typed


async def quiet(players: list[Player], since: float) -> None:
    """Wait until nobody has anything to load."""
    while time.perf_counter() < since + LONGEST:
        last = max([since, *(player.loaded[-1][0] for player in players if player.loaded)])
        if time.perf_counter() - last > QUIET and not any(player.busy for player in players):
            return
        await asyncio.sleep(0.02)


async def game_of(events: list[Event], judge: Judge, players: list[Player], figures: Figures) -> None:
    """Play the game through, act by act."""
    for number, event in enumerate(events):
        already = [len(player.loaded) for player in players]
        by_terminal = number % 10 == 9
        begun = await judge.play(event, by_terminal=by_terminal)
        await quiet(players, time.perf_counter() + (2 * LOOK_SECONDS if by_terminal else 0.0))
        late = [1000 * (player.loaded[-1][0] - begun) for player, n in zip(players, already, strict=True)
                if len(player.loaded) > n]  # fmt: skip
        figures.to_players += late
        figures.to_all += [max(late)] if late else []


def versions_of(path: Path) -> dict[str, list[tuple[int, str]]]:
    """The versions of the view of each side, one after another, each with its event, as the journal has them."""
    found: dict[str, list[tuple[int, str]]] = {side: [] for side in SIDES}
    with Game.open(path) as game:
        assert verify(game).fault is None
        for side, versions in found.items():
            watch = SideWatch(game.start, game.order, side)
            for number in range(1, len(game.timeline.events) + 1):
                so_far = read(game.timeline.events[:number])
                log = watch.entries(so_far)
                state = State(game.start, so_far.ledger(), game.order, so_far)
                version = sides_glance(state, side, watch.view, log).version
                if not versions or versions[-1][1] != version:
                    versions.append((number, version))
    return found


def check_nothing_lost(
    path: Path, events: list[Event], sides: list[str], heard: list[tuple[list[str], str]], figures: Figures
) -> None:
    """Every act is in the journal, and every player heard of the views in order, and has the last.

    A view that the next one overtakes, before a stream could tell of it, is not lost: the next one holds it.
    """
    with Game.open(path) as game:
        kept = [(event.kind, event.data.get("asked", {})) for event in game.timeline.events[1:]]
    meant = [(event.kind, event.data.get("asked", {})) for event in events]
    alike = sum(one[0] == other[0] and (one[1] == other[1] or one[0] == "end")
                for one, other in zip(meant, kept, strict=False))  # fmt: skip
    print(f"events of the script {len(meant)}, in the journal {len(kept)}, alike {alike}")
    figures.check(alike == len(meant) == len(kept), "an event is lost")
    told = versions_of(path)
    meant_to = {side: [version for _, version in told[side]] for side in SIDES}
    whole = sum(found == meant_to[side] for side, (found, _) in zip(sides, heard, strict=True))
    in_order = sum(is_part_of(found, meant_to[side]) for side, (found, _) in zip(sides, heard, strict=True))
    last = sum(found == told[side][-1][1] for side, (_, found) in zip(sides, heard, strict=True))
    print(f"views told: {', '.join(f'{side} {len(told[side])}' for side in SIDES)}")
    print(f"players: {len(sides)}, who heard in order {in_order}, of every view {whole}, who have the last {last}")
    for side, (found, _) in dict(zip(sides, heard, strict=True)).items():
        gone = [number for number, version in told[side] if version not in found]
        if gone:
            print(f"  {side}: the views after events {gone} were overtaken by the next")
    figures.check(in_order == last == len(sides), "a player missed a view")


def is_part_of(found: list[str], whole: list[str]) -> bool:
    """True where the one is the other, with some left out."""
    rest = iter(whole)
    return all(version in rest for version in found)


# --- the storm, the page ---------------------------------------------------------------------------------------------


async def restless(port: int, cookie: str, came: list[int]) -> None:
    """A stream that breaks off as soon as it is there, and comes back as a browser does."""
    while True:
        wire = Wire(port, cookie)
        try:
            async for _ in wire.versions():
                came[0] += 1
                break
        except (OSError, asyncio.IncompleteReadError):
            came[1] += 1
        wire.close()
        await asyncio.sleep(1.0)


async def storm(port: int, judge: Judge, cookies: list[str], units: list[tuple[str, str]], figures: Figures) -> None:
    """The judge taps and acts while streams come and go."""
    came = [0, 0]
    tasks = [asyncio.create_task(restless(port, cookies[n % len(cookies)], came)) for n in range(STREAMS)]
    await asyncio.sleep(2)
    for number, (a, b) in enumerate(units):
        await judge.timed("/api/pair", {"a": a, "b": b}, figures.storm)
        if number % 4 == 0:
            note = {"kind": "note", "asked": {"text": f"storm {number}"}}
            await judge.timed("/api/act", note, figures.storm_acts)
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(f"streams that came {came[0]}, turned away {came[1]}")
    figures.check(came[0] >= STREAMS and not came[1], "a stream is turned away")


async def page_bytes(port: int, cookie: str) -> int:
    """Bytes of a page with its files, its table and its view, headers too."""
    wire = Wire(port, cookie)
    todo, seen = ["/", "/api/me", "/api/ground", "/api/view"], set()
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        status, _, raw = await wire.ask("GET", path)
        assert status == 200, path
        if path == "/" or path.startswith("/static/"):
            names = re.findall(rb"""["'](?:\./|/static/)([\w.-]+\.(?:js|css))["']""", raw)
            todo += [f"/static/{name.decode()}" for name in names]
    wire.close()
    assert len(seen) > 6, seen
    return wire.came


# --- all of it -------------------------------------------------------------------------------------------------------


async def measure(game: Path, events: list[Event], figures: Figures) -> None:
    """Run the server, and everything against it."""
    with serving(game) as (pid, port, links):
        judges = await join(port, links["judge"])
        cookies = [(side, await join(port, links[side])) for n in range(PLAYERS) for side in [SIDES[n % 2]]]
        begun = memory(pid)
        judge = Judge(pid, port, judges, game, figures)
        players = [Player(port, side, cookie) for side, cookie in cookies]
        for who, cookie in (("judge", judges), cookies[0]):
            size = await page_bytes(port, cookie)
            print(f"page of {who}: {size / 1000:.1f} kB (less than {PAGE_BYTES / 1000:g})")
            figures.check(size < PAGE_BYTES, f"the page of {who} is too large")
        tasks = [asyncio.create_task(work) for work in (judge.follow(), *(player.follow() for player in players))]
        await asyncio.sleep(1)
        await quiet(players, time.perf_counter())
        await game_of(events, judge, players, figures)
        after = memory(pid)
        ended, heard = Path(f"{game}.ended"), [(list(player.heard), player.loaded[-1][1]) for player in players]
        shutil.copy(game, ended)
        with Game.open(game) as opened:
            units = pairs_of(opened)
        alone = Figures()
        for a, b in units:
            await judge.timed("/api/pair", {"a": a, "b": b}, alone.pair, alone.pair_server)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await judge._wire.ask("POST", "/api/control", {"what": "undo"})  # the end, so that acts are possible
        await storm(port, judge, [cookie for _, cookie in cookies], units, figures)
        judge.close()
        last = memory(pid)
    check_nothing_lost(ended, events, [player.side for player in players], heard, figures)
    print(f"\n{'':<58} count   median   95th    worst")
    show("tap to answer, pair, in the game", figures.pair)
    show("  of these at work in the server, all its threads", figures.pair_server)
    show("tap to answer, pair, any two, players quiet", alone.pair)
    show("  of these at work in the server", alone.pair_server)
    show("a move dragged (preview) to its picture", figures.preview)
    show("act to its answer", figures.act)
    show("act to a player's new view, loaded", figures.to_players)
    show("act to the last player's new view", figures.to_all)
    show(f"pair while {STREAMS} streams come and go", figures.storm)
    show(f"act while {STREAMS} streams come and go", figures.storm_acts)
    for words, (own, beside) in (("at the start", begun), ("after the game", after), ("after the storm", last)):
        print(f"memory {words}: server {own:.0f} MB, its processes {beside:.0f} MB")
    figures.check(parted(alone.pair_server, 0.95) < TAP_MS, "a tap takes the server too long")
    figures.check(parted(figures.pair_server, 0.95) < TAP_MS, "a tap in the game takes the server too long")
    figures.check(parted(figures.storm, 0.95) < STORM_MS, "streams that come and go stop the judge")


def pairs_of(game: Game) -> list[tuple[str, str]]:
    """Some pairs of enemies."""
    rng = random.Random(1)
    units = [unit for unit in game.state.board.units if not unit.wreck and unit.id not in game.state.board.carrier_of]
    ours, theirs = ([unit.id for unit in units if unit.side == side] for side in SIDES)
    return [(rng.choice(ours), rng.choice(theirs)) for _ in range(TAPS)]


def main() -> int:
    """Play, measure, print; 1 where a target is missed."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        events = script(folder)
        asyncio.run(measure(begin(folder / "served.game"), events, figures))
    for words in figures.missed:
        print(f"MISSED: {words}")
    return int(bool(figures.missed))


if __name__ == "__main__":
    sys.exit(main())
