"""Play aids for sighting: the sighting chart worked out by the ruling itself, shadows, heights, cover."""

from __future__ import annotations

import textwrap
from itertools import combinations

from minis.dice import typed
from minis.draw.sheet_page import Chart, Column, Line, Sheet
from minis.draw.sheet_rows import RULE, SOURCE, inches, line, number, plain, rules_of, signed
from minis.rules.model import Rules
from minis.rules.rows import AfvShadowRow, ModifierRow, ShadowRow, TerrainRow
from minis.sight.line import SmokeClass
from minis.sight.sighting import SightFacts, Sighting, sighting, smoke_dice

DISTANCES = tuple(range(10, 151, 10))
"""Inches of the rows of the charts; those beyond anybody's range fall away."""

MOST_SUMS = 10
"""Columns of the sighting chart: sums of modifiers."""

VIEWERS = (0.0, 1.0, 2.0, 3.0, 4.0)
"""Levels of the higher end in the chart of shadows."""

ALWAYS = "always"
NARROW = 8


def sighting_sheet(rules: Rules) -> Sheet:
    """The sighting chart with all that belongs to the roll (S1 to S4, S8, S10)."""
    basics, numbers = plain(rules.tables["sighting"].rows)
    return Sheet(
        "sighting", "Sighting",
        (
            _chart(rules), _modifiers(rules), _cover(rules), _smoke(rules),
            Chart(rules.tables["sighting"].title, basics, numbers), _sizes(rules), _scales(rules),
        ),
    )  # fmt: skip


def shadow_sheet(rules: Rules) -> Sheet:
    """What stops a line of sight, and how much an obstacle hides (S6, S7, S9)."""
    return Sheet("shadows", "Lines of sight", (_shadow_chart(rules), _shadow_rows(rules), _terrain(rules)))


# --- the roll --------------------------------------------------------------------------------------------------------


def sums(rules: Rules) -> dict[float, frozenset[str]]:
    """Sums of modifiers that can come about, each with facts that bring it; those nearest to none where there are many.

    >>> from minis.rules import load_rules
    >>> [f"{total:g}" for total in sums(load_rules())]
    ['-30', '-20', '-15', '-10', '-5', '0', '5', '10', '15', '25']
    """
    free = [row for row in rules.modifiers if row.fact != ALWAYS]
    always = sum(row.value for row in rules.modifiers if row.fact == ALWAYS)
    found: dict[float, frozenset[str]] = {}
    for count in range(len(free) + 1):
        for some in combinations(free, count):
            found.setdefault(always + sum(row.value for row in some), frozenset(row.fact for row in some))
    nearest = sorted(found, key=lambda total: (abs(total - always), total))[:MOST_SUMS]
    return {total: found[total] for total in sorted(nearest)}


def _chart(rules: Rules) -> Chart:
    """The number on d100 that sights, and its chance, by distance and sum of modifiers."""
    columns = sums(rules)
    first = {frozenset((row.fact,)): row for row in rules.modifiers}
    reach = [range_in for range_in in DISTANCES if range_in <= rules.number("max-range").value]
    rows = []
    for range_in in reach:
        rulings = [sighting(SightFacts(float(range_in), facts=facts), rules) for facts in columns.values()]
        rows.append(Line((inches(range_in), *map(_need, rulings), rulings[0].rule)))
    heads = [f"{_short(first.get(facts))}\n{signed(total)}" for total, facts in columns.items()]
    return Chart(
        "Large targets, and small ones in the open: this or more on d100",
        (Column("distance", 9), *(Column(head, 7, "middle") for head in heads), Column("rule", 6)),
        tuple(rows),
        note="Beneath each number its chance in percent. Columns: the sum of the modifiers; between two rows "
        f"the number is distance and sum, rounded up. {_automatic(rules)}",
        large=True,
    )


def _short(row: ModifierRow | None) -> str:
    """The id of a modifier as the head of a narrow column."""
    return "" if row is None else "\n".join(textwrap.wrap(row.id.replace("-", " "), NARROW))


def _need(ruling: Sighting) -> str:
    if ruling.outcome == "impossible" or ruling.need is None:
        return "-"
    return f"{ruling.need}\n{ruling.percent:g}"


def _automatic(rules: Rules) -> str:
    rows = (rules.number("automatic-range"), rules.number("token-range"))
    return ". ".join(f"{row.label[0].upper()}{row.label[1:]} {inches(row.value)} ({row.rule})" for row in rows) + "."


def _modifiers(rules: Rules) -> Chart:
    rows = tuple(line(row, row.label, f"{signed(row.value)} {row.unit}") for row in rules.modifiers)
    columns = (Column("", 29), Column("value", 11), Column("rule", 6), SOURCE)
    return Chart(rules.tables["sighting-modifiers"].title, columns, rows, note="Added to the distance.")


def _cover(rules: Rules) -> Chart:
    """The percentages for small units in cover (S2.4)."""
    heads = (Column(head, 6, "end") for head in ("still", "moved", "fired"))
    rows = tuple(
        line(row, inches(row.up_to), *map(number, (row.still, row.moved, row.fired))) for row in rules.small_in_cover
    )
    return Chart(
        rules.tables["small-in-cover"].title, (Column("up to", 5), *heads, Column("rule", 6), SOURCE), rows,
        note="This or less on d100, no modifiers.",
    )  # fmt: skip


def _smoke(rules: Rules) -> Chart:
    """Chances through smoke, exact, and the need of a spotter, by distance."""
    reach = [float(each) for each in DISTANCES if each <= rules.number("spotter-max-range").value][::2]
    lines = []
    for smoke, words in SMOKES:
        rulings = [sighting(SightFacts(range_in, smoke=smoke), rules) for range_in in reach]
        die = [typed("smoke", 1)] * smoke_dice(rulings[0].facts, rules)
        rule = sighting(rulings[0].facts, rules, smoke_rolls=die).tally.items[-1].rule
        lines.append(Line((words, *(f"{each.percent:.4g}" if each.chance else "-" for each in rulings), rule)))
    spotters = [sighting(SightFacts(range_in, spotter=True), rules) for range_in in reach]
    needs = [_need(each).split("\n")[0] for each in spotters]
    lines.append(Line(("a spotter needs", *needs, spotters[0].tally.items[0].rule)))
    return Chart(
        "Percent through smoke, all dice counted; what a spotter needs",
        (Column("distance", 24), *(Column(inches(range_in), 7, "end") for range_in in reach), Column("rule", 7)),
        tuple(lines),
    )


SMOKES: tuple[tuple[SmokeClass, str], ...] = (("full", "smoke on the line"), ("own", "the target in its own"))
"""How smoke counts, and its words."""


# --- the line --------------------------------------------------------------------------------------------------------


def _shadow_chart(rules: Rules) -> Chart:
    """Inches hidden beyond an obstacle by the level of the viewer and of the top of the obstacle (S6.2, S6.5)."""
    afv = rules.unit_kinds["vehicle"].top
    tops = (0.5, 1.0, 2.0, 3.0)
    rows = []
    cited = rules_of([*rules.tables["shadows"].rows, *rules.tables["afv-shadows"].rows])
    for viewer in VIEWERS:
        found = [*(rules.shadow(viewer - top) for top in tops), rules.afv_shadow(viewer - afv)]
        cells = ["blocks" if row is None else inches(row.length) if row.length else "none" for row in found]
        rows.append(Line((f"level {number(viewer)}", *cells, cited)))
    return Chart(
        "The viewer is the higher end: so much beyond the obstacle is hidden",
        (
            Column("viewer on", 12),
            *(Column(f"top at\n{number(top)}", 11, "middle") for top in tops),
            Column("vehicle\non level 0", 14, "middle"),
            Column("rule", 14),
        ),
        tuple(rows),
        note="Measured along the line from where it leaves the obstacle; exactly at the length is still hidden (S6.3).",
        large=True,
    )


def _shadow_rows(rules: Rules) -> Chart:
    smaller_by = Column("but blocks where the\ntarget is smaller by", 18)
    columns = (Column("", 50), Column("hidden", 8), smaller_by, RULE, SOURCE)
    rows = []
    for row in (*rules.tables["shadows"].rows, *rules.tables["afv-shadows"].rows):
        if isinstance(row, ShadowRow):
            smaller = f"{row.smaller} sizes or more" if isinstance(row, AfvShadowRow) else ""
            rows.append(line(row, row.label, inches(row.length), smaller))
    return Chart(rules.tables["shadows"].title, columns, tuple(rows))


def _terrain(rules: Rules) -> Chart:
    """Kinds of terrain: how high, whether an obstacle, what cover and what hull down they give (S2.5, S6.1, S9)."""
    columns = (
        Column("", 27), Column("top, levels", 13), Column("obstacle", 11), Column("cover", 10), Column("hull down", 12),
        RULE, SOURCE,
    )  # fmt: skip
    woods = [rules.switches[name] for name in ("woods_depth", "woods_apart")]
    note = "; ".join(f"{row.label} {inches(rules.switch_number(row.id))} ({row.rule})" for row in woods)
    rows = tuple(_terrain_row(rules, row) for row in rules.terrain.values())
    return Chart(rules.tables["terrain"].title, columns, rows, note=f"{note[0].upper()}{note[1:]}.")


def _terrain_row(rules: Rules, row: TerrainRow) -> Line:
    high = {"storey": "its storeys", "level": "its level"}.get(str(row.height)) or number(float(row.height))
    if row.bare is not None and rules.switch("leaf") == "bare":
        high = number(row.bare)
    return line(
        row, row.label, high, "yes" if row.obstacle else "-", {"no": "-"}.get(row.cover, row.cover),
        "yes" if row.hull_down else "-",
    )  # fmt: skip


def _sizes(rules: Rules) -> Chart:
    columns = (Column("", 11), Column("percent", 8), Column("Case P", 7), RULE, SOURCE)
    rows = tuple(line(row, row.label, signed(row.percent), signed(row.drm)) for row in rules.sizes.values())
    return Chart(rules.tables["sizes"].title, columns, rows)


def _scales(rules: Rules) -> Chart:
    """How far over the crest a front is hull down (I), the scale of this table in bold (S9.2)."""
    columns = (Column("", 24), Column("up to", 8), RULE, SOURCE)
    rows = tuple(
        line(row, row.label, f'{row.over:g}"', strong=row.id == rules.figure_scale)
        for row in rules.figure_scales.values()
    )
    return Chart("Front over the crest: hull down (I)", columns, rows, note="In bold: the scale of this table.")
