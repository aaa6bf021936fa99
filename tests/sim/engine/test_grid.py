"""How units stand in the spatial hash, which every search goes through."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine import state
from sim.engine.parameters import BUCKET
from sim.engine.world import FEW, HIDDEN, World
from tests.sim.engine.worlds import arena, put, step


def expected(world: World) -> list[int]:
    """Slots of the living in the order in which searches meet them."""
    units = world.units
    rows, columns = (units["y"] / BUCKET).astype(int), (units["x"] / BUCKET).astype(int)
    return sorted(np.flatnonzero(units["alive"]).tolist(), key=lambda slot: (rows[slot], columns[slot], slot))


@pytest.mark.parametrize("count", [5, FEW, 3 * FEW])
def test_units_stand_by_rows_columns_and_slots(count: int) -> None:
    world = arena(slots=128)
    rng = np.random.default_rng(count)
    for _ in range(count):
        put(world, "Medivac", 1, *rng.uniform(1, 39, 2))
    for dead in (0, 1, 3):
        world.units["alive"][:dead] = 0
        world.units["x"][dead:count] = rng.uniform(1, 39, count - dead)
        order = expected(world)
        rows = (world.units["y"][order] / BUCKET).astype(int)
        step(world)
        assert world.spots["slot"].reshape(-1)[: len(order)].tolist() == order
        assert not world.spots["marks"].reshape(-1)[len(order) : -(-len(order) // 16) * 16].any()
        if count > FEW:
            assert world.buckets.tolist() == np.searchsorted(rows, np.arange(len(world.buckets))).tolist()


def test_marks_follow_a_units_flags() -> None:
    world = arena()
    slot = put(world, "Banshee", 1, 10, 10)
    for flags in (0, state.CLOAKED, state.CLOAKED | state.DETECTED, 0):
        world.units["flags"][slot] = state.FLYING | flags
        step(world)
        assert bool(world.spots["marks"][0, 0] & HIDDEN) == (flags == state.CLOAKED)
