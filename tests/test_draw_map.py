"""`minis draw map`: the table as a picture, for a side and for the judge.

The pictures in tests/golden and the README's are written by `MINIS_GOLDEN=write pytest tests/test_draw_map.py`.
"""

from __future__ import annotations

import os
import random
import re
import shlex
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import boards
import pytest
from boards import Doc
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, box, union_all
from test_views import SIDE, secrets, seeds

from minis.board import Board, read_board
from minis.cli.main import cli
from minis.draw.canvas import UNITS
from minis.draw.labels import Label, overlap, place_labels
from minis.draw.legend import keys_of
from minis.draw.page import Panel, page, wrapped
from minis.draw.palette import ASCENT, CHANCES, DESCENT, HILLS, INK, PAPER, SIDES, text_width
from minis.draw.svg import NAMESPACE, svg_text
from minis.draw.table_map import canvas_of, credit, ground, pieces, table_map
from minis.draw.terrain_looks import LOOKS
from minis.draw.unit_labels import label_words, unit_boxes
from minis.game.views import board_for
from minis.lengths import GRID
from minis.rules import load_rules
from minis.web.jobs import draw_ground

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"
CROSSROADS = ROOT / "examples" / "crossroads" / "scenario.toml"
VILLERS = ROOT / "examples" / "villers-bocage" / "scenario.toml"
SVG = f"{{{NAMESPACE}}}"

Box = tuple[float, float, float, float]


def run(*words: object, **environment: str | None) -> Result:
    """Run a command in this process; a traceback is the test's failure."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, "NO_COLOR": "1", **environment}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def drawn(*words: object) -> str:
    """The map that `minis draw map` prints."""
    result = run("draw", "map", *words)
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    return result.stdout


def page_of(board: Board) -> str:
    """The page of a map as the command makes it."""
    panel = Panel(table_map(board), board.width_in * UNITS, board.depth_in * UNITS)
    return page(board, board.title, [panel], keys=keys_of(board))


def parsed(board: Board) -> ElementTree.Element:
    """The map of a board, read back."""
    return ElementTree.fromstring(f'<svg xmlns="{NAMESPACE}">{svg_text(table_map(board))}</svg>')


def views() -> dict[str, Board]:
    """Both examples, for the judge and for each side."""
    found = {}
    for path in (CROSSROADS, VILLERS):
        whole = read_board(path)
        found[f"{path.parent.name} judge"] = whole
        found |= {f"{path.parent.name} {side}": board_for(whole, side) for side in whole.sides}
    return found


VIEWS = views()


# --- the whole picture -----------------------------------------------------------------------------------------------

PICTURES = {"judge": ["--judge"], "axis": ["--as", "axis"]}


@pytest.mark.parametrize("name", PICTURES)
def test_the_map_looks_as_it_did(name: str) -> None:
    """The first table for the judge and for a side, byte for byte as somebody has looked at it."""
    golden(GOLDEN / f"draw-map-{name}.svg", drawn("-g", CROSSROADS, *PICTURES[name]))


def golden(path: Path, text: str) -> None:
    """Compare a picture with its file, or write it."""
    if os.environ.get("MINIS_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", re.findall(r"`minis ((?:draw|sheet) [^`]* -o examples/[^`]*)`", README))
def test_a_picture_of_the_readme_is_what_its_command_makes(command: str, tmp_path: Path) -> None:
    """The README shows the pictures that the commands beside them write."""
    *words, shown = shlex.split(command)
    assert f"]({shown})" in README
    made = tmp_path / Path(shown).name
    assert run(*[str(ROOT / word) if word.endswith(".toml") else word for word in words], made).exit_code == 0
    golden(ROOT / shown, made.read_text(encoding="utf-8"))


def test_every_picture_of_the_readme_has_its_command() -> None:
    """None is drawn by hand; that of the page is taken by the tests of the browser."""
    shown = set(re.findall(r"!\[[^]]*\]\(([^)]*)\)", README))
    made = set(re.findall(r"`minis [^`]* -o (examples/[^` ]*)`", README))
    assert {name for name in shown if name.endswith(".svg")} == made
    assert len(made) == 3


@pytest.mark.parametrize("name", VIEWS)
def test_a_map_is_sound_and_needs_nothing_around_it(name: str) -> None:
    """It is well-formed, small, and looks by presentation attributes alone: no style, no script, nothing fetched."""
    text = page_of(VIEWS[name])
    assert len(text.encode()) < 250_000
    root = ElementTree.fromstring(text)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "g", "defs", "pattern", "path", "rect", "circle", "text"}
    names = {name for element in root.iter() for name in element.attrib}
    assert not names & {"style", "href"}
    assert not [name for name in names if name.startswith("on") or "{" in name]
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    assert all(one.startswith("minis-") for one in ids)
    assert set(re.findall(r"url\(#([^)]*)\)", text)) == set(ids)


def test_a_map_is_the_same_however_the_file_is_ordered() -> None:
    """The same table gives the same bytes, whatever stands first in its file."""
    board = VIEWS["crossroads judge"]
    turned = board.__class__(
        **{name: getattr(board, name) for name in board.__dataclass_fields__}
        | {"units": board.units[::-1], "terrain": board.terrain[::-1], "smoke": board.smoke[::-1]}
    )
    assert page_of(turned) == page_of(board)


def test_the_scale_bar_is_a_foot_long() -> None:
    """Its inches and its centimetres are those of the table under it."""
    text = drawn("--judge", "-g", CROSSROADS)
    bar = next(g for g in ElementTree.fromstring(text).iter(f"{SVG}g") if g.get("class") == "scale-bar")
    line = bar.find(f"{SVG}path")
    assert line is not None
    marks = [float(x) for x in re.findall(r"M([\d.]+) ", line.attrib["d"])]
    assert max(marks) == 12 * UNITS
    assert max(x for x in marks if x % UNITS) == pytest.approx(30 / 2.54 * UNITS, abs=0.01)
    assert [words.text for words in bar.iter(f"{SVG}text")] == ['12"', "30 cm"]


def test_a_page_wraps_its_words_and_keeps_their_blanks() -> None:
    """Long words go on in the next line, set in; blanks at the beginning of a line are kept."""
    lines = wrapped(["  " + "word " * 40], 40)
    assert len(lines) > 4
    assert all(len(line) <= 40 for line in lines)
    assert lines[0].startswith("\u00a0\u00a0word")
    assert lines[1].startswith("\u00a0\u00a0\u00a0\u00a0word")


# --- terrain ---------------------------------------------------------------------------------------------------------


def every_kind() -> Doc:
    """A table with one piece of each kind of terrain that the tables have."""
    terrain: list[Doc] = []
    for number, kind in enumerate(load_rules().terrain.values()):
        x, y = 4 + number % 6 * 14, 4 + number // 6 * 12
        shape = {"line": [[x, y], [x + 9, y + 6]]} if kind.shape == "line" else {"box": [x, y, x + 9, y + 7]}
        terrain.append({"id": f"a {kind.id}", "kind": kind.id} | shape | ({"level": 1} if kind.has_level else {}))
    unit = {"id": "T1", "side": SIDE, "kind": "infantry", "at": [1, 1]}
    return {"table": {"width": 90, "depth": 60}, "terrain": terrain, "unit": [unit]}


def test_every_kind_of_terrain_has_a_look_of_its_own() -> None:
    """No kind of the tables is without a look, and no two have the same one, not even where colour says nothing."""
    kinds = load_rules().terrain
    assert set(LOOKS) == set(kinds)
    plain = {}
    for name, look in LOOKS.items():
        edge = (look.edge.width, look.edge.dash) if look.edge else None
        strokes = tuple((stroke.width, stroke.dash, stroke.round_) for stroke in look.strokes)
        assert strokes if kinds[name].shape == "line" else look.edge, name
        plain[name] = (look.hatch, look.letter, edge, strokes)
    assert len(set(plain.values())) == len(plain)
    hatches = [look.hatch for look in LOOKS.values() if look.hatch]
    assert len(set(hatches)) == len(hatches)
    letters = [look.letter for look in LOOKS.values() if look.letter]
    assert len(set(letters)) == len(letters)


def test_every_kind_of_terrain_is_drawn_and_in_the_legend() -> None:
    """Each piece is on the map under its id; each kind has its entry in the legend."""
    board = boards.board_of_doc(every_kind())
    shown = {element.get("data-id") for element in parsed(board).iter()}
    assert {piece.id for piece in board.terrain} <= shown
    words = [key.words for key in keys_of(board)]
    for kind in load_rules().terrain.values():
        label = "contour" if kind.shape == "hill" else kind.id
        assert any(label in text or kind.label in text for text in words), kind.id
    areas = [piece.kind.id for piece in board.terrain if piece.rings and LOOKS[piece.kind.id].letter]
    letters = [text.text for text in parsed(board).iter(f"{SVG}text")]
    for name in areas:
        assert (LOOKS[name].letter if name != "building" else "1") in letters, name


def test_a_kind_that_only_a_house_table_has_is_drawn_too(tmp_path: Path) -> None:
    """A kind that nobody drew a look for is grey, with the first letters of its name."""
    row = """[[row]]
id = "vineyard"
label = "vineyard"
shape = "area"
height = 0
obstacle = false
own = "free"
cover = "inside"
hull_down = false
unit = "levels"
rule = "S6.1"
source = "house"
"""
    house = tmp_path / "house"
    house.mkdir()
    (house / "terrain.toml").write_text(row, encoding="utf-8")
    scenario = tmp_path / "scenario.toml"
    scenario.write_text(
        'table = { width = 30, depth = 20 }\n[[terrain]]\nid = "v"\nkind = "vineyard"\nbox = [2, 2, 12, 12]\n'
        '[[unit]]\nid = "T1"\nside = "allied"\nkind = "infantry"\nat = [20, 10]\n',
        encoding="utf-8",
    )
    text = drawn("--judge", "-g", scenario, "--tables", house)
    assert ">Vin<" in text
    assert "vineyard (Vin)" in text


def test_a_contour_says_its_level() -> None:
    """Every hill and ridge has its level beside its line; an even slope has a broken line and no ticks."""
    root = parsed(boards.board_of_doc(every_kind()))
    assert [text.text for text in root.iter(f"{SVG}text")].count("1") >= 3
    slope = boards.board_of_doc(every_kind())
    hills = [g for g in parsed(slope).iter(f"{SVG}g") if g.get("class") == "hill"]
    assert len(list(hills[0])) == 2
    rise = next(g for g in parsed(VIEWS["crossroads judge"]).iter(f"{SVG}g") if g.get("data-id") == "rise")
    assert [bool(part.get("stroke-dasharray")) for part in rise] == [True]


def test_a_contour_is_seen_through_the_field_on_it() -> None:
    """Real ground has fields over hills: a contour under one is drawn once more above it, and only such a one."""
    doc: Doc = {
        "table": {"width": 60, "depth": 40},
        "terrain": [
            {"id": "hill", "kind": "hill", "level": 1, "box": [10, 10, 20, 20]},
            {"id": "field", "kind": "grain", "box": [5, 5, 25, 25]},
            {"id": "slope", "kind": "hill", "level": 1, "slope": True, "box": [40, 10, 50, 20]},
            {"id": "house", "kind": "building", "box": [43, 13, 45, 15]},
        ],
    }
    root = parsed(boards.board_of_doc(doc))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("class") in ("terrain", "contours", "letters")]
    assert [group.get("class") for group in groups] == ["terrain", "contours", "letters"]
    hill = next(group for group in root.iter(f"{SVG}g") if group.get("data-id") == "hill")
    assert [part.get("d") for part in groups[1].iter(f"{SVG}path")] == [part.get("d") for part in hill]


def test_a_picture_says_what_the_data_ask() -> None:
    """What has to be said of the data of real ground is the last line of a picture, for every side."""
    place = {"centre": [26.9, 60.5], "scale": "1in=8m", "credit": "© the mappers, ODbL 1.0"}
    unit = {"id": "T1", "side": SIDE, "kind": "vehicle", "at": [10, 10]}
    board = boards.board_of_doc({"table": {"width": 60, "depth": 40, "place": place}, "unit": [unit]})
    for view in (board, board_for(board, SIDE)):
        texts = [node.text for node in ElementTree.fromstring(page_of(view)).iter(f"{SVG}text")]
        assert texts[-1] == "© the mappers, ODbL 1.0"


def test_the_ground_depends_on_no_unit() -> None:
    """One ground serves everybody: neither what is hidden nor what moves changes a byte of it."""
    whole = VIEWS["villers-bocage judge"]
    views = [svg_text(ground(board)) for name, board in VIEWS.items() if name.startswith("villers")]
    assert len(views) > 2
    assert set(views) == {svg_text(ground(whole))}


# --- units -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIEWS)
def test_every_unit_is_drawn_once_and_named(name: str) -> None:
    """Each unit of the view has one sign, and a label; a passenger is named on that of its carrier."""
    board = VIEWS[name]
    root = parsed(board)
    signs = [g.get("data-id") for g in root.iter(f"{SVG}g") if str(g.get("class")).split()[0] == "unit"]
    assert sorted(map(str, signs)) == sorted(board.unit_by_id)
    labels = {
        str(g.get("data-id")): str(words.text)
        for g in root.iter(f"{SVG}g") if str(g.get("class")).startswith("label ")
        for words in g.iter(f"{SVG}text")
    }  # fmt: skip
    for unit in board.units:
        carrier = board.carrier_of.get(unit.id)
        if carrier is None:
            assert labels[unit.id] == label_words(board, unit)
        else:
            assert f"+{unit.id}" in labels[carrier]


def test_the_front_of_a_base_is_thick_and_the_turret_has_its_own_bearing() -> None:
    """A vehicle that faces east has its thick edge in the east; its barrel points where its turret does."""
    tank = {
        "id": "T1", "side": SIDE, "kind": "vehicle", "armoured": True, "at": [10, 10], "facing": 90, "turret": 0,
        "base": [3, 2], "mount": "T",
    }  # fmt: skip
    root = parsed(boards.board_of_doc({"table": {"width": 30, "depth": 20}, "unit": [tank]}))
    sign = next(g for g in root.iter(f"{SVG}g") if str(g.get("class")).startswith("unit"))
    paths = {path.get("d"): float(path.get("stroke-width", 0)) for path in sign.iter(f"{SVG}path")}
    front = "M1150 900L1150 1100"
    outline = next(d for d in paths if d and d.endswith("Z"))
    assert paths[front] > 2 * paths[outline]
    barrels = [d for d in paths if d and d.startswith("M1000") and d != front]
    assert len(barrels) == 1
    ends = [float(value) for value in re.findall(r"[\d.]+", barrels[0])]
    assert (ends[0], ends[2]) == (1000, 1000)
    assert ends[3] < ends[1] < 1000


def test_the_judge_is_shown_what_is_hidden_and_what_is_a_dummy() -> None:
    """Hidden units and dummies are marked for the judge, and a token with what is on it; a side sees only a marker."""
    judge, allied = (drawn(*who, "-g", CROSSROADS) for who in (["--judge"], ["--as", "allied"]))
    assert "What allied may know." in allied
    for words in ("P7 (X7) dummy", "P5 (X5)", ">P8<", "hidden: not on the table", "For the judge"):
        assert words in judge
    for secret in ("P3", "P5", "P7", "P8", "P9", "hidden", "dummy", 'data-id="P8"'):
        assert secret not in allied
    assert 'data-id="X5"' in allied
    assert 'data-id="P6"' in allied


@given(seeds, seeds, seeds)
@settings(max_examples=60, deadline=None)
def test_a_map_says_nothing_of_what_a_side_may_not_know(one: int, other: int, seed: int) -> None:
    """Noninterference: two scenarios that differ in secrets alone give one and the same picture, byte for byte."""
    _, left, right = secrets(one, other, seed)
    first = page_of(board_for(boards.board_of_doc(left), SIDE))
    assert first == page_of(board_for(boards.board_of_doc(right), SIDE))


def test_pieces_are_what_changes() -> None:
    """A map is its ground and its pieces: nothing of a unit is in the one, nothing of the terrain in the other."""
    board = VIEWS["crossroads judge"]
    names = {element.get("data-id") for element in ElementTree.fromstring(svg_text(pieces(board))).iter()}
    assert names >= set(board.unit_by_id)
    assert not names & set(board.terrain_by_id)
    assert "T1" not in svg_text(ground(board))


# --- labels ----------------------------------------------------------------------------------------------------------


def boxes_of(root: ElementTree.Element) -> list[tuple[str, Box]]:
    """The words of a map and the boxes that they fill."""
    found = []
    for words in root.iter(f"{SVG}text"):
        if words.get("class") == "sign":
            continue  # the question mark of a token is on it
        x, y, size = (float(words.attrib[key]) for key in ("x", "y", "font-size"))
        half = text_width(str(words.text), size) / 2
        found.append((str(words.text), (x - half, y - size * ASCENT, x + half, y + size * DESCENT)))
    return found


@pytest.mark.parametrize("name", VIEWS)
def test_labels_overlap_neither_each_other_nor_units(name: str) -> None:
    """On the densest table no two words touch, none is cut off by the edge, and no label lies on a unit."""
    board = VIEWS[name]
    root = parsed(board)
    words = boxes_of(root)
    assert len(words) > 30
    assert not [(a, b) for (a, one), (b, other) in combinations(words, 2) if overlap(one, other)]
    width, height = board.width_in * UNITS, board.depth_in * UNITS
    assert all(x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height for _, (x0, y0, x1, y1) in words)
    plates = [
        (str(g.get("data-id")), tuple(float(rect.attrib[key]) for key in ("x", "y", "width", "height")))
        for g in root.iter(f"{SVG}g") if str(g.get("class")).startswith("label ")
        for rect in g.iter(f"{SVG}rect")
    ]  # fmt: skip
    assert len(plates) == sum(unit.id not in board.carrier_of for unit in board.units)
    canvas = canvas_of(board)
    bases = [(unit.id, Polygon([canvas.steps(c) for c in unit.base])) for unit in board.units if not unit.is_point]
    for label, (x, y, wide, high) in plates:
        plate = box(x, y, x + wide, y + high)
        on = [unit for unit, base in bases if base.intersection(plate).area > 1]
        assert not on, f"the label of {label} lies on {on}"


@pytest.mark.parametrize("name", VIEWS)
def test_most_labels_stand_beside_their_unit(name: str) -> None:
    """Even on the densest table few labels need a leader, and each is of the size that was wanted."""
    root = parsed(VIEWS[name])
    labels = next(g for g in root.iter(f"{SVG}g") if g.get("class") == "labels")
    plates = [g for g in labels if str(g.get("class")).startswith("label ")]
    assert len(labels) - len(plates) <= len(plates) / 4
    assert len({text.get("font-size") for g in plates for text in g.iter(f"{SVG}text")}) == 1


@given(st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_labels_of_a_crowd_do_not_overlap(seed: int) -> None:
    """However thick things stand, labels keep off each other, off what is taken, and within the picture."""
    rng = random.Random(seed)
    bounds = (0.0, 0.0, 2000.0, 1200.0)
    labels = [
        Label("x" * rng.randint(1, 9), rng.uniform(50, 1950), rng.uniform(50, 1150), 30, 20, 40, str(number))
        for number in range(rng.randint(1, 40))
    ]
    taken = [(one.x - 30, one.y - 20, one.x + 30, one.y + 20) for one in labels]
    placed = place_labels(labels, taken, bounds)
    assert len(placed) == len(labels)
    for one, other in combinations(placed, 2):
        assert not overlap(one.box, other.box)
    for one in placed:
        assert not any(overlap(one.box, other) for other in taken)
        assert one.box[0] >= 0
        assert one.box[1] >= 0
        assert one.box[2] <= bounds[2]
        assert one.box[3] <= bounds[3]
    assert placed == place_labels(labels, taken, bounds)


def test_a_label_for_which_there_is_no_room_is_left_out() -> None:
    """Where everything is taken there is no label rather than one upon another."""
    label = Label("T1", 50, 50, 10, 10, 20)
    assert place_labels([label], [(0, 0, 100, 100)], (0, 0, 100, 100)) == []
    assert place_labels([], [], (0, 0, 1, 1)) == []


@given(st.integers(0, 359), st.floats(0.2, 4), st.floats(0.2, 4))
def test_the_boxes_of_a_unit_cover_its_base(facing: int, length: float, width: float) -> None:
    """No corner of a base stands out of the boxes that keep labels off it."""
    unit = {
        "id": "T1", "side": SIDE, "kind": "vehicle", "at": [10, 10], "facing": facing,
        "base": [round(length, 2), round(width, 2)],
    }  # fmt: skip
    board = boards.board_of_doc({"table": {"width": 20, "depth": 20}, "unit": [unit]})
    one, canvas = board.unit("T1"), canvas_of(board)
    covered = union_all([box(*each) for each in unit_boxes(one, canvas)]).buffer(0.1)
    assert Polygon([canvas.steps(c) for c in one.base]).difference(covered).area < 1


# --- colours ---------------------------------------------------------------------------------------------------------


def lightness(colour: str) -> float:
    """The relative luminance of a colour, 0 black and 1 white."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """How well one colour is read on another, 1 not at all and 21 black on white."""
    low, high = sorted((lightness(one), lightness(other)))
    return (high + 0.05) / (low + 0.05)


def test_words_are_read_on_what_they_stand_on_and_sides_are_told_apart_in_grey() -> None:
    """Ink on every plate and hill has contrast enough; neighbouring sides, chances and levels differ in lightness."""
    for fill, ink in (*SIDES, (PAPER, INK), *((hill, INK) for hill in HILLS)):
        assert contrast(fill, ink) >= 4.5, (fill, ink)
    for (one, _), (other, _) in zip(SIDES[::2], SIDES[1::2], strict=True):
        assert contrast(one, other) > 2.5
    for scale in (CHANCES, HILLS):
        lights = [lightness(colour) for colour in scale]
        assert lights == sorted(lights, reverse=True)


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "environment", "says"),
    [
        ([], {}, "say whose picture it is: name the side with --as, or --judge"),
        (["--judge", "--as", "axis"], {}, "--judge and --as (or MINIS_SIDE) exclude each other"),
        (["--judge"], {"MINIS_SIDE": "axis"}, "--judge and --as (or MINIS_SIDE) exclude each other"),
        (["--as", "martians"], {}, "there is no side 'martians' in this game"),
        (["--judge", "--png"], {}, "name the file of the picture with -o FILE.png"),
        (["--judge", "--png", "--pdf", "-o", "x.png"], {}, "--png and --pdf exclude each other"),
        (["--judge", "--pdf", "-o", "x.png"], {}, "the file ends in .png, and --pdf is asked for"),
        (["--judge", "-o", "x.jpg"], {}, "should end in .svg, .png or .pdf"),
        (["--judge", "--to-scale"], {}, "only a PDF is drawn to scale"),
        (["--judge", "-o", "nowhere/x.svg"], {}, "nowhere/x.svg: cannot be written: No such file or directory"),
    ],
)
def test_what_the_command_refuses(
    words: list[str], environment: dict[str, str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It draws for nobody unasked, and takes no options that contradict each other: one message, exit status 2."""
    monkeypatch.chdir(tmp_path)
    result = run("draw", "map", "-g", CROSSROADS, *words, **environment)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr
    assert not list(tmp_path.iterdir())


def test_without_a_scenario_there_is_no_map() -> None:
    """It says how to name one."""
    result = run("draw", "map", "--judge")
    assert (result.exit_code, "name the scenario or the game with -g FILE" in result.stderr) == (2, True)


def test_a_file_is_written_whole_and_said_on_standard_error(tmp_path: Path) -> None:
    """What is written is what is printed; a file that was there is replaced, and nothing else is left."""
    path = tmp_path / "map.svg"
    path.write_text("old", encoding="utf-8")
    result = run("draw", "map", "--as", "axis", "-g", CROSSROADS, "-o", path)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"wrote {path}\n")
    assert path.read_text(encoding="utf-8") == drawn("--as", "axis", "-g", CROSSROADS)
    assert [one.name for one in tmp_path.iterdir()] == ["map.svg"]


def test_the_side_may_stand_in_the_environment() -> None:
    """MINIS_SIDE is --as."""
    result = run("draw", "map", "-g", CROSSROADS, MINIS_SIDE="axis")
    assert result.stdout == drawn("--as", "axis", "-g", CROSSROADS)


def test_a_map_of_a_game_says_its_turn(tmp_path: Path) -> None:
    """A game file is drawn as it stands, with turn and phase in the title; a scenario has none."""
    game = tmp_path / "game.minis"
    assert run("start", CROSSROADS, game, "--first", "allied").exit_code == 0
    assert run("turn", "next", "-g", game).exit_code == 0
    when = run("show", "--as", "allied", "-g", game).stdout.splitlines()[0].rstrip(".")
    assert "turn 1" in when
    text = drawn("--as", "allied", "-g", game)
    assert f">{when}<" in text
    assert "turn" not in drawn("--as", "allied", "-g", CROSSROADS).split("<g ")[1]


def test_the_grid_can_be_left_out() -> None:
    """--no-grid draws neither its lines nor its inches."""
    with_grid, without = (drawn("--judge", "-g", CROSSROADS, *words) for words in ([], ["--no-grid"]))
    assert 'class="grid"' in with_grid
    assert 'class="grid"' not in without
    assert ">36</text>" not in without


def test_a_small_table_has_a_finer_grid_and_smaller_type() -> None:
    """On a table of 24 inches the grid is at half feet, and a label takes no larger part of it than on a wide one."""
    unit = {"id": "T1", "side": SIDE, "kind": "infantry", "at": [12, 12]}
    board = boards.board_of_doc({"table": {"width": 24, "depth": 24}, "unit": [unit]})
    root = parsed(board)
    assert "6" in [text.text for text in root.iter(f"{SVG}text")]
    size = next(float(t.attrib["font-size"]) for t in root.iter(f"{SVG}text") if t.text == "T1")
    assert size / (24 * UNITS) < 0.025
    assert board.unit("T1").at == (12 * GRID, 12 * GRID)


def test_to_scale_the_table_takes_no_more_sheets_than_it_is_large(tmp_path: Path) -> None:
    """A printed map is the table alone, an inch to an inch: title and legend would take sheets of their own."""
    pytest.importorskip("typst")
    from pypdf import PdfReader

    from minis.draw.paper import sheets_for

    path = tmp_path / "map.pdf"
    assert run("draw", "map", "--judge", "-g", CROSSROADS, "--to-scale", "-o", path).exit_code == 0
    board = read_board(CROSSROADS)
    sheets = sheets_for(board.width_in, board.depth_in)
    assert len(PdfReader(path).pages) == sheets.columns * sheets.rows


def test_a_map_of_real_ground_says_whose_it_is_wherever_it_is_shown() -> None:
    """The credit that its data asks for stands on a page, on a map printed to scale, and on the ground of the web."""
    board = read_board(ROOT / "examples" / "karhula" / "scenario.toml")
    assert board.place is not None
    assert "OpenStreetMap" in board.place.credit
    [text] = credit(board)
    page = drawn("--judge", "-g", ROOT / "examples" / "karhula" / "scenario.toml")
    for svg in (page, svg_text(text), draw_ground(board)):
        assert board.place.credit in svg
    assert credit(read_board(CROSSROADS)) == ()
