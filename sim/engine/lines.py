"""Lines over the cell grid: whether a ground unit can walk straight from one point to another."""

from __future__ import annotations

import math

from sim.engine.jit import rule
from sim.engine.parameters import BODY


@rule
def clear_line(walk, ax, ay, bx, by):
    """True if every cell that the segment a-b passes through is walkable; the cell of a itself does not count.

    If b lies in a blocked body (a structure that is the goal), the line may end with up to BODY cells inside it.
    """
    return clear_into(walk, ax, ay, bx, by, BODY)


@rule
def clear_into(walk, ax, ay, bx, by, depth):
    """The same with up to `depth` cells inside a body.

    Squeezing through the corner between two diagonal neighbours counts as blocked unless both are free.
    """
    height, width = walk.shape
    x = int(ax)
    y = int(ay)
    last_x = int(bx)
    last_y = int(by)
    if last_x < 0 or last_y < 0 or last_x >= width or last_y >= height or x < 0 or y < 0 or x >= width or y >= height:
        return False
    dx = bx - ax
    dy = by - ay
    step_x = 1 if dx > 0.0 else -1
    step_y = 1 if dy > 0.0 else -1
    pace_x = 1.0 / abs(dx) if dx != 0.0 else 1e30
    pace_y = 1.0 / abs(dy) if dy != 0.0 else 1e30
    next_x = ((x + 1 - ax) if dx > 0.0 else (ax - x)) * pace_x if dx != 0.0 else 1e30
    next_y = ((y + 1 - ay) if dy > 0.0 else (ay - y)) * pace_y if dy != 0.0 else 1e30
    into_body = walk[last_y, last_x] == 0
    length = math.sqrt(dx * dx + dy * dy)
    inside = False
    for _ in range(abs(last_x - x) + abs(last_y - y)):
        if x == last_x:  # the point may lie on its cell's edge: never step past the cell
            next_x = 1e30
        if y == last_y:
            next_y = 1e30
        at = min(next_x, next_y)
        if abs(next_x - next_y) * length < 1e-6:
            if (walk[y, x + step_x] == 0 or walk[y + step_y, x] == 0) and not inside:
                return False
            x += step_x
            y += step_y
            next_x += pace_x
            next_y += pace_y
        elif next_x < next_y:
            x += step_x
            next_x += pace_x
        else:
            y += step_y
            next_y += pace_y
        if x < 0 or y < 0 or x >= width or y >= height:
            return False
        if walk[y, x] == 0:
            if not into_body or (1.0 - at) * length > depth:
                return False
            inside = True
        elif inside:
            return False
        if x == last_x and y == last_y:
            return True
    return x == last_x and y == last_y


@rule
def clear_cells(walk, ax, ay, bx, by):
    """The same from cell centre to cell centre, for cells inside the map and without the rule of bodies: whole numbers
    only, because floods ask it once per cell."""
    dx = abs(bx - ax)
    dy = abs(by - ay)
    step_x = 1 if bx > ax else -1
    step_y = 1 if by > ay else -1
    lead = dx - dy
    x = ax
    y = ay
    left = dx + dy
    while left > 0:
        if lead == 0:
            if walk[y, x + step_x] == 0 or walk[y + step_y, x] == 0:
                return False
            x += step_x
            y += step_y
            lead += 2 * (dx - dy)
            left -= 2
        else:  # no branches: which of two ways a line goes next is hard to foresee
            x += step_x if lead > 0 else 0
            y += 0 if lead > 0 else step_y
            lead += -2 * dy if lead > 0 else 2 * dx
            left -= 1
        if walk[y, x] == 0:
            return False
    return True
