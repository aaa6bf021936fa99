"""Structures: walk, price, time to the loop, halting, resuming, cancelling, add-ons."""

import itertools
import math

import pytest

from sim.engine.state import GATHER, INSIDE
from sim.melee.game import Command
from sim.melee.placement import side_of
from sim.melee.records import Alert, Result
from sim.melee.registry import AFTER
from tests.sim.melee.field import bank, finished, geyser, give, name_of, newest, order, room_for, terran, until

CC, DEPOT, REFINERY, BARRACKS, BAY, TURRET, BUNKER = 318, 319, 320, 321, 322, 323, 324
SENSOR, ACADEMY, FACTORY, STARPORT, ARMORY, FUSION = 326, 327, 328, 329, 331, 333
BUILDS = {
    "CommandCenter": (CC, 1600, 400, 0),
    "SupplyDepot": (DEPOT, 480, 100, 0),
    "Barracks": (BARRACKS, 1040, 150, 0),
    "EngineeringBay": (BAY, 560, 125, 0),
    "MissileTurret": (TURRET, 400, 100, 0),
    "Bunker": (BUNKER, 640, 100, 0),
    "SensorTower": (SENSOR, 400, 100, 50),
    "GhostAcademy": (ACADEMY, 640, 150, 50),
    "Factory": (FACTORY, 960, 150, 100),
    "Starport": (STARPORT, 800, 150, 100),
    "Armory": (ARMORY, 1040, 150, 50),
    "FusionCore": (FUSION, 1040, 150, 150),
}
ADDONS = {421: ("Barracks", "TechLab", 400), 422: ("Barracks", "Reactor", 800), 455: ("Factory", "Reactor", 800)}
ADDONS |= {454: ("Factory", "TechLab", 400), 487: ("Starport", "TechLab", 400), 488: ("Starport", "Reactor", 800)}
MOVE, HALT, SMART, CANCEL = 16, 348, 1, 314


def begin(game, ability, name):
    """An SCV starts a structure. -> (SCV, structure)"""
    scv, before = give(game, "SCV", 40.5, 40.5), len(game.owned(1, name))
    assert order(game, scv, ability, room_for(game, ability)) == Result.SUCCESS
    until(game, lambda: len(game.owned(1, name)) > before, 400)
    return scv, newest(game, name)


@pytest.mark.parametrize("name", BUILDS)
def test_every_structure_takes_its_recorded_loops_and_its_price_when_ordered(name):
    ability, loops, minerals, gas = BUILDS[name]
    game = terran()
    before = bank(game)
    scv = give(game, "SCV", 40.5, 40.5)
    count = len(game.owned(1, name))
    assert order(game, scv, ability, room_for(game, ability)) == Result.SUCCESS
    assert bank(game) == before
    game.step()
    assert bank(game) == (before[0] - minerals, before[1] - gas)
    until(game, lambda: len(game.owned(1, name)) > count, 400)
    slot = newest(game, name)
    assert game.units[slot]["hp"] < 0.2 * game.units[slot]["hp_max"]
    game.events(1)
    assert until(game, lambda: finished(game, slot), 2000) == loops - 1, "the loop in which it began counts"
    assert game.units[slot]["hp"] == game.units[slot]["hp_max"], "nothing is lost to rounding"
    assert Alert.BUILDING_COMPLETE in game.events(1).alerts
    until(game, lambda: game.units[scv]["order_count"] == 0, 25)


@pytest.mark.parametrize("ability", ADDONS)
def test_every_addon_takes_its_recorded_loops(ability):
    host_name, sort, loops = ADDONS[ability]
    game = terran()
    host = give(game, host_name)
    assert order(game, host, ability) == Result.SUCCESS
    game.step()
    addon = int(game.units[host]["addon"])
    assert name_of(game, addon) == host_name + sort
    assert (game.units[addon]["x"], game.units[addon]["y"]) == (51.0, 48.0)
    train = game.abilities_of(int(game.units[host]["type"]))["train"][0]
    assert order(game, host, train) in (Result.NOT_SUPPORTED, Result.TECH_REQUIREMENTS_NOT_MET)  # busy
    assert until(game, lambda: finished(game, addon), 1000) == loops - 1, "so many loops after the command"
    assert game.units[host]["order_count"] == 0


def test_an_scv_that_halts_stops_the_work_and_another_goes_on():
    game = terran()
    scv, depot = begin(game, DEPOT, "SupplyDepot")
    game.step(100)
    assert order(game, scv, HALT) == Result.SUCCESS
    game.step(200)
    assert game.units[scv]["order_count"] == 0
    assert game.units[depot]["build_left"] == 379
    other = give(game, "SCV", 44.5, 44.5)
    assert order(game, other, SMART, depot) == Result.SUCCESS
    walked = until(game, lambda: game.units[depot]["builder"] == other, 200)
    assert walked > 0
    assert until(game, lambda: finished(game, depot), 500) in (379, 380)


def test_a_killed_builder_leaves_the_structure_standing_still():
    game = terran()
    scv, depot = begin(game, DEPOT, "SupplyDepot")
    game.kill(scv)
    left = float(game.units[depot]["build_left"])
    game.step(50)
    assert game.units[depot]["build_left"] == left


def test_cancelling_gives_three_quarters_back_and_counts_as_a_death():
    game = terran()
    scv, bay = begin(game, BAY, "EngineeringBay")
    tag, before = game.tag(bay), bank(game)
    assert order(game, bay, CANCEL) == Result.SUCCESS
    game.step()
    assert bank(game)[0] - before[0] == 94  # 93.75 rounded up
    assert tag in game.events(1).dead
    assert game.units[scv]["order_count"] == 0


def test_a_finished_structure_cannot_be_cancelled():
    game = terran()
    assert order(game, game.owned(1, "Barracks")[0], CANCEL) in (Result.ERROR, Result.NOT_SUPPORTED)


def test_dropping_the_order_before_the_site_gives_the_money_back():
    game = terran()
    scv, before = give(game, "SCV", 20.5, 30.5), bank(game)
    order(game, scv, DEPOT, room_for(game, DEPOT))
    game.step(2)
    assert bank(game)[0] == before[0] - 100
    order(game, scv, MOVE, (21.0, 31.0))
    game.step()
    assert bank(game) == before


def test_a_builder_comes_out_where_its_work_was():
    """Four real SCVs that were sent on 23 loops after their depot walked from there."""
    game = terran()
    scv, at = give(game, "SCV", 40.5, 40.5), room_for(game, DEPOT)
    assert order(game, scv, DEPOT, at) == Result.SUCCESS
    game.step()
    until(game, lambda: game.units[scv]["order_count"] == 0, 900)
    game.step(60)
    depot = game.units[newest(game, "SupplyDepot")]
    assert 1 < max(abs(float(game.units[scv][axis]) - float(depot[axis])) for axis in ("x", "y")) < 1.4


@pytest.mark.parametrize(
    ("ability", "name", "place", "loops"),
    [
        (DEPOT, "SupplyDepot", (1, 0), 13),
        (DEPOT, "SupplyDepot", (-1, 1), 11),
        (BARRACKS, "Barracks", (0, -1), 13),
        (CC, "CommandCenter", (0, 1), 13),
        (CC, "CommandCenter", (1, -1), 0),
    ],
)
def test_a_builder_is_free_when_it_is_out_of_its_structure(ability, name, place, loops, monkeypatch):
    """Real bots' next words to builders: of 1,090 depots of one four within ten loops, of 120 town halls 34."""
    monkeypatch.setitem(AFTER, "builder sets out", lambda *_: None)
    game = terran()
    game.players[1]["minerals"] = 2000
    scv, made = begin(game, ability, name)
    until(game, lambda: game.units[scv]["builder"] == made, 200)
    unit, half = game.units[scv], side_of(game, int(game.units[made]["type"])) / 2 - 0.375
    for axis, sign in zip("xy", place, strict=True):
        unit[axis] = unit[f"goal_{axis}"] = float(game.units[made][axis]) + sign * half
    until(game, lambda: finished(game, made), 2000)
    game.issue(Command(1, MOVE, (game.tag(scv),), 0, 21.0, 31.0, True))  # not heard before it is out
    game.step()
    assert bool(unit["moving"]) == (loops == 0)
    assert loops == 0 or until(game, lambda: unit["order_count"] == 0, 40) == loops - 1


@pytest.mark.parametrize(("patch", "least", "most"), [("4.10.0", 80, 160), ("5.0.14", 104, 136)])
def test_an_scv_walks_about_on_its_site(patch, least, most):
    """Observed of 4.10: it sets out in the loop after the work has begun, and stands between its legs, while the work
    goes on."""
    game = terran(patch=patch)
    scv, at = give(game, "SCV", 40.5, 40.5), room_for(game, DEPOT)
    assert order(game, scv, DEPOT, at) == Result.SUCCESS
    unit = game.units[scv]
    until(game, lambda: unit["builder"] >= 0, 200)
    depot, places = int(unit["builder"]), []
    x, y = float(game.units[depot]["x"]), float(game.units[depot]["y"])
    while not finished(game, depot):
        places.append((float(unit["x"]), float(unit["y"])))
        game.step()
    assert len(places) == 480 - 1  # the loop in which it begins counts
    rests, stood = [], 0
    for before, now in itertools.pairwise(places):
        if before == now:
            stood += 1
        elif stood:
            rests.append(stood)
            stood = 0
    assert places[0] != places[1]
    assert len(rests) >= 2
    assert all(least - 1 <= rest <= most for rest in rests)
    assert max(math.hypot(place[0] - x, place[1] - y) for place in places) < 1.2
    rested = [now for before, now in itertools.pairwise(places) if before == now]
    assert {round(abs(place[0] - x), 3) for place in rested} | {round(abs(place[1] - y), 3) for place in rested} <= {
        0.0,
        0.625,
    }


def test_the_builder_of_a_refinery_goes_in_to_harvest():
    game = terran()
    scv, place = give(game, "SCV", 50.5, 70.5), geyser(game)
    assert order(game, scv, REFINERY, place) == Result.SUCCESS
    until(game, lambda: bool(game.owned(1, "Refinery")), 300)
    refinery = game.owned(1, "Refinery")[0]
    assert until(game, lambda: finished(game, refinery), 600) == 479
    assert game.units[refinery]["contents"] == game.units[place]["contents"] == 2250
    assert game.orders[scv, 0]["verb"] != GATHER  # eleven real ones go in 11 to 19 loops after that
    assert 9 <= until(game, lambda: bool(int(game.units[scv]["flags"]) & INSIDE), 100) <= 20
    assert game.orders[scv, 0]["verb"] == GATHER
    other = give(game, "SCV", 50.5, 70.5)
    assert order(game, other, REFINERY, place) != Result.SUCCESS  # taken


def test_a_geyser_holds_what_its_structure_has_not_given():
    """The next structure there does not begin with a full one."""
    game = terran()
    scv, place = give(game, "SCV", 58.5, 74.5), geyser(game)
    give(game, "CommandCenter", 52.5, 74.5)
    order(game, scv, REFINERY, place)
    until(game, lambda: game.players[1]["gas_gathered"] >= 12, 1200)
    refinery = game.owned(1, "Refinery")[0]
    left = int(game.units[refinery]["contents"])
    assert left <= 2250 - 12
    game.kill(refinery)
    assert game.units[place]["contents"] == left
    game.step()
    assert order(game, scv, REFINERY, place) == Result.SUCCESS
    until(game, lambda: bool(game.owned(1, "Refinery")), 300)
    assert game.units[game.owned(1, "Refinery")[0]]["contents"] == left


def test_nobody_goes_on_harvesting_at_an_empty_geyser():
    game = terran()
    scv, place = give(game, "SCV", 58.5, 74.5), geyser(game)
    give(game, "CommandCenter", 52.5, 74.5)
    order(game, scv, REFINERY, place)
    until(game, lambda: bool(game.owned(1, "Refinery")), 300)
    refinery = game.owned(1, "Refinery")[0]
    game.units[refinery]["contents"] = 6
    before = int(game.players[1]["gas"])
    until(game, lambda: game.units[refinery]["contents"] == 0, 1200)
    until(game, lambda: game.players[1]["gas"] == before + 6, 200)
    game.step(2)
    assert game.units[scv]["order_count"] == 0 or game.orders[scv, 0]["target"] != refinery
    assert not int(game.units[scv]["flags"]) & INSIDE


def test_structures_that_die_free_their_cells():
    game = terran()
    depot = give(game, "SupplyDepot", 40.0, 48.0)
    assert not game.walk[47:49, 39:41].any()
    assert not game.place[47:49, 39:41].any()
    game.kill(depot)
    assert game.walk[47:49, 39:41].all()
    assert game.place[47:49, 39:41].all()


def test_orbital_command_takes_559_loops_and_its_cancel_gives_three_quarters_back():
    game = terran()
    cc = game.owned(1, "CommandCenter")[0]
    before = bank(game)
    assert order(game, cc, 1516) == Result.SUCCESS
    game.step()
    assert bank(game)[0] == before[0] - 150
    assert order(game, cc, 524) == Result.NOT_SUPPORTED
    assert order(game, cc, 1517) == Result.SUCCESS
    game.step()
    assert bank(game)[0] - (before[0] - 150) in range(113, 119)  # 113 back, and what the workers brought
    order(game, cc, 1516)
    assert until(game, lambda: name_of(game, cc) == "OrbitalCommand", 600) == 559
    assert game.units[cc]["energy"] == pytest.approx(50, abs=0.1)
    assert order(game, cc, 524) == Result.NOT_SUPPORTED, "it can do nothing before the next loop"
    game.step()
    assert order(game, cc, 524) == Result.SUCCESS


def test_planetary_fortress_takes_799_loops_and_shoots():
    game = terran()
    cc = game.owned(1, "CommandCenter")[0]
    order(game, cc, 1450)
    assert until(game, lambda: name_of(game, cc) == "PlanetaryFortress", 900) == 799
    hall = game.units[cc]
    enemy = give(game, "Marauder", float(hall["x"]) + 6, float(hall["y"]), owner=2)
    until(game, lambda: not game.units[enemy]["alive"], 400)


def test_two_commands_to_one_player_with_money_for_one():
    game = terran(rich=False, tech=False)
    game.players[1]["minerals"] = 100
    scvs = game.owned(1, "SCV")[:2]
    tags = [game.tag(scv) for scv in scvs]
    results = [game.issue(Command(1, DEPOT, (tag,), 0, 40.0 + 4 * k, 40.0, True)) for k, tag in enumerate(tags)]
    assert results == [Result.SUCCESS, Result.SUCCESS]
    game.step()
    assert bank(game)[0] == 0
    assert [int(game.orders[scv, 0]["ability"]) == DEPOT for scv in scvs] == [True, False]


def test_an_scv_at_work_builds_next_what_it_is_told_meanwhile():
    """Players found it: without queueing, too, and of several orders the last counts."""
    game = terran()
    scv, at = give(game, "SCV", 40.5, 40.5), room_for(game, DEPOT)
    assert order(game, scv, DEPOT, at) == Result.SUCCESS
    until(game, lambda: game.units[scv]["builder"] >= 0, 200)
    depot, begun = int(game.units[scv]["builder"]), game.loop
    assert order(game, scv, MOVE, (20.0, 20.0)) == Result.SUCCESS
    for x in (52.5, 58.5):
        assert order(game, scv, BARRACKS, (x, 52.5)) == Result.SUCCESS
        game.step()
    until(game, lambda: finished(game, depot), 500)
    assert game.loop - begun in (479, 480)
    known = set(game.owned(1, "Barracks"))
    until(game, lambda: set(game.owned(1, "Barracks")) != known, 300)
    (barracks,) = set(game.owned(1, "Barracks")) - known
    assert float(game.units[barracks]["x"]) == 58.5
    assert int(game.units[barracks]["builder"]) == scv


def test_of_two_workers_that_come_to_go_on_one_builds_and_the_other_is_free():
    game = terran()
    scv, depot = begin(game, DEPOT, "SupplyDepot")
    game.step(20)
    order(game, scv, HALT)
    game.step(2)
    x, y = float(game.units[depot]["x"]), float(game.units[depot]["y"])
    near, late = give(game, "SCV", x - 4, y), give(game, "SCV", x - 5, y)
    for worker in (near, late):
        assert order(game, worker, SMART, depot) == Result.SUCCESS
    until(game, lambda: game.units[depot]["builder"] == near, 100)
    until(game, lambda: not game.units[late]["order_count"], 60)
    assert game.units[depot]["builder"] == near
    assert until(game, lambda: finished(game, depot), 500) > 200
