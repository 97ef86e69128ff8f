"""The pages themselves: files of the package, served with a mark so that a browser keeps them while they stay."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

KINDS = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".json": "application/json",
}  # fmt: skip
"""What kind of file an ending stands for; no other file is served."""

WORTH = 600
"""Bytes from which on an answer is sent compressed."""


@dataclass(frozen=True)
class Content:
    """Something that is sent: its bytes, their kind, how long it is kept."""

    raw: bytes
    kind: str
    keep: str = "no-cache"

    @cached_property
    def packed(self) -> bytes:
        """The bytes, compressed; always the same for the same."""
        return gzip.compress(self.raw, 6, mtime=0)

    @cached_property
    def mark(self) -> str:
        """The mark by which a browser knows that it has them."""
        return f'"{hashlib.sha256(self.raw).hexdigest()[:24]}"'

    def answer(self, request: Request, status: int = 200) -> Response:
        """The answer to a request: nothing new where the browser has it, compressed where it takes that."""
        headers = {"Cache-Control": self.keep, "Vary": "Accept-Encoding"}
        if self.keep != "no-store":
            headers["ETag"] = self.mark
            if status == 200 and self.mark in [m.strip() for m in request.headers.get("if-none-match", "").split(",")]:
                return Response(None, 304, headers)
        takes = "gzip" in request.headers.get("accept-encoding", "").lower()
        if not takes or len(self.raw) < WORTH:
            return Response(self.raw, status, headers, self.kind)
        return Response(self.packed, status, headers | {"Content-Encoding": "gzip"}, self.kind)


class Files:
    """The files of the folder of pages, read again where they were changed."""

    def __init__(self, folder: Path | None = None):
        self._folder = folder or Path(str(files("minis.web"))) / "static"
        self._kept: dict[str, tuple[tuple[int, int], Content]] = {}

    def find(self, name: str) -> Content | None:
        """The file with this name; None for any other, and for a name that is more than that of a file here."""
        kind = KINDS.get(Path(name).suffix)
        if kind is None or name not in {path.name for path in self._folder.iterdir() if path.is_file()}:
            return None
        path = self._folder / name
        stat = path.stat()
        at = stat.st_mtime_ns, stat.st_size
        kept = self._kept.get(name)
        if kept is None or kept[0] != at:
            kept = self._kept[name] = at, Content(path.read_bytes(), kind)
        return kept[1]

    def page(self, name: str) -> Content:
        """A page that there always is; a bare one where its file is missing."""
        bare = b"<!doctype html><html lang='en'><title>minis</title><p>This page is missing.</p></html>"
        return self.find(name) or Content(bare, KINDS[".html"])
