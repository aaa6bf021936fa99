"""What goes wrong inside of a server or before a game: who is told what, and that the next game can be played."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from s2clientprotocol import sc2api_pb2 as sc

from sim.server import dispatch, engine
from sim.server.server import Server
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, ZERG, Client
from tests.sim.server.conftest import map_file
from tests.sim.server.test_seats import start_two

OBSERVE = sc.RequestJoinGame(observed_player_id=0, options=sc.InterfaceOptions(raw=True))


def fails(*_: object) -> None:
    raise ValueError("no such luck")


def until(there: Callable[[], object]) -> None:
    """Waits for what another thread does."""
    for _ in range(1000):
        if there():
            return
        time.sleep(0.01)
    raise AssertionError("in vain")


def test_every_request_of_the_protocol_has_its_rule() -> None:
    assert set(dispatch.RULES) == {field.name for field in sc.Request.DESCRIPTOR.oneofs_by_name["request"].fields}


def test_an_error_of_ours_is_told_as_one(game: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(dispatch.RULES, "data", dispatch.Rule(fails, dispatch.ANY))
    told = game.ask(data=sc.RequestData())
    assert (list(told.error), told.status) == (["Internal error: ValueError: no such luck"], sc.in_game)
    assert not told.HasField("data")


def test_a_failing_engine_ends_the_game_for_all(
    client: Client, connect_to: Callable[[], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = connect_to()
    start_two(client, other)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "play_loop", fails)
        other.send(step=sc.RequestStep(count=5))
        for told in (client.step(), other.receive(), client.ask(observation=sc.RequestObservation())):
            assert list(told.error) == ["the engine failed: ValueError: no such luck"]
    assert client.join().error, "it is in a game still"
    for one in (client, other):
        assert one.ask(leave_game=sc.RequestLeaveGame()).status == sc.launched
    start_two(other, client)


def test_a_game_that_cannot_be_started_is_none(
    server: Server, client: Client, connect_to: Callable[[], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = connect_to()
    client.create(map_file(), (PARTICIPANT,), (PARTICIPANT,))
    with monkeypatch.context() as patch:
        patch.setattr(engine, "new_game", fails)
        client.send(join_game=client.join_request())
        until(lambda: server.match.seats)
        assert "no such luck" in other.join().error[0]
        told = client.receive()
    for refused in (told, other.join()):
        assert refused.join_game.error == sc.ResponseJoinGame.NetworkError
        assert refused.join_game.error_details == "the game could not be started: no such luck"
        assert refused.status == sc.launched
    start_two(connect_to(), connect_to())


def test_who_goes_while_the_game_starts_calls_it_off(
    server: Server, client: Client, connect_to: Callable[[], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    other, new_game = connect_to(), engine.new_game
    client.create(map_file(), (PARTICIPANT,), (PARTICIPANT,))

    def when_one_is_gone(*wanted: object) -> object:
        client.close()
        until(lambda: len(server.seats) == 1)
        return new_game(*wanted)

    with monkeypatch.context() as patch:
        patch.setattr(engine, "new_game", when_one_is_gone)
        client.send(join_game=client.join_request())
        until(lambda: server.match.seats)
        told = other.join()
    assert told.join_game.error == sc.ResponseJoinGame.NetworkError
    assert told.join_game.error_details == "a player went away while the game started"
    start_two(other, connect_to())


def test_who_goes_before_the_start_frees_those_who_wait(
    server: Server, client: Client, connect_to: Callable[[], Client]
) -> None:
    """The created game stays: others may join it."""
    watcher = connect_to()
    client.create(map_file(), (PARTICIPANT,), (PARTICIPANT,))
    client.send(join_game=client.join_request())
    watcher.send(join_game=OBSERVE)
    until(lambda: len(server.match.all_seats) == 2)
    client.close()
    told = watcher.receive()
    assert told.join_game.error == sc.ResponseJoinGame.NetworkError
    assert told.join_game.error_details == "the game was given up before it started"
    assert told.status == sc.init_game
    first, second = connect_to(), connect_to()
    first.send(join_game=first.join_request())
    until(lambda: server.match.seats)
    assert (second.join().join_game.player_id, first.receive().join_game.player_id) == (2, 1)


def test_a_game_without_a_free_seat_is_full(client: Client, connect_to: Callable[[], Client]) -> None:
    """Nor is there a player 3 to watch."""
    client.create(map_file(), (COMPUTER, ZERG, 1), (COMPUTER, TERRAN, 1))
    assert client.join().join_game.error == sc.ResponseJoinGame.GameFull
    nobody = sc.RequestJoinGame(observed_player_id=3, options=OBSERVE.options)
    assert client.ask(join_game=nobody).join_game.error == sc.ResponseJoinGame.InvalidObservedPlayerId
    assert client.ask(join_game=OBSERVE).status == sc.in_game
    assert connect_to().join().join_game.error == sc.ResponseJoinGame.GameFull, "it runs"


def test_nobody_takes_a_game_away_from_others(game: Client, connect_to: Callable[[], Client]) -> None:
    other = connect_to()
    saved = game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    replay = sc.RequestStartReplay(replay_data=saved, options=OBSERVE.options)
    for told in (other.create(map_file(), (PARTICIPANT,)), other.ask(start_replay=replay)):
        assert (list(told.error), told.status) == (["Other players are still in the game"], sc.launched)
    assert game.step().status == sc.in_game
