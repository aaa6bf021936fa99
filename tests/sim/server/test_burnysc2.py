"""Unmodified burnysc2 programs on the installation: whole games, as a user runs them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from s2clientprotocol import sc2api_pb2 as sc

from sim.maps import names
from sim.server import replay

HEADER = f"""
import sys
from sc2 import maps
from sc2.bot_ai import BotAI
from sc2.data import Difficulty, Race, Result
from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.main import GameMatch, run_game, run_multiple_games
from sc2.player import Bot, Computer

MAP = maps.get("{names()[0]}")

class Quiet(BotAI):
    ends = []
    async def on_step(self, iteration):
        pass
    async def on_end(self, result):
        Quiet.ends.append(result.name)
        print(type(self).__name__, "ends with", result.name)

class Leaves(Quiet):
    async def on_step(self, iteration):
        if iteration == 20:
            await self.client.leave()

class Rush(Quiet):
    async def on_start(self):
        assert len(self.expansion_locations_list) >= 6
        assert self.main_base_ramp.upper
    async def on_step(self, iteration):
        if iteration == 1:  # its workers defend themselves
            await self.client.debug_create_unit([[UnitTypeId.MARINE, 30, self.enemy_start_locations[0], 1]])
        for worker in self.workers.idle if iteration else self.workers:
            targets = self.enemy_structures.not_flying or self.enemy_units.not_flying
            worker.attack(targets.closest_to(worker) if targets else self.enemy_start_locations[0])
"""


def leftovers(installation: Path) -> list[psutil.Process]:
    """Server processes started by this installation that still run."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if "shim" in words and str(installation) in words:
            found.append(process)
    return found


@pytest.fixture
def play(run_script: Callable[[str], str], installation: Path) -> Callable[[str], str]:
    """Runs a program after the common header and checks that no process is left."""

    def run(text: str) -> str:
        out = run_script(HEADER + text)
        psutil.wait_procs(leftovers(installation), timeout=5)
        assert not leftovers(installation)
        return out

    return run


def test_a_rush_wins_against_the_weakest_computer(play: Callable[[str], str], tmp_path: Path) -> None:
    out = play("""
computer = Computer(Race.Zerg, Difficulty.VeryEasy)
result = run_game(
    MAP, [Bot(Race.Terran, Rush()), computer], realtime=False, random_seed=1, game_time_limit=900,
    save_replay_as="game.SC2Replay",
)
assert result == Result.Victory, result
""")
    assert "Rush ends with Victory" in out
    saved = replay.unpack((tmp_path / "game.SC2Replay").read_bytes())
    assert saved["map"] == names()[0]
    first = sc.Action.FromString(bytes.fromhex(saved["records"][0][3]))
    assert len(first.action_raw.unit_command.unit_tags) == 12, "all workers were sent"


def test_leaving_loses(play: Callable[[str], str]) -> None:
    out = play("""
result = run_game(MAP, [Bot(Race.Terran, Leaves()), Computer(Race.Zerg, Difficulty.Easy)], realtime=False)
assert result == Result.Defeat, result
""")
    assert "Leaves ends with Defeat" in out


def test_two_bots_and_the_winner_is_told(play: Callable[[str], str]) -> None:
    out = play("""
result = run_game(MAP, [Bot(Race.Terran, Quiet(), name="a"), Bot(Race.Zerg, Leaves(), name="b")], realtime=False)
assert result == [Result.Victory, Result.Defeat], result
result = run_game(MAP, [Bot(Race.Zerg, Leaves(), name="a"), Bot(Race.Terran, Quiet(), name="b")], realtime=False)
assert result == [Result.Defeat, Result.Victory], result
""")
    assert out.count("Quiet ends with Victory") == 2


def test_several_games_in_one_process(play: Callable[[str], str]) -> None:
    play("""
matches = [
    GameMatch(MAP, [Bot(Race.Terran, Leaves()), Computer(Race.Zerg, Difficulty.Easy)]),
    GameMatch(MAP, [Bot(Race.Terran, Quiet()), Computer(Race.Zerg, Difficulty.Easy)], game_time_limit=5),
    GameMatch(MAP, [Bot(Race.Terran, Quiet(), name="a"), Bot(Race.Zerg, Leaves(), name="b")]),
]
results = [sorted(r.name for r in result.values()) for result in run_multiple_games(matches)]
assert results == [["Defeat", "Victory"], ["Tie", "Tie"], ["Defeat", "Victory"]], results
""")


def test_realtime(play: Callable[[str], str]) -> None:
    play("""
class Short(Quiet):
    async def on_step(self, iteration):
        if iteration == 5:
            assert self.state.game_loop >= 15
            await self.client.leave()
result = run_game(MAP, [Bot(Race.Terran, Short()), Computer(Race.Zerg, Difficulty.Easy)], realtime=True)
assert result == Result.Defeat, result
""")


def test_what_a_bot_asks(play: Callable[[str], str]) -> None:
    """Orders, queries and debug commands of the client library find what they expect."""
    out = play("""
class Asks(Quiet):
    async def on_step(self, iteration):
        hall = self.townhalls.first
        if iteration == 0:
            assert hall.train(UnitTypeId.SCV)
            place = hall.position.towards(self.game_info.map_center, 6)
            await self.client.debug_create_unit([[UnitTypeId.MARINE, 3, place, 1]])
            await self.client.debug_all_resources()
            self.client.debug_text_screen("hello", (0.1, 0.1))
        if iteration == 2:
            assert hall.orders[0].ability.id == AbilityId.COMMANDCENTERTRAIN_SCV, hall.orders
            assert self.units(UnitTypeId.MARINE).amount == 3
            assert self.minerals > 4000
            self.units(UnitTypeId.MARINE).first.move(hall.position)
            enemy = self.enemy_start_locations[0]
            assert await self.client.query_pathing(enemy, hall.position.offset((5, 0))) > 50
            assert await self.client.query_pathing(hall.position.offset((5, 0)), enemy) is None
            spot = await self.find_placement(UnitTypeId.SUPPLYDEPOT, hall.position, 20)
            assert spot is not None and await self.can_place_single(UnitTypeId.SUPPLYDEPOT, spot)
            assert not await self.can_place_single(UnitTypeId.SUPPLYDEPOT, hall.position)
            known = await self.get_available_abilities(self.workers.random)
            assert AbilityId.TERRANBUILD_SUPPLYDEPOT in known, known
            await self.build(UnitTypeId.SUPPLYDEPOT, spot)
            await self.chat_send("hello")
        if iteration == 4:
            assert any(o.ability.id == AbilityId.TERRANBUILD_SUPPLYDEPOT for w in self.workers for o in w.orders)
            assert hall.assigned_harvesters >= 10 and hall.ideal_harvesters == 16
            await self.client.debug_kill_unit(self.units(UnitTypeId.MARINE))
        if iteration == 6:
            assert not self.units(UnitTypeId.MARINE)
        if iteration == 200:
            assert self.structures(UnitTypeId.SUPPLYDEPOT).ready
            print("all asked")
            await self.client.leave()
run_game(MAP, [Bot(Race.Terran, Asks()), Computer(Race.Zerg, Difficulty.VeryEasy)], realtime=False, random_seed=2)
""")
    assert re.search("all asked", out)
