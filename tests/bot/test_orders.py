"""Orders: which ones survive, which are dropped, what they become."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId

from bot.orders import Attack, Build, Cast, Gather, Move, Research, Return, Train
from bot.sending import commands, resolve, send
from tests.bot.own import fake_bot, unit

MARINE, SCV = UnitTypeId.MARINE, UnitTypeId.SCV


def test_a_later_stage_wins_for_the_same_unit_only() -> None:
    macro = [Move(1, (1.0, 1.0)), Gather(2, 9)]
    army = [Attack(1, (5.0, 5.0))]
    assert resolve([macro, army]) == [Attack(1, (5.0, 5.0)), Gather(2, 9)]


def test_queued_orders_stay_behind_their_own_chain() -> None:
    stage = [Return(1), Gather(1, 7, queue=True)]
    assert resolve([stage]) == stage
    assert resolve([stage, [Move(1, (0.0, 0.0))]]) == [Move(1, (0.0, 0.0))]


def test_training_and_instant_abilities_do_not_replace_work() -> None:
    stim = Cast(1, cast=AbilityId.EFFECT_STIM_MARINE, instant=True)
    trains = [Train(2, product=MARINE), Train(2, product=MARINE)]
    assert resolve([[Attack(1, (3.0, 3.0))], [stim]]) == [stim, Attack(1, (3.0, 3.0))]
    siege = Cast(1, cast=AbilityId.SIEGEMODE_SIEGEMODE)
    assert resolve([[Attack(1, (3.0, 3.0))], [siege]]) == [siege], "what takes the unit's time does"
    assert resolve([trains]) == trains


def test_what_a_unit_already_does_is_not_sent_again() -> None:
    bot = fake_bot()
    field = unit(UnitTypeId.MINERALFIELD, 5, 5, 9, bot, alliance=3)
    busy = unit(SCV, 3, 3, 1, bot, orders=[(AbilityId.HARVEST_GATHER_SCV.value, 9)])
    mover = unit(MARINE, 3, 3, 2, bot, orders=[(AbilityId.MOVE_MOVE.value, (10.0, 10.0))])
    bot.all_units = [field, busy, mover]
    assert commands([Gather(1, 9), Move(2, (10.1, 10.0))], bot) == []
    sent = commands([Gather(1, 9), Move(2, (12.0, 10.0))], bot)
    assert [(c.unit.tag, c.target) for c in sent] == [(2, (12.0, 10.0))]


def test_general_and_exact_abilities_are_one_order() -> None:
    bot = fake_bot()
    fighter = unit(MARINE, 3, 3, 2, bot, orders=[(AbilityId.ATTACK_ATTACK.value, (10.0, 10.0))])
    bot.all_units = [fighter]
    assert commands([Attack(2, (10.0, 10.0))], bot) == []


def test_orders_of_and_at_the_dead_vanish() -> None:
    bot = fake_bot()
    bot.all_units = [unit(MARINE, 3, 3, 2, bot)]
    assert commands([Attack(2, 77), Move(3, (1.0, 1.0))], bot) == []


def test_products_become_the_clients_abilities() -> None:
    bot = fake_bot()
    barracks = unit(UnitTypeId.BARRACKS, 20, 20, 4, bot)
    worker = unit(SCV, 3, 3, 1, bot)
    bot.all_units = [barracks, worker]
    sent = commands(
        [
            Train(4, product=MARINE),
            Build(1, (10.0, 12.0), product=UnitTypeId.SUPPLYDEPOT),
            Research(4, upgrade=UpgradeId.STIMPACK),
        ],
        bot,
    )
    assert [c.ability for c in sent] == [
        AbilityId.BARRACKSTRAIN_MARINE,
        AbilityId.TERRANBUILD_SUPPLYDEPOT,
        AbilityId.BARRACKSTECHLABRESEARCH_STIMPACK,
    ]


def test_all_stages_go_out_in_one_request() -> None:
    requests = []

    async def actions(orders: list) -> None:
        requests.append(orders)

    bot = fake_bot(client=SimpleNamespace(actions=actions))
    bot.all_units = [unit(MARINE, 3, 3, 1, bot), unit(MARINE, 4, 4, 2, bot)]
    asyncio.run(send([[Move(1, (9.0, 9.0))], [Move(2, (9.0, 9.0))]], bot))
    assert len(requests) == 1
    assert len(requests[0]) == 2
    asyncio.run(send([[], []], bot))
    assert len(requests) == 1
