"""Seals: twelve words that commit a player to a text before he shows it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, field_validator

from minis.errors import BadInput, Mistake, bad
from minis.game.words import WORDS, words_of
from minis.toml_file import Document, nearest_of, shown, validate

SEAL_WORDS = 12
"""Words of a seal: 96 bits of its hash."""

SALT_BYTES = 16
"""Random bytes that go into a seal, so that nobody finds the text by trying likely ones."""

SCHEME = b"minis seal 1"
"""Stands in what is hashed: another way to seal gets another name, so that old seals keep fitting."""

WHAT = "a seal made by `minis seal`"

_BETWEEN = re.compile(r"[\s,;.\-\u2010-\u2015]+")
"""What may stand between the words of a person: blanks, commas, stops, hyphens and dashes."""


@dataclass(frozen=True)
class Seal:
    """A commitment to a text: its salt, secret as long as the text is, and its words, which anybody may know."""

    salt: bytes
    words: str


def seal_of(text: bytes, salt: bytes) -> str:
    """The twelve words that commit to a text under a salt, with a blank between them.

    >>> seal_of(b"side = 'axis'", bytes(16)) == seal_of(b"side = 'axis'", bytes(16))
    True
    >>> seal_of(b"side = 'axis'", bytes(16)) == seal_of(b"side = 'axis' ", bytes(16))
    False
    """
    return " ".join(words_of(hashlib.sha256(_framed(SCHEME, salt, text)).digest(), SEAL_WORDS))


def _framed(*parts: bytes) -> bytes:
    """Parts in a row, the length of each (8 bytes) before it: no two rows of parts look the same."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def matches(words: str, text: bytes, salt: bytes) -> bool:
    """True where words as a person typed them are the seal of a text under a salt.

    Raises BadInput where they are no seal at all.

    >>> words = seal_of(b"side = 'axis'", bytes(16))
    >>> matches(words.upper().replace(" ", ", "), b"side = 'axis'", bytes(16))
    True
    >>> matches(words, b"side = 'allied'", bytes(16))
    False
    """
    return hmac.compare_digest(read_words(words), seal_of(text, salt))


def read_words(words: str, *, file: str = "") -> str:
    """The words of a seal as a person types them, brought into the form in which `seal_of` gives them.

    Capitals, and blanks, commas, stops or hyphens between the words do not matter. Raises BadInput with every word
    that is none of the list, and for too few or too many words.

    >>> read_words("Acorn, acorn - acorn ALBUM acorn acorn acorn acorn acorn acorn acorn acorn")
    'acorn acorn acorn album acorn acorn acorn acorn acorn acorn acorn acorn'
    >>> read_words("acorn " * 11 + "zippper")
    Traceback (most recent call last):
    minis.errors.BadInput: word 12 of the seal: 'zippper' is no word of a seal; did you mean 'zipper'?
    """
    typed = [word for word in _BETWEEN.split(words.lower()) if word]
    wrong = [
        Mistake(f"word {number} of the seal: {shown(word)} is no word of a seal; {_hint(word)}", file=file)
        for number, word in enumerate(typed, start=1)
        if word not in WORDS
    ]
    if len(typed) != SEAL_WORDS:
        wrong.append(Mistake(f"expected the {SEAL_WORDS} words of a seal, not {len(typed)}", file=file))
    if wrong:
        raise BadInput(wrong)
    return " ".join(typed)


def _hint(word: str) -> str:
    """The words of the list that are nearest to another; never the whole list."""
    return nearest_of(word, WORDS, otherwise="nothing in the list is near it")


# --- the file of a seal --------------------------------------------------------------------------------------------


class SealFile(BaseModel):
    """A seal as it is kept beside the text that it seals."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    file: str
    salt: str
    words: str

    @field_validator("salt")
    @classmethod
    def _is_a_salt(cls, value: str) -> str:
        if not re.fullmatch(f"[0-9a-f]{{{2 * SALT_BYTES}}}", value):
            raise ValueError(f"expected {2 * SALT_BYTES} digits 0 to 9 and a to f, not {shown(value)}")
        return value

    @field_validator("words")
    @classmethod
    def _are_words(cls, value: str) -> str:
        try:
            return read_words(value)
        except BadInput as error:
            raise ValueError("; ".join(mistake.message for mistake in error.mistakes)) from None


def seal_text(seal: Seal, name: str) -> str:
    """The TOML text of a seal of the file with this name.

    >>> print(seal_text(Seal(bytes(16), "acorn album"), "axis.toml"))
    # The seal of a set-up. Keep it beside the set-up and change neither.
    file = "axis.toml"
    salt = "00000000000000000000000000000000"
    words = "acorn album"
    <BLANKLINE>
    """
    plain = "".join(c if c.isprintable() else "?" for c in name)  # a note for the reader: nothing looks for the file
    return (
        "# The seal of a set-up. Keep it beside the set-up and change neither.\n"
        f'file = {json.dumps(plain, ensure_ascii=False)}\nsalt = "{seal.salt.hex()}"\nwords = "{seal.words}"\n'
    )


def seal_in(document: Document) -> Seal:
    """The seal that a TOML document holds; raises BadInput with every mistake."""
    entry, mistakes = validate(document, SealFile, document.data)
    if entry is None:
        raise BadInput(mistakes)
    return Seal(bytes.fromhex(entry.salt), entry.words)


def check_seal(seal: Seal, text: str, *, file: str = "") -> Seal:
    """The seal itself, where it fits a text; raises BadInput where the text is not the one that was sealed.

    >>> seal = Seal(bytes(16), seal_of(b"side = 'axis'", bytes(16)))
    >>> check_seal(seal, "side = 'axis'") == seal
    True
    >>> check_seal(seal, "side = 'allied'", file="axis.toml")
    Traceback (most recent call last):
    minis.errors.BadInput: axis.toml: was changed after it was sealed; expected the text that its seal fits
    """
    if not matches(seal.words, text.encode(), seal.salt):
        raise bad("was changed after it was sealed; expected the text that its seal fits", file=file)
    return seal
