"""What the files of cases and of games share: which rules are played, and how an answer is compared with a demand."""

from __future__ import annotations

from typing import Any

PLAYED = ("S8.5", "S9.5", "S10.2", "S10.3", "S11.4", "S11.5", "S12.3", "S12.4")
"""The sighting rules that only a shot or a game in progress answers for: games cite them, and no case does."""


def differences(want: Any, got: Any, path: str = "") -> list[str]:
    """What of an answer is not as wanted: tables and lists of tables are subsets, numbers agree to a millionth."""
    if isinstance(want, dict):
        if not isinstance(got, dict):
            return [f"{path}: wanted a table, got {got!r}"]
        missing = [f"{path}.{key}: missing" for key in want if key not in got]
        return missing + [d for key in want if key in got for d in differences(want[key], got[key], f"{path}.{key}")]
    if isinstance(want, list) and isinstance(got, list) and want and all(isinstance(item, dict) for item in want):
        return [f"{path}: nothing like {item!r}" for item in want if all(differences(item, other) for other in got)]
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (want, got))
    same = abs(want - got) <= 1e-6 if numbers else (None if want == "null" else want) == got
    if isinstance(want, bool) != isinstance(got, bool):
        same = False
    return [] if same else [f"{path}: wanted {want!r}, got {got!r}"]
