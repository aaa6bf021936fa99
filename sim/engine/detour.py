"""The way round those who stand, for one step.

Directions are vectors of length 1: the way round an obstacle is one of its two tangents, so no angle is needed.
"""

from __future__ import annotations

import math

import numpy as np

from sim.engine.jit import inlined, lowest, rule
from sim.engine.lanes import bits_of, span
from sim.engine.parameters import WIDEST_DETOUR
from sim.engine.route import SIDE_BITS, SIDE_LEFT, SIDE_RIGHT

_ONE, _ZERO, WIDTH = np.float32(1.0), np.float32(0.0), np.float32(0.98)
_NARROWER = np.float32(1e-3)  # a tangent does not count as barred by its own obstacle
_WIDEST = np.float32(math.cos(WIDEST_DETOUR))
DX, DY, WIDE, SQUARE = range(4)  # rows of `near`: place from the unit, half width, squared distance


@inlined
def note_obstacle(unit, kind, spot, lane, course_x, course_y, count, near):
    """Write one who stands in the unit's way into `near`; True if it may lie on the course."""
    dx = spot.x[lane] - unit.x
    dy = spot.y[lane] - unit.y
    square = dx * dx + dy * dy
    wide = (kind.separation + spot.separation[lane]) * WIDTH
    near[DX, count] = dx
    near[DY, count] = dy
    near[WIDE, count] = wide
    near[SQUARE, count] = square
    ahead = dx * course_x + dy * course_y > _ZERO
    return ahead and (square <= wide * wide or abs(dx * course_y - dy * course_x) < wide)


@inlined
def barring(x, y, count, near):
    """Bits of the first `count` obstacles of `near` that lie on a direction; the compiler takes eight at once."""
    found = 0
    for first in range(0, count, 8):
        dx = span(near[DX], first, 8)
        dy = span(near[DY], first, 8)
        narrow = span(near[WIDE], first, 8) - _NARROWER
        aside = dx * y - dy * x
        on_it = (dx * x + dy * y > _ZERO) & (aside < narrow) & (aside > narrow * -_ONE)
        found |= np.int64(bits_of(on_it)) << first
    return found & ((1 << count) - 1)


@rule
def swing(x, y, side, count, near):
    """Turn a direction to one side (1 left, -1 right) until no obstacle of `near` lies on it.

    -> the new direction, and the cosine of the whole turn, -2 where that is more than half a turn.
    """
    old_x = x
    old_y = y
    for _ in range(count):
        bits = barring(x, y, count, near)
        if not bits:
            break
        while bits:
            k = np.int64(lowest(bits))
            dx = near[DX, k]
            dy = near[DY, k]
            wide = near[WIDE, k]
            square = near[SQUARE, k]
            sine = side * wide
            cosine = _ZERO
            if square > wide * wide:
                cosine = math.sqrt(square - wide * wide)
            else:
                sine = side * math.sqrt(square)
            x = (dx * cosine - dy * sine) / square
            y = (dy * cosine + dx * sine) / square
            if (old_x * y - old_y * x) * side < -_NARROWER:
                return x, y, np.float32(-2.0)
            bits = barring(x, y, count, near) & -(2 << k)  # those after it
    return x, y, old_x * x + old_y * y


@inlined
def detour(unit, x, y, count, near):
    """Direction past the obstacles; (direction, False) where all ways are barred. A side once chosen is kept."""
    side = unit.way_state & SIDE_BITS
    hand = -_ONE if side == SIDE_RIGHT else _ONE
    new_x, new_y, turn = swing(x, y, hand, count, near)
    if turn >= _ONE - _NARROWER * _NARROWER:
        return new_x, new_y, True
    if side == 0 or turn < _WIDEST:
        other_x, other_y, other = swing(x, y, -hand, count, near)
        if side == 0:
            side = SIDE_LEFT
            if other > turn:
                side = SIDE_RIGHT
        else:
            side = SIDE_RIGHT if side == SIDE_LEFT else SIDE_LEFT
        if (side == SIDE_LEFT) != (hand > _ZERO):
            new_x = other_x
            new_y = other_y
            turn = other
    unit.way_state = (unit.way_state & ~SIDE_BITS) | side
    if turn < _WIDEST:
        return x, y, False
    return new_x, new_y, True
