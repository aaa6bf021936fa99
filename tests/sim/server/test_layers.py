"""Feature layers over the socket, against the raw data of the same observation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from s2clientprotocol import debug_pb2, ui_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.engine.bufftable import RELOADING
from sim.maps import arena, load
from sim.melee.game import Game, PlayerSetup
from sim.melee.sight import Sight
from sim.server import screen as geometry
from sim.server import ui
from sim.server.paint import paint
from sim.server.things import gather
from tests.sim.server import screens
from tests.sim.server.client import PROTOSS, Client
from tests.sim.server.screens import IDS, MINIMAP, SCREEN, WIDTH, create, do, own, pixel

ORBITAL, MOVE = 1516, 16


@pytest.fixture
def game(client: Client) -> Client:
    return screens.start(client)


def test_every_plane_of_the_protocol_is_there_with_its_bits(game: Client) -> None:
    found = game.observe().observation.feature_layer_data
    screen = {f.name: image for f, image in found.renders.ListFields()}
    small = {f.name: image for f, image in found.minimap_renders.ListFields()}
    assert set(screen) == {f.name for f in found.renders.DESCRIPTOR.fields}
    assert set(small) == {f.name for f in found.minimap_renders.DESCRIPTOR.fields} - {"unit_type"}
    for images, side in ((screen, SCREEN), (small, MINIMAP)):
        for image in images.values():
            assert (image.size.x, image.size.y) == (side, side)
            assert len(image.data) == -(-side * side * image.bits_per_pixel // 8)
    bits = {image.bits_per_pixel for image in screen.values()}
    assert bits == {1, 8, 32}
    assert screen["unit_type"].bits_per_pixel == 32
    assert screen["creep"].bits_per_pixel == small["camera"].bits_per_pixel == 1


def test_the_screen_shows_what_the_raw_data_lists(game: Client) -> None:
    hall = own(game, "CommandCenter")[0]
    planes = screens.screen(game)
    column, row = pixel(game, hall.pos.x, hall.pos.y)
    values = {name: int(plane[row, column]) for name, plane in planes.items()}
    assert values["unit_type"] == IDS["CommandCenter"]
    assert (values["player_id"], values["player_relative"]) == (1, 1)
    assert (values["unit_hit_points"], values["unit_hit_points_ratio"]) == (1500, 255)
    assert (values["unit_density"], values["unit_density_aa"]) == (1, 16)
    assert (values["pathable"], values["buildable"], values["visibility_map"]) == (0, 1, 2)
    assert values["height_map"] == load("Flat64").levels[int(hall.pos.y), int(hall.pos.x)]
    area = (planes["unit_type"] == IDS["CommandCenter"]).sum() * (WIDTH / SCREEN) ** 2
    assert area == pytest.approx(np.pi * hall.radius**2, rel=0.05)
    for scv in own(game, "SCV"):
        assert IDS["SCV"] in near(planes["unit_type"], *pixel(game, scv.pos.x, scv.pos.y))


@pytest.mark.parametrize("buffs", [(RELOADING, 27), (27, RELOADING), (RELOADING, 0)])
def test_buffs_of_our_own_are_shown_to_nobody(buffs: tuple[int, int]) -> None:
    game = Game(arena(32, 32), [PlayerSetup(1), PlayerSetup(2)], seed=1)
    slot = game.spawn(IDS["Marine"], 1, 16.0, 16.0)
    game.step(2)
    game.units["buff"][slot, :2], game.units["buff_left"][slot, :2], game.units["buff_total"][slot, :2] = buffs, 50, 100
    things = gather(game, 1, Sight(game, 1), [slot])
    panel = ui_pb2.ObservationUI()
    ui.show_unit(panel, game, slot, 1)
    shown = [buff for buff in buffs if buff == 27]
    assert list(panel.single.buffs) == shown
    mine = things[things["slot"] == slot][0]
    assert [mine["buffs"], mine["buff_duration"]] == ([27, 127] if shown else [0, 0])


def near(plane: np.ndarray, column: int, row: int) -> np.ndarray:
    """The 3 by 3 pixels round a pixel."""
    return plane[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]


def test_the_minimap_frames_the_camera_and_shows_own_units(game: Client) -> None:
    planes, terrain = screens.minimap(game), load("Flat64")
    size = max(terrain.width, terrain.height) / MINIMAP
    rows, columns = np.nonzero(planes["camera"])
    assert (columns.max() - columns.min() + 1) * size == pytest.approx(WIDTH, abs=1.5 * size)
    camera = game.observe().observation.raw_data.player.camera
    assert (columns.mean() + 0.5) * size == pytest.approx(camera.x, abs=size)
    assert terrain.height - (rows.mean() + 0.5) * size == pytest.approx(camera.y, abs=size)
    hall = own(game, "CommandCenter")[0]
    assert planes["player_relative"][int((terrain.height - hall.pos.y) / size), int(hall.pos.x / size)] == 1
    assert not planes["player_relative"][:, 60:].any(), "nothing lies beyond the map"
    assert not planes["alerts"].any()
    create(game, "Roach", hall.pos.x + 6, hall.pos.y, owner=2, quantity=3)
    game.step(20)
    assert screens.minimap(game)["alerts"].any()


def test_creep_power_and_cloak_have_planes(client: Client) -> None:
    game = screens.start(client, PROTOSS)
    home = own(game, "Nexus")[0].pos
    create(game, "Pylon", home.x - 7, home.y)
    create(game, "DarkTemplar", home.x - 4, home.y + 5)
    create(game, "CreepTumorBurrowed", home.x, home.y + 8, owner=2)
    game.step(40)
    planes = screens.screen(game)
    column, row = pixel(game, home.x - 7, home.y)
    assert planes["power"][row, column] == 1
    assert planes["power"].sum() * (WIDTH / SCREEN) ** 2 == pytest.approx(np.pi * 6.5**2, rel=0.15)
    templar = own(game, "DarkTemplar")[0]
    column, row = pixel(game, templar.pos.x, templar.pos.y)
    assert planes["cloaked"][row, column] == 1
    assert planes["unit_shields"][row, column] == 80
    assert planes["creep"].any() == game_has_creep(game)


def game_has_creep(game: Client) -> bool:
    """Creep on the part of the map that the screen shows."""
    raw = game.observe().observation.raw_data
    size = raw.map_state.creep.size
    creep = np.unpackbits(np.frombuffer(raw.map_state.creep.data, np.uint8))[: size.x * size.y].reshape(size.y, size.x)
    x, y, half = int(raw.player.camera.x), int(raw.player.camera.y), WIDTH // 2
    return bool(creep[max(y - half, 0) : y + half, max(x - half, 0) : x + half].any())


def test_a_selection_shows_and_a_moved_camera_shows_other_ground(game: Client) -> None:
    hall = own(game, "CommandCenter")[0]
    assert screens.select(game, hall) == 1
    game.step(1)
    planes = screens.screen(game)
    assert (planes["selected"] == (planes["unit_type"] == IDS["CommandCenter"])).all()
    assert screens.minimap(game)["selected"].any()
    assert [unit.tag for unit in own(game, "CommandCenter") if unit.is_selected] == [hall.tag]
    assert do(game, "feature_layer", "camera_move", center_minimap=(MINIMAP // 4, MINIMAP // 4)) == 1
    game.step(1)
    assert IDS["CommandCenter"] not in screens.screen(game)["unit_type"]


def test_what_the_screen_shows_is_said_to_be_on_it(game: Client) -> None:
    """A square of 24 cells, not the wider picture of the game itself."""
    raw = game.observe().observation.raw_data
    for dx, dy in ((11, 0), (0, -11), (13, 0), (0, 13), (-11, 11)):
        create(game, "Marine", raw.player.camera.x + dx, raw.player.camera.y + dy)
    raw = game.observe().observation.raw_data
    away = {u.tag: (u.pos.x - raw.player.camera.x, u.pos.y - raw.player.camera.y) for u in own(game, "Marine")}
    shown = {u.tag for u in own(game, "Marine") if u.is_on_screen}
    assert len(shown) == 3
    assert shown == {tag for tag, (x, y) in away.items() if max(abs(x), abs(y)) < WIDTH / 2}


def test_cropped_minimaps_and_cheating_layers_are_for_who_asks(client: Client) -> None:
    setup = screens.options()
    setup.feature_layer.crop_to_playable_area = setup.feature_layer.allow_cheating_layers = True
    planes = screens.minimap(screens.start(client, setup=setup))
    assert planes["pathable"].mean() > 0.9, "the map's frame is cut off"
    assert IDS["CommandCenter"] in planes["unit_type"]


def test_rendered_images_have_three_bytes_a_pixel(client: Client) -> None:
    setup = screens.options()
    setup.render.CopyFrom(setup.feature_layer)
    found = screens.start(client, setup=setup).observe().observation.render_data
    for image, side in ((found.map, SCREEN), (found.minimap, MINIMAP)):
        picture = screens.plane(image)
        assert picture.shape == (side, side, 3)
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 3


@pytest.mark.parametrize("layers", [True, False])
def test_what_was_done_is_told_in_pictures_too(client: Client, layers: bool) -> None:
    """pysc2 reads its actions back from the pictures' form where it acts in pictures: the game's own camera move in
    loop 1, and raw orders. These have twice as many pixels as the layers."""
    setup = screens.options()
    setup.render.CopyFrom(setup.feature_layer)
    for size in (setup.render.resolution, setup.render.minimap_resolution):
        size.x, size.y = 2 * size.x, 2 * size.y
    if not layers:
        setup.ClearField("feature_layer")
    first = screens.start(client, setup=setup).observe()
    told, camera = list(first.actions), first.observation.raw_data.player.camera
    client.command(MOVE, own(client, "SCV")[0].tag, at=(camera.x + 3, camera.y + 2))
    client.step(1)
    told += client.observe().actions
    moved, order = told[0].action_render.camera_move, told[-1].action_render.unit_command
    assert moved.HasField("center_minimap")
    assert order.ability_id == MOVE
    assert order.target_screen_coord.x == pytest.approx(SCREEN + 3 * 2 * SCREEN / WIDTH, abs=1)
    assert order.target_screen_coord.y == pytest.approx(SCREEN - 2 * 2 * SCREEN / WIDTH, abs=1)
    for action in told:
        assert action.HasField("action_feature_layer") == layers
    if layers:
        small = told[0].action_feature_layer.camera_move.center_minimap
        assert moved.center_minimap.x == pytest.approx(2 * small.x, abs=1)
        assert moved.center_minimap.y == pytest.approx(2 * small.y, abs=1)


@pytest.mark.parametrize(("name", "value"), [("resolution", 100_000), ("minimap_resolution", -3)])
def test_impossible_pictures_are_refused(client: Client, name: str, value: int) -> None:
    client.create("Flat64", (1,), (2, 2, 1), random_seed=1)
    setup = screens.options()
    getattr(setup.feature_layer, name).x = value
    joined = client.ask(join_game=sc.RequestJoinGame(race=1, options=setup)).join_game
    assert joined.error == sc.ResponseJoinGame.FeatureUnsupported
    assert "pixels" in joined.error_details


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.floats(0.1, 3.0),
    st.lists(st.tuples(st.floats(-5, 25), st.floats(-5, 25), st.floats(0, 6)), max_size=6),
)
def test_discs_cover_the_pixels_whose_middle_they_hold(width, height, size, discs) -> None:
    view = geometry.View(width, height, size, -2.0, 20.0)
    x, y, radius = (np.array([disc[k] for disc in discs], np.float64) for k in range(3))
    top = paint(view, x, y, radius).top.reshape(height, width)
    for row in range(height):
        for column in range(width):
            at = view.place(column, row)
            away = np.hypot(x - at[0], y - at[1])
            surely = np.flatnonzero(away < radius - 1e-6)
            assert top[row, column] >= (surely.max() if len(surely) else -1)
            shown = top[row, column]
            if shown >= 0 and away[shown] > radius[shown] + 1e-6:
                assert view.pixel_of(x[shown], y[shown]) == (column, row), "small things have the pixel of their centre"


def test_ordered_structures_are_placeholders_until_they_are_begun(client: Client) -> None:
    game = screens.start(client, setup=screens.options(show_placeholders=True))
    game.step(500)
    home, scv = own(game, "CommandCenter")[0].pos, own(game, "SCV")[0]
    site = (home.x - 8.5, home.y + 7.5)
    assert game.command(319, scv.tag, at=site) == 1
    game.step(2)
    ghosts = [unit for unit in game.observe().observation.raw_data.units if unit.display_type == 4]
    assert [(g.unit_type, g.pos.x, g.pos.y, g.owner, g.tag) for g in ghosts] == [(IDS["SupplyDepot"], *site, 1, 0)]
    planes = screens.screen(game)
    column, row = pixel(game, *site)
    assert (planes["placeholder"][row, column], planes["unit_type"][row, column]) == (1, IDS["SupplyDepot"])
    game.step(200)
    assert own(game, "SupplyDepot")[0].display_type == 1
    assert not screens.screen(game)["placeholder"].any()


def test_a_structure_that_morphs_has_no_placeholder(client: Client) -> None:
    game = screens.start(client, setup=screens.options(show_placeholders=True))
    for cheat in (debug_pb2.tech_tree, debug_pb2.minerals, debug_pb2.gas):
        game.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(game_state=cheat)]))
    assert game.command(ORBITAL, own(game, "CommandCenter")[0].tag) == 1
    game.step(4)
    raw = game.observe().observation.raw_data
    assert [order.ability_id for order in own(game, "CommandCenter")[0].orders] == [ORBITAL]
    assert not [unit for unit in raw.units if unit.display_type == 4]


def test_sensor_towers_feel_what_is_in_the_fog(game: Client) -> None:
    home = own(game, "CommandCenter")[0].pos
    create(game, "SensorTower", home.x - 8, home.y + 2)
    create(game, "Zergling", home.x - 28, home.y + 2, owner=2)
    game.step(4)
    raw = game.observe().observation.raw_data
    assert [ring.radius for ring in raw.radar] == [22]
    felt = [unit for unit in raw.units if unit.is_blip]
    assert len(felt) == 1
    assert (felt[0].alliance, felt[0].tag, felt[0].unit_type, felt[0].display_type) == (4, 0, 0, 3)
    game.ask(obs_action=sc.RequestObserverAction())
    request = sc.RequestAction()
    spot = request.actions.add().action_raw.camera_move.center_world_space
    spot.x, spot.y = felt[0].pos.x, felt[0].pos.y
    game.ask(action=request)
    game.step(1)
    now = next(unit for unit in game.observe().observation.raw_data.units if unit.is_blip)
    column, row = pixel(game, now.pos.x, now.pos.y)
    planes = screens.screen(game)
    assert (planes["blip"][row, column], planes["unit_type"][row, column]) == (1, 0)
    create(game, "Marine", now.pos.x + 3, now.pos.y)
    game.step(8)
    assert not [unit for unit in game.observe().observation.raw_data.units if unit.is_blip]


def test_a_camera_sent_to_no_place_stays_and_says_so(game: Client) -> None:
    request = sc.RequestAction()
    request.actions.add().action_raw.camera_move.center_world_space.x = float("inf")
    assert not game.ask(action=request).error
    game.step(1)
    told = game.observe().actions[0].action_feature_layer.camera_move.center_minimap
    assert 0 <= told.x < MINIMAP
    assert 0 <= told.y < MINIMAP
