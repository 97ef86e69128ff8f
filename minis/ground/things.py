"""Things of a file of real ground, as read: an id, tags, a shape in longitude and latitude."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True)
class Thing:
    """One thing of the file: its id as the file gives it, its tags, its shape (longitude first, degrees)."""

    name: str
    tags: Mapping[str, Any]
    shape: BaseGeometry


@dataclass(frozen=True)
class Source:
    """A file of real ground as read.

    `attribution` is what the file itself asks to be said of it; `mark` what `minis` wrote into it, where it did;
    `without_shape` counts things that have none; `remarks` is what a judge should know of the reading.
    """

    name: str
    things: tuple[Thing, ...]
    attribution: str = ""
    mark: Mapping[str, Any] = field(default_factory=dict)
    without_shape: int = 0
    remarks: tuple[str, ...] = ()
