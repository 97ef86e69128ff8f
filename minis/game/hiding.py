"""Fire from hiding, and dummies that move: what S11.2, S12.3 and S12.4 say of the table as it stands."""

from __future__ import annotations

from minis.board.geometry import base_to_base
from minis.board.units import Unit
from minis.fire.acquisition import Ruling
from minis.lengths import EPSILON_IN, GRID, format_length
from minis.sight.attempt import one_target
from minis.sight.line import can_see
from minis.sight.scene import Scene


def vanishes(scene: Scene, target: Unit, firer: Unit) -> Ruling:
    """Whether a target that fire from a hidden firer destroys just vanishes, and the firer stays hidden (S12.4).

    So it is under a radio penalty (the switch `radio_penalty`); else the switch `radio_exception` says whether the
    target must have no radio and be out of sight of its friends, or whether one of the two is enough. Friends are real
    units of its side on the table with a line of sight to it, at whatever distance: no wreck, no dummy, nobody hidden,
    none of its passengers, not the gun or vehicle that is one target with it (S11.3). `firer` is as it was when it
    fired. It does not ask whether the target is destroyed.

    >>> from dataclasses import replace
    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> alone = Scene(replace(scene.board, units=tuple(scene.board.unit(name) for name in ("T1", "P8"))))
    >>> silent, gun = replace(alone.board.unit("T1"), radio=False), alone.board.unit("P8")
    >>> vanishes(alone, silent, gun).holds, vanishes(alone, silent, replace(gun, hidden=False)).holds
    (True, False)
    """
    if not firer.hidden:
        return Ruling(False, "S12.4", f"{firer.id} is not hidden")
    if scene.board.rules.switch("radio_penalty") == "yes":
        return Ruling(True, "S12.4", "the judge has imposed a radio penalty")
    either = scene.board.rules.switch("radio_exception") == "either"
    if either and not target.radio:
        return Ruling(True, "S12.4", f"{target.id} has no radio")
    if not either and target.radio:
        return Ruling(False, "S12.4", f"{target.id} has a radio")
    friend = _friend_in_sight(scene, target)
    radio = "" if target.radio else f"{target.id} has no radio, "
    if friend is None:
        return Ruling(True, "S12.4", f"{radio}{'and ' if radio else ''}no friend sees {target.id}")
    has = f"{target.id} has a radio, and " if target.radio else f"{target.id} has no radio, but "
    return Ruling(False, "S12.4", f"{has}{friend.id} sees it")


def _friend_in_sight(scene: Scene, target: Unit) -> Unit | None:
    """A friend that sees a unit, the first by its id; None where nobody does."""
    own = {unit.id for unit in one_target(scene, target)}
    own |= {rider for unit in one_target(scene, target) for rider in unit.carries}
    friends = (u for u in scene.board.units if u.side == target.side and u.id not in own and _is_real(u))
    seeing = (u for u in sorted(friends, key=lambda u: u.id) if not u.hidden and can_see(scene, u, target))
    return next(seeing, None)


def _is_real(unit: Unit) -> bool:
    """True of what is no dummy and no wreck."""
    return not unit.dummy and not unit.wreck


def no_return_fire(fired_from_hiding_turn: int | None, turn: int) -> bool:
    """True where nobody may fire back at a unit: it fired from hiding in this very turn (S12.3).

    >>> no_return_fire(3, 3), no_return_fire(3, 4), no_return_fire(None, 3)
    (True, False, False)
    """
    return fired_from_hiding_turn == turn


def dummy_may_stand(scene: Scene, dummy: Unit) -> Ruling:
    """Whether a dummy, as it stands or would stand after its move, is in the company of a real unit (S11.2).

    A real unit of its side, hidden ones and passengers too, is within the switch `dummy_distance` of it, base to base.

    >>> from dataclasses import replace
    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> scene = Scene(read_board(examples_folder() / "crossroads" / "scenario.toml"))
    >>> dummy = next(unit for unit in scene.board.units if unit.dummy)
    >>> dummy_may_stand(scene, dummy).holds, dummy_may_stand(scene, replace(dummy, at=(0, 480000))).holds
    (True, False)
    """
    if not dummy.dummy:
        return Ruling(True, "S11.2", f"{dummy.id} is no dummy")
    near = scene.board.rules.switch_number("dummy_distance") * GRID
    real = [unit for unit in scene.board.units if unit.side == dummy.side and unit.id != dummy.id and _is_real(unit)]
    away, name = min(((base_to_base(dummy.base, unit.base), unit.id) for unit in real), default=(None, ""))
    if away is None:
        return Ruling(False, "S11.2", f"{dummy.side} has no real unit left for {dummy.id} to go with")
    if away > near + EPSILON_IN * GRID:
        words = f"its nearest real unit, {name}, is {format_length(away / GRID)} away: more than"
        return Ruling(False, "S11.2", f"{words} {format_length(near / GRID)}")
    return Ruling(True, "S11.2", f"{name} is {format_length(away / GRID)} away")
