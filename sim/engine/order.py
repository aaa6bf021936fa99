"""An order as a row of its table, written whole: what an earlier one left in the row must not count."""

from __future__ import annotations

from sim.engine.jit import inlined, rule
from sim.engine.state import APPROACH, HOLD, IDLE, MOVE, PATROL, WAIT

ANYWHERE = 1e6  # range of an order that is reached wherever the unit stands


@rule
def write_order(unit, order, ability, verb, target, generation, x, y):
    """What `melee/orders.push` writes for an order in place of all others."""
    order.ability = ability
    order.verb = verb
    order.stage = 0
    order.target = target
    order.target_generation = generation
    order.x = x
    order.y = y
    order.x2 = unit.x if verb == PATROL else 0.0
    order.y2 = unit.y if verb == PATROL else 0.0
    order.range = ANYWHERE
    order.timer = -1.0
    order.product = 0
    order.minerals = 0
    order.gas = 0
    unit.order_count = 1


@inlined
def leads_on(unit, orders, slot):
    """True while the unit walks to a point from where its next order takes it elsewhere: it passes there without a
    stop, so it need not brake."""
    if unit.order_count < 2 or orders[slot, 0].verb != MOVE or orders[slot, 0].target >= 0:
        return False
    after = orders[slot, 1]
    if after.verb == APPROACH and after.range >= ANYWHERE:  # what it does where it stands, as to siege
        return False
    return after.verb != IDLE and after.verb != HOLD and after.verb != WAIT
