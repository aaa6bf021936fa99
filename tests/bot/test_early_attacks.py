"""Early attacks: noticed by what was seen or not seen, answered by bunkers and workers."""

from __future__ import annotations

import dataclasses

import pytest
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2

from bot.config import load
from bot.knowledge.model import Knowledge, Threat
from bot.knowledge.terrain import Site, Terrain
from bot.strategy.decide import Strategy
from bot.strategy.opponent import OneBaseWatch, RushWatch, army_value, defences_wanted
from tests.bot.own import ENEMY_START, START, flat_terrain, make_knowledge, ring, structure, unit
from tests.bot.sighted import loops, marines, moment, seen

T = UnitTypeId
CONFIG = load("strategy")


@pytest.mark.parametrize(
    ("enemies", "seconds", "rushed"),
    [
        ({}, 60, False),
        (seen(T.SPAWNINGPOOL, 1, loop=loops(50), progress=0.9), 60, True),
        (seen(T.SPAWNINGPOOL, 1, loop=loops(60), progress=0.2), 60, False),
        (seen(T.ZERGLING, 8), 120, True),
        (seen(T.ZERGLING, 2), 120, False),
        (seen(T.ZERGLING, 30), 400, False),
    ],
)
def test_early_attacks_are_noticed_by_what_was_seen(enemies: dict, seconds: float, rushed: bool) -> None:
    assert RushWatch(CONFIG["rush"]).update(moment(0, enemies, seconds=seconds))[0] is rushed


def test_the_alarm_ends_when_it_stays_calm() -> None:
    watch = RushWatch(CONFIG["rush"])
    threat = Threat(START, START, frozenset({900}), 800.0, 0.0, 0)
    assert watch.update(moment(2, seconds=100)) == (False, "")
    assert watch.update(moment(2, seconds=150, threats=(threat,)))[0]
    assert watch.update(moment(2, seconds=160))[0]
    assert not watch.update(moment(2, seconds=160 + CONFIG["rush"]["calm"]))[0]


def with_enemy_natural() -> Terrain:
    """The flat ground with a site for the enemy's second base."""
    terrain, place = flat_terrain(), Point2((90.5, 70.5))
    site = Site(place, *ring(place), terrain.from_start.to(place), terrain.from_enemy.to(place))
    return dataclasses.replace(terrain, sites=(*terrain.sites, site))


FACED = with_enemy_natural()
NATURAL = FACED.enemy_natural.position


def early(seconds: float, *points: Point2, **fields: object) -> Knowledge:
    """A moment with twenty Marines and these places in sight."""
    knowledge = moment(20, seconds=seconds, terrain=FACED, **fields)
    visibility = knowledge.visibility.copy()
    for point in points:
        visibility[int(point.y), int(point.x)] = 2
    return dataclasses.replace(knowledge, visibility=visibility)


def test_an_enemy_without_a_second_base_is_expected_to_attack_early() -> None:
    late = CONFIG["one_base"]["natural_by"]["Zerg"] + 30
    expected = [
        (early(60, NATURAL), False, "too early to say"),
        (early(late, ENEMY_START), False, "only its main was seen"),
        (early(late, NATURAL), True, "the place is empty"),
        (early(late + 20), True, "once seen it is remembered"),
        (early(CONFIG["one_base"]["until"] + 1), False, "no danger any more"),
    ]
    watch = OneBaseWatch(CONFIG["one_base"])
    for knowledge, alone, why in expected:
        assert watch.update(knowledge)[0] is alone, why
    assert watch.settled


def test_a_second_base_settles_the_question() -> None:
    late = CONFIG["one_base"]["natural_by"]["Zerg"] + 30
    watch = OneBaseWatch(CONFIG["one_base"])
    assert watch.update(early(late, NATURAL))[0]
    two = dataclasses.replace(early(late).enemy, bases=(ENEMY_START, NATURAL))
    found = watch.update(dataclasses.replace(early(late + 20), enemy=two))
    assert found == (False, "the enemy has taken a second base")
    assert not watch.update(early(late + 30, NATURAL))[0]


def test_one_base_means_bunkers_and_no_third_base() -> None:
    plan = Strategy().decide(early(300, NATURAL))
    assert plan.one_base
    assert not plan.rushed
    assert plan.bases == 2
    assert "no third base against an enemy on one" in plan.reasons
    assert "no third base against an enemy on one" not in Strategy().decide(early(300)).reasons
    assert plan.structures[T.BUNKER] == CONFIG["defences"]["rush_bunkers"]
    assert not plan.scout_again
    assert any("one base" in reason for reason in plan.reasons)


def test_workers_are_pulled_only_against_what_the_army_cannot_hold() -> None:
    watch = RushWatch(CONFIG["rush"])
    workers = [unit(T.SCV, 30, 30, 500 + i) for i in range(16)]

    def pulled(count: int, threat: Threat) -> int:
        units = [structure(T.COMMANDCENTER, *START, 1), *workers, *marines(count)]
        return watch.workers_to_pull(make_knowledge(units, loop=loops(150), threats=(threat,)))

    lings = Threat(START, START, frozenset(range(900, 908)), 200.0, 0.0, 0)
    assert 8 <= pulled(0, lings) <= 14
    assert pulled(6, lings) == 0
    assert pulled(0, Threat(START, START, frozenset({900}), 50.0, 0.0, 1)) == 0, "one scout"
    assert pulled(0, Threat(START, START, frozenset({900}), 0.0, 200.0, 0)) == 0, "SCVs cannot hit flyers"


def test_bunkers_count_in_our_army_and_where_they_reach() -> None:
    bunker = structure(T.BUNKER, *START.offset((8, 0)), 2, cargo_space_taken=2)
    assert army_value(make_knowledge([bunker, *marines(1)])) == 50 + 100 + 2 * 50
    rising = structure(T.BUNKER, *START, 2, build_progress=0.5)
    assert army_value(make_knowledge([rising])) == 0
    watch = RushWatch(CONFIG["rush"])
    workers = [unit(T.SCV, 30, 30, 500 + i) for i in range(16)]
    pulled = []
    for away in (8, 40):
        threat = Threat(START.offset((away, 0)), START, frozenset(range(900, 906)), 150.0, 0.0, 0)
        knowledge = make_knowledge([bunker, *workers], loop=loops(150), threats=(threat,))
        pulled.append(watch.workers_to_pull(knowledge))
    assert pulled[0] == 0
    assert pulled[1] == 3, "of the bunker far away only the soldiers count"


@pytest.mark.parametrize(
    ("threat", "pulled"),
    [
        (Threat(START, START, frozenset(range(900, 906)), 300.0, 0.0, 6), 12),
        (Threat(START, START, frozenset({900, 901}), 200.0, 0.0, 0), 0),
        (Threat(START, START, frozenset(range(900, 940)), 1000.0, 0.0, 0), 14),
    ],
)
def test_two_scvs_answer_each_worker_and_none_go_to_die(threat: Threat, pulled: int) -> None:
    """Roaches only kill them; and two SCVs are left to mine whoever comes."""
    workers = [unit(T.SCV, 30, 30, 500 + i) for i in range(16)]
    for seconds, expected in ((150, pulled), (CONFIG["rush"]["until"] + 1, 0)):
        knowledge = make_knowledge(workers, loop=loops(seconds), threats=(threat,))
        assert RushWatch(CONFIG["rush"]).workers_to_pull(knowledge) == expected


def test_turrets_come_with_what_flies_or_hides_or_late() -> None:
    rules = CONFIG["defences"]
    for seconds, known, bunkers, turrets in (
        (60, {}, rules["bunkers"], None),
        (rules["bunkers_until"] + 1, {"has_air": True}, None, rules["turrets_if_needed"]),
        (rules["bunkers_until"] + 1, {"has_cloak": True}, None, rules["turrets_if_needed"]),
        (rules["turrets_from"] + 1, {}, None, 1),
    ):
        knowledge = moment(0, seconds=seconds)
        knowledge = dataclasses.replace(knowledge, enemy=dataclasses.replace(knowledge.enemy, **known))
        wanted = defences_wanted(knowledge, False, False, rules)
        assert (wanted.get(T.BUNKER), wanted.get(T.MISSILETURRET)) == (bunkers, turrets)
        assert defences_wanted(knowledge, True, False, rules)[T.BUNKER] == rules["rush_bunkers"]
