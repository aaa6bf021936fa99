"""Mouse and panels over the socket: what is selected, what the panels show, what orders by the screen do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from s2clientprotocol import sc2api_pb2 as sc
from s2clientprotocol import ui_pb2

from tests.sim.server import screens
from tests.sim.server.client import ZERG, Client
from tests.sim.server.screens import IDS, SCREEN, create, do, own, pixel, select

SUCCESS, ERROR, NOT_SUPPORTED = 1, 3, 2
TRAIN_SCV, TRAIN_MARINE, ATTACK, MOVE, SMART = 524, 560, 3674, 16, 1
SELECT, TOGGLE, ALL_TYPE = 1, 2, 3


@pytest.fixture
def game(client: Client) -> Client:
    return screens.start(client)


def panel(game: Client) -> ui_pb2.ObservationUI:
    return game.observe().observation.ui_data


def abilities(game: Client) -> set[int]:
    return {ability.ability_id for ability in game.observe().observation.abilities}


def chosen(game: Client) -> set[int]:
    raw = game.observe().observation.raw_data
    return {unit.tag for unit in raw.units if unit.is_selected}


def test_a_click_selects_and_empty_ground_changes_nothing(game: Client) -> None:
    assert not panel(game).ListFields()
    hall = own(game, "CommandCenter")[0]
    assert select(game, hall) == SUCCESS
    shown = panel(game).single.unit
    assert (shown.unit_type, shown.health, shown.max_health, shown.player_relative) == (
        IDS["CommandCenter"],
        1500,
        1500,
        1,
    )
    assert TRAIN_SCV in abilities(game)
    assert screens.screen(game)["unit_type"][SCREEN - 2, 2] == 0
    assert (
        do(game, "feature_layer", "unit_selection_point", selection_screen_coord=(2, SCREEN - 2), type=SELECT)
        == SUCCESS
    )
    assert chosen(game) == {hall.tag}
    assert do(game, "feature_layer", "unit_selection_point", selection_screen_coord=(SCREEN, 0), type=SELECT) == ERROR


def test_toggle_and_all_of_a_type(game: Client) -> None:
    scvs = own(game, "SCV")
    game.command(4, *[scv.tag for scv in scvs])
    game.step(8)
    scvs = own(game, "SCV")
    assert select(game, scvs[0], ALL_TYPE) == SUCCESS
    assert chosen(game) == {scv.tag for scv in scvs if scv.is_on_screen}
    before = chosen(game)
    assert select(game, own(game, "CommandCenter")[0], TOGGLE) == SUCCESS
    assert len(chosen(game)) == len(before) + 1
    assert select(game, own(game, "CommandCenter")[0], TOGGLE) == SUCCESS
    assert chosen(game) == before


def test_a_frame_takes_units_before_structures(game: Client) -> None:
    request = sc.RequestAction()
    frame = request.actions.add().action_feature_layer.unit_selection_rect.selection_screen_coord.add()
    frame.p1.x = frame.p1.y = SCREEN - 1
    assert game.ask(action=request).action.result[0] == SUCCESS
    units = panel(game).multi.units
    assert {unit.unit_type for unit in units} == {IDS["SCV"]}
    assert do(game, "ui", "multi_panel", type=ui_pb2.ActionMultiPanel.SingleSelect, unit_index=1) == SUCCESS
    assert panel(game).single.unit.unit_type == IDS["SCV"]
    assert do(game, "ui", "multi_panel", type=ui_pb2.ActionMultiPanel.SingleSelect, unit_index=5) == ERROR


def test_a_click_on_a_unit_beside_a_structure_hits_the_unit(game: Client) -> None:
    """The disc of the one reaches over the other; programs of the real game fetch idle workers there."""
    home = own(game, "CommandCenter")[0].pos
    away = 9 if home.x < 32 else -9
    x, y = int(home.x + away) + 0.5, int(home.y) + 0.5
    create(game, "Marine", x - 1.7, y)
    create(game, "Barracks", x, y)
    (marine,) = own(game, "Marine")
    assert math.hypot(marine.pos.x - x, marine.pos.y - y) < own(game, "Barracks")[0].radius
    select(game, marine)
    assert [unit.unit_type for unit in game.observe().observation.raw_data.units if unit.is_selected] == [IDS["Marine"]]


def test_enemies_are_selected_alone_and_obey_nobody(game: Client) -> None:
    home = own(game, "CommandCenter")[0].pos
    create(game, "Hatchery", home.x - 9, home.y, owner=2)
    raw = game.observe().observation.raw_data
    enemy = next(unit for unit in raw.units if unit.unit_type == IDS["Hatchery"])
    assert select(game, enemy) == SUCCESS
    assert panel(game).single.unit.player_relative == 4
    assert not abilities(game)
    assert do(game, "feature_layer", "unit_command", ability_id=TRAIN_SCV) == ERROR


def test_medics_and_sieged_tanks_are_army(game: Client) -> None:
    """Also who has no weapon or cannot walk; clients ask for the count before they select."""
    hall = own(game, "CommandCenter")[0]
    assert game.observe().observation.player_common.army_count == 0
    for name in ("Medivac", "SiegeTankSieged", "AutoTurret"):
        create(game, name, hall.pos.x - 8, hall.pos.y)
    assert game.observe().observation.player_common.army_count == 2
    assert do(game, "ui", "select_army", selection_add=False) == SUCCESS
    assert {unit.unit_type for unit in panel(game).multi.units} == {IDS["Medivac"], IDS["SiegeTankSieged"]}


def test_the_army_is_who_has_the_catalogs_mark(game: Client) -> None:
    """Catalog: ArmySelect. Queens, shades and balls lack it, Overseers and locusts, which cost no supply, have it."""
    hall = own(game, "CommandCenter")[0]
    for name in ("Queen", "AdeptPhaseShift", "DisruptorPhased", "Broodling", "MULE"):
        create(game, name, hall.pos.x - 8, hall.pos.y)
    assert game.observe().observation.player_common.army_count == 0
    assert do(game, "ui", "select_army", selection_add=False) == ERROR
    for name in ("Overseer", "LocustMP", "WidowMineBurrowed"):
        create(game, name, hall.pos.x - 8, hall.pos.y)
    assert game.observe().observation.player_common.army_count == 3
    assert do(game, "ui", "select_army", selection_add=False) == SUCCESS
    units = [unit.unit_type for unit in panel(game).multi.units]
    assert units == [IDS[name] for name in ("Overseer", "LocustMP", "WidowMineBurrowed")]


def test_a_selection_is_shown_by_subgroup_priority(game: Client) -> None:
    """Catalog: SubgroupPriority; a tank and its siege mode have the same."""
    hall = own(game, "CommandCenter")[0]
    for name in ("Thor", "SiegeTankSieged", "Medivac", "Marine", "SiegeTank", "Raven"):
        create(game, name, hall.pos.x - 8, hall.pos.y)
    assert do(game, "ui", "select_army", selection_add=False) == SUCCESS
    wanted = ["Raven", "Marine", "SiegeTankSieged", "SiegeTank", "Medivac", "Thor"]
    assert [unit.unit_type for unit in panel(game).multi.units] == [IDS[name] for name in wanted]
    do(game, "ui", "control_group", action=ui_pb2.ActionControlGroup.Set, control_group_index=1)
    assert panel(game).groups[0].leader_unit_type == IDS["Raven"]


def test_control_groups(game: Client) -> None:
    hall = own(game, "CommandCenter")[0]
    group = ui_pb2.ActionControlGroup
    select(game, hall)
    assert do(game, "ui", "control_group", action=group.Set, control_group_index=4) == SUCCESS
    assert [(g.control_group_index, g.leader_unit_type, g.count) for g in panel(game).groups] == [
        (4, IDS["CommandCenter"], 1)
    ]
    create(game, "Marine", hall.pos.x - 8, hall.pos.y, quantity=3)
    assert do(game, "ui", "select_army", selection_add=False) == SUCCESS
    assert {unit.unit_type for unit in panel(game).multi.units} == {IDS["Marine"]}
    do(game, "ui", "control_group", action=group.Append, control_group_index=4)
    assert panel(game).groups[0].count == 4
    do(game, "ui", "control_group", action=group.SetAndSteal, control_group_index=2)
    assert [(g.control_group_index, g.count) for g in panel(game).groups] == [(2, 3), (4, 1)]
    do(game, "ui", "control_group", action=group.Recall, control_group_index=4)
    assert chosen(game) == {hall.tag}
    do(game, "ui", "control_group", action=group.Recall, control_group_index=5)
    assert chosen(game) == {hall.tag}, "that group is empty"
    assert do(game, "ui", "control_group", action=group.Recall, control_group_index=77) == ERROR


def test_idle_workers_come_one_after_the_other(game: Client) -> None:
    kind = ui_pb2.ActionSelectIdleWorker
    assert do(game, "ui", "select_idle_worker", type=kind.Set) == ERROR, "all of them work"
    idle = {scv.tag for scv in own(game, "SCV")[:3]}
    game.command(4, *idle)
    game.step(2)
    seen = set()
    for _ in range(3):
        assert do(game, "ui", "select_idle_worker", type=kind.Set) == SUCCESS
        assert len(chosen(game)) == 1
        seen |= chosen(game)
    assert seen == idle
    do(game, "ui", "select_idle_worker", type=kind.All)
    assert chosen(game) == idle


def test_larvae_and_the_queue_of_a_hatchery_s_race(client: Client) -> None:
    game = screens.start(client, ZERG)
    game.step(30)
    request = sc.RequestAction()
    request.actions.add().action_ui.select_larva.SetInParent()
    assert game.ask(action=request).action.result[0] == SUCCESS
    assert chosen(game) == {larva.tag for larva in own(game, "Larva")}
    assert game.observe().observation.player_common.larva_count == 0, "no town hall is selected"
    hall, larvae = own(game, "Hatchery")[0], {larva.tag for larva in own(game, "Larva")}
    create(game, "Hatchery", hall.pos.x + 12, hall.pos.y + 12)
    game.step(300)
    assert {larva.tag for larva in own(game, "Larva")} > larvae
    select(game, hall)
    assert game.observe().observation.player_common.larva_count == len(larvae), "its own"
    assert game.ask(action=request).action.result[0] == SUCCESS
    assert chosen(game) == larvae


def test_the_queue_is_shown_and_an_item_taken_out(game: Client) -> None:
    select(game, own(game, "CommandCenter")[0])
    assert do(game, "feature_layer", "unit_command", ability_id=TRAIN_SCV) == SUCCESS
    game.step(10)
    shown = panel(game).production
    assert [item.ability_id for item in shown.production_queue] == [TRAIN_SCV]
    assert [unit.unit_type for unit in shown.build_queue] == [IDS["SCV"]]
    assert 0 < shown.production_queue[0].build_progress < 0.1
    bank = game.observe().observation.player_common.minerals
    assert do(game, "ui", "production_panel", unit_index=3) == ERROR
    assert do(game, "ui", "production_panel", unit_index=0) == SUCCESS
    game.step(1)
    assert panel(game).HasField("single")
    assert game.observe().observation.player_common.minerals >= bank + 50


def test_passengers_are_shown_and_let_out_one_by_one(game: Client) -> None:
    home = own(game, "CommandCenter")[0].pos
    create(game, "Bunker", home.x - 8.5, home.y + 3.5)
    create(game, "Marine", home.x - 8, home.y, quantity=2)
    bunker, marines = own(game, "Bunker")[0], own(game, "Marine")
    game.command(SMART, *[marine.tag for marine in marines], target=bunker.tag)
    game.step(120)
    select(game, bunker)
    cargo = panel(game).cargo
    assert [unit.unit_type for unit in cargo.passengers] == [IDS["Marine"]] * 2
    assert (cargo.slots_available, cargo.unit.transport_slots_taken) == (2, 2)
    assert do(game, "ui", "cargo_panel", unit_index=1) == SUCCESS
    game.step(1)
    assert len(panel(game).cargo.passengers) == 1
    assert len(own(game, "Marine")) == 1


def test_orders_by_screen_and_minimap(game: Client) -> None:
    home = own(game, "CommandCenter")[0].pos
    create(game, "Marine", home.x - 8, home.y)
    select(game, own(game, "Marine")[0])
    goal = pixel(game, home.x - 5, home.y + 8)
    assert do(game, "feature_layer", "unit_command", ability_id=ATTACK, target_screen_coord=goal) == SUCCESS
    game.step(1)
    order = own(game, "Marine")[0].orders[0]
    assert order.ability_id == 23
    assert abs(order.target_world_space_pos.x - (home.x - 5)) < 0.3
    assert abs(order.target_world_space_pos.y - (home.y + 8)) < 0.3
    assert not game.observe().actions, "told in the observation before"
    assert do(game, "feature_layer", "unit_command", ability_id=MOVE, target_minimap_coord=(30, 30)) == SUCCESS
    assert not game.observe().actions, "not carried out yet"
    game.step(1)
    echoed = game.observe().actions
    assert [action.action_feature_layer.unit_command.ability_id for action in echoed] == [MOVE]
    assert own(game, "Marine")[0].orders[0].ability_id == MOVE


def test_an_order_on_a_unit_is_an_order_at_that_unit(game: Client) -> None:
    scv = own(game, "SCV")[0]
    raw = game.observe().observation.raw_data
    field = next(unit for unit in raw.units if unit.mineral_contents and unit.is_on_screen)
    game.command(4, scv.tag)
    game.step(2)
    do(game, "ui", "select_idle_worker", type=ui_pb2.ActionSelectIdleWorker.Set)
    at = pixel(game, field.pos.x, field.pos.y)
    assert do(game, "feature_layer", "unit_command", ability_id=SMART, target_screen_coord=at) == SUCCESS
    game.step(1)
    told = game.observe()
    order = next(unit for unit in told.observation.raw_data.units if unit.tag == scv.tag).orders[0]
    assert order.target_unit_tag == field.tag
    clicks = [action.action_feature_layer.unit_command for action in told.actions]
    assert [(click.ability_id, click.target_screen_coord.x, click.target_screen_coord.y) for click in clicks] == [
        (SMART, *at)
    ]


def test_abilities_are_what_the_selection_can_pay_for(game: Client) -> None:
    select(game, own(game, "SCV")[0])
    assert 319 not in abilities(game), "a depot costs 100, there are 50"
    game.step(500)
    assert game.observe().observation.player_common.minerals >= 100
    assert 319 in abilities(game)
    kinds = {a.ability_id: a.requires_point for a in game.observe().observation.abilities}
    assert kinds[319]
    assert not kinds[4]


def test_without_a_screen_there_is_nothing_to_click_on(client: Client) -> None:
    game = screens.start(client, setup=sc.InterfaceOptions(raw=True))
    assert do(game, "feature_layer", "camera_move", center_minimap=(5, 5)) == NOT_SUPPORTED
    assert do(game, "render", "camera_move", center_minimap=(5, 5)) == NOT_SUPPORTED
    assert do(game, "ui", "select_army") == ERROR
    assert not game.observe().observation.HasField("ui_data")


def test_raw_orders_select_their_units_where_that_is_asked_for(client: Client) -> None:
    game = screens.start(client, setup=screens.options(raw_affects_selection=True))
    scv = own(game, "SCV")[3]
    assert game.command(MOVE, scv.tag, at=(30, 40)) == SUCCESS
    assert chosen(game) == {scv.tag}
    other = own(game, "SCV")[4]
    game.command(0, other.tag)
    assert chosen(game) == {other.tag}, "public programs select so before they click on a panel"


def test_only_what_was_asked_for_is_told(client: Client) -> None:
    """The protocol's own comments: raw data and the ground of the map are there for who asked for raw data."""
    setup = screens.options()
    setup.raw = setup.score = False
    game = screens.start(client, setup=setup)
    told = game.observe()
    assert not told.observation.HasField("raw_data")
    assert not told.observation.HasField("score")
    assert told.observation.player_common.food_workers == 12
    assert told.observation.feature_layer_data.renders.unit_type.data
    info = game.ask(game_info=sc.RequestGameInfo()).game_info
    assert not info.HasField("start_raw")
    assert info.options == setup
    row, column = (int(k[0]) for k in np.nonzero(screens.screen(game)["unit_type"] == IDS["SCV"]))
    do(game, "feature_layer", "unit_selection_point", selection_screen_coord=(column, row))
    assert do(game, "feature_layer", "unit_command", ability_id=319, target_screen_coord=(42, 42)) != SUCCESS
    game.step(1)
    told = game.observe()
    assert [error.HasField("unit_tag") for error in told.action_errors] == [False]
    assert told.actions
    assert not any(action.HasField("action_raw") for action in told.actions)


def test_abilities_of_the_selection_are_told_without_a_screen(client: Client) -> None:
    game = screens.start(client, setup=sc.InterfaceOptions(raw=True, raw_affects_selection=True))
    assert not game.observe().observation.abilities
    game.command(0, own(game, "SCV")[0].tag)
    assert MOVE in abilities(game)
    assert not game.observe().observation.HasField("ui_data")


NUMBER = st.integers(-(2**31), 2**31 - 1)
SPATIAL = st.fixed_dictionaries({"x": NUMBER, "y": NUMBER, "kind": st.integers(0, 9), "ability": NUMBER})


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(SPATIAL, max_size=5))
@example([{"x": 0, "y": 0, "kind": 4, "ability": -1}])
def test_no_click_kills_the_server(playing: Client, actions: list[dict[str, int]]) -> None:
    request = sc.RequestAction()
    for wanted in actions:
        fill(request.actions.add(), wanted)
    answer = playing.ask(action=request)
    assert len(answer.action.result) == len(actions)
    assert not playing.step(1).error


def fill(action: sc.Action, wanted: dict[str, int]) -> None:
    """One action of the wanted kind with the wanted numbers."""
    spatial, ui, kind = action.action_feature_layer, action.action_ui, wanted["kind"]
    x, y = wanted["x"], wanted["y"]
    if kind < 5:
        action.ClearField("action_ui")
    if kind == 0:
        spatial.camera_move.center_minimap.x, spatial.camera_move.center_minimap.y = x, y
    elif kind == 1:
        spatial.unit_selection_point.selection_screen_coord.x = x % 90
        spatial.unit_selection_point.selection_screen_coord.y = y % 90
        spatial.unit_selection_point.type = 1 + abs(x) % 4
    elif kind == 2:
        frame = spatial.unit_selection_rect.selection_screen_coord.add()
        frame.p0.x, frame.p0.y, frame.p1.x, frame.p1.y = x, y, y % 84, x % 84
    elif kind == 3:
        spatial.unit_command.ability_id = abs(wanted["ability"]) % 4000
        spatial.unit_command.target_screen_coord.x, spatial.unit_command.target_screen_coord.y = x % 90, y % 90
    elif kind == 4:
        spatial.unit_command.ability_id = wanted["ability"]
        spatial.unit_command.target_minimap_coord.x, spatial.unit_command.target_minimap_coord.y = x, y
    elif kind == 5:
        ui.control_group.action, ui.control_group.control_group_index = 1 + abs(x) % 5, abs(y) % 20
    elif kind == 6:
        ui.multi_panel.type, ui.multi_panel.unit_index = 1 + abs(x) % 4, y
    elif kind == 7:
        ui.production_panel.unit_index = x
    elif kind == 8:
        ui.cargo_panel.unit_index = y
    else:
        ui.toggle_autocast.ability_id = wanted["ability"]


@pytest.fixture
def playing(game: Client) -> Client:
    return game
