"""What it costs to read a long game: `python tests/bench/replay.py`, with `--profile` to see where the time goes.

A game of 5,000 events is made of a few real ones, recorded over and over. Then it is read, its chain checked and folded
into the table as it stands, as every command does first. CPU time of this process, so that a busy machine does not
count. Exit status 1 when the median of the rounds is a second or more.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

from minis.board.board import Board
from minis.game.game import Game
from minis.game.journal import Journal
from minis.game.opening import board_in, prepare
from minis.game.state import State
from minis.game.timeline import read
from minis.rules import examples_folder

EVENTS, ROUNDS, LIMIT, MOST = 5000, 5, 1.0, 15
KEY = bytes(32)
PAIRS = (("T1", "P1"), ("T2", "P4"), ("T7", "P1"), ("T9", "P3"), ("T1", "P9"))
PARTS = ("open, pages checked", "events, chain checked", "table as it was set up", "what counts", "fold", "table now")

Found = TypeVar("Found")


def make(path: Path) -> dict[str, int]:
    """Make the long game of the acts of a short one; how many there are of each kind."""
    opening = prepare(examples_folder() / "crossroads" / "scenario.toml", key=KEY)
    with Game.begin(path, opening, KEY) as game:
        # Only the reading is measured, so the file need not survive a power cut.
        game.journal._db.execute("PRAGMA synchronous = OFF")
        game.journal._db.execute("PRAGMA journal_mode = MEMORY")
        game.act("turn", {})
        for one, other in PAIRS:
            game.act("sight", {"sighter": one, "target": other}, throws=True)
            if game.state.unit(one).weapons:
                game.act("fire", {"firer": one, "target": other}, throws=True)
            x, y = game.state.unit(one).at
            game.act("move", {"unit": one, "to": [x / 8000 + 1, y / 8000]})
        for _ in range(10):
            game.act("turn", {})
        kept = [(event.kind, event.data) for event in game.timeline.events[1:]]
        last = len(game.timeline.events)
        while last < EVENTS:
            kind, data = kept[last % len(kept)]
            last = game.journal.append(kind, data, after=last).seq
    with Journal.open(path) as journal:
        kinds = [event.kind for event in journal.events()]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


def timed(times: list[float], act: Callable[[], Found]) -> Found:
    """What an act gives; the CPU seconds that it takes go to the end of a list."""
    begun = time.process_time()
    found = act()
    times.append(time.process_time() - begun)
    return found


def part_by_part(path: Path) -> list[float]:
    """The CPU seconds of each part of reading a game, in the order of `PARTS`."""
    times: list[float] = []
    with timed(times, lambda: Journal.open(path)) as journal:
        events = timed(times, journal.events)
        first = events[0].data
        start: Board = timed(times, lambda: board_in(first))
        timeline = timed(times, lambda: read(events))
        state = timed(times, lambda: State(start, timeline.ledger(), tuple(first["order"]), timeline))
        timed(times, lambda: state.board)
    return times


def at_once(path: Path) -> float:
    """The CPU seconds of what a command does: open the game, and the table as it stands."""
    begun = time.process_time()
    with Game.open(path) as game:
        assert game.state.board.units
    return time.process_time() - begun


def main(words: list[str]) -> int:
    """Make the game, measure, and print the medians."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.game"
        kinds = make(path)
        size = path.stat().st_size / 2**20
        print(f"{EVENTS} events, {size:.1f} MB: " + ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
        at_once(path)  # the first reads the rule tables and imports what is imported late
        whole = median(at_once(path) for _ in range(ROUNDS))
        rounds = [part_by_part(path) for _ in range(ROUNDS)]
        print(f"{whole * 1000:.0f} ms of CPU time (below {LIMIT * 1000:.0f})")
        shares = [median(column) for column in zip(*rounds, strict=True)]
        for name, share in zip(PARTS, shares, strict=True):
            print(f"{share * 1000:8.1f} ms  {share / sum(shares):5.1%}  {name}")
        if "--profile" in words:
            with cProfile.Profile() as profile:
                at_once(path)
            pstats.Stats(profile).sort_stats("cumulative").print_stats(MOST)
    return int(whole >= LIMIT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
