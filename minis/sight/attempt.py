"""A sighting attempt on the table: the line of sight and the facts, put to the sighting rules (S13.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from minis.board.geometry import bearing
from minis.board.units import Unit
from minis.dice import Roll
from minis.lengths import to_grid
from minis.rules.model import FLAGS, Rules
from minis.rules.rows import Row
from minis.sight.cover import HullDown, cover_of, hull_down
from minis.sight.line import Sightline, sight_line
from minis.sight.scene import Scene
from minis.sight.sighting import Procedure, SightFacts, Sighting, sighting


@dataclass(frozen=True)
class Attempt:
    """One unit's attempt to sight another: what the table shows and what the rules make of it.

    `seen_as` is the unit that was measured to: of a gun and its tow, which are one target, the one easier to see
    (S11.3).
    """

    sighter: Unit
    target: Unit
    seen_as: Unit
    line: Sightline
    cover: tuple[str, ...]
    hull_down: HullDown
    ruling: Sighting

    @property
    def rows_used(self) -> tuple[Row, ...]:
        """Rows of tables that the answer rests on."""
        return self.line.rows_used + self.ruling.rows


def attempt(
    scene: Scene,
    sighter: Unit,
    target: Unit,
    *,
    procedure: Procedure = "sight",
    smoke_rolls: Sequence[Roll] = (),
    roll: Roll | None = None,
) -> Attempt:
    """Put a sighting or an identification to the rules (S2, S10); raises BadInput for dice that do not fit.

    A gun and its tow are one target to sight: `seen_as` is the one that is easier to see.
    """
    tries = [
        _attempt(scene, sighter, target, seen_as, procedure, (), None)
        for seen_as in one_target(scene, target)
        if seen_as.id != sighter.id
    ]
    best = max(tries, key=lambda found: found.ruling.chance)
    if not smoke_rolls and roll is None:
        return best
    facts, rules = best.ruling.facts, scene.board.rules
    return replace(best, ruling=sighting(facts, rules, procedure=procedure, smoke_rolls=smoke_rolls, roll=roll))


def to_shoot_at(scene: Scene, found: Attempt) -> Attempt:
    """The attempt with the line to the target itself: a gun and its tow are two targets to shoot at (S11.3)."""
    if found.seen_as is found.target:
        return found
    alone = _attempt(scene, found.sighter, found.target, found.target, found.ruling.procedure, (), None)
    return replace(alone, ruling=found.ruling)


def one_target(scene: Scene, target: Unit) -> tuple[Unit, ...]:
    """A unit, and the gun it tows or the vehicle that tows it, where the two are one target to sight (S11.3)."""
    board = scene.board
    other = target.tow or board.tow_of.get(target.id)
    if other is None or board.rules.switch("tow") != "one":
        return (target,)
    return target, board.unit(other)


def _attempt(
    scene: Scene,
    sighter: Unit,
    target: Unit,
    seen_as: Unit,
    procedure: Procedure,
    smoke_rolls: Sequence[Roll],
    roll: Roll | None,
) -> Attempt:
    line = sight_line(scene, sighter, seen_as)
    cover = cover_of(scene, seen_as, sighter) if line.clear else ()
    down = hull_down(scene, seen_as, sighter)
    facts = facts_of(scene.board.rules, line, sighter, seen_as, cover, down)
    barred = _barred(scene, sighter, target)
    if barred is not None:
        facts = replace(facts, barred_by=barred[1], barred_rule=barred[0])
    ruling = sighting(facts, scene.board.rules, procedure=procedure, smoke_rolls=smoke_rolls, roll=roll)
    return Attempt(sighter, target, seen_as, line, cover, down, ruling)


def _barred(scene: Scene, sighter: Unit, target: Unit) -> tuple[str, str] | None:
    """Why a unit makes no attempt at another, whatever the line: rule and words (S6.6, S11.1, S11.2, S11.5)."""
    if sighter.wreck:
        return "S6.6", f"{sighter.id} is a wreck"
    if sighter.dummy:
        return "S11.2", f"{sighter.id} is a dummy"
    for unit in (sighter, target):
        if unit.unknown:
            return UNKNOWN_RULE, unknown_words(unit)
    carrier = scene.board.carrier_of.get(target.id)
    if carrier is not None and sighter.id not in scene.board.unit(carrier).sighted_by:
        return "S11.1", f"{target.id} rides in {carrier}, which is to be sighted first"
    return None


UNKNOWN_RULE = "S11.5"
"""A token is known to be there, not what it is: the rule that bars a side's question about one."""


def unknown_words(token: Unit) -> str:
    """Why a side's question about a token has no answer: the same words for a real unit and for a dummy (S11.5)."""
    return f"{token.id} is a token: only the judge knows what it stands for"


def facts_of(
    rules: Rules, line: Sightline, sighter: Unit, target: Unit, cover: tuple[str, ...], down: HullDown
) -> SightFacts:
    """The facts that the sighting rules ask for (S2.1, S2.5, S3, S4.1, S8)."""
    protected = bool(cover) or down.state is not None
    stopped = line.deciding
    return SightFacts(
        range_in=line.distance_in,
        small=is_small(rules, target),
        in_cover=protected,
        vehicle=target.is_vehicle,
        vehicle_in_open=target.is_vehicle and not protected,
        spotter=sighter.spotter,
        facts=frozenset(turn_facts("sighter", sighter) | turn_facts("target", target)),
        smoke=line.smoke_class,
        clouds=len(line.smoke),
        stopped_by=f"hidden by {stopped.obstacle}" if stopped else "",
        stopped_rule=stopped.rule if stopped else "",
    )


def is_small(rules: Rules, unit: Unit) -> bool:
    """True of infantry and of any unit whose size modifier is low enough (S2.1)."""
    return unit.kind.small == "always" or unit.size.percent <= rules.number("small-size-modifier").value


def turn_facts(who: str, unit: Unit) -> set[str]:
    """A unit's facts of this turn under the names of the modifier table; motion is movement too (S3)."""
    true = {flag for flag in FLAGS if flag in unit.flags}
    if "motion" in true:
        true.add("moved")
    if not (unit.armoured and unit.is_vehicle):
        true.discard("buttoned_up")
    return {f"{who}_{flag}" for flag in true}


# --- a whole sighting phase ------------------------------------------------------------------------------------------


def sighters(scene: Scene, side: str) -> list[Unit]:
    """Units of a side that look: no dummies, no wrecks, no passengers, no guns on tow; round the table once.

    They start in the south-west corner and go clockwise round the middle of the table.
    """
    board = scene.board
    own = [u for u in board.units if u.side == side and not u.dummy and not u.wreck and not _is_baggage(scene, u)]
    return sorted(own, key=lambda unit: (_clock(board.width_in, board.depth_in, unit), unit.id))


def targets(scene: Scene, side: str) -> list[Unit]:
    """Units that are not of a side and can be sighted, dummies too; by id."""
    others = [u for u in scene.board.units if u.side != side and not u.wreck and not _is_baggage(scene, u)]
    return sorted(others, key=lambda unit: unit.id)


def _is_baggage(scene: Scene, unit: Unit) -> bool:
    """True of passengers (S11.1) and of a gun that is one target with its tow (S11.3)."""
    board = scene.board
    return unit.id in board.carrier_of or (unit.id in board.tow_of and board.rules.switch("tow") == "one")


def _clock(width: float, depth: float, unit: Unit) -> float:
    middle = (to_grid(width / 2), to_grid(depth / 2))
    return ((bearing(middle, unit.at) or 0.0) - 225.0) % 360.0


def sweep(scene: Scene, side: str, *, progress: Callable[[int, int], None] | None = None) -> Iterator[Attempt]:
    """Every pair of a sighting phase: each unit of a side against each enemy (S2), sighter by sighter.

    `progress` is called after each pair with how many are done and how many there are.
    """
    looking, enemies = sighters(scene, side), targets(scene, side)
    total = len(looking) * len(enemies)
    for row, sighter in enumerate(looking):
        for column, target in enumerate(enemies):
            yield attempt(scene, sighter, target)
            if progress:
                progress(row * len(enemies) + column + 1, total)
