"""Shield batteries: 36 shields a normal second for a third of that in energy, to one unit or structure in reach.

Two do not restore the same one, and by themselves they leave structures without weapons alone (Liquipedia). Catalog:
by itself one begins with 10 energy and with the unit that has the smallest share of its shields, of several the
nearest; Interceptors get none. In the newer patch one begins with 50 energy, and with 50 more near an own Nexus, be
that complete or not (catalog of 5.0.13: BatteryAddEnergy; the notes of 5.0.14: up to 12 cells off for 10 before)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import AUTOCAST, INVULNERABLE, POWERED, STRUCTURE, UNFINISHED
from sim.melee.active import every
from sim.melee.areas import within
from sim.melee.casts import gap
from sim.melee.census import of_type
from sim.melee.records import Race, Result, Target
from sim.melee.registry import ABILITIES, ON_FINISHED, SMART, Kind

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

PERIOD = 2
RATE = 36 / 16 * PERIOD  # shields
COST = 0.33  # energy for one
START = 10.0  # energy with which one begins by itself
REACH, SLOP = 6.0, 1.0  # edge to edge; how far beyond it a patient is kept (catalog: RangeSlop)
FAR = REACH + SLOP + 4.0  # from middle to middle: no patient is farther off
ATTACK_BUILDING = 2048
RESTORE = (4113, 3765)  # of the two patches
# The catalog's filters: the older patch spares neither who is in stasis nor who is invulnerable.
NO_PATIENTS = {"5.0.14": UNFINISHED | INVULNERABLE, "4.10.0": UNFINISHED}
GIFT, GIFT_REACH = {"5.0.14": 50.0}, 12.0  # energy of a new one, and how far off it the Nexus' edge may be


def begin(game: Game, slot: int) -> None:
    """A new battery near an own Nexus has more energy."""
    unit = game.units[slot]
    if int(unit["type"]) != game.facts.ids["ShieldBattery"] or game.patch not in GIFT:
        return
    nexus = game.facts.ids["Nexus"]
    near = within(game, float(unit["x"]), float(unit["y"]), GIFT_REACH, owner=int(unit["owner"]))
    if any(int(game.units[hall]["type"]) == nexus for hall in near):
        unit["energy"] = min(float(unit["energy"]) + GIFT[game.patch], float(game.type_of(slot)["energy_max"]))


def works(battery: np.void) -> bool:
    """It is complete, has power, and energy to begin with."""
    return bool(battery["energy"] >= COST) and int(battery["flags"]) & (UNFINISHED | POWERED) == POWERED


def recharge(game: Game) -> None:
    """Every powered battery with energy restores the patient it has, else the nearest one that no other restores."""
    units = game.units
    ready = [slot for slot in of_type(game, "ShieldBattery") if works(units[slot])]
    served: set[int] = set()  # no two restore the same one, and who is at it goes on
    # stable: who has a patient chooses first
    for slot in sorted(ready, key=lambda slot: int(units[slot]["target"]) < 0):
        battery = units[slot]
        patient = find(game, slot, served)
        battery["target"] = patient
        if patient < 0:
            continue
        served.add(patient)
        other = units[patient]
        battery["target_generation"] = other["generation"]
        amount = min(RATE, float(other["shield_max"] - other["shield"]), float(battery["energy"]) / COST)
        other["shield"] += amount
        game.world[0]["healed"][battery["owner"], 1] += amount
        battery["energy"] -= amount * COST


def find(game: Game, slot: int, served: set[int]) -> int:
    """Whom a battery restores: its patient of before, or by itself the own unit or armed structure with the smallest
    share of its shields, but for those `served` by others; -1 = nobody."""
    units = game.units[: int(game.world[0]["slots"])]
    battery = units[slot]
    x, y = float(battery["x"]), float(battery["y"])
    hurt = (units["owner"] == battery["owner"]) & (units["shield"] < units["shield_max"])
    hurt &= (units["flags"] & NO_PATIENTS[game.patch] == 0) & (units["type"] != game.facts.ids["Interceptor"])
    found = [other for other in game.near(x, y, FAR, hurt) if other not in served]
    before = int(battery["target"])
    same = before in found and units["generation"][before] == battery["target_generation"]
    if same and gap(game, slot, before) <= REACH + SLOP:
        return before
    if not int(battery["flags"]) & AUTOCAST or battery["energy"] < START:
        return -1
    found = [other for other in found if gap(game, slot, other) <= REACH]
    by_itself = [other for other in found if not int(units[other]["flags"]) & STRUCTURE or armed(game, other)]
    return min(by_itself, key=lambda other: float(units[other]["shield"] / units[other]["shield_max"]), default=-1)


def armed(game: Game, slot: int) -> bool:
    """It has a weapon, a Photon Cannon, or the bare order to attack, a Dark Shrine of the older patch (its catalog)."""
    attacks = int(game.units[slot]["type"]) in game.facts.abilities[ATTACK_BUILDING].casters
    return attacks or bool(game.type_of(slot)["weapons"][0] >= 0)


def can_restore(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """An own unit in reach with damaged shields, no Interceptor."""
    other = game.units[target.slot]
    if other["owner"] != game.units[slot]["owner"] or other["shield_max"] <= 0:
        return Result.CANT_TARGET_THAT_UNIT
    if other["type"] == game.facts.ids["Interceptor"]:
        return Result.CANT_TARGET_THAT_UNIT
    if other["shield"] >= other["shield_max"]:
        return Result.REQUIRES_HEAL_TARGET
    return Result.SUCCESS if gap(game, slot, target.slot) <= REACH else Result.TARGET_IS_OUT_OF_RANGE


def restore(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """The patient of the player's choice, as long as it is in reach."""
    game.units[slot]["target"] = target.slot
    game.units[slot]["target_generation"] = game.units[target.slot]["generation"]


def click(game: Game, slot: int, target: Target) -> int:
    """A right-click of a battery on whom it may restore does so (catalog: Smart); it means nothing else to one."""
    if int(game.units[slot]["type"]) != game.facts.ids["ShieldBattery"] or target.slot < 0:
        return 0
    ability = next(found for found in RESTORE if found in game.facts.abilities)
    return ability if can_restore(game, slot, game.facts.abilities[ability], target) == Result.SUCCESS else 0


for _ability in RESTORE:
    ABILITIES[_ability] = Kind(restore, can_restore)
every(PERIOD, recharge, Race.PROTOSS)
ON_FINISHED.append(begin)
SMART.append(click)
