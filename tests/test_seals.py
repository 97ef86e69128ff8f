"""Seals: the list of words, the commitment, words as people type them, and the command that makes a seal."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from minis.cli import seal as command
from minis.cli.main import cli
from minis.cli.seal import read_seal
from minis.errors import BadInput
from minis.game.seals import Seal, matches, read_words, seal_in, seal_of, seal_text
from minis.game.words import WORDS, words_of
from minis.toml_file import parse_toml

SALT = bytes(range(16))
SETUP = 'side = "axis"\n\n[[unit]]\nid = "P8"\nat = [65.4, 11.9]\n'
GOLDEN_LIST = "576392e189ce97fa7adf0ec415a1ff50d22e6d9f95e28199e289c5fa1efa0051"
GOLDEN_SEAL = "elephant igloo spider glacier clock jukebox puppet jigsaw engine cherry bracelet circus"


# --- the words -------------------------------------------------------------------------------------------------------


def sound_of(word: str) -> str:
    """A word as Soundex hears it, at full length: its first letter, then its consonants in six groups."""
    groups = {c: n for n, letters in enumerate(("bfpv", "cgjkqsxz", "dt", "l", "mn", "r"), 1) for c in letters}
    heard = [groups.get(letter, 0) for letter in word if letter not in "hw"]
    kept = [group for group, _ in itertools.groupby(heard)]
    rest = kept if word[0] in "hw" else kept[1:]
    return word[0] + "".join(str(group) for group in rest if group)


def letters_apart(one: str, other: str) -> int:
    """How many letters must be put in, taken out or changed to make one word of another."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        before, row = row, [i]
        for j, b in enumerate(other, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (a != b)))
    return row[-1]


def test_there_is_a_word_for_every_byte() -> None:
    """256 words, all different, three to eight small letters each, in the order of the alphabet."""
    assert len(WORDS) == len(set(WORDS)) == 256
    assert all(re.fullmatch(r"[a-z]{3,8}", word) for word in WORDS)
    assert list(WORDS) == sorted(WORDS)


def test_words_are_told_apart_over_a_telephone() -> None:
    """No word begins another, none sounds like another, and two letters typed wrong make no word of another."""
    for one, other in itertools.combinations(WORDS, 2):
        assert not other.startswith(one), (one, other)
        assert sound_of(one) != sound_of(other), (one, other)
        assert letters_apart(one, other) >= 3, (one, other)


def test_the_words_never_change() -> None:
    """Every seal ever made rests on this list and its order."""
    assert hashlib.sha256(" ".join(WORDS).encode()).hexdigest() == GOLDEN_LIST


def test_each_byte_has_its_own_word() -> None:
    """The words of the bytes 0 to 255 are the list; a digest too short is refused."""
    assert words_of(bytes(range(256)), 256) == WORDS
    assert words_of(bytes([3, 2, 1]), 2) == (WORDS[3], WORDS[2])
    with pytest.raises(BadInput, match="2 bytes or more"):
        words_of(b"x", 2)


# --- the commitment --------------------------------------------------------------------------------------------------


def test_a_seal_is_the_hash_of_salt_and_text() -> None:
    """Twelve words: the first twelve bytes of the SHA-256 of scheme, salt and text, the length before each."""
    text = SETUP.encode()
    parts = [b"minis seal 1", SALT, text]
    digest = hashlib.sha256(b"".join(bytes(7) + bytes([len(part)]) + part for part in parts)).digest()
    assert seal_of(text, SALT) == " ".join(WORDS[byte] for byte in digest[:12]) == GOLDEN_SEAL


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=20), st.binary(max_size=20))
def test_a_seal_fits_its_own_text_and_salt_alone(text: bytes, other: bytes, salt: bytes, grain: bytes) -> None:
    """Another text or another salt is another seal, wherever the one ends and the other begins."""
    assert matches(seal_of(text, salt), text, salt)
    assert matches(seal_of(text, salt), other, grain) == ((text, salt) == (other, grain))
    assert seal_of(grain + text, salt) != seal_of(text, salt + grain) or not grain


@given(st.lists(st.sampled_from([" ", ",", ", ", "-", " - ", "\n", ";", ". ", " – "]), min_size=12, max_size=12))
def test_how_the_words_are_typed_does_not_matter(between: list[str]) -> None:
    """Capitals, and what stands between the words, before and after them."""
    words = seal_of(b"text", SALT)
    typed = "".join(word + gap for word, gap in zip(words.upper().split(), between, strict=True))
    assert read_words(between[0] + typed) == words
    assert matches(typed, b"text", SALT)


def test_wrong_words_are_told_one_by_one() -> None:
    """Each wrong word is told with its number and the nearest word of the list, and a word left out is told too."""
    words = seal_of(b"text", SALT).split()
    words[2], words[6] = "pyramidd", "q9"
    with pytest.raises(BadInput) as caught:
        read_words(" ".join(words[:-1]), file="--seal")
    assert str(caught.value).splitlines() == [
        "--seal: word 3 of the seal: 'pyramidd' is no word of a seal; did you mean 'pyramid'?",
        "--seal: word 7 of the seal: 'q9' is no word of a seal; nothing in the list is near it",
        "--seal: expected the 12 words of a seal, not 11",
    ]


@pytest.mark.parametrize(("count", "said"), [(0, "not 0"), (11, "not 11"), (13, "not 13")])
def test_a_seal_has_twelve_words(count: int, said: str) -> None:
    """A seal that lost or won a word is refused, not taken for another seal."""
    with pytest.raises(BadInput, match=said):
        matches("acorn " * count, b"", b"")


def test_a_true_word_in_a_wrong_place_is_another_seal() -> None:
    """Two words that changed places are words of the list, and fit nothing."""
    words = seal_of(b"text", SALT).split()
    assert words[0] != words[1]
    assert not matches(" ".join([words[1], words[0], *words[2:]]), b"text", SALT)


# --- the file of a seal ----------------------------------------------------------------------------------------------


@given(st.binary(min_size=16, max_size=16), st.text(st.characters(codec="utf-8"), max_size=20))
def test_a_seal_is_read_as_it_was_written(salt: bytes, name: str) -> None:
    """Whatever the name of the set-up, quotes and control characters too."""
    seal = Seal(salt, seal_of(b"text", salt))
    assert seal_in(parse_toml(seal_text(seal, name), "x.seal")) == seal


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("salt", "sallt", "x.seal:3:1: sallt: is no key that is known here; did you mean 'salt'?"),
        ('salt = "00', 'salt = "0', "x.seal:3:1: salt: expected 32 digits 0 to 9 and a to f"),
        ('salt = "00', 'salt = "0G', "x.seal:3:1: salt: expected 32 digits 0 to 9 and a to f"),
        ('salt = "00', 'salt = 3 # "00', "x.seal:3:1: salt: expected a text in quotes, not 3"),
        ("acorn acorn", "acorn acron", "x.seal:4:1: words: word 2 of the seal: 'acron' is no word of a seal; did you"),
        ("acorn acorn acorn", "acorn acron", "'acorn' or 'falcon'?; expected the 12 words of a seal, not 11"),
        ("words", "#words", "x.seal: words: is missing"),
    ],
)
def test_a_seal_that_was_spoilt_is_told(old: str, new: str, said: str) -> None:
    """A seal is read as strictly as any file, each mistake with its place."""
    text = seal_text(Seal(bytes(16), " ".join(["acorn"] * 12)), "axis.toml")
    assert old in text
    with pytest.raises(BadInput) as caught:
        seal_in(parse_toml(text.replace(old, new, 1), "x.seal"))
    assert any(said in line for line in str(caught.value).splitlines()), str(caught.value)


# --- minis seal ------------------------------------------------------------------------------------------------------


@pytest.fixture
def setup(tmp_path: Path) -> Path:
    """A set-up in a folder of its own."""
    path = tmp_path / "axis.toml"
    path.write_text(SETUP, encoding="utf-8")
    return path


def run(*args: object) -> Result:
    """The command as it is called."""
    return CliRunner().invoke(command.seal, [str(arg) for arg in args], **cli.context_settings)


def refusal(*args: object) -> list[str]:
    """The messages with which the command is refused."""
    result = run(*args)
    assert isinstance(result.exception, BadInput), (result.output, result.exception)
    assert result.stdout == ""
    return str(result.exception).splitlines()


def files(folder: Path) -> list[str]:
    """What lies in a folder, hidden files too."""
    return sorted(path.name for path in folder.iterdir())


def test_a_seal_is_printed_and_kept(setup: Path) -> None:
    """Twelve words in lines of four and what to do with them; salt and words lie beside the set-up, which fits them."""
    result = run(setup)
    assert result.exit_code == 0, result.exception
    *lines, advice = result.stdout.splitlines()
    assert [len(line.split()) for line in lines] == [4, 4, 4]
    assert "opponent" in advice
    assert str(setup) in advice
    salt, words = read_seal(setup)
    assert " ".join(lines).split() == words.split()
    assert words == seal_of(SETUP.encode(), salt)
    assert files(setup.parent) == ["axis.toml", "axis.toml.seal"]
    assert setup.read_text(encoding="utf-8") == SETUP


def test_a_seal_as_data(setup: Path) -> None:
    """--json: where the files are, whether the seal is new, the words in a list."""
    answer = json.loads(run(setup, "--json").stdout)
    assert answer == {
        "file": str(setup),
        "seal": f"{setup}.seal",
        "new": True,
        "words": read_seal(setup)[1].split(),
    }
    assert json.loads(run(setup, "--json").stdout) == answer | {"new": False}


def test_a_seal_that_fits_is_printed_once_more(setup: Path) -> None:
    """The same words, and the file of the seal untouched."""
    first = run(setup).stdout
    kept = Path(f"{setup}.seal").read_bytes()
    assert run(setup).stdout == first
    assert Path(f"{setup}.seal").read_bytes() == kept


def test_a_changed_set_up_is_told_and_its_seal_kept(setup: Path) -> None:
    """Neither `minis seal` nor the start of a game takes a set-up that was changed after sealing."""
    run(setup)
    kept = Path(f"{setup}.seal").read_bytes()
    setup.write_text(SETUP.replace("65.4", "65.5"), encoding="utf-8")
    changed = f"{setup}: was changed after it was sealed; expected the text that its seal fits"
    assert refusal(setup) == [changed, f"{setup}.seal: is kept as it is; `minis seal --again` makes a new one"]
    assert Path(f"{setup}.seal").read_bytes() == kept
    with pytest.raises(BadInput) as caught:
        read_seal(setup)
    assert str(caught.value) == changed


def test_a_new_seal_is_made_when_it_is_asked_for(setup: Path) -> None:
    """--again: another salt, so other words, though the text is the same; a spoilt seal is replaced too."""
    run(setup)
    salt, words = read_seal(setup)
    assert run(setup, "--again").exit_code == 0
    assert read_seal(setup)[0] != salt
    assert read_seal(setup)[1] != words
    Path(f"{setup}.seal").write_text("spoilt", encoding="utf-8")
    assert "not TOML" in refusal(setup)[0]
    assert run(setup, "--again").exit_code == 0
    assert read_seal(setup)
    assert files(setup.parent) == ["axis.toml", "axis.toml.seal"]


def test_line_ends_do_not_break_a_seal(setup: Path) -> None:
    """A file that went through another system's line ends, or got its byte order mark, is the same text."""
    run(setup)
    setup.write_bytes(b"\xef\xbb\xbf" + SETUP.replace("\n", "\r\n").encode())
    assert read_seal(setup)[1]


def test_a_set_up_with_mistakes_is_not_sealed(setup: Path) -> None:
    """Every mistake at once, and nothing written."""
    setup.write_text(SETUP.replace("at =", "att =") + 'facing = "west"\n', encoding="utf-8")
    assert [line.split(": ")[1] for line in refusal(setup)] == ["unit[0].att (P8)", "unit[0].facing (P8)"]
    assert files(setup.parent) == ["axis.toml"]


def test_a_set_up_without_a_seal_is_told(setup: Path) -> None:
    """The start of a game asks for the seal that is not there by name, and for a set-up that is a directory."""
    with pytest.raises(BadInput) as caught:
        read_seal(setup)
    assert str(caught.value) == f"{setup}.seal: there is no such file; expected a seal made by `minis seal`"
    for nowhere in (setup.parent, Path(".")):
        with pytest.raises(BadInput, match="is a directory; expected a set-up file"):
            read_seal(nowhere)


def test_a_seal_that_cannot_be_written_leaves_nothing(setup: Path) -> None:
    """A directory in its place: one message, no half-written file beside it."""
    Path(f"{setup}.seal").mkdir()
    assert refusal(setup, "--again") == [f"{setup}.seal: cannot be written (Is a directory)"]
    assert files(setup.parent) == ["axis.toml", "axis.toml.seal"]
