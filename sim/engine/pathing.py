"""Ways for ground units: which distance field serves a goal, how long it stays good, and how long a way is.

Fields are kept in a fixed number of slots by goal cell and terrain version; the one longest unused is replaced. Goals
of one block share a field, and a change of the ground leaves a field in use for a while: who walks by it checks its
legs.
"""

from __future__ import annotations

import math

import numpy as np

from sim.engine.flood import FAR, fill_field
from sim.engine.jit import rule
from sim.engine.lines import clear_line
from sim.engine.parameters import BLOCK, CROSSING, CROSSING_LIMIT, HALF_BODY, SHORE
from sim.engine.world import QUERY_FIELDS

# A window of eight by eight cells as the bits of one number: row by row, the cell in question in row and column 4.
HALF_WINDOW = 4
ONE, EIGHT = np.uint64(1), np.uint64(8)
FIRST_COLUMN, LAST_COLUMN = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
RIM = np.uint64(0xFF818181818181FF)


@rule
def anchor_of(walk, goal_x, goal_y, rests):
    """Cell whose field serves a goal: the middle of the goal's block where it sees the goal, else the goal's own.

    A goal that `rests` inside a body (a structure, a geyser) has a field of its own, which leads to the side that is
    nearest on the way. Another one on blocked ground (a flyer over a chasm) counts as the free cell nearest to it;
    without any near by, all goals of a block share one field.
    """
    height, width = walk.shape
    x = min(max(int(goal_x), 0), width - 1)
    y = min(max(int(goal_y), 0), height - 1)
    if walk[y, x] == 0:
        if rests and nearest_free(walk, goal_x, goal_y, HALF_BODY) >= 0:
            return y * width + x
        cell = nearest_free(walk, goal_x, goal_y, SHORE)
        if cell < 0:
            return (y // BLOCK * BLOCK) * width + x // BLOCK * BLOCK
        y = cell // width
        x = cell - y * width
    mx = min(x // BLOCK * BLOCK + BLOCK // 2, width - 1)
    my = min(y // BLOCK * BLOCK + BLOCK // 2, height - 1)
    if walk[my, mx] and clear_line(walk, x + 0.5, y + 0.5, mx + 0.5, my + 0.5):
        return my * width + mx
    return y * width + x


@rule
def _usable(world, field, distance, start, patience):
    """True if a field still serves a unit in the start cell: it reaches it, over ground that did not change since, or
    changed less than `patience` loops after the field was filled."""
    if distance[start] >= FAR and field.levels < CROSSING_LIMIT:
        return False
    if field.version == world.terrain_version:
        return True
    return world.loop - field.filled < patience and distance[start] < CROSSING


@rule
def field_for(world, ground, walk, ways, first, last, goal, start, budget, patience):
    """Slot in first..last-1 of the field of a goal cell that reaches the start cell, filled now if need be.

    A field of older ground serves for `patience` loops more: its user checks that the next leg is clear. `budget`
    limits the fields filled in one loop; -1 is returned when it is spent.
    """
    oldest = first
    found = -1
    for k in range(first, last):
        field = ways.fields[k]
        if field.goal == goal and field.ground == ground:
            found = k
            if _usable(world, field, ways.distance[k], start, patience):
                field.used = world.loop
                return k
        if field.used < ways.fields[oldest].used or ways.fields[oldest].goal >= 0 > field.goal:
            oldest = k
    if world.fields_filled >= budget:
        return -1
    world.fields_filled += 1
    # a flood that looked through blocked cells has no shore: what it reached beyond them may have a way without them
    go_on = found >= 0 and ways.fields[found].version == world.terrain_version and ways.fields[found].levels == 0
    place = found if found >= 0 else oldest
    field = ways.fields[place]
    field.goal = goal
    field.ground = ground
    field.version = world.terrain_version
    field.filled = world.loop
    field.used = world.loop
    fill_field(walk, field, ways.distance[place], ways.corner[place], ways.labels, ways.queue, goal, start, go_on)
    return place


@rule
def fit_broad(world, walk, broad):
    """Bring the ground of broad units up to date: cells of `walk` that are one of four open ones in a square.

    So a gap one cell wide between two structures that face each other stops them, one between two that stand askew does
    not, as players describe it (two squares, or one and a diagonal).
    """
    if world.broad_version == world.terrain_version:
        return
    world.broad_version = world.terrain_version
    height, width = walk.shape
    for y in range(height):
        for x in range(width):
            broad[y, x] = 0
    for y in range(height - 1):
        for x in range(width - 1):
            if walk[y, x] & walk[y, x + 1] & walk[y + 1, x] & walk[y + 1, x + 1]:
                broad[y, x] = 1
                broad[y, x + 1] = 1
                broad[y + 1, x] = 1
                broad[y + 1, x + 1] = 1


@rule
def nearest_free(walk, x, y, reach):
    """Cell (row * width + column) of the free cell nearest to a point within `reach` cells, -1 if there is none."""
    height, width = walk.shape
    best = -1
    best_distance = FAR
    column = int(x)
    row = int(y)
    for ring in range(reach + 1):
        if best >= 0 and ring > best_distance + 1.0:
            break
        for dy in range(-ring, ring + 1):
            for dx in range(-ring, ring + 1):
                if abs(dx) != ring and abs(dy) != ring:
                    continue
                cx = column + dx
                cy = row + dy
                if cx < 0 or cy < 0 or cx >= width or cy >= height or walk[cy, cx] == 0:
                    continue
                length = math.sqrt((cx + 0.5 - x) ** 2 + (cy + 0.5 - y) ** 2)
                if length < best_distance:
                    best = cy * width + cx
                    best_distance = length
    return best


@rule
def shut_in(walk, column, row, x, y):
    """True if a free cell lies in a pocket between blocked ones, up to six cells wide, in which the point does not."""
    free = np.uint64(0)
    for bit in range(64):
        at_x = column - HALF_WINDOW + bit % 8
        at_y = row - HALF_WINDOW + bit // 8
        if 0 <= at_y < walk.shape[0] and 0 <= at_x < walk.shape[1] and walk[at_y, at_x] != 0:
            free |= ONE << np.uint64(bit)
    pocket = ONE << np.uint64(9 * HALF_WINDOW)
    for _ in range(64):
        beside = ((pocket << ONE) & ~FIRST_COLUMN) | ((pocket >> ONE) & ~LAST_COLUMN)
        grown = (pocket | beside | (pocket << EIGHT) | (pocket >> EIGHT)) & free
        if grown == pocket:
            break
        pocket = grown
    if pocket & RIM != np.uint64(0):
        return False
    at_x = int(x) - column + HALF_WINDOW
    at_y = int(y) - row + HALF_WINDOW
    if 0 <= at_x < 8 and 0 <= at_y < 8:
        return pocket & (ONE << np.uint64(8 * at_y + at_x)) == np.uint64(0)
    return True


@rule
def walking_distance(world, ground, walk, ways, ax, ay, bx, by):
    """Length of a ground unit's way from a to b in cells, 0 if there is none (the pathing query's answer).

    `walk` is the grid of the unit's `ground`. Queries have slots of their own among the fields, so that asking does not
    change how units walk.
    A start inside a structure counts from the nearest free cell; a goal that is not walkable cannot be reached.
    """
    height, width = walk.shape
    if ax < 0.0 or ay < 0.0 or bx < 0.0 or by < 0.0 or ax >= width or bx >= width or ay >= height or by >= height:
        return 0.0
    if walk[int(by), int(bx)] == 0:
        return 0.0
    start = nearest_free(walk, ax, ay, 8)
    if start < 0:
        return 0.0
    if walk[int(ay), int(ax)] == 0:
        ax = start % width + 0.5
        ay = start // width + 0.5
    if clear_line(walk, ax, ay, bx, by):
        return math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    goal = int(by) * width + int(bx)
    first = ways.fields.shape[0] - QUERY_FIELDS
    last = ways.fields.shape[0]
    place = field_for(world, ground, walk, ways, first, last, goal, start, 1 << 30, 0)
    length = ways.distance[place, start]
    if length >= CROSSING:
        return 0.0
    leg = ways.corner[place, start]
    rest = ways.distance[place, leg] if leg >= 0 else length
    if leg >= 0 and leg != start:
        return rest + math.sqrt((leg % width + 0.5 - ax) ** 2 + (leg // width + 0.5 - ay) ** 2)
    return length
