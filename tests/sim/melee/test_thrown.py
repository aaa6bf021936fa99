"""Spells that strike from afar."""

from sim.melee.records import Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, name_of, order, terran, until

KD8, BILE, EMP, YAMATO, SNIPE, TURRET, HOLD = 2588, 2338, 1628, 401, 2714, 1764, 18
MATRIX, SHREDDER, JUMP = 3747, 3753, 2358


def test_a_charge_hurts_and_pushes_after_its_fuse():
    game = terran()
    reaper, marine = give(game, "Reaper"), give(game, "Marauder", 52.5, 48.5, owner=2)
    order(game, marine, HOLD)
    assert KD8 in available_abilities(game, reaper)
    assert order(game, reaper, KD8, (52.0, 48.5)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, "KD8Charge")) == 1, 5)
    assert KD8 not in available_abilities(game, reaper)
    before, place = float(game.units[marine]["hp"]), float(game.units[marine]["x"])
    for _ in range(20):
        game.step()
    order(game, reaper, HOLD)
    until(game, lambda: not game.owned(1, "KD8Charge"), 14)
    assert before - float(game.units[marine]["hp"]) >= 5
    assert float(game.units[marine]["x"]) > place + 0.7


def test_a_bile_falls_on_all_that_is_still_there():
    game = terran()
    ravager = give(game, "Ravager")
    own, flyer = give(game, "Marauder", 54.5, 48.5), give(game, "Medivac", 54.7, 48.5, owner=2)
    away = give(game, "Marauder", 58.5, 48.5)
    assert order(game, ravager, BILE, (54.5, 48.5)) == Result.SUCCESS
    until(game, lambda: any(effect.id == 11 for effect in game.effects), 5)
    assert game.units[own]["hp"] == game.units[own]["hp_max"]
    for _ in range(41):
        game.step()
    hurt = [float(game.units[slot]["hp_max"] - game.units[slot]["hp"]) for slot in (own, flyer, away)]
    assert hurt[0] == 60
    assert hurt[1] >= 60
    assert hurt[2] == 0
    assert not [effect for effect in game.effects if effect.id == 11 and effect.until > game.loop]


def test_an_emp_takes_shields_and_energy():
    game = terran()
    ghost, templar = give(game, "Ghost"), give(game, "HighTemplar", 55.5, 48.5, owner=2)
    game.units[ghost]["energy"] = 100
    assert order(game, ghost, EMP, (55.5, 48.5)) == Result.SUCCESS
    until(game, lambda: game.units[templar]["energy"] < 1, 10)
    assert game.units[templar]["shield"] == 0
    assert game.units[ghost]["energy"] < 30


def test_a_yamato_shot_takes_its_preparation():
    game = terran()
    cruiser, target = give(game, "Battlecruiser"), give(game, "SupplyDepot", 56, 48, owner=2)
    order(game, cruiser, HOLD)
    before = float(game.units[target]["hp"])
    assert order(game, cruiser, YAMATO, target) != Result.SUCCESS
    for upgrade in game.facts.requirements["UseBattlecruiserSpecializations"].upgrades:
        game.players[1]["upgrades"][upgrade] = 1
    assert order(game, cruiser, YAMATO, target) == Result.SUCCESS
    assert 48 <= until(game, lambda: before - float(game.units[target]["hp"]) >= 240, 60) <= 52


def test_a_ghost_aims_at_the_living_only():
    game = terran()
    ghost, car = give(game, "Ghost"), give(game, "Hellion", 56.5, 44.5, owner=2)
    beast = give(game, "Ultralisk", 57.5, 50.5, owner=2)
    game.units[ghost]["energy"] = 100
    assert order(game, ghost, SNIPE, car) == Result.CANT_TARGET_THAT_UNIT
    game.kill(car)
    assert order(game, ghost, SNIPE, beast) == Result.SUCCESS
    taken = until(game, lambda: game.units[beast]["hp"] <= game.units[beast]["hp_max"] - 130, 60)
    assert 32 <= taken <= 36
    assert game.units[ghost]["energy"] < 60


def test_a_raven_drops_a_turret_that_ends():
    game = terran()
    raven = give(game, "Raven")
    game.units[raven]["energy"] = 60
    assert order(game, raven, TURRET, (50.0, 50.0)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, "AutoTurret")) == 1, 10)
    assert name_of(game, game.owned(1, "AutoTurret")[0]) == "AutoTurret"
    assert until(game, lambda: not game.owned(1, "AutoTurret"), 200) >= 170


def test_raven_missiles_jam_and_strip():
    game = terran()
    raven = give(game, "Raven")
    tank, marine = give(game, "SiegeTank", 55.5, 48.5, owner=2), give(game, "Marine", 56.5, 48.5, owner=2)
    game.units[raven]["energy"] = 200
    for upgrade in game.facts.requirements[game.facts.abilities[MATRIX].requirement].upgrades:
        game.players[1]["upgrades"][upgrade] = 1
    assert order(game, raven, MATRIX, marine) == Result.CANT_TARGET_THAT_UNIT
    assert order(game, raven, MATRIX, tank) == Result.SUCCESS
    until(game, lambda: 277 in game.units[tank]["buff"], 20)
    assert order(game, raven, SHREDDER, tank) == Result.SUCCESS
    until(game, lambda: 298 in game.units[tank]["buff"], 20)
    assert 298 in game.units[marine]["buff"]
    assert 298 not in game.units[raven]["buff"]


def test_a_battlecruiser_jumps_across_the_map():
    game = terran()
    cruiser = give(game, "Battlecruiser")
    assert order(game, cruiser, JUMP, (80.0, 30.0)) == Result.SUCCESS
    assert 32 <= until(game, lambda: game.units[cruiser]["x"] > 79, 40) <= 36
    assert JUMP not in available_abilities(game, cruiser)
