"""Morphs through a cocoon (baneling, ravager, lurker, brood lord, overseer, transport), and crawlers that take root.

A cocoon keeps the tag of the unit; it cannot move or act, and what comes out has full life. Times and prices are facts;
in a cocoon a unit is a loop less than its row says (266, 271 and 403 loops in 206 morphs of real games).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.melee import birth, morphs, orders, placement, supply
from sim.melee.records import Alert, Result, Target
from sim.melee.registry import ABILITIES, KINDS, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

COCOON_MORPHS = (4121, 1372, 1448, 2330, 2332, 2708)  # baneling, brood lord, overseer, ravager, lurker, transport
OPEN = 1  # `y2` of the order of a unit whose cocoon is not closed yet; then what it was before, `x2` the time in it
AT_PLACE = 0.5  # cells between a crawler and its place at which it takes root


def can_spin(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Not already in a cocoon; the larger unit needs supply."""
    if int(game.units[slot]["type"]) == ability.cocoon:
        return Result.NOT_SUPPORTED
    if not supply.room_for(game, int(game.units[slot]["owner"]), ability.supply):
        return Result.NOT_ENOUGH_FOOD
    return morphs.can_morph(game, slot, ability, target)


def spin(game: Game, slot: int) -> None:
    """The unit stands still; its cocoon closes at once, or after the random delay (a loop for overlords)."""
    owner, needed = int(game.units[slot]["owner"]), game.facts.abilities[int(game.orders[slot, 0]["ability"])].supply
    if not supply.room_for(game, owner, needed):  # another one has taken it
        orders.fail(game, slot, Result.NOT_ENOUGH_FOOD)
        return
    halt = morphs.HALT if morphs.walks(game, slot) else 0
    morphs.begin(game, slot)
    if not game.units[slot]["order_count"]:
        return
    order = game.orders[slot, 0]
    ability = game.facts.abilities[int(order["ability"])]
    game.players[owner]["supply_used"] += needed  # at the loop's end it is counted again
    if ability.random_loops:
        order["y2"] = OPEN
        wait = max(math.ceil(game.random() * ability.random_loops), 1)
        order["timer"] = wait + (halt if ability.random_loops >= 1 else 1)
    else:
        close(game, slot, ability.type_delay)


def close(game: Game, slot: int, loops: float) -> None:
    """The cocoon is closed; so many loops are left in it."""
    unit, order = game.units[slot], game.orders[slot, 0]
    ability = game.facts.abilities[int(order["ability"])]
    order["timer"], order["x2"], order["y2"] = loops, ability.type_delay, unit["type"]
    game.change_type(slot, ability.cocoon)


def closes(game: Game, slot: int) -> bool:
    """The delay of its cocoon is over: the time in it runs, which counts this loop."""
    order = game.orders[slot, 0]
    if order["y2"] != OPEN:
        return False
    close(game, slot, game.facts.abilities[int(order["ability"])].type_delay - 1)
    return True


def burst(game: Game, slot: int) -> None:
    """The new unit comes out with full life and goes to its cocoon's rally point, which it keeps no longer (catalog:
    Rally, RallyReset); or its cocoon closes first."""
    if closes(game, slot):
        return
    owner = int(game.units[slot]["owner"])
    morphs.timer(game, slot)
    game.units[slot]["hp"] = game.units[slot]["hp_max"]
    birth.send_to_rally(game, slot, slot)
    birth.write(game, slot, ())
    game.alert(owner, Alert.MORPH_COMPLETE)


def given_up(game: Game, slot: int, order: Any) -> None:
    """Cancelled: the unit is what it was before."""
    ability = game.facts.abilities[int(order["ability"])]
    morphs.dropped(game, slot, order)
    unit = game.units[slot]
    if order["stage"] and unit["alive"] and unit["type"] == ability.cocoon and unit["hp"] > 0:
        game.change_type(slot, int(order["y2"]))
        birth.write(game, slot, ())


def can_root(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A free place on creep."""
    x, y = placement.snap(game, ability.product, target.x, target.y)
    return placement.site_free(game, int(game.units[slot]["owner"]), ability.product, x, y)


def root(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Crawls to the place."""
    x, y = placement.snap(game, ability.product, target.x, target.y)
    place = Target(-1, x, y, True, target.queued)
    game.push_order(slot, ability.id, place, range=AT_PLACE, product=ability.product)


def rooting(game: Game, slot: int) -> None:
    """The crawler is there: it digs in, if the place is still free, also of units that stay."""
    unit, order = game.units[slot], game.orders[slot, 0]
    x, y, product = float(order["x"]), float(order["y"]), int(order["product"])
    free = placement.site_free(game, int(unit["owner"]), product, x, y) == Result.SUCCESS
    if not free or placement.held(game, product, x, y, slot):
        orders.fail(game, slot, Result.CANT_BUILD_LOCATION_INVALID)
        return
    unit["x"], unit["y"] = x, y
    unit["flags"] |= morphs.LOCKED
    order["timer"] = game.facts.abilities[int(order["ability"])].loops


def rooted(game: Game, slot: int) -> None:
    """It is a structure again."""
    unit, order = game.units[slot], game.orders[slot, 0]
    if placement.site_free(game, int(unit["owner"]), int(order["product"]), float(unit["x"]), float(unit["y"])) != 1:
        orders.fail(game, slot, Result.CANT_BUILD_LOCATION_INVALID)  # which unlocks it
        return
    game.change_type(slot, int(order["product"]))
    morphs.unlock(game, slot)
    game.finish_order(slot)


for _ability in COCOON_MORPHS:
    ABILITIES[_ability] = Kind(morphs.morph, can_spin, reached=spin, timer=burst, dropped=given_up)
KINDS["root"] = Kind(root, can_root, reached=rooting, timer=rooted, dropped=morphs.dropped)
