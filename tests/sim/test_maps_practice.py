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
    played = terrain.walkable[y0:y1, x0:x1]
    assert (played == played[::-1, ::-1]).all()
    assert terrain.walkable.sum() == played.sum()
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


def test_practice_maps_have_the_title_and_the_frame_of_the_real_ones():
    terrain = maps.load("Flat64")
    assert (terrain.title, terrain.width, terrain.height) == ("Simple Test Map 64x64", 88, 96)
    assert terrain.playable == (12, 10, 76, 74)


@pytest.mark.parametrize("name", ["Simple64", "Simple96", "Simple128"])
def test_ramps_of_simple_maps_are_main_ramps_to_client_libraries(name):
    """burnysc2 looks for one with two or five highest cells and ends with an exception where there is none."""
    terrain = maps.load(name)
    label, count = ndimage.label((terrain.walkable == 1) & (terrain.buildable == 0), np.ones((3, 3)))
    assert count == 2
    for ramp in (1, 2):
        heights = terrain.levels[label == ramp]
        assert (heights == heights.max()).sum() == 2


def test_sites_of_a_tutorial_are_open_on_simple64():
    """Its agent knows where it builds and attacks by pixels of a map of 64 that is 96 cells high."""
    terrain = maps.load("Simple64")

    def place(column, row):
        return (column + 0.5) * 1.5, terrain.height - (row + 0.5) * 1.5

    for depot, barracks in (((22, 26), (22, 21)), ((35, 42), (35, 45))):
        for (x, y), reach in ((place(*depot), 1), (place(*barracks), 2)):
            left, low = int(x) - reach, int(y) - reach
            assert terrain.buildable[low : low + 2 * reach + 1, left : left + 2 * reach + 1].all()
    for start, attacked in zip(terrain.starts, (place(38, 44), place(19, 23)), strict=True):
        assert np.hypot(start[0] - attacked[0], start[1] - attacked[1]) < 9
