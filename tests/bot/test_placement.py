"""Slots: nothing overlaps, add-ons have room, lanes stay open, whatever the ground looks like."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2

from bot.config import load
from bot.knowledge.sites import find_sites
from bot.knowledge.terrain import Terrain
from bot.macro.grid import cells, disc, fits, lane, large_parts, reachable, wide
from bot.macro.layout import POCKET, Kind, Layout, plan_layout
from bot.macro.placement import Placement
from tests.bot.own import SIZE, START, flat_terrain, make_knowledge, ring, structure, unit

CONFIG = load("placement")
T = UnitTypeId


def rectangle(point: Point2, kind: Kind) -> tuple[float, float, float, float]:
    """x0, y0, x1, y1 of what a slot reserves; a production slot's add-on is at (+2.5, -0.5)."""
    width, height = kind.value
    left = point.x - (1.5 if kind is Kind.PRODUCTION else width / 2)
    return left, point.y - height / 2, left + width, point.y + height / 2


def check(terrain: Terrain, layouts: list[Layout]) -> None:
    """What must hold for the slots of all bases together."""
    grid = np.zeros(terrain.shape, dtype=int)
    standing = np.zeros(terrain.shape, dtype=bool)
    for layout in layouts:
        for kind, points in layout.slots.items():
            for point in points:
                x0, y0, x1, y1 = rectangle(point, kind)
                assert all(value == int(value) for value in (x0, y0, x1, y1)), f"{point} is off the grid"
                window = np.s_[int(y0) : int(y1), int(x0) : int(x1)]
                assert terrain.buildable[window].all(), f"{kind} at {point} is not on buildable ground"
                grid[window] += 1
                standing[window] |= kind is not Kind.DEPOT
    assert grid.max() <= 1, "two slots overlap"
    for site in terrain.sites:
        assert not grid[cells(site.position.x, site.position.y, 5, 5)].any(), "a slot lies on a town hall's place"
        for resource in (*site.minerals, *site.geysers):
            way = lane(terrain.shape, site.position, resource, 1.0)
            assert not grid[way].any(), "a slot blocks mining"
    blocks = grid.astype(bool)
    walk = terrain.walkable & ~blocks
    out = terrain.from_enemy.towards_source(terrain.start, 10.0)
    assert reachable(walk, *out)[int(terrain.enemy_starts[0].y), int(terrain.enemy_starts[0].x)]
    left = wide(terrain.walkable & ~standing)  # depots are lowered
    walled_in = reachable(wide(terrain.walkable), *out) & left & ~reachable(left, *out)
    assert not large_parts(walled_in & ~blocks, POCKET).any(), "tanks would be walled in"


def plan_all(terrain: Terrain, count: int = 2) -> list[Layout]:
    taken = np.zeros(terrain.shape, dtype=bool)
    layouts = []
    for site in terrain.sites[:count]:
        layout, taken = plan_layout(terrain, site, taken, CONFIG)
        layouts.append(layout)
    return layouts


def test_open_ground_gives_plenty_of_slots() -> None:
    terrain = flat_terrain()
    main, natural = plan_all(terrain)
    check(terrain, [main, natural])
    assert len(main.slots[Kind.PRODUCTION]) >= 8
    assert len(main.slots[Kind.DEPOT]) >= 20
    assert len(main.slots[Kind.TECH]) >= 3
    distances = [p.distance_to(START) for p in main.slots[Kind.PRODUCTION]]
    assert distances == sorted(distances)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(6, 100), st.integers(6, 100), st.integers(2, 14), st.integers(2, 14)), max_size=10)
)
@example([(34, 32, 12, 14)])  # slots of the natural lay on the main's way out
def test_any_obstacles_leave_valid_slots(holes: list[tuple[int, int, int, int]]) -> None:
    """Random holes in the ground, with the ways between town halls kept open."""
    walkable = np.zeros((SIZE, SIZE), dtype=bool)
    walkable[4:-4, 4:-4] = True
    for x, y, width, height in holes:
        walkable[y : y + height, x : x + width] = False
    plain = flat_terrain()
    for a, b in itertools.pairwise([site.position for site in plain.sites]):
        walkable |= lane(walkable.shape, a, b, 9.0)
    terrain = flat_terrain(walkable)
    check(terrain, plan_all(terrain))


def test_ramps_stay_clear() -> None:
    walkable = np.zeros((SIZE, SIZE), dtype=bool)
    walkable[4:-4, 4:-4] = True
    buildable = walkable.copy()
    buildable[40:48, 40:48] = False
    terrain = flat_terrain(walkable, buildable)
    main = plan_all(terrain, 1)[0]
    margin = CONFIG["lanes"]["ramp"]
    for kind, points in main.slots.items():
        for point in points:
            x0, y0, x1, y1 = rectangle(point, kind)
            assert x1 <= 40 - margin or x0 >= 48 + margin or y1 <= 40 - margin or y0 >= 48 + margin


def test_the_next_place_avoids_what_stands_and_what_was_refused() -> None:
    terrain = flat_terrain()
    placement = Placement(terrain)
    hall = structure(T.COMMANDCENTER, *START, 1)
    empty = make_knowledge([hall], terrain=terrain)
    first, second = placement.candidates(T.BARRACKS, empty, [])[:2]
    built = make_knowledge([hall, structure(T.BARRACKS, *first, 2)], terrain=terrain)
    assert placement.candidates(T.BARRACKS, built, [])[0] == second
    assert placement.candidates(T.BARRACKS, empty, [(T.BARRACKS, first)])[0] == second
    placement.mark_bad(first, 0)
    assert placement.candidates(T.BARRACKS, empty, [])[0] == second
    later = make_knowledge([hall], terrain=terrain, loop=10_000)
    assert placement.candidates(T.BARRACKS, later, [])[0] == first


def test_what_is_ordered_keeps_the_room_of_its_kind() -> None:
    terrain = flat_terrain()
    placement = Placement(terrain)
    knowledge = make_knowledge([structure(T.COMMANDCENTER, *START, 1)], terrain=terrain)
    hall, depot = Point2((62.5, 34.5)), Point2((80.0, 80.0))
    free = placement.candidates(T.SUPPLYDEPOT, knowledge, [], hall.offset((5, 0)))
    left = placement.candidates(T.SUPPLYDEPOT, knowledge, [(T.COMMANDCENTER, hall)], hall.offset((5, 0)))
    assert any(abs(p.x - hall.x) < 3.5 and abs(p.y - hall.y) < 3.5 for p in free)
    assert not any(abs(p.x - hall.x) < 3.5 and abs(p.y - hall.y) < 3.5 for p in left)
    neighbours = placement.candidates(T.SUPPLYDEPOT, knowledge, [(T.SUPPLYDEPOT, depot)], depot)
    assert depot.offset((2, 0)) in neighbours
    addons = placement.candidates(T.SUPPLYDEPOT, knowledge, [(T.BARRACKS, Point2((80.5, 80.5)))], depot)
    assert not any(abs(p.x - 83.0) < 2.0 and abs(p.y - 80.0) < 2.0 for p in addons)
    beside = placement.candidates(T.SUPPLYDEPOT, knowledge, [(T.BUNKER, Point2((80.5, 80.5)))], depot)
    assert Point2((83.0, 80.0)) in beside
    assert not any(abs(p.x - 80.5) < 2.5 and abs(p.y - 80.5) < 2.5 for p in beside)


def test_an_addon_of_another_structure_blocks_a_slot() -> None:
    terrain = flat_terrain()
    placement = Placement(terrain)
    hall = structure(T.COMMANDCENTER, *START, 1)
    first = placement.candidates(T.BARRACKS, make_knowledge([hall], terrain=terrain), [])[0]
    in_the_way = structure(T.SUPPLYDEPOT, first.x + 2.5, first.y - 0.5, 3)
    knowledge = make_knowledge([hall, in_the_way], terrain=terrain)
    assert first not in placement.candidates(T.BARRACKS, knowledge, [])


def test_a_base_is_taken_nearest_first_and_never_the_enemys() -> None:
    terrain = flat_terrain()
    knowledge = make_knowledge([structure(T.COMMANDCENTER, *START, 1)], terrain=terrain)
    sites = Placement(terrain).candidates(T.COMMANDCENTER, knowledge, [])
    assert sites == [terrain.sites[1].position]
    for kind, free in ((T.ROACH, False), (T.OVERLORD, True)):
        there = unit(kind, sites[0].x + 5, sites[0].y, 90, alliance=4, owner=2)
        seen = make_knowledge([structure(T.COMMANDCENTER, *START, 1)], terrain=terrain, enemies=[there])
        assert bool(Placement(terrain).candidates(T.COMMANDCENTER, seen, [])) is free


def test_no_town_hall_is_wanted_where_nobody_can_walk_to() -> None:
    walkable = flat_terrain().walkable
    natural = flat_terrain().natural.position
    walkable[disc(walkable.shape, *natural, 20.0) & ~disc(walkable.shape, *natural, 10.0)] = False
    terrain = flat_terrain(walkable)
    knowledge = make_knowledge([structure(T.COMMANDCENTER, *START, 1)], terrain=terrain)
    assert natural not in Placement(terrain).candidates(T.COMMANDCENTER, knowledge, [])


def test_turrets_stand_near_the_point_asked_for_and_off_the_mining_lanes() -> None:
    terrain = flat_terrain()
    knowledge = make_knowledge([structure(T.COMMANDCENTER, *START, 1)], terrain=terrain)
    near = START.towards(terrain.sites[0].mineral_centre, 5.0)
    spots = Placement(terrain).candidates(T.MISSILETURRET, knowledge, [], near)
    assert spots
    assert spots[0].distance_to(near) < 8
    covered = np.zeros(terrain.shape, dtype=bool)
    covered[cells(spots[0].x, spots[0].y, 2, 2)] = True
    assert not any((covered & lane(terrain.shape, START, m, 0.8)).any() for m in terrain.sites[0].minerals)


def test_a_town_hall_site_is_found_from_its_resources() -> None:
    ground = np.ones((80, 80), dtype=bool)
    levels = np.full((80, 80), 127, dtype=np.uint8)
    for centre in (Point2((30.5, 40.5)), Point2((50.5, 33.5))):
        fields, geysers = ring(centre)
        found = find_sites(fields, geysers, ground, levels)
        assert [group.townhall for group in found] == [centre]
        assert set(found[0].minerals) == set(fields)
        assert set(found[0].geysers) == set(geysers)


def test_walls_of_minerals_and_cliffs_are_no_bases() -> None:
    ground = np.ones((80, 80), dtype=bool)
    levels = np.full((80, 80), 127, dtype=np.uint8)
    fields, geysers = ring(Point2((30.5, 40.5)))
    wall = [Point2((60.0, 20.5 + i)) for i in range(10)]
    assert len(find_sites([*fields, *wall], geysers, ground, levels)) == 1
    assert find_sites(fields, geysers, np.zeros_like(ground), levels) == []
    assert find_sites([], [], ground, levels) == []


def test_grid_helpers() -> None:
    free = np.ones((10, 10), dtype=bool)
    free[5, 5] = False
    room = fits(free, 3, 2)
    assert room[0, 0]
    assert not room[4, 4]
    assert room[8, 7]
    assert not room[9, 0]
    assert not room[0, 8]
    assert disc((10, 10), 5.0, 5.0, 1.0).sum() == 4
    assert large_parts(~free, 2).sum() == 0
    assert cells(4.5, 6.5, 3, 3) == (slice(5, 8), slice(3, 6))


RECORDED = [
    "AbyssalReefLE",
    "AcropolisLE",
    "AutomatonLE",
    "BabylonAIE",
    "EphemeronLE",
    "GoldenWallLE",
    "KairosJunctionLE",
    "Oceanborn513AIE",
    "PersephoneAIE",
    "PylonAIE",
    "ThunderbirdLE",
    "TorchesAIE",
]


@pytest.mark.parametrize("name", RECORDED)
def test_real_maps_give_valid_slots_for_three_bases(shared: Path, name: str) -> None:
    from tests.bot.recorded import first_step

    terrain, _ = first_step(shared / "recordings", name)
    places = {site.position for site in terrain.sites}
    assert terrain.start == terrain.sites[0].position
    assert set(terrain.enemy_starts) <= places, "the enemy's start is not where we would put a town hall"
    layouts = plan_all(terrain, 3)
    check(terrain, layouts)
    assert sum(len(layout.slots[Kind.PRODUCTION]) for layout in layouts) >= 11
    assert sum(len(layout.slots[Kind.DEPOT]) for layout in layouts) >= 24
