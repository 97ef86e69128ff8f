"""`minis crop`: a part of a table is a table of its own, and what lies inside keeps its shape to the last step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import boards
import numpy as np
import pytest
import shapely
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from test_views import write

from minis.board import Board, read_board
from minis.board.scenario import board_of
from minis.cli.main import cli
from minis.errors import BadInput
from minis.ground.crop import crop
from minis.ground.cut import cut_line
from minis.ground.layout import formatted
from minis.ground.parts import parts_of
from minis.lengths import GRID
from minis.rules import examples_folder
from minis.toml_file import parse_toml

VILLERS = examples_folder() / "villers-bocage" / "scenario.toml"


def run(*words: object, **environment: str) -> Result:
    """Run a command in this process."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, **environment}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def shape(piece: Any) -> Any:
    """A piece, a cloud or a zone as a shape in grid steps."""
    if getattr(piece, "line", ()):
        return shapely.LineString(piece.line)
    rings = piece.rings if hasattr(piece, "rings") else (piece.ring,)
    return shapely.Polygon(rings[0], rings[1:])


def moved(geometry: Any, x: int, y: int) -> Any:
    """A shape moved by so many steps."""
    return shapely.transform(geometry, lambda places: places + np.array([x, y]))


def of(board: Board, name: str) -> Any:
    """Everything of the new table that was one piece of the old one."""
    parts = [
        p for p in board.terrain if p.id == name or (p.id.startswith(f"{name}-") and p.id[len(name) + 1 :].isdigit())
    ]
    return shapely.union_all([shape(part) for part in parts])


@given(st.integers(0, 10**6), st.tuples(*[st.integers(0, 38 * 16)] * 2), st.tuples(*[st.integers(8, 38 * 16)] * 2))
@settings(max_examples=60, deadline=None)
def test_any_box_of_any_table(
    tmp_path_factory: pytest.TempPathFactory, seed: int, corner: tuple[int, int], size: tuple[int, int]
) -> None:
    """Each piece is what the box leaves of it, to a step; what is whole is the same; levels stay what they were."""
    folder = tmp_path_factory.mktemp("crop")
    doc = boards.rough_board(seed) if seed % 2 else boards.lattice_board(seed)
    write(folder / "s.toml", doc)
    try:
        parts = parts_of(folder / "s.toml")
    except BadInput:
        return  # a table with mistakes is cut nowhere
    width, depth = int(parts.board.width_in * GRID), int(parts.board.depth_in * GRID)
    x0, y0 = corner[0] * 500 % (width - GRID), corner[1] * 500 % (depth - GRID)
    x1, y1 = min(width, x0 + size[0] * 500), min(depth, y0 + size[1] * 500)
    corners = (x0 / GRID, y0 / GRID, x1 / GRID, y1 / GRID)
    text, changes = crop(parts, corners, folder / "c.toml", drop_units=True)
    new = board_of(parse_toml(text, str(folder / "c.toml")))
    assert formatted(text) == text
    box = shapely.box(x0, y0, x1, y1)
    for piece in parts.board.terrain:
        left, found = moved(shapely.intersection(shape(piece), box), -x0, -y0), of(new, piece.id)
        if shapely.covers(box, shape(piece)):
            assert shapely.equals(found, left)
        if piece.rings:
            away = float(shapely.area(shapely.symmetric_difference(found, left)))
            assert away <= 2 * float(shapely.length(shape(piece))) + 4
        assert {p.base for p in new.terrain if p.id == piece.id} <= {piece.base}
    inside = {u.id for u in parts.board.units if x0 <= u.at[0] <= x1 and y0 <= u.at[1] <= y1}
    assert {u.id: (u.at[0] + x0, u.at[1] + y0) for u in new.units} == {
        u.id: u.at for u in parts.board.units if u.id in inside
    }
    assert {one.id for one in changes.dropped} >= {u.id for u in parts.board.units} - inside


def test_the_whole_table_is_the_whole_table(tmp_path: Path) -> None:
    """A box round everything changes a comment at the head alone."""
    out = tmp_path / "c.toml"
    done = run("crop", VILLERS, "--box", "0,0,144,72", "-o", out)
    assert done.exit_code == 0, done.stderr
    lines = out.read_text(encoding="utf-8").splitlines()
    before = VILLERS.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line not in before] == ["# Cut from scenario.toml: 0, 0 to 144, 72."]
    old, new = read_board(VILLERS), read_board(out)
    assert (new.terrain, new.units, new.zones, new.lanes) == (old.terrain, old.units, old.zones, old.lanes)


def test_a_part_of_an_example_is_sound(tmp_path: Path) -> None:
    """Headings and comments go along, `minis check` is content, the report tells what was left out."""
    out = tmp_path / "c.toml"
    done = run("crop", VILLERS, "--box", "50,20,100,60", "--drop-units", "-o", out, "--json")
    told = json.loads(done.stdout)
    board = read_board(out)
    assert (board.width_in, board.depth_in) == (50, 40)
    assert told["written"]["terrain"] == len(board.terrain)
    assert {"id": "smoke-a3", "why": "smoke outside the box"} in told["dropped"]
    text = out.read_text(encoding="utf-8")
    assert "# ---------- The knoll east of the Tilly road: two contours." in text
    assert "# ========" in text
    assert run("fmt", "--check", out).exit_code == 0


TABLE = "[table]\nwidth = 40\ndepth = 20\n"


def cut(folder: Path, text: str, box: tuple[float, float, float, float], *, drop: bool = False) -> tuple[Board, str]:
    """The part of a table in a box, as read and as written."""
    (folder / "s.toml").write_text(text, encoding="utf-8")
    made, _ = crop(parts_of(folder / "s.toml"), box, folder / "c.toml", drop_units=drop)
    return board_of(parse_toml(made, str(folder / "c.toml"))), made


def test_shapes_stay_what_they_are(tmp_path: Path) -> None:
    """A box stays a box, a whole circle a circle, a cut one becomes an outline; what is cut in two gets numbers."""
    _, text = cut(
        tmp_path,
        TABLE
        + '[[terrain]]\nid = "a"\nkind = "road"\nbox = [0, 4, 40, 6]  # the road\n'
        + '[[smoke]]\nid = "s"\ncircle = { centre = [14, 10], radius = 2.5 }\n'
        + '[[zone]]\nid = "z"\ncircle = { centre = [10, 10], radius = 3 }\n'
        + '[[terrain]]\nid = "u"\nkind = "woods"\n'
        + "outline = [[8, 0], [20, 0], [20, 2], [9, 2], [9, 6], [20, 6], [20, 8], [8, 8]]\n"
        + '[[terrain]]\nid = "w"\nkind = "wall"\nline = [[12, 12], [8, 12], [8, 14], [12, 14]]\n',
        (10, 1, 30, 16),
    )
    assert "box = [0, 3, 20, 5]       # the road" in text
    assert "circle = { centre = [4, 9], radius = 2.5 }" in text
    assert 'id = "u-1"' in text
    assert 'id = "u-2"' in text
    assert 'id = "w-1"\nkind = "wall"\nline = [[2, 11], [0, 11]]' in text
    assert 'id = "z"\noutline = [' in text


def test_the_ground_stays_what_it_was(tmp_path: Path) -> None:
    """A piece that was over two levels and lies on one now names the level it had."""
    board, text = cut(
        tmp_path,
        TABLE
        + '[[terrain]]\nid = "h"\nkind = "hill"\nlevel = 1\nbox = [10, 0, 30, 20]\n'
        + '[[terrain]]\nid = "g"\nkind = "grain"\nbox = [5, 5, 15, 10]\n'
        + '[[terrain]]\nid = "in"\nkind = "grain"\nbox = [16, 5, 17, 10]\n',
        (12, 0, 25, 20),
    )
    assert {p.id: p.base for p in board.terrain if not p.is_crest} == {"g": 0, "in": 1}
    assert text.count("base = ") == 1


def test_units_outside_are_refused_or_dropped(tmp_path: Path) -> None:
    """All of them are told with their lines; dropped, nobody carries, tows, has seen or smokes for them."""
    text = TABLE + "".join(
        f'[[unit]]\nid = "{name}"\nside = "{side}"\nkind = "{kind}"\nat = [{x}, 5]\n{more}\n'
        for name, side, kind, x, more in (
            ("T", "red", "vehicle", 5, 'carries = ["I"]\ntow = "G"\nsighted_by = ["E", "F"]'),
            ("I", "red", "infantry", 25, ""), ("G", "red", "gun", 26, ""),
            ("E", "blue", "infantry", 30, ""), ("F", "blue", "infantry", 6, ""),
        )
    )  # fmt: skip
    text += '[[smoke]]\nid = "s"\nby = "E"\nbox = [4, 4, 6, 6]\n'
    text += '[[lane]]\nid = "l"\nside = "blue"\nline = [[0, 1], [9, 1]]\n'
    with pytest.raises(BadInput, match="drop-units") as told:
        cut(tmp_path, text, (0, 0, 10, 10))
    assert [(one.id, one.line) for one in told.value.mistakes] == [("I", 16), ("G", 22), ("E", 28)]
    board, made = cut(tmp_path, text, (0, 0, 10, 10), drop=True)
    tank = board.unit("T")
    assert (tank.carries, tank.tow, set(tank.sighted_by), board.smoke[0].by) == ((), None, {"F"}, None)
    assert "carries" not in made
    assert [lane.id for lane in board.lanes] == ["l"]


def test_a_zone_of_a_side_that_is_gone_goes_too(tmp_path: Path) -> None:
    """A zone without a side to set up in it would be a mistake."""
    unit = '[[unit]]\nid = "{}"\nside = "{}"\nkind = "gun"\nat = [{}, 5]\n'
    text = TABLE + unit.format("a", "red", 5) + unit.format("b", "blue", 30)
    board, _ = cut(tmp_path, text + '[[zone]]\nid = "z"\nside = "blue"\nbox = [2, 2, 35, 9]\n', (0, 0, 9, 9), drop=True)
    assert board.zones == ()


@pytest.mark.parametrize("edge", [10.3, 10.300125, 10.30025])
def test_a_lane_along_the_edge_of_its_area(tmp_path: Path, edge: float) -> None:
    """Line and area are cut alike, also where the one runs along the other and the cut is rounded to the grid."""
    lane = '[[lane]]\nid = "l"\nline = [[4, 3], [13, 6], [30, 7]]\n'
    lane += "area = [[1, 2], [13, 6], [33, 7.1], [30, 15], [2, 15]]\n"
    board, _ = cut(tmp_path, TABLE + lane, (0, 0, edge, 12))
    (one,) = board.lanes
    assert one.area is not None
    assert shapely.covers(shapely.Polygon(one.area), shapely.LineString(one.line))


def test_terrain_from_geojson_comes_along(tmp_path: Path) -> None:
    """It is written into the new file, which stands alone; the house rules are found from there."""
    (tmp_path / "house").mkdir()
    features = [
        {"type": "Feature", "properties": {"id": "g", "kind": "woods"},
         "geometry": {"type": "Polygon", "coordinates": [[[2, 2], [12, 2], [12, 8], [2, 2]]]}}
    ]  # fmt: skip
    collection = {"type": "FeatureCollection", "minis": {"units": "inches"}, "features": features}
    (tmp_path / "g.geojson").write_text(json.dumps(collection), encoding="utf-8")
    text = 'terrain_from = "g.geojson"\ntables = "house"\n' + TABLE
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / "c.toml"
    assert run("crop", tmp_path / "s.toml", "--box", "1,1,11,11", "-o", out).exit_code == 0
    made = out.read_text(encoding="utf-8")
    assert "terrain_from" not in made
    assert 'tables = "../house"' in made
    assert [piece.id for piece in read_board(out).terrain] == ["g"]


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ("1,2,3", "expected X0,Y0,X1,Y1"), ("1,2,x,4", "expected a length"), ("9,2,3,4", "south-west"),
        ("0,0,145,10", "over the edge"), ("-1,0,10,10", "over the edge"), ("0,0,5,5", "--drop-units"),
    ],
)  # fmt: skip
def test_a_box_that_is_none(tmp_path: Path, box: str, words: str) -> None:
    """One message, exit status 2, nothing written."""
    done = run("crop", VILLERS, f"--box={box}", "-o", tmp_path / "c.toml")
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    """Only --force replaces it."""
    out = tmp_path / "c.toml"
    out.write_text("mine", encoding="utf-8")
    words = ["crop", VILLERS, "--box", "0,0,144,72", "-o", out]
    assert run(*words).exit_code == 2
    assert out.read_text(encoding="utf-8") == "mine"
    assert run(*words, "--force").exit_code == 0


def test_lines_are_cut_exactly() -> None:
    """A line that leaves and comes back is two; one that runs along the edge stays; a touch is nothing."""
    box = (0, 0, 10, 10)
    assert cut_line([(5, 5), (15, 5), (15, 6), (5, 6)], box) == [((5, 5), (10, 5)), ((10, 6), (5, 6))]
    assert cut_line([(-5, 0), (15, 0)], box) == [((0, 0), (10, 0))]
    assert cut_line([(-5, 5), (0, 10), (-5, 15)], box) == []
    assert cut_line([(0, 5), (3, -1)], box) == [((0, 5), (3, 0))]


def test_the_new_table_lies_where_it_lay(tmp_path: Path) -> None:
    """[table.place] is that of the new middle: a place of the ground is the same place of the table, to a 1/1000"."""
    pytest.importorskip("pyproj")
    from minis.ground.project import Projection

    place = '[table.place]\ncentre = [24.6, 60.2]  # the church\nbearing = 37.5\nscale = "1in=25m"\n'
    board, text = cut(tmp_path, "[table]\nwidth = 144\ndepth = 72\n" + place, (4, 6, 44, 30))
    old, new = read_board(tmp_path / "s.toml"), board
    assert old.place is not None
    assert new.place is not None
    assert "# the church" in text
    ground = Projection(old.place, old.width_in, old.depth_in)
    there = Projection(new.place, new.width_in, new.depth_in)
    for x, y in ((4, 6), (44, 6), (44, 30), (20, 12)):
        found = there.to_table(*ground.to_ground(x, y))
        assert [float(v) for v in found] == pytest.approx([x - 4, y - 6], abs=1e-3)


def test_counts_of_the_whole_table_are_left_out(tmp_path: Path) -> None:
    """What an import counted is no longer so; who made the file and whose data it is stays."""
    head = "# Made by a tool.\n# Pieces: woods 2, road 1,\n# wall 5.\n# Repaired: 4 pieces.\n# Dropped: 3 pieces.\n"
    head += "# Not understood: a=b.c 3.\n# Data: somebody.\n"
    _, text = cut(tmp_path, head + TABLE, (0, 0, 10, 10))
    said = [line for line in text.splitlines() if line.startswith("#")]
    assert said == ["# Cut from s.toml: 0, 0 to 10, 10.", "# Made by a tool.", "# Data: somebody."]
