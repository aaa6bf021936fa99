"""Rally points of Zerg town halls."""

import math

import pytest

from sim.engine.state import UNFINISHED
from sim.melee.birth import route_of
from sim.melee.game import Game
from sim.melee.records import Result
from tests.sim.melee.zerg_world import at, count, first, give, on, order, rich, until, zerg_game

DRONE, ZERGLING = 1342, 1343
SMART, RALLY_UNITS, RALLY_WORKERS = 1, 211, 212


def hatched(game: Game, loops: int) -> int:
    """A Drone and Zerglings are ordered from one hall; so many loops later, the Drone."""
    drones = set(game.owned(1, "Drone"))
    order(game, first(game, "Larva"), DRONE)
    game.step()
    order(game, first(game, "Larva"), ZERGLING)
    game.step(loops)
    return (set(game.owned(1, "Drone")) - drones).pop()


def test_only_workers_follow_a_rally_point_on_minerals():
    game = zerg_game()
    rich(game)
    give(game, "SpawningPool", 8, 0)
    game.step()
    hall = game.units[first(game, "Hatchery")]
    field = next(
        s
        for s in game.near(float(hall["x"]), float(hall["y"]), 11)
        if int(game.units[s]["type"]) in game.facts.minerals
    )
    assert on(game, first(game, "Hatchery"), 211, field) == Result.SUCCESS  # Rally_Hatchery_Units
    game.step()
    new = hatched(game, 390)
    assert game.facts.abilities[int(game.orders[new, 0]["ability"])].kind in ("gather", "return")
    assert all(game.units[s]["order_count"] == 0 for s in game.owned(1, "Zergling"))


@pytest.mark.parametrize("first_workers", [False, True])
def test_a_hatchery_sends_its_workers_elsewhere_than_its_units(first_workers: bool):
    game = zerg_game()
    rich(game)
    give(game, "SpawningPool", 8, 0)
    game.step()
    hall = first(game, "Hatchery")
    x, y = float(game.units[hall]["x"]), float(game.units[hall]["y"])
    away = 1 if x < game.walk.shape[1] / 2 else -1
    points = {RALLY_WORKERS: (x, y + 8 * away), RALLY_UNITS: (x + 8 * away, y + 8 * away)}
    for ability in sorted(points, reverse=first_workers):
        assert at(game, hall, ability, *points[ability]) == Result.SUCCESS
        game.step()
    drone = hatched(game, 600)
    for unit, ability in ((drone, RALLY_WORKERS), (first(game, "Zergling"), RALLY_UNITS)):
        goal = points[ability]
        assert math.hypot(game.units[unit]["x"] - goal[0], game.units[unit]["y"] - goal[1]) < 1.5
    shown = game.units[hall]
    assert (shown["rally_x"], shown["rally_y"]) == pytest.approx(points[RALLY_UNITS], abs=0.01)


def test_a_right_click_on_the_ground_leaves_drones_at_their_field():
    """At the start a town hall sends its workers to a field; so it does after its units got a point of their own."""
    game = zerg_game()
    rich(game)
    hall = first(game, "Hatchery")
    assert at(game, hall, SMART, float(game.units[hall]["x"]) + 5, float(game.units[hall]["y"])) == Result.SUCCESS
    game.step()
    drones = set(game.owned(1, "Drone"))
    order(game, first(game, "Larva"), DRONE)
    game.step(290)
    new = (set(game.owned(1, "Drone")) - drones).pop()
    assert game.facts.abilities[int(game.orders[new, 0]["ability"])].kind in ("gather", "return")


def test_a_queen_does_not_walk_to_the_rally_point_of_the_drones():
    game = zerg_game()
    rich(game)
    give(game, "SpawningPool", 8, 0)
    game.step()
    assert order(game, first(game, "Hatchery"), 1632) == Result.SUCCESS
    until(game, lambda: count(game, "Queen") == 1, 900)
    assert game.units[first(game, "Queen")]["order_count"] == 0
    hall, queen = (game.units[first(game, name)] for name in ("Hatchery", "Queen"))
    off = float(queen["x"] - hall["x"]), float(queen["y"] - hall["y"])
    assert off == pytest.approx((0, -2.875), abs=0.01), "below, with her edge at the hall's, as 62 of 69 real ones"


def test_units_do_not_go_where_a_field_was_that_their_hall_sends_its_workers_to():
    game = zerg_game()
    rich(game)
    give(game, "SpawningPool", 8, 0)
    game.step()
    hall = first(game, "Hatchery")
    field = int(game.units[hall]["rally_target"])
    assert field >= 0
    game.remove(field)
    game.step(3)
    assert give(game, "Roach", 12, 0) == field, "somebody else is in its slot"
    order(game, first(game, "Larva"), ZERGLING)
    until(game, lambda: bool(game.owned(1, "Zergling")), 400)
    game.step()
    assert all(game.units[s]["order_count"] == 0 for s in game.owned(1, "Zergling"))


def test_a_new_hatchery_sends_its_workers_to_its_minerals_and_its_units_nowhere():
    """Drones of a ladder bot's expansion mine though nobody ever told them or their Hatchery anything."""
    game = zerg_game()
    old = first(game, "Hatchery")
    x, y = float(game.units[old]["x"]), float(game.units[old]["y"])
    game.remove(old)
    hall = game.spawn(game.facts.ids["Hatchery"], 1, x, y, flags=UNFINISHED, build_left=1, build_rate=1)
    game.step(2)
    ((_, _, _, field, _),) = route_of(game, hall, worker=True)
    assert int(game.units[field]["type"]) in game.facts.minerals
    assert not route_of(game, hall, worker=False)


def test_units_follow_the_unit_that_they_are_sent_to_and_drones_do_not():
    game = zerg_game()
    rich(game)
    give(game, "SpawningPool", 8, 0)
    overlord = give(game, "Overlord", 8, 8)
    game.step()
    hall = first(game, "Hatchery")
    workers = game.units[hall]["rally_target"]
    assert on(game, hall, RALLY_UNITS, overlord) == Result.SUCCESS
    drone = hatched(game, 500)
    assert game.facts.abilities[int(game.orders[drone, 0]["ability"])].kind in ("gather", "return")
    x, y = (float(game.units[overlord][axis]) for axis in "xy")
    for slot in game.owned(1, "Zergling"):
        assert math.hypot(game.units[slot]["x"] - x, game.units[slot]["y"] - y) < 3
    assert game.units[hall]["rally_target"] == overlord != workers


def test_the_workers_point_shows_while_it_lies_on_a_field_and_units_have_none():
    game = zerg_game()
    hall = first(game, "Hatchery")
    x, y = float(game.units[hall]["x"]), float(game.units[hall]["y"])
    fields = [slot for slot in game.near(x, y, 11) if int(game.units[slot]["type"]) in game.facts.minerals]
    field = next(slot for slot in fields if slot != game.units[hall]["rally_target"])
    for target, shown in ((field, field), (first(game, "Overlord"), -1), (field, field)):
        assert on(game, hall, RALLY_WORKERS, target) == Result.SUCCESS
        game.step()
        assert game.units[hall]["rally_target"] == shown
        assert bool(game.units[hall]["rally"]) == (shown >= 0)
    assert at(game, hall, RALLY_UNITS, x + 5, y) == Result.SUCCESS
    game.step()
    assert (game.units[hall]["rally_x"], game.units[hall]["rally_target"]) == (x + 5, -1)
