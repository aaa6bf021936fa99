"""How each thing is made: product by name -> ability, makers, price. Derived from the facts, the same for all races."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from sim.facts import Ability, Facts, load

PREFERRED = (
    "train",
    "build",
    "addon",
    "morph",
    "research",
    "warp",
)  # of several abilities with the same product, the earliest kind
WARPED = "warped "  # before the names of what warp gates send


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to make a unit, structure or upgrade. Prices and supply are less what it is made of."""

    name: str
    product: int  # unit type id, or upgrade id
    ability: int
    kind: str
    casters: tuple[int, ...]
    minerals: int
    gas: int
    supply: float
    count: int
    requirement: str
    addon: tuple[int, ...]  # add-on the maker must have
    is_upgrade: bool
    is_gas: bool  # stands on a geyser


@cache
def recipes(patch: str) -> dict[str, Recipe]:
    """All recipes of a patch by the product's catalog name."""
    facts = load(patch)
    found: dict[str, Recipe] = {}
    for ability in sorted(facts.abilities.values(), key=_rank):
        if not ability.product or ability.kind not in PREFERRED:
            continue
        is_upgrade = ability.kind == "research"
        name = facts.upgrades[ability.product].name if is_upgrade else facts.names[ability.product]
        if ability.kind == "warp":
            name = WARPED + name
        if name not in found:
            found[name] = _recipe(facts, ability, name, is_upgrade)
    return found


def _rank(ability: Ability) -> tuple[int, int]:
    return (PREFERRED.index(ability.kind) if ability.kind in PREFERRED else len(PREFERRED), ability.id)


def _recipe(facts: Facts, ability: Ability, name: str, is_upgrade: bool) -> Recipe:
    requirement = facts.requirements.get(ability.requirement)
    minerals, gas = ability.minerals, ability.gas
    if is_upgrade:
        minerals, gas = facts.upgrades[ability.product].minerals, facts.upgrades[ability.product].gas
    return Recipe(
        name=name,
        product=ability.product,
        ability=ability.id,
        kind=ability.kind,
        casters=ability.casters,
        minerals=minerals,
        gas=gas,
        supply=0.0 if is_upgrade else ability.supply,
        count=ability.count,
        requirement=ability.requirement,
        addon=requirement.addon if requirement else (),
        is_upgrade=is_upgrade,
        is_gas=not is_upgrade and ability.product in facts.gas_structures,
    )
