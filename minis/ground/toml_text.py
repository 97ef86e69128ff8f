"""A TOML file as a person wrote it: its tables, keys and values with every comment, to be rearranged and written again.

`minis.toml_file` reads what a file says; this reads how it says it. Values keep the text in which they were typed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from minis.errors import bad
from minis.toml_file import BARE, SCALAR, STRING, key_name

Path = tuple[str, ...]
Lines = tuple[str, ...]
"""Comment lines above something, without the blanks around them; an empty one is a blank line."""


@dataclass(frozen=True)
class Value:
    """A value: the text in which it was typed, and its items (a list) or its pairs (an inline table).

    `notes` are the comments inside of a list.
    """

    text: str
    items: tuple[Value, ...] | None = None
    pairs: tuple[tuple[str, Value], ...] | None = None
    notes: Lines = ()


@dataclass(frozen=True)
class Pair:
    """`key = value`: the comments above it and the one behind it; `name` is the key as typed."""

    key: Path
    name: str
    value: Value
    note: str = ""
    lead: Lines = ()


@dataclass(frozen=True)
class Block:
    """A table with its header: the comments above it and behind the header, its pairs, the comments under them.

    `each` is true of `[[name]]`. `subs` are the tables that stand under it and are parts of it. The keys above the
    first header are a block without a path.
    """

    path: Path = ()
    name: str = ""
    each: bool = False
    note: str = ""
    lead: Lines = ()
    pairs: tuple[Pair, ...] = ()
    tail: Lines = ()
    subs: tuple[Block, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A file: the comments about all of it, the keys above the first header, its tables, the comments at the end."""

    head: Lines
    root: Block
    blocks: tuple[Block, ...]
    end: Lines = ()


def sheet_of(text: str, name: str = "") -> Sheet:
    """A TOML text, which tomli accepts, as it was written; raises BadInput where it is nested too deeply.

    >>> sheet = sheet_of('# mine\\n\\n[table]  # oak\\nwidth = 60 # x\\n')
    >>> sheet.head, sheet.blocks[0].note, sheet.blocks[0].pairs[0].value.text, sheet.blocks[0].pairs[0].note
    (('# mine', ''), '# oak', '60', '# x')
    """
    try:
        return _Reader(text).sheet()
    except RecursionError:
        raise bad("is nested too deeply; expected a scenario file", file=name) from None


def joined(names: Path) -> str:
    """Names as a dotted key, in quotes where they need them.

    >>> joined(("types", "Tiger I"))
    'types."Tiger I"'
    """
    from minis.ground.scenario_text import quoted

    return ".".join(name if BARE.fullmatch(name) else quoted(name) for name in names)


@dataclass
class _Open:
    """A table while it is read."""

    path: Path
    name: str
    each: bool
    note: str
    lead: Lines
    pairs: list[Pair] = field(default_factory=list)
    tail: Lines = ()
    subs: list[_Open] = field(default_factory=list)

    def closed(self) -> Block:
        subs = tuple(sub.closed() for sub in self.subs)
        return Block(self.path, self.name, self.each, self.note, self.lead, tuple(self.pairs), self.tail, subs)


class _Reader:
    """One walk over a text that tomli has accepted."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0
        self.head: Lines = ()
        self.begun = False

    def sheet(self) -> Sheet:
        root = last = _Open((), "", False, "", ())
        blocks: list[_Open] = []
        while True:
            trivia = self.trivia()
            if self.at >= len(self.text):
                last.tail, rest = _parted(trivia) if self.begun else ((), trivia)
                return Sheet(self.head, root.closed(), tuple(block.closed() for block in blocks), _squeezed(rest))
            if not self.begun:
                self.head, trivia = _head(trivia)
                self.begun = True
            if self.text[self.at] != "[":
                last.pairs.append(self.pair(trivia))
                continue
            if trivia and trivia[0] and "" in trivia:
                last.tail, trivia = _parted(trivia)
            last = self.header(trivia)
            top = blocks[-1] if blocks else None
            if top and top.path != ("types",) and len(last.path) > len(top.path) == _same(top.path, last.path):
                top.subs.append(last)
            else:
                blocks.append(last)

    def trivia(self) -> Lines:
        """Comment lines and blank lines up to the next statement."""
        lines = []
        while self.at < len(self.text):
            end = self.text.find("\n", self.at)
            line = self.text[self.at : end if end >= 0 else len(self.text)].strip(" \t")
            if line and line[0] != "#":
                self.blanks()
                break
            lines.append(line)
            self.at = end + 1 if end >= 0 else len(self.text)
        return tuple(lines)

    def blanks(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def rest(self) -> str:
        """The comment at the end of the line; goes on to the next one."""
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        note = self.text[self.at : end].strip(" \t")
        self.at = end + 1
        return note

    def header(self, lead: Lines) -> _Open:
        each = self.text.startswith("[[", self.at)
        self.at += 1 + each
        path, name = self.keys()
        self.at += 1 + each
        return _Open(path, name, each, self.rest(), _squeezed(lead))

    def keys(self) -> tuple[Path, str]:
        """A dotted key: its names, and how it was typed, without blanks round the dots."""
        names, typed = [], []
        while True:
            self.blanks()
            found = STRING.match(self.text, self.at) or BARE.match(self.text, self.at)
            if found is None:
                raise AssertionError("only a text that tomli accepted is read")
            typed.append(found[0])
            names.append(key_name(found[0]))
            self.at = found.end()
            self.blanks()
            if not self.text.startswith(".", self.at):
                return tuple(names), ".".join(typed)
            self.at += 1

    def pair(self, lead: Lines) -> Pair:
        key, name = self.keys()
        self.at += 1
        self.blanks()
        value = self.value()
        return Pair(key, name, value, self.rest(), _squeezed(lead))

    def value(self) -> Value:
        start, opening = self.at, self.text[self.at]
        if opening == "[":
            return self.listed(start)
        if opening == "{":
            return self.inline(start)
        found = STRING.match(self.text, self.at) or SCALAR.match(self.text, self.at)
        if found is None:
            raise AssertionError("only a text that tomli accepted is read")
        typed = found[0].rstrip(" \t")
        self.at = start + len(typed)
        return Value(typed)

    def listed(self, start: int) -> Value:
        items: list[Value] = []
        notes: list[str] = []
        self.at += 1
        while True:
            notes += self.inside()
            if self.text[self.at] == "]":
                self.at += 1
                inner = [note for item in items for note in item.notes]
                return Value(self.text[start : self.at], tuple(items), notes=tuple(notes + inner))
            if self.text[self.at] == ",":
                self.at += 1
            else:
                items.append(self.value())

    def inline(self, start: int) -> Value:
        pairs: list[tuple[str, Value]] = []
        notes: list[str] = []
        self.at += 1
        while True:
            notes += self.inside()
            if self.text[self.at] == "}":
                self.at += 1
                inner = [note for _, value in pairs for note in value.notes]
                return Value(self.text[start : self.at], pairs=tuple(pairs), notes=tuple(notes + inner))
            if self.text[self.at] == ",":
                self.at += 1
                continue
            _, name = self.keys()
            self.at += 1
            notes += self.inside()
            pairs.append((name, self.value()))

    def inside(self) -> Iterator[str]:
        """Comments and blanks between the items of a list."""
        found = []
        while self.at < len(self.text):
            if self.text[self.at] in " \t\n":
                self.at += 1
            elif self.text[self.at] == "#":
                end = self.text.index("\n", self.at)
                found.append(self.text[self.at : end].rstrip(" \t"))
                self.at = end
            else:
                break
        return iter(found)


def _same(one: Path, other: Path) -> int:
    """How many names two paths begin with together."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _head(trivia: Lines) -> tuple[Lines, Lines]:
    """The comments about the whole file, and those of what comes first: its last ones, up to a blank line.

    A line such as `#:schema …` is about the whole file wherever it stands.
    """
    cut = max((index + 1 for index, line in enumerate(trivia) if not line), default=0)
    while cut < len(trivia) and trivia[cut].startswith("#:"):
        cut += 1
    head = _squeezed(trivia[:cut])
    return (head[1:] if head and not head[0] else head), trivia[cut:]


def _parted(trivia: Lines) -> tuple[Lines, Lines]:
    """The comments that stand directly under a table, and the others."""
    cut = next((index for index, line in enumerate(trivia) if not line), len(trivia))
    return trivia[:cut], trivia[cut:]


def _squeezed(lines: Lines) -> Lines:
    """Lines with no two blank ones together."""
    return tuple(line for index, line in enumerate(lines) if line or index == 0 or lines[index - 1])
