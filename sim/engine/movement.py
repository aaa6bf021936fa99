"""Movement of one unit in one loop: its way, those beside it, arrival; how it moves by itself is `kinematics`."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.catalog import BROAD
from sim.engine.detour import detour
from sim.engine.geometry import between, free_cell
from sim.engine.jit import inlined, rule
from sim.engine.kinematics import (
    arrive,
    change_speed,
    cut_down,
    displace,
    glide,
    open_step,
    shift,
    step_out,
    top_speed,
    turn_first,
)
from sim.engine.order import leads_on
from sim.engine.parameters import (
    BODY,
    CROWD_PATIENCE,
    CROWD_REACH,
    DEEPEST,
    GIVE_UP_AFTER,
    HEMMED_AFTER,
    ON_POINT,
    PUSH_LIMIT,
    REST_PERIOD,
    SQUEEZE_AFTER,
    SQUEEZE_IN_VAIN,
    WAITING_STEP,
    WALLED_AFTER,
)
from sim.engine.pathing import fit_broad
from sim.engine.route import AGAIN, DEAD_END, SIDE_BITS, WAY_BITS, follow_way, start_way
from sim.engine.state import AGILE, APPROACH, FLYING, HOLD, IMMOBILE, INSIDE, NO_COLLISION, STRUCTURE
from sim.engine.steering import crowded, feel_round, look_round
from sim.engine.world import FIGHTING

FAR = np.float32(1e6)  # cells


@inlined
def settle_progress(unit, before, after, rest, hoped, met, at_wall, pushed_off):
    """Count loops without progress (less than a third of what was hoped for) on the way to the next corner, and decide
    whether the unit has arrived as near as it gets, `rest` cells from its goal. `met`: friends rest round a goal that
    it need not come up to; `pushed_off`: others kept it from its last step onto such a goal, as those do who come to
    one point together and would push each other off it for ever."""
    if pushed_off or before - after < (0.8 if met else 0.3) * hoped:
        if unit.stuck < 60000:
            unit.stuck += 1
        if unit.stuck == SQUEEZE_AFTER and unit.target < 0:  # for some loops, else it is pushed back at once
            unit.stuck = 2 * SQUEEZE_AFTER
    else:  # who gets on has not arrived, however long it stood before
        unit.stuck = max(unit.stuck - 2, 0)
        return
    if (
        ((met or pushed_off) and unit.stuck >= CROWD_PATIENCE)
        or (at_wall and unit.stuck >= GIVE_UP_AFTER)
        or (unit.stuck > 8 * SQUEEZE_AFTER and rest < 2.0 * CROWD_REACH)
    ):
        arrive(unit)


@inlined
def hem_in(unit):
    """Its way round others ends at a wall in this loop, or there is none. Who had that too often passes through its
    friends for a while: one that goes to and fro between two walls gets nearer half of the time, so that it never
    counts as stuck, nor does one that is told something else every few loops."""
    if unit.target < 0 and unit.walled < HEMMED_AFTER:
        unit.walled += 1
        if unit.walled == HEMMED_AFTER:
            unit.walled = 3 * HEMMED_AFTER


@inlined
def steer(world, unit, slot, kind, dx, dy, rest, top, walk, crowd):
    """The direction of this loop's step where others are near, with their pushes in `unit.push_x, push_y`.

    -> its parts; whether it is free; `met`: friends rest round its goal; `wary`: somebody who stands firm is near;
    `pressed`: how deep (cells) it leans on who is before it; `waits`: who bars its way is no friend that gives way
    """
    free = True
    met = False
    wary = False
    pressed = 0.0
    waits = unit.stuck >= SQUEEZE_IN_VAIN and unit.target < 0
    if kind.separation > 0.0 and not unit.flags & NO_COLLISION:  # larvae collide with nobody
        squeezing = not waits and (unit.stuck >= SQUEEZE_AFTER or unit.walled >= HEMMED_AFTER)
        count, barred, met, aside, wary, pressed, leant = look_round(world, unit, slot, kind, dx, dy, squeezing, crowd)
        met = met and rest < CROWD_REACH and crowded(world, unit, slot, rest, crowd)
        if met:
            pressed = leant
        if not met:
            unit.push_x -= dy * aside
            unit.push_y += dx * aside
        if barred:
            ahead_x = dx
            ahead_y = dy
            dx, dy, free = detour(unit, dx, dy, count, crowd.near)
            if not free:
                if not wary:  # friends that stay where they are, as eggs do, leave it no way at all
                    hem_in(unit)
            elif not open_step(walk, unit.x, unit.y, unit.x + dx * top, unit.y + dy * top):
                hem_in(unit)
                if unit.stuck > WALLED_AFTER:  # that way round ends at a wall: the other
                    unit.way_state ^= SIDE_BITS
                    dx, dy, free = detour(unit, ahead_x, ahead_y, count, crowd.near)
        elif count == 0:
            if unit.stuck == 0:
                unit.way_state &= ~SIDE_BITS
            if unit.walled > 0:
                unit.walled -= 1
    return dx, dy, free, met, wary, pressed, waits


@inlined
def pushes(unit, kind, dx, dy, rest, top):
    """What others' pushes do to a unit on its way. -> the displacement (cells), and how much of all their pushes points
    along its way"""
    x = unit.push_x
    y = unit.push_y
    ahead = x * dx + y * dy
    if ahead > 0.0 or unit.flags & FLYING:  # pushes from behind do not make it faster, no flyer is held up by others
        x -= ahead * dx
        y -= ahead * dy
    if unit.flags & FLYING and rest <= kind.separation:  # those that come to one point stack, and spread at rest
        x = np.float32(0.0)
        y = np.float32(0.0)
    square = x * x + y * y
    most = max(top, PUSH_LIMIT)
    if square > most * most:
        shorter = most / math.sqrt(square)
        x *= shorter
        y *= shorter
    return x, y, ahead


@inlined
def advance(world, slot, unit, kind, orders, walk, creep, crowd, ways):
    """A unit with a goal moves one loop along its way."""
    moved = between(unit.goal_x, unit.goal_y, unit.way_goal_x, unit.way_goal_y)
    if moved > 1.0:
        start_way(unit)
        moved = np.float32(0.0)
    top = top_speed(unit, kind, creep)
    rest = between(unit.x, unit.y, unit.goal_x, unit.goal_y)
    if rest <= ON_POINT:
        arrive(unit)
        return
    follow_way(world, unit, slot, kind.ground, moved, top, walk, ways)
    straight = unit.way_x == unit.goal_x and unit.way_y == unit.goal_y
    leg = rest if straight else between(unit.x, unit.y, unit.way_x, unit.way_y)
    at_wall = unit.way_state & WAY_BITS == DEAD_END
    if leg <= ON_POINT:
        if at_wall:
            arrive(unit)
        return
    dx = (unit.way_x - unit.x) / leg
    dy = (unit.way_y - unit.y) / leg
    dx, dy, free, met, wary, pressed, waits = steer(world, unit, slot, kind, dx, dy, rest, top, walk, crowd)
    if turn_first(unit, kind, dx, dy):
        return
    change_speed(unit, kind, top if free else 0.0, FAR if leads_on(unit, orders, slot) else rest)
    if kind.acceleration > 0.0:
        unit.speed = cut_down(dx, dy, unit.speed)
    step = min(unit.speed, leg)
    push_x, push_y, ahead = pushes(unit, kind, dx, dy, rest, top)
    forth = min(step, WAITING_STEP) if waits and ahead < 0.0 else step
    near_end = rest < CROWD_REACH or (at_wall and leg < CROWD_REACH)
    repeated = unit.way_state & AGAIN and near_end and unit.target < 0 and not unit.flags & FLYING
    if pressed > 0.0 and repeated:
        forth = min(forth, max(step * (1.0 - pressed / DEEPEST), WAITING_STEP))
    displace(world, unit, slot, kind, dx * forth + push_x, dy * forth + push_y, wary, walk, crowd)
    left = between(unit.x, unit.y, unit.goal_x, unit.goal_y)
    if left <= ON_POINT:
        if unit.flags & FLYING or walk[int(unit.goal_y), int(unit.goal_x)]:
            unit.x = unit.goal_x  # the last step ends on the point itself
            unit.y = unit.goal_y
        arrive(unit)
        return
    after = left if straight else between(unit.x, unit.y, unit.way_x, unit.way_y)
    # a builder's or caster's way ends at its target
    content = unit.order_count == 0 or orders[slot, 0].verb != APPROACH
    pushed_off = content and straight and unit.speed >= leg
    settle_progress(unit, leg, after, left, step if free else top, met and content, at_wall or rest < BODY, pushed_off)


@inlined
def rest_in_place(world, slot, unit, kind, orders, walk, crowd):
    """A standing unit slows down, and unless it holds its place it gives way to those who overlap it."""
    if unit.speed > 0.0 and unit.target >= 0 and unit.flags & FLYING and not unit.flags & AGILE:
        glide(unit, kind, walk)
    elif unit.speed > 0.0:
        change_speed(unit, kind, 0.0, 0.0)
        shift(unit, math.cos(unit.facing) * unit.speed, math.sin(unit.facing) * unit.speed, walk)
    if (world.loop + slot) % REST_PERIOD != 0 or unit.flags & (NO_COLLISION | IMMOBILE):
        return
    if kind.speed <= 0.0 or kind.separation <= 0.0:
        return
    if unit.order_count > 0 and orders[slot, 0].verb == HOLD:
        return
    marks = FIGHTING if unit.windup >= 0.0 or unit.target >= 0 else 0
    if marks and unit.flags & FLYING and unit.weapon >= 0:  # it fires from where it came into range, in others too
        return
    feel_round(world, unit, slot, kind, marks, crowd)
    size = math.sqrt(unit.push_x * unit.push_x + unit.push_y * unit.push_y)
    if size > 1e-4:
        scale = min(1.0, REST_PERIOD * PUSH_LIMIT / size)
        displace(world, unit, slot, kind, unit.push_x * scale, unit.push_y * scale, True, walk, crowd)


@inlined
def move_unit(world, slot, unit, kind, orders, walk, creep, crowd, ways):
    """One loop of one unit's movement."""
    unit.push_x = 0.0
    unit.push_y = 0.0
    if unit.flags & INSIDE or (unit.flags & STRUCTURE and kind.speed <= 0.0):
        return
    fixed = unit.flags & IMMOBILE or kind.speed <= 0.0
    grounded = not unit.flags & FLYING
    if grounded and not fixed and unit.builder < 0 and not free_cell(walk, unit.x, unit.y):
        step_out(unit, walk)
        return
    if unit.moving and not fixed:
        advance(world, slot, unit, kind, orders, walk, creep, crowd, ways)
    else:
        rest_in_place(world, slot, unit, kind, orders, walk, crowd)


@rule
def move_apart(world, slot, unit, kind, orders, ground, crowd, ways):
    """The same for the few with a ground of their own. Code of its own: choosing between grounds costs all others more
    than their step does."""
    walk = ground.climb
    if kind.ground == BROAD:
        fit_broad(world, ground.walk, ground.broad)
        walk = ground.broad
    move_unit(world, slot, unit, kind, orders, walk, ground.creep, crowd, ways)
