"""Nydus Networks and Worms: summoned anywhere in sight, all of one player's share their passengers.

Catalog: a worm emerges in 20 n, lets one passenger out every half of a normal second (4.10.0: a quarter), and after it
the network rests for 20 n (4.10.0: not at all). The enemy is alerted when a worm begins to emerge. Whoever is in the
network when its last exit dies, dies with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.bufftable import EMERGING, add_buff, remove_buff
from sim.engine.state import UNFINISHED
from sim.melee import construction, placement, transport
from sim.melee.areas import seen
from sim.melee.records import Alert, Result, Target
from sim.melee.registry import ABILITIES, ON_FINISHED, SITE, Cells, Kind
from sim.melee.unload import can_unload, come_out

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

SUMMON, CANCEL = 1768, 175
UNLOAD = (1438, 2371)  # of the network and of the worm
WORM = 142  # NydusCanal
REST = {"5.0.14": 320, "4.10.0": 0}  # loops


def site(game: Game, player: int, type_id: int, x: float, y: float, dark: Cells) -> int:
    """Ground that the player sees; no creep needed."""
    return Result.SUCCESS if seen(game, player, x, y) else Result.CANT_SEE_BUILD_LOCATION


def can_summon(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A free site in sight."""
    x, y = placement.snap(game, ability.product, target.x, target.y)
    return placement.site_free(game, int(game.units[slot]["owner"]), ability.product, x, y)


def summon(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The worm begins to emerge, and everybody hears it."""
    player = int(game.units[slot]["owner"])
    x, y = placement.snap(game, ability.product, target.x, target.y)
    game.pay(player, ability.minerals, ability.gas)
    worm = construction.start_structure(game, player, ability.product, x, y, loops=ability.loops)
    add_buff(game.units[worm], game.state.buffs, EMERGING)
    if REST[game.patch]:
        game.memory.ready[slot, SUMMON] = game.loop + REST[game.patch]
    game.alert(3 - player, Alert.NYDUS_WORM_DETECTED)


def join(game: Game, slot: int) -> None:
    """A new exit: whoever is in the network can leave by it; its armour is that of other worms from now on."""
    remove_buff(game.units[slot], game.state.buffs, EMERGING)
    if game.facts.names[int(game.units[slot]["type"])] in transport.POOLED:
        others = [other for other in transport.pool(game, slot) if other != slot]
        game.units[slot]["cargo"] = game.units[others[0]]["cargo"] if others else 0


def unload(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """All come out here, one after the other, until it is told to stop."""
    game.push_order(slot, ability.id, Target(queued=target.queued))


def begin(game: Game, slot: int) -> None:
    """The first needs as long as each of the others."""
    game.orders[slot, 0]["timer"] = transport.UNLOAD_PERIOD[game.patch]


def let_out(game: Game, slot: int) -> None:
    """One passenger leaves and goes where the exit sends it."""
    aboard = transport.passengers(game, slot)
    if aboard:
        come_out(game, aboard[0], slot)
    if len(aboard) > 1:
        begin(game, slot)
    else:
        game.finish_order(slot)


def can_cancel(game: Game, slot: int, ability: Ability, target: Target) -> Any:
    """A worm that emerges still."""
    return Result.SUCCESS if int(game.units[slot]["flags"]) & UNFINISHED else Result.ERROR


SITE[WORM] = site
ABILITIES[SUMMON] = Kind(summon, can_summon, everyone=False)
ABILITIES[CANCEL] = Kind(construction.cancel, can_cancel)
for _ability in UNLOAD:
    ABILITIES[_ability] = Kind(unload, can_unload, reached=begin, timer=let_out)
ON_FINISHED.append(join)
