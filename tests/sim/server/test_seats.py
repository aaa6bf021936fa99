"""Several clients in one game: lock step, results on both sides, disconnects, the relay between two processes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from s2clientprotocol import query_pb2
from s2clientprotocol import sc2api_pb2 as sc

from tests.sim.server.client import PARTICIPANT, TERRAN, ZERG, Client, running_server
from tests.sim.server.conftest import map_file

STOP, MOVE, WORKERS = 4, 16, (45, 104)


def in_thread(function: Callable[[], object]) -> tuple[threading.Thread, list]:
    """Starts a function; -> the thread and the list its result will be in."""
    found: list = []
    thread = threading.Thread(target=lambda: found.append(function()), daemon=True)
    thread.start()
    return thread, found


def finish(thread: threading.Thread, found: list) -> object:
    """The function's result."""
    thread.join(60)
    assert not thread.is_alive(), "a request hangs"
    return found[0]


def free_port() -> int:
    """A port that is free now (and its neighbours probably)."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_two(first: Client, second: Client, ports: int | None = None, **more) -> None:
    """Both join a game that `first` creates."""
    assert not first.create(map_file(), (PARTICIPANT,), (PARTICIPANT,), random_seed=5, **more).create_game.HasField(
        "error"
    )
    waiting = in_thread(lambda: first.join(TERRAN, ports, player_name="one"))
    time.sleep(0.05)
    assert second.join(ZERG, ports, player_name="two").join_game.player_id == 2
    assert finish(*waiting).join_game.player_id == 1


def step_both(pair: tuple[Client, Client], loops: int) -> None:
    """Both ask for as many loops."""
    waiting = in_thread(lambda: pair[1].step(loops))
    pair[0].step(loops)
    finish(*waiting)


def own_workers(client: Client) -> list[int]:
    """Tags of the workers."""
    units = client.observe().observation.raw_data.units
    return [unit.tag for unit in units if unit.alliance == 1 and unit.unit_type in WORKERS]


@pytest.fixture(params=["one process", "two processes"])
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[Client, Client]]:
    """Two clients in one game: two connections of one process, or host and guest."""
    with running_server() as host:
        if request.param == "one process":
            clients = Client(host.port), Client(host.port)
            start_two(*clients)
            yield clients
        else:
            with running_server() as guest:
                clients = Client(host.port), Client(guest.port)
                start_two(*clients, free_port())
                yield clients
        for client in clients:
            client.close()


def test_lock_step_with_different_steps(pair: tuple[Client, Client]) -> None:
    """Nobody runs ahead: each step is answered when the loop reaches its own target."""
    seen: dict[int, list[int]] = {}

    def play(client: Client, size: int, steps: int) -> None:
        seen[size] = []
        for _ in range(steps):
            response = client.step(size)
            seen[size].append(response.step.simulation_loop)
            assert client.observe().observation.game_loop == seen[size][-1]

    threads = [in_thread(lambda: play(pair[0], 4, 25)), in_thread(lambda: play(pair[1], 10, 10))]
    for thread in threads:
        finish(*thread)
    assert seen[4] == list(range(4, 101, 4))
    assert seen[10] == list(range(10, 101, 10))


def test_each_sees_its_own_side(pair: tuple[Client, Client]) -> None:
    for client in pair:
        observation = client.observe()
        own = [u for u in observation.observation.raw_data.units if u.alliance == 1]
        assert {u.owner for u in own} == {client.player}
        assert observation.observation.player_common.player_id == client.player
        assert not [u for u in observation.observation.raw_data.units if u.alliance == 4]
        info = client.ask(game_info=sc.RequestGameInfo()).game_info
        assert [p.player_id for p in info.player_info] == [1, 2]
        assert [p.HasField("race_actual") for p in info.player_info] == [client.player == 1, client.player == 2]
        assert {p.player_name for p in info.player_info} == {"one", "two"}
        assert not any(p.HasField("difficulty") for p in info.player_info)
        assert len(info.start_raw.start_locations) == 1


def test_an_order_that_no_longer_fits_when_it_arrives_is_dropped_without_a_word(pair: tuple[Client, Client]) -> None:
    first = pair[0]
    workers = own_workers(first)
    assert first.command(STOP, *workers) == 1
    step_both(pair, 2)
    first.ask(debug=sc.RequestDebug(debug=[{"kill_unit": {"tag": [workers[0]]}}]))
    step_both(pair, 1)
    for worker in workers[:2]:
        assert first.command(MOVE, worker, at=(40, 40)) == 1
    told = []
    for _ in range(4):
        step_both(pair, 1)
        response = first.observe()
        assert not response.action_errors
        told += [(a.action_raw.unit_command.ability_id, *a.action_raw.unit_command.unit_tags) for a in response.actions]
    assert workers[0] not in own_workers(first)
    assert [order for order in told if order[0] == MOVE] == [(MOVE, workers[1])]


def test_a_game_in_which_nobody_gets_on_is_a_tie() -> None:
    """Two players whose workers rest: three normal minutes until the game warns, three more."""
    with running_server() as host:
        clients = Client(host.port), Client(host.port)
        start_two(*clients)

        def rest(client: Client, loops: int) -> int:
            units = client.observe().observation.raw_data.units
            client.command(STOP, *(unit.tag for unit in units if unit.unit_type in WORKERS))
            return client.step(loops).status

        def play(loops: int) -> list[int]:
            threads = [in_thread(lambda one=client: rest(one, loops)) for client in clients]
            return [finish(*thread) for thread in threads]

        assert play(5700) == [sc.in_game] * 2
        assert play(100) == [sc.ended] * 2
        for client in clients:
            assert {r.result for r in client.observe().player_result} == {sc.Tie}
            client.close()


def test_leaving_loses_and_the_other_wins(pair: tuple[Client, Client]) -> None:
    blocked = in_thread(lambda: pair[0].step(1000))
    time.sleep(0.05)
    left = pair[1].ask(leave_game=sc.RequestLeaveGame())
    assert (left.status, list(left.error)) == (sc.launched, [])
    stepped = finish(*blocked)
    assert (stepped.status, list(stepped.error)) == (sc.ended, [])
    assert {r.player_id: r.result for r in pair[0].observe().player_result} == {1: sc.Victory, 2: sc.Defeat}


def test_nobody_errs_because_the_other_side_ended_the_game(pair: tuple[Client, Client]) -> None:
    pair[0].ask(leave_game=sc.RequestLeaveGame())
    other = pair[1]
    requests = {"action": sc.RequestAction(), "query": query_pb2.RequestQuery(), "game_info": sc.RequestGameInfo()}
    for name, request in requests.items():
        response = other.ask(**{name: request})
        assert (response.status, list(response.error)) == (sc.in_game, [])
    observation = other.ask(observation=sc.RequestObservation())
    assert observation.status == sc.ended
    assert {r.player_id: r.result for r in observation.observation.player_result} == {1: sc.Defeat, 2: sc.Victory}


@pytest.mark.parametrize("leaver", [0, 1])
def test_a_lost_connection_releases_the_other(pair: tuple[Client, Client], leaver: int) -> None:
    stays = pair[1 - leaver]
    blocked = in_thread(lambda: stays.step(1000))
    time.sleep(0.05)
    pair[leaver].close()
    assert finish(*blocked).status == sc.ended
    results = {r.player_id: r.result for r in stays.observe().player_result}
    assert results == {stays.player: sc.Victory, 3 - stays.player: sc.Defeat}


def test_chat_reaches_both_once(pair: tuple[Client, Client]) -> None:
    request = sc.RequestAction()
    request.actions.add().action_chat.message = "gl hf"
    assert list(pair[1].ask(action=request).action.result) == [1]
    for client in pair:
        assert [(c.player_id, c.message) for c in client.observe().chat] == [(2, "gl hf")]
        assert not client.observe().chat


def test_team_chat_stays_with_its_team(pair: tuple[Client, Client]) -> None:
    request = sc.RequestAction()
    request.actions.add().action_chat.message = "to all"
    chat = request.actions.add().action_chat
    chat.message, chat.channel = "Tag:secret", sc.ActionChat.Team
    assert list(pair[0].ask(action=request).action.result) == [1, 1]
    assert [c.message for c in pair[0].observe().chat] == ["to all", "Tag:secret"]
    assert [c.message for c in pair[1].observe().chat] == ["to all"]


def test_quit_waits_for_the_other_to_leave(pair: tuple[Client, Client]) -> None:
    waiting = in_thread(lambda: pair[0].ask(quit=sc.RequestQuit()))
    time.sleep(0.3)
    assert waiting[0].is_alive()
    assert pair[1].step(2).status == sc.ended
    assert len(pair[1].observe().player_result) == 2
    pair[1].ask(leave_game=sc.RequestLeaveGame())
    assert finish(*waiting).status == sc.quit


def test_who_is_alone_quits_at_once(game: Client) -> None:
    begin = time.perf_counter()
    assert game.ask(quit=sc.RequestQuit()).status == sc.quit
    assert time.perf_counter() - begin < 2, "it waited for nobody"


def test_a_second_game_after_the_first() -> None:
    with running_server() as host, running_server() as guest:
        first, second = Client(host.port), Client(guest.port)
        for _ in range(2):
            start_two(first, second, free_port())
            second.send(step=sc.RequestStep(count=8))
            time.sleep(0.05)
            assert first.observe().observation.game_loop == 0, "each game waits for both"
            first.step(8)
            second.receive()
            assert first.observe().observation.game_loop == second.observe().observation.game_loop == 8
            for client in (first, second):
                assert client.ask(leave_game=sc.RequestLeaveGame()).status == sc.launched


def test_a_client_that_goes_before_the_start_frees_the_other() -> None:
    with running_server() as server:
        first, second = Client(server.port), Client(server.port)
        first.create(map_file(), (PARTICIPANT,), (PARTICIPANT,))
        waiting = in_thread(lambda: first.join())
        time.sleep(0.1)
        second.close()
        assert waiting[0].is_alive()  # it had not joined: the game still waits for a player
        third = Client(server.port)
        third.send(ping=sc.RequestPing())
        assert third.receive().status == sc.init_game
        assert third.join(ZERG).join_game.player_id == 2
        assert finish(*waiting).join_game.player_id == 1


def test_a_host_whose_port_is_taken_is_told() -> None:
    with socket.socket() as other, running_server() as host:
        other.bind(("127.0.0.1", 0))
        other.listen()
        client = Client(host.port)
        client.create(map_file(), (PARTICIPANT,), (PARTICIPANT,))
        joined = client.join(TERRAN, other.getsockname()[1])
        assert joined.join_game.error == sc.ResponseJoinGame.NetworkError
        assert "in use" in joined.join_game.error_details
        assert joined.status == sc.init_game


def test_a_guest_without_a_host_is_told() -> None:
    from sim.server import relay

    patience, relay.PATIENCE = relay.PATIENCE, 0.2
    try:
        with running_server() as guest:
            client = Client(guest.port)
            assert client.join(TERRAN, free_port()).join_game.error == sc.ResponseJoinGame.NetworkError
            nameless = sc.Request(join_game=client.join_request(TERRAN, free_port())).SerializeToString()
            assert not client.raw(nameless).HasField("id")
            assert client.ask(ping=sc.RequestPing()).status == sc.launched
    finally:
        relay.PATIENCE = patience


def test_a_guest_watches_the_game_it_has_played(pair: tuple[Client, Client]) -> None:
    host, guest = pair
    host.send(step=sc.RequestStep(count=20))
    assert guest.step(20).step.simulation_loop == host.receive().step.simulation_loop == 20
    refused = guest.join(TERRAN, free_port())
    assert refused.error, "it is in a game"
    assert refused.status == sc.in_game
    host.ask(leave_game=sc.RequestLeaveGame())
    assert guest.step().status == sc.ended
    saved = guest.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    wanted = sc.RequestStartReplay(replay_data=saved, observed_player_id=2, options=sc.InterfaceOptions(raw=True))
    assert guest.ask(start_replay=wanted).status == sc.in_replay
    assert guest.step(5).step.simulation_loop == guest.observe().observation.game_loop == 5


def test_a_guest_who_goes_before_there_is_a_host_is_no_guest_of_a_later_game() -> None:
    port = free_port()
    with running_server() as gone, running_server() as host, running_server() as guest:
        early, first, second = Client(gone.port), Client(host.port), Client(guest.port)
        early.ask(ping=sc.RequestPing())
        early.send(join_game=early.join_request(TERRAN, port))
        early.close()
        for _ in range(500):
            time.sleep(0.01 if gone.seats else 0)
        assert not gone.seats
        start_two(first, second, port)
        assert {first.player, second.player} == {1, 2}


def test_a_guest_who_goes_while_it_waits_for_the_host_is_gone_at_once(pair: tuple[Client, Client]) -> None:
    host, guest = pair
    guest.send(step=sc.RequestStep(count=1 << 19))
    guest.close()
    while (told := host.step()).status == sc.in_game:
        assert told.step.simulation_loop < 5000, "it goes on against nobody"
    assert told.status == sc.ended


def test_a_vanished_host_ends_the_game() -> None:
    with running_server() as guest:
        with running_server() as host:
            first, second = Client(host.port), Client(guest.port)
            start_two(first, second, free_port())
            first.close()
        stub = second.ask(observation=sc.RequestObservation())
        assert stub.status == sc.ended
        assert {r.player_id: r.result for r in stub.observation.player_result} == {1: sc.Defeat, 2: sc.Victory}


@pytest.mark.parametrize(("host", "port"), [("", -1), ("", 99999), ("[::", 12345)])
def test_a_join_at_no_place_is_refused_at_once(client: Client, host: str, port: int) -> None:
    """Guest and host are told: the guest's connection was closed, the host's join an internal error."""
    request = client.join_request(host_ip=host)
    request.server_ports.game_port = request.server_ports.base_port = port
    refused = client.ask(join_game=request)
    assert (refused.status, refused.join_game.error) == (sc.launched, sc.ResponseJoinGame.NetworkError)
    client.create(map_file(), (PARTICIPANT,), (PARTICIPANT,))
    if not host:
        refused = client.ask(join_game=request)
        assert (refused.status, refused.join_game.error) == (sc.init_game, sc.ResponseJoinGame.NetworkError)


def test_a_guest_whose_host_is_gone_may_say_anything() -> None:
    with running_server() as guest:
        with running_server() as host:
            first, second = Client(host.port), Client(guest.port)
            start_two(first, second, free_port())
            first.close()
        assert second.raw(b"\xff\x00garbage").error
        assert second.raw(b"").error
        assert second.ask(observation=sc.RequestObservation()).status == sc.ended
        assert second.ask(leave_game=sc.RequestLeaveGame()).status == sc.launched
        assert second.ask(observation=sc.RequestObservation()).error == ["Not in a game"]


def test_ports_of_earlier_games_are_free_again() -> None:
    """A process that plays many games, each with ports of its own, kept all of them open."""
    with running_server() as host, running_server() as guest:
        first, second = Client(host.port), Client(guest.port)
        ports = [free_port() for _ in range(2)]
        for port in ports:
            start_two(first, second, port)
            for client in (second, first):
                client.ask(leave_game=sc.RequestLeaveGame())
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", ports[0]))
        for client in (first, second):
            client.close()


def test_an_observation_without_fog_leaves_the_fog_as_it_was(pair: tuple[Client, Client]) -> None:
    def owners(**more: object) -> set[int]:
        return {unit.owner for unit in pair[0].observe(**more).observation.raw_data.units}

    assert owners() == {1, 16}
    assert owners(disable_fog=True) == {1, 2, 16}
    assert owners() == {1, 16}


def test_a_realtime_game_of_two_needs_no_steps() -> None:
    with running_server() as server:
        first, second = Client(server.port), Client(server.port)
        start_two(first, second, realtime=True)
        waiting = in_thread(lambda: first.observe(game_loop=6).observation.game_loop)
        assert second.observe(game_loop=4).observation.game_loop >= 4
        assert finish(*waiting) >= 6
        second.close()
        told = first.ask(observation=sc.RequestObservation(game_loop=1 << 30))
        assert told.status == sc.ended
