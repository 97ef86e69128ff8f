"""The one order and layout of a scenario file, its comments kept: `minis fmt`.

What a file is about stands in this order: its title, the table, switches, types, terrain, smoke, zones, lanes, units.
Pieces of one sort keep the order in which they were typed. The keys that say what a piece is and where come first; the
facts of a unit keep their order. Comments stay with what they stand above or behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import tomli

from minis.errors import bad
from minis.ground.toml_text import Block, Lines, Pair, Sheet, Value, sheet_of
from minis.toml_file import parse_toml

WIDTH = 120
"""Columns of a line, where it can be broken."""

NOTE_AT = 26
"""The column at which the comment behind a short value begins, counted from 0."""

PLACES_A_LINE = 8
"""Places of an outline that stand on one line, where all of them do not."""

WHAT = "a scenario file with [table]"

SECTIONS = (
    "title", "tables", "terrain_from", "table", "backdrop", "switches", "types", "terrain", "smoke", "zone", "lane",
    "unit",
)  # fmt: skip
"""The parts of a file in their order; others follow, in the order in which they were typed."""

Order = dict[str, int]


def _order(*keys: str | tuple[str, ...]) -> Order:
    """The rank of each key; keys in a group keep the order in which they were typed."""
    groups = [(key,) if isinstance(key, str) else key for key in keys]
    return {key: rank for rank, group in enumerate(groups) for key in group}


SHAPE = ("box", "outline", "circle", "line")
WHAT_IT_IS = ("kind", "armoured", "size", "base", ("mount", "closed_top", "nation", "radio"))

ORDERS: dict[str, Order] = {
    "table": _order("width", "depth", "figure_scale", "inches_per_hex", "inches_per_mp"),
    "backdrop": _order("file", "corners", "marks"),
    "terrain": _order("id", "kind", "level", "storeys", "base", "slope", "material", SHAPE, "holes"),
    "smoke": _order("id", SHAPE, "by", "until_turn"),
    "zone": _order("id", "side", SHAPE),
    "lane": _order("id", "side", "line", "width", "area"),
    "types": _order(*WHAT_IT_IS, "armour", "weapons"),
    "unit": _order("id", "side", "type", *WHAT_IT_IS, "armour", "weapons", "at", "facing", "turret"),
}
"""The keys of a table that come first, in their order; the others follow in the order in which they were typed."""


def formatted(text: str, name: str = "") -> str:
    r"""A scenario file in its order and layout. It says what it said, and laid out again it stays as it is.

    Raises BadInput where the text is no TOML or has no [table].

    >>> print(formatted('[[terrain]]\nkind="road" #x\nid="a"\nbox=[0,1,  2,3]\n[table]\ndepth=3\nwidth=4'), end="")
    [table]
    width = 4
    depth = 3
    <BLANKLINE>
    [[terrain]]
    id = "a"
    kind = "road"             #x
    box = [0, 1, 2, 3]
    """
    document = parse_toml(text, name, what=WHAT)
    if "table" not in document.data:
        raise bad(f"has no [table]; expected {WHAT}", file=name)
    laid = laid_out(text, name)
    if not says_the_same(tomli.loads(laid), document.data):
        raise AssertionError("a layout that says something else")  # nothing is written
    return laid


def laid_out(text: str, name: str = "") -> str:
    """A TOML text that is sound, in the order and layout of a scenario file."""
    return text_of(ordered(sheet_of(text, name)))


def ordered(sheet: Sheet) -> Sheet:
    """A file with its parts and keys in their order."""
    ranks = {name: rank for rank, name in enumerate(SECTIONS)}
    blocks = sorted(map(_block_in_order, sheet.blocks), key=lambda block: ranks.get(block.path[0], len(ranks)))
    return replace(sheet, root=replace(sheet.root, pairs=_sorted(sheet.root.pairs, ranks)), blocks=tuple(blocks))


def _block_in_order(block: Block) -> Block:
    keys = block.path[:1] if block.each else block.path[:-1] if block.path[0] == "types" else block.path
    order = ORDERS.get(keys[0] if len(keys) == 1 else "", {})
    return replace(block, pairs=_sorted(block.pairs, order) if len(block.path) <= 2 else block.pairs)


def _sorted(pairs: Sequence[Pair], order: Order) -> tuple[Pair, ...]:
    return tuple(sorted(pairs, key=lambda pair: order.get(pair.key[0], len(order))))


def says_the_same(one: Any, other: Any) -> bool:
    """True where two values read from TOML are the same: types too, and not-a-number as itself.

    >>> says_the_same({"a": [1, float("nan")]}, {"a": [1, float("nan")]}), says_the_same(1, 1.0)
    (True, False)
    """
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(says_the_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(says_the_same, one, other))
    return type(one) is type(other) and (one == other or repr(one) == repr(other))


# --- writing ---------------------------------------------------------------------------------------------------------


def text_of(sheet: Sheet) -> str:
    """A file as text: tables apart by a blank line, comments behind short values in a column, long lists broken."""
    lines = _trimmed([*sheet.head, *_trimmed(_pairs(sheet.root))])
    lines += sheet.root.tail
    for block in sheet.blocks:
        lines += _block(block)
    lines += ["", *_trimmed(sheet.end)]
    return "\n".join(_trimmed(lines)) + "\n"


def _block(block: Block) -> Iterator[str]:
    yield ""
    yield from _trimmed(block.lead, end=False)
    yield _noted(f"[[{block.name}]]" if block.each else f"[{block.name}]", block.note)
    yield from _trimmed(_pairs(block), end=False)
    yield from block.tail
    for sub in block.subs:
        yield from _block(sub)


def _pairs(block: Block) -> Iterator[str]:
    for pair in block.pairs:
        yield from pair.lead
        yield from _pair(pair)


def _pair(pair: Pair) -> list[str]:
    lines = value_lines(f"{pair.name} = ", pair.value)
    return [*lines[:-1], _noted(lines[-1], pair.note)]


def _noted(line: str, note: str) -> str:
    """A line with the comment behind it."""
    return f"{line:<{NOTE_AT}}{note}" if note and len(line) <= NOTE_AT - 1 else f"{line}  {note}" if note else line


def value_lines(before: str, value: Value, indent: str = "") -> list[str]:
    """A value after the words before it, on one line where it fits; a list with comments inside keeps its lines.

    >>> value_lines("a = ", sheet_of("a=[1,2 ,3]").root.pairs[0].value)
    ['a = [1, 2, 3]']
    """
    if value.notes or (value.pairs is not None and "\n" in value.text):
        return (indent + before + value.text).split("\n")
    line = indent + before + short(value)
    room = WIDTH if not indent else WIDTH - 1  # an item of a list has a comma behind it
    if len(line) <= room or not value.items or "\n" in line:
        return line.split("\n")
    return [f"{indent}{before}[", *_items(value.items, indent + "  "), f"{indent}]"]


def short(value: Value) -> str:
    """A value on one line, but for texts that were typed on several."""
    if value.items is not None:
        return "[" + ", ".join(map(short, value.items)) + "]"
    if value.pairs is not None:
        return "{ " + ", ".join(f"{name} = {short(item)}" for name, item in value.pairs) + " }" if value.pairs else "{}"
    return value.text


def _items(items: Sequence[Value], indent: str) -> Iterator[str]:
    """The items of a list on several lines: places together, what is longer each on lines of its own."""
    if any(item.pairs is not None or any(inner.items is not None for inner in item.items or ()) for item in items):
        for item in items:
            lines = value_lines("", item, indent)
            yield from [*lines[:-1], lines[-1] + ","]
        return
    line, count = "", 0
    for words in map(short, items):
        if line and (count == PLACES_A_LINE or len(indent) + len(line) + len(words) + 2 > WIDTH):
            yield indent + line
            line, count = "", 0
        line += (" " if line else "") + words + ","
        count += 1
    yield indent + line


def _trimmed(lines: Sequence[str] | Iterator[str] | Lines, *, end: bool = True) -> list[str]:
    """Lines without blank ones at the beginning, and at the end."""
    found = list(lines)
    while found and not found[0]:
        del found[0]
    while end and found and not found[-1]:
        del found[-1]
    return found
