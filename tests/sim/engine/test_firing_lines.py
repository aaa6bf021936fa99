"""Ranged units on their way to a target: how far they go, and round whom."""

from __future__ import annotations

import math

import pytest

from sim.engine.state import ATTACK, HOLD, MOVE, REPAIR
from tests.sim.engine.worlds import arena, order, place, put, step

PIXEL = 24 / 128  # cells
# Twelve Stalkers who have come to rest, fifteen Roaches and a Ravager in their ranks: pixels of a real game's screen.
STALKERS = [(66, 60), (66, 52), (72, 33), (68, 38)]  # who had less than a cell to go, or nothing
OTHERS = [(78, 37), (59, 52), (79, 44), (79, 56), (61, 38), (75, 51), (72, 46), (52, 53)]
ROACHES = [(108 + 5 * (k // 5), 31 + 5 * (k % 5)) for k in range(15)]
WENT = [0.47, 0.47, 0.0, 0.0]  # cells in the 92 loops after that, to a pixel
# Six Void Rays told to attack a Corruptor, and where they fire at it 60 loops later: pixels of another real game.
RAYS = [(66, 76), (61, 66), (55, 59), (60, 52), (61, 44), (56, 77)]
FIRED_FROM = [(75, 68), (71, 61), (68, 56), (67, 50), (67, 43), (72, 64)]


def cells(pixel: tuple[int, int]) -> tuple[float, float]:
    """The place on the arena of a pixel of that screen."""
    return 8 + pixel[0] * PIXEL, 32 - pixel[1] * PIXEL


@pytest.mark.parametrize("seed", range(4))
def test_who_is_about_in_reach_steps_up_and_does_not_go_round_who_stands_before_it(seed: int) -> None:
    """Real ones go straight ahead, less than half a cell; ours went up to nine cells round the friends before them."""
    world = arena(seed=seed)
    ours = [put(world, "Stalker", 1, *cells(spot)) for spot in STALKERS + OTHERS]
    for spot in ROACHES:
        put(world, "Roach", 2, *cells(spot), math.pi)
    put(world, "Ravager", 2, *cells((125, 41)), math.pi)
    step(world, 92)
    for slot, spot, went in zip(ours, STALKERS, WENT, strict=False):
        x, y = cells(spot)
        assert math.hypot(world.units["x"][slot] - x, world.units["y"][slot] - y) == pytest.approx(went, abs=0.6)


def test_who_has_half_a_cell_to_go_does_not_turn_aside_for_a_friend_a_cell_ahead() -> None:
    world = arena()
    target = put(world, "Roach", 2, 30, 20, math.pi)
    world.units["hp"][target] = world.units["hp_max"][target] = 9000
    front = put(world, "Stalker", 1, 30 - 5.5, 20)  # 1.75 cells before the other one: gaps of half a cell
    back = put(world, "Stalker", 1, 30 - 7.25 - 0.3, 20)
    for slot in (front, back):
        order(world, slot, ATTACK, target=target)
    step(world, 20)
    assert world.units["y"][back] == pytest.approx(20, abs=0.02)
    assert world.units["x"][back] == pytest.approx(30 - 7.25, abs=0.2)
    assert world.units["cooldown"][back][0] > 0


def test_who_walks_to_mend_goes_round_friends_that_hold_their_ground_before_it() -> None:
    world = arena()
    for row in range(7):
        order(world, put(world, "Marauder", 1, 20, 17 + row), HOLD)
    worker, tank = put(world, "SCV", 1, 16, 20), put(world, "SiegeTank", 1, 26, 20)
    world.units["hp"][tank] = 50
    order(world, worker, REPAIR, target=tank)
    step(world, 90)
    assert math.dist(place(world, worker), (26, 20)) < 2


@pytest.mark.parametrize("seed", range(3))
def test_flyers_that_came_into_range_do_not_push_each_other_off(seed: int) -> None:
    """Real ones go straight at it, and stand as near as .6 cells (1.5 at rest); ours pushed each other off."""
    world = arena(seed=seed)
    rays = [put(world, "VoidRay", 1, *cells(spot)) for spot in RAYS]
    target = put(world, "Corruptor", 2, *cells((108, 45)), math.pi)
    order(world, target, HOLD)
    world.units["hp"][target] = world.units["hp_max"][target] = 9000
    for slot in rays:
        order(world, slot, ATTACK, target=target)
    step(world, 66)
    off = [math.dist(place(world, slot), cells(spot)) for slot, spot in zip(rays, FIRED_FROM, strict=True)]
    assert sum(off) / 6 < 0.4
    assert max(off) < 0.7
    assert math.dist(place(world, rays[1]), place(world, rays[5])) < 1.2
    step(world, 40)
    assert off == [math.dist(place(world, slot), cells(spot)) for slot, spot in zip(rays, FIRED_FROM, strict=True)]
    world.units["alive"][target] = 0  # they are at rest, and spread
    step(world, 40)
    assert math.dist(place(world, rays[1]), place(world, rays[5])) > 1.4


def test_flyers_fire_while_they_slow_down_and_glide_on() -> None:
    """A Mutalisk fires in range (3) and comes to rest half the square of its speed over its acceleration farther on; a
    Void Ray fires on the move and stops where it came into range."""
    world = arena()
    target = put(world, "Marine", 2, 30, 20, math.pi)
    world.units["hp"][target] = world.units["hp_max"][target] = 9000
    glider = put(world, "Mutalisk", 1, 8, 20)
    order(world, target, HOLD)
    order(world, glider, ATTACK, target=target)
    while world.units["cooldown"][glider][0] <= 0:
        step(world)
    first = 30 - place(world, glider)[0]
    assert first == pytest.approx(3 + 0.5 + 0.375, abs=0.5)
    step(world, 30)
    speed, pace = 4 / 16, 3.5 / 256
    assert 30 - place(world, glider)[0] == pytest.approx(3 + 0.5 + 0.375 - speed**2 / 2 / pace, abs=0.3)
    assert world.units["speed"][glider] == 0
    assert 9000 - world.units["hp"][target] == pytest.approx(2 * 9, abs=1)  # it was no later for that


def test_who_is_told_to_fight_behind_it_glides_on_the_way_it_went() -> None:
    world = arena()
    target = put(world, "Marine", 2, 12, 20)
    world.units["hp"][target] = world.units["hp_max"][target] = 9000
    glider = put(world, "Mutalisk", 1, 8, 20)
    order(world, target, HOLD)
    order(world, glider, MOVE, 36, 20)
    while place(world, glider)[0] < 13:
        step(world)
    order(world, glider, ATTACK, target=target)
    step(world, 4)
    assert place(world, glider)[0] > 13.6
    assert world.units["cooldown"][glider][0] > 0
    assert abs(world.units["facing"][glider]) > 2
