"""Distance fields: for one goal cell, every cell's way there as a chain of straight legs.

A flood runs outward from the goal over a bucket queue. Each cell takes over the next corner of the cell it was reached
from and checks only when it is settled that it sees that corner (lazy any-angle search), so distances are those of
straight legs between cell centres and not of steps on a grid. Blocked cells can be crossed at a price that no detour
reaches: a goal inside a structure or on an island so leads to the nearest place that can be reached.

What a flood keeps of a cell lies together in a row of `queue`, i4[cells + BUCKETS_OF_QUEUE, 4]: the next and the
previous cell of its bucket, the bucket (or one of the three states before and after), and its corner. The heads of the
buckets lie behind the cells. A flood is what a loop with new goals spends most on, so its rules are part of one loop.
"""

from __future__ import annotations

import math

from sim.engine.jit import inlined, rule
from sim.engine.lines import clear_cells, clear_into
from sim.engine.parameters import CROSSING, CROSSING_LIMIT, EDGE, MARGIN
from sim.engine.world import BUCKETS_OF_QUEUE

_NEXT, _PREVIOUS, _BUCKET, _CORNER = 0, 1, 2, 3
_UNSEEN, _SETTLED, _PUT_OFF = -1, -2, -3  # in the place of a bucket; put off: blocked cells until the next level
_DIAGONAL = 1.4142135
FAR = 1e9


@inlined
def _push(queue, cells, cell, bucket):
    """Put a cell at the head of a bucket."""
    head = queue[cells + bucket, _NEXT]
    queue[cell, _NEXT] = head
    queue[cell, _PREVIOUS] = -1
    queue[cell, _BUCKET] = bucket
    if head >= 0:
        queue[head, _PREVIOUS] = cell
    queue[cells + bucket, _NEXT] = cell


@inlined
def _take(queue, cells, cell):
    """Take a waiting cell out of its bucket."""
    after = queue[cell, _NEXT]
    before = queue[cell, _PREVIOUS]
    if before >= 0:
        queue[before, _NEXT] = after
    else:
        queue[cells + queue[cell, _BUCKET], _NEXT] = after
    if after >= 0:
        queue[after, _PREVIOUS] = before


@inlined
def _bucket(distance, level):
    """Bucket of a distance within one level: quarter cells."""
    return min(max(int((distance - level * CROSSING) * 4.0), 0), BUCKETS_OF_QUEUE - 1)


@inlined
def _row(cell, inverse):
    """Row of a cell: `cell // width` by a multiplication with 1 / width, several times quicker; exact below 2**24."""
    return int((cell + 0.5) * inverse)


@inlined
def _between_seen(walk, width, x, y, px, py, parent, queue):
    """True if the two cells that the ray from a cell to its corner leaves between see this corner.

    Their rays bound the cell's own and are less than a cell apart, so nothing can stand between them: this spares
    nearly all floods' questions for clear lines.
    """
    dx = abs(px - x)
    dy = abs(py - y)
    ahead_x = x + (1 if px > x else -1 if px < x else 0)
    ahead_y = y + (1 if py > y else -1 if py < y else 0)
    diagonal = ahead_y * width + ahead_x
    if queue[diagonal, _CORNER] != parent or queue[diagonal, _BUCKET] != _SETTLED:
        return False
    if dx == dy:
        return walk[y, ahead_x] != 0 and walk[ahead_y, x] != 0
    straight = y * width + ahead_x if dx > dy else ahead_y * width + x
    return queue[straight, _CORNER] == parent and queue[straight, _BUCKET] == _SETTLED


@inlined
def _sees(walk, width, x, y, px, py, parent, queue):
    """True if the cell (x, y) keeps its corner `parent` at (px, py): it sees it, touches it, or is blocked itself."""
    if walk[y, x] == 0 or abs(px - x) + abs(py - y) <= 1:
        return True
    if walk[py, px] == 0:
        return clear_into(walk, x + 0.5, y + 0.5, px + 0.5, py + 0.5, EDGE)
    return _between_seen(walk, width, x, y, px, py, parent, queue) or clear_cells(walk, x, y, px, py)


@rule
def _turn_elsewhere(walk, width, inverse, cell, distance, queue):
    """Give a cell that does not see its corner the best settled neighbour, or that one's corner, instead."""
    parent = queue[cell, _CORNER]
    y = _row(cell, inverse)
    x = cell - y * width
    best = FAR
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            nx = x + dx
            ny = y + dy
            if nx < 0 or ny < 0 or nx >= width or ny >= walk.shape[0] or (dx == 0 and dy == 0):
                continue
            other = ny * width + nx
            if queue[other, _BUCKET] != _SETTLED or (walk[ny, x] == 0 or walk[y, nx] == 0):
                continue
            length = distance[other] + (_DIAGONAL if dx != 0 and dy != 0 else 1.0)
            if length < best:
                best = length
                queue[cell, _CORNER] = other
            further = queue[other, _CORNER]
            if further == parent:
                continue
            fy = _row(further, inverse)
            fx = further - fy * width
            length = distance[further] + math.sqrt(float((fx - x) ** 2 + (fy - y) ** 2))
            if length < best and walk[fy, fx] and clear_cells(walk, x, y, fx, fy):
                best = length
                queue[cell, _CORNER] = further
    if best < FAR:
        distance[cell] = best


@inlined
def _offer(walk, width, x, y, px, py, cell, level, last, distance, queue, cells, now):
    """Offer a settled cell's corner (px, py) to its free neighbours; blocked ones are put off, chained from `last`."""
    parent = py * width + px
    through = walk[y, x] == 0
    by_steps = through or parent == cell
    for ny in range(max(y - 1, 0), min(y + 2, walk.shape[0])):
        for nx in range(max(x - 1, 0), min(x + 2, width)):
            other = ny * width + nx
            bucket = queue[other, _BUCKET]
            if bucket == _SETTLED or (bucket >= 0 and not by_steps and queue[other, _CORNER] == parent):
                continue
            step = 1.0 if nx == x or ny == y else _DIAGONAL
            if walk[ny, nx] == 0:
                if bucket == _UNSEEN:
                    queue[other, _BUCKET] = _PUT_OFF
                    queue[other, _NEXT] = last
                    queue[other, _CORNER] = cell
                    last = other
                    distance[other] = distance[cell] + step + CROSSING
                continue
            if not through and step > 1.0 and (walk[ny, x] == 0 or walk[y, nx] == 0):
                continue
            if by_steps:
                length = distance[cell] + step
                chosen = cell
            else:
                length = distance[parent] + math.sqrt((nx - px) * (nx - px) + (ny - py) * (ny - py))
                chosen = parent
            if bucket == _UNSEEN or length < distance[other]:
                if bucket >= 0:
                    _take(queue, cells, other)
                distance[other] = length
                queue[other, _CORNER] = chosen
                _push(queue, cells, other, max(_bucket(length, level), now))
    return last


@inlined
def _visit(walk, width, inverse, cell, level, last, distance, queue, cells, now):
    """Settle a cell and offer its corner to its neighbours."""
    y = _row(cell, inverse)
    x = cell - y * width
    parent = queue[cell, _CORNER]
    py = _row(parent, inverse)
    px = parent - py * width
    queue[cell, _BUCKET] = _SETTLED
    if not _sees(walk, width, x, y, px, py, parent, queue):
        _turn_elsewhere(walk, width, inverse, cell, distance, queue)
        parent = queue[cell, _CORNER]
        py = _row(parent, inverse)
        px = parent - py * width
    return _offer(walk, width, x, y, px, py, cell, level, last, distance, queue, cells, now)


@inlined
def _at_shore(width, height, x, y, queue):
    """True if a cell has a neighbour that is not settled."""
    for ny in range(max(y - 1, 0), min(y + 2, height)):
        for nx in range(max(x - 1, 0), min(x + 2, width)):
            if queue[ny * width + nx, _BUCKET] != _SETTLED:
                return True
    return False


@rule
def _go_on(walk, width, inverse, distance, corner, queue, cells):
    """Take up a flood where it ended: what it reached is settled, and offers its corners again. -> the last put off."""
    for cell in range(cells):
        if distance[cell] < FAR:
            queue[cell, _BUCKET] = _SETTLED
            queue[cell, _CORNER] = corner[cell]
    last = -1
    for cell in range(cells):
        if queue[cell, _BUCKET] != _SETTLED:
            continue
        y = _row(cell, inverse)
        x = cell - y * width
        if _at_shore(width, walk.shape[0], x, y, queue):
            parent = queue[cell, _CORNER]
            py = _row(parent, inverse)
            last = _offer(walk, width, x, y, parent - py * width, py, cell, 0, last, distance, queue, cells, 0)
    return last


@rule
def fill_field(walk, field, distance, corner, queue, goal, start, go_on):
    """Flood one field from the goal cell as far as a little beyond the start cell, or `go_on` where one that did not
    reach this start ended: to all that is connected to either. Blocked cells are looked through only if need be."""
    height, width = walk.shape
    cells = height * width
    inverse = 1.0 / width
    for cell in range(cells):
        queue[cell, _BUCKET] = _UNSEEN
        queue[cell, _CORNER] = -1
    for bucket in range(BUCKETS_OF_QUEUE):
        queue[cells + bucket, _NEXT] = -1
    level = 0
    waiting = -1
    if go_on:
        waiting = _go_on(walk, width, inverse, distance, corner, queue, cells)
    else:
        for cell in range(cells):
            distance[cell] = FAR
        distance[goal] = 0.0
        queue[goal, _CORNER] = goal
        _push(queue, cells, goal, 0)
    last = BUCKETS_OF_QUEUE
    while True:
        for now in range(BUCKETS_OF_QUEUE):
            if not go_on and queue[start, _BUCKET] == _SETTLED:
                last = min(last, now + MARGIN)
            if now > last:
                break
            while queue[cells + now, _NEXT] >= 0:
                cell = queue[cells + now, _NEXT]
                _take(queue, cells, cell)
                waiting = _visit(walk, width, inverse, cell, level, waiting, distance, queue, cells, now)
        if queue[start, _BUCKET] == _SETTLED or waiting < 0 or level >= CROSSING_LIMIT:
            break
        level += 1
        cell = waiting
        waiting = -1
        while cell >= 0:
            after = queue[cell, _NEXT]
            _push(queue, cells, cell, _bucket(distance[cell], level))
            cell = after
    field.levels = level
    for cell in range(cells):
        corner[cell] = queue[cell, _CORNER]
        if queue[cell, _BUCKET] != _SETTLED:
            distance[cell] = FAR
