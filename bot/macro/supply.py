"""Depots before they are needed, lowered so that nobody is walled in."""

from __future__ import annotations

import math

from sc2.ids.ability_id import AbilityId
from sc2.ids.unit_typeid import UnitTypeId

from bot.config import load
from bot.knowledge.model import LOOPS_PER_SECOND, Knowledge
from bot.macro.construction import Construction
from bot.orders import Cast, Order

LINES = {
    UnitTypeId.BARRACKS: 1.0 / 400.0,
    UnitTypeId.FACTORY: 3.0 / 720.0,
    UnitTypeId.STARPORT: 2.0 / 670.0,
}
"""Supply that a production line uses per loop: Marines (272 loops) and Marauders (480), Siege Tanks, Medivacs. Close is
enough: this only sets how early depots are begun."""
SCV_LOOPS = 272.0
DEPOT_LOOPS = 480.0


def supply_rate(knowledge: Knowledge, workers_wanted: bool) -> float:
    """Supply that production uses per loop when it never stands still."""
    reactors = knowledge.bot.reactor_tags
    rate = 0.0
    for kind, supply in LINES.items():
        for structure in knowledge.own.of(kind):
            if structure.build_progress > 0.8:
                rate += supply * (2 if structure.add_on_tag in reactors else 1)
    if workers_wanted:
        halls = [hall for hall in knowledge.own.townhalls if hall.build_progress > 0.9 and not hall.is_flying]
        rate += len(halls) / SCV_LOOPS
    return rate


def depots_wanted(free: float, coming: float, rate: float, cap_left: float, config: dict) -> int:
    """How many depots to begin now.

    `free` supply now, `coming` from unfinished depots and town halls, `rate` per loop, `cap_left` until 200.
    """
    ahead = rate * (DEPOT_LOOPS + config["ahead"] * LOOPS_PER_SECOND) + config["margin"]
    missing = min(ahead - free - coming, cap_left - coming)
    return max(0, min(config["most_at_once"], math.ceil(missing / 8.0)))


class Supply:
    """Asks construction for depots."""

    def __init__(self, construction: Construction) -> None:
        self._construction = construction
        self._config = load("macro")["supply"]

    def request(self, knowledge: Knowledge, opening: bool, workers_wanted: bool) -> None:
        """Depots for the production of the next seconds; during the opening only when it is late with its own."""
        pending = self._construction.pending(UnitTypeId.SUPPLYDEPOT)
        coming = 8.0 * pending
        for structure in knowledge.own.structures:
            if not structure.is_ready:
                left = (1.0 - structure.build_progress) * knowledge.facts[structure.type_id].build_loops
                if left < DEPOT_LOOPS:
                    coming += knowledge.facts[structure.type_id].food_provided
        rate = supply_rate(knowledge, workers_wanted)
        cap_left = float(self._config["cap"] - knowledge.supply_cap)
        wanted = depots_wanted(float(knowledge.supply_left), coming, rate, cap_left, self._config)
        if opening and knowledge.supply_used < 21:
            wanted = 0  # the opening's own first depots come at their supply
        for _ in range(wanted):
            self._construction.request(UnitTypeId.SUPPLYDEPOT)


def lower_depots(knowledge: Knowledge) -> list[Order]:
    """Every finished depot goes down: nothing of ours is ever walled in."""
    return [
        Cast(depot.tag, cast=AbilityId.MORPH_SUPPLYDEPOT_LOWER) for depot in knowledge.own.ready(UnitTypeId.SUPPLYDEPOT)
    ]
