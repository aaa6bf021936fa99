"""Mining, compiled: where workers harvest and deliver, and how they walk there."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.jit import rule
from sim.engine.lines import clear_line
from sim.engine.parameters import REPLAN_PERIOD
from sim.engine.pathing import shut_in
from sim.engine.route import UNPLANNED
from sim.engine.state import GATHER, INSIDE, RETURN, UNFINISHED

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
        ("cut", "f4"),  # cells that its corners are cut off by, 0 = none; gas structures and town halls are squares
        ("touch", "f4"),  # cells between a worker's centre and the footprint at which it has come
        ("acceleration", "f4"),  # worker: cells per loop per loop
        ("gather", "i4"),  # worker: its ability ids
        ("bring", "i4"),
        ("waits", "i4"),  # what its order is while its gas structure is not complete, 0 = it counts as idle meanwhile
    ],
    align=True,
)

MINING = (GATHER, RETURN)
# Stages of a gather order.
WALK, WAIT, WORK, DELAY = range(4)
HANDED = 4  # and of a return order: the load is home, the last step goes on
# Stages of a gather or return order: a move has led its worker here; the worker took it up by itself.
LED, RESUMED = 3, 4

# How near a worker's centre comes to the footprint before it harvests or delivers (its own radius; more at town halls)
# and what is cut off the corners of that (catalog: the outlines of footprints), in cells. Of real ones 108 at rest at a
# field lie 0.34 to 0.375 off it, and trips of five between a gas structure and a Nexus (76 sightings) come out to .003
# with a touch of .371 to .392 at the Nexus (.381 at least by a trip observed of 4.10).
OUTLINES = {MINERALS: (0.375, 0.0), GAS: (0.375, 0.75), HALL: (0.385, 1.5)}
DEEPEST = 0.3125  # cells off the footprint where its way ends: bodies touch a 16th deeper than their radii
SHORT_OF_IT = 0.0625  # cells before DEEPEST where a side is looked at: free or not, in sight or not
DIRECTIONS = 32  # places round a field that a worker may go to
SETTING_OUT = 1  # loop in which the workers of a new game set out (docs/fidelity/mining.md, Setting out)
PAUSE, CROWD = 4.0, 1.1  # loops that a worker with another one within so many cells loses (mining.md, The pause)


@rule
def box_distance(x, y, box_x, box_y, half_x, half_y):
    """Distance of a point from an upright rectangle, 0 inside."""
    dx = max(abs(x - box_x) - half_x, 0.0)
    dy = max(abs(y - box_y) - half_y, 0.0)
    return math.sqrt(dx * dx + dy * dy)


@rule
def gap(x, y, place, box):
    """Distance of a point from a footprint."""
    if box.cut == 0.0:
        return box_distance(x, y, place.x, place.y, box.half_x, box.half_y)
    over = max(abs(x - place.x), abs(y - place.y)) - box.half_x  # from the nearest of its eight corners
    beside = min(abs(x - place.x), abs(y - place.y)) - box.half_x + box.cut
    if beside <= 0.0:
        return max(over, 0.0)
    if beside <= over:
        return math.sqrt(over * over + beside * beside)
    return max((over + beside) * math.sqrt(0.5), 0.0)


@rule
def in_touch(unit, place, box):
    """The worker has come to a field, gas structure or town hall."""
    return gap(unit.x, unit.y, place, box) <= box.touch


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
def in_crowd(world, units, orders, table, slot):
    """Another worker of the player that mines is within CROWD of this one."""
    worker = units[slot]
    for other in range(world.slots):
        unit = units[other]
        if other == slot or unit.alive == 0 or unit.owner != worker.owner or table[unit.type].role < WORKER:
            continue
        if unit.order_count == 0 or orders[other, 0].verb not in MINING or unit.flags & INSIDE != 0:
            continue
        if (unit.x - worker.x) ** 2 + (unit.y - worker.y) ** 2 < CROWD * CROWD:
            return True
    return False


@rule
def walk_to(walk, unit, place, box, lost):
    """The worker walks straight at the middle of a field, gas structure or town hall, or to the nearest free side: to
    one in its sight before one that it must walk round to. Sides in a pocket that it cannot get into do not count, and
    who is `lost`, which found no way to such a side, goes to the one that is nearest on its way."""
    straight = math.atan2(unit.y - place.y, unit.x - place.x)
    unit.goal_x = place.x
    unit.goal_y = place.y
    unit.goal_side = int(2.0 * box.half_x)
    unit.moving = 1
    unit.way_state = UNPLANNED  # also where its last way ended near by
    found = False
    for step in range(DIRECTIONS):
        side = 1.0 if step % 2 else -1.0
        angle = straight + side * ((step + 1) // 2) * (2.0 * math.pi / DIRECTIONS)
        near = 0.0
        far = box.half_x + box.half_y + 1.0
        for _ in range(12):
            middle = 0.5 * (near + far)
            off = gap(place.x + middle * math.cos(angle), place.y + middle * math.sin(angle), place, box)
            if off < DEEPEST:
                near = middle
            else:
                far = middle
        goal_x = place.x + near * math.cos(angle)
        goal_y = place.y + near * math.sin(angle)
        # what is free and in sight shows a little farther out: cut corners leave the cells free that they block
        look_x = place.x + (near + SHORT_OF_IT) * math.cos(angle)
        look_y = place.y + (near + SHORT_OF_IT) * math.sin(angle)
        column = int(look_x)
        row = int(look_y)
        if not (0 <= row < walk.shape[0] and 0 <= column < walk.shape[1]) or walk[row, column] == 0:
            continue
        in_sight = clear_line(walk, unit.x, unit.y, look_x, look_y)
        if in_sight or not (found or lost or shut_in(walk, column, row, unit.x, unit.y)):
            unit.goal_x = goal_x
            unit.goal_y = goal_y
            unit.goal_side = 0
            found = True
        if in_sight or step >= DIRECTIONS // 2:
            return


@rule
def keep_way(world, walk, unit, slot, place, box):
    """Lets the worker walk to a place; where it will touch is chosen once, or as soon as who is lost sees a side."""
    off = gap(unit.goal_x, unit.goal_y, place, box)
    lost = unit.goal_side > 0 or (unit.moving == 0 and off <= box.touch)
    due = unit.goal_side > 0 and (world.loop + slot) % REPLAN_PERIOD == 0
    if unit.moving == 0 or due or off > box.touch:
        walk_to(walk, unit, place, box, lost)


@rule
def brake(unit, acceleration, onward):
    """Slows a worker down on its way to `goal`, where it will touch: by its acceleration in each loop that begins with
    no more way left than it needs to stop. As it brakes at one rate only, it comes to its goal with some speed left,
    the less the later it began; a move with more orders behind it does not brake, and so do ladder bots gain time.

    Once it has begun, `onward` steps more may be left: half a step on moves, as five of an SCV were observed of 4.10.
    """
    rest = math.sqrt((unit.goal_x - unit.x) ** 2 + (unit.goal_y - unit.y) ** 2)
    least = unit.speed * unit.speed / (2.0 * acceleration)
    unit.braking = rest <= least + (onward * unit.speed if unit.braking else 0.0)
    if unit.braking:
        unit.speed = max(unit.speed - 2.0 * acceleration, 0.0)  # the kernel speeds it up by one of them
