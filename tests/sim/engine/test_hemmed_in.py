"""Who is born among eggs, which do not give way, gets out whatever it is told meanwhile, and comes where it is sent."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.engine.state import ATTACK_MOVE, MOVE
from tests.sim.engine.worlds import arena, order, place, put, step

BELOW, ASIDE = (17.5, 11.0), (35.0, 30.0)


@pytest.mark.parametrize("goals", [(BELOW,), (ASIDE, BELOW)], ids=["one", "two by turns"])
@pytest.mark.parametrize("verb", [MOVE, ATTACK_MOVE])
def test_orders_that_follow_each_other_do_not_hold_a_newborn_below_its_hall(verb: int, goals: tuple) -> None:
    """A public bot told its Zerglings two things every four loops: one stood below its Lair until the eggs hatched."""
    walk = np.ones((40, 40), np.uint8)
    walk[20:25, 15:20] = 0
    for row, column in ((20, 15), (20, 19), (24, 15), (24, 19)):
        walk[row, column] = 1
    world = arena(walk=walk)
    for x, y in ((18.2, 19.44), (17.5, 19.5), (18.97, 19.9)):
        put(world, "Egg", 1, x, y)
    born = put(world, "Zergling", 1, 18.19, 19.83)
    for turn in range(30):
        order(world, born, verb, *goals[turn % len(goals)])
        step(world, 4)
    x, y = place(world, born)
    assert y < 19 or x < 16.5, "it stands among the eggs still"


@pytest.mark.parametrize("away", [6.5, 8.0, 9.5])
def test_who_had_to_squeeze_through_a_ring_comes_to_its_goal(away: float) -> None:
    """It stood for so long that it once took itself for arrived as soon as it came near its goal, six cells short."""
    world = arena()
    for k in range(6):
        put(world, "Egg", 1, 15 + 0.78 * math.cos(k * math.pi / 3), 20 + 0.78 * math.sin(k * math.pi / 3))
    born = put(world, "Zergling", 1, 15, 20)
    order(world, born, MOVE, 15 + away, 20)
    step(world, 150)
    assert math.dist(place(world, born), (15 + away, 20)) < 0.1
