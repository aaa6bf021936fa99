"""Spatial hash: units in the order of their buckets, copied small, so that searches compare many at once."""

from __future__ import annotations

import numpy as np

from sim.engine.jit import inlined
from sim.engine.parameters import BUCKET, LOOK_AHEAD, OVERLAP
from sim.engine.state import (
    AIR,
    BIOLOGICAL,
    BURROWED,
    CLOAKED,
    DETECTED,
    DISARMED,
    FLYING,
    GROUND,
    HOLD,
    IMMOBILE,
    INSIDE,
    INVULNERABLE,
    MAX_WEAPONS,
    MECHANICAL,
    NO_COLLISION,
    STRUCTURE,
    TALL,
    UNFINISHED,
)
from sim.engine.world import (
    ANY_PLANE,
    BODY,
    FIGHTING,
    FIXED,
    HIDDEN,
    HITS_AIR,
    HITS_GROUND,
    IN_AIR,
    LANE_BITS,
    LANES,
    MOVING,
    PATIENT_BODY,
    PATIENT_MACHINE,
    SOLID,
    SOLID_IN_AIR,
    TARGETABLE,
)

PER_CELL = np.float32(1.0 / BUCKET)
_AHEAD, _TOUCHED = np.float32(LOOK_AHEAD), np.float32(-OVERLAP)


@inlined
def bucket_of(world, x, y):
    """Index of the bucket of a unit's place."""
    column = int(x * PER_CELL) - world.left
    row = int(y * PER_CELL) - world.bottom
    return row * world.across + column


@inlined
def band(world, buckets, low, high):
    """(first, end) place of the units whose buckets' rows lie between two y coordinates: whom a search looks at. Rows
    are looked at whole, since comparing LANES units at once costs less than to find the right buckets of each row."""
    first = min(max(int(low * PER_CELL) - world.bottom, 0), world.along)
    last = min(int(high * PER_CELL) - world.bottom, world.along - 1)
    if last < first:
        return 0, 0
    return buckets[first * world.across], buckets[(last + 1) * world.across]


@inlined
def record_of(place):
    """Record of `spots` that holds a place; its lane is `lane_of(place)`."""
    return place >> LANE_BITS


@inlined
def lane_of(place):
    """See `record_of`."""
    return place & (LANES - 1)


@inlined
def reach_of_weapons(kind, weapons, flags):
    """GROUND and AIR bits of what a unit's weapons can hit now; 0 for the disarmed."""
    if flags & (DISARMED | UNFINISHED | INSIDE):
        return 0
    bits = 0
    for k in range(MAX_WEAPONS):
        if kind.weapons[k] >= 0:
            bits |= weapons[kind.weapons[k]].targets
    return bits


@inlined
def marks_of(unit, kind, weapons, verb):
    """The bits by which a unit's neighbours know it."""
    flags = unit.flags
    marks = 0
    structure = flags & STRUCTURE
    if not flags & INVULNERABLE:
        marks |= TARGETABLE
    if flags & TALL:
        marks |= ANY_PLANE
    if flags & (CLOAKED | BURROWED) and not flags & DETECTED:
        marks |= HIDDEN
    if not flags & (NO_COLLISION | BURROWED) and (not structure or kind.speed > 0.0):
        marks |= SOLID_IN_AIR if flags & FLYING else SOLID
    if structure:
        marks |= BODY
    if flags & FLYING:
        marks |= IN_AIR
    if unit.moving:
        marks |= MOVING
    elif unit.windup >= 0.0 or unit.target >= 0:
        marks |= FIGHTING
    if flags & IMMOBILE or verb == HOLD or kind.speed <= 0.0:
        marks |= FIXED
    bits = reach_of_weapons(kind, weapons, flags)
    if not kind.worker or unit.target >= 0:
        if bits & GROUND:
            marks |= HITS_GROUND
        if bits & AIR:
            marks |= HITS_AIR
    if unit.hp < unit.hp_max and not flags & UNFINISHED:
        if kind.attributes & BIOLOGICAL and not structure:
            marks |= PATIENT_BODY
        if kind.attributes & MECHANICAL or (structure and unit.owner > 0 and kind.race == 1):
            marks |= PATIENT_MACHINE
    return marks


@inlined
def lay_out(world, units, buckets):
    """Fit the hash to the ground that units stand on, and empty it."""
    low_x = 1e9
    low_y = 1e9
    high_x = 0.0
    high_y = 0.0
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive and not unit.flags & INSIDE:
            low_x = min(low_x, unit.x)
            low_y = min(low_y, unit.y)
            high_x = max(high_x, unit.x)
            high_y = max(high_y, unit.y)
    world.left = int(min(low_x, high_x) * PER_CELL)
    world.bottom = int(min(low_y, high_y) * PER_CELL)
    world.across = int(high_x * PER_CELL) - world.left + 1
    world.along = int(high_y * PER_CELL) - world.bottom + 1
    for b in range(world.across * world.along + 2):
        buckets[b] = 0


@inlined
def build_grid(world, units, orders, types, weapons, spots, buckets):
    """Sort the units on the map into buckets: those of bucket b have the places buckets[b] to buckets[b + 1] - 1."""
    lay_out(world, units, buckets)
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive and not unit.flags & INSIDE:
            buckets[bucket_of(world, unit.x, unit.y) + 2] += 1
    for b in range(2, world.across * world.along + 2):
        buckets[b] += buckets[b - 1]
    widest = np.float32(0.0)
    apart = np.float32(0.0)
    highest = 0
    for slot in range(world.slots):
        unit = units[slot]
        if not unit.alive or unit.flags & INSIDE:
            continue
        place = bucket_of(world, unit.x, unit.y) + 1
        spot = spots[record_of(buckets[place])]
        lane = lane_of(buckets[place])
        buckets[place] += 1
        kind = types[unit.owner, unit.type]
        verb = 0
        if unit.order_count:
            verb = orders[slot, 0].verb
        spot.x[lane] = unit.x
        spot.y[lane] = unit.y
        spot.radius[lane] = kind.radius
        spot.separation[lane] = kind.separation
        spot.slot[lane] = slot
        spot.owner[lane] = unit.owner
        spot.rank[lane] = kind.target_priority
        marks = marks_of(unit, kind, weapons[unit.owner], verb)
        spot.marks[lane] = marks
        spot.room[lane] = _TOUCHED if marks & MOVING else _AHEAD
        widest = max(widest, kind.radius)
        highest = max(highest, kind.target_priority)
        if marks & (SOLID | SOLID_IN_AIR):
            apart = max(apart, kind.separation)
    count = buckets[world.across * world.along]
    for place in range(count, (count + LANES - 1) & -LANES):
        spot = spots[record_of(place)]
        lane = lane_of(place)
        spot.marks[lane] = 0
    world.highest_priority = highest
    world.widest_radius = widest
    world.widest_separation = apart
