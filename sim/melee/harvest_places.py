"""Mining, compiled: where workers harvest and deliver, and which field they choose."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.jit import rule
from sim.engine.lines import clear_line
from sim.engine.state import GATHER, MOVE, RETURN, UNFINISHED

GONE = -2  # value of `harvest_target`: the field does not exist any more
# What a unit type is to mining.
MINERALS, GAS, HALL, WORKER, MULE = 1, 2, 3, 4, 5
HARVEST = np.dtype(
    [
        ("role", "u1"),
        ("amount", "i4"),  # per trip (MULE: what it asks for)
        ("loops", "f4"),  # at the resource
        ("delay", "f4"),  # between harvest and way home
        ("factor", "f4"),  # worker: multiplies `loops`
        ("half_x", "f4"),  # resource, town hall: half width and depth of the footprint
        ("half_y", "f4"),
        ("acceleration", "f4"),  # worker: cells per loop per loop
        ("gather", "i4"),  # worker: its ability ids
        ("bring", "i4"),
    ],
    align=True,
)

MINING = (GATHER, RETURN)
# Stages of a gather order.
WALK, WAIT, WORK, DELAY = range(4)

# A worker harvests and delivers where it touches: cells between its centre and the footprint, its own radius. In real
# games 108 workers at rest at a field lie 0.34 to 0.375 off the 2x1 footprint, and 30 that turn at a town hall lie
# 0.33 to 0.376 off a square of five cells whose corners are cut off by CUT.
TOUCH = 0.375
CUT = 1.5
GAS_REACH = 0.25  # cells between worker's edge and gas structure at which it goes in
DIRECTIONS = 32  # places round a field that a worker may go to
SEARCH_RADIUS = 10.0  # catalog: AcquireRadius of the harvest ability
NEXT_FIELD = 3.5  # cells, fitted: how far a worker looks for another field where only one is before it


@rule
def box_distance(x, y, box_x, box_y, half_x, half_y):
    """Distance of a point from an upright rectangle, 0 inside."""
    dx = max(abs(x - box_x) - half_x, 0.0)
    dy = max(abs(y - box_y) - half_y, 0.0)
    return math.sqrt(dx * dx + dy * dy)


@rule
def gap(x, y, place, box):
    """Distance of a point from a footprint; those of town halls have eight corners."""
    if box.role != HALL:
        return box_distance(x, y, place.x, place.y, box.half_x, box.half_y)
    over = max(abs(x - place.x), abs(y - place.y)) - box.half_x  # from the nearest of its eight corners
    beside = min(abs(x - place.x), abs(y - place.y)) - box.half_x + CUT
    if beside <= 0.0:
        return max(over, 0.0)
    if beside <= over:
        return math.sqrt(over * over + beside * beside)
    return max((over + beside) * math.sqrt(0.5), 0.0)


@rule
def in_touch(unit, place, box):
    """The worker touches a field or town hall."""
    return gap(unit.x, unit.y, place, box) <= TOUCH


@rule
def is_field(units, table, slot, owner):
    """The slot holds something that a worker of the owner can harvest."""
    unit = units[slot]
    if unit.alive == 0:
        return False
    role = table[unit.type].role
    if role == MINERALS:
        return unit.contents > 0
    return role == GAS and unit.owner == owner and unit.flags & UNFINISHED == 0


@rule
def holds(units, orders, holder, field):
    """The worker noted at a field is still at work on it."""
    unit = units[holder]
    if unit.alive == 0 or unit.order_count == 0 or unit.harvest_stage != WORK:
        return False
    return orders[holder, 0].verb == GATHER and orders[holder, 0].target == field


@rule
def workplace(unit, orders, slot):
    """The field that a worker mines, also where a move comes before that; -1 = it does something else."""
    for k in range(unit.order_count):
        verb = orders[slot, k].verb
        if verb == GATHER:
            return orders[slot, k].target
        if verb == RETURN and unit.order_count == k + 1:
            return unit.harvest_target
        if verb not in (MOVE, RETURN):
            return -1
    return -1


@rule
def workers_of(world, units, orders, table, field, owner):
    """Workers of a player that mine a field, wherever on their way they are (MULEs do not count)."""
    count = 0
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or unit.owner != owner or unit.order_count == 0 or table[unit.type].role != WORKER:
            continue
        if workplace(unit, orders, slot) == field:
            count += 1
    return count


@rule
def best_field(world, units, orders, table, slot, x, y, role, limit):
    """The field within SEARCH_RADIUS that has the fewest workers, at most `limit`; the nearest such. -1 = none."""
    best = -1
    best_count = limit + 1
    best_distance = 0.0
    owner = units[slot].owner
    for other in range(world.slots):
        unit = units[other]
        if unit.alive == 0 or table[unit.type].role != role:
            continue
        distance = (unit.x - x) ** 2 + (unit.y - y) ** 2
        if distance > SEARCH_RADIUS * SEARCH_RADIUS or not is_field(units, table, other, owner):
            continue
        count = workers_of(world, units, orders, table, other, owner)
        if count < best_count or (count == best_count and best >= 0 and distance < best_distance):
            best = other
            best_count = count
            best_distance = distance
    return best


@rule
def gatherers(world, units, orders, field, stage, besides):
    """Workers at a stage (WALK, WAIT) of a gather order for a field."""
    count = 0
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or slot == besides or unit.harvest_target != field or unit.order_count == 0:
            continue
        if orders[slot, 0].verb == GATHER and unit.harvest_stage == stage:
            count += 1
    return count


@rule
def emptier_field(world, units, orders, table, slot):
    """A field for a worker at a busy one, on which it will find fewer others than here, -1 = none, so that it waits:
    the one with the fewest workers, whether they are there or on their way; the nearest such.

    It looks near by, and as far as it may where others wait already: the third of a field would wait for a whole
    harvest and more.
    """
    unit = units[slot]
    waiting = gatherers(world, units, orders, unit.harvest_target, WAIT, slot)
    reach = SEARCH_RADIUS if waiting > 0 else NEXT_FIELD
    best = -1
    best_distance = 0.0
    fewest = workers_of(world, units, orders, table, unit.harvest_target, unit.owner) - 2
    for other in range(world.slots):
        field = units[other]
        if field.alive == 0 or table[field.type].role != MINERALS or field.contents <= 0:
            continue
        distance = math.sqrt((field.x - unit.x) ** 2 + (field.y - unit.y) ** 2)
        if distance > reach or other == unit.harvest_target:
            continue
        count = workers_of(world, units, orders, table, other, unit.owner)
        if count < fewest or (count == fewest and (best < 0 or distance < best_distance)):
            best = other
            best_distance = distance
            fewest = count
    return best


@rule
def nearest_hall(world, units, table, slot):
    """Nearest finished town hall of the worker's owner, -1 = none."""
    worker = units[slot]
    best = -1
    best_distance = 1e12
    for other in range(world.slots):
        unit = units[other]
        if unit.alive == 0 or unit.owner != worker.owner or table[unit.type].role != HALL:
            continue
        if unit.flags & UNFINISHED != 0:
            continue
        distance = (unit.x - worker.x) ** 2 + (unit.y - worker.y) ** 2
        if distance < best_distance:
            best = other
            best_distance = distance
    return best


@rule
def walk_to(walk, unit, place, box):
    """The worker walks straight at the middle of a field or town hall until they touch, or to the nearest free side: to
    one in its sight before one that it must walk round to."""
    straight = math.atan2(unit.y - place.y, unit.x - place.x)
    unit.goal_x = place.x
    unit.goal_y = place.y
    unit.moving = 1
    found = False
    for step in range(DIRECTIONS):
        side = 1.0 if step % 2 else -1.0
        angle = straight + side * ((step + 1) // 2) * (2.0 * math.pi / DIRECTIONS)
        near = 0.0
        far = box.half_x + box.half_y + 1.0
        for _ in range(12):
            middle = 0.5 * (near + far)
            if gap(place.x + middle * math.cos(angle), place.y + middle * math.sin(angle), place, box) < TOUCH - 0.02:
                near = middle
            else:
                far = middle
        goal_x = place.x + near * math.cos(angle)
        goal_y = place.y + near * math.sin(angle)
        column = int(goal_x)
        row = int(goal_y)
        if not (0 <= row < walk.shape[0] and 0 <= column < walk.shape[1]) or walk[row, column] == 0:
            continue
        in_sight = clear_line(walk, unit.x, unit.y, goal_x, goal_y)
        if in_sight or not found:
            unit.goal_x = goal_x
            unit.goal_y = goal_y
            found = True
        if in_sight or step >= DIRECTIONS // 2:
            return


@rule
def walk_to_field(walk, unit, field, box):
    """Lets the worker walk to its field; where it will touch is chosen once."""
    if box.role != MINERALS:
        unit.goal_x = field.x
        unit.goal_y = field.y
        unit.moving = 1
    elif unit.moving == 0 or gap(unit.goal_x, unit.goal_y, field, box) > TOUCH:
        walk_to(walk, unit, field, box)


@rule
def brake(unit, acceleration):
    """Slows a worker down on its way to `goal`, where it will touch: by its acceleration in each loop that begins with
    no more way left than it needs to stop. As it brakes at one rate only, it comes to its goal with some speed left,
    the less the later it began; a move does not brake, and so do ladder bots gain time."""
    rest = math.sqrt((unit.goal_x - unit.x) ** 2 + (unit.goal_y - unit.y) ** 2)
    if rest <= unit.speed * unit.speed / (2.0 * acceleration):
        unit.speed = max(unit.speed - 2.0 * acceleration, 0.0)  # the kernel speeds it up by one of them


@rule
def at_field(unit, field, box):
    """The worker is near enough to begin."""
    if box.role == MINERALS:
        return in_touch(unit, field, box)
    return gap(unit.x, unit.y, field, box) <= GAS_REACH + 0.375
