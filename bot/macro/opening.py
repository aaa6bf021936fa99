"""Carries out the build order: the spender of its open steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.position import Point2

from bot.knowledge.facts import Cost
from bot.macro.bank import Bank
from bot.macro.build_order import TRAINED_AT, Step, Verb, is_over, open_steps
from bot.macro.construction import Construction
from bot.macro.context import Context
from bot.macro.placement import bunker_spot
from bot.macro.tech import RESEARCHED_AT
from bot.orders import Build, Order, Research, Train

LATEST = 330.0
"""Seconds after which no opening is followed: something went wrong with it."""


class Opening:
    """Walks one build order. Morphs of town halls are left to `townhalls`, which sees the same plan."""

    def __init__(self, steps: Sequence[Step], construction: Construction) -> None:
        self.steps = steps
        self._construction = construction
        self._begun: dict[Step, int] = {}
        """What is lost vanishes from the counts: a step once begun stays begun, the plan rebuilds what it wants."""
        self._over = False
        self.held: set[int] = set()
        """Structures that wait for an add-on: they must not begin another unit."""

    def is_over(self, context: Context) -> bool:
        """Whether everything has been begun, or the time of openings is past; once over, it stays over."""
        if not self._over:
            late = context.knowledge.seconds > LATEST
            self._over = late or is_over(self.steps, lambda step: self._count(step, context))
        return self._over

    def orbitals_wanted(self, context: Context) -> int:
        """How many Orbital Commands the opening has asked for so far."""
        supply = context.knowledge.supply_used
        return sum(step.verb is Verb.MORPH and step.at <= supply for step in self.steps)

    def spend(self, bank: Bank, context: Context) -> tuple[Bank, list[Order]]:
        """Units, add-ons and upgrades of the open steps, up to the first structure that is still being saved for."""
        orders: list[Order] = []
        used: set[int] = set()
        self.held.clear()
        unpaid = Counter(job.product for job in self._construction.jobs if not job.paid)
        del unpaid[UnitTypeId.SUPPLYDEPOT]
        for step in self.steps:
            saved_for = step.verb is Verb.BUILD and self._made(step, context) - unpaid[step.product] < step.number
            if step.at > context.knowledge.supply_used or (saved_for and unpaid[step.product]):
                break
            if step.verb in (Verb.TRAIN, Verb.ADDON, Verb.RESEARCH) and self._count(step, context) < step.number:
                bank, order = self._order(step, bank, context, used)
                orders += order
        return bank, orders

    def request(self, bank: Bank, context: Context) -> tuple[Bank, list[Order]]:
        """Requests for the structures of the open steps, in order, until one has to be saved for."""
        for step in self._open(context):
            if bank.minerals <= 0:
                break
            if step.verb is Verb.BUILD:
                cost = context.knowledge.facts.cost(step.product)
                bank = bank.pay(Cost(cost.minerals, cost.gas))
                self._request(step, context)
        return bank, []

    def _open(self, context: Context) -> tuple[Step, ...]:
        return open_steps(self.steps, context.knowledge.supply_used, lambda step: self._count(step, context))

    def _count(self, step: Step, context: Context) -> int:
        if self._begun.get(step, 0) >= step.number:
            return step.number
        if step.verb is Verb.RESEARCH:
            begun = step.product in context.knowledge.upgrades or step.product in context.researching
            count = step.number if begun else 0
        elif step.verb is Verb.MORPH:
            morphed = len(context.knowledge.own.of(step.product))
            count = morphed + context.making[step.product]
        else:
            count = self._made(step, context)
        if count >= step.number:
            self._begun[step] = step.number
        return count

    def _made(self, step: Step, context: Context) -> int:
        """How many of the step's product there are, are being made or have been asked for."""
        count = context.exists[step.product] + context.making[step.product]
        count += self._construction.pending(step.product)
        return count - (step.product is UnitTypeId.COMMANDCENTER)  # without the one we start with

    def _request(self, step: Step, context: Context) -> None:
        near: Point2 | None = None
        knowledge = context.knowledge
        if step.near == "natural":
            base = next((b for b in knowledge.bases if b.site.position == knowledge.terrain.natural.position), None)
            if base is None:
                return
            near = bunker_spot(base, knowledge.terrain)
        self._construction.request(step.product, near)

    def _order(self, step: Step, bank: Bank, context: Context, used: set[int]) -> tuple[Bank, list[Order]]:
        """An add-on, a unit or an upgrade from the first structure that is free for it."""
        knowledge = context.knowledge
        if isinstance(step.product, UpgradeId):
            place, cost = RESEARCHED_AT[step.product], knowledge.facts.upgrade_cost(step.product)
        elif step.verb is Verb.ADDON:
            place, cost = step.on, knowledge.facts.cost(step.product)
        else:
            place, cost = TRAINED_AT[step.product], knowledge.facts.cost(step.product)
        free = [s for s in knowledge.own.ready(place) if s.tag not in used]
        if step.verb is Verb.ADDON:
            free = [s for s in free if not s.add_on_tag]
            self.held.update(s.tag for s in free[:1])
            free = free[:1]
        free = [s for s in free if s.is_idle]
        if not free:
            return bank, []
        used.add(free[0].tag)
        if not bank.affords(cost):
            return bank.pay(cost), []
        bank = bank.pay(cost)
        if step.verb is Verb.RESEARCH:
            return bank, [Research(free[0].tag, upgrade=step.product)]
        if step.verb is Verb.ADDON:
            return bank, [Build(free[0].tag, None, product=step.product)]
        return bank, [Train(free[0].tag, product=step.product)]
