"""What may be written in a scenario file: one strict model a table of the file; also the JSON Schema of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from minis.rules.model import DEFAULT_FIGURE_SCALE, FLAGS

REACH_IN = 2000.0
"""Coordinates lie within this of the origin, in inches: beyond it the grid would not be exact (S5.4)."""

Coordinate = Annotated[float, Field(ge=-REACH_IN, le=REACH_IN, allow_inf_nan=False)]
Size = Annotated[float, Field(gt=0, le=REACH_IN, allow_inf_nan=False)]
Scale = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]
BaseSide = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
Place = Annotated[tuple[Coordinate, Coordinate], Field(description="x (east) and y (north) in inches")]
Bearing = Annotated[float, Field(ge=-360, le=720, allow_inf_nan=False, description="degrees clockwise from north")]
PLAIN = r"^[^\s\x00-\x1f\x7f]([^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f])?$"
"""A text without control characters and without blanks at its ends."""

Id = Annotated[str, Field(min_length=1, max_length=80, pattern=PLAIN)]
Thickness = Annotated[int, Field(ge=0, le=60)]


class Entry(BaseModel):
    """A table of the file: unknown keys and wrong types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlaceEntry(Entry):
    """[table.place]: where the table lies on the earth; an import of real ground writes it."""

    centre: Annotated[
        tuple[
            Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)],
            Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)],
        ],
        Field(description="longitude and latitude of the middle of the table, degrees, WGS84"),
    ]
    bearing: Annotated[
        float, Field(ge=-360, le=360, allow_inf_nan=False, description="true bearing of the table's y, degrees")
    ] = 0.0
    scale: Annotated[str, Field(description="ground for an inch of the table: 1in=25m, 1cm=10m, 1:1000")]
    level_heights: Annotated[
        list[Annotated[float, Field(ge=-12000, le=9000, allow_inf_nan=False)]],
        Field(
            max_length=60, description="heights in metres at which levels 1, 2, 3 … begin, where they come from heights"
        ),
    ] = []
    exaggeration: (
        Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False, description="how much steeper the table is")] | None
    ) = None
    credit: Annotated[
        str, Field(max_length=200, pattern=PLAIN, description="what has to be said of the data; pictures say it too")
    ] = ""


class TableEntry(Entry):
    """[table]: the playing surface, its origin the south-west corner."""

    width: Annotated[Size, Field(description="inches, x, east")]
    depth: Annotated[Size, Field(description="inches, y, north")]
    figure_scale: Annotated[str, Field(description="scale of the figures (S9.2), a row of figure-scales")] = (
        DEFAULT_FIGURE_SCALE
    )
    inches_per_hex: Annotated[Scale, Field(description="left out: that of the table fire (F1.1)")] | None = None
    inches_per_mp: Annotated[Scale, Field(description="left out: that of the table fire (F1.1)")] | None = None
    place: PlaceEntry | None = None


Pixel = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]


class BackdropEntry(Entry):
    """[backdrop]: a picture under the map, for the eye alone; `minis import photo` writes it."""

    file: Annotated[str, Field(min_length=1, max_length=1000, pattern=PLAIN, description="a PNG or JPEG")]
    corners: Annotated[
        list[Place],
        Field(min_length=4, max_length=4, description="where its marks lie on the table, the lower left first"),
    ]
    marks: (
        Annotated[
            list[Annotated[tuple[Pixel, Pixel], Field(description="pixels from the upper left corner of the picture")]],
            Field(min_length=4, max_length=4, description="left out: the corners of the picture"),
        ]
        | None
    ) = None


class CircleEntry(Entry):
    """A circle: centre and radius in inches."""

    centre: Place
    radius: Size


class TerrainEntry(Entry):
    """[[terrain]]: a piece of terrain."""

    id: Id
    kind: Annotated[str, Field(description="a row of the table terrain")]
    level: Annotated[int, Field(ge=0, le=60, description="hills and ridges")] | None = None
    box: (
        Annotated[tuple[Coordinate, Coordinate, Coordinate, Coordinate], Field(description="x0, y0, x1, y1")] | None
    ) = None
    outline: Annotated[list[Place], Field(min_length=3)] | None = None
    holes: list[Annotated[list[Place], Field(min_length=3)]] | None = None
    circle: CircleEntry | None = None
    line: Annotated[list[Place], Field(min_length=2)] | None = None
    storeys: Annotated[int, Field(ge=1, le=60, description="buildings")] | None = None
    base: Annotated[int, Field(ge=0, le=60, description="level of the ground it stands on")] | None = None
    material: Annotated[Literal["wooden", "stone"], Field(description="buildings and rubble: their TEM")] | None = None
    slope: Annotated[bool, Field(description="hills: no shadow for a viewer on it (S7.5)")] | None = None


class SmokeEntry(Entry):
    """[[smoke]]: a cloud."""

    id: Id
    circle: CircleEntry | None = None
    box: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | None = None
    outline: Annotated[list[Place], Field(min_length=3)] | None = None
    by: Annotated[str, Field(description="the unit whose own smoke it is (S8.3)")] | None = None
    until_turn: Annotated[int, Field(ge=0, description="kept for a game with turns; here the cloud stands")] | None = (
        None
    )


class ZoneEntry(Entry):
    """[[zone]]: an area in which a side may set up (for `minis plan`)."""

    id: Id
    side: Annotated[str, Field(description="left out: any side")] | None = None
    circle: CircleEntry | None = None
    box: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | None = None
    outline: Annotated[list[Place], Field(min_length=3)] | None = None


class LaneEntry(Entry):
    """[[lane]]: a way by which units of a side may come (for `minis plan`)."""

    id: Id
    line: Annotated[list[Place], Field(min_length=2, description="from where it begins to where it ends")]
    side: Annotated[str, Field(description="left out: any side")] | None = None
    width: Annotated[float, Field(ge=0, le=REACH_IN, allow_inf_nan=False, description="inches; 0: single file")] = 0.0
    area: (
        Annotated[
            list[Place],
            Field(min_length=3, description="instead of a width: the ground around the line over which they come"),
        ]
        | None
    ) = None


class Facing(Entry):
    """Armour factors of one part of a vehicle."""

    front: Thickness
    side: Thickness
    rear: Thickness


class Armour(Entry):
    """Armour factors of hull, turret and top."""

    hull: Facing
    turret: Facing | None = None
    aerial: Thickness | None = None


class Weapon(Entry):
    """One weapon of a unit."""

    id: Id
    gun: Annotated[str, Field(min_length=1, description="such as 75L, 37, 57LL, 76*, 81 mortar")]
    ammo: list[Literal["AP", "HE", "APCR", "APDS", "HEAT", "SMOKE"]] = []
    rof: Annotated[int, Field(ge=0, le=6, description="left out: that of the table fire")] | None = None
    breakdown: Annotated[int, Field(ge=2, le=13, description="left out: that of the table fire")] | None = None
    range: Annotated[int, Field(ge=0, description="hexes")] | None = None
    th: Literal["black", "red"] | None = None
    bow: bool = False


class TypeEntry(Entry):
    """[types.NAME]: unit data that several units share; a unit's own keys win."""

    kind: Literal["vehicle", "gun", "infantry"] | None = None
    armoured: bool = False
    size: Annotated[str, Field(description="a row of the table sizes")] = "average"
    base: Annotated[
        tuple[BaseSide, BaseSide] | Literal[0] | None,
        Field(description="length along the facing and width in inches; 0 is a point"),
    ] = None
    mount: Literal["T", "ST", "NT", "RST", "1MT"] | None = None
    closed_top: bool = True
    nation: str | None = None
    armour: Armour | None = None
    weapons: list[Weapon] = []
    radio: Annotated[bool, Field(description="kept for a game with hidden units (S12.4)")] = True
    spotter: bool = False


class UnitEntry(TypeEntry):
    """[[unit]]: a unit, a token, a hidden unit or a dummy."""

    id: Id
    side: Annotated[str, Field(min_length=1, max_length=40, pattern=PLAIN)]
    type: str | None = None
    at: Annotated[Place, Field(description="centre of the base, inches")]
    facing: Bearing = 0.0
    turret: Bearing | None = None
    storey: (
        Annotated[int, Field(ge=0, le=60, description="where it stands in a building; 0 is the ground floor")] | None
    ) = None
    roof: bool = False
    sighted_by: list[str] = []
    hidden: bool = False
    token: Id | None = None
    dummy: bool = False
    wreck: bool = False
    tow: str | None = None
    carries: list[str] = []
    moved: bool = False
    fired: bool = False
    buttoned_up: bool = False
    motion: bool = False
    pinned: bool = False
    stabilized: bool = False
    captured: bool = False
    nonqualified: bool = False
    overstacked: bool = False
    encircled: bool = False
    cx: bool = False
    spotted: bool = False
    blinded: bool = False
    dashing: bool = False
    nonassault: bool = False
    hazardous: bool = False
    in_open: bool = False
    motorcyclist: bool = False
    cavalry: bool = False
    stun: Annotated[int, Field(ge=0, le=9)] = 0
    leadership: Annotated[int, Field(ge=-9, le=9)] = 0
    extra_squads: Annotated[int, Field(ge=0, le=9)] = 0

    @property
    def flags(self) -> frozenset[str]:
        """The facts of this turn that are true of the unit."""
        return frozenset(flag for flag in FLAGS if getattr(self, flag))


class HeadEntry(Entry):
    """The keys above the first table of the file."""

    title: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")] | None = None
    tables: (
        Annotated[
            str,
            Field(min_length=1, max_length=1000, pattern=PLAIN, description="a folder of house rules"),
        ]
        | None
    ) = None
    terrain_from: (
        Annotated[
            str,
            Field(min_length=1, max_length=1000, pattern=PLAIN, description="GeoJSON of terrain in inches"),
        ]
        | None
    ) = None


class ScenarioFile(HeadEntry):
    """A scenario file as a whole."""

    table: TableEntry
    backdrop: BackdropEntry | None = None
    switches: dict[str, str | float] = {}
    terrain: list[TerrainEntry] = []
    smoke: list[SmokeEntry] = []
    zone: list[ZoneEntry] = []
    lane: list[LaneEntry] = []
    types: dict[str, TypeEntry] = {}
    unit: list[UnitEntry] = []


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file, for editors that complete and check while one types."""
    schema = ScenarioFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "minis scenario"}
