"""Reapers and Colossi walk up and down cliffs; nobody else does."""

import dataclasses

import numpy as np
import pytest

from sim.engine.state import DISARMED, IMMOBILE
from sim.maps import arena
from sim.maps.cliffs import climbable
from sim.melee.game import Command, Game, PlayerSetup
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import learn

MOVE, EXPLODE, NOVA, GUARD = 16, 42, 2346, 76


def plateau(rise: int, patch: str = "5.0.14") -> Game:
    """A field of 96x96 whose right half lies `rise` height bytes higher, behind a cliff with a way round at the top."""
    flat = arena(96, 96)
    walkable, levels = flat.walkable.copy(), flat.levels.copy()
    levels[:, 48:] += np.uint8(rise)
    walkable[:84, 47:50] = 0
    terrain = dataclasses.replace(flat, walkable=walkable, levels=levels)
    game = Game(terrain, [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=1, patch=patch)
    game.step()
    return game


@pytest.mark.parametrize(("name", "climbs"), [("Reaper", True), ("Colossus", True), ("Marine", False)])
def test_who_climbs(name, climbs):
    game = plateau(16)
    slot = give(game, name, 44.5, 40.5)
    speed = float(game.type_of(slot)["speed"])
    order(game, slot, MOVE, (53.5, 40.5))
    straight = 9 / speed
    game.step(int(straight) + 12)
    there = abs(float(game.units[slot]["x"]) - 53.5) < 0.5
    assert there is climbs
    if climbs:
        order(game, slot, MOVE, (44.5, 40.5))
        assert until(game, lambda: game.units[slot]["x"] < 44.7, 400) < straight + 15
    else:
        assert game.units[slot]["y"] > 44, "it is on the long way round"


def test_structures_on_the_edge_still_block_climbers():
    game = plateau(16)
    for row in range(20, 84, 2):
        give(game, "SupplyDepot", 52, row)
    reaper = give(game, "Reaper", 44.5, 50.5)
    order(game, reaper, MOVE, (60.5, 50.5))
    game.step(int(16 / float(game.type_of(reaper)["speed"])) + 10)
    assert game.units[reaper]["x"] < 58


@pytest.mark.parametrize("rise", [0, 32])
def test_chasms_and_high_cliffs_stop_them_too(rise):
    game = plateau(rise)
    reaper = give(game, "Reaper", 44.5, 40.5)
    order(game, reaper, MOVE, (53.5, 40.5))
    game.step(80)
    assert game.units[reaper]["x"] < 48 or game.units[reaper]["y"] > 60


def test_the_band_of_a_cliff():
    walkable, levels = np.ones((12, 20), np.uint8), np.full((12, 20), 191, np.uint8)
    walkable[:, 8:11] = 0
    walkable[5, 15] = 0
    levels[:, 9:] = 207
    found = climbable(walkable, levels)
    assert found[:, 8:11].all()
    assert not found[5, 15], "a rock on level ground"
    levels[:, 9:] = 223
    assert not climbable(walkable, levels)[:, 8:11].any()


@pytest.mark.parametrize(("rise", "spared"), [(16, True), (8, False)])
@pytest.mark.parametrize(
    ("name", "ability", "place", "loops"), [("Baneling", EXPLODE, None, 2), ("Disruptor", NOVA, 1, 60)]
)
def test_neither_acid_nor_a_nova_runs_over_a_cliff(rise, spared, name, ability, place, loops):
    """Told to burst there: a ramp may rise one cell within their reach, a cliff two."""
    game = plateau(rise)
    slot = give(game, name, 46.5, 40.5)
    here, above = give(game, "Marauder", 45.0, 40.5, owner=2), give(game, "Marauder", 48.2, 40.5, owner=2)
    for marauder in (here, above):
        game.units[marauder]["flags"] |= DISARMED | IMMOBILE
    order(game, slot, ability, place and (46.5, 40.5))
    game.step(loops)
    hurt = [float(game.units[slot]["hp_max"] - game.units[slot]["hp"]) > 0 for slot in (here, above)]
    assert hurt == [True, not spared]


@pytest.mark.parametrize(("patch", "over"), [("5.0.14", True), ("4.10.0", False)])
def test_a_guardian_shield_and_a_cliff(patch, over):
    """Flyers count by the ground below them."""
    game = plateau(16, patch)
    sentry = give(game, "Sentry", 46.0, 40.5)
    game.units[sentry]["energy"] = 200
    here = give(game, "Zealot", 43.5, 40.5)
    above, flyer = give(game, "Zealot", 50.2, 40.5), give(game, "Observer", 49.5, 41.5)
    order(game, sentry, GUARD)
    game.step(6)
    assert [18 in game.units[slot]["buff"] for slot in (here, above, flyer)] == [True, over, over]


def test_nobody_who_blinks_up_a_cliff_ends_below_it_for_want_of_room():
    game = plateau(16)
    learn(game, "BlinkTech")
    stalkers = [give(game, "Stalker", 43.5 + 1.3 * (k // 3), 39.2 + 1.3 * (k % 3)) for k in range(9)]
    give(game, "Observer", 52.5, 40.5)
    game.step(5)
    assert game.issue(Command(1, 1442, tuple(game.tag(slot) for slot in stalkers), 0, 50.5, 40.5, True)) == 1
    game.step()
    assert (game.units["x"][stalkers] > 50).all()
