"""The security walk: through whole games, over every route and every event of a stream, no byte of a secret.

Each example is played twice, side by side, on two servers. What one side may know is the same in both games; who else
is hidden, what is under tokens that are never lifted, the names of units that it never learns, what the judge does in
secret, how many devices have joined and when all of it happens differ. After every line of both journals that side
asks for everything that there is, by every method; the answers are the same, byte by byte, and so is its stream.
"""

from __future__ import annotations

import ast
import asyncio
import json
import os
import random
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest
from boards import Doc
from test_noninterference import NOT_SHOWN, SECRET_IDS, SECRET_WORDS, ruled, speak_of
from test_playthroughs import ROOT, played
from test_views import armed, flagged, write
from web_client import HOST, JUDGES, POST, SHARED, app_of, begin

import minis.web
from minis.errors import MinisError
from minis.game.act import Outcome
from minis.game.chain import Event
from minis.game.control import dependents
from minis.game.game import Game
from minis.game.opening import prepare
from minis.game.state import State
from minis.game.timeline import CONTROL, read
from minis.game.views import board_for, knowledge_of
from minis.web import stream as streams
from minis.web.app import App

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE")

PREFIXES = ("/join", "/join/", "/static/", "/api/event/")
"""Paths of the server that more is to follow, or that need no seat."""

NOTHING = "/api/nothing"
"""A path that there is not."""

Answer = tuple[int, list[tuple[bytes, bytes]], bytes]
Asked = tuple[str, str, dict[str, str], bytes]


# --- what there is to walk -------------------------------------------------------------------------------------------


def routes() -> set[str]:
    """Every path that stands in the code of the server, as a text that begins with a slash."""
    found: set[str] = set()
    for path in Path(str(minis.web.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("/"):
                found.add(node.value)
    return found


BODIES = {path: (method, body) for method, path, body in (*SHARED, *JUDGES) if method != "HEAD"}
"""What is asked at each path by who may."""


def test_every_route_is_walked() -> None:
    """A route that is new in the server is one of those that the walk below asks, with a body that makes sense."""
    known = {*(path for _, path, _ in (*SHARED, *JUDGES)), *PREFIXES}
    assert routes() - known == set()
    served = app_routes(app_without_game())
    assert served <= known
    assert len(served) > 12


def app_routes(app: App) -> set[str]:
    """The paths of the server's tables."""
    return {*app._routes._players, *app._routes._judges}


def app_without_game() -> App:
    """A server whose game is never opened."""
    return App(None, None, None, None, plans=None, link=str)  # type: ignore[arg-type]


# --- two games -------------------------------------------------------------------------------------------------------


class Clock(datetime):
    """A clock that is another one at each look, so that no two events have one time."""

    looks = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Clock:
        """A later time, by a minute and more."""
        cls.looks += 1
        return cls(2024, 6, 1, tzinfo=UTC) + timedelta(seconds=67 * cls.looks)


class Stream:
    """A live stream: every byte of it."""

    def __init__(self) -> None:
        self.bytes = b""

    async def read(self, app: App, cookie: str) -> None:
        """Read until it ends."""

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            self.bytes += repr(sorted(message.get("headers", ()))).encode() + message.get("body", b"")

        await app(_scope("GET", "/api/events", {"Cookie": cookie}), receive, send)


@dataclass
class Played:
    """One of the two games: its file as the command line has it, its server, what is secret, its events by number."""

    game: Game
    app: App
    rng: random.Random
    hidden: list[str]
    names: dict[str, str]
    cookies: dict[str, str] = field(default_factory=dict)
    stream: Stream = field(default_factory=Stream)
    numbers: dict[int, int] = field(default_factory=dict)
    secret: list[int] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    async def ask(self, seat: str, asked: Asked) -> Answer:
        """What the server answers to a seat."""
        method, path, headers, body = asked
        return await answer_of(self.app, method, path, headers | {"Cookie": self.cookies[seat]}, body)

    async def post(self, path: str, body: Any) -> None:
        """The judge posts; it may be refused."""
        await self.ask("judge", ("POST", path, POST, json.dumps(body).encode()))

    async def begin(self, side: str) -> None:
        """Open the server, let the seats join, and the stream begin."""
        await self.app.table.open()
        self.app.seats.add(f"{side}-2", side)
        for seat in ("judge", *self.app.table.order, f"{side}-2"):
            self.join(seat)
        self.task = asyncio.create_task(self.stream.read(self.app, self.cookies[side]))
        await self.settle()

    def join(self, seat: str) -> None:
        """A further device joins a seat."""
        self.cookies[seat] = f"minis={self.app.seats.join(self.app.seats.new_link(seat))}"

    async def settle(self) -> None:
        """Let the server see what the command line did, and tell everybody."""
        await self.app.table.look()
        for _ in range(3):
            await self.app.table.event_count()  # the thread of the game has done all before it
            for _ in range(12):
                await asyncio.sleep(0)

    async def end(self) -> None:
        """Stop the server."""
        self.app.stop()
        if self.task is not None:
            await asyncio.wait_for(self.task, 5)
        await self.app.table.close()
        self.game.close()


def _scope(method: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
    where, _, query = path.partition("?")
    sent = {"Host": HOST} | headers
    return {
        "type": "http", "method": method, "path": where, "raw_path": where.encode(), "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "server": ("127.0.0.1", 8321), "client": ("127.0.0.1", 5), "scheme": "http", "http_version": "1.1",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
    }  # fmt: skip


async def answer_of(app: App, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
    """Status, headers and bytes of an answer."""
    status, found, content = 0, [], b""

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status, found, content
        if message["type"] == "http.response.start":
            status, found = message["status"], sorted(message["headers"])
        content += message.get("body", b"")

    await app(_scope(method, path, headers), receive, send)
    return status, found, content


@dataclass(frozen=True)
class Script:
    """A game that was played: its scenario, its events, and the units that a side never learns of, by side."""

    doc: Doc
    events: tuple[Event, ...]
    never: dict[str, frozenset[str]]


def script_of(name: str, folder: Path) -> Script:
    """The game of an example."""
    with Game.open(played(name, folder)) as game:
        events, order, start = tuple(game.timeline.events), game.order, game.start
    known: dict[str, set[str]] = {side: set() for side in order}
    for number in range(1, len(events) + 1):
        so_far = read(events[:number])
        board = State(start, so_far.ledger(), order, so_far).board
        for side in order:
            found = knowledge_of(board, side)
            known[side] |= found.own | found.identified
    doc = tomllib.loads((ROOT / "examples" / name / "scenario.toml").read_text(encoding="utf-8"))
    return Script(doc, events, {side: frozenset(unit.id for unit in start.units) - known[side] for side in order})


def variant(script: Script, folder: Path, side: str, order: tuple[str, ...], number: int, rng: random.Random) -> Played:
    """A game of the script with other secrets of the other side than that of another number."""
    enemy = next(one for one in order if one != side)
    free = list(SECRET_IDS)
    rng.shuffle(free)
    units = [dict(unit) for unit in script.doc["unit"]]
    names = {name: f"{rng.choice('QVXYZ')}{rng.randrange(10**6)}-{name[::-1]}" for name in sorted(script.never[side])}
    units = [_named(unit, names) for unit in units]
    for unit in units:
        if unit["side"] == enemy:
            unit |= {"leadership": rng.randint(-2, 1)}
    width, depth = script.doc["table"]["width"], script.doc["table"]["depth"]
    east = width - 1.5 if side == "allied" else 1.5  # behind the enemy's own units
    hidden: list[str] = []
    for nth in range(rng.randint(1, 3)):
        hidden.append(free.pop())
        at = [rng.uniform(abs(east - 4), east) if east > 5 else rng.uniform(0.5, 5), rng.uniform(1, depth - 1)]
        units.append({"id": hidden[-1], "side": enemy, "at": at, "hidden": True} | _secretly(rng, nth))
    for nth in (0, 1):  # two markers: what is under them nobody ever looks
        at = [east, 1.5 + 3 * nth]
        unit = {"id": free.pop(), "side": enemy, "at": at, "token": f"M{21 + nth}"} | _secretly(rng, rng.randrange(3))
        units.append(unit | {"dummy": rng.random() < 0.5})
    rng.shuffle(units)
    doc = script.doc | {"unit": units, "types": {**script.doc.get("types", {}), "geheimtyp": {"size": "large"}}}
    doc |= {"zone": [*script.doc.get("zone", []), *_zones(enemy, number, rng)]}
    doc |= {"smoke": [_named(cloud, names) for cloud in script.doc.get("smoke", [])]}
    folder.mkdir(parents=True)
    write(folder / "scenario.toml", doc)
    key = rng.randbytes(32)
    game = Game.begin(folder / "a.game", prepare(folder / "scenario.toml", first=order[0], key=key), key)
    return Played(game, app_of(game.path), rng, hidden, names)


def _named(value: Any, names: dict[str, str]) -> Any:
    """A unit with other names for those that have others."""
    if isinstance(value, dict):
        return {key: _named(part, names) if key in ("id", "carries", "tow", "sighted_by", "by") else part
                for key, part in value.items()}  # fmt: skip
    if isinstance(value, list):
        return [_named(part, names) for part in value]
    return names.get(value, value) if isinstance(value, str) else value


def _secretly(rng: random.Random, number: int) -> Doc:
    """What a unit is that nobody sees."""
    unit = armed(rng, ("vehicle", "infantry", "gun")[number % 3]) | flagged(rng, ("radio", "spotter", "pinned"))
    unit["weapons"] = [{"id": "blitzrohr", "gun": rng.choice(("88L", "MG", "76*"))}]
    if rng.random() < 0.3:
        del unit["size"]
        unit["type"] = "geheimtyp"
    return unit


def _zones(enemy: str, many: int, rng: random.Random) -> Iterator[Doc]:
    for number in range(many):
        yield {"id": f"geheimtyp-{number}", "side": enemy, "box": [rng.uniform(1, 9), 1, 12, 9]}


# --- what happens in them --------------------------------------------------------------------------------------------


async def both(games: list[Played], event: Event, side: str) -> bool:
    """Let an event of the script happen in both games, where the rules allow it and tell that side the same of it."""
    asked = [_mapped(each, event) for each in games]
    if event.kind not in CONTROL:
        try:
            found = [_told(event, ruled(each.game, (event.kind, one, _typed(event))), each, side)
                     for each, one in zip(games, asked, strict=True)]  # fmt: skip
        except (MinisError, KeyError):
            return False
        if found[0] is None or found[0] != found[1]:
            return False
    elif any(_rests_on(each, one.get("event")) for each, one in zip(games, asked, strict=True)):
        return False
    for each, one in zip(games, asked, strict=True):
        before = len(each.game.timeline.events)
        if event.seq % 3 or event.kind in CONTROL or event.kind == "end":
            await each.post(*_post(event, one))
        else:
            each.game.act(event.kind, one, _typed(event))
        each.game.refresh()
        assert len(each.game.timeline.events) == before + 1, (event.kind, one)
        each.numbers[event.seq] = before + 1
    return True


def _rests_on(each: Played, number: int | None) -> bool:
    """True of an event that did not happen here, or on which secret ones rest: the judge is refused to touch it."""
    if number is None:
        return False
    game = each.game
    return number > len(game.timeline.events) or any(True for _ in dependents(game, game.timeline.event(number)))


def _mapped(each: Played, event: Event) -> dict[str, Any]:
    """What is asked, by the names and the numbers of one of the games."""
    data = event.data if event.kind in CONTROL else event.data["asked"]
    if event.kind == "seed":
        return {"side": data["side"], "text": data["text"]}
    asked = {key: each.names.get(value, value) if isinstance(value, str) else value for key, value in data.items()}
    if "event" in asked:
        asked["event"] = each.numbers.get(int(asked["event"]), 10**6)
    return {"key": each.game.chance.key.hex()} if event.kind == "end" else asked


def _typed(event: Event) -> dict[str, list[int]]:
    typed: dict[str, list[int]] = {}
    for die in event.data.get("dice", ()):
        typed.setdefault(die["purpose"], []).append(die["face"])
    return typed


def _post(event: Event, asked: dict[str, Any]) -> tuple[str, Any]:
    """How the judge's page says it."""
    if event.kind in CONTROL:
        known = {"event", "to", "why", "side", "text"}
        return "/api/control", {"what": event.kind} | {key: asked[key] for key in known & asked.keys()}
    shown = {} if event.kind == "end" else asked
    return "/api/act", {"kind": event.kind, "asked": shown, "typed": _typed(event)}


def _told(event: Event, outcome: Outcome, each: Played, side: str) -> Any:
    """What the rules themselves tell everybody of an act; None where it is no event with these dice."""
    answer = outcome.answer
    if not outcome.recorded:
        return None
    if event.kind in ("sight", "identify"):
        return answer["sighted"]
    if event.kind == "fire":
        own = {unit.id for unit in each.game.state.board.units if unit.side == side}
        kept = [v and v.get("value") for t, k, v in outcome.changes if t == "acquired" and k.split("\n")[0] in own]
        result = answer["result"] or {}
        return [result.get("hit"), result.get("location"), answer["sighting"]["sighted"], kept, answer["open"]]
    return [answer.get("replaced") is None, answer.get("result")] if event.kind in ("move", "effect") else event.kind


async def secretly(each: Played, side: str) -> None:
    """Something of which that side learns nothing."""
    rng, game = each.rng, each.game
    board = game.state.board
    name = rng.choice(each.hidden)
    own = rng.choice([unit.id for unit in board.units if unit.side == side and not unit.hidden] or ["T1"])
    spot = [round(board.unit(name).at[0] / 8000 + rng.uniform(-0.4, 0.4), 2), rng.randrange(4, 100) / 4]
    facts = {rng.choice(NOT_SHOWN): True}
    acts: list[tuple[str, dict[str, Any], dict[str, list[int]]]] = [
        ("sight", {"sighter": name, "target": own}, {"sighting": [rng.choice((1, 50))]}),
        ("sight", {"sighter": own, "target": name}, {"sighting": [1]}),
        ("set", {"unit": name, "facts": {"stun": 3} if "stun" in facts else facts, "why": "flatterzunge"}, {}),
        ("note", {"text": "flatterzunge"}, {}),
        ("weapon", {"unit": name, "state": rng.choice(("malfunction", "ready"))}, {}),
        ("boresight", {"unit": name, "at": spot}, {}),
        ("move", {"unit": name, "to": spot}, {}),
        ("remove", {"unit": name, "how": "flatterzunge"}, {}) if len(each.hidden) > 1 else ("note", {"text": "x"}, {}),
    ]
    kind, asked, typed = rng.choice(acts)
    before = len(game.timeline.events)
    try:
        if each.secret and rng.random() < 0.15:
            speak_of(each, each.secret[-1])  # type: ignore[arg-type]
        elif not game.ask(kind, asked, typed).answer.get("sighted") or asked.get("sighter") == name:
            if rng.random() < 0.5:
                await each.post("/api/act", {"kind": kind, "asked": asked, "typed": typed})
            else:
                game.act(kind, asked, typed)
    except MinisError:
        pass  # what may not be did not happen
    game.refresh()
    each.secret += [n for n in range(before + 1, len(game.timeline.events) + 1)
                    if game.timeline.event(n).kind not in CONTROL]  # fmt: skip
    each.hidden = [one for one in each.hidden if one in game.state.board.unit_by_id] or each.hidden


async def judge_about(each: Played, side: str, enemy: str) -> None:
    """The judge asks and orders seats; devices of others join and go."""
    rng = each.rng
    own = rng.choice([unit.id for unit in each.game.state.board.units if unit.side == side])
    name = rng.choice(each.hidden)
    match rng.randrange(6):
        case 0:
            await each.post("/api/pair", {"a": own, "b": name})
        case 1:
            await each.post("/api/ask", {"kind": "sight", "asked": {"sighter": name, "target": own}})
        case 2:
            await each.post("/api/seats", {"seat": f"{enemy}-KONIGSTIGER-{rng.randrange(3)}", "side": enemy})
        case 3:
            each.join(rng.choice(("judge", enemy)))
        case 4:
            await each.post("/api/seats", {"seat": f"{enemy}-KONIGSTIGER-0", "what": "revoke"})
        case 5:
            await each.ask("judge", ("GET", "/api/view", {}, b""))


# --- what a side asks ------------------------------------------------------------------------------------------------


def questions(
    script: Script, side: str, known: dict[str, list[str]], rng: random.Random, every: bool
) -> Iterator[Asked]:
    """What a player asks at one moment: what there is to see, to ask, and what is not his; `every` by all methods."""
    for method, path, headers in (
        ("GET", "/api/view", {}), ("GET", "/api/view", {"Accept-Encoding": "gzip"}), ("HEAD", "/api/view", {}),
        ("GET", "/api/me", {}), ("HEAD", "/api/events", {}),
    ):  # fmt: skip
        yield method, path, headers, b""
    if every:
        yield from (("GET", path, {"Accept-Encoding": "gzip"}, b"") for path in ("/", "/api/ground"))
    nobody = [*script.never[side], *SECRET_IDS, "nobody", "M23", "spot-9"]
    ends: list[tuple[Any, Any]] = [
        (rng.choice(known["own"]), rng.choice(known["seen"])), (rng.choice(known["own"]), rng.choice(nobody)),
        (rng.choice(nobody), rng.choice(known["own"])), (rng.choice(known["seen"]), rng.choice(["M21", *known["own"]])),
        (rng.choice(SECRET_IDS), rng.choice(SECRET_IDS)),
    ]  # fmt: skip
    places: list[tuple[Any, Any]] = [(rng.choice(nobody), [9.0, 9.0]), ([5.0, 5.0], rng.choice(known["seen"]))]
    for path, pairs in (("/api/measure", ends + places), ("/api/los", ends if every else rng.sample(ends, 2))):
        for a, b in pairs:
            yield "POST", path, POST, json.dumps({"a": a, "b": b}).encode()
    yield "POST", "/api/los", POST, json.dumps({"a": known["own"][0], "b": known["own"][0], "side": "judge"}).encode()
    for path, (method, body) in BODIES.items():
        if (method, path, body) in JUDGES:
            yield method, path, POST if method == "POST" else {}, b"" if body is None else json.dumps(body).encode()
    if every:
        yield from everything()


TRICKS = (
    "/api/view/axis", "/api/view?side=axis", "/api/view?seat=judge&side=", "/api/me?seat=judge", "/api/Pair",
    "/api/pair/", "//api/pair", "/api/../api/pair", "/api/events/judge", "/api/event/0", "/api/event/9999",
    "/api/event/x",
    "/static/../app.py", "/static/%2e%2e/app.py", "/static/judge", "/join/x", "/api", "/api/", "/seats", "/a.game",
    "/a.game.seats",
)  # fmt: skip
"""Paths by which somebody might try to see more."""

HINTS = {"X-Seat": "judge", "X-Side": "axis", "Authorization": "Bearer judge", "X-Forwarded-For": "127.0.0.1"}


def everything() -> Iterator[Asked]:
    """Every path by every method, with and without a body of its own, and with all that might open it."""
    for path in sorted({*routes(), *BODIES, *TRICKS, NOTHING}):
        _, body = BODIES.get(path, ("GET", {"a": "T1"}))
        for method in METHODS:
            if (method, path) == ("GET", "/api/events"):
                continue  # that one does not end: it is read beside this
            yield method, path, POST, json.dumps(body).encode()
            if method in ("GET", "POST"):
                yield method, path, POST | HINTS, b'{"a": ['
                yield method, path, {}, b""


async def answers_of(each: Played, seat: str, asked: Iterable[Asked]) -> list[Answer]:
    """What a seat is answered to all of it."""
    return [await each.ask(seat, one) for one in asked]


def check_same(asked: list[Asked], one: list[Answer], other: list[Answer], when: object) -> None:
    """Fail with the first question whose answers are not the same."""
    for question, left, right in zip(asked, one, other, strict=True):
        assert left == right, (when, question)


JUDGES_PATHS = {path for _, path, _ in JUDGES}


async def check_walls(each: Played, seat: str, own: list[str], asked: list[Asked], answers: list[Answer]) -> None:
    """A judge's route answers a player as one that there is not, and no answer has a word of what is secret.

    A line of sight is answered for his own units alone.
    """
    for (method, path, headers, body), answer in zip(asked, answers, strict=True):
        assert answer[0] != 500, (method, path)
        if path in JUDGES_PATHS or path.startswith("/api/event/"):
            nothing = await each.ask(seat, (method, NOTHING, headers, body))
            assert answer == nothing, (method, path)
        if (method, path) == ("POST", "/api/los") and answer[0] == 200:
            assert json.loads(body)["a"] in own, body
        words = [word for word in SECRET_WORDS if word.lower().encode() not in body.lower()]
        shown = [word for word in words if word.lower().encode() in answer[2].lower()]
        assert not shown, (method, path, shown)


async def check_seat(each: Played, seat: str, side: str, asked: list[Asked], answers: list[Answer]) -> None:
    """Another seat of the side is answered the same but for its name; the enemy's never the view or the units."""
    same = [answer == await each.ask(seat, one) for one, answer in zip(asked, answers, strict=True)]
    paths = {path for one, (_, path, _, _) in zip(same, asked, strict=True) if not one}
    if seat.startswith(side):
        assert {path.partition("?")[0] for path in paths} <= {"/api/me"}
    else:
        assert "/api/view" in paths
        assert (await each.ask(seat, ("GET", "/api/me", HINTS, b"")))[2] == json.dumps(
            {"seat": seat, "side": seat}, separators=(",", ":")
        ).encode()


# --- the walk --------------------------------------------------------------------------------------------------------


async def walk(
    script: Script, folder: Path, order: tuple[str, ...], side: str, seed: int, often: int
) -> tuple[int, int]:
    """Play the script in two games that differ in secrets, and ask all there is; how many events happened in both.

    Of the lines of the journal each `often`-th is followed by every question, the others by the view and the stream.
    """
    rng, enemy = random.Random(seed), next(one for one in order if one != side)
    games = [variant(script, folder / str(n), side, order, n, random.Random(2 * seed + n)) for n in (1, 2)]
    for each in games:
        await each.begin(side)
    try:
        last, happened, secrets = None, 0, 0
        for event in script.events[1:]:
            for each in games:
                for _ in range(each.rng.randint(0, 2)):
                    before = each.stream.bytes
                    await secretly(each, side)
                    await judge_about(each, side, enemy)
                    if last is not None:  # a page that is loaded meanwhile keeps nothing from the others
                        asked, answers = last
                        check_same(asked, answers, await answers_of(each, side, asked), ("in secret", event.seq))
                    await each.settle()
                    assert each.stream.bytes == before, ("in secret", event.seq)
                    secrets += 1
            happened += await both(games, event, side)
            full = event.seq % often == 0 or event.seq in (2, len(script.events))
            known = names_known(games[0], side)
            asked = list(questions(script, side, known, rng, full))
            if not full and event.seq % 3 and often > 3:
                asked = asked[:3]
            left, right = [await answers_of(each, side, asked) for each in games]
            for each in games:
                await each.settle()
            check_same(asked, left, right, event.seq)
            assert games[0].stream.bytes == games[1].stream.bytes, event.seq
            await check_walls(games[0], side, known["own"], asked, left)
            for seat in (enemy, f"{side}-2") if full else ():
                await check_seat(games[0], seat, side, asked, left)
            version = json.loads(left[0][2])["version"]
            assert games[0].stream.bytes.endswith(f"data: {version}\n\n".encode()), event.seq
            last = asked[:3], left[:3]
        return happened, secrets
    finally:
        for each in games:
            await each.end()


def names_known(each: Played, side: str) -> dict[str, list[str]]:
    """The ids of a side's own units and of the others that it sees."""
    if side not in each.game.state.board.sides:
        return {"own": ["nobody"], "seen": ["nobody"]}
    units = board_for(each.game.state.board, side).units
    own = [unit.id for unit in units if unit.side == side]
    return {"own": own, "seen": [unit.id for unit in units if unit.side != side] or own}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The games of the examples, each played once."""
    kept: dict[str, Script] = {}

    def script(name: str) -> Script:
        if name not in kept:
            kept[name] = script_of(name, tmp_path_factory.mktemp(name))
        return kept[name]

    return script


WALKS = [("crossroads", "allied", 1, 12), ("crossroads", "axis", 2, 12)]
if os.environ.get("MINIS_WALK") == "all":
    WALKS += [("villers-bocage", side, seed, 40) for side in ("allied", "axis") for seed in (3, 4)]
    WALKS += [("crossroads", side, seed, 5) for side in ("allied", "axis") for seed in range(5, 12)]


@pytest.mark.parametrize(("name", "side", "seed", "often"), WALKS)
def test_no_route_and_no_event_tells_a_secret(
    name: str, side: str, seed: int, often: int, scripts: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S11, S12: at every line of a whole game's journal, two games with other secrets are the same to a side."""
    monkeypatch.setattr("minis.game.chain.datetime", Clock)
    monkeypatch.setattr("minis.web.seats.datetime", Clock)
    monkeypatch.setattr(streams, "ALIVE_SECONDS", 3600.0)
    script = scripts(name)
    happened, secrets = asyncio.run(walk(script, tmp_path, ("allied", "axis"), side, seed, often))
    assert happened > 0.8 * len(script.events)
    assert secrets > 0.5 * len(script.events)


def test_a_stream_says_by_the_clock_alone_that_it_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Devices of others that join and go wake every stream, and none says it later or sooner for that."""
    monkeypatch.setattr(streams, "ALIVE_SECONDS", 0.2)
    begin(tmp_path)

    async def listen() -> list[bytes]:
        app = app_of(tmp_path / "a.game")
        await app.table.open()
        found, ends = [], asyncio.Event()
        told = streams.stream(app.table, "allied", is_seated=lambda: True, stopping=ends)
        begun = asyncio.get_running_loop().time()
        waker = asyncio.create_task(wake(app))
        async for part in told:
            found.append(part)
            if asyncio.get_running_loop().time() > begun + 1.1:
                break
        waker.cancel()
        await told.aclose()  # type: ignore[attr-defined]
        app.stop()
        await app.table.close()
        return found

    async def wake(app: App) -> None:
        while True:
            await asyncio.sleep(0.05)
            app.table.wake_all()

    found = asyncio.run(asyncio.wait_for(listen(), 10))
    assert found[0].startswith(b"retry")
    assert found[1].startswith(b"event: view")
    assert set(found[2:]) == {b": alive\n\n"}
    assert len(found) >= 5
