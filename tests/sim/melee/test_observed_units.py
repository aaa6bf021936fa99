"""What units do by themselves and with odd orders, as it was observed of the real game (client 4.10)."""

from __future__ import annotations

import itertools
import math

import pytest

from sim.engine.state import INSIDE
from sim.melee.game import Command, Game
from sim.melee.harvest_places import SETTING_OUT
from sim.melee.records import Result
from tests.sim.melee.field import give, name_of, order, terran, until

GATHER, ANY_GATHER, BRING, REPAIR, RALLY_WORKERS = 295, 3666, 296, 316, 203
SMART, STOP, MOVE, PATROL, HOLD, ATTACK = 1, 4, 16, 17, 18, 23
LOAD_ALL, UNLOAD_ALL, LIFT = 416, 413, 417
REFINERY, GEYSER, FIELD, HALL, SCV = 20, 342, 341, 18, 45


def mine(*, hall: bool = True) -> tuple[Game, int, int]:
    """A worker beside a field, and maybe a town hall. -> game, worker, field."""
    game = terran(patch="4.10.0", tech=False, enemy=False)
    for slot in game.owned(1):
        game.remove(slot)
    give(game, "SupplyDepot", 20, 20)
    if hall:
        game.spawn(HALL, 1, 39.5, 42.5)
    field = game.spawn(FIELD, 0, 46.0, 42.5, contents=1800)
    worker = game.spawn(SCV, 1, 43.0, 42.0)
    game.step(4)
    return game, worker, field


def shot(name: str, first: int) -> tuple[Game, int]:
    """An SCV or another unit with an order is shot by a Marine that stands north of it. -> game, its slot."""
    game = terran(patch="4.10.0", tech=False)
    victim, marine = give(game, name, 43.0, 42.0), give(game, "Marine", 43.0, 46.5, 2)
    game.step(4)
    if first:
        order(game, victim, first)
    order(game, marine, ATTACK, victim)
    while game.units[victim]["hp"] == game.units[victim]["hp_max"]:
        game.step()
    return game, victim


@pytest.mark.parametrize(("ability", "loop"), [(0, 67), (GATHER, 67), (ANY_GATHER, 67), (SMART, 96)])
def test_a_right_click_begins_a_harvest_anew_and_a_gather_does_not(ability: int, loop: int) -> None:
    game, worker, field = mine()
    order(game, worker, GATHER, field)
    game.step(50)
    if ability:
        assert order(game, worker, ability, field) == Result.SUCCESS
    game.step(loop - 51)
    assert not game.units[worker]["carry"]
    game.step()
    assert game.units[worker]["carry"] == 5


def test_a_trip_shows_its_load_its_delivery_and_its_first_steps_in_the_loops_of_the_real_one() -> None:
    game, worker, field = mine()
    unit, places, loads, banks = game.units[worker], [], [], []
    order(game, worker, GATHER, field)
    for _ in range(103):
        game.step()
        places.append((float(unit["x"]), float(unit["y"])))
        loads.append(int(unit["carry"]))
        banks.append(int(game.players[1]["minerals_gathered"]))
    steps = [n + 2 for n in range(102) if places[n] != places[n + 1]]
    assert steps == [*range(2, 22), *range(75, 104)], "it comes in 21, sets out in 75 and never stands again"
    assert (loads.index(5) + 1, banks.index(5) + 1) == (67, 101)
    assert places[100][0] > places[99][0], "on its way out in the loop of the delivery"


def test_a_trip_for_gas_shows_its_phases_in_the_loops_of_the_real_one() -> None:
    """Of three, seen a loop later in a game of two clients: 23 in, 55 out, home 81; the next 56 to 88, 89 to 121."""
    game, worker, field = mine()
    game.remove(field)
    game.spawn(GEYSER, 0, 46.5, 42.5, contents=2250)
    refinery = game.spawn(REFINERY, 1, 46.5, 42.5, contents=2250)
    crew = [worker, *(game.spawn(SCV, 1, 43.0, y) for y in (41.5, 43.0))]
    for slot in crew:
        order(game, slot, GATHER, refinery)
    seen = {slot: [] for slot in crew}
    for _ in range(125):
        game.step()
        for slot in crew:
            unit = game.units[slot]
            seen[slot].append((bool(int(unit["flags"]) & INSIDE), int(unit["carry"])))
    stays = sorted((s.index((True, 0)) + 1, s.index((False, 4)) + 1) for s in seen.values())
    assert stays == [(22, 54), (55, 87), (88, 120)]
    first = min(seen.values(), key=lambda s: s.index((True, 0)))
    assert first[53:].index((False, 0)) + 54 == 80


def test_probes_are_where_real_ones_were_between_a_gas_structure_and_a_nexus() -> None:
    """Seen by an opponent (5.0.14), cells from the Nexus, by loops since it set out with its load."""
    sightings = {
        9: (4.781, 2.048),
        15: (4.121, 1.766),
        25: (2.962, 1.271),
        29: (2.796, 1.2),
        33: (2.919, 1.252),
        35: (3.033, 1.301),
        45: (4.134, 1.77),
        51: (4.839, 2.072),
        56: (5.176, 2.216),
        58: (5.176, 2.216),
    }
    game = terran(patch="5.0.14", tech=False, enemy=False)
    for slot in game.owned(1):
        game.remove(slot)
    ids = game.facts.ids
    game.spawn(ids["Nexus"], 1, 39.5, 42.5)
    game.spawn(GEYSER, 0, 46.5, 45.5, contents=2250)
    gas = game.spawn(ids["Assimilator"], 1, 46.5, 45.5, contents=2250)
    worker = game.spawn(ids["Probe"], 1, 44.676, 44.716)
    unit = game.units[worker]
    unit["carry"], unit["carry_gas"], unit["harvest_target"] = 4, 1, gas
    game.step(SETTING_OUT)
    order(game, worker, game.abilities_of(ids["Probe"])["return"][0])
    for loop in range(1, max(sightings) + 1):
        game.step()
        if loop in sightings:
            assert (unit["x"] - 39.5, unit["y"] - 42.5) == pytest.approx(sightings[loop], abs=0.004), loop


def test_a_load_waits_for_a_town_hall() -> None:
    game, worker, field = mine(hall=False)
    order(game, worker, GATHER, field)
    game.step(120)
    unit, first = game.units[worker], game.orders[worker, 0]
    assert (unit["carry"], unit["moving"], first["ability"], first["target"]) == (5, 0, BRING, -1)
    game.spawn(HALL, 1, 39.5, 42.5)
    game.step(32)
    assert (game.units[worker]["carry"], game.orders[worker, 0]["ability"]) == (0, GATHER)


@pytest.mark.parametrize("queued", [False, True])
def test_who_is_told_to_harvest_with_a_load_touches_the_field_and_goes_on(queued: bool) -> None:
    """In a game of two clients, which see all a loop later, the real one had delivered at 122."""
    game, worker, field = mine()
    start = game.loop
    order(game, worker, GATHER, field)
    game.step(85)
    order(game, worker, GATHER, field)
    if queued:
        order(game, worker, MOVE, (60.0, 42.0), queued=True)
    game.step()
    until(game, lambda: game.orders[worker, 0]["ability"] == (MOVE if queued else BRING), 12)
    assert game.units[worker]["carry"] == 5
    if not queued:
        until(game, lambda: not game.units[worker]["carry"], 30)
        assert game.loop - start == 121


def test_a_lifted_hall_lets_its_workers_out_where_it_is() -> None:
    game, worker, _ = mine()
    hall = game.owned(1, "CommandCenter")[0]
    assert order(game, hall, LOAD_ALL) == Result.SUCCESS
    until(game, lambda: bool(game.units[hall]["cargo"]), 60)
    order(game, hall, LIFT)
    until(game, lambda: name_of(game, hall) == "CommandCenterFlying", 60)
    game.step(40)
    order(game, hall, MOVE, (60.0, 42.0))
    game.step(20)
    assert order(game, hall, UNLOAD_ALL) == Result.SUCCESS
    game.step(2)
    assert (game.units[hall]["cargo"], game.units[hall]["order_count"]) == (0, 0)
    assert abs(game.units[worker]["x"] - game.units[hall]["x"]) < 1


def test_who_is_made_for_a_field_that_is_gone_goes_to_the_next() -> None:
    game, _, field = mine()
    hall = game.owned(1, "CommandCenter")[0]
    order(game, hall, RALLY_WORKERS, field)
    game.step()
    other = game.spawn(FIELD, 0, 46.0, 46.5, contents=1800)
    game.kill(field)
    game.step()
    assert game.units[hall]["rally_target"] == other


@pytest.mark.parametrize("more", [True, False])
def test_a_rally_point_on_a_unit_goes_with_it(more: bool) -> None:
    """Those behind it stay; without any who is made stays where he comes out."""
    game, *_ = mine()
    barracks, goal = give(game, "Barracks", 60.5, 40.5), give(game, "Marine", 70.0, 40.0)
    order(game, barracks, SMART, goal)
    if more:
        order(game, barracks, SMART, (60.0, 60.0), queued=True)
    game.step()
    game.kill(goal)
    assert (game.units[barracks]["rally"], game.units[barracks]["rally_y"]) == ((1, 60.0) if more else (0, 0.0))
    game.step()
    order(game, barracks, 560)
    until(game, lambda: bool(game.owned(1, "Marine")), 420)
    born = game.owned(1, "Marine")[0]
    assert game.units[born]["order_count"] == more
    if more:
        assert game.orders[born, 0]["y"] == 60.0


@pytest.mark.parametrize("first", [0, STOP, HOLD])
def test_a_worker_that_rests_flees_five_cells(first: int) -> None:
    game, worker = shot("SCV", first)
    game.step(2)
    goal = game.orders[worker, 0]
    if first == HOLD:
        assert goal["ability"] == HOLD
        return
    assert (goal["ability"], game.units[worker]["target"]) == (MOVE, -1)
    assert (float(goal["x"]), float(goal["y"])) == pytest.approx((43.0, 37.0), abs=0.02)


def test_a_worker_that_mines_pays_no_heed_to_hits() -> None:
    game, worker, field = mine()
    order(game, worker, GATHER, field)
    game.step(30)
    game.units[worker]["last_hit"], game.units[worker]["hp"] = game.loop, 20
    game.step(120)
    assert game.orders[worker, 0]["ability"] in (GATHER, BRING)


@pytest.mark.parametrize(("away", "helps"), [(4.0, True), (4.75, True), (4.77, False), (5.0, False)])
def test_a_call_for_help_reaches_four_cells_from_edge_to_edge(away: float, helps: bool) -> None:
    game = terran(patch="4.10.0", tech=False)
    helper, victim = give(game, "Marine", 36.0, 42.0), give(game, "SCV", 36.0 + away, 42.0)
    attacker = give(game, "Marine", 36.0 + away, 46.5, 2)
    order(game, victim, HOLD)
    game.step(2)
    order(game, attacker, ATTACK, victim)
    game.step(40)
    assert (game.units[helper]["target"] == attacker) == helps


@pytest.mark.parametrize(("name", "left"), [("Overlord", True), ("Marine", False)])
def test_a_call_for_help_takes_a_unit_off_who_cannot_hurt_it(name: str, left: bool) -> None:
    game = terran(patch="4.10.0", tech=False)
    helper, victim = give(game, "Marine", 36.0, 42.0), give(game, "SCV", 40.0, 42.0)
    other = give(game, name, 32.0, 42.0, 2)
    game.units[other]["hp"] = game.units[other]["hp_max"] = 500
    order(game, other, HOLD)
    order(game, victim, HOLD)
    until(game, lambda: game.units[helper]["target"] == other, 20)
    attacker = give(game, "Marine", 44.9, 42.0, 2)
    order(game, attacker, ATTACK, victim)
    game.step(60)
    assert game.units[helper]["target"] == (attacker if left else other)
    game.step(8)
    assert game.units[helper]["target"] == (attacker if left else other)


def test_a_hold_holds_up_nothing_that_is_queued() -> None:
    game = terran(patch="4.10.0", tech=False)
    marine = give(game, "Marine", 32.0, 48.0)
    order(game, marine, HOLD)
    order(game, marine, MOVE, (42.0, 48.0), queued=True)
    game.step(4)
    assert game.orders[marine, 0]["ability"] == MOVE


@pytest.mark.parametrize(("away", "mends"), [(0.8, True), (5.0, False)])
def test_a_worker_on_hold_repairs_who_stands_beside_it(away: float, mends: bool) -> None:
    game = terran(patch="4.10.0", tech=False)
    worker, other = give(game, "SCV", 40.0, 40.0), give(game, "SCV", 40.0 + away, 40.0)
    game.units[other]["hp"] = 20
    game.issue(Command(1, REPAIR, (game.tag(worker),), autocast=True))
    order(game, worker, HOLD)
    game.step(20)
    x = float(game.units[worker]["x"])
    game.step(40)
    assert (game.units[other]["hp"] > 20, float(game.units[worker]["x"])) == (mends, pytest.approx(x, abs=0.05))


def test_an_idle_worker_goes_back_after_a_repair() -> None:
    game = terran(patch="4.10.0", tech=False)
    worker, other = give(game, "SCV", 40.0, 40.0), give(game, "SCV", 45.0, 40.0)
    game.units[other]["hp"] = 40
    game.issue(Command(1, REPAIR, (game.tag(worker),), autocast=True))
    game.step(200)
    assert game.units[other]["hp"] == 45
    assert float(game.units[worker]["x"]) == pytest.approx(40.0, abs=0.6)


def test_nobody_begins_a_repair_without_money() -> None:
    game = terran(patch="4.10.0", tech=False, rich=False)
    worker, other = give(game, "SCV", 40.0, 40.0), give(game, "SCV", 45.0, 40.0)
    game.units[other]["hp"] = 20
    game.players[1]["minerals"] = 0
    assert order(game, worker, REPAIR, other) == Result.NOT_ENOUGH_MINERALS
    assert order(game, worker, SMART, other) == Result.SUCCESS
    game.step()
    assert (game.orders[worker, 0]["ability"], game.orders[worker, 0]["target"]) == (MOVE, other)


def test_a_worker_in_a_gas_structure_takes_no_order() -> None:
    game, worker, field = mine()
    refinery = game.spawn(REFINERY, 1, 50.5, 50.5, contents=2250)
    order(game, worker, GATHER, refinery)
    while game.units[worker]["inside"] < 0:
        game.step()
    assert order(game, worker, GATHER, field) == Result.ERROR
    for ability, at in ((SMART, field), (MOVE, (40.0, 40.0)), (STOP, None), (HOLD, None)):
        assert order(game, worker, ability, at) == Result.NOT_SUPPORTED


@pytest.mark.parametrize(
    ("name", "right", "up", "kept"),
    [
        *(("Marine", 5.25, 0, True), ("Marine", 5.26, 0, False), ("Marine", 4, 4, True)),
        *(("Marauder", 4.875, 0, True), ("Marauder", 5.25, 0, False), ("SiegeTank", 4.25, 0, True)),
    ],
)
def test_a_group_of_six_cells_keeps_its_formation(name: str, right: float, up: float, kept: bool) -> None:
    game = terran(patch="4.10.0", tech=False)
    pair = [give(game, name, 30.0, 40.0), give(game, name, 30.0 + right, 40.0 + up)]
    game.issue(Command(1, MOVE, tuple(map(game.tag, pair)), 0, 60.0, 60.0, True))
    game.step()
    goals = [float(game.orders[slot, 0]["x"]) for slot in pair]
    assert goals[1] - goals[0] == pytest.approx(right if kept else 0, abs=1e-3)


@pytest.mark.parametrize("name", ["SiegeTank", "Thor", "ThorAP", "Ultralisk"])
@pytest.mark.parametrize(("facing", "stands"), [(0.0, 0), (math.pi / 2, 1), (math.pi, 3)])
def test_big_units_turn_before_they_move(facing: float, stands: int, name: str) -> None:
    """Observed of a tank; the others have the catalog's TurnBeforeMove as well."""
    game = terran(patch="4.10.0", tech=False)
    tank, marine = give(game, name, 40.0, 40.0), give(game, "Marine", 40.0, 50.0)
    speeds = game.types[1]["speed"][game.units["type"][[tank, marine]]]
    game.units["facing"][[tank, marine]] = facing
    game.units["turret"][tank] = facing
    for slot, y in ((tank, 40.0), (marine, 50.0)):
        order(game, slot, MOVE, (50.0, y))
    game.step(20)
    ways = (game.units["x"][[tank, marine]] - 40.0) / speeds
    assert float(ways[1] - ways[0]) == pytest.approx(stands, abs=0.007)


@pytest.mark.parametrize(("cells", "loops"), [(1, 20), (2, 24), (5, 44), (10, 73), (20, 129)])
def test_an_scv_brakes_for_the_end_of_its_move(cells: int, loops: int) -> None:
    """From the first step on. Who brakes anew in each loop takes 16 for one cell; ours differ by two at most."""
    game, worker, _ = mine()
    unit = game.units[worker]
    x = float(unit["x"]) + cells
    order(game, worker, MOVE, (x, float(unit["y"])))
    taken = 0
    while unit["order_count"] or not taken:
        before = float(unit["x"])
        game.step()
        taken += float(unit["x"]) > before
    assert abs(taken - loops) <= 2
    assert float(unit["x"]) == pytest.approx(x, abs=0.02)


def test_a_patrol_turns_a_step_before_its_ends() -> None:
    """A move to 42 and a queued patrol to 52: the real Marine went to and fro between 42.125 and 51.96875."""
    game = terran(patch="4.10.0", tech=False, enemy=False)
    marine = give(game, "Marine", 32.0, 42.0)
    game.units[marine]["facing"] = 0
    order(game, marine, MOVE, (42.0, 42.0))
    order(game, marine, PATROL, (52.0, 42.0), queued=True)
    game.step(100)
    seen, step = [], 2.25 / 16
    for _ in range(400):
        game.step()
        seen.append(float(game.units[marine]["x"]))
    assert (min(seen), max(seen)) == (42.125, 51.96875)
    assert {abs(b - a) for a, b in itertools.pairwise(seen)} == {step}


def test_an_idle_unit_returns_to_the_very_place_where_it_stood() -> None:
    """63 loops for 8.86 cells, 155 for 21.8 of the real Marine, which then stands there."""
    game = terran(patch="4.10.0", tech=False)
    marine, victim = give(game, "Marine", 36.0, 42.0), give(game, "SCV", 40.0, 42.0, 2)
    order(game, victim, MOVE, (60.0, 42.0))
    game.step(60)
    game.remove(victim)
    game.step()
    way = float(game.units[marine]["x"]) - 36.0
    assert way > 1
    game.step(math.ceil(way * 16 / 2.25))
    assert float(game.units[marine]["x"]) == pytest.approx(36.0, abs=0.02)
