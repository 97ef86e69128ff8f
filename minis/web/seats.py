"""Seats at the table: who may look at a game over the network, each known by the hash of a link and of its cookies.

The file beside the game keeps no secret: who reads it can join nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from minis.errors import bad

JUDGE = "judge"
"""The name of the judge's seat."""

SECRET_BYTES = 32
"""Bytes of a link's token and of a cookie."""

MOST_DEVICES = 100
"""More devices than this join no seat."""

_NAME = re.compile(r"[\w][\w .'()-]{0,39}")


def digest(secret: str) -> str:
    """The hash by which a token or a cookie is known.

    >>> digest("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Device:
    """A device that joined a seat: the hash of its cookie, and when it joined."""

    cookie: str
    joined: str


@dataclass(frozen=True)
class Seat:
    """A seat: its name, its side or None for the judge, the hash of its link's token or None, its devices."""

    name: str
    side: str | None
    token: str | None = None
    devices: tuple[Device, ...] = ()

    @property
    def is_judge(self) -> bool:
        """True of the seat that sees and does everything."""
        return self.side is None


class Seats:
    """The seats of a game, kept in a file that is written whole at each change and that only its owner reads."""

    def __init__(self, path: Path, seats: Iterable[Seat]):
        self._path = path
        self._seats = {seat.name: seat for seat in seats}

    @classmethod
    def open(cls, path: Path, sides: Iterable[str]) -> Seats:
        """The seats of the file, with one for the judge and one for each side; raises BadInput for any other file.

        Seats of sides that there are not are left out.
        """
        known = list(sides)
        kept = {seat.name: seat for seat in _read(path) if seat.side is None or seat.side in known}
        kept.setdefault(JUDGE, Seat(JUDGE, None))
        for side in known:
            if not any(seat.side == side for seat in kept.values()):
                kept[side] = Seat(side, side)
        return cls(path, kept.values())

    @property
    def all(self) -> tuple[Seat, ...]:
        """Every seat, the judge's first, the others by name."""
        return tuple(sorted(self._seats.values(), key=lambda seat: (seat.side is not None, seat.name)))

    def seat(self, name: str) -> Seat:
        """The seat with this name; raises BadInput."""
        if name not in self._seats:
            raise bad(f"there is no seat {name!r}; there are {', '.join(seat.name for seat in self.all)}")
        return self._seats[name]

    def add(self, name: str, side: str) -> Seat:
        """A further seat for a side; one that is there for that side already stays. Raises BadInput for a bad name."""
        if not _NAME.fullmatch(name):
            raise bad(f"a seat has a name of at most 40 letters, digits, blanks and - . ' ( ), not {name!r}")
        if name in self._seats:
            if self._seats[name].side != side:
                raise bad(f"the seat {name!r} is that of {self._seats[name].side or 'the judge'}")
            return self._seats[name]
        return self._put(Seat(name, side))

    def new_link(self, name: str) -> str:
        """A new token for a seat: the link before it joins nobody any more, devices that joined stay."""
        token = secrets.token_urlsafe(SECRET_BYTES)
        self._put(replace(self.seat(name), token=digest(token)))
        return token

    def revoke(self, name: str) -> None:
        """Nobody has the seat any more: its link and the cookies of its devices are dead."""
        self._put(replace(self.seat(name), token=None, devices=()))

    def by_token(self, token: str) -> Seat | None:
        """The seat that a link is for."""
        found = digest(token)
        return next((seat for seat in self._seats.values() if seat.token == found), None)

    def by_cookie(self, cookie: str) -> Seat | None:
        """The seat that a device has joined."""
        return self.by_cookie_hash(digest(cookie))

    def by_cookie_hash(self, found: str) -> Seat | None:
        """The seat of the device with this hash of its cookie."""
        return next((s for s in self._seats.values() if any(d.cookie == found for d in s.devices)), None)

    def join(self, token: str, before: str | None = None) -> str | None:
        """The cookie for a device that comes with a link; None for a link that joins nothing.

        `before` is the cookie that the device had, which it loses. Raises BadInput where the seat has too many devices.
        """
        seat = self.by_token(token)
        if seat is None:
            return None
        old = None if before is None else digest(before)
        if len(seat.devices) >= MOST_DEVICES:
            raise bad(f"{len(seat.devices)} devices have joined {seat.name}: revoke the seat, or add another")
        for other in list(self._seats.values()):
            if any(device.cookie == old for device in other.devices):
                self._seats[other.name] = replace(other, devices=tuple(d for d in other.devices if d.cookie != old))
        cookie = secrets.token_urlsafe(SECRET_BYTES)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        seat = self._seats[seat.name]
        self._put(replace(seat, devices=(*seat.devices, Device(digest(cookie), now))))
        return cookie

    def _put(self, seat: Seat) -> Seat:
        self._seats[seat.name] = seat
        _write(self._path, self.all)
        return seat


# --- the file --------------------------------------------------------------------------------------------------------


def seats_path(game: Path) -> Path:
    """The file beside a game that keeps its seats.

    >>> str(seats_path(Path("a.minis")))
    'a.minis.seats'
    """
    return game.with_name(game.name + ".seats")


def _read(path: Path) -> list[Seat]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return [_seat(str(name), entry) for name, entry in raw["seats"].items()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise bad(f"cannot be read: {error.strerror}", file=str(path)) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise bad("is no file of seats; move it away, and everybody joins anew", file=str(path)) from None


def _seat(name: str, entry: Any) -> Seat:
    side, token = entry["side"], entry["token"]
    devices = tuple(Device(str(one["cookie"]), str(one["joined"])) for one in entry["devices"])
    if not all(value is None or isinstance(value, str) for value in (side, token)):
        raise TypeError(name)
    return Seat(name, side, token, devices)


def _write(path: Path, seats: Iterable[Seat]) -> None:
    """Write the file whole under another name first; mkstemp makes it for its owner alone."""
    found = {
        seat.name: {
            "side": seat.side, "token": seat.token,
            "devices": [{"cookie": device.cookie, "joined": device.joined} for device in seat.devices],
        }
        for seat in seats
    }  # fmt: skip
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"seats": found}, file, ensure_ascii=False, indent=1)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise bad(f"cannot be written: {error.strerror}", file=str(path)) from None
