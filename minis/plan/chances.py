"""Chances to sight and to hit, each worked out once: a plan asks for the same facts again and again."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from minis.fire.facts import ShotFacts
from minis.fire.to_hit import Shot, to_hit
from minis.rules.model import Rules
from minis.sight.sighting import SightFacts, sighting


@dataclass(frozen=True, eq=False)
class Chances:
    """The exact chances of one set of rules, kept by their facts.

    >>> from minis.rules import load_rules
    >>> chances = Chances(load_rules())
    >>> chances.sight(SightFacts(60.5)), chances.sight(SightFacts(10.0, stopped_by="hidden by a wood"))
    (Fraction(2, 5), Fraction(0, 1))
    >>> chances.hit(ShotFacts("vehicle", "afv", 14, "75", "AP", "black"))
    Fraction(13, 18)
    >>> chances.hit(ShotFacts("infantry", "afv", 14, "75", "HE", "black"))  # refused: C3.32
    Fraction(0, 1)
    """

    rules: Rules
    _sights: dict[SightFacts, Fraction] = field(default_factory=dict, repr=False)
    _shots: dict[ShotFacts, Shot] = field(default_factory=dict, repr=False)

    def sight(self, facts: SightFacts) -> Fraction:
        """The chance of an attempt to sight, over every die it takes (S2, S8.6)."""
        found = self._sights.get(facts)
        if found is None:
            found = self._sights[facts] = sighting(facts, self.rules).chance
        return found

    def shot(self, facts: ShotFacts) -> Shot:
        """The ruling on a shot (C3 to C6)."""
        found = self._shots.get(facts)
        if found is None:
            found = self._shots[facts] = to_hit(facts, self.rules)
        return found

    def hit(self, facts: ShotFacts) -> Fraction:
        """The chance that a shot hits once its target is sighted; 0 where the rules refuse it."""
        odds = self.shot(facts).odds
        return odds.hit if odds else Fraction(0)
