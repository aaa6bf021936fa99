"""Morphs: a unit becomes another one in stages (siege mode, Orbital Command, lift, land, supply depots ...).

Stage one lasts `type_delay` plus a random delay, then the type changes; stage two lasts until `loops` have passed, then
stats, weapon and legs are usable. Both numbers come from the facts.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.engine.bufftable import buff_flags
from sim.engine.state import (
    ATTACK,
    BURROWED,
    CHANNELLING,
    DISARMED,
    FLYING,
    IMMOBILE,
    MORPHING,
    STRUCTURE,
    UNFINISHED,
)
from sim.maps import footprint_cells
from sim.melee import construction, grids, orders, placement, tech, walls
from sim.melee.barred import EMPTY
from sim.melee.records import Alert, Result, Target
from sim.melee.registry import ABILITIES, KINDS, Kind
from sim.melee.score import cocoons
from sim.melee.slowing import slows

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

VIKING_LANDS = 403
# Directions of body and turret when the type has changed: a tank turns its body to 315 degrees as it sets up, and its
# turret starts half a turn off (catalog: stage Facing, YawStart -180; 82 first shots of real tanks agree to the loop).
TURNED = {"SiegeTankSieged": (1.75 * math.pi, 0.75 * math.pi)}
HALT = 2  # loops until a walker stands: landed Vikings of real games mostly take 3 to 10 loops, flying ones 1 to 8
MAKING_ROOM = 8  # loops that a depot gives those who stand on it: five of six real ones rose then, one after 16
LOCKED = MORPHING | IMMOBILE | DISARMED
ALERTS = dict.fromkeys(("OrbitalCommand", "PlanetaryFortress"), Alert.UPGRADE_COMPLETE)  # observed, Lairs' too
ALERTS |= dict.fromkeys(("Lair", "Hive", "GreaterSpire"), Alert.MORPH_COMPLETE)


def can_morph(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Not while the structure trains, researches, builds an add-on or morphs already, nor what it must be empty for
    with somebody aboard (catalog: HasNoCargo; Liquipedia of Overlords).

    Who changes its form may be told so again, which changes nothing, and once it has its new type to change back: it
    does so when it is done (real depots told to be lowered on their way up went down 21 loops after they had begun to
    rise, which is what rising takes; tanks and Vikings likewise).
    """
    unit = game.units[slot]
    if unit["job_count"] or int(unit["type"]) == ability.product:
        return Result.NOT_SUPPORTED
    if int(unit["flags"]) & MORPHING:
        free = not (ability.minerals or ability.gas)
        return Result.SUCCESS if free and turns(game, slot, ability) else Result.NOT_SUPPORTED
    if int(unit["flags"]) & STRUCTURE and unit["order_count"] and game.orders[slot, 0]["verb"] != ATTACK:
        return Result.NOT_SUPPORTED
    addon = int(unit["addon"])
    if addon >= 0 and (int(game.units[addon]["flags"]) & UNFINISHED or game.units[addon]["job_count"]):
        return Result.NOT_WHILE_OCCUPIED  # validator AddonIsNotWorking
    if unit["cargo"] > 0 and ability.id in EMPTY:
        return Result.NOT_WHILE_OCCUPIED
    return Result.SUCCESS


def turns(game: Game, slot: int, ability: Ability) -> bool:
    """The unit is changing its form by this ability, or is and has its new type already."""
    order = game.orders[slot, 0]
    return bool(game.units[slot]["order_count"]) and bool(order["ability"] == ability.id or order["stage"] == 2)


def can_land(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A flyer that becomes a walker needs ground below it."""
    verdict = can_morph(game, slot, ability, target)
    unit = game.units[slot]
    if verdict == Result.SUCCESS and not grids.walkable(game, float(unit["x"]), float(unit["y"])):
        return Result.CANT_FIND_PLACEMENT
    return verdict


def morph(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Pays and begins, or waits for its turn in the unit's orders."""
    here = Target(queued=target.queued)
    busy = int(game.units[slot]["flags"]) & (MORPHING | CHANNELLING)  # then it waits behind
    if game.units[slot]["order_count"] and not target.queued and not busy:
        game.clear_orders(slot)
    game.pay(int(game.units[slot]["owner"]), ability.minerals, ability.gas)
    game.push_order(slot, ability.id, here, minerals=ability.minerals, gas=ability.gas, product=ability.product)


def begin(game: Game, slot: int) -> None:
    """The first stage starts: the unit stands still; orders given from now on wait behind the morph.

    Who gives it up or dies from now on gives back three quarters of its price, as cocoons that were killed in real
    games: a Ravager's 19 and 57 of 25 and 75, also those of Lurkers, Banelings and transports.
    """
    unit, order = game.units[slot], game.orders[slot, 0]
    ability = tech.improved(game, int(unit["owner"]), int(order["ability"]))
    if brakes(game, slot, ability):
        speed, angle = (order["x2"], order["y2"]) if order["x2"] > 0 else (unit["speed"], unit["facing"])
        if slows(game, slot, float(speed), float(angle)):
            return
    for price in ("minerals", "gas"):
        order[price] = construction.refunded(float(order[price]))
    flags = MORPHING if int(unit["flags"]) & STRUCTURE else LOCKED
    halt = HALT if ability.halts and walks(game, slot) else 0
    unit["flags"] |= flags
    unit["moving"] = 0
    unit["speed"] = 0
    delay = ability.type_delay + (game.random() * ability.random_loops if ability.random_loops else 0.0)
    if ability.random_loops >= 1:
        # Those who stand change after 1 to 8 loops, to siege mode after 8 to 15; who walked two later (replays).
        delay += halt - (1 if ability.type_delay >= 1 else 0)
    if rises_below(game, slot, ability.product):
        walls.close(game, slot, footprint_cells(ability.product, float(unit["x"]), float(unit["y"])))
        order["timer"] = MAKING_ROOM + 1  # the loop in which it begins counts
    elif delay < 1 and ability.random_loops and not game.commanding:
        order["timer"] = 1  # one that waited for another order begins when this loop's step is over
    elif delay < 1:
        change(game, slot)
    else:
        # A structure has its new type one loop before its time (Orbital Command 559 of 560 loops after the command,
        # landing 63 after one that lifts off and lands at its place; the loop in which the morph begins counts).
        structure = int(unit["flags"]) & STRUCTURE
        order["timer"] = construction.left_at_start(game, delay - 1) if structure else delay


def brakes(game: Game, slot: int, ability: Ability) -> bool:
    """The unit comes to rest in the air before it begins, see `slowing`."""
    return ability.halts and int(game.units[slot]["flags"]) & (FLYING | STRUCTURE) == FLYING


def walks(game: Game, slot: int) -> bool:
    """The unit is on its way over the ground (flyers change as soon as those that hover)."""
    unit = game.units[slot]
    return bool(unit["speed"] > 0) and not int(unit["flags"]) & FLYING


def change(game: Game, slot: int) -> None:
    """The type changes; the rest of the time runs.

    A structure does nothing in the loop in which it has become another one: of 55 Orbital Commands whose bots ask every
    one to four loops none called a MULE or trained before the next.
    """
    order = game.orders[slot, 0]
    ability = tech.improved(game, int(game.units[slot]["owner"]), int(order["ability"]))
    game.change_type(slot, ability.product)
    unit = game.units[slot]
    unit["facing"], unit["turret"] = TURNED.get(game.facts.names[ability.product], (unit["facing"], unit["turret"]))
    if game.facts.names[ability.product] in ALERTS:
        game.alert(int(unit["owner"]), ALERTS[game.facts.names[ability.product]])
    order["stage"] = 2
    rest = ability.loops - ability.type_delay
    if int(game.units[slot]["flags"]) & STRUCTURE:
        rest = max(rest, 1.0)
    if rest < 1:
        complete(game, slot)
    else:
        order["timer"] = rest


def timer(game: Game, slot: int) -> None:
    """A stage is over."""
    order = game.orders[slot, 0]
    if order["x2"] > 0 and brakes(game, slot, game.facts.abilities[int(order["ability"])]):
        begin(game, slot)
    elif order["stage"] < 2:
        change(game, slot)
    else:
        complete(game, slot)


def complete(game: Game, slot: int) -> None:
    """All stages are over: the unit is free to act as what it has become."""
    game.orders[slot, 0]["minerals"] = game.orders[slot, 0]["gas"] = 0
    unlock(game, slot)
    game.mark_supply(int(game.units[slot]["owner"]))
    orders.drop_unfit(game, slot)
    game.finish_order(slot)


def unlock(game: Game, slot: int) -> None:
    """Takes the morph's flags away; types without legs stay where they are."""
    unit = game.units[slot]
    flags = int(unit["flags"]) & ~LOCKED | buff_flags(unit, game.state.buffs)
    if int(unit["type"]) in game.facts.flags["burrowed"]:
        flags |= BURROWED
    else:
        flags &= ~BURROWED
    unit["flags"] = flags


def dropped(game: Game, slot: int, order: Any) -> None:
    """The morph was given up before its end."""
    if order["stage"]:
        unlock(game, slot)
        walls.build(game, slot)


def interrupt(game: Game, slot: int) -> None:
    """Something stronger than orders takes hold of the unit: they end, but what grows in a cocoon grows on."""
    if int(game.units[slot]["type"]) in cocoons(game.patch):
        orders.drop_behind(game, slot)
    else:
        game.clear_orders(slot)


def cancel(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Gives a running morph up; what is left of its price comes back."""
    game.clear_orders(slot)


def rises_below(game: Game, slot: int, product: int) -> bool:
    """A lowered depot would rise with somebody on it who can leave: it lets him make room (catalog: MoveBlockers)."""
    unit = game.units[slot]
    if game.facts.names[int(unit["type"])] != "SupplyDepotLowered":
        return False
    there = placement.blockers(game, product, float(unit["x"]), float(unit["y"]), slot)
    return any(not placement.stays(game, other, int(unit["owner"])) for other in there)


MORPH = Kind(morph, can_morph, reached=begin, timer=timer, dropped=dropped)
ABILITIES[VIKING_LANDS] = Kind(morph, can_land, reached=begin, timer=timer, dropped=dropped)
for _kind in ("morph", "burrow", "unburrow"):
    KINDS[_kind] = MORPH
