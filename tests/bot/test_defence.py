"""Who answers threats at home, and how, without a game."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.position import Point2

from bot.army import defence
from bot.army.raids.raid import Phase, Raid
from bot.army.squad import Squad
from bot.army.step import Army
from bot.config import load
from bot.guard import Guard
from bot.knowledge.model import Threat
from bot.micro.task import Mode
from bot.strategy.plan import Stance
from tests.bot.skirmish import TARGET, Skirmish, crowd, plan, threat

CONFIG = load("army")


@pytest.fixture
def fight() -> Skirmish:
    return Skirmish()


def test_defence_sends_enough_and_not_everyone(fight: Skirmish) -> None:
    for x, y in crowd(30, 46, 12):
        fight.own(U.MARINE, x, y)
    tags = [fight.foe(U.ZERGLING, 50, 30), fight.foe(U.ZERGLING, 51, 30)]
    field = fight.field()
    (answer,) = defence.answers([threat(fight, tags)], np.arange(30), field, CONFIG)
    assert answer.ratio >= CONFIG["defend"]["ratio"]
    assert 2 <= answer.rows.size <= 8
    many = [fight.foe(U.ROACH, x, y) for x, y in crowd(9, 50, 30)]
    field = fight.field()
    (answer,) = defence.answers([threat(fight, many)], np.arange(30), field, CONFIG)
    assert answer.rows.size > 12


def test_defence_sends_only_who_can_hit(fight: Skirmish) -> None:
    fight.own(U.MARAUDER, 50, 28)
    marine = fight.own(U.MARINE, 50, 10)
    tags = [fight.foe(U.MUTALISK, 50, 30)]
    (answer,) = defence.answers([threat(fight, tags)], np.arange(2), fight.field(), CONFIG)
    assert [fight.field().own.tags[row] for row in answer.rows] == [marine]


def test_who_is_left_makes_the_odds_better_still(fight: Skirmish) -> None:
    for x, y in crowd(40, 46, 12):
        fight.own(U.MARINE, x, y)
    near = [fight.foe(U.ROACH, x, y) for x, y in crowd(4, 50, 30)]
    field = fight.field()
    (answer,) = defence.answers([threat(fight, near)], np.arange(40), field, CONFIG)
    assert answer.ratio >= CONFIG["defend"]["overwhelm"]
    assert answer.rows.size < 40, "and not more than that takes"
    second = fight.foe(U.ROACH, 20, 30)
    threats = [
        threat(fight, near),
        Threat(Point2((20.0, 30.0)), Point2((20.0, 20.0)), frozenset([second]), 75.0, 0.0, 0),
    ]
    found = defence.answers(threats, np.arange(20), fight.field(), CONFIG)
    assert found[0].ratio < CONFIG["defend"]["overwhelm"], "they are too few"
    assert found[1].ratio >= CONFIG["defend"]["ratio"], "yet no base is left alone for it"
    rows = [row for answer in found for row in answer.rows.tolist()]
    assert len(rows) == len(set(rows))


REFUGES = [(50.0, 5.0), (20.0, 5.0), (50.0, 22.0)]


def test_defenders_gather_before_they_fight(fight: Skirmish) -> None:
    """Six come from one side and seven from the other: either half would be lost, all together win."""
    enemies = [fight.foe(U.ROACH, x, y) for x, y in crowd(4, 50, 60)]
    west = [fight.own(U.MARINE, x, y) for x, y in crowd(7, 18, 10)]
    east = [fight.own(U.MARINE, x, y) for x, y in crowd(6, 78, 10)]
    near = Threat(Point2((50.0, 60.0)), Point2((50.0, 50.0)), frozenset(enemies), 300.0, 0.0, 0)
    (answer,) = defence.answers([near], np.arange(13), fight.field(), CONFIG)
    assert answer.ratio > CONFIG["defend"]["meet"]
    defenders = defence.Defenders()
    tasks = defenders.tasks(answer, REFUGES, fight.loop, fight.field(), CONFIG)
    assert {task.mode for task in tasks.values()} == {Mode.RETREAT}
    assert all(tasks[tag].point[0] < 25 for tag in west + east), "where most of them are"
    late = fight.loop + int(CONFIG["defend"]["longest_gather"] * 22.4) + 10
    tasks = defenders.tasks(answer, REFUGES, late, fight.field(), CONFIG)
    assert {task.mode for task in tasks.values()} == {Mode.FIGHT}, "but the base does not wait for ever"


@pytest.mark.parametrize(("each", "mode"), [(7, Mode.FIGHT), (4, Mode.RETREAT)])
def test_nobody_runs_past_the_enemy_to_gather(fight: Skirmish, each: int, mode: Mode) -> None:
    enemies = [fight.foe(U.ROACH, x, y) for x, y in crowd(4, 50, 30)]
    for side in (8, 88):
        for x, y in crowd(each, side, 30):
            fight.own(U.MARINE, x, y)
    outside = Threat(Point2((50.0, 30.0)), Point2((50.0, 8.0)), frozenset(enemies), 300.0, 0.0, 0)
    (answer,) = defence.answers([outside], np.arange(2 * each), fight.field(), CONFIG)
    tasks = defence.Defenders().tasks(answer, REFUGES, fight.loop, fight.field(), CONFIG)
    assert {task.mode for task in tasks.values()} == {mode}, "from both sides at once, if that wins"
    if mode is Mode.RETREAT:
        assert {task.point[0] < 50 for task in tasks.values()} == {True, False}


def test_together_they_meet_it_and_stay_in_the_fight(fight: Skirmish) -> None:
    enemies = [fight.foe(U.ROACH, x, y) for x, y in crowd(4, 50, 30)]
    tags = [fight.own(U.MARINE, x, y) for x, y in crowd(13, 48, 12)]
    defenders = defence.Defenders()
    outside = Threat(Point2((50.0, 30.0)), Point2((50.0, 8.0)), frozenset(enemies), 300.0, 0.0, 0)
    (answer,) = defence.answers([outside], np.arange(13), fight.field(), CONFIG)
    tasks = defenders.tasks(answer, REFUGES, fight.loop, fight.field(), CONFIG)
    assert {tasks[tag].mode for tag in tags} == {Mode.FIGHT}
    few = defence.Answer(answer.threat, answer.rows[:8], 0.0, answer.foe)
    tasks = defenders.tasks(few, REFUGES, fight.loop, fight.field(), CONFIG)
    assert {task.mode for task in tasks.values()} == {Mode.FIGHT}, "losses on the way do not turn them at once"
    tasks = defence.Defenders().tasks(few, REFUGES, fight.loop, fight.field(), CONFIG)
    assert {task.mode for task in tasks.values()} == {Mode.RETREAT}, "but with so few it would not have begun"


def test_a_few_keep_out_of_the_way_of_many(fight: Skirmish) -> None:
    enemies = [fight.foe(U.ROACH, x, y) for x, y in crowd(9, 50, 30)]
    tags = [fight.own(U.MARINE, x, y) for x, y in crowd(2, 46, 22)]
    (answer,) = defence.answers([threat(fight, enemies)], np.arange(2), fight.field(), CONFIG)
    tasks = defence.Defenders().tasks(answer, REFUGES, fight.loop, fight.field(), CONFIG)
    assert all(tasks[tag].mode is Mode.RETREAT and tasks[tag].point == (50.0, 5.0) for tag in tags)
    tasks = defence.Defenders().tasks(answer, [], fight.loop, fight.field(), CONFIG)
    assert all(tasks[tag].mode is Mode.FIGHT for tag in tags), "there is nowhere else to go"


@pytest.mark.parametrize("roaches", [1, 30])
def test_who_has_not_left_yet_is_called_back_for_what_the_others_do_not_win(roaches: int) -> None:
    scene = Skirmish()
    enemies = [scene.foe(U.ROACH, x, y) for x, y in crowd(roaches, 50, 30)]
    for x, y in crowd(10, 46, 12):
        scene.own(U.MARINE, x, y)
    carrier = scene.own(U.MEDIVAC, 50, 5, cargo_space_max=8)
    soldiers = {scene.own(U.MARINE, x, y) for x, y in crowd(4, 48, 5)}
    army = Army(Guard())
    tags = {carrier, *soldiers}
    army.raids.raids = [Raid("drop", tags, TARGET, TARGET, (50.0, 5.0), 900, Phase.BOARD, 999, soldiers=set(soldiers))]
    knowledge = SimpleNamespace(**vars(scene.knowledge()) | {"threats": (threat(scene, enemies),)})
    army.tasks(knowledge, plan(Stance.DEFEND), scene.field())
    assert army.raids.tags == (tags if roaches == 1 else set())


@pytest.mark.parametrize(("y", "recalled"), [(50, True), (70, False)])
def test_the_attack_comes_back_for_a_base_unless_its_target_is_nearer(y: int, recalled: bool) -> None:
    scene = Skirmish()
    away = {scene.own(U.MARINE, x, y2) for x, y2 in crowd(30, 48, y)}
    enemies = [scene.foe(U.ROACH, x, y) for x, y in crowd(8, 50, 30)]
    army = Army(Guard())
    army.main = Squad(set(away))
    knowledge = SimpleNamespace(**vars(scene.knowledge()) | {"threats": (threat(scene, enemies, 800.0),)})
    tasks = army.tasks(knowledge, plan(Stance.ATTACK), scene.field())
    assert army.main.tags == (set() if recalled else away)
    assert {task.point == TARGET for task in tasks.values()} == {not recalled}


def test_who_is_there_before_the_others_falls_back_on_them(fight: Skirmish) -> None:
    enemies = [fight.foe(U.ROACH, x, y) for x, y in crowd(4, 50, 60)]
    body = [fight.own(U.MARINE, x, y) for x, y in crowd(16, 48, 14)]
    early = [fight.own(U.MARINE, x, 48) for x in (50, 51)]
    near = Threat(Point2((50.0, 60.0)), Point2((50.0, 50.0)), frozenset(enemies), 300.0, 0.0, 0)
    (answer,) = defence.answers([near], np.arange(18), fight.field(), CONFIG)
    tasks = defence.Defenders().tasks(answer, REFUGES, fight.loop, fight.field(), CONFIG)
    assert {tasks[tag].mode for tag in body} == {Mode.FIGHT}
    assert {(tasks[tag].mode, tasks[tag].point[1] < 20) for tag in early} == {(Mode.RETREAT, True)}
