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
from sim.engine.state import CHANNELLING, DELIVERED, DEPLETED, GATHER, INSIDE, MOVE, NO_COLLISION, RETURN
from sim.melee.harvest_places import (
    DELAY,
    GAS,
    HALL,
    MINERALS,
    MINING,
    MULE,
    TOUCH,
    WAIT,
    WALK,
    WORK,
    WORKER,
    at_field,
    best_field,
    brake,
    free_field,
    gap,
    gatherers,
    holds,
    in_touch,
    is_field,
    nearest_hall,
    walk_to,
    walk_to_field,
)

# Events beside the kernel's own: the load is taken; nothing left to do.
LOADED, NO_WORK = 101, 102

# Ours.
LOADING = 2  # stage of a return order whose worker still waits at the gas structure
ARRIVED = 0.05  # cells from the point of a move at which it is over
LOOK_PERIOD = 4  # a worker that waits behind another looks for a free field every so many loops
NEXT, BEHIND = 0.0, 1.0  # place in the line before a busy field, kept in `harvest_timer`


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
    unit.speed = 0.0
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
    walk_to_field(walk, unit, units[field], table[units[field].type])


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
            unit.flags &= ~np.uint32(CHANNELLING)
            report(world, events, LOADED, slot, field, 0.0)
            hall = nearest_hall(world, units, table, slot)
            if hall < 0:
                report(world, events, NO_WORK, slot, -1, 0.0)
            else:
                aim(units, orders, slot, hall, RETURN, me.bring)
                walk_to(walk, unit, units[hall], table[units[hall].type])
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
            if me.role != MULE:
                resource.timer = world.loop  # nobody begins, or goes in, in the loop in which another one ends
            load(world, units, slot, field, table, events)
            if kind.role == GAS and unit.order_count == 1:
                head_home(world, units, orders, table, slot, events)
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
    leaving = not alone and resource.timer == world.loop
    there = at_field(unit, resource, kind)
    if busy and there and kind.role == MINERALS:
        other = -1
        if unit.harvest_stage != WAIT:
            unit.harvest_timer = BEHIND if gatherers(world, units, orders, field, WAIT, slot) else NEXT
            patience = units[holder].harvest_timer if unit.harvest_timer == NEXT else kind.loops
            other = free_field(world, units, orders, table, slot, patience)
        elif unit.harvest_timer == BEHIND and (world.loop + slot) % LOOK_PERIOD == 0:
            other = free_field(world, units, orders, table, slot, kind.loops)
        if other >= 0:
            unit.harvest_target = other
            aim(units, orders, slot, other, GATHER, me.gather)
            walk_to_field(walk, unit, units[other], kind)
            return
    if not there:
        unit.harvest_stage = WALK
        walk_to_field(walk, unit, resource, kind)
        brake(unit, me.acceleration)
        return
    stand(unit)
    if busy or leaving:
        unit.harvest_stage = WAIT
        return
    unit.harvest_stage = WORK
    unit.harvest_timer = kind.loops * me.factor
    unit.facing = math.atan2(resource.y - unit.y, resource.x - unit.x)
    if not alone:
        resource.occupant = slot
    if kind.role == GAS:
        unit.flags |= np.uint32(INSIDE)
        unit.inside = field


@rule
def head_home(world, units, orders, table, slot, events):
    """Out of a gas structure the worker has its order home at once, and waits under it: what is queued now comes after
    the delivery (public bots take workers off gas so)."""
    unit = units[slot]
    hall = nearest_hall(world, units, table, slot)
    if hall < 0:
        return
    wait = unit.harvest_timer
    report(world, events, LOADED, slot, unit.harvest_target, 0.0)
    aim(units, orders, slot, hall, RETURN, table[unit.type].bring)
    orders[slot, 0].stage = LOADING
    unit.harvest_stage = DELAY
    unit.harvest_timer = wait


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
    if kind.role == GAS:
        unit.harvest_timer += kind.delay - 1.0  # the rest of this loop counts
    else:
        unit.harvest_timer = kind.delay
        unit.flags |= np.uint32(CHANNELLING)  # catalog: WaitToReturn is not interrupted, new orders wait behind it


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
    if not in_touch(unit, home, box):
        if unit.moving == 0 or gap(unit.goal_x, unit.goal_y, home, box) > TOUCH:
            walk_to(walk, unit, home, box)
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
        unit.facing = math.atan2(unit.goal_y - unit.y, unit.goal_x - unit.x)


@rule
def cut_short(units, orders, table, slot):
    """A move before a harvest or delivery is over where it ends, or where the worker cannot get nearer: to a town hall,
    or to a point within its target.

    The next order acts in the same loop, without a stop in between; so ladder bots mine.
    """
    unit = units[slot]
    order = orders[slot, 0]
    target = orders[slot, 1].target
    if order.target >= 0 or target < 0:
        return
    rest = math.sqrt((unit.x - order.x) ** 2 + (unit.y - order.y) ** 2)
    box = table[units[target].type]
    if gap(order.x, order.y, units[target], box) <= 0.0:  # within the footprint: nobody gets there
        if not in_touch(unit, units[target], box):
            return
    elif rest <= unit.speed + ARRIVED:
        unit.x = order.x
        unit.y = order.y
    elif box.role != HALL or rest > 0.5 or gap(unit.x, unit.y, units[target], box) > TOUCH:
        return
    for k in range(1, unit.order_count):
        orders[slot, k - 1] = orders[slot, k]
    unit.order_count -= 1
    orders[slot, unit.order_count].verb = 0
    orders[slot, unit.order_count].ability = 0
    unit.moving = 0


@rule
def harvest(world, units, orders, players, table, walk, events):
    """All workers, one loop."""
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or table[unit.type].role < WORKER:
            continue
        passing = unit.order_count > 1 and orders[slot, 0].verb == MOVE and orders[slot, 1].verb in MINING
        if passing:
            cut_short(units, orders, table, slot)
        verb = orders[slot, 0].verb if unit.order_count > 0 else 0
        if verb != GATHER or unit.harvest_stage != DELAY:
            unit.flags &= ~np.uint32(CHANNELLING)
        if verb == GATHER:
            unit.flags |= np.uint32(NO_COLLISION)
            gather(world, units, orders, table, walk, slot, events)
            continue
        if unit.flags & NO_COLLISION != 0 and verb != RETURN:
            let_go(units, slot)
        if verb == RETURN and unit.harvest_stage == DELAY and orders[slot, 0].stage == LOADING:
            unit.harvest_timer -= 1
            if unit.harvest_timer > 0:
                continue
            orders[slot, 0].stage = 0
        unit.harvest_stage = WALK
        if verb == RETURN:
            unit.flags |= np.uint32(NO_COLLISION)
            bring(world, units, orders, players, table, walk, slot, events)
        elif passing:
            unit.flags |= np.uint32(NO_COLLISION)
        else:
            unit.flags &= ~np.uint32(NO_COLLISION)
