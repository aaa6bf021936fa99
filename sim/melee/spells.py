"""Abilities with an effect: how a unit casts and what that costs. The effects are in `effects_terran.py` and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.order import ANYWHERE
from sim.engine.state import AUTOCAST, HOLD_FIRE
from sim.melee import tech
from sim.melee.casts import (
    CAST,
    FAR,
    FOUND,
    bind,
    fail,
    gap,
    judged_again,
    looking,
    release,
    seen_or_wait,
    still_there,
    watch,
)
from sim.melee.orders import AIMED
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, ON_REMOVE, ON_SPAWN, Check, Kind, always

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

Cast = Callable[["Game", int, "Ability", Target], None]


def spell(
    ability_id: int,
    cast: Cast,
    check: Check = always,
    *,
    everyone: bool = True,
    bound: bool = False,
    aside: bool = False,
    slop: float = -1.0,
    all_round: bool = False,
    forfeits: tuple[str, ...] = (),
) -> None:
    """Registers what an ability does: walk into range, wait its preparation, pay energy, life and cooldown, `cast`, and
    stay there for its finishing time if nothing else is ordered.

    bound  its preparation and finish are uninterruptible: the caster neither moves nor fires, new orders wait behind
           it
    aside  it is cast at once and leaves the caster's orders alone (observed, where the catalog does not say so)
    slop   how far beyond its range (edge to edge) the target may be when the preparation ends; -1: anywhere
    all_round  it needs no turn to the target (catalog: an Arc of 360)
    forfeits  patches in which a preparation that comes to nothing costs the cooldown all the same
    """

    def apply(game: Game, slot: int, ability: Ability, target: Target) -> None:
        if ability.instant or aside:
            pay(game, slot, ability)
            cast(game, slot, ability, target)
        elif not target.given or ability.target == "None":
            game.push_order(slot, ability.id, target, range=ANYWHERE)
        elif ability.range > FAR:
            game.push_order(slot, ability.id, target, range=AIMED)
        else:
            own = tech.improved(game, int(game.units[slot]["owner"]), ability.id)
            game.push_order(slot, ability.id, target, range=max(own.range, 0.1))

    def reached(game: Game, slot: int) -> None:
        order = game.orders[slot, 0]
        ability = game.facts.abilities[int(order["ability"])]
        if not seen_or_wait(game, slot):
            return
        verdict = judged_again(game, slot, ability, check)
        if verdict != Result.SUCCESS:
            fail(game, slot, verdict)
        elif ability.prepare >= 1:
            order["timer"] = ability.prepare
            if bound:
                bind(game, slot)
                watch(game, slot)
        else:
            act(game, slot)

    def timer(game: Game, slot: int) -> None:
        if looking(game, slot):
            reached(game, slot)
        elif game.orders[slot, 0]["y2"] == CAST:
            if bound:
                release(game, slot)
            game.finish_order(slot)
        else:
            act(game, slot)

    def act(game: Game, slot: int) -> None:
        if bound:
            release(game, slot)
        order = game.orders[slot, 0].copy()
        ability = game.facts.abilities[int(order["ability"])]
        other = int(order["target"])
        near = still_there(game, slot)
        near = near and (other < 0 or slop < 0 or gap(game, slot, other) <= ability.range + slop)
        able = near and float(game.units[slot]["energy"]) >= game.energy_for(slot, ability)
        if able:
            pay(game, slot, ability)  # before the next order, which may act at once
        if able and ability.finish >= 1:
            game.orders[slot, 0]["y2"], game.orders[slot, 0]["timer"] = CAST, ability.finish
            if bound:
                bind(game, slot)
        else:
            game.finish_order(slot)
        if not able:
            if game.patch in forfeits:
                cool_down(game, slot, ability)
            game.error(slot, ability.id, Result.NOT_ENOUGH_ENERGY if near else Result.ERROR)
            return
        cast(game, slot, ability, Target(other, float(order["x"]), float(order["y"]), other < 0))

    def dropped(game: Game, slot: int, order: Any) -> None:
        if bound and order["stage"]:
            release(game, slot)
            if game.patch in forfeits and order["y2"] == FOUND and game.units[slot]["alive"]:
                cool_down(game, slot, game.facts.abilities[int(order["ability"])])

    ABILITIES[ability_id] = Kind(
        apply, check, reached=reached, timer=timer, dropped=dropped, everyone=everyone, turns=not all_round
    )


def pay(game: Game, slot: int, ability: Ability) -> None:
    """Energy, life and cooldown of a cast."""
    unit = game.units[slot]
    unit["energy"] -= game.energy_for(slot, ability)
    unit["hp"] -= game.life_for(slot, ability)
    cool_down(game, slot, ability)


def cool_down(game: Game, slot: int, ability: Ability) -> None:
    """The ability's cooldown begins, if it has one."""
    if ability.cooldown:
        own = tech.improved(game, int(game.units[slot]["owner"]), ability.id)
        game.memory.ready[slot, ability.id] = game.loop + round(own.cooldown)


def forget(game: Game, slot: int) -> None:
    """Cooldowns end with their unit."""
    for key in [key for key in game.memory.ready if key[0] == slot]:
        del game.memory.ready[key]


def autocast_from_birth(game: Game, slot: int) -> None:
    """Types whose autocast is on when they are made: Widow Mine, Cyclone ... (healers: `mending.py`)."""
    passive = int(game.units[slot]["flags"]) & HOLD_FIRE or game.type_of(slot)["heal_rate"] > 0
    if int(game.units[slot]["type"]) in tech.autocasters(game.facts.patch) and not passive:
        game.units[slot]["flags"] |= np.uint32(AUTOCAST)


ON_REMOVE.append(forget)
ON_SPAWN.append(autocast_from_birth)
