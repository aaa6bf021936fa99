"""Widow Mines: burrowed and armed they look for a target, lock on to it and fire one missile, then reload.

Catalog 5.0.14.94137 and 4.10.0.75689, WidowMineAttack: range 5, preparation 1.5 n, cooldown 40 n, 125 damage (+35 to
shields), then 40 (+25) round the target, friends too but for own mines, structures not; neither armour nor Vehicle
Weapons count (spell damage; those upgrades name effects of an older mine, MineDrone); larvae are no targets. By itself
it leaves eggs alone, who was taken over, images that its player has detected, and whom another mine aims at. While it
reloads a burrowed mine can be seen, until Drilling Claws are researched. Ours: of those in reach the highest target
priority is chosen, then the nearest; where a target dies in the missile's flight, those round it are still hurt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.bufftable import RELOADING, RELOADING_HIDDEN, add_buff
from sim.engine.state import AUTOCAST, BURROWED, DETECTED, HALLUCINATION, INSIDE, INVULNERABLE, MORPHING, STRUCTURE
from sim.melee import tech, transport
from sim.melee.areas import within
from sim.melee.barred import PARASITE, forbid
from sim.melee.casts import fail, flight, gap, perceives
from sim.melee.harm import author, fly_on, hurt, player_of, same
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, AFTER, EVERY, ON_REMOVE, ON_SPAWN, ON_TYPE, Kind
from sim.melee.spells import pay

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

ATTACK, RANGE, MISSILE = 2099, 5.0, "mine_hit"
DAMAGE, SHIELD_DAMAGE, SPLASH, SHIELD_SPLASH = 125.0, 35.0, 40.0, 25.0
SPLASH_RADIUS = {"5.0.14": 1.5, "4.10.0": 1.75}
STAYS_CLOAKED = 122  # upgrade (Drilling Claws) that keeps a reloading mine hidden
THROW_LOOPS, THROW_SPEED, PULL, TOP_SPEED = 7.6, 3.0, 56.0, 28.0  # the missile rises 1.4 cells, then homes
SEARCH_EVERY, WATCH_EVERY = 4, 2
KNOWN_IMAGE = HALLUCINATION | DETECTED


def armed(game: Game, slot: int) -> bool:
    """Burrowed wholly."""
    unit = game.units[slot]
    flags = int(unit["flags"])
    return int(unit["type"]) == game.facts.ids["WidowMineBurrowed"] and bool(flags & BURROWED) and not flags & MORPHING


def may_be_hit(game: Game, slot: int, other: int) -> bool:
    """An enemy that is no structure and no larva, in reach and perceived."""
    unit, victim = game.units[slot], game.units[other]
    if victim["owner"] in (0, unit["owner"]) or not victim["alive"] or victim["type"] == game.facts.ids["Larva"]:
        return False
    if int(victim["flags"]) & (STRUCTURE | INVULNERABLE | INSIDE):
        return False
    return gap(game, slot, other) <= RANGE and perceives(game, int(unit["owner"]), other)


def can_attack(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Who could be hit from here; the mine does not move."""
    if game.units[target.slot]["type"] == game.facts.ids["Larva"]:
        return Result.CANT_TARGET_THAT_UNIT
    return Result.SUCCESS if may_be_hit(game, slot, target.slot) else Result.TARGET_IS_OUT_OF_RANGE


def attack(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Locks on."""
    game.push_order(slot, ability.id, target, range=RANGE)


def lock(game: Game, slot: int) -> None:
    """The preparation begins."""
    order = game.orders[slot, 0]
    if may_be_hit(game, slot, int(order["target"])):
        order["timer"] = game.facts.abilities[ATTACK].prepare
    else:
        fail(game, slot, Result.TARGET_IS_OUT_OF_RANGE)


def watch(game: Game) -> None:
    """A target that leaves the range or hides breaks the lock; mines without a target look for one."""
    if not game.memory.mines:
        return
    search = game.loop % SEARCH_EVERY == 0
    for slot in sorted(game.memory.mines):
        unit = game.units[slot]
        if unit["order_count"]:
            order = game.orders[slot, 0]
            if order["ability"] == ATTACK and order["timer"] > 0 and not still_there(game, slot, order):
                game.finish_order(slot)
        elif search and int(unit["flags"]) & AUTOCAST and game.memory.ready.get((slot, ATTACK), 0) <= game.loop:
            seek(game, slot)


def still_there(game: Game, slot: int, order: Any) -> bool:
    """The target of the lock can still be hit."""
    other = int(order["target"])
    return same(game, other, float(order["target_generation"])) and may_be_hit(game, slot, other)


def seek(game: Game, slot: int) -> None:
    """Locks on to the best enemy in reach, no egg, no image known for one and nobody who was taken over or is another
    mine's (catalog: AutoCastValidators, noMarkers); not while a buff forbids it its ability."""
    if not armed(game, slot) or forbid(game, slot, game.facts.abilities[ATTACK]) != Result.SUCCESS:
        return
    unit = game.units[slot]
    owner, egg = int(unit["owner"]), game.facts.ids["Egg"]
    units = game.units[: int(game.world[0]["slots"])]
    enemies = (units["owner"] > 0) & (units["owner"] != owner) & (units["flags"] & (STRUCTURE | INVULNERABLE) == 0)
    enemies &= game.types["target_priority"][0][units["type"]] > 0  # no Changeling in disguise
    enemies &= units["flags"] & KNOWN_IMAGE != KNOWN_IMAGE
    near = game.near(float(unit["x"]), float(unit["y"]), RANGE + 3.0, enemies)
    taken = aimed_at(game, owner) if len(near) else ()
    near = [o for o in near if o not in taken and units["type"][o] != egg and PARASITE not in units["buff"][o]]
    fit = [other for other in near if may_be_hit(game, slot, other)]
    if fit:
        best = max(fit, key=lambda other: (int(game.type_of(other)["target_priority"]), -gap(game, slot, other)))
        place = game.units[best]
        attack(game, slot, game.facts.abilities[ATTACK], Target(best, float(place["x"]), float(place["y"])))


def aimed_at(game: Game, owner: int) -> set[int]:
    """Slots that mines of the player have locked on."""
    aiming = [s for s in game.memory.mines if game.units[s]["owner"] == owner and game.units[s]["order_count"]]
    return {int(game.orders[s, 0]["target"]) for s in aiming if game.orders[s, 0]["ability"] == ATTACK}


def is_aimed_at(game: Game, slot: int) -> bool:
    """A mine has locked on: so nobody flees into a worm (catalog: NotWidowMineTarget of NydusWormTransport)."""
    return slot in aimed_at(game, 3 - int(game.units[slot]["owner"]))


def fire(game: Game, slot: int) -> None:
    """The missile leaves; the mine reloads."""
    order = game.orders[slot, 0].copy()
    other, generation = int(order["target"]), int(order["target_generation"])
    there = still_there(game, slot, order)
    game.finish_order(slot)
    if not there:
        return
    unit = game.units[slot]
    ability = game.facts.abilities[ATTACK]
    pay(game, slot, ability)
    hidden = bool(game.players[unit["owner"]]["upgrades"][STAYS_CLOAKED])
    add_buff(unit, game.state.buffs, RELOADING_HIDDEN if hidden else RELOADING, ability.cooldown)
    loops = THROW_LOOPS + flight(gap(game, slot, other), TOP_SPEED, PULL, THROW_SPEED)
    game.later(round(loops), MISSILE, author(game, slot), other, generation, 0.0, 0.0)


def strike(game: Game, by: float, other: float, generation: float, x: float, y: float) -> None:
    """The missile is there; `x, y` is where its target was taken from it, if so."""
    owner, other = player_of(by), int(other)
    radius = SPLASH_RADIUS.get(game.facts.patch, SPLASH_RADIUS["5.0.14"])
    if same(game, other, generation):
        x, y = float(game.units[other]["x"]), float(game.units[other]["y"])
        if not int(game.units[other]["flags"]) & INSIDE:
            hurt(game, other, DAMAGE, by, shields=SHIELD_DAMAGE)
    else:
        other = -1
    mines = [game.facts.ids[name] for name in ("WidowMine", "WidowMineBurrowed")]
    for near in within(game, x, y, radius):
        victim = game.units[near]
        own_mine = victim["owner"] == owner and victim["type"] in mines
        if near != other and not own_mine and not int(victim["flags"]) & STRUCTURE:
            hurt(game, near, SPLASH, by, shields=SHIELD_SPLASH)


def known(game: Game, slot: int, old: int = 0) -> None:
    """Keeps the list of burrowed mines."""
    if int(game.units[slot]["type"]) == game.facts.ids["WidowMineBurrowed"]:
        game.memory.mines[slot] = None
    else:
        game.memory.mines.pop(slot, None)


def born_burrowed(game: Game, slot: int) -> None:
    """Mines made burrowed (debug) are armed at once."""
    known(game, slot)
    if slot in game.memory.mines:
        game.units[slot]["flags"] |= np.uint32(BURROWED)


def gone(game: Game, slot: int) -> None:
    """Forgets a mine; missiles whose target is gone fly to where it was."""
    game.memory.mines.pop(slot, None)
    fly_on(game, MISSILE, slot)


ABILITIES[ATTACK] = Kind(attack, can_attack, reached=lock, timer=fire)
AFTER[MISSILE] = strike
EVERY.append((WATCH_EVERY, watch))
ON_SPAWN.append(born_burrowed)
ON_TYPE.append(known)
ON_REMOVE.append(gone)
transport.NOT_UNDERGROUND.append(is_aimed_at)
tech.STATES["Armed"] = armed
