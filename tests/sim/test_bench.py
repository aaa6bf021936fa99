"""What `python -m sim bench` times."""

from __future__ import annotations

import pytest

from sim.bench import battle_world, time_loops
from sim.server import bench


@pytest.mark.parametrize("spread", [False, True])
def test_a_world_is_timed_while_its_units_move(spread: bool) -> None:
    world = battle_world(20, 0, spread)
    x, y = world.units["x"][:20].copy(), world.units["y"][:20].copy()
    assert world.visibility.any(), "its players see before the first loop"
    assert (time_loops(world, 8) > 0).all()
    moved = (world.units["x"][:20] != x) | (world.units["y"][:20] != y)
    assert moved.all()


def test_the_server_is_timed_with_a_client_of_its_own(monkeypatch, capsys) -> None:
    monkeypatch.setattr(bench, "SIZES", (3, 5))
    bench.bench_server(2)
    lines = capsys.readouterr().out.splitlines()
    share = [line.split()[-3:] for line in lines if "server's share" in line]
    assert len(share) == 2
    assert all(0 < float(least) <= float(most) for least, _, most in share)
    assert any(line.startswith("  5 units: built with feature layers") for line in lines)
