"""Banelings: they burst on command, on contact and when they are killed; by themselves they spare structures.

Damage and radius are the row of their weapon; structures take the row's own amount, which armour does not lessen
(catalog, ability Explode). Friends are spared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.engine.state import FLYING, HALLUCINATION, INSIDE, SPARES_STRUCTURES, STRUCTURE
from sim.melee import lifecycle
from sim.melee.areas import within
from sim.melee.harm import an_enemy, author, hurt
from sim.melee.records import Result, Target
from sim.melee.registry import ABILITIES, KINDS, ON_REMOVE, ON_SPAWN, ON_TYPE, Kind
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

EXPLODE, STRUCTURES_ON, STRUCTURES_OFF, SAP, ATTACK = 42, 2081, 2082, 245, 23
WEAPON = "VolatileBurst"
BANELINGS = ("Baneling", "BanelingBurrowed")


def is_baneling(game: Game, slot: int) -> bool:
    """A baneling on the map, buried or not; images have nothing to spill, passengers no room for it (ours)."""
    unit = game.units[slot]
    return game.facts.names[int(unit["type"])] in BANELINGS and not int(unit["flags"]) & (HALLUCINATION | INSIDE)


def spill(game: Game, slot: int) -> None:
    """The acid hits every enemy on the ground round it."""
    unit = game.units[slot]
    owner, x, y, by = int(unit["owner"]), float(unit["x"]), float(unit["y"]), author(game, slot)
    weapon = game.weapons[owner, game.facts.weapon_names.index(WEAPON)]
    for other in within(game, x, y, float(weapon["ring_radius"][0]), without=FLYING, enemy=owner):
        if not lifecycle.on_level(game, other, x, y):
            continue  # acid does not run over cliffs
        if int(game.units[other]["flags"]) & STRUCTURE:
            hurt(game, other, float(weapon["structure_damage"]), by)
            continue
        fits = int(game.type_of(other)["attributes"]) & int(weapon["bonus_attribute"])
        hurt(game, other, float(weapon["damage"]) + (float(weapon["bonus"]) if fits else 0.0), by, armor=True)


def explode(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """It dies by its own hand, and with that it bursts."""
    game.units[slot]["hp"] = 0
    lifecycle.died(game, slot, int(game.units[slot]["owner"]))


def died(game: Game, slot: int) -> None:
    """Killed ones burst too; those that struck have done so already (the kernel marks them by their timer)."""
    unit = game.units[slot]
    if unit["hp"] <= 0 and is_baneling(game, slot) and unit["timer"] >= 0:
        spill(game, slot)


def spare(game: Game, slot: int, old: int = 0) -> None:
    """A new baneling looks for no structures until it is told to."""
    unit = game.units[slot]
    if old and game.facts.names[old] in BANELINGS:
        return
    if game.facts.names[int(unit["type"])] in BANELINGS:
        unit["flags"] |= SPARES_STRUCTURES
    elif int(unit["flags"]) & SPARES_STRUCTURES:
        unit["flags"] &= ~np.uint32(SPARES_STRUCTURES)


def can_switch(game: Game, slot: int, ability: Ability, target: Target) -> int:
    """Only the half of the toggle that changes something."""
    spares = bool(int(game.units[slot]["flags"]) & SPARES_STRUCTURES)
    return Result.SUCCESS if spares == (ability.id == STRUCTURES_ON) else Result.NOT_SUPPORTED


def switch(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """Structures are targets like all others, or no longer."""
    if ability.id == STRUCTURES_ON:
        game.units[slot]["flags"] &= ~np.uint32(SPARES_STRUCTURES)
    else:
        game.units[slot]["flags"] |= SPARES_STRUCTURES


def sap(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """An attack on the structure."""
    KINDS["attack"].apply(game, slot, game.facts.abilities[ATTACK], target)


spell(EXPLODE, explode)
ABILITIES[SAP] = Kind(sap, an_enemy)
for _ability in (STRUCTURES_ON, STRUCTURES_OFF):
    ABILITIES[_ability] = Kind(switch, can_switch)
ON_SPAWN.append(spare)
ON_TYPE.append(spare)
ON_REMOVE.append(died)
