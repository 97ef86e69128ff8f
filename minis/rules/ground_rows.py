"""The grammar of the tables of real ground: what a tag of OpenStreetMap is, and how finely ground is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from minis.errors import Mistake
from minis.rules.effect_rows import rows_of
from minis.rules.model import Rules
from minis.rules.rows import NumberRow, Row, Text
from minis.toml_file import nearest_of

NOTHING = "none"
"""The kind of what is known and is nothing on a table: it is left out and counted."""


class OsmRow(Row):
    """What a tag is on the table: a kind of terrain, or none.

    `key` and `value` are the tag, "*" any value. Of several rows that fit, the one with the lowest `rank` counts, and
    then the one that names its value. A line that becomes an area is `width` metres broad. `storeys` is of a building
    that does not say, `prefix` begins its id in place of the kind.
    """

    key: Text
    value: Text
    kind: Text
    rank: Annotated[int, Field(ge=0, le=99)]
    width: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)] | None = None
    storeys: Annotated[int, Field(ge=1, le=60)] | None = None
    material: Literal["wooden", "stone"] | None = None
    prefix: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")] | None = None


GROUND_TABLES: dict[str, type[Row]] = {"osm": OsmRow, "ground": NumberRow}
"""The tables of real ground, with the model of their rows."""

NEEDED_GROUND = (
    "simplify",
    "area-share",
    "sliver-area",
    "sliver-length",
    "sliver-breadth",
    "storey-height",
    "same-ground",
    "hill-levels",
    "hill-bump",
    "level-height",
    "wall-thickness",
)
"""Rows of the table ground that the program asks for by name."""

NOT_ZERO = ("storey-height", "hill-levels", "level-height", "wall-thickness")
"""Those of them that cannot be 0."""


def ground_number(rules: Rules, name: str) -> float:
    """A single number of the table ground.

    >>> from minis.rules import load_rules
    >>> ground_number(load_rules(), "simplify")
    0.03125
    """
    return next(row.value for row in rows_of(rules, "ground", NumberRow) if row.id == name)


def tellable(rules: Rules, kind: str) -> bool:
    """True of kinds of terrain that tags can tell: those there are that have no level of their own.

    A house that takes a kind out has no use for its tags: they are left out on import.

    >>> from minis.rules import load_rules
    >>> tellable(load_rules(), "woods"), tellable(load_rules(), "hill")
    (True, False)
    """
    return kind in rules.terrain and not rules.terrain[kind].has_level


def _tags_name_what_is_known(rules: Rules) -> Iterator[Mistake]:
    kinds = [kind for kind in rules.terrain if tellable(rules, kind)]
    tags: dict[tuple[str, str], str] = {}
    for row in rows_of(rules, "osm", OsmRow):
        if row.overlay and row.kind != NOTHING and not tellable(rules, row.kind):
            message = (
                f"{row.kind!r} is no kind of terrain that a tag can tell; {nearest_of(row.kind, [*kinds, NOTHING])}"
            )
            yield Mistake(message, file="tables/osm.toml", id=row.id)
        first = tags.setdefault((row.key, row.value), row.id)
        if first != row.id:
            yield Mistake(f"the tag {row.key}={row.value} is that of {first}", file="tables/osm.toml", id=row.id)


def _limits_are_above_nothing(rules: Rules) -> Iterator[Mistake]:
    for row in rows_of(rules, "ground", NumberRow):
        if row.value < 0 or (row.value == 0 and row.id in NOT_ZERO):
            yield Mistake("expected a number above 0", file="tables/ground.toml", id=row.id)


GROUND_CHECKS: tuple[Callable[[Rules], Iterator[Mistake]], ...] = (_tags_name_what_is_known, _limits_are_above_nothing)
"""The cross-checks of these tables."""
