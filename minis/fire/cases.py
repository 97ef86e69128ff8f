"""Cases A to R of the To Hit DRM (C5, C6): one small function of the facts a case; what leaves out what is data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from minis.fire.facts import ShotFacts
from minis.fire.guns import parse_gun
from minis.rules.fire_rows import DrmRow
from minis.rules.model import Rules
from minis.rules.rows import Row


@dataclass(frozen=True)
class Case:
    """A case whose facts are there: its letter, its DRM, its words, its rule and its source."""

    case: str
    value: int
    label: str
    rule: str
    source: str
    row: Row | None = None


@dataclass(frozen=True)
class LeftOutCase:
    """A case whose facts are there and that does not count, with the rule that says so."""

    case: str
    rule: str
    why: str
    row: Row | None = None


Finder = Callable[[ShotFacts, Rules], Iterator[Case]]


def _of(row: DrmRow, times: int = 1, *, case: str | None = None, plus: int = 0, note: str = "") -> Case:
    return Case(case or row.case, row.value * times + plus, row.label + note, row.rule, row.cited, row)


# --- firer (C5) ----------------------------------------------------------------------------------------------------


def _case_a(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Outside the covered arc: a DRM a step by turret, doubled in woods, building, rubble."""
    if not facts.arc_steps:
        return
    turret = _turret(facts)
    rows = [rules.drm[f"A-{turret}-{step}"] for step in range(1, facts.arc_steps + 1)]
    times = _terrain_factor(facts, rules)
    words = f"target outside the covered arc, {turret}, {len(rows)} step" + ("s" if len(rows) > 1 else "")
    note = f", x{times} in {facts.firer_terrain}" if times > 1 else ""
    yield Case("A", sum(row.value for row in rows) * times, words + note, rows[0].rule, rows[0].cited, rows[0])


def _turret(facts: ShotFacts) -> str:
    """The turret as the tables of Cases A and C know it: a restricted one is slow, a one-man one fast (house)."""
    return {"RST": "ST", "1MT": "T"}.get(facts.mount or "NT", facts.mount or "NT")


def _case_b(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Advancing fire by a firer that did not move."""
    if facts.phase == "advancing" and not (facts.firer_moved or facts.firer_motion):
        yield _of(rules.drm["B" if facts.firer_terrain == "open" else "B-terrain"])


def _case_c_value(facts: ShotFacts, rules: Rules) -> tuple[int, DrmRow]:
    turret = _turret(facts)
    row = rules.drm["C-stabilized" if facts.stabilized else f"C-{turret}"]
    return rules.drm["C-base"].value + row.value, row


def _case_c(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Bounding firer, C1 and C2 in bounding first fire with few MP in the target's sight, C4 in motion."""
    if not (facts.firer_moved or facts.firer_motion or facts.phase == "bounding_first"):
        return
    value, row = _case_c_value(facts, rules)
    yield Case("C", value, row.label, row.rule, row.cited, row)
    mp = facts.firer_mp_in_sight
    if facts.phase == "bounding_first" and mp is not None:
        if mp <= rules.fire_number("limited-aim-mp"):
            yield _of(rules.drm["C2"], plus=value)
        elif mp <= rules.fire_number("restricted-aim-mp"):
            yield _of(rules.drm["C1"], plus=value)
    if facts.firer_motion:
        row = rules.drm["C4-stabilized"]
        if facts.stabilized:
            yield _of(row)
        else:
            yield Case("C4", 0, "firer in motion: the lower die is doubled", row.rule, row.cited)


def _case_c3(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """A LATW in advancing fire; a backblast weapon in a closed place."""
    if facts.latw and facts.phase == "advancing":
        yield _of(rules.drm["C3"])
    if facts.backblast_inside:
        yield _of(rules.drm["C3-backblast"])


def _case_e(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Fire within the hex, doubled in woods, building, rubble."""
    if facts.range_hexes == 0:
        times = _terrain_factor(facts, rules)
        yield _of(rules.drm["E"], times, note=f", x{times} in {facts.firer_terrain}" if times > 1 else "")


def _terrain_factor(facts: ShotFacts, rules: Rules) -> int:
    return 1 if facts.firer_terrain == "open" else int(rules.fire_number("terrain-factor"))


def _case_d_to_i(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Pinned, intensive fire, immobilization, captured, non-qualified, buttoned up, and the other firer DRM."""
    flags = (
        (facts.pinned, "D"), (facts.intensive, "F"), (facts.deliberate_immobilization, "G"),
        (facts.captured, "H-captured"), (facts.nonqualified, "H-nonqualified"), (facts.buttoned_up, "I"),
        (facts.encircled, "encircled"), (facts.cx, "cx"), (facts.spotted, "spotted"), (facts.blinded, "blinded"),
    )  # fmt: skip
    for true, name in flags:
        if true:
            yield _of(rules.drm[name])
    for count, name in ((facts.overstacked, "overstacked"), (facts.stun, "stun")):
        if count:
            yield _of(rules.drm[name], count)
    if facts.leadership:
        yield Case("other", facts.leadership, "leadership", "A7.531", "seed")


# --- target (C6) ---------------------------------------------------------------------------------------------------


def _case_j(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Moving or motion vehicle, dashing infantry; J1 and J2 in defensive first fire with few MP in sight."""
    j = rules.drm["J"]
    moving = facts.at_vehicle and (facts.target_moved or facts.target_motion)
    if moving or facts.dashing:
        yield _of(j)
    mp = facts.mp_in_sight
    if (facts.target_moved or facts.target_motion) and mp is not None:
        if mp <= rules.fire_number("j1-mp"):
            yield _of(rules.drm["J1"], plus=j.value)
        if mp <= rules.fire_number("j2-mp"):
            yield _of(rules.drm["J2"], plus=j.value)


def _case_j3_j4(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Defensive first fire at infantry that moves without assault, or in the open."""
    if facts.nonassault:
        yield _of(rules.drm["J3"])
    if facts.in_open and (facts.target_moved or facts.nonassault or facts.dashing or facts.hazardous):
        yield _of(rules.drm["J4"])


def _case_k_to_o(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Concealed, point blank, bore sight, acquisition, hazardous movement."""
    if facts.concealed:
        yield _of(rules.drm["K"])
    if f"L-{facts.range_hexes}" in rules.drm:
        yield _of(rules.drm[f"L-{facts.range_hexes}"])
    if facts.bore_sighted:
        yield _of(rules.drm["M"])
    if facts.acquired:
        yield Case("N", facts.acquired, "acquired target", "C6.5", "seed")
    if facts.area_acquired:
        yield Case(AREA, facts.area_acquired, "area acquisition", "C6.521", "seed")
    if facts.hazardous:
        yield _of(rules.drm["O"])


AREA, ABOVE = "N area", "Q height"
"""How the tables name Case N from the acquisition of a spot, and Case Q from hull down (I): rows tell them apart."""

LETTERS = {AREA: "N", ABOVE: "Q"}
"""The letters under which these stand in a ruling."""


def _case_p(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Target size."""
    if facts.size:
        names = {row.drm: row for row in rules.sizes.values()}
        row = names.get(facts.size)
        yield Case("P", facts.size, f"target size: {row.label if row else 'as given'}", "C6.7", "seed")


def _case_q(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """TEM; a target hull down (I) has the height advantage where no other TEM is positive (F8.3)."""
    if facts.tem:
        yield Case("Q", facts.tem, facts.tem_from or "terrain of the target", "C6.8", "asl")
    if facts.hull_down == "I":
        row = rules.tem[HEIGHT]
        yield Case(ABOVE, row.value, "hull down (I): height advantage", "F8.3", row.cited, row)


def _case_r(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Hindrances on the line, and the target's own smoke."""
    if facts.hindrance:
        yield Case("R", facts.hindrance, "hindrance on the line", "C6.9", "ruling")
    if facts.through_own_smoke:
        yield _of(rules.drm["smoke"])


def _other_target(facts: ShotFacts, rules: Rules) -> Iterator[Case]:
    """Overstacked personnel, motorcyclists, cavalry."""
    if facts.extra_squads:
        yield _of(rules.drm["extra-squads"], facts.extra_squads)
    if facts.motorcyclist:
        yield _of(rules.drm["motorcyclist"])
    if facts.cavalry:
        yield _of(rules.drm["cavalry"])


FINDERS: tuple[Finder, ...] = (
    _case_a, _case_b, _case_c, _case_c3, _case_e, _case_d_to_i, _case_j, _case_j3_j4, _case_k_to_o, _case_p, _case_q,
    _case_r, _other_target,
)  # fmt: skip
"""Every finder of cases, in the order of the chart."""


HEIGHT = "height advantage"
"""How a fact names the height advantage as the source of a TEM; a row of the table of TEM."""


# --- named conditions ----------------------------------------------------------------------------------------------

CONDITIONS: dict[str, Callable[[ShotFacts, Rules], bool]] = {
    "any": lambda f, r: True,
    "area": lambda f, r: f.target_type == "area",
    "not area": lambda f, r: f.target_type != "area",
    "vehicle type": lambda f, r: f.target_type == "vehicle",
    "not vehicle type": lambda f, r: f.target_type != "vehicle",
    "infantry type": lambda f, r: f.target_type == "infantry",
    "at an AFV": lambda f, r: f.target == "afv",
    "not at a vehicle": lambda f, r: not f.at_vehicle,
    "personnel": lambda f, r: f.target == "infantry",
    "mortar": lambda f, r: f.indirect,
    "smoke shell": lambda f, r: f.ammo == "SMOKE",
    "neither HE nor SMOKE": lambda f, r: f.ammo not in ("HE", "SMOKE"),
    "ammunition against armour alone": lambda f, r: f.ammo not in ("HE", "AP", "HEAT"),
    "range 0": lambda f, r: f.range_hexes == 0,
    "advancing": lambda f, r: f.phase == "advancing",
    "bounding first": lambda f, r: f.phase == "bounding_first",
    "pinned": lambda f, r: f.pinned,
    "stunned": lambda f, r: f.stun > 0,
    "intensive fire": lambda f, r: f.intensive,
    "immobilization": lambda f, r: f.deliberate_immobilization,
    "beyond immobilization": lambda f, r: f.range_hexes > r.fire_number("immobilization-range"),
    "beyond the listed range of the weapon": lambda f, r: (
        f.max_range_hexes is not None and f.range_hexes > f.max_range_hexes
    ),
    "one-man or restricted turret": lambda f, r: f.mount in ("RST", "1MT"),
    "not buttoned up": lambda f, r: not f.buttoned_up,
    "machine gun": lambda f, r: parse_gun(f.gun).kind == "mg",
    "latw in advancing fire": lambda f, r: f.latw and f.phase == "advancing" and f.target_type != "area",
    "not defensive first fire": lambda f, r: f.phase != "defensive_first",
    "not at infantry": lambda f, r: f.target != "infantry",
    "dashing, no infantry": lambda f, r: (
        f.dashing and f.target != "infantry" and not (f.at_vehicle and (f.target_moved or f.target_motion))
    ),
    "another positive TEM": lambda f, r: f.tem > 0,
    "height advantage, hull down": lambda f, r: f.hull_down == "II" and f.tem_from == HEIGHT,
    "in sight from its start": lambda f, r: f.in_sight_from_start,
    "target moving": lambda f, r: f.at_vehicle and (f.target_moved or f.target_motion),
    "firer moving": lambda f, r: f.firer_moved or f.firer_motion or f.phase == "bounding_first",
    "motorcyclist": lambda f, r: f.motorcyclist,
    "latw": lambda f, r: f.latw,
    "concealed": lambda f, r: f.concealed and f.target_type != "area",
    "hull down": lambda f, r: f.hull_down == "II" and not f.indirect,
    "hull down by it": lambda f, r: (
        f.hull_down == "II" and not f.indirect and f.tem_from is not None and f.tem_from == f.hull_down_by
    ),
    "underbelly": lambda f, r: f.underbelly,
}
"""The conditions that the tables of exclusions and refusals name."""


def cases_of(facts: ShotFacts, rules: Rules) -> tuple[list[Case], list[LeftOutCase]]:
    """The cases that count for a shot, in the order of the chart, and those that are left out with the rule why."""
    standing = [case for finder in FINDERS for case in finder(facts, rules)]
    left_out: list[LeftOutCase] = []
    for row in rules.exclusions:
        if not any(case.case == row.case for case in standing):
            continue
        condition = CONDITIONS.get(row.by)
        true = condition(facts, rules) if condition else any(case.case == row.by for case in standing)
        if not true:
            continue
        out = [case for case in standing if case.case == row.case]
        left_out += [LeftOutCase(case.case, row.rule, f"{case.label}: {row.label}", row) for case in out]
        standing = [case for case in standing if case not in out]
    standing, more = _one_of_m_and_n(standing)
    standing = [replace(case, case=LETTERS.get(case.case, case.case)) for case in standing]
    left_out = [replace(out, case=LETTERS.get(out.case, out.case)) for out in left_out]
    return standing, left_out + more


def _one_of_m_and_n(standing: list[Case]) -> tuple[list[Case], list[LeftOutCase]]:
    """Bore sight or acquisition, not both: the better one (C6.4)."""
    rivals = [case for case in standing if case.case in ("M", "N", AREA)]
    best = min(rivals, key=lambda case: case.value, default=None)
    worse = [case for case in rivals if case is not best]
    why = "bore sight or acquisition, the better one"
    left = [LeftOutCase("M" if case.case == "M" else "N", "C6.4", f"{case.label}: {why}") for case in worse]
    return [case for case in standing if case not in worse], left
