"""Who scouts, where it goes, and when nobody does."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.position import Point2

from bot.army.scout import Scout, route
from bot.config import load
from bot.micro.task import Mode, Task
from tests.bot.skirmish import Skirmish

CONFIG = load("army")["scout"]
SITES = [
    SimpleNamespace(position=Point2((50.0, y)), distance=d, enemy_distance=e)
    for y, d, e in ((5.0, 0.0, 90.0), (20.0, 15.0, 75.0), (60.0, 55.0, 35.0), (80.0, 75.0, 15.0), (95.0, 90.0, 0.0))
]
ISLAND = SimpleNamespace(position=Point2((5.0, 95.0)), distance=290.0, enemy_distance=20.0)
"""No way leads there: its distance is that through the air, and a penalty."""


@pytest.fixture
def scene() -> Skirmish:
    scene = Skirmish()
    scene.loop = int(CONFIG["after"] * 22.4) + 1
    return scene


def known(scene: Skirmish) -> SimpleNamespace:
    scene.walkable[90:, :10] = False
    knowledge = scene.knowledge()
    knowledge.bases = (SimpleNamespace(site=SITES[0]),)
    knowledge.terrain.sites = (*SITES, ISLAND)
    return knowledge


def step(scout: Scout, scene: Skirmish, knowledge: SimpleNamespace | None = None) -> dict[int, Task]:
    field = scene.field()
    return scout.step(knowledge or known(scene), field, np.arange(len(field.own)), CONFIG)


def army(scene: Skirmish) -> list[int]:
    return [scene.own(U.MARINE, 48 + k, 8) for k in range(CONFIG["army"])]


def test_the_tour_goes_outwards_and_leaves_out_ours_islands_and_the_enemy_main(scene: Skirmish) -> None:
    assert route(known(scene), 3) == [(50.0, 20.0), (50.0, 60.0), (50.0, 80.0)]


def test_the_most_suitable_unit_goes_and_does_not_fight(scene: Skirmish) -> None:
    army(scene)
    reaper = scene.own(U.REAPER, 50, 8)
    assert step(Scout(), scene) == {reaper: Task(Mode.RETREAT, (50.0, 20.0), (50.0, 20.0), (50.0, 20.0))}


def test_it_goes_on_when_a_place_is_seen_and_comes_home_at_the_end(scene: Skirmish) -> None:
    army(scene)
    scout = Scout()
    (tag,) = step(scout, scene)
    knowledge = known(scene)
    knowledge.is_visible = lambda place: place[1] < 30
    assert step(scout, scene, knowledge)[tag].point == (50.0, 60.0)
    knowledge.is_visible = lambda place: True
    assert step(scout, scene, knowledge) == {}
    scene.loop += 10
    assert step(scout, scene) == {}, "the next one waits"
    scene.loop += int(CONFIG["pause"] * 22.4)
    assert len(step(scout, scene)) == 1


def test_another_goes_when_the_scout_joins_the_attack(scene: Skirmish) -> None:
    army(scene)
    reaper = scene.own(U.REAPER, 50, 8)
    scout = Scout()
    assert step(scout, scene).keys() == {reaper}
    scene.loop += int(CONFIG["pause"] * 22.4) + 1
    field = scene.field()
    (other,) = scout.step(
        known(scene), field, np.array([row for row in range(5) if field.own.tags[row] != reaper]), CONFIG
    )
    assert other != reaper


@pytest.mark.parametrize("why", ["early", "small", "attacked"])
def test_nobody_goes_when_home_needs_them(scene: Skirmish, why: str) -> None:
    tags = army(scene)
    knowledge = known(scene)
    if why == "early":
        knowledge.loop = 100
    if why == "attacked":
        knowledge.threats = (object(),)
    scout = Scout()
    field = scene.field()
    home = np.arange(len(tags) - (why == "small"))
    assert scout.step(knowledge, field, home, CONFIG) == {}
