"""The arenas: armies as the challenge's own table has them, ground that lets them meet, and how units spread."""

from __future__ import annotations

from itertools import combinations
from math import hypot

import numpy as np
import pytest
from scipy import ndimage

from sim import maps
from sim.facts import load
from sim.maps import MapError, arenas
from sim.melee.spread import spread

FIGHTS = [name for name in arenas.names() if arenas.load(name).allies]
# agents, enemies, limit, races: what the challenge's programs expect of each map
EXPECTED = {
    "3m": (3, 3, 60, "TT"),
    "8m": (8, 8, 120, "TT"),
    "25m": (25, 25, 150, "TT"),
    "5m_vs_6m": (5, 6, 70, "TT"),
    "8m_vs_9m": (8, 9, 120, "TT"),
    "10m_vs_11m": (10, 11, 150, "TT"),
    "27m_vs_30m": (27, 30, 180, "TT"),
    "MMM": (10, 10, 150, "TT"),
    "MMM2": (10, 12, 180, "TT"),
    "2s3z": (5, 5, 120, "PP"),
    "3s5z": (8, 8, 150, "PP"),
    "3s5z_vs_3s6z": (8, 9, 170, "PP"),
    "3s_vs_3z": (3, 3, 150, "PP"),
    "3s_vs_4z": (3, 4, 200, "PP"),
    "3s_vs_5z": (3, 5, 250, "PP"),
    "1c3s5z": (9, 9, 180, "PP"),
    "2m_vs_1z": (2, 1, 150, "TP"),
    "corridor": (6, 24, 400, "PZ"),
    "6h_vs_8z": (6, 8, 150, "ZP"),
    "2s_vs_1sc": (2, 1, 300, "PZ"),
    "so_many_baneling": (7, 32, 100, "PZ"),
    "bane_vs_bane": (24, 24, 200, "ZZ"),
    "2c_vs_64zg": (2, 64, 400, "PZ"),
}


def count(groups):
    return sum(group.count for group in groups)


def test_all_maps_of_the_challenge_with_their_armies():
    letters = {1: "T", 2: "Z", 3: "P"}
    found = {}
    for name in FIGHTS:
        arena = arenas.load(name)
        races = "".join(letters[race] for race in arena.races)
        found[name] = (count(arena.allies), count(arena.enemies), arena.limit, races)
    assert found == EXPECTED


@pytest.mark.parametrize("name", arenas.names())
def test_ground_and_armies_fit(name):
    arena = arenas.load(name)
    terrain, facts = arena.terrain, load()
    assert maps.load(f"SMAC_Maps/{name}.SC2Map") is terrain
    assert (terrain.width, terrain.height, terrain.playable, terrain.arena) == (32, 32, (0, 0, 32, 32), name)
    labels, _ = ndimage.label(terrain.walkable)  # four neighbours: what every unit can pass
    parts = {int(labels[int(group.y), int(group.x)]) for group in (*arena.allies, *arena.enemies)}
    assert 0 not in parts
    assert len(parts) <= 1  # both armies on connected ground
    for group in (*arena.allies, *arena.enemies):
        assert group.type in facts.ids
    assert set(arena.copies) >= {group.type for group in arena.allies}


def test_the_plateau_is_reached_by_its_ramps_only():
    terrain = arenas.load("2c_vs_64zg").terrain
    assert terrain.levels[16, 16] == terrain.levels[9, 16] + 16
    flat = terrain.walkable * terrain.buildable  # without the ramps
    labels, _ = ndimage.label(flat)
    assert labels[16, 16] != labels[9, 16]


def test_units_made_at_one_point_spread_without_overlap():
    walkable = np.ones((32, 32), np.uint8)
    radii = [0.375] * 30 + [0.625] * 10
    places = spread([(16.0, 9.0, radius) for radius in radii], walkable)
    assert places[0] == (16.0, 9.0)
    for (a, ra), (b, rb) in combinations(zip(places, radii, strict=True), 2):
        assert hypot(a[0] - b[0], a[1] - b[1]) >= ra + rb - 1e-2
    assert max(hypot(x - 16, y - 9) for x, y in places) < 5


def test_units_spread_only_over_walkable_ground():
    arena = arenas.load("so_many_baneling")
    group = arena.enemies[0]
    places = spread([(group.x, group.y, 0.375)] * group.count, arena.terrain.walkable)
    assert all(arena.terrain.walkable[int(y), int(x)] for x, y in places)


def test_an_unknown_arena_is_one_clear_line():
    with pytest.raises(MapError, match="unknown arena 'nowhere'"):
        arenas.load("nowhere")
