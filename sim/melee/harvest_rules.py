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
from sim.engine.state import CHANNELLING, GATHER, INSIDE, MOVE, NO_COLLISION, RETURN, UNFINISHED
from sim.melee.harvest_fields import MARKED_FROM, at_work, is_field, mark, other_field
from sim.melee.harvest_places import (
    DELAY,
    GAS,
    HALL,
    HANDED,
    LED,
    MINERALS,
    MINING,
    MULE,
    PAUSE,
    RESUMED,
    SETTING_OUT,
    WAIT,
    WALK,
    WORK,
    WORKER,
    brake,
    gap,
    in_crowd,
    keep_way,
    nearest_hall,
)
from sim.melee.harvest_steps import (
    NO_WORK,
    aim,
    begin,
    cut_short,
    deliver,
    finish,
    go_on,
    let_go,
    stand,
    turn_home,
    turn_to_field,
    wait_for_hall,
)


@rule
def is_first(world, units, orders, table, slot, field):
    """Nobody of its sort has waited longer for the field."""
    since = units[slot].harvest_timer
    role = table[units[slot].type].role
    for other in range(world.slots):
        unit = units[other]
        if unit.alive == 0 or unit.harvest_stage != WAIT or unit.harvest_target != field or unit.order_count == 0:
            continue
        if other == slot or table[unit.type].role != role:
            continue
        if orders[other, 0].verb == GATHER and unit.harvest_timer < since:
            return False
    return True


@rule
def gather(world, units, orders, table, walk, slot, events):
    """One loop of a gather order."""
    unit = units[slot]
    order = orders[slot, 0]
    me = table[unit.type]
    field = order.target
    if unit.harvest_stage == DELAY:
        unit.harvest_timer -= 1
        if unit.harvest_timer <= 0:
            turn_home(world, units, orders, table, walk, slot, events)
        return
    gone = field < 0 or units[field].generation != order.target_generation
    if gone or not is_field(units, table, field, unit.owner):
        let_go(units, slot)
        if not gone:
            unit.harvest_target = field
        turn_to_field(world, units, orders, table, walk, slot, events)
        return
    if unit.harvest_stage == WORK and unit.harvest_target == field:
        if unit.marked == field:  # not of gas
            mark(world, unit, field)
        unit.harvest_timer -= 1
        if unit.harvest_timer <= 0:
            finish(world, units, orders, table, walk, slot, field, events)
        return
    if unit.harvest_target != field:
        let_go(units, slot)
        unit.harvest_target = field
        unit.harvest_stage = WALK
    resource = units[field]
    kind = table[resource.type]
    if resource.flags & UNFINISHED != 0:
        resource.timer = world.loop + 1  # nobody goes in before it has been complete for a loop
    leaving = me.role != MULE and resource.timer >= world.loop
    near = gap(unit.x, unit.y, resource, kind)
    there = near <= kind.touch
    if kind.role == MINERALS and near <= MARKED_FROM:
        mark(world, unit, field)
    arrived = there and unit.harvest_stage != WAIT
    if arrived:
        unit.harvest_timer = world.loop  # since when it waits, if it does
    # who has a load of this sort touches the field and goes home (observed of 4.10), one of the other sort is lost
    full = unit.carry > 0 and (unit.carry_gas != 0) == (kind.role == GAS)
    holder = at_work(world, units, orders, table, slot, field) if there else -1
    if holder >= 0 and arrived and kind.role == MINERALS and not full:
        other = other_field(world, units, orders, table, slot, holder)
        if other >= 0:
            unit.harvest_target = other
            stand(unit)
            aim(units, orders, slot, other, GATHER, me.gather)
            mark(world, unit, other)
            keep_way(world, walk, unit, slot, units[other], kind)
            return
    if not there:
        unit.harvest_stage = WALK
        keep_way(world, walk, unit, slot, resource, kind)
        brake(unit, me.acceleration, 0.0)
        return
    stand(unit)
    if full:
        turn_home(world, units, orders, table, walk, slot, events)
        return
    if resource.flags & UNFINISHED != 0 and unit.order_count > 1 and me.waits == 0:
        report(world, events, NO_WORK, slot, -1, 0.0)  # it is as good as idle: what was queued comes first
    elif holder >= 0 or leaving or not is_first(world, units, orders, table, slot, field):
        unit.harvest_stage = WAIT
    else:
        begin(units, table, slot, field)


@rule
def bring(world, units, orders, players, table, walk, slot, before, events):
    """One loop of a return order; `before`: the worker's stage in the loop before.

    Who was led here by a move comes at full speed (two sightings of real ones) and has delivered in the loop in which
    its next step touches: so say the answers of six bots (docs/fidelity/mining.md, Steered trips). So do MULEs (there,
    MULEs). Who else comes by itself, with another worker close by, stands for a while first (there, The pause).
    Who has no load when a queued order to return begins is idle: so say the minerals of a learned agent that told three
    Drones so while they were on their way home.
    """
    unit = units[slot]
    order = orders[slot, 0]
    if unit.flags & INSIDE != 0:
        let_go(units, slot)
    if unit.carry <= 0 and before != HANDED:  # queued, and no load when its turn comes
        stand(unit)
        report(world, events, NO_WORK, slot, -1, 0.0)
        return
    hall = order.target
    good = hall >= 0 and units[hall].alive != 0 and units[hall].generation == order.target_generation
    if good:
        good = units[hall].owner == unit.owner and table[units[hall].type].role == HALL
    if not good:
        hall = nearest_hall(world, units, table, slot)
        if hall < 0:
            wait_for_hall(world, units, orders, table, slot, events)
            return
        stage = order.stage
        aim(units, orders, slot, hall, RETURN, table[unit.type].bring)
        order.stage = stage
    home = units[hall]
    box = table[home.type]
    near = gap(unit.x, unit.y, home, box)
    glides = order.stage == LED or table[unit.type].role == MULE
    if near > box.touch and before != HANDED:
        keep_way(world, walk, unit, slot, home, box)
        if not glides:
            brake(unit, table[unit.type].acceleration, 0.0)
        elif unit.carry > 0 and near - unit.speed <= box.touch:
            deliver(world, units, players, slot, hall, events)
            unit.harvest_stage = HANDED
        return
    stand(unit)
    if before != WAIT:
        plain = unit.carry_gas == 0 and order.stage == RESUMED and not glides
        pauses = plain and in_crowd(world, units, orders, table, slot)
        unit.harvest_timer = PAUSE if pauses else 0.0
    if unit.carry > 0 and unit.harvest_timer > 0.0:
        unit.harvest_timer -= 1
        unit.harvest_stage = WAIT
        return
    if unit.carry > 0:
        deliver(world, units, players, slot, hall, events)
    if unit.order_count == 1:
        turn_to_field(world, units, orders, table, walk, slot, events)
        unit.facing = math.atan2(unit.goal_y - unit.y, unit.goal_x - unit.x)
    elif go_on(unit, orders, slot) and orders[slot, 0].verb == GATHER:
        gather(world, units, orders, table, walk, slot, events)


@rule
def harvest(world, units, orders, players, table, walk, events):
    """All workers, one loop."""
    if world.loop < SETTING_OUT:
        return
    for slot in range(world.slots):
        unit = units[slot]
        if unit.alive == 0 or table[unit.type].role < WORKER:
            continue
        passing = unit.order_count > 1 and orders[slot, 0].verb == MOVE and orders[slot, 1].verb in MINING
        if passing:
            cut_short(world, units, orders, table, slot)
        verb = orders[slot, 0].verb if unit.order_count > 0 else 0
        before = unit.harvest_stage
        if before == HANDED:
            unit.harvest_stage = WALK
            if verb != RETURN:  # told something else meanwhile: it turns there all the same
                unit.speed = 0.0
        if verb != GATHER or unit.harvest_stage != DELAY:
            unit.flags &= ~np.uint32(CHANNELLING)
        if verb == GATHER:
            unit.flags |= np.uint32(NO_COLLISION)
            gather(world, units, orders, table, walk, slot, events)
            continue
        if unit.flags & NO_COLLISION != 0 and verb != RETURN:
            let_go(units, slot)
        unit.harvest_stage = WALK
        if verb == RETURN:
            unit.flags |= np.uint32(NO_COLLISION)
            bring(world, units, orders, players, table, walk, slot, before, events)
        elif passing:
            unit.flags |= np.uint32(NO_COLLISION)
        elif verb == MOVE and unit.order_count == 1 and orders[slot, 0].target < 0 and unit.moving != 0:
            brake(unit, table[unit.type].acceleration, 0.5)
            unit.flags &= ~np.uint32(NO_COLLISION)
        else:
            unit.flags &= ~np.uint32(NO_COLLISION)
