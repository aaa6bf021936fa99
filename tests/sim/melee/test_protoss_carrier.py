"""Carriers and their interceptors."""

from __future__ import annotations

import pytest

from sim.melee.protoss_carrier import BUILD
from sim.melee.records import Race, Result
from tests.sim.melee.field import give, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, full, learn
from tests.sim.melee.protoss_world import enemy, protoss, research


def test_no_order_names_an_interceptor_but_weapons_find_it() -> None:
    game = protoss()
    carrier, marine = give(game, "Carrier", 40.0, 40.0), enemy(game, "Marine", 50.0, 40.0)
    game.units[marine]["hp"] = game.units[marine]["hp_max"] = 1000
    game.step(2)
    assert order(game, carrier, 23, marine) == Result.SUCCESS
    until(game, lambda: bool(game.owned(1, "Interceptor")), 200)
    assert order(game, marine, 23, game.owned(1, "Interceptor")[0]) == Result.CANT_TARGET_THAT_UNIT
    assert order(game, marine, 23, carrier) == Result.SUCCESS
    order(game, marine, 4)
    until(game, lambda: bool(game.units[marine]["target"] in game.owned(1, "Interceptor")), 100)


def test_carriers_send_interceptors_and_take_them_back() -> None:
    game = protoss()
    carrier, depot = give(game, "Carrier", 40.0, 40.0), enemy(game, "CommandCenter", 56.5, 40.5)
    game.step(2)
    assert not game.owned(1, "Interceptor")
    assert order(game, carrier, 23, depot) == 1
    until(game, lambda: len(game.owned(1, "Interceptor")) == 4, 200)
    assert away(game, carrier, 56.5, 40.5) > 8, "it stays at its range"
    before = float(game.units[depot]["hp"])
    game.step(480)
    rate = (before - float(game.units[depot]["hp"])) / 10
    assert 4 * 8 <= rate <= 8 * 9, "five less one of armour twice, by each that flies"
    assert order(game, game.owned(1, "Interceptor")[0], 16, (10.0, 10.0)) != 1
    order(game, carrier, 16, (36.0, 40.0))
    until(game, lambda: not game.owned(1, "Interceptor"), 200)
    assert game.units[carrier]["timer"] >= 5
    until(game, lambda: game.units[carrier]["timer"] == 8, 900)
    assert order(game, carrier, 1042) != 1
    order(game, carrier, 23, depot)
    until(game, lambda: len(game.owned(1, "Interceptor")) == 8, 300)
    game.kill(carrier)
    assert not game.owned(1, "Interceptor")


def test_a_carrier_builds_one_interceptor_after_the_other_without_a_break() -> None:
    game = protoss()
    carrier = give(game, "Carrier", 30.0, 40.0)
    made = [until(game, lambda k=k: game.units[carrier]["timer"] == k, 250) for k in (5, 6, 7, 8)]
    assert made[1:] == [192, 192, 192]
    assert made[0] <= 195


def test_interceptors_go_on_while_their_carrier_withdraws_within_the_leash() -> None:
    game = protoss()
    carrier, hall = give(game, "Carrier", 40.0, 40.0), enemy(game, "CommandCenter", 52.5, 40.5)
    give(game, "Overlord", 50.0, 36.0)
    game.step(8)
    assert order(game, carrier, 23, hall) == 1
    until(game, lambda: len(game.owned(1, "Interceptor")) == 4, 200)
    assert order(game, carrier, 16, (40.0, 41.0)) == 1  # 12.5 cells from it
    game.step(100)
    before = float(game.units[hall]["hp"])
    game.step(100)
    assert game.units[hall]["hp"] < before - 50
    assert len(game.owned(1, "Interceptor")) >= 4
    assert order(game, carrier, 16, (32.0, 41.0)) == 1
    until(game, lambda: not game.owned(1, "Interceptor"), 200)


def test_a_carrier_that_builds_interceptors_can_be_stopped_and_goes_on_building() -> None:
    game = protoss()
    carrier = give(game, "Carrier", 30.0, 40.0)
    game.step(40)
    assert game.units[carrier]["job_count"]
    order(game, carrier, 16, (60.0, 40.0))
    game.step(4)
    assert order(game, carrier, 4) == 1
    game.step()
    assert not game.units[carrier]["order_count"]
    assert game.units[carrier]["job_count"]


@pytest.mark.parametrize(("upgraded", "loops"), [(False, 42), (True, 24)])
def test_the_graviton_catapult_hastens_launches(*, upgraded: bool, loops: int) -> None:
    game = protoss()
    if upgraded:
        research(game, 1, "CarrierLaunchSpeedUpgrade")
    carrier, depot = give(game, "Carrier", 46.0, 40.0), enemy(game, "CommandCenter", 56.5, 40.5)
    game.units[carrier]["timer"] = 8
    order(game, carrier, 23, depot)
    until(game, lambda: bool(game.owned(1, "Interceptor")), 100)
    assert until(game, lambda: len(game.owned(1, "Interceptor")) == 8, 60) == pytest.approx(loops, abs=4)


def test_a_carrier_whose_autocast_is_off_builds_by_order_only() -> None:
    """The data of real clients says that the ability may cast itself."""
    game = protoss()
    carrier = give(game, "Carrier", 30.0, 40.0)
    assert order(game, carrier, BUILD, autocast=True) == Result.SUCCESS
    game.step(250)
    aboard = int(game.units[carrier]["timer"])
    assert aboard <= 5, "what had begun is completed"
    assert not game.units[carrier]["job_count"]
    assert order(game, carrier, BUILD) == Result.SUCCESS
    game.step(250)
    assert game.units[carrier]["timer"] == aboard + 1
    assert order(game, carrier, BUILD, autocast=True) == Result.SUCCESS
    until(game, lambda: game.units[carrier]["timer"] == aboard + 2, 250)


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_jammed_carrier_sends_nobody(patch: str) -> None:
    game = duel(patch, Race.TERRAN, Race.PROTOSS)
    raven, carrier = give(game, "Raven", 40.0, 40.0), give(game, "Carrier", 49.0, 40.0, 2)
    full(game, raven)
    learn(game, "InterferenceMatrix")
    game.memory.taught.add(1)
    game.step(4)
    assert order(game, raven, 3747, carrier) == Result.SUCCESS
    until(game, lambda: (game.units[carrier]["buff"] > 0).any(), 40)
    for slot in game.owned(2, "Interceptor"):
        game.remove(slot)
    give(game, "CommandCenter", 54.5, 40.5)
    game.step(100)
    assert not game.owned(2, "Interceptor")
    game.step(200)
    assert game.owned(2, "Interceptor"), "the matrix is over"


@pytest.mark.parametrize(("patch", "fought"), [("5.0.14", False), ("4.10.0", True)])
def test_interceptors_of_a_stolen_carrier_are_left_alone_in_the_newer_patch(patch: str, fought: bool) -> None:
    """The notes of 5.0.2: they draw no aggression from the units of its original owner."""
    game = duel(patch, Race.ZERG, Race.PROTOSS)
    infestor, carrier = give(game, "Infestor", 40.0, 40.0), give(game, "Carrier", 46.0, 40.0, 2)
    prey, stalkers = give(game, "Zealot", 54.0, 40.0, 2), [give(game, "Stalker", 61.0, 40.0 + k, 2) for k in (0, 1)]
    full(game, infestor)
    at_rest(game, infestor, prey)
    learn(game, "NeuralParasite")
    for slot in stalkers:
        order(game, slot, 18)
    game.step(4)
    assert order(game, infestor, 249, carrier) == Result.SUCCESS
    until(game, lambda: game.units[carrier]["owner"] == 1, 40)
    assert order(game, carrier, 23, prey) == Result.SUCCESS
    aimed: set[int] = set()
    for _ in range(90):
        game.step()
        aimed |= {int(game.units[slot]["target"]) for slot in stalkers}
    swarm = set(game.owned(1, "Interceptor"))
    assert swarm
    assert bool(aimed & swarm) == fought
