"""The answer of `minis plan balance` as data."""

from __future__ import annotations

from typing import Any

from minis.board.board import Board
from minis.plan.balance import Balance, Spread, chances_of

SHARES = (0.1, 0.5, 0.9)
"""The shares of the trials at which a spread is told."""


def balance_answer(board: Board, found: Balance) -> dict[str, Any]:
    """A set-up played many times as JSON says it: how often each number of losses came, and who was lost how often."""
    chances = chances_of(found)
    return {
        "side": found.side,
        "seed": found.seed,
        "trials": len(found.trials),
        "of": found.of,
        "broken_off": found.broken_off,
        "vehicles": [{"unit": unit, "lane": lane, "lost_or_stopped": chances[unit]} for unit, lane in found.columns],
        "guns": [{"unit": unit, "lost": chances[unit]} for unit in found.guns],
        **{name: _spread(spread) for name, spread in spreads(found).items()},
        "switches": board.rules.not_default,
    }


def spreads(found: Balance) -> dict[str, Spread]:
    """The spreads of a balance by name; `sighted_turn` and `sighted_mp` are of those trials in which a gun was."""
    trials = found.trials
    sighted = [trial.first for trial in trials if trial.first is not None]
    return {
        "vehicles_lost": Spread.of(len(trial.lost) for trial in trials),
        "vehicles_stopped": Spread.of(len(trial.stopped) for trial in trials),
        "guns_lost": Spread.of(len(trial.guns_lost) for trial in trials),
        "guns_jammed": Spread.of(len(trial.jammed) for trial in trials),
        "shots": Spread.of(trial.shots for trial in trials),
        "turns": Spread.of(trial.turns for trial in trials),
        "sighted_turn": Spread.of(turn for turn, _ in sighted),
        "sighted_mp": Spread.of(mp for _, mp in sighted),
    }


def _spread(spread: Spread) -> dict[str, Any]:
    return {
        "trials": spread.total,
        "mean": round(spread.mean, DIGITS),
        "at": {f"{share:.0%}": spread.at(share) for share in SHARES if spread.total},
        "counts": [list(pair) for pair in spread.counts],
    }


DIGITS = 4
"""Digits of a printed number."""
