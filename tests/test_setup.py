"""Set-ups: the file by itself, and a scenario with the set-ups of its players laid over it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minis.board import Board
from minis.board.scenario import board_of
from minis.board.schema import UnitEntry
from minis.errors import BadInput
from minis.game.setup import Setup, SetupUnit, read_setup, setup_of, with_setups
from minis.lengths import to_grid
from minis.rules import examples_folder
from minis.toml_file import Document, parse_toml, read_toml

CROSSROADS = read_toml(examples_folder() / "crossroads" / "scenario.toml").data
AXIS = """side = "axis"

[[unit]]
id = "P8"
at = [65.4, 11.9]
facing = 270

[[unit]]
id = "D1"
dummy = true
token = "X11"
at = [60, 20]

[[boresight]]
unit = "P8"
weapon = "main"
at = [40, 20]
"""
ALLIED = 'side = "allied"\n[[unit]]\nid = "T12"\nbuttoned_up = true\n[[unit]]\nid = "C1"\ndummy = true\nat = [20, 20]\n'


def setup(text: str, name: str = "axis.toml") -> Setup:
    """The set-up of a text."""
    return setup_of(parse_toml(text, name))


def refused(text: str) -> list[str]:
    """The messages with which a set-up is refused by itself, without the name of the file."""
    with pytest.raises(BadInput) as caught:
        setup(text)
    return [line.removeprefix("axis.toml:").lstrip() for line in str(caught.value).splitlines()]


def misfits(*texts: str, data: dict[str, Any] = CROSSROADS) -> list[str]:
    """The messages with which set-ups are refused by a scenario."""
    setups = [setup(text, f"{number}.toml") for number, text in enumerate(texts)]
    with pytest.raises(BadInput) as caught:
        with_setups(data, setups)
    return str(caught.value).splitlines()


def laid(*texts: str) -> Board:
    """The board of the crossroads with set-ups laid over it."""
    return board_of(Document("crossroads", "", with_setups(CROSSROADS, [setup(text) for text in texts])))


def axis(lines: str) -> str:
    """A set-up of the axis with one table [[unit]]."""
    return f'side = "axis"\n[[unit]]\n{lines}\n'


# --- the file by itself ----------------------------------------------------------------------------------------------


def test_a_set_up_is_read_as_it_was_typed(tmp_path: Path) -> None:
    """Side, units with just the keys that were typed, bore sights, the text itself and the name of the file."""
    path = tmp_path / "axis.toml"
    path.write_text(AXIS.replace("\n", "\r\n"), encoding="utf-8", newline="")
    read = read_setup(path)
    assert (read.side, read.text, read.name) == ("axis", AXIS, str(path))
    assert read.units == (
        {"id": "P8", "at": [65.4, 11.9], "facing": 270},
        {"id": "D1", "dummy": True, "token": "X11", "at": [60, 20]},
    )
    (boresight,) = read.boresights
    assert (boresight.unit, boresight.weapon, boresight.at) == ("P8", "main", (40.0, 20.0))


def test_a_bore_sight_without_a_weapon_is_that_of_the_first() -> None:
    """The weapon may be left out; so may units and bore sights."""
    assert setup(AXIS.replace('weapon = "main"\n', "")).boresights[0].weapon is None
    assert (setup('side = "axis"').units, setup('side = "axis"').boresights) == ((), ())


def test_a_set_up_decides_only_keys_of_a_unit() -> None:
    """Every key of a set-up's unit is a key of a scenario's unit, with the same bounds."""
    assert SetupUnit.model_fields.keys() <= UnitEntry.model_fields.keys()
    keys = {"storey": 61, "facing": 721.0, "turret": -361.0, "at": (2001.0, 0.0), "token": " X"}
    for key, value in keys.items():
        for model in (SetupUnit, UnitEntry):
            with pytest.raises(ValueError, match=key):
                model.model_validate({"id": "P8", "side": "axis", "at": (1.0, 1.0)} | {key: value})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[unit]]\nid = 3\n", ["2:1: unit[0].id (3): expected a text in quotes, not 3", "side: is missing"]),
        ('side = ""', ["1:1: side: expected a text that is not empty, not ''"]),
        ('sid = "axis"', ["1:1: sid: is no key that is known here; did you mean 'side'?", "side: is missing"]),
        ('side = "axis"\nunit = 3', ["2:1: unit: expected tables, each under [[unit]]"]),
        ('side = "axis"\nboresight = [3]', ["2:14: boresight[0]: expected a table, not 3"]),
        (axis("at = [3, 4]"), ["2:1: unit[0].id: is missing"]),
        (
            axis('id = "P8"\nfaceing = 3\nat = [1, nan]'),
            [
                "4:1: unit[0].faceing (P8): is no key that is known here; did you mean 'facing'?",
                "5:10: unit[0].at[1] (P8): expected a finite number, not nan",
            ],
        ),
        (axis('id = "P8"\nmoved = true'), ["4:1: unit[0].moved (P8): is no key that is known here; known: id, at,"]),
        (axis('id = "P8"\nside = "axis"'), ["4:1: unit[0].side (P8): is no key that is known here"]),
        (axis('id = "D1"\ndummy = true'), ["2:1: unit[0].at (D1): is missing; a dummy stands somewhere"]),
        (
            axis('id = "D1"\ndummy = true\nat = [1, 1]\nhidden = true'),
            ["6:1: unit[0].hidden (D1): a dummy is a token on the table; it cannot be hidden"],
        ),
        (
            axis('id = "P8"\nhidden = true\ntoken = "X"'),
            ["5:1: unit[0].token (P8): a unit is on a token or hidden, not both"],
        ),
        (axis('id = "P8"') + '[[unit]]\nid = "P8"\n', ["5:1: unit[1].id (P8): the id 'P8' is taken, by line 2"]),
        (
            axis('id = "P8"\ntoken = "X"') + '[[unit]]\nid = "P9"\ntoken = "X"\n',
            ["7:1: unit[1].token (P9): the token 'X' is that of P8"],
        ),
        (
            axis('id = "P8"\ntoken = "X"') + '[[unit]]\nid = "X"\ndummy = true\nat = [1, 1]\n',
            ["5:1: unit[1].token (X): the token 'X' is that of P8"],
        ),
        ('side = "axis"\n[[boresight]]\nunit = "P8"\n', ["2:1: boresight[0].at (P8): is missing"]),
    ],
)
def test_every_mistake_of_a_set_up_is_told_with_its_place(text: str, said: list[str]) -> None:
    """Wrong keys, types and values, and units that cannot be: all at once, in the order of the file."""
    lines = refused(text)
    assert len(lines) == len(said), lines
    for line, words in zip(lines, said, strict=True):
        assert line.startswith(words)


def test_an_unknown_key_hides_no_other_mistake() -> None:
    """A dummy with a mistyped key and no place has two mistakes."""
    lines = refused(axis('id = "D1"\ndummy = true\nfaceing = 3'))
    assert [line.split(": ")[1] for line in lines] == ["unit[0].at (D1)", "unit[0].faceing (D1)"]


# --- laid over a scenario --------------------------------------------------------------------------------------------


def test_units_are_changed_in_place_and_dummies_follow() -> None:
    """The merged scenario is a board: P8 where the player put it, the dummies of both sides last, sorted by id."""
    board = laid(AXIS, ALLIED)
    names = [unit["id"] for unit in CROSSROADS["unit"]]
    assert [unit.id for unit in board.units] == [*names, "C1", "D1"]
    gun, dummy, other = board.unit("P8"), board.unit("D1"), board.unit("C1")
    assert (gun.at, gun.facing, gun.hidden) == ((to_grid(65.4), to_grid(11.9)), 270, True)
    assert (dummy.side, dummy.token, dummy.dummy) == ("axis", "X11", True)
    assert (other.side, other.token) == ("allied", "C1")
    assert board.unit("T12").flags == {"fired", "buttoned_up"}


def test_the_scenario_itself_stays_as_it_is() -> None:
    """Nothing of the data that was given is changed, and units without a set-up are those of the scenario."""
    before = copy.deepcopy(CROSSROADS)
    merged = with_setups(CROSSROADS, [setup(AXIS), setup(ALLIED)])
    assert before == CROSSROADS
    assert {key: value for key, value in merged.items() if key != "unit"} == {
        key: value for key, value in CROSSROADS.items() if key != "unit"
    }
    for old, new in zip(before["unit"], merged["unit"], strict=False):
        assert old["id"] in ("P8", "T12") or old == new
    assert with_setups(CROSSROADS, []) == CROSSROADS


@given(st.permutations(["P8", "P5", "D1", "D2"]), st.booleans())
def test_the_order_of_tables_and_set_ups_does_not_matter(order: list[str], swapped: bool) -> None:
    """However the players order their files, and whoever hands his in first, the scenario is the same."""
    tables = {"P8": "facing = 3", "P5": "hidden = true", "D1": "dummy = true\nat = [1, 1]"}
    tables["D2"] = tables["D1"].replace("1, 1", "2, 2")

    def text(names: list[str]) -> str:
        return 'side = "axis"\n' + "".join(f'[[unit]]\nid = "{name}"\n{tables[name]}\n' for name in names)

    setups = [setup(text(order)), setup(ALLIED)]
    wanted = with_setups(CROSSROADS, [setup(text(sorted(order))), setup(ALLIED)])
    assert with_setups(CROSSROADS, setups[::-1] if swapped else setups) == wanted


def test_a_new_place_is_a_whole_place() -> None:
    """T5 leaves the upper storey of the mill and T6 its roof, for the open; who only turns stays where he is."""
    text = 'side = "allied"\n[[unit]]\nid = "T5"\nat = [12, 20]\n[[unit]]\nid = "T6"\nat = [14, 20]\n'
    board = laid(text)
    assert (board.unit("T5").storey, board.unit("T6").roof) == (None, False)
    board = laid(text.replace("at = [12, 20]", "facing = 10").replace("at = [14, 20]", "facing = 10"))
    assert (board.unit("T5").storey, board.unit("T6").roof) == (1, True)


def test_a_unit_goes_into_hiding_or_onto_a_token() -> None:
    """P5 leaves its token to hide, P8 its hiding place for a token; a token or hiding that goes on is not touched."""
    hiding = laid(axis('id = "P5"\nhidden = true')).unit("P5")
    assert (hiding.hidden, hiding.token) == (True, None)
    shown = laid(axis('id = "P8"\ntoken = "X8"')).unit("P8")
    assert (shown.hidden, shown.token) == (False, "X8")
    same = laid(axis('id = "P5"\nhidden = false')).unit("P5")
    assert (same.hidden, same.token) == (False, "X5")


def test_a_set_up_makes_no_unit_of_a_dummy() -> None:
    """The dummy of the scenario is moved like any unit, and stays a dummy whatever the set-up says."""
    dummy = laid(axis('id = "P7"\ndummy = false\nat = [58, 15]')).unit("P7")
    assert (dummy.dummy, dummy.at) == (True, (to_grid(58), to_grid(15)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('side = "axes"', "0.toml:1:1: side: there is no side 'axes' in this scenario; did you mean 'axis'?"),
        (
            axis('id = "P88"'),
            "0.toml:3:1: unit[0].id (P88): axis has no unit 'P88' (a new dummy says dummy = true); did you mean 'P8'?",
        ),
        (
            axis('id = "P7"\ndummy = true\nat = [1, 1]'),
            "0.toml:3:1: unit[0].id (P7): the id 'P7' is taken; give the dummy another",
        ),
        (
            axis('id = "T1"\ndummy = true\nat = [1, 1]'),
            "0.toml:3:1: unit[0].id (T1): the id 'T1' is taken; give the dummy another",
        ),
        (
            'side = "axis"\n[[boresight]]\nunit = "P8b"\nat = [1, 1]',
            "0.toml:3:1: boresight[0].unit (P8b): axis has no unit 'P8b'; did you mean 'P8'?",
        ),
        (
            'side = "axis"\n[[boresight]]\nunit = "P7"\nat = [1, 1]',
            "0.toml:3:1: boresight[0].unit (P7): P7 is a dummy; it has no weapon to lay on a spot",
        ),
        (
            AXIS.replace('unit = "P8"', 'unit = "D1"'),
            "0.toml:15:1: boresight[0].unit (D1): D1 is a dummy; it has no weapon to lay on a spot",
        ),
    ],
)
def test_a_set_up_that_does_not_fit_the_scenario_is_told(text: str, said: str) -> None:
    """An unknown side, unit or bore-sighted unit and a dummy whose id is taken: the place and the nearest names."""
    assert misfits(text) == [said]


@pytest.mark.parametrize("table", ["unit", "boresight"])
def test_nothing_is_told_of_the_other_side(table: str) -> None:
    """A unit of the other side and a unit that nobody has get the same message, which names only one's own."""
    key = "id" if table == "unit" else "unit"
    text = f'side = "axis"\n[[{table}]]\n{key} = "T4"\nat = [1, 1]\n'
    (there,) = misfits(text)
    (nowhere,) = misfits(text.replace("T4", "T0"))
    assert there.replace("T4", "T0") == nowhere
    assert "axis has no unit 'T4'" in there
    allied = {unit["id"] for unit in CROSSROADS["unit"] if unit["side"] == "allied"} - {"T4"}
    assert not [name for name in allied if f" {name}" in there or f"'{name}'" in there]


def test_a_side_has_one_set_up() -> None:
    """Two set-ups of one side: the second is told the first."""
    text = "1.toml:1:1: side: axis has a set-up already, 0.toml; expected one for a side"
    assert misfits(AXIS, AXIS) == [text]


def test_two_sides_cannot_have_one_dummy() -> None:
    """A dummy whose id is that of the other side's new dummy is refused, and nothing more is said."""
    text = axis('id = "C1"\ndummy = true\nat = [60, 20]')
    assert misfits(ALLIED, text) == ["1.toml:3:1: unit[0].id (C1): the id 'C1' is taken; give the dummy another"]


def test_the_mistakes_of_all_set_ups_come_together() -> None:
    """Each with its own file and line, in the order in which the files are given."""
    lines = misfits(axis('id = "P0"') + '[[unit]]\nid = "Q0"\n', 'side = "allied"\n[[unit]]\nid = "S1"\n')
    assert [line.split(": ")[:2] for line in lines] == [
        ["0.toml:3:1", "unit[0].id (P0)"],
        ["0.toml:5:1", "unit[1].id (Q0)"],
        ["1.toml:3:1", "unit[0].id (S1)"],
    ]


def test_a_key_that_a_set_up_may_not_decide_is_refused() -> None:
    """A set-up put together by a program is held to the same keys as one that was read."""
    stuffed = Setup("axis", ({"id": "P8", "armoured": True},), (), "", "x.toml")
    with pytest.raises(BadInput, match=r"x.toml: unit\[0\].armoured \(P8\): is no key that is known here"):
        with_setups(CROSSROADS, [stuffed])


@pytest.mark.parametrize("units", [None, 3, [3, {"id": 3}, {"side": "axis"}], {"id": "P8"}])
def test_a_scenario_that_is_not_checked_yet_is_no_trouble(units: object) -> None:
    """What is wrong in the scenario is for the reader of scenarios to tell; here it is only that P8 is not there."""
    (line,) = misfits(AXIS.split("[[boresight]]")[0], data={} if units is None else {"unit": units})
    assert "there is no side 'axis'" in line or "axis has no unit 'P8'" in line
