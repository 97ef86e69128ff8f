"""Small tables for planning: a gun, a tank, and whatever ground lies between."""

from __future__ import annotations

import boards

from minis.board.board import Board
from minis.board.zones import Lane
from minis.plan.hide import Hiding, hide
from minis.plan.march import lanes_of
from minis.plan.spots import zone_named

TYPES = """
[table]
width = 60
depth = 24
[types.pak]
kind = "gun"
size = "small"
base = [1, 1]
nation = "german"
weapons = [{ id = "main", gun = "75L", ammo = ["AP", "HE"] }]
[types.tank]
kind = "vehicle"
armoured = true
base = [2, 1]
mount = "T"
nation = "us"
armour = { hull = { front = 8, side = 4, rear = 4 }, turret = { front = 8, side = 6, rear = 6 }, aerial = 4 }
weapons = [{ id = "main", gun = "75", ammo = ["AP", "HE"] }]
[[terrain]]
id = "shed"
kind = "building"
box = [0, 0, 2, 1]
"""

GUN = '[[unit]]\nid = "PaK"\nside = "axis"\ntype = "pak"\nat = [1, 23]\nfacing = 90\nhidden = true\n'
TANK = '[[unit]]\nid = "T1"\nside = "allied"\ntype = "tank"\nat = [59, 8]\nfacing = 270\n'

RIDGE = """
[[terrain]]
id = "ridge"
kind = "ridge"
level = 1
line = [[20, 2], [20, 14]]
"""


def zone(box: str, name: str = "zone") -> str:
    """A zone of the axis."""
    return f'[[zone]]\nid = "{name}"\nside = "axis"\nbox = {box}\n'


def lane(line: str, name: str = "road", more: str = "") -> str:
    """A lane of the allies."""
    return f'[[lane]]\nid = "{name}"\nside = "allied"\nline = {line}\n{more}'


def table(*parts: str) -> Board:
    """A table with the gun and the tank."""
    return boards.board("\n".join([TYPES, *parts, GUN, TANK]))


def search(board: Board, *, step: float = 2.0, top: int = 50, every: bool = False) -> Hiding:
    """The places of the zone for the gun."""
    ways: list[Lane] = lanes_of(board, "axis")
    return hide(board, board.unit("PaK"), zone_named(board, "zone"), ways, step_in=step, top=top, every=every)
