"""The page of a sight line: what is drawn is what the `Sightline` says, and what `minis los` prints.

The pictures in tests/golden/draw-los-*.svg are written by `MINIS_GOLDEN=write pytest tests/test_draw_los.py`. They
leave out the map's own layers, which have their own tests.
"""

from __future__ import annotations

import math
import os
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
import shapely
from boards import Doc, board, lattice_board, look, pairs, rough_board, scene_of
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from minis.cli.main import cli
from minis.draw.canvas import UNITS
from minis.draw.line_marks import blocker_of, lower_end, marks_of, track_of
from minis.draw.line_shapes import area_of, gap_of
from minis.draw.los_map import window_of
from minis.draw.los_picture import los_picture
from minis.rules import examples_folder
from minis.sight.line import Sightline
from minis.sight.scene import Scene

GOLDEN = Path(__file__).parent / "golden"
CROSSROADS = examples_folder() / "crossroads" / "scenario.toml"
SVG = "{http://www.w3.org/2000/svg}"

CASES = {
    "clear": ("T1", "V1"),
    "blocked": ("P5", "P6"),
    "in-shadow": ("T1", "P1"),
    "past-shadow": ("T1", "P2"),
    "crest": ("T2", "V2"),
    "smoke": ("T1", "V2"),
    "woods": ("T1", "P4"),
}
"""A picture of each kind, from the golden table."""

NEAR = 0.02
"""User units by which a place may be off: numbers of a picture have two decimals."""


def golden_scene() -> Scene:
    """The scene of the golden table."""
    return Scene(board((GOLDEN / "board.toml").read_text(encoding="utf-8")))


def drawn(scene: Scene, line: Sightline) -> Element:
    """The picture of a line, read back."""
    return ElementTree.fromstring(los_picture(scene, line, ["the ruling"]))


def classed(root: Element, name: str) -> list[Element]:
    """The elements of a class, in the order of the picture."""
    return [part for part in root.iter() if part.get("class") == name]


def only(root: Element, name: str) -> Element:
    """The one element of a class."""
    (found,) = classed(root, name)
    return found


def ends_of(path: Element) -> list[tuple[float, float]]:
    """The places of a path in user units."""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d", ""))]


def words_of(root: Element) -> str:
    """All that is written in a picture, hard blanks as blanks."""
    return "\n".join("".join(text.itertext()) for text in root.iter(f"{SVG}text")).replace("\u00a0", " ")


# --- golden pictures ------------------------------------------------------------------------------------------------


def without_layers(svg: str) -> str:
    """A picture without the layers of the map that are not of the line: ground, smoke, units and their labels."""
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    root = ElementTree.fromstring(svg)
    table = only(root, "table")
    for layer in list(table):
        if layer.get("class") in ("ground", "smoke", "units", "labels"):
            table.remove(layer)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


@pytest.mark.parametrize("name", CASES)
def test_the_pictures_are_the_golden_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clear, a blocked, a shadowed line in and out, a crest, smoke and woods look as in tests/golden."""
    monkeypatch.chdir(GOLDEN)
    result = CliRunner().invoke(cli, ["draw", "los", *CASES[name], "-g", "board.toml", "--judge"])
    assert result.exit_code == 0, result.output
    picture = without_layers(result.stdout)
    path = GOLDEN / f"draw-los-{name}.svg"
    if os.environ.get("MINIS_GOLDEN") == "write":
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text(encoding="utf-8")


# --- the picture and the line -------------------------------------------------------------------------------------


def check_crossings(scene: Scene, line: Sightline, root: Element) -> None:
    """Every crossing stands on the map and in the profile, at its distance."""
    track, window = track_of(line), window_of(scene, line)
    assert window.west <= window.east <= scene.board.width_in + 1e-9
    profile = only(root, "profile")
    zero, inch = float(profile.get("data-zero", "")), float(profile.get("data-inch", ""))
    on_map = classed(only(root, "los-map"), "crossing")
    in_profile = classed(profile, "crossing")
    assert len(on_map) == len(in_profile) == len(line.crossings)
    for number, (met, one, other) in enumerate(zip(line.crossings, on_map, in_profile, strict=True), start=1):
        for part in (one, other):
            assert (part.get("data-number"), part.get("data-obstacle")) == (str(number), met.obstacle)
            assert float(part.get("data-entry", "")) == pytest.approx(met.entry_in, abs=1e-6)
            assert float(part.get("data-exit", "")) == pytest.approx(met.exit_in, abs=1e-6)
            assert "".join(only(part, "badge").itertext()).strip() == str(number)
        first, last = ends_of(only(one, "stretch"))
        middle = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
        x, y = track.at((met.entry_in + met.exit_in) / 2)
        if met.exit_in - met.entry_in >= 0.02:
            assert middle == pytest.approx((x * UNITS, (scene.board.depth_in - y) * UNITS), abs=NEAR)
        (x0, _), (x1, _) = ends_of(other[0])
        off = 1.1 if x0 == x1 else NEAR  # one so short that it is a tick
        assert (x0 - zero, x1 - zero) == pytest.approx((met.entry_in * inch, met.exit_in * inch), abs=off)


def check_blocker(line: Sightline, root: Element) -> None:
    """What hides is marked once on the map and once in the profile, exactly when there is something."""
    for name in ("los-map", "profile"):
        crosses = classed(only(root, name), "blocker")
        assert [part.get("data-obstacle") for part in crosses] == ([line.deciding.obstacle] if line.deciding else [])
        assert len(classed(only(root, name), "unseen")) == (0 if line.clear else 1)
        assert len(classed(only(root, name), "also")) == len(line.also)
    assert len(classed(root, "blocker-outline")) == (0 if line.clear else 1)
    filled = [part for part in classed(root, "badge") if "#c23b00" in {child.get("fill") for child in part}]
    assert (len(filled) > 0) == (line.deciding is not None)


def check_shadows(line: Sightline, root: Element) -> None:
    """Every shadow that ends has its length of the table, from where the line leaves the obstacle."""
    for name in ("los-map", "profile"):
        found = {part.get("data-number"): part for part in classed(only(root, name), "shadow")}
        for number, met in enumerate(line.crossings, start=1):
            if met.row is not None and met.beyond_in is not None:
                part = found[str(number)]
                start, end = float(part.get("data-from", "")), float(part.get("data-to", ""))
                assert (start, end - start) == pytest.approx((met.exit_in, met.row.length), abs=1e-5)
                reach = track_of(line).long_in
                assert (reach <= end + 1e-5) == met.hides


def check_form(text: str) -> Element:
    """A picture is well-formed, without scripts, styles, or an id twice; no number in it is not a number."""
    root = ElementTree.fromstring(text)
    names = [part.get("id") for part in root.iter() if part.get("id")]
    assert len(names) == len(set(names))
    assert not [part for part in root.iter() if part.get("style") or part.tag in (f"{SVG}style", f"{SVG}script")]
    assert not re.search(r'[" ](nan|inf|None)\b', text)
    return root


boards_at_random = st.builds(
    lambda make, seed: make(seed), st.sampled_from((lattice_board, rough_board)), st.integers(0, 100_000)
)


@given(boards_at_random, st.data())
@settings(max_examples=25, deadline=None)
def test_a_picture_shows_what_the_line_says(doc: Doc, data: st.DataObject) -> None:
    """On any board drawing does not fail, and crossings, shadows and what hides are those of the line."""
    scene = scene_of(doc)
    line = look(scene, *data.draw(st.sampled_from(pairs(doc))))
    root = check_form(los_picture(scene, line, ["a", "  b   c"]))
    check_crossings(scene, line, root)
    check_blocker(line, root)
    check_shadows(line, root)


@pytest.mark.parametrize("name", CASES)
def test_the_golden_lines_are_drawn_as_they_are(name: str) -> None:
    """The same of the golden table."""
    scene = golden_scene()
    line = look(scene, *CASES[name])
    root = drawn(scene, line)
    check_crossings(scene, line, root)
    check_blocker(line, root)
    check_shadows(line, root)


@given(st.integers(0, 100_000))
@settings(max_examples=25, deadline=None)
def test_a_hidden_end_lies_in_the_ground_that_is_shaded(seed: int) -> None:
    """A point that a line does not reach lies in the ground that is drawn as hidden; so a picture has it (S5.1)."""
    doc = rough_board(seed)
    for unit in doc["unit"]:
        unit["base"] = [0, 0]
    scene = scene_of(doc)
    for one, other in pairs(doc):
        line = look(scene, one, other)
        area, lower = area_of(scene, line), scene.stand(scene.board.unit(lower_end(line)))
        assert (area is not None) == (line.deciding is not None and lower.level == lower.ground), (one, other)
        if area is not None:
            assert area.distance(shapely.Point(track_of(line).end)) <= 0.07, (one, other)


def test_a_picture_is_the_same_from_both_ends() -> None:
    """Sight is reciprocal (S5.2): the profile runs from the higher end whoever is named first."""
    scene = golden_scene()
    one, other = (only(drawn(scene, look(scene, *ends)), "profile") for ends in (("T1", "P1"), ("P1", "T1")))
    assert ElementTree.tostring(one) == ElementTree.tostring(other)
    assert only(one, "eye").get("data-id") == "T1"
    assert only(one, "target").get("data-id") == "P1"


def test_the_line_runs_over_what_it_passes_and_no_shadow_that_ended_is_in_its_way() -> None:
    """A seen line touches no top that it crosses, and does not dip below the shadow of any (S6.3)."""
    scene = golden_scene()
    line = look(scene, "T1", "P2")
    profile = only(drawn(scene, line), "profile")
    zero, inch, floor, level = (float(profile.get(f"data-{n}", "")) for n in ("zero", "inch", "floor", "level"))
    points = [((x - zero) / inch, (floor - y) / level) for x, y in ends_of(only(profile, "seen"))]

    def height(at: float) -> float:
        return next(p + (q - p) * (at - a) / (b - a) for (a, p), (b, q) in pairwise(points) if a <= at <= b)

    (farm,) = line.crossings
    assert farm.row is not None
    for step in range(11):
        part = step / 10
        assert height(farm.entry_in + part * (farm.exit_in - farm.entry_in)) > farm.top
        assert height(farm.exit_in + part * farm.row.length) > farm.top * (1 - part)


def test_the_ground_of_the_profile_is_that_of_the_table() -> None:
    """T1 stands on a level 2 hill whose rim it touches; the farm is a block from level 0 to 1 (S6.1)."""
    scene = golden_scene()
    line = look(scene, "T1", "P1")
    profile = only(drawn(scene, line), "profile")
    zero, inch, floor, level = (float(profile.get(f"data-{n}", "")) for n in ("zero", "inch", "floor", "level"))
    outline = [((x - zero) / inch, (floor - y) / level) for x, y in ends_of(only(profile, "ground")[-1])]
    assert {round(h, 3) for x, h in outline if x < -0.1} == {2.0}
    assert {round(h, 3) for x, h in outline if x > 0.1} == {0.0}
    (block,) = [part for part in classed(profile, "block") if part.get("data-obstacle") == "farm"]
    corners = [((x - zero) / inch, (floor - y) / level) for x, y in ends_of(block[0])]
    met = line.crossings[0]
    assert {round(h, 3) for _, h in corners} == {0.0, 1.0}
    assert {round(x, 2) for x, _ in corners} == {round(met.entry_in, 2), round(met.exit_in, 2)}


def test_a_narrow_miss_is_measured_on_the_map() -> None:
    """T1 sees V1 past the farm at 1.85": the gap is drawn, as long as the margin (S5.5)."""
    scene = golden_scene()
    line = look(scene, "T1", "V1")
    gap = gap_of(scene, line)
    assert gap is not None
    assert line.near is not None
    assert math.dist(*gap) == pytest.approx(line.near.by_in, abs=1e-3)
    margin = only(drawn(scene, line), "margin")
    assert margin.get("data-obstacle") == "farm"
    assert '1.85"' in "".join(margin.itertext())


@pytest.mark.parametrize("to", [(40, 10), (10, 40), (38, 36)], ids=["east", "north", "aslant"])
def test_the_numbers_of_crossings_do_not_lie_on_each_other(to: tuple[float, float]) -> None:
    """Fourteen hedgerows half an inch apart: no two numbers overlap, neither on the map nor in the profile."""
    unit = {"kind": "infantry", "side": "allied", "base": [0, 0]}
    doc: Doc = {
        "table": {"width": 48, "depth": 48},
        "terrain": [
            {"id": f"bocage{k}", "kind": "bocage", "line": [[8, 20 + k / 2], [20 + k / 2, 20 + k / 2], [20 + k / 2, 8]]}
            for k in range(14)
        ],
        "unit": [{"id": "A", "at": [9, 9]} | unit, {"id": "B", "at": list(to)} | unit],
    }
    scene = scene_of(doc)
    root = drawn(scene, look(scene, "A", "B"))
    for name in ("los-map", "profile"):
        spots = [badge[0] for badge in classed(only(root, name), "badge")]
        assert len(spots) == 14
        circles = [tuple(float(spot.get(key, "")) for key in ("cx", "cy", "r")) for spot in spots]
        for number, (x, y, r) in enumerate(circles):
            for a, b, s in circles[:number]:
                assert math.hypot(x - a, y - b) > r + s


# --- the command --------------------------------------------------------------------------------------------------


def tell(*arguments: str, status: int = 0) -> str:
    """What a command prints."""
    result = CliRunner().invoke(cli, [*arguments, "-g", str(CROSSROADS)])
    assert result.exit_code == status, result.output
    return result.output


@pytest.mark.parametrize("pair", [("T1", "P1"), ("T1", "P2"), ("T1", "P3"), ("T1", "P4"), ("T2", "P1")])
def test_the_ruling_is_that_of_minis_los(pair: tuple[str, str]) -> None:
    """Every word of `minis los` stands on the page, and with --sight every word of `minis sight`."""
    page = words_of(ElementTree.fromstring(tell("draw", "los", *pair, "--sight", "--judge"))).split()
    spoken = (tell("los", *pair) + tell("sight", *pair)).split()
    assert page[-len(spoken) :] == spoken


def test_a_token_is_drawn_as_a_side_sees_it() -> None:
    """The line to token X5 tells nothing of the gun that it stands for (S11.5)."""
    picture = tell("draw", "los", "T1", "X5", "--as", "allied", "--sight")
    assert "P5" not in picture
    assert "P8" not in picture
    assert only(only(ElementTree.fromstring(picture), "profile"), "target").get("data-id") == "X5"
    assert "there is no unit" in tell("draw", "los", "T1", "P8", "--as", "allied", status=2)


def test_a_line_has_two_ends() -> None:
    """A unit and itself are no line."""
    assert "both ends" in tell("draw", "los", "T1", "T1", "--judge", status=2)


def test_the_marks_are_numbered_from_the_viewer_on() -> None:
    """Numbers go up with the distance, and one of them is what hides."""
    scene = golden_scene()
    line = look(scene, "T1", "P6")
    marks = marks_of(line)
    assert [mark.number for mark in marks] == list(range(1, len(marks) + 1))
    assert [mark.crossing for mark in marks] == list(line.crossings)
    blocker = blocker_of(marks)
    assert blocker is not None
    assert blocker.crossing is line.deciding
    assert lower_end(line) == "P6"
