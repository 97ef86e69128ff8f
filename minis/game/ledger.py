"""What has become of a game: plain tables of facts, changed entry by entry, from which the state is made.

Changes are what an event keeps: they say what is so afterwards, never how it came about, so that folding a journal
asks no rule and throws no die.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Fields = dict[str, Any]
Change = tuple[str, str, Fields | None]
"""A table, the key of an entry, and the fields that are laid over it.

A field that is None is taken out. Fields that are None take out the entry, and with the key `EVERY` the whole table.
"""

Ledger = dict[str, dict[str, Fields]]

EVERY = "*"
TABLES = ("game", "units", "turn", "smoke", "acquired", "boresights", "arcs", "weapons")
"""What is kept: the game, units, facts of this turn, clouds, and of weapons what they acquired and their state."""


def new_ledger() -> Ledger:
    """A ledger in which nothing has happened."""
    return {table: {} for table in TABLES}


def lay(ledger: Ledger, changes: Iterable[Change]) -> None:
    """Lay changes over a ledger, in order; raises KeyError for a table that there is not.

    >>> ledger = new_ledger()
    >>> lay(ledger, [("units", "T1", {"wreck": True, "token": "A1"}), ("units", "T1", {"token": None})])
    >>> ledger["units"]
    {'T1': {'wreck': True}}
    >>> lay(ledger, [("units", EVERY, None)])
    >>> ledger["units"]
    {}
    """
    for table, key, fields in changes:
        entries = ledger[table]
        if fields is None:
            if key == EVERY:
                entries.clear()
            else:
                entries.pop(key, None)
            continue
        entry = entries.setdefault(key, {})
        for name, value in fields.items():
            if value is None:
                entry.pop(name, None)
            else:
                entry[name] = value


def read_changes(raw: Iterable[Any]) -> list[Change]:
    """The changes of an event as its data holds them."""
    return [(str(table), str(key), fields) for table, key, fields in raw]


def weapon_key(unit: str, weapon: str) -> str:
    """The key of what is kept of one weapon of a unit; ids hold no line breaks."""
    return f"{unit}\n{weapon}"
