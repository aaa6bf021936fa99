"""Gas: where workers go in, how long their trips are, and who comes before the gas structure is complete."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from sim import fidelity
from sim.engine.state import GATHER, INSIDE, RETURN, UNFINISHED
from sim.fidelity.workshop import order
from sim.maps import load, names
from sim.melee.game import Command, Game, PlayerSetup
from sim.melee.harvest_places import WAIT, gap
from sim.melee.placement import can_place, geyser_at
from sim.melee.records import Result
from tests.sim.melee.field import until

GATHER_SCV, RETURN_SCV, MOVE, SMART = 295, 296, 16, 1


@pytest.fixture
def game() -> Game:
    return Game(load(names()[0]), [PlayerSetup(1, start=0), PlayerSetup(1, start=1)], seed=1)


def refinery_of(game: Game, *, left: int = 0) -> int:
    """A refinery, complete in `left` loops, seven cells off the first town hall along an axis, three across. -> slot"""
    x, y = game.terrain.starts[0]
    units, near = game.units, game.near(*game.terrain.starts[0], 11)
    for slot in (slot for slot in near if int(units[slot]["type"]) in game.facts.geysers):
        at = float(units[slot]["x"]), float(units[slot]["y"])
        if sorted((abs(at[0] - x), abs(at[1] - y))) == [3, 7]:
            refinery = game.spawn(game.facts.ids["Refinery"], 1, *at, flags=UNFINISHED if left else 0)
            game.units[refinery]["build_left"], game.units[refinery]["build_rate"] = left, min(left, 1)
            game.step()
            return refinery
    raise AssertionError("no such geyser")


def trips(game: Game, worker: int, *, led: bool) -> list[int]:
    """Loops between loads of a worker at its work, `led` home whenever it has one: to a point before the town hall, to
    its middle, and then to deliver."""
    unit, (x, y) = game.units[worker], game.terrain.starts[0]
    loads, before, tag = [], False, (game.tag(worker),)
    for _ in range(1000):
        loaded = bool(unit["carry"]) and unit["inside"] < 0
        if loaded and not before:
            loads.append(game.loop)
            away = float(unit["x"]) - x, float(unit["y"]) - y
            share = 3 / math.hypot(*away)
            if led:
                game.issue(Command(1, MOVE, tag, 0, x + share * away[0], y + share * away[1], True))
                game.issue(Command(1, MOVE, tag, 0, x, y, True, True))
                game.issue(Command(1, RETURN_SCV, tag, queued=True))
        before = loaded
        game.step()
    return [late - early for early, late in pairwise(loads)][2:]


def test_a_worker_alone_that_is_led_home_needs_as_long_for_its_trips_as_real_ones(game):
    """Two sides of a ladder bot that looks in every loop: 85, 86 (3), 87 (8 trips)."""
    worker = game.owned(1, "SCV")[0]
    order(game, worker, GATHER_SCV, target=refinery_of(game))
    lone = trips(game, worker, led=True)
    assert lone == pytest.approx([86] * len(lone), abs=1)


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_that_nobody_steers_need_as_long_for_their_trips_as_real_ones(game, workers):
    """One real worker needs 88 loops for each of 47 trips, two on another map as many, one on a third 86."""
    refinery, crew = refinery_of(game), game.owned(1, "SCV")[:workers]
    for worker in crew:
        order(game, worker, GATHER_SCV, target=refinery)
    game.step(300)
    plain = trips(game, crew[0], led=False)
    assert len(plain) >= 8
    assert min(plain) >= 85
    assert 85.9 <= sum(plain) / len(plain) <= 88.1


def test_trips_to_a_gas_structure_last_as_long_as_real_ones():
    assert [row.verdict for row in fidelity.gas_trips()] == ["within", "within"]


def test_three_workers_enter_every_33_loops(game):
    refinery = refinery_of(game)
    for worker in game.owned(1, "SCV")[:3]:
        order(game, worker, GATHER_SCV, target=refinery)
    game.step(300)
    before = int(game.players[1]["gas_gathered"])
    game.step(1980)
    assert (int(game.players[1]["gas_gathered"]) - before) / 4 == pytest.approx(60, abs=1.5)


def test_a_worker_goes_in_where_it_touches_the_outline(game):
    """Directions of 35 trips of ladder bots' workers say a quarter to a third of a cell off it."""
    refinery, worker = refinery_of(game), game.owned(1, "SCV")[0]
    order(game, worker, GATHER_SCV, target=refinery)
    while not int(game.units[worker]["flags"]) & INSIDE:
        game.step()
    unit, box = game.units[worker], game.harvest_table[game.facts.ids["Refinery"]]
    assert box["cut"] == 0.75
    assert box["touch"] - 0.12 < gap(unit["x"], unit["y"], game.units[refinery], box) <= box["touch"]


@pytest.mark.parametrize("ability", [GATHER_SCV, SMART])
def test_who_is_told_to_harvest_an_unfinished_gas_structure_waits_there(game, ability):
    """In 30 real games workers are sent 1 to 300 loops early, most of them told nothing more."""
    refinery, worker = refinery_of(game, left=200), game.owned(1, "SCV")[0]
    units = game.units
    game.issue(Command(1, ability, (game.tag(worker),), game.tag(refinery)))
    game.step(150)
    assert game.orders[worker, 0]["verb"] == GATHER
    assert (units[worker]["harvest_stage"], units[worker]["speed"]) == (WAIT, 0)
    while units[refinery]["build_left"] > 0:
        game.step()
    complete = game.loop
    while not units[worker]["carry"]:
        game.step()
    assert game.loop - complete in (33, 34)


def test_who_waits_for_a_gas_structure_that_is_cancelled_goes_back_to_the_minerals(game):
    refinery, worker = refinery_of(game, left=200), game.owned(1, "SCV")[0]
    order(game, worker, GATHER_SCV, target=refinery)
    game.step(150)
    game.kill(refinery)
    game.step(2)
    field = int(game.orders[worker, 0]["target"])
    assert int(game.units[field]["type"]) in game.facts.minerals


def loaded(game: Game) -> int:
    """Slot of a worker on its way home with minerals."""
    while True:
        game.step()
        for slot in game.owned(1, "SCV"):
            unit = game.units[slot]
            if unit["carry"] and game.orders[slot, 0]["verb"] == RETURN:
                return slot


def test_who_is_sent_on_gas_with_minerals_goes_in_and_loses_them(game):
    """Refineries of real games whose builder has minerals at hand give gas as soon as others."""
    refinery, worker = refinery_of(game), loaded(game)
    for slot in game.owned(1, "SCV"):
        if slot != worker:
            game.remove(slot)
    before = int(game.players[1]["minerals_gathered"])
    order(game, worker, GATHER_SCV, target=refinery)
    while not game.players[1]["gas_gathered"] and game.loop < 600:
        game.step()
    assert game.players[1]["gas_gathered"] == 4
    assert game.players[1]["minerals_gathered"] == before
    assert game.units[worker]["harvest_target"] == refinery


def test_who_is_sent_to_minerals_with_gas_harvests_and_loses_it(game):
    refinery, worker = refinery_of(game), game.owned(1, "SCV")[0]
    field = int(game.orders[worker, 0]["target"])
    order(game, worker, GATHER_SCV, target=refinery)
    while not game.units[worker]["carry_gas"] and game.loop < 600:
        game.step()
    order(game, worker, GATHER_SCV, target=field)
    while not (game.units[worker]["carry"] and not game.units[worker]["carry_gas"]) and game.loop < 900:
        game.step()
    assert game.units[worker]["carry"] == 5
    assert not game.players[1]["gas_gathered"]


def test_a_geyser_that_is_taken_is_answered_so(game):
    """Asked again and again for a Refinery where one stood, the real query said CantBuildOnThat (42)."""
    refinery = refinery_of(game)
    at = float(game.units[refinery]["x"]), float(game.units[refinery]["y"])
    assert can_place(game, 1, 320, *at) == Result.CANT_BUILD_ON_THAT
    assert can_place(game, 1, 320, at[0] + 9, at[1]) == Result.CANT_FIND_PLACEMENT


def test_no_gas_structure_stands_on_an_emptied_geyser(game):
    refinery = refinery_of(game)
    at = float(game.units[refinery]["x"]), float(game.units[refinery]["y"])
    game.units[refinery]["contents"] = 0
    game.kill(refinery)
    game.step()
    geyser, game.players[1]["minerals"] = geyser_at(game, *at), 100
    build = Command(1, 320, (game.tag(game.owned(1, "SCV")[0]),), game.tag(geyser))
    assert can_place(game, 1, 320, *at) == game.issue(build) == Result.CANT_BUILD_ON_THAT
    game.units[geyser]["contents"] = 4
    assert can_place(game, 1, 320, *at) == game.issue(build) == Result.SUCCESS


def test_who_is_in_a_refinery_that_falls_comes_out(game):
    refinery, scv = refinery_of(game), game.owned(1, "SCV")[0]
    order(game, scv, GATHER_SCV, target=refinery)
    unit = game.units[scv]
    until(game, lambda: bool(int(unit["flags"]) & INSIDE), 400)
    game.kill(refinery)
    game.step()
    assert unit["alive"]
    assert not int(unit["flags"]) & INSIDE
    place = float(unit["x"]), float(unit["y"])
    order(game, scv, MOVE, *game.terrain.starts[0])
    game.step(30)
    assert math.dist(place, (float(unit["x"]), float(unit["y"]))) > 1
