"""Vipers: what they cast, under both patches."""

from __future__ import annotations

import pytest

from sim.engine.state import DETECTED, IMMOBILE, INSIDE, UNFINISHED
from sim.melee.harm import is_dragged
from sim.melee.placement import can_place
from sim.melee.records import Race, Result
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, full, lost

ABDUCT, CLOUD, BOMB, CONSUME = 2067, 2063, 2542, 2073
MOVE, ATTACK, HOLD, LOAD, SIEGE = 16, 23, 18, 911, 388


def test_abduct_brings_a_unit_to_the_viper() -> None:
    game = duel()
    viper, tank = give(game, "Viper", 40.0, 40.0), give(game, "SiegeTank", 48.0, 40.0, 2)
    full(game, viper)
    at_rest(game, tank)
    game.step(4)
    assert order(game, viper, ABDUCT, tank) == Result.SUCCESS
    game.step(2)
    order(game, viper, MOVE, (30.0, 40.0))
    game.step(9)
    assert away(game, viper, 40.0, 40.0) < 0.1, "it is busy with its tongue for .8 normal seconds"
    until(game, lambda: bool(int(game.units[tank]["flags"]) & IMMOBILE), 15)
    assert order(game, tank, MOVE, (60.0, 40.0)) == Result.ERROR
    until(game, lambda: not int(game.units[tank]["flags"]) & IMMOBILE, 20)
    assert away(game, tank, 40.0, 40.0) < 1.5
    assert order(game, tank, MOVE, (60.0, 40.0)) == Result.SUCCESS
    assert order(game, viper, ABDUCT, give(game, "SupplyDepot", 46.0, 46.0, 2)) == 116, "no structures"


@pytest.mark.parametrize("name", ["Larva", "Egg", "BanelingCocoon", "RavagerCocoon", "LurkerMPEgg", "OverlordCocoon"])
def test_larvae_and_what_grows_in_eggs_and_cocoons_are_not_abducted(name: str) -> None:
    game = duel()
    viper, other = give(game, "Viper", 40.0, 40.0), give(game, name, 46.0, 40.0, 2)
    full(game, viper)
    game.step(2)
    assert order(game, viper, ABDUCT, other) == Result.ERROR


def test_who_is_being_warped_in_is_not_abducted() -> None:
    game = duel()
    viper = give(game, "Viper", 40.0, 40.0)
    zealot = game.spawn(game.facts.ids["Zealot"], 2, 46.0, 40.0, flags=UNFINISHED)
    full(game, viper)
    game.step(2)
    assert order(game, viper, ABDUCT, zealot) == Result.CANT_TARGET_THAT_UNIT


def test_one_tongue_at_a_time_catches_a_unit() -> None:
    game = duel()
    vipers = [give(game, "Viper", 40.0, y) for y in (40.0, 44.0)]
    marine = give(game, "Marine", 47.0, 40.0, 2)
    full(game, *vipers)
    game.step(2)
    assert order(game, vipers[0], ABDUCT, marine) == Result.SUCCESS
    game.step(2)
    assert order(game, vipers[1], ABDUCT, marine) == Result.ERROR
    game.step(40)
    assert order(game, vipers[1], ABDUCT, marine) == Result.SUCCESS


@pytest.mark.parametrize("distance", [4.0, 8.0])
def test_the_way_to_the_viper_takes_as_long_from_near_as_from_afar(distance: float) -> None:
    game = duel()
    viper, marine = give(game, "Viper", 40.0, 40.0), give(game, "Marine", 40.0 + distance, 40.0, 2)
    full(game, viper)
    game.step(2)
    assert order(game, viper, ABDUCT, marine) == Result.SUCCESS
    until(game, lambda: is_dragged(game, marine), 20)
    begun = game.loop
    until(game, lambda: not is_dragged(game, marine), 40)
    assert 17 <= game.loop - begun <= 19
    assert away(game, marine, 40.0, 40.0) < 1.5


@pytest.mark.parametrize(("name", "goes_on"), [("Thor", True), ("Marauder", False)])
def test_some_go_on_with_their_orders_when_they_have_been_abducted(name: str, *, goes_on: bool) -> None:
    game = duel()
    viper, other = give(game, "Viper", 40.0, 40.0), give(game, name, 46.0, 40.0, 2)
    full(game, viper)
    at_rest(game, other)
    game.step(2)
    order(game, other, MOVE, (60.0, 40.0))
    order(game, viper, ABDUCT, other)
    until(game, lambda: is_dragged(game, other), 20)
    until(game, lambda: not is_dragged(game, other), 30)
    game.step(40)
    assert bool(away(game, other, 40.0, 40.0) > 2) is goes_on


def test_an_abducted_tank_digs_in_where_it_comes_down() -> None:
    game = duel()
    viper, tank = give(game, "Viper", 40.0, 40.0), give(game, "SiegeTank", 46.0, 40.0, 2)
    full(game, viper)
    game.step(2)
    order(game, tank, SIEGE)
    order(game, viper, ABDUCT, tank)
    game.step(90)
    assert name_of(game, tank) == "SiegeTankSieged"
    assert away(game, tank, 40.0, 40.0) < 1.5


def test_who_is_dragged_is_seen_through_its_cloak_and_boards_nothing() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    viper, templar = give(game, "Viper", 40.0, 40.0), give(game, "DarkTemplar", 46.0, 40.0, 2)
    overseer, prism = give(game, "Overseer", 45.0, 44.0), give(game, "WarpPrism", 43.0, 42.0, 2)
    full(game, viper)
    at_rest(game, templar)
    game.step(8)
    assert order(game, viper, ABDUCT, templar) == Result.SUCCESS
    until(game, lambda: is_dragged(game, templar), 20)
    game.kill(overseer)
    order(game, prism, LOAD, templar)
    game.step(10)
    assert not int(game.units[templar]["flags"]) & INSIDE
    assert int(game.units[templar]["flags"]) & DETECTED
    game.step(20)
    assert not int(game.units[templar]["flags"]) & DETECTED


def test_a_tongue_misses_who_has_gone_aboard() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    viper, zealot = give(game, "Viper", 40.0, 40.0), give(game, "Zealot", 48.0, 40.0, 2)
    prism = give(game, "WarpPrism", 48.0, 41.0, 2)
    full(game, viper)
    game.step(2)
    order(game, viper, ABDUCT, zealot)
    game.step(1)
    order(game, prism, LOAD, zealot)
    until(game, lambda: bool(int(game.units[zealot]["flags"]) & INSIDE), 5)
    for _ in range(30):
        game.step()
        assert not is_dragged(game, zealot)


def test_a_blinding_cloud_leaves_marines_no_range_but_zerglings_their_claws() -> None:
    game = duel()
    viper, roach = give(game, "Viper", 44.0, 33.0), give(game, "Roach", 48.0, 40.0)
    full(game, viper)
    at_rest(game, roach)
    marine = give(game, "Marine", 44.0, 40.0, 2)
    order(game, marine, HOLD)
    game.step(4)
    assert order(game, viper, CLOUD, (44.0, 40.0)) == Result.SUCCESS
    until(game, lambda: 83 in game.units[marine]["buff"], 10)
    assert any(effect.id == 10 for effect in game.memory.effects)
    game.kill(viper)
    game.step(20)
    before = float(game.units[roach]["hp"])
    game.step(60)
    assert float(game.units[roach]["hp"]) >= before
    zergling = give(game, "Zergling", 45.5, 40.0)
    order(game, zergling, ATTACK, marine)
    game.step(14)
    assert lost(game, marine) > 0, "blades reach in the cloud"
    assert lost(game, zergling) > 0, "and the blind Marine hits what it can touch"
    game.kill(marine)
    second = give(game, "Marine", 44.0, 40.0, 2)
    order(game, second, HOLD)
    game.step(100)
    assert float(game.units[roach]["hp"]) < before or not game.units[zergling]["alive"], "it has lifted"


def test_a_parasitic_bomb_eats_flyers_round_its_host_even_after_its_death() -> None:
    game = duel()
    viper = give(game, "Viper", 40.0, 40.0)
    full(game, viper)
    hosts = [give(game, "Medivac", 47.0, 40.0 + k, 2) for k in (0, 1.5)]
    marine = give(game, "Marine", 47.0, 40.5, 2)
    at_rest(game, marine)
    game.step(4)
    assert order(game, viper, BOMB, marine) == 111, "it must target flyers"
    assert order(game, viper, BOMB, hosts[0]) == Result.SUCCESS
    until(game, lambda: 132 in game.units[hosts[0]]["buff"], 20)
    game.kill(viper)
    for slot in hosts:
        game.units[slot]["hp"] = 150
    game.step(23)
    assert lost(game, hosts[1]) == 0, "it sleeps for a normal second"
    game.step(40)
    assert lost(game, hosts[1]) == pytest.approx(30, abs=3.1)
    game.kill(hosts[0])
    game.step(130)
    assert lost(game, hosts[1]) == pytest.approx(120, abs=3.1)
    assert lost(game, marine) == 0


def bombed(patch: str, name: str):
    """A Viper has thrown its bomb at a unit, beside which Medivacs hang in the air. -> game, the unit, a Medivac."""
    game = duel(patch)
    viper, host = give(game, "Viper", 40.0, 40.0), give(game, name, 47.0, 40.0, 2)
    full(game, viper)
    medivac = give(game, "Medivac", 47.0, 41.5, 2)
    for slot in (host, medivac):
        order(game, slot, HOLD)
        game.units[slot]["hp_max"] = game.units[slot]["hp"] = 900
    at_rest(game, host)
    game.step(4)
    assert order(game, viper, BOMB, host) == Result.SUCCESS
    game.step(2)
    game.kill(viper)
    return game, host, medivac


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
@pytest.mark.parametrize(
    ("name", "ability", "place"), [("VikingFighter", 403, None), ("Battlecruiser", 2358, (80.0, 80.0))]
)
def test_who_lands_or_jumps_leaves_a_bomb_behind(patch: str, name: str, ability: int, place) -> None:
    game, host, medivac = bombed(patch, name)
    until(game, lambda: 132 in game.units[host]["buff"], 20)
    game.step(40)
    assert order(game, host, ability, place) == Result.SUCCESS
    until(game, lambda: bool(game.owned(1, "ParasiticBombDummy")), 60)
    assert 132 not in game.units[host]["buff"]
    order(game, host, MOVE, (60.0, 60.0))
    game.step(30)
    hurt = lost(game, host)
    game.step(40)
    assert lost(game, host) == hurt
    until(game, lambda: not game.owned(1, "ParasiticBombDummy"), 200)
    assert lost(game, medivac) == pytest.approx(120, abs=3.1)


def test_a_colossus_is_bombed() -> None:
    game, host, medivac = bombed("5.0.14", "Colossus")
    game.step(220)
    assert lost(game, host) == pytest.approx(120, abs=3.1) or lost(game, medivac) == pytest.approx(120, abs=3.1)
    assert game.units[host]["shield"] < game.units[host]["shield_max"]


@pytest.mark.parametrize(("patch", "amount"), [("5.0.14", 120), ("4.10.0", 0)])
def test_a_bomb_whose_host_dies_in_its_flight(patch: str, amount: float) -> None:
    """The newer patch's spreads where he was, at once."""
    game, host, medivac = bombed(patch, "VikingFighter")
    assert 132 not in game.units[host]["buff"]
    game.kill(host)
    game.step(220)
    assert lost(game, medivac) == pytest.approx(amount, abs=3.1)
    assert not game.owned(1, "ParasiticBombDummy")


def test_a_viper_drinks_from_a_structure() -> None:
    game = duel()
    viper, pool = give(game, "Viper", 40.0, 40.0), give(game, "Hatchery", 46.5, 40.5)
    game.step(4)
    energy = float(game.units[viper]["energy"])
    life = float(game.units[pool]["hp"])
    assert order(game, viper, CONSUME, give(game, "Barracks", 52.5, 40.5, 2)) == 110, "no enemies"
    assert order(game, viper, CONSUME, give(game, "CreepTumorBurrowed", 40.5, 46.5)) == Result.ERROR
    assert order(game, viper, CONSUME, pool) == Result.SUCCESS
    game.step(345)
    regained = 345 * 0.5625 / 16
    assert game.units[viper]["energy"] == pytest.approx(energy + 50 + regained, abs=1)
    assert life - game.units[pool]["hp"] == pytest.approx(150 - 345 * 0.01709, abs=8)


def test_an_abducted_prism_takes_its_power_along() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    prism, viper = give(game, "WarpPrismPhasing", 49.0, 40.0, 2), give(game, "Viper", 41.0, 40.0)
    give(game, "CyberneticsCore", 60.5, 60.5, 2)
    full(game, viper)
    game.step(10)

    def powered(x: float) -> bool:
        return can_place(game, 2, 883, x, 40.5) == Result.SUCCESS  # Gateway

    assert powered(51.5)
    assert order(game, viper, ABDUCT, prism) == Result.SUCCESS
    game.step(60)
    assert game.units[prism]["x"] < 43
    assert not powered(51.5)
    assert powered(43.5)


def test_a_flyer_stays_over_the_edge_that_it_was_dragged_to_and_walkers_beside_it() -> None:
    for name, stays in (("Medivac", True), ("Marine", False)):
        game = duel()
        game.walk[38:43, 36:43] = 0
        game.world[0]["terrain_version"] += 1
        viper, victim = give(game, "Viper", 39.5, 40.5), give(game, name, 47.0, 40.5, 2)
        full(game, viper)
        at_rest(game, victim)
        assert order(game, viper, ABDUCT, victim) == Result.SUCCESS
        until(game, lambda game=game, victim=victim: is_dragged(game, victim), 30)
        until(game, lambda game=game, victim=victim: not is_dragged(game, victim), 30)
        assert (away(game, victim, 39.5, 40.5) < 1) == stays
        assert stays or game.walk[int(game.units[victim]["y"]), int(game.units[victim]["x"])]


@pytest.mark.parametrize(("patch", "sleeps"), [("5.0.14", False), ("4.10.0", True)])
def test_a_bomb_whose_host_begins_to_land_in_its_flight(patch: str, sleeps: bool) -> None:
    """The newer patch's spreads there at once, the older one's after its sleep."""
    game, host, medivac = bombed(patch, "VikingFighter")
    assert order(game, host, 403) == Result.SUCCESS
    until(game, lambda: bool(game.owned(1, "ParasiticBombDummy")), 20)
    assert (until(game, lambda: lost(game, medivac) > 0, 60) > 16) == sleeps
    game.step(220)
    assert lost(game, medivac) == pytest.approx(120, abs=3.1)


def test_who_is_being_recalled_is_not_abducted() -> None:
    game = duel("5.0.14", Race.ZERG, Race.PROTOSS)
    nexus, zealot = give(game, "Nexus", 20.5, 20.5, 2), give(game, "Zealot", 50.0, 50.0, 2)
    viper = give(game, "Viper", 45.0, 50.0)
    full(game, nexus, viper)
    at_rest(game, zealot)
    game.step(2)
    assert order(game, nexus, 3757, (50.0, 50.0)) == Result.SUCCESS
    game.step(2)
    assert order(game, viper, ABDUCT, zealot) == Result.CANT_TARGET_THAT_UNIT
