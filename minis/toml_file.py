"""Read a TOML file a person typed: one clear message for every mistake, with file, line and column.

tomli reads, pydantic checks, and a scanner of our own says at which line and column a path such as
`terrain[3].outline` stands. The scanner runs only when there is a mistake to place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, time
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import tomli
from pydantic import BaseModel, ValidationError

from minis.errors import BadInput, Mistake, bad

MAX_BYTES = 32 * 2**20
"""No file typed by a person is longer; a longer one is something else."""

PathKey = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)


def read_bytes(path: Path, *, what: str, most_bytes: int) -> bytes:
    """What a file holds.

    Raises BadInput for one that is not there, a directory or a pipe, one that is larger than `most_bytes`, or empty.
    """
    name = str(path)
    try:
        if path.is_dir():
            raise bad(f"is a directory; expected {what}", file=name)
        if not path.is_file():
            raise bad(f"there is no such file; expected {what}", file=name)
        size = path.stat().st_size
        if size > most_bytes:
            raise bad(f"is {size / 2**20:.0f} MB, larger than the {most_bytes // 2**20} MB of {what}", file=name)
        data = path.read_bytes()
    except OSError as error:
        raise bad(f"cannot be read ({error.strerror}); expected {what}", file=name) from None
    if not data.strip():
        raise bad(f"is empty; expected {what}", file=name)
    return data


def read_text(path: Path, *, what: str = "a TOML file") -> str:
    """The text of a file that a person could have typed.

    `what` says in the message what was expected. Raises BadInput for a file that is not there, a directory, a file
    too large, empty or not text.
    """
    name = str(path)
    data = read_bytes(path, what=what, most_bytes=MAX_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise bad(f"is not text (byte {error.start} is not UTF-8); expected {what}", file=name) from None
    if "\0" in text:
        raise bad(f"is not text (it holds a NUL byte); expected {what}", file=name)
    return text.replace("\r\n", "\n")


@dataclass(frozen=True)
class Document:
    """A TOML file as read: its name, its text and its data."""

    name: str
    text: str
    data: dict[str, Any]

    @cached_property
    def places(self) -> dict[PathKey, tuple[int, int]]:
        """Line and column (from 1) of every key and array item."""
        return scan(self.text)

    def mistake(self, path: PathKey, message: str, *, id: str = "") -> Mistake:
        """A mistake at a path of this document, placed at the nearest thing that was typed."""
        at = path
        while at and at not in self.places:
            at = at[:-1]
        line, column = self.places.get(at, (None, None))
        return Mistake(message, file=self.name, line=line, column=column, path=path_text(path), id=id)


def read_toml(path: Path, *, what: str = "a TOML file") -> Document:
    """Read a TOML file; raises BadInput with line and column where it is no TOML."""
    return parse_toml(read_text(path, what=what), str(path), what=what)


def parse_toml(text: str, name: str, *, what: str = "a TOML file") -> Document:
    """The document of a TOML text; raises BadInput with line and column where it is no TOML."""
    try:
        return Document(name, text, tomli.loads(text))
    except tomli.TOMLDecodeError as error:
        message = f"this is not TOML: {error.msg[:1].lower()}{error.msg[1:]}; expected {what}"
        raise BadInput([Mistake(message, file=name, line=error.lineno, column=error.colno)]) from None
    except RecursionError:
        raise bad(f"is nested too deeply; expected {what}", file=name) from None
    except ValueError:
        raise bad(f"holds a number of too many digits; expected {what}", file=name) from None


def path_text(path: Iterable[str | int]) -> str:
    """A path as a judge reads it.

    >>> path_text(("terrain", 3, "outline", 0))
    'terrain[3].outline[0]'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def validate(
    document: Document, model: type[Model], data: Any, *, at: PathKey = (), id: str = ""
) -> tuple[Model | None, list[Mistake]]:
    """The data as a model, or every mistake in it, placed in the document."""
    try:
        return model.model_validate_json(json.dumps(data, default=_not_json)), []
    except ValidationError as error:
        found: dict[PathKey, str] = {}
        for fault in error.errors(include_url=False):
            path, text = real_path(data, fault["loc"]), fault_text(fault, model)
            dated = _date_on(data, fault["loc"])
            if dated is not None:
                path, text = dated
            if fault["type"] == "missing" and isinstance(fault["loc"][-1], int):
                found[path] = text  # the last of them says how many items there should be
            else:
                found[path] = _either(found[path], text) if path in found else text
        deepest = [p for p in found if not any(q[: len(p)] == p and q != p for q in found)]
        return None, [document.mistake(at + path, found[path], id=id) for path in deepest]


def _either(one: str, other: str) -> str:
    """Two messages for one value, as a union of types gives them, in one; the first where they do not go together."""
    first, second = _EXPECTED.fullmatch(one), _EXPECTED.fullmatch(other)
    if first is None or second is None or first[2] != second[2] or first[1] == second[1]:
        return one
    return f"expected {first[1]} or {second[1]}, not {first[2]}"


_EXPECTED = re.compile(r"expected (.*), not (.*)")


def _date_on(data: Any, loc: Iterable[str | int]) -> tuple[PathKey, str] | None:
    """The place of a date or time that stands where a table is expected, and the message for it."""
    path: PathKey = ()
    for part in (None, *loc):
        if part is not None:
            inside = isinstance(data, dict) and part in data
            if not inside and not (isinstance(data, list) and isinstance(part, int) and part < len(data)):
                continue
            path, data = (*path, part), data[part]
        if isinstance(data, date | time):
            more = tuple(loc)[len(path) :]
            return (path, f"expected a table, not {shown(data)}") if more else None
    return None


DATE = "\0date"
"""How a date or a time of the file is handed to pydantic: as a table, which no key takes."""


def _not_json(value: object) -> object:
    """TOML knows dates and times; no key of ours takes one, so that they fail as what they are."""
    return {DATE: str(value)}


def real_path(data: Any, loc: Iterable[str | int]) -> PathKey:
    """The part of pydantic's location that exists in the data: union tags and the like drop out."""
    path: list[str | int] = []
    for part in loc:
        inside = isinstance(data, dict) and part in data
        if inside or (isinstance(data, list) and isinstance(part, int) and part < len(data)):
            path.append(part)
            data = data[part]
        elif isinstance(part, str) and isinstance(data, dict) and re.fullmatch(r"[a-z_]+", part):
            path.append(part)
            break
    return tuple(path)


def fault_text(fault: Any, model: type[BaseModel]) -> str:
    """What pydantic found, in a judge's words: what was expected, then what was there."""
    kind, value, context = fault["type"], fault["input"], fault.get("ctx", {})
    if kind == "missing":
        if isinstance(fault["loc"][-1], int):
            return f"expected {fault['loc'][-1] + 1} numbers, not {shown(value)}"
        return "is missing"
    if kind == "extra_forbidden":
        return f"is no key that is known here; {nearest_of(str(fault['loc'][-1]), known_keys(model, fault['loc']))}"
    if kind == "value_error":
        return str(context["error"])
    words: dict[str, Callable[[], Any]] = {
        "finite_number": lambda: "a finite number",
        "float_type": lambda: "a number",
        "int_type": lambda: "a whole number",
        "int_from_float": lambda: "a whole number",
        "bool_type": lambda: "true or false",
        "string_type": lambda: "a text in quotes",
        "string_too_short": lambda: "a text that is not empty",
        "string_too_long": lambda: f"a text of at most {context['max_length']} characters",
        "string_pattern_mismatch": lambda: "a text without control characters or blanks at its ends",
        "list_type": lambda: "a list",
        "tuple_type": lambda: "a list",
        "dict_type": lambda: "a table",
        "model_type": lambda: "a table",
        "greater_than": lambda: f"a number above {context['gt']:g}",
        "greater_than_equal": lambda: f"{context['ge']:g} or more",
        "less_than": lambda: f"a number below {context['lt']:g}",
        "less_than_equal": lambda: f"{context['le']:g} or less",
        "multiple_of": lambda: f"a multiple of {context['multiple_of']:g}",
        "json_invalid": lambda: "plain texts and numbers, not nested so deeply",
        "too_short": lambda: f"at least {context['min_length']} items, not {context['actual_length']}",
        "too_long": lambda: f"at most {context['max_length']} items, not {context['actual_length']}",
        "literal_error": lambda: context["expected"],
        "enum": lambda: context["expected"],
    }
    expected = str(words[kind]() if kind in words else fault["msg"])
    if kind in ("too_short", "too_long", "json_invalid"):
        return f"expected {expected}"
    return f"expected {expected}, not {shown(value)}"


def shown(value: Any) -> str:
    """A value as it stood in the file, cut short."""
    if isinstance(value, dict) and DATE in value:
        return f"the date or time {value[DATE]}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date | time):
        return f"the date or time {value}"
    text = repr(value) if isinstance(value, str) else f"{value}"
    return text if len(text) <= 60 else text[:57] + "..."


def known_keys(model: type[BaseModel], loc: Iterable[str | int]) -> list[str]:
    """The keys that are known at the table where pydantic met an unknown one."""
    keys = list(model.model_fields)
    for part in list(loc)[:-1]:
        field = model.model_fields.get(part) if isinstance(part, str) else None
        inner = _inner_model(field.annotation) if field else None
        if inner:
            model, keys = inner, list(inner.model_fields)
    return keys


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        inner = _inner_model(argument)
        if inner:
            return inner
    return None


def nearest_of(word: str, known: Iterable[str], *, otherwise: str | None = None) -> str:
    """A hint at what was meant: the nearest names; where none is near, `otherwise`, or all of them.

    >>> nearest_of("levle", ["level", "storeys"])
    "did you mean 'level'?"
    >>> nearest_of("xyz", ["level", "storeys"])
    'known: level, storeys'
    """
    import difflib

    names = list(known)
    lower = {name.lower(): name for name in reversed(names)}
    near = [lower[match] for match in difflib.get_close_matches(word.lower(), lower, n=3, cutoff=0.62)]
    if near:
        return "did you mean " + " or ".join(repr(n) for n in near) + "?"
    if otherwise is not None:
        return otherwise
    listed = ", ".join(names[:30]) + (", …" if len(names) > 30 else "")
    return f"known: {listed}" if listed else "there are none"


# --- where things stand -----------------------------------------------------------------------------------------

BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
SCALAR = re.compile(r"[^,\]}\n#]+")
STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}(?!")|\'\'\'.*?\'{3,5}(?!\')|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)


def scan(text: str) -> dict[PathKey, tuple[int, int]]:
    """Line and column of every table, key and array item of a valid TOML text.

    >>> places = scan('[table]\\nwidth = 60\\n[[unit]]\\nat = [nan, 10]\\n')
    >>> places[("table", "width")], places[("unit", 0, "at")], places[("unit", 0, "at", 1)]
    ((2, 1), (4, 1), (4, 12))
    """
    return _Scanner(text).run()


def key_name(text: str) -> str:
    """A key as TOML reads it: bare, or in quotes with its escapes."""
    return str(next(iter(tomli.loads(f"{text} = 0")))) if text[0] in "\"'" else text


class _Scanner:
    """One walk over a text that tomli has already accepted."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0
        self.found: dict[PathKey, tuple[int, int]] = {}
        self.counts: dict[PathKey, int] = {}
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]

    def run(self) -> dict[PathKey, tuple[int, int]]:
        """Walk the whole text."""
        head: PathKey = ()
        self.skip()
        while self.at < len(self.text):
            start = self.at
            if self.text.startswith("[[", self.at):
                self.at += 2
                head = self.array_head(self.keys())
                self.at = self.text.index("]]", self.at) + 2
                self.note(head, start)
            elif self.text[self.at] == "[":
                self.at += 1
                head = self.resolve(self.keys())
                self.at = self.text.index("]", self.at) + 1
                self.note(head, start)
            else:
                self.pair(head)
            self.skip()
        return self.found

    def note(self, path: PathKey, offset: int) -> None:
        import bisect

        line = bisect.bisect_right(self.starts, offset)
        self.found.setdefault(path, (line, offset - self.starts[line - 1] + 1))

    def skip(self) -> None:
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def keys(self) -> list[str]:
        """A key, dotted or not, as its names."""
        names = []
        while True:
            self.skip()
            found = STRING.match(self.text, self.at) or BARE.match(self.text, self.at)
            if not found:
                raise AssertionError("only a text that tomli accepted is scanned")
            self.at = found.end()
            names.append(key_name(found[0]))
            self.skip()
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def resolve(self, names: list[str]) -> PathKey:
        """Names of a header with the index of the current item behind every array of tables."""
        path: PathKey = ()
        for name in names:
            path += (name,)
            if path in self.counts:
                path += (self.counts[path] - 1,)
        return path

    def array_head(self, names: list[str]) -> PathKey:
        array = (*self.resolve(names[:-1]), names[-1])
        self.counts[array] = self.counts.get(array, 0) + 1
        return (*array, self.counts[array] - 1)

    def pair(self, head: PathKey) -> None:
        start = self.at
        path = head + tuple(self.keys())
        self.note(path, start)
        self.at = self.text.index("=", self.at) + 1
        self.skip()
        self.value(path)

    def value(self, path: PathKey) -> None:
        """One value: a scalar, an array, an inline table."""
        opening = self.text[self.at]
        if opening in "[{":
            self.at += 1
            index = 0
            while True:
                self.skip()
                if self.text[self.at] in "]}":
                    self.at += 1
                    return
                if self.text[self.at] == ",":
                    self.at += 1
                elif opening == "{":
                    self.pair(path)
                else:
                    item = (*path, index)
                    self.note(item, self.at)
                    self.value(item)
                    index += 1
        found = STRING.match(self.text, self.at) or SCALAR.match(self.text, self.at)
        self.at = found.end() if found else len(self.text)
