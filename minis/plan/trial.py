"""An ambush played once with thrown dice: vehicles come along their lanes, and what lies in wait fires at them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from minis.plan.effects import NOTHING, Outcomes


@dataclass(frozen=True)
class Contact:
    """A vehicle at a mark of its lane in sight of a gun: the chances of both there.

    `sight` is the gun's chance to sight it, `shot` what the gun's shot comes to. `back` is the vehicle's chance to
    sight the gun, `back_fired` where the gun has fired, `reply` what its shot comes to.
    """

    sight: float
    shot: Outcomes = NOTHING
    back: float = 0.0
    back_fired: float = 0.0
    reply: Outcomes = NOTHING


@dataclass(frozen=True)
class Column:
    """A vehicle of the side that comes: how many MP after the first of its lane, and its contacts with each gun.

    `contacts` has a row for each gun and an entry for each mark of the lane, None where neither sees the other. They
    are those in the middle of the lane, `beside` those in each other file of it.
    """

    unit: str
    lane: str
    delay: int
    contacts: tuple[tuple[Contact | None, ...], ...]
    beside: tuple[tuple[tuple[Contact | None, ...], ...], ...] = ()

    @cached_property
    def files(self) -> tuple[Column, ...]:
        """The same vehicle in each file of its lane alone, that of the middle first."""
        return tuple(Column(self.unit, self.lane, self.delay, file) for file in (self.contacts, *self.beside))

    @cached_property
    def marks(self) -> int:
        """The marks of its lane, that where it begins among them."""
        return len(self.contacts[0])


@dataclass(frozen=True)
class Ambush:
    """Everything that a trial asks: the guns, the vehicles, the MP of a turn, the least chance worth a shot."""

    guns: tuple[str, ...]
    columns: tuple[Column, ...]
    per_turn: int
    useful: float


@dataclass(frozen=True)
class Trial:
    """How a trial ended: the vehicles lost and stopped, the guns lost and jammed, how many shots the guns fired.

    `first` is the turn in which a vehicle first sighted a gun, and the MP it had gone along its lane; None where none
    did. `turns` is how many turns there were.
    """

    lost: tuple[str, ...]
    stopped: tuple[str, ...]
    guns_lost: tuple[str, ...]
    jammed: tuple[str, ...]
    shots: int
    first: tuple[int, int] | None
    turns: int


def generator(seed: int, number: int) -> np.random.Generator:
    """The dice of one trial: a stream of its own, the same whoever throws it; never the dice of a game.

    >>> child = np.random.SeedSequence(7).spawn(3)[2]
    >>> generator(7, 2).random() == np.random.Generator(np.random.PCG64(child)).random()
    True
    """
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,))))


def play(ambush: Ambush, dice: np.random.Generator) -> Trial:
    """Play an ambush until every vehicle is lost, stopped or through, or every gun is lost.

    Before all else a die of the trial says for each lane with several files in which of them its vehicles come.
    """
    state = _State(_in_files(ambush, dice), dice)
    while not state.is_over:
        state.turn()
    names = [column.unit for column in ambush.columns]
    return Trial(
        lost=tuple(names[v] for v in sorted(state.lost)),
        stopped=tuple(names[v] for v in sorted(state.stopped - state.lost)),
        guns_lost=tuple(ambush.guns[g] for g in sorted(state.guns_lost)),
        jammed=tuple(ambush.guns[g] for g in sorted(state.jammed - state.guns_lost)),
        shots=state.shots,
        first=state.first,
        turns=state.turns,
    )


def _in_files(ambush: Ambush, dice: np.random.Generator) -> Ambush:
    """The ambush with the vehicles of each lane in one of its files, each as likely; a single file takes no die."""
    files: dict[str, int] = {}
    for column in ambush.columns:
        if column.beside and column.lane not in files:
            files[column.lane] = int(dice.random() * len(column.files))
    if not files:
        return ambush
    return replace(ambush, columns=tuple(column.files[files.get(column.lane, 0)] for column in ambush.columns))


@dataclass
class _State:
    """A trial while it is played; vehicles and guns are their numbers."""

    ambush: Ambush
    dice: np.random.Generator
    turns: int = 0
    shots: int = 0
    first: tuple[int, int] | None = None
    marks: dict[int, int] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)
    stopped: set[int] = field(default_factory=set)
    through: set[int] = field(default_factory=set)
    guns_lost: set[int] = field(default_factory=set)
    jammed: set[int] = field(default_factory=set)
    sighted: set[tuple[int, int]] = field(default_factory=set)
    found: set[tuple[int, int]] = field(default_factory=set)

    @property
    def is_over(self) -> bool:
        """True where nobody comes any more, or nobody waits."""
        still = set(range(len(self.ambush.columns))) - self.lost - self.stopped - self.through
        return not still or len(self.guns_lost) == len(self.ambush.guns)

    def turn(self) -> None:
        """A turn: the vehicles go MP by MP under fire, look for the guns, and fire at those they have sighted."""
        self.turns += 1
        fired: set[int] = set()
        tried: set[tuple[int, int]] = set()
        begin = (self.turns - 1) * self.ambush.per_turn
        for tick in range(begin + 1, begin + self.ambush.per_turn + 1):
            moving = self._advance(tick)
            for gun in self._ready():
                self._fire(gun, [v for v in moving if v not in self.lost | self.stopped], fired, tried)
        self._look(fired)
        self._reply()
        self.through |= {v for v, mark in self.marks.items() if mark == self.ambush.columns[v].marks - 1}

    def _advance(self, tick: int) -> list[int]:
        """The vehicles that go an MP, each at its next mark."""
        moving = []
        for v, column in enumerate(self.ambush.columns):
            mark = tick - column.delay
            if 1 <= mark < column.marks and v not in self.lost | self.stopped:
                self.marks[v] = mark
                moving.append(v)
        return moving

    def _ready(self) -> list[int]:
        return [g for g in range(len(self.ambush.guns)) if g not in self.guns_lost | self.jammed]

    def _contact(self, v: int, gun: int) -> Contact | None:
        return self.ambush.columns[v].contacts[gun][self.marks[v]]

    def _fire(self, gun: int, moving: list[int], fired: set[int], tried: set[tuple[int, int]]) -> None:
        """A gun's shot after an MP: at the vehicle that it most probably destroys, of those it has sighted (F4.2)."""
        best: tuple[int, Outcomes] | None = None
        for v in moving:
            contact = self._contact(v, gun)
            if contact is None or not self._sights(gun, v, contact, tried) or contact.shot.hit < self.ambush.useful:
                continue
            if contact.shot.hit and (best is None or _better(contact.shot, best[1])):
                best = v, contact.shot
        if best is None:
            return
        v, shot = best
        self.shots += 1
        fired.add(gun)
        face = self.dice.random()
        if face < shot.lost:
            self.lost.add(v)
        elif face < shot.lost + shot.stopped:
            self.stopped.add(v)
        elif shot.hit <= face < shot.hit + shot.jammed:
            self.jammed.add(gun)

    def _sights(self, gun: int, v: int, contact: Contact, tried: set[tuple[int, int]]) -> bool:
        """Whether a gun has sighted a vehicle: at once where it is sure to, else by one attempt a turn."""
        pair = gun, v
        if pair in self.sighted:
            return True
        if contact.sight < 1:
            if pair in tried:
                return False
            tried.add(pair)
        if self.dice.random() < contact.sight:
            self.sighted.add(pair)
        return pair in self.sighted

    def _alive(self) -> list[int]:
        """The vehicles that are on the table: those that stand still too."""
        return [v for v in sorted(self.marks) if v not in self.lost | self.through]

    def _look(self, fired: set[int]) -> None:
        """Each vehicle tries to sight each gun in its sight."""
        for v in self._alive():
            for gun in range(len(self.ambush.guns)):
                contact = None if gun in self.guns_lost or (v, gun) in self.found else self._contact(v, gun)
                if contact is None:
                    continue
                if self.dice.random() < (contact.back_fired if gun in fired else contact.back):
                    self.found.add((v, gun))
                    self.first = self.first or (self.turns, self.marks[v])

    def _reply(self) -> None:
        """Each vehicle fires at the gun that it most probably destroys, of those that it has sighted."""
        for v in self._alive():
            best: tuple[int, Outcomes] | None = None
            for gun in range(len(self.ambush.guns)):
                contact = None if gun in self.guns_lost or (v, gun) not in self.found else self._contact(v, gun)
                if contact is not None and contact.reply.hit and (best is None or _better(contact.reply, best[1])):
                    best = gun, contact.reply
            if best is not None and self.dice.random() < best[1].lost:
                self.guns_lost.add(best[0])


def _better(one: Outcomes, other: Outcomes) -> bool:
    return (one.lost, one.stopped, one.hit) > (other.lost, other.stopped, other.hit)
