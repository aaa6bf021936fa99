"""What the official C++ client tests in the real game by clicks: sites that were left, copies of what left sight."""

from __future__ import annotations

from typing import Any

import pytest
from s2clientprotocol import debug_pb2, ui_pb2
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server import screens
from tests.sim.server.client import Client
from tests.sim.server.screens import IDS, create, do, own, pixel, select
from tests.sim.server.test_actions import debug
from tests.sim.server.test_observed_orders import offered

SUCCESS, ERROR = 1, 3
SMART, MOVE, DEPOT, HALT, HALT_SITE, CANCEL_SITE, GATHER, TECHLAB, ATTACK = 1, 16, 319, 3660, 315, 314, 3666, 421, 3674


@pytest.fixture
def game(client: Client) -> Client:
    return screens.start(client)


def click(game: Client, ability: int, unit: Any) -> int:
    """An order of the selection at the place of a unit on the screen. -> ActionResult"""
    at = pixel(game, unit.pos.x, unit.pos.y)
    return do(game, "feature_layer", "unit_command", ability_id=ability, target_screen_coord=at)


def depot(game: Client) -> Any:
    return own(game, "SupplyDepot")[0]


def field_near(game: Client, x: float, y: float) -> Any:
    """The mineral field nearest to a place, as the player knows it."""
    fields = [u for u in game.observe().observation.raw_data.units if u.unit_type == IDS["MineralField"]]
    return min(fields, key=lambda unit: abs(unit.pos.x - x) + abs(unit.pos.y - y))


def stands_still(game: Client) -> bool:
    game.step(2)
    before = depot(game).build_progress
    game.step(20)
    return depot(game).build_progress == before


def test_nobody_selects_interceptors_and_charges(game: Client) -> None:
    """Catalog: Unselectable. What lies below them is hit, and a frame takes the rest."""
    home = own(game, "CommandCenter")[0].pos
    x, y = int(home.x + (9 if home.x < 32 else -9)) + 0.5, int(home.y) + 0.5
    create(game, "Marine", x, y)
    create(game, "Interceptor", x, y)
    create(game, "KD8Charge", x, y)
    select(game, own(game, "Interceptor")[0])
    assert [unit.unit_type for unit in game.observe().observation.raw_data.units if unit.is_selected] == [IDS["Marine"]]
    request = sc.RequestAction()
    frame = request.actions.add().action_feature_layer.unit_selection_rect.selection_screen_coord.add()
    frame.p1.x = frame.p1.y = screens.SCREEN - 1
    assert game.ask(action=request).action.result[0] == SUCCESS
    chosen = {unit.unit_type for unit in game.observe().observation.raw_data.units if unit.is_selected}
    assert chosen == {IDS["Marine"], IDS["SCV"]}


def test_a_site_is_halted_and_resumed_by_clicks(game: Client) -> None:
    """By its builder or by itself; the right-click on it was a move to its ground."""
    home, scv = own(game, "CommandCenter")[0].pos, own(game, "SCV")[0]
    debug(game, game_state=debug_pb2.all_resources)
    assert game.command(DEPOT, scv.tag, at=(home.x - 8, home.y)) == SUCCESS
    game.step(120)
    assert not stands_still(game)
    assert HALT_SITE in offered(game, depot(game).tag)
    assert game.command(HALT, scv.tag) == SUCCESS
    assert stands_still(game)
    assert HALT_SITE not in offered(game, depot(game).tag), "nobody works on it"
    do(game, "ui", "select_idle_worker", type=ui_pb2.ActionSelectIdleWorker.Set)
    assert click(game, SMART, depot(game)) == SUCCESS
    game.step(10)
    assert not stands_still(game)
    select(game, depot(game))
    assert do(game, "feature_layer", "unit_command", ability_id=HALT) == SUCCESS
    assert stands_still(game)


def test_an_add_on_cannot_be_halted(game: Client) -> None:
    home = own(game, "CommandCenter")[0].pos
    debug(game, game_state=debug_pb2.all_resources)
    create(game, "Barracks", home.x - 8.5, home.y + 3.5)
    game.command(TECHLAB, own(game, "Barracks")[0].tag)
    game.step(10)
    addon = own(game, "BarracksTechLab")[0]
    assert addon.build_progress < 1
    assert offered(game, addon.tag) == {CANCEL_SITE}
    assert game.command(HALT_SITE, addon.tag) == ERROR


def test_a_worker_is_sent_to_a_remembered_field_by_the_screen(game: Client) -> None:
    home = own(game, "CommandCenter")[0].pos
    away = (64 - home.x, home.y)
    create(game, "MineralField", *away, owner=0)
    debug(game, game_state=debug_pb2.show_map)
    game.step(2)
    made = field_near(game, *away)
    debug(game, game_state=debug_pb2.show_map)
    game.step(2)
    debug(game, kill_unit={"tag": [made.tag]})
    game.step(2)
    copy = field_near(game, *away)
    assert copy.tag != made.tag
    select(game, own(game, "SCV")[0])
    assert do(game, "raw", "camera_move", center_world_space=away) == SUCCESS
    game.step(1)
    assert click(game, GATHER, copy) == SUCCESS
    game.step(1)
    order = next(unit for unit in own(game, "SCV") if unit.is_selected).orders[0]
    assert order.ability_id == MOVE
    assert abs(order.target_world_space_pos.x - copy.pos.x) < 1


def test_a_click_on_a_shimmer_is_meant_for_the_ground(game: Client) -> None:
    hall = own(game, "CommandCenter")[0].pos
    create(game, "Marine", hall.x - 8, hall.y + 5)
    create(game, "Observer", hall.x - 4, hall.y + 7, owner=2)
    seen = game.observe().observation.raw_data.units
    (shimmer,) = (unit for unit in seen if unit.unit_type == IDS["Observer"])
    select(game, own(game, "Marine")[0])
    assert click(game, ATTACK, shimmer) == SUCCESS
    game.step(1)
    (order,) = own(game, "Marine")[0].orders
    assert not order.HasField("target_unit_tag")
    assert abs(order.target_world_space_pos.x - shimmer.pos.x) < 1
