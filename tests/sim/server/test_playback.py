"""Saved games played again over the socket, and worlds cut to the playable area."""

from __future__ import annotations

import json
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from s2clientprotocol import debug_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import load
from sim.server import replay
from tests.sim.server import screens
from tests.sim.server.client import TERRAN, ZERG, Client, running_server
from tests.sim.server.screens import create, do, own, select
from tests.sim.server.test_seats import start_two

TRAIN_SCV, MOVE, STOP = 524, 16, 4


def look(client: Client) -> tuple[Any, ...]:
    """What a watcher sees: the loop, the bank, every unit, the screen."""
    found = client.observe().observation
    units = sorted((u.tag, u.unit_type, u.pos.x, u.pos.y, u.health, u.is_selected) for u in found.raw_data.units)
    layers = found.feature_layer_data.renders
    return found.game_loop, found.player_common.minerals, units, layers.unit_type.data, layers.selected.data


def play(game: Client) -> tuple[dict[int, tuple[Any, ...]], bytes]:
    """Half a minute of orders, clicks and debug commands; -> what was seen by loop, and the saved game."""
    seen = {}
    scv, hall = own(game, "SCV")[0], own(game, "CommandCenter")[0]
    for turn in range(12):
        if turn == 1:
            assert game.command(TRAIN_SCV, hall.tag) == 1
        if turn == 3:
            assert select(game, hall) == 1
        if turn == 5:
            create(game, "Marine", hall.pos.x - 8, hall.pos.y, quantity=4)
        if turn == 7:
            assert do(game, "ui", "select_army") == 1
            assert do(game, "feature_layer", "unit_command", ability_id=MOVE, target_minimap_coord=(30, 30)) == 1
        if turn == 8:
            assert game.command(MOVE, scv.tag, at=(40, 40)) == 1
        game.step(50)
        seen[game.observe().observation.game_loop] = look(game)
    return seen, game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data


def replay_request(data: bytes, observed: int = 1) -> sc.RequestStartReplay:
    return sc.RequestStartReplay(replay_data=data, observed_player_id=observed, options=screens.options())


def test_a_replay_shows_the_same_game_and_ends_where_it_was_saved(client: Client) -> None:
    seen, data = play(screens.start(client))
    info = client.ask(replay_info=sc.RequestReplayInfo(replay_data=data)).replay_info
    assert (info.map_name, info.game_duration_loops, len(info.player_info)) == (
        "Simple Test Map 64x64",
        max(seen),
        2,
    )
    assert [one.player_info.race_actual for one in info.player_info] == [1, 2]
    started = client.ask(start_replay=replay_request(data))
    assert started.status == sc.in_replay
    assert not started.start_replay.HasField("error")
    assert client.ask(action=sc.RequestAction()).error
    for loop, before in seen.items():
        client.step(loop - client.observe().observation.game_loop)
        again = look(client)
        for part, (now, then) in enumerate(zip(again, before, strict=True)):
            assert now == then, (loop, part)
    assert client.step(500).status == sc.ended
    end = client.observe()
    assert end.observation.game_loop == max(seen)
    assert len(end.player_result) == 2
    assert client.ask(save_replay=sc.RequestSaveReplay()).error
    again = client.ask(restart_game=sc.RequestRestartGame()).restart_game
    assert again.error == sc.ResponseRestartGame.LaunchError, "nobody would act in it"


def test_a_replay_reports_actions_in_the_loops_in_which_the_player_was_told_of_them(client: Client) -> None:
    game = screens.start(client)
    hall, scv = own(game, "CommandCenter")[0], own(game, "SCV")[0]
    told = {}
    for turn in range(1, 12):
        if turn == 4:
            assert select(game, hall) == 1
        if turn == 6:
            assert game.command(TRAIN_SCV, hall.tag) == 1
        if turn == 8:
            assert game.command(MOVE, scv.tag, at=(40, 40)) == 1
        game.step(1)
        seen = game.observe()
        told[seen.observation.game_loop] = list(seen.actions)
    assert len([actions for actions in told.values() if actions]) == 3
    data = game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    client.ask(start_replay=replay_request(data))
    client.step(min(told) - 1)
    client.observe()
    for loop, actions in told.items():
        client.step(1)
        assert list(client.observe().actions) == actions, loop


def test_a_saved_game_goes_on_by_steps_though_realtime_is_asked_for(client: Client) -> None:
    """As s2client-api's issue 274 says of the real game, and sc2kit of the client of 4.10: it is ignored."""
    _, data = play(screens.start(client))
    wanted = replay_request(data)
    wanted.realtime = True
    client.ask(start_replay=wanted)
    time.sleep(0.3)
    assert client.observe().observation.game_loop == 0
    assert client.step(5).step.simulation_loop == 5
    assert client.observe().observation.game_loop == 5


def test_both_players_of_a_saved_game_can_be_watched(client: Client) -> None:
    _, data = play(screens.start(client))
    for observed, race in ((1, "SCV"), (2, "Drone")):
        assert client.ask(start_replay=replay_request(data, observed)).status == sc.in_replay
        client.step(100)
        client.player = observed
        assert own(client, race)
        assert client.observe().observation.player_common.player_id == observed
        info = client.ask(game_info=sc.RequestGameInfo()).game_info
        assert [player.race_actual for player in info.player_info] == [TERRAN, ZERG], "no secret any more"
    assert client.ask(start_replay=replay_request(data, 5)).start_replay.error == (
        sc.ResponseStartReplay.InvalidObservedPlayerId
    )


def test_a_game_saved_before_its_end_is_undecided(client: Client) -> None:
    _, data = play(screens.start(client))
    info = client.ask(replay_info=sc.RequestReplayInfo(replay_data=data)).replay_info
    assert {player.player_result.result for player in info.player_info} == {sc.Undecided}
    client.ask(start_replay=replay_request(data))
    assert client.step(10_000).status == sc.ended
    assert {player.result for player in client.observe().player_result} == {sc.Undecided}


def test_a_saved_game_counts_the_actions_a_minute_as_real_ones_do(client: Client) -> None:
    """An order is a selection and a command; a target that is no right click's makes two actions more."""
    game = screens.start(client)
    one, other, *_ = own(game, "SCV")
    assert game.command(MOVE, one.tag, other.tag, at=(40, 40)) == 1
    assert game.command(replay.SMART, one.tag, at=(30, 30)) == 1
    assert game.command(STOP, other.tag) == 1
    game.step(480 - game.observe().observation.game_loop)
    data = game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    info = client.ask(replay_info=sc.RequestReplayInfo(replay_data=data)).replay_info
    assert [player.player_apm for player in info.player_info] == [2 * (4 + 2 + 2), 0]
    assert all(player.HasField("player_apm") for player in info.player_info)


def test_a_player_who_left_leaves_in_the_replay_too(client: Client, connect_to: Any) -> None:
    start_two(client, other := connect_to())
    other.send(step=sc.RequestStep(count=10))
    client.step(10)
    assert other.receive().step.simulation_loop == 10
    other.ask(leave_game=sc.RequestLeaveGame())
    assert client.step(9).status == sc.ended
    data = client.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    info = client.ask(replay_info=sc.RequestReplayInfo(replay_data=data)).replay_info
    assert [one.player_info.player_name for one in info.player_info] == ["one", "two"]
    assert [one.player_result.result for one in info.player_info] == [sc.Victory, sc.Defeat]
    client.ask(start_replay=replay_request(data))
    assert client.step(9).status == sc.in_replay
    assert client.step(9).status == sc.ended
    assert [one.result for one in client.observe().player_result] == [sc.Victory, sc.Defeat]


@pytest.mark.parametrize("folder", ["Replays", "."])
def test_a_replay_is_found_by_its_path_in_the_installation(tmp_path: Path, folder: str) -> None:
    with running_server(data_dir=tmp_path) as server:
        game = screens.start(Client(server.port))
        game.step(8)
        data = game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "x.SC2Replay").write_bytes(data)
        assert (
            game.ask(replay_info=sc.RequestReplayInfo(replay_path="x.SC2Replay")).replay_info.game_duration_loops == 12
        )
        wanted = sc.RequestStartReplay(replay_path="x.SC2Replay")
        assert game.ask(start_replay=wanted).start_replay.error == sc.ResponseStartReplay.MissingOptions
        wanted.options.raw, wanted.observed_player_id = True, 3
        assert game.ask(start_replay=wanted).start_replay.error == sc.ResponseStartReplay.InvalidObservedPlayerId
        wanted.observed_player_id = 2
        assert game.ask(start_replay=wanted).status == sc.in_replay
        game.close()


def test_a_replay_ends_as_the_game_did_when_the_computer_gives_up(client: Client) -> None:
    game = screens.start(client)
    create(game, "SpawningPool", 20, 20, owner=2)
    units = game.observe(disable_fog=True).observation.raw_data.units
    rest = [unit.tag for unit in units if unit.owner == 2 and unit.unit_type != screens.IDS["SpawningPool"]]
    kill = debug_pb2.DebugCommand(kill_unit=debug_pb2.DebugKillUnit(tag=rest))
    game.ask(debug=sc.RequestDebug(debug=[kill]))
    for _ in range(20):
        game.step(22)
        results = game.observe().player_result
        if results:
            break
    assert [one.result for one in results] == [sc.Victory, sc.Defeat]
    data = game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    assert client.ask(start_replay=replay_request(data)).status == sc.in_replay
    client.step(1000)
    assert [one.result for one in client.observe().player_result] == [sc.Victory, sc.Defeat]


@pytest.mark.parametrize("data", [b"MPQ\x1b nonsense", b"IRONSIGHT REPLAY 2\nnonsense"])
def test_what_is_no_saved_game_is_refused_with_one_line(client: Client, data: bytes) -> None:
    wanted = client.ask(start_replay=replay_request(data))
    assert wanted.start_replay.error == sc.ResponseStartReplay.InvalidReplayData
    assert len(wanted.start_replay.error_details.splitlines()) == 1
    assert wanted.status == sc.launched
    assert client.ask(replay_info=sc.RequestReplayInfo(replay_data=data)).replay_info.HasField("error")
    unnamed = client.ask(start_replay=sc.RequestStartReplay()).start_replay
    assert unnamed.HasField("error")
    assert unnamed.error == sc.ResponseStartReplay.MissingReplay
    for path in ("nowhere", "x" * 5000):  # no file can have such a name
        missing = client.ask(start_replay=sc.RequestStartReplay(replay_path=path)).start_replay
        assert missing.error == sc.ResponseStartReplay.LaunchError, "burnysc2's issue 52: 7, unable to open replay"
        info = client.ask(replay_info=sc.RequestReplayInfo(replay_path=path)).replay_info
        assert info.HasField("error")
        assert info.error == sc.ResponseReplayInfo.MissingReplay


FORGERIES = {
    "map": [5, None, "nowhere"],
    "seed": ["x", 1.5],
    "patch": ["9.9.9", 3],
    "players": [{}, [], [1], [{"computer": True}]],
    "loops": ["x", -1],
    "results": [[], [9, 9], "xx"],
    "options": [{"7": ""}, {"1": "zz"}, {"1": "ff"}, []],
    "records": [
        [1],
        [[0, 1, "Action", "zz"]],
        [[0, 1, "Action", "ff"]],
        [[0, 9, "Action", ""]],
        [[0, 1, "nonsense", ""]],
    ],
}


@pytest.mark.parametrize(("part", "value"), [(part, value) for part, values in FORGERIES.items() for value in values])
def test_a_saved_game_that_somebody_has_changed_is_refused(client: Client, part: str, value: object) -> None:
    game = screens.start(client)
    game.step(8)
    content = replay.unpack(game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data)
    data = replay.MAGIC + zlib.compress(json.dumps(content | {part: value}).encode())
    for _ in range(2):
        told = client.ask(start_replay=replay_request(data))
        assert told.start_replay.error == sc.ResponseStartReplay.InvalidReplayData
        assert told.status == sc.in_game
    assert client.ask(step=sc.RequestStep(count=1)).status == sc.in_game


def test_a_cropped_world_begins_at_the_playable_corner(client: Client) -> None:
    screens.start(client)
    whole = client.observe().observation.raw_data
    game = screens.start(client, setup=screens.options(raw_crop_to_playable_area=True))
    x0, y0, x1, y1 = load("Flat64").playable
    cut = game.observe().observation.raw_data
    assert len(cut.units) == len(whole.units)
    for mine, theirs in zip(cut.units, whole.units, strict=True):
        assert (mine.pos.x + x0, mine.pos.y + y0) == (theirs.pos.x, theirs.pos.y)
    start = game.ask(game_info=sc.RequestGameInfo()).game_info.start_raw
    assert (start.map_size.x, start.map_size.y) == (x1 - x0, y1 - y0)
    assert (start.playable_area.p0.x, start.playable_area.p0.y) == (0, 0)
    assert (start.playable_area.p1.x, start.playable_area.p1.y) == (x1 - x0, y1 - y0)
    (enemy,) = start.start_locations
    assert (enemy.x + x0, enemy.y + y0) == load("Flat64").starts[1]
    assert len(start.pathing_grid.data) * 8 == len(start.terrain_height.data) == 64 * 64
    assert (cut.map_state.visibility.size.x, len(cut.map_state.visibility.data)) == (64, 64 * 64)
    create(game, "Marine", 30, 30)
    marine = own(game, "Marine")[0]
    assert (marine.pos.x, marine.pos.y) == (30, 30)
    assert game.command(MOVE, marine.tag, at=(33, 30)) == 1
    game.step(80)
    assert (own(game, "Marine")[0].pos.x, own(game, "Marine")[0].pos.y) == (33, 30)


def test_lifting_the_fog_shows_the_unseen_as_hidden(client: Client) -> None:
    game = screens.start(client)
    plain = {unit.tag for unit in game.observe().observation.raw_data.units}
    lifted = [u for u in game.observe(disable_fog=True).observation.raw_data.units if u.owner == 2]
    assert lifted
    assert all(u.tag not in plain and u.display_type == 3 and u.cloak == 0 for u in lifted)


def test_actions_of_two_clients_take_one_loop_more(client: Client, connect_to: Any) -> None:
    client.create("Flat64", (sc.Participant,), (sc.Participant,), random_seed=3)
    guest = connect_to()
    guest.send(join_game=guest.join_request(TERRAN))
    client.join(TERRAN)
    guest.receive()

    def both(count: int) -> None:
        guest.send(step=sc.RequestStep(count=count))
        client.step(count)
        guest.receive()

    scv = own(client, "SCV")[0]
    loop = client.observe().observation.game_loop
    assert client.command(MOVE, scv.tag, at=(40, 40)) == 1
    assert client.command(MOVE, scv.tag + 1, at=(40, 40)) == 3
    both(1)
    assert not client.observe().actions
    both(1)
    found = client.observe()
    assert [action.game_loop for action in found.actions] == [loop + 1]
    assert next(u for u in found.observation.raw_data.units if u.tag == scv.tag).orders[0].ability_id == MOVE


def test_a_quick_load_goes_back_to_the_save(client: Client) -> None:
    game = screens.start(client)
    assert game.ask(quick_load=sc.RequestQuickLoad()).error == ["Nothing has been saved"]
    scv, hall = own(game, "SCV")[0], own(game, "CommandCenter")[0]
    game.command(TRAIN_SCV, hall.tag)
    game.step(60)
    create(game, "Marine", hall.pos.x - 8, hall.pos.y, quantity=4)
    select(game, hall)
    game.command(MOVE, scv.tag, at=(40, 40))
    assert not game.ask(quick_save=sc.RequestQuickSave()).error
    before = look(game)
    game.step(100)
    later = look(game)
    game.command(MOVE, scv.tag, at=(60, 60))
    game.step(30)
    assert not game.ask(quick_load=sc.RequestQuickLoad()).error
    assert look(game) == before
    game.step(100)
    assert look(game) == later


def test_refused_orders_by_the_screen_are_told_as_errors(client: Client) -> None:
    game = screens.start(client)
    select(game, own(game, "SCV")[0])
    result = do(game, "feature_layer", "unit_command", ability_id=319, target_screen_coord=(42, 70))
    errors = game.observe().action_errors
    assert [(error.ability_id, error.result) for error in errors] == [(319, result)]
    assert result == 9
    assert not game.observe().action_errors


def test_quick_saves_are_for_one_player_without_the_clock(client: Client, connect_to: Any) -> None:
    screens.start(client)
    client.create("Flat64", (sc.Participant,), (sc.Computer, TERRAN, 1), realtime=True)
    client.join()
    refused = ["Quick save and load are for one player without realtime"]
    assert client.ask(quick_save=sc.RequestQuickSave()).error == refused
    client.ask(leave_game=sc.RequestLeaveGame())
    client.create("Flat64", (sc.Computer, TERRAN, 1))
    watching = sc.RequestJoinGame(observed_player_id=1, options=sc.InterfaceOptions(raw=True))
    assert client.ask(join_game=watching).status == sc.in_game
    assert client.ask(quick_save=sc.RequestQuickSave()).error == refused
    client.ask(leave_game=sc.RequestLeaveGame())
    start_two(client, connect_to())
    for request in ({"quick_save": sc.RequestQuickSave()}, {"quick_load": sc.RequestQuickLoad()}):
        assert client.ask(**request).error == refused
