"""The machine's dice of a game: fixed by a key that the judge commits to at the start and shows at the end."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from minis.errors import bad

KEY_BYTES = 32
"""Length of a key: as many random bytes as the hash has."""

SCHEME = "minis dice 1"
"""Stands in every label: another way to draw dice gets another name, so that old games keep their dice."""


@dataclass(frozen=True)
class Chance:
    """The source of the machine's dice: a key of 32 random bytes, and the texts that the sides added at the start.

    `key` stays secret until the end of the game. `seeds` are pairs of a side and its text; their order does not
    matter. Raises BadInput for a key of another length.

    >>> Chance(bytes(32)) == Chance(bytes(32)), Chance(bytes(32)) == Chance(bytes(32), (("axis", "tulip"),))
    (True, False)
    >>> Chance(b"short")
    Traceback (most recent call last):
    minis.errors.BadInput: expected a key of 32 bytes, not 5
    """

    key: bytes = field(repr=False)
    seeds: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if len(self.key) != KEY_BYTES:
            raise bad(f"expected a key of {KEY_BYTES} bytes, not {len(self.key)}")

    def face(self, question: str, purpose: str, number: int, faces: int, again: int = 0) -> int:
        """The face, 1 to `faces`, of a die of a question: always the same for the same arguments.

        `number` counts the dice thrown for one purpose from 0; `again` counts the new dice that the judge ordered in
        place of this one. Every face is as likely as any other. Raises BadInput for a die without faces.

        >>> chance = Chance(bytes(32))
        >>> chance.face("q1", "sighting", 0, 100) == chance.face("q1", "sighting", 0, 100)
        True
        >>> chance.face("q1", "sighting", 0, 100) == chance.face("q1", "sighting", 0, 100, again=1)
        False
        """
        if faces < 1:
            raise bad(f"expected a die of 1 face or more, not {faces}")
        label = [SCHEME, sorted(map(list, self.seeds)), question, purpose, number, faces, again]
        # A JSON list says where each part ends, so that no two sets of arguments share a label.
        stream = _stream(self.key, json.dumps(label, separators=(",", ":")).encode("ascii"))
        return _below(faces, stream) + 1


def key_hash(key: bytes) -> str:
    """The SHA-256 of a key in hex: published at the start, so that the key shown at the end can be checked.

    >>> key_hash(bytes(32))[:16], key_hash(bytes(32)) == key_hash(bytes(31) + b"1")
    ('66687aadf862bd77', False)
    """
    return hashlib.sha256(key).hexdigest()


def _stream(key: bytes, label: bytes) -> Iterator[int]:
    """Bytes without end: the HMAC-SHA256 of the number of each block (8 bytes, the first is 0) and the label."""
    for block in itertools.count():
        yield from hmac.digest(key, block.to_bytes(8, "big") + label, "sha256")


def _below(bound: int, stream: Iterator[int]) -> int:
    """A number from 0 to below a bound: the next bytes as one number, or those after them.

    Numbers from the last multiple of the bound on are passed over, since they would make the low faces likelier.
    """
    width = (bound.bit_length() + 7) // 8
    span = 256**width
    while True:
        number = int.from_bytes(itertools.islice(stream, width), "big")
        if number < span - span % bound:
            return number % bound
