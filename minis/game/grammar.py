"""What the data of each kind of event holds: strict models, checked when a journal is read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from minis.game.acts import ACTS
from minis.game.chain import Damaged, Event

Table = Literal["game", "units", "turn", "smoke", "acquired", "boresights", "arcs", "weapons"]
Changes = list[tuple[Table, str, dict[str, Any] | None]]
Count = Annotated[int, Field(ge=0)]


class Data(BaseModel):
    """The data of an event: unknown keys and wrong types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class DieData(Data):
    """A die of an event."""

    purpose: str
    faces: Annotated[int, Field(ge=1)]
    face: Annotated[int, Field(ge=1)]
    how: Literal["typed", "thrown"]


class ActData(Data):
    """An act: when, what was asked, the dice with their question, the answer, what it changes."""

    turn: Count
    phase: Annotated[int, Field(ge=-1)]
    when: str
    asked: dict[str, Any]
    question: str | None = None
    dice: list[DieData] = []
    answer: dict[str, Any]
    changes: Changes


class Scenario(Data):
    """The scenario as started, with the texts that it names."""

    name: str
    text: str
    house: dict[str, Any] | None = None
    terrain_from: str | None = None


class SetupData(Data):
    """A set-up with its seal, where it has one."""

    name: str
    side: str
    text: str
    salt: str | None = None
    words: str | None = None


class StartData(Data):
    """The start of a game."""

    game: str
    minis: str
    rules: str
    title: str
    scenario: Scenario
    setups: list[SetupData]
    key_hash: str
    order: Annotated[list[str], Field(min_length=1)]
    changes: Changes


class ControlData(Data):
    """An event about another event: when, which, why."""

    turn: Count
    when: str
    event: Annotated[int, Field(ge=1)]
    why: str | None = None


class TakenBackData(ControlData):
    """An undo or a redo, with what it speaks of in words."""

    what: str


class OverruleData(ControlData):
    """The judge's word, with the answer and the changes that it gives an event."""

    to: str
    answer: dict[str, Any]
    changes: Changes


class NewDiceData(TakenBackData):
    """New dice for a question."""

    question: str


class SeedData(Data):
    """What a side adds to the machine's dice."""

    turn: Count
    when: str
    side: str
    text: str


KINDS: dict[str, type[Data]] = {
    "start": StartData, "undo": TakenBackData, "redo": TakenBackData, "overrule": OverruleData,
    "new dice": NewDiceData, "seed": SeedData,
}  # fmt: skip
"""The data of the kinds of event that are no acts."""


def check(event: Event, name: str) -> None:
    """Raise Damaged where an event is of no known kind, or its data is not what its kind holds."""
    if event.kind not in KINDS and event.kind not in ACTS:
        raise Damaged(name, f"there is no kind of event {event.kind!r}", event=event.seq)
    if (event.kind == "start") is not (event.seq == 1):
        raise Damaged(name, "a game starts once, with its first event", event=event.seq)
    try:
        found = KINDS.get(event.kind, ActData).model_validate(_as_pairs(event.data))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "its data"
        raise Damaged(name, f"{where}: {first['msg'].lower()}", event=event.seq) from None
    if isinstance(found, ControlData) and not found.event < event.seq:
        raise Damaged(name, f"it speaks of event {found.event}, which comes after it", event=event.seq)


def _as_pairs(data: dict[str, Any]) -> dict[str, Any]:
    """The data with each change as a tuple, which is what the models take."""
    changes = data.get("changes")
    if not isinstance(changes, list):
        return data
    return data | {"changes": [tuple(change) if isinstance(change, list) else change for change in changes]}
