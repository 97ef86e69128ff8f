"""The obstacle that stops every line between two units says so only where the reference stops them all (S5.1)."""

from __future__ import annotations

import copy

import boards
import pytest

from minis.sight.barrier import stops_all
from minis.sight.line import can_see, sight_line
from minis.sight.scene import Scene


@pytest.mark.parametrize("graze", ["blocks", "clears"])
def test_what_stops_all_lines_hides_and_sight_found_sooner_is_the_same(graze: str) -> None:
    """S5.1: on random boards no pair that an obstacle is said to hide has a clear line; both verdicts are one."""
    claims = 0
    for seed in range(40):
        for make in (boards.lattice_board, boards.rough_board):
            doc = copy.deepcopy(make(seed)) | {"switches": {"graze": graze}}
            scene: Scene = boards.scene_of(doc)
            for a, b in boards.pairs(doc):
                line = sight_line(scene, scene.board.unit(a), scene.board.unit(b))
                assert can_see(scene, scene.board.unit(a), scene.board.unit(b)) is line.clear
                ends = [scene.stand(scene.board.unit(line.viewer))]
                ends.append(scene.stand(scene.board.unit(b if line.viewer == a else a)))
                exempt = scene.out_of_the_way(ends[0].unit, ends[1].unit)
                for obstacle in scene.obstacles:
                    if obstacle.id not in exempt and stops_all(obstacle, *ends, scene.board.rules):
                        claims += 1
                        assert not line.clear, (seed, make, a, b, obstacle.id)
    assert claims > 100
