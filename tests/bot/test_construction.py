"""Construction: a place, a builder, the money, the foundation; and what happens when one of them is missing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.knowledge.model import Knowledge, Threat
from bot.macro.bank import Bank
from bot.macro.construction import Construction
from bot.macro.placement import Placement
from bot.macro.unfinished import Unfinished
from bot.orders import Build, Cancel, Move, Order, Smart, Stop
from tests.bot.own import START, fake_bot, flat_terrain, make_knowledge, structure, unit

T = UnitTypeId
TERRAIN = flat_terrain()
BUILD_DEPOT = AbilityId.TERRANBUILD_SUPPLYDEPOT.value


class Client:
    """Refuses the places in `closed`."""

    def __init__(self) -> None:
        self.closed: set[Point2] = set()
        self.game_step = 4

    async def _query_building_placement_fast(self, _: Any, places: list[Point2], **__: Any) -> list[bool]:
        return [place not in self.closed for place in places]


CLIENT = Client()
BOT = fake_bot(client=CLIENT)


def moment(workers: list[Unit], *others: Unit, loop: int = 0, minerals: int = 500, **fields: Any) -> Knowledge:
    hall = structure(T.COMMANDCENTER, *START, 1, BOT)
    return make_knowledge(
        [hall, *workers, *others], bot=BOT, terrain=TERRAIN, loop=loop, minerals=minerals, gas=200, **fields
    )


def scv(tag: int = 100, at: tuple[float, float] = (34.0, 34.0), **fields: Any) -> Unit:
    return unit(T.SCV, *at, tag, BOT, **fields)


def step(construction: Construction, knowledge: Knowledge, income: float = 0.5) -> list[Order]:
    return asyncio.run(construction.step(knowledge, knowledge.own.workers, income))


def fresh() -> Construction:
    CLIENT.closed = set()
    return Construction(Placement(TERRAIN))


def test_a_request_becomes_one_build_order_with_the_nearest_worker() -> None:
    construction = fresh()
    construction.request(T.SUPPLYDEPOT)
    near, far = scv(100, (34, 34)), scv(101, (90, 90))
    (order,) = step(construction, moment([far, near]))
    assert isinstance(order, Build)
    assert (order.tag, order.product) == (100, T.SUPPLYDEPOT)
    assert construction.builders() == {100}


def test_without_money_the_builder_goes_ahead_only_when_it_will_be_there() -> None:
    construction = fresh()
    construction.request(T.COMMANDCENTER)
    assert step(construction, moment([scv()], minerals=50), income=1.0) == []
    (order,) = step(construction, moment([scv()], minerals=300), income=1.0)
    assert isinstance(order, Move)


def test_what_lacks_its_requirement_is_not_ordered() -> None:
    construction = fresh()
    construction.request(T.BARRACKS)
    assert step(construction, moment([scv()])) == []
    depot = structure(T.SUPPLYDEPOTLOWERED, 50, 50, 5, BOT)
    (order,) = step(construction, moment([scv()], depot))
    assert isinstance(order, Build)


@pytest.mark.parametrize(("progress", "kept"), [(None, 0), (0.0, 0), (0.9, 84), (1.0, 100)])
def test_only_what_will_not_come_in_by_itself_is_kept_for_what_lacks_its_requirement(
    progress: float | None, kept: int
) -> None:
    """A Bunker that waited for a lost Barracks kept 100 minerals from everybody."""
    construction = fresh()
    construction.request(T.BUNKER)
    barracks = [] if progress is None else [structure(T.BARRACKS, 60.5, 60.5, 5, BOT, build_progress=progress)]
    knowledge = moment([scv()], *barracks, minerals=100)
    assert construction.reserve(Bank(100, 0, 0), knowledge, income=0.25).minerals == 100 - kept
    construction.request(T.ENGINEERINGBAY)
    knowledge = moment([scv(), scv(101)], *barracks, minerals=225 - 100 + kept)
    orders = step(construction, knowledge, income=0.25)
    assert T.ENGINEERINGBAY in [order.product for order in orders if isinstance(order, Build)]


def test_money_is_set_aside_until_the_builder_carries_the_order() -> None:
    construction = fresh()
    construction.request(T.SUPPLYDEPOT)
    knowledge = moment([scv()])
    assert construction.reserve(Bank(500, 0, 0), knowledge, 0.5).minerals == 400
    (order,) = step(construction, knowledge)
    walking = moment([scv(orders=[(BUILD_DEPOT, order.target)])], loop=4)
    assert step(construction, walking) == []
    assert construction.reserve(Bank(500, 0, 0), walking, 0.5).minerals == 500
    standing = moment([scv()], structure(T.SUPPLYDEPOT, *order.target, 9, BOT, build_progress=0.1), loop=40)
    assert step(construction, standing) == []
    assert construction.jobs == []


def test_only_what_is_urgent_is_set_aside_before_units() -> None:
    construction = fresh()
    for product in (T.BARRACKS, T.SUPPLYDEPOT, T.BUNKER):
        construction.request(product)
    standing = (structure(kind, 50 + 5 * i, 50, 5 + i, BOT) for i, kind in enumerate((T.SUPPLYDEPOT, T.BARRACKS)))
    knowledge, bank = moment([scv()], *standing), Bank(500, 0, 0)
    left = {urg: construction.reserve(bank, knowledge, 0.5, urgent=urg).minerals for urg in (True, False, None)}
    assert left == {True: 300, False: 350, None: 150}


def test_a_refused_place_is_left_for_another() -> None:
    construction = fresh()
    construction.request(T.SUPPLYDEPOT)
    (first,) = step(construction, moment([scv()]))
    again = step(construction, moment([scv()], loop=60))
    assert again[0] == Stop(100)
    assert isinstance(again[1], Build)
    assert again[1].target != first.target


def test_a_builder_that_does_not_move_is_replaced_at_another_place() -> None:
    construction = fresh()
    construction.request(T.SUPPLYDEPOT)
    (first,) = step(construction, moment([scv()]))
    orders: list[Order] = []
    for loop in range(4, 140, 4):
        orders += step(construction, moment([scv(orders=[(BUILD_DEPOT, first.target)])], loop=loop))
    assert Stop(100) in orders
    assert any(isinstance(order, Build) and order.target != first.target for order in orders)


def test_a_dead_builder_is_replaced() -> None:
    construction = fresh()
    construction.request(T.SUPPLYDEPOT)
    (first,) = step(construction, moment([scv(100)]))
    (second,) = step(construction, moment([scv(101)], loop=4))
    assert (second.tag, second.target) == (101, first.target)


def test_a_place_the_client_refuses_is_never_ordered() -> None:
    construction = fresh()
    knowledge = moment([scv()])
    best = construction.placement.candidates(T.SUPPLYDEPOT, knowledge, [])[0]
    CLIENT.closed = {best}
    construction.request(T.SUPPLYDEPOT)
    (order,) = step(construction, knowledge)
    assert Point2(order.target) != best


def test_two_jobs_get_two_places_and_two_builders_and_depots_come_first() -> None:
    construction = fresh()
    construction.request(T.ENGINEERINGBAY)
    construction.request(T.SUPPLYDEPOT)
    orders = step(construction, moment([scv(100), scv(101)]))
    assert [order.product for order in orders] == [T.SUPPLYDEPOT, T.ENGINEERINGBAY]
    assert len({order.tag for order in orders}) == 2
    assert len({order.target for order in orders}) == 2


def test_refineries_go_onto_free_geysers() -> None:
    construction = fresh()
    construction.request(T.REFINERY)
    knowledge = moment([scv()])
    (order,) = step(construction, knowledge)
    assert order.target in {geyser.tag for geyser in knowledge.bases[0].geysers}


def test_no_refinery_is_begun_under_attack_but_a_scout_keeps_nobody_from_it() -> None:
    knowledge = moment([scv()])
    place = knowledge.bases[0].townhall.position
    lings, scout = (
        Threat(place, place, frozenset({1, 2}), 50.0, 0.0, 0),
        Threat(place, place, frozenset({3}), 50.0, 0.0, 1),
    )
    for threat, begun in ((lings, 0), (scout, 1)):
        construction = fresh()
        construction.request(T.REFINERY)
        assert len(step(construction, replace(knowledge, threats=(threat,)))) == begun


def tend(knowledge: Knowledge, free: list[Unit]) -> list[Order]:
    return Unfinished().step(knowledge, free)


def test_halted_structures_are_resumed() -> None:
    halted = structure(T.BARRACKS, 50.5, 50.5, 60, BOT, build_progress=0.5, health=550.0)
    assert tend(moment([scv()], halted), [scv()]) == [Smart(100, 60)]
    worked_on = scv(orders=[(AbilityId.TERRANBUILD_BARRACKS.value, (50.5, 50.5))])
    assert tend(moment([worked_on], halted), []) == []
    addon = structure(T.BARRACKSREACTOR, 50.5, 50.5, 61, BOT, build_progress=0.5, health=550.0)
    assert tend(moment([scv()], addon), [scv()]) == [], "add-ons need no SCV"


def test_a_structure_is_given_up_under_fire_and_resumed_when_the_attackers_are_gone() -> None:
    unfinished = Unfinished()

    def at(loop: int, life: float) -> list[Order]:
        barracks = structure(T.BARRACKS, 50.5, 50.5, 60, BOT, build_progress=0.5, health=life)
        return unfinished.step(moment([scv()], barracks, loop=loop), [scv()])

    assert at(0, 150.0) == [Smart(100, 60)]
    assert at(4, 130.0) == [Cancel(60)], "shot at, with a quarter of the 550 it should have"
    assert at(8, 300.0) == [Smart(100, 60)]
    assert at(12, 200.0) == [Smart(100, 60)], "shot at, but not about to fall"
    assert at(100, 130.0) == [Cancel(60)]
    assert at(200, 129.5) == [Smart(100, 60)], "the attackers are gone; it only burns"
    assert Unfinished().step(
        moment([scv()], structure(T.BARRACKS, 50.5, 50.5, 60, BOT, build_progress=0.5, health=60.0)), [scv()]
    ) == [Smart(100, 60)]


def test_jobs_can_be_given_up_before_they_are_paid_for() -> None:
    construction = fresh()
    construction.request(T.SUPPLYDEPOT)
    (order,) = step(construction, moment([scv()]))
    step(construction, moment([scv(orders=[(BUILD_DEPOT, order.target)])], loop=4))
    construction.request(T.SUPPLYDEPOT)
    construction.drop(T.SUPPLYDEPOT)
    assert [job.paid for job in construction.jobs] == [True]


def test_only_structures_that_get_addons_keep_room_for_one() -> None:
    standing = [structure(T.SUPPLYDEPOT, 60, 60, 5, BOT)]
    for product, moves in ((T.BARRACKS, True), (T.ENGINEERINGBAY, False)):
        construction, knowledge = fresh(), moment([scv()], *standing)
        best = construction.placement.candidates(product, knowledge, [])[0]
        CLIENT.closed = {best.offset((2.5, -0.5))}
        construction.request(product)
        (order,) = step(construction, knowledge)
        assert (Point2(order.target) != best) is moves
