"""A drawing as a table: its pieces, cleaned, and the report of what was taken for what."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from minis.board.schema import REACH_IN
from minis.errors import bad
from minis.ground.clean import clean
from minis.ground.place_mark import place_if_same
from minis.ground.real import limits_of
from minis.ground.report import MOST, Report, one_line, summary
from minis.ground.svg_in import Drawing
from minis.ground.svg_pieces import pieces_of
from minis.ground.uvtt_table import MapTable
from minis.lengths import GRID, format_length
from minis.rules.model import Rules

PLACE = "data-place"
"""The attribute of <svg> that says where the table lies on the earth."""


def lay_drawing(drawing: Drawing, rules: Rules, layers: Mapping[str, str]) -> MapTable:
    """The table of a drawing; `layers` says what its layers are where their labels do not.

    Raises BadInput where nothing of it is terrain, where the page is larger than a table may be, and for a layer or a
    kind that is not known.
    """
    width, depth = (round(side * GRID) / GRID for side in (drawing.width_in, drawing.depth_in))
    if max(width, depth) > REACH_IN or min(width, depth) <= 0:
        size = f"{drawing.width_in:.4g} by {drawing.depth_in:.4g} inches"
        raise bad(f"its page, {size}, is no table; give its size with --size", file=drawing.name)
    raw, left_out, not_understood = pieces_of(drawing, rules, layers)
    made = clean(raw, width, depth, limits_of(rules, step_in=1 / GRID, simplify=False))
    if not made.pieces:
        listed = ", ".join(f"{one_line(label, MOST)} ({many})" for label, many in sorted(not_understood.items())[:12])
        words = f"; it has {listed}: say what they are with --layer LABEL=KIND" if listed else ""
        raise bad(f"no layer on its page is terrain{words}", file=drawing.name)
    place, credit, moved = place_if_same(_mark(drawing), (width, depth), file=drawing.name, member=PLACE)
    report = Report(
        source=drawing.name,
        kinds=made.counts,
        repaired=made.repaired,
        dropped=made.dropped,
        left_out=left_out,
        not_understood=not_understood,
        remarks=(*drawing.remarks, *moved),
    )
    name = drawing.name.replace("\\", "/").rpartition("/")[2]
    page = f"its page is {format_length(width)} by {format_length(depth)}"
    data = (f"Data: {credit}",) if credit else ()
    notes = (f"Made by `minis import svg` from {name}: {page}.", *data, *summary(report))
    return MapTable(drawing.title, (width, depth), made.pieces, notes, report, place)


def _mark(drawing: Drawing) -> Any:
    """What the drawing says of where its table lies on the earth; None where it says nothing."""
    if not drawing.place:
        return None
    try:
        return json.loads(drawing.place)
    except (ValueError, RecursionError):
        message = f"{PLACE} of its <svg> is not what `minis export svg` writes; take it out"
        raise bad(message, file=drawing.name) from None
