"""Structures beyond the opening: what the plan counts as missing, and defences of bases."""

from __future__ import annotations

from sc2.ids.unit_typeid import UnitTypeId
from sc2.position import Point2

from bot.config import load
from bot.knowledge.facts import Cost
from bot.macro.bank import Bank
from bot.macro.construction import Construction, until_allowed
from bot.macro.context import Context
from bot.macro.placement import bunker_spot, turret_spot
from bot.macro.techtree import CONSTRUCTED
from bot.strategy.plan import Plan

PRODUCTION = frozenset({UnitTypeId.BARRACKS, UnitTypeId.FACTORY, UnitTypeId.STARPORT})
AHEAD = 60
"""Loops before a requirement stands in which its follower is already asked for."""


def request_tech(bank: Bank, context: Context, plan: Plan, construction: Construction) -> Bank:
    """First of each kind and all that is not production: worth saving for, unless the army is behind."""
    return _request(bank, context, plan, construction, save=True)


def request_more(bank: Bank, context: Context, plan: Plan, construction: Construction) -> Bank:
    """More production once units leave money over."""
    return _request(bank, context, plan, construction, save=False)


def _request(bank: Bank, context: Context, plan: Plan, construction: Construction, *, save: bool) -> Bank:
    knowledge = context.knowledge
    for kind, wanted in plan.structures.items():
        if kind not in CONSTRUCTED or kind in (UnitTypeId.BUNKER, UnitTypeId.MISSILETURRET):
            continue
        have = context.exists[kind] + construction.pending(kind)
        first = kind not in PRODUCTION or have == 0
        if have >= wanted or first is not save or construction.pending(kind) >= (1 if save else 2):
            continue
        if until_allowed(kind, knowledge) > AHEAD:
            continue
        price = knowledge.facts.cost(kind)
        cost = Cost(price.minerals, price.gas)
        if (save and not plan.army_first) or bank.affords(cost):
            construction.request(kind)
            bank = bank.pay(cost)
    return bank


def request_gas(bank: Bank, context: Context, plan: Plan, construction: Construction) -> Bank:
    """Refineries, one at a time, at bases without enemy fighters."""
    knowledge, pending = context.knowledge, construction.pending(UnitTypeId.REFINERY)
    safe = [base for base in knowledge.bases if base.townhall.is_ready and not knowledge.is_threatened(base)]
    free = sum(len(base.geysers) - len(base.refineries) for base in safe)
    if not pending and free > 0 and context.exists[UnitTypeId.REFINERY] < plan.refineries:
        construction.request(UnitTypeId.REFINERY)
    return bank


def request_defences(bank: Bank, context: Context, plan: Plan, construction: Construction) -> Bank:
    """Bunkers in front of the outermost base and a turret at each mineral line, as many as the plan says."""
    knowledge = context.knowledge
    for kind in (UnitTypeId.BUNKER, UnitTypeId.MISSILETURRET):
        have = context.exists[kind] + construction.pending(kind)
        wanted = plan.structures.get(kind, 0)
        if have >= wanted or construction.pending(kind) or until_allowed(kind, knowledge) > 0:
            continue
        cost = knowledge.facts.cost(kind)
        if not bank.affords(Cost(cost.minerals, 0)):
            continue
        spot = _defence_spot(kind, context)
        if spot is not None:
            construction.request(kind, spot)
            bank = bank.pay(Cost(cost.minerals, 0))
    return bank


def _defence_spot(kind: UnitTypeId, context: Context) -> Point2 | None:
    """Where the next one is missing most."""
    knowledge = context.knowledge
    bases = [base for base in knowledge.bases if base.townhall.is_ready and base.minerals]
    if kind is UnitTypeId.MISSILETURRET:
        turrets = [turret.position for turret in knowledge.own.of(kind)]
        guards = [sum(place.distance_to(base.site.position) < 12 for place in turrets) for base in bases]
        most = load("placement")["turret"]["most_per_base"]
        fewest = min(guards, default=most)
        return turret_spot(bases[guards.index(fewest)]) if fewest < most else None
    # Where only the main is left or built yet: beside the way in, near enough to cover the mineral line.
    outer = [base for base in bases if base.site.position != knowledge.terrain.start] or bases
    base = min(outer, key=lambda b: b.site.enemy_distance, default=None)
    return bunker_spot(base, knowledge.terrain) if base is not None else None
