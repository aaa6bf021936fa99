"""What town halls do: SCVs without a pause, Orbital Commands and Planetary Fortresses, new bases."""

from __future__ import annotations

from collections.abc import Collection

from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId
from sc2.unit import Unit

from bot.config import load
from bot.knowledge.facts import Cost
from bot.macro.bank import Bank
from bot.macro.construction import Construction
from bot.macro.context import Context
from bot.orders import Morph, Order, Train
from bot.strategy.plan import Plan

GROUNDED = (UnitTypeId.COMMANDCENTER, UnitTypeId.ORBITALCOMMAND, UnitTypeId.PLANETARYFORTRESS)
MORPHS = (UnitTypeId.ORBITALCOMMAND, UnitTypeId.PLANETARYFORTRESS)
WAIT = 60
"""Loops that a Command Center waits for the Barracks rather than begin an SCV of 272."""
SCV_AHEAD = 10
"""Loops before the end of an SCV in which the next one is put behind it."""


def spend_on_morphs(bank: Bank, context: Context, orbitals: int, fortresses: int) -> tuple[Bank, list[Order], set[int]]:
    """Morph Command Centers until there are so many Orbital Commands and, after them, Planetary Fortresses.

    The third value are the tags of those that morph next: they must not begin another SCV.
    """
    own = context.knowledge.own
    orders: list[Order] = []
    waiting: set[int] = set()
    have_orbitals = len(own.of(UnitTypeId.ORBITALCOMMAND, UnitTypeId.ORBITALCOMMANDFLYING))
    have_orbitals += context.making[UnitTypeId.ORBITALCOMMAND]
    have_forts = len(own.of(UnitTypeId.PLANETARYFORTRESS)) + context.making[UnitTypeId.PLANETARYFORTRESS]
    for hall in own.ready(UnitTypeId.COMMANDCENTER):
        if _is_morphing(hall, context):  # counted above
            waiting.add(hall.tag)
            continue
        product = _next_morph(context, have_orbitals < orbitals, have_forts < fortresses)
        if product is None:
            break
        cost = context.knowledge.facts.cost(product)
        waiting.add(hall.tag)
        if not hall.orders:
            if bank.affords(cost):
                orders.append(Morph(hall.tag, product=product))
            bank = bank.pay(cost)
        have_orbitals += product is UnitTypeId.ORBITALCOMMAND
        have_forts += product is UnitTypeId.PLANETARYFORTRESS
    return bank, orders, waiting


def _next_morph(context: Context, orbital: bool, fortress: bool) -> UnitTypeId | None:
    if orbital and (context.ready[UnitTypeId.BARRACKS] or _nearly(UnitTypeId.BARRACKS, context)):
        return UnitTypeId.ORBITALCOMMAND
    if fortress and context.ready[UnitTypeId.ENGINEERINGBAY]:
        return UnitTypeId.PLANETARYFORTRESS
    return None


def _is_morphing(hall: Unit, context: Context) -> bool:
    return any(context.index.products.get(order.ability_id) in MORPHS for order in hall._proto.orders)


def _nearly(kind: UnitTypeId, context: Context) -> bool:
    """Whether the first of a kind is done before an SCV begun now would be."""
    loops = context.knowledge.facts[kind].build_loops
    left = [(1.0 - unit.build_progress) * loops for unit in context.knowledge.own.of(kind)]
    return bool(left) and min(left) < WAIT


def spend_on_workers(bank: Bank, context: Context, wanted: int, morphing: Collection[int]) -> tuple[Bank, list[Order]]:
    """An SCV in every town hall, up to the number wanted. Those about to morph (`morphing`) are left free."""
    knowledge = context.knowledge
    cost = knowledge.facts.cost(UnitTypeId.SCV)
    missing = wanted - context.total(UnitTypeId.SCV)
    loops = knowledge.facts[UnitTypeId.SCV].build_loops
    orders: list[Order] = []
    for hall in knowledge.own.ready(*GROUNDED):
        if missing <= 0 or not bank.affords(cost):
            break
        if hall.tag in morphing or not _wants_worker(hall, loops):
            continue
        orders.append(Train(hall.tag, product=UnitTypeId.SCV))
        bank = bank.pay(cost)
        missing -= 1
    return bank, orders


def _wants_worker(hall: Unit, loops: float) -> bool:
    """The hall is idle, or almost done with its SCV; the attack that a firing fortress shows is no work."""
    orders = [order for order in hall._proto.orders if order.ability_id != AbilityId.ATTACK_ATTACK.value]
    if not orders:
        return True
    return len(orders) == 1 and (1.0 - orders[0].progress) * loops <= SCV_AHEAD


def request_base(bank: Bank, context: Context, plan: Plan, construction: Construction) -> Bank:
    """Ask for the next town hall, one at a time. While the army is behind, only with money that units leave over."""
    halls = context.exists[UnitTypeId.COMMANDCENTER]
    unfinished = halls - context.ready[UnitTypeId.COMMANDCENTER]
    most = load("macro")["expansion"]["most_at_once"]
    if halls >= plan.bases or unfinished >= most or construction.pending(UnitTypeId.COMMANDCENTER):
        return bank
    cost = context.knowledge.facts.cost(UnitTypeId.COMMANDCENTER)
    price = Cost(cost.minerals, cost.gas)
    if plan.army_first and halls >= 2 and not bank.affords(price):
        return bank
    construction.request(UnitTypeId.COMMANDCENTER)
    return bank.pay(price)
