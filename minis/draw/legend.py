"""The legend of a map: a swatch for each kind of terrain that is on it, for its sides, for each mark of a unit."""

from __future__ import annotations

from collections.abc import Iterator

from minis.board.board import Board
from minis.draw.hatches import paint
from minis.draw.page import SWATCH, Key
from minis.draw.palette import CONTOUR, FINE, HILLS, INK, STROKE
from minis.draw.svg import Element, el, group, path
from minis.draw.terrain_layer import TICK, area, strokes
from minis.draw.terrain_looks import look_of, rank_of
from minis.draw.unit_labels import plate
from minis.draw.unit_layer import SMOKE_FILL, WRECK_FILL, side_number, side_paint
from minis.rules.rows import TerrainRow

WIDTH, HEIGHT = SWATCH


def keys_of(board: Board) -> list[Key]:
    """The legend of what is on a board and of nothing else, so that it tells a side no more than its map does."""
    kinds = {piece.kind.id: piece.kind for piece in board.terrain if piece.kind.shape != "hill"}
    keys = [Key(_hill(slope), words) for slope, words in _hills(board)]
    keys += [terrain_key(kind) for kind in sorted(kinds.values(), key=rank_of)]
    if board.smoke:
        keys.append(Key(_smoke(), "smoke"))
    for number, side in enumerate(board.sides):
        name = min((unit.id for unit in board.units if unit.side == side), key=lambda name: (len(name), name))
        keys.append(Key(plate(name[:4], (0, 0), SWATCH, 70, number), side))
    return keys + list(_marks(board))


def terrain_key(kind: TerrainRow) -> Key:
    """The entry of a kind of terrain: a piece of it, and its name with its letter."""
    look = look_of(kind)
    if kind.shape == "line":
        swatch = group(strokes(path([(0, HEIGHT / 2), (WIDTH, HEIGHT / 2)]), look, 1.0))
        return Key(swatch, f"{kind.id}: level" if kind.has_level else kind.label)
    if kind.height == "storey":
        return Key(_box(kind), f"{kind.label}: storeys, s of stone")
    return Key(_box(kind), f"{kind.label} ({look.letter})" if look.letter else kind.label)


def _box(kind: TerrainRow) -> Element:
    corners = [(4.0, 4.0), (WIDTH - 4, 4.0), (WIDTH - 4, HEIGHT - 4), (4.0, HEIGHT - 4)]
    return group(area(path(corners, closed=True), look_of(kind), 1.0))


def _hills(board: Board) -> Iterator[tuple[bool, str]]:
    if any(not hill.slope for hill in board.hills):
        yield False, "contour: level, ticks down"
    if any(hill.slope for hill in board.hills):
        yield True, "contour of an even slope"


def _hill(slope: bool) -> Element:
    top = path([(0, 40), (WIDTH, 40)])
    ticks = "".join(path([(x, 40), (x, 40 - TICK)]) for x in range(20, int(WIDTH), 40))
    return group(
        el("path", d=path([(0, 40), (WIDTH, 40), (WIDTH, HEIGHT), (0, HEIGHT)], closed=True), fill=HILLS[0]),
        el("path", d=top, stroke=CONTOUR, stroke_width=8, fill="none", stroke_dasharray="40 14" if slope else None),
        () if slope else el("path", d=ticks, stroke=CONTOUR, stroke_width=4, fill="none"),
    )


def _smoke() -> Element:
    whole = path([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], closed=True)
    return group(
        el("path", d=whole, fill=SMOKE_FILL, fill_opacity=0.45), el("path", d=whole, fill=paint("smoke"))
    )  # fmt: skip


def _marks(board: Board) -> Iterator[Key]:
    """What the signs of units mean, where there is one with such a sign."""
    units = board.units
    if not units:
        return
    fill, ink = side_paint(0)
    shown = [unit for unit in units if not unit.unknown]
    models = [unit for unit in shown if not unit.dummy and not unit.wreck]
    if shown:
        yield Key(_base(fill), "base: thick edge in front")
    if any(unit.kind.id == "vehicle" and unit.armoured for unit in models):
        turret = el("circle", cx=90, cy=50, r=24, fill="none", stroke=ink, stroke_width=STROKE)
        barrel = el("path", d="M114 50H175", stroke=ink, stroke_width=STROKE)
        yield Key(group(_base(fill), turret, barrel), "armoured, turret and gun")
    if any(unit.kind.id == "vehicle" and not unit.armoured for unit in models):
        yield Key(group(_base(fill), _lines("M60 10V90M95 10V90M130 10V90", ink)), "soft vehicle")
    if any(unit.kind.id == "gun" for unit in models):
        yield Key(group(_base(fill), _lines("M40 25L110 50L40 75M110 20V80M110 50H185", ink)), "gun")
    if any(unit.kind.id == "infantry" for unit in models):
        yield Key(group(_base(fill), _lines("M40 20L160 80M160 20L40 80", ink)), "infantry")
    for number in sorted({side_number(board, unit.side) for unit in units if unit.unknown})[:1]:
        yield Key(_round("?", number), "token, unknown")
    if any(unit.token is not None for unit in shown):
        yield Key(_round("", 0), "on the token in brackets")
    if any(unit.hidden for unit in units):
        yield Key(plate("H1", (0, 0), SWATCH, 70, 0, doubtful=True), "hidden: not on the table")
    if any(unit.dummy for unit in units):
        yield Key(plate("dummy", (0, 0), SWATCH, 60, 0, doubtful=True), "token with nothing on it")
    if any(unit.wreck for unit in units):
        yield Key(group(_base(WRECK_FILL), _lines("M10 10L190 90M190 10L10 90", INK)), "wreck")
    if any(unit.carries for unit in shown):
        yield Key(plate("A+B", (0, 0), SWATCH, 70, 0), "A carries B")
    if any(unit.storey for unit in units):
        yield Key(plate("st.1", (0, 0), SWATCH, 70, 0), "on storey 1")


def _base(fill: str) -> Element:
    return group(
        el("rect", x=10, y=10, width=WIDTH - 20, height=HEIGHT - 20, fill=fill, stroke=INK, stroke_width=FINE),
        el("path", d=f"M{WIDTH - 10:.0f} 10V90", stroke=INK, stroke_width=STROKE * 1.6),
    )


def _lines(d: str, ink: str) -> Element:
    return el("path", d=d, stroke=ink, stroke_width=STROKE, fill="none")


def _round(words: str, number: int) -> Element:
    """A token: filled where it is unknown, a broken ring where it is known what is on it."""
    fill, ink = side_paint(number)
    if not words:
        return el(
            "circle", cx=100, cy=50, r=44, fill="none", stroke=INK, stroke_width=FINE, stroke_dasharray="6 12"
        )  # fmt: skip
    return group(
        el("circle", cx=100, cy=50, r=46, fill=fill, stroke=INK, stroke_width=FINE),
        el("text", words, x=100, y=72, font_size=60, font_weight="bold", text_anchor="middle", fill=ink),
    )
