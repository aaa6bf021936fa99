"""Lurkers: spines that run along a line, and held fire.

Catalog: an attack lets one spine break through after the other, two loops and one cell apart, as far as the weapon's
range and one cell on; each hits what is on the ground within half a cell, nobody twice. The kernel only aims and counts
the cooldown (its row has no hits of its own); at its next look the rule lets the spines run. Each spine asks whether
the weapon reaches it (WeaponInRange: not in a Blinding Cloud), before 5.0.11 also whether its lurker attacks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sim.engine.bufftable import add_buff, remove_buff
from sim.engine.state import BLINDED, DISARMED, FLYING, HALLUCINATION, HOLD_FIRE, tag_of
from sim.melee import tech
from sim.melee.active import every
from sim.melee.areas import within
from sim.melee.census import of_type
from sim.melee.ghost import give_up_attacks, told_to_attack
from sim.melee.harm import author, hurt, same
from sim.melee.records import GroundEffect, Race, Target
from sim.melee.registry import AFTER, TABLES
from sim.melee.spells import spell

if TYPE_CHECKING:
    from sim.facts import Ability
    from sim.melee.game import Game

HOLD, FREE, HOLD_BUFF = 2550, 2552, 137
BURIED = "LurkerMPBurrowed"
SPINE_EFFECT, SPINE_RADIUS, SPINE_GAP, LOOK_EVERY = 12, 0.5, 2, 2
WHILE_ATTACKING = ("4.10.0",)  # patches in which a row ends with the attack (validator CasterIsAttacking)
HIT = -12  # key of `game.memory.ready`: until when this attack's later spines pass a unit by


def silence(game: Game) -> None:
    """The kernel's own shots of buried lurkers do nothing: the spines do."""
    game.weapons["attacks"][:, int(game.facts.types[game.facts.ids[BURIED]]["weapons"][0])] = 0


def strike(game: Game) -> None:
    """Looks for lurkers that have struck; `timer` is the cooldown that the weapon had at the last look."""
    units = game.units
    for slot in of_type(game, BURIED):
        unit = units[slot]
        cooldown = float(unit["cooldown"][0])
        struck = cooldown > float(unit["timer"])
        unit["timer"] = cooldown
        victim = int(unit["target"])
        if struck and not int(unit["flags"]) & HALLUCINATION:
            angle = float(unit["turret"])
            if victim >= 0:
                dx, dy = float(units["x"][victim] - unit["x"]), float(units["y"][victim] - unit["y"])
                angle = math.atan2(dy, dx)
            row = game.weapons[unit["owner"], int(game.type_of(slot)["weapons"][0])]
            run(game, slot, int(unit["generation"]), angle, 1, math.floor(float(row["range"])) + 1)


def goes_on(game: Game, slot: int) -> bool:
    """The lurker is still buried, and its weapon reaches that far; in the older patch it need not reach (the notes of
    4.11), but the lurker must still attack somebody."""
    unit = game.units[slot]
    if int(unit["type"]) != game.facts.ids[BURIED]:
        return False
    if int(unit["flags"]) & BLINDED and game.patch not in WHILE_ATTACKING:
        return False
    silent = int(unit["flags"]) & DISARMED or (holding(game, slot) and not unit["order_count"])
    attacks = unit["target"] >= 0 and not silent
    return game.patch not in WHILE_ATTACKING or bool(attacks)


def spine_at(unit: np.void, angle: float, number: float) -> tuple[float, float]:
    """Where the so-manieth spine of a lurker comes up."""
    return float(unit["x"]) + number * math.cos(angle), float(unit["y"]) + number * math.sin(angle)


def show(game: Game, slot: int, angle: float, last: int) -> None:
    """The whole row is seen from its first spine on until it is through: two public programs get all nine places
    whenever there is one, and reckon themselves how far the spines have come, or run from the line's two ends."""
    unit, tag, until = game.units[slot], game.tag(slot), game.loop + last * SPINE_GAP
    for number in range(1, last + 1):
        x, y = spine_at(unit, angle, number)
        game.memory.effects.append(GroundEffect(SPINE_EFFECT, int(unit["owner"]), x, y, SPINE_RADIUS, until, tag))


def vanish(game: Game, slot: int, generation: int) -> None:
    """A row that ends early is seen no longer (ours)."""
    gone = (SPINE_EFFECT, tag_of(slot, generation))
    game.memory.effects[:] = [effect for effect in game.memory.effects if (effect.id, effect.source) != gone]


def run(game: Game, slot: float, generation: float, angle: float, number: float, last: float) -> None:
    """One spine breaks through, and the next is to come unless the row has ended."""
    slot, unit = int(slot), game.units[int(slot)]
    if not same(game, slot, generation) or (number > 1 and not goes_on(game, slot)):
        vanish(game, slot, int(generation))
        return
    owner = int(unit["owner"])
    row = game.weapons[owner, int(game.type_of(slot)["weapons"][0])]
    if number == 1:
        show(game, slot, angle, int(last))
    tag = game.tag(slot)
    x, y = spine_at(unit, angle, number)
    key = HIT - tag  # each lurker's spines by themselves
    for other in within(game, x, y, SPINE_RADIUS, without=FLYING, enemy=owner):
        if game.memory.ready.get((other, key), 0) > game.loop:
            continue
        game.memory.ready[other, key] = game.loop + int(last - number) * SPINE_GAP + 1
        fits = int(game.type_of(other)["attributes"]) & int(row["bonus_attribute"])
        damage = float(row["damage"]) + (float(row["bonus"]) if fits else 0.0)
        hurt(game, other, damage, author(game, slot), armor=True, ranged=True)
    if number < last:
        game.later(SPINE_GAP, "spines", slot, generation, angle, number + 1, last)


# -- held fire --------------------------------------------------------------------------------------------------------
def hold_fire(game: Game, slot: int, ability: Ability, target: Target) -> None:
    """A buried lurker stays silent, its attack is given up (CancelAttackOrders), or it is free to fire again."""
    unit = game.units[slot]
    if ability.id == HOLD:
        give_up_attacks(game, slot)
        unit["flags"] |= HOLD_FIRE
        add_buff(unit, game.state.buffs, HOLD_BUFF)
    else:
        unit["flags"] &= ~np.uint32(HOLD_FIRE)
        remove_buff(unit, game.state.buffs, HOLD_BUFF)


def speak_again(game: Game) -> None:
    """A lurker that comes up still holds its fire (modders), and does until it is told to attack."""
    for slot in told_to_attack(game, HOLD_BUFF):
        hold_fire(game, slot, game.facts.abilities[FREE], Target())


def holding(game: Game, slot: int) -> bool:
    """The lurker holds its fire."""
    return bool(int(game.units[slot]["flags"]) & HOLD_FIRE)


spell(HOLD, hold_fire)
spell(FREE, hold_fire)
tech.STATES.setdefault("HoldingFire", holding)
tech.STATES.setdefault("NotHoldingFire", lambda game, slot: not holding(game, slot))
AFTER["spines"] = run
TABLES.append(silence)
every(LOOK_EVERY, strike, Race.ZERG)
every(LOOK_EVERY, speak_again, Race.ZERG)
