"""`minis merge`: two scenarios on one table; what clashes is told, or renamed, never lost."""

from __future__ import annotations

import json
from pathlib import Path

import boards
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from test_views import write

from minis.board import Board, read_board
from minis.board.scenario import board_of
from minis.cli.main import cli
from minis.errors import BadInput
from minis.ground.layout import formatted
from minis.ground.merge import merge
from minis.ground.parts import parts_of
from minis.lengths import GRID
from minis.rules import examples_folder
from minis.toml_file import parse_toml

CROSSROADS = examples_folder() / "crossroads" / "scenario.toml"
VILLERS = examples_folder() / "villers-bocage" / "scenario.toml"


def run(*words: object, **environment: str) -> Result:
    """Run a command in this process."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, **environment}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def merged(folder: Path, one: str, other: str, at: tuple[float, float] = (0, 0), **more: str) -> tuple[Board, str]:
    """Two texts as one table, as read and as written."""
    for name, text in (("a.toml", one), ("b.toml", other)):
        (folder / name).write_text(text, encoding="utf-8")
    parts = [parts_of(folder / name) for name in ("a.toml", "b.toml")]
    text, _ = merge(parts[0], parts[1], folder / "c.toml", at=at, **more)
    assert formatted(text) == text
    return board_of(parse_toml(text, str(folder / "c.toml"))), text


def table(width: float = 40, depth: float = 20, **keys: str) -> str:
    """[table] of this size."""
    return f"[table]\nwidth = {width}\ndepth = {depth}\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())


def unit(name: str, more: str = "", at: str = "[5, 5]") -> str:
    """[[unit]] with this id."""
    return f'[[unit]]\nid = "{name}"\nside = "red"\nkind = "vehicle"\nat = {at}\n{more}\n'


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(-400, 400), st.integers(-400, 400))
@settings(max_examples=40, deadline=None)
def test_any_two_tables_side_by_side(
    tmp_path_factory: pytest.TempPathFactory, one: int, other: int, x: int, y: int
) -> None:
    """Every piece and unit of both is there, moved and to the step the same; ids of the second get the suffix."""
    folder = tmp_path_factory.mktemp("merge")
    write(folder / "a.toml", boards.rough_board(one))
    write(folder / "b.toml", boards.lattice_board(other))
    try:
        parts = [parts_of(folder / name) for name in ("a.toml", "b.toml")]
        text, changes = merge(parts[0], parts[1], folder / "c.toml", at=(x / 8, y / 8), suffix="-b")
    except BadInput as error:
        if "crest line" not in str(error):
            raise
        return  # the one table laid a hill half under a piece of the other
    board = board_of(parse_toml(text, str(folder / "c.toml")))
    new = {one.id: one.why.rpartition(" ")[2] for one in changes.renamed}
    for parts_, names, (dx, dy) in (
        (parts[0], {}, (max(0, -x), max(0, -y))), (parts[1], new, (max(0, x), max(0, y))),
    ):  # fmt: skip
        dx, dy = dx * GRID // 8, dy * GRID // 8
        for piece in parts_.board.terrain:
            there = board.terrain_by_id[names.get(piece.id, piece.id)]
            assert there.line == tuple((a + dx, b + dy) for a, b in piece.line)
            assert there.rings == tuple(tuple((a + dx, b + dy) for a, b in ring) for ring in piece.rings)
        for who in parts_.board.units:
            assert board.unit(names.get(who.id, who.id)).at == (who.at[0] + dx, who.at[1] + dy)
    assert len(board.terrain) == sum(len(one.board.terrain) for one in parts)


def test_the_same_twice_is_once(tmp_path: Path) -> None:
    """A file merged with itself is itself, with a comment that says so."""
    out = tmp_path / "c.toml"
    done = run("merge", CROSSROADS, CROSSROADS, "-o", out, "--json")
    told = json.loads(done.stdout)
    assert (told["renamed"], told["written"]["unit"]) == ([], 22)
    old, new = read_board(CROSSROADS), read_board(out)
    assert (new.terrain, new.units, new.smoke) == (old.terrain, old.units, old.smoke)
    assert "# With scenario.toml: Crossroads: a first table" in out.read_text(encoding="utf-8")


def test_two_examples_side_by_side(tmp_path: Path) -> None:
    """Clashes are told all at once; with --rename the second file follows its new names."""
    out = tmp_path / "c.toml"
    words = ["merge", CROSSROADS, VILLERS, "--at", "84,0", "-o", out]
    refused = run(*words)
    assert (refused.exit_code, refused.stdout, out.exists()) == (2, "", False)
    assert "the type 'panzer-iv' is taken" in refused.stderr
    assert refused.stderr.count("the token") == 6
    assert run(*words, "--rename=-v").exit_code == 0
    board, old = read_board(out), read_board(VILLERS)
    assert (board.width_in, board.depth_in) == (228, 72)
    assert board.unit("P-N1").armour == old.unit("P-N1").armour
    assert board.unit("CR-A1").token == "A1-v"
    assert run("fmt", "--check", out).exit_code == 0
    assert "# Ground scale 1 inch = 25 m" in out.read_text(encoding="utf-8")


def test_whoever_is_named_is_named_anew(tmp_path: Path) -> None:
    """carries, tow, sighted_by and the smoke's own unit follow the new ids."""
    other = (
        table() + unit("T", 'carries = ["I"]\nsighted_by = ["I"]') + unit("I", "wreck = false", "[6, 6]")
        + '[[smoke]]\nid = "s"\nbox = [1, 1, 3, 3]\nby = "T"\n'
    )  # fmt: skip
    board, _ = merged(tmp_path, table() + unit("T") + unit("I"), other, suffix="-2")
    tank = board.unit("T-2")
    assert (tank.carries, set(tank.sighted_by), board.smoke[0].by) == (("I-2",), {"I-2"}, "T-2")


def test_a_new_name_is_a_free_one(tmp_path: Path) -> None:
    """Where the name with the suffix is taken too, a number follows."""
    board, _ = merged(tmp_path, table() + unit("T") + unit("T-b"), table() + unit("T", at="[9, 9]"), suffix="-b")
    assert sorted(board.unit_by_id) == ["T", "T-b", "T-b2"]


def test_types_that_mean_something_else_are_renamed(tmp_path: Path) -> None:
    """The units of the second file keep what they were."""
    one = table() + '[types.tank]\nkind = "vehicle"\nsize = "large"\n' + unit("A")
    other = table() + '[types.tank]\nkind = "vehicle"\nsize = "small"\n' + unit("B", 'type = "tank"')
    with pytest.raises(BadInput, match="type 'tank'"):
        merged(tmp_path, one, other)
    board, text = merged(tmp_path, one, other, suffix="-b")
    assert board.unit("B").size.id == "small"
    assert "[types.tank-b]" in text


def test_a_type_of_the_catalogue_that_one_file_describes(tmp_path: Path) -> None:
    """A unit would change what it is: that is told for both directions."""
    one = table() + '[types.m4-sherman]\nkind = "vehicle"\nsize = "small"\n'
    for first, second in (
        (one, table() + unit("B", 'type = "m4-sherman"')),
        (table() + unit("B", 'type = "m4-sherman"'), one),
    ):
        with pytest.raises(BadInput, match="catalogue"):
            merged(tmp_path, first, second, suffix="-b")


def test_settings_that_differ(tmp_path: Path) -> None:
    """Figure scale, inches per hex and switches: told together, or one file's are taken."""
    one = table(figure_scale='"1/76"', inches_per_hex="2") + '[switches]\nleaf = "summer"\n'
    other = table(figure_scale='"1/285"', inches_per_hex="3") + "[switches]\ntape_tolerance = 0.5\n"
    one = one.replace('leaf = "summer"', "tape_tolerance = 0.25")
    with pytest.raises(BadInput) as told:
        merged(tmp_path, one, other)
    assert len(told.value.mistakes) == 3
    for take, hexes, tape in (("a", 2, 0.25), ("b", 3, 0.5)):
        board, _ = merged(tmp_path, one, other, take=take)
        assert (board.inches_per_hex, board.rules.switch("tape_tolerance")) == (hexes, tape)


def test_the_table_grows_to_all_sides(tmp_path: Path) -> None:
    """A negative offset moves what the first file holds; what is not moved keeps the text it has."""
    board, text = merged(tmp_path, table() + unit("A"), table(10, 10) + unit("B", at="[1.50, 2]"), at=(-10, 15))
    assert (board.width_in, board.depth_in) == (50, 25)
    assert board.unit("A").at == (15 * GRID, 5 * GRID)
    assert board.unit("B").at == (int(1.5 * GRID), 17 * GRID)
    _, text = merged(tmp_path, table() + unit("A", at="[1.50, 2]"), table(10, 10))
    assert "at = [1.50, 2]" in text


def test_a_piece_on_new_ground_is_told(tmp_path: Path) -> None:
    """A house that comes to stand on the other file's hill is on its level, and that is said."""
    hill = '[[terrain]]\nid = "h"\nkind = "hill"\nlevel = 1\nbox = [0, 0, 20, 20]\n'
    house = '[[terrain]]\nid = "x"\nkind = "building"\nbox = [4, 4, 6, 6]\n'
    (tmp_path / "a.toml").write_text(table() + hill, encoding="utf-8")
    (tmp_path / "b.toml").write_text(table() + house, encoding="utf-8")
    done = run("merge", tmp_path / "a.toml", tmp_path / "b.toml", "-o", tmp_path / "c.toml")
    assert "look at: x stands on level 1 now, on 0 in its file" in done.stdout


def test_what_does_not_fit_is_told_by_id(tmp_path: Path) -> None:
    """A house that comes to lie across a contour: its id and what to do, no line of a file that is not there."""
    hill = '[[terrain]]\nid = "h"\nkind = "hill"\nlevel = 1\nbox = [0, 0, 5, 20]\n'
    house = '[[terrain]]\nid = "x"\nkind = "building"\nbox = [4, 4, 6, 6]\n'
    with pytest.raises(BadInput) as told:
        merged(tmp_path, table() + hill, table() + house)
    assert [(one.id, one.line) for one in told.value.mistakes] == [("x", None)]


@pytest.mark.parametrize("options", [["--at", "1"], ["--at", "a,b"], ["--rename", " "]])
def test_options_that_are_none(tmp_path: Path, options: list[str]) -> None:
    """One message, exit status 2, nothing written."""
    done = run("merge", CROSSROADS, VILLERS, "-o", tmp_path / "c.toml", *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert list(tmp_path.iterdir()) == []


def test_counts_of_either_file_are_left_out(tmp_path: Path) -> None:
    """What the imports of the two counted is true of neither alone now."""
    one = "# One.\n# Pieces: woods 2.\n" + table()
    other = "# Other.\n# Pieces: road 1, wall 5.\n# Dropped: 3 pieces.\n" + table()
    _, text = merged(tmp_path, one, other)
    assert "Pieces" not in text
    assert "Dropped" not in text
    assert "# One." in text
    assert "# Other." in text
