"""What a hit does to its victim: bonus, shields, armour, books, who remembers it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.engine.buffs import air_guard, apply_buff, armor_bonus, fight_bonus, ranged_armor, shield_armor_bonus
from sim.engine.catalog import MASSIVE
from sim.engine.jit import inlined, rule
from sim.engine.parameters import CALL_PERIOD
from sim.engine.reports import is_news, report
from sim.engine.state import EAGER, FLYING, HALLUCINATION, HIT, INSIDE, INVULNERABLE, STRUCTURE, UNFINISHED, UNHARMED


class Shot(NamedTuple):
    """One attack that lands: by whom it was fired, and with what."""

    shooter: int  # its slot, -1 if it is gone since
    owner: int  # the shooter's
    flags: int  # the shooter's when it fired
    weapon: np.void  # WEAPON


@inlined
def raw_damage(weapon, kind):
    """Damage of one hit before armour: base, or the special amount against structures, and the bonus."""
    damage = weapon.damage
    if kind.structure and weapon.structure_damage > 0.0:
        return weapon.structure_damage
    if kind.attributes & weapon.bonus_attribute:
        damage += weapon.bonus
    return damage


@inlined
def take_damage(unit, kind, amount, extra, ignore_armor, buffs):
    """One hit: shields first with the shields' armour (`extra` more of it there), the rest to life with the unit's; at
    least 0.5 comes through. Structures that are not complete have no armour of their own."""
    if unit.shield > 0.0:
        through = amount + extra
        if not ignore_armor:
            through = max(through - kind.shield_armor - shield_armor_bonus(unit, buffs), 0.5)
        if through <= unit.shield:
            unit.shield -= through
            return
        amount = min(through - unit.shield, amount)
        unit.shield = 0.0
    own = 0.0 if kind.structure and unit.flags & UNFINISHED else kind.armor
    unit.hp -= amount if ignore_armor else max(amount - own - armor_bonus(unit, buffs), 0.5)


@rule
def book(world, by, owner, life, shield):
    """Add damage to the books of both sides."""
    world.taken[owner, 0] += life
    world.taken[owner, 1] += shield
    if by != owner:
        world.dealt[by, 0] += life
        world.dealt[by, 1] += shield


@rule
def hit(world, slot, shot, fraction, ranged, roster, events):
    """All hits of a shot on the unit in `slot`, scaled by `fraction` (splash, bounces). `ranged`: what weakens shots
    weakens it."""
    weapon = shot.weapon
    victim = roster.units[slot]
    if not victim.alive or victim.flags & (INVULNERABLE | INSIDE | UNHARMED):
        return
    if shot.flags & HALLUCINATION:
        return
    kind = roster.types[victim.owner, victim.type]
    before = victim.hp + victim.shield
    life = max(victim.hp, 0.0)
    shield = victim.shield
    amount = raw_damage(weapon, kind)
    if kind.attributes & weapon.bonus_attribute and shot.shooter >= 0:
        amount += fight_bonus(roster.units[shot.shooter], roster.buffs)
    amount *= fraction
    if not weapon.ignore_armor:  # an Oracle's beam is a spell (catalog: kind)
        if shot.flags & FLYING and not victim.flags & FLYING:
            amount *= air_guard(victim, roster.buffs)
        if ranged:
            amount -= ranged_armor(victim, roster.buffs)
    extra = weapon.shield_bonus * fraction
    bare = weapon.ignore_armor != 0 or (kind.structure and weapon.structure_damage > 0.0)
    if victim.flags & HALLUCINATION:  # twice the damage, and no armour (catalog, buff Hallucination)
        amount *= 2.0
        extra *= 2.0
        bare = True
    for _ in range(1 if weapon.apart > 0.0 else weapon.attacks):  # else each hit comes alone
        take_damage(victim, kind, amount, extra, bare, roster.buffs)
    book(world, shot.owner, victim.owner, life - max(victim.hp, 0.0), shield - victim.shield)
    if victim.flags & EAGER or is_news(world.loop, victim.last_hit, slot):
        report(world, events, HIT, slot, shot.owner, before - victim.hp - victim.shield)
    generation = roster.units[shot.shooter].generation if shot.shooter >= 0 else 0
    blame(world, victim, shot.owner, shot.shooter, generation)
    call(world, victim)
    if weapon.slow_buff > 0 and not kind.attributes & MASSIVE and not victim.flags & STRUCTURE:
        apply_buff(victim, roster.buffs, weapon.slow_buff)


@rule
def blame(world, victim, owner, attacker, generation):
    """A unit was hit by a player's unit (-1: that is gone already): it remembers by whom."""
    victim.last_hit = world.loop
    victim.hit_by = owner
    victim.last_attacker = attacker
    victim.attacker_generation = generation


@rule
def call(world, victim):
    """Who was just hit calls its friends, if an enemy's unit did it."""
    foe = victim.last_attacker
    if victim.hit_by != victim.owner and foe >= 0 and world.loop - victim.called >= CALL_PERIOD:
        victim.called = world.loop
        victim.foe = foe
        victim.foe_generation = victim.attacker_generation
        world.called[victim.owner] = world.loop
