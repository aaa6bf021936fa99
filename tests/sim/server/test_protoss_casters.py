"""An unmodified burnysc2 Protoss program casts what its army can, over a socket."""

from __future__ import annotations

from collections.abc import Callable

from sim.maps import names

BOT = f"""
from sc2 import maps
from sc2.bot_ai import BotAI
from sc2.data import Difficulty, Race
from sc2.ids.ability_id import AbilityId as A
from sc2.ids.buff_id import BuffId as B
from sc2.ids.effect_id import EffectId as E
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.main import run_game
from sc2.player import Bot, Computer

MINE = [U.HIGHTEMPLAR, U.SENTRY, U.STALKER, U.ADEPT, U.DISRUPTOR, U.ORACLE, U.PHOENIX, U.ZEALOT, U.MOTHERSHIP]
WANTED = {{"storm", "field", "shield", "blink", "shade", "ball", "revealed", "lifted", "charge", "cloak", "warp"}}

class Casters(BotAI):
    done: set = set()
    stood = None
    async def on_step(self, iteration):
        place = self.start_location.towards(self.game_info.map_center, 14)
        there = place.towards(self.game_info.map_center, 7)
        if iteration == 0:
            await self.client.debug_upgrade()
            await self.client.debug_create_unit([[unit, 1, place, 1] for unit in MINE])
            await self.client.debug_create_unit([[U.SIEGETANKSIEGED, 2, there, 2], [U.MARAUDER, 1, there, 2]])
            return
        if iteration in (3, 6):  # the one to be lifted has to outlive the rest until then
            await self.client.debug_set_unit_value([u.tag for u in self.enemy_units(U.MARAUDER)], 2, 125)
            await self.client.debug_set_unit_value([u.tag for u in self.units if u.energy_max], 1, 200)
        tanks, marauders = self.enemy_units(U.SIEGETANKSIEGED), self.enemy_units(U.MARAUDER)
        unit = lambda kind: self.units(kind).first
        if iteration == 7:
            self.stood = unit(U.STALKER).position
            unit(U.HIGHTEMPLAR)(A.PSISTORM_PSISTORM, tanks.first.position)
            unit(U.SENTRY)(A.GUARDIANSHIELD_GUARDIANSHIELD)
            unit(U.SENTRY)(A.FORCEFIELD_FORCEFIELD, place.towards(there, 4))
            unit(U.STALKER)(A.EFFECT_BLINK_STALKER, self.stood.towards(self.start_location, 6))
            unit(U.ADEPT)(A.ADEPTPHASESHIFT_ADEPTPHASESHIFT, self.start_location)
            unit(U.DISRUPTOR)(A.EFFECT_PURIFICATIONNOVA, there)
            unit(U.ORACLE)(A.ORACLEREVELATION_ORACLEREVELATION, there)
            unit(U.PHOENIX)(A.GRAVITONBEAM_GRAVITONBEAM, marauders.first)
            unit(U.MOTHERSHIP)(A(4124))
            unit(U.MOTHERSHIP)(A(2244), there)
        self.look(tanks, marauders)
        if self.done >= WANTED:
            print("casts", sorted(self.done))
            await self.client.leave()
        assert iteration < 90, sorted(WANTED - self.done)

    def look(self, tanks, marauders):
        seen = {{effect.id for effect in self.state.effects}}
        own, enemies = list(self.units), list(tanks) + list(marauders)
        facts = {{
            "storm": E.PSISTORMPERSISTENT in seen,
            "warp": E.TEMPORALFIELDGROWINGBUBBLECREATEPERSISTENT in seen,
            "field": "FORCEFIELD" in seen,  # the client library lists it among the effects
            "shield": any(u.has_buff(B.GUARDIANSHIELD) for u in own),
            "blink": any(u.distance_to(self.stood) > 4 for u in self.units(U.STALKER) if self.stood),
            "shade": bool(self.units(U.ADEPTPHASESHIFT)),
            "ball": bool(self.units(U.DISRUPTORPHASED)),
            "revealed": any(u.has_buff(B.ORACLEREVELATION) for u in enemies),
            "lifted": any(u.has_buff(B.GRAVITONBEAM) and not u._proto.is_flying for u in marauders),
            "charge": any(u.has_buff(B.CHARGING) for u in self.units(U.ZEALOT)),
            "cloak": any(u.is_cloaked for u in self.units(U.SENTRY)),
        }}
        self.done |= {{name for name, true in facts.items() if true}}

run_game(
    maps.get("{names()[0]}"), [Bot(Race.Protoss, Casters()), Computer(Race.Terran, Difficulty.VeryEasy)],
    realtime=False, random_seed=3, game_time_limit=120,
)
"""


def test_a_protoss_bot_uses_its_casters(run_script: Callable[[str], str]) -> None:
    assert "casts" in run_script(BOT)
