"""Banelings, burrowing and creep tumors."""

from __future__ import annotations

import pytest

from sim.engine.state import BURROWED, INVULNERABLE
from sim.melee.records import Command, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import at_rest, away, duel, learn, lost

EXPLODE, STRUCTURES_ON, STRUCTURES_OFF, MOVE, ATTACK = 42, 2081, 2082, 16, 23


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
    mine = give(game, "WidowMineBurrowed", 40.0, 41.5, 2)
    at_rest(game, marine, mine)
    game.step()
    order(game, baneling, 1374)
    until(game, lambda: bool(int(game.units[baneling]["flags"]) & BURROWED), 40)
    order(game, marine, MOVE, (40.5, 40.0))
    until(game, lambda: away(game, marine, 40.0, 40.0) < 1, 60)
    assert lost(game, marine) == 0
    assert order(game, baneling, EXPLODE) == Result.SUCCESS
    game.step(2)
    assert lost(game, marine) == pytest.approx(15)
    assert lost(game, mine) > 0, "who is buried is not safe either"


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
    game.creep[36:48, 36:48] = 1  # which cells a hall covers first is chance
    tumor = give(game, "CreepTumorQueen", 44.5, 40.5)
    until(game, lambda: name_of(game, tumor) == "CreepTumorBurrowed", 20)
    begun = game.loop
    game.step(20)
    assert order(game, tumor, 1733, (44.5, 44.5)) == Result.COOLDOWN
    until(game, lambda: order(game, tumor, 1733, (44.5, 44.5)) == Result.SUCCESS, 320)
    assert game.loop - begun == cooldown
    game.step(2)
    assert len(game.owned(1, "CreepTumor")) == 1
    assert order(game, tumor, 1733, (44.5, 36.5)) == Result.NOT_SUPPORTED
    seed = game.owned(1, "CreepTumor")[0]
    assert int(game.units[seed]["flags"]) & INVULNERABLE, "it is in the air"
    game.step(16)
    assert not int(game.units[seed]["flags"]) & INVULNERABLE
    took = until(game, lambda: name_of(game, seed) == "CreepTumorBurrowed", 300) + 17
    game.step(cooldown)
    assert 1733 not in available_abilities(game, tumor), "it has spread"
    assert 1733 in available_abilities(game, seed)
    assert 240 + 15 <= took <= 240 + 18 + 6, "four cells of flight, and the delay before it digs"


def test_a_queen_is_offered_a_tumor_with_energy_for_it_only() -> None:
    game = duel()
    queen = give(game, "Queen", 40.5, 40.5)
    for energy, offered in ((24.0, False), (26.0, True)):
        game.units[queen]["energy"] = energy
        assert (1694 in available_abilities(game, queen)) is offered
