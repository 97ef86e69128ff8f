"""A game: its journal read and folded, acts ruled upon and recorded, each as one event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minis.board.board import Board
from minis.errors import MinisError, bad
from minis.game.act import Box, Die, Outcome, Refused, Replay, dice_of
from minis.game.acts import ACTS, SUBJECTS, question_of, with_ids
from minis.game.chain import Event
from minis.game.chance import Chance
from minis.game.grammar import check
from minis.game.journal import Journal, Overtaken
from minis.game.ledger import Fields
from minis.game.opening import Opening, board_in
from minis.game.state import State
from minis.game.timeline import Timeline, read

KEY = "dice key"
"""Under this name the key of the machine's dice is kept in the journal."""

TRIES = 20
"""So often an act is ruled upon anew when another program was quicker."""


@dataclass
class Game:
    """An open game: a journal, what it says, and the table it began with.

    A context manager: it closes its journal.
    """

    path: Path
    journal: Journal
    timeline: Timeline
    start: Board
    order: tuple[str, ...]

    # --- opening ---------------------------------------------------------------------------------------------------

    @classmethod
    def begin(cls, path: Path, opening: Opening, key: bytes) -> Game:
        """A new game file with the opening as its first event; raises BadInput where there is such a file."""
        journal = Journal.create(path, "start", opening.data, secrets={KEY: key})
        return cls(path, journal, read(journal.events()), opening.board, opening.order)

    @classmethod
    def open(cls, path: Path) -> Game:
        """A game that was begun; raises BadInput for what is no game, is damaged, or was made by another version."""
        journal = Journal.open(path)
        try:
            events = journal.events()
            if not events:
                raise bad("the game was never started", file=str(path))
            for event in events:
                check(event, str(path))
            first = events[0].data
            return cls(path, journal, read(events), board_in(first), tuple(first["order"]))
        except BaseException:
            journal.close()
            raise

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the state -------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The game as it stands."""
        count = len(self.timeline.events)
        if self._state is None or self._state[0] != count:
            self._state = count, State(self.start, self.timeline.ledger(), self.order, self.timeline)
        return self._state[1]

    _state: tuple[int, State] | None = None

    @property
    def chance(self) -> Chance:
        """The machine's dice under the key of this game and the texts that the sides added."""
        return Chance(self.journal.secret(KEY), tuple(sorted(self.timeline.seeds.items())))

    def refresh(self) -> None:
        """Take in what other programs have recorded since."""
        for event in self.journal.events()[len(self.timeline.events) :]:
            self.timeline.add(event)

    # --- acts ------------------------------------------------------------------------------------------------------

    def ask(self, kind: str, asked: Fields, typed: Mapping[str, Sequence[int]] | None = None) -> Outcome:
        """What the rules say of an act as it stands; nothing is recorded and nothing thrown."""
        return ACTS[kind](self.state, with_ids(self.state, asked), Box(dict(typed or {})))

    def act(
        self, kind: str, asked: Fields, typed: Mapping[str, Sequence[int]] | None = None, *, throws: bool = False
    ) -> tuple[Outcome, Event | None]:
        """Rule on an act and record it as an event; None where it was only a question.

        Raises BadInput for what there is not and for dice that nothing calls for, Refused where the rules say no. Where
        another program was quicker the act is ruled upon anew.
        """
        for _ in range(TRIES):
            self._check_open()
            state = self.state
            if throws and any(event.kind == "end" for event in self.timeline.events):
                raise Refused("S14", "the key of the machine's dice has been shown: type the dice")
            named = with_ids(state, asked)
            question = self._question(state, kind, named)
            box = Box(dict(typed or {}), self._thrower(question) if throws else None)
            outcome = ACTS[kind](state, named, box)
            if not outcome.recorded:
                return outcome, None
            box.check_empty()
            try:
                return outcome, self._append(kind, data_of(state, named, question, box.taken, outcome))
            except Overtaken:
                self.refresh()
        raise MinisError(f"{self.path}: other programs record events faster than this act can be ruled upon; try again")

    def _question(self, state: State, kind: str, asked: Fields) -> str | None:
        if kind not in SUBJECTS:
            return None
        nth = 0
        while self.timeline.asked_before(question_of(state, kind, asked, nth)):
            nth += 1
        return question_of(state, kind, asked, nth)

    def _thrower(self, question: str | None) -> Any:
        if question is None:
            return None
        chance, again = self.chance, self.timeline.new_dice.get(question, 0)
        return lambda purpose, number, faces: chance.face(question, purpose, number, faces, again)

    def _check_open(self) -> None:
        if self.state.ended:
            raise Refused("S11.4", "the game has ended; `minis undo` takes that back")

    def record(self, kind: str, data: Fields) -> Event:
        """Record an event that speaks of other events (`minis.game.control`); raises Overtaken."""
        return self._append(kind, data)

    def _append(self, kind: str, data: Fields) -> Event:
        event = self.journal.append(kind, data, after=len(self.timeline.events))
        self.timeline.add(event)
        return event


def data_of(state: State, asked: Fields, question: str | None, dice: Sequence[Die], outcome: Outcome) -> Fields:
    """The data of the event of an act: what was asked, the dice, the answer, what it changes."""
    data: Fields = {"turn": state.turn, "phase": state.phase_number, "when": state.when, "asked": asked}
    if question is not None:
        data |= {"question": question, "dice": [die.data for die in dice]}
    return data | {"answer": outcome.answer, "changes": [list(change) for change in outcome.changes]}


def ruled_again(state: State, event: Event) -> Fields:
    """The data that an event would have if it were ruled upon in another state, with the dice that it had.

    Raises MinisError where the rules say no, or no longer call for those dice.
    """
    box = Replay(kept=dice_of(event.data.get("dice", ())))
    outcome = ACTS[event.kind](state, event.data["asked"], box)
    if box.kept:
        raise bad(f"{len(box.kept)} of its dice are not called for")
    if not outcome.recorded:
        raise bad("its dice do not decide it")
    return data_of(state, event.data["asked"], event.data.get("question"), box.taken, outcome)
