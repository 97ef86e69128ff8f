"""Every command that reads another tool's file or writes one: what it refuses, and that it leaves nothing behind."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from shapely import box

from minis.board import read_board
from minis.board.scenario import board_of
from minis.cli.main import cli
from minis.ground.scenario_text import Piece, in_order, scenario_text
from minis.ground.svg_matrix import SAME
from minis.ground.svg_shapes import subpaths
from minis.ground.uvtt_out import blank_png
from minis.toml_file import parse_toml

TABLE = "[table]\nwidth = 40\ndepth = 40\n"
PLACE = '[table.place]\ncentre = [26.94, 60.53]\nbearing = 0\nscale = "1in=25m"\ncredit = "© somebody & Co."\n'
HOUSE = '[[terrain]]\nid = "h"\nkind = "building"\nbox = [1, 1, 3, 3]\n'
WHERE = ("--centre", "26.94,60.53", "--scale", "1in=25m", "--size", "40x40")
HEIGHTS = "ncols 8\nnrows 8\nxllcorner 26.924\nyllcorner 60.514\ncellsize 0.004\n" + "\n".join(
    " ".join(str(100 + 10 * min(row, column, 7 - row, 7 - column)) for column in range(8)) for row in range(8)
)

READERS: dict[str, tuple[str, Callable[[Path, Path], tuple[object, ...]]]] = {
    "geojson": ("a.geojson", lambda path, _: ("import", "geojson", path, *WHERE)),
    "osm": ("a.osm", lambda path, _: ("import", "geojson", path, *WHERE)),
    "dem": ("a.asc", lambda path, _: ("import", "dem", path, *WHERE)),
    "dem onto": ("a.toml", lambda path, good: ("import", "dem", good / "good.asc", "--onto", path)),
    "uvtt": ("a.uvtt", lambda path, _: ("import", "uvtt", path)),
    "svg": ("a.svg", lambda path, _: ("import", "svg", path)),
    "photo": ("a.png", lambda path, good: ("import", "photo", path, "--onto", good / "good.toml")),
    "photo onto": ("a.toml", lambda path, good: ("import", "photo", good / "good.png", "--onto", path)),
    "to geojson": ("a.toml", lambda path, _: ("export", "geojson", "-g", path)),
    "to uvtt": ("a.toml", lambda path, _: ("export", "uvtt", "-g", path)),
    "to uvtt, picture": ("a.png", lambda path, good: ("export", "uvtt", "-g", good / "good.toml", "--picture", path)),
    "to svg": ("a.toml", lambda path, _: ("export", "svg", "-g", path)),
    "merge": ("a.toml", lambda path, good: ("merge", path, good / "good.toml", "--take", "a")),
    "merge, second": ("a.toml", lambda path, good: ("merge", good / "good.toml", path, "--take", "a")),
    "crop": ("a.toml", lambda path, _: ("crop", path, "--box", "0,0,8,8")),
    "fmt": ("a.toml", lambda path, _: ("fmt", path)),
    "lint": ("a.toml", lambda path, _: ("lint", path)),
}
"""Every command that reads: the name of its file, and its words for that file."""

WRITERS = [name for name in READERS if name not in ("fmt", "lint")]

SCENARIO_READERS = [name for name, (file, _) in READERS.items() if file == "a.toml" and name != "fmt"]
"""The commands for which a scenario has to be sound; fmt lays out any that has a table."""


def run(*words: object) -> Result:
    """Run a command in this process; a traceback is the test's failure."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1"}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A folder with a sound file of each sort."""
    folder = tmp_path / "good"
    folder.mkdir()
    (folder / "good.toml").write_text(TABLE + PLACE + HOUSE, encoding="utf-8")
    (folder / "good.asc").write_text(HEIGHTS, encoding="utf-8")
    (folder / "good.png").write_bytes(blank_png(8, 8))
    return folder


def refused(name: str, path: Path, good: Path) -> str:
    """The message of a command that refuses a file: exit status 2, nothing printed, nothing written."""
    words = READERS[name][1](path, good)
    before = sorted(path.parent.iterdir())
    result = run(*words, *(("-o", path.parent / "out.txt") if name in WRITERS else ()))
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert sorted(path.parent.iterdir()) == before
    return result.stderr


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _bytes(data: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(data)

    return write


NO_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "nothing": (lambda path: None, "there is no such file"),
    "folder": (_folder, "is a directory"),
    "loop": (_loop, "there is no such file"),
    "empty": (_bytes(b""), "is empty"),
    "blank": (_bytes(b" \n\t\n"), ""),
    "bytes": (_bytes(bytes(range(1, 256))), ""),
    "cut": (_bytes(b'{"type": "FeatureCollection", "features": [{"'), ""),
    "deep": (_bytes(b"[" * 100_000), ""),
}
if hasattr(os, "mkfifo"):
    NO_FILES["pipe"] = _pipe, "there is no such file"


@pytest.mark.parametrize("what", NO_FILES)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_of_its_kind(name: str, what: str, tmp_path: Path, good: Path) -> None:
    """Nothing there, a folder, a pipe, empty, blank, bytes, cut, deep: one message with the file, nothing written."""
    path = tmp_path / READERS[name][0]
    NO_FILES[what][0](path)
    said = refused(name, path, good)
    assert NO_FILES[what][1] in said
    assert said.startswith(str(path))
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [("table = 5\n", "table: expected a table, not 5"), (TABLE + "[terrain]\nid = 1\n", "terrain: expected tables"),
     (TABLE + "[types]\nx = 5\n", "types.x: expected a table, not 5"), ("unit = 5\n" + TABLE, "unit: expected"),
     (TABLE + "[table.place]\ncentre = 5\n", "table.place"), (TABLE.replace("40", "nan"), "expected a finite number")],
)  # fmt: skip
@pytest.mark.parametrize("name", SCENARIO_READERS)
def test_a_scenario_of_other_types_is_refused(name: str, text: str, why: str, tmp_path: Path, good: Path) -> None:
    """A number in place of a table, a table in place of a list: the mistake with its line, by every command."""
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8")
    assert why in refused(name, path, good)


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_there_already_is_never_lost(name: str, tmp_path: Path, good: Path) -> None:
    """A file, or a link that leads nowhere, stays without --force; a folder and a pipe stay with it too."""
    texts = {
        "a.geojson": json.dumps(_collection({"building": "yes"})), "a.osm": _osm("9"), "a.asc": HEIGHTS,
        "a.toml": TABLE + PLACE + HOUSE, "a.uvtt": json.dumps(_map()), "a.svg": _svg("M1 1h2v2z"),
    }  # fmt: skip
    file, words_for = READERS[name]
    path = tmp_path / file
    path.write_bytes(blank_png(8, 8)) if file == "a.png" else path.write_text(texts[file], encoding="utf-8")
    words = (*words_for(path, good), "-o")
    there, link, pipe = tmp_path / "there", tmp_path / "link", tmp_path / "pipe"
    there.write_text("mine", encoding="utf-8")
    link.symlink_to("nowhere")
    assert [run(*words, out).exit_code for out in (there, link, good)] == [2, 2, 2]
    assert run(*words, good, "--force").exit_code == 2
    assert (there.read_text(encoding="utf-8"), link.is_symlink()) == ("mine", True)
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        result = run(*words, pipe, "--force")
        assert (result.exit_code, "is no ordinary file" in result.stderr, pipe.is_fifo()) == (2, True, True)
    assert run(*words, there, "--force").exit_code == 0
    assert there.read_text(encoding="utf-8") != "mine"


# --- names of other tools --------------------------------------------------------------------------------------------


def _square() -> list[list[float]]:
    west, south = 26.94, 60.53
    return [[west, south], [west + 0.001, south], [west + 0.001, south + 0.001], [west, south + 0.001], [west, south]]


def _collection(tags: object, *names: str) -> dict[str, object]:
    shape = {"type": "Polygon", "coordinates": [_square()]}
    features = [{"type": "Feature", "id": name, "properties": tags, "geometry": shape} for name in names or ("way/1",)]
    return {"type": "FeatureCollection", "features": features}


def _osm(name: str) -> str:
    nodes = "".join(f'<node id="{n}" lon="{lon}" lat="{lat}"/>' for n, (lon, lat) in enumerate(_square()[:4]))
    refs = "".join(f'<nd ref="{n}"/>' for n in (0, 1, 2, 3, 0))
    return f'<osm>{nodes}<way id="{name}">{refs}<tag k="building" v="yes"/></way></osm>'


def _map(**more: object) -> dict[str, object]:
    spots = [{"x": x, "y": y} for x, y in ((1, 1), (5, 1), (5, 5))]
    size = {"map_size": {"x": 10, "y": 8}, "map_origin": {"x": 0, "y": 0}, "pixels_per_grid": 70}
    return {"format": 0.3, "resolution": size, "line_of_sight": [spots], **more}


def _svg(d: str, name: str = "p", declared: str = "") -> str:
    return (
        f'{declared}<svg xmlns="http://www.w3.org/2000/svg" width="10in" height="10in" viewBox="0 0 10 10">'
        f'<g id="woods"><path id="{name}" d="{d}"/></g></svg>'
    )


NAMES = ["²", "5²", "٣", "９9", "9" * 5000, "a" * 5000, "way/²", "way/" + "9" * 5000, "-7", "way/0", "\u202e", "a\x1bb"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tags", [{"building": "yes"}, {"kind": "building"}])
def test_any_id_of_another_tool_is_read(name: str, tags: dict[str, str], tmp_path: Path) -> None:
    """Digits of any script and any length, signs that are not printed: the piece is there, under an id that is."""
    path, out = tmp_path / "a.geojson", tmp_path / "out.toml"
    path.write_text(json.dumps(_collection(tags, name, "way/12", name)), encoding="utf-8")
    result = run("import", "geojson", path, *WHERE, "-o", out)
    assert result.exit_code == 0, result.stderr
    assert out.read_text(encoding="utf-8").count("[[terrain]]") == 3
    assert max(map(len, (result.stdout + out.read_text(encoding="utf-8")).splitlines())) < 400
    assert "\x1b" not in result.stdout
    if name.isprintable() and "way" not in name:
        path, out = tmp_path / "a.osm", tmp_path / "osm.toml"
        path.write_text(_osm(name), encoding="utf-8")
        assert run("import", "geojson", path, *WHERE, "-o", out).exit_code == 0


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12), max_size=8))
def test_pieces_of_any_names_have_an_order(names: list[str]) -> None:
    """Whatever their ids, pieces are put in an order, always the same."""
    pieces = [Piece("woods", name, box(0, 0, 1, 1)) for name in names]
    assert [piece.id for piece in in_order(pieces)] == [piece.id for piece in in_order(pieces[::-1])]
    assert len(in_order(pieces)) == len(pieces)


@given(st.lists(st.integers(0, 10**6), unique=True))
def test_numbers_in_names_count_as_numbers(numbers: list[int]) -> None:
    """w9 stands before w10."""
    pieces = [Piece("woods", f"w{number}", box(0, 0, 1, 1)) for number in numbers]
    assert [piece.id for piece in in_order(pieces)] == [f"w{number}" for number in sorted(numbers)]


def test_tags_of_any_length_are_told_on_a_line(tmp_path: Path) -> None:
    """A tag as long as a book, with signs that move the cursor, takes one line of the report and of the file."""
    path, out = tmp_path / "a.geojson", tmp_path / "out.toml"
    long = "\x1b[2J\nlong " * 5000
    tags = [{"building": long}, {"landuse": long}, {long: "x"}, {"building": "yes", "building:levels": long}]
    data = {"type": "FeatureCollection", "features": [_collection(one)["features"][0] for one in tags]}  # type: ignore[index]
    path.write_text(json.dumps(data), encoding="utf-8")
    result = run("import", "geojson", path, *WHERE, "-o", out)
    assert result.exit_code == 0, result.stderr
    for text in (result.stdout, out.read_text(encoding="utf-8")):
        assert max(map(len, text.splitlines())) < 400
        assert "\x1b" not in text


# --- mistakes of what was read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("a.geojson", json.dumps(_collection({"kind": "building", "storeys": 99})), "terrain[0].storeys (way/1)"),
        ("a.geojson", json.dumps(_collection({"kind": "building", "material": "gold"})), "terrain[0].material (way/1)"),
        ("a.svg", _svg("M1 1h2v2z").replace("<path", '<path data-kind="hill" data-level="99"'), "terrain[0].level (p)"),
    ],
)
def test_a_mistake_names_the_file_that_was_read(file: str, text: str, why: str, tmp_path: Path) -> None:
    """No line of a scenario that is not written: the file of the judge, the piece and what was expected."""
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    where = WHERE if file == "a.geojson" else ()
    result = run("import", file.removeprefix("a."), path, "-o", tmp_path / "out.toml", *where)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}: {why}: expected")


def test_a_title_that_is_none_names_its_option(tmp_path: Path) -> None:
    """A title with a line break is refused by the name of its option."""
    path = tmp_path / "a.svg"
    path.write_text(_svg("M1 1h2v2z"), encoding="utf-8")
    result = run("import", "svg", path, "-o", tmp_path / "out.toml", "--title", "two\nlines")
    assert (result.exit_code, result.stderr.startswith("--title: expected a text")) == (2, True)


@pytest.mark.parametrize("middle", [("26.9405,60.5305"), ("60.5305,26.9405")])
def test_swapped_axes_are_told_wherever_on_the_table(middle: str, tmp_path: Path) -> None:
    """A file of a single house that is not in the middle of the table: the swap is told all the same."""
    path = tmp_path / "a.geojson"
    data = _collection({"building": "yes"})
    turned = json.dumps(data).replace(json.dumps(_square()), json.dumps([[y, x + 0.004] for x, y in _square()]))
    path.write_text(turned if middle.startswith("26") else json.dumps(data), encoding="utf-8")
    words = ("--centre", middle, "--scale", "1in=25m", "--size", "40x40")
    result = run("import", "geojson", path, *words, "-o", tmp_path / "out.toml")
    assert (result.exit_code, "longitude and latitude are swapped" in result.stderr) == (2, True)


@given(st.text("MmLlHhVvCcSsQqTtAaZz 0123456789.,-+e", max_size=24), st.booleans())
def test_any_path_is_read_or_refused(d: str, begun: bool) -> None:
    """Whatever a path holds, it is places or a ValueError, and nothing else."""
    try:
        parts = list(subpaths("path", {"d": f"M1 1 {d}" if begun else d}, SAME))
    except ValueError:
        return
    assert all(len(spots) > 0 for spots, _ in parts)


@pytest.mark.parametrize("encoding", ["bogus", "shift_jis", "utf-7", "base64", "rot13"])
def test_a_drawing_in_an_encoding_that_is_not_read(encoding: str, tmp_path: Path) -> None:
    """An encoding that nobody knows, or that the parser cannot take: one message."""
    path = tmp_path / "a.svg"
    path.write_text(_svg("M1 1h2v2z", declared=f'<?xml version="1.0" encoding="{encoding}"?>'), encoding="utf-8")
    result = run("import", "svg", path, "-o", tmp_path / "out.toml")
    assert (result.exit_code, "encoding" in result.stderr, result.stderr.count("\n")) == (2, True, 1)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_drawing_in_an_encoding_that_is_read(encoding: str, tmp_path: Path) -> None:
    """What the file says it is in is what it is read in."""
    path, out = tmp_path / "a.svg", tmp_path / "out.toml"
    declared = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>'
    path.write_text(_svg("M1 1h2v2z", name="Höhe", declared=declared), encoding=encoding)
    assert run("import", "svg", path, "-o", out).exit_code == 0
    assert 'id = "Höhe"' in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [{"rings": [[[1, 1], [1e300, 2], [3, 3]]]}, {"rings": [[[1, 1], [float("1e999"), 2], [3, 3]]]}, {"id": "b" * 5000},
     {"id": ""}, {"kind": ""}, {"rings": [[[1, 1]]]}, {"rings": "abc"}, {"at": [["line_of_sight", 9]]},
     {"storeys": "two"}],
)  # fmt: skip
def test_a_damaged_member_of_a_map_is_told(change: dict[str, object], tmp_path: Path) -> None:
    """Places beyond any table, ids without end, parts that are not there: one message that says what to take out."""
    entry = {"id": "b", "kind": "building", "line": False, "at": [], "rings": [[[1, 1], [2, 2], [3, 1]]]} | change
    own = {"inches_per_cell": 1, "lines": {"line_of_sight": 1, "objects_line_of_sight": 0}, "terrain": [entry]}
    path = tmp_path / "a.uvtt"
    path.write_text(json.dumps(_map(minis=own)).replace("Infinity", "1e999"), encoding="utf-8")
    result = run("import", "uvtt", path, "-o", tmp_path / "out.toml")
    assert result.exit_code == 2
    assert result.stderr == f"{path}: its member 'minis' is damaged; take it out, and the walls are read alone\n"


@pytest.mark.parametrize("begin", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_heights_as_any_editor_saves_them(begin: str, end: str, tmp_path: Path) -> None:
    """A mark of byte order and the line ends of another system change nothing."""
    path, out = tmp_path / "a.asc", tmp_path / "out.toml"
    path.write_bytes((begin + HEIGHTS.replace("\n", end)).encode())
    assert run("import", "dem", path, *WHERE, "-o", out).exit_code == 0
    assert 'kind = "hill"' in out.read_text(encoding="utf-8")


# --- the credit of the data ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["geojson", "uvtt", "svg"])
def test_the_credit_of_the_data_goes_with_every_export(form: str, good: Path) -> None:
    """What the licence of the data asks to be said stands in the file for another tool, and the file is still read."""
    out = good / f"out.{form}"
    assert run("export", form, "-g", good / "good.toml", "-o", out).exit_code == 0
    assert ("© somebody & Co." if form != "svg" else "© somebody &amp; Co.") in out.read_text(encoding="utf-8")
    if form != "geojson":
        assert run("import", form, out, "-o", good / "back.toml").exit_code == 0


@pytest.mark.parametrize("form", ["uvtt", "svg"])
def test_the_place_on_the_earth_comes_back(form: str, good: Path) -> None:
    """A map or a drawing that minis wrote brings [table.place] back; one of another size keeps its credit alone."""
    text = (good / "good.toml").read_text(encoding="utf-8")
    more = text.replace("bearing = 0\n", "bearing = 30\nlevel_heights = [20, 40]\nexaggeration = 1.5\n")
    (good / "good.toml").write_text(more, encoding="utf-8")
    out, back = good / f"placed.{form}", good / "placed.toml"
    assert run("export", form, "-g", good / "good.toml", "-o", out).exit_code == 0
    assert run("import", form, out, "-o", back).exit_code == 0
    before = read_board(good / "good.toml")
    assert read_board(back).place == before.place
    half = f"{before.width_in / 2:g}x{before.depth_in / 2:g}"
    result = run(
        "import", form, out, *(("--cell", "0.5") if form == "uvtt" else ("--size", half)), "-o", back, "--force"
    )
    assert "where the table lies on the earth is given up" in result.stdout
    assert read_board(back).place is None
    assert "# Data: © somebody & Co." in back.read_text(encoding="utf-8")
    damaged = out.read_text(encoding="utf-8").replace("26.94", "926.94")
    out.write_text(damaged, encoding="utf-8")
    result = run("import", form, out, "-o", back, "--force")
    member = "minis.place" if form == "uvtt" else "data-place"
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{out}: {member}.centre is ")


def test_the_text_of_a_scenario_is_one(tmp_path: Path) -> None:
    """Pieces with ids of every script make a scenario that is read."""
    pieces = [Piece("woods", name, box(i, 0, i + 1, 1)) for i, name in enumerate(("²", "٣", "w²9", "9"))]
    board = board_of(parse_toml(scenario_text("x", 60, 40, pieces), "made.toml"))
    assert {piece.id for piece in board.terrain} == {"²", "٣", "w²9", "9"}
