"""The machine's dice of a game: fair, fixed for ever by key and question, and the same by another way of reckoning."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minis.errors import BadInput
from minis.game import chance as module
from minis.game.chance import Chance, key_hash

KEY = bytes(range(32))
SEEDS = (("allied", "a wet Tuesday"), ("axis", "Übermut"))
LABELS = st.tuples(
    st.text(max_size=8),
    st.text(max_size=8),
    st.integers(0, 300),
    st.sampled_from((1, 2, 6, 10, 100, 255, 256, 257)),
    st.integers(0, 3),
)
GOLDEN_D100 = [93, 44, 79, 26, 23, 26, 62, 87]
GOLDEN_D6 = [1, 3, 3, 5, 3, 5, 5, 1]
GOLDEN_AGAIN = [93, 34, 97, 66, 28, 100, 81, 37]
GOLDEN_FAR = 611657720

CHI_SQUARE_999 = {5: 20.515, 35: 66.619, 99: 148.230}
"""What chi-square exceeds once in a thousand, by degrees of freedom."""


def twin(key: bytes, seeds: Sequence[tuple[str, str]], question: str, purpose: str, n: int, faces: int, m: int) -> int:
    """The face by the definitions of HMAC (RFC 2104) and of rejection, from nothing but SHA-256."""
    texts = [json.dumps(text) for text in (question, purpose)]
    pairs = ",".join(f"[{json.dumps(side)},{json.dumps(text)}]" for side, text in sorted(seeds))
    label = f'["minis dice 1",[{pairs}],{texts[0]},{texts[1]},{n},{faces},{m}]'.encode()
    padded = key + bytes(64 - len(key))
    inner, outer = (bytes(byte ^ pad for byte in padded) for pad in (0x36, 0x5C))
    data = b""
    for block in range(4):
        message = block.to_bytes(8, "big") + label
        data += hashlib.sha256(outer + hashlib.sha256(inner + message).digest()).digest()
    width = 1 if faces < 256 else 2
    fair = 256**width // faces * faces
    numbers = (int.from_bytes(data[start : start + width], "big") for start in range(0, len(data), width))
    return next(number for number in numbers if number < fair) % faces + 1


def chi_square(faces: Iterable[object], cells: int) -> float:
    """How far counts are from even ones."""
    counts = Counter(faces)
    assert len(counts) == cells, "a face never came"
    expected = sum(counts.values()) / cells
    return sum((count - expected) ** 2 for count in counts.values()) / expected


def thrown(faces: int, count: int) -> list[int]:
    """Dice of one purpose of one question, one after another."""
    chance = Chance(KEY)
    return [chance.face("q", "sighting", number, faces) for number in range(count)]


# --- the same for ever -----------------------------------------------------------------------------------------------


def test_the_stream_never_changes() -> None:
    """The faces of a known key are those that were written down when the dice were made."""
    assert [Chance(KEY).face("12", "sighting", number, 100) for number in range(8)] == GOLDEN_D100
    assert [Chance(KEY, SEEDS).face("12", "coloured", number, 6) for number in range(8)] == GOLDEN_D6
    assert [Chance(KEY).face("12", "sighting", 0, 100, again) for again in range(8)] == GOLDEN_AGAIN
    assert Chance(KEY).face("12", "far", 0, 10**9) == GOLDEN_FAR


def test_the_hash_of_a_key_is_its_sha_256() -> None:
    """What is published at the start can be checked with any tool that knows SHA-256."""
    assert key_hash(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(st.binary(min_size=32, max_size=32), st.lists(st.tuples(st.text(), st.text()), max_size=3), LABELS)
def test_another_way_of_reckoning_gives_the_same_face(
    key: bytes, seeds: list[tuple[str, str]], label: tuple[str, str, int, int, int]
) -> None:
    """HMAC written out from its definition, and a label put together by hand, give every face alike."""
    assert Chance(key, tuple(seeds)).face(*label) == twin(key, seeds, *label)


@given(LABELS)
def test_a_face_is_one_of_the_die(label: tuple[str, str, int, int, int]) -> None:
    """A die shows 1 to its number of faces, and the same when it is asked again."""
    assert 1 <= Chance(KEY).face(*label) <= label[3]
    assert Chance(KEY).face(*label) == Chance(KEY).face(*label)


def test_a_die_of_one_face_shows_it() -> None:
    """The least die there is."""
    assert Chance(KEY).face("q", "p", 0, 1) == 1


# --- each die by itself ----------------------------------------------------------------------------------------------


def run(
    key: bytes = KEY, seeds: tuple[tuple[str, str], ...] = (), question: str = "q", purpose: str = "p"
) -> list[int]:
    """Twenty percentile dice: two rows that differ come from different streams."""
    return [Chance(key, seeds).face(question, purpose, number, 100) for number in range(20)]


def test_every_argument_makes_other_dice() -> None:
    """Key, seeds, question and purpose each change the dice, and no two texts run into one another."""
    rows = [
        run(),
        run(key=bytes(32)),
        run(seeds=(("axis", "x"),)),
        run(seeds=(("axis", ""), ("x", ""))),
        run(seeds=(("axisx", ""),)),
        run(question="qp", purpose=""),
        run(question="", purpose="qp"),
        run(question='q","p'),
        [Chance(KEY).face("q", "p", number, 100, again=1) for number in range(20)],
    ]
    assert len({tuple(row) for row in rows}) == len(rows)


def test_the_number_of_faces_makes_another_die() -> None:
    """A ten-sided die is not the last digit of the percentile die of the same question."""
    chance = Chance(KEY)
    pairs = [(chance.face("q", "p", number, 10), chance.face("q", "p", number, 100)) for number in range(50)]
    assert any(ten != (hundred - 1) % 10 + 1 for ten, hundred in pairs)


def test_the_order_of_the_seeds_does_not_matter() -> None:
    """Who gave his text first changes no die."""
    assert run(seeds=SEEDS) == run(seeds=SEEDS[::-1])


# --- fair ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("faces", [6, 100])
def test_every_face_is_as_likely_as_any_other(faces: int) -> None:
    """The counts of many dice are as even as chance makes them: below 99.9 percent of chi-square."""
    assert chi_square(thrown(faces, 300 * faces), faces) < CHI_SQUARE_999[faces - 1]


def test_many_questions_are_fair_too() -> None:
    """The first die of many questions is as even as many dice of one question."""
    chance = Chance(KEY)
    faces = [chance.face(str(question), "sighting", 0, 100) for question in range(20_000)]
    assert chi_square(faces, 100) < CHI_SQUARE_999[99]


def test_a_die_says_nothing_about_the_next() -> None:
    """Pairs of neighbours are even: the 36 pairs of d6, and new dice against those in whose place they come."""
    faces = thrown(6, 7200)
    assert chi_square(itertools.pairwise(faces), 36) < CHI_SQUARE_999[35]
    chance = Chance(KEY)
    renewed = [(face, chance.face("q", "sighting", n, 6, again=1)) for n, face in enumerate(faces)]
    assert chi_square(renewed, 36) < CHI_SQUARE_999[35]


def test_numbers_that_would_favour_low_faces_are_passed_over() -> None:
    """Of a byte, 252 to 255 make no d6 and 200 to 255 no d100: the next byte is taken; of 256 faces it takes two."""
    assert module._below(6, iter([252, 255, 251])) == 251 % 6
    assert module._below(100, iter([200, 199])) == 99
    assert module._below(256, iter([1, 7])) == 7


def test_the_stream_goes_on_beyond_its_first_block() -> None:
    """A hash has 32 bytes; the bytes after them come from other hashes."""
    data = list(itertools.islice(module._stream(KEY, b"label"), 96))
    blocks = {tuple(data[start : start + 32]) for start in (0, 32, 64)}
    assert len(blocks) == 3


# --- refused ---------------------------------------------------------------------------------------------------------


def test_a_key_of_another_length_is_refused() -> None:
    """Fewer than 32 bytes can be guessed, more are hashed down by HMAC: neither is a key."""
    for length in (0, 31, 33):
        with pytest.raises(BadInput, match=f"expected a key of 32 bytes, not {length}"):
            Chance(bytes(length))


def test_a_die_without_faces_is_refused() -> None:
    """There is no die of no faces."""
    with pytest.raises(BadInput, match="1 face or more, not 0"):
        Chance(KEY).face("q", "p", 0, 0)


def test_the_key_is_not_shown() -> None:
    """A message or a log that prints the source of the dice does not give the key away."""
    assert repr(Chance(KEY, SEEDS)) == f"Chance(seeds={SEEDS!r})"
