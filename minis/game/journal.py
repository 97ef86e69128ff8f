"""The journal of a game: one SQLite file, one row an event, each event holding the hash of the one before.

An event is on the disk before `Journal.append` returns, and nothing that stands in the file is ever changed: triggers
forbid it, and reading checks the layout, every hash and the count. What a damaged file still holds, `salvage` finds.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import struct
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from minis.errors import BadInput, MinisError, bad
from minis.game.chain import Damaged, Event, Row, canonical, chain, event_of, plain_json, row_after

FORMAT = 1
"""The layout of the file, kept as its `user_version`; another layout gets another number."""
APPLICATION = int.from_bytes(b"mnis")
"""The `application_id` of a game file."""
BUSY_SECONDS = 10.0
"""How long another program that writes the file is waited for."""

WHAT = "a game file made by `minis start`"
PAGE = 4096
MAGIC = b"SQLite format 3\0"
_HEAD_BYTES = 100
_FORMAT_AT, _APPLICATION_AT = slice(60, 64), slice(68, 72)
# What SQLite keeps in the head of the file and never changes: page size, no write-ahead log, layout, encoding.
_FIXED = {
    16: struct.pack(">H6B", PAGE, 1, 1, 0, 64, 32, 32),
    44: struct.pack(">4I", 4, 0, 0, 1),
    64: bytes(4),
    72: bytes(20),
}
_STRAYS = ("-journal", "-wal")

_SETTINGS = (f"PRAGMA page_size = {PAGE}", "PRAGMA encoding = 'UTF-8'", "PRAGMA auto_vacuum = NONE")
_NEVER = "BEFORE {act} ON {table} BEGIN SELECT RAISE(ABORT, 'a game file only grows'); END"
_SCHEMA = (
    # AUTOINCREMENT keeps the count of events on a page of its own: an event lost at the end is missed.
    "CREATE TABLE events (seq INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, kind TEXT NOT NULL,"
    " data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL)",
    "CREATE TABLE secrets (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID",
    *(
        f"CREATE TRIGGER {table}_{act.lower()} " + _NEVER.format(act=act, table=table)
        for table in ("events", "secrets")
        for act in ("UPDATE", "DELETE")
    ),
    # REPLACE deletes without a DELETE trigger, so an event that is added must be the next one.
    "CREATE TRIGGER events_insert BEFORE INSERT ON events"
    " WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)"
    " BEGIN SELECT RAISE(ABORT, 'an event follows the last one'); END",
    "CREATE TRIGGER secrets_insert BEFORE INSERT ON secrets WHEN EXISTS (SELECT 1 FROM events)"
    " BEGIN SELECT RAISE(ABORT, 'secrets are kept before the first event'); END",
)
_ROWS = "SELECT seq, time, kind, data, prev, hash FROM events ORDER BY seq"
_LAST = f"{_ROWS} DESC LIMIT 1"
_COUNT = "SELECT seq FROM sqlite_sequence WHERE name = 'events'"
_ADD = "INSERT INTO events (seq, time, kind, data, prev, hash) VALUES (?, ?, ?, ?, ?, ?)"

_TROUBLE = {
    sqlite3.SQLITE_BUSY: "another program is writing",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk fails to read or write",
    sqlite3.SQLITE_READONLY_DBMOVED: "the file was moved or deleted",
    sqlite3.SQLITE_READONLY: "the file or its folder may not be written",
    sqlite3.SQLITE_CANTOPEN: "the file, or its rollback journal beside it, cannot be opened",
    sqlite3.SQLITE_PERM: "the file may not be opened",
}
LOCK = threading.RLock()
"""POSIX drops all locks of a process on a file when any part of it closes the file, so one thread at a time has it."""

# The latter where the message of SQLite quotes a damaged file and so is no text itself.
SqliteFault = sqlite3.DatabaseError | UnicodeDecodeError
_SQLITE_FAULTS = (sqlite3.DatabaseError, UnicodeDecodeError)


class Overtaken(MinisError):
    """An event that was ruled upon a state that is no longer the last: read again, rule again, try again.

    >>> print(Overtaken("a.game", last=7, after=5))
    a.game: the game went on meanwhile: its last event is number 7, not 5
    """

    def __init__(self, name: str, *, last: int, after: int):
        self.last = last
        self.after = after
        super().__init__(f"{name}: the game went on meanwhile: its last event is number {last}, not {after}")


def is_game(path: Path) -> bool:
    """Whether a file begins as an SQLite file does; false for any other, also for one that cannot be read.

    >>> is_game(Path("no-such-file"))
    False
    """
    try:
        return _head(path)[: len(MAGIC)] == MAGIC
    except (OSError, ValueError):
        return False


class Journal:
    """An open game file; a context manager, to be used by the thread that opened it.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Journal.create(Path(folder) / "a.game", "start", {"turn": 1}, secrets={"key": b"x"}) as journal:
    ...         second = journal.append("note", {"text": "rain"}, after=1)
    ...         [(event.seq, event.kind) for event in journal.events()]
    [(1, 'start'), (2, 'note')]
    """

    def __init__(self, path: Path, name: str):
        """Open a file that is known to be a game; `name` is what messages call it."""
        self._path = path
        self._name = name
        self._db = _connect(path, name)

    @classmethod
    def create(
        cls, path: Path, kind: str, data: dict[str, Any], *, secrets: Mapping[str, bytes], now: datetime | None = None
    ) -> Journal:
        """Make a new game file with its secrets and its first event, all of it or nothing, and open it.

        Raises BadInput where a file of that name is there already, where the data is not plain, or where the file
        cannot be made.
        """
        name = str(path)
        row = row_after(None, kind, canonical(data), now)
        if os.path.lexists(path):
            raise bad("is there already; a new game never overwrites a file", file=name)
        _refuse_strays(path, name, _STRAYS)
        try:
            handle, made = tempfile.mkstemp(dir=path.parent, prefix=".minis-", suffix=".new")
            os.close(handle)
            try:
                _fill(made, name, row, secrets)
                with cls._opened(Path(made), name) as journal:
                    journal.events()
                _publish(Path(made), path, name)
            finally:
                for suffix in ("", *_STRAYS):
                    Path(made + suffix).unlink(missing_ok=True)
        except OSError as error:
            raise bad(f"the game was not made: {error.strerror}", file=name) from None
        try:
            return cls.open(path)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Open a game file; one that a crash left half written is first put back to its last whole event.

        Raises BadInput for a file that is missing, no game or of another format, and Damaged for one whose head,
        layout, pages or secrets are not as they were written. The events are checked by `events`.
        """
        return cls._opened(path, str(path))

    @classmethod
    def _opened(cls, path: Path, name: str) -> Journal:
        _check_head(path, name)
        with LOCK:
            journal = cls(path, name)
            try:
                with _told(name, "cannot be read"):
                    _check_inside(journal._db, name)
            except BaseException:
                journal.close()
                raise
        return journal

    def events(self) -> list[Event]:
        """Every event, in order, with every hash and the count checked.

        Raises Damaged with the number of the first event that is wrong.
        """
        with LOCK, _told(self._name, "cannot be read"):
            try:
                self._db.execute("BEGIN")
                rows, count = self._db.execute(_ROWS).fetchall(), self._db.execute(_COUNT).fetchall()
            finally:
                self._leave()
        events = list(chain(rows, self._name))
        if not events or count != [(len(events),)]:
            raise Damaged(self._name, f"is missing; {len(events)} were found", event=len(events) + 1)
        return events

    def append(self, kind: str, data: dict[str, Any], *, after: int, now: datetime | None = None) -> Event:
        """Add an event as number `after` + 1; when this returns, the event is on the disk.

        Raises Overtaken when the last event is not number `after`, and BadInput when the data is not plain or the
        event could not be kept; the file then is what it was, or the message says what is not known.
        """
        text = canonical(data)
        row: Row | None = None
        with LOCK:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                last = self._last()
                if last.seq != after:
                    raise Overtaken(self._name, last=last.seq, after=after)
                row = row_after(last, kind, text, now)
                self._db.execute(_ADD, row)
                self._db.execute("COMMIT")
            except _SQLITE_FAULTS as error:
                self._leave()
                raise self._not_kept(error, row) from None
            except BaseException:
                self._leave()
                raise
        return Event(row[0], row[1], kind, json.loads(text), row[4], row[5])

    def mark(self) -> int:
        """A number that is another one once another program has written the file; what this one writes leaves it."""
        with LOCK, _told(self._name, "cannot be read"):
            (found,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(found)

    def secret(self, name: str) -> bytes:
        """The secret of this name, as `create` was given it; raises BadInput where the game has none."""
        with LOCK, _told(self._name, "cannot be read"):
            found = _secrets(self._db, self._name)
        if name not in found:
            raise bad(f"holds no secret {name!r}", file=self._name)
        return found[name]

    def close(self) -> None:
        """Close the file; closing it twice does nothing."""
        with LOCK:
            self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def _last(self) -> Event:
        """The last event, checked by itself and against the count."""
        rows, count = self._db.execute(_LAST).fetchall(), self._db.execute(_COUNT).fetchall()
        if not rows or [row[:1] for row in rows] != count:
            raise Damaged(self._name, "is damaged: its last event is not the one it counts as the last")
        event = event_of(rows[0])
        if isinstance(event, str):
            raise Damaged(self._name, event, event=rows[0][0])
        return event

    def _leave(self) -> None:
        """End a transaction without keeping what it wrote."""
        if self._db.in_transaction:
            try:
                self._db.execute("ROLLBACK")
            except _SQLITE_FAULTS:
                # The rollback journal then stays beside the file, and the next to open the file rolls back.
                return

    def _not_kept(self, error: SqliteFault, row: Row | None) -> BadInput:
        """The message for an event that SQLite refused, after a look at what the file holds now.

        A commit may fail after the commit: the rollback journal is gone, the disk only did not confirm it.
        """
        kept = "the event was not kept"
        if row is not None:
            try:
                found = self._db.execute("SELECT 1 FROM events WHERE seq = ? AND hash = ?", (row[0], row[5])).fetchall()
            except _SQLITE_FAULTS:
                if not os.path.lexists(real_path(self._path) + "-journal"):
                    kept = f"whether event {row[0]} was kept is not known; look before you repeat it"
            else:
                if found:
                    kept = f"event {row[0]} stands in the file unconfirmed; look before you repeat it"
        return _fault(self._name, error, kept)


def real_path(path: Path) -> str:
    """The file behind symbolic links: beside it SQLite keeps its rollback journal."""
    return os.path.realpath(path)


def _head(path: Path) -> bytes:
    """The first bytes of a file; none of anything that is no file."""
    if not path.is_file():
        return b""
    with LOCK, path.open("rb") as file:
        return file.read(_HEAD_BYTES)


def _check_head(path: Path, name: str) -> None:
    """Whether SQLite may be let near the file: a game, of our format, its head as it was made."""
    try:
        if path.is_dir():
            raise bad(f"is a directory; expected {WHAT}", file=name)
        if not path.is_file():
            raise bad(f"there is no such file; expected {WHAT}", file=name)
        head = _head(path)
    except OSError as error:
        raise bad(f"cannot be read ({error.strerror}); expected {WHAT}", file=name) from None
    if not head:
        raise bad(f"is empty; expected {WHAT}", file=name)
    if head[: len(MAGIC)] != MAGIC[: len(head)]:
        raise bad(f"is no game; expected {WHAT}", file=name)
    if len(head) < _HEAD_BYTES:
        raise Damaged(name, f"is damaged: it ends after {len(head)} bytes")
    if int.from_bytes(head[_APPLICATION_AT]) != APPLICATION:
        raise bad(f"is an SQLite file of another program; expected {WHAT}", file=name)
    made = int.from_bytes(head[_FORMAT_AT])
    if made != FORMAT:
        age = "an older" if made < FORMAT else "a newer"
        raise bad(f"was made by {age} minis, format {made}; this one reads {FORMAT}", file=name)
    if any(head[at : at + len(value)] != value for at, value in _FIXED.items()):
        raise Damaged(name, "is damaged: its head is not that of a game")
    _refuse_strays(path, name, ("-wal",))


def _refuse_strays(path: Path, name: str, suffixes: Iterable[str]) -> None:
    """Refuse a leftover of another file beside this one: SQLite would take it for this one's and write it in."""
    for suffix in suffixes:
        if os.path.lexists(real_path(path) + suffix):
            raise bad(f"the leftover {path.name}{suffix} of another file stands beside it; move that away", file=name)


def _connect(path: Path, name: str) -> sqlite3.Connection:
    """A connection that never makes a file, confirms nothing before the disk does, and reads what is no text, too."""
    with _told(name, "cannot be opened"):
        uri = Path(real_path(path)).as_uri() + "?mode=rw"
        connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA journal_mode = DELETE")
        except BaseException:
            connection.close()
            raise
    return connection


def _lay_out(connection: sqlite3.Connection) -> None:
    for statement in (*_SETTINGS, "BEGIN IMMEDIATE", *_SCHEMA):
        connection.execute(statement)


def _layout(connection: sqlite3.Connection) -> list[tuple[str, str, str, int, str]]:
    return connection.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master ORDER BY rowid").fetchall()


@cache
def _fresh_layout() -> list[tuple[str, str, str, int, str]]:
    """The layout as `create` makes it, made once in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _lay_out(connection)
        return _layout(connection)


def _check_inside(connection: sqlite3.Connection, name: str) -> None:
    """Layout, pages and secrets are as they were written."""
    if _layout(connection) != _fresh_layout():
        raise Damaged(name, "is damaged: its tables or triggers are not those of a game")
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise Damaged(name, f"is damaged: {' '.join(found.removeprefix('*** in database main ***').split())}")
    _secrets(connection, name)


def _secret_digest(name: str, value: bytes) -> str:
    return hashlib.sha256(plain_json([name, value.hex()]).encode("utf-8", "surrogateescape")).hexdigest()


def _secrets(connection: sqlite3.Connection, name: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for secret, value, digest in connection.execute("SELECT name, value, hash FROM secrets").fetchall():
        if not isinstance(secret, str) or not isinstance(value, bytes) or _secret_digest(secret, value) != digest:
            raise Damaged(name, f"is damaged: the hash of the secret {secret!r} does not fit")
        found[secret] = value
    return found


def _fill(made: str, name: str, row: Row, secrets: Mapping[str, bytes]) -> None:
    """Write tables, secrets and first event into an empty file, in one transaction."""
    with closing(_connect(Path(made), name)) as connection, _told(name, "the game was not made"):
        _lay_out(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        for secret, value in secrets.items():
            values = (secret, value, _secret_digest(secret, value))
            connection.execute("INSERT INTO secrets (name, value, hash) VALUES (?, ?, ?)", values)
        connection.execute(_ADD, row)
        connection.execute("COMMIT")


def _publish(made: Path, path: Path, name: str) -> None:
    """Give a finished file its name, which must be free, and make the name last."""
    try:
        os.link(made, path)
    except FileExistsError:
        raise bad("is there already; a new game never overwrites a file", file=name) from None
    except OSError:
        # A disk without hard links, such as a memory stick.
        if os.path.lexists(path):
            raise bad("is there already; a new game never overwrites a file", file=name) from None
        os.rename(made, path)
    if os.name == "nt":
        return
    try:
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError:
        path.unlink()
        raise


@contextmanager
def _told(name: str, failed: str) -> Iterator[None]:
    """Whatever SQLite says in here becomes a message of our own."""
    try:
        yield
    except _SQLITE_FAULTS as error:
        raise _fault(name, error, failed) from None


def _fault(name: str, error: SqliteFault, failed: str) -> BadInput:
    """The message for an error of SQLite: trouble with the disk or another program, else damage."""
    if isinstance(error, UnicodeDecodeError):
        return Damaged(name, f"{failed}: it is damaged (its layout is no text)")
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        raise error  # not the file's fault but a wrong call, such as reading a journal that is closed
    trouble = _TROUBLE.get(code) or _TROUBLE.get(code & 0xFF)
    if trouble:
        return bad(f"{failed}: {trouble} ({error.sqlite_errorname})", file=name)
    return Damaged(name, f"{failed}: it is damaged ({error})")
