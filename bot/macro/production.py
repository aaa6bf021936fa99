"""Production structures never stand idle: what each one trains follows the plan's composition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.model import Knowledge
from bot.macro.bank import Bank
from bot.macro.context import Context
from bot.orders import Cast, Order, Train
from bot.strategy.plan import Plan


@dataclass(frozen=True, slots=True)
class Recipe:
    """A unit and what making it takes."""

    unit: UnitTypeId
    techlab: bool = False
    needs: UnitTypeId | None = None
    """A structure that must stand."""


RECIPES: Mapping[UnitTypeId, Sequence[Recipe]] = {
    UnitTypeId.BARRACKS: (
        Recipe(UnitTypeId.MARINE),
        Recipe(UnitTypeId.MARAUDER, techlab=True),
        Recipe(UnitTypeId.REAPER),
        Recipe(UnitTypeId.GHOST, techlab=True, needs=UnitTypeId.GHOSTACADEMY),
    ),
    UnitTypeId.FACTORY: (
        Recipe(UnitTypeId.SIEGETANK, techlab=True),
        Recipe(UnitTypeId.HELLION),
        Recipe(UnitTypeId.WIDOWMINE),
        Recipe(UnitTypeId.CYCLONE, techlab=True),
        Recipe(UnitTypeId.THOR, techlab=True, needs=UnitTypeId.ARMORY),
    ),
    UnitTypeId.STARPORT: (
        Recipe(UnitTypeId.MEDIVAC),
        Recipe(UnitTypeId.VIKINGFIGHTER),
        Recipe(UnitTypeId.LIBERATOR),
        Recipe(UnitTypeId.BANSHEE, techlab=True),
        Recipe(UnitTypeId.RAVEN, techlab=True),
        Recipe(UnitTypeId.BATTLECRUISER, techlab=True, needs=UnitTypeId.FUSIONCORE),
    ),
    UnitTypeId.GHOSTACADEMY: (Recipe(UnitTypeId.NUKE, needs=UnitTypeId.FACTORY),),
}
ARMS_AGAIN = 1200
"""Loops until an academy is asked again for a missile: nothing shows whether it still holds one (960 to build it)."""
SPECIAL = 1.0e6
"""How much the army lacks what the plan names by number."""


class Production:
    """The spender of army units."""

    def __init__(self) -> None:
        self._config = load("macro")["production"]
        self._armed: dict[int, int] = {}

    def spend(self, bank: Bank, context: Context, plan: Plan, held: Collection[int] = ()) -> tuple[Bank, list[Order]]:
        """Train on every line that is free or about to be, the dearest structures first; `held` ones are left alone."""
        orders: list[Order] = []
        counts: Counter[UnitTypeId] = Counter(
            {kind: context.total(kind) for row in RECIPES.values() for kind in (r.unit for r in row)}
        )
        lines = [
            (structure, self._free_lines(structure, context))
            for kind in (UnitTypeId.STARPORT, UnitTypeId.FACTORY, UnitTypeId.BARRACKS)
            for structure in context.knowledge.own.ready(kind)
            if structure.tag not in held and not _is_adding_on(structure)
        ]
        saved = _gas_for_specials([structure for structure, free in lines if free], counts, context, plan)
        for structure, free in lines:
            for _ in range(free):
                unit = self._choose(structure, counts, bank, saved, context, plan)
                if unit is None:
                    break
                cost = context.knowledge.facts.cost(unit)
                affordable = bank.affords(cost)
                bank = bank.pay(cost)  # if it is too dear for now, it is saved for
                counts[unit] += 1
                if affordable:
                    orders.append(Train(structure.tag, product=unit))
        bank, missiles = self._arm(bank, context, plan)
        return bank, orders + missiles

    def _arm(self, bank: Bank, context: Context, plan: Plan) -> tuple[Bank, list[Order]]:
        """Missiles in as many Ghost Academies as the plan names; an academy that holds one refuses the order."""
        knowledge, orders = context.knowledge, []
        if not plan.units.get(UnitTypeId.NUKE) or not context.ready[UnitTypeId.FACTORY]:
            return bank, orders
        price = knowledge.facts.cost(UnitTypeId.NUKE)
        for academy in knowledge.own.ready(UnitTypeId.GHOSTACADEMY)[: plan.units[UnitTypeId.NUKE]]:
            asked = self._armed.get(academy.tag, -ARMS_AGAIN)
            if academy.is_idle and knowledge.loop - asked >= ARMS_AGAIN and bank.affords(price):
                self._armed[academy.tag] = knowledge.loop
                bank = bank.pay(price)
                orders.append(Cast(academy.tag, cast=AbilityId.BUILD_NUKE, instant=True))
        return bank, orders

    def _free_lines(self, structure: Unit, context: Context) -> int:
        """How many units to start: empty lines, and those whose unit is nearly done."""
        knowledge = context.knowledge
        lines = 2 if structure.add_on_tag in knowledge.bot.reactor_tags and _addon_ready(structure, knowledge) else 1
        orders = structure._proto.orders
        ending = 0
        for order in orders[:lines]:
            product = context.index.products.get(order.ability_id)
            loops = knowledge.facts[product].build_loops if product else 400.0
            ending += (1.0 - order.progress) * loops <= self._config["queue_ahead"]
        return max(0, lines + ending - len(orders))

    def _choose(
        self,
        structure: Unit,
        counts: Counter[UnitTypeId],
        bank: Bank,
        saved: int,
        context: Context,
        plan: Plan,
    ) -> UnitTypeId | None:
        """The unit that the army lacks most of those this structure can make now; None to wait.

        `saved` gas is kept for special units.
        """
        knowledge = context.knowledge
        supply = sum(knowledge.facts.cost(u).supply * n for u, n in counts.items()) or 1.0
        best: UnitTypeId | None = None
        best_lack = -1.0
        for recipe in _possible(structure, context):
            share = plan.composition.get(recipe.unit, 0.0)
            special = counts[recipe.unit] < plan.units.get(recipe.unit, 0)
            cost = knowledge.facts.cost(recipe.unit)
            if share <= 0.0 and not special:
                continue
            if recipe.unit is UnitTypeId.MEDIVAC and counts[recipe.unit] >= self._config["medivac_most"]:
                continue
            if cost.gas > max(bank.gas - (0 if special else saved), 0) or cost.supply > bank.supply:
                continue  # gas cannot be hurried: something else meanwhile
            lack = SPECIAL if special else share / max(cost.supply * counts[recipe.unit] / supply, 0.01)
            if lack > best_lack:
                best, best_lack = recipe.unit, lack
        if best is None:
            return None
        scarce = structure.type_id is UnitTypeId.BARRACKS or best_lack >= 0.8
        return best if scarce or bank.minerals > self._config["rich"] else None


def _possible(structure: Unit, context: Context) -> list[Recipe]:
    """What a structure could make if there were money for it."""
    knowledge = context.knowledge
    techlab = structure.add_on_tag in knowledge.bot.techlab_tags and _addon_ready(structure, knowledge)
    return [
        recipe
        for recipe in RECIPES[structure.type_id]
        if (techlab or not recipe.techlab) and (recipe.needs is None or context.ready[recipe.needs])
    ]


def _gas_for_specials(free: Sequence[Unit], counts: Mapping[UnitTypeId, int], context: Context, plan: Plan) -> int:
    """Gas of the dearest special unit that one of these structures could begin: the others would never leave it."""
    missing = {unit for unit, count in plan.units.items() if counts[unit] < count}
    if not missing:
        return 0
    wanted = {recipe.unit for structure in free for recipe in _possible(structure, context)} & missing
    return max((context.knowledge.facts.cost(unit).gas for unit in wanted), default=0)


def _is_adding_on(structure: Unit) -> bool:
    return any(order.ability.id.name.startswith("BUILD_") for order in structure.orders)


def _addon_ready(structure: Unit, knowledge: Knowledge) -> bool:
    addon = knowledge.own.by_tag.get(structure.add_on_tag)
    return addon is not None and addon.is_ready
