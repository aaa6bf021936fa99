"""What all macro managers share within one step: counts of what exists, is being made, or has been asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.unit import Unit

from bot.knowledge.facts import KNOWN_TYPES
from bot.knowledge.model import Knowledge
from bot.macro.techtree import ALIASES
from bot.sending import RESEARCH

KNOWN_UPGRADES = frozenset(upgrade.value for upgrade in UpgradeId)


class AbilityIndex:
    """Which unit type or upgrade an exact ability makes, from the client's data; built once per game.

    Types and upgrades that the client library has no name for are left out.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        data = knowledge.bot.game_data
        self.products: dict[int, UnitTypeId] = {}
        for type_id, unit in data.units.items():
            ours = type_id in KNOWN_TYPES and unit._proto.race == knowledge.bot.race.value
            if ours and unit._proto.ability_id:
                self.products.setdefault(unit._proto.ability_id, UnitTypeId(type_id))
        self.upgrades: dict[int, UpgradeId] = {
            upgrade._proto.ability_id: UpgradeId(upgrade_id)
            for upgrade_id, upgrade in data.upgrades.items()
            if upgrade._proto.ability_id and upgrade_id in KNOWN_UPGRADES
        } | {ability.value: upgrade for upgrade, ability in RESEARCH.items()}


@dataclass(slots=True)
class Context:
    """Counts of one step. `exists` and `ready` by aliased type; `making` counts units in production queues."""

    knowledge: Knowledge
    index: AbilityIndex
    exists: Counter[UnitTypeId] = field(default_factory=Counter)
    ready: Counter[UnitTypeId] = field(default_factory=Counter)
    making: Counter[UnitTypeId] = field(default_factory=Counter)
    researching: set[UpgradeId] = field(default_factory=set)

    def total(self, kind: UnitTypeId) -> int:
        """Existing (unfinished structures too) and in production."""
        return self.exists[kind] + self.making[kind]


def count(knowledge: Knowledge, index: AbilityIndex) -> Context:
    """Count everything once per step."""
    context = Context(knowledge, index)
    for kind, units in knowledge.own.by_type.items():
        alias = ALIASES.get(kind, kind)
        context.exists[alias] += len(units)
        context.ready[alias] += sum(unit.is_ready for unit in units)
    for structure in knowledge.own.structures:
        _count_orders(structure, index, context)
    return context


def _count_orders(structure: Unit, index: AbilityIndex, context: Context) -> None:
    addon = context.knowledge.own.by_tag.get(structure.add_on_tag)
    for order in structure._proto.orders:
        product = index.products.get(order.ability_id)
        if product is not None:
            # An add-on that goes up is a structure already.
            context.making[product] += addon is None or addon.type_id is not product
            continue
        upgrade = index.upgrades.get(order.ability_id)
        if upgrade is not None:
            context.researching.add(upgrade)
