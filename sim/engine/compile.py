"""Compile the whole kernel ahead of its first use, and tell how far it is."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from sim.engine import catalog, deaths, grid, missiles, orders, pathing, state, step, timers, vision
from sim.engine.bundles import Ways
from sim.engine.jit import cache_folder, prune
from sim.engine.world import World, new_world

# What is compiled, in this order: (name, share of the whole time, function of a `World`).
# The later ones contain the earlier ones' code, so that each part is a step on the way.
_PARTS: tuple[tuple[str, float, Any], ...] = (
    ("spatial hash", 0.04, grid.build_grid),
    ("counters", 0.04, timers.tick_units),
    ("sight", 0.05, vision.see),
    ("movement and paths", 0.3, step.move_units),
    ("combat", 0.12, step.fight_units),
    ("missiles", 0.1, missiles.fly_missiles),
    ("deaths", 0.01, deaths.bury),
    ("orders and targets", 0.14, orders.carry_out_orders),
    ("the whole loop", 0.2, step.step_world),
)
_ENTRIES = (vision.see, step.step_world)  # what Python calls


def sample_world() -> World:
    """A tiny world whose arrays have the types that every world's have."""
    flat = np.ones((8, 8), np.uint8)
    types = np.zeros((state.PLAYERS, 4), catalog.TYPE)
    weapons = np.zeros((state.PLAYERS, 4), catalog.WEAPON)
    return new_world(4, flat, flat, types, weapons, seed=0, fields=4)


def is_compiled() -> bool:
    """True if the kernel lies compiled in the cache, as its sources are now."""
    folder = cache_folder(pathlib.Path(step.__file__))
    return folder.is_dir() and any(folder.rglob("step.step_world-*.nbi"))


def warm_up(report: Callable[[str, float], None]) -> None:
    """Compile the kernel, or take it from the cache.

    `report(part, share)` is called before each part with the share of the time that is behind, and with 1.0 at the end.
    """
    prune()
    world = sample_world()
    done = 0.0
    parts = [part for part in _PARTS if part[2] in _ENTRIES] if is_compiled() else _PARTS
    total = sum(part[1] for part in parts)
    for name, share, function in parts:
        report(name, done)
        function.compile((numba.typeof(world),))
        done += 0.95 * share / total
    report("walking distances", done)
    ways = Ways(world.fields, world.distance, world.corner, world.labels, world.queue)
    pathing.walking_distance(world.world[0], 0, world.walk, ways, 1.0, 1.0, 6.0, 6.0)
    pathing.fit_broad(world.world[0], world.walk, world.broad)
    report("done", 1.0)
