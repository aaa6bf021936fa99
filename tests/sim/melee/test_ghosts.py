"""Powers of Ghosts: EMP, Steady Targeting, holding fire."""

import pytest

from sim.engine.state import DISARMED
from sim.melee.game import Game
from sim.melee.records import Result
from sim.melee.sight import Sight
from sim.melee.tech import available_abilities
from tests.sim.melee.field import energetic, give, order, terran, until
from tests.sim.melee.powers_world import lost

MUST_TARGET_BIOLOGICAL = 121  # ActionResult
EMP, SNIPE, CANCEL, HOLD_FIRE, WEAPONS_FREE, CLOAK = 1628, 2714, 3659, 36, 38, 382
ATTACK, MOVE, HOLD = 23, 16, 18


def aiming(game: Game, y: float) -> tuple[int, int]:
    """A Ghost that aims at an Ultralisk and has paid for it."""
    ghost, beast = energetic(game, "Ghost", 100), give(game, "Ultralisk", 57.5, y, owner=2)
    game.step(4)
    order(game, ghost, SNIPE, beast)
    until(game, lambda: game.units[ghost]["energy"] < 60, 12)
    return ghost, beast


def test_an_emp_flies_then_takes_shields_and_energy():
    game = terran()
    ghost, templar = energetic(game, "Ghost", 100), give(game, "HighTemplar", 56.5, 48.5, owner=2)
    assert order(game, ghost, EMP, (56.5, 48.5)) == Result.SUCCESS
    until(game, lambda: game.units[ghost]["energy"] < 30, 10)
    assert game.units[templar]["shield"] > 0
    flown = until(game, lambda: game.units[templar]["energy"] < 1, 10)
    assert 4 <= flown <= 5, "eight cells at thirty a normal second"
    assert game.units[templar]["shield"] == 0
    assert game.units[templar]["last_attacker"] == ghost
    assert game.world[0]["dealt"][1][1] == 40


def test_who_is_hit_by_an_emp_turns_on_the_ghost():
    """Who has no shields, too: the catalog's damage is none, but damage it is."""
    game = terran()
    ghost, marine = energetic(game, "Ghost", 100), give(game, "Marine", 58.0, 48.5, owner=2)
    assert order(game, ghost, HOLD_FIRE) == Result.SUCCESS
    game.step(4)
    assert game.units[marine]["target"] == -1
    order(game, ghost, EMP, (58.0, 48.5))
    until(game, lambda: game.units[marine]["target"] == ghost, 16)
    assert lost(game, marine) == 0


def test_an_emp_shows_who_is_cloaked():
    game = terran()
    spy = give(game, "Ghost", 54.5, 48.5, owner=2)
    game.units[spy]["energy"] = 200
    game.players[2]["upgrades"][:] = 1
    order(game, spy, CLOAK)
    order(game, spy, HOLD_FIRE)
    game.step(5)
    sight = Sight(game, 1)
    ghost = energetic(game, "Ghost")
    game.step(4)
    assert not sight.is_visible(spy)
    order(game, ghost, EMP, (54.5, 48.5))
    game.step(14)
    assert sight.is_visible(spy)
    game.step(170)
    assert game.units[spy]["energy"] < 200


def test_a_ghost_aims_at_the_living_only_and_pays_when_it_begins():
    game = terran()
    ghost, car = energetic(game, "Ghost", 100), give(game, "Hellion", 56.5, 44.5, owner=2)
    beast = give(game, "Ultralisk", 57.5, 50.5, owner=2)
    assert order(game, ghost, SNIPE, car) == MUST_TARGET_BIOLOGICAL
    game.kill(car)
    game.step(4)
    assert order(game, ghost, SNIPE, beast) == Result.SUCCESS
    until(game, lambda: game.units[ghost]["energy"] < 60, 12)
    assert order(game, ghost, MOVE, (40.0, 48.5)) == Result.SUCCESS
    assert until(game, lambda: lost(game, beast) >= 130, 60) == 32
    assert game.units[ghost]["energy"] < 60
    game.step(30)
    assert game.units[ghost]["x"] < 46, "the order given meanwhile waited"


@pytest.mark.parametrize(("patch", "zergling", "templar"), [("5.0.14", 130, 170), ("4.10.0", 170, 170)])
def test_snipe_hurts_by_patch(patch, zergling, templar):
    game = terran(patch=patch)
    ghost = energetic(game, "Ghost")
    for name, expected in (("Ultralisk", zergling), ("Infestor", templar)):
        victim = give(game, name, 55.5, 48.5, owner=2)
        game.units[victim]["hp_max"] = game.units[victim]["hp"] = 900
        order(game, victim, HOLD)
        game.step(4)
        order(game, ghost, SNIPE, victim)
        order(game, ghost, HOLD_FIRE)
        until(game, lambda victim=victim: lost(game, victim) > 100, 60)
        assert lost(game, victim) == pytest.approx(expected, abs=12)
        game.kill(victim)


def test_damage_interrupts_a_snipe_and_gives_the_energy_back():
    game = terran()
    ghost, beast = aiming(game, 50.5)
    marine = give(game, "Marine", 50.5, 48.5, owner=2)
    until(game, lambda: lost(game, ghost) > 0, 20)
    game.kill(marine)
    game.step(2)
    assert game.units[ghost]["energy"] > 99
    assert not game.units[ghost]["order_count"]
    game.step(40)
    assert lost(game, beast) < 100


def test_a_snipe_can_be_cancelled():
    game = terran()
    ghost, _ = aiming(game, 50.5)
    assert order(game, ghost, CANCEL) == Result.SUCCESS
    game.step(2)
    assert game.units[ghost]["energy"] > 99
    assert not game.units[ghost]["order_count"]


@pytest.mark.parametrize(
    ("patch", "gap", "holds"), [("5.0.14", 13.5, True), ("5.0.14", 14.5, False), ("4.10.0", 20, True)]
)
def test_a_snipe_ends_when_its_victim_is_far_away(patch, gap, holds):
    game = terran(patch=patch)
    give(game, "Medivac", 66.0, 52.0)
    ghost, beast = aiming(game, 48.5)
    game.units[beast]["flags"] |= DISARMED
    radii = float(game.type_of(ghost)["radius"] + game.type_of(beast)["radius"])
    game.units[beast]["x"] = float(game.units[ghost]["x"]) + gap + radii
    game.step(2)
    assert bool(game.units[ghost]["order_count"]) is holds
    assert (game.units[ghost]["energy"] > 99) is not holds


def test_a_ghost_holds_its_fire_until_told():
    game = terran()
    ghost, target = give(game, "Ghost"), give(game, "Overlord", 52.5, 48.5, owner=2)
    assert {HOLD_FIRE, WEAPONS_FREE} & set(available_abilities(game, ghost)) == {HOLD_FIRE}
    assert order(game, ghost, HOLD_FIRE) == Result.SUCCESS
    game.step(60)
    assert lost(game, target) == 0
    assert 13 in game.units[ghost]["buff"]
    assert {HOLD_FIRE, WEAPONS_FREE} & set(available_abilities(game, ghost)) == {WEAPONS_FREE}
    assert order(game, ghost, HOLD_FIRE) == Result.NOT_SUPPORTED
    assert order(game, ghost, WEAPONS_FREE) == Result.SUCCESS
    until(game, lambda: lost(game, target) > 0, 30)


def test_an_attack_ends_a_ghosts_held_fire_and_holding_it_ends_an_attack():
    """Catalog: RemoveValidatorArray CasterNotAttacking, and CAbilAttack off for a loop."""
    game = terran()
    ghost, target = give(game, "Ghost"), give(game, "Overlord", 52.5, 48.5, owner=2)
    order(game, ghost, ATTACK, target)
    until(game, lambda: lost(game, target) > 0, 30)
    order(game, ghost, HOLD_FIRE)
    game.step(4)
    assert not game.units[ghost]["order_count"]
    before = lost(game, target)
    game.step(60)
    assert lost(game, target) <= before
    order(game, ghost, ATTACK, target)
    game.step(3)
    assert 13 not in game.units[ghost]["buff"]
    assert HOLD_FIRE in available_abilities(game, ghost)
    game.units[target]["hp"] = 1
    until(game, lambda: not game.units[target]["alive"], 30)
    other = give(game, "Overlord", 52.5, 48.5, owner=2)
    until(game, lambda: lost(game, other) > 0, 40)
