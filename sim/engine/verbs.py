"""Verbs: how a unit walks, follows, fights, patrols and comes up to what an order names, one loop at a time."""

from __future__ import annotations

from sim.engine.combat import clear_target
from sim.engine.engage import engage_on_the_move, take_target
from sim.engine.geometry import between, seen
from sim.engine.jit import inlined, rule
from sim.engine.order import leads_on
from sim.engine.parameters import CROWD_REACH, FOLLOW_DISTANCE, NEAR_ENOUGH, SAME_GOAL, SQUEEZE_IN_VAIN
from sim.engine.reports import report
from sim.engine.route import AGAIN, ARRIVED, WAY_BITS, set_way, start_way
from sim.engine.state import APPROACH, GATHER, IMMOBILE, INSIDE, PATROL, REACHED, RETURN, STRUCTURE
from sim.engine.targeting import can_be_target, edge_distance, fight_distance, range_of
from sim.engine.traits import weapon_against


@rule
def finish_order(unit, orders, slot):
    """Drop the current order; the next one moves up."""
    count = unit.order_count
    for k in range(1, count):
        orders[slot, k - 1] = orders[slot, k]
    if count:
        orders[slot, count - 1].ability = 0
        orders[slot, count - 1].verb = 0
        unit.order_count = count - 1
    unit.moving = 0
    clear_target(unit)


@inlined
def go(unit, x, y):
    """Walk to a point."""
    unit.goal_x = x
    unit.goal_y = y
    unit.moving = 1


@inlined
def begin(unit, order):
    """First loop of an order: what the unit was about is broken off, the way is planned anew."""
    order.stage = 1
    moved = between(order.x, order.y, unit.way_goal_x, unit.way_goal_y)
    again = order.target < 0 and moved < SAME_GOAL
    waits = unit.stuck >= SQUEEZE_IN_VAIN and order.target < 0 and moved < CROWD_REACH
    start_way(unit)
    if again:
        unit.way_state |= AGAIN
    if waits:  # the order is repeated while others bar its way
        unit.stuck = SQUEEZE_IN_VAIN
        unit.way_goal_x = order.x
        unit.way_goal_y = order.y


@inlined
def walk_to(unit, x, y):
    """Walk to a point; True once the unit has arrived there, or as near as it gets."""
    if unit.way_state & WAY_BITS == ARRIVED and between(unit.way_goal_x, unit.way_goal_y, x, y) < 0.01:
        unit.moving = 0
        return True
    go(unit, x, y)
    return False


@inlined
def pass_by(unit, kind, orders, slot):
    """Sets out for where the next order is, once the point that a move leads to is no more than a step away; True if
    it does. So queued moves are walked without a stop in between. Who is to mine there is led on by the rules of
    mining."""
    order = orders[slot, 0]
    if not leads_on(unit, orders, slot) or orders[slot, 1].verb in (GATHER, RETURN):
        return False
    if between(unit.x, unit.y, order.x, order.y) > unit.speed + kind.acceleration + NEAR_ENOUGH:
        return False
    finish_order(unit, orders, slot)
    if order.verb < APPROACH:
        begin(unit, order)
    go(unit, order.x, order.y)
    return True


@inlined
def target_there(units, order):
    """True if the order's target unit is still alive."""
    if order.target < 0:
        return False
    target = units[order.target]
    return target.alive != 0 and target.generation == order.target_generation


@inlined
def follow(unit, kind, order, units, kinds, visibility):
    """Keep close to the target; True if it is aboard, or a structure on the ground that has been reached.

    One that is gone or out of sight is followed to where it was last (the game's guide, of rally points on units). Who
    gets no nearer rests there until the target walks on; one that was pushed aside is not followed.
    """
    if not target_there(units, order):
        return walk_to(unit, order.x, order.y)
    target = units[order.target]
    if target.flags & INSIDE:
        return True
    if target.owner != unit.owner and not seen(visibility, unit.owner, target.x, target.y):
        return walk_to(unit, order.x, order.y)
    order.x = target.x
    order.y = target.y
    target_kind = kinds[order.target]
    stays = target.flags & STRUCTURE != 0 and target_kind.speed <= 0.0
    settled = unit.way_state & WAY_BITS == ARRIVED
    strayed = between(unit.way_goal_x, unit.way_goal_y, target.x, target.y)
    settled = settled and strayed < (FOLLOW_DISTANCE if target.moving else CROWD_REACH)  # else a crowd shoves him along
    if not settled and edge_distance(unit, kind, target, target_kind) > FOLLOW_DISTANCE:
        go(unit, target.x, target.y)
        return False
    if not settled:
        set_way(unit, ARRIVED, unit.x, unit.y)
        unit.way_goal_x = target.x
        unit.way_goal_y = target.y
    unit.moving = 0
    return stays


@inlined
def fires_on_the_way(unit, kind, trait, slot, roster):
    """True while the ordered target is out of reach of a weapon that fires at others on the way."""
    weapon = weapon_against(trait, roster.units[slot].flags)
    if not trait.free or weapon < 0 or kind.speed <= 0.0:
        return False
    distance = fight_distance(unit, kind, roster.units[slot], roster.kinds[slot])
    return distance > range_of(unit, roster.weapons[unit.owner, kind.weapons[weapon]])


@inlined
def attack_unit(world, slot, unit, kind, trait, order, roster, visibility, crowd):
    """Fight the ordered target; True if that is over. A target out of sight is sought where it was seen last."""
    if not target_there(roster.units, order):
        return True
    target = roster.units[order.target]
    if target.flags & INSIDE:
        return True
    if target.owner == unit.owner or seen(visibility, unit.owner, target.x, target.y):
        order.x = target.x
        order.y = target.y
        free = fires_on_the_way(unit, kind, trait, order.target, roster)
        if free and can_be_target(roster.units, visibility, unit.owner, order.target, order.target_generation):
            engage_on_the_move(world, slot, unit, kind, trait, roster, visibility, crowd)
            go(unit, target.x, target.y)
            return False
        return not take_target(unit, kind, trait, order.target, order.target_generation, roster)
    clear_target(unit)
    return kind.speed <= 0.0 or walk_to(unit, order.x, order.y)


@rule
def patrol(unit, kind, orders, slot, units):
    """Walk on; a step before one end turn to the other (observed of 4.10), or to what waits behind: patrols are walked
    in turn, for ever.

    So Overlords of a real game went on from the first of three patrols to the second (seen at four places of that
    way), and a worker went where a queued right-click sent it. Of a dead one who stood there the place remains.
    """
    order = orders[slot, 0]
    if order.target >= 0 and not target_there(units, order):
        order.target = -1
    near = between(unit.x, unit.y, order.x, order.y) <= unit.speed + kind.acceleration + NEAR_ENOUGH
    if not walk_to(unit, order.x, order.y) and not near:
        return
    count = unit.order_count
    if count == 1:
        x = order.x
        y = order.y
        order.x = order.x2
        order.y = order.y2
        order.x2 = x
        order.y2 = y
        start_way(unit)
        go(unit, order.x, order.y)
        return
    again = orders[slot, 1].verb == PATROL and count < orders.shape[1]
    if again:
        orders[slot, count] = orders[slot, 0]
        orders[slot, count].stage = 0
    finish_order(unit, orders, slot)
    if again:
        orders[slot, count - 1] = orders[slot, count]
        orders[slot, count].ability = 0
        orders[slot, count].verb = 0
        unit.order_count = count
        begin(unit, order)
        go(unit, order.x, order.y)


@rule
def approach(world, slot, unit, kind, order, units, kinds, events):
    """Walk until the target is within the order's range, then report REACHED once (value 1), or 0 if it cannot be."""
    if order.stage:
        unit.moving = 0
        return
    x = order.x
    y = order.y
    distance = between(unit.x, unit.y, x, y)
    if order.target >= 0:
        if not target_there(units, order) or units[order.target].flags & INSIDE:
            order.stage = 1
            unit.moving = 0
            report(world, events, REACHED, slot, -1, 0.0)
            return
        target = units[order.target]
        x = target.x
        y = target.y
        distance = edge_distance(unit, kind, target, kinds[order.target])
    way_ends = walk_to(unit, x, y)
    if distance <= order.range + 1e-3 or (way_ends and distance <= order.range + 1.0):
        order.stage = 1
        unit.moving = 0
        report(world, events, REACHED, slot, order.target, 1.0)
    elif way_ends or unit.flags & IMMOBILE or kind.speed <= 0.0:
        order.stage = 1
        unit.moving = 0
        report(world, events, REACHED, slot, order.target, 0.0)
