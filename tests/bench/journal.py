"""What an event of a journal costs against a bare SQLite row kept as safely: `python tests/bench/journal.py`.

Both keep their connection open, write as many characters, and end one transaction a row. The rounds take turns, so
that a busy disk slows both. Exit status 1 when an event costs more than three times the bare row.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from minis.game.chain import canonical
from minis.game.journal import Journal

ROUNDS, PER_ROUND, LONG, LIMIT = 20, 10, 5000, 3.0
DATA = {"unit": "T1", "from": [10, 10], "to": [24.5, 18.25], "facing": 90, "why": "advances along the road" * 6}


def seconds(connection: sqlite3.Connection, rows: list[str]) -> float:
    """The seconds to keep each text in a bare table, one transaction each."""
    start = time.perf_counter()
    for text in rows:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO bare (text) VALUES (?)", (text,))
        connection.execute("COMMIT")
    return time.perf_counter() - start


def append_against_insert(folder: Path) -> float:
    """Print the medians of both, in milliseconds a row, and give their ratio."""
    bare_file, journal_file = folder / "bare.db", folder / "a.game"
    text = canonical(["2024-06-01T18:30:00Z", "move", DATA, "0" * 64, "0" * 64])
    bare, ours = [], []
    with (
        closing(sqlite3.connect(bare_file, isolation_level=None)) as connection,
        Journal.create(journal_file, "start", {}, secrets={}) as journal,
    ):
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, text TEXT)")
        last = 1
        for _ in range(ROUNDS):
            bare.append(seconds(connection, [text] * PER_ROUND))
            start = time.perf_counter()
            for _ in range(PER_ROUND):
                last = journal.append("move", DATA, after=last).seq
            ours.append(time.perf_counter() - start)
    one, other = (median(found) / PER_ROUND * 1000 for found in (bare, ours))
    print(f"bare insert {one:.2f} ms, event {other:.2f} ms, ratio {other / one:.2f} (at most {LIMIT:g})")
    return other / one


def reading(folder: Path) -> None:
    """Print how long a game of many events takes to open and to read with all checks."""
    path = folder / "long.game"
    Journal.create(path, "start", DATA, secrets={"key": bytes(32)}).close()
    with Journal.open(path) as journal:
        # Only the reading is measured, so the file need not survive a power cut.
        journal._db.execute("PRAGMA synchronous = OFF")
        for number in range(1, LONG):
            journal.append("move", DATA, after=number)
    start = time.perf_counter()
    with Journal.open(path) as journal:
        opened = time.perf_counter()
        events = journal.events()
        read = time.perf_counter()
    size = os.path.getsize(path) / 2**20
    print(f"{len(events)} events, {size:.1f} MB: open {(opened - start) * 1000:.0f} ms, ", end="")
    print(f"events() {(read - opened) * 1000:.0f} ms")


def main() -> int:
    """Run both measures in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        ratio = append_against_insert(Path(folder))
        reading(Path(folder))
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
