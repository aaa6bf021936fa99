"""What may be asked when, the texts clients test for, and failures that leave the state alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from s2clientprotocol import debug_pb2, query_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.server.mapfiles import placeholder
from tests.sim.server.client import COMPUTER, PARTICIPANT, PROTOSS, TERRAN, ZERG, Client, running_server
from tests.sim.server.conftest import map_file

EMPTY = {
    "create_game": sc.RequestCreateGame(),
    "join_game": sc.RequestJoinGame(race=TERRAN),
    "restart_game": sc.RequestRestartGame(),
    "leave_game": sc.RequestLeaveGame(),
    "game_info": sc.RequestGameInfo(),
    "observation": sc.RequestObservation(),
    "data": sc.RequestData(),
    "step": sc.RequestStep(),
    "action": sc.RequestAction(),
    "query": query_pb2.RequestQuery(),
    "debug": sc.RequestDebug(),
    "save_replay": sc.RequestSaveReplay(),
    "quick_save": sc.RequestQuickSave(),
}
IN_GAME_ONLY = ("step", "action", "query", "debug")


def test_before_a_game(client: Client) -> None:
    for name in ("game_info", "observation", "data", "save_replay", "leave_game", "restart_game", *IN_GAME_ONLY):
        response = client.ask(**{name: EMPTY[name]})
        assert list(response.error) == ["Not in a game"], name
        assert response.status == sc.launched
        assert response.WhichOneof("response") is None


def test_always_allowed(client: Client) -> None:
    ping = client.ask(ping=sc.RequestPing()).ping
    assert ping.base_build == 94137
    assert ping.game_version
    maps = client.ask(available_maps=sc.RequestAvailableMaps()).available_maps.local_map_paths
    assert {map_file(), "Melee/Simple64.SC2Map", "SMAC_Maps/3m.SC2Map"} <= set(maps)
    assert client.ask(replay_info=sc.RequestReplayInfo()).replay_info.HasField("error")
    assert client.ask(start_replay=sc.RequestStartReplay()).start_replay.HasField("error")
    bad = client.ask(save_map=sc.RequestSaveMap(map_path="a.SC2Map", map_data=b"PNG")).save_map
    assert bad.error == sc.ResponseSaveMap.InvalidMapData


def test_a_join_says_who_plays_and_what_it_wants_to_see(client: Client) -> None:
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1))
    for request, error in (
        (sc.RequestJoinGame(options=sc.InterfaceOptions(raw=True)), sc.ResponseJoinGame.MissingParticipation),
        (sc.RequestJoinGame(race=TERRAN), sc.ResponseJoinGame.MissingOptions),
    ):
        response = client.ask(join_game=request)
        assert response.join_game.error == error
        assert response.status == sc.init_game
    assert client.join().join_game.player_id == 1


@pytest.mark.parametrize(
    ("path", "players", "error"),
    [
        ("", [(PARTICIPANT,)], sc.ResponseCreateGame.MissingMap),
        ("Nowhere.SC2Map", [(PARTICIPANT,)], sc.ResponseCreateGame.InvalidMapPath),
        ("x" * 5000, [(PARTICIPANT,)], sc.ResponseCreateGame.InvalidMapPath),  # no file can have such a name
        ("", [], sc.ResponseCreateGame.MissingPlayerSetup),
        ("map", [(PARTICIPANT,)] * 9, sc.ResponseCreateGame.InvalidPlayerSetup),
        ("map", [(PARTICIPANT,), *[(COMPUTER, ZERG, 1)] * 2], sc.ResponseCreateGame.InvalidPlayerSetup),
    ],
)
def test_create_failures(client: Client, path: str, players: list, error: int) -> None:
    response = client.create(map_file() if path == "map" else path, *players)
    assert response.create_game.error == error
    assert response.create_game.error_details
    assert len(response.create_game.error_details.splitlines()) == 1
    assert response.status == sc.launched
    assert not response.error


@pytest.mark.parametrize("third", [(PARTICIPANT,), (COMPUTER, ZERG, 1), (sc.Observer,)])
def test_two_clients_play_each_other_alone(client: Client, third: tuple) -> None:
    """Users of the real game met this text with three and four participants, with computers and with an observer."""
    response = client.create(map_file(), (PARTICIPANT,), (PARTICIPANT,), third)
    assert response.create_game.error == sc.ResponseCreateGame.InvalidPlayerSetup
    assert response.create_game.error_details == "Only 1v1 is supported when using multiple agents"
    assert response.status == sc.launched
    assert client.create(map_file(), (PARTICIPANT,), (PARTICIPANT,)).status == sc.init_game


@pytest.mark.parametrize(
    ("path", "data"), [("x.SC2Map", b"MPQ\x1b....."), ("", b"MPQ\x1b....."), ("3m.SC2Map", b"\x89PNG")]
)
def test_map_data_that_stands_for_none_of_our_maps_is_refused(client: Client, path: str, data: bytes) -> None:
    request = sc.RequestCreateGame(local_map=sc.LocalMap(map_path=path, map_data=data))
    request.player_setup.add(type=PARTICIPANT)
    assert client.ask(create_game=request).create_game.error == sc.ResponseCreateGame.InvalidMapData


def test_a_map_is_named_or_lies_in_the_installation(tmp_path: Path) -> None:
    """A file of ours says which map it stands for, whatever its own name."""
    for folder, name in (("Maps", "one"), ("maps/Melee", "two")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / f"{name}.SC2Map").write_bytes(placeholder("Flat32"))
    (tmp_path / "Maps" / "bad.SC2Map").write_bytes(b"PNG")
    with running_server(data_dir=tmp_path) as server:
        client = Client(server.port)
        for path, error in (
            ("one.SC2Map", 0),
            ("Melee\\two.SC2Map", 0),
            (str(tmp_path / "Maps" / "one.SC2Map"), 0),
            ("bad.SC2Map", sc.ResponseCreateGame.InvalidMapData),
        ):
            told = client.create(path, (PARTICIPANT,)).create_game
            assert (told.error if told.HasField("error") else 0) == error, path
        for name, error in (("Flat32", 0), ("Nowhere", sc.ResponseCreateGame.InvalidMapName)):
            request = sc.RequestCreateGame(battlenet_map_name=name, player_setup=[sc.PlayerSetup(type=PARTICIPANT)])
            told = client.ask(create_game=request).create_game
            assert (told.error if told.HasField("error") else 0) == error, name
        client.close()


@pytest.mark.parametrize("saved", [False, True])
def test_a_map_file_of_the_game_is_our_map_of_that_name(client: Client, saved: bool) -> None:
    """Programs bring maps along, and send them with the game or hand them to each client first."""
    path, data = "/home/me/maps/SMAC_Maps/3m.SC2Map", b"MPQ\x1b....."
    request = sc.RequestCreateGame(local_map=sc.LocalMap(map_path=path))
    if saved:
        assert not client.ask(save_map=sc.RequestSaveMap(map_path=path, map_data=data)).save_map.HasField("error")
    else:
        request.local_map.map_data = data
    request.player_setup.add(type=PARTICIPANT)
    request.player_setup.add(type=COMPUTER, race=TERRAN, difficulty=1)
    assert not client.ask(create_game=request).create_game.HasField("error")
    client.join()
    assert client.ask(game_info=sc.RequestGameInfo()).game_info.map_name == "3m"


def test_created_but_not_joined(client: Client, connect_to: Callable[[], Client]) -> None:
    assert client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1)).status == sc.init_game
    for name in IN_GAME_ONLY:
        assert list(client.ask(**{name: EMPTY[name]}).error) == ["A game has not been started yet"]
    client.close()
    other = connect_to()  # a new connection finds the created game
    assert other.ask(ping=sc.RequestPing()).status == sc.init_game
    assert other.join().join_game.player_id == 1


def test_participants_and_computers_play_any_race(client: Client) -> None:
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, PROTOSS, 1))
    assert client.join(PROTOSS).status == sc.in_game
    units = [unit for unit in client.observe().observation.raw_data.units if unit.alliance == 1]
    assert sorted({unit.unit_type for unit in units}) == [59, 84], "a nexus and probes"


def test_in_game_and_after_it(game: Client) -> None:
    assert game.ask(join_game=EMPTY["join_game"]).error
    assert list(game.ask(quick_load=sc.RequestQuickLoad()).error) == ["Nothing has been saved"]
    trigger = game.ask(map_command=sc.RequestMapCommand(trigger_cmd="x")).map_command
    assert trigger.HasField("error")
    assert trigger.error == sc.ResponseMapCommand.NoTriggerError
    end = debug_pb2.DebugCommand(end_game=debug_pb2.DebugEndGame(end_result=debug_pb2.DebugEndGame.DeclareVictory))
    assert game.ask(debug=sc.RequestDebug(debug=[end])).status == sc.in_game  # nobody has told this client yet
    assert game.command(4, 1 << 32) == 1, "nor is its order refused"
    stepped = game.step()
    assert (stepped.status, list(stepped.error)) == (sc.ended, [])
    results = {r.player_id: r.result for r in game.observe().player_result}
    assert results == {1: sc.Victory, 2: sc.Defeat}
    for name in ("step", "action"):
        assert list(game.ask(**{name: EMPTY[name]}).error) == ["Game has already ended"]
    for name in ("query", "debug"):
        assert list(game.ask(**{name: EMPTY[name]}).error) == ["Not supported if game has already ended"]
    for name in ("game_info", "data", "save_replay"):
        response = game.ask(**{name: EMPTY[name]})
        assert not response.error
        assert response.HasField(name)
    assert game.ask(leave_game=EMPTY["leave_game"]).status == sc.launched
    assert list(game.ask(observation=EMPTY["observation"]).error) == ["Not in a game"]


def test_restart_and_create_again_from_within(game: Client) -> None:
    game.step(50)
    said = sc.Action(action_chat=sc.ActionChat(message="of the first game"))
    moved = sc.Action()
    moved.action_raw.camera_move.center_world_space.x = 30
    game.ask(action=sc.RequestAction(actions=[said, moved]))
    restarted = game.ask(restart_game=EMPTY["restart_game"])
    assert restarted.status == sc.in_game
    seen = game.observe()
    assert seen.observation.game_loop == 0
    assert not seen.chat
    assert not seen.actions, "what was done in the first game"
    game.step(3)
    assert game.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1)).status == sc.init_game
    assert game.join().status == sc.in_game
    assert game.observe().observation.game_loop == 0


def test_frames_of_any_kind(client: Client) -> None:
    assert client.raw(b"\xff\xff\xff").error
    assert client.raw("not a protobuf").error
    assert client.raw(b"").error
    assert not client.raw(sc.Request(ping=sc.RequestPing()).SerializeToString()).HasField("id"), "none was given"
    text = sc.Request(ping=sc.RequestPing(), id=300).SerializeToString()
    client.socket.send(text, text=True)  # as pysc2 does, even where it is no valid UTF-8
    assert client.receive().HasField("ping")


def test_pipelined_requests_are_answered_in_order(client: Client) -> None:
    for _ in range(20):
        client.send(ping=sc.RequestPing())
    assert [client.receive().id for _ in range(20)] == list(range(1, 21))


frames = st.one_of(
    st.binary(max_size=64),
    st.builds(lambda name: sc.Request(**{name: EMPTY[name]}).SerializeToString(), st.sampled_from(sorted(EMPTY))),
    st.builds(
        lambda name, junk: sc.Request(**{name: EMPTY[name]}).SerializeToString() + junk,
        st.sampled_from(sorted(EMPTY)),
        st.binary(max_size=16),
    ),
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(frames)
def test_no_frame_ends_the_server(client: Client, frame: bytes) -> None:
    try:
        if sc.Request.FromString(frame).HasField("quit"):
            return
    except Exception:
        pass
    response = client.raw(frame)
    assert response.status in (sc.launched, sc.init_game, sc.in_game, sc.ended)
    assert client.ask(ping=sc.RequestPing()).ping.base_build == 94137


numbers = st.integers(-(2**31), 2**31 - 1)
tags = st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 300).map(lambda slot: (slot << 18) + (1 << 32) + 1))
floats = st.floats(width=32)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_action_query_or_debug_ends_the_server(game: Client, data: st.DataObject) -> None:
    order = sc.RequestAction()
    raw = order.actions.add().action_raw.unit_command
    raw.ability_id = data.draw(st.one_of(st.integers(0, 4200), numbers))
    raw.unit_tags.extend(data.draw(st.lists(tags, max_size=3)))
    if data.draw(st.booleans()):
        raw.target_unit_tag = data.draw(tags)
    else:
        raw.target_world_space_pos.x, raw.target_world_space_pos.y = data.draw(floats), data.draw(floats)
    assert len(game.ask(action=order).action.result) == 1
    query = query_pb2.RequestQuery()
    query.pathing.add(unit_tag=data.draw(tags)).end_pos.x = data.draw(floats)
    place = query.placements.add(ability_id=raw.ability_id)
    place.target_pos.x, place.target_pos.y = data.draw(floats), data.draw(floats)
    query.abilities.add(unit_tag=data.draw(tags))
    found = game.ask(query=query)
    assert not found.error
    assert (len(found.query.pathing), len(found.query.placements), len(found.query.abilities)) == (1, 1, 1)
    create = debug_pb2.DebugCreateUnit(unit_type=data.draw(st.integers(0, 2100)), owner=data.draw(st.integers(0, 17)))
    create.pos.x, create.pos.y = data.draw(floats), data.draw(floats)
    wanted = debug_pb2.DebugCommand(create_unit=create)
    game.ask(debug=sc.RequestDebug(debug=[wanted]))
    assert not game.step(2).error
    game.observe()


def test_units_are_made_for_players_and_nobody_alone(game: Client) -> None:
    for owner, known in ((-1, False), (0, True), (1, True), (2, True), (3, False), (16, True), (17, False)):
        create = debug_pb2.DebugCreateUnit(unit_type=48, owner=owner, pos={"x": 40, "y": 40})
        response = game.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(create_unit=create)]))
        assert list(response.error) == ([] if known else [f"There is no player {owner}"]), owner


def test_a_random_opponent_stays_a_secret(client: Client) -> None:
    for seed in range(3):
        client.create(map_file(), (PARTICIPANT,), (COMPUTER, 4, 2), random_seed=seed)
        client.join(TERRAN)
        info = client.ask(game_info=sc.RequestGameInfo()).game_info
        own, other = info.player_info
        assert (own.race_requested, own.race_actual, own.type) == (TERRAN, TERRAN, PARTICIPANT)
        assert (other.race_requested, other.type, other.difficulty) == (4, COMPUTER, 2)
        assert not other.HasField("race_actual")


@pytest.mark.parametrize(("build", "named"), [(sc.RandomBuild, False), (sc.Rush, True)])
def test_a_build_is_named_if_it_was_asked_for(client: Client, build: int, named: bool) -> None:
    """Twelve recorded games whose computer had none do not name it."""
    request = sc.RequestCreateGame(local_map=sc.LocalMap(map_path=map_file()))
    request.player_setup.add(type=PARTICIPANT, player_name="me")
    request.player_setup.add(type=COMPUTER, race=ZERG, difficulty=sc.Easy, ai_build=build)
    assert not client.ask(create_game=request).create_game.HasField("error")
    client.join(TERRAN)
    own, other = client.ask(game_info=sc.RequestGameInfo()).game_info.player_info
    assert (own.player_name, own.HasField("difficulty"), own.HasField("ai_build")) == ("me", False, False)
    assert (other.difficulty, other.HasField("player_name")) == (sc.Easy, False)
    assert (other.HasField("ai_build"), other.ai_build) == (named, build)
