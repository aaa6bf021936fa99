"""Who walks into a bunker, and when they come out."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.position import Point2

from bot.army.garrison import Garrison
from bot.army.step import Army
from bot.config import load
from bot.guard import Guard
from bot.knowledge.model import Threat
from bot.orders import Order, Smart, Unload
from bot.strategy.plan import Plan, Stance
from tests.bot.skirmish import Skirmish

CONFIG = load("army")["garrison"]
BUNKER = 777
ATTACK_ON_IT = SimpleNamespace(position=Point2((52.0, 58.0)), base=Point2((50.0, 50.0)), tags=frozenset(), value=0.0)


@pytest.fixture
def scene() -> Skirmish:
    return Skirmish()


def knowledge(scene: Skirmish, used: int = 0, threats: tuple = ()) -> SimpleNamespace:
    bunker = SimpleNamespace(tag=BUNKER, position=Point2((50.0, 50.0)), cargo_left=4 - used, cargo_used=used)
    known = scene.knowledge()
    known.own.ready = lambda *kinds: [bunker] if U.BUNKER in kinds else []
    known.threats = threats
    return known


def step(garrison: Garrison, scene: Skirmish, known: SimpleNamespace) -> tuple[list[Order], set[int]]:
    field = scene.field()
    return garrison.step(known, field, np.arange(len(field.own)), CONFIG)


def test_the_nearest_marines_go_in_while_there_is_danger(scene: Skirmish) -> None:
    near = [
        scene.own(
            U.MARINE,
            50 + k,
            48,
        )
        for k in range(6)
    ]
    scene.own(U.MARINE, 50, 5)
    scene.own(U.SIEGETANK, 50, 49)
    orders, guests = step(Garrison(), scene, knowledge(scene, threats=(ATTACK_ON_IT,)))
    assert guests == set(near[:4])
    assert orders == [Smart(tag, BUNKER) for tag in near[:4]]
    orders, guests = step(Garrison(), scene, knowledge(scene, used=3, threats=(ATTACK_ON_IT,)))
    assert guests == {near[0]}, "room for one"


def test_marines_before_marauders_who_need_two_places(scene: Skirmish) -> None:
    marauders = [scene.own(U.MARAUDER, 50, 50), scene.own(U.MARAUDER, 50, 51)]
    marines = [scene.own(U.MARINE, 50, 45), scene.own(U.MARINE, 51, 45)]
    _, guests = step(Garrison(), scene, knowledge(scene, threats=(ATTACK_ON_IT,)))
    assert guests == {*marines, marauders[0]}


def test_nobody_goes_in_without_danger_and_they_leave_after_a_while(scene: Skirmish) -> None:
    scene.own(U.MARINE, 50, 48)
    garrison = Garrison()
    assert step(garrison, scene, knowledge(scene)) == ([], set())
    assert step(garrison, scene, knowledge(scene, used=4)) == ([], set())
    scene.loop += int(CONFIG["quiet"] * 22.4) + 2
    assert step(garrison, scene, knowledge(scene, used=4)) == ([Unload(BUNKER)], set())


@pytest.mark.parametrize(("roaches", "away", "goes"), [(1, 20, True), (2, 20, False), (2, 8, True), (6, 8, False)])
def test_only_who_is_strong_enough_leaves_the_bunkers_side(
    scene: Skirmish, roaches: int, away: float, goes: bool
) -> None:
    soldiers = [scene.own(U.MARINE, 50 + k, 48) for k in range(4)]
    enemies = [scene.foe(U.ROACH, 50 + away, 45 + k) for k in range(roaches)]
    threat = Threat(Point2((50.0 + away, 45.0)), Point2((50.0, 44.0)), frozenset(enemies), 100.0 * roaches, 0.0, 0)
    known = knowledge(scene, used=4, threats=(threat,))
    plan = Plan(stance=Stance.DEFEND, rally=Point2((50.0, 47.0)), target=None)
    tasks = Army(Guard()).tasks(known, plan, scene.field())
    assert {tasks[tag].point == plan.rally for tag in soldiers} == {not goes}


def test_bunkers_are_left_though_nobody_stands_outside(scene: Skirmish) -> None:
    army = Army(Guard())
    plan = Plan(stance=Stance.DEFEND, rally=Point2((10.0, 10.0)), target=None)
    for seconds in (0.0, CONFIG["quiet"] - 1):
        scene.loop = 1000 + int(seconds * 22.4)
        assert army.step(knowledge(scene, used=4), plan) == []
    scene.loop = 1000 + int(CONFIG["quiet"] * 22.4) + 2
    assert army.step(knowledge(scene, used=4), plan) == [Unload(BUNKER)]


def test_guests_get_no_other_orders(scene: Skirmish) -> None:
    marine = scene.own(U.MARINE, 50, 48)
    army = Army(Guard())
    plan = Plan(stance=Stance.DEFEND, rally=Point2((10.0, 10.0)), target=None)
    assert army.step(knowledge(scene, threats=(ATTACK_ON_IT,)), plan) == [Smart(marine, BUNKER)]
