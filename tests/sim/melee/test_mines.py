"""Widow Mines: burrowing arms them, they lock on, fire and reload."""

import pytest

from sim.engine.bufftable import add_buff
from sim.engine.state import BURROWED, CLOAKED, DISARMED, HALLUCINATION, REVEALED
from sim.melee.records import Result
from sim.melee.sight import Sight
from tests.sim.melee.field import give, learn, name_of, order, terran, until

BURROW, UNBURROW, ATTACK, HOLD, CLAWS = 2095, 2097, 2099, 18, 122


def mine(game, x=48.5, y=48.5, owner=1):
    """A mine in the ground, armed."""
    slot = give(game, "WidowMine", x, y, owner)
    assert order(game, slot, BURROW) == Result.SUCCESS
    until(game, lambda: int(game.units[slot]["flags"]) & BURROWED, 60)
    return slot


def loss(game, slot):
    """Life and shields that a unit lacks."""
    unit = game.units[slot]
    return float(unit["hp_max"] - unit["hp"]), float(unit["shield_max"] - unit["shield"])


@pytest.mark.parametrize(("patch", "plain", "claws"), [("5.0.14", (50, 54), (26, 30)), ("4.10.0", (48, 56), (16, 24))])
def test_burrowing_arms_the_mine_and_drilling_claws_hasten_it(patch, plain, claws):
    for least, most, upgrades in ((*plain, ()), (*claws, (CLAWS,))):
        game = terran(patch=patch)
        learn(game, *upgrades)
        slot = give(game, "WidowMine")
        assert order(game, slot, ATTACK, give(game, "Marine", 51.5, 48.5, owner=2)) != Result.SUCCESS
        assert order(game, slot, BURROW) == Result.SUCCESS
        taken = until(game, lambda slot=slot, game=game: int(game.units[slot]["flags"]) & BURROWED, 70)
        assert least <= taken <= most + 2
        assert name_of(game, slot) == "WidowMineBurrowed"


def test_a_mine_locks_on_fires_and_hurts_what_stands_round():
    game = terran()
    mine(game)
    own = give(game, "SCV", 53.9, 48.5)
    target, depot = give(game, "WarpPrism", 52.5, 48.5, owner=2), give(game, "SupplyDepot", 54, 50, owner=2)
    order(game, target, HOLD)
    taken = until(game, lambda: loss(game, target) != (0, 0), 60)
    assert 24 + 10 <= taken <= 24 + 8 + 16, "preparation, flight, up to four loops until it looks"
    assert loss(game, target) == (60, 100), "125 and 35 more for the shields"
    assert loss(game, own)[0] == 40, "armour does not count; friends are hurt, too"
    assert loss(game, depot) == (0, 0)


def test_the_missile_waits_for_its_cooldown_and_misses_those_out_of_reach():
    game = terran()
    slot = mine(game)
    far = give(game, "Marauder", 54.6, 48.5, owner=2)
    order(game, far, HOLD)
    game.step(100)
    assert loss(game, far) == (0, 0), "5 cells from edge to edge"
    game.kill(far)
    for _ in range(2):
        give(game, "Overlord", 50.5, 48.5, owner=2)
    until(game, lambda: game.memory.ready.get((slot, ATTACK), 0) > game.loop, 60)
    fired = game.loop
    assert order(game, slot, ATTACK, game.owned(2, "Overlord")[1]) == Result.COOLDOWN
    until(game, lambda: len(game.owned(2, "Overlord")) == 2 and game.memory.ready[slot, ATTACK] <= game.loop, 700)
    assert game.loop - fired == 640


def test_a_target_that_leaves_breaks_the_lock():
    game = terran()
    slot = mine(game)
    runner = give(game, "Overlord", 52.0, 48.5, owner=2)
    until(game, lambda: game.units[slot]["order_count"] == 1, 10)
    game.units[runner]["x"] = 60.0
    game.step(60)
    assert loss(game, runner) == (0, 0)
    assert (slot, ATTACK) not in game.memory.ready
    assert game.units[slot]["order_count"] == 0


@pytest.mark.parametrize(
    ("patch", "upgrades", "seen"), [("5.0.14", (CLAWS,), False), ("4.10.0", (), True), ("4.10.0", (CLAWS,), False)]
)
def test_a_reloading_mine_can_be_seen(patch, upgrades, seen):
    game = terran(patch=patch)
    learn(game, *upgrades)
    slot = mine(game)
    give(game, "Overlord", 52.0, 48.5, owner=2)
    game.step(4)
    sight = Sight(game, 2)
    assert not sight.is_visible(slot)
    until(game, lambda: (slot, ATTACK) in game.memory.ready, 60)
    game.step(5)
    assert sight.is_visible(slot) is seen
    assert bool(int(game.units[slot]["flags"]) & REVEALED) is seen


def test_mines_fire_at_hidden_units_only_when_these_are_detected():
    game = terran()
    slot = mine(game)
    templar = give(game, "DarkTemplar", 51.5, 48.5, owner=2)
    order(game, templar, HOLD)
    game.step(80)
    assert game.units[slot]["alive"]
    assert loss(game, templar) == (0, 0)
    give(game, "Raven", 48.5, 46.5)
    until(game, lambda: loss(game, templar) != (0, 0), 60)


def test_two_mines_do_not_lock_on_to_one_target_by_themselves():
    game = terran()
    mines = mine(game), mine(game, 48.5, 47.0)
    tank = give(game, "SiegeTankSieged", 51.5, 48.5, owner=2)
    until(game, lambda: any(game.units[slot]["order_count"] for slot in mines), 12)
    game.step(8)
    assert sorted(int(game.units[slot]["order_count"]) for slot in mines) == [0, 1]
    other = give(game, "Marauder", 51.5, 47.0, owner=2)
    until(game, lambda: all(game.units[slot]["order_count"] for slot in mines), 12)
    assert {int(game.orders[slot, 0]["target"]) for slot in mines} == {tank, other}


@pytest.mark.parametrize(
    ("name", "stolen", "waits"), [("Egg", False, True), ("Zergling", True, True), ("Drone", False, False)]
)
def test_whom_a_mine_leaves_alone_by_itself(name, stolen, waits):
    game = terran()
    slot = mine(game)
    victim = give(game, name, 51.5, 48.5, owner=2)
    if stolen:
        add_buff(game.units[victim], game.state.buffs, 22)
    game.units[victim]["flags"] |= DISARMED
    game.step(16)
    assert bool(game.units[slot]["order_count"] == 0) is waits
    assert order(game, slot, ATTACK, victim) == Result.SUCCESS


@pytest.mark.parametrize("detected", [False, True])
def test_by_itself_a_mine_fires_at_no_image_that_its_player_sees_through(detected):
    game = terran()
    if detected:
        give(game, "Raven", 48.5, 46.5)
    slot = mine(game)
    image = game.spawn(game.facts.ids["Colossus"], 2, 51.5, 48.5, flags=HALLUCINATION)
    game.units[image]["flags"] |= DISARMED
    game.step(16)
    assert bool(game.units[slot]["order_count"]) is not detected
    assert order(game, slot, ATTACK, image) == Result.SUCCESS


def test_autocast_can_be_switched_off_and_a_target_ordered():
    game = terran()
    slot = mine(game)
    assert order(game, slot, ATTACK, autocast=True) == Result.SUCCESS
    near, far = give(game, "Overlord", 48.5, 45.5, owner=2), give(game, "Overlord", 48.5, 52.5, owner=2)
    game.step(60)
    assert loss(game, near) == (0, 0)
    assert order(game, slot, ATTACK, far) == Result.SUCCESS
    until(game, lambda: loss(game, far)[0] >= 125, 50)
    assert loss(game, near)[0] == 0


def test_weapon_upgrades_add_nothing_and_the_splash_of_each_patch():
    found = []
    for patch in ("5.0.14", "4.10.0"):
        game = terran(patch=patch)
        learn(game, 30, 31)
        mine(game)
        target = give(game, "Ultralisk", 52.5, 48.5, owner=2)
        beside = give(game, "Overlord", 52.5, 48.5 + 1.65 + 1.0, owner=2)
        for unit in (target, beside):
            order(game, unit, HOLD)
        until(game, lambda game=game, target=target: loss(game, target)[0] > 0, 60)
        found.append((loss(game, target)[0], loss(game, beside)[0]))
    assert found[0][0] == found[1][0] == 125
    assert (found[0][1], found[1][1]) == (0, 40), "1.5 and 1.75 cells to the edge"


def test_enemies_fire_at_a_mine_only_while_it_can_be_seen():
    game = terran()
    slot = mine(game)
    order(game, slot, ATTACK, autocast=True)
    marines = [give(game, "Marine", 52.5, 47.0 + k, owner=2) for k in range(3)]
    game.step(40)
    assert loss(game, slot) == (0, 0)
    assert order(game, slot, ATTACK, marines[0]) == Result.SUCCESS
    until(game, lambda: loss(game, slot)[0] > 0, 80)
    assert (slot, ATTACK) in game.memory.ready


def test_a_mine_is_free_when_the_next_that_it_was_told_to_hit_hides():
    game = terran()
    slot = mine(game)
    order(game, slot, ATTACK, autocast=True)
    first, second = (give(game, "Overlord", 51.5, y, owner=2) for y in (47.5, 49.5))
    game.step(2)
    for target, queued in ((first, False), (second, True)):
        assert order(game, slot, ATTACK, target, queued=queued) == Result.SUCCESS
    game.step(4)
    game.units[second]["flags"] |= CLOAKED
    game.kill(first)
    game.events(1)
    until(game, lambda: not game.units[slot]["order_count"], 10)
    assert [error.result for error in game.events(1).errors] == [Result.TARGET_IS_OUT_OF_RANGE]
    assert (slot, ATTACK) not in game.memory.ready
