"""The log in words: each event as one line that a judge reads aloud, and what stands behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from minis.game.chain import Event
from minis.game.ledger import Fields
from minis.game.timeline import Timeline
from minis.lengths import format_length, format_number


@dataclass(frozen=True)
class Entry:
    """An event in words: its number, when it was, the line, what stands behind it, and what became of it since.

    `fate` is empty for an event that counts as it was ruled.
    """

    number: int
    when: str
    kind: str
    line: str
    behind: tuple[str, ...] = ()
    fate: str = ""


def entries(timeline: Timeline, turn: int | None = None) -> list[Entry]:
    """The log of a game, of one turn or of all, oldest first."""
    found = []
    for event in timeline.events:
        if turn is None or event.data.get("turn", 0) == turn:
            line, behind = words(event)
            when = event.data.get("when", "set-up")
            if event.kind == "turn" and event.seq not in timeline.undone:
                when = f"turn {event.data['answer']['turn']}, {event.data['answer']['label']}"
            found.append(Entry(event.seq, when, event.kind, line, behind, _fate(timeline, event)))
    return found


def _fate(timeline: Timeline, event: Event) -> str:
    """What became of an event: taken back, overruled."""
    if event.seq in timeline.undone:
        return "taken back"
    over = timeline.overruled.get(event.seq)
    return f"overruled by event {over.seq}: {over.data['to']}" if over else ""


def words(event: Event) -> tuple[str, tuple[str, ...]]:
    """An event as one line, and the lines behind it."""
    found = WORDS[event.kind](event.data)
    return (found, ()) if isinstance(found, str) else (found[0], tuple(found[1]))


Said = str | tuple[str, list[str]]


def _start(data: Fields) -> Said:
    setups = [
        f"{kept['side']}: set-up {kept['name']}" + (", sealed" if "words" in kept else "") for kept in data["setups"]
    ]
    first = f"The game begins: {data['title']}. {' moves before '.join(data['order'])}."
    return first, [*setups, f"the machine's dice are those of a key whose SHA-256 is {data['key_hash']}"]


def _turn(data: Fields) -> Said:
    answer = data["answer"]
    behind = [f"no longer sighted: {', '.join(answer['lapsed'])}"] if answer["lapsed"] else []
    behind += [f"smoke clears: {', '.join(answer['smoke_cleared'])}"] if answer["smoke_cleared"] else []
    return f"Turn {answer['turn']}: {answer['label']}.", behind


def _move(data: Fields) -> Said:
    answer, asked = data["answer"], data["asked"]
    x, y = answer["to"]
    ways = [
        name
        for name, true in (("in reverse", asked.get("reverse")), ("and stays in motion", asked.get("motion")))
        if true
    ]
    how = " ".join(ways + ([asked["how"]] if asked.get("how") else []))
    if answer["path_in"]:
        mp, far = f"{format_number(round(answer['mp'], 2))} MP", format_length(round(answer["path_in"], 2))
        line = f"{answer['unit']} moves {far} ({mp}) to {x:g},{y:g}{' ' + how if how else ''}"
    else:
        line = f"{answer['unit']} turns"
    line += f", facing {answer['facing']:03.0f}"
    line += f", turret {answer['turret']:03.0f}." if answer["turret"] != answer["facing"] else "."
    return line, list(_passing(answer))


def _passing(answer: Fields) -> Iterator[str]:
    """What happened on the way of a move."""
    found = answer["replaced"]
    if found:
        what = "is a dummy and is taken off" if found["dummy"] else f"is {answer['unit']}"
        where = f"after {format_length(round(found['at_in'], 2))}, near {found['enemy']}"
        yield f"token {found['token']} {what}: {where} ({found['rule']})"
    shocked = [one["firer"] for one in answer["opportunities"] if one["armed"] and one["shocked"]]
    ready = [one for one in answer["opportunities"] if one["firer"] not in shocked]
    able = [one for one in ready if one["armed"] and (one["shots"] or one["case"] is None)]
    yield from (opportunity(one) for one in able)
    others = {one["firer"]: one for one in ready if one not in able}
    short = [name for name, one in others.items() if one["armed"]]
    unarmed = [name for name, one in others.items() if not one["armed"]]
    if short:
        yield f"seen where it stops by {', '.join(short)} too, for less than one MP: no shot yet (F4.2)"
    if unarmed:
        yield f"seen where it stops by {', '.join(unarmed)} too, without a weapon in the scenario"
    if shocked:
        yield f"seen where it stops by {', '.join(shocked)} too, whose crew is shocked: no shot (C7)"
    for climb in answer["underbelly"]:
        yield f"{climb['firer']} may shoot at the underside where it {climb['how']} {climb['by']} ({climb['rule']})"
    for down in answer["hull_down"]:
        if down["hull_down"]:
            yield f"hull down ({down['hull_down']}) at {down['by']} ({down['rule']})"
    for loss in answer["lost"]:
        yield f"{loss['what']}: {loss['why']} ({loss['rule']})"
    yield from answer["notes"]


def opportunity(one: Fields) -> str:
    """One enemy's defensive first fire opportunity in words (F4.1, F4.2)."""
    who = one["firer"] + (" (hidden)" if one["hidden"] else "")
    mp = format_number(round(one["mp_in_sight"], 2))
    seen = "in sight from the start" if one["in_sight_from_start"] else f"{mp} MP in sight"
    many = len(one["shots"])
    shots = f", Case {one['case']}, {many} shot{'' if many == 1 else 's'} at most" if one["case"] else ""
    return f"{who} may fire at it where it stops: {seen}{shots}{'' if one['sighted'] else '; has not sighted it yet'}"


def _attempt(data: Fields) -> Said:
    answer, asked = data["answer"], data["asked"]
    verb = "identify" if answer["procedure"] == "identify" else "sight"
    who = f"{asked['sighter']} tries to {verb} {asked['target']}"
    rolled = [die for die in data["dice"] if die["purpose"] == "sighting"]
    result = {
        True: f"{verb}ed" if verb == "sight" else "identified",
        False: f"not {verb}ed" if verb == "sight" else "not identified",
    }
    if rolled:
        asked_for = f"{answer['need']} or {'more' if answer['test'] == 'at_least' else 'less'}"
        line = f"{who}: {rolled[0]['face']} on {asked_for}, {result[bool(answer['sighted'])]}."
    else:
        line = f"{who}: {answer['outcome']}, {result[bool(answer['sighted'])]}."
    return line, [*_tally(answer["tally"]), *_dice(data)]


def _fire(data: Fields) -> Said:
    answer = data["answer"]
    lines = [_shot(answer), *(_shot(one) for one in answer["others"])]
    behind = [line for one in (answer, *answer["others"]) for line in _tally(one["tally"])]
    if answer["laid"]:
        what = "it turns" if "facing" in answer["laid"] else "turret or carriage turns"
        behind.append(f"{what} to {answer['laid']['turret']:03.0f} to be laid (C5.1)")
    if answer["blinded"]:
        behind.append(f"blinded by smoke for this turn: {', '.join(answer['blinded'])} (S8.5)")
    if answer["sighting"]["dice"]:
        behind += _tally(answer["sighting"]["tally"])
    if answer["weapon"] is None:
        return f"{answer['from']} would fire {lines[0]}.", [*behind, *_dice(data)]
    return f"{answer['from']} fires {answer['weapon']} ({answer['ammo']}): {'; '.join(lines)}.", [*behind, *_dice(data)]


def _shot(answer: Fields) -> str:
    """One target of a shot in words."""
    result = answer["result"]
    if answer["refusal"] or result is None:
        why = answer["refusal"]["why"] if answer["refusal"] else "not thrown"
        return f"at {answer['to']}: {why}"
    what = "miss"
    if result["hit"]:
        parts = [result.get("location"), "critical" if result.get("critical") else None]
        what = " ".join(["hit", *(f"({part})" for part in parts if part)])
        effect = result.get("effect")
        if effect and effect["result"]:
            what += f", {effect['result']}"
        elif effect and effect["refusal"]:
            what += f", {effect['refusal']['why']}"
    if result.get("malfunction"):
        what += ", the weapon malfunctions"
    needs = (
        f"{result['original_dr']} on {answer['hit_on']} or less, "
        if answer["hit_on"] is not None and "original_dr" in result
        else ""
    )
    return f"at {answer['to']}: {needs}{what}"


def _effect(data: Fields) -> Said:
    answer = data["answer"]
    line = f"{answer['target']}: {answer['result']}"
    if answer["rolled"] != answer["result"]:
        line += f" by the judge's word (rolled: {answer['rolled'] or 'nothing'})"
    behind = [f"it vanishes: {answer['why']} ({answer['rule']})"] if answer["vanishes"] else []
    behind += [f"{answer['placed']} is placed on the table (S12.3)"] if answer["placed"] else []
    behind += [f"with it: {', '.join(answer['riders'])}; the judge rules on them"] if answer["riders"] else []
    return f"{line} (event {answer['event']}).", behind


def _smoke(data: Fields) -> Said:
    answer = data["answer"]
    if answer["do"] == "remove":
        return f"Smoke {answer['id']} is taken off."
    x, y = answer["at"]
    if answer["do"] == "move":
        return f"Smoke {answer['id']} drifts to {x:g},{y:g}."
    own = f", {answer['by']}'s own" if answer["by"] else ""
    size = f"radius {format_length(answer['radius'])}{own}, until turn {answer['until']}"
    return f"Smoke {answer['id']} at {x:g},{y:g}, {size}."


def _placed(data: Fields) -> Said:
    answer = data["answer"]
    token = f" as token {answer['token']}" if answer["token"] else ""
    return f"{answer['unit']} is placed on the table{token}." + _why(answer)


def _removed(data: Fields) -> Said:
    return f"{data['answer']['unit']} is out of the game: {data['answer']['how']}."


def _loaded(data: Fields) -> Said:
    answer = data["answer"]
    how = "is hitched to" if answer["tow"] else "gets on"
    return f"{answer['unit']} {how} {answer['carrier']}."


def _unloaded(data: Fields) -> Said:
    answer = data["answer"]
    x, y = answer["at"]
    return f"{answer['unit']} leaves {answer['carrier']} at {x:g},{y:g}."


def _set(data: Fields) -> Said:
    answer = data["answer"]
    facts = ", ".join(f"{name} {str(value).lower()}" for name, value in answer["facts"].items())
    return f"{answer['unit']}: {facts}." + _why(answer)


def _weapon(data: Fields) -> Said:
    answer = data["answer"]
    return f"{answer['unit']} {answer['weapon']}: {answer['state']}." + _why(answer)


def _boresight(data: Fields) -> Said:
    answer = data["answer"]
    return f"{answer['unit']} {answer['weapon']} is bore sighted on {answer['at'][0]:g},{answer['at'][1]:g}."


def _manoeuvre(data: Fields) -> Said:
    answer = data["answer"]
    arc = answer["protected"]
    got = f"protected {arc['width']:g}° around {arc['centre']:03.0f}" if arc else "no protected arc"
    return f"{answer['unit']} tries a hull-down manoeuvre: {answer['why']}, {got}.", list(_dice(data))


def _control(verb: str) -> Callable[[Fields], Said]:
    return lambda data: f"Event {data['event']} {verb}: {data['what']}" + _why(data)


def _why(data: Fields) -> str:
    return f" {data['why']}." if data.get("why") else ""


def _tally(items: list[Fields]) -> Iterator[str]:
    """The items of a sum, each on a line of its own."""
    for item in items:
        case = f"{item['case']}  " if item.get("case") else ""
        value = item["value"]
        length = isinstance(value, float) and value >= 0 and not case
        number = format_number(value) if length else f"{value:+g}"
        yield f"{number:>8}  {case}{item['label']}  {item['rule']}  {item['source']}"


def _dice(data: Fields) -> Iterator[str]:
    if data.get("dice"):
        yield "dice: " + ", ".join(_die(die) for die in data["dice"])


def _die(die: Fields) -> str:
    return f"{die['purpose']} {die['face']}" + ("" if die["how"] == "typed" else " (thrown)")


WORDS: dict[str, Callable[[Fields], Any]] = {
    "start": _start,
    "turn": _turn,
    "move": _move,
    "sight": _attempt,
    "identify": _attempt,
    "fire": _fire,
    "effect": _effect,
    "smoke": _smoke,
    "place": _placed,
    "remove": _removed,
    "load": _loaded,
    "unload": _unloaded,
    "set": _set,
    "weapon": _weapon,
    "boresight": _boresight,
    "manoeuvre": _manoeuvre,
    "note": lambda data: f"Note: {data['answer']['text']}",
    "end": lambda data: f"The game ends. The key of the machine's dice: {data['answer']['key']}",
    "undo": _control("is taken back"),
    "redo": _control("counts again"),
    "overrule": lambda data: f"The judge overrules event {data['event']}: {data['to']}." + _why(data),
    "new dice": _control("gets new dice"),
    "seed": lambda data: f"{data['side']} adds to the machine's dice: {data['text']}",
}
"""The words of each kind of event."""
