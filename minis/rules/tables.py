"""Every rule table by name, with the model of its rows; a table is the file `tables/NAME.toml`."""

from __future__ import annotations

from minis.rules.effect_rows import EFFECT_TABLES
from minis.rules.fire_rows import FIRE_TABLES
from minis.rules.game_rows import GAME_TABLES
from minis.rules.ground_rows import GROUND_TABLES
from minis.rules.lint_rows import LINT_TABLES
from minis.rules.plan_rows import PLAN_TABLES
from minis.rules.plan_weight_rows import PLAN_WEIGHT_TABLES
from minis.rules.rows import SIGHT_TABLES, Row

TABLES: dict[str, type[Row]] = (
    SIGHT_TABLES
    | FIRE_TABLES
    | EFFECT_TABLES
    | GAME_TABLES
    | PLAN_WEIGHT_TABLES
    | PLAN_TABLES
    | LINT_TABLES
    | GROUND_TABLES
)
