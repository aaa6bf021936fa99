"""Maps read from recordings of real games, and the footprints that were read off them."""

from __future__ import annotations

import lzma
import shutil

import numpy as np
import pytest
from s2clientprotocol import sc2api_pb2 as sc

from sim import maps
from sim.maps import footprints, recordings
from sim.maps.preview import picture, show
from sim.maps.terrain import uneven


@pytest.fixture(scope="module")
def folder(shared):
    return shared / "recordings"


def real_names(folder):
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


def test_every_recording_is_listed_and_loads(folder):
    for name in real_names(folder):
        assert name in maps.names(folder)
        terrain = maps.load(name, folder)
        assert terrain.walkable.shape == terrain.buildable.shape == terrain.levels.shape
        assert len(terrain.starts) == 2
        kinds = [neutral.type_id in footprints.MINERAL_TYPES for neutral in terrain.neutrals]
        assert sum(kinds) >= 100


@pytest.mark.parametrize("spelling", ["Persephone AIE", "persephoneaie", "PersephoneAIE_v4", "x/PersephoneAIE.SC2Map"])
def test_a_map_may_be_named_in_several_ways(folder, spelling):
    assert maps.load(spelling, folder).name == "PersephoneAIE"


def test_the_ground_and_the_footprints_give_back_the_real_grids(folder):
    """Rocks show where `showing` says, and that is everywhere where the ground is not level."""
    for name in real_names(folder):
        info, _ = recordings.read_messages(folder / name)
        terrain = maps.load(name, folder)
        walk, build = terrain.walkable.copy(), terrain.buildable.copy()
        start, level = terrain.starts[0], uneven(terrain.levels) == 0
        for x, y in maps.footprint_cells(18, *start):
            walk[y, x] = 0
        for neutral in terrain.neutrals:
            cells = maps.footprint_cells(neutral.type_id, neutral.x, neutral.y)
            if neutral.type_id in footprints.ROCK_TYPES:
                for x, y in cells:
                    assert terrain.showing[y, x] or level[y, x], f"{name}: {neutral} does not show at {x}, {y}"
                    walk[y, x] &= 1 - terrain.showing[y, x]
                    build[y, x] &= 1 - terrain.showing[y, x]
            elif np.hypot(neutral.x - start[0], neutral.y - start[1]) <= 10:
                for x, y in cells:
                    walk[y, x] = 0
        for ours, image in ((walk, info.start_raw.pathing_grid), (build, info.start_raw.placement_grid)):
            wrong = np.argwhere(ours != recordings.grid(image))
            assert not len(wrong), f"{name}: {wrong[:5, ::-1].tolist()}"


def test_own_main_is_open_again(folder):
    for name in real_names(folder):
        terrain = maps.load(name, folder)
        x, y = (int(value) for value in terrain.starts[0])
        assert terrain.walkable[y - 2 : y + 3, x - 2 : x + 3].all()
        assert terrain.buildable[y - 2 : y + 3, x - 2 : x + 3].all()


def test_unknown_map_lists_what_exists(folder):
    with pytest.raises(maps.MapError) as caught:
        maps.load("NoSuchMap", folder)
    assert "NoSuchMap" in str(caught.value)
    assert "PylonAIE" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_folder_of_recordings_is_no_error(tmp_path):
    assert maps.names(tmp_path / "absent") == maps.names()


def small_recording(path, change=lambda info, observation: None):
    """Writes a made-up 32x32 recording to `path`, after `change` had its way with both messages."""
    info, observation = sc.ResponseGameInfo(map_name="Tiny LE"), sc.ResponseObservation()
    raw = info.start_raw
    raw.map_size.x = raw.map_size.y = 32
    for image, bits in ((raw.pathing_grid, 1), (raw.placement_grid, 1), (raw.terrain_height, 8)):
        image.size.x = image.size.y = 32
        image.bits_per_pixel = bits
        image.data = b"\xff" * (32 * 32 * bits // 8)
    raw.playable_area.p0.x = raw.playable_area.p0.y = 2
    raw.playable_area.p1.x = raw.playable_area.p1.y = 30
    raw.start_locations.add(x=24.5, y=24.5)
    hall = observation.observation.raw_data.units.add(unit_type=18, alliance=1, owner=1)
    hall.pos.x = hall.pos.y = 7.5
    change(info, observation)
    path.mkdir(exist_ok=True)
    for file, message in ((recordings.GAME_INFO, info), (recordings.OBSERVATION, observation)):
        (path / file).write_bytes(lzma.compress(message.SerializeToString()))
    return path


def test_reads_a_recording(tmp_path):
    small_recording(tmp_path / "TinyLE")
    terrain = maps.load("tiny le", tmp_path)
    assert (terrain.name, terrain.title, terrain.width, terrain.height) == ("TinyLE", "Tiny LE", 32, 32)
    assert terrain.starts == ((7.5, 7.5), (24.5, 24.5))
    assert terrain.walkable.all()


def test_things_may_stand_at_the_edge_and_sizes_be_odd(tmp_path):
    def odd(info, observation):
        raw = info.start_raw
        raw.map_size.x = 31
        for image, bits in ((raw.pathing_grid, 1), (raw.placement_grid, 1), (raw.terrain_height, 8)):
            image.size.x, image.size.y, image.data = 31, 31, b"\xff" * -(-31 * 31 * bits // 8)
        raw.map_size.y = 31
        tower = observation.observation.raw_data.units.add(unit_type=149, alliance=3, display_type=1)
        tower.pos.x, tower.pos.y = 0.0, 30.0

    small_recording(tmp_path / "OddLE", odd)
    terrain = maps.load("OddLE", tmp_path)
    assert (terrain.walkable.shape, terrain.neutrals) == ((31, 31), (maps.Neutral(149, 0.0, 30.0),))
    assert picture(terrain, 1).shape == (31, 31, 3)


def test_cliffs_under_rocks_stay_closed(tmp_path):
    closed = set(maps.footprint_cells(639, 16, 16))

    def rock(info, observation):
        raw, grid, levels = info.start_raw, np.ones((32, 32), np.uint8), np.full((32, 32), 191, np.uint8)
        levels[:, 17:] += 16
        for x, y in closed:
            grid[y, x] = 0
        raw.pathing_grid.data = raw.placement_grid.data = np.packbits(grid).tobytes()
        raw.terrain_height.data = levels.tobytes()
        pos = observation.observation.raw_data.units.add(unit_type=639, alliance=3, display_type=2).pos
        pos.x = pos.y = 16.0

    small_recording(tmp_path / "RockLE", rock)
    terrain = maps.load("RockLE", tmp_path)
    still = {(int(x), int(y)) for y, x in np.argwhere(terrain.walkable == 0)}
    assert still == {(x, y) for x, y in closed if x == 16}


def _cut_grid(info, _):
    info.start_raw.pathing_grid.data = info.start_raw.pathing_grid.data[:-3]


def _odd_bits(info, _):
    info.start_raw.terrain_height.bits_per_pixel = 7


def _old_client(info, _):
    info.start_raw.pathing_grid.bits_per_pixel = 8
    info.start_raw.pathing_grid.data = b"\xff" * (32 * 32)


def _other_size(info, _):
    info.start_raw.map_size.x = 40


def _no_hall(_, observation):
    del observation.observation.raw_data.units[:]


def _no_start(info, _):
    del info.start_raw.start_locations[:]


def _own_start_alone(info, _):
    info.start_raw.start_locations[0].x = info.start_raw.start_locations[0].y = 7.5


def _hall_outside(_, observation):
    observation.observation.raw_data.units[0].pos.x = 900.0


def _not_a_number(_, observation):
    observation.observation.raw_data.units[0].pos.x = float("nan")


def _thing_outside(_, observation):
    observation.observation.raw_data.units.add(unit_type=149, alliance=3).pos.x = 32.0


def _no_area(info, _):
    info.start_raw.playable_area.p1.x = 1


BREAKS = [
    _cut_grid,
    _odd_bits,
    _other_size,
    _no_hall,
    _no_start,
    _hall_outside,
    _thing_outside,
    _not_a_number,
    _no_area,
]


@pytest.mark.parametrize("change", BREAKS)
def test_a_senseless_recording_is_one_clear_line(tmp_path, change):
    small_recording(tmp_path / "TinyLE", change)
    with pytest.raises(maps.MapError) as caught:
        maps.load("TinyLE", tmp_path)
    assert "TinyLE" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_name_of_broken_letters_is_one_clear_line(tmp_path):
    file = small_recording(tmp_path / "TinyLE") / recordings.GAME_INFO
    file.write_bytes(lzma.compress(lzma.decompress(file.read_bytes()).replace(b"Tiny LE", b"Tiny \xff\xfe")))
    with pytest.raises(maps.MapError, match="name"):
        maps.load("TinyLE", tmp_path)


@pytest.mark.parametrize("file", [recordings.GAME_INFO, recordings.OBSERVATION])
def test_a_cut_or_foreign_file_is_one_clear_line(tmp_path, file):
    good = small_recording(tmp_path / "good")
    content = (good / file).read_bytes()
    for number, damaged in enumerate(
        (content[: len(content) // 2], b"", b"not xz at all", lzma.compress(b"\xff" * 50))
    ):
        bad = tmp_path / f"bad{number}"
        shutil.copytree(good, bad)
        (bad / file).write_bytes(damaged)
        with pytest.raises(maps.MapError) as caught:
            maps.load(bad.name, tmp_path)
        assert "\n" not in str(caught.value)


def test_maps_beside_a_damaged_one_are_listed(tmp_path, capsys):
    for name in ("ALE", "BLE", "CLE"):
        small_recording(tmp_path / name)
    (tmp_path / "BLE" / recordings.OBSERVATION).write_bytes(b"")
    assert show([], tmp_path) == 2
    told = capsys.readouterr()
    assert ["ALE" in told.out, "BLE" in told.err, "CLE" in told.out] == [True] * 3
    assert told.err.count("\n") == 1


def test_a_missing_observation_is_one_clear_line(tmp_path):
    (small_recording(tmp_path / "TinyLE") / recordings.OBSERVATION).unlink()
    with pytest.raises(maps.MapError, match="observation"):
        maps.load("TinyLE", tmp_path)


def test_footprints_have_their_known_sizes():
    sizes = {341: 2, 342: 9, 18: 21, 21: 9, 19: 4, 25: 1, 638: 12, 639: 32, 642: 44, 472: 0, 47: 0, 48: 0}
    sizes |= {372: 56, 373: 56, 588: 21, 490: 21}
    assert {type_id: len(maps.footprint_cells(type_id, 20, 20)) for type_id in sizes} == sizes
    assert len(maps.placement_cells(18, 20.5, 20.5)) == len(maps.placement_cells(588, 20.5, 20.5)) == 25
    assert len(maps.placement_cells(47, 20, 20)) == len(maps.placement_cells(472, 20, 20)) == 4
    assert set(maps.footprint_cells(341, 20.0, 20.5)) == {(19, 20), (20, 20)}
    assert set(maps.footprint_cells(19, 20.0, 20.0)) == {(19, 19), (20, 19), (19, 20), (20, 20)}


def test_footprints_are_symmetric_under_half_a_turn():
    for type_id, offsets in footprints.WALKING.items():
        xs, ys = {dx for dx, _ in offsets}, {dy for _, dy in offsets}
        turned = {(min(xs) + max(xs) - dx, min(ys) + max(ys) - dy) for dx, dy in offsets}
        assert turned == set(offsets), type_id
        odd = (len(xs) % 2, len(ys) % 2)
        assert (min(xs) + max(xs), min(ys) + max(ys)) == tuple(0 if side else -1 for side in odd), type_id


def test_an_arena_is_flat_open_and_closed_at_its_edge():
    field = maps.arena(40, 32, margin=3)
    assert field.playable == (3, 3, 37, 29)
    assert field.walkable.sum() == 34 * 26
    assert not field.walkable[:3].any()
    assert not field.walkable[:, 37:].any()
    assert np.ptp(field.levels) == 0
    with pytest.raises(maps.MapError):
        maps.arena(9, 9)
    with pytest.raises(ValueError, match="read-only"):
        field.walkable[5, 5] = 0


def test_town_halls_keep_off_resources_but_for_the_corners():
    mineral, geyser = (set(maps.town_hall_zone(type_id, 20.0, 20.5)) for type_id in (341, 342))
    assert {(16, 20), (23, 20), (17, 18), (19, 17)} <= mineral  # three cells to a side, and three and two at a corner
    assert not {(16, 17), (23, 23), (15, 20), (19, 24)} & mineral
    assert (16, 18) in geyser
    assert not {(16, 17), (16, 24), (17, 16)} & geyser
    assert maps.town_hall_zone(639, 20.0, 20.0) == []


def test_real_town_halls_are_outside_the_zones(folder):
    for name in real_names(folder):
        terrain = maps.load(name, folder)
        zone = {cell for thing in terrain.neutrals for cell in maps.town_hall_zone(thing.type_id, thing.x, thing.y)}
        for start in terrain.starts:
            assert not zone & set(maps.placement_cells(18, *start))
