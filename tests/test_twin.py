"""The verdict against a twin written on shapely alone, from the rules and not from the program (`twin.py`).

The two agree everywhere, touches included: the closed-set rule S5.3 is the same in both, so that there is no board on
which they may differ.
"""

from __future__ import annotations

from collections.abc import Callable

import boards
import pytest
from boards import Doc
from twin import Twin

from minis.sight.line import can_see

BLOCKS = [range(20), range(20, 40), range(40, 60), range(1318, 1322)]
"""Seeds, those of boards that once told them apart among them."""


@pytest.mark.parametrize("seeds", BLOCKS, ids=str)
@pytest.mark.parametrize("make", [boards.lattice_board, boards.rough_board])
def test_the_twin_agrees_on_every_pair(make: Callable[[int], Doc], seeds: range) -> None:
    """Lattice boards full of touches and boards at any angle: the same verdict for every pair of units."""
    seen = {True: 0, False: 0}
    for seed in seeds:
        doc = make(seed)
        scene, twin = boards.scene_of(doc), Twin(doc)
        for one, other in boards.pairs(doc):
            line = boards.look(scene, one, other)
            assert line.clear == can_see(scene, scene.board.unit(one), scene.board.unit(other))
            reason = (line.deciding.obstacle, line.deciding.rule, line.deciding.why) if line.deciding else None
            assert line.clear == twin.clear(one, other), (make.__name__, seed, one, other, reason)
            seen[line.clear] += 1
    assert min(seen.values()) > len(seeds), "the boards must show both verdicts often enough to mean something"


@pytest.mark.parametrize("make", [boards.lattice_board, boards.rough_board])
def test_the_twin_agrees_on_where_units_stand(make: Callable[[int], Doc]) -> None:
    """Levels (S7.7, S9.3) and sight points (S5.1) are the twin's as well."""
    for seed in range(200):
        doc = make(seed)
        scene, twin = boards.scene_of(doc), Twin(doc)
        for unit in scene.board.units:
            standing = scene.stand(unit)
            assert standing.level == twin.level(unit.id), (make.__name__, seed, unit.id)
            ours = {(x / 8000, y / 8000) for x, y in standing.points}
            assert ours == set(twin.points(unit.id)), (make.__name__, seed, unit.id)
