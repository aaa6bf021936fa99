"""Many units: who makes way for whom, who passes through whom, and how they surround."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.engine.state import ATTACK_MOVE, BURROWED, HOLD, MOVE, NO_COLLISION
from sim.engine.world import World
from tests.sim.engine.worlds import arena, facts, order, place, put, step, walk_home


def least_gap(world: World, slots: list[int]) -> float:
    """Smallest distance between two of the units, as a part of their separation."""
    units = world.units[slots]
    kinds = world.types["separation"][units["owner"], units["type"]]
    points = np.c_[units["x"], units["y"]].astype(float)
    gaps = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) / (kinds[:, None] + kinds[None])
    np.fill_diagonal(gaps, np.inf)
    return float(gaps.min())


def test_thirty_units_arrive_at_one_point_without_standing_in_each_other() -> None:
    world = arena()
    group = [put(world, "Marine", 1, 5 + k % 5, 5 + k // 5) for k in range(30)]
    for slot in group:
        order(world, slot, MOVE, 30, 30)
    loops = walk_home(world, group)
    assert loops < 1.25 * math.hypot(25, 25) / 0.140625
    step(world, 60)
    points = np.c_[world.units["x"], world.units["y"]][group]
    assert np.hypot(*(points - 30).T).max() < 3.2
    assert least_gap(world, group) > 0.9


@pytest.mark.parametrize(
    ("name", "touch"),
    [("Marine", 0.6875), ("Marauder", 1.0625), ("Zealot", 0.9375), ("Hellion", 1.1875), ("SiegeTank", 1.6875)],
)
def test_who_stand_in_a_crowd_touch_as_far_apart_as_real_ones(name: str, touch: float) -> None:
    """Their radii, not their separation radii, less a sixteenth of a cell: hundreds of pairs of true places."""
    world = arena()
    group = [put(world, name, 1, 20 + 0.2 * (k % 3), 20 + 0.2 * (k // 3)) for k in range(9)]
    step(world, 200)
    points = np.c_[world.units["x"], world.units["y"]][group].astype(float)
    gaps = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)) + 9 * np.eye(9)
    assert gaps.min(axis=1) == pytest.approx(touch, abs=0.04)


def test_a_crowd_passes_a_narrow_gap() -> None:
    walk = np.ones((40, 40), np.uint8)
    walk[:, 20] = 0
    walk[19:21, 20] = 1
    world = arena(walk=walk)
    group = [put(world, "Marine", 1, 8 + k % 6, 14 + k // 6) for k in range(36)]
    for slot in group:
        order(world, slot, MOVE, 32, 20)
    walk_home(world, group, 900)
    assert (world.units["x"][group] > 21).all()


def test_two_groups_walk_through_each_other() -> None:
    world = arena()
    left = [put(world, "Marine", 1, 6 + k % 3, 16 + k // 3) for k in range(24)]
    right = [put(world, "Marine", 1, 32 + k % 3, 16 + k // 3) for k in range(24)]
    for slot in left:
        order(world, slot, MOVE, 35, place(world, slot)[1])
    for slot in right:
        order(world, slot, MOVE, 5, place(world, slot)[1])
    loops = walk_home(world, left + right, 900)
    assert loops < 2.0 * 30 / 0.140625


def test_resting_friends_make_way_and_holding_ones_are_walked_round() -> None:
    world = arena()
    resting, mover = put(world, "Marine", 1, 20, 10), put(world, "Marine", 1, 10, 10)
    holding, other = put(world, "Marine", 1, 20, 30), put(world, "Marine", 1, 10, 30)
    order(world, holding, HOLD)
    order(world, mover, MOVE, 30, 10)
    order(world, other, MOVE, 30, 30)
    loops = walk_home(world, [mover, other])
    assert loops < 1.15 * 20 / 0.140625
    assert place(world, holding) == (20, 30)
    assert place(world, resting) != (20, 10)


@pytest.mark.parametrize("beyond", [2, 4, 6])
@pytest.mark.parametrize("aside", [0.0, 0.1, 0.3])
def test_one_friend_at_rest_on_the_way_is_passed(beyond: int, aside: float) -> None:
    """It is no crowd round the goal, and the mover does not push it along."""
    world = arena()
    mover, resting = put(world, "Marine", 1, 10, 20), put(world, "SCV", 1, 15, 20 + aside)
    order(world, mover, MOVE, 15 + beyond, 20)
    loops = walk_home(world, [mover])
    assert place(world, mover) == (15 + beyond, 20)
    assert loops < (5 + beyond) / 0.140625 + 6
    assert math.dist(place(world, resting), (15, 20 + aside)) < 0.5


@pytest.mark.parametrize(
    ("eggs", "born", "goal"),
    [  # places of eggs along the lower edge of a hatchery, as in games of bots
        ([(16.6, 19.7), (17.9, 19.9), (16.0, 19.8), (18.8, 19.3)], (18.5, 19.5), (3, 24)),
        ([(17.7, 19.4), (15.8, 19.6)], (18.8, 19.7), (5, 28)),
        ([(18.0, 19.1), (19.2, 18.8), (17.0, 18.7), (18.9, 19.7)], (16.5, 19.7), (32, 15)),
        ([(19.0, 18.9), (16.3, 19.8), (16.0, 18.6)], (16.7, 19.5), (4, 26)),
    ],
)
def test_who_is_born_between_eggs_and_a_wall_gets_out(eggs, born, goal) -> None:
    walk = np.ones((40, 40), np.uint8)
    walk[20:25, 15:20] = 0
    for row, column in ((20, 15), (20, 19), (24, 15), (24, 19)):
        walk[row, column] = 1
    world = arena(walk=walk)
    for x, y in eggs:
        put(world, "Egg", 1, x, y)
    roach = put(world, "Roach", 1, *born)
    order(world, roach, MOVE, *goal)
    step(world, 400)
    assert math.dist(place(world, roach), goal) < 0.5


def test_a_resting_enemy_is_not_shoved_aside() -> None:
    world = arena()
    world.types["weapons"][:] = -1
    enemy, mover = put(world, "Marine", 2, 20, 10.1), put(world, "Marine", 1, 10, 10)
    order(world, mover, MOVE, 30, 10)
    walk_home(world, [mover])
    assert math.dist(place(world, enemy), (20, 10.1)) < 0.15


def test_melee_units_surround_what_they_fight() -> None:
    world = arena()
    ultra = put(world, "Ultralisk", 2, 20, 20)
    world.types["weapons"][2] = -1
    order(world, ultra, HOLD)
    lings = [put(world, "Zergling", 1, 6 + k % 2, 14 + k // 2 * 0.8) for k in range(14)]
    for slot in lings:
        order(world, slot, ATTACK_MOVE, 35, 20)
    step(world, 220)
    angles = np.arctan2(world.units["y"][lings] - 20, world.units["x"][lings] - 20)
    in_reach = np.hypot(world.units["y"][lings] - 20, world.units["x"][lings] - 20) < 1.0 + 0.375 + 0.25
    assert in_reach.sum() >= 8
    assert (np.abs(angles[in_reach]) < 1.6).any()  # some got round to the far side


@pytest.mark.parametrize(("name", "room"), [("SiegeTankSieged", 10), ("Ultralisk", 11)])
def test_no_more_get_at_somebody_than_his_ring_has_room_for(name: str, room: int) -> None:
    """As many as stand round him without standing in each other, or one more: real bodies hardly give."""
    world = arena(60, 60)
    big = put(world, name, 2, 30, 30)
    world.types["weapons"][2] = -1
    world.units["hp"][big] = world.units["hp_max"][big] = 1e6
    order(world, big, HOLD)
    lings = [put(world, "Zergling", 1, 6 + k % 5, 26 + k // 5 * 0.8) for k in range(40)]
    for slot in lings:
        order(world, slot, ATTACK_MOVE, 50, 30)
    step(world, 400)
    units = world.units[lings]
    reach = float(world.types["radius"][2, world.units["type"][big]]) + 0.375 + 0.1
    near = np.hypot(units["x"] - 30, units["y"] - 30) <= reach + 0.01
    assert room - 1 <= near.sum() <= room + 1


@pytest.mark.parametrize(("enemy", "count"), [("SiegeTankSieged", 14), ("Zealot", 12)])
def test_who_chases_presses_hardly_deeper_into_friends_than_real_ones_do(enemy: str, count: int) -> None:
    """Of real pairs of friends within half a cell 2 % are deeper than a 32nd, of ours that chase 6 to 8 % (once 22)."""
    world = arena()
    victim = put(world, enemy, 2, 20, 20)
    world.types["weapons"][2] = -1
    world.units["hp"][victim] = world.units["hp_max"][victim] = 1e5
    order(world, victim, HOLD)
    group = [put(world, "Zergling", 1, 8 + k % 2, 14 + k // 2 * 0.9) for k in range(count)]
    for slot in group:
        order(world, slot, ATTACK_MOVE, 35, 20)
    touch = 2.0 * float(world.types["separation"][1, world.units["type"][group[0]]])
    gaps: list[float] = []
    for _ in range(60):
        step(world, 3)
        points = np.c_[world.units["x"], world.units["y"]][group].astype(float)
        chases = (world.units["moving"][group] > 0) & (world.units["target"][group] >= 0)
        for k in range(count):
            for other in range(k):
                if chases[k] or chases[other]:
                    gaps.append(math.dist(points[k], points[other]) - touch)
    near = np.array([gap for gap in gaps if gap < 0.5])
    assert len(near) > 300
    assert (near < -1 / 32).mean() < 0.12
    assert (world.units["cooldown"][group].max(axis=1) > 0).sum() >= 5, "and they get at it"


def test_who_finds_no_room_at_one_enemy_goes_on_to_the_next() -> None:
    world = arena()
    zealots = [put(world, "Zealot", 2, 20, 20 + 2.5 * k) for k in range(3)]
    world.types["weapons"][2] = -1
    world.units["hp"][zealots] = world.units["hp_max"][zealots] = 10_000
    lings = [put(world, "Zergling", 1, 17 + k % 6, 8 + k // 6 * 0.8) for k in range(24)]
    for slot in zealots:
        order(world, slot, HOLD)
    for slot in lings:
        order(world, slot, ATTACK_MOVE, 20, 38)
    step(world, 260)
    x, y = world.units["x"], world.units["y"]
    reach = 0.375 + 0.5 + 0.1
    near = np.hypot(x[lings][:, None] - x[zealots], y[lings][:, None] - y[zealots]) < reach + 0.01
    assert (near.sum(axis=0) >= 3).all()
    assert near.any(axis=1).sum() >= 15


def test_harvesting_workers_pass_through_units() -> None:
    world = arena()
    worker = put(world, "SCV", 1, 10, 10)
    world.units["flags"][worker] |= NO_COLLISION
    wall = [put(world, "Marine", 1, 20, 7 + 0.6 * k) for k in range(11)]
    for slot in wall:
        order(world, slot, HOLD)
    order(world, worker, MOVE, 30, 10)
    loops = walk_home(world, [worker])
    kind = facts().types[facts().ids["SCV"]]
    assert loops <= 20 / kind["speed"] + kind["speed"] / kind["acceleration"] + 4


@pytest.mark.parametrize(
    ("gap", "guards"),
    [(1, [("Zealot", 20.5)]), (1, [("Marine", 20.5)]), (2, [("Zealot", 20.6), ("Zealot", 21.4)])],
)
@pytest.mark.parametrize("owner", [1, 2])
def test_who_holds_a_gap_closes_it(owner: int, gap: int, guards: list[tuple[str, float]]) -> None:
    walk = np.ones((40, 40), np.uint8)
    walk[:, 20:22] = 0
    walk[20 : 20 + gap, 20:22] = 1
    world = arena(walk=walk)
    world.weapons["damage"][:] = world.weapons["bonus"][:] = 0
    wall = [put(world, name, owner, 21, y) for name, y in guards]
    for slot in wall:
        order(world, slot, HOLD)
    group = [put(world, "Zergling", 1, 8 + k % 6, 18 + k // 6) for k in range(12)]
    for slot in group:
        order(world, slot, MOVE, 34, 20.5)
    step(world, 600)
    assert (world.units["x"][group] < 21).all()
    world.units["hp"][wall] = 0
    walk_home(world, group, 400)
    assert (world.units["x"][group] > 22).all()


@pytest.mark.parametrize("period", [600, 100])
def test_who_waits_behind_a_held_gap_stands_in_nobody(period: int) -> None:
    """An army that is sent through a gap which its own Zealot holds, once or again and again."""
    walk = np.ones((40, 40), np.uint8)
    walk[:, 20:22] = 0
    walk[20, 20:22] = 1
    world = arena(walk=walk)
    order(world, put(world, "Zealot", 1, 21, 20.5), HOLD)
    group = [put(world, "Zealot", 1, 8 + k % 4, 17 + k // 4) for k in range(16)]
    for _ in range(0, 600, period):
        for slot in group:
            order(world, slot, MOVE, 34, 20.5)
        step(world, period)
    distances = [math.dist(place(world, a), place(world, b)) for a in group for b in group if a < b]
    assert sum(distance < 0.5 for distance in distances) <= 4  # of 120 pairs


@pytest.mark.parametrize("period", [22, 4, 1])
@pytest.mark.parametrize(("number", "beyond"), [(2, 0), (20, 0), (20, 1)])
def test_who_are_sent_to_one_point_again_and_again_stand_beside_each_other(number, beyond, period) -> None:
    """As bots do that give their orders in each step; real pairs are deeper than a 32nd in 2 of 100."""
    world = arena(slots=24)
    group = [put(world, "Marine", 1, 14 + k % 7, 14 + k // 7) for k in range(number)]
    depths = []
    for loop in range(300):
        for slot in group if loop % period == 0 else ():
            if math.dist(place(world, slot), (20.3, 20.7)) >= beyond:
                order(world, slot, MOVE, 20.3, 20.7)
        step(world)
        if loop >= 200:
            depths += [0.6875 - math.dist(place(world, a), place(world, b)) for a in group for b in group if a < b]
    touching = [depth for depth in depths if depth > -0.03]
    assert max(touching) < 0.3
    assert sum(depth > 0.1 for depth in touching) < 0.2 * len(touching)


@pytest.mark.parametrize(("gap", "guards"), [(1, [20.5]), (2, [20.6, 21.4])])
@pytest.mark.parametrize("attackers", ["Zergling", "Zealot"])
def test_a_gap_that_is_held_is_not_stormed(gap: int, guards: list[float], attackers: str) -> None:
    """Who presses on from behind pushes nobody past the guards, and queues instead of standing in who is ahead."""
    walk = np.ones((40, 40), np.uint8)
    walk[:, 20:22] = 0
    walk[20 : 20 + gap, 20:22] = 1
    world = arena(walk=walk)
    world.weapons["damage"][:] = world.weapons["bonus"][:] = 0
    for y in guards:
        order(world, put(world, "Zealot", 2, 21, y), HOLD)
    group = [put(world, attackers, 1, 8 + k % 6 * 0.8, 18 + k // 6 * 0.8) for k in range(24)]
    for slot in group:
        order(world, slot, ATTACK_MOVE, 34, 20.5)
    step(world, 200)
    gaps = []
    for _ in range(20):
        step(world, 20)
        gaps.append(least_gap(world, group))
    assert (world.units["x"][group] < 21).all()
    assert float(np.mean(gaps)) > 0.45


def test_an_egg_in_a_gap_hardly_holds_up_a_drone() -> None:
    loops = []
    for filled in (False, True):
        walk = np.ones((40, 40), np.uint8)
        walk[:, 20:22] = 0
        walk[20, 20:22] = 1
        world = arena(walk=walk)
        if filled:
            put(world, "Egg", 1, 21, 20.5)
        drone = put(world, "Drone", 1, 10, 20.5)
        order(world, drone, MOVE, 34, 20.5)
        loops.append(walk_home(world, [drone]))
    free, past = loops
    assert past - free < 12


def test_the_burrowed_keep_apart_and_pass_below_others() -> None:
    """Catalog: units collide with who shares a layer with them, and burrowed Roaches have a separation radius."""
    world = arena()
    world.types["speed"][:, facts().ids["RoachBurrowed"]] = 0.1  # as after Tunneling Claws
    group = [put(world, "RoachBurrowed", 1, 5 + k % 3, 20 + k // 3) for k in range(6)]
    world.units["flags"][group] |= BURROWED
    marine = put(world, "Marine", 1, 15, 20.5)
    for slot in group:
        order(world, slot, MOVE, 30, 20.5)
    walk_home(world, group, 500)
    step(world, 60)
    assert least_gap(world, group) > 0.9
    assert place(world, marine) == (15, 20.5)


def test_ground_and_air_do_not_touch() -> None:
    world = arena()
    marine, medivac = put(world, "Marine", 1, 20, 20), put(world, "Medivac", 1, 20, 20)
    step(world, 20)
    assert place(world, marine) == place(world, medivac) == (20, 20)


@pytest.mark.parametrize(("owner", "orders"), [(2, ()), (1, (HOLD,))])
def test_flyers_on_the_move_pass_over_others(owner: int, orders: tuple[int, ...]) -> None:
    """A wall of Overlords, two deep, holds nobody up."""
    world = arena()
    wall = [put(world, "Overlord", owner, 20 + column, 8.5 + row) for column in range(2) for row in range(24)]
    for verb in orders:
        for slot in wall:
            order(world, slot, verb, 0, 0)
    viking, free = put(world, "VikingFighter", 1, 10, 20), put(world, "VikingFighter", 1, 10, 36)
    for slot in (viking, free):
        order(world, slot, MOVE, 34, float(world.units["y"][slot]))
    for _ in range(100):
        step(world, 1)
        assert place(world, viking)[0] == place(world, free)[0]
        assert place(world, viking)[1] == 20


@pytest.mark.parametrize(("kind", "aside"), [("VikingFighter", 0.0), ("Battlecruiser", 0.3)])
def test_flyers_that_meet_pass_each_other(kind: str, aside: float) -> None:
    """They are pushed aside at most, and come as soon as who meets nobody, but for where in a step braking begins."""
    loops = []
    for meets in (False, True):
        world = arena()
        unit = put(world, kind, 1, 10, 20)
        order(world, unit, MOVE, 24, 20)
        if meets:
            order(world, put(world, kind, 1, 24, 20 + aside), MOVE, 10, 20)
        loops.append(0)
        while place(world, unit) != (24, 20) and loops[-1] < 300:
            step(world, 1)
            loops[-1] += 1
    assert abs(loops[1] - loops[0]) <= 5


@pytest.mark.parametrize("kind", ["Mutalisk", "Phoenix", "Oracle", "Corruptor", "Carrier"])
@pytest.mark.parametrize("many", [2, 3, 6])
def test_flyers_that_come_to_one_point_arrive_and_spread_there(kind: str, many: int) -> None:
    """They pushed each other off it for ever. As they stack on the move (players), none is much later than alone."""
    starts = [(10 + 2.9 * k, 28 if k % 2 else 12) for k in range(many)]

    def arrive(points: list[tuple[float, int]]) -> tuple[World, list[int], int]:
        world = arena()
        group = [put(world, kind, 1, *point) for point in points]
        for slot in group:
            order(world, slot, MOVE, 17, 20)
        return world, group, walk_home(world, group, 500)

    world, group, loops = arrive(starts)
    assert loops <= max(arrive([point])[2] for point in starts) + 10
    step(world, 120)
    assert least_gap(world, group) > 0.9
