"""An act of a game: what is asked of the rules, the dice it takes, what it answers and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from minis.dice import Roll
from minis.errors import MinisError, bad
from minis.game.ledger import Change
from minis.odds import D100


class Refused(MinisError):
    """An act that the rules or the state of the game refuse: nothing is recorded (exit status 1)."""

    def __init__(self, rule: str, why: str):
        self.rule = rule
        self.why = why
        super().__init__(f"refused: {why} ({rule})")


@dataclass(frozen=True)
class Die:
    """A die of an event: what it was for, how many faces it has, which lies up, and whether it was typed or thrown."""

    purpose: str
    faces: int
    face: int
    how: str

    @property
    def data(self) -> dict[str, Any]:
        """The die as an event keeps it."""
        return {"purpose": self.purpose, "faces": self.faces, "face": self.face, "how": self.how}


Thrower = Callable[[str, int, int], int]
"""Throws a die: its purpose, how many of that purpose were thrown for this question before, its faces."""


@dataclass
class Box:
    """The dice for one question: those typed come first, then those of the machine, if it throws at all.

    >>> box = Box({"sighting": [59]})
    >>> box.take("sighting"), box.take("sighting") is None
    (Roll(purpose='sighting', face=59, how='typed'), True)
    """

    typed: Mapping[str, Sequence[int]] = field(default_factory=dict)
    thrower: Thrower | None = None
    taken: list[Die] = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)

    @property
    def decides(self) -> bool:
        """True where there are dice at all: without them an act that needs some is only a question."""
        return self.thrower is not None or any(self.typed.values())

    def take(self, purpose: str, faces: int = D100) -> Roll | None:
        """The next die for a purpose; None where none is typed and the machine does not throw."""
        before = self.used.get(purpose, 0)
        given = self.typed.get(purpose, ())
        if before < len(given):
            roll = Roll(purpose, given[before], "typed")
        elif self.thrower is not None:
            roll = Roll(purpose, self.thrower(purpose, before, faces), "thrown")
        else:
            return None
        self.used[purpose] = before + 1
        self.taken.append(Die(purpose, faces, roll.face, roll.how))
        return roll

    def ignore(self, purpose: str) -> None:
        """Let the typed dice for a purpose lie that is decided without them."""
        self.used[purpose] = len(self.typed.get(purpose, ()))

    def check_empty(self) -> None:
        """Raise BadInput for dice that were typed and that nothing asked for."""
        for purpose, faces in self.typed.items():
            left = len(faces) - self.used.get(purpose, 0)
            if left > 0:
                what = f"a {purpose} die" if left == 1 else f"{left} {purpose} dice"
                raise bad(f"nothing here calls for {what}: {', '.join(str(face) for face in list(faces)[-left:])}")


@dataclass
class Replay(Box):
    """The dice of an event once more, each for the purpose that it was for; the machine throws nothing."""

    kept: list[Die] = field(default_factory=list)

    @property
    def decides(self) -> bool:
        """True where dice are left."""
        return bool(self.kept)

    def take(self, purpose: str, faces: int = D100) -> Roll | None:
        """The next die that was kept for a purpose."""
        for die in self.kept:
            if die.purpose == purpose and die.faces == faces:
                self.kept.remove(die)
                self.taken.append(die)
                return Roll(purpose, die.face, "typed" if die.how == "typed" else "thrown")
        return None


@dataclass(frozen=True)
class Outcome:
    """What became of an act: the answer that is kept, the changes, and what the command line shows of it.

    `shown` is for the moment, and `recorded` is false where the act was only a question.
    """

    answer: dict[str, Any]
    changes: tuple[Change, ...] = ()
    shown: Any = None
    recorded: bool = True


def dice_of(raw: Sequence[Mapping[str, Any]]) -> list[Die]:
    """The dice of an event from its data."""
    return [Die(str(d["purpose"]), int(d["faces"]), int(d["face"]), str(d["how"])) for d in raw]
