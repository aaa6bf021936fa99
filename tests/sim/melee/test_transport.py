"""Loading and unloading: at a point, on the way, one passenger; Bunkers; queues by place."""

import numpy as np
import pytest

from sim.engine.state import INSIDE
from sim.melee import transport
from sim.melee.records import Result
from tests.sim.melee.field import bank, give, learn, order, terran, until
from tests.sim.melee.powers_world import at_rest, away, duel

LOAD, UNLOAD_HERE, UNLOAD_AT, UNLOAD_UNIT, UNLOAD_UNIT_GENERAL, BOOST, MOVE = 394, 395, 396, 397, 3796, 2116, 16
BUNKER_LOAD, BUNKER_UNLOAD, BUNKER_UNIT, RALLY, ATTACK, STOP, HOLD = 407, 408, 410, 195, 3674, 3665, 18
LOAD_ALL, UNLOAD_ALL, BUILD_DEPOT, ORBITAL, FORTRESS, LOAD_OVERLORD, OVERSEER = 416, 413, 319, 1516, 1450, 1406, 1448
HALL_AND_TWO = ("CommandCenter", (40.5, 40.5)), ("SCV", (46.5, 40.5)), ("SCV", (40.5, 46.5))
SMART, MARINE, CANCEL_SLOT, CANCEL_SLOT_GENERAL, STIM_BUNKER, STIMPACK = 1, 560, 305, 3672, 1683, 15


def aboard(game, slot):
    """The unit is inside something."""
    return bool(int(game.units[slot]["flags"]) & INSIDE)


def loaded(game, *names):
    """A Medivac at (48.5, 48.5) with passengers. -> its slot, theirs."""
    medivac = give(game, "Medivac")
    units = [give(game, name, 47.0 + k, 47.0) for k, name in enumerate(names)]
    for unit in units:
        assert order(game, medivac, LOAD, unit, queued=True) == Result.SUCCESS
    until(game, lambda: all(aboard(game, unit) for unit in units), 200)
    return medivac, units


def test_it_drops_on_the_way_and_flies_on():
    game = terran()
    medivac, units = loaded(game, "Marine", "Marine", "Marauder")
    order(game, medivac, MOVE, (70.0, 48.5))
    game.step(20)
    assert order(game, medivac, UNLOAD_AT, medivac) == Result.SUCCESS
    game.step()
    begun, left = game.loop, []
    while len(left) < 3:
        left += [game.loop - begun] * (sum(not aboard(game, unit) for unit in units) - len(left))
        assert game.loop - begun < 60
        game.step()
    assert left == [0, 16, 32]
    places = sorted(float(game.units[unit]["x"]) for unit in units)
    assert places[2] - places[0] > 3, "one after the other, along the way"
    until(game, lambda: game.units[medivac]["x"] > 69.5, 300)


def test_who_is_buried_below_takes_nobodys_place():
    game = terran()
    medivac, (marine,) = loaded(game, "Marine")
    give(game, "WidowMineBurrowed", float(game.units[medivac]["x"]), float(game.units[medivac]["y"]))
    assert order(game, medivac, UNLOAD_AT, medivac) == Result.SUCCESS
    until(game, lambda: not aboard(game, marine), 20)
    assert away(game, marine, float(game.units[medivac]["x"]), float(game.units[medivac]["y"])) < 0.3


def test_it_drops_no_faster_for_being_told_something_else_in_between():
    game = terran()
    medivac, units = loaded(game, *["Marine"] * 4)
    for target in (medivac, (90.0, 48.5), medivac):
        assert order(game, medivac, UNLOAD_AT, target) == Result.SUCCESS
        game.step(4)
    out = []
    for _ in range(40):
        out.append(sum(not aboard(game, unit) for unit in units))
        game.step()
    assert out[0] == 1
    assert [out.index(count) for count in (2, 3, 4)] == [5, 21, 37], "one a normal second, however often it is told"


def test_it_drops_no_faster_for_being_told_another_point():
    """As a real Warp Prism, told to unload at a point and 4 loops later at the next: its passengers left 16 apart."""
    game = terran()
    medivac, units = loaded(game, *["Marine"] * 3)
    x, y = float(game.units[medivac]["x"]), float(game.units[medivac]["y"])
    begun, left = game.loop, []
    for turn in range(40):
        if turn % 4 == 0 and turn < 28:
            assert order(game, medivac, UNLOAD_AT, (x + turn / 1000, y)) == Result.SUCCESS
        game.step()
        left += [game.loop - begun] * (sum(not aboard(game, unit) for unit in units) - len(left))
    assert [later - left[0] for later in left] == [0, 16, 32]


def test_passengers_leave_in_the_order_in_which_they_boarded():
    """So those of a real Warp Prism, who go aboard again and again: not by their tags."""
    game = terran()
    medivac, (first, second, third) = loaded(game, "Marine", "Marine", "Marine")
    assert order(game, medivac, UNLOAD_AT, medivac) == Result.SUCCESS
    until(game, lambda: not aboard(game, first), 20)
    place = float(game.units[medivac]["x"]), float(game.units[medivac]["y"])
    assert away(game, first, *place) < 0.01, "right below it"
    order(game, medivac, LOAD, first)
    until(game, lambda: aboard(game, first), 12)
    out = []
    for _ in range(60):
        out += [unit for unit in (first, second, third) if not aboard(game, unit) and unit not in out]
        game.step()
    assert out == [second, third, first]


def test_over_bad_ground_it_waits():
    game = terran()
    game.walk[:, 45:52] = 0
    game.world[0]["terrain_version"] += 1
    medivac = give(game, "Medivac", 48.5, 48.5)
    marine = give(game, "Marine", 54.0, 48.5)
    order(game, medivac, LOAD, marine)
    until(game, lambda: aboard(game, marine), 100)
    order(game, medivac, MOVE, (48.5, 48.5))
    until(game, lambda: abs(float(game.units[medivac]["x"]) - 48.5) < 0.2, 100)
    assert order(game, medivac, UNLOAD_HERE) == Result.NOT_SUPPORTED
    assert order(game, medivac, UNLOAD_AT, medivac) == Result.SUCCESS
    game.step(40)
    assert aboard(game, marine)
    order(game, medivac, MOVE, (60.0, 48.5))
    until(game, lambda: not aboard(game, marine), 100)
    assert game.units[marine]["x"] > 51.5


@pytest.mark.parametrize("ability", [UNLOAD_UNIT, UNLOAD_UNIT_GENERAL])
def test_one_passenger_leaves_by_name_or_by_place(ability):
    game = terran()
    medivac, (first, second, third) = loaded(game, "Marine", "Marauder", "Reaper")
    assert order(game, medivac, ability, second) == Result.SUCCESS
    game.step()
    assert [aboard(game, unit) for unit in (first, second, third)] == [True, False, True]
    assert order(game, medivac, ability, (1.0, 0.0)) == Result.SUCCESS, "the second of those still aboard"
    game.step()
    assert [aboard(game, unit) for unit in (first, second, third)] == [True, False, False]
    assert order(game, medivac, ability, (1.0, 0.0)) == Result.ERROR
    assert order(game, medivac, ability, second) == Result.ERROR
    assert game.units[medivac]["cargo"] == 1


def test_afterburners_by_patch():
    tops = {}
    for patch, upgrades in (("5.0.14", ()), ("5.0.14", (139,)), ("4.10.0", (139,))):
        game = terran(patch=patch)
        learn(game, *upgrades)
        medivac = give(game, "Medivac", 20.5, 48.5)
        order(game, medivac, MOVE, (90.0, 48.5))
        game.step(60)
        assert order(game, medivac, BOOST) == Result.SUCCESS
        game.step(40)
        x = float(game.units[medivac]["x"])
        game.step(32)
        tops[patch, upgrades] = (float(game.units[medivac]["x"]) - x) / 2
        assert game.memory.ready[medivac, BOOST] - game.loop + 72 in ((320, 319) if not upgrades else (208, 207))
    assert tops["5.0.14", ()] == pytest.approx(1.7 * 2.5, rel=0.02)
    assert tops["5.0.14", (139,)] == pytest.approx(1.4406 * 2.9492, rel=0.02)
    assert tops["4.10.0", (139,)] == pytest.approx(1.7 * 2.5, rel=0.02)


def test_afterburners_need_no_time_to_speed_up():
    game = terran()
    medivac = give(game, "Medivac", 20.5, 48.5)
    order(game, medivac, BOOST)
    order(game, medivac, MOVE, (90.0, 48.5))
    game.step(12)
    assert float(game.units[medivac]["speed"]) == pytest.approx(1.7 * 2.5 / 16)


def manned(game):
    """A Bunker with two Marines. -> its slot, theirs."""
    bunker = give(game, "Bunker", 48.5, 48.5)
    marines = [give(game, "Marine", 50.5, 46.0 + k) for k in range(2)]
    for marine in marines:
        order(game, bunker, BUNKER_LOAD, marine)
        game.step()
    until(game, lambda: all(aboard(game, marine) for marine in marines), 100)
    return bunker, marines


def test_who_leaves_a_bunker_goes_to_its_rally_point():
    game = terran()
    bunker, marines = manned(game)
    assert order(game, bunker, RALLY, (60.0, 60.0)) == Result.SUCCESS
    game.step()
    assert order(game, bunker, BUNKER_UNIT, marines[0]) == Result.SUCCESS
    game.step()
    assert [aboard(game, marine) for marine in marines] == [False, True]
    order(game, bunker, BUNKER_UNLOAD)
    until(game, lambda: not game.units["order_count"][marines].any(), 150)
    for marine in marines:
        unit = game.units[marine]
        assert np.hypot(float(unit["x"]) - 60, float(unit["y"]) - 60) < 1


def test_a_bunker_passes_attacks_and_stops_on():
    game = terran()
    bunker, marines = manned(game)
    near, far = give(game, "Overlord", 50.5, 48.5, owner=2), give(game, "Overlord", 53.5, 48.5, owner=2)
    for slot in (near, far):
        order(game, slot, HOLD)
    until(game, lambda: game.units[marines[0]]["target"] == near, 20)
    assert order(game, bunker, ATTACK, far) == Result.SUCCESS
    game.step(30)
    assert {int(game.units[marine]["target"]) for marine in marines} == {far}
    assert game.units[far]["hp"] < game.units[far]["hp_max"]
    assert order(game, bunker, STOP) == Result.SUCCESS
    until(game, lambda: {int(game.units[marine]["target"]) for marine in marines} == {near}, 20)


@pytest.mark.parametrize("ability", [CANCEL_SLOT_GENERAL, 307])
def test_any_item_of_a_queue_can_be_cancelled(ability):
    game = terran()
    barracks = game.owned(1, "Barracks")[0]
    for _ in range(3):
        order(game, barracks, MARINE)
        game.step()
    game.step(100)
    left, before = int(game.jobs[barracks, 0]["left"]), bank(game)[0]
    assert order(game, barracks, ability, (1.0, 0.0)) == Result.SUCCESS
    game.step()
    assert game.units[barracks]["job_count"] == 2
    assert bank(game)[0] - before >= 50
    assert game.jobs[barracks, 0]["left"] == left - 1, "the first goes on"
    assert order(game, barracks, ability, (5.0, 0.0)) == Result.ERROR
    assert order(game, barracks, ability, (0.0, 0.0)) == Result.SUCCESS
    game.step(2)
    assert game.jobs[barracks, 0]["left"] >= 285, "the next one starts"


def test_passengers_die_where_their_carrier_does_and_count_for_who_shot_it_down():
    game = terran()
    medivac, units = loaded(game, "Marine", "Marine")
    shooter = give(game, "MissileTurret", 70.0, 48.0, 2)
    game.units[medivac]["hp"] = 1
    order(game, medivac, MOVE, (68.0, 48.5))
    until(game, lambda: not game.units[medivac]["alive"], 400)
    there = float(game.units[medivac]["x"])
    assert there > 58
    assert all(not game.units[unit]["alive"] and game.units[unit]["x"] == there for unit in units)
    assert game.scores[2].killed_value["army"] == [200, 100]
    assert game.units[shooter]["alive"]


def test_banelings_aboard_do_not_burst():
    game = duel()
    overlord = give(game, "OverlordTransport", 40.0, 40.0)
    banelings = [give(game, "Baneling", 40.0 + k, 40.0) for k in range(2)]
    for unit in banelings:
        transport.enter(game, unit, overlord)
    marines = [give(game, "Marine", 40.0, 39.0 + k, 2) for k in range(3)]
    at_rest(game, *marines)
    game.step()
    game.kill(overlord)
    game.step()
    assert not any(game.units[unit]["alive"] for unit in banelings)
    assert all(game.units[unit]["hp"] == 45 for unit in marines)


def test_a_town_hall_calls_workers_within_eight_cells() -> None:
    game = terran(tech=False)
    hall = give(game, "CommandCenter", 48.5, 48.5)
    near, far = give(game, "SCV", 55.5, 48.5), give(game, "SCV", 58.5, 48.5)
    assert order(game, hall, 416) == Result.SUCCESS
    game.step()
    assert [int(game.units[slot]["order_count"]) for slot in (near, far)] == [1, 0]


def test_a_medivac_looks_after_who_has_the_smallest_share_of_life() -> None:
    """Not the nearest, nor whose life is the least in points; the nearest of several alike."""
    game = terran(tech=False)
    medivac = give(game, "Medivac", 40.5, 40.5)
    near, worst, alike = give(game, "Marine", 41, 41), give(game, "Marauder", 45, 40), give(game, "Marauder", 46, 40)
    game.units[medivac]["energy"] = 200
    for slot, life in ((near, 27.0), (worst, 30.0), (alike, 30.0)):
        game.units[slot]["hp"] = life
    until(game, lambda: game.units[worst]["hp"] > 31, 60)
    assert [float(game.units[slot]["hp"]) for slot in (near, alike)] == [27.0, 30.0]


def lifted():
    """A lifted hall and an SCV six cells beside it. -> game, their slots."""
    game = terran(patch="4.10.0", tech=False)
    hall, worker = give(game, "CommandCenterFlying", 40.5, 40.5), give(game, "SCV", 46.5, 40.5)
    game.step(4)
    return game, hall, worker


def test_a_lifted_hall_without_an_order_meets_whom_it_calls():
    game, hall, worker = lifted()
    assert order(game, hall, LOAD_ALL) == Result.SUCCESS
    game.step(20)
    assert game.units[hall]["x"] > 40.6
    assert game.units[worker]["x"] < 46.0
    until(game, lambda: game.units[worker]["inside"] == hall, 60)
    assert game.units[hall]["order_count"] == 0


@pytest.mark.parametrize("queued", [False, True])
def test_a_lifted_hall_on_its_way_calls_at_once_or_when_it_is_there(queued):
    game, hall, worker = lifted()
    order(game, hall, MOVE, (40.5, 43.5))
    game.step(2)
    assert order(game, hall, LOAD_ALL, queued=queued) == Result.SUCCESS
    game.step(2)
    assert game.orders[hall, 0]["ability"] == MOVE
    assert game.units[worker]["order_count"] == (not queued)
    until(game, lambda: game.units[worker]["inside"] == hall, 200)
    assert game.units[hall]["y"] == pytest.approx(43.5, abs=3 if not queued else 1.5)


def test_a_hall_calls_nobody_who_is_building():
    game = terran(patch="4.10.0", tech=False)
    hall, builder, other = (give(game, name, *at) for name, at in HALL_AND_TWO)
    order(game, builder, BUILD_DEPOT, (46.0, 43.0))
    until(game, lambda: game.units[builder]["builder"] >= 0, 100)
    assert order(game, hall, LOAD_ALL) == Result.SUCCESS
    game.step(60)
    assert (aboard(game, builder), aboard(game, other)) == (False, True)
    assert game.orders[builder, 0]["ability"] == BUILD_DEPOT


@pytest.mark.parametrize(("name", "enters"), [("Marauder", True), ("SCV", True), ("Zealot", False), ("Queen", False)])
def test_a_bunker_is_for_terrans(name, enters):
    """Catalog: RequiresTerran of its loading; others are one's own by debug commands only."""
    game = terran()
    bunker, unit = give(game, "Bunker", 40.5, 40.5), give(game, name, 44.0, 40.5)
    assert (order(game, bunker, BUNKER_LOAD, unit) == Result.SUCCESS) == enters


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_only_who_carries_nobody_becomes_an_orbital_command_or_an_overseer(patch):
    """Catalog: HasNoCargo of the three changes, and their DisableAbils; Liquipedia of Overlords."""
    game = terran(patch=patch)
    hall, scv = give(game, "CommandCenter", 40.5, 40.5), give(game, "SCV", 45.0, 40.0)
    order(game, hall, LOAD_ALL)
    until(game, lambda: game.units[hall]["cargo"] == 1, 60)
    for change in (ORBITAL, FORTRESS):
        assert order(game, hall, change) == Result.NOT_WHILE_OCCUPIED
    order(game, hall, UNLOAD_ALL)
    until(game, lambda: game.units[hall]["cargo"] == 0, 20)
    assert order(game, hall, ORBITAL) == Result.SUCCESS
    game.step(2)
    assert order(game, hall, LOAD_ALL) == Result.NOT_SUPPORTED
    assert not aboard(game, scv)
    game = duel(patch)
    give(game, "Lair", 60.5, 20.5)
    overlord, zergling = give(game, "OverlordTransport", 40, 40), give(game, "Zergling", 41, 40)
    game.step(2)
    order(game, overlord, LOAD_OVERLORD, zergling)
    until(game, lambda: game.units[overlord]["cargo"] > 0, 60)
    assert order(game, overlord, OVERSEER) == Result.NOT_WHILE_OCCUPIED


@pytest.mark.parametrize(("name", "boards"), [("Infestor", True), ("InfestorBurrowed", False)])
def test_who_is_buried_boards_no_overlord(name, boards):
    """Catalog: the filter Buried of OverlordTransport, from either side."""
    game = duel()
    overlord, infestor = give(game, "OverlordTransport", 40.0, 40.0), give(game, name, 43.0, 40.0)
    game.step(4)
    assert order(game, overlord, LOAD_OVERLORD, infestor) == (Result.SUCCESS if boards else 144)
    order(game, infestor, SMART, overlord)
    game.step(80)
    assert aboard(game, infestor) is boards


def test_a_bunker_passes_stims_on_to_those_who_have_the_life_for_it():
    game = terran()
    bunker, marines = manned(game)
    assert order(game, bunker, STIM_BUNKER) == Result.TECH_REQUIREMENTS_NOT_MET
    learn(game, STIMPACK)
    game.units["hp"][marines] = 45, 10
    assert order(game, bunker, STIM_BUNKER) == Result.SUCCESS
    game.step(2)
    assert game.units["hp"][marines].tolist() == [35, 10]
    assert [27 in game.units[marine]["buff"] for marine in marines] == [True, False]


def test_it_drops_when_it_has_carried_out_its_orders_if_it_is_told_so_at_last():
    game = terran()
    medivac, (marine,) = loaded(game, "Marine")
    order(game, medivac, MOVE, (56.5, 48.5))
    assert order(game, medivac, UNLOAD_AT, medivac, queued=True) == Result.SUCCESS
    game.step(10)
    assert aboard(game, marine)
    until(game, lambda: not aboard(game, marine), 100)
    assert away(game, marine, 56.5, 48.5) < 1


def test_told_to_unload_over_bad_ground_it_ends_its_order_there():
    game = terran()
    medivac, (marine,) = loaded(game, "Marine")
    game.walk[:, 55:70] = 0
    assert order(game, medivac, UNLOAD_AT, (60.5, 48.5)) == Result.SUCCESS
    game.step()
    until(game, lambda: not game.units[medivac]["order_count"], 200)
    assert away(game, medivac, 60.5, 48.5) < 1
    assert aboard(game, marine)
