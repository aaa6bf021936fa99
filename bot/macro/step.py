"""One step of macro: count, let the managers ask, spend in order of importance, set the workers to work."""

from __future__ import annotations

from collections.abc import Callable

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

    def _spenders(self, context: Context, plan: Plan) -> list[tuple[str, Callable]]:
        """Who may spend, the most important first; each takes the bank and returns what is left."""
        construction, opening = self._construction, self._opening
        income = _income(context.knowledge)
        over = opening.is_over(context)
        held = () if over or plan.rushed else opening.held
        workers_wanted = plan.workers > len(context.knowledge.own.workers)
        orbitals = plan.orbitals if over else opening.orbitals_wanted(context)
        fortresses = plan.fortresses if over else 0
        # During the opening a second base pays back sooner than a few more Marines, unless they are needed at once.
        settled = over or plan.rushed or context.exists[UnitTypeId.COMMANDCENTER] > 1
        units_first = plan.army_first and settled
        waiting: set[int] = set()

        def ask(request: Callable, *args: object) -> Callable[[Bank], tuple[Bank, list[Order]]]:
            """A manager that only hands jobs to construction: they are paid for from the next step on."""

            def spender(bank: Bank) -> tuple[Bank, list[Order]]:
                request(*args)
                return bank, []

            return spender

        def reserve(urgent: bool | None) -> tuple[str, Callable]:
            """The money of structures that were asked for before."""
            return "reserve", lambda bank: (construction.reserve(bank, context.knowledge, income, urgent=urgent), [])

        def morph(bank: Bank) -> tuple[Bank, list[Order]]:
            bank, more, halls = townhalls.spend_on_morphs(bank, context, orbitals, fortresses)
            waiting.update(halls)
            return bank, more

        def scvs(bank: Bank) -> tuple[Bank, list[Order]]:
            return townhalls.spend_on_workers(bank, context, plan.workers, frozenset(waiting))

        spenders: list[tuple[str, Callable]] = [
            ("supply", ask(self._supply.request, context.knowledge, not over, workers_wanted)),
            ("morphs", morph),
            ("scvs", scvs),
            ("opening", lambda bank: (bank, []) if over else opening.spend(bank, context)),
            reserve(urgent=True if units_first else None),
        ]
        key, later = plan.upgrades[: plan.key_upgrades], plan.upgrades[plan.key_upgrades :]
        keys = ("key upgrades", lambda bank: spend_on_upgrades(bank, context, key, self._issued))
        upgrades = ("upgrades", lambda bank: spend_on_upgrades(bank, context, later, self._issued))
        units = ("units", lambda bank: self._production.spend(bank, context, plan, held))
        addons = ("addons", lambda bank: spend_on_addons(bank, context, plan))
        if over and not plan.rushed:
            spenders.append(keys)
        more = ("more", lambda bank: (structures.request_more(bank, context, plan, construction), []))
        defences = ("defences", lambda bank: (structures.request_defences(bank, context, plan, construction), []))
        if plan.rushed:
            construction.drop(UnitTypeId.COMMANDCENTER)
        if plan.rushed or plan.one_base:
            spenders.append(defences)
        if units_first:
            spenders += [units, reserve(urgent=False), addons, more] if over else [units, reserve(urgent=False)]
        if not over:
            spenders.append(("opening structures", lambda bank: opening.request(bank, context)))
        else:
            spenders += [
                defences,
                ("bases", lambda bank: (townhalls.request_base(bank, context, plan, construction), [])),
                ("gas", ask(structures.request_gas, context, plan, construction)),
                ("tech", lambda bank: (structures.request_tech(bank, context, plan, construction), [])),
            ]
        if over:
            spenders.append(upgrades)
        if not units_first:
            spenders += [addons, units, more] if over else [units]
        return spenders

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
