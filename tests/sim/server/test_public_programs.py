"""What public programs ask beyond playing: replays through the client library, control of the enemy, late errors."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable

import mpyq
import numpy as np
from s2clientprotocol import debug_pb2
from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import names
from sim.server import mpq, replay
from tests.sim.server.client import COMPUTER, PARTICIPANT, TERRAN, Client
from tests.sim.server.conftest import map_file
from tests.sim.server.test_actions import MOVE, NOT_MINE, SUCCESS, TRAIN_SCV, create, debug, hall, units

NOT_ENOUGH_FOOD = 13

REPLAY = f"""
import asyncio
import os
from contextlib import suppress
from pathlib import Path
from sc2 import maps
from sc2.bot_ai import BotAI
from sc2.data import Difficulty, Race
from sc2.ids.unit_typeid import UnitTypeId
from sc2.main import run_game, run_replay
from sc2.observer_ai import ObserverAI
from sc2.player import Bot, Computer

class Rush(BotAI):
    async def on_step(self, iteration):
        if iteration == 0:
            for worker in self.workers:
                worker.attack(self.game_info.map_center)
        if iteration == 30:
            await self.client.debug_kill_unit(self.structures)

class Watcher(ObserverAI):
    seen = []
    async def on_step(self, iteration):
        workers = [unit for unit in self.all_units if unit.type_id in (UnitTypeId.DRONE, UnitTypeId.PROBE)]
        self.seen.append((self.state.game_loop, len(workers)))

os.environ["HOME"] = os.getcwd()
folder = Path.home() / "Documents" / "StarCraft II" / "Replays"
folder.mkdir(parents=True)
file = str(folder / "Rush.SC2Replay")
run_game(maps.get({names()[0]!r}), [Bot(Race.Zerg, Rush()), Computer(Race.Protoss, Difficulty.VeryEasy)],
         realtime=False, save_replay_as=file, random_seed=5)
asyncio.set_event_loop(asyncio.new_event_loop())
with suppress(KeyError):  # at the end the library asks for the result of player 0, who is no player
    run_replay(Watcher(), replay_path=file)
assert Watcher.seen[0] == (0, 24) and Watcher.seen[-1][0] > 100, Watcher.seen
print("watched")
"""


def test_the_client_library_watches_a_game_it_has_saved(run_script: Callable[[str], str]) -> None:
    assert run_script(REPLAY).endswith("watched\n")


def test_a_saved_game_is_an_archive_with_its_build(game: Client) -> None:
    game.step(40)
    data = game.ask(save_replay=sc.RequestSaveReplay()).save_replay.data
    archive = mpyq.MPQArchive(io.BytesIO(data))
    head, files = archive.header["user_data_header"]["content"], archive.extract()
    assert len(data) > 1000, "a replay that is shorter counts as not saved for the C++ client's tests"
    assert head.startswith(b"\x05\x0c\x00\x02\x2cStarCraft II replay\x1b11\x02\x05\x0c\x00\x09\x00"), (
        "as real ones begin"
    )
    about = json.loads(files[b"replay.gamemetadata.json"])
    ping = game.ask(ping=sc.RequestPing()).ping
    assert (about["BaseBuild"], about["DataVersion"]) == (f"Base{ping.base_build}", ping.data_version)
    assert about["GameVersion"].rpartition(".")[0] == ping.game_version
    assert [player["AssignedRace"] for player in about["Players"]] == ["Terr", "Zerg"]
    assert about["Duration"] == 2, "seconds of normal speed: of 16 loops"
    assert about["MapName"].endswith(".SC2Map")
    assert replay.unpack(data)["loops"] == 40
    for cut in (len(data) - 1, len(data) // 2, 40, 5):
        assert mpq.read(data[:cut], replay.CONTENT) is None


def test_files_of_an_archive_come_back_whole() -> None:
    files = {"short": b"x", "empty": b"", "long": bytes(range(256)) * 99, "a/b.c": b"\x02zlib" * 3}
    data = mpq.write(files)
    read = mpyq.MPQArchive(io.BytesIO(data))
    for name, content in files.items():
        assert mpq.read(data, name) == content
        assert (read.read_file(name) or b"") == content
    assert mpq.read(data, "none") is None


def test_who_controls_the_enemy_orders_its_units_but_spends_nothing(client: Client) -> None:
    client.create(map_file(), (PARTICIPANT,), (COMPUTER, TERRAN, 1), random_seed=7)
    client.join(TERRAN)
    create(client, "Marine", 2, 60, 60)
    client.ask(debug=sc.RequestDebug(debug=[debug_pb2.DebugCommand(game_state=debug_pb2.show_map)]))
    client.step(2)
    marine, theirs = units(client, "Marine", 2)[0], units(client, "CommandCenter", 2)[0]
    assert client.command(MOVE, marine.tag, at=(70, 60)) == NOT_MINE
    debug(client, game_state=debug_pb2.control_enemy)
    assert client.command(MOVE, marine.tag, at=(70, 60)) == SUCCESS
    assert client.command(TRAIN_SCV, theirs.tag) != SUCCESS
    client.step(20)
    assert units(client, "Marine", 2)[0].pos.x > marine.pos.x + 1
    debug(client, game_state=debug_pb2.control_enemy)
    assert client.command(MOVE, marine.tag, at=(60, 60)) == NOT_MINE


def test_a_queue_that_runs_out_of_supply_says_so_once(game: Client) -> None:
    debug(game, game_state=debug_pb2.minerals)
    create(game, "Marine", 1, hall(game).pos.x - 8, hall(game).pos.y, quantity=1)
    home = hall(game)
    for _ in range(4):  # 13 of 15 are taken: room for two
        assert game.command(TRAIN_SCV, home.tag) == SUCCESS
    found = []
    for _ in range(60):
        game.step(16)
        seen = game.observe()
        found += [
            (e.unit_tag, e.ability_id, e.result, seen.observation.player_common.food_used) for e in seen.action_errors
        ]
    assert found == [(home.tag, TRAIN_SCV, NOT_ENOUGH_FOOD, 15)]
    assert len(hall(game).orders) == 2


def test_two_armies_made_alike_are_images_of_each_other(game: Client) -> None:
    """Turned by half about the middle between them, in place and look: neither begins with the better front."""
    create(game, "Zealot", 1, 38, 50, quantity=10)
    create(game, "Zealot", 2, 54, 50, quantity=10)
    debug(game, game_state=debug_pb2.show_map)
    game.step(2)
    one, two = units(game, "Zealot", 1), units(game, "Zealot", 2)
    turned = sorted((round(92 - u.pos.x, 1), round(100 - u.pos.y, 1)) for u in two)
    assert sorted((round(u.pos.x, 1), round(u.pos.y, 1)) for u in one) == turned
    assert len(turned) == 10
    assert {round(abs(a.facing - b.facing), 3) for a in one for b in two} == {3.142}


def test_walkers_that_debug_makes_in_a_cliff_stand_beside_it(game: Client) -> None:
    start = game.ask(game_info=sc.RequestGameInfo()).game_info.start_raw
    size = start.pathing_grid.size
    bits = np.unpackbits(np.frombuffer(start.pathing_grid.data, np.uint8))[: size.x * size.y].reshape(size.y, size.x)
    inner = bits[40:60, 30:90]
    row, column = np.argwhere(inner == 0)[len(np.argwhere(inner == 0)) // 2]
    x, y = 30.5 + column, 40.5 + row
    create(game, "Marine", 1, x, y, quantity=5)
    create(game, "Medivac", 1, x, y)
    marines, (medivac,) = units(game, "Marine"), units(game, "Medivac")
    assert len(marines) == 5
    assert all(bits[int(marine.pos.y), int(marine.pos.x)] for marine in marines)
    assert math.dist((medivac.pos.x, medivac.pos.y), (x, y)) < 0.2


def test_more_units_than_the_world_has_room_for_do_not_end_the_game(game: Client) -> None:
    many = {"unit_type": units(game, "SCV")[0].unit_type, "owner": 1, "pos": {"x": 60, "y": 60}, "quantity": 500}
    made = [debug_pb2.DebugCommand(create_unit=many) for _ in range(12)]
    game.ask(debug=sc.RequestDebug(debug=made))
    assert not game.step(2).error
    assert len(units(game, "SCV")) > 2500
    tags = [unit.tag for unit in units(game, "SCV")]
    debug(game, kill_unit={"tag": tags})
    assert not game.step(200).error
    create(game, "Marine", 1, 60, 60)
    assert len(units(game, "Marine")) == 1


def test_a_value_that_is_no_number_changes_nothing(game: Client) -> None:
    worker = units(game, "SCV")[0]
    for value in (1, 2, 3):  # energy, life, shields
        debug(game, unit_value={"unit_value": value, "value": math.nan, "unit_tag": worker.tag})
    game.step(2)
    assert [unit.health for unit in units(game, "SCV") if unit.tag == worker.tag] == [worker.health]
