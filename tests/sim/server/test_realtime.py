"""Games that follow the clock. Nothing here is timed: only order and waiting are tested."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from s2clientprotocol import sc2api_pb2 as sc

from sim.server import engine
from sim.server.server import Server
from tests.sim.server.client import COMPUTER, PARTICIPANT, ZERG, Client
from tests.sim.server.conftest import map_file


def test_the_clock_plays_and_observations_wait(client: Client) -> None:
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1), realtime=True)
    client.join()
    loops = [client.observe(game_loop=loop).observation.game_loop for loop in (3, 6, 9, 2)]
    assert loops[0] >= 3
    assert loops[1] >= 6
    assert loops[2] >= 9
    assert loops[3] >= loops[2]
    response = client.step(1)
    assert response.error
    assert response.status == sc.in_game
    assert client.ask(leave_game=sc.RequestLeaveGame()).status == sc.launched


def test_waiting_ends_with_the_game(client: Client) -> None:
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1), realtime=True)
    client.join()
    client.send(debug=sc.RequestDebug(debug=[{"end_game": {}}]))
    client.send(observation=sc.RequestObservation(game_loop=100_000))
    assert not client.receive().error
    told = client.receive()
    assert told.status == sc.ended
    assert {r.player_id: r.result for r in told.observation.player_result} == {1: sc.Defeat, 2: sc.Victory}


def test_the_clock_stops_when_nobody_is_left(server: Server, client: Client) -> None:
    client.create(map_file(), (COMPUTER, ZERG, 1), (COMPUTER, ZERG, 1), realtime=True)
    watching = sc.RequestJoinGame(observed_player_id=1, options=sc.InterfaceOptions(raw=True))
    assert client.ask(join_game=watching).status == sc.in_game
    assert client.observe(game_loop=2).observation.game_loop >= 2
    match = server.match
    client.ask(leave_game=sc.RequestLeaveGame())
    loop = match.game.loop
    time.sleep(0.2)
    assert match.game.loop == loop


def test_no_clock_runs_for_who_hangs_up_while_the_game_starts_again(
    server: Server, client: Client, connect_to: Callable[[], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = connect_to()
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1), realtime=True)
    client.join()
    match, new_game, begun = server.match, engine.new_game, threading.Event()
    first = match.game

    def when_the_client_is_gone(*wanted: object) -> object:
        client.close()
        while match.all_seats:
            other.ask(ping=sc.RequestPing())
        begun.set()
        return new_game(*wanted)

    monkeypatch.setattr(engine, "new_game", when_the_client_is_gone)
    client.send(restart_game=sc.RequestRestartGame())
    assert begun.wait(60)
    while match.game is first:
        other.ask(ping=sc.RequestPing())
    for _ in range(3):
        other.ask(ping=sc.RequestPing())
    assert match._clock is None
