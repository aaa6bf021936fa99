"""The maps of our own: symmetric, connected, and read by burnysc2 as real ladder maps are."""

from __future__ import annotations

import zlib
from collections import Counter

import numpy as np
import pytest
from scipy import ndimage

from sim import cli, maps
from sim.maps import footprints, ground, preview, resources, shipped
from tests.sim.offline import bot_on

EIGHT = np.ones((3, 3), int)


@pytest.fixture(scope="module", params=maps.names())
def terrain(request):
    return maps.load(request.param)


def bases(terrain):
    """Centres of the town halls, found from the shipped text: base i belongs to the player of start i % 2."""
    table = shipped.tomllib.loads((shipped.DATA / f"{terrain.name}.toml").read_text())
    sites = [tuple(site["at"]) for site in table["base"]]
    return sites + [(terrain.width - x, terrain.height - y) for x, y in sites]


def ground_at_start(terrain, rocks=True):
    """Walkable cells with the resources, and the rocks if asked for, in place; bool [h, w]."""
    walk = terrain.walkable == 1
    for thing in terrain.neutrals:
        if rocks or thing.type_id not in footprints.ROCK_TYPES:
            for x, y in maps.footprint_cells(thing.type_id, thing.x, thing.y):
                walk[y, x] = False
    return walk


def regions(walk, sites):
    """Number of the connected region of each site (4-neighbours: what every unit can pass)."""
    labels, _ = ndimage.label(walk)
    return [int(labels[int(y), int(x)]) for x, y in sites]


def test_there_are_two_and_the_first_is_the_default():
    assert len(maps.names()) >= 2
    assert maps.names()[0] == shipped.shipped()[0]


def test_sizes_fit_the_wire_and_the_frame(terrain):
    assert terrain.width % 8 == terrain.height % 8 == 0
    x0, y0, x1, y1 = terrain.playable
    outside = np.ones_like(terrain.walkable)
    outside[y0:y1, x0:x1] = 0
    assert not (outside & terrain.walkable).any()
    assert 0.3 < terrain.walkable.mean() < 0.6
    assert not (terrain.buildable & ~terrain.walkable & 1).any()


def test_half_a_turn_changes_nothing(terrain):
    assert (terrain.walkable == terrain.walkable[::-1, ::-1]).all()
    assert (terrain.buildable == terrain.buildable[::-1, ::-1]).all()
    corner_heights = terrain.levels[1:, 1:]  # without the first row and column, the corners map onto themselves
    assert (corner_heights == corner_heights[::-1, ::-1]).all()
    things = {(thing.type_id, thing.x, thing.y) for thing in terrain.neutrals}
    assert things == {(kind, terrain.width - x, terrain.height - y) for kind, x, y in things}
    (x0, y0), (x1, y1) = terrain.starts
    assert (x0 + x1, y0 + y1) == (terrain.width, terrain.height)


def test_every_base_has_eight_fields_and_two_geysers(terrain):
    sites = bases(terrain)
    assert len(sites) >= 12
    for x, y in sites:
        near = [thing.type_id for thing in terrain.neutrals if np.hypot(thing.x - x, thing.y - y) < 10]
        kinds = Counter(kind for kind in near if kind not in footprints.ROCK_TYPES | footprints.UNBUILDABLE_TYPES)
        assert kinds == {resources.MINERAL_FIELD: 4, resources.MINERAL_FIELD_750: 4, resources.VESPENE_GEYSER: 2}


def test_nothing_stands_on_anything_else(terrain):
    taken = Counter()
    for thing in terrain.neutrals:
        taken.update(maps.placement_cells(thing.type_id, thing.x, thing.y))
    assert taken.most_common(1)[0][1] == 1
    for thing in terrain.neutrals:
        if thing.type_id not in footprints.ROCK_TYPES:
            assert all(terrain.buildable[y, x] for x, y in maps.placement_cells(thing.type_id, thing.x, thing.y))


def test_all_bases_are_connected_without_rocks_and_most_with_them(terrain):
    sites = bases(terrain)
    assert len(set(regions(ground_at_start(terrain, rocks=False), sites))) == 1
    closed = regions(ground_at_start(terrain, rocks=True), sites)
    start = closed[0]
    assert start > 0
    assert closed[len(closed) // 2] == start  # the other start
    assert closed.count(start) >= len(closed) - 2


def test_the_ways_are_wide_enough_for_an_army(terrain):
    sites = bases(terrain)
    half = len(sites) // 2
    wide = ndimage.binary_erosion(ground_at_start(terrain), EIGHT, iterations=2)  # a lane five cells wide stays
    naturals = regions(wide, [sites[1], sites[half + 1]])
    assert naturals[0] == naturals[1] > 0


def test_no_pocket_is_cut_off(terrain):
    assert ndimage.label(ground_at_start(terrain, rocks=False), EIGHT)[1] == 1


def test_the_way_from_start_to_start_is_as_long_as_on_real_maps(terrain):
    walk = ground_at_start(terrain)
    distance = np.full(walk.shape, -1)
    (x, y), (goal_x, goal_y) = ((int(a), int(b)) for a, b in terrain.starts)
    front = np.zeros_like(walk)
    front[y, x] = True
    steps = 0
    while distance[goal_y, goal_x] < 0:  # king's moves: a lower bound of the real way
        distance[front & (distance < 0)] = steps
        front = ndimage.binary_dilation(front, EIGHT) & walk & (distance < 0)
        assert front.any()
        steps += 1
    assert 110 <= distance[goal_y, goal_x] <= 175


@pytest.mark.parametrize("player", [0, 1])
def test_burnysc2_finds_bases_and_the_main_ramp(terrain, player):
    bot = bot_on(terrain, player)
    sites = {(float(x), float(y)) for x, y in bases(terrain)}
    assert {tuple(map(float, site)) for site in bot.expansion_locations_list} == sites
    assert tuple(bot.start_location) == terrain.starts[player]
    assert [tuple(at) for at in bot.enemy_start_locations] == [terrain.starts[1 - player]]
    assert len(bot.game_info.map_ramps) >= 6

    def fits(centre, side):
        x, y = round(centre.x - side / 2), round(centre.y - side / 2)
        return terrain.buildable[y : y + side, x : x + side].all()

    ramp = bot.main_base_ramp
    assert ramp.top_center.distance_to(bot.start_location) < 30
    assert len(ramp.upper) in {2, 5}
    assert len(ramp.points) == 16
    assert len(ramp.upper2_for_ramp_wall) == 2
    assert len(ramp.corner_depots) == 2
    assert all(fits(depot, 2) for depot in {*ramp.corner_depots, ramp.depot_in_middle})
    assert fits(ramp.barracks_correct_placement, 3)
    assert fits(ramp.barracks_correct_placement.offset((2.5, -0.5)), 2), "no room for its add-on"


def test_a_wall_of_two_depots_and_a_barracks_closes_the_main(terrain):
    bot = bot_on(terrain)
    ramp, sites = bot.main_base_ramp, bases(terrain)
    walk = ground_at_start(terrain)
    for type_id, at in ((21, ramp.barracks_in_middle), *((19, depot) for depot in ramp.corner_depots)):
        for x, y in maps.footprint_cells(type_id, *at):
            walk[y, x] = False
    start, natural = regions(walk, sites[:2])
    assert start != natural


def test_town_halls_may_stand_at_every_base(terrain):
    """Level ground, and three cells to every resource but for the corners, as at every real start."""
    blocked = np.zeros_like(terrain.walkable)
    for thing in terrain.neutrals:
        if thing.type_id in footprints.MINERAL_TYPES | footprints.GEYSER_TYPES:
            for x, y in maps.footprint_cells(thing.type_id, thing.x, thing.y):
                blocked[y, x] = 1
    zone = np.ones((7, 7), int)
    zone[[0, 0, -1, -1], [0, -1, 0, -1]] = 0
    near = ndimage.binary_dilation(blocked, zone)
    for site in bases(terrain):
        cells = maps.placement_cells(18, *site)
        assert all(terrain.buildable[y, x] and not near[y, x] for x, y in cells)


def test_the_same_text_gives_the_same_map(terrain):
    text = (shipped.DATA / f"{terrain.name}.toml").read_text()
    again = shipped.from_text(text, terrain.name)
    assert (again.walkable == terrain.walkable).all()
    assert (again.levels == terrain.levels).all()
    assert again.neutrals == terrain.neutrals


@pytest.mark.parametrize(
    ("old", "new"), [("size", "sise"), ("[160, 168]", "[160]"), ("title =", "= title"), ("minerals = ", "mineral = ")]
)
def test_a_bad_text_is_one_clear_line(old, new):
    text = (shipped.DATA / "IronRidgeAIE.toml").read_text().replace(old, new)
    with pytest.raises(maps.MapError) as caught:
        shipped.from_text(text, "Broken")
    assert "Broken" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("uphill", list(ground.UPHILL))
def test_a_wide_ramp_has_the_cells_of_a_real_one(uphill):
    side = 48
    corners = np.full((side + 1, side + 1), 1)
    walkable, buildable, levels = ground.finish(corners, [ground.Ramp(24, 24, uphill, 1)], (0, 0, side, side))
    ramp = (walkable == 1) & (buildable == 0)
    assert ramp.sum() == 52
    assert set(np.unique(levels[ramp])) <= set(range(191, 208, 2))
    assert levels.max() == 207


def pixels(content):
    """Uncompressed rows of a PNG file's bytes, each with its filter byte."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    at = content.index(b"IDAT")
    size = int.from_bytes(content[at - 4 : at], "big")
    return zlib.decompress(content[at + 4 : at + 4 + size])


def test_a_picture_is_a_png_of_the_map(terrain, tmp_path, capsys):
    assert preview.show([terrain.name], out=tmp_path, scale=1) == 0
    assert terrain.name in capsys.readouterr().out
    rows = pixels((tmp_path / f"{terrain.name}.png").read_bytes())
    assert len(rows) == terrain.height * (1 + 3 * terrain.width)


def test_the_pictures_in_the_docs_are_of_todays_maps(terrain, root):
    shown = pixels((root / "docs" / "maps" / f"{terrain.name}.png").read_bytes())
    assert shown == pixels(preview.png(preview.picture(terrain)))


def test_an_unknown_name_on_the_command_line_is_one_line(capsys):
    assert cli.main(["maps", "NoSuchMap"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
