"""What a nexus casts: chrono boost, strategic recall, energy recharge. Numbers: catalog 5.0.14."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import FALLEN, MATRIX, RECALLED, add_buff, remove_buff
from sim.engine.state import INSIDE, POWERED, STRUCTURE, UNFINISHED
from sim.facts import load
from sim.melee import morphs, protoss_power
from sim.melee.active import every
from sim.melee.areas import within
from sim.melee.barred import CONTAMINATED
from sim.melee.birth import DOWN, free_spot
from sim.melee.census import with_buff
from sim.melee.harm import is_dragged, same
from sim.melee.records import Race, Result, Target
from sim.melee.registry import AFTER, FORBID
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

CHRONO, RECALL, RECHARGE, MOTHERSHIP_RECALL = 3755, 3757, 4126, 142
CHRONO_BUFF, CHRONO_LOOPS = 281, 448.0
BOOSTED_KINDS = ("train", "warp", "research")
CHRONO_EVERY = 2  # half as fast again: one loop more in two
RECALL_RADIUS = {"5.0.14": {RECALL: 2.5, MOTHERSHIP_RECALL: 5.0}, "4.10.0": {RECALL: 2.5, MOTHERSHIP_RECALL: 6.5}}
RECALL_LOOPS, REST_LOOPS = 80, 16  # 5 n from the cast to the arrival, and 1 n without orders (NexusRecalled)
RECHARGE_REACH = 10.0  # cells from its middle within which whom a Nexus recharges has one of his player's
RECHARGED = ((0, 25.0), (8, 25.0), (15, 25.0), (23, 25.0))  # loops after the cast, energy


def can_boost(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An own structure that makes or researches something, and is complete (validator TimeWarpTargetFilters)."""
    other = game.units[target.slot]
    fits = int(other["type"]) in boostable(game.patch) and not int(other["flags"]) & UNFINISHED
    return Result.SUCCESS if fits else Result.CANT_TARGET_THAT_UNIT


@cache
def boostable(patch: str) -> frozenset[int]:
    """Types that chrono boost is for: they train, warp in or research."""
    abilities = load(patch).abilities.values()
    return frozenset(c for ability in abilities if ability.kind in BOOSTED_KINDS for c in ability.casters)


def boost(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The structure works half as fast again for a while."""
    add_buff(game.units[target.slot], game.state.buffs, CHRONO_BUFF, CHRONO_LOOPS)


def hurry(game: Game) -> None:
    """Chrono boost: production, research, morphs and the cooldown of warp gates lose one loop more in two."""
    for slot in with_buff(game, CHRONO_BUFF):
        unit = game.units[slot]
        flags = int(unit["flags"])
        idle = not flags & POWERED and int(unit["type"]) in protoss_power.users(game.patch)
        if flags & UNFINISHED or idle or CONTAMINATED in unit["buff"]:
            continue
        job = game.jobs[slot, 0]
        if unit["job_count"] and job["started"] and job["left"] > 1:
            job["left"] -= 1
        order = game.orders[slot, 0]
        if unit["order_count"] and order["timer"] > 1:
            order["timer"] -= 1
        for ability in game.abilities_of(int(unit["type"])).get("warp", ()):
            if game.memory.ready.get((slot, ability), 0) > game.loop:
                game.memory.ready[slot, ability] -= 1


def share_cooldown(game: Game, slot: int, ability: Ability) -> None:
    """The cooldown holds for all casters of the player."""
    until = game.loop + round(ability.cooldown)
    for other in game.owned(int(game.units[slot]["owner"])):
        if int(game.units[other]["type"]) in ability.casters:
            game.memory.ready[other, ability.id] = until


def recalled(game: Game, slot: int, ability: Ability, target: Target) -> list[int]:
    """Own units round the point whom a recall takes: who is in another one stays in that, and who is being abducted
    goes with the Viper (validators)."""
    units = game.units
    radius, without = RECALL_RADIUS[game.patch][ability.id], STRUCTURE | INSIDE | UNFINISHED
    found = within(game, target.x, target.y, radius, without=without, owner=int(units["owner"][slot]))
    stay = {game.facts.ids[name] for name in ("Interceptor", "Larva", "Egg")}
    free = [o for o in found if RECALLED not in units["buff"][o] and not is_dragged(game, o)]
    return [o for o in free if o != slot and int(units["type"][o]) not in stay]


def can_recall(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Somebody is there (catalog: the search for them finds one at least)."""
    return Result.SUCCESS if recalled(game, slot, ability, target) else Result.CANT_FIND_ENOUGH_TARGETS


def recall(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Own units round the point can do nothing more, and come out at the caster a few seconds later."""
    if ability.id == RECALL:
        share_cooldown(game, slot, ability)
    units = game.units
    for other in recalled(game, slot, ability, target):
        morphs.interrupt(game, other)
        add_buff(units[other], game.state.buffs, RECALLED, RECALL_LOOPS + 1.0)
        numbers = (slot, int(units["generation"][slot]), other, int(units["generation"][other]))
        off = float(units["x"][other]) - target.x, float(units["y"][other]) - target.y
        game.later(RECALL_LOOPS, "recall", *numbers, *off)


def arrive(
    game: Game, home: float, home_generation: float, slot: float, generation: float, dx: float, dy: float
) -> None:
    """One recalled unit appears as far off its nexus as it stood off the point (catalog: from the target point to the
    source point), or where it finds room near there; it wakes where it is when the caster is gone, or jammed."""
    slot, home = int(slot), int(home)
    unit, hall = game.units[slot], game.units[home]
    if not same(game, slot, generation):
        return
    remove_buff(unit, game.state.buffs, RECALLED)
    if same(game, home, home_generation) and MATRIX not in hall["buff"]:
        x, y = float(hall["x"]) + dx, float(hall["y"]) + dy
        outwards = math.atan2(dy, dx) if dx or dy else DOWN
        teleport(game, slot, *free_spot(game, x, y, 0.0, outwards, int(unit["type"]), int(unit["owner"])))
        add_buff(unit, game.state.buffs, RECALLED, REST_LOOPS)


def place_at(game: Game, slot: int, x: float, y: float) -> None:
    """Puts a unit somewhere else at once; it stands there without a goal."""
    unit = game.units[slot]
    unit["x"], unit["y"], unit["goal_x"], unit["goal_y"] = x, y, x, y
    unit["way_x"], unit["way_y"], unit["home_x"], unit["home_y"] = x, y, x, y
    unit["moving"], unit["target"], unit["weapon"], unit["windup"] = 0, -1, -1, -1
    if game.facts.names[int(unit["type"])] in protoss_power.RADIUS:
        game.counts_version += 1  # power is counted again: a phasing prism takes its along


def teleport(game: Game, slot: int, x: float, y: float) -> None:
    """`place_at`, and the missiles on their way to the unit lose it (catalog: they have the flag ValidateTeleport)."""
    place_at(game, slot, x, y)
    missiles = game.state.missiles
    missiles["alive"][(missiles["target"] == slot) & (missiles["wait"] <= 0)] = 0


def can_recharge(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An own complete unit or structure that lacks energy, no Nexus, with a complete Nexus near (validators)."""
    row, other = game.type_of(target.slot), game.units[target.slot]
    nexus = game.facts.ids["Nexus"]
    fits = other["type"] != nexus and other["energy"] < row["energy_max"]
    if not fits or int(other["flags"]) & UNFINISHED:
        return Result.CANT_TARGET_THAT_UNIT
    x, y, owner = float(other["x"]), float(other["y"]), int(other["owner"])
    near = within(game, x, y, RECHARGE_REACH, without=UNFINISHED, owner=owner)
    close = any(int(game.units[hall]["type"]) == nexus for hall in near)
    return Result.SUCCESS if close else Result.TARGET_IS_OUT_OF_RANGE


def recharge(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A hundred energy in four parts."""
    share_cooldown(game, slot, ability)
    for loops, amount in RECHARGED:
        game.later(loops, "recharge", target.slot, int(game.units[target.slot]["generation"]), amount)


def give_energy(game: Game, slot: float, generation: float, amount: float) -> None:
    """One part of a recharge."""
    unit = game.units[int(slot)]
    if same(game, slot, generation):
        unit["energy"] = min(float(unit["energy"]) + amount, float(game.type_of(int(slot))["energy_max"]))


def helpless(game: Game, slot: int, ability: Ability) -> int:
    """Units that are being recalled or lifted take no orders."""
    ids = game.units[slot]["buff"]
    return Result.ERROR if ids.any() and np.isin(ids, HELD_BUFFS).any() else Result.SUCCESS


HELD_BUFFS = (5, FALLEN, RECALLED)  # 5: graviton beam

spell(CHRONO, boost, can_boost, everyone=False, all_round=True)
spell(RECALL, recall, can_recall, everyone=False, all_round=True)
spell(MOTHERSHIP_RECALL, recall, can_recall, everyone=False, all_round=True)
spell(RECHARGE, recharge, can_recharge, everyone=False, all_round=True)
AFTER["recall"] = arrive
AFTER["recharge"] = give_energy
every(CHRONO_EVERY, hurry, Race.PROTOSS)
FORBID.append(helpless)
