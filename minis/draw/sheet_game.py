"""Play aids for today's game: its switches, its house rulings, and every number that the printed rules do not give."""

from __future__ import annotations

from collections.abc import Iterator

from minis.draw.sheet_page import Chart, Column, Line, Sheet
from minis.draw.sheet_rows import RULE, SOURCE, inches, line, number
from minis.rules.model import DEFAULT_FIGURE_SCALE, Rules
from minis.rules.rows import Row

COMMON = frozenset(Row.model_fields)
"""What every row has."""

ON_OTHER_SHEETS = frozenset((
    "switches", "sighting", "sighting-modifiers", "small-in-cover", "shadows", "afv-shadows", "terrain", "sizes",
    "figure-scales", "fire", "to-hit", "to-hit-ranges", "to-hit-guns", "to-hit-drm", "to-hit-exclusions",
    "to-hit-refusals", "tem", "hindrances", "nations", "hull-down-manoeuvre", "hull-down-drm", "plan", "plan-weights",
))  # fmt: skip
"""Tables that stand on another sheet, where each row tells its source, and those that no game at the table asks."""


NONE = "-"


def game_sheet(rules: Rules, inches_per_hex: float, inches_per_mp: float) -> Sheet:
    """The switches as they are today, house rulings, and the numbers that the print does not give (S14)."""
    return Sheet(
        "game",
        "Today's game",
        (_switches(rules), _table(rules, inches_per_hex, inches_per_mp), *_rulings(rules), _invented(rules)),
    )


def _switches(rules: Rules) -> Chart:
    """Every switch with its value; bold, and with its default, where today's game has another."""
    columns = (Column("", 51), Column("today", 11), Column("default", 10), RULE, SOURCE)
    rows = []
    for row in rules.switches.values():
        mark = '"' if row.unit == "inches" else ""
        usual, other = _value(row.default) + mark, row.id in rules.not_default
        now = _value(rules.not_default[row.id]) + mark if other else usual
        rows.append(line(row, f"{row.label} ({row.id})", now, usual if other else "", strong=other))
    return Chart("Switches", columns, tuple(rows), note="In bold: not at the default.")


def _table(rules: Rules, inches_per_hex: float, inches_per_mp: float) -> Chart:
    """How this table is scaled."""
    changed = rules.figure_scale != DEFAULT_FIGURE_SCALE
    lines = [line(rules.hull_down_over, "figure scale", rules.figure_scale, strong=changed)]
    numbers = {row.id: row for row in rules.tables["fire"].rows}
    for name, value, words in (
        ("inches-per-hex", inches_per_hex, "one hex"),
        ("inches-per-mp", inches_per_mp, "one movement point"),
    ):
        row = numbers[name]
        lines.append(line(row, words, inches(value), strong=value != rules.fire_number(name)))
    return Chart("This table", (Column("", 52), Column("today", 20), RULE, SOURCE), tuple(lines))


def _rulings(rules: Rules) -> Iterator[Chart]:
    """Rows that a house folder changed, added or took out."""
    rows = [
        Line((table.name, row.label, _numbers(row), row.rule, row.source), strong=True)
        for table in rules.tables.values() for row in table.rows if row.overlay
    ]  # fmt: skip
    rows += [Line((*name.split("/", 1), "taken out", "-", "-"), strong=True) for name in rules.removed]
    note = "" if rows else "None: the tables are as they come."
    yield Chart("House rulings", _COLUMNS, tuple(rows), note=note)


def _invented(rules: Rules) -> Chart:
    """Numbers that the printed rules refer to and do not give."""
    rows = tuple(
        line(row, table.name, row.label, _numbers(row))
        for table in rules.tables.values() if table.name not in ON_OTHER_SHEETS
        for row in table.rows if row.source == "house" and not row.overlay and _numbers(row) != NONE
    )  # fmt: skip
    return Chart(
        "Further numbers that the printed rules do not give", _COLUMNS, rows, note="All: minis tables --house."
    )


_COLUMNS = (Column("table", 19), Column("", 34), Column("value", 22), RULE, SOURCE)


def _numbers(row: Row) -> str:
    """The numbers of a row."""
    own = row.model_dump(exclude_none=True, exclude=set(COMMON))
    if "value" in own:
        return f"{_value(own['value'])} {row.unit}"
    found = [f"{name.replace('_', ' ')} {_value(value)}" for name, value in own.items() if _is_number(value)]
    return ", ".join(found) or NONE


def _is_number(value: object) -> bool:
    some = value if isinstance(value, list | tuple) else (value,)
    return bool(some) and all(isinstance(each, int | float) and not isinstance(each, bool) for each in some)


def _value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return number(value) if value % 1 == 0 else f"{value:g}"
        case list() | tuple():
            return " ".join(map(_value, value)) or "-"
        case _:
            return str(value)
