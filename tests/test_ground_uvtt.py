"""Universal VTT maps in and out: walls, objects and doors, and all terrain of a table there and back."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import boards
import pytest
import shapely
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from minis.board import Board, read_board
from minis.cli.main import cli
from minis.draw.picture_file import picture_of
from minis.errors import BadInput
from minis.ground.onto import shape_of
from minis.ground.scenario_text import scenario_text
from minis.ground.uvtt import Meaning, read_uvtt
from minis.ground.uvtt_out import part_of, uvtt_text
from minis.ground.uvtt_table import lay_map
from minis.rules import load_rules

ROOT = Path(__file__).parent.parent
EXAMPLES = [ROOT / "examples" / name / "scenario.toml" for name in ("crossroads", "villers-bocage")]


def run(*words: object) -> Result:
    """Run a command in this process; a traceback is the test's failure."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1"}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def line(*places: tuple[float, float]) -> list[dict[str, float]]:
    """A polyline as the format writes it."""
    return [{"x": x, "y": y} for x, y in places]


def drawing(**parts: Any) -> dict[str, Any]:
    """A map of 10 by 8 cells whose upper left corner lies at 2, 1 of the whole drawing; parts replace its own."""
    whole: dict[str, Any] = {
        "format": 0.3,
        "resolution": {"map_origin": {"x": 2, "y": 1}, "map_size": {"x": 10, "y": 8}, "pixels_per_grid": 70},
        "line_of_sight": [
            line((3, 2), (3, 5), (6, 5)), line((7, 2), (11, 2), (11, 4), (7, 4), (7, 2)), line((4, 7), (6, 7)),
        ],
        "objects_line_of_sight": [line((8, 6), (9, 6), (9, 7), (8, 7))],
        "portals": [
            {"position": {"x": 8, "y": 2}, "bounds": line((7.5, 2), (8.5, 2)), "closed": True},
            {"position": {"x": 9, "y": 4}, "bounds": line((8.5, 4), (9.5, 4)), "closed": False},
        ],
        "lights": [{"position": {"x": 5, "y": 5}, "range": 3}],
        "image": "",
    }  # fmt: skip
    return whole | parts


def saved(folder: Path, data: Any, name: str = "map.dd2vtt") -> Path:
    """A map as a file."""
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def laid(path: Path, *options: object) -> tuple[Board, dict[str, Any]]:
    """The table that the command makes, and its report."""
    out = path.parent / "made.toml"
    result = run("import", "uvtt", path, "-o", out, "--force", "--json", *options)
    assert result.exit_code == 0, result.stderr
    return read_board(out), json.loads(result.stdout)


def refused(path: Path, *options: object) -> str:
    """The one message of a refusal; nothing is written, not even a part."""
    before = sorted(path.parent.iterdir())
    result = run("import", "uvtt", path, "-o", path.parent / "none.toml", *options)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert sorted(path.parent.iterdir()) == before
    return result.stderr.strip()


def same_terrain(one: Board, other: Board) -> None:
    """Two tables have the same terrain: ids, kinds and keys, holes, places within 1/1000 inch."""
    assert (one.width_in, one.depth_in) == (other.width_in, other.depth_in)
    assert one.terrain_by_id.keys() == other.terrain_by_id.keys()
    for name, piece in one.terrain_by_id.items():
        found = other.terrain_by_id[name]
        for key in ("kind", "level", "base", "storeys", "slope", "material"):
            assert getattr(piece, key) == getattr(found, key), (name, key)
        assert len(piece.rings) == len(found.rings)
        assert shapely.hausdorff_distance(shape_of(piece), shape_of(found)) < 0.001, name


# --- in --------------------------------------------------------------------------------------------------------------


def test_walls_lie_where_the_map_shows_them(tmp_path: Path) -> None:
    """The origin is taken off, y turned up, a cell is the inches that are asked for."""
    board, _ = laid(saved(tmp_path, drawing()), "--cell", "2")
    assert (board.width_in, board.depth_in) == (20, 16)
    walls = board.terrain_by_id
    assert shape_of(walls["wall-1"]).equals(shapely.LineString([(2, 14), (2, 8), (8, 8)]))
    assert shape_of(walls["loop-2"]).equals(shapely.box(10, 10, 18, 14))
    assert shape_of(walls["object-1"]).equals(shapely.box(12, 4, 14, 6))
    assert {name: piece.kind.id for name, piece in walls.items()} == {
        "wall-1": "wall", "loop-2": "building", "wall-3": "wall", "object-1": "building",
    }  # fmt: skip


def test_what_the_format_cannot_say_is_asked_for_and_listed(tmp_path: Path) -> None:
    """Kinds, storeys, material, doors: each has an option, and the report says what was taken."""
    options = (
        "--walls building --thickness 0.5 --closed wall --objects rubble --doors roadblock --storeys 2 --material stone"
    )
    board, report = laid(saved(tmp_path, drawing()), *options.split())
    pieces = board.terrain_by_id
    assert [pieces[name].kind.id for name in ("wall-1", "loop-2", "object-1", "door-1")] == [
        "building", "wall", "rubble", "roadblock",
    ]  # fmt: skip
    assert (pieces["wall-3"].storeys, pieces["wall-3"].material) == (2, "stone")
    assert shape_of(pieces["wall-3"]).equals(shapely.box(2, 1.75, 4, 2.25))
    assert "door-2" not in pieces
    assert report["left_out"] == {"lights": 1, "doors and windows, open: gaps": 1}
    said = " ".join(report["cannot_say"])
    assert "an open wall is building" in said
    assert "2 storeys" in said
    _, plain = laid(tmp_path / "map.dd2vtt")
    assert plain["left_out"]["doors and windows, closed: gaps (--doors KIND)"] == 1


def test_loops_that_cross_themselves_are_repaired_and_listed(tmp_path: Path) -> None:
    """A bow of walls becomes two buildings."""
    bow = line((3, 2), (5, 4), (5, 2), (3, 4), (3, 2))
    board, report = laid(saved(tmp_path, drawing(line_of_sight=[bow], objects_line_of_sight=[])))
    assert [piece.kind.id for piece in board.terrain] == ["building", "building"]
    assert [left["id"] for left in report["repaired"]] == ["loop-1"]


def test_walls_beyond_the_map_are_clipped(tmp_path: Path) -> None:
    """What the whole drawing has outside of the map does not come onto the table."""
    board, _ = laid(saved(tmp_path, drawing(line_of_sight=[line((0, 3), (20, 3))], objects_line_of_sight=[])))
    assert shape_of(board.terrain[0]).bounds == (0, 6, 10, 6)


# --- out and in again ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("cell", ["1", "1.5", "2.54cm", "0.7"])
def test_a_table_comes_back_as_it_was(path: Path, cell: str, tmp_path: Path) -> None:
    """Ids, kinds, keys, holes and places of all terrain, whatever the size of a cell."""
    out = tmp_path / "table.uvtt"
    assert run("export", "uvtt", "-g", path, "-o", out, "--cell", cell).exit_code == 0
    board, report = laid(out)
    same_terrain(read_board(path), board)
    assert report["cannot_say"] == []
    assert board.title == read_board(path).title


@given(st.integers(0, 10**6), st.sampled_from([0.5, 1.0, 1.3]))
def test_any_table_comes_back_as_it_was(seed: int, cell: float) -> None:
    """Random tables with hills, ridges, houses across crest lines."""
    doc = boards.rough_board(seed)
    doc["unit"] = []
    try:
        before = boards.board_of_doc(doc)
    except BadInput:
        return  # a table with a mistake is no table
    inside = shapely.box(0, 0, before.width_in, before.depth_in)
    if not before.terrain or not all(inside.covers(shape_of(piece)) for piece in before.terrain):
        return  # what reaches over the edge is clipped
    text = uvtt_text(before, inches_per_cell=cell, pixels_per_cell=1)
    path = Path("any.uvtt")
    found = lay_map(_read(text, path), load_rules(), Meaning())
    same_terrain(before, boards.board(scenario_text(found.title or "t", *found.size_in, found.pieces)))


def _read(text: str, path: Path) -> Any:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / path
        where.write_text(text, encoding="utf-8")
        return read_uvtt(where)


def test_a_wall_that_another_tool_moved_is_followed(tmp_path: Path) -> None:
    """Ids and kinds stay with the walls of the file; where walls were added they are given up."""
    out = tmp_path / "table.uvtt"
    run("export", "uvtt", "-g", EXAMPLES[0], "-o", out)
    data = json.loads(out.read_text(encoding="utf-8"))
    for spot in data["line_of_sight"][0]:
        spot["x"] += 1
    board, _ = laid(saved(tmp_path, data, "moved.uvtt"))
    before = read_board(EXAMPLES[0]).terrain_by_id
    name = next(piece["id"] for piece in data["minis"]["terrain"] if ["line_of_sight", 0] in piece["at"])
    moved = shapely.affinity.translate(shape_of(before[name]), 1, 0)
    assert shapely.hausdorff_distance(moved, shape_of(board.terrain_by_id[name])) < 0.001
    data["line_of_sight"].append(line((1, 1), (3, 3)))
    board, report = laid(saved(tmp_path, data, "more.uvtt"))
    assert name not in board.terrain_by_id
    assert "given up" in report["remarks"][0]


def test_other_tools_read_what_is_written(tmp_path: Path) -> None:
    """The documented fields are all there, walls stay on the map, the picture has the pixels that the cells ask for."""
    out = tmp_path / "table.uvtt"
    result = run("export", "uvtt", "-g", EXAMPLES[0], "-o", out, "--cell", "2", "--pixels", "10")
    assert "not told by the format: heights and kinds" in result.stdout
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["format"] == 0.3
    assert data["resolution"] == {
        "map_origin": {"x": 0, "y": 0}, "map_size": {"x": 42, "y": 24}, "pixels_per_grid": 10,
    }  # fmt: skip
    picture = picture_of(base64.b64decode(data["image"]))
    assert picture is not None
    assert (picture.width, picture.height) == (420, 240)
    for part in ("line_of_sight", "objects_line_of_sight"):
        assert data[part]
        assert all(0 <= spot["x"] <= 42 and 0 <= spot["y"] <= 24 for wall in data[part] for spot in wall)
    assert (data["portals"], data["lights"]) == ([], [])
    walls = [piece for piece in read_board(EXAMPLES[0]).terrain if part_of(piece) == "line_of_sight"]
    assert len(data["line_of_sight"]) == sum(max(1, len(piece.rings)) for piece in walls)


def test_a_side_gets_no_units_and_no_secrets(tmp_path: Path) -> None:
    """What is written is terrain alone."""
    out = tmp_path / "table.uvtt"
    assert run("export", "uvtt", "-g", EXAMPLES[0], "-o", out, "--as", "allied").exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert all(f'"{unit.id}"' not in text for unit in read_board(EXAMPLES[0]).units)


def test_a_picture_of_ones_own(tmp_path: Path) -> None:
    """A PNG is put in as it is; anything else is refused."""
    from minis.ground.uvtt_out import blank_png

    png = tmp_path / "map.png"
    png.write_bytes(blank_png(7, 5))
    out = tmp_path / "table.uvtt"
    assert run("export", "uvtt", "-g", EXAMPLES[0], "-o", out, "--picture", png).exit_code == 0
    assert base64.b64decode(json.loads(out.read_text(encoding="utf-8"))["image"]) == png.read_bytes()
    png.write_bytes(b"GIF89a")
    result = run("export", "uvtt", "-g", EXAMPLES[0], "-o", tmp_path / "b.uvtt", "--picture", png)
    assert (result.exit_code, "is no PNG" in result.stderr, (tmp_path / "b.uvtt").exists()) == (2, True, False)
    result = run("export", "uvtt", "-g", EXAMPLES[0], "-o", tmp_path / "b.uvtt", "--cell", "0.001")
    assert (result.exit_code, "too many for a map" in result.stderr) == (2, True)


# --- what is refused -------------------------------------------------------------------------------------------------


def resolution(**parts: Any) -> dict[str, Any]:
    """A map whose resolution has other values."""
    return drawing(resolution=drawing()["resolution"] | parts)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("", "is empty"),
        ("no json", "this is not JSON"),
        (json.dumps(drawing())[:-300], "this is not JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"resolution": ' * 5000 + "1" + "}" * 5000, "is nested too deeply"),
        ("[1, 2]", "has no resolution"),
        ("{}", "has no resolution"),
        ('{"resolution": 5}', "resolution is 5; expected an object"),
        (resolution(map_size=None), "resolution.map_size is missing"),
        (resolution(map_size={"x": 10}), "resolution.map_size.y is missing"),
        (resolution(map_size={"x": "10", "y": 8}), "resolution.map_size.x is '10'; expected a number"),
        (resolution(map_size={"x": True, "y": 8}), "resolution.map_size.x is true; expected a number"),
        (resolution(map_size={"x": 0, "y": 8}), "resolution.map_size is 0 by 8"),
        (resolution(map_size={"x": 1e7, "y": 8}), "expected 1 to 10000 cells"),
        (resolution(map_size={"x": 9000, "y": 8}), 'are no table: expected at most 2000 inches'),
        (resolution(pixels_per_grid=0), "resolution.pixels_per_grid is 0"),
        (resolution(map_origin=[0, 0]), "resolution.map_origin is [0, 0]; expected an object with x and y"),
        (json.dumps(drawing()).replace('"x": 3', '"x": NaN', 1), "holds NaN, which is no number"),
        (json.dumps(drawing()).replace('"x": 3', '"x": -Infinity', 1), "holds -Infinity, which is no number"),
        (json.dumps(drawing()).replace('"x": 3', '"x": 1e999', 1), "line_of_sight[0][0].x is inf"),
        (json.dumps(drawing()).replace('"x": 3', '"x": ' + "9" * 5000, 1), "too many digits"),
        (drawing(line_of_sight={}), "line_of_sight is {}; expected a list"),
        (drawing(line_of_sight=[5]), "line_of_sight[0] is 5; expected a list of points"),
        (drawing(line_of_sight=[[[1, 2]]]), "line_of_sight[0][0] is [1, 2]; expected an object with x and y"),
        (drawing(objects_line_of_sight=[line((1, 1)), [None]]), "objects_line_of_sight[1][0] is missing"),
        (drawing(portals=[{"bounds": line((1, 1))}]), "portals[0].bounds has 1 points; expected 2"),
        (drawing(portals=["door"]), "portals[0] is 'door'; expected an object"),
        (drawing(line_of_sight=[], objects_line_of_sight=[]), "has no walls on the map"),
        (drawing(line_of_sight=[line((3, 3), (3, 3)), []], objects_line_of_sight=[[]]), "has no walls on the map"),
        (drawing(minis={"lines": {}}), "walls"),
        (drawing(minis=5), "walls"),
        (drawing(minis={"inches_per_cell": 1, "lines": {"line_of_sight": 3, "objects_line_of_sight": 1},
                        "terrain": [{"id": 5}]}), "its member 'minis' is damaged"),
        (drawing(minis={"inches_per_cell": 1, "lines": {"line_of_sight": 3, "objects_line_of_sight": 1},
                        "terrain": [{"id": "a", "kind": "lava", "line": True, "at": [["line_of_sight", 0]]}]}),
         "there is no kind of terrain 'lava'"),
    ],
)  # fmt: skip
def test_files_that_are_no_map(data: Any, why: str, tmp_path: Path) -> None:
    """Empty, truncated, nested, of another type, no numbers: one message with the file, nothing written."""
    path = saved(tmp_path, data)
    if why == "walls":
        assert laid(path)[1]["remarks"]  # a member of another tool of the same name is passed over, and told
        return
    message = refused(path)
    assert why in message
    assert message.startswith(str(path))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--walls", "lava"), "there is no kind of terrain 'lava' for walls"),
        (("--closed", "hill"), "there is no kind of terrain 'hill' for walls"),
        (("--cell", "0"), "--cell: expected a length above 0"),
        (("--thickness", "-1"), "--thickness: expected a length above 0"),
    ],
)
def test_options_that_are_wrong(options: tuple[str, ...], why: str, tmp_path: Path) -> None:
    """One message that names the option or the kind."""
    assert why in refused(saved(tmp_path, drawing()), *options)


def test_a_file_that_is_no_text_or_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that are no letters, and more of them than any map has."""
    path = tmp_path / "map.uvtt"
    path.write_bytes(b"\xff\xfe{}")
    assert "is not text" in refused(path)
    with path.open("wb") as file:
        file.truncate(300 * 2**20)
    assert "larger than the 256 MB" in refused(path)
