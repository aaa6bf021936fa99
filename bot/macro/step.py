"""One step of macro: count, let the managers ask, spend in order of importance, set the workers to work."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.unit import Unit

from bot.guard import Guard
from bot.knowledge.model import Knowledge
from bot.macro import needs, structures, townhalls
from bot.macro.bank import Bank
from bot.macro.build_order import openings
from bot.macro.construction import Construction
from bot.macro.context import AbilityIndex, Context, count
from bot.macro.militia import Militia, Scout
from bot.macro.opening import Opening
from bot.macro.orbital import Orbital
from bot.macro.placement import Placement
from bot.macro.production import Production
from bot.macro.repair import RepairCrew
from bot.macro.supply import Supply, lower_depots
from bot.macro.tech import spend_on_addons, spend_on_upgrades
from bot.macro.unfinished import Unfinished
from bot.macro.workers import Workers
from bot.orders import Order, Research
from bot.strategy.plan import Plan

Spent = tuple[Bank, list[Order]]
Spender = Callable[[Bank], Spent]
"""Takes the bank and returns what is left, and its orders."""
MINERALS_PER_SCV = 0.043
"""Minerals that an SCV brings per loop (58 a minute)."""
MANY_WORKERS = 24
"""From this many on, mining is looked after in every second step only."""
REPAIR_STEPS = 3
"""Damage is looked for once in so many steps."""
LAYOUTS_AT_START = 5
"""Bases whose building slots are planned in the first step; later ones when they are taken."""
ISSUED_FOR = 24
"""Loops in which an order may not show in the observation yet."""


class Macro:
    """Everything but the army. Managers share nothing but `Context`, the bank and the list of busy workers."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._workers = Workers()
        self._production = Production()
        self._orbital = Orbital()
        self._repair = RepairCrew()
        self._unfinished = Unfinished()
        self._militia = Militia()
        self._scout = Scout()
        self._construction: Construction | None = None
        self._supply: Supply | None = None
        self._opening: Opening | None = None
        self._index: AbilityIndex | None = None
        self._issued: dict[UpgradeId, int] = {}
        self._steps = 0

    async def step(self, knowledge: Knowledge, plan: Plan) -> list[Order]:
        """All of macro's orders for this step."""
        plan = self._guard.call("macro.needs", needs.complete, plan, default=plan)
        self._prepare(knowledge, plan)
        context = count(knowledge, self._index)
        if plan.rushed:
            self._construction.drop(UnitTypeId.COMMANDCENTER)
        bank = Bank(knowledge.minerals, knowledge.gas, float(knowledge.supply_left))
        orders: list[Order] = []
        for label, spender in self._spenders(context, plan):
            bank, more = self._guard.call(f"macro.{label}", spender, bank, default=(bank, []))
            orders += more
        self._remember(orders, knowledge.loop)
        orders += await self._work(knowledge, plan)
        orders += self._guard.call("macro.orbital", self._orbital.step, knowledge, default=[])
        orders += self._guard.call("macro.depots", lower_depots, knowledge, default=[])
        return orders

    def _prepare(self, knowledge: Knowledge, plan: Plan) -> None:
        if self._construction is None:
            self._index = AbilityIndex(knowledge)
            placement = Placement(knowledge.terrain)
            sites = knowledge.terrain.sites[:LAYOUTS_AT_START]
            self._guard.call("macro.layouts", placement.prepare, sites, default=None)
            self._construction = Construction(placement)
            self._supply = Supply(self._construction)
        if self._opening is None:
            known = openings()
            self._opening = Opening(known.get(plan.opening_name) or next(iter(known.values())), self._construction)

    def _spenders(self, context: Context, plan: Plan) -> list[tuple[str, Spender]]:
        """Who may spend, the most important first."""
        knowledge, construction, opening = context.knowledge, self._construction, self._opening
        over = opening.is_over(context)
        # During the opening a second base pays back sooner than a few more Marines, unless they are needed at once.
        settled = over or plan.rushed or context.exists[UnitTypeId.COMMANDCENTER] > 1
        units_first = plan.army_first and settled
        held = () if over or plan.rushed else opening.held
        waiting: set[int] = set()

        def supply(bank: Bank) -> Spent:
            self._supply.request(knowledge, not over, plan.workers > len(knowledge.own.workers))
            return bank, []

        def morphs(bank: Bank) -> Spent:
            orbitals, fortresses = (plan.orbitals, plan.fortresses) if over else (opening.orbitals_wanted(context), 0)
            bank, orders, halls = townhalls.spend_on_morphs(bank, context, orbitals, fortresses)
            waiting.update(halls)
            return bank, orders

        def scvs(bank: Bank) -> Spent:
            return townhalls.spend_on_workers(bank, context, plan.workers, waiting)

        def units(bank: Bank) -> Spent:
            return self._production.spend(bank, context, plan, held)

        def addons(bank: Bank) -> Spent:
            return spend_on_addons(bank, context, plan)

        def research(upgrades: Sequence[UpgradeId]) -> Spender:
            return lambda bank: spend_on_upgrades(bank, context, upgrades, self._issued)

        def ask(request: Callable[[Bank, Context, Plan, Construction], Bank]) -> Spender:
            """Hands jobs to construction: they are paid for from the next step on."""
            return lambda bank: (request(bank, context, plan, construction), [])

        def reserve(urgent: bool | None) -> Spender:
            """Sets aside the money of structures that were asked for before."""
            return lambda bank: (construction.reserve(bank, knowledge, _income(knowledge), urgent=urgent), [])

        key = plan.key_upgrades
        table: list[tuple[bool, str, Spender]] = [
            (True, "supply", supply),
            (True, "morphs", morphs),
            (True, "scvs", scvs),
            (not over, "opening", lambda bank: opening.spend(bank, context)),
            (True, "reserve", reserve(urgent=True if units_first else None)),
            (over and not plan.rushed, "key upgrades", research(plan.upgrades[:key])),
            (plan.rushed or plan.one_base, "defences", ask(structures.request_defences)),
            (units_first, "units", units),
            (units_first, "reserve", reserve(urgent=False)),
            (units_first and over, "addons", addons),
            (units_first and over, "more", ask(structures.request_more)),
            (not over, "opening structures", lambda bank: opening.request(bank, context)),
            (over, "defences", ask(structures.request_defences)),
            (over, "bases", ask(townhalls.request_base)),
            (over, "gas", ask(structures.request_gas)),
            (over, "tech", ask(structures.request_tech)),
            (over, "upgrades", research(plan.upgrades[key:])),
            (not units_first and over, "addons", addons),
            (not units_first, "units", units),
            (not units_first and over, "more", ask(structures.request_more)),
        ]
        return [(label, spender) for wanted, label, spender in table if wanted]

    def _remember(self, orders: list[Order], loop: int) -> None:
        self._issued = {upgrade: at for upgrade, at in self._issued.items() if loop - at < ISSUED_FOR}
        self._issued |= {order.upgrade: loop for order in orders if isinstance(order, Research)}

    async def _work(self, knowledge: Knowledge, plan: Plan) -> list[Order]:
        """SCVs: fighters, the scout, builders and menders first, everyone else mines."""
        guard, construction = self._guard, self._construction
        orders: list[Order] = []

        miners = guard.call("macro.miners", self._workers.miners, knowledge, default=[])

        def free() -> list[Unit]:
            busy = self._busy()
            return [worker for worker in miners if worker.tag not in busy]

        orders += guard.call("macro.militia", self._militia.step, knowledge, plan, free(), default=[])
        orders += guard.call("macro.scout", self._scout.step, knowledge, plan, free(), default=[])
        income = _income(knowledge)
        orders += await guard.wait("macro.construction", construction.step, knowledge, free(), income, default=[])
        resumed = guard.call("macro.unfinished", self._unfinished.step, knowledge, free(), default=[])
        orders += resumed
        if self._steps % REPAIR_STEPS == 0:
            orders += guard.call("macro.repair", self._repair.step, knowledge, free(), default=[])
        busy = self._busy() | {order.tag for order in resumed}
        self._workers.release(busy)
        self._steps += 1
        if len(knowledge.own.workers) < MANY_WORKERS or self._steps % 2:
            orders += guard.call("macro.workers", self._workers.step, knowledge, plan.gas_workers, busy, default=[])
        told = {order.tag for order in orders}
        orders += guard.call("macro.mining", self._workers.steer, knowledge, busy | told, default=[])
        return orders

    def _busy(self) -> set[int]:
        """SCVs that other managers use."""
        busy = self._construction.builders() | self._militia.tags | set(self._repair.crew)
        if self._scout.tag is not None:
            busy.add(self._scout.tag)
        return busy


def _income(knowledge: Knowledge) -> float:
    """Minerals per loop, about."""
    return MINERALS_PER_SCV * len(knowledge.own.workers)
