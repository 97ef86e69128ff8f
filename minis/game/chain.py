"""The chain of a journal: events, each with the hash of the one before, and the one text of their data."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from minis.errors import BadInput, Mistake, bad

MAX_BYTES = 64 * 2**20
"""No event is longer; a scenario is half of it at most."""


MAX_DEPTH = 100
"""Data nested more deeply is refused, so that what was written can always be read."""


NO_HASH = "0" * 64


Row = tuple[int, str, str, str, str, str]


class Damaged(BadInput):
    """A game file that does not hold what was written to it: the file, the event and what is wrong."""

    def __init__(self, name: str, message: str, *, event: int | None = None):
        super().__init__([Mistake(message, file=name, path="" if event is None else f"event {event}")])


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
        text = plain_json(data)
        text.encode()
    except UnicodeEncodeError:
        raise bad("expected text, not half a character (a lone surrogate)") from None
    except ValueError:
        raise bad("expected plain data, not a number of too many digits") from None
    return text


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


def plain_json(data: Any) -> str:
    """The JSON text of data that is plain: keys sorted, no blanks."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def _digest(seq: int, time: str, kind: str, text: str, prev: str) -> str:
    """The hash of an event: SHA-256 of the canonical list of its parts, the data as the text that is kept."""
    return hashlib.sha256(plain_json([seq, time, kind, text, prev]).encode()).hexdigest()


def row_after(last: Event | None, kind: str, text: str, now: datetime | None) -> Row:
    """The row of the event after `last`; raises BadInput for one that could not be read again."""
    if now is not None and now.tzinfo is None:
        raise bad(f"expected a time with its time zone, not {now}")
    if len(text) > MAX_BYTES:
        raise bad(f"expected an event of at most {MAX_BYTES // 2**20} MB, not {len(text) / 2**20:.0f} MB")
    canonical(kind)  # for what it refuses
    seq, prev = (last.seq + 1, last.hash) if last else (1, NO_HASH)
    time = _stamp(now or datetime.now(UTC))
    row = (seq, time, kind, text, prev, _digest(seq, time, kind, text, prev))
    event = event_of(row)
    if isinstance(event, str):
        raise bad(f"an event {kind!r} cannot be kept: {event}")
    return row


def event_of(row: Row) -> Event | str:
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


def chain(rows: Iterable[Row], name: str) -> Iterator[Event]:
    """The events of the rows of a file; raises Damaged at the first that is wrong."""
    prev = NO_HASH
    for number, row in enumerate(rows, 1):
        if row[0] != number:
            raise Damaged(name, f"is missing; event {row[0]} stands in its place", event=number)
        event = event_of(row)
        if isinstance(event, str):
            raise Damaged(name, event, event=number)
        if event.prev != prev:
            raise Damaged(name, "does not follow the event before it (another hash)", event=number)
        prev = event.hash
        yield event
