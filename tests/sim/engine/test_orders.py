"""Verbs: attack-move, hold, patrol, follow, approach, wait, queues, healing, repair."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from sim.engine.state import (
    APPROACH,
    ATTACK_MOVE,
    AUTOCAST,
    FOLLOW,
    HEAL,
    HOLD,
    LEASHED,
    MOVE,
    PATROL,
    REACHED,
    REPAIR,
    TIMER,
    WAIT,
)
from tests.sim.engine.worlds import arena, facts, order, place, put, queue, step


def test_queued_orders_follow_each_other() -> None:
    world = arena()
    marine = put(world, "Marine", 1, 5, 5)
    order(world, marine, MOVE, 15, 5)
    queue(world, marine, MOVE, 15, 15)
    step(world, 75)
    assert world.units["order_count"][marine] == 1
    assert place(world, marine)[0] == pytest.approx(15, abs=0.15), "it turns with its last step"
    step(world, 80)
    assert world.units["order_count"][marine] == 0
    assert place(world, marine) == pytest.approx((15, 15), abs=0.05)


def test_attack_move_fights_on_the_way_and_then_goes_on() -> None:
    world = arena()
    marine, ling = put(world, "Marine", 1, 5, 20), put(world, "Drone", 2, 15, 23)
    order(world, ling, HOLD)
    order(world, marine, ATTACK_MOVE, 30, 20)
    step(world, 600)
    assert not world.units["alive"][ling]
    assert place(world, marine) == pytest.approx((30, 20), abs=0.05)


@pytest.mark.parametrize(("verb", "fights"), [(ATTACK_MOVE, True), (PATROL, False), (HOLD, False)])
def test_workers_look_for_enemies_on_an_attack_alone(verb: int, fights: bool) -> None:
    """Drones of learned agents that patrolled, or held their position, harmed nobody."""
    world = arena()
    drone = put(world, "Drone", 1, 15, 20)
    scv = put(world, "SCV", 2, 15.8, 20)
    order(world, drone, verb, 30, 20, x2=15, y2=20)
    step(world, 100)
    assert bool(world.units["hp"][scv] < world.units["hp_max"][scv]) is fights


def test_move_passes_enemies_by() -> None:
    world = arena()
    marine, ling = put(world, "Marine", 1, 5, 20), put(world, "Drone", 2, 15, 23)
    order(world, marine, MOVE, 30, 20)
    step(world, 200)
    assert world.units["hp"][ling] == world.units["hp_max"][ling]


def test_a_chase_that_leads_too_far_ends_at_home() -> None:
    world = arena(width=80)
    idler, prey = put(world, "Zergling", 1, 10, 20), put(world, "Overlord", 2, 14, 20)
    world.types["weapons"][1, facts().ids["Zergling"], 0] = world.types["weapons"][1, facts().ids["Marine"], 0]
    world.units["hp"][prey] = world.units["hp_max"][prey] = 1e6
    for _ in range(400):
        world.units["x"][prey] = min(float(world.units["x"][idler]) + 6.6, 60.0)  # seen, and always out of reach
        step(world)
        if place(world, idler)[0] > 31:
            break
    assert place(world, idler)[0] > 31, "it chases 21 cells far"
    farthest, back = 0.0, False
    for _ in range(200):
        x = place(world, idler)[0]
        world.units["x"][prey] = x + 5.5
        step(world)
        farthest = max(farthest, x)
        back = back or x < 15.5
        if back:
            break
    assert farthest < 32.5
    assert back, "and it looks for nobody on its way"


@pytest.mark.parametrize(("x", "fights"), [(18.0, False), (13.0, True)])
def test_who_comes_back_from_a_chase_fights_again_within_five_cells_of_home(x: float, fights: bool) -> None:
    """Catalog: AcquireLeashResetRadius. Who comes from 30 meets one who stands x cells from the field's edge."""
    world = arena(width=80)
    idler, prey = put(world, "Zergling", 1, 10, 20), put(world, "Drone", 2, x, 21)
    world.types["weapons"][2] = -1
    world.types["speed"][2] = 0
    world.units["hp"][prey] = world.units["hp_max"][prey] = 1000
    world.units["x"][idler], world.units["home_x"][idler], world.units["home_y"][idler] = 30, 10, 20
    world.units["flags"][idler] |= LEASHED
    while place(world, idler)[0] > x - 0.5 and world.units["hp"][prey] == 1000:
        step(world)
    assert (world.units["hp"][prey] < 1000) == fights


def test_holders_stay_and_idle_units_chase_and_come_back() -> None:
    world = arena()
    holder, idler = put(world, "Marine", 1, 10, 10), put(world, "Marine", 1, 10, 30)
    order(world, holder, HOLD)
    lures = [put(world, "Drone", 2, 15.8, y) for y in (10, 30)]
    step(world, 30)
    assert place(world, holder) == (10, 10)
    assert place(world, idler)[0] > 10.02
    for lure in lures:
        world.units["hp"][lure] = 0
    step(world, 60)
    assert place(world, idler) == pytest.approx((10, 30), abs=0.6)


@pytest.mark.parametrize(("wall", "end", "turns"), [(40, 20, 19), (25, 35, 24)])
def test_patrol_walks_to_and_fro(wall: int, end: float, turns: float) -> None:
    """Where no way leads to its end it turns where its way is over."""
    walk = np.ones((40, 40), np.uint8)
    walk[:, wall:] = 0
    world = arena(walk=walk)
    marine = put(world, "Marine", 1, 10, 10)
    order(world, marine, PATROL, end, 10, x2=10, y2=10)
    xs = []
    for _ in range(40):
        step(world, 10)
        xs.append(place(world, marine)[0])
    assert max(xs) > turns
    assert min(xs[10:]) < 11
    assert world.units["order_count"][marine] == 1


def test_patrols_behind_each_other_are_walked_in_turn() -> None:
    world = arena()
    marine = put(world, "Marine", 1, 10, 10)
    order(world, marine, PATROL, 20, 10, x2=10, y2=10)
    queue(world, marine, PATROL, 20, 20, x2=20, y2=10)
    queue(world, marine, PATROL, 10, 20, x2=20, y2=20)
    ends = []
    for _ in range(5):
        end = (float(world.orders["x"][marine, 0]), float(world.orders["y"][marine, 0]))
        for _ in range(120):
            step(world, 1)
            if math.dist(place(world, marine), end) < 0.16:
                break
        ends.append(end)
        step(world, 4)
        assert world.units["order_count"][marine] == 3
    assert ends == [(20, 10), (20, 20), (10, 20), (20, 10), (20, 20)]


def test_a_patrol_is_over_where_something_else_waits() -> None:
    world = arena()
    marine = put(world, "Marine", 1, 10, 10)
    order(world, marine, PATROL, 20, 10, x2=10, y2=10)
    step(world, 100)
    assert 12 < place(world, marine)[0] < 19
    queue(world, marine, MOVE, 10, 20)
    step(world, 140)
    assert world.units["order_count"][marine] == 0
    assert place(world, marine) == pytest.approx((10, 20), abs=0.05)


def test_follow_keeps_close_until_the_target_dies() -> None:
    world = arena()
    leader, follower = put(world, "Marine", 1, 10, 10), put(world, "Marine", 1, 5, 10)
    order(world, leader, MOVE, 30, 30)
    order(world, follower, FOLLOW, target=leader)
    step(world, 300)
    assert math.dist(place(world, leader), place(world, follower)) < 2
    world.units["hp"][leader] = 0
    step(world, 60)
    assert world.units["order_count"][follower] == 0


def test_who_dies_is_followed_to_where_he_fell() -> None:
    world = arena()
    leader, follower = put(world, "Marine", 1, 30, 10), put(world, "Marine", 1, 5, 10)
    order(world, follower, FOLLOW, target=leader)
    step(world, 10)
    world.units["hp"][leader] = 0
    step(world, 300)
    assert world.units["order_count"][follower] == 0
    assert place(world, follower) == pytest.approx((30, 10), abs=0.05)


def test_an_enemy_is_followed_to_where_it_was_seen_last() -> None:
    world = arena()
    leader, follower = put(world, "Overlord", 2, 10, 10), put(world, "Marine", 1, 5, 10)
    order(world, follower, FOLLOW, target=leader)
    step(world, 10)
    world.visibility[1] = 0
    world.units["x"][leader] = world.units["y"][leader] = 35
    step(world, 200)
    assert world.units["order_count"][follower] == 0
    assert place(world, follower) == pytest.approx((10, 10), abs=0.6)


def test_approach_reports_once_and_waits_for_the_rules() -> None:
    world = arena()
    scv, depot = put(world, "SCV", 1, 10, 10), put(world, "SupplyDepot", 1, 20, 10)
    order(world, scv, APPROACH, 20, 10, target=depot, range=0.5)
    found = [event for event in step(world, 200) if event[1] == REACHED]
    assert [(unit, other, value) for _, _, unit, other, value in found] == [(scv, depot, 1.0)]
    assert world.orders["stage"][scv, 0] == 1
    assert world.units["order_count"][scv] == 1
    assert world.units["moving"][scv] == 0
    world.orders["timer"][scv, 0] = 5
    timers = [event for event in step(world, 10) if event[1] == TIMER]
    assert len(timers) == 1


def test_approach_to_a_point_and_to_what_dies() -> None:
    world = arena()
    first, second = put(world, "SCV", 1, 10, 10), put(world, "SCV", 1, 10, 20)
    depot = put(world, "SupplyDepot", 1, 30, 20)
    order(world, first, APPROACH, 20, 10, range=1)
    order(world, second, APPROACH, 30, 20, target=depot, range=0.5)
    found = [event for event in step(world, 75) if event[1] == REACHED]
    assert [(event[2], event[4]) for event in found] == [(first, 1.0)]
    assert 0.8 < math.dist(place(world, first), (20, 10)) <= 1.01
    world.units["hp"][depot] = 0
    found = [event for event in step(world, 5) if event[1] == REACHED]
    assert [(event[2], event[3], event[4]) for event in found] == [(second, -1, 0.0)]


def test_what_cannot_move_reports_that_it_never_gets_there() -> None:
    world = arena()
    tank = put(world, "SiegeTankSieged", 1, 10, 10)
    order(world, tank, APPROACH, 30, 10, range=1)
    found = [event for event in step(world, 5) if event[1] == REACHED]
    assert [event[4] for event in found] == [0.0]


def test_wait_counts_its_timer_and_stands() -> None:
    world = arena()
    marine = put(world, "Marine", 1, 10, 10)
    order(world, marine, WAIT, timer=20)
    found = [event for event in step(world, 40) if event[1] == TIMER]
    assert [event[0] for event in found] == [20]
    assert place(world, marine) == (10, 10)


def test_a_medivac_heals_the_wounded_for_its_energy() -> None:
    world = arena()
    medivac, marine = put(world, "Medivac", 1, 10, 10), put(world, "Marauder", 1, 14, 10)
    world.units["hp"][marine] = 60
    order(world, medivac, HEAL, target=marine)
    step(world, 65)
    assert world.units["hp"][marine] == pytest.approx(60 + 64 * 9 / 16, abs=1.2)
    spent = 50 + 65 * facts().types["energy_regen"][facts().ids["Medivac"]] - world.units["energy"][medivac]
    assert spent == pytest.approx((world.units["hp"][marine] - 60) * 0.33, rel=0.05)
    step(world, 120)
    assert world.units["hp"][marine] == world.units["hp_max"][marine]
    assert world.units["order_count"][medivac] == 0


def test_an_idle_medivac_looks_for_the_wounded_and_leaves_machines_alone() -> None:
    world = arena()
    medivac, marine = put(world, "Medivac", 1, 10, 10), put(world, "Marine", 1, 16, 10)
    tank = put(world, "SiegeTank", 1, 8, 10)
    world.units["hp"][[marine, tank]] = 20
    step(world, 120)
    assert world.units["hp"][marine] == 45
    assert world.units["hp"][tank] == 20
    world.units["energy"][medivac] = 0
    world.units["hp"][marine] = 20
    step(world, 20)
    assert world.units["hp"][marine] < 22


@pytest.mark.parametrize(
    ("name", "patient", "comes_back"), [("SCV", "SiegeTank", True), ("Medivac", "Marauder", False)]
)
def test_who_repairs_by_itself_comes_back_and_who_heals_stays(name: str, patient: str, comes_back: bool) -> None:
    world = arena()
    mender, wounded = put(world, name, 1, 10, 10), put(world, patient, 1, 16.5, 10)
    world.players["minerals"][1] = world.players["gas"][1] = 1000
    world.units["energy"][mender] = 200
    world.units["hp"][wounded] -= 30
    world.units["flags"][mender] |= AUTOCAST
    world.types["speed"][1, facts().ids[patient]] = 0
    step(world, 400)
    assert world.units["hp"][wounded] == world.units["hp_max"][wounded]
    assert (place(world, mender)[0] < 10.5) == comes_back


def test_repair_takes_its_time_and_a_quarter_of_the_price() -> None:
    world = arena()
    scv, tank = put(world, "SCV", 1, 10, 10), put(world, "SiegeTank", 1, 11.4, 10)
    kind = facts().types[facts().ids["SiegeTank"]]
    world.players["minerals"][1] = world.players["gas"][1] = 1000
    world.units["hp"][tank] = 0.5 * kind["hp"]
    order(world, scv, REPAIR, target=tank)
    loops = 0
    while world.units["order_count"][scv] and loops < 2000:
        step(world)
        loops += 1
    assert loops == pytest.approx(kind["repair_loops"] / 2, abs=6)
    assert world.units["hp"][tank] == kind["hp"]
    assert 1000 - world.players["minerals"][1] == pytest.approx(0.5 * 0.25 * kind["minerals"], abs=1)
    assert 1000 - world.players["gas"][1] == pytest.approx(0.5 * 0.25 * kind["gas"], abs=1)


def test_repair_stops_without_money_and_scvs_on_autocast_repair() -> None:
    world = arena()
    scv, tank = put(world, "SCV", 1, 10, 10), put(world, "SiegeTank", 1, 13, 10)
    world.units["hp"][tank] = 50
    world.units["flags"][scv] |= AUTOCAST
    step(world, 200)
    assert world.units["hp"][tank] < 55
    world.players["minerals"][1] = world.players["gas"][1] = 1000
    step(world, 800)
    assert world.units["hp"][tank] == world.units["hp_max"][tank]


@pytest.mark.parametrize("name", ["Marine", "SCV", "Medivac"])
def test_queued_moves_are_walked_without_a_stop_in_between(name: str) -> None:
    """So bots lead their workers past the point where they slow down: real Probes that were sent to a point, on to
    their Nexus and home came as early as at full speed all the way (162 trips of two games, each loop seen)."""
    world = arena()
    slot = put(world, name, 1, 5, 5)
    order(world, slot, MOVE, 13, 5)
    queue(world, slot, MOVE, 21, 5)
    queue(world, slot, MOVE, 21, 14)
    places = [place(world, slot)]
    while world.units["order_count"][slot] and len(places) < 300:
        step(world)
        places.append(place(world, slot))
    steps = [math.dist(*pair) for pair in pairwise(places)]
    first = next(k for k, (x, _) in enumerate(places) if x > 12)
    last = next(k for k, (_, y) in enumerate(places) if y > 7)
    assert min(steps[first:last]) == pytest.approx(max(steps), rel=0.01)
