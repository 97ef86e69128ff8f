"""How a game begins: everything it needs goes into its one file, and what is wrong is told before there is one."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from minis.board import Board, read_board
from minis.cli.main import cli
from minis.errors import BadInput
from minis.game.game import Game
from minis.game.opening import prepare

KEY = bytes(32)

SCENARIO = """
title = "A lane at night"
tables = "night"
terrain_from = "ground.geojson"
table = { width = 60, depth = 40 }
smoke = [{ id = "haze", circle = { centre = [30, 30], radius = 3 } }]

[[unit]]
id = "T1"
side = "allied"
kind = "vehicle"
base = 0
at = [6, 4]

[[unit]]
id = "P1"
side = "axis"
kind = "gun"
base = 0
at = [50, 4]
nation = "german"
weapons = [{ id = "main", gun = "75L", ammo = ["AP"], rof = 2 }]

[[unit]]
id = "P2"
side = "axis"
kind = "infantry"
base = 0
at = [50, 20]
"""

NIGHT = """
[[row]]
id = "night"
fact = "always"
label = "night"
value = 10
unit = "inches"
rule = "house 1"
source = "house"
"""

GROUND = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"id": "grove", "kind": "woods"},
            "geometry": {"type": "Polygon", "coordinates": [[[20, 10], [30, 10], [30, 15], [20, 15], [20, 10]]]},
        }
    ],
}

AXIS = 'side = "axis"\n[[unit]]\nid = "P2"\nat = [44, 20]\n[[boresight]]\nunit = "P1"\nat = [30, 4]\n'
ALLIED = 'side = "allied"\n[[unit]]\nid = "D1"\ndummy = true\nat = [8, 8]\n'


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a scenario, its house rules, its ground and two set-ups, and a temporary folder of its own."""
    folder, scratch = tmp_path / "desk", tmp_path / "scratch"
    for path in (folder / "night", scratch):
        path.mkdir(parents=True)
    texts = {
        "lane.toml": SCENARIO, "night/sighting-modifiers.toml": NIGHT, "ground.geojson": json.dumps(GROUND),
        "axis.toml": AXIS, "allied.toml": ALLIED,
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    monkeypatch.chdir(folder)
    return folder


def run(*words: object) -> Result:
    """Run a command in this process; a traceback is the test's failure."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1"}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def start(*words: object) -> Result:
    """Start a game of the lane, which must do."""
    result = run("start", "lane.toml", "a.game", *words)
    assert result.exit_code == 0, result.output
    return result


def refused(*words: object, status: int = 2) -> list[str]:
    """What is said of a game that does not begin: no file of it is left, and nothing in the temporary folder."""
    result = run("start", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert not Path("a.game").exists()
    assert list(Path().glob(".minis-*")) == []
    assert list(Path(tempfile.gettempdir()).iterdir()) == []
    assert tempfile.gettempdir() not in result.stderr
    return result.stderr.removeprefix("Error: ").splitlines()


def edit(name: str, *changes: tuple[str, str]) -> None:
    """Change a file of the desk."""
    path = Path(name)
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def sealed(name: str) -> str:
    """The words of the seal of a set-up file, made now."""
    result = run("seal", name, "--json")
    assert result.exit_code == 0, result.output
    return " ".join(json.loads(result.stdout)["words"])


# --- a game is one file ----------------------------------------------------------------------------------------------


def plain(board: Board) -> Any:
    """All of a board but the name of its file; of the rules the rows, whatever their folder is called."""
    rules = {
        name: [row.model_copy(update={"overlay": bool(row.overlay)}) for row in table.rows]
        for name, table in board.rules.tables.items()
    }
    return replace(board, name="", cautions=(), rules=None), rules  # type: ignore[arg-type]


def test_the_game_file_alone_gives_the_same_table(desk: Path, tmp_path: Path) -> None:
    """Scenario, house rules, ground and set-ups are deleted: units, terrain, smoke, rules and bore sights are there."""
    expected = read_board(desk / "lane.toml")
    start("--setup", "axis=axis.toml", "--setup", "allied=allied.toml")
    alone = tmp_path / "elsewhere.game"
    shutil.move(desk / "a.game", alone)
    shutil.rmtree(desk / "night")
    for path in desk.iterdir():
        path.unlink()
    with Game.open(alone) as game:
        board = game.start
        assert [unit.id for unit in board.units] == ["T1", "P1", "P2", "D1"]
        assert [piece.id for piece in board.terrain] == ["grove"]
        assert (board.unit("P2").at, board.unit("D1").dummy) == ((44 * 8000, 20 * 8000), True)
        moved = [replace(unit, at=board.unit(unit.id).at) for unit in expected.units]
        as_set_up = replace(expected, units=(*moved, board.unit("D1")))
        assert plain(board) == plain(as_set_up)
        assert list(game.state.boresights) == [("P1", "main")]
        answer = game.ask("sight", {"sighter": "T1", "target": "P1"}).answer
    assert answer["house_rules"] == ["sighting-modifiers/night"]
    assert list(Path(tempfile.gettempdir()).iterdir()) == []


def test_house_rules_are_named_as_the_scenario_names_them(desk: Path) -> None:
    """Not by a folder that is there for a moment only: in text and as data, in log and answer."""
    start()
    text = run("sight", "T1", "P1", "-g", "a.game").stdout
    assert "house rules used: night (house 1, night)" in text
    assert run("sight", "T1", "P1", "-g", "a.game", "--dice", "50").exit_code == 0
    said = [
        run(*words, "-g", "a.game").output
        for words in (["sight", "T1", "P1", "--json"], ["log", "--full"], ["log", "--json"], ["los", "T1", "P2"])
    ]
    assert not [line for line in said if tempfile.gettempdir() in line or str(desk) in line]


def test_house_rules_given_by_hand_go_before_those_of_the_scenario(desk: Path) -> None:
    """`--tables` is kept in their place, and answers call it by its own name."""
    (desk / "dusk").mkdir()
    (desk / "dusk" / "sighting-modifiers.toml").write_text(NIGHT.replace("10", "5"), encoding="utf-8")
    start("--tables", "dusk")
    shutil.rmtree(desk / "dusk")
    shutil.rmtree(desk / "night")
    text = run("sight", "T1", "P1", "-g", "a.game").stdout
    assert "house rules used: night (house 1, dusk)" in text
    answer = json.loads(run("sight", "T1", "P1", "-g", "a.game", "--json").stdout)
    assert [item["value"] for item in answer["tally"] if item["label"] == "night"] == [5]


def test_what_is_kept_in_the_first_event(desk: Path) -> None:
    """The texts as they were, the order, the hash of the key; two games are never the same game."""
    one, two = (prepare(desk / "lane.toml", key=KEY) for _ in range(2))
    assert one.data["scenario"] == {
        "name": "lane.toml", "text": SCENARIO, "terrain_from": json.dumps(GROUND),
        "house": {"label": "night", "files": {"sighting-modifiers.toml": NIGHT}},
    }  # fmt: skip
    assert (one.data["order"], one.data["setups"], one.data["changes"]) == (["allied", "axis"], [], [])
    assert KEY.hex() not in json.dumps(one.data)
    assert one.data["game"] != two.data["game"]


def test_each_game_has_a_key_of_its_own(desk: Path) -> None:
    """Two games of one scenario throw other dice."""
    hashes = []
    for name in ("a.game", "b.game"):
        result = run("start", "lane.toml", name, "--json")
        hashes.append(json.loads(result.stdout)["key_hash"])
    assert hashes[0] != hashes[1]


# --- set-ups and seals -----------------------------------------------------------------------------------------------


def test_a_set_up_without_a_seal_is_taken(desk: Path) -> None:
    """It is laid over the scenario, and nothing is said to be sealed."""
    start("--setup", "axis=axis.toml")
    with Game.open(desk / "a.game") as game:
        (kept,) = game.timeline.events[0].data["setups"]
        assert kept == {"name": "axis.toml", "side": "axis", "text": AXIS}
        assert game.start.unit("P2").at == (44 * 8000, 20 * 8000)
    assert json.loads(run("verify", "a.game", "--json").stdout)["seals"] == 0


def test_a_sealed_set_up_is_kept_with_its_seal(desk: Path) -> None:
    """With the words that the opponent wrote down, however he types them; and without them all the same."""
    words = sealed("axis.toml")
    start("--setup", "axis=axis.toml", "--seal", f"axis={words.upper().replace(' ', ', ')}")
    assert json.loads(run("verify", "a.game", "--json").stdout)["seals"] == 1
    with Game.open(desk / "a.game") as game:
        assert game.timeline.events[0].data["setups"][0]["words"] == words
    result = run("start", "lane.toml", "b.game", "--setup", "axis=axis.toml")
    assert result.exit_code == 0, result.output
    assert json.loads(run("verify", "b.game", "--json").stdout)["seals"] == 1


def test_the_words_of_another_seal_are_refused(desk: Path) -> None:
    """Words that are those of another set-up, and words that are none."""
    other, words = sealed("allied.toml"), sealed("axis.toml")
    (said,) = refused("lane.toml", "a.game", "--setup", "axis=axis.toml", "--seal", f"axis={other}")
    assert said == "--seal: the words are not those of the seal of axis.toml: axis sealed another set-up"
    wrong = "zzzz " + words.partition(" ")[2]
    (said,) = refused("lane.toml", "a.game", "--setup", "axis=axis.toml", "--seal", f"axis={wrong}")
    assert said.startswith("--seal: word 1 of the seal: 'zzzz' is no word of a seal")


def test_a_set_up_that_was_changed_after_sealing_is_refused(desk: Path) -> None:
    """With the words and without: the seal beside it does not fit."""
    words = sealed("axis.toml")
    edit("axis.toml", ("[44, 20]", "[40, 20]"))
    for more in ((), ("--seal", f"axis={words}")):
        (said,) = refused("lane.toml", "a.game", "--setup", "axis=axis.toml", *more)
        assert said == "axis.toml: was changed after it was sealed; expected the text that its seal fits"


def test_words_without_a_seal_are_refused(desk: Path) -> None:
    """Words for a set-up that has no seal, and words for a side without a set-up."""
    words = sealed("allied.toml")
    said = refused("lane.toml", "a.game", "--setup", "axis=axis.toml", "--seal", f"axis={words}")
    assert said[0].startswith("axis.toml.seal: ")
    (said_of_none,) = refused("lane.toml", "a.game", "--seal", f"axis={words}")
    assert said_of_none.startswith("--seal: there is no set-up of axis that the words could seal")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--setup", "allied=axis.toml"], "axis.toml: this is the set-up of axis, not of allied"),
        (["--setup", "axis"], "--setup: expected SIDE=…, not 'axis'"),
        (["--setup", "=axis.toml"], "--setup: expected SIDE=…, not '=axis.toml'"),
        (["--setup", "axis=axis.toml", "--setup", "axis=axis.toml"], "--setup: axis is named twice"),
        (["--seed", "soviet=tulip"], "--seed: there is no side 'soviet'; known: allied, axis"),
        (["--seed", "axis="], "--seed: expected SIDE=…, not 'axis='"),
        (["--seed", "axis=one", "--seed", "axis=two"], "--seed: axis is named twice"),
    ],
)
def test_what_is_typed_wrong_is_told(desk: Path, words: list[str], said: str) -> None:
    """One line, the option or the file first; no game is left."""
    assert refused("lane.toml", "a.game", *words) == [said]


def test_a_set_up_file_that_is_not_there(desk: Path) -> None:
    """It is named."""
    (said,) = refused("lane.toml", "a.game", "--setup", "axis=home.toml")
    assert said.startswith("home.toml: there is no such file")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('id = "P2"', 'id = "P7"'), "axis.toml:3:1: unit[0].id (P7): axis has no unit 'P7'"),
        (("at = [44, 20]", "at = [44]"), "axis.toml:4:1: unit[0].at (P2): expected 2 numbers, not [44]"),
        (('unit = "P1"', 'unit = "P9"'), "axis.toml:6:1: boresight[0].unit (P9): axis has no unit 'P9'"),
        (('unit = "P1"', 'unit = "P1"\nweapon = "bow"'), "axis.toml"),
        (('unit = "P1"', 'unit = "P2"'), "axis.toml"),
        (("at = [30, 4]", "at = [90, 4]"), "axis.toml"),
        (("at = [44, 20]", "at = [90, 20]"), "axis.toml"),
    ],
    ids=[
        "no such unit", "half a place", "no such gun", "no such weapon", "no weapon", "bore sight off the table",
        "unit off the table",
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_set_up_names_its_file(desk: Path, change: tuple[str, str], said: str) -> None:
    """The file in which it is to be put right."""
    edit("axis.toml", change)
    found = refused("lane.toml", "a.game", "--setup", "axis=axis.toml", "--setup", "allied=allied.toml")
    assert found[0].startswith(said), found


def test_a_bore_sight_that_the_rules_forbid_names_its_file(desk: Path) -> None:
    """A spot that the gun does not see: behind the grove."""
    edit("lane.toml", ("at = [50, 4]", "at = [50, 12]"))
    edit("axis.toml", ("at = [30, 4]", "at = [10, 12.5]"))
    (said,) = refused("lane.toml", "a.game", "--setup", "axis=axis.toml")
    assert said.startswith("axis.toml: P1 may not bore sight 10,12.5: ")


# --- who is first, seeds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "first"), [([], "allied"), (["--first", "axis"], "axis")])
def test_the_side_that_moves_first(desk: Path, words: list[str], first: str) -> None:
    """The first by name, or the one that is said; in each turn it moves before the other."""
    start(*words)
    seen = []
    with Game.open(desk / "a.game") as game:
        for _ in game.state.phases:
            game.act("turn", {})
            seen.append(game.state.phase.side if game.state.phase else None)
    assert next(side for side in seen if side) == first
    assert set(seen) == {"allied", "axis", None}


def test_a_side_that_there_is_not_cannot_be_first(desk: Path) -> None:
    """It is told which there are."""
    (said,) = refused("lane.toml", "a.game", "--first", "soviet")
    assert "soviet" in said
    assert "allied" in said


def test_seeds_are_events_and_change_the_dice(desk: Path) -> None:
    """Each side's words stand in the journal, as typed, before the first die."""
    start("--seed", "axis=tulip mania", "--seed", "allied= höher ")
    with Game.open(desk / "a.game") as game:
        assert [(e.kind, e.data.get("side"), e.data.get("text")) for e in game.timeline.events[1:]] == [
            ("seed", "axis", "tulip mania"),
            ("seed", "allied", "höher"),
        ]
        assert game.chance.seeds == (("allied", "höher"), ("axis", "tulip mania"))


# --- what is wrong ---------------------------------------------------------------------------------------------------


def test_a_game_overwrites_nothing(desk: Path) -> None:
    """Neither a game nor another file, which stay as they are."""
    start()
    before = (desk / "a.game").read_bytes()
    result = run("start", "lane.toml", "a.game")
    assert (result.exit_code, (desk / "a.game").read_bytes()) == (2, before)
    assert result.stderr.endswith("a.game: is there already; a new game never overwrites a file\n")
    assert run("start", "lane.toml", "axis.toml").exit_code == 2
    assert (desk / "axis.toml").read_text(encoding="utf-8") == AXIS


def test_every_mistake_of_a_scenario_is_told(desk: Path) -> None:
    """At once, each with the file as it was named, line and column."""
    edit("lane.toml", ("width = 60", "width = -1"), ('id = "P2"', 'id = "P1"'), ("at = [6, 4]", "at = [6]"))
    found = refused("lane.toml", "a.game")
    assert len(found) == 3
    assert all(line.startswith("lane.toml:") for line in found), found


def test_every_mistake_of_a_scenario_by_itself_is_told(desk: Path) -> None:
    """The same without house rules and ground."""
    edit(
        "lane.toml", ('tables = "night"\n', ""), ('terrain_from = "ground.geojson"\n', ""), ("width = 60", "width = -1")
    )
    edit("lane.toml", ('id = "P2"', 'id = "P1"'))
    found = refused("lane.toml", "a.game")
    assert len(found) == 2
    assert all(line.startswith("lane.toml:") for line in found), found


def test_mistakes_are_those_of_minis_check(desk: Path) -> None:
    """Under house rules and ground with mistakes of their own: the same lines, word for word."""
    edit("lane.toml", ("width = 60", "width = -1"))
    edit("ground.geojson", ('"woods"', '"wods"'))
    edit("night/sighting-modifiers.toml", ("value = 10", 'value = "ten"'))
    checked = run("check", "lane.toml")
    assert checked.exit_code == 2
    found = refused("lane.toml", "a.game")
    assert sorted(found) == sorted(checked.stderr.removeprefix("Error: ").splitlines())


def test_a_scenario_of_another_folder_is_named_as_typed(desk: Path) -> None:
    """The path as it was typed, so that the place can be found."""
    edit("lane.toml", ("width = 60", "width = -1"))
    (desk / "deep").mkdir()
    shutil.move(desk / "night", desk / "deep" / "night")
    for name in ("lane.toml", "ground.geojson"):
        shutil.move(desk / name, desk / "deep" / name)
    (said,) = refused("deep/lane.toml", "a.game")
    assert said.startswith("deep/lane.toml:")


@pytest.mark.parametrize("name", ["night/sighting-modifiers.toml", "ground.geojson"])
def test_what_a_scenario_names_and_cannot_be_read_is_told(desk: Path, name: str) -> None:
    """House rules and ground that are no text are named, not the scenario alone."""
    Path(name).write_bytes(b"\xff\xfe\x00")
    found = refused("lane.toml", "a.game")
    assert any(name in line or Path(name).name in line for line in found), found


def test_what_a_scenario_names_and_is_not_there_is_told(desk: Path) -> None:
    """The folder of house rules, the ground."""
    (desk / "ground.geojson").unlink()
    assert any("ground.geojson" in line for line in refused("lane.toml", "a.game"))
    (desk / "ground.geojson").write_text(json.dumps(GROUND), encoding="utf-8")
    shutil.rmtree(desk / "night")
    assert any("night" in line for line in refused("lane.toml", "a.game"))


def test_a_scenario_without_units_is_no_game(desk: Path) -> None:
    """It is told."""
    (desk / "bare.toml").write_text("table = { width = 60, depth = 40 }\n", encoding="utf-8")
    (said,) = refused("bare.toml", "a.game")
    assert said == "bare.toml: a game needs units; the scenario has none"


def test_a_file_that_is_no_scenario(desk: Path) -> None:
    """A game, a folder, nothing at all: exit status 2."""
    run("start", "lane.toml", "b.game")
    for name in ("b.game", "night", "none.toml"):
        (said,) = refused(name, "a.game")
        assert said.startswith(name)


def test_a_folder_that_is_not_there(desk: Path) -> None:
    """The game file cannot be made: it is named."""
    result = run("start", "lane.toml", "games/a.game")
    assert result.exit_code == 2
    assert "games/a.game" in result.stderr


def test_a_damaged_opening_leaves_nothing_in_the_temporary_folder(desk: Path) -> None:
    """House rules are laid out for the reading only, also where that fails."""
    edit("night/sighting-modifiers.toml", ("value = 10", 'value = "ten"'))
    with pytest.raises(BadInput):
        prepare(desk / "lane.toml", key=KEY)
    assert list(Path(tempfile.gettempdir()).iterdir()) == []
