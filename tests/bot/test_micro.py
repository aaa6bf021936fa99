"""The scripted rules, unit by unit: what a good player would do in one clear situation."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from sc2.ids.ability_id import AbilityId
from sc2.ids.buff_id import BuffId
from sc2.ids.effect_id import EffectId
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2

from bot.config import load
from bot.micro.tables import tables
from bot.micro.task import Task, gather
from bot.micro.twin import Twin
from bot.orders import Attack, Cast, Move
from tests.bot.skirmish import FORWARD, GUARD, HOME, Skirmish, crowd


@pytest.fixture
def fight() -> Skirmish:
    return Skirmish()


def test_tables_come_from_the_clients_data(fight: Skirmish) -> None:
    fight.own(U.MARAUDER, 50, 50)
    fight.foe(U.ROACH, 55, 50)
    fight.foe(U.MUTALISK, 55, 51)
    field = fight.field()
    assert field.volley[0].tolist() == [19.0, 0.0], "10 + 10 armoured - 1 armour on the roach; nothing on flyers"
    assert field.reach[0].tolist() == [6.0, -1.0]
    assert field.foe_reach[0].tolist() == [4.0, 3.0]
    assert field.gap[0, 0] == pytest.approx(5 - 0.75)
    assert field.kinds.dps[field.own.kind[0], field.foe.kind[0]] == pytest.approx(19 / 1.5 * 1.4, rel=0.01)


def test_ready_shoots_cooling_steps_back(fight: Skirmish) -> None:
    ready = fight.own(U.MARINE, 50, 50)
    cooling = fight.own(U.MARINE, 51, 50, weapon_cooldown=10.0)
    zergling = fight.foe(U.ZERGLING, 50.5, 52.5)
    orders = fight.orders()
    assert orders[ready] == [Attack(ready, zergling)]
    (step,) = orders[cooling]
    assert isinstance(step, Move)
    assert step.target[1] < 50, "away from the zergling"


def test_no_step_back_from_those_who_outrange_us(fight: Skirmish) -> None:
    marine = fight.own(U.MARINE, 50, 50, weapon_cooldown=10.0)
    hydralisk = fight.foe(U.HYDRALISK, 50, 54)
    assert fight.only(marine) == Attack(marine, hydralisk)


@pytest.mark.parametrize(
    ("kind", "y", "aims", "keeps"),
    [
        (U.HELLION, 50, True, True),
        (U.HELLION, 50, False, False),
        (U.HELLION, 58.8, True, False),  # it does not reach its target yet
        (U.MARINE, 50, True, False),  # it fires at once
    ],
)
def test_a_shot_that_has_begun_is_not_called_off(fight: Skirmish, kind: U, y: float, aims: bool, keeps: bool) -> None:
    zergling = fight.foe(U.ZERGLING, 50, 52)
    better = fight.foe(U.ZERGLING, 50, 53, health=5)
    tag = fight.own(kind, 50, y, engaged_target_tag=zergling if aims else 0)
    assert fight.only(tag) == Attack(tag, zergling if keeps else better)


def test_a_shot_that_is_out_leaves_time_for_a_step_back(fight: Skirmish) -> None:
    zergling = fight.foe(U.ZERGLING, 50, 52)
    fired = fight.own(U.HELLION, 51, 50, weapon_cooldown=33.0, engaged_target_tag=zergling)
    assert isinstance(fight.only(fired), Move)


def test_a_step_back_goes_round_walls(fight: Skirmish) -> None:
    marine = fight.own(U.MARINE, 50, 50, weapon_cooldown=10.0)
    fight.foe(U.ZERGLING, 50, 52)
    fight.walkable[:49, :] = False
    order = fight.only(marine)
    assert isinstance(order, Move)
    assert fight.walkable[int(order.target[1]), int(order.target[0])]
    assert np.hypot(order.target[0] - 50, order.target[1] - 50) > 1


def test_fire_is_spread_when_the_first_target_is_dead_already(fight: Skirmish) -> None:
    marines = [fight.own(U.MARINE, 48 + k * 0.8, 50) for k in range(8)]
    weak = fight.foe(U.ZERGLING, 51, 53, health=9)
    strong = fight.foe(U.ZERGLING, 52, 53)
    targets = [order.target for (order,) in (fight.orders()[tag] for tag in marines)]
    assert targets.count(weak) == 2, "two marines kill 9 life"
    assert targets.count(strong) == 6, "six more kill 35"


def test_banelings_first_and_buildings_last(fight: Skirmish) -> None:
    marine = fight.own(U.MARINE, 50, 50)
    fight.foe(U.HATCHERY, 50, 53)
    assert fight.only(marine).target == 2
    fight.foe(U.ZERGLING, 51, 53)
    assert fight.only(marine).target == 3
    fight.foe(U.BANELING, 49, 54)
    assert fight.only(marine).target == 4


def test_the_present_target_is_kept_unless_another_is_clearly_better(fight: Skirmish) -> None:
    marine = fight.own(U.MARINE, 50, 50, engaged_target_tag=3)
    fight.foe(U.ZERGLING, 50, 53, health=33)
    kept = fight.foe(U.ZERGLING, 51, 53, health=35)
    assert fight.only(marine).target == kept


def test_hidden_and_passing_targets(fight: Skirmish) -> None:
    marine = fight.own(U.MARINE, 50, 50)
    fight.foe(U.ROACH, 50, 53, cloak=1)
    order = fight.only(marine)
    assert order == Attack(marine, FORWARD.point), "what cannot be seen cannot be shot at"


def test_units_with_cooling_weapons_spread_before_banelings(fight: Skirmish) -> None:
    tags = [fight.own(U.MARINE, x, y, weapon_cooldown=10.0) for x, y in crowd(9, 50, 50, 0.7)]
    fight.foe(U.BANELING, 50.7, 54)
    before = np.array(crowd(9, 50, 50, 0.7))
    after = np.array([order.target for (order,) in (fight.orders()[tag] for tag in tags)])
    spread = np.hypot(*(after - after.mean(axis=0)).T).mean()
    assert spread > np.hypot(*(before - before.mean(axis=0)).T).mean() + 0.5
    assert after[:, 1].mean() < before[:, 1].mean()


def test_no_spread_without_banelings(fight: Skirmish) -> None:
    fight.own(U.MARINE, 50, 50)
    fight.foe(U.ZERGLING, 50, 53)
    assert fight.moment().spreads == [False]


@pytest.mark.parametrize(
    ("health", "foes", "researched", "expected"),
    [(45, 6, True, True), (30, 6, True, False), (45, 6, False, False), (45, 0, True, False)],
)
def test_stim_needs_life_enemies_and_research(
    fight: Skirmish, health: int, foes: int, researched: bool, expected: bool
) -> None:
    marine = fight.own(U.MARINE, 50, 50, health=health)
    for x, y in crowd(foes, 50, 53):
        fight.foe(U.ROACH, x, y)
    fight.upgrades = frozenset({UpgradeId.STIMPACK}) if researched else frozenset()
    stims = [o for o in fight.orders()[marine] if isinstance(o, Cast)]
    assert stims == ([Cast(marine, cast=AbilityId.EFFECT_STIM_MARINE, instant=True)] if expected else [])


@pytest.mark.parametrize(
    ("x", "y", "energy", "stims"), [(50, 47, 100, True), (50, 47, 2, False), (75, 47, 100, False), (50, 20, 100, False)]
)
def test_beside_a_medivac_that_can_heal_less_life_will_do(
    fight: Skirmish, x: float, y: float, energy: float, stims: bool
) -> None:
    rules = load("micro")["stim"]
    fight.upgrades = frozenset({UpgradeId.STIMPACK})
    marine = fight.own(U.MARINE, 50, 50, health=rules["marine"] - rules["with_medivac"])
    fight.own(U.MEDIVAC, x, y, energy=energy)
    for place in crowd(6, 50, 53):
        fight.foe(U.ROACH, *place)
    assert any(isinstance(order, Cast) for order in fight.orders()[marine]) is stims


def test_stim_is_budgeted_and_not_doubled(fight: Skirmish) -> None:
    fight.upgrades = frozenset({UpgradeId.STIMPACK})
    tags = [fight.own(U.MARINE, x, y) for x, y in crowd(16, 48, 48)]
    fight.foe(U.ZERGLING, 50, 53)
    fight.foe(U.ROACH, 51, 53)
    stimmed = [tag for tag, orders in fight.orders().items() if any(isinstance(o, Cast) for o in orders)]
    assert 0 < len(stimmed) < len(tags), "a zergling and a roach are not worth everyone's life"
    running = fight.own(U.MARINE, 50, 49, buff_ids=[BuffId.STIMPACK.value])
    assert not any(isinstance(o, Cast) for o in fight.orders()[running])


def test_medivacs_share_the_wounded_and_stay_behind(fight: Skirmish) -> None:
    medivacs = [fight.own(U.MEDIVAC, 50 + k, 48) for k in range(2)]
    worst = fight.own(U.MARINE, 50, 50, health=10)
    hurt = fight.own(U.MARINE, 52, 50, health=40)
    fight.own(U.SIEGETANK, 51, 50, health=10)
    orders = [fight.only(tag) for tag in medivacs]
    assert {order.cast for order in orders} == {AbilityId.MEDIVACHEAL_HEAL}
    assert worst in {order.target for order in orders}
    assert {order.target for order in orders} <= {worst, hurt}, "tanks are repaired, not healed"
    for health, healers in ((27, 1), (18, 2)):
        one = Skirmish()
        tags = [one.own(U.MEDIVAC, 50 + k, 48) for k in range(2)]
        one.own(U.MARINE, 50, 50, health=health)
        assert sum(isinstance(one.only(tag), Cast) for tag in tags) == healers, "two for who has lost most of its life"
    idle = Skirmish()
    medivac = idle.own(U.MEDIVAC, 50, 70)
    idle.own(U.MARINE, 50, 50)
    order = idle.only(medivac)
    assert isinstance(order, Move)
    assert order.target[1] < 50, "behind the fighters, seen from the enemy"


def test_tanks_siege_in_time_and_pack_up_late(fight: Skirmish) -> None:
    tank = fight.own(U.SIEGETANK, 50, 50)
    fight.foe(U.ROACH, 50, 64.5)
    assert fight.only(tank) == Cast(tank, cast=AbilityId.SIEGEMODE_SIEGEMODE)
    fight.buildable[50, 51] = False
    assert fight.only(tank) != Cast(tank, cast=AbilityId.SIEGEMODE_SIEGEMODE), "not on a ramp"

    calm = Skirmish()
    sieged = calm.own(U.SIEGETANKSIEGED, 50, 50)
    assert calm.orders()[sieged] == []
    calm.loop += load("micro")["tank"]["patience"] + 1
    assert calm.only(sieged) == Cast(sieged, cast=AbilityId.UNSIEGE_UNSIEGE)
    assert calm.orders(GUARD)[sieged] == [], "on guard it stays"


def test_tanks_go_behind_the_others(fight: Skirmish) -> None:
    ahead, behind = fight.own(U.SIEGETANK, 50, 70), fight.own(U.SIEGETANK, 50, 40)
    fight.own(U.MARINE, 50, 50)
    assert fight.only(ahead) == Move(ahead, FORWARD.middle)
    assert fight.only(behind) == Attack(behind, FORWARD.point)


def test_tanks_keep_apart_and_do_not_siege_for_flyers(fight: Skirmish) -> None:
    fight.own(U.SIEGETANKSIEGED, 50, 50)
    tank = fight.own(U.SIEGETANK, 51, 50)
    fight.foe(U.ROACH, 50, 60)
    assert not isinstance(fight.only(tank), Cast)
    air = Skirmish()
    tank = air.own(U.SIEGETANK, 50, 50)
    air.foe(U.MUTALISK, 50, 60)
    assert not isinstance(air.only(tank), Cast)


def test_vikings_shoot_flyers_and_stay_with_the_army_otherwise(fight: Skirmish) -> None:
    viking = fight.own(U.VIKINGFIGHTER, 50, 40)
    fight.own(U.MARINE, 50, 50)
    fight.foe(U.ROACH, 50, 70)
    order = fight.only(viking)
    assert isinstance(order, Move)
    assert order.target[1] < 51
    mutalisk = fight.foe(U.MUTALISK, 50, 48)
    assert fight.only(viking) == Attack(viking, mutalisk)


def test_landed_vikings_take_off_when_something_flies(fight: Skirmish) -> None:
    viking = fight.own(U.VIKINGASSAULT, 50, 50)
    fight.foe(U.ROACH, 50, 52)
    assert isinstance(fight.only(viking), Attack)
    fight.foe(U.MUTALISK, 50, 58)
    assert fight.only(viking) == Cast(viking, cast=AbilityId.MORPH_VIKINGFIGHTERMODE)


def test_reapers_throw_once_per_cooldown(fight: Skirmish) -> None:
    reaper = fight.own(U.REAPER, 50, 50)
    fight.foe(U.ZERGLING, 50, 52)
    first = fight.only(reaper)
    assert isinstance(first, Cast)
    assert first.cast is AbilityId.KD8CHARGE_KD8CHARGE
    assert isinstance(fight.only(reaper), Attack)
    fight.loop += 320
    assert isinstance(fight.only(reaper), Cast)


def test_retreat_runs_unless_it_is_hopeless(fight: Skirmish) -> None:
    marine = fight.own(U.MARINE, 50, 50)
    fight.foe(U.ROACH, 50, 54)
    assert fight.only(marine, HOME) == Move(marine, HOME.home), "roaches without speed are slower"
    zergling = fight.foe(U.ZERGLING, 50, 51.5)
    assert fight.only(marine, HOME) == Attack(marine, zergling), "zerglings catch it anyway"


def test_effects_are_left_at_once(fight: Skirmish) -> None:
    marine = fight.own(U.MARINE, 50.3, 50)
    fight.foe(U.ZERGLING, 50, 53)
    bile = SimpleNamespace(
        id=EffectId.RAVAGERCORROSIVEBILECP, positions={Point2((50.0, 50.0))}, radius=0.5, is_mine=False
    )
    fight.effects = [bile, SimpleNamespace(id=999_999, positions={Point2((50.0, 50.0))}, radius=9.0, is_mine=False)]
    order = fight.only(marine)
    assert isinstance(order, Move)
    assert np.hypot(order.target[0] - 50, order.target[1] - 50) > 0.5 + 0.375


@pytest.mark.parametrize(
    ("effect", "stays"), [(EffectId.LIBERATORTARGETMORPHPERSISTENT, True), (EffectId.RAVAGERCORROSIVEBILECP, False)]
)
def test_flyers_leave_only_effects_that_reach_them(fight: Skirmish, effect: EffectId, stays: bool) -> None:
    viking = fight.own(U.VIKINGFIGHTER, 50, 50)
    marine = fight.own(U.MARINE, 50, 51)
    liberator = fight.foe(U.LIBERATORAG, 50, 56)
    fight.effects = [SimpleNamespace(id=effect, positions={Point2((50.0, 50.5))}, radius=0.5, is_mine=False)]
    orders = fight.orders()
    assert isinstance(orders[marine][0], Move)
    assert (orders[viking] == [Attack(viking, liberator)]) is stays


def test_guards_do_not_run_after_everyone(fight: Skirmish) -> None:
    near = fight.own(U.MARINE, 50, 50)
    far = fight.own(U.MARINE, 50, 62)
    roach = fight.foe(U.ROACH, 50, 72)
    assert fight.only(near, GUARD) is None
    assert fight.only(far, GUARD) == Attack(far, GUARD.point)
    assert fight.only(far, FORWARD) == Attack(far, roach)


def test_guards_let_them_come_to_sieged_tanks(fight: Skirmish) -> None:
    marine = fight.own(U.MARINE, 50, 50)
    roach = fight.foe(U.ROACH, 50, 58)
    assert fight.only(marine, GUARD) == Attack(marine, roach)
    fight.own(U.SIEGETANKSIEGED, 50, 46)
    assert fight.only(marine, GUARD) is None


def test_units_without_a_task_get_no_orders(fight: Skirmish) -> None:
    fight.own(U.MARINE, 50, 50)
    fight.foe(U.ZERGLING, 50, 52)
    assert fight.moment().target == [0]
    scene = fight.scene()
    tasks = gather(scene.tag[0, :1].tolist(), {})
    assert Twin().decide(scene, tasks) == [{}]
    shown = tables(scene, tasks)
    assert shown.verbs[0, 0].sum() == 1, "nothing is legal but to go on"


@pytest.mark.parametrize("kind", [U.MARINE, U.MARAUDER, U.MEDIVAC, U.SIEGETANK, U.VIKINGFIGHTER, U.REAPER, U.HELLION])
@pytest.mark.parametrize("task", [FORWARD, HOME, GUARD])
def test_every_rule_stands_alone_and_in_a_crowd(fight: Skirmish, kind: U, task: Task) -> None:
    fight.own(kind, 50, 50)
    fight.orders(task)
    for x, y in crowd(9, 47, 47):
        fight.own(kind, x, y, weapon_cooldown=8.0)
    for enemy in (U.ZERGLING, U.BANELING, U.MUTALISK, U.HATCHERY, U.SPINECRAWLER):
        fight.foe(enemy, 52, 52)
    orders = fight.orders(task)
    assert set(orders) == {unit.tag for unit in fight.knowledge().own.army}
