"""The web server: who may ask what, what is refused and how, seats, the work of the judge, lines that are typed."""

from __future__ import annotations

import asyncio
import json
import re
import stat
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from web_client import HOST, JUDGES, SHARED, Served, app_of, begin, run, serving

from minis.cli.main import cli
from minis.cli.serve import LINES, line
from minis.errors import BadInput
from minis.game.acts import ACTS
from minis.game.game import Game
from minis.game.verify import verify
from minis.web.app import App
from minis.web.guard import HEADERS, LARGEST
from minis.web.requests import ASKED
from minis.web.rulings import snap
from minis.web.seats import MOST_DEVICES, Seats, digest, seats_path


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


# --- who may ask what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "path", "body"), [*SHARED, *JUDGES], ids=lambda value: str(value)[:30])
def test_the_judge_asks_everything(served: Served, method: str, path: str, body: Any) -> None:
    """Every route answers the judge."""
    answer = served.ask(served.join("judge"), method, path, body)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(("method", "path", "body"), SHARED, ids=lambda value: str(value)[:30])
def test_a_player_asks_what_is_his(served: Served, method: str, path: str, body: Any) -> None:
    """A side's seat sees its view, measures, and asks for lines of sight of its own units."""
    assert served.ask(served.join("allied"), method, path, body).status_code == 200


@pytest.mark.parametrize("asked", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_for_a_player_a_judges_route_is_one_that_there_is_not(served: Served, asked: str) -> None:
    """Whatever the method and the body, the answer is byte for byte that of a route that nobody has."""
    allied = served.join("allied")
    for _, path, body in JUDGES:
        one = served.ask(allied, asked, path, body)
        other = served.ask(allied, asked, "/api/nowhere", body)
        assert (one.status_code, one.content) == (404, other.content) == (other.status_code, one.content)
        assert sorted(one.headers.items()) == sorted(other.headers.items())


@pytest.mark.parametrize("path", [path for _, path, _ in [*SHARED, *JUDGES]] + ["/api/nowhere", "/nowhere"])
def test_nobody_asks_without_a_seat(served: Served, path: str) -> None:
    """Without a cookie, with a forged one and with an old one every route answers 401, whether it is there or not."""
    old = served.join("axis")
    served.app.seats.revoke("axis")
    for who in ({}, {"Cookie": "minis=forged"}, {"Cookie": "minis="}, {"Cookie": "other=1; minis=%00"}, old):
        for method in ("GET", "POST", "PUT"):
            assert served.ask(who, method, path).status_code == 401, (who, method)


def test_a_link_is_no_cookie_and_a_hash_is_neither(served: Served) -> None:
    """The token of a link does not work as a cookie, nor what stands in the file of seats."""
    token = served.app.seats.new_link("judge")
    kept = digest(token)
    for value in (token, kept):
        assert served.ask({"Cookie": f"minis={value}"}, "GET", "/api/view").status_code == 401
    assert served.ask({}, "POST", "/join", {"token": kept}).status_code == 404


def test_no_seat_acts_for_another(served: Served) -> None:
    """A player asks for lines of his own units only, to those that he knows; a hidden one is one that there is not."""
    allied = served.join("allied")
    assert served.ask(allied, "POST", "/api/los", {"a": "P1", "b": "T1"}).status_code == 422
    gone = served.ask(allied, "POST", "/api/los", {"a": "T1", "b": "P8"})
    assert (gone.status_code, "there is no unit 'P8'" in gone.json()["error"]) == (422, True)
    assert served.ask(allied, "POST", "/api/measure", {"a": "P8", "b": "T1"}).status_code == 422
    assert served.ask(allied, "GET", "/api/me").json() == {"seat": "allied", "side": "allied"}
    assert served.ask(served.join("judge"), "GET", "/api/me").json() == {"seat": "judge", "side": None}


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8321",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost:8322",
        "",
        "[::1]:8321",
        "10.0.0.9:8321",
    ],
)
def test_a_foreign_name_is_misdirected(served: Served, host: str) -> None:
    """Whoever calls the server by another name is told 421, a page, a file and a post alike."""
    judge = served.join("judge")
    for method, path in (("GET", "/"), ("GET", "/api/view"), ("GET", "/static/app.css"), ("POST", "/join")):
        assert served.ask(judge, method, path, {}, Host=host).status_code == 421


def test_its_own_names_are_right(game: Path) -> None:
    """It goes by 127.0.0.1 and localhost, and with --lan by the address at which it was reached, and by no other."""
    with serving(app_of(game)) as served:
        judge = served.join("judge")
        for host in (HOST, "localhost:8321", "LOCALHOST:8321"):
            assert served.ask(judge, "GET", "/api/me", Host=host).status_code == 200
    app = app_of(game, lan=True)
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "server": ("192.168.1.7", 8321)}
    for called, status in ((b"192.168.1.7:8321", 401), (b"192.168.1.8:8321", 421)):
        assert asyncio.run(_status(app, {**scope, "headers": [(b"host", called)]})) == status
    assert asyncio.run(_status(app, {**scope, "headers": [(b"host", HOST.encode())] * 2})) == 421
    assert asyncio.run(_status(app, {**scope, "headers": []})) == 421


async def _status(app: App, scope: dict[str, Any]) -> int:
    """The status of the answer to a bare request."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return int(sent[0]["status"])


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": ""},
        {"X-Minis": "0"},
        {"X-Minis": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:8321"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "http://localhost:8321"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=str,
)
def test_a_post_of_another_site_is_refused(served: Served, headers: dict[str, str]) -> None:
    """A form, a foreign origin, a post that no page of ours makes: 403, for an act, for a question and for joining."""
    before = served.ask(served.join("judge"), "GET", "/api/view").json()["events"]
    for seat, path, body in (
        ("judge", "/api/act", {"kind": "turn"}),
        ("allied", "/api/measure", {"a": "T1", "b": "T2"}),
        ("axis", "/join", {"token": served.app.seats.new_link("axis")}),
    ):
        assert served.ask(served.join(seat) if seat != "axis" else {}, "POST", path, body, **headers).status_code == 403
    assert served.ask(served.join("judge"), "GET", "/api/view").json()["events"] == before


def test_a_post_of_its_own_page_is_taken(served: Served) -> None:
    """What a browser sends from our own page is taken."""
    mine = {
        "Origin": f"http://{HOST}",
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json; charset=UTF-8",
    }
    assert served.ask(served.join("judge"), "POST", "/api/snap", {"at": [1, 1]}, **mine).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'"a"', 400),
        (b"null", 400),
        (b"\xff\xfe", 400),
        (b"1" * 5000, 400),
        (b'{"a": NaN, "b": "T1"}', 400),
        (b'{"a": [1e999, 1], "b": "T1"}', 400),
        (b"[" * 60_000, 400),
        (b'{"a":' * 9000 + b"1" + b"}" * 9000, 400),
        (b"{}", 422),
        (b'{"a": 1, "b": "T1"}', 422),
        (b'{"a": "T1", "b": null}', 422),
        (b'{"a": "", "b": "T1"}', 422),
        (b'{"a": "T1", "b": "T2", "c": 1}', 422),
        (b'{"a": [1], "b": "T1"}', 422),
        (b'{"a": [true, 1], "b": "T1"}', 422),
        (b'{"a": "\\ud800", "b": "T1"}', 422),
        (b'{"a": "T1\\n", "b": "T1"}', 422),
        (b'{"a": [-5, 3], "b": "T1"}', 422),
        (b'{"a": [1e6, 3], "b": "T1"}', 422),
        (b'{"a": "nobody", "b": "T1"}', 422),
        (b" " * (LARGEST + 1), 413),
        (b'{"a": "T1", "b": "T2"}' + b" " * (LARGEST - 22), 200),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_body_that_is_none_is_refused(served: Served, body: bytes, status: int) -> None:
    """What is no JSON is 400, what is not asked for 422, what is too large 413, each with one message."""
    answer = served.ask(served.join("judge"), "POST", "/api/measure", body)
    assert answer.status_code == status, answer.text
    if status != 200:
        assert set(answer.json()) <= {"error", "rule"}
        assert answer.json()["error"]


def test_a_body_that_does_not_say_how_long_it_is_is_stopped(served: Served) -> None:
    """A body in pieces is read no farther than it may be long."""
    judge, sent = served.join("judge"), []

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(400):
            sent.append(1)
            yield b" " * 1024

    answer = served.ask(judge, "POST", "/api/measure", pieces())
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e%2f%2e%2e%2fcli%2fserve.py",
        "/static/",
        "/static/.",
        "/static//etc/passwd",
        "/static/app.css%00.js",
        "/static/app.css/",
        "/static/seats.py",
        "/static/" + "a" * 3000,
        "/static/\\..\\app.py",
        "/static/%F0%9F%98%80.css",
    ],
)
def test_a_path_leads_nowhere_else(served: Served, path: str) -> None:
    """Only the files of the page are served."""
    assert served.ask({}, "GET", path).status_code in (401, 404)


@pytest.mark.parametrize(
    "path",
    [
        "//api/view",
        "/api/view/",
        "/api//view",
        "/API/VIEW",
        "/api/view%00",
        "/api/event/",
        "/api/event/x",
        "/api/event/0",
        "/api/event/-1",
        "/api/event/99",
        "/api/event/1/",
        "/api/event/" + "9" * 30,
        "/api/event/%D9%A1",
        "/join",
        "/join/",
        "/join/x",
        "/join/x/y",
    ],
)
def test_a_path_that_there_is_not(served: Served, path: str) -> None:
    """A path that is nearly one of ours is none."""
    assert served.ask(served.join("judge"), "GET", path).status_code == 404


def test_a_method_that_there_is_not(served: Served) -> None:
    """A route is asked as it is meant: anything else is 405."""
    judge = served.join("judge")
    for method, path in (
        ("POST", "/api/view"),
        ("GET", "/api/act"),
        ("DELETE", "/api/seats"),
        ("PUT", "/"),
        ("POST", "/static/app.css"),
        ("PATCH", "/join/x"),
    ):
        assert served.ask(judge, method, path, {}).status_code == 405


def test_every_answer_has_the_headers(served: Served) -> None:
    """Pages, answers and refusals alike forbid scripts and frames of others, and views are kept by nobody."""
    judge = served.join("judge")
    for who, method, path in (
        (judge, "GET", "/"),
        (judge, "GET", "/api/view"),
        ({}, "GET", "/"),
        ({}, "GET", "/x"),
        (judge, "POST", "/api/measure"),
        ({}, "GET", "/static/none.js"),
        ({}, "GET", "/join/x"),
    ):
        answer = served.ask(who, method, path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "server" not in answer.headers
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for path in ("/api/view", "/api/me", "/api/seats"):
        assert served.ask(judge, "GET", path).headers["cache-control"] == "no-store"


def test_what_a_browser_has_is_not_sent_again(served: Served) -> None:
    """The ground and the files have marks; and what is long is sent compressed to who takes that."""
    judge = served.join("judge")
    for path in ("/api/ground", "/"):
        first = served.ask(judge, "GET", path)
        again = served.ask(judge, "GET", path, **{"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    allied = served.join("allied")
    plain = served.ask(allied, "GET", "/api/view", **{"Accept-Encoding": "identity"})
    packed = served.ask(allied, "GET", "/api/view", **{"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert plain.json() == packed.json()


# --- seats -----------------------------------------------------------------------------------------------------------


def test_a_link_that_is_only_looked_at_joins_nobody(served: Served) -> None:
    """A preview of a link takes its page; the seat is joined by the button, with a cookie that no script reads."""
    token = served.app.seats.new_link("allied")
    page = served.ask({}, "GET", f"/join/{token}")
    assert (page.status_code, "set-cookie" in page.headers) == (200, False)
    assert not served.app.seats.seat("allied").devices
    joined = served.ask({}, "POST", f"/join/{token}", {})
    assert (joined.status_code, joined.headers["location"], joined.json()["seat"]) == (303, "/", "allied")
    cookie = joined.headers["set-cookie"]
    assert re.fullmatch(r"minis=[\w-]{43}; HttpOnly; Max-Age=2592000; Path=/; SameSite=lax", cookie)
    assert len(served.app.seats.seat("allied").devices) == 1


def test_seats_are_the_judges(served: Served, game: Path) -> None:
    """He sees who joined, makes a link, adds a seat, and takes one back: its link and its cookies are dead at once."""
    judge, allied = served.join("judge"), served.join("allied")
    made = served.ask(judge, "POST", "/api/seats", {"seat": "Ann's tablet", "side": "allied"}).json()
    assert made["qr"].startswith("<svg")
    token = made["link"].rpartition("/")[2]
    assert served.ask({}, "POST", "/join", {"token": token}).status_code == 303
    seats = {seat["seat"]: seat for seat in served.ask(judge, "GET", "/api/seats").json()["seats"]}
    assert {name: (s["side"], s["devices"]) for name, s in seats.items()} == {
        "judge": (None, 1),
        "allied": ("allied", 1),
        "axis": ("axis", 0),
        "Ann's tablet": ("allied", 1),
    }
    again = served.ask(judge, "POST", "/api/seats", {"seat": "Ann's tablet", "what": "new"}).json()
    assert served.ask({}, "POST", "/join", {"token": token}).status_code == 404
    assert served.ask(judge, "POST", "/api/seats", {"seat": "allied", "what": "revoke"}).status_code == 200
    assert served.ask(allied, "GET", "/api/view").status_code == 401
    assert served.ask({}, "POST", "/join", {"token": again["link"].rpartition("/")[2]}).status_code == 303
    for body, words in (
        ({"seat": "nobody"}, "no seat"),
        ({"seat": "x", "side": "reds"}, "no side"),
        ({"seat": "axis", "side": "allied"}, "is that of axis"),
        ({"seat": "a/b", "side": "axis"}, "name"),
    ):
        refused = served.ask(judge, "POST", "/api/seats", body)
        assert (refused.status_code, words in refused.json()["error"]) == (422, True), refused.text


def test_the_file_of_seats_keeps_no_secret(served: Served, game: Path) -> None:
    """Only its owner reads it, and neither a link nor a cookie stands in it."""
    token = served.app.seats.new_link("allied")
    cookie = served.ask({}, "POST", "/join", {"token": token}).headers["set-cookie"].partition(";")[0].partition("=")[2]
    path = seats_path(game)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text(encoding="utf-8")
    assert token not in text
    assert cookie not in text
    assert digest(cookie) in text


def test_a_device_has_one_seat(served: Served) -> None:
    """Who joins another seat leaves the one before; a seat has so many devices and no more."""
    allied = served.join("allied")
    token = served.app.seats.new_link("axis")
    served.ask(allied, "POST", "/join", {"token": token})
    assert not served.app.seats.seat("allied").devices
    assert served.ask(allied, "GET", "/api/view").status_code == 401
    for _ in range(MOST_DEVICES - 1):
        served.app.seats.join(token)
    assert served.ask({}, "POST", "/join", {"token": token}).status_code == 422


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seats": []}', '{"seats": {"judge": {}}}', "\x00", '{"seats": 1}'])
def test_a_file_that_is_none_of_seats(tmp_path: Path, text: str) -> None:
    """Nothing is served over a file that somebody else wrote."""
    path = tmp_path / "a.seats"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match="is no file of seats"):
        Seats.open(path, ["allied"])


def test_a_restart_takes_everybody_back(game: Path) -> None:
    """A server that is started again knows the cookies of the one before."""
    with serving(app_of(game)) as served:
        judge, allied = served.join("judge"), served.join("allied")
        served.ask(judge, "POST", "/api/act", {"kind": "note", "asked": {"text": "before"}})
        version = served.ask(allied, "GET", "/api/view").json()["version"]
    with serving(app_of(game)) as served:
        assert served.ask(allied, "GET", "/api/view").json()["version"] == version
        log = served.ask(judge, "GET", "/api/view").json()["log"]
        assert log[-1]["line"] == "Note: before"


# --- the judge's work ------------------------------------------------------------------------------------------------


def test_two_taps_are_a_ruling(served: Served, game: Path) -> None:
    """A pair of units: the line with its picture, the sum, the chance, each weapon's shot; nothing is recorded."""
    judge, before = served.join("judge"), game.read_bytes()
    found = served.ask(judge, "POST", "/api/pair", {"a": "T1", "b": "P1"}).json()
    assert found["los"]["clear"]
    assert found["los"]["picture"].startswith("<g ")
    assert found["los"]["words"] == run("los", "T1", "P1", "-g", game).splitlines()
    assert found["sight"]["words"] == run("sight", "T1", "P1", "--ask", "-g", game).splitlines()
    assert (found["sight"]["can_record"], found["sight"]["chance"]["percent"]) == (True, 49.0)
    shot = found["shots"][0]
    assert (shot["weapon"], shot["hit_on"], shot["needs_sighting"], shot["can_record"]) == ("main", 6, True, True)
    assert shot["chance"]["fraction"] == shot["odds"]["hit"] == "5/12"
    assert (
        served.ask(judge, "POST", "/api/pair", {"a": "T1", "b": "P1", "ammo": "SMOKE"}).json()["shots"][0]["ammo"]
        == "SMOKE"
    )
    assert served.ask(judge, "POST", "/api/pair", {"a": "T1", "b": "P5"}).json()["identify"]["procedure"] == "identify"
    own = served.ask(judge, "POST", "/api/pair", {"a": "T1", "b": "T2"}).json()
    assert (own["sight"], own["shots"]) == (None, [])
    assert game.read_bytes() == before
    hidden = served.ask(judge, "POST", "/api/pair", {"a": "T1", "b": "P2"}).json()
    assert (hidden["sight"]["can_record"], "hidden by farm" in hidden["sight"]["why_not"]) == (False, True)


def test_an_act_is_an_event_of_the_journal(served: Served, game: Path) -> None:
    """Typed dice and thrown ones, an undo, a redo, the judge's word: as the command line records them."""
    judge = served.join("judge")

    def post(path: str, body: Any, status: int = 200) -> Any:
        answer = served.ask(judge, "POST", path, body)
        assert answer.status_code == status, answer.text
        return answer.json()

    sighting = {"kind": "sight", "asked": {"sighter": "T1", "target": "P1"}}
    asked = post("/api/ask", sighting)
    assert asked["answer"]["sighted"] is None
    assert post("/api/act", sighting)["event"] is None
    seen = post("/api/act", sighting | {"typed": {"sighting": [99]}})
    number = seen["event"]["number"]
    assert (seen["answer"]["sighted"], seen["event"]["kind"]) == (True, "sight")
    shot = post("/api/act", {"kind": "fire", "asked": {"firer": "T1", "target": "P1"}, "throws": True})
    assert [die["how"] for die in shot["event"]["dice"]][:2] == ["thrown", "thrown"]
    refused = post("/api/control", {"what": "undo", "event": number}, 409)
    assert refused["rule"] == "S14"
    post("/api/control", {"what": "undo"})
    post("/api/control", {"what": "undo", "event": number, "why": "wrong die"})
    assert served.ask(judge, "GET", f"/api/event/{number}").json()["taken_back"]
    post("/api/control", {"what": "redo", "event": number})
    word = post("/api/control", {"what": "overrule", "event": number, "to": "not sighted", "why": "the tree"})
    assert word["event"]["kind"] == "overrule"
    assert post("/api/control", {"what": "overrule", "event": number, "to": "maybe", "why": "x"}, 422)["error"]
    assert post("/api/control", {"what": "overrule"}, 422)["error"]
    assert post("/api/control", {"what": "seed", "side": "axis", "text": "tulip"}, 409)["rule"] == "S14"
    assert post("/api/act", {"kind": "move", "asked": {"unit": "T1", "to": [19.0, 37.0]}})["answer"]["mp"] > 0
    assert post("/api/act", {"kind": "end"})["event"]["kind"] == "end"
    assert post("/api/act", {"kind": "turn"}, 409)["error"]
    with Game.open(game) as opened:
        assert verify(opened).fault is None
        assert opened.timeline.events[-1].data["answer"]["key"] == opened.chance.key.hex()


@pytest.mark.parametrize("kind", list(ACTS))
def test_every_act_may_be_asked(served: Served, kind: str) -> None:
    """The server takes every kind of act that there is, and says of wrong ones what is wrong."""
    judge = served.join("judge")
    for asked in ({}, {"martian": 1}, {"unit": "nobody"}):
        answer = served.ask(judge, "POST", "/api/ask", {"kind": kind, "asked": asked})
        assert answer.status_code in (200, 409, 422), answer.text


def test_no_act_is_forgotten() -> None:
    """Whatever kind of act the game learns, the pages learn too."""
    assert ASKED.keys() == ACTS.keys()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"sighting": [101]}, "expected 1 to 100"),
        ({"sighting": [0]}, "expected 1 to 100"),
        ({"coloured": [7]}, "expected 1 to 6"),
        ({"tarot": [1]}, "there is no die"),
        ({"effect": [1, 2, 3]}, "in pairs"),
        ({"sighting": [5, 6]}, "nothing here calls for"),
        ({"white": [1]}, "nothing here calls for"),
    ],
    ids=str,
)
def test_a_die_that_there_is_not(served: Served, typed: dict[str, list[int]], words: str) -> None:
    """A die has its faces, and one that nothing calls for is not recorded."""
    body = {"kind": "sight", "asked": {"sighter": "T1", "target": "P1"}, "typed": {"sighting": [7]} | typed}
    answer = served.ask(served.join("judge"), "POST", "/api/act", body)
    assert (answer.status_code, words in answer.json()["error"]) == (422, True), answer.text


def test_a_move_is_tried_first(served: Served, game: Path) -> None:
    """A move not made yet: its cost, who sees it where, its picture; what is refused is said, and nothing recorded."""
    judge, before = served.join("judge"), game.read_bytes()
    found = served.ask(judge, "POST", "/api/preview", {"unit": "T1", "path": [[30, 30], [40, 20]]}).json()
    assert (found["allowed"], found["refusal"]) == (True, None)
    assert found["mp"] > 0
    assert {one["enemy"] for one in found["seen_by"]} >= {"P1"}
    assert found["picture"].startswith("<g ")
    assert served.ask(judge, "POST", "/api/preview", {"unit": "T1", "path": [], "facing": 10}).json()["allowed"]
    off = served.ask(judge, "POST", "/api/preview", {"unit": "T1", "path": [[500, 1]]}).json()
    assert (off["allowed"], bool(off["refusal"])) == (False, True)
    assert not served.ask(judge, "POST", "/api/preview", {"unit": "nobody", "path": [[5, 1]]}).json()["allowed"]
    assert game.read_bytes() == before


def test_a_unit_snaps_to_a_wall(game: Path) -> None:
    """Dropped near a crest line or a wall a tank stands with its front against it; elsewhere it stays."""
    with Game.open(game) as opened:
        board = opened.state.board
        wall = board.terrain_by_id["wall"]
        (ax, ay), (bx, by) = wall.segments[0]
        x, y = (ax + bx) / 16000, (ay + by) / 16000
        half = board.unit("T1").length_in / 2
        found = snap(board, [x - half - 0.3, y], "T1") or snap(board, [x, y - half - 0.3], "T1")
        assert found is not None
        assert found["to"].endswith(" wall")
        opened.act("move", {"unit": "T1", "to": found["at"], "facing": found["facing"]})
        places = json.loads(run("hulldown", "T1", "--json", "-g", game))
    assert "wall" in {place["by"] for place in places}
    assert snap(board, [1.0, 1.0], "T1") is None


@pytest.mark.parametrize("what", ["dead", "chance", "field"])
def test_planning_helps_are_laid_over_the_table(served: Served, what: str) -> None:
    """Dead ground, chances and a field of fire come as a picture with its words."""
    judge = served.join("judge")
    found = served.ask(judge, "POST", "/api/overlay", {"what": what, "unit": "P1"}).json()
    assert found["picture"].startswith("<g ")
    assert "style=" not in found["picture"]
    assert found["words"]
    for body in (
        {"what": what},
        {"what": what, "unit": "x"},
        {"what": what, "unit": "P1", "at": [1, 1]},
        {"what": "sky", "unit": "P1"},
    ):
        assert served.ask(judge, "POST", "/api/overlay", body).status_code == 422
    spot = served.ask(judge, "POST", "/api/overlay", {"what": what, "at": [40, 20]})
    assert spot.status_code == (200 if what == "dead" else 422)


def test_what_is_still_to_do_comes_later(served: Served) -> None:
    """The judge's view does not wait for the list of what is to do: it is there in the version after."""
    judge = served.join("judge")
    first = served.ask(judge, "GET", "/api/view").json()
    for _ in range(100):
        second = served.ask(judge, "GET", "/api/view").json()
        if second["todo"] is not None:
            break
        time.sleep(0.02)
    assert first["todo"] is None
    assert second["version"] != first["version"]
    assert {one["kind"] for one in second["todo"]} == {"sighting", "hidden"}
    assert [one["unit"] for one in second["watch"]] == ["P8"]
    assert second["hidden"] == ["P8"]


def test_what_was_to_do_stays_until_it_is_known_anew(served: Served) -> None:
    """After an event the list is the last one, and says so; a hit whose effect is open is on it at once."""
    judge = served.join("judge")

    def view() -> Any:
        return served.ask(judge, "GET", "/api/view").json()

    def fresh() -> Any:
        for _ in range(200):
            found = view()
            if found["todo_is_fresh"]:
                return found
            time.sleep(0.02)
        raise AssertionError("it never comes")

    before = fresh()
    act = {"kind": "sight", "asked": {"sighter": "T1", "target": "P1"}, "typed": {"sighting": [99]}}
    assert served.ask(judge, "POST", "/api/act", act).status_code == 200
    dice = {"sighting": [], "coloured": [1], "white": [2]}
    shot = {"kind": "fire", "asked": {"firer": "T1", "target": "P1", "no_effect": True}, "typed": dice}
    number = served.ask(judge, "POST", "/api/act", shot).json()["event"]["number"]
    at_once = view()
    assert at_once["todo"][0] == {
        "kind": "effect", "unit": "P1", "about": [], "event": number, "words": "the effect on P1 is not taken yet",
    }  # fmt: skip
    assert at_once["todo_is_fresh"] or at_once["todo"][1:] == before["todo"]
    assert served.ask(judge, "POST", "/api/act", {"kind": "effect", "asked": {"take": "shock"}}).status_code == 200
    assert "effect" not in {one["kind"] for one in fresh()["todo"]}


# --- lines -----------------------------------------------------------------------------------------------------------


def test_a_line_is_that_of_the_prompt(game: Path) -> None:
    """A short verb does what it does at the prompt, and says the same."""
    assert line(game, "s T1 P1") == (run("sight", "T1", "P1", "-g", game), False)
    assert line(game, "n")[1] is False
    assert "there is no unit" in line(game, "los T1 nobody")[0]
    assert line(game, "s T1 P1 x")[1] is True
    assert line(game, "") == ("", False)
    assert "s A B" in line(game, "?")[0]
    assert line(game, "? sight")[0].startswith("Usage:")


@pytest.mark.parametrize(
    "typed",
    [
        "start a b",
        "draw map --judge -o /tmp/x.svg",
        "plan hide",
        "serve a",
        "play a",
        "q",
        "quit",
        "sheet -o x.pdf",
        "verify x",
        "los T1 P1 -g other",
        "los T1 P1 -gother",
        "log --salvage",
        "los T1 P1 --game=x",
        "s T1 P1 --tables=/etc",
        "show --as axis",
        "'",
        "end",
        "import",
        "no-such",
        "\x00",
        "seal x",
    ],
)
def test_a_line_reaches_no_other_file(game: Path, typed: str) -> None:
    """From the page nobody names another file, and what takes long or ends the prompt is not taken."""
    before = {path: path.read_bytes() for path in game.parent.iterdir()}
    assert line(game, typed)[1] is True
    assert {path: path.read_bytes() for path in game.parent.iterdir()} == before


def test_lines_are_commands() -> None:
    """Every command that a line may be is there."""
    assert LINES - {"help"} <= set(cli.list_commands(None))  # type: ignore[arg-type]
