"""Builds `Knowledge` once a step from the observation and from what was seen before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sc2.ids.unit_typeid import UnitTypeId
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.facts import KNOWN_TYPES, TOWNHALLS, Facts, in_order, recognise
from bot.knowledge.memory import EnemyMemory
from bot.knowledge.model import Base, Knowledge, Own, Threat
from bot.knowledge.terrain import read_terrain
from bot.knowledge.threats import find_threats

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI

NOT_ARMY = frozenset(
    {UnitTypeId.SCV, UnitTypeId.MULE, UnitTypeId.KD8CHARGE, UnitTypeId.NUKE, UnitTypeId.POINTDEFENSEDRONE}
)
BASES_EVERY = 16
"""Loops between two searches for our bases' resources; they change slowly."""


class Tracker:
    """Owns everything that is remembered from step to step; hands out frozen values."""

    def __init__(self, bot: BotAI) -> None:
        recognise(bot.game_data)
        self.facts = Facts(bot.game_data)
        self.terrain = read_terrain(bot)
        self.memory = EnemyMemory(self.terrain, self.facts)
        self._threat = load("knowledge")["threat"]
        self._bases: tuple[Base, ...] = ()
        self._bases_loop = -BASES_EVERY
        self._halls: set[int] = set()
        """Town halls there were at the last search; some may stand on no site, or fly."""

    def forget(self, tag: int) -> None:
        """A unit, ours or theirs, died."""
        self.memory.forget(tag)

    def update(self, bot: BotAI) -> Knowledge:
        """What we know now. Costs well under a millisecond at 200 supply a side."""
        own = group_own(bot)
        enemy = self.memory.update(bot)
        loop = bot.state.game_loop
        halls = {hall.tag for hall in own.townhalls}
        if loop - self._bases_loop >= BASES_EVERY or halls != self._halls:
            self._bases = self._find_bases(bot, own)
            self._bases_loop, self._halls = loop, halls
        else:
            self._bases = tuple(_refreshed(base, own) for base in self._bases)
        return Knowledge(
            bot=bot,
            loop=loop,
            step=bot.client.game_step,
            minerals=bot.minerals,
            gas=bot.vespene,
            supply_used=int(bot.supply_used),
            supply_cap=int(bot.supply_cap),
            own=own,
            enemy=enemy,
            threats=self._find_threats(own, (*enemy.units, *enemy.structures)),
            bases=self._bases,
            upgrades=frozenset(bot.state.upgrades),
            facts=self.facts,
            terrain=self.terrain,
            visibility=bot.state.visibility.data_numpy,
            creep=bot.state.creep.data_numpy,
        )

    def _find_threats(self, own: Own, enemies: tuple[Unit, ...]) -> tuple[Threat, ...]:
        if not enemies:
            return ()
        halls = [hall.position for hall in own.townhalls]
        near = find_threats(enemies, halls, self.facts, radius=self._threat["radius"], cluster=self._threat["cluster"])
        known = frozenset(tag for threat in near for tag in threat.tags)
        others = [unit for unit in enemies if unit.tag not in known and self.facts[unit.type_id].is_fighter]
        if not others:
            return near
        outlying = [
            s.position
            for s in own.structures
            if s.type_id is not UnitTypeId.AUTOTURRET and all(s.position.distance_to(hall) > 20 for hall in halls)
        ]
        return near + find_threats(
            others, outlying, self.facts, radius=self._threat["structure_radius"], cluster=self._threat["cluster"]
        )

    def _find_bases(self, bot: BotAI, own: Own) -> tuple[Base, ...]:
        fields = {unit.position: unit for unit in bot.mineral_field}
        geysers = {unit.position: unit for unit in bot.vespene_geyser}
        refineries = {unit.position: unit for unit in own.of(UnitTypeId.REFINERY, UnitTypeId.REFINERYRICH)}
        bases = []
        for hall in own.townhalls:
            site = None if hall.is_flying else self.terrain.site_at(hall.position)
            if site is None:
                continue
            bases.append(
                Base(
                    site=site,
                    townhall=hall,
                    minerals=tuple(fields[p] for p in site.minerals if p in fields),
                    geysers=tuple(geysers[p] for p in site.geysers if p in geysers),
                    refineries=tuple(refineries[p] for p in site.geysers if p in refineries),
                )
            )
        return tuple(sorted(bases, key=lambda base: base.site.distance))


def group_own(bot: BotAI) -> Own:
    """Our units of this step by type and role."""
    by_type: dict[UnitTypeId, list[Unit]] = {}
    by_tag: dict[int, Unit] = {}
    structures: list[Unit] = []
    army: list[Unit] = []
    structure_tags = {unit.tag for unit in bot.structures}
    for unit in in_order(bot.all_own_units):
        if unit._proto.unit_type not in KNOWN_TYPES:
            continue
        kind = unit.type_id
        by_tag[unit.tag] = unit
        by_type.setdefault(kind, []).append(unit)
        if unit.tag in structure_tags:
            structures.append(unit)
        elif kind not in NOT_ARMY:
            army.append(unit)
    return Own(
        by_tag=by_tag,
        by_type=by_type,
        workers=by_type.get(UnitTypeId.SCV, []),
        army=army,
        structures=structures,
        townhalls=[unit for kind in TOWNHALLS for unit in by_type.get(kind, ())],
    )


def _refreshed(base: Base, own: Own) -> Base:
    """The base with this step's view of its own structures."""
    hall = own.by_tag.get(base.townhall.tag, base.townhall)
    refineries = tuple(own.by_tag[r.tag] for r in base.refineries if r.tag in own.by_tag)
    return Base(base.site, hall, base.minerals, base.geysers, refineries)
