"""Facts about unit types, read from the client's own game data so that they fit the patch being played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sc2.data import Attribute, Race, TargetType
from sc2.game_data import GameData, UnitTypeData
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.unit import Unit

from bot.config import load

NORMAL_TO_FASTER = 1.4
"""The data's weapon periods and speeds are per normal second; the clock of the ladder runs 1.4 times as fast."""

KNOWN_TYPES = frozenset(kind.value for kind in UnitTypeId)
"""Unit type numbers that the client library has a name for; maps may hold others, which we leave out."""
RACES = frozenset(race.value for race in (Race.Terran, Race.Zerg, Race.Protoss))
WORKERS = frozenset({UnitTypeId.SCV, UnitTypeId.DRONE, UnitTypeId.PROBE, UnitTypeId.DRONEBURROWED})
TOWNHALLS = frozenset(
    {
        UnitTypeId.COMMANDCENTER,
        UnitTypeId.ORBITALCOMMAND,
        UnitTypeId.PLANETARYFORTRESS,
        UnitTypeId.COMMANDCENTERFLYING,
        UnitTypeId.ORBITALCOMMANDFLYING,
        UnitTypeId.HATCHERY,
        UnitTypeId.LAIR,
        UnitTypeId.HIVE,
        UnitTypeId.NEXUS,
    }
)


@dataclass(frozen=True, slots=True)
class Cost:
    """A price; supply in halves for Zerglings."""

    minerals: int
    gas: int
    supply: float = 0.0

    @property
    def value(self) -> int:
        """Minerals and gas together."""
        return self.minerals + self.gas


@dataclass(frozen=True, slots=True)
class TypeFacts:
    """One unit type: damage and speed per Faster second without upgrades, ranges edge to edge in cells."""

    id: UnitTypeId
    name: str
    cost: Cost
    build_loops: float
    food_provided: float
    attributes: frozenset[Attribute]
    ground_dps: float
    air_dps: float
    ground_range: float
    air_range: float
    speed: float
    sight: float
    cargo: int

    @property
    def is_structure(self) -> bool:
        return Attribute.Structure in self.attributes

    @property
    def is_worker(self) -> bool:
        return self.id in WORKERS

    @property
    def is_fighter(self) -> bool:
        """Whether its presence makes a fight: it shoots or explodes, and is no worker."""
        return self.id not in WORKERS and (self.ground_dps > 0 or self.air_dps > 0)


def in_order(units: Iterable[Unit]) -> list[Unit]:
    """Units by tag. Observations list them in another order each time, and who decides between equals by that order
    changes his mind in every step."""
    return sorted(units, key=lambda unit: unit.tag)


def renumbered(data: GameData) -> dict[int, UnitTypeId]:
    """Types of the three races that the client numbers otherwise than its library does, by the client's number: on 4.10
    a RefineryRich is 1960, which the library takes for something else."""
    named = {number: UnitTypeId.__members__.get(unit._proto.name.upper()) for number, unit in data.units.items()}
    races = {number for number, unit in data.units.items() if unit._proto.race in RACES}
    return {number: kind for number, kind in named.items() if number in races and kind and kind.value != number}


def recognise(data: GameData) -> None:
    """Make the library's units name their type as this client's data does."""
    Unit.class_cache.clear()
    Unit.class_cache.update(renumbered(data))


class Facts:
    """Facts by unit type, made on first use.

    Example:
        facts[UnitTypeId.MARINE].cost.minerals
    """

    def __init__(self, data: GameData) -> None:
        self._data = data
        self._types: dict[UnitTypeId, TypeFacts] = {}
        self._hidden = load("knowledge")["hidden_weapons"]
        self._numbers = {kind: number for number, kind in renumbered(data).items()}

    def __getitem__(self, type_id: UnitTypeId) -> TypeFacts:
        """Facts of a type; zeros for one that the client's data lacks."""
        found = self._types.get(type_id)
        if found is None:
            found = self._types[type_id] = self._make(type_id)
        return found

    def cost(self, type_id: UnitTypeId) -> Cost:
        """What making one costs now: for an Orbital Command only the morph."""
        return self[type_id].cost

    def upgrade_cost(self, upgrade: UpgradeId) -> Cost:
        """Price of a research; nothing for one that the client's data lacks."""
        data = self._data.upgrades.get(upgrade.value)
        return Cost(data._proto.mineral_cost, data._proto.vespene_cost) if data else Cost(0, 0)

    def _make(self, type_id: UnitTypeId) -> TypeFacts:
        data = self._data.units.get(self._numbers.get(type_id, type_id.value))
        if data is None:
            return TypeFacts(type_id, type_id.name, Cost(0, 0), 0.0, 0.0, frozenset(), 0, 0, 0, 0, 0.0, 0.0, 0)
        proto = data._proto
        ground_dps, ground_range = _weapon(proto, TargetType.Ground.value)
        air_dps, air_range = _weapon(proto, TargetType.Air.value)
        hidden = self._hidden.get(type_id.name)
        if hidden and not (ground_dps or air_dps):
            ground_dps, air_dps = hidden["ground_dps"], hidden["air_dps"]
            ground_range = air_range = hidden["range"]
        return TypeFacts(
            id=type_id,
            name=proto.name,
            cost=_price(data),
            build_loops=proto.build_time,
            food_provided=proto.food_provided,
            attributes=frozenset(Attribute(a) for a in proto.attributes),
            ground_dps=ground_dps,
            air_dps=air_dps,
            ground_range=ground_range,
            air_range=air_range,
            speed=proto.movement_speed * NORMAL_TO_FASTER,
            sight=proto.sight_range,
            cargo=proto.cargo_size,
        )


def _weapon(proto: Any, target: int) -> tuple[float, float]:
    """(damage per Faster second, range) of the best weapon against ground or air targets."""
    best = (0.0, 0.0)
    for weapon in proto.weapons:
        if weapon.type in (target, TargetType.Any.value) and weapon.speed > 0:
            dps = weapon.damage * weapon.attacks / weapon.speed * NORMAL_TO_FASTER
            if dps > best[0]:
                best = (dps, weapon.range)
    return best


def _price(data: UnitTypeData) -> Cost:
    """The price of one more; the API's price of a morphed structure includes what it was before."""
    proto = data._proto
    minerals, gas = proto.mineral_cost, proto.vespene_cost
    if data.id in (UnitTypeId.ORBITALCOMMAND, UnitTypeId.PLANETARYFORTRESS):
        before = data._game_data.units.get(UnitTypeId.COMMANDCENTER.value)
        if before is not None:
            minerals -= before._proto.mineral_cost
            gas -= before._proto.vespene_cost
    return Cost(minerals, gas, proto.food_required)
