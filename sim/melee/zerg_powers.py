"""Smaller powers of single Zerg units: Brood Lords, Corruptors, Hydralisks.

Catalog: a Brood Lord's two escorts strike for 20 each, every 2.5 n, and turn into Broodlings that live 5 n (4.10.0: 8
as those of ruins). Caustic Spray deals 1 five times a normal second, after 6 n 5; it is a spell, armour does not lessen
it. It cools down from its end on (DeferCooldown), and who sprays begins no other (NotChannelingCausticSpray).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.bufftable import add_buff
from sim.engine.state import HALLUCINATION, INVULNERABLE, STRUCTURE
from sim.melee import birth, orders
from sim.melee.active import every
from sim.melee.casts import gap, still_there
from sim.melee.census import of_type
from sim.melee.harm import author, hurt, same
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, AFTER, FORBID, TABLES, Kind
from sim.melee.spells import cool_down, spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

ESCORTS, LAUNCH_EVERY = 2, 2
BROODLING_LIFE = {"5.0.14": 80.0, "4.10.0": 128.0}
SPRAY, SPRAY_GAP, SPRAY_SLOW, SPRAY_SLOP = 2324, 3.2, 30, 2.0  # loops between two strikes, so many slow ones
SPRAY_DAMAGE = (1.0, 5.0)  # a strike, of the slow ones and after them
FRENZY, FRENZY_BUFF = 4109, 302


# -- brood lords ------------------------------------------------------------------------------------------------------
def two_escorts(game: Game) -> None:
    """Each attack of a Brood Lord is made by two."""
    row = int(game.facts.types[game.facts.ids["BroodLord"]]["weapons"][0])
    game.weapons["attacks"][:, row] = ESCORTS


def launch(game: Game) -> None:
    """Where the missiles of a Brood Lord strike, Broodlings go on; its `timer` is the cooldown that its weapon had at
    the last look."""
    units = game.units
    for slot in of_type(game, "BroodLord"):
        unit = units[slot]
        if unit["windup"] >= 0 or int(unit["flags"]) & HALLUCINATION:
            continue  # not struck yet, or an image
        cooldown = float(unit["cooldown"][0])
        struck = cooldown > float(unit["timer"])
        unit["timer"] = cooldown
        victim = int(unit["target"])
        if struck and victim >= 0:
            other, row = units[victim], game.weapons[unit["owner"], int(game.type_of(slot)["weapons"][0])]
            loops = flight(row, gap(game, slot, victim))
            numbers = victim, int(other["generation"]), float(other["x"]), float(other["y"])
            game.later(loops, "brood", int(unit["owner"]), *numbers)


def flight(weapon: np.void, distance: float) -> int:
    """Loops that a weapon's missile needs for a distance (cells)."""
    thrown, speed, loops = float(weapon["missile_throw"]), float(weapon["missile_throw_speed"]), 0
    while distance > 0:
        if thrown > 0:
            thrown -= speed
        else:
            speed = max(speed, float(weapon["missile_start"])) + float(weapon["missile_acceleration"])
        distance -= speed
        loops += 1
    return loops


def brood(game: Game, owner: float, victim: float, generation: float, x: float, y: float) -> None:
    """Broodlings beside what was hit, or where it was."""
    if same(game, victim, generation):
        x, y = float(game.units[int(victim)]["x"]), float(game.units[int(victim)]["y"])
    owner, type_id = int(owner), game.facts.ids["Broodling"]
    for _ in range(ESCORTS):
        at_x, at_y = birth.free_spot(game, x, y, 0.6, birth.DOWN, type_id, owner)
        game.spawn(type_id, owner, at_x, at_y, life_left=BROODLING_LIFE[game.patch])


# -- corruptors -------------------------------------------------------------------------------------------------------
def can_spray(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A structure of the enemy's, or of the map."""
    other = game.units[target.slot]
    fits = other["owner"] != game.units[slot]["owner"] and int(other["flags"]) & STRUCTURE
    return Result.SUCCESS if fits and not int(other["flags"]) & INVULNERABLE else Result.CANT_TARGET_THAT_UNIT


def spray(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Flies into range."""
    game.push_order(slot, ability.id, target, range=ability.range)


def begin_spray(game: Game, slot: int) -> None:
    """In range: it sprays until it is told something else."""
    if orders.target_gone(game, slot):
        orders.fail(game, slot, Result.ERROR)
        return
    game.orders[slot, 0]["y2"] = 0  # strikes so far
    game.orders[slot, 0]["timer"] = until_strike(0)


def until_strike(done: int) -> int:
    """Loops from one strike to the next, after so many."""
    return math.ceil(SPRAY_GAP * (done + 1)) - math.ceil(SPRAY_GAP * done)


def in_spray(game: Game, slot: int) -> bool:
    """The structure is still there, seen, and not too far away: it may have lifted off (catalog: RangeSlop)."""
    far = game.facts.abilities[SPRAY].range + SPRAY_SLOP
    return still_there(game, slot) and gap(game, slot, int(game.orders[slot, 0]["target"])) <= far


def keep_spraying(game: Game, slot: int) -> None:
    """One strike."""
    order = game.orders[slot, 0]
    ability = game.facts.abilities[SPRAY]
    if not in_spray(game, slot) or can_spray(game, slot, ability, Target(int(order["target"]))) != Result.SUCCESS:
        end_spray(game, slot)
        return
    damage = SPRAY_DAMAGE[1 if order["y2"] >= SPRAY_SLOW else 0]
    order["y2"] += 1
    order["timer"] = until_strike(int(order["y2"]))
    hurt(game, int(order["target"]), damage, author(game, slot))
    if orders.target_gone(game, slot):
        end_spray(game, slot)


def end_spray(game: Game, slot: int) -> None:
    """It has nothing more to spray at."""
    cool_down(game, slot, game.facts.abilities[SPRAY])
    game.finish_order(slot)


def broken_off(game: Game, slot: int, order: Any) -> None:
    """It was told something else: the cooldown begins, if it had begun to spray."""
    if order["timer"] > 0 and game.units[slot]["alive"]:
        cool_down(game, slot, game.facts.abilities[SPRAY])


def busy(game: Game, slot: int, ability: Ability) -> int:
    """Who sprays takes no other order to spray, not behind the present one either."""
    order = game.orders[slot, 0]
    sprays = ability.id == SPRAY and game.units[slot]["order_count"] and order["ability"] == SPRAY
    return Result.CANT_QUEUE if sprays and order["timer"] > 0 else Result.SUCCESS


# -- hydralisks -------------------------------------------------------------------------------------------
def run(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Twice as fast for a normal second."""
    add_buff(game.units[slot], game.state.buffs, FRENZY_BUFF)


TABLES.append(two_escorts)
AFTER["brood"] = brood
every(LAUNCH_EVERY, launch, Race.ZERG)
ABILITIES[SPRAY] = Kind(spray, can_spray, reached=begin_spray, timer=keep_spraying, dropped=broken_off, turns=True)
FORBID.append(busy)
spell(FRENZY, run)
