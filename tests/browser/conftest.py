"""A served game and the system's Chromium, for tests of the pages; where there is none the tests are skipped."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from minis.rules import examples_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

MINIS = [sys.executable, "-c", "from minis.cli.main import main; main()"]

TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}

SEATS = 3
"""The seats of a game of two sides."""


def chromium() -> str:
    """The system's Chromium; skips the test where there is none, and fails it where MINIS_BROWSER says "required"."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    missing = [name for name in ("playwright", "starlette", "uvicorn", "segno") if not importlib.util.find_spec(name)]
    why = f"not installed: {', '.join(missing)}" if missing else "" if found else "there is no Chromium on this machine"
    if why:
        (pytest.fail if os.environ.get("MINIS_BROWSER") == "required" else pytest.skip)(why)
    return str(found)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser of all tests; each test has its own contexts."""
    where = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=where, args=["--no-sandbox"])
        yield started
        started.close()


def minis(*words: str | Path) -> str:
    """What a command prints."""
    done = subprocess.run([*MINIS, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass
class Served:
    """A game that is served: its file, its process, its address, the links of its seats."""

    game: Path
    process: subprocess.Popen[str] | None = None
    base: str = ""
    port: int = 0
    links: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        """Start the server, and read the links that it prints."""
        words = ["serve", str(self.game), "--port", str(self.port), "--no-qr"]
        self.process = subprocess.Popen([*MINIS, *words], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        seats = 0
        while seats < SEATS:
            line = self.process.stdout.readline()
            assert line, "the server has ended"
            if "served at " in line:
                self.base = line.split("served at ")[1].split("/,")[0]
                self.port = int(self.base.rsplit(":", 1)[1])
            elif ": " in line:
                seat, what = line.strip().split(": ", 1)
                self.links[seat] = what if "/join/" in what else self.links[seat]
                seats += 1

    def kill(self) -> None:
        """Kill the server as a power cut does."""
        self.stop(signal.SIGKILL)

    def stop(self, sign: signal.Signals = signal.SIGINT) -> None:
        """End the server."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(sign)
            self.process.wait(10)
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Begins a game of an example, plays some lines, serves it."""
    found: list[Served] = []

    def begin(example: str = "crossroads", *lines: str) -> Served:
        chromium()
        game = tmp_path / f"{example}-{len(found)}.game"
        minis("start", examples_folder() / example / "scenario.toml", game)
        if lines:
            script = tmp_path / "script.txt"
            script.write_text("\n".join(lines))
            minis("play", game, script)
        found.append(Served(game))
        found[-1].start()
        return found[-1]

    yield begin
    for served in found:
        served.stop()


@pytest.fixture
def join(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Joins a seat in a browser of its own by link and button, and waits for the table; a fault of the page fails."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def sit(served: Served, seat: str, **options: Any) -> Page:
        context = browser.new_context(**{**TABLET, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(served.links[seat])
        page.get_by_role("button", name="Join").click()
        page.wait_for_selector("circle.hit", state="attached")
        return page

    yield sit
    for context in contexts:
        context.close()
    assert faults == []
