"""What a side may know (S11, S12): no command tells it more, whatever stands in the file that it may not know."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import boards
import click
import pytest
from boards import Doc
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.board.units import Unit
from minis.cli.main import COMMANDS, cli
from minis.errors import BadInput
from minis.game.views import OWN_FIELDS, board_for

SIDE, ENEMY = "allied", "axis"


# --- files and commands ----------------------------------------------------------------------------------------------


def toml(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    return json.dumps(value)


def write(path: Path, doc: Doc) -> None:
    """Write a scenario file."""
    path.write_text("".join(f"{key} = {toml(value)}\n" for key, value in doc.items()), encoding="utf-8")


def run(*words: object, side: str | None = None, **environment: str | None) -> Result:
    """Run a command in this process as a side, or as the judge; a traceback is the test's failure."""
    asked = [str(word) for word in words] + (["--as", side] if side is not None else [])
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1", **environment}
    return CliRunner(env=env).invoke(cli, asked, catch_exceptions=False)


def said(*words: object, side: str | None = None, **environment: str | None) -> tuple[str, str, int]:
    """Everything that a command tells: standard output, standard error, exit status."""
    result = run(*words, side=side, **environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout, result.stderr, result.exit_code


# --- pairs of scenarios that a side cannot tell apart ----------------------------------------------------------------

SIZES = ("very small", "small", "average", "large", "very large")
SECRET_FLAGS = ("pinned", "stabilized", "captured", "nonqualified", "overstacked", "encircled", "cx", "spotted")
PUBLIC_FLAGS = ("moved", "fired", "motion", "buttoned_up", "dashing", "nonassault", "hazardous")
GUNS = ("75L", "37", "57LL", "76*", "MG", "81 mortar")
HOUSE = (24.0, 16.0, 32.0, 22.0)

SECRET_IDS = ("S1", "S2", "S3", "S4", "T9", "P9", "A9", "ghost", "Tiger I", "H1", "H2", "H3")
"""Ids of what the side does not know; some are near to ids that it knows, for hints at the nearest names."""

NOBODY = ("zz", "T8", "A8", "", "hill")
"""Ids of no unit."""


def place(rng: random.Random) -> list[float]:
    """A place on the table, off the middle so that lines cross it."""
    return [rng.randrange(4, 224) / 4, rng.randrange(4, 152) / 4]


def armed(rng: random.Random, kind: str) -> Doc:
    """What a model shows: size, base, facing, weapons, armour."""
    unit: Doc = {"kind": kind, "size": rng.choice(SIZES), "facing": rng.choice((0, 45, 90, 200, 270))}
    if rng.random() < 0.5:
        unit["base"] = rng.choice(([3, 2], [1, 1], 0))
    if kind == "vehicle":
        unit["armoured"] = rng.random() < 0.7
        unit["turret"] = rng.choice((0, 90, 180))
        if unit["armoured"]:
            front, side = rng.randint(1, 18), rng.randint(1, 8)
            unit["armour"] = {"hull": {"front": front, "side": side, "rear": side}}
    unit["weapons"] = [{"id": "main", "gun": rng.choice(GUNS)}] if rng.random() < 0.8 else []
    unit["nation"] = rng.choice(("us", "german"))
    return unit


def flagged(rng: random.Random, names: tuple[str, ...]) -> Doc:
    """Some facts of this turn."""
    return {name: True for name in names if rng.random() < 0.25}


@dataclass(frozen=True)
class Public:
    """What the side may know: the table, its own units, identified enemies, where tokens stand."""

    ground: Doc
    own: list[Doc]
    enemies: list[Doc]
    tokens: list[Doc]


def public(rng: random.Random) -> Public:
    """A small table with a hill, woods, a house, a wall and smoke, and what stands on it for all to see."""
    own: list[Doc] = []
    for number in range(1, rng.randint(3, 5)):
        unit = {"id": f"T{number}", "side": SIDE, "at": place(rng)} | armed(
            rng, "vehicle" if number < 3 else "infantry"
        )
        unit |= flagged(rng, (*PUBLIC_FLAGS, *SECRET_FLAGS)) | {"leadership": rng.randint(-1, 1)}
        own.append(unit | rng.choice(({}, {}, {"hidden": True}, {"token": f"B{number}"})))
    names = [unit["id"] for unit in own]
    enemies: list[Doc] = []
    for number in range(1, rng.randint(2, 4)):
        unit = {"id": f"P{number}", "side": ENEMY, "at": place(rng)}
        unit |= armed(rng, rng.choice(("vehicle", "vehicle", "infantry"))) | flagged(rng, PUBLIC_FLAGS)
        enemies.append(unit | {"sighted_by": some(rng, names), "wreck": rng.random() < 0.15})
    tokens: list[Doc] = []
    for number in range(1, rng.randint(3, 5)):
        token = {"token": f"A{number}", "side": ENEMY, "at": place(rng), "sighted_by": some(rng, names)}
        if rng.random() < 0.3:
            token |= {"at": [28.0, 19.0]} | rng.choice(({"storey": 1}, {"roof": True}))
        tokens.append(token | flagged(rng, ("moved", "fired")))
    ground: Doc = {
        "table": {"width": 60, "depth": 40},
        "switches": rng.choice(({}, {}, {"hidden_obstruct": "yes"}, {"tow": "two"})),
        "terrain": [
            {"id": "hill", "kind": "hill", "level": rng.randint(1, 2), "box": [2, 4, 16, 36]},
            {"id": "wood", "kind": "woods", "box": [36.0, 2.0, 44.0, rng.choice((12.0, 30.0))]},
            {"id": "house", "kind": "building", "storeys": 2, "box": list(HOUSE)},
            {"id": "wall", "kind": "wall", "line": [[20, 30], [50, rng.choice((30, 36))]]},
        ],
        "smoke": [{"id": "own smoke", "circle": {"centre": place(rng), "radius": 3}, "by": rng.choice(names)}],
    }
    return Public(ground, own, enemies, tokens)


def some(rng: random.Random, names: list[str]) -> list[str]:
    """Some of these names."""
    return [name for name in names if rng.random() < 0.3]


def with_secrets(known: Public, rng: random.Random) -> Doc:
    """A whole scenario around what is known: what the tokens stand for, who is hidden, who rides, in any order."""
    known = copy.deepcopy(known)
    free = list(SECRET_IDS)
    rng.shuffle(free)
    units = [*known.own, *known.enemies]
    for token in known.tokens:
        units += [token, *_under(token, free, rng)]
    for _ in range(rng.randint(0, 3)):
        unit = {"id": free.pop(), "side": ENEMY, "at": place(rng), "hidden": True}
        units.append(unit | armed(rng, rng.choice(("vehicle", "gun", "infantry"))) | _unseen(rng))
    for unit in known.enemies:
        unit |= _unseen(rng)
        if unit["kind"] == "vehicle" and not unit["sighted_by"] and free and rng.random() < 0.5:
            units.append(_aboard(unit, free, rng))
    ids = [unit["id"] for unit in units]
    for unit in known.own:
        unit["sighted_by"] = [name for name in some(rng, ids) if name != unit["id"]]
    for unit in known.enemies + known.tokens:
        theirs = [other["id"] for other in units if other["side"] == ENEMY and other is not unit]
        unit["sighted_by"] = [*unit["sighted_by"], *some(rng, theirs)]
    clouds = [*known.ground["smoke"], {"id": "smoke", "circle": {"centre": [33, 12], "radius": 4}}]
    out_of_sight = [unit["id"] for unit in units if unit.get("hidden") and unit["side"] == ENEMY]
    if out_of_sight and rng.random() < 0.5:
        clouds[-1]["by"] = rng.choice(out_of_sight)
    rng.shuffle(units)
    return {**known.ground, "smoke": clouds, "types": {"secret weapon": {"size": rng.choice(SIZES)}}, "unit": units}


def _under(token: Doc, free: list[str], rng: random.Random) -> list[Doc]:
    """Fill in what a token stands for, or nothing; and what it carries or tows."""
    kind = rng.choice(("vehicle", "gun", "infantry"))
    token |= {"id": free.pop(), "dummy": rng.random() < 0.3, "wreck": rng.random() < 0.1}
    token |= armed(rng, kind) | _unseen(rng) | flagged(rng, PUBLIC_FLAGS[2:])
    if rng.random() < 0.3:
        token |= {"type": "secret weapon"}
        token.pop("size")
    if kind != "vehicle" or len(free) < 6 or rng.random() < 0.4:
        return []
    if rng.random() < 0.5:
        return [_aboard(token, free, rng)]
    gun = {"id": free.pop(), "side": ENEMY, "at": place(rng)} | armed(rng, rng.choice(("gun", "vehicle")))
    token["tow"] = gun["id"]
    return [gun | rng.choice(({}, {"token": f"towed {token['token']}"}))]


def _aboard(carrier: Doc, free: list[str], rng: random.Random) -> Doc:
    """A passenger, with a token of its own or none."""
    rider = {"id": free.pop(), "side": ENEMY, "at": carrier["at"], "sighted_by": ["T1"]} | armed(rng, "infantry")
    carrier["carries"] = [rider["id"]]
    return rider | rng.choice(({}, {"token": f"aboard {carrier['id']}"}))


def _unseen(rng: random.Random) -> Doc:
    """What nobody sees of an enemy: its state, its radio, its leader."""
    state = {"stun": rng.randint(0, 2), "leadership": rng.randint(-2, 1), "extra_squads": rng.randint(0, 2)}
    return state | flagged(rng, (*SECRET_FLAGS, "blinded", "in_open", "radio", "spotter"))


def ids_of(known: Public, kinds: tuple[str, ...]) -> list[str]:
    """Names that a player may type: those he knows by kind, then such as he does not."""
    named = {
        "own": [unit["id"] for unit in known.own],
        "enemy": [unit["id"] for unit in known.enemies],
        "token": [unit["token"] for unit in known.tokens],
        "other": [*SECRET_IDS, *NOBODY, "towed A1", "aboard P1", "B1"],
    }
    return [name for kind in kinds for name in named[kind]]


def commands(known: Public, rng: random.Random) -> list[list[str]]:
    """One of each command that reads, between names of all kinds; own units ask more often."""

    def any_id(*kinds: str) -> str:
        kind = rng.choice(kinds or ("own", "enemy", "token", "other"))
        return rng.choice(ids_of(known, (kind,)) or ["zz"])

    def asker() -> str:
        return any_id("own", "own", "own", "enemy", "token", "other")

    dice: list[list[str]] = [[], [], ["--dice", "55"], ["--dice", "90", "--smoke-die", "5"]]
    shot: list[list[str]] = [[], ["--dice", "2,1", "--effect-dice", "3,4"], ["--sight-dice", "99", "--dice", "3,2"]]
    asked = [
        ["measure", asker(), any_id()],
        ["los", asker(), any_id()],
        ["los", any_id("token"), any_id("own")],
        ["sight", asker(), any_id(), *rng.choice(dice)],
        ["identify", asker(), any_id(), *rng.choice(dice)],
        ["hulldown", any_id(), *rng.choice(([], ["--from", any_id()], ["--manoeuvre"]))],
        ["fire", asker(), any_id(), *rng.choice(shot)],
        ["fire", any_id("own"), any_id("enemy"), "--also", any_id(), "--sight-dice", "99", "--ammo", "HE"],
        ["fire", asker(), "--all"],
        ["exposure", any_id(), "--from", any_id(), "--path", "30,20"],
        ["sweep", "--side", rng.choice((SIDE, ENEMY, "martian"))],
        ["watch", *rng.choice(([], ["--side", SIDE], ["--side", ENEMY]))],
        ["check", "@"],
    ]
    pictures = [["draw", "map"], ["draw", "los", asker(), any_id()], ["draw", "shadow", asker()], ["draw", "plan"]]
    pictures.append(["export", "geojson"])
    return [words + rng.choice(([], ["--json"])) for words in asked] + pictures


def secrets(one: int, other: int, seed: int) -> tuple[Public, Doc, Doc]:
    """What is known, and two scenarios around it."""
    known = public(random.Random(seed))
    return known, with_secrets(known, random.Random(one)), with_secrets(known, random.Random(other))


seeds = st.integers(0, 10**9)


@given(seeds, seeds, seeds)
@settings(max_examples=200)
def test_the_board_of_a_side_says_nothing_of_what_it_may_not_know(one: int, other: int, seed: int) -> None:
    """Noninterference: two scenarios that differ in secrets alone give one and the same board, item by item."""
    _, left, right = secrets(one, other, seed)
    seen = board_for(boards.board_of_doc(left), SIDE)
    assert seen == board_for(boards.board_of_doc(right), SIDE)


@given(seeds, seeds, seeds)
@settings(max_examples=16)
def test_no_command_says_anything_of_what_a_side_may_not_know(
    tmp_path_factory: pytest.TempPathFactory, one: int, other: int, seed: int
) -> None:
    """Noninterference: every byte on both streams and the exit status are the same, whatever is asked."""
    known, left, right = secrets(one, other, seed)
    path = tmp_path_factory.getbasetemp() / "secret" / "scenario.toml"
    path.parent.mkdir(exist_ok=True)
    asked = [[str(path) if word == "@" else word for word in c] for c in commands(known, random.Random(seed))]
    told = []
    for doc in (left, right):
        write(path, doc)
        told.append([said(*words, MINIS_GAME=str(path), MINIS_SIDE=SIDE) for words in asked])
    for words, first, second in zip(asked, *told, strict=True):
        assert first == second, words


def test_the_pairs_are_good_scenarios_that_differ_in_all_that_is_secret() -> None:
    """The generator makes what it says: files without mistakes, with dummies, hidden units, riders, guns on tow."""
    docs = [with_secrets(public(random.Random(seed)), random.Random(seed + 1)) for seed in range(40)]
    for doc in docs:
        boards.board_of_doc(doc)
    units = [unit for doc in docs for unit in doc["unit"] if unit["side"] == ENEMY]
    for key in ("hidden", "dummy", "token", "carries", "tow", "stun", "wreck", "type"):
        assert any(unit.get(key) for unit in units), key
    riders = {name for unit in units for name in (*unit.get("carries", []), unit.get("tow"))}
    assert any(unit["id"] in riders and "token" in unit for unit in units)


# --- as a player meets it --------------------------------------------------------------------------------------------

FARM = """
title = "The farm"
table = { width = 60, depth = 40 }
smoke = [
  { id = "screen", circle = { centre = [50, 38], radius = 1 }, by = "gun in hiding" },
  { id = "puff", circle = { centre = [20, 4], radius = 2 }, by = "panzer" },
]
unit = [
  { id = "tank", side = "allied", kind = "vehicle", armoured = true, at = [10, 20], facing = 90, sighted_by = ["gun in hiding"], weapons = [{ id = "main", gun = "75" }] },
  { id = "own hideout", side = "allied", kind = "infantry", at = [10, 24], hidden = true },
  { id = "own shell", side = "allied", kind = "infantry", at = [12, 24], token = "B1" },
  { id = "tiger", side = "axis", kind = "vehicle", armoured = true, size = "very large", base = [4, 3], at = [30, 20], facing = 200, token = "A7", moved = true, motion = true, sighted_by = ["tank", "mg"] },
  { id = "nothing", side = "axis", kind = "infantry", at = [30, 24], dummy = true, token = "A8", moved = true, sighted_by = ["tank"] },
  { id = "gun in hiding", side = "axis", kind = "gun", at = [40, 22], hidden = true },
  { id = "mg", side = "axis", kind = "infantry", at = [30, 10], pinned = true, stun = 1, leadership = -1, radio = false, sighted_by = ["tank", "tiger"] },
  { id = "panzer", side = "axis", kind = "vehicle", at = [20, 4], armoured = true, token = "A9" },
  { id = "truck", side = "axis", kind = "vehicle", at = [40, 30], carries = ["squad"] },
  { id = "squad", side = "axis", kind = "infantry", at = [40, 30] },
  { id = "tractor", side = "axis", kind = "vehicle", at = [45, 35], tow = "towed" },
  { id = "towed", side = "axis", kind = "gun", at = [47, 35] },
  { id = "in ambush", side = "partisans", kind = "infantry", at = [50, 10], hidden = true },
]
"""  # noqa: E501


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    """The farm as a file."""
    path = tmp_path / "farm.toml"
    path.write_text(FARM, encoding="utf-8")
    return path


def view(text: str = FARM, side: str = SIDE) -> Any:
    """The board of a scenario text as a side may know it."""
    return board_for(boards.board(text), side)


def test_a_side_sees_its_own_the_identified_and_the_tokens() -> None:
    """S11.1, S12.1: hidden enemies are not there, tokens go by their names, riders come with a sighted carrier."""
    assert [unit.id for unit in view().units] == [
        "own hideout", "own shell", "tank", "A7", "A8", "A9", "mg", "towed", "tractor", "truck",
    ]  # fmt: skip


def test_a_tiger_and_a_dummy_are_the_same_marker() -> None:
    """S11.5: but for its name and its place a token is one and the same, whatever stands under it."""
    markers = [view().unit(name) for name in ("A7", "A8")]
    tiger, nothing = ({f.name: getattr(unit, f.name) for f in fields(Unit)} for unit in markers)
    differing = {name for name in tiger if tiger[name] != nothing[name]}
    assert differing == {"id", "token", "at"}
    assert (tiger["kind"].id, tiger["flags"], tiger["sighted_by"]) == ("infantry", {"moved"}, {"tank"})
    assert tiger["unknown"]
    assert not tiger["dummy"]
    assert not tiger["weapons"]


def test_an_identified_enemy_shows_its_model_and_nothing_of_its_state() -> None:
    """What a model shows is known; that it is pinned, stunned, led or without radio is not, nor whom it has sighted."""
    mg = view().unit("mg")
    assert (mg.flags, mg.stun, mg.leadership, mg.radio, mg.sighted_by) == (frozenset(), 0, 0, True, {"tank"})


def test_a_side_knows_its_own_units_but_not_who_has_sighted_them() -> None:
    """S12.2: that a hidden gun sees the tank is the judge's secret; all else of one's own is there."""
    whole = boards.board(FARM)
    seen = board_for(whole, SIDE)
    for name in ("tank", "own hideout", "own shell"):
        assert all(getattr(seen.unit(name), key) == getattr(whole.unit(name), key) for key in OWN_FIELDS)
        assert seen.unit(name).sighted_by == frozenset()


def test_every_field_of_a_unit_is_decided_about() -> None:
    """A field that is added to a unit is a secret until somebody puts it on a list."""
    assert {*OWN_FIELDS, "sighted_by", "unknown"} == {field.name for field in fields(Unit)}


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (("kind = \"vehicle\", at = [40, 30]", "kind = \"vehicle\", at = [40, 30], sighted_by = [\"tank\"]"), True),
        (("kind = \"vehicle\", at = [40, 30]", "kind = \"vehicle\", at = [40, 30], sighted_by = [\"mg\"]"), False),
        (
            (
                "kind = \"vehicle\", at = [40, 30]",
                "kind = \"vehicle\", at = [40, 30], token = \"A1\", sighted_by = [\"tank\"]",
            ),
            False,
        ),
        (
            (
                "kind = \"vehicle\", at = [40, 30]",
                "kind = \"vehicle\", at = [40, 30], hidden = true, sighted_by = [\"tank\"]",
            ),
            False,
        ),
    ],
    ids=["sighted by the side", "sighted by its own", "on a token", "hidden"],
)  # fmt: skip
def test_passengers_come_with_a_sighted_carrier(change: tuple[str, str], shown: bool) -> None:
    """S11.1: the squad is shown once somebody of the side has sighted its truck, and the truck is identified."""
    seen = view(FARM.replace(*change))
    assert ("squad" in seen.unit_by_id) is shown
    assert seen.carrier_of == ({"squad": "truck"} if shown else {})


def test_a_gun_is_shown_with_its_tow_alone() -> None:
    """S11.3: gun and tow are one target: behind a token, or a hidden tractor, there is no gun to be seen."""
    assert view().tow_of == {"towed": "tractor"}
    for state in ('token = "A1"', "hidden = true", 'token = "tractor"'):
        behind = view(FARM.replace("at = [45, 35],", f"at = [45, 35], {state},"))
        assert "towed" not in behind.unit_by_id, state
        both = FARM.replace("at = [45, 35],", f"at = [45, 35], {state},").replace(
            "at = [47, 35]", 'at = [47, 35], token = "A2"'
        )
        assert "A2" not in view(both).unit_by_id, state
    alone = view(FARM.replace("at = [47, 35]", 'at = [47, 35], token = "A2"'))
    assert (alone.unit("A2").unknown, alone.tow_of) == (True, {})


def test_carriers_that_carry_each_other_are_no_riddle() -> None:
    """Two trucks that carry each other are in the file as the judge wrote it; they are shown where both are sighted."""
    text = """
    table = { width = 20, depth = 20 }
    unit = [
      { id = "eye", side = "allied", kind = "infantry", at = [5, 5] },
      { id = "one", side = "axis", kind = "vehicle", at = [9, 9], carries = ["two"], sighted_by = ["eye"] },
      { id = "two", side = "axis", kind = "vehicle", at = [9, 9], carries = ["one"] },
    ]
    """
    assert [unit.id for unit in view(text).units] == ["eye"]


def test_whose_smoke_it_is_is_known_of_whom_one_sees() -> None:
    """S8.3: a cloud of a hidden gun is a cloud of nobody's; that of a token is its token's."""
    assert {cloud.id: cloud.by for cloud in view().smoke} == {"screen": None, "puff": "A9"}


def test_the_ground_is_as_it_is() -> None:
    """A view makes no new geometry: terrain, rules and size are those of the table, remarks are the judge's."""
    whole = boards.board(FARM.replace("[30, 24], dummy", "[58, 2], dummy"))
    seen = board_for(whole, SIDE)
    assert seen.terrain is whole.terrain
    assert seen.rules is whole.rules
    assert whole.cautions
    assert not seen.cautions


# --- commands --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["sight", "identify"])
def test_an_attempt_at_a_token_is_the_judges_affair(command: str, farm: Path) -> None:
    """S11.5: the need would tell a vehicle from infantry, and a dummy from both."""
    for token in ("A7", "A8"):
        out, err, status = said(command, "tank", token, "-g", farm, "--json", side=SIDE)
        answer = json.loads(out)
        assert (status, err, answer["outcome"], answer["ruling"]) == (0, "", "impossible", "S11.5")
        assert answer["why"] == f"{token} is a token: only the judge knows what it stands for"
        assert "(token" not in said(command, "tank", token, "-g", farm, side=SIDE)[0]


@pytest.mark.parametrize(
    "words",
    [
        ["fire", "tank", "A7", "--dice", "1,1"],
        ["fire", "A7", "tank"],
        ["fire", "A7", "--all"],
        ["hulldown", "A7"],
        ["hulldown", "A7", "--from", "tank"],
        ["hulldown", "A7", "--manoeuvre"],
    ],
    ids=" ".join,
)
def test_what_only_the_judge_knows_is_refused(words: list[str], farm: Path) -> None:
    """S11.5: a shot by or at a token, and whether it is hull down, with the same words for a dummy; exit status 1."""
    tiger = said(*words, "-g", farm, side=SIDE)
    nothing = said(*[word.replace("A7", "A8") for word in words], "-g", farm, side=SIDE)
    assert tiger[2] == 1
    assert "A7 is a token: only the judge knows what it stands for" in tiger[0] + tiger[1]
    assert tuple(text.replace("A7", "A8") for text in tiger[:2]) == nothing[:2]


def test_one_measures_to_a_token(farm: Path) -> None:
    """S1.3: everybody has a tape measure: distance and line go to the marker, not to the base of what is under it."""
    _, _, status = said("los", "tank", "A7", "-g", farm, side=SIDE)
    as_player, as_judge = (
        json.loads(said("measure", "tank", "A7", "-g", farm, "--json", side=side)[0]) for side in (SIDE, None)
    )
    assert (status, as_player["to"], as_judge["to"]) == (0, "A7", "tiger")
    assert as_player["distance_in"] > as_judge["distance_in"]
    assert said("exposure", "tank", "--from", "A7", "--path", "20,20", "-g", farm, side=SIDE)[2] == 0


def test_a_sighting_phase_lists_tokens_for_the_judge(farm: Path) -> None:
    """`sweep` of a side: identified enemies with their chance, tokens apart, hidden enemies nowhere."""
    out, _, status = said("sweep", "--side", SIDE, "-g", farm, side=SIDE)
    assert status == 0
    assert "for the judge." in out.splitlines()[0]
    assert "a token: the judge tells (S11.5): A7, A8, A9" in " ".join(out.split())
    assert not any(name in out for name in ("tiger", "nothing", "gun in hiding", "panzer", "squad"))


@pytest.mark.parametrize("name", ["gun in hiding", "tiger", "nothing", "squad", "in ambush"])
def test_what_one_may_not_know_is_not_there(name: str, farm: Path, tmp_path: Path) -> None:
    """An id that the side may not know has the same answer whether there is such a unit or not."""
    other = tmp_path / "other" / "farm.toml"
    other.parent.mkdir()
    other.write_text(FARM.replace(f'"{name}"', '"xyz"'), encoding="utf-8")
    for words in (["los", "tank", name], ["sight", name, "tank"], ["fire", "tank", name], ["hulldown", name]):
        told = [said(*words, "-g", path, side=SIDE) for path in (farm, other)]
        assert told[0][2] == 2
        assert f"there is no unit {name!r}" in told[0][1]
        assert told[0][1].replace(str(farm), "") == told[1][1].replace(str(other), "")


def test_a_side_that_is_all_hidden_is_no_side(farm: Path) -> None:
    """S12.1: the partisans in ambush are nobody, like any other word."""
    partisans, nobody = (said("sweep", "--side", s, "-g", farm, side=SIDE) for s in ("partisans", "nobodies!"))
    assert partisans == (nobody[0], nobody[1].replace("nobodies!", "partisans"), 2)
    assert "axis" in json.loads(said("check", farm, "--json", side=SIDE)[0])["units"]


def test_check_counts_what_a_side_sees(farm: Path) -> None:
    """`check FILE --as`: the units of the view, and no remark of the judge's."""
    out, err, status = said("check", farm, "--json", side=SIDE)
    answer = json.loads(out)
    assert (status, err, answer["units"], answer["cautions"]) == (0, "", {"allied": 3, "axis": 7}, [])
    assert "axis 7" in said("check", farm, side=SIDE)[0]


def test_a_wrong_side_is_told_no_other(farm: Path) -> None:
    """Exit status 2, and no list of the sides."""
    for name in ("martians", ""):
        assert said("los", "tank", "mg", "-g", farm, side=name) == (
            "",
            f"{farm}: there is no side {name!r} in this game\n",
            2,
        )


@pytest.mark.parametrize(
    "mistake",
    [("at = [40, 22]", "at = [400, 22]"), ('by = "gun in hiding"', 'by = "gum"'), ("table =", "tabel ="), ("[", "{{")],
    ids=["off the table", "an unknown id", "a key", "no TOML"],
)
def test_a_file_with_mistakes_is_told_to_the_judge_alone(mistake: tuple[str, str], farm: Path) -> None:
    """Mistakes name hidden units and their places: a side is told that there are some, in fixed words."""
    farm.write_text(FARM.replace(*mistake, 1), encoding="utf-8")
    fixed = f"{farm}: cannot be shown: it has mistakes; the judge's `minis check` lists them\n"
    for words in (["check", farm], ["los", "tank", "mg", "-g", farm], ["sweep", "--side", SIDE, "-g", farm]):
        assert said(*words, side=SIDE) == ("", fixed, 2)
        assert said(*words)[1] not in ("", fixed)


def test_mistakes_of_house_rules_are_told_to_the_judge_alone(farm: Path, tmp_path: Path) -> None:
    """What a folder of house rules says may tell of what is in play, as the file may."""
    (tmp_path / "sizes.toml").write_text("[[row]]\nid = 3\n", encoding="utf-8")
    for words in (["check", farm], ["measure", "tank", "mg", "-g", farm]):
        _, err, status = said(*words, "--tables", tmp_path, side=SIDE)
        assert (status, err) == (2, f"{farm}: cannot be shown: it has mistakes; the judge's `minis check` lists them\n")


def test_a_file_that_is_not_there_is_no_secret(tmp_path: Path) -> None:
    """A player who mistypes a path is told so, as the judge is."""
    for name in ("nowhere.toml", "x" * 300):
        words = ("check", tmp_path / name)
        assert said(*words, side=SIDE) == said(*words)


def test_the_side_may_stand_in_the_environment(farm: Path) -> None:
    """MINIS_SIDE is --as, and --as goes before it."""
    words = ("los", "tank", "tiger", "-g", farm)
    assert said(*words, MINIS_SIDE=SIDE) == said(*words, side=SIDE)
    assert said(*words, MINIS_SIDE=SIDE)[2] == 2
    assert said(*words, side=ENEMY, MINIS_SIDE=SIDE)[2] == 0
    assert said(*words, MINIS_SIDE="")[2] == 0


def test_every_command_that_takes_a_game_takes_a_side() -> None:
    """No command answers a side from the judge's board because nobody thought of it; two are no questions."""
    no_questions: list[str] = []
    group = click.Context(cli)
    params = {name: {p.name for p in cli.get_command(group, name).params} for name in COMMANDS}  # type: ignore[union-attr]
    assert [
        name for name, names in params.items() if names & {"game", "file"} and "as_side" not in names
    ] == no_questions
    assert "as_side" in params["check"]
    assert "as_side" in params["sweep"]


def test_the_shell_completes_what_a_side_sees(farm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a player's prompt neither the id of a hidden unit nor a side that is all hidden is offered."""

    def offered(*args: object) -> set[str]:
        found = ShellComplete(cli, {}, "minis", "_MINIS_COMPLETE").get_completions([str(arg) for arg in args], "")
        return {item.value for item in found if item.type != "option"}

    seen = {unit.id for unit in view().units}
    assert offered("los", "-g", farm, "--as", SIDE) == seen
    assert {"gun in hiding", "tiger"} <= offered("los", "-g", farm)
    monkeypatch.setenv("MINIS_SIDE", SIDE)
    assert offered("los", "-g", farm) == seen
    assert offered("sweep", "-g", farm, "--side") == {SIDE, ENEMY}
    monkeypatch.setenv("MINIS_SIDE", "martians")
    assert offered("los", "-g", farm) == set()
    monkeypatch.delenv("MINIS_SIDE")
    assert offered("los", "-g", farm, "--as") == set()


# --- names of tokens -------------------------------------------------------------------------------------------------


def test_the_judge_calls_a_unit_by_its_token(farm: Path) -> None:
    """A token's name finds its unit, as the players say it; a unit named twice in one shot is still one."""
    assert json.loads(said("los", "tank", "A7", "-g", farm, "--json")[0])["to"] == "tiger"
    assert json.loads(said("fire", "tank", "--all", "-g", farm, "--json")[0])["from"] == "tank"
    _, err, status = said("fire", "tank", "tiger", "--also", "A7", "-g", farm)
    assert (status, "each target is named once" in err) == (2, True)


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("tank", "'tank' is an id of this table"),
        ("screen", "'screen' is an id of this table"),
        ("B1", "the token 'B1' is that of own shell"),
    ],
)
def test_a_token_has_a_name_of_its_own(token: str, why: str) -> None:
    """A token may not be called like another unit, a piece or a token of the other side: a player would mean two."""
    with pytest.raises(BadInput, match=why):
        boards.board(FARM.replace('"A7"', f'"{token}"'))


def test_a_token_may_bear_the_id_of_its_own_unit() -> None:
    """The judge may give no second name away: a dummy's token is its id where he gives none."""
    board = boards.board(FARM.replace('"A7"', '"tiger"').replace(', token = "A8"', ""))
    assert {unit.id for unit in board_for(board, SIDE).units if unit.unknown} == {"tiger", "nothing", "A9"}
