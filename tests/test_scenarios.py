"""The rules as a player reads them: every case of `tests/scenarios`, run through the command line.

A file of `tests/scenarios` holds boards and cases:

    [[board]]
    name = "two hills"
    scenario = '''...'''              # a scenario file
    beside = { "house/x.toml" = "" }  # optional: other files of its folder

    [[case]]
    name = "what a player would say"
    rule = "S6.2 S7.3"                # the rules it would fail without
    board = "two hills"               # left out for tape and table commands that need no file
    run = ["los", "S", "T1"]          # --json and -g BOARD are added; "@" is the board itself, "@/x" a file beside it
    expect = { clear = false }        # keys that must be there; lists of tables: each must match one
    exit = 0                          # exit status, 0 where it is left out
    plain = true                      # optional: without --json
    stderr_has = ["woods1"]           # optional, in either stream, whatever the case
    output_lacks = ["Tiger"]          # optional: in neither stream

Numbers are compared within a millionth; the text "null" stands for null.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from cases import PLAYED, differences
from click.testing import CliRunner

from minis.cli.main import cli
from minis.rules import load_rules

FOLDER = Path(__file__).parent / "scenarios"
BOARD_KEYS = {"name", "scenario", "beside"}
CASE_KEYS = {"name", "rule", "board", "run", "expect", "exit", "plain", "stderr_has", "output_lacks"}

RULES = (
    "S1.1", "S1.2", "S1.3", "S2.1", "S2.2", "S2.3", "S2.4", "S2.5", "S3", "S4.1", "S4.2", "S4.3", "S5.1", "S5.2",
    "S5.3", "S5.4", "S5.5", "S5.6", "S5.7", "S6.1", "S6.2", "S6.3", "S6.4", "S6.5", "S6.6", "S6.7", "S6.8", "S6.9",
    "S6.10", "S7.1", "S7.2", "S7.3", "S7.4", "S7.5", "S7.6", "S7.7", "S8.1", "S8.2", "S8.3", "S8.4", "S8.6", "S9.1",
    "S9.2", "S9.3", "S9.4", "S10.1", "S11.1", "S11.2", "S11.3", "S12.1", "S12.2", "S13.1", "S13.2", "S14",
)  # fmt: skip
"""The sighting rules that the commands of this version answer for."""

OTHER = re.compile(r"F\d+(\.\d+)?|formats")
"""What else a case may cite: a fire rule, or the contract of files and answers."""


@dataclass(frozen=True)
class Case:
    """One case with its board and the file it stands in."""

    file: str
    data: dict[str, Any]
    board: dict[str, Any] | None

    @property
    def id(self) -> str:
        """File and name, as pytest prints them."""
        return f"{self.file}: {self.data['name']}"

    @property
    def cites(self) -> list[str]:
        """The rules it would fail without."""
        return str(self.data["rule"]).split()


def read_cases(path: Path) -> list[Case]:
    """The cases of one file, each with its board."""
    doc = tomllib.loads(path.read_text(encoding="utf-8"))
    boards = {board["name"]: board for board in doc.get("board", [])}
    return [Case(path.stem, data, boards[data["board"]] if "board" in data else None) for data in doc["case"]]


CASES = [case for path in sorted(FOLDER.rglob("*.toml")) for case in read_cases(path)]


@dataclass
class Desk:
    """A folder where every board is written once, under names without digits.

    So no number that a message must hold is found in a path.
    """

    root: Path
    written: dict[str, Path] = field(default_factory=dict)

    def path_of(self, case: Case) -> Path | None:
        """The board of a case as a file."""
        if case.board is None:
            return None
        key = f"{case.file}/{case.board['name']}"
        if key not in self.written:
            name = "".join(chr(ord("a") + int(digit)) for digit in str(len(self.written)))
            path = self.written[key] = self.root / name / "board.toml"
            for beside, text in {"board.toml": case.board["scenario"], **case.board.get("beside", {})}.items():
                (path.parent / beside).parent.mkdir(parents=True, exist_ok=True)
                (path.parent / beside).write_text(text, encoding="utf-8")
        return self.written[key]


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """One desk for the whole run."""
    return Desk(tmp_path_factory.mktemp("desk"))


def problems(case: Case, path: Path | None) -> list[str]:
    """Run a case and tell what is not as it says."""
    data = case.data
    words = [str(path.parent) + w[1:] if path and w.startswith("@/") else w for w in data["run"]]
    words = [str(path) if word == "@" else word for word in words]
    if path and words == data["run"]:
        words += ["-g", str(path)]
    result = CliRunner(env={"MINIS_GAME": None, "NO_COLOR": "1"}).invoke(
        cli, words if data.get("plain") else [*words, "--json"], catch_exceptions=False
    )
    found = [] if result.exit_code == data.get("exit", 0) else [f"exit status {result.exit_code}"]
    if "expect" in data:
        try:
            found += differences(data["expect"], json.loads(result.stdout))
        except json.JSONDecodeError:
            found.append("no JSON")
    said = (result.stderr + result.stdout).replace(str(path), "BOARD").lower()
    found += [f"the output does not hold {text!r}" for text in data.get("stderr_has", []) if text.lower() not in said]
    found += [f"the output holds {text!r}" for text in data.get("output_lacks", []) if text.lower() in said]
    return [*found, result.stderr or result.stdout] if found else []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_holds(case: Case, desk: Desk) -> None:
    """The answer of the command is what the player of this case says it is."""
    found = problems(case, desk.path_of(case))
    assert not found, f"{' '.join(case.data['run'])} [{case.data['rule']}]\n" + "\n".join(found)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_case(rule: str) -> None:
    """Each rule that this version answers for is cited by at least one case."""
    assert any(rule in case.cites for case in CASES)


def test_cases_cite_rules_that_there_are() -> None:
    """No case cites a rule that is misspelt, or one that only a game answers for."""
    assert [c for case in CASES for c in case.cites if c not in RULES and not OTHER.fullmatch(c)] == []
    assert not set(RULES) & set(PLAYED)


def test_every_switch_is_tried_both_ways() -> None:
    """Each switch of the table is off its default in one board of the switch file or more."""
    boards = [tomllib.loads(case.board["scenario"]) for case in CASES if case.board and "S14" in case.cites]
    tried = {name for board in boards for name in board.get("switches", {})}
    assert tried >= set(load_rules().switches)


def test_every_board_is_used_and_every_case_asks_something() -> None:
    """No board without a case, no case without a demand, no key that the runner does not read, no name twice."""
    used = {(case.file, case.board["name"]) for case in CASES if case.board}
    for path in FOLDER.rglob("*.toml"):
        doc = tomllib.loads(path.read_text(encoding="utf-8"))
        assert set(doc) <= {"board", "case"}
        assert all(set(board) <= BOARD_KEYS and (path.stem, board["name"]) in used for board in doc.get("board", []))
    for case in CASES:
        assert set(case.data) <= CASE_KEYS, case.id
        assert set(case.data) & {"expect", "stderr_has", "output_lacks"} or "exit" in case.data, case.id
    assert [name for name, times in Counter(case.id for case in CASES).items() if times > 1] == []
