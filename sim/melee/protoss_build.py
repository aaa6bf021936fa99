"""Probes warp structures in: the probe is free as soon as it has placed one, and the structure completes itself.

A probe that placed an Assimilator and was told nothing else waits for it and harvests there. In real games bots send
two more workers and have three at work (collection rates of 313), builders that nobody told anything come out with
their first load 33 loops after the completion, and while they wait they count as active workers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.melee import builders, harvest
from sim.melee.registry import ABILITIES, Kind

if TYPE_CHECKING:
    from sim.melee.game import Game

PROTOSS_BUILD = range(880, 910)  # ProtossBuild, by command


def arrived(game: Game, slot: int) -> None:
    """The probe stands at the site and opens the rift, if the site is still free and in power."""
    if not builders.site_open(game, slot):
        return
    structure = builders.begin_structure(game, slot)
    game.finish_order(slot)
    if int(game.units[structure]["type"]) in game.facts.gas_structures and not game.units[slot]["order_count"]:
        harvest.go_harvest(game, slot, structure)


for _ability in PROTOSS_BUILD:
    ABILITIES[_ability] = Kind(
        builders.build, builders.can_build, builders.when_still(arrived), arrived, everyone=False
    )
