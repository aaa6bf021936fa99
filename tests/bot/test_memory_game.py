"""What is remembered of the enemy in a game on the engine, over the socket: a structure seen, left, and seen again."""

from __future__ import annotations

import os

import pytest
from sc2.bot_ai import BotAI
from sc2.data import Race
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.player import Bot

from bot.knowledge.tracker import Tracker

PHASES = ("see", "leave", "see again")
LOOPS = 40


class Looker(BotAI):
    """Puts an eye beside a cannon, takes it away, puts it back; notes the sightings at the end of each phase."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, list] = {}
        self.counted: dict[str, int] = {}

    async def on_start(self) -> None:
        self.client.game_step = 4
        self.tracker = Tracker(self)
        spare = [site.position for site in self.tracker.terrain.sites if site.position != self.start_location]
        self.place = max(spare, key=lambda p: min(p.distance_to(self.start_location), self._from_enemy(p)))
        beside = self.place.offset((3.0, 0.0))
        await self.client.debug_create_unit([[U.PYLON, 1, beside, 2], [U.PHOTONCANNON, 1, self.place, 2]])

    def _from_enemy(self, point: object) -> float:
        return self.enemy_start_locations[0].distance_to(point)

    async def on_step(self, iteration: int) -> None:
        knowledge = self.tracker.update(self)
        phase, age = divmod(self.state.game_loop, LOOPS)
        if phase >= len(PHASES):
            await self.client.leave()
            return
        name = PHASES[phase]
        eyes = self.units(U.OBSERVER)
        if "see" in name and not eyes and age < 8:
            await self.client.debug_create_unit([[U.OBSERVER, 1, self.place.offset((0.0, 6.0)), 1]])
        elif "leave" in name and eyes:
            await self.client.debug_kill_unit({unit.tag for unit in eyes})
        if age >= LOOPS - 4:
            self.seen[name] = [s for s in knowledge.enemy.memory.values() if s.type_id is U.PHOTONCANNON]
            self.counted[name] = knowledge.enemy.counts[U.PHOTONCANNON]


class Still(BotAI):
    async def on_step(self, iteration: int) -> None:
        self.client.game_step = 8


@pytest.fixture(scope="module")
def looker() -> Looker:
    from run import EmbeddedEngine

    engine = EmbeddedEngine()
    os.environ["SC2PATH"] = str(engine.prepare(None))
    from sc2 import maps
    from sc2.main import run_game

    bot = Looker()
    place = maps.get(engine.maps(None)[0])
    run_game(place, [Bot(Race.Terran, bot), Bot(Race.Protoss, Still())], realtime=False, random_seed=1)
    return bot


def test_one_cannon_is_one_cannon_in_sight_and_out_of_it(looker: Looker) -> None:
    assert looker.counted == dict.fromkeys(PHASES, 1)


def test_out_of_sight_it_has_another_tag_and_keeps_its_life(looker: Looker) -> None:
    (first,), (left,), (again,) = (looker.seen[name] for name in PHASES)
    assert first.health == left.health == again.health == 300.0
    assert first.tag == again.tag != left.tag
    assert first.loop <= left.loop < LOOPS + 8 <= again.loop
