"""Money and supply: spenders in order, depots ahead of need, dear things saved for."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.guard import Guard
from bot.knowledge.facts import Cost
from bot.macro.bank import Bank
from bot.macro.build_order import parse
from bot.macro.construction import Construction
from bot.macro.context import AbilityIndex, count
from bot.macro.opening import Opening
from bot.macro.placement import Placement
from bot.macro.production import Production
from bot.macro.step import Macro
from bot.macro.supply import Supply, depots_wanted, supply_rate
from bot.macro.tech import missing_before, spend_on_upgrades
from bot.orders import Build, Cast, Order, Research, Train
from bot.strategy.plan import Plan, Stance
from tests.bot.own import fake_bot, flat_terrain, make_knowledge, structure, unit

T = UnitTypeId


def plan(**fields: object) -> Plan:
    return Plan(stance=Stance.DEFEND, rally=Point2((40.0, 40.0)), target=None, **fields)


@pytest.mark.parametrize(("minerals", "second"), [(410, False), (500, True)])
def test_a_reserve_goes_into_debt_and_makes_later_spenders_wait(minerals: int, second: bool) -> None:
    marine, depots = Cost(50, 0), Cost(400, 0)
    first = Bank(minerals, 0, 5)
    assert first.affords(marine)
    rest = first.pay(marine).pay(depots)
    assert rest == Bank(minerals - 450, 0, 5)
    assert rest.affords(marine) is second


def test_what_needs_no_gas_is_bought_in_spite_of_a_gas_debt() -> None:
    bank = Bank(100, -50, 3)
    assert bank.affords(Cost(50, 0, 1))
    assert not bank.affords(Cost(50, 25, 1))
    assert not bank.affords(Cost(50, 0, 4))


SUPPLY = load("macro")["supply"]


@given(st.floats(0, 0.1), st.integers(0, 60), st.integers(0, 5), st.integers(0, 185))
def test_depots_never_overshoot_the_cap_nor_the_need(rate: float, free: int, pending: int, cap_left: int) -> None:
    wanted = depots_wanted(free, 8 * pending, rate, cap_left, SUPPLY)
    assert 0 <= wanted <= SUPPLY["most_at_once"]
    if wanted:
        assert 8 * pending + 8 * (wanted - 1) < cap_left
        need = rate * (480 + SUPPLY["ahead"] * 22.4) + SUPPLY["margin"]
        assert free + 8 * pending + 8 * (wanted - 1) < need


def test_more_production_asks_for_depots_earlier() -> None:
    bot = fake_bot()
    one = make_knowledge([structure(T.BARRACKS, 40.5, 40.5, 1, bot)], bot=bot)
    many = make_knowledge([structure(T.BARRACKS, 40.5, 40.5 + 3 * i, i, bot) for i in range(8)], bot=bot)
    assert supply_rate(many, False) == pytest.approx(8 * supply_rate(one, False))
    with_reactor = fake_bot(reactor_tags={7})
    two = make_knowledge([structure(T.BARRACKS, 40.5, 40.5, 1, with_reactor, add_on_tag=7)], bot=with_reactor)
    assert supply_rate(two, False) == pytest.approx(2 * supply_rate(one, False))
    halls = [
        structure(T.COMMANDCENTER, *at, 1, bot, build_progress=done) for at, done in (((30, 30), 1.0), ((60, 30), 0.5))
    ]
    assert supply_rate(make_knowledge(halls, bot=bot), True) == pytest.approx(1 / 272), (
        "an unfinished one makes no SCVs"
    )
    assert supply_rate(make_knowledge(halls, bot=bot), False) == 0
    assert depots_wanted(8, 0, supply_rate(one, False), 100, SUPPLY) == 0
    assert depots_wanted(8, 0, supply_rate(many, False), 100, SUPPLY) > 0


@pytest.mark.parametrize(("progress", "asked"), [(0.2, 2), (0.9, 0)])
def test_supply_that_a_town_hall_brings_soon_saves_depots(progress: float, asked: int) -> None:
    bot, construction = fake_bot(), Construction(Placement(flat_terrain()))
    units = [structure(T.BARRACKS, 40.5, 40.5 + 3 * i, i, bot) for i in range(8)]
    units += [structure(T.COMMANDCENTER, 62.5, 34.5, 20, bot, build_progress=progress)]
    knowledge = make_knowledge(units, bot=bot, supply_used=30, supply_cap=33)
    Supply(construction).request(knowledge, False, False)
    assert construction.pending(T.SUPPLYDEPOT) == asked


def test_free_lines_train_and_a_reactor_trains_two() -> None:
    bot = fake_bot(reactor_tags={7})
    barracks = structure(T.BARRACKS, 40.5, 40.5, 1, bot, add_on_tag=7)
    reactor = structure(T.BARRACKSREACTOR, 43, 40, 7, bot)
    knowledge = make_knowledge([barracks, reactor], bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    bank, orders = Production().spend(Bank(500, 0, 20), context, plan(composition={T.MARINE: 1.0}))
    assert orders == [Train(1, product=T.MARINE)] * 2
    assert bank.minerals == 400


def test_a_dear_unit_is_saved_for_and_gas_shortage_falls_back() -> None:
    bot = fake_bot(techlab_tags={7})
    factory = structure(T.FACTORY, 40.5, 40.5, 1, bot, add_on_tag=7)
    lab = structure(T.FACTORYTECHLAB, 43, 40, 7, bot)
    barracks = structure(T.BARRACKS, 50.5, 40.5, 2, bot)
    knowledge = make_knowledge([factory, lab, barracks], bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    wanted = plan(composition={T.SIEGETANK: 0.5, T.MARINE: 0.5})
    assert Production().spend(Bank(100, 200, 20), context, wanted)[1] == []
    assert Production().spend(Bank(100, 0, 20), context, wanted)[1] == [Train(2, product=T.MARINE)]


def test_gas_is_saved_for_special_units_and_minerals_are_spent() -> None:
    bot = fake_bot(techlab_tags={7, 8})
    starport = structure(T.STARPORT, 40.5, 40.5, 1, bot, add_on_tag=7)
    barracks = structure(T.BARRACKS, 50.5, 40.5, 2, bot, add_on_tag=8)
    labs = [structure(T.STARPORTTECHLAB, 43, 40, 7, bot), structure(T.BARRACKSTECHLAB, 53, 40, 8, bot)]
    core = structure(T.FUSIONCORE, 40.5, 50.5, 3, bot)
    knowledge = make_knowledge([starport, barracks, *labs, core], bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    shares = {T.MARINE: 0.2, T.MARAUDER: 0.4, T.MEDIVAC: 0.4}
    army, late = plan(composition=shares), plan(composition=shares, units={T.BATTLECRUISER: 1})
    usual = [Train(1, product=T.MEDIVAC), Train(2, product=T.MARAUDER)]
    assert Production().spend(Bank(600, 290, 20), context, army)[1] == usual
    assert Production().spend(Bank(600, 290, 20), context, late)[1] == [Train(2, product=T.MARINE)]
    ship = Production().spend(Bank(600, 330, 20), context, late)[1]
    assert ship[0] == Train(1, product=T.BATTLECRUISER)


@pytest.mark.parametrize(
    ("army_first", "waits_for", "trained"),
    [(True, T.BARRACKS, 1), (True, T.BUNKER, 0), (False, T.BARRACKS, 0)],
)
def test_an_army_that_is_behind_comes_before_structures_that_can_wait(
    army_first: bool, waits_for: UnitTypeId, trained: int
) -> None:
    bot = fake_bot()
    halls = [structure(T.COMMANDCENTER, *place, tag, bot) for tag, place in ((1, (30.5, 30.5)), (2, (62.5, 34.5)))]
    others = [structure(T.BARRACKS, 40.5, 50.5, 3, bot), structure(T.SUPPLYDEPOT, 50, 50, 4, bot)]
    knowledge = make_knowledge([*halls, *others], bot=bot, supply_used=13)
    wanted = plan(composition={T.MARINE: 1.0}, army_first=army_first, opening_name="two_one_one")
    macro = Macro(Guard())
    macro._prepare(knowledge, wanted)
    macro._construction.request(waits_for)
    context = count(knowledge, macro._index)
    bank, orders = Bank(60, 0, 5), []
    for _, spender in macro._spenders(context, wanted):
        bank, more = spender(bank)
        orders += more
    assert orders.count(Train(3, product=T.MARINE)) == trained


def test_busy_lines_get_nothing_until_their_unit_is_nearly_done() -> None:
    bot = fake_bot()
    ability = bot.game_data.units[T.MARINE.value].creation_ability.exact_id.value
    for progress, wanted in ((0.2, 0), (0.99, 1)):
        barracks = structure(T.BARRACKS, 40.5, 40.5, 1, bot, orders=[(ability, None)])
        barracks._proto.orders[0].progress = progress
        knowledge = make_knowledge([barracks], bot=bot)
        context = count(knowledge, AbilityIndex(knowledge))
        assert context.making[T.MARINE] == 1
        orders = Production().spend(Bank(500, 0, 20), context, plan(composition={T.MARINE: 1.0}))[1]
        assert len(orders) == wanted


def test_a_barracks_that_is_to_get_an_addon_trains_nothing_more() -> None:
    bot = fake_bot()
    marine = bot.game_data.units[T.MARINE.value].creation_ability.exact_id.value
    text = {"steps": [{"at": 19, "addon": "BARRACKSREACTOR", "on": "BARRACKS"}, {"at": 20, "build": "FACTORY"}]}
    opening = Opening(parse("x", text), Construction(Placement(flat_terrain())))
    for orders, expected in (([(marine, None)], []), ([], [Build(1, None, product=T.BARRACKSREACTOR)])):
        barracks = structure(T.BARRACKS, 40.5, 40.5, 1, bot, orders=orders)
        knowledge = make_knowledge([barracks], bot=bot, supply_used=20)
        context = count(knowledge, AbilityIndex(knowledge))
        bank, made = opening.spend(Bank(500, 100, 20), context)
        assert made == expected
        assert opening.held == {1}
        wanted = plan(composition={T.MARINE: 1.0})
        assert Production().spend(bank, context, wanted, opening.held)[1] == []


def test_later_steps_wait_while_a_structure_is_saved_for() -> None:
    bot = fake_bot()
    construction = Construction(Placement(flat_terrain()))
    text = {"steps": [{"at": 20, "build": "COMMANDCENTER"}, {"at": 20, "train": "MARINE"}]}
    opening = Opening(parse("x", text), construction)
    units = [structure(T.COMMANDCENTER, 30.5, 30.5, 2, bot), structure(T.BARRACKS, 40.5, 40.5, 1, bot)]
    knowledge = make_knowledge(units, bot=bot, supply_used=20)
    context = count(knowledge, AbilityIndex(knowledge))
    bank, _ = opening.request(Bank(300, 0, 20), context)
    assert bank.minerals == -100
    assert construction.pending(T.COMMANDCENTER) == 1
    assert opening.spend(Bank(300, 0, 20), context)[1] == []
    construction.jobs[0].paid = True
    assert opening.spend(Bank(300, 0, 20), context)[1] == [Train(1, product=T.MARINE)]


def test_only_the_structure_that_is_saved_for_makes_later_steps_wait() -> None:
    """Stim was researched half a minute late: a third Barracks was saved for, and the step of the second one waited."""
    bot = fake_bot()
    construction = Construction(Placement(flat_terrain()))
    steps = [{"at": 16, "build": "BARRACKS"}, {"at": 19, "train": "MARINE"}, {"at": 20, "build": "BARRACKS"}]
    opening = Opening(parse("x", {"steps": [*steps, {"at": 20, "train": "MARINE"}]}), construction)
    knowledge = make_knowledge([structure(T.BARRACKS, 40.5, 40.5, 1, bot)], bot=bot, supply_used=20)
    context = count(knowledge, AbilityIndex(knowledge))
    construction.request(T.BARRACKS)
    bank, orders = opening.spend(Bank(300, 0, 20), context)
    assert orders == [Train(1, product=T.MARINE)]
    assert bank.minerals == 250, "the step after the second Barracks waits"


def test_upgrades_need_their_earlier_level_and_an_armory() -> None:
    bot = fake_bot()
    bay = structure(T.ENGINEERINGBAY, 40.5, 50.5, 3, bot)
    first, second = UpgradeId.TERRANINFANTRYWEAPONSLEVEL1, UpgradeId.TERRANINFANTRYWEAPONSLEVEL2
    none = make_knowledge([bay], bot=bot)
    assert missing_before(second, none)
    one = make_knowledge([bay], bot=bot, upgrades=frozenset({first}))
    assert missing_before(second, one)
    armory = structure(T.ARMORY, 50.5, 50.5, 4, bot)
    assert not missing_before(second, make_knowledge([bay, armory], bot=bot, upgrades=frozenset({first})))
    context = count(none, AbilityIndex(none))
    bank, orders = spend_on_upgrades(Bank(500, 500, 5), context, (first, second), {})
    assert [order.upgrade for order in orders] == [first]
    assert bank == Bank(400, 400, 5)
    assert spend_on_upgrades(Bank(500, 500, 5), context, (first,), {first: 0})[1] == []


def test_one_structure_has_one_upgrade_saved_for() -> None:
    bot = fake_bot()
    knowledge = make_knowledge([structure(T.ENGINEERINGBAY, 40.5, 50.5, 3, bot)], bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    wanted = (UpgradeId.TERRANINFANTRYWEAPONSLEVEL1, UpgradeId.TERRANINFANTRYARMORSLEVEL1)
    assert spend_on_upgrades(Bank(90, 90, 5), context, wanted, {}) == (Bank(-10, -10, 5), [])


def test_an_addon_that_goes_up_is_one() -> None:
    bot = fake_bot(techlab_tags={7})
    ability = bot.game_data.units[T.BARRACKSTECHLAB.value].creation_ability.exact_id.value
    builder = structure(T.BARRACKS, 40.5, 40.5, 1, bot, add_on_tag=7, orders=[(ability, None)])
    lab = structure(T.BARRACKSTECHLAB, 43, 40, 7, bot, build_progress=0.4)
    free = structure(T.BARRACKS, 50.5, 40.5, 2, bot)
    knowledge = make_knowledge([builder, lab, free], bot=bot, supply_used=30)
    context = count(knowledge, AbilityIndex(knowledge))
    assert context.total(T.BARRACKSTECHLAB) == 1
    text = {"steps": [{"at": 20, "addon": "BARRACKSTECHLAB", "on": "BARRACKS"}] * 2}
    opening = Opening(parse("x", text), Construction(Placement(flat_terrain())))
    assert opening.spend(Bank(500, 100, 20), context)[1] == [Build(2, None, product=T.BARRACKSTECHLAB)]


def test_counting_knows_forms_of_one_thing() -> None:
    bot = fake_bot()
    units = [
        structure(T.SUPPLYDEPOTLOWERED, 40, 40, 1, bot),
        structure(T.SUPPLYDEPOT, 42, 40, 2, bot, build_progress=0.5),
        structure(T.ORBITALCOMMAND, 30.5, 30.5, 3, bot),
        unit(T.SIEGETANKSIEGED, 50, 50, 4, bot),
    ]
    knowledge = make_knowledge(units, bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    assert context.exists == Counter({T.SUPPLYDEPOT: 2, T.COMMANDCENTER: 1, T.SIEGETANK: 1})
    assert context.ready[T.SUPPLYDEPOT] == 1


def test_an_opening_researches_where_a_lab_is_free() -> None:
    bot = fake_bot(techlab_tags={7})
    barracks = structure(T.BARRACKS, 40.5, 40.5, 1, bot, add_on_tag=7)
    lab = structure(T.BARRACKSTECHLAB, 43, 40, 7, bot)
    opening = Opening(
        parse("x", {"steps": [{"at": 20, "research": "STIMPACK"}]}), Construction(Placement(flat_terrain()))
    )
    for upgrades, left, expected in (
        ((), 400, [Research(7, upgrade=UpgradeId.STIMPACK)]),
        ((UpgradeId.STIMPACK,), 500, []),
    ):
        knowledge = make_knowledge([barracks, lab], bot=bot, supply_used=20, upgrades=frozenset(upgrades))
        context = count(knowledge, AbilityIndex(knowledge))
        bank, orders = opening.spend(Bank(500, 500, 5), context)
        assert (bank.minerals, orders) == (left, expected)
        assert opening.is_over(context) is bool(upgrades)


def test_key_upgrades_come_before_units_and_the_others_after() -> None:
    bot = fake_bot()
    halls = [structure(T.COMMANDCENTER, *place, tag, bot) for tag, place in ((1, (30.5, 30.5)), (2, (62.5, 34.5)))]
    others = [structure(T.BARRACKS, 40.5, 50.5, 3, bot), structure(T.ENGINEERINGBAY, 50.5, 50.5, 4, bot)]
    knowledge = make_knowledge([*halls, *others], bot=bot, loop=int(400 * 22.4), supply_used=50, supply_cap=100)
    upgrade = Research(4, upgrade=UpgradeId.TERRANINFANTRYWEAPONSLEVEL1)
    for key, rushed, bought in ((1, False, [upgrade]), (0, False, []), (1, True, [])):
        wanted = plan(
            composition={T.MARINE: 1.0}, army_first=True, rushed=rushed, upgrades=(upgrade.upgrade,), key_upgrades=key
        )
        macro = Macro(Guard())
        macro._prepare(knowledge, wanted)
        bank, orders = Bank(110, 100, 5), []
        for _, spender in macro._spenders(count(knowledge, macro._index), wanted):
            bank, more = spender(bank)
            orders += more
        assert [order for order in orders if isinstance(order, Research)] == bought
        assert (Train(3, product=T.MARINE) in orders) is not bought


def test_an_academy_is_asked_for_a_missile_once_in_a_while() -> None:
    bot = fake_bot()
    academy, factory = structure(T.GHOSTACADEMY, 40.5, 40.5, 1, bot), structure(T.FACTORY, 50.5, 40.5, 2, bot)
    production, bomb = Production(), Cast(1, cast=AbilityId.BUILD_NUKE, instant=True)

    def orders(loop: int, units: list[Unit], missiles: int = 1, minerals: int = 100) -> list[Order]:
        knowledge = make_knowledge(units, bot=bot, loop=loop)
        context, wanted = count(knowledge, AbilityIndex(knowledge)), plan(units={T.NUKE: missiles})
        return production.spend(Bank(minerals, 100, 0), context, wanted)[1]

    both = [academy, factory]
    assert orders(0, [academy]) == [], "no Factory"
    assert orders(0, both, missiles=0) == []
    assert orders(0, both, minerals=99) == []
    assert orders(0, both) == [bomb]
    assert orders(1199, both) == [], "it may hold one"
    assert orders(1200, both) == [bomb]


def test_what_was_ordered_is_remembered_until_it_shows() -> None:
    macro, stim = Macro(Guard()), UpgradeId.STIMPACK
    macro._remember([Research(4, upgrade=stim), Train(3, product=T.MARINE)], 100)
    for loop, known in ((104, {stim: 100}), (123, {stim: 100}), (124, {})):
        macro._remember([], loop)
        assert macro._issued == known
