"""What observations tell of units that are not fully seen, over the socket."""

from __future__ import annotations

import math

import pytest
from s2clientprotocol import debug_pb2, raw_pb2

from sim.engine.parameters import VISION_PERIOD
from sim.server.server import Server
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, Client, running_server
from tests.sim.server.test_actions import IDS, create, debug, units
from tests.sim.server.test_seats import start_two, step_both


def join_seeing_cloaked(client: Client) -> None:
    """Plays on the empty map and asks for the shimmer of cloaked enemies."""
    assert not client.create("Empty128", (PARTICIPANT,), (COMPUTER, TERRAN, 1)).create_game.HasField("error")
    request = client.join_request()
    request.options.show_cloaked = True
    assert client.ask(join_game=request).join_game.player_id == 1


def test_a_shimmer_tells_neither_health_nor_owner_nor_progress(client: Client) -> None:
    """Seen of an enemy observer in the real game: its place and its cloak, no more."""
    join_seeing_cloaked(client)
    create(client, "Marine", 1, 40, 40)
    create(client, "Observer", 2, 43, 40)
    client.step(8)
    enemies = [unit for unit in client.observe().observation.raw_data.units if unit.alliance == raw_pb2.Enemy]
    (shimmer,) = enemies
    assert (shimmer.display_type, shimmer.cloak) == (raw_pb2.Hidden, raw_pb2.Cloaked)
    assert (shimmer.owner, shimmer.health, shimmer.facing, shimmer.build_progress) == (0, 0, 0, 0)


@pytest.mark.parametrize(("patch", "radius"), [("5.0.14", 22), ("4.10.0", 30)])
def test_a_sensor_tower_feels_neither_the_cloaked_nor_the_buried(patch: str, radius: int) -> None:
    with running_server(patch=patch) as server:
        client = Client(server.port)
        join_seeing_cloaked(client)
        create(client, "SensorTower", 1, 40.5, 40.5)
        for name, up in (("Zergling", 0), ("ZerglingBurrowed", 2), ("Observer", 4)):
            create(client, name, 2, 40.5 + 20, 40.5 + up)
        create(client, "Overlord", 2, 40.5 + radius + 1.5, 40.5)
        client.step(8)
        raw = client.observe().observation.raw_data
        (tower,) = units(client, "SensorTower")
        client.close()
    assert [ring.radius for ring in raw.radar] == [tower.radar_range] == [radius]
    assert [unit.pos.y for unit in raw.units if unit.is_blip] == [pytest.approx(40.5, abs=1)]


def test_a_town_hall_tells_its_cargo_room_once_the_game_runs(game: Client) -> None:
    """Twelve recordings of loop 0 are silent about it, observations of loop 2 say five."""
    (hall,) = units(game, "CommandCenter")
    assert not hall.HasField("cargo_space_max")
    game.step(2)
    (hall,) = units(game, "CommandCenter")
    assert (hall.HasField("cargo_space_taken"), hall.cargo_space_taken, hall.cargo_space_max) == (True, 0, 5)


@pytest.mark.parametrize(("patch", "display"), [("5.0.14", raw_pb2.Snapshot), ("4.10.0", raw_pb2.Visible)])
def test_who_kills_out_of_the_fog_is_shown_for_a_while(patch: str, display: int) -> None:
    """Players see their killers for three normal seconds and cannot fight them; a client library knows such units as
    copies, and as visible ones on dark ground before 5.0.4."""
    with running_server(patch=patch) as server:
        client = Client(server.port)
        join_seeing_cloaked(client)
        create(client, "Marine", 1, 30, 40)
        create(client, "Zergling", 1, 40, 40)
        create(client, "SiegeTankSieged", 2, 52, 40)
        create(client, "Overlord", 2, 46, 46)
        (victim, shown, dark) = (units(client, "Zergling")[0].tag, [], True)
        for _ in range(80):
            client.step()
            raw = client.observe().observation.raw_data
            killers = [unit for unit in raw.units if unit.alliance == raw_pb2.Enemy and unit.pos.x > 50]
            dead = victim not in {unit.tag for unit in raw.units}
            assert dead or not killers
            shown += killers
            if killers:
                size = raw.map_state.visibility.size.x
                dark &= raw.map_state.visibility.data[40 * size + 52] != 2
                (marine,) = units(client, "Marine")
                assert client.command(23, marine.tag, target=killers[0].tag) != 1
        client.close()
    assert len(shown) in range(46, 50)
    assert dark
    assert {unit.display_type for unit in shown} == {display}
    assert {unit.health > 0 for unit in shown} == {display == raw_pb2.Visible}


@pytest.mark.parametrize("name", ["Observer", "SupplyDepot"])
def test_what_is_killed_by_a_command_leaves_no_sight_for_who_comes_after(client: Client, name: str) -> None:
    """burnysc2's test of 4.10 kills its units so, has an enemy made there 20 loops later and asks ten loops after
    that whether it is in the way: it is not seen. One of 5.0.15 has a depot gone from sight within 60 loops."""
    join_seeing_cloaked(client)
    create(client, name, 1, 40, 40)
    debug(client, kill_unit={"tag": [units(client, name)[0].tag]})
    client.step(20)
    create(client, "Zealot", 2, 40, 40)
    client.step(8)
    assert not units(client, name)
    assert not units(client, "Zealot", 2)


@pytest.mark.parametrize("phase", range(4))
def test_who_is_made_sees_at_once(client: Client, phase: int) -> None:
    """A client library's test of the real game makes a Marine by an enemy's depot and finds that in sight four loops
    after it asked for both."""
    join_seeing_cloaked(client)
    client.step(4 + phase)
    for name, owner, x in (("Marine", 1, 60), ("SupplyDepot", 2, 62)):
        debug(client, create_unit={"unit_type": IDS[name], "owner": owner, "pos": {"x": x, "y": 60}, "quantity": 1})
    client.step(4)
    (depot,) = units(client, "SupplyDepot", 2)
    assert depot.display_type == raw_pb2.Visible


@pytest.mark.parametrize("watched", [False, True])
def test_what_is_remembered_does_not_depend_on_when_a_client_looks(
    server: Server, client: Client, watched: bool
) -> None:
    """Else the tags of copies, and with them who a saved game's orders are meant for, would be others when it is
    played again."""
    join_seeing_cloaked(client)
    create(client, "Marine", 1, 60, 60)
    client.step(5 + 4 - client.observe().observation.game_loop % 4)
    game = server.match.game
    assert game.loop % VISION_PERIOD == 1
    game.spawn(IDS["SupplyDepot"], 2, 63, 60, facing=-1.0)
    client.step(1)
    if watched:
        assert len(units(client, "SupplyDepot", 2)) == 1
    (marine,) = game.owned(1, "Marine")
    game.units[marine]["x"] = 20
    client.step(10)
    (depot,) = units(client, "SupplyDepot", 2)
    assert depot.display_type == raw_pb2.Snapshot
    assert depot.facing == pytest.approx(2 * math.pi - 1), "from 0 on"


def test_the_map_is_lit_for_both_clients_by_one_and_dark_again_by_the_other(server: Server) -> None:
    """A public program on the real 4.10: its second client does not light the map, as that would end it for both."""
    pair = Client(server.port), Client(server.port)
    start_two(*pair)
    for switcher, lit in zip(pair, (True, False), strict=True):
        debug(switcher, game_state=debug_pb2.show_map)
        step_both(pair, 2 * VISION_PERIOD)
        for client in pair:
            seen = [unit for unit in client.observe().observation.raw_data.units if unit.alliance == raw_pb2.Enemy]
            assert any(unit.display_type == raw_pb2.Visible for unit in seen) == lit
    for client in pair:
        client.close()
