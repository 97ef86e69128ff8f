"""The boards of `tests/bench/field.py`, each the same for the same seed."""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from boards import scene_of

from minis.sight.scene import Scene

WIDTH, DEPTH, CELL = 144, 120, 0.25
KINDS = {"building": 230, "woods": 80, "orchard": 20, "rubble": 30, "bocage": 60, "hill": 25, "ridge": 5}
"""Pieces of each kind among 450."""

Doc = dict[str, Any]


def bench_scene(name: str, seed: int = 1) -> Scene:
    """The board `game` (450 pieces, 3,300 edges, 300 vehicles) or `big` (2,000 pieces, 50,000 edges, 300 vehicles)."""
    rng = random.Random(seed)
    pieces, corners = (450, 7.3) if name == "game" else (2000, 25.0)
    terrain = []
    for kind, many in KINDS.items():
        for _ in range(round(many * pieces / 450)):
            terrain.append(_piece(rng, kind, len(terrain), corners, 1.0 if name == "game" else 0.6))
    units = [_vehicle(rng, number) for number in range(300)]
    return scene_of({"table": {"width": WIDTH, "depth": DEPTH}, "terrain": terrain, "unit": units})


def _piece(rng: random.Random, kind: str, number: int, corners: float, scale: float) -> Doc:
    x, y = rng.uniform(4, WIDTH - 4), rng.uniform(4, DEPTH - 4)
    piece: Doc = {"id": f"{kind}{number}", "kind": kind}
    if kind in ("hill", "ridge"):
        piece["level"] = rng.choice((1, 1, 2, 3))
    else:
        piece["base"] = rng.choice((0, 0, 0, 0, 0, 1))
    if kind == "building":
        piece["storeys"] = rng.choice((1, 1, 2))
    if kind in ("bocage", "ridge"):
        piece["line"] = _way(rng, x, y, max(2, round(rng.uniform(0.4, 0.8) * corners)), scale)
        return piece
    many = {"building": 0.7, "rubble": 0.8, "hill": 2.2}.get(kind, 1.5) * corners
    size = {"building": (0.8, 2.5), "rubble": (0.5, 1.5), "hill": (4, 9)}.get(kind, (1.5, 4))
    piece["outline"] = _outline(rng, x, y, max(4, round(many * rng.uniform(0.8, 1.2))), scale * rng.uniform(*size))
    return piece


def _outline(rng: random.Random, x: float, y: float, corners: int, radius: float) -> list[list[float]]:
    turn = rng.uniform(0, math.tau)
    found = []
    for k in range(corners):
        angle, r = turn + math.tau * k / corners, radius * rng.uniform(0.75, 1.0)
        found.append([_on_grid(x + r * math.cos(angle)), _on_grid(y + r * math.sin(angle))])
    return found


def _way(rng: random.Random, x: float, y: float, corners: int, scale: float) -> list[list[float]]:
    angle, found = rng.uniform(0, math.tau), [[_on_grid(x), _on_grid(y)]]
    for _ in range(corners - 1):
        angle += rng.uniform(-0.5, 0.5)
        step = scale * rng.uniform(1.0, 3.0) * (7.3 / max(7.3, corners))
        x, y = x + step * math.cos(angle), y + step * math.sin(angle)
        found.append([_on_grid(x), _on_grid(y)])
    return found


def _on_grid(inches: float) -> float:
    return round(inches * 8000) / 8000


def _vehicle(rng: random.Random, number: int) -> Doc:
    at = [_on_grid(rng.uniform(2, WIDTH - 2)), _on_grid(rng.uniform(2, DEPTH - 2))]
    size = rng.choice(("small", "average", "large"))
    return {
        "id": f"v{number}",
        "side": "axis",
        "kind": "vehicle",
        "at": at,
        "facing": rng.uniform(0, 360),
        "size": size,
    }


def places(many: int, seed: int) -> np.ndarray[Any, Any]:
    """Places anywhere on the table, in inches."""
    rng = np.random.default_rng(seed)
    return rng.uniform((1, 1), (WIDTH - 1, DEPTH - 1), (many, 2))
