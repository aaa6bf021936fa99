"""Strategy: stance with hysteresis, targets that follow the economy."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2

from bot.config import load
from bot.knowledge.model import Knowledge, Sighting
from bot.knowledge.terrain import Site, Terrain
from bot.macro.production import RECIPES
from bot.macro.tech import RESEARCHED_AT
from bot.strategy.composition import CompositionKeeper, specials
from bot.strategy.decide import Strategy
from bot.strategy.economy import (
    bases_wanted,
    gas_workers,
    refineries_wanted,
    saturation,
    structures_wanted,
    workers_wanted,
)
from bot.strategy.plan import Stance
from bot.strategy.stance import StanceKeeper, army_is_behind, attack_target, rally_point, search_points
from tests.bot.own import ENEMY_START, START, flat_terrain, make_knowledge, ring, structure, unit
from tests.bot.sighted import loops, moment, seen

T = UnitTypeId
CONFIG = load("strategy")
RALLY = CONFIG["rally"]
HATCHERY = seen(T.HATCHERY, 1)


def test_attack_waits_for_mass_and_time() -> None:
    keeper = StanceKeeper(CONFIG["attack"])
    assert keeper.update(moment(20, HATCHERY), False)[0] is Stance.DEFEND
    assert keeper.update(moment(60, HATCHERY, seconds=200), False)[0] is Stance.DEFEND
    stance, reason = keeper.update(moment(60, HATCHERY, seconds=420), False)
    assert stance is Stance.ATTACK
    assert "critical mass" in reason


def test_a_stronger_enemy_is_not_attacked() -> None:
    strong = HATCHERY | {k + 100: v for k, v in seen(T.ROACH, 60).items()}
    assert StanceKeeper(CONFIG["attack"]).update(moment(60, strong), False)[0] is Stance.DEFEND


def test_an_attack_is_kept_through_small_changes_and_broken_off_when_lost() -> None:
    keeper = StanceKeeper(CONFIG["attack"])
    keeper.update(moment(60, HATCHERY, seconds=400), False)
    even = HATCHERY | {k + 100: v for k, v in seen(T.ROACH, 20).items()}
    assert keeper.update(moment(40, even, seconds=430), False)[0] is Stance.ATTACK
    strong = HATCHERY | {k + 100: v for k, v in seen(T.ROACH, 60).items()}
    assert keeper.update(moment(40, strong, seconds=435), False)[0] is Stance.DEFEND
    assert keeper.update(moment(50, HATCHERY, seconds=470), False)[0] is Stance.DEFEND, "after a defeat wait for more"
    assert keeper.update(moment(70, HATCHERY, seconds=480), False)[0] is Stance.ATTACK


def test_a_full_supply_attacks_in_any_case() -> None:
    strong = HATCHERY | {k + 100: v for k, v in seen(T.ROACH, 90).items()}
    assert StanceKeeper(CONFIG["attack"]).update(moment(60, strong, supply_used=190), False)[0] is Stance.ATTACK


def test_hunting_begins_when_nothing_is_known_and_the_start_was_seen() -> None:
    unseen = moment(60, {}, seconds=500)
    assert StanceKeeper(CONFIG["attack"]).update(unseen, False)[0] is Stance.ATTACK
    looked = dataclasses.replace(unseen, visibility=np.ones(unseen.terrain.shape, dtype=np.uint8))
    assert StanceKeeper(CONFIG["attack"]).update(looked, False)[0] is Stance.HUNT
    points = search_points(looked)
    assert points
    assert all(looked.terrain.inside(p) for p in points)


def test_with_several_places_to_start_at_all_are_looked_at_before_the_hunt() -> None:
    starts = (ENEMY_START, Point2((30.5, 97.5)))
    unseen = moment(60, {}, seconds=500, terrain=dataclasses.replace(flat_terrain(), enemy_starts=starts))
    unseen = dataclasses.replace(unseen, enemy=dataclasses.replace(unseen.enemy, start=None))
    unseen.visibility[90:110, 90:110] = 1
    stance, _ = StanceKeeper(CONFIG["attack"]).update(unseen, False)
    assert (stance, attack_target(unseen)) == (Stance.ATTACK, starts[1])
    unseen.visibility[:] = 1
    assert StanceKeeper(CONFIG["attack"]).update(unseen, False)[0] is Stance.HUNT


def test_structures_that_nobody_can_walk_to_are_hunted_and_called_for() -> None:
    walkable = flat_terrain().walkable
    walkable[:, 110:] = False
    visible = np.ones(walkable.shape, dtype=np.uint8)
    for x, stance in ((120.5, Stance.HUNT), (100.5, Stance.ATTACK)):
        lifted = {1: Sighting(1, T.BARRACKSFLYING, Point2((x, 60.5)), 0, 900.0, True, True, 0.0)}
        knowledge = moment(60, lifted, seconds=700, terrain=flat_terrain(walkable), visibility=visible)
        assert StanceKeeper(CONFIG["attack"]).update(knowledge, False)[0] is stance
        assert specials(knowledge, load("composition"))[0][T.VIKINGFIGHTER] == 1
        assert attack_target(knowledge) == (ENEMY_START if stance is Stance.HUNT else lifted[1].position)


def test_targets_are_known_town_halls_then_structures_then_the_start() -> None:
    near = Point2((62.5, 34.5))
    assert attack_target(moment(1, seen(T.HATCHERY, 1, at=near) | {5: next(iter(HATCHERY.values()))})) == near
    assert attack_target(moment(1, seen(T.SPAWNINGPOOL, 1, at=near))) == near
    assert attack_target(moment(1, {})) == ENEMY_START


def test_the_rally_point_lies_before_the_outer_base() -> None:
    knowledge = moment(1)
    point = rally_point(knowledge, True, RALLY)
    assert 4 < point.distance_to(START) < 14
    assert point.distance_to(ENEMY_START) < START.distance_to(ENEMY_START)


def test_without_the_main_the_army_waits_at_the_base_that_is_left() -> None:
    terrain = dataclasses.replace(flat_terrain(), ramp_top=START.towards(ENEMY_START, 16.0))
    near = Point2((62.5, 34.5))
    main, natural = structure(T.COMMANDCENTER, *START, 1), structure(T.COMMANDCENTER, *near, 2)
    assert rally_point(make_knowledge([main], terrain=terrain), False, RALLY).distance_to(terrain.ramp_top) < 4
    left = rally_point(make_knowledge([natural], terrain=terrain), False, RALLY)
    assert left == rally_point(make_knowledge([main, natural], terrain=terrain), False, RALLY)
    assert left.distance_to(near) < 14


def test_the_army_gathers_at_a_new_base_only_when_it_is_finished() -> None:
    near = Point2((62.5, 34.5))
    halls = [structure(T.COMMANDCENTER, *START, 1), structure(T.COMMANDCENTER, *near, 2)]
    third = [structure(T.COMMANDCENTER, *ENEMY_START, 3, build_progress=share) for share in (0.5, 1.0)]
    places = [rally_point(make_knowledge([*halls, hall]), False, RALLY) for hall in third]
    assert places[0] == rally_point(make_knowledge(halls), False, RALLY)
    assert places[0].distance_to(near) < 14 < places[1].distance_to(near)


def test_with_a_third_base_the_army_waits_between_it_and_the_natural_off_ramps() -> None:
    third, natural = Point2((62.5, 70.5)), Point2((62.5, 34.5))
    halls = [structure(T.COMMANDCENTER, *at, tag) for tag, at in enumerate((START, natural, third), 1)]

    def place(terrain: Terrain) -> Point2:
        sites = (*terrain.sites, Site(third, *ring(third), 50.0, terrain.from_enemy.to(third)))
        terrain = dataclasses.replace(terrain, sites=sites)
        return rally_point(make_knowledge(halls, terrain=terrain), False, RALLY)

    middle = natural.towards(third, 18.0)
    assert place(flat_terrain()).distance_to(middle) < 2
    walkable = flat_terrain().walkable
    buildable = walkable.copy()
    buildable[int(middle.y) - 1 : int(middle.y) + 3] = False  # a ramp, half way
    beside = place(flat_terrain(walkable, buildable))
    assert 2 < beside.distance_to(middle) < 8
    far = Point2((62.5, 110.5))
    halls[2] = structure(T.COMMANDCENTER, *far, 3)
    terrain = flat_terrain()
    sites = (*terrain.sites[:2], Site(far, *ring(far), 90.0, terrain.from_enemy.to(far)))
    point = rally_point(make_knowledge(halls, terrain=dataclasses.replace(terrain, sites=sites)), False, RALLY)
    assert point.distance_to(far) < RALLY["furthest"] + 2


def test_early_soldiers_wait_behind_the_bunker() -> None:
    spot = START.towards(ENEMY_START, 8.0)
    units = [structure(T.COMMANDCENTER, *START, 1), structure(T.BUNKER, *spot, 2)]
    guarded = make_knowledge(units, loop=loops(200))
    behind, later = rally_point(guarded, True, RALLY), rally_point(guarded, False, RALLY)
    assert behind.distance_to(START) < spot.distance_to(START) - 2
    assert behind.distance_to(spot) < 4
    assert later == rally_point(moment(0), False, RALLY)


def test_gas_is_left_while_it_piles_up_and_minerals_are_short() -> None:
    refinery = structure(T.REFINERY, 40, 40, 2, vespene_contents=2000)
    workers = [unit(T.SCV, 40, 40, 200 + i) for i in range(20)]
    for gas, wanted in ((0, 3), (CONFIG["gas"]["enough"] + 1, 1)):
        knowledge = make_knowledge([structure(T.COMMANDCENTER, *START, 1), refinery, *workers], gas=gas)
        assert gas_workers(knowledge, CONFIG["gas"]) == wanted


def test_the_composition_answers_and_does_not_flap() -> None:
    keeper = CompositionKeeper(load("composition"))
    assert T.VIKINGFIGHTER not in keeper.update(moment(5, seconds=300))[0]
    mutalisks = moment(5, seen(T.MUTALISK, 10), seconds=400)
    shares, reason = keeper.update(mutalisks)
    assert shares[T.VIKINGFIGHTER] > 0
    assert "flyers" in reason
    roaches = seen(T.ROACH, 20)
    assert keeper.update(moment(5, roaches, seconds=405))[0] == shares
    assert keeper.update(moment(5, roaches, seconds=500))[0] != shares


def test_special_units_come_late_or_when_they_are_called_for() -> None:
    armies = load("composition")
    assert specials(moment(5, seconds=200), armies) == ({}, (), "")
    assert specials(moment(5, seen(T.COLOSSUS, 2), seconds=400), armies)[0] == {T.VIKINGFIGHTER: 3}
    units, research, reason = specials(moment(5, seconds=900, supply_used=160), armies)
    assert units[T.BANSHEE] >= 1
    assert units[T.NUKE] == 1
    assert UpgradeId.BANSHEECLOAK in research
    assert "banshee" in reason


def test_the_army_schedule() -> None:
    config = CONFIG["army_first"]
    assert not army_is_behind(moment(0, seconds=60), config)
    assert army_is_behind(moment(0, seconds=300), config)
    assert not army_is_behind(moment(30, seconds=300), config)
    assert army_is_behind(moment(30, seen(T.ROACH, 40), seconds=300), config)


def test_targets_grow_with_bases_and_workers() -> None:
    one = make_knowledge([structure(T.COMMANDCENTER, *START, 1)], loop=loops(300))
    two = make_knowledge(
        [structure(T.COMMANDCENTER, *START, 1), structure(T.COMMANDCENTER, 62.5, 34.5, 2)], loop=loops(300)
    )
    economy = CONFIG["economy"]
    assert workers_wanted(one, economy) < workers_wanted(two, economy) <= economy["most_workers"]
    assert structures_wanted(one, CONFIG)[T.BARRACKS] < structures_wanted(two, CONFIG)[T.BARRACKS]
    assert bases_wanted(two, True, False, economy)[0] == 2
    assert bases_wanted(two, False, True, economy)[0] == 2
    assert refineries_wanted(one, False, CONFIG["gas"]) == 1


def test_a_third_base_waits_until_two_are_full_of_workers() -> None:
    def with_workers(count: int) -> Knowledge:
        halls = [structure(T.COMMANDCENTER, *START, 1), structure(T.COMMANDCENTER, 62.5, 34.5, 2)]
        return make_knowledge([*halls, *(unit(T.SCV, 30, 30, 500 + i) for i in range(count))], loop=loops(300))

    economy = CONFIG["economy"]
    full = saturation(with_workers(0).bases)
    assert full > 0
    assert bases_wanted(with_workers(full // 2), False, False, economy)[0] == 2
    assert bases_wanted(with_workers(full), False, False, economy)[0] == 3


def test_gas_workers_step_back_when_gas_piles_up() -> None:
    refineries = [structure(T.REFINERY, 20.5 + 7 * i, 20.5, 50 + i, vespene_contents=1000) for i in range(2)]
    workers = [unit(T.SCV, 30, 30, 500 + i) for i in range(30)]
    units = [structure(T.COMMANDCENTER, *START, 1), *refineries, *workers]
    assert gas_workers(make_knowledge(units, minerals=300, gas=100), CONFIG["gas"]) == 6
    assert gas_workers(make_knowledge(units, minerals=50, gas=900), CONFIG["gas"]) == 2


def test_decisions_are_logged_once_with_their_reason() -> None:
    strategy = Strategy()
    for seconds in (1, 2, 3):
        plan = strategy.decide(moment(0, seconds=seconds))
    assert plan.stance is Stance.DEFEND
    assert plan.reasons
    said = [reason for _, reason in strategy.log]
    assert len(said) == len(set(said))


def test_every_name_in_the_files_exists() -> None:
    made = {recipe.unit for row in RECIPES.values() for recipe in row}
    armies = load("composition")
    for row in armies["army"]:
        assert {T[unit] for unit in row["units"]} <= made, row["reason"]
        assert sum(row["units"].values()) == pytest.approx(1.0), row["reason"]
        assert all(T[name] for name in row.get("seen", ()))
    assert "seen" not in armies["army"][-1]
    for row in armies["special"]:
        assert T[row["unit"]] in made
        assert all(T[name] for name in row.get("seen", ()))
        assert all(UpgradeId[name] in RESEARCHED_AT for name in row.get("upgrades", ()))
    assert all(T[name] for name in load("knowledge")["memory"]["weaponless"])
    for name in CONFIG["upgrades"]["order"]:
        assert UpgradeId[name] in RESEARCHED_AT
    for name, row in CONFIG["structures"].items():
        assert T[name]
        assert len(row) == 4


def test_bases_that_run_dry_are_replaced_and_a_full_bank_takes_one_more() -> None:
    economy = CONFIG["economy"]
    halls = [structure(T.COMMANDCENTER, *START, 1), structure(T.COMMANDCENTER, 62.5, 34.5, 2)]

    def wanted(fields: int, seconds: float = 200, **more: object) -> int:
        knowledge = make_knowledge(halls, loop=loops(seconds), **more)
        main, natural = knowledge.bases
        bases = (dataclasses.replace(main, minerals=main.minerals[:fields]), natural)
        return bases_wanted(dataclasses.replace(knowledge, bases=bases), False, False, economy)[0]

    assert wanted(8) == 2
    assert wanted(economy["minerals_low"]) == 2
    assert wanted(economy["minerals_low"] - 1) == 3
    assert wanted(8, minerals=economy["bank"] + 1) == 3
    assert wanted(4, minerals=economy["bank"] + 1) == 3, "one more is wanted already"
    assert wanted(4, seconds=economy["fourth_base"] + economy["base_every"]) == 3, "too few SCVs for what there is"


@pytest.mark.parametrize(("count", "bases", "refineries"), [(16, 1, 1), (22, 1, 2), (24, 2, 1), (44, 2, 4), (62, 2, 4)])
def test_refineries_grow_with_workers_and_finished_bases(count: int, bases: int, refineries: int) -> None:
    places = (START, Point2((62.5, 34.5)))[:bases]
    units = [structure(T.COMMANDCENTER, *at, tag) for tag, at in enumerate(places, 1)]
    units += [unit(T.SCV, 30, 30, 500 + i) for i in range(count)]
    gas = CONFIG["gas"]
    knowledge = make_knowledge(units, loop=loops(200))
    assert refineries_wanted(knowledge, False, gas) == refineries
    assert refineries_wanted(knowledge, True, gas) == 1, "under an early attack"
    late = dataclasses.replace(knowledge, loop=loops(gas["rushed_until"] + 1), gas=gas["much"] + 1)
    assert refineries_wanted(late, True, gas) == min(refineries, 2), "so much gas is never spent"


def test_the_scout_leaves_with_the_supply_for_it_and_is_home_in_time() -> None:
    rules = CONFIG["scout"]
    for supply, seconds, sent in (
        (rules["at_supply"] - 1, 60, False),
        (rules["at_supply"], 60, True),
        (rules["at_supply"], rules["until"] + 1, False),
    ):
        assert Strategy().decide(moment(0, seconds=seconds, supply_used=supply)).scout is sent


def test_an_early_attack_calls_everybody_home() -> None:
    keeper = StanceKeeper(CONFIG["attack"])
    assert keeper.update(moment(60, HATCHERY, seconds=420), True)[0] is Stance.DEFEND
    assert keeper.update(moment(60, HATCHERY, seconds=425), False)[0] is Stance.ATTACK
    assert keeper.update(moment(60, HATCHERY, seconds=450), True)[0] is Stance.ATTACK, "it goes on"
    assert keeper.update(moment(4, HATCHERY, seconds=480), False) == (Stance.DEFEND, "hardly any army is left")


def test_kinds_that_come_late_are_left_out_until_then() -> None:
    for seconds, there in (
        (CONFIG["structures_from"]["ARMORY"] - 1, False),
        (CONFIG["structures_from"]["ARMORY"], True),
    ):
        assert (T.ARMORY in structures_wanted(moment(0, seconds=seconds), CONFIG)) is there
