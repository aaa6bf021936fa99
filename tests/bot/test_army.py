"""Groups and missions, without a game."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.position import Point2

from bot.army import defence, missions, predict, search
from bot.army.squad import Squad, contacts, judge, middle, rows_of
from bot.army.step import Army
from bot.config import load
from bot.guard import Guard
from bot.knowledge.model import Threat
from bot.micro.task import Mode
from bot.orders import Attack, Move
from bot.strategy.plan import Plan, Stance
from tests.bot.skirmish import Skirmish, crowd

CONFIG = load("army")
RALLY = Point2((50.0, 10.0))
TARGET = Point2((50.0, 95.0))


@pytest.fixture
def fight() -> Skirmish:
    return Skirmish()


def squad_of(scene: Skirmish, count: int, y: float) -> Squad:
    return Squad({scene.own(U.MARINE, x, y2) for x, y2 in crowd(count, 48, y)})


def test_a_squad_leaves_lost_fights_and_does_not_dance(fight: Skirmish) -> None:
    squad = squad_of(fight, 6, 40)
    for x, y in crowd(8, 48, 50):
        fight.foe(U.ROACH, x, y)
    judge(squad, fight.knowledge(), fight.field(), CONFIG)
    assert squad.retreating
    assert squad.ratio < CONFIG["engage"]["leave"]
    for x, y in crowd(40, 48, 40):
        squad.tags.add(fight.own(U.MARINE, x, y))
    fight.loop += 10
    judge(squad, fight.knowledge(), fight.field(), CONFIG)
    assert squad.retreating, "a decision lasts a while"
    fight.loop += 200
    judge(squad, fight.knowledge(), fight.field(), CONFIG)
    assert not squad.retreating, "but not for ever"


def test_a_squad_that_meets_nobody_is_sure_to_win(fight: Skirmish) -> None:
    squad = squad_of(fight, 6, 40)
    squad.ratio = 0.5
    judge(squad, fight.knowledge(), fight.field(), CONFIG)
    assert squad.ratio == predict.CERTAIN_WIN


def test_between_the_thresholds_nothing_turns(fight: Skirmish) -> None:
    between = (CONFIG["engage"]["leave"] + CONFIG["engage"]["fight"]) / 2
    squad = squad_of(fight, 10, 40)
    for x, y in crowd(10, 48, 50):
        fight.foe(U.MARINE, x, y, health=45 * 0.9 / between**2)
    for before in (True, False):
        squad.retreating, squad.since = before, -10_000
        judge(squad, fight.knowledge(), fight.field(), CONFIG)
        assert CONFIG["engage"]["leave"] < squad.ratio < CONFIG["engage"]["fight"]
        assert squad.retreating is before


def test_only_enemies_near_the_squad_count(fight: Skirmish) -> None:
    squad = squad_of(fight, 4, 20)
    fight.foe(U.ROACH, 50, 90)
    near = fight.foe(U.ROACH, 50, 30)
    found = contacts(rows_of(squad, fight.field()), fight.knowledge(), fight.field(), CONFIG["engage"])
    assert [sighting.tag for sighting in found] == [near]


def test_the_middle_is_a_place_where_someone_stands(fight: Skirmish) -> None:
    squad = Squad({fight.own(U.MARINE, x, 20) for x in (10, 11, 80, 81, 82)} | {fight.own(U.MEDIVAC, 5, 5)})
    assert middle(fight.field(), rows_of(squad, fight.field())) in {(80.0, 20.0), (81.0, 20.0), (82.0, 20.0)}
    assert middle(fight.field(), rows_of(Squad(), fight.field())) is None


def test_units_far_ahead_wait_for_the_others(fight: Skirmish) -> None:
    squad = squad_of(fight, 9, 40)
    runner = fight.own(U.MARINE, 50, 60)
    squad.tags.add(runner)
    tasks = missions.attack(squad, TARGET, RALLY, fight.knowledge(), fight.field(), CONFIG)
    assert tasks[runner].point[1] < 45
    assert all(task.point == TARGET for tag, task in tasks.items() if tag != runner)


def threat(scene: Skirmish, tags: list[int], ground: float = 75.0) -> Threat:
    return Threat(Point2((50.0, 30.0)), Point2((50.0, 20.0)), frozenset(tags), ground, 0.0, 0)


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


@pytest.mark.parametrize(("threat", "point"), [((53.0, 24.0), (53.0, 24.0)), ((80.0, 60.0), (65.6, 40.8))])
def test_defenders_follow_no_further_than_their_leash(threat: tuple, point: tuple) -> None:
    task = missions.defend([1], threat, (50.0, 20.0), (50.0, 15.0), CONFIG["defend"]["leash"])[1]
    assert task.point == pytest.approx(point)
    assert (task.mode, task.home, task.middle) == (Mode.FIGHT, (50.0, 20.0), (50.0, 15.0))


def test_search_looks_everywhere_and_first_where_nobody_was(fight: Skirmish) -> None:
    knowledge = fight.knowledge()
    knowledge.visibility[:50, :] = 0
    found = search.places(knowledge, 9)
    assert len(found) > 100
    seen = [int(knowledge.visibility[int(y), int(x)]) for x, y in found]
    assert seen == sorted(seen)
    assert {(1.0, 1.0), (98.0, 98.0)} <= set(found), "lifted buildings like corners"


def test_hunters_spread_and_keep_their_places(fight: Skirmish) -> None:
    tags = [fight.own(U.MARINE, 50, 50 + k) for k in range(6)]
    viking = fight.own(U.VIKINGFIGHTER, 50, 50)
    fight.walkable[:, 80:] = False
    places = [(10.0, 10.0), (20.0, 80.0), (90.0, 90.0), (70.0, 20.0)]
    knowledge, field = fight.knowledge(), fight.field()
    tasks = missions.hunt([*tags, viking], places, RALLY, {}, knowledge, field)
    assert tasks[viking].point == (90.0, 90.0), "only flyers get there"
    assert {tasks[tag].point for tag in tags} == {(10.0, 10.0), (20.0, 80.0), (70.0, 20.0)}
    before = {tag: task.point for tag, task in tasks.items()}
    assert missions.hunt([*tags, viking], places, RALLY, before, knowledge, field) == tasks
    only_air = missions.hunt([*tags, viking], places[2:3], RALLY, {}, knowledge, field)
    assert only_air.keys() == {viking}, "walkers stay where they are"


def plan(stance: Stance) -> Plan:
    return Plan(stance=stance, rally=RALLY, target=TARGET)


def test_the_whole_army_attacks_retreats_and_gathers_again() -> None:
    scene = Skirmish()
    tags = [scene.own(U.MARINE, x, y) for x, y in crowd(12, 48, 8)]
    army = Army(Guard())
    orders = {order.tag: order for order in army.step(scene.knowledge(), plan(Stance.DEFEND))}
    assert not any(isinstance(order, Attack) and order.target == TARGET for order in orders.values())
    orders = {order.tag: order for order in army.step(scene.knowledge(), plan(Stance.ATTACK))}
    assert {order.target for order in orders.values()} == {TARGET}
    assert set(orders) == set(tags)

    front = Skirmish()
    for x, y in crowd(12, 48, 60):
        front.own(U.MARINE, x, y)
    for x, y in crowd(25, 46, 68):
        front.foe(U.ROACH, x, y)
    orders = {order.tag: order for order in army.step(front.knowledge(), plan(Stance.ATTACK))}
    assert all(isinstance(order, Move) and order.target == RALLY for order in orders.values()), "roaches are slower"

    home = Skirmish()
    for x, y in crowd(12, 48, 8):
        home.own(U.MARINE, x, y)
    army.step(home.knowledge(), plan(Stance.ATTACK))
    assert army.main.tags == set(), "at home the squad is part of the defenders again"


def test_an_attack_that_is_called_off_goes_home_even_from_a_winning_fight() -> None:
    scene = Skirmish()
    army = Army(Guard())
    army.main = Squad({scene.own(U.MARINE, x, y) for x, y in crowd(20, 48, 60)})
    scene.foe(U.ROACH, 50, 72)
    for _ in range(3):
        scene.loop += 200
        orders = army.step(scene.knowledge(), plan(Stance.DEFEND))
        assert all(isinstance(order, Move) and order.target == RALLY for order in orders)
        assert len(orders) == 20


def test_an_attack_that_is_called_off_at_home_is_over() -> None:
    scene, army = Skirmish(), Army(Guard())
    tags = {scene.own(U.MARINE, x, y) for x, y in crowd(6, 48, 12)}
    army.main, army.waves = Squad(set(tags)), [Squad({scene.own(U.MARINE, 50, 60)})]
    tasks = army.tasks(scene.knowledge(), plan(Stance.DEFEND), scene.field())
    assert not army.main.tags
    assert {tasks[tag].mode for tag in tags} == {Mode.HOLD}
    (wave,) = army.waves
    assert wave.retreating, "who is out comes home"


def test_reinforcements_go_in_groups() -> None:
    scene = Skirmish()
    army = Army(Guard())
    for x, y in crowd(20, 48, 60):
        scene.own(U.MARINE, x, y)
    army.main = Squad(set(range(1, 21)))
    for k in range(CONFIG["squad"]["wave_units"] - 1):
        scene.own(U.MARINE, 48 + k, 10)
    army.step(scene.knowledge(), plan(Stance.ATTACK))
    assert army.waves == []
    last = scene.own(U.MARINE, 54, 10)
    orders = {order.tag: order for order in army.step(scene.knowledge(), plan(Stance.ATTACK))}
    (wave,) = army.waves
    assert len(wave.tags) == CONFIG["squad"]["wave_units"]
    assert orders[last].target[1] > 55, "to the army, not past it"


def test_in_a_hunt_everyone_takes_part() -> None:
    scene = Skirmish()
    tags = [scene.own(U.MARINE, x, y) for x, y in crowd(9, 48, 50)]
    army = Army(Guard())
    army.main, army.waves = Squad(set(tags[:3])), [Squad(set(tags[3:6]))]
    tasks = army.tasks(scene.knowledge(), plan(Stance.HUNT), scene.field())
    assert set(tasks) == set(tags)
    assert all(task.mode is Mode.FIGHT for task in tasks.values())
    assert len({task.point for task in tasks.values()}) == len(tags), "each looks somewhere else"


def test_a_hunt_razes_what_is_known_first() -> None:
    scene = Skirmish()
    tags = [scene.own(U.MARINE, x, y) for x, y in crowd(12, 48, 50)]
    scene.foe(U.HATCHERY, 80, 80)
    tasks = Army(Guard()).tasks(scene.knowledge(), plan(Stance.HUNT), scene.field())
    assert sum(tasks[tag].point == (80.0, 80.0) for tag in tags) == CONFIG["hunt"]["each"]


def test_what_nobody_can_walk_to_is_razed_by_who_flies() -> None:
    scene = Skirmish()
    tags = [scene.own(U.MARINE, x, y) for x, y in crowd(4, 48, 50)]
    medivac, viking = scene.own(U.MEDIVAC, 75, 75), scene.own(U.VIKINGFIGHTER, 20, 20)
    scene.walkable[60:, 60:] = False
    sent = missions.raze([*tags, medivac, viking], [(90.0, 90.0)], (50.0, 10.0), scene.knowledge(), scene.field(), 8)
    assert sent.keys() == {viking}
    near = missions.raze(tags, [(62.0, 80.0)], (50.0, 10.0), scene.knowledge(), scene.field(), 8)
    assert near.keys() == set(tags), "in range from where they can stand"
    scene.walkable[:, :40] = False
    for x, reached in ((36.5, True), (35.5, False)):
        assert missions.near_ways((x, 50.0), scene.knowledge()) is reached


def test_a_broken_mission_leaves_everyone_on_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Skirmish()
    marine = scene.own(U.MARINE, 50, 50)
    guard = Guard()
    army = Army(guard)

    def fail(*_: object) -> None:
        raise RuntimeError("mission")

    monkeypatch.setattr(army, "tasks", fail)
    assert army.step(scene.knowledge(), plan(Stance.ATTACK)) == [Attack(marine, (RALLY.x, RALLY.y))]
    assert sum(guard.errors.values()) == 1


def test_home_is_defended_while_the_army_is_away() -> None:
    scene = Skirmish()
    away = {scene.own(U.MARINE, x, y) for x, y in crowd(20, 48, 80)}
    home = [scene.own(U.MARINE, x, y) for x, y in crowd(4, 48, 10)]
    zergling = scene.foe(U.ZERGLING, 50, 22)
    army = Army(Guard())
    army.main = Squad(set(away))
    knowledge = SimpleNamespace(**vars(scene.knowledge()) | {"threats": (threat(scene, [zergling], 25.0),)})
    tasks = army.tasks(knowledge, plan(Stance.ATTACK), scene.field())
    assert all(tasks[tag].point == TARGET for tag in away)
    assert any(tasks[tag].mode is Mode.FIGHT for tag in home)


@pytest.mark.parametrize("attacked", [False, True])
def test_no_raid_starts_while_home_is_attacked(attacked: bool) -> None:
    scene, army, calm = Skirmish(), Army(Guard()), []
    scene.own(U.MARINE, 50, 10)
    zergling = scene.foe(U.ZERGLING, 50, 22)
    army.raids.step = lambda *_, **given: calm.append(given["calm"]) or {}
    threats = (threat(scene, [zergling], 25.0),) if attacked else ()
    army.tasks(SimpleNamespace(**vars(scene.knowledge()) | {"threats": threats}), plan(Stance.ATTACK), scene.field())
    assert calm == [not attacked]


@pytest.mark.parametrize(
    ("roaches", "ratio", "recalled"), [(9, predict.CERTAIN_WIN, True), (9, 2.0, False), (1, predict.CERTAIN_WIN, False)]
)
def test_a_march_turns_round_for_a_home_that_is_about_to_fall(roaches: int, ratio: float, recalled: bool) -> None:
    """But not an army in a fight, nor for what a few at home can answer."""
    scene, army = Skirmish(), Army(Guard())
    army.main = Squad({scene.own(U.MARINE, x, y) for x, y in crowd(20, 48, 80)}, ratio=ratio)
    scene.own(U.MARINE, 50, 20)
    tags = [scene.foe(U.ROACH, x, y) for x, y in crowd(roaches, 50, 30)]
    knowledge = SimpleNamespace(**vars(scene.knowledge()) | {"threats": (threat(scene, tags, 100.0 * roaches),)})
    answers = defence.answers(knowledge.threats, army._home_rows(scene.field()), scene.field(), CONFIG)
    army._recall(answers, knowledge, plan(Stance.ATTACK))
    assert army.main.retreating is recalled
    army.main.retreating = False
    army._recall(answers, knowledge, plan(Stance.HUNT))
    assert not army.main.retreating, "the last structure decides the game"


def test_transports_without_a_mission_let_their_passengers_out(fight: Skirmish) -> None:
    left = fight.own(U.MEDIVAC, 50, 50, cargo_space_taken=8, cargo_space_max=8)
    raiding = fight.own(U.MEDIVAC, 60, 50, cargo_space_taken=8, cargo_space_max=8)
    fight.own(U.MEDIVAC, 40, 50, cargo_space_max=8)
    tasks = missions.set_down(fight.field(), {raiding}, (50.0, 10.0))
    assert tasks.keys() == {left}
    assert tasks[left].point == (50.0, 50.0)
    assert fight.only(left, tasks[left]).cast.name == "UNLOADALLAT_MEDIVAC"
    fight.walkable[:] = False
    assert missions.set_down(fight.field(), {raiding}, (50.0, 10.0))[left].point == (50.0, 10.0)
