"""The Nydus network, and locusts."""

from __future__ import annotations

import itertools
import math

import pytest

from sim.engine.state import FLYING, INSIDE, UNFINISHED
from sim.melee import mines
from sim.melee.game import Game
from sim.melee.records import Alert, Result
from sim.melee.tech import available_abilities
from tests.sim.melee.field import give, name_of, order, until
from tests.sim.melee.powers_world import away, duel, lost
from tests.sim.server.test_observation import Eye

HOLD, MOVE, SMART, STOP, ATTACK = 18, 16, 1, 4, 23
SUMMON, UNLOAD_WORM, CANCEL_WORM, LOCUSTS, SWOOP = 1768, 2371, 175, 2704, 2387
RALLY, UNLOAD_ONE, UNLOAD_ONE_WORM = 195, 1440, 2373  # by the panel


# -- nydus ------------------------------------------------------------------------------------------------------------
def network(patch: str = "5.0.14") -> tuple[Game, int]:
    """A finished Nydus Network."""
    game = duel(patch)
    give(game, "Hatchery", 20.5, 30.5)
    nydus = give(game, "NydusNetwork", 26.5, 30.5)
    give(game, "Overlord", 60.0, 40.0)
    game.step(4)
    return game, nydus


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_worm_has_more_armour_while_it_emerges(patch: str) -> None:
    game, nydus = network(patch)
    order(game, nydus, SUMMON, (60.5, 40.5))
    game.step()
    worm = game.owned(1, "NydusCanal")[0]
    marine = give(game, "Marine", 56.0, 40.5, 2)
    order(game, marine, ATTACK, worm)
    hits = set()
    for _ in range(420):
        before, emerging = float(game.units[worm]["hp"]), bool(int(game.units[worm]["flags"]) & UNFINISHED)
        game.step()
        if (taken := before - float(game.units[worm]["hp"])) > 0:
            hits.add((emerging, math.ceil(taken)))
    assert hits == {(True, 3), (False, 5)}, "of six: three while it emerges, its own one too, then that alone"


@pytest.mark.parametrize(("patch", "first"), [("5.0.14", 333), ("4.10.0", 21)])
def test_creep_of_a_worm_is_there_at_once(patch: str, first: int) -> None:
    """Catalog: NydusCreepGrowth starts with the grown footprint; in 4.10 a worm has a tumor's makeCreep4x4."""
    game, _ = network(patch)
    worm = give(game, "NydusCanal", 60.5, 40.5)
    game.step()
    assert int(game.creep[25:56, 48:74].sum()) == first
    game.step(2000)
    assert int(game.creep[25:56, 48:74].sum()) == 333
    game.kill(worm)
    game.step(200)
    assert int(game.creep[25:56, 48:74].sum()) < 333


@pytest.mark.parametrize(("patch", "price", "rests"), [("5.0.14", 75, True), ("4.10.0", 50, False)])
def test_a_worm_emerges_where_the_player_sees_and_alerts_the_enemy(patch: str, price: int, rests: bool) -> None:
    game, nydus = network(patch)
    game.events(2)
    assert order(game, nydus, SUMMON, (88.5, 88.5)) == Result.CANT_SEE_BUILD_LOCATION
    gas = int(game.players[1]["gas"])
    assert order(game, nydus, SUMMON, (60.5, 40.5)) == Result.SUCCESS
    game.step()
    assert gas - int(game.players[1]["gas"]) == price
    worm = game.owned(1, "NydusCanal")[0]
    begun = game.loop
    assert Alert.NYDUS_WORM_DETECTED in game.events(2).alerts
    assert Alert.NYDUS_WORM_DETECTED not in game.events(1).alerts
    assert (order(game, nydus, SUMMON, (64.5, 44.5)) == Result.COOLDOWN) == rests
    assert not game.creep[40, 62]
    until(game, lambda: not int(game.units[worm]["flags"]) & UNFINISHED, 340)
    assert game.loop - begun in (319, 320)
    game.step(60)
    assert game.creep[35:46, 55:66].sum() > 28, "more than what is covered at once"
    assert order(game, nydus, SUMMON, (56.5, 46.5)) == Result.SUCCESS


def test_a_worm_that_emerges_can_be_cancelled() -> None:
    game, nydus = network()
    order(game, nydus, SUMMON, (60.5, 40.5))
    game.step(10)
    worm, gas = game.owned(1, "NydusCanal")[0], int(game.players[1]["gas"])
    assert CANCEL_WORM in available_abilities(game, worm)
    assert order(game, worm, CANCEL_WORM) == Result.SUCCESS
    game.step()
    assert not game.owned(1, "NydusCanal")
    assert int(game.players[1]["gas"]) - gas == 57
    assert CANCEL_WORM not in available_abilities(game, give(game, "NydusCanal", 70.5, 40.5))


@pytest.mark.parametrize(("patch", "period"), [("5.0.14", 8), ("4.10.0", 4)])
def test_units_go_in_at_one_end_and_come_out_at_the_other(patch: str, period: int) -> None:
    game, nydus = network(patch)
    worm = give(game, "NydusCanal", 60.5, 40.5)
    roaches = [give(game, "Roach", 26.5 + k, 27.0) for k in range(3)]
    queen = give(game, "Queen", 24.0, 27.0)
    for slot in (*roaches, queen):
        assert order(game, slot, SMART, nydus) == Result.SUCCESS
    until(game, lambda: all(int(game.units[slot]["flags"]) & INSIDE for slot in (*roaches, queen)), 80)
    assert game.units[nydus]["cargo"] == game.units[worm]["cargo"] == 8
    shown = Eye(game).units()
    assert all(len(shown[game.tag(end)].passengers) == 4 for end in (nydus, worm))
    assert UNLOAD_WORM in available_abilities(game, worm)
    assert order(game, worm, UNLOAD_WORM) == Result.SUCCESS
    until(game, lambda: not int(game.units[roaches[0]]["flags"]) & INSIDE, 12)
    assert away(game, roaches[0], 60.5, 40.5) < 4
    assert until(game, lambda: not int(game.units[roaches[1]]["flags"]) & INSIDE, 12) == period
    assert order(game, worm, STOP) == Result.SUCCESS
    game.step(30)
    assert int(game.units[queen]["flags"]) & INSIDE
    assert game.units[nydus]["cargo"] == game.units[worm]["cargo"] == 4
    game.kill(nydus)
    assert game.units[queen]["alive"], "the worm is left"
    late = give(game, "NydusCanal", 70.5, 40.5)
    assert game.units[late]["cargo"] == 4
    game.kill(worm)
    assert order(game, late, UNLOAD_WORM) == Result.SUCCESS
    until(game, lambda: not int(game.units[queen]["flags"]) & INSIDE, 40)
    assert away(game, queen, 70.5, 40.5) < 5


@pytest.mark.parametrize(("patch", "period"), [("5.0.14", 4), ("4.10.0", 2)])
def test_units_go_in_one_after_the_other(patch: str, period: int) -> None:
    """Catalog: LoadPeriod, a quarter and an eighth of a normal second (Liquipedia: a quarter)."""
    game, nydus = network(patch)
    lings = [give(game, "Zergling", 25.0 + 0.5 * k, 27.8) for k in range(6)]
    for slot in lings:
        assert order(game, slot, SMART, nydus) == Result.SUCCESS
    loops = []
    for _ in range(60):
        game.step()
        now = sum(bool(int(game.units[slot]["flags"]) & INSIDE) for slot in lings)
        loops += [game.loop] * (now - len(loops))
    assert [later - before for before, later in itertools.pairwise(loops)] == [period] * 5


@pytest.mark.parametrize(("patch", "period"), [("5.0.14", 8), ("4.10.0", 4)])
def test_passengers_that_are_named_come_out_one_after_the_other(patch: str, period: int) -> None:
    """A public program names a Drone in every second loop: "one unit every 8 game frames" (2022)."""
    game, nydus = network(patch)
    worm = give(game, "NydusCanal", 60.5, 40.5)
    lings = [give(game, "Zergling", 25.0 + 0.5 * k, 27.8) for k in range(4)]
    for slot in lings:
        order(game, slot, SMART, nydus)
    until(game, lambda: all(int(game.units[slot]["flags"]) & INSIDE for slot in lings), 80)
    loops = []
    for _ in range(5 * period):
        inside = [slot for slot in lings if int(game.units[slot]["flags"]) & INSIDE]
        if inside and game.loop % 2 == 0:
            assert order(game, worm, UNLOAD_ONE_WORM, inside[0]) == Result.SUCCESS
        game.step()
        now = sum(not int(game.units[slot]["flags"]) & INSIDE for slot in lings)
        loops += [game.loop] * (now - len(loops))
    assert [later - before for before, later in itertools.pairwise(loops)] == [period] * 3


def test_a_passenger_that_is_named_goes_round_by_queued_rally_points() -> None:
    """The same program lets Drones mine so: each end sends them to a field or a hall, and back to itself."""
    game, nydus = network()
    worm = give(game, "NydusCanal", 60.5, 40.5)
    for end, x in ((nydus, 32.5), (worm, 66.5)):
        assert order(game, end, RALLY, (x, 36.5)) == Result.SUCCESS
        game.step()
        assert order(game, end, RALLY, end, queued=True) == Result.SUCCESS
        game.step()
        assert game.units[end]["rally_x"] == x, "the first one shows"
    ling = give(game, "Zergling", 26.5, 27.0)
    order(game, ling, SMART, nydus)
    for end, x, ability in ((worm, 66.5, UNLOAD_ONE_WORM), (nydus, 32.5, UNLOAD_ONE)):
        until(game, lambda: bool(int(game.units[ling]["flags"]) & INSIDE), 120)
        assert order(game, end, ability, ling) == Result.SUCCESS
        until(game, lambda x=x: away(game, ling, x, 36.5) < 1, 80)
    until(game, lambda: bool(int(game.units[ling]["flags"]) & INSIDE), 120)


@pytest.mark.parametrize("aimed", [True, False])
def test_whom_a_mine_aims_at_does_not_get_in(aimed: bool) -> None:
    """Catalog: NotWidowMineTarget; the Roach comes to the worm before the missile leaves."""
    game, _ = network()
    worm = give(game, "NydusCanal", 60.5, 40.5)
    if aimed:
        give(game, "WidowMineBurrowed", 64.0, 36.0, 2)
    roach = give(game, "Roach", 64.0, 40.5)
    game.step()
    order(game, roach, HOLD)
    if aimed:
        until(game, lambda: bool(mines.aimed_at(game, 2)), 12)
    order(game, roach, SMART, worm)
    game.step(20)
    assert bool(int(game.units[roach]["flags"]) & INSIDE) is not aimed


def test_who_is_inside_dies_with_the_last_exit() -> None:
    game, nydus = network()
    roach = give(game, "Roach", 26.5, 27.0)
    order(game, roach, SMART, nydus)
    until(game, lambda: bool(int(game.units[roach]["flags"]) & INSIDE), 40)
    game.kill(nydus)
    assert not game.units[roach]["alive"]


def test_flyers_and_larvae_do_not_enter() -> None:
    game, nydus = network()
    mutalisk = give(game, "Mutalisk", 30.0, 30.0)
    order(game, mutalisk, SMART, nydus)
    game.step(60)
    assert not int(game.units[mutalisk]["flags"]) & INSIDE


# -- locusts ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_locusts_hatch_fly_swoop_and_expire(patch: str) -> None:
    game = duel(patch)
    host, depot = give(game, "SwarmHostMP", 40.0, 40.0), give(game, "SupplyDepot", 52.0, 40.0, 2)
    game.step(4)
    assert order(game, host, LOCUSTS, (60.0, 40.0)) == Result.SUCCESS
    game.step(2)
    assert len(game.owned(1, "LocustMP")) == 2
    first = game.owned(1, "LocustMP")[0]
    born = int(game.units[first]["born"])
    assert order(game, host, LOCUSTS, (60.0, 40.0)) == Result.COOLDOWN
    assert order(game, first, MOVE, (30.0, 40.0)) == Result.ERROR
    until(game, lambda: len(game.owned(1, "LocustMPFlying")) == 2, 36)
    assert int(game.units[first]["flags"]) & FLYING
    until(game, lambda: len(game.owned(1, "LocustMP")) == 2, 160)
    assert away(game, first, 52.0, 40.0) < 4
    until(game, lambda: lost(game, depot) > 0, 60)
    until(game, lambda: not game.owned(1, "LocustMP", "LocustMPFlying"), 400)
    assert game.loop - born == pytest.approx(400, abs=3)
    game.step(560)
    assert order(game, host, LOCUSTS, (60.0, 40.0)) == Result.SUCCESS


@pytest.mark.parametrize(("far", "loops"), [(1.0, 6), (5.0, 12)])
def test_a_locust_swoops_to_a_point(far: float, loops: int) -> None:
    """The farther the longer (mover LocustMPFlyingSwoop)."""
    game = duel()
    locust = give(game, "LocustMPFlying", 40.0, 40.0, facing=0.0)
    game.step(4)
    assert order(game, locust, SWOOP, (40.0 + far, 40.0)) == Result.SUCCESS
    assert until(game, lambda: name_of(game, locust) == "LocustMP", 24) == pytest.approx(loops, abs=1)
    assert away(game, locust, 40.0 + far, 40.0) < 1.5
    assert order(game, locust, MOVE, (30.0, 40.0)) == Result.SUCCESS


def test_a_swoop_is_no_leap() -> None:
    """Half its time takes it over a quarter of its way."""
    game = duel()
    locust = give(game, "LocustMPFlying", 40.0, 40.0)
    game.step(4)
    assert order(game, locust, SWOOP, (45.0, 40.0)) == Result.SUCCESS
    places = []
    while name_of(game, locust) == "LocustMPFlying":
        game.step()
        places.append(float(game.units[locust]["x"]))
    steps = [b - a for a, b in itertools.pairwise(places)]
    assert steps[:-1] == sorted(steps[:-1])
    assert max(steps) < 1.2
    assert places[len(places) // 2] == pytest.approx(41.25, abs=0.5)
