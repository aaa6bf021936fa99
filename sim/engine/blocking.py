"""Who stands firm: nobody comes past an enemy who stands, or a friend who holds his place."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.detour import WIDTH
from sim.engine.grid import band, record_of
from sim.engine.jit import inlined, lowest
from sim.engine.lanes import bits_of, load
from sim.engine.steering import plane_of
from sim.engine.world import HOLDING, LANES, MOVING

ROUNDS = 3  # a way that still leads into somebody when it was mended so often is taken back
_TINY, _NOWHERE = np.float32(1e-4), np.float32(1e-6)
_NONE, _ONE_BIT, _MOVES, _HOLDS = np.uint32(0), np.uint32(1), np.uint32(MOVING), np.uint32(HOLDING)


@inlined
def push_out(unit, kind, spot, lane, x, y):
    """Move a unit away from another until it touches it, or is as near to it as it was at a point."""
    dx = unit.x - spot.x[lane]
    dy = unit.y - spot.y[lane]
    distance = math.sqrt(dx * dx + dy * dy)
    before = math.sqrt((spot.x[lane] - x) ** 2 + (spot.y[lane] - y) ** 2)
    least = min((spot.separation[lane] + kind.separation) * WIDTH, before) + _TINY
    if _NOWHERE < distance < least:
        unit.x = spot.x[lane] + dx * (least / distance)
        unit.y = spot.y[lane] + dy * (least / distance)


@inlined
def keep_off(world, unit, slot, kind, x, y, crowd):
    """Take back what of the way from a point to where the unit now is leads deeper into an enemy who stands, or into a
    friend who holds his place: neither pushes nor a way along a wall get anybody past these. Friends at rest give way.
    True if the unit is elsewhere now."""
    far = kind.separation + world.widest_separation
    for again in range(ROUNDS):
        found = False
        first, end = band(world, crowd.buckets, unit.y - far, unit.y + far)
        for record in range(record_of(first), record_of(end + LANES - 1)):
            spot = crowd.spots[record]
            dx = load(spot.x) - unit.x
            dy = load(spot.y) - unit.y
            old_dx = load(spot.x) - x
            old_dy = load(spot.y) - y
            wide = (load(spot.separation) + kind.separation) * WIDTH
            square = dx * dx + dy * dy
            deeper = (square < wide * wide) & (square < old_dx * old_dx + old_dy * old_dy)
            there = (load(spot.marks) & plane_of(unit) != _NONE) & (load(spot.slot) != np.int32(slot))
            firm = (load(spot.owner) != np.int32(unit.owner)) | (load(spot.marks) & _HOLDS != _NONE)
            bits = bits_of(deeper & there & firm & (load(spot.marks) & _MOVES == _NONE))
            while bits:
                lane = lowest(bits)
                bits &= bits - _ONE_BIT
                found = True
                push_out(unit, kind, spot, lane, x, y)
        if not found:
            return again > 0
    unit.x = x
    unit.y = y
    return True
