"""A shot lands: its hit, splash and beams, and whom a bouncing one flies on to."""

from __future__ import annotations

from sim.engine.catalog import SPLASH_AT_SELF
from sim.engine.damage import hit
from sim.engine.geometry import between
from sim.engine.grid import band, lane_of, record_of
from sim.engine.jit import rule
from sim.engine.parameters import LARGE, LOWERED_DEPOT
from sim.engine.splash import splash
from sim.engine.state import INSIDE, INVULNERABLE
from sim.engine.targeting import hidden


@rule
def next_bounce(world, x, y, shot, before, present, roster, crowd):
    """Slot of the nearest enemy around a point for a bouncing shot, -1 = none; `before`, `present` were hit already,
    and Changelings in disguise are spared (catalog: TargetNotChangeling)."""
    weapon = shot.weapon
    far = weapon.bounce_range + world.widest_radius
    best = -1
    best_distance = float(weapon.bounce_range)
    first, end = band(world, crowd.buckets, y - far, y + far)
    for place in range(first, end):
        spot = crowd.spots[record_of(place)]
        lane = lane_of(place)
        slot = spot.slot[lane]
        if spot.owner[lane] == shot.owner or spot.owner[lane] == 0 or slot in (before, present):
            continue
        other = roster.units[slot]
        if other.flags & INVULNERABLE or hidden(other) or other.hp <= 0.0:
            continue
        if roster.types[other.owner, other.type].target_priority <= 0:
            continue
        distance = max(between(x, y, other.x, other.y) - spot.radius[lane], 0.0)
        if distance < best_distance:
            best = slot
            best_distance = distance
    return best


@rule
def next_beam(world, target, shot, before, reached, units, crowd):
    """Slot of the enemy around the shooter that is next farther than `reached` (of slot `before`), without the shot's
    own target; -1 = none within the beams' range."""
    weapon = shot.weapon
    shooter = units[shot.shooter]
    far = weapon.beam_range + world.widest_radius
    best = -1
    best_distance = weapon.beam_range + 1e-4
    first, end = band(world, crowd.buckets, shooter.y - far, shooter.y + far)
    for place in range(first, end):
        spot = crowd.spots[record_of(place)]
        lane = lane_of(place)
        slot = spot.slot[lane]
        if spot.owner[lane] == shooter.owner or spot.owner[lane] == 0 or slot == target:
            continue
        other = units[slot]
        if other.flags & (INVULNERABLE | INSIDE) or hidden(other) or other.hp <= 0.0:
            continue
        distance = between(shooter.x, shooter.y, other.x, other.y) - spot.radius[lane]
        if distance < reached or (distance == reached and slot <= before):
            continue
        if distance < best_distance or (distance == best_distance and slot < best):
            best = slot
            best_distance = distance
    return best


@rule
def impact(world, target, shot, roster, events, crowd):
    """A shot lands on the unit in slot `target`: the hit itself, then its splash, then its beams. One that splashes
    round its shooter or has beams is no missile."""
    weapon = shot.weapon
    victim = roster.units[target]
    x = victim.x
    y = victim.y
    ranged = not weapon.melee
    hit(world, target, shot, 1.0, ranged, roster, events)
    large = roster.types[victim.owner, victim.type].radius >= LARGE and victim.type != LOWERED_DEPOT
    if weapon.splash_small and large:
        return
    if weapon.splash == SPLASH_AT_SELF:
        x = roster.units[shot.shooter].x
        y = roster.units[shot.shooter].y
    if weapon.splash:
        splash(world, x, y, target, shot, roster, events, crowd)
    before = -1
    reached = -1e6
    for _ in range(weapon.beams):
        before = next_beam(world, target, shot, before, reached, roster.units, crowd)
        if before < 0:
            break
        shooter = roster.units[shot.shooter]
        struck = roster.units[before]
        reached = between(shooter.x, shooter.y, struck.x, struck.y) - roster.types[struck.owner, struck.type].radius
        hit(world, before, shot, 1.0, ranged, roster, events)
