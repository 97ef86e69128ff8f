"""Comments that are headings of what follows, carried on where pieces of a file are left out."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from minis.ground.parts import Entry
from minis.ground.toml_text import Lines


def under_headings(entries: Sequence[Entry], kept: Container[str]) -> Iterator[Entry]:
    """All entries, those that are kept with the headings above them that are still true.

    A heading stands apart by a blank line from what it is over. One over an entry that is not kept goes on to the next
    one that is, unless that has a heading of its own; one with a line of equals signs, over a part of a file, goes on
    always.
    """
    over: Lines = ()
    for entry in entries:
        heading, own = _heading(entry.block.lead)
        if entry.id in kept:
            plain = [line for line in heading if line]
            lead = (*over, *heading, *own) if not plain or _is_rule(over) else (*heading, *own)
            over = ()
            yield Entry(entry.data, replace(entry.block, lead=lead))
        else:
            over = (*(over if _is_rule(over) else ()), *heading) if heading else over
            yield entry


def _heading(lead: Lines) -> tuple[Lines, Lines]:
    """The comments above something that stand apart from it by a blank line, and its own."""
    cut = max((index + 1 for index, line in enumerate(lead) if not line), default=0)
    return lead[:cut], lead[cut:]


def _is_rule(lines: Lines) -> bool:
    """True of a heading of a whole part of a file, a line of signs."""
    return any("=====" in line for line in lines)
