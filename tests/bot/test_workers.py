"""Workers: spread over fields and refineries, moved to new bases, away from danger, back to work afterwards."""

from __future__ import annotations

import dataclasses
from collections import Counter

from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import Knowledge, Threat
from bot.macro.militia import Militia, Scout, scouting_way
from bot.macro.mining import before_field
from bot.macro.repair import RepairCrew
from bot.macro.workers import Workers
from bot.orders import Attack, Gather, Move, Order, Repair, Return
from bot.strategy.plan import Plan, Stance
from tests.bot.own import ENEMY_START, START, fake_bot, flat_terrain, make_knowledge, ring, structure, unit

T = UnitTypeId
NATURAL = Point2((62.5, 34.5))
BOT = fake_bot()


def scvs(count: int, first: int = 100, at: Point2 = START, **fields: object) -> list[Unit]:
    return [unit(T.SCV, at.x + 3 + 0.1 * i, at.y + 3, first + i, BOT, **fields) for i in range(count)]


def moment(units: list[Unit], **fields: object) -> Knowledge:
    return make_knowledge(units, bot=BOT, terrain=flat_terrain(), **fields)


def hall(tag: int = 1, at: Point2 = START, **fields: object) -> Unit:
    return structure(T.COMMANDCENTER, at.x, at.y, tag, BOT, **fields)


def targets(orders: list[Order]) -> Counter:
    return Counter(order.target for order in orders if isinstance(order, Gather))


def plan(**fields: object) -> Plan:
    return Plan(stance=Stance.DEFEND, rally=START, target=None, **fields)


def test_twelve_workers_cover_eight_fields() -> None:
    orders = Workers().step(moment([hall(), *scvs(12)]), 0, set())
    load = targets(orders)
    assert sum(load.values()) == 12
    assert len(load) == 8
    assert max(load.values()) == 2


def test_refineries_get_three_and_no_more() -> None:
    _, geysers = ring(START)
    refinery = structure(T.REFINERY, *geysers[0], 50, BOT, vespene_contents=2000)
    workers = Workers()
    knowledge = moment([hall(), refinery, *scvs(14)])
    workers.step(knowledge, 0, set())
    load = targets(workers.step(knowledge, 3, set()))
    assert load[50] == 3
    assert sum(load.values()) == 14
    assert targets(workers.step(knowledge, 1, set()))[50] == 1


def test_who_is_inside_a_refinery_keeps_the_post() -> None:
    _, geysers = ring(START)
    refinery = structure(T.REFINERY, *geysers[0], 50, BOT, vespene_contents=2000)
    workers = Workers()
    everyone = scvs(14)
    load = workers.step(moment([hall(), refinery, *everyone]), 3, set())
    inside = next(order.tag for order in load if order.target == 50)
    others = [worker for worker in everyone if worker.tag != inside]
    assert targets(workers.step(moment([hall(), refinery, *others], loop=20), 3, set()))[50] == 2
    again = workers.step(moment([hall(), refinery, *everyone], loop=40), 3, set())
    assert {order.tag for order in again if order.target == 50} == {o.tag for o in load if o.target == 50}
    assert targets(workers.step(moment([hall(), refinery, *others], loop=60), 3, set()))[50] == 2
    assert targets(workers.step(moment([hall(), refinery, *others], loop=200), 3, set()))[50] == 3, "it is dead"


def test_who_is_no_longer_wanted_on_gas_mines_minerals() -> None:
    _, geysers = ring(START)
    refinery = structure(T.REFINERY, *geysers[0], 50, BOT, vespene_contents=2000)
    workers = Workers()
    on_gas = {o.tag for o in workers.step(moment([hall(), refinery, *scvs(6)]), 3, set()) if o.target == 50}
    gather = AbilityId.HARVEST_GATHER_SCV.value
    busy = [
        unit(T.SCV, w.position.x, w.position.y, w.tag, BOT, orders=[(gather, 50)] if w.tag in on_gas else [])
        for w in scvs(6)
    ]
    orders = workers.step(moment([hall(), refinery, *busy]), 0, set())
    assert on_gas == {o.tag for o in orders if o.tag in on_gas and o.target != 50}


def test_an_empty_or_unfinished_refinery_gets_nobody() -> None:
    _, geysers = ring(START)
    for fields in ({"vespene_contents": 0}, {"vespene_contents": 2000, "build_progress": 0.5}):
        refinery = structure(T.REFINERY, *geysers[0], 50, BOT, **fields)
        assert 50 not in targets(Workers().step(moment([hall(), refinery, *scvs(12)]), 3, set()))


def test_a_new_base_draws_the_surplus_and_only_it() -> None:
    workers = Workers()
    workers.step(moment([hall(), *scvs(24)]), 0, set())
    both = moment([hall(), hall(2, NATURAL), *scvs(24)])
    for _ in range(8):
        orders = workers.step(both, 0, set())
    load = targets(orders)
    main, natural = (sum(load[f.tag] for f in base.minerals) for base in both.bases)
    assert (main, natural) == (16, 8)
    assert max(load.values()) == 2


def test_busy_workers_are_left_alone() -> None:
    orders = Workers().step(moment([hall(), *scvs(12)]), 0, {100, 101})
    assert {order.tag for order in orders}.isdisjoint({100, 101})


def test_who_obeys_gets_no_order_and_who_carries_goes_home_first() -> None:
    workers = Workers()
    knowledge = moment([hall(), *scvs(1)])
    field = workers.step(knowledge, 0, set())[0].target
    gather = AbilityId.HARVEST_GATHER_SCV.value
    assert workers.step(moment([hall(), *scvs(1, orders=[(gather, field)])]), 0, set()) == []
    loaded = workers.step(moment([hall(), *scvs(1, buff_ids=[271])]), 0, set())
    assert loaded == [Return(100), Gather(100, field, queue=True)]


GATHER, RETURN, MOVE = (
    ability.value for ability in (AbilityId.HARVEST_GATHER_SCV, AbilityId.HARVEST_RETURN_SCV, AbilityId.MOVE_MOVE)
)


def miner(workers: Workers) -> tuple[Unit, Point2]:
    """(the field that the SCV 100 has been given, the point before it)."""
    target = workers.step(moment([hall(), *scvs(1)]), 0, set())[0].target
    fields = moment([hall()]).bases[0].minerals
    field = next(f for f in fields if f.tag == target)
    return field, before_field(field.position, START, [f.position for f in fields if f is not field], 1.325)


def test_miners_are_sent_right_before_their_field_and_their_town_hall() -> None:
    workers = Workers()
    field, point = miner(workers)

    def orders(at: Point2, *given: tuple, **fields: object) -> list[Order]:
        seen = moment([hall(), unit(T.SCV, *at, 100, BOT, orders=given, **fields)])
        return workers.step(seen, 0, set()) + workers.steer(seen, set())

    near = point.towards(START, 1.5)
    assert orders(near, (GATHER, field.tag)) == [Move(100, point), Gather(100, field.tag, queue=True)]
    assert orders(near, (MOVE, point), (GATHER, field.tag)) == [], "it is on the way"
    assert orders(point.towards(START, 2.5), (GATHER, field.tag)) == [], "too far to tell"
    assert orders(point, (GATHER, field.tag)) == [], "it mines"
    home = START.towards(point, 3.125)
    away = START.towards(point, 4.5)
    move, deliver = orders(away, (RETURN, 1), buff_ids=[271])
    assert Point2(move.target).distance_to(home) < 0.01
    assert deliver == Return(100, queue=True)
    assert orders(away, (MOVE, home), (RETURN, 1), buff_ids=[271]) == []


def test_who_finds_its_field_busy_is_sent_back_to_it() -> None:
    workers = Workers()
    field, point = miner(workers)
    other = next(f for f in moment([hall()]).bases[0].minerals if f.tag != field.tag)

    def orders(at: Point2) -> list[Order]:
        seen = moment([hall(), unit(T.SCV, *at, 100, BOT, orders=[(GATHER, other.tag)])])
        return workers.step(seen, 0, set()) + workers.steer(seen, set())

    assert orders(point.towards(other.position, 0.3)) == [Gather(100, field.tag)]
    assert orders(other.position.towards(field.position, -1.2)) == [], "it mines there already"


def test_the_point_before_a_field_keeps_off_the_others() -> None:
    hall_at, field, other = Point2((0.5, 7.0)), Point2((0.0, 0.0)), Point2((1.0, 1.0))
    point = before_field(field, hall_at, [other], 1.325)
    assert abs(point.distance_to(field) - 1.325) < 0.01
    assert point.distance_to(other) >= 1.325
    assert point.distance_to(Point2((-0.29, 1.29))) < 0.1, "where bots of the ladder go"
    assert before_field(field, hall_at, [], 1.325).distance_to(field.towards(hall_at, 1.325)) < 0.01


def attackers(at: Point2, value: float, workers: int = 0) -> Threat:
    return Threat(at, at, frozenset({900}), value, 0.0, workers)


def test_workers_leave_a_base_under_attack_and_stay_while_it_is_guarded() -> None:
    spot = NATURAL.towards(Point2((NATURAL.x - 6, NATURAL.y)), 3.0)
    units = [hall(), hall(2, NATURAL), *scvs(4), *scvs(8, first=200, at=NATURAL)]
    calm = moment(units)
    natural = {f.tag for f in calm.bases[1].minerals}
    workers = Workers()
    assert natural & set(targets(workers.step(calm, 0, set())))
    attacked = dataclasses.replace(calm, threats=(attackers(spot, 400.0),))
    assert not natural & set(targets(workers.step(attacked, 0, set())))
    guards = [unit(T.MARINE, spot.x, spot.y, 500 + i, BOT) for i in range(10)]
    guarded = moment([*units, *guards], threats=(attackers(spot, 400.0),))
    assert natural & set(targets(Workers().step(guarded, 0, set())))


def test_the_last_base_is_never_left() -> None:
    knowledge = moment([hall(), *scvs(6)], threats=(attackers(START, 1000.0),))
    assert sum(targets(Workers().step(knowledge, 0, set())).values()) == 6


def test_as_many_scvs_fight_as_the_plan_pulls_and_the_wounded_go_back() -> None:
    enemy = unit(T.ZERGLING, START.x + 5, START.y + 5, 900, BOT, alliance=4)
    threat = attackers(Point2((START.x + 5, START.y + 5)), 100.0)
    workers = [*scvs(8), unit(T.SCV, START.x + 4, START.y + 4, 300, BOT, health=5.0)]
    knowledge = moment([hall(), *workers], enemies=[enemy], threats=(threat,))
    militia = Militia()
    orders = militia.step(knowledge, plan(pull_workers=4), workers)
    assert len(orders) == 4
    assert all(isinstance(order, Attack) for order in orders)
    assert 300 not in militia.tags
    assert militia.step(knowledge, plan(pull_workers=2), workers)
    assert len(militia.tags) == 2
    assert militia.step(moment([hall(), *workers]), plan(pull_workers=4), workers) == []
    assert not militia.tags


def test_one_scout_goes_once_and_comes_home_when_hurt() -> None:
    workers = scvs(3)
    knowledge = moment([hall(), *workers])
    scout = Scout()
    assert scout.step(knowledge, plan(), workers) == []
    first = scout.step(knowledge, plan(scout=True), workers)
    assert len(first) == 1
    assert Point2(first[0].target).distance_to(ENEMY_START) < 60
    hurt = [unit(T.SCV, 50, 50, w.tag, BOT, health=10.0) for w in workers]
    assert scout.step(moment([hall(), *hurt]), plan(scout=True), hurt) == []
    assert scout.tag is None
    assert scout.step(knowledge, plan(scout=True), workers) == [], "it was sent before"


def test_the_scout_goes_round_again_while_the_plan_asks() -> None:
    workers = scvs(1)
    scout = Scout()
    scout.step(moment([hall(), *workers]), plan(scout=True), workers)
    way = scouting_way(moment([hall()]))
    for again, rounds in ((True, 2), (False, 1)):
        for point in way * rounds:
            there = [unit(T.SCV, *point, workers[0].tag, BOT)]
            orders = scout.step(moment([hall(), *there]), plan(scout=True, scout_again=again), there)
            assert again or point is way[-1] or orders
        assert (scout.tag is not None) is again
        assert len(orders) == again


def test_a_bunker_is_repaired_from_afar_and_other_structures_are_not() -> None:
    workers = scvs(4)
    far = START.offset((45.0, 0.0))
    for kind, menders in ((T.BUNKER, 4), (T.BARRACKS, 0)):
        broken = structure(kind, *far, 60, BOT, health=100.0)
        assert len(RepairCrew().step(moment([hall(), broken, *workers]), workers)) == menders


def test_repair_takes_what_is_near_and_stops_when_whole() -> None:
    broken = structure(T.BARRACKS, 40.5, 40.5, 60, BOT, health=200.0)
    workers = scvs(4)
    crew = RepairCrew()
    orders = crew.step(moment([hall(), broken, *workers]), workers)
    assert orders
    assert {order.target for order in orders} == {60}
    assert all(isinstance(order, Repair) for order in orders)
    whole = structure(T.BARRACKS, 40.5, 40.5, 60, BOT)
    assert crew.step(moment([hall(), whole, *workers]), workers) == []


def test_machines_are_mended_where_the_army_waits() -> None:
    workers = scvs(4)
    furthest = load("strategy")["rally"]["furthest"]
    for away, mended in ((furthest, True), (furthest + 10.0, False)):
        tank = unit(T.SIEGETANK, START.x + away, START.y, 70, BOT, health=50.0, health_max=175.0)
        assert bool(RepairCrew().step(moment([hall(), tank, *workers]), workers)) is mended
