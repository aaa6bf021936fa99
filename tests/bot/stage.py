"""A whole army of ours in scenes on the engine, over the socket: units made by debug commands, tasks by `Army`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from loguru import logger
from sc2.bot_ai import BotAI
from sc2.data import Race
from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId as U
from sc2.player import Bot

from bot.army.raids.manager import STEPS
from bot.army.raids.raid import Phase
from bot.army.step import Army
from bot.guard import Guard
from bot.knowledge.tracker import Tracker
from bot.orders import Cast
from bot.sending import send
from bot.strategy.plan import Plan, Stance

LIFE = 2
"""Unit value of the debug command."""
SETTLE = 12
"""Loops after the units were made in which they come to be."""


@dataclass(frozen=True)
class Scene:
    """Units by place: `home` our town hall, `line` the enemy's mineral line, `hall` its town hall, with an offset."""

    own: Sequence[tuple[U, int]]
    foe: Sequence[tuple[U, int, float]] = ()
    """(type, count, cells from the enemy's line towards its hall and beyond)."""
    seconds: float = 120.0
    kind: str = ""
    """The raid to wait for: the scene ends when one of this kind is over."""
    later: Sequence[tuple[U, int, float]] = ()
    """As `foe`, but they come two seconds after the raid has begun to strike."""
    setup: Callable[[Stage], Awaitable[None]] | None = None


@dataclass
class Outcome:
    """What was seen of a scene."""

    phases: list[str] = field(default_factory=list)
    casts: Counter[AbilityId] = field(default_factory=Counter)
    allowed: int = 0
    killed: Counter[U] = field(default_factory=Counter)
    lost: Counter[U] = field(default_factory=Counter)
    hurt: float = 0.0
    """Life that the enemy's structures lacked at worst."""
    cargo: float = 0.0
    nearest: float = 1000.0
    """How near anyone came to the enemy's line."""
    places: list[tuple[float, float]] = field(default_factory=list)
    seconds: float = 0.0
    left: Counter[U] = field(default_factory=Counter)


class Stage(BotAI):
    """Plays our side of the scenes, one after the other, and notes what happens."""

    def __init__(self, scenes: Mapping[str, Scene]) -> None:
        super().__init__()
        self.todo = list(scenes.items())
        self.outcomes: dict[str, Outcome] = {}
        self.guard = Guard()
        self.began = -1

    async def on_start(self) -> None:
        self.client.game_step = 4
        self.tracker = Tracker(self)
        self.enemy_base = self.enemy_start_locations[0]
        site = self.tracker.terrain.site_at(self.enemy_base)
        self.line = site.mineral_centre
        self.rally = self.start_location.towards(self.game_info.map_center, 12)
        sites = [site.position for site in self.tracker.terrain.sites]
        spare = max(sites, key=lambda p: min(p.distance_to(self.enemy_base), p.distance_to(self.start_location)))
        # The enemy stays in the game when its town hall falls.
        await self.client.debug_create_unit([[U.SUPPLYDEPOT, 1, spare, 2]])
        await self.client.debug_upgrade()
        await self.client.debug_show_map()

    async def on_step(self, iteration: int) -> None:
        if not self.todo:
            await self.client.leave()
            return
        name, scene = self.todo[0]
        if self.began < 0:
            await self._set_up(scene)
            self.outcomes[name] = Outcome()
            self.began = self.state.game_loop
            return
        age = (self.state.game_loop - self.began) / 22.4
        if self.state.game_loop - self.began < SETTLE:
            return
        outcome = self.outcomes[name]
        knowledge = self.tracker.update(self)
        plan = Plan(stance=Stance.DEFEND, rally=self.rally, target=self.enemy_base)
        orders = self.army.step(knowledge, plan)
        for academy in self.structures(U.GHOSTACADEMY).ready:
            if not self.missiles:
                self.missiles += academy(AbilityId.BUILD_NUKE) is not None
        await send([orders], self)
        self._note(outcome, scene, orders, age)
        if scene.later and any(
            r.phase is Phase.STRIKE and r.lasted(knowledge.loop) > 2.0 for r in self.army.raids.raids
        ):
            if not self.struck:
                await self._enemies(scene.later)
            self.struck += 1
        over = scene.kind and any(p == f"{scene.kind} done" for p in outcome.phases)
        if age > scene.seconds or over:
            outcome.left = Counter(unit.type_id for unit in self.units if unit.type_id is not U.SCV)
            await self._clear()
            self.todo.pop(0)
            self.began = -1

    def _note(self, outcome: Outcome, scene: Scene, orders: Sequence, age: float) -> None:
        outcome.seconds = age
        now = {raid.kind: raid.phase.name.lower() for raid in self.army.raids.raids}
        for kind in {scene.kind, *now}:
            step = f"{kind} {now.get(kind, 'done')}"
            started = any(p.startswith(f"{kind} ") for p in outcome.phases)
            if (kind in now or started) and (not outcome.phases or step != outcome.phases[-1]):
                outcome.phases.append(step)
        outcome.casts.update(order.cast for order in orders if isinstance(order, Cast))
        lacking = sum(structure.health_max - structure.health for structure in self.enemy_structures.ready)
        outcome.hurt = max(outcome.hurt, lacking)
        for unit in self.units:
            outcome.cargo = max(outcome.cargo, unit.cargo_used)
            if unit.tag in self.army.raids.tags:
                outcome.places.append((unit.position.x, unit.position.y))
                outcome.nearest = min(outcome.nearest, unit.distance_to(self.line))

    async def on_unit_destroyed(self, unit_tag: int) -> None:
        self.tracker.forget(unit_tag)
        unit = self._all_units_previous_map.get(unit_tag)
        if unit is not None and self.todo and self.began >= 0:
            outcome = self.outcomes[self.todo[0][0]]
            (outcome.lost if unit.is_mine else outcome.killed)[unit.type_id] += 1

    async def _set_up(self, scene: Scene) -> None:
        self.army = Army(self.guard)
        self._soon(self.army)
        self.struck = self.missiles = 0
        if scene.setup is not None:
            await scene.setup(self)
        units = [[kind, count, self.rally, 1] for kind, count in scene.own]
        await self.client.debug_create_unit(units)
        await self._enemies(scene.foe)

    async def _enemies(self, units: Sequence[tuple[U, int, float]]) -> None:
        if units:
            place = self.line.towards
            await self.client.debug_create_unit([[kind, n, place(self.enemy_base, off), 2] for kind, n, off in units])

    @staticmethod
    def _soon(army: Army) -> None:
        """Raids wait for nothing but their units and research: the scenes are short."""
        army.raids._config = deepcopy(army.raids._config)
        for kind in STEPS:
            army.raids._config[kind] |= {"after": 0, "supply": 0}
        army.raids._config["targets"]["again"] = 0

    async def _clear(self) -> None:
        gone = {
            u.tag for u in (*self.units, *self.enemy_units) if u.type_id not in (U.SCV, U.DRONE, U.OVERLORD, U.LARVA)
        }
        gone |= {u.tag for u in self.enemy_structures if u.type_id not in (U.HATCHERY, U.SUPPLYDEPOT)}
        if gone:
            await self.client.debug_kill_unit(gone)
        halls = self.enemy_structures(U.HATCHERY)
        if halls:  # a shot may still be on its way to one that is nearly down
            await self.client.debug_set_unit_value(halls, LIFE, halls.first.health_max)
        else:
            await self.client.debug_create_unit([[U.HATCHERY, 1, self.enemy_base, 2]])
        workers = 12 - sum(u.type_id is U.DRONE for u in self.enemy_units)
        if workers > 0:
            await self.client.debug_create_unit([[U.DRONE, workers, self.line, 2]])


class Still(BotAI):
    """An opponent that gives no orders: its units fight as the game lets idle units fight."""

    async def on_step(self, iteration: int) -> None:
        self.client.game_step = 8


def play(scenes: Mapping[str, Scene], map_name: str | None = None) -> Stage:
    """All scenes in one game on the embedded engine."""
    from run import EmbeddedEngine

    engine = EmbeddedEngine()
    os.environ["SC2PATH"] = str(engine.prepare(None))
    from sc2 import maps
    from sc2.main import run_game

    logger.remove()
    logger.add(sys.stderr, level="WARNING")
    stage = Stage(scenes)
    place = maps.get(map_name or engine.maps(None)[0])
    run_game(place, [Bot(Race.Terran, stage), Bot(Race.Zerg, Still())], realtime=False, random_seed=1)
    return stage
