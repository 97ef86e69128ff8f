"""Set-ups: files in which each player says at home where his units begin, and a scenario with them laid over it.

Nothing that is said of one player's set-up tells him anything about the units of another side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field

from minis.board.schema import PLAIN, Bearing, Entry, Id, Place
from minis.errors import BadInput, Mistake
from minis.toml_file import Document, PathKey, nearest_of, read_toml, validate

WHAT = "a set-up file (TOML with side, [[unit]] and [[boresight]])"

KEYS = ("side", "unit", "boresight")
"""The keys of a set-up file."""

GIVES_WAY = {"at": ("storey", "roof"), "hidden": ("token",), "token": ("hidden",)}
"""Keys of a unit of the scenario that make room for a key of its set-up: a file cannot say that a key is no more."""

AnyEntry = TypeVar("AnyEntry", bound=Entry)


class HeadEntry(Entry):
    """The keys above the first table of the file."""

    side: Annotated[str, Field(min_length=1, max_length=40, pattern=PLAIN)]


class SetupUnit(Entry):
    """[[unit]]: what the set-up decides of a unit of the scenario, or a new dummy."""

    id: Id
    at: Annotated[Place, Field(description="centre of the base, inches")] | None = None
    facing: Bearing | None = None
    turret: Bearing | None = None
    storey: Annotated[int, Field(ge=0, le=60)] | None = None
    roof: bool = False
    hidden: bool = False
    token: Id | None = None
    dummy: bool = False
    buttoned_up: bool = False


class BoreSightEntry(Entry):
    """[[boresight]]: the spot that a weapon of a unit is laid on (C6.42)."""

    unit: Id
    weapon: Annotated[Id, Field(description="left out: the first weapon of the unit")] | None = None
    at: Place


@dataclass(frozen=True)
class Setup:
    """The set-up of a side as its player wrote it.

    `units` are the keys of each [[unit]] as typed; `text` is the file as read (line ends as \\n), which is what a seal
    commits to; `name` is the path of the file.
    """

    side: str
    units: tuple[Mapping[str, Any], ...]
    boresights: tuple[BoreSightEntry, ...]
    text: str
    name: str

    def mistake(self, path: PathKey, message: str, *, id: str = "") -> Mistake:
        """A mistake at a path of the file."""
        return Document(self.name, self.text, {}).mistake(path, message, id=id)


# --- the file by itself --------------------------------------------------------------------------------------------


def read_setup(path: Path) -> Setup:
    """Read and check a set-up file by itself; raises BadInput with every mistake."""
    return setup_of(read_toml(path, what=WHAT))


def setup_of(document: Document) -> Setup:
    """Check a set-up that is read already; raises BadInput with every mistake.

    >>> from minis.toml_file import parse_toml
    >>> setup_of(parse_toml('side = "axis"\\n[[unit]]\\nid = "P8"\\nat = [65, 12]\\n', "axis.toml")).units
    ({'id': 'P8', 'at': [65, 12]},)
    >>> setup_of(parse_toml('side = "axis"\\n[[unit]]\\nid = "P8"\\nat = [65]\\n', "axis.toml"))
    Traceback (most recent call last):
    minis.errors.BadInput: axis.toml:4:1: unit[0].at (P8): expected 2 numbers, not [65]
    """
    data = document.data
    mistakes = [
        document.mistake((key,), f"is no key that is known here; {nearest_of(key, KEYS)}")
        for key in data
        if key not in KEYS
    ]
    known = {key: data[key] for key in HeadEntry.model_fields if key in data}
    head, found = validate(document, HeadEntry, known)
    units, wrong_units = _entries(document, "unit", SetupUnit)
    boresights, wrong_boresights = _entries(document, "boresight", BoreSightEntry)
    mistakes += [*found, *wrong_units, *wrong_boresights, *_units_fit(document, units)]
    if mistakes or head is None:
        raise BadInput(_in_reading_order(mistakes))
    typed = tuple(dict(raw) for raw in data.get("unit", []))
    return Setup(head.side, typed, tuple(boresights.values()), document.text, document.name)


def _entries(document: Document, key: str, model: type[AnyEntry]) -> tuple[dict[int, AnyEntry], list[Mistake]]:
    """The tables under [[key]] by their number in the file, and every mistake in them.

    A table whose only mistakes are unknown keys is read on without them, so that its other mistakes are told too.
    """
    raws = document.data.get(key, [])
    if not isinstance(raws, list):
        return {}, [document.mistake((key,), f"expected tables, each under [[{key}]]")]
    entries: dict[int, AnyEntry] = {}
    mistakes: list[Mistake] = []
    for number, raw in enumerate(raws):
        name = str(raw.get("id", raw.get("unit", ""))) if isinstance(raw, dict) else ""
        entry, found = validate(document, model, raw, at=(key, number), id=name)
        mistakes += found
        if entry is None and isinstance(raw, dict):
            known = {one: value for one, value in raw.items() if one in model.model_fields}
            entry = validate(document, model, known)[0] if len(known) < len(raw) else None
        if entry is not None:
            entries[number] = entry
    return entries, mistakes


def _units_fit(document: Document, units: Mapping[int, SetupUnit]) -> Iterator[Mistake]:
    """What must be true of the units of a set-up whatever the scenario."""
    ids: dict[str, int] = {}
    tokens: dict[str, str] = {}
    for number, unit in units.items():
        at: PathKey = ("unit", number)
        first = ids.setdefault(unit.id, number)
        if first != number:
            line = document.mistake(("unit", first), "").line
            yield document.mistake((*at, "id"), f"the id {unit.id!r} is taken, by line {line}", id=unit.id)
        token = unit.token or (unit.id if unit.dummy else None)
        if token is not None and first == number and tokens.setdefault(token, unit.id) != unit.id:
            yield document.mistake((*at, "token"), f"the token {token!r} is that of {tokens[token]}", id=unit.id)
        if unit.dummy and unit.at is None:
            yield document.mistake((*at, "at"), "is missing; a dummy stands somewhere", id=unit.id)
        if unit.dummy and unit.hidden:
            message = "a dummy is a token on the table; it cannot be hidden"
            yield document.mistake((*at, "hidden"), message, id=unit.id)
        elif unit.hidden and unit.token is not None:
            yield document.mistake((*at, "token"), "a unit is on a token or hidden, not both", id=unit.id)


def _in_reading_order(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Mistakes as a reader meets them in the file, each once."""
    return sorted(dict.fromkeys(mistakes), key=lambda m: (m.line is None, m.line or 0, m.column or 0))


# --- laid over a scenario ------------------------------------------------------------------------------------------


def with_setups(data: Mapping[str, Any], setups: Sequence[Setup]) -> dict[str, Any]:
    """The data of a scenario with the set-ups laid over its units; the data itself stays as it is.

    A unit of the scenario keeps its place in the list and every key that the set-up does not name, but where the
    set-up gives `at` it gives all of the place, storey and roof too, and it takes a unit off its token by hiding it,
    out of hiding by giving it a token. New dummies follow at the end, sorted by id. Whether the result is a board that
    may be played, `board_of` says. Raises BadInput with every mistake of every set-up.

    >>> scenario = {"unit": [{"id": "P8", "side": "axis", "kind": "gun", "at": [5, 5], "storey": 1}]}
    >>> setup = Setup("axis", ({"id": "P8", "at": [9, 9]}, {"id": "D1", "dummy": True, "at": [8, 8]}), (), "", "a.toml")
    >>> [unit["at"] for unit in with_setups(scenario, [setup])["unit"]], "storey" in scenario["unit"][0]
    ([[9, 9], [8, 8]], True)
    >>> with_setups(scenario, [Setup("allied", (), (), "", "b.toml")])
    Traceback (most recent call last):
    minis.errors.BadInput: b.toml: side: there is no side 'allied' in this scenario; known: axis
    """
    listed = data.get("unit")
    units: list[Any] = listed if isinstance(listed, list) else []
    mistakes = [mistake for number, setup in enumerate(setups) for mistake in _misfits(units, setup, setups[:number])]
    if mistakes:
        raise BadInput(mistakes)
    if not setups:
        return dict(data)
    laid = {keys["id"]: keys for setup in setups for keys in setup.units if not keys.get("dummy")}
    dummies = [{"side": setup.side, **keys} for setup in setups for keys in setup.units if keys.get("dummy")]
    placed = [_placed(unit, laid.get(_text(unit, "id"), {})) for unit in units]
    return {**data, "unit": placed + sorted(dummies, key=lambda unit: str(unit["id"]))}


def _placed(unit: Any, keys: Mapping[str, Any]) -> Any:
    """A unit of the scenario with the keys of a set-up over its own; it stays the dummy or the unit that it is."""
    if not keys:
        return unit
    gone = {other for key, others in GIVES_WAY.items() if keys.get(key) for other in others}
    own = {key: value for key, value in unit.items() if key not in gone}
    return own | {key: value for key, value in keys.items() if key != "dummy"}


def _text(unit: Any, key: str) -> str:
    """A text of a unit of a scenario that is not checked yet; empty where there is none."""
    value = unit.get(key) if isinstance(unit, dict) else None
    return value if isinstance(value, str) else ""


def _misfits(units: Sequence[Any], setup: Setup, before: Sequence[Setup]) -> Iterator[Mistake]:
    """Every reason why a set-up does not go with the units of the scenario and the set-ups before it."""
    sides = sorted({_text(unit, "side") for unit in units} - {""})
    if setup.side not in sides:
        message = f"there is no side {setup.side!r} in this scenario; {nearest_of(setup.side, sides)}"
        yield setup.mistake(("side",), message)
        return
    for other in before:
        if other.side == setup.side:
            yield setup.mistake(("side",), f"{setup.side} has a set-up already, {other.name}; expected one for a side")
            return
    own = [unit for unit in units if _text(unit, "side") == setup.side and _text(unit, "id")]
    taken = {_text(unit, "id") for unit in units}
    taken |= {keys["id"] for other in before for keys in other.units if keys.get("dummy")}
    for index in range(len(setup.units)):
        yield from _unit_misfits(setup, index, [unit["id"] for unit in own], taken)
    dummies = {unit["id"] for unit in (*own, *setup.units) if unit.get("dummy")}
    real = [unit["id"] for unit in own if unit["id"] not in dummies]
    for index, boresight in enumerate(setup.boresights):
        if boresight.unit not in real:
            name = boresight.unit
            dummy = f"{name} is a dummy; it has no weapon to lay on a spot"
            message = dummy if name in dummies else f"{setup.side} has no unit {name!r}; {nearest_of(name, real)}"
            yield setup.mistake(("boresight", index, "unit"), message, id=name)


def _unit_misfits(setup: Setup, index: int, own: Sequence[str], taken: set[str]) -> Iterator[Mistake]:
    """Every reason why a table [[unit]] of a set-up does not go with the units of its side and the ids there are.

    A unit that the side has not gets one message, whether or not another side has it.
    """
    keys = setup.units[index]
    at: PathKey = ("unit", index)
    name = keys["id"]
    for key in keys:
        if key not in SetupUnit.model_fields:
            message = f"is no key that is known here; {nearest_of(key, SetupUnit.model_fields)}"
            yield setup.mistake((*at, key), message, id=name)
    if keys.get("dummy"):
        if name in taken:
            yield setup.mistake((*at, "id"), f"the id {name!r} is taken; give the dummy another", id=name)
    elif name not in own:
        message = f"{setup.side} has no unit {name!r} (a new dummy says dummy = true); {nearest_of(name, own)}"
        yield setup.mistake((*at, "id"), message, id=name)
