"""The small maps under pysc2's names."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from sim import maps


@pytest.mark.parametrize("name", [name for name in maps.practice_names() if name != "Empty128"])
def test_practice_maps_are_fair_connected_and_of_the_named_size(name):
    terrain = maps.load(name)
    x0, y0, x1, y1 = terrain.playable
    assert f"{x1 - x0}" == f"{y1 - y0}" == name.removeprefix("Flat").removeprefix("Simple")
    assert terrain.width % 8 == terrain.height % 8 == 0
    assert (terrain.walkable == terrain.walkable[::-1, ::-1]).all()
    walk = terrain.walkable.copy()
    for thing in terrain.neutrals:
        for x, y in maps.footprint_cells(thing.type_id, thing.x, thing.y):
            assert terrain.buildable[y, x]
            walk[y, x] = 0
    label, _ = ndimage.label(walk)
    assert len({int(label[int(y), int(x)]) for x, y in terrain.starts} - {0}) == 1
    for x, y in terrain.starts:
        assert sum(np.hypot(thing.x - x, thing.y - y) < 10 for thing in terrain.neutrals) >= 10
    levels = np.unique(terrain.levels[terrain.buildable == 1])
    assert len(levels) == (1 if name.startswith("Flat") else 2)


def test_practice_maps_are_playable_but_not_listed_as_ladder_maps():
    assert not set(maps.practice_names()) & set(maps.names())
    assert maps.load("Melee/Simple64.SC2Map").width == 88
