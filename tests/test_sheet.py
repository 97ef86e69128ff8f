"""Play aids: every number is the engine's own, with its rule; house rules and switches of today are on them."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from minis.cli.main import cli
from minis.draw.palette import text_width
from minis.draw.paper import MARGIN, PAPERS
from minis.draw.sheet import SHEETS, sheet_answer, sheet_pages, sheets
from minis.draw.sheet_page import Chart, Line
from minis.rules import examples_folder, load_rules
from minis.rules.model import Rules
from minis.sight.sighting import SightFacts, sighting

CROSSROADS = examples_folder() / "crossroads" / "scenario.toml"
SVG = "{http://www.w3.org/2000/svg}"

NIGHT = """
[[row]]
id = "night"
fact = "always"
label = "night"
value = 40
unit = "inches"
rule = "house 1"
source = "house"

[[row]]
id = "target-moved"
remove = true
"""


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A folder of house rules: a modifier more, one less, another To Hit number."""
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "sighting-modifiers.toml").write_text(NIGHT, encoding="utf-8")
    area = '[[row]]\nid = "area"\nvalues = [7, 7, 8, 8, 7, 7, 6, 6, 5, -3]\nsource = "house"\n'
    (tmp_path / "house" / "to-hit.toml").write_text(area, encoding="utf-8")
    return tmp_path / "house"


def chart(rules: Rules, name: str, title: str) -> Chart:
    """The chart of a sheet whose title begins so."""
    [sheet] = sheets(rules, [name])
    [found] = [each for each in sheet.charts if each.title.startswith(title)]
    return found


def row(found: Chart, *begin: str) -> Line:
    """The row of a chart that begins with some cells."""
    [line] = [each for each in found.rows if each.cells[: len(begin)] == begin]
    return line


def run(*words: object, **environment: str) -> Result:
    """A command as it is typed."""
    return CliRunner().invoke(
        cli, ["sheet", *map(str, words)], env={"MINIS_GAME": None, "MINIS_SIDE": None, **environment}
    )


def test_the_sighting_chart_is_the_ruling() -> None:
    """60" with a target that fired needs 40 and has 61 %; every cell is what the sighting rules say."""
    rules = load_rules()
    found = chart(rules, "sighting", "Large targets")
    heads = [column.head.split("\n") for column in found.columns]
    fired = next(n for n, head in enumerate(heads) if head[:2] == ["target", "fired"])
    assert heads[fired][-1] == "-20"
    assert row(found, '60"').cells[fired] == "40\n61"
    assert row(found, '60"').cells[-1] == "S2.2"
    plain = next(n for n, head in enumerate(heads) if head[-1] == "0")
    for line in found.rows:
        ruling = sighting(SightFacts(float(line.cells[0].rstrip('"'))), rules)
        assert line.cells[plain] == f"{ruling.need}\n{ruling.percent:g}"


def test_what_lies_beyond_the_range_is_no_number() -> None:
    """S1.1: nothing is sighted when the sum is over 100."""
    found = chart(load_rules(), "sighting", "Large targets")
    assert row(found, '90"').cells[-2] == "-"
    assert [line.cells[0] for line in found.rows][-1] == '100"'


def test_chances_through_smoke_are_exact() -> None:
    """S8.6: at 50" 12.75 % through smoke and 25.5 % in its own; 60" is the 8.20 % of the rules."""
    found = chart(load_rules(), "sighting", "Percent through smoke")
    place = [column.head for column in found.columns].index('50"')
    assert [line.cells[place] for line in found.rows] == ["12.75", "25.5", "34"]
    assert [line.cells[-1] for line in found.rows] == ["S8.1", "S8.3", "S1.2"]
    assert sighting(SightFacts(50.0, smoke="full"), load_rules()).chance == Fraction(1275, 10_000)


def test_the_shadow_chart_is_the_shadow_table() -> None:
    """S6.2, S6.5: level with the top blocks, one level above hides 6", two 3"; a vehicle 3", 2", nothing."""
    found = chart(load_rules(), "shadows", "The viewer")
    assert row(found, "level 1").cells[1:6] == ('6"', "blocks", "blocks", "blocks", '3"')
    assert row(found, "level 3").cells[1:6] == ('3"', '3"', '6"', "blocks", "none")


def test_the_to_hit_chart_is_the_table_in_hexes_and_inches() -> None:
    """C3: 9 at 7 to 12 hexes for a black gun at a vehicle; at 3 inches to the hex that is up to 36 inches."""
    [sheet] = sheets(load_rules(), ["to-hit"], inches_per_hex=3)
    found = sheet.charts[0]
    assert found.columns[2].head == '12\n36"'
    assert row(found, "Vehicle, black").cells == (
        "Vehicle, black", "10", "9", "8", "7", "6", "6", "5", "4", "3", "2", "C3", "seed",
    )  # fmt: skip
    chances = sheet.charts[2].rows[0].cells
    assert chances[1:] == ("1", "3", "6", "10", "15", "21", "26", "30", "33", "35", "36")


def test_every_case_from_a_to_r_is_there_with_its_rule() -> None:
    """Each letter has its rows, sizes, TEM and hindrances among them, each with a rule number."""
    [sheet] = sheets(load_rules(), ["cases"])
    lines = [line for each in sheet.charts for line in each.rows]
    assert {line.cells[0][:1] for line in lines} == {*"ABCDEFGHIJKLMNOPQR", ""}
    assert row(sheet.charts[1], "Q", "TEM: stone building").cells[2:] == ("+3", "B23.3", "asl")
    assert row(sheet.charts[1], "J2").cells[2:4] == ("+2", "C6.12")
    letters = [line.cells[0] for line in sheet.charts[1].rows if line.cells[0]]
    assert letters == sorted(letters)


@pytest.mark.parametrize("name", SHEETS)
def test_every_row_cites_a_rule(name: str) -> None:
    """A rule number stands in each row of each chart that has a column for it, and only the odds of dice have none."""
    for found in sheets(load_rules(), [name])[0].charts:
        heads = [column.head for column in found.columns]
        if "rule" not in heads:
            assert found.title.startswith("The chance to throw")
            continue
        for line in found.rows:
            assert re.fullmatch(r"([A-FS]\d+[.\d]*|plan)(, [A-FS]\d+[.\d]*)*", line.cells[heads.index("rule")]), line


def test_no_row_of_a_table_is_missing() -> None:
    """Every row of the tables that are asked at the table is on a sheet, by its words."""
    rules = load_rules()
    said = " ".join(
        cell for sheet in sheets(rules) for each in sheet.charts for line in each.rows for cell in line.cells
    )
    for name in (
        "sighting", "sighting-modifiers", "shadows", "afv-shadows", "terrain", "sizes", "figure-scales", "switches",
        "fire", "to-hit", "to-hit-guns", "to-hit-drm", "to-hit-exclusions", "to-hit-refusals", "tem", "hindrances",
        "nations", "hull-down-manoeuvre", "hull-down-drm",
    ):  # fmt: skip
        for each in rules.tables[name].rows:
            assert each.label in said, (name, each.id)


def test_house_rules_of_today_are_on_the_sheets(night: Path) -> None:
    """A row that was added or changed is bold and said to be of today; what was taken out is named."""
    rules = load_rules(night)
    added = row(chart(rules, "sighting", "Sighting modifiers"), "night")
    assert (added.strong, added.cells[1:]) == (True, ("+40 inches", "house 1", "today"))
    assert row(chart(rules, "to-hit", "To Hit table"), "Area").cells[-3:] == ("-3", "C3", "today")
    rulings = chart(rules, "game", "House rulings")
    assert [line.cells[:2] for line in rulings.rows] == [
        ("sighting-modifiers", "night"), ("to-hit", "Area"), ("sighting-modifiers", "target-moved"),
    ]  # fmt: skip
    found = chart(rules, "sighting", "Large targets")
    assert "target\nmoved" not in " ".join(column.head for column in found.columns)
    assert row(found, '10"').cells[2] == "40\n61"  # nothing but the night: 10 + 30, 40 ...
    assert chart(load_rules(), "game", "House rulings").rows == ()


def test_switches_of_today_are_on_the_sheets(tmp_path: Path) -> None:
    """A switch that is not at its default is bold, with its default beside it, and at the foot of every page."""
    rules = load_rules().with_switches({"graze": "clears", "woods_depth": 2.0}, "1/285")
    found = chart(rules, "game", "Switches")
    strong = [line.cells[1:3] for line in found.rows if line.strong]
    assert strong == [("clears", "blocks"), ('2"', '1"')]
    assert row(chart(rules, "game", "This table"), "figure scale").cells[1] == "1/285"
    for page in sheet_pages(sheets(rules), rules=rules):
        assert "graze = clears" in page


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("house", [False, True])
def test_nothing_runs_off_a_page_or_into_its_neighbour(paper: str, house: bool, night: Path) -> None:
    """Every word stands within the margins, and no two words on one line overlap, on both papers."""
    rules = load_rules(night) if house else load_rules()
    width, height = (size * 100 for size in PAPERS[paper])
    for page in sheet_pages(sheets(rules), paper=paper, subject="A very long title of a game " * 4, rules=rules):
        placed: list[tuple[float, float, float, str]] = []
        for x, y, text in texts(ElementTree.fromstring(page)):
            size = float(text.get("font-size", 0))
            wide = text_width(text.text or "", size)
            left = x - {"middle": wide / 2, "end": wide}.get(text.get("text-anchor", ""), 0)
            assert left >= MARGIN * 100 - 1, text.text
            assert left + wide <= width - MARGIN * 100 + 6, text.text
            assert size < y <= height - MARGIN * 100 + 1, text.text
            placed.append((round(y, 1), left, left + wide, text.text or ""))
        placed.sort()
        for one, other in pairwise(placed):
            assert one[0] != other[0] or one[2] <= other[1] + 0.1, (one, other)


def texts(element: ElementTree.Element, x: float = 0, y: float = 0) -> list[tuple[float, float, ElementTree.Element]]:
    """The texts of a page with their places."""
    found = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    if found:
        x, y = x + float(found[1]), y + float(found[2])
    own = (
        [(x + float(element.get("x", 0)), y + float(element.get("y", 0)), element)]
        if element.tag == f"{SVG}text"
        else []
    )
    return own + [each for child in element for each in texts(child, x, y)]


def test_a_row_is_large_enough_to_be_read_at_arms_length() -> None:
    """No type of a row is below 9.5 points, none on a page below 7.5."""
    rules = load_rules()
    for page in sheet_pages(sheets(rules), rules=rules):
        sizes = [float(text.get("font-size", 0)) * 0.72 for _, _, text in texts(ElementTree.fromstring(page))]
        assert min(sizes) > 7.5
        assert sum(size > 9.5 for size in sizes) > len(sizes) / 2


def test_all_is_black_and_white() -> None:
    """A sheet has black, white and one grey of its thin lines."""
    rules = load_rules()
    for page in sheet_pages(sheets(rules), rules=rules):
        assert set(re.findall(r'"(#[0-9a-f]+)"', page)) <= {"#000000", "#ffffff", "#8c8c8c"}
        assert "<style" not in page
        assert "style=" not in page


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
def test_the_sheets_as_pdf(paper: str, tmp_path: Path) -> None:
    """`-o FILE.pdf` writes all sheets on the paper that was asked for, the same bytes each time."""
    out = tmp_path / "aids.pdf"
    done = run("-g", CROSSROADS, "-o", out, "--paper", paper)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"wrote {out}\n"
    reader = PdfReader(out)
    size = [float(side) / 72 for side in (reader.pages[0].mediabox.width, reader.pages[0].mediabox.height)]
    assert size == pytest.approx(PAPERS[paper], abs=1e-3)
    assert len(reader.pages) >= len(SHEETS)
    said = reader.pages[len(reader.pages) - 1].extract_text()
    assert "Today's game" in said
    assert "crossroads" in said.lower()
    first = out.read_bytes()
    run("-g", CROSSROADS, "-o", out, "--paper", paper)
    assert out.read_bytes() == first


def test_the_sheets_as_svg(tmp_path: Path) -> None:
    """`-o FILE.svg` writes a file a page; one page is FILE itself."""
    assert run("shadows", "-o", tmp_path / "one.svg").exit_code == 0
    done = run("cases", "-o", tmp_path / "some.svg")
    assert done.stderr == f"wrote {tmp_path / 'some-1.svg'} to {tmp_path / 'some-2.svg'}\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.svg", "some-1.svg", "some-2.svg"]
    root = ElementTree.parse(tmp_path / "one.svg").getroot()
    assert (root.get("width"), root.get("aria-label")) == ("8.27in", "Lines of sight, 1 of 1")


def test_without_a_file_the_sheets_are_listed() -> None:
    """`minis sheet` says which sheets there are; `--json` gives all that stands on them."""
    listed = run().stdout
    assert [line.split()[0] for line in listed.splitlines()[: len(SHEETS)]] == list(SHEETS)
    answer = json.loads(run("--json", "-g", CROSSROADS).stdout)
    assert [sheet["name"] for sheet in answer["sheets"]] == list(SHEETS)
    assert answer["sheets"][:2] == sheet_answer(sheets(load_rules(), ["sighting", "shadows"]))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sightings"], "there is no sheet 'sightings'; did you mean 'sighting'?"),
        (["-o", "aids.png"], "--out: expected a name that ends in .pdf or .svg, not 'aids.png'"),
        (["-o", "/nowhere/aids.pdf"], "/nowhere/aids.pdf: cannot be written"),
        (["--tables", "/nowhere"], "expected a folder of rule tables"),
        (["-g", "/nowhere"], "/nowhere"),
    ],
)
def test_bad_input_is_one_message(words: list[str], message: str) -> None:
    """What cannot be done is said in a line, exit status 2."""
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_side_gets_the_judges_sheets() -> None:
    """The sheets are made of rules alone: a side and the judge read the same."""
    assert run("--json", "-g", CROSSROADS, "--as", "axis").stdout == run("--json", "-g", CROSSROADS).stdout
    assert run("--json", "-g", CROSSROADS, "--as", "martians").exit_code == 2
