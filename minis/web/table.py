"""The game that a server shows: one thread rules on it, processes draw, and who looks is told when his view changed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from minis.board.board import Board
from minis.errors import BadInput, MinisError
from minis.game.game import Game
from minis.game.side_log import SideWatch
from minis.game.state import State
from minis.web.answers import Glance, judges_glance, mark_of, sides_glance
from minis.web.jobs import draw_ground, draw_pieces, open_hits, preview, still_to_do, watched
from minis.web.workers import Doers, TooSlow

Result = TypeVar("Result")
Who = str | None
"""Who looks: a side, or None for the judge."""

LOOK_SECONDS = 0.25
"""So often it is looked whether another program wrote the game."""

DRAW_SECONDS = 20.0
"""A picture that takes longer is given up."""

CHECK_SECONDS = 120.0
"""A list of what is still to do that takes longer is given up."""


class Unreadable(Exception):
    """The game file cannot be read any more; `why` is for the judge alone."""

    def __init__(self, why: str):
        self.why = why
        super().__init__(why)


@dataclass(frozen=True)
class View:
    """What a seat is shown: the answer and its version."""

    answer: Mapping[str, Any]
    version: str


@dataclass(frozen=True)
class Duties:
    """What is still to do: after how many events, in which turn and phase; None where it is not known."""

    count: int = -1
    when: tuple[int, str] = (-1, "")
    todo: list[Any] | None = None
    watch: list[Any] | None = None


@dataclass(eq=False)
class Ear:
    """Somebody who listens: which view, the version of it that he heard last, and what wakes him."""

    who: Who
    heard: str = ""
    woken: asyncio.Event = field(default_factory=asyncio.Event)


class Table:
    """A game that is open for pages; to be used from one event loop.

    `draws` does the pictures, `checks` what is still to do, which takes longer. Questions are put to the game in one
    thread, one at a time; the game is opened by that thread.
    """

    def __init__(self, path: Path, draws: Doers, checks: Doers):
        self.path = path
        self.order: tuple[str, ...] = ()
        self.title = ""
        self._draws, self._checks = draws, checks
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="game")
        self._game: Game | None = None
        self._mark = 0
        self._told = 0
        self._telling: set[asyncio.Task[None]] = set()
        self._watches: dict[str, SideWatch] = {}
        self._glances: dict[Who, tuple[int, Glance]] = {}
        self._pictures: dict[Who, tuple[str, asyncio.Task[str]]] = {}
        self._duties = Duties()
        self._watch: tuple[str, list[Any]] | None = None
        self._duty: asyncio.Task[None] | None = None
        self._ground: asyncio.Task[str] | None = None
        self._ears: set[Ear] = set()
        self._looker: asyncio.Task[None] | None = None

    # --- opening and closing -----------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open the game and follow it; raises BadInput for what is no game."""
        board = await self._in_thread(self._open)
        self._ground = asyncio.create_task(self._draws.run(draw_ground, board, seconds=DRAW_SECONDS))
        self._looker = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Follow it no longer, stop what is being worked out, close the game."""
        drawing = (task for _, task in self._pictures.values())
        for task in (self._looker, self._duty, self._ground, *self._telling, *drawing):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task
        self._draws.stop()
        self._checks.stop()
        if self._game is not None:
            await self._in_thread(self._game.close)
        self._thread.shutdown(wait=False)

    def _open(self) -> Board:
        game = Game.open(self.path)
        self._game, self.order, self.title = game, game.order, game.start.title
        self._mark, self._told = game.journal.mark(), len(game.timeline.events)
        self._watches = {side: SideWatch(game.start, game.order, side) for side in game.order}
        return game.start

    # --- asking ------------------------------------------------------------------------------------------------------

    async def ask(self, question: Callable[[Game], Result]) -> Result:
        """What a question to the game as it stands comes to; raises Unreadable, and what the question raises."""
        try:
            return await self._in_thread(lambda: question(self._fresh()))
        finally:  # who asked has the answer at once, and the others hear of it meanwhile
            task = asyncio.create_task(self._told_meanwhile())
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def state(self) -> State:
        """The game as it stands, for work that another process does."""
        return await self._in_thread(lambda: _bare(self._fresh()))

    async def start(self) -> Board:
        """The table as it was set up."""
        return await self._in_thread(lambda: self._open_game().start)

    async def view_board(self, side: str) -> Board:
        """The board as a side may know it now."""
        return (await self._glance(side)).board

    async def event_count(self) -> int:
        """How many events there are."""
        return await self._in_thread(lambda: len(self._fresh().timeline.events))

    def _open_game(self) -> Game:
        if self._game is None:
            raise Unreadable("the game is closed")
        return self._game

    def _fresh(self) -> Game:
        """The game with all that other programs recorded."""
        game = self._open_game()
        with _readable():
            mark = game.journal.mark()
            if mark != self._mark:
                game.refresh()
                self._mark = mark
        return game

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # --- views -------------------------------------------------------------------------------------------------------

    async def view(self, who: Who) -> View:
        """What a seat sees; the judge's list of what is still to do is None until it is worked out."""
        glance = await self._glance(who)
        picture = await self._picture(who, glance)
        answer = {"version": glance.version, **glance.answer, "pieces": picture}
        if who is not None:
            return View(answer, glance.version)
        count, when = glance.answer["events"], (glance.answer["turn"], glance.answer["phase"])
        duties = self._duties
        if duties.count != count:
            self._work_out()
        fresh, todo = duties.count == count, duties.todo
        if not fresh:
            hits = await self._in_thread(lambda: open_hits(self._fresh().state))
            last = [one for one in todo or () if one["kind"] != "effect"]
            todo = None if todo is None or duties.when != when else hits + last
        version = self._judges_version(glance, duties)
        rest = {
            "version": version, "todo": todo, "todo_is_fresh": fresh,
            "watch": duties.watch if fresh or duties.when == when else None,
            "hidden": [unit.id for unit in glance.board.units if unit.hidden],
        }  # fmt: skip
        return View(answer | rest, version)

    async def version(self, who: Who) -> str:
        """The version of what a seat sees now."""
        glance = await self._glance(who)
        return glance.version if who is not None else self._judges_version(glance, self._duties)

    async def ground(self) -> str:
        """The ground of the table as SVG; no game changes it."""
        if self._ground is None or (self._ground.done() and _failed(self._ground)):
            board = await self._in_thread(lambda: self._open_game().start)
            self._ground = asyncio.create_task(self._draws.run(draw_ground, board, seconds=DRAW_SECONDS))
        return await asyncio.shield(self._ground)

    async def _glance(self, who: Who) -> Glance:
        return await self._in_thread(lambda: self._glance_now(who))

    def _glance_now(self, who: Who) -> Glance:
        game = self._fresh()
        count = len(game.timeline.events)
        kept = self._glances.get(who)
        if kept is None or kept[0] != count:
            kept = self._glances[who] = count, self._looked(game, who)
        return kept[1]

    def _looked(self, game: Game, who: Who) -> Glance:
        if who is None:
            return judges_glance(game.state, game.timeline, game.order)
        log = self._watches[who].entries(game.timeline)
        return sides_glance(game.state, who, self._watches[who].view, log)

    async def _picture(self, who: Who, glance: Glance) -> str:
        kept = self._pictures.get(who)
        if kept is None or kept[0] != glance.drawn or (kept[1].done() and _failed(kept[1])):
            task = asyncio.create_task(self._draws.run(draw_pieces, glance.board, seconds=DRAW_SECONDS))
            kept = self._pictures[who] = glance.drawn, task
        return await asyncio.shield(kept[1])

    def _judges_version(self, glance: Glance, duties: Duties) -> str:
        """The version of the judge's view: another one once what is still to do is known."""
        return glance.version + ("+" if duties.count == glance.answer["events"] else "")

    # --- what is still to do -----------------------------------------------------------------------------------------

    def _work_out(self) -> None:
        """Begin to work out what is still to do, unless that is being done."""
        if self._duty is None or self._duty.done():
            self._duty = asyncio.create_task(self._worked_out())

    async def _worked_out(self) -> None:
        """Work it out, as often as the game has gone on meanwhile; where it fails there is nothing to show."""
        with contextlib.suppress(Unreadable):
            while self._duties.count != await self.event_count():
                count, state = await self._in_thread(self._counted_state)
                when = state.turn, state.when + (", ended" if state.ended else "")
                try:
                    todo = await self._checks.run(still_to_do, state, seconds=CHECK_SECONDS)
                    self._duties = Duties(count, when, todo, await self._watched(state))
                except (TooSlow, MinisError):
                    self._duties = Duties(count, when, [], [])
            await self._publish()

    async def _watched(self, state: State) -> list[Any]:
        """The hidden units to be watched; while nothing moves they stay the same."""
        if state.phase is None or not state.phase.row.watch or state.ended:
            return []
        board = await self._in_thread(lambda: state.board)
        mark = mark_of([board.units, board.smoke])
        if self._watch is None or self._watch[0] != mark:
            self._watch = mark, await self._checks.run(watched, board, seconds=CHECK_SECONDS)
        return self._watch[1]

    def _counted_state(self) -> tuple[int, State]:
        game = self._fresh()
        return len(game.timeline.events), _bare(game)

    async def preview(self, asked: dict[str, Any], way: list[list[float]], seconds: float) -> dict[str, Any]:
        """A move that is not made yet; by the process that draws, since it takes longer than a ruling may."""
        return await self._draws.run(preview, await self.state(), asked, way, seconds=seconds)

    # --- telling who looks -------------------------------------------------------------------------------------------

    @contextmanager
    def listen(self, who: Who) -> Iterator[Ear]:
        """An ear that is woken whenever what a seat sees is no longer what was heard last."""
        ear = Ear(who)
        self._ears.add(ear)
        try:
            yield ear
        finally:
            self._ears.discard(ear)

    def wake_all(self) -> None:
        """Let everybody who listens look again: a seat was revoked, or the server stops."""
        for ear in self._ears:
            ear.woken.set()

    async def look(self) -> None:
        """Look whether another program wrote the game, and tell who listens; raises Unreadable."""
        await self._in_thread(self._fresh)
        await self._tell()

    async def _told_meanwhile(self) -> None:
        with contextlib.suppress(Unreadable, MinisError):
            await self._tell()

    async def _tell(self) -> None:
        """Tell of events that were not told of yet, whoever was the first to read them."""
        count = await self._in_thread(lambda: len(self._open_game().timeline.events))
        if count != self._told:
            await self._publish()
            self._told = count

    async def _publish(self) -> None:
        """Tell those who listen and whose view has changed."""
        for who in {ear.who for ear in self._ears}:
            version = await self.version(who)
            for ear in self._ears:
                if ear.who == who and ear.heard != version:
                    ear.woken.set()

    async def _look(self) -> None:
        """Look now and then whether another program wrote the game."""
        told = False
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
                told = False
            except (Unreadable, MinisError) as error:
                if not told:
                    print(f"the game cannot be read: {error}", flush=True)
                told = True


@contextmanager
def _readable() -> Iterator[None]:
    """Turn what is wrong with the file into Unreadable: it is not the fault of who asks."""
    try:
        yield
    except BadInput as error:
        raise Unreadable(str(error)) from None


def _bare(game: Game) -> State:
    """The state of a game without what it keeps for itself, to be sent to another process."""
    state = game.state
    return State(state.start, state.ledger, state.order, state.history)


def _failed(task: asyncio.Task[Any]) -> bool:
    return task.cancelled() or task.exception() is not None
