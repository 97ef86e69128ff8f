"""How a game begins: a scenario with its house rules and set-ups, kept whole in the first event of its journal."""

from __future__ import annotations

import hashlib
import secrets
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from minis import __version__
from minis.board.board import Board
from minis.board.scenario import WHAT, board_of
from minis.errors import BadInput, MinisError, Mistake, bad
from minis.fire.boresight import BoreSight, legal, record_of
from minis.fire.measure import weapon_of
from minis.game.chance import KEY_BYTES, key_hash
from minis.game.ledger import Change, weapon_key
from minis.game.seals import Seal, check_seal
from minis.game.setup import Setup, setup_of, with_setups
from minis.game.state import record, whole
from minis.rules import tables_folder
from minis.sight.scene import Scene
from minis.toml_file import Document, parse_toml, read_text, read_toml

HOUSE, TERRAIN = "house", "terrain.geojson"
"""Where the house rules and the GeoJSON of a scenario are laid out again, beside it."""


@dataclass(frozen=True)
class Opening:
    """What the first event holds: its data, and what a reader makes of it."""

    data: dict[str, Any]
    board: Board
    order: tuple[str, ...]


def prepare(
    scenario: Path,
    *,
    house: Path | None = None,
    setups: Sequence[tuple[Setup, Seal | None]] = (),
    first: str | None = None,
    key: bytes,
) -> Opening:
    """The opening of a game from a scenario file; `first` is the side that moves first, else the first by name.

    Raises BadInput with every mistake of the scenario under its set-ups, and for a side that there is not.
    """
    document = read_toml(scenario, what=WHAT)
    _check(document, house, [setup for setup, _ in setups])
    texts = _texts_beside(document, scenario, house)
    sealed = [_kept_setup(setup, seal) for setup, seal in setups]
    data = {
        "game": secrets.token_hex(GAME_BYTES),
        "minis": __version__,
        "rules": rules_hash(),
        "scenario": {"name": scenario.name, "text": document.text, **texts},
        "setups": sealed,
        "key_hash": key_hash(key),
    }
    board = board_in(data)
    order = _order(board, first)
    opened = Scene(board)
    changes = [change for setup, _ in setups for change in _boresights(opened, setup)]
    return Opening(data | {"title": board.title, "order": list(order), "changes": changes}, board, order)


GAME_BYTES = 8
"""Random bytes that tell one game from another."""


def new_key() -> bytes:
    """A new key for the machine's dice."""
    return secrets.token_bytes(KEY_BYTES)


def _check(document: Document, house: Path | None, setups: Sequence[Setup]) -> None:
    """Raise BadInput with every mistake where it is to be put right: in the scenario, beside it, or in a set-up."""
    laid = with_setups(document.data, setups)
    try:
        board_of(Document(document.name, document.text, laid), house=house)
    except BadInput as error:
        if setups:
            board_of(document, house=house)
        raise BadInput([_in_setup(mistake, setups) for mistake in error.mistakes]) from None


def _in_setup(mistake: Mistake, setups: Sequence[Setup]) -> Mistake:
    """A mistake that only set-ups bring, at the unit of the set-up that it is about."""
    for setup in setups:
        for index, keys in enumerate(setup.units):
            if keys["id"] == mistake.id:
                return setup.mistake(("unit", index), mistake.message, id=mistake.id)
    return mistake


def _order(board: Board, first: str | None) -> tuple[str, ...]:
    if not board.units:
        raise bad("a game needs units; the scenario has none", file=board.name)
    if first is None:
        return board.sides
    board.check_side(first)
    return (first, *(side for side in board.sides if side != first))


def _texts_beside(document: Document, scenario: Path, house: Path | None) -> dict[str, Any]:
    """The house rules and the GeoJSON of a scenario that was checked, as texts."""
    named = document.data.get("tables")
    folder = house or (scenario.parent / named if isinstance(named, str) else None)
    texts: dict[str, Any] = {}
    if folder is not None:
        texts["house"] = {"label": folder.name if house else str(named), "files": _read_folder(folder)}
    geojson = document.data.get("terrain_from")
    if isinstance(geojson, str):
        texts["terrain_from"] = read_text(scenario.parent / geojson, what="a GeoJSON file")
    return texts


def _read_folder(folder: Path) -> dict[str, str]:
    """Every table of a folder of house rules, those of its catalogue too."""
    paths = sorted(folder.rglob("*.toml"))
    return {path.relative_to(folder).as_posix(): read_text(path) for path in paths}


def _kept_setup(setup: Setup, seal: Seal | None) -> dict[str, Any]:
    kept: dict[str, Any] = {"name": Path(setup.name).name, "side": setup.side, "text": setup.text}
    return kept | ({"salt": seal.salt.hex(), "words": seal.words} if seal else {})


def _boresights(scene: Scene, setup: Setup) -> list[Change]:
    """The bore-sighted spots of a set-up; raises BadInput for one that F7 forbids."""
    changes: list[Change] = []
    done: list[BoreSight] = []
    for entry in setup.boresights:
        unit = scene.board.unit(entry.unit)
        try:
            weapon = weapon_of(unit, entry.weapon)
        except BadInput as error:
            raise BadInput([replace(mistake, file=setup.name) for mistake in error.mistakes]) from None
        spot = (float(entry.at[0]), float(entry.at[1]))
        bars = legal(scene, unit, weapon, spot, recorded=tuple(done))
        if bars:
            message = f"{unit.id} may not bore sight {spot[0]:g},{spot[1]:g}: {bars[0].why} ({bars[0].rule})"
            raise bad(message, file=setup.name)
        done.append(record_of(unit, weapon, spot))
        changes.append(("boresights", weapon_key(unit.id, weapon.id), whole(record(done[-1]), BoreSight)))
    return changes


# --- read back -----------------------------------------------------------------------------------------------------


def board_in(data: Mapping[str, Any]) -> Board:
    """The table as it was set up, from the data of the first event."""
    scenario = data["scenario"]
    name = str(scenario["name"])
    document = parse_toml(scenario["text"], name)
    setups = [setup_of(parse_toml(kept["text"], kept["name"])) for kept in data["setups"]]
    laid = with_setups(document.data, setups) if setups else dict(document.data)
    if "house" not in scenario and "terrain_from" not in scenario:
        return board_of(Document(name, document.text, laid))
    with tempfile.TemporaryDirectory(prefix="minis-") as folder:
        house, label = None, None
        if "house" in scenario:
            house, label = Path(folder, HOUSE), scenario["house"]["label"]
            for relative, text in scenario["house"]["files"].items():
                path = house / relative
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            house.mkdir(exist_ok=True)
        if "terrain_from" in scenario:
            Path(folder, TERRAIN).write_text(scenario["terrain_from"], encoding="utf-8")
            laid["terrain_from"] = TERRAIN
        found = Document(str(Path(folder, name)), document.text, laid)
        return replace(board_of(found, house=house, house_label=label), name=name)


def rules_hash() -> str:
    """A hash of the shipped tables: a game ruled under others may be ruled otherwise."""
    found = hashlib.sha256()
    for path in sorted(tables_folder().rglob("*.toml")):
        text = path.read_bytes()
        found.update(f"{path.relative_to(tables_folder()).as_posix()} {len(text)}\n".encode() + text)
    return found.hexdigest()


def seals_hold(data: Mapping[str, Any]) -> list[str]:
    """Every set-up whose text is not the one that was sealed, in words."""
    wrong = []
    for kept in data["setups"]:
        if "words" in kept:
            try:
                check_seal(Seal(bytes.fromhex(kept["salt"]), kept["words"]), kept["text"], file=kept["name"])
            except MinisError as error:
                wrong.append(str(error))
    return wrong
