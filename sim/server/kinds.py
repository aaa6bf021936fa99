"""Kinds of unit types as tables by type id, so that whole columns of units are sorted at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from sim.facts import load

# Radius within which a sensor tower feels units in the fog, cells, by patch (30 at first, 27 in 5.0.11, 22 from 5.0.14
# on, with the price of 100/50: what players say of the patches; 27 is in an observation of 5.0.11).
RADAR = {"4.10.0": 30.0, "5.0.14": 22.0}


@dataclass(frozen=True, eq=False)
class Kinds:
    """bool [types] each, but `resource` (0 none, 1 minerals, 2 gas; uint8) and `radar` (cells; float32)."""

    worker: np.ndarray
    hall: np.ndarray
    gas: np.ndarray
    mineral: np.ndarray
    warp_gate: np.ndarray
    resource: np.ndarray
    radar: np.ndarray


@cache
def kinds(patch: str) -> Kinds:
    """The tables of one patch."""
    facts = load(patch)
    size = len(facts.types)

    def table(ids: Iterable[int]) -> np.ndarray:
        found = np.zeros(size, bool)
        found[list(ids)] = True
        return found

    mineral, gas = table(facts.minerals), table(facts.gas_structures)
    radar = np.zeros(size, np.float32)
    radar[facts.ids["SensorTower"]] = RADAR[patch.split("+")[0]]  # arenas add copies to a patch
    return Kinds(
        worker=table(facts.workers),
        hall=table(facts.town_halls),
        gas=gas,
        mineral=mineral,
        warp_gate=table([facts.ids["WarpGate"]]),
        resource=(mineral + 2 * (gas | table(facts.geysers))).astype(np.uint8),
        radar=radar,
    )
