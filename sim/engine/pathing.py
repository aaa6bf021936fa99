"""Distance fields: for one goal cell, every cell's way there as a chain of straight legs.

A flood runs outward from the goal over a bucket queue. Each cell takes over the next corner of the cell it was reached
from and checks only when it is settled that it sees that corner (lazy any-angle search), so distances are those of
straight legs between cell centres and not of steps on a grid. Blocked cells can be crossed at a price that no detour
reaches: a goal inside a structure or on an island so leads to the nearest place that can be reached.
Fields are kept in a fixed number of slots by goal cell and terrain version; the one longest unused is replaced.
"""

from __future__ import annotations

import math

from sim.engine.jit import rule
from sim.engine.lines import clear_cells, clear_line
from sim.engine.parameters import BLOCK, CROSSING, CROSSING_LIMIT
from sim.engine.world import BUCKETS_OF_QUEUE, QUERY_FIELDS

_UNSEEN, _WAITING, _SETTLED = 0, 1, 2
_FAR = 1e9
MARGIN = 64  # quarter cells that a field reaches beyond the unit it was filled for


@rule
def _push(queue, cells, cell, key):
    """Put a cell at the head of a bucket (rows of `queue`: next, previous, state, bucket; heads behind the cells)."""
    head = queue[0, cells + key]
    queue[0, cell] = head
    queue[1, cell] = -1
    if head >= 0:
        queue[1, head] = cell
    queue[0, cells + key] = cell
    queue[2, cell] = _WAITING
    queue[3, cell] = key


@rule
def _take(queue, cells, cell):
    """Take a waiting cell out of its bucket."""
    after = queue[0, cell]
    before = queue[1, cell]
    if before >= 0:
        queue[0, before] = after
    else:
        queue[0, cells + queue[3, cell]] = after
    if after >= 0:
        queue[1, after] = before


@rule
def _key(distance, level):
    """Bucket of a distance within one level: quarter cells."""
    return min(max(int((distance - level * CROSSING) * 4.0), 0), BUCKETS_OF_QUEUE - 1)


@rule
def _row(cell, inverse):
    """Row of a cell: `cell // width` by a multiplication with 1 / width, several times quicker; exact below 2**24."""
    return int((cell + 0.5) * inverse)


@rule
def _between_seen(walk, width, x, y, px, py, parent, corner, queue):
    """True if the two cells that the ray from a cell to its corner leaves between see this corner.

    Their rays bound the cell's own and are less than a cell apart, so nothing can stand between them: this spares
    nearly all floods' questions for clear lines.
    """
    dx = abs(px - x)
    dy = abs(py - y)
    ahead_x = x + (1 if px > x else -1 if px < x else 0)
    ahead_y = y + (1 if py > y else -1 if py < y else 0)
    diagonal = ahead_y * width + ahead_x
    if corner[diagonal] != parent or queue[2, diagonal] != _SETTLED:
        return False
    if dx == dy:
        return walk[y, ahead_x] != 0 and walk[ahead_y, x] != 0
    straight = y * width + ahead_x if dx > dy else ahead_y * width + x
    return corner[straight] == parent and queue[2, straight] == _SETTLED


@rule
def _settle(walk, width, inverse, cell, distance, corner, queue):
    """Fix a cell's corner: the one it was given if it sees it, else the best settled neighbour or that one's corner."""
    parent = corner[cell]
    y = _row(cell, inverse)
    x = cell - y * width
    py = _row(parent, inverse)
    px = parent - py * width
    queue[2, cell] = _SETTLED
    if walk[y, x] == 0 or abs(px - x) + abs(py - y) <= 1:
        return
    if walk[py, px]:
        if _between_seen(walk, width, x, y, px, py, parent, corner, queue):
            return
        if clear_cells(walk, x, y, px, py):
            return
    elif clear_line(walk, x + 0.5, y + 0.5, px + 0.5, py + 0.5):
        return
    best = _FAR
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            nx = x + dx
            ny = y + dy
            if nx < 0 or ny < 0 or nx >= width or ny >= walk.shape[0] or (dx == 0 and dy == 0):
                continue
            other = ny * width + nx
            if queue[2, other] != _SETTLED or (walk[ny, x] == 0 or walk[y, nx] == 0):
                continue
            length = distance[other] + (1.4142135 if dx != 0 and dy != 0 else 1.0)
            if length < best:
                best = length
                corner[cell] = other
            further = corner[other]
            if further == parent:
                continue
            fy = _row(further, inverse)
            fx = further - fy * width
            length = distance[further] + math.sqrt(float((fx - x) ** 2 + (fy - y) ** 2))
            if length < best and walk[fy, fx] and clear_cells(walk, x, y, fx, fy):
                best = length
                corner[cell] = further
    if best < _FAR:
        distance[cell] = best


@rule
def _spread(walk, width, inverse, cell, level, last, distance, corner, queue, cells, now):
    """Offer a settled cell's corner to its free neighbours; blocked ones wait for the next level at `last`."""
    y = _row(cell, inverse)
    x = cell - y * width
    parent = corner[cell]
    py = _row(parent, inverse)
    px = parent - py * width
    base = distance[parent]
    through = walk[y, x] == 0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            nx = x + dx
            ny = y + dy
            if nx < 0 or ny < 0 or nx >= width or ny >= walk.shape[0]:
                continue
            other = ny * width + nx
            state = queue[2, other]
            if state == _SETTLED:
                continue
            step = 1.4142135 if dx != 0 and dy != 0 else 1.0
            if walk[ny, nx] == 0:
                if state == _UNSEEN:
                    queue[2, other] = _WAITING
                    queue[3, other] = -1
                    queue[0, other] = last
                    last = other
                    distance[other] = distance[cell] + step + CROSSING
                    corner[other] = cell
                continue
            if through or parent == cell:
                length = distance[cell] + step
                chosen = cell
            else:
                if dx != 0 and dy != 0 and (walk[ny, x] == 0 or walk[y, nx] == 0):
                    continue
                gx = nx - px
                gy = ny - py
                length = base + math.sqrt(gx * gx + gy * gy)
                chosen = parent
            if state == _UNSEEN or length < distance[other]:
                if state == _WAITING:
                    _take(queue, cells, other)
                distance[other] = length
                corner[other] = chosen
                _push(queue, cells, other, max(_key(length, level), now))
    return last


@rule
def fill_field(walk, field, distance, corner, queue, goal, start, whole):
    """Flood one field from the goal cell: everything connected to it and the start cell, or if not `whole` only what is
    not farther than a little beyond the start cell."""
    height, width = walk.shape
    cells = height * width
    inverse = 1.0 / width
    for cell in range(cells):
        queue[2, cell] = _UNSEEN
        distance[cell] = _FAR
        corner[cell] = -1
    for key in range(BUCKETS_OF_QUEUE):
        queue[0, cells + key] = -1
    distance[goal] = 0.0
    corner[goal] = goal
    _push(queue, cells, goal, 0)
    level = 0
    waiting = -1
    last = BUCKETS_OF_QUEUE
    while True:
        for now in range(BUCKETS_OF_QUEUE):
            if not whole and queue[2, start] == _SETTLED:
                last = min(last, now + MARGIN)
            if now > last:
                break
            while queue[0, cells + now] >= 0:
                cell = queue[0, cells + now]
                _take(queue, cells, cell)
                _settle(walk, width, inverse, cell, distance, corner, queue)
                waiting = _spread(walk, width, inverse, cell, level, waiting, distance, corner, queue, cells, now)
        if queue[2, start] == _SETTLED or waiting < 0 or level >= CROSSING_LIMIT:
            break
        level += 1
        cell = waiting
        waiting = -1
        while cell >= 0:
            after = queue[0, cell]
            _push(queue, cells, cell, _key(distance[cell], level))
            cell = after
    field.levels = level
    field.whole = 1 if last == BUCKETS_OF_QUEUE else 0
    for cell in range(cells):
        if queue[2, cell] != _SETTLED:
            distance[cell] = _FAR


@rule
def anchor_of(walk, goal_x, goal_y):
    """Cell whose field serves a goal: the middle of the goal's block where it sees the goal, else the goal's own."""
    height, width = walk.shape
    x = min(max(int(goal_x), 0), width - 1)
    y = min(max(int(goal_y), 0), height - 1)
    if walk[y, x]:
        mx = min(x // BLOCK * BLOCK + BLOCK // 2, width - 1)
        my = min(y // BLOCK * BLOCK + BLOCK // 2, height - 1)
        if walk[my, mx] and clear_line(walk, x + 0.5, y + 0.5, mx + 0.5, my + 0.5):
            return my * width + mx
    return y * width + x


@rule
def _usable(world, field, distance, start, patience):
    """True if a field still serves a unit in the start cell: it reaches it, over ground that did not change since, or
    changed less than `patience` loops after the field was filled."""
    if distance[start] >= _FAR and field.levels < CROSSING_LIMIT:
        return False
    if field.version == world.terrain_version:
        return True
    return world.loop - field.filled < patience and distance[start] < CROSSING


@rule
def field_for(world, walk, fields, first, last, distance, corner, queue, goal, start, budget, patience):
    """Slot in first..last-1 of the field of a goal cell that reaches the start cell, filled now if need be.

    A field of older ground serves for `patience` loops more: its user checks that the next leg is clear. `budget`
    limits the fields filled in one loop; -1 is returned when it is spent.
    """
    oldest = first
    found = -1
    for k in range(first, last):
        field = fields[k]
        if field.goal == goal:
            found = k
            if _usable(world, field, distance[k], start, patience):
                field.used = world.loop
                return k
        if field.used < fields[oldest].used or fields[oldest].goal >= 0 > field.goal:
            oldest = k
    if world.fields_filled >= budget:
        return -1
    world.fields_filled += 1
    whole = found >= 0 and fields[found].version == world.terrain_version
    place = found if found >= 0 else oldest
    field = fields[place]
    field.goal = goal
    field.version = world.terrain_version
    field.filled = world.loop
    field.used = world.loop
    fill_field(walk, field, distance[place], corner[place], queue, goal, start, whole)
    return place


@rule
def nearest_free(walk, x, y, reach):
    """Cell (row * width + column) of the free cell nearest to a point within `reach` cells, -1 if there is none."""
    height, width = walk.shape
    best = -1
    best_distance = _FAR
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
def walking_distance(world, walk, fields, distance, corner, queue, ax, ay, bx, by):
    """Length of a ground unit's way from a to b in cells, 0 if there is none (the pathing query's answer).

    Queries have slots of their own among the fields, so that asking does not change how units walk.
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
    first = fields.shape[0] - QUERY_FIELDS
    last = fields.shape[0]
    place = field_for(world, walk, fields, first, last, distance, corner, queue, goal, start, 1 << 30, 0)
    length = distance[place, start]
    if length >= CROSSING:
        return 0.0
    leg = corner[place, start]
    rest = distance[place, leg] if leg >= 0 else length
    if leg >= 0 and leg != start:
        return rest + math.sqrt((leg % width + 0.5 - ax) ** 2 + (leg // width + 0.5 - ay) ** 2)
    return length
