"""`minis export`: the table for other tools; each format has its own module."""

from __future__ import annotations

import click

from minis.cli.lazy import LazyGroup

COMMANDS = {
    "geojson": ("minis.cli.export_geojson", "export_geojson", "Terrain for QGIS and the like, in inches or degrees."),
    "uvtt": ("minis.cli.export_uvtt", "export_uvtt", "Walls for Foundry and the like, as a Universal VTT map."),
    "svg": ("minis.cli.export_svg", "export_svg", "Terrain as a drawing for Inkscape, a layer for each kind."),
}
"""Every command of the group: the module that holds it, its function there, and its line of help."""


@click.group("export", cls=LazyGroup, table=COMMANDS)
def export() -> None:
    """The table for other tools: its terrain, no units."""
