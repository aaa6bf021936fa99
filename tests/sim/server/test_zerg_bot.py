"""An unmodified burnysc2 Zerg program: it casts, digs in, tunnels and changes minds, over a socket."""

from __future__ import annotations

from collections.abc import Callable

from sim.maps import names

BOT = f"""
from sc2 import maps
from sc2.bot_ai import BotAI
from sc2.data import Alert, Difficulty, Race
from sc2.ids.ability_id import AbilityId as A
from sc2.ids.buff_id import BuffId
from sc2.ids.effect_id import EffectId
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.main import run_game
from sc2.player import Bot, Computer

MINE = [U.INFESTOR, U.VIPER, U.OVERSEER, U.NYDUSNETWORK, U.LAIR, U.ROACH, U.SWARMHOSTMP, U.BANELING, U.OVERLORD]
THEIRS = [U.MARAUDER, U.MEDIVAC, U.SIEGETANK]

class Casters(BotAI):
    done: set = set()
    async def on_step(self, iteration):
        place = self.start_location.towards(self.game_info.map_center, 14)
        if iteration == 0:
            await self.client.debug_all_resources()
            await self.client.debug_tech_tree()
            await self.client.debug_upgrade()
            await self.client.debug_create_unit([[unit, 1 + (unit == U.INFESTOR), place, 1] for unit in MINE])
            there = place.towards(self.game_info.map_center, 7)
            await self.client.debug_create_unit([[unit, 1, there, 2] for unit in THEIRS])
            return
        if iteration in (3, 20):
            await self.client.debug_set_unit_value([u.tag for u in self.units if u.energy_max], 1, 200)
        if iteration < 5:
            return
        def mine(kind):
            found = self.all_own_units.of_type([kind]) if kind in (U.NYDUSNETWORK, U.NYDUSCANAL) else self.units(kind)
            return found.first if found else None
        infestor, viper, overseer = mine(U.INFESTOR), mine(U.VIPER), mine(U.OVERSEER)
        marauders, medivacs = self.enemy_units(U.MARAUDER), self.enemy_units(U.MEDIVAC)
        self.step(infestor, viper, overseer, marauders, medivacs, mine, iteration, place)
        if self.done >= {{"fungal", "cloud", "bomb", "changeling", "neural", "worm", "locusts", "creep"}}:
            print("casts", sorted(self.done))
            await self.client.leave()

    def step(self, infestor, viper, overseer, marauders, medivacs, mine, iteration, place):
        if iteration == 5:
            overseer(A.SPAWNCHANGELING_SPAWNCHANGELING)
            viper(A.PARASITICBOMB_PARASITICBOMB, medivacs.first)
            infestor(A.FUNGALGROWTH_FUNGALGROWTH, marauders.first.position)
            mine(U.SWARMHOSTMP)(A.EFFECT_SPAWNLOCUSTS, place)
            mine(U.NYDUSNETWORK)(A.BUILD_NYDUSWORM, place.towards(self.start_location, 5))
            mine(U.OVERLORD)(A.BEHAVIOR_GENERATECREEPON)
        if marauders and marauders.first.has_buff(BuffId.FUNGALGROWTH):
            if "fungal" not in self.done:  # at once, and by both: the tank kills one of them soon
                for one in self.units(U.INFESTOR):
                    one(A.NEURALPARASITE_NEURALPARASITE, marauders.first)
            self.done.add("fungal")
        if iteration == 22:  # not the Marauder: it is ours while the Infestor lives
            tanks = self.enemy_units.of_type([U.SIEGETANK, U.SIEGETANKSIEGED])
            viper(A.BLINDINGCLOUD_BLINDINGCLOUD, tanks.first.position)
        if medivacs and medivacs.first.has_buff(BuffId.PARASITICBOMB):
            self.done.add("bomb")
        if self.units(U.MARAUDER) and self.units(U.MARAUDER).first.has_buff(BuffId.NEURALPARASITE):
            self.done.add("neural")
        if any(effect.id == EffectId.BLINDINGCLOUDCP for effect in self.state.effects):
            self.done.add("cloud")
        if self.units.of_type([U.CHANGELINGMARINE, U.CHANGELINGMARINESHIELD]):
            self.done.add("changeling")
        if self.units.of_type([U.LOCUSTMP, U.LOCUSTMPFLYING]):
            self.done.add("locusts")
        worms = self.structures(U.NYDUSCANAL)
        if worms and worms.first.build_progress > 0.1:
            self.done.add("worm")
        lord = mine(U.OVERLORD)
        if lord and self.has_creep(lord.position):
            self.done.add("creep")
        if iteration > 120:
            raise AssertionError(f"only {{sorted(self.done)}}")

run_game(
    maps.get("{names()[0]}"), [Bot(Race.Zerg, Casters()), Computer(Race.Terran, Difficulty.VeryEasy)],
    realtime=False, random_seed=3, game_time_limit=120,
)
"""


def test_a_zerg_bot_uses_its_casters(run_script: Callable[[str], str]) -> None:
    assert "casts" in run_script(BOT)
