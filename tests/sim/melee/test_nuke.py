"""Nuclear strikes."""

import pytest

from sim.melee.records import Alert, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import bank, give, order, terran, until
from tests.sim.melee.powers_world import at_rest, lost

ARM, CALL, CANCEL, GENERAL_CANCEL, MOVE, CANCEL_LAST, DOT, ATTACK = 710, 1622, 1623, 3659, 16, 306, 7, 23


def ready(game):
    """A Ghost with a missile in the silo. -> its slot."""
    academy = game.owned(1, "GhostAcademy")[0]
    assert order(game, academy, ARM) == Result.SUCCESS
    game.step(962)
    return give(game, "Ghost")


def dots(game):
    """The red dots on the ground."""
    return [effect for effect in game.memory.effects if effect.id == DOT and effect.until > game.loop]


def test_an_academy_holds_one_missile():
    game = terran()
    academy, ghost = game.owned(1, "GhostAcademy")[0], give(game, "Ghost")
    before = bank(game)
    assert order(game, ghost, CALL, (55.0, 48.5)) == Result.TECH_REQUIREMENTS_NOT_MET
    assert order(game, academy, ARM) == Result.SUCCESS
    game.step()
    assert before[1] - bank(game)[1] == 100
    assert order(game, academy, ARM) == Result.TECH_REQUIREMENTS_NOT_MET
    assert until(game, lambda: CALL in available_abilities(game, ghost), 1000) == 959
    assert Alert.NUKE_COMPLETE in game.events(1).alerts
    assert not game.owned(1, "Nuke")
    assert order(game, academy, ARM) == Result.TECH_REQUIREMENTS_NOT_MET
    assert ARM not in available_abilities(game, academy)


def test_the_missile_under_way_can_be_cancelled_in_the_queue():
    game = terran()
    academy = game.owned(1, "GhostAcademy")[0]
    before = bank(game)[1]
    order(game, academy, ARM)
    game.step()
    assert order(game, academy, CANCEL_LAST) == Result.SUCCESS
    game.step()
    assert bank(game)[1] == before


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_strike_hurts_all_in_three_rings(patch):
    game = terran(patch=patch)
    ghost = ready(game)
    x = 58.5
    hall = give(game, "CommandCenter", x, 46.5, owner=2)
    middle, outer = give(game, "Ultralisk", x + 5.5, 48.5, owner=2), give(game, "Carrier", x + 8.0, 48.5, owner=2)
    own = give(game, "Thor", x, 48.5 + 8.5)
    for slot in (middle, outer, own):
        order(game, slot, 18)
    at_rest(game, own)
    assert order(game, ghost, CALL, (x, 48.5)) == Result.SUCCESS
    until(game, lambda: dots(game), 12)
    called = game.loop
    assert Alert.NUCLEAR_LAUNCH_DETECTED in game.events(2).alerts
    assert Alert.NUCLEAR_LAUNCH_DETECTED not in game.events(1).alerts
    before = lost(game, own)
    until(game, lambda: lost(game, hall) > 0, 400)
    assert game.loop - called == 320
    assert lost(game, hall) == 500
    assert 150 <= lost(game, middle) <= 152
    assert float(game.units[outer]["shield_max"] - game.units[outer]["shield"]) >= 75
    assert lost(game, own) - before == 75, "friends, too"
    assert not dots(game)
    assert CALL not in available_abilities(game, ghost)


def test_the_missile_is_a_unit_from_the_call_to_the_blast():
    """Five public bots and the official client's examples know it among the own units; where it is, is ours."""
    game = terran()
    ghost, (academy,) = ready(game), game.owned(1, "GhostAcademy")
    game.step()
    supply = int(game.players[1]["supply_used"])
    order(game, ghost, CALL, (57.5, 48.5))
    until(game, lambda: dots(game), 12)
    (missile,) = game.owned(1, "Nuke")
    at = game.units[missile]
    assert (at["x"], at["y"]) == (game.units[academy]["x"], game.units[academy]["y"])
    assert game.players[1]["supply_used"] == supply
    assert order(game, missile, MOVE, (40.0, 48.5)) == Result.NOT_SUPPORTED
    assert not available_abilities(game, missile)
    foe = give(game, "Marine", float(at["x"]) + 4, float(at["y"]), owner=2)
    assert order(game, foe, ATTACK, missile) != Result.SUCCESS
    game.step(301)
    assert (at["x"], at["y"]) == (57.5, 48.5)
    assert lost(game, missile) == 0
    game.step(20)
    assert not game.owned(1, "Nuke")


def test_a_dead_ghost_takes_its_missile_along_unless_it_already_falls():
    for wait, strikes in ((295, False), (302, True)):
        game = terran()
        ghost = ready(game)
        victim = give(game, "CommandCenter", 57.5, 48.5, owner=2)
        order(game, ghost, CALL, (57.5, 48.5))
        until(game, lambda game=game: dots(game), 12)
        game.step(wait)
        game.kill(ghost)
        game.step(80)
        assert not game.owned(1, "Nuke")
        assert bool(game.world[0]["dealt"][1].sum() > 0) is strikes
        assert (lost(game, victim) > 0) is strikes
        assert not dots(game)


def test_a_ghost_is_free_before_its_missile_strikes_and_the_place_is_lit():
    game = terran()
    ghost = ready(game)
    order(game, ghost, MOVE, (20.5, 48.5))
    game.step(240)
    order(game, ghost, CALL, (30.5, 48.5))
    until(game, lambda: dots(game), 40)
    assert order(game, ghost, MOVE, (12.5, 48.5)) == Result.SUCCESS
    game.step(290)
    place = float(game.units[ghost]["x"])
    assert game.visibility[1, 48, 37] != 2
    game.step(20)
    assert float(game.units[ghost]["x"]) < place - 0.5
    assert game.visibility[1, 48, 37] == 2


def test_an_aiming_ghost_obeys_only_the_cancel():
    game = terran()
    ghost = ready(game)
    assert order(game, ghost, CANCEL) != Result.SUCCESS
    order(game, ghost, CALL, (57.5, 48.5))
    until(game, lambda: dots(game), 12)
    assert order(game, ghost, MOVE, (40.0, 48.5)) == Result.SUCCESS
    game.step(100)
    assert abs(float(game.units[ghost]["x"]) - 48.5) < 1.0
    assert CANCEL in available_abilities(game, ghost)
    assert order(game, ghost, GENERAL_CANCEL) == Result.SUCCESS
    game.step(2)
    assert not dots(game)
    assert order(game, ghost, MOVE, (40.0, 48.5)) == Result.SUCCESS
    game.step(50)
    assert float(game.units[ghost]["x"]) < 44
    assert CALL not in available_abilities(game, ghost), "the missile is lost"
