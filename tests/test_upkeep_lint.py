"""`minis lint`: what is sound and may not be meant so, each with its line and its reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from minis.cli.main import cli
from minis.rules import examples_folder

EXAMPLES = sorted(examples_folder().glob("*/scenario.toml"))
TABLE = "[table]\nwidth = 40\ndepth = 20\n"


def run(*words: object, **environment: str) -> Result:
    """Run a command in this process."""
    env = {"MINIS_GAME": None, "MINIS_SIDE": None, **environment}
    return CliRunner(env=env).invoke(cli, [str(word) for word in words], catch_exceptions=False)


def piece(name: str, kind: str, shape: str, more: str = "") -> str:
    """[[terrain]] of this kind."""
    return f'[[terrain]]\nid = "{name}"\nkind = "{kind}"\n{shape}\n{more}\n'


def unit(name: str, kind: str = "infantry", at: str = "[5, 5]", more: str = "") -> str:
    """[[unit]] of this kind."""
    return f'[[unit]]\nid = "{name}"\nside = "red"\nkind = "{kind}"\nat = {at}\n{more}\n'


def found(folder: Path, text: str) -> list[tuple[str, str, bool]]:
    """What is found: what was looked for, of what piece, and whether it is wrong; the line is that of the piece."""
    path = folder / "s.toml"
    path.write_text(TABLE + text, encoding="utf-8")
    assert run("check", path).exit_code == 0, run("check", path).stderr
    done = run("lint", path, "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == (1 if told["wrong"] else 0)
    lines = path.read_text(encoding="utf-8").splitlines()
    for one in told["findings"]:
        start = max(n for n in range(one["line"]) if lines[n].startswith("["))
        assert any(one["id"] in line for line in lines[start : start + 2]), one
    return [(one["check"], one["id"], one["wrong"]) for one in told["findings"]]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_the_examples_have_nothing_wrong(path: Path) -> None:
    """Remarks at the most."""
    assert run("lint", path).exit_code == 0


BOX = "box = [4, 4, 8, 8]"
HILL = piece("h", "hill", "box = [2, 2, 20, 18]", "level = 1")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (piece("a", "building", BOX) + piece("b", "building", "box = [7, 7, 9, 9]"), [("overlap", "b", True)]),
        (piece("a", "building", BOX) + piece("b", "building", "box = [8, 4, 9, 8]"), []),
        (piece("a", "woods", BOX) + piece("b", "woods", BOX), [("overlap", "b", True)]),
        (piece("a", "woods", BOX) + piece("b", "woods", "box = [7, 7, 9, 9]"), [("overlap", "b", False)]),
        (piece("a", "woods", BOX) + piece("b", "building", "box = [5, 5, 7, 7]"), []),
        (piece("a", "building", BOX) + piece("b", "road", "box = [0, 5, 40, 6]"), [("overlap", "a", False)]),
        (piece("a", "road", BOX) + piece("b", "road", "box = [0, 5, 40, 6]"), []),
        (piece("a", "building", BOX) + piece("b", "hedge", "line = [[0, 5], [9, 5]]"), [("overlap", "b", True)]),
        (piece("a", "building", BOX) + piece("b", "hedge", "line = [[0, 4], [9, 4]]"), []),
        (
            HILL + piece("i", "hill", "box = [15, 5, 30, 9]", "level = 2"),
            [("overlap", "i", True), ("levels", "i", False)],
        ),
        (HILL + piece("i", "hill", "box = [5, 5, 9, 9]", "level = 2"), []),
        (HILL + piece("i", "hill", "box = [5, 5, 9, 9]", "level = 3"), [("levels", "i", False)]),
        (HILL + piece("i", "hill", "box = [5, 5, 9, 9]", "level = 1"), [("overlap", "i", True)]),
        (HILL + piece("a", "building", "box = [18, 5, 22, 9]", "base = 0"), [("levels", "a", True)]),
        (HILL + piece("a", "woods", "box = [18, 5, 22, 9]", "base = 0"), []),
        (HILL + piece("a", "woods", "box = [22, 5, 26, 9]", "base = 1"), [("levels", "a", True)]),
        (piece("a", "grain", "box = [4, 4, 4.05, 4.1]"), [("sliver", "a", False)]),
        (piece("a", "grain", "box = [44, 4, 48, 8]"), [("off-table", "a", True)]),
        ("[types.a]\n", [("unused", "a", False)]),
    ],
)  # fmt: skip
def test_terrain(tmp_path: Path, text: str, what: list[tuple[str, str, bool]]) -> None:
    """Overlaps, levels, slivers; what is in order is not told."""
    assert found(tmp_path, text) == what


YARD = piece(
    "yard", "building", "outline = [[4, 4], [14, 4], [14, 14], [4, 14]]\nholes = [[[6, 6], [12, 6], [12, 12], [6, 12]]]"
)
GATE = piece(
    "gate",
    "building",
    "outline = [[4, 4], [8, 4], [8, 6], [6, 6], [6, 12], [12, 12], [12, 6], "
    "[{0}, 6], [{0}, 4], [14, 4], [14, 14], [4, 14]]",
)


def test_ground_that_no_vehicle_reaches(tmp_path: Path) -> None:
    """A yard is a remark; with a tank in it, it is wrong; a gate lets it out, a gap narrower than a tank does not."""
    tank = unit("T", "vehicle", "[9, 9]")
    assert found(tmp_path, YARD) == [("reach", "yard", False)]
    assert found(tmp_path, YARD + tank) == [("reach", "T", True)]
    assert found(tmp_path, YARD + unit("I", at="[9, 9]")) == [("reach", "yard", False)]
    assert found(tmp_path, GATE.format(10) + tank) == []
    assert found(tmp_path, GATE.format(8.5) + tank) == [("reach", "T", True)]


def test_units(tmp_path: Path) -> None:
    """Bases in walls, in each other and over the edge of the table, a tank indoors, a passenger elsewhere."""
    wall = piece("w", "wall", "line = [[0, 5], [9, 5]]")
    assert found(tmp_path, wall + unit("T", "vehicle")) == [("base", "T", True)]
    assert found(tmp_path, wall + unit("T", "vehicle", "[5, 5.5]", "facing = 90")) == []
    assert found(tmp_path, unit("T", "vehicle") + unit("U", "vehicle", "[5.5, 5]")) == [("base", "T", True)]
    assert found(tmp_path, unit("T", "vehicle", "[0.2, 5]")) == [("base", "T", True)]
    house = piece("a", "building", "box = [2, 2, 9, 9]")
    assert found(tmp_path, house + unit("T", "vehicle")) == [("base", "T", False)]
    riding = unit("T", "vehicle", more='carries = ["I"]') + unit("I", at="[9, 5]")
    assert found(tmp_path, riding) == [("passenger", "I", True)]


def test_hidden_units_and_zones(tmp_path: Path) -> None:
    """Only hidden units have to be in a zone, and only where their side has one."""
    zone = '[[zone]]\nid = "z"\nside = "red"\nbox = [10, 0, 20, 20]\n'
    assert found(tmp_path, zone + unit("A", more="hidden = true")) == [("zone", "A", True)]
    assert found(tmp_path, zone + unit("A", at="[10, 5]", more="hidden = true")) == []
    assert found(tmp_path, zone + unit("A")) == []
    assert found(tmp_path, zone.replace("[10, 0, 20, 20]", "[50, 0, 60, 20]") + unit("A")) == [("off-table", "z", True)]


def test_dummies(tmp_path: Path) -> None:
    """Too many, too far from the others, and one whose id stands on the table (S11.2)."""
    real = unit("A")
    assert found(tmp_path, real + unit("D", at="[6.5, 5]", more='dummy = true\ntoken = "X1"')) == []
    assert found(tmp_path, real + unit("D", at="[6.5, 5]", more="dummy = true")) == [("dummy", "D", False)]
    assert found(tmp_path, real + unit("D", at="[39, 5]", more='dummy = true\ntoken = "X1"')) == [("dummy", "D", True)]
    two = "".join(unit(f"D{n}", at=f"[{5 + 2 * n}, 5]", more=f'dummy = true\ntoken = "X{n}"') for n in (1, 2))
    assert found(tmp_path, real + two) == [("dummy", "D1", True)]


def test_terrain_from_geojson_is_told_with_its_file(tmp_path: Path) -> None:
    """A piece of another file has no line; the file is named."""
    ring = [[44, 4], [48, 4], [48, 8], [44, 4]]
    feature = {"type": "Feature", "properties": {"id": "g", "kind": "woods"},
               "geometry": {"type": "Polygon", "coordinates": [ring]}}  # fmt: skip
    collection = {"type": "FeatureCollection", "minis": {"units": "inches"}, "features": [feature]}
    (tmp_path / "g.geojson").write_text(json.dumps(collection), encoding="utf-8")
    (tmp_path / "s.toml").write_text('terrain_from = "g.geojson"\n' + TABLE, encoding="utf-8")
    done = run("lint", tmp_path / "s.toml")
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{tmp_path / 'g.geojson'}: g: lies off the table")


def test_the_answer_in_words(tmp_path: Path) -> None:
    """A line a finding as editors take it, remarks called so, and how many there are."""
    path = tmp_path / "s.toml"
    path.write_text(TABLE + unit("T", "vehicle", "[0.2, 5]") + "[types.a]\n", encoding="utf-8")
    lines = run("lint", path).stdout.splitlines()
    assert lines[0].startswith(f"{path}:8:1: T: its base reaches over the edge of the table")
    assert lines[1].startswith(f"{path}:10:1: remark: a: no unit is of this type")
    assert lines[2] == f"{path}: 1 thing wrong, 1 remark."
    path.write_text(TABLE, encoding="utf-8")
    assert run("lint", path).stdout == f"{path}: nothing to say.\n"


def test_a_scenario_with_mistakes_is_not_looked_at(tmp_path: Path) -> None:
    """The mistakes of `minis check`, exit status 2."""
    path = tmp_path / "s.toml"
    path.write_text(TABLE + "colour = 3\n", encoding="utf-8")
    done = run("lint", path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "colour" in done.stderr


def test_house_numbers_count(tmp_path: Path) -> None:
    """A judge lets tanks drive through buildings: a row of the table lint laid over."""
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "lint.toml").write_text(
        '[[row]]\nid = "bars-building"\nlabel = "thin walls"\nvalue = 0\nunit = "yes or no"\nrule = "house 1"\n'
        'source = "house"\n',
        encoding="utf-8",
    )
    path = tmp_path / "s.toml"
    path.write_text(TABLE + YARD + unit("T", "vehicle", "[9, 9]"), encoding="utf-8")
    assert run("lint", path).exit_code == 1
    assert run("lint", path, "--tables", tmp_path / "house").exit_code == 0
