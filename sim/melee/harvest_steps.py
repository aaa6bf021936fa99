"""Mining, compiled: what a worker does at one point of its trip; when it does it is said in `harvest_rules.py`."""

from __future__ import annotations

import math

import numpy as np

from sim.engine.jit import rule
from sim.engine.parameters import NEAR_ENOUGH
from sim.engine.reports import report
from sim.engine.state import CHANNELLING, DELIVERED, DEPLETED, GATHER, INSIDE, MOVE, RETURN
from sim.melee.harvest_fields import ANYBODY, find_field, is_field, mark
from sim.melee.harvest_places import (
    DELAY,
    GAS,
    GONE,
    HALL,
    LED,
    MINING,
    MULE,
    RESUMED,
    WALK,
    WORK,
    gap,
    in_touch,
    keep_way,
    nearest_hall,
    walk_to,
)

# Events beside the kernel's own: the load is taken; nothing left to do.
LOADED, NO_WORK = 101, 102


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
    order.stage = RESUMED
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
        if field >= 0:
            x = units[field].x
            y = units[field].y
        elif field == GONE:
            x = unit.harvest_x
            y = unit.harvest_y
        field = find_field(world, units, orders, table, slot, x, y, ANYBODY)
        if field >= 0:
            mark(world, unit, field)
    if field < 0:
        report(world, events, NO_WORK, slot, -1, 0.0)
        return
    unit.harvest_target = field
    aim(units, orders, slot, field, GATHER, me.gather)
    keep_way(world, walk, unit, slot, units[field], table[units[field].type])


@rule
def begin(units, table, slot, field):
    """The worker stands at a field that is free: it goes to work."""
    unit = units[slot]
    resource = units[field]
    kind = table[resource.type]
    me = table[unit.type]
    unit.harvest_stage = WORK
    unit.harvest_timer = kind.loops * me.factor
    unit.facing = math.atan2(resource.y - unit.y, resource.x - unit.x)
    if me.role != MULE:
        resource.occupant = slot
    if kind.role == GAS:
        unit.flags |= np.uint32(INSIDE)
        unit.inside = field


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
    if kind.delay > 0.0:
        unit.harvest_stage = DELAY
        unit.harvest_timer = kind.delay
        unit.flags |= np.uint32(CHANNELLING)  # catalog: WaitToReturn is not interrupted, new orders wait behind it


@rule
def wait_for_hall(world, units, orders, table, slot, events):
    """There is no town hall for the load: the worker stands with it, and with an order home that names nothing, until
    there is one (observed of 4.10: it set out within four loops); what was queued comes first."""
    unit = units[slot]
    if unit.order_count > 1:
        report(world, events, NO_WORK, slot, -1, 0.0)
        return
    order = orders[slot, 0]
    order.verb = RETURN
    order.ability = table[unit.type].bring
    order.target = -1
    order.stage = 0
    unit.harvest_stage = WALK
    stand(unit)


@rule
def turn_home(world, units, orders, table, walk, slot, events):
    """The return delay is over: to the nearest town hall."""
    unit = units[slot]
    unit.flags &= ~np.uint32(CHANNELLING)
    if go_on(unit, orders, slot):
        target = orders[slot, 0].target
        if orders[slot, 0].verb == RETURN and target >= 0:
            walk_to(walk, unit, units[target], table[units[target].type], False)
        return
    report(world, events, LOADED, slot, orders[slot, 0].target, 0.0)
    hall = nearest_hall(world, units, table, slot)
    if hall < 0:
        wait_for_hall(world, units, orders, table, slot, events)
        return
    aim(units, orders, slot, hall, RETURN, table[unit.type].bring)
    walk_to(walk, unit, units[hall], table[units[hall].type], False)


@rule
def finish(world, units, orders, table, walk, slot, field, events):
    """The harvest is over: the worker lets go of the field and has its load. Gas has no delay: it sets out at once."""
    unit = units[slot]
    resource = units[field]
    let_go(units, slot)
    if table[unit.type].role != MULE:
        resource.timer = world.loop  # nobody begins, or goes in, in the loop in which another one ends
    load(world, units, slot, field, table, events)
    if unit.harvest_stage != DELAY:
        turn_home(world, units, orders, table, walk, slot, events)


@rule
def deliver(world, units, players, slot, hall, events):
    """What the worker carries goes to its owner's bank."""
    unit = units[slot]
    player = players[unit.owner]
    if unit.carry_gas != 0:
        player.gas += unit.carry
        player.gas_gathered += unit.carry
    else:
        player.minerals += unit.carry
        player.minerals_gathered += unit.carry
    report(world, events, DELIVERED, slot, hall, np.float32(unit.carry))
    unit.carry = 0


@rule
def go_on(unit, orders, slot):
    """The current order is over: if a walk or more mining waits behind it, that acts at once. False = it does not."""
    if unit.order_count < 2 or orders[slot, 1].verb not in (MOVE, GATHER, RETURN):
        return False
    for k in range(1, unit.order_count):
        orders[slot, k - 1] = orders[slot, k]
    unit.order_count -= 1
    orders[slot, unit.order_count].verb = 0
    orders[slot, unit.order_count].ability = 0
    unit.harvest_stage = WALK
    unit.moving = 0
    if orders[slot, 0].verb == MOVE and orders[slot, 0].target < 0:
        unit.goal_x = orders[slot, 0].x
        unit.goal_y = orders[slot, 0].y
        unit.moving = 1
    return True


@rule
def cut_short(world, units, orders, table, slot):
    """A move before a harvest or delivery is over where it ends, or where the worker cannot get nearer: to a town hall,
    or to a point within its target.

    The next order acts in the same loop, without a stop in between; so ladder bots mine.
    """
    unit = units[slot]
    order = orders[slot, 0]
    target = orders[slot, 1].target
    if target < 0 and orders[slot, 1].verb == RETURN:  # told to go home, wherever that is
        target = nearest_hall(world, units, table, slot)
    if order.target >= 0 or target < 0:
        return
    rest = math.sqrt((unit.x - order.x) ** 2 + (unit.y - order.y) ** 2)
    box = table[units[target].type]
    if gap(order.x, order.y, units[target], box) <= 0.0:  # within the footprint: nobody gets there
        if not in_touch(unit, units[target], box):
            return
    elif rest > unit.speed + table[unit.type].acceleration + NEAR_ENOUGH and (
        box.role != HALL or rest > 0.5 or not in_touch(unit, units[target], box)
    ):
        return
    go_on(unit, orders, slot)
    if orders[slot, 0].verb in MINING:
        orders[slot, 0].stage = LED
