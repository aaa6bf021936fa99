"""Protoss structures: warping in, power, supply, queues without power."""

from __future__ import annotations

import pytest

from sim.engine.state import DETECTED, DISARMED, UNFINISHED
from sim.melee.placement import can_place
from tests.sim.melee.field import finished, geyser, give, newest, order, until
from tests.sim.melee.powers_world import at_rest
from tests.sim.melee.protoss_world import BUILD, powered, protoss


def test_start() -> None:
    game = protoss(rich=False)
    assert len(game.owned(1, "Nexus")) == 1
    assert len(game.owned(1, "Probe")) == 12
    assert (game.players[1]["supply_used"], game.players[1]["supply_cap"]) == (12, 15)
    assert game.units[game.owned(1, "Nexus")[0]]["energy"] >= 50


def test_a_probe_is_free_at_once_and_the_pylon_takes_400_loops() -> None:
    game = protoss()
    probe = give(game, "Probe", 40.5, 40.5)
    assert order(game, probe, BUILD["Pylon"], (48.0, 48.0)) == 1
    until(game, lambda: bool(game.owned(1, "Pylon")), 400)
    pylon = game.owned(1, "Pylon")[0]
    assert not game.units[probe]["order_count"], "the probe is free"
    assert game.units[pylon]["shield"] < game.units[pylon]["shield_max"]
    assert until(game, lambda: finished(game, pylon), 500) == 399, "the loop in which it began counts"
    assert game.units[pylon]["hp"] == 200
    assert game.units[pylon]["shield"] == 200
    game.step()
    assert game.players[1]["supply_cap"] == 23


def test_structures_need_power() -> None:
    game = protoss()
    assert can_place(game, 1, BUILD["Gateway"], 48.5, 48.5) == 50
    give(game, "Pylon", 48.0, 54.0)
    game.step()
    assert can_place(game, 1, BUILD["Gateway"], 48.5, 48.5) == 1
    assert can_place(game, 1, BUILD["Gateway"], 48.5, 47.0) == 50, "farther than 6.5"
    assert can_place(game, 1, BUILD["Pylon"], 30.0, 30.0) == 1, "pylons need none"


def test_everything_up_to_a_stalker() -> None:
    game = protoss()
    give(game, "Pylon", 48.0, 48.0)
    probe = give(game, "Probe", 40.5, 44.5)
    game.step()
    assert order(game, probe, BUILD["CyberneticsCore"], (44.5, 48.5)) == 40, "needs a gateway"
    assert order(game, probe, BUILD["Gateway"], (44.5, 48.5)) == 1
    until(game, lambda: bool(game.owned(1, "Gateway")), 300)
    gateway = game.owned(1, "Gateway")[0]
    assert until(game, lambda: finished(game, gateway), 1100) == 1039
    assert order(game, probe, BUILD["CyberneticsCore"], (51.5, 48.5)) == 1
    assert order(game, gateway, 917) == 40, "a stalker needs the core"
    assert order(game, gateway, 916) == 1
    game.step()
    born = game.loop
    until(game, lambda: bool(game.owned(1, "Zealot")), 700)
    assert game.loop - born in (606, 607, 608)
    until(game, lambda: bool(game.owned(1, "CyberneticsCore")), 300)
    core = game.owned(1, "CyberneticsCore")[0]
    until(game, lambda: finished(game, core), 900)
    assert order(game, gateway, 917) == 1


def test_without_its_pylon_a_queue_stands_still_and_a_cannon_is_silent() -> None:
    game = protoss()
    pylon, cannon = give(game, "Pylon", 48.0, 48.0), give(game, "PhotonCannon", 46.0, 48.0)
    gateway = give(game, "Gateway", 51.5, 48.5)
    game.step()
    assert powered(game, gateway)
    assert powered(game, cannon)
    hidden = give(game, "DarkTemplar", 46.0, 58.0, 2)
    at_rest(game, hidden)
    assert order(game, gateway, 916) == 1
    game.step(100)
    left = int(game.jobs[gateway, 0]["left"])
    assert int(game.units[hidden]["flags"]) & DETECTED
    game.kill(pylon)
    game.step(50)
    assert not powered(game, gateway)
    assert int(game.units[cannon]["flags"]) & DISARMED
    assert not int(game.units[hidden]["flags"]) & DETECTED, "nor does it detect"
    assert left - 1 <= game.jobs[gateway, 0]["left"] <= left
    assert order(game, gateway, 916) == 52
    give(game, "Pylon", 48.0, 48.0)
    game.step(11)
    assert powered(game, gateway)
    assert not int(game.units[cannon]["flags"]) & DISARMED
    assert game.jobs[gateway, 0]["left"] <= left - 9


def test_cancel_gives_three_quarters_back() -> None:
    game = protoss()
    probe = give(game, "Probe", 44.5, 44.5)
    order(game, probe, BUILD["Nexus"], (48.5, 48.5))
    until(game, lambda: len(game.owned(1, "Nexus")) == 2, 400)
    nexus = newest(game, "Nexus")
    assert int(game.units[nexus]["flags"]) & UNFINISHED
    before = int(game.players[1]["minerals"])
    assert order(game, nexus, 314) == 1
    game.step()
    assert game.players[1]["minerals"] - before >= 300
    assert not game.units[nexus]["alive"]


def test_an_assimilator_gives_gas() -> None:
    game = protoss()
    probe = give(game, "Probe", 60.5, 70.5)
    assert order(game, probe, BUILD["Assimilator"], geyser(game)) == 1
    until(game, lambda: bool(game.owned(1, "Assimilator")), 300)
    assimilator = game.owned(1, "Assimilator")[0]
    assert until(game, lambda: finished(game, assimilator), 600) == 479
    assert order(game, probe, 1, assimilator) == 1
    gas = int(game.players[1]["gas_gathered"])
    give(game, "Nexus", 60.5, 70.5)
    until(game, lambda: int(game.players[1]["gas_gathered"]) > gas, 400)


def assimilator_of(game, probe: int) -> int:
    """The assimilator that a probe at rest has just begun. -> slot"""
    assert order(game, probe, BUILD["Assimilator"], geyser(game)) == 1
    until(game, lambda: bool(game.owned(1, "Assimilator")), 300)
    return game.owned(1, "Assimilator")[0]


def test_the_probe_that_placed_an_assimilator_waits_for_it_and_harvests_there() -> None:
    """Real builders that nobody told anything had their first load 33 loops after the completion."""
    game = protoss()
    probe = give(game, "Probe", 60.5, 78.5)
    assimilator = assimilator_of(game, probe)
    game.step(10)
    first = game.orders[probe, 0]
    assert (game.units[probe]["order_count"], first["ability"], first["target"]) == (1, 298, assimilator), "not idle"
    until(game, lambda: finished(game, assimilator), 600)
    assert until(game, lambda: bool(game.units[probe]["carry"]), 60) in (33, 34)


@pytest.mark.parametrize("queued", [False, True])
def test_a_probe_that_was_told_something_else_does_not_wait_for_gas(queued: bool) -> None:
    game = protoss()
    probe = give(game, "Probe", 60.5, 78.5)
    if queued:
        assert order(game, probe, BUILD["Assimilator"], geyser(game)) == 1
        order(game, probe, 16, (50.5, 60.5), queued=True)
        until(game, lambda: bool(game.owned(1, "Assimilator")), 300)
    else:
        assimilator_of(game, probe)
        order(game, probe, 16, (50.5, 60.5))
    game.step(520)
    assert not game.units[probe]["order_count"]
    assert game.units[probe]["y"] < 62


def test_nobody_waits_for_a_cancelled_assimilator() -> None:
    game = protoss()
    probe = give(game, "Probe", 60.5, 78.5)
    assert order(game, assimilator_of(game, probe), 314) == 1
    game.step(2)
    assert not game.units[probe]["order_count"]


def loops_to_begin(game, probe: int) -> int:
    """Loops from the order until there is an assimilator at the geyser."""
    assert order(game, probe, BUILD["Assimilator"], geyser(game)) == 1
    return until(game, lambda: bool(game.owned(1, "Assimilator")), 300)


@pytest.mark.parametrize(("dx", "dy"), [(0.1, 1.9), (1.9, -0.1)])
def test_a_probe_at_rest_beside_a_geyser_begins_at_once(dx: float, dy: float) -> None:
    game = protoss()
    field = game.units[geyser(game)]
    assert loops_to_begin(game, give(game, "Probe", field["x"] + dx, field["y"] + dy)) <= 2


@pytest.mark.parametrize(("off", "least", "most"), [(0.9, 6, 9), (0.2, 0, 2)])
def test_a_probe_that_slides_along_a_geyser_stands_still_first(off: float, least: int, most: int) -> None:
    """Loops between order and start in real games: 6 to 8 while it slid, 0 once it was at the middle of the edge."""
    game = protoss()
    x, y = float(game.units[geyser(game)]["x"]), float(game.units[geyser(game)]["y"])
    probe = give(game, "Probe", x + 3, y + 5)
    order(game, probe, 16, (x, y))
    until(game, lambda: abs(game.units[probe]["x"] - x) <= off and game.units[probe]["y"] < y + 1.9, 400)
    assert least <= loops_to_begin(game, probe) <= most


def test_a_queued_stop_waits_its_turn() -> None:
    """Public bots send it behind the order to build, so that the worker is idle afterwards."""
    game = protoss()
    probe = give(game, "Probe", 40.5, 40.5)
    order(game, probe, BUILD["Pylon"], (48.0, 48.0))
    assert order(game, probe, 3665, queued=True) == 1
    game.step()
    assert game.units[probe]["order_count"] == 2
    until(game, lambda: bool(game.owned(1, "Pylon")), 400)
    game.step(2)
    assert not game.units[probe]["order_count"]
