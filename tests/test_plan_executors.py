"""`minis plan` in other processes and on a cluster: the same answers; Ctrl-C keeps what is done and says so."""

from __future__ import annotations

import importlib.util
import json
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from plan_boards import GUN, RIDGE, TANK, TYPES, lane, zone

import minis.cli.plan_options as shared
from minis.cli.main import cli
from minis.plan import balance as balancing
from minis.plan import compare as comparing
from minis.plan import field_of_fire as fields
from minis.plan import laid_spots as laying
from minis.plan import setup_check as checking
from minis.plan import watching
from minis.plan.workers import BrokenOff, Done, part_of, run

ROADS = lane("[[58, 8], [26, 8]]") + lane("[[58, 20], [26, 12]]", "track") + lane("[[40, 2], [50, 22]]", "south")
STOPPED = 130

ASKED = {
    "field": ("field", "PaK"),
    "lane": ("lane",),
    "boresight": ("boresight", "P3", "--top", "3"),
    "compare": ("compare", "10,8", "12,4", "PaK", "--weapon", "PaK"),
    "check": ("check", "SETUP"),
}
"""The commands that are cut into jobs here, as they are asked; `hide` and `balance` have tests of their own."""

UNITS = {"field": "cells in sight", "lane": "lanes", "boresight": "spots", "compare": "places", "check": "hidden units"}
"""What each counts where it is broken off."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scenario with three lanes and a ridge, and a set-up of three hidden guns."""
    folder = tmp_path_factory.mktemp("plan")
    gun = GUN.replace("[1, 23]", "[10, 6]")
    more = [gun.replace("PaK", name).replace("[10, 6]", at) for name, at in (("P2", "[12, 3]"), ("P3", "[14, 20]"))]
    (folder / "s.toml").write_text("\n".join([TYPES, zone("[0, 0, 30, 24]"), ROADS, RIDGE, gun, *more, TANK]), "utf-8")
    (folder / "axis.toml").write_text('side = "axis"\n[[unit]]\nid = "PaK"\nat = [9, 6]\nfacing = 90\n', "utf-8")
    return folder


def ask(folder: Path, command: str, *more: str) -> Result:
    """A command, asked."""
    words = [str(folder / "axis.toml") if word == "SETUP" else word for word in ASKED[command]]
    result = CliRunner().invoke(cli, ["plan", *words, "-g", str(folder / "s.toml"), *more])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize("command", ASKED)
def test_other_processes_find_the_same(command: str, folder: Path) -> None:
    """Text and data of `--executor processes:2` are those of one process."""
    for form in ((), ("--json",)):
        alone, together = ask(folder, command, *form), ask(folder, command, *form, "--executor", "processes:2")
        assert alone.exit_code == together.exit_code == 0
        assert alone.output == together.output
        assert "roken off" not in alone.output


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="dask's distributed is not installed")
@pytest.mark.parametrize("command", ["field", "compare"])
def test_a_cluster_finds_the_same(command: str, folder: Path) -> None:
    """A dask cluster gives what this process gives."""
    distributed: Any = importlib.import_module("distributed")
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        together = ask(folder, command, "--json", "--executor", f"dask:{cluster.scheduler_address}")
    assert json.loads(together.stdout) == json.loads(ask(folder, command, "--json").stdout)


@pytest.mark.parametrize("command", [*ASKED, "hide", "balance"])
def test_every_command_takes_an_executor_and_refuses_what_is_none(command: str, folder: Path) -> None:
    """`--executor threads` is bad input with what was expected."""
    asked = (
        ASKED.get(command) or {"hide": ("hide", "--weapon", "PaK", "--zone", "zone"), "balance": ("balance",)}[command]
    )
    words = [str(folder / "axis.toml") if word == "SETUP" else word for word in asked]
    result = CliRunner().invoke(cli, ["plan", *words, "-g", str(folder / "s.toml"), "--executor", "threads"])
    assert result.exit_code == 2
    assert "--executor: expected processes, processes:N or dask:ADDRESS, not 'threads'" in result.output


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------

WORK = {
    "field": (fields, "chances_in"),
    "lane": (watching, "watched"),
    "boresight": (laying, "_worth"),
    "compare": (comparing, "watched"),
    "check": (checking, "cover_of"),
}
"""Where the work of each is done."""


def stop_at(monkeypatch: pytest.MonkeyPatch, command: str, count: int) -> None:
    """Ctrl-C, while the work of a command is done for the so-manieth time."""
    module, name = WORK[command]
    work: Callable[..., Any] = getattr(module, name)
    calls = []

    def stopping(*args: Any, **more: Any) -> Any:
        calls.append(1)
        if len(calls) == count:
            raise KeyboardInterrupt
        return work(*args, **more)

    monkeypatch.setattr(module, name, stopping)


@pytest.mark.parametrize(
    ("command", "count"), [("field", 3), ("lane", 3), ("boresight", 20), ("compare", 5), ("check", 1)]
)
def test_ctrl_c_keeps_what_is_done_and_says_so(
    command: str, count: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In words and as data: how much of how many, what was found in it, and the exit status 130."""
    whole = json.loads(ask(folder, command, "--json").stdout)
    with monkeypatch.context() as patched:
        stop_at(patched, command, count)
        text = ask(folder, command)
    stop_at(monkeypatch, command, count)
    data = ask(folder, command, "--json")
    assert (text.exit_code, data.exit_code) == (STOPPED, STOPPED)
    answer = json.loads(data.stdout)
    done, of = (answer["counted"] if command == "field" else answer)["looked_at"], answer.get("of")
    of = answer["counted"]["cells"] if command == "field" else of
    assert answer["broken_off"]
    assert not whole["broken_off"]
    assert 0 < done < of
    assert text.stdout.startswith(f"Broken off: {done} of {of} {UNITS[command]}.\n")
    for key in ("lanes", "places"):
        if key in whole:
            assert answer[key] == whole[key][:done]
            assert done < len(whole[key])
    if command == "field":
        assert (answer["area"], answer["dead_ground"]) == (whole["area"], whole["dead_ground"])
        assert sum(band["cells"] for band in answer["bands"]) == done


def test_broken_off_at_once_there_is_nothing_and_that_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No lane is done: the text says 0 of 3, the data have no lane."""
    stop_at(monkeypatch, "lane", 1)
    text = ask(folder, "lane")
    assert (text.exit_code, text.stdout.splitlines()[0]) == (STOPPED, "Broken off: 0 of 3 lanes.")


def test_a_place_that_is_half_done_is_not_set_beside_whole_ones(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C amid the cells of the second field of fire: the first place alone is told."""
    module, calls = fields, []
    work: Callable[..., Any] = getattr(module, "chances_in")  # noqa: B009 - it is not exported from there

    def stopping(*args: Any) -> Any:
        calls.append(1)
        if len(calls) > parts + 1:
            raise KeyboardInterrupt
        return work(*args)

    first = json.loads(ask(folder, "compare", "--json").stdout)["places"][0]["field"]["counted"]["cells"]
    parts = -(-first // fields.AT_ONCE)
    monkeypatch.setattr(module, "chances_in", stopping)
    assert parts > 0
    answer = json.loads(ask(folder, "compare", "--json").stdout)
    assert (answer["looked_at"], [place["name"] for place in answer["places"]]) == (1, ["10,8"])


def test_ctrl_c_before_the_areas_are_there_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the areas there is no field of fire to tell: a word on standard error, and in the data."""

    def stopping(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(fields, "areas_of", stopping)
    text, data = ask(folder, "field"), ask(folder, "field", "--json")
    assert (text.exit_code, data.exit_code, text.stdout) == (STOPPED, STOPPED, "")
    assert re.match(r"Broken off: chances were worked out for 0 of \d+ cells in sight, but no area yet\.", text.stderr)
    assert json.loads(data.stdout)["broken_off"] is True


def test_ctrl_c_while_the_chances_of_a_balance_are_worked_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says for how many vehicles they are, and that no trial was played."""
    monkeypatch.setattr(balancing._Meeting, "column", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    result = CliRunner().invoke(cli, ["plan", "balance", "-g", str(folder / "s.toml")])
    assert result.exit_code == STOPPED
    assert "chances were worked out for 0 of 1 vehicles, and no trial was played yet" in result.stderr


def test_what_others_have_begun_is_kept_too() -> None:
    """Ctrl-C after the first of four jobs: what another thread is at is ended and kept, the rest never begins."""
    begun = threading.Event()

    def work(number: int) -> int:
        if number == 1:
            begun.set()
            time.sleep(0.3)
        return number

    def stop(*_: int) -> None:
        begun.wait(10)
        raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as executor:
        assert run(executor, work, range(4), progress=stop) == Done((0, 1), 4)


# --- the bar ---------------------------------------------------------------------------------------------------------


def told_by(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[tuple[int, int]]:
    """What the bar of a command is told: how much is done, of how much."""
    from contextlib import contextmanager

    told: list[tuple[int, int]] = []

    @contextmanager
    def bar(_: str) -> Any:
        yield lambda done, total: told.append((done, total))

    monkeypatch.setattr(shared, "_bar", bar)
    words = tuple(str(folder / "axis.toml") if word == "SETUP" else word for word in words)
    assert CliRunner().invoke(cli, ["plan", *words, "-g", str(folder / "s.toml")]).exit_code == 0
    return told


@pytest.mark.parametrize("command", ASKED)
def test_the_bar_goes_from_the_first_job_to_the_last(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts every job once, of as many as there are."""
    told = told_by(folder, monkeypatch, *ASKED[command])
    assert told == [(number, len(told)) for number in range(1, len(told) + 1)]
    assert len(told) > 1


def test_the_bar_of_a_balance_begins_with_its_chances(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One vehicle whose chances are worked out and two lots of 25 trials are three steps of one bar."""
    assert told_by(folder, monkeypatch, "balance", "--trials", "50") == [(1, 3), (2, 3), (3, 3)]


def test_a_part_is_told_as_part_of_the_whole() -> None:
    """Nobody watches, nothing is told; and what is broken off is a Ctrl-C with words."""
    assert part_of(None, before=3) is None
    assert issubclass(BrokenOff, KeyboardInterrupt)
    assert Done((1, 2), 3).broken_off
