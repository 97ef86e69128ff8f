"""The report at the end of a game: what every token was, who was killed by what, the dice, the judge's word (S11.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from minis.board.units import Unit
from minis.errors import MinisError
from minis.fire.boresight import BoreSight
from minis.game.chain import Event
from minis.game.dice_report import SideDice, dice_by_side, shots_of
from minis.game.fates import HIDDEN, Cover, Loss, fates
from minis.game.game import Game
from minis.game.ledger import Fields
from minis.game.log import words
from minis.lengths import EPSILON_IN
from minis.rules.model import Rules
from minis.tally import Item
from minis.toml_file import parse_toml

NOT_ENDED = "the report is shown when the game has ended"
"""What a side hears before that."""


@dataclass(frozen=True)
class Shown:
    """A unit as the report names it: its id, its side, in words what it is, and whether it is a dummy."""

    id: str
    side: str
    what: str
    dummy: bool


@dataclass(frozen=True)
class Said:
    """Something that stands in the journal: the number of the event, when it was, and in words what it says.

    `about` is the number of the event that it speaks of, or that took it back, None where there is none; `why` is the
    reason that was given, and `fate` what became of it since, empty where it stands.
    """

    event: int
    when: str
    text: str
    about: int | None = None
    why: str = ""
    fate: str = ""


@dataclass(frozen=True)
class Number:
    """A number of the rules that is an invention of the house, as sums had it, and how often."""

    value: float
    label: str
    rule: str
    source: str
    times: int


@dataclass(frozen=True)
class HouseRule:
    """A row of the house rules of the game that answers rested on, by table and id, and how often."""

    name: str
    label: str
    rule: str
    times: int


@dataclass(frozen=True)
class Sealed:
    """The set-up of a side: its file, and the words of its seal, empty where it was not sealed."""

    side: str
    name: str
    words: str


@dataclass(frozen=True)
class Report:
    """Everything that may be told once a game has ended.

    `end` is the event that ended it, None while it is on; `key` is the key of the machine's dice, None until then.
    `units` names every unit that anything here speaks of. `taken_back` lists what counts as not having happened.
    """

    title: str
    scenario: str
    turns: int
    when: str
    end: int | None
    units: Mapping[str, Shown]
    tokens: tuple[Cover, ...]
    hidden: tuple[Cover, ...]
    losses: tuple[Loss, ...]
    dice: Mapping[str, SideDice]
    taken_back: tuple[Said, ...]
    new_dice: tuple[Said, ...]
    overrulings: tuple[Said, ...]
    setups: tuple[Sealed, ...]
    seeds: Mapping[str, str]
    key_hash: str
    key: str | None
    switches: Mapping[str, float | str]
    house_rules: tuple[HouseRule, ...]
    house_removed: tuple[str, ...]
    house_numbers: tuple[Number, ...]
    boresights: tuple[BoreSight, ...]
    notes: tuple[Said, ...]


def report(game: Game) -> Report:
    """The report of a game, for the judge at any time and for everybody once it has ended (`check_ended`)."""
    timeline, start, first = game.timeline, game.start.unit_by_id, game.timeline.events[0].data
    became = fates(start, timeline)
    ends = [event for event in timeline.acts() if event.kind == "end"]
    last = ends[-1] if ends else None
    answers = [event.data["answer"] for event in timeline.acts() if "answer" in event.data]
    rules = game.start.rules
    return Report(
        title=game.start.title,
        scenario=first["scenario"]["name"],
        turns=game.state.turn,
        when=game.state.when,
        end=last.seq if last else None,
        units=shown_units(start, first["scenario"]["text"]),
        tokens=tuple(cover for cover in became.covers if cover.token != HIDDEN),
        hidden=tuple(cover for cover in became.covers if cover.token == HIDDEN),
        losses=tuple(became.losses),
        dice=dice_by_side(start, timeline),
        taken_back=tuple(_taken_back(game)),
        new_dice=tuple(_said(event, event.data["what"]) for event in timeline.events if event.kind == "new dice"),
        overrulings=tuple(_overrulings(game)),
        setups=tuple(Sealed(kept["side"], kept["name"], kept.get("words", "")) for kept in first["setups"]),
        seeds=dict(timeline.seeds),
        key_hash=first["key_hash"],
        key=last.data["answer"]["key"] if last else None,
        switches=rules.not_default,
        house_rules=tuple(_house_rules(rules, answers)),
        house_removed=rules.removed,
        house_numbers=tuple(_house_numbers(rules, answers)),
        boresights=tuple(game.state.boresights.values()),
        notes=tuple(_said(event, event.data["answer"]["text"]) for event in timeline.acts() if event.kind == "note"),
    )


def check_ended(game: Game) -> None:
    """Raise MinisError while a game is on: what the report tells is kept back until then (S11.4)."""
    if not game.state.ended:
        raise MinisError(NOT_ENDED)


# --- units ---------------------------------------------------------------------------------------------------------


def shown_units(start: Mapping[str, Unit], scenario: str) -> dict[str, Shown]:
    """Every unit of a set-up as the report names it, with its type where the text of the scenario says one."""
    listed = parse_toml(scenario, "").data.get("unit", [])
    types = {str(raw["id"]): str(raw["type"]) for raw in listed if "type" in raw}
    return {name: Shown(name, unit.side, what_is(unit, types.get(name)), unit.dummy) for name, unit in start.items()}


def what_is(unit: Unit, type_name: str | None = None) -> str:
    """A unit in words: its type, its size, its kind, its guns; a dummy is just that.

    >>> from minis.board import read_board
    >>> from minis.rules import examples_folder
    >>> board = read_board(examples_folder() / "crossroads" / "scenario.toml")
    >>> what_is(board.unit("P5"), "tiger"), what_is(board.unit("T4")), what_is(board.unit("P7"), "tiger")
    ('tiger (very large armoured vehicle, 88L)', 'infantry', 'a dummy')
    """
    if unit.dummy:
        return "a dummy"
    size = [unit.size.label] if unit.size.percent else []
    kind = " ".join([*size, *(["armoured"] if unit.armoured else []), unit.kind.label])
    parts = ", ".join([kind, *(weapon.gun for weapon in unit.weapons)])
    return f"{type_name} ({parts})" if type_name else parts


# --- what stands in the journal ------------------------------------------------------------------------------------


def _said(event: Event, text: str, *, fate: str = "") -> Said:
    data = event.data
    return Said(event.seq, data.get("when", "set-up"), text, data.get("event"), data.get("why", ""), fate)


def _taken_back(game: Game) -> Iterator[Said]:
    """Events that do not count, each with the reason of the undo that took it back last."""
    undone = {event.data["event"]: event for event in game.timeline.events if event.kind == "undo"}
    for event in game.timeline.events:
        if event.seq in game.timeline.undone and event.kind != "overrule":  # those have a list of their own
            by = undone[event.seq]
            yield Said(event.seq, event.data.get("when", "set-up"), words(event)[0], by.seq, by.data.get("why", ""))


def _overrulings(game: Game) -> Iterator[Said]:
    """Every word of the judge on an event, with the words of that event, and whether it still stands."""
    timeline = game.timeline
    for event in timeline.events:
        if event.kind != "overrule":
            continue
        number = event.data["event"]
        over = timeline.overruled.get(number)
        fate = "" if over is event else f"replaced by event {over.seq}" if over else ""
        fate = "taken back" if event.seq in timeline.undone else fate
        if not fate and number in timeline.undone:
            fate = f"event {number} is taken back"
        yield _said(event, f"{words(timeline.event(number))[0].rstrip('.')}: {event.data['to']}", fate=fate)


# --- what is not as printed ----------------------------------------------------------------------------------------


def _house_rules(rules: Rules, answers: list[Fields]) -> Iterator[HouseRule]:
    """The rows of the house folder that answers rested on, in the order of their names."""
    rows = {f"{table.name}/{row.id}": row for table in rules.tables.values() for row in table.rows}
    times = Counter(name for answer in answers for one in _rulings(answer) for name in one["house_rules"])
    for name, count in sorted(times.items()):
        yield HouseRule(name, rows[name].label, rows[name].rule, count)


def _house_numbers(rules: Rules, answers: list[Fields]) -> Iterator[Number]:
    """The numbers of rulings whose source is the house, the most used first."""
    found = Counter(
        (item.value, item.label, item.rule, item.source)
        for answer in answers
        for one in _rulings(answer)
        for item in _items(rules, one)
        if item.source == "house" or item.source.startswith("house rule")
    )
    for (value, label, rule, source), times in sorted(found.items(), key=lambda one: (-one[1], one[0][1], one[0][0])):
        yield Number(value, label, rule, source, times)


def _rulings(answer: Fields) -> Iterator[Fields]:
    """The rulings of an answer that dice decided or that need none: for a shot one a target, with its sighting."""
    if "tally" not in answer:
        return
    if "others" not in answer:
        yield answer
        return
    for shot in shots_of(answer):
        yield shot
        if shot["sighting"]["dice"]:
            yield shot["sighting"]


def _items(rules: Rules, ruling: Fields) -> Iterator[Item]:
    """The numbers that a ruling rests on: the items of its sums, and the percentage of a small unit in cover (S2.4)."""
    effect = (ruling.get("result") or {}).get("effect") or {}
    for item in (*ruling["tally"], *effect.get("tally", ()), *effect.get("drm", ())):
        yield Item(item["value"], item["label"], item["rule"], item["source"])
    if ruling.get("test") == "at_most" and ruling["need"] is not None:
        at = sum(item["value"] for item in ruling["tally"])
        row = next(row for row in rules.small_in_cover if at <= row.up_to + EPSILON_IN)
        yield Item(ruling["need"], f"percent, small in cover, {row.label}", row.rule, row.cited)
