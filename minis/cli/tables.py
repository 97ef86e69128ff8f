"""`minis tables`: every number of the rules with its unit, rule and source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from minis.cli.options import json_option, print_json
from minis.errors import bad

WIDE = 400
"""Columns where nobody looks on a terminal: nothing is folded."""


@click.command()
@click.argument("name", required=False)
@click.option(
    "--house", "invented", is_flag=True, default=False, help="Only numbers that the printed rules do not give."
)
@click.option(
    "--tables", "house", type=click.Path(path_type=Path), metavar="DIR", help="House rules laid over the tables."
)
@json_option
def tables(name: str | None, invented: bool, house: Path | None, as_json: bool) -> None:
    """The rule tables: all their names, or the table NAME, or with --house every invented number."""
    from minis.rules import load_rules
    from minis.toml_file import nearest_of

    rules = load_rules(house)
    if name == "units":
        _units(house, as_json)
        return
    if name is not None and name not in rules.tables:
        raise bad(f"there is no table {name!r}; {nearest_of(name, [*rules.tables, 'units'])}")
    chosen = [rules.tables[name]] if name else list(rules.tables.values())
    rows = [
        {
            "table": table.name,
            **row.model_dump(mode="json", exclude_none=True),
            **({"overlay": row.overlay} if row.overlay else {}),
        }
        for table in chosen
        for row in table.rows
        if not invented or row.source == "house" or row.overlay
    ]
    if as_json:
        print_json({"tables": [{"name": t.name, "title": t.title, "rows": len(t.rows)} for t in chosen], "rows": rows})
    elif name is None and not invented:
        width = max(len(table.name) for table in chosen)
        lines = [f"{table.name:<{width}}  {len(table.rows):>3} rows  {table.title}" for table in chosen]
        lines += [f"{'units':<{width}}           Catalogue of vehicles and guns"]
        click.echo("\n".join([*lines, "", "minis tables NAME prints one, minis tables --house every invented number."]))
    else:
        for table in chosen:
            own = [row for row in rows if row["table"] == table.name]
            if own:
                _print(table.title, own)
        if invented and name is None:
            from minis.board.catalogue import catalogue

            entries = catalogue(house).values()
            count = sum(entry.source == "house" for entry in entries)
            click.echo(f"And {count} of the {len(entries)} vehicles and guns of the catalogue: minis tables units.")


def _units(house: Path | None, as_json: bool) -> None:
    """The catalogue of vehicles and guns, by the names a scenario gives as `type`."""
    from minis.board.catalogue import catalogue

    entries = catalogue(house)
    if as_json:
        print_json({"units": [entry.model_dump(mode="json", exclude_unset=True) for entry in entries.values()]})
        return
    rows = []
    for entry in entries.values():
        armour = entry.armour
        rows.append(
            {
                "label": entry.label,
                "type": entry.id,
                "nation": entry.nation,
                "size": entry.size,
                "gun": ", ".join(weapon.gun for weapon in entry.weapons),
                "mount": entry.mount,
                "hull": f"{armour.hull.front}/{armour.hull.side}" if armour else None,
                "turret": f"{armour.turret.front}/{armour.turret.side}" if armour and armour.turret else None,
                "source": entry.source,
            }
        )
    _print("Catalogue of vehicles and guns", rows)


def _print(title: str, rows: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    keys = [key for key in dict.fromkeys(key for row in rows for key in row) if key not in ("table", "label")]
    last = [key for key in ("unit", "rule", "source", "overlay") if key in keys]
    columns = ["label", *[key for key in keys if key not in last], *last]
    shown = Table(
        title=title, title_justify="left", box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0)
    )
    for column in columns:
        shown.add_column("" if column == "label" else column, overflow="fold", no_wrap=column in ("rule", "source"))
    for row in rows:
        shown.add_row(*[_cell(row.get(column)) for column in columns])
    console = Console(width=None if Console().is_terminal else WIDE, highlight=False)
    with console.capture() as captured:  # a console of its own ends with status 1 when its reader leaves early
        console.print(shown)
    click.echo(captured.get())


def _cell(value: Any) -> str:
    match value:
        case None | "":
            return "-"
        case True:
            return "yes"
        case False:
            return "no"
        case float():
            return f"{value:g}"
        case list() | tuple():
            return ", ".join(map(str, value)) or "-"
        case _:
            return str(value)
