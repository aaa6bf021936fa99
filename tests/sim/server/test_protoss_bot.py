"""An unmodified burnysc2 Protoss program: pylon, gateway, core, warp gate, warp-ins, chrono boost, over a socket."""

from __future__ import annotations

from collections.abc import Callable

from sim.maps import names

BOT = f"""
from sc2 import maps
from sc2.bot_ai import BotAI
from sc2.data import Difficulty, Race, Result
from sc2.ids.ability_id import AbilityId
from sc2.ids.buff_id import BuffId
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.ids.upgrade_id import UpgradeId
from sc2.main import run_game
from sc2.player import Bot, Computer

class Gates(BotAI):
    warped = 0
    async def on_step(self, iteration):
        if iteration == 0:
            assert self.townhalls(U.NEXUS).amount == 1 and self.workers.amount == 12
            await self.client.debug_all_resources()
            await self.client.debug_all_resources()
        nexus = self.townhalls.first
        if self.supply_used < 16 and nexus.is_idle and self.can_afford(U.PROBE):
            nexus.train(U.PROBE)
        pylons = self.structures(U.PYLON)
        if pylons.amount + self.already_pending(U.PYLON) < 2 and self.can_afford(U.PYLON):
            await self.build(U.PYLON, near=nexus.position.towards(self.game_info.map_center, 6 + 3 * pylons.amount))
        if not pylons.ready:
            return
        pylon = pylons.ready.first
        assert self.state.psionic_matrix.covers(pylon.position)
        if not self.structures.of_type([U.GATEWAY, U.WARPGATE]):
            if not self.already_pending(U.GATEWAY):
                await self.build(U.GATEWAY, near=pylon)
            return
        if not self.structures(U.CYBERNETICSCORE):
            gateway = self.structures(U.GATEWAY).ready
            if gateway and not self.already_pending(U.CYBERNETICSCORE):
                assert gateway.first.is_powered
                gateway.first.train(U.ZEALOT)
                await self.build(U.CYBERNETICSCORE, near=pylon)
            return
        core = self.structures(U.CYBERNETICSCORE).ready
        if core and not self.already_pending_upgrade(UpgradeId.WARPGATERESEARCH):
            core.first.research(UpgradeId.WARPGATERESEARCH)
        elif core and nexus.energy >= 50 and not core.first.has_buff(BuffId.CHRONOBOOSTENERGYCOST):
            nexus(AbilityId.EFFECT_CHRONOBOOSTENERGYCOST, core.first)
        for gate in self.structures(U.WARPGATE).ready.idle:
            abilities = await self.get_available_abilities(gate)
            if AbilityId.WARPGATETRAIN_STALKER in abilities:
                place = pylon.position.to2.random_on_distance(4)
                spot = await self.find_placement(AbilityId.WARPGATETRAIN_STALKER, place, placement_step=1)
                assert spot is not None
                gate.warp_in(U.STALKER, spot)
        ready = self.units(U.STALKER).ready
        if ready.amount >= 2:
            assert self.units(U.ZEALOT).ready
            assert ready.first.shield == 80 and ready.first.health == 80
            print("stalkers", ready.amount, "at", self.time_formatted)
            await self.client.leave()

run_game(
    maps.get("{names()[0]}"), [Bot(Race.Protoss, Gates()), Computer(Race.Zerg, Difficulty.VeryEasy)],
    realtime=False, random_seed=3, game_time_limit=420,
)
"""


def test_a_protoss_bot_warps_stalkers_in(run_script: Callable[[str], str]) -> None:
    assert "stalkers 2" in run_script(BOT)
