"""Two scenario files as one: `minis merge`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from minis.errors import BadInput, Mistake
from minis.ground.changes import Changes
from minis.ground.headings import without_counts
from minis.ground.layout import says_the_same
from minis.ground.parts import (
    LISTS,
    Entry,
    Parts,
    backdrop_for,
    keys_for,
    moved,
    put_together,
    read_again,
    steps,
    with_middle,
)
from minis.ground.report import Left
from minis.ground.toml_text import Pair
from minis.lengths import format_length, to_grid, to_inches

SETTINGS = ("figure_scale", "inches_per_hex", "inches_per_mp")
"""Keys of [table] that hold for the whole table."""


@dataclass
class _Work:
    """One merge: the two files, and what is collected on the way."""

    one: Parts
    other: Parts
    suffix: str | None
    take: str | None
    mistakes: list[Mistake] = field(default_factory=list)
    renamed: list[Left] = field(default_factory=list)
    dropped: list[Left] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def clash(self, message: str, *, id: str = "") -> None:
        """Something of the second file that does not go with the first."""
        self.mistakes.append(Mistake(message, file=self.other.document.name, id=id))

    def differ(self, what: str, one: Any, other: Any) -> None:
        """A setting that the files give differently: one of them is taken, or it is a mistake."""
        if self.take is None:
            self.clash(f"{what} is {other}, and {one} in {self.one.document.name}; --take a or b says which counts")
        else:
            self.remarks.append(f"{what}: {one if self.take == 'a' else other} is taken, not the other file's")

    def new_name(self, name: str, taken: set[str], what: str) -> str | None:
        """Another name for what clashes; None where none is to be given, which is told."""
        if self.suffix is None:
            self.clash(f"the {what} {name!r} is taken by {self.one.document.name}; --rename SUFFIX gives it another")
            return None
        new = name + self.suffix
        number = 1
        while new in taken:
            number += 1
            new = f"{name}{self.suffix}{number}"
        taken.add(new)
        self.renamed.append(Left(name, f"{what} of {self.other.document.name}, now {new}"))
        return new


def merge(
    one: Parts,
    other: Parts,
    out: Path,
    *,
    at: tuple[float, float] = (0.0, 0.0),
    suffix: str | None = None,
    take: str | None = None,
) -> tuple[str, Changes]:
    """The text of a scenario with everything of two, for a file `out`; the second has its origin at `at`, in inches.

    The table becomes as large as both need; with a negative `at` what the first file holds is moved. What is the same
    in both stands once. An id, a token or a type that both have for different things is a mistake, or with `suffix`
    gets that behind its name in the second file and wherever that names it. Settings that differ (keys of [table],
    switches, house rules) are a mistake unless `take` says whose count, "a" or "b". The comments about the whole of the
    second file, who made it and from what, are kept. Raises BadInput with every mistake.
    """  # fmt: skip
    one, other = without_counts(one), without_counts(other)
    work = _Work(one, other, suffix, take)
    x, y = to_grid(at[0]), to_grid(at[1])
    by_one, by_other = (max(0, -x), max(0, -y)), (max(0, x), max(0, y))
    first = {name: [moved(entry, by_one) for entry in one.lists[name]] for name in LISTS}
    second = {name: [moved(entry, by_other) for entry in other.lists[name]] for name in LISTS}
    tables = _tables(work, by_one, by_other, out)
    keys = _keys(work, out)
    types, as_type = _types(work)
    names = _names(work, first, second)
    lists = {name: (*first[name], *_renamed(second[name], names, as_type)) for name in LISTS}
    if work.mistakes:
        raise BadInput(work.mistakes)
    new = _with_tables(one, tables, by_one)
    head = [*one.head, *_under(other, at)]
    new = replace(new, head=tuple(head), keys=keys, types=types, lists=lists, end=(*one.end, *other.end))
    text = put_together(new, out)
    _levels(work, text, out, names)
    kept = {name: len(entries) for name, entries in lists.items()}
    return text, Changes(kept, (), tuple(work.dropped), tuple(work.renamed), tuple(work.remarks))


def _under(other: Parts, at: tuple[float, float]) -> Iterator[str]:
    """The comments about the whole of the second file, under a line that says which it is."""
    where = f" at {format_length(at[0])}, {format_length(at[1])}" if at != (0.0, 0.0) else ""
    title = f": {other.key('title')}" if other.key("title") else ""
    yield from ("", f"# With {Path(other.document.name).name}{where}{title}", "")
    leads = [pair.lead for pair in other.keys] + [other.tables["table"].block.lead]
    for lines in (other.head, *leads):
        said = [line for line in lines if not line.startswith("#:")]
        if any(said):
            yield from (*said, "")


# --- settings --------------------------------------------------------------------------------------------------------


def _tables(work: _Work, by_one: tuple[int, int], by_other: tuple[int, int], out: Path) -> dict[str, Entry]:
    """The single tables of the result."""
    one, other = work.one.board, work.other.board
    table = work.one.tables["table"]
    for key, across in (("width", 0), ("depth", 1)):
        sizes = [to_grid(getattr(board, f"{key}_in")) for board in (one, other)]
        needed = max(sizes[0] + by_one[across], sizes[1] + by_other[across])
        if needed != sizes[0]:
            work.remarks.append(f"the table's {key} is {format_length(to_inches(needed))} now")
            table = table.put(key, steps(needed))
    for key in SETTINGS:
        mine, theirs = _setting(work.one, key), _setting(work.other, key)
        if mine != theirs:
            work.differ(f"{key} of [table]", mine, theirs)
            table = table.put(key, work.other.tables["table"].data.get(key)) if work.take == "b" else table
    if other.place is not None and one.place is None:
        work.remarks.append(f"{work.other.document.name} says where on the earth it lies: left out")
    if "backdrop" in work.other.tables:
        work.remarks.append(f"the picture under {work.other.document.name} is left out")
    found = {"table": table} | backdrop_for(work.one, by_one, out)
    switches = _switches(work)
    return found | ({"switches": switches} if switches is not None else {})


def _setting(parts: Parts, key: str) -> Any:
    board = parts.board
    return board.rules.figure_scale if key == "figure_scale" else getattr(board, key)


def _switches(work: _Work) -> Entry | None:
    """The switches of the result: those of the file whose settings count."""
    one, other = work.one.board.rules, work.other.board.rules
    for name in sorted(one.switches.keys() & other.switches.keys()):
        if one.switch(name) != other.switch(name):
            work.differ(f"the switch {name}", one.switch(name), other.switch(name))
    return (work.other if work.take == "b" else work.one).tables.get("switches")


def _keys(work: _Work, out: Path) -> tuple[Pair, ...]:
    """The single keys of the result: those of the first file; the house rules are those of whose settings count."""
    mine, theirs = (keys_for(parts, out) for parts in (work.one, work.other))
    if _house(work.one) != _house(work.other):
        work.differ("the folder of house rules", _house(work.one), _house(work.other))
        if work.take == "b":
            rest = tuple(pair for pair in mine if pair.key != ("tables",))
            return rest + tuple(pair for pair in theirs if pair.key == ("tables",))
    return mine


def _house(parts: Parts) -> str:
    named = parts.key("tables")
    return str((parts.folder / named).resolve()) if named is not None else "none"


def _with_tables(one: Parts, tables: dict[str, Entry], by: tuple[int, int]) -> Parts:
    """The first file with the tables of the result, its place on the earth that of the new middle."""
    data = tables["table"].data
    sizes = [to_grid(float(getattr(data[key], "text", data[key]))) for key in ("width", "depth")]
    middle = [to_inches(size) / 2 - to_inches(step) for size, step in zip(sizes, by, strict=True)]
    moved_parts = replace(one, tables={**one.tables, "table": tables["table"]})
    return replace(moved_parts, tables={**tables, "table": with_middle(moved_parts, *middle).tables["table"]})


# --- names -----------------------------------------------------------------------------------------------------------


def _types(work: _Work) -> tuple[dict[str, Entry], dict[str, str]]:
    """The types of the result, and the new names of those of the second file that clash."""
    found, names = dict(work.one.types), dict[str, str]()
    taken = {*work.one.types, *work.other.types}
    for name, entry in work.other.types.items():
        if name not in work.one.types:
            found[name] = entry
        elif not says_the_same(dict(entry.data), dict(work.one.types[name].data)):
            new = work.new_name(name, taken, "type")
            if new is not None:
                names[name] = new
                found[new] = entry.under("types", new)
    for mine, theirs in ((work.one, work.other), (work.other, work.one)):
        for entry in mine.lists["unit"]:
            name = str(entry.data.get("type", ""))
            if name not in mine.types and name in theirs.types:
                message = f"is of the type {name!r} of the catalogue, which {theirs.document.name} describes anew"
                work.mistakes.append(Mistake(message, file=mine.document.name, id=entry.id))
    return found, names


def _names(work: _Work, first: Mapping[str, list[Entry]], second: Mapping[str, list[Entry]]) -> dict[str, str]:
    """New names for ids and tokens of the second file that clash; what is the same in both is taken out of it."""
    known = {entry.id: (name, entry) for name in LISTS for entry in first[name]}
    taken = {one for parts in (work.one, work.other) for one in _all_names(parts)}
    mine = set(_all_names(work.one))
    names: dict[str, str] = {}
    for name in LISTS:
        kept = []
        for entry in second[name]:
            section, same = known.get(entry.id, ("", None))
            if same is not None and section == name and says_the_same(_plain(entry), _plain(same)):
                work.dropped.append(Left(entry.id, f"{name} of {work.other.document.name}, the same in both"))
                continue
            for one in filter(None, (entry.id, entry.data.get("token"))):
                if one in mine and one not in names:
                    new = work.new_name(one, taken, "id" if one == entry.id else "token")
                    if new is not None:
                        names[one] = new
            kept.append(entry)
        second[name][:] = kept
    return names


def _plain(entry: Entry) -> dict[str, Any]:
    """What an entry says, its coordinates as numbers."""
    return {key: _numbers(value) for key, value in entry.data.items()}


def _numbers(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _numbers(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_numbers(item) for item in value]
    text = getattr(value, "text", None)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else float(text) if text else value


def _all_names(parts: Parts) -> Iterator[str]:
    for name in LISTS:
        for entry in parts.lists[name]:
            yield entry.id
            if entry.data.get("token"):
                yield entry.data["token"]


def _renamed(entries: Iterable[Entry], names: Mapping[str, str], types: Mapping[str, str]) -> Iterator[Entry]:
    """Entries with the new names of ids, tokens and types, wherever they stand."""
    for entry in entries:
        for key in ("id", "token", "by", "tow", "carries", "sighted_by", "type"):
            value = entry.data.get(key)
            known = types if key == "type" else names
            new = [known.get(one, one) for one in value] if isinstance(value, list) else known.get(str(value), value)
            if value is not None and new != value:
                entry = entry.put(key, new)
        yield entry


def _levels(work: _Work, text: str, out: Path, names: Mapping[str, str]) -> None:
    """Tell which pieces stand on ground of another level now."""
    board = read_again(text, out)
    unnamed: Mapping[str, str] = {}
    for parts, new_names in ((work.one, unnamed), (work.other, names)):
        for piece in parts.board.terrain:
            now = board.terrain_by_id.get(new_names.get(piece.id, piece.id))
            if now is not None and not piece.is_crest and now.base != piece.base:
                work.remarks.append(f"{now.id} stands on level {now.base} now, on {piece.base} in its file")
