"""Probes warp structures in: the probe is free as soon as it has placed one, and the structure completes itself.

A probe that placed an Assimilator and was told nothing else waits for it and harvests there. In real games bots send
two more workers and have three at work (collection rates of 313), builders that nobody told anything come out with
their first load 33 loops after the completion, and while they wait they count as active workers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import WAIT
from sim.melee import builders, construction
from sim.melee.records import Target
from sim.melee.registry import ABILITIES, ON_FINISHED, ON_REMOVE, Kind

if TYPE_CHECKING:
    from sim.melee.game import Game

PROTOSS_BUILD = range(880, 910)  # ProtossBuild, by command
HARVEST = 298  # ProbeHarvest


def arrived(game: Game, slot: int) -> None:
    """The probe stands at the site and opens the rift, if the site is still free and in power."""
    if not builders.site_open(game, slot):
        return
    structure = builders.begin_structure(game, slot)
    game.finish_order(slot)
    place = game.units[structure]
    if int(place["type"]) in game.facts.gas_structures and not game.units[slot]["order_count"]:
        game.push_order(slot, HARVEST, Target(structure, float(place["x"]), float(place["y"])), verb=WAIT)


def waiting(game: Game, structure: int) -> list[int]:
    """Slots of the workers that wait for a gas structure."""
    if int(game.units[structure]["type"]) not in game.facts.gas_structures:
        return []
    count = int(game.world[0]["slots"])
    first = game.orders[:count, 0]
    waits = (game.units["order_count"][:count] > 0) & (first["verb"] == WAIT) & (first["target"] == structure)
    return [int(slot) for slot in np.flatnonzero(waits & (first["ability"] == HARVEST))]


def harvest(game: Game, structure: int) -> None:
    """The gas structure is complete: who waited for it goes in, unless it has something to do afterwards."""
    for slot in waiting(game, structure):
        game.finish_order(slot)
        if not game.units[slot]["order_count"]:
            construction.go_harvest(game, slot, structure)


def give_up(game: Game, structure: int) -> None:
    """The gas structure is gone: nobody waits for it any more."""
    for slot in waiting(game, structure):
        game.finish_order(slot)


for _ability in PROTOSS_BUILD:
    ABILITIES[_ability] = Kind(
        builders.build, builders.can_build, builders.when_still(arrived), arrived, everyone=False
    )
ON_FINISHED.append(harvest)
ON_REMOVE.append(give_up)
