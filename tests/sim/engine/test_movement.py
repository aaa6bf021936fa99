"""Speed, turning, walls, arrival."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.engine.state import ATTACK_MOVE, FOLLOW, HOLD, IMMOBILE, MOVE, TALL
from sim.engine.world import put_unit
from tests.sim.engine.worlds import arena, facts, order, place, put, queue, step, walk_home


@pytest.mark.parametrize("name", ["Marine", "SCV", "SiegeTank", "Medivac", "Mutalisk", "Zergling", "Thor", "Roach"])
def test_a_straight_way_takes_its_length_over_the_speed(name: str) -> None:
    world = arena()
    slot = put(world, name, 1, 5, 5, facing=math.atan2(24, 30))
    kind = facts().types[facts().ids[name]]
    order(world, slot, MOVE, 35, 29)
    loops = walk_home(world, [slot])
    ideal = math.hypot(30, 24) / kind["speed"]
    ramp = kind["speed"] / kind["acceleration"] if kind["acceleration"] > 0 else 0
    assert ideal <= loops <= ideal + ramp + 4
    assert place(world, slot) == pytest.approx((35, 29), abs=0.05)


@pytest.mark.parametrize("name", ["Medivac", "Marine", "SCV"])
@pytest.mark.parametrize("away", [0.01, 0.3, 0.9, 1.2])
def test_a_short_move_ends_as_well(name: str, away: float) -> None:
    world = arena()
    slot = put(world, name, 1, 5, 5)
    for goal in (9, 9 + away, 9):
        order(world, slot, MOVE, goal, 5)
        walk_home(world, [slot], limit=120)
        assert place(world, slot)[0] == pytest.approx(goal, abs=0.03)


def test_air_units_gain_speed_slowly_and_ground_units_at_once() -> None:
    world = arena()
    medivac, marine = put(world, "Medivac", 1, 5, 5), put(world, "Marine", 1, 5, 15)
    for slot in (medivac, marine):
        order(world, slot, MOVE, 35, place(world, slot)[1])
    step(world, 5)
    speeds = world.units["speed"][[medivac, marine]]
    kind = facts().types[facts().ids["Medivac"]]
    rate = int(kind["acceleration"] * 4096 + 0.01) / 4096  # velocities are cut down to whole 4096ths
    assert speeds[0] == pytest.approx(5 * rate, rel=1e-3)
    assert speeds[1] == pytest.approx(facts().types["speed"][facts().ids["Marine"]], rel=1e-3)


def test_a_turned_away_unit_turns_at_its_rate() -> None:
    world = arena()
    marine, tank = put(world, "Marine", 1, 20, 10, math.pi), put(world, "SiegeTank", 1, 20, 20, math.pi)
    cyclone = put(world, "Cyclone", 1, 20, 30, math.pi)
    for slot in (marine, tank, cyclone):
        order(world, slot, MOVE, 35, place(world, slot)[1])
    step(world, 2)
    assert (place(world, tank)[0], abs(world.units["facing"][tank])) == pytest.approx((20, math.pi / 2), abs=1e-3)
    step(world, 2)
    assert abs(world.units["facing"][marine]) < 1e-3
    rate, speed = (facts().types[name][facts().ids["Cyclone"]] for name in ("turn_rate", "speed"))
    assert math.pi - abs(world.units["facing"][cyclone]) == pytest.approx(4 * rate, rel=1e-3)
    assert place(world, cyclone)[0] == pytest.approx(20 + 4 * speed)
    assert place(world, tank)[0] == pytest.approx(20 + facts().types["speed"][facts().ids["SiegeTank"]])


@pytest.mark.parametrize("name", ["SCV", "Marine", "Cyclone", "Overlord"])
@pytest.mark.parametrize("turn", [0.5, 1.5, math.pi])
def test_who_is_sent_elsewhere_goes_its_new_way_at_once_and_at_full_speed(name: str, turn: float) -> None:
    """So real units do whatever the angle (184 pairs of true places, in games of two clients: seen a loop before)."""
    world = arena()
    slot = put(world, name, 1, 5, 20, facing=0.0)
    order(world, slot, MOVE, 35, 20)
    step(world, 60)
    x, y = place(world, slot)
    speed = float(world.units["speed"][slot])
    order(world, slot, MOVE, x + 9 * math.cos(turn), y + 9 * math.sin(turn))
    step(world)
    x2, y2 = place(world, slot)
    assert math.hypot(x2 - x, y2 - y) == pytest.approx(speed, rel=0.03)
    assert abs(math.atan2(y2 - y, x2 - x)) == pytest.approx(turn, abs=0.05)


def test_creep_speeds_zerg_ground_units_up() -> None:
    world = arena()
    world.creep[:20] = 1
    fast, slow, marine = put(world, "Roach", 1, 5, 5), put(world, "Roach", 1, 5, 30), put(world, "Marine", 1, 5, 10)
    for slot in (fast, slow, marine):
        order(world, slot, MOVE, 39, place(world, slot)[1])
    step(world, 60)
    gone = [place(world, slot)[0] - 5 for slot in (fast, slow, marine)]
    assert gone[0] / gone[1] == pytest.approx(facts().types["creep_speed"][facts().ids["Roach"]], rel=0.02)
    assert gone[2] == pytest.approx(60 * 0.140625, rel=0.02)


@pytest.mark.parametrize(
    ("name", "factor"), [("SpineCrawlerUprooted", 2.5), ("ChangelingMarine", 1), ("ChangelingZergling", 1.3)]
)
def test_crawlers_without_roots_hurry_on_creep_and_changelings_like_whom_they_copy(name: str, factor: float) -> None:
    world = arena()
    world.creep[:20] = 1
    on, off = put(world, name, 1, 5, 5), put(world, name, 1, 5, 30)
    for slot in (on, off):
        order(world, slot, MOVE, 39, place(world, slot)[1])
    step(world, 60)
    gone = [place(world, slot)[0] - 5 for slot in (on, off)]
    assert gone[0] / gone[1] == pytest.approx(factor, rel=0.03)


def test_the_way_round_a_wall_is_near_the_shortest() -> None:
    walk = np.ones((40, 40), np.uint8)
    walk[5:35, 20] = 0
    world = arena(walk=walk)
    marine = put(world, "Marine", 1, 10, 20)
    order(world, marine, MOVE, 30, 20)
    loops = walk_home(world, [marine])
    shortest = math.hypot(10, 15) + 1 + math.hypot(9, 15)
    assert shortest <= loops * 0.140625 + 0.2 <= shortest * 1.03 + 0.6
    assert place(world, marine) == pytest.approx((30, 20), abs=0.05)


def test_no_unit_slips_between_diagonal_neighbours() -> None:
    walk = np.ones((40, 40), np.uint8)
    for k in range(40):
        walk[k, k] = 0
    world = arena(walk=walk)
    marine = put(world, "Marine", 1, 10, 25)
    order(world, marine, MOVE, 25, 10)
    step(world, 600)
    x, y = place(world, marine)
    assert y > x  # still above the wall


def test_a_goal_behind_a_closed_corner_is_walked_round_to() -> None:
    """Three mineral fields of a shipped map; the goal is a worker's place between them, open above only."""
    walk = np.ones((40, 40), np.uint8)
    for x, y in ((29, 29), (31, 28), (32, 29)):
        walk[y, x : x + 2] = 0
    for start in ((30.5, 28.5), (29.2, 28.8), (27.5, 30.3)):
        world = arena(walk=walk)
        worker = put(world, "SCV", 1, *start)
        order(world, worker, MOVE, 31.645, 29.212)
        step(world, 120)
        assert math.dist(place(world, worker), (31.645, 29.212)) < 0.1


def test_units_walk_out_of_a_cell_that_became_blocked_unless_they_build_there() -> None:
    world = arena()
    caught, builder = put(world, "Marine", 1, 20, 20), put(world, "SCV", 1, 20.5, 20.5)
    world.units["builder"][builder] = 5
    world.walk[18:23, 18:23] = 0
    world.world["terrain_version"] += 1
    step(world, 30)
    x, y = place(world, caught)
    assert world.walk[int(y), int(x)]
    assert math.dist((x, y), (20, 20)) < 3.2
    assert place(world, builder) == (20.5, 20.5)


def test_immobile_units_stay() -> None:
    world = arena()
    marine = put(world, "Marine", 1, 20, 20)
    world.units["flags"][marine] |= IMMOBILE
    order(world, marine, MOVE, 30, 30)
    step(world, 20)
    assert place(world, marine) == (20, 20)
    world.units["flags"][marine] &= ~np.uint32(IMMOBILE)
    step(world, 20)
    assert place(world, marine)[0] > 21


def test_the_way_is_planned_anew_when_a_structure_bars_it() -> None:
    walk = np.ones((40, 40), np.uint8)
    walk[:, 20] = 0
    walk[9:12, 20] = walk[30:33, 20] = 1
    world = arena(walk=walk)
    marine = put(world, "Marine", 1, 10, 15)
    order(world, marine, MOVE, 30, 15)
    step(world, 40)
    assert place(world, marine)[1] < 15
    world.walk[9:12, 20] = 0
    world.world["terrain_version"] += 1
    loops = walk_home(world, [marine])
    assert loops * 0.140625 < 55
    assert place(world, marine) == pytest.approx((30, 15), abs=0.05)


@pytest.mark.parametrize("away", [0.8, 1.2, 2.0])
def test_a_depot_that_is_begun_on_the_corner_ahead_is_walked_round(away) -> None:
    """A real worker on its way down a ramp is not held up by one at its top."""
    walk = np.ones((40, 40), np.uint8)
    walk[12:, 18:22] = 0
    world = arena(walk=walk)
    worker = put(world, "SCV", 1, 15, 25)
    order(world, worker, MOVE, 25, 25)
    step(world, 8)
    unit = world.units[worker]
    for _ in range(200):
        column, row = int(unit["way_x"]), int(unit["way_y"])
        if math.dist(place(world, worker), (column + 0.5, row + 0.5)) <= away:
            break
        step(world)
    world.walk[row - 1 : row + 1, column : column + 2] = 0
    world.world["terrain_version"] += 1
    walk_home(world, [worker], 400)
    assert place(world, worker) == pytest.approx((25, 25), abs=0.05)


def test_a_goal_inside_a_structure_leads_to_its_side() -> None:
    world = arena()
    world.walk[18:23, 18:23] = 0
    marine = put(world, "Marine", 1, 5, 8)
    order(world, marine, MOVE, 20.5, 20.5)
    walk_home(world, [marine], 300)
    assert math.dist(place(world, marine), (20.5, 20.5)) < 3.6


@pytest.mark.parametrize(("start", "wall"), [((21.3, 32.5), np.s_[27, 19:22]), ((32.5, 21.3), np.s_[19:22, 27])])
def test_a_goal_inside_a_structure_is_reached_on_the_side_that_is_nearest_on_the_way(start, wall) -> None:
    world = arena()
    world.walk[19:22, 19:22] = 0  # a geyser
    world.walk[wall] = 0  # hides it from where the unit stands
    marine = put(world, "Marine", 1, *start)
    order(world, marine, MOVE, 20.5, 20.5)
    walked = 0.0
    for _ in range(150):
        before = place(world, marine)
        step(world)
        walked += math.dist(before, place(world, marine))
    assert math.dist(place(world, marine), (20.5, 20.5)) < 2.3
    assert walked < 11.5, "round to the other side it is 12 to 16"


def test_an_unreachable_goal_leads_to_the_nearest_reachable_ground() -> None:
    walk = np.ones((40, 40), np.uint8)
    walk[:, 20:25] = 0
    world = arena(walk=walk)
    marine = put(world, "Marine", 1, 5, 5)
    order(world, marine, MOVE, 30, 30)
    walk_home(world, [marine], 600)
    x, y = place(world, marine)
    assert 19 <= x < 20
    assert 10 < y < 36


def test_height_follows_the_ground() -> None:
    world = arena()
    world.levels[:, 20:] += 16
    marine, medivac = put(world, "Marine", 1, 10, 10), put(world, "Medivac", 1, 10, 20)
    for slot in (marine, medivac):
        order(world, slot, MOVE, 30, place(world, slot)[1])
    step(world, 30)
    flying = float(facts().types["height"][facts().ids["Medivac"]])
    assert world.units["z"][[marine, medivac]] == pytest.approx([8, 8 + flying])
    step(world, 100)
    assert world.units["z"][[marine, medivac]] == pytest.approx([10, 10 + flying])


def test_every_mobile_type_moves_at_its_speed() -> None:
    known, checked = facts(), 0
    for type_id in np.flatnonzero((known.types["exists"] == 1) & (known.types["speed"] > 0.02)):
        kind = known.types[type_id]
        world = arena(60, 40, slots=2)
        put_unit(world, 0, int(type_id), 1, 5, 20)
        order(world, 0, MOVE, 45, 20)
        ramp = kind["speed"] / kind["acceleration"] if kind["acceleration"] > 0 else 0
        loops = math.ceil(40 / kind["speed"] + ramp) + 3
        step(world, loops)
        assert place(world, 0) == pytest.approx((45, 20), abs=0.05), known.names[type_id]
        checked += 1
    assert checked > 60


def test_a_worker_that_is_sent_back_keeps_its_speed() -> None:
    """As real probes and SCVs: full speed at once."""
    world = arena()
    scv = put(world, "SCV", 1, 10, 10)
    order(world, scv, MOVE, 40, 10)
    step(world, 40)
    speed = float(world.units["speed"][scv])
    assert speed == pytest.approx(0.1758, abs=0.001)
    order(world, scv, MOVE, 5, 10)
    turned = place(world, scv)[0]
    step(world, 10)
    assert turned - place(world, scv)[0] == pytest.approx(10 * speed, rel=0.01)


def test_a_colossus_strides_over_walkers_and_makes_way_for_flyers() -> None:
    world = arena(height=48)
    colossus, archon = put(world, "Colossus", 1, 10, 10), put(world, "Archon", 1, 10, 30)
    world.units["flags"][colossus] |= TALL
    world.types["weapons"][:] = -1
    for y in (10, 30):
        for k in range(-2, 3):
            order(world, put(world, "Marine", 2, 20, y + 0.75 * k), HOLD)
    for walker in (colossus, archon):
        order(world, walker, MOVE, 30, place(world, walker)[1])
    aside = [0.0, 0.0]
    for _ in range(200):
        step(world)
        for k, walker in enumerate((colossus, archon)):
            aside[k] = max(aside[k], abs(place(world, walker)[1] - (10, 30)[k]))
    assert aside[0] < 0.05
    assert aside[1] > 0.5
    medivac = put(world, "Medivac", 1, 30.2, 10)
    step(world, 40)
    assert math.dist(place(world, colossus), place(world, medivac)) > 1


def test_a_move_to_a_structure_ends_beside_it_and_what_is_queued_comes_next() -> None:
    """So steered workers without a load pass the town hall that they are sent to by a right-click."""
    world = arena()
    scv, depot = put(world, "SCV", 1, 10, 10), put(world, "SupplyDepot", 1, 20, 10)
    order(world, scv, FOLLOW, target=depot)
    queue(world, scv, MOVE, 10, 20)
    step(world, 80)
    assert world.units["order_count"][scv] == 1
    step(world, 120)
    assert place(world, scv) == pytest.approx((10, 20), abs=0.05)


@pytest.mark.parametrize("period", [22, 4, 1])
def test_two_who_are_sent_into_closed_ground_again_and_again_stand_beside_each_other(period: int) -> None:
    walk = np.ones((60, 60), np.uint8)
    walk[:, 30:50] = 0
    world = arena(width=60, height=60, walk=walk)
    pair = [put(world, "Zealot", 1, 14 + k, 24) for k in range(2)]
    for loop in range(300):
        for slot in pair if loop % period == 0 else ():
            order(world, slot, ATTACK_MOVE, 40.3, 25.7)
        step(world)
        assert loop < 250 or math.dist(place(world, pair[0]), place(world, pair[1])) > 0.9375 - 0.1
