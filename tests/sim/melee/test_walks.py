"""Ways that orders lead: round what stands in front, after somebody, and to the point itself."""

import math

import pytest

from sim.melee.records import Result
from tests.sim.melee.field import give, order, terran, until

MOVE_ID, PATROL = 16, 17
SIEGE = 388


@pytest.mark.parametrize(("name", "ability"), [("Zergling", 23), ("SCV", 316), ("Marine", 16)])
def test_who_is_sent_to_a_structure_goes_round_the_one_in_front_of_it(name, ability):
    game = terran()
    owner = 2 if name == "Zergling" else 1
    front, behind = give(game, "EngineeringBay", 50.5, 50.5, owner), give(game, "EngineeringBay", 53.5, 50.5, owner)
    game.units[behind]["hp"] = 300
    unit = give(game, name, 44.0, 50.5)
    assert order(game, unit, ability, behind) == Result.SUCCESS
    game.step(160)
    assert game.units[front]["hp"] == 850
    assert abs(float(game.units[unit]["x"]) - 53) < 1.6
    assert (game.units[behind]["hp"] != 300) == (name != "Marine")
    assert game.units[unit]["order_count"] == (name != "Marine")


def test_a_crowd_that_follows_somebody_comes_to_rest_round_him_and_follows_on():
    game = terran()
    leader = give(game, "Marauder", 48.0, 48.0)
    crowd = [give(game, "Marine", 40.0 + k, 44.0) for k in range(9)]
    for marine in crowd:
        assert order(game, marine, MOVE_ID, leader) == Result.SUCCESS
    game.step(250)
    before = game.units[["x", "y"]][crowd].copy()
    for _ in range(60):
        game.step()
        assert (game.units[["x", "y"]][crowd] == before).all(), "nobody pushes for a better place"
    order(game, leader, MOVE_ID, (60.0, 60.0))
    game.step(200)
    assert all(abs(float(game.units[marine]["x"]) - 60) < 4 for marine in crowd)
    assert all(game.units[marine]["order_count"] for marine in crowd)


def test_a_crowd_does_not_carry_off_whom_it_follows():
    game = terran()
    leader = give(game, "Marine", 48.0, 48.0)
    for k in range(16):
        assert order(game, give(game, "Zergling", 38.0 + k % 8, 44.0 + k // 8), MOVE_ID, leader) == Result.SUCCESS
    game.step(400)
    marine = game.units[leader]
    assert math.hypot(float(marine["x"]) - 48, float(marine["y"]) - 48) < 2


def test_a_patrol_to_somebody_who_dies_goes_on_to_his_place():
    game = terran()
    marine, friend = give(game, "Marine", 40.0, 40.0), give(game, "Hellion", 48.0, 40.0)
    assert order(game, marine, PATROL, friend) == Result.SUCCESS
    game.step(4)
    assert game.orders[marine, 0]["target"] == friend
    game.kill(friend)
    until(game, lambda: float(game.units[marine]["x"]) > 47, 80)
    assert game.orders[marine, 0]["target"] == -1
    until(game, lambda: float(game.units[marine]["x"]) < 41, 80)
    assert game.orders[marine, 0]["ability"] == PATROL


def test_a_tank_sieges_at_the_very_point_where_its_move_ends():
    """It does not cut the move short, as it does before another walk."""
    game = terran()
    tank = give(game, "SiegeTank", 40.0, 40.0)
    assert order(game, tank, MOVE_ID, (43.0, 40.0)) == Result.SUCCESS
    assert order(game, tank, SIEGE, queued=True) == Result.SUCCESS
    until(game, lambda: game.units[tank]["type"] == game.facts.ids["SiegeTankSieged"], 200)
    assert (float(game.units[tank]["x"]), float(game.units[tank]["y"])) == pytest.approx((43.0, 40.0), abs=0.001)
