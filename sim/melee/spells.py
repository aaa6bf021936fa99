"""Abilities with an effect: how a unit casts and what that costs. The effects are in `effects_terran.py` and others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sim.melee.orders import ANYWHERE
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, ON_REMOVE, Check, Kind, always

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

FAR = 400.0  # a range beyond this needs no walk
Cast = Callable[["Game", int, "Ability", Target], None]


def spell(ability_id: int, cast: Cast, check: Check = always, *, everyone: bool = True) -> None:
    """Registers what an ability does: walk into range, wait its preparation, pay energy, life and cooldown, `cast`."""

    def apply(game: Game, slot: int, ability: Ability, target: Target) -> None:
        if ability.instant:
            pay(game, slot, ability)
            cast(game, slot, ability, target)
        elif not target.given or ability.target == "None" or ability.range > FAR:
            game.push_order(slot, ability.id, target, range=ANYWHERE)
        else:
            game.push_order(slot, ability.id, target, range=max(ability.range, 0.1))

    def reached(game: Game, slot: int) -> None:
        ability = game.facts.abilities[int(game.orders[slot, 0]["ability"])]
        if ability.prepare >= 1:
            game.orders[slot, 0]["timer"] = ability.prepare
        else:
            act(game, slot)

    def act(game: Game, slot: int) -> None:
        order = game.orders[slot, 0].copy()
        ability = game.facts.abilities[int(order["ability"])]
        other = int(order["target"])
        alive = other < 0 or (
            game.units[other]["alive"] and game.units[other]["generation"] == order["target_generation"]
        )
        game.finish_order(slot)
        if not alive or float(game.units[slot]["energy"]) < ability.energy:
            game.error(slot, ability.id, Result.ERROR if not alive else Result.NOT_ENOUGH_ENERGY)
            return
        pay(game, slot, ability)
        cast(game, slot, ability, Target(other, float(order["x"]), float(order["y"]), other < 0))

    ABILITIES[ability_id] = Kind(apply, check, reached=reached, timer=act, everyone=everyone)


def pay(game: Game, slot: int, ability: Ability) -> None:
    """Energy, life and cooldown of a cast."""
    unit = game.units[slot]
    unit["energy"] -= ability.energy
    unit["hp"] -= ability.hp_cost
    if ability.cooldown:
        game.ready[slot, ability.id] = game.loop + round(ability.cooldown)


def forget(game: Game, slot: int) -> None:
    """Cooldowns end with their unit."""
    for key in [key for key in game.ready if key[0] == slot]:
        del game.ready[key]


ON_REMOVE.append(forget)
