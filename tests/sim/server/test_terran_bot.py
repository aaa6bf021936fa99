"""An unmodified burnysc2 Terran program uses mines, Ghosts, Cyclones and Liberators, and reads what became of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

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

class Powers(BotAI):
    async def make(self, kind, x, y, owner=1):
        await self.client.debug_create_unit([[kind, 1, self.place.offset((x, y)), owner]])
        await self._advance_steps(5)
        return (self.units if owner == 1 else self.enemy_units)(kind).closest_to(self.place.offset((x, y)))

    def again(self, unit):
        return next(other for other in self.all_units if other.tag == unit.tag)

    def effects(self):
        return {{effect.id for effect in self.state.effects}}

    async def on_step(self, iteration):
        if iteration:
            return
        self.place = self.start_location.towards(self.game_info.map_center, 9)
        await self.client.debug_all_resources()
        await self.mine()
        await self.client.debug_tech_tree()  # with it come Drilling Claws, which hide a mine that reloads
        await self.cyclone()
        await self.ghost()
        await self.liberator()
        assert self.state.score.total_damage_dealt_life >= 125
        print("all powers used")
        await self.client.leave()

    async def mine(self):
        mine = await self.make(U.WIDOWMINE, 0, 0)
        mine(A.BURROWDOWN_WIDOWMINE)
        await self._advance_steps(60)
        mine = self.again(mine)
        assert mine.type_id == U.WIDOWMINEBURROWED and mine.is_burrowed
        assert not mine.is_cloaked, "it only hides under the ground: real observations of own units say so"
        prey = await self.make(U.ULTRALISK, 4, 0, 2)
        before = prey.health
        await self._advance_steps(60)
        prey = self.again(prey)
        assert before - prey.health >= 100, prey.health
        assert not self.again(mine).is_cloaked, "it reloads in sight"
        await self.client.debug_kill_unit([prey.tag, mine.tag])
        await self._advance_steps(2)

    async def cyclone(self):
        cyclone, prey = await self.make(U.CYCLONE, 0, 0), await self.make(U.ULTRALISK, 5, 0, 2)
        await self._advance_steps(12)
        assert self.again(prey).has_buff(BuffId.LOCKON), "autocast"
        assert A.LOCKON_LOCKON not in (await self.get_available_abilities([self.again(cyclone)]))[0]
        await self.client.debug_kill_unit([prey.tag, cyclone.tag])
        await self._advance_steps(2)

    async def ghost(self):
        ghost = await self.make(U.GHOST, 0, 0)
        assert await self.can_cast(ghost, A.BEHAVIOR_HOLDFIREON_GHOST)
        ghost(A.BEHAVIOR_HOLDFIREON_GHOST)
        assert await self.can_cast(ghost, A.EMP_EMP, ghost.position.offset((3, 0)))
        ghost(A.EMP_EMP, ghost.position.offset((3, 0)))
        await self._advance_steps(12)
        ghost = self.again(ghost)
        assert ghost.has_buff(BuffId.GHOSTHOLDFIREB)
        assert not await self.can_cast(ghost, A.EMP_EMP, ghost.position.offset((3, 0))), "the energy is spent"
        assert A.EMP_EMP in (await self.get_available_abilities([ghost], ignore_resource_requirements=True))[0]
        academy = None
        for kind, x in ((U.FACTORY, 3), (U.GHOSTACADEMY, -3)):
            await self.client.debug_create_unit([[kind, 1, self.place.offset((x, 5)), 1]])
        await self.client.debug_fast_build()
        await self._advance_steps(5)
        academy = self.structures(U.GHOSTACADEMY).first
        academy(A.BUILD_NUKE)
        await self._advance_steps(60)
        assert A.TACNUKESTRIKE_NUKECALLDOWN in (await self.get_available_abilities([self.again(ghost)]))[0]
        self.again(ghost)(A.TACNUKESTRIKE_NUKECALLDOWN, self.place.offset((6, 0)))
        await self._advance_steps(40)
        assert EffectId.NUKEPERSISTENT in self.effects()
        self.again(ghost)(A.CANCEL)
        await self._advance_steps(4)
        assert EffectId.NUKEPERSISTENT not in self.effects()

    async def liberator(self):
        ship = await self.make(U.LIBERATOR, 0, 0)
        ship(A.MORPH_LIBERATORAGMODE, self.place.offset((5, 0)))
        await self._advance_steps(30)
        assert EffectId.LIBERATORTARGETMORPHDELAYPERSISTENT in self.effects()
        await self._advance_steps(60)
        assert EffectId.LIBERATORTARGETMORPHPERSISTENT in self.effects()
        assert self.again(ship).type_id == U.LIBERATORAG

run_game(
    maps.get("{names()[0]}"), [Bot(Race.Terran, Powers()), Computer(Race.Zerg, Difficulty.VeryEasy)],
    realtime=False, random_seed=3, game_time_limit=420,
)
"""


@pytest.mark.parametrize("patch", ["5.0.14", "4.10.0"])
def test_a_terran_bot_uses_its_powers(
    run_script: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, patch: str
) -> None:
    monkeypatch.setenv("IRONSIGHT_PATCH", patch)
    assert "all powers used" in run_script(BOT)
