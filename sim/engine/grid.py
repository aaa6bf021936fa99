"""Units in the order of their places, copied small, so that searches compare many at once."""

from __future__ import annotations

import numpy as np

from sim.engine.jit import inlined, rule
from sim.engine.parameters import BUCKET, LOOK_AHEAD, OVERLAP
from sim.engine.state import INSIDE
from sim.engine.traits import marks_of, repairs
from sim.engine.world import (
    FEW,
    FIGHTING,
    HITS_AIR,
    HITS_GROUND,
    LANE_BITS,
    LANES,
    MOVING,
    SOLID,
    SOLID_BELOW,
    SOLID_IN_AIR,
)

PER_CELL = np.float32(1.0 / BUCKET)
_AHEAD, _TOUCHED = np.float32(LOOK_AHEAD), np.float32(-OVERLAP)
_ROW_BITS, _COLUMN_BITS, _SLOTS = 24, 16, 0xFFFF
_THREATS = HITS_GROUND | HITS_AIR


@inlined
def key_of(unit, slot):
    """Units are kept by rows of buckets, in a row by columns, in a bucket by slots."""
    return np.uint32(int(unit.y * PER_CELL) << _ROW_BITS | int(unit.x * PER_CELL) << _COLUMN_BITS | slot)


@inlined
def sort(keys, count, gap):
    """Order those keys among each other that lie `gap` places apart: quick where they are nearly in order."""
    for k in range(gap, count):
        key = keys[k]
        place = k
        while place >= gap and keys[place - gap] > key:
            keys[place] = keys[place - gap]
            place -= gap
        keys[place] = key


@rule
def muster(arrays):
    """Find out who is on the map, for the loops until somebody may enter it: nearly sorted."""
    world, units, keys = arrays.world[0], arrays.units, arrays.keys
    count = 0
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive and not unit.flags & INSIDE:
            keys[count] = key_of(unit, slot)
            count += 1
    world.present = count
    for gap in (301, 132, 57, 23, 10, 4):
        sort(keys, count, gap)


@rule
def mark_rows(keys, count, buckets):
    """Write the first place of each row of buckets into `buckets`."""
    for row in range(buckets.shape[0]):
        buckets[row] = 0
    for k in range(count):
        buckets[(keys[k] >> _ROW_BITS) + 1] += 1
    for row in range(1, buckets.shape[0]):
        buckets[row] += buckets[row - 1]


@inlined
def band(world, buckets, low, high):
    """(first, end) place of the units whose buckets' rows lie between two y coordinates: whom a search looks at. Rows
    are looked at whole, since comparing LANES units at once costs less than to find the right buckets of each row; and
    FEW units are all looked at, since to tell their rows apart costs more."""
    if world.present <= FEW:
        return 0, world.present
    last = buckets.shape[0] - 2
    first = min(max(int(low * PER_CELL), 0), last)
    end = min(max(int(high * PER_CELL), 0), last)
    return buckets[first], buckets[end + 1]


@inlined
def record_of(place):
    """Record of `spots` that holds a place; its lane is `lane_of(place)`."""
    return place >> LANE_BITS


@inlined
def lane_of(place):
    """See `record_of`."""
    return place & (LANES - 1)


@inlined
def build_grid(arrays):
    """Copy the units on the map into `spots` in the order of their keys."""
    world, units, kinds, traits = arrays.world[0], arrays.units, arrays.kinds, arrays.traits
    keys, spots = arrays.keys, arrays.spots
    count = 0
    for k in range(world.present):
        slot = int(keys[k]) & _SLOTS
        if units[slot].alive and not units[slot].flags & INSIDE:
            keys[count] = key_of(units[slot], slot)
            count += 1
    world.present = count
    sort(keys, count, 1)
    widest = np.float32(0.0)
    apart = np.float32(0.0)
    highest = 0
    for place in range(count):
        slot = int(keys[place]) & _SLOTS
        spot = spots[record_of(place)]
        lane = lane_of(place)
        unit = units[slot]
        kind = kinds[slot]
        verb = 0
        if unit.order_count:
            verb = arrays.orders[slot, 0].verb
        spot.x[lane] = unit.x
        spot.y[lane] = unit.y
        spot.radius[lane] = kind.radius
        spot.separation[lane] = kind.separation
        spot.slot[lane] = slot
        spot.owner[lane] = unit.owner
        rank = kind.target_priority
        marks = marks_of(world.loop, unit, kind, traits[slot], verb)
        if repairs(unit, kind):
            rank = kinds[unit.target].target_priority
            marks = marks & ~_THREATS | traits[unit.target].marks & _THREATS
        spot.rank[lane] = rank
        spot.marks[lane] = marks
        spot.room[lane] = _TOUCHED if marks & MOVING else _AHEAD
        widest = max(widest, kind.radius)
        highest = max(highest, rank)
        if marks & (SOLID | SOLID_IN_AIR | SOLID_BELOW):
            apart = max(apart, kind.separation)
    if lane_of(count):
        spot = spots[record_of(count)]
        for lane in range(lane_of(count), LANES):
            spot.marks[lane] = 0
    if count > FEW:
        mark_rows(keys, count, arrays.buckets)
    world.highest_priority = highest
    world.widest_radius = widest
    world.widest_separation = apart


@inlined
def mark_anew(arrays):
    """Who has set out or stopped in this loop, now that orders have been looked at: before anybody moves."""
    for place in range(arrays.world[0].present):
        spot = arrays.spots[record_of(place)]
        lane = lane_of(place)
        unit = arrays.units[spot.slot[lane]]
        if unit.alive and not unit.flags & INSIDE:
            about = MOVING if unit.moving else FIGHTING if (unit.windup >= 0.0) | (unit.target >= 0) else 0
            spot.marks[lane] = spot.marks[lane] & ~(MOVING | FIGHTING) | about
            spot.room[lane] = _TOUCHED if unit.moving else _AHEAD
        else:
            spot.marks[lane] = 0
