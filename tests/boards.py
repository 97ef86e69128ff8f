"""Boards for the tests: from a text, and made at random from a seed."""

from __future__ import annotations

import json
import random
from typing import Any

from minis.board import Board
from minis.board.scenario import board_of
from minis.sight.line import Sightline, sight_line
from minis.sight.scene import Scene
from minis.toml_file import Document, parse_toml

Doc = dict[str, Any]

SIZES = ("very small", "small", "average", "large", "very large")


def board(text: str) -> Board:
    """The board of a scenario text."""
    return board_of(parse_toml(text, "board.toml"))


def board_of_doc(doc: Doc) -> Board:
    """The board of a scenario given as data."""
    return board_of(Document("board.toml", "", json.loads(json.dumps(doc))))


def scene_of(doc: Doc) -> Scene:
    """The scene of a scenario given as data."""
    return Scene(board_of_doc(doc))


def look(scene: Scene, one: str, other: str) -> Sightline:
    """The line of sight between two units by id."""
    return sight_line(scene, scene.board.unit(one), scene.board.unit(other))


def pairs(doc: Doc) -> list[tuple[str, str]]:
    """Every pair of units of a board, each once."""
    names = [unit["id"] for unit in doc["unit"]]
    return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]


def lattice_board(seed: int) -> Doc:
    """A small board whose corners, bases and crest lines lie on whole and half inches: full of touches."""
    rng = random.Random(seed)
    return _board(rng, 20, lambda: rng.randrange(0, 41) / 2 if rng.random() < 0.3 else float(rng.randrange(0, 21)))


def rough_board(seed: int) -> Doc:
    """A board with corners anywhere on the grid, bases at any angle."""
    rng = random.Random(seed)
    return _board(rng, 40, lambda: rng.randrange(0, 40 * 8000 + 1) / 8000, turned=True)


def _board(rng: random.Random, size: int, place: Any, *, turned: bool = False) -> Doc:
    terrain: list[Doc] = []
    for level in (1, 1, 2, 3):
        if rng.random() < 0.55:
            terrain.append(_hill(rng, f"hill{len(terrain)}", level, place, size))
    if rng.random() < 0.4:
        terrain.append({"id": "ridge", "kind": "ridge", "level": rng.randint(1, 2), "line": _line(rng, place)})
    for kind in ("woods", "building", "building", "rubble", "orchard", "bocage", "bocage", "wall", "grain"):
        if rng.random() < 0.5:
            piece: Doc = {"id": f"{kind}{len(terrain)}", "kind": kind, "base": rng.choice((0, 0, 0, 1, 2))}
            if kind in ("bocage", "wall"):
                piece["line"] = _line(rng, place)
            else:
                piece |= _area(rng, place, size)
            if kind == "building":
                piece["storeys"] = rng.randint(1, 2)
            terrain.append(piece)
    units = [_unit(rng, f"u{number}", place, terrain, turned) for number in range(rng.randint(4, 7))]
    return {"table": {"width": 2 * size, "depth": 2 * size}, "terrain": terrain, "unit": units}


def _hill(rng: random.Random, name: str, level: int, place: Any, size: int) -> Doc:
    hill: Doc = {"id": name, "kind": "hill", "level": level} | _area(rng, place, size)
    if rng.random() < 0.2:
        hill["slope"] = True
    return hill


def _area(rng: random.Random, place: Any, size: int) -> Doc:
    while True:
        shape = rng.choice(("box", "box", "triangle", "quad", "ring", "notch"))
        x, y, w, h = place(), place(), 1 + rng.random() * size / 3, 1 + rng.random() * size / 3
        if not rng.random() < 0.5:
            w, h = float(round(w)), float(round(h))
        w, h = round(w * 8000) / 8000, round(h * 8000) / 8000
        if shape == "box":
            return {"box": [x, y, x + w, y + h]}
        if shape == "ring" and w > 2 and h > 2:
            inner = [[x + 1, y + 1], [x + w - 1, y + 1], [x + w - 1, y + h - 1], [x + 1, y + h - 1]]
            return {"outline": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]], "holes": [inner]}
        if shape == "notch":
            outline = [[x, y], [x + w, y], [x + w, y + h], [x + w / 2, y + h / 2], [x, y + h]]
            return {"outline": [[round(a * 8000) / 8000, round(b * 8000) / 8000] for a, b in outline]}
        corners = [[place(), place()] for _ in range(3 if shape == "triangle" else 4)]
        if _is_simple(corners):
            return {"outline": corners}


def _is_simple(corners: list[list[float]]) -> bool:
    from shapely import Polygon

    polygon = Polygon(corners)
    return bool(polygon.is_valid and polygon.area > 0.5)


def _line(rng: random.Random, place: Any) -> list[list[float]]:
    while True:
        points = [[place(), place()] for _ in range(rng.randint(2, 3))]
        if len({tuple(p) for p in points}) == len(points):
            return points


def _unit(rng: random.Random, name: str, place: Any, terrain: list[Doc], turned: bool) -> Doc:
    kind = rng.choice(("vehicle", "vehicle", "gun", "infantry"))
    unit: Doc = {"id": name, "side": rng.choice(("allied", "axis")), "kind": kind, "at": [place(), place()]}
    unit["size"] = rng.choice(SIZES)
    if rng.random() < 0.4:
        unit["base"] = [0, 0]
    elif kind == "vehicle" and rng.random() < 0.5:
        unit["base"] = [3, 2]
    unit["facing"] = rng.random() * 360 if turned and rng.random() < 0.7 else rng.choice((0, 90, 180, 270))
    houses = [piece for piece in terrain if piece["kind"] == "building" and "box" in piece]
    if houses and rng.random() < 0.25:
        house = rng.choice(houses)
        x0, y0, x1, y1 = house["box"]
        unit["at"] = [round((x0 + x1) * 4000) / 8000, round((y0 + y1) * 4000) / 8000]
        unit |= {"roof": True} if rng.random() < 0.6 else {"storey": rng.randint(0, house["storeys"])}
    if rng.random() < 0.1:
        unit["wreck"] = True
    if rng.random() < 0.1:
        unit |= {"dummy": True, "token": name}
    elif rng.random() < 0.1:
        unit["hidden"] = True
    return unit
