"""Hosts of add-ons that lift off, land and build elsewhere."""

import pytest

from sim.melee import placement
from sim.melee.records import Command, Result
from tests.sim.melee.field import bank, give, name_of, order, terran, until

MOVE, TECH_LAB, REACTOR, LIFT, LAND, VIKING, MARINE, MARAUDER = 16, 421, 422, 452, 554, 624, 560, 563


def test_a_structure_lifts_off_and_lands_at_its_place_in_63_loops():
    game = terran()
    host = give(game, "Barracks")
    order(game, host, LIFT)
    game.step()
    order(game, host, LAND, (48.5, 48.5))
    assert until(game, lambda: name_of(game, host) == "Barracks", 80) == 62
    assert order(game, host, MARINE) != Result.SUCCESS
    game.step()
    assert order(game, host, MARINE) == Result.SUCCESS


@pytest.mark.parametrize(
    ("cells", "moved", "again", "real"),
    [((-1, 0), 5, 0, 91), ((5, 0), 11, 0, 156), ((-2, 3), 40, 80, 143), ((-14, 6), 40, 280, 343)],
)
def test_a_flying_structure_brakes_before_it_lands(cells: tuple[float, float], moved: int, again: int, real: int):
    """Real flights, from lifting off to the new type: landing at once, or moving there and landing later."""
    game = terran()
    host = give(game, "Barracks", 50.5, 40.5)
    there = 50.5 + cells[0], 40.5 + cells[1]
    order(game, host, LIFT)
    game.step(moved)
    order(game, host, MOVE if again else LAND, there)
    if again:
        game.step(again - moved)
        order(game, host, LAND, there)
    loops = max(moved, again) + until(game, lambda: name_of(game, host) == "Barracks", 200)
    assert abs(loops - real) <= 2


def test_two_structures_that_fly_to_each_others_places_pass_each_other():
    """In two real games the one came down 173 loops after its move, as one that met nobody, the other 177."""
    game = terran()
    hosts = [give(game, "Barracks", 40.5, 40.5), give(game, "Starport", 46.5, 45.5)]
    places = [(46.5, 45.5), (40.5, 40.5)]
    game.step(2)
    order(game, hosts[0], LIFT)
    order(game, hosts[1], 518)
    game.step(40)
    for host, to in zip(hosts, places, strict=True):
        order(game, host, MOVE, to)
    game.step(110)
    for host, land, to in zip(hosts, (LAND, 522), places, strict=True):
        assert order(game, host, land, to) == Result.SUCCESS
    loops = 110 + until(game, lambda: {name_of(game, host) for host in hosts} == {"Barracks", "Starport"}, 100)
    assert loops in range(168, 179)


def test_lifting_leaves_the_lab_and_landing_beside_a_bare_reactor_takes_it():
    game = terran()
    host = give(game, "Barracks", 40.5, 48.5)
    order(game, host, 421)
    game.step(402)
    lab = int(game.units[host]["addon"])
    factory = give(game, "Factory", 60.5, 48.5)
    order(game, factory, 455)
    game.step(802)
    reactor, tag = int(game.units[factory]["addon"]), game.tag(host)
    assert order(game, host, LIFT) == order(game, factory, 485) == Result.SUCCESS
    game.step()
    assert (name_of(game, host), name_of(game, lab)) == ("BarracksFlying", "TechLab")
    assert game.walk[48, 40] == 1
    game.step(40)
    order(game, factory, MOVE, (70.5, 60.5))
    game.step(200)
    assert order(game, host, LAND, (60.5, 48.5)) == Result.SUCCESS
    until(game, lambda: name_of(game, host) == "Barracks", 800)
    assert game.tag(host) == tag
    assert (name_of(game, reactor), int(game.units[host]["addon"])) == ("BarracksReactor", reactor)
    assert game.walk[48, 60] == 0
    game.step(2)
    for _ in range(8):
        assert order(game, host, 560) == Result.SUCCESS
        game.step()
    assert order(game, host, 560) == Result.QUEUE_FULL
    assert game.jobs[host, :2]["started"].tolist() == [1, 1]


def test_an_addon_at_another_place_makes_its_host_fly_there():
    game = terran()
    host = give(game, "Barracks", 40.5, 40.5)
    assert order(game, host, 421, (60.5, 40.5)) == Result.SUCCESS
    until(game, lambda: int(game.units[host]["addon"]) >= 0, 900)
    assert (float(game.units[host]["x"]), name_of(game, host)) == (60.5, "Barracks")


def test_without_room_for_the_addon_nothing_is_built():
    game = terran()
    host = give(game, "Barracks", 40.5, 48.5)
    give(game, "SupplyDepot", 43.0, 48.0)
    assert order(game, host, 421) == Result.SUCCESS
    game.step(3)
    assert (game.units[host]["order_count"], game.units[host]["addon"]) == (0, -1)


def lifted():
    """A game with a Barracks in the air at (40.5, 48.5)."""
    game = terran()
    host = give(game, "Barracks", 40.5, 48.5)
    order(game, host, LIFT)
    game.step(60)
    return game, host


@pytest.mark.parametrize("moving", [False, True])
def test_a_host_in_the_air_lands_at_the_point_and_builds_there(moving):
    """It shows both orders and is charged at once (observed); what it was doing it leaves."""
    game, host = lifted()
    if moving:
        order(game, host, MOVE, (44.5, 70.5))
        game.step(20)
    before = bank(game)
    assert order(game, host, REACTOR, (60.5, 48.5)) == Result.SUCCESS
    game.step()
    assert game.orders[host, :2]["ability"].tolist() == [LAND, REACTOR]
    assert (before[0] - bank(game)[0], before[1] - bank(game)[1]) == (50, 50)
    until(game, lambda: int(game.units[host]["addon"]) >= 0, 900)
    assert (float(game.units[host]["x"]), name_of(game, host)) == (60.5, "Barracks")


def test_a_host_in_the_air_that_is_told_no_point_does_nothing():
    """It answers Success, and nothing is charged or started (observed)."""
    game, host = lifted()
    before = bank(game)
    assert order(game, host, REACTOR) == Result.SUCCESS
    game.step(3)
    assert (game.units[host]["order_count"], game.units[host]["addon"]) == (0, -1)
    assert bank(game) == before


@pytest.mark.parametrize("first", [0, 1])
def test_an_addon_and_its_host_made_by_debug_are_a_pair(first):
    game = terran()
    pair = [("Starport", 40.5, 48.5), ("BarracksReactor", 43, 48)]
    made = {name: give(game, name, x, y) for name, x, y in (pair[first], pair[1 - first])}
    port, reactor = made["Starport"], made["BarracksReactor"]
    assert (game.units[port]["addon"], game.units[reactor]["addon"]) == (reactor, port)
    assert name_of(game, reactor) == "StarportReactor"
    for _ in range(8):
        assert order(game, port, VIKING) == Result.SUCCESS
        game.step()
    assert game.jobs[port, :2]["started"].tolist() == [1, 1]


def queue(game, host):
    """(ability, started) of the items in a producer's queue."""
    return [(int(job["ability"]), int(job["started"])) for job in game.jobs[host, : game.units[host]["job_count"]]]


@pytest.mark.parametrize(("name", "plain"), [("BarracksTechLab", "TechLab"), ("FactoryReactor", "Reactor")])
def test_an_addon_made_by_debug_without_a_host_is_of_no_hosts_sort(name: str, plain: str) -> None:
    game = terran()
    assert name_of(game, give(game, name, 43.0, 48.0)) == plain


def test_without_its_lab_a_barracks_ends_what_it_began_and_drops_what_needs_it():
    game = terran()
    host, lab = give(game, "Barracks", 40.5, 48.5), give(game, "BarracksTechLab", 43, 48)
    for unit in (MARAUDER, MARINE, MARAUDER, MARINE, MARAUDER):
        order(game, host, unit)
        game.step()
    before = bank(game)
    game.kill(lab)
    game.step()
    assert queue(game, host) == [(MARAUDER, 1), (MARINE, 0), (MARINE, 0)]
    assert (bank(game)[0] - before[0], bank(game)[1] - before[1]) == (200, 50)
    until(game, lambda: len(game.owned(1, "Marauder")) == 1, 480)


def test_without_its_reactor_a_barracks_makes_one_at_a_time_of_five():
    game = terran()
    host, reactor = give(game, "Barracks", 40.5, 48.5), give(game, "BarracksReactor", 43, 48)
    for _ in range(7):
        order(game, host, MARINE)
        game.step()
    before = bank(game)[0]
    game.kill(reactor)
    game.step(100)
    assert queue(game, host) == [(MARINE, 1)] * 2 + [(MARINE, 0)] * 3
    assert bank(game)[0] - before == 100
    assert game.jobs[host, 1]["left"] - game.jobs[host, 0]["left"] > 90


def barracks_with_addons(*addons):
    """A Barracks for each add-on's ability, 0 for none; all complete."""
    game = terran()
    hosts = [give(game, "Barracks", 36.5 + 8 * k, 48.5) for k in range(len(addons))]
    for host, addon in zip(hosts, addons, strict=True):
        if addon:
            assert order(game, host, addon) == Result.SUCCESS
    game.step(1200)
    for _ in range(4):
        give(game, "SupplyDepot", 20.0, 60.0)
    game.players[1]["minerals"], game.players[1]["gas"] = 5000, 5000
    return game, hosts


def taken(game, hosts, ability):
    """Which of the producers takes an item that is ordered of all of them."""
    before = [int(game.units[host]["job_count"]) for host in hosts]
    assert game.issue(Command(1, ability, tuple(game.tag(host) for host in hosts))) == Result.SUCCESS
    game.step()
    after = [int(game.units[host]["job_count"]) for host in hosts]
    (index,) = [k for k in range(len(hosts)) if after[k] > before[k]]
    return index


def test_of_several_producers_the_one_that_can_begin_first_takes_the_item():
    """As in a game of a learned agent: a reactor's second place is used before anything waits, and before a Barracks
    with a tech lab; then who is done first takes the next."""
    game, hosts = barracks_with_addons(REACTOR, TECH_LAB, REACTOR)
    assert [taken(game, hosts, MARINE) for _ in range(5)] == [0, 2, 0, 2, 1]
    game.step(100)
    assert [taken(game, hosts, MARINE) for _ in range(5)] == [0, 2, 0, 2, 1]


def test_who_waits_behind_a_long_item_is_not_first():
    game, hosts = barracks_with_addons(TECH_LAB, TECH_LAB)
    assert order(game, hosts[0], MARAUDER) == Result.SUCCESS
    game.step()
    assert order(game, hosts[1], MARINE) == Result.SUCCESS
    game.step()
    assert [taken(game, hosts, MARINE) for _ in range(2)] == [1, 0]


@pytest.mark.parametrize(
    ("addon", "answer"),
    [("BarracksTechLab", Result.SUCCESS)]
    + [(other, Result.TECH_REQUIREMENTS_NOT_MET) for other in ("half a lab", "BarracksReactor", "none")],
)
def test_a_marauder_needs_a_finished_lab(addon, answer):
    game = terran()
    host = give(game, "Barracks", 40.5, 48.5)
    if addon.startswith("Barracks"):
        give(game, addon, 43.0, 48.0)
    elif addon == "half a lab":
        order(game, host, TECH_LAB)
        until(game, lambda: game.units[host]["addon"] >= 0, 20)
    assert order(game, host, MARAUDER) == answer


@pytest.mark.parametrize("how", ["at work", "building it", "lifting off", "has one"])
def test_a_host_takes_no_order_for_an_addon(how):
    game = terran()
    host = give(game, "Barracks", 40.5, 48.5)
    if how == "has one":
        give(game, "BarracksTechLab", 43.0, 48.0)
    else:
        ability = {"at work": MARINE, "building it": REACTOR, "lifting off": LIFT}[how]
        assert order(game, host, ability) == Result.SUCCESS
    game.step(2)
    before = bank(game)
    assert order(game, host, REACTOR) == Result.NOT_SUPPORTED
    assert order(game, host, REACTOR, (60.5, 48.5)) == Result.NOT_SUPPORTED
    game.step(2)
    assert bank(game) == before


@pytest.mark.parametrize("ability", [3659, 451])
def test_an_addon_that_is_cancelled_gives_three_quarters_back(ability):
    game = terran()
    host = give(game, "Barracks", 40.5, 48.5)
    before = bank(game)
    assert order(game, host, REACTOR) == Result.SUCCESS
    game.step(20)
    assert game.units[host]["addon"] >= 0
    assert order(game, host, ability) == Result.SUCCESS
    game.step(2)
    assert (before[0] - bank(game)[0], before[1] - bank(game)[1]) == (12, 12)
    assert (game.units[host]["addon"], game.units[host]["order_count"]) == (-1, 0)


def test_where_an_addon_has_room_is_asked_of_its_hosts_place():
    game = terran()
    give(game, "SupplyDepot", 63.0, 48.0)
    assert placement.can_place(game, 1, TECH_LAB, 60.5, 48.5) == Result.CANT_FIND_PLACEMENT
    assert placement.can_place(game, 1, TECH_LAB, 50.5, 48.5) == Result.SUCCESS
