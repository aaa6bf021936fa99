"""Larvae and eggs: numbers and loops as measured in replays."""

import numpy as np

from sim.engine.bufftable import add_buff
from sim.melee.barred import CONTAMINATED
from sim.melee.records import Alert, Command, Result
from sim.melee.zerg_larva import larvae_of, spawn_larva
from tests.sim.melee.zerg_world import count, first, give, on, order, rich, until, zerg_game

DRONE, ZERGLING, OVERLORD, INJECT, CANCEL, RAVAGER, ATTACK = 1342, 1343, 1344, 251, 304, 2330, 23
INJECT_BUFF, STASIS = 11, 129


def test_start_units():
    game = zerg_game()
    assert (count(game, "Larva"), count(game, "Drone"), count(game, "Overlord"), count(game, "Hatchery")) == (
        3,
        12,
        1,
        1,
    )
    hall = game.units[first(game, "Hatchery")]
    places = {
        (float(game.units[s]["x"] - hall["x"]), float(game.units[s]["y"] - hall["y"])) for s in game.owned(1, "Larva")
    }
    assert places == {(0.0, -3.0), (1.0, -3.0), (-1.0, -3.0)}


def test_no_fourth_larva_and_the_next_comes_240_loops_after_one_is_used():
    game = zerg_game()
    game.step(300)
    assert count(game, "Larva") == 3
    assert order(game, first(game, "Larva"), DRONE) == Result.SUCCESS
    game.step()
    assert (count(game, "Larva"), count(game, "Egg")) == (2, 1)
    began = game.loop
    until(game, lambda: count(game, "Larva") == 3)
    assert game.loop - began in (239, 240)


def test_the_clock_is_not_started_anew_by_the_second_larva():
    game = zerg_game()
    rich(game)
    order(game, first(game, "Larva"), DRONE)
    game.step(100)
    order(game, first(game, "Larva"), DRONE)
    game.step()
    assert count(game, "Larva") == 1
    assert until(game, lambda: count(game, "Larva") == 2) == 139 or game.loop in (240, 241)
    assert until(game, lambda: count(game, "Larva") == 3) == 240


def test_an_egg_keeps_the_tag_and_what_hatches_has_a_new_one():
    game = zerg_game()
    larva = first(game, "Larva")
    tag = game.tag(larva)
    drones = {game.tag(slot) for slot in game.owned(1, "Drone")}
    order(game, larva, DRONE)
    game.step()
    began = game.loop
    assert game.tag(first(game, "Egg")) == tag
    assert game.players[1]["minerals"] == 0
    assert game.players[1]["supply_used"] == 13  # taken by the egg
    until(game, lambda: count(game, "Drone") == 13)
    assert game.loop - began in (271, 272)
    born = {game.tag(slot) for slot in game.owned(1, "Drone")} - drones
    assert len(born) == 1
    assert tag not in born
    assert count(game, "Egg") == 0
    assert tag in game.events(1).dead
    assert game.players[1]["supply_used"] == 13


def test_two_zerglings_from_one_egg():
    game = zerg_game()
    rich(game)
    assert order(game, first(game, "Larva"), ZERGLING) == Result.TECH_REQUIREMENTS_NOT_MET
    give(game, "SpawningPool", 8, 0)
    game.step()
    assert order(game, first(game, "Larva"), ZERGLING) == Result.SUCCESS
    game.step(384)
    assert count(game, "Zergling") == 2
    assert game.players[1]["minerals"] >= 5000 - 50
    assert game.players[1]["supply_used"] == 13


def test_a_cancelled_egg_is_a_larva_again():
    game = zerg_game()
    larva = first(game, "Larva")
    order(game, larva, DRONE)
    game.step(50)
    mined = int(game.players[1]["minerals"])
    assert order(game, larva, CANCEL) == Result.SUCCESS
    game.step()
    assert game.facts.names[game.units[larva]["type"]] == "Larva"
    assert game.players[1]["minerals"] >= mined + 50
    assert game.players[1]["supply_used"] == 12


def test_a_killed_egg_pays_all_back():
    game = zerg_game()
    rich(game, 50, 0)
    order(game, first(game, "Larva"), DRONE)
    game.step()
    assert game.players[1]["minerals"] == 0
    game.kill(first(game, "Egg"))
    assert game.players[1]["minerals"] == 50
    game.step()
    assert game.players[1]["supply_used"] == 12


def test_supply_block_refuses_the_egg():
    game = zerg_game()
    rich(game)
    for _ in range(2):
        order(game, first(game, "Larva"), DRONE)
        game.step()
    assert order(game, first(game, "Larva"), DRONE) == Result.NOT_ENOUGH_FOOD
    assert order(game, first(game, "Larva"), OVERLORD) == Result.SUCCESS
    game.step(400)
    assert game.players[1]["supply_cap"] == 22


def test_inject_gives_three_larvae_after_640_loops():
    game = zerg_game()
    hall = first(game, "Hatchery")
    queen = give(game, "Queen", 3.8, 0)
    assert game.units[queen]["energy"] == 25
    assert on(game, queen, INJECT, hall) == Result.SUCCESS
    until(game, lambda: (game.units[hall]["buff"] == 11).any(), 60)
    began = game.loop
    assert game.units[queen]["energy"] < 1
    game.step(642)
    assert count(game, "Larva") == 3
    until(game, lambda: count(game, "Larva") == 4, 3)
    assert until(game, lambda: count(game, "Larva") == 5) == 4
    assert until(game, lambda: count(game, "Larva") == 6) == 4
    assert game.loop - began in (651, 652)
    assert not (game.units[hall]["buff"] == 11).any()
    assert on(game, queen, INJECT, hall) in (Result.SUCCESS, Result.NOT_ENOUGH_ENERGY)


def test_larvae_of_an_inject_are_there_25_loops_after_their_birth():
    """Of 505 that real players named one was named earlier; the clock counts them from their birth on."""
    game = zerg_game()
    rich(game)
    hall = first(game, "Hatchery")
    before = set(game.owned(1, "Larva"))
    assert on(game, give(game, "Queen", 3.8, 0), INJECT, hall) == Result.SUCCESS
    until(game, lambda: count(game, "Larva") == 4, 800)
    (larva,) = set(game.owned(1, "Larva")) - before
    for _ in range(25):
        assert order(game, larva, OVERLORD) == Result.NOT_SUPPORTED
        game.step()
    assert order(game, larva, OVERLORD) == Result.SUCCESS
    game.step()
    assert game.facts.names[game.units[larva]["type"]] == "Egg"


def test_the_second_inject_begins_a_loop_after_the_first():
    game = zerg_game()
    hall = first(game, "Hatchery")
    for place in (3.8, -3.8):
        assert on(game, give(game, "Queen", place, 0), INJECT, hall) == Result.SUCCESS
    game.step(60)
    place = game.units[hall]["buff"].tolist().index(INJECT_BUFF)
    assert game.units[hall]["buff_left"][place] <= 640  # the second's timer begins when the first's is over
    until(game, lambda: count(game, "Larva") == 4)
    assert INJECT_BUFF in game.units[hall]["buff"]
    assert until(game, lambda: count(game, "Larva") == 7) == 641


def test_the_clock_of_a_hall_stands_still_while_it_has_three_larvae():
    game = zerg_game()
    rich(game)
    game.step(10)
    order(game, first(game, "Larva"), DRONE)
    game.step()
    began = game.loop
    game.step(100)
    order(game, first(game, "Egg"), CANCEL)  # three again, 139 or 140 loops before the next
    game.step(500)
    assert count(game, "Larva") == 3
    order(game, first(game, "Larva"), DRONE)
    game.step()
    assert began + 601 == game.loop
    assert until(game, lambda: count(game, "Larva") == 3) in (138, 139, 140)


def test_a_clock_that_was_stopped_and_runs_on_rings_once():
    game = zerg_game()
    rich(game)
    for wait in (30, 50):
        order(game, first(game, "Larva"), DRONE)
        game.step(wait)
        order(game, first(game, "Egg"), CANCEL)
        game.step(wait)
    order(game, first(game, "Larva"), DRONE)
    assert until(game, lambda: count(game, "Larva") == 2) == 1
    assert until(game, lambda: count(game, "Larva") == 3) in (159, 160)
    game.step(400)
    assert count(game, "Larva") == 3


def test_a_new_hall_has_one_larva_at_once_and_the_next_240_loops_later():
    game = zerg_game()
    hall = give(game, "Hatchery", 20, 0)
    game.step()
    (larva,) = larvae_of(game, hall)
    began = game.loop
    game.creep[:] = 0
    game.step(4)
    assert larvae_of(game, hall) == [larva], "the larva is there before the creep"
    until(game, lambda: len(larvae_of(game, hall)) == 2)
    assert game.loop - began in (239, 240)


def test_a_larva_is_born_beside_one_that_is_in_the_way():
    game = zerg_game()
    hall = game.units[first(game, "Hatchery")]
    for larva in game.owned(1, "Larva"):
        game.remove(larva)
    places = []
    for _ in range(5):
        slot = spawn_larva(game, first(game, "Hatchery"))
        places.append((float(game.units[slot]["x"] - hall["x"]), float(game.units[slot]["y"] - hall["y"])))
    assert places == [(0, -3), (1, -3), (-1, -3), (-2, -2.5), (2, -2.5)]


def test_larvae_crawl_about_below_their_hall():
    game = zerg_game()
    hall = game.units[first(game, "Hatchery")]
    seen = []
    for _ in range(150):
        game.step(20)
        larvae = game.units[game.owned(1, "Larva")]
        seen += list(zip(larvae["x"] - hall["x"], larvae["y"] - hall["y"], strict=True))
    off = np.array(seen)
    assert (abs(off[:, 0]) <= 1.51).all()
    assert (abs(off[:, 1] + 3) <= 0.46).all()
    assert 0.4 < (abs(off[:, 0]) < 0.5).mean() < 0.75  # half of them in real games


def test_units_hatch_where_their_egg_lay():
    game = zerg_game()
    give(game, "SpawningPool", 8, 0)
    rich(game)
    game.step()
    drones = set(game.owned(1, "Drone"))
    egg = game.units[first(game, "Larva")].copy()
    order(game, first(game, "Larva"), DRONE)
    until(game, lambda: count(game, "Drone") == 13)
    drone = game.units[(set(game.owned(1, "Drone")) - drones).pop()]
    assert abs(drone["x"] - egg["x"]) + abs(drone["y"] - egg["y"]) < 0.2
    egg = game.units[first(game, "Larva")].copy()
    order(game, first(game, "Larva"), ZERGLING)
    until(game, lambda: count(game, "Zergling") == 2)
    one, two = (game.units[s] for s in game.owned(1, "Zergling"))
    assert np.hypot(one["x"] - egg["x"], one["y"] - egg["y"]) < 0.1
    assert 0.7 < np.hypot(one["x"] - two["x"], one["y"] - two["y"]) < 0.9


def test_of_several_larvae_the_first_named_does_it():
    game = zerg_game()
    larvae = game.owned(1, "Larva")[::-1]
    assert game.issue(Command(1, DRONE, tuple(game.tag(s) for s in larvae))) == Result.SUCCESS
    game.step()
    assert game.owned(1, "Egg") == [larvae[0]]


def test_the_first_of_two_orders_to_one_larva_counts():
    game = zerg_game()
    rich(game)
    game.players[1]["supply_used"] = 0
    larva = first(game, "Larva")
    assert order(game, larva, DRONE) == Result.SUCCESS
    assert order(game, larva, OVERLORD) == Result.SUCCESS
    game.step()
    assert (count(game, "Egg"), count(game, "Larva")) == (1, 2)
    assert game.players[1]["minerals"] == 4950


def test_larvae_outlive_their_hatchery_until_the_creep_below_them_is_gone():
    game = zerg_game()
    rich(game)
    give(game, "SpawningPool", 9.0, 0.0)
    give(game, "Overlord")
    game.kill(first(game, "Hatchery"))
    begun = game.loop
    game.step(400)
    assert count(game, "Larva") == 3
    assert order(game, first(game, "Larva"), DRONE) == Result.SUCCESS
    drones = count(game, "Drone")
    until(game, lambda: count(game, "Drone") == drones + 1, 280)
    game.events(1)
    until(game, lambda: count(game, "Larva") < 2, 900)
    assert 850 < game.loop - begun < 1250
    assert game.events(1).dead


def test_a_cocoon_takes_the_supply_of_what_comes_out_of_it():
    game = zerg_game()
    rich(game, 50, 150)
    for drone in game.owned(1, "Drone")[:3]:
        game.kill(drone)
    give(game, "RoachWarren", 0, 9)
    roaches = [give(game, "Roach", 6, dy) for dy in (0, 3)]
    game.step()
    assert (game.players[1]["supply_used"], game.players[1]["supply_cap"]) == (13, 14)
    minerals, gas = game.players[1]["minerals"], game.players[1]["gas"]
    assert [order(game, roach, RAVAGER) for roach in roaches] == [Result.SUCCESS, Result.SUCCESS]
    game.step()
    assert game.players[1]["supply_used"] == 14
    assert [count(game, "RavagerCocoon"), count(game, "Roach")] == [1, 1]
    assert (game.players[1]["minerals"], game.players[1]["gas"]) == (minerals - 25, gas - 75)
    assert order(game, first(game, "Roach"), RAVAGER) == Result.NOT_ENOUGH_FOOD
    until(game, lambda: count(game, "Ravager") == 1, 280)
    assert game.players[1]["supply_used"] == 14


def test_a_larva_that_is_shot_at_stays_and_can_be_used():
    game = zerg_game()
    rich(game)
    larva = first(game, "Larva")
    order(game, larva, DRONE)
    game.step()
    order(game, larva, CANCEL)  # it has been an egg
    game.step()
    add_buff(game.units[larva], game.state.buffs, STASIS, 4)  # and in a ward
    game.step(8)
    x, y = float(game.units[larva]["x"]), float(game.units[larva]["y"])
    marine = game.spawn(game.facts.ids["Marine"], 2, x, y - 3)
    game.issue(Command(2, ATTACK, (game.tag(marine),), target_tag=game.tag(larva)))
    until(game, lambda: game.units[larva]["last_attacker"] == marine)
    game.step(4)
    assert not game.units[larva]["order_count"]
    assert order(game, larva, OVERLORD) == Result.SUCCESS


def test_larvae_of_an_inject_come_up_to_nineteen_and_are_told_of():
    game = zerg_game()
    hall = first(game, "Hatchery")
    while len(larvae_of(game, hall)) < 17:
        spawn_larva(game, hall)
    assert on(game, give(game, "Queen", 3.8, 0), INJECT, hall) == Result.SUCCESS
    game.events(1)
    until(game, lambda: count(game, "Larva") == 18, 720)
    assert Alert.LARVA_HATCHED not in game.events(1).alerts
    game.step(30)
    assert count(game, "Larva") == 19


def test_a_contaminated_hall_brings_forth_the_larvae_of_its_inject_afterwards():
    game = zerg_game()
    hall = first(game, "Hatchery")
    assert on(game, give(game, "Queen", 3.8, 0), INJECT, hall) == Result.SUCCESS
    until(game, lambda: (game.units[hall]["buff"] == INJECT_BUFF).any(), 60)
    game.step(600)
    add_buff(game.units[hall], game.state.buffs, CONTAMINATED, 100.0)
    game.step(98)
    assert count(game, "Larva") == 3
    game.events(1)
    until(game, lambda: count(game, "Larva") == 6, 30)
    assert Alert.LARVA_HATCHED in game.events(1).alerts
