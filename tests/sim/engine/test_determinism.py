"""Same seed and same orders, same game; and nothing that orders can do breaks a world."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from sim.engine import state
from sim.engine.state import INSIDE
from sim.engine.world import World
from tests.sim.engine.worlds import arena, order, put, queue, step

NAMES = [
    "Marine",
    "Marauder",
    "SiegeTank",
    "SiegeTankSieged",
    "Medivac",
    "Banshee",
    "Thor",
    "Hellion",
    "SCV",
    "Battlecruiser",
    "Zergling",
    "Baneling",
    "Roach",
    "Mutalisk",
    "Hydralisk",
    "Queen",
    "Ultralisk",
    "Zealot",
    "Stalker",
    "Barracks",
    "SupplyDepot",
    "Overlord",
]
VERBS = (state.MOVE, state.PATROL, state.ATTACK, state.ATTACK_MOVE, state.HOLD, state.FOLLOW, state.HEAL, state.REPAIR)


def fuzz(seed: int, loops: int = 400, units: int = 60) -> World:
    """A world with walls, in which units of all kinds get random orders all the time."""
    rng = np.random.default_rng(seed)
    walk = np.ones((48, 48), np.uint8)
    for _ in range(12):
        y, x = rng.integers(0, 40, 2)
        walk[y : y + rng.integers(1, 8), x : x + rng.integers(1, 8)] = 0
    world = arena(48, 48, seed=seed, walk=walk)
    world.levels[:, 24:] += 16
    world.players["minerals"] = 1000
    free = np.argwhere(walk)
    for _ in range(units):
        y, x = free[rng.integers(len(free))] + rng.random(2)
        put(world, NAMES[rng.integers(len(NAMES))], int(rng.integers(1, 3)), x, y)
    for _ in range(loops // 4):
        for slot in rng.integers(0, units, 6):
            give = order if rng.random() < 0.7 or world.units["order_count"][slot] > 10 else queue
            target = int(rng.integers(units)) if rng.random() < 0.5 else -1
            x, y = rng.uniform(-5, 53, 2)
            give(world, slot, int(rng.choice(VERBS)), x, y, target, x2=20, y2=20)
        if rng.random() < 0.05:
            y, x = rng.integers(0, 44, 2)
            world.walk[y : y + 3, x : x + 3] ^= 1
            world.world["terrain_version"] += 1
        step(world, 4)
        check(world)
    return world


def check(world: World) -> None:
    """What must hold in every loop of every world."""
    living = world.units[world.units["alive"] == 1]
    for name in ("x", "y", "facing", "hp", "speed", "energy", "turret", "goal_x", "way_x"):
        assert np.isfinite(living[name]).all(), name
    assert (living["hp"] <= living["hp_max"]).all()
    assert (living["hp"] > 0).all()
    assert (living["shield"] >= 0).all()
    height, width = world.walk.shape
    assert ((living["x"] >= 0) & (living["x"] < width) & (living["y"] >= 0) & (living["y"] < height)).all()
    assert (living["order_count"] <= state.ORDER_DEPTH).all()


def on_free_ground(world: World) -> bool:
    """True if every ground unit that can move stands on a walkable cell."""
    units = world.units
    kinds = world.types[units["owner"], units["type"]]
    ground = (units["alive"] == 1) & (units["flags"] & (state.FLYING | INSIDE) == 0) & (kinds["speed"] > 0)
    ground &= kinds["structure"] == 0
    return bool(world.walk[units["y"][ground].astype(int), units["x"][ground].astype(int)].all())


@pytest.mark.parametrize("seed", range(4))
def test_random_orders_break_nothing(seed: int) -> None:
    world = fuzz(seed)
    step(world, 200)
    check(world)
    assert on_free_ground(world)


def state_hash(world: World) -> str:
    """Hash of all that the game remembers: equal hashes, equal games."""
    digest = hashlib.sha256()
    used = int(world.world["slots"][0])
    for array in (world.world, world.units[:used], world.orders[:used], world.jobs[:used], world.players):
        digest.update(np.ascontiguousarray(array).tobytes())
    for array in (world.missiles, world.eyes, world.walk, world.creep, world.visibility):
        digest.update(array.tobytes())
    return digest.hexdigest()


def test_the_same_seed_and_orders_give_the_same_game() -> None:
    assert state_hash(fuzz(11, 200)) == state_hash(fuzz(11, 200))


def test_another_seed_gives_another_game() -> None:
    def play(seed: int) -> str:
        world = arena(seed=seed)
        for k in range(10):
            put(world, "Marine", 1, 14, 10 + k)
            put(world, "Marine", 2, 19, 10 + k)
        step(world, 100)
        return state_hash(world)

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_scratch_memory_does_not_matter() -> None:
    worlds = [arena(seed=5), arena(seed=5)]
    for world in worlds:
        for k in range(12):
            order(world, put(world, "Marine", 1, 10, 8 + k), state.ATTACK_MOVE, 30, 20)
            order(world, put(world, "Zergling", 2, 25, 8 + k), state.ATTACK_MOVE, 5, 20)
    for array in (worlds[1].spots, worlds[1].kinds, worlds[1].traits, worlds[1].keys):
        array.view(np.uint8)[:] = 77
    worlds[1].queue[:] = 5
    worlds[1].near[:] = 3
    for world in worlds:
        step(world, 200)
    assert state_hash(worlds[0]) == state_hash(worlds[1])
