"""Play aids: sheets for the table made of the engine's own tables, under the switches and house rulings of a game.

They are made of rules alone: nothing of what stands on a table is in them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from minis.draw.sheet_fire import cases_sheet, left_out_sheet, to_hit_sheet
from minis.draw.sheet_game import game_sheet
from minis.draw.sheet_page import Sheet, pages_of
from minis.draw.sheet_rows import SOURCES
from minis.draw.sheet_sight import shadow_sheet, sighting_sheet
from minis.errors import bad
from minis.rules.model import Rules
from minis.toml_file import nearest_of

Maker = Callable[[Rules, float, float], Sheet]

SHEETS: Mapping[str, Maker] = {
    "sighting": lambda rules, _hex, _mp: sighting_sheet(rules),
    "shadows": lambda rules, _hex, _mp: shadow_sheet(rules),
    "to-hit": lambda rules, hex_in, _mp: to_hit_sheet(rules, hex_in),
    "cases": lambda rules, _hex, _mp: cases_sheet(rules),
    "left-out": lambda rules, _hex, _mp: left_out_sheet(rules),
    "game": game_sheet,
}
"""Every sheet by its name, in the order in which they are printed."""


FOOT_WIDTH = 100
"""Characters of a line at the foot of a page."""


def sheets(
    rules: Rules, names: Sequence[str] = (), *, inches_per_hex: float | None = None, inches_per_mp: float | None = None
) -> list[Sheet]:
    """The sheets that are named, all where none is, under some rules.

    Inches to a hex and to a movement point are those of the rules where the table does not say. Raises BadInput for
    a name that is none.

    >>> from minis.rules import load_rules
    >>> [sheet.name for sheet in sheets(load_rules(), ["cases", "sighting"])]
    ['sighting', 'cases']
    """
    for name in names:
        if name not in SHEETS:
            raise bad(f"there is no sheet {name!r}; {nearest_of(name, list(SHEETS))}")
    hex_in = rules.fire_number("inches-per-hex") if inches_per_hex is None else inches_per_hex
    mp_in = rules.fire_number("inches-per-mp") if inches_per_mp is None else inches_per_mp
    return [make(rules, hex_in, mp_in) for name, make in SHEETS.items() if not names or name in names]


def sheet_pages(made: Sequence[Sheet], *, paper: str = "a4", subject: str = "", rules: Rules) -> list[str]:
    """Sheets as SVG pages; at the head stands whose game it is, at the foot how to read the sources."""
    changed = rules.not_default
    words = "switches: " + ", ".join(f"{name} = {value}" for name, value in sorted(changed.items()))
    return pages_of(
        made, paper=paper, subject=subject, foot=(*(textwrap.wrap(words, 100) if changed else ()), *SOURCES)
    )


def sheet_answer(made: Sequence[Sheet]) -> list[dict[str, Any]]:
    """Sheets as data: what `minis sheet --json` prints."""
    return [
        {
            "name": sheet.name,
            "title": sheet.title,
            "charts": [
                {
                    "title": chart.title,
                    "note": chart.note,
                    "columns": [column.head.replace("\n", " ").strip() for column in chart.columns],
                    "rows": [[cell.replace("\n", ": ") for cell in row.cells] for row in chart.rows],
                    "strong": [index for index, row in enumerate(chart.rows) if row.strong],
                }
                for chart in sheet.charts
            ],
        }
        for sheet in made
    ]
