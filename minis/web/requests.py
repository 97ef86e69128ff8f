"""What a page may ask: the body of each request as a strict model, so that nothing else reaches the rules."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NoReturn, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from minis.dice import D6
from minis.errors import BadInput, Mistake
from minis.odds import D100

LONGEST = 400
"""Characters of a text that a page sends."""

WAY_POINTS = 60
"""Way points of a move."""

DICE = 40
"""Dice of one purpose."""


class Malformed(Exception):
    """A body that is no JSON of ours: it is answered with 400."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("expected text on one line without control characters")
    return text


Words = Annotated[str, Field(max_length=LONGEST), AfterValidator(_printable)]
Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_printable)]
Number = Annotated[float, Field(ge=-(10**6), le=10**6, allow_inf_nan=False)]
Place = Annotated[list[Number], Field(min_length=2, max_length=2)]
Degrees = Annotated[float, Field(ge=-360, le=720, allow_inf_nan=False)]
Points = Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]
EventNumber = Annotated[int, Field(ge=1, le=10**9)]
Fact = bool | Annotated[int, Field(ge=-(10**6), le=10**6)] | Number | Words


class Body(BaseModel):
    """A body of a request: unknown keys and wrong types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# --- acts ------------------------------------------------------------------------------------------------------------


class _Move(Body):
    unit: Name
    to: Place | None = None
    via: Annotated[list[Place], Field(max_length=WAY_POINTS)] | None = None
    facing: Degrees | None = None
    turret: Degrees | None = None
    mp: Points | None = None
    delay: Points | None = None
    reverse: bool | None = None
    motion: bool | None = None
    how: Literal["assault", "hazardous", "dash"] | None = None
    storey: Annotated[int, Field(ge=0, le=60)] | None = None
    roof: bool | None = None


class _Attempt(Body):
    sighter: Name
    target: Name


class _Fire(Body):
    firer: Name
    target: Name
    also: Annotated[list[Name], Field(max_length=20)] | None = None
    weapon: Name | None = None
    ammo: Literal["AP", "HE", "APCR", "APDS", "HEAT", "SMOKE"] | None = None
    type: Literal["vehicle", "infantry", "area"] | None = None
    phase: Literal["prep", "defensive_first", "defensive", "advancing", "bounding_first"] | None = None
    facts: Annotated[dict[Name, Fact], Field(max_length=40)] | None = None
    no_effect: bool | None = None


class _Effect(Body):
    event: EventNumber | None = None
    target: Name | None = None
    take: Name | None = None


class _Smoke(Body):
    do: Literal["place", "move", "remove"]
    id: Name | None = None
    at: Place | None = None
    radius: Annotated[float, Field(gt=0, le=2000, allow_inf_nan=False)] | None = None
    by: Name | None = None
    until: Annotated[int, Field(ge=0, le=10**6)] | None = None

    @model_validator(mode="after")
    def _named(self) -> _Smoke:
        if self.do != "place" and self.id is None:
            raise ValueError("say which cloud with id")
        return self


class _Place(Body):
    unit: Name
    token: bool | None = None
    why: Words | None = None


class _Remove(Body):
    unit: Name
    how: Words | None = None


class _Load(Body):
    unit: Name
    carrier: Name
    tow: bool | None = None


class _Unload(Body):
    unit: Name
    at: Place | None = None
    facing: Degrees | None = None


class _Set(Body):
    unit: Name
    facts: Annotated[dict[Name, Fact], Field(min_length=1, max_length=40)]
    why: Words | None = None


class _Weapon(Body):
    unit: Name
    weapon: Name | None = None
    state: Literal["malfunction", "out of ammunition", "ready"]
    why: Words | None = None


class _Boresight(Body):
    unit: Name
    at: Place
    weapon: Name | None = None
    spotter: Name | None = None


class _Manoeuvre(Body):
    unit: Name
    leader: Annotated[int, Field(ge=-20, le=20)] | None = None
    centre: Degrees | None = None


class _Note(Body):
    text: Words


class _Nothing(Body):
    pass


ASKED: Mapping[str, type[Body]] = {
    "turn": _Nothing, "move": _Move, "sight": _Attempt, "identify": _Attempt, "fire": _Fire, "effect": _Effect,
    "smoke": _Smoke, "place": _Place, "remove": _Remove, "load": _Load, "unload": _Unload, "set": _Set,
    "weapon": _Weapon, "boresight": _Boresight, "manoeuvre": _Manoeuvre, "note": _Note, "end": _Nothing,
}  # fmt: skip
"""What each kind of act may be asked with; the key that ends a game is added by the server."""

FACES = {
    "sighting": D100, "smoke": D100, "blinding": D100, "coloured": D6, "white": D6, "further": D6, "effect": D6,
    "manoeuvre": D6,
}  # fmt: skip
"""The dice that a judge may type, with their faces."""

IN_PAIRS = ("effect",)
"""Dice that are typed two by two."""

Typed = dict[str, list[int]]


class Act(Body):
    """An act that is asked about or recorded."""

    kind: Name
    asked: dict[str, Any] = {}
    typed: dict[str, Annotated[list[int], Field(max_length=DICE)]] = {}
    throws: bool = False


def act_of(body: Act) -> tuple[dict[str, Any], Typed]:
    """What an act is asked with, what is not given left out, and its typed dice; raises BadInput for either."""
    if body.kind not in ASKED:
        raise BadInput([Mistake(f"there is no act {body.kind!r}; there are {', '.join(ASKED)}")])
    asked = _model(ASKED[body.kind], body.asked).model_dump(exclude_none=True)
    mistakes = []
    for purpose, faces in body.typed.items():
        if purpose not in FACES:
            mistakes.append(Mistake(f"there is no die {purpose!r}; there are {', '.join(FACES)}"))
        elif not all(1 <= face <= FACES[purpose] for face in faces):
            mistakes.append(Mistake(f"expected 1 to {FACES[purpose]}, not {', '.join(map(str, faces))}", file=purpose))
        elif purpose in IN_PAIRS and len(faces) % 2:
            mistakes.append(Mistake("these dice come in pairs", file=purpose))
    if mistakes:
        raise BadInput(mistakes)
    return asked, {purpose: list(faces) for purpose, faces in body.typed.items() if faces}


# --- the other requests ----------------------------------------------------------------------------------------------


class Join(Body):
    """A device that joins with the token of its link."""

    token: Annotated[str, Field(max_length=200)] | None = None


class Ends(Body):
    """Two ends of a line: each a unit, or a place to measure from."""

    a: Name | Place
    b: Name | Place


class Units(Body):
    """Two units, and with what the one would shoot."""

    a: Name
    b: Name
    weapon: Name | None = None
    ammo: Literal["AP", "HE", "APCR", "APDS", "HEAT", "SMOKE"] | None = None
    type: Literal["vehicle", "infantry", "area"] | None = None
    facts: Annotated[dict[Name, Fact], Field(max_length=40)] | None = None


class Control(Body):
    """An event that speaks of other events."""

    what: Literal["undo", "redo", "overrule", "new dice", "seed"]
    event: EventNumber | None = None
    to: Name | None = None
    why: Words = ""
    side: Name | None = None
    text: Words = ""


class Line(Body):
    """A line of `minis play`."""

    line: Words


class Preview(Body):
    """A move that is not made yet."""

    unit: Name
    path: Annotated[list[Place], Field(max_length=WAY_POINTS)] = []
    facing: Degrees | None = None
    turret: Degrees | None = None
    mp: Points | None = None
    delay: Points | None = None
    reverse: bool | None = None
    motion: bool | None = None
    how: Literal["assault", "hazardous", "dash"] | None = None
    storey: Annotated[int, Field(ge=0, le=60)] | None = None
    roof: bool | None = None


class Snap(Body):
    """A place near which a unit is dropped."""

    at: Place
    unit: Name | None = None


class Overlay(Body):
    """A planning help for a unit or a place."""

    what: Literal["dead", "field", "chance"]
    unit: Name | None = None
    at: Place | None = None


class SeatOrder(Body):
    """What becomes of a seat."""

    seat: Name
    side: Name | None = None
    what: Literal["new", "revoke"] = "new"


# --- reading ---------------------------------------------------------------------------------------------------------

Model = TypeVar("Model", bound=Body)


def read_body(model: type[Model], raw: bytes) -> Model:
    """The body of a request; raises Malformed for what is no JSON object, BadInput for one with anything wrong.

    >>> read_body(Line, b'{"line": "s T1 P3"}').line
    's T1 P3'
    """
    try:
        found = json.loads(raw.decode("utf-8"), parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        raise Malformed("expected JSON") from None
    if not isinstance(found, dict):
        raise Malformed("expected a JSON object")
    return _model(model, found)


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _model(model: type[Model], found: Mapping[str, Any]) -> Model:
    try:
        return model.model_validate(dict(found))
    except ValidationError as error:
        raise BadInput([_mistake(cast(Mapping[str, Any], one)) for one in error.errors()[:SAID]]) from None


SAID = 3
"""So many mistakes of a body are said."""


def _mistake(error: Mapping[str, Any]) -> Mistake:
    where = ".".join(str(part) for part in error["loc"])
    message = str(error["msg"]).removeprefix("Value error, ")
    return Mistake(message[:1].lower() + message[1:], path=where[:LONGEST] or "the body")
