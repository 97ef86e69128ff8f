"""Noninterference of games (S11, S12): what a side may not know changes no byte of what any command tells it.

Two games are played side by side. What happens in public is the same in both; what hides under tokens, who is hidden,
and everything that the judge does in secret differ. Where the rules themselves tell the players a difference, such as
a sighting that succeeds because of what a token is, that act is left out of both games (`told`).
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import pytest
from boards import Doc
from click.shell_completion import ShellComplete
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from test_views import ENEMY, SIDE, armed, flagged, said, write

from minis.cli.main import COMMANDS, cli
from minis.errors import MinisError
from minis.game.act import Box, Outcome
from minis.game.acts import ACTS
from minis.game.chain import Event
from minis.game.control import dependents, new_dice, overrule, redo, undo
from minis.game.game import Game
from minis.game.opening import prepare
from minis.game.results import open_effects
from minis.game.side_log import SideEntry, side_log
from minis.game.views import board_for

Act = tuple[str, dict[str, Any], dict[str, list[int]]]
Told = tuple[str, str, int]

KEY = bytes(32)

SECRET_IDS = ("KONIGSTIGER-9", "NASHORN-7", "PAKFRONT-5", "BRUMMBAR-3", "HETZER-8", "WESPE-6", "MARDER-4")
"""Ids of what the side does not know."""

SECRET_WORDS = (*SECRET_IDS, "blitzrohr", "geheimtyp", "flatterzunge")
"""What no command may say to the side: those ids, the weapons and the type of such units, notes and reasons."""

NOT_SHOWN = ("pinned", "stun", "immobile", "shocked", "spotted", "blinded", "in_open", "captured", "encircled", "cx")
"""Facts that nobody sees of an enemy; of a token nobody sees `COVERED` either."""

COVERED = (*NOT_SHOWN, "motion", "buttoned_up", "dashing", "nonassault", "hazardous")


# --- two scenarios ---------------------------------------------------------------------------------------------------


def place(rng: random.Random, left: int, right: int) -> list[float]:
    """A place on the table, from one x to another."""
    return [rng.randrange(4 * left, 4 * right) / 4, rng.randrange(16, 224) / 4]


def public(rng: random.Random) -> Doc:
    """What the side may know: the table, its own units in the west, an identified enemy and tokens in the east."""
    own: list[Doc] = [
        {"id": "T1", "kind": "vehicle", "armoured": True, "stabilized": rng.random() < 0.5, "base": [3, 2]},
        {"id": "T2", "kind": "infantry", "weapons": [{"id": "lmg", "gun": "MG"}]},
        {"id": "T3", "kind": "infantry"} | rng.choice(({"hidden": True}, {"token": "B1"})),
    ]
    own[0]["weapons"] = [{"id": "main", "gun": "75"}]
    units = [unit | {"side": SIDE, "at": place(rng, 20, 30), "facing": 90} for unit in own]
    front: Doc = {"id": "P1", "side": ENEMY, "at": place(rng, 64, 84)} | armed(rng, "vehicle")
    front["weapons"] = [{"id": "main", "gun": "75L"}]
    tokens = [{"token": f"A{n}", "side": ENEMY, "at": place(rng, 64, 84)} for n in (1, 2, 3)]
    for unit in (front, *tokens):
        unit["sighted_by"] = [name for name in ("T1", "T2") if rng.random() < 0.7]
    return {
        "title": "Two tables",
        "table": {"width": 120, "depth": 60},
        "switches": {"stays_sighted": rng.choice(("always", "phase"))} | rng.choice(({}, {"hidden_obstruct": "yes"})),
        "terrain": [
            {"id": "hill", "kind": "hill", "level": 1, "box": [10, 4, 22, 56]},
            {"id": "wood", "kind": "woods", "box": [40, 2, 46, rng.choice((14, 30))]},
            {"id": "house", "kind": "building", "storeys": 2, "box": [94, 20, 104, 30]},
        ],
        "smoke": [{"id": "screen", "circle": {"centre": place(rng, 40, 60), "radius": 3}, "by": "T1"}],
        "unit": [*units, front, *tokens],
    }


@dataclass
class Table:
    """One of two games: its file, what is secret in it, and the numbers of its public and of its secret events."""

    game: Game
    rng: random.Random
    hidden: list[str]
    under: list[str]
    public: list[int] = field(default_factory=list)
    secret: list[int] = field(default_factory=list)


def table(folder: Path, known: Doc, rng: random.Random) -> Table:
    """A game around what is known, with what its tokens stand for, who is hidden, who rides."""
    free = list(SECRET_IDS)
    rng.shuffle(free)
    units = [dict(unit) for unit in known["unit"]]
    under: list[str] = []
    for unit in units:
        if unit.get("token") == "A3":  # this one is placed in public some day: what stands on the table is the same
            unit |= {"id": "P3", "kind": "vehicle", "facing": 200}
        elif unit["side"] == ENEMY and "token" in unit:
            under.append(free[-1])
            unit |= {"id": free.pop(), "dummy": rng.random() < 0.4} | _secretly(rng)
        if unit["side"] == ENEMY:
            unit |= {"stun": rng.randint(0, 1), "leadership": rng.randint(-2, 1), **flagged(rng, ("pinned", "cx"))}
    hidden = [free.pop() for _ in range(rng.choice((0, 1, 2, 2)))]
    x, y = place(rng, 60, 112)
    for name, kind, apart in zip(hidden, ("vehicle", "infantry"), (0, 1), strict=False):  # the one may carry the other
        units.append({"id": name, "side": ENEMY, "at": [x + apart, y], "hidden": True} | _secretly(rng, kind))
    if rng.random() < 0.5:
        trucks = [unit for unit in units if unit["id"] in SECRET_IDS and unit["kind"] == "vehicle"]
        for carrier in [unit for unit in trucks if not unit.get("dummy")][:1]:
            carrier["carries"] = [free[-1]]
            units.append({"id": free.pop(), "side": ENEMY, "at": carrier["at"]} | _secretly(rng, "infantry"))
    rng.shuffle(units)
    folder.mkdir()
    doc = known | {"unit": units, "types": {"geheimtyp": {"size": "large"}}}
    write(folder / "scenario.toml", doc)
    opening = prepare(folder / "scenario.toml", first=SIDE, key=KEY)
    return Table(Game.begin(folder / "game", opening, KEY), rng, hidden, under)


def _secretly(rng: random.Random, kind: str | None = None) -> Doc:
    """What a unit is that nobody sees."""
    unit = armed(rng, kind or rng.choice(("vehicle", "vehicle", "gun", "infantry")))
    unit |= flagged(rng, ("radio", "spotter"))
    unit["weapons"] = [{"id": "blitzrohr", "gun": rng.choice(("88L", "MG", "76*"))}]
    if rng.random() < 0.3:
        del unit["size"]
        unit["type"] = "geheimtyp"
    return unit


# --- what happens in them --------------------------------------------------------------------------------------------


def public_act(rng: random.Random) -> Act:
    """Something that both sides see, by names that the side knows."""
    own, enemy, token = rng.choice(("T1", "T2")), "P1", rng.choice(("A1", "A2", "A3"))
    die = [rng.choice((1, 100))]
    throw = rng.choice(({"coloured": [6], "white": [5]}, {"coloured": [1], "white": [2]}))
    acts: list[Act] = [
        ("move", {"unit": own, "to": place(rng, 18, 30), "facing": 80.0}, {}),
        ("move", {"unit": own, "facing": 90.0, "turret": rng.choice((45.0, 90.0))}, {}),
        ("move", {"unit": rng.choice((enemy, token)), "to": place(rng, 64, 90)}, {}),
        ("sight", {"sighter": own, "target": rng.choice((enemy, token))}, {"sighting": die}),
        ("identify", {"sighter": own, "target": token, "procedure": "identify"}, {"sighting": die}),
        ("sight", {"sighter": rng.choice((enemy, token)), "target": own}, {"sighting": die}),
        *(
            ("fire", {"firer": firer, "target": target, "no_effect": True}, {"sighting": [100], **throw})
            for firer, target in (("T1", enemy), ("T1", token), ("T1", token), (enemy, own), (token, own))
        ),
        ("smoke", {"do": "place", "at": place(rng, 30, 60)}, {}),
        ("smoke", {"do": "move", "id": rng.choice(("screen", "smoke-1")), "at": place(rng, 30, 60)}, {}),
        ("set", {"unit": own, "facts": {rng.choice(NOT_SHOWN[2:]): True, "stun": rng.randint(0, 2)}}, {}),
        ("set", {"unit": enemy, "facts": {rng.choice(("motion", "buttoned_up", "moved")): rng.random() < 0.5}}, {}),
        ("set", {"unit": token, "facts": {rng.choice(("moved", "fired")): rng.random() < 0.5}}, {}),
        ("weapon", {"unit": "T1", "weapon": "main", "state": "ready"}, {}),
        ("place", {"unit": rng.choice(("T3", "A3"))}, {}),
        ("turn", {}, {}),
    ]
    return rng.choice(acts)


def told(kind: str, asked: dict[str, Any], outcome: Outcome) -> Any:
    """What the rules themselves tell everybody of an act; None where they tell what was under a token (S10)."""
    answer = outcome.answer
    if not outcome.recorded or answer.get("replaced") or (kind == "identify" and answer["sighted"]):
        return None
    if kind in ("sight", "identify"):
        return answer["sighted"]
    kept = [(k, v and v.get("value")) for t, k, v in outcome.changes if t == "acquired" and k.startswith("T")]
    if kind == "fire":
        return [answer["result"]["hit"], answer["sighting"]["sighted"], kept]
    return kept if kind == "move" and not str(asked["unit"]).startswith("T") else kind


def both(tables: list[Table], act: Act) -> None:
    """Let something happen in both games, where it may and where the rules tell the same of it."""
    kind, asked, typed = act
    try:
        found = [told(kind, asked, ruled(each.game, act)) for each in tables]
    except MinisError:
        return  # what is refused in one game happens in neither
    if found[0] is not None and found[0] == found[1]:
        for each in tables:
            _, event = each.game.act(kind, asked, typed)
            each.public += [event.seq] if event is not None else []


def ruled(game: Game, act: Act) -> Outcome:
    """What the rules say of an act; raises MinisError for dice too that nothing calls for."""
    kind, asked, typed = act
    box = Box(typed)
    outcome = ACTS[kind](game.state, asked, box)
    box.check_empty()
    return outcome


def take_back(tables: list[Table], rng: random.Random) -> None:
    """Take a public event back in both games, or bring it back; or the judge says what came of it."""
    number = rng.randrange(len(tables[0].public))
    events = [(each.game, each.game.timeline.event(each.public[number])) for each in tables]
    if any(list(dependents(game, event)) for game, event in events):
        return
    for game, event in events:
        if event.seq in game.timeline.undone:
            redo(game, event.seq)
        elif event.kind in ("sight", "fire") and event.seq not in game.timeline.overruled and number % 3:
            overrule(game, event.seq, otherwise(event), "flatterzunge")
        else:
            undo(game, event.seq, "flatterzunge")


def otherwise(event: Event) -> str:
    """The other thing that a sighting or a shot might have come to."""
    answer = event.data["answer"]
    if event.kind == "sight":
        return "not sighted" if answer["sighted"] else "sighted"
    return "miss" if answer["result"]["hit"] else "hit"


def take_effect(tables: list[Table], rng: random.Random) -> None:
    """The judge says what a hit in both games did."""
    result = rng.choice(("immobilized", "shock", "eliminated", "no effect"))
    shots = [[event.seq for event, _ in open_effects(each.game.state)] for each in tables]
    public = [n for n, seqs in enumerate(zip(*(each.public for each in tables), strict=True))
              if all(seq in found for seq, found in zip(seqs, shots, strict=True))]  # fmt: skip
    for number in public[:1]:
        for each in tables:
            _, event = each.game.act("effect", {"event": each.public[number], "take": result})
            assert event is not None
            each.public.append(event.seq)


def secret_act(each: Table) -> None:
    """Something of which the side learns nothing: it changes only what it does not see."""
    rng, game = each.rng, each.game
    name = rng.choice([*each.hidden, *each.under])
    own, enemy = rng.choice(("T1", "T2")), rng.choice([*each.hidden, "A1", "A2", "P1"])
    fact: dict[str, Any] = {rng.choice(COVERED if name != "P1" else NOT_SHOWN): True}
    fact = {"stun": 3} if "stun" in fact else fact
    acts: list[Act] = [
        ("sight", {"sighter": enemy, "target": own}, {"sighting": [rng.choice((1, 50, 100))]}),
        ("set", {"unit": name, "facts": fact, "why": "flatterzunge"}, {}),
        ("set", {"unit": "P1", "facts": {rng.choice(("pinned", "immobile", "shocked", "cx")): True}}, {}),
        ("note", {"text": "flatterzunge"}, {}),
        ("weapon", {"unit": name, "state": rng.choice(("malfunction", "ready", "out of ammunition"))}, {}),
        ("boresight", {"unit": rng.choice((name, "P1")), "at": place(rng, 20, 60)}, {}),
    ]
    if name in each.hidden:
        rider, carrier = each.hidden[-1], rng.choice((each.hidden[0], each.under[0]))
        acts += [
            ("move", {"unit": name, "to": place(rng, 55, 115)}, {}),
            ("move", {"unit": name, "to": place(rng, 55, 115), "motion": True}, {}),
            *(
                (kind, {"sighter": own, "target": name, "procedure": kind}, {"sighting": [die]})
                for kind in ("sight", "identify")
                for die in (1, 100)
            ),
            *[("load", {"unit": rider, "carrier": carrier}, {})] * 3,
            ("unload", {"unit": rider}, {}),
            ("remove", {"unit": name, "how": "flatterzunge"}, {}),
            ("manoeuvre", {"unit": name}, {"manoeuvre": [rng.randint(1, 6)]}),
        ]
    kind, asked, typed = rng.choice(acts)
    try:
        if rng.random() < 0.25 and each.secret:
            speak_of(each, rng.choice(each.secret))
            return
        outcome = game.ask(kind, asked, typed)
        if kind in ("sight", "identify") and asked["target"] == name and outcome.answer["sighted"]:
            return  # that would be seen
        if kind == "unload" and not game.state.unit(outcome.answer["carrier"]).hidden:
            return  # and so would that
        _, event = game.act(kind, asked, typed)
        each.secret += [event.seq] if event is not None else []
    except MinisError:
        return  # what may not be did not happen


def speak_of(each: Table, number: int) -> None:
    """Take a secret event back, bring it back, order new dice for it, or overrule it."""
    game, event = each.game, each.game.timeline.event(number)
    if event.kind == "sight" and event.data["asked"]["target"] in ("T1", "T2") and each.rng.random() < 0.5:
        overrule(game, number, each.rng.choice(("sighted", "not sighted")), "flatterzunge")
    elif number not in game.timeline.undone:
        undo(game, number, "flatterzunge")
    elif event.data.get("dice") and each.rng.random() < 0.7:
        new_dice(game, number, "flatterzunge")
    else:
        redo(game, number)


def games(folder: Path, one: int, other: int, seed: int) -> list[Table]:
    """Two games that the side cannot tell apart, closed: from the seeds of what is secret in each, and of the rest."""
    rng = random.Random(seed)
    known = public(rng)
    tables = [table(folder / name, known, random.Random(number)) for name, number in (("1", one), ("2", other))]
    for step in range(16):
        for each in tables:
            for _ in range(each.rng.randint(0, 2)):
                secret_act(each)
        if step in (1, 3):
            both(tables, ("turn", {}, {}))
        elif step > 3 and rng.random() < 0.15:
            take_back(tables, rng)
        else:
            both(tables, public_act(rng))
        if rng.random() < 0.3:
            take_effect(tables, rng)
    for each in tables:
        each.game.close()
    return tables


# --- what the side may ask -------------------------------------------------------------------------------------------


def reads(rng: random.Random, *, every: bool = False) -> Iterator[list[str]]:
    """Every command that reads, between names of all kinds; two plans, a picture and an export, or `every` one."""

    def name(*kinds: str) -> str:
        named = {"own": ("T1", "T2", "T3"), "enemy": ("P1",), "token": ("A1", "A2", "A3", "B1")}
        named |= {"secret": (*SECRET_IDS, "P3"), "nobody": ("zz", "spot-1", "A4", "KONIGSTIGER", "")}
        return rng.choice(named[rng.choice(kinds or tuple(named))])

    own, seen = ("own", "own", "own", "token", "secret"), ("enemy", "token")
    for words in (
        ["measure", name(*own), name()], ["measure", name(*seen), name("own")],
        ["los", name(*own), name()], ["los", name("own"), name(*seen)], ["los", name("token"), name("own")],
        ["sight", name(*own), name()], ["sight", name("own"), name("enemy"), "--dice", "70"],
        ["identify", name(*own), name()], ["identify", name("own"), name("token"), "--dice", "99", "--ask"],
        ["fire", name(*own), name()], ["fire", "T1", "P1", "--dice", "2,1", "--effect-dice", "3,4"],
        ["fire", "T1", name("enemy"), "--also", name(), "--sight-dice", "99", "--ammo", "HE"],
        ["fire", name("own", "enemy"), "--all"], ["fire", name(), "--all"],
        ["hulldown", name()], ["hulldown", name("own", "enemy"), "--from", name()], ["hulldown", "T1", "--manoeuvre"],
        ["exposure", name("own"), "--from", name(), "--path", "30,20"],
        ["exposure", name(), "--from", name("own"), "--path", "70,20 60,20"],
        ["sweep", "--side", SIDE], ["sweep", "--side", rng.choice((ENEMY, "martians"))],
        ["watch"], ["watch", "--side", rng.choice((SIDE, ENEMY))], ["check", "@game"],
        ["show"], ["show"], ["log"], ["log"], ["log", "--turn", rng.choice("0123")], ["report"], ["verify", "@game"],
        ["sheet"],
    ):  # fmt: skip
        yield [*words, *rng.choice(([], ["--json"]))]
    plans = [
        ["plan", "field", name(*own)], ["plan", "lane"], ["plan", "boresight", name("own", "secret")],
        ["plan", "compare", "30,20", name(), "--weapon", name(*own)], ["plan", "check", "@game"],
        ["plan", "hide", "--side", SIDE, "--weapon", name(*own), "--zone", "meadow"],
        ["plan", "balance", "--trials", "1", "--seed", "1"],
    ]  # fmt: skip
    yield from plans if every else rng.sample(plans, 2)
    pictures = [
        ["draw", "map"], ["draw", "los", name(*own), name()], ["draw", "shadow", name(*own)],
        ["draw", "field", name(*own), "--cell", "8"], ["draw", "plan"], ["draw", "map", "--judge"],
    ]  # fmt: skip
    yield from pictures if every else rng.sample(pictures, 1)
    exports = [["export", "geojson"], ["export", "svg"], ["export", "uvtt", "--pixels", "1"]]
    yield from exports if every else rng.sample(exports, 1)
    yield from (["measure", "T1", secret] for secret in SECRET_IDS)
    yield from (["log", "--markdown"], ["log", "--full"], ["log", "--salvage"], ["report", "--markdown"])


REFUSED = {
    "start": ["@1/scenario.toml", "@new"], "turn": [], "turn next": [], "move": ["T1", "--to", "20,20"],
    "effect": ["3"], "smoke place": ["--at", "50,20"], "smoke move": ["screen", "--at", "50,20"],
    "smoke remove": ["screen"], "place": ["KONIGSTIGER-9"], "load": ["NASHORN-7", "T1"], "unload": ["HETZER-8"],
    "set": ["KONIGSTIGER-9", "pinned"], "weapon": ["A1", "malfunction"], "boresight": ["A1", "--at", "20,20"],
    "remove": ["A1"], "note": ["hello"], "undo": [], "redo": [], "overrule": ["4", "--to", "miss", "--why", "so"],
    "newdice": ["4", "--why", "so"], "seed": [SIDE, "tulip"], "end": [], "play": ["@game"], "serve": ["@game"],
    "fmt": ["@1/scenario.toml"], "lint": ["@1/scenario.toml"], "crop": ["@game", "--box", "0,0,9,9", "-o", "@new"],
    "merge": ["@1/scenario.toml", "@2/scenario.toml", "-o", "@new"],
}  # fmt: skip
"""What only the judge does, by every command and command of a group that records: the side is refused it."""

FREE = ("seal", "tables", "tape", "schema", "import")
"""Commands that are put to no game and no scenario."""


def ask(path: Path, words: list[str]) -> Told:
    """What a command says to the side that has set MINIS_GAME and MINIS_SIDE."""
    asked = [str(path.parent / word[1:]) if word.startswith("@") else word for word in words]
    return said(*asked, MINIS_GAME=str(path), MINIS_SIDE=SIDE)


def offered(path: Path, words: list[str]) -> list[str]:
    """What the shell completes."""
    found = ShellComplete(cli, {}, "minis", "_MINIS_COMPLETE").get_completions([*words, "-g", str(path)], "")
    return [item.value for item in found]


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with what stands in it."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


seeds = st.integers(0, 10**9)


@given(seeds, seeds, seeds)
@settings(max_examples=8, derandomize=True, phases=(Phase.generate,))  # a shorter game would tell no more
def test_no_command_tells_a_side_what_it_may_not_know(
    tmp_path_factory: pytest.TempPathFactory, one: int, other: int, seed: int
) -> None:
    """S11, S12: two games that differ in secrets alone give the same bytes and exit status, and no file is touched."""
    folder = tmp_path_factory.mktemp("games")
    path = folder / "game"
    commands = [*reads(random.Random(seed)), *([*name.split(), *rest] for name, rest in REFUSED.items())]
    answers = []
    for made in games(folder, one, other, seed):
        os.replace(made.game.path, path)
        before = files(folder)
        answers.append([ask(path, words) for words in commands] + [offered(path, ["los", "--as", SIDE])])
        assert files(folder) == before
    for words, left, right in zip([*commands, ["completion"]], *answers, strict=True):
        assert left == right, words
        if not {"P3", *SECRET_IDS} & set(words):
            assert not [word for word in SECRET_WORDS if word.lower() in str(left).lower()], words


PUBLICLY = {"turn", "move", "sight", "fire", "effect", "smoke", "set", "weapon", "place"}
SECRETLY = {
    "move", "sight", "identify", "set", "note", "weapon", "manoeuvre", "boresight", "load", "remove", "undo", "redo",
    "overrule", "new dice",
}  # fmt: skip


def test_the_pairs_differ_in_all_that_is_secret_and_everything_happens_in_them(tmp_path: Path) -> None:
    """The generator makes what it says: in few games every kind of public and of secret event, and no two alike."""
    publicly, secretly, seed = set(PUBLICLY), set(SECRETLY), START
    while publicly or secretly:
        assert seed < START + 40, (publicly, secretly)
        folder = tmp_path / str(seed)
        folder.mkdir()
        left, right = games(folder, 2 * seed, 2 * seed + 1, seed)
        assert [e.kind for e in left.game.timeline.events] != [e.kind for e in right.game.timeline.events]
        for each in (left, right):
            events = each.game.timeline.events
            publicly -= {events[number - 1].kind for number in each.public}
            secretly -= {event.kind for event in events if event.seq not in each.public}
        seed += 1


START = 41
"""The first of the seeds; from here on few are needed."""


# --- the wall --------------------------------------------------------------------------------------------------------


def leaves(command: click.Command, *names: str) -> Iterator[tuple[str, click.Command]]:
    """Every command and every command of a group by its whole name; a group that does something itself is one too."""
    if not isinstance(command, click.Group) or (names and command.invoke_without_command):
        yield " ".join(names), command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), name)
            assert found is not None
            yield from leaves(found, *names, name)


def test_every_command_reads_is_refused_or_has_no_secrets() -> None:
    """The wall: a new command is put to the test above, or shown to be put to no game."""
    groups = ("plan", "draw", "export")
    read = {" ".join(words[: 2 if words[0] in groups else 1]) for words in reads(random.Random(1), every=True)}
    assert not read & REFUSED.keys()
    for name, command in leaves(cli):
        if name.split()[0] in FREE:
            assert not {"--game", "--as"} & {option for param in command.params for option in param.opts}, name
        else:
            assert name in read | REFUSED.keys(), name


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that is on."""
    return games(tmp_path_factory.mktemp("played"), 1, 2, 3)[0].game.path


def test_only_the_judge_records(played: Path) -> None:
    """A side is refused every command that records, in the same words whatever it names; nothing is recorded."""
    before = files(played.parent)
    for name, rest in REFUSED.items():
        if name.split()[0] in COMMANDS:
            out, err, status = ask(played, [*name.split(), *rest])
            assert (out, err.startswith("only the judge"), status) == ("", True, 1), name
    assert files(played.parent) == before


def test_the_side_may_stand_in_the_environment(played: Path) -> None:
    """MINIS_SIDE is --as for every command that reads a game, and it is not the judge's answer that one gets."""
    told = judged = 0
    for words in reads(random.Random(5)):
        asked = [str(played) if word == "@game" else word for word in words]
        answer = ask(played, words)
        assert answer == said(*asked, side=SIDE, MINIS_GAME=str(played)), words
        told += answer[2] == 0
        judged += answer == said(*asked, "--ask" if words[0] in ("sight", "identify", "fire") else "--json",
                                 MINIS_GAME=str(played))  # fmt: skip
    assert told > 10
    assert judged < told


# --- what the side log says ------------------------------------------------------------------------------------------

BRIDGE = """
title = "The bridge"
table = { width = 120, depth = 60 }
unit = [
  { id = "tank", side = "allied", kind = "vehicle", armoured = true, at = [10, 20], facing = 90 },
  { id = "tiger", side = "axis", kind = "vehicle", armoured = true, at = [80, 20], token = "A7" },
  { id = "nothing", side = "axis", kind = "vehicle", armoured = true, at = [80, 30], token = "A8" },
  { id = "in ambush", side = "axis", kind = "infantry", at = [80, 10], hidden = true },
]
"""


@pytest.fixture
def bridge(tmp_path: Path) -> Iterator[Game]:
    """A game on the bridge, in its first turn."""
    path = tmp_path / "bridge.toml"
    path.write_text(BRIDGE, encoding="utf-8")
    with Game.begin(tmp_path / "game", prepare(path, first=SIDE, key=KEY), KEY) as game:
        for _ in range(2):
            game.act("turn", {})
        yield game


def seen(game: Game) -> list[SideEntry]:
    """The log as the side saw it, without the turns."""
    return [entry for entry in side_log(game.start, game.order, game.timeline, SIDE) if "Turn " not in entry.lines[0]]


def test_secret_events_leave_no_gap_in_the_log(bridge: Game) -> None:
    """An attempt at a token that fails is told, one at a hidden unit is not, and the numbers go on by one."""
    bridge.act("sight", {"sighter": "tank", "target": "in ambush"}, {"sighting": [1]})
    bridge.act("sight", {"sighter": "tank", "target": "A7"}, {"sighting": [1]})
    bridge.act("set", {"unit": "tiger", "facts": {"pinned": True, "motion": True}})
    bridge.act("sight", {"sighter": "tank", "target": "A8"}, {"sighting": [100]})
    entries = seen(bridge)
    assert [entry.lines for entry in entries] == [("tank does not sight A7.",), ("tank sights A8.",)]
    assert [entry.number for entry in entries] == [3, 4]


def test_what_a_token_did_in_an_earlier_turn_is_forgotten(bridge: Game) -> None:
    """The facts of a turn clear for what is in motion under its token as for what is not: they look the same."""
    bridge.act("set", {"unit": "A7", "facts": {"motion": True}})
    for token, y in (("A7", 20.0), ("A8", 30.0)):
        bridge.act("set", {"unit": token, "facts": {"moved": True}})
        bridge.act("move", {"unit": token, "to": [79.0, y]})
    while bridge.state.turn == 1:
        bridge.act("turn", {})
    flags = {unit.id: unit.flags for unit in board_for(bridge.state.board, SIDE).units if unit.unknown}
    assert flags == {"A7": frozenset(), "A8": frozenset()}


def test_a_side_that_lost_its_last_unit_reads_its_log(bridge: Game) -> None:
    """The log goes on to the end of the game, with the loss and with what happens on the table after it."""
    bridge.act("remove", {"unit": "tank"})
    bridge.act("turn", {})
    bridge.act("smoke", {"do": "place", "id": "puff", "at": [40.0, 20.0]})
    lines = [line for entry in side_log(bridge.start, bridge.order, bridge.timeline, SIDE) for line in entry.lines]
    assert lines[2:3] == ["tank is taken off the table."]
    assert lines[-1] == "Smoke puff is placed."


def test_a_passenger_is_not_seen_because_its_carrier_is_removed(bridge: Game) -> None:
    """S11.1: when the judge takes off what is under a token, its passenger is not left on the table for all to see."""
    bridge.act("place", {"unit": "in ambush", "token": True})
    bridge.act("move", {"unit": "in ambush", "to": [79.0, 20.0]})
    bridge.act("load", {"unit": "in ambush", "carrier": "tiger"})
    assert [unit.id for unit in board_for(bridge.state.board, SIDE).units] == ["tank", "A7", "A8"]
    bridge.act("remove", {"unit": "tiger"})
    assert [unit.id for unit in board_for(bridge.state.board, SIDE).units] == ["tank", "A8"]
