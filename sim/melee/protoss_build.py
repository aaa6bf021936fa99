"""Probes warp structures in: the probe is free as soon as it has placed one, and the structure completes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.melee import construction, orders, placement
from sim.melee.records import Result
from sim.melee.registry import ABILITIES, Kind

if TYPE_CHECKING:
    from sim.melee.game import Game

PROTOSS_BUILD = range(880, 910)  # ProtossBuild, by command


def brake(game: Game, slot: int) -> None:
    """The probe has reached the site, and begins when it stands still."""
    if not construction.brakes(game, slot):
        arrived(game, slot)


def arrived(game: Game, slot: int) -> None:
    """The probe stands at the site and opens the rift, if the site is still free and in power."""
    order = game.orders[slot, 0].copy()
    player, product = int(game.units[slot]["owner"]), int(order["product"])
    x, y = float(order["x"]), float(order["y"])
    free = not orders.target_gone(game, slot) and placement.site_free(game, player, product, x, y) == Result.SUCCESS
    if not free or any(
        game.units[other]["owner"] != player for other in placement.blockers(game, product, x, y, builder=slot)
    ):
        orders.fail(game, slot, Result.CANT_BUILD_LOCATION_INVALID)
        return
    orders.spend(game, slot)
    ability = game.facts.abilities[int(order["ability"])]
    construction.start_structure(game, player, product, x, y, loops=ability.loops)
    game.finish_order(slot)


for _ability in PROTOSS_BUILD:
    ABILITIES[_ability] = Kind(construction.build, construction.can_build, brake, arrived, everyone=False)
