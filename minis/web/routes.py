"""What each seat may ask, and how it is answered."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from minis.errors import bad
from minis.sight.scene import Scene
from minis.web import rulings
from minis.web.answers import event_answer
from minis.web.files import Content, Files
from minis.web.guard import Refusal, json_answer
from minis.web.jobs import overlay
from minis.web.requests import (
    Act,
    Control,
    Ends,
    Line,
    Overlay,
    Preview,
    SeatOrder,
    Snap,
    Units,
    act_of,
    read_body,
)
from minis.web.seats import Seat, Seats
from minis.web.stream import stream
from minis.web.table import Table, Who
from minis.web.wording import Wording
from minis.web.workers import Doers

THINK_SECONDS = 20.0
"""A planning help or a preview that takes longer is given up."""


@dataclass(frozen=True)
class Asked:
    """A request of a seat: the seat, the hash of the cookie that it came with, the body of a post."""

    request: Request
    seat: Seat
    cookie: str
    body: bytes = b""

    @property
    def who(self) -> Who:
        """Whose view it is."""
        return self.seat.side


Handler = Callable[[Asked], Awaitable[Response]]
Handlers = Mapping[str, Mapping[str, Handler]]
"""What is done at each path, by method."""


class Routes:
    """The routes of a server: for the judge, and for a player.

    `plans` works out planning helps; `link` makes the address of a link from its token; `stopping` ends every stream.
    """

    def __init__(
        self, table: Table, seats: Seats, files: Files, wording: Wording, *, plans: Doers, link: Callable[[str], str],
        stopping: asyncio.Event,
    ):  # fmt: skip
        self.table, self.seats, self.stopping = table, seats, stopping
        self._files, self._wording, self._plans, self._link = files, wording, plans, link
        self._views: dict[Who, tuple[str, Content]] = {}
        self._ground: Content | None = None
        shared: dict[str, Mapping[str, Handler]] = {
            "/": {"GET": self._page},
            "/api/me": {"GET": self._me},
            "/api/ground": {"GET": self._ground_of},
            "/api/view": {"GET": self._view},
            "/api/events": {"GET": self._events},
            "/api/measure": {"POST": self._measure},
            "/api/los": {"POST": self._los},
        }
        self._players: Handlers = shared
        self._judges: Handlers = shared | {
            "/api/pair": {"POST": self._pair},
            "/api/ask": {"POST": self._ask},
            "/api/act": {"POST": self._act},
            "/api/control": {"POST": self._control},
            "/api/line": {"POST": self._line},
            "/api/preview": {"POST": self._preview},
            "/api/snap": {"POST": self._snap},
            "/api/overlay": {"POST": self._overlay},
            "/api/seats": {"GET": self._list_seats, "POST": self._order_seat},
        }

    def find(self, seat: Seat, path: str) -> Mapping[str, Handler] | None:
        """What a seat may ask at a path, by method; for a player a judge's path is one that there is not."""
        if seat.is_judge and path.startswith("/api/event/"):
            return {"GET": self._event}
        return (self._judges if seat.is_judge else self._players).get(path)

    # --- every seat --------------------------------------------------------------------------------------------------

    async def _page(self, asked: Asked) -> Response:
        return self._files.page("judge.html" if asked.seat.is_judge else "player.html").answer(asked.request)

    async def _me(self, asked: Asked) -> Response:
        return json_answer({"seat": asked.seat.name, "side": asked.seat.side})

    async def _ground_of(self, asked: Asked) -> Response:
        if self._ground is None:
            svg = await self.table.ground()
            board = await self.table.start()
            answer = {"svg": svg, "width_in": board.width_in, "depth_in": board.depth_in}
            raw = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
            self._ground = Content(raw, "application/json", "no-cache")
        return self._ground.answer(asked.request)

    async def _view(self, asked: Asked) -> Response:
        view = await self.table.view(asked.who)
        kept = self._views.get(asked.who)
        if kept is None or kept[0] != view.version:
            raw = json.dumps(view.answer, ensure_ascii=False, separators=(",", ":")).encode()
            kept = self._views[asked.who] = view.version, Content(raw, "application/json", "no-store")
        return kept[1].answer(asked.request)

    async def _events(self, asked: Asked) -> Response:
        def is_seated() -> bool:
            seat = self.seats.by_cookie_hash(asked.cookie)
            return seat is not None and seat.name == asked.seat.name

        found = stream(self.table, asked.who, is_seated=is_seated, stopping=self.stopping)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        if asked.request.method == "HEAD":
            return Response(None, 200, headers, "text/event-stream")
        return StreamingResponse(found, 200, headers, "text/event-stream")

    async def _measure(self, asked: Asked) -> Response:
        body = read_body(Ends, asked.body)
        if asked.who is None:
            return json_answer(
                await self.table.ask(lambda game: rulings.measure(game.state.scene, body, self._wording))
            )
        view = await self.table.view_board(asked.who)
        return json_answer(rulings.measure(Scene(view), body, self._wording))

    async def _los(self, asked: Asked) -> Response:
        body = read_body(Units, asked.body)
        if asked.who is None:
            return json_answer(
                await self.table.ask(lambda game: rulings.los(game.state.scene, body.a, body.b, self._wording))
            )
        view, side = await self.table.view_board(asked.who), asked.who
        return json_answer(
            await self.table.ask(lambda _: rulings.los_of_own(view, side, body.a, body.b, self._wording))
        )

    # --- the judge ---------------------------------------------------------------------------------------------------

    async def _pair(self, asked: Asked) -> Response:
        body = read_body(Units, asked.body)
        return json_answer(await self.table.ask(lambda game: rulings.pair(game, body, self._wording)))

    async def _ask(self, asked: Asked) -> Response:
        body = read_body(Act, asked.body)
        request, typed = act_of(body)
        return json_answer(
            await self.table.ask(lambda game: rulings.ask(game, body.kind, request, typed, self._wording))
        )

    async def _act(self, asked: Asked) -> Response:
        body = read_body(Act, asked.body)
        request, typed = act_of(body)
        return json_answer(
            await self.table.ask(
                lambda game: rulings.act(game, body.kind, request, typed, self._wording, throws=body.throws)
            )
        )

    async def _control(self, asked: Asked) -> Response:
        body = read_body(Control, asked.body)
        return json_answer(await self.table.ask(lambda game: rulings.control(game, body)))

    async def _line(self, asked: Asked) -> Response:
        body, line = read_body(Line, asked.body), self._wording.line
        if line is None:
            raise Refusal(404, "there is nothing here")
        output, failed = await self.table.ask(lambda game: line(self.table.path, body.line))
        return json_answer({"output": output, "failed": failed})

    async def _preview(self, asked: Asked) -> Response:
        body = read_body(Preview, asked.body)
        rest = body.model_dump(exclude_none=True, exclude={"path"})
        way = [list(spot) for spot in body.path]
        request = rest | ({"to": way[-1], "via": way[:-1]} if way else {})
        return json_answer(await self.table.preview(request, way, THINK_SECONDS))

    async def _snap(self, asked: Asked) -> Response:
        body = read_body(Snap, asked.body)
        return json_answer(await self.table.ask(lambda game: rulings.snap(game.state.board, body.at, body.unit)))

    async def _overlay(self, asked: Asked) -> Response:
        body = read_body(Overlay, asked.body)
        board = (await self.table.state()).board
        return json_answer(await self._plans.run(overlay, board, body.what, body.unit, body.at, seconds=THINK_SECONDS))

    async def _event(self, asked: Asked) -> Response:
        number = asked.request.scope["path"].removeprefix("/api/event/")
        if not (number.isascii() and number.isdigit() and len(number) <= 9):
            raise Refusal(404, "there is nothing here")
        try:
            return json_answer(
                await self.table.ask(lambda game: event_answer(game.timeline, game.timeline.event(int(number))))
            )
        except IndexError:
            raise Refusal(404, f"there is no event {int(number)}") from None

    # --- seats -------------------------------------------------------------------------------------------------------

    async def _list_seats(self, asked: Asked) -> Response:
        found = [
            {
                "seat": seat.name, "side": seat.side, "devices": len(seat.devices), "has_link": seat.token is not None,
                "link_used": bool(seat.devices), "joined": [device.joined for device in seat.devices],
            }
            for seat in self.seats.all
        ]  # fmt: skip
        return json_answer({"seats": found, "sides": list(self.table.order)})

    async def _order_seat(self, asked: Asked) -> Response:
        body = read_body(SeatOrder, asked.body)
        if body.what == "revoke":
            self.seats.revoke(body.seat)
            self.table.wake_all()
            return json_answer({"seat": body.seat, "link": None, "qr": None})
        if body.side is not None:
            if body.side not in self.table.order:
                raise bad(f"there is no side {body.side!r}; there are {', '.join(self.table.order)}", file="side")
            self.seats.add(body.seat, body.side)
        link = self._link(self.seats.new_link(body.seat))
        return json_answer({"seat": body.seat, "link": link, "qr": qr_svg(link)})


def qr_svg(link: str) -> str:
    """A link as a QR code in SVG."""
    import segno

    found = io.BytesIO()
    segno.make(link, micro=False).save(
        found, kind="svg", scale=4, border=4, dark="#000", light="#fff", xmldecl=False, svgns=True, nl=False
    )
    return found.getvalue().decode()
