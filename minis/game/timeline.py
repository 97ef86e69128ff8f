"""Which events of a journal count: undo, redo and the judge's overrulings are events too, and nothing is taken out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from minis.game.chain import Event
from minis.game.ledger import Change, Ledger, lay, new_ledger, read_changes

CONTROL = ("undo", "redo", "overrule", "new dice", "seed")
"""Kinds of event that change no table of themselves: they speak of other events, or of the dice."""


@dataclass
class Timeline:
    """The events so far, and which of them count.

    `undone` holds the numbers of events taken back, `overruled` the event that overrules another, by its number.
    """

    events: list[Event] = field(default_factory=list)
    undone: set[int] = field(default_factory=set)
    overruled: dict[int, Event] = field(default_factory=dict)
    new_dice: dict[str, int] = field(default_factory=dict)
    seeds: dict[str, str] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        """Take in the next event."""
        self.events.append(event)
        match event.kind:
            case "undo":
                self._switch(self.event(event.data["event"]), on=False)
            case "redo":
                self._switch(self.event(event.data["event"]), on=True)
            case "overrule":
                self._hear(event.data["event"])
            case "new dice":
                question = event.data["question"]
                self.new_dice[question] = self.new_dice.get(question, 0) + 1
            case "seed":
                self.seeds[event.data["side"]] = event.data["text"]

    def event(self, number: int) -> Event:
        """The event with this number; raises IndexError for one that there is not."""
        if not 1 <= number <= len(self.events):
            raise IndexError(number)
        return self.events[number - 1]

    def counts(self, event: Event) -> bool:
        """Whether an event counts: it is an act and was not taken back."""
        return event.kind not in CONTROL and event.seq not in self.undone

    def acts(self) -> Iterator[Event]:
        """The acts that count, in order, the start of the game first."""
        return (event for event in self.events if self.counts(event))

    def changes(self, event: Event) -> list[Change]:
        """What an act changes: as it was ruled, or as the judge overruled it."""
        over = self.overruled.get(event.seq)
        return read_changes((over or event).data.get("changes", ()))

    def ledger(self, until: int | None = None) -> Ledger:
        """The fold of the acts that count, of all or of those before an event."""
        folded = new_ledger()
        for event in self.acts():
            if until is not None and event.seq >= until:
                break
            lay(folded, self.changes(event))
        return folded

    def asked_before(self, question: str) -> bool:
        """Whether an act that counts has asked a question already."""
        return any(event.data.get("question") == question for event in self.acts())

    def _switch(self, event: Event, *, on: bool) -> None:
        (self.undone.discard if on else self.undone.add)(event.seq)
        if event.kind == "overrule":
            self._hear(event.data["event"])

    def _hear(self, number: int) -> None:
        """Find the last word of the judge on an event that is not taken back."""
        words = (e for e in self.events if e.kind == "overrule" and e.data["event"] == number)
        last = [event for event in words if event.seq not in self.undone]
        if last:
            self.overruled[number] = last[-1]
        else:
            self.overruled.pop(number, None)


def read(events: Iterable[Event]) -> Timeline:
    """The timeline of a journal."""
    timeline = Timeline()
    for event in events:
        timeline.add(event)
    return timeline
