"""Passengers of a Bunker fire from inside it, compiled: range from the Bunker's edge, one cell farther."""

from __future__ import annotations

from sim.engine.combat import shoot
from sim.engine.jit import rule
from sim.engine.state import INSIDE, UNFINISHED
from sim.engine.targeting import best_target

BONUS = 1.0  # cells; catalog 5.0.14: BunkerWeaponRangeBonus
PERIOD = 2  # a passenger with its weapon ready looks for a target every so many loops (ours)


@rule
def fire_from_bunkers(
    world, units, types, weapons, buffs, missiles, events, walk, visibility, spots, buckets, bunker_type
):
    """All passengers of all Bunkers, one loop. Melee weapons stay silent."""
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or unit.flags & INSIDE == 0 or unit.inside < 0:
            continue
        bunker = units[unit.inside]
        if bunker.alive == 0 or bunker.type != bunker_type or bunker.flags & UNFINISHED != 0:
            continue
        row = types[unit.owner, unit.type].weapons[0]
        if row < 0 or unit.cooldown[0] > 0.0 or (world.loop + slot) % PERIOD != 0:
            continue
        weapon = weapons[unit.owner, row]
        if weapon.melee != 0:
            continue
        kind = types[bunker.owner, bunker.type]
        reach = weapon.range + BONUS
        found = best_target(world, bunker, kind, weapon.targets, reach, 0.0, walk, visibility, spots, buckets)
        if found < 0:
            continue
        unit.x = bunker.x
        unit.y = bunker.y
        unit.target = found
        unit.target_generation = units[found].generation
        shoot(world, slot, weapon, row, units, types, buffs, missiles, events, walk, spots, buckets)
        unit.target = -1
        unit.cooldown[0] = weapon.period / unit.attack_factor
