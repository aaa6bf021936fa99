"""Phoenix, Void Ray and Mothership. Numbers: catalog of both patches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.bufftable import BEAMING, FALLEN, PUSHED, SLOW_ALIGNMENT, add_buff, remove_buff
from sim.engine.catalog import MASSIVE
from sim.engine.state import FLYING, INVULNERABLE, STRUCTURE
from sim.melee import burrow, morphs, orders, tech, walls
from sim.melee.active import every
from sim.melee.areas import within
from sim.melee.casts import bind, gap, release
from sim.melee.effects_terran import GroundEffect
from sim.melee.harm import frenzied, is_dragged
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, AFTER, ON_REMOVE, Kind
from sim.melee.spells import pay, spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

GRAVITON, GRAVITON_CANCEL, GRAVITON_BUFF, GRAVITON_LOOPS = 173, 174, 5, 160.0
GRAVITON_SLOP, TEAR_EVERY = 4.0, 4  # cells beyond its range
ALIGN, ALIGN_CANCEL, ALIGN_BUFF, FLUX_VANES = 2393, 3707, 122, 288
TIME_WARP, TIME_WARP_BUFF, TIME_WARP_LOOPS, TIME_WARP_GAP = 2244, 121, 160, 2
GROWING_EFFECT, WARP_EFFECT = 3, 4
# By patch: radius, loops until it acts, flags of those it spares, factor on speed and attacks.
TIME_WARPS = {"5.0.14": (3.75, 16, 0, 0.6), "4.10.0": (4.0, 80, FLYING, 0.5)}


# -- phoenix --------------------------------------------------------------------------------------------------------
def can_lift(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """A ground unit that is neither massive nor a structure, and that nobody holds up or drags along already."""
    other = game.units[target.slot]
    if is_dragged(game, target.slot) or PUSHED in other["buff"]:
        return Result.ERROR  # NotAbducted, NoReaperKD8Knockback
    free = not int(other["flags"]) & (FLYING | STRUCTURE | INVULNERABLE)
    light = not int(game.type_of(target.slot)["attributes"]) & MASSIVE
    return Result.SUCCESS if free and light and other["owner"] > 0 else Result.CANT_TARGET_THAT_UNIT


def lift(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Flies into range."""
    game.push_order(slot, ability.id, target, range=ability.range)


def lifting(game: Game, slot: int) -> None:
    """The beam holds its target up. Meanwhile the phoenix neither moves nor fires, and new orders wait (catalog:
    Channel is uninterruptible; DisablePhoenixWeapons)."""
    order = game.orders[slot, 0]
    ability, other = game.facts.abilities[int(order["ability"])], int(order["target"])
    if orders.target_gone(game, slot) or can_lift(game, slot, ability, Target(other)) != Result.SUCCESS:
        orders.fail(game, slot, Result.ERROR)  # another beam was there first
        return
    if float(game.units[slot]["energy"]) < game.energy_for(slot, ability):
        orders.fail(game, slot, Result.NOT_ENOUGH_ENERGY)
        return
    pay(game, slot, ability)
    morphs.interrupt(game, other)
    burrow.come_up(game, other)
    add_buff(game.units[other], game.state.buffs, GRAVITON_BUFF, GRAVITON_LOOPS)
    walls.build(game, other)
    add_buff(game.units[slot], game.state.buffs, BEAMING, GRAVITON_LOOPS)
    order["timer"] = GRAVITON_LOOPS
    bind(game, slot)


def called_off(game: Game, slot: int, order: Any) -> None:
    """The order is gone: with it the beam, if there was one yet (another one's may have been there first)."""
    if order["timer"] >= 0:
        let_down(game, slot, order)


def let_down(game: Game, slot: int, order: Any) -> None:
    """The beam ends: its target falls, and is dazed for a moment (catalog: the buff outlasts the beam)."""
    other = int(order["target"])
    unit = game.units[other]
    remove_buff(game.units[slot], game.state.buffs, BEAMING)
    release(game, slot)
    if unit["alive"] and unit["generation"] == order["target_generation"]:
        remove_buff(unit, game.state.buffs, GRAVITON_BUFF)
        add_buff(unit, game.state.buffs, FALLEN)
        walls.build(game, other)


def over(game: Game, slot: int) -> None:
    """The beam's time has run out."""
    let_down(game, slot, game.orders[slot, 0].copy())
    game.finish_order(slot)


def can_drop(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """The phoenix holds something up."""
    order = game.orders[slot, 0]
    holds = game.units[slot]["order_count"] and order["ability"] == GRAVITON and order["stage"]
    return Result.SUCCESS if holds else Result.ERROR


def drop(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Lets go before the time."""
    over(game, slot)


def beaming(game: Game) -> np.ndarray:
    """Slots of the phoenixes that hold something up."""
    units = game.units[: int(game.world[0]["slots"])]
    first = game.orders[: len(units), 0]
    holds = (units["alive"] == 1) & (units["order_count"] > 0) & (first["ability"] == GRAVITON) & (first["stage"] == 1)
    return np.flatnonzero(holds)


def let_go(game: Game, slot: int) -> None:
    """Who held up a unit that is gone is free for its next order."""
    if GRAVITON_BUFF not in game.units[slot]["buff"]:
        return
    for phoenix in map(int, beaming(game)):
        if game.orders[phoenix, 0]["target"] == slot:
            remove_buff(game.units[phoenix], game.state.buffs, BEAMING)
            release(game, phoenix)
            game.finish_order(phoenix)


def tear(game: Game) -> None:
    """A beam ends that a recall has made too long, or whose target is caught by a tongue or invulnerable (catalog:
    NotAbducted, NotInvulnerable)."""
    for phoenix in map(int, beaming(game)):
        order = game.orders[phoenix, 0]
        other = int(order["target"])
        holds = gap(game, phoenix, other) <= float(order["range"]) + GRAVITON_SLOP and not is_dragged(game, other)
        if not holds or int(game.units[other]["flags"]) & INVULNERABLE:
            over(game, phoenix)


# -- void ray -------------------------------------------------------------------------------------------------------
def align(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """More damage to armoured targets, less speed: nearly as little for those with Flux Vanes as for others."""
    unit = game.units[slot]
    add_buff(unit, game.state.buffs, ALIGN_BUFF)
    if FLUX_VANES in game.facts.upgrades and game.players[unit["owner"]]["upgrades"][FLUX_VANES]:
        add_buff(unit, game.state.buffs, SLOW_ALIGNMENT)


def end_alignment(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Back to normal before its time."""
    for buff in (ALIGN_BUFF, SLOW_ALIGNMENT):
        remove_buff(game.units[slot], game.state.buffs, buff)


# -- mothership -----------------------------------------------------------------------------------------------------
def time_warp(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """After a moment enemies in the field are slow."""
    owner = int(game.units[slot]["owner"])
    radius, delay, _, factor = TIME_WARPS[game.patch]
    for part in ("speed", "attack"):
        game.state.buffs[TIME_WARP_BUFF][part] = factor
    game.memory.effects.append(GroundEffect(GROWING_EFFECT, owner, target.x, target.y, radius, game.loop + delay))
    game.later(delay, "time warp", owner, target.x, target.y, TIME_WARP_LOOPS // TIME_WARP_GAP)


def slow(game: Game, owner: float, x: float, y: float, left: float) -> None:
    """One tick of the field: enemies (structures too, no Ultralisks) that stand in it now."""
    radius, _, spared, _ = TIME_WARPS[game.patch]
    if left == TIME_WARP_LOOPS // TIME_WARP_GAP:
        game.memory.effects.append(GroundEffect(WARP_EFFECT, int(owner), x, y, radius, game.loop + TIME_WARP_LOOPS))
    for other in within(game, x, y, radius, without=spared, enemy=int(owner)):
        if not frenzied(game, other):
            add_buff(game.units[other], game.state.buffs, TIME_WARP_BUFF, TIME_WARP_GAP + 1.0)
    if left > 1:
        game.later(TIME_WARP_GAP, "time warp", owner, x, y, left - 1)


def no_mothership(game: Game, slot: int) -> bool:
    """State OneMothership: the player has none and makes none."""
    player, kind = int(game.units[slot]["owner"]), game.facts.ids["Mothership"]
    if game.owned(player, "Mothership"):
        return False
    return not any(
        (game.jobs[hall, : game.units[hall]["job_count"]]["product"] == kind).any()
        for hall in game.owned(player, "Nexus")
    )


tech.STATES["OneMothership"] = no_mothership
ABILITIES[GRAVITON] = Kind(lift, can_lift, reached=lifting, timer=over, dropped=called_off, everyone=False, turns=True)
ABILITIES[GRAVITON_CANCEL] = Kind(drop, can_drop)
spell(ALIGN, align)
spell(ALIGN_CANCEL, end_alignment)
tech.STATES["PrismaticAligned"] = lambda game, slot: ALIGN_BUFF in game.units[slot]["buff"]
spell(TIME_WARP, time_warp, everyone=False, all_round=True)
AFTER["time warp"] = slow
ON_REMOVE.append(let_go)
every(TEAR_EVERY, tear, Race.PROTOSS)
