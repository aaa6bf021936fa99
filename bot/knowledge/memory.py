"""What was seen of the enemy and when. Sightings age; a look at an empty place disproves a structure.

A structure that leaves sight goes on in the observation as a snapshot: another unit with a new tag each time, which
bears neither life nor whether it flies. Structures are therefore known again by their place, and counted once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.facts import KNOWN_TYPES, TOWNHALLS, Facts, in_order
from bot.knowledge.model import LOOPS_PER_SECOND, Enemy, Sighting

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI

    from bot.knowledge.terrain import Terrain

PRUNE_EVERY = 16
"""Loops between two looks for sightings that are too old or disproved."""
CLOAKERS = frozenset(
    {
        UnitTypeId.BANSHEE,
        UnitTypeId.GHOST,
        UnitTypeId.DARKTEMPLAR,
        UnitTypeId.DARKSHRINE,
        UnitTypeId.MOTHERSHIP,
        UnitTypeId.LURKERMP,
        UnitTypeId.LURKERMPBURROWED,
        UnitTypeId.LURKERDENMP,
        UnitTypeId.WIDOWMINE,
        UnitTypeId.WIDOWMINEBURROWED,
        UnitTypeId.ROACHBURROWED,
        UnitTypeId.INFESTORBURROWED,
        UnitTypeId.BANELINGBURROWED,
        UnitTypeId.ZERGLINGBURROWED,
    }
)
"""Types that mean: have detection ready."""


UNSEEN_UNIT, UNSEEN_STRUCTURE = 120.0, 500.0
"""Life and shields of what shows none: hidden units (a Dark Templar has 120, Banshees and Ghosts about as much), and
structures that were never seen but as snapshots."""


class EnemyMemory:
    """Keeps sightings by tag and sums them up once a step."""

    def __init__(self, terrain: Terrain, facts: Facts) -> None:
        self._terrain = terrain
        self._facts = facts
        self._config = load("knowledge")["memory"]
        self._weaponless = frozenset(self._config["weaponless"])
        self._seen: dict[int, Sighting] = {}
        self._tag_at: dict[Point2, int] = {}
        """The tag under which the structure at a place was last listed."""
        self._known_start: Point2 | None = terrain.enemy_starts[0] if len(terrain.enemy_starts) == 1 else None
        self._ruled_out: set[Point2] = set()
        self._pruned = -PRUNE_EVERY

    def forget(self, tag: int) -> None:
        """A unit is known to be dead."""
        self._seen.pop(tag, None)

    def update(self, bot: BotAI) -> Enemy:
        """Take in this step's observation."""
        loop = bot.state.game_loop
        units = [u for u in in_order(bot.enemy_units) if _is_known(u) and not u.is_hallucination and not u.is_snapshot]
        structures = [unit for unit in in_order(bot.enemy_structures) if _is_known(unit)]
        for unit in units:
            self._note(unit, loop)
        for structure in structures:
            self._note_structure(structure, loop)
        if loop - self._pruned >= PRUNE_EVERY:
            self._pruned = loop
            here = {unit.tag for unit in (*units, *structures)}
            self._prune(here, loop, bot.state.visibility.data_numpy)
            self._find_start(bot.state.visibility.data_numpy)
        return self._sum_up(units, structures)

    def _note(self, unit: Unit, loop: int) -> None:
        proto = unit._proto
        left = 0.0
        if proto.build_progress < 1.0 and (unit.is_structure or not _is_unshown(unit)):  # a shimmer does not tell it
            left = (1.0 - proto.build_progress) * self._facts[unit.type_id].build_loops
        life = proto.health + proto.shield
        if _is_unshown(unit):
            before = self._seen.get(proto.tag)
            unseen = UNSEEN_STRUCTURE if unit.is_structure else UNSEEN_UNIT
            life = before.health if before is not None else unseen
        self._seen[proto.tag] = Sighting(
            tag=proto.tag,
            type_id=unit.type_id,
            position=unit.position,
            loop=loop,
            health=life,
            is_structure=unit.is_structure,
            is_flying=proto.is_flying,
            finished=loop + left,
        )

    def _note_structure(self, unit: Unit, loop: int) -> None:
        """The structure as it is now, or, as a snapshot, as it was when it was last in sight."""
        place, tag = unit.position, unit._proto.tag
        before = self._seen.get(self._tag_at.get(place, tag))
        if before is not None and (before.position != place or not before.is_structure):
            before = None  # it flew away, and this is another
        self._tag_at[place] = tag
        if before is not None and before.tag != tag:
            del self._seen[before.tag]
        if before is None or not _is_unshown(unit):
            self._note(unit, loop)
        elif before.tag != tag:
            self._seen[tag] = replace(before, tag=tag)

    def _prune(self, here: set[int], loop: int, visibility: np.ndarray) -> None:
        """Drop what must be gone: structures whose place is empty, units that nobody saw for long."""
        oldest = loop - self._config["forget_units_after"] * LOOPS_PER_SECOND
        for tag, sighting in list(self._seen.items()):
            if tag in here:
                continue
            x, y = int(sighting.position.x), int(sighting.position.y)
            gone = visibility[y, x] == 2 if sighting.is_structure else sighting.loop < oldest
            if gone:
                del self._seen[tag]
        self._tag_at = {sighting.position: tag for tag, sighting in self._seen.items() if sighting.is_structure}

    def _find_start(self, visibility: np.ndarray) -> None:
        if self._known_start is not None:
            return
        halls = [s for s in self._seen.values() if s.is_structure]
        for start in self._terrain.enemy_starts:
            if any(hall.position.distance_to(start) < 15 for hall in halls):
                self._known_start = start
                return
            if visibility[int(start.y), int(start.x)] == 2:
                self._ruled_out.add(start)
        left = [start for start in self._terrain.enemy_starts if start not in self._ruled_out]
        if len(left) == 1:
            self._known_start = left[0]

    def _sum_up(self, units: list[Unit], structures: list[Unit]) -> Enemy:
        counts = Counter(sighting.type_id for sighting in self._seen.values())
        facts = self._facts
        value = sum(
            facts[t].cost.value * n for t, n in counts.items() if t.name in self._weaponless or _fights(t, facts)
        )
        return Enemy(
            units=units,
            structures=structures,
            memory=self._seen,
            army_value=float(value),
            counts=counts,
            has_air=any(s.is_flying and _is_air_threat(s, facts) for s in self._seen.values()),
            has_cloak=not CLOAKERS.isdisjoint(counts),
            start=self._known_start,
            bases=_positions(s for s in self._seen.values() if s.type_id in TOWNHALLS),
        )


def _is_known(unit: Unit) -> bool:
    return unit._proto.unit_type in KNOWN_TYPES


def _is_unshown(unit: Unit) -> bool:
    """Whether the client does not show its life: a hidden unit, or a structure that is only remembered by the client
    (on 4.10 the display type does not say so)."""
    return unit._proto.health_max <= 0


def _fights(type_id: UnitTypeId, facts: Facts) -> bool:
    fact = facts[type_id]
    return fact.is_fighter and not fact.is_structure


def _is_air_threat(sighting: Sighting, facts: Facts) -> bool:
    return not sighting.is_structure and facts[sighting.type_id].is_fighter


def _positions(sightings: Iterable[Sighting]) -> tuple[Point2, ...]:
    return tuple(sighting.position for sighting in sightings)
