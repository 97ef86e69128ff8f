"""What stands before every page: whose name the server answers to, where a request comes from, how large it may be."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

LARGEST = 64 * 1024
"""Bytes of a body."""

SECONDS_FOR_A_BODY = 10.0
"""A body that takes longer to come is not waited for."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
"""Headers of every answer."""


class Refusal(Exception):
    """A request that is refused with a status and one clear message."""

    def __init__(self, status: int, why: str, rule: str = ""):
        self.status = status
        self.why = why
        self.rule = rule
        super().__init__(why)


@dataclass(frozen=True)
class Hosts:
    """The names that the server answers to, each with its port; with `lan` also the address that was called."""

    names: frozenset[str]
    port: int
    lan: bool = False

    def check(self, request: Request) -> str:
        """The name that a request calls the server by; raises Refusal (421) for a foreign one.

        A foreign name is how a page of another site would reach this server through the judge's browser.
        """
        called: list[str] = [
            value.decode("latin-1").lower() for name, value in request.scope["headers"] if name == b"host"
        ]
        if len(called) != 1 or called[0] not in self._here(request):
            raise Refusal(421, "this server does not go by that name")
        return called[0]

    def _here(self, request: Request) -> set[str]:
        names = set(self.names)
        server = request.scope.get("server")
        if self.lan and server:
            names.add(str(server[0]).lower())
        found = {f"{name}:{self.port}" for name in names}
        return found | (names if self.port == HTTP else set())


HTTP = 80
"""The port that a browser leaves out of a name."""


def check_origin(request: Request, host: str) -> None:
    """Raise Refusal (403) for a post that is not made by a page of this server."""
    headers = request.headers
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(403, "a post is JSON")
    if headers.get("x-minis") != "1":
        raise Refusal(403, "a post comes from a page of this server")
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin.lower() != f"http://{host}":
        raise Refusal(403, "a post comes from a page of this server")
    if site is not None and site not in ("same-origin", "none"):
        raise Refusal(403, "a post comes from a page of this server")


async def body_of(request: Request) -> bytes:
    """The body of a request; raises Refusal for one that is too large (413) or does not come (408)."""
    told = request.headers.get("content-length", "")
    if told.isascii() and told.isdigit() and (len(told) > len(str(LARGEST)) or int(told) > LARGEST):
        raise Refusal(413, f"a body has at most {LARGEST} bytes")
    found = bytearray()
    try:
        async with asyncio.timeout(SECONDS_FOR_A_BODY):
            async for part in request.stream():
                found += part
                if len(found) > LARGEST:
                    raise Refusal(413, f"a body has at most {LARGEST} bytes")
    except TimeoutError:
        raise Refusal(408, "the body did not come") from None
    except ClientDisconnect:
        raise Refusal(400, "the body did not come") from None
    return bytes(found)


def cookies_of(request: Request, name: str) -> list[str]:
    """Every value of a cookie, in the order in which they came."""
    found = []
    for header in request.headers.getlist("cookie"):
        for part in header.split(";"):
            key, equals, value = part.strip().partition("=")
            if equals and key == name:
                found.append(value.strip().strip('"'))
    return found


def json_answer(answer: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer as JSON that nobody keeps."""
    return Response(
        json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"), status,
        {"Cache-Control": "no-store", **(headers or {})}, "application/json",
    )  # fmt: skip
