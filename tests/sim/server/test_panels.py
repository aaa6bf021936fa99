"""Panels, buttons and the words in which actions come back, beyond the clicks of a usual game."""

from __future__ import annotations

import pytest
from s2clientprotocol import debug_pb2, raw_pb2, ui_pb2
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server import screens
from tests.sim.server.client import PROTOSS, Client
from tests.sim.server.screens import IDS, create, do, own, pixel, select
from tests.sim.server.test_actions import debug

SUCCESS, ERROR = 1, 3
STOP, MOVE, REPAIR_AUTOCAST = 4, 16, 316
Panel = ui_pb2.ActionMultiPanel


@pytest.fixture
def game(client: Client) -> Client:
    return screens.start(client)


def panel(game: Client) -> ui_pb2.ObservationUI:
    return game.observe().observation.ui_data


@pytest.mark.parametrize(
    ("how", "index", "left"),
    [
        (Panel.SingleSelect, 0, {"Marine": 1}),
        (Panel.SingleSelect, 4, {"Marauder": 1}),
        (Panel.SelectAllOfType, 3, {"Marauder": 2}),
        (Panel.DeselectUnit, 1, {"Marauder": 2, "Marine": 2}),
        (Panel.DeselectAllOfType, 0, {"Marauder": 2}),
        (Panel.DeselectAllOfType, 4, {"Marine": 3}),
        (Panel.DeselectUnit, 5, None),
        (Panel.SelectAllOfType, -1, None),
    ],
)
def test_entries_of_a_panel_are_chosen_and_taken_out(
    game: Client, how: int, index: int, left: dict[str, int] | None
) -> None:
    hall = own(game, "CommandCenter")[0].pos
    create(game, "Marine", hall.x - 5, hall.y + 5, quantity=3)
    create(game, "Marauder", hall.x + 5, hall.y + 5, quantity=2)
    assert do(game, "ui", "select_army") == SUCCESS
    assert do(game, "ui", "multi_panel", type=how, unit_index=index) == (ERROR if left is None else SUCCESS)
    chosen = [unit.unit_type for unit in own(game, "Marine", "Marauder") if unit.is_selected]
    wanted = {"Marauder": 2, "Marine": 3} if left is None else left
    assert {name: chosen.count(IDS[name]) for name in ("Marauder", "Marine") if IDS[name] in chosen} == wanted


def test_a_panel_shows_the_add_on(game: Client) -> None:
    hall = own(game, "CommandCenter")[0].pos
    create(game, "Barracks", hall.x - 8, hall.y + 5)
    (barracks,) = own(game, "Barracks")
    create(game, "BarracksReactor", barracks.pos.x + 2.5, barracks.pos.y - 0.5)
    select(game, barracks)
    shown = panel(game).single.unit.add_on
    assert (shown.unit_type, shown.build_progress) == (IDS["BarracksReactor"], 1)
    select(game, own(game, "CommandCenter")[0])
    assert not panel(game).single.unit.HasField("add_on")


def test_a_panel_shows_the_upgrades_of_a_single_unit(game: Client) -> None:
    """Each time one level more; of shields only who has any."""
    hall = own(game, "CommandCenter")[0].pos
    create(game, "Marine", hall.x - 4, hall.y + 5)
    create(game, "Zealot", hall.x + 4, hall.y + 5)
    for levels in range(3):
        for name in ("Marine", "Zealot"):
            select(game, own(game, name)[0])
            single = panel(game).single
            assert single.attack_upgrade_level == single.armor_upgrade_level == levels
            assert single.shield_upgrade_level == (levels if name == "Zealot" else 0)
        debug(game, game_state=debug_pb2.upgrade)


def test_a_button_selects_the_warp_gates(client: Client) -> None:
    game = screens.start(client, PROTOSS)
    assert do(game, "ui", "select_warp_gates") == ERROR
    hall = own(game, "Nexus")[0].pos
    create(game, "WarpGate", hall.x - 8, hall.y + 5)
    create(game, "WarpGate", hall.x + 8, hall.y + 5)
    create(game, "Gateway", hall.x + 8, hall.y - 5)
    assert do(game, "ui", "select_warp_gates") == SUCCESS
    assert [unit.is_selected for unit in own(game, "WarpGate", "Gateway", "Nexus")].count(True) == 2
    assert all(unit.is_selected for unit in own(game, "WarpGate"))


def test_a_switched_autocast_comes_back_in_both_words(game: Client) -> None:
    worker = own(game, "SCV")[0]
    wanted = sc.Action()
    wanted.action_raw.toggle_autocast.CopyFrom(
        raw_pb2.ActionRawToggleAutocast(ability_id=REPAIR_AUTOCAST, unit_tags=[worker.tag])
    )
    assert game.ask(action=sc.RequestAction(actions=[wanted])).action.result == [SUCCESS]
    game.step(1)
    (told,) = game.observe().actions
    assert told.action_raw.toggle_autocast == wanted.action_raw.toggle_autocast
    assert told.action_ui.toggle_autocast.ability_id == REPAIR_AUTOCAST


def test_a_raw_order_comes_back_as_a_click(game: Client) -> None:
    """On the screen where that shows its goal, else on the minimap; a unit's place is its own."""
    camera = game.observe().observation.raw_data.player.camera
    worker, hall = own(game, "SCV")[0], own(game, "CommandCenter")[0]
    for goal in ({"at": (camera.x + 4, camera.y - 5)}, {"target": hall.tag}, {"at": (camera.x + 14, camera.y)}):
        assert game.command(MOVE, worker.tag, **goal) == SUCCESS
        game.step(1)
        order = game.observe().actions[-1].action_feature_layer.unit_command
        x, y = goal.get("at", (hall.pos.x, hall.pos.y))
        assert order.ability_id == MOVE
        if abs(x - camera.x) < screens.WIDTH / 2:
            assert (order.target_screen_coord.x, order.target_screen_coord.y) == pixel(game, x, y)
        else:
            assert order.WhichOneof("target") == "target_minimap_coord"
    game.command(STOP, worker.tag)
    game.step(1)
    assert game.observe().actions[-1].action_feature_layer.unit_command.WhichOneof("target") is None


@pytest.mark.parametrize("part", ["action_raw", "action_ui", "action_feature_layer", None])
def test_an_action_that_says_nothing_does_nothing(game: Client, part: str | None) -> None:
    said = sc.Action()
    if part is not None:
        getattr(said, part).SetInParent()
    assert game.ask(action=sc.RequestAction(actions=[said])).action.result == [SUCCESS]
    game.step(1)
    told = game.observe()
    assert not told.action_errors
    assert not any(unit.is_selected for unit in told.observation.raw_data.units)


def test_a_minimap_without_a_screen_shows_and_takes_orders(client: Client) -> None:
    setup = screens.options()
    setup.feature_layer.ClearField("resolution")
    game = screens.start(client, setup=setup)
    layers = game.observe().observation.feature_layer_data
    assert layers.HasField("minimap_renders")
    assert not layers.HasField("renders")
    nowhere = {"selection_screen_coord": (1, 1), "type": 1}
    assert do(game, "feature_layer", "unit_selection_point", **nowhere) == ERROR
    order = {"ability_id": MOVE, "target_minimap_coord": (30, 30)}
    assert do(game, "feature_layer", "unit_command", **order) == ERROR, "nobody is selected"
    game.command(4, own(game, "SCV")[0].tag)
    game.step(1)
    assert do(game, "ui", "select_idle_worker", type=ui_pb2.ActionSelectIdleWorker.All) == SUCCESS
    assert do(game, "feature_layer", "unit_command", **order) == SUCCESS


def test_a_frame_needs_corners(game: Client) -> None:
    assert do(game, "feature_layer", "unit_selection_rect") == ERROR
