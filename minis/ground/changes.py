"""What a crop or a merge did, told whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from minis.ground.report import Left


@dataclass(frozen=True)
class Changes:
    """What a crop or a merge did besides moving things: by sort of piece how many stand in the result, and which were
    cut, dropped, given another id, or stand on another level now. `remarks` are what else a judge should look at.
    """

    kept: Mapping[str, int]
    cut: tuple[Left, ...] = ()
    dropped: tuple[Left, ...] = ()
    renamed: tuple[Left, ...] = ()
    remarks: tuple[str, ...] = ()
