"""Repair and healing by order; the kernel carries them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.state import AUTOCAST, HEAL, HOLD_FIRE, REPAIR, UNFINISHED
from sim.melee.records import Result, Target
from sim.melee.registry import KINDS, ON_FINISHED, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game


def can_repair(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An own unit or structure, finished (the filters allow neutral ones; a Repair Drone's, unfinished ones)."""
    other = game.units[target.slot]
    if other["owner"] != game.units[slot]["owner"] or int(other["flags"]) & UNFINISHED:
        return Result.CANT_TARGET_THAT_UNIT
    return repair_paid(game, int(other["owner"]), target.slot)


def repair_paid(game: Game, player: int, patient: int) -> int:
    """Who has nothing left of what a repair costs begins none (observed of 4.10 without minerals). -> ActionResult"""
    row = game.type_of(patient)
    if row["minerals"] > 0 and not game.can_pay(player, 1, 0):
        return Result.NOT_ENOUGH_MINERALS
    return Result.SUCCESS if row["gas"] <= 0 or game.can_pay(player, 0, 1) else Result.NOT_ENOUGH_VESPENE


def can_heal(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An own unit (the filters allow neutral ones), and not the patient that its order names already (a public
    program's record of 105 real fights: told again the game says AlreadyTargeted, and the heal goes on)."""
    if game.units[target.slot]["owner"] != game.units[slot]["owner"]:
        return Result.CANT_TARGET_THAT_UNIT
    order = game.orders[slot, 0]
    heals = game.units[slot]["order_count"] > 0 and order["verb"] == HEAL and not target.queued
    return Result.ALREADY_TARGETED if heals and order["target"] == target.slot else Result.SUCCESS


def repair(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Walks up and mends."""
    game.push_order(slot, ability.id, target, verb=REPAIR)


def heal(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Follows and heals."""
    game.push_order(slot, ability.id, target, verb=HEAL)


def autocast(game: Game, slot: int) -> None:
    """Healers look after the wounded by themselves from birth; workers only once they are told to."""
    unit = game.units[slot]
    if game.type_of(slot)["heal_rate"] > 0 and not int(unit["flags"]) & HOLD_FIRE:
        unit["flags"] |= AUTOCAST


ON_FINISHED.append(autocast)
KINDS["repair"] = Kind(repair, can_repair)
KINDS["heal"] = Kind(heal, can_heal)
