"""Distance fields: for one goal cell, every cell's way there as a chain of straight legs.

A flood runs outward from the goal over a bucket queue. Each cell takes over the next corner of the cell it was reached
from and checks only when it is settled that it sees that corner (lazy any-angle search), so distances are those of
straight legs between cell centres and not of steps on a grid. Blocked cells can be crossed at a price that no detour
reaches: a goal inside a structure or on an island so leads to the nearest place that can be reached.
"""

from __future__ import annotations

import math

from sim.engine.jit import rule
from sim.engine.lines import clear_cells, clear_line
from sim.engine.parameters import CROSSING, CROSSING_LIMIT, MARGIN
from sim.engine.world import BUCKETS_OF_QUEUE

_UNSEEN, _WAITING, _SETTLED = 0, 1, 2
FAR = 1e9


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
    best = FAR
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
    if best < FAR:
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
            if not through and dx != 0 and dy != 0 and (walk[ny, x] == 0 or walk[y, nx] == 0):
                continue
            if through or parent == cell:
                length = distance[cell] + step
                chosen = cell
            else:
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
        distance[cell] = FAR
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
            distance[cell] = FAR
