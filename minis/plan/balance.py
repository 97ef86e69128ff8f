"""What a set-up is worth: played many times against what comes along the lanes.

The vehicles of the side that comes go along the lane that begins nearest to them, one behind the other, each in turns
of some MP; where a lane has a width or an area, in one of its files, in each trial another one, each as likely. At each
MP after which one is in sight, the guns that have sighted it fire as defensive first fire (F4.1, F4.2); at the end of
each turn the vehicles try to sight the guns and fire at those they have sighted. Wrecks do not get into the way, crews
do not break, nobody turns or withdraws; what else stands on the table only stands there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from minis.board.board import Board
from minis.board.units import Unit
from minis.board.zones import Lane
from minis.errors import bad
from minis.fire.acquisition import Place, within
from minis.fire.facts import ShotFacts
from minis.fire.result import struck_on
from minis.lengths import GRID
from minis.plan.effects import NOTHING, Outcomes, outcomes
from minis.plan.eyes import Eyes
from minis.plan.march import Exposed, March, exposed, files_of, turn_mp, weight
from minis.plan.pairs import Pairs, Places
from minis.plan.stand_ins import armed
from minis.plan.trial import Ambush, Column, Contact, Trial, generator, play
from minis.plan.workers import BrokenOff, Progress, chunks, part_of, run

AT_ONCE = 25
"""Trials in one job: it changes no result."""


@dataclass(frozen=True)
class Spread:
    """How often each number came, the smallest first."""

    counts: tuple[tuple[int, int], ...]

    @staticmethod
    def of(values: Iterable[int]) -> Spread:
        """The spread of some numbers."""
        return Spread(tuple(sorted(Counter(values).items())))

    @property
    def total(self) -> int:
        """How many numbers there are."""
        return sum(count for _, count in self.counts)

    @property
    def mean(self) -> float:
        """Their mean, 0 of none."""
        return sum(value * count for value, count in self.counts) / self.total if self.counts else 0.0

    def at(self, share: float) -> int:
        """The smallest number that this share of them does not exceed; ValueError of none.

        >>> spread = Spread.of([3, 0, 1, 1])
        >>> spread.at(0.5), spread.at(0.9), spread.mean
        (1, 3, 1.25)
        """
        below = 0
        for value, count in self.counts:
            below += count
            if below >= share * self.total:
                return value
        raise ValueError("a spread of no numbers")


@dataclass(frozen=True)
class Balance:
    """A set-up played many times: the trials that were played, in their order, of how many."""

    side: str
    seed: int
    guns: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    trials: tuple[Trial, ...]
    of: int

    @property
    def broken_off(self) -> bool:
        """True where somebody stopped it before its end."""
        return len(self.trials) < self.of


def balance(
    board: Board,
    side: str,
    lanes: Sequence[Lane],
    *,
    trials: int,
    seed: int,
    laid_on: Mapping[str, Place] | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Balance:
    """Play what a side has set up against what comes along some lanes, each trial with dice of its own.

    `laid_on` are the bore-sighted spots of first weapons by unit, in inches. The same whatever the executor. Raises
    BadInput where the side has nothing that fires, or nothing comes, BrokenOff where it was stopped before a trial.
    """
    parts = chunks(range(trials), AT_ONCE)
    ambush = ambush_of(board, side, lanes, laid_on or {}, part_of(progress, after=len(parts)))
    jobs = [_Batch(ambush, seed, tuple(part)) for part in parts]
    done = run(executor, _play_all, jobs, progress=part_of(progress, before=len(ambush.columns)))
    played = tuple(trial for part in done.results for trial in part)
    columns = tuple((column.unit, column.lane) for column in ambush.columns)
    return Balance(side, seed, ambush.guns, columns, played, trials)


@dataclass(frozen=True)
class _Batch:
    ambush: Ambush
    seed: int
    numbers: tuple[int, ...]


def _play_all(batch: _Batch) -> list[Trial]:
    return [play(batch.ambush, generator(batch.seed, number)) for number in batch.numbers]


# --- the chances, before a die is thrown -----------------------------------------------------------------------------


def ambush_of(
    board: Board,
    side: str,
    lanes: Sequence[Lane],
    laid_on: Mapping[str, Place],
    progress: Progress | None = None,
) -> Ambush:
    """Everything that the trials ask of the table, each chance worked out once; `progress` counts vehicles.

    Raises BrokenOff where it was stopped.
    """
    guns = [unit for unit in armed(board) if unit.side == side]
    if not guns:
        raise bad(f"{side} has nothing on this table that fires", file=board.name)
    names = {gun.id for gun in guns}
    groups = _columns(board, side, lanes)
    comers = {unit.id: unit for group in groups.values() for unit in group}
    gone = {name for unit in comers.values() for name in (unit.id, unit.tow, *unit.carries)}
    waiting = tuple(replace(u, flags=frozenset()) if u.id in names else u for u in board.units if u.id not in gone)
    there = [unit for unit in waiting if unit.id in names]
    meeting = _Meeting(Places(replace(board, units=waiting)), there, laid_on)
    gap = int(weight(board.rules, "column-gap"))
    coming = [(lane, unit, k * gap) for lane in lanes for k, unit in enumerate(groups.get(lane.id, []))]
    columns: list[Column] = []
    try:
        for lane, unit, delay in coming:
            columns.append(meeting.column(lane, unit, delay))
            if progress is not None:
                progress(len(columns), len(coming))
    except KeyboardInterrupt:
        so_far = f"chances were worked out for {len(columns)} of {len(coming)} vehicles"
        raise BrokenOff(f"{so_far}, and no trial was played yet") from None
    useful = weight(board.rules, "useful-hit") / 100
    return Ambush(tuple(gun.id for gun in meeting.guns), tuple(columns), turn_mp(board.rules), useful)


def _columns(board: Board, side: str, lanes: Sequence[Lane]) -> dict[str, list[Unit]]:
    """The vehicles that come along each lane, in their order: each takes that which begins nearest to it."""
    found: dict[str, list[Unit]] = {}
    towed_or_carried = board.carrier_of.keys() | board.tow_of.keys()
    for unit in board.units:
        real = unit.is_vehicle and not (unit.wreck or unit.dummy or unit.unknown)
        ways = [lane for lane in lanes if lane.side in (None, unit.side)]
        if real and unit.side != side and unit.id not in towed_or_carried and ways:
            nearest = min(ways, key=lambda lane: (math.dist(lane.line[0], unit.at), lane.id))
            found.setdefault(nearest.id, []).append(unit)
    if not found:
        raise bad(f"no vehicle of an enemy of {side} comes along these lanes", file=board.name)
    for lane in lanes:
        found.get(lane.id, []).sort(key=lambda unit: (math.dist(lane.line[0], unit.at), unit.id))
    return found


class _Meeting:
    """The guns, and what each is to each vehicle at each mark of its lane; vehicles of one type are asked once."""

    def __init__(self, scene: Places, guns: Sequence[Unit], laid_on: Mapping[str, Place]):
        self.eyes, self.pairs, self.guns, self.laid_on = Eyes(scene), Pairs(scene), guns, laid_on
        self.quick = Pairs(scene, traced=False)
        self.useful = weight(scene.board.rules, "useful-hit") / 100
        self.marches: dict[Any, list[tuple[March, Any]]] = {}
        self.bare: dict[Any, Contact] = {}
        self.facts: dict[Any, ShotFacts | None] = {}
        self.outcomes: dict[Any, Outcomes] = {}

    def column(self, lane: Lane, unit: Unit, delay: int) -> Column:
        """A vehicle on its lane, so many MP after the first."""
        kind = lane.id, _type_of(unit)
        if kind not in self.marches:
            walks = files_of(self.pairs.scene.board, lane, unit, known_to=[gun.id for gun in self.guns])
            self.marches[kind] = [(walk, self.eyes.see(self.guns, walk.marks)) for walk in walks]
        files = enumerate(self.marches[kind])
        middle, *beside = (self._contacts((kind, number), walk, seen, delay) for number, (walk, seen) in files)
        return Column(unit.id, lane.id, delay, middle, tuple(beside))

    def _contacts(self, file: Any, walk: March, seen: Any, delay: int) -> tuple[tuple[Contact | None, ...], ...]:
        """The contacts of a vehicle in a file of its lane with each gun at each mark."""
        board = self.pairs.scene.board
        gap = board.rules.fire_number("sight-gap") * board.inches_per_hex
        rows = []
        for number, gun in enumerate(self.guns):
            marks = seen[number].tolist()
            row: list[Contact | None] = [None] * len(marks)
            for one in exposed(walk, marks, turn_mp(board.rules), gap, delay=delay):
                row[one.mark] = self._contact((file, number), gun, walk.marks[one.mark], one)
            rows.append(tuple(row))
        return tuple(rows)

    def _contact(self, key: Any, gun: Unit, comer: Unit, one: Exposed) -> Contact:
        """A gun and a vehicle at a mark, after the vehicle's exposure there."""
        at = *key, one.mark
        if at not in self.bare:
            self.bare[at] = self._bare(gun, comer)
        return replace(self.bare[at], shot=self._shot(at, gun, comer, one))

    def _shot(self, at: Any, gun: Unit, comer: Unit, one: Exposed) -> Outcomes:
        """What the gun's shot comes to; nothing where it is not worth its while, whatever may hinder it."""
        spot = self.laid_on.get(gun.id)
        place = comer.at[0] / GRID, comer.at[1] / GRID
        laid = spot is not None and within(self.pairs.scene.board.rules, spot, place)
        for pairs in (self.quick, self.pairs):
            key = at, pairs.traced
            if key not in self.facts:
                self.facts[key] = pairs.shot_facts(gun, comer, "defensive_first")
            bare = self.facts[key]
            if bare is None:
                return NOTHING
            facts = replace(bare, mp_in_sight=one.mp, in_sight_from_start=one.from_start, bore_sighted=laid)
            if pairs.scene.chances.hit(facts) < self.useful:
                return NOTHING
        return self._outcomes(facts, gun, comer)

    def _bare(self, gun: Unit, comer: Unit) -> Contact:
        chances = self.pairs.scene.chances
        back = self.pairs.sight_facts(comer, gun)
        fired = replace(back, facts=back.facts | {"target_fired"})
        facts = self.pairs.shot_facts(comer, gun, "advancing") if comer.weapons else None
        return Contact(
            sight=float(chances.sight(self.pairs.sight_facts(gun, comer))),
            back=float(chances.sight(back)),
            back_fired=float(chances.sight(fired)),
            reply=self._outcomes(facts, comer, gun) if facts else NOTHING,
        )

    def _outcomes(self, facts: ShotFacts, firer: Unit, target: Unit) -> Outcomes:
        """What a shot comes to: the same for the same facts from the same quarter at the same type."""
        rules = self.pairs.scene.board.rules
        key = facts, firer.nation, _type_of(target), _quarters(self.pairs, firer, target)
        if key not in self.outcomes:
            self.outcomes[key] = outcomes(rules, self.pairs.scene.chances.shot(facts), firer, target)
        return self.outcomes[key]


def _quarters(pairs: Pairs, firer: Unit, target: Unit) -> tuple[Any, ...]:
    return tuple(struck_on(pairs.scene.board.rules, target, firer, place) for place in ("hull", "turret"))


def _type_of(unit: Unit) -> tuple[Any, ...]:
    """What makes two vehicles on a lane the same to every rule."""
    return (
        unit.side, unit.kind, unit.size, unit.length_in, unit.width_in, unit.armoured, unit.flags, unit.spotter,
        unit.mount, unit.closed_top, unit.nation, unit.armour, repr(unit.weapons), unit.stun, unit.leadership,
    )  # fmt: skip


def chances_of(found: Balance) -> dict[str, float]:
    """Of each unit the share of the trials in which it was lost, and of a vehicle in which it was lost or stopped."""
    names = [*(unit for unit, _ in found.columns), *found.guns]
    gone = Counter(name for trial in found.trials for name in (*trial.lost, *trial.stopped, *trial.guns_lost))
    return {name: float(Fraction(gone[name], max(1, len(found.trials)))) for name in names}
