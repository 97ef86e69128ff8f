"""Cross-checks of the rule tables: each takes the rules and yields what does not fit; all run, all is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from operator import attrgetter

from minis.errors import Mistake
from minis.rules.effect_rows import EFFECT_CHECKS
from minis.rules.fire_rows import COLUMNS, CONDITION_NAMES
from minis.rules.ground_rows import GROUND_CHECKS, NEEDED_GROUND
from minis.rules.lint_rows import NEEDED_LINT
from minis.rules.model import DEFAULT_FIGURE_SCALE, FLAGS, Rules
from minis.rules.plan_weight_rows import NEEDED_WEIGHTS
from minis.rules.rows import Row
from minis.toml_file import nearest_of

ORDER = {
    "shadows": "above",
    "afv-shadows": "above",
    "small-in-cover": "up_to",
    "sizes": "category",
}
"""Tables whose rows stand in the order of a number, so that a house rule can put a row between two others."""

NEEDED = {
    "plan-weights": NEEDED_WEIGHTS,
    "sighting": (
        "max-range", "spotter-max-range", "automatic-range", "lowest-need", "small-size-modifier", "own-smoke-share",
        "margin-shown", "token-range",
    ),
    "smoke": ("radius", "turns"),
    "plan": ("field-cell", "boresight-grid", "farthest-shots", "lane-file-step"),
    "ground": NEEDED_GROUND,
    "lint": NEEDED_LINT,
    "unit-kinds": ("vehicle", "gun", "infantry"),
    "sizes": ("average",),
    "figure-scales": (DEFAULT_FIGURE_SCALE,),
    "switches": (
        "measure", "sight_points", "graze", "smoke", "leaf", "tow", "touch_tolerance", "tape_tolerance",
        "spotter_scale", "woods_depth", "woods_apart", "dummy_distance", "hidden_obstruct", "radio_penalty",
        "radio_exception", "stays_sighted", "reveal_hidden",
    ),
    "to-hit-drm": (
        "A-T-1",
        "A-T-2",
        "A-T-3",
        "A-ST-1",
        "A-ST-2",
        "A-ST-3",
        "A-NT-1",
        "A-NT-2",
        "A-NT-3",
        "B",
        "B-terrain",
        "C-base",
        "C-stabilized",
        "C-T",
        "C-ST",
        "C-NT",
        "C1",
        "C2",
        "C3",
        "C3-backblast",
        "C4-stabilized",
        "D",
        "E",
        "F",
        "G",
        "H-captured",
        "H-nonqualified",
        "I",
        "overstacked",
        "encircled",
        "cx",
        "spotted",
        "stun",
        "blinded",
        "J",
        "J1",
        "J2",
        "J3",
        "J4",
        "K",
        "L-2",
        "L-1",
        "M",
        "O",
        "smoke",
        "extra-squads",
        "motorcyclist",
        "cavalry",
    ),
    "fire": (
        "arc-half",
        "arc-step",
        "terrain-factor",
        "limited-aim-mp",
        "restricted-aim-mp",
        "j2-mp",
        "j1-mp",
        "sight-gap",
        "move-step",
        "manoeuvre-mp",
        "immobilization-range",
        "intensive-breakdown",
        "captured-breakdown",
        "critical-roll",
        "critical-die",
        "critical-share",
        "improbable-critical",
        "improbable-turret",
        "improbable-hull",
        "multiple-least",
        "multiple-most",
        "rof",
        "breakdown",
        "acquisition-most",
        "acquisition-step",
        "acquisition-calibre",
        "area-radius",
        "boresight-range",
        "underbelly-range",
        "inches-per-hex",
        "inches-per-mp",
        "void-mp",
        "abrupt-change",
        "underbelly-arc",
        "exposure-step",
    ),
    "hull-down-drm": (
        "russian-closed-top",
        "buttoned-up",
        "set-up",
    ),
    "tem": ("crest", "height advantage", "wreck"),
    "nations": ("other",),
}  # fmt: skip
"""Rows that the program asks for by name: no house rule may take them out."""


def _needed_rows_are_there(rules: Rules) -> Iterator[Mistake]:
    for table, names in NEEDED.items():
        there = {row.id for row in rules.tables[table].rows}
        for name in names:
            if name not in there:
                yield Mistake("the row is missing; the program asks for it", file=f"tables/{table}.toml", id=name)


def _rise(rules: Rules, table: str, value: Callable[[Row], float]) -> Iterator[Mistake]:
    for before, after in pairwise(rules.tables[table].rows):
        if value(after) <= value(before):
            changed = before if before.overlay and not after.overlay else after
            message = f"rows must rise from one to the next: {before.id}, then {after.id}"
            yield Mistake(message, file=f"tables/{table}.toml", id=changed.id)


def _rows_rise(rules: Rules) -> Iterator[Mistake]:
    for table, key in ORDER.items():
        yield from _rise(rules, table, attrgetter(key))


def _cover_gets_harder_with_distance(rules: Rules) -> Iterator[Mistake]:
    for near, far in pairwise(rules.small_in_cover):
        for column in ("still", "moved", "fired"):
            if (getattr(far, column) or 0) > (getattr(near, column) or 0):
                message = f"{column}: the chance must not rise with the distance"
                yield Mistake(message, file="tables/small-in-cover.toml", id=far.id)


def _facts_exist(rules: Rules) -> Iterator[Mistake]:
    known = ["always"] + [f"{who}_{flag}" for who in ("sighter", "target") for flag in FLAGS]
    for row in rules.modifiers:
        if row.fact not in known:
            message = f"there is no fact {row.fact!r}; {nearest_of(row.fact, known)}"
            yield Mistake(message, file="tables/sighting-modifiers.toml", id=row.id)


def _sizes_exist(rules: Rules) -> Iterator[Mistake]:
    for row in rules.unit_kinds.values():
        if row.counts_as != "own" and row.counts_as not in rules.sizes:
            message = f"there is no size {row.counts_as!r}; {nearest_of(row.counts_as, rules.sizes)}"
            yield Mistake(message, file="tables/unit-kinds.toml", id=row.id)


def _defaults_fit(rules: Rules) -> Iterator[Mistake]:
    for row in rules.switches.values():
        try:
            row.read(row.default)
        except ValueError as error:
            yield Mistake(f"default: {error}", file="tables/switches.toml", id=row.id)


def _terrain_fits(rules: Rules) -> Iterator[Mistake]:
    for row in rules.terrain.values():
        if (row.shape == "hill" and not row.has_level) or (row.has_level and row.shape == "area"):
            yield Mistake('a hill has height = "level"; an area has not', file="tables/terrain.toml", id=row.id)
        if row.own == "depth" and row.shape != "area":
            yield Mistake('own = "depth" goes with an area', file="tables/terrain.toml", id=row.id)


def _fire_rows_name_what_is_known(rules: Rules) -> Iterator[Mistake]:
    cases = {row.case for row in rules.drm.values()} | {"N", "N area", "P", "Q", "Q height", "R"}
    for row in rules.exclusions:
        if row.case not in cases:
            message = f"there is no case {row.case!r}; {nearest_of(row.case, sorted(cases))}"
            yield Mistake(message, file="tables/to-hit-exclusions.toml", id=row.id)
        if row.by not in cases and row.by not in CONDITION_NAMES:
            message = f"there is no case or condition {row.by!r}; {nearest_of(row.by, CONDITION_NAMES)}"
            yield Mistake(message, file="tables/to-hit-exclusions.toml", id=row.id)
    for refusal in rules.refusals:
        for name in (refusal.when, refusal.also):
            if name not in CONDITION_NAMES:
                message = f"there is no condition {name!r}; {nearest_of(name, CONDITION_NAMES)}"
                yield Mistake(message, file="tables/to-hit-refusals.toml", id=refusal.id)


def _the_chart_is_whole(rules: Rules) -> Iterator[Mistake]:
    wanted = [("vehicle", "black"), ("vehicle", "red"), ("infantry", "black"), ("infantry", "red"), ("area", "any")]
    for target, colour in wanted:
        if not any((row.target, row.colour) == (target, colour) for row in rules.to_hit):
            yield Mistake(f"the row for {target}, {colour} is missing", file="tables/to-hit.toml")
    ranges = [row.up_to for row in rules.to_hit_ranges]
    ends = [up_to for up_to in ranges if up_to is not None]
    if len(ranges) != COLUMNS or len(ends) != COLUMNS - 1 or ranges[-1] is not None or ends != sorted(set(ends)):
        message = f"expected {COLUMNS} ranges that rise, the last without up_to"
        yield Mistake(message, file="tables/to-hit-ranges.toml")
    for name in rules.hindrances:
        if name not in rules.terrain:
            yield Mistake(f"there is no kind of terrain {name!r}", file="tables/hindrances.toml", id=name)


CHECKS: tuple[Callable[[Rules], Iterator[Mistake]], ...] = (
    _needed_rows_are_there,
    _rows_rise,
    _cover_gets_harder_with_distance,
    _facts_exist,
    _sizes_exist,
    _defaults_fit,
    _terrain_fits,
    _fire_rows_name_what_is_known,
    _the_chart_is_whole,
    *EFFECT_CHECKS,
    *GROUND_CHECKS,
)
"""Every cross-check; all run, all mistakes are told."""
