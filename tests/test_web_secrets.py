"""What a side learns of the web server: nothing that its view does not hold, in no byte of any answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from test_noninterference import SECRET_WORDS, games
from test_views import ENEMY, SIDE
from web_client import JUDGES, Served, app_of, begin, serving

from minis.game.game import Game
from minis.game.side_log import SideWatch, side_log
from minis.game.state import State
from minis.game.timeline import read
from minis.web.answers import sides_glance


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a game in its first sighting phase."""
    return begin(tmp_path_factory.mktemp("begun"))


@pytest.fixture
def game(tmp_path: Path, begun: bytes) -> Path:
    """A game on the crossroads in a folder of its own."""
    path = tmp_path / "a.game"
    path.write_bytes(begun)
    return path


@pytest.fixture
def served(game: Path) -> Iterator[Served]:
    """A server of the game on the crossroads."""
    with serving(app_of(game)) as found:
        yield found


# --- what a side learns ----------------------------------------------------------------------------------------------


def told(path: Path, rng: random.Random) -> list[tuple[int, dict[str, str], bytes]]:
    """Every answer that a player gets of a game: status, headers and bytes."""
    names = ["T1", "T2", "T3", "P1", "P3", "A1", "A2", "A3", "B1", "spot-1", "KONIGSTIGER-9", "NASHORN-7", "nobody"]
    found = []
    with serving(app_of(path)) as served:
        served.join("judge")
        side = served.join(SIDE)
        asked: list[tuple[str, str, Any]] = [
            ("GET", f"/{path}", None)
            for path in ("", "api/me", "api/ground", "api/view", "api/seats", "api/event/2", "x")
        ]
        for _ in range(14):
            a, b = rng.choice(names), rng.choice([*names, [rng.randint(0, 120), rng.randint(0, 60)]])
            asked += [
                ("POST", "/api/measure", {"a": a, "b": b}),
                ("POST", "/api/los", {"a": rng.choice(names[:4]), "b": b}),
            ]
        asked += [(method, path, body) for method, path, body in JUDGES]
        for method, where, body in asked:
            answer = served.ask(side, method, where, body)
            found.append((answer.status_code, dict(sorted(answer.headers.items())), answer.content))
    return found


@settings(
    max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(st.integers(0, 9999), st.integers(0, 9999), st.integers(0, 9999))
@example(1, 2, 3)
def test_what_a_side_may_not_know_changes_no_byte(
    tmp_path_factory: pytest.TempPathFactory, one: int, other: int, seed: int
) -> None:
    """Two games that differ only in secrets: every answer to the side is the same, with its headers and its length."""
    answers = [told(path, random.Random(seed)) for path in _pair(tmp_path_factory, one, other, seed)]
    assert answers[0] == answers[1]
    everything = b"".join(content for _, _, content in answers[0]).lower()
    shown: set[str] = set()
    for status, _, content in answers[0]:
        if status == 200:
            shown.update(word for word in SECRET_WORDS if word.lower().encode() in content.lower())
    assert not shown
    assert b"t1" in everything


def heard(path: Path) -> list[str]:
    """The versions of its view that a side's stream tells in a game, event by event."""
    found: list[str] = []
    with Game.open(path) as game:
        watch = SideWatch(game.start, game.order, SIDE)
        for number in range(1, len(game.timeline.events) + 1):
            so_far = read(game.timeline.events[:number])
            state = State(game.start, so_far.ledger(), game.order, so_far)
            log = watch.entries(so_far)
            version = sides_glance(state, SIDE, watch.view, log).version
            if found[-1:] != [version]:
                found.append(version)
    return found


@settings(
    max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(st.integers(0, 9999), st.integers(0, 9999), st.integers(0, 9999))
def test_a_stream_tells_nothing_of_secret_events(
    tmp_path_factory: pytest.TempPathFactory, one: int, other: int, seed: int
) -> None:
    """In two games that differ only in secrets a side hears of the same versions, one after another, and no more."""
    paths = _pair(tmp_path_factory, one, other, seed)
    versions = [heard(path) for path in paths]
    assert versions[0] == versions[1]
    assert len(versions[0]) > 2


def _pair(factory: pytest.TempPathFactory, one: int, other: int, seed: int) -> list[Path]:
    """The files of two games in folders of one name, as a server would have them."""
    folder = factory.mktemp("pair")
    return [table.game.path for table in games(folder, one, other, seed)]


@settings(
    max_examples=4, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(st.integers(0, 9999), st.integers(1, 5))
def test_a_side_that_follows_a_game_reads_its_whole_log(
    tmp_path_factory: pytest.TempPathFactory, seed: int, step: int
) -> None:
    """What is read event by event is what is read at once, undos and overrulings among them."""
    path = _pair(tmp_path_factory, seed, seed, seed)[0]
    with Game.open(path) as game:
        for side in (SIDE, ENEMY):
            watch = SideWatch(game.start, game.order, side)
            for number in range(1, len(game.timeline.events) + 1, step):
                so_far = read(game.timeline.events[:number])
                assert watch.entries(so_far) == side_log(game.start, game.order, so_far, side)
            assert watch.entries(game.timeline) == side_log(game.start, game.order, game.timeline, side)


def test_a_side_without_a_unit_keeps_what_it_saw(served: Served) -> None:
    """A side that has lost everything still has a page."""
    judge, axis = served.join("judge"), served.join("axis")
    units = [unit["id"] for unit in served.ask(judge, "GET", "/api/view").json()["units"] if unit["side"] == "axis"]
    for name in units:
        served.ask(judge, "POST", "/api/act", {"kind": "remove", "asked": {"unit": name}})
    view = served.ask(axis, "GET", "/api/view").json()
    assert view["log"]
    assert not [unit for unit in view["units"] if unit["own"]]
    assert served.ask(axis, "POST", "/api/los", {"a": "T1", "b": "T2"}).status_code == 422
