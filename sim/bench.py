"""Speed of the kernel, printed; nothing in the tests is timed."""

from __future__ import annotations

import time

import numpy as np

from sim.engine import state
from sim.engine.compile import warm_up
from sim.engine.jit import bound
from sim.engine.step import step_world
from sim.engine.vision import see
from sim.engine.world import World, new_world, put_unit
from sim.facts import load

LOOPS = 448  # 20 seconds of game
SIZE = 160  # side of the map in cells
ARMY = (("Marine", 6), ("Marauder", 2), ("SiegeTank", 1), ("Medivac", 1), ("Zergling", 0))
SWARM = (("Zergling", 5), ("Roach", 3), ("Hydralisk", 1), ("Mutalisk", 1))


def benchmark_map() -> np.ndarray:
    """u1[SIZE, SIZE]: open ground with walls that have gaps, so that ways have corners."""
    walk = np.ones((SIZE, SIZE), np.uint8)
    walk[[0, -1]] = 0
    walk[:, [0, -1]] = 0
    for k, column in enumerate(range(24, SIZE - 16, 28)):
        walk[:, column : column + 3] = 0
        gap = 12 + 37 * k % (SIZE - 40)
        walk[gap : gap + 10, column : column + 3] = 1
        walk[(gap + 70) % (SIZE - 20) : (gap + 70) % (SIZE - 20) + 6, column : column + 3] = 1
    return walk


def army_of(count: int, shares: tuple[tuple[str, int], ...]) -> list[str]:
    """Type names of `count` units in the given shares."""
    pattern = [name for name, share in shares for _ in range(share)]
    return [pattern[k % len(pattern)] for k in range(count)]


def battle_world(count: int, seed: int, spread: bool) -> World:
    """Two mixed armies of `count` units together: face to face in the open, or spread over a map with walls, each unit
    with orders to walk through it. Nobody loses life, so that the number of units stays."""
    facts = load("5.0.14")
    walk = benchmark_map() if spread else np.ones((SIZE, SIZE), np.uint8)
    types = np.stack([facts.types] * state.PLAYERS)
    weapons = np.stack([facts.weapons] * state.PLAYERS)
    for name in ("damage", "bonus", "structure_damage", "suicide"):
        weapons[name] = 0
    types["hp_regen"] = 10  # half a point of damage always comes through
    world = new_world(count, walk, np.full(walk.shape, 191, np.uint8), types, weapons, seed=seed)
    rng = np.random.default_rng(seed)
    free = np.argwhere(walk)
    for slot in range(count):
        owner = 1 + slot % 2
        names = army_of(count, ARMY if owner == 1 else SWARM)
        if spread:
            y, x = free[rng.integers(len(free))] + 0.5
        else:
            x = 80 + (owner * 2 - 3) * (6 + rng.random() * 12)
            y = 80 + (rng.random() - 0.5) * 30
        put_unit(world, slot, facts.ids[names[slot // 2]], owner, x, y)
        order = world.orders[slot, 0]
        order["ability"], order["verb"], order["target"], order["timer"] = 1, state.ATTACK_MOVE, -1, -1
        order["x"], order["y"] = 160 - x, y
        if spread:
            goal = free[rng.integers(len(free))] // 40 * 40 + 20.5
            order["verb"], order["x"], order["y"] = state.MOVE, goal[1], goal[0]
        world.units["order_count"][slot] = 1
    see(world)
    return world


def time_loops(world: World, loops: int) -> np.ndarray:
    """Milliseconds of processor time of each of so many loops (other programs on a busy machine do not count)."""
    times, step = np.zeros(loops), bound(step_world, world)
    for k in range(loops):
        world.world["event_count"] = 0
        start = time.thread_time()
        step()
        times[k] = 1000 * (time.thread_time() - start)
    return times


def bench_kernel() -> None:
    """Print milliseconds a loop at 100, 200 and 400 units, in battle and spread out: mean of three runs each."""
    warm_up(lambda what, share: None)
    print(f"kernel, one world of {SIZE}x{SIZE} cells, ms a loop over {LOOPS} loops, all rules with fog and paths")
    print(f"{'units':>6} {'scene':>8} {'mean of 3 runs: min':>20} {'median':>8} {'max':>8} {'worst loop':>11}")
    for count in (100, 200, 400):
        for spread in (False, True):
            runs = [time_loops(battle_world(count, seed, spread), LOOPS) for seed in range(3)]
            means = sorted(float(run.mean()) for run in runs)
            worst = max(float(run.max()) for run in runs)
            scene = "spread" if spread else "battle"
            print(f"{count:>6} {scene:>8} {means[0]:>20.3f} {means[1]:>8.3f} {means[2]:>8.3f} {worst:>11.2f}")
