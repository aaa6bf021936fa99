"""A moment of a fight for tests: real client units and the engine's unit data, without a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from types import SimpleNamespace
from typing import Any

import numpy as np
from s2clientprotocol import raw_pb2
from sc2.game_data import GameData
from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.facts import Facts
from bot.knowledge.model import Sighting
from bot.micro import battlefield, masks, reader
from bot.micro.geometry import geometry
from bot.micro.kinds import Kinds
from bot.micro.moment import Memory, Moment, look
from bot.micro.scene import Ground, Scene
from bot.micro.skills import Casts
from bot.micro.task import CLOAK, NUKE, Mode, Task, gather
from bot.micro.twin import orders
from bot.orders import Cast, Order

SIZE = 100
# Missions across the middle of the ground: north is the enemy, south is home.
FORWARD = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0))
HOME = Task(Mode.RETREAT, (50.0, 5.0), (50.0, 5.0), (50.0, 50.0))
GUARD = Task(Mode.HOLD, (50.0, 50.0), (50.0, 50.0), (50.0, 50.0))
INFILTRATE = Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0), allows=CLOAK | NUKE)
SPECIALS = frozenset(
    {
        UpgradeId.BANSHEECLOAK,
        UpgradeId.PERSONALCLOAKING,
        UpgradeId.BATTLECRUISERENABLESPECIALIZATIONS,
        UpgradeId.INTERFERENCEMATRIX,
    }
)
"""Researches that give units abilities."""
FLYERS = {
    UnitTypeId.MEDIVAC,
    UnitTypeId.VIKINGFIGHTER,
    UnitTypeId.MUTALISK,
    UnitTypeId.OVERLORD,
    UnitTypeId.OVERSEER,
    UnitTypeId.BROODLORD,
    UnitTypeId.CORRUPTOR,
    UnitTypeId.BANSHEE,
    UnitTypeId.RAVEN,
    UnitTypeId.LIBERATOR,
    UnitTypeId.LIBERATORAG,
    UnitTypeId.BATTLECRUISER,
}
LIFE = {
    UnitTypeId.MARINE: 45,
    UnitTypeId.MARAUDER: 125,
    UnitTypeId.MEDIVAC: 150,
    UnitTypeId.SIEGETANK: 175,
    UnitTypeId.SIEGETANKSIEGED: 175,
    UnitTypeId.ZERGLING: 35,
    UnitTypeId.BANELING: 30,
    UnitTypeId.ROACH: 145,
    UnitTypeId.ULTRALISK: 500,
    UnitTypeId.HATCHERY: 1500,
    UnitTypeId.BATTLECRUISER: 550,
    UnitTypeId.BANSHEE: 140,
    UnitTypeId.THOR: 400,
    UnitTypeId.CORRUPTOR: 200,
    UnitTypeId.SPINECRAWLER: 300,
}


@cache
def game_data() -> GameData:
    """The client's view of the engine's unit data."""
    from sim.facts import load as load_facts
    from sim.server.data import response_data

    facts = load_facts("5.0.14")
    return GameData(response_data(facts, facts.types, facts.weapons))


@cache
def kinds() -> Kinds:
    """One set of tables for all tests: it only grows."""
    return Kinds(Facts(game_data()), game_data())


class Skirmish:
    """Own and enemy units put on open ground; `orders` gives what micro wants.

    Example:
        fight = Skirmish()
        marine = fight.own(UnitTypeId.MARINE, 50, 50)
        fight.foe(UnitTypeId.ZERGLING, 54, 50)
        fight.orders()[marine]
    """

    def __init__(self) -> None:
        self.walkable = np.ones((SIZE, SIZE), bool)
        self.buildable = np.ones((SIZE, SIZE), bool)
        self.effects: list[Any] = []
        self.upgrades: frozenset[Any] = frozenset()
        self.loop = 1000
        self.memory = Memory()
        self.casts = Casts()
        self.owned: set[UnitTypeId] = set()
        self.nuke = False
        self._units: list[Unit] = []
        self._bot = SimpleNamespace(
            game_data=game_data(),
            state=SimpleNamespace(effects=self.effects, game_loop=self.loop),
        )

    def own(self, kind: UnitTypeId, x: float, y: float, **fields: Any) -> int:
        """Adds one of ours; returns its tag."""
        return self._add(kind, x, y, 1, fields)

    def foe(self, kind: UnitTypeId, x: float, y: float, **fields: Any) -> int:
        """Adds an enemy; returns its tag."""
        return self._add(kind, x, y, 4, fields)

    def _add(self, kind: UnitTypeId, x: float, y: float, alliance: int, fields: Mapping[str, Any]) -> int:
        proto = raw_pb2.Unit(
            tag=len(self._units) + 1,
            unit_type=kind.value,
            alliance=alliance,
            owner=1 if alliance == 1 else 2,
            display_type=1,
            build_progress=1.0,
            cloak=3,
            radius=0.375,
            health=LIFE.get(kind, 100),
            health_max=LIFE.get(kind, 100),
            is_flying=kind in FLYERS,
            energy=100 if alliance == 1 else 0,
            energy_max=200,
        )
        proto.pos.x, proto.pos.y = x, y
        buffs = fields.get("buff_ids", ())
        proto.buff_ids.extend(buffs)
        for name, value in fields.items():
            if name != "buff_ids":
                setattr(proto, name, value)
        self._units.append(Unit(proto, self._bot))
        return proto.tag

    def unit(self, tag: int) -> Any:
        """What the client was sent of a unit."""
        return self._units[tag - 1]._proto

    def knowledge(self) -> Any:
        """As much of `Knowledge` as army and micro read."""
        own = [unit for unit in self._units if unit.is_mine]
        enemies = [unit for unit in self._units if not unit.is_mine]
        memory = {unit.tag: sighting(unit, self.loop) for unit in enemies}
        distance = np.where(self.walkable, np.add.outer(np.arange(SIZE), np.zeros(SIZE)), np.inf)
        start, enemy = Point2((50.0, 0.0)), Point2((50.0, 99.0))
        paths = SimpleNamespace(source=start, distance=distance)
        back = SimpleNamespace(source=enemy, distance=np.where(self.walkable, SIZE - 1 - distance, np.inf))
        self._bot.state = SimpleNamespace(effects=self.effects, game_loop=self.loop)
        return SimpleNamespace(
            bot=self._bot,
            loop=self.loop,
            seconds=self.loop / 22.4,
            step=4,
            supply_used=100,
            own=SimpleNamespace(
                army=own,
                by_tag={unit.tag: unit for unit in own},
                by_type={},
                ready=lambda *kinds: [kind for kind in kinds if kind in self.owned],
            ),
            enemy=SimpleNamespace(
                units=[unit for unit in enemies if not memory[unit.tag].is_structure],
                structures=[unit for unit in enemies if memory[unit.tag].is_structure],
                memory=memory,
                start=enemy,
            ),
            threats=(),
            bases=(),
            upgrades=self.upgrades,
            facts=Facts(game_data()),
            terrain=SimpleNamespace(
                walkable=self.walkable,
                buildable=self.buildable,
                from_start=paths,
                from_enemy=back,
                enemy_starts=(enemy,),
                sites=(),
                playable=(0, 0, SIZE, SIZE),
            ),
            visibility=np.ones((SIZE, SIZE), np.uint8),
            is_visible=lambda point: False,
        )

    def field(self) -> battlefield.Battlefield:
        """The moment as arrays."""
        return battlefield.battle(self.scene())

    def scene(self) -> Scene:
        """The moment as the readers give it."""
        harmful = load("micro")["dodge"]["effects"]
        return reader.read(
            self.knowledge(), kinds(), Ground(self.walkable, self.buildable), self.casts, harmful, nuke=self.nuke
        )

    def moment(self, task: Task | None = None) -> Moment:
        """What the rules share; every unit has the same task."""
        scene = self.scene()
        tags = scene.tag[0, : scene.agents].tolist()
        task = task or Task(Mode.FIGHT, (50.0, 90.0), (50.0, 5.0), (50.0, 50.0))
        tasks = gather(tags, dict.fromkeys(tags, task))
        verbs, targets, _ = masks.legal(scene, tasks, geometry(scene))
        relations = battlefield.battle(scene).relations
        return look(relations, tasks, verbs, targets, load("micro"), [self.memory])[0]

    def orders(self, task: Task | None = None) -> dict[int, list[Order]]:
        """Every own unit's orders by tag."""
        moment = self.moment(task)
        given = dict(zip(moment.field.own.tags, orders(moment).values(), strict=True))
        for order in chain.from_iterable(given.values()):
            if isinstance(order, Cast):
                self.casts.note(order.tag, order.cast, self.loop)
        return given

    def only(self, tag: int, task: Task | None = None) -> Order | None:
        """The one order of a unit, None without any; more than one is an error of the test."""
        (order,) = self.orders(task)[tag] or [None]
        return order


def sighting(unit: Unit, loop: int) -> Sighting:
    """As the bot's memory keeps it."""
    proto = unit._proto
    return Sighting(
        unit.tag,
        unit.type_id,
        Point2((proto.pos.x, proto.pos.y)),
        loop,
        proto.health,
        unit.type_id in (UnitTypeId.HATCHERY, UnitTypeId.SPINECRAWLER),
        proto.is_flying,
        loop if proto.build_progress >= 1.0 else loop + 1000.0,
    )


def crowd(count: int, x: float, y: float, spacing: float = 0.8) -> Iterable[tuple[float, float]]:
    """Places of a block of units."""
    side = int(np.ceil(np.sqrt(count)))
    return [(x + spacing * (k % side), y + spacing * (k // side)) for k in range(count)]


def casts(orders: Iterable[Order]) -> list[AbilityId]:
    """The abilities that are used."""
    return [order.cast for order in orders if isinstance(order, Cast)]
