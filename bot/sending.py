"""From orders to the client: which of all stages' orders count, which of these are new, one request for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2
from sc2.unit import Unit
from sc2.unit_command import UnitCommand

from bot.orders import Build, Cast, Morph, Order, Research, Target, Train, is_exclusive

if TYPE_CHECKING:
    from sc2.bot_ai import BotAI

SAME_POINT = 0.25
"""Two points closer than this (cells) are one target: asking for it again would only restart the unit's path."""
FORMS = {
    (UnitTypeId.SIEGETANKSIEGED.value, AbilityId.SIEGEMODE_SIEGEMODE.value),
    (UnitTypeId.LIBERATORAG.value, AbilityId.LIBERATORMORPHTOAG_LIBERATORAGMODE.value),
    (UnitTypeId.LIBERATORAG.value, AbilityId.MORPH_LIBERATORAGMODE.value),
}
"""(type, ability): what made a unit's form stands before its orders as long as it has that form."""
RESEARCH = {
    UpgradeId[f"TERRANVEHICLEANDSHIPARMORSLEVEL{level}"]: AbilityId[
        f"ARMORYRESEARCH_TERRANVEHICLEANDSHIPPLATINGLEVEL{level}"
    ]
    for level in (1, 2, 3)
}
"""Upgrades for which the game's own data names abilities that no structure has (2297 to 2299, 5.0.14 and 4.10)."""


def resolve(stages: Sequence[Iterable[Order]]) -> list[Order]:
    """The orders that count, unit by unit in the order in which units first appear.

    `stages` are in rising precedence: the first unqueued exclusive order of a later stage throws away what earlier
    stages wanted of that unit; within one stage a later unqueued order replaces an earlier one too. Orders that are
    not exclusive all survive, those of one unit before its exclusive chain.
    """
    chains: dict[int, list[Order]] = {}
    extras: dict[int, list[Order]] = {}
    for stage in stages:
        for order in stage:
            chain = chains.setdefault(order.tag, [])
            if not is_exclusive(order):
                extras.setdefault(order.tag, []).append(order)
            elif order.queue:
                chain.append(order)
            else:
                chain[:] = [order]
    return [order for tag, chain in chains.items() for order in (*extras.get(tag, ()), *chain)]


def ability_of(order: Order, bot: BotAI) -> AbilityId | None:
    """The ability that carries the order out, by the client's own data; None if the client does not know it."""
    if isinstance(order, Cast):
        return order.cast
    if isinstance(order, Research):
        if order.upgrade in RESEARCH:
            return RESEARCH[order.upgrade]
        data = bot.game_data.upgrades.get(order.upgrade.value)
        return data.research_ability.exact_id if data and data.research_ability else None
    if isinstance(order, Train | Build | Morph):
        data = bot.game_data.units.get(order.product.value)
        return data.creation_ability.exact_id if data and data.creation_ability else None
    return order.ability


def current_order(unit: Any) -> Any:
    """The order that a unit (of the protocol) carries out, None without: what made its form is none."""
    orders = unit.orders
    if not orders:
        return None
    first = orders[0]
    if (unit.unit_type, first.ability_id) not in FORMS:
        return first
    return orders[1] if len(orders) > 1 else None


def is_doing(unit: Unit, ability: AbilityId, target: Target, bot: BotAI) -> bool:
    """Whether the unit's current order already is this ability on this target."""
    current = current_order(unit._proto)
    if current is None:
        return False
    if current.ability_id != ability.value and _general(current.ability_id, bot) != _general(ability.value, bot):
        return False
    if target is None:
        return True
    if isinstance(target, int):
        return current.target_unit_tag == target
    if not current.HasField("target_world_space_pos"):
        return False
    point = current.target_world_space_pos
    return abs(point.x - target[0]) < SAME_POINT and abs(point.y - target[1]) < SAME_POINT


def commands(orders: Sequence[Order], bot: BotAI) -> list[UnitCommand]:
    """Turn resolved orders into burnysc2 commands, without those for units that are gone or already obey.

    An order whose unit or target unit is not in the present observation is dropped silently: it died this step.
    """
    if not orders:
        return []
    units = {unit.tag: unit for unit in bot.all_units}
    result: list[UnitCommand] = []
    restarted: set[int] = set()
    for order in orders:
        unit = units.get(order.tag)
        ability = ability_of(order, bot)
        if unit is None or ability is None:
            continue
        target: Unit | Point2 | None = None
        if isinstance(order.target, int):
            target = units.get(order.target)
            if target is None:
                continue
        elif order.target is not None:
            target = Point2(order.target)
        if is_exclusive(order):
            if order.queue:
                # A queued order is new only behind a first order that is new.
                if order.tag not in restarted and current_order(unit._proto):
                    continue
            elif is_doing(unit, ability, order.target, bot):
                continue
            else:
                restarted.add(order.tag)
        result.append(UnitCommand(ability, unit, target, order.queue))
    return result


async def send(stages: Sequence[Iterable[Order]], bot: BotAI) -> list[UnitCommand]:
    """Issue the orders of all stages (rising precedence) in one request; the commands that were sent."""
    issued = commands(resolve(stages), bot)
    if issued:
        await bot.client.actions(issued)
    return issued


def _general(ability: int, bot: BotAI) -> int:
    """The general ability an exact one stands for (Attack for ATTACK_ATTACK), or itself."""
    data = bot.game_data.abilities.get(ability)
    return (data._proto.remaps_to_ability_id or ability) if data else ability
