"""Smoke as acts of a game: it is placed, drifts by hand, and is taken off (S8)."""

from __future__ import annotations

from minis.board.geometry import circle_ring
from minis.errors import bad
from minis.game.act import Box, Outcome
from minis.game.ledger import Fields
from minis.game.state import State, place, point
from minis.lengths import GRID
from minis.toml_file import nearest_of


def smoke(state: State, asked: Fields, box: Box) -> Outcome:
    """Place, move or remove a cloud: `do`, and `id`, `at`, `radius`, `by` (whose own smoke it is), `until` (a turn).

    Where nothing is said a new cloud has the radius and stands the turns of the table of smoke. Raises BadInput for
    a place off the table and for a cloud that there is not.
    """
    match asked["do"]:
        case "place":
            return _place(state, asked)
        case "move":
            return _move(state, asked)
        case _:
            name = _known(state, asked.get("id"))
            return Outcome({"do": "remove", "id": name}, (("smoke", name, {"gone": True}),))


def _place(state: State, asked: Fields) -> Outcome:
    by = state.unit(asked["by"]) if asked.get("by") else None
    at = asked.get("at") or (place(by.at) if by is not None else None)
    if at is None:
        raise bad("say where the smoke is with --at X,Y, or whose own smoke it is with --by UNIT", file="--at")
    radius = float(asked["radius"] if asked.get("radius") is not None else state.rules.smoke_number("radius"))
    until = asked["until"] if asked.get("until") is not None else state.turn + int(state.rules.smoke_number("turns"))
    if until < state.turn:
        raise bad(f"turn {until} is past: it is turn {state.turn}", file="--until")
    _on_table(state, at)
    used = {cloud.id for cloud in state.start.smoke} | set(state.ledger["smoke"])
    name = asked.get("id") or next(n for n in (f"smoke-{k}" for k in range(1, len(used) + 2)) if n not in used)
    if name in used or any(name in (unit.id, unit.token) for unit in state.start.units):
        raise bad(f"{name!r} is taken: give the cloud another id", file="--id")
    entry: Fields = {"ring": _ring(at, radius), "by": by.id if by else None, "until_turn": until}
    answer = {"do": "place", "id": name, "at": at, "radius": radius, "by": entry["by"], "until": until}
    return Outcome(answer, (("smoke", name, entry),))


def _move(state: State, asked: Fields) -> Outcome:
    """A cloud drifts: its middle goes to another place, its shape stays."""
    name = _known(state, asked.get("id"))
    cloud = next(cloud for cloud in state.board.smoke if cloud.id == name)
    if asked.get("at") is None:
        raise bad("say where the cloud drifts to with --at X,Y", file="--at")
    _on_table(state, asked["at"])
    left, low, right, high = cloud.box
    x, y = point(asked["at"])
    dx, dy = x - round((left + right) / 2), y - round((low + high) / 2)
    ring = [place((px + dx, py + dy)) for px, py in cloud.ring]
    entry: Fields = {"ring": ring, "by": cloud.by, "until_turn": cloud.until_turn}
    return Outcome({"do": "move", "id": name, "at": asked["at"]}, (("smoke", name, entry),))


def _ring(at: list[float], radius: float) -> list[list[float]]:
    return [place(corner) for corner in circle_ring(point(at), radius * GRID)]


def _on_table(state: State, at: list[float]) -> None:
    board = state.board
    if not (0 <= at[0] <= board.width_in and 0 <= at[1] <= board.depth_in):
        raise bad(f"{at[0]:g},{at[1]:g} is off the table", file="--at")


def _known(state: State, name: str | None) -> str:
    known = [cloud.id for cloud in state.board.smoke]
    if name is None:
        raise bad(f"say which cloud; there are: {', '.join(known) or 'none'}", file="--id")
    if name not in known:
        raise bad(f"there is no cloud {name!r} on this table; {nearest_of(name, known)}", file="--id")
    return name
