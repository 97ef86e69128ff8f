"""What can still be read of a damaged game file."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path

from minis.errors import BadInput, bad
from minis.game.chain import NO_HASH, Event, Row, event_of
from minis.game.journal import LOCK, MAGIC, PAGE, WHAT, Journal, real_path


@dataclass(frozen=True)
class Salvage:
    """What a damaged game file still holds: the events whose hash fits, and one line for each damage."""

    events: tuple[Event, ...]
    damage: tuple[str, ...]


def salvage(path: Path) -> Salvage:
    """Everything that can still be read of a damaged game file, and where the damage is; the file is not changed.

    It works on a copy, so the file should rest meanwhile. Events are found by the shape of their rows, wherever in the
    file they stand, and given only if their hash fits; one that does not fit is shown as damage. Raises BadInput only
    for a file that cannot be read at all.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        try:
            with LOCK:
                shutil.copyfile(path, copy)
                if os.path.exists(real_path(path) + "-journal"):
                    shutil.copyfile(real_path(path) + "-journal", f"{copy}-journal")
        except OSError as error:
            raise bad(f"cannot be read ({error.strerror or error}); expected {WHAT}", file=str(path)) from None
        try:
            with Journal._opened(copy, str(path)) as journal:
                return Salvage(tuple(journal.events()), ())
        except BadInput as error:
            return _gather(copy.read_bytes(), [str(replace(mistake, file="")) for mistake in error.mistakes])


# The record of an event as SQLite keeps it: the number (left out, it is the row's), the time of 20 bytes, kind and data
# of any length, two hashes of 64 bytes. None of it can stand in the text of an event, which has no NUL.
_RECORD = re.compile(rb".\x00\x35([\x80-\xff]{0,4}[\x00-\x7f])([\x80-\xff]{0,4}[\x00-\x7f])\x81\x0d\x81\x0d", re.DOTALL)


_TEXT_FROM = 13


def _gather(blob: bytes, damage: list[str]) -> Salvage:
    """The events that stand anywhere in the bytes of a file, and the damage besides what is known of it."""
    pages = int.from_bytes(blob[28:32])
    if blob[: len(MAGIC)] == MAGIC and len(blob) != pages * PAGE:
        damage.append(f"the file has {len(blob)} bytes and should have {pages * PAGE}")
    found: dict[int, Event] = {}
    for row in _records(blob):
        event = event_of(row)
        if isinstance(event, str):
            damage.append(_shown(f"event {row[0]}: {event}; it reads {row[1]} {row[2]} {row[3]}"))
        else:
            found[event.seq] = event
    events = tuple(found[seq] for seq in sorted(found))
    before, prev = 0, NO_HASH
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
        lengths = (match.end() - match.start(), len("2024-06-01T18:30:00Z"), kind, data, len(NO_HASH), len(NO_HASH))
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
    most, least = PAGE - 35, (PAGE - 12) * 32 // 255 - 23
    here = size
    if size > most:
        here = least + (size - least) % (PAGE - 4)
        here = here if here <= most else least
    payload, following = bytearray(blob[start : start + here]), blob[start + here : start + here + 4]
    while len(payload) < size:
        at = (int.from_bytes(following) - 1) * PAGE
        page = blob[at : at + PAGE] if at >= 0 else b""
        if len(page) <= 4:
            break
        following = page[:4]
        payload += page[4:]
    return bytes(payload[:size])
