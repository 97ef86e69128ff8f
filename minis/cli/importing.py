"""`minis import`: a table from real ground or from another tool's map; each format has its own module."""

from __future__ import annotations

import click

from minis.cli.lazy import LazyGroup

COMMANDS = {
    "geojson": (
        "minis.cli.import_geojson",
        "import_geojson",
        "Houses, woods, roads … of OpenStreetMap: GeoJSON, .osm.",
    ),
    "dem": ("minis.cli.import_dem", "import_dem", "Hills from real heights: ESRI ASCII, .hgt, .npz, GeoTIFF."),
    "uvtt": ("minis.cli.import_uvtt", "import_uvtt", "Walls of a Universal VTT map: .dd2vtt, .df2vtt, .uvtt."),
    "svg": ("minis.cli.import_svg", "import_svg", "Layers of a drawing, as Inkscape writes it."),
    "photo": ("minis.cli.import_photo", "import_photo", "A picture under the map, by four corner marks."),
}
"""Every command of the group: the module that holds it, its function there, and its line of help."""


@click.group("import", cls=LazyGroup, table=COMMANDS)
def import_() -> None:
    """A table from real ground or from another tool's map: a scenario file, and a report of what was done.

    What was repaired, dropped, left out or not understood is listed. The file is written whole or not at all.
    """
