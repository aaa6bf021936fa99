"""How one unit moves by itself: top speed, speeding up and braking, turns, walls, the end of its way."""

from __future__ import annotations

import math

from sim.engine.blocking import keep_off
from sim.engine.geometry import between, free_cell, heading, turned, wrap
from sim.engine.jit import inlined, rule
from sim.engine.parameters import CUT_ERROR, STEP_OUT
from sim.engine.pathing import nearest_free
from sim.engine.route import ARRIVED, set_way
from sim.engine.state import AGILE, FLYING


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
def turn_first(unit, kind, dx, dy):
    """Turn towards the step. -> True if the unit has to stand for that; for others a turn is for their looks and
    weapons only and takes no time."""
    course = heading(dx, dy)
    if kind.turns_first and abs(wrap(course - unit.facing)) > kind.turn_rate_still + 1e-4:
        unit.facing = turned(unit.facing, course, kind.turn_rate_still)
        unit.speed = 0.0
        return True
    rate = kind.turn_rate if kind.turn_rate > 0.0 else 7.0
    unit.facing = turned(unit.facing, course, rate)
    return False


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
def glide(unit, kind, walk):
    """A flyer that fires while it slows down goes on towards where it was about to go; whatever it looks at."""
    brake = kind.deceleration if kind.deceleration > 0.0 else kind.acceleration
    leg = between(unit.x, unit.y, unit.goal_x, unit.goal_y)
    unit.speed = max(unit.speed - brake, 0.0) if brake > 0.0 and leg > unit.speed else 0.0
    if unit.speed > 0.0:
        dx = (unit.goal_x - unit.x) / leg
        dy = (unit.goal_y - unit.y) / leg
        unit.speed = cut_down(dx, dy, unit.speed)
        shift(unit, dx * unit.speed, dy * unit.speed, walk)


@inlined
def displace(world, unit, slot, kind, dx, dy, wary, walk, crowd):
    """Displace a unit that comes no deeper into who stands firm; not `wary`: nobody of these is near."""
    x = unit.x
    y = unit.y
    shift(unit, dx, dy, walk)
    if wary and keep_off(world, unit, slot, kind, x, y, crowd):
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
    unit.walled = 0
    unit.speed = 0.0
