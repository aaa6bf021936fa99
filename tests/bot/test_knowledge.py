"""Knowledge: facts of types, ways over the ground, memory of the enemy, threats to our bases."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from s2clientprotocol import raw_pb2
from sc2.data import Attribute
from sc2.game_data import GameData
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit
from sc2.units import Units

from bot.config import load
from bot.knowledge import tracker
from bot.knowledge.facts import Facts, recognise
from bot.knowledge.memory import EnemyMemory
from bot.knowledge.paths import Paths, grid_graph
from bot.knowledge.terrain import read_terrain
from bot.knowledge.threats import find_threats
from bot.knowledge.tracker import Tracker, group_own
from tests.bot.own import ENEMY_START, START, fake_bot, flat_terrain, make_knowledge, resources, structure, unit
from tests.bot.skirmish import game_data

T = UnitTypeId
FACTS = Facts(game_data())
SNAPSHOT = {"display_type": 2, "health": 0.0, "health_max": 0.0}
"""What the protocol shows of a structure that was seen earlier."""


def enemy(kind: UnitTypeId, x: float, y: float, tag: int, **fields: Any) -> Unit:
    return unit(kind, x, y, tag, BOT, alliance=4, owner=2, **fields)


BOT = fake_bot()


def test_facts_come_from_the_clients_data() -> None:
    marine = FACTS[T.MARINE]
    assert (marine.cost.minerals, marine.cost.gas, marine.cost.supply) == (50, 0, 1)
    assert marine.ground_dps == pytest.approx(9.8, abs=0.1)
    assert marine.ground_range == 5
    assert marine.speed == pytest.approx(3.15)
    assert Attribute.Light in marine.attributes
    assert FACTS.cost(T.ORBITALCOMMAND).minerals == 150, "the morph alone"
    assert FACTS.cost(T.COMMANDCENTER).minerals == 400
    assert FACTS[T.BANELING].is_fighter, "its weapon is hidden in the data"
    assert not FACTS[T.OVERLORD].is_fighter
    assert not FACTS[T.DRONE].is_fighter
    assert FACTS[T.SPINECRAWLER].is_fighter
    assert FACTS[T.NOTAUNIT].cost.value == 0


def test_a_client_with_other_numbers_for_types_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    from sim.facts import load as load_facts
    from sim.server.data import response_data

    old = load_facts("4.10.0")
    data = GameData(response_data(old, old.types, old.weapons))
    bot = fake_bot(game_data=data)
    rich = old.ids["RefineryRich"]
    assert rich != T.REFINERYRICH.value
    monkeypatch.setattr(tracker, "read_terrain", lambda _: flat_terrain())
    try:
        facts = Tracker(bot).facts
        proto = raw_pb2.Unit(unit_type=rich, tag=1, alliance=1)
        assert Unit(proto, bot).type_id is T.REFINERYRICH
        assert facts[T.REFINERYRICH].cost.minerals == 75
    finally:
        recognise(game_data())
    assert Unit(proto, BOT).type_id is not T.REFINERYRICH, "in the newer client the number is another type's"


def test_ways_go_round_walls_and_not_through_corners() -> None:
    ground = np.ones((20, 20), dtype=bool)
    ground[:15, 10] = False
    paths = Paths(grid_graph(ground), ground.shape, (2.5, 2.5))
    straight = 15.0
    assert paths.to((17.5, 2.5)) > 1.5 * straight
    assert paths.to((2.5, 12.5)) == pytest.approx(10.0)
    corner = np.zeros((4, 4), dtype=bool)
    corner[:2, :2] = corner[2:, 2:] = True
    assert Paths(grid_graph(corner), corner.shape, (3.5, 3.5)).distance[0, 0] == np.inf


def test_a_walk_towards_the_source_shortens_the_way_by_what_was_asked() -> None:
    ground = np.ones((40, 40), dtype=bool)
    ground[5:30, 20] = False
    paths = Paths(grid_graph(ground), ground.shape, (35.5, 15.5))
    here = (5.5, 15.5)
    ahead = paths.towards_source(here, 10.0)
    assert paths.to(here) - paths.to(ahead) == pytest.approx(10.0, abs=1.5)
    assert paths.towards_source(here, 1000.0) == pytest.approx((35.5, 15.5))
    island = np.zeros((40, 40), dtype=bool)
    island[5:8, 5:8] = True
    assert Paths(grid_graph(island), island.shape, (6.5, 6.5)).towards_source((30.5, 30.5), 5.0) == (30.5, 30.5)


def observe(memory: EnemyMemory, loop: int, units: list[Unit], visibility: np.ndarray | None = None) -> Any:
    structures = [one for one in units if one.is_structure]
    bot = SimpleNamespace(
        enemy_units=Units([one for one in units if not one.is_structure], None),
        enemy_structures=Units(structures, None),
        state=SimpleNamespace(
            game_loop=loop,
            visibility=SimpleNamespace(
                data_numpy=visibility if visibility is not None else np.zeros((128, 128), dtype=np.uint8)
            ),
        ),
    )
    return memory.update(bot)


def test_units_are_remembered_out_of_sight_and_forgotten_with_time() -> None:
    memory = EnemyMemory(flat_terrain(), FACTS)
    picture = enemy(T.ROACH, 82, 80, 3, display_type=2)
    seen = observe(memory, 0, [enemy(T.ROACH, 80, 80, 1), enemy(T.DRONE, 81, 80, 2), picture])
    assert seen.army_value == 100, "workers are no army, and what is out of sight was counted when it was seen"
    assert observe(memory, 200, []).army_value == 100
    assert observe(memory, 22 * 120, []).army_value == 0


def test_fighters_whose_weapon_the_client_hides_count_in_the_army() -> None:
    units = [enemy(T.LURKERMP, 80, 80, 1), enemy(T.DISRUPTOR, 81, 80, 2), enemy(T.OBSERVER, 82, 80, 3)]
    assert observe(EnemyMemory(flat_terrain(), FACTS), 0, units).army_value == 600


def test_units_come_in_one_order_however_they_are_listed() -> None:
    """Observations list them in another order each time; equals must not be told apart by that."""
    foes = [enemy(T.ROACH, 80, 80, tag) for tag in (3, 1, 2)]
    assert [u.tag for u in observe(EnemyMemory(flat_terrain(), FACTS), 0, foes).units] == [1, 2, 3]
    own = [unit(T.MARINE, 20, 20, tag, BOT) for tag in (6, 4, 5)]
    assert [u.tag for u in group_own(fake_bot(all_own_units=own, structures=[])).army] == [4, 5, 6]


def test_the_dead_are_forgotten_at_once() -> None:
    memory = EnemyMemory(flat_terrain(), FACTS)
    observe(memory, 0, [enemy(T.ROACH, 80, 80, 1)])
    memory.forget(1)
    assert observe(memory, 4, []).army_value == 0


def test_a_structure_is_remembered_until_its_place_is_seen_empty() -> None:
    memory = EnemyMemory(flat_terrain(), FACTS)
    observe(memory, 0, [enemy(T.HATCHERY, 80.5, 80.5, 1)])
    assert observe(memory, 22 * 600, []).bases == (Point2((80.5, 80.5)),)
    visible = np.zeros((128, 128), dtype=np.uint8)
    visible[70:90, 70:90] = 2
    assert observe(memory, 22 * 601, [], visible).bases == ()


def test_a_structure_out_of_sight_is_counted_once_and_keeps_its_life() -> None:
    memory = EnemyMemory(flat_terrain(), FACTS)
    seen = observe(memory, 0, [enemy(T.PHOTONCANNON, 80, 80, 1, health=150.0, shield=150.0)])
    for loop, tag in ((4, 50), (8, 50), (20, 51)):  # each time it leaves sight its copy has another tag
        seen = observe(memory, loop, [enemy(T.PHOTONCANNON, 80, 80, tag, **SNAPSHOT)])
        assert [(s.tag, s.health, s.loop) for s in seen.memory.values()] == [(tag, 300.0, 0)]
        assert seen.counts[T.PHOTONCANNON] == 1
    seen = observe(memory, 40, [enemy(T.PHOTONCANNON, 80, 80, 1, health=20.0)])
    assert [(s.tag, s.health, s.loop) for s in seen.memory.values()] == [(1, 20.0, 40)]


def test_who_hides_keeps_the_life_it_had() -> None:
    memory = EnemyMemory(flat_terrain(), FACTS)
    hidden = {"cloak": 1, "health": 0.0, "health_max": 0.0, "build_progress": 0.0}
    seen = observe(memory, 0, [enemy(T.DARKTEMPLAR, 80, 80, 1, **hidden), enemy(T.BANSHEE, 70, 70, 2, health=100.0)])
    assert seen.memory[1].health == 120, "never seen: as much as its kind has"
    assert seen.memory[1].finished == 0, "it is no structure that is being built"
    seen = observe(memory, 4, [enemy(T.BANSHEE, 71, 70, 2, **hidden)])
    assert (seen.memory[2].health, seen.memory[2].position.x, seen.memory[2].loop) == (100, 71, 4)


def test_work_on_a_structure_goes_on_out_of_sight() -> None:
    memory = EnemyMemory(flat_terrain(), FACTS)
    half = FACTS[T.PHOTONCANNON].build_loops / 2
    observe(memory, 0, [enemy(T.PHOTONCANNON, 80, 80, 1, build_progress=0.5)])
    copy = enemy(T.PHOTONCANNON, 80, 80, 50, **SNAPSHOT, build_progress=0.5)
    (sighting,) = observe(memory, int(half / 2), [copy]).memory.values()
    assert sighting.finished == pytest.approx(half)


def test_air_and_cloak_are_noticed() -> None:
    memory = EnemyMemory(flat_terrain(), FACTS)
    assert not observe(memory, 0, [enemy(T.OVERLORD, 80, 80, 1, is_flying=True)]).has_air
    seen = observe(memory, 20, [enemy(T.MUTALISK, 80, 80, 2, is_flying=True), enemy(T.LURKERMP, 70, 70, 3)])
    assert seen.has_air
    assert seen.has_cloak


def test_the_only_start_left_is_the_enemys() -> None:
    assert observe(EnemyMemory(flat_terrain(), FACTS), 0, []).start == ENEMY_START


@pytest.mark.parametrize("looked", [True, False])
def test_of_several_starts_the_enemys_is_the_one_with_a_structure_or_the_last_that_is_left(looked: bool) -> None:
    starts = (ENEMY_START, Point2((30.5, 97.5)))
    memory = EnemyMemory(dataclasses.replace(flat_terrain(), enemy_starts=starts), FACTS)
    assert observe(memory, 0, [enemy(T.PYLON, 60, 60, 1)]).start is None
    visible = np.zeros((128, 128), dtype=np.uint8)
    visible[90:110, 90:110] = 2 * looked
    found = [] if looked else [enemy(T.NEXUS, *starts[1], 2)]
    assert observe(memory, 16, found, visible).start == starts[1]


BASES = [START, Point2((62.5, 34.5))]


def threats(units: list[Unit]) -> Any:
    return find_threats(units, BASES, FACTS, radius=28, cluster=14)


def test_enemies_far_away_or_harmless_threaten_nobody() -> None:
    assert threats([enemy(T.ROACH, 110, 110, 1)]) == ()
    assert threats([enemy(T.OVERLORD, 31, 31, 1, is_flying=True)]) == ()
    assert threats([]) == ()


def test_what_stands_far_from_our_bases_is_guarded_but_for_turrets_of_ravens() -> None:
    tracker = object.__new__(Tracker)
    tracker.facts, tracker._threat = FACTS, load("knowledge")["threat"]
    roach = enemy(T.ROACH, 100, 64, 9)
    hall = structure(T.COMMANDCENTER, *START, 1, BOT)
    for kind, guarded in ((T.BARRACKS, 1), (T.AUTOTURRET, 0)):
        own = make_knowledge([hall, structure(kind, 95, 64, 2, BOT)], bot=BOT).own
        assert len(tracker._find_threats(own, (roach,))) == guarded


def test_groups_are_apart_and_the_dearest_comes_first() -> None:
    units = [enemy(T.ZERGLING, 20, 20, 1), enemy(T.ROACH, 75, 40, 2), enemy(T.ROACH, 76, 40, 3)]
    first, second = threats(units)
    assert (first.value, first.base, first.tags) == (200, BASES[1], frozenset({2, 3}))
    assert (second.value, second.base) == (25, BASES[0])


def test_flyers_and_workers_are_told_apart() -> None:
    units = [enemy(T.MUTALISK, 30, 35, 1, is_flying=True), enemy(T.DRONE, 31, 35, 2)]
    (threat,) = threats(units)
    assert (threat.ground_value, threat.air_value, threat.workers) == (50, 200, 1)
    assert (threat.value, threat.fighting_value) == (250, 200)


def test_without_a_town_hall_our_start_is_where_our_units_are(shared: Path) -> None:
    from tests.bot.recorded import prepare

    bot, _ = prepare(shared / "recordings", "TorchesAIE")
    usual = read_terrain(bot)
    bot.townhalls = Units([], bot)
    terrain = read_terrain(bot)
    assert terrain.start.distance_to(usual.start) < 12
    assert terrain.enemy_starts == usual.enemy_starts


def test_bases_are_searched_now_and_then_though_a_town_hall_flies() -> None:
    flying = structure(T.COMMANDCENTERFLYING, 50, 50, 1, BOT, is_flying=True)
    grid = SimpleNamespace(data_numpy=np.zeros((128, 128), dtype=np.uint8))
    bot = SimpleNamespace(
        client=SimpleNamespace(game_step=4),
        state=SimpleNamespace(game_loop=0, upgrades=set(), visibility=grid, creep=grid),
        all_own_units=[flying],
        structures=[flying],
        **dict.fromkeys(("enemy_units", "enemy_structures", "mineral_field", "vespene_geyser"), ()),
        **dict.fromkeys(("minerals", "vespene", "supply_used", "supply_cap"), 0),
    )
    tracker = object.__new__(Tracker)
    tracker.facts, tracker.terrain = FACTS, flat_terrain()
    tracker.memory, tracker._threat = EnemyMemory(tracker.terrain, FACTS), load("knowledge")["threat"]
    tracker._bases, tracker._bases_loop, tracker._halls = (), -100, set()
    searches = []
    tracker._find_bases = lambda *_: searches.append(bot.state.game_loop) or ()
    for loop in range(0, 40, 4):
        bot.state.game_loop = loop
        tracker.update(bot)
    assert searches == [0, 16, 32]


def test_a_base_is_a_town_hall_on_its_site_with_what_is_left_there() -> None:
    terrain = flat_terrain()
    main, natural = terrain.sites[:2]
    (first, *fields), (geyser, other) = resources(main, BOT)[0], resources(main, BOT)[1]
    refinery = structure(T.REFINERYRICH, *geyser.position, 50, BOT)
    halls = [
        structure(T.ORBITALCOMMAND, *natural.position, 1, BOT),
        structure(T.COMMANDCENTER, *main.position, 2, BOT),
        structure(T.COMMANDCENTERFLYING, *main.position, 3, BOT, is_flying=True),
        structure(T.COMMANDCENTER, 60, 90, 4, BOT),
    ]
    bot = fake_bot(mineral_field=fields, vespene_geyser=[geyser, other])
    tracker = object.__new__(Tracker)
    tracker.terrain = terrain
    bases = tracker._find_bases(
        bot, group_own(fake_bot(all_own_units=[*halls, refinery], structures=[*halls, refinery]))
    )
    assert [base.townhall.tag for base in bases] == [2, 1], "nearest first; who flies or stands elsewhere has none"
    assert bases[0].minerals == tuple(fields), f"{first} is mined out"
    assert (bases[0].geysers, bases[0].refineries) == ((geyser, other), (refinery,))
    assert not bases[1].minerals


def test_what_lies_inside_the_playable_area() -> None:
    terrain = flat_terrain()
    x0, y0, x1, y1 = terrain.playable
    for point, inside in (((x0, y0), True), ((x1, 50), False), ((50, y1), False), ((50, y0 - 1), False)):
        assert terrain.inside(point) is inside
        assert terrain.inside(terrain.clamp(point, 2.0), 1.0)
    assert not terrain.inside((x0 + 1, 50), 2.0)
