"""The table: terrain, smoke and units as a scenario file describes them, on the 1/8000 inch grid."""

from minis.board.board import Board
from minis.board.scenario import read_board
from minis.board.terrain import Smoke, Terrain
from minis.board.units import Unit

__all__ = ["Board", "Smoke", "Terrain", "Unit", "read_board"]
