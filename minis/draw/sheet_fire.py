"""Play aids for fire: the To Hit chart, every case from A to R, what leaves a case out, what may not be declared."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from minis.dice import D6
from minis.draw.sheet_page import Chart, Column, Line, Sheet
from minis.draw.sheet_rows import RULE, SOURCE, inches, line, number, plain, signed
from minis.rules.fire_rows import DrmRow
from minis.rules.model import Rules

THROWS = [coloured + white for coloured, white in product(range(1, D6 + 1), repeat=2)]

RANGE = 5
"""Characters of a column of the To Hit chart."""

OTHER = "other"
"""The case of what has no letter."""

FIRST_OF_TARGET = "J"
"""Cases from this letter on are the target's (C6)."""


def to_hit_sheet(rules: Rules, inches_per_hex: float) -> Sheet:
    """The To Hit chart with gun and ammunition, the chances of two dice, and the single numbers of fire (C3, C4)."""
    columns, basics = plain(rules.tables["fire"].rows)
    return Sheet(
        "to-hit",
        "To Hit",
        (
            _to_hit(rules, inches_per_hex),
            _guns(rules, inches_per_hex),
            _chances(),
            _nations(rules),
            _manoeuvre(rules),
            Chart(rules.tables["fire"].title, columns, basics),
        ),
    )


def cases_sheet(rules: Rules) -> Sheet:
    """Every DRM with its case, A to R, those of the firer and those of the target (C5, C6)."""
    firer, target = _cases(rules)
    columns = (Column("case", 6), Column("", 56), Column("DRM", 6), RULE, SOURCE)
    note = "Cases change the roll: a hit is a Final DR of the Modified TH# or less."
    return Sheet(
        "cases",
        "Cases A to R",
        (
            Chart("The firer's cases", columns, tuple(firer), note=note),
            Chart("The target's cases", columns, tuple(target)),
        ),
    )


def left_out_sheet(rules: Rules) -> Sheet:
    """What leaves out which case, and what may not be declared."""
    return Sheet(
        "left-out",
        "Cases left out, shots refused",
        (
            Chart(
                rules.tables["to-hit-exclusions"].title,
                (Column("case", 10), Column("is left out by", 26), Column("", 38), RULE, SOURCE),
                tuple(line(row, row.case, row.by, row.label) for row in rules.exclusions),
            ),
            Chart(
                rules.tables["to-hit-refusals"].title,
                (Column("", 72), RULE, SOURCE),
                tuple(line(row, row.label) for row in rules.refusals),
            ),
        ),
    )


def _ranges(rules: Rules, inches_per_hex: float) -> tuple[Column, ...]:
    """Columns of ranges in hexes and in inches of this table."""
    ends = [row.up_to for row in rules.to_hit_ranges]
    heads = [f'{end}\n{number(end * inches_per_hex)}"' if end is not None else "more\n" for end in ends]
    return (Column("up to hexes\nup to inches", 16), *(Column(head, RANGE + 1, "middle") for head in heads))


def _to_hit(rules: Rules, inches_per_hex: float) -> Chart:
    rows = tuple(line(row, row.label, *map(number, row.values)) for row in rules.to_hit)
    return Chart(
        rules.tables["to-hit"].title, (*_ranges(rules, inches_per_hex), Column("rule", 6), SOURCE), rows,
        note=f"One hex is {inches(inches_per_hex)} of the table; a range in between counts as the next hex (F1.2).",
        large=True,
    )  # fmt: skip


def _guns(rules: Rules, inches_per_hex: float) -> Chart:
    rows = tuple(line(row, row.label, *map(signed, row.values)) for row in rules.to_hit_guns)
    return Chart(
        f"{rules.tables['to-hit-guns'].title}: added to the number",
        (*_ranges(rules, inches_per_hex), Column("rule", 6), SOURCE), rows,
        note="All rows that are true add up.", large=True,
    )  # fmt: skip


def _chances() -> Chart:
    """The chance of two dice to come to a number or less, counted over all throws."""
    needs = range(min(THROWS), max(THROWS) + 1)
    ways = [sum(throw <= need for throw in THROWS) for need in needs]
    return Chart(
        "The chance to throw so much or less with two dice (F1.3)",
        (Column("number", 16), *(Column(str(need), RANGE + 1, "middle") for need in needs)),
        (
            Line(("of 36 throws", *map(str, ways))),
            Line(("percent", *(f"{100 * count / len(THROWS):.0f}" for count in ways))),
        ),
    )


def _nations(rules: Rules) -> Chart:
    columns = (Column("", 11), Column("colour", 8), Column("rule", 6), SOURCE)
    rows = tuple(line(row, row.label, row.colour) for row in rules.nations.values())
    return Chart("Colour of the number", columns, rows)


def _manoeuvre(rules: Rules) -> Chart:
    """The hull-down manoeuvre: its results and its DRM (D4.22)."""
    rows = [line(row, f"{row.label}: die up to {row.up_to}", f"{row.arc:g} degrees") for row in rules.manoeuvre]
    rows += [line(row, row.label, signed(row.value)) for row in rules.manoeuvre_drm.values()]
    columns = (Column("", 28), Column("", 12), RULE, SOURCE)
    return Chart(rules.tables["hull-down-manoeuvre"].title, columns, tuple(rows))


def _cases(rules: Rules) -> tuple[list[Line], list[Line]]:
    """The firer's lines and the target's, each by letter, those without one last."""
    drm = list(rules.drm.values())
    first = next((n for n, row in enumerate(drm) if row.case.startswith(FIRST_OF_TARGET)), len(drm))
    firer, target = drm[:first], drm[first:]
    ours = [(row.case, _case(row)) for row in firer]
    theirs = [(row.case, _case(row)) for row in target] + list(_cases_of_other_tables(rules))
    return _by_letter(ours), _by_letter(theirs)


def _case(row: DrmRow) -> Line:
    return line(row, "" if row.case == OTHER else row.case, row.label, signed(row.value))


def _cases_of_other_tables(rules: Rules) -> Iterator[tuple[str, Line]]:
    """Cases N, P, Q and R, whose numbers stand in tables of their own."""
    for row in rules.tables["fire"].rows:
        if row.id in ("acquisition-step", "acquisition-most"):
            yield "N", line(row, "N", row.label, signed(rules.fire_number(row.id)))
    for size in rules.sizes.values():
        yield "P", line(size, "P", f"target size: {size.label}", signed(size.drm))
    for tem in rules.tem.values():
        yield "Q", line(tem, "Q", f"TEM: {tem.label}", signed(tem.value))
    for hindrance in rules.hindrances.values():
        words = f"hindrance: {hindrance.label}, for each {inches(hindrance.each)} on the line"
        yield "R", line(hindrance, "R", words, signed(hindrance.value))


def _by_letter(lines: list[tuple[str, Line]]) -> list[Line]:
    return [found for _, found in sorted(lines, key=lambda pair: (pair[0] == OTHER, pair[0]))]
