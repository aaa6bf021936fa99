"""Powers of Battlecruisers, and what casters of all kinds share: offers, cooldowns, orders judged late."""

import math

import pytest

from sim.engine.state import CLOAKED, DISARMED, INVULNERABLE
from sim.melee.records import Race, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import energetic, give, order, permit, terran, until
from tests.sim.melee.powers_world import at_rest, duel, full, learn, lost

EMP, SNIPE, YAMATO, JUMP, NUKE, MOVE, HOLD = 1628, 2714, 401, 2358, 1622, 16, 18


def test_a_yamato_shot_cannot_be_interrupted_and_flies():
    game = terran()
    cruiser, target = give(game, "Battlecruiser"), give(game, "SupplyDepot", 56, 48, owner=2)
    order(game, cruiser, HOLD)
    assert order(game, cruiser, YAMATO, target) == Result.TECH_REQUIREMENTS_NOT_MET
    permit(game, YAMATO)
    game.step(40)
    before = lost(game, target)
    assert order(game, cruiser, YAMATO, target) == Result.SUCCESS
    game.step(10)
    before = lost(game, target)
    assert order(game, cruiser, MOVE, (40.0, 48.5)) == Result.SUCCESS
    taken = until(game, lambda: lost(game, target) > before, 60)
    assert 38 + 4 <= taken <= 38 + 8
    assert lost(game, target) - before == 240, "its batteries are silent meanwhile"
    game.step(40)
    assert game.units[cruiser]["x"] < 48
    assert order(game, cruiser, YAMATO, target) == Result.COOLDOWN
    assert YAMATO not in available_abilities(game, cruiser)
    assert YAMATO in available_abilities(game, cruiser, ignore_resources=True)


def dies(game, target):
    """It is killed."""
    game.kill(target)


def hides(game, target):
    """It cloaks."""
    game.units[target]["flags"] |= CLOAKED


@pytest.mark.parametrize("end", [dies, hides])
@pytest.mark.parametrize(("patch", "spent"), [("5.0.14", True), ("4.10.0", False)])
def test_a_yamato_shot_without_its_target(patch, spent, end):
    """The ship is free again; the shot is spent in the newer patch."""
    game = terran(patch=patch)
    cruiser, target = give(game, "Battlecruiser"), give(game, "Thor", 58, 48, owner=2)
    order(game, cruiser, HOLD)
    game.units[target]["flags"] |= DISARMED
    permit(game, YAMATO)
    game.step(40)
    assert order(game, cruiser, YAMATO, target) == Result.SUCCESS
    game.step(10)
    before = lost(game, target)
    end(game, target)
    until(game, lambda: not game.units[cruiser]["order_count"], 6)
    assert (game.memory.ready.get((cruiser, YAMATO), 0) > game.loop) is spent
    game.step(60)
    assert lost(game, target) - before < 240 or not game.units[target]["alive"]


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_yamato_shot_goes_on_when_its_ship_is_taken_over(patch):
    """The notes of 3.8: it is no longer interrupted by Neural Parasite."""
    game = duel(patch, Race.ZERG, Race.TERRAN)
    infestor, victim = give(game, "Infestor", 40.0, 40.0), give(game, "Ultralisk", 55.0, 40.0)
    cruiser = give(game, "Battlecruiser", 47.0, 40.0, 2)
    full(game, infestor)
    at_rest(game, infestor, victim)
    learn(game, "BattlecruiserEnableSpecializations", player=2)
    learn(game, "NeuralParasite")
    game.step(4)
    assert order(game, cruiser, YAMATO, victim) == Result.SUCCESS
    game.step(8)
    assert order(game, infestor, 249, cruiser) == Result.SUCCESS
    game.step(25)
    assert game.units[cruiser]["owner"] == 1
    assert lost(game, victim) == 0
    game.step(60)
    assert lost(game, victim) > 200


@pytest.mark.parametrize(("patch", "charge"), [("5.0.14", 23), ("4.10.0", 0)])
def test_a_jump_in_its_stages(patch, charge):
    game = terran(patch=patch)
    cruiser = give(game, "Battlecruiser", facing=math.atan2(-18.5, 31.5))
    order(game, cruiser, HOLD)
    game.step(4)
    begun = game.loop
    assert order(game, cruiser, JUMP, (80.0, 30.0)) == Result.SUCCESS
    game.step(2)
    assert bool(int(game.units[cruiser]["flags"]) & INVULNERABLE) is (charge == 0)
    until(game, lambda: int(game.units[cruiser]["flags"]) & INVULNERABLE, 40)
    assert charge <= game.loop - begun <= charge + 2
    until(game, lambda: game.units[cruiser]["x"] > 79, 20)
    assert charge + 10 <= game.loop - begun <= charge + 12
    assert order(game, cruiser, MOVE, (70.0, 30.0)) == Result.SUCCESS
    until(game, lambda: not int(game.units[cruiser]["flags"]) & INVULNERABLE, 120)
    assert charge + 96 <= game.loop - begun <= charge + 99
    assert abs(float(game.units[cruiser]["x"]) - 80.0) < 1.0
    game.step(40)
    assert game.units[cruiser]["x"] < 79
    assert order(game, cruiser, JUMP, (48.0, 48.0)) == Result.COOLDOWN
    assert game.memory.ready[cruiser, JUMP] - begun in (1600, 1601)


# -- what all share ---------------------------------------------------------------------------------------------------
def test_what_is_offered_by_energy_money_and_cooldown():
    game = terran()
    ghost = energetic(game, "Ghost", 60)
    assert {SNIPE, EMP} & set(available_abilities(game, ghost)) == {SNIPE}
    assert {SNIPE, EMP} <= set(available_abilities(game, ghost, ignore_resources=True))
    barracks = game.owned(1, "Barracks")[0]
    assert 560 in available_abilities(game, barracks)
    game.players[1]["minerals"] = 40
    assert 560 not in available_abilities(game, barracks)
    assert 560 in available_abilities(game, barracks, ignore_resources=True)


def test_no_two_abilities_of_one_unit_share_a_cooldown():
    """The engine keeps cooldowns by ability; this is why that is enough."""
    for patch in ("5.0.14", "4.10.0"):
        facts = terran(patch=patch).facts
        links = [
            (caster, ability.cooldown_link)
            for ability in facts.abilities.values()
            if ability.cooldown_link
            for caster in ability.casters
        ]
        assert len(links) == len(set(links))


def test_a_target_on_unseen_high_ground_is_refused_late():
    game = terran()
    ghost = energetic(game, "Ghost", 100)
    game.state.levels[:, 56:] += 24
    game.step(8)
    assert order(game, ghost, EMP, (60.0, 48.5)) == Result.SUCCESS
    game.step(30)
    assert game.units[ghost]["energy"] >= 100
    assert [error.result for error in game.events(1).errors] == [Result.MUST_TARGET_VISIBLE_LOCATION]


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_who_casts_farther_than_it_sees_goes_on_until_it_does(patch):
    """A lone Ghost's strike (12 cells; it sees 11) and a lone ship's cannon at something large came to nothing."""
    game = terran(patch=patch)
    permit(game, YAMATO)
    academy = game.owned(1, "GhostAcademy")[0]
    game.units[academy]["timer"] = 1  # a missile in the silo
    ghost, ship = give(game, "Ghost", 48.5, 60.5), give(game, "Battlecruiser", 48.5, 40.5)
    hall = give(game, "Hatchery", 70.5, 40.5, owner=2)
    game.step(4)
    assert order(game, ghost, NUKE, (70.5, 60.5)) == order(game, ship, YAMATO, hall) == Result.SUCCESS
    until(game, lambda: ghost in game.memory.nukes, 120)
    assert 58.9 < game.units[ghost]["x"] < 60.5
    until(game, lambda: lost(game, hall) >= 240, 300)
    assert not game.events(1).errors


def test_a_spotter_lets_a_ghost_strike_from_its_whole_range():
    game = terran()
    academy = game.owned(1, "GhostAcademy")[0]
    game.units[academy]["timer"] = 1
    ghost = give(game, "Ghost", 48.5, 60.5)
    give(game, "Raven", 66.5, 66.5)
    assert order(game, ghost, NUKE, (70.5, 60.5)) == Result.SUCCESS
    until(game, lambda: ghost in game.memory.nukes, 120)
    assert 58.2 < game.units[ghost]["x"] < 58.8


def test_a_cast_is_judged_again_when_its_caster_has_come():
    """A ship that is the caster's own by then is not fired at."""
    game = terran()
    permit(game, YAMATO)
    ship, target = give(game, "Battlecruiser", 30.5, 48.5), give(game, "Thor", 48.5, 48.5, owner=2)
    give(game, "Medivac", 44.5, 48.5)
    game.step(4)
    assert order(game, ship, YAMATO, target) == Result.SUCCESS
    game.step(2)
    game.units[target]["owner"] = 1
    until(game, lambda: not game.units[ship]["order_count"], 300)
    game.step(100)
    assert lost(game, target) == 0
    assert (ship, YAMATO) not in game.memory.ready


@pytest.mark.parametrize(("patch", "spent"), [("5.0.14", True), ("4.10.0", False)])
def test_a_yamato_shot_whose_ship_is_abducted(patch, spent):
    game = duel(patch, Race.ZERG, Race.TERRAN)
    viper, victim = give(game, "Viper", 47.0, 46.0), give(game, "Ultralisk", 55.0, 40.0)
    cruiser = give(game, "Battlecruiser", 47.0, 40.0, 2)
    full(game, viper)
    at_rest(game, viper, victim)
    learn(game, "BattlecruiserEnableSpecializations", player=2)
    game.step(4)
    assert order(game, cruiser, YAMATO, victim) == Result.SUCCESS
    game.step(8)
    assert order(game, viper, 2067, cruiser) == Result.SUCCESS
    game.step(60)
    assert lost(game, victim) == 0
    assert (game.memory.ready.get((cruiser, YAMATO), 0) > game.loop) is spent
