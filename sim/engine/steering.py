"""How units keep apart and pass each other: pushes, and the detour round those who stand.

Directions are vectors of length 1: the way round an obstacle is one of its two tangents, so no angle is needed.
"""

from __future__ import annotations

import math

import numpy as np

from sim.engine.grid import window
from sim.engine.jit import inlined, rule
from sim.engine.parameters import CROWDED, LOOK_AHEAD, OVERLAP, PUSH_SHARE, TIGHT, WIDEST_DETOUR
from sim.engine.route import SIDE_BITS, SIDE_LEFT, SIDE_RIGHT
from sim.engine.state import FLYING
from sim.engine.world import FIGHTING, FIXED, MOVING, SOLID, SOLID_IN_AIR

_AHEAD, _OVERLAP, _TIGHT = np.float32(LOOK_AHEAD), np.float32(OVERLAP), np.float32(TIGHT)
_TOUCH, _NOWHERE = np.float32(0.15), np.float32(1e-6)
_ONE, _ZERO, _BEHIND, _WIDTH = np.float32(1.0), np.float32(0.0), np.float32(-0.3), np.float32(0.98)
_NARROWER = np.float32(1e-3)  # a tangent does not count as barred by its own obstacle
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


@inlined
def neighbours(world, unit, slot, kind, ahead, spots, buckets, found):
    """Write the places in `spots` of those on the unit's plane that overlap it, and of those who stand and whose edges
    are nearer than `ahead` to its own, into `found`; returns how many they are. Without a branch for each candidate:
    most are too far, none foreseeably."""
    solid = SOLID_IN_AIR if unit.flags & FLYING else SOLID
    separation = kind.separation
    far = separation + world.widest_separation + ahead
    x = unit.x
    y = unit.y
    first, last = window(x - far, x + far, world.left, world.across)
    low, high = window(y - far, y + far, world.bottom, world.along)
    across = world.across
    count = 0
    for row in range(low, high + 1):
        for place in range(buckets[row * across + first], buckets[row * across + last + 1]):
            spot = spots[place]
            dx = spot.x - x
            dy = spot.y - y
            reach = separation + spot.separation + (spot.room if ahead > _ZERO else -_OVERLAP)
            near = dx * dx + dy * dy < reach * reach
            found[count] = place
            count += near & (spot.marks & solid != 0) & (spot.slot != slot)
    return count


@inlined
def push_apart(unit, slot, dx, dy, square, apart, marks, spot, friend):
    """Push the unit away from another that it overlaps, by its share."""
    mine = yielding(marks, friend)
    if mine <= 0.0:
        return
    theirs = yielding(spot.marks, friend)
    distance = math.sqrt(square)
    amount = PUSH_SHARE * (apart - distance) * mine / (mine + theirs)
    if distance > 1e-3:
        unit.push_x -= dx / distance * amount
        unit.push_y -= dy / distance * amount
    else:  # exactly on top of each other: part along a direction that differs from slot to slot
        aside = slot * 7 % 16 - 7.5
        ahead = slot * 5 % 16 - 7.5
        amount /= math.sqrt(aside * aside + ahead * ahead)
        unit.push_x += aside * amount
        unit.push_y += ahead * amount


@inlined
def feel_round(world, unit, slot, kind, marks, spots, buckets, found):
    """Sum up the overlaps of a unit that stands into `push_x`, `push_y`."""
    for k in range(neighbours(world, unit, slot, kind, -_OVERLAP, spots, buckets, found)):
        spot = spots[found[k]]
        dx = spot.x - unit.x
        dy = spot.y - unit.y
        apart = kind.separation + spot.separation
        push_apart(unit, slot, dx, dy, dx * dx + dy * dy, apart, marks, spot, spot.owner == unit.owner)


@inlined
def look_round(world, unit, slot, kind, course_x, course_y, squeezing, spots, buckets, found, near):
    """Sum up the neighbours of a mover: `push_x`, `push_y` away from overlaps, and into `near` those in its way.

    Returns (rows of `near`: place from the unit, half width and squared distance of each obstacle; whether one may lie
    on the course; whether it met a friend resting nearer to the goal). The course is where it wants to go.
    """
    to_goal = (unit.goal_x - unit.x) ** 2 + (unit.goal_y - unit.y) ** 2
    crowded = unit.stuck > CROWDED
    chasing = unit.target >= 0
    count = 0
    met = False
    barred = False
    for k in range(neighbours(world, unit, slot, kind, _AHEAD, spots, buckets, found)):
        spot = spots[found[k]]
        apart = kind.separation + spot.separation
        dx = spot.x - unit.x
        dy = spot.y - unit.y
        square = dx * dx + dy * dy
        friend = spot.owner == unit.owner
        through = squeezing and friend
        if square < (apart - _OVERLAP) * (apart - _OVERLAP) and not through:
            push_apart(unit, slot, dx, dy, square, apart, MOVING, spot, friend)
        if spot.marks & MOVING or square < _NOWHERE:
            continue
        if friend and not spot.marks & (FIGHTING | FIXED):  # at rest: it gives way
            if square < (apart + _TOUCH) * (apart + _TOUCH):
                met |= (unit.goal_x - spot.x) ** 2 + (unit.goal_y - spot.y) ** 2 < to_goal
            continue
        if square > to_goal or (unit.goal_x - spot.x) ** 2 + (unit.goal_y - spot.y) ** 2 < spot.separation**2:
            continue  # who stands beyond the goal, or on it, is nobody to go round
        along = dx * course_x + dy * course_y
        if through or along <= _BEHIND * apart or count >= near.shape[0]:
            continue
        wide = apart * (_TIGHT if crowded or (chasing and friend) else _WIDTH)
        near[count, 0] = dx
        near[count, 1] = dy
        near[count, 2] = wide
        near[count, 3] = square
        count += 1
        if along > _ZERO and (square <= wide * wide or abs(dx * course_y - dy * course_x) < wide):
            barred = True
    return count, barred, met


@rule
def swing(x, y, side, count, near):
    """Turn a direction to one side (1 left, -1 right) until no obstacle of `near` lies on it.

    -> the new direction, and the cosine of the whole turn, -2 where that is more than half a turn.
    """
    old_x = x
    old_y = y
    for _ in range(count):
        free = True
        for k in range(count):
            dx = near[k, 0]
            dy = near[k, 1]
            wide = near[k, 2]
            if dx * x + dy * y <= _ZERO or abs(dx * y - dy * x) >= wide - _NARROWER:
                continue
            square = near[k, 3]
            sine = side * wide
            cosine = _ZERO
            if square > wide * wide:
                cosine = math.sqrt(square - wide * wide)
            else:
                sine = side * math.sqrt(square)
            x = (dx * cosine - dy * sine) / square
            y = (dy * cosine + dx * sine) / square
            free = False
            if (old_x * y - old_y * x) * side < -_NARROWER:
                return x, y, np.float32(-2.0)
        if free:
            break
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
