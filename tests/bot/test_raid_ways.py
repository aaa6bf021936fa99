"""Ways of raids, and the danger that they go round, without a game."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.position import Point2

from bot.army.raids import danger, route
from bot.config import load
from bot.knowledge.model import Sighting
from tests.bot.own import flat_terrain, make_knowledge

CONFIG = load("army")["raids"]
CELL = CONFIG["route"]["cell"]


def seen(kind: U, x: float, y: float, loop: int = 0, structure: bool = True) -> dict[int, Sighting]:
    return {int(x * 1000 + y): Sighting(int(x * 1000 + y), kind, Point2((x, y)), loop, 300.0, structure, False, loop)}


def look(memory: dict[int, Sighting], loop: int = 0) -> danger.Danger:
    return danger.look(make_knowledge([], memory=memory, loop=loop), CONFIG["danger"], CELL)


def test_fire_and_detection_reach_as_far_as_the_weapon() -> None:
    grid = look(seen(U.SPORECRAWLER, 64, 64))
    assert grid.at(grid.air, (64, 68)) > 10
    assert grid.at(grid.air, (64, 80)) == 0
    assert grid.at(grid.ground, (64, 64)) == 0, "it shoots at flyers only"
    assert grid.at(grid.detected, (64, 72)) == 1
    assert grid.at(grid.detected, (64, 82)) == 0
    assert not look({}).detected.any()


def test_what_is_not_finished_is_no_danger_yet() -> None:
    (sighting,) = seen(U.SPORECRAWLER, 64, 64).values()
    rising = {sighting.tag: dataclasses.replace(sighting, finished=100)}
    assert look(rising, 99).air.max() == 0
    assert look(rising, 100).air.max() > 0


@pytest.mark.parametrize("place", [(64.0, 64.0), (1.0, 126.0), (127.0, 3.0)])
def test_danger_is_in_every_square_whose_middle_is_reached(place: tuple[float, float]) -> None:
    grid = look(seen(U.SPORECRAWLER, *place))
    ys, xs = danger.centres(flat_terrain().shape, CELL)
    apart = np.hypot.outer(ys - place[1], xs - place[0])
    reach = CONFIG["danger"]["detection"]["SPORECRAWLER"] + CONFIG["danger"]["margin"]
    np.testing.assert_array_equal(grid.detected, apart <= reach)
    assert grid.air[apart <= 7.0].min() == grid.air.max() > 0


def test_who_moves_is_forgotten_in_time() -> None:
    memory = seen(U.HYDRALISK, 64, 64, structure=False)
    late = int((CONFIG["danger"]["memory"] + 1) * 22.4)
    assert look(memory).air.max() > 0
    assert look(memory, late).air.max() == 0
    assert look(seen(U.SPORECRAWLER, 64, 64), late).air.max() > 0


@pytest.mark.parametrize("cloaked", [False, True])
def test_flyers_go_round_fire_and_cloaked_ones_round_detectors(cloaked: bool) -> None:
    terrain = flat_terrain()
    rules = CONFIG["route"] | {"off_edge": 0.0, "in_sight": 0.0}

    def nearest(kind: U) -> float:
        grid = look(seen(kind, 64, 64))
        way = route.find((20, 64), (108, 64), route.air_cost(grid, terrain, rules, cloaked=cloaked), CELL)
        assert way[-1] == (108, 64)
        return min(float(np.hypot(x - 64, y - 64)) for x, y in way)

    assert nearest(U.SPORECRAWLER) > 6
    assert (nearest(U.QUEEN) < 4) == cloaked


def test_the_edge_is_preferred() -> None:
    terrain = flat_terrain()
    cost = route.air_cost(look({}), terrain, CONFIG["route"], cloaked=False)
    way = route.find((20, 20), (108, 108), cost, CELL)
    x0, y0, x1, y1 = terrain.playable
    inside = [min(x - x0, x1 - x, y - y0, y1 - y) for x, y in way]
    assert max(inside) < 40
    assert np.median(inside) < 10


def test_walkers_stay_on_open_ground() -> None:
    walkable = np.ones((128, 128), bool)
    walkable[10:128, 60:66] = False
    terrain = flat_terrain(walkable=walkable)
    grid = danger.look(make_knowledge([], terrain=terrain), CONFIG["danger"], 2)
    way = route.find((30, 64), (100, 64), route.ground_cost(grid, terrain, CONFIG["route"], cloaked=False), 2)
    assert all(terrain.walkable[int(y), int(x)] for x, y in way)
    assert min(y for _, y in way) < 10


def test_the_next_point_lies_ahead() -> None:
    way = [(float(x), 10.0) for x in range(0, 101, 4)]
    assert route.ahead(way, (22.0, 14.0), 10.0) == (32.0, 10.0)
    assert route.ahead(way, (99.0, 10.0), 10.0) == (100.0, 10.0)


def test_ways_on_ground_that_is_no_square_go_from_one_square_to_the_next() -> None:
    way = route.find((2.0, 2.0), (70.0, 30.0), np.ones((10, 20), np.float32), 4)
    steps = np.hypot(*np.diff(np.array([(2.0, 2.0), *way]), axis=0).T)
    assert steps.max() <= 4 * 2**0.5 + 0.01
    assert way[-1] == (70.0, 30.0)
