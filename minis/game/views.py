"""What a side may know of the table: a board built from lists of what is allowed, before any question is put to it.

Every command answers a side from the board that is made here, so none of them can tell more than it holds. An item
that stands on none of these lists is not known: a new field of a unit is a secret until it is put on one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from minis.board.board import Board
from minis.board.terrain import Smoke
from minis.board.units import Unit
from minis.errors import bad

TABLE_FIELDS = (
    "id", "side", "kind", "size", "at", "length_in", "width_in", "facing", "turret", "armoured", "storey", "roof",
    "wreck", "mount", "closed_top", "nation", "armour", "weapons",
)  # fmt: skip
"""What anybody sees of an identified unit on the table, its weapons and its armour included: the model shows them."""

OWN_FIELDS = (
    *TABLE_FIELDS, "flags", "hidden", "token", "dummy", "tow", "carries", "radio", "spotter", "stun", "leadership",
    "extra_squads",
)  # fmt: skip
"""What a side knows of its own units: everything but who has sighted them, which may be a hidden unit."""

TABLE_FLAGS = frozenset({"moved", "fired", "motion", "buttoned_up", "dashing", "nonassault", "hazardous"})
"""Facts of this turn that anybody sees of an identified unit."""

TOKEN_FLAGS = frozenset({"moved", "fired"})
"""Facts of this turn that anybody sees of a token."""


def board_for(board: Board, side: str) -> Board:
    """The board as a side may know it: its own units, identified enemies, tokens as markers, nothing hidden (S11, S12).

    Raises BadInput where the side has no unit.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> view = board_for(read_board(examples_folder() / "crossroads" / "scenario.toml"), "allied")
    >>> view.unit("X5").unknown, view.unit("P1").unknown, "P8" in view.unit_by_id
    (True, False, False)
    """
    known = knowledge_of(board, side)
    if not known.own:
        raise bad(f"there is no side {side!r} in this game", file=board.name)
    units = [_shown(board, unit, known) for unit in board.units if unit.id in known.names]
    return Board(
        title=board.title, width_in=board.width_in, depth_in=board.depth_in, rules=board.rules,
        inches_per_hex=board.inches_per_hex, inches_per_mp=board.inches_per_mp, terrain=board.terrain,
        smoke=tuple(_cloud(cloud, known) for cloud in board.smoke),
        zones=tuple(zone for zone in board.zones if zone.side in (None, side)),
        lanes=tuple(lane for lane in board.lanes if lane.side in (None, side)),
        units=tuple(sorted(units, key=lambda unit: (unit.side, unit.id))),  # the order of the file tells nothing
        place=board.place, backdrop=board.backdrop, name=board.name,
    )  # fmt: skip


@dataclass(frozen=True)
class Knowledge:
    """Which units a side knows to be there, by their ids.

    `own` are its own, `identified` the enemies shown as themselves, `tokens` the names of the tokens that enemies are
    on, real or dummy.
    """

    own: frozenset[str]
    identified: frozenset[str]
    tokens: Mapping[str, str]

    @cached_property
    def names(self) -> dict[str, str]:
        """The name that the side has for each unit that it knows to be there: its id, or its token."""
        return {name: name for name in self.own | self.identified} | dict(self.tokens)


def knowledge_of(board: Board, side: str) -> Knowledge:
    """Which units a side knows to be there.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> known = knowledge_of(read_board(examples_folder() / "crossroads" / "scenario.toml"), "allied")
    >>> "P1" in known.identified, "P5" in known.identified, known.names["P5"], "P8" in known.names
    (True, False, 'X5', False)
    """
    own = frozenset(unit.id for unit in board.units if unit.side == side)
    on_table = [unit for unit in board.units if unit.side != side and not unit.hidden]
    identified = _identified(board, own, [unit for unit in on_table if unit.token is None and not unit.dummy])
    tows = {None, *identified}  # a gun behind a token is one target with it, and the token of the two is its tow's
    apart = [unit for unit in on_table if unit.id not in board.carrier_of and board.tow_of.get(unit.id) in tows]
    return Knowledge(own, identified, {unit.id: unit.token for unit in apart if unit.token is not None})


def _identified(board: Board, own: frozenset[str], units: list[Unit]) -> frozenset[str]:
    """Of enemies that are on the table and on no token, those that are shown as themselves.

    A passenger is shown with a sighted carrier alone (S11.1), a gun on tow with its tow (S11.3). A carrier may ride
    itself: those whose vehicle is not shown are taken out until there is none.
    """
    found = frozenset(unit.id for unit in units)
    while out := {name for name in found if not _vehicle_is_shown(board, name, found, own)}:
        found -= out
    return found


def _vehicle_is_shown(board: Board, name: str, found: frozenset[str], own: frozenset[str]) -> bool:
    """True of what neither rides nor is towed, of a passenger of a sighted carrier, and of a gun on a shown tow."""
    carrier, tow = board.carrier_of.get(name), board.tow_of.get(name)
    if carrier is not None and not (carrier in found and board.unit_by_id[carrier].sighted_by & own):
        return False
    return tow is None or tow in found


def _shown(board: Board, unit: Unit, known: Knowledge) -> Unit:
    if unit.id in known.own:
        return Unit(**{name: getattr(unit, name) for name in OWN_FIELDS})
    if unit.id not in known.identified:
        return _marker(board, unit, known)
    return Unit(
        **{name: getattr(unit, name) for name in TABLE_FIELDS},
        flags=unit.flags & TABLE_FLAGS,
        sighted_by=unit.sighted_by & known.own,
        tow=unit.tow if unit.tow in known.identified else None,
        carries=tuple(sorted(known.identified.intersection(unit.carries))),
    )


def _marker(board: Board, unit: Unit, known: Knowledge) -> Unit:
    """A token as a side sees it, the same marker for a real unit and for a dummy: its name, its place, what it did."""
    name = known.tokens[unit.id]
    kind = board.rules.unit_kinds["infantry"]
    return Unit(
        id=name,
        side=unit.side,
        kind=kind,
        size=board.rules.sizes["average"],
        at=unit.at,
        length_in=kind.length,
        width_in=kind.width,
        storey=unit.storey,
        roof=unit.roof,
        flags=unit.flags & TOKEN_FLAGS,
        sighted_by=unit.sighted_by & known.own,
        token=name,
        unknown=True,
    )


def _cloud(cloud: Smoke, known: Knowledge) -> Smoke:
    """A cloud of smoke; whose own it is stays unknown where that unit is not known to be there."""
    by = known.names.get(cloud.by) if cloud.by is not None else None
    return Smoke(cloud.id, cloud.ring, by, cloud.until_turn)
