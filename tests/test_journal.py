"""The journal of a game: what was acknowledged is kept, what is damaged is found, and nothing else is ever changed."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.errors import BadInput, MinisError
from minis.game import journal as module
from minis.game.chain import Damaged, Event, canonical, row_after
from minis.game.journal import FORMAT, Journal, Overtaken, is_game
from minis.game.salvage import Salvage, salvage

NOON = datetime(2024, 6, 1, 12, 0, 0, tzinfo=UTC)
SECRETS = {"key": bytes(range(32)), "other": b"salt"}
PAGE = 4096


def unsafe(journal: Journal) -> Journal:
    """The journal without waiting for the disk: for tests that do not pull the plug."""
    journal._db.execute("PRAGMA synchronous = OFF")
    return journal


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a game of five short events and two secrets."""
    path = tmp_path_factory.mktemp("small") / "a.game"
    with unsafe(Journal.create(path, "start", {"title": "Höhe 112"}, secrets=SECRETS, now=NOON)) as journal:
        for number in range(1, 5):
            journal.append("move", {"unit": f"T{number}", "to": [number, 2.5]}, after=number, now=NOON)
    return path.read_bytes()


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a game of 300 events, some of several pages."""
    path = tmp_path_factory.mktemp("long") / "a.game"
    with unsafe(Journal.create(path, "start", {"text": "s" * 30_000}, secrets=SECRETS, now=NOON)) as journal:
        for number in range(1, 300):
            journal.append("note", {"text": "é" * (number**3 % 3001)}, after=number, now=NOON)
    return path.read_bytes()


@pytest.fixture
def game(tmp_path: Path, small: bytes) -> Path:
    """The small game in a folder of its own."""
    path = tmp_path / "a.game"
    path.write_bytes(small)
    return path


def read(path: Path) -> tuple[list[Event], list[bytes]]:
    """Everything that a game file keeps."""
    with Journal.open(path) as journal:
        return journal.events(), [journal.secret(name) for name in SECRETS]


def message(act: Callable[[], object], kind: type[MinisError] = BadInput) -> str:
    """The message with which an act is refused."""
    with pytest.raises(kind) as caught:
        act()
    return str(caught.value)


def in_folder(path: Path) -> list[str]:
    """The names in the folder of a file."""
    return sorted(os.listdir(path.parent))


def edit(path: Path, *statements: str) -> None:
    """Change a game file as somebody with an SQLite shell would, its triggers put back afterwards."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, sql in triggers:
            connection.execute(sql)


# What is written is what is read.

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(plain)
def test_the_same_data_has_one_text_and_the_text_gives_the_data_back(data: Any) -> None:
    """Reading the canonical text and writing it again changes nothing, neither value nor type."""
    try:
        text = canonical(data)
    except BadInput:
        with pytest.raises(UnicodeEncodeError):
            json.dumps(data, ensure_ascii=False).encode()
        return
    assert json.loads(text) == data
    assert canonical(json.loads(text)) == text


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(), min_size=2), st.randoms())
def test_the_order_in_which_keys_were_set_does_not_matter(data: dict[str, int], chance: random.Random) -> None:
    """Keys are sorted."""
    items = list(data.items())
    chance.shuffle(items)
    assert canonical(dict(items)) == canonical(data)


def nested(depth: int) -> Any:
    """A list in a list in a list."""
    data: Any = []
    for _ in range(depth):
        data = [data]
    return data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"a": float("nan")}, "not nan"),
        ({"a": float("-inf")}, "not -inf"),
        ({1: "a"}, "expected a text as key, not 1"),
        ({"a": b"x"}, "not b'x'"),
        ({"a": {1, 2}}, "not {1, 2}"),
        ({"a": "\ud800"}, "surrogate"),
        (10**5000, "too many digits"),
        (nested(5000), "100 deep"),
    ],
    ids=["nan", "infinite", "key", "bytes", "set", "surrogate", "digits", "depth"],
)
def test_data_that_would_not_come_back_is_refused(data: Any, words: str) -> None:
    """NaN, keys that are no text, objects, half characters, endless numbers and endless nesting are bad input."""
    assert words in message(lambda: canonical(data))


def test_events_and_secrets_come_back_as_they_were_given(tmp_path: Path) -> None:
    """Numbered from 1, their time in UTC to the second, whatever its zone was; tuples come back as lists."""
    path, zone = tmp_path / "a.game", timezone(timedelta(hours=2))
    late = datetime(2024, 6, 1, 18, 30, 5, 999, tzinfo=zone)
    with Journal.create(path, "start", {"title": "Höhe"}, secrets=SECRETS, now=NOON) as journal:
        added = journal.append("move", {"unit": "T1", "to": (1, 2.5)}, after=1, now=late)
        assert added == journal.events()[1]
    events, secrets = read(path)
    assert [(event.seq, event.time, event.kind) for event in events] == [
        (1, "2024-06-01T12:00:00Z", "start"),
        (2, "2024-06-01T16:30:05Z", "move"),
    ]
    assert (events[0].data, events[1].data) == ({"title": "Höhe"}, {"unit": "T1", "to": [1, 2.5]})
    assert secrets == list(SECRETS.values())
    assert in_folder(path) == ["a.game"]


def test_each_hash_covers_the_event_and_the_hash_before(game: Path) -> None:
    """SHA-256 of the JSON list of number, time, kind, data text and the hash before, reckoned here by hand."""
    before = "0" * 64
    for event in read(game)[0]:
        data = json.dumps(event.data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        parts = [event.seq, event.time, event.kind, data, before]
        text = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
        assert (event.prev, event.hash) == (before, hashlib.sha256(text.encode()).hexdigest())
        before = event.hash


def test_the_hashes_never_change(game: Path) -> None:
    """A golden value: files of today are read tomorrow."""
    assert read(game)[0][-1].hash == "f325168bcc0c8953ae258d76d5defdaf33dd03cf6fa5663bbacbbc7fbbf295c1"


def test_the_file_says_what_it_is_and_how_it_is_kept(game: Path) -> None:
    """Format and application stand in the head; the disk confirms the rollback journal's removal, too."""
    assert game.read_bytes()[60:64] == FORMAT.to_bytes(4)
    assert game.read_bytes()[68:72] == b"mnis"
    with Journal.open(game) as journal:
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (3,)
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert journal._db.execute("PRAGMA busy_timeout").fetchone() == (10_000,)


def test_only_the_judge_reads_the_file_of_a_new_game(tmp_path: Path) -> None:
    """It holds hidden units and the key of the dice, so others on the machine may not read it."""
    Journal.create(tmp_path / "a.game", "start", {}, secrets={}).close()
    assert stat.S_IMODE((tmp_path / "a.game").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "act",
    [
        "UPDATE events SET kind = 'x' WHERE seq = 2",
        "DELETE FROM events WHERE seq = 5",
        "REPLACE INTO events VALUES (5, '', '', '', '', '')",
        "INSERT INTO events VALUES (9, '', '', '', '', '')",
        "UPDATE secrets SET value = x'00'",
        "DELETE FROM secrets",
        "REPLACE INTO secrets VALUES ('key', x'00', '')",
        "INSERT INTO secrets VALUES ('new', x'00', '')",
    ],
)
def test_what_is_kept_cannot_be_changed(game: Path, act: str) -> None:
    """Triggers refuse it, to another program as well."""
    refused = pytest.raises(sqlite3.IntegrityError, match=r"a game file only grows|follows the last|before the first")
    with closing(sqlite3.connect(game, isolation_level=None)) as connection, refused:
        connection.execute(act)
    assert len(read(game)[0]) == 5


def test_an_event_upon_an_older_state_is_refused(game: Path) -> None:
    """The caller says which event it has seen last; another in between, and it must rule again."""
    with Journal.open(game) as one, Journal.open(game) as other:
        one.append("note", {}, after=5)
        assert "its last event is number 6, not 5" in message(lambda: other.append("note", {}, after=5), Overtaken)
        assert "its last event is number 6, not 9" in message(lambda: other.append("note", {}, after=9), Overtaken)
        assert other.append("note", {}, after=6).seq == 7
        assert len(one.events()) == 7


@pytest.mark.parametrize(
    ("kind", "data", "now", "words"),
    [
        ("", {}, NOON, "it has no kind"),
        (3, {}, NOON, "a value of a wrong type"),
        ("note", [], NOON, "its data is not a table"),
        ("note", {"x": float("nan")}, NOON, "not nan"),
        ("note\udc80", {}, NOON, "half a character"),
        ("note", {}, datetime(2024, 6, 1), "time zone"),
    ],
)
def test_an_event_that_could_not_be_read_again_is_not_written(
    game: Path, kind: Any, data: Any, now: datetime, words: str
) -> None:
    """It is bad input, and the next event is kept all the same."""
    with Journal.open(game) as journal:
        assert words in message(lambda: journal.append(kind, data, after=5, now=now))
        assert unsafe(journal).append("note", {}, after=5).seq == 6


def test_an_event_without_measure_is_not_written(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than the longest that SQLite keeps is refused before SQLite sees it."""
    monkeypatch.setattr("minis.game.chain.MAX_BYTES", 2**20)
    with Journal.open(game) as journal:
        assert "at most 1 MB, not 3 MB" in message(lambda: journal.append("note", {"x": "x" * 3 * 2**20}, after=5))


def test_a_secret_that_is_not_there_is_bad_input(game: Path) -> None:
    """The file and the name are told."""
    with Journal.open(game) as journal:
        assert message(lambda: journal.secret("salt")) == f"{game}: holds no secret 'salt'"


def test_a_closed_journal_is_closed(game: Path) -> None:
    """Closing twice is no fault; reading afterwards is one of the program."""
    journal = Journal.open(game)
    journal.close()
    journal.close()
    with pytest.raises(sqlite3.ProgrammingError):
        journal.events()


# Making a game: all of it or nothing.


def make(path: Path) -> None:
    """A new game, closed again."""
    Journal.create(path, "start", {}, secrets=SECRETS).close()


def test_a_new_game_overwrites_nothing(game: Path, small: bytes) -> None:
    """Neither a file, nor a folder, nor a link that leads nowhere."""
    link = game.with_name("link")
    link.symlink_to("nowhere")
    for path in (game, game.parent, link):
        assert "is there already" in message(lambda path=path: make(path))
    assert (game.read_bytes(), in_folder(game)) == (small, ["a.game", "link"])


@pytest.mark.parametrize("suffix", ["-journal", "-wal"])
def test_a_leftover_of_a_lost_game_is_not_written_into_a_new_one(tmp_path: Path, suffix: str) -> None:
    """SQLite would take the rollback journal of a deleted file for the new file's and roll back to the old."""
    (tmp_path / f"a.game{suffix}").write_bytes(b"old")
    assert f"the leftover a.game{suffix}" in message(lambda: make(tmp_path / "a.game"))
    assert os.listdir(tmp_path) == [f"a.game{suffix}"]


def fails(*_: object, **__: object) -> None:
    """A disk that fails."""
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize("step", ["os.fsync", "tempfile.mkstemp", "minis.game.journal._check_inside"])
def test_a_game_that_cannot_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """No half file, no rollback journal, whichever step fails."""
    monkeypatch.setattr(step, fails)
    assert "the game was not made: Input/output error" in message(lambda: make(tmp_path / "a.game"))
    assert os.listdir(tmp_path) == []


def test_a_game_that_cannot_be_opened_when_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller that is told of a fault may try again under the same name."""
    monkeypatch.setattr(Journal, "open", fails)
    with pytest.raises(OSError, match="Input/output"):
        make(tmp_path / "a.game")
    assert os.listdir(tmp_path) == []


def test_a_game_is_made_on_a_disk_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory stick has none; a file that appears meanwhile is not overwritten there either."""
    monkeypatch.setattr(os, "link", fails)
    make(tmp_path / "a.game")
    assert len(read(tmp_path / "a.game")[0]) == 1
    monkeypatch.setattr(os.path, "lexists", lambda path: str(path).endswith("b.game") and is_there.pop())
    is_there = [True, False]
    assert "is there already" in message(lambda: make(tmp_path / "b.game"))
    assert os.listdir(tmp_path) == ["a.game"]


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two judges start the same game at once: one of them has it."""
    monkeypatch.setattr(os.path, "lexists", lambda path: False)
    (tmp_path / "a.game").write_text("other")
    assert "is there already" in message(lambda: make(tmp_path / "a.game"))
    assert ((tmp_path / "a.game").read_text(), os.listdir(tmp_path)) == ("other", ["a.game"])


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """The game is not made."""
    expected = f"{tmp_path}/no/a.game: the game was not made: No such file or directory"
    assert message(lambda: make(tmp_path / "no" / "a.game")) == expected


# What is no game.


def with_bytes(at: int, new: bytes) -> Callable[[bytes], bytes]:
    """A change of a file: other bytes at a place."""
    return lambda blob: blob[:at] + new + blob[at + len(new) :]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (with_bytes(60, bytes(4)), "was made by an older minis, format 0; this one reads 1"),
        (with_bytes(60, b"\0\0\0\x02"), "was made by a newer minis, format 2; this one reads 1"),
        (with_bytes(68, b"GPKG"), "is an SQLite file of another program; expected a game file"),
        (lambda blob: b'title = "Crossroads"\n', "is no game; expected a game file made by `minis start`"),
        (lambda blob: b"", "is empty; expected a game file"),
        (lambda blob: blob[:70], "is damaged: it ends after 70 bytes"),
        (with_bytes(18, b"\x02\x02"), "is damaged: its head is not that of a game"),
        (with_bytes(32, b"\0\0\0\x02\0\0\0\x01"), "is damaged: Main freelist: "),
    ],
    ids=["older", "newer", "other", "text", "empty", "head", "wal", "free"],
)
def test_what_is_no_game_of_this_format_is_refused(
    game: Path, small: bytes, change: Callable[[bytes], bytes], words: str
) -> None:
    """The message says what it is, and nothing appears beside the file."""
    game.write_bytes(change(small))
    assert message(lambda: Journal.open(game)).startswith(f"{game}: {words}")
    assert (game.read_bytes(), in_folder(game)) == (change(small), ["a.game"])


def test_a_folder_or_nothing_is_no_game(tmp_path: Path) -> None:
    """Nothing is made where nothing was."""
    assert "is a directory" in message(lambda: Journal.open(tmp_path))
    assert "there is no such file" in message(lambda: Journal.open(tmp_path / "a.game"))
    assert os.listdir(tmp_path) == []


def test_a_write_ahead_log_beside_a_game_is_refused(game: Path) -> None:
    """A game never has one, so it is another file's."""
    game.with_name("a.game-wal").write_bytes(b"x")
    assert "the leftover a.game-wal" in message(lambda: Journal.open(game))


def test_a_game_is_known_by_its_head(game: Path, small: bytes, tmp_path: Path) -> None:
    """Also a damaged one, one of another format and one behind a link; text, folders, pipes and nothing are none."""
    link, text, pipe = tmp_path / "link", tmp_path / "text", tmp_path / "pipe"
    link.symlink_to(game)
    text.write_text("SQLite format")
    os.mkfifo(pipe)
    assert is_game(game)
    assert is_game(link)
    assert not any(map(is_game, (text, pipe, tmp_path, tmp_path / "no", Path("a\0b"), text / "below")))
    game.write_bytes(small[:20])
    assert is_game(game)


def test_a_game_is_read_and_continued_through_a_link(game: Path, tmp_path: Path) -> None:
    """The rollback journal lies beside the file itself, under odd names, too."""
    odd = tmp_path / "50% of #1?.game"
    shutil.move(game, odd)
    link = tmp_path / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to(odd)
    with Journal.open(link) as journal:
        assert unsafe(journal).append("note", {}, after=5).seq == 6
    assert len(read(odd)[0]) == 6
    assert sorted(os.listdir(link.parent)) == ["link"]


# Damage is found.


def test_every_cut_and_every_flipped_bit_is_found_or_harmless(tmp_path: Path, small: bytes) -> None:
    """Every used byte of head and rows, a third of the text of the layout, some bytes not used, cuts at every page."""
    path = tmp_path / "a.game"
    path.write_bytes(small)
    whole = read(path)
    layout = range(200, PAGE)
    used = [at for at, byte in enumerate(small) if (byte and (at not in layout or at % 3 == 0)) or at % 19 == 0]
    changes = [with_bytes(at, bytes([small[at] ^ 1 << at % 8])) for at in used]
    cuts = {cut + step for cut in range(0, len(small), PAGE) for step in (-1, 0, 1)} | set(range(0, len(small), 199))
    changes += [lambda blob, cut=cut: blob[:cut] for cut in cuts if cut >= 0]
    found = 0
    for change in changes:
        path.write_bytes(change(small))
        try:
            now = read(path)
        except BadInput:
            found += 1
        else:
            assert now == whole
    assert found > len(used) // 2
    assert in_folder(path) == ["a.game"]


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (['UPDATE events SET data = \'{"unit":"T9"}\' WHERE seq = 3'], "event 3: its hash does not fit its content"),
        (["UPDATE events SET kind = x'00' WHERE seq = 3"], "event 3: holds a value of a wrong type"),
        (["UPDATE events SET kind = CAST(x'ff' AS TEXT) WHERE seq = 4"], "event 4: holds bytes that are not text"),
        (["DELETE FROM events WHERE seq = 2"], "event 2: is missing; event 3 stands in its place"),
        (["DELETE FROM events WHERE seq = 5"], "event 5: is missing; 4 were found"),
        (["DELETE FROM events"], "event 1: is missing; 0 were found"),
        (["DELETE FROM sqlite_sequence"], "event 6: is missing; 5 were found"),
        (["UPDATE secrets SET value = x'00' WHERE name = 'key'"], "the hash of the secret 'key' does not fit"),
        (["UPDATE secrets SET name = CAST(x'ff' AS TEXT) WHERE name = 'key'"], "the hash of the secret"),
        (["CREATE TABLE more (x)"], "its tables or triggers are not those of a game"),
    ],
)
def test_a_file_that_somebody_changed_is_found(game: Path, statements: list[str], words: str) -> None:
    """The first event that is wrong is named."""
    edit(game, *statements)
    assert words in message(lambda: read(game), Damaged)


def forged(seq: int, **other: str) -> str:
    """A statement that puts another event in the place of one, with a hash that fits it."""
    parts: dict[str, Any] = {"seq": seq, "time": "2024-06-01T12:00:00Z", "kind": "move", "data": "{}", "prev": "0" * 64}
    parts |= other
    text = json.dumps(list(parts.values()), separators=(",", ":"), ensure_ascii=False)
    parts["hash"] = hashlib.sha256(text.encode()).hexdigest()
    changes = ", ".join(f"{key} = '{value}'" for key, value in parts.items())
    return f"UPDATE events SET {changes} WHERE seq = {seq}"


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({}, "does not follow the event before it"),
        ({"time": "2024-06-01 12:00"}, "expected a time such as"),
        ({"data": '{"b":1,"a":2}'}, "its data is not canonical JSON"),
        ({"data": '{"a":NaN}'}, "its data is not canonical JSON"),
        ({"data": "[" * 99_999}, "its data is not canonical JSON"),
        ({"data": "[]"}, "its data is not a table"),
        ({"kind": ""}, "it has no kind"),
    ],
    ids=["chain", "time", "order", "nan", "depth", "list", "kind"],
)
def test_an_event_that_was_forged_is_found(game: Path, other: dict[str, str], words: str) -> None:
    """A hash that fits its own event does not fit the chain, and a form that minis never writes is told."""
    edit(game, forged(3, **other))
    assert f"event 3: {words}" in message(lambda: read(game), Damaged)


def test_nothing_is_added_to_an_event_that_is_damaged(game: Path) -> None:
    """The last event is checked before the next one builds on it."""
    edit(game, forged(5, data="[]"))
    with Journal.open(game) as journal:
        assert "event 5: its data is not a table" in message(lambda: journal.append("note", {}, after=5), Damaged)
    edit(game, "DELETE FROM events WHERE seq = 5")
    with Journal.open(game) as journal:
        assert "is not the one it counts" in message(lambda: journal.append("note", {}, after=4), Damaged)


# What a damaged file still holds.


@cache
def events_of(blob: bytes) -> dict[int, Event]:
    """The events of a game by number."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.game"
        path.write_bytes(blob)
        return {event.seq: event for event in read(path)[0]}


def test_a_sound_game_has_nothing_to_salvage(game: Path) -> None:
    """All events, no damage."""
    found = salvage(game)
    assert (list(found.events), found.damage) == (read(game)[0], ())


def test_one_damaged_event_costs_one_event(game: Path, small: bytes) -> None:
    """The others are given, and the damage shows what can be read of it."""
    game.write_bytes(small.replace(b'"unit":"T2"', b'"unit":"T7"'))
    found = salvage(game)
    assert [event.seq for event in found.events] == [1, 2, 4, 5]
    assert found.damage[0] == "event 3: its hash does not fit its content"
    assert found.damage[1].endswith('it reads 2024-06-01T12:00:00Z move {"to":[2,2.5],"unit":"T7"}')
    assert found.damage[2:] == ("event 3: none that is whole",)


def test_events_are_found_without_head_tables_and_tree(game: Path, long: bytes) -> None:
    """The first page gone, which tells where everything stands: every event is still found."""
    game.write_bytes(bytes(PAGE) + long[PAGE:])
    found = salvage(game)
    assert {event.seq: event for event in found.events} == events_of(long)
    assert found.damage == ("is no game; expected a game file made by `minis start`",)


def test_a_cut_file_gives_the_events_before_the_cut(game: Path, long: bytes) -> None:
    """In order, and the damage says how much of the file is gone."""
    cut = len(long) // 2 // PAGE * PAGE
    game.write_bytes(long[:cut])
    found = salvage(game)
    assert len(found.events) > 100
    assert all(event == events_of(long)[event.seq] for event in found.events)
    assert f"the file has {cut} bytes and should have {len(long)}" in found.damage


def test_a_forged_chain_is_shown(game: Path) -> None:
    """Every event fits its own hash, and one does not follow."""
    edit(game, forged(3))
    found = salvage(game)
    assert len(found.events) == 5
    assert "event 4: does not follow the event before it (another hash)" in found.damage


@given(st.data())
@settings(max_examples=60)
def test_salvage_invents_nothing_and_never_fails(long: bytes, small: bytes, data: st.DataObject) -> None:
    """Whatever is written over a file: events as they were or none, damage where one is missing, the file untouched."""
    blob = data.draw(st.sampled_from([long, small]))
    at = data.draw(st.integers(0, len(blob)))
    bad = with_bytes(at, data.draw(st.binary(max_size=300)) * data.draw(st.integers(1, 40)))(blob)
    bad = bad[: data.draw(st.integers(0, len(bad)) | st.just(len(bad)))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.game"
        path.write_bytes(bad)
        found = salvage(path)
        assert path.read_bytes() == bad
        assert os.listdir(folder) == ["a.game"]
    true = events_of(blob)
    assert all(event == true[event.seq] for event in found.events)
    assert found.damage or len(found.events) == len(true)


def test_what_is_no_file_cannot_be_salvaged(tmp_path: Path) -> None:
    """A folder and nothing are bad input, other files have nothing to give."""
    assert "Is a directory" in message(lambda: salvage(tmp_path))
    assert "No such file" in message(lambda: salvage(tmp_path / "no"))
    (tmp_path / "text").write_text("title")
    found = salvage(tmp_path / "text")
    assert found == Salvage((), ("is no game; expected a game file made by `minis start`",))


# Crashes.


def half_written(path: Path) -> None:
    """Leave a game as a crash leaves it in the middle of an event: pages written, and a rollback journal beside."""
    work = path.with_name("work")
    shutil.copy(path, work)
    with closing(sqlite3.connect(work, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        for number in range(6, 40):
            connection.execute("INSERT INTO events VALUES (?, 'x', 'x', ?, 'x', 'x')", (number, "x" * 3000))
        shutil.copy(work, path)
        shutil.copy(f"{work}-journal", f"{path}-journal")
    work.unlink()


def test_a_half_written_event_is_taken_back(game: Path, small: bytes) -> None:
    """Opening rolls back to the last whole event, and the game goes on."""
    half_written(game)
    assert game.read_bytes() != small
    with Journal.open(game) as journal:
        assert len(journal.events()) == 5
        assert unsafe(journal).append("note", {}, after=5).seq == 6
    assert in_folder(game) == ["a.game"]


def test_a_half_written_game_is_salvaged_where_it_lies(game: Path) -> None:
    """The copy is rolled back, the file and its rollback journal stay as they are."""
    half_written(game)
    before = game.read_bytes()
    found = salvage(game)
    assert (len(found.events), found.damage) == (5, ())
    assert (game.read_bytes(), in_folder(game)) == (before, ["a.game", "a.game-journal"])


CHILD = """
import sys
from pathlib import Path
from minis.errors import MinisError
from minis.game.journal import Journal, Overtaken
try:
    with Journal.open(Path(sys.argv[1])) as journal:
        last, kept = journal.events()[-1].seq, 0
        while kept < int(sys.argv[2]):
            try:
                last = journal.append("note", {"by": sys.argv[3], "number": kept, "text": "x" * (kept * 997 % 5000)},
                                      after=last).seq
            except Overtaken:
                last = journal.events()[-1].seq
                continue
            kept += 1
            print(last, flush=True)
except MinisError as error:
    print(type(error).__name__, error)
"""
"""Appends events to a file and says each that is acknowledged: file, how many, by whom."""


def child(path: Path, count: int, by: str = "", *, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """A process of its own that appends."""
    args = [*before, sys.executable, "-c", CHILD, str(path), str(count), by]
    return subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def acknowledged(out: str, before: int = 5) -> int:
    """The last event that was acknowledged, or the one there was before."""
    return max([before, *(int(line) for line in out.splitlines() if line.isdigit())])


def test_a_killed_program_loses_no_acknowledged_event(game: Path) -> None:
    """Ten times killed at a random moment of a long game: all that was said to be kept is, and it goes on."""
    chance, last = random.Random(1944), 5
    for _ in range(10):
        with child(game, 200) as process:
            assert process.stdout
            first = process.stdout.readline()
            time.sleep(chance.uniform(0, 0.12))
            process.kill()
            out, errors = process.communicate()
        assert (process.returncode, errors) == (-signal.SIGKILL, "")
        said = acknowledged(first + out, last)
        assert said > last
        with Journal.open(game) as journal:
            last = len(journal.events())
        assert last in (said, said + 1)
    with Journal.open(game) as journal:
        assert unsafe(journal).append("note", {}, after=last).seq == last + 1
    assert in_folder(game) == ["a.game"]


def test_two_programs_at_once_lose_nothing(game: Path) -> None:
    """Each event of both is there once, whole, in the order of its writer."""
    writers = [child(game, 15, by) for by in ("red", "blue")]
    outs = [process.communicate() for process in writers]
    assert [(errors, len(out.split())) for out, errors in outs] == [("", 15), ("", 15)]
    events = read(game)[0]
    assert len(events) == 35
    for by in ("red", "blue"):
        assert [event.data["number"] for event in events if event.data.get("by") == by] == list(range(15))


def test_another_program_that_does_not_let_go_is_told(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the wait the event is not kept; once the other is done it is."""
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    with Journal.open(game) as journal, closing(sqlite3.connect(game, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        expected = f"{game}: the event was not kept: another program is writing (SQLITE_BUSY)"
        assert message(lambda: journal.append("note", {}, after=5)) == expected
        assert "cannot be read: another program is writing" in message(journal.events)
        assert "another program is writing" in message(lambda: Journal.open(game))
        other.execute("COMMIT")
        other.execute("BEGIN")
        other.execute("SELECT * FROM events").fetchall()
        assert message(lambda: journal.append("note", {}, after=5)) == expected
        other.execute("COMMIT")
        assert unsafe(journal).append("note", {}, after=5).seq == 6


def test_who_waits_for_another_writes_upon_what_the_other_wrote(game: Path) -> None:
    """The state is looked at after the wait, not before: no event is ruled upon a state that is gone."""
    row = row_after(read(game)[0][-1], "note", "{}", NOON)
    with closing(sqlite3.connect(game, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute(module._ADD, row)
        with child(game, 1) as waiting:
            time.sleep(0.3)
            other.execute("COMMIT")
            assert waiting.communicate() == ("7\n", "")
    assert len(read(game)[0]) == 7


def test_a_file_that_was_taken_away_is_told(game: Path) -> None:
    """An event is not written into a file that nobody finds again."""
    with Journal.open(game) as journal:
        game.rename(game.with_name("b.game"))
        assert "the event was not kept: the file was moved or deleted" in message(
            lambda: journal.append("note", {}, after=5)
        )


# A disk that fails.

LIMITED = """
import json, resource, sys
from pathlib import Path
from minis.errors import MinisError
from minis.game.journal import Journal
path, told = Path(sys.argv[1]), []
with Journal.open(path) as journal:
    journal._db.execute("PRAGMA synchronous = OFF")
    for limit in range(0, 30_000, 450):
        last = journal.events()[-1].seq
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        try:
            journal.append("note", {"text": "x" * 6000}, after=last)
            what = "kept"
        except MinisError as error:
            what = str(error)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        with Journal.open(path) as fresh:
            told.append((what, len(fresh.events()) - last))
        if what == "kept":
            break
print(json.dumps(told))
"""
"""Appends an event under an ever higher limit of the size of a file, until it is kept."""


def test_a_disk_that_takes_only_part_of_an_event_is_told(game: Path) -> None:
    """Wherever the writing ends, in the middle of a page as well: the event is not kept, and the file is good."""
    done = subprocess.run([sys.executable, "-c", LIMITED, str(game)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert len(told) > 20
    assert told[-1] == ["kept", 1]
    assert {added for _, added in told[:-1]} == {0}
    assert all(what.startswith(f"{game}: the event was not kept: the disk ") for what, _ in told[:-1])


@pytest.fixture
def unwritable() -> Iterator[Path]:
    """A folder that may be read by all and written by none."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)
        os.chmod(name, 0o700)


READER = """
import os, sys
from pathlib import Path
from minis.errors import MinisError
from minis.game.journal import Journal
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    with Journal.open(Path(sys.argv[1])) as journal:
        print(len(journal.events()))
        journal.append("note", {}, after=5)
except MinisError as error:
    print(type(error).__name__, error)
"""
"""Reads a game and appends to it, as somebody whom the system refuses things."""


@pytest.mark.parametrize(
    ("crashed", "words"),
    [
        (False, "5\nBadInput {}: the event was not kept: the file or its folder may not be written (SQLITE_READONLY"),
        (True, "BadInput {}: cannot be opened: the file or its folder may not be written (SQLITE_READONLY_"),
    ],
    ids=["whole", "crashed"],
)
def test_a_game_that_may_not_be_written_can_be_read(unwritable: Path, small: bytes, crashed: bool, words: str) -> None:
    """Unless it was left half written: then nobody but one who may write can put it right."""
    path = unwritable / "a.game"
    path.write_bytes(small)
    if crashed:
        half_written(path)
    for file in unwritable.iterdir():
        file.chmod(0o444)
    before = in_folder(path)
    unwritable.chmod(0o555)
    done = subprocess.run([sys.executable, "-c", READER, str(path)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith(words.format(path))
    assert in_folder(path) == before


@cache
def why_no_strace() -> str:
    """Why faults of the system cannot be injected here; nothing where they can."""
    if not shutil.which("strace"):
        return "there is no strace"
    probe = ["strace", "-f", "-o", os.devnull, "-e", "inject=fsync:error=EIO", "true"]
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    return f"strace may not trace: {done.stderr.strip()}" if done.returncode else ""


def with_fault(path: Path, fault: str) -> tuple[str, str]:
    """What a program that appends one event says while the system fails it, and what Python says."""
    if why_no_strace():
        pytest.skip(why_no_strace())
    calls = fault.partition(":")[0]
    strace = ("strace", "-f", "-o", os.devnull, "-e", f"trace={calls}", "-e", f"inject={fault}")
    out, errors = child(path, 1, before=strace).communicate()
    return out, errors


SYNC = "fsync,fdatasync"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (f"{SYNC}:error=EIO", "the disk fails to read or write (SQLITE_IOERR_FSYNC)"),
        (f"{SYNC}:error=EIO:when=4", "the disk fails to read or write (SQLITE_IOERR_FSYNC)"),
        ("pwrite64:error=ENOSPC:when=1+", "the disk is full (SQLITE_FULL)"),
        ("pwrite64:error=ENOSPC:when=13+", "the disk is full (SQLITE_FULL)"),
        ("pwrite64:error=EIO:when=14", "the disk fails to read or write (SQLITE_IOERR_WRITE)"),
        ("pwrite64:retval=0:when=3+", "the disk is full (SQLITE_FULL)"),
        ("unlink:error=EIO", "the disk fails to read or write (SQLITE_IOERR_DELETE)"),
    ],
)
def test_a_disk_that_fails_is_told_and_the_file_stays_good(game: Path, fault: str, words: str) -> None:
    """Full, broken, or not confirming: one message, no traceback, the events of before, and the game goes on."""
    assert with_fault(game, fault) == (f"BadInput {game}: the event was not kept: {words}\n", "")
    with Journal.open(game) as journal:
        assert len(journal.events()) == 5
        assert unsafe(journal).append("note", {}, after=5).seq == 6


def test_an_event_that_the_disk_did_not_confirm_is_told(game: Path) -> None:
    """The very last step fails: the event stands in the file, but nobody is told that it is safe."""
    out, errors = with_fault(game, f"{SYNC}:error=EIO:when=5")
    assert "event 6 stands in the file unconfirmed; look before you repeat it" in out
    assert (out.startswith("BadInput"), errors, len(read(game)[0])) == (True, "", 6)


@pytest.mark.parametrize(
    "step", ["pwrite64:{}:when=1", "pwrite64:{}:when=13", "pwrite64:{}:when=14", f"{SYNC}:{{}}:when=3", "unlink:{}"]
)
def test_a_program_killed_at_a_chosen_step_loses_nothing(game: Path, step: str) -> None:
    """Before the rollback journal is removed the event is not there, and it was not acknowledged."""
    out, _ = with_fault(game, step.format("signal=KILL"))
    assert (out, len(read(game)[0])) == ("", 5)


@pytest.mark.parametrize("removed", [True, False])
def test_a_disk_that_cannot_be_read_after_a_failure_leaves_it_open(
    game: Path, monkeypatch: pytest.MonkeyPatch, removed: bool
) -> None:
    """With the rollback journal there the event will be taken back; without it nobody knows, and that is said."""
    row = (6, "2024-06-01T12:00:00Z", "note", "{}", "0" * 64, "0" * 64)
    with Journal.open(game) as journal:
        full = sqlite3.OperationalError("disk full")
        full.sqlite_errorcode, full.sqlite_errorname = sqlite3.SQLITE_FULL, "SQLITE_FULL"
        if not removed:
            game.with_name("a.game-journal").write_bytes(b"")
        monkeypatch.setattr(journal, "_db", Unreadable(journal._db))
        told = str(journal._not_kept(full, row))
    assert ("whether event 6 was kept is not known" in told, "the event was not kept" in told) == (removed, not removed)


class Unreadable:
    """A connection to a disk that gives nothing back."""

    def __init__(self, connection: sqlite3.Connection):
        self.close = connection.close

    def execute(self, *_: object) -> None:
        """Fail as SQLite does."""
        raise sqlite3.OperationalError("disk I/O error")
