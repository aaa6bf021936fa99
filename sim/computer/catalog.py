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
    makers = (ability for ability in facts.abilities.values() if ability.kind in PREFERRED)
    for ability in sorted(makers, key=lambda ability: (PREFERRED.index(ability.kind), ability.id)):
        is_upgrade = ability.kind == "research"
        name = facts.upgrades[ability.product].name if is_upgrade else facts.names[ability.product]
        if ability.kind == "warp":
            name = WARPED + name
        if name not in found:
            found[name] = _recipe(facts, ability, name, is_upgrade)
    return found


def _recipe(facts: Facts, ability: Ability, name: str, is_upgrade: bool) -> Recipe:
    requirement = facts.requirements.get(ability.requirement)
    return Recipe(
        name=name,
        product=ability.product,
        ability=ability.id,
        kind=ability.kind,
        casters=ability.casters,
        minerals=ability.minerals,
        gas=ability.gas,
        supply=ability.supply,
        count=ability.count,
        requirement=ability.requirement,
        addon=requirement.addon if requirement else (),
        is_upgrade=is_upgrade,
        is_gas=not is_upgrade and ability.product in facts.gas_structures,
    )
