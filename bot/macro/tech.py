"""Add-ons and upgrades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sc2.ids.unit_typeid import UnitTypeId
from sc2.ids.upgrade_id import UpgradeId
from sc2.unit import Unit

from bot.knowledge.model import Knowledge
from bot.macro.bank import Bank
from bot.macro.context import Context
from bot.orders import Build, Order, Research
from bot.strategy.plan import Plan

BARRACKS_LAB = UnitTypeId.BARRACKSTECHLAB
FACTORY_LAB, STARPORT_LAB = UnitTypeId.FACTORYTECHLAB, UnitTypeId.STARPORTTECHLAB
ENGINEERING = UnitTypeId.ENGINEERINGBAY
ARMORY = UnitTypeId.ARMORY

RESEARCHED_AT: Mapping[UpgradeId, UnitTypeId] = {
    UpgradeId.STIMPACK: BARRACKS_LAB,
    UpgradeId.SHIELDWALL: BARRACKS_LAB,
    UpgradeId.PUNISHERGRENADES: BARRACKS_LAB,
    UpgradeId.TERRANINFANTRYWEAPONSLEVEL1: ENGINEERING,
    UpgradeId.TERRANINFANTRYWEAPONSLEVEL2: ENGINEERING,
    UpgradeId.TERRANINFANTRYWEAPONSLEVEL3: ENGINEERING,
    UpgradeId.TERRANINFANTRYARMORSLEVEL1: ENGINEERING,
    UpgradeId.TERRANINFANTRYARMORSLEVEL2: ENGINEERING,
    UpgradeId.TERRANINFANTRYARMORSLEVEL3: ENGINEERING,
    UpgradeId.HISECAUTOTRACKING: ENGINEERING,
    UpgradeId.TERRANVEHICLEWEAPONSLEVEL1: ARMORY,
    UpgradeId.TERRANVEHICLEWEAPONSLEVEL2: ARMORY,
    UpgradeId.TERRANVEHICLEWEAPONSLEVEL3: ARMORY,
    UpgradeId.TERRANVEHICLEANDSHIPARMORSLEVEL1: ARMORY,
    UpgradeId.TERRANVEHICLEANDSHIPARMORSLEVEL2: ARMORY,
    UpgradeId.TERRANVEHICLEANDSHIPARMORSLEVEL3: ARMORY,
    UpgradeId.TERRANSHIPWEAPONSLEVEL1: ARMORY,
    UpgradeId.TERRANSHIPWEAPONSLEVEL2: ARMORY,
    UpgradeId.TERRANSHIPWEAPONSLEVEL3: ARMORY,
    UpgradeId.TERRANBUILDINGARMOR: ENGINEERING,
    UpgradeId.HIGHCAPACITYBARRELS: FACTORY_LAB,
    UpgradeId.DRILLCLAWS: FACTORY_LAB,
    UpgradeId.SMARTSERVOS: FACTORY_LAB,
    UpgradeId.CYCLONELOCKONDAMAGEUPGRADE: FACTORY_LAB,
    UpgradeId.BANSHEECLOAK: STARPORT_LAB,
    UpgradeId.BANSHEESPEED: STARPORT_LAB,
    UpgradeId.INTERFERENCEMATRIX: STARPORT_LAB,
    UpgradeId.PERSONALCLOAKING: UnitTypeId.GHOSTACADEMY,
    UpgradeId.BATTLECRUISERENABLESPECIALIZATIONS: UnitTypeId.FUSIONCORE,
    UpgradeId.LIBERATORAGRANGEUPGRADE: UnitTypeId.FUSIONCORE,
    UpgradeId.MEDIVACCADUCEUSREACTOR: UnitTypeId.FUSIONCORE,
}
"""Where each upgrade is researched."""

ADDONS: Mapping[UnitTypeId, tuple[UnitTypeId, UnitTypeId]] = {
    UnitTypeId.BARRACKS: (UnitTypeId.BARRACKSTECHLAB, UnitTypeId.BARRACKSREACTOR),
    UnitTypeId.FACTORY: (UnitTypeId.FACTORYTECHLAB, UnitTypeId.FACTORYREACTOR),
    UnitTypeId.STARPORT: (UnitTypeId.STARPORTTECHLAB, UnitTypeId.STARPORTREACTOR),
}
"""(tech lab, reactor) of each production structure."""


def missing_before(upgrade: UpgradeId, knowledge: Knowledge) -> bool:
    """Whether an earlier level of the same upgrade, or the Armory that levels 2 and 3 need, is missing."""
    name = upgrade.name
    if name[-1] not in "23":
        return False
    earlier = UpgradeId[f"{name[:-1]}{int(name[-1]) - 1}"]
    needs_armory = RESEARCHED_AT[upgrade] is ENGINEERING
    return earlier not in knowledge.upgrades or (needs_armory and not knowledge.own.ready(ARMORY))


def spend_on_upgrades(
    bank: Bank, context: Context, upgrades: Sequence[UpgradeId], issued: Mapping[UpgradeId, int]
) -> tuple[Bank, list[Order]]:
    """Research upgrades in order wherever a structure is free.

    Of each free structure the first upgrade that could start but for its price is saved for; `issued` are upgrades
    ordered in the last moments (upgrade -> loop) that the observation does not show yet.
    """
    knowledge = context.knowledge
    orders: list[Order] = []
    used: set[int] = set()
    for upgrade in upgrades:
        if upgrade in knowledge.upgrades or upgrade in context.researching or upgrade in issued:
            continue
        place = RESEARCHED_AT.get(upgrade)
        if place is None or missing_before(upgrade, knowledge):
            continue
        free = [s for s in knowledge.own.ready(place) if s.is_idle and s.tag not in used]
        if not free:
            continue
        cost = knowledge.facts.upgrade_cost(upgrade)
        used.add(free[0].tag)
        if bank.affords(cost):
            orders.append(Research(free[0].tag, upgrade=upgrade))
        bank = bank.pay(cost)
    return bank, orders


def spend_on_addons(bank: Bank, context: Context, plan: Plan) -> tuple[Bank, list[Order]]:
    """Give each idle production structure without an add-on the one that the plan's numbers lack."""
    knowledge = context.knowledge
    orders: list[Order] = []
    have = {addon: context.exists[addon] for pair in ADDONS.values() for addon in pair}
    for kind, (techlab, reactor) in ADDONS.items():
        for structure in knowledge.own.ready(kind):
            if structure.add_on_tag or not structure.is_idle or is_under_fire(structure, knowledge):
                continue
            addon = next((a for a in (techlab, reactor) if have[a] < plan.structures.get(a, 0)), None)
            if addon is None:
                continue
            have[addon] += 1
            cost = knowledge.facts.cost(addon)
            if bank.affords(cost):
                orders.append(Build(structure.tag, None, product=addon))
            bank = bank.pay(cost)
    return bank, orders


def is_under_fire(structure: Unit, knowledge: Knowledge) -> bool:
    """Whether enemies are close: no time for an add-on."""
    return any(threat.position.distance_to(structure.position) < 12 for threat in knowledge.threats)
