"""What observations ask of unit types, as one table by type id, which compiled code reads as well."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from sim.facts import load
from sim.melee import harvest, score, supply
from sim.server.encode import GAS, MINERALS

# Radius within which a sensor tower feels units in the fog, cells, by patch (30 at first, 27 in 5.0.11, 22 from 5.0.14
# on, with the price of 100/50: what players say of the patches; 27 is in an observation of 5.0.11).
RADAR = {"4.10.0": 30.0, "5.0.14": 22.0}

KIND = np.dtype(
    [
        ("worker", "?"),
        ("army", "?"),  # is selected with the army
        ("unselectable", "?"),
        ("hall", "?"),
        ("gas", "?"),  # a structure that gas is brought from
        ("mineral", "?"),
        ("warp_gate", "?"),
        ("resource", "u1"),  # 0, MINERALS or GAS: what its contents are
        ("takes", "i4"),  # the type whose supply it takes
        ("waits", "i4"),  # of a worker: its order while its gas structure is not complete, 0 = it counts as idle
        ("radar", "f4"),  # cells, 0 = none
        ("value", "f8", (2, len(score.CATEGORIES))),  # minerals and gas, by where the score counts them
    ],
    align=True,
)


@cache
def kinds(patch: str) -> np.ndarray:
    """KIND [types] of one patch. Read only."""
    facts = load(patch)
    found = np.zeros(len(facts.types), KIND)

    def mark(field: str, ids: Iterable[int], value: float = 1) -> None:
        found[field][list(ids)] = value

    mark("worker", facts.workers)
    mark("army", facts.flags["army"])
    mark("unselectable", facts.flags["unselectable"])
    mark("hall", facts.town_halls)
    mark("gas", facts.gas_structures)
    mark("mineral", facts.minerals)
    mark("warp_gate", [facts.ids["WarpGate"]])
    mark("resource", facts.minerals, MINERALS)
    mark("resource", facts.geysers | facts.gas_structures, GAS)
    mark("radar", [facts.ids["SensorTower"]], RADAR[patch.split("+")[0]])  # arenas add copies to a patch
    found["waits"] = harvest.table(facts)["waits"]
    found["takes"] = supply.takes(patch)
    found["value"] = score.values(patch)
    found.flags.writeable = False
    return found
