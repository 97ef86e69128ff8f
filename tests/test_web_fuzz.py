"""Anything at all is sent to the web server, and every answer is one of ours."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_client import JUDGES, SHARED, Served, app_of, begin, serving

from minis.errors import BadInput
from minis.game.game import Game
from minis.game.verify import verify
from minis.web.requests import ASKED, Malformed, Snap, read_body


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a game in its first sighting phase."""
    return begin(tmp_path_factory.mktemp("begun"))


# --- anything at all -------------------------------------------------------------------------------------------------


def words(text: str) -> st.SearchStrategy[str]:
    """One of the words of a text."""
    return st.sampled_from(text.split())


NAMES = st.sampled_from(["T1", "T2", "T5", "P1", "P3", "P5", "P8", "X5", "A1"])
ODD = st.sampled_from(["main", "axis", "smoke-own", "nobody", "", "é", "T1 "])
NUMBERS = st.one_of(st.integers(-3, 120), st.floats(-5, 100), st.floats(), st.integers(), st.booleans())
PLAIN = st.recursive(
    st.one_of(st.none(), NUMBERS, NAMES, ODD, st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=8,
)
PLACES = st.tuples(st.floats(0, 84), st.floats(0, 48)).map(list)
FLAGS = st.sampled_from([True, False])
FACTS = st.dictionaries(
    words(
        "stun pinned motion hull_down acquired range_hexes phase mp_in_sight gun tem size x rof ammo target arc_steps "
        "hindrance leadership intensive immobile shocked in_sight_from_start indirect"
    ),
    st.one_of(NUMBERS, NAMES, FLAGS, st.sampled_from(["II", "AP", "prep", "75L", "afv"])),
    max_size=3,
)
DICE = st.dictionaries(
    st.sampled_from(["sighting", "smoke", "coloured", "white", "further", "effect", "manoeuvre", "blinding"]),
    st.lists(st.integers(1, 6), min_size=1, max_size=2),
    max_size=4,
)
RIGHT: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("unit", "sighter", "target", "firer", "carrier", "spotter", "by"), NAMES),
    **dict.fromkeys(("to", "at"), PLACES),
    **dict.fromkeys(("reverse", "motion", "roof", "no_effect", "token", "tow"), FLAGS),
    **dict.fromkeys(("facing", "turret", "centre"), st.floats(0, 360)),
    **dict.fromkeys(("mp", "delay", "radius"), st.floats(0, 20)),
    **dict.fromkeys(("storey", "until", "leader", "event"), st.integers(0, 9)),
    "via": st.lists(PLACES, max_size=2), "also": st.lists(NAMES, max_size=2), "facts": FACTS,
    "weapon": st.sampled_from(["main", "bow", "lmg"]), "ammo": st.sampled_from(["AP", "HE", "SMOKE", "HEAT", "APCR"]),
    "type": st.sampled_from(["vehicle", "infantry", "area"]), "how": st.sampled_from(["assault", "dash", "hazardous"]),
    "phase": st.sampled_from(["prep", "defensive_first", "defensive", "advancing", "bounding_first"]),
    "take": st.sampled_from(["eliminated", "immobilized", "shock", "no effect", "2KIA", "K/2"]),
    "do": st.sampled_from(["place", "move", "remove"]), "id": st.sampled_from(["smoke-own", "smoke-1", "new"]),
    "state": st.sampled_from(["malfunction", "ready"]), "text": st.text(min_size=1, max_size=9), "why": st.just("so"),
}  # fmt: skip
"""Values as they should be, by the name of what is asked."""


@st.composite
def acts(draw: st.DrawFn) -> dict[str, Any]:
    """An act, most of it as it should be; none ends the game, after which no other counts."""
    kind = draw(st.sampled_from(sorted(ASKED.keys() - {"end"})))
    fields = ASKED[kind].model_fields
    needed = [name for name, field in fields.items() if field.is_required()]
    chosen = draw(st.lists(st.sampled_from(sorted(fields)), max_size=4, unique=True)) if fields else []
    wrong = draw(st.sampled_from([None, None, None, None, *fields]))
    asked = {key: draw(PLAIN if key == wrong else RIGHT[key]) for key in dict.fromkeys([*needed, *chosen])}
    return {"kind": kind, "asked": asked, "typed": draw(st.one_of(st.just({}), DICE)), "throws": draw(FLAGS)}


KEYS = "a b kind asked typed what event to why side text line unit path at seat facing weapon"
ANY = st.one_of(NAMES, PLACES, ODD, PLAIN, words("dead field chance undo redo overrule seed new"))
ENDS = st.fixed_dictionaries({"a": st.one_of(NAMES, PLACES), "b": st.one_of(NAMES, PLACES)})
PAIRS = st.fixed_dictionaries({"a": NAMES, "b": NAMES}, optional={"weapon": ODD, "facts": FACTS})
WAYS = st.fixed_dictionaries(
    {"unit": NAMES, "path": st.lists(PLACES, max_size=2)},
    optional={key: RIGHT[key] for key in ("facing", "turret", "reverse", "how", "storey", "roof", "mp")},
)
CONTROLS = st.fixed_dictionaries(
    {"what": st.sampled_from(["undo", "redo", "overrule", "new dice", "seed"])},
    optional={
        "event": st.integers(1, 60),
        "to": st.sampled_from(["hit", "miss", "sighted", "x"]),
        "why": st.just("so"),
    },
)
LINES = st.lists(
    words("s i f m e n u r l sm set place T1 P1 P5 12,14 59 ! 3,4 f90 main pinned undo -1 -- --json ' ?"), max_size=5
).map(lambda words: {"line": " ".join(words)})
SENT = {
    "/api/act": acts(), "/api/ask": acts(), "/api/pair": PAIRS, "/api/los": PAIRS, "/api/measure": ENDS,
    "/api/preview": WAYS, "/api/control": CONTROLS, "/api/line": LINES,
}  # fmt: skip
LOOSE = st.one_of(PLAIN, st.binary(max_size=20), st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS.split(), ANY)))


ROUTES = [path for method, path, _ in [*SHARED, *JUDGES] if method == "POST" and path != "/api/seats"]
"""Where anything is sent to; orders about seats would take back the seat that sends."""


@st.composite
def posts(draw: st.DrawFn) -> tuple[str, Any]:
    """A route and what is sent to it: what is meant for it, or anything at all."""
    path = draw(st.sampled_from([*SENT, *SENT, *ROUTES, "/api/act"]))
    return path, draw(SENT[path] if path in SENT and draw(st.integers(0, 4)) else LOOSE)


@pytest.fixture(scope="module")
def fuzzed(
    tmp_path_factory: pytest.TempPathFactory, begun: bytes
) -> Iterator[tuple[Served, dict[str, str], dict[str, str]]]:
    """A server that anything is sent to."""
    path = tmp_path_factory.mktemp("fuzz") / "a.game"
    path.write_bytes(begun)
    with serving(app_of(path)) as found:
        yield found, found.join("judge"), found.join("allied")


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(posts(), st.sampled_from([True, True, True, False]))
def test_anything_at_all_is_answered(
    fuzzed: tuple[Served, dict[str, str], dict[str, str]], post: tuple[str, Any], judge: bool
) -> None:
    """Whatever is sent, the answer is one of ours: no fault of the server, and JSON with one message."""
    served, mine, theirs = fuzzed
    path, body = post
    raw = body if isinstance(body, bytes) else json.dumps(body, default=str).encode()
    answer = served.ask(mine if judge else theirs, "POST", path, raw)
    assert answer.status_code in (200, 400, 404, 409, 422), (path, body, answer.text)
    if answer.status_code != 200:
        assert answer.json()["error"]


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(["GET", "POST", "PUT", "OPTIONS"]),
    st.text(st.characters(codec="utf-8", exclude_characters="?#"), max_size=20),
    st.dictionaries(
        st.sampled_from(["Cookie", "Origin", "If-None-Match", "Content-Length", "Accept-Encoding", "Range"]),
        st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=20),
    ),
)
def test_any_path_is_answered(
    fuzzed: tuple[Served, dict[str, str], dict[str, str]], method: str, path: str, headers: dict[str, str]
) -> None:
    """Any path with any headers ends in a refusal or an answer."""
    served, mine, _ = fuzzed
    for who in (mine, {}):
        answer = served.ask({}, method, "/" + quote(path), b"{}", **{**who, **headers})
        assert answer.status_code < 500, answer.text


def test_the_fuzzed_game_is_sound(fuzzed: tuple[Served, dict[str, str], dict[str, str]]) -> None:
    """What was recorded of all that is a game that can be proved."""
    served, _, _ = fuzzed
    with Game.open(served.app.table.path) as game:
        assert verify(game).fault is None


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40))
def test_a_body_is_read_or_refused(raw: bytes) -> None:
    """Bytes are a body, or malformed, or wrong: nothing else comes of them."""
    with contextlib.suppress(Malformed, BadInput):
        read_body(Snap, raw)
