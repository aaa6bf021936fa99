"""Mining, compiled: every worker with a gather or return order, once a loop.

A trip: walk to the field, take it (one worker at a time), harvest, wait the return delay, walk to the nearest town
hall, hand over, walk back. Stages are kept in `harvest_stage`. The kernel walks the worker to `goal`; this rule only
says where to.
"""

from __future__ import annotations

import math

import numpy as np

from sim.engine.jit import rule
from sim.engine.reports import report
from sim.engine.state import DELIVERED, DEPLETED, GATHER, INSIDE, NO_COLLISION, RETURN, UNFINISHED

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
# Events beside the kernel's own: the load is taken; nothing left to do.
LOADED, NO_WORK = 101, 102

# Ours, fitted to the mining medians of real games (mechanics, section 1).
FIELD_REACH = 1.325  # cells between the centres of worker and mineral field at which the harvest begins
BRAKE = 0.63  # deceleration of workers as a share of their acceleration; the tables leave it open
GAS_REACH = 0.25  # cells between worker's edge and gas structure at which it goes in
HALL_REACH = 0.1  # cells between the worker's centre and the town hall's square at which the load is handed over
DOOR = 2.0  # loops that going in and out of a gas structure adds (156 gas a minute in real games)
DIRECTIONS = 32  # places round a field that a worker may go to
SEARCH_RADIUS = 10.0  # catalog: AcquireRadius of the harvest ability
NOTICE = 0.5  # cells before that at which a worker notices that its field is taken
LOOK_PERIOD = 4  # a worker that finds its field taken looks for another every so many loops


@rule
def box_distance(x, y, box_x, box_y, half_x, half_y):
    """Distance of a point from an upright rectangle, 0 inside."""
    dx = max(abs(x - box_x) - half_x, 0.0)
    dy = max(abs(y - box_y) - half_y, 0.0)
    return math.sqrt(dx * dx + dy * dy)


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
def workers_of(world, units, orders, table, field, owner):
    """Workers of a player that mine a field, wherever on their way they are (MULEs do not count)."""
    count = 0
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or unit.harvest_target != field or unit.owner != owner or unit.order_count == 0:
            continue
        if orders[slot, 0].verb in MINING and table[unit.type].role == WORKER:
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
def spot_at(walk, unit, x, y):
    """The worker's goal at a mineral field: the nearest walkable point of the circle on which the harvest begins."""
    radius = FIELD_REACH - 0.05
    straight = math.atan2(unit.y - y, unit.x - x)
    unit.goal_x = x
    unit.goal_y = y
    for step in range(DIRECTIONS):
        side = 1.0 if step % 2 else -1.0
        angle = straight + side * ((step + 1) // 2) * (2.0 * math.pi / DIRECTIONS)
        goal_x = x + radius * math.cos(angle)
        goal_y = y + radius * math.sin(angle)
        column = int(goal_x)
        row = int(goal_y)
        if 0 <= row < walk.shape[0] and 0 <= column < walk.shape[1] and walk[row, column] != 0:
            unit.goal_x = goal_x
            unit.goal_y = goal_y
            return


@rule
def walk_to_field(walk, unit, field, role):
    """Lets the worker walk to its field."""
    unit.moving = 1
    if role == MINERALS:
        if (unit.goal_x - field.x) ** 2 + (unit.goal_y - field.y) ** 2 > FIELD_REACH * FIELD_REACH:
            spot_at(walk, unit, field.x, field.y)
    else:
        unit.goal_x = field.x
        unit.goal_y = field.y


@rule
def brake(unit, acceleration):
    """Keeps a worker slow enough to stop at its goal, with BRAKE times its acceleration (the kernel speeds up next)."""
    rest = math.sqrt((unit.goal_x - unit.x) ** 2 + (unit.goal_y - unit.y) ** 2)
    rate = BRAKE * acceleration
    limit = math.sqrt(2.0 * rate * rest) + rate
    unit.speed = min(unit.speed, max(limit - acceleration, 0.0))


@rule
def walk_to_hall(unit, home, box):
    """Lets the worker walk to the nearest point at which it can hand its load over."""
    edge_x = min(max(unit.x, home.x - box.half_x), home.x + box.half_x)
    edge_y = min(max(unit.y, home.y - box.half_y), home.y + box.half_y)
    distance = math.sqrt((unit.x - edge_x) ** 2 + (unit.y - edge_y) ** 2)
    reach = (HALL_REACH - 0.05) / max(distance, 1e-3)
    unit.goal_x = edge_x + (unit.x - edge_x) * reach
    unit.goal_y = edge_y + (unit.y - edge_y) * reach
    unit.moving = 1


@rule
def at_field(unit, field, kind):
    """The worker is near enough to begin."""
    if kind.role == MINERALS:
        return (unit.x - field.x) ** 2 + (unit.y - field.y) ** 2 <= FIELD_REACH * FIELD_REACH
    return box_distance(unit.x, unit.y, field.x, field.y, kind.half_x, kind.half_y) <= GAS_REACH + 0.375


@rule
def near_field(unit, field):
    """The worker is so near that it notices whether its field is taken."""
    reach = FIELD_REACH + NOTICE
    return (unit.x - field.x) ** 2 + (unit.y - field.y) ** 2 <= reach * reach


@rule
def aim(units, orders, slot, target, verb, ability):
    """Turns the worker's current order to another target."""
    order = orders[slot, 0]
    other = units[target]
    order.verb = verb
    order.ability = ability
    order.target = target
    order.target_generation = other.generation
    order.x = other.x
    order.y = other.y
    order.stage = 0
    unit = units[slot]
    unit.harvest_stage = WALK
    unit.goal_x = unit.x
    unit.goal_y = unit.y
    unit.moving = 0


@rule
def stand(unit):
    """Stops the worker where it is."""
    unit.moving = 0
    unit.goal_x = unit.x
    unit.goal_y = unit.y


@rule
def let_go(units, slot):
    """The worker gives up the field it occupies, and comes out of a gas structure."""
    unit = units[slot]
    field = unit.harvest_target
    if field >= 0 and units[field].occupant == slot:
        units[field].occupant = -1
    if unit.flags & INSIDE != 0 and unit.inside == field:
        unit.flags &= ~np.uint32(INSIDE)
        unit.inside = -1


@rule
def turn_to_field(world, units, orders, table, walk, slot, events):
    """After a delivery, or when a field is gone: back to the remembered field or the nearest one of that sort."""
    unit = units[slot]
    me = table[unit.type]
    field = unit.harvest_target
    if field < 0 or not is_field(units, table, field, unit.owner):
        x = unit.x
        y = unit.y
        role = MINERALS
        if field >= 0:
            x = units[field].x
            y = units[field].y
        field = best_field(world, units, orders, table, slot, x, y, role, 1000)
    if field < 0:
        report(world, events, NO_WORK, slot, -1, 0.0)
        return
    unit.harvest_target = field
    aim(units, orders, slot, field, GATHER, me.gather)
    walk_to_field(walk, unit, units[field], table[units[field].type].role)


@rule
def gather(world, units, orders, table, walk, slot, events):
    """One loop of a gather order."""
    unit = units[slot]
    order = orders[slot, 0]
    me = table[unit.type]
    field = order.target
    gone = field < 0 or units[field].generation != order.target_generation
    if unit.harvest_stage == DELAY:
        unit.harvest_timer -= 1
        if unit.harvest_timer <= 0:
            report(world, events, LOADED, slot, field, 0.0)
            hall = nearest_hall(world, units, table, slot)
            if hall < 0:
                report(world, events, NO_WORK, slot, -1, 0.0)
            else:
                aim(units, orders, slot, hall, RETURN, me.bring)
        return
    if gone or not is_field(units, table, field, unit.owner):
        let_go(units, slot)
        if not gone:
            unit.harvest_target = field
        turn_to_field(world, units, orders, table, walk, slot, events)
        return
    resource = units[field]
    kind = table[resource.type]
    if unit.harvest_stage == WORK and unit.harvest_target == field:
        unit.harvest_timer -= 1
        if unit.harvest_timer <= 0:
            let_go(units, slot)
            load(world, units, slot, field, table, events)
        return
    if unit.harvest_target != field:
        let_go(units, slot)
        unit.harvest_target = field
        unit.harvest_stage = WALK
    if unit.harvest_stage == WORK:
        unit.harvest_stage = WALK
    alone = me.role == MULE
    holder = resource.occupant
    busy = not alone and holder >= 0 and holder != slot and holds(units, orders, holder, field)
    there = at_field(unit, resource, kind)
    looks = (there and unit.harvest_stage != WAIT) or (world.loop + slot) % LOOK_PERIOD == 0
    if busy and looks and kind.role == MINERALS and near_field(unit, resource):
        mine = workers_of(world, units, orders, table, field, unit.owner)
        other = best_field(world, units, orders, table, slot, unit.x, unit.y, MINERALS, mine - 2)
        if other >= 0:
            unit.harvest_target = other
            aim(units, orders, slot, other, GATHER, me.gather)
            walk_to_field(walk, unit, units[other], MINERALS)
            return
    if not there:
        unit.harvest_stage = WALK
        walk_to_field(walk, unit, resource, kind.role)
        brake(unit, me.acceleration)
        return
    stand(unit)
    if busy:
        unit.harvest_stage = WAIT
        return
    unit.harvest_stage = WORK
    unit.harvest_timer = kind.loops * me.factor + (DOOR if kind.role == GAS else 0.0)
    unit.facing = math.atan2(resource.y - unit.y, resource.x - unit.x)
    if not alone:
        resource.occupant = slot
    if kind.role == GAS:
        unit.flags |= np.uint32(INSIDE)
        unit.inside = field


@rule
def holds(units, orders, holder, field):
    """The worker noted at a field is still at work on it."""
    unit = units[holder]
    if unit.alive == 0 or unit.order_count == 0 or unit.harvest_stage != WORK:
        return False
    return orders[holder, 0].verb == GATHER and orders[holder, 0].target == field


@rule
def load(world, units, slot, field, table, events):
    """The harvest is over: the worker takes its load."""
    unit = units[slot]
    resource = units[field]
    kind = table[resource.type]
    me = table[unit.type]
    amount = kind.amount
    if me.amount > 0:
        amount = me.amount
    amount = min(amount, resource.contents)
    resource.contents -= amount
    unit.carry = amount
    unit.carry_gas = 1 if kind.role == GAS else 0
    if resource.contents <= 0 and amount > 0:
        report(world, events, DEPLETED, field, slot, 0.0)
    unit.harvest_stage = DELAY
    unit.harvest_timer = kind.delay


@rule
def bring(world, units, orders, players, table, walk, slot, events):
    """One loop of a return order."""
    unit = units[slot]
    order = orders[slot, 0]
    if unit.flags & INSIDE != 0:
        let_go(units, slot)
    hall = order.target
    good = hall >= 0 and units[hall].alive != 0 and units[hall].generation == order.target_generation
    if good:
        good = units[hall].owner == unit.owner and table[units[hall].type].role == HALL
    if not good:
        hall = nearest_hall(world, units, table, slot)
        if hall < 0:
            report(world, events, NO_WORK, slot, -1, 0.0)
            return
        aim(units, orders, slot, hall, RETURN, table[unit.type].bring)
    home = units[hall]
    box = table[home.type]
    if box_distance(unit.x, unit.y, home.x, home.y, box.half_x, box.half_y) > HALL_REACH:
        if unit.moving == 0 or order.stage == 0:
            order.stage = 1
            walk_to_hall(unit, home, box)
        brake(unit, table[unit.type].acceleration)
        return
    stand(unit)
    if unit.carry > 0:
        player = players[unit.owner]
        if unit.carry_gas != 0:
            player.gas += unit.carry
            player.gas_gathered += unit.carry
        else:
            player.minerals += unit.carry
            player.minerals_gathered += unit.carry
        report(world, events, DELIVERED, slot, hall, np.float32(unit.carry))
        unit.carry = 0
    if unit.order_count == 1:
        turn_to_field(world, units, orders, table, walk, slot, events)


@rule
def harvest(world, units, orders, players, table, walk, events):
    """All workers, one loop."""
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or table[unit.type].role < WORKER:
            continue
        verb = orders[slot, 0].verb if unit.order_count > 0 else 0
        if verb == GATHER:
            unit.flags |= np.uint32(NO_COLLISION)
            gather(world, units, orders, table, walk, slot, events)
        elif verb == RETURN:
            unit.flags |= np.uint32(NO_COLLISION)
            bring(world, units, orders, players, table, walk, slot, events)
        elif unit.flags & NO_COLLISION != 0:
            unit.flags &= ~np.uint32(NO_COLLISION)
            let_go(units, slot)
