"""What the bot knows in one step: read-only values that every later stage reads and none writes.

`Knowledge` is rebuilt each step by `bot.knowledge.tracker.Tracker`. Grids are numpy arrays [height, width], row 0 at
the map's bottom, indexed [int(y), int(x)]. Distances are in cells, times in game loops (22.4 a second) unless named
seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2
from sc2.unit import Unit

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI

    from bot.knowledge.facts import Facts
    from bot.knowledge.terrain import Site, Terrain

LOOPS_PER_SECOND = 22.4
WORKER_VALUE = 50
AT_BASE = 5.0
"""Cells: threats name the town hall they are nearest to, whose own position may be a little off its site's."""


@dataclass(frozen=True, slots=True)
class Own:
    """Our units as the observation shows them, grouped once per step."""

    by_tag: Mapping[int, Unit]
    by_type: Mapping[UnitTypeId, list[Unit]]
    workers: list[Unit]
    army: list[Unit]
    """Everything mobile that is neither a worker nor a MULE: fighters, Medivacs, Ravens, sieged tanks."""
    structures: list[Unit]
    townhalls: list[Unit]
    """Town halls, finished or not, flying or not."""

    def of(self, *types: UnitTypeId) -> list[Unit]:
        """Units of these types, unfinished structures included."""
        return [unit for kind in types for unit in self.by_type.get(kind, ())]

    def ready(self, *types: UnitTypeId) -> list[Unit]:
        """Finished units of these types."""
        return [unit for kind in types for unit in self.by_type.get(kind, ()) if unit.is_ready]


@dataclass(frozen=True, slots=True)
class Sighting:
    """An enemy unit or structure as it was last seen."""

    tag: int
    """The tag it has in the observation; a structure out of sight has that of its snapshot."""
    type_id: UnitTypeId
    position: Point2
    loop: int
    """When it was last in sight."""
    health: float
    """Life and shields then."""
    is_structure: bool
    is_flying: bool
    finished: float
    """The loop in which it is done being built, as far as one can know: work goes on out of sight too."""


@dataclass(frozen=True, slots=True)
class Enemy:
    """The enemy now and as remembered."""

    units: list[Unit]
    """Visible units without structures; snapshots, hallucinations and blips left out."""
    structures: list[Unit]
    """Structures seen or shown as snapshots."""
    memory: Mapping[int, Sighting]
    """By tag: everything not known to be dead, units that were not seen for long left out."""
    army_value: float
    """Resources (minerals + gas) in remembered fighting units."""
    counts: Mapping[UnitTypeId, int]
    """Remembered units and structures by type."""
    has_air: bool
    has_cloak: bool
    start: Point2 | None
    """Where the enemy's main base is, once only one place is left for it or one of its structures was seen there."""
    bases: tuple[Point2, ...]
    """Remembered town halls."""


@dataclass(frozen=True, slots=True)
class Threat:
    """A group of enemies near one of our bases."""

    position: Point2
    base: Point2
    tags: frozenset[int]
    ground_value: float
    air_value: float
    workers: int
    """How many of them are workers (a worker rush, or a scout)."""

    @property
    def value(self) -> float:
        """Resources in the group, workers included."""
        return self.ground_value + self.air_value

    @property
    def fighting_value(self) -> float:
        """Resources in its fighters: 0 for a scout."""
        return self.value - WORKER_VALUE * self.workers


@dataclass(frozen=True, slots=True)
class Base:
    """One of our town halls on its site."""

    site: Site
    townhall: Unit
    minerals: tuple[Unit, ...]
    """Mineral fields left; those out of sight too (their contents then read 0)."""
    geysers: tuple[Unit, ...]
    refineries: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that later stages may know of this moment."""

    bot: BotAI
    loop: int
    step: int
    """Loops between two steps of the bot."""
    minerals: int
    gas: int
    supply_used: int
    supply_cap: int
    own: Own
    enemy: Enemy
    threats: tuple[Threat, ...]
    bases: tuple[Base, ...]
    upgrades: frozenset[UpgradeId]
    facts: Facts
    terrain: Terrain
    visibility: np.ndarray
    """uint8 [h, w]: 0 never seen, 1 seen, 2 visible now."""
    creep: np.ndarray
    """uint8 or bool [h, w]."""

    @property
    def seconds(self) -> float:
        """Game time at Faster."""
        return self.loop / LOOPS_PER_SECOND

    @property
    def supply_left(self) -> int:
        """Room for more units; negative after lost depots."""
        return self.supply_cap - self.supply_used

    def is_visible(self, point: tuple[float, float]) -> bool:
        """Whether we see this point now."""
        return bool(self.visibility[int(point[1]), int(point[0])] == 2)

    def is_threatened(self, base: Base) -> bool:
        """Whether enemy fighters are at this base."""
        site = base.site.position
        return any(threat.fighting_value > 0 and threat.base.distance_to(site) < AT_BASE for threat in self.threats)
