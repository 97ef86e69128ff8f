"""One thing that may not be meant in a scenario."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What was looked for, the id of the piece it is about, and what is to be said of it.

    `rule` is empty where the map forbids it, no rule; `key` is the key of the piece at which it shows. A `remark` is
    worth a look and no fault.
    """

    check: str
    id: str
    why: str
    rule: str = ""
    remark: bool = False
    key: str = ""
