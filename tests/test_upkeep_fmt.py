"""`minis fmt`: one order and layout, every comment kept, and what a file says does not change."""

from __future__ import annotations

import json
import re
from pathlib import Path

import boards
import pytest
import tomli
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_ground_floors import Writer, written

from minis.board.scenario import board_of
from minis.board.schema import ScenarioFile
from minis.cli.main import cli
from minis.ground.layout import ORDERS, SECTIONS, formatted, says_the_same
from minis.ground.toml_text import sheet_of
from minis.rules import examples_folder
from minis.toml_file import parse_toml

EXAMPLES = sorted(examples_folder().glob("*/scenario.toml"))


def run(*words: object, **environment: str) -> Result:
    """Run a command in this process."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, **environment}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def notes(text: str) -> list[str]:
    """The comments of a text without # in its strings, in the order of the alphabet."""
    return sorted(note.rstrip() for note in re.findall(r"#.*", text))


@st.composite
def scenarios(draw: st.DrawFn) -> tuple[boards.Doc, str]:
    """A table made at random, and how somebody wrote it: inline, spread out, with comments in odd places."""
    make = draw(st.sampled_from((boards.lattice_board, boards.rough_board)))
    doc = make(draw(st.integers(0, 10**6)))
    names = draw(st.permutations(list(doc)))
    writer = Writer(draw)
    writer.table((), [], {name: doc[name] for name in names})
    return doc, writer.text


@given(scenarios())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_file_says_the_same_before_and_after(found: tuple[boards.Doc, str]) -> None:
    """The same Board, every comment, and laid out again not a byte more."""
    _, text = found
    laid = formatted(text)
    assert board_of(parse_toml(laid, "b.toml")) == board_of(parse_toml(text, "b.toml"))
    assert notes(laid) == notes(text)
    assert formatted(laid) == laid


@given(written())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_toml_says_the_same_before_and_after(found: tuple[dict[str, object], Writer]) -> None:
    """Texts over several lines, quoted keys, lists in lists: whatever TOML knows."""
    document, writer = found
    if "table" in document:
        return
    text = writer.text.rstrip("\n") + "\n[table]\n"
    laid = formatted(text)
    assert says_the_same(tomli.loads(laid), {**document, "table": {}})
    assert formatted(laid) == laid


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_the_examples_are_laid_out_so(path: Path) -> None:
    """`minis fmt --check` has nothing to say of the examples, byte for byte."""
    assert formatted(path.read_text(encoding="utf-8")) == path.read_text(encoding="utf-8")
    assert run("fmt", "--check", *EXAMPLES).exit_code == 0


UGLY = """\
#:schema ../s.json
# Made on Tuesday.

# the hero
[[unit]]
token="A1" # seen
at=[ 1,2 ]
  # who
side='allied'
id  = "T1"
kind="infantry"
# turret = 3
[table]
depth=20 # y
width=30.50



# the woods

[[terrain]]
outline=[[0,0],[4,0],
[4,4]]
kind="woods"
id="w"   # here


# the end
"""

FINE = """\
#:schema ../s.json
# Made on Tuesday.

[table]
width = 30.50
depth = 20                # y

# the woods

[[terrain]]
id = "w"                  # here
kind = "woods"
outline = [[0, 0], [4, 0], [4, 4]]

# the hero
[[unit]]
id = "T1"
# who
side = 'allied'
kind = "infantry"
at = [1, 2]
token = "A1"              # seen

# the end
"""


def test_what_it_does_to_a_file() -> None:
    """Parts and keys in order, blanks as they should be, each comment with what it is about."""
    text = UGLY.replace("# turret = 3\n", "")
    assert formatted(text) == FINE


def test_a_comment_right_under_a_table_stays_with_it() -> None:
    """A key that is commented out belongs to the table above it where a blank line follows."""
    laid = formatted('[table]\nwidth = 3\n# depth = 4\n\n# big\n[types.a]\n[[terrain]]\nid = "x"\n')
    assert laid == '[table]\nwidth = 3\n# depth = 4\n\n# big\n[types.a]\n\n[[terrain]]\nid = "x"\n'


def test_long_lists_are_broken_and_short_ones_joined() -> None:
    """Eight places a line; a list with a comment inside keeps its lines."""
    ring = ", ".join(f"[{n}.25, {n}]" for n in range(10, 30))
    laid = formatted(f"[table]\n[[terrain]]\noutline = [{ring}]\nholes = [ [[1,2],\n[3,4]] ]\nbox = [ 1, # west\n 2]\n")
    lines = laid.splitlines()
    assert [line.count("[") for line in lines[lines.index("outline = [") + 1 :][:3]] == [8, 8, 4]
    assert "holes = [[[1, 2], [3, 4]]]" in lines
    assert "box = [ 1, # west\n 2]\n" in laid
    assert formatted(laid) == laid


def test_the_order_names_what_the_grammar_knows() -> None:
    """Each part of a scenario has its place, and no key is named that there is not."""
    assert set(SECTIONS) >= set(ScenarioFile.model_fields)
    schema = ScenarioFile.model_json_schema()["$defs"]
    models = {"table": "TableEntry", "terrain": "TerrainEntry", "smoke": "SmokeEntry", "zone": "ZoneEntry",
              "lane": "LaneEntry", "types": "TypeEntry", "unit": "UnitEntry"}  # fmt: skip
    shapes = {"box", "outline", "circle", "line", "holes"}
    for name, model in models.items():
        assert set(ORDERS[name]) - shapes <= set(schema[model]["properties"]), name


def test_the_command_writes_only_what_changes(tmp_path: Path) -> None:
    """Files are laid out in place; --check exits 1 and writes nothing; a second time there is nothing to do."""
    ugly, fine = tmp_path / "ugly.toml", tmp_path / "fine.toml"
    ugly.write_text(UGLY, encoding="utf-8")
    fine.write_text(FINE, encoding="utf-8")
    checked = run("fmt", "--check", ugly, fine)
    assert (checked.exit_code, checked.stdout) == (1, f"{ugly}: would be laid out anew\n1 file fine.\n")
    assert ugly.read_text(encoding="utf-8") == UGLY
    done = run("fmt", ugly, fine, "--json")
    assert json.loads(done.stdout) == {"files": 2, "changed": [str(ugly)], "written": True}
    assert run("fmt", "--check", ugly, fine).exit_code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("[table", "this is not TOML"),
        ('title = "a"\n', "has no [table]"),
        ("[table]\nx = " + "[" * 3000 + "]" * 3000, "nested too deeply"),
        ("\0", "NUL"),
    ],
)
def test_what_is_no_scenario_is_refused_and_nothing_written(tmp_path: Path, text: str, words: str) -> None:
    """One message, exit status 2; the good file beside it is not touched either."""
    wrong, ugly = tmp_path / "wrong.toml", tmp_path / "ugly.toml"
    wrong.write_text(text, encoding="utf-8")
    ugly.write_text(UGLY, encoding="utf-8")
    done = run("fmt", wrong, ugly)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert (wrong.read_text(encoding="utf-8"), ugly.read_text(encoding="utf-8")) == (text, UGLY)


def test_windows_lines_become_plain_ones(tmp_path: Path) -> None:
    """A file with carriage returns is laid out without them."""
    path = tmp_path / "a.toml"
    path.write_bytes(FINE.replace("\n", "\r\n").encode())
    assert run("fmt", "--check", path).exit_code == 1
    assert run("fmt", path).exit_code == 0
    assert path.read_bytes() == FINE.encode()


def test_only_the_judge_lays_out(tmp_path: Path) -> None:
    """A side is refused: a scenario file holds what it may not know."""
    path = tmp_path / "a.toml"
    path.write_text(UGLY, encoding="utf-8")
    done = run("fmt", path, MINIS_SIDE="allied")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("only the judge")


def test_the_parts_of_a_sheet() -> None:
    """Tables under a piece are parts of it, types are not parts of one another."""
    sheet = sheet_of("[types]\n[types.a]\n[types.a.armour]\n[[unit]]\n[[unit.weapons]]\n[[unit]]\n")
    assert [block.path for block in sheet.blocks] == [("types",), ("types", "a"), ("unit",), ("unit",)]
    assert [sub.path for block in sheet.blocks for sub in block.subs] == [("types", "a", "armour"), ("unit", "weapons")]
