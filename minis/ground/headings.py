"""Comments of a file that is changed: headings are carried on, counts that are no longer true are left out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from minis.ground.parts import Entry, Parts
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


_COUNTS = re.compile(
    r"# (?:Pieces: (?:none|\S+ \d+(?:, \S+ \d+)*)|(?:Repaired|Dropped): \d+ pieces"
    r"|(?:Left out|Not understood): .+ \d+)\."
)
"""What `minis.ground.report.summary` writes at the head of a file."""

_BEGINS = re.compile(r"# (?:Pieces|Repaired|Dropped|Left out|Not understood): ")


def without_counts(parts: Parts) -> Parts:
    """A file without the counts that an import wrote at its head: they are of a table before it was cut or added to."""
    keys = tuple(replace(pair, lead=_without(pair.lead)) for pair in parts.keys)
    table = parts.tables["table"]
    bare = Entry(table.data, replace(table.block, lead=_without(table.block.lead)))
    return replace(parts, head=_without(parts.head), keys=keys, tables={**parts.tables, "table": bare})


def _without(lines: Lines) -> Lines:
    """Comment lines without counts, which may be broken over several.

    >>> _without(("# Mine.", "# Pieces: woods 2,", "# wall 5.", "# Dropped: 3 pieces.", "# Pieces: see below."))
    ('# Mine.', '# Pieces: see below.')
    """
    kept: list[str] = []
    at = 0
    while at < len(lines):
        at += (many := _count_lines(lines[at:]))
        if not many:
            kept.append(lines[at])
            at += 1
    return tuple(kept)


def _count_lines(lines: Lines) -> int:
    """So many of the first lines are one count; 0 where they begin with none."""
    if not lines or not _BEGINS.match(lines[0]):
        return 0
    text = ""
    for many, line in enumerate(lines, 1):
        if not line.startswith("# ") or (many > 1 and _BEGINS.match(line)):
            return 0
        text += line if many == 1 else line[1:]
        if _COUNTS.fullmatch(text):
            return many
    return 0
