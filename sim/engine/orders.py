"""Orders: which verb acts on each unit in this loop. It sets the goal and the target; movement and combat do the rest.

The current order of a slot is `orders[slot, 0]`. For the verbs that the kernel carries out by itself `stage` is 0 until
the order has begun and 1 from then on.
"""

from __future__ import annotations

from sim.engine.answer import flee
from sim.engine.bundles import crowd_of, roster_of
from sim.engine.combat import cancel_shot, clear_target, manned
from sim.engine.engage import engage, engage_on_the_move, man
from sim.engine.jit import inlined, rule
from sim.engine.mending import autocast_mending, heal, repair
from sim.engine.state import (
    APPROACH,
    ATTACK,
    ATTACK_MOVE,
    FOLLOW,
    GATHER,
    HEAL,
    HOLD,
    IDLE,
    INSIDE,
    MOVE,
    PATROL,
    REPAIR,
    RETURN,
    ROAMING,
    STRUCTURE,
    UNFINISHED,
    WAIT,
)
from sim.engine.verbs import approach, attack_unit, begin, finish_order, follow, pass_by, patrol, target_there, walk_to


@inlined
def mark_goal(unit, order, units, kinds):
    """Tell the way whether its goal is the middle of a structure, and how wide that is, or a unit that moves."""
    if unit.order_count and order.verb in (GATHER, RETURN):
        return  # who mines has said so itself
    unit.goal_side = 0
    slot = unit.target
    if slot < 0 and unit.order_count:
        slot = order.target
    if slot >= 0 and units[slot].x == unit.goal_x and units[slot].y == unit.goal_y:
        unit.goal_side = kinds[slot].footprint if kinds[slot].speed == 0.0 else ROAMING


@rule
def carry_out_rarer(world, slot, unit, kind, order, roster, players, events):
    """One loop of an order that few units have; True if it is over. A call of its own keeps the others short."""
    verb = order.verb
    if verb == HEAL:
        return not target_there(roster.units, order) or heal(
            world, slot, unit, kind, order.target, roster.units, roster.kinds
        )
    if verb == REPAIR:
        return not target_there(roster.units, order) or repair(
            world, unit, kind, order.target, roster.units, roster.kinds, players
        )
    if verb == APPROACH:
        if order.stage == 0:
            cancel_shot(unit)
            clear_target(unit)
        approach(world, slot, unit, kind, order, roster.units, roster.kinds, events)
        return False
    if verb == WAIT:
        unit.moving = 0
        clear_target(unit)
        return False
    return True


@inlined
def carry_out(arrays, slot, roster, crowd):
    """One loop of the current order of one unit, or of its idleness."""
    world, orders, visibility = arrays.world[0], arrays.orders, arrays.visibility
    unit = roster.units[slot]
    kind = roster.kinds[slot]
    trait = roster.traits[slot]
    order = orders[slot, 0]
    verb = order.verb
    if unit.order_count:
        unit.home_x = -1.0  # with its orders done a unit stays where they led it
    if unit.order_count == 0:
        verb = IDLE
    elif verb == IDLE:  # a queued stop whose turn has come
        finish_order(unit, orders, slot)
        return
    elif verb in (GATHER, RETURN):
        clear_target(unit)
        return
    elif order.stage == 0 and verb < APPROACH:
        begin(unit, order)
    done = False
    if verb in (IDLE, ATTACK_MOVE, PATROL, HOLD) or (verb == ATTACK and order.target < 0):
        chase = verb != HOLD
        if verb != ATTACK and autocast_mending(world, slot, unit, kind, chase, roster, arrays.players, crowd):
            return
        if verb == HOLD and unit.order_count > 1:  # it holds up nothing that is queued (observed of 4.10)
            finish_order(unit, orders, slot)
            return
        if not chase:
            unit.moving = 0
        # workers look for enemies on an attack alone: in 18 games of learned agents Drones killed 28 of each other by
        # loop 6000, all after such orders, none by the many on patrol or hold (ours: 53 while those fought, now 26)
        seeks = not kind.worker or verb in (ATTACK, ATTACK_MOVE)
        if engage(world, slot, unit, kind, trait, chase, seeks, roster, visibility, crowd):
            return
        if verb == IDLE:
            flee(world, unit, kind, trait, order, roster.units, visibility, arrays.walk)
        elif verb == PATROL:
            patrol(unit, kind, orders, slot, roster.units)
        elif chase:
            done = walk_to(unit, order.x, order.y)
    elif verb in (MOVE, FOLLOW):
        engage_on_the_move(world, slot, unit, kind, trait, roster, visibility, crowd)
        if order.target >= 0:
            done = follow(unit, kind, order, roster.units, roster.kinds, visibility)
        elif not pass_by(unit, kind, orders, slot):
            done = walk_to(unit, order.x, order.y)
    elif verb == ATTACK:
        done = attack_unit(world, slot, unit, kind, trait, order, roster, visibility, crowd)
    else:
        done = carry_out_rarer(world, slot, unit, kind, order, roster, arrays.players, arrays.events)
    if done:
        finish_order(unit, orders, slot)


@inlined
def carry_out_orders(arrays):
    """Orders of all units on the map."""
    world, units, kinds = arrays.world[0], arrays.units, arrays.kinds
    roster, crowd = roster_of(arrays), crowd_of(arrays)
    for slot in range(world.slots):
        unit = units[slot]
        if not unit.alive or unit.flags & UNFINISHED:
            continue
        if unit.flags & INSIDE:
            if manned(unit, units):
                man(world, slot, unit, kinds[slot], arrays.traits[slot], roster, arrays.visibility, crowd)
            continue
        if unit.owner == 0 and unit.order_count == 0:
            continue
        if unit.flags & STRUCTURE and unit.order_count == 0 and kinds[slot].weapons[0] < 0:
            continue
        carry_out(arrays, slot, roster, crowd)
        if unit.moving:
            mark_goal(unit, arrays.orders[slot, 0], units, kinds)
