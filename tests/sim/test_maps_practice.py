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


# What public programs for pysc2 know of Simple64: halls and their second bases; some of the sites of their depots and
# Barracks, on each side. Columns are squeezed by 88 / 96, rows counted from above.
STARTS, NATURALS = ((54, 68), (26, 35)), ((23, 72), (57, 31))
DEPOTS = (
    ((17, 38), (17, 30), (19, 27), (23, 26), (35, 26), (19, 43), (22, 46), (28, 44), (32, 40), (30, 37)),
    ((51, 79), (55, 77), (59, 76), (61, 75), (63, 71), (61, 61), (57, 64), (52, 58), (46, 64), (44, 78)),
)
BARRACKS = (((25, 41), (36, 28), (37, 38), (16, 31), (24, 26)), ((47, 75), (52, 63), (43, 65), (44, 75), (60, 77)))


def test_halls_of_simple64_stand_where_those_of_the_real_one_do():
    terrain = maps.load("Simple64")
    assert tuple((int(x * 88 / 96), int(96 - y)) for x, y in terrain.starts) == STARTS
    for column, row in NATURALS:
        x, y = int((column + 0.5) * 96 / 88) + 0.5, 96 - row - 0.5
        assert free(terrain, x, y, 5)
        assert sum(np.hypot(thing.x - x, thing.y - y) < 10 for thing in terrain.neutrals) == 10


@pytest.mark.parametrize("cells", [2, 3])
def test_sites_of_public_programs_are_open_on_simple64(cells):
    terrain = maps.load("Simple64")
    for column, row in (place for side in (DEPOTS if cells == 2 else BARRACKS) for place in side):
        assert free(terrain, (column + 0.25) * 96 / 88, 96 - row - 0.25, cells), (column, row)


def free(terrain, x, y, cells):
    """A structure with so many cells a side that is asked for at a point has room."""
    ground = terrain.buildable.copy()
    for thing in terrain.neutrals:
        for column, row in maps.footprint_cells(thing.type_id, thing.x, thing.y):
            ground[row, column] = 0
    left, low = (round(v) - cells // 2 if cells % 2 == 0 else int(v) - cells // 2 for v in (x, y))
    return bool(ground[low : low + cells, left : left + cells].all())
