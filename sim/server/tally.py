"""What a player has, added up in one pass over the units, for the numbers of an observation and of its score."""

from __future__ import annotations

import numpy as np

from sim.engine.jit import rule
from sim.engine.state import HALLUCINATION, INSIDE, UNFINISHED
from sim.melee.harvest_fields import at_site

MONEY = 2  # minerals and gas
PURPOSES = 3  # where a value counts: `score.CATEGORIES`

# Images count nowhere.
TALLY = np.dtype(
    [
        ("workers", "i4"),
        ("idle_workers", "i4"),
        ("army", "i4"),  # who would be selected as such
        ("warp_gates", "i4"),
        ("food_workers", "f8"),  # supply
        ("food_others", "f8"),  # supply of all others, cocoons included
        ("food_army", "f8"),  # of those of them that are finished
        ("worth", "f8"),  # minerals and gas of all
        ("structures", "f8"),  # of finished structures
        ("units", "f8"),  # of all other finished units
        ("used", "f8", (MONEY, PURPOSES)),  # of all that is finished
        ("making", "f8"),  # minerals and gas that were paid for units in production
    ],
    align=True,
)


@rule
def add_up(units, orders, jobs, types, kinds, player, slots, out):  # type: ignore[no-untyped-def]
    """Fills `out` (TALLY [1], zero before) for a player. kinds: KIND."""
    total = out[0]
    for slot in range(slots):
        unit = units[slot]
        if not unit.alive or unit.owner != player or unit.flags & HALLUCINATION:
            continue
        row = types[player, unit.type]
        kind = kinds[unit.type]
        food = types[player, kind.takes].supply
        finished = not unit.flags & UNFINISHED
        if kind.worker:
            total.workers += 1
            total.food_workers += food
            mending = unit.target >= 0 and unit.weapon < 0
            idle = unit.order_count == 0 or (kind.waits == 0 and at_site(units, orders, slot))
            if idle and not mending and not unit.flags & INSIDE:
                total.idle_workers += 1
        else:
            total.food_others += food
            if finished:
                total.food_army += food
                if kind.army:
                    total.army += 1
        if kind.warp_gate:
            total.warp_gates += 1
        worth = 0.0
        for money in range(MONEY):
            for purpose in range(PURPOSES):
                value = kind.value[money, purpose]
                worth += value
                if finished:
                    total.used[money, purpose] += value
        total.worth += worth
        if finished:
            if row.structure:
                total.structures += worth
            else:
                total.units += worth
        for k in range(unit.job_count):
            job = jobs[slot, k]
            if not job.is_upgrade:
                total.making += job.minerals + job.gas
