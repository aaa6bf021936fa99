"""What is asked for beyond the opening: technology, more production, refineries, defences, bases, add-ons; and the work
of town halls."""

from __future__ import annotations

import pytest
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import Threat
from bot.macro.bank import Bank
from bot.macro.construction import Construction
from bot.macro.context import AbilityIndex, Context, count
from bot.macro.needs import complete
from bot.macro.placement import Placement
from bot.macro.structures import request_defences, request_gas, request_more, request_tech
from bot.macro.tech import spend_on_addons
from bot.macro.townhalls import request_base, spend_on_morphs, spend_on_workers
from bot.orders import Build, Morph, Train
from bot.strategy.plan import Plan, Stance
from tests.bot.own import START, fake_bot, flat_terrain, make_knowledge, structure

T = UnitTypeId
BOT = fake_bot()
TERRAIN = flat_terrain()
NATURAL = TERRAIN.natural.position
RICH, POOR = Bank(1000, 1000, 10), Bank(0, 0, 10)
NO_MORE = load("placement")["turret"]["most_per_base"]


def plan(**fields: object) -> Plan:
    return Plan(stance=Stance.DEFEND, rally=START, target=None, **fields)


def hall(tag: int = 1, at: Point2 = START, **fields: object) -> Unit:
    return structure(T.COMMANDCENTER, *at, tag, BOT, **fields)


def made(*kinds: UnitTypeId, **fields: object) -> list[Unit]:
    """Structures of these kinds side by side."""
    return [structure(kind, 40.5 + 6 * i, 50.5, 50 + i, BOT, **fields) for i, kind in enumerate(kinds)]


def context(units: list[Unit], **fields: object) -> Context:
    knowledge = make_knowledge(units, bot=BOT, terrain=TERRAIN, **fields)
    return count(knowledge, AbilityIndex(knowledge))


def fresh() -> Construction:
    return Construction(Placement(TERRAIN))


def attackers(at: Point2) -> Threat:
    return Threat(at, at, frozenset({900}), 200.0, 0.0, 0)


def test_the_first_of_a_kind_is_saved_for_and_more_production_takes_what_is_left() -> None:
    wanted = plan(structures={T.BARRACKS: 4})
    none, one = context([hall(), *made(T.SUPPLYDEPOT)]), context([hall(), *made(T.SUPPLYDEPOT, T.BARRACKS)])
    first = fresh()
    assert request_tech(POOR, none, wanted, first).minerals == -150
    assert first.pending(T.BARRACKS) == 1
    assert request_tech(RICH, none, wanted, first) == RICH, "it is asked for already"
    assert request_more(RICH, none, wanted, fresh()) == RICH, "the first one is no more"
    assert request_tech(RICH, one, wanted, fresh()) == RICH
    more = fresh()
    assert request_more(Bank(149, 0, 10), one, wanted, more).minerals == 149
    for _ in range(3):
        request_more(RICH, one, wanted, more)
    assert more.pending(T.BARRACKS) == 2, "two at a time"


def test_while_the_army_is_behind_nothing_is_saved_for() -> None:
    here = context([hall(), *made(T.SUPPLYDEPOT)])
    wanted = plan(structures={T.BARRACKS: 1}, army_first=True)
    assert request_tech(POOR, here, wanted, fresh()) == POOR
    assert request_tech(RICH, here, wanted, fresh()).minerals == 850


@pytest.mark.parametrize(("progress", "asked"), [(0.5, 0), (0.97, 1)])
def test_a_structure_is_asked_for_shortly_before_its_requirement_stands(progress: float, asked: int) -> None:
    construction = fresh()
    here = context([hall(), *made(T.BARRACKS, build_progress=progress)])
    request_tech(RICH, here, plan(structures={T.FACTORY: 1}), construction)
    assert construction.pending(T.FACTORY) == asked


def test_refineries_come_one_at_a_time_where_it_is_safe() -> None:
    def asked(wanted: int, *units: Unit, **fields: object) -> int:
        construction = fresh()
        for _ in range(2):
            request_gas(RICH, context(list(units), **fields), plan(refineries=wanted), construction)
        return construction.pending(T.REFINERY)

    geysers = [structure(T.REFINERY, *at, 60 + i, BOT) for i, at in enumerate(TERRAIN.sites[0].geysers)]
    assert asked(2, hall()) == 1
    assert asked(0, hall()) == 0
    assert asked(2, hall(), geysers[0]) == 1
    assert asked(1, hall(), geysers[0]) == 0
    assert asked(3, hall(), *geysers) == 0, "no geyser is left"
    assert asked(3, hall(), *geysers, hall(2, NATURAL)) == 1
    assert asked(3, hall(), *geysers, hall(2, NATURAL, build_progress=0.5)) == 0
    assert asked(3, hall(), *geysers, hall(2, NATURAL), threats=(attackers(NATURAL),)) == 0


def defence(kind: UnitTypeId, wanted: int, units: list[Unit], bank: Bank = RICH) -> Point2 | None:
    """Where the next one is asked for."""
    construction = fresh()
    left = request_defences(bank, context(units), plan(structures={kind: wanted}), construction)
    assert (left != bank) is bool(construction.jobs)
    return construction.jobs[0].near if construction.jobs else None


def test_bunkers_stand_before_the_base_that_is_nearest_to_the_enemy() -> None:
    barracks = made(T.BARRACKS)
    way = TERRAIN.from_enemy
    for halls, base in (([hall()], START), ([hall(), hall(2, NATURAL)], NATURAL), ([hall(2, NATURAL)], NATURAL)):
        place = defence(T.BUNKER, 1, [*halls, *barracks])
        assert place.distance_to(base) == pytest.approx(6.0, abs=1.5)
        assert way.to(place) < way.to(base)
    unfinished = hall(2, NATURAL, build_progress=0.5)
    assert defence(T.BUNKER, 1, [hall(), unfinished, *barracks]).distance_to(START) < 8
    assert defence(T.BUNKER, 1, [hall()]) is None, "no Barracks"
    assert defence(T.BUNKER, 0, [hall(), *barracks]) is None
    assert defence(T.BUNKER, 1, [hall(), *barracks], POOR) is None
    assert defence(T.BUNKER, 1, [hall(), *barracks], Bank(100, 0, 10)) is not None
    assert defence(T.BUNKER, 1, barracks) is None, "no base"


def test_turrets_are_spread_over_the_mineral_lines() -> None:
    bay = made(T.ENGINEERINGBAY)
    halls = [hall(), hall(2, NATURAL)]
    main, natural = (site.position.towards(site.mineral_centre, 5.0) for site in TERRAIN.sites[:2])

    def turrets(count: int, at: Point2) -> list[Unit]:
        return [structure(T.MISSILETURRET, at.x + 2 * i, at.y, 70 + i, BOT) for i in range(count)]

    assert defence(T.MISSILETURRET, 2, [*halls, *bay]) == main
    assert defence(T.MISSILETURRET, 2, [*halls, *bay, *turrets(1, main)]) == natural
    assert defence(T.MISSILETURRET, 9, [hall(), *bay, *turrets(NO_MORE - 1, main)]) == main
    assert defence(T.MISSILETURRET, 9, [hall(), *bay, *turrets(NO_MORE, main)]) is None


def test_bases_are_asked_for_one_by_one_and_from_the_surplus_while_the_army_is_behind() -> None:
    two = [hall(), hall(2, NATURAL)]

    def asked(units: list[Unit], bank: Bank, **fields: object) -> int:
        construction = fresh()
        for _ in range(2):
            request_base(bank, context(units), plan(**fields), construction)
        return construction.pending(T.COMMANDCENTER)

    assert asked(two, POOR, bases=3) == 1
    assert asked(two, RICH, bases=2) == 0
    assert asked(two, POOR, bases=3, army_first=True) == 0
    assert asked(two, RICH, bases=3, army_first=True) == 1
    assert asked([hall()], POOR, bases=2, army_first=True) == 1, "the second base does not wait"
    rising = [hall(2, NATURAL, build_progress=0.5), hall(3, Point2((90.5, 50.5)), build_progress=0.1)]
    assert asked([hall(), rising[0]], RICH, bases=4) == 1
    assert asked([hall(), *rising], RICH, bases=4) == 0, "two are being built"


def test_addons_go_to_idle_structures_that_nobody_shoots_at() -> None:
    barracks = made(T.BARRACKS, T.BARRACKS)
    wanted = plan(structures={T.BARRACKSTECHLAB: 1, T.BARRACKSREACTOR: 1})
    orders = [Build(50, None, product=T.BARRACKSTECHLAB), Build(51, None, product=T.BARRACKSREACTOR)]
    assert spend_on_addons(RICH, context(barracks), wanted) == (Bank(900, 925, 10), orders)
    assert spend_on_addons(POOR, context(barracks), wanted) == (Bank(-100, -75, 10), []), "saved for"
    busy = [made(T.BARRACKS, orders=[(560, None)]), made(T.BARRACKS, add_on_tag=99)]
    for units in busy:
        assert spend_on_addons(RICH, context(units), wanted) == (RICH, [])
    for away, safe in ((11.0, False), (13.0, True)):
        threat = attackers(barracks[0].position.offset((-away, 0.0)))
        assert (orders[0] in spend_on_addons(RICH, context(barracks, threats=(threat,)), wanted)[1]) is safe


@pytest.mark.parametrize(
    ("kind", "progress", "orbitals", "fortresses", "product"),
    [
        (T.BARRACKS, 1.0, 1, 0, T.ORBITALCOMMAND),
        (T.BARRACKS, 0.97, 1, 0, T.ORBITALCOMMAND),
        (T.BARRACKS, 0.5, 1, 0, None),
        (T.BARRACKS, 1.0, 0, 1, None),
        (T.ENGINEERINGBAY, 1.0, 0, 1, T.PLANETARYFORTRESS),
        (T.ENGINEERINGBAY, 0.97, 0, 1, None),
    ],
)
def test_town_halls_morph_once_their_requirement_is_about_to_stand(
    kind: UnitTypeId, progress: float, orbitals: int, fortresses: int, product: UnitTypeId | None
) -> None:
    here = context([hall(), *made(kind, build_progress=progress)])
    _, orders, waiting = spend_on_morphs(RICH, here, orbitals, fortresses)
    assert orders == ([Morph(1, product=product)] if product else [])
    assert bool(waiting) is bool(product)


def test_special_units_bring_all_that_they_take() -> None:
    structures = complete(plan(structures={T.BARRACKS: 3, T.STARPORTREACTOR: 1}, units={T.BATTLECRUISER: 1})).structures
    assert structures == {
        T.BARRACKS: 3,
        T.FACTORY: 1,
        T.STARPORT: 2,
        T.STARPORTREACTOR: 1,
        T.STARPORTTECHLAB: 1,
        T.FUSIONCORE: 1,
    }, "a Starport more, as the reactor's has no room for the lab"
    assert complete(plan(structures={T.BARRACKS: 3})).structures == {T.BARRACKS: 3}


def test_a_command_center_waits_for_its_morph_and_others_train() -> None:
    bot = fake_bot()
    first = structure(T.COMMANDCENTER, 30.5, 30.5, 1, bot)
    second = structure(T.COMMANDCENTER, 62.5, 34.5, 2, bot)
    barracks = structure(T.BARRACKS, 40.5, 50.5, 3, bot)
    knowledge = make_knowledge([first, second, barracks], bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    bank, orders, waiting = spend_on_morphs(Bank(160, 0, 5), context, 1, 0)
    assert orders == [Morph(1, product=T.ORBITALCOMMAND)]
    assert bank.minerals == 10
    _, scvs = spend_on_workers(Bank(100, 0, 5), context, 20, waiting)
    assert scvs == [Train(2, product=T.SCV)]


def test_what_morphs_already_is_counted_once() -> None:
    bot = fake_bot()
    orbital = bot.game_data.units[T.ORBITALCOMMAND.value].creation_ability.exact_id.value
    morphing = structure(T.COMMANDCENTER, 30.5, 30.5, 1, bot, orders=[(orbital, None)])
    free = structure(T.COMMANDCENTER, 62.5, 34.5, 2, bot)
    others = [structure(T.BARRACKS, 40.5, 50.5, 3, bot), structure(T.ENGINEERINGBAY, 46.5, 50.5, 4, bot)]
    knowledge = make_knowledge([morphing, free, *others], bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    _, orders, waiting = spend_on_morphs(Bank(500, 500, 5), context, 2, 1)
    assert orders == [Morph(2, product=T.ORBITALCOMMAND)]
    assert waiting == {1, 2}
    _, orders, waiting = spend_on_morphs(Bank(500, 500, 5), context, 1, 0)
    assert (orders, waiting) == ([], {1})


@pytest.mark.parametrize(("progress", "trained"), [([], 1), ([0.5], 0), ([0.97], 1), ([0.97, 0.0], 0)])
def test_the_next_scv_is_put_behind_one_that_is_almost_done(progress: list[float], trained: int) -> None:
    bot = fake_bot()
    ability = bot.game_data.units[T.SCV.value].creation_ability.exact_id.value
    hall = structure(T.COMMANDCENTER, 30.5, 30.5, 1, bot, orders=[(ability, None)] * len(progress))
    for order, share in zip(hall._proto.orders, progress, strict=True):
        order.progress = share
    knowledge = make_knowledge([hall], bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    assert len(spend_on_workers(Bank(100, 0, 5), context, 20, ())[1]) == trained
    assert spend_on_workers(Bank(49, 0, 5), context, 20, ())[1] == []
    assert spend_on_workers(Bank(100, 0, 5), context, len(progress), ())[1] == [], "there are enough"


def test_a_fortress_that_fires_goes_on_making_workers() -> None:
    bot = fake_bot()
    knowledge = make_knowledge([structure(T.PLANETARYFORTRESS, 30.5, 30.5, 1, bot, orders=[(23, 99)])], bot=bot)
    context = count(knowledge, AbilityIndex(knowledge))
    assert spend_on_workers(Bank(100, 0, 5), context, 20, frozenset())[1] == [Train(1, product=T.SCV)]
