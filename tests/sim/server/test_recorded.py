"""What our own server tells of a map is a recording of that map: whoever looks, and some loops later, too."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from s2clientprotocol import sc2api_pb2 as sc

from sim import maps
from sim.maps import recordings
from tests.sim.server.client import COMPUTER, PARTICIPANT, PROTOSS, TERRAN, ZERG, Client, running_server
from tests.sim.server.screens import IDS, create

TOWER, PLATES, ROCK = 149, 474, 638


def record(folder: Path, game: Client, *things: tuple[int, float, float]) -> None:
    """Keeps what the server says of the map now, with some unseen things of the map more (type id, x, y)."""
    folder.mkdir()
    info, seen = game.ask(game_info=sc.RequestGameInfo()).game_info, game.observe()
    for type_id, x, y in things:
        unit = seen.observation.raw_data.units.add(unit_type=type_id, alliance=3, owner=16, display_type=2)
        unit.pos.x, unit.pos.y = x, y
    for file, message in ((recordings.GAME_INFO, info), (recordings.OBSERVATION, seen)):
        (folder / file).write_bytes(lzma.compress(message.SerializeToString()))


def play(client: Client, name: str, race: int = TERRAN) -> Client:
    """A game on a map."""
    client.create(f"{name}.SC2Map", (PARTICIPANT,), (COMPUTER, TERRAN, 1), random_seed=race)
    client.join(race)
    return client


def grids(game: Client) -> list[np.ndarray]:
    """Where the player thinks one can walk and build; [y, x]."""
    start = game.ask(game_info=sc.RequestGameInfo()).game_info.start_raw
    return [recordings.grid(image) for image in (start.pathing_grid, start.placement_grid)]


@pytest.mark.parametrize(("race", "loops"), [(TERRAN, 0), (ZERG, 0), (PROTOSS, 400)])
def test_a_recorded_map_is_the_map(client: Client, tmp_path: Path, race: int, loops: int) -> None:
    name = maps.names()[0]
    play(client, name, race)
    if loops:
        client.step(loops)
        (home,) = (u.pos for u in client.observe().observation.raw_data.units if u.unit_type == IDS["Nexus"])
        create(client, "Pylon", home.x + 6, home.y)
        client.step(4)
    record(tmp_path / "Copy", client)
    found, real = maps.load("Copy", tmp_path), maps.load(name)
    for label in ("walkable", "buildable", "levels"):
        assert np.array_equal(getattr(found, label), getattr(real, label)), label
    assert (set(found.starts), found.playable) == (set(real.starts), real.playable)
    assert sorted(found.neutrals, key=str) == sorted(real.neutrals, key=str)


def test_things_of_the_map_are_told_in_the_order_in_which_they_were_recorded(tmp_path: Path, client: Client) -> None:
    """burnysc2 groups fields in the order it is told them: sorted by place it found two bases of Torches twice."""
    far = [(PLATES, 118.0, 80.0), (TOWER, 122.0, 70.0), (PLATES, 112.0, 84.0), (TOWER, 112.0, 72.0)]
    record(tmp_path / "Order", play(client, maps.names()[0]), *far)
    with running_server(recordings=tmp_path) as server:
        game = play(Client(server.port), "Order")
        told = [(u.unit_type, u.pos.x, u.pos.y) for u in game.observe().observation.raw_data.units]
        game.close()
    assert [thing for thing in told if thing in far] == far


def test_what_stands_on_level_ground_closes_it_once_it_is_seen(tmp_path: Path, client: Client) -> None:
    name, tower, plate, rock = maps.names()[0], (112, 80), (118, 80), (105, 80)
    record(tmp_path / "Tower", play(client, name), (TOWER, *tower), (PLATES, *plate), (ROCK, *rock))
    real = maps.load(name)
    with running_server(recordings=tmp_path) as server:
        game = play(Client(server.port), "Tower")
        walk, build = grids(game)
        assert [grid[y, x] for grid in (walk, build) for x, y in (tower, plate, rock)] == [1] * 6
        create(game, "Observer", 115, 80)
        game.step(4)
        walk, build = grids(game)
        assert [walk[y, x] for x, y in (tower, plate, rock)] == [0, 1, 0]
        assert [build[y, x] for x, y in (tower, plate, rock)] == [0, 0, 0]
        record(tmp_path / "Again", game)
        game.close()
    found = maps.load("Again", tmp_path)
    assert np.array_equal(found.walkable, real.walkable)
    assert np.array_equal(found.buildable, real.buildable)
