"""Infestors, Vipers, Overseers: what they cast, under both patches."""

from __future__ import annotations

import pytest

from sim.engine.state import BURROWED, DETECTED, IMMOBILE
from sim.melee.game import Game
from sim.melee.records import Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, full, learn, lost

FUNGAL, NEURAL, CANCEL_NEURAL, TERRANS, SHROUD, BLINK = 74, 249, 250, 247, 4111, 1442
ABDUCT, CLOUD, BOMB, CONSUME = 2067, 2063, 2542, 2073
CHANGELING, CONTAMINATE, CREEP_ON, CREEP_OFF, MOVE, ATTACK, HOLD = 181, 1825, 1692, 1693, 16, 23, 18


@pytest.mark.parametrize(("patch", "damage"), [("5.0.14", 25.0), ("4.10.0", 30.0)])
def test_fungal_growth_flies_slows_shows_and_deals_the_damage_of_its_patch(patch: str, damage: float) -> None:
    game = duel(patch)
    infestor = give(game, "Infestor", 40.0, 40.0)
    full(game, infestor)
    tank = give(game, "SiegeTankSieged", 48.0, 40.0, 2)
    buried = give(game, "InfestorBurrowed", 48.5, 41.5, 2)
    own = give(game, "Roach", 47.0, 40.0)
    at_rest(game, tank, buried, own)
    game.step(4)
    assert order(game, infestor, FUNGAL, (48.0, 40.0)) == Result.SUCCESS
    game.step(3)
    assert 17 not in game.units[tank]["buff"], "it flies for eight cells at 0.75 a loop"
    until(game, lambda: 17 in game.units[tank]["buff"], 12)
    assert game.units[tank]["speed_factor"] == pytest.approx(0.25)
    game.step(5)
    assert int(game.units[buried]["flags"]) & DETECTED
    game.step(80)
    assert lost(game, tank) == pytest.approx(damage, abs=0.01), "it works on shields and life without armour"
    assert lost(game, own) == 0
    assert 17 not in game.units[tank]["buff"]


def test_a_second_fungus_starts_the_time_anew_but_does_not_add_up() -> None:
    game = duel()
    infestors = [give(game, "Infestor", 40.0, 40.0 + k) for k in (0, 2)]
    full(game, *infestors)
    tank = give(game, "SiegeTankSieged", 46.0, 41.0, 2)
    at_rest(game, tank)
    game.step(4)
    order(game, infestors[0], FUNGAL, (46.0, 41.0))
    until(game, lambda: 17 in game.units[tank]["buff"], 20)
    game.step(32)
    order(game, infestors[1], FUNGAL, (46.0, 41.0))
    game.step(120)
    assert 25 + 8 * 1.5625 <= lost(game, tank) <= 25 + 12 * 1.5625


def test_who_is_in_a_fungus_does_not_blink() -> None:
    game = duel(mine=Race.PROTOSS, enemy=Race.ZERG)
    learn(game, "BlinkTech")
    stalker, infestor = give(game, "Stalker", 46.0, 40.0), give(game, "Infestor", 40.0, 40.0, 2)
    full(game, infestor)
    game.step(4)
    order(game, infestor, FUNGAL, (46.0, 40.0))
    until(game, lambda: 17 in game.units[stalker]["buff"], 30)
    assert order(game, stalker, BLINK, (50.0, 40.0)) == Result.ERROR
    game.step(70)
    assert order(game, stalker, BLINK, (50.0, 40.0)) == Result.SUCCESS


def neural(game: Game) -> tuple[int, int]:
    """An infestor that holds a Marauder."""
    learn(game, "NeuralParasite")
    infestor, marauder = give(game, "Infestor", 40.0, 40.0), give(game, "Marauder", 45.0, 40.0, 2)
    full(game, infestor)
    at_rest(game, marauder)
    game.step(4)
    assert order(game, infestor, NEURAL, marauder) == Result.SUCCESS
    until(game, lambda: game.units[marauder]["owner"] == 1, 30)
    return infestor, marauder


def test_neural_parasite_changes_the_owner_for_fifteen_seconds() -> None:
    game = duel()
    tag_before = None
    infestor, marauder = neural(game)
    tag_before = game.tag(marauder)
    assert 22 in game.units[marauder]["buff"]
    assert order(game, marauder, MOVE, (48.0, 44.0)) == Result.SUCCESS, "its new player commands it"
    assert order(game, infestor, MOVE, (30.0, 40.0)) == Result.SUCCESS
    game.step(225)
    assert away(game, infestor, 40.0, 40.0) < 0.1, "who holds on can do nothing else: the order waits"
    assert game.units[marauder]["owner"] == 1
    game.step(20)
    assert game.units[marauder]["owner"] == 2
    assert game.tag(marauder) == tag_before
    assert 22 not in game.units[marauder]["buff"]
    game.step(20)
    assert away(game, infestor, 40.0, 40.0) > 1


@pytest.mark.parametrize("how", ["cancel", "death", "distance"])
def test_neural_parasite_ends_early(how: str) -> None:
    game = duel()
    infestor, marauder = neural(game)
    if how == "cancel":
        assert CANCEL_NEURAL in available_abilities(game, infestor)
        assert order(game, infestor, CANCEL_NEURAL) == Result.SUCCESS
        game.step()
    elif how == "death":
        game.kill(infestor)
    else:
        order(game, marauder, MOVE, (70.0, 40.0))
        until(game, lambda: away(game, marauder, 40.0, 40.0) > 12.5, 120)
        assert game.units[marauder]["owner"] == 1
        until(game, lambda: away(game, marauder, 40.0, 40.0) > 14.5 or game.units[marauder]["owner"] == 2, 60)
        game.step(4)
    assert game.units[marauder]["owner"] == 2


def test_infested_terrans_belong_to_the_older_patch() -> None:
    game = duel("4.10.0")
    infestor = give(game, "Infestor", 40.0, 40.0)
    full(game, infestor)
    game.step(4)
    assert order(game, infestor, TERRANS, (46.0, 40.0)) == Result.SUCCESS
    until(game, lambda: bool(game.owned(1, "InfestedTerransEgg")), 15)
    assert until(game, lambda: bool(game.owned(1, "InfestorTerran")), 100) == 78
    terran = game.owned(1, "InfestorTerran")[0]
    assert away(game, terran, 46.0, 40.0) < 1
    assert 480 <= until(game, lambda: not game.owned(1, "InfestorTerran"), 500) + 1 <= 482
    assert order(duel(), 0, TERRANS, (46.0, 40.0)) != Result.SUCCESS


def test_a_shroud_halves_what_comes_from_the_air() -> None:
    losses = []
    for covered in (False, True):
        game = duel()
        learn(game, "MicrobialShroud")
        infestor, queen = give(game, "Infestor", 40.0, 40.0), give(game, "Ultralisk", 46.0, 40.0)
        full(game, infestor)
        at_rest(game, queen)
        game.step(4)
        if covered:
            assert order(game, infestor, SHROUD, (46.0, 40.0)) == Result.SUCCESS
            game.step(4)
            assert 297 in game.units[queen]["buff"]
        cruiser = give(game, "Battlecruiser", 50.0, 40.0, 2)
        order(game, cruiser, ATTACK, queen)
        game.step(60)
        losses.append(lost(game, queen))
    armor = 2
    assert losses[0] > 30
    assert losses[1] / losses[0] == pytest.approx((8 / 2 - armor) / (8 - armor), abs=0.05)


def test_abduct_brings_a_unit_to_the_viper() -> None:
    game = duel()
    viper, tank = give(game, "Viper", 40.0, 40.0), give(game, "SiegeTank", 48.0, 40.0, 2)
    full(game, viper)
    at_rest(game, tank)
    game.step(4)
    assert order(game, viper, ABDUCT, tank) == Result.SUCCESS
    until(game, lambda: bool(int(game.units[tank]["flags"]) & IMMOBILE), 15)
    assert order(game, tank, MOVE, (60.0, 40.0)) == Result.ERROR
    until(game, lambda: not int(game.units[tank]["flags"]) & IMMOBILE, 20)
    assert away(game, tank, 40.0, 40.0) < 1.5
    assert order(game, tank, MOVE, (60.0, 40.0)) == Result.SUCCESS
    assert order(game, viper, ABDUCT, give(game, "SupplyDepot", 46.0, 46.0, 2)) == Result.CANT_TARGET_THAT_UNIT


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
    assert any(effect.id == 10 for effect in game.effects)
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
    assert order(game, viper, BOMB, marine) == Result.CANT_TARGET_THAT_UNIT
    assert order(game, viper, BOMB, hosts[0]) == Result.SUCCESS
    until(game, lambda: 132 in game.units[hosts[0]]["buff"], 20)
    game.kill(viper)
    for slot in hosts:
        game.units[slot]["hp"] = 150
    game.step(40)
    assert lost(game, hosts[1]) == pytest.approx(30, abs=3.1)
    game.kill(hosts[0])
    game.step(130)
    assert lost(game, hosts[1]) == pytest.approx(120, abs=3.1)
    assert lost(game, marine) == 0


def test_a_viper_drinks_from_a_structure() -> None:
    game = duel()
    viper, pool = give(game, "Viper", 40.0, 40.0), give(game, "Hatchery", 46.5, 40.5)
    game.step(4)
    energy = float(game.units[viper]["energy"])
    life = float(game.units[pool]["hp"])
    assert order(game, viper, CONSUME, give(game, "Barracks", 52.5, 40.5, 2)) == Result.CANT_TARGET_THAT_UNIT
    assert order(game, viper, CONSUME, pool) == Result.SUCCESS
    game.step(345)
    regained = 345 * 0.5625 / 16
    assert game.units[viper]["energy"] == pytest.approx(energy + 50 + regained, abs=1)
    assert life - game.units[pool]["hp"] == pytest.approx(150 - 345 * 0.01709, abs=8)


@pytest.mark.parametrize(
    ("race", "upgrade", "look"),
    [
        (Race.TERRAN, "", "ChangelingMarine"),
        (Race.TERRAN, "ShieldWall", "ChangelingMarineShield"),
        (Race.ZERG, "", "ChangelingZergling"),
        (Race.ZERG, "zerglingmovementspeed", "ChangelingZerglingWings"),
        (Race.PROTOSS, "", "ChangelingZealot"),
    ],
)
def test_a_changeling_looks_like_what_it_meets(race: int, upgrade: str, look: str) -> None:
    game = duel(enemy=race)
    learn(game, upgrade, player=2)
    overseer = give(game, "Overseer", 40.0, 40.0)
    full(game, overseer)
    assert order(game, overseer, CHANGELING) == Result.SUCCESS
    game.step(20)
    slot = game.owned(1, "Changeling")[0]
    soldier = give(game, {1: "Marine", 2: "Roach", 3: "Stalker"}[race], 46.0, 40.0, 2)
    game.step(10)
    assert name_of(game, slot) == look
    game.step(60)
    assert lost(game, slot) == 0, "nobody fires at it by himself"
    assert lost(game, soldier) == 0, "and it has no weapon"
    order(game, soldier, ATTACK, slot)
    until(game, lambda: not game.units[slot]["alive"] or lost(game, slot) > 0, 80)


def test_a_changeling_lives_150_seconds() -> None:
    game = duel()
    overseer = give(game, "Overseer", 40.0, 40.0)
    full(game, overseer)
    order(game, overseer, CHANGELING)
    until(game, lambda: bool(game.owned(1, "Changeling")), 5)
    slot = game.owned(1, "Changeling")[0]
    assert game.units[slot]["life_left"] == pytest.approx(2400, abs=2)
    game.units[slot]["life_left"] = 3
    game.step(4)
    assert not game.owned(1, "Changeling")


def test_a_contaminated_barracks_stands_still() -> None:
    game = duel()
    overseer, barracks = give(game, "Overseer", 40.0, 40.0), give(game, "Barracks", 44.5, 40.5, 2)
    give(game, "SupplyDepot", 60.0, 60.0, 2)
    full(game, overseer)
    game.players[2]["minerals"] = 500
    game.step(4)
    assert order(game, barracks, 560) == Result.SUCCESS
    game.step(20)
    assert order(game, overseer, CONTAMINATE, barracks) == Result.SUCCESS
    until(game, lambda: 36 in game.units[barracks]["buff"], 40)
    game.step(4)
    left = int(game.jobs[barracks, 0]["left"])
    assert order(game, barracks, 560) == Result.ERROR
    game.step(300)
    assert game.jobs[barracks, 0]["left"] == left
    game.step(200)
    assert game.jobs[barracks, 0]["left"] < left
    assert order(game, barracks, 560) == Result.SUCCESS


def test_overlords_drip_creep_while_they_stay() -> None:
    game = duel()
    lord = give(game, "Overlord", 60.5, 40.5)
    game.step()
    assert order(game, lord, CREEP_ON) == Result.TECH_REQUIREMENTS_NOT_MET
    give(game, "Lair", 20.5, 20.5)
    game.step()
    assert CREEP_ON in available_abilities(game, lord)
    assert order(game, lord, CREEP_ON) == Result.SUCCESS
    game.step(60)
    assert game.creep[40, 60]
    assert game.creep[43, 60]
    assert not game.creep[40, 67]
    assert CREEP_OFF in available_abilities(game, lord)
    assert CREEP_ON not in available_abilities(game, lord)
    order(game, lord, MOVE, (70.5, 40.5))
    game.step(100)
    assert CREEP_ON in available_abilities(game, lord)
    game.step(300)
    assert not game.creep[40, 60]


def test_buried_infestors_walk_and_are_not_seen() -> None:
    game = duel()
    learn(game, "Burrow")
    infestor = give(game, "Infestor", 40.0, 40.0)
    game.step()
    order(game, infestor, 1444)
    until(game, lambda: bool(int(game.units[infestor]["flags"]) & BURROWED), 30)
    order(game, infestor, MOVE, (44.0, 40.0))
    game.step(40)
    assert away(game, infestor, 40.0, 40.0) > 3
    assert int(game.units[infestor]["flags"]) & BURROWED


def test_a_contaminated_hatchery_spawns_no_larvae() -> None:
    game = duel(enemy=Race.ZERG)
    hall = game.owned(2, "Hatchery")[0]
    x, y = float(game.units[hall]["x"]), float(game.units[hall]["y"])
    overseer = give(game, "Overseer", x, y + 5)
    full(game, overseer)
    game.kill(game.owned(2, "Larva")[0])
    game.step(4)
    assert order(game, overseer, CONTAMINATE, hall) == Result.SUCCESS
    until(game, lambda: 36 in game.units[hall]["buff"], 40)
    game.kill(overseer)
    game.step(470)
    assert len(game.owned(2, "Larva")) == 2
    until(game, lambda: len(game.owned(2, "Larva")) == 3, 40)
