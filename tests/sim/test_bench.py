"""The worlds that `python -m sim bench` times."""

from __future__ import annotations

import pytest

from sim.bench import battle_world, time_loops


@pytest.mark.parametrize("spread", [False, True])
def test_a_world_is_timed_while_its_units_move(spread: bool) -> None:
    world = battle_world(20, 0, spread)
    x, y = world.units["x"][:20].copy(), world.units["y"][:20].copy()
    assert world.visibility.any(), "its players see before the first loop"
    assert (time_loops(world, 8) > 0).all()
    moved = (world.units["x"][:20] != x) | (world.units["y"][:20] != y)
    assert moved.all()
