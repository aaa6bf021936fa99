"""Buffs in the kernel: their time, and what they add up to."""

from __future__ import annotations

from sim.engine.jit import inlined, rule
from sim.engine.state import DISARMED, IMMOBILE, MAX_BUFFS, MORPHING


@inlined
def has_buffs(unit):
    """True if any buff is on."""
    total = 0
    for k in range(MAX_BUFFS):
        total += unit.buff[k]
    return total > 0


@rule
def refresh_factors(unit, buffs):
    """Multiply the buffs' factors anew."""
    speed = 1.0
    attack = 1.0
    for k in range(MAX_BUFFS):
        if unit.buff[k]:
            speed *= buffs[unit.buff[k]].speed
            attack *= buffs[unit.buff[k]].attack
    unit.speed_factor = speed
    unit.attack_factor = attack


@rule
def apply_buff(unit, buffs, buff):
    """Put a buff on for its usual time, or start its time anew; a unit that holds too many keeps what it has."""
    free = -1
    for k in range(MAX_BUFFS):
        if unit.buff[k] == buff:
            free = k
            break
        if unit.buff[k] == 0 and free < 0:
            free = k
    if free < 0:
        return
    unit.buff[free] = buff
    unit.buff_left[free] = buffs[buff].loops
    unit.buff_total[free] = buffs[buff].loops
    unit.flags |= buffs[buff].flags
    refresh_factors(unit, buffs)


@rule
def drop_buff(unit, buffs, place):
    """End the buff at one place; flags that no other buff sets are cleared, but not those of a morph that goes on."""
    gone = buffs[unit.buff[place]].flags
    if unit.flags & MORPHING:
        gone &= ~(IMMOBILE | DISARMED)
    unit.buff[place] = 0
    for k in range(MAX_BUFFS):
        if unit.buff[k]:
            gone &= ~buffs[unit.buff[k]].flags
    unit.flags &= ~gone
    refresh_factors(unit, buffs)


@rule
def tick_buffs(unit, buffs):
    """One loop of all buffs of a unit: time, energy, life. A buff that drains energy ends with it (cloak)."""
    for k in range(MAX_BUFFS):
        if not unit.buff[k]:
            continue
        row = buffs[unit.buff[k]]
        unit.hp = min(unit.hp + row.hp, unit.hp_max)
        if row.energy != 0.0:
            unit.energy += row.energy
            if unit.energy <= 0.0:
                unit.energy = 0.0
                drop_buff(unit, buffs, k)
                continue
        unit.buff_left[k] -= 1.0
        if unit.buff_left[k] <= 0.0:
            drop_buff(unit, buffs, k)


@rule
def armor_bonus(unit, buffs):
    """Armour that buffs add."""
    total = 0.0
    for k in range(MAX_BUFFS):
        if unit.buff[k]:
            total += buffs[unit.buff[k]].armor
    return total


@rule
def fight_bonus(unit, buffs):
    """Bonus damage that buffs add to the unit's weapons."""
    total = 0.0
    for k in range(MAX_BUFFS):
        if unit.buff[k]:
            total += buffs[unit.buff[k]].bonus
    return total


@rule
def ranged_armor(unit, buffs):
    """What buffs take off a hit of a ranged weapon."""
    total = 0.0
    for k in range(MAX_BUFFS):
        if unit.buff[k]:
            total += buffs[unit.buff[k]].ranged_armor
    return total


@rule
def air_guard(unit, buffs):
    """What buffs leave of a hit by a flyer."""
    factor = 1.0
    for k in range(MAX_BUFFS):
        if unit.buff[k]:
            factor *= buffs[unit.buff[k]].from_air
    return factor


@rule
def shield_armor_bonus(unit, buffs):
    """Armour of the shields that buffs add."""
    total = 0.0
    for k in range(MAX_BUFFS):
        if unit.buff[k]:
            total += buffs[unit.buff[k]].shield_armor
    return total
