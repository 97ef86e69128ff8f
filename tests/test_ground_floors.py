"""The floors that all others stand on: lengths, odds, dice, tallies, places in a file; and the docstrings' examples."""

from __future__ import annotations

import doctest
import importlib
import itertools
import json
import pkgutil
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import tomli
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minis
from minis.dice import Roll, parse_d100, throw, typed
from minis.errors import BadInput, MinisError, Mistake, bad
from minis.lengths import GRID, format_length, format_number, parse_length, to_grid, to_inches
from minis.odds import D100, at_least, at_most, over_dice, sum_of_dice, whole_need
from minis.tally import Item, Tally
from minis.toml_file import PathKey, parse_toml, path_text, scan

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(minis.__path__, "minis.") if module.name != "minis.__main__"
)


@pytest.mark.parametrize("name", MODULES)
def test_every_example_in_a_docstring_holds(name: str) -> None:
    """What a docstring shows is what the function does."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_ground_floors_have_examples() -> None:
    """The public functions of the first floors show an example that runs."""
    for name in ("errors", "lengths", "odds", "dice", "tally"):
        assert doctest.testmod(importlib.import_module(f"minis.{name}")).attempted > 0


def read(parse: Callable[[str], float], text: str) -> float | str:
    """What a text is read as, or the message that refuses it."""
    try:
        return parse(text)
    except BadInput as error:
        return str(error)


# --- lengths ---------------------------------------------------------------------------------------------------------


@given(st.integers(-16 * 2000, 16 * 2000))
def test_a_tape_reads_what_it_prints(sixteenths: int) -> None:
    """Every 16th of an inch is printed as a fraction and read back as itself."""
    value = sixteenths / 16
    for text in (format_length(value), format_number(value), f"  {format_number(value)} in"):
        assert parse_length(text) == value
    assert "." not in format_length(value)


@given(st.floats(-2000, 2000, allow_nan=False))
def test_any_length_is_printed_to_a_hundredth(value: float) -> None:
    """What is between the 16ths is printed to two decimals and read back within half of the last."""
    assert abs(parse_length(format_length(value)) - value) <= 0.005 + 1e-9


@given(st.integers(-2000 * 64, 2000 * 64), st.integers(-2_000_000, 2_000_000))
def test_decimals_and_64ths_lie_on_the_grid(sixtyfourths: int, thousandths: int) -> None:
    """Every 64th and every 0.001 inch is a whole number of steps (S5.4), and comes back as itself."""
    assert to_grid(sixtyfourths / 64) * 64 == sixtyfourths * GRID
    assert to_grid(thousandths / 1000) * 1000 == thousandths * GRID
    assert to_inches(to_grid(sixtyfourths / 64)) == sixtyfourths / 64


@given(st.integers(0, 999), st.integers(0, 99), st.integers(1, 64), st.sampled_from([" ", "-", " - "]))
def test_fractions_as_they_are_typed(whole: int, n: int, d: int, between: str) -> None:
    """12 1/4 and 12-1/4 are twelve and a quarter, whatever the fraction."""
    assert parse_length(f"{whole}{between}{n}/{d}") == float(whole + Fraction(n, d))
    assert parse_length(f"-{whole}{between}{n}/{d}") == -float(whole + Fraction(n, d))
    assert parse_length(f"{n}/{d}") == n / d


@given(st.text(max_size=12))
def test_any_text_is_a_length_or_bad_input(text: str) -> None:
    """Nothing that can be typed raises anything but BadInput; a length is a finite number."""
    value = read(parse_length, text)
    assert "expected a length" in value if isinstance(value, str) else abs(value) < 1e13


@pytest.mark.parametrize("text", ["9" * 400, "9" * 5000, "1/" + "9" * 5000, "9" * 5000 + "/3", "0." + "0" * 5000 + "1"])
def test_an_endless_number_is_a_length_or_bad_input(text: str) -> None:
    """A cat on the keyboard is refused like a word."""
    value = read(parse_length, text)
    assert not isinstance(value, str) or len(value) < 400


# --- odds, beside a twin that counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("need", range(-5, 110))
def test_chances_of_one_roll_are_counted(need: int) -> None:
    """At least and at most a number, counted over the hundred faces."""
    faces = range(1, D100 + 1)
    assert at_least(need) == Fraction(sum(face >= need for face in faces), D100)
    assert at_most(need) == Fraction(sum(face <= need for face in faces), D100)
    assert at_least(need) + at_most(need - 1) == 1


@pytest.mark.parametrize("count", [0, 1, 2])
def test_sums_of_dice_are_counted(count: int) -> None:
    """The distribution of a sum, counted over every throw."""
    throws = itertools.product(range(1, D100 + 1), repeat=count)
    counted = Counter(sum(faces) for faces in throws)
    assert sum_of_dice(count) == {total: Fraction(ways, D100**count) for total, ways in counted.items()}
    assert sum(sum_of_dice(count).values()) == 1


@pytest.mark.parametrize("distance", [1, 30, 60, 99, 100])
@pytest.mark.parametrize("halves", [1, 2])
def test_the_chance_through_smoke_is_counted(distance: int, halves: int) -> None:
    """Smoke and sighting die, every pair counted (S8.6): 60" is 8.20 %, through half smoke 16.40 %."""
    share = Fraction(1, halves)
    counted = sum(face >= distance + share * smoke for smoke in range(1, D100 + 1) for face in range(1, D100 + 1))
    found = over_dice(1, lambda smoke: at_least(whole_need(float(distance + share * smoke))))
    assert found == Fraction(counted, D100**2)
    if distance == 60:
        assert found == {1: Fraction(820, 10_000), 2: Fraction(1640, 10_000)}[halves]


@given(st.fractions(-10, 250, max_denominator=8000))
def test_the_need_is_the_lowest_roll_that_suffices(total: Fraction) -> None:
    """A whole number that is not below the total, and the next lower one is (S1.3)."""
    need = whole_need(float(total))
    assert need >= total - Fraction(1, 10**6)
    assert need - 1 < total


@given(st.integers(-10, 200), st.floats(-9e-7, 9e-7))
def test_noise_costs_no_point(whole: int, noise: float) -> None:
    """A total within a millionth of a whole number is that number (S1.3)."""
    assert whole_need(whole + noise) == whole


# --- dice, tallies, errors -------------------------------------------------------------------------------------------


def test_every_face_can_be_typed() -> None:
    """1 to 100 as they are, below ten with a nought too, and 00 for 100 (S1)."""
    assert [parse_d100(str(face)) for face in range(1, D100 + 1)] == list(range(1, D100 + 1))
    assert [parse_d100(f"{face:02}") for face in range(1, D100)] == list(range(1, D100))
    assert parse_d100("00") == D100


@given(st.text(max_size=6))
def test_any_other_text_is_no_roll(text: str) -> None:
    """Whatever is typed is a face of 1 to 100 or bad input."""
    value = read(parse_d100, text)
    assert "1 to 100" in value if isinstance(value, str) else 1 <= value <= D100


def test_throws_reach_every_face() -> None:
    """Of many throws none is outside 1 to 100, and both ends come up."""
    faces = {throw("sighting").face for _ in range(5000)}
    assert min(faces) == 1
    assert max(faces) == D100
    assert throw("smoke").how == "thrown"
    assert typed("smoke", 7) == Roll("smoke", 7, "typed")


def test_a_tally_is_the_sum_of_its_items() -> None:
    """plus gives a new tally; the old one stays."""
    first = Tally((Item(43.5, "distance", "S1.3", "seed"),))
    second = first.plus(Item(15, "sighter moved", "S3", "house"), Item(-10, "target moved", "S3", "house"))
    assert (first.total, second.total, len(list(second))) == (43.5, 48.5, 3)
    assert Tally().total == 0


def test_bad_input_holds_all_its_mistakes() -> None:
    """One line a mistake, in order, and each can be asked for."""
    error = BadInput([Mistake("first", file="a"), Mistake("second", file="b", line=2)])
    assert isinstance(error, MinisError)
    assert isinstance(error, ValueError)
    assert str(error) == "a: first\nb:2: second"
    assert [mistake.message for mistake in error.mistakes] == ["first", "second"]
    assert str(bad("x", file="--dice")) == "--dice: x"


# --- where things stand in a file ------------------------------------------------------------------------------------

PLAIN = "abcXYZ019_-"
KEYS = st.one_of(
    st.text(PLAIN, min_size=1, max_size=5),
    st.text(PLAIN + ".#[]={}, äλ'", min_size=1, max_size=5).filter(lambda key: key == key.strip("'\"")),
)
TEXTS = st.text("ab[]{}#=,.'\"\\ \n\täλ", max_size=8)
SCALARS = st.one_of(st.integers(-999, 999), st.booleans(), st.floats(-9, 9), TEXTS)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(
    KEYS, st.one_of(VALUES, st.lists(st.dictionaries(KEYS, VALUES, max_size=3), min_size=1, max_size=3)), max_size=5
)


class Writer:
    """Writes a document as TOML in many hands, and notes at which offset each key and item begins."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.text = ""
        self.offsets: dict[PathKey, int] = {}

    def pick(self, *choices: str) -> str:
        """One of several ways to write the same."""
        return self.draw(st.sampled_from(choices))

    def key(self, name: str) -> str:
        """A key, bare or in quotes."""
        quoted = json.dumps(name, ensure_ascii=False)
        ways = [quoted]
        if "'" not in name:
            ways.append(f"'{name}'")
        if name and all(c in PLAIN for c in name):
            ways.append(name)
        return self.pick(*ways)

    def scalar(self, value: Any) -> str:
        """A value that holds no other."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if not isinstance(value, str):
            return repr(value)
        ways = [json.dumps(value, ensure_ascii=False)]
        if "'" not in value and "\n" not in value and "\\" not in value:
            ways.append(f"'{value}'")
        if '"' not in value and "\\" not in value:
            ways.append('"""\n' + value + '"""')
        if "'" not in value:
            ways.append("'''\n" + value + "'''")
        return self.pick(*ways)

    def gap(self) -> None:
        """Blank lines and comments that look like something else."""
        self.text += self.pick("", "", "\n", "# [x] = 'y' ]]\n", "  \t\n", '   # """\n')

    def value(self, path: PathKey, value: Any) -> None:
        """A value where it stands; lists over several lines, dictionaries inline."""
        if isinstance(value, list):
            self.text += "["
            for index, item in enumerate(value):
                self.text += self.pick("", " ", "\n  ", " # ], nan\n")
                self.offsets[(*path, index)] = len(self.text)
                self.value((*path, index), item)
                self.text += self.pick("", " ") + ("," if index < len(value) - 1 else self.pick("", ",", "\n"))
            self.text += self.pick("", " ", "\n") + "]"
        elif isinstance(value, dict):
            self.text += "{" + self.pick("", " ")
            for index, (name, item) in enumerate(value.items()):
                self.text += ", " if index else ""
                self.pair(path, name, item)
            self.text += self.pick("", " ") + "}"
        else:
            self.text += self.scalar(value)

    def pair(self, path: PathKey, name: str, value: Any) -> None:
        """key = value."""
        self.offsets[(*path, name)] = len(self.text)
        self.text += self.key(name) + self.pick(" = ", "=", "\t=  ")
        self.value((*path, name), value)

    def table(self, path: PathKey, names: list[str], data: dict[str, Any]) -> None:
        """The pairs of a table first, then the tables under it, each with its header."""
        later = []
        for name, value in data.items():
            whole = isinstance(value, dict) or (
                isinstance(value, list) and value and all(isinstance(item, dict) for item in value)
            )
            if whole and self.draw(st.booleans()):
                later.append((name, value))
                continue
            self.gap()
            self.text += self.pick("", "  ", "\t")
            self.pair(path, name, value)
            self.text += self.pick("\n", " # = [\n")
        for name, value in later:
            for index, item in enumerate(value if isinstance(value, list) else [value]):
                self.gap()
                inner = (*path, name, index) if isinstance(value, list) else (*path, name)
                opening, closing = ("[[", "]]") if isinstance(value, list) else ("[", "]")
                self.text += self.pick("", " ")
                self.offsets[inner] = len(self.text)
                head = self.pick(".", " . ").join(self.key(word) for word in [*names, name])
                self.text += f"{opening}{head}{closing}" + self.pick("\n", " # ]\n")
                self.table(inner, [*names, name], item)


@st.composite
def written(draw: st.DrawFn) -> tuple[dict[str, Any], Writer]:
    """A document and how somebody wrote it."""
    document = draw(DOCUMENTS)
    writer = Writer(draw)
    writer.table((), [], document)
    return document, writer


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(written())
def test_every_key_is_found_where_it_stands(found: tuple[dict[str, Any], Writer]) -> None:
    """Line and column of every table, key and item of a file, however it is written."""
    document, writer = found
    assert tomli.loads(writer.text) == document
    places = scan(writer.text)
    for path, offset in writer.offsets.items():
        line = writer.text.count("\n", 0, offset) + 1
        column = offset - (writer.text.rfind("\n", 0, offset) + 1) + 1
        assert places.get(path) == (line, column), (path, writer.text)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('"a\\u0062c" = 1\n', ("abc",)),
        ('"say \\"hi\\"" = 1\n', ('say "hi"',)),
        ("'\"' = 1\n", ('"',)),
        ("\"'a'\" = 1\n", ("'a'",)),
        ('"" = 1\n', ("",)),
        ('["a\\tb"]\nc = 1\n', ("a\tb", "c")),
    ],
)
def test_keys_that_are_written_with_escapes_are_found(text: str, path: PathKey) -> None:
    """A key stands in the list under its name, not under the way it was typed."""
    assert path in scan(text), scan(text)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a.b.c = 1\n", {("a", "b", "c"): (1, 1)}),
        ("[a]\nb.c = 1\n", {("a",): (1, 1), ("a", "b", "c"): (2, 1)}),
        ("[[a]]\n[[a]]\nb = 1\n", {("a", 0): (1, 1), ("a", 1): (2, 1), ("a", 1, "b"): (3, 1)}),
        ("[[a]]\n[a.b]\nc = 1\n[[a]]\n[a.b]\nc = 2\n", {("a", 0, "b", "c"): (3, 1), ("a", 1, "b", "c"): (6, 1)}),
        ("[[a.b]]\nc = [[1, 2], [3]]\n", {("a", "b", 0, "c", 1, 0): (2, 15)}),
        ("a = [{ b = 1 }, { b = [2, 3] }]\n", {("a", 1, "b", 1): (1, 27)}),
        ("a = 1979-05-27 07:32:00\nb = 07:32:00\nc = 1\n", {("c",): (3, 1)}),
        ('a = """x""""\nb = 1\n', {("b",): (2, 1)}),
        ("a = '''x''''\nb = 1\n", {("b",): (2, 1)}),
        ('a = ""\nb = 1\n', {("b",): (2, 1)}),
        ('a = """\\\n   x"""\nb = 1\n', {("b",): (3, 1)}),
        ("a = [\n]\nb = 1", {("b",): (3, 1)}),
        ("", {}),
        ("# only a comment", {}),
    ],
)  # fmt: skip
def test_places_of_the_corners_of_the_grammar(text: str, places: dict[PathKey, tuple[int, int]]) -> None:
    """Dotted keys, tables in arrays of tables, dates, quotes at the end of long texts."""
    tomli.loads(text)
    found = scan(text)
    for path, place in places.items():
        assert found[path] == place, path


def test_a_mistake_is_placed_at_the_nearest_thing_typed() -> None:
    """A path that is not in the file is told at its last part that is."""
    document = parse_toml("[table]\nwidth = 60\n", "s.toml")
    assert str(document.mistake(("table", "depth"), "is missing")) == "s.toml:1:1: table.depth: is missing"
    assert str(document.mistake(("unit", 3), "is missing", id="T1")) == "s.toml: unit[3] (T1): is missing"


def test_a_path_reads_as_it_would_be_typed() -> None:
    """terrain[3].outline[0]."""
    assert path_text(("terrain", 3, "outline", 0)) == "terrain[3].outline[0]"
    assert path_text(()) == ""
