"""The web server: who comes in, by which door, and how whatever goes wrong is told."""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Callable
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from minis.errors import BadInput, MinisError
from minis.game.journal import Overtaken
from minis.web.files import KINDS, Content, Files
from minis.web.guard import HEADERS, Hosts, Refusal, body_of, check_origin, cookies_of, json_answer
from minis.web.requests import Join, Malformed, read_body
from minis.web.routes import Asked, Routes
from minis.web.seats import Seat, Seats, digest
from minis.web.table import Table, Unreadable
from minis.web.wording import Wording
from minis.web.workers import Doers, TooSlow

COOKIE = "minis"
COOKIE_SECONDS = 30 * 24 * 60 * 60


class App:
    """The server as an ASGI application.

    `stopping` is set when it is to stop, which ends every stream; `plans` works out planning helps; `link` makes the
    address of a link from its token.
    """

    def __init__(
        self, table: Table, seats: Seats, hosts: Hosts, wording: Wording, *, plans: Doers,
        link: Callable[[str], str], files: Files | None = None,
    ):  # fmt: skip
        self.table, self.seats, self.hosts = table, seats, hosts
        self.stopping = asyncio.Event()
        self._plans, self._files = plans, files or Files()
        self._routes = Routes(table, seats, self._files, wording, plans=plans, link=link, stopping=self.stopping)

    # --- ASGI --------------------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or open and close the game with the server."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            request = Request(scope, receive)
            response = await self._answer(request)
            for name, value in HEADERS.items():
                response.headers[name] = value
            await response(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message: Message = await receive()
            if message["type"] == "lifespan.startup":
                try:
                    await self.table.open()
                except MinisError as error:
                    await send({"type": "lifespan.startup.failed", "message": str(error)})
                    return
                await send({"type": "lifespan.startup.complete"})
            else:
                self.stop()
                self._plans.stop()
                await self.table.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def stop(self) -> None:
        """End every stream."""
        self.stopping.set()
        self.table.wake_all()

    async def _answer(self, request: Request) -> Response:
        """The answer to a request; whatever goes wrong is one of ours, with a status and a message."""
        try:
            return await self._routed(request)
        except Refusal as refusal:
            return json_answer({"error": refusal.why}, refusal.status)
        except Malformed as error:
            return json_answer({"error": str(error)}, 400)
        except BadInput as error:
            return json_answer({"error": str(error)}, 422)
        except Overtaken:
            return json_answer({"error": "the game went on meanwhile: look again", "rule": "S14"}, 409)
        except MinisError as error:
            return json_answer({"error": str(getattr(error, "why", error)), "rule": getattr(error, "rule", "")}, 409)
        except TooSlow:
            return json_answer({"error": "this takes too long and was given up"}, 504)
        except Unreadable as error:
            print(f"the game cannot be read: {error.why}", file=sys.stderr, flush=True)
            return json_answer({"error": "the game cannot be read now; the judge's `minis verify` says more"}, 503)
        except Exception:
            traceback.print_exc()
            return json_answer({"error": "a fault of the server; its terminal says more"}, 500)

    # --- who may ask what --------------------------------------------------------------------------------------------

    async def _routed(self, request: Request) -> Response:
        host = self.hosts.check(request)
        path, method = request.scope["path"], "GET" if request.method == "HEAD" else request.method
        if path == "/join" or path.startswith("/join/"):
            return await self._join(request, method, host, path.removeprefix("/join").removeprefix("/"))
        if path.startswith("/static/"):
            _only(method, "GET")
            found = self._files.find(path.removeprefix("/static/"))
            if found is None:
                raise Refusal(404, "there is nothing here")
            return found.answer(request)
        seated = self._seat_of(request)
        if seated is None:
            if path == "/" and method == "GET":
                return self._files.page("refused.html").answer(request, 401)
            raise Refusal(401, "join by the link of your seat: the judge has it")
        seat, cookie = seated
        handlers = self._routes.find(seat, path)
        if handlers is None:
            raise Refusal(404, "there is nothing here")
        _only(method, *handlers)
        body = b""
        if method == "POST":
            check_origin(request, host)
            body = await body_of(request)
        return await handlers[method](Asked(request, seat, cookie, body))

    def _seat_of(self, request: Request) -> tuple[Seat, str] | None:
        """The seat that a request comes from, with the hash of its cookie."""
        for value in cookies_of(request, COOKIE):
            found = digest(value)
            seat = self.seats.by_cookie_hash(found)
            if seat is not None:
                return seat, found
        return None

    async def _join(self, request: Request, method: str, host: str, token: str) -> Response:
        """The page of a link, and the post of its button; a link that is looked at in advance joins nobody."""
        if method == "GET":
            seat = self.seats.by_token(token)
            if seat is None:
                return self._files.page("refused.html").answer(request, 404)
            page = self._files.page("join.html").raw.replace(b"{{seat}}", escape(seat.name).encode())
            return Content(page, KINDS[".html"], "no-store").answer(request)
        _only(method, "GET", "POST")
        check_origin(request, host)
        body = read_body(Join, await body_of(request) or b"{}")
        token = token or body.token or ""
        seat = self.seats.by_token(token)
        before = next(iter(cookies_of(request, COOKIE)), None)
        cookie = self.seats.join(token, before)
        if seat is None or cookie is None:
            raise Refusal(404, "this link joins no seat: the judge has a newer one")
        self.table.wake_all()
        answer = json_answer({"ok": True, "seat": seat.name, "side": seat.side}, 303, {"Location": "/"})
        answer.set_cookie(COOKIE, cookie, max_age=COOKIE_SECONDS, path="/", httponly=True, samesite="lax")
        return answer


def _only(method: str, *known: str) -> None:
    if method not in known:
        raise Refusal(405, f"expected {' or '.join(known)}")
