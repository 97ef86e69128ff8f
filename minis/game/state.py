"""The game as it stands: the table as it was set up, and what has become of it since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any

from minis.board.board import Board
from minis.board.geometry import Point
from minis.board.terrain import Smoke
from minis.board.units import Unit
from minis.fire.acquisition import Acquisition, Change
from minis.fire.boresight import BoreSight
from minis.fire.manoeuvre import ProtectedArc
from minis.game.ledger import Fields, Ledger, weapon_key
from minis.game.timeline import Timeline
from minis.lengths import to_grid, to_inches
from minis.rules.game_rows import PhaseRow
from minis.rules.model import FLAGS, Rules
from minis.sight.scene import Scene

TURN_FLAGS = frozenset({
    "moved", "fired", "pinned", "spotted", "blinded", "dashing", "nonassault", "hazardous", "in_open",
})  # fmt: skip
"""Facts that last for a turn and clear by themselves."""

LASTING = tuple(flag for flag in FLAGS if flag not in TURN_FLAGS)
"""Facts that stay until the judge or an act changes them."""


@dataclass(frozen=True)
class Phase:
    """A phase of the sequence of play, and the side whose phase it is; None where it is everybody's."""

    row: PhaseRow
    side: str | None = None

    @property
    def label(self) -> str:
        """How it is printed."""
        return f"{self.row.label} ({self.side})" if self.side else self.row.label


@dataclass(frozen=True, eq=False)
class State:
    """A game at one moment.

    `start` is the table as set up; `ledger` what has changed since; `order` the sides in the order in which they move;
    `history` the events that led here.
    """

    start: Board
    ledger: Ledger
    order: tuple[str, ...]
    history: Timeline

    # --- the turn --------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self.start.rules

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The phases of a turn."""
        return tuple(Phase(row, side) for row in self.rules.sequence for side in (self.order if row.each else (None,)))

    @property
    def turn(self) -> int:
        """The number of the turn; 0 while the game is being set up."""
        return int(self._game.get("turn", 0))

    @property
    def phase(self) -> Phase | None:
        """The phase; None while the game is being set up."""
        return self.phases[int(self._game["phase"])] if "phase" in self._game else None

    @property
    def phase_number(self) -> int:
        """The number of the phase in its turn, from 0; -1 while the game is being set up."""
        return int(self._game.get("phase", -1))

    @property
    def when(self) -> str:
        """Turn and phase, as they are printed."""
        return "set-up" if self.phase is None else f"turn {self.turn}, {self.phase.label}"

    @property
    def ended(self) -> bool:
        """True once the game is over."""
        return bool(self._game.get("ended"))

    @property
    def spots(self) -> int:
        """How many tokens were put on the table where hidden units were seen; their names count on."""
        return int(self._game.get("spots", 0))

    @property
    def _game(self) -> Fields:
        return self.ledger["game"].get("", {})

    # --- the table -------------------------------------------------------------------------------------------------

    @cached_property
    def board(self) -> Board:
        """The table as it stands: units where they are now, none that is out of the game, smoke."""
        units = tuple(self._now(unit) for unit in self.start.units if not self.gone(unit.id))
        clouds = {cloud.id: cloud for cloud in self.start.smoke}
        for name, entry in self.ledger["smoke"].items():
            if entry.get("gone"):
                clouds.pop(name, None)
            else:
                clouds[name] = smoke_of(name, entry)
        lost = {
            name: f"{entry['gone']['how']}, turn {entry['gone']['turn']}"
            for name, entry in self.ledger["units"].items()
            if entry.get("gone")
        }
        once = {unit.token: unit.id for unit in self.start.units if unit.token}
        return replace(self.start, units=units, smoke=tuple(clouds.values()), cautions=(), lost=lost, once=once)

    @cached_property
    def scene(self) -> Scene:
        """The table made ready for questions."""
        return Scene(self.board)

    def unit(self, name: str) -> Unit:
        """The unit with this id or token; raises BadInput, for a unit out of the game with what became of it."""
        return self.board.unit(name)

    def gone(self, name: str) -> Fields | None:
        """What took a unit out of the game; None where it is in it."""
        found: Fields | None = self.ledger["units"].get(name, {}).get("gone")
        return found

    def entry(self, name: str) -> Fields:
        """What is kept of a unit beyond its place on the table."""
        return self.ledger["units"].get(name, {})

    def this_turn(self, name: str) -> Fields:
        """What a unit did this turn."""
        return self.ledger["turn"].get(name, {})

    def _now(self, unit: Unit) -> Unit:
        """A unit as it is now."""
        entry, turn = self.entry(unit.id), self.this_turn(unit.id)
        at_start = unit.flags if self.turn == 0 else unit.flags - TURN_FLAGS
        if not entry and not turn and at_start == unit.flags:
            return unit
        flags = frozenset(entry["flags"]) | (at_start & TURN_FLAGS) if "flags" in entry else at_start
        flags |= frozenset(flag for flag in TURN_FLAGS if turn.get(flag))
        changed: Fields = {name: entry[name] for name in PLAIN if name in entry}
        if "at" in entry:
            changed["at"] = point(entry["at"])
        if "storey" in entry:
            changed["storey"] = entry["storey"] if entry["storey"] >= 0 else None
        if "token" in entry:
            changed["token"] = entry["token"] or None
        if "tow" in entry:
            changed["tow"] = entry["tow"] or None
        if "sighted_by" in entry:
            changed["sighted_by"] = frozenset(entry["sighted_by"])
        if "carries" in entry:
            changed["carries"] = tuple(entry["carries"])
        return replace(unit, flags=flags, **changed)

    # --- weapons ---------------------------------------------------------------------------------------------------

    @cached_property
    def acquisitions(self) -> dict[tuple[str, str], Acquisition]:
        """What each weapon has acquired (F6), by unit and weapon."""
        return {key: _read(Acquisition, entry) for key, entry in self._of_weapons("acquired")}

    def acquisition(self, unit: str, weapon: str) -> Acquisition:
        """What a weapon has acquired: nothing where nothing is kept."""
        return self.acquisitions.get((unit, weapon)) or Acquisition(unit, weapon)

    @cached_property
    def boresights(self) -> dict[tuple[str, str], BoreSight]:
        """The bore-sighted spots (F7), by unit and weapon."""
        found = {}
        for key, entry in self._of_weapons("boresights"):
            lost = entry.get("lost")
            found[key] = _read(BoreSight, {**entry, "lost": Change(**lost) if lost else None})
        return found

    @cached_property
    def arcs(self) -> dict[str, ProtectedArc]:
        """The arcs in which vehicles are hull down by manoeuvre (F8.4)."""
        return {name: ProtectedArc(**entry) for name, entry in self.ledger["arcs"].items()}

    def weapon_state(self, unit: str, weapon: str) -> str | None:
        """What keeps a weapon from firing: malfunction or out of ammunition; None where nothing does."""
        found: str | None = self.ledger["weapons"].get(weapon_key(unit, weapon), {}).get("state")
        return found

    def _of_weapons(self, table: str) -> list[tuple[tuple[str, str], Fields]]:
        found = []
        for key, entry in self.ledger[table].items():
            unit, weapon = key.split("\n")
            found.append(((unit, weapon), entry))
        return found


PLAIN = ("facing", "turret", "roof", "hidden", "wreck", "stun")
"""Fields of a unit that the ledger keeps as they are."""


def point(place: list[float]) -> Point:
    """A place in inches, as the ledger keeps it, on the grid."""
    return to_grid(place[0]), to_grid(place[1])


def place(at: Point) -> list[float]:
    """A place on the grid in inches, as the ledger keeps it."""
    return [to_inches(at[0]), to_inches(at[1])]


def smoke_of(name: str, entry: Mapping[str, Any]) -> Smoke:
    """A cloud from what the ledger keeps of it."""
    ring = tuple(point(corner) for corner in entry["ring"])
    return Smoke(name, ring, entry.get("by"), entry.get("until_turn"))


def _read(kind: type[Any], entry: Mapping[str, Any]) -> Any:
    """A record of the fire rules from what the ledger keeps of it; places become pairs."""
    names = {f.name for f in fields(kind)}
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in entry.items() if k in names})


def record(value: Acquisition | BoreSight | ProtectedArc) -> Fields:
    """A record of the fire rules as the ledger keeps it: fields that are None are left out."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(value).items() if v is not None}


def whole(value: Fields, kind: type[Any]) -> Fields:
    """The fields of a record with None for those it lacks, so that laying it over another leaves nothing of that."""
    return {f.name: value.get(f.name) for f in fields(kind)}
