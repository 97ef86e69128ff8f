"""The rules' numbers: read from `tables/`, checked, overlaid by house rules, frozen."""

from minis.rules.load import examples_folder, load_rules, tables_folder
from minis.rules.model import DEFAULT_FIGURE_SCALE, FLAGS, Rules, Table

__all__ = ["DEFAULT_FIGURE_SCALE", "FLAGS", "Rules", "Table", "examples_folder", "load_rules", "tables_folder"]
