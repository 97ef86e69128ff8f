"""A set-up against its scenario: what the rules forbid, and what its player should know before the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations

from minis.board.board import Board
from minis.board.geometry import base_to_base, box_of, locate
from minis.board.units import Unit
from minis.fire.boresight import BoreSight, legal, record_of
from minis.fire.measure import weapon_of
from minis.game.setup import Setup
from minis.lengths import EPSILON_IN, GRID, format_length, format_number
from minis.plan.eyes import Eyes
from minis.plan.spots import overlap, pieces_through
from minis.plan.workers import Progress, run
from minis.sight.attempt import one_target
from minis.sight.cover import cover_of, hull_down
from minis.sight.scene import Scene


@dataclass(frozen=True)
class Finding:
    """What is to be said of a unit of a set-up; `against` is true where it is against the rules, else it is a warning.

    `unit` is empty where it is of the whole side. `rule` is empty where the scenario or the table forbids it, no rule.
    `of` are the ids that `why` ends with.
    """

    unit: str
    rule: str
    why: str
    against: bool = True
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """What is to be said of a set-up, what is against the rules first.

    Of its hidden units `looked_at` were looked at for S12.2: all `of` them, where nobody broke it off.
    """

    findings: tuple[Finding, ...]
    looked_at: int
    of: int

    @property
    def fine(self) -> bool:
        """True where nothing is against the rules."""
        return not any(finding.against for finding in self.findings)

    @property
    def broken_off(self) -> bool:
        """True where somebody stopped it before its end."""
        return self.looked_at < self.of


def off_table(setup: Setup, width_in: float, depth_in: float) -> list[tuple[int, str]]:
    """The units of a set-up whose place is off the table: their number in the file, and what is wrong."""
    found = []
    for number, keys in enumerate(setup.units):
        if "at" in keys and not (0 <= keys["at"][0] <= width_in and 0 <= keys["at"][1] <= depth_in):
            x, y = (format_number(value) for value in keys["at"])
            size = f"{format_length(width_in)} by {format_length(depth_in)}"
            found.append((number, f"{x}, {y} is off the table, which is {size}"))
    return found


def check_setup(
    board: Board, setup: Setup, *, executor: Executor | None = None, progress: Progress | None = None
) -> Checked:
    """Everything that is to be said of a set-up, what is against the rules first; `board` is the scenario under it.

    The executor looks at the hidden units, the rest takes no time; the same whatever it is. Raises BadInput for a
    weapon that a unit has not.
    """
    scene = Scene(board)
    own = [unit for unit in board.units if unit.side == setup.side and not unit.wreck]
    found = [
        *_outside_the_zones(board, setup.side, own),
        *dummies_alone(board, setup.side, own),
        *_bore_sights(scene, setup),
        *bases(board, own),
        *passengers(board, own),
    ]
    hidden = run(executor, _in_the_open, _lookouts(scene, own), progress=progress)
    found += [finding for part in hidden.results for finding in part]
    return Checked(tuple(sorted(found, key=lambda finding: not finding.against)), len(hidden.results), hidden.of)


def _outside_the_zones(board: Board, side: str, own: Sequence[Unit]) -> Iterator[Finding]:
    """Units, by the centre of their base, in no zone of their side; where it has none it may stand anywhere."""
    zones = [zone for zone in board.zones if zone.side in (None, side)]
    for unit in own if zones else []:
        if unit.id not in board.carrier_of and not any(locate(unit.at, [zone.ring]) >= 0 for zone in zones):
            where = f"its centre, {_place(unit)}, is in no zone of {side}:"
            yield Finding(unit.id, "", where, of=tuple(zone.id for zone in zones))


def dummies_alone(board: Board, side: str, own: Sequence[Unit]) -> Iterator[Finding]:
    """A dummy has a real unit of its side near it, and dummies do not outnumber real units (S11.2)."""
    near = board.rules.switch_number("dummy_distance")
    real = [unit for unit in own if not unit.dummy]
    dummies = [unit for unit in own if unit.dummy]
    if len(dummies) > len(real):
        yield Finding("", "S11.2", f"{side} has {len(dummies)} dummies and {len(real)} real units")
    for dummy in dummies:
        away = min((base_to_base(dummy.base, unit.base) / GRID for unit in real), default=None)
        if away is not None and away > near + EPSILON_IN:
            what = f"{format_length(round(away, 2))} from the nearest real unit of its side"
            yield Finding(dummy.id, "S11.2", f"a dummy {what}, farther than {format_length(near)}")


def _bore_sights(scene: Scene, setup: Setup) -> Iterator[Finding]:
    """Every reason why a bore sight is not legal (F7)."""
    done: list[BoreSight] = []
    for entry in setup.boresights:
        unit = scene.board.unit(entry.unit)
        weapon = weapon_of(unit, entry.weapon)
        spot = (float(entry.at[0]), float(entry.at[1]))
        for bar in legal(scene, unit, weapon, spot, recorded=tuple(done)):
            yield Finding(unit.id, bar.rule, f"may not bore sight {spot[0]:g}, {spot[1]:g}: {bar.why}")
        done.append(record_of(unit, weapon, spot))


def bases(board: Board, own: Sequence[Unit]) -> Iterator[Finding]:
    """Bases that lie in each other, across a wall or the edge of a building, or over the edge of the table."""
    apart = [unit for unit in board.units if unit.id not in board.carrier_of and not unit.is_point]
    mine = {unit.id for unit in own}
    for one, other in combinations(apart, 2):
        if (one.id in mine or other.id in mine) and _near(one, other) and overlap(board, one, other):
            first, second = (one, other) if one.id in mine else (other, one)
            yield Finding(first.id, "S7.6", f"its base lies in that of {second.id}")
    for unit in own:
        if unit.id in board.carrier_of:
            continue
        for name in pieces_through(board, unit):
            yield Finding(unit.id, "S7.6", f"its base lies across {name}, {board.terrain_by_id[name].kind.label}")
        west, south, east, north = box_of(unit.base)
        if west < 0 or south < 0 or east > board.width_in * GRID or north > board.depth_in * GRID:
            yield Finding(unit.id, "", "its base reaches over the edge of the table")


def _near(one: Unit, other: Unit) -> bool:
    (west, south, east, north), (left, low, right, high) = box_of(one.base), box_of(other.base)
    return west < right and left < east and south < high and low < north


def passengers(board: Board, own: Sequence[Unit]) -> Iterator[Finding]:
    """A passenger is where its carrier is, and on no token of its own (S11.1)."""
    for unit in own:
        carrier = board.unit_by_id.get(board.carrier_of.get(unit.id, ""))
        if carrier is None:
            continue
        away = base_to_base(carrier.base, (unit.at,)) / GRID
        if away > EPSILON_IN:
            yield Finding(unit.id, "S11.1", f"rides in {carrier.id}, but stands {format_length(round(away, 2))} away")
        if unit.token is not None:
            yield Finding(unit.id, "S11.1", f"rides in {carrier.id}: a passenger is on no token of its own")


@dataclass(frozen=True)
class _Lookout:
    """A hidden unit and the enemies that have a line of sight to it from where they start."""

    scene: Scene
    unit: Unit
    enemies: tuple[Unit, ...]


def _lookouts(scene: Scene, own: Sequence[Unit]) -> list[_Lookout]:
    """Each hidden unit, where there are enemies."""
    board = scene.board
    hidden = [unit for unit in own if unit.hidden and unit.id not in board.carrier_of]
    mine = {unit.id for unit in own}
    enemies = [
        unit
        for unit in board.units
        if unit.id not in mine and unit.side != (own[0].side if own else "") and unit.id not in board.carrier_of
        if not (unit.dummy or unit.wreck)
    ]
    if not hidden or not enemies:
        return []
    seen = Eyes(scene).see(hidden, enemies).tolist()
    return [
        _Lookout(scene, unit, tuple(enemy for clear, enemy in zip(row, enemies, strict=True) if clear))
        for row, unit in zip(seen, hidden, strict=True)
    ]


def _in_the_open(lookout: _Lookout) -> list[Finding]:
    """A hidden unit that an enemy has a line of sight to from where he starts, in the open to him (S12.2, S2.5)."""
    scene, unit = lookout.scene, lookout.unit
    by = tuple(
        enemy.id
        for enemy in lookout.enemies
        if not cover_of(scene, unit, enemy) and hull_down(scene, unit, enemy).state is None
    )
    found = []
    if by:
        why = "hidden in the open, and from the start in the line of sight of"
        found.append(Finding(unit.id, "S12.2", why, against=False, of=by))
    if unit.tow and any(not other.hidden for other in one_target(scene, unit)):
        found.append(Finding(unit.id, "S11.3", f"is hidden, but what it tows, {unit.tow}, is not", against=False))
    return found


def _place(unit: Unit) -> str:
    return ", ".join(format_number(round(value / GRID, 2)) for value in unit.at)
