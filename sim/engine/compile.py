"""Compile the whole kernel ahead of its first use, and tell how far it is."""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np

from sim.engine import state, step
from sim.engine.world import World, new_world


def sample_world() -> World:
    """A tiny world whose arrays have the types that every world's have."""
    flat = np.ones((8, 8), np.uint8)
    types = np.zeros((state.PLAYERS, 4), state.TYPE)
    weapons = np.zeros((state.PLAYERS, 4), state.WEAPON)
    return new_world(4, flat, flat, types, weapons, seed=0, fields=1)


def is_compiled() -> bool:
    """True if this machine keeps the kernel compiled from exactly these sources."""
    if step.step_world.signatures:
        return True
    types = tuple(numba.typeof(array) for array in sample_world().arrays)
    cache = step.step_world._cache
    return any(sig[0] == types for sig in cache._impl_index()) if hasattr(cache, "_impl_index") else False


def warm_up(report: Callable[[str, float], None]) -> None:
    """Compile the kernel or take it from the cache; `report(what, share done)` is called before each part."""
    step.step_world(*sample_world().arrays)
    report("done", 1.0)
