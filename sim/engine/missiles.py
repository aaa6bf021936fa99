"""Shots that fly: they follow their target wherever it walks and hit it if their weapon could still be aimed at it."""

from __future__ import annotations

import numpy as np

from sim.engine.bundles import crowd_of, roster_of
from sim.engine.catalog import AIR, GROUND
from sim.engine.damage import Shot, hit
from sim.engine.geometry import between
from sim.engine.impact import impact, next_bounce
from sim.engine.jit import inlined, rule
from sim.engine.parameters import FLIGHT_LIMIT
from sim.engine.state import FLYING, INSIDE, INVULNERABLE, REVEALED, TALL
from sim.engine.targeting import fight_distance, hidden, is_there, range_of
from sim.engine.vision import detected

_GONE = np.int32(-1)  # no shooter, in the type that slots have: else shots are compiled twice


@inlined
def first_speed(weapon):
    """Speed with which a missile's second, or only, stage begins."""
    return weapon.missile_start if weapon.missile_acceleration > 0.0 else weapon.missile_speed


@rule
def launch(world, slot, weapon, row, wait, roster, missiles):
    """Start a missile at the shooter's edge, or `wait` loops later (a later hit of one attack, which may be a blade's);
    without a free row the shot is lost."""
    unit = roster.units[slot]
    target = roster.units[unit.target]
    place = -1
    for k in range(missiles.shape[0]):
        if not missiles[k].alive:
            place = k
            break
    if place < 0:
        return
    world.missile_count = max(world.missile_count, place + 1)
    missile = missiles[place]
    missile.alive = 1
    missile.owner = unit.owner
    missile.source = slot
    missile.source_generation = unit.generation
    missile.flags = unit.flags
    missile.target = unit.target
    missile.target_generation = unit.target_generation
    missile.weapon = row
    missile.wait = wait
    missile.bounced = 0
    missile.before = -1
    start(missile, unit, target, weapon, roster.types)


@rule
def start(missile, unit, target, weapon, types):
    """Put a missile at its shooter's edge, on its first stage."""
    distance = max(between(unit.x, unit.y, target.x, target.y), 1e-3)
    ahead = min(types[unit.owner, unit.type].radius, distance)
    missile.x = unit.x + (target.x - unit.x) * ahead / distance
    missile.y = unit.y + (target.y - unit.y) * ahead / distance
    thrown = weapon.missile_throw
    if thrown < 0.0:
        edges = types[unit.owner, unit.type].radius + types[target.owner, target.type].radius
        thrown = max(distance - edges + thrown, 0.0)
    missile.thrown = thrown
    missile.speed = weapon.missile_throw_speed if thrown > 0.0 else first_speed(weapon)


@inlined
def still_in_reach(missile, unit, target, weapon, units, types):
    """True if a later hit of an attack finds its shooter there and the target in range (catalog: validators)."""
    if not is_there(units, missile.source, missile.source_generation):
        return False
    kind = types[unit.owner, unit.type]
    reach = range_of(unit, weapon) + weapon.late_slop
    return fight_distance(unit, kind, target, types[target.owner, target.type]) <= reach


@rule
def can_hit(missile, target, weapon, roster, eyes, slots):
    """True if the weapon could be aimed at the target (catalog: missiles have the flag ValidateWeapon): not at who is
    invulnerable or hidden from the shooter by now, nor at who was lifted out of its plane. Who has just hidden is
    looked for at once: marks of detection are renewed every few loops only."""
    secret = target.owner != missile.owner and hidden(target) and not target.flags & REVEALED
    if target.flags & INVULNERABLE or (secret and not detected(target, roster.units, roster.types, eyes, slots)):
        return False
    return target.flags & TALL != 0 or weapon.targets & (AIR if target.flags & FLYING else GROUND) != 0


@rule
def bounce(world, missile, shot, roster, events, crowd):
    """A glaive strikes and flies on to the nearest enemy around (catalog: a missile of its own); dead at the last."""
    here = roster.units[missile.target]
    x = here.x
    y = here.y
    fraction = shot.weapon.bounce_fraction**missile.bounced
    hit(world, missile.target, shot, fraction, True, roster, events)
    if missile.bounced >= shot.weapon.bounces:
        return
    slot = next_bounce(world, x, y, shot, missile.before, missile.target, roster, crowd)
    if slot < 0:
        return
    missile.alive = 1
    missile.bounced += 1
    missile.before = missile.target
    missile.target = slot
    missile.target_generation = roster.units[slot].generation
    missile.x = x
    missile.y = y


@inlined
def fly_missiles(arrays):
    """One loop of all missiles. One whose target died, went inside something or cannot be hit any more is lost."""
    world, units, types, missiles = arrays.world[0], arrays.units, arrays.types, arrays.missiles
    roster, crowd = roster_of(arrays), crowd_of(arrays)
    last = 0
    for k in range(world.missile_count):
        missile = missiles[k]
        if not missile.alive:
            continue
        target = units[missile.target]
        gone = not target.alive or target.generation != missile.target_generation or target.flags & INSIDE
        distance = between(missile.x, missile.y, target.x, target.y)
        if gone or distance > FLIGHT_LIMIT:
            missile.alive = 0
            continue
        weapon = arrays.weapons[missile.owner, missile.weapon]
        strikes = weapon.missile_speed <= 0.0
        if missile.wait > 0.0:
            missile.wait -= 1.0
            if missile.wait > 0.0:
                last = k + 1
                continue
            shooter = units[missile.source]
            if not still_in_reach(missile, shooter, target, weapon, units, types):
                missile.alive = 0
                continue
            start(missile, shooter, target, weapon, types)
            distance = between(missile.x, missile.y, target.x, target.y)
        if not strikes and not can_hit(missile, target, weapon, roster, arrays.eyes, world.slots):
            missile.alive = 0
            continue
        if missile.thrown > 0.0:
            missile.thrown -= missile.speed
            if missile.thrown <= 0.0:
                missile.speed = first_speed(weapon)
        elif weapon.missile_acceleration > 0.0:
            missile.speed = min(missile.speed + weapon.missile_acceleration, weapon.missile_speed)
        if strikes or distance - types[target.owner, target.type].radius <= missile.speed:
            missile.alive = 0
            source = missile.source
            if not is_there(units, source, missile.source_generation):
                source = _GONE
            shot = Shot(source, missile.owner, missile.flags, weapon)
            if weapon.bounces:
                bounce(world, missile, shot, roster, arrays.events, crowd)
                last = k + 1 if missile.alive else last
                continue
            impact(world, missile.target, shot, roster, arrays.events, crowd)
            continue
        missile.x += (target.x - missile.x) * missile.speed / distance
        missile.y += (target.y - missile.y) * missile.speed / distance
        last = k + 1
    world.missile_count = last
