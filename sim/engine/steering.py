"""How units keep apart and pass each other: pushes, and the detour round those who stand."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.geometry import wrap
from sim.engine.grid import columns, first_bucket, last_bucket
from sim.engine.jit import inlined, rule
from sim.engine.parameters import CROWDED, LOOK_AHEAD, OVERLAP, PUSH_SHARE, TIGHT, WIDEST_DETOUR
from sim.engine.route import SIDE_BITS, SIDE_LEFT, SIDE_RIGHT
from sim.engine.state import FLYING
from sim.engine.world import FIGHTING, FIXED, MOVING, SOLID


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
def look_round(world, unit, slot, kind, marks, course_x, course_y, squeezing, walk, spots, buckets, near):
    """Sum up the neighbours of a unit: `push_x`, `push_y` away from overlaps, and into `near` those in its way.

    Returns (rows of `near`: place from the unit and half width of each obstacle; whether one may lie on the course;
    whether it met a friend resting nearer to the goal). `course_x`, `course_y` (of length 1) is where it wants to go; a
    unit that stands looks only for overlaps.
    """
    across = columns(walk)
    air = 1 if unit.flags & FLYING else 0
    moving = marks & MOVING
    far = kind.separation + world.widest_separation + (LOOK_AHEAD if moving else 0.0)
    to_goal = (unit.goal_x - unit.x) ** 2 + (unit.goal_y - unit.y) ** 2
    width = TIGHT if unit.stuck > CROWDED else 0.98
    push_x = 0.0
    push_y = 0.0
    count = 0
    met = False
    barred = False
    for row in range(first_bucket(unit.y - far), last_bucket(unit.y + far, walk.shape[0]) + 1):
        begin = buckets[row * across + first_bucket(unit.x - far)]
        end = buckets[row * across + last_bucket(unit.x + far, walk.shape[1]) + 1]
        for place in range(begin, end):
            spot = spots[place]
            if spot.air != air or not spot.marks & SOLID or spot.slot == slot:
                continue
            apart = kind.separation + spot.separation
            dx = spot.x - unit.x
            dy = spot.y - unit.y
            square = dx * dx + dy * dy
            reach = apart + (LOOK_AHEAD if moving else 0.0)
            if square > reach * reach:
                continue
            friend = spot.owner == unit.owner
            distance = math.sqrt(square)
            resting = friend and not spot.marks & (MOVING | FIGHTING | FIXED)
            if distance < apart - OVERLAP and not (squeezing and friend):
                mine = yielding(marks, friend)
                theirs = yielding(spot.marks, friend)
                if mine > 0.0:
                    amount = PUSH_SHARE * (apart - distance) * mine / (mine + theirs)
                    if distance > 1e-3:
                        push_x -= dx / distance * amount
                        push_y -= dy / distance * amount
                    else:  # exactly on top of each other: part along a direction that differs from slot to slot
                        push_x += math.cos(2.4 * slot) * amount
                        push_y += math.sin(2.4 * slot) * amount
            if not moving or distance < 1e-3:
                continue
            if resting and distance < apart + 0.15:
                goal_distance = (unit.goal_x - spot.x) ** 2 + (unit.goal_y - spot.y) ** 2
                if goal_distance < to_goal:
                    met = True
            if resting or (squeezing and friend) or spot.marks & MOVING:
                continue
            along = dx * course_x + dy * course_y
            if along > -0.3 * apart and count < near.shape[0]:
                wide = width * apart
                near[count, 0] = dx
                near[count, 1] = dy
                near[count, 2] = wide
                count += 1
                if along > 0.0 and (distance <= wide or abs(dx * course_y - dy * course_x) < wide):
                    barred = True
    unit.push_x = push_x
    unit.push_y = push_y
    return count, barred, met


@inlined
def measure(count, near):
    """Turn places and half widths of obstacles into directions and half angles."""
    for k in range(count):
        dx = near[k, 0]
        dy = near[k, 1]
        wide = near[k, 2]
        near[k, 0] = math.atan2(dy, dx)
        near[k, 1] = math.asin(wide / max(np.float32(math.sqrt(dx * dx + dy * dy)), wide))


@rule
def swing(course, side, count, near):
    """Turn a course to one side (1 left, -1 right) until no obstacle of `near` lies on it; returns the turn."""
    total = 0.0
    for _ in range(count):
        worst = 0.0
        for k in range(count):
            off = wrap(course + side * total - near[k, 0])
            if abs(off) < near[k, 1] - 1e-3:
                worst = max(worst, near[k, 1] - side * off)
        if worst <= 0.0:
            break
        total += worst
        if total > WIDEST_DETOUR:
            break
    return total


@inlined
def detour(unit, course, count, near):
    """Course past the obstacles; (course, False) where all ways are barred. A side once chosen is kept."""
    measure(count, near)
    side = unit.way_state & SIDE_BITS
    turn = swing(course, -1.0 if side == SIDE_RIGHT else 1.0, count, near)
    if turn == 0.0:
        return course, True
    if side == 0 or turn > WIDEST_DETOUR:
        other = swing(course, 1.0 if side == SIDE_RIGHT else -1.0, count, near)
        if side == 0:
            side = SIDE_LEFT if turn <= other else SIDE_RIGHT
            turn = min(turn, other)
        else:
            side = SIDE_RIGHT if side == SIDE_LEFT else SIDE_LEFT
            turn = other
    unit.way_state = (unit.way_state & ~SIDE_BITS) | side
    if turn > WIDEST_DETOUR:
        return course, False
    return wrap(course + (turn if side == SIDE_LEFT else -turn)), True
