"""Drawings in and out, and a picture under the map: layers to kinds, titles to ids, transforms, units, corner marks."""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import boards
import pytest
import shapely
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry.base import BaseGeometry
from test_ground_uvtt import same_terrain

from minis.board import Board, read_board
from minis.cli.main import cli
from minis.draw.backdrop import backdrop_layer, homography, through
from minis.draw.canvas import Canvas
from minis.draw.picture_file import picture_of
from minis.draw.svg import Element
from minis.errors import BadInput
from minis.ground.onto import shape_of
from minis.ground.scenario_text import scenario_text
from minis.ground.svg_in import read_svg
from minis.ground.svg_matrix import moved, transform_of
from minis.ground.svg_out import svg_text
from minis.ground.svg_table import lay_drawing
from minis.ground.uvtt_out import blank_png
from minis.rules import load_rules

ROOT = Path(__file__).parent.parent
EXAMPLES = [ROOT / "examples" / name / "scenario.toml" for name in ("crossroads", "villers-bocage")]

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
    'width="{}" height="{}" viewBox="{}">'
)


START = HEAD.format("60in", "40in", "0 0 60 40")


def run(*words: object) -> Result:
    """Run a command in this process; a traceback is the test's failure."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1"}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def layer(label: str, *objects: str, **attributes: str) -> str:
    """A layer as Inkscape writes it."""
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<g inkscape:groupmode="layer" inkscape:label="{label}"{more}>{"".join(objects)}</g>'


def drawn(folder: Path, *layers: str, width: str = "60in", height: str = "40in", box: str = "0 0 60 40") -> Path:
    """A drawing; its user units are inches of a table of 60 by 40."""
    path = folder / "plan.svg"
    path.write_text(HEAD.format(width, height, box) + "".join(layers) + "</svg>", encoding="utf-8")
    return path


def laid(path: Path, *options: object) -> tuple[Board, dict[str, Any]]:
    """The table that the command makes, and its report."""
    out = path.parent / "made.toml"
    result = run("import", "svg", path, "-o", out, "--force", "--json", *options)
    assert result.exit_code == 0, result.stderr
    return read_board(out), json.loads(result.stdout)


def refused(path: Path, *options: object, what: str = "svg") -> str:
    """The one message of a refusal; nothing is written, not even a part."""
    before = sorted(path.parent.iterdir())
    result = run("import", what, path, "-o", path.parent / "none.toml", *options)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert sorted(path.parent.iterdir()) == before
    return result.stderr.strip()


def shape(board: Board, name: str) -> BaseGeometry:
    """A piece of a board in inches."""
    return shape_of(board.terrain_by_id[name])


# --- layers, ids, keys -----------------------------------------------------------------------------------------------


def test_layers_say_the_kind_and_titles_the_id(tmp_path: Path) -> None:
    """Labels in any case, in the plural, with a level or storeys; y is turned up."""
    path = drawn(
        tmp_path,
        layer("Hills 2", '<rect x="1" y="1" width="4" height="5"><title>north hill</title></rect>'),
        layer("building 3", '<path id="farm" d="M10,10 h4 v2 h-4 z"/>'),
        layer("WALL", '<polyline points="20,20 24,20 24,22" fill="none"/>'),
        layer("Wald", '<circle cx="30" cy="20" r="3"/>'),
    )
    board, report = laid(path, "--layer", "Wald=woods")
    assert {name: piece.kind.id for name, piece in board.terrain_by_id.items()} == {
        "north hill": "hill", "farm": "building", "wall-1": "wall", "woods-1": "woods",
    }  # fmt: skip
    pieces = board.terrain_by_id
    assert (pieces["north hill"].level, pieces["farm"].storeys) == (2, 3)
    assert shape(board, "north hill").equals(shapely.box(1, 34, 5, 39))
    assert shape(board, "wall-1").equals(shapely.LineString([(20, 20), (24, 20), (24, 18)]))
    assert shape(board, "woods-1").area == pytest.approx(math.pi * 9, rel=2e-3)
    assert (board.width_in, board.depth_in, report["not_understood"]) == (60, 40, {})


def test_what_is_not_understood_is_counted(tmp_path: Path) -> None:
    """Layers without a kind, text and clones, hidden layers, skipped layers: each with its number."""
    rect = '<rect width="2" height="2"/>'
    path = drawn(
        tmp_path,
        layer("woods", rect, '<text x="1" y="1">oak<tspan>s</tspan></text>', '<use href="#a"/>'),
        layer("notes", rect, rect),
        layer("frame", rect),
        layer("old", rect, rect, style="display:none"),
        "<defs><rect id='a' width='9' height='9'/></defs>",
        rect,
    )
    board, report = laid(path, "--layer", "frame=skip")
    assert [piece.id for piece in board.terrain] == ["woods-1"]
    assert report["not_understood"] == {
        "text in woods": 1, "use in woods": 1, "layer notes": 2, "layer (none)": 1,
    }  # fmt: skip
    assert report["left_out"] == {"hidden: old": 2, "layer frame": 1}


def test_a_drawing_without_layers_goes_by_its_groups(tmp_path: Path) -> None:
    """The id of the outermost group stands for the label, as other programs write it."""
    path = drawn(tmp_path, '<g id="woods"><g id="inner"><rect width="2" height="2"/></g></g>')
    board, _ = laid(path)
    assert [piece.kind.id for piece in board.terrain] == ["woods"]


def test_transforms_of_layers_groups_and_objects_add_up(tmp_path: Path) -> None:
    """A layer moved, a group turned, an object scaled: the outermost is done last."""
    rect = '<rect width="2" height="1" transform="scale(2)"><title>a</title></rect>'
    board, _ = laid(
        drawn(tmp_path, layer("woods", f'<g transform="rotate(90)">{rect}</g>', transform="translate(10,5)"))
    )
    assert shapely.hausdorff_distance(shape(board, "a"), shapely.box(8, 31, 10, 35)) < 0.001


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("translate(3)", (4, 1)), ("translate(3 -1)", (4, 0)), ("scale(2)", (2, 2)), ("scale(2,3)", (2, 3)),
        ("rotate(90)", (-1, 1)), ("rotate(180 1 0)", (1, -1)), ("skewX(45)", (2, 1)), ("skewY(45)", (1, 2)),
        ("matrix(1,2,3,4,5,6)", (9, 12)), ("translate(1,1), scale(2)", (3, 3)), ("", (1, 1)),
    ],
)  # fmt: skip
def test_every_transform(text: str, expected: tuple[float, float]) -> None:
    """Where the place 1, 1 goes."""
    assert moved(transform_of(text), (1, 1)) == pytest.approx(expected)


def test_units_and_the_size_of_the_page(tmp_path: Path) -> None:
    """Millimetres on paper are inches of the table; --size takes the page for a table of that size in small."""
    rect = layer("woods", '<rect x="10" y="10" width="20" height="10"><title>a</title></rect>')
    path = drawn(tmp_path, rect, width="152.4mm", height="101.6mm", box="0 0 60 40")
    board, _ = laid(path)
    assert (board.width_in, board.depth_in) == (6, 4)
    assert shape(board, "a").bounds == pytest.approx((1, 2, 3, 3), abs=1e-6)
    board, _ = laid(path, "--size", "120x80")
    assert shape(board, "a").bounds == pytest.approx((20, 40, 60, 60), abs=1e-6)
    assert "expected sides in proportion" in refused(path, "--size", "120x90")
    bare = drawn(tmp_path, rect, width="100%", height="100%")
    assert "its page has no size" in refused(bare)
    assert laid(bare, "--size", "60x40")[0].width_in == 60
    pixels = drawn(tmp_path, rect, width="960", height="640")
    assert "96 of them" in laid(pixels)[1]["remarks"][0]


def test_holes_by_even_and_odd_and_by_winding(tmp_path: Path) -> None:
    """A ring inside of another is a hole where the fill rule says so, and filled where it does not."""
    outer, same, against = "M0,0 h10 v10 h-10 z", "M2,2 h4 v4 h-4 z", "M2,2 v4 h4 v-4 z"
    areas = {}
    for name, d, rule in (
        ("a", outer + same, "nonzero"), ("b", outer + against, "nonzero"), ("c", outer + same, "evenodd"),
    ):  # fmt: skip
        path = drawn(tmp_path, layer("woods", f'<path d="{d}" fill-rule="{rule}"><title>{name}</title></path>'))
        areas[name] = shape(laid(path)[0], name).area
    assert areas == {"a": 100, "b": 84, "c": 84}


@pytest.mark.parametrize(
    ("d", "area"),
    [
        ("M0 0 L10 0 10 10 0 10Z", 100),
        ("m1 1 4 0 0 4 -4 0z m6 0 h2 v2 h-2z", 20),
        ("M10 5 A5 5 0 1 0 0 5 A5 5 0 1 0 10 5Z", math.pi * 25),
        ("M0 0 Q5 10 10 0 Z", 100 / 3),
        ("M0 0 C0 10 10 10 10 0 Z", 60),
    ],
)
def test_paths_enclose_what_they_draw(d: str, area: float, tmp_path: Path) -> None:
    """Absolute and relative commands, arcs and curves: the area within 1/1000."""
    board, _ = laid(drawn(tmp_path, layer("woods", f'<path d="{d}" fill-rule="evenodd"/>')))
    assert sum(shape_of(piece).area for piece in board.terrain) == pytest.approx(area, rel=1e-3)


def test_an_open_line_of_an_area_kind_is_as_broad_as_it_is_drawn(tmp_path: Path) -> None:
    """A road drawn as a line of 2 inches is a strip; one without a breadth is nothing, and told."""
    road = '<path d="M0,10 H30" style="fill:none;stroke-width:2"><title>a</title></path>'
    board, _ = laid(drawn(tmp_path, layer("road", road)))
    assert shape(board, "a").equals(shapely.box(0, 29, 30, 31))


def test_two_objects_of_one_title_are_two_pieces(tmp_path: Path) -> None:
    """The second gets a number."""
    rect = '<rect width="2" height="2"><title>a</title></rect>'
    board, _ = laid(drawn(tmp_path, layer("woods", rect, rect)))
    assert sorted(board.terrain_by_id) == ["a", "a-2"]


# --- out and in again ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_a_table_comes_back_as_it_was(path: Path, tmp_path: Path) -> None:
    """Ids, kinds, keys, holes and places of all terrain, and the title."""
    out = tmp_path / "table.svg"
    assert run("export", "svg", "-g", path, "-o", out).exit_code == 0
    board, report = laid(out)
    same_terrain(read_board(path), board)
    assert board.title == read_board(path).title
    assert (report["not_understood"], report["repaired"], report["dropped"]) == ({}, [], [])
    assert run("export", "svg", "-g", path).stdout == out.read_text(encoding="utf-8")


@given(st.integers(0, 10**6))
def test_any_table_comes_back_as_it_was(seed: int) -> None:
    """Random tables with hills, ridges, houses across crest lines."""
    import tempfile

    doc = boards.rough_board(seed)
    doc["unit"] = []
    try:
        before = boards.board_of_doc(doc)
    except BadInput:
        return  # a table with a mistake is no table
    inside = shapely.box(0, 0, before.width_in, before.depth_in)
    if not before.terrain or not all(inside.covers(shape_of(piece)) for piece in before.terrain):
        return  # what reaches over the edge is clipped
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any.svg"
        path.write_text(svg_text(before), encoding="utf-8")
        found = lay_drawing(read_svg(path), load_rules(), {})
    same_terrain(before, boards.board(scenario_text("t", *found.size_in, found.pieces)))


def test_inkscape_reads_what_is_written(tmp_path: Path) -> None:
    """Layers with labels, a page true to size, units of the table: no units, no secrets."""
    text = run("export", "svg", "-g", EXAMPLES[0], "--as", "allied").stdout
    root = ElementTree.fromstring(text)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("84in", "48in", "0 0 84 48")
    inkscape = "{http://www.inkscape.org/namespaces/inkscape}"
    labels = [part.get(f"{inkscape}label") for part in root if part.get(f"{inkscape}groupmode") == "layer"]
    assert labels[:2] == ["hill 1", "hill 2"]
    assert {"woods", "road", "building"} < set(labels)
    assert all(f">{unit.id}<" not in text for unit in read_board(EXAMPLES[0]).units)


# --- what is refused -------------------------------------------------------------------------------------------------

GOOD = layer("woods", '<rect width="2" height="2"/>')


def with_path(d: str) -> str:
    """A drawing with one path."""
    return START + layer("woods", f'<path id="p" d="{d}"/>') + "</svg>"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("no xml", "this is no XML"),
        (START + GOOD, "this is no XML: no element found"),
        ("<html></html>", "begins with &lt;html>".replace("&lt;", "<")),
        ('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>', "declares entities"),
        (START + "<g>" * 300 + "</g>" * 300 + "</svg>", "nested too deeply"),
        (START + "<g>" * 200_000, "nested too deeply"),
        (HEAD.format("60in", "40in", "0 0 60 nan") + GOOD + "</svg>", "viewBox: expected four numbers"),
        (HEAD.format("60in", "40in", "0 0 0 40") + GOOD + "</svg>", "viewBox: expected four numbers"),
        (HEAD.format("60 furlongs", "40in", "0 0 60 40") + GOOD + "</svg>", "width: '60 furlongs' is no length"),
        (HEAD.format("-60in", "40in", "0 0 60 40") + GOOD + "</svg>", "width: '-60in' is no size of a page"),
        (HEAD.format("6000in", "40in", "0 0 60 40") + GOOD + "</svg>", "is no table; give its size with --size"),
        (START + "</svg>", "no layer on its page is terrain"),
        (START + GOOD.replace("woods", "notes") + "</svg>", "notes (1): say what they"),
        (START + GOOD.replace("<rect", '<rect x="99"') + "</svg>", "is terrain"),
        (START + GOOD.replace("<rect", '<rect x="a"') + "</svg>", "'a' is no length"),
        (START + GOOD.replace("<rect", '<rect transform="spin(3)"') + "</svg>",
         "'spin(3)' is no transform"),
        (START + GOOD.replace("<rect", '<rect data-storeys="two"') + "</svg>",
         "data-storeys: expected a whole number, not 'two'"),
        (START + GOOD.replace("<rect", '<rect data-kind="lava"') + "</svg>",
         "there is no kind of terrain 'lava'"),
        (START + layer("woods", '<polygon points="1,2 3"/>') + "</svg>", "odd count"),
        (START + layer("woods", '<polygon points="1,2 3,b 4,4"/>') + "</svg>", "'b'"),
        (with_path("garbage"), "p in woods: its path cannot be read"),
        (with_path("L 3 4"), "p in woods: a path begins with M"),
        (with_path("M 0 0 L nan 3"), "p in woods: "),
        (with_path("M 0 0 L 1e400 3 3 3"), "p in woods: a place of it is no finite number"),
        (with_path("M 0 0 L 1e9 3 3 3"), "p in woods: reaches beyond any page"),
        (with_path("M 0 0 C 1 1"), "p in woods: "),
    ],
)  # fmt: skip
def test_files_that_are_no_drawing(text: str, why: str, tmp_path: Path) -> None:
    """Empty, truncated, nested, of another type, no numbers: one message with the file, nothing written."""
    path = tmp_path / "plan.svg"
    path.write_text(text, encoding="utf-8")
    message = refused(path)
    assert why in message
    assert len(message) < 600


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--layer", "woods"), "--layer: expected LABEL=KIND"),
        (("--layer", "wood=orchard"), "there is no layer 'wood' with objects; did you mean 'woods'?"),
        (("--layer", "woods=lava"), "there is no kind of terrain 'lava'"),
        (("--size", "5"), "--size: expected a width and a depth"),
    ],
)
def test_options_that_are_wrong(options: tuple[str, ...], why: str, tmp_path: Path) -> None:
    """One message that names the option, the layer or the kind."""
    assert why in refused(drawn(tmp_path, GOOD), *options)


def test_without_svgelements_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that brings it is named."""
    monkeypatch.setitem(__import__("sys").modules, "svgelements", None)
    assert "minis[ground]" in refused(drawn(tmp_path, GOOD))


# --- a picture under the map -----------------------------------------------------------------------------------------

MARKS = "60,560 760,520 600,80 200,60"


def jpeg(width: int, height: int, *, orientation: int | None = None) -> bytes:
    """The parts of a JPEG that say what it is."""
    exif = b""
    if orientation is not None:
        tiff = b"II*\0\x08\0\0\0" + struct.pack("<HHHIHH", 1, 0x0112, 3, 1, orientation, 0) + b"\0\0\0\0"
        exif = b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff
    return (
        b"\xff\xd8" + exif + b"\xff\xc0" + struct.pack(">HBHH", 11, 8, height, width) + b"\x01\x01\x11\0" + b"\xff\xd9"
    )


def test_a_picture_says_its_size() -> None:
    """PNG and JPEG, a JPEG that is turned when shown, and what is neither or cut short."""
    png, photo, turned = (picture_of(data) for data in (blank_png(7, 5), jpeg(40, 30), jpeg(40, 30, orientation=6)))
    assert png is not None
    assert photo is not None
    assert turned is not None
    assert (png.width, png.height, photo.width, photo.height) == (7, 5, 40, 30)
    assert (photo.turned, turned.turned) == (False, True)
    for data in (b"", b"GIF89a" + b"\0" * 40, blank_png(7, 5)[:20], jpeg(40, 30)[:8], b"\xff\xd8" + b"\xff" * 50):
        assert picture_of(data) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_a_picture_or_none(data: bytes) -> None:
    """Nothing that a file can hold raises."""
    for head in (b"", b"\xff\xd8", b"\xff\xd8\xff\xe1\0\x40Exif\0\0II*\0", b"\x89PNG\r\n\x1a\n"):
        picture_of(head + data)


def test_a_photo_goes_under_the_map(tmp_path: Path) -> None:
    """The marks stand in the scenario, its comments stay, and everybody's map shows the picture under the terrain."""
    photo, out = tmp_path / "photo.png", tmp_path / "maps" / "table.toml"
    photo.write_bytes(blank_png(800, 600))
    out.parent.mkdir()
    result = run("import", "photo", photo, "--onto", EXAMPLES[0], "--corners", MARKS, "-o", out)
    assert result.exit_code == 0, result.stderr
    text = out.read_text(encoding="utf-8")
    assert 'file = "../photo.png"' in text
    assert "marks = [[60, 560], [760, 520], [600, 80], [200, 60]]" in text
    assert "unit types" in text
    same_terrain(read_board(EXAMPLES[0]), read_board(out))
    for view in (["--judge"], ["--as", "axis"]):
        picture = run("draw", "map", "-g", out, *view).stdout
        order = [picture.index(f'class="{part}"') for part in ("backdrop", "hills", "terrain", "units")]
        assert order == sorted(order)
        assert picture.count("data:image/png;base64,") == 1
        ElementTree.fromstring(picture)
    assert "backdrop" not in run("draw", "map", "-g", EXAMPLES[0], "--judge").stdout


def test_a_picture_that_cannot_be_shown_is_told(tmp_path: Path) -> None:
    """The map is drawn without a picture that is gone or is none any more, and says so."""
    photo, out = tmp_path / "photo.png", tmp_path / "table.toml"
    photo.write_bytes(blank_png(80, 60))
    assert run("import", "photo", photo, "--onto", EXAMPLES[0], "-o", out).exit_code == 0
    assert "marks" not in out.read_text(encoding="utf-8")
    photo.write_bytes(b"")
    result = run("draw", "map", "-g", out, "--judge")
    assert result.exit_code == 0
    assert "photo.png, is not shown" in result.stderr
    assert "data:image" not in result.stdout


def pieces(element: Element) -> Sequence[tuple[tuple[float, ...], str]]:
    """Of a drawn picture every piece: its matrix, and the path that it is cut to (empty: not cut)."""
    found = []
    clips = {dict(part.attributes).get("id"): part for part in _all(element) if part.tag == "clipPath"}
    for part in _all(element):
        for use in part.holds:
            if isinstance(use, Element) and use.tag == "use":
                name = dict(part.attributes).get("clip-path", "url(#)")[5:-1]
                cut = clips.get(name)
                d = dict(cut.holds[0].attributes)["d"] if cut and isinstance(cut.holds[0], Element) else ""
                numbers = re.findall(r"[-\d.e+]+", dict(use.attributes)["transform"].partition("(")[2])
                found.append((tuple(map(float, numbers)), d))
    return found


def _all(element: Element) -> Sequence[Element]:
    inner = [part for part in element.holds if isinstance(part, Element)]
    return [element, *(deep for part in inner for deep in _all(part))]


def drawn_picture(folder: Path, marks: str | None, at: str | None = None) -> tuple[Board, Element]:
    """The picture as it is drawn under the first table."""
    photo, out = folder / "photo.png", folder / "table.toml"
    photo.write_bytes(blank_png(800, 600))
    options = (["--corners", marks] if marks else []) + (["--at", at] if at else [])
    result = run("import", "photo", photo, "--onto", EXAMPLES[0], "-o", out, "--force", *options)
    assert result.exit_code == 0, result.stderr
    board = read_board(out)
    assert board.backdrop is not None
    layer = backdrop_layer(board.backdrop, photo.read_bytes(), Canvas(board.width_in, board.depth_in))
    assert layer is not None
    return board, layer


def test_a_picture_from_above_is_laid_in_one_piece(tmp_path: Path) -> None:
    """Its corners are those of the table; with --at they lie where they are asked to."""
    _, layer = drawn_picture(tmp_path, None)
    ((matrix, cut),) = pieces(layer)
    assert cut == ""
    assert matrix == pytest.approx((8400 / 800, 0, 0, 4800 / 600, 0, 0), abs=1e-6)
    _, layer = drawn_picture(tmp_path, None, "10,10 50,10 50,40 10,40")
    ((matrix, _),) = pieces(layer)
    assert matrix == pytest.approx((5, 0, 0, 5, 1000, 800), abs=1e-6)


def test_a_picture_from_the_side_is_pulled_straight(tmp_path: Path) -> None:
    """Every piece puts its corners where the projection of the four marks does, and together they cover the table."""
    board, layer = drawn_picture(tmp_path, MARKS)
    found = pieces(layer)
    canvas = Canvas(board.width_in, board.depth_in)
    backdrop = board.backdrop
    assert backdrop is not None
    assert backdrop.marks is not None
    ideal = homography([canvas.inches(*corner) for corner in backdrop.corners], backdrop.marks)
    covered = []
    for (a, b, c, d, e, f), cut in found:
        places = [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", cut)]
        covered.append(shapely.Polygon(places))
        middle = covered[-1].centroid
        pixel = through(ideal, (middle.x, middle.y))
        x, y = a * pixel[0] + c * pixel[1] + e, b * pixel[0] + d * pixel[1] + f
        assert math.dist((x, y), (middle.x, middle.y)) < 60  # 0.6 inches in the middle of a piece, where it is worst
    assert shapely.union_all(covered).covers(shapely.box(0, 0, 8400, 4800))


@pytest.mark.parametrize(
    ("data", "options", "why"),
    [
        (b"", (), "is empty"),
        (b"hello", (), "is neither PNG nor JPEG"),
        (blank_png(8, 6)[:20], (), "is neither PNG nor JPEG, or is cut short"),
        (jpeg(40, 30, orientation=6), (), "is turned by a mark in it"),
        (blank_png(8, 6), ("--corners", "1,2 3,4"), "--corners: expected four places"),
        (blank_png(8, 6), ("--corners", "1,2 3,4 5,6 nan,7"), "--corners: expected four places"),
        (blank_png(8, 6), ("--corners", "a,b c,d e,f g,h"), "--corners: expected four places"),
        (blank_png(8, 6), ("--corners", "0,0 8,0 8,6 0,6"), "--corners: they are not the lower left"),
        (blank_png(8, 6), ("--corners", "0,6 8,6 0,0 8,0"), "--corners: they are not the lower left"),
        (blank_png(8, 6), ("--corners", "0,6 900,6 900,0 0,0"), "lies far outside of the picture"),
        (blank_png(8, 6), ("--at", "0,0 5,5 9,0 5,2"), "--at: they are not the lower left"),
    ],
)
def test_pictures_and_places_that_are_none(data: bytes, options: tuple[str, ...], why: str, tmp_path: Path) -> None:
    """One message that names the file or the option, nothing written."""
    path = tmp_path / "photo.png"
    path.write_bytes(data)
    assert why in refused(path, "--onto", EXAMPLES[0], *options, what="photo")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("corners = [[0, 0], [9, 0], [9, 9], [0, 9]]", "backdrop.file: is missing"),
        ('file = "a.png"\ncorners = [[0, 0], [9, 0], [9, 9]]', "at least 4 items, not 3"),
        ('file = "a.png"\ncorners = [[0, 9], [9, 9], [9, 0], [0, 0]]', "backdrop.corners: expected the four corners"),
        ('file = "a.png"\ncorners = [[0, 0], [9, 0], [9, 9], [0, nan]]', "expected a finite number"),
        ('file = "a.png"\ncorners = [[0, 0], [9, 0], [9, 9], [0, 9]]\nmarks = [[0, 0], [9, 0], [9, 9], [0, 9]]',
         "backdrop.marks: expected the four corners"),
        ('file = "a.png"\ncorners = [[0, 0], [9, 0], [9, 9], [0, 9]]\nturn = 3', "backdrop.turn: is no key"),
    ],
)  # fmt: skip
def test_the_keys_of_a_backdrop_are_checked(text: str, why: str, tmp_path: Path) -> None:
    """What a judge mistypes in [backdrop] is told like every other mistake."""
    path = tmp_path / "s.toml"
    path.write_text(f"[table]\nwidth = 60\ndepth = 40\n[backdrop]\n{text}\n", encoding="utf-8")
    result = run("check", path)
    assert result.exit_code == 2
    assert why in result.stderr


def test_a_kind_of_the_house_is_named_with_its_rules(tmp_path: Path) -> None:
    """A scenario with terrain that only house rules know says where they are, and is read without --tables."""
    house = tmp_path / "house"
    house.mkdir()
    row = (ROOT / "tables" / "terrain.toml").read_text(encoding="utf-8").split("[[row]]")[3]
    row = row.replace('"woods"', '"vines"').replace('source = "seed"', 'source = "house"')
    (house / "terrain.toml").write_text(f'title = "Vines"\n[[row]]{row}', encoding="utf-8")
    board, _ = laid(drawn(tmp_path, GOOD.replace("woods", "vines")), "--tables", house)
    assert [piece.kind.id for piece in board.terrain] == ["vines"]
    assert 'tables = "house"' in (tmp_path / "made.toml").read_text(encoding="utf-8")
