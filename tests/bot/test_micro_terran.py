"""The rules of Terran's special units: modes, aimed skills, jumps, repair, drops."""

from __future__ import annotations

import numpy as np
import pytest
from sc2.ids.ability_id import AbilityId as A
from sc2.ids.unit_typeid import UnitTypeId as U

from bot.config import load
from bot.micro.task import DROP, JUMP, Mode, Task
from bot.orders import Attack, Cast, Move
from tests.bot.skirmish import FORWARD, GUARD, HOME, INFILTRATE, SPECIALS, Skirmish, casts, crowd


@pytest.fixture
def fight() -> Skirmish:
    skirmish = Skirmish()
    skirmish.upgrades = SPECIALS
    return skirmish


def test_yamato_is_assigned_one_to_a_target(fight: Skirmish) -> None:
    ships = [fight.own(U.BATTLECRUISER, 48 + 2 * k, 50) for k in range(2)]
    corruptor = fight.foe(U.CORRUPTOR, 50, 60, health=200)
    for k in range(3):
        fight.foe(U.ZERGLING, 48 + k, 58)
    given = fight.orders()
    shots = [o.target for tag in ships for o in given[tag] if isinstance(o, Cast)]
    assert shots == [corruptor]
    again = fight.orders()
    shooter = next(tag for tag in ships if casts(given[tag]))
    assert A.YAMATO_YAMATOGUN not in casts(again[shooter]), "its cooldown is remembered"


def test_battlecruisers_jump_home_in_time_and_stay_until_repaired(fight: Skirmish) -> None:
    ship = fight.own(U.BATTLECRUISER, 50, 50, health=140)
    assert fight.only(ship) == Attack(ship, FORWARD.point), "nobody shoots"
    fight.foe(U.HYDRALISK, 50, 53)
    (order,) = fight.orders()[ship]
    assert (order.cast, order.target) == (A.EFFECT_TACTICALJUMP, FORWARD.home)
    home = Skirmish()
    home.memory = fight.memory
    ship = home.own(U.BATTLECRUISER, 50, 5.5, health=300)
    assert home.only(ship) == Move(ship, FORWARD.home)
    healed = Skirmish()
    healed.memory = fight.memory
    ship = healed.own(U.BATTLECRUISER, 50, 5.5, health=540)
    assert healed.only(ship) == Attack(ship, FORWARD.point)


def test_a_long_retreat_under_fire_is_a_jump(fight: Skirmish) -> None:
    ship = fight.own(U.BATTLECRUISER, 50, 60)
    assert fight.only(ship, HOME) == Move(ship, HOME.home), "nobody shoots"
    fight.foe(U.HYDRALISK, 50, 63)
    (order,) = fight.orders(HOME)[ship]
    assert (order.cast, order.target) == (A.EFFECT_TACTICALJUMP, HOME.home)
    near = Skirmish()
    ship = near.own(U.BATTLECRUISER, 50, 30)
    near.foe(U.HYDRALISK, 50, 33)
    assert A.EFFECT_TACTICALJUMP not in casts(near.orders(HOME)[ship])


def test_jumps_in_begin_at_home_too(fight: Skirmish) -> None:
    ships = [fight.own(U.BATTLECRUISER, 48 + 3 * k, 8) for k in range(2)]
    fight.foe(U.HATCHERY, 50, 90)
    raid = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 20.0), allows=JUMP)
    given = fight.orders(raid)
    assert [given[ship][0].target for ship in ships] == [raid.point] * 2
    again = fight.orders(raid)
    assert not casts(again[ships[0]]), "its cooldown is remembered"


def test_jumps_in_need_company_and_the_mission(fight: Skirmish) -> None:
    first = fight.own(U.BATTLECRUISER, 50, 20)
    raid = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 20.0), allows=JUMP)
    assert casts(fight.orders(raid)[first]) == [], "alone"
    fight.own(U.BATTLECRUISER, 53, 20)
    assert casts(fight.orders(raid)[first]) == [], "nobody has seen the place"
    fight.foe(U.HATCHERY, 50, 90)
    assert casts(fight.orders(FORWARD)[first]) == []
    (order,) = fight.orders(raid)[first]
    assert (order.cast, order.target) == (A.EFFECT_TACTICALJUMP, raid.point)
    for k in range(8):
        fight.foe(U.HYDRALISK, 46 + k, 88)
    assert A.EFFECT_TACTICALJUMP not in casts(fight.orders(raid)[first]), "too many wait there"


def test_scvs_share_the_damaged_machines(fight: Skirmish) -> None:
    ship = fight.own(U.BATTLECRUISER, 50, 50, health=100)
    fight.own(U.MARINE, 51, 50, health=10)
    scvs = [fight.own(U.SCV, 48 + 0.5 * k, 48) for k in range(6)]
    orders = fight.orders(GUARD)
    menders = [tag for tag in scvs if casts(orders[tag]) == [A.EFFECT_REPAIR_SCV]]
    assert len(menders) == load("micro")["scv"]["each"]
    assert {orders[tag][0].target for tag in menders} == {ship}


def test_liberators_set_zones_on_walkers_and_lift_off_later(fight: Skirmish) -> None:
    liberator = fight.own(U.LIBERATOR, 50, 50)
    for k in range(2):
        fight.foe(U.ROACH, 49 + k, 60)
    (order,) = fight.orders()[liberator]
    assert order.cast is A.MORPH_LIBERATORAGMODE
    assert order.target[1] == pytest.approx(55, abs=0.2)
    quiet = Skirmish()
    zone = quiet.own(U.LIBERATORAG, 50, 50)
    assert quiet.orders()[zone] == []
    quiet.loop += load("micro")["liberator"]["patience"] + 1
    assert casts(quiet.orders()[zone]) == [A.MORPH_LIBERATORAAMODE]


def test_widow_mines_burrow_before_enemies_and_come_out_without(fight: Skirmish) -> None:
    mine = fight.own(U.WIDOWMINE, 50, 50)
    assert casts(fight.orders()[mine]) == []
    fight.foe(U.ROACH, 50, 58)
    assert casts(fight.orders()[mine]) == [A.BURROWDOWN_WIDOWMINE]
    alone = Skirmish()
    mine = alone.own(U.WIDOWMINE, 50, 60)
    assert alone.only(mine) == Move(mine, FORWARD.point)
    assert alone.only(mine, GUARD) == Move(mine, GUARD.point), "its post is elsewhere"
    alone.own(U.MARINE, 50, 50)
    assert alone.only(mine) == Move(mine, FORWARD.middle), "it waits for the fighters"
    quiet = Skirmish()
    buried = quiet.own(U.WIDOWMINEBURROWED, 50, 50)
    assert quiet.orders()[buried] == []
    assert casts(quiet.orders(HOME)[buried]) == [A.BURROWUP_WIDOWMINE]
    assert quiet.orders(GUARD)[buried] == []
    quiet.loop += load("micro")["widow_mine"]["patience"] + 1
    assert quiet.orders(GUARD)[buried] == []
    assert casts(quiet.orders()[buried]) == [A.BURROWUP_WIDOWMINE], "nobody comes"


def test_cyclones_lock_on_and_keep_away(fight: Skirmish) -> None:
    cyclone = fight.own(U.CYCLONE, 50, 50)
    stalker = fight.foe(U.STALKER, 50, 56, health=80, health_max=80)
    (order,) = fight.orders()[cyclone]
    assert (order.cast, order.target) == (A.LOCKON_LOCKON, stalker)
    locked = Skirmish()
    cyclone = locked.own(U.CYCLONE, 50, 50, weapon_cooldown=9.0)
    locked.foe(U.STALKER, 50, 56, buff_ids=[116])
    order = locked.only(cyclone)
    assert isinstance(order, Move)
    assert order.target[1] < 50


def test_a_cyclone_that_holds_somebody_keeps_away_before_it_asks_for_another(fight: Skirmish) -> None:
    """Its lock may last for twenty seconds more: what it is told to lock on to meanwhile is refused."""
    cyclone = fight.own(U.CYCLONE, 50, 50)
    fight.foe(U.STALKER, 50, 56, buff_ids=[116])
    fight.foe(U.STALKER, 51, 56)
    assert isinstance(fight.only(cyclone), Move)


def test_a_cyclone_drives_on_into_the_range_of_its_lock(fight: Skirmish) -> None:
    """The next decision may fall before it is there; an attack would call the lock off."""
    cyclone = fight.own(U.CYCLONE, 50, 50)
    stalker = fight.foe(U.STALKER, 50, 58.5)
    order = fight.only(cyclone)
    assert (order.cast, order.target) == (A.LOCKON_LOCKON, stalker)
    fight.unit(cyclone).orders.add(ability_id=A.LOCKON_LOCKON.value, target_unit_tag=stalker)
    assert fight.orders()[cyclone] == []


def test_thors_choose_missiles_by_the_sky(fight: Skirmish) -> None:
    thor = fight.own(U.THOR, 50, 50)
    heavy = fight.own(U.THORAP, 60, 50)
    for k in range(6):
        fight.foe(U.MUTALISK, 52 + k, 60)
    orders = fight.orders()
    assert casts(orders[thor]) == []
    assert casts(orders[heavy]) == [A.MORPH_THOREXPLOSIVEMODE]
    lords = Skirmish()
    thor = lords.own(U.THOR, 50, 50)
    lords.foe(U.BROODLORD, 50, 60)
    assert casts(lords.orders()[thor]) == [A.MORPH_THORHIGHIMPACTMODE]


def test_ravens_place_turrets_and_stay_out_of_reach(fight: Skirmish) -> None:
    raven = fight.own(U.RAVEN, 50, 50, energy=60)
    fight.foe(U.ROACH, 47, 56)
    assert casts(fight.orders()[raven]) == [], "not worth a turret"
    for k in range(4):
        fight.foe(U.ROACH, 48 + k, 56)
    (order,) = fight.orders()[raven]
    assert order.cast is A.BUILDAUTOTURRET_AUTOTURRET
    assert np.hypot(order.target[0] - 50, order.target[1] - 50) <= 2.01
    fight.foe(U.HYDRALISK, 50, 54)
    assert fight.only(raven) == Move(raven, FORWARD.home)
    calm = Skirmish()
    raven = calm.own(U.RAVEN, 50, 70)
    assert calm.only(raven) == Move(raven, (50.0, 47.5)), "behind the fighters"


def test_matrix_for_machines_and_missiles_for_crowds(fight: Skirmish) -> None:
    raven = fight.own(U.RAVEN, 50, 50)
    for x, y in crowd(9, 50, 57):
        fight.foe(U.ROACH, x, y)
    assert casts(fight.orders()[raven]) == [A.EFFECT_ANTIARMORMISSILE]
    tanks = Skirmish()
    tanks.upgrades = SPECIALS
    raven = tanks.own(U.RAVEN, 50, 50)
    colossus = tanks.foe(U.COLOSSUS, 50, 58)
    (order,) = tanks.orders()[raven]
    assert (order.cast, order.target) == (A.EFFECT_INTERFERENCEMATRIX, colossus)


def test_hellions_become_hellbats_on_guard_and_drive_on(fight: Skirmish) -> None:
    hellion = fight.own(U.HELLION, 50, 50)
    for x, y in crowd(6, 49, 53):
        fight.foe(U.ZERGLING, x, y)
    assert casts(fight.orders(GUARD)[hellion]) == [], "no Armory"
    fight.owned.add(U.ARMORY)
    assert casts(fight.orders(GUARD)[hellion]) == [A.MORPH_HELLBAT]
    slow = Skirmish()
    slow.owned.add(U.ARMORY)
    hellion = slow.own(U.HELLION, 50, 50)
    for x, y in crowd(6, 49, 53):
        slow.foe(U.ZEALOT, x, y)
    assert casts(slow.orders(FORWARD)[hellion]) == [], "it can get away"
    assert casts(slow.orders(GUARD)[hellion]) == [A.MORPH_HELLBAT]
    calm = Skirmish()
    calm.owned.add(U.ARMORY)
    hellbat = calm.own(U.HELLIONTANK, 50, 50)
    assert casts(calm.orders(FORWARD)[hellbat]) == [A.MORPH_HELLION]


def test_drops_load_fly_and_unload(fight: Skirmish) -> None:
    drop = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0), allows=DROP)
    medivac = fight.own(U.MEDIVAC, 50, 20, cargo_space_max=8)
    marine = fight.own(U.MARINE, 51, 20)
    (order,) = fight.orders(drop)[medivac]
    assert (order.cast, order.target) == (A.LOAD_MEDIVAC, marine)
    assert casts(fight.orders(FORWARD)[medivac]) == []
    full = Skirmish()
    medivac = full.own(U.MEDIVAC, 50, 20, cargo_space_max=8, cargo_space_taken=8)
    assert full.only(medivac, drop) == Move(medivac, drop.point)
    there = Skirmish()
    medivac = there.own(U.MEDIVAC, 50, 86, cargo_space_max=8, cargo_space_taken=8)
    assert casts(there.orders(drop)[medivac]) == [A.UNLOADALLAT_MEDIVAC]
    there.foe(U.PYLON, 50, 86, radius=1.125)
    assert there.only(medivac, drop) == Move(medivac, drop.point), "nobody gets out over a structure"


def test_a_medivac_sets_everybody_down_where_it_began(fight: Skirmish) -> None:
    drop = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0), allows=DROP)
    medivac = fight.own(U.MEDIVAC, 50, 87, cargo_space_max=8, cargo_space_taken=8)
    fight.walkable[89:] = False
    first = fight.only(medivac, drop)
    assert first.target == (50.0, 87.0)
    fight._units[0]._proto.pos.y = 89.5  # drifts on, over a cliff
    assert fight.only(medivac, drop) == first
    fight._units[0]._proto.cargo_space_taken = 0
    fight.orders(drop)
    fight._units[0]._proto.cargo_space_taken = 8
    fight._units[0]._proto.pos.y = 86.0
    assert fight.only(medivac, drop).target == (50.0, 86.0), "another drop, another place"


def test_units_that_change_shape_are_left_alone(fight: Skirmish) -> None:
    tank = fight.own(U.SIEGETANK, 50, 50)
    fight.foe(U.ROACH, 50, 53)
    fight._units[0]._proto.orders.add().ability_id = A.SIEGEMODE_SIEGEMODE.value
    assert fight.orders()[tank] == []


@pytest.mark.parametrize(
    "kind",
    [
        *(U.HELLIONTANK, U.WIDOWMINE, U.WIDOWMINEBURROWED, U.CYCLONE, U.THOR, U.THORAP, U.BANSHEE, U.GHOST, U.RAVEN),
        *(U.LIBERATOR, U.LIBERATORAG, U.BATTLECRUISER, U.SCV, U.SIEGETANKSIEGED, U.AUTOTURRET),
    ],
)
@pytest.mark.parametrize("task", [INFILTRATE, HOME, GUARD])
def test_every_rule_stands_alone_and_in_a_crowd(fight: Skirmish, kind: U, task: Task) -> None:
    fight.own(kind, 50, 50)
    fight.orders(task)
    for x, y in crowd(9, 47, 47):
        fight.own(kind, x, y, weapon_cooldown=8.0, health=20)
    for enemy in (U.ZERGLING, U.BANELING, U.MUTALISK, U.HATCHERY, U.SPINECRAWLER, U.ULTRALISK, U.INFESTOR):
        fight.foe(enemy, 52, 52)
    assert set(fight.orders(task)) == {unit.tag for unit in fight.knowledge().own.army}
