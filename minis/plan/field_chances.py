"""The chances of a unit in the cells of a table that it sees: against targets that stand still in the open there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from minis.board.schema import Weapon
from minis.board.units import Unit
from minis.fire.facts import ShotFacts
from minis.fire.measure import Declaration, declare
from minis.plan.cells import Array, Line, View, line_to
from minis.plan.chances import Chances
from minis.sight.attempt import attempt, is_small, turn_facts
from minis.sight.sighting import SightFacts


@dataclass(frozen=True)
class Asked:
    """What is asked of each cell: the targets, and the facts of a shot at each (see `template_of`)."""

    weapon: Weapon | None
    targets: tuple[Unit, ...]
    templates: tuple[ShotFacts | None, ...]
    chances: Chances


@dataclass(frozen=True)
class CellChances:
    """The chances in one cell: to sight each target, and to hit it; its area counts for the mean."""

    hexes: int
    area: Fraction
    sight: tuple[Fraction, ...]
    hit: tuple[Fraction | None, ...]


def chances_in(view: View, asked: Asked) -> list[CellChances]:
    """The chances in every cell of a view."""
    return [_chances(view, asked, cell) for cell in range(len(view.hider))]


def _chances(view: View, asked: Asked, cell: int) -> CellChances:
    line = line_to(view, cell, asked.weapon)
    return CellChances(
        line.hexes,
        Fraction(float(view.cells.area[cell])),
        tuple(asked.chances.sight(_sight_facts(view, target, cell, line)) for target in asked.targets),
        tuple(asked.chances.hit(_shot_facts(view, facts, cell, line)) if facts else None for facts in asked.templates),
    )


def template_of(view: View, target: Unit, weapon: Weapon, seen: Array) -> ShotFacts | None:
    """The facts of a shot at a target in the first cell in sight, as the fire rules measure them on the table.

    None where the weapon is masked at every cell (D4.223).
    """
    for cell in seen.tolist():
        there = replace(target, at=view.at(cell), length_in=0.0, width_in=0.0)
        tried = attempt(view.eyes.scene, view.unit, there)
        sure = replace(tried, ruling=replace(tried.ruling, sighted=True))
        found = declare(view.eyes.scene, sure, Declaration(weapon.id))
        if found.shot is not None:
            return found.shot.facts
    return None


def _sight_facts(view: View, target: Unit, cell: int, line: Line) -> SightFacts:
    """The facts of an attempt to sight a target that stands still in the open in a cell."""
    rules = view.eyes.scene.board.rules
    return SightFacts(
        range_in=float(view.distance_in[cell]),
        small=is_small(rules, target),
        vehicle=target.is_vehicle,
        vehicle_in_open=target.is_vehicle,
        spotter=view.unit.spotter,
        facts=frozenset(turn_facts("sighter", view.unit)),
        smoke="full" if line.clouds else "none",
        clouds=line.clouds,
    )


def _shot_facts(view: View, facts: ShotFacts, cell: int, line: Line) -> ShotFacts:
    """The facts of the same shot at another cell: what the place alone changes, and the target in the open."""
    higher = int(view.ground[cell]) - view.level >= 1
    tem = view.eyes.scene.board.rules.tem["height advantage"].value if higher else 0
    return replace(
        facts, range_hexes=line.hexes, arc_steps=line.arc_steps, hindrance=line.hindrance, tem=tem,
        tem_from="height advantage" if higher else None, hull_down=None, hull_down_by=None, through_own_smoke=False,
        in_open=facts.target == "infantry",
    )  # fmt: skip
