"""The judge's tool for a WW2 miniatures table: lines of sight, sighting rolls, and the reasons."""

__version__ = "0.1.0"
