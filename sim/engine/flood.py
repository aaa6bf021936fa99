"""Distance fields: for one goal cell, every cell's way there as a chain of straight legs.

A flood runs outward from the goal over a bucket queue. Each cell takes over the next corner of the cell it was reached
from and checks only when it is settled that it sees that corner (lazy any-angle search), so distances are those of
straight legs between cell centres and not of steps on a grid. Blocked cells can be crossed at a price that no detour
reaches: a goal inside a structure or on an island so leads to the nearest place that can be reached.

What a flood knows of a cell is one number of `labels`, i4[cells]: its corner while it waits, `_SETTLED` less its corner
once it is settled, or one of two states before. Who waits stands in `queue`, i4[rows, 2]: the next row and a cell. The
first rows are the heads of the buckets, and of those that are put off until the next level. Who gets into a lower
bucket stays in the old one, too, and is settled already when that has its turn. A flood is what a loop with new goals
spends most on, so its rules are part of one loop.
"""

from __future__ import annotations

import math

import numpy as np

from sim.engine.jit import inlined, lowest, rule
from sim.engine.lanes import bits_of, span
from sim.engine.lines import clear_cells, clear_into
from sim.engine.parameters import CROSSING, CROSSING_LIMIT, EDGE, MARGIN
from sim.engine.world import BUCKETS_OF_QUEUE

_NEXT, _CELL = 0, 1
_UNSEEN, _PUT_OFF, _SETTLED = -1, -2, -3  # labels; put off: blocked cells until the next level
_WAITS, _NOBODY = np.int32(_UNSEEN), np.int32(_PUT_OFF)
_LATER = BUCKETS_OF_QUEUE  # the bucket of who is put off
_FIRST_ROW = BUCKETS_OF_QUEUE + 1
_ROW, _TWO_ROWS = np.uint32(3), np.uint32(6)
_LOW, _ONE_BIT = np.uint32(7), np.uint32(1)
_DIAGONAL = 1.4142135
FAR = 1e9


@inlined
def _push(queue, row, cell, bucket):
    """Put a cell into a row of the queue, at the head of a bucket. -> the next free row"""
    queue[row, _NEXT] = queue[bucket, _NEXT]
    queue[row, _CELL] = cell
    queue[bucket, _NEXT] = row
    return row + 1


@inlined
def _bucket(distance, level):
    """Bucket of a distance within one level: quarter cells."""
    return min(max(int((distance - level * CROSSING) * 4.0), 0), BUCKETS_OF_QUEUE - 1)


@inlined
def _row(cell, inverse):
    """Row of a cell: `cell // width` by a multiplication with 1 / width, several times quicker; exact below 2**24."""
    return int((cell + 0.5) * inverse)


@inlined
def _between_seen(walk, width, x, y, px, py, parent, labels):
    """True if the two cells that the ray from a cell to its corner leaves between see this corner.

    Their rays bound the cell's own and are less than a cell apart, so nothing can stand between them: this spares
    nearly all floods' questions for clear lines.
    """
    dx = abs(px - x)
    dy = abs(py - y)
    ahead_x = x + (1 if px > x else -1 if px < x else 0)
    ahead_y = y + (1 if py > y else -1 if py < y else 0)
    if labels[ahead_y * width + ahead_x] != _SETTLED - parent:
        return False
    if dx == dy:
        return walk[y, ahead_x] != 0 and walk[ahead_y, x] != 0
    straight = y * width + ahead_x if dx > dy else ahead_y * width + x
    return labels[straight] == _SETTLED - parent


@inlined
def _sees(walk, width, x, y, px, py, parent, labels):
    """True if the cell (x, y) keeps its corner `parent` at (px, py): it sees it, touches it, or is blocked itself."""
    if walk[y, x] == 0 or abs(px - x) + abs(py - y) <= 1:
        return True
    if walk[py, px] == 0:
        return clear_into(walk, x + 0.5, y + 0.5, px + 0.5, py + 0.5, EDGE)
    return _between_seen(walk, width, x, y, px, py, parent, labels) or clear_cells(walk, x, y, px, py)


@rule
def _turn_elsewhere(walk, width, inverse, cell, distance, labels):
    """Give a cell that does not see its corner the best settled neighbour, or that one's corner, instead."""
    parent = _SETTLED - labels[cell]
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
            if labels[other] > _SETTLED or (walk[ny, x] == 0 or walk[y, nx] == 0):
                continue
            length = distance[other] + (_DIAGONAL if dx != 0 and dy != 0 else 1.0)
            if length < best:
                best = length
                labels[cell] = _SETTLED - other
            further = _SETTLED - labels[other]
            if further == parent:
                continue
            fy = _row(further, inverse)
            fx = further - fy * width
            length = distance[further] + math.sqrt(float((fx - x) ** 2 + (fy - y) ** 2))
            if length < best and walk[fy, fx] and clear_cells(walk, x, y, fx, fy):
                best = length
                labels[cell] = _SETTLED - further
    if best < FAR:
        distance[cell] = best


@inlined
def _open_to(walk, width, x, y, cell, known, labels):
    """Bits of the nine cells round one, row by row: who is not settled, nor put off, nor waits with the corner `known`
    already."""
    if 0 < x < width - 2 and 0 < y < walk.shape[0] - 1:
        low = span(labels, cell - width - 1, 4)
        same = span(labels, cell - 1, 4)
        high = span(labels, cell + width - 1, 4)
        bits = bits_of((low >= _WAITS) & (low != known)) & _LOW
        bits |= (bits_of((same >= _WAITS) & (same != known)) & _LOW) << _ROW
        return bits | (bits_of((high >= _WAITS) & (high != known)) & _LOW) << _TWO_ROWS
    bits = np.uint32(0)
    for k in range(9):
        nx = x + k % 3 - 1
        ny = y + k // 3 - 1
        if 0 <= nx < width and 0 <= ny < walk.shape[0]:
            label = labels[ny * width + nx]
            if label >= _WAITS and label != known:
                bits |= _ONE_BIT << np.uint32(k)
    return bits


@inlined
def _offer(walk, width, x, y, px, py, cell, level, row, distance, corner, labels, queue, now):
    """Offer a settled cell's corner (px, py) to its free neighbours; blocked ones are put off. -> the next free row"""
    parent = py * width + px
    through = walk[y, x] == 0
    by_steps = through or parent == cell
    chosen = cell if by_steps else parent
    so_far = float(distance[chosen])
    bits = _open_to(walk, width, x, y, cell, _NOBODY if by_steps else np.int32(parent), labels)
    while bits:
        place = int(lowest(bits))
        bits &= bits - _ONE_BIT
        down = place // 3
        ny = y + down - 1
        nx = x + place - 3 * down - 1
        other = ny * width + nx
        label = labels[other]
        step = 1.0 if nx == x or ny == y else _DIAGONAL
        if walk[ny, nx] == 0:
            if label == _UNSEEN:
                labels[other] = _PUT_OFF
                corner[other] = cell
                distance[other] = distance[cell] + step + CROSSING
                row = _push(queue, row, other, _LATER)
            continue
        if not through and step > 1.0 and (walk[ny, x] == 0 or walk[y, nx] == 0):
            continue
        leg = step if by_steps else math.sqrt((nx - px) * (nx - px) + (ny - py) * (ny - py))
        length = so_far + leg
        if label == _UNSEEN or length < distance[other]:
            distance[other] = length
            labels[other] = chosen
            row = _push(queue, row, other, max(_bucket(length, level), now))
    return row


@inlined
def _visit(walk, width, inverse, cell, level, row, distance, corner, labels, queue, now):
    """Settle a cell and offer its corner to its neighbours. -> the next free row"""
    y = _row(cell, inverse)
    x = cell - y * width
    parent = int(labels[cell])
    py = _row(parent, inverse)
    px = parent - py * width
    labels[cell] = _SETTLED - parent
    if not _sees(walk, width, x, y, px, py, parent, labels):
        _turn_elsewhere(walk, width, inverse, cell, distance, labels)
        parent = _SETTLED - labels[cell]
        py = _row(parent, inverse)
        px = parent - py * width
    return _offer(walk, width, x, y, px, py, cell, level, row, distance, corner, labels, queue, now)


@inlined
def _at_shore(width, height, x, y, labels):
    """True if a cell has a neighbour that is not settled."""
    for ny in range(max(y - 1, 0), min(y + 2, height)):
        for nx in range(max(x - 1, 0), min(x + 2, width)):
            if labels[ny * width + nx] > _SETTLED:
                return True
    return False


@rule
def _go_on(walk, width, inverse, distance, corner, labels, queue, row):
    """Take up a flood where it ended: what it reached is settled, and offers its corners again. -> the next free row"""
    cells = distance.shape[0]
    for cell in range(cells):
        if distance[cell] < FAR:
            labels[cell] = _SETTLED - corner[cell]
    for cell in range(cells):
        if labels[cell] > _SETTLED:
            continue
        y = _row(cell, inverse)
        x = cell - y * width
        if _at_shore(width, walk.shape[0], x, y, labels):
            parent = _SETTLED - labels[cell]
            py = _row(parent, inverse)
            px = parent - py * width
            row = _offer(walk, width, x, y, px, py, cell, 0, row, distance, corner, labels, queue, 0)
    return row


@inlined
def _tell(labels, distance, corner):
    """What the flood has found: the corners, and no distance of who is not settled."""
    for cell in range(distance.shape[0]):
        label = labels[cell]
        if label <= _SETTLED:
            corner[cell] = _SETTLED - label
        else:
            distance[cell] = FAR
            if label != _PUT_OFF:
                corner[cell] = label


@rule
def fill_field(walk, field, distance, corner, labels, queue, goal, start, go_on):
    """Flood one field from the goal cell as far as a little beyond the start cell, or `go_on` where one that did not
    reach this start ended: to all that is connected to either. Blocked cells are looked through only if need be."""
    width = walk.shape[1]
    cells = distance.shape[0]
    inverse = 1.0 / width
    for cell in range(cells):
        labels[cell] = _UNSEEN
    for bucket in range(_FIRST_ROW):
        queue[bucket, _NEXT] = 0
    level = 0
    row = _FIRST_ROW
    if go_on:
        row = _go_on(walk, width, inverse, distance, corner, labels, queue, row)
    else:
        for cell in range(cells):
            distance[cell] = FAR
        distance[goal] = 0.0
        labels[goal] = goal
        row = _push(queue, row, goal, 0)
    last = BUCKETS_OF_QUEUE
    while True:
        for now in range(BUCKETS_OF_QUEUE):
            if not go_on and labels[start] <= _SETTLED:
                last = min(last, now + MARGIN)
            if now > last:
                break
            while queue[now, _NEXT]:
                head = queue[now, _NEXT]
                queue[now, _NEXT] = queue[head, _NEXT]
                cell = int(queue[head, _CELL])
                if labels[cell] > _SETTLED:
                    row = _visit(walk, width, inverse, cell, level, row, distance, corner, labels, queue, now)
        head = queue[_LATER, _NEXT]
        if labels[start] <= _SETTLED or head == 0 or level >= CROSSING_LIMIT:
            break
        level += 1
        queue[_LATER, _NEXT] = 0
        while head:
            cell = int(queue[head, _CELL])
            labels[cell] = corner[cell]
            row = _push(queue, row, cell, _bucket(distance[cell], level))
            head = queue[head, _NEXT]
    field.levels = level
    _tell(labels, distance, corner)
