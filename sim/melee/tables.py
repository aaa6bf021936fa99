"""Tables derived from the facts once a patch."""

from __future__ import annotations

from functools import cache

import numpy as np

from sim.facts import Facts, load


@cache
def by_kind(patch: str, type_id: int) -> dict[str, tuple[int, ...]]:
    """Exact ability ids of a unit type by kind, lowest first."""
    found: dict[str, tuple[int, ...]] = {}
    for ability in load(patch).abilities.values():
        if type_id in ability.casters:
            found[ability.kind] = (*found.get(ability.kind, ()), ability.id)
    return found


@cache
def types_named(patch: str, names: tuple[str, ...]) -> np.ndarray:
    """bool[n_types]: the types of these names."""
    facts = load(patch)
    mask = np.zeros(len(facts.types), bool)
    mask[[facts.ids[name] for name in names]] = True
    return mask


def producers(facts: Facts) -> np.ndarray:
    """bool[n_types]: types that train or research."""
    mask = np.zeros(len(facts.types), bool)
    for ability in facts.abilities.values():
        if ability.kind in ("train", "research"):
            mask[list(ability.casters)] = True
    return mask & (facts.types["structure"] == 1)


def counting_structures(facts: Facts) -> np.ndarray:
    """bool[n_types]: structures that keep a player in the game: no creep tumors, turrets, stasis wards or drones (their
    mark in the catalog: NoScore)."""
    return (facts.types["structure"] == 1) & (facts.types["score"] > 0)


def halls(facts: Facts) -> np.ndarray:
    """bool[n_types]: town halls, and what counts as one in the air."""
    mask = np.zeros(len(facts.types), bool)
    for hall in facts.town_halls:
        mask[list(facts.equivalents(hall))] = True
    return mask
