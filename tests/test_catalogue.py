"""The catalogue of vehicles and guns: every row is a type that a scenario may use, its figures on the rules' scales."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Literal

import pytest
from pydantic import Field

from minis.board.schema import Armour, TypeEntry
from minis.fire.guns import parse_gun
from minis.rules.load import load_rules, tables_folder
from minis.toml_file import Document, read_toml, validate

FOLDER = tables_folder() / "units"
FILES = {"german": "german.toml", "soviet": "soviet.toml", "us": "us.toml", "british": "british.toml"}
SCALE = {0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 26}
GUN = re.compile(r"[1-9]\d{1,2}(\*|L|LL| mortar)?|MG")
MIN_ROWS = 60
MIN_BASE_IN, MAX_BASE_IN = 0.5, 6.0


class CatalogueEntry(TypeEntry):
    """[[unit]] of the catalogue: a type with a name and a source; what the schema may default is said."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    label: Annotated[str, Field(min_length=1)]
    kind: Literal["vehicle", "gun"]
    base: tuple[float, float]
    nation: Annotated[str, Field(min_length=1)]
    rule: Annotated[str, Field(min_length=1)]
    source: Literal["house", "asl"]


@cache
def document(nation: str) -> Document:
    """The file of a nation as it was typed."""
    return read_toml(FOLDER / FILES[nation])


@cache
def entries() -> tuple[CatalogueEntry, ...]:
    """Every row of the four files that is valid."""
    rows = (validate(document(n), CatalogueEntry, row)[0] for n in FILES for row in document(n).data["unit"])
    return tuple(row for row in rows if row is not None)


def factors(armour: Armour) -> Iterator[int]:
    """Every armour factor of a vehicle."""
    for facing in (armour.hull, armour.turret):
        if facing is not None:
            yield from (facing.front, facing.side, facing.rear)
    if armour.aerial is not None:
        yield armour.aerial


@pytest.mark.parametrize("nation", FILES)
def test_every_row_is_a_valid_type(nation: str) -> None:
    """Every row of a file passes the strict model, and the file holds a title and rows of its own nation alone."""
    read = document(nation)
    found = [
        mistake
        for index, row in enumerate(read.data["unit"])
        for mistake in validate(read, CatalogueEntry, row, at=("unit", index), id=str(row.get("id")))[1]
    ]
    assert found == []
    assert set(read.data) == {"title", "unit"}
    assert {row["nation"] for row in read.data["unit"]} == {nation}
    assert read.text.startswith("# ")


def test_the_files_of_the_folder_are_the_four() -> None:
    """No file of the catalogue goes unread by these tests."""
    assert {path.name for path in FOLDER.iterdir()} == set(FILES.values())


def test_the_catalogue_is_large_enough() -> None:
    """There are at least sixty rows, and each of the four nations has vehicles and guns."""
    assert len(entries()) >= MIN_ROWS
    assert {(row.nation, row.kind) for row in entries()} == {(n, k) for n in FILES for k in ("vehicle", "gun")}


def test_ids_and_labels_are_unique() -> None:
    """An id or a label stands once in all four files together."""
    for key in ("id", "label"):
        counts = Counter(str(getattr(row, key)) for row in entries())
        assert [name for name, count in counts.items() if count > 1] == []


def test_sizes_and_nations_are_rows_of_the_tables() -> None:
    """Every size and every nation is one that the rules know."""
    rules = load_rules()
    assert {row.size for row in entries()} <= set(rules.sizes)
    assert {row.nation for row in entries()} <= set(rules.nations)


def test_armour_factors_are_on_the_scale() -> None:
    """Every armour factor is one of the eleven of the scale."""
    wrong = {row.id: list(factors(row.armour)) for row in entries() if row.armour and set(factors(row.armour)) - SCALE}
    assert wrong == {}


def test_the_rear_is_the_side() -> None:
    """A shot at the rear meets the armour of the side: Case A of To Kill makes the difference."""
    for row in entries():
        for facing in (row.armour.hull, row.armour.turret) if row.armour else ():
            assert facing is None or facing.rear == facing.side, row.id


def test_armour_is_what_makes_a_vehicle_armoured() -> None:
    """Every armoured row is a vehicle with armour for hull and top, and no other row has any."""
    for row in entries():
        assert row.armoured == (row.armour is not None), row.id
        assert row.armour is None or (row.kind == "vehicle" and row.armour.aerial is not None), row.id


def test_every_gun_has_one_weapon() -> None:
    """A row of kind gun is one piece; a vehicle's weapons have ids of their own."""
    for row in entries():
        assert row.kind == "vehicle" or len(row.weapons) == 1, row.id
        assert len({weapon.id for weapon in row.weapons}) == len(row.weapons), row.id


def test_what_is_armed_says_its_mount() -> None:
    """A row has a mount when, and only when, it has a weapon."""
    assert [row.id for row in entries() if bool(row.weapons) != (row.mount is not None)] == []


def test_guns_have_names_that_the_fire_rules_read() -> None:
    """Every gun text has a known form, and means the same to the fire rules."""
    for row in entries():
        for weapon in row.weapons:
            assert GUN.fullmatch(weapon.gun), f"{row.id}: {weapon.gun}"
            kind = "mortar" if "mortar" in weapon.gun else "mg" if weapon.gun == "MG" else "gun"
            assert parse_gun(weapon.gun).kind == kind, f"{row.id}: {weapon.gun}"


def test_ammunition_fits_the_gun() -> None:
    """Every gun has ammunition, each kind once; a mortar has HE, no more than SMOKE beside it, and a range."""
    for row in entries():
        for weapon in row.weapons:
            assert bool(weapon.ammo) == (weapon.gun != "MG"), row.id
            assert len(set(weapon.ammo)) == len(weapon.ammo), row.id
            if "mortar" in weapon.gun:
                assert "HE" in weapon.ammo, row.id
                assert set(weapon.ammo) <= {"HE", "SMOKE"}, row.id
                assert weapon.range, row.id


def test_bases_are_of_the_figures_size() -> None:
    """No base is smaller or larger than a figure at 1/76 can be; a vehicle is longer than wide."""
    for row in entries():
        assert all(MIN_BASE_IN <= side <= MAX_BASE_IN for side in row.base), f"{row.id}: {row.base}"
        assert row.kind == "gun" or row.base[0] > row.base[1], f"{row.id}: {row.base}"


@pytest.mark.parametrize(
    ("name", "gun", "front", "side", "turret"),
    [
        ("panzer-iv-h", "75L", 8, 3, 6),
        ("tiger-i", "88L", 11, 8, 11),
        ("panther-g", "75LL", 14, 6, 14),
        ("m4-sherman", "75", 8, 4, 11),
        ("sherman-vc-firefly", "76LL", 8, 4, 11),
        ("t-34-m43", "76L", 11, 6, 8),
        ("is-2", "122L", 18, 11, 14),
    ],
)
def test_figures_that_players_know(name: str, gun: str, front: int, side: int, turret: int) -> None:
    """Guns and armour that every player looks up first have not slipped."""
    [row] = [row for row in entries() if row.id == name]
    assert row.armour is not None
    assert row.armour.turret is not None
    assert (row.weapons[0].gun, row.armour.hull.front, row.armour.hull.side) == (gun, front, side)
    assert row.armour.turret.front == turret
