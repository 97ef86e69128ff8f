"""An act that the rules refuse, with the rule and the reason (exit status 1)."""

from __future__ import annotations

from minis.errors import MinisError


class Refused(MinisError):
    """An act that the rules do not allow, or that they cannot resolve.

    >>> print(Refused("C3.32", "an AFV takes no harm from a hit on the Infantry type"))
    refused (C3.32): an AFV takes no harm from a hit on the Infantry type
    """

    def __init__(self, rule: str, why: str):
        self.rule = rule
        self.why = why
        super().__init__(f"refused ({rule}): {why}")
