"""The table as it stands, unit by unit: for the judge all of it, for a side what it may know (S11, S12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from minis.board.board import Board
from minis.board.terrain import Smoke
from minis.board.units import Unit
from minis.game.hands import MARKS
from minis.game.state import State
from minis.game.views import Knowledge, board_for, knowledge_of
from minis.sight.scene import Scene


@dataclass(frozen=True)
class Acquired:
    """What a weapon has acquired (F6): its value, and the unit as who asks knows it.

    `target` is None for an acquired area, for a target lost from sight, and for one that who asks does not know.
    """

    weapon: str
    value: int
    target: str | None


@dataclass(frozen=True)
class UnitStanding:
    """A unit on the table; what is beyond the table itself is there for who may know it, else empty.

    `level` is that on which it stands; `goes_with` the unit that carries or tows it; `mp` the movement points that it
    has used this turn; `weapons` what keeps a weapon from firing, by its id; `protected` the centre and the width of
    its protected arc in degrees (F8.4); `lost` what made it a wreck.
    """

    unit: Unit
    level: float
    goes_with: str | None
    mp: float | None = None
    acquired: tuple[Acquired, ...] = ()
    weapons: tuple[tuple[str, str], ...] = ()
    marks: tuple[str, ...] = ()
    protected: tuple[float, float] | None = None
    lost: str = ""


@dataclass(frozen=True)
class TableStanding:
    """A table as it stands: turn and phase of a game, its units by side, its smoke.

    `side` is who asks, None for the judge; `when` is None for a scenario, which has no turn. `out` are the units that
    are out of the game, each with what became of it: for the judge alone.
    """

    board: Board
    side: str | None
    when: str | None
    turn: int | None
    ended: bool
    units: tuple[UnitStanding, ...]
    smoke: tuple[Smoke, ...]
    out: tuple[tuple[str, str], ...] = ()


def standing_of(board: Board, state: State | None = None, side: str | None = None) -> TableStanding:
    """The table as it stands: of a scenario, or with `state` of a game, whose board it is; for the judge or a side.

    For a side everything about other sides' units comes from `board_for`, and of the state no more is read than what
    concerns units of its own. Raises BadInput where the side has no unit.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> [any(one.unit.id == "P8" for one in standing_of(board, None, side).units) for side in (None, "allied")]
    [True, False]
    """
    view = board if side is None else board_for(board, side)
    known = None if side is None else knowledge_of(board, side)
    scene = Scene(view)
    units = sorted(view.units, key=lambda unit: (unit.side, unit.id))
    return TableStanding(
        board=view,
        side=side,
        when=state.when if state else None,
        turn=state.turn if state else None,
        ended=state.ended if state else False,
        units=tuple(_standing(scene, unit, state, known) for unit in units),
        smoke=view.smoke,
        out=tuple(_out(state)) if state and side is None else (),
    )


def _standing(scene: Scene, unit: Unit, state: State | None, known: Knowledge | None) -> UnitStanding:
    board = scene.board
    level = scene.stand(unit).level
    goes_with = board.carrier_of.get(unit.id) or board.tow_of.get(unit.id)
    if state is None or (known is not None and unit.id not in known.own):
        return UnitStanding(unit, level, goes_with)
    arc = state.arcs.get(unit.id)
    broken = ((weapon.id, state.weapon_state(unit.id, weapon.id)) for weapon in unit.weapons)
    return UnitStanding(
        unit,
        level,
        goes_with,
        mp=state.this_turn(unit.id).get("mp"),
        acquired=tuple(_acquired(state, unit, known)),
        weapons=tuple((weapon, what) for weapon, what in broken if what is not None),
        marks=tuple(mark for mark in MARKS if state.entry(unit.id).get(mark)),
        protected=(arc.centre, arc.width) if arc else None,
        lost=_lost(state, unit) if known is None else "",
    )


def _acquired(state: State, unit: Unit, known: Knowledge | None) -> Iterator[Acquired]:
    """What the weapons of a unit have acquired, each target under the name that who asks has for it."""
    for (name, weapon), record in state.acquisitions.items():
        if name == unit.id and record.value:
            target = record.target if known is None else known.names.get(str(record.target))
            yield Acquired(weapon, record.value, target)


def _lost(state: State, unit: Unit) -> str:
    """What made a unit a wreck, in words; empty for one that was set up so."""
    lost = state.entry(unit.id).get("lost")
    return f"{lost['how']} in turn {lost['turn']} by {lost['by']}" if lost else ""


def _out(state: State) -> Iterator[tuple[str, str]]:
    for unit in state.start.units:
        gone = state.gone(unit.id)
        if gone:
            yield unit.id, f"{gone['how']} in turn {gone['turn']}"
