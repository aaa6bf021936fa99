"""Battlecruisers: the Yamato Cannon and the Tactical Jump. Numbers: catalogs 5.0.14.94137 and 4.10.0.75689.

A jump has three stages: in 5.0.14 1.4 n of standing still, open to attacks; .6 n of leaving; at its goal 4.8 n and .6 n
of coming in. From the leaving on nothing can touch or target the ship.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.state import INSIDE, INVULNERABLE
from sim.melee.casts import bind, flight, gap, release
from sim.melee.harm import an_enemy, author, hurt, same
from sim.melee.orders import AIMED
from sim.melee.protoss_nexus import teleport
from sim.melee.records import Target
from sim.melee.registry import ABILITIES, AFTER, Kind
from sim.melee.spells import pay, spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

YAMATO, JUMP = 401, 2358
YAMATO_DAMAGE, YAMATO_SPEED, YAMATO_SLOP = 240.0, 20.0, 10.0
CHARGE = {"5.0.14": 22.4, "4.10.0": 0.0}  # loops before the ship begins to leave
LEAVE, ARRIVE = 9.6, 86.4
CHARGING, LEAVING, ARRIVING = 1, 2, 3  # stages of a jump's order


def fire_cannon(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """One great shot flies."""
    other = target.slot
    loops = flight(gap(game, slot, other), YAMATO_SPEED)
    game.later(loops, "yamato", author(game, slot), other, int(game.units[other]["generation"]))


def strike(game: Game, by: float, other: float, generation: float) -> None:
    """And hits."""
    if same(game, other, generation) and not int(game.units[int(other)]["flags"]) & INSIDE:
        hurt(game, int(other), YAMATO_DAMAGE, by)


def charge_jump(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Anywhere on the map will do."""
    game.push_order(slot, ability.id, target, range=AIMED)


def begin(game: Game, slot: int) -> None:
    """The engines load; from here on the jump cannot be called off."""
    pay(game, slot, game.facts.abilities[JUMP])
    bind(game, slot)
    loops = CHARGE.get(game.facts.patch, CHARGE["5.0.14"])
    game.orders[slot, 0]["stage"] = CHARGING
    if loops:
        game.orders[slot, 0]["timer"] = loops
    else:
        on(game, slot)


def on(game: Game, slot: int) -> None:
    """One stage of the jump is over."""
    order: Any = game.orders[slot, 0]
    unit = game.units[slot]
    if order["stage"] == CHARGING:
        unit["flags"] |= INVULNERABLE
        order["stage"], order["timer"] = LEAVING, LEAVE
    elif order["stage"] == LEAVING:
        teleport(game, slot, float(order["x"]), float(order["y"]))
        order["stage"], order["timer"] = ARRIVING, ARRIVE
    else:
        end(game, slot)
        game.finish_order(slot)


def end(game: Game, slot: int) -> None:
    """The ship is itself again."""
    release(game, slot)
    unit = game.units[slot]
    unit["flags"] = int(unit["flags"]) & ~INVULNERABLE


def dropped(game: Game, slot: int, order: Any) -> None:
    """The ship was taken off the map."""
    if order["stage"]:
        end(game, slot)


spell(YAMATO, fire_cannon, an_enemy, everyone=False, bound=True, slop=YAMATO_SLOP, forfeits=("5.0.14",))
ABILITIES[JUMP] = Kind(charge_jump, reached=begin, timer=on, dropped=dropped, turns=True)
AFTER["yamato"] = strike
