"""What stands behind a wish: the structures and add-ons that units take, and those that these take in turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sc2.ids.unit_typeid import UnitTypeId

from bot.macro.production import RECIPES
from bot.macro.tech import ADDONS
from bot.macro.techtree import REQUIRES
from bot.strategy.plan import Plan

ALWAYS = frozenset({UnitTypeId.COMMANDCENTER, UnitTypeId.SUPPLYDEPOT})
"""Others see to these."""


def structures_for(units: Iterable[UnitTypeId]) -> dict[UnitTypeId, int]:
    """One of each structure that these units take."""
    needed: dict[UnitTypeId, int] = {}
    for unit in units:
        for producer, recipes in RECIPES.items():
            recipe = next((r for r in recipes if r.unit is unit), None)
            if recipe is None:
                continue
            todo = [producer] + ([recipe.needs] if recipe.needs is not None else [])
            if recipe.techlab:
                needed[ADDONS[producer][0]] = 1
            while todo:
                kind = todo.pop()
                needed[kind] = 1
                if kind in REQUIRES:
                    todo.append(REQUIRES[kind])
    return {kind: count for kind, count in needed.items() if kind not in ALWAYS}


def complete(plan: Plan) -> Plan:
    """The plan with the structures that its special units take, and one more building where add-ons would not fit."""
    if not plan.units:
        return plan
    structures: dict[UnitTypeId, int] = dict(plan.structures)
    for kind, count in structures_for(plan.units).items():
        structures[kind] = max(structures.get(kind, 0), count)
    for producer, addons in ADDONS.items():
        if producer in structures:
            structures[producer] = max(structures[producer], sum(structures.get(addon, 0) for addon in addons))
    return replace(plan, structures=structures)
