"""Who watches: players beside whom it sits, computers, all sides at once."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from s2clientprotocol import debug_pb2, raw_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.server import engine
from sim.server.server import Server
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, ZERG, Client
from tests.sim.server.conftest import map_file
from tests.sim.server.test_actions import IDS, debug

EGG, MOVE = 103, 16
SCAN, SWEEP = 399, 6  # ability and effect

Table = tuple[Client, Client]


def seated(client: Client, watcher: Client, observed: int) -> Table:
    """A player on the empty map, and who watches that player, or all of them (0)."""
    client.create("Empty128", (PARTICIPANT,), (COMPUTER, TERRAN, 1), (sc.Observer,))
    watcher.send(join_game=sc.RequestJoinGame(observed_player_id=observed, options=sc.InterfaceOptions(raw=True)))
    assert client.join(TERRAN).status == watcher.receive().status == sc.in_game
    return client, watcher


def play(table: Table, loops: int = 1) -> None:
    """Both step."""
    for one in table:
        one.send(step=sc.RequestStep(count=loops))
    for one in table:
        one.receive()


def made(table: Table, name: str, owner: int, x: float, y: float) -> int:
    """A new unit's tag."""
    player, _ = table
    debug(player, create_unit={"unit_type": IDS[name], "owner": owner, "pos": {"x": x, "y": y}, "quantity": 1})
    play(table, 2)
    found = player.observe(disable_fog=True).observation.raw_data.units
    return next(unit.tag for unit in found if unit.unit_type == IDS[name] and unit.owner == owner)


@pytest.fixture
def table(client: Client, connect_to: Callable[[], Client]) -> Table:
    """A player, and who watches all sides."""
    return seated(client, connect_to(), 0)


def test_observer_sees_and_steps(client: Client, connect_to: Callable[[], Client]) -> None:
    client.create(map_file(), (COMPUTER, ZERG, 1), (COMPUTER, ZERG, 1))
    request = sc.RequestJoinGame(observed_player_id=0, options=sc.InterfaceOptions(raw=True))
    assert client.ask(join_game=request).status == sc.in_game
    assert client.step(10).step.simulation_loop == 10
    units = client.observe().observation.raw_data.units
    assert {1, 2, 16} <= {u.owner for u in units}
    assert not client.observe().observation.player_common.minerals, "who watches all is told of nobody's bank"
    assert client.ask(action=sc.RequestAction()).error


def test_an_observer_beside_a_player_watches_with_its_eyes(client: Client, connect_to: Callable[[], Client]) -> None:
    """Both step; the observer can neither act nor restart the player's game, and hears how it ended."""
    watcher = connect_to()
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1), (sc.Observer,))
    raw = sc.InterfaceOptions(raw=True)
    watcher.send(join_game=sc.RequestJoinGame(observed_player_id=1, options=raw))
    assert client.join(TERRAN).status == sc.in_game
    assert watcher.receive().status == sc.in_game
    watcher.send(step=sc.RequestStep(count=10))
    assert client.step(10).step.simulation_loop == watcher.receive().step.simulation_loop == 10
    assert {unit.owner for unit in watcher.observe().observation.raw_data.units} == {1, 16}  # the fog of player 1
    every = {unit.owner for unit in watcher.observe(disable_fog=True).observation.raw_data.units}
    assert every == {1, 2, 16}
    players = watcher.ask(game_info=sc.RequestGameInfo()).game_info.player_info
    assert [player.race_actual for player in players] == [TERRAN, ZERG]
    assert watcher.ask(restart_game=sc.RequestRestartGame()).restart_game.HasField("error")
    assert watcher.ask(debug=sc.RequestDebug()).error
    assert watcher.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    client.ask(leave_game=sc.RequestLeaveGame())
    watcher.step()
    assert {entry.player_id: entry.result for entry in watcher.observe().player_result} == {1: sc.Defeat, 2: sc.Victory}


def test_who_watches_a_computer_is_told_of_its_alerts_and_of_the_dead(client: Client) -> None:
    """As its player would be, each once."""
    players = (sc.Observer,), (COMPUTER, ZERG, 5), (COMPUTER, TERRAN, 5)
    assert not client.create(map_file(), *players, random_seed=3).create_game.HasField("error")
    options = sc.InterfaceOptions(raw=True)
    assert client.ask(join_game=sc.RequestJoinGame(observed_player_id=1, options=options)).status == sc.in_game
    alerts, eggs, dead = [], set(), []
    for _ in range(60):
        client.step(10)
        seen = client.observe().observation
        alerts += seen.alerts
        eggs |= {unit.tag for unit in seen.raw_data.units if unit.unit_type == EGG}
        dead += seen.raw_data.event.dead_units
    assert alerts.count(sc.TrainWorkerComplete) >= 2
    assert len(set(dead)) == len(dead) >= 2
    assert set(dead) <= eggs, "a hatched egg is told dead"


def test_who_watches_may_come_after_the_players(client: Client, connect_to: Callable[[], Client]) -> None:
    """Where the set-up has a seat for it: the players' joins do not wait."""
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1), (sc.Observer,))
    assert client.join(TERRAN).status == sc.in_game
    client.step(6)
    wanted = sc.RequestJoinGame(observed_player_id=1, options=sc.InterfaceOptions(raw=True))
    watcher, third = connect_to(), connect_to()
    assert watcher.ask(join_game=wanted).status == sc.in_game
    mine, seen = (one.observe().observation for one in (client, watcher))
    assert seen.game_loop == mine.game_loop == 6
    assert {unit.tag for unit in seen.raw_data.units} >= {unit.tag for unit in mine.raw_data.units if unit.owner == 1}
    assert third.ask(join_game=wanted).join_game.error == sc.ResponseJoinGame.GameFull
    play((client, watcher), 4)
    assert watcher.observe().observation.game_loop == 10


def test_who_watches_may_come_while_the_game_starts(
    server: Server, client: Client, connect_to: Callable[[], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, new_game = connect_to(), engine.new_game
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, ZERG, 1), (sc.Observer,))

    def once_it_is_there(*wanted: object) -> object:
        watcher.send(join_game=sc.RequestJoinGame(observed_player_id=1, options=sc.InterfaceOptions(raw=True)))
        for _ in range(500):
            time.sleep(0 if server.match.observers else 0.01)
        return new_game(*wanted)

    monkeypatch.setattr(engine, "new_game", once_it_is_there)
    assert client.join(TERRAN).status == watcher.receive().status == sc.in_game
    play((client, watcher), 3)
    assert watcher.observe().observation.game_loop == 3


def test_who_watches_a_player_is_told_what_that_player_is_told(
    client: Client, connect_to: Callable[[], Client]
) -> None:
    """By each of its observations once, whoever looks first."""
    table = player, watcher = seated(client, connect_to(), 1)
    for first, second in ((player, watcher), (watcher, player)):
        tag = made(table, "Marine", 1, 40, 40)
        debug(player, kill_unit={"tag": [tag]})
        play(table, 2)
        for one, dead in ((first, [tag]), (first, []), (second, [tag]), (second, [])):
            assert list(one.observe().observation.raw_data.event.dead_units) == dead


def test_who_watches_all_is_told_of_every_death_once(table: Table) -> None:
    player, watcher = table
    tags = [made(table, "Marine", 1, 40, 40), made(table, "Reaper", 2, 42, 40), made(table, "Ghost", 2, 100, 100)]
    debug(player, kill_unit={"tag": tags})
    play(table, 2)
    assert set(player.observe().observation.raw_data.event.dead_units) == set(tags[:2]), "those in sight"
    for dead in (tags, []):
        assert sorted(watcher.observe().observation.raw_data.event.dead_units) == sorted(dead)


def test_effects_in_the_fog_are_told_to_whom_it_hides_nothing(table: Table) -> None:
    player, watcher = table
    debug(player, game_state=debug_pb2.control_enemy)
    orbital = made(table, "OrbitalCommand", 2, 100, 100)
    assert player.command(SCAN, orbital, at=(110, 60)) == 1
    play(table, 4)
    for seen, alliance in (
        (player.observe(), None),
        (player.observe(disable_fog=True), raw_pb2.Enemy),
        (watcher.observe(), raw_pb2.Ally),
        (watcher.observe(disable_fog=True), raw_pb2.Ally),
    ):
        raw = seen.observation.raw_data
        found = [(effect.effect_id, effect.owner, effect.alliance) for effect in raw.effects]
        assert found == ([(SWEEP, 2, alliance)] if alliance else [])
    made(table, "Marine", 1, 108, 58)
    seen = player.observe().observation.raw_data.effects
    assert [(effect.effect_id, effect.alliance) for effect in seen] == [(SWEEP, raw_pb2.Enemy)], "not in the fog now"


def test_who_watches_all_has_nothing_of_any_player(table: Table) -> None:
    """Neither power nor radar, bank or upgrades; all units are allies, without fog, too."""
    player, watcher = table
    for name, x in (("Pylon", 30.0), ("SensorTower", 50.0)):
        made(table, name, 1, x, 40.0)
    mine = player.observe().observation.raw_data
    assert len(mine.player.power_sources) == len(mine.radar) == 1
    for fog in (False, True):
        seen = watcher.observe(disable_fog=fog).observation
        assert not seen.raw_data.player.power_sources
        assert not seen.raw_data.radar
        assert not seen.HasField("player_common")
        assert {unit.alliance for unit in seen.raw_data.units} == {raw_pb2.Ally}


def test_who_watches_all_is_told_of_units_what_their_players_are(client: Client) -> None:
    """In a replay of 4.10 both sides' halls told their workers, cargo and rally points, so did a Factory its add-on."""
    client.create(map_file(), (COMPUTER, ZERG, 1), (COMPUTER, TERRAN, 1), random_seed=3)
    client.ask(join_game=sc.RequestJoinGame(observed_player_id=0, options=sc.InterfaceOptions(raw=True)))
    client.step(40)
    seen = client.observe().observation.raw_data.units
    halls = {unit.owner: unit for unit in seen if unit.unit_type in (IDS["CommandCenter"], IDS["Hatchery"])}
    assert {owner: (hall.assigned_harvesters, hall.ideal_harvesters) for owner, hall in halls.items()} == {
        1: (12, 16),
        2: (12, 16),
    }
    assert halls[2].cargo_space_max == 5
    assert all(unit.orders for unit in seen if unit.unit_type in (IDS["SCV"], IDS["Drone"]))


def camera(client: Client) -> tuple[float, float]:
    """Where it looks."""
    found = client.observe().observation.raw_data.player.camera
    return found.x, found.y


def test_the_camera_of_who_watches_stays_or_follows(table: Table) -> None:
    player, watcher = table
    tags = [made(table, "Marine", 1, 40, 40), made(table, "Ghost", 1, 44, 48)]

    def ask(**action: object) -> None:
        watcher.ask(obs_action=sc.RequestObserverAction(actions=[sc.ObserverAction(**action)]))

    ask(camera_move={"world_pos": {"x": 70, "y": 80}})
    assert camera(watcher) == (70, 80)
    ask(camera_follow_units={"unit_tags": tags})
    assert camera(watcher) == pytest.approx((42, 44), abs=0.2)
    assert player.command(MOVE, tags[1], at=(54, 58)) == 1
    play(table, 200)
    assert camera(watcher) == pytest.approx((47, 49), abs=0.2)
    debug(player, kill_unit={"tag": tags[:1]})
    play(table, 2)
    assert camera(watcher) == pytest.approx((54, 58), abs=0.2)
    ask(camera_follow_player={"player_id": 1})
    move = raw_pb2.ActionRawCameraMove(center_world_space={"x": 20, "y": 90})
    player.ask(action=sc.RequestAction(actions=[sc.Action(action_raw=raw_pb2.ActionRaw(camera_move=move))]))
    play(table)
    assert camera(watcher) == (20, 90)


def test_who_watches_a_replay_has_the_players_camera_until_it_moves_its_own(client: Client) -> None:
    client.create("Empty128", (PARTICIPANT,), (COMPUTER, TERRAN, 1))
    client.join(TERRAN)
    for x in (20, 30, 40):
        move = raw_pb2.ActionRawCameraMove(center_world_space={"x": x, "y": 90})
        client.ask(action=sc.RequestAction(actions=[sc.Action(action_raw=raw_pb2.ActionRaw(camera_move=move))]))
        client.step(10)
    data = client.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    wanted = sc.RequestStartReplay(replay_data=data, observed_player_id=1, options=sc.InterfaceOptions(raw=True))
    assert client.ask(start_replay=wanted).status == sc.in_replay
    client.step(5)
    assert camera(client) == (20, 90)
    place = sc.ActionObserverCameraMove(world_pos={"x": 70, "y": 80})
    client.ask(obs_action=sc.RequestObserverAction(actions=[sc.ObserverAction(camera_move=place)]))
    client.step(10)
    assert camera(client) == (70, 80)
    back = sc.ActionObserverCameraFollowPlayer(player_id=1)
    client.ask(obs_action=sc.RequestObserverAction(actions=[sc.ObserverAction(camera_follow_player=back)]))
    client.step(10)
    assert camera(client) == (40, 90)
