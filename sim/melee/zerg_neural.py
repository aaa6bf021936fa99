"""Neural Parasite: an infestor holds on to an enemy, which obeys its player meanwhile.

Catalog: 15 n, cast within 8 (4.10.0: 9), the bond tears at 5 more; no structures, no heroic units. It ends with the
infestor's order, its death, the victim's, or the time. Immune in addition (validators): Ultralisks (`filters.SPARED`),
who is held already, carries somebody or is being warped in.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.bufftable import add_buff, remove_buff
from sim.engine.catalog import HEROIC
from sim.engine.state import ATTACK, CHANNELLING, HEAL, INVULNERABLE, REPAIR, STRUCTURE, UNFINISHED
from sim.melee import orders
from sim.melee.casts import FOUND, bind, flight, looking, release, seen_or_wait
from sim.melee.harm import same
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, AFTER, ON_OWNER, Kind
from sim.melee.spells import pay

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

NEURAL, CANCEL = 249, 250
BUFF, LOOPS, SLOP, LOOK_EVERY = 22, 240.0, 5.0, 4
# Cells a normal second: its tentacle's speed at first, from so many cells on (4 to 5), and its acceleration.
SPEED, TOP_SPEED, SLOW_WAY, PULL = 12.0, 40.0, 4.5, 20.0
UNBROKEN = {401}  # a Yamato shot goes on under another player (patch notes of 3.8)


def can_infest(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An enemy's unit that has a mind of its own."""
    other = game.units[target.slot]
    fits = other["owner"] not in (0, game.units[slot]["owner"])
    fits = fits and not int(other["flags"]) & (STRUCTURE | INVULNERABLE | UNFINISHED)
    fits = fits and not int(game.type_of(target.slot)["attributes"]) & HEROIC
    if not fits:
        return Result.CANT_TARGET_THAT_UNIT
    if other["cargo"] > 0:
        return Result.NOT_WHILE_OCCUPIED
    return Result.ALREADY_TARGETED if BUFF in other["buff"] else Result.SUCCESS


def infest(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Walks into range."""
    game.push_order(slot, ability.id, target, range=ability.range)


def in_range(game: Game, slot: int) -> None:
    """Shoots its tentacle at a victim in sight; from now on new orders wait."""
    if not seen_or_wait(game, slot):
        return
    game.orders[slot, 0]["x2"] = 0  # the victim's own player, once it is held
    order = game.orders[slot, 0]
    ability, other = game.facts.abilities[NEURAL], int(order["target"])
    verdict = Result.ERROR
    if not orders.target_gone(game, slot):
        verdict = Result(can_infest(game, slot, ability, Target(other)))
    if verdict == Result.SUCCESS and float(game.units[slot]["energy"]) < game.energy_for(slot, ability):
        verdict = Result.NOT_ENOUGH_ENERGY
    if verdict != Result.SUCCESS:
        orders.fail(game, slot, verdict)
        return
    pay(game, slot, ability)
    unit = game.units[other]
    bind(game, slot)
    caster = game.units[slot]
    way = math.hypot(float(unit["x"]) - float(caster["x"]), float(unit["y"]) - float(caster["y"]))
    order["timer"] = LOOPS + (loops := reach(way))
    game.later(loops, "neural", slot, int(game.units[slot]["generation"]), other, int(unit["generation"]))


def reach(way: float) -> int:
    """Loops that the tentacle needs."""
    loops = flight(min(way, SLOW_WAY), SPEED, PULL)
    return loops + flight(way - SLOW_WAY, TOP_SPEED, PULL, SPEED) if way > SLOW_WAY else loops


def active(game: Game, slot: int) -> bool:
    """The infestor holds somebody, or reaches for him."""
    unit, order = game.units[slot], game.orders[slot, 0]
    return bool(unit["order_count"] and order["ability"] == NEURAL and order["stage"] and order["y2"] == FOUND)


def holds(game: Game, slot: int, victim: int) -> bool:
    """The infestor's present order is the one that holds the victim (or flies to it)."""
    return active(game, slot) and int(game.orders[slot, 0]["target"]) == victim


def bond(game: Game, slot: float, generation: float, victim: float, victim_generation: float) -> None:
    """The tentacle arrives; from then on it looks every few loops whether the bond still holds."""
    slot, victim = int(slot), int(victim)
    if not same(game, slot, generation) or not holds(game, slot, victim):
        return
    if not same(game, victim, victim_generation) or torn(game, slot, victim):
        end(game, slot)
        return
    order, unit = game.orders[slot, 0], game.units[victim]
    if not order["x2"]:
        if BUFF in unit["buff"] or unit["owner"] == game.units[slot]["owner"]:
            end(game, slot)
            return
        order["x2"] = unit["owner"]
        add_buff(unit, game.state.buffs, BUFF, LOOPS)
        give_to(game, victim, int(game.units[slot]["owner"]))
    game.later(LOOK_EVERY, "neural", slot, generation, victim, victim_generation)


def torn(game: Game, slot: int, victim: int) -> bool:
    """The victim is too far away, or nowhere to be reached."""
    unit, other = game.units[slot], game.units[victim]
    gap = math.hypot(float(unit["x"]) - float(other["x"]), float(unit["y"]) - float(other["y"]))
    gap -= float(game.type_of(slot)["radius"]) + float(game.type_of(victim)["radius"])
    return gap > game.facts.abilities[NEURAL].range + SLOP


def end(game: Game, slot: int) -> None:
    """The infestor lets go (or begins, when it had to look for its victim first)."""
    if looking(game, slot):
        in_range(game, slot)
        return
    order = game.orders[slot, 0].copy()
    release(game, slot)
    game.finish_order(slot)
    let_go(game, slot, order)


def dropped(game: Game, slot: int, order: Any) -> None:
    """Its order was taken from it."""
    if order["stage"] and order["y2"] == FOUND:
        release(game, slot)
        let_go(game, slot, order)


def break_off(game: Game, victim: int) -> None:
    """Whoever holds the unit (or reaches for it) lets go of it."""
    first = game.orders[: int(game.world[0]["slots"]), 0]
    for slot in ((first["ability"] == NEURAL) & (first["target"] == victim)).nonzero()[0].tolist():
        if game.units[slot]["alive"] and holds(game, slot, victim):
            end(game, slot)


def let_go(game: Game, slot: int, order: Any) -> None:
    """The victim is its own player's again."""
    victim, owner = int(order["target"]), int(order["x2"])
    if owner and same(game, victim, float(order["target_generation"])) and game.units[victim]["owner"] != owner:
        remove_buff(game.units[victim], game.state.buffs, BUFF)
        give_to(game, victim, owner)


def give_to(game: Game, slot: int, owner: int) -> None:
    """A unit obeys another player: it forgets its orders, but for a shot that it has begun to load (`UNBROKEN`), nobody
    of its new friends goes on attacking it, and nobody of its old ones mending it.

    Interceptors come along; passengers there are none: a full transport is not taken, a stolen one takes nobody in.
    """
    unit = game.units[slot]
    before = int(unit["owner"])
    if int(unit["flags"]) & CHANNELLING and int(game.orders[slot, 0]["ability"]) in UNBROKEN:
        orders.drop_behind(game, slot)
    else:
        game.clear_orders(slot)
    unit["owner"] = owner
    unit["target"], unit["weapon"], unit["windup"], unit["moving"] = -1, -1, -1, 0
    units = game.units[: int(game.world[0]["slots"])]
    units["owner"][(units["alive"] == 1) & inner(game, slot)] = owner
    mending = units["weapon"] < 0  # who has a target without a weapon for it is at work on a patient
    units["target"][(units["target"] == slot) & ((units["owner"] == owner) | mending)] = -1
    for player, verbs in ((owner, (ATTACK,)), (before, (HEAL, REPAIR))):
        first = game.orders[: len(units), 0]
        at_it = (units["alive"] == 1) & (units["owner"] == player) & (units["order_count"] > 0)
        for other in (at_it & np.isin(first["verb"], verbs) & (first["target"] == slot)).nonzero()[0]:
            game.finish_order(int(other))
    for handler in ON_OWNER:
        handler(game, slot)
    for player in (before, owner):
        game.mark_supply(player)


def inner(game: Game, slot: int) -> Any:
    """bool[slots]: interceptors of a carrier."""
    units = game.units[: int(game.world[0]["slots"])]
    return (units["builder"] == slot) & (units["type"] == game.facts.ids["Interceptor"])


def can_stop(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """It holds somebody, or reaches for him."""
    return Result.SUCCESS if active(game, slot) else Result.ERROR


def stop(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Lets go before the time."""
    end(game, slot)


ABILITIES[NEURAL] = Kind(infest, can_infest, reached=in_range, timer=end, dropped=dropped, everyone=False, turns=True)
ABILITIES[CANCEL] = Kind(stop, can_stop)
AFTER["neural"] = bond
