"""A unit's move as its enemies see it: who sees it where, and where its token is replaced (F4.1, S10.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from minis.board.units import Unit
from minis.errors import bad
from minis.fire.exposure import Exposure, Leg, Place, Walk, exposures_on, legs_of, place_on, step_of
from minis.sight.cover import cover_of, hull_down
from minis.sight.line import can_see
from minis.sight.scene import Scene


@dataclass(frozen=True)
class Passage:
    """A unit's move along a path as its enemies see it.

    `mover` is the unit as it starts, `end` as it stands at the end of the path, turned along the last leg. `exposures`
    are one for each watcher that sees it somewhere, in the order of their ids; `reverse` says that it backed.
    """

    mover: Unit
    end: Unit
    legs: tuple[Leg, ...]
    reverse: bool
    exposures: tuple[Exposure, ...]

    @property
    def length_in(self) -> float:
        """The length of the path in inches."""
        return sum(math.dist(a, b) for a, b in self.legs)

    @property
    def seen_at_end(self) -> tuple[str, ...]:
        """The ids of the watchers that see it where it ends."""
        return tuple(found.firer for found in self.exposures if found.in_sight_at_end)


@dataclass(frozen=True)
class Reveal:
    """Where a moving token is replaced by its unit without a roll, and the enemy that it comes near (S10.2).

    `at_in` is the place in inches along the path, `place` the same on the table.
    """

    enemy: str
    at_in: float
    place: Place
    rule: str


def passage(
    scene: Scene,
    mover: Unit,
    path: Sequence[Place],
    watchers: Iterable[Unit],
    *,
    reverse: bool = False,
    delay_mp: float = 0.0,
    mp: float | None = None,
    within_in: float = math.inf,
    option: str = "--path",
) -> Passage:
    """Where along a path of way points a unit is in the line of sight of each of some watchers (F4.1, F4.2).

    Each exposure is that of `exposure`, but for the step in which the path is walked: that of the row `move-step`.
    Changes between two steps are found to a grid step all the same; a stretch in sight or out of it that is shorter
    than a step and lies between two of them may be missed. In reverse the hull points against the way. `mp` are those
    that the move costs without its delay, spread evenly over its length; without them the inches per MP of the table
    count. A place farther than `within_in` inches from a watcher is out of its sight. Raises BadInput for a path that
    leaves the table or has no length, under the `option` that it was typed with, and for MP that are not 0 or more.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> unit = scene.board.unit
    >>> found = passage(scene, unit("P2"), [(62.0, 32.0)], [unit("T13"), unit("T3"), unit("T1")])
    >>> [exposure.firer for exposure in found.exposures], found.seen_at_end
    (['T1', 'T13'], ('T13',))
    """
    for name, value in (("mp", mp), ("delay", delay_mp)):
        if value is not None and not 0 <= value < math.inf:
            raise bad(f"expected MP of 0 or more, not {value:g}", file=f"--{name}")
    walk = Walk(scene, mover, legs_of(scene, mover, path, option=option), reverse=reverse, within_in=within_in)
    per_mp = None if mp is None else walk.length_in / mp if mp else math.inf
    step = step_of(scene.board.rules, "move-step")
    found = exposures_on(walk, _by_id(mover, watchers), step, delay_mp=delay_mp, inches_per_mp=per_mp)
    return Passage(mover, walk.end, walk.legs, reverse, tuple(one for one in found if one.stretches))


def first_reveal(scene: Scene, passed: Passage, enemies: Iterable[Unit]) -> Reveal | None:
    """The first place of a passage where a token is replaced without a roll, None where it is nowhere (S10.2).

    There the unit is within the range of the row `token-range` of an enemy, edge to edge, in its line of sight, and
    neither in cover from it nor hull down to it; where it starts counts as on its way. The path is walked in the step
    of the row `move-step` and the place found to a grid step; one that holds for less than a step between two of them
    may be missed. Of enemies that it comes near at one place the first by its id is named.
    """
    rules = scene.board.rules
    row = rules.number("token-range")
    walk = Walk(scene, passed.mover, passed.legs, passed.reverse, within_in=row.value, test=is_in_the_open)
    for mark in walk.marks(_by_id(passed.mover, enemies), step_of(rules, "move-step")):
        if mark.holds:
            at_in, enemy = min((mark.edges.get(name, mark.at_in), name) for name in mark.holds)
            return Reveal(enemy, at_in, place_on(walk.legs, at_in), row.rule)
    return None


def is_in_the_open(scene: Scene, observer: Unit, unit: Unit) -> bool:
    """True where a unit is in an observer's line of sight, not in cover from it and not hull down to it (S2.5).

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> unit = scene.board.unit
    >>> is_in_the_open(scene, unit("T1"), unit("P1")), is_in_the_open(scene, unit("T1"), unit("P2"))
    (True, False)
    """
    if not can_see(scene, observer, unit) or cover_of(scene, unit, observer):
        return False
    return hull_down(scene, unit, observer).state is None


def _by_id(mover: Unit, watchers: Iterable[Unit]) -> list[Unit]:
    """Watchers in the order of their ids, each once; raises BadInput where the mover is among them."""
    found = {watcher.id: watcher for watcher in watchers}
    if mover.id in found:
        raise bad(f"{mover.id} cannot watch its own move")
    return [found[name] for name in sorted(found)]
