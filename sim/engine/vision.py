"""Fog of war: what each player sees, and which hidden units are detected."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.geometry import between
from sim.engine.jit import rule
from sim.engine.parameters import HIGHER, SIGHT_EDGE, UNFINISHED_SIGHT
from sim.engine.state import (
    BLINDED,
    BURROWED,
    CLOAKED,
    DETECTED,
    FLYING,
    HALLUCINATION,
    INSIDE,
    PLAYERS,
    REVEALED,
    STRUCTURE,
    TALL,
    UNFINISHED,
    UNPOWERED,
)

_SEEN, _VISIBLE = np.uint8(1), np.uint8(2)


@rule
def see_disc(grid, levels, x, y, radius, above):
    """Mark every cell whose middle is within reach as visible; from the ground, none that lies a cliff higher."""
    radius += SIGHT_EDGE
    height, width = grid.shape
    row = min(max(int(y), 0), height - 1)
    column = min(max(int(x), 0), width - 1)
    limit = np.uint8(min(levels[row, column] + HIGHER, 255))
    for cy in range(max(int(y - radius), 0), min(int(y + radius) + 1, height)):
        dy = cy + 0.5 - y
        square = radius * radius - dy * dy
        if square < 0.0:
            continue
        half = math.sqrt(square)
        first = max(math.ceil(x - half - 0.5), 0)
        last = min(math.floor(x + half - 0.5), width - 1)
        if above:
            for cx in range(first, last + 1):
                grid[cy, cx] = _VISIBLE
        else:  # bytes only and no branch, so that the compiler takes many cells at once
            for cx in range(first, last + 1):
                grid[cy, cx] = _VISIBLE if levels[cy, cx] < limit else grid[cy, cx]


@rule
def sight_of(unit, kind):
    """How far a unit sees now."""
    if unit.flags & UNFINISHED:
        return min(kind.sight, kind.radius + UNFINISHED_SIGHT)
    return kind.sight


@rule
def detected(unit, units, types, eyes, slots):
    """True if some enemy of the unit's owner detects it."""
    kind = types[unit.owner, unit.type]
    for slot in range(slots):
        other = units[slot]
        if not other.alive or other.owner == unit.owner or other.owner == 0:
            continue
        reach = types[other.owner, other.type].detect
        if reach <= 0.0 or other.flags & (UNFINISHED | INSIDE | UNPOWERED):
            continue
        if other.flags & BLINDED and other.flags & STRUCTURE:  # catalog: BlindingCloudStructure
            continue
        if between(unit.x, unit.y, other.x, other.y) <= reach + kind.radius:
            return True
    for k in range(eyes.shape[0]):
        eye = eyes[k]
        if eye.left <= 0.0 or eye.detect <= 0.0 or eye.owner == unit.owner:
            continue
        if between(unit.x, unit.y, eye.x, eye.y) <= eye.detect + kind.radius:
            return True
    return False


@rule
def mark_detected(world, units, types, eyes):
    """Renew the DETECTED flags of all hidden units."""
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive and unit.flags & (CLOAKED | BURROWED | HALLUCINATION):  # images are told, too
            if unit.flags & REVEALED or detected(unit, units, types, eyes, world.slots):
                unit.flags |= DETECTED
            else:
                unit.flags &= ~DETECTED


@rule
def see(arrays):
    """Renew all grids of a `World` and the DETECTED flags."""
    world, units, types, eyes = arrays.world[0], arrays.units, arrays.types, arrays.eyes
    levels, visibility = arrays.levels, arrays.visibility
    mark_detected(world, units, types, eyes)
    if not world.fog:
        return
    for owner in range(1, PLAYERS):
        grid = visibility[owner]
        for row in range(grid.shape[0]):
            for column in range(grid.shape[1]):
                grid[row, column] = min(grid[row, column], _SEEN)
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive and unit.owner > 0 and not unit.flags & INSIDE:
            kind = types[unit.owner, unit.type]
            above = unit.flags & (FLYING | TALL) != 0
            see_disc(visibility[unit.owner], levels, unit.x, unit.y, sight_of(unit, kind), above)
    for k in range(eyes.shape[0]):
        eye = eyes[k]
        if eye.left > 0.0 and eye.owner > 0:
            see_disc(visibility[eye.owner], levels, eye.x, eye.y, eye.radius, eye.flying != 0)
