"""Movement of one unit in one loop: course, turning, speed, walls, crowds, arrival."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.blocking import keep_off
from sim.engine.catalog import BROAD
from sim.engine.geometry import between, free_cell, heading, turned, wrap
from sim.engine.jit import inlined, rule
from sim.engine.order import leads_on
from sim.engine.parameters import (
    BODY,
    CROWD_PATIENCE,
    CROWD_REACH,
    CUT_ERROR,
    DEEPEST,
    GIVE_UP_AFTER,
    HEMMED_AFTER,
    ON_POINT,
    PUSH_LIMIT,
    REST_PERIOD,
    SQUEEZE_AFTER,
    SQUEEZE_IN_VAIN,
    STEP_OUT,
    WAITING_STEP,
    WALLED_AFTER,
)
from sim.engine.pathing import fit_broad, nearest_free
from sim.engine.route import AGAIN, ARRIVED, DEAD_END, SIDE_BITS, WAY_BITS, follow_way, set_way, start_way
from sim.engine.state import AGILE, APPROACH, FLYING, HOLD, IMMOBILE, INSIDE, NO_COLLISION, STRUCTURE
from sim.engine.steering import crowded, detour, feel_round, look_round
from sim.engine.world import FIGHTING

FAR = np.float32(1e6)  # cells


@inlined
def top_speed(unit, kind, creep):
    """Speed now at most, cells per loop: the type's, its buffs', and the bonus of creep."""
    speed = kind.speed * unit.speed_factor
    if kind.creep_speed > 1.0 and not unit.flags & FLYING and free_cell(creep, unit.x, unit.y):
        speed *= kind.creep_speed
    return speed


@inlined
def change_speed(unit, kind, wanted, rest):
    """Speed up or slow down towards `wanted` within the type's rates, and brake in time to stop after `rest` cells.

    Flyers without a deceleration brake as fast as they speed up, in each loop that begins with no more way left than
    they need, as workers do (49 of 55 flights of real structures end within two loops of ours), but they stop at once
    where they are told to.
    """
    if unit.flags & AGILE:
        unit.speed = wanted
        return
    brake = kind.deceleration
    pace = kind.acceleration
    if brake <= 0.0 < pace and unit.flags & FLYING and 2.0 * pace * rest <= unit.speed * unit.speed:
        wanted = min(wanted, max(unit.speed - pace, 0.0))
    if brake > 0.0 and 2.0 * brake * rest < 1.01 * wanted * wanted:  # else too far off to brake
        wanted = min(wanted, math.sqrt(2.0 * brake * max(rest, 0.0)) + brake)
    if wanted > unit.speed:
        unit.speed = min(wanted, unit.speed + kind.acceleration) if kind.acceleration > 0.0 else wanted
    else:
        unit.speed = max(wanted, unit.speed - kind.deceleration) if kind.deceleration > 0.0 else wanted


@inlined
def cut_down(dx, dy, speed):
    """The speed that is left when both parts of a velocity are cut down to whole 4096ths, as the game keeps them."""
    x = int(abs(dx) * speed * 4096.0 + CUT_ERROR)
    y = int(abs(dy) * speed * 4096.0 + CUT_ERROR)
    return math.sqrt(float(x * x + y * y)) / 4096.0


@inlined
def open_step(walk, x, y, nx, ny):
    """True if a ground unit can step from one point to another near one: no blocked cell, no blocked corner between."""
    if not free_cell(walk, nx, ny):
        return False
    if int(x) != int(nx) and int(y) != int(ny):
        return free_cell(walk, nx, y) or free_cell(walk, x, ny)
    return True


@inlined
def shift(unit, dx, dy, walk):
    """Displace a unit; ground units stop at blocked cells and slide along them. Everything stays on the map."""
    x = unit.x
    y = unit.y
    if unit.flags & FLYING:
        unit.x = min(max(x + dx, 0.0), walk.shape[1] - 0.01)
        unit.y = min(max(y + dy, 0.0), walk.shape[0] - 0.01)
        return
    if open_step(walk, x, y, x + dx, y + dy):
        unit.x = x + dx
        unit.y = y + dy
    elif abs(dx) >= abs(dy):
        if free_cell(walk, x + dx, y):
            unit.x = x + dx
        elif free_cell(walk, x, y + dy):
            unit.y = y + dy
    elif free_cell(walk, x, y + dy):
        unit.y = y + dy
    elif free_cell(walk, x + dx, y):
        unit.x = x + dx


@inlined
def displace(world, unit, slot, kind, dx, dy, wary, walk, spots, buckets):
    """Displace a unit that comes no deeper into who stands firm; not `wary`: nobody of these is near."""
    x = unit.x
    y = unit.y
    shift(unit, dx, dy, walk)
    if wary and keep_off(world, unit, slot, kind, x, y, spots, buckets):
        to_x = unit.x - x
        to_y = unit.y - y
        unit.x = x
        unit.y = y
        if unit.flags & FLYING or open_step(walk, x, y, x + to_x, y + to_y):
            shift(unit, to_x, to_y, walk)


@rule
def step_out(unit, walk):
    """A ground unit whose cell is blocked walks to the nearest free one, over blocked cells."""
    cell = nearest_free(walk, unit.x, unit.y, 10)
    if cell < 0:
        return
    column = cell % walk.shape[1]
    row = cell // walk.shape[1]
    x = min(max(unit.x, column + 0.05), column + 0.95)
    y = min(max(unit.y, row + 0.05), row + 0.95)
    distance = between(unit.x, unit.y, x, y)
    if distance <= STEP_OUT:
        unit.x = x
        unit.y = y
    else:
        unit.x += (x - unit.x) * STEP_OUT / distance
        unit.y += (y - unit.y) * STEP_OUT / distance


@inlined
def arrive(unit):
    """The unit stops: it is where it wanted to be, or as near as it gets."""
    set_way(unit, ARRIVED, unit.x, unit.y)
    unit.way_goal_x = unit.goal_x  # no way was planned there if it flies or had hardly to move
    unit.way_goal_y = unit.goal_y
    unit.moving = 0
    unit.stuck = 0
    unit.speed = 0.0


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
    elif unit.stuck > 0:
        unit.stuck = max(unit.stuck - 2, 0)
    if (
        ((met or pushed_off) and unit.stuck >= CROWD_PATIENCE)
        or (at_wall and unit.stuck >= GIVE_UP_AFTER)
        or (unit.stuck > 8 * SQUEEZE_AFTER and rest < 2.0 * CROWD_REACH)
    ):
        arrive(unit)


@inlined
def hem_in(unit):
    """Its way round others ends at a wall in this loop. Who had that too often passes through its friends for a while:
    one that goes to and fro between two walls gets nearer half of the time, so that it never counts as stuck."""
    if unit.target < 0 and unit.walled < HEMMED_AFTER:
        unit.walled += 1
        if unit.walled == HEMMED_AFTER:
            unit.walled = 3 * HEMMED_AFTER


@inlined
def advance(world, slot, unit, kind, orders, walk, creep, spots, buckets, fields, distance, corner, queue, near):
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
    follow_way(world, unit, slot, kind.ground, moved, top, walk, fields, distance, corner, queue)
    straight = unit.way_x == unit.goal_x and unit.way_y == unit.goal_y
    leg = rest if straight else between(unit.x, unit.y, unit.way_x, unit.way_y)
    at_wall = unit.way_state & WAY_BITS == DEAD_END
    if leg <= ON_POINT:
        if at_wall:
            arrive(unit)
        return
    dx = (unit.way_x - unit.x) / leg
    dy = (unit.way_y - unit.y) / leg
    free = True
    met = False
    wary = False
    pressed = 0.0
    waits = unit.stuck >= SQUEEZE_IN_VAIN and unit.target < 0  # who bars its way is no friend that gives way
    if kind.separation > 0.0 and not unit.flags & NO_COLLISION:  # larvae collide with nobody
        squeezing = not waits and (unit.stuck >= SQUEEZE_AFTER or unit.walled >= HEMMED_AFTER)
        count, barred, met, aside, wary, pressed, leant = look_round(
            world, unit, slot, kind, dx, dy, squeezing, spots, buckets, near
        )
        met = met and rest < CROWD_REACH and crowded(world, unit, slot, rest, spots, buckets)
        if met:
            pressed = leant
        if not met:
            unit.push_x -= dy * aside
            unit.push_y += dx * aside
        if barred:
            ahead_x = dx
            ahead_y = dy
            dx, dy, free = detour(unit, dx, dy, count, near)
            if free and not open_step(walk, unit.x, unit.y, unit.x + dx * top, unit.y + dy * top):
                hem_in(unit)
                if unit.stuck > WALLED_AFTER:  # that way round ends at a wall: the other
                    unit.way_state ^= SIDE_BITS
                    dx, dy, free = detour(unit, ahead_x, ahead_y, count, near)
        elif count == 0:
            if unit.stuck == 0:
                unit.way_state &= ~SIDE_BITS
            if unit.walled > 0:
                unit.walled -= 1
    course = heading(dx, dy)
    if kind.turns_first and abs(wrap(course - unit.facing)) > kind.turn_rate_still + 1e-4:
        unit.facing = turned(unit.facing, course, kind.turn_rate_still)
        unit.speed = 0.0
        return
    rate = kind.turn_rate if kind.turn_rate > 0.0 else 7.0
    unit.facing = turned(unit.facing, course, rate)  # for its looks and weapons: a turn takes others no time
    change_speed(unit, kind, top if free else 0.0, FAR if leads_on(unit, orders, slot) else rest)
    if kind.acceleration > 0.0:
        unit.speed = cut_down(dx, dy, unit.speed)
    step = min(unit.speed, leg)
    push_x = unit.push_x
    push_y = unit.push_y
    ahead = push_x * dx + push_y * dy
    if ahead > 0.0 or unit.flags & FLYING:  # pushes from behind do not make it faster, no flyer is held up by others
        push_x -= ahead * dx
        push_y -= ahead * dy
    if unit.flags & FLYING and rest <= kind.separation:  # those that come to one point stack, and spread at rest
        push_x = np.float32(0.0)
        push_y = np.float32(0.0)
    square = push_x * push_x + push_y * push_y
    most = max(top, PUSH_LIMIT)
    if square > most * most:
        shorter = most / math.sqrt(square)
        push_x *= shorter
        push_y *= shorter
    forth = min(step, WAITING_STEP) if waits and ahead < 0.0 else step
    near_end = rest < CROWD_REACH or (at_wall and leg < CROWD_REACH)
    repeated = unit.way_state & AGAIN and near_end and unit.target < 0 and not unit.flags & FLYING
    if pressed > 0.0 and repeated:
        forth = min(forth, max(step * (1.0 - pressed / DEEPEST), WAITING_STEP))
    displace(world, unit, slot, kind, dx * forth + push_x, dy * forth + push_y, wary, walk, spots, buckets)
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
def rest_in_place(world, slot, unit, kind, orders, walk, spots, buckets):
    """A standing unit slows down, and unless it holds its place it gives way to those who overlap it."""
    if unit.speed > 0.0:
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
    feel_round(world, unit, slot, kind, marks, spots, buckets)
    size = math.sqrt(unit.push_x * unit.push_x + unit.push_y * unit.push_y)
    if size > 1e-4:
        scale = min(1.0, REST_PERIOD * PUSH_LIMIT / size)
        displace(world, unit, slot, kind, unit.push_x * scale, unit.push_y * scale, True, walk, spots, buckets)


@inlined
def move_unit(world, slot, unit, kind, orders, walk, creep, spots, buckets, fields, distance, corner, queue, near):
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
        advance(world, slot, unit, kind, orders, walk, creep, spots, buckets, fields, distance, corner, queue, near)
    else:
        rest_in_place(world, slot, unit, kind, orders, walk, spots, buckets)


@rule
def move_apart(
    world, slot, unit, kind, orders, walk, creep, spots, buckets, fields, distance, corner, queue, near, climb, broad
):
    """The same for the few with a ground of their own. Code of its own: choosing between grounds costs all others more
    than their step does."""
    ground = climb
    if kind.ground == BROAD:
        fit_broad(world, walk, broad)
        ground = broad
    move_unit(world, slot, unit, kind, orders, ground, creep, spots, buckets, fields, distance, corner, queue, near)
