"""Sites that are taken, held or blocked: who waits, who gives up, what is refused."""

import pytest

from sim.engine.state import UNFINISHED
from sim.melee.builders import BLOCKED
from sim.melee.records import Result
from tests.sim.melee.field import bank, give, name_of, order, room_for, terran, until

CC, DEPOT, REFINERY = 318, 319, 320
PYLON, HATCHERY = 881, 1152
MOVE, HOLD, LAND = 16, 18, 554


def test_a_site_taken_meanwhile_gives_an_error_and_the_money_back():
    """CouldntReachTarget (a client library's measurement in a real game of 5.0.15)."""
    game = terran()
    scv, at = give(game, "SCV", 30.5, 30.5), room_for(game, DEPOT)
    before = bank(game)
    assert order(game, scv, DEPOT, at) == Result.SUCCESS
    game.step()
    give(game, "SupplyDepot", *at)
    until(game, lambda: game.units[scv]["order_count"] == 0, 400)
    errors = game.events(1).errors
    assert [(e.tag, e.ability, e.result) for e in errors] == [(game.tag(scv), DEPOT, Result.COULDNT_REACH_TARGET)]
    assert bank(game) == before


@pytest.mark.parametrize(
    ("name", "owner", "command", "free"),
    [
        ("RoachBurrowed", 2, 0, False),
        ("SiegeTankSieged", 1, 0, False),
        ("Marine", 1, 0, True),
        ("Marine", 1, HOLD, False),
    ],
)
def test_who_stays_on_a_site_blocks_it(name, owner, command, free):
    """Burrowed units and who holds its position block construction: the order is taken, and fails once the builder has
    waited (a real SCV gave up where a Marine of its player held position)."""
    game = terran()
    scv, at = give(game, "SCV", 40.5, 40.5), room_for(game, DEPOT)
    other = give(game, name, *at, owner=owner)
    if command:
        assert order(game, other, command) == Result.SUCCESS
        game.step()
    before, depots = bank(game), len(game.owned(1, "SupplyDepot"))
    assert order(game, scv, DEPOT, at) == Result.SUCCESS
    game.step()
    until(game, lambda: game.units[scv]["order_count"] == 0 or len(game.owned(1, "SupplyDepot")) > depots, 400)
    assert (len(game.owned(1, "SupplyDepot")) > depots) is free
    if not free:
        assert [(e.ability, e.result) for e in game.events(1).errors] == [(DEPOT, Result.CANT_BUILD_LOCATION_INVALID)]
        assert bank(game) == before


@pytest.mark.parametrize(("name", "ability"), [("SCV", DEPOT), ("Probe", PYLON), ("Drone", HATCHERY)])
def test_a_builder_waits_for_a_site_that_somebody_holds(name, ability):
    """It begins once the site is free, or gives up after 108 loops and has its money back."""
    game = terran()
    worker, at = give(game, name, 40.5, 40.5), room_for(game, ability)
    other, before = give(game, "SCV", *at, owner=2), bank(game)
    assert order(game, worker, ability, at) == Result.SUCCESS
    until(game, lambda: game.orders[worker, 0]["y2"] < 0, 400)
    game.step(BLOCKED - 1)
    assert game.units[worker]["order_count"] == 1
    assert bank(game) != before
    game.step()
    assert game.units[worker]["order_count"] == 0
    assert [(e.ability, e.result) for e in game.events(1).errors] == [(ability, Result.CANT_BUILD_LOCATION_INVALID)]
    assert bank(game) == before
    assert order(game, worker, ability, at) == Result.SUCCESS
    until(game, lambda: game.orders[worker, 0]["y2"] < 0, 400)
    game.remove(other)
    structures = len([slot for slot in game.owned(1) if int(game.units[slot]["flags"]) & UNFINISHED])
    game.step(2)
    assert len([slot for slot in game.owned(1) if int(game.units[slot]["flags"]) & UNFINISHED]) == structures + 1
    assert not game.events(1).errors


@pytest.mark.parametrize(
    ("name", "owner", "free"), [("RoachBurrowed", 2, False), ("Marine", 2, False), ("Marine", 1, True)]
)
def test_structures_do_not_land_on_who_stays(name, owner, free):
    game = terran()
    barracks = give(game, "BarracksFlying", 40.5, 40.5)
    below = give(game, name, 50.5, 48.5, owner=owner)
    game.step()
    assert order(game, barracks, LAND, (50.5, 48.5)) == Result.SUCCESS
    game.step()
    until(game, lambda: game.units[barracks]["order_count"] == 0, 400)
    assert (name_of(game, barracks) == "Barracks") is free
    if not free:
        assert [(e.ability, e.result) for e in game.events(1).errors] == [(LAND, Result.CANT_LAND_LOCATION_INVALID)]
        return
    game.step(40)
    unit = game.units[below]
    assert max(abs(float(unit["x"]) - 50.5), abs(float(unit["y"]) - 48.5)) > 1.5, "it has made room"


def test_creep_in_the_way_is_told_as_such_at_once_and_when_the_builder_comes():
    """A ladder bot of years clears creep away by these two results, and units by the two of an invalid location."""
    game = terran()
    give(game, "Overlord", 50.5, 48.5)
    scv, barracks = give(game, "SCV", 40.5, 48.5), give(game, "BarracksFlying", 40.5, 40.5)
    game.step(16)
    for unit, ability, at in ((scv, DEPOT, (48.0, 48.0)), (barracks, LAND, (50.5, 48.5))):
        assert order(game, unit, ability, at) == Result.SUCCESS
    game.step()
    game.creep[40:56, 44:56] = 1
    until(game, lambda: not game.units[[scv, barracks]]["order_count"].any(), 400)
    build, land = Result.CANT_BUILD_TOO_CLOSE_TO_CREEP_SOURCE, Result.CANT_LAND_TOO_CLOSE_TO_CREEP_SOURCE
    assert {(e.ability, e.result) for e in game.events(1).errors} == {(DEPOT, build), (LAND, land)}
    assert order(game, scv, DEPOT, (48.0, 48.0)) == build
    assert order(game, barracks, LAND, (50.5, 48.5)) == land


def test_blocked_sites_are_refused_at_once():
    game = terran()
    scv = give(game, "SCV", 40.5, 40.5)
    for x, y in ((18.5, 72.5), (40.5, 60.5)):
        give(game, "Overlord", x, y)
    game.step(16)
    barracks = game.units[game.owned(1, "Barracks")[0]]
    assert order(game, scv, DEPOT, (float(barracks["x"]), float(barracks["y"]))) == Result.CANT_FIND_PLACEMENT
    assert order(game, scv, CC, (18.5, 76.5)) == Result.CANT_BUILD_TOO_CLOSE_TO_RESOURCES
    assert order(game, scv, REFINERY, (40.5, 60.5)) != Result.SUCCESS


def test_what_is_out_of_sight_is_not_looked_at_before_the_builder_comes():
    """So real orders are taken and paid, known mineral fields and structures in the fog included (53 of 61 orders of
    learned agents; two of nine where they saw)."""
    game = terran()
    scv = give(game, "SCV", 30.5, 60.5)
    give(game, "SupplyDepot", 45.0, 60.0, 2)
    game.step()
    before = bank(game)
    assert order(game, scv, DEPOT, (2.0, 60.0)) == Result.CANT_FIND_PLACEMENT, "the ground itself is known"
    assert order(game, scv, DEPOT, (45.0, 60.0)) == Result.SUCCESS
    game.step()
    assert bank(game) < before
    until(game, lambda: game.units[scv]["order_count"] == 0, 400)
    assert [e.result for e in game.events(1).errors] == [Result.COULDNT_REACH_TARGET]
    assert bank(game) == before
    assert order(game, scv, DEPOT, (45.0, 60.0)) == Result.CANT_FIND_PLACEMENT, "now it sees the depot"


def test_a_geyser_that_is_taken_out_of_sight_is_found_so_by_the_builder():
    """Two orders of learned agents were accepted and paid."""
    game = terran()
    scv, geyser = give(game, "SCV", 30.5, 60.5), give(game, "VespeneGeyser", 45.5, 60.5, 0)
    give(game, "Refinery", 45.5, 60.5, 2)
    game.step()
    before = bank(game)
    assert order(game, scv, REFINERY, geyser) == Result.SUCCESS
    game.step()
    until(game, lambda: game.units[scv]["order_count"] == 0, 400)
    assert [(e.ability, e.result) for e in game.events(1).errors] == [(REFINERY, Result.CANT_BUILD_LOCATION_INVALID)]
    assert bank(game) == before
    assert order(game, scv, REFINERY, geyser) != Result.SUCCESS


def test_a_site_that_no_way_leads_to_is_given_up():
    """A Queen of a public bot was sent with a tumor to where only tumors had come."""
    game = terran()
    for x in (39, 41, 43):
        for y in (59, 61, 63):
            if (x, y) != (41, 61):
                give(game, "SupplyDepot", x, y)
    scv = give(game, "SCV", 41, 61)
    game.step()
    before = bank(game)
    assert order(game, scv, DEPOT, (52.0, 52.0)) == Result.SUCCESS
    game.step()
    until(game, lambda: game.units[scv]["order_count"] == 0, 1000)
    errors = game.events(1).errors
    assert [(e.tag, e.ability, e.result) for e in errors] == [(game.tag(scv), DEPOT, Result.COULDNT_REACH_TARGET)]
    assert bank(game) == before


@pytest.mark.parametrize("away", [(47.2, 48), (48, 48), (48, 50), (47, 52), (45, 47)])
def test_the_later_of_two_builders_at_one_site_gives_up(away):
    """It has no order for ever: what stops a little short of a site has come to its way's end."""
    game = terran()
    first, second = give(game, "SCV", *away), give(game, "SCV", 40, 48)
    game.step()
    before = bank(game)[0]
    assert [order(game, scv, DEPOT, (52.0, 52.0)) for scv in (first, second)] == [Result.SUCCESS] * 2
    game.step(200)
    assert game.units[second]["order_count"] == 0
    assert before - bank(game)[0] == 100


def test_what_a_builder_is_told_without_a_queue_forgets_what_was_queued():
    """A bot that queues a move where it sees none queued did so 825 times while a real SCV built."""
    game = terran()
    scv, at = give(game, "SCV", 40.5, 40.5), room_for(game, DEPOT)
    assert order(game, scv, DEPOT, at) == Result.SUCCESS
    until(game, lambda: game.units[scv]["builder"] >= 0, 400)
    depot = int(game.units[scv]["builder"])
    for _ in range(40):
        assert order(game, scv, MOVE, (60.0, 60.0), queued=True) == Result.SUCCESS
        game.step()
        assert order(game, scv, MOVE, (20.0, 60.0)) == Result.SUCCESS
        game.step()
        assert game.units[scv]["order_count"] == 1
    assert order(game, scv, MOVE, (60.0, 60.0), queued=True) == Result.SUCCESS
    until(game, lambda: not int(game.units[depot]["flags"]) & UNFINISHED, 500)
    until(game, lambda: game.units[scv]["order_count"] == 0, 400)
    assert float(game.units[scv]["x"]) > 59, "it goes where it was sent last in the queue"
