"""How units keep apart and pass each other: pushes, and the detour round those who stand.

Directions are vectors of length 1: the way round an obstacle is one of its two tangents, so no angle is needed.
"""

from __future__ import annotations

import math

import numpy as np

from sim.engine.grid import band, record_of
from sim.engine.jit import inlined, lowest, rule
from sim.engine.parameters import CROWDED, LOOK_AHEAD, OVERLAP, PUSH_SHARE, TIGHT, WIDEST_DETOUR
from sim.engine.route import SIDE_BITS, SIDE_LEFT, SIDE_RIGHT
from sim.engine.state import FLYING, TALL
from sim.engine.world import BLOCKERS, FIGHTING, FIXED, LANES, MOVING, SOLID, SOLID_IN_AIR

_AHEAD, _OVERLAP, _TIGHT = np.float32(LOOK_AHEAD), np.float32(OVERLAP), np.float32(TIGHT)
_TOUCH, _NOWHERE = np.float32(0.15), np.float32(1e-6)
_ONE, _ZERO, _BEHIND, _WIDTH = np.float32(1.0), np.float32(0.0), np.float32(-0.3), np.float32(0.98)
_NARROWER = np.float32(1e-3)  # a tangent does not count as barred by its own obstacle
_NONE, _ONE_BIT = np.uint32(0), np.uint32(1)
DX, DY, WIDE, SQUARE = range(4)  # rows of `near`: place from the unit, half width, squared distance
# length of the direction in which a unit leaves one on the same spot; a table, since roots are taken ahead of branches
_APART = np.sqrt([(slot * 7 % 16 - 7.5) ** 2 + (slot * 5 % 16 - 7.5) ** 2 for slot in range(16)])
_WIDEST = np.float32(math.cos(WIDEST_DETOUR))


@inlined
def yielding(marks, friend):
    """How readily a unit gives way: not when it holds, hardly when it fights or an enemy shoves, most at rest."""
    if marks & FIXED:
        return 0.0
    if marks & FIGHTING:
        return 0.25 if friend else 0.05
    if marks & MOVING:
        return 1.0
    return 2.0 if friend else 0.05


@rule
def neighbours(spot, x, y, separation, ahead, solid, slot):
    """Bits of the lanes of a record in which somebody else of a plane (`solid`) overlaps a unit, or if it looks `ahead`
    stands near its edge. Without a branch for each lane, so that the compiler takes all at once; a call of its own,
    because its many constants would be kept at hand all through a loop otherwise."""
    bits = _NONE
    for lane in range(LANES):
        dx = spot.x[lane] - x
        dy = spot.y[lane] - y
        reach = separation + spot.separation[lane] + (spot.room[lane] if ahead else -_OVERLAP)
        near = dx * dx + dy * dy < reach * reach
        near &= (spot.marks[lane] & solid != _NONE) & (spot.slot[lane] != slot)
        bits |= np.uint32(near) << np.uint32(lane)
    return bits


@inlined
def plane_of(unit):
    """The mark of those who are in the unit's way: a Colossus strides over who walks (it collides in layer Flying)."""
    return np.uint32(SOLID_IN_AIR if unit.flags & (FLYING | TALL) else SOLID)


@inlined
def push_apart(unit, slot, dx, dy, square, apart, marks, others, friend):
    """Push the unit away from another that it overlaps, by its share; by the marks of both."""
    mine = yielding(marks, friend)
    if mine <= 0.0:
        return
    theirs = yielding(others, friend)
    distance = math.sqrt(square)
    amount = PUSH_SHARE * (apart - distance) * mine / (mine + theirs)
    if distance > 1e-3:
        unit.push_x -= dx / distance * amount
        unit.push_y -= dy / distance * amount
    else:  # exactly on top of each other: part along a direction that differs from slot to slot
        amount /= _APART[slot & 15]
        unit.push_x += (slot * 7 % 16 - 7.5) * amount
        unit.push_y += (slot * 5 % 16 - 7.5) * amount


@inlined
def feel_round(world, unit, slot, kind, marks, spots, buckets):
    """Sum up the overlaps of a unit that stands into `push_x`, `push_y`."""
    x = unit.x
    y = unit.y
    far = kind.separation + world.widest_separation
    first, end = band(world, buckets, y - far, y + far)
    for record in range(record_of(first), record_of(end + LANES - 1)):
        spot = spots[record]
        bits = neighbours(spot, x, y, kind.separation, False, plane_of(unit), np.int32(slot))
        while bits:
            lane = lowest(bits)
            bits &= bits - _ONE_BIT
            dx = spot.x[lane] - x
            dy = spot.y[lane] - y
            apart = kind.separation + spot.separation[lane]
            friend = spot.owner[lane] == unit.owner
            push_apart(unit, slot, dx, dy, dx * dx + dy * dy, apart, marks, spot.marks[lane], friend)


@inlined
def look_round(world, unit, slot, kind, course_x, course_y, squeezing, spots, buckets, near):
    """Sum up the neighbours of a mover: `push_x`, `push_y` away from overlaps, and into `near` those in its way.

    Returns (obstacles in `near`; whether one may lie on the course; whether it met a friend resting nearer to the
    goal). The course is where it wants to go.
    """
    x = unit.x
    y = unit.y
    to_goal = (unit.goal_x - x) ** 2 + (unit.goal_y - y) ** 2
    count = 0
    met = False
    barred = False
    far = kind.separation + world.widest_separation + _AHEAD
    first, end = band(world, buckets, y - far, y + far)
    for record in range(record_of(first), record_of(end + LANES - 1)):
        spot = spots[record]
        bits = neighbours(spot, x, y, kind.separation, True, plane_of(unit), np.int32(slot))
        while bits:
            lane = lowest(bits)
            bits &= bits - _ONE_BIT
            spot_x = spot.x[lane]
            spot_y = spot.y[lane]
            marks = spot.marks[lane]
            apart = kind.separation + spot.separation[lane]
            dx = spot_x - x
            dy = spot_y - y
            square = dx * dx + dy * dy
            friend = spot.owner[lane] == unit.owner
            through = squeezing and friend
            if square < (apart - _OVERLAP) * (apart - _OVERLAP) and not through:
                push_apart(unit, slot, dx, dy, square, apart, MOVING, marks, friend)
            if marks & MOVING or square < _NOWHERE:
                continue
            from_goal = (unit.goal_x - spot_x) ** 2 + (unit.goal_y - spot_y) ** 2
            if friend and not marks & (FIGHTING | FIXED):  # at rest: it gives way
                if square < (apart + _TOUCH) * (apart + _TOUCH):
                    met |= from_goal < to_goal
                continue
            if square > to_goal or from_goal < spot.separation[lane] ** 2:
                continue  # who stands beyond the goal, or on it, is nobody to go round
            along = dx * course_x + dy * course_y
            if through or along <= _BEHIND * apart or count >= BLOCKERS:
                continue
            tight = unit.stuck > CROWDED or (unit.target >= 0 and friend)
            wide = apart * (_TIGHT if tight else _WIDTH)
            near[DX, count] = dx
            near[DY, count] = dy
            near[WIDE, count] = wide
            near[SQUARE, count] = square
            count += 1
            if along > _ZERO and (square <= wide * wide or abs(dx * course_y - dy * course_x) < wide):
                barred = True
    return count, barred, met


@inlined
def barring(x, y, count, near):
    """Bits of the first `count` obstacles of `near` that lie on a direction; the compiler takes eight at once."""
    found = 0
    for first in range(0, count, 8):
        bits = _NONE
        for k in range(8):
            dx = near[DX, first + k]
            dy = near[DY, first + k]
            on_it = (dx * x + dy * y > _ZERO) & (abs(dx * y - dy * x) < near[WIDE, first + k] - _NARROWER)
            bits |= np.uint32(on_it) << np.uint32(k)
        found |= np.int64(bits) << first
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
