"""Probes warp structures in: the probe is free as soon as it has placed one, and the structure completes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.melee import construction
from sim.melee.registry import ABILITIES, Kind

if TYPE_CHECKING:
    from sim.melee.game import Game

PROTOSS_BUILD = range(880, 910)  # ProtossBuild, by command


def arrived(game: Game, slot: int) -> None:
    """The probe stands at the site and opens the rift, if the site is still free and in power."""
    if construction.site_open(game, slot):
        construction.begin_structure(game, slot)
        game.finish_order(slot)


for _ability in PROTOSS_BUILD:
    ABILITIES[_ability] = Kind(
        construction.build, construction.can_build, construction.when_still(arrived), arrived, everyone=False
    )
