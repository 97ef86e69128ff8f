"""The journal of a game: one SQLite file, one row an event, each event holding the hash of the one before.

An event is on the disk before `Journal.append` returns, and nothing that stands in the file is ever changed: triggers
forbid it, and reading checks the layout, every hash and the count. What a damaged file still holds, `salvage` finds.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import shutil
import sqlite3
import struct
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from minis.errors import BadInput, MinisError, Mistake, bad

FORMAT = 1
"""The layout of the file, kept as its `user_version`; another layout gets another number."""
APPLICATION = int.from_bytes(b"mnis")
"""The `application_id` of a game file."""
BUSY_SECONDS = 10.0
"""How long another program that writes the file is waited for."""
MAX_BYTES = 64 * 2**20
"""No event is longer; a scenario is half of it at most."""
MAX_DEPTH = 100
"""Data nested more deeply is refused, so that what was written can always be read."""

_WHAT = "a game file made by `minis start`"
_PAGE = 4096
_NO_HASH = "0" * 64
_MAGIC = b"SQLite format 3\0"
_HEAD_BYTES = 100
_FORMAT_AT, _APPLICATION_AT = slice(60, 64), slice(68, 72)
# What SQLite keeps in the head of the file and never changes: page size, no write-ahead log, layout, encoding.
_FIXED = {
    16: struct.pack(">H6B", _PAGE, 1, 1, 0, 64, 32, 32),
    44: struct.pack(">4I", 4, 0, 0, 1),
    64: bytes(4),
    72: bytes(20),
}
_STRAYS = ("-journal", "-wal")

_SETTINGS = (f"PRAGMA page_size = {_PAGE}", "PRAGMA encoding = 'UTF-8'", "PRAGMA auto_vacuum = NONE")
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
_LOCK = threading.RLock()
"""POSIX drops all locks of a process on a file when any part of it closes the file, so one thread at a time has it."""

Row = tuple[int, str, str, str, str, str]
# The latter where the message of SQLite quotes a damaged file and so is no text itself.
SqliteFault = sqlite3.DatabaseError | UnicodeDecodeError
_SQLITE_FAULTS = (sqlite3.DatabaseError, UnicodeDecodeError)


class Damaged(BadInput):
    """A game file that does not hold what was written to it: the file, the event and what is wrong."""

    def __init__(self, name: str, message: str, *, event: int | None = None):
        super().__init__([Mistake(message, file=name, path="" if event is None else f"event {event}")])


class Overtaken(MinisError):
    """An event that was ruled upon a state that is no longer the last: read again, rule again, try again.

    >>> print(Overtaken("a.game", last=7, after=5))
    a.game: the game went on meanwhile: its last event is number 7, not 5
    """

    def __init__(self, name: str, *, last: int, after: int):
        self.last = last
        self.after = after
        super().__init__(f"{name}: the game went on meanwhile: its last event is number {last}, not {after}")


@dataclass(frozen=True)
class Event:
    """One entry of the journal: its number from 1, its time (ISO 8601, UTC, to the second), its kind, its data, and
    the hashes that tie it to the event before.
    """

    seq: int
    time: str
    kind: str
    data: dict[str, Any]
    prev: str
    hash: str


@dataclass(frozen=True)
class Salvage:
    """What a damaged game file still holds: the events whose hash fits, and one line for each damage."""

    events: tuple[Event, ...]
    damage: tuple[str, ...]


def canonical(data: Any) -> str:
    """The one JSON text of plain data: keys sorted, no blanks, no NaN, non-ASCII kept.

    Lists and tuples are the same data, 1 and 1.0 are not. Raises BadInput for anything that is no plain data.

    >>> canonical({"b": (1, 2.5), "a": "Höhe"})
    '{"a":"Höhe","b":[1,2.5]}'
    >>> canonical({"a": float("nan")})
    Traceback (most recent call last):
    minis.errors.BadInput: expected plain data, not nan
    """
    _check_plain(data, MAX_DEPTH)
    try:
        text = _json(data)
        text.encode()
    except UnicodeEncodeError:
        raise bad("expected text, not half a character (a lone surrogate)") from None
    except ValueError:
        raise bad("expected plain data, not a number of too many digits") from None
    return text


def is_game(path: Path) -> bool:
    """Whether a file begins as an SQLite file does; false for any other, also for one that cannot be read.

    >>> is_game(Path("no-such-file"))
    False
    """
    try:
        return _head(path)[: len(_MAGIC)] == _MAGIC
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
        row = _row(None, kind, canonical(data), now)
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
        with _LOCK:
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
        with _LOCK, _told(self._name, "cannot be read"):
            try:
                self._db.execute("BEGIN")
                rows, count = self._db.execute(_ROWS).fetchall(), self._db.execute(_COUNT).fetchall()
            finally:
                self._leave()
        events = list(_chain(rows, self._name))
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
        with _LOCK:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                last = self._last()
                if last.seq != after:
                    raise Overtaken(self._name, last=last.seq, after=after)
                row = _row(last, kind, text, now)
                self._db.execute(_ADD, row)
                self._db.execute("COMMIT")
            except _SQLITE_FAULTS as error:
                self._leave()
                raise self._not_kept(error, row) from None
            except BaseException:
                self._leave()
                raise
        return Event(row[0], row[1], kind, json.loads(text), row[4], row[5])

    def secret(self, name: str) -> bytes:
        """The secret of this name, as `create` was given it; raises BadInput where the game has none."""
        with _LOCK, _told(self._name, "cannot be read"):
            found = _secrets(self._db, self._name)
        if name not in found:
            raise bad(f"holds no secret {name!r}", file=self._name)
        return found[name]

    def close(self) -> None:
        """Close the file; closing it twice does nothing."""
        with _LOCK:
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
        event = _event(rows[0])
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
                if not os.path.lexists(_real(self._path) + "-journal"):
                    kept = f"whether event {row[0]} was kept is not known; look before you repeat it"
            else:
                if found:
                    kept = f"event {row[0]} stands in the file unconfirmed; look before you repeat it"
        return _fault(self._name, error, kept)


def salvage(path: Path) -> Salvage:
    """Everything that can still be read of a damaged game file, and where the damage is; the file is not changed.

    It works on a copy, so the file should rest meanwhile. Events are found by the shape of their rows, wherever in the
    file they stand, and given only if their hash fits; one that does not fit is shown as damage. Raises BadInput only
    for a file that cannot be read at all.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        try:
            with _LOCK:
                shutil.copyfile(path, copy)
                if os.path.exists(_real(path) + "-journal"):
                    shutil.copyfile(_real(path) + "-journal", f"{copy}-journal")
        except OSError as error:
            raise bad(f"cannot be read ({error.strerror or error}); expected {_WHAT}", file=str(path)) from None
        try:
            with Journal._opened(copy, str(path)) as journal:
                return Salvage(tuple(journal.events()), ())
        except BadInput as error:
            return _gather(copy.read_bytes(), [str(replace(mistake, file="")) for mistake in error.mistakes])


def _check_plain(data: Any, depth: int) -> None:
    if depth == 0:
        raise bad(f"expected plain data, not data nested more than {MAX_DEPTH} deep")
    if isinstance(data, dict):
        for key, value in data.items():
            if not isinstance(key, str):
                raise bad(f"expected a text as key, not {key!r}")
            _check_plain(value, depth - 1)
    elif isinstance(data, list | tuple):
        for value in data:
            _check_plain(value, depth - 1)
    elif not (data is None or isinstance(data, str | int) or (isinstance(data, float) and math.isfinite(data))):
        raise bad(f"expected plain data, not {data!r}")


def _json(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def _digest(seq: int, time: str, kind: str, text: str, prev: str) -> str:
    """The hash of an event: SHA-256 of the canonical list of its parts, the data as the text that is kept."""
    return hashlib.sha256(_json([seq, time, kind, text, prev]).encode()).hexdigest()


def _row(last: Event | None, kind: str, text: str, now: datetime | None) -> Row:
    """The row of the event after `last`; raises BadInput for one that could not be read again."""
    if now is not None and now.tzinfo is None:
        raise bad(f"expected a time with its time zone, not {now}")
    if len(text) > MAX_BYTES:
        raise bad(f"expected an event of at most {MAX_BYTES // 2**20} MB, not {len(text) / 2**20:.0f} MB")
    canonical(kind)  # for what it refuses
    seq, prev = (last.seq + 1, last.hash) if last else (1, _NO_HASH)
    time = _stamp(now or datetime.now(UTC))
    row = (seq, time, kind, text, prev, _digest(seq, time, kind, text, prev))
    event = _event(row)
    if isinstance(event, str):
        raise bad(f"an event {kind!r} cannot be kept: {event}")
    return row


def _event(row: Row) -> Event | str:
    """The event of a row, checked by itself, or what is wrong with it."""
    seq, time, kind, text, prev, digest = row
    if not all(isinstance(value, str) for value in row[1:]):
        return "holds a value of a wrong type"
    try:
        if _digest(seq, time, kind, text, prev) != digest:
            return "its hash does not fit its content"
    except UnicodeEncodeError:
        return "holds bytes that are not text"
    try:
        if _stamp(datetime.fromisoformat(time)) != time:
            raise ValueError
    except ValueError:
        return f"expected a time such as 2024-06-01T18:30:00Z, not {time!r}"
    try:
        data = json.loads(text)
        if canonical(data) != text:
            raise ValueError
    except (ValueError, RecursionError):
        return "its data is not canonical JSON"
    if not isinstance(data, dict) or not kind:
        return "it has no kind" if not kind else "its data is not a table"
    return Event(seq, time, kind, data, prev, digest)


def _chain(rows: Iterable[Row], name: str) -> Iterator[Event]:
    """The events of the rows of a file; raises Damaged at the first that is wrong."""
    prev = _NO_HASH
    for number, row in enumerate(rows, 1):
        if row[0] != number:
            raise Damaged(name, f"is missing; event {row[0]} stands in its place", event=number)
        event = _event(row)
        if isinstance(event, str):
            raise Damaged(name, event, event=number)
        if event.prev != prev:
            raise Damaged(name, "does not follow the event before it (another hash)", event=number)
        prev = event.hash
        yield event


def _real(path: Path) -> str:
    """The file behind symbolic links: beside it SQLite keeps its rollback journal."""
    return os.path.realpath(path)


def _head(path: Path) -> bytes:
    """The first bytes of a file; none of anything that is no file."""
    if not path.is_file():
        return b""
    with _LOCK, path.open("rb") as file:
        return file.read(_HEAD_BYTES)


def _check_head(path: Path, name: str) -> None:
    """Whether SQLite may be let near the file: a game, of our format, its head as it was made."""
    try:
        if path.is_dir():
            raise bad(f"is a directory; expected {_WHAT}", file=name)
        if not path.is_file():
            raise bad(f"there is no such file; expected {_WHAT}", file=name)
        head = _head(path)
    except OSError as error:
        raise bad(f"cannot be read ({error.strerror}); expected {_WHAT}", file=name) from None
    if not head:
        raise bad(f"is empty; expected {_WHAT}", file=name)
    if head[: len(_MAGIC)] != _MAGIC[: len(head)]:
        raise bad(f"is no game; expected {_WHAT}", file=name)
    if len(head) < _HEAD_BYTES:
        raise Damaged(name, f"is damaged: it ends after {len(head)} bytes")
    if int.from_bytes(head[_APPLICATION_AT]) != APPLICATION:
        raise bad(f"is an SQLite file of another program; expected {_WHAT}", file=name)
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
        if os.path.lexists(_real(path) + suffix):
            raise bad(f"the leftover {path.name}{suffix} of another file stands beside it; move that away", file=name)


def _connect(path: Path, name: str) -> sqlite3.Connection:
    """A connection that never makes a file, confirms nothing before the disk does, and reads what is no text, too."""
    with _told(name, "cannot be opened"):
        uri = Path(_real(path)).as_uri() + "?mode=rw"
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
    return hashlib.sha256(_json([name, value.hex()]).encode("utf-8", "surrogateescape")).hexdigest()


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


# The record of an event as SQLite keeps it: the number (left out, it is the row's), the time of 20 bytes, kind and data
# of any length, two hashes of 64 bytes. None of it can stand in the text of an event, which has no NUL.
_RECORD = re.compile(rb".\x00\x35([\x80-\xff]{0,4}[\x00-\x7f])([\x80-\xff]{0,4}[\x00-\x7f])\x81\x0d\x81\x0d", re.DOTALL)
_TEXT_FROM = 13


def _gather(blob: bytes, damage: list[str]) -> Salvage:
    """The events that stand anywhere in the bytes of a file, and the damage besides what is known of it."""
    pages = int.from_bytes(blob[28:32])
    if blob[: len(_MAGIC)] == _MAGIC and len(blob) != pages * _PAGE:
        damage.append(f"the file has {len(blob)} bytes and should have {pages * _PAGE}")
    found: dict[int, Event] = {}
    for row in _records(blob):
        event = _event(row)
        if isinstance(event, str):
            damage.append(_shown(f"event {row[0]}: {event}; it reads {row[1]} {row[2]} {row[3]}"))
        else:
            found[event.seq] = event
    events = tuple(found[seq] for seq in sorted(found))
    before, prev = 0, _NO_HASH
    for event in events:
        if event.seq > before + 1:
            last = f" to {event.seq - 1}" if event.seq > before + 2 else ""
            damage.append(f"event {before + 1}{last}: none that is whole")
        elif event.prev != prev:
            damage.append(f"event {event.seq}: does not follow the event before it (another hash)")
        before, prev = event.seq, event.hash
    return Salvage(events, tuple(damage))


def _shown(text: str) -> str:
    """A damaged text on one line, and not more than a screen of it."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[:2000])


def _records(blob: bytes) -> Iterator[Row]:
    """Every row that has the shape of an event."""
    for match in _RECORD.finditer(blob):
        kind, data = ((_number(serial) - _TEXT_FROM) // 2 for serial in match.groups())
        lengths = (match.end() - match.start(), len("2024-06-01T18:30:00Z"), kind, data, len(_NO_HASH), len(_NO_HASH))
        if min(lengths) < 0 or sum(lengths) > len(blob):
            continue
        payload = _payload(blob, match.start(), sum(lengths))
        ends = list(accumulate(lengths))
        time, word, text, prev, digest = (
            payload[at:end].decode("utf-8", "surrogateescape") for at, end in pairwise(ends)
        )
        start = match.start() - 1
        while start > 0 and blob[start - 1] > 0x7F:
            start -= 1
        yield _number(blob[start : match.start()]), time, word, text, prev, digest


def _number(varint: bytes) -> int:
    """A number as SQLite writes it, seven bits a byte."""
    value = 0
    for byte in varint:
        value = value << 7 | byte & 0x7F
    return value


def _payload(blob: bytes, start: int, size: int) -> bytes:
    """The bytes of a row, which goes on in a chain of other pages where it is long."""
    most, least = _PAGE - 35, (_PAGE - 12) * 32 // 255 - 23
    here = size
    if size > most:
        here = least + (size - least) % (_PAGE - 4)
        here = here if here <= most else least
    payload, following = bytearray(blob[start : start + here]), blob[start + here : start + here + 4]
    while len(payload) < size:
        at = (int.from_bytes(following) - 1) * _PAGE
        page = blob[at : at + _PAGE] if at >= 0 else b""
        if len(page) <= 4:
            break
        following = page[:4]
        payload += page[4:]
    return bytes(payload[:size])
