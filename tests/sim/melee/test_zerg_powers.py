"""Banelings, burrowing, the Nydus network, locusts, and the smaller powers of single Zerg units."""

from __future__ import annotations

import pytest

from sim.engine.state import BURROWED, FLYING, INSIDE, UNFINISHED
from sim.melee.game import Game
from sim.melee.records import Alert, Command, Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, learn, lost
from tests.sim.server.test_observation import Eye

EXPLODE, STRUCTURES_ON, STRUCTURES_OFF, MOVE, ATTACK, HOLD, SMART, STOP = 42, 2081, 2082, 16, 23, 18, 1, 4
SUMMON, UNLOAD_NETWORK, UNLOAD_WORM, CANCEL_WORM = 1768, 1438, 2371, 175
LOCUSTS, SWOOP, SPRAY, FRENZY, HOLD_FIRE, FREE_FIRE = 2704, 2387, 2324, 4109, 2550, 2552


# -- banelings --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("patch", "marine", "marauder"), [("5.0.14", 35.0, 15.0), ("4.10.0", 35.0, 19.0)])
def test_a_baneling_told_to_explode_hurts_enemies_round_it(patch: str, marine: float, marauder: float) -> None:
    game = duel(patch)
    baneling, friend = give(game, "Baneling", 40.0, 40.0), give(game, "Zergling", 41.0, 40.0)
    light, heavy = give(game, "Marine", 40.0, 42.0, 2), give(game, "Marauder", 40.0, 38.0, 2)
    far, depot = give(game, "Marine", 44.0, 40.0, 2), give(game, "Bunker", 37.5, 40.5, 2)
    at_rest(game, friend, light, heavy, far, baneling)
    game.units[light]["hp"] = game.units[light]["hp_max"] = 100
    game.step()
    assert EXPLODE in available_abilities(game, baneling)
    assert order(game, baneling, EXPLODE) == Result.SUCCESS
    game.step(2)
    assert not game.units[baneling]["alive"]
    assert [lost(game, slot) for slot in (friend, far)] == [0, 0]
    assert lost(game, light) == pytest.approx(marine)
    assert lost(game, heavy) == pytest.approx(marauder), "armour of 1"
    assert lost(game, depot) == pytest.approx(80), "structures take 80 whatever their armour"


def test_a_killed_baneling_bursts_but_not_one_that_has_struck() -> None:
    game = duel()
    baneling, tank = give(game, "Baneling", 40.0, 40.0), give(game, "SiegeTankSieged", 41.5, 40.0, 2)
    at_rest(game, tank, baneling)
    game.step()
    game.kill(baneling)
    assert lost(game, tank) == pytest.approx(15)
    second = give(game, "Baneling", 37.0, 40.0)
    order(game, second, ATTACK, tank)
    until(game, lambda: not game.units[second]["alive"], 60)
    assert lost(game, tank) == pytest.approx(30), "one blow, not two"


def test_banelings_spare_structures_until_they_are_told_otherwise() -> None:
    game = duel()
    baneling, depot = give(game, "Baneling", 40.0, 40.0), give(game, "SupplyDepot", 44.0, 40.0, 2)
    order(game, baneling, ATTACK, (52.0, 40.0))
    game.step(40)
    assert lost(game, depot) == 0
    assert game.units[baneling]["alive"]
    assert STRUCTURES_ON in available_abilities(game, baneling)
    assert STRUCTURES_OFF not in available_abilities(game, baneling)
    assert order(game, baneling, STRUCTURES_ON) == Result.SUCCESS
    order(game, baneling, ATTACK, (40.0, 40.0))
    until(game, lambda: lost(game, depot) > 0, 120)

    third = give(game, "Baneling", 40.0, 44.0)
    assert order(game, third, ATTACK, depot) == Result.SUCCESS
    before = lost(game, depot)
    until(game, lambda: lost(game, depot) > before, 120)


def test_a_buried_baneling_explodes_and_is_hidden() -> None:
    game = duel()
    learn(game, "Burrow")
    baneling, marine = give(game, "Baneling", 40.0, 40.0), give(game, "Marauder", 46.0, 40.0, 2)
    at_rest(game, marine)
    game.step()
    order(game, baneling, 1374)
    until(game, lambda: bool(int(game.units[baneling]["flags"]) & BURROWED), 40)
    order(game, marine, MOVE, (40.5, 40.0))
    until(game, lambda: away(game, marine, 40.0, 40.0) < 1, 60)
    assert lost(game, marine) == 0
    assert order(game, baneling, EXPLODE) == Result.SUCCESS
    game.step(2)
    assert lost(game, marine) == pytest.approx(15)


# -- burrow -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
@pytest.mark.parametrize(
    ("name", "down", "up"),
    [
        ("Drone", 1378, 1380),
        ("Zergling", 1390, 1392),
        ("Roach", 1386, 1388),
        ("Ravager", 2340, 2342),
        ("Hydralisk", 1382, 1384),
        ("Queen", 1433, 1435),
        ("Infestor", 1444, 1446),
        ("SwarmHostMP", 2014, 2016),
        ("Ultralisk", 1512, 1514),
        ("LurkerMP", 2108, 2110),
    ],
)
def test_every_unit_that_can_dig_itself_in_comes_up_again(patch: str, name: str, down: int, up: int) -> None:
    game = duel(patch)
    unit = give(game, name, 40.0, 40.0)
    game.step()
    if name != "LurkerMP":
        assert order(game, unit, down) == Result.TECH_REQUIREMENTS_NOT_MET
        learn(game, "Burrow")
    tag = game.tag(unit)
    assert order(game, unit, down) == Result.SUCCESS
    ability = game.facts.abilities[down]
    took = until(game, lambda: bool(int(game.units[unit]["flags"]) & BURROWED), 80)
    assert ability.loops <= took <= ability.loops + ability.random_loops + 3
    assert name_of(game, unit).endswith("Burrowed") or name_of(game, unit) == "SwarmHostBurrowedMP"
    assert order(game, unit, up) == Result.SUCCESS
    until(game, lambda: name_of(game, unit) == name and not game.units[unit]["order_count"], 80)
    assert not int(game.units[unit]["flags"]) & BURROWED
    assert game.tag(unit) == tag
    assert order(game, unit, MOVE, (44.0, 40.0)) == Result.SUCCESS


def test_roaches_tunnel_with_their_claws_and_heal_below() -> None:
    game = duel()
    learn(game, "Burrow")
    roach = give(game, "Roach", 40.0, 40.0)
    game.step()
    order(game, roach, 1386)
    until(game, lambda: bool(int(game.units[roach]["flags"]) & BURROWED), 30)
    game.units[roach]["hp"] = 45
    assert order(game, roach, MOVE, (50.0, 40.0)) != Result.SUCCESS, "without the claws it stays"
    game.step(160)
    assert game.units[roach]["hp"] == pytest.approx(95, abs=1), "five a normal second"
    learn(game, "TunnelingClaws")
    assert order(game, roach, MOVE, (50.0, 40.0)) == Result.SUCCESS
    game.step(64)
    assert away(game, roach, 40.0, 40.0) == pytest.approx(64 * 1.4062 / 16, abs=0.6)


def test_buried_units_with_autocast_come_up_at_an_enemy() -> None:
    game = duel()
    learn(game, "Burrow")
    zergling = give(game, "Zergling", 40.0, 40.0)
    game.step()
    order(game, zergling, 1390)
    until(game, lambda: bool(int(game.units[zergling]["flags"]) & BURROWED), 40)
    marine = give(game, "Marine", 42.5, 40.0, 2)
    at_rest(game, marine)
    game.step(24)
    assert int(game.units[zergling]["flags"]) & BURROWED
    assert game.issue(Command(1, 1392, (game.tag(zergling),), autocast=True)) == Result.SUCCESS
    until(game, lambda: name_of(game, zergling) == "Zergling", 24)


def test_creep_tumors_and_units_made_buried_are_hidden() -> None:
    game = duel()
    tumor, lurker = give(game, "CreepTumorBurrowed", 40.5, 40.5), give(game, "LurkerMPBurrowed", 44.0, 40.0)
    planted = give(game, "CreepTumorQueen", 48.5, 40.5)
    until(game, lambda: name_of(game, planted) == "CreepTumorBurrowed", 8)
    assert not int(game.units[planted]["flags"]) & BURROWED, "it is still digging"
    game.step(17)
    assert name_of(game, planted) == "CreepTumorBurrowed"
    for slot in (tumor, lurker, planted):
        assert int(game.units[slot]["flags"]) & BURROWED


@pytest.mark.parametrize(("patch", "cooldown"), [("5.0.14", 304), ("4.10.0", 240)])
def test_tumors_spread_after_the_cooldown_of_their_patch(patch: str, cooldown: int) -> None:
    game = duel(patch)
    give(game, "Hatchery", 40.5, 40.5)
    tumor = give(game, "CreepTumorQueen", 44.5, 40.5)
    until(game, lambda: name_of(game, tumor) == "CreepTumorBurrowed", 20)
    begun = game.loop
    game.step(20)
    assert order(game, tumor, 1733, (44.5, 44.5)) == Result.COOLDOWN
    until(game, lambda: order(game, tumor, 1733, (44.5, 44.5)) == Result.SUCCESS, 320)
    assert game.loop - begun == cooldown
    game.step(2)
    assert len(game.owned(1, "CreepTumor")) == 1
    assert order(game, tumor, 1733, (44.5, 36.5)) != Result.SUCCESS
    seed = game.owned(1, "CreepTumor")[0]
    took = until(game, lambda: name_of(game, seed) == "CreepTumorBurrowed", 300) + 1
    assert 240 + 15 <= took <= 240 + 18 + 6, "four cells of flight, and the delay before it digs"


# -- nydus ------------------------------------------------------------------------------------------------------------
def network(patch: str = "5.0.14") -> tuple[Game, int]:
    """A finished Nydus Network."""
    game = duel(patch)
    give(game, "Hatchery", 20.5, 30.5)
    nydus = give(game, "NydusNetwork", 26.5, 30.5)
    give(game, "Overlord", 60.0, 40.0)
    game.step(4)
    return game, nydus


@pytest.mark.parametrize(("patch", "price", "rests"), [("5.0.14", 75, True), ("4.10.0", 50, False)])
def test_a_worm_emerges_where_the_player_sees_and_alerts_the_enemy(patch: str, price: int, rests: bool) -> None:
    game, nydus = network(patch)
    game.events(2)
    assert order(game, nydus, SUMMON, (88.5, 88.5)) == Result.CANT_SEE_BUILD_LOCATION
    gas = int(game.players[1]["gas"])
    assert order(game, nydus, SUMMON, (60.5, 40.5)) == Result.SUCCESS
    game.step()
    assert gas - int(game.players[1]["gas"]) == price
    worm = game.owned(1, "NydusCanal")[0]
    begun = game.loop
    assert Alert.NYDUS_WORM_DETECTED in game.events(2).alerts
    assert Alert.NYDUS_WORM_DETECTED not in game.events(1).alerts
    assert (order(game, nydus, SUMMON, (64.5, 44.5)) == Result.COOLDOWN) == rests
    assert not game.creep[40, 62]
    until(game, lambda: not int(game.units[worm]["flags"]) & UNFINISHED, 340)
    assert game.loop - begun in (319, 320)
    game.step(60)
    assert game.creep[40, 63]
    assert order(game, nydus, SUMMON, (56.5, 46.5)) == Result.SUCCESS


def test_a_worm_that_emerges_can_be_cancelled() -> None:
    game, nydus = network()
    order(game, nydus, SUMMON, (60.5, 40.5))
    game.step(10)
    worm, gas = game.owned(1, "NydusCanal")[0], int(game.players[1]["gas"])
    assert order(game, worm, CANCEL_WORM) == Result.SUCCESS
    game.step()
    assert not game.owned(1, "NydusCanal")
    assert int(game.players[1]["gas"]) - gas == 57


@pytest.mark.parametrize(("patch", "period"), [("5.0.14", 8), ("4.10.0", 4)])
def test_units_go_in_at_one_end_and_come_out_at_the_other(patch: str, period: int) -> None:
    game, nydus = network(patch)
    worm = give(game, "NydusCanal", 60.5, 40.5)
    roaches = [give(game, "Roach", 26.5 + k, 27.0) for k in range(3)]
    queen = give(game, "Queen", 24.0, 27.0)
    for slot in (*roaches, queen):
        assert order(game, slot, SMART, nydus) == Result.SUCCESS
    until(game, lambda: all(int(game.units[slot]["flags"]) & INSIDE for slot in (*roaches, queen)), 80)
    assert game.units[nydus]["cargo"] == game.units[worm]["cargo"] == 8
    shown = Eye(game).units()
    assert all(len(shown[game.tag(end)].passengers) == 4 for end in (nydus, worm))
    assert UNLOAD_WORM in available_abilities(game, worm)
    assert order(game, worm, UNLOAD_WORM) == Result.SUCCESS
    until(game, lambda: not int(game.units[roaches[0]]["flags"]) & INSIDE, 12)
    assert away(game, roaches[0], 60.5, 40.5) < 4
    assert until(game, lambda: not int(game.units[roaches[1]]["flags"]) & INSIDE, 12) == period
    assert order(game, worm, STOP) == Result.SUCCESS
    game.step(30)
    assert int(game.units[queen]["flags"]) & INSIDE
    assert game.units[nydus]["cargo"] == game.units[worm]["cargo"] == 4
    game.kill(nydus)
    assert game.units[queen]["alive"], "the worm is left"
    late = give(game, "NydusCanal", 70.5, 40.5)
    assert game.units[late]["cargo"] == 4
    game.kill(worm)
    assert order(game, late, UNLOAD_WORM) == Result.SUCCESS
    until(game, lambda: not int(game.units[queen]["flags"]) & INSIDE, 40)
    assert away(game, queen, 70.5, 40.5) < 5


def test_who_is_inside_dies_with_the_last_exit() -> None:
    game, nydus = network()
    roach = give(game, "Roach", 26.5, 27.0)
    order(game, roach, SMART, nydus)
    until(game, lambda: bool(int(game.units[roach]["flags"]) & INSIDE), 40)
    game.kill(nydus)
    assert not game.units[roach]["alive"]


def test_flyers_and_larvae_do_not_enter() -> None:
    game, nydus = network()
    mutalisk = give(game, "Mutalisk", 30.0, 30.0)
    order(game, mutalisk, SMART, nydus)
    game.step(60)
    assert not int(game.units[mutalisk]["flags"]) & INSIDE


# -- locusts ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_locusts_hatch_fly_swoop_and_expire(patch: str) -> None:
    game = duel(patch)
    host, depot = give(game, "SwarmHostMP", 40.0, 40.0), give(game, "SupplyDepot", 52.0, 40.0, 2)
    game.step(4)
    assert order(game, host, LOCUSTS, (60.0, 40.0)) == Result.SUCCESS
    game.step(2)
    assert len(game.owned(1, "LocustMP")) == 2
    first = game.owned(1, "LocustMP")[0]
    born = int(game.units[first]["born"])
    assert order(game, host, LOCUSTS, (60.0, 40.0)) == Result.COOLDOWN
    assert order(game, first, MOVE, (30.0, 40.0)) == Result.ERROR
    until(game, lambda: len(game.owned(1, "LocustMPFlying")) == 2, 36)
    assert int(game.units[first]["flags"]) & FLYING
    until(game, lambda: len(game.owned(1, "LocustMP")) == 2, 160)
    assert away(game, first, 52.0, 40.0) < 4
    until(game, lambda: lost(game, depot) > 0, 60)
    until(game, lambda: not game.owned(1, "LocustMP", "LocustMPFlying"), 400)
    assert game.loop - born == pytest.approx(400, abs=3)
    game.step(560)
    assert order(game, host, LOCUSTS, (60.0, 40.0)) == Result.SUCCESS


def test_a_locust_swoops_to_a_point() -> None:
    game = duel()
    locust = give(game, "LocustMPFlying", 40.0, 40.0)
    game.step(4)
    assert order(game, locust, SWOOP, (45.0, 40.0)) == Result.SUCCESS
    until(game, lambda: name_of(game, locust) == "LocustMP", 24)
    assert away(game, locust, 45.0, 40.0) < 1.5
    assert order(game, locust, MOVE, (30.0, 40.0)) == Result.SUCCESS


# -- single units -----------------------------------------------------------------------------------------------------
def test_a_brood_lord_strikes_twice_and_its_broodlings_go_on() -> None:
    game = duel()
    lord, tank = give(game, "BroodLord", 40.0, 40.0), give(game, "CommandCenter", 50.5, 40.5, 2)
    order(game, lord, ATTACK, tank)
    until(game, lambda: lost(game, tank) > 0, 60)
    assert lost(game, tank) == pytest.approx(2 * (20 - 1))
    game.step(3)
    broodlings = game.owned(1, "Broodling")
    assert len(broodlings) == 2
    assert all(away(game, slot, 50.5, 40.5) < 6 for slot in broodlings)
    game.step(40)
    assert len(game.owned(1, "Broodling")) == 4
    order(game, lord, MOVE, (20.0, 40.0))
    until(game, lambda: not game.owned(1, "Broodling"), 140)


def test_caustic_spray_grows_stronger_and_stops_with_its_order() -> None:
    game = duel()
    corruptor, hall = give(game, "Corruptor", 40.0, 40.0), give(game, "CommandCenter", 46.5, 40.5, 2)
    marine = give(game, "Medivac", 44.0, 44.0, 2)
    game.step(4)
    assert order(game, corruptor, SPRAY, marine) == Result.CANT_TARGET_THAT_UNIT
    assert order(game, corruptor, SPRAY, hall) == Result.SUCCESS
    game.step(97)
    assert lost(game, hall) == pytest.approx(30, abs=5.1)
    game.step(32)
    assert lost(game, hall) == pytest.approx(30 + 50, abs=5.1)
    order(game, corruptor, MOVE, (30.0, 40.0))
    game.step(2)
    before = lost(game, hall)
    game.step(64)
    assert lost(game, hall) == before
    assert order(game, corruptor, SPRAY, hall) == Result.COOLDOWN


def test_hydralisks_run_in_the_newer_patch() -> None:
    game = duel()
    hydra = give(game, "Hydralisk", 40.0, 40.0)
    game.step()
    assert order(game, hydra, FRENZY) == Result.TECH_REQUIREMENTS_NOT_MET
    learn(game, "Frenzy")
    order(game, hydra, MOVE, (70.0, 40.0))
    game.step(10)
    assert order(game, hydra, FRENZY) == Result.SUCCESS
    start = float(game.units[hydra]["x"])
    game.step(16)
    speed = float(game.types[1, game.units[hydra]["type"]]["speed"])
    assert float(game.units[hydra]["x"]) - start == pytest.approx(32 * speed, rel=0.1)
    assert game.units[hydra]["order_count"], "it runs on"
    game.step(2)
    assert game.units[hydra]["speed_factor"] == 1
    assert order(game, hydra, FRENZY) == Result.COOLDOWN


def test_lurkers_strike_a_line_and_hold_their_fire() -> None:
    game = duel()
    lurker = give(game, "LurkerMP", 40.0, 40.0)
    game.step()
    order(game, lurker, 2108)
    until(game, lambda: bool(int(game.units[lurker]["flags"]) & BURROWED), 60)
    assert HOLD_FIRE in available_abilities(game, lurker)
    assert FREE_FIRE not in available_abilities(game, lurker)
    assert order(game, lurker, HOLD_FIRE) == Result.SUCCESS
    line = [give(game, "Marauder", 44.0 + 1.5 * k, 40.0, 2) for k in range(3)]
    beside = give(game, "Marauder", 45.0, 43.0, 2)
    at_rest(game, *line, beside)
    game.step(40)
    assert not any(lost(game, slot) for slot in line)
    assert order(game, lurker, FREE_FIRE) == Result.SUCCESS
    until(game, lambda: lost(game, line[0]) > 0, 60)
    assert lost(game, line[2]) == 0, "the spines run on, a cell every two loops"
    assert any(effect.id == 12 for effect in game.effects)
    game.step(7)
    assert [lost(game, slot) for slot in line] == [pytest.approx(29)] * 3
    assert lost(game, beside) == 0
    order(game, lurker, HOLD_FIRE)
    game.step()
    order(game, lurker, 2110)
    until(game, lambda: name_of(game, lurker) == "LurkerMP", 40)
    order(game, lurker, 2108)
    until(game, lambda: bool(int(game.units[lurker]["flags"]) & BURROWED), 60)
    assert HOLD_FIRE in available_abilities(game, lurker), "up and down again it fires"


def test_a_queen_transfuses_at_once_and_over_ten_seconds() -> None:
    game = duel()
    give(game, "Hatchery", 40.5, 40.5)
    queen, ultra = give(game, "Queen", 40.0, 36.0), give(game, "Ultralisk", 44.0, 36.0)
    game.units[queen]["energy"] = 60
    game.units[ultra]["hp"] = 100
    game.step(60)
    before = float(game.units[ultra]["hp"])
    assert order(game, queen, 1664, ultra) == Result.SUCCESS
    until(game, lambda: 288 in game.units[ultra]["buff"], 40)
    assert float(game.units[ultra]["hp"]) - before == pytest.approx(75, abs=1)
    game.step(165)
    assert float(game.units[ultra]["hp"]) - before == pytest.approx(125, abs=4)
    assert 288 not in game.units[ultra]["buff"]
    assert game.units[queen]["energy"] < 25


def test_overlords_become_transports_and_drop() -> None:
    game = duel()
    give(game, "Lair", 20.5, 30.5)
    lord, roach = give(game, "Overlord", 40.0, 40.0), give(game, "Roach", 42.0, 40.0)
    game.step()
    assert 1406 not in available_abilities(game, lord)
    assert order(game, lord, 2708) == Result.SUCCESS
    until(game, lambda: name_of(game, lord) == "OverlordTransport", 360)
    assert order(game, roach, SMART, lord) == Result.SUCCESS
    until(game, lambda: bool(int(game.units[roach]["flags"]) & INSIDE), 60)
    assert game.units[lord]["cargo"] == 2
    assert order(game, lord, 1408, (52.0, 40.0)) == Result.SUCCESS
    until(game, lambda: not int(game.units[roach]["flags"]) & INSIDE, 400)
    assert away(game, roach, 52.0, 40.0) < 2


def test_mutalisk_glaives_bounce_to_two_more() -> None:
    game = duel(enemy=Race.TERRAN)
    mutalisk = give(game, "Mutalisk", 40.0, 40.0)
    line = [give(game, "Marauder", 43.0 + 1.5 * k, 40.0, 2) for k in range(4)]
    at_rest(game, *line)
    order(game, mutalisk, ATTACK, line[0])
    until(game, lambda: lost(game, line[0]) > 0, 60)
    order(game, mutalisk, MOVE, (20.0, 40.0))
    game.step(8)
    assert [round(lost(game, slot), 2) for slot in line] == [8, 2, 0.5, 0]


def test_the_older_patch_trains_banelings_in_eggs_of_their_own() -> None:
    game = duel("4.10.0")
    give(game, "Hatchery", 20.5, 30.5)
    give(game, "BanelingNest", 26.5, 30.5)
    zergling = give(game, "Zergling", 40.0, 40.0)
    game.step()
    tag, gas = game.tag(zergling), int(game.players[1]["gas"])
    assert 80 in available_abilities(game, zergling)
    assert order(game, zergling, 80) == Result.SUCCESS
    game.step()
    begun = game.loop
    assert name_of(game, zergling) == "BanelingCocoon"
    assert game.tag(zergling) == tag
    assert gas - int(game.players[1]["gas"]) == 25
    order(game, zergling, MOVE, (50.0, 40.0))
    game.events(1)
    assert until(game, lambda: bool(game.owned(1, "Baneling")), 330) in (319, 320)
    baneling = game.owned(1, "Baneling")[0]
    assert game.tag(baneling) != tag
    assert tag in game.events(1).dead
    assert away(game, baneling, 40.0, 40.0) < 0.1
    assert game.loop > begun
    second = give(game, "Zergling", 44.0, 40.0)
    order(game, second, 80)
    game.step(20)
    assert order(game, second, 304) == Result.SUCCESS
    game.step()
    assert name_of(game, second) == "Zergling"
    assert gas - int(game.players[1]["gas"]) == 25
    order(game, second, MOVE, (50.0, 40.0))
    game.step(30)
    assert away(game, second, 44.0, 40.0) > 3


def test_a_queen_stands_a_while_after_an_inject() -> None:
    game = duel()
    hall, queen = give(game, "Hatchery", 40.5, 40.5), give(game, "Queen", 40.5, 37.0)
    game.units[queen]["energy"] = 60
    game.step()
    order(game, queen, 251, hall)
    until(game, lambda: 11 in game.units[hall]["buff"], 20)
    x = float(game.units[queen]["x"])
    assert order(game, queen, MOVE, (60.0, 37.0)) == Result.SUCCESS
    assert until(game, lambda: float(game.units[queen]["x"]) > x + 0.05, 60) == pytest.approx(37, abs=3)


def test_a_locust_told_to_attack_a_structure_swoops_on_it() -> None:
    game = duel()
    locust, depot = give(game, "LocustMPFlying", 40.0, 40.0), give(game, "SupplyDepot", 52.0, 40.0, 2)
    game.step(4)
    assert order(game, locust, ATTACK, depot) == Result.SUCCESS
    until(game, lambda: lost(game, depot) > 0, 160)
    assert name_of(game, locust) == "LocustMP"


@pytest.mark.parametrize(
    ("patch", "name", "ability", "cocoon", "after", "before", "inside"),
    [
        ("5.0.14", "Overlord", 1448, "OverlordCocoon", "Overseer", (1, 1), 266),
        ("4.10.0", "Overlord", 1448, "OverlordCocoon", "Overseer", (1, 1), 266),
        ("5.0.14", "Roach", 2330, "RavagerCocoon", "Ravager", (0, 0), 271),
        ("4.10.0", "Roach", 2330, "RavagerCocoon", "Ravager", (1, 8), 191),
        ("5.0.14", "Hydralisk", 2332, "LurkerMPEgg", "LurkerMP", (0, 0), 403),
        ("4.10.0", "Hydralisk", 2332, "LurkerMPEgg", "LurkerMP", (1, 8), 399),
        ("4.10.0", "Overlord", 2708, "TransportOverlordCocoon", "OverlordTransport", (1, 1), 266),
    ],
)
def test_cocoons_close_and_open_when_real_ones_do(
    patch: str, name: str, ability: int, cocoon: str, after: str, before: tuple[int, int], inside: int
) -> None:
    game = duel(patch)
    for number, structure in enumerate(("Lair", "RoachWarren", "LurkerDenMP")):
        give(game, structure, 20.5 + 7 * number, 20.5)
    unit = give(game, name, 40.0, 40.0)
    game.step()
    tag = game.tag(unit)
    assert order(game, unit, ability) == Result.SUCCESS
    game.step()
    waited = until(game, lambda: name_of(game, unit) == cocoon, 12)
    assert before[0] <= waited <= before[1]
    assert until(game, lambda: name_of(game, unit) == after, 500) == inside
    assert game.tag(unit) == tag
