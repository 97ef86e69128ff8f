"""What a shot at a unit may come to, as chances: it is lost, it is stopped, it is hit all the same, the weapon jams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from minis.board.units import Unit
from minis.fire.hit import FACES, Throw
from minis.fire.result import effect_of, struck_on
from minis.fire.to_hit import Shot
from minis.fire.to_hit import resolve as judged
from minis.rules.effect_rows import EffectResultRow, family_of, rows_of
from minis.rules.model import Rules

LOST = ("burn", "wreck", "kill")
"""What a result does, in the words of its table, where the unit is out of the game."""

STOPPED = ("immobilize",)
"""The same where it stays where it is."""


@dataclass(frozen=True)
class Outcomes:
    """The chances of one shot, no two of them at once: lost, stopped, another hit, no hit but a jam; else a miss."""

    lost: float
    stopped: float
    other: float
    jammed: float

    @property
    def hit(self) -> float:
        """The chance of a hit."""
        return self.lost + self.stopped + self.other


NOTHING = Outcomes(0.0, 0.0, 0.0, 0.0)
"""A shot that the rules refuse."""


def outcomes(rules: Rules, shot: Shot, firer: Unit, target: Unit) -> Outcomes:
    """What a shot may come to: every throw, and every throw of the effect of its hit (F5.7, E1).

    A hit whose effect the rules cannot tell, on armour that is not known, is another hit; of the two rolls of a double
    hit the firer keeps the better (C3.8). Shock, breaks and reductions are other hits.
    """
    if shot.refusal is not None:
        return NOTHING
    does = {row.id: row.does for row in rows_of(rules, "effect-results", EffectResultRow)}
    kept: dict[tuple[str | None, bool, int], tuple[Fraction, Fraction]] = {}
    lost = stopped = other = jammed = Fraction(0)
    for throw, chance in _throws(shot, rules):
        if not throw.hit:
            jammed += chance if throw.malfunction else 0
            continue
        key = throw.location, bool(throw.critical), throw.hits
        if key not in kept:
            kept[key] = _effect(rules, shot, throw, firer, target, does)
        of_lost, of_stopped = kept[key]
        lost += chance * of_lost
        stopped += chance * of_stopped
        other += chance * (1 - of_lost - of_stopped)
    return Outcomes(float(lost), float(stopped), float(other), float(jammed))


def _throws(shot: Shot, rules: Rules) -> Iterator[tuple[Throw, Fraction]]:
    """Every throw with its chance, the further die thrown where one is called for."""
    die = Fraction(1, len(FACES))
    for coloured in FACES:
        for white in FACES:
            throw = judged(shot, rules, coloured, white)
            if throw.needs_die is None:
                yield throw, die * die
            else:
                for further in FACES:
                    yield judged(shot, rules, coloured, white, further), die * die * die


def _effect(
    rules: Rules, shot: Shot, throw: Throw, firer: Unit, target: Unit, does: Mapping[str, str]
) -> tuple[Fraction, Fraction]:
    """The chances that a hit destroys the target, and that it stops it."""
    struck = struck_on(rules, target, firer, throw.location)
    ruling = effect_of(rules, shot.facts, throw, struck, nation=firer.nation).ruling
    if ruling is None:
        return Fraction(0), Fraction(0)
    lost = stopped = Fraction(0)
    for result, chance in ruling.odds.items():
        done = does[family_of(result)[0]]
        lost += chance if done in LOST else 0
        stopped += chance if done in STOPPED else 0
    neither = (1 - lost - stopped) ** throw.hits
    none_lost = (1 - lost) ** throw.hits
    return 1 - none_lost, none_lost - neither
