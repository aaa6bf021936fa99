"""Powers of Ravens: turrets, Interference Matrix, Anti-Armor Missile."""

import pytest

from sim.engine.state import INSIDE, POWERED
from sim.melee.records import Result
from tests.sim.melee.field import energetic, give, name_of, order, permit, terran, until
from tests.sim.melee.powers_world import lost

CANT_TARGET_CASTER, CANT_TARGET_OWN, CANT_TARGET_STRUCTURES = 100, 104, 116  # ActionResult
TURRET, MATRIX, SHREDDER, MOVE, HOLD, LOAD = 1764, 3747, 3753, 16, 18, 394


@pytest.mark.parametrize(("patch", "life"), [("5.0.14", 176), ("4.10.0", 224)])
def test_a_raven_drops_a_turret_that_ends(patch, life):
    game = terran(patch=patch)
    raven = energetic(game, "Raven", 60)
    assert order(game, raven, TURRET, (50.0, 50.0)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, "AutoTurret")) == 1, 10)
    assert name_of(game, game.owned(1, "AutoTurret")[0]) == "AutoTurret"
    begun, prey = game.loop, give(game, "Overlord", 53.0, 50.0, owner=2)
    game.units[prey]["hp_max"] = game.units[prey]["hp"] = 4000
    until(game, lambda: lost(game, prey) > 0, 40)
    assert game.loop - begun >= 16, "it deploys first"
    life -= game.loop - begun
    assert until(game, lambda: not game.owned(1, "AutoTurret"), 300) in range(life, life + 6)


@pytest.mark.parametrize(("patch", "loops"), [("5.0.14", 240), ("4.10.0", 176)])
def test_a_matrix_silences_weapons_and_powers(patch, loops):
    game = terran(patch=patch)
    raven = energetic(game, "Raven")
    tank, marine = give(game, "SiegeTank", 55.5, 48.5, owner=2), give(game, "Marine", 56.5, 47.5, owner=2)
    if game.facts.abilities[MATRIX].requirement:
        permit(game, MATRIX)
    victim = give(game, "SCV", 57.5, 53.5)
    order(game, tank, HOLD)
    order(game, marine, MOVE, (70.0, 70.0))
    game.step(4)
    assert order(game, raven, MATRIX, marine) == Result.ERROR, "neither mechanical nor psionic"
    assert order(game, raven, MATRIX, tank) == Result.SUCCESS
    until(game, lambda: game.units[raven]["energy"] < 160, 10)
    assert 8 <= until(game, lambda: 277 in game.units[tank]["buff"], 20) <= 16, "the missile flies"
    before = lost(game, victim)
    assert order(game, tank, 388) == Result.ERROR, "no siege mode"
    assert order(game, tank, MOVE, (56.0, 49.0)) == Result.SUCCESS
    assert until(game, lambda: 277 not in game.units[tank]["buff"], 300) in (loops - 1, loops)
    assert lost(game, victim) == before


@pytest.mark.parametrize(("patch", "once"), [("5.0.14", True), ("4.10.0", False)])
def test_nobody_is_jammed_twice(patch, once):
    """Newer patch: no second missile sets out while the first flies or holds."""
    game = terran(patch=patch)
    ravens, tank = (energetic(game, "Raven"), energetic(game, "Raven")), give(game, "SiegeTank", 55.5, 48.5, owner=2)
    beside = give(game, "SiegeTank", 55.5, 50.5, owner=2)
    if game.facts.abilities[MATRIX].requirement:
        permit(game, MATRIX)
    order(game, tank, HOLD)
    order(game, beside, HOLD)
    game.step(4)
    for raven in ravens:
        assert order(game, raven, MATRIX, tank) == Result.SUCCESS
    until(game, lambda: min(float(game.units[raven]["energy"]) for raven in ravens) < 160, 10)
    game.step(2)
    assert [bool(game.units[raven]["energy"] < 160) for raven in ravens].count(True) == (1 if once else 2)
    second = max(ravens, key=lambda raven: float(game.units[raven]["energy"]))
    game.units[second]["energy"] = 200
    assert order(game, second, MATRIX, tank) == (Result.ERROR if once else Result.SUCCESS)
    assert order(game, second, MATRIX, beside, queued=True) == Result.SUCCESS, "he is another"
    until(game, lambda: 277 in game.units[tank]["buff"], 20)
    assert order(game, second, MATRIX, tank) == (Result.CANT_TARGET_THAT_UNIT if once else Result.SUCCESS)


@pytest.mark.parametrize(("victim", "ability", "buff"), [("Medivac", 2116, 89), ("VoidRay", 2393, 122)])
def test_a_matrix_ends_boosts_and_alignments(victim, ability, buff):
    game = terran()
    raven, other = energetic(game, "Raven"), give(game, victim, 55.5, 48.5, owner=2)
    permit(game, MATRIX)
    order(game, other, HOLD)
    game.step(4)
    assert order(game, other, ability) == Result.SUCCESS
    game.step(1)
    assert buff in game.units[other]["buff"]
    assert order(game, raven, MATRIX, other) == Result.SUCCESS
    until(game, lambda: 277 in game.units[other]["buff"], 30)
    assert buff not in game.units[other]["buff"]


def test_a_jammed_prism_has_no_power_and_no_jammed_immortal_a_barrier():
    game = terran()
    raven, prism = energetic(game, "Raven"), give(game, "WarpPrismPhasing", 55.5, 48.5, owner=2)
    cannon, immortal = give(game, "PhotonCannon", 57, 50, owner=2), give(game, "Immortal", 58.5, 46.5, owner=2)
    permit(game, MATRIX)
    order(game, immortal, HOLD)
    game.step(4)
    for target in (prism, immortal):
        assert int(game.units[cannon]["flags"]) & POWERED or target == immortal
        game.units[raven]["energy"] = 200
        assert order(game, raven, MATRIX, target) == Result.SUCCESS
        until(game, lambda target=target: 277 in game.units[target]["buff"], 40)
    game.step(2)
    assert not int(game.units[cannon]["flags"]) & POWERED
    give(game, "Marauder", 54.5, 44.5)
    until(game, lambda: game.units[immortal]["shield"] < 100, 60)
    assert 299 not in game.units[immortal]["buff"]
    until(game, lambda: 277 not in game.units[prism]["buff"], 300)
    game.step(3)
    assert int(game.units[cannon]["flags"]) & POWERED


def test_a_nova_goes_out_when_its_disruptor_is_jammed():
    game = terran()
    raven, disruptor = energetic(game, "Raven"), give(game, "Disruptor", 55.5, 48.5, owner=2)
    permit(game, MATRIX)
    game.step(4)
    assert order(game, raven, MATRIX, disruptor) == Result.SUCCESS
    assert order(game, disruptor, 2346, (60.0, 60.0)) == Result.SUCCESS
    game.step(3)
    assert game.owned(2, "DisruptorPhased")
    until(game, lambda: 277 in game.units[disruptor]["buff"], 30)
    game.step(3)
    assert not game.owned(2, "DisruptorPhased")


@pytest.mark.parametrize(("patch", "buff", "damage"), [("5.0.14", 298, 6 + 2 - 1), ("4.10.0", 280, 6 + 3 - 1)])
def test_a_shredder_takes_armour_off_units_round_its_target(patch, buff, damage):
    game = terran(patch=patch)
    raven = energetic(game, "Raven")
    target, friend = give(game, "Marauder", 56.5, 48.5, owner=2), give(game, "Marauder", 58.0, 48.5)
    depot = give(game, "SupplyDepot", 57, 51, owner=2)
    order(game, target, HOLD)
    game.step(4)
    assert order(game, raven, SHREDDER, depot) == CANT_TARGET_STRUCTURES
    assert order(game, raven, SHREDDER, target) == Result.SUCCESS
    until(game, lambda: game.units[raven]["energy"] < 160, 20)
    loops = until(game, lambda: buff in game.units[target]["buff"], 90)
    assert 57 <= loops <= 59, "it hovers 1.9 n, then it gets faster (RavenShredderMissile)"
    assert buff in game.units[friend]["buff"]
    assert buff not in game.units[depot]["buff"]
    game.kill(friend)
    before = lost(game, target)
    give(game, "Marine", 54.5, 48.5)
    until(game, lambda: lost(game, target) > before, 20)
    assert lost(game, target) - before == damage


def test_a_shredder_flies_at_own_units_too():
    """Catalog: its filters leave out neither the player's nor allies' units; a matrix' do."""
    game = terran()
    raven, tank = energetic(game, "Raven"), give(game, "SiegeTank", 54.5, 48.5)
    permit(game, MATRIX)
    assert order(game, raven, MATRIX, tank) == CANT_TARGET_OWN
    assert order(game, raven, SHREDDER, raven) == CANT_TARGET_CASTER
    assert order(game, raven, SHREDDER, tank) == Result.SUCCESS
    until(game, lambda: 298 in game.units[tank]["buff"], 90)


def test_a_matrix_misses_who_has_gone_aboard():
    game = terran()
    raven, tank = energetic(game, "Raven"), give(game, "SiegeTank", 57.5, 48.5, owner=2)
    medivac = give(game, "Medivac", 58.5, 48.5, owner=2)
    permit(game, MATRIX)
    order(game, tank, HOLD)
    game.step(4)
    assert order(game, raven, MATRIX, tank) == Result.SUCCESS
    until(game, lambda: game.units[raven]["energy"] < 160, 10)
    assert order(game, medivac, LOAD, tank) == Result.SUCCESS
    game.step(20)
    assert game.units[tank]["flags"] & INSIDE
    assert 277 not in game.units[tank]["buff"]


def test_a_turret_wants_free_ground():
    game = terran()
    raven = energetic(game, "Raven", 60)
    give(game, "SupplyDepot", 52.0, 50.0)
    assert order(game, raven, TURRET, (51.0, 50.0)) not in (Result.SUCCESS, Result.ERROR)
    game.step(20)
    assert not game.owned(1, "AutoTurret")
    assert game.units[raven]["energy"] > 59
