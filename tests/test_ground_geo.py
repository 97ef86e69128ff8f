"""Real ground in longitude and latitude to a table and back: places, tags, repairs, reports, refusals."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest
import shapely
from click.testing import CliRunner, Result
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pyproj import Geod

from minis.board import read_board
from minis.board.board import Board
from minis.board.place import Place, metres_per_inch
from minis.cli.main import cli
from minis.errors import BadInput
from minis.ground.clean import Limits, clean
from minis.ground.layout import formatted
from minis.ground.osm import Reader
from minis.ground.project import Projection, parse_centre
from minis.ground.scenario_text import Piece, in_order, scenario_text, write_whole
from minis.rules import load_rules
from minis.rules.ground_rows import ground_number
from minis.toml_file import parse_toml

EARTH = Geod(ellps="WGS84")
MIDDLE = (26.9436, 60.52875)
LIMITS = Limits(1 / 32, 0.0005, 0.0025, 0.125, 1 / 64)


def run(*args: object) -> Result:
    """A command in this process; an exception that is no exit is the test's failure."""
    result = CliRunner(env={"MINIS_GAME": None, "MINIS_SIDE": None}).invoke(cli, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def at(east_m: float, north_m: float, middle: tuple[float, float] = MIDDLE) -> list[float]:
    """Longitude and latitude of a place so far from the middle, by geodesics alone."""
    bearing, far = math.degrees(math.atan2(east_m, north_m)), math.hypot(east_m, north_m)
    lon, lat, _ = EARTH.fwd(*middle, bearing, far)
    return [round(lon, 7), round(lat, 7)]


def ring(*places: tuple[float, float], middle: tuple[float, float] = MIDDLE) -> list[list[float]]:
    """A closed ring of places in metres from the middle."""
    return [at(*place, middle) for place in (*places, places[0])]


def square(east: float, north: float, side: float, middle: tuple[float, float] = MIDDLE) -> list[list[float]]:
    """A closed square from its south-west corner."""
    corners = (east, north), (east + side, north), (east + side, north + side), (east, north + side)
    return ring(*corners, middle=middle)


def feature(name: str, kind: str, places: Any, **tags: Any) -> dict[str, Any]:
    """A feature with tags; `_` in a key stands for a colon."""
    keys = {key.replace("_", ":"): value for key, value in tags.items()}
    shape = {"type": kind, "coordinates": places}
    return {"type": "Feature", "id": name, "properties": keys, "geometry": shape}


def area(name: str, *rings: Any, **tags: Any) -> dict[str, Any]:
    """A polygon with tags."""
    return feature(name, "Polygon", list(rings), **tags)


HOUSE = area("way/1", square(0, 0, 25), building="yes")


def collection(*features: Any, **more: Any) -> dict[str, Any]:
    """A FeatureCollection."""
    return {"type": "FeatureCollection", **more, "features": list(features)}


def geojson(folder: Path, *features: Any, **more: Any) -> Path:
    """A GeoJSON file of some features."""
    path = folder / "ground.geojson"
    path.write_text(json.dumps(collection(*features, **more)), encoding="utf-8")
    return path


def lay(path: Path, *options: str, middle: tuple[float, float] = MIDDLE) -> tuple[Board, Any, str]:
    """The board of an import at 25 m to the inch, its report, and the text of the scenario."""
    out = path.parent / "made.toml"
    base = (
        "--scale",
        "1in=25m",
        f"--centre={middle[0]},{middle[1]}",
        "--size",
        "60x40",
        "-o",
        out,
        "--force",
        "--json",
    )
    result = run("import", "geojson", path, *base, *options)
    assert result.exit_code == 0, result.stderr
    return read_board(out), json.loads(result.stdout), out.read_text(encoding="utf-8")


def refused(path: Path, *options: str) -> str:
    """What an import that is refused says: one status, nothing written."""
    out = path.parent / "refused.toml"
    given_ones = options or ("--scale", "1in=25m", f"--centre={MIDDLE[0]},{MIDDLE[1]}", "--size", "60x40")
    before = sorted(path.parent.iterdir())
    result = run("import", "geojson", path, *given_ones, "-o", out)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert "Traceback" not in result.stderr
    assert sorted(path.parent.iterdir()) == before
    return result.stderr


def ids(board: Board) -> list[str]:
    """The ids of the terrain."""
    return [piece.id for piece in board.terrain]


def shape(board: Board, name: str) -> shapely.Polygon:
    """A piece as a polygon in inches."""
    rings = [[(x / 8000, y / 8000) for x, y in one] for one in board.terrain_by_id[name].rings]
    return shapely.Polygon(rings[0], rings[1:])


# --- places on the earth ---------------------------------------------------------------------------------------------

near_180 = st.floats(179.9, 180.0) | st.floats(-180.0, -179.9)


@given(
    st.floats(-180, 180) | near_180, st.floats(-70, 70), st.floats(-360, 360),
    st.sampled_from(["1in=25m", "1:72", "1:1000", "1cm=10m", "1in=100m"]),
    st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200)), min_size=1, max_size=5),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_inches_to_degrees_and_back(lon: float, lat: float, bearing: float, scale: str, places: Any) -> None:
    """Anywhere between 70 degrees south and north a place of the table comes back under 1/1000 inch."""
    ground = Projection(Place(lon, lat, bearing, scale), 300, 200)
    x, y = [place[0] for place in places], [place[1] for place in places]
    degrees = ground.to_ground(x, y)
    assert all(abs(value) <= 180 for value in degrees[0].tolist())
    back = ground.to_table(*([round(value, 9) for value in axis.tolist()] for axis in degrees))
    assert max(abs(back[0] - x)) < 0.001
    assert max(abs(back[1] - y)) < 0.001


MILLIMETRE = 0.001
"""So little of the ground, in metres, is under 1/1000 inch of any table."""


@given(st.floats(-180, 180) | near_180, st.floats(-70, 70), st.floats(0, 360), st.floats(0, 360), st.floats(1, 1500))
@settings(max_examples=60, deadline=None)
def test_distances_and_bearings_are_those_of_the_ground(
    lon: float, lat: float, turn: float, way: float, far: float
) -> None:
    """A geodesic from the middle has its length and its bearing on the table, less the bearing of the table."""
    ground = Projection(Place(lon, lat, turn, "1in=25m"), 120, 120)
    end_lon, end_lat, _ = EARTH.fwd(lon, lat, way, far)
    x, y = (float(value) - 60 for value in ground.to_table(end_lon, end_lat))
    assert math.hypot(x, y) * 25 == pytest.approx(far, rel=1e-6, abs=MILLIMETRE)
    off = (math.degrees(math.atan2(x, y)) - (way - turn)) % 360
    assert min(off, 360 - off) < 1e-4 + math.degrees(MILLIMETRE / far)


@given(st.floats(-70, 70), st.floats(0, 360), st.floats(0, 360))
@settings(max_examples=40, deadline=None)
def test_across_the_table_too(lat: float, one: float, other: float) -> None:
    """Two places, each 1.5 km from the middle, have their true distance within a hundredth of a percent."""
    ground = Projection(Place(180, lat, 30, "1in=25m"), 120, 120)
    ends = [EARTH.fwd(180, lat, bearing, 1500)[:2] for bearing in (one, other)]
    true = EARTH.inv(*ends[0], *ends[1])[2]
    assume(true > 1)
    places = [[float(value) for value in ground.to_table(*end)] for end in ends]
    assert math.dist(*places) * 25 == pytest.approx(true, rel=1e-4)


@pytest.mark.parametrize(
    ("text", "metres"),
    [("1in=25m", 25), ('1" = 25 m', 25), ("2in=50m", 25), ("1:1000", 25.4), ("1/72", 1.8288), ("1cm=10m", 25.4),
     ("1in=20yd", 18.288), ("1IN=0.025km", 25)],
)  # fmt: skip
def test_a_scale_as_a_judge_writes_it(text: str, metres: float) -> None:
    """Inches or centimetres for metres, yards or feet, or a ratio."""
    assert metres_per_inch(text) == pytest.approx(metres, rel=1e-12)


@pytest.mark.parametrize(
    "text", ["", "25", "1in", "1in=25", "0in=25m", "1in=0m", "1:0", "1m=25in", "-1in=25m", "1in=nanm"]
)
def test_what_is_no_scale(text: str) -> None:
    """A scale that says nothing is refused with an example of one."""
    with pytest.raises(BadInput, match="expected a scale such as 1in=25m"):
        metres_per_inch(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [("60.5,126.9", "is it swapped"), ("190,60", "past the date line it goes on from -180"), ("-181,0", "from 180"),
     ("385123,6671234", "is the file in metres"), ("nan,0", "LON,LAT"), ("1", "LON,LAT"), ("1,2,3", "LON,LAT"),
     ("east,north", "LON,LAT"), ("inf,0", "LON,LAT")],
)  # fmt: skip
def test_what_is_no_centre(text: str, why: str) -> None:
    """A centre that is none is refused with what was expected."""
    with pytest.raises(BadInput, match=why):
        parse_centre(text)


# --- a table from OpenStreetMap --------------------------------------------------------------------------------------


def test_a_town_becomes_a_table(tmp_path: Path) -> None:
    """Tags become kinds, lines along which an area runs become areas, ids say kind and number, all passes the check."""
    path = geojson(
        tmp_path,
        area("way/11", square(-100, 0, 50), building="yes", building_levels="2.5"),
        area("way/12", square(0, 0, 25), building="industrial", height="12.13 m"),
        area("relation/13", square(100, 0, 25), building="apartments"),
        area("way/14", square(200, 0, 100), landuse="forest"),
        area("way/15", square(0, 100, 100), natural="wood", landuse="residential"),
        area("way/16", square(-200, 100, 100), landuse="farmland"),
        feature("way/17", "LineString", [at(-300, -50), at(300, -50)], highway="secondary"),
        feature("way/18", "LineString", [at(-300, -80), at(300, -80)], barrier="hedge"),
        feature("way/19", "LineString", [at(-300, -100), at(300, -100)], waterway="stream"),
        area("way/20", square(300, 100, 50), barrier="wall"),
        area("way/21", square(-300, 200, 50), natural="water"),
        attribution="© OpenStreetMap contributors, ODbL 1.0",
    )
    board, report, text = lay(path)
    assert ids(board) == [
        "gully-19", "woods-14", "woods-15", "grain-16", "water-21", "road-17", "building-11", "building-12",
        "building-r13", "wall-20", "hedge-18",
    ]  # fmt: skip
    storeys = {piece.id: piece.storeys for piece in board.terrain if piece.kind.id == "building"}
    assert storeys == {"building-11": 3, "building-12": 4, "building-r13": 3}
    assert shape(board, "building-11").area == pytest.approx(4, rel=1e-3)
    assert shape(board, "building-11").centroid.coords[0] == pytest.approx((27, 21), abs=0.002)
    assert shape(board, "road-17").bounds == pytest.approx((18, 17.84, 42, 18.16), abs=0.01)
    assert board.cautions == ()
    assert board.place == Place(*MIDDLE, 0, "1in=25m", credit="© OpenStreetMap contributors, ODbL 1.0")
    assert "# Data: © OpenStreetMap contributors, ODbL 1.0" in text
    assert {count["kind"]: count["written"]["pieces"] for count in report["kinds"]}["building"] == 3


def test_nothing_is_dropped_in_silence(tmp_path: Path) -> None:
    """What is left out, not understood, dropped, off the table or without a shape is counted by its tag or listed."""
    path = geojson(
        tmp_path,
        HOUSE,
        area("way/2", square(50, 0, 0.5), building="yes"),
        area("way/3", square(60, 0, 20), landuse="lane"),
        area("way/4", square(60, 0, 20), landuse="residential", source="x"),
        feature("node/5", "Point", at(10, 10), natural="tree"),
        feature("node/6", "Point", at(10, 10), building="yes"),
        area("way/7", square(60, 0, 20), shop="bakery"),
        area("way/8", square(9000, 0, 20), building="yes"),
        area("way/9", square(60, 50, 20), highway="service", tunnel="yes"),
        feature("way/10", "LineString", [at(0, 0), at(50, 0)], landuse="orchard"),
        {"type": "Feature", "id": "way/11", "properties": {"building": "yes"}, "geometry": None},
        area("way/12", square(60, 100, 20), building="yes", layer="1", landuse="lane;parking"),
    )
    board, report, text = lay(path)
    assert ids(board) == ["building-1", "building-12"]
    assert report["not_understood"] == {
        "landuse=lane": 1, "shop=*": 1, "building=yes (a point: no building has a shape of its own)": 1,
        "landuse=orchard (a line, and the row landuse-orchard has no width)": 1, "landuse=lane;parking": 1,
    }  # fmt: skip
    assert report["left_out"] == {
        "landuse=residential (residential area)": 1, "natural=tree (single tree)": 1,
        "tunnel=yes (tunnel: nothing of it above the ground)": 1,
    }  # fmt: skip
    assert report["details"] == {"source": 1, "layer": 1}
    assert [(left["id"], left["why"]) for left in report["dropped"]] == [
        ("building-2", "building, 0.000401 square inches")
    ]
    assert "1 things of the file lie off the table" in report["remarks"]
    assert "1 features have no geometry" in report["remarks"]
    assert "# Not understood: " in text
    told = run("import", "geojson", path, "--scale", "1in=25m", f"--centre={MIDDLE[0]},{MIDDLE[1]}", "--size", "60x40",
               "-o", tmp_path / "told.toml")  # fmt: skip
    for words in (
        "landuse=lane",
        "building-2: building, 0.000401 square inches",
        "details that no row asks for: layer 1, source 1",
    ):
        assert words in told.stdout


def test_a_judge_lays_his_own_tags_over_the_table(tmp_path: Path) -> None:
    """A house row makes hedges bocage and understands a new tag; a kind that is none is refused at its place."""
    house = tmp_path / "house"
    house.mkdir()
    rows = """
[[row]]
id = "barrier-hedge"
kind = "bocage"
source = "house"

[[row]]
id = "vineyard-house"
label = "bakery"
key = "shop"
value = "bakery"
kind = "rubble"
rank = 5
unit = "tag"
rule = "house 1"
source = "house"
"""
    (house / "osm.toml").write_text(rows, encoding="utf-8")
    hedge = feature("way/2", "LineString", [at(-100, 0), at(100, 0)], barrier="hedge")
    path = geojson(tmp_path, hedge, area("way/3", square(60, 0, 20), shop="bakery"))
    board, _, _ = lay(path, "--tables", str(house))
    assert ids(board) == ["rubble-3", "bocage-2"]
    (house / "osm.toml").write_text(rows.replace('"rubble"', '"hill"'), encoding="utf-8")
    with pytest.raises(BadInput, match=r"osm\.toml:7:1: .*'hill' is no kind of terrain that a tag can tell"):
        load_rules(house)


def test_a_house_without_a_kind_leaves_its_tags_out(tmp_path: Path) -> None:
    """A house that takes orchards out of the game still loads, and an import counts them as left out."""
    (tmp_path / "terrain.toml").write_text('[[row]]\nid = "grain"\nremove = true\n', encoding="utf-8")
    (tmp_path / "hindrances.toml").write_text('[[row]]\nid = "grain"\nremove = true\n', encoding="utf-8")
    reader = Reader(load_rules(tmp_path), 1 / 25)
    assert reader.piece("way/1", {"landuse": "farmland"}, shapely.box(0, 0, 1, 1)) is None
    assert reader.left_out == {"landuse=farmland (farmland)": 1}


def test_the_area_of_buildings_is_that_of_the_ground(tmp_path: Path) -> None:
    """Hundreds of crooked houses keep their total area within 0.1 % of that on the ellipsoid, and each its count."""
    houses, total = [], 0.0
    for n in range(200):
        east, north = (n % 20) * 30 - 300, (n // 20) * 30 - 150
        long, broad, cut = 8 + n % 13, 6 + n % 7, 1 + n % 3
        corners = [
            (0, 0),
            (long, 0.3),
            (long, broad),
            (long - cut, broad),
            (long - cut, broad - cut),
            (0.2, broad - cut),
        ]
        outline = ring(*((east + x, north + y) for x, y in corners))
        total += abs(EARTH.polygon_area_perimeter([lon for lon, _ in outline], [lat for _, lat in outline])[0])
        houses.append(area(f"way/{n}", outline, building="house"))
    board, report, _ = lay(geojson(tmp_path, *houses), "--bearing", "33")
    assert len(board.terrain) == 200
    made = sum(shape(board, name).area for name in ids(board)) * 25 * 25
    assert made == pytest.approx(total, rel=1e-3)
    assert report["area_m2"]["building"] == pytest.approx(made, abs=0.1)


def test_a_table_over_the_date_line(tmp_path: Path) -> None:
    """Ground at 180 degrees is one piece, whichever side of it a corner names."""
    house = area("way/1", square(-50, -50, 100, (180, -17)), building="yes")
    assert {lon > 0 for lon, _ in house["geometry"]["coordinates"][0]} == {True, False}
    path = geojson(tmp_path, house)
    board, _, _ = lay(path, middle=(180, -17))
    assert shape(board, "building-1").bounds == pytest.approx((28, 18, 32, 22), abs=0.002)
    assert "the middle of the table; that of the file is 180.00000,-17.00000" in refused(path, "--scale", "1in=25m")


def test_holes_stay_and_what_crosses_itself_is_repaired(tmp_path: Path) -> None:
    """A courtyard stays a hole; an outline like a bow tie becomes two pieces, and is listed with the place."""
    yard = area("way/1", square(0, 0, 50), square(10, 10, 20), building="yes")
    bow = area("way/2", ring((100, 0), (200, 100), (200, 0), (100, 100)), natural="wood")
    board, report, _ = lay(geojson(tmp_path, yard, bow))
    assert ids(board) == ["woods-2-1", "woods-2-2", "building-1"]
    assert shape(board, "building-1").area == pytest.approx((2500 - 400) / 625, rel=1e-3)
    (repaired,) = report["repaired"]
    assert repaired["id"] == "woods-2"
    assert repaired["why"].startswith("self-intersection at 36, 22")


def test_what_is_given_twice_is_told(tmp_path: Path) -> None:
    """Two outlines of one house stay, and the report names the pair."""
    _, report, _ = lay(geojson(tmp_path, HOUSE, area("way/2", square(1, 1, 20), building="yes")))
    assert "building-1 and building-2 stand on the same ground" in report["remarks"]


def test_the_place_of_a_table_is_checked(tmp_path: Path) -> None:
    """[table.place] with a bad centre, scale or heights is told at its line."""
    path = tmp_path / "s.toml"
    for keys, why in (
        ('centre = [190, 0]\nscale = "1in=25m"', "table.place.centre"),
        ('centre = [0, nan]\nscale = "1in=25m"', "table.place.centre"),
        ('centre = [0, 0]\nscale = "25"', "expected a scale such as"),
        ("centre = [0, 0]", "table.place"),
        ('centre = [0, 0]\nscale = "1in=25m"\nlevel_heights = [10, 5]', "heights that rise"),
    ):
        path.write_text(f"[table]\nwidth = 60\ndepth = 40\n[table.place]\n{keys}\n", encoding="utf-8")
        with pytest.raises(BadInput, match=why.replace(".", r"\.")):
            read_board(path)


# --- cleaning --------------------------------------------------------------------------------------------------------

corner = st.tuples(st.floats(-5, 65), st.floats(-5, 45))


@given(st.lists(st.lists(corner, min_size=3, max_size=12), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_whatever_is_read_passes_the_check(outlines: list[list[tuple[float, float]]]) -> None:
    """Any tangle of corners becomes pieces that are valid, on the table, named apart, and pass every check."""
    pieces = [Piece("woods", "w", shapely.Polygon(outline)) for outline in outlines]
    made = clean(pieces, 60, 40, LIMITS)
    text = scenario_text("Tangle", 60, 40, made.pieces)
    from minis.board.scenario import board_of

    board = board_of(parse_toml(text, "tangle.toml"))
    assert len(board.terrain) == len(made.pieces) == made.counts[0].written[0]
    assert board.cautions == ()


@given(st.lists(st.floats(4, 6), min_size=20, max_size=60))
@settings(max_examples=40, deadline=None)
def test_simplifying_keeps_the_outline_and_the_area(radii: list[float]) -> None:
    """No corner lies farther than 1/32" from the outline that is left, and the area stays within its share."""
    turns = [2 * math.pi * index / len(radii) for index in range(len(radii))]
    blob = shapely.Polygon([(30 + r * math.cos(t), 20 + r * math.sin(t)) for r, t in zip(radii, turns, strict=True)])
    (piece,) = clean([Piece("woods", "w", blob)], 60, 40, LIMITS).pieces
    assert shapely.hausdorff_distance(piece.geometry.boundary, blob.boundary) <= 1 / 32 + 0.002
    assert piece.geometry.area == pytest.approx(blob.area, rel=0.001)


def test_clipping_counts_before_and_after() -> None:
    """A wood half off the table is cut at its edge, and the counts tell the whole, the part on it, what is written."""
    made = clean(
        [Piece("woods", "w", shapely.box(-2, 1, 2, 3)), Piece("woods", "w", shapely.box(-9, 1, -7, 3))], 60, 40, LIMITS
    )
    assert made.pieces[0].geometry.bounds == (0, 1, 2, 3)
    (count,) = made.counts
    assert (count.read, count.on_table, count.written) == ((2, 12.0, 0.0), (1, 4.0, 0.0), (1, 4.0, 0.0))


def test_the_limits_are_those_of_the_issue() -> None:
    """An outline moves by 1/32" at most."""
    assert ground_number(load_rules(), "simplify") == 1 / 32


# --- the writer ------------------------------------------------------------------------------------------------------


def test_the_writer_keeps_its_order_and_layout(tmp_path: Path) -> None:
    """Ground first, then houses, then lines, by number; long outlines are broken; holes, keys and notes are kept."""
    circle = shapely.Point(20, 20).buffer(5)
    pieces = [
        Piece("wall", "wall-1", shapely.LineString([(0, 0), (10, 0)])),
        Piece("building", "building-10", shapely.box(1, 1, 2, 2), storeys=2, material="stone", base=1),
        Piece("building", "building-9", shapely.box(3, 1, 4, 2), note="way/9 building=yes\nby hand\x07"),
        Piece("hill", "hill-2", circle, level=1, slope=True),
        Piece("woods", "woods-1", circle.difference(shapely.Point(20, 20).buffer(2))),
    ]
    place = Place(-1.5, 50.25, -90, "1:1000", (10, 20.5), 2.5, 'by "us"')
    text = scenario_text("T", 60, 40, pieces, place=place, notes=["One"])
    assert [piece.id for piece in in_order(pieces)] == ["hill-2", "woods-1", "building-9", "building-10", "wall-1"]
    assert max(map(len, text.splitlines())) <= 120
    assert formatted(text) == text
    path = tmp_path / "t.toml"
    write_whole(path, text)
    board = read_board(path)
    assert ids(board) == ["hill-2", "woods-1", "building-9", "building-10", "wall-1"]
    assert board.place == place
    assert shape(board, "woods-1").area == pytest.approx(pieces[4].geometry.area, rel=1e-3)
    house = board.terrain_by_id["building-10"]
    assert (house.storeys, house.material, house.base) == (2, "stone", 1)
    assert board.terrain_by_id["hill-2"].slope
    assert "# way/9 building=yes\n# by hand\n[[terrain]]" in text


def test_a_file_is_replaced_only_when_asked(tmp_path: Path) -> None:
    """What is there stays, unless --force says otherwise; a folder is no file; nothing is left beside it."""
    path = geojson(tmp_path, HOUSE)
    out = tmp_path / "out.toml"
    out.write_text("mine", encoding="utf-8")
    words = ("import", "geojson", path, "--scale", "1in=25m", f"--centre={MIDDLE[0]},{MIDDLE[1]}", "-o")
    result = run(*words, out)
    assert (result.exit_code, result.stderr) == (2, f"{out}: is there already; --force replaces it\n")
    assert out.read_text(encoding="utf-8") == "mine"
    assert run(*words, tmp_path).exit_code == 2
    assert run(*words, tmp_path / "nowhere" / "out.toml").exit_code == 2
    assert run(*words, out, "--force").exit_code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ground.geojson", "out.toml"]


# --- out and in again ------------------------------------------------------------------------------------------------

SCENARIO = """
title = "Out and in"
[table]
width = 60
depth = 40
[table.place]
centre = [179.99, -45.5]
bearing = 27
scale = "1in=25m"
credit = "© somebody"
level_heights = [20, 40.5]
exaggeration = 1.25
[[terrain]]
id = "hill one"
kind = "hill"
level = 2
slope = true
outline = [[5, 5], [35.015625, 5.001], [33, 30], [6, 31]]
holes = [[[10, 10], [12, 10], [12, 12.125]]]
[[terrain]]
id = "house"
kind = "building"
storeys = 3
base = 1
material = "stone"
box = [34, 6, 36, 8]
[[terrain]]
id = "wood"
kind = "woods"
circle = { centre = [45, 20], radius = 6 }
[[terrain]]
id = "wall"
kind = "wall"
line = [[40, 1], [41.5, 12], [50, 12]]
[[unit]]
id = "secret"
side = "axis"
kind = "infantry"
at = [1, 1]
hidden = true
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A scenario with a place at the date line."""
    path = tmp_path / "table.toml"
    path.write_text(SCENARIO, encoding="utf-8")
    return path


def same_terrain(one: Board, other: Board, within_in: float) -> None:
    """The same pieces: ids, kinds, keys, holes; and the same geometry."""
    assert set(ids(one)) == set(ids(other))
    for piece in one.terrain:
        twin = other.terrain_by_id[piece.id]
        for key in ("kind", "level", "storeys", "base", "material", "slope"):
            assert getattr(piece, key) == getattr(twin, key), (piece.id, key)
        assert len(piece.rings) == len(twin.rings)
        if piece.line:
            lines = [shapely.LineString([(x / 8000, y / 8000) for x, y in each.line]) for each in (piece, twin)]
            assert shapely.hausdorff_distance(lines[0], lines[1]) <= within_in
        else:
            assert shapely.hausdorff_distance(shape(one, piece.id), shape(other, piece.id)) <= within_in


def test_out_in_inches_and_in_again(table: Path) -> None:
    """Terrain written in inches and read with terrain_from is the same to the grid."""
    out = table.with_name("board.geojson")
    assert run("export", "geojson", "-g", table, "-o", out).exit_code == 0
    again = table.with_name("again.toml")
    again.write_text('terrain_from = "board.geojson"\n[table]\nwidth = 60\ndepth = 40\n', encoding="utf-8")
    same_terrain(read_board(table), read_board(again), 0.0)


def test_out_in_degrees_and_in_again(table: Path) -> None:
    """Terrain written in longitude and latitude comes back by itself: size, place, ids, kinds, holes, under 1/1000"."""
    out, again = table.with_name("board.geojson"), table.with_name("again.toml")
    assert run("export", "geojson", "-g", table, "--degrees", "-o", out).exit_code == 0
    data = json.loads(out.read_text(encoding="utf-8"))
    assert all(abs(lon) <= 180 for f in data["features"] for lon, _ in flat(f["geometry"]["coordinates"]))
    result = run("import", "geojson", out, "-o", again)
    assert result.exit_code == 0, result.stderr
    made = read_board(again)
    same_terrain(read_board(table), made, 0.001)
    assert (made.place, made.width_in, made.depth_in, made.title) == (read_board(table).place, 60, 40, "Out and in")


def test_another_scale_makes_another_exaggeration(table: Path) -> None:
    """The heights of the levels stay with the ground; how steep the table is goes with its old scale."""
    out, again = table.with_name("board.geojson"), table.with_name("again.toml")
    run("export", "geojson", "-g", table, "--degrees", "-o", out)
    assert run("import", "geojson", out, "--scale", "1in=50m", "-o", again).exit_code == 0
    place = read_board(again).place
    assert place is not None
    assert (place.scale, place.level_heights, place.exaggeration) == ("1in=50m", (20, 40.5), None)


@pytest.mark.parametrize(
    ("key", "value"),
    [("centre", "here"), ("centre", [200, 0]), ("centre", [5]), ("centre", [1, 89]), ("bearing", "north"),
     ("bearing", 999), ("scale", 25), ("scale", "25"), ("scale", ""), ("width", "wide"), ("depth", -4), ("depth", None),
     ("level_heights", [40, 20]), ("level_heights", 7), ("exaggeration", 0)],
)  # fmt: skip
def test_a_bad_mark_is_told_by_file_and_member(key: str, value: object, table: Path) -> None:
    """What the file says wrongly is not laid to options that nobody typed."""
    out, again = table.with_name("board.geojson"), table.with_name("again.toml")
    run("export", "geojson", "-g", table, "--degrees", "-o", out)
    data = json.loads(out.read_text(encoding="utf-8"))
    data["minis"][key] = value
    out.write_text(json.dumps(data), encoding="utf-8")
    result = run("import", "geojson", out, "-o", again)
    assert (result.exit_code, result.stderr.count("\n"), again.exists()) == (2, 1, False)
    assert result.stderr.startswith(f"{out}: minis.{key}")


def flat(places: Any) -> list[Any]:
    """The places of a geometry's coordinates."""
    return [places] if isinstance(places[0], int | float) else [place for part in places for place in flat(part)]


def test_what_is_written_is_geojson_as_others_read_it(table: Path) -> None:
    """RFC 7946: rings close, the outer against the clock and holes with it, properties name kind and keys; no units."""
    data = json.loads(run("export", "geojson", "-g", table).stdout)
    assert (data["type"], data["minis"]["units"]) == ("FeatureCollection", "inches")
    hill = data["features"][0]
    assert hill["properties"] == {"id": "hill one", "kind": "hill", "level": 2, "slope": True}
    rings = hill["geometry"]["coordinates"]
    assert [each[0] == each[-1] for each in rings] == [True, True]
    assert [shapely.LinearRing(each).is_ccw for each in rings] == [True, False]
    assert "secret" not in json.dumps(data)


def test_degrees_need_a_place(table: Path) -> None:
    """A table that lies nowhere is not written in degrees."""
    table.write_text(SCENARIO.replace("[table.place]", "[switches]").replace("centre = [179.99, -45.5]", "")
                     .replace("bearing = 27", "").replace('scale = "1in=25m"', "")
                     .replace('credit = "© somebody"', "")
                     .replace("level_heights = [20, 40.5]", "").replace("exaggeration = 1.25", ""),
                     encoding="utf-8")  # fmt: skip
    result = run("export", "geojson", "-g", table, "--degrees")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "[table.place] is missing" in result.stderr


def test_inches_and_degrees_are_not_taken_for_one_another(table: Path) -> None:
    """The mark in the file says which it is; each reader refuses the other's."""
    out, again = table.with_name("board.geojson"), table.with_name("again.toml")
    run("export", "geojson", "-g", table, "-o", out)
    assert "is marked as table inches" in refused(out)
    run("export", "geojson", "-g", table, "--degrees", "-o", out, "--force")
    again.write_text('terrain_from = "board.geojson"\n[table]\nwidth = 60\ndepth = 40\n', encoding="utf-8")
    with pytest.raises(BadInput, match="is marked as 'degrees'"):
        read_board(again)


# --- raw XML ---------------------------------------------------------------------------------------------------------


def xml(folder: Path, text: str) -> Path:
    """An .osm file."""
    path = folder / "ground.osm"
    path.write_text(text, encoding="utf-8")
    return path


def nodes(**places: tuple[float, float]) -> str:
    """Nodes n1, n2 … at metres from the middle."""
    found = ((name[1:], at(*place)) for name, place in places.items())
    return "".join(f'<node id="{name}" lon="{lon}" lat="{lat}"/>' for name, (lon, lat) in found)


def way(name: int, refs: str, **tags: str) -> str:
    """A way over nodes."""
    inside = "".join(f'<nd ref="{ref}"/>' for ref in refs.split())
    return f'<way id="{name}">{inside}{tagged(**tags)}</way>'


def tagged(**tags: str) -> str:
    """Tags of an element."""
    return "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())


def test_raw_xml_of_openstreetmap(tmp_path: Path) -> None:
    """Closed ways are areas or lines by their tags, a multipolygon is joined from its ways with its hole."""
    text = nodes(n1=(0, 0), n2=(100, 0), n3=(100, 100), n4=(0, 100), n5=(25, 25), n6=(75, 25), n7=(75, 75), n8=(200, 0))
    text += way(1, "1 2 3") + way(2, "1 4 3") + way(3, "5 6 7 5") + way(4, "5 6 7 5", building="yes")
    text += way(5, "1 2 3 4 1", barrier="wall") + way(6, "3 8", highway="residential") + way(7, "1 99", barrier="hedge")
    text += way(10, "1 4 99 8", waterway="stream") + way(11, "1 2 3 1", highway="service", area="yes")
    members = '<member type="way" ref="1" role="outer"/><member type="way" ref="2" role="outer"/>'
    members += '<member type="way" ref="3" role="inner"/>'
    text += f'<relation id="8">{members}{tagged(type="multipolygon", natural="wood")}</relation>'
    text += '<relation id="9"><member type="way" ref="1" role="outer"/>' + tagged(type="multipolygon", natural="wood")
    text += "</relation>"
    board, report, head = lay(xml(tmp_path, f'<osm version="0.6" license="ODbL 1.0">{text}</osm>'))
    assert ids(board) == ["gully-10", "woods-r8", "road-6", "road-11", "building-4", "wall-5"]
    assert shape(board, "woods-r8").area == pytest.approx((10000 - 1250) / 625, rel=1e-3)
    assert "2 references to nodes or ways that are not in the file were passed over" in report["remarks"]
    assert "1 areas are not whole in the file and were left out" in report["remarks"]
    assert "# Data: ODbL 1.0" in head


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('<osm><node id="1" lat="60.5" lon="26.9"/><node id="2"', "1:42: this is not whole XML: unclosed token"),
        ('<!DOCTYPE osm [<!ENTITY a "aaaa">]><osm/>', "declares a document type"),
        ("<gpx/>", "begins with <gpx>"),
        ("<osm/>", "has nothing with tags"),
        ("", "is empty"),
        ("<osm>" + "<a>" * 100_000, "is nested too deeply"),
        ('<osm><node id="1" lat="nan" lon="26.9"/></osm>', "26.9, nan is no place"),
        (
            '<osm><node id="1" lat="north" lon="26.9"/></osm>',
            "expected a longitude and a latitude, not '26.9', 'north'",
        ),
        ('<osm><node id="1" lat="126.9" lon="60"/></osm>', "is it swapped"),
        ('<osm><node id="1" lat="60"/></osm>', "<node> has no lon"),
        ('<osm><way id="1"><nd/></way></osm>', "<nd> has no ref"),
        ('<osm><node id="1" lat="60" lon="200"/></osm>', "past the date line"),
    ],
)
def test_xml_that_is_none(text: str, why: str, tmp_path: Path) -> None:
    """One message with the line, and nothing is written."""
    said = refused(xml(tmp_path, text))
    assert why in said
    assert said.count("\n") == 1


# --- bad input -------------------------------------------------------------------------------------------------------

PLAIN = json.dumps(collection(HOUSE))
LAT, LON = HOUSE["geometry"]["coordinates"][0][0][1], HOUSE["geometry"]["coordinates"][0][0][0]


def with_place(place: object) -> str:
    """The house with another first corner."""
    return json.dumps(collection(area("way/1", [place, *square(0, 0, 25)[1:-1]], building="yes")))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("{", "this is not JSON"),
        (PLAIN[: len(PLAIN) // 2], "this is not JSON"),
        ("[1]", "is no FeatureCollection"),
        (json.dumps(HOUSE), "is no FeatureCollection"),
        ("[" * 100_000, "is nested too deeply"),
        (json.dumps(collection()), "has no features with a geometry"),
        (json.dumps(collection(3)), "features[0]: expected a feature"),
        (json.dumps(collection(HOUSE, crs=None)), "crs is null"),
        (json.dumps(collection(HOUSE, crs={"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::3067"}})),
         "is in the system urn:ogc:def:crs:EPSG::3067"),
        (with_place([math.nan, 60.5]), "is no place: expected finite numbers"),
        (with_place([26.9, math.inf]), "is no place: expected finite numbers"),
        (with_place([26.9, 60.5]).replace("60.5,", "1e999,").replace("60.5]", "1e999]"), "finite"),
        (with_place(["26.9", 60.5]), "of numbers, not ['26.9', 60.5]"),
        (with_place([True, 60.5]), "of numbers"),
        (with_place([26.9]), "expected a place [longitude, latitude]"),
        (with_place(None), "expected a place [longitude, latitude]"),
        (with_place([60.5, 126.9]), "is it swapped"),
        (with_place([190, 60.5]), "longitude 190 is beyond 180"),
        (with_place([500000, 6700000]), "is the file in metres"),
        (with_place([26.9, 90.5]), "latitude 90.5 is beyond 90"),
        (json.dumps(collection(feature("way/1", "Polygon", [], building="yes"))), "the rings of a polygon"),
        (json.dumps(collection(area("way/1", [[1, 2], [1, 2], [1, 2]], building="yes"))), "a ring has 3"),
        (json.dumps(collection(feature("way/1", "Curve", [[1, 2]], building="yes"))), "not 'Curve'"),
        (json.dumps(collection(feature("way/1", "LineString", [[1, 2]], barrier="wall"))), "a line has 2"),
        (json.dumps(collection({**HOUSE, "properties": [1]})), "expected properties"),
        (json.dumps(collection({**HOUSE, "geometry": 7})), "expected a geometry"),
        (json.dumps(collection({**HOUSE, "properties": {"kind": "wall"}})), "wall takes a line, not a Polygon"),
        (json.dumps(collection({**HOUSE, "properties": {"kind": "building", "storeys": 2.5}})), "a whole number"),
        (json.dumps(collection({**HOUSE, "properties": {"kind": "hill"}})), "a hill needs its level"),
        (json.dumps(collection({**HOUSE, "properties": {"landuse": "grass"}})), "nothing of it is terrain on"),
        (json.dumps(collection(area("way/1", square(9000, 0, 20), building="yes"))), "nothing of it lies on the table"),
    ],
)  # fmt: skip
def test_geojson_that_is_none(text: str, why: str, tmp_path: Path) -> None:
    """Each kind of bad file gets one message, exit status 2, and nothing is written."""
    path = tmp_path / "bad.geojson"
    path.write_text(text, encoding="utf-8")
    said = refused(path)
    assert why in said
    assert said.count("\n") == 1


def test_many_mistakes_are_told_and_the_rest_counted(tmp_path: Path) -> None:
    """Twenty mistakes of a file are told, and how many more there are."""
    said = refused(geojson(tmp_path, *[3] * 50)).splitlines()
    assert len(said) == 21
    assert said[-1].endswith("and 30 more mistakes")


def test_swapped_axes_are_told(tmp_path: Path) -> None:
    """Latitude first, in the file or in --centre, is told as what it is."""
    swapped = [[lat, lon] for lon, lat in square(0, 0, 25)]
    assert "are swapped" in refused(geojson(tmp_path, area("way/1", swapped, building="yes")))
    said = refused(geojson(tmp_path, HOUSE), "--scale", "1in=25m", f"--centre={MIDDLE[1]},{MIDDLE[0]}")
    assert "are swapped" in said


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "name the middle of the table; that of the file is 26.94383,60.52886"),
        (("--centre", "26.9,60.5"), "say what an inch of the table is on the ground"),
        (("--centre", "26.9,60.5", "--scale", "25"), "--scale: expected a scale"),
        (("--centre", "26.9,89", "--scale", "1in=25m"), "--centre: latitude 89 is too near a pole"),
        (("--centre", "26.9,60.5", "--scale", ""), "--scale: expected a scale"),
        (("--centre", "26.9,60.5", "--scale", "1in=25m", "--size", ""), "--size: expected a width and a depth"),
        (("--centre", "26.9,60.5", "--scale", "1in=25m", "--size", "0x40"), "--size: expected a width and a depth"),
        (("--centre", "26.9,60.5", "--scale", "1in=25m", "--size", "9999x40"), "--size: expected"),
        (("--centre", "26.9,60.5", "--scale", "1in=25m", "--bearing", "nan"), "--bearing: expected degrees"),
        (("--centre", "26.9,60.5", "--scale", "1in=25m", "--bearing", "400"), "--bearing: expected degrees"),
    ],
)
def test_options_that_are_wrong(options: tuple[str, ...], why: str, tmp_path: Path) -> None:
    """Each option that is missing or wrong is named with what was expected."""
    said = refused(geojson(tmp_path, HOUSE), *options or ("--size", "60x40"))
    assert why in said


def test_without_pyproj_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the extra is not installed the message names it."""
    monkeypatch.setitem(sys.modules, "pyproj", None)
    assert "it comes with minis[ground]" in refused(geojson(tmp_path, HOUSE))
